# shellcheck shell=bash
# Polled reads of 5 ms, one at a time, for 30 s: each is there within 5.2 ms, and the card interrupts no more often
# than quiet times end, ten times a second.
. /tests/lib/guest.sh
. /tests/lib/poll.sh
dev=$(disk polled) || fail "$dev"
sleepy_poller "$dev" 4990
wait_for 10 quiesced
before=$(figures) || fail "$before"
isp-io --file "$dev" --direct --engine poll --rw randread --ops 6000 > /tmp/report || fail "isp-io: status $?"
after=$(figures) || fail "$after"
sound "polled reads" /tmp/report 6000
read -r reads interrupts < <(paste <(echo "$before") <(echo "$after") | awk '{ print $6 - $2, $8 - $4 }')
echo "longest $(longest /tmp/report) us, $interrupts interrupts, $reads MMIO reads"
at_most "the longest of 6000 polled reads, us" "$(longest /tmp/report)" 5200
at_most "interrupts in 30 s" "$interrupts" 310
at_most "MMIO reads in 30 s" "$reads" 1500
note "the longest took $(longest /tmp/report) us, $interrupts interrupts"
