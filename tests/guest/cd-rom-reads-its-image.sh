# shellcheck shell=bash
# A CD-ROM on the loop is a CD-ROM in Linux: 2048-byte blocks, right contents, no medium change lost.
. /tests/lib/guest.sh
wait_for 10 test -b /dev/sr0 || fail "no CD-ROM appeared"
block=/dev/sr0
expect "block size" "$(blockdev --getss "$block")" 2048
sum=$(dd if="$block" bs=64k count=16 iflag=direct 2> /dev/null | sha256sum | cut -d' ' -f1)
expect "contents" "$sum" "$CDROM_SHA256"
must_fail dd if=/dev/zero of="$block" bs=2048 count=1
