/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The items of property link that are about one port: link_port.c has them, link.c the table. */
#ifndef QEMU_ISP_LINK_PORT_H
#define QEMU_ISP_LINK_PORT_H

#include "fc.h"
#include "inject.h"

typedef void IspLinkFn(IspState *s, const IspAsked *ev, Error **errp);

IspLinkFn isp_link_gone, isp_link_vanish, isp_link_back, isp_link_swap, isp_link_wwpn, isp_link_logout, isp_link_busy,
	isp_link_queue_full, isp_link_mute, isp_link_refuse, isp_link_well, isp_link_attention;

#endif
