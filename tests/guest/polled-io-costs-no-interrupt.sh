# shellcheck shell=bash
# io_uring with IOPOLL: the card's interrupts are masked, and the poller finds completions in memory, so that a read
# costs no interrupt and no register read (but for a few when a quiet time ends).  Beside other I/O, which needs interrupts, polled I/O keeps its data.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
[ "$DRIVER" = qla_isp ] || skip "$DRIVER has no polled queue for this card"
if [[ $(uname -r) == 5.10.* ]]; then
	dmesg | matches 'poll_queues is not used' || fail "not a word that poll_queues=1 is not used"
	skip "this kernel has no polled queues for SCSI (5.13 and later have)"
fi
dev=$(disk data) || fail "$dev"
wait_for 10 quiesced

# once: the card's 4000 polled reads at this depth may interrupt when a quiet time ends, which is every 100 ms.
once()
{
	local before after begin commands reads interrupts ends

	before=$(figures) || fail "$before"
	begin=$(cut -d' ' -f1 /proc/uptime)
	fio_quiet --filename="$dev" --rw=randread --bs=4k --iodepth="$1" --size=16M --io_size=16000k \
		--ioengine=io_uring --hipri
	after=$(figures) || fail "$after"
	ends=$(awk -v begin="$begin" '{ print int(($1 - begin) * 10) + 5 }' /proc/uptime)
	read -r commands reads interrupts < <(paste <(echo "$before") <(echo "$after") | awk '{
		print $5 - $1, $6 - $2, $8 - $4 }')
	echo "depth $1: $commands commands, $reads MMIO reads, $interrupts interrupts, at most $ends quiet times"
	# Some neighbours are merged.
	[ "$commands" -ge 3500 ] || fail "the card counted $commands commands for 4000 reads"
	at_most "interrupts at depth $1" "$interrupts" "$ends"
	at_most "MMIO reads at depth $1" "$reads" $((8 * ends))
	NOTE="$interrupts interrupts and $reads MMIO reads for $commands polled reads"
}

once 1
once 32

fio_endless "$dev" --offset=0 --size=25% --rw=randwrite --bs=4k --iodepth=4
fio_quiet --filename="$dev" --offset=50% --size=16M --rw=randwrite --bsrange=512-128k --iodepth=16 \
	--ioengine=io_uring --hipri --verify=crc32c --verify_fatal=1 --do_verify=1 --io_size=16M
fio_returns 10
wait_for 10 quiesced

# A poller that goes away: what it left with the card comes back without it.
slow=$(disk slow) || fail "$slow"
fio_endless "$slow" --rw=randread --bs=4k --iodepth=8 --ioengine=io_uring --hipri
fio_returns 10
wait_for 10 quiesced
expect "requests left in flight" "$(in_flight "$slow")" 0
note "$NOTE"
