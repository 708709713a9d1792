# shellcheck shell=bash
# Each check of the debugging kernel finds what a module of the kernel's own does wrong on purpose, or what a card
# does that is told to read memory which nobody mapped for it, and a guest case would fail for it.
. /tests/lib/guest.sh

# found WHAT TEXT: the log has trouble with that text; then the log is emptied, for this case must not fail for it.
found()
{
	local said

	said=$(kernel_said | kernel_trouble)
	grep -qE "$2" <<< "$said" || {
		kernel_said | tail -n 40
		fail "$1 was not found"
	}
	echo "$1: $(grep -E "$2" <<< "$said" | head -n 1)"
	dmesg -C
	echo "@@ $CASE begins" > /dev/kmsg
}

# poke FILE OFFSET VALUE: write 16 bits into a file of the card's in sysfs.
poke()
{
	local bytes

	printf -v bytes '\\x%02x\\x%02x' $(($3 & 255)) $(($3 >> 8))
	printf '%b' "$bytes" | dd of="$1" bs=2 count=1 seek=$(($2 / 2)) conv=notrunc 2> /dev/null ||
		fail "$1 cannot be written at $2"
}

# read_astray: have the card's ROM load its RAM from bus address 12345000h.  Registers of an ISP23xx: 06h
# control/status, C0h HCCR, 40h and up mailboxes; LOAD RAM: 1, RISC address, address (high, low), words.
read_astray()
{
	local card=/sys/bus/pci/devices/0000:00:04.0 value reg=0x40

	echo 1 > $card/enable
	poke $card/config 4 7
	for value in 0x0001 0x1000 0x3000; do
		if [ $value = 0x0001 ]; then
			poke $card/resource0 6 $value
		else
			poke $card/resource0 0xc0 $value
		fi
	done
	for value in 1 0x1000 0x1234 0x5000 16 0 0 0; do
		poke $card/resource0 $reg $value
		reg=$((reg + 2))
	done
	poke $card/resource0 0xc0 0x5000
	sleep 1
	echo 0 > $card/enable
	# The card counted it, too.
	must isp-qmp qom-set path=/machine/peripheral/hba0 property=stats-reset value=true
}

# First: other reports switch this check off.  mmap_lock inside i_mmap_rwsem; everybody else takes them the other way
# round.
modprobe test_lockup file_path=/usr/bin/bash lock_mapping=1 lock_mmap_sem=1 time_nsecs=1 2> /dev/null
found "locks in the wrong order" 'WARNING: possible circular locking dependency'
modprobe kasan_test_module 2> /dev/null && fail "kasan_test_module is no module for this"
found "an access to what has been freed" 'KASAN: use-after-free'
must modprobe test_ubsan
found "a shift by too much" 'UBSAN: shift-out-of-bounds'
must modprobe kmemleak-test
must rmmod kmemleak-test
leak_scan
[ -n "$leaks" ] || fail "lost memory was not found"
found "lost memory" 'kmemleak: [0-9]* new suspected memory leaks'
read_astray
found "a card that reads what is not mapped for it" 'DMAR: .*fault addr 0x12345000'
# Returns to the user, who then sleeps, with a spinlock held.
modprobe lkdtm
bash -c 'echo SPINLOCKUP > /sys/kernel/debug/provoke-crash/DIRECT; sleep 1' > /dev/null 2>&1
found "sleeping where it is forbidden" 'sleeping function called|scheduling while atomic'
