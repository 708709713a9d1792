# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What tests on the host share: how to skip and fail, and where to find a kernel's build tree.

set -u -o pipefail
: "${TOP:?run this through tests/run}" "${BUILD:?}" "${LOGS:?}"

# skip REASON: this test cannot be run here.
skip()
{
	echo "$*"
	exit 77
}

# matches GREP-ARGUMENT...: whether standard input does. It is read to its end: grep -q ends at the first match, and
# with pipefail the broken pipe of whoever still writes would count as a failure.
matches()
{
	grep "$@" > /dev/null
}

# fail MESSAGE
fail()
{
	echo "$*"
	exit 1
}

# need PROGRAM PACKAGE: skip unless the program is installed.
need()
{
	command -v "$1" > /dev/null || skip "$1 is not installed (Debian package $2)"
}

# quiet COMMAND...: pass when it says nothing and succeeds; else show what it said and fail.
quiet()
{
	local said

	if said=$("$@" 2>&1) && [ -z "$said" ]; then
		return 0
	fi
	printf '%s\n' "$said"
	fail "failed: $1"
}

# The release of the kernel that the tests build for and boot: TEST_KERNEL, or the installed one.
test_kernel()
{
	local release

	release=${TEST_KERNEL:-$("$TOP/tools/isp-vm" --print-kernel 2> /dev/null)}
	[ -n "$release" ] ||
		skip "no kernel image with headers is installed (make deps)"
	echo "$release"
}

# The folder with the build tree (headers) of that kernel.
kernel_build()
{
	local release

	release=$(test_kernel) || skip "$release"
	echo "/lib/modules/$release/build"
}

# scratch: a folder of this run of this test.
scratch()
{
	mkdir -p "$LOGS/scratch"
	echo "$LOGS/scratch"
}

# tracked: the files of the project (in git: tracked and new ones; else all but build/).
tracked()
{
	cd "$TOP" || exit 1
	if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard |
			while read -r file; do [ ! -f "$file" ] || echo "$file"; done
	else
		find . -path ./build -prune -o -path ./.git -prune -o -type f -print | sed 's,^\./,,'
	fi
}

# unit TEST.c DRIVER-SOURCE...: compile a unit test with pure sources of the driver, with every sanitizer
# that the compiler has, and run it.  UNIT_ON=s390x: for that processor, without them, and run by qemu-user.
unit()
{
	local dir driver=$TOP/drivers/scsi/qla_isp test=$1 said run=()
	local cc=(gcc -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all)

	if [ -n "${UNIT_ON:-}" ]; then
		cc=("$UNIT_ON-linux-gnu-gcc" -static)
		run=("qemu-$UNIT_ON")
		need "${run[0]}" qemu-user
	fi
	need "${cc[0]}" "gcc${UNIT_ON:+-$UNIT_ON-linux-gnu}"
	dir=$(scratch)
	shift
	said=$(cd "$driver" && "${cc[@]}" -std=gnu11 -g -O1 -Wall -Wextra -Werror -Wno-address-of-packed-member \
		-I "$TOP/tests/unit/shim" -I "$driver" -o "$dir/unit" "$TOP/tests/unit/$test" "$@" 2>&1) || {
		printf '%s\n' "$said"
		fail "does not compile"
	}
	"${run[@]}" "$dir/unit"
}
