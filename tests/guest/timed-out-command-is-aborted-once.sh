# shellcheck shell=bash
# A command that the target never answers is aborted when its time is up: it comes back once, as timed out;
# commands beside it are untouched; the same for a read of the block layer, which is tried again and succeeds.
. /tests/lib/guest.sh
dev=$(sg data2) || fail "$dev"
block=$(disk data2) || fail "$block"
other=$(disk data) || fail "$other"
dir=$(device_of data2) || fail "$dir"
before=$(mailbox_commands 15)

# swallowed N: the card has swallowed N commands more than at the start.
swallowed()
{
	[ "$(fault_fired swallow)" -ge $((fired + $1)) ]
}

fired=$(fault_fired swallow)
card_fault swallow=1
timeout 100 sg_raw --timeout=3 -r 512 "$dev" 28 00 00 00 00 08 00 00 01 00 > /tmp/raw.out 2>&1 &
raw=$!
wait_for 10 swallowed 1 || fail "no command was swallowed"
must dd if="$other" of=/dev/null bs=64k count=32 iflag=direct
wait $raw && fail "the swallowed command succeeded: $(cat /tmp/raw.out)"
grep -qiE 'time|DID_|abort' /tmp/raw.out || fail "not a timeout: $(cat /tmp/raw.out)"
[ "$(mailbox_commands 15)" -gt "$before" ] || fail "no abort command reached the card"
wait_for 10 quiesced || fail "requests left in flight"

# A block read: timed out, aborted, tried again.
old=$(cat "$dir/timeout")
echo 3 > "$dir/timeout"
card_fault swallow=1
must timeout 100 dd if="$block" of=/dev/null bs=4k count=1 iflag=direct
echo "$old" > "$dir/timeout"
swallowed 2 || fail "no read was swallowed"
wait_for 10 quiesced || fail "requests left in flight"
must sg_turs -n 3 "$dev"
