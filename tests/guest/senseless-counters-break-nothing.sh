# shellcheck shell=bash
# Firmware that does not answer for its error counters, or answers nonsense: statistics can be read all the same,
# what the driver counts goes on, and the other attributes stay.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
[ "$DRIVER" != qla2xxx ] || skip "qla2xxx shows no statistics at all when the firmware refuses its own"
n=$(host_of hba0) || fail "$n"
host=/sys/class/fc_host/host$n
dev=$(disk data) || fail "$dev"
names=$(cat "$host"/{node,port}_name)

# A refusal is one thing, noise in the mailboxes another: that is a broken card, which is reset.
for fault in mbox-error=all mbox-garbage=1; do
	card_fault "$fault@0x6b"
	fault=${fault%=*}
	asked=$(fault_fired $fault)
	# The answer of a moment ago may still serve.
	sleep 0.3
	before=$(statistic "$n" fcp_input_requests) || fail "$before"
	for file in "$host"/statistics/[a-qs-z]*; do
		is "$file" '0x[0-9a-f]{1,16}'
	done
	[ "$(fault_fired $fault)" -gt "$asked" ] || fail "the firmware was not asked"
	becomes "/sys/class/scsi_host/host$n/link_state" 'Link Up - Loop' 30
	must dd if="$dev" of=/dev/null bs=64k count=10 iflag=direct
	after=$(statistic "$n" fcp_input_requests) || fail "$after"
	expect "reads counted" $((after - before)) 10
	echo 1 > "$host/statistics/reset_statistics" || fail "reset_statistics is refused"
done
card_fault ''
[ "$DRIVER" != qla_isp ] || is "/sys/class/scsi_host/host$n/adapter_state" up
expect "names" "$(cat "$host"/{node,port}_name)" "$names"
is "$host/port_state" Online
