// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What isp-ram, isp-null and isp-spindle say about themselves: INQUIRY, vital product data, mode pages, capacity.
 *
 * Layouts: SPC-4 and SBC-3; page 04h: SBC-2.
 */
#include "lun.h"

static void put_text(uint8_t *to, const char *text, unsigned int len)
{
	memset(to, ' ', len);
	memcpy(to, text, MIN(strlen(text), len));
}

int isp_lun_inquiry(IspLun *lun, uint8_t *buf)
{
	memset(buf, 0, 96);
	buf[2] = 6;			/* SPC-4 */
	buf[3] = 0x12;			/* HiSup, response data format 2 */
	buf[4] = 96 - 5;
	buf[6] = lun->share ? 0x10 : 0;	/* MultiP */
	buf[7] = 0x02;			/* CmdQue */
	put_text(buf + 8, "ISPMODEL", 8);
	put_text(buf + 16, lun->null ? "NULL LUN" : lun->is_spindle ? "SPINDLE LUN" : "RAM LUN", 16);
	put_text(buf + 32, "1.0", 4);
	stw_be_p(buf + 58, 0x00a0);	/* SAM-5 */
	stw_be_p(buf + 60, 0x0a00);	/* FCP-4 */
	stw_be_p(buf + 62, 0x0460);	/* SPC-4 */
	stw_be_p(buf + 64, 0x04c0);	/* SBC-3 */
	return 96;
}

/* The last one, provisioning, is not a spindle's. */
static int page_supported(IspLun *lun, uint8_t *p)
{
	static const uint8_t pages[] = { 0x00, 0x80, 0x83, 0xb0, 0xb1, 0xb2 };
	unsigned int n = sizeof(pages) - lun->is_spindle;

	memcpy(p, pages, n);
	return n;
}

static int page_serial(IspLun *lun, uint8_t *p)
{
	unsigned int len = MIN(strlen(lun->serial), 32);

	memcpy(p, lun->serial, len);
	return len;
}

/* @head: byte 0, protocol and code set; @kind: byte 1, association and type.  Returns what is behind it. */
static uint8_t *designator(uint8_t *d, uint8_t head, uint8_t kind, uint8_t len)
{
	d[0] = head;
	d[1] = kind;
	d[3] = len;
	return d + 4 + len;
}

static uint8_t *logical_unit(IspLun *lun, uint8_t *d)
{
	unsigned int serial = MIN(strlen(lun->serial), 32);

	put_text(d + 4, "ISPMODEL", 8);			/* T10 vendor id based, ASCII */
	memcpy(d + 12, lun->serial, serial);
	d = designator(d, 0x02, 0x01, 8 + serial);
	stq_be_p(d + 4, lun->wwn);			/* NAA locally assigned, binary */
	return designator(d, 0x01, 0x03, 8);
}

/* Port name, number among the unit's ports; node name for the device. */
static uint8_t *target_port(IspLun *lun, uint8_t *d)
{
	if (!isp_scsi_port_name(&lun->dev, false))
		return d;
	stq_be_p(d + 4, isp_scsi_port_name(&lun->dev, false));
	d = designator(d, 0x01, 0x93, 8);
	stl_be_p(d + 4, lun->port_number);
	d = designator(d, 0x01, 0x94, 4);
	stq_be_p(d + 4, isp_scsi_port_name(&lun->dev, true));
	return designator(d, 0x01, 0xa3, 8);
}

static int page_identification(IspLun *lun, uint8_t *p)
{
	return target_port(lun, logical_unit(lun, p)) - p;
}

static int page_block_limits(IspLun *lun, uint8_t *p)
{
	p[0] = 0;			/* WSNZ 0: a zero count means to the end */
	stw_be_p(p + 2, 1);
	stl_be_p(p + 4, ISP_LUN_MAX_TRANSFER);
	stl_be_p(p + 8, 256);
	if (!lun->read_only)
		stq_be_p(p + 32, ISP_LUN_MAX_SAME);
	if (!lun->read_only && !lun->is_spindle) {
		stl_be_p(p + 16, ISP_LUN_MAX_SAME);
		stl_be_p(p + 20, ISP_LUN_MAX_UNMAP_DESCRIPTORS);
		stl_be_p(p + 24, 1);
	}
	return 60;
}

static int page_characteristics(IspLun *lun, uint8_t *p)
{
	stw_be_p(p, lun->is_spindle ? MIN(lun->spindle.rpm, 0xfffe) : 1);	/* 1: does not rotate */
	return 60;
}

static int page_provisioning(uint8_t *p)
{
	p[1] = 0xe4;			/* UNMAP, WRITE SAME 16 and 10; unmapped blocks read as zeroes */
	p[2] = 0x02;			/* thin */
	return 4;
}

int isp_lun_vpd(IspLun *lun, uint8_t page, uint8_t *buf)
{
	int len;

	memset(buf, 0, ISP_LUN_DATA_MAX);
	switch (page) {
	case 0x00:
		len = page_supported(lun, buf + 4);
		break;
	case 0x80:
		len = page_serial(lun, buf + 4);
		break;
	case 0x83:
		len = page_identification(lun, buf + 4);
		break;
	case 0xb0:
		len = page_block_limits(lun, buf + 4);
		break;
	case 0xb1:
		len = page_characteristics(lun, buf + 4);
		break;
	case 0xb2:
		if (lun->is_spindle)
			return -1;
		len = page_provisioning(buf + 4);
		break;
	default:
		return -1;
	}
	buf[1] = page;
	stw_be_p(buf + 2, len);
	return 4 + len;
}

/* ---- mode pages -------------------------------------------------------------------------------- */

#define WCE 0x04
#define PAGE_MAX 24

/* Cylinders, heads, rotation rate. */
static void geometry(const Disk *d, uint8_t *p)
{
	p[2] = d->m.cylinders >> 16;
	stw_be_p(p + 3, d->m.cylinders);
	p[5] = d->m.heads;
	stw_be_p(p + 20, MIN(d->p.rpm, UINT16_MAX));
}

/* One page behind @p with its values, or with ones where it is changeable. */
static int mode_page(IspLun *lun, uint8_t page, bool changeable, uint8_t *p)
{
	static const uint8_t lengths[] = {
		[0x01] = 10, [0x04] = PAGE_MAX - 2, [0x08] = 18, [0x0a] = 10, [0x1c] = 10
	};
	const Disk *disk = isp_lun_disk(lun);

	memset(p, 0, 2 + lengths[page]);
	p[0] = page;
	p[1] = lengths[page];
	if (changeable) {
		if (page == 0x08 && disk)
			p[2] = WCE;
		return 2 + p[1];
	}
	switch (page) {
	case 0x01:			/* read-write error recovery: reallocates by itself */
		p[2] = 0xc0;
		break;
	case 0x04:
		geometry(disk, p);
		break;
	case 0x08:			/* caching: memory has no write cache, there is nothing to lose */
		p[2] = disk && disk->p.write_cache ? WCE : 0;
		break;
	case 0x0a:			/* control: sense in fixed format, unrestricted reordering, TAS */
		p[3] = 0x10;
		p[5] = 0x40;
		break;
	case 0x1c:			/* informational exceptions: none reported */
		p[2] = 0x08;
		break;
	}
	return 2 + p[1];
}

static bool has_page(const IspLun *lun, uint8_t page)
{
	return page == 0x01 || page == 0x08 || page == 0x0a || page == 0x1c || (page == 0x04 && lun->is_spindle);
}

static int mode_pages(IspLun *lun, uint8_t page, bool changeable, uint8_t *p)
{
	int len = 0;

	for (uint8_t known = 0; known < 0x3f; known++)
		if (has_page(lun, known) && (page == 0x3f || page == known))
			len += mode_page(lun, known, changeable, p + len);
	return len ? len : -1;
}

static int block_descriptor(IspLun *lun, bool long_lba, uint8_t *p)
{
	if (long_lba) {
		stq_be_p(p, lun->blocks);
		stl_be_p(p + 12, lun->block_size);
		return 16;
	}
	stl_be_p(p, MIN(lun->blocks, UINT32_MAX));
	stl_be_p(p + 4, lun->block_size);
	return 8;
}

/* Subpages and saved values do not exist. */
int isp_lun_mode_sense(IspLun *lun, const uint8_t *cdb, uint8_t *buf)
{
	bool ten = cdb[0] == 0x5a, changeable = cdb[2] >> 6 == 1;
	unsigned int header = ten ? 8 : 4, descriptor = 0;
	int pages;

	memset(buf, 0, ISP_LUN_DATA_MAX);
	if (cdb[3] && cdb[3] != 0xff)
		return -1;
	if (!(cdb[1] & 0x08))
		descriptor = block_descriptor(lun, ten && (cdb[1] & 0x10), buf + header);
	pages = mode_pages(lun, cdb[2] & 0x3f, changeable, buf + header + descriptor);
	if (pages < 0)
		return -1;
	buf[ten ? 3 : 2] = (lun->read_only ? 0x80 : 0) | 0x10;	/* WP, DPOFUA */
	if (ten) {
		stw_be_p(buf, header + descriptor + pages - 2);
		buf[4] = descriptor == 16;
		stw_be_p(buf + 6, descriptor);
	} else {
		buf[0] = header + descriptor + pages - 1;
		buf[3] = descriptor;
	}
	return header + descriptor + pages;
}

/* Whether a page says the same as ours but for what may be changed. */
static bool page_fits(IspLun *lun, const uint8_t *page, unsigned int len)
{
	uint8_t is[PAGE_MAX], may[PAGE_MAX];
	int n;

	if (len < 2 || !has_page(lun, page[0] & 0x7f))
		return false;
	n = mode_page(lun, page[0] & 0x7f, false, is);
	mode_page(lun, page[0] & 0x7f, true, may);
	if (len < n || page[1] != n - 2)
		return false;
	for (int i = 2; i < n; i++)
		if ((page[i] ^ is[i]) & ~may[i])
			return false;
	return true;
}

/* Header and block descriptor are taken for what they are; the write cache is all that can be set. */
bool isp_lun_mode_select(IspLun *lun, bool ten, const uint8_t *data, unsigned int len)
{
	unsigned int header = ten ? 8 : 4, at;
	int cache = -1;

	if (len < header)
		return false;
	at = header + (ten ? lduw_be_p(data + 6) : data[3]);
	for (; at < len; at += 2 + data[at + 1]) {
		if (!page_fits(lun, data + at, len - at))
			return false;
		if ((data[at] & 0x7f) == 0x08)
			cache = data[at + 2] & WCE;
	}
	if (at > len)
		return false;
	if (cache >= 0)
		isp_spindle_write_cache(lun->medium, cache);
	return true;
}

int isp_lun_capacity(IspLun *lun, bool sixteen, uint8_t *buf)
{
	memset(buf, 0, 32);
	if (!sixteen) {
		stl_be_p(buf, MIN(lun->blocks - 1, UINT32_MAX));
		stl_be_p(buf + 4, lun->block_size);
		return 8;
	}
	stq_be_p(buf, lun->blocks - 1);
	stl_be_p(buf + 8, lun->block_size);
	buf[14] = lun->is_spindle ? 0 : 0xc0;	/* thin provisioning, unmapped blocks read as zeroes */
	return 32;
}
