# shellcheck shell=bash
# The switch's name server is told that this port speaks FCP and who it is, and asked who else is there; the host's
# attributes say that it is on a fabric, and whose.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
dir=/sys/class/fc_host/host$(the_host)
wait_for 30 disk spare || fail "the disks behind the switch do not come"
for code in 0217 0213 0171; do
	[ "$(ns_requests $code)" -ge 1 ] || fail "no request $code reached the name server"
done
if [ "$CHIP" != isp2200 ]; then
	for code in 021f 0239; do
		[ "$(ns_requests $code)" -ge 1 ] || fail "no request $code reached the name server"
	done
fi
expect "rejected requests" "$(counter 'other[.]ct[.]reject.*')" 0
expect port_type "$(< "$dir/port_type")" "NPort (fabric via point-to-point)"
expect port_id "$(< "$dir/port_id")" 0x010000
expect fabric_name "$(< "$dir/fabric_name")" 0x1000020000000001
dmesg | matches "fabric up at . Gbit/s, port id 010000" || fail "no line says that the fabric is up"
