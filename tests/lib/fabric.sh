# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the cases behind a switch share. Wants guest.sh.

# ns_requests CODE: how many requests of that CT code (four hexadecimal digits) the name server got.
ns_requests()
{
	counter "other[.]ct[.]fc02[.]$1[.].*"
}

# lines PATTERN: how many lines of this case's kernel log match.
lines()
{
	kernel_said | grep -cE "$1"
}

# rports [STATE]: how many remote ports there are (in that state).
rports()
{
	local file n=0

	for file in /sys/class/fc_remote_ports/*/port_state; do
		[ -e "$file" ] && [ "${1:-$(< "$file")}" = "$(< "$file")" ] && n=$((n + 1))
	done
	echo $n
}

# all_online COUNT: that many remote ports are online, and no other is there.
all_online()
{
	[ "$(rports)" = "$1" ] && [ "$(rports Online)" = "$1" ]
}

# port_of SERIAL: port name and port id of the target of that LUN.
port_of()
{
	local rport

	rport=$(rport_of "$1") || fail "$rport"
	echo "$(< "$rport/port_name") $(< "$rport/port_id")"
}

# asked_again BEFORE: the name server was asked for ports more often than BEFORE.
asked_again()
{
	[ "$(ns_requests 0171)" -gt "$1" ]
}
