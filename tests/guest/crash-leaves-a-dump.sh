# shellcheck shell=bash
# Firmware that crashes leaves a dump: which card, which firmware, when and why, registers and mailboxes of that moment,
# and of a 23xx the RISC's memory, which holds word by word what was loaded. A reset on request leaves none, nor does the
# next crash so soon after.
. /tests/lib/guest.sh
[ -e /sys/class/devcoredump ] || fail "this kernel has no device dumps"
n=$(the_host) || fail "$n"
dev=$(disk data) || fail "$dev"
host=/sys/class/scsi_host/host$n
read -r resets < "$host/total_isp_aborts"

# reset_again: the card has been reset once more than before, and runs.
reset_again()
{
	local now state

	read -r now < "$host/total_isp_aborts"
	read -r state < "$host/adapter_state"
	[ "$now" -gt "$resets" ] && [ "$state" = up ]
}

# crash: the firmware crashes, the card is reset, reads go on.
crash()
{
	read -r resets < "$host/total_isp_aborts"
	card_fault system-error=1
	wait_for 60 reset_again || fail "the card does not come up again"
	must dd if="$dev" of=/dev/null bs=4k count=1 iflag=direct
}

# dumps: how many there are.
dumps()
{
	find /sys/class/devcoredump/ -name 'devcd*' | wc -l
}

# line KEY: its value in the dump's text.
line()
{
	sed -n "s/^  $1  *//p" /tmp/shown
}

echo adapter > "$host/host_reset"
wait_for 60 reset_again || fail "the card does not come up again"
expect "dumps after a reset on request" "$(dumps)" 0
before=$(date +%s)
crash
wait_for 30 test -e /sys/class/devcoredump/devcd*/data || fail "there is no dump"
cat /sys/class/devcoredump/devcd*/data > /tmp/dump
isp-fw dump /tmp/dump "/lib/firmware/$(firmware_file)" > /tmp/shown 2>&1 || fail "isp-fw: $(cat /tmp/shown)"
cat /tmp/shown
read -r name < "$host/isp_name"
read -r version < "$host/fw_version"
expect chip "$(line chip)" "$name"
expect firmware "$(line firmware)" "$version"
[[ $(line why) == "firmware system error at "* ]] || fail "why: $(line why)"
[[ $(line mailboxes) == "8002 "* ]] || fail "mailboxes: $(line mailboxes)"
[[ $(line registers) == *" hccr "??[2367abef]?* ]] || note "the RISC does not show that it pauses: $(line registers)"
at_most "seconds from the crash to the dump's time" $(($(date -d "$(line time)" +%s) - before)) 60
if [ "$CHIP" = isp2200 ]; then
	[[ $(line memory) == "0 words"* ]] || fail "memory: $(line memory)"
else
	expect "version in memory" "$(line version)" "$version"
	segments=$(grep -c '^  segment' /tmp/shown)
	[ "$segments" -ge 1 ] || fail "nothing was compared"
	expect "segments that are in memory as they were loaded" \
		"$(grep -cE '^  segment [0-9] +0 of [1-9][0-9]* words differ from the image$' /tmp/shown)" "$segments"
fi
head -c -1 /tmp/dump > /tmp/cut
must_fail isp-fw dump /tmp/cut
[[ $said == *truncated* || $said == *"not a dump"* ]] || fail "a dump that is cut: $said"
crash
expect "dumps after a second crash" "$(dumps)" 1
echo 0 > "$(echo /sys/class/devcoredump/devcd*/data)"
wait_for 10 test ! -e /sys/class/devcoredump/devcd* || fail "the dump does not go"
