# shellcheck shell=bash
# While verified I/O goes on on one disk, another is deleted and found again by a scan of its host, the bus of the card is
# rescanned, and the loop is initialized anew, ROUNDS times (2): the I/O sees nothing of it.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
n=$(the_host) || fail "$n"
data=$(disk data) || fail "$data"
ports_may_be_away 60
count=$(find /sys/class/scsi_device/ -mindepth 1 | wc -l)
for ((round = 1; round <= ${ROUNDS:-2}; round++)); do
	fio --name=job --direct=1 --ioengine=libaio --filename="$data" --rw=randwrite --bsrange=4k-64k --iodepth=16 \
		--io_size=24m --verify=crc32c --verify_fatal=1 --do_verify=1 --randseed=$round > /tmp/fio.out 2>&1 &
	pid=$!
	wait_for 30 busy "$data" || fail "round $round: no I/O goes on: $(cat /tmp/fio.out)"
	dir=$(device_of keep) || fail "round $round: $dir"
	echo 1 > "$dir/delete"
	[ ! -e "$dir" ] || fail "round $round: the disk is still there"
	echo 1 > /sys/bus/pci/rescan
	echo '- - -' > "/sys/class/scsi_host/host$n/scan"
	wait_for 30 disk keep || fail "round $round: the disk has not come back"
	echo 1 > "/sys/class/fc_host/host$n/issue_lip" || fail "round $round: issue_lip was refused"
	echo '- - -' > "/sys/class/scsi_host/host$n/scan"
	wait $pid || fail "round $round: $(grep -iE 'err|verify' /tmp/fio.out | head -n 3)"
	expect "SCSI devices after round $round" "$(find /sys/class/scsi_device/ -mindepth 1 | wc -l)" "$count"
done
note "$((round - 1)) rounds"
