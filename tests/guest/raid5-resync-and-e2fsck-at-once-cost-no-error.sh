# shellcheck shell=bash
# The load that ran an older driver out of handles: md RAID-5 over all disks, a resync and e2fsck of its ext3
# filesystem at the same time.  No command times out or ends with an error, no line is logged for one, and files
# and parity are what they were.
. /tests/lib/guest.sh
. /tests/lib/load.sh
command -v mdadm > /dev/null || skip "mdadm is not installed (Debian package mdadm)"
export MDADM_NO_UDEV=1
md=/dev/md0
sysfs=/sys/block/md0/md

# syncs: the array is being resynced.
syncs()
{
	[ "$(cat $sysfs/sync_action)" = resync ]
}

disks=()
for ((n = 0; n < RAID_DISKS; n++)); do
	dev=$(disk raid$n) || fail "$dev"
	disks+=("$dev")
done
modprobe raid456
must mdadm --create $md --run --level=5 --raid-devices="$RAID_DISKS" --chunk=64 --metadata=1.2 --bitmap=none \
	--assume-clean "${disks[@]}"
must mkfs.ext3 -q -F $md
mkdir -p /tmp/mnt
must mount -t ext3 $md /tmp/mnt
for ((n = 0; n < 40; n++)); do
	mkdir /tmp/mnt/$n
	for ((m = 0; m < 20; m++)); do
		echo "$n $m" > /tmp/mnt/$n/$m
	done
done
must dd if=/dev/urandom of=/tmp/mnt/file bs=1M count=32
sum=$(sha256sum < /tmp/mnt/file)
must umount /tmp/mnt
must mdadm --stop $md

echo 1000000 > /proc/sys/dev/raid/speed_limit_min
echo 1000000 > /proc/sys/dev/raid/speed_limit_max
load_begin
must mdadm --assemble $md --run --update=resync "${disks[@]}"
within=0
while syncs; do
	must e2fsck -f -n $md
	! syncs || within=$((within + 1))
done
[ $within -gt 0 ] || fail "the resync ended before e2fsck did"
load_end 20
note "e2fsck ran $within times during the resync"

echo check > $sysfs/sync_action
wait_for 120 grep -qx idle $sysfs/sync_action || fail "the check of the parity does not end"
expect "sectors with wrong parity" "$(cat $sysfs/mismatch_cnt)" 0
must mount -t ext3 -o ro $md /tmp/mnt
expect "file" "$(sha256sum < /tmp/mnt/file)" "$sum"
must umount /tmp/mnt
must mdadm --stop $md
