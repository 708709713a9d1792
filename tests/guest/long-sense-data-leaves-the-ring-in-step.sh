# shellcheck shell=bash
# Sense data longer than a status entry holds comes in status continuations: its first part arrives with the
# block that cannot be read, and the entries behind it are taken for what they are, with other commands'
# status between and after them.
. /tests/lib/guest.sh
dev=$(sg flawed2) || fail "$dev"
other=$(disk data) || fail "$other"
dd if="$other" of=/dev/null bs=4k count=2000 iflag=direct 2> /tmp/dd.out &
beside=$!
for _ in 1 2 3 4 5; do
	# READ(10) of LBA 1000, the one that this LUN cannot read; of 1001, which it can.
	said=$(sg_raw -v -r 512 "$dev" 28 00 00 00 03 e8 00 00 01 00 2>&1)
	grep -qi 'medium error' <<< "$said" || fail "not a medium error: $said"
	grep -qi 'info.*0x3e8' <<< "$said" || fail "block 1000 is not named: $said"
	must sg_raw -r 512 "$dev" 28 00 00 00 03 e9 00 00 01 00
done
wait $beside || fail "reads beside it failed: $(cat /tmp/dd.out)"
