/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 1: what a chip family offers to the floors above.
 *
 * Each chip is one const struct isp_chip in its family's file. Everything
 * that differs between families (registers, firmware language, formats of
 * queue entries) is behind this table; everything above works on the
 * neutral structures of this header.
 */
#ifndef ISP_CHIP_H
#define ISP_CHIP_H

#include <linux/dma-direction.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/timer.h>
#include <linux/types.h>

#include "isp_image.h"
#include "isp_mbox.h"
#include "isp_nvram.h"

struct firmware;
struct isp_hw;

/* How long loading the firmware may take. */
#define ISP_LOAD_MAX_S		20

/* No chip has more memory than this, words. */
#define ISP_RAM_LAST_MAX	0x1ffff

/* Size of the DMA buffer for mailbox commands; also a firmware load's step. */
#define ISP_SCRATCH_SIZE	16384

/* What an interrupt is about. */
enum isp_intr_kind {
	ISP_INTR_NONE,			/* not ours */
	ISP_INTR_MBOX,			/* mailbox command done */
	ISP_INTR_ASYNC,			/* event, in mailboxes 0 to 3 */
	ISP_INTR_RESPONSE,		/* entries on the response ring */
	ISP_INTR_PAUSED,		/* RISC stands still, see HCCR: parity error */
	ISP_INTR_UNKNOWN,		/* code means nothing */
	ISP_INTR_GONE,			/* all ones: no card behind the bus */
};

/* What it is about, and what mailbox 0 (or the register named) says of it. */
#define ISP_INTR(kind, mb0)	((kind) << 16 | (mb0))
#define ISP_INTR_KIND(intr)	((intr) >> 16)
#define ISP_INTR_MB0(intr)	((u16)(intr))

/*
 * Completion status of a command. The values are the firmware's own; both
 * register families use the same (qla2xxx: CS_*). Those from 0x100 on are
 * this driver's.
 */
#define ISP_CS_COMPLETE			0x00
#define ISP_CS_INCOMPLETE		0x01
#define ISP_CS_DMA			0x02
#define ISP_CS_TRANSPORT		0x03
#define ISP_CS_RESET			0x04
#define ISP_CS_ABORTED			0x05
#define ISP_CS_TIMEOUT			0x06
#define ISP_CS_OVERRUN			0x07
#define ISP_CS_UNDERRUN			0x15
#define ISP_CS_QUEUE_FULL		0x1c
#define ISP_CS_PORT_UNAVAILABLE		0x28
#define ISP_CS_PORT_LOGGED_OUT		0x29
#define ISP_CS_PORT_CHANGED		0x2a
#define ISP_CS_PORT_BUSY		0x2b

#define ISP_CS_REJECTED			0x100	/* entry handed back, in error */
#define ISP_CS_NO_ROOM			0x101	/* entry handed back, busy */
#define ISP_CS_HOST_RESET		0x102	/* lost to a reset of the card */
#define ISP_CS_HOST_DEAD		0x103	/* the card is given up or gone */

/**
 * struct isp_status - how a command ended, in neutral form
 * @handle: of the command
 * @comp: completion status, ISP_CS_* or a code this driver knows not
 * @scsi: SAM status byte
 * @resid_under: the target reports fewer bytes moved than asked for
 * @resid_over: the target had more bytes than asked for
 * @logged_out: the firmware has logged the port out (timeout only)
 * @rsp_code: FCP_RSP_INFO code, 0 if none
 * @resid: bytes, meaning as the two flags say
 * @sense: sense data at hand
 * @sense_here: bytes at @sense
 * @sense_len: bytes in all; those beyond @sense_here follow in further entries
 */
struct isp_status {
	u32 handle;
	u16 comp;
	u8 scsi;
	bool resid_under;
	bool resid_over;
	bool logged_out;
	u8 rsp_code;
	u32 resid;
	const u8 *sense;
	u16 sense_here;
	u16 sense_len;
};

/* What a response entry is. */
enum isp_rsp_kind {
	ISP_RSP_STATUS,			/* status filled in */
	ISP_RSP_SENSE,			/* more sense: status->sense, sense_here */
	ISP_RSP_BAD,			/* nothing the firmware may send */
};

/* Reach of a marker. */
enum isp_marker_kind {
	ISP_MARK_LUN,
	ISP_MARK_TARGET,
	ISP_MARK_ALL,
};

/**
 * struct isp_nexus - a target port as the floors below 4 need it
 * @epoch: commands may be sent while this is the queue's; 0: none may
 * @loop_id: its address
 *
 * Written by discovery (WRITE_ONCE).
 */
struct isp_nexus {
	unsigned int epoch;
	u16 loop_id;
};

/* Which way a command's data goes. */
enum isp_dir {
	ISP_DIR_NONE,
	ISP_DIR_WRITE	= DMA_TO_DEVICE,
	ISP_DIR_READ	= DMA_FROM_DEVICE,
	ISP_DIRS,
};

/**
 * struct isp_request - a SCSI command as the floors below 5 need it
 * @nexus: the target port
 * @lun: LUN as the SCSI midlayer numbers it
 * @cdb: command descriptor block, 16 bytes
 * @sg: mapped data segments
 * @nseg: their number
 * @bytes: to move
 * @dir: enum isp_dir
 * @head: head-of-queue task attribute instead of simple
 *
 * Part of the midlayer's command: valid until that has been given back.
 */
struct isp_request {
	const struct isp_nexus *nexus;
	u64 lun;
	const u8 *cdb;
	struct scatterlist *sg;
	unsigned int nseg;
	u32 bytes;
	u8 dir;
	bool head;
};

/* How the port is connected (qla2xxx: ISP_CFG_*). */
enum isp_topology {
	ISP_TOPO_LOOP		= 0,	/* private loop */
	ISP_TOPO_FABRIC_LOOP	= 1,
	ISP_TOPO_P2P		= 2,
	ISP_TOPO_FABRIC		= 3,
	ISP_TOPO_NONE		= 4,
};

/*
 * Loop ids. On a loop they are places; from ISP_LOOP_ID_FABRIC_MIN on the host
 * gives them to ports behind a switch, up to what the chip's max_loop_id()
 * says (qla2xxx: SNS_*, MANAGEMENT_SERVER, BROADCAST).
 */
#define ISP_LOOP_ID_LOCAL_MAX	0x7d
#define ISP_LOOP_ID_F_PORT	0x7e
#define ISP_LOOP_ID_CONTROLLER	0x7f
#define ISP_LOOP_ID_NAME_SERVER	0x80
#define ISP_LOOP_ID_FABRIC_MIN	0x81
#define ISP_LOOP_ID_MANAGEMENT	0xfe
#define ISP_LOOP_ID_BROADCAST	0xff

/* Loop ids that stand for the switch itself: not to be given to a port. */
static inline bool isp_loop_id_reserved(u16 id)
{
	return (id > ISP_LOOP_ID_LOCAL_MAX && id < ISP_LOOP_ID_FABRIC_MIN) ||
	       id == ISP_LOOP_ID_MANAGEMENT || id == ISP_LOOP_ID_BROADCAST;
}

/* Firmware state (qla2xxx: FSTATE_*). */
#define ISP_FW_READY		3

struct isp_local_id {
	enum isp_topology topology;
	u16 loop_id;
	u32 port_id;
};

/**
 * struct isp_port_info - a port as the firmware's port database knows it
 * @wwpn: port name
 * @wwnn: node name
 * @port_id: 24-bit FC address
 * @loop_id: firmware handle of the login
 * @logged_in: PLOGI and PRLI are done
 * @target: FCP target function
 * @initiator: FCP initiator function
 * @class2: takes class 2 besides class 3
 */
struct isp_port_info {
	u64 wwpn;
	u64 wwnn;
	u32 port_id;
	u16 loop_id;
	bool logged_in;
	bool target;
	bool initiator;
	bool class2;
};

struct isp_link_counts {
	u32 link_failure;
	u32 loss_of_sync;
	u32 loss_of_signal;
	u32 prim_seq_error;
	u32 invalid_word;
	u32 invalid_crc;
	u32 lip;
};

/* Rings as the firmware is told about them. */
struct isp_rings {
	dma_addr_t req;
	dma_addr_t rsp;
	u16 req_entries;
	u16 rsp_entries;
};

/**
 * struct isp_chip - one chip
 * @name: as printed
 * @fw_name: file name of its firmware
 * @image: what that file must hold
 * @mbox_count: mailbox registers
 * @req_entries: length of the request ring, a power of two
 * @rsp_entries: length of the response ring, a power of two
 * @frame_payload: best receive payload, bytes, where NVRAM does not say
 * @speeds: FC_PORTSPEED_* it can run at
 * @connections: BIT(enum isp_connection) of what it can be told to connect as
 * @rates: BIT(enum isp_rate), likewise
 * @use_mwi: memory write-and-invalidate works
 * @req_in: register: doorbell of the request ring
 * @rsp_out: register: how far we have read the response ring
 * @rsp_ack: register: ends an interrupt that told of responses ...
 * @rsp_ack_val: ... when this is written there
 * @cmd_dsds: data segments in a command entry
 * @cont_dsds: data segments in a continuation entry
 * @ram_first: first word of the RISC's memory that can be read; 0: none can
 *
 * @reset: reset it; afterwards the ROM code waits for mailbox commands,
 *	interrupts off
 * @intr_enable: let it interrupt, or not; for isp_hw_interrupts()
 * @intr_read: find out what an interrupt is about, ISP_INTR(), with as few
 *	reads as it takes
 * @intr_ack: end an interrupt that was about something else than responses
 * @mbox_read: read mailbox n
 * @mbox_write: write mailbox n
 * @mbox_ring: tell the RISC that the mailboxes hold a command
 * @req_out_read: how far the card has fetched the request ring
 * @rsp_in_read: how far it has written the response ring
 * @rings_clear: set all ring pointers to 0
 * @nvram_read: read ISP_NVRAM_SIZE bytes of NVRAM
 * @bus_name: name the bus it sits on
 * @registers: halt a RISC that has failed, and put registers and mailboxes into
 *	text, a line each
 * @ram_read: with the ROM code running, read words of the RISC's memory, as
 *	many of those as can be had at a time; returns their number; NULL if
 *	@ram_first is 0
 * @fw_prepare: before loading firmware; may be NULL
 * @fw_load: load a segment
 * @fw_verify: have the RISC check it
 * @fw_start: start it
 * @fw_about: ask it for version, attributes, resources
 * @fw_init: give it its parameters; it goes on the loop
 * @max_loop_id: highest loop id that a login may be given; up to
 *	ISP_LOOP_ID_LOCAL_MAX if it can only log in to ports on its own loop
 * @get_state: state of the firmware
 * @get_local_id: this port's addresses, and the topology
 * @get_id_list: loop ids of all ports logged in; returns their number
 * @get_port: a port database entry; @verify: ask the port first (ELS: ADISC)
 *	whether the login still stands
 * @login: log in to a port on the local loop
 * @login_fabric: log in to a port behind a switch, under a loop id of the
 *	caller's choice; -EEXIST: the port is logged in under the loop id that
 *	is put into @used; -EADDRINUSE: the loop id has another port; -ENOSPC:
 *	no login is free; -EIO: nobody there, or refused
 * @logout_fabric: log out from such a port
 * @register_changes: ask the fabric for state change notifications
 * @name_server: send a request to the name server (isp_ct.h) and have its
 *	answer put into @rsp; -EIO if there was none, -EOPNOTSUPP if the chip
 *	cannot send such a request
 * @get_link_counts: error counters of the link
 * @abort: abort a command
 * @reset_lun: reset a logical unit
 * @reset_target: reset a target
 * @reset_loop: reset all ports on the loop
 * @lip: have the loop initialized anew
 * @link_speed: FC_PORTSPEED_* for the speed code of a loop-up event
 * @build_command: build the first of a command's entries
 * @build_cont: build a continuation entry; returns the next segment
 * @build_marker: build a marker
 * @good: the handle, if a response entry says no more than that this command
 *	has ended well, else 0
 * @decode: read a response entry
 *
 * @intr_enable, @intr_read, @intr_ack, @mbox_read, @mbox_write, @mbox_ring, the
 * ring pointers, and what builds or reads entries may be called in any context;
 * the others in process context. Those that return int give 0 or a negative
 * errno, firmware services as isp_mbox_exec() does.
 */
struct isp_chip {
	const char *name;
	const char *fw_name;
	struct isp_image_spec image;
	u8 mbox_count;
	u16 req_entries;
	u16 rsp_entries;
	u16 frame_payload;
	u32 speeds;
	u8 connections;
	u8 rates;
	bool use_mwi;
	u16 req_in;
	u16 rsp_out;
	u16 rsp_ack;
	u16 rsp_ack_val;
	u8 cmd_dsds;
	u8 cont_dsds;
	u32 ram_first;

	int (*reset)(struct isp_hw *hw);
	void (*intr_enable)(struct isp_hw *hw, bool on);
	u32 (*intr_read)(struct isp_hw *hw);
	void (*intr_ack)(struct isp_hw *hw, enum isp_intr_kind kind);
	u16 (*mbox_read)(struct isp_hw *hw, unsigned int n);
	void (*mbox_write)(struct isp_hw *hw, unsigned int n, u16 val);
	void (*mbox_ring)(struct isp_hw *hw);
	u16 (*req_out_read)(struct isp_hw *hw);
	u16 (*rsp_in_read)(struct isp_hw *hw);
	void (*rings_clear)(struct isp_hw *hw);
	int (*nvram_read)(struct isp_hw *hw, u8 *buf);
	void (*bus_name)(struct isp_hw *hw, char *buf, size_t len);
	void (*registers)(struct isp_hw *hw, char *buf, size_t len);
	int (*ram_read)(struct isp_hw *hw, u32 addr, u32 words, void *to);

	void (*fw_prepare)(struct isp_hw *hw);
	int (*fw_load)(struct isp_hw *hw, const u8 *data, u32 words, u32 addr);
	int (*fw_verify)(struct isp_hw *hw, u32 addr);
	int (*fw_start)(struct isp_hw *hw, u32 addr);
	int (*fw_about)(struct isp_hw *hw);
	int (*fw_init)(struct isp_hw *hw, const struct isp_rings *rings);

	u16 (*max_loop_id)(const struct isp_hw *hw);
	int (*get_state)(struct isp_hw *hw, u16 *state);
	int (*get_local_id)(struct isp_hw *hw, struct isp_local_id *id);
	int (*get_id_list)(struct isp_hw *hw, u16 *loop_ids, unsigned int max);
	int (*get_port)(struct isp_hw *hw, u16 loop_id, bool verify,
			struct isp_port_info *info);
	int (*login)(struct isp_hw *hw, u16 loop_id);
	int (*login_fabric)(struct isp_hw *hw, u16 loop_id, u32 port_id,
			    u16 *used);
	int (*logout_fabric)(struct isp_hw *hw, u16 loop_id);
	int (*register_changes)(struct isp_hw *hw);
	int (*name_server)(struct isp_hw *hw, const u8 *req,
			   unsigned int req_len, u8 *rsp, unsigned int rsp_len);
	int (*get_link_counts)(struct isp_hw *hw, u16 loop_id,
			       struct isp_link_counts *c);
	int (*abort)(struct isp_hw *hw, u16 loop_id, u64 lun, u32 handle);
	int (*reset_lun)(struct isp_hw *hw, u16 loop_id, u64 lun);
	int (*reset_target)(struct isp_hw *hw, u16 loop_id);
	int (*reset_loop)(struct isp_hw *hw);
	int (*lip)(struct isp_hw *hw);
	u32 (*link_speed)(struct isp_hw *hw, u16 code);

	void (*build_command)(struct isp_hw *hw, void *entry,
			      const struct isp_request *rq, u32 handle,
			      unsigned int entries);
	struct scatterlist *(*build_cont)(void *entry, struct scatterlist *sg,
					  unsigned int nseg);
	void (*build_marker)(struct isp_hw *hw, void *entry,
			     enum isp_marker_kind kind, u16 loop_id, u64 lun);
	u32 (*good)(const void *entry);
	enum isp_rsp_kind (*decode)(const void *entry,
				    struct isp_status *status);
};

/* Events of the link, told upwards. */
enum isp_event {
	ISP_EV_LOOP_UP,			/* arg: speed code */
	ISP_EV_LOOP_DOWN,
	ISP_EV_LIP,			/* loop initialization under way */
	ISP_EV_LIP_RESET,		/* ... that reset the ports */
	ISP_EV_PORTS_CHANGED,		/* arg: loop id concerned, or ffffh: all */
	ISP_EV_STATE_CHANGE,		/* RSCN; arg: format << 24, port id */
};

/* Format of a state change's address: how much of it counts (FC-LS). */
enum isp_rscn_format {
	ISP_RSCN_PORT,
	ISP_RSCN_AREA,
	ISP_RSCN_DOMAIN,
	ISP_RSCN_FABRIC,
};

/**
 * struct isp_hw_events - how floors 0 to 3 speak to those above
 * @link: something happened on the link; called in interrupt context
 * @fault: the card needs a reset (or is gone: ISP_HW_GONE is set); any
 *	context; returns what will be done about it or what the user should do,
 *	or NULL if this is no news, so that one fault is reported once
 */
struct isp_hw_events {
	void (*link)(struct isp_hw *hw, enum isp_event event, u32 arg);
	const char *(*fault)(struct isp_hw *hw);
};

/* Bits in isp_hw.flags. */
enum {
	ISP_HW_GONE,			/* reads give all ones: card removed */
	ISP_HW_INTR,			/* chip may interrupt */
	ISP_HW_SWITCH_TOLD,		/* said that it cannot use the switch */
};

/**
 * struct isp_choice - what the user chose with the module's parameters
 * @connection: what to connect as
 * @rate: how fast
 */
struct isp_choice {
	enum isp_connection connection;
	enum isp_rate rate;
};

/* Firmware attributes, mailbox 6 of About Firmware (freebsd ispmbox.h). */
#define ISP_FWA_EXT_LUN		0x0002	/* 16-bit LUN field */
#define ISP_FWA_FABRIC		0x0004
#define ISP_FWA_2K_LOGINS	0x0100	/* 16-bit loop ids */

/* For whom the card's interrupts are masked. The first two are also false and true. */
enum isp_quiet_for {
	ISP_QUIET_NOBODY,		/* they are not */
	ISP_QUIET_POLLERS,
	ISP_QUIET_MODERATION,
	ISP_QUIET_AIR,			/* nobody, for a moment of moderation */
};

/**
 * struct isp_quiet - whether the card's interrupts are masked
 * @lock: guards all of these, ISP_HW_INTR and the card's interrupt enable
 * @on: quiet time: for whom they are
 * @loud: so many count on an interrupt until further notice
 * @loud_until: until then no quiet time for pollers begins, jiffies
 * @air_until: likewise, ns
 * @timer: ends a quiet time for pollers
 */
struct isp_quiet {
	spinlock_t lock;		/* all of these */
	enum isp_quiet_for on;
	unsigned int loud;
	unsigned long loud_until;
	u64 air_until;
	struct timer_list timer;
};

/**
 * struct isp_hw - one card, floors 0 to 2
 * @pdev: PCI function
 * @dev: its device
 * @host: number of its SCSI host, for tracepoints
 * @regs: register file
 * @bar_is_io: registers are behind the I/O BAR
 * @chip: operations
 * @events: calls upwards
 * @flags: ISP_HW_*
 * @bus_attr: control/status register after reset: bus mode
 * @rom_version: of the ROM code
 * @fw_version: of the running firmware
 * @fw_attr: its attributes
 * @fw_commands: commands that it can be given at a time, 0 if it did not say
 * @fw_limits: and that is fewer than the user allows
 * @ram_last: last word of the RISC's memory, if @ram_first is not 0
 * @why: the last fault
 * @dump: of a card that has failed, begun
 * @dumped: the last start of the card has handed one to user space
 * @dump_next: no other one before this, jiffies; 0: there has been none
 * @choice: the user's
 * @cfg: configuration
 * @firmware: file as loaded; kept, since the disk that holds it may be behind
 *	this very card when it is needed again
 * @image: pointers into it
 * @load_by: when it must have been loaded, jiffies
 * @quiet: whether it interrupts
 * @mbox: mailbox
 * @scratch_lock: guards the scratch buffer from fill-in to evaluation
 * @scratch: DMA buffer of ISP_SCRATCH_SIZE bytes for mailbox commands
 * @scratch_dma: its bus address
 */
struct isp_hw {
	struct pci_dev *pdev;
	struct device *dev;
	unsigned int host;
	void __iomem *regs;
	bool bar_is_io;
	const struct isp_chip *chip;
	const struct isp_hw_events *events;
	unsigned long flags;
	u16 bus_attr;
	u16 rom_version;
	u16 fw_version[3];
	u16 fw_attr;
	u16 fw_commands;
	bool fw_limits;
	u32 ram_last;
	char why[96];
	char *dump;
	bool dumped;
	unsigned long dump_next;
	const struct isp_choice *choice;
	struct isp_config cfg;
	const struct firmware *firmware;
	struct isp_image image;
	unsigned long load_by;
	struct isp_quiet quiet;
	struct isp_mbox mbox;
	struct mutex scratch_lock;	/* scratch */
	void *scratch;
	dma_addr_t scratch_dma;
};

static inline u16 isp_rd(const struct isp_hw *hw, unsigned int reg)
{
	return unlikely(hw->bar_is_io) ? ioread16(hw->regs + reg) :
					 readw(hw->regs + reg);
}

static inline u32 isp_rd32(const struct isp_hw *hw, unsigned int reg)
{
	return unlikely(hw->bar_is_io) ? ioread32(hw->regs + reg) :
					 readl(hw->regs + reg);
}

static inline void isp_wr(const struct isp_hw *hw, unsigned int reg, u16 val)
{
	if (unlikely(hw->bar_is_io))
		iowrite16(val, hw->regs + reg);
	else
		writew(val, hw->regs + reg);
}

static inline bool isp_hw_gone(const struct isp_hw *hw)
{
	return test_bit(ISP_HW_GONE, &hw->flags);
}

extern const struct isp_chip isp_chip_2100;
extern const struct isp_chip isp_chip_2200;
extern const struct isp_chip isp_chip_2300;
extern const struct isp_chip isp_chip_2312;
extern const struct isp_chip isp_chip_2322;
extern const struct isp_chip isp_chip_6312;
extern const struct isp_chip isp_chip_6322;

/* isp_async.c */
__printf(2, 3) void isp_hw_fault(struct isp_hw *hw, const char *fmt, ...);
bool isp_hw_check_gone(struct isp_hw *hw);
bool isp_async_event(struct isp_hw *hw, const u16 *mb);

/* isp_quiet.c */
void isp_quiet_init(struct isp_hw *hw);
void isp_quiet_exit(struct isp_hw *hw);
void isp_hw_interrupts(struct isp_hw *hw, bool on);
bool isp_quiet_begin(struct isp_hw *hw);
void isp_quiet_end(struct isp_hw *hw);
void isp_quiet_forbid(struct isp_hw *hw);
void isp_quiet_allow(struct isp_hw *hw);
bool isp_quiet_moderate(struct isp_hw *hw, enum isp_quiet_for from,
			enum isp_quiet_for to);
bool isp_quiet_unmoderate(struct isp_hw *hw);

/* For whom interrupts are masked, if they are. */
static inline enum isp_quiet_for isp_quiet(const struct isp_hw *hw)
{
	return READ_ONCE(hw->quiet.on);
}

static inline bool isp_moderated(const struct isp_hw *hw)
{
	return isp_quiet(hw) >= ISP_QUIET_MODERATION;
}

/* isp_dump.c */
void isp_dump_begin(struct isp_hw *hw);
void isp_dump_end(struct isp_hw *hw);
void isp_dump_drop(struct isp_hw *hw);

/* isp_fw.c */
int isp_fw_get(struct isp_hw *hw);
void isp_fw_put(struct isp_hw *hw);
int isp_fw_start(struct isp_hw *hw);
void isp_fw_config(struct isp_hw *hw);
void isp_fw_describe(struct isp_hw *hw, char *buf, size_t len);

#endif /* ISP_CHIP_H */
