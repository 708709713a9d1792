// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 2: whether the card is to interrupt.
 *
 * Who polls for completions has no use for the card's interrupts, so they are
 * masked while commands are polled for: the card's quiet time. It begins only
 * when nobody counts on an interrupt, and ends as soon as somebody does (a
 * command that nobody polls for, a mailbox command), and after QUIET_MAX_MS in
 * any case, so that an event of the firmware, or a command whose poller has
 * gone away, waits no longer than that. What the card has to say by then it
 * says at once: its interrupt is only masked, not lost.
 *
 * Moderation (isp_moderate.c) masks them too, for a quiet time of another kind:
 * it does not mind commands that nobody polls for, gives the card air by
 * itself, and ends for mailbox commands likewise. There is one quiet time at a
 * time, and one place that knows of it, here.
 */
#include <linux/ktime.h>

#include "isp_chip.h"
#include "isp_compat.h"

#define QUIET_MAX_MS		100
/* ... and for so long none begins when one has come to its natural end. */
#define QUIET_AIR_NS		50000

static void quiet_set(struct isp_hw *hw, enum isp_quiet_for on)
{
	hw->chip->intr_enable(hw, on == ISP_QUIET_NOBODY || on == ISP_QUIET_AIR);
	WRITE_ONCE(hw->quiet.on, on);
}

static void quiet_expired(struct timer_list *timer)
{
	struct isp_hw *hw = timer_container_of(hw, timer, quiet.timer);
	unsigned long flags;

	spin_lock_irqsave(&hw->quiet.lock, flags);
	if (hw->quiet.on == ISP_QUIET_POLLERS) {
		/* Time enough for the interrupt to be taken, not only raised. */
		hw->quiet.air_until = ktime_get_ns() + QUIET_AIR_NS;
		quiet_set(hw, ISP_QUIET_NOBODY);
	}
	spin_unlock_irqrestore(&hw->quiet.lock, flags);
}

/**
 * isp_quiet_init() - set up, for a card that does not interrupt yet
 * @hw: card
 */
void isp_quiet_init(struct isp_hw *hw)
{
	spin_lock_init(&hw->quiet.lock);
	hw->quiet.loud_until = jiffies;
	timer_setup(&hw->quiet.timer, quiet_expired, 0);
}

/**
 * isp_quiet_exit() - undo isp_quiet_init()
 * @hw: card whose interrupts are off
 *
 * Context: process; sleeps.
 */
void isp_quiet_exit(struct isp_hw *hw)
{
	timer_delete_sync(&hw->quiet.timer);
}

/**
 * isp_hw_interrupts() - let the card interrupt, or not
 * @hw: card
 * @on: whether
 *
 * Off is off until it is let again: no quiet time begins or ends meanwhile,
 * so nobody touches a chip in reset.
 *
 * Context: any.
 */
void isp_hw_interrupts(struct isp_hw *hw, bool on)
{
	unsigned long flags;

	spin_lock_irqsave(&hw->quiet.lock, flags);
	WRITE_ONCE(hw->quiet.on, ISP_QUIET_NOBODY);
	if (on)
		set_bit(ISP_HW_INTR, &hw->flags);
	else
		clear_bit(ISP_HW_INTR, &hw->flags);
	hw->chip->intr_enable(hw, on);
	spin_unlock_irqrestore(&hw->quiet.lock, flags);
}

/**
 * isp_quiet_begin() - the next command will be polled for
 * @hw: card
 *
 * Begins a quiet time, unless somebody has counted on an interrupt lately: a
 * mixture of polled and other commands shall not mask and unmask with each.
 *
 * Context: any.
 *
 * Return: whether it has begun. The caller then looks for commands sent before
 * that nobody polls for, and ends it if there is one.
 */
bool isp_quiet_begin(struct isp_hw *hw)
{
	struct isp_quiet *quiet = &hw->quiet;
	unsigned long flags;
	bool begun;

	if (time_before_eq(jiffies, READ_ONCE(quiet->loud_until)))
		return false;
	spin_lock_irqsave(&quiet->lock, flags);
	begun = !quiet->on && !quiet->loud &&
		test_bit(ISP_HW_INTR, &hw->flags) &&
		ktime_get_ns() >= quiet->air_until;
	if (begun) {
		quiet_set(hw, ISP_QUIET_POLLERS);
		mod_timer(&quiet->timer,
			  jiffies + msecs_to_jiffies(QUIET_MAX_MS));
	}
	spin_unlock_irqrestore(&quiet->lock, flags);
	return begun;
}

/**
 * isp_quiet_end() - a command is sent that nobody polls for
 * @hw: card
 *
 * Ends a quiet time for pollers. Context: any.
 */
void isp_quiet_end(struct isp_hw *hw)
{
	unsigned long flags;

	spin_lock_irqsave(&hw->quiet.lock, flags);
	WRITE_ONCE(hw->quiet.loud_until, jiffies + 1);
	if (hw->quiet.on == ISP_QUIET_POLLERS)
		quiet_set(hw, ISP_QUIET_NOBODY);
	spin_unlock_irqrestore(&hw->quiet.lock, flags);
}

/**
 * isp_quiet_forbid() - somebody counts on an interrupt until further notice
 * @hw: card
 *
 * Context: any.
 */
void isp_quiet_forbid(struct isp_hw *hw)
{
	unsigned long flags;

	spin_lock_irqsave(&hw->quiet.lock, flags);
	WRITE_ONCE(hw->quiet.loud_until, jiffies + 1);
	if (hw->quiet.on)
		quiet_set(hw, ISP_QUIET_NOBODY);
	hw->quiet.loud++;
	spin_unlock_irqrestore(&hw->quiet.lock, flags);
}

/**
 * isp_quiet_allow() - that further notice
 * @hw: card
 *
 * Context: any.
 */
void isp_quiet_allow(struct isp_hw *hw)
{
	unsigned long flags;

	spin_lock_irqsave(&hw->quiet.lock, flags);
	hw->quiet.loud--;
	spin_unlock_irqrestore(&hw->quiet.lock, flags);
}

/**
 * isp_quiet_moderate() - a step of moderation
 * @hw: card
 * @from: this is for whom interrupts are masked now
 * @to: and for whom they shall be
 *
 * Context: any.
 *
 * Return: whether they are; otherwise somebody else has taken another step, or
 * counts on an interrupt.
 */
bool isp_quiet_moderate(struct isp_hw *hw, enum isp_quiet_for from,
			enum isp_quiet_for to)
{
	struct isp_quiet *quiet = &hw->quiet;
	unsigned long flags;
	bool can;

	spin_lock_irqsave(&quiet->lock, flags);
	can = quiet->on == from && !quiet->loud &&
	      test_bit(ISP_HW_INTR, &hw->flags);
	if (can)
		quiet_set(hw, to);
	spin_unlock_irqrestore(&quiet->lock, flags);
	return can;
}

/**
 * isp_quiet_unmoderate() - the end of moderation
 * @hw: card
 *
 * Context: any.
 *
 * Return: whether there was any, be it with air at this moment.
 */
bool isp_quiet_unmoderate(struct isp_hw *hw)
{
	struct isp_quiet *quiet = &hw->quiet;
	unsigned long flags;
	bool was;

	spin_lock_irqsave(&quiet->lock, flags);
	was = quiet->on >= ISP_QUIET_MODERATION;
	if (was)
		quiet_set(hw, ISP_QUIET_NOBODY);
	spin_unlock_irqrestore(&quiet->lock, flags);
	return was;
}
