// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 2: asynchronous events of the firmware, and faults of the card.
 */
#include <linux/pci.h>

#include "isp_chip.h"
#include "isp_trace.h"

/**
 * isp_hw_fault() - report that the card has failed and needs a reset
 * @hw: card
 * @fmt: what happened, no newline
 *
 * Printed once per failure, with what will be done about it, however many
 * floors notice. Rings and mailbox are closed, and the mailbox command under
 * way is cancelled.
 *
 * Context: any.
 */
void isp_hw_fault(struct isp_hw *hw, const char *fmt, ...)
{
	const char *remedy;
	struct va_format vaf;
	va_list args;

	remedy = hw->events->fault(hw);
	if (!remedy)
		return;
	va_start(args, fmt);
	vaf.fmt = fmt;
	vaf.va = &args;
	scnprintf(hw->why, sizeof(hw->why), "%pV", &vaf);
	va_end(args);
	dev_err(hw->dev, "%s; %s\n", hw->why, remedy);
}

/**
 * isp_hw_check_gone() - a register read gave all ones: is the card still there?
 * @hw: card
 *
 * Asks the configuration space, where a removed card has no vendor. Sets
 * ISP_HW_GONE if so.
 *
 * Context: any.
 *
 * Return: whether the card is gone.
 */
bool isp_hw_check_gone(struct isp_hw *hw)
{
	if (!isp_hw_gone(hw) && !pci_device_is_present(hw->pdev))
		set_bit(ISP_HW_GONE, &hw->flags);
	return isp_hw_gone(hw);
}

/**
 * isp_async_event() - act upon an asynchronous event
 * @hw: card
 * @mb: mailboxes 0 to 3
 *
 * Context: interrupt.
 *
 * Return: whether the response ring is to be looked at.
 */
bool isp_async_event(struct isp_hw *hw, const u16 *mb)
{
	const struct isp_hw_events *ev = hw->events;

	trace_isp_event(hw, mb, mb[0], 0);
	switch (mb[0]) {
	case ISP_AEN_RESPONSE:
		return true;
	case ISP_AEN_SYSTEM_ERROR:
		isp_hw_fault(hw, "firmware system error at %04xh (%04xh %04xh)",
			     mb[1], mb[2], mb[3]);
		break;
	case ISP_AEN_REQ_TRANSFER_ERROR:
		isp_hw_fault(hw, "card cannot read its request ring (%04xh)",
			     mb[1]);
		break;
	case ISP_AEN_RSP_TRANSFER_ERROR:
		isp_hw_fault(hw, "card cannot write its response ring (%04xh)",
			     mb[1]);
		break;
	case ISP_AEN_LOOP_UP:
		ev->link(hw, ISP_EV_LOOP_UP, mb[1]);
		break;
	case ISP_AEN_LOOP_DOWN:
		ev->link(hw, ISP_EV_LOOP_DOWN, mb[1]);
		break;
	case ISP_AEN_LOOP_INIT_ERROR:
		dev_warn_ratelimited(hw->dev,
				     "loop initialization failed (%04xh): check the cabling\n",
				     mb[1]);
		ev->link(hw, ISP_EV_LOOP_DOWN, mb[1]);
		break;
	case ISP_AEN_LIP:
	case ISP_AEN_LIP_F8:
	case ISP_AEN_POINT_TO_POINT:
	case ISP_AEN_CONNECTION_CHANGE:
		ev->link(hw, ISP_EV_LIP, mb[1]);
		break;
	case ISP_AEN_RESET:
	case ISP_AEN_LIP_RESET:
		ev->link(hw, ISP_EV_LIP_RESET, mb[1]);
		break;
	case ISP_AEN_PORTS_CHANGED:
		ev->link(hw, ISP_EV_PORTS_CHANGED, mb[1]);
		break;
	case ISP_AEN_STATE_CHANGE:
		/* Format and domain in one, area and AL_PA in the other. */
		ev->link(hw, ISP_EV_STATE_CHANGE, (mb[1] & 0x0300) << 16 |
			 (mb[1] & 0xff) << 16 | mb[2]);
		break;
	default:
		dev_dbg(hw->dev, "event %04xh %04xh %04xh %04xh ignored\n",
			mb[0], mb[1], mb[2], mb[3]);
		break;
	}
	return false;
}
