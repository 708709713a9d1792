# shellcheck shell=bash
# Of 32 verified writes in flight the card swallows 6: they are aborted, or reset away, and tried again while
# the others go on; fio sees no error, every block reads back right, nothing is left in flight.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dir=$(device_of data) || fail "$dir"
dev=$(disk data) || fail "$dev"
old=$(cat "$dir/timeout")
echo 4 > "$dir/timeout"
fired=$(fault_fired swallow)
card_fault swallow=6
must fio --name=job --direct=1 --ioengine=libaio --filename="$dev" --rw=randwrite --bsrange=4k-64k \
	--iodepth=32 --size=32M --io_size=32M --verify=crc32c --verify_fatal=1 --do_verify=1
card_fault ''
echo "$old" > "$dir/timeout"
expect "commands that the card swallowed" $(($(fault_fired swallow) - fired)) 6
wait_for 10 quiesced || fail "requests left in flight"
