# shellcheck shell=bash
# INQUIRY, TEST UNIT READY, READ CAPACITY and REPORT LUNS answer the same through sg_utils as sysfs says.
. /tests/lib/guest.sh
for serial in data file; do
	dev=$(sg $serial) || fail "$dev"
	dir=$(device_of $serial) || fail "$dir"
	block=$(disk $serial) || fail "$block"
	inq=$(sg_inq "$dev") || fail "sg_inq failed on $serial: $inq"
	grep -q "Vendor identification: *$(tr -d ' ' < "$dir/vendor")" <<< "$inq" ||
		fail "sg_inq and sysfs differ in the vendor of $serial"
	must sg_turs -n 20 "$dev"
	cap=$(sg_readcap "$dev") || fail "sg_readcap failed on $serial: $cap"
	sectors=$(cat "/sys/block/$(basename "$block")/size")
	grep -qE "Number of logical blocks=$sectors\b" <<< "$cap" ||
		fail "capacity of $serial: $sectors sectors by sysfs, and: $cap"
	must sg_readcap --16 "$dev"
	luns=$(sg_luns --quiet "$dev") || fail "sg_luns failed on $serial: $luns"
	# Each LUN that REPORT LUNS names is a SCSI device of this target.
	target=$(basename "$dir")
	expect "LUNs of the target of $serial" "$(grep -cE '^ *[0-9a-f]{4,16}$' <<< "$luns")" \
		"$(find /sys/class/scsi_device -name "${target%:*}:*" | wc -l)"
done
