// SPDX-License-Identifier: GPL-2.0-only
/*
 * isp-fw: look at, check and make firmware images of the 16-bit ISP chips. This file is the command
 * line; what an image is, is in image.c.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"

enum {
	EXIT_SOUND = 0,
	EXIT_UNSOUND = 1,
	EXIT_TROUBLE = 2,
};

static const char * const attribute_name[] = {
	"target mode", "SCC LUNs", "fabric", "class 2", "FC-Tape",
	"IP", "VI", "VI (Solaris)", "extended ids",
};

static void print_help(void)
{
	printf("Usage: isp-fw info FILE...\n"
	       "       isp-fw verify [--chip CHIP] [--known] [--quiet] FILE...\n"
	       "       isp-fw stub CHIP OUT\n"
	       "       isp-fw dump FILE [IMAGE]\n"
	       "       isp-fw --help\n"
	       "\n"
	       "Look at, check and make firmware images of QLogic's 16-bit ISP Fibre Channel chips.\n"
	       "\n"
	       "  info    show version, attributes, segments, sums, and whether the image is known\n"
	       "  verify  check format, length and the sum of each segment, and that an image under one\n"
	       "          of the distribution's file names is for that name's chips; one line per file\n"
	       "  stub    write an image without code to OUT, for the virtual card alone; it is marked\n"
	       "          as a stub, has version 0.0.1, and must not be loaded into a real card\n"
	       "  dump    show what the driver has kept of a failed card (/sys/class/devcoredump), and at\n"
	       "          which words its memory differs from the image that was loaded\n"
	       "\n"
	       "  -c, --chip CHIP  the image must be for this chip, whatever the file is called\n"
	       "  -k, --known      the image must be one of the vendor's that the manifest lists\n"
	       "  -q, --quiet      say nothing about sound images\n"
	       "  -h, --help       this text\n"
	       "\n"
	       "Chips:");
	for (unsigned int i = 0; i < fw_nr_chips; i++)
		printf(" %s", fw_chips[i].name);
	printf("\n"
	       "Exit:  0 all well; 1 an image is damaged, for another chip, or (with --known) not known;\n"
	       "       2 wrong usage, or a file that cannot be read or written\n");
}

/* Wrong usage: say what was wrong and where to read more. */
static int usage_error(const char *what, const char *arg)
{
	fprintf(stderr, "isp-fw: %s%s%s; see isp-fw --help\n", what, arg ? " " : "",
		arg ? arg : "");
	return EXIT_TROUBLE;
}

/* Read @path, at most one byte more than an image can have; NULL after an error message. */
static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	uint8_t *data;

	if (!in) {
		fprintf(stderr, "isp-fw: %s: %s; get the images with firmware/get\n", path,
			strerror(errno));
		return NULL;
	}
	data = malloc(FW_MAX_BYTES + 1);
	if (!data) {
		fprintf(stderr, "isp-fw: %s: out of memory\n", path);
		fclose(in);
		return NULL;
	}
	*size = fread(data, 1, FW_MAX_BYTES + 1, in);
	if (ferror(in)) {
		fprintf(stderr, "isp-fw: %s: %s; get the images with firmware/get\n", path,
			strerror(errno));
		free(data);
		data = NULL;
	}
	fclose(in);
	return data;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "ISP2300, ISP2312, ISP6312": the chips that run the image file */
static const char *chips_of(const struct fw_file *file)
{
	static char text[128];
	size_t n = 0;

	text[0] = 0;
	for (unsigned int i = 0; i < fw_nr_chips && n < sizeof(text); i++)
		if (fw_chips[i].file == file)
			n += snprintf(text + n, sizeof(text) - n, "%s%s", n ? ", " : "",
				      fw_chips[i].name);
	return text;
}

static const char *standing(const struct fw_image *img)
{
	if (img->known)
		return "vendor image, in the manifest";
	if (img->stub)
		return "stub, not vendor firmware";
	return "not in the manifest";
}

static void print_attributes(uint16_t attributes)
{
	const char *separator = " (";

	printf("  attributes  %04x", attributes);
	for (size_t i = 0; i < sizeof(attribute_name) / sizeof(attribute_name[0]); i++) {
		if (attributes & 1u << i) {
			printf("%s%s", separator, attribute_name[i]);
			separator = ", ";
		}
	}
	printf("%s\n", separator[0] == ',' ? ")" : "");
}

static void print_segments(const struct fw_image *img)
{
	for (unsigned int i = 0; i < img->nr_segments; i++) {
		const struct fw_segment *seg = &img->segment[i];

		printf("  segment %u   ", i + 1);
		if (img->file || i)
			printf("load address 0x%05x, ", seg->load);
		printf("%u words, %s sum %0*x%s\n", seg->words, i ? "32-bit" : "16-bit", i ? 8 : 4,
		       seg->sum, seg->sum ? ": damaged" : "");
	}
}

static int info(const char *path)
{
	struct fw_image img;
	bool sound;
	size_t size;
	uint8_t *data = read_file(path, &size);

	if (!data)
		return EXIT_TROUBLE;
	sound = fw_image_parse(&img, data, size);
	printf("%s:\n", path);
	if (img.file)
		printf("  for         %s (%s)\n", chips_of(img.file), img.file->name);
	if (img.text[0]) {
		printf("  version     %u.%02u.%02u\n", img.version[0], img.version[1],
		       img.version[2]);
		print_attributes(img.attributes);
		printf("  text        %s\n", img.text);
	}
	print_segments(&img);
	printf("  sha256      %s\n", img.sha256);
	printf("  standing    %s\n", sound ? standing(&img) : img.problem);
	free(data);
	return sound ? EXIT_SOUND : EXIT_UNSOUND;
}

/**
 * struct demands - what verify asks of an image beyond being sound
 * @chip: chip that it must be for; NULL: whatever the file's name says, if that is in the manifest
 * @known: it must be in the manifest
 * @quiet: say nothing about images that meet all this
 */
struct demands {
	const struct fw_chip *chip;
	bool known;
	bool quiet;
};

/* Is the image for the chip that was named, or else for the name that the file has? */
static bool for_right_chip(const char *path, const struct fw_image *img, const struct demands *want)
{
	const struct fw_file *file = want->chip ? want->chip->file : fw_file_find(base_name(path));

	if (!file || file == img->file)
		return true;
	fprintf(stderr, "isp-fw: %s: wrong chip: this is %s, for %s", path, img->file->name,
		chips_of(img->file));
	if (want->chip)
		fprintf(stderr, ", not for %s", want->chip->name);
	else
		fprintf(stderr, ", not for %s", chips_of(file));
	fprintf(stderr, "; get %s with firmware/get\n", file->name);
	return false;
}

static int verify(const char *path, const struct demands *want)
{
	struct fw_image img;
	size_t size;
	int result = EXIT_UNSOUND;
	uint8_t *data = read_file(path, &size);

	if (!data)
		return EXIT_TROUBLE;
	if (!fw_image_parse(&img, data, size)) {
		fprintf(stderr, "isp-fw: %s: %s; get it again with firmware/get\n", path,
			img.problem);
	} else if (!for_right_chip(path, &img, want)) {
		/* said there */
	} else if (want->known && !img.known) {
		fprintf(stderr,
			"isp-fw: %s: %s %u.%02u.%02u, %s; get a known image with firmware/get\n",
			path, img.file->name, img.version[0], img.version[1], img.version[2],
			standing(&img));
	} else {
		if (!want->quiet)
			printf("%s: %s %u.%02u.%02u, for %s; %s\n", path, img.file->name,
			       img.version[0], img.version[1], img.version[2], chips_of(img.file),
			       standing(&img));
		result = EXIT_SOUND;
	}
	free(data);
	return result;
}

/* Write @data to @path, whole or not at all. */
static int write_file(const char *path, const uint8_t *data, size_t len)
{
	size_t room = strlen(path) + sizeof(".tmp");
	char *tmp = malloc(room);
	FILE *out;
	bool failed;

	if (!tmp) {
		fprintf(stderr, "isp-fw: %s: out of memory\n", path);
		return EXIT_TROUBLE;
	}
	snprintf(tmp, room, "%s.tmp", path);
	out = fopen(tmp, "wb");
	failed = !out;
	if (out) {
		failed = fwrite(data, 1, len, out) != len;
		failed |= fclose(out) != 0;
		failed = failed || rename(tmp, path) != 0;
	}
	if (failed) {
		fprintf(stderr, "isp-fw: %s: %s; name a folder that can be written to\n", path,
			strerror(errno));
		if (out)
			unlink(tmp);
	}
	free(tmp);
	return failed ? EXIT_TROUBLE : EXIT_SOUND;
}

static int stub(const char *chip_name, const char *path)
{
	const struct fw_chip *chip = fw_chip_find(chip_name);
	static uint8_t data[FW_MAX_BYTES];

	if (!chip)
		return usage_error("no such chip:", chip_name);
	return write_file(path, data, fw_stub_make(chip->file, data, sizeof(data)));
}

/* Show the dump in @path; @image, if not NULL, is the file that was loaded. */
static int dump(const char *path, const char *image)
{
	struct fw_image img;
	struct fw_dump parts;
	const char *problem;
	size_t size, image_size;
	uint8_t *data = read_file(path, &size), *loaded = NULL;
	int result = EXIT_TROUBLE;

	if (!data)
		return EXIT_TROUBLE;
	problem = fw_dump_parse(&parts, data, size);
	if (problem) {
		fprintf(stderr, "isp-fw: %s: %s; copy it from /sys/class/devcoredump again\n", path,
			problem);
		result = EXIT_UNSOUND;
	} else if (image && !(loaded = read_file(image, &image_size))) {
		/* said there */
	} else if (image && !fw_image_parse(&img, loaded, image_size)) {
		fprintf(stderr, "isp-fw: %s: %s; get it again with firmware/get\n", image,
			img.problem);
		result = EXIT_UNSOUND;
	} else {
		printf("%s:\n", path);
		if (fw_dump_print(&parts, image ? &img : NULL))
			result = EXIT_SOUND;
		else
			fprintf(stderr, "isp-fw: %s: out of memory\n", path);
	}
	free(loaded);
	free(data);
	return result;
}

/* Read verify's options; returns the index of the first file in @argv, or -1. */
static int read_demands(int argc, char **argv, struct demands *want)
{
	static const struct option options[] = {
		{ "chip", required_argument, NULL, 'c' },
		{ "known", no_argument, NULL, 'k' },
		{ "quiet", no_argument, NULL, 'q' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "c:kq", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			want->chip = fw_chip_find(optarg);
			if (!want->chip) {
				usage_error("no such chip:", optarg);
				return -1;
			}
			break;
		case 'k':
			want->known = true;
			break;
		case 'q':
			want->quiet = true;
			break;
		default: /* getopt_long() said what is wrong */
			return -1;
		}
	}
	return optind;
}

/* The worst of the results of all files is the result. */
static int verify_all(int argc, char **argv)
{
	struct demands want = { 0 };
	int result = EXIT_SOUND;
	int first = read_demands(argc, argv, &want);

	if (first < 0)
		return EXIT_TROUBLE;
	if (first == argc)
		return usage_error("verify: which files?", NULL);
	for (int i = first; i < argc; i++) {
		int one = verify(argv[i], &want);

		if (one > result)
			result = one;
	}
	return result;
}

static int info_all(int argc, char **argv)
{
	int result = EXIT_SOUND;

	if (argc < 2)
		return usage_error("info: which files?", NULL);
	for (int i = 1; i < argc; i++) {
		int one = info(argv[i]);

		if (one > result)
			result = one;
	}
	return result;
}

int main(int argc, char **argv)
{
	static char name[] = "isp-fw";
	const char *verb = argc > 1 ? argv[1] : "";
	int result;

	if (argc > 1)
		argv[1] = name;	/* what getopt_long() starts its messages with */
	if (!strcmp(verb, "-h") || !strcmp(verb, "--help")) {
		print_help();
		result = EXIT_SOUND;
	} else if (!strcmp(verb, "info")) {
		result = info_all(argc - 1, argv + 1);
	} else if (!strcmp(verb, "verify")) {
		result = verify_all(argc - 1, argv + 1);
	} else if (!strcmp(verb, "stub")) {
		result = argc == 4 ? stub(argv[2], argv[3])
				   : usage_error("stub: a chip and a file are wanted", NULL);
	} else if (!strcmp(verb, "dump")) {
		result = argc == 3 || argc == 4 ? dump(argv[2], argc == 4 ? argv[3] : NULL)
						: usage_error("dump: a file is wanted", NULL);
	} else {
		result = usage_error("info, verify, stub or dump is wanted, not",
				     argc > 1 ? verb : "nothing");
	}
	if (fflush(stdout)) {
		fprintf(stderr, "isp-fw: standard output: %s\n", strerror(errno));
		result = EXIT_TROUBLE;
	}
	return result;
}
