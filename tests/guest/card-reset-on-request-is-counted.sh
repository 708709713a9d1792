# shellcheck shell=bash
# Writing to host_reset resets the card; it is counted, statistics go on, the disks are the same.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
[ "$DRIVER" != qla2xxx ] || skip "qla2xxx offers no host_reset (Documentation/sysfs.md)"
n=$(host_of hba0) || fail "$n"
host=/sys/class/scsi_host/host$n
dev=$(disk data) || fail "$dev"
before=$(cat "$host/total_isp_aborts")
lips=$(statistic "$n" lip_count) || fail "$lips"
must dd of="$host/host_reset" <<< adapter
is "$host/adapter_state" up
is "$host/total_isp_aborts" $((before + 1))
becomes "$host/link_state" 'Link Up - Loop' 30
after=$(statistic "$n" lip_count) || fail "$after"
[ "$after" -gt "$lips" ] || fail "lip_count was $lips, is $after"
must_fail dd of="$host/host_reset" <<< everything
expect "disk" "$(disk data)" "$dev"
must dd if="$dev" of=/dev/null bs=64k count=1 iflag=direct
