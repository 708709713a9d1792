# shellcheck shell=bash
# debugfs shows what is with the card, who is on the link and whether the card interrupts, in whatever state it is; the
# files go with the host, also while they are being read.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
. /tests/lib/sysfs.sh
root=/sys/kernel/debug/qla_isp
n=$(the_host) || fail "$n"
dev=$(disk data) || fail "$dev"
rport=$(rport_of data) || fail "$rport"
read -r wwpn < "$rport/port_name"
pci=$(pci_of "$n") || fail "$pci"
dir=$root/host$n
ports_may_be_away 60
expect "files" "$(ls "$dir" | paste -s -d ' ')" "interrupts ports ring"

# shows FILE REGEX: a line of it matches.
shows()
{
	matches -E "$2" < "$dir/$1" || {
		cat "$dir/$1"
		return 1
	}
}

# ring_is_true: commands and lines are as many, and the commands go to the disk's port.
ring_is_true()
{
	cat "$dir/ring" > /tmp/ring
	awk -v port="${wwpn#0x}" '
		/^handle / { if ($4 != port || $6 != 0) bad = 1; n++ }
		/^commands: / { said = $2 }
		END { exit !(n && n == said && !bad) }' /tmp/ring
}

# A command that ends while they are written may be on neither side: looked at again.
fio_endless "$dev" --rw=randread --bs=4k --iodepth=16
wait_for 30 ring_is_true || {
	cat /tmp/ring
	fail "the ring does not show what is with the card"
}
cat /tmp/ring
shows ring '^takes commands: yes' || fail "the ring is closed"
shows interrupts '^enabled: yes' || fail "interrupts are off"
fio_returns 60 || fail "fio still waits for its commands"
wait_for 30 quiesced || fail "requests are still in flight"
shows ring '^commands: 0 of [1-9][0-9]* are with the card' || fail "there is a command with the card"
sent=$(awk '/^request ring/ { print $5 }' "$dir/ring")
must dd if="$dev" of=/dev/null bs=4k count=3 iflag=direct
expect "entries for three reads" "$(($(awk '/^request ring/ { print $5 }' "$dir/ring") - sent))" 3

cat "$dir/ports"
expect "ports that are online" "$(grep -c ', target' "$dir/ports")" \
	"$(cat /sys/class/fc_remote_ports/*/roles | grep -c 'FCP Target')"
shows ports '^link: ready' || fail "the link is not ready"
shows ports "^port ${wwpn#0x} .* online, ready, target" || fail "the port is missing"
card_link down
becomes "$rport/port_state" Blocked 30
wait_for 30 shows ports "^port ${wwpn#0x} .* lost, held" || fail "the port is not lost"
shows ports '^link: down' || fail "the link is not down"
card_link up
becomes "$rport/port_state" Online 60
wait_for 60 shows ports "^port ${wwpn#0x} .* online, ready" || fail "the port is not back"

# Readers that never pause, while the card is reset and the driver taken away.
(while :; do cat $root/host*/* > /dev/null 2>&1; done) &
reader=$!
echo adapter > "/sys/class/scsi_host/host$n/host_reset"
for _ in 1 2 3; do
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/unbind"
	[ ! -e "$dir" ] || fail "$dir is still there"
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/bind"
	isp-settle || fail "the disks did not come back"
	n=$(the_host) || fail "$n"
	dir=$root/host$n
	[ -e "$dir/ring" ] || fail "$dir/ring is not there"
done
kill $reader
shows ring '^takes commands: yes' || fail "the ring is closed"
