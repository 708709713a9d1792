# shellcheck shell=bash
# One card is given to qla_isp and back while the other's disk is read without an error; the choice holds at the next
# boot, in whatever order the cards are found.
. /tests/lib/guest.sh
. /tests/lib/two-drivers.sh
fresh
dev=$(disk two) || fail "$dev"
(while dd if="$dev" of=/dev/null bs=64k count=16 iflag=direct 2> /tmp/dd.err; do :; done) &
reader=$!
must isp-ctl give 00:04.0 qla_isp
are qla_isp qla2xxx
said=$(isp-ctl list)
printf '%s\n' "$said"
grep -qE "^$one +ISP2312 +qla_isp +qla_isp +sd[a-z]$" <<< "$said" || fail "isp-ctl list does not show it"
! gone $reader || fail "the other card's disk failed: $(cat /tmp/dd.err)"
kill $reader
wait $reader 2> /dev/null
shut_down
boot
are qla_isp qla2xxx
shut_down
boot $two $one
are qla_isp qla2xxx
must isp-ctl give $one qla2xxx
are qla2xxx qla2xxx
[ ! -e $choice ] || fail "the choice is still there: $(cat $choice)"
