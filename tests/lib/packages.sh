# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The Debian packages in a chroot of a Debian release (RELEASE, its code name): installed, upgraded, removed, purged.
# The release, and the release with kernels, are kept in build/chroots; the tests work on copies.

. "$TOP/tests/lib/releases.sh"
need dpkg-buildpackage dpkg-dev
kernels=${RELEASE:?}-kernels
name=packages-$RELEASE
choice=/etc/modprobe.d/qla_isp-cards.conf

# make_kernels: a chroot with the image and headers of the release's kernel, and headers of the newest (backports) and
# of one (cloud) whose configuration is changed to have no Fibre Channel.
make_kernels()
{
	local own all

	[ ! -e "$BUILD/chroots/$kernels/complete" ] || return 0
	said chroot make "$RELEASE" || skip "no chroot of $RELEASE"
	said chroot copy "$RELEASE" "$kernels" || fail "no copy of it"
	own=$(chroot run "$kernels" apt-cache depends linux-headers-amd64 |
		sed -n 's/^ *Depends: linux-headers-\([0-9].*\)/\1/p')
	all=$(chroot run "$kernels" apt-cache pkgnames linux-headers- |
		sed -nE 's/^linux-headers-([0-9]+\.[0-9]+\.[0-9]+(\+deb[0-9]+|-[0-9]+)-amd64)$/\1/p' | sort -V)
	said chroot install "$kernels" initramfs-tools firmware-qlogic zstd cpio kmod man-db linux-headers-cloud-amd64 \
		"linux-image-$own" "linux-headers-$own" "linux-headers-$(tail -n 1 <<< "$all")" || fail "no kernels"
	# DKMS reads the one or the other.
	sed -i 's/^CONFIG_SCSI_FC_ATTRS=.*/# & no longer/' \
		"$BUILD/chroots/$kernels"/usr/src/linux-headers-*-cloud-amd64/{.config,include/config/auto.conf}
	touch "$BUILD/chroots/$kernels/complete"
}

# Of all kernels with headers: those that can have the driver, and those that cannot.
kernels()
{
	inside sh -c 'for config in /usr/src/linux-headers-*/.config; do
		grep -q "^CONFIG_SCSI_FC_ATTRS=[my]" "$config" && basename "${config%/.config}" | sed s/linux-headers-//
	done; true'
}

excluded()
{
	inside sh -c 'for config in /usr/src/linux-headers-*/.config; do
		[ -e "$config" ] || continue
		grep -q "^CONFIG_SCSI_FC_ATTRS=[my]" "$config" || basename "${config%/.config}" | sed s/linux-headers-//
	done'
}

# The newest kernel with an image, other than that without Fibre Channel.
booted()
{
	inside sh -c 'ls /boot' | sed -n '/cloud/d; s/^vmlinuz-//p' | sort -V | tail -n 1
}

# built_for VERSION: for each kernel, and for no other; signed with the key of DKMS, for that kernel.
built_for()
{
	local kernel file signer version magic status

	status=$(inside dkms status)
	printf '%s\n' "$status"
	[ "$(kernels | wc -l)" -ge 2 ] || fail "there are not several kernels"
	for kernel in $(kernels); do
		# By its path: where there are only headers, depmod has no say.
		file=$(inside sh -c "ls /lib/modules/$kernel/updates/dkms/qla_isp.ko*") || fail "no module for $kernel"
		signer=$(inside modinfo -F signer "$file")
		version=$(inside modinfo -F version "$file")
		magic=$(inside modinfo -F vermagic "$file")
		echo "$kernel: version $version, for ${magic%% *}, signed by $signer"
		[ "$version" = "$1" ] || fail "$kernel has version '$version', not $1"
		[ "${magic%% *}" = "$kernel" ] || fail "the module of $kernel is for ${magic%% *}"
		[ -n "$signer" ] || fail "the module of $kernel is not signed"
	done
	inside sh -c 'openssl x509 -inform DER -in /var/lib/dkms/mok.pub -noout -subject' | grep -F "$signer" ||
		fail "it is not signed with the key of DKMS"
	for kernel in $(excluded); do
		inside sh -c "ls /lib/modules/$kernel/updates/dkms/qla_isp.ko* 2> /dev/null" &&
			fail "it was built for $kernel, which has no Fibre Channel"
	done
	[ "$(grep -c 'qla-isp' <<< "$status")" = "$(kernels | wc -l)" ] || fail "DKMS keeps another version"
}

# initramfs_has PATTERN...: the initramfs of the kernel with an image lists each of them.
initramfs_has()
{
	local list pattern

	list=$(inside lsinitramfs "/boot/initrd.img-$(booted)")
	for pattern in "$@"; do
		grep -E "$pattern" <<< "$list" || fail "the initramfs has no $pattern"
	done
}

# initramfs_version: of the driver in the initramfs of the kernel with an image.
initramfs_version()
{
	# shellcheck disable=SC2016 # for the shell in the chroot
	inside sh -c 'rm -rf /tmp/unpacked && unmkinitramfs "/boot/initrd.img-$1" /tmp/unpacked &&
		modinfo -F version "$(find /tmp/unpacked -path "*/updates/dkms/qla_isp.ko*")"' version "$(booted)"
}

# asks_for_cards: modules that would be loaded for a card, in order.
asks_for_cards()
{
	inside modprobe -S "$(booted)" -b -D pci:v00001077d00002312sv00001077sd00000100bc0Csc04i00 |
		sed -n 's,^insmod .*/\(qla[a-z0-9_]*\)\.ko.*,\1,p' | awk '!seen[$0]++' | paste -sd' '
}

# ---- cases, in this order --------------------------------------------------------------------------------------------

clean_install_builds_a_module()
{
	local begin end

	chroot copy "$RELEASE" "$name"
	begin=$SECONDS
	inside sh -c "apt-get -q -y install '$BUILD'/deb/qla-isp-dkms_*.deb" || fail "apt-get install fails"
	end=$SECONDS
	inside sh -c 'ls /lib/modules/*/updates/dkms/qla_isp.ko*' || fail "no module"
	echo "note: $((end - begin)) s, downloads included"
}

install_builds_and_signs_for_each_kernel()
{
	chroot copy "$kernels" "$name"
	inside sh -c "apt-get -q -y install --no-install-recommends openssl '$BUILD'/deb/*.deb" || fail "apt-get install fails"
	built_for "$version"
	[ -n "$(excluded)" ] || fail "no kernel without Fibre Channel was tried"
	inside man -w qla_isp isp-ctl isp-fw isp-vm isp-bench || fail "a man page is missing"
}

no_card_is_taken_by_installing()
{
	expect_equal "modules for a card" "$(asks_for_cards)" "qla2xxx"
	# Installing makes that of the newest kernel, whichever that is.
	said inside update-initramfs -u -k "$(booted)" || fail "update-initramfs fails"
	initramfs_has updates/dkms/qla_isp.ko lib/firmware/ql2300_fw.bin lib/modprobe.d/qla_isp-cards.conf
	inside test ! -e $choice || fail "there is a choice already"
}

choice_is_in_the_initramfs()
{
	inside isp-ctl --boot-only give all qla_isp || fail "isp-ctl fails"
	expect_equal "modules for a card" "$(asks_for_cards)" "qla_isp qla2xxx"
	initramfs_has updates/dkms/qla_isp.ko lib/firmware/ql2300_fw.bin "etc/modprobe.d/qla_isp-cards.conf"
}

upgrade_replaces_the_module_and_keeps_the_choice()
{
	local before next=$version.1 copy

	copy=$(scratch)/qla-isp-$next
	rm -rf "$copy"
	cp -r "$BUILD/deb/qla-isp-$version" "$copy"
	sed -i "s/$version/$next/" "$copy/dkms.conf" "$copy/drivers/scsi/qla_isp/isp_hba.h" "$copy/debian/changelog"
	(cd "$copy" && said dpkg-buildpackage -b -us -uc) || fail "the next version does not build"
	before=$(inside cat $choice)
	inside sh -c "apt-get -q -y install --no-install-recommends '$(scratch)'/*.deb" || fail "the upgrade fails"
	built_for "$next"
	expect_equal "the choice" "$(inside cat $choice)" "$before"
	expect_equal "version in the initramfs" "$(initramfs_version)" "$next"
	expect_equal "sources" "$(inside sh -c 'ls -d /usr/src/qla-isp-*')" "/usr/src/qla-isp-$next"
}

new_kernel_gets_its_module()
{
	local before

	before=$(kernels | wc -l)
	inside apt-get -q -y install --no-install-recommends linux-headers-rt-amd64 || fail "no further kernel"
	[ "$(kernels | wc -l)" -gt "$before" ] || fail "there is no new kernel"
	built_for "$version.1"
}

tools_run_and_build_the_rest()
{
	local told

	inside isp-fw --help > /dev/null || fail "isp-fw"
	inside isp-bench --help > /dev/null || fail "isp-bench"
	told=$(inside env -u BUILD isp-vm true 2>&1) && fail "isp-vm runs without a virtual card"
	grep 'run make -C /usr/share/qla-isp model$' <<< "$told" || fail "isp-vm does not say how to build the card: $told"
	said chroot install "$name" gcc libc6-dev make || fail "no compiler"
	said inside env -u BUILD make -C /usr/share/qla-isp tools || fail "make tools"
	inside /root/.cache/qla-isp/isp-bench/isp-io --help > /dev/null || fail "isp-io"
}

dracut_takes_the_same()
{
	local kernel list pattern

	kernel=$(booted)
	inside apt-get -q -y install --no-install-recommends dracut || fail "no dracut"
	said inside dracut --force /tmp/initrd "$kernel" || fail "dracut fails"
	list=$(inside lsinitrd /tmp/initrd)
	for pattern in updates/dkms/qla_isp.ko lib/firmware/ql2300_fw.bin etc/modprobe.d/qla_isp-cards.conf; do
		grep "$pattern" <<< "$list" || fail "dracut left out $pattern"
	done
	said inside apt-get -q -y install --no-install-recommends initramfs-tools || fail "no initramfs-tools"
}

removal_leaves_qla2xxx_all_cards()
{
	inside apt-get -q -y remove qla-isp-dkms qla-isp-tools || fail "removal fails"
	inside sh -c '! find /lib/modules /usr/src -name "qla_isp*" -o -name "qla-isp*" | grep .' || fail "this is left"
	inside sh -c '! lsinitramfs /boot/initrd.img-* | grep qla_isp.ko' || fail "the initramfs still has the driver"
	expect_equal "modules for a card" "$(asks_for_cards)" "qla2xxx"
	inside test -e $choice || fail "the choice is gone before purge"
}

purge_leaves_nothing()
{
	inside apt-get -q -y purge qla-isp-dkms qla-isp-tools || fail "purge fails"
	inside sh -c '! find /etc /usr /lib /var/lib /boot \( -name "*qla_isp*" -o -name "*qla-isp*" \
		-o -name "isp-ctl*" -o -name "isp-fw*" -o -name "isp-vm*" -o -name "isp-bench*" \) \
		-not -path "/var/lib/apt/*" | grep .' || fail "this is left"
}

# ---- all of them -----------------------------------------------------------------------------------------------------

make_kernels
need_packages
run_steps clean_install_builds_a_module install_builds_and_signs_for_each_kernel no_card_is_taken_by_installing \
	choice_is_in_the_initramfs upgrade_replaces_the_module_and_keeps_the_choice new_kernel_gets_its_module \
	tools_run_and_build_the_rest dracut_takes_the_same removal_leaves_qla2xxx_all_cards purge_leaves_nothing || exit 1
chroot remove "$name"
