// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A card whose hardware is broken: properties card-fault and card-fault-after.  Both may be set while
 * the card runs (qom-set), so that a healthy card can fail under a driver.  Firmware that misbehaves
 * is fault.c's.
 */
#include "board.h"
#include "inject.h"
#include "qapi/visitor.h"

static const IspItem items[ISP_FAULT__COUNT] = {
	[ISP_FAULT_NONE] = { "none", NULL, NULL, "a sound card" },
	[ISP_FAULT_DEAD] = { "dead", NULL, NULL,
		"every register reads as ones, writes are lost; configuration space answers" },
	[ISP_FAULT_RESET_STUCK] = { "reset-stuck", NULL, NULL, "the soft reset bit never clears" },
	[ISP_FAULT_NO_INTERRUPT] = { "no-interrupt", NULL, NULL,
		"the interrupt pin never moves; the status registers tell the truth" },
	[ISP_FAULT_SELFTEST] = { "selftest", NULL, NULL,
		"the mailbox register test answers other values than it was given" },
	[ISP_FAULT_CHECKSUM] = { "checksum", NULL, NULL, "VERIFY CHECKSUM fails whatever the RAM holds" },
};

const IspItem *isp_card_fault_item(unsigned int i)
{
	return i < ISP_FAULT__COUNT ? &items[i] : NULL;
}

bool isp_card_fault(IspState *s, IspCardFault fault)
{
	return unlikely(s->fault == fault) && s->board->mb_commands >= s->fault_after;
}

static char *get_fault(Object *obj, Error **errp)
{
	return g_strdup(items[ISP(obj)->fault].name);
}

static void set_fault(Object *obj, const char *value, Error **errp)
{
	IspState *s = ISP(obj);
	GString *list;
	unsigned int i;

	for (i = 0; i < ISP_FAULT__COUNT; i++) {
		if (strcmp(value, items[i].name))
			continue;
		s->fault = i;
		if (s->board)
			isp_update_irq(s);
		return;
	}
	list = g_string_new(items[0].name);
	for (i = 1; i < ISP_FAULT__COUNT; i++)
		g_string_append_printf(list, ", %s", items[i].name);
	error_setg(errp, "no card fault '%s': choose from %s", value, list->str);
	g_string_free(list, TRUE);
}

static void get_after(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
	visit_type_uint64(v, name, &ISP(obj)->fault_after, errp);
}

/* Counts from now when the card runs. */
static void set_after(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
	IspState *s = ISP(obj);
	uint64_t after;

	if (!visit_type_uint64(v, name, &after, errp))
		return;
	s->fault_after = after + (s->board ? s->board->mb_commands : 0);
}

void isp_card_fault_class_init(ObjectClass *oc)
{
	object_class_property_add_str(oc, "card-fault", get_fault, set_fault);
	object_class_property_set_description(oc, "card-fault",
		"how the card is broken: none, dead, reset-stuck, no-interrupt, selftest, checksum");
	object_class_property_add(oc, "card-fault-after", "uint64", get_after, set_after, NULL, NULL);
	object_class_property_set_description(oc, "card-fault-after",
		"mailbox commands that are still answered properly before card-fault sets in");
}
