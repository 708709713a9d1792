// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Items of the properties fault, link and card-fault: how they are read, which there are, and two devices
 * without a bus that make them happen by themselves, at an exact instant of the virtual clock:
 *
 *   isp-trigger,id=ID,iobase=PORT      an I/O port; writing a byte there starts the clocks of its events
 *   isp-event,hba=HBA,do=ITEM[;ITEM]...,after-us=N[,trigger=ID]
 *                                      items for that adapter, so long after the trigger (without one:
 *                                      after the machine's start)
 */
#include "inject.h"
#include "qemu/cutils.h"
#include "exec/address-spaces.h"

static const struct {
	const char *property;
	IspItemFn *nth;
} rooms[] = {
	{ "fault", isp_fault_item },
	{ "link", isp_link_item },
	{ "card-fault", isp_card_fault_item },
};

/* ---- reading ------------------------------------------------------------------------------------- */

static bool parse_value(const char *room, const char *name, const char *form, const char *text, uint64_t *value,
			Error **errp)
{
	bool all = text && form && !strcmp(form, "[N]") && !strcmp(text, "all");

	*value = all ? ISP_ALL : ISP_NOT_GIVEN;
	if (all || (!text && (!form || *form == '[')))
		return true;
	if (!form)
		error_setg(errp, "%s: %s takes no '%s'", room, name, text);
	else if (!text)
		error_setg(errp, "%s: %s needs a number: %s", room, name, form);
	else if (qemu_strtou64(text, NULL, 0, value) || *value >= ISP_ALL)
		error_setg(errp, "%s: %s: '%s' is no number", room, name, text);
	else
		return true;
	return false;
}

bool isp_item_parse(const char *room, IspItemFn *nth, const char *text, IspAsked *asked, Error **errp)
{
	g_autofree char *name = g_strdup(text);
	char *arg = strchr(name, '@'), *number;
	const IspItem *item;

	if (arg)
		*arg++ = 0;
	number = strchr(name, '=');
	if (number)
		*number++ = 0;
	for (unsigned int i = 0; (item = nth(i)); i++) {
		if (strcmp(item->name, name))
			continue;
		asked->index = i;
		return parse_value(room, name, item->number, number, &asked->number, errp) &&
		       parse_value(room, name, item->arg, arg, &asked->arg, errp);
	}
	error_setg(errp, "%s: '%s' is none of the known faults (Documentation/testing.md)", room, name);
	return false;
}

/* The room that has an item of that name, NULL: none. */
static const char *room_of(const char *text, Error **errp)
{
	IspAsked asked;

	for (unsigned int r = 0; r < ARRAY_SIZE(rooms); r++) {
		const IspItem *item;
		size_t len = strcspn(text, "=@");

		for (unsigned int i = 0; (item = rooms[r].nth(i)); i++)
			if (strlen(item->name) == len && !strncmp(item->name, text, len))
				return isp_item_parse(rooms[r].property, rooms[r].nth, text, &asked, errp) ?
					       rooms[r].property : NULL;
	}
	error_setg(errp, "'%s' is none of the known faults (Documentation/testing.md)", text);
	return NULL;
}

/* ---- the list ------------------------------------------------------------------------------------ */

static void add_form(GString *out, char sign, const char *form)
{
	if (!form)
		return;
	if (*form == '[')
		g_string_append_printf(out, "[%c%s", sign, form + 1);
	else
		g_string_append_printf(out, "%c%s", sign, form);
}

static char *get_list(Object *obj, Error **errp)
{
	GString *out = g_string_new("[");
	const IspItem *item;

	for (unsigned int r = 0; r < ARRAY_SIZE(rooms); r++) {
		for (unsigned int i = 0; (item = rooms[r].nth(i)); i++) {
			g_string_append_printf(out, "%s{\"property\": \"%s\", \"item\": \"%s",
					       out->len > 1 ? ",\n" : "", rooms[r].property, item->name);
			add_form(out, '=', item->number);
			add_form(out, '@', item->arg);
			g_string_append_printf(out, "\", \"text\": \"%s\"}", item->text);
		}
	}
	return g_string_free(g_string_append_c(out, ']'), false);
}

void isp_inject_class_init(ObjectClass *oc)
{
	object_class_property_add_str(oc, "faults", get_list, NULL);
	object_class_property_set_description(oc, "faults", "all items of fault, link and card-fault, JSON");
}

/* ---- isp-trigger --------------------------------------------------------------------------------- */

#define TYPE_ISP_TRIGGER "isp-trigger"
OBJECT_DECLARE_SIMPLE_TYPE(IspTrigger, ISP_TRIGGER)
#define TYPE_ISP_EVENT "isp-event"
OBJECT_DECLARE_SIMPLE_TYPE(IspEventDevice, ISP_EVENT)

struct IspTrigger {
	DeviceState parent_obj;
	uint32_t iobase;
	MemoryRegion port;
	QTAILQ_HEAD(, IspEventDevice) events;
};

struct IspEventDevice {
	DeviceState parent_obj;
	IspState *hba;			/* until it is pulled */
	IspTrigger *trigger;
	uint64_t after_us;
	char *items;
	QEMUTimer *timer;
	QTAILQ_ENTRY(IspEventDevice) next;
};

static void start_clock(IspEventDevice *d)
{
	if (!d->hba)
		return;
	isp_trace(d->hba, "event in %" PRIu64 " us: %s", d->after_us, d->items);
	timer_mod(d->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + d->after_us * SCALE_US);
}

static void port_write(void *opaque, hwaddr addr, uint64_t val, unsigned int size)
{
	IspTrigger *t = opaque;
	IspEventDevice *d;

	QTAILQ_FOREACH(d, &t->events, next)
		start_clock(d);
}

static uint64_t port_read(void *opaque, hwaddr addr, unsigned int size)
{
	return 0;
}

static const MemoryRegionOps port_ops = {
	.read = port_read,
	.write = port_write,
	.valid = { .min_access_size = 1, .max_access_size = 1 },
};

static void trigger_init(Object *obj)
{
	QTAILQ_INIT(&ISP_TRIGGER(obj)->events);
}

static void trigger_realize(DeviceState *dev, Error **errp)
{
	IspTrigger *t = ISP_TRIGGER(dev);

	if (!t->iobase || t->iobase > 0xffff) {
		error_setg(errp, "isp-trigger: iobase=%#x: an I/O port from 1h to ffffh", t->iobase);
		return;
	}
	memory_region_init_io(&t->port, OBJECT(t), &port_ops, t, TYPE_ISP_TRIGGER, 1);
	memory_region_add_subregion(get_system_io(), t->iobase, &t->port);
}

static void trigger_unrealize(DeviceState *dev)
{
	memory_region_del_subregion(get_system_io(), &ISP_TRIGGER(dev)->port);
}

static ISP_PROPERTY trigger_properties[] = {
	DEFINE_PROP_UINT32("iobase", IspTrigger, iobase, 0),
	ISP_PROPERTIES_END
};

/* ---- isp-event ----------------------------------------------------------------------------------- */

static void inject(IspState *s, const char *text)
{
	Error *err = NULL;
	const char *room = room_of(text, &err);
	/* What is still left of other faults stays. */
	g_autofree char *value = g_strconcat(room && !strcmp(room, "fault") ? "+" : "", text, NULL);

	if (room)
		object_property_set_str(OBJECT(s), room, value, &err);
	if (err)
		error_reportf_err(err, "isp-event: ");
}

static void event_due(void *opaque)
{
	IspEventDevice *d = opaque;
	g_auto(GStrv) items = g_strsplit(d->items, ";", -1);

	for (unsigned int i = 0; items[i]; i++)
		if (*items[i])
			inject(d->hba, items[i]);
}

void isp_inject_finish(IspState *s)
{
	for (GSList *e = s->events; e; e = e->next) {
		IspEventDevice *d = e->data;

		timer_del(d->timer);
		d->hba = NULL;
	}
	g_slist_free(s->events);
	s->events = NULL;
}

static void event_realize(DeviceState *dev, Error **errp)
{
	IspEventDevice *d = ISP_EVENT(dev);
	g_auto(GStrv) items = g_strsplit(d->items ? d->items : "", ";", -1);

	if (!d->hba || !items[0]) {
		error_setg(errp, "isp-event: needs hba=ID of an adapter given before it, and do=ITEM");
		return;
	}
	for (unsigned int i = 0; items[i]; i++)
		if (*items[i] && !room_of(items[i], errp))
			return;
	d->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, event_due, d);
	d->hba->events = g_slist_prepend(d->hba->events, d);
	object_unref(OBJECT(d->hba));		/* the link's reference would keep it from being deleted */
	if (d->trigger)
		QTAILQ_INSERT_TAIL(&d->trigger->events, d, next);
	else
		start_clock(d);
}

static void event_unrealize(DeviceState *dev)
{
	IspEventDevice *d = ISP_EVENT(dev);

	if (d->trigger)
		QTAILQ_REMOVE(&d->trigger->events, d, next);
	if (d->hba)
		d->hba->events = g_slist_remove(d->hba->events, d);
	d->hba = NULL;
	timer_free(d->timer);
}

static ISP_PROPERTY event_properties[] = {
	DEFINE_PROP_LINK("hba", IspEventDevice, hba, TYPE_ISP, IspState *),
	DEFINE_PROP_LINK("trigger", IspEventDevice, trigger, TYPE_ISP_TRIGGER, IspTrigger *),
	DEFINE_PROP_UINT64("after-us", IspEventDevice, after_us, 0),
	DEFINE_PROP_STRING("do", IspEventDevice, items),
	ISP_PROPERTIES_END
};

static void trigger_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	DeviceClass *dc = DEVICE_CLASS(oc);

	dc->desc = "I/O port that starts the clocks of isp-event devices";
	dc->realize = trigger_realize;
	dc->unrealize = trigger_unrealize;
	dc->user_creatable = true;
	dc->hotpluggable = false;
	device_class_set_props(dc, trigger_properties);
}

static void event_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	DeviceClass *dc = DEVICE_CLASS(oc);

	dc->desc = "Fault of an ISP adapter at a chosen instant";
	dc->realize = event_realize;
	dc->unrealize = event_unrealize;
	dc->user_creatable = true;
	dc->hotpluggable = false;
	device_class_set_props(dc, event_properties);
}

static const TypeInfo types[] = {
	{
		.name = TYPE_ISP_TRIGGER,
		.parent = TYPE_DEVICE,
		.instance_size = sizeof(IspTrigger),
		.instance_init = trigger_init,
		.class_init = trigger_class_init,
	},
	{
		.name = TYPE_ISP_EVENT,
		.parent = TYPE_DEVICE,
		.instance_size = sizeof(IspEventDevice),
		.class_init = event_class_init,
	},
};

static void inject_register(void)
{
	type_register_static_array(types, ARRAY_SIZE(types));
}
isp_type_init(inject_register)
