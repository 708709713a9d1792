/* SPDX-License-Identifier: GPL-2.0-only */
/* What the driver's pure sources want of the kernel's <linux/types.h>, on a host's compiler. */
#ifndef SHIM_TYPES_H
#define SHIM_TYPES_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

typedef uint8_t __u8, u8;
typedef uint16_t __u16, u16, __le16, __be16;
typedef uint32_t __u32, u32, __le32, __be32;
typedef uint64_t __u64, u64, __le64, __be64;

#define __packed __attribute__((packed))

#endif
