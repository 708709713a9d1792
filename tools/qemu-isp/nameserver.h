/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The switch's generic services, and the two ways to reach them: ct.c. */
#ifndef QEMU_ISP_NAMESERVER_H
#define QEMU_ISP_NAMESERVER_H

#include "fc.h"

#define ISP_CT_HEADER 16

/* Answer the Common Transport request @req (at least a header) into @rsp, which is empty. */
void isp_ns_request(IspState *s, const uint8_t *req, size_t len, GByteArray *rsp);

#endif
