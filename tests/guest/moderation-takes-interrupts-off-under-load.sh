# shellcheck shell=bash
# 64 reads of 400 us outstanding, one submitter that never rests: with moderation the card interrupts less than half as
# often, and the 99th percentile of the latency is no longer than without.
. /tests/lib/guest.sh
. /tests/lib/moderation.sh
dev=$(disk array) || fail "$dev"
moderate 0
reads "$dev" 64 6000
interrupts_off=$interrupts p99_off=$p99
expect "times that it began, being off" "$(moderation begun)" 0
[ "$interrupts_off" -ge 5000 ] || fail "$interrupts_off interrupts for 6000 reads: no load that moderation could ease"
moderate 50
reads "$dev" 64 6000
begun=$(moderation begun)
[ "$begun" -gt 0 ] || fail "it has not begun"
at_most "interrupts with moderation" "$interrupts" $((interrupts_off / 2))
at_most "99th percentile with moderation, ns" "$p99" "$p99_off"
wait_for 10 quiesced
! moderated || fail "interrupts are masked though nobody reads"
note "$interrupts interrupts instead of $interrupts_off for 6000 reads, p99 $p99 ns instead of $p99_off"
