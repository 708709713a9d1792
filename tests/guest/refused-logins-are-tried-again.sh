# shellcheck shell=bash
# Ports that refuse the login for a while after the link came up are attached as soon as they take it, without any
# further event, and commands to the others do not wait for them.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
count=$(rports)
refused=$(disk data2) || fail "$refused"
other=$(disk data3) || fail "$other"
card_fault "login-refuse=20@$(($(port_of data2 | cut -d' ' -f2)))"
card_link down=300
sleep 1
wait_for 10 dd if="$other" of=/dev/null bs=4k count=1 iflag=direct || fail "the other port's disk does not answer"
[ "$(rports Online)" -lt "$count" ] || fail "no login was refused"
wait_for 60 all_online "$count" || fail "the port never came back"
must dd if="$refused" of=/dev/null bs=4k count=1 iflag=direct
[ "$(fault_fired login-refuse)" -ge 6 ] || fail "only $(fault_fired login-refuse) logins were refused"
card_fault ''
at_most "lines about it" "$(lines 'refuse the login')" 2
