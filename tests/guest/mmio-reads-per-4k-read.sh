# shellcheck shell=bash
# A synchronous 4 KiB read costs at most 1 uncached register read on the 23xx and 2 on the 2100 and 2200, counted by
# the card over 2000 reads.  qla2xxx's figure is shown beside, not judged.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dev=$(disk data) || fail "$dev"
wait_for 10 quiesced

before=$(figures) || fail "$before"
fio_quiet --filename="$dev" --rw=randread --bs=4k --iodepth=1 --size=16M --io_size=8000k --ioengine=psync
after=$(figures) || fail "$after"
read -r commands reads writes interrupts < <(paste <(echo "$before") <(echo "$after") | awk '{
	n = $5 - $1
	printf "%d %.3f %.3f %.3f\n", n, ($6 - $2) / n, ($7 - $3) / n, ($8 - $4) / n }')
[ "$commands" -ge 2000 ] || fail "the card counted $commands commands for 2000 reads"
[ "$DRIVER" != qla_isp ] || case $CHIP in
isp2100 | isp2200) at_most "MMIO reads per 4 KiB read" "$reads" 2 ;;
*) at_most "MMIO reads per 4 KiB read" "$reads" 1 ;;
esac
note "$reads MMIO reads, $writes MMIO writes, $interrupts interrupts per 4 KiB read"
