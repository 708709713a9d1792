// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The register space: decoding of accesses, the registers that all 16-bit FC chips share, and the
 * window at 80h whose bank ctrl_status selects.  Both BARs show the same registers.
 *
 * Offsets: Linux qla_def.h, struct device_reg_2xxx.  Banks: FreeBSD ispreg.h, BIU2100_ICSR_REGBSEL;
 * banks 4 and 5 of the 23xx: Linux qla2300_fw_dump().
 */
#include "board.h"

static unsigned int current_bank(const IspBoard *b)
{
	return b->ctrl_status >> CTRL_BANK_SHIFT & (BANKS - 1);
}

/* HCCR and GPIO answer in every bank: an interrupt may be cleared while a bank is selected. */
static bool in_window(IspState *s, unsigned int offset)
{
	if (offset < REG_WINDOW || offset == REG_HCCR || offset == REG_GPIOD || offset == REG_GPIOE)
		return false;
	return current_bank(s->board) != BANK_RISC || offset < REG_HCCR;
}

const char *isp_reg_name(IspState *s, unsigned int offset)
{
	const char *name = offset < REG_END ? s->board->regs->names[offset / 2] : NULL;

	return name ? name : "unnamed";
}

/* ---- window ------------------------------------------------------------------------------- */

static uint16_t window_read(IspState *s, unsigned int offset)
{
	IspBoard *b = s->board;
	unsigned int bank = current_bank(b);

	if (bank == BANK_FPM0 && offset == REG_WINDOW)
		return s->chip->fpm_revision;
	return b->bank[bank][(offset - REG_WINDOW) / 2];
}

/*
 * The frame buffer command register (80h on 23xx, b8h on 2200) reads 0 once the command is done, which
 * is at once here: Linux qla2x00_reset_chip() polls it for that.
 */
static bool is_frame_buffer_command(IspState *s, unsigned int offset)
{
	return current_bank(s->board) == BANK_FB &&
	       offset == (s->chip->has_host_status ? REG_WINDOW : 0xb8);
}

static void window_write(IspState *s, unsigned int offset, uint16_t val)
{
	IspBoard *b = s->board;

	if (is_frame_buffer_command(s, offset))
		val = 0;
	b->bank[current_bank(b)][(offset - REG_WINDOW) / 2] = val;
}

/* ---- shared registers --------------------------------------------------------------------- */

static uint16_t ctrl_status_read(IspState *s)
{
	IspBoard *b = s->board;
	uint16_t val = b->ctrl_status | s->chip->bus_mode;

	if (b->soft_reset)
		val |= CTRL_SOFT_RESET;
	if (s->chip->has_pcix)
		val |= PCI_FUNC(PCI_DEVICE(s)->devfn) << CTRL_FUNCTION_SHIFT;
	return val;
}

static void ctrl_status_write(IspState *s, uint16_t val)
{
	if ((val & CTRL_SOFT_RESET) && !s->board->soft_reset)
		isp_soft_reset(s);
	s->board->ctrl_status = val & CTRL_WRITABLE;
}

static uint16_t istatus_read(const IspBoard *b)
{
	return b->risc_int || b->stopped ? ISTATUS_PENDING | ISTATUS_RISC : 0;
}

static bool read_shared(IspState *s, unsigned int offset, uint16_t *val)
{
	IspBoard *b = s->board;

	switch (offset) {
	case REG_FLASH_ADDRESS:
		*val = b->flash_address;
		break;
	case REG_FLASH_DATA:
		*val = isp_flash_read(s);
		break;
	case 0x04:	/* a gap, but Linux qla2300_fw_dump() dumps 00h to 0fh */
		*val = 0;
		break;
	case REG_CTRL_STATUS:
		*val = ctrl_status_read(s);
		break;
	case REG_ICTRL:
		*val = b->ictrl;
		break;
	case REG_ISTATUS:
		*val = istatus_read(b);
		break;
	case REG_SEMAPHORE:
		*val = b->semaphore ? SEMAPHORE_LOCK : 0;
		break;
	case REG_NVRAM:
		*val = isp_nvram_read(s);
		break;
	case REG_HCCR:
		*val = isp_hccr_read(s);
		break;
	case REG_GPIOD:
		*val = b->gpiod;
		break;
	case REG_GPIOE:
		*val = b->gpioe;
		break;
	default:
		return false;
	}
	return true;
}

static bool write_shared(IspState *s, unsigned int offset, uint16_t val)
{
	IspBoard *b = s->board;

	switch (offset) {
	case REG_FLASH_ADDRESS:
		b->flash_address = val;
		break;
	case REG_FLASH_DATA:
		isp_flash_write(s, val);
		break;
	case REG_CTRL_STATUS:
		ctrl_status_write(s, val);
		break;
	case REG_ICTRL:
		b->ictrl = val;
		isp_update_irq(s);
		break;
	case REG_SEMAPHORE:
		if (!(val & SEMAPHORE_LOCK))
			isp_release_semaphore(s);
		break;
	case REG_NVRAM:
		isp_nvram_write(s, val);
		break;
	case REG_HCCR:
		isp_hccr_write(s, val);
		break;
	case REG_GPIOD:
		b->gpiod = val;
		break;
	case REG_GPIOE:
		b->gpioe = val;
		break;
	default:
		return false;
	}
	return true;
}

/* ---- access ------------------------------------------------------------------------------- */

static uint16_t read16(IspState *s, unsigned int offset)
{
	uint16_t val = 0xffff;

	/* Linux qla2x00_reset_chip(): the card does not answer while in soft reset. */
	if (s->board->soft_reset && offset != REG_CTRL_STATUS)
		return 0xffff;
	if (in_window(s, offset))
		return window_read(s, offset);
	if (!read_shared(s, offset, &val) && !s->board->regs->read(s, offset, &val))
		isp_violation(s, ISP_V_REGISTER, "read of register %02xh (%s)", offset,
			      isp_reg_name(s, offset));
	return val;
}

static void write16(IspState *s, unsigned int offset, uint16_t val)
{
	if (s->board->soft_reset && offset != REG_CTRL_STATUS)
		return;
	if (in_window(s, offset))
		window_write(s, offset, val);
	else if (!write_shared(s, offset, val) && !s->board->regs->write(s, offset, val))
		isp_violation(s, ISP_V_REGISTER, "%04x written to register %02xh (%s)", val, offset,
			      isp_reg_name(s, offset));
}

/* Registers are 16 bits wide. */
static bool width_ok(IspState *s, hwaddr addr, unsigned int size, bool write)
{
	if (size == 2 && !(addr & 1))
		return true;
	/*
	 * Reads may fetch two registers at once: Linux qla2300_intr_handler() at 18h,
	 * qla2x00_isp_reg_stat() at 44h of every chip.
	 */
	return size == 4 && !(addr & 3) && !write;
}

static bool reaches_register(IspState *s, hwaddr addr, unsigned int size, bool write)
{
	if (addr + size > REG_END) {
		isp_violation(s, ISP_V_REGISTER, "%u-byte %s at %03xh, behind the registers", size,
			      write ? "write" : "read", (unsigned int)addr);
		return false;
	}
	if (!width_ok(s, addr, size, write))
		isp_violation(s, ISP_V_REGISTER, "%u-byte %s of register %02xh (%s)", size,
			      write ? "write" : "read", (unsigned int)addr, isp_reg_name(s, addr));
	return true;
}

static uint64_t bar_read(void *opaque, hwaddr addr, unsigned int size)
{
	struct BarWindow *w = opaque;
	IspState *s = w->s;
	uint32_t val;

	if (isp_card_fault(s, ISP_FAULT_DEAD))
		return UINT64_MAX >> (64 - 8 * size);
	isp_catch_up(s);
	if (!reaches_register(s, addr, size, false))
		return UINT64_MAX >> (64 - 8 * size);
	isp_count_reg(s, w->bar, addr, false);
	val = read16(s, addr & ~1);
	if (size == 4)
		val |= (uint32_t)read16(s, (addr & ~1) + 2) << 16;
	else if (size == 1)
		val = val >> (8 * (addr & 1)) & 0xff;
	if (unlikely(isp_trace_on(s)))
		isp_trace_reg(s, false, w->bar, addr, val, size);
	return val;
}

static void bar_write(void *opaque, hwaddr addr, uint64_t val, unsigned int size)
{
	struct BarWindow *w = opaque;
	IspState *s = w->s;

	if (isp_card_fault(s, ISP_FAULT_DEAD))
		return;
	isp_catch_up(s);
	if (!reaches_register(s, addr, size, true))
		return;
	isp_count_reg(s, w->bar, addr, true);
	if (unlikely(isp_trace_on(s)))
		isp_trace_reg(s, true, w->bar, addr, val, size);
	write16(s, addr & ~1, val);
	if (size == 4)
		write16(s, (addr & ~1) + 2, val >> 16);
}

static const MemoryRegionOps bar_ops = {
	.read = bar_read,
	.write = bar_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.impl = { .min_access_size = 1, .max_access_size = 4, .unaligned = true },
	.valid = { .min_access_size = 1, .max_access_size = 4, .unaligned = true },
};

void isp_regs_init(IspState *s)
{
	IspBoard *b = s->board;
	PCIDevice *pdev = PCI_DEVICE(s);
	unsigned int i;

	b->regs = s->chip->has_host_status ? &isp_regs_2300 : &isp_regs_2100;
	for (i = 0; i < ARRAY_SIZE(b->window); i++) {
		b->window[i].s = s;
		b->window[i].bar = i;
	}
	memory_region_init_io(&b->io, OBJECT(s), &bar_ops, &b->window[0], "isp-io", REG_END);
	memory_region_init_io(&b->mem, OBJECT(s), &bar_ops, &b->window[1], "isp-mem", 0x1000);
	pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_IO, &b->io);
	pci_register_bar(pdev, 1, PCI_BASE_ADDRESS_SPACE_MEMORY, &b->mem);
}
