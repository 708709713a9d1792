# shellcheck shell=bash
# A port that is an initiator is known and not scanned; one without FCP is not even logged in to; one that is
# both is scanned.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
must disk both
roles=$(sort /sys/class/fc_remote_ports/*/roles | uniq -c | awk '{ $1 = $1; print }')
echo "$roles"
expect "ports that are initiators alone" "$(grep -c '^1 FCP Initiator$' <<< "$roles")" 1
expect "ports that are both" "$(grep -c '^1 FCP Target, FCP Initiator$' <<< "$roles")" 1
for file in /sys/class/fc_remote_ports/*/port_id; do
	[ "$(< "$file")" != 0x010600 ] || fail "a port without FCP is known"
done
for file in /sys/class/fc_remote_ports/*/roles; do
	[ "$(< "$file")" = "FCP Initiator" ] || continue
	[ "$(< "${file%roles}scsi_target_id")" = -1 ] || fail "an initiator has a SCSI target id"
done
