// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers of the ISP2300, 2312 and 2322 that earlier chips have elsewhere or not at all: queue
 * indices at 10h, the host-status word at 18h, the semaphore among the functions of a card at 1ch,
 * 32 mailboxes at 40h.
 *
 * Sources: Linux qla_def.h (struct device_reg_2xxx, u.isp2300), FreeBSD ispreg.h (BIU_REQINP,
 * BIU_R2HSTSLO), Linux qla2x00_lock_nvram_access() for the semaphore.
 */
#include "board.h"

enum {
	REG_REQ_IN = 0x10,
	REG_REQ_OUT = 0x12,
	REG_RSP_IN = 0x14,
	REG_RSP_OUT = 0x16,
	REG_STATUS_LOW = 0x18,
	REG_STATUS_HIGH = 0x1a,
	REG_HOST_SEMAPHORE = 0x1c,
	REG_CDMA_CONTROL = 0x20,
	REG_MAILBOX = 0x40,
};

static const char *const names[REG_END / 2] = {
	[0x00 / 2] = "flash_address", "flash_data",
	[0x06 / 2] = "ctrl_status", "ictrl", "istatus", "semaphore", "nvram",
	[0x10 / 2] = "req_q_in", "req_q_out", "rsp_q_in", "rsp_q_out",
	"host_status", "host_status_high", "host_semaphore",
	[0x20 / 2] = "cdma_control",
	[0x40 / 2] = "mailbox0", "mailbox1", "mailbox2", "mailbox3",
	"mailbox4", "mailbox5", "mailbox6", "mailbox7",
	"mailbox8", "mailbox9", "mailbox10", "mailbox11",
	"mailbox12", "mailbox13", "mailbox14", "mailbox15",
	"mailbox16", "mailbox17", "mailbox18", "mailbox19",
	"mailbox20", "mailbox21", "mailbox22", "mailbox23",
	"mailbox24", "mailbox25", "mailbox26", "mailbox27",
	"mailbox28", "mailbox29", "mailbox30", "mailbox31",
	[0x80 / 2] = "fb_cmd",
	[0x96 / 2] = "fpm_diag_config",
	[0xa0 / 2] = "risc_hw",
	[0xa4 / 2] = "pcr",
	[0xb0 / 2] = "mctr",
	[0xc0 / 2] = "hccr",
	[0xcc / 2] = "gpiod", "gpioe",
};

static uint16_t status_low(const IspBoard *b)
{
	uint16_t val = b->status;

	if (b->risc_int || b->stopped)
		val |= HS_RISC_INT;
	if (b->paused)
		val |= HS_RISC_PAUSED;
	return val;
}

static bool read_2300(IspState *s, unsigned int offset, uint16_t *val)
{
	IspBoard *b = s->board;

	switch (offset) {
	case REG_REQ_IN:
		*val = b->req_in;
		break;
	case REG_REQ_OUT:
		*val = b->req_out;
		break;
	case REG_RSP_IN:
		*val = b->rsp_in;
		break;
	case REG_RSP_OUT:
		*val = b->rsp_out;
		break;
	case REG_STATUS_LOW:
		*val = status_low(b);
		break;
	case REG_STATUS_HIGH:
		*val = b->status_high;
		break;
	case REG_HOST_SEMAPHORE:
		*val = b->host_semaphore;
		break;
	case REG_CDMA_CONTROL:
	case 0x1e:	/* a gap, but Linux qla2300_fw_dump() dumps 10h to 1fh */
		*val = 0;
		break;
	case REG_MAILBOX ... REG_MAILBOX + 2 * ISP_MBOXES - 1:
		*val = isp_mailbox_read(s, (offset - REG_MAILBOX) / 2);
		break;
	default:
		return false;
	}
	return true;
}

/*
 * Drivers zero all four indices before the firmware starts, the RISC's own two as well (OpenBSD
 * qla_attach()); once they move, those two are not theirs.
 */
static bool write_risc_index(uint16_t index, uint16_t val)
{
	return val == 0 && index == 0;
}

static bool write_2300(IspState *s, unsigned int offset, uint16_t val)
{
	IspBoard *b = s->board;

	switch (offset) {
	case REG_REQ_IN:
		b->req_in = val;
		if (!isp_risc_held(s))
			isp_fw_request_in(s, val);
		break;
	case REG_RSP_OUT:
		b->rsp_out = val;
		if (!isp_risc_held(s))
			isp_fw_response_out(s, val);
		break;
	case REG_REQ_OUT:
		return write_risc_index(b->req_out, val);
	case REG_RSP_IN:
		return write_risc_index(b->rsp_in, val);
	case REG_HOST_SEMAPHORE:
		b->host_semaphore = val & 1;
		break;
	case REG_CDMA_CONTROL:	/* FreeBSD isp_reset() clears the DMA engines of all chips there */
		break;
	case REG_MAILBOX ... REG_MAILBOX + 2 * ISP_MBOXES - 1:
		isp_mailbox_write(s, (offset - REG_MAILBOX) / 2, val);
		break;
	default:
		return false;
	}
	return true;
}

const IspRegs isp_regs_2300 = {
	.names = names,
	.read = read_2300,
	.write = write_2300,
};
