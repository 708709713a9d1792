// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Completions on their way to the host: response ring, fast posting, RIO and ZIO.
 *
 * An entry is written only where the host has read: its response-out index is the limit.  What finds
 * no room waits here.
 *
 * Operation modes and the two timers (100 microseconds each): ICBXOPT_RIO_* and ICBXOPT_ZIO in FreeBSD
 * ispmbox.h; IBM Fibre Channel HBA manual 59P5712, Fast!UTIL, table 4; SANsurfer user's guide
 * FS0054603, "Operation Mode"; QLogic 8100 series user's guide, "Operation Mode (ZIO)".  Events 8020h, 8031h to 8035h, 8040h, 8042h: qla2x00_async_event() in
 * Linux qla_isr.c.
 */
#include "firmware.h"

#define TIMER_UNIT_NS 100000
#define MAX_HANDLES 30

typedef struct Group {
	unsigned int n;			/* entries that belong together */
	bool delayed;			/* may wait for the interrupt delay timer */
	uint8_t entry[][ISP_ENTRY];
} Group;

struct IspResponder {
	IspFirmware *fw;
	uint16_t in, out;
	GQueue waiting;			/* of Group */
	QEMUTimer *accumulate, *delay;
	uint32_t handle[MAX_HANDLES];
	unsigned int handles;
};

static bool is_zio(const IspFirmware *fw)
{
	return fw->icb.posting == ISP_POST_ZIO_5 || fw->icb.posting == ISP_POST_ZIO_6;
}

static void interrupt_now(IspFirmware *fw)
{
	const IspEvent ev = { .status = ISP_HS_RESPONSE };

	timer_del(fw->rsp->delay);
	isp_host_event(fw->isp, &ev);
}

static void interrupt_later(IspFirmware *fw)
{
	if (!fw->icb.delay)
		interrupt_now(fw);
	else if (!timer_pending(fw->rsp->delay))
		timer_mod(fw->rsp->delay, isp_now() + (uint64_t)fw->icb.delay * TIMER_UNIT_NS);
}

/* Runs only while an entry is unread (FreeBSD ispmbox.h: "hasn't been serviced"). */
static void delay_expired(void *opaque)
{
	IspFirmware *fw = opaque;

	if (fw->rsp->in != fw->rsp->out)
		isp_async(fw, 0x8040, 0, 0, 0);
}

static void announce(IspFirmware *fw, bool delayed)
{
	if (isp_fault_quiet(fw))
		return;
	if (fw->icb.posting == ISP_POST_ZIO_6 && !fw->active)
		interrupt_now(fw);
	else if (delayed || is_zio(fw))
		interrupt_later(fw);
	else
		interrupt_now(fw);
}

static unsigned int room(const IspFirmware *fw)
{
	const IspResponder *r = fw->rsp;

	return (r->out + fw->icb.rsp_len - r->in - 1) % fw->icb.rsp_len;
}

static void trace_entry(IspFirmware *fw, const uint8_t *e)
{
	if (!isp_trace_on(fw->isp))
		return;
	switch (e[0]) {
	case 0x03:
		isp_trace(fw->isp, "iocb> STATUS handle=%08x scsi=%04x comp=%04x state=%04x flags=%04x sense=%u resid=%u entry-status=%02x",
			  isp_le32(e + 4), lduw_le_p(e + 8), lduw_le_p(e + 10), lduw_le_p(e + 12),
			  lduw_le_p(e + 14), lduw_le_p(e + 18), isp_le32(e + 20), e[3]);
		break;
	case 0x10:
		isp_trace(fw->isp, "iocb> STATUS_CONT");
		break;
	case 0x21:
	case 0x22:
		isp_trace(fw->isp, "iocb> STATUS_TYPE_%02x handles=%u first=%x", e[0], e[2],
			  e[0] == 0x21 ? isp_le32(e + 4) : lduw_le_p(e + 4));
		break;
	default:
		isp_trace(fw->isp, "iocb> type=%02x handle=%08x entry-status=%02x", e[0],
			  isp_le32(e + 4), e[3]);
	}
}

static bool write_entry(IspFirmware *fw, uint8_t *entry)
{
	IspResponder *r = fw->rsp;

	isp_fault_entry(fw, entry);
	trace_entry(fw, entry);
	if (!isp_dma_write_entry(fw->isp, fw->icb.rsp_addr + (uint64_t)r->in * ISP_ENTRY, entry, ISP_ENTRY))
		return false;
	r->in = (r->in + 1) % fw->icb.rsp_len;
	return true;
}

static bool write_group(IspFirmware *fw, Group *g)
{
	for (unsigned int i = 0; i < g->n; i++)
		if (!write_entry(fw, g->entry[i]))
			return false;
	return true;
}

static void discard_waiting(IspFirmware *fw)
{
	Group *g;

	while ((g = g_queue_pop_head(&fw->rsp->waiting)))
		g_free(g);
}

/* The response ring cannot be reached: the firmware gives up. */
static void transfer_error(IspFirmware *fw)
{
	discard_waiting(fw);
	isp_async(fw, 0x8004, 0, 0, 0);
}

static void drain(IspFirmware *fw)
{
	IspResponder *r = fw->rsp;
	bool wrote = false, delayed = true;
	Group *g;

	while ((g = g_queue_peek_head(&r->waiting)) && g->n <= room(fw)) {
		g_queue_pop_head(&r->waiting);
		if (!write_group(fw, g)) {
			g_free(g);
			transfer_error(fw);
			return;
		}
		wrote = true;
		delayed &= g->delayed;
		g_free(g);
	}
	if (!wrote)
		return;
	isp_set_rsp_in(fw->isp, r->in);
	announce(fw, delayed);
}

static void enqueue(IspFirmware *fw, const void *entries, unsigned int n, bool delayed)
{
	Group *g = g_malloc(sizeof(*g) + n * ISP_ENTRY);

	g->n = n;
	g->delayed = delayed;
	memcpy(g->entry, entries, n * ISP_ENTRY);
	g_queue_push_tail(&fw->rsp->waiting, g);
	if (n > room(fw))
		isp_count(fw->isp, "response-ring-full", 1);
	drain(fw);
}

/* ---- handles without a status entry --------------------------------------------------------- */

/* How many handles fit into one message of this mode; 0: the mode has none. */
static unsigned int capacity(const IspFirmware *fw)
{
	static const uint8_t n[] = {
		[ISP_POST_RIO_16] = 5,
		[ISP_POST_RIO_32] = 2,
		[ISP_POST_RIO_16_IOCB] = 30,
		[ISP_POST_RIO_32_IOCB] = 15,
		[ISP_POST_ZIO_6] = 0,
	};

	return n[fw->icb.posting];
}

static bool wide_handles(const IspFirmware *fw)
{
	return fw->icb.posting == ISP_POST_RIO_32 || fw->icb.posting == ISP_POST_RIO_32_IOCB;
}

/* Mailboxes 4 and 5 are queue indices on the 2200: handles go to 1, 2, 3, 6 and 7. */
static void post_mailboxes_16(IspFirmware *fw)
{
	static const uint8_t place[] = { 1, 2, 3, 6, 7 };
	const IspResponder *r = fw->rsp;
	IspEvent ev = { .status = ISP_HS_ASYNC, .mask = 1 };

	ev.mb[0] = 0x8030 + r->handles;
	for (unsigned int i = 0; i < r->handles; i++) {
		ev.mb[place[i]] = r->handle[i];
		ev.mask |= 1U << place[i];
	}
	isp_trace(fw->isp, "async %04x RIO handles=%u first=%04x", ev.mb[0], r->handles, r->handle[0]);
	isp_host_event(fw->isp, &ev);
}

static void post_fast(IspFirmware *fw, uint32_t handle)
{
	const IspEvent ev = {
		.status = isp_is_23xx(fw) ? ISP_HS_FAST_SCSI : ISP_HS_ASYNC,
		.mask = 0x7,
		.mb = { 0x8020, handle, handle >> 16 },
	};

	isp_count(fw->isp, "async.8020", 1);
	isp_trace(fw->isp, "async 8020 SCSI_COMPLETE handle=%08x", handle);
	isp_host_event(fw->isp, &ev);
}

static void post_mailboxes_32(IspFirmware *fw)
{
	const IspResponder *r = fw->rsp;
	const IspEvent ev = {
		.status = ISP_HS_ASYNC,
		.mask = 0xc7,
		.mb = { 0x8042, r->handle[0], r->handle[0] >> 16, 0, 0, 0, r->handle[1],
			r->handle[1] >> 16 },
	};

	if (r->handles == 1) {
		post_fast(fw, r->handle[0]);
		return;
	}
	isp_trace(fw->isp, "async 8042 RIO handles=%08x,%08x", r->handle[0], r->handle[1]);
	isp_host_event(fw->isp, &ev);
}

static void post_entry(IspFirmware *fw)
{
	const IspResponder *r = fw->rsp;
	uint8_t e[ISP_ENTRY] = { 0 };
	bool wide = wide_handles(fw);

	e[0] = wide ? 0x21 : 0x22;
	e[1] = 1;
	e[2] = r->handles;
	for (unsigned int i = 0; i < r->handles; i++) {
		if (wide)
			stl_le_p(e + 4 + 4 * i, r->handle[i]);
		else
			stw_le_p(e + 4 + 2 * i, r->handle[i]);
	}
	enqueue(fw, e, 1, true);
}

static void flush_handles(IspFirmware *fw)
{
	IspResponder *r = fw->rsp;

	timer_del(r->accumulate);
	if (!r->handles)
		return;
	if (fw->icb.posting == ISP_POST_RIO_16)
		post_mailboxes_16(fw);
	else if (fw->icb.posting == ISP_POST_RIO_32)
		post_mailboxes_32(fw);
	else
		post_entry(fw);
	r->handles = 0;
}

static void accumulate_expired(void *opaque)
{
	flush_handles(opaque);
}

static void collect(IspFirmware *fw, uint32_t handle)
{
	IspResponder *r = fw->rsp;

	r->handle[r->handles++] = handle;
	if (r->handles == capacity(fw) || !fw->icb.accumulate)
		flush_handles(fw);
	else if (!timer_pending(r->accumulate))
		timer_mod(r->accumulate, isp_now() + (uint64_t)fw->icb.accumulate * TIMER_UNIT_NS);
}

void isp_rsp_good(IspFirmware *fw, uint32_t handle, bool may_fast_post, const void *status_entry)
{
	if (capacity(fw) && may_fast_post && (wide_handles(fw) || handle <= 0xffff))
		collect(fw, handle);
	else if (fw->icb.posting == ISP_POST_EACH && may_fast_post &&
		 (fw->icb.options & ISP_ICB_FAST_POST))
		post_fast(fw, handle);
	else
		isp_rsp_entries(fw, status_entry, 1);
}

void isp_rsp_entries(IspFirmware *fw, const void *entries, unsigned int n)
{
	flush_handles(fw);
	enqueue(fw, entries, n, false);
}

/* ---- the host's side of the ring ------------------------------------------------------------ */

void isp_fw_response_out(IspState *s, uint16_t index)
{
	IspFirmware *fw = s->fw;
	uint16_t len = fw->icb.rsp_len;
	IspResponder *r = fw->rsp;

	if (!fw->initialized)
		return;
	if (index >= len) {
		isp_violation(s, ISP_V_DOORBELL_RANGE, "response out index %u in a ring of %u", index,
			      len);
		return;
	}
	if ((index + len - r->out) % len > (r->in + len - r->out) % len) {
		isp_violation(s, ISP_V_DOORBELL_RANGE,
			      "response out index goes from %u to %u, past the in index %u", r->out,
			      index, r->in);
		return;
	}
	r->out = index;
	if (r->out == r->in)
		timer_del(r->delay);	/* nothing left to interrupt for: the next entry has its full delay */
	isp_ring_kick(fw);		/* waiting entries are written there, not in this access */
}

void isp_rsp_room(IspFirmware *fw)
{
	drain(fw);
}

void isp_rsp_start(IspFirmware *fw)
{
	IspResponder *r = fw->rsp;

	r->in = fw->icb.rsp_in;
	r->out = fw->icb.rsp_in;
	isp_set_rsp_in(fw->isp, r->in);
}

void isp_rsp_stop(IspFirmware *fw)
{
	timer_del(fw->rsp->accumulate);
	timer_del(fw->rsp->delay);
	discard_waiting(fw);
	fw->rsp->handles = 0;
}

void isp_rsp_init(IspFirmware *fw)
{
	fw->rsp = g_new0(IspResponder, 1);
	g_queue_init(&fw->rsp->waiting);
	fw->rsp->fw = fw;
	fw->rsp->accumulate = timer_new_ns(QEMU_CLOCK_VIRTUAL, accumulate_expired, fw);
	fw->rsp->delay = timer_new_ns(QEMU_CLOCK_VIRTUAL, delay_expired, fw);
}

void isp_rsp_free(IspFirmware *fw)
{
	isp_rsp_stop(fw);
	timer_free(fw->rsp->accumulate);
	timer_free(fw->rsp->delay);
	g_free(fw->rsp);
	fw->rsp = NULL;
}
