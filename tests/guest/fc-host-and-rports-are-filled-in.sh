# shellcheck shell=bash
# The FC transport shows the port and each target as they are on the loop: names, state, address, roles.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
n=$(the_host) || fail "$n"
host=/sys/class/fc_host/host$n

is "$host/port_name" '0x2100001b3200000a'
is "$host/node_name" '0x2000001b3200000a'
is "$host/port_state" Online
is "$host/port_type" 'LPort.*|Loop.*|NLPort.*'
is "$host/port_id" '0x0000[0-9a-f]{2}'
case $CHIP in
isp2100 | isp2200) is "$host/speed" '1 Gbit' ;;
*) is "$host/speed" '[12] Gbit' ;;
esac
is "$host/supported_classes" '.*Class 3.*'
# The firmware's and the driver's: disks were read to be found.
statistic "$n" link_failure_count > /dev/null
reads=$(statistic "$n" fcp_input_requests) || fail "$reads"
[ "$reads" -gt 0 ] || fail "no reads were counted"

targets=0
for rport in /sys/class/fc_remote_ports/rport-"${host##*/host}":*; do
	is "$rport/port_state" Online
	is "$rport/roles" '.*FCP Target.*'
	is "$rport/port_name" '0x[0-9a-f]{16}'
	is "$rport/node_name" '0x[0-9a-f]{16}'
	is "$rport/port_id" '0x0000[0-9a-f]{2}'
	is "$rport/scsi_target_id" '[0-9]+'
	is "$rport/supported_classes" '.*Class 3.*'
	targets=$((targets + 1))
done
expect "remote ports" $targets "$LOOP_TARGETS"
unique=$(cat /sys/class/fc_remote_ports/rport-"${host##*/host}":*/port_name | sort -u | wc -l)
expect "different remote port names" "$unique" "$LOOP_TARGETS"
