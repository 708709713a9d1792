# shellcheck shell=bash
# While one port of a card is reset, and then taken from the driver and given back, the other's verified I/O goes on
# without an error, its link stays, and it is not reset.
. /tests/lib/guest.sh
. /tests/lib/fio.sh

# goes_on: the other port serves commands.
goes_on()
{
	local before after

	read -r -a before < "/sys/block/${first##*/}/stat"
	sleep 0.5
	read -r -a after < "/sys/block/${first##*/}/stat"
	[ $((after[4] - before[4])) -gt 10 ] || fail "the other port's I/O stands still: $(cat /tmp/fio.out)"
}

first=$(disk first) || fail "$first"
dev=$(sg second) || fail "$dev"
dir=$(device_of second) || fail "$dir"
host=$(basename "$dir")
card=$(pci_of "${host%%:*}")
starts=$(mailbox_commands 02)
fio --name=job --direct=1 --ioengine=libaio --filename="$first" --rw=randwrite --bsrange=4k-256k --iodepth=16 \
	--size=32M --time_based --runtime=100000 --verify=crc32c --verify_fatal=1 \
	--verify_backlog=64 > /tmp/fio.out 2>&1 &
job=$!
wait_for 30 busy "$first" || fail "no I/O: $(cat /tmp/fio.out)"
must sg_reset --no-esc --host "$dev"
must sg_turs -n 5 "$dev"
goes_on
echo "$card" > "/sys/bus/pci/drivers/$DRIVER/unbind" || fail "cannot unbind $card"
! (device_of second) > /dev/null || fail "the disk of the port taken away is still there"
goes_on
echo "$card" > "/sys/bus/pci/drivers/$DRIVER/bind" || fail "cannot bind $card"
wait_for 30 device_of second || fail "the disk does not come back"
! gone $job || fail "the other port's I/O ended: $(cat /tmp/fio.out)"
kill -INT $job
wait $job
! grep -iE 'error|verify:' /tmp/fio.out || fail "the other port's I/O met an error"
expect "starts of the other port's firmware" "$(mailbox_commands 02)" "$starts"
fio_verify second 8 4m
