# shellcheck shell=bash
# Another chip's image under this chip's name is refused with one clear line.
. /tests/lib/guest.sh
. /tests/lib/firmware.sh
for kind in $(kinds); do
	for other in /fw/"$kind"/ql2*_fw.bin; do
		[ "$(basename "$other")" != "$file" ] || continue
		install_firmware "$other"
		echo "$kind image $(basename "$other") as $file"
		mark
		load || fail "the module does not load"
		refused "$file" '[Ii]nstall|[Rr]einstall|[Rr]eplace'
		unload
	done
done
