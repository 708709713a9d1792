# shellcheck shell=bash
# Without its firmware file the driver registers nothing and says once for the card which file to install.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
install_firmware
mark
load || fail "the module does not load"
refused "$file" '[Ii]nstall'
unload
