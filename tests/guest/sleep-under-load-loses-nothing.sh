# shellcheck shell=bash
# The machine goes to sleep (suspend to RAM) in the middle of verified I/O and wakes up, ROUNDS times (2): every time the
# card was at rest meanwhile, its firmware is loaded anew, and the I/O goes on without an error; what was written
# before is whole, and no device, port or interrupt is left over.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
matches -w mem /sys/power/state || skip "this kernel does not suspend to RAM"
data=$(disk data) || fail "$data"
keep=$(disk keep) || fail "$keep"
ports_may_be_away 60

# leftovers: how many SCSI objects and interrupts there are.
leftovers()
{
	find /sys/class/{scsi_host,scsi_device,fc_host,fc_remote_ports,fc_transport}/ /proc/irq -mindepth 1 -maxdepth 1 | wc -l
}

# sleeps: how often the machine has slept so far.
sleeps()
{
	local n

	read -r n < /sys/power/suspend_stats/success
	echo "$n"
}

# as_before: nothing is left over.
as_before()
{
	[ "$(leftovers)" = "$before" ]
}

must dd if=/dev/urandom of="$keep" bs=1M count=4 oflag=direct
sum=$(dd if="$keep" bs=1M count=4 iflag=direct 2> /dev/null | sha256sum)
before=$(leftovers)
for ((round = 1; round <= ${ROUNDS:-2}; round++)); do
	slept=$(sleeps)
	loaded=$(mailbox_commands 60)
	off=$(counter 'other[.]dma[.]bus-master-off')
	fio --name=job --direct=1 --ioengine=libaio --filename="$data" --rw=randwrite --bsrange=4k-64k --iodepth=16 \
		--io_size=24m --verify=crc32c --verify_fatal=1 --do_verify=1 --randseed=$round > /tmp/fio.out 2>&1 &
	pid=$!
	wait_for 30 busy "$data" || fail "round $round: no I/O goes on: $(cat /tmp/fio.out)"
	must isp-qmp after-event SUSPEND system_wakeup
	echo mem > /sys/power/state || fail "round $round: the machine does not go to sleep"
	expect "sleeps after round $round" "$(sleeps)" $((slept + 1))
	wait $pid || fail "round $round: $(grep -iE 'err|verify' /tmp/fio.out | head -n 3)"
	expect "initializations of the firmware in round $round" "$(($(mailbox_commands 60) - loaded))" 1
	# One or two may have been on their way when it was reset.
	at_most "DMA that the card tried while it slept" $(($(counter 'other[.]dma[.]bus-master-off') - off)) 2
	expect "commands in flight after round $round" "$(in_flight "$data")" 0
done
again=$(dd if="$keep" bs=1M count=4 iflag=direct 2> /dev/null | sha256sum)
expect "contents" "$again" "$sum"
wait_for 30 as_before || fail "$before SCSI objects and interrupts have become $(leftovers)"
note "$((round - 1)) rounds"
