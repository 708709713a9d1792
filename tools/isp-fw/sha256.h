/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SHA-256 of a buffer, so that isp-fw needs no library.
 */
#ifndef ISP_FW_SHA256_H
#define ISP_FW_SHA256_H

#include <stddef.h>

#define SHA256_HEX	65

void sha256_hex(const void *data, size_t len, char hex[SHA256_HEX]);

#endif
