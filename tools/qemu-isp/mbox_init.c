// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailbox commands about the firmware itself: identity, options, initialization, diagnostics.
 *
 * Mailboxes: qla2x00_get_fw_version(), qla2x00_get_fw_options(), qla2x00_init_firmware(),
 * qla2x00_get_resource_cnts(), qla2x00_get_retry_cnt(), qla2x00_loopback_test(), qla2x00_echo_test()
 * in Linux qla_mbx.c; MBOX_GET_SET_DATA_RATE in FreeBSD ispmbox.h.
 */
#include "fc.h"

/* R_A_TOV of FC-PLDA: 10 s.  Mailbox 3 of GET RETRY COUNT holds twice its value in 100 ms (Linux
 * qla2x00_get_retry_cnt()). */
#define RATOV_MAILBOX 200

/* Exchanges for target mode that an idle firmware has; the model's choice. */
#define TARGET_EXCHANGES 64

uint16_t isp_mbc_nop(IspFirmware *fw, IspMbox *m)
{
	return ISP_MB_COMPLETE;
}

/* Mailboxes 1 to 7 come back as they were sent. */
uint16_t isp_mbc_register_test(IspFirmware *fw, IspMbox *m)
{
	uint16_t wrong = isp_card_fault(fw->isp, ISP_FAULT_SELFTEST) ? 0x0100 : 0;

	for (unsigned int i = 1; i < fw->isp->chip->mailboxes; i++)
		isp_mbox_set(m, i, m->in[i] ^ wrong);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_about(IspFirmware *fw, IspMbox *m)
{
	uint32_t last = fw->isp->chip->ram_words - 1;

	isp_mbox_set(m, 1, fw->image.major);
	isp_mbox_set(m, 2, fw->image.minor);
	isp_mbox_set(m, 3, fw->image.sub);
	isp_mbox_set(m, 4, last);
	isp_mbox_set(m, 5, last >> 16);
	isp_mbox_set(m, 6, fw->image.attributes);
	isp_mbox_set(m, 7, 0);
	return ISP_MB_COMPLETE;
}

static void trace_icb(IspFirmware *fw)
{
	const IspIcb *icb = &fw->icb;

	isp_trace(fw->isp, "icb options=%04x/%04x/%04x frame=%u throttle=%u wwpn=%016" PRIx64 " hard-address=%u request=%u@%" PRIx64 " response=%u@%" PRIx64 " timers=%u/%u",
		  icb->options, icb->add_options, icb->special_options, icb->frame_size,
		  icb->throttle, icb->wwpn, icb->hard_address, icb->req_len, icb->req_addr,
		  icb->rsp_len, icb->rsp_addr, icb->accumulate, icb->delay);
}

/* Again without a reset between: everything in flight is forgotten, as after EXECUTE FIRMWARE. */
static void end_previous(IspFirmware *fw)
{
	if (!fw->initialized)
		return;
	isp_ring_stop(fw);
	isp_rsp_stop(fw);
	isp_commands_forget(fw);
	isp_ct_forget(fw);
	isp_fc_reset(fw->isp);
	fw->initialized = false;
}

uint16_t isp_mbc_init_firmware(IspFirmware *fw, IspMbox *m)
{
	uint8_t raw[128] = { 0 };
	uint16_t field;
	IspIcb icb;

	isp_mbox_set(m, 1, 0);
	isp_mbox_set(m, 2, 0);
	if (!isp_dma_read(fw->isp, isp_mbox_addr64(m), raw, 96))
		return ISP_MB_HOST_INTERFACE;
	if (!isp_icb_decode(fw, raw, &icb, &field)) {
		isp_mbox_set(m, 1, field);
		return ISP_MB_PARAMETER;
	}
	end_previous(fw);
	fw->icb = icb;
	fw->initialized = true;
	fw->rings_dead = false;
	trace_icb(fw);
	isp_ring_start(fw);
	isp_rsp_start(fw);
	isp_fc_start(fw->isp);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_get_icb(IspFirmware *fw, IspMbox *m)
{
	return isp_dma_write(fw->isp, isp_mbox_addr64(m), fw->icb.raw, 96) ? ISP_MB_COMPLETE :
									      ISP_MB_HOST_INTERFACE;
}

uint16_t isp_mbc_get_options(IspFirmware *fw, IspMbox *m)
{
	for (unsigned int i = 1; i <= 3; i++)
		isp_mbox_set(m, i, fw->options[i]);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_set_options(IspFirmware *fw, IspMbox *m)
{
	static const uint8_t places[] = { 1, 2, 3, 10, 11, 12 };

	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++)
		fw->options[places[i]] = m->in[places[i]];
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_get_retry(IspFirmware *fw, IspMbox *m)
{
	isp_mbox_set(m, 1, fw->icb.retry_count);
	isp_mbox_set(m, 2, fw->icb.retry_delay);
	isp_mbox_set(m, 3, RATOV_MAILBOX);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_set_retry(IspFirmware *fw, IspMbox *m)
{
	if (m->in[1] > 0xff || m->in[2] > 0xff)
		return ISP_MB_PARAMETER;
	fw->icb.retry_count = m->in[1];
	fw->icb.retry_delay = m->in[2];
	return ISP_MB_COMPLETE;
}

static uint16_t free_iocbs(const IspFirmware *fw)
{
	return isp_iocbs(fw) - MIN(fw->entries, isp_iocbs(fw));
}

uint16_t isp_mbc_resources(IspFirmware *fw, IspMbox *m)
{
	uint32_t total = isp_exchanges(fw), used = fw->active;

	isp_mbox_set(m, 1, TARGET_EXCHANGES);
	isp_mbox_set(m, 2, TARGET_EXCHANGES);
	isp_mbox_set(m, 3, total - used);
	isp_mbox_set(m, 6, total);
	isp_mbox_set(m, 7, free_iocbs(fw));
	isp_mbox_set(m, 10, isp_iocbs(fw));
	isp_mbox_set(m, 11, 0);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_fw_status(IspFirmware *fw, IspMbox *m)
{
	isp_mbox_set(m, 1, free_iocbs(fw));
	return ISP_MB_COMPLETE;
}

/* Firmware stops; the boot ROM answers from now on. */
uint16_t isp_mbc_stop(IspFirmware *fw, IspMbox *m)
{
	isp_fw_reset(fw->isp);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_fw_state(IspFirmware *fw, IspMbox *m)
{
	isp_mbox_set(m, 1, fw->isp->fc->state);
	return ISP_MB_COMPLETE;
}

/* Mailbox 1: 0 get, 1 set to mailbox 2 with the next loop initialization. */
uint16_t isp_mbc_data_rate(IspFirmware *fw, IspMbox *m)
{
	if (m->in[1] > 1 || (m->in[1] == 1 && m->in[2] > 2))
		return ISP_MB_PARAMETER;
	if (m->in[1] == 1)
		fw->isp->fc->wanted_rate = m->in[2];
	isp_mbox_set(m, 1, fw->isp->fc->rate);
	isp_mbox_set(m, 2, fw->isp->fc->wanted_rate);
	return ISP_MB_COMPLETE;
}

/* Bit 6 of the options: 64-bit addresses. */
static uint64_t diag_address(const IspMbox *m, unsigned int low, unsigned int high)
{
	uint64_t addr = (uint32_t)m->in[low + 1] << 16 | m->in[low];

	if (m->in[1] & 0x40)
		addr |= (uint64_t)m->in[high + 1] << 48 | (uint64_t)m->in[high] << 32;
	return addr;
}

/* The frames come back as they were sent. */
uint16_t isp_mbc_loopback(IspFirmware *fw, IspMbox *m)
{
	uint32_t len = (uint32_t)m->in[11] << 16 | m->in[10];
	g_autofree uint8_t *buf = NULL;

	for (unsigned int i = 1; i <= 3; i++)
		isp_mbox_set(m, i, 0);		/* CRC, disparity and frame length errors */
	isp_mbox_set(m, 18, m->in[18]);
	isp_mbox_set(m, 19, m->in[19]);
	if (!len || len > 1 << 20)
		return ISP_MB_PARAMETER;
	buf = g_malloc(len);
	if (!isp_dma_read(fw->isp, diag_address(m, 14, 20), buf, len) ||
	    !isp_dma_write(fw->isp, diag_address(m, 16, 6), buf, len))
		return ISP_MB_HOST_INTERFACE;
	return ISP_MB_COMPLETE;
}

/* ECHO goes to the fabric's F_Port, which sends back what it got; without a switch there is none. */
uint16_t isp_mbc_echo(IspFirmware *fw, IspMbox *m)
{
	if (!isp_has_switch(fw->isp->fc) || !isp_fc_ready(fw->isp)) {
		isp_mbox_set(m, 1, ISP_WHY_NO_FABRIC);
		return ISP_MB_ECHO_ERROR;
	}
	return isp_mbc_loopback(fw, m);
}

uint16_t isp_mbc_self_test(IspFirmware *fw, IspMbox *m)
{
	bool broken = isp_card_fault(fw->isp, ISP_FAULT_SELFTEST);

	isp_mbox_set(m, 1, broken);
	return broken ? ISP_MB_TEST_FAILED : ISP_MB_COMPLETE;
}

uint16_t isp_mbc_heartbeat(IspFirmware *fw, IspMbox *m)
{
	return ISP_MB_COMPLETE;
}

/* One entry in host memory; the answer replaces it. */
uint16_t isp_mbc_exec_iocb(IspFirmware *fw, IspMbox *m)
{
	uint64_t addr = m->in[0] == 0x54 ? isp_mbox_addr64(m) : isp_mbox_addr32(m);
	uint8_t entry[ISP_ENTRY];

	isp_mbox_set(m, 1, 0);
	if (!isp_dma_read(fw->isp, addr, entry, sizeof(entry)))
		return ISP_MB_HOST_INTERFACE;
	m->late_ns = isp_iocb_execute(fw, entry);
	if (!isp_dma_write(fw->isp, addr, entry, sizeof(entry)))
		return ISP_MB_HOST_INTERFACE;
	return ISP_MB_COMPLETE;
}
