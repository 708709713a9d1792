# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What the lines of tests/lib/faults mean, in the guest.  Wants guest.sh.

# fault_line NAME: sets steps, wanted and lines from its line of the table.
# shellcheck disable=SC2034 # used by the case
fault_line()
{
	local name where

	while IFS='|' read -r name where steps wanted lines; do
		[ "${name// /}" = "$1" ] || continue
		lines=${lines// /}
		return 0
	done < <(grep -v '^#' /tests/lib/faults)
	fail "no line of tests/lib/faults is named $1"
}

# disks_timeout S: of the commands of every disk.
disks_timeout()
{
	local file

	for file in /sys/block/sd*/device/timeout; do
		echo "$1" > "$file"
	done
}

# strike STEPS: do what they say.
strike()
{
	local step word argument

	while IFS= read -r step; do
		read -r word argument <<< "$step"
		case $word in
		link) card_link "$argument" ;;
		fault) card_fault "$argument" ;;
		wait) sleep "$argument" ;;
		timeout) disks_timeout "$argument" ;;
		lip) echo 1 > "/sys/class/fc_host/host$(the_host)/issue_lip" || fail "issue_lip was refused" ;;
		*) fail "no such step: $step" ;;
		esac
	done < <(tr / '\n' <<< "$1")
}

# wanted_counts WANTED: the counters that it names as they are now, "NAME N NOW" a line.
wanted_counts()
{
	local all name n

	all=$(counters) || fail "$all"
	while read -r name n; do
		[ -z "$name" ] || echo "$name $n $(sum_of "other[.]$name" <<< "$all")"
	done < <(tr , '\n' <<< "$1")
}

# grown BEFORE: each counter has grown by what was wanted.
grown()
{
	local all name n old now

	all=$(counters) || fail "$all"
	while read -r name n old; do
		now=$(sum_of "other[.]$name" <<< "$all")
		[ $((now - old)) -ge "$n" ] || {
			echo "counter $name grew by $((now - old)) instead of $n"
			return 1
		}
	done <<< "$1"
}
