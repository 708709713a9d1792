# shellcheck shell=bash
# One read at a time, beside a processor that is idle and beside one that is not: moderation never begins, each read has
# its interrupt and its register reads as without, and takes as long.
. /tests/lib/guest.sh
. /tests/lib/moderation.sh
dev=$(disk array) || fail "$dev"
moderate 0
reads "$dev" 1 1500
reads "$dev" 1 1500
interrupts_off=$interrupts register_reads_off=$register_reads mean_off=$mean
moderate 50
begun=$(moderation begun)
reads "$dev" 1 1500
expect "interrupts" "$interrupts" "$interrupts_off"
expect "register reads" "$register_reads" "$register_reads_off"
at_most "mean latency, ns" "$mean" "$(awk "BEGIN { print 1.001 * $mean_off }")"
note "mean $mean ns, $mean_off without moderation"
(while :; do :; done) &
spinner=$!
reads "$dev" 1 600
kill $spinner
[ "$interrupts" -ge 600 ] || fail "$interrupts interrupts for 600 reads beside a busy process"
expect "times that it began" "$(moderation begun)" "$begun"
