# shellcheck shell=bash
# Verified writes, 64 outstanding, interrupts moderated: a cable that is pulled and put back, a loop that is initialized,
# and a reset of the card, each while interrupts are masked, lose no command and no data.
. /tests/lib/guest.sh
. /tests/lib/moderation.sh
. /tests/lib/tally.sh
dev=$(disk data) || fail "$dev"
ports_may_be_away 60
tally_start
fio --name=job --thread --direct=1 --ioengine=libaio --filename="$dev" --rw=randwrite --bs=4k --iodepth=64 --size=24M \
	--io_size=128M --verify=crc32c --verify_fatal=1 --do_verify=1 > /tmp/fio.out 2>&1 &
pid=$!
struck=0
for trouble in cable lip reset; do
	begun=$(moderation begun)
	until has_begun "$begun" || gone $pid; do
		sleep 0.01
	done
	! gone $pid || break
	case $trouble in
	cable) trigger 0x610 ;;
	lip) echo 1 > "/sys/class/fc_host/host$MOD_HOST/issue_lip" || fail "issue_lip was refused" ;;
	reset) echo adapter > "$MOD_ATTRIBUTES/host_reset" || fail "host_reset was refused" ;;
	esac
	struck=$((struck + 1))
	sleep 0.2
done
wait $pid || fail "fio: $(cat /tmp/fio.out)"
expect "troubles under moderation" $struck 3
tally_check "cable, loop and reset under moderation"
! kernel_said | grep 'I/O error' || fail "I/O errors reached the block layer"
note "moderation began $(moderation begun) times"
