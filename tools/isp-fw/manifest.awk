# SPDX-License-Identifier: GPL-2.0-only
# Turn firmware/manifest into the tables that manifest.h declares. The manifest's first lines explain
# its statements; any line that is not one of them ends the build with its number.

function fail(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	failed = 1
	exit 1
}

# "1c000,1e000" as C initialisers with the given prefix; n elements are left in count.
function list(text, pattern, prefix,	part, i, out)
{
	count = split(text, part, ",")
	if (count < 1 || count > 4)
		fail("1 to 4 segments wanted: " text)
	for (i = 1; i <= count; i++) {
		if (part[i] !~ pattern)
			fail("not a number: " part[i])
		out = out (i > 1 ? ", " : "") prefix part[i]
	}
	return out
}

/^[ \t]*(#|$)/ { next }

$1 == "file" && NF == 5 {
	if ($3 !~ /^ISP[0-9][0-9][0-9][0-9]$/)
		fail("not a chip: " $3)
	if ($2 in file)
		fail("twice: " $2)
	if ($4 !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/)
		fail("not four hexadecimal digits: " $4)
	addresses = list($5, "^[0-9a-f]+$", "0x")
	file[$2] = files++
	segments[$2] = count
	file_row[file[$2]] = sprintf("\t{ \"%s\", \"%s\", 0x%s, { %s }, %d },", $2, $3, $4, addresses, count)
	next
}

$1 == "chip" && NF == 3 {
	if ($2 !~ /^ISP[0-9][0-9][0-9][0-9]$/)
		fail("not a chip: " $2)
	if (!($3 in file))
		fail("no such file statement above: " $3)
	chip_row[chips++] = sprintf("\t{ \"%s\", &fw_files[%d] },", $2, file[$3])
	next
}

$1 == "image" && NF == 5 {
	if (!($2 in file))
		fail("no such file statement above: " $2)
	if ($3 !~ /^[0-9]+\.[0-9]+\.[0-9]+$/)
		fail("not a version: " $3)
	if (length($4) != 64 || $4 !~ /^[0-9a-f]+$/)
		fail("not a sha256 sum: " $4)
	words = list($5, "^[0-9]+$", "")
	if (count != segments[$2])
		fail($2 " has " segments[$2] " segments")
	image_row[images++] = sprintf("\t{ &fw_files[%d], \"%s\",\n\t  \"%s\", { %s } },", file[$2], $3, $4, words)
	next
}

{ fail("not a statement of this file: " $0) }

END {
	if (failed)
		exit 1
	if (!files || !chips || !images) {
		print FILENAME ": no file, chip or image statement" > "/dev/stderr"
		exit 1
	}
	print "// SPDX-License-Identifier: GPL-2.0-only"
	print "// Made from firmware/manifest by manifest.awk."
	print "#include \"manifest.h\"\n"
	print "const struct fw_file fw_files[] = {"
	for (i = 0; i < files; i++)
		print file_row[i]
	printf "};\nconst unsigned int fw_nr_files = %d;\n\n", files
	print "const struct fw_chip fw_chips[] = {"
	for (i = 0; i < chips; i++)
		print chip_row[i]
	printf "};\nconst unsigned int fw_nr_chips = %d;\n\n", chips
	print "const struct fw_known fw_known[] = {"
	for (i = 0; i < images; i++)
		print image_row[i]
	printf "};\nconst unsigned int fw_nr_known = %d;\n", images
}
