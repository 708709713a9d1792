# shellcheck shell=bash
# The same for bus reset: the loop is initialized and all ports are logged in to anew under the commands.
. /tests/lib/guest.sh
. /tests/lib/tally.sh
. /tests/lib/resets.sh
# qla2x00_mark_all_devices_lost() leaves each session to a work item that ends with qla2x00_clear_loop_id();
# when that comes after qla2x00_configure_local_loop() has found the ports again, nothing looks for them any more.
[ "$DRIVER" != qla2xxx ] ||
	skip "qla2xxx of Linux 6.1 can lose ports of a private loop over a bus reset, when its work items run late"
reset_under_load bus
