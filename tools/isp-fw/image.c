// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read a firmware image of the 16-bit ISP chips: cut it into segments, check their sums, and tell
 * which chips it is for. Nothing in the file is trusted; every position is checked before it is
 * read. Layout and sources: Documentation/hardware/firmware-image.md.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "image.h"

static uint16_t word_at(const uint8_t *data, size_t word)
{
	return data[2 * word] << 8 | data[2 * word + 1];
}

static uint32_t word32_at(const uint8_t *data, size_t word)
{
	return (uint32_t)word_at(data, word) << 16 | word_at(data, word + 1);
}

/**
 * fw_sum16() - the checksum rule of a first segment
 * @data: first byte of the segment
 * @words: its length in words
 *
 * Return: sum of all 16-bit words modulo 2^16; 0 if the segment is undamaged
 */
uint32_t fw_sum16(const uint8_t *data, size_t words)
{
	uint16_t sum = 0;

	for (size_t i = 0; i < words; i++)
		sum += word_at(data, i);
	return sum;
}

/**
 * fw_sum32() - the checksum rule of all segments but the first
 * @data: first byte of the segment
 * @words: its length in 16-bit words, even
 *
 * Return: sum of all 32-bit words modulo 2^32; 0 if the segment is undamaged
 */
uint32_t fw_sum32(const uint8_t *data, size_t words)
{
	uint32_t sum = 0;

	for (size_t i = 0; i + 1 < words; i += 2)
		sum += word32_at(data, i);
	return sum;
}

/**
 * fw_chip_find() - find a chip of the manifest by name
 * @name: such as "ISP2312", "isp2312" or "2312"
 *
 * Return: the chip, or NULL if the manifest has none of that name
 */
const struct fw_chip *fw_chip_find(const char *name)
{
	for (unsigned int i = 0; i < fw_nr_chips; i++)
		if (!strcasecmp(name, fw_chips[i].name) || !strcmp(name, fw_chips[i].name + 3))
			return &fw_chips[i];
	return NULL;
}

/**
 * fw_file_find() - find an image file of the manifest by name
 * @name: file name without folder
 *
 * Return: the file's entry, or NULL if the manifest has none of that name
 */
const struct fw_file *fw_file_find(const char *name)
{
	for (unsigned int i = 0; i < fw_nr_files; i++)
		if (!strcmp(name, fw_files[i].name))
			return &fw_files[i];
	return NULL;
}

/* Note what is wrong; returns false, so that a check can end with it. */
static bool __attribute__((format(printf, 2, 3)))
problem(struct fw_image *img, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(img->problem, sizeof(img->problem), format, args);
	va_end(args);
	return false;
}

/* The text ends at a dollar sign or zero byte; what cannot be printed is left out. */
static void read_text(struct fw_image *img)
{
	size_t n = 0;

	for (size_t i = 2 * FW_WORD_TEXT; i < img->size && n < sizeof(img->text) - 1; i++) {
		if (!img->data[i] || img->data[i] == '$')
			break;
		if (isprint(img->data[i]) && (n || img->data[i] != ' '))
			img->text[n++] = img->data[i];
	}
	while (n && img->text[n - 1] == ' ')
		n--;
	img->text[n] = 0;
	img->stub = !strncmp(img->text, FW_STUB_TEXT, strlen(FW_STUB_TEXT));
}

static bool read_header(struct fw_image *img)
{
	if (img->size > FW_MAX_BYTES)
		return problem(img, "larger than %d bytes: not for a 16-bit ISP", FW_MAX_BYTES);
	if (img->size <= 2 * FW_WORD_TEXT)
		return problem(img, "truncated: %zu bytes hold no header", img->size);
	for (int i = 0; i < 3; i++)
		img->version[i] = word_at(img->data, FW_WORD_VERSION + i);
	img->attributes = word_at(img->data, FW_WORD_ATTRIBUTES);
	read_text(img);
	if (!strstr(img->text, "ISP") || !strstr(img->text, " Firmware"))
		return problem(img, "its text names no chip: not for a 16-bit ISP, or damaged");
	/* such a version is refused by Linux qla2x00_load_risc(), too */
	if ((!img->version[0] && !img->version[1] && !img->version[2]) ||
	    (img->version[0] & img->version[1] & img->version[2]) == 0xffff)
		return problem(img, "damaged: version words are %04x %04x %04x", img->version[0],
			       img->version[1], img->version[2]);
	return true;
}

/* Append the segment that starts at word @offset. The first is 16-bit code, others are 32-bit. */
static bool cut_segment(struct fw_image *img, uint32_t offset, uint32_t total)
{
	unsigned int nr = img->nr_segments + 1;
	uint32_t left = total - offset;
	uint32_t least = nr == 1 ? FW_WORD_TEXT + 1 : FW_HEADER32_WORDS + 2;
	const uint8_t *at = img->data + 2 * (size_t)offset;
	struct fw_segment *seg = &img->segment[img->nr_segments];

	if (nr > FW_MAX_SEGMENTS)
		return problem(img, "%u words follow the last segment", left);
	if (left < least)
		return problem(img, "truncated: %u words are too few for segment %u", left, nr);
	seg->offset = offset;
	seg->words = nr == 1 ? word_at(at, FW_WORD_LENGTH) : word32_at(at, FW_WORD_LENGTH32);
	if (seg->words < least || (nr > 1 && seg->words % 2))
		return problem(img, "damaged: segment %u has an impossible length of %u words", nr,
			       seg->words);
	if (seg->words > left)
		return problem(img, "truncated: segment %u has %u words, the file holds %u of them",
			       nr, seg->words, left);
	seg->load = nr == 1 ? 0 : word32_at(at, FW_WORD_LOAD32);
	seg->sum = nr == 1 ? fw_sum16(at, seg->words) : fw_sum32(at, seg->words);
	img->nr_segments++;
	return true;
}

static bool cut_segments(struct fw_image *img)
{
	uint32_t total = img->size / 2;
	uint32_t offset = 0;

	while (offset < total) {
		if (!cut_segment(img, offset, total))
			return false;
		offset += img->segment[img->nr_segments - 1].words;
	}
	if (img->size % 2)
		return problem(img, "truncated: odd length of %zu bytes", img->size);
	return true;
}

static bool check_sums(struct fw_image *img)
{
	for (unsigned int i = 0; i < img->nr_segments; i++)
		if (img->segment[i].sum)
			return problem(img, "damaged: the sum of segment %u is 0x%0*x, not 0",
				       i + 1, i ? 8 : 4, img->segment[i].sum);
	return true;
}

/* Two files can carry the same chip's name in their text: their number of segments differs. */
static bool identify(struct fw_image *img)
{
	for (unsigned int i = 0; i < fw_nr_files; i++) {
		const struct fw_file *file = &fw_files[i];
		const char *name = strstr(img->text, file->text);

		if (name && !strncmp(name + strlen(file->text), " Firmware", 9) &&
		    file->nr_segments == img->nr_segments)
			img->file = file;
	}
	if (!img->file)
		return problem(img, "not for a known chip: %u segment(s), text \"%s\"",
			       img->nr_segments, img->text);
	img->segment[0].load = img->file->load[0];
	return true;
}

/* First RISC word address that segment @i must not reach. */
static uint32_t segment_end(const struct fw_image *img, unsigned int i)
{
	if (!i)
		return FW_FIRST_END;
	return i + 1 < img->nr_segments ? img->file->load[i + 1] : FW_MAX_BYTES / 2;
}

/* Each segment must go where the chip expects it, and end before the next one starts. */
static bool check_addresses(struct fw_image *img)
{
	for (unsigned int i = 0; i < img->nr_segments; i++) {
		const struct fw_segment *seg = &img->segment[i];
		uint32_t end = segment_end(img, i);

		if (seg->load != img->file->load[i])
			return problem(img, "damaged: segment %u is for address 0x%05x, not 0x%05x",
				       i + 1, seg->load, img->file->load[i]);
		if (seg->words > end - seg->load)
			return problem(img, "damaged: segment %u runs past address 0x%05x", i + 1,
				       end);
	}
	return true;
}

/* What the manifest says about a known image must be what the image says. */
static bool check_known(struct fw_image *img)
{
	char version[32];

	for (unsigned int i = 0; i < fw_nr_known; i++)
		if (!strcmp(img->sha256, fw_known[i].sha256))
			img->known = &fw_known[i];
	if (!img->known)
		return true;

	snprintf(version, sizeof(version), "%u.%02u.%02u", img->version[0], img->version[1],
		 img->version[2]);
	if (img->known->file != img->file || strcmp(version, img->known->version))
		return problem(img, "the manifest calls this image %s %s, its header %s %s",
			       img->known->file->name, img->known->version, img->file->name,
			       version);
	for (unsigned int i = 0; i < img->nr_segments; i++)
		if (img->segment[i].words != img->known->words[i])
			return problem(img, "the manifest gives segment %u %u words, the image %u",
				       i + 1, img->known->words[i], img->segment[i].words);
	return true;
}

/**
 * fw_image_parse() - read an image and check all that can be checked without a card
 * @img: filled in as far as the image can be read
 * @data: contents of the file; must stay as long as @img is used
 * @size: length in bytes
 *
 * Return: true if the image is sound; if not, @img->problem says why
 */
bool fw_image_parse(struct fw_image *img, const void *data, size_t size)
{
	memset(img, 0, sizeof(*img));
	img->data = data;
	img->size = size;
	sha256_hex(data, size, img->sha256);
	return read_header(img) && cut_segments(img) && check_sums(img) && identify(img) &&
	       check_addresses(img) && check_known(img);
}
