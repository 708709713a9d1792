# shellcheck shell=bash
# A card connects as its NVRAM says: point-to-point only gives no link on a loop and one to a switch; a rate of 1
# Gbit/s is kept to.  What is not for the chip is told of in one line.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh

# state N: the port state of the N-th card, and its speed when it has a link.
state()
{
	local cards=(/sys/bus/pci/drivers/"$DRIVER"/0000:*/host*/fc_host/host*) state speed

	read -r state < "${cards[$1]}/port_state"
	read -r speed < "${cards[$1]}/speed"
	[ "$state" != Online ] || state+=" $speed"
	echo "$state"
}

case $CHIP in
isp2200) fast='1 Gbit' ;;
*) fast='2 Gbit' ;;
esac
mark
load || fail "the module does not load"
for serial in first iocbs exchanges; do
	wait_for 60 device_of $serial || fail "the disk $serial is missing"
done
wait_for 30 eval '[[ $(state 1) = Online* ]]' || fail "point-to-point as NVRAM says: $(state 1)"
expect "point-to-point, told to be that" "$(state 1)" "Online $fast"
[[ $(state 0) != Online* ]] || fail "a loop came up on a card whose NVRAM says point-to-point only"
expect "point-to-point first, on a loop" "$(state 2)" "Online $fast"
expect "told to run at 1 Gbit/s" "$(state 3)" "Online 1 Gbit"
expect "told nothing" "$(state 4)" "Online $fast"
[ "$DRIVER" = qla_isp ] || exit 0
lines=$(said_since_mark | grep ' is not for the ISP' | sed 's/.*0000:[^ ]*: //')
case $CHIP in
isp2200) wanted='NVRAM setting connection=p2p-first is not for the ISP2200: using loop-first' ;;
*) wanted='' ;;
esac
expect "refusals of NVRAM settings" "$lines" "$wanted"
