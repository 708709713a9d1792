// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The RISC's RAM: 16-bit words at word addresses, the checksum over a firmware image in it, and what
 * the image's header says.  Layout and checksum: Documentation/hardware/firmware-image.md.
 *
 * RAM keeps its contents over every reset but power-on, when it holds zeroes here.
 */
#include "board.h"

enum {
	HDR_LENGTH = 3,
	HDR_MAJOR = 5,
	HDR_MINOR = 6,
	HDR_SUB = 7,
	HDR_ATTRIBUTES = 8,
	HDR_WORDS = 9,
};

bool isp_ram_read(IspState *s, uint32_t addr, uint16_t *val)
{
	if (addr >= s->chip->ram_words)
		return false;
	*val = s->board->ram[addr];
	return true;
}

bool isp_ram_write(IspState *s, uint32_t addr, uint16_t val)
{
	if (addr >= s->chip->ram_words)
		return false;
	s->board->ram[addr] = val;
	return true;
}

/* Words of the image at @addr, 0: its header cannot be that of an image. */
static uint32_t image_words(IspState *s, uint32_t addr)
{
	uint32_t words;

	if (addr >= s->chip->ram_words || s->chip->ram_words - addr < HDR_WORDS)
		return 0;
	words = s->board->ram[addr + HDR_LENGTH];
	if (words < HDR_WORDS || words > s->chip->ram_words - addr)
		return 0;
	return words;
}

bool isp_ram_checksum_ok(IspState *s, uint32_t addr, uint16_t *sum)
{
	uint32_t words = image_words(s, addr), i;

	*sum = 0;
	for (i = 0; i < words; i++)
		*sum += s->board->ram[addr + i];
	return words && *sum == 0;
}

bool isp_ram_image_info(IspState *s, uint32_t addr, IspImageInfo *info)
{
	uint32_t words = image_words(s, addr);
	const uint16_t *image = s->board->ram + addr;

	memset(info, 0, sizeof(*info));
	if (!words)
		return false;
	info->major = image[HDR_MAJOR];
	info->minor = image[HDR_MINOR];
	info->sub = image[HDR_SUB];
	info->attributes = image[HDR_ATTRIBUTES];
	info->end = addr + words;
	return true;
}

void isp_ram_init(IspState *s)
{
	s->board->ram = g_new0(uint16_t, s->chip->ram_words);
}

void isp_ram_finish(IspState *s)
{
	g_free(s->board->ram);
}
