# shellcheck shell=bash
# An error of the backing store becomes sense data, sense data becomes EIO on that sector, and the
# sectors around it can be read.
. /tests/lib/guest.sh
block=$(disk flawed) || fail "$block"
# The machine's disk "flawed" fails reads of sector 1000 and no other.
for sector in 992 1008; do
	must dd if="$block" of=/dev/null bs=4096 skip=$((sector / 8)) count=1 iflag=direct
done
must_fail dd if="$block" of=/dev/null bs=4096 skip=$((1000 / 8)) count=1 iflag=direct
grep -qi 'input/output error' <<< "$said" || fail "not EIO: $said"
name=$(basename "$block")
kernel_said | matches -E "(critical medium|I/O|critical target) error, dev $name, sector 1000" ||
	fail "the kernel does not name sector 1000 of $name"
kernel_said | matches -E 'Sense Key : (Medium Error|Aborted Command|Hardware Error)' ||
	fail "no sense data reached the kernel"
must dd if="$block" of=/dev/null bs=4096 skip=$((1008 / 8)) count=1 iflag=direct
expect "requests left in flight" "$(in_flight "$block")" 0
