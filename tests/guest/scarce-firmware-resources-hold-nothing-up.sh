# shellcheck shell=bash
# Firmware with few IOCBs or few exchanges: verified writes of all sizes, many more at a time than it can hold, all
# come back right, and qla_isp tells of nothing.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
for serial in iocbs exchanges; do
	dev=$(disk $serial) || fail "$dev"
	echo 128 > "/sys/block/${dev##*/}/device/queue_depth"
	fio_verify $serial 64 12m
done
if said=$(kernel_said | grep -F "qla_isp 0000:"); then
	fail "the driver said: $said"
fi
