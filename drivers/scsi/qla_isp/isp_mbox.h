/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 2: the mailbox, through which the firmware is spoken to one command
 * at a time.
 */
#ifndef ISP_MBOX_H
#define ISP_MBOX_H

#include <linux/bits.h>
#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct isp_hw;

#define ISP_MBOX_REGS		32

/* Mailbox commands (qla2xxx: MBC_*). */
#define ISP_MBC_EXECUTE			0x02
#define ISP_MBC_WRITE_RAM_WORD		0x04
#define ISP_MBC_REGISTER_TEST		0x06
#define ISP_MBC_VERIFY_CHECKSUM		0x07
#define ISP_MBC_ABOUT_FIRMWARE		0x08
#define ISP_MBC_LOAD_RAM		0x09
#define ISP_MBC_LOAD_RAM_EXT		0x0b
#define ISP_MBC_DUMP_RAM_EXT		0x0c
#define ISP_MBC_WRITE_RAM_WORD_EXT	0x0d
#define ISP_MBC_ABORT_COMMAND		0x15
#define ISP_MBC_ABORT_TARGET		0x17
#define ISP_MBC_GET_LOOP_ID		0x20
#define ISP_MBC_GET_OPTIONS		0x28
#define ISP_MBC_SET_OPTIONS		0x38
#define ISP_MBC_GET_RESOURCES		0x42
#define ISP_MBC_GET_PORT_LOGIN		0x47
#define ISP_MBC_EXECUTE_IOCB_A64	0x54
#define ISP_MBC_INIT_FIRMWARE		0x60
#define ISP_MBC_GET_PORT_DATABASE	0x64
#define ISP_MBC_GET_STATE		0x69
#define ISP_MBC_GET_LINK_STATUS		0x6b
#define ISP_MBC_LIP_RESET		0x6c
#define ISP_MBC_SEND_SNS		0x6e
#define ISP_MBC_LOGIN_FABRIC_PORT	0x6f
#define ISP_MBC_SEND_CHANGE_REQUEST	0x70
#define ISP_MBC_LOGOUT_FABRIC_PORT	0x71
#define ISP_MBC_LIP_FULL_LOGIN		0x72
#define ISP_MBC_LOGIN_LOOP_PORT		0x74
#define ISP_MBC_GET_ID_LIST		0x7c
#define ISP_MBC_LUN_RESET		0x7e

/* Mailbox 0 of an answer (qla2xxx: MBS_*). */
#define ISP_MBS_BUSY		0x0004	/* the ROM code is not ready yet */
#define ISP_MBS_COMPLETE	0x4000
#define ISP_MBS_INVALID		0x4001
#define ISP_MBS_PORT_ID_USED	0x4007
#define ISP_MBS_LOOP_ID_USED	0x4008
#define ISP_MBS_ALL_IDS_USED	0x4009
#define ISP_MBS_LAST		0x400f	/* no answer is above this */

/* Event codes in mailbox 0 (qla2xxx: MBA_*). */
#define ISP_AEN_RESET			0x8001
#define ISP_AEN_SYSTEM_ERROR		0x8002
#define ISP_AEN_REQ_TRANSFER_ERROR	0x8003
#define ISP_AEN_RSP_TRANSFER_ERROR	0x8004
#define ISP_AEN_LIP			0x8010
#define ISP_AEN_LOOP_UP			0x8011
#define ISP_AEN_LOOP_DOWN		0x8012
#define ISP_AEN_LIP_RESET		0x8013
#define ISP_AEN_PORTS_CHANGED		0x8014
#define ISP_AEN_STATE_CHANGE		0x8015
#define ISP_AEN_LIP_F8			0x8016
#define ISP_AEN_LOOP_INIT_ERROR		0x8017
#define ISP_AEN_POINT_TO_POINT		0x8030
#define ISP_AEN_CONNECTION_CHANGE	0x8036
#define ISP_AEN_RESPONSE		0x8040

/**
 * struct isp_mbox_cmd - one mailbox command
 * @mb: registers to send, then registers received
 * @out: bit n: mailbox n is written before the command; bit 0 is implied
 * @in: bit n: mailbox n is read after it; bit 0 is implied
 * @timeout_ms: 0 for ISP_MBOX_TIMEOUT_MS
 * @may_fail: an error answer is no news, so it is not printed
 */
struct isp_mbox_cmd {
	u16 mb[ISP_MBOX_REGS];
	u32 out;
	u32 in;
	unsigned int timeout_ms;
	bool may_fail;
};

#define ISP_MBOX_TIMEOUT_MS	5000

/*
 * State of the mailbox; changes by cmpxchg only, so that exactly one of
 * answer, timeout and cancellation ends a command:
 *
 *  from     to       by
 *  IDLE     SENT     isp_mbox_exec(), registers written
 *  SENT     READING  isp_mbox_irq(): the answer is here
 *  READING  IDLE     isp_mbox_irq(): ... and read
 *  SENT     IDLE     isp_mbox_exec(): timeout
 *  SENT     IDLE     isp_mbox_close(): the card is being reset or is gone
 */
enum isp_mbox_state {
	ISP_MBOX_IDLE,
	ISP_MBOX_SENT,
	ISP_MBOX_READING,
};

/**
 * struct isp_mbox - a card's mailbox
 * @owner: held by the one whose command is being served
 * @done: the answer has been read, or the command was cancelled
 * @state: enum isp_mbox_state
 * @closed: no new command is accepted
 * @cmd: the command being served
 * @result: of it, set by whoever takes the state out of ISP_MBOX_SENT
 */
struct isp_mbox {
	struct mutex owner;		/* the registers, and the command */
	struct completion done;
	atomic_t state;
	bool closed;
	struct isp_mbox_cmd *cmd;
	int result;
};

void isp_mbox_init(struct isp_mbox *mbox);
int isp_mbox_exec(struct isp_hw *hw, struct isp_mbox_cmd *cmd);
bool isp_mbox_irq(struct isp_hw *hw, u16 mb0);
void isp_mbox_close(struct isp_mbox *mbox);
void isp_mbox_stop(struct isp_mbox *mbox);
void isp_mbox_open(struct isp_mbox *mbox);
int isp_mbox_selftest(struct isp_hw *hw);

#endif /* ISP_MBOX_H */
