# shellcheck shell=bash
# Each attribute that the driver shows stands in Documentation/sysfs.md, and each that stands there is shown.
. /tests/lib/guest.sh
[[ $(uname -r) == 6.1.* ]] || skip "the page is about Linux 6.1, this is $(uname -r)"
case $DRIVER in
qla2xxx) column=3 ;;
qla_isp) column=4 ;;
esac

# documented FOLDER: the attributes that the table below this heading says the driver has.
documented()
{
	awk -F '|' -v heading="## $1" -v column=$column '
		/^## / { here = $0 == heading }
		here && /^\| `/ && $column ~ /^ *yes *$/ {
			count = split($2, names, ",")
			for (n = 1; n <= count; n++) {
				gsub(/[ `]/, "", names[n])
				print names[n]
			}
		}' /tests/sysfs.md | LC_ALL=C sort
}

# shown DIR: sets attributes to those there, a line each.
shown()
{
	local LC_ALL=C file

	attributes=
	for file in "$1"/*; do
		[ ! -f "$file" ] || [ "${file##*/}" = uevent ] || attributes+=${attributes:+$'\n'}${file##*/}
	done
}

# compare FOLDER DIR...
compare()
{
	local folder=$1 dir wanted attributes

	shift
	wanted=$(documented "$folder")
	for dir; do
		[ -d "$dir" ] || fail "there is no $dir"
		shown "$dir"
		[ "$attributes" = "$wanted" ] || {
			diff <(echo "$wanted") <(echo "$attributes")
			fail "$dir has not the attributes that $folder in sysfs.md says"
		}
		folders=$((folders + 1))
	done
}

folders=0
compare /sys/class/fc_host/hostN /sys/class/fc_host/host*
compare /sys/class/fc_host/hostN/statistics /sys/class/fc_host/host*/statistics
compare /sys/class/fc_remote_ports/rport-H:B-R /sys/class/fc_remote_ports/rport-*
compare /sys/class/fc_transport/targetH:B:T /sys/class/fc_transport/target*
compare /sys/class/scsi_host/hostN /sys/class/scsi_host/host*
compare /sys/class/scsi_host/hostN/device /sys/class/scsi_host/host*/device
note "$folders folders compared"
