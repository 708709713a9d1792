# shellcheck shell=bash
# A target that reports LUNs above the limit (max_lun, or what the firmware's field takes): those below are
# attached and work, the others are not, and one line names the card, the LUN and the parameter.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
rmmod "$DRIVER" 2> /dev/null
mark
load max_lun=1 || fail "the module does not load"
wait_for 30 device_of data || fail "the LUN below the limit is missing"
must isp-settle 1
works data
card=$(pci_of "$(the_host)") || fail "$card"
expect "SCSI devices" "$(find /sys/class/scsi_device -mindepth 1 | wc -l)" 1
lines=$(said_since_mark | grep -F "$card" | grep -iE 'lun.*max_lun|max_lun.*lun')
echo "$lines"
expect "lines of $card about LUNs above the limit" "$(grep -c . <<< "$lines")" 1
unload
