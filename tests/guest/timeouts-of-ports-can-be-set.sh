# shellcheck shell=bash
# dev_loss_tmo of a host is that of its ports, now and later; each port's can be set, and fast_io_fail_tmo below it.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
n=$(host_of hba0) || fail "$n"
host=/sys/class/fc_host/host$n
one=$(rport_of data) || fail "$one"
other=$(rport_of far) || fail "$other"
if [ "$DRIVER" = qla_isp ]; then
	# As the driver's parameter says.
	is "$host/dev_loss_tmo" 45
	is "$one/dev_loss_tmo" 45
fi
set_to "$host/dev_loss_tmo" 50
is "$one/dev_loss_tmo" 50
is "$other/dev_loss_tmo" 50
set_to "$one/dev_loss_tmo" 70
is "$other/dev_loss_tmo" 50
is "$one/fast_io_fail_tmo" off
set_to "$one/fast_io_fail_tmo" 5
must_fail dd of="$one/fast_io_fail_tmo" <<< 71
set_to "$one/fast_io_fail_tmo" off
set_to "$host/dev_loss_tmo" 60
is "$one/dev_loss_tmo" 60
