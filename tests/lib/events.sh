# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Counts what the kernel does: each kind of event has a trace instance of its own, whose counters are read.

TRACING=/sys/kernel/debug/tracing

# count_events INSTANCE EVENT...: from now on, and from 0, that trace instance counts these events, named as
# directories below events/.
count_events()
{
	local instance=$TRACING/instances/$1 event

	shift
	mkdir -p "$instance"
	echo 16 > "$instance/buffer_size_kb"
	echo > "$instance/trace"
	for event; do
		echo 1 > "$instance/events/$event/enable" || fail "the kernel does not count $event"
	done
}

# events INSTANCE: how many it counted.
events()
{
	awk '/^(entries|overrun):/ { n += $2 } END { print n + 0 }' "$TRACING/instances/$1"/per_cpu/cpu*/stats
}
