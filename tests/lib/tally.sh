# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Counts, in the kernel, every command that is given to the driver and every call of scsi_done(): a command
# that comes back twice or never shows, which the block layer's own counters hide (scsi_done() ignores a
# second call in silence).

. /tests/lib/events.sh

# tally_set_up: once in a guest, since looking through the kernel's symbols takes seconds.
tally_set_up()
{
	local probes

	[ -d $TRACING ] || skip "the kernel has no tracing"
	# Before 5.16 a driver calls what the command points to: this, or directly error handling's own.
	probes='p:tally_done scsi_mq_done\n'
	! grep -qw scsi_done /proc/kallsyms || probes='p:tally_done scsi_done\np:tally_eh scsi_eh_done\n'
	# shellcheck disable=SC2059 # the format is all there is
	printf "$probes" > $TRACING/kprobe_events
	count_events returned kprobes
}

# tally_start: from now on commands are counted.  No command may be in flight.
tally_start()
{
	[ -d $TRACING/instances/returned ] || tally_set_up
	count_events start scsi/scsi_dispatch_cmd_start
	count_events error scsi/scsi_dispatch_cmd_error
	TALLY_GIVEN=$(tally_given)
	TALLY_DONE=$(tally_done)
}

# Commands that the driver accepted.
tally_given()
{
	echo $(($(events start) - $(events error)))
}

# Calls of scsi_done(), but for commands of error handling's own, which no tracepoint sees given.
tally_done()
{
	awk '$1 == "tally_done" { n += $2 + $3 }
		$1 == "tally_eh" { n -= $2 + $3 }
		END { print n }' $TRACING/kprobe_profile
}

# tally_check WHAT: every command given to the driver since tally_start came back once.
tally_check()
{
	local given returned

	wait_for 30 quiesced || fail "$1: requests are still in flight"
	given=$(($(tally_given) - TALLY_GIVEN))
	returned=$(($(tally_done) - TALLY_DONE))
	echo "$1: $given commands given to the driver, $returned handed back"
	[ $given -gt 0 ] || fail "$1: no command was counted"
	[ $given -eq $returned ] || fail "$1: $given commands given to the driver, $returned handed back"
}
