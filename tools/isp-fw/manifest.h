/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What firmware/manifest says, as tables. manifest.awk makes them from that file when isp-fw is
 * built.
 */
#ifndef ISP_FW_MANIFEST_H
#define ISP_FW_MANIFEST_H

#include <stdint.h>

#define FW_MAX_SEGMENTS 4

/**
 * struct fw_file - an image file under the distribution's name
 * @name: file name, such as "ql2300_fw.bin"
 * @text: chip that the text in the image names, such as "ISP2300"
 * @attributes: firmware attributes (header word 8) of the vendor's images; stubs get the same
 * @load: RISC word address of each segment
 * @nr_segments: number of segments, 1 to FW_MAX_SEGMENTS
 */
struct fw_file {
	const char *name;
	const char *text;
	uint16_t attributes;
	uint32_t load[FW_MAX_SEGMENTS];
	unsigned int nr_segments;
};

/**
 * struct fw_chip - a chip and the image file that it runs
 * @name: chip, such as "ISP2312"
 * @file: its image file
 */
struct fw_chip {
	const char *name;
	const struct fw_file *file;
};

/**
 * struct fw_known - a vendor image whose contents are known
 * @file: image file that it is a version of
 * @version: version, as in the header of the image
 * @sha256: sum over the whole file, in lower-case hexadecimal
 * @words: length of each segment in 16-bit words
 */
struct fw_known {
	const struct fw_file *file;
	const char *version;
	const char *sha256;
	uint32_t words[FW_MAX_SEGMENTS];
};

extern const struct fw_file fw_files[];
extern const unsigned int fw_nr_files;
extern const struct fw_chip fw_chips[];
extern const unsigned int fw_nr_chips;
extern const struct fw_known fw_known[];
extern const unsigned int fw_nr_known;

#endif
