# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Polled I/O in virtual time.

# sleepy_poller DEVICE US: whoever polls for a command of it first sleeps so long: a poller that does not would make a
# minute of virtual time as long as one of ours. Skips where the kernel has no such thing any more (6.4).
sleepy_poller()
{
	local file=/sys/block/${1#/dev/}/queue/io_poll_delay

	[ -e "$file" ] || skip "this kernel's pollers do not sleep"
	echo "$2" > "$file"
	expect "what a poller sleeps" "$(< "$file")" "$2"
}

# sound WHO REPORT OPS: that report of isp-io is about so many operations, and none failed.
sound()
{
	[ -s "$2" ] || fail "$1: isp-io said nothing"
	expect "$1: operations and errors" "$(jq -c '[.ops, .errors]' "$2")" "[$3,0]"
}

# longest REPORT: us
longest()
{
	jq '.lat.max / 1000' "$1"
}
