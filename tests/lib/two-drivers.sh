# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Guest cases with two cards that both drivers want: modules are found by modprobe, as on an installed system.

one=0000:00:04.0
two=0000:00:05.0
choice=/etc/modprobe.d/qla_isp-cards.conf

# install_module: qla_isp.ko becomes one of the kernel's modules, as DKMS makes it.
install_module()
{
	local dir

	dir=/lib/modules/$(uname -r)/updates/dkms
	[ ! -e "$dir/qla_isp.ko" ] || return 0
	mkdir -p "$dir" /etc/modprobe.d
	cp "$ISP_DRIVER_FILE" "$dir/" && depmod || fail "qla_isp.ko cannot be installed"
}

# boot [CARD...]: what udev does for cards that it finds at boot, in that order; by default one, then two.
boot()
{
	local card

	[ $# -gt 0 ] || set -- "$one" "$two"
	for card in "$@"; do
		modprobe -b "$(cat "/sys/bus/pci/devices/$card/modalias")"
	done
}

# shut_down: no driver has a card any more.
shut_down()
{
	local driver

	for driver in qla_isp qla2xxx; do
		[ ! -e "/sys/module/$driver" ] || must rmmod "$driver"
	done
}

# fresh: the state of a machine where isp-ctl never ran, booted.
fresh()
{
	install_module
	if [ -e "$choice" ] || [ "$(driver_of $one) $(driver_of $two)" != "qla2xxx qla2xxx" ]; then
		shut_down
		rm -f "$choice"
		boot
	elif [ -e /sys/module/qla_isp ]; then
		must rmmod qla_isp
	fi
	are qla2xxx qla2xxx
}

# driver_of CARD: its name, or nothing.
driver_of()
{
	basename "$(readlink "/sys/bus/pci/devices/$1/driver")" 2> /dev/null
}

# are DRIVER DRIVER: these have the first and the second card, and the disks behind them are there and can be read.
are()
{
	expect "driver of the first card" "$(driver_of $one)" "$1"
	expect "driver of the second card" "$(driver_of $two)" "$2"
	readable one
	readable two
}

# readable SERIAL
readable()
{
	local dev

	wait_for 60 disk "$1" || fail "disk $1 is missing"
	dev=$(disk "$1") || fail "$dev"
	must dd if="$dev" of=/dev/null bs=64k count=4 iflag=direct
}

# The guest's sh is busybox, whose own modprobe takes the place of the system's.
isp-ctl()
{
	bash /usr/sbin/isp-ctl "$@"
}
