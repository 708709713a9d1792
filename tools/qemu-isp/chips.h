/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of chips, for the type registration. */
#ifndef QEMU_ISP_CHIPS_H
#define QEMU_ISP_CHIPS_H

#include "isp.h"

extern const IspChip isp_chips[];
extern const unsigned int isp_chip_count;

#endif
