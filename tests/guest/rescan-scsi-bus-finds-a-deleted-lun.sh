# shellcheck shell=bash
# rescan-scsi-bus.sh of sg3-utils finds a LUN that was deleted, and takes none of the others away.
. /tests/lib/guest.sh
dir=$(device_of second) || fail "$dir"
before=$(lsscsi | wc -l)
echo 1 > "$dir/delete"
must_fail test -d "$dir"
rescan-scsi-bus.sh > /tmp/rescan 2>&1 || {
	cat /tmp/rescan
	fail "rescan-scsi-bus.sh failed"
}
tail -n 20 /tmp/rescan
grep -q '^1 new or changed device' /tmp/rescan || fail "it does not report one new device"
grep -q '^0 device(s) removed' /tmp/rescan || fail "it has removed devices"
wait_for 10 device_of second || fail "the LUN has not come back"
expect "SCSI devices" "$(lsscsi | wc -l)" "$before"
for serial in data second far fabric; do
	dev=$(disk $serial) || fail "$dev"
	must dd if="$dev" of=/dev/null bs=64k count=1 iflag=direct
done
