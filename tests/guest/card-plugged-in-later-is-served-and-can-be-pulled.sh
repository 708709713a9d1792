# shellcheck shell=bash
# A second card plugged into the running machine is served, is pulled out with commands in flight, and can be plugged in
# again; ROUNDS times (2).  Verified I/O of the first card goes on all the while and loses no block, what was written to
# it before is whole, and no host, device or port of the card that went is left over.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/fio.sh
data=$(disk data) || fail "$data"
keep=$(disk keep) || fail "$keep"

# leftovers: how many SCSI objects there are.
leftovers()
{
	find /sys/class/{scsi_host,scsi_device,fc_host,fc_remote_ports,fc_transport}/ -mindepth 1 -maxdepth 1 | wc -l
}

# as_before: nothing is left over.
as_before()
{
	[ "$(leftovers)" = "$before" ]
}

must dd if=/dev/urandom of="$keep" bs=1M count=4 oflag=direct
sum=$(dd if="$keep" bs=1M count=4 iflag=direct 2> /dev/null | sha256sum)
before=$(leftovers)
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
	# 4 seconds' worth at a time, again and again until the second card is gone: however long fio takes to start.
	touch /tmp/goes-on
	while [ -e /tmp/goes-on ]; do
		fio --name=first --direct=1 --ioengine=libaio --filename="$data" --rw=randwrite --bsrange=4k-64k --iodepth=16 \
			--io_size=16m --rate=4m --verify=crc32c --verify_fatal=1 --do_verify=1 --randseed=$round \
			> /tmp/first.out 2>&1 || exit
	done &
	first=$!
	wait_for 30 busy "$data" || fail "round $round: no I/O goes on: $(cat /tmp/first.out)"
	dev=$(disk late) || fail "$dev"
	fio_endless "$dev" --rw=randread --bs=4k --iodepth=16
	wait_for 30 busy "$data" || fail "round $round: no I/O goes on before the second card goes: $(cat /tmp/first.out)"
	must isp-qmp device_del id=late
	fio_returns 60 || fail "round $round: fio still waits for its commands"
	wait_for 60 test ! -e /sys/bus/pci/devices/0000:00:05.0 || fail "round $round: the card does not go"
	must isp-qmp wait-event DEVICE_DELETED 30
	rm /tmp/goes-on
	wait $first || fail "round $round: $(grep -iE 'err|verify' /tmp/first.out | head -n 3)"
	wait_for 30 as_before || fail "round $round: $before SCSI objects have become $(leftovers)"
	works data
done
again=$(dd if="$keep" bs=1M count=4 iflag=direct 2> /dev/null | sha256sum)
expect "contents" "$again" "$sum"
note "$((round - 1)) rounds"
