# shellcheck shell=bash
# The queue depth of a LUN can be changed while it works, and no more commands than that are in flight.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dir=$(device_of data) || fail "$dir"
dev=$(disk data) || fail "$dev"
before=$(cat "$dir/queue_depth")
[ "$before" -ge 16 ] || fail "queue depth $before: fewer than 16 commands a LUN"
for depth in 1 7 "$before"; do
	echo "$depth" > "$dir/queue_depth" || fail "queue depth $depth was refused"
	expect "queue depth" "$(cat "$dir/queue_depth")" "$depth"
	fio --name=job --direct=1 --ioengine=libaio --filename="$dev" --rw=randread --bs=4k \
		--iodepth=64 --io_size=6M --size=32M > /tmp/fio.out 2>&1 &
	pid=$!
	most=0
	while kill -0 $pid 2> /dev/null; do
		now=$(cat "$dir/device_busy" 2> /dev/null || echo 0)
		[ "$now" -le "$most" ] || most=$now
	done
	wait $pid || fail "fio at queue depth $depth: $(cat /tmp/fio.out)"
	echo "queue depth $depth: at most $most commands at a time"
	[ "$most" -le "$depth" ] || fail "$most commands in flight at queue depth $depth"
done
