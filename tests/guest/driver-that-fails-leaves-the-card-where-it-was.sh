# shellcheck shell=bash
# Where qla_isp cannot be loaded, or refuses a card, the card stays with qla2xxx, now and at boot.
. /tests/lib/guest.sh
. /tests/lib/two-drivers.sh
fresh
echo 'install qla_isp /bin/false' > /etc/modprobe.d/broken.conf
must_fail isp-ctl give $one qla_isp
are qla2xxx qla2xxx
[ ! -e $choice ] || fail "not loaded, and chosen for boot: $(cat $choice)"
must isp-ctl --boot-only give $one qla_isp
shut_down
boot
are qla2xxx qla2xxx
rm /etc/modprobe.d/broken.conf
# qla_isp finds no firmware; by the time of qla2xxx it is there.
file=/lib/firmware/ql2300_fw.bin
shut_down
mv $file /tmp/firmware || fail "no firmware"
must modprobe qla_isp
dmesg | matches "qla_isp $one: firmware ql2300_fw.bin not found" || fail "qla_isp has not tried"
mv /tmp/firmware $file
boot
are qla2xxx qla2xxx
must isp-ctl undo
must modprobe qla_isp
# It does not hear that the card is to be its own.
echo none > /tmp/cards
printf none > /sys/module/qla_isp/parameters/cards
must mount --bind /tmp/cards /sys/module/qla_isp/parameters/cards
must_fail isp-ctl give $one qla_isp
must umount /sys/module/qla_isp/parameters/cards
are qla2xxx qla2xxx
[ ! -e $choice ] || fail "refused, and chosen for boot: $(cat $choice)"
echo vfio-pci > /sys/bus/pci/devices/$two/driver_override
must_fail isp-ctl give $two qla_isp
echo > /sys/bus/pci/devices/$two/driver_override
are qla2xxx qla2xxx
