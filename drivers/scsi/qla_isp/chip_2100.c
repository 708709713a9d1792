// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 1: the ISP2100/ISP2200 family.
 *
 * The ISP2100 has the ISP2200's registers without mailboxes 8 to 23, and
 * knows loops only: its control block has no connection option, and it logs
 * in to ports on its own loop alone.
 *
 * Ring pointers share registers with mailboxes 4 and 5: writing mailbox 4 is
 * the request ring's doorbell, reading it gives how far the card has come;
 * likewise mailbox 5 for the response ring. No mailbox command that is used
 * while the rings live may therefore name them. What an interrupt is about
 * takes two reads: interrupt status, and the semaphore that says whether the
 * mailboxes hold a message.
 */
#include <scsi/scsi_transport_fc.h>

#include "chip_2xxx.h"

#define ISP_2200_MBOX0		0x10	/* mailboxes 0-7 */
#define ISP_2200_MBOX8		0xe0	/* mailboxes 8-23 */
#define ISP_2200_REQ		0x18	/* = mailbox 4 */
#define ISP_2200_RSP		0x1a	/* = mailbox 5 */
#define ISP_2200_FB_CMD		0xb8
#define   ISP_2200_FB_RESET	0xa000

static unsigned int mbox_reg(unsigned int n)
{
	return n < 8 ? ISP_2200_MBOX0 + 2 * n : ISP_2200_MBOX8 + 2 * (n - 8);
}

static u16 isp_2200_mbox_read(struct isp_hw *hw, unsigned int n)
{
	if (n == 4 || n == 5)
		return isp_2xxx_debounce(hw, mbox_reg(n));
	return isp_rd(hw, mbox_reg(n));
}

static void isp_2200_mbox_write(struct isp_hw *hw, unsigned int n, u16 val)
{
	isp_wr(hw, mbox_reg(n), val);
}

static int isp_2100_reset(struct isp_hw *hw)
{
	isp_2xxx_intr_enable(hw, false);
	pci_clear_master(hw->pdev);
	return isp_2xxx_reset_tail(hw, ISP_2200_MBOX0);
}

static int isp_2200_reset(struct isp_hw *hw)
{
	isp_2xxx_intr_enable(hw, false);
	pci_clear_master(hw->pdev);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_PAUSE_RISC);
	if (isp_2xxx_poll(hw, ISP_HCCR, ISP_HCCR_PAUSED, ISP_HCCR_PAUSED,
			  100) == -ENODEV)
		return -ENODEV;
	isp_wr(hw, ISP_CTRL_STATUS, ISP_CSR_FPM);
	isp_wr(hw, ISP_FPM_DIAG, ISP_FPM_RESET);
	isp_wr(hw, ISP_CTRL_STATUS, ISP_CSR_FB);
	isp_wr(hw, ISP_2200_FB_CMD, ISP_2200_FB_RESET);
	isp_rd(hw, ISP_2200_FB_CMD);
	return isp_2xxx_reset_rest(hw, ISP_2200_MBOX0);
}

static u32 isp_2200_intr_mbox(struct isp_hw *hw)
{
	u16 mb0 = isp_rd(hw, ISP_2200_MBOX0);

	if (mb0 < 0x8000)
		return ISP_INTR(ISP_INTR_MBOX, mb0);
	return ISP_INTR(mb0 < 0xc000 ? ISP_INTR_ASYNC : ISP_INTR_UNKNOWN, mb0);
}

static u32 isp_2200_intr_read(struct isp_hw *hw)
{
	u16 isr = isp_rd(hw, ISP_ISTATUS);

	if (unlikely(isr == 0xffff))
		return ISP_INTR(ISP_INTR_GONE, isr);
	if (!(isr & ISP_ISR_RISC))
		return ISP_INTR(ISP_INTR_NONE, isr);
	if (unlikely(isp_rd(hw, ISP_SEMAPHORE) & ISP_SEMA_LOCK))
		return isp_2200_intr_mbox(hw);
	return ISP_INTR(ISP_INTR_RESPONSE, isr);
}

static void isp_2200_intr_ack(struct isp_hw *hw, enum isp_intr_kind kind)
{
	isp_wr(hw, ISP_HCCR, ISP_HCCR_CLR_RISC_INT);
	isp_wr(hw, ISP_SEMAPHORE, 0);
}

static u16 isp_2200_req_out_read(struct isp_hw *hw)
{
	return isp_2xxx_debounce(hw, ISP_2200_REQ);
}

static u16 isp_2200_rsp_in_read(struct isp_hw *hw)
{
	return isp_2xxx_debounce(hw, ISP_2200_RSP);
}

static void isp_2200_rings_clear(struct isp_hw *hw)
{
	isp_wr(hw, ISP_2200_REQ, 0);
	isp_wr(hw, ISP_2200_RSP, 0);
}

static int isp_2200_nvram_read(struct isp_hw *hw, u8 *buf)
{
	isp_2xxx_nvram_words(hw, 0, buf);
	return 0;
}

/* Nobody sends firmware options to this chip (qla2xxx, freebsd). */
static int isp_2100_fw_init(struct isp_hw *hw, const struct isp_rings *rings)
{
	/* Revisions before 5 must not be asked for fairness (freebsd). */
	if (hw->pdev->revision < 5) {
		hw->cfg.fw_options &= ~ISP_FWO_FAIRNESS;
		return isp_2xxx_fw_init(hw, rings, 0);
	}
	return isp_2xxx_fw_init(hw, rings, ISP_FWO_FAIRNESS);
}

static int isp_2200_fw_init(struct isp_hw *hw, const struct isp_rings *rings)
{
	int ret = isp_2xxx_set_options(hw, ISP_FO1_EVENTS, 0, NULL);

	return ret ?: isp_2xxx_fw_init(hw, rings, ISP_2XXX_FWO_EXTENDED);
}

static u16 isp_2200_id_of(const void *entry)
{
	const struct isp_id_2100 *e = entry;

	return e->loop_id;
}

static int isp_2200_get_id_list(struct isp_hw *hw, u16 *ids, unsigned int max)
{
	return isp_2xxx_get_ids(hw, sizeof(struct isp_id_2100), ids, max,
				isp_2200_id_of);
}

static u32 isp_2200_link_speed(struct isp_hw *hw, u16 code)
{
	return FC_PORTSPEED_1GBIT;
}

static u16 isp_2100_max_loop_id(const struct isp_hw *hw)
{
	return ISP_LOOP_ID_LOCAL_MAX;
}

/*
 * Mailbox 6 of the answer is no topology here; that there is a switch shows
 * by its F_Port (freebsd).
 */
static int isp_2100_get_local_id(struct isp_hw *hw, struct isp_local_id *id)
{
	struct isp_port_info f_port;
	int ret = isp_2xxx_get_local_id(hw, id);

	id->topology = ISP_TOPO_LOOP;
	if (ret || test_bit(ISP_HW_SWITCH_TOLD, &hw->flags) ||
	    isp_2xxx_get_port(hw, ISP_LOOP_ID_F_PORT, false, &f_port))
		return ret;
	if (f_port.port_id && !test_and_set_bit(ISP_HW_SWITCH_TOLD, &hw->flags))
		dev_warn(hw->dev, "there is a switch on the loop: an ISP2100 finds ports on the loop itself only, use a later card for those behind the switch\n");
	return ret;
}

#define ISP_2200_OPS						\
	.frame_payload		= 1024,				\
	.speeds			= FC_PORTSPEED_1GBIT,		\
	.rates			= BIT(ISP_RATE_1G),		\
	.use_mwi		= true,				\
	.req_in			= ISP_2200_REQ,			\
	.rsp_out		= ISP_2200_RSP,			\
	.intr_read		= isp_2200_intr_read,		\
	.intr_ack		= isp_2200_intr_ack,		\
	.mbox_read		= isp_2200_mbox_read,		\
	.mbox_write		= isp_2200_mbox_write,		\
	.req_out_read		= isp_2200_req_out_read,	\
	.rsp_in_read		= isp_2200_rsp_in_read,		\
	.rings_clear		= isp_2200_rings_clear,		\
	.nvram_read		= isp_2200_nvram_read,		\
	.get_id_list		= isp_2200_get_id_list,		\
	.link_speed		= isp_2200_link_speed,		\
	ISP_2XXX_OPS

const struct isp_chip isp_chip_2100 = {
	.name		= "ISP2100",
	.fw_name	= "ql2100_fw.bin",
	.image		= { .chip = "2100", .segs = 1, .addr = { 0x1000 } },
	.mbox_count	= 8,
	.req_entries	= 128,
	.rsp_entries	= 64,
	.connections	= BIT(ISP_CONN_LOOP),
	.reset		= isp_2100_reset,
	.fw_init	= isp_2100_fw_init,
	.max_loop_id	= isp_2100_max_loop_id,
	.get_local_id	= isp_2100_get_local_id,
	ISP_2200_OPS,
};

/* Point-to-point first, else loop, is left out: not safe here (qla2xxx). */
const struct isp_chip isp_chip_2200 = {
	.name		= "ISP2200",
	.fw_name	= "ql2200_fw.bin",
	.image		= { .chip = "2200", .segs = 1, .addr = { 0x1000 } },
	.mbox_count	= 24,
	.req_entries	= 2048,
	.rsp_entries	= 512,
	.connections	= BIT(ISP_CONN_LOOP) | BIT(ISP_CONN_P2P) |
			  BIT(ISP_CONN_LOOP_FIRST),
	.reset		= isp_2200_reset,
	.fw_init	= isp_2200_fw_init,
	.max_loop_id	= isp_2xxx_max_loop_id,
	.get_local_id	= isp_2xxx_get_local_id,
	.name_server	= isp_2xxx_send_sns,
	ISP_2200_OPS,
};
