# shellcheck shell=bash
# A READ and a WRITE behind the last block end with ILLEGAL REQUEST, LBA out of range; the LUN works on.
. /tests/lib/guest.sh
for serial in data file; do
	dev=$(sg $serial) || fail "$dev"
	block=$(disk $serial) || fail "$block"
	last=$(($(cat "/sys/block/$(basename "$block")/size") - 1))
	lba=$(printf '%08x' $((last + 1)) | sed 's/../& /g')
	# shellcheck disable=SC2086 # one argument per byte
	said=$(sg_raw -v -r 512 "$dev" 28 00 $lba 00 00 01 00 2>&1)
	grep -qiE 'illegal request' <<< "$said" || fail "READ behind the end of $serial: $said"
	grep -qiE 'out of range' <<< "$said" || fail "READ behind the end of $serial: $said"
	# shellcheck disable=SC2086 # one argument per byte
	said=$(head -c 512 /dev/zero | sg_raw -v -s 512 "$dev" 2a 00 $lba 00 00 01 00 2>&1)
	grep -qiE 'out of range' <<< "$said" || fail "WRITE behind the end of $serial: $said"
	must dd if="$block" of=/dev/null bs=512 skip="$last" count=1 iflag=direct
done
