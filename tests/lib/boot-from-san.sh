# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A Debian release (RELEASE, its code name) whose root filesystem is on a LUN behind the card, with the packages
# installed, booted in a virtual machine by its own kernel and its own initramfs, of MAKER (initramfs-tools, dracut).
# The release with a kernel is kept in build/chroots as RELEASE-san; a test works on a copy, of which it makes images.

. "$TOP/tests/lib/releases.sh"
need_vm
need mke2fs e2fsprogs
base=${RELEASE:?}-san
name=san-$RELEASE-${MAKER:?}
uuid=5a6e0000-2312-4000-8000-000000000001
image=$(scratch)/root.img

# make_base: with a kernel of the release that has a newer one, so that there is something to upgrade to.
make_base()
(
	local own series kernel

	# Two tests may want it at the same time.
	mkdir -p "$BUILD/chroots"
	exec 8> "$BUILD/chroots/.$base.making"
	flock 8
	[ ! -e "$BUILD/chroots/$base/complete" ] || return 0
	said chroot make "$RELEASE" || skip "no chroot of $RELEASE"
	said chroot copy "$RELEASE" "$base" || fail "no copy of it"
	own=$(chroot run "$base" apt-cache depends linux-image-amd64 |
		sed -n 's/^ *Depends: linux-image-\([0-9].*\)-amd64/\1/p')
	series=$(grep -oE '^[0-9]+\.[0-9]+\.' <<< "$own")
	kernel=$(chroot run "$base" apt-cache pkgnames "linux-headers-$series" |
		sed -nE 's/^linux-headers-([0-9.]+(\+deb[0-9]+|-[0-9]+))-amd64$/\1/p' | sort -V | grep -xF -B 1 -e "$own" |
		head -n 1)
	[ -n "$kernel" ] && [ "$kernel" != "$own" ] || fail "there is only one kernel: $own"
	said chroot install "$base" systemd-sysv udev dbus kmod login e2fsprogs initramfs-tools zstd cpio openssl \
		firmware-qlogic "linux-image-$kernel-amd64" "linux-headers-$kernel-amd64" || fail "no kernel"
	touch "$BUILD/chroots/$base/complete"
)

# newest: the newest kernel that is installed.
newest()
{
	inside sh -c 'ls /boot' | sed -n 's/^vmlinuz-//p' | sort -V | tail -n 1
}

# initramfs_lists PATTERN: the initramfs of the newest kernel has such a file.
initramfs_lists()
{
	local list=lsinitramfs

	[ "$MAKER" = initramfs-tools ] || list=lsinitrd
	inside $list "/boot/initrd.img-$(newest)" | matches -E "$1"
}

# make_image: the chroot becomes the contents of a disk.
make_image()
{
	inside apt-get clean
	rm -f "$image"
	truncate -s 3G "$image"
	mke2fs -q -t ext4 -U "$uuid" -d "$BUILD/chroots/$name" "$image" || fail "mke2fs fails"
}

# boot NAME KERNEL-ARGUMENTS STEP...: the newest kernel, until it has switched the machine off. The image is target 1, so
# that the root disk is not the first. systemd is given time: on a busy machine a guest may take longer than the 90 s after
# which it does without its serial console. What the dialogue says is in $said.
boot()
{
	local log=$1 boot=$BUILD/chroots/$name/boot arguments status
	arguments="root=UUID=$uuid ro systemd.default_timeout_start_sec=3000 systemd.default_device_timeout_sec=3000 $2"

	shift 2
	said=$("$TOP/tests/lib/console-dialogue" "$LOGS/$log.console" "$@" -- "$TOP/tools/isp-vm" --shell \
		--kernel "$boot/vmlinuz-$(newest)" --initrd "$boot/initrd.img-$(newest)" --mem 2G --timeout 3000 \
		--kernel-args "$arguments" --disk "file=$image,target=1,lun=0,serial=root" \
		--stats "$LOGS/$log.json" 2>&1)
	status=$?
	printf '%s\n' "$said"
	[ $status -eq 0 ] || fail "the dialogue with the console ends with status $status: $(tail -n 1 <<< "$said")"
	[ "$(jq .violations "$LOGS/$log.json")" = 0 ] || fail "protocol violations: $(jq -c .violation_log "$LOGS/$log.json")"
	e2fsck -fn "$image" || fail "the root filesystem is not clean afterwards"
}

# What a boot is to end with: a login, and what there is to be seen then.
logged_in=('wait:san login: ' type:root 'wait:assword: ' type:san 'wait:# $' 'run:dmesg -n 1' 'run:uname -r'
	'run:findmnt -no UUID,OPTIONS /' 'run:isp-ctl' 'run:touch /root/was-written; sync /root/was-written'
	"run:dmesg | grep -cE 'qla_isp .*link down'; true" "run:dmesg | grep -E 'I/O error|EXT4-fs error'; true")
switched_off=(type:poweroff end)

# runs_on DRIVER: what $said shows is the newest kernel, its root on the LUN, which is behind that driver.
runs_on()
{
	matches -xF "$(newest)" <<< "$said" || fail "another kernel than $(newest) runs"
	matches -E "^$uuid +rw," <<< "$said" || fail "the root filesystem is another, or read-only"
	matches -E "^0000:00:04.0 +ISP2312 +$1 .*in use: sd[ab] on /\)" <<< "$said" ||
		fail "the root disk is not behind $1"
	matches -E 'I/O error|EXT4-fs error' <<< "$(grep -v '^#' <<< "$said")" && fail "there were errors"
	true
}

# ---- cases, in this order --------------------------------------------------------------------------------------------

packages_install()
{
	said chroot copy "$base" "$name" || fail "no copy of $base"
	echo "UUID=$uuid / ext4 errors=remount-ro 0 1" > "$BUILD/chroots/$name/etc/fstab"
	echo san > "$BUILD/chroots/$name/etc/hostname"
	inside sh -c 'echo root:san | chpasswd' || fail "no password"
	if [ "$MAKER" = dracut ]; then
		said inside apt-get -q -y install --no-install-recommends dracut || fail "no dracut"
	fi
	said inside sh -c "apt-get -q -y install --no-install-recommends '$BUILD'/deb/qla-isp-dkms_*.deb" ||
		fail "apt-get install fails"
	said inside isp-ctl --boot-only give all qla_isp || fail "isp-ctl fails"
	for file in /qla_isp.ko ql2300_fw.bin etc/modprobe.d/qla_isp-cards.conf /qla2xxx.ko; do
		initramfs_lists "$file" || fail "the initramfs has no $file"
	done
	make_image
}

boots_to_a_login()
{
	boot "login" '' "${logged_in[@]}" "${switched_off[@]}"
	runs_on qla_isp
}

# No cable until the driver has asked for one, then it is pulled while the root filesystem is mounted, and while
# services start.
survives_link_flaps_during_boot()
{
	local downs

	boot "flap" '' 'wait:Linux version' link:down 'wait:qla_isp 0000:00:04.0: .*no link' link:up \
		'wait:EXT4-fs \(sd[ab]\): mounted' link:bounce=2@500 'wait:systemd\[1\]: .*(Detected|Hostname set|Queued start)' \
		link:bounce=3@1000 "${logged_in[@]}" "${switched_off[@]}"
	runs_on qla_isp
	downs=$(grep -A 1 '^# .*link down' <<< "$said" | tail -n 1)
	[ "$downs" -ge 2 ] || fail "the link went down $downs times only"
	echo "note: link down $downs times"
}

boots_an_upgraded_kernel()
{
	local old

	old=$(newest)
	inside apt-get -q -y install --no-install-recommends linux-image-amd64 linux-headers-amd64 || fail "no new kernel"
	[ "$(newest)" != "$old" ] || fail "$old is the newest kernel still"
	initramfs_lists /qla_isp.ko || fail "the new kernel's initramfs has no qla_isp"
	make_image
	boot "upgrade" '' "${logged_in[@]}" "${switched_off[@]}"
	runs_on qla_isp
	echo "note: $old, then $(newest)"
}

rescue_argument_boots_with_qla2xxx()
{
	boot "rescue" qla_isp.cards=none "${logged_in[@]}" "${switched_off[@]}"
	runs_on qla2xxx
}

kernel_without_the_driver_boots_with_qla2xxx()
{
	inside apt-get -q -y remove "linux-headers-$(newest)" || fail "the headers cannot be removed"
	# Newer versions of DKMS have done that by then.
	inside dkms uninstall "qla-isp/$version" -k "$(newest)"
	inside dkms unbuild "qla-isp/$version" -k "$(newest)"
	if [ "$MAKER" = dracut ]; then
		said inside dracut --force --kver "$(newest)" || fail "dracut fails"
	else
		said inside update-initramfs -u -k "$(newest)" || fail "update-initramfs fails"
	fi
	initramfs_lists /qla_isp.ko && fail "the initramfs has it still"
	make_image
	boot "without" '' "${logged_in[@]}" "${switched_off[@]}"
	runs_on qla2xxx
}

headers_that_come_later_bring_the_driver()
{
	initramfs_lists /qla_isp.ko && fail "the initramfs has it before"
	inside apt-get -q -y install --no-install-recommends linux-headers-amd64 || fail "no headers"
	initramfs_lists /qla_isp.ko || fail "the initramfs is without it"
}

# ---- all of them -----------------------------------------------------------------------------------------------------

make_base || exit
need_packages
run_steps packages_install boots_to_a_login survives_link_flaps_during_boot boots_an_upgraded_kernel \
	rescue_argument_boots_with_qla2xxx kernel_without_the_driver_boots_with_qla2xxx \
	headers_that_come_later_bring_the_driver
status=$?
rm -f "$image"
[ $status -eq 0 ] || exit 1
chroot remove "$name"
