# shellcheck shell=bash
# Each port of a card with two is an adapter of its own, with the names in its own half of the NVRAM, and both move
# verified data at the same time.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
n=0
for card in /sys/bus/pci/drivers/"$DRIVER"/0000:*; do
	expect "function of port $n" "${card##*.}" $n
	read -r name < "$(echo "$card"/host*/fc_host/host*/port_name)"
	wanted=$(isp-qmp qom-get path=/machine/peripheral/hba$n property=wwpn) || fail "$wanted"
	expect "name of port $n" "$name" "$(printf '0x%016x' "$wanted")"
	n=$((n + 1))
done
expect "ports" $n 2
! dmesg | grep -i "$DRIVER.*nvram" || fail "the NVRAM of a port is told of"
fio_verify first 16 12m &
job=$!
fio_verify second 16 12m
wait $job || fail "the first port's I/O failed"
