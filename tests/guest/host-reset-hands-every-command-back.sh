# shellcheck shell=bash
# The same for host reset: the chip is reset and its firmware loaded and started again under the commands.
. /tests/lib/guest.sh
. /tests/lib/tally.sh
. /tests/lib/resets.sh
# qla_mbx.c, rom_cmds[]: of the commands that may be sent during an ISP abort, 0028h and 0060h are missing,
# so that "Cmd 0x60 aborted with timeout since ISP Abort is pending" ends it on every chip before the 24xx.
[ "$DRIVER" != qla2xxx ] ||
	skip "qla2xxx of Linux 6.1 refuses its own Initialize Firmware (0060h) during a host reset of these chips"
reset_under_load host
