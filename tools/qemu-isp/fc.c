// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The link and the ports behind it: loop or point-to-point initialization, addresses, logins.
 *
 * Facts: FC-AL (addresses, order of the initialization sequences); struct init_cb in Linux qla_def.h
 * and isp_icb_t in FreeBSD ispmbox.h (address and connection options); qla2x00_async_event() in Linux
 * qla_isr.c and isp_parse_async() in FreeBSD isp.c (events).  See Documentation/hardware/firmware.md
 * and fabric.md.
 */
#include "fc.h"

/* AL_PA by loop id, FC-AL's table of valid addresses in order of falling value. */
static const uint8_t al_pas[ISP_LOOP_IDS + 1] = {
	0xef, 0xe8, 0xe4, 0xe2, 0xe1, 0xe0, 0xdc, 0xda, 0xd9, 0xd6, 0xd5, 0xd4, 0xd3, 0xd2, 0xd1, 0xce,
	0xcd, 0xcc, 0xcb, 0xca, 0xc9, 0xc7, 0xc6, 0xc5, 0xc3, 0xbc, 0xba, 0xb9, 0xb6, 0xb5, 0xb4, 0xb3,
	0xb2, 0xb1, 0xae, 0xad, 0xac, 0xab, 0xaa, 0xa9, 0xa7, 0xa6, 0xa5, 0xa3, 0x9f, 0x9e, 0x9d, 0x9b,
	0x98, 0x97, 0x90, 0x8f, 0x88, 0x84, 0x82, 0x81, 0x80, 0x7c, 0x7a, 0x79, 0x76, 0x75, 0x74, 0x73,
	0x72, 0x71, 0x6e, 0x6d, 0x6c, 0x6b, 0x6a, 0x69, 0x67, 0x66, 0x65, 0x63, 0x5c, 0x5a, 0x59, 0x56,
	0x55, 0x54, 0x53, 0x52, 0x51, 0x4e, 0x4d, 0x4c, 0x4b, 0x4a, 0x49, 0x47, 0x46, 0x45, 0x43, 0x3c,
	0x3a, 0x39, 0x36, 0x35, 0x34, 0x33, 0x32, 0x31, 0x2e, 0x2d, 0x2c, 0x2b, 0x2a, 0x29, 0x27, 0x26,
	0x25, 0x23, 0x1f, 0x1e, 0x1d, 0x1b, 0x18, 0x17, 0x10, 0x0f, 0x08, 0x04, 0x02, 0x01, 0x00,
};

/* Virtual time of PLOGI and PRLI to one port. */
#define LOGIN_NS 100000

/* Primitive sequence that started a loop initialization: mailbox 1 of events 8010h and 8013h. */
#define LIP_F7F7 0xf7f7

uint8_t isp_fc_alpa(unsigned int loop_id)
{
	return al_pas[loop_id];
}

int isp_fc_loop_id_of(uint8_t al_pa)
{
	for (int i = 0; i <= ISP_LOOP_IDS; i++)
		if (al_pas[i] == al_pa)
			return i;
	return -1;
}

bool isp_fc_busy(IspState *s)
{
	return s->fc->state == ISP_FW_WAIT_AL_PA || s->fc->state == ISP_FW_WAIT_LOGIN;
}

bool isp_fc_ready(IspState *s)
{
	return s->fc->state == ISP_FW_READY;
}

/* ---- ports --------------------------------------------------------------------------------------- */

/* The @i-th of all ports there can be, those of the switch last; NULL: that was all. */
static IspPort *nth_port(IspState *s, unsigned int i)
{
	if (i < ISP_LOOP_IDS)
		return &s->fc->ports[i];
	return i < ISP_LOOP_IDS + ISP_SERVERS ? &s->fc->servers[i - ISP_LOOP_IDS] : NULL;
}

static bool reachable(const IspPort *port)
{
	return port->present && !port->bypassed;
}

/* Nobody tells the firmware that a port behind the switch has gone: it keeps the login. */
static bool known(const IspPort *port)
{
	return reachable(port) || (!port->local && port->logged_in);
}

/* A port that logged in under the id hides one that only had it before. */
IspPort *isp_fc_port(IspState *s, uint16_t loop_id)
{
	IspPort *port, *found = NULL;

	if (loop_id == ISP_NO_LOOP_ID)
		return NULL;
	for (unsigned int i = 0; (port = nth_port(s, i)); i++)
		if (known(port) && port->loop_id == loop_id && (!found || port->logged_in))
			found = port;
	return found;
}

/* On a public loop, ports of the loop itself can also be addressed by AL_PA alone. */
IspPort *isp_fc_port_by_id(IspState *s, uint32_t port_id)
{
	bool short_id = s->fc->topology == ISP_TOPO_PUBLIC_LOOP && port_id && port_id < 0x100;
	IspPort *port;

	for (unsigned int i = 0; (port = nth_port(s, i)); i++)
		if (reachable(port) && (port->port_id == port_id ||
					(short_id && port->local && port->al_pa == port_id)))
			return port;
	return NULL;
}

void isp_fc_each_login(IspState *s, IspPortFn *fn, void *opaque)
{
	IspPort *port;

	for (unsigned int i = 0; (port = nth_port(s, i)); i++)
		if (known(port) && port->logged_in)
			fn(port, opaque);
}

bool isp_fc_login(IspState *s, IspPort *port, bool prli)
{
	if (!isp_fc_ready(s) || port->bypassed)
		return false;
	if (!port->logged_in && isp_port_trouble(s, port, ISP_TROUBLE_REFUSE))
		return false;
	if (!port->logged_in)
		isp_trace(s, "fc login loop-id=%02x port-id=%06x wwpn=%016" PRIx64, port->loop_id,
			  port->port_id, port->wwpn);
	port->logged_in = true;
	port->prli = port->prli || (prli && port->fcp);
	return true;
}

static void forget_login(IspPort *port)
{
	port->logged_in = port->prli = false;
}

static void forget_logins(IspState *s)
{
	IspPort *port;

	for (unsigned int i = 0; (port = nth_port(s, i)); i++)
		forget_login(port);
}

void isp_fc_logout(IspState *s, IspPort *port)
{
	if (!port->logged_in)
		return;
	isp_trace(s, "fc logout loop-id=%02x port-id=%06x", port->loop_id, port->port_id);
	forget_login(port);
	isp_commands_abort(s->fw, port->loop_id, -1, ISP_CS_PORT_LOGGED_OUT);
}

static void no_light(IspState *s)
{
	s->fc->state = ISP_FW_LOSS_OF_SYNC;
	s->fc->loop_id = ISP_NO_LOOP_ID;
	forget_logins(s);
	isp_fabric_lost(s);
	isp_commands_abort(s->fw, -1, -1, ISP_CS_PORT_UNAVAILABLE);
}

/*
 * Default identity of a port: locally assigned names (NAA 3), unique for each adapter.  Behind a switch
 * each sits in an area of its own, of domain 1.
 */
static void default_identity(IspState *s, IspPort *port)
{
	uint64_t low = (s->wwpn >> 48 & 0xf) << 48 | (s->wwpn & 0xffffffffffULL) << 8 | port->target;

	port->configured = false;
	port->wwpn = 0x3100000000000000ULL | low;
	port->wwnn = 0x3000000000000000ULL | low;
	port->fcp = port->is_target = true;
	port->ip = port->is_initiator = port->on_loop = false;
	port->hard_id = port->target;
	port->al_pa = al_pas[port->target];
	port->port_id = 0x010000 | (port->target + 1) << 8;
	port->loop_id = ISP_NO_LOOP_ID;
}

static bool is_local(const IspFabric *fc, const IspPort *port)
{
	return !isp_has_switch(fc) || (fc->topology == ISP_TOPO_PUBLIC_LOOP && port->on_loop);
}

/* Who takes part: ports with LUNs, those that were asked for, those with an identity. */
static unsigned int gather(IspState *s)
{
	IspFabric *fc = s->fc;
	unsigned int n = 0;

	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		IspPort *port = &fc->ports[i];

		port->local = is_local(fc, port);
		if (port->local && isp_is_loop(fc))
			port->loop_id = port->hard_id;
		port->present = !port->away && (port->configured || i < s->min_targets ||
						isp_scsi_target_present(s, i));
		if (fc->topology == ISP_TOPO_P2P && n)
			port->present = false;		/* the cable has two ends */
		if (!port->present && port->local)
			forget_login(port);
		n += port->present;
	}
	return n;
}

static bool id_free(IspState *s, unsigned int loop_id)
{
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++)
		if (s->fc->ports[i].present && s->fc->ports[i].local &&
		    s->fc->ports[i].loop_id == loop_id)
			return false;
	return true;
}

static uint16_t search_id(IspState *s, bool down)
{
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		unsigned int id = down ? ISP_LOOP_IDS - 1 - i : i;

		if (id_free(s, id))
			return id;
	}
	return ISP_NO_LOOP_ID;
}

/* LIPA, LIHA, LISA: the previous address, the hard one, any other. */
static uint16_t acquire_id(IspState *s)
{
	const IspIcb *icb = &s->fw->icb;
	uint16_t previous = s->fc->loop_id;
	bool hard = (icb->options & ISP_ICB_HARD_ADDRESS) &&
		    !(icb->special_options & ISP_SPECIAL_SOFT_ID);

	if ((icb->options & ISP_ICB_PREVIOUS_ID) && previous != ISP_NO_LOOP_ID &&
	    id_free(s, previous))
		return previous;
	if (hard && icb->hard_address < ISP_LOOP_IDS && id_free(s, icb->hard_address))
		return icb->hard_address;
	if (hard && (icb->add_options & ISP_ADD_HARD_OR_NOTHING))
		return ISP_NO_LOOP_ID;
	return search_id(s, icb->options & ISP_ICB_SEARCH_DOWN);
}

/* Our address and those of the loop's other ports; false: there was none left. */
static bool loop_addresses(IspState *s)
{
	IspFabric *fc = s->fc;
	uint32_t above = isp_has_switch(fc) ? s->port_id & 0xffff00 : 0;

	fc->loop_id = acquire_id(s);
	if (fc->loop_id == ISP_NO_LOOP_ID)
		return false;
	fc->al_pa = al_pas[fc->loop_id];
	fc->port_id = above | fc->al_pa;
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++)
		if (fc->ports[i].local)
			fc->ports[i].port_id = above | fc->ports[i].al_pa;
	return true;
}

/* The port with the higher name has address 1 and gives the other one 2; loop ids are one less. */
static void pair_addresses(IspState *s)
{
	IspFabric *fc = s->fc;

	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		IspPort *port = &fc->ports[i];

		if (!port->present)
			continue;
		fc->port_id = s->fw->icb.wwpn > port->wwpn ? 1 : 2;
		port->port_id = 3 - fc->port_id;
		port->al_pa = port->port_id;
		port->loop_id = port->port_id - 1;
	}
	fc->al_pa = fc->port_id;
	fc->loop_id = fc->port_id - 1;
}

static bool take_addresses(IspState *s)
{
	switch (s->fc->topology) {
	case ISP_TOPO_P2P:
		pair_addresses(s);
		return true;
	case ISP_TOPO_FABRIC:
		s->fc->port_id = s->port_id;
		s->fc->al_pa = s->port_id;
		s->fc->loop_id = ISP_NO_LOOP_ID;
		return true;
	default:
		return loop_addresses(s);
	}
}

/* ---- initialization ------------------------------------------------------------------------------ */

static unsigned int connection_option(IspState *s)
{
	return ISP_ADD_TOPOLOGY(s->fw->icb.add_options);
}

/* Bit 0: 1 Gb/s, bit 1: 2 Gb/s. */
static unsigned int common_rates(IspState *s)
{
	static const uint8_t wanted[] = { 1, 2, 3 };
	unsigned int ours = isp_is_23xx(s->fw) ? wanted[s->fc->wanted_rate] : 1;

	return ours & (!s->link_rate ? 3 : !strcmp(s->link_rate, "1") ? 1 : 2);
}

/* Does the control block allow what the other end of the cable can do? */
static bool may_connect(IspState *s)
{
	if (s->chip->loop_only)
		return isp_is_loop(s->fc);
	return connection_option(s) != (isp_is_loop(s->fc) ? ISP_CONNECT_P2P : ISP_CONNECT_LOOP);
}

/* Mailbox 1 of 8036h: 1 from point-to-point to loop, 2 from loop to point-to-point. */
static void report_second_choice(IspState *s)
{
	if (isp_is_loop(s->fc) && connection_option(s) == ISP_CONNECT_P2P_FIRST)
		isp_async(s->fw, 0x8036, 1, 0, 0);
	if (!isp_is_loop(s->fc) && connection_option(s) == ISP_CONNECT_LOOP_FIRST)
		isp_async(s->fw, 0x8036, 2, 0, 0);
}

static void step_lip_seen(IspState *s)
{
	IspFabric *fc = s->fc;

	report_second_choice(s);
	if (!isp_is_loop(fc)) {
		isp_async(s->fw, 0x8030, 0, 0, 0);
	} else {
		if (fc->lip == ISP_LIP_RESET)
			isp_async(s->fw, 0x8013, LIP_F7F7, 0, 0);
		isp_async(s->fw, 0x8010, LIP_F7F7, 0, 0);
	}
	timer_mod(fc->timer, isp_now() + (uint64_t)s->lip_ms * SCALE_MS * 3 / 4);
}

static void step_loop_up(IspState *s)
{
	IspFabric *fc = s->fc;
	unsigned int n = gather(s);

	if (!take_addresses(s)) {
		fc->state = ISP_FW_NON_PARTICIPATING;
		isp_trace(s, "fc no address on the loop: not participating");
		return;
	}
	fc->rate = common_rates(s) >> 1;
	fc->state = ISP_FW_WAIT_LOGIN;
	isp_trace(s, "fc link up loop-id=%02x port-id=%06x ports=%u", fc->loop_id, fc->port_id, n + 1);
	isp_async(s->fw, 0x8011, fc->rate, 0, 0);
	timer_mod(fc->timer, isp_now() + (uint64_t)(n + 1) * LOGIN_NS);
}

static void step_logged_in(IspState *s)
{
	IspFabric *fc = s->fc;
	bool automatic = !(s->fw->icb.special_options & 0x0080);

	fc->state = ISP_FW_READY;
	if (isp_has_switch(fc))
		isp_fabric_login(s);
	for (unsigned int i = 0; automatic && i < ISP_LOOP_IDS; i++)
		if (fc->ports[i].local && reachable(&fc->ports[i]))
			isp_fc_login(s, &fc->ports[i], true);
	if (s->fw->icb.options & ISP_ICB_PDB_CHANGE)
		isp_async(s->fw, 0x8014, 0xffff, 6, 0);
	isp_ring_kick(s->fw);
	isp_fault_link_up(s->fw);
}

static void lip_timer(void *opaque)
{
	IspState *s = opaque;

	switch (s->fc->step++) {
	case 0:
		step_lip_seen(s);
		break;
	case 1:
		step_loop_up(s);
		break;
	default:
		step_logged_in(s);
	}
}

/* What an initialization does to open exchanges; without a loop it ends every login. */
static void interrupt_exchanges(IspState *s, IspLip kind)
{
	bool login = kind == ISP_LIP_LOGIN || (s->fw->icb.options & ISP_ICB_FULL_LOGIN) ||
		     !isp_is_loop(s->fc);

	if (kind == ISP_LIP_INIT)
		return;
	if (kind == ISP_LIP_RESET) {
		isp_commands_abort(s->fw, -1, -1, ISP_CS_RESET);
		for (unsigned int i = 0; i < ISP_LOOP_IDS; i++)
			if (s->fc->ports[i].present)
				isp_scsi_reset(s, i, -1);
		isp_scope_add(s->fw->unsynced, -1, -1);
	} else if (login) {
		isp_commands_abort(s->fw, -1, -1, ISP_CS_PORT_CHANGED);
	}
	if (login || kind == ISP_LIP_RESET)
		forget_logins(s);
}

/* Is there anybody at the other end that we may talk to? */
static bool link_possible(IspState *s)
{
	unsigned int others = gather(s);

	return !s->fc->cable_out && common_rates(s) && may_connect(s) && (others || isp_has_switch(s->fc));
}

void isp_fc_lip(IspState *s, IspLip kind)
{
	IspFabric *fc = s->fc;

	if (!link_possible(s)) {
		timer_del(fc->timer);
		no_light(s);
		return;
	}
	fc->lip = kind;
	fc->step = 0;
	fc->state = ISP_FW_WAIT_AL_PA;
	interrupt_exchanges(s, kind);
	s->fw->link_errors[6]++;
	isp_trace(s, "fc lip kind=%d", kind);
	timer_mod(fc->timer, isp_now() + (uint64_t)s->lip_ms * SCALE_MS / 4);
}

static void start_afresh(IspState *s)
{
	forget_logins(s);
	isp_fabric_lost(s);
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		s->fc->ports[i].bypassed = false;
		s->fc->ports[i].loop_id = ISP_NO_LOOP_ID;
	}
}

void isp_fc_start(IspState *s)
{
	const IspIcb *icb = &s->fw->icb;

	s->fc->wanted_rate = MIN(ISP_SPECIAL_RATE(icb->special_options), 2);
	start_afresh(s);
	if (icb->options & ISP_ICB_NO_LIP)
		s->fc->state = ISP_FW_WAIT_AL_PA;
	else
		isp_fc_lip(s, ISP_LIP_INIT);
}

void isp_fc_offline(IspState *s, bool offline)
{
	if (!offline) {
		isp_fc_lip(s, ISP_LIP_PLAIN);
		return;
	}
	timer_del(s->fc->timer);
	no_light(s);
	s->fc->state = ISP_FW_NON_PARTICIPATING;
	isp_async(s->fw, 0x8012, 0, 0, 0);
}

static void lights_out(IspState *s)
{
	if (s->fc->state == ISP_FW_LOSS_OF_SYNC)
		return;
	timer_del(s->fc->timer);
	no_light(s);
	isp_async(s->fw, 0x8012, 0, 0, 0);
}

/* Link failure, loss of sync and loss of signal are counted (GET LINK STATUS). */
void isp_fc_cable(IspState *s, bool plugged)
{
	IspFabric *fc = s->fc;

	timer_del(fc->cable_timer);
	if (fc->cable_out == !plugged)
		return;
	fc->cable_out = !plugged;
	isp_trace(s, "fc cable %s", plugged ? "plugged in" : "pulled");
	if (!s->fw->initialized || fc->state == ISP_FW_NON_PARTICIPATING)
		return;
	if (plugged) {
		isp_fc_lip(s, ISP_LIP_PLAIN);
		return;
	}
	for (unsigned int i = 0; i < 3; i++)
		s->fw->link_errors[i]++;
	lights_out(s);
}

/*
 * What is under way to a port that left: a loop's initialization shows that it is gone; behind a switch
 * nobody answers any more, and nobody says so.  Back again, the port knows nothing of its login, and
 * says that with a LOGO.
 */
static void port_changed(IspState *s, IspPort *port)
{
	if (port->local && !port->present)
		isp_commands_abort(s->fw, port->loop_id, -1, ISP_CS_PORT_UNAVAILABLE);
	else if (!port->present)
		isp_commands_lose(s->fw, port);
	else if (!port->local)
		isp_fc_logout(s, port);
}

/* The loop has to be initialized anew for local ports, the switch tells of the others. */
static bool note_changes(IspState *s, const bool *was_present)
{
	bool loop_changed = false;

	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		IspPort *port = &s->fc->ports[i];

		if (port->present == was_present[i])
			continue;
		isp_trace(s, "fc target %u %s", i, was_present[i] ? "went" : "came");
		port_changed(s, port);
		if (port->local)
			loop_changed = true;
		else
			isp_fabric_state_change(s, port);
	}
	return loop_changed;
}

void isp_fc_vanish(IspState *s, IspPort *port)
{
	port->away = true;
	if (!port->present)
		return;
	port->present = false;
	isp_commands_lose(s->fw, port);
}

/* Ports came or went; without any other port the light goes out. */
void isp_fc_look_again(IspState *s)
{
	IspFabric *fc = s->fc;
	bool was_present[ISP_LOOP_IDS];

	if (!s->fw->initialized || fc->state == ISP_FW_NON_PARTICIPATING)
		return;
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++)
		was_present[i] = fc->ports[i].present;
	if (!link_possible(s)) {
		lights_out(s);
		return;
	}
	if (note_changes(s, was_present))
		isp_fc_lip(s, ISP_LIP_PLAIN);
}

static void plug_timer(void *opaque)
{
	isp_fc_look_again(opaque);
}

/* Later, because QEMU tells of a LUN before its bus shows it. */
void isp_fc_luns_changed(IspState *s)
{
	timer_mod(s->fc->plug_timer, isp_now() + SCALE_MS);
}

unsigned int isp_fc_position_map(IspState *s, uint8_t *map)
{
	unsigned int n = 0;

	if (s->fc->loop_id == ISP_NO_LOOP_ID || !isp_is_loop(s->fc))
		return 0;
	map[n++] = s->fc->al_pa;
	if (isp_has_switch(s->fc))
		map[n++] = 0;
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++)
		if (s->fc->ports[i].local && reachable(&s->fc->ports[i]))
			map[n++] = s->fc->ports[i].al_pa;
	return n;
}

void isp_fc_reset(IspState *s)
{
	timer_del(s->fc->timer);
	s->fc->state = ISP_FW_CONFIG_WAIT;
	s->fc->loop_id = ISP_NO_LOOP_ID;
	start_afresh(s);
}

static bool parse_topology(IspState *s, IspTopology *topology, Error **errp)
{
	static const char *const names[] = {
		[ISP_TOPO_LOOP] = "loop",
		[ISP_TOPO_PUBLIC_LOOP] = "public-loop",
		[ISP_TOPO_P2P] = "p2p",
		[ISP_TOPO_FABRIC] = "fabric",
	};

	*topology = ISP_TOPO_LOOP;
	if (!s->topology)
		return true;
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(s->topology, names[i]))
			continue;
		*topology = i;
		return true;
	}
	error_setg(errp, "%s: topology=%s: choose from loop, public-loop, fabric, p2p", s->chip->name,
		   s->topology);
	return false;
}

void isp_fc_realize(IspState *s, Error **errp)
{
	IspFabric *fc;
	IspTopology topology;

	if (!parse_topology(s, &topology, errp))
		return;
	if (s->link_rate && strcmp(s->link_rate, "1") && strcmp(s->link_rate, "2")) {
		error_setg(errp, "%s: link-rate=%s: choose from 1, 2", s->chip->name, s->link_rate);
		return;
	}
	if (s->min_targets > ISP_LOOP_IDS - 1) {
		error_setg(errp, "%s: targets=%u: a loop has room for %u targets",
			   s->chip->name, s->min_targets, ISP_LOOP_IDS - 1);
		return;
	}
	if (!s->port_id || s->port_id >= 0xf00000) {
		error_setg(errp, "%s: port-id=%#x: choose from 000001h to efffffh", s->chip->name,
			   s->port_id);
		return;
	}
	fc = g_new0(IspFabric, 1);
	fc->isp = s;
	fc->topology = topology;
	fc->loop_id = ISP_NO_LOOP_ID;
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		fc->ports[i].target = i;
		default_identity(s, &fc->ports[i]);
	}
	isp_fabric_init(fc);
	fc->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, lip_timer, s);
	fc->plug_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, plug_timer, s);
	fc->cable_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, isp_link_cable_timer, s);
	fc->storm_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, isp_link_storm_timer, s);
	s->fc = fc;
}

void isp_fc_unrealize(IspState *s)
{
	if (!s->fc)
		return;
	timer_free(s->fc->timer);
	timer_free(s->fc->plug_timer);
	timer_free(s->fc->cable_timer);
	timer_free(s->fc->storm_timer);
	g_free(s->fc);
	s->fc = NULL;
}
