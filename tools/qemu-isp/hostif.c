// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The host interface of the RISC, the same on all 16-bit chips: mailboxes and who owns them, the
 * events that the RISC shows one at a time, the interrupt line, the commands in HCCR, soft reset.
 *
 * A mailbox number has two registers behind it: what the host writes goes to the RISC, what the host
 * reads comes from the RISC (FreeBSD ispreg.h: INMAILBOX and OUTMAILBOX at the same offset).
 */
#include "board.h"

/* Product id in mailboxes 1 to 3 after reset: "ISP" and blanks (Linux PROD_ID_1 to PROD_ID_3). */
static const uint16_t product_id[] = { 0x4953, 0x5020, 0x2020 };

#define ROM_BUSY 4	/* mailbox 0 during the ROM's self-test (Linux MBS_BUSY) */
#define ROM_ALIVE 0

/*
 * A host that has waited so long for the answer to a mailbox command has given up on it, and may look at the mailboxes
 * and ring again.  Linux's qla2xxx does after 30 s (MBX_TOV_SECONDS in qla_def.h).
 */
#define GIVEN_UP_NS	(5 * NANOSECONDS_PER_SECOND)

static int64_t now_ns(void)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

/* ---- interrupt ---------------------------------------------------------------------------- */

void isp_update_irq(IspState *s)
{
	IspBoard *b = s->board;
	PCIDevice *pdev = PCI_DEVICE(s);
	const uint16_t enable = ICTRL_ENABLE | ICTRL_ENABLE_RISC;
	bool line;

	line = ((b->risc_int && !b->irq_lost) || b->stopped) && (b->ictrl & enable) == enable;
	if (isp_card_fault(s, ISP_FAULT_NO_INTERRUPT) || isp_card_fault(s, ISP_FAULT_DEAD))
		line = false;
	if (line == b->line)
		return;
	b->line = line;
	if (line)
		isp_count_irq(s);
	if (msi_enabled(pdev)) {
		if (line)
			msi_notify(pdev, 0);
	} else {
		pci_set_irq(pdev, line);
	}
	if (isp_trace_on(s))
		isp_trace(s, "interrupt %s", line ? "on" : "off");
}

/* ---- events ------------------------------------------------------------------------------- */

static bool fills_mailboxes(IspHostStatus status)
{
	return status != ISP_HS_RESPONSE;
}

static bool ends_command(IspHostStatus status)
{
	return status == ISP_HS_ROM_OK || status == ISP_HS_ROM_ERR || status == ISP_HS_MBOX_OK ||
	       status == ISP_HS_MBOX_ERR;
}

static uint16_t high_half(const IspEvent *ev)
{
	switch (ev->status) {
	case ISP_HS_FAST_RIO:
	case ISP_HS_FAST_SCSI:
	case ISP_HS_FAST_CTIO:
		return ev->mb[1];
	case ISP_HS_RESPONSE:
		return 0;
	default:
		return ev->mb[0];
	}
}

static void trace_event(IspState *s, const IspEvent *ev)
{
	GString *line;
	unsigned int i;

	if (!isp_trace_on(s))
		return;
	line = g_string_new(NULL);
	g_string_printf(line, "event %02xh", ev->status);
	for (i = 0; i < ISP_MBOXES; i++)
		if (ev->mask & (1u << i))
			g_string_append_printf(line, " mb%u=%04x", i, ev->mb[i]);
	isp_trace(s, "%s", line->str);
	g_string_free(line, TRUE);
}

static void load_mailboxes(IspState *s, const IspEvent *ev)
{
	IspBoard *b = s->board;
	unsigned int i;

	for (i = 0; i < ISP_MBOXES; i++)
		if (ev->mask & (1u << i))
			b->mb_out[i] = ev->mb[i];
}

static void show(IspState *s, const IspEvent *ev)
{
	IspBoard *b = s->board;

	b->shown = true;
	b->risc_int = true;
	b->status = ev->status;
	b->status_high = high_half(ev);
	b->shown_mask = ev->mask;
	if (fills_mailboxes(ev->status)) {
		b->semaphore = true;
		load_mailboxes(s, ev);
	}
	if (ends_command(ev->status)) {
		b->mb_busy = false;
		b->mb_commands++;
	}
	b->irq_lost = isp_fw_loses_interrupt(s);
	trace_event(s, ev);
	isp_update_irq(s);
}

/*
 * A response event says that there are new entries; when the host has taken them all meanwhile,
 * the firmware has nothing to say.
 */
static bool is_stale(const IspBoard *b, const IspEvent *ev)
{
	return ev->status == ISP_HS_RESPONSE && b->rsp_in == b->rsp_out;
}

static void show_next(IspState *s)
{
	IspBoard *b = s->board;
	IspEvent ev;

	while (b->waiting->len) {
		ev = g_array_index(b->waiting, IspEvent, 0);
		g_array_remove_index(b->waiting, 0);
		if (is_stale(b, &ev))
			continue;
		show(s, &ev);
		return;
	}
}

static bool response_waits(const IspBoard *b)
{
	unsigned int i;

	for (i = 0; i < b->waiting->len; i++)
		if (g_array_index(b->waiting, IspEvent, i).status == ISP_HS_RESPONSE)
			return true;
	return false;
}

void isp_host_event(IspState *s, const IspEvent *ev)
{
	IspBoard *b = s->board;

	if (!b->shown) {
		show(s, ev);
		return;
	}
	if (ev->status == ISP_HS_RESPONSE && response_waits(b))
		return;
	g_array_append_val(b->waiting, *ev);
}

/*
 * The 23xx host gives the mailboxes back by clearing the interrupt, the 2100/2200 host by clearing
 * the interrupt and releasing the semaphore, in any order.
 */
static void host_done(IspState *s)
{
	IspBoard *b = s->board;

	if (b->risc_int || (!s->chip->has_host_status && b->semaphore))
		return;
	if (!b->shown)
		return;
	b->shown = false;
	if (!s->chip->has_host_status) {
		b->mb_out[4] = b->req_out;
		b->mb_out[5] = b->rsp_in;
	}
	show_next(s);
}

void isp_release_semaphore(IspState *s)
{
	s->board->semaphore = false;
	host_done(s);
}

static void clear_risc_int(IspState *s)
{
	s->board->risc_int = false;
	isp_update_irq(s);
	host_done(s);
}

static void drop_events(IspState *s)
{
	IspBoard *b = s->board;

	g_array_set_size(b->waiting, 0);
	b->shown = b->risc_int = b->semaphore = false;
	b->status = 0;
	b->status_high = 0;
	isp_update_irq(s);
}

/* ---- mailboxes ---------------------------------------------------------------------------- */

bool isp_risc_held(IspState *s)
{
	IspBoard *b = s->board;

	return b->soft_reset || b->paused || b->risc != RISC_RUNNING;
}

static void trace_command(IspState *s)
{
	IspBoard *b = s->board;
	GString *line;
	unsigned int i;

	if (!isp_trace_on(s))
		return;
	line = g_string_new("mailbox command");
	for (i = 0; i < s->chip->mailboxes; i++)
		if (i == 0 || b->mb_in[i])
			g_string_append_printf(line, " mb%u=%04x", i, b->mb_in[i]);
	isp_trace(s, "%s", line->str);
	g_string_free(line, TRUE);
}

/* The RISC takes the command when it runs. */
static void take_command(IspState *s)
{
	IspBoard *b = s->board;

	if (!b->host_int || isp_risc_held(s))
		return;
	b->host_int = false;
	isp_fw_mailbox(s);
}

/* A command is with the RISC, and the host waits for its answer. */
static bool mailboxes_held(IspState *s)
{
	IspBoard *b = s->board;

	return b->mb_busy && !isp_risc_held(s) && now_ns() - b->mb_since < GIVEN_UP_NS;
}

static void ring(IspState *s)
{
	IspBoard *b = s->board;

	if (b->mb_busy && now_ns() - b->mb_since < GIVEN_UP_NS) {
		isp_violation(s, ISP_V_MBOX_BUSY,
			      "mailbox command %04x rung while %04x is with the RISC",
			      b->mb_host[0], b->mb_in[0]);
		return;
	}
	if (b->mb_busy)
		isp_count(s, "mailbox.given-up", 1);
	memcpy(b->mb_in, b->mb_host, sizeof(b->mb_in));
	b->mb_loading = false;
	b->mb_busy = true;
	b->mb_since = now_ns();
	b->host_int = true;
	trace_command(s);
	take_command(s);
}

uint16_t isp_mbox_in(IspState *s, unsigned int n)
{
	return n < ISP_MBOXES ? s->board->mb_in[n] : 0;
}

uint16_t isp_mailbox_read(IspState *s, unsigned int n)
{
	IspBoard *b = s->board;

	/* While the RISC works on a command the mailboxes are its own, except for what it shows. */
	if (mailboxes_held(s) && !b->shown &&
	    !(n < 6 && n > 3 && !s->chip->has_host_status))
		isp_violation(s, ISP_V_MBOX_UNOWNED, "mailbox %u read while command %04x is with the RISC",
			      n, b->mb_in[0]);
	return b->mb_out[n];
}

void isp_mailbox_write(IspState *s, unsigned int n, uint16_t val)
{
	IspBoard *b = s->board;

	if (mailboxes_held(s))
		isp_violation(s, ISP_V_MBOX_BUSY, "mailbox %u written while command %04x is with the RISC",
			      n, b->mb_in[0]);
	b->mb_loading = true;
	b->mb_host[n] = val;
}

/* ---- HCCR --------------------------------------------------------------------------------- */

static void arm_timer(IspState *s)
{
	IspBoard *b = s->board;

	if (b->soft_reset)
		timer_mod(b->timer, b->soft_reset_end);
	else if (b->risc == RISC_BOOTING)
		timer_mod(b->timer, b->boot_end);
	else
		timer_del(b->timer);
}

/* What every reset of the RISC has in common; RAM keeps its contents. */
static void reset_risc(IspState *s)
{
	IspBoard *b = s->board;

	b->risc = RISC_RESET;
	b->paused = b->parity_error = b->stopped = false;
	b->host_int = b->mb_busy = b->mb_loading = false;
	b->req_in = b->req_out = b->rsp_in = b->rsp_out = 0;
	memset(b->mb_out, 0, sizeof(b->mb_out));
	b->mb_out[0] = ROM_BUSY;
	memcpy(&b->mb_out[1], product_id, sizeof(product_id));
	b->mb_out[7] = s->chip->rom_version;
	drop_events(s);
	isp_fw_reset(s);
	arm_timer(s);
}

static void boot_risc(IspState *s)
{
	IspBoard *b = s->board;

	b->risc = RISC_BOOTING;
	b->boot_end = now_ns() + s->chip->boot_ns;
	arm_timer(s);
}

static void boot_done(IspState *s)
{
	IspBoard *b = s->board;

	b->risc = RISC_RUNNING;
	b->mb_out[0] = ROM_ALIVE;
	arm_timer(s);
	if (b->paused)
		return;
	isp_fw_run(s, true);
	take_command(s);
}

static void pause_risc(IspState *s)
{
	IspBoard *b = s->board;

	if (b->paused)
		return;
	b->paused = true;
	if (b->risc == RISC_RUNNING)
		isp_fw_run(s, false);
}

static void release_risc(IspState *s)
{
	IspBoard *b = s->board;
	bool was_paused = b->paused;

	if (b->stopped)
		return;
	b->paused = false;
	if (b->risc == RISC_RESET) {
		boot_risc(s);
	} else if (b->risc == RISC_RUNNING && was_paused) {
		isp_fw_run(s, true);
		take_command(s);
	}
}

/* Linux qla2300_intr_handler() takes a paused RISC with this bit set for a parity error. */
static void force_parity_error(IspState *s)
{
	IspBoard *b = s->board;

	if (!b->parity_enable)
		return;
	isp_risc_stop(s, true);
}

/*
 * The RISC finds that it cannot go on.  Linux qla2300_intr_handler() and FreeBSD isp_pci_run_isr_2300()
 * find it by an interrupt whose status is none of an event, and that only a reset of the RISC ends.
 */
void isp_risc_stop(IspState *s, bool parity_error)
{
	IspBoard *b = s->board;

	if (b->risc != RISC_RUNNING || b->soft_reset)
		return;
	b->stopped = true;
	b->parity_error = parity_error;
	if (!b->risc_int)
		b->status = 0;
	pause_risc(s);
	isp_update_irq(s);
}

uint16_t isp_hccr_read(IspState *s)
{
	IspBoard *b = s->board;
	uint16_t val = (uint16_t)(b->parity_enable << HCCR_PARITY_SHIFT);

	if (b->host_int)
		val |= HCCR_HOST_INT;
	if (b->risc == RISC_RESET)
		val |= HCCR_RISC_RESET;
	if (b->paused)
		val |= HCCR_RISC_PAUSED;
	/* The enables of the 23xx share bit 8 with an error flag that Linux asks for only when paused. */
	if (b->paused)
		val &= ~(7 << HCCR_PARITY_SHIFT);
	if (b->parity_error)
		val |= HCCR_PARITY_ERROR;
	return val;
}

/* Commands: FreeBSD ispreg.h (HCCR_CMD_*, PCI_HCCR_CMD_*), OpenBSD qlareg.h (QLA_HOST_CMD_*). */
void isp_hccr_write(IspState *s, uint16_t val)
{
	IspBoard *b = s->board;

	switch (val >> 12) {
	case 0x0:	/* nothing */
	case 0x4:	/* 4000h single step, 4001h no pause on FPM parity error */
	case 0x8:	/* breakpoints */
	case 0x9:	/* BIOS enable */
	case 0xf:	/* test mode */
		break;
	case 0x1:
		reset_risc(s);
		break;
	case 0x2:
		pause_risc(s);
		break;
	case 0x3:
		release_risc(s);
		break;
	case 0x5:
		ring(s);
		break;
	case 0x6:
		b->host_int = false;
		break;
	case 0x7:
		clear_risc_int(s);
		break;
	case 0xa:
		b->parity_enable = val & 7;
		break;
	case 0xe:
		force_parity_error(s);
		break;
	default:
		isp_violation(s, ISP_V_RESERVED_BITS, "no such command in HCCR: %04x", val);
	}
}

/* ---- soft reset --------------------------------------------------------------------------- */

void isp_soft_reset(IspState *s)
{
	IspBoard *b = s->board;

	b->soft_reset = true;
	b->soft_reset_end = now_ns() + s->chip->reset_ns;
	b->ctrl_status = b->ictrl = b->nvram_reg = b->flash_address = 0;
	b->parity_enable = 0;
	b->host_semaphore = false;
	memset(b->mb_host, 0, sizeof(b->mb_host));
	memset(b->bank, 0, sizeof(b->bank));
	memset(b->dma_regs, 0, sizeof(b->dma_regs));
	reset_risc(s);
}

/*
 * After a soft reset the ROM starts by itself: Linux' qla2300_fw_dump() waits for mailbox 0 without
 * touching HCCR.
 */
static void soft_reset_done(IspState *s)
{
	s->board->soft_reset = false;
	boot_risc(s);
}

/* The end of a reset is noticed by the next register access or by the timer, whichever is first. */
void isp_catch_up(IspState *s)
{
	IspBoard *b = s->board;
	int64_t now;

	if (likely(b->risc == RISC_RUNNING && !b->soft_reset))
		return;
	now = now_ns();
	if (b->soft_reset && now >= b->soft_reset_end && !isp_card_fault(s, ISP_FAULT_RESET_STUCK))
		soft_reset_done(s);
	if (!b->soft_reset && b->risc == RISC_BOOTING && now >= b->boot_end)
		boot_done(s);
}

static void timer_fired(void *opaque)
{
	isp_catch_up(opaque);
}

void isp_hostif_power_on(IspState *s)
{
	isp_soft_reset(s);
}

void isp_hostif_init(IspState *s)
{
	IspBoard *b = s->board;

	b->waiting = g_array_new(FALSE, FALSE, sizeof(IspEvent));
	b->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, timer_fired, s);
}

void isp_hostif_finish(IspState *s)
{
	timer_free(s->board->timer);
	g_array_free(s->board->waiting, TRUE);
}

/* ---- queue indices ------------------------------------------------------------------------ */

/*
 * On the 2100/2200 mailboxes 4 and 5 show the indices, unless an event that the host has not yet taken
 * has put something else there; host_done() puts them back.
 */
static void publish_index(IspState *s, unsigned int n, uint16_t index)
{
	IspBoard *b = s->board;

	if (!s->chip->has_host_status && !(b->shown && (b->shown_mask & BIT(n))))
		b->mb_out[n] = index;
}

void isp_set_req_out(IspState *s, uint16_t index)
{
	s->board->req_out = index;
	publish_index(s, 4, index);
}

void isp_set_rsp_in(IspState *s, uint16_t index)
{
	s->board->rsp_in = index;
	publish_index(s, 5, index);
}

uint16_t isp_get_req_in(IspState *s)
{
	return s->board->req_in;
}

uint16_t isp_get_rsp_out(IspState *s)
{
	return s->board->rsp_out;
}
