# shellcheck shell=bash
# A card whose ROM code refuses Load RAM gets its firmware word by word, each word once, and works.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
good=$(image stub) || skip "$good"
install_firmware "$good"
words=$(($(stat -c %s "$good") / 2))
written=$(mailbox_commands 04)
card_fault mbox-error=all@0x40010009
must isp-load
must isp-settle
works
expect "words written" "$(($(mailbox_commands 04) - written))" "$words"
[ "$(fault_fired mbox-error)" -gt 0 ] || fail "Load RAM was not refused"
card_fault ''
unload
