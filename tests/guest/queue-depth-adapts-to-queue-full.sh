# shellcheck shell=bash
# A LUN that takes 8 commands at a time is given up to 16: the queue depth comes down until there is no QUEUE FULL
# any more, no other LUN's does, no command is lost, and once the LUN is not overloaded any more the depth comes back.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
narrow=$(device_of narrow) || fail "$narrow"
wide=$(device_of wide) || fail "$wide"
dev=$(disk narrow) || fail "$dev"
other=$(disk wide) || fail "$other"

# fulls: how many commands of the narrow LUN came back unserved so far.
fulls()
{
	echo $(($(cat "$narrow/ioerr_cnt")))
}

# depth_is LEAST MOST
depth_is()
{
	local depth

	read -r depth < "$narrow/queue_depth"
	[ "$depth" -ge "$1" ] && [ "$depth" -le "$2" ]
}

echo 16 > "$narrow/queue_depth" || fail "the queue depth cannot be set"
was=$(cat "$wide/queue_depth")
fio --thread --direct=1 --ioengine=libaio --rw=randread --bs=16k --time_based --runtime=9 --minimal \
	--name=narrow --filename="$dev" --iodepth=64 --name=wide --filename="$other" --iodepth=4 \
	> /tmp/fio.out 2>&1 &
pid=$!
sleep 1
begin=$(fulls)
[ "$begin" -gt 0 ] || fail "the LUN was never full"
sleep 6.5
depth_is 8 8 || fail "queue depth $(cat "$narrow/queue_depth") for a LUN that takes 8 commands"
adapted=$(fulls)
sleep 1
later=$(fulls)
wait $pid || fail "fio: $(cat /tmp/fio.out)"
note "$begin QUEUE FULL in the first second, $((later - adapted)) in a second at queue depth 8"
expect "QUEUE FULL with the depth adapted" "$((later - adapted))" 0
expect "queue depth of the other LUN" "$(cat "$wide/queue_depth")" "$was"

# One more for each such time without QUEUE FULL; the midlayer's own value is 2 minutes.
echo 50 > "$narrow/queue_ramp_up_period" || fail "the time of recovery cannot be set"
fio_quiet --filename="$dev" --rw=randread --bs=16k --iodepth=4 --time_based --runtime=2
depth_is 16 16 || fail "queue depth $(cat "$narrow/queue_depth") two seconds after the load went"
