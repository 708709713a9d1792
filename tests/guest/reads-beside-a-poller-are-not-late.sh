# shellcheck shell=bash
# For a minute one program polls for its reads of 5 ms while another waits for the interrupts of its own, of 5.3 ms,
# four at a time: none of either waits for the end of a quiet time, or for the other program.
. /tests/lib/guest.sh
. /tests/lib/poll.sh
polled=$(disk polled) || fail "$polled"
other=$(disk other) || fail "$other"
sleepy_poller "$polled" 4970
isp-io --file "$polled" --direct --engine poll --rw randread --ops 12000 > /tmp/polled &
pid=$!
isp-io --file "$other" --direct --engine aio --qd 4 --rw randread --ops 44000 > /tmp/other || fail "isp-io: status $?"
wait $pid || fail "isp-io: status $?"
sound "polled reads" /tmp/polled 12000
sound "other reads" /tmp/other 44000
echo "longest: polled $(longest /tmp/polled) us, other $(longest /tmp/other) us"
at_most "the longest of 12000 polled reads, us" "$(longest /tmp/polled)" 5400
at_most "the longest of 44000 other reads, us" "$(longest /tmp/other)" 5700
note "polled $(longest /tmp/polled) us at most, others $(longest /tmp/other) us"
