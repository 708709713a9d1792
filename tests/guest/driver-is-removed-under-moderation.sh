# shellcheck shell=bash
# The driver is unbound from its card, and unloaded, while interrupts are moderated: every command comes back, nothing is
# left, and it works when loaded again.  What cases before it taught the governor is forgotten first: to begin with again
# may take it 256 good looks.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
. /tests/lib/firmware.sh
. /tests/lib/moderation.sh
pci=$(pci_of "$MOD_HOST") || fail "$pci"
for round in unbind unload; do
	dev=$(disk array) || fail "$dev"
	moderate "$(cat "$MOD_ATTRIBUTES/moderation_us")"
	begun=$(moderation begun)
	fio_endless "$dev" --rw=randread --bs=4k --iodepth=64
	wait_for 30 has_begun "$begun" || fail "it has not begun"
	echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/unbind" || fail "unbind failed"
	fio_returns 30 || fail "fio still waits for its commands"
	if [ $round = unbind ]; then
		echo "$pci" > "/sys/bus/pci/drivers/$DRIVER/bind" || fail "bind failed"
	else
		must rmmod "$DRIVER"
		# shellcheck disable=SC2086 # several parameters
		load $MODERATION || fail "the module does not load"
	fi
	isp-settle || fail "the disks did not come back after $round"
	. /tests/lib/moderation.sh
	is_there=$(disk array) || fail "$is_there"
	must dd if="$is_there" of=/dev/null bs=4k count=20 iflag=direct
done
