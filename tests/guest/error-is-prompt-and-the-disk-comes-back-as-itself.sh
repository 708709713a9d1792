# shellcheck shell=bash
# A port that stays away.  Its I/O fails when fast_io_fail_tmo is over and not later, new I/O at once, that of
# another port goes on.  If it returns before dev_loss_tmo, its disk works again; if after, the disk has been
# removed and comes back with the same SCSI address, the same name and what it held.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dir=$(device_of two) || fail "$dir"
dev=$(disk two) || fail "$dev"
other=$(disk one) || fail "$other"
rport=$(rport_of two) || fail "$rport"
echo 12 > "$rport/dev_loss_tmo" || fail "dev_loss_tmo was refused"
echo 4 > "$rport/fast_io_fail_tmo" || fail "fast_io_fail_tmo was refused"
must dd if=/dev/urandom of=/tmp/pattern bs=64k count=16
must dd if=/tmp/pattern of="$dev" bs=64k count=16 oflag=direct

# works_again WHEN
works_again()
{
	wait_for 20 dd if="$dev" of=/tmp/read bs=64k count=16 iflag=direct || fail "$1: the disk does not work"
	cmp -s /tmp/pattern /tmp/read || fail "$1: the disk does not hold what was written"
}

# goes_away WHEN: the port leaves while reads are in flight.
goes_away()
{
	local begin took status=0 beside

	fio_endless "$other" --rw=randread --bs=4k --iodepth=8
	beside=$pid
	fio_endless "$dev" --rw=randread --bs=4k --iodepth=32
	begin=$(seconds)
	trigger "$AWAY"
	ends_within 30 "$pid" || fail "$1: reads never failed"
	took=$(passed "$begin")
	echo "$1: reads failed after $took s"
	[ "$status" -ne 0 ] || fail "$1: no read failed"
	at_most "$1: fast_io_fail_tmo until the error" 3.5 "$took"
	at_most "$1: seconds until the error" "$took" 6
	begin=$(seconds)
	must_fail dd if="$dev" of=/dev/null bs=4k count=1 iflag=direct
	at_most "$1: seconds until a new read failed" "$(passed "$begin")" 0.5
	busy "$other" || fail "$1: I/O to the other port has stopped"
	pid=$beside
	fio_returns 10 || fail "$1: I/O to the other port hangs"
}

goes_away "back before dev_loss_tmo"
trigger "$BACK"
works_again "back before dev_loss_tmo"
[ -d "$dir" ] || fail "the disk was removed before dev_loss_tmo"

goes_away "back after dev_loss_tmo"
wait_for 20 [ ! -e "$dir" ] || fail "the disk is still there after dev_loss_tmo"
trigger "$BACK"
wait_for 20 device_of two || fail "the disk did not come back"
wait_for 5 disk two
again=$(device_of two)
expect "SCSI address of the disk that came back" "${again##*/}" "${dir##*/}"
expect "name of the disk that came back" "$(disk two)" "$dev"
works_again "back after dev_loss_tmo"
