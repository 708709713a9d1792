# shellcheck shell=bash
# While one in five allocations of the kernel's threads fails, verified writes go on, the loop is initialized again
# and again, commands time out and are aborted; when the shortage is over, every disk is there and works.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/fio.sh
. /tests/lib/failslab.sh
host=$(the_host) || fail "$host"
dir=$(device_of slow) || fail "$dir"
dev=$(disk slow) || fail "$dev"
before=$(find /sys/class/scsi_device/ -mindepth 1 | wc -l)
echo 5 > "$dir/timeout"
fail_in_kernel_threads 20
(fio_verify data 16 4M) > /tmp/verify.out 2>&1 &
verify=$!
for _ in 1 2 3; do
	echo 1 > "/sys/class/fc_host/host$host/issue_lip" || fail "a LIP was refused"
	sleep 1
	card_fault swallow=1
	dd if="$dev" of=/dev/null bs=4k count=1 iflag=direct 2> /dev/null
	card_fault ''
done
wait $verify
status=$?
fail_in_kernel_threads 0
[ $status -eq 0 ] || fail "verified writes failed: $(cat /tmp/verify.out)"
wait_for 60 quiesced || fail "requests are left in flight"
echo 1 > "/sys/class/fc_host/host$host/issue_lip"
echo '- - -' > "/sys/class/scsi_host/host$host/scan"
wait_for 60 disk data || fail "a disk is lost"
works data
works slow
expect "SCSI devices" "$(find /sys/class/scsi_device/ -mindepth 1 | wc -l)" "$before"
