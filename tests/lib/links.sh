# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Guest cases about what the cards connect as: card N (in the order of PCI addresses) is cabled to the N-th of
# $TOPOLOGIES.  Forks as little as it can: under emulation a fork is dear.

# load_and_look [PARAMETER...]: load the driver and wait until it has told of every link; what it said is in $said.
load_and_look()
{
	local tries

	mark
	load "$@" || fail "$*: the module does not load"
	for ((tries = 60; tries > 0; tries--)); do
		said=$(said_since_mark | grep -F "$DRIVER 0000:")
		[ "$(grep -c " on PCI.* port " <<< "$said")" != "$(wc -w <<< "$TOPOLOGIES")" ] || return 0
		sleep 1
	done
	fail "$*: not every card has told of its link"
}

# came_up: sets $up to the topologies that have a link, as fc_host shows them.
came_up()
{
	local host state type
	local -a names hosts

	up=
	read -ra names <<< "$TOPOLOGIES"
	hosts=(/sys/bus/pci/drivers/"$DRIVER"/0000:*/host*/fc_host/host*)
	expect "hosts" ${#hosts[@]} ${#names[@]}
	# The ISP2100 takes a loop for a private one.
	[ "$CHIP" != isp2100 ] || names[1]=loop
	for host in "${!hosts[@]}"; do
		read -r state < "${hosts[host]}/port_state"
		[ "$state" = Online ] || continue
		read -r type < "${hosts[host]}/port_type"
		case ${names[host]}:$type in
		loop:LPort* | public-loop:NLPort* | p2p:Point-To-Point* | fabric:NPort*) up+="${up:+ }${names[host]}" ;;
		*) fail "the card at ${names[host]} shows port type '$type'" ;;
		esac
	done
}

# refused_by NAME=VALUE CARDS: so many cards said that they cannot do that, and nothing else was refused.
refused_by()
{
	local lines

	lines=$(grep ' is not for the ISP' <<< "$said")
	echo "$lines"
	expect "refusals of $1" "$(grep -cF "parameter $1 " <<< "$lines")" "$2"
	expect "refusals" "$(grep -c . <<< "$lines")" "$2"
}
