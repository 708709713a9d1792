# shellcheck shell=bash
# Sequential reads come at the rate of the medium, on the outer tracks faster than on the inner ones.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dev=$(disk big) || fail "$dev"

# rate OFFSET: KiB a second of 64 KiB reads from there on
rate()
{
	fio_column 7 --filename="$dev" --rw=read --bs=64k --iodepth=2 --offset="$1" --io_size=32M --size=64M
}

outer=$(rate 0) || fail "$outer"
inner=$(rate 35g) || fail "$inner"
note "$outer KiB a second outside, $inner inside"
[ "$outer" -ge 60000 ] && [ "$outer" -le 68000 ] || fail "$outer KiB a second outside"
[ "$inner" -ge 29000 ] && [ "$inner" -le 36000 ] || fail "$inner KiB a second inside"
