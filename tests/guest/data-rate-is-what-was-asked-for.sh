# shellcheck shell=bash
# The module parameter data_rate decides how fast the link is; fc_host and the line about the link show it.
# 2 Gbit/s is refused by chips that have only 1, in one line for each card.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/links.sh

# choose RATE CARDS SPEED: so many cards refuse it, and all links run at that speed.
choose()
{
	local host speed

	load_and_look "data_rate=$1"
	came_up
	for host in /sys/class/fc_host/*; do
		read -r speed < "$host/port_state"
		[ "$speed" = Online ] || continue
		read -r speed < "$host/speed"
		expect "speed of ${host##*/} with data_rate=$1" "$speed" "$3 Gbit"
	done
	expect "links up at $3 Gbit/s" "$(grep -c " up at $3 Gbit/s" <<< "$said")" "$(wc -w <<< "$up")"
	refused_by "data_rate=$1" "$2"
	unload
}

case $CHIP in
isp2100 | isp2200)
	choose 2 4 1
	choose auto 0 1
	;;
*)
	choose 1 0 1
	choose auto 0 2
	;;
esac
