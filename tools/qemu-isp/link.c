// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happens on the link while the card runs: the property "link" of an adapter, by qom-set.
 *
 * Text: items (inject.h) separated by ';', carried out in order at that instant.  Reading it: "up" or
 * "down".
 */
#include "link_port.h"

#define MAX_MS 3600000

static void link_down(IspState *s, const IspAsked *ev, Error **errp)
{
	if (ev->number != ISP_NOT_GIVEN && ev->number > MAX_MS) {
		error_setg(errp, "link: down=%" PRIu64 ": at most %u ms", ev->number, MAX_MS);
		return;
	}
	s->fc->bounces = 0;
	isp_fc_cable(s, false);
	if (ev->number != ISP_NOT_GIVEN)
		timer_mod(s->fc->cable_timer, isp_now() + ev->number * SCALE_MS);
}

static void link_up(IspState *s, const IspAsked *ev, Error **errp)
{
	s->fc->bounces = 0;
	isp_fc_cable(s, true);
}

/* Down and up in turn, each for so long, as often as that. */
static void link_bounce(IspState *s, const IspAsked *ev, Error **errp)
{
	uint64_t ms = ev->arg == ISP_NOT_GIVEN ? 100 : ev->arg;

	if (!ev->number || ev->number > 10000 || !ms || ms > MAX_MS) {
		error_setg(errp, "link: bounce=N@MS: 1 to 10000, 1 to %u", MAX_MS);
		return;
	}
	s->fc->bounces = ev->number - 1;
	s->fc->bounce_ns = ms * SCALE_MS;
	isp_fc_cable(s, false);
	timer_mod(s->fc->cable_timer, isp_now() + s->fc->bounce_ns);
}

void isp_link_cable_timer(void *opaque)
{
	IspState *s = opaque;
	IspFabric *fc = s->fc;
	bool plug = fc->cable_out;

	if (!plug)
		fc->bounces--;
	isp_fc_cable(s, plug);
	if (!plug || fc->bounces)
		timer_mod(fc->cable_timer, isp_now() + fc->bounce_ns);
}

static void initialize(IspState *s, IspLip kind, Error **errp)
{
	if (!isp_is_loop(s->fc))
		error_setg(errp, "link: there is no loop to initialize");
	else if (s->fw->initialized && (isp_fc_ready(s) || isp_fc_busy(s)))
		isp_fc_lip(s, kind);
}

static void link_lip(IspState *s, const IspAsked *ev, Error **errp)
{
	initialize(s, ISP_LIP_PLAIN, errp);
}

static void link_lip_reset(IspState *s, const IspAsked *ev, Error **errp)
{
	initialize(s, ISP_LIP_RESET, errp);
}

static void state_change(IspState *s, const IspAsked *ev, Error **errp)
{
	unsigned int format = ev->arg == ISP_NOT_GIVEN ? 0 : ev->arg;

	if (!isp_has_switch(s->fc))
		error_setg(errp, "link: there is no switch to tell of changes");
	else if (ev->number > 0xffffff || format > 3)
		error_setg(errp, "link: rscn=PORTID@FORMAT: 24 bits, and 0 to 3");
	else
		isp_fabric_rscn(s, format, ev->number);
}

/* The port about which the next RSCN of a storm is; 0: there is none. */
static uint32_t storm_port_id(IspFabric *fc)
{
	if (fc->storm_port_id != ISP_NOT_GIVEN)
		return fc->storm_port_id;
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		const IspPort *port = &fc->ports[fc->storm_next++ % ISP_LOOP_IDS];

		if (port->present && !port->local)
			return port->port_id;
	}
	return 0;
}

void isp_link_storm_timer(void *opaque)
{
	IspState *s = opaque;
	IspFabric *fc = s->fc;
	uint32_t port_id = storm_port_id(fc);

	if (port_id)
		isp_fabric_rscn(s, 0, port_id);
	if (--fc->storm_left)
		timer_mod(fc->storm_timer, isp_now() + SCALE_MS);
}

static void rscn_storm(IspState *s, const IspAsked *ev, Error **errp)
{
	if (!isp_has_switch(s->fc)) {
		error_setg(errp, "link: there is no switch to tell of changes");
	} else if (!ev->number || ev->number > 1000000 || (ev->arg != ISP_NOT_GIVEN && ev->arg > 0xffffff)) {
		error_setg(errp, "link: rscn-storm=N@PORTID: 1 to 1000000, and 24 bits");
	} else {
		s->fc->storm_left = ev->number;
		s->fc->storm_next = 0;
		s->fc->storm_port_id = ev->arg;
		timer_mod(s->fc->storm_timer, isp_now());
	}
}

static const struct {
	IspItem item;
	IspLinkFn *fn;
} events[] = {
	{ { "down", "[MS]", NULL, "the cable is pulled, and plugged in again after so many ms" }, link_down },
	{ { "up", NULL, NULL, "the cable is plugged in" }, link_up },
	{ { "bounce", "N", "[MS]", "the cable is pulled and plugged in N times, each for so many ms (100)" }, link_bounce },
	{ { "lip", NULL, NULL, "another port of the loop initializes it" }, link_lip },
	{ { "lip-reset", NULL, NULL, "another port of the loop initializes it and resets the targets" },
	  link_lip_reset },
	{ { "gone", "T", NULL, "target T leaves: LIP on a loop, RSCN behind a switch" }, isp_link_gone },
	{ { "vanish", "T", NULL, "target T behind a switch leaves, and there is no RSCN" }, isp_link_vanish },
	{ { "back", "T", "[PLACE]", "target T returns, or moves to that loop id or port id" }, isp_link_back },
	{ { "swap", "A", "B", "targets A and B exchange their places" }, isp_link_swap },
	{ { "wwpn", "T", "WWPN", "target T leaves, another port with that name and the same LUNs takes its place" },
	  isp_link_wwpn },
	{ { "logout", "T", NULL, "target T logs out: its commands end with 29h, event 8014h" }, isp_link_logout },
	{ { "busy", "T", "[MS]", "target T answers BUSY for so many ms (until well)" }, isp_link_busy },
	{ { "queue-full", "T", "[MS]", "target T answers TASK SET FULL for so many ms (until well)" },
	  isp_link_queue_full },
	{ { "mute", "T", "[MS]",
	    "target T swallows commands and task management for so many ms (until well)" }, isp_link_mute },
	{ { "refuse", "T", "[MS]", "target T refuses logins for so many ms (until well)" }, isp_link_refuse },
	{ { "well", "T", NULL, "ends busy, queue-full, mute and refuse of target T" }, isp_link_well },
	{ { "attention", "T", "[CODE]",
	    "all LUNs of target T have a unit attention (0x2900: power on; 0x3f0e: LUNs changed)" }, isp_link_attention },
	{ { "rscn", "PORTID", "[FORMAT]", "the switch tells of a change: 0 port, 1 area, 2 domain, 3 fabric" },
	  state_change },
	{ { "rscn-storm", "N", "[PORTID]", "the switch tells N times of changes, one every ms, of all ports in turn" },
	  rscn_storm },
};

const IspItem *isp_link_item(unsigned int i)
{
	return i < ARRAY_SIZE(events) ? &events[i].item : NULL;
}

static void happen(IspState *s, const char *text, Error **errp)
{
	char counter[40];
	IspAsked ev;

	if (!isp_item_parse("link", isp_link_item, text, &ev, errp))
		return;
	snprintf(counter, sizeof(counter), "link.%s", events[ev.index].item.name);
	isp_count(s, counter, 1);
	isp_trace(s, "link %s", text);
	events[ev.index].fn(s, &ev, errp);
}

static void link_set(Object *obj, const char *value, Error **errp)
{
	g_auto(GStrv) items = g_strsplit(value, ";", -1);
	IspState *s = ISP(obj);
	Error *err = NULL;

	if (!s->fc) {
		error_setg(errp, "link: the card does not run yet");
		return;
	}
	for (unsigned int i = 0; items[i] && !err; i++)
		if (*items[i])
			happen(s, items[i], &err);
	error_propagate(errp, err);
}

static char *link_get(Object *obj, Error **errp)
{
	IspState *s = ISP(obj);

	return g_strdup(s->fc && !s->fc->cable_out ? "up" : "down");
}

void isp_link_class_init(ObjectClass *oc)
{
	object_class_property_add_str(oc, "link", link_get, link_set);
	object_class_property_set_description(oc, "link", "events on the link, see Documentation/testing.md");
}
