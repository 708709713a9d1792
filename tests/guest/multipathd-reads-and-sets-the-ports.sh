# shellcheck shell=bash
# multipathd knows the names of both ends of each path, builds its map on it, and sets the timeouts of the ports.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
command -v multipathd > /dev/null || skip "multipathd is not installed (Debian package multipath-tools)"
serials='data second far fabric'
n=$(host_of hba0) || fail "$n"
old=$(cat "/sys/class/fc_host/host$n/dev_loss_tmo")

tidy_up()
{
	multipathd shutdown
	wait
	multipath -F
	for rport in /sys/class/fc_remote_ports/rport-*; do
		echo off > "$rport/fast_io_fail_tmo"
		echo "$old" > "$rport/dev_loss_tmo"
	done
}

must modprobe -a dm_multipath dm_service_time
# What udev's rules would have noted of each disk.
mkdir -p /run/udev/data
for serial in $serials; do
	dev=$(disk $serial) || fail "$dev"
	printf 'I:1\nE:ID_SERIAL=%s\nE:ID_WWN=%s\n' wwid-$serial $serial > \
		"/run/udev/data/b$(cat "/sys/block/${dev##*/}/dev")"
done
cat > /etc/multipath.conf << 'END'
defaults {
	find_multipaths no
	fast_io_fail_tmo 3
	dev_loss_tmo 90
}
END
multipathd -d -s -v2 > /tmp/multipathd 2>&1 &
trap 'tidy_up > /dev/null 2>&1' EXIT

# Its maps are there when it has read the paths.
all_maps()
{
	multipathd show maps raw format '%n' > /tmp/maps
	[ "$(grep -c "^wwid-" /tmp/maps)" = "$(wc -w <<< "$serials")" ]
}
wait_for 60 all_maps || fail "multipathd does not build its maps: $(cat /tmp/multipathd /tmp/maps)"

multipathd show paths raw format '%d %N %R %n %r %T' > /tmp/paths || fail "multipathd shows no paths"
cat /tmp/paths
for serial in $serials; do
	dev=$(disk $serial) || fail "$dev"
	rport=$(rport_of $serial) || fail "$rport"
	host=/sys/class/fc_host/host${rport#*rport-}
	host=${host%%:*}
	path=$(grep "^${dev##*/} " /tmp/paths) || fail "multipathd does not know $dev"
	expect "path of $serial" "$path" \
		"${dev##*/} $(cat "$host"/{node,port}_name "$rport"/{node,port}_name | tr '\n' ' ')ready"
	is "$rport/fast_io_fail_tmo" 3
	is "$rport/dev_loss_tmo" 90
done
multipath -ll > /tmp/maps || fail "multipath -ll failed"
for serial in $serials; do
	grep -q "^wwid-$serial " /tmp/maps || fail "multipath -ll does not list $serial: $(cat /tmp/maps)"
done
