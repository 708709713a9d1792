# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the kernel does with commands under load: those that the driver would not take, those that timed out, those
# that ended with an error, and what was logged meanwhile.  Wants guest.sh.

. /tests/lib/events.sh

# errors_of_disks: how many commands of all disks ended with an error so far.
errors_of_disks()
{
	local file n total=0

	for file in /sys/block/sd*/device/ioerr_cnt; do
		read -r n < "$file"
		total=$((total + n))
	done
	echo $total
}

load_begin()
{
	local event

	for event in start error timeout; do
		count_events $event scsi/scsi_dispatch_cmd_$event
	done
	LOAD_ERRORS=$(errors_of_disks)
	LOAD_LINES=$(dmesg | wc -l)
}

# load_end: prints what happened since load_begin; no command timed out or ended with an error, and the kernel
# logged at most as many lines as are given.
load_end()
{
	local given refused lines

	wait_for 60 quiesced || fail "requests are still in flight"
	given=$(events start)
	refused=$(events error)
	lines=$(($(dmesg | wc -l) - LOAD_LINES))
	echo "$given commands given to the driver, $refused handed back for later, $lines lines logged"
	expect "commands that timed out" "$(events timeout)" 0
	expect "commands that ended with an error" "$(($(errors_of_disks) - LOAD_ERRORS))" 0
	at_most "lines in the kernel's log" "$lines" "$1"
	[ "$given" -gt 1000 ] || fail "only $given commands: no load"
}
