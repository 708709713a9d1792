# shellcheck shell=bash
# A pulled cable: the host says so, its ports are waited for, and all is as before when it is plugged in again.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
n=$(host_of hba0) || fail "$n"
host=/sys/class/fc_host/host$n
rport=$(rport_of data) || fail "$rport"
dev=$(disk data) || fail "$dev"

card_link down
becomes "$host/port_state" Linkdown
becomes "/sys/class/scsi_host/host$n/link_state" 'Link Down'
becomes "$rport/port_state" Blocked 30
if [ "$DRIVER" = qla_isp ]; then
	becomes "$host/port_type" Unknown
	becomes "$host/speed" unknown
	becomes "$host/port_id" 0x000000
	is "/sys/class/scsi_host/host$n/adapter_state" up
fi
grep -q . "$host"/statistics/l* || fail "statistics cannot be read without link"
for other in hba1 hba2; do
	other=$(host_of $other) || fail "$other"
	is "/sys/class/fc_host/host$other/port_state" Online
done

card_link up
becomes "$host/port_state" Online 30
becomes "$host/port_type" 'LPort .private loop.'
becomes "$host/speed" '2 Gbit'
becomes "$rport/port_state" Online 30
must dd if="$dev" of=/dev/null bs=64k count=1 iflag=direct
