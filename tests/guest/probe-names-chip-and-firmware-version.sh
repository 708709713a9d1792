# shellcheck shell=bash
# The driver names the card, its chip and the version of the firmware that it loaded: the version words
# of the image itself.  qla_isp has one line about a card, with its bus, its port's name and the link beside these.
. /tests/lib/guest.sh
pci=$(pci_of "$(the_host)") || fail "$pci"
version=$(image_version "/lib/firmware/$(firmware_file)")
echo "card $pci, firmware $version"
lines=$(dmesg | grep -F "$pci" | grep "$DRIVER")
grep -qi "ISP${CHIP#isp}" <<< "$lines" || fail "no line of the kernel's log names $pci and ISP${CHIP#isp}"
# Some print 3.03.28, some 03.03.28.
grep -qE "(^|[^0-9.])0?${version//./\\.}" <<< "$lines" ||
	fail "no line of the kernel's log names $pci and firmware $version"
[ "$DRIVER" = qla_isp ] || exit 0
name=$(cat "/sys/class/fc_host/host$(the_host)/port_name")
wanted="qla_isp $pci: ISP${CHIP#isp}[A-Z]* on PCI[-X]* [0-9]+ MHz, firmware $version( for [0-9]+ commands at a time)?"
wanted+=", port ${name#0x}, (private loop|public loop|fabric|point-to-point) up at [12] Gbit/s, (loop|port) id [^:]*, [0-9]+ targets"
matches -E "$wanted\$" <<< "$lines" || fail "no line names $pci with its chip, bus, firmware, port, link and targets: $lines"
