// SPDX-License-Identifier: GPL-2.0-only
/*
 * Make stub images: they have the header, segments and checksums of the vendor's images, so that a
 * driver loads them and the virtual card starts them, but hold no code. No real card can run one.
 */
#include <stdio.h>
#include <string.h>

#include "image.h"

#define FIRST_WORDS 256u
#define LATER_WORDS 64u

/* 0.0.1: no vendor image has a major version of 0 */
static const uint16_t stub_version[3] = { 0, 0, 1 };

static void put_word(uint8_t *data, size_t word, uint16_t value)
{
	data[2 * word] = value >> 8;
	data[2 * word + 1] = value & 0xff;
}

static void put_word32(uint8_t *data, size_t word, uint32_t value)
{
	put_word(data, word, value >> 16);
	put_word(data, word + 1, value & 0xffff);
}

static void make_first(const struct fw_file *file, uint8_t *data)
{
	put_word(data, FW_WORD_LENGTH, FIRST_WORDS);
	for (int i = 0; i < 3; i++)
		put_word(data, FW_WORD_VERSION + i, stub_version[i]);
	put_word(data, FW_WORD_ATTRIBUTES, file->attributes);
	snprintf((char *)data + 2 * FW_WORD_TEXT, FW_TEXT_MAX,
		 "%s: %s Firmware  Version %02u.%02u.%02u $", FW_STUB_TEXT, file->text,
		 stub_version[0], stub_version[1], stub_version[2]);
	put_word(data, FIRST_WORDS - 1, -fw_sum16(data, FIRST_WORDS));
}

static void make_later(uint8_t *data, uint32_t load)
{
	put_word32(data, FW_WORD_LENGTH32, LATER_WORDS);
	put_word32(data, FW_WORD_LOAD32, load);
	strcpy((char *)data + 2 * FW_HEADER32_WORDS, FW_STUB_TEXT);
	put_word32(data, LATER_WORDS - 2, -fw_sum32(data, LATER_WORDS));
}

/**
 * fw_stub_make() - make a stub of an image file
 * @file: file to stand in for
 * @data: where to put it
 * @size: room there, in bytes; FW_MAX_BYTES is always enough
 *
 * Return: length of the stub in bytes, 0 if there is not room enough
 */
size_t fw_stub_make(const struct fw_file *file, uint8_t *data, size_t size)
{
	size_t len = 2 * (FIRST_WORDS + (file->nr_segments - 1) * LATER_WORDS);

	if (len > size)
		return 0;
	memset(data, 0, len);
	make_first(file, data);
	for (unsigned int i = 1; i < file->nr_segments; i++)
		make_later(data + 2 * (FIRST_WORDS + (i - 1) * LATER_WORDS), file->load[i]);
	return len;
}
