# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# fio as the guest cases use it.

# fio_quiet JOB-OPTION...: run it; show its output and fail when it finds an error.
fio_quiet()
{
	must fio --name=job --direct=1 --ioengine=libaio --output-format=terse --terse-version=3 "$@"
}

# fio_column N JOB-OPTION...: column N of its terse output, version 3.
fio_column()
{
	local said

	said=$(fio --name=job --direct=1 --ioengine=libaio --output-format=terse --terse-version=3 "${@:2}" 2>&1) ||
		fail "fio: $said"
	cut -d ';' -f "$1" <<< "$said"
}

# fio_endless DISK OPTION...: I/O in the background until it is killed; its process id is in $pid.  One process:
# killed, it ends when the last of its commands has come back, and not before (fio that meets a disk which
# is gone may spin for ever instead of ending).
fio_endless()
{
	fio --name=job --thread --direct=1 --ioengine=libaio --filename="$1" --time_based --runtime=100000 \
		"${@:2}" > /tmp/fio.out 2>&1 &
	pid=$!
	wait_for 30 busy "$1" || fail "no I/O goes on: $(cat /tmp/fio.out)"
}

# fio_returns SECONDS: kill it; all of its commands come back within that time.
fio_returns()
{
	kill -KILL "$pid" 2> /dev/null
	ends_within "$1" "$pid"
}

# fio_verify SERIAL DEPTH BYTES: two jobs, one on each CPU, each on its own half of the LUN, write random
# sizes at random places and verify each block's crc32c.
fio_verify()
{
	local dev

	dev=$(disk "$1") || fail "$dev"
	fio_quiet --filename="$dev" --rw=randwrite --bsrange=512-1m --iodepth="$2" \
		--numjobs=2 --cpus_allowed=0-1 --cpus_allowed_policy=split --group_reporting \
		--offset_increment=50% --size=50% --io_size="$3" --verify=crc32c --verify_fatal=1 \
		--do_verify=1 --randseed=$((RANDOM * 32768 + RANDOM))
	expect "requests left in flight" "$(in_flight "$dev")" 0
}
