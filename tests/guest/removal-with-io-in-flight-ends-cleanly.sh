# shellcheck shell=bash
# The driver is unbound from its card in the middle of I/O: every command comes back (some as errors), the
# disks go, nothing hangs; bound again, every disk is back and the data that was there is whole.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
data=$(disk data) || fail "$data"
keep=$(disk data2) || fail "$keep"
pci=$(pci_of "$(the_host)") || fail "$pci"
count=$(find /sys/class/scsi_device/ -mindepth 1 | wc -l)
must dd if=/dev/urandom of="$keep" bs=1M count=4 oflag=direct
sum=$(dd if="$keep" bs=1M count=4 iflag=direct 2> /dev/null | sha256sum)

for round in 1 2; do
	data=$(disk data) || fail "$data"
	fio_endless "$data" --rw=randrw --bsrange=4k-128k --iodepth=32 --numjobs=2
	sleep 0.5
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/unbind" || fail "unbind failed in round $round"
	fio_returns 30 || fail "fio still waits for its commands in round $round"
	[ -z "$(hosts)" ] || fail "a SCSI host is left in round $round"
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/bind" || fail "bind failed in round $round"
	isp-settle || fail "the disks did not come back in round $round"
	expect "SCSI devices in round $round" \
		"$(find /sys/class/scsi_device/ -mindepth 1 | wc -l)" "$count"
done
keep=$(disk data2) || fail "$keep"
again=$(dd if="$keep" bs=1M count=4 iflag=direct 2> /dev/null | sha256sum)
expect "contents" "$again" "$sum"
