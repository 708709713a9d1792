# shellcheck shell=bash
# With qla_isp installed and never asked for, qla2xxx gets both cards at boot, and qla_isp is not even loaded.
. /tests/lib/guest.sh
. /tests/lib/two-drivers.sh
fresh
[ ! -e /sys/module/qla_isp ] || fail "qla_isp was loaded"
[ "$(modprobe -R "$(cat /sys/bus/pci/devices/$one/modalias)" | sort | paste -sd' ')" = "qla2xxx qla_isp" ] ||
	fail "the two modules do not both claim the card: this proves nothing"
said=$(isp-ctl) || fail "$said"
printf '%s\n' "$said"
expect "lines" "$(grep -cE '^0000:00:0[45].0 +ISP2312 +qla2xxx +qla2xxx +sd[ab]$' <<< "$said")" 2
# Loaded by hand it takes what is free: nothing.
must modprobe qla_isp
are qla2xxx qla2xxx
