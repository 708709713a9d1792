# shellcheck shell=bash
# Vital product data pages and mode pages come back whole.
. /tests/lib/guest.sh
for serial in data file; do
	dev=$(sg $serial) || fail "$dev"
	for page in sv sn di bl; do
		said=$(sg_vpd --page=$page "$dev" 2>&1) || fail "sg_vpd --page=$page on $serial: $said"
	done
	sg_vpd --page=sn "$dev" | matches -E "(Unit|Product) serial number: *$serial" ||
		fail "the serial number page of $serial says: $(sg_vpd --page=sn "$dev")"
	said=$(sg_modes --all "$dev" 2>&1) || fail "sg_modes on $serial: $said"
	grep -qi 'caching' <<< "$said" || fail "no caching mode page on $serial: $said"
done
