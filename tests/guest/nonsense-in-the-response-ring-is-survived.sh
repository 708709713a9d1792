# shellcheck shell=bash
# The card fills entries of the response ring with noise, with unknown types, with handles that nobody used,
# with error bits, unknown completion codes and residuals larger than the transfer: one line in the log names
# the card, nothing crashes, no data is taken as read that was not, and the card works on (after a reset
# where the driver wants one).
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
card=$(pci_of "$(the_host)") || fail "$card"
dev=$(disk data) || fail "$dev"
dir=$(device_of data) || fail "$dir"
must dd if=/dev/urandom of=/tmp/pattern bs=64k count=16
must dd if=/tmp/pattern of="$dev" bs=64k count=16 oflag=direct
old=$(cat "$dir/timeout")
echo 5 > "$dir/timeout"
for fault in garbage=3 unknown-entry=3@0x7f unknown-entry=1@0 bad-handle=1 bad-handle=2@0xffffffff \
	bad-handle=2@0 entry-status=2@0x7e completion=2@0x3f underrun=1@0xffffffff overrun=1@0xffffffff; do
	mark
	card_fault "$fault"
	timeout 120 dd if="$dev" of=/tmp/read bs=64k count=16 iflag=direct > /tmp/dd.out 2>&1
	status=$?
	echo "$fault: status $status; $(said_since_mark | grep -F "$card" | head -n 2 | tr '\n' ';')"
	[ $status -ne 124 ] || fail "$fault: the read hangs"
	[ $status -ne 0 ] || cmp -s /tmp/pattern /tmp/read || fail "$fault: wrong data was taken as read"
	card_fault ''
	[ "$DRIVER" != qla_isp ] || said_since_mark | matches -F "$card" || fail "$fault: not a word about it"
	wait_for 60 quiesced || fail "$fault: requests left in flight"
	wait_for 60 dd if="$dev" of=/tmp/read bs=64k count=16 iflag=direct || fail "$fault: the card is lost"
	cmp -s /tmp/pattern /tmp/read || fail "$fault: wrong data afterwards"
done
echo "$old" > "$dir/timeout"
