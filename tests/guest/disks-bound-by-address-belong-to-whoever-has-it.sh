# shellcheck shell=bash
# Targets bound by their address (tgtid_bind_type of the fc_host): the disks of a port that has gone away are those of
# the port that comes to its address, and serve what that one holds. Each back at its own, so are its disks.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
bind=/sys/class/fc_host/host$(the_host)/tgtid_bind_type

# holds DISK FILE: within 20 s; a read that waits for ever cannot be ended.
holds()
{
	dd if="$1" of=/tmp/read bs=4k count=1 iflag=direct 2> /tmp/said &
	ends_within 20 $! || fail "$1: a read has not ended"
	expect "status of a read from $1: $(cat /tmp/said)" "$status" 0
	cmp -s /tmp/read "$2" || fail "$1 does not hold $2"
}

a=$(disk data) || fail "$a"
b=$(disk data2) || fail "$b"
for dev in "$a" "$b"; do
	must dd if=/dev/urandom "of=/tmp/${dev##*/}" bs=4k count=1
	must dd "if=/tmp/${dev##*/}" of="$dev" bs=4k count=1 oflag=direct
done
ports_may_be_away 120
port_a=$(port_of data)
port_b=$(port_of data2)
was=$(rport_of data) || fail "$was"
echo port_id > "$bind" || fail "binding by address was refused"
card_link "gone=0"
card_link "gone=1"
wait_for 20 grep -qx Blocked "$was/port_state" || fail "the first port is not missed"
card_link "back=1@${port_a#* }"
wait_for 20 grep -qx Online "$was/port_state" || fail "nobody is found at the first port's address"
expect "port at the first one's address" "$(port_of data)" "${port_b% *} ${port_a#* }"
holds "$a" "/tmp/${b##*/}"

card_link "gone=1"
wait_for 20 grep -qx Blocked "$was/port_state" || fail "the second port is not missed"
card_link "back=0@${port_a#* }"
card_link "back=1@${port_b#* }"
holds "$a" "/tmp/${a##*/}"
holds "$b" "/tmp/${b##*/}"
expect "first port" "$(port_of data)" "$port_a"
expect "second port" "$(port_of data2)" "$port_b"
echo wwpn > "$bind" || fail "binding by name was refused"
