# shellcheck shell=bash
# The driver names the card, its chip and the version of the firmware that it loaded: the version words
# of the image itself.
. /tests/lib/guest.sh
pci=$(pci_of "$(the_host)") || fail "$pci"
version=$(image_version "/lib/firmware/$(firmware_file)")
echo "card $pci, firmware $version"
lines=$(dmesg | grep -F "$pci" | grep "$DRIVER")
grep -qi "ISP${CHIP#isp}" <<< "$lines" || fail "no line of the kernel's log names $pci and ISP${CHIP#isp}"
# Some print 3.03.28, some 03.03.28.
grep -qE "(^|[^0-9.])0?${version//./\\.}" <<< "$lines" ||
	fail "no line of the kernel's log names $pci and firmware $version"
