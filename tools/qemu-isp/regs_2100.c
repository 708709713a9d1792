// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of the ISP2100 and ISP2200 that later chips have elsewhere: mailboxes at 10h and (2200) e0h,
 * DMA engines at 20h.  The queue indices travel in mailboxes 4 and 5: the host writes request-in and
 * response-out, and reads request-out and response-in (Linux ISP_REQ_Q_IN() and its companions).
 *
 * How the RISC tells a doorbell in mailbox 4 or 5 from a command parameter there is in no public
 * source.  Linux 6.1 writes all mailboxes, zeroes included, before it rings for a command while the
 * queues run, so a write that stands between the first other mailbox and the ring cannot be a
 * doorbell; that is the rule here.
 */
#include "board.h"

static const char *const names[REG_END / 2] = {
	[0x00 / 2] = "flash_address", "flash_data",
	[0x06 / 2] = "ctrl_status", "ictrl", "istatus", "semaphore", "nvram",
	[0x10 / 2] = "mailbox0", "mailbox1", "mailbox2", "mailbox3",
	"mailbox4", "mailbox5", "mailbox6", "mailbox7",
	[0x20 / 2] = "cdma_control",
	[0x40 / 2] = "tdma_control",
	[0x60 / 2] = "rdma_control",
	[0x96 / 2] = "fpm_diag_config",
	[0xa0 / 2] = "risc_hw",
	[0xa4 / 2] = "pcr",
	[0xb0 / 2] = "mctr",
	[0xb8 / 2] = "fb_cmd",
	[0xc0 / 2] = "hccr",
	[0xcc / 2] = "gpiod", "gpioe",
	[0xe0 / 2] = "mailbox8", "mailbox9", "mailbox10", "mailbox11",
	"mailbox12", "mailbox13", "mailbox14", "mailbox15",
	"mailbox16", "mailbox17", "mailbox18", "mailbox19",
	"mailbox20", "mailbox21", "mailbox22", "mailbox23",
};

/* Mailbox at @offset, -1: none there. */
static int mailbox_at(IspState *s, unsigned int offset)
{
	if (offset >= 0x10 && offset < 0x20)
		return (offset - 0x10) / 2;
	if (offset >= 0xe0 && s->chip->mailboxes > 8)
		return 8 + (offset - 0xe0) / 2;
	return -1;
}

static bool read_2100(IspState *s, unsigned int offset, uint16_t *val)
{
	int n = mailbox_at(s, offset);

	if (n >= 0)
		*val = isp_mailbox_read(s, n);
	else if (offset >= 0x20 && offset < 0x80)
		*val = s->board->dma_regs[(offset - 0x20) / 2];
	else
		return false;
	return true;
}

static void doorbell(IspState *s, unsigned int n, uint16_t val)
{
	IspBoard *b = s->board;
	bool held = isp_risc_held(s);

	b->mb_host[n] = val;
	if (n == 4) {
		b->req_in = val;
		if (!held)
			isp_fw_request_in(s, val);
	} else {
		b->rsp_out = val;
		if (!held)
			isp_fw_response_out(s, val);
	}
}

static bool write_2100(IspState *s, unsigned int offset, uint16_t val)
{
	int n = mailbox_at(s, offset);

	if ((n == 4 || n == 5) && !s->board->mb_loading)
		doorbell(s, n, val);
	else if (n >= 0)
		isp_mailbox_write(s, n, val);
	else if (offset >= 0x20 && offset < 0x80)
		s->board->dma_regs[(offset - 0x20) / 2] = val;
	else
		return false;
	return true;
}

const IspRegs isp_regs_2100 = {
	.names = names,
	.read = read_2100,
	.write = write_2100,
};
