// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailbox commands for the RISC's memory: load, dump, words, checksum, execute.
 *
 * Mailboxes: qla2x00_load_ram(), qla2x00_dump_ram(), qla2x00_verify_checksum(), qla2x00_execute_fw(),
 * qla2x00_read_ram_word(), qla2x00_write_ram_word() in Linux qla_mbx.c.
 */
#include "fc.h"

/* Commands 1 and 3 have 32-bit DMA addresses, 9 to ch 64-bit ones, bh and ch a high word in mailbox 8. */
static uint64_t dma_address(const IspMbox *m)
{
	return m->in[0] < 9 ? isp_mbox_addr32(m) : isp_mbox_addr64(m);
}

static uint32_t ram_address(const IspMbox *m)
{
	bool extended = m->in[0] == 0x0b || m->in[0] == 0x0c;

	return (extended ? (uint32_t)m->in[8] << 16 : 0) | m->in[1];
}

uint16_t isp_mbc_load_ram(IspFirmware *fw, IspMbox *m)
{
	uint32_t addr = ram_address(m);
	unsigned int words = m->in[4];
	g_autofree uint8_t *buf = g_malloc(2 * words + 1);

	isp_mbox_set(m, 1, m->in[1]);
	if (!words)
		return ISP_MB_PARAMETER;
	if (!isp_dma_read(fw->isp, dma_address(m), buf, 2 * words))
		return ISP_MB_HOST_INTERFACE;
	for (unsigned int i = 0; i < words; i++)
		if (!isp_ram_write(fw->isp, addr + i, lduw_le_p(buf + 2 * i)))
			return ISP_MB_PARAMETER;
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_dump_ram(IspFirmware *fw, IspMbox *m)
{
	uint32_t addr = ram_address(m);
	unsigned int words = m->in[4];
	g_autofree uint8_t *buf = g_malloc(2 * words + 1);

	if (!words)
		return ISP_MB_PARAMETER;
	for (unsigned int i = 0; i < words; i++) {
		uint16_t value;

		if (!isp_ram_read(fw->isp, addr + i, &value))
			return ISP_MB_PARAMETER;
		stw_le_p(buf + 2 * i, value);
	}
	if (!isp_dma_write(fw->isp, dma_address(m), buf, 2 * words))
		return ISP_MB_HOST_INTERFACE;
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_write_word(IspFirmware *fw, IspMbox *m)
{
	if (!isp_ram_write(fw->isp, m->in[1], m->in[2]))
		return ISP_MB_PARAMETER;
	isp_mbox_set(m, 1, m->in[1]);
	isp_mbox_set(m, 2, m->in[2]);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_read_word(IspFirmware *fw, IspMbox *m)
{
	uint16_t value;

	if (!isp_ram_read(fw->isp, m->in[1], &value))
		return ISP_MB_PARAMETER;
	isp_mbox_set(m, 1, m->in[1]);
	isp_mbox_set(m, 2, value);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_write_word_ext(IspFirmware *fw, IspMbox *m)
{
	uint32_t addr = (uint32_t)m->in[8] << 16 | m->in[1];

	return isp_ram_write(fw->isp, addr, m->in[2]) ? ISP_MB_COMPLETE : ISP_MB_PARAMETER;
}

uint16_t isp_mbc_read_word_ext(IspFirmware *fw, IspMbox *m)
{
	uint32_t addr = (uint32_t)m->in[8] << 16 | m->in[1];
	uint16_t value;

	if (!isp_ram_read(fw->isp, addr, &value))
		return ISP_MB_PARAMETER;
	isp_mbox_set(m, 2, value);
	isp_mbox_set(m, 3, 0);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_checksum(IspFirmware *fw, IspMbox *m)
{
	uint16_t sum = 0;
	bool ok = isp_ram_checksum_ok(fw->isp, m->in[1], &sum);

	if (isp_card_fault(fw->isp, ISP_FAULT_CHECKSUM)) {
		ok = false;
		sum ^= 0x1001;
	}
	isp_mbox_set(m, 1, sum);
	return ok ? ISP_MB_COMPLETE : ISP_MB_TEST_FAILED;
}

/* Start the image at mailbox 1.  What is no image, or a damaged one, is run all the same: nothing
 * answers any more. */
uint16_t isp_mbc_execute(IspFirmware *fw, IspMbox *m)
{
	uint32_t addr = m->in[1];
	IspImageInfo image;
	uint16_t sum;

	if (!isp_ram_image_info(fw->isp, addr, &image) || !isp_ram_checksum_ok(fw->isp, addr, &sum)) {
		isp_violation(fw->isp, ISP_V_RISC_STATE, "execute firmware: no sound image at %04x",
			      addr);
		fw->crashed = true;
		return 0;
	}
	if (fw->executing)
		isp_fw_reset(fw->isp);
	fw->image = image;
	fw->executing = true;
	fw->extended_ids = isp_is_23xx(fw) && (image.attributes & 0x0100);
	isp_trace(fw->isp, "firmware %u.%02u.%02u attributes=%04x starts", image.major, image.minor,
		  image.sub, image.attributes);
	return ISP_MB_COMPLETE;
}
