# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Allocations that fail on purpose (Documentation/fault-injection of Linux).  Wants guest.sh.

FAULTS=/sys/kernel/debug

[ -d $FAULTS/failslab ] || skip "the kernel does not let allocations fail (make check-debug)"

# Say nothing of each, and let also those fail that may wait.
for kind in failslab fail_page_alloc; do
	echo 0 > $FAULTS/$kind/verbose
	echo N > $FAULTS/$kind/ignore-gfp-wait
done
echo 0 > $FAULTS/fail_page_alloc/min-order

# write_failing N TEXT FILE: write it while the N-th allocation of the writer fails; sets status to 0 if the write
# succeeded, and left to what is left of N, 0 if the allocation was come to.
# shellcheck disable=SC2034 # for the caller
write_failing()
{
	status=1
	exec 5> "$3" 6<> /proc/self/fail-nth
	echo "$1" >&6
	echo "$2" >&5 && status=0
	read -r left <&6
	echo 0 >&6
	exec 5>&- 6>&-
} 2> /dev/null

# fail_in_kernel_threads PERCENT: from now on so many of the allocations of the kernel's own threads fail, those of
# programs and of interrupts do not; 0 ends it.
fail_in_kernel_threads()
{
	local dir

	for dir in /proc/[0-9]*; do
		# Only a kernel thread has no program.
		[ -e "$dir/exe" ] || echo 1 > "$dir/make-it-fail"
	done 2> /dev/null
	for kind in failslab fail_page_alloc; do
		echo Y > $FAULTS/$kind/task-filter
		echo -1 > $FAULTS/$kind/times
		echo 1 > $FAULTS/$kind/interval
		echo "$1" > $FAULTS/$kind/probability
	done
}
