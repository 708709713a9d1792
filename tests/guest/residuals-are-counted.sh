# shellcheck shell=bash
# A target that sends less than was asked for leaves a residual (underrun); asking for less than the
# target has fails nothing and loses nothing (overrun); a zero-length command has none.
. /tests/lib/guest.sh
for serial in data file; do
	dev=$(sg $serial) || fail "$dev"
	# INQUIRY with an allocation length of 36 into a buffer of 4096: 4060 bytes are missing.
	said=$(sg_raw -v -r 4096 "$dev" 12 00 00 00 24 00 2>&1) || fail "INQUIRY on $serial: $said"
	grep -qE 'Received 36 bytes|resid(ual)?[ =]*4060' <<< "$said" ||
		fail "underrun on $serial: 36 of 4096 bytes expected: $said"
	# READ of two blocks into a buffer of one: the status tells of an overrun, nothing else is written.
	said=$(sg_raw -v -r 512 "$dev" 28 00 00 00 00 00 00 00 02 00 2>&1)
	echo "$serial, overrun: $said"
	must sg_raw "$dev" 00 00 00 00 00 00
	must sg_turs "$dev"
done
