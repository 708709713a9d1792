# shellcheck shell=bash
# dm-multipath over two adapters that see the same LUN.  One cable is pulled for good under load, later plugged in
# again, then the other one: each time writes that are flushed go on within fast_io_fail_tmo + 2 s, the path is used
# again after it has returned, fio's verified blocks are right, and every record that was acknowledged is there in the
# order it was written.
. /tests/lib/guest.sh
TMO=3

# No daemon: what multipathd's checker does is done here.
# paths STATE: device numbers of the paths in that state, A active, F failed.
paths()
{
	dmsetup status mp | grep -oE "[0-9]+:[0-9]+ $1 " | cut -d' ' -f1
}

# check_paths: puts failed paths that answer again back into use, until killed.
check_paths()
{
	local number dev

	while sleep 0.5; do
		for number in $(paths F); do
			dev=/dev/$(basename "$(readlink -f "/sys/dev/block/$number")")
			! timeout 5 sg_turs "$dev" > /dev/null 2>&1 || dmsetup message mp 0 "reinstate_path $number"
		done
	done
}

# write_records: numbered blocks, each flushed before the next; /tmp/acked has a line "NUMBER SECONDS" for each.
write_records()
{
	local n

	for ((n = 0; n < 4096; n++)); do
		printf '%-511d\n' $n | dd of="$mp" bs=512 seek=$n oflag=direct,dsync conv=notrunc 2> /dev/null || return 1
		echo "$n $(seconds)" >> /tmp/acked
	done
}

# used DISK: ends of reads and writes on that path so far.
used()
{
	awk '{ print $1 + $5 }' "/sys/block/${1##*/}/stat"
}

# cable NAME OUT IN: that cable is out for 5 s, while the other path works; then both work again.
cable()
{
	local begin before

	begin=$(seconds)
	trigger "$2"
	sleep 5
	expect "$1: paths that have failed" "$(paths F | wc -l)" 1
	trigger "$3"
	wait_for 10 both_active || fail "$1: the path did not return: $(dmsetup status mp)"
	before=("$(used "$one")" "$(used "$two")")
	sleep 1
	if [ "$(used "$one")" -le "${before[0]}" ] || [ "$(used "$two")" -le "${before[1]}" ]; then
		fail "$1: the path that returned is not used"
	fi
	awk -v since="$begin" '
		$2 < since { last = $2 }
		$2 >= since { if ($2 - (last ? last : since) > most) most = $2 - last; last = $2 }
		END { printf "%.2f\n", most }' /tmp/acked > /tmp/pause
	note "$1: no record for $(cat /tmp/pause) s"
	at_most "$1: seconds without a flushed write" "$(cat /tmp/pause)" $((TMO + 2))
}

both_active()
{
	[ "$(paths A | wc -l)" -eq 2 ]
}

modprobe -a dm_multipath dm_round_robin || skip "the kernel has no dm-multipath"
command -v dmsetup > /dev/null || skip "dmsetup is not in the guest (package dmsetup)"
mapfile -t disks < <(for dir in /sys/class/scsi_device/*/device; do
	serial_of "$dir"
	[ "$serial" != shared ] || ls "$dir/block"
done)
expect "paths to the LUN" "${#disks[@]}" 2
one=/dev/${disks[0]} two=/dev/${disks[1]}
for rport in /sys/class/fc_remote_ports/rport-*; do
	echo 60 > "$rport/dev_loss_tmo"
	echo $TMO > "$rport/fast_io_fail_tmo"
done
must dmsetup create --noudevsync mp --table "0 $(cat "/sys/block/${disks[0]}/size") multipath 0 0 1 1 round-robin 0 2 1 $one 1 $two 1"
mp=/dev/dm-$(dmsetup info -c --noheadings -o minor mp | tr -d ' ')
check_paths &
checker=$!
: > /tmp/acked
write_records &
records=$!
fio --thread --direct=1 --ioengine=libaio --rw=randwrite --bsrange=512-16k --iodepth=16 --offset=4m --size=8m \
	--io_size=2m --loops=1000 --verify=crc32c --verify_fatal=1 --do_verify=1 --fsync=16 --name=mp \
	--filename="$mp" > /tmp/fio.out 2>&1 &
pid=$!
wait_for 10 [ -s /tmp/acked ] || fail "nothing is written: $(ls -l /dev/dm* /dev/mapper) $(cat /tmp/fio.out)"
cable "first cable" "$OUT0" "$IN0"
cable "second cable" "$OUT1" "$IN1"
kill $records $checker
! gone $pid || fail "fio failed: $(grep -iE 'error|verify' /tmp/fio.out | head -n 5)"
kill -INT $pid
ends_within 30 $pid || fail "fio hangs"
grep -q 'err= 0' /tmp/fio.out || fail "fio: $(grep -iE 'error|verify|err=' /tmp/fio.out | head -n 5)"
acked=$(wc -l < /tmp/acked)
[ "$acked" -gt 50 ] || fail "only $acked records were written"
dd if="$mp" bs=512 count="$acked" iflag=direct 2> /dev/null | awk -v n="$acked" '
	$1 != NR - 1 { print "record " NR - 1 " holds " $1; bad = 1; exit }
	END { exit bad || NR < n }' || fail "an acknowledged record is not there"
echo "$acked records, all there"
must dmsetup remove --retry mp
