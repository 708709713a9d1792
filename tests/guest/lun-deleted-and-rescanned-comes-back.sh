# shellcheck shell=bash
# A LUN deleted by hand comes back with a rescan of the host, and holds what it held.
. /tests/lib/guest.sh
host=$(the_host) || fail "$host"
dev=$(disk data) || fail "$dev"
dir=$(device_of data) || fail "$dir"
count=$(find /sys/class/scsi_device -mindepth 1 | wc -l)
must dd if=/dev/urandom of=/tmp/pattern bs=64k count=1
must dd if=/tmp/pattern of="$dev" bs=64k count=1 oflag=direct
echo 1 > "$dir/delete"
expect "SCSI devices after deleting one" "$(find /sys/class/scsi_device -mindepth 1 | wc -l)" $((count - 1))
echo '- - -' > "/sys/class/scsi_host/host$host/scan"
must isp-settle
expect "SCSI devices after the scan" "$(find /sys/class/scsi_device -mindepth 1 | wc -l)" "$count"
dev=$(disk data) || fail "$dev"
dd if="$dev" bs=64k count=1 iflag=direct 2> /dev/null | cmp -s - /tmp/pattern ||
	fail "the disk does not hold what was written"
