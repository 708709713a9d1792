# shellcheck shell=bash
# How many commands an adapter is given at a time comes from the firmware's resource counts: 95 in a hundred of the
# free exchanges or IOCBs, whichever are fewer; the line about the card says so.  A lower max_commands goes before it,
# and max_commands counts where the firmware does not say.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh

# reload [PARAMETER...]
reload()
{
	[ ! -e "/sys/module/$DRIVER" ] || unload
	mark
	load "$@" || fail "$*: the module does not load"
}

# can_queue SERIAL WANTED SAID: the adapter of that disk allows so many, and says so (yes) or does not (no).
can_queue()
{
	local host line

	wait_for 60 device_of "$1" || fail "the disk $1 is missing"
	host=$(basename "$(device_of "$1")")
	host=${host%%:*}
	expect "can_queue of the card with $1" "$(cat "/sys/class/scsi_host/host$host/can_queue")" "$2"
	line=$(said_since_mark | grep -F "$DRIVER $(pci_of "$host"): ISP" | grep -F ", port ")
	echo "$1: $line"
	case $3 in
	yes) grep -qF "for $2 commands at a time" <<< "$line" || fail "the line does not say $2" ;;
	no) ! grep -qF "commands at a time" <<< "$line" || fail "the line speaks of a limit that is not the firmware's" ;;
	esac
}

reload
can_queue iocbs 57 yes
can_queue exchanges 95 yes
card_fault mbox-error=1@0x42 hba3
reload max_commands=64
can_queue exchanges 64 no
can_queue iocbs 64 no
expect "resource counts that were refused" "$(counter other.fault.mbox-error hba3)" 1
