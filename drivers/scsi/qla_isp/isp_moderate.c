// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 3: moderation of interrupts. Documentation/moderation.md has the rule.
 *
 * Under load an interrupt for each completion only takes the processor away
 * from those who are about to submit, and could as well look for completions
 * when they do. So the card's interrupts are masked then (isp_quiet.c), and the
 * response ring is looked at
 *  - after each doorbell,
 *  - by a timer, in case there is none,
 *  - by the interrupt handler, which has a turn in each MOD_AIR_TICKS of the
 *    timer, for the card may have more to say than completions.
 *
 * None of this is in the way of commands when interrupts are not masked: the
 * look that decides about it is made where a submitter looks for room in the
 * ring anyway, if a bit more often, and goes by what is counted in any case.
 */
#include <linux/irq.h>
#include <linux/kernel_stat.h>	/* get_cpu_idle_time_us(), or in tick.h */
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/tick.h>

#include "isp_compat.h"
#include "isp_queue.h"

/* Entries between two looks: no multiple of how many may submit in turn. */
#define MOD_LOOK_EVERY		251
/* Good looks in a row that begin it: at least, and after many failures. */
#define MOD_NEED_MIN		2
#define MOD_NEED_MAX		256
/* In so many ticks, one has air. */
#define MOD_AIR_TICKS		16
/* The processor has been busy: idle for less than one in so many parts. */
#define MOD_BUSY_PARTS		64

static u64 mod_idle_us(int cpu)
{
	/* All ones, all the time, if the kernel does not know. */
	return get_cpu_idle_time_us(cpu, NULL) +
	       get_cpu_iowait_time_us(cpu, NULL);
}

/* Does the processor that we are on get the card's interrupts? */
static bool mod_here(const struct isp_queue *q, int cpu)
{
	struct irq_data *data = irq_get_irq_data(q->hw->pdev->irq);

	return data &&
	       cpumask_test_cpu(cpu, irq_data_get_effective_affinity_mask(data));
}

/* What has happened since the last look, and how things stand. */
static bool mod_pays(struct isp_queue *q, int cpu)
{
	struct isp_moderation *mod = &q->mod;
	u32 rsp = READ_ONCE(q->rsp_out);
	unsigned int drains = READ_ONCE(q->drains);
	u64 now = ktime_to_us(ktime_get());
	u64 idle = mod_idle_us(cpu);
	bool pays;

	pays = mod->cpu == cpu &&
	       (idle - mod->idle) * MOD_BUSY_PARTS < now - mod->when &&
	       rsp - mod->rsp < 2 * (drains - mod->drains);
	mod->cpu = cpu;
	mod->rsp = rsp;
	mod->drains = drains;
	mod->when = now;
	mod->idle = idle;
	return pays;
}

static void mod_begin(struct isp_queue *q)
{
	struct isp_moderation *mod = &q->mod;

	if (!isp_quiet_moderate(q->hw, ISP_QUIET_NOBODY, ISP_QUIET_MODERATION))
		return;
	mod->begun++;
	WRITE_ONCE(mod->on, true);
	mod->ticks = 0;
	mod->by_timer = 0;
	atomic_set(&mod->by_submit, 0);
	mod->period = ns_to_ktime(mod->us * NSEC_PER_USEC);
	hrtimer_start(&mod->timer, mod->period, HRTIMER_MODE_REL_PINNED);
}

/* What was in vain is not tried again so soon. */
static void mod_end(struct isp_queue *q, enum isp_mod_end why)
{
	struct isp_moderation *mod = &q->mod;

	if (!isp_quiet_unmoderate(q->hw))
		return;
	WRITE_ONCE(mod->on, false);
	mod->ended[why]++;
	if (why != ISP_MOD_ASKED)
		WRITE_ONCE(mod->need, min(2 * mod->need, MOD_NEED_MAX));
}

/**
 * isp_moderate_look() - is this a time to moderate interrupts?
 * @q: queue, moderated, locked
 *
 * Context: process, about to submit.
 */
void isp_moderate_look(struct isp_queue *q)
{
	struct isp_moderation *mod = &q->mod;
	int cpu = raw_smp_processor_id();

	if (isp_queue_out(q) < mod->depth || isp_quiet(q->hw) ||
	    !mod_here(q, cpu)) {
		mod->streak = 0;
		mod->cpu = -1;
		return;
	}
	mod->streak = mod_pays(q, cpu) ? mod->streak + 1 : 0;
	/* The timer may be at its last tick yet. */
	if (mod->streak < READ_ONCE(mod->need) || hrtimer_active(&mod->timer))
		return;
	mod->streak = 0;
	mod->cpu = -1;
	mod_begin(q);
}

/**
 * isp_moderate_sent() - the doorbell has been rung in a quiet time
 * @q: queue
 *
 * Context: process.
 */
void isp_moderate_sent(struct isp_queue *q)
{
	unsigned int n;

	if (!isp_moderated(q->hw))
		return;
	/* The block layer's softirq, which ends the commands, is to run here. */
	local_bh_disable();
	n = isp_queue_poll(q);
	local_bh_enable();
	atomic_add(n, &q->mod.by_submit);
	/* So that the last one to submit does not wait for the timer. */
	if (isp_queue_out(q) < READ_ONCE(q->mod.depth))
		mod_end(q, ISP_MOD_SHALLOW);
}

/* In one tick of many: have submitters been about? */
static bool mod_works(struct isp_moderation *mod)
{
	unsigned int by_submit = atomic_xchg(&mod->by_submit, 0);
	bool works = by_submit >= mod->by_timer;

	mod->by_timer = 0;
	if (works)
		WRITE_ONCE(mod->need, max(mod->need / 2, MOD_NEED_MIN));
	return works;
}

/* Returns whether to go on. */
static bool mod_tick(struct isp_queue *q)
{
	struct isp_moderation *mod = &q->mod;

	mod->by_timer += isp_queue_poll(q);
	if (is_idle_task(current)) {
		mod_end(q, ISP_MOD_IDLE);
	} else if (isp_queue_out(q) < READ_ONCE(mod->depth)) {
		mod_end(q, ISP_MOD_SHALLOW);
	} else if (++mod->ticks % MOD_AIR_TICKS) {
		isp_quiet_moderate(q->hw, ISP_QUIET_AIR, ISP_QUIET_MODERATION);
		return true;
	} else if (!mod_works(mod)) {
		mod_end(q, ISP_MOD_TIMER);
	} else {
		isp_quiet_moderate(q->hw, ISP_QUIET_MODERATION, ISP_QUIET_AIR);
		return true;
	}
	return false;
}

static enum hrtimer_restart mod_expired(struct hrtimer *timer)
{
	struct isp_queue *q = container_of(timer, struct isp_queue, mod.timer);

	if (!isp_moderated(q->hw)) {
		/* For a mailbox command, or a reset. */
		if (q->mod.on)
			q->mod.ended[ISP_MOD_ASKED]++;
		WRITE_ONCE(q->mod.on, false);
		return HRTIMER_NORESTART;
	}
	if (!mod_tick(q))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, q->mod.period);
	return HRTIMER_RESTART;
}

/**
 * isp_moderate_init() - set up: none
 * @q: queue
 */
void isp_moderate_init(struct isp_queue *q)
{
	q->mod.depth = ISP_MOD_DEPTH;
	hrtimer_setup(&q->mod.timer, mod_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED);
}

/**
 * isp_moderate_exit() - undo isp_moderate_init()
 * @q: queue that nobody submits to
 *
 * Context: process; sleeps.
 */
void isp_moderate_exit(struct isp_queue *q)
{
	hrtimer_cancel(&q->mod.timer);
}

/**
 * isp_moderate_set() - set the bounds
 * @q: queue
 * @us: the timer's period, 0: no moderation; NULL: as it is
 * @depth: so many commands must be with the card; NULL: as it is
 *
 * From now on; what was learned is forgotten. Context: process.
 *
 * Return: 0; -EINVAL if one is out of range; -EOPNOTSUPP if @us is not 0 and
 * the kernel is PREEMPT_RT, whose timers do not interrupt what they should see
 * to.
 */
int isp_moderate_set(struct isp_queue *q, const unsigned int *us,
		     const unsigned int *depth)
{
	struct isp_moderation *mod = &q->mod;

	if (us && *us && (*us < ISP_MOD_US_MIN || *us > ISP_MOD_US_MAX))
		return -EINVAL;
	if (depth && (*depth < ISP_MOD_DEPTH_MIN || *depth > ISP_MOD_DEPTH_MAX))
		return -EINVAL;
	if (us && *us && IS_ENABLED(CONFIG_PREEMPT_RT))
		return -EOPNOTSUPP;
	spin_lock(&q->lock);
	if (us)
		mod->us = *us;
	if (depth)
		WRITE_ONCE(mod->depth, *depth);
	WRITE_ONCE(mod->need, MOD_NEED_MIN);
	mod->streak = 0;
	mod->cpu = -1;
	q->look_every = mod->us ? MOD_LOOK_EVERY : q->req_mask + 1;
	q->look = q->prod;
	spin_unlock(&q->lock);
	mod_end(q, ISP_MOD_ASKED);
	return 0;
}
