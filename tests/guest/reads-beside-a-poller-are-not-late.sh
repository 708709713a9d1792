# shellcheck shell=bash
# For 30 s one program polls for its reads of 5 ms while another, on the same processor, waits for the interrupts of its
# own, of 5.3 ms, two at a time: none of either waits longer than for the scheduler (two ticks, 8 ms), and none for the
# end of a quiet time (100 ms).
. /tests/lib/guest.sh
. /tests/lib/poll.sh
polled=$(disk polled) || fail "$polled"
other=$(disk other) || fail "$other"
sleepy_poller "$polled" 4990
isp-io --file "$polled" --direct --engine poll --rw randread --ops 6000 > /tmp/polled &
pid=$!
isp-io --file "$other" --direct --engine aio --qd 2 --rw randread --ops 11000 > /tmp/other || fail "isp-io: status $?"
wait $pid || fail "isp-io: status $?"
sound "polled reads" /tmp/polled 6000
sound "other reads" /tmp/other 11000
echo "longest: polled $(longest /tmp/polled) us, other $(longest /tmp/other) us"
at_most "the longest of 6000 polled reads, us" "$(longest /tmp/polled)" 13100
at_most "the longest of 11000 other reads, us" "$(longest /tmp/other)" 13400
note "polled $(longest /tmp/polled) us at most, others $(longest /tmp/other) us"
