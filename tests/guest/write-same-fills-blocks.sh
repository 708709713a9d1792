# shellcheck shell=bash
# WRITE SAME writes its block to each place that it names and to no other, on each LUN that offers it.
. /tests/lib/guest.sh
offered=0
head -c 512 /dev/urandom > /tmp/before
tr '\0' 'W' < /dev/zero | head -c 512 > /tmp/pattern
{
	cat /tmp/before
	for _ in 1 2 3 4 5 6 7 8; do
		cat /tmp/pattern
	done
	cat /tmp/before
} > /tmp/wanted
for serial in data file; do
	dev=$(sg $serial) || fail "$dev"
	block=$(disk $serial) || fail "$block"
	for sector in 99 108; do
		must dd if=/tmp/before of="$block" bs=512 seek=$sector oflag=direct conv=notrunc
	done
	if ! said=$(sg_write_same --16 --lba=100 --num=8 --in=/tmp/pattern --xferlen=512 "$dev" 2>&1); then
		grep -qiE 'not supported|invalid (command )?op|invalid opcode' <<< "$said" ||
			fail "sg_write_same on $serial: $said"
		continue
	fi
	offered=$((offered + 1))
	dd if="$block" bs=512 skip=99 count=10 iflag=direct 2> /dev/null | cmp - /tmp/wanted ||
		fail "$serial does not hold what WRITE SAME should have written"
done
[ $offered -gt 0 ] || skip "no LUN offers WRITE SAME(16)"
