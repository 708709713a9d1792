# shellcheck shell=bash
# Data survives with the disk's write cache off, on, and switched in between; a synchronous write costs a way of the
# arm in both cases: by FUA or SYNCHRONIZE CACHE when it is on.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dev=$(disk data) || fail "$dev"
cache=$(echo "$(device_of data)"/scsi_disk/*/cache_type)

# twenty_writes OPTION...: ms of as many 4 KiB writes at random places, one at a time
twenty_writes()
{
	fio_column 50 --filename="$dev" --rw=randwrite --bs=4k --iodepth=1 --number_ios=20 --ioengine=sync "$@"
}

for type in "write through" "write back" "write through"; do
	echo "$type" > "$cache" || fail "the cache cannot be set to $type"
	expect "cache type" "$(cat "$cache")" "$type"
	expect "WCE in the caching mode page" "$(sg_modes -6 -d -r -p 8 "$dev" | od -An -tu1 -j6 -N1 | tr -d ' ')" \
		"$([ "$type" = "write back" ] && echo 4 || echo 0)"
	fio_quiet --filename="$dev" --rw=randwrite --bsrange=512-256k --iodepth=32 --size=2G --io_size=12M \
		--verify=crc32c --verify_fatal=1 --do_verify=1 --randseed=$RANDOM
	ms=$(twenty_writes --sync=dsync) || fail "$ms"
	note "20 O_DSYNC writes, $type: $ms ms"
	[ "$ms" -ge 80 ] || fail "20 O_DSYNC writes, $type, take $ms ms"
done
echo "write back" > "$cache"
ms=$(twenty_writes) || fail "$ms"
note "20 cached writes: $ms ms"
[ "$ms" -lt 60 ] || fail "20 cached writes take $ms ms"
