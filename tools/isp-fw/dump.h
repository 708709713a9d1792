/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A dump that the driver has taken of a failed card: text, then the RISC's memory.
 */
#ifndef ISP_FW_DUMP_H
#define ISP_FW_DUMP_H

#include "image.h"

#define FW_DUMP_TEXT 1024

/**
 * struct fw_dump - a dump that was read
 * @text: the lines in front
 * @memory: words of the RISC's memory, low byte first
 * @first: address of the first of them
 * @words: how many there are
 */
struct fw_dump {
	char text[FW_DUMP_TEXT + 1];
	const uint8_t *memory;
	unsigned int first;
	unsigned int words;
};

const char *fw_dump_parse(struct fw_dump *dump, const uint8_t *data, size_t size);
bool fw_dump_print(const struct fw_dump *dump, const struct fw_image *img);

#endif
