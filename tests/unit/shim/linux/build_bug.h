/* SPDX-License-Identifier: GPL-2.0-only */
/* static_assert() with an optional text, as the kernel's <linux/build_bug.h> has it. */
#ifndef SHIM_BUILD_BUG_H
#define SHIM_BUILD_BUG_H

#define static_assert(expr, ...) _Static_assert(expr, #expr)

#endif
