# shellcheck shell=bash
# The driver meets a card that is broken in each way that the model knows: at most 30 s later it has said in
# one line which card, what is wrong and what to do, has registered nothing for it, and serves the other.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
bad=0000:00:04.0

# break_card card-fault|fault KIND: from now on the card is broken in that way, until it is mended.
break_card()
{
	must isp-qmp qom-set path=/machine/peripheral/hba0 "property=$1" "value=$2"
}

rmmod "$DRIVER" 2> /dev/null
for broken in 'card-fault dead' 'card-fault reset-stuck' 'card-fault no-interrupt' 'card-fault selftest' \
	'card-fault checksum' 'fault mbox-silent=all' 'fault mbox-garbage=all' 'fault mbox-silent=1@0x60'; do
	fault=${broken#* }
	# shellcheck disable=SC2086 # property and value
	break_card $broken
	mark
	read -r begin _ < /proc/uptime
	load || fail "$fault: the module does not load"
	read -r end _ < /proc/uptime
	took=$(awk "BEGIN { printf \"%.1f\", $end - $begin }")
	lines=$(lines_of $bad)
	echo "$fault, $took s: $lines"
	at_most "seconds until the driver gave up on a card with fault $fault" "$took" 30
	expect "lines about a card with fault $fault" "$(grep -c . <<< "$lines")" 1
	grep -qE 'seating|replace|check |install' <<< "$lines" ||
		fail "$fault: the line does not say what to do"
	[ ! -e /sys/bus/pci/devices/$bad/driver ] || fail "$fault: the driver keeps the card"
	expect "hosts" "$(hosts | wc -l)" 1
	wait_for 30 device_of data || fail "$fault: the disk of the good card is missing"
	works
	break_card card-fault none
	break_card fault ""
	rmmod "$DRIVER" || fail "$fault: the module cannot be removed"
done
