# shellcheck shell=bash
# Device and target reset while verified writes are in flight on two LUNs: each succeeds, the driver hands every
# command back exactly once, no write fails, and every block reads back right.
. /tests/lib/guest.sh
. /tests/lib/tally.sh
. /tests/lib/resets.sh
for level in device target; do
	reset_under_load $level
done
