# shellcheck shell=bash
# An image cut short is refused before anything is registered, with one clear line for the card (each possible
# length: host/firmware-image-check-lets-no-damage-through).
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
for kind in $(kinds); do
	size=$(stat -c %s "/fw/$kind/$file")
	for length in 0 $((size / 2 + 1)) $((size - 2)); do
		head -c "$length" "/fw/$kind/$file" > /tmp/image
		install_firmware /tmp/image
		echo "$kind image cut to $length of $size bytes"
		mark
		load || fail "the module does not load"
		refused "$file" '[Ii]nstall|[Rr]einstall|[Rr]eplace'
		unload
	done
done
