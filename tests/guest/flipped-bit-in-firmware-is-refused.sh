# shellcheck shell=bash
# An image with one bit flipped, in its header, its code or its checksum, is refused with one clear line.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh

# flip IMAGE BYTE BIT: the image with that bit flipped, as /tmp/image.
flip()
{
	local value

	value=$(od -An -tu1 -j"$2" -N1 "$1")
	cp "$1" /tmp/image
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %02x $((value ^ (1 << $3))))" |
		dd of=/tmp/image bs=1 seek="$2" conv=notrunc 2> /dev/null
	cmp -s "$1" /tmp/image && fail "no bit was flipped"
}

for kind in $(kinds); do
	size=$(stat -c %s "/fw/$kind/$file")
	# qla2xxx leaves the check to the card, which sums up the first segment only (word 3: its length).
	if [ "$DRIVER" != qla_isp ]; then
		read -r high low < <(od -An -tu1 -j6 -N2 "/fw/$kind/$file")
		size=$((2 * (256 * high + low)))
	fi
	# The high byte of the length word, code in the middle, the last byte (each possible bit:
	# host/firmware-image-check-lets-no-damage-through).
	for place in '6 7' "$((size / 2)) 3" "$((size - 1)) 0"; do
		# shellcheck disable=SC2086 # two numbers
		flip "/fw/$kind/$file" $place
		install_firmware /tmp/image
		echo "$kind image, byte and bit $place flipped"
		mark
		load || fail "the module does not load"
		if [ "$DRIVER" = qla_isp ]; then
			refused "$file" '[Ii]nstall|[Rr]einstall|[Rr]eplace'
		else
			[ -z "$(ls /sys/class/scsi_disk)" ] || fail "disks appeared all the same"
		fi
		unload
	done
done
