// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Request ring: fetch entries, decode them, hand them on.
 *
 * One timer does all of it, so that a doorbell only starts it: each entry costs the RISC
 * fw-delay-ns.  While the loop is being initialized, or no exchange or IOCB is free, requests stay where
 * they are.
 *
 * Layouts: cmd_entry_t, cmd_a64_entry_t, cont_entry_t, cont_a64_entry_t, mrk_entry_t, ms_iocb_entry_t,
 * struct mbx_entry in Linux qla_def.h; ispreqt2_t, ispreqt3_t in FreeBSD ispmbox.h; struct
 * qla_iocb_req34 in OpenBSD qlareg.h (type 15h).  See Documentation/hardware/iocb.md.
 */
#include "fc.h"

enum {
	IOCB_CONT = 0x02,
	IOCB_MARKER = 0x04,
	IOCB_CONT_64 = 0x0a,
	IOCB_COMMAND_T2 = 0x11,
	IOCB_COMMAND_T4 = 0x15,
	IOCB_COMMAND_T3 = 0x19,
	IOCB_MS = 0x29,
	IOCB_MAILBOX = 0x39,
};

#define MAX_SEGMENTS 65535

/* ---- answers to entries that are no commands, or bad ones ----------------------------------- */

/* The entry comes back as it was, with what is wrong with it. */
static void return_bad(IspFirmware *fw, const uint8_t *entry, uint8_t entry_status, const char *why)
{
	uint8_t e[ISP_ENTRY];

	isp_violation(fw->isp, ISP_V_IOCB, "entry type %02x handle %08x: %s", entry[0],
		      isp_le32(entry + 4), why);
	memcpy(e, entry, sizeof(e));
	e[1] = 1;
	e[3] = entry_status;
	isp_rsp_entries(fw, e, 1);
}

/* ---- commands -------------------------------------------------------------------------------- */

typedef struct Layout {
	uint8_t type, cont_type;
	uint8_t first, first_at;	/* segments in the command, and where */
	uint8_t more, more_at;		/* ... in a continuation */
	bool wide;			/* 64-bit addresses */
} Layout;

static const Layout layouts[] = {
	{ IOCB_COMMAND_T2, IOCB_CONT, 3, 40, 7, 8, false },
	{ IOCB_COMMAND_T3, IOCB_CONT_64, 2, 40, 5, 4, true },
};

static void take_segments(IspCommand *cmd, const Layout *l, const uint8_t *at, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++, at += l->wide ? 12 : 8) {
		IspSegment *seg = &cmd->seg[cmd->n_seg++];

		seg->addr = l->wide ? ldq_le_p(at) : isp_le32(at);
		seg->len = isp_le32(at + (l->wide ? 8 : 4));
	}
}

/* @entries: the whole request; returns an entry status, 0 if it is in order. */
static uint8_t gather_segments(IspCommand *cmd, const Layout *l, const uint8_t *entries,
			       unsigned int n_entries, const char **why)
{
	unsigned int want = lduw_le_p(entries + 18), left = want;
	unsigned int need = 1 + (want > l->first ? DIV_ROUND_UP(want - l->first, l->more) : 0);

	if (need != n_entries) {
		*why = "entry count does not fit the number of segments";
		return ISP_RF_COUNT;
	}
	cmd->seg = g_new(IspSegment, want);
	take_segments(cmd, l, entries + l->first_at, MIN(left, l->first));
	left -= MIN(left, l->first);
	for (unsigned int i = 1; i < n_entries; i++) {
		const uint8_t *e = entries + i * ISP_ENTRY;

		if (e[0] != l->cont_type) {
			*why = "not followed by its continuations";
			return ISP_RF_ORDER;
		}
		take_segments(cmd, l, e + l->more_at, MIN(left, l->more));
		left -= MIN(left, l->more);
	}
	return 0;
}

/* Type 15h: the list of segments lies in host memory. */
static uint8_t fetch_segment_list(IspCommand *cmd, unsigned int n_entries, const char **why)
{
	static const Layout narrow = { .wide = false }, wide = { .wide = true };
	unsigned int want = lduw_le_p(cmd->entry + 18);
	uint16_t kind = lduw_le_p(cmd->entry + 40);
	const Layout *l = kind ? &wide : &narrow;
	size_t len = want * (kind ? 12 : 8);
	g_autofree uint8_t *list = g_malloc(len + 1);

	if (n_entries != 1) {
		*why = "entry count of a command with a segment list must be 1";
		return ISP_RF_COUNT;
	}
	if (kind > 1) {
		*why = "unknown type of segment list";
		return ISP_RF_PARAM;
	}
	if (want && !isp_dma_read(cmd->fw->isp, ldq_le_p(cmd->entry + 46), list, len)) {
		*why = "segment list cannot be read";
		return ISP_RF_DMA;
	}
	cmd->seg = g_new(IspSegment, want);
	take_segments(cmd, l, list, want);
	return 0;
}

/*
 * 16-bit LUN field: SAM's first level, peripheral device addressing on bus 0, or flat space.
 * Firmware without expanded LUN addressing has eight bits in front of the target.
 */
static void decode_address(IspCommand *cmd)
{
	const uint8_t *e = cmd->entry;
	bool expanded = cmd->fw->image.attributes & 0x0002;

	cmd->loop_id = cmd->fw->extended_ids ? lduw_le_p(e + 8) : e[9];
	cmd->lun_field = expanded ? lduw_le_p(e + 10) : e[8];
	if (cmd->lun_field < 0x100)
		cmd->lun = cmd->lun_field;
	else if (cmd->lun_field >> 14 == 1)
		cmd->lun = cmd->lun_field & 0x3fff;
	else
		cmd->lun = -1;
}

static void decode_command(IspCommand *cmd)
{
	const uint8_t *e = cmd->entry;

	cmd->handle = isp_le32(e + 4);
	decode_address(cmd);
	cmd->flags = lduw_le_p(e + 12);
	cmd->timeout = lduw_le_p(e + 16);
	memcpy(cmd->cdb, e + 20, sizeof(cmd->cdb));
	cmd->byte_count = isp_le32(e + 36);
}

/* What a careful driver never does, and the firmware lives with. */
static void check_habits(IspCommand *cmd)
{
	IspState *s = cmd->fw->isp;
	uint64_t sum = 0;

	if (cmd->flags & 0xff01)
		isp_violation(s, ISP_V_RESERVED_BITS, "command %08x: control flags %04x", cmd->handle,
			      cmd->flags);
	if (ctpop16(cmd->flags & 0x1e) > 1)
		isp_violation(s, ISP_V_IOCB, "command %08x: more than one task attribute (%04x)",
			      cmd->handle, cmd->flags);
	if (!cmd->fw->extended_ids && (cmd->fw->image.attributes & 2) && cmd->entry[8])
		isp_violation(s, ISP_V_RESERVED_BITS, "command %08x: byte 8 is %02x", cmd->handle,
			      cmd->entry[8]);
	for (unsigned int i = 0; i < cmd->n_seg; i++)
		sum += cmd->seg[i].len;
	if (sum != cmd->byte_count)
		isp_violation(s, ISP_V_IOCB,
			      "command %08x: segments hold %" PRIu64 " bytes, byte count is %u",
			      cmd->handle, sum, cmd->byte_count);
}

static uint8_t bad_parameters(const IspCommand *cmd, const char **why)
{
	unsigned int dir = cmd->flags & (ISP_CF_READ | ISP_CF_WRITE);

	if (dir == (ISP_CF_READ | ISP_CF_WRITE)) {
		*why = "both data directions";
		return ISP_RF_PARAM;
	}
	if (!dir && (cmd->byte_count || cmd->n_seg)) {
		*why = "data without a direction";
		return ISP_RF_PARAM;
	}
	if (dir && cmd->byte_count && !cmd->n_seg) {
		*why = "byte count without segments";
		return ISP_RF_PARAM;
	}
	return 0;
}

static void trace_command(const IspCommand *cmd)
{
	char cdb[2 * sizeof(cmd->cdb) + 1];

	if (!isp_trace_on(cmd->fw->isp))
		return;
	for (unsigned int i = 0; i < sizeof(cmd->cdb); i++)
		snprintf(cdb + 2 * i, 3, "%02x", cmd->cdb[i]);
	isp_trace(cmd->fw->isp, "iocb< COMMAND_T%c count=%u handle=%08x loop-id=%02x lun=%04x flags=%04x timeout=%u segments=%u bytes=%u cdb=%s",
		  cmd->entry[0] == IOCB_COMMAND_T2 ? '2' : cmd->entry[0] == IOCB_COMMAND_T3 ? '3' : '4',
		  cmd->entry[1], cmd->handle, cmd->loop_id, cmd->lun_field, cmd->flags, cmd->timeout,
		  lduw_le_p(cmd->entry + 18), cmd->byte_count, cdb);
}

static void run_command(IspFirmware *fw, const uint8_t *entries, unsigned int n)
{
	IspCommand *cmd = g_new0(IspCommand, 1);
	const char *why = NULL;
	uint8_t bad;

	cmd->fw = fw;
	memcpy(cmd->entry, entries, ISP_ENTRY);
	decode_command(cmd);
	trace_command(cmd);
	if (entries[0] == IOCB_COMMAND_T4)
		bad = fetch_segment_list(cmd, n, &why);
	else
		bad = gather_segments(cmd, &layouts[entries[0] == IOCB_COMMAND_T3], entries, n, &why);
	if (!bad)
		bad = bad_parameters(cmd, &why);
	if (!bad && g_hash_table_contains(fw->live, GUINT_TO_POINTER(cmd->handle)))
		isp_violation(fw->isp, ISP_V_HANDLE_REUSED, "handle %08x is still in flight",
			      cmd->handle);
	if (bad) {
		return_bad(fw, entries, bad, why);
		isp_command_free(cmd);
		return;
	}
	check_habits(cmd);
	g_hash_table_insert(fw->live, GUINT_TO_POINTER(cmd->handle), cmd);
	isp_command_start(cmd);
}

/* ---- marker ---------------------------------------------------------------------------------- */

static void run_marker(IspFirmware *fw, const uint8_t *e, unsigned int n)
{
	uint16_t loop_id = fw->extended_ids ? lduw_le_p(e + 8) : e[9];
	uint16_t lun = lduw_le_p(e + 14);

	isp_trace(fw->isp, "iocb< MARKER modifier=%u loop-id=%02x lun=%04x", e[10], loop_id, lun);
	switch (e[10]) {
	case 0:
		isp_scope_remove(fw->unsynced, loop_id, lun);
		break;
	case 1:
		isp_scope_remove(fw->unsynced, loop_id, -1);
		break;
	case 2:
	case 3:
		isp_scope_remove(fw->unsynced, -1, -1);
		break;
	default:
		return_bad(fw, e, ISP_RF_PARAM, "unknown marker modifier");
	}
}

/* ---- mailbox command in an entry -------------------------------------------------------------- */

/*
 * Linux has two layouts for type 39h: struct mbx_entry with mailboxes 0, 1, 2, 3, 6, 7, 9, 10 from
 * byte 24, and struct mbx_24xx_entry with 28 mailboxes from byte 8.  qla2xxx (since its discovery
 * became asynchronous, Linux 4.11) sends both to the 16-bit chips.  Byte 24 decides: it holds a
 * command in the first, mailbox 8 in the second, which none of the commands sent that way uses.
 */
static const uint8_t classic_place[] = { 0, 1, 2, 3, 6, 7, 9, 10 };

static void mailbox_from_entry(const IspFirmware *fw, IspMbox *m, const uint8_t *e, bool classic)
{
	memset(m, 0, sizeof(*m));
	if (classic) {
		for (unsigned int i = 0; i < ARRAY_SIZE(classic_place); i++)
			m->in[classic_place[i]] = lduw_le_p(e + 24 + 2 * i);
		return;
	}
	for (unsigned int i = 0; i < 28; i++)
		m->in[i] = lduw_le_p(e + 8 + 2 * i);
	/* This layout always has the loop id alone in mailbox 1 and options in 10. */
	if (!fw->extended_ids)
		m->in[1] = m->in[1] << 8 | (m->in[10] & 0xff);
}

static void mailbox_to_entry(const IspMbox *m, uint8_t *e, bool classic)
{
	if (!classic) {
		for (unsigned int i = 0; i < 28; i++)
			stw_le_p(e + 8 + 2 * i, m->out[i]);
		return;
	}
	stw_le_p(e + 10, 0);		/* the entry was carried out; mailbox 0 says how */
	for (unsigned int i = 0; i < ARRAY_SIZE(classic_place); i++)
		if (!i || m->mask & 1U << classic_place[i])
			stw_le_p(e + 24 + 2 * i, m->out[classic_place[i]]);
}

static void run_mailbox(IspFirmware *fw, const uint8_t *entry, unsigned int n)
{
	bool classic = lduw_le_p(entry + 24) != 0;
	uint8_t e[ISP_ENTRY];
	IspMbox m;

	memcpy(e, entry, sizeof(e));
	mailbox_from_entry(fw, &m, e, classic);
	isp_trace(fw->isp, "iocb< MAILBOX handle=%08x command=%04x %s", isp_le32(e + 4), m.in[0],
		  isp_mbox_name(m.in[0]));
	if (g_hash_table_contains(fw->live, GUINT_TO_POINTER(isp_le32(e + 4))))
		isp_violation(fw->isp, ISP_V_HANDLE_REUSED, "handle %08x is still in flight",
			      isp_le32(e + 4));
	m.out[0] = isp_mbox_execute(fw, &m);
	mailbox_to_entry(&m, e, classic);
	e[3] = 0;
	isp_rsp_entries(fw, e, 1);
}

static void run_ms(IspFirmware *fw, const uint8_t *entry, unsigned int n)
{
	uint8_t e[ISP_ENTRY];
	uint64_t ns;

	memcpy(e, entry, sizeof(e));
	ns = isp_ct_entry(fw, e);
	if (ns)
		isp_ct_answer_later(fw, e, ns);
	else
		isp_rsp_entries(fw, e, 1);
}

static void run_orphan(IspFirmware *fw, const uint8_t *e, unsigned int n)
{
	return_bad(fw, e, ISP_RF_ORDER, "continuation without a command");
}

/* ---- dispatch --------------------------------------------------------------------------------- */

typedef void RunFn(IspFirmware *fw, const uint8_t *entries, unsigned int n);

static const struct {
	uint8_t type;
	const char *name;
	RunFn *run;
} types[] = {
	{ IOCB_COMMAND_T3, "COMMAND_T3", run_command },
	{ IOCB_COMMAND_T2, "COMMAND_T2", run_command },
	{ IOCB_COMMAND_T4, "COMMAND_T4", run_command },
	{ IOCB_MARKER, "MARKER", run_marker },
	{ IOCB_MAILBOX, "MAILBOX", run_mailbox },
	{ IOCB_MS, "MS_PASSTHROUGH", run_ms },
	{ IOCB_CONT, "CONTINUATION", run_orphan },
	{ IOCB_CONT_64, "CONTINUATION_A64", run_orphan },
};

static void dispatch(IspFirmware *fw, const uint8_t *entries, unsigned int n)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(types); i++) {
		if (types[i].type != entries[0])
			continue;
		isp_count_iocb(fw->isp, entries[0], types[i].name);
		types[i].run(fw, entries, n);
		return;
	}
	isp_count_iocb(fw->isp, entries[0], "UNKNOWN");
	return_bad(fw, entries, ISP_RF_TYPE, "unknown entry type");
}

uint64_t isp_iocb_execute(IspFirmware *fw, uint8_t *e)
{
	switch (e[0]) {
	case IOCB_MS:
		isp_count_iocb(fw->isp, e[0], "MS_PASSTHROUGH");
		return isp_ct_entry(fw, e);
	case IOCB_MARKER:
		isp_count_iocb(fw->isp, e[0], "MARKER");
		run_marker(fw, e, 1);
		e[3] = 0;
		break;
	default:
		isp_count_iocb(fw->isp, e[0], "UNKNOWN");
		e[3] = ISP_RF_TYPE;
	}
	return 0;
}

/* ---- the ring ---------------------------------------------------------------------------------- */

static bool read_entries(IspFirmware *fw, uint16_t index, uint8_t *buf, unsigned int n)
{
	unsigned int first = MIN(n, fw->icb.req_len - index);

	return isp_dma_read(fw->isp, fw->icb.req_addr + (uint64_t)index * ISP_ENTRY, buf,
			    first * ISP_ENTRY) &&
	       (n == first || isp_dma_read(fw->isp, fw->icb.req_addr, buf + first * ISP_ENTRY,
					   (n - first) * ISP_ENTRY));
}

static void ring_unreadable(IspFirmware *fw)
{
	fw->req_in = fw->req_out;
	isp_async(fw, 0x8003, 0, 0, 0);
}

/* Fetch and run the request at the out index; returns how many entries it had. */
static unsigned int take_request(IspFirmware *fw)
{
	unsigned int avail = (fw->req_in + fw->icb.req_len - fw->req_out) % fw->icb.req_len;
	uint8_t head[ISP_ENTRY], bad = 0;
	g_autofree uint8_t *entries = NULL;
	unsigned int n;

	if (!read_entries(fw, fw->req_out, head, 1)) {
		ring_unreadable(fw);
		return 1;
	}
	n = MAX(head[1], 1);
	if (!head[1] || n > avail)
		bad = ISP_RF_COUNT;
	n = MIN(n, avail);
	entries = g_malloc(n * ISP_ENTRY);
	if (!read_entries(fw, fw->req_out, entries, n)) {
		ring_unreadable(fw);
		return 1;
	}
	fw->req_out = (fw->req_out + n) % fw->icb.req_len;
	isp_set_req_out(fw->isp, fw->req_out);
	if (bad)
		return_bad(fw, head, bad, "entry count is zero or goes past the in index");
	else
		dispatch(fw, entries, n);
	return n;
}

static bool may_fetch(const IspFirmware *fw)
{
	return fw->initialized && !fw->crashed && !fw->rings_dead && !isp_risc_held(fw->isp) &&
	       !isp_fc_busy(fw->isp) && fw->active < isp_exchanges(fw) && fw->entries < isp_iocbs(fw) &&
	       fw->req_out != fw->req_in;
}

static void ring_timer(void *opaque)
{
	IspFirmware *fw = opaque;
	unsigned int n;

	if (!fw->initialized || isp_risc_held(fw->isp))
		return;
	isp_rsp_room(fw);
	isp_commands_resume(fw);
	if (!may_fetch(fw))
		return;
	n = take_request(fw);
	if (may_fetch(fw))
		timer_mod(fw->ring_timer, isp_now() + (uint64_t)n * fw->isp->fw_delay_ns);
}

void isp_ring_kick(IspFirmware *fw)
{
	if (fw->initialized && !timer_pending(fw->ring_timer))
		timer_mod(fw->ring_timer, isp_now());
}

void isp_fw_request_in(IspState *s, uint16_t index)
{
	IspFirmware *fw = s->fw;

	if (!fw->initialized) {
		/* Before initialization the 2200's index register is an ordinary mailbox. */
		if (index && isp_is_23xx(fw))
			isp_violation(s, ISP_V_DOORBELL_EARLY, "request in index %u before initialization",
				      index);
		return;
	}
	if (index >= fw->icb.req_len) {
		isp_violation(s, ISP_V_DOORBELL_RANGE, "request in index %u in a ring of %u", index,
			      fw->icb.req_len);
		return;
	}
	fw->req_in = index;
	if (index != fw->req_out && !timer_pending(fw->ring_timer))
		timer_mod(fw->ring_timer, isp_now() + s->fw_delay_ns);
}

void isp_ring_start(IspFirmware *fw)
{
	fw->req_out = fw->icb.req_out;
	fw->req_in = fw->icb.req_out;
	isp_set_req_out(fw->isp, fw->req_out);
}

void isp_ring_stop(IspFirmware *fw)
{
	timer_del(fw->ring_timer);
}

void isp_ring_init(IspFirmware *fw)
{
	fw->ring_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ring_timer, fw);
}
