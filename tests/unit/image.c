// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's check of firmware images, on images made here (layout and checksums: see
 * Documentation/hardware/firmware-image.md): sound ones, ones cut at each byte, ones with any bit flipped,
 * ones of another chip.
 */
#include "isp_image.h"
#include "unit.h"

#define WORDS 96
#define SEGMENTS 3
#define BYTES (2 * WORDS)

static const struct isp_image_spec one = { "2300", 1, { 0x800 } };
static const struct isp_image_spec three = { "2322", 3, { 0x800, 0x1c000, 0x1e000 } };

static void word(uint8_t *p, unsigned int n, uint16_t value)
{
	p[2 * n] = value >> 8;
	p[2 * n + 1] = value;
}

static uint16_t get(const uint8_t *p, unsigned int n)
{
	return p[2 * n] << 8 | p[2 * n + 1];
}

/* The first segment: 16-bit words that add up to 0. */
static void first_segment(uint8_t *p, const char *chip)
{
	char text[40];
	uint16_t sum = 0;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		word(p, i, 0x1111 * (i % 13));
	word(p, 0, 0x0470);
	word(p, 1, 0);
	word(p, 2, 0);
	word(p, 3, WORDS);
	word(p, 4, 0);
	word(p, 5, 3);
	word(p, 6, 3);
	word(p, 7, 28);
	word(p, 8, 0x0137);
	snprintf(text, sizeof(text), "  ISP%s Firmware  Version 03.03.28", chip);
	memcpy(p + 18, text, 36);
	for (i = 0; i < WORDS - 1; i++)
		sum += get(p, i);
	word(p, WORDS - 1, -sum);
}

/* A later segment: 32-bit words, high half first, that add up to 0. */
static void later_segment(uint8_t *p, uint32_t addr)
{
	uint32_t sum = 0;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		word(p, i, 0x0101 * (i % 29));
	word(p, 2, 0);
	word(p, 3, WORDS);
	word(p, 4, addr >> 16);
	word(p, 5, addr);
	for (i = 0; i < WORDS - 2; i += 2)
		sum += (uint32_t)get(p, i) << 16 | get(p, i + 1);
	word(p, WORDS - 2, -sum >> 16);
	word(p, WORDS - 1, -sum);
}

static void make(uint8_t *p, const struct isp_image_spec *spec)
{
	unsigned int n;

	first_segment(p, spec->chip);
	for (n = 1; n < spec->segs; n++)
		later_segment(p + n * BYTES, spec->addr[n]);
}

/* The bytes in memory of their own, so that a sanitizer sees a read behind them. */
static enum isp_image_fault check(const uint8_t *bytes, size_t size, const struct isp_image_spec *spec,
				  struct isp_image *image)
{
	uint8_t *copy = malloc(size ? size : 1);
	enum isp_image_fault fault;

	memcpy(copy, bytes, size);
	fault = isp_image_check(copy, size, spec, image);
	CHECK(strlen(isp_image_fault_str(fault)) > 0, "fault %d has no text", fault);
	free(copy);
	return fault;
}

static void good(const struct isp_image_spec *spec)
{
	uint8_t bytes[SEGMENTS * BYTES];
	struct isp_image image;
	unsigned int n;

	make(bytes, spec);
	CHECK(check(bytes, spec->segs * BYTES, spec, &image) == ISP_IMAGE_OK, "ISP%s: refused", spec->chip);
	CHECK(image.version[0] == 3 && image.version[1] == 3 && image.version[2] == 28, "version");
	CHECK(image.segs == spec->segs, "%u segments", image.segs);
	for (n = 0; n < image.segs; n++)
		CHECK(image.seg[n].words == WORDS && image.seg[n].addr == spec->addr[n], "segment %u", n);
}

static void cut_and_lengthened(const struct isp_image_spec *spec)
{
	uint8_t bytes[SEGMENTS * BYTES + 2] = { 0 };
	size_t size = spec->segs * BYTES, n;
	struct isp_image image;

	make(bytes, spec);
	for (n = 0; n < size; n++)
		CHECK(check(bytes, n, spec, &image) != ISP_IMAGE_OK, "ISP%s cut to %zu of %zu bytes is taken",
		      spec->chip, n, size);
	for (n = size + 1; n <= size + 2; n++)
		CHECK(check(bytes, n, spec, &image) != ISP_IMAGE_OK, "ISP%s with %zu bytes too many is taken",
		      spec->chip, n - size);
}

static void flipped_bits(const struct isp_image_spec *spec)
{
	uint8_t bytes[SEGMENTS * BYTES];
	size_t size = spec->segs * BYTES, bit, taken[SEGMENTS] = { 0 };
	struct isp_image image;
	unsigned int n;

	for (bit = 0; bit < size * 8; bit++) {
		make(bytes, spec);
		bytes[bit / 8] ^= 1 << bit % 8;
		taken[bit / 8 / BYTES] += check(bytes, size, spec, &image) == ISP_IMAGE_OK;
	}
	for (n = 0; n < spec->segs; n++)
		CHECK(!taken[n], "ISP%s: %zu of %u flips of one bit in segment %u are taken", spec->chip,
		      taken[n], BYTES * 8, n + 1);
}

static void foreign(void)
{
	uint8_t bytes[SEGMENTS * BYTES];
	struct isp_image image;

	make(bytes, &three);
	CHECK(check(bytes, SEGMENTS * BYTES, &one, &image) != ISP_IMAGE_OK, "an ISP2300 takes ISP2322's");
	make(bytes, &one);
	CHECK(check(bytes, BYTES, &three, &image) != ISP_IMAGE_OK, "an ISP2322 takes ISP2300's");
	first_segment(bytes, "2200");
	CHECK(check(bytes, BYTES, &one, &image) == ISP_IMAGE_CHIP, "an ISP2300 takes ISP2200's");
}

int main(void)
{
	good(&one);
	good(&three);
	cut_and_lengthened(&one);
	cut_and_lengthened(&three);
	flipped_bits(&one);
	flipped_bits(&three);
	foreign();
	return unit_result();
}
