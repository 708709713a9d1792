// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 2: mailbox commands. One at a time, asleep until the interrupt.
 */
#include <linux/pci.h>

#include "isp_chip.h"
#include "isp_trace.h"

static const struct {
	u16 code;
	const char *name;
} mbox_names[] = {
	{ ISP_MBC_EXECUTE,		"Execute Firmware" },
	{ ISP_MBC_WRITE_RAM_WORD,	"Write RAM Word" },
	{ ISP_MBC_REGISTER_TEST,	"Mailbox Register Test" },
	{ ISP_MBC_VERIFY_CHECKSUM,	"Verify Checksum" },
	{ ISP_MBC_ABOUT_FIRMWARE,	"About Firmware" },
	{ ISP_MBC_LOAD_RAM,		"Load RAM" },
	{ ISP_MBC_DUMP_RAM_EXT,		"Dump RAM Extended" },
	{ ISP_MBC_LOAD_RAM_EXT,		"Load RAM Extended" },
	{ ISP_MBC_WRITE_RAM_WORD_EXT,	"Write RAM Word Extended" },
	{ ISP_MBC_ABORT_COMMAND,	"Abort IOCB" },
	{ ISP_MBC_ABORT_TARGET,		"Abort Target" },
	{ ISP_MBC_GET_LOOP_ID,		"Get Loop ID" },
	{ ISP_MBC_GET_OPTIONS,		"Get Firmware Options" },
	{ ISP_MBC_SET_OPTIONS,		"Set Firmware Options" },
	{ ISP_MBC_GET_RESOURCES,	"Get Resource Counts" },
	{ ISP_MBC_GET_PORT_LOGIN,	"Enhanced Get Port Database" },
	{ ISP_MBC_EXECUTE_IOCB_A64,	"Execute IOCB" },
	{ ISP_MBC_INIT_FIRMWARE,	"Initialize Firmware" },
	{ ISP_MBC_GET_PORT_DATABASE,	"Get Port Database" },
	{ ISP_MBC_GET_STATE,		"Get Firmware State" },
	{ ISP_MBC_GET_LINK_STATUS,	"Get Link Status" },
	{ ISP_MBC_LIP_RESET,		"LIP Reset" },
	{ ISP_MBC_SEND_SNS,		"Send SNS" },
	{ ISP_MBC_LOGIN_FABRIC_PORT,	"Login Fabric Port" },
	{ ISP_MBC_SEND_CHANGE_REQUEST,	"Send Change Request" },
	{ ISP_MBC_LOGOUT_FABRIC_PORT,	"Logout Fabric Port" },
	{ ISP_MBC_LIP_FULL_LOGIN,	"LIP Full Login" },
	{ ISP_MBC_LOGIN_LOOP_PORT,	"Login Loop Port" },
	{ ISP_MBC_GET_ID_LIST,		"Get ID List" },
	{ ISP_MBC_LUN_RESET,		"LUN Reset" },
};

static const char *mbox_name(u16 code)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mbox_names); i++)
		if (mbox_names[i].code == code)
			return mbox_names[i].name;
	return "?";
}

/**
 * isp_mbox_init() - set a mailbox up, closed
 * @mbox: mailbox
 */
void isp_mbox_init(struct isp_mbox *mbox)
{
	mutex_init(&mbox->owner);
	init_completion(&mbox->done);
	atomic_set(&mbox->state, ISP_MBOX_IDLE);
	mbox->closed = true;
}

/**
 * isp_mbox_open() - accept commands again
 * @mbox: mailbox
 *
 * For the one who has just reset the chip.
 */
void isp_mbox_open(struct isp_mbox *mbox)
{
	WRITE_ONCE(mbox->closed, false);
}

/**
 * isp_mbox_close() - cancel the command under way and accept no other
 * @mbox: mailbox
 *
 * Context: any.
 */
void isp_mbox_close(struct isp_mbox *mbox)
{
	WRITE_ONCE(mbox->closed, true);
	/* A full barrier: pairs with the one in mbox_send(). */
	smp_mb();
	if (atomic_cmpxchg(&mbox->state, ISP_MBOX_SENT, ISP_MBOX_IDLE) ==
	    ISP_MBOX_SENT) {
		mbox->result = -ECANCELED;
		complete(&mbox->done);
	}
}

/**
 * isp_mbox_stop() - isp_mbox_close(), and have nobody at the registers
 * @mbox: mailbox
 *
 * When it returns, no command is being written, waited for or complained of:
 * the chip can be reset.
 *
 * Context: process; sleeps, but not for the chip.
 */
void isp_mbox_stop(struct isp_mbox *mbox)
{
	isp_mbox_close(mbox);
	/* Its owner has been woken; whoever comes next finds it closed. */
	mutex_lock(&mbox->owner);
	mutex_unlock(&mbox->owner);
}

/**
 * isp_mbox_irq() - an answer has come
 * @hw: card
 * @mb0: mailbox 0 of it
 *
 * Reads the other registers that the command asks for. An answer that nobody
 * waits for is dropped: its command has timed out, and a reset is on its way.
 *
 * Context: interrupt.
 *
 * Return: whether somebody waited for it.
 */
bool isp_mbox_irq(struct isp_hw *hw, u16 mb0)
{
	struct isp_mbox *mbox = &hw->mbox;
	struct isp_mbox_cmd *cmd;
	unsigned int n;

	if (atomic_cmpxchg(&mbox->state, ISP_MBOX_SENT, ISP_MBOX_READING) !=
	    ISP_MBOX_SENT)
		return false;
	cmd = mbox->cmd;
	cmd->mb[0] = mb0;
	for (n = 1; n < hw->chip->mbox_count; n++)
		if (cmd->in & BIT(n))
			cmd->mb[n] = hw->chip->mbox_read(hw, n);
	mbox->result = 0;
	atomic_set_release(&mbox->state, ISP_MBOX_IDLE);
	complete(&mbox->done);
	return true;
}

/* Returns whether the command is on its way. */
static bool mbox_send(struct isp_hw *hw, struct isp_mbox_cmd *cmd)
{
	struct isp_mbox *mbox = &hw->mbox;
	unsigned int n;

	reinit_completion(&mbox->done);
	mbox->cmd = cmd;
	mbox->result = -ECANCELED;
	hw->chip->mbox_write(hw, 0, cmd->mb[0]);
	for (n = 1; n < hw->chip->mbox_count; n++)
		if (cmd->out & BIT(n))
			hw->chip->mbox_write(hw, n, cmd->mb[n]);
	atomic_set(&mbox->state, ISP_MBOX_SENT);
	/* Either isp_mbox_close() sees SENT, or we see closed. */
	smp_mb();
	if (READ_ONCE(mbox->closed)) {
		isp_mbox_close(mbox);
		return false;
	}
	hw->chip->mbox_ring(hw);
	return true;
}

/* Returns 0 when there is a result, or -ETIMEDOUT. */
static int mbox_wait(struct isp_hw *hw, struct isp_mbox_cmd *cmd)
{
	struct isp_mbox *mbox = &hw->mbox;
	unsigned int ms = cmd->timeout_ms ?: ISP_MBOX_TIMEOUT_MS;

	if (wait_for_completion_timeout(&mbox->done, msecs_to_jiffies(ms)))
		return 0;
	if (atomic_cmpxchg(&mbox->state, ISP_MBOX_SENT, ISP_MBOX_IDLE) ==
	    ISP_MBOX_SENT)
		return -ETIMEDOUT;
	/* The answer came in this very moment and is being read. */
	wait_for_completion(&mbox->done);
	return 0;
}

static void mbox_timed_out(struct isp_hw *hw, u16 code)
{
	u32 intr;

	if (isp_hw_check_gone(hw)) {
		isp_hw_fault(hw, "card is gone");
		return;
	}
	intr = hw->chip->intr_read(hw);
	isp_hw_fault(hw, "mailbox command %s (%02xh) got no answer%s",
		     mbox_name(code), code, ISP_INTR_KIND(intr) == ISP_INTR_MBOX ?
		     " by interrupt, though one is there: check interrupt routing"
		     : "");
}

static int mbox_check(struct isp_hw *hw, struct isp_mbox_cmd *cmd, u16 code)
{
	u16 status = cmd->mb[0];

	if (status == ISP_MBS_COMPLETE)
		return 0;
	if (status < ISP_MBS_COMPLETE || status > ISP_MBS_LAST) {
		isp_hw_fault(hw,
			     "mailbox command %s (%02xh) answered with nonsense, %04xh",
			     mbox_name(code), code, status);
		return -EPROTO;
	}
	if (!cmd->may_fail)
		dev_err_ratelimited(hw->dev, "mailbox command %s (%02xh) failed: %04xh (mailboxes 1-3: %04xh %04xh %04xh); if this goes on, reset the card (host_reset in sysfs)\n",
				    mbox_name(code), code, status, cmd->mb[1],
				    cmd->mb[2], cmd->mb[3]);
	return -EIO;
}

/**
 * isp_mbox_exec() - have the firmware carry out a mailbox command
 * @hw: card
 * @cmd: command; its registers are replaced by the answer
 *
 * No answer and a senseless one are reported as a fault of the card, which
 * leads to its reset.
 *
 * Context: process, sleeps until the answer or the timeout.
 *
 * Return: 0 if the firmware answered "complete", -EIO if it answered with an
 * error (which is in mb[0]), -EPROTO if with nonsense, -ETIMEDOUT if not at
 * all, -ENODEV if the card is gone, -ECANCELED if the card is being reset.
 */
int isp_mbox_exec(struct isp_hw *hw, struct isp_mbox_cmd *cmd)
{
	struct isp_mbox *mbox = &hw->mbox;
	u16 code = cmd->mb[0];
	int ret = -ECANCELED;

	if (isp_hw_gone(hw))
		return -ENODEV;
	mutex_lock(&mbox->owner);
	trace_isp_mbox_send(hw, cmd->mb, code, 0);
	isp_quiet_forbid(hw);
	if (!READ_ONCE(mbox->closed) && mbox_send(hw, cmd)) {
		ret = mbox_wait(hw, cmd);
		if (!ret)
			ret = mbox->result;
	}
	isp_quiet_allow(hw);
	trace_isp_mbox_done(hw, cmd->mb, code, ret);
	/* Still the owner: the next one must find the mailbox closed. */
	if (ret == -ETIMEDOUT)
		mbox_timed_out(hw, code);
	mutex_unlock(&mbox->owner);

	if (!ret)
		ret = mbox_check(hw, cmd, code);
	return isp_hw_gone(hw) ? -ENODEV : ret;
}

/**
 * isp_mbox_selftest() - have the ROM code return what the mailboxes hold
 * @hw: card, just reset
 *
 * The Mailbox Register Test returns mailboxes 1 to 7 unchanged, which proves
 * registers, RISC and interrupt in one go.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_mbox_selftest(struct isp_hw *hw)
{
	static const u16 pattern[8] = {
		ISP_MBC_REGISTER_TEST,
		0xaaaa, 0x5555, 0xa55a, 0x5aa5, 0x0ff0, 0xf00f, 0x1234,
	};
	struct isp_mbox_cmd cmd = { .out = 0xfe, .in = 0xfe };
	unsigned int n;
	int ret;

	memcpy(cmd.mb, pattern, sizeof(pattern));
	ret = isp_mbox_exec(hw, &cmd);
	if (ret)
		return ret;
	for (n = 1; n < ARRAY_SIZE(pattern); n++) {
		if (cmd.mb[n] == pattern[n])
			continue;
		isp_hw_fault(hw,
			     "self-test failed: mailbox %u holds %04xh instead of %04xh",
			     n, cmd.mb[n], pattern[n]);
		return -EIO;
	}
	return 0;
}
