# shellcheck shell=bash
# The card fails, its cable is pulled in that moment, and the first try to reset it gets no answer: when it runs again,
# its firmware has nothing to say of a link. All the same the link is told to be down and its port is given up; plugged
# in again, it brings its disk back.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/sysfs.sh

# said PATTERN: the kernel did, since the mark.
said()
{
	said_since_mark | matches -e "$1"
}

rmmod "$DRIVER" 2> /dev/null
must isp-load
host=$(host_of hba0) || fail "$host"
rport=$(rport_of sick) || fail "$rport"
mark
trigger "$GOES"
wait_for 30 said 'card is running again' || fail "the card is not reset"
becomes "/sys/class/fc_host/host$host/port_state" Linkdown 30
becomes "$rport/port_state" Blocked
expect "lines about the link" "$(said_since_mark | grep -c 'link down')" 1
card_link up
becomes "/sys/class/fc_host/host$host/port_state" Online 30
wait_for 30 works sick
works sick
must isp-unload
