# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Times out of the virtual card's trace (Documentation/qemu-isp.md), in milliseconds of virtual time.  Reads and
# writes of data count as I/O, the commands of error handling and discovery do not.

# io_events TRACE: its loop-ups, state changes and ends of successful I/O: "NANOSECONDS up", "NANOSECONDS rscn",
# "NANOSECONDS done LOOP-ID".
io_events()
{
	awk '
		# The value of a field; handles lose their leading zeroes.
		function field(name,	at, text) {
			at = index($0, " " name "=")
			text = substr($0, at + length(name) + 2)
			sub(/ .*/, "", text)
			sub(/^0*/, "", text)
			return text
		}
		/ async 8011 / { print $1, "up" }
		/ async 8015 / { print $1, "rscn" }
		/ iocb< COMMAND/ { to[field("handle")] = /cdb=(28|2a|88|8a)/ ? "id" field("loop-id") : "" }
		/ iocb> STATUS / && to[field("handle")] && / scsi=0000 comp=0000 / { print $1, "done", to[field("handle")] }
		/ iocb> STATUS_TYPE_2/ && to[field("first")] { print $1, "done", to[field("first")] }' "$1"
}

# ms_from_link_up TRACE: from the last time that the link came up until I/O ended well; nothing if it never did.
ms_from_link_up()
{
	io_events "$1" | awk '
		$2 == "up" { up = $1; took = "" }
		$2 == "done" && up && took == "" { took = ($1 - up) / 1e6 }
		END { if (took != "") printf "%.1f\n", took }'
}

# ms_without_io TRACE: the longest time between two ends of I/O.
ms_without_io()
{
	io_events "$1" | awk '
		$2 == "done" { if (last && $1 - last > most) most = $1 - last; last = $1 }
		END { if (most) printf "%.1f\n", most / 1e6 }'
}

# ms_without_io_by_port TRACE: the same for each loop id from the first state change on, "MILLISECONDS LOOP-ID" a
# line, longest first.
ms_without_io_by_port()
{
	io_events "$1" | awk '
		$2 == "rscn" { changed = 1 }
		$2 == "done" {
			if (changed && last[$3] && $1 - last[$3] > most[$3])
				most[$3] = $1 - last[$3]
			last[$3] = $1
		}
		END { for (id in most) printf "%.1f %s\n", most[id] / 1e6, id }' | sort -rn
}

# less_or_equal A B: decimal numbers; an empty one is never.
less_or_equal()
{
	[ -n "$1" ] && [ -n "$2" ] && awk -v a="$1" -v b="$2" 'BEGIN { exit !(a <= b) }'
}
