// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dumps of failed cards: what the driver has written in front of them, and what of the RISC's memory can be told
 * from the image that was loaded into it. The format: Documentation/hardware/risc.md.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dump.h"

#define FIRST_LINE "qla_isp dump 1\n"
/* This many places at which memory and image differ are shown. */
#define SHOWN 8

static uint16_t word_le(const uint8_t *at)
{
	return at[0] | at[1] << 8;
}

static bool read_memory_line(struct fw_dump *dump)
{
	const char *line = strstr(dump->text, "\nmemory ");

	return line && sscanf(line, "\nmemory %x %u words\n", &dump->first, &dump->words) == 2;
}

/**
 * fw_dump_parse() - find a dump's parts
 * @dump: filled in
 * @data: contents of the file; must stay as long as @dump is used
 * @size: length in bytes
 *
 * Return: NULL, or what is wrong with it
 */
const char *fw_dump_parse(struct fw_dump *dump, const uint8_t *data, size_t size)
{
	memset(dump, 0, sizeof(*dump));
	if (size < FW_DUMP_TEXT || memcmp(data, FIRST_LINE, strlen(FIRST_LINE)))
		return "not a dump of qla_isp";
	memcpy(dump->text, data, FW_DUMP_TEXT);
	dump->text[FW_DUMP_TEXT] = 0;
	for (const char *c = dump->text; *c; c++)
		if (!isprint((unsigned char)*c) && *c != '\n')
			return "damaged: its text is none";
	if (!read_memory_line(dump))
		return "damaged: it does not say how much memory follows";
	if (dump->words > FW_MAX_BYTES / 2 || dump->first > FW_MAX_BYTES / 2)
		return "damaged: no chip has so much memory";
	if (size < FW_DUMP_TEXT + 2 * (size_t)dump->words)
		return "truncated";
	dump->memory = data + FW_DUMP_TEXT;
	return NULL;
}

/* The driver's lines, one under the other; the time in words. */
static void print_text(const struct fw_dump *dump)
{
	const char *line = strchr(dump->text, '\n') + 1, *end;
	char when[32];
	time_t t;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		size_t key = strcspn(line, " \n");
		const char *value = line + key + (line[key] == ' ');

		if (!strncmp(line, "time ", 5)) {
			t = strtoll(value, NULL, 10);
			strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", gmtime(&t));
			printf("  %-11s %s\n", "time", when);
		} else if (!strncmp(line, "memory ", 7)) {
			printf("  %-11s %u words from 0x%05x on\n", "memory", dump->words, dump->first);
		} else {
			printf("  %-11.*s %.*s\n", (int)key, line, (int)(end - value), value);
		}
	}
}

/* Memory as an image would have it: words with the high byte first. */
static uint8_t *as_image(const struct fw_dump *dump)
{
	uint8_t *bytes = malloc(2 * (size_t)dump->words + 1);

	for (uint32_t i = 0; bytes && i < dump->words; i++) {
		bytes[2 * i] = dump->memory[2 * i + 1];
		bytes[2 * i + 1] = dump->memory[2 * i];
	}
	return bytes;
}

/* What is in front of the memory is the header of the firmware that ran, if anything is left of it. */
static void print_firmware(const struct fw_dump *dump, const uint8_t *bytes)
{
	struct fw_image img;

	fw_image_parse(&img, bytes, 2 * (size_t)dump->words);
	if (!strstr(img.text, "Firmware")) {
		printf("  in memory   no firmware's header\n");
		return;
	}
	printf("  in memory   %s\n", img.text);
	printf("  version     %u.%02u.%02u\n", img.version[0], img.version[1], img.version[2]);
}

static void print_difference(const struct fw_dump *dump, const struct fw_image *img, unsigned int nr)
{
	const struct fw_segment *seg = &img->segment[nr];
	uint32_t missing = 0, differ = 0;

	for (uint32_t i = 0; i < seg->words; i++) {
		uint32_t addr = seg->load + i;
		const uint8_t *at = img->data + 2 * ((size_t)seg->offset + i);
		uint16_t want = at[0] << 8 | at[1], have;

		if (addr < dump->first || addr - dump->first >= dump->words) {
			missing++;
			continue;
		}
		have = word_le(dump->memory + 2 * (size_t)(addr - dump->first));
		if (have == want)
			continue;
		if (differ++ < SHOWN)
			printf("    0x%05x  %04x instead of %04x\n", addr, have, want);
	}
	printf("  segment %u   %u of %u words differ from the image", nr + 1, differ, seg->words);
	if (missing)
		printf(", %u are not in the dump", missing);
	printf("\n");
}

/**
 * fw_dump_print() - show a dump
 * @dump: it
 * @img: the image that was loaded, sound, to be compared with memory; or NULL
 *
 * Return: whether there was memory enough
 */
bool fw_dump_print(const struct fw_dump *dump, const struct fw_image *img)
{
	uint8_t *bytes = as_image(dump);

	if (!bytes)
		return false;
	print_text(dump);
	if (dump->words)
		print_firmware(dump, bytes);
	for (unsigned int nr = 0; img && nr < img->nr_segments; nr++)
		print_difference(dump, img, nr);
	free(bytes);
	return true;
}
