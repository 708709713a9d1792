/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's <linux/string.h>, on a host's compiler. */
#ifndef SHIM_STRING_H
#define SHIM_STRING_H

#include <string.h>

#endif
