/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The board behind the BARs: what the registers, RISC RAM, NVRAM and flash rooms share.
 */
#ifndef QEMU_ISP_BOARD_H
#define QEMU_ISP_BOARD_H

#include "isp.h"

/* Registers that every 16-bit FC chip has, byte offsets (Linux qla_def.h, struct device_reg_2xxx). */
enum {
	REG_FLASH_ADDRESS = 0x00,
	REG_FLASH_DATA = 0x02,
	REG_CTRL_STATUS = 0x06,
	REG_ICTRL = 0x08,
	REG_ISTATUS = 0x0a,
	REG_SEMAPHORE = 0x0c,
	REG_NVRAM = 0x0e,
	REG_WINDOW = 0x80,	/* from here on: the bank that ctrl_status selects */
	REG_PCR = 0xa4,
	REG_MCTR = 0xb0,
	REG_HCCR = 0xc0,
	REG_GPIOD = 0xcc,
	REG_GPIOE = 0xce,
	REG_END = 0x100,
};

#define CTRL_SOFT_RESET		BIT(0)
#define CTRL_FLASH_ENABLE	BIT(1)
#define CTRL_FLASH_64K		BIT(3)
#define CTRL_BANK_SHIFT		4
#define CTRL_FUNCTION_SHIFT	14
#define CTRL_WRITABLE		(CTRL_FLASH_ENABLE | BIT(2) | CTRL_FLASH_64K | 0x00f0)

#define ICTRL_ENABLE		BIT(15)
#define ICTRL_ENABLE_RISC	BIT(3)

#define ISTATUS_PENDING		BIT(15)
#define ISTATUS_RISC		BIT(3)

#define SEMAPHORE_LOCK		BIT(0)

#define HCCR_PARITY_ERROR	BIT(15)
#define HCCR_PARITY_SHIFT	8	/* three parity enables */
#define HCCR_HOST_INT		BIT(7)
#define HCCR_RISC_RESET		BIT(6)
#define HCCR_RISC_PAUSED	BIT(5)

#define HS_RISC_INT		BIT(15)
#define HS_RISC_PAUSED		BIT(8)

#ifndef PCI_VENDOR_ID_QLOGIC
#define PCI_VENDOR_ID_QLOGIC 0x1077
#endif

enum { BANK_RISC, BANK_FB, BANK_FPM0, BANK_FPM1, BANKS = 16 };

/* A register file: the part of the register space in which the chips differ. */
typedef struct IspRegs {
	const char *const *names;	/* by offset / 2; NULL: no such register */
	/* Offsets 10h to 7fh, and e0h to ffh in bank 0; false: not readable/writable. */
	bool (*read)(IspState *s, unsigned int offset, uint16_t *val);
	bool (*write)(IspState *s, unsigned int offset, uint16_t val);
} IspRegs;

extern const IspRegs isp_regs_2100, isp_regs_2300;

typedef enum RiscState {
	RISC_RESET,		/* held in reset */
	RISC_BOOTING,		/* the ROM's self-test runs, mailbox 0 says "busy" */
	RISC_RUNNING,		/* ROM or firmware */
} RiscState;

typedef struct IspNvram IspNvram;
typedef struct IspFlash IspFlash;

struct IspBoard {
	const IspRegs *regs;
	MemoryRegion io, mem;
	struct BarWindow {
		IspState *s;
		unsigned int bar;
	} window[2];

	uint16_t ctrl_status, ictrl, nvram_reg, flash_address, gpiod, gpioe;
	bool soft_reset;
	int64_t soft_reset_end, boot_end;
	QEMUTimer *timer;		/* end of soft reset or boot */

	RiscState risc;
	bool paused, parity_error;
	bool stopped;			/* it paused by itself, and says so until it is reset */
	bool irq_lost;			/* the pin does not move for what is shown */
	uint8_t parity_enable;
	uint16_t bank[BANKS][64];	/* plain storage behind the window */

	/* Mailboxes: the host's, those as latched at the last ring, the RISC's. */
	uint16_t mb_host[ISP_MBOXES], mb_in[ISP_MBOXES], mb_out[ISP_MBOXES];
	bool host_int;			/* rung, not yet taken by the RISC */
	bool mb_busy;			/* a command is with the RISC */
	int64_t mb_since;		/* since then */
	bool mb_loading;		/* 2100/2200: mailbox written, not yet rung */
	uint64_t mb_commands;		/* answered since power-on */
	uint16_t req_in, req_out, rsp_in, rsp_out;

	/* What the RISC shows to the host, and what waits behind it. */
	bool shown;			/* mailboxes and status hold an event */
	uint32_t shown_mask;		/* the mailboxes that it fills */
	bool risc_int;			/* RISC-to-host interrupt */
	bool semaphore;
	uint8_t status;
	uint16_t status_high;
	GArray *waiting;		/* IspEvent */
	bool line;			/* interrupt as the host sees it */

	bool host_semaphore;		/* 23xx: lock among the functions */
	uint16_t dma_regs[48];		/* 2100/2200: 20h to 7fh, plain storage */

	uint16_t *ram;
	IspNvram *nvram;
	IspFlash *flash;
};

/* ---- regs.c */

/* Makes both BARs; the chip and the board exist. */
void isp_regs_init(IspState *s);
/* Name of the register at byte @offset for texts, "unnamed" where there is none. */
const char *isp_reg_name(IspState *s, unsigned int offset);

/* ---- hostif.c: mailboxes, events, interrupt, HCCR, reset */

void isp_hostif_init(IspState *s);
void isp_hostif_finish(IspState *s);
/* Power comes on: everything as after a soft reset. */
void isp_hostif_power_on(IspState *s);
/* Ends a soft reset or self-test whose time is over; called before every register access. */
void isp_catch_up(IspState *s);
/* Starts a soft reset; it lasts reset_ns of the chip. */
void isp_soft_reset(IspState *s);
uint16_t isp_hccr_read(IspState *s);
void isp_hccr_write(IspState *s, uint16_t val);
/* Sets the interrupt pin (or sends the MSI) after status or enables have changed. */
void isp_update_irq(IspState *s);
/* The host wrote 0 to the semaphore: the next event may be shown. */
void isp_release_semaphore(IspState *s);
/* Mailbox @n (0 to 31) as the host reads and writes it; ownership is checked. */
uint16_t isp_mailbox_read(IspState *s, unsigned int n);
void isp_mailbox_write(IspState *s, unsigned int n, uint16_t val);

/* ---- card_fault.c */

/* Adds properties card-fault and card-fault-after to the class. */
void isp_card_fault_class_init(ObjectClass *oc);

/* ---- risc.c, nvram.c, flash.c */

void isp_ram_init(IspState *s);
void isp_ram_finish(IspState *s);
/* Makes the EEPROM with its image from the properties; names must be set. */
void isp_nvram_init(IspState *s);
void isp_nvram_finish(IspState *s);
/* The NVRAM register: pins of the EEPROM. */
void isp_nvram_write(IspState *s, uint16_t val);
uint16_t isp_nvram_read(IspState *s);
/* False with @errp set: properties nvram-connection, nvram-rate, nvram-set make no sense. */
bool isp_nvram_check(IspState *s, Error **errp);
/* True when property nvram-fault may have this value. */
bool isp_nvram_fault_valid(const char *kind);
void isp_flash_init(IspState *s);
void isp_flash_finish(IspState *s);
/* The flash data register, at the address in flash_address and ctrl_status. */
uint8_t isp_flash_read(IspState *s);
void isp_flash_write(IspState *s, uint8_t val);

/* ---- trace.c */

/* One register access of @size bytes (1, 2 or 4) at @offset of BAR @bar (0 or 1). */
void isp_trace_reg(IspState *s, bool write, unsigned int bar, unsigned int offset, uint32_t val,
		   unsigned int size);

/* ---- stats.c */

/* Adds properties stats and stats-reset to the class. */
void isp_stats_class_init(ObjectClass *oc);

#endif
