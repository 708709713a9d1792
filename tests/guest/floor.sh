# shellcheck shell=bash
# isp_floor from inside: see tests/vm/isp-floor-attaches-and-completes-at-once.
. /tests/lib/guest.sh
echo "@@ $CASE begins" > /dev/kmsg

# load DISKS PARAMETER...
load()
{
	local disks=$1

	shift
	must modprobe -a scsi_mod sd_mod sg
	must insmod "$ISP_DRIVER_FILE" "$@"
	must isp-settle "$disks" 30
	dev=$(disk floor-0-0) || fail "$dev"
}

# io ARGUMENT...: isp-io succeeds, and no operation fails.
io()
{
	isp-io --direct "$@" > report || fail "isp-io $*"
	expect "errors of isp-io $*" "$(jq .errors report)" 0
}

# attribute HOST-ATTRIBUTE VALUE
attribute()
{
	expect "$1" "$(cat "/sys/class/scsi_host/host$(hosts_of_floor)/$1")" "$2"
}

hosts_of_floor()
{
	grep -lx isp_floor /sys/class/scsi_host/host*/proc_name | sed 's,.*/host\([0-9]*\)/.*,\1,'
}

must_fail insmod "$ISP_DRIVER_FILE" targets=257
kernel_said | matches -x '.*isp_floor: targets=257: it must be 1 to 256' || fail "targets=257 is not told of"

load 6 targets=2 luns=3 size_mb=100
attribute can_queue 1024
attribute cmd_per_lun 64
attribute sg_tablesize 256
for place in 0-0 0-1 0-2 1-0 1-1 1-2; do
	dir=$(device_of floor-$place) || fail "$dir"
	[[ $dir == *:0:${place%-*}:${place#*-} ]] || fail "LUN $place is at $dir"
	expect "sectors of LUN $place" "$(cat "$dir"/block/*/size)" 204800
	expect "queue depth of LUN $place" "$(cat "$dir/queue_depth")" 64
done
queue=/sys/block/${dev#/dev/}/queue
expect "longest transfer" "$(cat "$queue/max_hw_sectors_kb")" 4096
expect "segments" "$(cat "$queue/max_segments")" 256
expect "write cache" "$(cat "$queue/write_cache")" "write through"
expect "rotates" "$(cat "$queue/rotational")" 0
must cmp -n 32768 "$dev" /dev/zero

for command in sg_inq "sg_vpd -p 0" "sg_vpd -p 0x80" "sg_vpd -p 0x83" sg_luns sg_readcap "sg_readcap -l" sg_turs \
	"sg_modes -p 8" "sg_modes -6 -p 8" "sg_sync"; do
	# shellcheck disable=SC2086 # a command and its arguments
	must $command "$(sg floor-1-2)"
done
must_fail sg_vpd -p 0xb2 "$(sg floor-1-2)"
must_fail sg_ident "$(sg floor-1-2)"

io --file "$dev" --rw randread --ops 200
io --file "$dev" --rw write --bs 1m --ops 20
io --file "$dev" --rw randread --engine aio --qd 64 --ops 2000 --warmup 100
io --file "$dev" --rw randwrite --engine uring --qd 8 --ops 500
must_fail isp-io --file "$dev" --engine poll
expect "polling without a polled queue" "$said" "isp-io: $dev: poll: the device has no polled queue"

must rmmod isp_floor
load 1 can_queue=7 cmd_per_lun=3 sg_tablesize=16 max_sectors=64 poll_queues=1 direct=N
attribute can_queue 7
expect "queue depth" "$(cat "$(device_of floor-0-0)/queue_depth")" 3
queue=/sys/block/${dev#/dev/}/queue
expect "segments" "$(cat "$queue/max_segments")" 16
expect "longest transfer" "$(cat "$queue/max_hw_sectors_kb")" 32
io --file "$dev" --rw randread --engine aio --qd 32 --ops 1000 --warmup 100
io --file "$dev" --rw read --bs 1m --ops 5
io --file "$dev" --engine poll --qd 4 --ops 500
must rmmod isp_floor

# What is written is kept, by each logical unit for itself, from any sector to any other.
load 2 luns=2 size_mb=40 memory=Y
other=$(disk floor-0-1) || fail "$other"
must dd if=/dev/urandom of=/tmp/written bs=1M count=9 status=none
must dd if=/tmp/written of="$other" bs=1M seek=3 oflag=direct status=none
must dd if=/tmp/written of="$other" bs=512 seek=60001 count=4001 oflag=direct status=none
blockdev --flushbufs "$other"
must cmp -n 9437184 -i 3145728:0 "$other" /tmp/written
must cmp -n 2048512 -i 30720512:0 "$other" /tmp/written
must cmp -n 3145728 "$other" /dev/zero
must cmp -n 41943040 "$dev" /dev/zero
io --file "$other" --rw randwrite --engine aio --qd 64 --ops 2000
must rmmod isp_floor
trouble=$(kernel_said | kernel_trouble) && fail "the kernel complained: $trouble"
exit 0
