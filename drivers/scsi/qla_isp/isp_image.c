// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of a firmware image against what a chip needs. Pure functions; the
 * format is described in isp_image.h.
 */
#include "isp_image.h"

/* Words of the header that are looked at before anything is believed. */
#define IMAGE_HEADER_WORDS	10
/* The text that names the chip lies within these bytes. */
#define IMAGE_TEXT_FROM		18
#define IMAGE_TEXT_TO		96

static __u16 image_word(const __u8 *data, __u32 n)
{
	return data[2 * n] << 8 | data[2 * n + 1];
}

/* Does the image name a chip ("ISPnnnn"), and is it another one? */
static int image_other_chip(const __u8 *data, size_t size, const char *chip)
{
	size_t end = size < IMAGE_TEXT_TO ? size : IMAGE_TEXT_TO;
	const __u8 *p;
	size_t i;
	int k;

	for (i = IMAGE_TEXT_FROM; i + 7 <= end; i++) {
		p = data + i;
		if (p[0] != 'I' || p[1] != 'S' || p[2] != 'P')
			continue;
		for (k = 0; k < 4; k++)
			if (p[3 + k] != (__u8)chip[k])
				return 1;
		return 0;
	}
	return 0;
}

/* The first segment's 16-bit words sum to 0, a further one's 32-bit words. */
static int image_sum_bad(const __u8 *data, __u32 words, unsigned int n)
{
	__u32 sum = 0, i;

	if (!n) {
		for (i = 0; i < words; i++)
			sum += image_word(data, i);
		return sum & 0xffff;
	}
	for (i = 0; i + 1 < words; i += 2)
		sum += (__u32)image_word(data, i) << 16 |
		       image_word(data, i + 1);
	return sum || words & 1;
}

static enum isp_image_fault image_segment(const __u8 *data, size_t size,
					  __u32 addr, unsigned int n,
					  struct isp_image *image)
{
	__u32 words, at;

	if (size < 2 * IMAGE_HEADER_WORDS)
		return ISP_IMAGE_SHORT;
	words = image_word(data, 3);
	if (words < IMAGE_HEADER_WORDS)
		return ISP_IMAGE_HEADER;
	if (size / 2 < words)
		return ISP_IMAGE_SHORT;
	at = (__u32)(image_word(data, 4) & 0x3f) << 16 | image_word(data, 5);
	if (n && at != addr)
		return ISP_IMAGE_SEGMENT;
	image->seg[n].data = data;
	image->seg[n].words = words;
	image->seg[n].addr = addr;
	return ISP_IMAGE_OK;
}

static enum isp_image_fault image_version(const __u8 *data,
					  struct isp_image *image)
{
	__u16 all = 0, any = 0xffff;
	int i;

	for (i = 4; i < 8; i++) {
		all |= image_word(data, i);
		any &= image_word(data, i);
	}
	if (!all || any == 0xffff)
		return ISP_IMAGE_HEADER;
	for (i = 0; i < 3; i++)
		image->version[i] = image_word(data, 5 + i);
	return ISP_IMAGE_OK;
}

/**
 * isp_image_check() - check an image before it is loaded
 * @data: the image
 * @size: its size, bytes
 * @spec: what the chip needs
 * @image: filled in if the image passes; points into @data
 *
 * Return: ISP_IMAGE_OK or what is wrong with it.
 */
enum isp_image_fault isp_image_check(const __u8 *data, size_t size,
				     const struct isp_image_spec *spec,
				     struct isp_image *image)
{
	enum isp_image_fault fault;
	size_t off = 0;
	unsigned int n;

	if (size < 2 * IMAGE_HEADER_WORDS)
		return ISP_IMAGE_SHORT;
	fault = image_version(data, image);
	if (fault)
		return fault;
	if (image_other_chip(data, size, spec->chip))
		return ISP_IMAGE_CHIP;
	for (n = 0; n < spec->segs; n++) {
		fault = image_segment(data + off, size - off, spec->addr[n],
				      n, image);
		if (fault)
			return fault;
		off += 2 * (size_t)image->seg[n].words;
	}
	image->segs = spec->segs;
	if (off != size)
		return ISP_IMAGE_LONG;
	for (n = 0; n < spec->segs; n++)
		if (image_sum_bad(image->seg[n].data, image->seg[n].words, n))
			return ISP_IMAGE_SUM;
	return ISP_IMAGE_OK;
}

/**
 * isp_image_fault_str() - what to tell the user about an unusable image
 * @fault: from isp_image_check()
 *
 * Return: a constant text.
 */
const char *isp_image_fault_str(enum isp_image_fault fault)
{
	switch (fault) {
	case ISP_IMAGE_SHORT:
		return "is truncated, or for another chip";
	case ISP_IMAGE_LONG:
		return "has bytes too many (wrong chip?)";
	case ISP_IMAGE_HEADER:
		return "has no valid header";
	case ISP_IMAGE_CHIP:
		return "is for another chip";
	case ISP_IMAGE_SEGMENT:
		return "has a segment for another address (wrong chip?)";
	case ISP_IMAGE_SUM:
		return "is damaged (checksum)";
	case ISP_IMAGE_OK:
		break;
	}
	return "is usable";
}
