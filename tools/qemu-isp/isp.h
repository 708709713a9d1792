/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rooms of the virtual ISP and the calls between them.
 *
 * pci.c, regs_2100.c, regs_2300.c   what the host sees: config space, BARs, registers
 * risc.c, nvram.c, flash.c          what sits on the board: RAM, loader, serial NVRAM, flash
 * stats.c, trace.c                  what we saw: counters, violations, conversation trace
 * mailbox.c, icb.c, iocb.c, ct.c    what the firmware does at the host interface
 * fc.c, fabric.c, nameserver.c      the Fibre Channel world behind the port
 * scsi.c, lun.c                     SCSI requests, and LUNs that live in virtual time
 *
 * The board rooms know nothing of IOCBs or Fibre Channel; the firmware rooms know nothing of
 * register offsets.  Everything runs under the big QEMU lock.
 */
#ifndef QEMU_ISP_H
#define QEMU_ISP_H

#include "compat.h"	/* QEMU's own headers; isp_type_init() instead of type_init() */

#define TYPE_ISP "isp-hba"
OBJECT_DECLARE_TYPE(IspState, IspClass, ISP)

#define ISP_MBOXES 32

/* What differs between chips; one const table entry per chip (chips.c). */
typedef struct IspChip {
	const char *name;		/* QEMU type name and model name: "isp2312" */
	uint16_t device_id;
	uint8_t revision;
	uint16_t subsystem_id;		/* of the single-port board, vendor 1077h */
	uint16_t dual_subsystem_id;	/* of the dual-port board; 0: none is known */
	bool has_host_status;		/* 23xx: host-status word, own queue index registers */
	bool has_pcix;			/* PCI-X and MSI capabilities, function number in ctrl_status */
	bool loop_only;			/* 2100: neither point-to-point nor extended control block */
	uint8_t mailboxes;		/* how many the firmware interface uses: 8, 24 or 32 */
	uint16_t exchanges;		/* that the firmware can have open */
	uint8_t rom_version;		/* mailbox 7 after reset */
	uint16_t fpm_revision;		/* FPM bank, offset 80h */
	uint16_t bus_mode;		/* bus speed bits of ctrl_status */
	uint32_t reset_ns, boot_ns;	/* soft reset; from release to mailbox 0 leaving "busy" */
	uint32_t ram_words;		/* size of the RISC's address space in 16-bit words */
	uint32_t flash_bytes;
	uint8_t flash_maker, flash_device;
	const char *model, *dual_model;	/* NVRAM model names of the two boards */
} IspChip;

/*
 * One thing that the RISC tells the host: it fills mailboxes and raises the RISC-to-host interrupt.
 * The registers room shows one at a time; the next one appears when the host has cleared the
 * interrupt.  @status is the low byte of the 23xx host-status word; the 2100/2200 derive the
 * semaphore bit from it (set for everything that fills mailboxes, clear for ISP_HS_RESPONSE).
 * The high half of the host-status word is taken from the event: mb[0] for the mailbox and
 * asynchronous kinds, mb[1] for the fast-posting kinds (mb[1] low, mb[2] high half of a handle;
 * on the 2100/2200, where there is no such word, give mb[0] = 8020h etc. as well).
 */
typedef enum IspHostStatus {
	ISP_HS_ROM_OK = 0x01,
	ISP_HS_ROM_ERR = 0x02,
	ISP_HS_MBOX_OK = 0x10,
	ISP_HS_MBOX_ERR = 0x11,
	ISP_HS_ASYNC = 0x12,
	ISP_HS_RESPONSE = 0x13,		/* response queue has new entries */
	ISP_HS_FAST_RIO = 0x15,		/* one 16-bit handle in mailbox 1 */
	ISP_HS_FAST_SCSI = 0x16,	/* 32-bit handle, host-status word carries its low half */
	ISP_HS_FAST_CTIO = 0x17,
} IspHostStatus;

typedef struct IspEvent {
	IspHostStatus status;
	uint32_t mask;			/* which of mb[] to load into the outgoing mailboxes */
	uint16_t mb[ISP_MBOXES];
} IspEvent;

/* Why a driver's act is a protocol violation: see violation_names[] in stats.c. */
typedef enum IspViolation {
	ISP_V_DOORBELL_RANGE,		/* queue index outside the ring */
	ISP_V_DOORBELL_EARLY,		/* doorbell before init firmware */
	ISP_V_HANDLE_REUSED,		/* handle of a command still in flight */
	ISP_V_RESERVED_BITS,		/* reserved bits or fields set */
	ISP_V_MBOX_BUSY,		/* mailbox written or rung while the RISC owns it */
	ISP_V_MBOX_UNOWNED,		/* mailbox read that the RISC did not fill */
	ISP_V_REGISTER,			/* register that this chip does not have, or wrong width */
	ISP_V_IOCB,			/* malformed request entry */
	ISP_V_DMA,			/* DMA outside guest memory */
	ISP_V_RISC_STATE,		/* RAM touched while running, run while not loaded, ... */
	ISP_V_NVRAM,			/* serial NVRAM clocked wrongly */
	ISP_V__COUNT
} IspViolation;

/*
 * How a card is broken.  The board acts on the first three itself; the firmware rooms act on
 * ISP_FAULT_SELFTEST (mailbox register test answers other values than it was given) and
 * ISP_FAULT_CHECKSUM (verify checksum answers an error whatever the RAM holds).
 */
typedef enum IspCardFault {
	ISP_FAULT_NONE,
	ISP_FAULT_DEAD,			/* every register reads as ones */
	ISP_FAULT_RESET_STUCK,		/* the soft reset bit never clears */
	ISP_FAULT_NO_INTERRUPT,		/* the interrupt line never moves */
	ISP_FAULT_SELFTEST,
	ISP_FAULT_CHECKSUM,
	ISP_FAULT__COUNT
} IspCardFault;

typedef struct IspStats IspStats;	/* stats.c */
typedef struct IspTrace IspTrace;	/* trace.c */
typedef struct IspBoard IspBoard;	/* registers, RISC RAM, NVRAM, flash: board.h */
typedef struct IspFirmware IspFirmware;	/* firmware state: firmware.h */
typedef struct IspFabric IspFabric;	/* loop, ports: fc.h */

struct IspClass {
	PCIDeviceClass parent_class;
	const IspChip *chip;
};

struct IspState {
	PCIDevice parent_obj;
	const IspChip *chip;
	SCSIBus bus;

	IspBoard *board;
	IspFirmware *fw;
	IspFabric *fc;
	IspStats *stats;
	IspTrace *trace;

	/* Properties (pci.c declares them all). */
	uint64_t wwpn, wwnn;		/* 0: made from the PCI address */
	char *serial;			/* NVRAM serial number */
	char *stats_file, *trace_file;
	char *topology;			/* NULL (loop) or as the property says */
	uint32_t port_id;		/* our address behind a switch */
	uint32_t min_targets;		/* targets that are there even without LUNs */
	uint32_t fw_delay_ns;		/* RISC time to fetch and start one request entry */
	uint32_t mbox_delay_ns;		/* RISC time per mailbox command */
	uint32_t lip_ms;		/* time of a link initialization */
	char *nvram_fault;		/* NULL or "checksum", "id", "version", "blank" */
	char *nvram_connection, *nvram_rate;	/* NULL: as sold */
	char *nvram_set;		/* bytes of the NVRAM: OFFSET:HEX[;OFFSET:HEX]... */
	char *link_rate;		/* the other end: NULL (1 and 2), "1" or "2" Gb/s */
	uint32_t exchanges, iocbs;	/* of the firmware; 0: the chip's */
	char *model;			/* NVRAM model name */
	GSList *events;			/* isp-event devices that are to strike here (inject.c) */
	IspCardFault fault;
	uint64_t fault_after;		/* mailbox commands that are answered before it sets in */
};

/* ---- board rooms, called by the firmware rooms ------------------------------------------- */

/*
 * Show @ev to the host now or as soon as the host has cleared what it is looking at.  Response
 * events that wait merge into one.
 */
void isp_host_event(IspState *s, const IspEvent *ev);
/* Incoming mailbox @n as the host wrote it, latched when the host rang. */
uint16_t isp_mbox_in(IspState *s, unsigned int n);
/*
 * Publish the RISC's queue indices where this chip shows them to the host (index registers or
 * mailboxes 4 and 5).
 */
void isp_set_req_out(IspState *s, uint16_t index);
void isp_set_rsp_in(IspState *s, uint16_t index);
uint16_t isp_get_req_in(IspState *s);
uint16_t isp_get_rsp_out(IspState *s);
/* One of the functions of a card with two. */
bool isp_is_dual(IspState *s);
/* True while the RISC is held in reset or paused: no firmware work may be done. */
bool isp_risc_held(IspState *s);
/* True when the card has this fault now (properties card-fault, card-fault-after). */
bool isp_card_fault(IspState *s, IspCardFault fault);

/* The RISC pauses by itself and interrupts; only a reset of it helps. */
void isp_risc_stop(IspState *s, bool parity_error);

/* RISC RAM; false: no such address. */
bool isp_ram_read(IspState *s, uint32_t addr, uint16_t *val);
bool isp_ram_write(IspState *s, uint32_t addr, uint16_t val);
/* 16-bit sum over the image that starts at @addr (length from its header) is right. */
bool isp_ram_checksum_ok(IspState *s, uint32_t addr, uint16_t *sum);
/* Version words of the image at @addr as the vendor places them; false: no image there. */
typedef struct IspImageInfo {
	uint16_t major, minor, sub, attributes;
	uint32_t end;			/* first word behind the image */
} IspImageInfo;
bool isp_ram_image_info(IspState *s, uint32_t addr, IspImageInfo *info);
/* NVRAM contents (decoded by whoever asks): 256 bytes for the 16-bit chips. */
const uint8_t *isp_nvram_bytes(IspState *s, size_t *len);

/* DMA with counting; false: bus mastering is off, or there is no memory (a violation). */
bool isp_dma_read(IspState *s, uint64_t addr, void *buf, size_t len);
bool isp_dma_write(IspState *s, uint64_t addr, const void *buf, size_t len);
bool isp_dma_write_entry(IspState *s, uint64_t addr, const uint8_t *entry, size_t len);

/* ---- firmware rooms, called by the board rooms ------------------------------------------- */

void isp_fw_realize(IspState *s, Error **errp);
void isp_fw_unrealize(IspState *s);
/* Chip or RISC reset: forget everything, cancel every SCSI request. */
void isp_fw_reset(IspState *s);
/* The host rang (host-to-RISC interrupt): isp_mbox_in() holds the command. */
void isp_fw_mailbox(IspState *s);
/* Doorbells: the host wrote its request-in or response-out index. */
void isp_fw_request_in(IspState *s, uint16_t index);
void isp_fw_response_out(IspState *s, uint16_t index);
/* The RISC was released from pause or reset (false: it was paused). */
void isp_fw_run(IspState *s, bool running);
/* True: the interrupt pin is not to move for what is being shown (property fault). */
bool isp_fw_loses_interrupt(IspState *s);
/* LUNs came or went while QEMU runs. */
void isp_fc_luns_changed(IspState *s);
/* Adds the firmware rooms' own properties to the class. */
void isp_fw_class_init(ObjectClass *oc);

/* ---- stats.c ----------------------------------------------------------------------------- */

void isp_stats_init(IspState *s);
void isp_stats_finish(IspState *s);	/* writes stats_file */
void isp_count_reg(IspState *s, unsigned int bar, unsigned int offset, bool write);
void isp_count_irq(IspState *s);
void isp_count_mbox(IspState *s, uint16_t command, const char *name);
void isp_count_iocb(IspState *s, uint8_t type, const char *name);
void isp_count_command(IspState *s, uint64_t bytes_in, uint64_t bytes_out);
void isp_count_dma(IspState *s, uint64_t bytes_read, uint64_t bytes_written);
void isp_violation(IspState *s, IspViolation kind, const char *fmt, ...) G_GNUC_PRINTF(3, 4);
/* Any other counter, made on first use, e.g. isp_count(s, "async.8011", 1). */
void isp_count(IspState *s, const char *name, uint64_t n);
char *isp_stats_json(IspState *s);
/*
 * For a plugin in the same process, which looks the name up: the counters of all adapters, a JSON array to be
 * freed.  Without the virtual time, which QEMU lets nobody read between two instructions.
 */
__attribute__((visibility("default"))) char *qemu_isp_counters(void);

/* ---- trace.c: one line per event, virtual time in ns first -------------------------------- */

void isp_trace_init(IspState *s, Error **errp);
void isp_trace_finish(IspState *s);
bool isp_trace_on(IspState *s);
void isp_trace(IspState *s, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

#endif
