/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be made to go wrong: the language of the properties fault, link and card-fault of an adapter,
 * and the list of all that they know.
 *
 * An item is  NAME[=NUMBER][@ARGUMENT].  Each room (fault.c, link.c, card_fault.c) has a table of its own.
 */
#ifndef QEMU_ISP_INJECT_H
#define QEMU_ISP_INJECT_H

#include "isp.h"

#define ISP_NOT_GIVEN UINT64_MAX
#define ISP_ALL (UINT64_MAX - 1)	/* a count: until it is changed */

/* @number and @arg: what the text calls them; NULL: there is none; in brackets: may be left out. */
typedef struct IspItem {
	const char *name, *number, *arg;
	const char *text;		/* what happens, one line */
} IspItem;

/* The @i-th item of a room, NULL behind the last. */
typedef const IspItem *IspItemFn(unsigned int i);

IspItemFn isp_fault_item, isp_link_item, isp_card_fault_item;

typedef struct IspAsked {
	unsigned int index;		/* in the room's table */
	uint64_t number, arg;		/* ISP_NOT_GIVEN; a number may be ISP_ALL */
} IspAsked;

/* Reads one item of @room; false with @errp set: there is none of that name, or it does not fit. */
bool isp_item_parse(const char *room, IspItemFn *nth, const char *text, IspAsked *asked, Error **errp);
/* The adapter goes: its events have nothing to strike any more. */
void isp_inject_finish(IspState *s);
/* Adds property faults, the list of all items, to the class. */
void isp_inject_class_init(ObjectClass *oc);

#endif
