# shellcheck shell=bash
# Each host shows what its cable goes to, its address and speed there, and who it is; a SCSI target shows the
# names of its port.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh

# host HBA PORT-TYPE PORT-ID LINK-STATE: patterns.
host()
{
	local n

	n=$(host_of "$1") || fail "$n"
	becomes "/sys/class/fc_host/host$n/port_type" "$2" 30
	becomes "/sys/class/fc_host/host$n/port_id" "$3"
	# qla2xxx finds no port of its like at the other end of a direct cable.
	if [ "$DRIVER:$1" != qla2xxx:hba3 ]; then
		becomes "/sys/class/fc_host/host$n/port_state" Online
		becomes "/sys/class/scsi_host/host$n/link_state" "Link Up - $4"
	fi
	becomes "/sys/class/fc_host/host$n/speed" '2 Gbit'
	is "/sys/class/fc_host/host$n/supported_speeds" '1 Gbit, 2 Gbit'
}

host hba0 'LPort .private loop.' '0x0000[0-9a-f]{2}' Loop
host hba1 'NLPort .fabric via loop.' '0x0100[0-9a-f]{2}' FL_Port
host hba2 'NPort .fabric via point-to-point.' 0x010000 F_Port
host hba3 'Point-To-Point .direct nport connection.' '0x00000[12]' 'N_Port to N_Port'

# On a loop there is no fabric to name.  qla2xxx reads the name of the switch in another byte order than the
# card gives it (hardware/mailbox.md).
if [ "$DRIVER" = qla_isp ]; then
	n=$(host_of hba2) || fail "$n"
	becomes "/sys/class/fc_host/host$n/fabric_name" 0x1000020000000001
fi

n=$(host_of hba0) || fail "$n"
host=/sys/class/scsi_host/host$n
# From the port name 2100001b321f240a, by the rule that both drivers know.
is "$host/serial_num" U34212
is "$host/model_name" QLA2340
is "$host/isp_name" "${CHIP^^}"
is "$host/port_no" 0
is "$host/fw_state" '0x3( .*)?'
is "$host/total_isp_aborts" 0
is "/sys/class/fc_host/host$n/symbolic_name" 'QLA2340 FW:v?[0-9.]+ DVR:.*'
if [ "$DRIVER" = qla_isp ]; then
	is "$host/adapter_state" up
	set_to "/sys/class/fc_host/host$n/system_hostname" its-own-name
	is "/sys/class/fc_host/host$n/symbolic_name" '.* HN:its-own-name'
fi

targets=0
for target in /sys/class/fc_transport/target*; do
	rport=$(readlink -f "$target/device")
	rport=/sys/class/fc_remote_ports/$(basename "$(dirname "$rport")")
	for name in node_name port_name port_id; do
		expect "$name of ${target##*/}" "$(cat "$target/$name")" "$(cat "$rport/$name")"
	done
	expect "SCSI target id of ${target##*/}" "${target##*:}" "$(cat "$rport/scsi_target_id")"
	targets=$((targets + 1))
done
[ $targets -ge 3 ] || fail "expected at least 3 targets, found $targets"
