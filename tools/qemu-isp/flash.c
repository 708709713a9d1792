// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flash part behind flash_address and flash_data: AMD's command set (unlock cycles, autoselect,
 * byte program, sector and chip erase, data polling), and the image that it holds.
 *
 * Command cycles and polling: Linux qla_sup.c (qla2x00_get_flash_manufacturer(),
 * qla2x00_program_flash_address(), qla2x00_erase_flash_sector(), qla2x00_poll_flash()).  Address
 * bits above 15: bit 3 of ctrl_status is bit 16; on the 2322 bits 7 to 4 are 19 to 16
 * (qla2x00_read_flash_byte()).
 *
 * The image is an option ROM chain with headers only (PCI Firmware Specification, section 5), so that
 * a driver finds BIOS and FCode versions; on the 2322 the version of a firmware image stands at 80000h
 * (Linux FA_RISC_CODE_ADDR).  No code of the vendor is in it.
 */
#include "board.h"

#define PROGRAM_NS	10000
#define ERASE_NS	1000000
#define RISC_CODE	0x80000

enum FlashMode { FLASH_ARRAY, FLASH_AUTOSELECT };

struct IspFlash {
	uint8_t *bytes;
	enum FlashMode mode;
	unsigned int unlocked;		/* unlock cycles seen: 0, 1, 2 */
	bool program_next;
	bool erase_armed;
	int64_t ready;
	uint8_t polled;			/* inverted bit 7 that shows while busy */
	bool toggle;
};

static uint32_t full_address(IspState *s)
{
	IspBoard *b = s->board;
	uint32_t addr = b->flash_address;

	if (s->chip->flash_bytes > 0x20000)
		addr |= (uint32_t)(b->ctrl_status & 0xf0) << 12;
	else if (b->ctrl_status & CTRL_FLASH_64K)
		addr |= 0x10000;
	return addr & (s->chip->flash_bytes - 1);
}

static bool is_busy(const IspFlash *f)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) < f->ready;
}

uint8_t isp_flash_read(IspState *s)
{
	IspFlash *f = s->board->flash;
	uint32_t addr = full_address(s);

	if (!(s->board->ctrl_status & CTRL_FLASH_ENABLE))
		return 0xff;
	if (is_busy(f)) {
		f->toggle = !f->toggle;
		return (f->polled & BIT(7)) | (f->toggle ? BIT(6) : 0);
	}
	if (f->mode == FLASH_ARRAY)
		return f->bytes[addr];
	switch (addr & 0xff) {
	case 0:
		return s->chip->flash_maker;
	case 1:
		return s->chip->flash_device;
	default:
		return 0;	/* no sector is protected */
	}
}

static void begin(IspFlash *f, int64_t ns, uint8_t result)
{
	f->ready = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + ns;
	f->polled = ~result;
}

static uint32_t sector_size(IspState *s)
{
	return s->chip->flash_bytes > 0x20000 ? 0x10000 : 0x4000;
}

static void erase(IspState *s, uint32_t from, uint32_t len)
{
	IspFlash *f = s->board->flash;

	memset(&f->bytes[from], 0xff, len);
	begin(f, ERASE_NS, 0xff);
}

/* The cycle behind two unlock cycles. */
static void command(IspState *s, uint32_t addr, uint8_t val)
{
	IspFlash *f = s->board->flash;
	bool armed = f->erase_armed;

	f->erase_armed = false;
	switch (val) {
	case 0x90:
		f->mode = FLASH_AUTOSELECT;
		break;
	case 0xa0:
		f->program_next = true;
		break;
	case 0x80:
		f->erase_armed = true;
		break;
	case 0x10:
		if (armed)
			erase(s, 0, s->chip->flash_bytes);
		break;
	case 0x30:
		if (armed)
			erase(s, addr & ~(sector_size(s) - 1), sector_size(s));
		break;
	default:	/* f0h */
		f->mode = FLASH_ARRAY;
	}
}

void isp_flash_write(IspState *s, uint8_t val)
{
	IspFlash *f = s->board->flash;
	uint32_t addr = full_address(s);

	if (!(s->board->ctrl_status & CTRL_FLASH_ENABLE)) {
		isp_violation(s, ISP_V_REGISTER, "flash written while it is not enabled");
		return;
	}
	if (is_busy(f))
		return;
	if (f->program_next) {
		f->program_next = false;
		f->bytes[addr] &= val;
		begin(f, PROGRAM_NS, val);
	} else if (f->unlocked == 0 && (addr & 0x7ff) == 0x555 && val == 0xaa) {
		f->unlocked = 1;
		return;
	} else if (f->unlocked == 1 && (addr & 0x7ff) == 0x2aa && val == 0x55) {
		f->unlocked = 2;
		return;
	} else if (f->unlocked == 2) {
		command(s, addr, val);
	} else {
		f->mode = FLASH_ARRAY;
		f->erase_armed = false;
	}
	f->unlocked = 0;
}

/* ---- image -------------------------------------------------------------------------------- */

enum { CODE_X86 = 0, CODE_FCODE = 1 };

/* One image of the chain: ROM header, PCI data structure at 1ch, nothing behind. */
static void put_rom(IspState *s, uint8_t *rom, uint8_t blocks, uint8_t type, uint16_t revision,
		    bool last)
{
	uint8_t *pcir = rom + 0x1c;

	memset(rom, 0, blocks * 512);
	rom[0] = 0x55;
	rom[1] = 0xaa;
	if (type == CODE_X86) {
		rom[2] = blocks;
		rom[3] = 0xcb;	/* return at once */
		memcpy(rom + 6, "virtual ISP", 11);
	}
	stw_le_p(rom + 0x18, 0x1c);
	memcpy(pcir, "PCIR", 4);
	stw_le_p(pcir + 0x04, PCI_VENDOR_ID_QLOGIC);
	stw_le_p(pcir + 0x06, s->chip->device_id);
	stw_le_p(pcir + 0x0a, 0x18);
	pcir[0x0e] = 0x04;	/* class 0c0400 */
	pcir[0x0f] = 0x0c;
	stw_le_p(pcir + 0x10, blocks);
	stw_le_p(pcir + 0x12, revision);
	pcir[0x14] = type;
	pcir[0x15] = last ? 0x80 : 0;
}

static void put_image(IspState *s, uint8_t *flash)
{
	static const char fcode_text[] = "virtual ISP FCode 1.00 01/01/02 ";
	static const uint16_t version[] = { 3, 3, 28 };
	unsigned int i;

	put_rom(s, flash, 1, CODE_X86, 0x0100, false);
	put_rom(s, flash + 512, 1, CODE_FCODE, 0x0100, true);
	memcpy(flash + 512 + 0x1c + 0x18 + 1, fcode_text, sizeof(fcode_text) - 1);
	if (s->chip->flash_bytes <= RISC_CODE)
		return;
	for (i = 0; i < ARRAY_SIZE(version); i++)
		stw_be_p(flash + RISC_CODE + 10 + 2 * i, version[i]);
}

void isp_flash_init(IspState *s)
{
	IspFlash *f = g_new0(IspFlash, 1);

	s->board->flash = f;
	f->bytes = g_malloc(s->chip->flash_bytes);
	memset(f->bytes, 0xff, s->chip->flash_bytes);
	put_image(s, f->bytes);
}

void isp_flash_finish(IspState *s)
{
	g_free(s->board->flash->bytes);
	g_free(s->board->flash);
}
