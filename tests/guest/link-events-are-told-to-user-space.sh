# shellcheck shell=bash
# What happens on the link goes to user space as events of the transport class, once each: the cable, a LIP, a
# state change in the fabric.  Seen where the class takes them.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
trace=/sys/kernel/debug/tracing
[ -d $trace ] || skip "the kernel has no tracing"
LINKUP=2 LINKDOWN=3 RSCN=5

echo 'p:link_event fc_host_post_event code=%dx:u32' >> $trace/kprobe_events || fail "no kprobe to be had"
echo 1 > $trace/events/kprobes/link_event/enable
trap 'echo 0 > $trace/events/kprobes/link_event/enable; echo "-:link_event" >> $trace/kprobe_events' EXIT

# told CODE: how often, since the trace was emptied.
told()
{
	grep -c "link_event: .* code=$1\$" $trace/trace
}

was_told()
{
	[ "$(told "$1")" -ge 1 ]
}

# event CODE LINK-TEXT HBA
event()
{
	echo > $trace/trace
	card_link "$2" "$3"
	wait_for 30 was_told "$1" || fail "event $1 was not told after $2"
	expect "times that $2 was told" "$(told "$1")" 1
}

event $LINKDOWN down hba3
event $LINKUP up hba3
event $RSCN rscn=0x010100 hba2
