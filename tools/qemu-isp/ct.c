// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two ways to the switch's servers: mailbox command SEND SNS, where the firmware makes the Common
 * Transport request, and the pass-through entry of type 29h, where the host does.
 *
 * Layouts: struct sns_cmd_pkt, ms_iocb_entry_t, struct ct_entry_24xx in Linux qla_def.h; sns_screq_t,
 * sns_rft_id_req_t, isp_ms_t in FreeBSD ispmbox.h.  See Documentation/hardware/fabric.md.
 */
#include "nameserver.h"

/* A request or answer is one sequence; no switch has more to say about 16 million ports. */
#define MAX_TRANSFER (1u << 20)

static IspPort *logged_in_server(IspState *s, uint16_t loop_id)
{
	IspPort *port = isp_fc_port(s, loop_id);

	return port && port->logged_in && port->target == ISP_NO_TARGET ? port : NULL;
}

/* ---- SEND SNS -------------------------------------------------------------------------------------- */

enum {
	SNS_ANSWER_WORDS = 0,
	SNS_ANSWER_ADDR = 4,
	SNS_WORDS = 12,			/* from the command on */
	SNS_COMMAND = 16,
	SNS_MAX_SIZE = 18,
	SNS_ARG = 24,
	SNS_MAX = 24 + 36,
};

/* Arguments are little endian there, each of its own kind. */
static size_t sns_argument(uint16_t command, const uint8_t *arg, size_t len, uint8_t *out)
{
	stl_be_p(out, isp_le32(arg));
	switch (command) {
	case 0x01a1:			/* GID_PT: the port type comes first */
		memcpy(out, arg, 4);
		return 4;
	case 0x0212:
	case 0x0213:			/* RPN_ID, RNN_ID: a name of 64 bits */
		stq_be_p(out + 4, ldq_le_p(arg + 4));
		return 12;
	case 0x0217:			/* RFT_ID: eight words of types */
		for (unsigned int i = 4; i < 36; i += 4)
			stl_be_p(out + i, isp_le32(arg + i));
		return 36;
	default:
		return len;
	}
}

static size_t sns_to_ct(const uint8_t *sns, size_t arg_len, uint8_t *ct)
{
	uint16_t command = lduw_le_p(sns + SNS_COMMAND);

	memset(ct, 0, ISP_CT_HEADER + SNS_MAX);
	ct[0] = 1;
	ct[4] = 0xfc;
	ct[5] = 0x02;
	stw_be_p(ct + 8, command);
	stw_be_p(ct + 10, lduw_le_p(sns + SNS_MAX_SIZE));
	return ISP_CT_HEADER + sns_argument(command, sns + SNS_ARG, arg_len, ct + ISP_CT_HEADER);
}

/* Mailbox 1: words of the request. */
uint16_t isp_mbc_send_sns(IspFirmware *fw, IspMbox *m)
{
	uint8_t sns[SNS_MAX] = { 0 }, ct[ISP_CT_HEADER + SNS_MAX];
	size_t len = 2 * m->in[1], ct_len, room;
	g_autoptr(GByteArray) rsp = g_byte_array_new();
	uint16_t bad = isp_mbc_not_ready(fw, m);

	if (bad)
		return bad;
	isp_mbox_set(m, 1, isp_has_switch(fw->isp->fc) ? ISP_WHY_TRANSMIT : ISP_WHY_NO_FABRIC);
	if (!logged_in_server(fw->isp, ISP_LOOP_ID_NAME_SERVER))
		return ISP_MB_ERROR;
	if (len < SNS_ARG + 4 || len > sizeof(sns))
		return ISP_MB_PARAMETER;
	if (!isp_dma_read(fw->isp, isp_mbox_addr64(m), sns, len))
		return ISP_MB_HOST_INTERFACE;
	if (SNS_COMMAND + 2 * lduw_le_p(sns + SNS_WORDS) != len) {
		isp_violation(fw->isp, ISP_V_IOCB, "SNS request of %zu bytes says that it has %u", len,
			      SNS_COMMAND + 2 * lduw_le_p(sns + SNS_WORDS));
		return ISP_MB_PARAMETER;
	}
	if (isp_fault_ns_silent(fw, lduw_le_p(sns + SNS_COMMAND))) {
		m->late_ns = isp_patience_ns(fw);
		return ISP_MB_ERROR;
	}
	ct_len = sns_to_ct(sns, len - SNS_ARG, ct);
	isp_ns_request(fw->isp, ct, ct_len, rsp);
	room = 2 * lduw_le_p(sns + SNS_ANSWER_WORDS);
	isp_mbox_set(m, 1, 0);
	return isp_dma_write(fw->isp, ldq_le_p(sns + SNS_ANSWER_ADDR), rsp->data,
			     MIN(room, rsp->len)) ? ISP_MB_COMPLETE : ISP_MB_HOST_INTERFACE;
}

/* ---- pass-through ---------------------------------------------------------------------------------- */

enum {
	MS_LOOP_ID = 8,
	MS_STATUS = 10,
	MS_FLAGS = 12,
	MS_TIMEOUT = 16,
	MS_REQ_SEGMENTS = 18,
	MS_SEGMENTS = 20,
	MS_RSP_BYTES = 32,
	MS_REQ_BYTES = 36,
	MS_REQ_ADDR = 40,
	MS_REQ_LEN = 48,
	MS_RSP_ADDR = 52,
	MS_RSP_LEN = 60,
	MS_24XX_HANDLE = 10,
};

#define HANDLE_24XX_NAME_SERVER 0x7fc

/*
 * The ISP24xx's form of the entry: no command segments where these chips count them, and an N_Port
 * handle in the place of the status.  qla2xxx sends it to the 16-bit chips for its registrations since
 * those became asynchronous (Linux 4.16), beside the proper form for everything else.
 */
static bool is_24xx_form(const uint8_t *e)
{
	return !lduw_le_p(e + MS_REQ_SEGMENTS) && lduw_le_p(e + MS_FLAGS) == 1 &&
	       lduw_le_p(e + MS_SEGMENTS) == 1;
}

static uint16_t ms_loop_id(const IspFirmware *fw, const uint8_t *e)
{
	if (is_24xx_form(e)) {
		uint16_t handle = lduw_le_p(e + MS_24XX_HANDLE);

		return handle == HANDLE_24XX_NAME_SERVER ? ISP_LOOP_ID_NAME_SERVER : handle;
	}
	return fw->extended_ids ? lduw_le_p(e + MS_LOOP_ID) : e[MS_LOOP_ID + 1];
}

/* What is wrong with the entry; NULL: nothing. */
static const char *ms_mistake(const uint8_t *e)
{
	if (!is_24xx_form(e) && (lduw_le_p(e + MS_REQ_SEGMENTS) != 1 || lduw_le_p(e + MS_SEGMENTS) != 2))
		return "needs one segment for the request and one for the answer";
	if (isp_le32(e + MS_REQ_BYTES) != isp_le32(e + MS_REQ_LEN) ||
	    isp_le32(e + MS_RSP_BYTES) != isp_le32(e + MS_RSP_LEN))
		return "byte counts and segments differ";
	if (isp_le32(e + MS_REQ_BYTES) < ISP_CT_HEADER || isp_le32(e + MS_REQ_BYTES) > MAX_TRANSFER ||
	    isp_le32(e + MS_RSP_BYTES) < ISP_CT_HEADER || isp_le32(e + MS_RSP_BYTES) > MAX_TRANSFER)
		return "byte count makes no sense";
	return NULL;
}

/* Completion status of the transfer there and back. */
static uint16_t ms_transfer(IspFirmware *fw, const uint8_t *e)
{
	uint32_t req_len = isp_le32(e + MS_REQ_BYTES), room = isp_le32(e + MS_RSP_BYTES);
	g_autofree uint8_t *req = g_malloc(req_len);
	g_autoptr(GByteArray) rsp = g_byte_array_new();

	if (!isp_dma_read(fw->isp, ldq_le_p(e + MS_REQ_ADDR), req, req_len))
		return ISP_CS_DMA;
	isp_ns_request(fw->isp, req, req_len, rsp);
	if (!isp_dma_write(fw->isp, ldq_le_p(e + MS_RSP_ADDR), rsp->data, MIN(room, rsp->len)))
		return ISP_CS_DMA;
	return rsp->len == room ? ISP_CS_COMPLETE : rsp->len < room ? ISP_CS_UNDERRUN : ISP_CS_OVERRUN;
}

/* Nobody answers: the entry's own timeout decides. */
static uint64_t ms_silence(IspFirmware *fw, uint8_t *e)
{
	uint16_t seconds = lduw_le_p(e + MS_TIMEOUT);

	stw_le_p(e + MS_STATUS, ISP_CS_TIMEOUT);
	return seconds ? seconds * NANOSECONDS_PER_SECOND : isp_patience_ns(fw);
}

static bool is_ignored(IspFirmware *fw, const uint8_t *e)
{
	uint8_t head[ISP_CT_HEADER];

	return isp_dma_read(fw->isp, ldq_le_p(e + MS_REQ_ADDR), head, sizeof(head)) &&
	       isp_fault_ns_silent(fw, lduw_be_p(head + 8));
}

uint64_t isp_ct_entry(IspFirmware *fw, uint8_t *e)
{
	uint16_t loop_id = ms_loop_id(fw, e), status;
	const char *mistake = ms_mistake(e);

	isp_trace(fw->isp, "iocb< MS_PASSTHROUGH handle=%08x loop-id=%04x", isp_le32(e + 4), loop_id);
	e[3] = 0;
	if (mistake) {
		isp_violation(fw->isp, ISP_V_IOCB, "entry type 29 handle %08x: %s", isp_le32(e + 4),
			      mistake);
		e[3] = ISP_RF_PARAM;
		return 0;
	}
	if (is_24xx_form(e))
		isp_count(fw->isp, "iocb.29h-24xx-form", 1);
	if (!isp_fc_ready(fw->isp) || !isp_fc_port(fw->isp, loop_id))
		status = ISP_CS_PORT_UNAVAILABLE;
	else if (!logged_in_server(fw->isp, loop_id))
		status = ISP_CS_PORT_LOGGED_OUT;
	else if (is_ignored(fw, e))
		return ms_silence(fw, e);
	else
		status = ms_transfer(fw, e);
	stw_le_p(e + MS_STATUS, status);
	return 0;
}

/* ---- answers that come late ------------------------------------------------------------------------ */

struct IspLateEntry {
	IspFirmware *fw;
	QEMUTimer *timer;
	uint8_t entry[ISP_ENTRY];
	QTAILQ_ENTRY(IspLateEntry) next;
};
typedef struct IspLateEntry IspLateEntry;

static void drop(IspLateEntry *late)
{
	QTAILQ_REMOVE(&late->fw->late_entries, late, next);
	timer_free(late->timer);
	g_free(late);
}

static void answer_now(void *opaque)
{
	IspLateEntry *late = opaque;

	isp_rsp_entries(late->fw, late->entry, 1);
	drop(late);
}

void isp_ct_answer_later(IspFirmware *fw, const uint8_t *entry, uint64_t ns)
{
	IspLateEntry *late = g_new0(IspLateEntry, 1);

	late->fw = fw;
	memcpy(late->entry, entry, ISP_ENTRY);
	late->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, answer_now, late);
	timer_mod(late->timer, isp_now() + ns);
	QTAILQ_INSERT_TAIL(&fw->late_entries, late, next);
}

void isp_ct_forget(IspFirmware *fw)
{
	while (!QTAILQ_EMPTY(&fw->late_entries))
		drop(QTAILQ_FIRST(&fw->late_entries));
}
