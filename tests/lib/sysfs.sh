# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Hosts and ports in sysfs, as the cases about attributes use them.

# host_of HBA: the number of the SCSI host of an adapter, hba0 and so on.
host_of()
{
	local dir

	for dir in "/sys/bus/pci/devices/$(printf '0000:00:%02x.0' $((4 + ${1#hba})))"/host*; do
		[ -e "$dir" ] || fail "$1 has no SCSI host"
		echo "${dir##*/host}"
	done
}

# is FILE PATTERN: the attribute matches the extended regular expression wholly.
is()
{
	local value

	read -r value < "$1" || [ -n "$value" ] || fail "$1 cannot be read"
	[[ $value =~ ^($2)$ ]] || fail "$1 is '$value', not $2"
}

# becomes FILE PATTERN [SECONDS]: it does so within that time, by default 10 s.
becomes()
{
	wait_for "${3:-10}" grep -qxE "$2" "$1" || fail "$1 stays '$(cat "$1")', not $2"
}

# set_to FILE VALUE: writing is taken, and shown.
set_to()
{
	must dd of="$1" <<< "$2"
	is "$1" "$2"
}

# statistic HOST NAME: in decimal.  qla2xxx does not answer while its worker is busy: ask again.
statistic()
{
	local file=/sys/class/fc_host/host$1/statistics/$2 value

	read -r value < "$file"
	if [ "$value" = 0xffffffffffffffff ]; then
		wait_for 10 grep -qvx "$value" "$file" || fail "$2 is not counted"
		read -r value < "$file"
	fi
	printf '%d\n' "$value"
}
