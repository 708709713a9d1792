# shellcheck shell=bash
# REPORT LUNS is believed: LUNs with gaps between them and with high numbers are found, no others are, and
# each answers for itself.
. /tests/lib/guest.sh
for lun in $SPARSE_LUNS; do
	dir=$(device_of "sparse$lun") || fail "$dir"
	# From 256 on a LUN is addressed flat: method 01b in the two top bits, which Linux shows (SAM, 4.7).
	expect "the LUN of sparse$lun" "${dir##*:}" $((lun < 256 ? lun : lun | 0x4000))
	dev=$(disk "sparse$lun") || fail "$dev"
	echo "this is LUN $lun" > /tmp/pattern
	truncate -s 4096 /tmp/pattern
	must dd if=/tmp/pattern of="$dev" bs=4096 count=1 oflag=direct
done
for lun in $SPARSE_LUNS; do
	dev=$(disk "sparse$lun") || fail "$dev"
	said=$(dd if="$dev" bs=4096 count=1 iflag=direct 2> /dev/null | head -n 1)
	expect "contents of LUN $lun" "$said" "this is LUN $lun"
done
dir=$(device_of "sparse${SPARSE_LUNS%% *}")
target=$(basename "$dir")
expect "LUNs of that target" "$(find /sys/class/scsi_device -mindepth 1 -name "${target%:*}:*" | wc -l)" \
	"$(wc -w <<< "$SPARSE_LUNS")"
