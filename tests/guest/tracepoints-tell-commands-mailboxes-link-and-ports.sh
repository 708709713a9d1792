# shellcheck shell=bash
# trace-cmd decodes the driver's tracepoints, names and all, from what the kernel says of their format: each command
# once when it is given to the card and once when it has ended, mailbox commands, events of the firmware, and the
# steps of adapter, link and ports, in the order in which they were brought about.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
command -v trace-cmd > /dev/null || skip "trace-cmd is not installed (tools/deps vm)"
n=$(the_host) || fail "$n"
dev=$(disk data) || fail "$dev"
sg=$(sg data) || fail "$sg"
rport=$(rport_of data) || fail "$rport"
read -r wwpn < "$rport/port_name"
ports_may_be_away 60

# in_order REGEX...: a line of the trace matches each, one after the other.
in_order()
{
	local line=0 found regex

	for regex; do
		found=$(regex=$regex awk -v from="$line" 'NR > from && $0 ~ ENVIRON["regex"] { print NR; exit }' /tmp/report)
		[ -n "$found" ] || fail "not in the trace, after its line $line: $regex"
		line=$found
	done
}

# seen N REGEX: as many lines of the trace match by now.
seen()
{
	[ "$(trace-cmd show | grep -c -e "$2")" -ge "$1" ]
}

must trace-cmd start -q -C global -b 8192 -e qla_isp
must dd if="$dev" of=/dev/null bs=4k count=20 iflag=direct
echo 1 > "/sys/class/fc_host/host$n/issue_lip"
wait_for 60 seen 1 'isp_link_state: .* init -> ready' || fail "the loop is not ready again"
must dd if="$dev" of=/dev/null bs=8k count=1 iflag=direct
card_link down
becomes "$rport/port_state" Blocked 30
card_link up
becomes "$rport/port_state" Online 60
# Both targets are scanned then: what is lost below shall not be part of it.
wait_for 60 seen 2 'isp_complete: .* opcode=a0 ' || fail "the targets are not scanned"
must sg_turs -n 3 "$sg"
card_fault swallow=1
timeout 100 sg_raw --timeout=3 -r 512 "$sg" 28 00 00 00 00 08 00 00 01 00 > /tmp/raw.out 2>&1
echo adapter > "/sys/class/scsi_host/host$n/host_reset"
must dd if="$dev" of=/dev/null bs=4k count=1 iflag=direct
wait_for 30 quiesced || fail "requests are still in flight"
must trace-cmd stop
must trace-cmd extract -o /tmp/trace.dat
must trace-cmd reset
trace-cmd report -q -i /tmp/trace.dat > /tmp/report 2> /tmp/report.errors || fail "trace-cmd: $(cat /tmp/report.errors)"
wc -l /tmp/report
cat /tmp/report

if grep -nE 'FAILED TO PARSE|bad op|unknown|UNKNOWN' /tmp/report /tmp/report.errors; then
	fail "trace-cmd cannot decode it all"
fi
grep -n 'EVENTS DROPPED' /tmp/report && fail "the buffer was too small"
# Each name that was brought about stands in plain words.
in_order 'isp_mbox_send: .*lip-full-login \(72\)' 'isp_mbox_done: .*lip-full-login \(72\) mailboxes 4000 .*ret=0' \
	'isp_link_state: .* init -> ready' \
	'isp_event: .*loop-down \(8012\)' 'isp_link_state: .* ready -> down' \
	"isp_port_state: .*port ${wwpn#0x} .* online -> lost" \
	'isp_event: .*loop-up \(8011\)' 'isp_link_state: .* down -> init' \
	"isp_port_state: .*port ${wwpn#0x} .* lost -> online" \
	'isp_mbox_send: .*abort-command \(15\)' 'isp_complete: .*opcode=28 aborted' \
	'isp_adapter_state: .* up -> fault' 'isp_adapter_state: .* fault -> starting' \
	'isp_mbox_done: .*initialize-firmware \(60\)' 'isp_adapter_state: .* starting -> up'
# Commands: what was asked for, and each with one end.
reads=$(grep -c 'isp_command: .* read bytes=4096 segments=1 cdb=28 ' /tmp/report)
[ "$reads" -ge 21 ] || fail "only $reads reads of 4 KiB are there"
[ "$(grep -c 'isp_command: .* read bytes=8192 .*cdb=28 00 00 00 00 00 00 00 10 00 ' /tmp/report)" -ge 1 ] ||
	fail "the read of 8 KiB is not there"
awk '
	{ match($0, /handle=[0-9a-f]+/); handle = substr($0, RSTART, RLENGTH) }
	/ isp_command:/ { if (open[handle]++) print "given twice: " $0; given++ }
	/ isp_complete:/ { if (!open[handle]) print "never given: " $0; open[handle]--; ended++ }
	END {
		for (handle in open)
			if (open[handle])
				print "did not end: " handle
		print given " commands, " ended " ends" > "/dev/stderr"
	}' /tmp/report > /tmp/odd
[ ! -s /tmp/odd ] || fail "$(head -n 5 /tmp/odd)"
