# shellcheck shell=bash
# The driver is unbound from its card while ports are held back, right after the link was initialized and with a name
# server that does not answer: disks with a write cache to flush do not keep it for ever, and all of it comes back.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
pci=$(pci_of "$(the_host)") || fail "$pci"
count=$(rports)
for silent in '' ns-silent=all; do
	cached=$(disk cached) || fail "$cached"
	must dd if=/dev/urandom of="$cached" bs=64k count=4
	card_fault "$silent"
	card_link down=100
	sleep 0.3
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/unbind" &
	ends_within 90 $! || fail "${silent:-no fault}: unbinding does not end"
	[ -z "$(hosts)" ] || fail "${silent:-no fault}: a SCSI host is left"
	card_fault ''
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/bind" || fail "${silent:-no fault}: bind failed"
	wait_for 60 all_online "$count" || fail "${silent:-no fault}: not every port came back"
	wait_for 30 disk cached || fail "${silent:-no fault}: the disk did not come back"
done
