# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the guest cases share.  A case is a bash script that proves what its name says; it ends with 0
# (pass), 1 (fail) or 77 (skip, the reason as its last line), and finds in its environment
#   DRIVER  qla_isp or qla2xxx        CHIP  isp2100, isp2200, isp2300, ...
# LUNs are found by the serial number that the virtual machine gave them, never by their place.

set -u -o pipefail
: "${DRIVER:?}" "${CHIP:?}"

# skip REASON
skip()
{
	echo "$*"
	exit 77
}

# matches GREP-ARGUMENT...: whether standard input does. It is read to its end: grep -q ends at the first match, and
# with pipefail the broken pipe of whoever still writes would count as a failure.
matches()
{
	grep "$@" > /dev/null
}

# fail MESSAGE
fail()
{
	echo "$*"
	exit 1
}

# must COMMAND...: run it, show what it said and fail unless it succeeds.
must()
{
	local said status

	said=$("$@" 2>&1)
	status=$?
	[ $status -eq 0 ] && return 0
	printf '%s\n' "$said"
	fail "exit status $status from: $*"
}

# must_fail COMMAND...: run it and fail if it succeeds; what it said is in $said.
must_fail()
{
	if said=$("$@" 2>&1); then
		printf '%s\n' "$said"
		fail "succeeded, and must not: $*"
	fi
}

# expect WHAT ACTUAL WANTED
expect()
{
	[ "$2" = "$3" ] || fail "$1: expected '$3', found '$2'"
}

# at_most WHAT ACTUAL LIMIT: decimal numbers.
at_most()
{
	awk -v a="$2" -v b="$3" 'BEGIN { exit !(a <= b) }' || fail "$1: $2 is more than $3"
}

# wait_for SECONDS COMMAND...: until the command succeeds, in a shell of its own; fails when it never does.
wait_for()
{
	local tries=$(($1 * 10))

	shift
	while ! ("$@") > /dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# serial_of SCSI-DEVICE-DIR: sets serial to the unit serial number (VPD page 80h), empty without one.  Forks
# nothing: under emulation a fork is dear.  The page is 00 80 00 LENGTH and the number.
serial_of()
{
	local part

	serial=
	[ -e "$1/vpd_pg80" ] || return 0
	while LC_ALL=C IFS= read -r -d '' part; do
		:
	done < "$1/vpd_pg80"
	serial=${part:1}
	serial=${serial%% *}
}

# device_of SERIAL: the sysfs directory of the SCSI device with that serial number.
device_of()
{
	local dir serial

	for dir in /sys/class/scsi_device/*/device; do
		serial_of "$dir"
		if [ "$serial" = "$1" ]; then
			readlink -f "$dir"
			return 0
		fi
	done
	fail "no SCSI device has serial number $1"
}

# disk SERIAL: its block device, /dev/sdX or /dev/srN.
disk()
{
	local dir name

	dir=$(device_of "$1") || fail "$dir"
	for name in "$dir"/block/*; do
		[ -e "$name" ] || fail "SCSI device $1 has no block device"
		echo "/dev/${name##*/}"
	done
}

# sg SERIAL: its SCSI generic device.
sg()
{
	local dir name

	dir=$(device_of "$1") || fail "$dir"
	for name in "$dir"/scsi_generic/*; do
		[ -e "$name" ] || fail "SCSI device $1 has no generic device"
		echo "/dev/${name##*/}"
	done
}

# hosts: the numbers of the driver's SCSI hosts.
hosts()
{
	local dir

	for dir in /sys/bus/pci/drivers/"$DRIVER"/0*/host*; do
		[ -e "$dir" ] && echo "${dir##*/host}"
	done
}

# pci_of HOST-NUMBER: the PCI address of a SCSI host.
pci_of()
{
	basename "$(dirname "$(readlink -f "/sys/class/scsi_host/host$1/device")")"
}

# the_host: the number of the one host there is.
the_host()
{
	local all

	all=$(hosts)
	[ "$(wc -w <<< "$all")" = 1 ] || fail "expected one SCSI host of $DRIVER, found: ${all:-none}"
	echo "$all"
}

# ports_may_be_away SECONDS: dev_loss_tmo of all remote ports.  Drivers take it from the NVRAM, where it may be a few
# seconds: less than a virtual machine on a busy host may need to look for its ports.
ports_may_be_away()
{
	local file

	for file in /sys/class/fc_remote_ports/rport-*/dev_loss_tmo; do
		echo "$1" > "$file" || fail "$file: $1 was refused"
	done
}

# in_flight DISK: how many requests the block layer has with the driver.
in_flight()
{
	local reads writes

	read -r reads writes < "/sys/block/${1##*/}/inflight"
	echo $((reads + writes))
}

# busy DISK [N]: it has more than N requests in flight, by default 0.
busy()
{
	local reads writes

	read -r reads writes < "/sys/block/${1##*/}/inflight" && [ $((reads + writes)) -gt "${2:-0}" ]
}

# quiesced: no disk has a request in flight.
quiesced()
{
	local dir

	for dir in /sys/block/sd*; do
		[ ! -e "$dir" ] || ! busy "$dir" || return 1
	done
}

# gone PID: the process has ended.
gone()
{
	! kill -0 "$1" 2> /dev/null
}

# ends_within SECONDS PID: that background process ends by then; its exit status is in $status.  Polls nothing:
# in virtual time waiting is free, looking is not.
ends_within()
{
	local timer

	sleep "$1" &
	timer=$!
	wait -n "$2" $timer
	status=$?
	gone "$2" || return 1
	kill $timer
	wait $timer 2> /dev/null
	return 0
}

# kernel_said: what the kernel logged since this case began.
kernel_said()
{
	dmesg | sed -n "/@@ ${CASE:?} begins/,\$p"
}

# What of the kernel's log no correct driver causes: regular expressions.
TROUBLE='WARNING:
BUG
Oops
general protection
Call Trace
blocked for more than
task .* hung
lockdep
INFO: (possible|trying to register|suspicious)
suspicious RCU usage
turning off the locking correctness validator
sleeping function called
scheduling while atomic
RCU.*stall
rcu_.*stall
soft lockup
hard LOCKUP
nobody cared
double free
KASAN
UBSAN
DMA-API:
DMAR:
swiotlb buffer is full
kmemleak: .*(suspected|disabled)
ODEBUG:
Unbalanced
refcount_t
list_(add|del) corruption
kernel panic
Object .* on cpu
Redzone
Poison overwritten
INFO: (Slab|Object|Allocated|Freed)'

# kernel_trouble: lines of the kernel's log, on standard input, that say so.
kernel_trouble()
{
	grep -E "$TROUBLE"
}

# leak_scan: has kmemleak look for memory that nothing points to; what it found is in $leaks.  It reports only what is
# older than 5 s and was found unreferenced with the same contents twice.
leak_scan()
{
	for _ in 1 2; do
		sleep 6
		echo scan > /sys/kernel/debug/kmemleak || fail "kmemleak has switched itself off"
	done
	# shellcheck disable=SC2034 # for the caller
	leaks=$(cat /sys/kernel/debug/kmemleak)
}

# image_version FILE: the version in the header of a firmware image, words 5 to 7, as qla2xxx and
# qla_isp print it.
image_version()
{
	od -An -tu1 -j10 -N6 "$1" | awk '{ printf "%d.%02d.%02d\n", $1 * 256 + $2, $3 * 256 + $4, $5 * 256 + $6 }'
}

# firmware_file: the image that this chip takes, under its distribution name.
firmware_file()
{
	case $CHIP in
	isp2100) echo ql2100_fw.bin ;;
	isp2200) echo ql2200_fw.bin ;;
	isp2300 | isp2312 | isp6312) echo ql2300_fw.bin ;;
	isp2322 | isp6322) echo ql2322_fw.bin ;;
	*) fail "no firmware file known for $CHIP" ;;
	esac
}

# note TEXT...: a figure that the runner shows beside the result, passed or not.
note()
{
	echo "note: $*"
}

# counters [HBA]: the card's counters, "NUMBER NAME" a line: 38 commands, 10 mmio.reads, 4 other.link.lip, 1
# mailbox_commands.60h INITIALIZE_FIRMWARE.  Not by jq, of which one start costs a second under emulation.
counters()
{
	local json

	json=$(isp-stats "${1:-hba0}") || fail "the card's counters cannot be read"
	awk '{
		while (match($0, /"([^"\\]|\\.)*"|[{}:]|[-0-9.]+/)) {
			token = substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
			if (token == "{") {
				path[depth + 1] = depth ? path[depth] name "." : ""
				depth++
			} else if (token == "}") {
				depth--
			} else if (token == ":") {
				name = text
			} else if (token ~ /^"/) {
				text = substr(token, 2, length(token) - 2)
			} else {
				print token, path[depth] name
			}
		}
	}' <<< "$json"
}

# sum_of NAME-PATTERN: of the counters on standard input whose names match the extended regular expression wholly.
sum_of()
{
	awk -v wanted="^($1)\$" '{
		n = $1
		sub(/^[^ ]* /, "")
		if ($0 ~ wanted)
			sum += n
	} END { print sum + 0 }'
}

# counter NAME-PATTERN [HBA]: one number out of them, the sum where several match, 0 where none does.
counter()
{
	local all

	all=$(counters "${2:-hba0}") || fail "$all"
	sum_of "$1" <<< "$all"
}

# mailbox_commands NUMBER-PATTERN: how many mailbox commands the card got whose number (two hexadecimal
# digits) matches the regular expression.
mailbox_commands()
{
	counter "mailbox_commands[.]($1)h .*"
}

# figures: commands, register reads, register writes and interrupts that the card counted so far.
figures()
{
	local now name

	now=$(counters) || fail "$now"
	for name in commands '(mmio|pio)[.]reads' '(mmio|pio)[.]writes' interrupts; do
		sum_of "$name" <<< "$now"
	done | paste -s
}

# card_set PROPERTY VALUE [HBA]: a property of the virtual card, at run time.
card_set()
{
	must isp-qmp qom-set "path=/machine/peripheral/${3:-hba0}" "property=$1" "value=$2"
}

# card_fault TEXT [HBA]: what the card shall do wrong from now on (property fault of the model); '' ends it.
card_fault()
{
	card_set fault "$@"
}

# card_link EVENTS [HBA]: what happens on its link, now (property link of the model): ports and cables come, go and move.
card_link()
{
	card_set link "$@"
}

# trigger PORT: what the scene has tied to that I/O port (vm.sh: at_trigger) happens now.  In virtual time this is
# exact, and talking to QEMU is not.
trigger()
{
	printf x | dd of=/dev/port bs=1 seek=$(($1)) conv=notrunc 2> /dev/null || fail "I/O port $1 cannot be written"
}

# rport_of SERIAL: sysfs directory of the remote port that a SCSI device is behind.
rport_of()
{
	local dir name

	dir=$(device_of "$1") || fail "$dir"
	name=$(grep -o 'rport-[^/]*' <<< "$dir") || fail "no remote port above $dir"
	echo "/sys/class/fc_remote_ports/$name"
}

# seconds: since the machine started, with two decimals.
seconds()
{
	local now

	read -r now _ < /proc/uptime
	echo "$now"
}

# passed SINCE: seconds from that on.
passed()
{
	awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.2f\n", b - a }'
}

# fault_fired NAME: how often the card did that.
fault_fired()
{
	counter "other[.]fault[.]$1"
}
