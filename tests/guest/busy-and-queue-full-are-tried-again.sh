# shellcheck shell=bash
# BUSY and QUEUE FULL (TASK SET FULL) in the middle of verified writes cost a retry, never an error.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
for status in 0x08 0x28; do
	fired=$(fault_fired status)
	card_fault "status=40@$status"
	fio_verify data 16 8M
	expect "commands answered with $status" $(($(fault_fired status) - fired)) 40
	card_fault ''
done
