// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailbox commands about the link, ports and logins.
 *
 * Mailboxes and buffers: qla2x00_get_adapter_id(), qla2x00_get_port_database(), port_database_t,
 * qla2x00_get_id_list(), struct gid_list_info, qla2x00_login_fabric(), qla2x00_login_local_device(),
 * qla2x00_get_link_status(), struct link_statistics in Linux; isp_pdb_21xx_t in FreeBSD ispmbox.h,
 * isp_fabric_mbox_cmd() in FreeBSD isp.c (why a fabric command failed); struct qla_get_port_db in
 * OpenBSD qlareg.h.
 */
#include "fc.h"

static uint16_t fail(IspMbox *m, uint16_t why)
{
	isp_mbox_set(m, 1, why);
	return ISP_MB_ERROR;
}

/* While the loop is not up, port commands fail with the reason. */
uint16_t isp_mbc_not_ready(IspFirmware *fw, IspMbox *m)
{
	switch (fw->isp->fc->state) {
	case ISP_FW_READY:
		return 0;
	case ISP_FW_WAIT_AL_PA:
	case ISP_FW_WAIT_LOGIN:
		return fail(m, ISP_WHY_NOT_READY);
	default:
		return fail(m, ISP_WHY_NO_LINK);
	}
}

/* Without FLOGI a public loop looks like a private one. */
static IspTopology topology(const IspFabric *fc)
{
	if (fc->topology == ISP_TOPO_PUBLIC_LOOP && !fc->servers[ISP_SERVER_F_PORT].present)
		return ISP_TOPO_LOOP;
	return fc->topology;
}

uint16_t isp_mbc_get_id(IspFirmware *fw, IspMbox *m)
{
	IspFabric *fc = fw->isp->fc;
	uint16_t bad = isp_mbc_not_ready(fw, m);

	if (bad)
		return bad;
	isp_mbox_set(m, 1, fc->loop_id);
	isp_mbox_set(m, 2, fc->port_id);	/* AL_PA, area above it */
	isp_mbox_set(m, 3, fc->port_id >> 16);	/* domain */
	isp_mbox_set(m, 6, topology(fc));
	isp_mbox_set(m, 7, 0);			/* the switch claims no special abilities */
	isp_mbox_set(m, 9, 0);
	return ISP_MB_COMPLETE;
}

/* ---- port database ---------------------------------------------------------------------------- */

/* Service parameters of PRLI: the roles, and that reads need no XFER_RDY. */
static uint16_t prli_parameters(const IspPort *port)
{
	return 0x0002 | (port->is_target ? 0x0010 : 0) | (port->is_initiator ? 0x0020 : 0);
}

static void fill_port_db(IspFirmware *fw, const IspPort *port, uint8_t *pdb)
{
	memset(pdb, 0, 128);
	pdb[2] = port->logged_in ? 6 : 7;	/* master and slave state: logged in, unavailable */
	pdb[3] = pdb[2];
	pdb[6] = port->al_pa;			/* hard address */
	pdb[8] = port->port_id >> 16;		/* port id: domain at 8, AL_PA at 10, area at 11 */
	pdb[10] = port->port_id;
	pdb[11] = port->port_id >> 8;
	stq_be_p(pdb + 12, port->wwnn);
	stq_be_p(pdb + 20, port->wwpn);
	stw_le_p(pdb + 28, fw->icb.throttle);
	stw_le_p(pdb + 30, port->executing);
	pdb[32] = fw->icb.retry_count;
	stw_le_p(pdb + 46, 0x8800);		/* PLOGI: continuously increasing offset, BB_Credit */
	stw_le_p(pdb + 48, 0xff);
	stw_le_p(pdb + 50, 0x1f);
	stw_le_p(pdb + 54, 2048);		/* receive data field size, class 3 */
	stw_le_p(pdb + 56, 0xff);
	stw_le_p(pdb + 58, 1);
	if (port->prli) {
		stw_le_p(pdb + 74, 0x14);	/* PRLI: one page of 16 bytes behind 4 */
		stw_le_p(pdb + 76, 0x2000);	/* image pair established */
		stw_le_p(pdb + 78, prli_parameters(port));
	}
	stw_le_p(pdb + 80, port->loop_id);
}

static uint16_t write_port_db(IspFirmware *fw, IspMbox *m, const IspPort *port)
{
	uint8_t pdb[128];

	fill_port_db(fw, port, pdb);
	isp_mbox_set(m, 1, port->loop_id);
	return isp_dma_write(fw->isp, isp_mbox_addr64(m), pdb, sizeof(pdb)) ? ISP_MB_COMPLETE :
									      ISP_MB_HOST_INTERFACE;
}

/* Known ports: those of the loop, and those that were logged in with through the switch. */
static IspPort *addressed(IspFirmware *fw, IspMbox *m, uint16_t *bad)
{
	IspPort *port;

	*bad = isp_mbc_not_ready(fw, m);
	if (*bad)
		return NULL;
	port = isp_fc_port(fw->isp, isp_mbox_loop_id(fw, m));
	if (!port) {
		isp_mbox_set(m, 1, 0);
		*bad = ISP_MB_PARAMETER;
	}
	return port;
}

uint16_t isp_mbc_port_db(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = addressed(fw, m, &bad);

	return port ? write_port_db(fw, m, port) : bad;
}

/*
 * The enhanced form logs in first where that is missing and the port is the firmware's own affair.  Option bit
 * 1: ask the port itself (ADISC) whether the login stands: qla2x00_fabric_dev_login() in Linux up to 5.x.
 */
uint16_t isp_mbc_port_db_login(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = addressed(fw, m, &bad);

	if (!port)
		return bad;
	if (isp_mbox_options(fw, m) & 2 && port->logged_in && !port->present) {
		isp_fc_logout(fw->isp, port);
		return fail(m, ISP_WHY_TRANSMIT);
	}
	if (port->local)
		isp_fc_login(fw->isp, port, true);
	return write_port_db(fw, m, port);
}

/*
 * Two bytes of the name in each of mailboxes 2, 3, 6, 7, the first in the low half: isp_getpdb() and
 * isp_get_portname() in FreeBSD isp.c, which ran on these chips.
 */
static void set_name(IspMbox *m, uint64_t name)
{
	static const uint8_t place[] = { 2, 3, 6, 7 };

	for (unsigned int i = 0; i < ARRAY_SIZE(place); i++)
		isp_mbox_set(m, place[i], bswap16(name >> (48 - 16 * i)));
}

uint16_t isp_mbc_port_name(IspFirmware *fw, IspMbox *m)
{
	bool node = isp_mbox_options(fw, m) & 1;
	uint16_t bad;
	IspPort *port;

	bad = isp_mbc_not_ready(fw, m);
	if (!bad && isp_mbox_loop_id(fw, m) == fw->isp->fc->loop_id) {
		set_name(m, node ? fw->icb.wwnn : fw->icb.wwpn);
		return ISP_MB_COMPLETE;
	}
	port = addressed(fw, m, &bad);
	if (!port)
		return bad;
	if (!port->logged_in)
		return ISP_MB_NOT_LOGGED_IN;
	isp_mbox_set(m, 1, port->loop_id);
	set_name(m, node ? port->wwnn : port->wwpn);
	return ISP_MB_COMPLETE;
}

/* ---- lists -------------------------------------------------------------------------------------- */

typedef struct List {
	uint8_t *at;
	unsigned int size, n;		/* of an entry; entries */
	bool node_names;
} List;

#define MAX_LOGINS (ISP_LOOP_IDS + ISP_SERVERS)

static void add_id(const IspPort *port, void *opaque)
{
	List *list = opaque;
	uint8_t *e = list->at + list->n++ * list->size;

	e[0] = port->port_id;
	e[1] = port->port_id >> 8;
	e[2] = port->port_id >> 16;
	e[3] = port->loop_id;
	if (list->size == 6)
		stw_le_p(e + 4, port->loop_id);
}

/*
 * Ports that are logged in: AL_PA, area, domain, then the loop id, 8 bits on the 2200, 16 bits behind
 * a filler on the 23xx.  The address is in mailboxes 1, 2, 3, 6 here.
 */
uint16_t isp_mbc_id_list(IspFirmware *fw, IspMbox *m)
{
	uint64_t addr = (uint64_t)m->in[3] << 48 | (uint64_t)m->in[6] << 32 |
			(uint32_t)m->in[1] << 16 | m->in[2];
	uint8_t buf[MAX_LOGINS * 6] = { 0 };
	List list = { .at = buf, .size = isp_is_23xx(fw) ? 6 : 4 };
	uint16_t bad = isp_mbc_not_ready(fw, m);

	if (bad)
		return bad;
	isp_fc_each_login(fw->isp, add_id, &list);
	if (list.n && !isp_dma_write(fw->isp, addr, buf, list.n * list.size))
		return ISP_MB_HOST_INTERFACE;
	isp_mbox_set(m, 1, list.n);
	return ISP_MB_COMPLETE;
}

static void add_name(const IspPort *port, void *opaque)
{
	List *list = opaque;
	uint8_t *e = list->at + list->n++ * list->size;

	stq_be_p(e, list->node_names ? port->wwnn : port->wwpn);
	stw_le_p(e + 8, port->loop_id);
}

/*
 * Names (mailbox 1 bit 0: node names, else port names) and loop ids of the ports that are logged in,
 * 10 bytes each (struct qla_port23_data of the SCST driver); mailbox 8: size of the buffer.
 */
uint16_t isp_mbc_name_list(IspFirmware *fw, IspMbox *m)
{
	uint8_t buf[MAX_LOGINS * 10];
	List list = { .at = buf, .size = 10, .node_names = m->in[1] & 1 };
	uint16_t bad = isp_mbc_not_ready(fw, m);

	if (bad)
		return bad;
	isp_fc_each_login(fw->isp, add_name, &list);
	if (10 * list.n > m->in[8])
		return fail(m, 0x000a);		/* the buffer is too small */
	if (list.n && !isp_dma_write(fw->isp, isp_mbox_addr64(m), buf, 10 * list.n))
		return ISP_MB_HOST_INTERFACE;
	isp_mbox_set(m, 1, 10 * list.n);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_position_map(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad = isp_mbc_not_ready(fw, m);
	uint8_t map[128] = { 0 };

	if (bad)
		return bad;
	if (!isp_is_loop(fw->isp->fc))
		return fail(m, ISP_WHY_NO_LINK);
	map[0] = isp_fc_position_map(fw->isp, map + 1);
	if (!isp_dma_write(fw->isp, isp_mbox_addr64(m), map, sizeof(map)))
		return ISP_MB_HOST_INTERFACE;
	isp_mbox_set(m, 1, map[0]);
	return ISP_MB_COMPLETE;
}

/* Link failures, loss of sync, loss of signal, primitive sequence errors, invalid words, CRC errors,
 * LIPs. */
uint16_t isp_mbc_link_status(IspFirmware *fw, IspMbox *m)
{
	uint8_t buf[sizeof(fw->link_errors)];

	if (isp_mbox_loop_id(fw, m) != fw->isp->fc->loop_id &&
	    !isp_fc_port(fw->isp, isp_mbox_loop_id(fw, m)))
		return ISP_MB_PARAMETER;
	for (unsigned int i = 0; i < ARRAY_SIZE(fw->link_errors); i++)
		stl_le_p(buf + 4 * i, fw->link_errors[i]);
	return isp_dma_write(fw->isp, isp_mbox_addr64(m), buf, sizeof(buf)) ? ISP_MB_COMPLETE :
									      ISP_MB_HOST_INTERFACE;
}

uint16_t isp_mbc_reset_link_status(IspFirmware *fw, IspMbox *m)
{
	memset(fw->link_errors, 0, sizeof(fw->link_errors));
	return ISP_MB_COMPLETE;
}

/* ---- logins ------------------------------------------------------------------------------------- */

/* Mailbox 1 of a successful login, bit 0: no target; bit 1: FCP-2 retry, which nobody has here. */
static uint16_t logged_in(IspMbox *m, const IspPort *port, bool asked)
{
	isp_mbox_set(m, 1, asked && port->target != ISP_NO_TARGET && !port->is_target);
	isp_mbox_set(m, 2, 0);
	isp_mbox_set(m, 6, 0);
	isp_mbox_set(m, 7, 0);
	isp_mbox_set(m, 10, 0x0002);		/* class 3 */
	return ISP_MB_COMPLETE;
}

/* PLOGI over an existing login ends what is open there; option bit 0: only if there is none. */
static uint16_t log_in(IspFirmware *fw, IspMbox *m, IspPort *port, unsigned int options)
{
	if ((!port->logged_in || !(options & 1)) && isp_fault_login(fw, port->port_id))
		return fail(m, ISP_WHY_TRANSMIT);
	if (port->logged_in && !(options & 1)) {
		isp_commands_abort(fw, port->loop_id, -1, ISP_CS_PORT_CHANGED);
		port->logged_in = port->prli = false;
	}
	if (!isp_fc_login(fw->isp, port, !(options & 2)))
		return fail(m, ISP_WHY_TRANSMIT);
	return logged_in(m, port, !(options & 2));
}

/* A loop id that no login may have: the loop's own, a reserved one, or none of this firmware's. */
static bool bad_loop_id(IspFirmware *fw, uint16_t loop_id, const IspPort *port)
{
	uint16_t last = fw->extended_ids ? ISP_LOOP_ID_LAST_2K : ISP_LOOP_ID_LAST_8BIT;
	bool reserved = loop_id >= ISP_LOOP_ID_FL_PORT && loop_id <= ISP_LOOP_ID_NAME_SERVER;

	return loop_id > last || (reserved && port->loop_id != loop_id);
}

/*
 * LOGIN FABRIC PORT: port id in mailboxes 2 (domain) and 3 (area, AL_PA), to be known under the loop
 * id in mailbox 1.  A port of the loop keeps its own loop id.  Option bit 0: nothing to do when the
 * login exists; bit 1: PLOGI only.
 */
uint16_t isp_mbc_fabric_login(IspFirmware *fw, IspMbox *m)
{
	uint32_t port_id = (uint32_t)(m->in[2] & 0xff) << 16 | m->in[3];
	uint16_t loop_id = isp_mbox_loop_id(fw, m), bad = isp_mbc_not_ready(fw, m);
	IspPort *port, *holder;

	if (bad)
		return bad;
	if (port_id >> 8 && !isp_has_switch(fw->isp->fc))
		return fail(m, ISP_WHY_NO_FABRIC);
	port = isp_fc_port_by_id(fw->isp, port_id);
	if (!port)
		return fail(m, ISP_WHY_TRANSMIT);
	holder = isp_fc_port(fw->isp, loop_id);
	if (holder && holder != port && (holder->logged_in || holder->local)) {
		isp_mbox_set(m, 1, holder->port_id);
		isp_mbox_set(m, 2, holder->port_id >> 16);
		return ISP_MB_LOOP_ID_USED;
	}
	if (port->loop_id != loop_id && (port->local || port->logged_in)) {
		isp_mbox_set(m, 1, port->loop_id);
		return ISP_MB_PORT_ID_USED;
	}
	if (bad_loop_id(fw, loop_id, port) || loop_id == fw->isp->fc->loop_id)
		return ISP_MB_PARAMETER;
	if (holder && holder != port)
		holder->loop_id = ISP_NO_LOOP_ID;
	port->loop_id = loop_id;
	return log_in(fw, m, port, isp_mbox_options(fw, m));
}

uint16_t isp_mbc_loop_login(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = addressed(fw, m, &bad);

	if (!port)
		return bad;
	if (!port->local)
		return ISP_MB_PARAMETER;
	return log_in(fw, m, port, m->in[2] & 1);
}

static uint16_t logout(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = addressed(fw, m, &bad);

	if (!port)
		return bad;
	if (!port->logged_in)
		return ISP_MB_NOT_LOGGED_IN;
	isp_mbox_set(m, 1, 0);
	isp_fc_logout(fw->isp, port);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_fabric_logout(IspFirmware *fw, IspMbox *m)
{
	return logout(fw, m);
}

/* Mailbox 1 is always a whole loop id here (Linux qla2x00_port_logout()). */
uint16_t isp_mbc_port_logout(IspFirmware *fw, IspMbox *m)
{
	if (!fw->extended_ids)
		m->in[1] <<= 8;
	return logout(fw, m);
}

/* ---- what needs a fabric ------------------------------------------------------------------------ */

/*
 * State change registration at the fabric controller: function 1 what the fabric detects, 2 what
 * N_Ports report, 3 both, ffh nothing (FC-LS: SCR).
 */
uint16_t isp_mbc_change_request(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad = isp_mbc_not_ready(fw, m), function = m->in[1];

	if (bad)
		return bad;
	if (!isp_has_switch(fw->isp->fc))
		return fail(m, ISP_WHY_NO_FABRIC);
	if (function != 0xff && (!function || function > 3))
		return ISP_MB_PARAMETER;
	fw->isp->fc->state_changes = function == 1 || function == 3;
	isp_mbox_set(m, 1, 0);
	return ISP_MB_COMPLETE;
}

/* Loop fabric addresses: nobody here has one. */
uint16_t isp_mbc_send_lfa(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad = isp_mbc_not_ready(fw, m);

	return bad ? bad : fail(m, ISP_WHY_TRANSMIT);
}

/* IP over Fibre Channel: the images announce it, the model has no IP peers. */
uint16_t isp_mbc_ip_unsupported(IspFirmware *fw, IspMbox *m)
{
	return ISP_MB_ERROR;
}

/* ---- loop --------------------------------------------------------------------------------------- */

uint16_t isp_mbc_lip(IspFirmware *fw, IspMbox *m)
{
	isp_fc_lip(fw->isp, ISP_LIP_PLAIN);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_lip_login(IspFirmware *fw, IspMbox *m)
{
	isp_fc_lip(fw->isp, ISP_LIP_LOGIN);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_lip_reset(IspFirmware *fw, IspMbox *m)
{
	isp_fc_lip(fw->isp, ISP_LIP_RESET);
	return ISP_MB_COMPLETE;
}

/* Mailbox 1: 1 leave the link, 0 join it again. */
uint16_t isp_mbc_offline(IspFirmware *fw, IspMbox *m)
{
	if (m->in[1] > 1)
		return ISP_MB_PARAMETER;
	isp_fc_offline(fw->isp, m->in[1]);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_bypass(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = addressed(fw, m, &bad);

	if (!port)
		return bad;
	if (!port->local)
		return ISP_MB_PARAMETER;
	isp_fc_logout(fw->isp, port);
	port->bypassed = true;
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_enable_port(IspFirmware *fw, IspMbox *m)
{
	uint16_t loop_id = isp_mbox_loop_id(fw, m);

	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		IspPort *port = &fw->isp->fc->ports[i];

		if (!port->present || port->loop_id != loop_id)
			continue;
		port->bypassed = false;
		return ISP_MB_COMPLETE;
	}
	return ISP_MB_PARAMETER;
}

/* ---- RNID --------------------------------------------------------------------------------------- */

/* LS_ACC with the common identification only (FC-FS: format 00h, 16 bytes). */
uint16_t isp_mbc_send_rnid(IspFirmware *fw, IspMbox *m)
{
	uint8_t acc[24] = { 0x02, 0, 0, 0, 0x00, 16 };
	uint16_t bad;
	IspPort *port = addressed(fw, m, &bad);

	if (!port)
		return bad;
	if (!port->logged_in)
		return ISP_MB_NOT_LOGGED_IN;
	stq_be_p(acc + 8, port->wwpn);
	stq_be_p(acc + 16, port->wwnn);
	isp_mbox_set(m, 1, 0);
	return isp_dma_write(fw->isp, isp_mbox_addr64(m), acc, sizeof(acc)) ? ISP_MB_COMPLETE :
									      ISP_MB_HOST_INTERFACE;
}

uint16_t isp_mbc_set_rnid(IspFirmware *fw, IspMbox *m)
{
	isp_mbox_set(m, 1, 0);
	return isp_dma_read(fw->isp, isp_mbox_addr64(m), fw->rnid, sizeof(fw->rnid)) ?
		       ISP_MB_COMPLETE : ISP_MB_HOST_INTERFACE;
}

uint16_t isp_mbc_get_rnid(IspFirmware *fw, IspMbox *m)
{
	isp_mbox_set(m, 1, 0);
	return isp_dma_write(fw->isp, isp_mbox_addr64(m), fw->rnid, sizeof(fw->rnid)) ?
		       ISP_MB_COMPLETE : ISP_MB_HOST_INTERFACE;
}
