# shellcheck shell=bash
# lsscsi -t names each disk's port, systool each host, as sysfs has them.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
command -v systool > /dev/null || skip "systool is not installed (Debian package sysfsutils)"

lsscsi -t > /tmp/lsscsi || fail "lsscsi -t failed"
cat /tmp/lsscsi
for serial in data second far fabric; do
	dev=$(disk $serial) || fail "$dev"
	rport=$(rport_of $serial) || fail "$rport"
	names=$(grep -E " $dev *\$" /tmp/lsscsi) || fail "lsscsi does not list $dev"
	read -r _ kind names _ <<< "$names"
	expect "lsscsi about $dev" "$kind $names" "disk fc:$(cat "$rport/port_name"),$(cat "$rport/port_id")"
done

# Lines like    port_name           = "0x2100001b321f240a"
systool -c fc_host -v > /tmp/systool || fail "systool -c fc_host failed"
host='' compared=0
while read -r name equals value; do
	case $name in
	Class)
		[[ $value != *\"host* ]] || host=/sys/class/fc_host/${value//[^a-z0-9]/}
		;;
	node_name | port_name | port_id | port_type | port_state | speed | supported_speeds | symbolic_name)
		read -r wanted < "$host/$name"
		expect "systool about $name of ${host##*/}" "$equals $value" "= \"$wanted\""
		compared=$((compared + 1))
		;;
	esac
done < /tmp/systool
expect "values of 4 hosts" $compared 32
for class in fc_remote_ports fc_transport scsi_host; do
	must systool -c $class -v
done
