// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The life of a SCSI command: from its request entry to its status entry.
 *
 * Status entry: sts_entry_t in Linux qla_def.h, ispstatusreq_t in FreeBSD ispmbox.h (which also names
 * the state flags).  Completion codes: CS_* and RQCS_* there.
 */
#include "fc.h"

/* SCSI status word: what stands above the status byte. */
#define SS_RESPONSE_VALID 0x0100
#define SS_SENSE_VALID 0x0200
#define SS_RESIDUAL_OVER 0x0400
#define SS_RESIDUAL_UNDER 0x0800

/* State flags; the low byte repeats the command's control flags. */
#define SF_SENT_CDB 0x0400
#define SF_MOVED_DATA 0x0800
#define SF_GOT_STATUS 0x1000
#define SF_GOT_SENSE 0x2000
#define SF_ALL_MOVED 0x4000

#define STATUS_FLAG_ABORTED 0x0020
#define STATUS_FLAG_TIMEOUT 0x0040

#define STATUS_CHECK_CONDITION 0x02

#define SENSE_IN_STATUS 32
#define SENSE_IN_CONT 60
#define MAX_SENSE 252

/* ---- scopes ------------------------------------------------------------------------------------- */

static bool scope_overlaps(const IspScope *s, int loop_id, int lun)
{
	return (s->loop_id < 0 || s->loop_id == loop_id) && (s->lun < 0 || s->lun == lun);
}

void isp_scope_add(GArray *scopes, int loop_id, int lun)
{
	const IspScope s = { loop_id, lun };

	isp_scope_remove(scopes, loop_id, lun);
	g_array_append_val(scopes, s);
}

/* Removes what lies inside the given scope; -1: all. */
void isp_scope_remove(GArray *scopes, int loop_id, int lun)
{
	for (guint i = scopes->len; i-- > 0;) {
		const IspScope *s = &g_array_index(scopes, IspScope, i);

		if ((loop_id < 0 || s->loop_id == loop_id) && (lun < 0 || s->lun == lun))
			g_array_remove_index_fast(scopes, i);
	}
}

bool isp_scope_covers(const GArray *scopes, int loop_id, int lun)
{
	for (guint i = 0; i < scopes->len; i++)
		if (scope_overlaps(&g_array_index(scopes, IspScope, i), loop_id, lun))
			return true;
	return false;
}

/* ---- data ----------------------------------------------------------------------------------------- */

/* Move up to @len bytes between @buf and the segments, from where the last call stopped. */
uint32_t isp_command_data(IspCommand *cmd, uint8_t *buf, uint32_t len, bool to_host)
{
	IspState *s = cmd->fw->isp;
	uint32_t want = MIN(len, cmd->byte_count - cmd->moved), done = 0;

	if (want && !cmd->dma_failed)
		cmd->dma_failed = isp_fault_dma(cmd->fw, to_host);
	while (done < want && cmd->cur_seg < cmd->n_seg && !cmd->dma_failed) {
		const IspSegment *seg = &cmd->seg[cmd->cur_seg];
		uint32_t n = MIN(want - done, seg->len - cmd->cur_off);
		uint64_t addr = seg->addr + cmd->cur_off;

		if (n && !(to_host ? isp_dma_write(s, addr, buf + done, n) :
				     isp_dma_read(s, addr, buf + done, n)))
			cmd->dma_failed = true;
		done += n;
		cmd->cur_off += n;
		if (cmd->cur_off == seg->len) {
			cmd->cur_seg++;
			cmd->cur_off = 0;
		}
	}
	cmd->moved += done;
	cmd->excess += len - done;
	return done;
}

/* ---- status --------------------------------------------------------------------------------------- */

typedef struct Status {
	uint16_t scsi, completion, state, flags;
	uint32_t residual;
	uint32_t sense_len;
	uint8_t sense[MAX_SENSE];
} Status;

static void build_status(const IspCommand *cmd, const Status *st, uint8_t *e)
{
	memset(e, 0, ISP_ENTRY);
	e[0] = 0x03;
	e[1] = 1;
	stl_le_p(e + 4, cmd->handle);
	stw_le_p(e + 8, st->scsi);
	stw_le_p(e + 10, st->completion);
	stw_le_p(e + 12, st->state);
	stw_le_p(e + 14, st->flags);
	stw_le_p(e + 18, st->sense_len);
	stl_le_p(e + 20, st->residual);
	memcpy(e + 32, st->sense, MIN(st->sense_len, SENSE_IN_STATUS));
}

/* Sense beyond the 32 bytes of the status entry goes into continuations right behind it. */
static unsigned int add_continuations(const Status *st, uint8_t *entries)
{
	unsigned int n = 1;

	for (uint32_t at = SENSE_IN_STATUS; at < st->sense_len; at += SENSE_IN_CONT, n++) {
		uint8_t *e = entries + n * ISP_ENTRY;

		memset(e, 0, ISP_ENTRY);
		e[0] = 0x10;
		e[1] = 1;
		memcpy(e + 4, st->sense + at, MIN(st->sense_len - at, SENSE_IN_CONT));
	}
	entries[1] = n;
	return n;
}

static bool is_good(const Status *st)
{
	return !st->scsi && st->completion == ISP_CS_COMPLETE;
}

/* Take @cmd out of the firmware's books; the host may use its handle again. */
static void retire(IspCommand *cmd)
{
	IspFirmware *fw = cmd->fw;

	cmd->done = true;
	if (g_hash_table_lookup(fw->live, GUINT_TO_POINTER(cmd->handle)) == cmd)
		g_hash_table_remove(fw->live, GUINT_TO_POINTER(cmd->handle));
	QTAILQ_REMOVE(&fw->commands, cmd, next);
	fw->active--;
	fw->entries -= cmd->entry[1];
	fw->ordered -= !!(cmd->flags & ISP_CF_ORDERED_TAG);
	if (cmd->port)
		cmd->port->executing--;
}

/* Through fast posting if @may_be_handle, else as entries; perhaps never, twice, or late (property fault). */
static void give(const IspCommand *cmd, uint8_t *entries, unsigned int n, bool may_be_handle)
{
	IspFirmware *fw = cmd->fw;
	unsigned int times = isp_fault_completions(fw);
	uint64_t late_ns = n == 1 ? isp_fault_late_ns(fw) : 0;

	for (; times; times--) {
		if (late_ns)
			isp_ct_answer_later(fw, entries, late_ns);
		else if (may_be_handle)
			isp_rsp_good(fw, cmd->handle, !(cmd->flags & ISP_CF_NO_FAST_POST), entries);
		else
			isp_rsp_entries(fw, entries, n);
	}
}

static void answer(IspCommand *cmd, const Status *st)
{
	uint8_t entries[(1 + DIV_ROUND_UP(MAX_SENSE, SENSE_IN_CONT)) * ISP_ENTRY];
	IspFirmware *fw = cmd->fw;
	bool changed;

	retire(cmd);
	build_status(cmd, st, entries);
	changed = isp_fault_status(fw, entries);
	give(cmd, entries, add_continuations(st, entries), is_good(st) && !changed);
	isp_count_command(fw->isp, cmd->flags & ISP_CF_READ ? cmd->moved : 0,
			  cmd->flags & ISP_CF_WRITE ? cmd->moved : 0);
	isp_command_free(cmd);
	isp_ring_kick(fw);
}

/* Residual and completion from what the target wanted and what the host offered. */
static void account(const IspCommand *cmd, Status *st)
{
	st->state = SF_SENT_CDB | SF_GOT_STATUS | (cmd->flags & 0x7e);
	if (cmd->moved)
		st->state |= SF_MOVED_DATA;
	if (cmd->excess) {
		st->completion = ISP_CS_OVERRUN;
		st->scsi |= SS_RESIDUAL_OVER;
		st->residual = cmd->excess;
	} else if (cmd->moved < cmd->byte_count) {
		st->completion = ISP_CS_UNDERRUN;
		st->scsi |= SS_RESIDUAL_UNDER;
		st->residual = cmd->byte_count - cmd->moved;
	} else {
		st->state |= SF_ALL_MOVED;
	}
	if (cmd->dma_failed)
		st->completion = ISP_CS_DMA;
}

static void add_sense(Status *st, uint32_t len)
{
	st->sense_len = len;
	if (!len)
		return;
	st->scsi |= SS_SENSE_VALID;
	st->state |= SF_GOT_SENSE;
}

/* The target answered. */
void isp_command_complete(IspCommand *cmd)
{
	Status st = { .scsi = cmd->req->status & 0xff };

	account(cmd, &st);
	if (st.scsi & STATUS_CHECK_CONDITION)
		add_sense(&st, isp_scsi_sense(cmd, st.sense, sizeof(st.sense)));
	answer(cmd, &st);
}

/* A status that no LUN gave: @status with fixed-format sense if it is CHECK CONDITION. */
static void answer_for_target(IspCommand *cmd, uint8_t status, SCSISense sense)
{
	Status st = { .scsi = status };

	account(cmd, &st);
	if (status == STATUS_CHECK_CONDITION) {
		st.sense[0] = 0x70;
		st.sense[2] = sense.key;
		st.sense[7] = 10;
		st.sense[12] = sense.asc;
		st.sense[13] = sense.ascq;
		add_sense(&st, 18);
	}
	answer(cmd, &st);
}

void isp_command_fail(IspCommand *cmd, uint16_t completion)
{
	Status st = { .completion = completion, .residual = cmd->byte_count - cmd->moved };

	if (cmd->started)
		st.state = SF_SENT_CDB | (cmd->flags & 0x7e);
	if (completion == ISP_CS_ABORTED)
		st.flags = STATUS_FLAG_ABORTED;
	if (completion == ISP_CS_TIMEOUT)
		st.flags = STATUS_FLAG_TIMEOUT;
	answer(cmd, &st);
}

/* A lost command's request is over, but only the host or its timeout ends the command itself. */
static void keep_without_request(IspCommand *cmd)
{
	cmd->req->hba_private = NULL;
	scsi_req_unref(cmd->req);
	cmd->req = NULL;
}

void isp_command_cancelled(IspCommand *cmd)
{
	if (cmd->lost && !cmd->done) {
		keep_without_request(cmd);
		return;
	}
	if (cmd->done)
		isp_command_free(cmd);
	else
		isp_command_fail(cmd, cmd->abort_code);
}

void isp_command_free(IspCommand *cmd)
{
	if (cmd->timer)
		timer_free(cmd->timer);
	if (cmd->req) {
		cmd->req->hba_private = NULL;
		scsi_req_unref(cmd->req);
	}
	g_free(cmd->seg);
	g_free(cmd);
}

/* ---- start ---------------------------------------------------------------------------------------- */

/*
 * SAM's ordering among the commands of one LUN; older commands stand first in the list.  A LUN that sees to it
 * itself must only get them in the order in which they came.
 */
static bool must_wait_for_older(IspCommand *cmd, const IspPort *port)
{
	bool ordered = cmd->flags & ISP_CF_ORDERED_TAG, itself;
	IspCommand *older;

	if ((cmd->flags & ISP_CF_HEAD_TAG) || !cmd->fw->ordered)
		return false;
	itself = isp_scsi_keeps_order(cmd->fw->isp, port->target, cmd->lun);
	QTAILQ_FOREACH(older, &cmd->fw->commands, next) {
		if (older == cmd)
			return false;
		if (older->loop_id != cmd->loop_id || older->lun_field != cmd->lun_field)
			continue;
		if (itself ? !older->started : ordered || (older->flags & ISP_CF_ORDERED_TAG))
			return true;
	}
	return false;
}

/* A target without LUNs: it answers what SPC asks of every target. */
static void answer_bare_target(IspCommand *cmd)
{
	const SCSISense no_lun = { .key = 5, .asc = 0x25, .ascq = 0x00 };
	uint8_t data[36] = { 0 };
	uint32_t len = 0;

	if (cmd->cdb[0] == 0xa0) {		/* REPORT LUNS: none but LUN 0 to ask */
		data[3] = 8;
		len = MIN(16, isp_be32(cmd->cdb + 6));
	} else if (cmd->cdb[0] == 0x12 && !(cmd->cdb[1] & 1)) {
		data[0] = 0x7f;			/* INQUIRY: no device can be here */
		data[2] = 5;
		data[3] = 2;
		data[4] = 31;
		len = MIN(sizeof(data), lduw_be_p(cmd->cdb + 3));
	} else {
		answer_for_target(cmd, STATUS_CHECK_CONDITION, no_lun);
		return;
	}
	isp_command_data(cmd, data, len, true);
	answer_for_target(cmd, 0, no_lun);
}

/* Nonzero: completion status of a command that cannot go to its port. */
static uint16_t no_way(IspFirmware *fw, const IspPort *port)
{
	if (!port || !isp_fc_ready(fw->isp))
		return ISP_CS_PORT_UNAVAILABLE;
	return port->logged_in && port->prli && port->is_target ? 0 : ISP_CS_PORT_LOGGED_OUT;
}

/* At the target, which may be gone, or misbehave. */
static void arrive(IspCommand *cmd)
{
	IspFirmware *fw = cmd->fw;
	IspPort *port = cmd->port;
	SCSISense sense = { 0 };
	SCSIDevice *dev;
	uint8_t status;

	cmd->lost = !port->present;
	if (cmd->lost)
		return;
	cmd->swallowed = isp_port_trouble(fw->isp, port, ISP_TROUBLE_MUTE) || isp_fault_swallow(fw, cmd);
	if (cmd->swallowed)
		return;
	status = isp_port_status(fw->isp, port);
	if (!status)
		status = isp_fault_scsi_status(fw, cmd);
	if (!status && isp_fault_sense(fw, &sense))
		status = STATUS_CHECK_CONDITION;
	dev = isp_scsi_find(fw->isp, port->target, cmd->lun);
	if (status)
		answer_for_target(cmd, status, sense);
	else if (dev)
		isp_scsi_start(cmd, dev);
	else
		answer_bare_target(cmd);
}

static bool try_start(IspCommand *cmd)
{
	IspFirmware *fw = cmd->fw;
	IspPort *port = isp_fc_port(fw->isp, cmd->loop_id);
	uint16_t bad = no_way(fw, port);

	if (bad) {
		isp_command_fail(cmd, bad);
		return true;
	}
	if (port->executing >= fw->icb.throttle || must_wait_for_older(cmd, port) ||
	    isp_scope_covers(fw->stopped, cmd->loop_id, cmd->lun_field))
		return false;
	port->executing++;
	cmd->port = port;
	cmd->started = true;
	arrive(cmd);
	return true;
}

static void abort_one(IspCommand *cmd, uint16_t completion);

static void command_timed_out(void *opaque)
{
	abort_one(opaque, ISP_CS_TIMEOUT);
}

void isp_command_start(IspCommand *cmd)
{
	IspFirmware *fw = cmd->fw;

	cmd->abort_code = ISP_CS_PORT_UNAVAILABLE;	/* if the LUN itself goes away */
	QTAILQ_INSERT_TAIL(&fw->commands, cmd, next);
	fw->active++;
	fw->entries += cmd->entry[1];
	fw->ordered += !!(cmd->flags & ISP_CF_ORDERED_TAG);
	if (isp_scope_covers(fw->unsynced, cmd->loop_id, cmd->lun_field)) {
		isp_command_fail(cmd, ISP_CS_ABORTED);
		return;
	}
	if (cmd->timeout) {
		cmd->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, command_timed_out, cmd);
		timer_mod(cmd->timer, isp_now() + cmd->timeout * NANOSECONDS_PER_SECOND);
	}
	if (!try_start(cmd))
		fw->waiting++;
}

void isp_commands_resume(IspFirmware *fw)
{
	IspCommand *cmd, *next;

	if (!fw->waiting || isp_fc_busy(fw->isp))
		return;
	fw->waiting = 0;
	QTAILQ_FOREACH_SAFE(cmd, &fw->commands, next, next)
		if (!cmd->started && !try_start(cmd))
			fw->waiting++;
}

/* ---- abort ---------------------------------------------------------------------------------------- */

static void abort_one(IspCommand *cmd, uint16_t completion)
{
	cmd->abort_code = completion;
	if (!cmd->req)
		isp_command_fail(cmd, completion);
	else if (!cmd->req->io_canceled)
		isp_scsi_cancel(cmd);
}

static IspCommand *next_to_abort(IspFirmware *fw, int loop_id, int lun)
{
	IspCommand *cmd;

	QTAILQ_FOREACH(cmd, &fw->commands, next)
		if ((loop_id < 0 || cmd->loop_id == loop_id) && (lun < 0 || cmd->lun_field == lun) &&
		    !(cmd->req && cmd->req->io_canceled))
			return cmd;
	return NULL;
}

unsigned int isp_commands_abort(IspFirmware *fw, int loop_id, int lun, uint16_t completion)
{
	unsigned int n = 0;
	IspCommand *cmd;

	while ((cmd = next_to_abort(fw, loop_id, lun))) {
		abort_one(cmd, completion);
		n++;
	}
	return n;
}

bool isp_command_abort_handle(IspFirmware *fw, uint32_t handle, uint16_t completion)
{
	IspCommand *cmd = g_hash_table_lookup(fw->live, GUINT_TO_POINTER(handle));

	if (!cmd)
		return false;
	abort_one(cmd, completion);
	return true;
}

void isp_commands_lose(IspFirmware *fw, const IspPort *port)
{
	IspCommand *cmd, *next;

	QTAILQ_FOREACH_SAFE(cmd, &fw->commands, next, next) {
		if (cmd->port != port || cmd->lost)
			continue;
		cmd->lost = true;
		if (cmd->req && !cmd->req->io_canceled)
			isp_scsi_cancel(cmd);
	}
}

/* Reset of the firmware: nobody will hear of these commands again. */
void isp_commands_forget(IspFirmware *fw)
{
	IspCommand *cmd;

	while ((cmd = QTAILQ_FIRST(&fw->commands))) {
		retire(cmd);
		if (cmd->timer)
			timer_del(cmd->timer);
		if (!cmd->req)
			isp_command_free(cmd);
		else if (!cmd->req->io_canceled)
			isp_scsi_cancel(cmd);
	}
	g_hash_table_remove_all(fw->live);
	fw->waiting = 0;
}
