# shellcheck shell=bash
# The module parameter connection decides what a card connects as, and fc_host shows what came up.  What the chip
# cannot do is refused in one line for each card, and the card does what it can.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/links.sh

# choose CONNECTION CARDS TOPOLOGY...: so many cards refuse it; these come up and no others.
choose()
{
	local choice=$1 cards=$2

	shift 2
	load_and_look "connection=$choice"
	came_up
	echo "connection=$choice: up: ${up:-nothing}"
	expect "links with connection=$choice" "$up" "$*"
	refused_by "connection=$choice" "$cards"
	unload
}

case $CHIP in
isp2100)
	# To it, a public loop is another private one; it says once what it misses there.
	choose p2p 4 loop loop
	expect "lines about the switch" "$(grep -c 'there is a switch on the loop' <<< "$said")" 1
	choose nvram 0 loop loop
	;;
isp2200)
	choose loop 0 loop public-loop
	choose p2p 0 p2p fabric
	choose p2p-first 4 loop public-loop p2p fabric
	choose nvram 0 loop public-loop p2p fabric
	;;
*)
	choose loop 0 loop public-loop
	choose p2p 0 p2p fabric
	choose p2p-first 0 loop public-loop p2p fabric
	choose nvram 0 loop public-loop p2p fabric
	;;
esac
