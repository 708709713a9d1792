# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A reset of some level in the middle of verified writes.  Wants guest.sh and tally.sh.

# reset_under_load LEVEL: up to three resets of that level (sg_reset: device, target, bus, host) while fio
# writes and verifies on two LUNs: each reset succeeds, the driver hands every command back exactly once,
# and fio sees neither an error nor wrong data.  The LUNs take their time, so that many commands are in flight
# whenever a reset comes.
reset_under_load()
{
	local level=$1 data other dev pid pass hit=0 said

	wait_for 30 disk slow2
	data=$(disk slow) || fail "$data"
	other=$(disk slow2) || fail "$other"
	dev=$(sg slow) || fail "$dev"
	ports_may_be_away 60
	tally_start
	# Writes that end before a slow guest has looked at them prove nothing: once more.
	for ((pass = 0; pass < 5 && hit == 0; pass++)); do
		fio --name=job --direct=1 --ioengine=libaio --filename="$data:$other" --file_service_type=random \
			--rw=randwrite --bsrange=4k-128k --iodepth=32 --size=32M --io_size=20M --verify=crc32c \
			--verify_fatal=1 --do_verify=1 --randseed=$RANDOM > /tmp/fio.out 2>&1 &
		pid=$!
		while [ $hit -lt 3 ]; do
			until busy "$data" 8 || gone $pid; do
				sleep 0.05
			done
			! gone $pid || break
			said=$(sg_reset --no-esc "--$level" "$dev" 2>&1) || fail "$level reset: $said"
			hit=$((hit + 1))
			sleep 0.2
		done
		wait $pid || fail "commands failed across a $level reset: $(cat /tmp/fio.out)"
	done
	[ $hit -gt 0 ] || fail "the writes ended before the first $level reset, $pass times"
	tally_check "$level reset, $hit times"
	must sg_turs -n 5 "$dev"
}
