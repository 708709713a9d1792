# shellcheck shell=bash
# A module parameter out of its range is told of once, with its range or the words that it takes, and the driver
# works with a safe value.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
rmmod "$DRIVER" 2> /dev/null
tried=0
while read -r name type; do
	case $type in
	*int* | *short* | *long* | *byte*) values='2147483647 -1 0' ;;
	*charp*) values='nonsense 0' ;;
	*) continue ;;
	esac
	told=''
	for value in $values; do
		mark
		load "$name=$value" || fail "$name=$value: the module does not load"
		if [ "$name" = cards ]; then
			# Then no card is the driver's: another one may want it.
			[ -z "$(hosts)" ] || fail "$name=$value: the card was taken"
		else
			wait_for 30 device_of data || fail "$name=$value: the disk is missing"
			works
		fi
		line=$(said_since_mark | grep -F "$name=" | grep -F "$DRIVER")
		echo "$name=$value: ${line:-within range}"
		# Who is told of a range is told of all that may be asked for.
		if [ "$value" = 0 ] && [ -z "$line" ] && ! matches -E 'range 0 to|0, or in the range' <<< "$told"; then
			fail "0 is accepted, and the line does not say so: $told"
		fi
		told=$line
		# 0 may be in range; the others are in no parameter's.
		if [ "$value" != 0 ] || [ "$name" = cards ]; then
			expect "lines about $name=$value" "$(grep -c . <<< "$line")" 1
			grep -qE '[0-9]+ (to|-) [0-9]+|not [a-z0-9-]+, .* or [a-z0-9-]+, using ' <<< "$line" ||
				fail "the line names neither range nor words"
		fi
		unload
		tried=$((tried + 1))
	done
done < <(modinfo -F parmtype "${ISP_DRIVER_FILE:-$DRIVER}" 2> /dev/null | tr : ' ')
[ $tried -gt 0 ] || skip "the driver has no numeric parameter"
