# shellcheck shell=bash
# Of the allocations that a probe makes, one after the other fails (up to PROBES of them, evenly spread): the driver
# either retreats, registering and leaving nothing (and can then be bound), or works all the same.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/failslab.sh
# whole_fc_hosts: those with all their attributes.  When one of these cannot be made, Linux 6.1 forgets the class device
# and leaves it behind, whatever the driver does (transport_add_class_device()).
whole_fc_hosts()
{
	local dir

	for dir in /sys/class/fc_host/*; do
		[ "$(find "$dir/" -maxdepth 1 | wc -l)" -lt "$whole" ] || echo "${dir##*/}"
	done
}

driver=/sys/bus/pci/drivers/$DRIVER
card=$(pci_of "$(the_host)") || fail "$card"
whole=$(find /sys/class/fc_host/host*/ -maxdepth 1 | wc -l)
expect "whole fc_hosts" "$(whole_fc_hosts | wc -l)" 1
echo "$card" > "$driver/unbind" || fail "unbind failed"
# The kernel's ACPI does not recover from a failed allocation; with the card enabled, no probe gets there.
echo 1 > "/sys/bus/pci/devices/$card/enable"
write_failing 1000000 "$card" "$driver/bind"
[ $status -eq 0 ] || fail "bind failed"
all=$((1000000 - left))
echo "$card" > "$driver/unbind" || fail "unbind failed"
refused=0 done=0
for ((n = 1; n <= all; n += all / PROBES + 1)); do
	write_failing "$n" "$card" "$driver/bind"
	[ "$left" != 0 ] || done=$((done + 1))
	if [ $status -eq 0 ]; then
		[ -n "$(hosts)" ] || fail "allocation $n failed: bound, without a SCSI host"
		echo "$card" > "$driver/unbind" || fail "allocation $n failed: unbind failed"
	else
		refused=$((refused + 1))
	fi
	[ -z "$(hosts)" ] || fail "allocation $n failed: a SCSI host is left"
	[ -z "$(whole_fc_hosts)" ] || fail "allocation $n failed: an fc_host is left"
	[ -z "$(ls /sys/class/fc_remote_ports)" ] || fail "allocation $n failed: a remote port is left"
done
[ $refused -gt 3 ] || fail "only $refused probes were refused: not the driver's allocations?"
echo "$card" > "$driver/bind" || fail "bind failed with no allocation failing"
wait_for 60 disk data || fail "a probe in which nothing fails brings no disk"
works
note "$done of the $all allocations of a probe failed, one at a time; $refused times the driver retreated"
