# shellcheck shell=bash
# The name that udev gives a disk below /dev/disk/by-path: the adapter's PCI address, the port's name, the LUN.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
command -v udevadm > /dev/null || skip "udevadm is not installed (Debian package udev)"

# path SERIAL LUN PCI-ADDRESS
path()
{
	local dev rport

	dev=$(disk "$1") || fail "$dev"
	rport=$(rport_of "$1") || fail "$rport"
	udevadm test-builtin path_id "/sys/block/${dev##*/}" 2> /dev/null > /tmp/path_id
	expect "path of $dev" "$(sed -n 's/^ID_PATH=//p' /tmp/path_id)" \
		"pci-$3-fc-$(cat "$rport/port_name")-lun-$2"
}

path data 0 0000:00:04.0
path second 1 0000:00:04.0
path fabric 0 0000:00:06.0
# udev writes LUNs from 256 up as SAM has them: flat space addressing, 4000h added.
path far 0x412c000000000000 0000:00:04.0
