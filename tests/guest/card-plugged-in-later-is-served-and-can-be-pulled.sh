# shellcheck shell=bash
# A second card plugged into the running machine is served, is pulled out with commands in flight without
# harm to the first, and can be plugged in again; ROUNDS times (2).
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/fio.sh
for ((round = 1; round <= ${ROUNDS:-2}; round++)); do
	# The card's disk is put on its loop before the driver sees the card.
	echo 0 > /sys/bus/pci/drivers_autoprobe
	must isp-qmp device_add "driver=$CHIP" id=late "addr=0x05" bus=pci.0
	must isp-qmp device_add driver=isp-ram id=latelun bus=late.0 scsi-id=0 lun=0 size=16777216 serial=late
	wait_for 10 test -e /sys/bus/pci/devices/0000:00:05.0 || fail "round $round: the card was not noticed"
	echo 1 > /sys/bus/pci/drivers_autoprobe
	echo 0000:00:05.0 > /sys/bus/pci/drivers_probe || fail "round $round: the driver does not take the card"
	wait_for 30 device_of late || fail "round $round: the disk of the new card is missing"
	wait_for 10 disk late || fail "round $round: no block device"
	works late
	works data
	dev=$(disk late) || fail "$dev"
	fio_endless "$dev" --rw=randread --bs=4k --iodepth=16
	must isp-qmp device_del id=late
	fio_returns 60 || fail "round $round: fio still waits for its commands"
	wait_for 60 test ! -e /sys/bus/pci/devices/0000:00:05.0 || fail "round $round: the card does not go"
	must isp-qmp wait-event DEVICE_DELETED 30
	works data
done
