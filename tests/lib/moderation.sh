# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Moderation of interrupts, as the cases about it use it.  Wants guest.sh.

MOD_HOST=$(the_host) || fail "$MOD_HOST"
MOD_ATTRIBUTES=/sys/class/scsi_host/host$MOD_HOST
MOD_STATE=/sys/kernel/debug/qla_isp/host$MOD_HOST/interrupts

# moderate US: by a timer of that period, 0 not at all; what was learned is forgotten.
moderate()
{
	echo "$1" > "$MOD_ATTRIBUTES/moderation_us" || fail "moderation_us: $1 was refused"
}

# moderation WORDS: the number that debugfs shows behind them.
moderation()
{
	sed -n "s/^moderation has $1: //p" "$MOD_STATE"
}

# moderated: interrupts are masked for it right now.
moderated()
{
	matches '^masked for moderation: yes' < "$MOD_STATE"
}

# has_begun COUNT: more often than so many times.
has_begun()
{
	[ "$(moderation begun)" -gt "$1" ]
}

# reads DISK DEPTH OPS: one system call for each; sets interrupts and register_reads to what the card counted, and
# p99 and mean to what isp-io did, ns.
reads()
{
	local before after

	wait_for 10 quiesced || fail "requests are still in flight"
	before=$(figures) || fail "$before"
	isp-io --file "$1" --direct --engine aio --batch 1 --qd "$2" --rw randread --bs 4096 --ops "$3" > /tmp/report ||
		fail "isp-io: status $?"
	after=$(figures) || fail "$after"
	matches '"errors":0,' < /tmp/report || fail "reads failed: $(cat /tmp/report)"
	# shellcheck disable=SC2034 # for the caller
	read -r register_reads interrupts < <(paste <(echo "$before") <(echo "$after") | awk '{ print $6 - $2, $8 - $4 }')
	p99=$(sed -n 's/.*"p99":\([0-9.]*\).*/\1/p' /tmp/report)
	mean=$(sed -n 's/.*"mean":\([0-9.]*\).*/\1/p' /tmp/report)
	echo "depth $2: $interrupts interrupts, $register_reads MMIO reads for $3 reads, mean $mean, p99 $p99 ns"
}
