# shellcheck shell=bash
# A card with a damaged NVRAM gets one warning that names it, and works with a port name of its own.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
names=
for fault in $FAULTS; do
	dir=$(device_of "$fault") || fail "$dir"
	host=$(basename "$dir" | cut -d: -f1)
	card=$(pci_of "$host")
	lines=$(dmesg | grep -F "$card" | grep -iE 'nvram' | grep -iE 'checksum|version|id|blank|ISP|damag|inconsistent')
	echo "$fault, card $card: ${lines:-nothing said}"
	[ -n "$lines" ] || fail "no line tells of the $fault damage of $card"
	if [ "$DRIVER" = qla_isp ]; then
		expect "lines about $card" "$(grep -c . <<< "$lines")" 1
		grep -qiE 'default|reprogram|restore|set' <<< "$lines" || fail "the line names no remedy"
		name=$(cat "/sys/class/fc_host/host$host/port_name")
		[[ $name != 0x0 && $name != 0xffffffffffffffff && $names != *"$name"* ]] ||
			fail "port name $name of $card"
		names+=" $name"
	fi
	works "$fault"
done
