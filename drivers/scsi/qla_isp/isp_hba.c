// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bring-up, recovery and end of one adapter. The state machine is described
 * in isp_hba.h.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include <linux/sched/mm.h>

#include "isp_hba.h"
#include "isp_trace.h"

/* Which states may follow a state. */
static const u8 isp_next_states[] = {
	[ISP_COLD]	= BIT(ISP_STARTING) | BIT(ISP_DEAD),
	[ISP_STARTING]	= BIT(ISP_UP) | BIT(ISP_FAULT) | BIT(ISP_DEAD),
	[ISP_UP]	= BIT(ISP_FAULT) | BIT(ISP_ASLEEP) | BIT(ISP_DEAD),
	[ISP_FAULT]	= BIT(ISP_STARTING) | BIT(ISP_DEAD),
	[ISP_ASLEEP]	= BIT(ISP_FAULT) | BIT(ISP_DEAD),
	[ISP_DEAD]	= 0,
};

/*
 * state_lock held. Returns whether the step was legal, and has therefore been
 * made.
 */
static bool hba_step(struct isp_hba *hba, enum isp_state next)
{
	if (!(isp_next_states[hba->state] & BIT(next)))
		return false;
	trace_isp_adapter_state(&hba->hw, NULL, hba->state, next);
	WRITE_ONCE(hba->state, next);
	return true;
}

static bool isp_hba_set_state(struct isp_hba *hba, enum isp_state next)
{
	unsigned long flags;
	bool ok;

	spin_lock_irqsave(&hba->state_lock, flags);
	ok = hba_step(hba, next);
	spin_unlock_irqrestore(&hba->state_lock, flags);
	return ok;
}

/*
 * state_lock held. The card has nothing sensible to say until it has been
 * reset. In one piece with the step to FAULT: a recovery that is already at
 * work must not have opened queue and mailbox, nor the card have gone to sleep,
 * before they are closed.
 */
static const char *hba_shut(struct isp_hba *hba)
{
	struct isp_hw *hw = &hba->hw;

	isp_queue_close(&hba->q);
	isp_mbox_close(&hw->mbox);
	isp_hw_interrupts(hw, false);
	if (!hba->recoverable)
		return "check the card's seating and the slot's interrupt, or replace the card";
	hba->ops->block(hba->shost, true);
	queue_work(hba->wq, &hba->recover);
	return isp_hw_gone(hw) ? "taking it down" : "resetting it";
}

/* struct isp_hw_events: fault. Any context. */
static const char *hba_fault(struct isp_hw *hw)
{
	struct isp_hba *hba = container_of(hw, struct isp_hba, hw);
	const char *remedy = NULL;
	unsigned long flags;

	spin_lock_irqsave(&hba->state_lock, flags);
	/* Nobody asks anything of a card that sleeps. */
	if (hba->state != ISP_ASLEEP && hba_step(hba, ISP_FAULT))
		remedy = hba_shut(hba);
	spin_unlock_irqrestore(&hba->state_lock, flags);
	return remedy;
}

/* struct isp_hw_events: link. Interrupt context. */
static void hba_link(struct isp_hw *hw, enum isp_event event, u32 arg)
{
	struct isp_hba *hba = container_of(hw, struct isp_hba, hw);

	isp_fabric_event(&hba->fab, event, arg);
}

static const struct isp_hw_events hba_hw_events = {
	.link	= hba_link,
	.fault	= hba_fault,
};

/* From here on nobody of ours is at the chip, which can be reset. */
static void hba_silence(struct isp_hba *hba)
{
	isp_queue_stop(&hba->q);
	isp_mbox_stop(&hba->hw.mbox);
	isp_hw_interrupts(&hba->hw, false);
	synchronize_irq(hba->hw.pdev->irq);
}

/**
 * isp_hba_start() - reset the card, test it, load and start its firmware
 * @hba: adapter, in state COLD or FAULT
 * @failed: the card has failed: a dump is taken of it
 *
 * Commands that were with the card are ended: once reset, it does no more DMA.
 *
 * Context: process; sleeps.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_hba_start(struct isp_hba *hba, bool failed)
{
	struct isp_hw *hw = &hba->hw;
	int ret;

	if (!isp_hba_set_state(hba, ISP_STARTING))
		return -ENODEV;
	hba_silence(hba);
	if (failed)
		isp_dump_begin(hw);
	ret = hw->chip->reset(hw);
	if (ret == -ENODEV) {
		isp_hw_fault(hw, "card is gone");
		return ret;
	}
	isp_queue_flush(&hba->q, ISP_CS_HOST_RESET);
	if (ret)
		return ret;
	isp_stats_card_reset(&hba->fab.stats);
	isp_mbox_open(&hw->mbox);
	isp_hw_interrupts(hw, true);
	ret = isp_mbox_selftest(hw);
	if (ret)
		return ret;
	isp_dump_end(hw);
	if (!hw->cfg.wwpn)
		isp_fw_config(hw);
	if (!hw->firmware)
		ret = isp_fw_get(hw);
	return ret ?: isp_fw_start(hw);
}

/**
 * isp_hba_go() - give the firmware its rings and go on the loop
 * @hba: adapter after isp_hba_start()
 *
 * Context: process; sleeps.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_hba_go(struct isp_hba *hba)
{
	struct isp_rings rings;
	int ret;

	isp_queue_rings(&hba->q, &rings);
	isp_queue_start(&hba->q);
	ret = hba->hw.chip->fw_init(&hba->hw, &rings);
	if (ret)
		return ret;
	hba->up_since = jiffies;
	return isp_hba_set_state(hba, ISP_UP) ? 0 : -EIO;
}

/* No interrupt, no mailbox command, and no DMA even if the reset fails. */
static void hba_rest(struct isp_hba *hba)
{
	struct isp_hw *hw = &hba->hw;

	hba_silence(hba);
	if (!isp_hw_gone(hw))
		hw->chip->reset(hw);
	pci_clear_master(hw->pdev);
}

/*
 * The end: nothing will come from the card any more, and nothing will be given
 * to it.
 */
static void hba_die(struct isp_hba *hba)
{
	isp_hba_set_state(hba, ISP_DEAD);
	hba_rest(hba);
	/* Bring-up may have failed because its line is stuck, and be shared. */
	pci_intx(hba->hw.pdev, false);
	isp_queue_flush(&hba->q, ISP_CS_HOST_DEAD);
	isp_fabric_dead(&hba->fab);
	hba->ops->block(hba->shost, false);
}

static void hba_give_up(struct isp_hba *hba)
{
	struct isp_hw *hw = &hba->hw;

	if (!isp_hw_gone(hw))
		dev_err(hw->dev, "given up after %u resets: replace the card, or unbind and bind it in /sys/bus/pci/drivers/qla_isp to try again\n",
			max(hba->resets, hba->burst));
	hba_die(hba);
}

/* What the card has done since it last came up may make up for its resets. */
static void hba_count_health(struct isp_hba *hba)
{
	unsigned long now = jiffies;

	if (READ_ONCE(hba->q.seen) >= ISP_HEALTHY_ENTRIES ||
	    time_after(now, hba->up_since + ISP_HEALTHY_S * HZ))
		hba->resets = 0;
	if (!hba->burst || time_after(now, hba->burst_since + ISP_HEALTHY_S * HZ)) {
		hba->burst = 0;
		hba->burst_since = now;
	}
}

/*
 * Runs beside discovery, and never waits for it: discovery may have to wait
 * for commands that wait for error handling that waits for us.
 */
static void hba_try_recovery(struct isp_hba *hba)
{
	bool asked = xchg(&hba->asked, 0);
	unsigned int attempts = 0;

	/* Killed while hba_fault() was at work: nobody else lets go again. */
	if (isp_hba_state(hba) == ISP_DEAD)
		hba->ops->block(hba->shost, false);
	if (isp_hba_state(hba) != ISP_FAULT)
		return;
	hba_count_health(hba);
	isp_fabric_hold(&hba->fab);
	while (!isp_hw_gone(&hba->hw) && hba->resets < ISP_RESETS_MAX &&
	       hba->burst < ISP_BURST_MAX && attempts++ < ISP_ATTEMPTS_MAX) {
		hba->resets++;
		hba->burst++;
		WRITE_ONCE(hba->resets_total, hba->resets_total + 1);
		if (!isp_hba_start(hba, !asked) && !isp_hba_go(hba)) {
			if (asked) {
				hba->resets--;
				hba->burst--;
			}
			dev_info(hba->hw.dev, "card is running again%s\n",
				 hba->hw.dumped ?
				 "; a dump is in /sys/class/devcoredump" : "");
			hba->ops->block(hba->shost, false);
			return;
		}
		/* The driver is being removed: that is somebody else's work. */
		if (isp_hba_state(hba) == ISP_DEAD)
			return;
		/* It may have answered with an error, which is no fault. */
		isp_hba_set_state(hba, ISP_FAULT);
	}
	hba_give_up(hba);
}

/* Nothing here may start I/O: it would wait for the card. */
static void hba_recover(struct work_struct *work)
{
	unsigned int noio = memalloc_noio_save();

	hba_try_recovery(container_of(work, struct isp_hba, recover));
	memalloc_noio_restore(noio);
}

/**
 * isp_hba_wait_recovery() - wait until a reset of the card is through
 * @hba: adapter
 *
 * Whether it is under way, or about to begin: whoever found the fault first
 * changes the state, and then queues the work.
 *
 * Context: process; sleeps up to some seconds.
 *
 * Return: 0 if the card runs, else -EIO.
 */
int isp_hba_wait_recovery(struct isp_hba *hba)
{
	unsigned int tries = 100;

	do {
		flush_work(&hba->recover);
		if (isp_hba_state(hba) == ISP_UP)
			return 0;
		if (isp_hba_state(hba) == ISP_DEAD)
			return -EIO;
		msleep(20);
	} while (--tries);
	return -EIO;
}

/**
 * isp_hba_reset() - reset the card and wait until it runs again
 * @hba: adapter
 * @why: for the log
 *
 * A reset that is already under way is waited for instead.
 *
 * Context: process; sleeps up to some seconds.
 *
 * Return: 0 if it runs, else a negative errno.
 */
int isp_hba_reset(struct isp_hba *hba, const char *why)
{
	if (isp_hba_state(hba) == ISP_UP) {
		WRITE_ONCE(hba->asked, 1);
		isp_hw_fault(&hba->hw, "%s", why);
	}
	return isp_hba_wait_recovery(hba);
}

/**
 * isp_hba_enable_recovery() - from now on, faults are answered with resets
 * @hba: adapter whose host has been registered
 */
void isp_hba_enable_recovery(struct isp_hba *hba)
{
	enum isp_state state;

	spin_lock_irq(&hba->state_lock);
	hba->recoverable = true;
	state = hba->state;
	spin_unlock_irq(&hba->state_lock);
	/* A fault between isp_hba_go() and now has found nobody to act. */
	if (state == ISP_FAULT) {
		hba->ops->block(hba->shost, true);
		queue_work(hba->wq, &hba->recover);
	}
}

/**
 * isp_hba_sleep() - reset the card for the time that the system sleeps
 * @hba: adapter with a registered host
 *
 * It does no DMA then and does not interrupt. Ports stay, and commands that
 * come, or had not come back, wait until isp_hba_wake().
 *
 * Context: process; sleeps. The SCSI devices have been suspended.
 *
 * Return: 0, also if the card is dead; -EBUSY if it cannot be brought to rest.
 */
int isp_hba_sleep(struct isp_hba *hba)
{
	isp_hba_wait_recovery(hba);
	isp_fabric_pause(&hba->fab);
	hba->ops->block(hba->shost, true);
	if (!isp_hba_set_state(hba, ISP_ASLEEP)) {
		isp_fabric_resume(&hba->fab);
		/* Otherwise recovery lets the commands go. */
		if (isp_hba_state(hba) != ISP_DEAD)
			return -EBUSY;
		hba->ops->block(hba->shost, false);
		return 0;
	}
	hba_rest(hba);
	isp_queue_flush(&hba->q, ISP_CS_HOST_RESET);
	return 0;
}

/**
 * isp_hba_wake() - bring the card up again after isp_hba_sleep()
 * @hba: adapter
 *
 * Discovery follows by itself. Context: process; sleeps.
 *
 * Return: 0, or -EIO if the card does not run.
 */
int isp_hba_wake(struct isp_hba *hba)
{
	WRITE_ONCE(hba->asked, 1);
	if (!isp_hba_set_state(hba, ISP_FAULT))
		return isp_hba_state(hba) == ISP_DEAD ? 0 : -EIO;
	isp_fabric_resume(&hba->fab);
	queue_work(hba->wq, &hba->recover);
	return isp_hba_wait_recovery(hba);
}

/**
 * isp_hba_kill() - stop the card for good
 * @hba: adapter, in any state
 *
 * Commands still with it are ended. Context: process; sleeps.
 */
void isp_hba_kill(struct isp_hba *hba)
{
	/* In this order: from here on recovery neither starts nor goes on. */
	isp_hba_set_state(hba, ISP_DEAD);
	isp_mbox_close(&hba->hw.mbox);
	cancel_work_sync(&hba->recover);
	hba_die(hba);
}

/**
 * isp_hba_init() - set an adapter up in memory
 * @hba: adapter, zeroed but for hw.pdev, hw.dev, hw.host, hw.chip, hw.regs and
 *	shost
 * @qops: where completions go
 * @ops: calls upwards
 *
 * Return: 0 or -ENOMEM.
 */
int isp_hba_init(struct isp_hba *hba, const struct isp_queue_ops *qops,
		 const struct isp_hba_ops *ops)
{
	struct isp_hw *hw = &hba->hw;

	hba->ops = ops;
	hw->events = &hba_hw_events;
	spin_lock_init(&hba->state_lock);
	INIT_WORK(&hba->recover, hba_recover);
	isp_mbox_init(&hw->mbox);
	isp_quiet_init(hw);
	mutex_init(&hw->scratch_lock);
	hw->scratch = dma_alloc_coherent(hw->dev, ISP_SCRATCH_SIZE,
					 &hw->scratch_dma, GFP_KERNEL);
	if (!hw->scratch)
		return -ENOMEM;
	hba->wq = alloc_ordered_workqueue("isp_reset_%s", WQ_MEM_RECLAIM,
					  pci_name(hw->pdev));
	if (!hba->wq)
		goto err_scratch;
	if (isp_fabric_init(&hba->fab, hba->shost, hw, &hba->q))
		goto err_wq;
	if (isp_queue_alloc(&hba->q, hw, qops))
		goto err_fabric;
	return 0;

err_fabric:
	isp_fabric_exit(&hba->fab);
err_wq:
	destroy_workqueue(hba->wq);
err_scratch:
	dma_free_coherent(hw->dev, ISP_SCRATCH_SIZE, hw->scratch,
			  hw->scratch_dma);
	return -ENOMEM;
}

/**
 * isp_hba_exit() - undo isp_hba_init() and what came after it
 * @hba: adapter, killed
 */
void isp_hba_exit(struct isp_hba *hba)
{
	struct isp_hw *hw = &hba->hw;

	destroy_workqueue(hba->wq);
	isp_quiet_exit(hw);
	isp_fabric_exit(&hba->fab);
	isp_queue_free(&hba->q);
	dma_free_coherent(hw->dev, ISP_SCRATCH_SIZE, hw->scratch,
			  hw->scratch_dma);
	isp_dump_drop(hw);
	isp_fw_put(hw);
}
