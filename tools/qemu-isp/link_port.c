// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What happens to the ports on request, as items of property link (link.c): they leave, return, move,
 * change their name, or answer strangely for a while.
 */
#include "link_port.h"

static IspPort *target(IspState *s, const IspAsked *ev, Error **errp)
{
	if (ev->number < ISP_LOOP_IDS)
		return &s->fc->ports[ev->number];
	error_setg(errp, "link: no such target: choose from 0 to %u", ISP_LOOP_IDS - 1);
	return NULL;
}

void isp_link_gone(IspState *s, const IspAsked *ev, Error **errp)
{
	IspPort *port = target(s, ev, errp);

	if (!port)
		return;
	port->away = true;
	isp_fc_look_again(s);
}

/* False: somebody is there, or nobody can be. */
static bool place_free(IspState *s, const IspPort *port, uint64_t place)
{
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		const IspPort *other = &s->fc->ports[i];

		if (other == port || !other->present)
			continue;
		if (place == (port->local ? other->hard_id : other->port_id))
			return false;
	}
	if (port->local)
		return isp_is_loop(s->fc) && place < ISP_LOOP_IDS && place != s->fc->loop_id;
	return place && place < 0xf00000 && place != s->fc->port_id;
}

/* Away and back with something changed in between; all ports at once. */
static void replace(IspState *s, IspPort *a, IspPort *b, void (*change)(IspPort *a, IspPort *b, uint64_t value),
		    uint64_t value)
{
	bool a_away = a->away, b_away = b->away;

	a->away = b->away = true;
	isp_fc_look_again(s);
	change(a, b, value);
	a->away = a_away;
	b->away = b_away;
	isp_fc_look_again(s);
}

void isp_link_back(IspState *s, const IspAsked *ev, Error **errp)
{
	IspPort *port = target(s, ev, errp);

	if (!port)
		return;
	if (ev->arg != ISP_NOT_GIVEN && !place_free(s, port, ev->arg)) {
		error_setg(errp, "link: back=%" PRIu64 "@%#" PRIx64 ": no free place for that port",
			   ev->number, ev->arg);
		return;
	}
	if (ev->arg != ISP_NOT_GIVEN && port->present) {
		port->away = true;		/* a move is both */
		isp_fc_look_again(s);
	}
	if (ev->arg != ISP_NOT_GIVEN && port->local) {
		port->hard_id = ev->arg;
		port->al_pa = isp_fc_alpa(ev->arg);
	} else if (ev->arg != ISP_NOT_GIVEN) {
		port->port_id = ev->arg;
	}
	port->away = false;
	isp_fc_look_again(s);
}

/* Event 8014h for one port: mailbox 1 loop id, 2 its state, 7 logged out (Linux qla2x00_async_event()). */
void isp_link_logout(IspState *s, const IspAsked *ev, Error **errp)
{
	IspPort *port = target(s, ev, errp);
	uint16_t loop_id;

	if (!port || !port->logged_in || !isp_fc_ready(s))
		return;
	loop_id = port->loop_id;
	isp_fc_logout(s, port);
	if (s->fw->icb.options & ISP_ICB_PDB_CHANGE)
		isp_async(s->fw, 0x8014, loop_id, 7, 0);
}

static void exchange_places(IspPort *a, IspPort *b, uint64_t unused)
{
	uint8_t hard_id = a->hard_id, al_pa = a->al_pa;
	uint32_t port_id = a->port_id;

	a->hard_id = b->hard_id;
	a->al_pa = b->al_pa;
	a->port_id = b->port_id;
	b->hard_id = hard_id;
	b->al_pa = al_pa;
	b->port_id = port_id;
}

void isp_link_swap(IspState *s, const IspAsked *ev, Error **errp)
{
	const IspAsked other = { .number = ev->arg };
	IspPort *a = target(s, ev, errp), *b = a ? target(s, &other, errp) : NULL;

	if (!b)
		return;
	if (a == b || a->local != b->local || s->fc->topology == ISP_TOPO_P2P)
		error_setg(errp, "link: swap: two targets, both on the loop or both behind the switch");
	else
		replace(s, a, b, exchange_places, 0);
}

static void rename_port(IspPort *a, IspPort *b, uint64_t wwpn)
{
	a->wwpn = wwpn;
}

void isp_link_wwpn(IspState *s, const IspAsked *ev, Error **errp)
{
	IspPort *port = target(s, ev, errp);

	if (port)
		replace(s, port, port, rename_port, ev->arg);
}

void isp_link_vanish(IspState *s, const IspAsked *ev, Error **errp)
{
	IspPort *port = target(s, ev, errp);

	if (!port)
		return;
	if (port->local)
		error_setg(errp, "link: vanish: target %" PRIu64 " is not behind a switch", ev->number);
	else
		isp_fc_vanish(s, port);
}

/* ---- for a while ------------------------------------------------------------------------------- */

static const char *const trouble_names[ISP_TROUBLES] = {
	[ISP_TROUBLE_BUSY] = "busy",
	[ISP_TROUBLE_FULL] = "queue-full",
	[ISP_TROUBLE_MUTE] = "mute",
	[ISP_TROUBLE_REFUSE] = "refuse",
};

bool isp_port_trouble(IspState *s, const IspPort *port, IspTrouble trouble)
{
	g_autofree char *counter = NULL;

	if (port->trouble_until[trouble] <= isp_now())
		return false;
	counter = g_strdup_printf("port.%s", trouble_names[trouble]);
	isp_count(s, counter, 1);
	return true;
}

uint8_t isp_port_status(IspState *s, const IspPort *port)
{
	if (isp_port_trouble(s, port, ISP_TROUBLE_BUSY))
		return 0x08;
	return isp_port_trouble(s, port, ISP_TROUBLE_FULL) ? 0x28 : 0;
}

static void begin(IspState *s, const IspAsked *ev, IspTrouble trouble, Error **errp)
{
	IspPort *port = target(s, ev, errp);

	if (!port)
		return;
	if (ev->arg == ISP_NOT_GIVEN)
		port->trouble_until[trouble] = UINT64_MAX;
	else
		port->trouble_until[trouble] = isp_now() + MIN(ev->arg, INT32_MAX) * SCALE_MS;
}

void isp_link_busy(IspState *s, const IspAsked *ev, Error **errp)
{
	begin(s, ev, ISP_TROUBLE_BUSY, errp);
}

void isp_link_queue_full(IspState *s, const IspAsked *ev, Error **errp)
{
	begin(s, ev, ISP_TROUBLE_FULL, errp);
}

void isp_link_mute(IspState *s, const IspAsked *ev, Error **errp)
{
	begin(s, ev, ISP_TROUBLE_MUTE, errp);
}

void isp_link_refuse(IspState *s, const IspAsked *ev, Error **errp)
{
	begin(s, ev, ISP_TROUBLE_REFUSE, errp);
}

void isp_link_well(IspState *s, const IspAsked *ev, Error **errp)
{
	IspPort *port = target(s, ev, errp);

	if (port)
		memset(port->trouble_until, 0, sizeof(port->trouble_until));
}

void isp_link_attention(IspState *s, const IspAsked *ev, Error **errp)
{
	uint64_t code = ev->arg == ISP_NOT_GIVEN ? 0x2900 : ev->arg;
	const SCSISense sense = { .key = 6, .asc = code >> 8, .ascq = code };

	if (target(s, ev, errp))
		isp_scsi_attention(s, ev->number, sense);
}
