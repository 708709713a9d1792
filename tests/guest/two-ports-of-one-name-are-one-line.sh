# shellcheck shell=bash
# Two ports with the same port name: the first is used, the other is not, and the log says which and what to do. The
# disk stays as it is when the fabric is looked at again.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
must disk once
! (disk twice) > /dev/null || fail "both ports of one name are used"
asked=$(ns_requests 0171)
dmesg | matches "port name 2100001b32000001 is there twice (port ids 010800 and 010900)" || fail "no line tells of it"
card_link 'rscn=0x010000@3'
wait_for 10 asked_again "$asked" || fail "the name server was not asked"
sleep 2
must disk once
expect "port id" "$(port_of once)" "0x2100001b32000001 0x010800"
expect "further lines about it" "$(lines 'is there twice')" 0
