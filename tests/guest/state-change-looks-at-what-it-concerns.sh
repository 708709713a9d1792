# shellcheck shell=bash
# After a state change of one port that one is asked, and nobody else; of a domain, each port of it. Nobody is logged
# in to anew, and no command of any port is disturbed.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
. /tests/lib/fio.sh
data=$(disk data) || fail "$data"
sleep 2	# the second of two ports of one name has been given up by then

# change EVENT LOW HIGH LOGINS: ports asked after that event: so many at least, and at most; logins at most.
change()
{
	local asked named logins before

	before=$(ns_requests 0171)
	asked=$(mailbox_commands 47)
	logins=$(mailbox_commands 6f)
	card_link "$1"
	wait_for 10 asked_again "$before" || fail "$1: the name server was not asked"
	sleep 1
	named=$(($(mailbox_commands 47) - asked))
	logins=$(($(mailbox_commands 6f) - logins))
	echo "$1: $named ports asked, $logins logins"
	[ $named -ge "$2" ] && [ $named -le "$3" ] || fail "$1: $named ports were asked"
	# The second port of a name that is there twice is tried when it may have changed.
	at_most "$1: logins" $logins "$4"
}

fio_endless "$data" --rw=randread --bs=4k --iodepth=16
change 'rscn=0x010200@0' 1 1 0
change 'rscn=0x010200@1' 1 1 0
change 'rscn=0x010000@2' 7 7 1
change 'rscn=0x7f0000@2' 0 0 0
fio_returns 30 || fail "commands do not come back"
[ "$(lines 'qla_isp.*: port [0-9a-f]{16} \(')" = 0 ] || fail "a port is said to have changed"
