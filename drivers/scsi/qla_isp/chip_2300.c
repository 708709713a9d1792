// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 1: the ISP23xx family: ISP2300, ISP2312, ISP2322, ISP6312, ISP6322.
 *
 * The last two are the ISP2312 and ISP2322 under ids of their own, for cards
 * of a cheaper line; Linux and OpenBSD treat them as such.
 *
 * Ring pointers have registers of their own, and one 32-bit host status word
 * tells what an interrupt is about.
 */
#include <linux/delay.h>
#include <scsi/scsi_transport_fc.h>

#include "chip_2xxx.h"

#define ISP_2300_REQ_IN		0x10
#define ISP_2300_REQ_OUT	0x12
#define ISP_2300_RSP_IN		0x14
#define ISP_2300_RSP_OUT	0x16
#define ISP_2300_HOST_STATUS	0x18
#define   ISP_HSR_RISC_INT	0x8000
#define   ISP_HSR_PAUSED	0x0100
#define ISP_2300_HOST_SEMA	0x1c
#define ISP_2300_MBOX0		0x40
#define ISP_2300_FB_CMD		0x80
#define   ISP_2300_FB_RESET	0x00fc

/* Codes in the low byte of the host status word. */
enum isp_2300_host_code {
	ISP_HC_ROM_MBOX_OK	= 0x01,
	ISP_HC_ROM_MBOX_ERROR	= 0x02,
	ISP_HC_MBOX_OK		= 0x10,
	ISP_HC_MBOX_ERROR	= 0x11,
	ISP_HC_ASYNC		= 0x12,
	ISP_HC_RESPONSE		= 0x13,
};

/* Parity checks to switch on when the firmware has been loaded. */
#define ISP_PARITY_SRAM		1
#define ISP_PARITY_ALL		7

static bool is_2300(const struct isp_hw *hw)
{
	return hw->chip == &isp_chip_2300;
}

static bool is_2322(const struct isp_hw *hw)
{
	return hw->chip == &isp_chip_2322 || hw->chip == &isp_chip_6322;
}

static u16 isp_2300_mbox_read(struct isp_hw *hw, unsigned int n)
{
	return isp_rd(hw, ISP_2300_MBOX0 + 2 * n);
}

static void isp_2300_mbox_write(struct isp_hw *hw, unsigned int n, u16 val)
{
	isp_wr(hw, ISP_2300_MBOX0 + 2 * n, val);
}

static int isp_2300_reset(struct isp_hw *hw)
{
	isp_2xxx_intr_enable(hw, false);
	pci_clear_master(hw->pdev);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_PAUSE_RISC);
	isp_rd(hw, ISP_HCCR);
	/* Only the ISP2300 is known to show that it pauses (qla2xxx). */
	if (!is_2300(hw))
		usleep_range(10, 50);
	else if (isp_2xxx_poll(hw, ISP_HCCR, ISP_HCCR_PAUSED, ISP_HCCR_PAUSED,
			       100) == -ENODEV)
		return -ENODEV;
	isp_wr(hw, ISP_CTRL_STATUS, ISP_CSR_FPM);
	isp_wr(hw, ISP_FPM_DIAG, ISP_FPM_RESET);
	isp_rd(hw, ISP_FPM_DIAG);
	isp_wr(hw, ISP_FPM_DIAG, 0);
	isp_wr(hw, ISP_CTRL_STATUS, ISP_CSR_FB);
	isp_wr(hw, ISP_2300_FB_CMD, ISP_2300_FB_RESET);
	if (isp_2xxx_poll(hw, ISP_2300_FB_CMD, 0xff, 0, 100) == -ENODEV)
		return -ENODEV;
	return isp_2xxx_reset_rest(hw, is_2300(hw) ? ISP_2300_MBOX0 : 0);
}

static u32 isp_2300_intr_read(struct isp_hw *hw)
{
	u32 stat = isp_rd32(hw, ISP_2300_HOST_STATUS);
	u16 mb0;

	/* First what is there for nearly each command. */
	if (likely((stat & (ISP_HSR_RISC_INT | ISP_HSR_PAUSED | 0xff)) ==
		   (ISP_HSR_RISC_INT | ISP_HC_RESPONSE)))
		return ISP_INTR(ISP_INTR_RESPONSE, 0);
	mb0 = stat >> 16;
	if (stat == ~0U)
		return ISP_INTR(ISP_INTR_GONE, mb0);
	if (stat & ISP_HSR_PAUSED)
		return ISP_INTR(ISP_INTR_PAUSED, isp_rd(hw, ISP_HCCR));
	if (!(stat & ISP_HSR_RISC_INT))
		return ISP_INTR(ISP_INTR_NONE, mb0);
	switch (stat & 0xff) {
	case ISP_HC_ROM_MBOX_OK:
	case ISP_HC_ROM_MBOX_ERROR:
	case ISP_HC_MBOX_OK:
	case ISP_HC_MBOX_ERROR:
		return ISP_INTR(ISP_INTR_MBOX, mb0);
	case ISP_HC_ASYNC:
		return ISP_INTR(ISP_INTR_ASYNC, mb0);
	default:
		return ISP_INTR(ISP_INTR_UNKNOWN, stat & 0xff);
	}
}

static void isp_2300_intr_ack(struct isp_hw *hw, enum isp_intr_kind kind)
{
	if (kind == ISP_INTR_MBOX)
		isp_wr(hw, ISP_SEMAPHORE, 0);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_CLR_RISC_INT);
}

static u16 isp_2300_req_out_read(struct isp_hw *hw)
{
	return isp_rd(hw, ISP_2300_REQ_OUT);
}

static u16 isp_2300_rsp_in_read(struct isp_hw *hw)
{
	return isp_rd(hw, ISP_2300_RSP_IN);
}

static void isp_2300_rings_clear(struct isp_hw *hw)
{
	isp_wr(hw, ISP_2300_REQ_IN, 0);
	isp_wr(hw, ISP_2300_REQ_OUT, 0);
	isp_wr(hw, ISP_2300_RSP_IN, 0);
	isp_wr(hw, ISP_2300_RSP_OUT, 0);
}

/* Both functions of a card with an ISP2312 or later share one NVRAM. */
static int isp_2300_nvram_lock(struct isp_hw *hw)
{
	int tries;

	if (isp_2xxx_poll(hw, ISP_NVRAM, ISP_NVR_BUSY, 0, 100))
		return -ETIMEDOUT;
	for (tries = 0; tries < 100; tries++) {
		isp_wr(hw, ISP_2300_HOST_SEMA, 1);
		isp_rd(hw, ISP_2300_HOST_SEMA);
		udelay(5);
		if (isp_rd(hw, ISP_2300_HOST_SEMA) & 1)
			return 0;
		usleep_range(500, 1000);
	}
	return -ETIMEDOUT;
}

static int isp_2300_nvram_read(struct isp_hw *hw, u8 *buf)
{
	unsigned int base = 0;
	int ret;

	if (is_2300(hw)) {
		isp_2xxx_nvram_words(hw, 0, buf);
		return 0;
	}
	ret = isp_2300_nvram_lock(hw);
	if (ret)
		return ret;
	if ((isp_rd(hw, ISP_CTRL_STATUS) & ISP_CSR_FUNCTION) >> 14 == 1)
		base = ISP_NVRAM_SIZE / 2;
	isp_2xxx_nvram_words(hw, base, buf);
	isp_wr(hw, ISP_2300_HOST_SEMA, 0);
	isp_rd(hw, ISP_2300_HOST_SEMA);
	return 0;
}

/* The RISC's memory holds anything before it has been loaded. */
static void isp_2300_fw_prepare(struct isp_hw *hw)
{
	isp_wr(hw, ISP_HCCR, ISP_HCCR_PARITY);
}

/*
 * Word for Set Firmware Options from the NVRAM's transceiver settings:
 * emphasis in bits 14-15, output swing in bits 8-10, sensitivities below.
 */
static u16 serdes_word(const struct isp_hw *hw, u8 sens, u8 swing, u8 emphasis)
{
	u16 word = (emphasis & 3) << 14 | (swing & 7) << 8;
	u8 tx = sens & 0xf, rx = sens >> 4;

	if (is_2322(hw))
		return word | 0x20 | (rx & 3) << 2 | (tx & 3);
	return word | tx << 4 | (rx ?: 3);
}

static int isp_2300_fw_init(struct isp_hw *hw, const struct isp_rings *rings)
{
	const u8 *sl = hw->cfg.serial_link;
	u16 serdes[2] = {
		serdes_word(hw, sl[0], sl[2], sl[2] >> 3),
		serdes_word(hw, sl[1], sl[2] >> 5, sl[3]),
	};
	int ret;

	isp_wr(hw, ISP_HCCR, ISP_HCCR_PARITY |
	       (is_2300(hw) ? ISP_PARITY_SRAM : ISP_PARITY_ALL));
	hw->cfg.add_fw_options |= ISP_AFO_FC_TAPE | ISP_AFO_FC_CONFIRM;
	/* Bit 2 of the last byte: the settings are meant to be used. */
	ret = isp_2xxx_set_options(hw, ISP_FO1_EVENTS, ISP_FO3_NO_ABTS_WAIT,
				   sl[3] & 4 ? serdes : NULL);
	return ret ?: isp_2xxx_fw_init(hw, rings, ISP_2XXX_FWO_EXTENDED);
}

static u16 isp_2300_id_of(const void *entry)
{
	const struct isp_id_2300 *e = entry;

	return le16_to_cpu(e->loop_id);
}

static int isp_2300_get_id_list(struct isp_hw *hw, u16 *ids, unsigned int max)
{
	return isp_2xxx_get_ids(hw, sizeof(struct isp_id_2300), ids, max,
				isp_2300_id_of);
}

static u32 isp_2300_link_speed(struct isp_hw *hw, u16 code)
{
	switch (code) {
	case 0:
		return FC_PORTSPEED_1GBIT;
	case 1:
		return FC_PORTSPEED_2GBIT;
	default:
		return FC_PORTSPEED_UNKNOWN;
	}
}

#define ISP_2300_OPS						\
	.mbox_count		= 32,				\
	.req_entries		= 2048,				\
	.rsp_entries		= 512,				\
	.frame_payload		= 2048,				\
	.speeds			= FC_PORTSPEED_1GBIT | FC_PORTSPEED_2GBIT, \
	.connections		= BIT(ISP_CONN_NVRAM) - 1,	\
	.rates			= BIT(ISP_RATE_NVRAM) - 1,	\
	.req_in			= ISP_2300_REQ_IN,		\
	.ram_first		= 0x800,			\
	.ram_read		= isp_2xxx_ram_read,		\
	.rsp_out		= ISP_2300_RSP_OUT,		\
	.reset			= isp_2300_reset,		\
	.intr_read		= isp_2300_intr_read,		\
	.intr_ack		= isp_2300_intr_ack,		\
	.mbox_read		= isp_2300_mbox_read,		\
	.mbox_write		= isp_2300_mbox_write,		\
	.req_out_read		= isp_2300_req_out_read,	\
	.rsp_in_read		= isp_2300_rsp_in_read,		\
	.rings_clear		= isp_2300_rings_clear,		\
	.nvram_read		= isp_2300_nvram_read,		\
	.fw_prepare		= isp_2300_fw_prepare,		\
	.fw_init		= isp_2300_fw_init,		\
	.max_loop_id		= isp_2xxx_max_loop_id,		\
	.get_local_id		= isp_2xxx_get_local_id,	\
	.get_id_list		= isp_2300_get_id_list,		\
	.name_server		= isp_2xxx_name_server,		\
	.link_speed		= isp_2300_link_speed,		\
	ISP_2XXX_OPS

#define ISP_2300_IMAGE {						\
	.chip = "2300", .segs = 1, .addr = { 0x800 }			\
}

/* Two more segments feed the transmit and receive sequencers. */
#define ISP_2322_IMAGE {						\
	.chip = "2300", .segs = 3, .addr = { 0x800, 0x1c000, 0x1e000 }	\
}

/* Memory write-and-invalidate corrupts data on the ISP2300 (qla2xxx). */
const struct isp_chip isp_chip_2300 = {
	.name		= "ISP2300",
	.fw_name	= "ql2300_fw.bin",
	.image		= ISP_2300_IMAGE,
	.use_mwi	= false,
	ISP_2300_OPS,
};

const struct isp_chip isp_chip_2312 = {
	.name		= "ISP2312",
	.fw_name	= "ql2300_fw.bin",
	.image		= ISP_2300_IMAGE,
	.use_mwi	= true,
	ISP_2300_OPS,
};

const struct isp_chip isp_chip_2322 = {
	.name		= "ISP2322",
	.fw_name	= "ql2322_fw.bin",
	.image		= ISP_2322_IMAGE,
	.use_mwi	= true,
	ISP_2300_OPS,
};

const struct isp_chip isp_chip_6312 = {
	.name		= "ISP6312",
	.fw_name	= "ql2300_fw.bin",
	.image		= ISP_2300_IMAGE,
	.use_mwi	= true,
	ISP_2300_OPS,
};

const struct isp_chip isp_chip_6322 = {
	.name		= "ISP6322",
	.fw_name	= "ql2322_fw.bin",
	.image		= ISP_2322_IMAGE,
	.use_mwi	= true,
	ISP_2300_OPS,
};
