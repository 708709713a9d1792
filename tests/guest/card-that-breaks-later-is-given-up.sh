# shellcheck shell=bash
# A card that stops answering while commands are in flight: every command comes back as an error at most 30 s
# after the first has timed out, the other card works on, and the module can be removed.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
. /tests/lib/fio.sh
. /tests/lib/sysfs.sh

# mend: the card is well again, but for what it went through.
mend()
{
	card_set card-fault none
	card_fault ''
}

rmmod "$DRIVER" 2> /dev/null
mend
must isp-load
for broken in 'card-fault dead' 'card-fault no-interrupt' 'fault system-error=1;mbox-silent=all'; do
	fault=${broken#* }
	dev=$(disk sick) || fail "$dev"
	dir=$(device_of sick) || fail "$dir"
	echo 5 > "$dir/timeout"
	fio_endless "$dev" --rw=randread --bs=4k --iodepth=32
	card_set "${broken%% *}" "$fault"
	read -r begin _ < /proc/uptime
	fio_returns 300 || fail "$fault: commands never came back"
	read -r end _ < /proc/uptime
	took=$(awk "BEGIN { print $end - $begin }")
	echo "$fault: given up after $took s"
	# The command timer runs for 5 s before anything is known to be wrong.
	at_most "$fault: seconds until every command was back" "$took" 35
	works data
	host=$(host_of hba0) || fail "$host"
	becomes "/sys/class/scsi_host/host$host/adapter_state" dead
	is "/sys/class/fc_host/host$host/port_state" Error
	grep -q . "/sys/class/fc_host/host$host"/statistics/l* || fail "$fault: statistics cannot be read"
	mend
	must isp-unload
	must isp-load
done
must isp-unload
