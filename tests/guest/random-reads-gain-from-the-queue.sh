# shellcheck shell=bash
# A disk with a spindle serves at least twice as many random reads a second at queue depth 32 as at 1: the driver hands
# it the commands, and the disk chooses among them. One at a time it serves what its data sheet says.
. /tests/lib/guest.sh
. /tests/lib/fio.sh
dev=$(disk big) || fail "$dev"

# rate DEPTH READS: random 4 KiB reads a second
rate()
{
	fio_column 8 --filename="$dev" --rw=randread --bs=4k --iodepth="$1" --number_ios="$2" --randseed=5
}

one=$(rate 1 300) || fail "$one"
many=$(rate 32 1500) || fail "$many"
reordered=$(counter 'spindles[.]1:0[.]reordered')
note "$one reads a second at queue depth 1, $many at 32, $reordered commands went before an older one"
[ "$one" -ge 100 ] && [ "$one" -le 130 ] || fail "$one reads a second at queue depth 1"
[ "$many" -ge $((2 * one)) ] || fail "$many reads a second at queue depth 32, $one at 1"
[ "$reordered" -ge 500 ] || fail "the disk reordered $reordered commands of 1500"
