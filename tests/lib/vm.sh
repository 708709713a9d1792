# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the VM tests share: booting one virtual machine that runs many guest cases, and turning what it
# printed into one result per case.

. "$TOP/tests/lib/host.sh"
: "${RESULTS:?run this through tests/run}"
CASES=${CASES:-*}

# result VERDICT CASE SECONDS LOG REASON
result()
{
	printf '%s\t%s\t%s\t%s\t%s\n' "$@" >> "$RESULTS"
}

# wanted CASE...: those that the CASES glob lets through.
wanted()
{
	local name

	for name in "$@"; do
		# shellcheck disable=SC2053 # a pattern is meant
		[[ $name == $CASES ]] && echo "$name"
	done
}

# need_vm DRIVER...: skip unless everything that a virtual machine needs is built.
need_vm()
{
	local release driver

	need jq jq
	[ -e "$BUILD/qemu-isp/qemu-isp.so" ] || skip "the virtual card is not built (make model)"
	release=$(test_kernel) || skip "$release"
	for driver in "$@"; do
		[ "$driver" != qla_isp ] || [ -e "$BUILD/modules/$release/qla_isp.ko" ] ||
			skip "qla_isp.ko is not built for $release (make vm-module)"
	done
}

# report_cases CONSOLE-OUTPUT CASE...: one result for each case, from the @@begin and @@end lines that
# guest-cases prints; a case that did not end, or was never begun, has failed.
report_cases()
{
	local output=$1 line name='' log='' seen=' ' verdict seconds reason

	shift
	while IFS= read -r line; do
		line=${line%$'\r'}
		case $line in
		@@begin\ *)
			name=${line#@@begin }
			log=$LOGS/$name.log
			seen+="$name "
			: > "$log"
			;;
		@@end\ "$name"\ *)
			read -r _ _ verdict seconds reason <<< "$line"
			result "$verdict" "$name" "$seconds" "$log" "$reason"
			name='' log=''
			;;
		*)
			[ -z "$log" ] || printf '%s\n' "$line" >> "$log"
			;;
		esac
	done < "$output"
	if [ "$seen" = ' ' ]; then
		tail -n 60 "$LOGS/errors"
		fail "the virtual machine ran none of its $# cases"
	fi
	if [ -n "$name" ]; then
		tail -n 40 "$LOGS/console" >> "$log" 2> /dev/null
		result fail "$name" 0 "$log" "the virtual machine ended in the middle of it"
	fi
	for name in "$@"; do
		[[ $seen == *" $name "* ]] || result fail "$name" 0 "$output" "the virtual machine never came to it"
	done
}

# at_trigger PORT HBA ITEMS: adds to the array triggers the arguments with which isp-vm lets ITEMS (of link, fault
# or card-fault) happen to that adapter the instant the guest writes to the I/O port (guest.sh: trigger).
triggers=()
at_trigger()
{
	triggers+=(--qemu-arg=-device "--qemu-arg=isp-trigger,id=at$1,iobase=$1"
		--qemu-arg=-device "--qemu-arg=isp-event,hba=$2,trigger=at$1,do=$3")
}

# give NAME=VALUE...: variables for the guest cases, beside DRIVER and CHIP.
given=()
give()
{
	given+=("$@")
}

# kinds_of_fault WHERE link|card: names of the lines of tests/lib/faults for loop or fabric: where something happens
# on the link, or to commands and the card only.  Of those for both every other one is for the loop and the rest for the
# fabric, since each takes its ten seconds, unless EVERY_FAULT is set or cases are asked for by name.
kinds_of_fault()
{
	local every=${EVERY_FAULT:-}

	[ "$CASES" = '*' ] || every=yes
	awk -F' *[|] *' -v where="$1" -v what="$2" -v every="$every" '
		/^#/ || !NF || (/ link / ? "link" : "card") != what { next }
		$2 == "both" && (every || ++n % 2 == (where == "loop")) || $2 == where { print $1 }
	' "$TOP/tests/lib/faults"
}

# What a command of a slow LUN takes: long enough for a guest to have many in flight, also with a kernel with checks.
SLOW_NS=100000000
[ -z "${TEST_KERNEL:-}" ] || SLOW_NS=500000000

# survive_faults link|card: a case for each of them, on a loop, or on a fabric if the chip is an ISP2200.
survive_faults()
{
	local topology=loop kinds

	[ "$CHIP" != isp2200 ] || topology=fabric
	mapfile -t kinds < <(kinds_of_fault $topology "$1")
	vm_cases "${kinds[@]/#/verified-io-survives:}" -- --hba "$CHIP,topology=$topology" --driver "${DRIVER:?}" \
		--disk "ram,target=0,lun=0,size=32M,serial=one,service-ns=$SLOW_NS" \
		--disk "ram,target=1,lun=0,size=32M,serial=two,service-ns=$SLOW_NS"
}

# kernel_arguments: sets args to what isp-vm needs for the kernel under TEST_KERNEL, one with checks: more memory,
# and an IOMMU unless the scene has set IOMMU=no.
kernel_arguments()
{
	args=()
	[ -n "${TEST_KERNEL:-}" ] || return 0
	args=(--kernel "$TEST_KERNEL" --mem 2G --settle 120)
	[ "${IOMMU:-yes}" = no ] || args+=(--iommu)
}

# boot_cases ISP-VM-ARGUMENT... -- CASE...: run these cases in one virtual machine.  A case SCRIPT:ARGUMENT is
# that script with this argument.
boot_cases()
{
	local name args limit=1000

	[ -z "${ROUNDS:-}" ] || give "ROUNDS=$ROUNDS" CASE_SECONDS=6000

	kernel_arguments
	[ -z "${TEST_KERNEL:-}" ] || limit=3500
	[ -z "${LOAD_SECONDS:-}${ROUNDS:-}" ] || limit=7000
	while [ "$1" != -- ]; do
		args+=("$1")
		shift
	done
	shift
	while IFS= read -r name; do
		args+=(--add "$TOP/tests/guest/$name.sh:/tests/guest/$name.sh")
	done < <(printf '%s\n' "${@%%:*}" | sort -u)
	args+=(--add "$TOP/tests/lib:/tests/lib")
	"$TOP/tools/isp-vm" "${args[@]}" --stats "$LOGS/stats.json" --console "$LOGS/console" --timeout $limit -- \
		env DRIVER="${DRIVER:?}" CHIP="${CHIP:?}" "${given[@]}" bash /tests/lib/guest-cases "$@"
}

# vm_cases CASE... -- ISP-VM-ARGUMENT...: boot once, run the wanted cases, report each, and report whether
# a card counted a protocol violation.
vm_cases()
{
	local cases=() status

	while [ "$1" != -- ]; do
		cases+=("$1")
		shift
	done
	shift
	mapfile -t cases < <(wanted "${cases[@]}")
	[ ${#cases[@]} -gt 0 ] || return 0
	[ -z "${TEST_KERNEL:-}" ] || [ "${LAST_CASE:-}" = none ] || cases+=(kernel-checks-found-nothing)
	boot_cases "$@" -- "${cases[@]}" > "$LOGS/output" 2> "$LOGS/errors"
	status=$?
	report_cases "$LOGS/output" "${cases[@]}"
	report_violations
	[ $status -eq 0 ] || {
		cat "$LOGS/errors"
		fail "isp-vm ended with status $status"
	}
}

# report_violations: one result: at the end of the run no card had counted a violation.
report_violations()
{
	local file count bad='' seen=0

	for file in "$LOGS"/stats*.json; do
		[ -s "$file" ] || continue
		seen=$((seen + 1))
		count=$(jq .violations "$file") || count=unreadable
		[ "$count" = 0 ] && continue
		bad+="${bad:+, }$count in ${file##*/}"
		jq -r '.violation_log[]' "$file" >> "$LOGS/violations"
	done
	if [ $seen -eq 0 ]; then
		result fail violations-are-0 0 "$LOGS/errors" "the card left no counters"
	elif [ -n "$bad" ]; then
		result fail violations-are-0 0 "$LOGS/violations" "protocol violations: $bad"
	else
		result pass violations-are-0 0 '' ''
	fi
}
