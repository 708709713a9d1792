# shellcheck shell=bash
# A name server that rejects, talks nonsense, cuts its answers short, lists thousands of ports that are not there or
# leaves out those that are: each costs one line in the log, commands to the ports that are there go on, also after
# the link was down; afterwards new ports are found.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
. /tests/lib/fio.sh
data=$(disk data) || fail "$data"
count=$(rports)
fio_endless "$data" --rw=randwrite --bs=4k --iodepth=16 --size=16M --verify=crc32c --verify_fatal=1
for fault in ns-reject=all ns-garbage=all ns-truncate=all@20 ns-ghosts=all@3000; do
	asked=$(ns_requests 0171)
	said=$(lines 'qla_isp.*(name server|ports in this zone)')
	card_fault "$fault"
	card_link 'rscn=0x010000@3'
	wait_for 20 asked_again "$asked" || fail "$fault: the name server was not asked"
	card_link down=300
	sleep 3
	wait_for 20 all_online "$count" || fail "$fault: ports are lost"
	wait_for 20 busy "$data" || fail "$fault: commands do not go on"
	[ "$(fault_fired "${fault%%=*}")" -gt 0 ] || fail "$fault never happened"
	said=$(($(lines 'qla_isp.*(name server|ports in this zone)') - said))
	echo "$fault: $said lines"
	[ $said -ge 1 ] && [ $said -le 3 ] || fail "$fault: $said lines in the log"
	card_fault ''
	asked=$(ns_requests 0171)
	card_link 'rscn=0x010000@3'
	wait_for 20 asked_again "$asked" || fail "after $fault: the name server was not asked"
	sleep 1
done
card_link gone=3
wait_for 10 eval '! all_online $count' || fail "a port that left is still there"
card_link back=3
wait_for 20 all_online "$count" || fail "a port that returned is not found"
gone "$pid" && fail "fio ended: $(cat /tmp/fio.out)"
fio_returns 30 || fail "commands do not come back"
