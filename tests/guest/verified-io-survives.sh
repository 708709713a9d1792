# shellcheck shell=bash
# One kind of fault or move (argument: its name in tests/lib/faults) strikes while fio writes and verifies with 32
# commands in flight on each of two targets: it did happen, by the card's counters; no write fails and each
# block reads back right; the driver hands every command back exactly once; no error comes out of the SCSI
# layer; and the log has no line for each command.
. /tests/lib/guest.sh
. /tests/lib/tally.sh
. /tests/lib/strike.sh
fault_line "$1"
# What an earlier kind has broken must not be this one's fault: the link comes up anew.
wait_for 3 eval 'device_of one && device_of two' || { card_link down=100 && wait_for 20 device_of two; }
one=$(disk one) || fail "$one"
two=$(disk two) || fail "$two"

# troubles FIO-OUTPUT: what it says of errors, and no more.
troubles()
{
	grep -aiE 'error|verify|fio:' "$1" | head -n 8
}

# passes: writes and reads back, over and over, until /tmp/enough is there.  Each pass has to end well.
passes()
{
	local n

	for ((n = 0; ; n++)); do
		fio --thread --direct=1 --ioengine=libaio --rw=randwrite --bsrange=512-16k --iodepth=32 --size=24M \
			--io_size=2M --verify=crc32c --verify_fatal=1 --do_verify=1 --randseed=$RANDOM \
			--name=one --filename="$one" --name=two --filename="$two" > /tmp/fio.out 2>&1 || return 1
		[ ! -e /tmp/enough ] || return 0
	done
}

under_load()
{
	busy "$one" 16 && busy "$two" 16
}

ports_may_be_away 60
rm -f /tmp/enough
# No I/O of a case that fails goes on in the next.
trap 'touch /tmp/enough; kill $(jobs -p) 2> /dev/null' EXIT
before=$(wanted_counts "$wanted")
tally_start
passes &
pid=$!
until under_load || gone $pid; do
	sleep 0.05
done
strike "$steps"
for ((i = 0; i < 60; i++)); do
	! grown "$before" > /dev/null || break
	! gone $pid || break
	sleep 1
done
touch /tmp/enough
wait $pid || fail "I/O failed: $(troubles /tmp/fio.out)"
grown "$before" || fail "it did not happen"
card_fault ''
disks_timeout 30
tally_check "$1"
log=$(kernel_said)
errors=$(grep -E 'I/O error|critical (target|medium|space)|Buffer I/O' <<< "$log") &&
	fail "errors above the SCSI layer: $errors"
grep -F "$DRIVER 0000:" <<< "$log"
count=$(grep -cF "$DRIVER 0000:" <<< "$log")
total=$(wc -l <<< "$log")
note "$total lines in the log, $count of the driver"
[ "$DRIVER" = qla_isp ] || exit 0
at_most "lines of the driver" "$count" "${lines#*-}"
# The SCSI layer has a few for each LUN; 64 commands were in flight.
at_most "lines in the log" "$total" $((${lines#*-} + 16))
[[ $lines != *-* ]] || at_most "lines that the driver owes" "${lines%-*}" "$count"
