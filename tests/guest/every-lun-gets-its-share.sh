# shellcheck shell=bash
# 256 asynchronous 16 KiB reads outstanding on each LUN at the same time, for LOAD_SECONDS: nothing times out, no
# command ends with an error (QUEUE FULL would be one), nothing is logged, and the slowest LUN gets at least 0.8 of
# the mean.
. /tests/lib/guest.sh
. /tests/lib/load.sh
disks=()
args=()
for dev in /sys/block/sd*; do
	disks+=("${dev##*/}")
	args+=("--name=${dev##*/}" "--filename=/dev/${dev##*/}")
done

# reads: how many each disk has answered so far, into the array of that name.  Forks nothing, to be quick.
reads()
{
	local disk
	# shellcheck disable=SC2034 # a name for the caller's
	local -n into=$1

	for disk in "${disks[@]}"; do
		read -r "into[$disk]" _ < "/sys/block/$disk/stat"
	done
}

# all_busy: each disk has something to do.
all_busy()
{
	local disk

	for disk in "${disks[@]}"; do
		busy "$disk" || return 1
	done
}

declare -A before after
# The last disk may still be about to say that it is there.
sleep 2
load_begin
# fio's jobs begin and end one after the other: what counts is what happens while all of them run.
fio --thread --nice=10 --direct=1 --ioengine=libaio --rw=randread --bs=16k --iodepth=256 \
	--time_based --runtime=$((LOAD_SECONDS + 1)) "${args[@]}" --minimal > /tmp/fio.out 2>&1 &
pid=$!
until all_busy; do
	! gone $pid || fail "fio ended: $(cat /tmp/fio.out)"
	sleep 0.05
done
reads before
sleep "$LOAD_SECONDS"
reads after
! gone $pid || fail "fio ended too early"
wait $pid || fail "fio: $(cat /tmp/fio.out)"
load_end 0
for disk in "${disks[@]}"; do
	echo "$disk $((after[$disk] - before[$disk]))"
done > /tmp/reads
cat /tmp/reads
awk '{
	n++
	sum += $2
	if (n == 1 || $2 < least) {
		least = $2
		who = $1
	}
}
END {
	printf "%d LUNs, %d reads each on average, the slowest (%s) %.2f of that\n", n, sum / n, who, n * least / sum
	exit !(n == luns && sum && least >= 0.8 * sum / n)
}' luns="$ISP_DISKS" /tmp/reads > /tmp/share || fail "$(cat /tmp/share)"
note "$(cat /tmp/share)"
