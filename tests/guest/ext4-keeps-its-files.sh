# shellcheck shell=bash
# A filesystem made, filled, unmounted, checked and mounted again holds the files that were written.
. /tests/lib/guest.sh
dev=$(disk data) || fail "$dev"
mnt=/tmp/mnt
mkdir -p $mnt
must mkfs.ext4 -q -F "$dev" 48M
must mount -t ext4 "$dev" $mnt
mkdir $mnt/d
for i in $(seq 1 12); do
	head -c $((i * 26399)) /dev/urandom > "$mnt/d/file$i" || fail "writing failed"
done
head -c 8M /dev/urandom > $mnt/large || fail "writing failed"
sums=$(cd $mnt && sha256sum large d/*) || fail "reading failed"
must umount $mnt
must e2fsck -f -n "$dev"
echo 3 > /proc/sys/vm/drop_caches
must blockdev --flushbufs "$dev"
must mount -t ext4 -o ro "$dev" $mnt
again=$(cd $mnt && sha256sum large d/*) || fail "reading failed"
must umount $mnt
[ "$sums" = "$again" ] || fail "the files are not what was written"
