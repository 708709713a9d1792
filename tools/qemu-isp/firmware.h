/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The firmware's own state, and the calls between the firmware rooms.
 *
 * mailbox.c, mbox_*.c   mailbox commands: the engine with its table, then one file per subject
 * icb.c                 initialization control block: decode and check
 * async.c               asynchronous events
 * iocb.c                request ring: fetch, decode, dispatch
 * ct.c                  name server commands, by mailbox and by entry
 * response.c            response ring: flow control, fast posting, RIO and ZIO
 * command.c             the life of a SCSI command between its request and its status entry
 * scsi.c                QEMU's SCSI bus behind the targets
 * fault.c               misbehaviour on request
 *
 * Nothing here runs inside a register access: the board rooms only leave word, and timers on the
 * virtual clock do the work.
 */
#ifndef QEMU_ISP_FIRMWARE_H
#define QEMU_ISP_FIRMWARE_H

#include "compat.h"
#include "isp.h"

#define ISP_ENTRY 64			/* bytes of a queue entry */

/* Firmware states, as GET FIRMWARE STATE (69h) reports them. */
typedef enum IspFwState {
	ISP_FW_CONFIG_WAIT = 0,
	ISP_FW_WAIT_AL_PA = 1,
	ISP_FW_WAIT_LOGIN = 2,
	ISP_FW_READY = 3,
	ISP_FW_LOSS_OF_SYNC = 4,
	ISP_FW_ERROR = 5,
	ISP_FW_REINIT = 6,
	ISP_FW_NON_PARTICIPATING = 7,
} IspFwState;

/* Mailbox completion codes. */
enum {
	ISP_MB_COMPLETE = 0x4000,
	ISP_MB_INVALID = 0x4001,
	ISP_MB_HOST_INTERFACE = 0x4002,
	ISP_MB_TEST_FAILED = 0x4003,
	ISP_MB_ERROR = 0x4005,
	ISP_MB_PARAMETER = 0x4006,
	ISP_MB_PORT_ID_USED = 0x4007,
	ISP_MB_LOOP_ID_USED = 0x4008,
	ISP_MB_ALL_IDS_USED = 0x4009,
	ISP_MB_NOT_LOGGED_IN = 0x400a,
	ISP_MB_LINK_DOWN = 0x400b,
	ISP_MB_ECHO_ERROR = 0x400c,
};

/* Why a port command failed: mailbox 1 beside 4005h. */
enum {
	ISP_WHY_NO_LINK = 1,
	ISP_WHY_NO_IOCB = 2,
	ISP_WHY_NO_EXCHANGE = 3,
	ISP_WHY_TRANSMIT = 4,		/* timed out or could not be sent */
	ISP_WHY_NO_FABRIC = 5,
	ISP_WHY_NO_TARGET = 6,
	ISP_WHY_NOT_READY = 7,
};

/* Completion status of a command. */
enum {
	ISP_CS_COMPLETE = 0x00,
	ISP_CS_DMA = 0x02,
	ISP_CS_RESET = 0x04,
	ISP_CS_ABORTED = 0x05,
	ISP_CS_TIMEOUT = 0x06,
	ISP_CS_OVERRUN = 0x07,
	ISP_CS_UNDERRUN = 0x15,
	ISP_CS_QUEUE_FULL = 0x1c,
	ISP_CS_PORT_UNAVAILABLE = 0x28,
	ISP_CS_PORT_LOGGED_OUT = 0x29,
	ISP_CS_PORT_CHANGED = 0x2a,
	ISP_CS_PORT_BUSY = 0x2b,
};

/* Entry status: what is wrong with a request entry. */
enum {
	ISP_RF_BUSY = 0x02,
	ISP_RF_TYPE = 0x04,
	ISP_RF_PARAM = 0x08,
	ISP_RF_COUNT = 0x10,
	ISP_RF_ORDER = 0x20,
	ISP_RF_DMA = 0x40,
};

/* How completions reach the host: low bits of the additional firmware options. */
typedef enum IspPosting {
	ISP_POST_EACH = 0,		/* one interrupt per update */
	ISP_POST_RIO_16 = 1,		/* up to five 16-bit handles in the mailboxes */
	ISP_POST_RIO_32 = 2,		/* up to two 32-bit handles in the mailboxes */
	ISP_POST_RIO_16_IOCB = 3,	/* up to thirty 16-bit handles in an entry of type 22h */
	ISP_POST_RIO_32_IOCB = 4,	/* up to fifteen 32-bit handles in an entry of type 21h */
	ISP_POST_ZIO_5 = 5,		/* interrupt when the delay timer expires */
	ISP_POST_ZIO_6 = 6,		/* ... or when no command is left */
} IspPosting;

/* The initialization control block, decoded (icb.c). */
typedef struct IspIcb {
	uint8_t raw[128];
	uint16_t options, add_options, special_options;
	uint16_t frame_size, throttle;
	uint8_t retry_count, retry_delay, login_timeout;
	uint64_t wwpn, wwnn;
	uint16_t hard_address;
	uint16_t req_out, rsp_in, req_len, rsp_len;
	uint64_t req_addr, rsp_addr;
	IspPosting posting;
	uint8_t accumulate, delay;	/* timers, units of 100 microseconds */
} IspIcb;

#define ISP_ICB_HARD_ADDRESS 0x0001
#define ISP_ICB_FAST_POST 0x0008
#define ISP_ICB_TARGET_MODE 0x0010
#define ISP_ICB_NO_INITIATOR 0x0020
#define ISP_ICB_PDB_CHANGE 0x0100
#define ISP_ICB_NO_LIP 0x0200
#define ISP_ICB_SEARCH_DOWN 0x0400
#define ISP_ICB_PREVIOUS_ID 0x0800
#define ISP_ICB_FULL_LOGIN 0x2000
#define ISP_ICB_BOTH_NAMES 0x4000
#define ISP_ICB_EXTENDED 0x8000
#define ISP_ADD_HARD_OR_NOTHING 0x0080
#define ISP_ADD_TOPOLOGY(o) (((o) >> 4) & 7)
#define ISP_SPECIAL_SOFT_ID 0x0002
#define ISP_SPECIAL_RATE(o) ((o) >> 14)

/* One mailbox command while it is carried out, whether it came by register or in an entry 39h. */
typedef struct IspMbox {
	uint16_t in[ISP_MBOXES];
	uint16_t out[ISP_MBOXES];
	uint32_t mask;			/* outgoing mailboxes to load, beside 0 */
	uint64_t late_ns;		/* the answer is there only after this time */
} IspMbox;

typedef struct IspCommand IspCommand;	/* command.c */
typedef struct IspResponder IspResponder;	/* response.c */
typedef struct IspFault IspFault;	/* ct.c */
/* Pass-through entry of type 29h: leaves the answer in it; returns after how many ns it is due. */
uint64_t isp_ct_entry(IspFirmware *fw, uint8_t *entry);
void isp_ct_answer_later(IspFirmware *fw, const uint8_t *entry, uint64_t ns);
void isp_ct_forget(IspFirmware *fw);

/* fault.c */

/* Where commands may not start: a LUN (or all of them, lun < 0) of a loop id (or all, < 0). */
typedef struct IspScope {
	int loop_id;
	int lun;
} IspScope;

struct IspFirmware {
	IspState *isp;

	/* Image that runs; false: the boot ROM answers the mailbox. */
	bool executing;
	bool crashed;			/* nothing answers until the RISC is reset */
	IspImageInfo image;
	bool extended_ids;		/* 16-bit loop ids and 0 to 7efh: image attribute 0100h */

	/* Mailbox engine. */
	QEMUTimer *mbox_timer;
	bool mbox_busy;
	bool mbox_done;			/* carried out, its answer is late */
	bool mbox_by_rom;		/* the boot ROM did */
	IspMbox mbox;
	uint16_t options[13];		/* SET FIRMWARE OPTIONS, by mailbox number */
	uint8_t rnid[52];		/* SET RNID PARAMETERS */

	/* Between INITIALIZE FIRMWARE and the next reset. */
	bool initialized;
	IspIcb icb;
	uint16_t req_in, req_out;
	QEMUTimer *ring_timer;
	IspResponder *rsp;
	GHashTable *live;		/* handle -> IspCommand */
	QTAILQ_HEAD(, IspCommand) commands;
	uint32_t active;		/* commands between their request and their status entry */
	uint32_t entries;		/* ... and the entries that they came in */
	uint32_t ordered;		/* ... with an ordered task attribute */
	uint32_t waiting;		/* ... that the target has not been given yet */
	GArray *unsynced;		/* IspScope: after a reset, until a marker comes */
	GArray *stopped;		/* IspScope: STOP QUEUE */

	uint32_t link_errors[7];	/* GET LINK STATUS */
	QTAILQ_HEAD(, IspLateEntry) late_entries;	/* ct.c */
	bool rings_dead;		/* after a transfer error, until the next initialization */
	IspFault *fault;
};

static inline uint64_t isp_now(void)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static inline bool isp_is_23xx(const IspFirmware *fw)
{
	return fw->isp->chip->has_host_status;
}

/* Exchanges that the firmware can have open; beyond them requests stay in the ring. */
static inline uint32_t isp_exchanges(const IspFirmware *fw)
{
	return fw->isp->exchanges ? fw->isp->exchanges : fw->isp->chip->exchanges;
}

/* IOCBs that it has, one for each entry of a command; 1024 is the model's choice. */
static inline uint32_t isp_iocbs(const IspFirmware *fw)
{
	return fw->isp->iocbs ? fw->isp->iocbs : 1024;
}

/*
 * How long the firmware waits for a port's answer: Linux waits two and a half times the login timeout for
 * SEND SNS, so it gives up before that.
 */
static inline uint64_t isp_patience_ns(const IspFirmware *fw)
{
	return 2 * MAX(fw->icb.login_timeout, 1) * NANOSECONDS_PER_SECOND;
}

/* firmware.c */
IspFirmware *isp_fw_get(IspState *s);

/* mailbox.c */
void isp_mbox_init(IspFirmware *fw);
const char *isp_mbox_name(uint16_t command);
/* Carry out @m; returns the completion code (0: nothing answers). */
uint16_t isp_mbox_execute(IspFirmware *fw, IspMbox *m);
/* Loop id in mailbox 1 (or 8 bits of it) and the options that come with it. */
uint16_t isp_mbox_loop_id(const IspFirmware *fw, const IspMbox *m);
uint16_t isp_mbox_options(const IspFirmware *fw, const IspMbox *m);
/* Addresses: high half in mailbox @hi, low in @hi + 1, and the upper 32 bits in 6 and 7. */
uint64_t isp_mbox_addr32(const IspMbox *m);
uint64_t isp_mbox_addr64(const IspMbox *m);
void isp_mbox_set(IspMbox *m, unsigned int n, uint16_t value);

/* Handlers by subject; all return a completion code. */
typedef uint16_t IspMboxFn(IspFirmware *fw, IspMbox *m);
/* mbox_ram.c: RISC memory */
IspMboxFn isp_mbc_load_ram, isp_mbc_dump_ram, isp_mbc_write_word, isp_mbc_read_word,
	isp_mbc_write_word_ext, isp_mbc_read_word_ext, isp_mbc_checksum, isp_mbc_execute;
/* mbox_init.c: identity, options, initialization, diagnostics */
IspMboxFn isp_mbc_nop, isp_mbc_register_test, isp_mbc_about, isp_mbc_init_firmware,
	isp_mbc_get_icb, isp_mbc_get_options, isp_mbc_set_options, isp_mbc_get_retry,
	isp_mbc_set_retry, isp_mbc_resources, isp_mbc_fw_status, isp_mbc_stop, isp_mbc_fw_state,
	isp_mbc_data_rate, isp_mbc_loopback, isp_mbc_echo, isp_mbc_self_test, isp_mbc_heartbeat,
	isp_mbc_exec_iocb;
/* mbox_port.c: loop, ports, logins */
IspMboxFn isp_mbc_get_id, isp_mbc_port_db, isp_mbc_port_db_login, isp_mbc_port_name,
	isp_mbc_id_list, isp_mbc_name_list, isp_mbc_position_map, isp_mbc_link_status,
	isp_mbc_reset_link_status, isp_mbc_fabric_login, isp_mbc_fabric_logout,
	isp_mbc_loop_login, isp_mbc_port_logout, isp_mbc_send_sns, isp_mbc_change_request,
	isp_mbc_lip, isp_mbc_lip_reset, isp_mbc_lip_login, isp_mbc_offline, isp_mbc_bypass,
	isp_mbc_enable_port, isp_mbc_send_rnid, isp_mbc_set_rnid, isp_mbc_get_rnid,
	isp_mbc_send_lfa, isp_mbc_ip_unsupported;
/* While the link is not ready, port commands fail: with what; 0: it is ready. */
IspMboxFn isp_mbc_not_ready;
/* mbox_task.c: aborts, resets, queues */
IspMboxFn isp_mbc_abort_iocb, isp_mbc_abort_device, isp_mbc_abort_target, isp_mbc_bus_reset,
	isp_mbc_target_reset, isp_mbc_lun_reset, isp_mbc_clear_aca, isp_mbc_clear_task_set,
	isp_mbc_abort_task_set, isp_mbc_stop_queue, isp_mbc_start_queue, isp_mbc_abort_queue,
	isp_mbc_queue_status;

/* icb.c: false: mailbox 1 of the answer says which field is wrong. */
bool isp_icb_decode(IspFirmware *fw, const uint8_t *raw, IspIcb *icb, uint16_t *field);

/* async.c */
void isp_async(IspFirmware *fw, uint16_t event, uint16_t mb1, uint16_t mb2, uint16_t mb3);

/* iocb.c */
void isp_ring_init(IspFirmware *fw);
void isp_ring_start(IspFirmware *fw);
void isp_ring_stop(IspFirmware *fw);
/* There may be room again for requests that wait in the ring. */
void isp_ring_kick(IspFirmware *fw);
/* One entry outside the ring (EXECUTE IOCB): leaves the answer in @entry, due after so many ns. */
uint64_t isp_iocb_execute(IspFirmware *fw, uint8_t *entry);

/* response.c */
void isp_rsp_init(IspFirmware *fw);
void isp_rsp_free(IspFirmware *fw);
void isp_rsp_start(IspFirmware *fw);
void isp_rsp_stop(IspFirmware *fw);
/* Queue @n entries that belong together. */
void isp_rsp_entries(IspFirmware *fw, const void *entries, unsigned int n);
/* A command that ended well: may go by fast posting or in a multi-handle entry. */
void isp_rsp_good(IspFirmware *fw, uint32_t handle, bool may_fast_post,
		  const void *status_entry);
void isp_rsp_room(IspFirmware *fw);

/* command.c */
typedef struct IspSegment {
	uint64_t addr;
	uint32_t len;
} IspSegment;

struct IspCommand {
	IspFirmware *fw;
	uint8_t entry[ISP_ENTRY];	/* head of the request */
	uint32_t handle;
	uint16_t loop_id;
	uint16_t lun_field;		/* as in the entry */
	int lun;			/* number, or -1: no LUN can have that address */
	uint16_t flags;
	uint16_t timeout;		/* seconds, 0: none */
	uint8_t cdb[16];
	uint32_t byte_count;
	IspSegment *seg;
	unsigned int n_seg, cur_seg;
	uint32_t cur_off;
	uint32_t moved;			/* bytes that really crossed */
	uint32_t excess;		/* bytes that the target had beyond byte_count */
	bool dma_failed;
	bool started, done, swallowed;
	bool lost;			/* its port vanished without a word */
	uint16_t abort_code;		/* completion status if the request is cancelled */
	QEMUTimer *timer;
	struct IspPort *port;		/* where it is executing */
	SCSIRequest *req;
	QTAILQ_ENTRY(IspCommand) next;
};

#define ISP_CF_HEAD_TAG 0x0002
#define ISP_CF_ORDERED_TAG 0x0004
#define ISP_CF_SIMPLE_TAG 0x0008
#define ISP_CF_ACA_TAG 0x0010
#define ISP_CF_READ 0x0020
#define ISP_CF_WRITE 0x0040
#define ISP_CF_NO_FAST_POST 0x0080

/* Take over @cmd (filled in by iocb.c, its handle already in fw->live) and run it. */
void isp_command_start(IspCommand *cmd);
void isp_command_free(IspCommand *cmd);
/* End @cmd without the target's word. */
void isp_command_fail(IspCommand *cmd, uint16_t completion);
/* Called by scsi.c. */
uint32_t isp_command_data(IspCommand *cmd, uint8_t *buf, uint32_t len, bool to_host);
void isp_command_complete(IspCommand *cmd);
void isp_command_cancelled(IspCommand *cmd);
/* Abort the commands of a loop id and LUN field (-1: all), with @completion; returns how many. */
unsigned int isp_commands_abort(IspFirmware *fw, int loop_id, int lun, uint16_t completion);
/* @port will not answer what it was sent. */
void isp_commands_lose(IspFirmware *fw, const struct IspPort *port);
bool isp_command_abort_handle(IspFirmware *fw, uint32_t handle, uint16_t completion);
void isp_commands_forget(IspFirmware *fw);
/* Start what waits for a port or LUN. */
void isp_commands_resume(IspFirmware *fw);
void isp_scope_add(GArray *scopes, int loop_id, int lun);
void isp_scope_remove(GArray *scopes, int loop_id, int lun);
bool isp_scope_covers(const GArray *scopes, int loop_id, int lun);

/* scsi.c */
void isp_scsi_init(IspState *s);
SCSIDevice *isp_scsi_find(IspState *s, unsigned int target, int lun);
bool isp_scsi_target_present(IspState *s, unsigned int target);
/* Start @cmd on @dev; the answer comes through isp_command_complete(). */
void isp_scsi_start(IspCommand *cmd, SCSIDevice *dev);
void isp_scsi_cancel(IspCommand *cmd);
uint32_t isp_scsi_sense(IspCommand *cmd, uint8_t *buf, uint32_t len);
/* Unit attention on all LUNs of a target. */
void isp_scsi_attention(IspState *s, unsigned int target, SCSISense sense);
/* Whether the LUN itself obeys task attributes, and wants to have the commands for it. */
bool isp_scsi_keeps_order(IspState *s, unsigned int target, int lun);
/* Reset LUNs as a task management function does. */
void isp_scsi_reset(IspState *s, unsigned int target, int lun);

/* fault.c */
/* True: the command is taken and never answered. */
bool isp_fault_swallow(IspFirmware *fw, const IspCommand *cmd);
/* May change the status entry of a command: status, residual, handle. */
bool isp_fault_status(IspFirmware *fw, uint8_t *status_entry);
/* Nonzero: SCSI status with which to answer instead of running the command. */
uint8_t isp_fault_scsi_status(IspFirmware *fw, const IspCommand *cmd);
/* May overwrite an entry on its way to the response ring. */
void isp_fault_entry(IspFirmware *fw, uint8_t *entry);
/* True: this mailbox command is never answered. */
bool isp_fault_mbox_silent(IspFirmware *fw, uint16_t command);
bool isp_fault_mbox_noise(IspFirmware *fw, IspMbox *m);
/* Nonzero: answer this mailbox command with that completion code without carrying it out. */
uint16_t isp_fault_mbox_error(IspFirmware *fw, uint16_t command);
/* True: answer with CHECK CONDITION and @sense instead of running the command. */
bool isp_fault_sense(IspFirmware *fw, SCSISense *sense);
/* How often a command's completion is given, and how late. */
unsigned int isp_fault_completions(IspFirmware *fw);
uint64_t isp_fault_late_ns(IspFirmware *fw);
uint64_t isp_fault_mbox_late_ns(IspFirmware *fw);
/* True: nothing is said about new entries of the response ring. */
bool isp_fault_quiet(IspFirmware *fw);
/* True: data cannot be moved to or from the host. */
bool isp_fault_dma(IspFirmware *fw, bool to_host);
/* True: a port refuses (LS_RJT) the login. */
bool isp_fault_login(IspFirmware *fw, uint32_t port_id);
/* The name server: does not answer, refuses, has entries of ports that are not there. */
bool isp_fault_ns_silent(IspFirmware *fw, uint16_t code);
bool isp_fault_ns_reject(IspFirmware *fw, uint16_t code);
unsigned int isp_fault_ns_ghosts(IspFirmware *fw);
/* May cut @rsp, or fill it with noise. */
void isp_fault_ns_answer(IspFirmware *fw, uint16_t code, GByteArray *rsp);
/* The link is up (or a fault was asked for): time to break down, if that is wanted. */
void isp_fault_link_up(IspFirmware *fw);
void isp_fault_free(IspState *s);

#endif
