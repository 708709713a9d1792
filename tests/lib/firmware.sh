# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Guest cases about firmware: put an image in place, load the driver, look at what became of it.
# /fw/vendor and /fw/stub hold the good images (vendor only where it could be had).

file=$(firmware_file) || fail "$file"

# image KIND: the good image of this chip; skips without the vendor's.
image()
{
	local path=/fw/$1/$file

	[ -e "$path" ] || skip "the $1 image $file is not to be had here"
	echo "$path"
}

# kinds: those of vendor and stub that are there.
kinds()
{
	local kind

	for kind in vendor stub; do
		[ ! -e "/fw/$kind/$file" ] || echo $kind
	done
}

# install_firmware IMAGE: make it the one that the driver finds; without one, it finds none.
install_firmware()
{
	rm -f "/lib/firmware/$file"
	[ $# -eq 0 ] || cp "$1" "/lib/firmware/$file" || fail "cannot install $1"
}

# mark: from here on said_since_mark tells what the kernel logged.
mark()
{
	MARK="@@ mark $RANDOM$RANDOM"
	echo "$MARK" > /dev/kmsg
}

said_since_mark()
{
	dmesg | sed -n "/$MARK/,\$p" | sed 1d
}

# lines_of CARD: what the driver said of it since the mark.  The PCI core, the driver core and the kernel's own
# firmware loader add lines of their own.
lines_of()
{
	said_since_mark | grep -F "$1" | grep -F "$DRIVER" |
		grep -vE 'firmware: (failed|direct-loading)|Direct firmware load|enabling device|PCI INT|probe of'
}

# pci_cards: the PCI addresses of the cards that the driver serves.
pci_cards()
{
	local dir vendor class

	for dir in /sys/bus/pci/devices/*; do
		read -r vendor < "$dir/vendor" && read -r class < "$dir/class" || fail "$dir tells no vendor or class"
		[ "$vendor $class" != "0x1077 0x0c0400" ] || echo "${dir##*/}"
	done
}

# load [PARAMETER...]: load the driver; its probe is over when this returns, disks are not waited for.
load()
{
	if [ -n "${ISP_DRIVER_NEEDS:-}" ]; then
		# shellcheck disable=SC2086 # several names
		modprobe -a $ISP_DRIVER_NEEDS || fail "what the driver needs cannot be loaded"
	fi
	insmod "$ISP_DRIVER_FILE" "$@"
}

# unload: the driver comes out again, and left no SCSI host.
unload()
{
	expect "users of the module" "$(cat "/sys/module/$DRIVER/refcnt")" 0
	must isp-unload
	[ -z "$(ls /sys/class/fc_host 2> /dev/null)" ] || fail "an fc_host is left: $(ls /sys/class/fc_host)"
	[ ! -e "/sys/module/$DRIVER" ] || fail "the module is still there"
}

# works: each card has its host and serves its disk.
works()
{
	local dev

	dev=$(disk "${1:-data}") || fail "$dev"
	must dd if=/dev/urandom of=/tmp/pattern bs=64k count=1
	must dd if=/tmp/pattern of="$dev" bs=64k count=1 oflag=direct
	dd if="$dev" bs=64k count=1 iflag=direct 2> /dev/null | cmp -s - /tmp/pattern ||
		fail "the disk does not hold what was written"
}

# refused THING REMEDY: the driver registered no host for any card; for each there is one line at error
# level that names the card, the thing and the remedy (both extended regular expressions).
refused()
{
	local card lines

	[ -z "$(hosts)" ] || fail "a SCSI host was registered: $(hosts)"
	for card in $(pci_cards); do
		lines=$(lines_of "$card")
		echo "$lines"
		lines=$(grep -E "$1" <<< "$lines")
		[ "$(grep -c . <<< "$lines")" = 1 ] || fail "expected one line of $card about '$1'"
		grep -qE "$2" <<< "$lines" || fail "the line of $card names no remedy ('$2')"
	done
}
