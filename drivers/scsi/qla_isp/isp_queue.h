/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 3: a queue pair: request ring, response ring, and the table of
 * commands that are with the card.
 */
#ifndef ISP_QUEUE_H
#define ISP_QUEUE_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "isp_chip.h"
#include "isp_iocb.h"

/*
 * A handle is the slot number (the blk-mq tag) in the low bits and a
 * generation above it, never 0. The card hands it back with the command's
 * status; a handle of another generation than the slot's present one is
 * stale or forged.
 */
#define ISP_HANDLE_TAG_BITS	12
#define ISP_HANDLE_TAG_MASK	(BIT(ISP_HANDLE_TAG_BITS) - 1)
#define ISP_HANDLE_ALWAYS	BIT(31)		/* so that none is 0 */

/**
 * struct isp_slot - one command's place in the table
 * @handle: of the command that is with the card, 0 if none. Taking it to 0
 *	(cmpxchg) is what makes one, and only one, the owner of its completion
 * @next: the next handle
 * @end: position in the request stream just behind the command's entries
 * @lun: the command's LUN
 * @nexus: its target port; compared, never followed
 * @rq: the command, for who owns its completion: its memory goes with it, and
 *	whoever only looks at the table must make do with the rest
 */
struct isp_slot {
	u32 handle;
	u32 next;
	u32 end;
	u32 lun;
	const struct isp_nexus *nexus;
	struct isp_request *rq;
};

/* For the functions that pick commands by port and LUN. */
#define ISP_ANY_NEXUS		NULL
#define ISP_ANY_LUN		(~0ULL)

struct isp_queue;

/**
 * struct isp_queue_ops - how a queue speaks to the floor above
 * @done: a command has ended, well if the status is NULL; called once per
 *	command, in interrupt context or, from a poller or for those lost to a
 *	reset, in process context; no spinlock is held, but preemption may be off
 * @settle: wait until nothing is left to do of the calls of done() so far;
 *	process context
 */
struct isp_queue_ops {
	void (*done)(struct isp_queue *q, struct isp_request *rq,
		     const struct isp_status *st);
	void (*settle)(struct isp_queue *q);
};

/**
 * struct isp_queue_counts - commands handed to the card
 * @requests: their number, by enum isp_dir
 * @bytes: what they ask to move, likewise
 */
struct isp_queue_counts {
	u64 requests[ISP_DIRS];
	u64 bytes[ISP_DIRS];
};

/* What the user may set: isp_moderate.c. */
#define ISP_MOD_US_MIN		10
#define ISP_MOD_US_MAX		1000
#define ISP_MOD_DEPTH_MIN	2
#define ISP_MOD_DEPTH_MAX	1024
#define ISP_MOD_DEPTH		8

/* Why a time of moderation has ended. */
enum isp_mod_end {
	ISP_MOD_SHALLOW,		/* fewer commands than there must be */
	ISP_MOD_IDLE,			/* the processor has nothing to do */
	ISP_MOD_TIMER,			/* the timer finds more than submitters */
	ISP_MOD_ASKED,			/* somebody counts on an interrupt */
	ISP_MOD_ENDS,
};

/**
 * struct isp_moderation - moderation of interrupts
 * @us: the timer's period; 0: no moderation. Written under the queue's lock
 * @depth: so many commands must be with the card, likewise
 * @timer: runs while the card's interrupts are masked for this
 * @period: how long to the next time
 * @on: it has begun, and has not been seen to end
 * @need: so many good looks in a row begin it
 * @begun: how often it has begun
 * @ended: and ended, for each reason
 *
 * What the last look saw, under the queue's lock:
 * @streak: good looks in a row
 * @cpu: where it was made; -1: there is none to compare with
 * @rsp: the queue's rsp_out
 * @drains: the queue's drains
 * @when: it was made, us
 * @idle: how long the processor had been idle by then, us
 *
 * Of the timer:
 * @ticks: since moderation has begun
 * @by_timer: entries that it has found
 * @by_submit: entries that submitters have found, since it last compared
 */
struct isp_moderation {
	unsigned int us;
	unsigned int depth;
	struct hrtimer timer;
	ktime_t period;
	bool on;
	unsigned int need;
	unsigned int begun;
	unsigned int ended[ISP_MOD_ENDS];
	unsigned int streak;
	int cpu;
	u32 rsp;
	unsigned int drains;
	u64 when;
	u64 idle;
	unsigned int ticks;
	unsigned int by_timer;
	atomic_t by_submit;
};

/* Sense data is collected up to this, the size of the midlayer's buffer. */
#define ISP_SENSE_MAX		96

/**
 * struct isp_queue - a queue pair
 *
 * Read-mostly:
 * @hw: card
 * @chip: its operations
 * @ops: calls upwards
 * @slots: table of commands, by tag
 * @nr_slots: its length
 * @req: request ring
 * @rsp: response ring
 * @req_dma: bus address of @req
 * @rsp_dma: bus address of @rsp
 * @req_mask: entries of @req, less 1
 * @rsp_mask: entries of @rsp, less 1
 * @done_mark: last word of a response entry that has been dealt with
 *
 * Written by submitters:
 * @lock: guards the fields down to @counts, the request ring's entries and its
 *	doorbell; never held over anything that waits, nor taken in interrupt
 * @prod: entries ever put on the request ring
 * @rung: the card knows of entries up to here
 * @cons: the card is known to have fetched entries up to here
 * @look: entries may be put up to here before the next look at @seen
 * @look_every: such a look is due after so many at most
 * @out_base: what @counts said when no command was with the card and @rsp_out
 *	was 0
 * @live: submission is allowed; cleared by isp_queue_close() without the lock
 * @epoch: counts the times that the loop went away, never 0: ports found before
 *	then take no commands until they have been found again; written by
 *	floor 4 without the lock
 * @counts: for statistics
 *
 * Written by whoever holds @rsp_busy: interrupt handler, poller, or reset:
 * @rsp_busy: bit 0: somebody is at the response ring
 * @seen: end position of the latest command that came back; the card fetches
 *	in order, so everything before it has been fetched too
 * @rsp_out: next response entry to look at, counted on beyond the ring's end
 * @rsp_more: entries before it that were not a command's first
 * @drains: how often there was something on the response ring
 * @sense_slot: command whose sense data goes on in further entries, or NULL
 * @sense_status: its status
 * @sense: its sense data so far
 *
 * @useless: interrupts since there last was something on the response ring
 *	(@drains was @useless_since), or another message
 * @useless_since: see there
 *
 * Shared:
 * @idle_wq: woken when a command ends while somebody waits for it
 * @flushing: isp_queue_flush() is at work
 * @mod: moderation of interrupts
 */
struct isp_queue {
	struct isp_hw *hw;
	const struct isp_chip *chip;
	const struct isp_queue_ops *ops;
	struct isp_slot *slots;
	unsigned int nr_slots;
	void *req;
	void *rsp;
	dma_addr_t req_dma;
	dma_addr_t rsp_dma;
	u32 req_mask;
	u32 rsp_mask;
	u32 done_mark;

	spinlock_t lock ____cacheline_aligned_in_smp;
	u32 prod;
	u32 rung;
	u32 cons;
	u32 look;
	unsigned int look_every;
	u32 out_base;
	bool live;
	unsigned int epoch;
	struct isp_queue_counts counts;

	unsigned long rsp_busy ____cacheline_aligned_in_smp;
	u32 seen;
	u32 rsp_out;
	u32 rsp_more;
	unsigned int drains;
	struct isp_slot *sense_slot;
	struct isp_status sense_status;
	u8 sense[ISP_SENSE_MAX];
	unsigned int useless;
	unsigned int useless_since;

	wait_queue_head_t idle_wq;
	bool flushing;

	struct isp_moderation mod;
};

/* isp_queue.c */
int isp_queue_alloc(struct isp_queue *q, struct isp_hw *hw,
		    const struct isp_queue_ops *ops);
int isp_queue_set_slots(struct isp_queue *q, unsigned int nr_slots);
void isp_queue_free(struct isp_queue *q);
void isp_queue_rings(const struct isp_queue *q, struct isp_rings *rings);
void isp_queue_start(struct isp_queue *q);
void isp_queue_close(struct isp_queue *q);
void isp_queue_sync(struct isp_queue *q);
void isp_queue_stop(struct isp_queue *q);
void isp_queue_flush(struct isp_queue *q, u16 comp);
int isp_queue_submit(struct isp_queue *q, unsigned int tag,
		     struct isp_request *rq, int ring);
void isp_queue_commit(struct isp_queue *q);
int isp_queue_marker(struct isp_queue *q, enum isp_marker_kind kind,
		     u16 loop_id, u64 lun);
u32 isp_queue_handle(const struct isp_queue *q, unsigned int tag,
		     const struct isp_request *rq);
bool isp_queue_wait(struct isp_queue *q, const struct isp_nexus *nexus,
		    u64 lun, unsigned int timeout_ms);
bool isp_queue_wait_handle(struct isp_queue *q, u32 handle,
			   unsigned int timeout_ms);
u32 isp_queue_next(const struct isp_queue *q, const struct isp_nexus *nexus,
		   unsigned int *tag, u64 *lun);
unsigned int isp_queue_out(const struct isp_queue *q);
unsigned int isp_queue_process(struct isp_queue *q);
unsigned int isp_queue_poll(struct isp_queue *q);
void isp_queue_get_counts(struct isp_queue *q, struct isp_queue_counts *c);
void isp_queue_reset_counts(struct isp_queue *q);

/* isp_intr.c */
irqreturn_t isp_intr_handler(int irq, void *data);

/* isp_moderate.c */
void isp_moderate_init(struct isp_queue *q);
void isp_moderate_exit(struct isp_queue *q);
int isp_moderate_set(struct isp_queue *q, const unsigned int *us,
		     const unsigned int *depth);
void isp_moderate_look(struct isp_queue *q);
void isp_moderate_sent(struct isp_queue *q);

#endif /* ISP_QUEUE_H */
