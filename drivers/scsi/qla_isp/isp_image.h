/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Firmware images of the 16-bit chips: what one looks like and how it is
 * checked before it goes near a card. Pure functions over bytes, so that
 * tests can compile them on any machine.
 *
 * An image is a row of big-endian 16-bit words, in one or more segments.
 * Word 3 of a segment is its length in words. The first segment's words sum
 * to 0 (mod 65536); its words 5 to 7 are the version, and a text from word 9
 * on names the chip ("... ISP2200 Firmware  Version ..."). A further
 * segment's words 4 and 5 are its load address (qla2xxx: qla_fw_blobs[],
 * qla2x00_load_risc(); OpenBSD: qla_load_firmware_2300()); its words, taken in
 * pairs as 32-bit numbers, sum to 0 (so in the vendor's ql2322_fw.bin).
 */
#ifndef ISP_IMAGE_H
#define ISP_IMAGE_H

#include <linux/types.h>

#define ISP_IMAGE_SEGS		3

/**
 * struct isp_image_spec - the image that a chip needs
 * @chip: chip number as it stands in the image's text, such as "2300"
 * @segs: number of segments, 1 to ISP_IMAGE_SEGS
 * @addr: load address of each, in words
 */
struct isp_image_spec {
	const char *chip;
	unsigned int segs;
	__u32 addr[ISP_IMAGE_SEGS];
};

/**
 * struct isp_image - an image that passed the checks
 * @version: major, minor, sub-minor
 * @segs: number of segments
 * @seg: each segment's first word, length in words and load address
 */
struct isp_image {
	__u16 version[3];
	unsigned int segs;
	struct {
		const __u8 *data;
		__u32 words;
		__u32 addr;
	} seg[ISP_IMAGE_SEGS];
};

/**
 * enum isp_image_fault - what is wrong with an image
 * @ISP_IMAGE_OK: nothing
 * @ISP_IMAGE_SHORT: shorter than its header or than a segment claims
 * @ISP_IMAGE_LONG: bytes left over after the last segment
 * @ISP_IMAGE_HEADER: the header's words are no firmware's
 * @ISP_IMAGE_CHIP: for another chip
 * @ISP_IMAGE_SEGMENT: a segment for another address
 * @ISP_IMAGE_SUM: damaged: a segment's words do not sum to zero
 */
enum isp_image_fault {
	ISP_IMAGE_OK,
	ISP_IMAGE_SHORT,
	ISP_IMAGE_LONG,
	ISP_IMAGE_HEADER,
	ISP_IMAGE_CHIP,
	ISP_IMAGE_SEGMENT,
	ISP_IMAGE_SUM,
};

enum isp_image_fault isp_image_check(const __u8 *data, size_t size,
				     const struct isp_image_spec *spec,
				     struct isp_image *image);
const char *isp_image_fault_str(enum isp_image_fault fault);

#endif /* ISP_IMAGE_H */
