# shellcheck shell=bash
# The bounds of moderation can be set in sysfs, for each host, within their ranges; what is out of range, or no number,
# is refused and changes nothing. debugfs shows them.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
. /tests/lib/moderation.sh
# Those that the driver was loaded with, or its default.
eval "$MODERATION"
us=$moderation_us depth=${moderation_depth:-8}
is "$MOD_ATTRIBUTES/moderation_us" $us
is "$MOD_ATTRIBUTES/moderation_depth" $depth
for value in 10 1000 0 $us; do
	set_to "$MOD_ATTRIBUTES/moderation_us" $value
done
for value in 2 1024 $depth; do
	set_to "$MOD_ATTRIBUTES/moderation_depth" $value
done
for value in 1 9 1001 -1 4294967297 x 1x; do
	must_fail dd of="$MOD_ATTRIBUTES/moderation_us" <<< "$value"
	grep -q 'Invalid argument\|out of range' <<< "$said" || fail "moderation_us: $value: $said"
	is "$MOD_ATTRIBUTES/moderation_us" $us
done
for value in 0 1 1025 -1 x; do
	must_fail dd of="$MOD_ATTRIBUTES/moderation_depth" <<< "$value"
	grep -q 'Invalid argument\|out of range' <<< "$said" || fail "moderation_depth: $value: $said"
	is "$MOD_ATTRIBUTES/moderation_depth" $depth
done
set_to "$MOD_ATTRIBUTES/moderation_depth" 12
set_to "$MOD_ATTRIBUTES/moderation_us" 77
matches '^moderation: every 77 us, from 12 commands on; 0 are with the card' < "$MOD_STATE" || fail "$(cat "$MOD_STATE")"
set_to "$MOD_ATTRIBUTES/moderation_depth" $depth
set_to "$MOD_ATTRIBUTES/moderation_us" $us
