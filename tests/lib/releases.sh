# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What tests in chroots of Debian releases share: the chroot named $name, commands in it, steps of which each wants the
# one before.

. "$TOP/tests/lib/vm.sh"
[ "$(id -u)" = 0 ] || skip "a chroot wants root"
need debootstrap debootstrap

chroot()
{
	"$TOP/tools/chroot" "$@"
}

# said COMMAND...: run it, show its output only if it fails.
said()
{
	local output

	output=$("$@" 2>&1) && return
	printf '%s\n' "$output"
	return 1
}

# inside COMMAND...: in the chroot of this run.
inside()
{
	chroot run "$name" "$@"
}

# need_packages: sets version, that of the packages in build/deb.
need_packages()
{
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$TOP/dkms.conf")
	[ -e "$BUILD/deb/qla-isp-dkms_${version}_all.deb" ] || fail "the packages are not built (make deb)"
}

expect_equal()
{
	[ "$2" = "$3" ] || fail "$1: expected '$3', found '$2'"
}

# run_steps FUNCTION...: each is a case of its own, and is skipped once one has failed. A line "note: TEXT" of its
# output is shown behind it.
run_steps()
{
	local step case log failed='' begin

	for step in "$@"; do
		case=${step//_/-} log=$LOGS/${step//_/-}.log
		if [ -n "$failed" ]; then
			result skip "$case" 0 '' "$failed failed before"
			continue
		fi
		begin=$SECONDS
		if ($step) > "$log" 2>&1; then
			result pass "$case" $((SECONDS - begin)) "$log" "$(sed -n 's/^note: //p' "$log")"
		else
			result fail "$case" $((SECONDS - begin)) "$log" "$(tail -n 1 "$log")"
			failed=$case
		fi
	done
	[ -z "$failed" ]
}
