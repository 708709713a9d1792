# shellcheck shell=bash
# A card with a disk in use is not given away now, only for the next boot; qla_isp.cards=none on the kernel command
# line brings that back.
. /tests/lib/guest.sh
. /tests/lib/two-drivers.sh
fresh
dev=$(disk one) || fail "$dev"
must mkfs.ext4 -q "$dev"
mkdir -p /mnt/root
must modprobe ext4
must mount "$dev" /mnt/root
must_fail isp-ctl give $one qla_isp
grep -q 'in use: sd[ab] on /mnt/root' <<< "$said" || fail "it does not say why: $said"
must_fail isp-ctl give all qla_isp
are qla2xxx qla2xxx
[ ! -e $choice ] || fail "there is a choice for boot nevertheless: $(cat $choice)"
must isp-ctl --boot-only give $one qla_isp
are qla2xxx qla2xxx
must umount /mnt/root
shut_down
boot
are qla_isp qla2xxx
shut_down
echo "$(cat /proc/cmdline) qla_isp.cards=none" > /tmp/cmdline
must mount --bind /tmp/cmdline /proc/cmdline
boot
must umount /proc/cmdline
are qla2xxx qla2xxx
