# shellcheck shell=bash
# A target is taken away for good and another one plugged in where it was: from then on nobody logs the new one out
# for the old one's sake, whatever the fabric says; when the old one returns both are served, each its own disk.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
. /tests/lib/fio.sh
must dd if=/dev/urandom of=/tmp/old bs=64k count=1
must dd if=/dev/urandom of=/tmp/new bs=64k count=1
old=$(disk data) || fail "$old"
new=$(disk data2) || fail "$new"
must dd if=/tmp/old of="$old" bs=64k count=1 oflag=direct
must dd if=/tmp/new of="$new" bs=64k count=1 oflag=direct
place=$(port_of data | cut -d' ' -f2)
was=$(port_of data2 | cut -d' ' -f2)
online=$(rports Online)
card_link gone=0
wait_for 10 eval "[ \$(rports Online) = $((online - 1)) ]" || fail "the target that left is still there"
card_link "back=1@$place"
wait_for 10 eval '[ "$(port_of data2 | cut -d" " -f2)" = '"$place"' ]' || fail "the target that moved is not found"
fio_endless "$new" --rw=randread --bs=4k --iodepth=8
logouts=$(mailbox_commands '71|56')
for format in 0 1 0 1; do	# not what concerns the second port of one name
	asked=$(ns_requests 0171)
	card_link "rscn=$place@$format"
	wait_for 10 asked_again "$asked" || fail "the name server was not asked"
	sleep 1
done
expect "logouts" $(($(mailbox_commands '71|56') - logouts)) 0
card_link "back=1@$was;back=0@$place"
wait_for 20 all_online "$online" || fail "not every port is back"
fio_returns 30 || fail "commands do not come back"
expect "the first disk" "$(disk data)" "$old"
dd if="$old" bs=64k count=1 iflag=direct 2> /dev/null | cmp -s - /tmp/old || fail "the first disk holds something else"
dd if="$new" bs=64k count=1 iflag=direct 2> /dev/null | cmp -s - /tmp/new || fail "the second disk holds something else"
