# shellcheck shell=bash
# Firmware without a LUN field takes LUNs up to 255 beside the loop id: each holds its own data, one above is told of
# and left alone; behind a switch, ports are logged in to with loop ids of eight bits.
. /tests/lib/guest.sh
for serial in data data2 fabric0 fabric255 slow; do
	wait_for 30 device_of $serial || fail "LUN $serial is missing"
done
for serial in data data2 fabric0 fabric255; do
	dev=$(disk $serial) || fail "$dev"
	echo "this is $serial" > /tmp/pattern
	truncate -s 4096 /tmp/pattern
	must dd if=/tmp/pattern of="$dev" bs=4096 count=1 oflag=direct
done
for serial in data data2 fabric0 fabric255; do
	dev=$(disk $serial) || fail "$dev"
	expect "contents of $serial" "$(dd if="$dev" bs=4096 count=1 iflag=direct 2> /dev/null | head -n 1)" "this is $serial"
done
! (device_of above) > /dev/null || fail "LUN 256 was attached"
expect "lines about the LUN above 255" "$(dmesg | grep -c "$DRIVER.* has 1 LUNs above 255")" 1
