# shellcheck shell=bash
# Data written in random sizes from 512 bytes to 1 MiB, one at a time on each of 2 CPUs, reads back right.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
fio_verify data 1 "${FIO_QD1_BYTES:-24M}"
