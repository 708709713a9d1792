# shellcheck shell=bash
# The last case of each scene on the kernel with checks: with the driver unloaded, the kernel's checks are still
# at work (some switch themselves off at their first report, or when they run out of memory) and nothing that was
# allocated since the boot is lost.
. /tests/lib/guest.sh
wait_for 60 quiesced || fail "requests are still in flight"
[ ! -e "/sys/module/$DRIVER" ] || must isp-unload
expect "lockdep at work" "$(awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats)" 1
if ! matches dma_debug=off /proc/cmdline; then
	expect "DMA API checks switched off" "$(cat /sys/kernel/debug/dma-api/disabled)" N
	expect "DMA API errors" "$(cat /sys/kernel/debug/dma-api/error_count)" 0
fi
leak_scan
[ -z "$leaks" ] || fail "memory that nothing points to: $leaks"
