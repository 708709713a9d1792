# shellcheck shell=bash
# All cards are given to qla_isp, and undo gives all back and leaves no file.
. /tests/lib/guest.sh
. /tests/lib/two-drivers.sh
fresh
must isp-ctl give all qla_isp
are qla_isp qla_isp
shut_down
boot
are qla_isp qla_isp
must isp-ctl give $two qla2xxx
are qla_isp qla2xxx
must isp-ctl undo
are qla2xxx qla2xxx
expect "files in /etc/modprobe.d" "$(ls /etc/modprobe.d)" ''
