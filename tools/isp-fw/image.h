/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A firmware image of the 16-bit ISP chips: its layout, and what reading one tells. The layout is
 * described, with its sources, in Documentation/hardware/firmware-image.md.
 */
#ifndef ISP_FW_IMAGE_H
#define ISP_FW_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest.h"
#include "sha256.h"

/* Twice what the largest chip could hold: the third segment of the 2322 starts at word 0x1e000 */
#define FW_MAX_BYTES (512 * 1024)

/* words of the first segment's header */
#define FW_WORD_LENGTH	   3
#define FW_WORD_VERSION	   5
#define FW_WORD_ATTRIBUTES 8
#define FW_WORD_TEXT	   9
/* words of a later segment's header: both numbers have 32 bits, high half first */
#define FW_WORD_LENGTH32  2
#define FW_WORD_LOAD32	  4
#define FW_HEADER32_WORDS 6
/* addresses of the first segment have 16 bits */
#define FW_FIRST_END 0x10000u

#define FW_TEXT_MAX    96
#define FW_PROBLEM_MAX 256
#define FW_STUB_TEXT   "qla_isp stub, not vendor firmware"

/**
 * struct fw_segment - a part of an image that is loaded in one piece
 * @offset: its first word in the file, in words
 * @words: its length in words, header and checksum included
 * @load: RISC word address that it is loaded to
 * @sum: sum over the segment, 0 if it is undamaged: of 16-bit words in the first segment, of 32-bit
 *	words in the others
 */
struct fw_segment {
	uint32_t offset;
	uint32_t words;
	uint32_t load;
	uint32_t sum;
};

/**
 * struct fw_image - what is known about an image that was read
 * @data: contents of the file
 * @size: its length in bytes
 * @file: what the image is by its contents, NULL if that could not be told
 * @known: entry of the manifest with the same contents, or NULL
 * @stub: made by isp-fw, not by the vendor
 * @version: major, minor and sub-minor version
 * @attributes: firmware attributes
 * @text: text in the first segment, printable characters only
 * @sha256: sum over the whole file
 * @segment: segments found so far
 * @nr_segments: how many those are
 * @problem: what is wrong with the image, empty if nothing is
 */
struct fw_image {
	const uint8_t *data;
	size_t size;
	const struct fw_file *file;
	const struct fw_known *known;
	bool stub;
	uint16_t version[3];
	uint16_t attributes;
	char text[FW_TEXT_MAX];
	char sha256[SHA256_HEX];
	struct fw_segment segment[FW_MAX_SEGMENTS];
	unsigned int nr_segments;
	char problem[FW_PROBLEM_MAX];
};

bool fw_image_parse(struct fw_image *img, const void *data, size_t size);
uint32_t fw_sum16(const uint8_t *data, size_t words);
uint32_t fw_sum32(const uint8_t *data, size_t words);
const struct fw_chip *fw_chip_find(const char *name);
const struct fw_file *fw_file_find(const char *name);
size_t fw_stub_make(const struct fw_file *file, uint8_t *data, size_t size);

#endif
