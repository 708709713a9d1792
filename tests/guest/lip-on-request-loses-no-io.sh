# shellcheck shell=bash
# issue_lip initializes the loop under verified I/O: no command fails, no block is lost, the ports stay.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
. /tests/lib/sysfs.sh
[ "$DRIVER" != qla2xxx ] || skip "qla2xxx can lose a port when a loop is initialized under I/O (hardware/fabric.md)"
n=$(host_of hba0) || fail "$n"
dev=$(disk data) || fail "$dev"
host=/sys/class/fc_host/host$n
lips=$(mailbox_commands '62|72|6c')
before=$(statistic "$n" lip_count) || fail "$before"

fio --name=job --filename="$dev" --direct=1 --ioengine=libaio --rw=randwrite --bs=16k --iodepth=32 --size=48M \
	--verify=crc32c --do_verify=1 --verify_fatal=1 > /tmp/fio.out 2>&1 &
pid=$!
struck=0
while [ $struck -lt 3 ]; do
	# The LUN takes 20 ms for a command: with 32 of them under way this cannot be missed.
	until busy "$dev" 8 || gone $pid; do
		sleep 0.05
	done
	! gone $pid || break
	echo 1 > "$host/issue_lip" || fail "issue_lip is refused"
	struck=$((struck + 1))
	becomes "/sys/class/scsi_host/host$n/link_state" 'Link Up - Loop'
done
wait $pid || fail "fio: $(cat /tmp/fio.out)"
[ $struck -ge 1 ] || fail "the loop was never initialized under I/O"
[ "$(mailbox_commands '62|72|6c')" -ge $((lips + struck)) ] || fail "the card was not told"
after=$(statistic "$n" lip_count) || fail "$after"
[ "$after" -ge $((before + struck)) ] || fail "lip_count was $before, is $after after $struck LIPs"
! kernel_said | grep 'I/O error' || fail "I/O errors reached the block layer"
is "$host/port_state" Online
note "$struck LIPs under I/O"
