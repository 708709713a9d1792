# shellcheck shell=bash
# The card runs with the stub firmware: disks appear and hold data, and the driver comes out again.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
good=$(image stub) || skip "$good"
install_firmware "$good"
mark
must isp-load
must isp-settle
works
version=$(image_version "$good")
said_since_mark | matches -E "(^|[^0-9.])0?${version//./\\.}" || fail "the kernel's log does not name version $version"
unload
