# shellcheck shell=bash
# A mailbox command that the running firmware never answers, or answers with noise, ends in a line that names
# the card; a firmware that dies (event 8002h) is started again, and every command of the time comes back.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/fio.sh
card=$(pci_of "$(the_host)") || fail "$card"
dev=$(disk data) || fail "$dev"
raw=$(sg data) || fail "$raw"
for fault in mbox-silent=1 mbox-garbage=1; do
	mark
	card_fault "$fault"
	timeout 150 sg_reset --no-esc --device "$raw" > /tmp/reset.out 2>&1
	[ $? -ne 124 ] || fail "$fault: the reset hangs"
	card_fault ''
	said_since_mark | matches -F "$card" || fail "$fault: not a word about it"
	wait_for 60 dd if="$dev" of=/dev/null bs=64k count=4 iflag=direct || fail "$fault: the card is lost"
done
mark
dev=$(disk slow) || fail "$dev"
fio --name=job --direct=1 --ioengine=libaio --filename="$dev" --rw=randwrite --bsrange=4k-64k --iodepth=32 \
	--size=32M --io_size=32M --verify=crc32c --verify_fatal=1 --do_verify=1 > /tmp/fio.out 2>&1 &
pid=$!
until busy "$dev" 8 || gone $pid; do
	sleep 0.05
done
! gone $pid || fail "the writes ended before the crash"
card_fault system-error=1
wait $pid || fail "commands failed across a firmware crash: $(cat /tmp/fio.out)"
said_since_mark | grep -F "$card" | matches -iE '8002|system error|firmware' || fail "the crash is not told of"
wait_for 30 quiesced || fail "requests left in flight"
