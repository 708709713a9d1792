// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The switch's generic services: name server, and as much of the others as answers "not here".
 *
 * Requests and answers are Common Transport frames as they are on the wire, big endian.  Formats: Linux
 * include/uapi/scsi/fc/fc_gs.h and fc_ns.h; struct ct_sns_req and struct ct_sns_rsp in qla_def.h; FreeBSD
 * isp_ct.h and ispmbox.h (ct_hdr_t, sns_ga_nxt_rsp_t).  See Documentation/hardware/fabric.md.
 */
#include "nameserver.h"

enum {
	CT_REVISION = 0,
	CT_TYPE = 4,
	CT_SUBTYPE = 5,
	CT_CODE = 8,
	CT_SIZE = 10,			/* request: words wanted; answer: words left over */
	CT_REASON = 13,
	CT_EXPLANATION = 14,
};

enum {
	CT_REJECT = 0x8001,
	CT_ACCEPT = 0x8002,
};

enum {
	GS_MANAGEMENT = 0xfa,
	GS_DIRECTORY = 0xfc,
	GS_SUB_FABRIC_CONFIG = 0x01,	/* of the management service */
	GS_SUB_NAMES = 0x02,		/* of the directory service */
};

enum {
	REASON_COMMAND = 0x01,
	REASON_LOGICAL = 0x03,
	REASON_SIZE = 0x04,
	REASON_UNABLE = 0x09,
	REASON_UNSUPPORTED = 0x0b,
};

enum {
	WHY_NONE = 0x00,
	WHY_PORT_ID = 0x01,		/* none registered with that ... */
	WHY_PORT_NAME = 0x02,
	WHY_NODE_NAME = 0x03,
	WHY_FC4_TYPES = 0x07,
};

enum {
	PORT_TYPE_N = 0x01,
	PORT_TYPE_NL = 0x02,
	PORT_TYPE_ANY_N = 0x7f,
};

#define FC4_FCP 0x08
#define FC4_IP 0x05
#define LAST_ENTRY 0x80
#define CLASS_3 0x08			/* of the class of service bits: 1 << class */

/* One object of the name server's database. */
typedef struct Entry {
	uint32_t port_id;
	uint8_t type;
	uint64_t wwpn, wwnn;
	uint8_t fc4[32];
	uint8_t fcp_features;		/* bit 0 target, bit 1 initiator */
	const char *port_text, *node_text;	/* symbolic names */
} Entry;

/* A request while it is answered. */
typedef struct Query {
	IspState *s;
	const uint8_t *arg;		/* behind the header */
	size_t arg_len;
	GArray *db;			/* Entry, by rising port id */
	GByteArray *out;		/* answer behind the header */
	uint8_t reason, why;
} Query;

/* ---- database -------------------------------------------------------------------------------------- */

static void set_fc4(uint8_t *map, unsigned int type)
{
	map[4 * (type / 32) + 3 - type % 32 / 8] |= 1 << type % 8;
}

static bool has_fc4(const uint8_t *map, unsigned int type)
{
	return map[4 * (type / 32) + 3 - type % 32 / 8] & 1 << type % 8;
}

static void add_port(GArray *db, const IspPort *port)
{
	Entry e = {
		.port_id = port->port_id,
		.type = port->local ? PORT_TYPE_NL : PORT_TYPE_N,
		.wwpn = port->wwpn,
		.wwnn = port->wwnn,
		.fcp_features = port->is_target | port->is_initiator << 1,
		.port_text = "", .node_text = "",
	};

	if (port->fcp)
		set_fc4(e.fc4, FC4_FCP);
	if (port->ip)
		set_fc4(e.fc4, FC4_IP);
	g_array_append_val(db, e);
}

/* What the switch knows from FLOGI, and what we registered. */
static void add_ourselves(IspState *s, GArray *db)
{
	const IspRegistration *reg = &s->fc->registration;
	Entry e = {
		.port_id = s->fc->port_id,
		.type = isp_is_loop(s->fc) ? PORT_TYPE_NL : PORT_TYPE_N,
		.wwpn = s->fw->icb.wwpn,
		.wwnn = reg->wwnn ? reg->wwnn : s->fw->icb.wwnn,
		.fcp_features = reg->fcp_features,
		.port_text = reg->port_text, .node_text = reg->node_text,
	};

	memcpy(e.fc4, reg->fc4, sizeof(e.fc4));
	g_array_append_val(db, e);
}

/* Ports that are not there, in a domain of their own. */
static void add_ghosts(IspState *s, GArray *db)
{
	unsigned int n = isp_fault_ns_ghosts(s->fw);

	for (unsigned int i = 0; i < n; i++) {
		Entry e = {
			.port_id = 0x200000 + i,
			.type = PORT_TYPE_N,
			.wwpn = 0x31ffffffff000000ULL + i,
			.wwnn = 0x30ffffffff000000ULL + i,
			.fcp_features = 1,
			.port_text = "", .node_text = "",
		};

		set_fc4(e.fc4, FC4_FCP);
		g_array_append_val(db, e);
	}
}

static gint by_port_id(gconstpointer a, gconstpointer b)
{
	const Entry *x = a, *y = b;

	return x->port_id < y->port_id ? -1 : x->port_id > y->port_id;
}

static GArray *database(IspState *s)
{
	GArray *db = g_array_new(false, false, sizeof(Entry));

	add_ourselves(s, db);
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++)
		if (s->fc->ports[i].present && !s->fc->ports[i].bypassed)
			add_port(db, &s->fc->ports[i]);
	add_ghosts(s, db);
	g_array_sort(db, by_port_id);
	return db;
}

static Entry *entry(const Query *q, unsigned int i)
{
	return i < q->db->len ? &g_array_index(q->db, Entry, i) : NULL;
}

/* ---- arguments and answers ------------------------------------------------------------------------- */

static void reject(Query *q, uint8_t reason, uint8_t why)
{
	q->reason = reason;
	q->why = why;
}

static uint32_t arg_port_id(const Query *q)
{
	return isp_be32(q->arg) & 0xffffff;
}

static Entry *by_id(Query *q)
{
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++)
		if (e->port_id == arg_port_id(q))
			return e;
	reject(q, REASON_UNABLE, WHY_PORT_ID);
	return NULL;
}

static void put(Query *q, const void *data, size_t len)
{
	g_byte_array_append(q->out, data, len);
}

static void put_zeroes(Query *q, size_t len)
{
	guint at = q->out->len;

	g_byte_array_set_size(q->out, at + len);
	memset(q->out->data + at, 0, len);
}

static void put_name(Query *q, uint64_t name)
{
	uint8_t raw[8];

	stq_be_p(raw, name);
	put(q, raw, sizeof(raw));
}

/* A byte and a port id; the byte is a port type or the mark of the last entry. */
static void put_id(Query *q, uint8_t first, uint32_t port_id)
{
	uint8_t raw[4];

	stl_be_p(raw, (uint32_t)first << 24 | port_id);
	put(q, raw, sizeof(raw));
}

/* Symbolic name: a length and 255 bytes. */
static void put_text(Query *q, const char *text)
{
	uint8_t raw[256] = { strlen(text) };

	memcpy(raw + 1, text, raw[0]);
	put(q, raw, sizeof(raw));
}

static void mark_last(Query *q, size_t entry_size)
{
	if (q->out->len)
		q->out->data[q->out->len - entry_size] |= LAST_ENTRY;
}

/* ---- queries about one port ------------------------------------------------------------------------ */

/* Everything about the port behind the given id, and behind the last one the first. */
static void ga_nxt(Query *q)
{
	Entry *e, *next = entry(q, 0);
	uint8_t classes[4] = { 0, 0, 0, CLASS_3 };

	for (unsigned int i = 0; (e = entry(q, i)); i++) {
		if (e->port_id <= arg_port_id(q))
			continue;
		next = e;
		break;
	}
	put_id(q, next->type, next->port_id);
	put_name(q, next->wwpn);
	put_text(q, next->port_text);
	put_name(q, next->wwnn);
	put_text(q, next->node_text);
	put_zeroes(q, 8 + 16);			/* initial process associator, IP address of the node */
	put(q, classes, sizeof(classes));
	put(q, next->fc4, sizeof(next->fc4));
	put_zeroes(q, 16);			/* IP address of the port */
	put_name(q, isp_fabric_port_name(next->port_id));
	put_id(q, 0, next->type == PORT_TYPE_NL ? next->port_id : 0);	/* hard address */
}

static void gpn_id(Query *q)
{
	Entry *e = by_id(q);

	if (e)
		put_name(q, e->wwpn);
}

static void gnn_id(Query *q)
{
	Entry *e = by_id(q);

	if (e)
		put_name(q, e->wwnn);
}

static void gcs_id(Query *q)
{
	uint8_t classes[4] = { 0, 0, 0, CLASS_3 };

	if (by_id(q))
		put(q, classes, sizeof(classes));
}

static void gft_id(Query *q)
{
	Entry *e = by_id(q);

	if (e)
		put(q, e->fc4, sizeof(e->fc4));
}

static void gspn_id(Query *q)
{
	Entry *e = by_id(q);

	if (e)
		put_text(q, e->port_text);
}

static void gpt_id(Query *q)
{
	Entry *e = by_id(q);

	if (e)
		put_id(q, e->type, 0);
}

static void gfpn_id(Query *q)
{
	Entry *e = by_id(q);

	if (e)
		put_name(q, isp_fabric_port_name(e->port_id));
}

/* Four bits for each type, the lowest types in the last byte of the first word. */
static void gff_id(Query *q)
{
	uint8_t features[128] = { 0 };
	Entry *e = by_id(q);

	if (!e)
		return;
	features[4 * (FC4_FCP / 8) + 3] = e->fcp_features;
	put(q, features, sizeof(features));
}

static void gid_pn(Query *q)
{
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++) {
		if (e->wwpn != ldq_be_p(q->arg))
			continue;
		put_id(q, 0, e->port_id);
		return;
	}
	reject(q, REASON_UNABLE, WHY_PORT_NAME);
}

static void gsnn_nn(Query *q)
{
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++) {
		if (e->wwnn != ldq_be_p(q->arg))
			continue;
		put_text(q, e->node_text);
		return;
	}
	reject(q, REASON_UNABLE, WHY_NODE_NAME);
}

/* ---- lists ----------------------------------------------------------------------------------------- */

/* @domain and @area: 0 for all of them. */
static bool in_scope(const Entry *e, uint8_t domain, uint8_t area)
{
	return (!domain || e->port_id >> 16 == domain) &&
	       (!domain || !area || (e->port_id >> 8 & 0xff) == area);
}

static void gid_nn(Query *q)
{
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++)
		if (e->wwnn == ldq_be_p(q->arg))
			put_id(q, 0, e->port_id);
	mark_last(q, 4);
	if (!q->out->len)
		reject(q, REASON_UNABLE, WHY_NODE_NAME);
}

static void gid_pt(Query *q)
{
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++)
		if ((q->arg[0] == PORT_TYPE_ANY_N || q->arg[0] == e->type) &&
		    in_scope(e, q->arg[1], q->arg[2]))
			put_id(q, 0, e->port_id);
	mark_last(q, 4);
	if (!q->out->len)
		reject(q, REASON_UNABLE, WHY_PORT_ID);
}

/* Ids alone, or each with a word of zeroes and a name. */
static void list_of_type(Query *q, bool names, bool node_names)
{
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++) {
		if (!has_fc4(e->fc4, q->arg[3]) || !in_scope(e, q->arg[1], q->arg[2]))
			continue;
		put_id(q, 0, e->port_id);
		if (!names)
			continue;
		put_zeroes(q, 4);
		put_name(q, node_names ? e->wwnn : e->wwpn);
	}
	mark_last(q, names ? 16 : 4);
	if (!q->out->len)
		reject(q, REASON_UNABLE, WHY_FC4_TYPES);
}

static void gid_ft(Query *q)
{
	list_of_type(q, false, false);
}

static void gpn_ft(Query *q)
{
	list_of_type(q, true, false);
}

static void gnn_ft(Query *q)
{
	list_of_type(q, true, true);
}

/* ---- registrations --------------------------------------------------------------------------------- */

/* Ports register for themselves only. */
static bool is_own_id(Query *q)
{
	if (arg_port_id(q) == q->s->fc->port_id)
		return true;
	reject(q, REASON_UNABLE, WHY_PORT_ID);
	return false;
}

/* The port name is known from FLOGI and cannot be another one. */
static void rpn_id(Query *q)
{
	if (is_own_id(q) && ldq_be_p(q->arg + 4) != q->s->fw->icb.wwpn)
		reject(q, REASON_UNABLE, WHY_PORT_NAME);
}

static void rnn_id(Query *q)
{
	if (is_own_id(q))
		q->s->fc->registration.wwnn = ldq_be_p(q->arg + 4);
}

/* Class of service and port type are known from FLOGI as well. */
static void accept_own(Query *q)
{
	is_own_id(q);
}

static void rft_id(Query *q)
{
	if (is_own_id(q))
		memcpy(q->s->fc->registration.fc4, q->arg + 4, 32);
}

/* For a type that is not registered there is nothing to add features to. */
static void rff_id(Query *q)
{
	IspRegistration *reg = &q->s->fc->registration;

	if (!is_own_id(q))
		return;
	if (!has_fc4(reg->fc4, q->arg[7]))
		reject(q, REASON_UNABLE, WHY_FC4_TYPES);
	else if (q->arg[7] == FC4_FCP)
		reg->fcp_features = q->arg[6];
}

/* @at: where the length stands in the argument. */
static void take_text(Query *q, unsigned int at, char *text)
{
	size_t len = q->arg[at];

	if (at + 1 + len > q->arg_len) {
		reject(q, REASON_SIZE, WHY_NONE);
		return;
	}
	memcpy(text, q->arg + at + 1, len);
	text[len] = 0;
}

static void rspn_id(Query *q)
{
	if (is_own_id(q))
		take_text(q, 4, q->s->fc->registration.port_text);
}

static void rsnn_nn(Query *q)
{
	IspRegistration *reg = &q->s->fc->registration;

	if (ldq_be_p(q->arg) != (reg->wwnn ? reg->wwnn : q->s->fw->icb.wwnn))
		reject(q, REASON_UNABLE, WHY_NODE_NAME);
	else
		take_text(q, 8, reg->node_text);
}

static void da_id(Query *q)
{
	if (is_own_id(q))
		memset(&q->s->fc->registration, 0, sizeof(q->s->fc->registration));
}

/* ---- fabric configuration server ------------------------------------------------------------------- */

/* GPSC: speeds that a port of the switch, named by its port name, can do and does. */
static void gpsc(Query *q)
{
	uint8_t speeds[4] = { 0xc0, 0, q->s->fc->rate ? 0x40 : 0x80, 0 };	/* 1 and 2 Gb/s */
	Entry *e;

	for (unsigned int i = 0; (e = entry(q, i)); i++) {
		if (isp_fabric_port_name(e->port_id) != ldq_be_p(q->arg))
			continue;
		put(q, speeds, sizeof(speeds));
		return;
	}
	reject(q, REASON_UNABLE, WHY_PORT_NAME);
}

/* ---- dispatch -------------------------------------------------------------------------------------- */

typedef struct Service {
	uint16_t code;
	uint8_t arg_len;		/* at least */
	const char *name;
	void (*fn)(Query *q);
} Service;

static const Service name_services[] = {
	{ 0x0100, 4, "GA_NXT", ga_nxt },
	{ 0x0112, 4, "GPN_ID", gpn_id },
	{ 0x0113, 4, "GNN_ID", gnn_id },
	{ 0x0114, 4, "GCS_ID", gcs_id },
	{ 0x0117, 4, "GFT_ID", gft_id },
	{ 0x0118, 4, "GSPN_ID", gspn_id },
	{ 0x011a, 4, "GPT_ID", gpt_id },
	{ 0x011c, 4, "GFPN_ID", gfpn_id },
	{ 0x011f, 4, "GFF_ID", gff_id },
	{ 0x0121, 8, "GID_PN", gid_pn },
	{ 0x0131, 8, "GID_NN", gid_nn },
	{ 0x0139, 8, "GSNN_NN", gsnn_nn },
	{ 0x0171, 4, "GID_FT", gid_ft },
	{ 0x0172, 4, "GPN_FT", gpn_ft },
	{ 0x0173, 4, "GNN_FT", gnn_ft },
	{ 0x01a1, 4, "GID_PT", gid_pt },
	{ 0x0212, 12, "RPN_ID", rpn_id },
	{ 0x0213, 12, "RNN_ID", rnn_id },
	{ 0x0214, 8, "RCS_ID", accept_own },
	{ 0x0217, 36, "RFT_ID", rft_id },
	{ 0x0218, 5, "RSPN_ID", rspn_id },
	{ 0x021a, 8, "RPT_ID", accept_own },
	{ 0x021f, 8, "RFF_ID", rff_id },
	{ 0x0239, 9, "RSNN_NN", rsnn_nn },
	{ 0x0300, 4, "DA_ID", da_id },
};

static const Service fabric_services[] = {
	{ 0x0127, 8, "GPSC", gpsc },
};

/* NULL: no such service; FDMI's is one of those. */
static const Service *find(const uint8_t *req)
{
	uint16_t code = lduw_be_p(req + CT_CODE);

	if (req[CT_TYPE] == GS_DIRECTORY && req[CT_SUBTYPE] == GS_SUB_NAMES) {
		for (unsigned int i = 0; i < ARRAY_SIZE(name_services); i++)
			if (name_services[i].code == code)
				return &name_services[i];
	} else if (req[CT_TYPE] == GS_MANAGEMENT && req[CT_SUBTYPE] == GS_SUB_FABRIC_CONFIG) {
		for (unsigned int i = 0; i < ARRAY_SIZE(fabric_services); i++)
			if (fabric_services[i].code == code)
				return &fabric_services[i];
	}
	return NULL;
}

static void serve(Query *q, const uint8_t *req, size_t len)
{
	const Service *service = find(req);
	char counter[40];

	snprintf(counter, sizeof(counter), "ct.%02x%02x.%04x%s%s", req[CT_TYPE], req[CT_SUBTYPE],
		 lduw_be_p(req + CT_CODE), service ? "." : "", service ? service->name : "");
	isp_count(q->s, counter, 1);
	q->arg = req + ISP_CT_HEADER;
	q->arg_len = len - ISP_CT_HEADER;
	if (!service)
		reject(q, REASON_UNSUPPORTED, WHY_NONE);
	else if (q->arg_len < service->arg_len)
		reject(q, REASON_SIZE, WHY_NONE);
	else if (isp_fault_ns_reject(q->s->fw, service->code))
		reject(q, REASON_UNABLE, WHY_NONE);
	else
		service->fn(q);
	isp_trace(q->s, "fc ct %s arg=%08x %s reason=%02x/%02x bytes=%u",
		  service ? service->name : counter, q->arg_len >= 4 ? isp_be32(q->arg) : 0,
		  q->reason ? "rejected" : "accepted", q->reason, q->why, q->out->len);
}

/* The answer is cut to the size that the request wants; the rest is what is left over. */
static void finish(Query *q, const uint8_t *req, GByteArray *rsp)
{
	unsigned int wanted = 4 * lduw_be_p(req + CT_SIZE), len = q->reason ? 0 : q->out->len;
	unsigned int given = wanted ? MIN(len, wanted) : len;
	uint8_t head[ISP_CT_HEADER];

	memcpy(head, req, sizeof(head));
	stw_be_p(head + CT_CODE, q->reason ? CT_REJECT : CT_ACCEPT);
	stw_be_p(head + CT_SIZE, (len - given) / 4);
	head[CT_SIZE + 2] = 0;
	head[CT_REASON] = q->reason;
	head[CT_EXPLANATION] = q->why;
	head[CT_EXPLANATION + 1] = 0;
	g_byte_array_append(rsp, head, sizeof(head));
	g_byte_array_append(rsp, q->out->data, given);
}

void isp_ns_request(IspState *s, const uint8_t *req, size_t len, GByteArray *rsp)
{
	Query q = { .s = s, .db = database(s), .out = g_byte_array_new() };

	if (req[CT_REVISION] < 1 || req[CT_REVISION] > 3)
		reject(&q, REASON_COMMAND, WHY_NONE);
	else
		serve(&q, req, len);
	finish(&q, req, rsp);
	isp_fault_ns_answer(s->fw, lduw_be_p(req + CT_CODE), rsp);
	g_array_free(q.db, true);
	g_byte_array_free(q.out, true);
}
