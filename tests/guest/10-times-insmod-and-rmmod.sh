# shellcheck shell=bash
# insmod, all disks, rmmod, 10 times over, for the kernel with checks: what is left behind, those find at the end.
. /tests/lib/guest.sh
rmmod "$DRIVER" 2> /dev/null
for round in $(seq 1 10); do
	said=$(isp-load 2>&1) || fail "round $round: $said"
	said=$(isp-unload 2>&1) || fail "round $round: $said"
done
