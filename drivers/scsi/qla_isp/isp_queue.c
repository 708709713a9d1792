// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 3: rings, handles and doorbells.
 *
 * The life of a command on this floor:
 *
 *  isp_queue_submit()   the slot of its tag takes a fresh handle, its entries
 *                       go on the request ring; doorbell, or left to commit
 *  isp_queue_process()  an entry of the response ring names the handle: looked
 *  isp_queue_poll()     at by the interrupt handler, or by who waits for it
 *  queue_finish()       whoever turns the slot's handle to 0 owns the command
 *                       and calls ops->done(), once
 *  isp_queue_flush()    does the same for all when the card has been reset
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "isp_queue.h"
#include "isp_trace.h"

/*
 * An entry of the response ring that has been dealt with carries the queue's
 * done_mark in its last word (and type 0), so that the next one can be found
 * by looking at memory instead of asking the card for its index. The mark is
 * drawn anew at each start: no target can know it and end its sense data so.
 */
#define RSP_MARK_OFFSET		(ISP_ENTRY_SIZE - sizeof(__le32))

/* What the slot says besides its handle is valid if the handle is not 0. */
static u32 slot_handle(const struct isp_slot *slot)
{
	/* Pairs with the release in isp_queue_submit(). */
	return smp_load_acquire(&slot->handle);
}

static void *ring_entry(void *ring, u32 pos, u32 mask)
{
	return ring + (size_t)(pos & mask) * ISP_ENTRY_SIZE;
}

/**
 * isp_queue_alloc() - allocate a queue's rings
 * @q: queue, zeroed
 * @hw: card
 * @ops: calls upwards
 *
 * Return: 0 or -ENOMEM.
 */
int isp_queue_alloc(struct isp_queue *q, struct isp_hw *hw,
		    const struct isp_queue_ops *ops)
{
	q->hw = hw;
	q->chip = hw->chip;
	q->ops = ops;
	q->req_mask = hw->chip->req_entries - 1;
	q->rsp_mask = hw->chip->rsp_entries - 1;
	q->look_every = hw->chip->req_entries;
	spin_lock_init(&q->lock);
	init_waitqueue_head(&q->idle_wq);
	isp_moderate_init(q);
	q->req = dma_alloc_coherent(hw->dev,
				    hw->chip->req_entries * ISP_ENTRY_SIZE,
				    &q->req_dma, GFP_KERNEL);
	q->rsp = dma_alloc_coherent(hw->dev,
				    hw->chip->rsp_entries * ISP_ENTRY_SIZE,
				    &q->rsp_dma, GFP_KERNEL);
	if (q->req && q->rsp)
		return 0;
	isp_queue_free(q);
	return -ENOMEM;
}

/**
 * isp_queue_set_slots() - make room for so many commands
 * @q: queue without any
 * @nr_slots: number of tags, at most 1 << ISP_HANDLE_TAG_BITS
 *
 * Return: 0 or -ENOMEM.
 */
int isp_queue_set_slots(struct isp_queue *q, unsigned int nr_slots)
{
	unsigned int tag;

	q->slots = kcalloc(nr_slots, sizeof(*q->slots), GFP_KERNEL);
	if (!q->slots)
		return -ENOMEM;
	q->nr_slots = nr_slots;
	for (tag = 0; tag < nr_slots; tag++)
		q->slots[tag].next = tag | ISP_HANDLE_ALWAYS;
	return 0;
}

/**
 * isp_queue_free() - give a queue's memory back
 * @q: queue; the card no longer knows of it
 */
void isp_queue_free(struct isp_queue *q)
{
	isp_moderate_exit(q);
	if (q->req)
		dma_free_coherent(q->hw->dev, (q->req_mask + 1) *
				  ISP_ENTRY_SIZE, q->req, q->req_dma);
	if (q->rsp)
		dma_free_coherent(q->hw->dev, (q->rsp_mask + 1) *
				  ISP_ENTRY_SIZE, q->rsp, q->rsp_dma);
	kfree(q->slots);
	q->req = NULL;
	q->rsp = NULL;
	q->slots = NULL;
	q->nr_slots = 0;
}

/**
 * isp_queue_rings() - where the rings are, for the firmware
 * @q: queue
 * @rings: filled in
 */
void isp_queue_rings(const struct isp_queue *q, struct isp_rings *rings)
{
	rings->req = q->req_dma;
	rings->rsp = q->rsp_dma;
	rings->req_entries = q->req_mask + 1;
	rings->rsp_entries = q->rsp_mask + 1;
}

static void rsp_mark_done(const struct isp_queue *q, void *entry)
{
	struct isp_entry_hdr *hdr = entry;

	hdr->type = 0;
	*(u32 *)(entry + RSP_MARK_OFFSET) = q->done_mark;
}

/*
 * The response ring has one reader at a time. A bit instead of a spinlock:
 * nobody who may be interrupted by the handler while he has it, nor the
 * handler, ever waits for it; the one who has it looks again when he is done.
 *
 * He is not preempted meanwhile, so that whoever does wait need not for long.
 * With PREEMPT_RT he may be, for locks that ops->done() takes sleep there; then
 * those who wait sleep too.
 */
#define RSP_PREEMPTIBLE		IS_ENABLED(CONFIG_PREEMPT_RT)

static void rsp_enter(void)
{
	if (!RSP_PREEMPTIBLE)
		preempt_disable();
}

static void rsp_leave(void)
{
	if (!RSP_PREEMPTIBLE)
		preempt_enable();
}

static void rsp_wait(void)
{
	if (RSP_PREEMPTIBLE)
		usleep_range(10, 50);
	else
		cpu_relax();
}

static bool rsp_trylock(struct isp_queue *q)
{
	return !test_and_set_bit_lock(0, &q->rsp_busy);
}

static void rsp_unlock(struct isp_queue *q)
{
	clear_bit_unlock(0, &q->rsp_busy);
}

/* For those who are not in a hurry; the handler does not run. */
static void rsp_lock(struct isp_queue *q)
{
	rsp_enter();
	while (!rsp_trylock(q))
		rsp_wait();
}

static void rsp_unlock_relaxed(struct isp_queue *q)
{
	rsp_unlock(q);
	rsp_leave();
}

static u32 queue_sent(const struct isp_queue *q)
{
	unsigned int dir;
	u32 sent = 0;

	for (dir = 0; dir < ISP_DIRS; dir++)
		sent += READ_ONCE(q->counts.requests[dir]);
	return sent;
}

/**
 * isp_queue_out() - how many commands are with the card
 * @q: queue
 *
 * By what was sent and what has come back, which are counted anyway: nothing
 * is counted for this. Exact when nobody submits or completes meanwhile.
 *
 * Context: any.
 *
 * Return: their number.
 */
unsigned int isp_queue_out(const struct isp_queue *q)
{
	u32 ended = READ_ONCE(q->rsp_out) - READ_ONCE(q->rsp_more);
	s32 out = queue_sent(q) - READ_ONCE(q->out_base) - ended;

	return max(out, 0);
}

/**
 * isp_queue_start() - empty the rings and allow submission
 * @q: queue; the card has been reset, its interrupts are of no interest
 *
 * To be called before the firmware is told about the rings.
 */
void isp_queue_start(struct isp_queue *q)
{
	u32 n;

	rsp_lock(q);
	memset(q->req, 0, (q->req_mask + 1) * ISP_ENTRY_SIZE);
	memset(q->rsp, 0, (q->rsp_mask + 1) * ISP_ENTRY_SIZE);
	q->done_mark = get_random_u32();
	for (n = 0; n <= q->rsp_mask; n++)
		rsp_mark_done(q, ring_entry(q->rsp, n, q->rsp_mask));
	q->rsp_out = 0;
	q->rsp_more = 0;
	q->sense_slot = NULL;
	WRITE_ONCE(q->seen, 0);
	rsp_unlock_relaxed(q);

	spin_lock(&q->lock);
	q->prod = 0;
	q->rung = 0;
	q->cons = 0;
	q->look = 0;
	q->out_base = queue_sent(q);
	WRITE_ONCE(q->live, true);
	spin_unlock(&q->lock);
}

/**
 * isp_queue_close() - allow no more submission
 * @q: queue
 *
 * Context: any.
 */
void isp_queue_close(struct isp_queue *q)
{
	WRITE_ONCE(q->live, false);
}

/**
 * isp_queue_sync() - wait until submitters have seen what was written before
 * @q: queue
 *
 * Whoever still goes by an earlier state of the queue (open) or of a port
 * (ready, at that loop id) has put his command into the ring.
 *
 * Context: process.
 */
void isp_queue_sync(struct isp_queue *q)
{
	spin_lock(&q->lock);
	spin_unlock(&q->lock);
}

/**
 * isp_queue_stop() - allow no more submission, and have nobody at the rings
 * @q: queue
 *
 * When it returns, no submitter and no poller is at work any more.
 *
 * Context: process.
 */
void isp_queue_stop(struct isp_queue *q)
{
	isp_queue_close(q);
	isp_queue_sync(q);
	rsp_lock(q);
	rsp_unlock_relaxed(q);
}

/* ---- Submission -------------------------------------------------------- */

static unsigned int queue_free(const struct isp_queue *q)
{
	return q->req_mask + 1 - (q->prod - q->cons);
}

/*
 * For how many entries is there room? One is kept free, since a full ring
 * would look like an empty one, and one more for a marker. What the card has
 * fetched is learned from completions, never by asking it: as long as the
 * ring looks full there are commands to complete, for isp_queue_marker()
 * accounts for markers.
 */
static int queue_room(struct isp_queue *q)
{
	u32 seen = READ_ONCE(q->seen);

	if ((s32)(seen - q->cons) > 0)
		q->cons = seen;
	return (int)queue_free(q) - 2;
}

/* Not inlined: most commands have room that an earlier look has found. */
static noinline bool queue_look(struct isp_queue *q, int entries)
{
	int room = queue_room(q);

	q->look = q->prod + clamp_t(int, room, 0, q->look_every);
	if (q->mod.us)
		isp_moderate_look(q);
	return room >= entries;
}

static bool queue_has_room(struct isp_queue *q, int entries)
{
	return likely((s32)(q->look - q->prod) >= entries) ||
	       queue_look(q, entries);
}

static void queue_ring(struct isp_queue *q)
{
	/* The register write orders itself behind the entries in memory. */
	isp_wr(q->hw, q->chip->req_in, q->prod & q->req_mask);
	q->rung = q->prod;
}

/* Handles of a slot differ in their generation, and none is 0. */
static u32 slot_open(struct isp_slot *slot, struct isp_request *rq)
{
	u32 handle = slot->next;

	slot->next = (handle + BIT(ISP_HANDLE_TAG_BITS)) | ISP_HANDLE_ALWAYS;
	slot->lun = rq->lun;
	slot->nexus = rq->nexus;
	slot->rq = rq;
	return handle;
}

/* Segments that have no place in the first entry; not inlined, as most have. */
static noinline void queue_put_rest(struct isp_queue *q, const struct isp_request *rq)
{
	const struct isp_chip *chip = q->chip;
	struct scatterlist *sg = rq->sg;
	unsigned int left = rq->nseg, n;

	for (n = 0; n < chip->cmd_dsds; n++, left--)
		sg = sg_next(sg);
	while (left) {
		sg = chip->build_cont(ring_entry(q->req, q->prod++,
						 q->req_mask), sg, left);
		left -= min_t(unsigned int, left, chip->cont_dsds);
	}
}

/* Not inlined, so that it takes no more than one NOP where it is called. */
static noinline void queue_trace_begin(struct isp_queue *q,
				       const struct isp_request *rq, u32 handle)
{
	trace_isp_command(q->hw, rq, handle, NULL);
}

/* q->lock held. */
static void queue_put(struct isp_queue *q, struct isp_slot *slot,
		      struct isp_request *rq, unsigned int entries)
{
	u32 handle = slot_open(slot, rq);
	unsigned int dir;

	q->chip->build_command(q->hw,
			       ring_entry(q->req, q->prod++, q->req_mask),
			       rq, handle, entries);
	if (unlikely(rq->nseg > q->chip->cmd_dsds))
		queue_put_rest(q, rq);
	dir = rq->dir;
	q->counts.requests[dir]++;
	q->counts.bytes[dir] += rq->bytes;
	slot->end = q->prod;
	if (trace_isp_command_enabled())
		queue_trace_begin(q, rq, handle);
	/* Pairs with the acquire in slot_handle(). */
	smp_store_release(&slot->handle, handle);
}

/**
 * isp_queue_submit() - hand a command to the card
 * @q: queue
 * @tag: the command's blk-mq tag
 * @rq: the command
 * @ring: not 0: ring the doorbell; otherwise isp_queue_commit() must follow
 *
 * Its entries are built where the card reads them, under the lock: a copy of a
 * finished entry would take as long.
 *
 * Context: process, as blk-mq calls its drivers.
 *
 * Return: 0, -EAGAIN if there is no room now, -ESHUTDOWN if the queue is
 * closed, -ENOTCONN if its port is not ready, -EBUSY if the tag's last command
 * is still with the card.
 */
int isp_queue_submit(struct isp_queue *q, unsigned int tag,
		     struct isp_request *rq, int ring)
{
	const struct isp_chip *chip = q->chip;
	struct isp_slot *slot = &q->slots[tag];
	unsigned int entries = 1, epoch;
	int ret;

	/*
	 * Under the lock from the look at queue and port until the command is
	 * in the ring: see isp_queue_sync().
	 */
	spin_lock(&q->lock);
	/* Pairs with cmpxchg() in port_found(): the loop id is read later. */
	epoch = smp_load_acquire(&rq->nexus->epoch);
	if (unlikely(rq->nseg > chip->cmd_dsds))
		entries += DIV_ROUND_UP(rq->nseg - chip->cmd_dsds,
					chip->cont_dsds);
	if (unlikely(!READ_ONCE(q->live))) {
		ret = -ESHUTDOWN;
	} else if (unlikely(epoch != READ_ONCE(q->epoch))) {
		ret = -ENOTCONN;
	} else if (unlikely(READ_ONCE(slot->handle))) {
		ret = -EBUSY;
	} else if (unlikely(!queue_has_room(q, entries))) {
		ret = -EAGAIN;
	} else {
		queue_put(q, slot, rq, entries);
		if (likely(ring))
			queue_ring(q);
		spin_unlock(&q->lock);
		return 0;
	}
	spin_unlock(&q->lock);
	return ret;
}

/**
 * isp_queue_get_counts() - what has been handed to the card so far
 * @q: queue
 * @c: filled in
 *
 * Context: process.
 */
void isp_queue_get_counts(struct isp_queue *q, struct isp_queue_counts *c)
{
	spin_lock(&q->lock);
	*c = q->counts;
	spin_unlock(&q->lock);
}

/**
 * isp_queue_reset_counts() - count from 0 again
 * @q: queue
 *
 * Context: process.
 */
void isp_queue_reset_counts(struct isp_queue *q)
{
	spin_lock(&q->lock);
	/* What is with the card stays as many as it is. */
	q->out_base -= queue_sent(q);
	memset(&q->counts, 0, sizeof(q->counts));
	spin_unlock(&q->lock);
}

/**
 * isp_queue_commit() - ring the doorbell for what was submitted without
 * @q: queue
 */
void isp_queue_commit(struct isp_queue *q)
{
	spin_lock(&q->lock);
	if (READ_ONCE(q->live) && q->rung != q->prod)
		queue_ring(q);
	spin_unlock(&q->lock);
}

static int marker_try(struct isp_queue *q, enum isp_marker_kind kind,
		      u16 loop_id, u64 lun)
{
	int ret = -ESHUTDOWN;
	u32 out, cons;

	spin_lock(&q->lock);
	/* A chip in reset must not be asked for anything. */
	if (!READ_ONCE(q->live))
		goto out_unlock;
	/*
	 * Markers have no completion to learn from, so here the card is asked;
	 * under the lock, for the answer is worth nothing once others submit.
	 */
	out = q->hw->chip->req_out_read(q->hw);
	cons = q->prod - ((q->prod - out) & q->req_mask);
	if (out <= q->req_mask && (s32)(cons - q->cons) > 0)
		q->cons = cons;
	ret = -EAGAIN;
	if (queue_room(q) < 0)
		goto out_unlock;
	q->hw->chip->build_marker(q->hw, ring_entry(q->req, q->prod++,
						    q->req_mask),
				  kind, loop_id, lun);
	queue_ring(q);
	ret = 0;
out_unlock:
	spin_unlock(&q->lock);
	return ret;
}

/**
 * isp_queue_marker() - tell the firmware that a reset is over
 * @q: queue
 * @kind: what was reset
 * @loop_id: of the target, unless @kind is ISP_MARK_ALL
 * @lun: if @kind is ISP_MARK_LUN
 *
 * The firmware holds commands back after a reset until the marker comes by,
 * so that none from before the reset is taken for one after it.
 *
 * Context: process; sleeps if the ring is full.
 *
 * Return: 0 or a negative errno.
 */
int isp_queue_marker(struct isp_queue *q, enum isp_marker_kind kind,
		     u16 loop_id, u64 lun)
{
	int tries, ret = -EAGAIN;

	for (tries = 0; tries < 1000 && ret == -EAGAIN; tries++) {
		if (tries)
			usleep_range(1000, 2000);
		ret = marker_try(q, kind, loop_id, lun);
	}
	return ret;
}

/* ---- Completion -------------------------------------------------------- */

static struct isp_slot *slot_find(struct isp_queue *q, u32 handle)
{
	unsigned int tag = handle & ISP_HANDLE_TAG_MASK;
	struct isp_slot *slot;

	if (!handle || tag >= q->nr_slots)
		return NULL;
	slot = &q->slots[tag];
	return slot_handle(slot) == handle ? slot : NULL;
}

/* Not inlined, as somebody hardly ever waits. */
static noinline void queue_wake(struct isp_queue *q)
{
	wake_up_all(&q->idle_wq);
}

/* Not inlined: there are several callers of what follows. */
static noinline void queue_trace_end(struct isp_queue *q,
				     const struct isp_request *rq, u32 handle,
				     const struct isp_status *st)
{
	trace_isp_complete(q->hw, rq, handle, st);
}

/* The slot may be reused as soon as its handle is 0: read it before. */
static __always_inline void queue_finish(struct isp_queue *q,
					 struct isp_slot *slot, u32 handle,
					 const struct isp_status *st)
{
	struct isp_request *rq = slot->rq;

	if (unlikely(cmpxchg(&slot->handle, handle, 0) != handle))
		return;
	if (trace_isp_complete_enabled())
		queue_trace_end(q, rq, handle, st);
	q->ops->done(q, rq, st);
	/* cmpxchg() is the barrier that waitqueue_active() asks for. */
	if (unlikely(waitqueue_active(&q->idle_wq)))
		queue_wake(q);
}

/* A command whose further sense entries did not come ends with what is here. */
static void sense_end(struct isp_queue *q)
{
	struct isp_slot *slot = q->sense_slot;

	if (!slot)
		return;
	q->sense_slot = NULL;
	q->sense_status.sense_len = q->sense_status.sense_here;
	queue_finish(q, slot, q->sense_status.handle, &q->sense_status);
}

static void sense_add(struct isp_queue *q, const struct isp_status *st)
{
	struct isp_status *have = &q->sense_status;
	u16 n;

	/* Entries beyond what we keep find nobody waiting: dropped. */
	if (!q->sense_slot)
		return;
	n = min_t(u16, st->sense_here, have->sense_len - have->sense_here);
	memcpy(q->sense + have->sense_here, st->sense, n);
	have->sense_here += n;
	if (have->sense_here == have->sense_len)
		sense_end(q);
}

static void sense_begin(struct isp_queue *q, struct isp_slot *slot,
			const struct isp_status *st)
{
	q->sense_slot = slot;
	q->sense_status = *st;
	memcpy(q->sense, st->sense, st->sense_here);
	q->sense_status.sense = q->sense;
}

static void queue_seen(struct isp_queue *q, const struct isp_slot *slot)
{
	if ((s32)(slot->end - q->seen) > 0)
		WRITE_ONCE(q->seen, slot->end);
}

/* By far the most: a command has ended well. Returns whether it was that. */
static __always_inline bool queue_good(struct isp_queue *q, const void *entry)
{
	u32 handle = q->chip->good(entry);
	struct isp_slot *slot;

	/* No handle has the number 0, nor a slot that is free. */
	if (unlikely((handle & ISP_HANDLE_TAG_MASK) >= q->nr_slots))
		return false;
	slot = &q->slots[handle & ISP_HANDLE_TAG_MASK];
	if (unlikely(!handle || slot_handle(slot) != handle || q->sense_slot))
		return false;
	queue_seen(q, slot);
	queue_finish(q, slot, handle, NULL);
	return true;
}

static void queue_status(struct isp_queue *q, struct isp_status *st)
{
	struct isp_slot *slot;

	/* First: this status may name the very slot that waits for sense. */
	sense_end(q);
	slot = slot_find(q, st->handle);
	if (unlikely(!slot)) {
		isp_hw_fault(q->hw, "card completed a command that it does not have (handle %08xh)",
			     st->handle);
		return;
	}
	queue_seen(q, slot);
	st->sense_len = min_t(u16, st->sense_len, ISP_SENSE_MAX);
	if (unlikely(st->sense_len > st->sense_here))
		sense_begin(q, slot, st);
	else
		queue_finish(q, slot, st->handle, st);
}

/* Not inlined, so that the frame of the common case stays small. */
static noinline void queue_entry(struct isp_queue *q, const void *entry)
{
	const struct isp_entry_hdr *hdr = entry;
	struct isp_status st;

	switch (q->hw->chip->decode(entry, &st)) {
	case ISP_RSP_STATUS:
		queue_status(q, &st);
		break;
	case ISP_RSP_SENSE:
		WRITE_ONCE(q->rsp_more, q->rsp_more + 1);
		sense_add(q, &st);
		break;
	case ISP_RSP_BAD:
		isp_hw_fault(q->hw,
			     "response ring holds an entry of unknown type %02xh (status %02xh)",
			     hdr->type, hdr->status);
		break;
	}
}

/*
 * The card writes an entry front to back; only when both ends are new is it
 * there as a whole.
 */
static bool rsp_ready(const struct isp_queue *q, const void *entry)
{
	const struct isp_entry_hdr *hdr = entry;

	return READ_ONCE(*(const u32 *)(entry + RSP_MARK_OFFSET)) !=
	       q->done_mark && READ_ONCE(hdr->type);
}

/*
 * Nothing new by the look of the memory, yet the card says so. Either an
 * earlier interrupt has already dealt with it, or the entry happens to look
 * like one that is done: the card's index decides.
 */
static u32 rsp_ask(struct isp_queue *q)
{
	u32 in = q->hw->chip->rsp_in_read(q->hw);

	if (in <= q->rsp_mask)
		return (in - q->rsp_out) & q->rsp_mask;
	if (!isp_hw_check_gone(q->hw))
		isp_hw_fault(q->hw, "card shows response index %u, the ring has %u entries",
			     in, q->rsp_mask + 1);
	return 0;
}

/*
 * Takes the entries that are there by the look of the memory, and the first
 * @sure in any case. At most one ring's worth, so that a card gone mad cannot
 * keep a CPU.
 */
static __always_inline unsigned int rsp_drain(struct isp_queue *q,
					      unsigned int sure)
{
	u32 out = q->rsp_out;
	unsigned int n = 0;
	void *entry;

	while (n <= q->rsp_mask) {
		entry = ring_entry(q->rsp, out + n, q->rsp_mask);
		if (n >= sure && !rsp_ready(q, entry))
			break;
		/* Nothing of it may be read before its arrival was seen. */
		dma_rmb();
		if (unlikely(!queue_good(q, entry)))
			queue_entry(q, entry);
		rsp_mark_done(q, entry);
		n++;
	}
	if (likely(n)) {
		out += n;
		q->drains++;
		WRITE_ONCE(q->rsp_out, out);
		isp_wr(q->hw, q->chip->rsp_out, out & q->rsp_mask);
	}
	return n;
}

/* Not inlined, as it hardly ever happens. */
static noinline unsigned int rsp_drain_asked(struct isp_queue *q)
{
	return rsp_drain(q, rsp_ask(q));
}

/**
 * isp_queue_process() - deal with what the card says is on the response ring
 * @q: queue
 *
 * Context: interrupt.
 *
 * Return: number of entries; not 0 either if somebody else is seeing to them.
 */
unsigned int isp_queue_process(struct isp_queue *q)
{
	unsigned int n;

	if (unlikely(!rsp_trylock(q)))
		return 1;
	n = rsp_drain(q, 0);
	if (unlikely(!n))
		n = rsp_drain_asked(q);
	rsp_unlock(q);
	return n;
}

static const void *rsp_entry(const struct isp_queue *q)
{
	return ring_entry(q->rsp, READ_ONCE(q->rsp_out), q->rsp_mask);
}

/**
 * isp_queue_poll() - deal with what is on the response ring
 * @q: queue
 *
 * Looks at memory only, unless there is something. A card that goes on and on
 * is at fault before long, which closes the queue.
 *
 * Context: any.
 *
 * Return: number of entries.
 */
unsigned int isp_queue_poll(struct isp_queue *q)
{
	unsigned int n = 0;

	rsp_enter();
	while (READ_ONCE(q->live) && rsp_ready(q, rsp_entry(q)) &&
	       rsp_trylock(q)) {
		/* Again, now that isp_queue_stop() waits for us. */
		if (likely(READ_ONCE(q->live)))
			n += rsp_drain(q, 0);
		rsp_unlock(q);
		/*
		 * The handler, if it came meanwhile, has left its entries to
		 * us: they were in memory before it looked at rsp_busy, so we
		 * see them after having given that up.
		 */
		smp_mb();
	}
	rsp_leave();
	return n;
}

/* ---- Table of commands -------------------------------------------------- */

/**
 * isp_queue_flush() - end all commands that a reset of the card has cost
 * @q: queue, stopped; the card has been reset and the interrupt handler is
 *	not running (pollers may be)
 * @comp: completion status to give them
 */
void isp_queue_flush(struct isp_queue *q, u16 comp)
{
	struct isp_status st = { .comp = comp };
	unsigned int tag;

	/* Full barriers in queue_finish() pair with the acquire of waiters. */
	WRITE_ONCE(q->flushing, true);
	rsp_lock(q);
	q->sense_slot = NULL;
	rsp_unlock_relaxed(q);
	for (tag = 0; tag < q->nr_slots; tag++) {
		st.handle = slot_handle(&q->slots[tag]);
		if (st.handle)
			queue_finish(q, &q->slots[tag], st.handle, &st);
	}
	/* Pairs with the acquire in queue_settle(). */
	smp_store_release(&q->flushing, false);
	wake_up_all(&q->idle_wq);
	q->ops->settle(q);
}

/*
 * A slot's handle is 0 from the moment somebody owns the command's completion;
 * that somebody may not be through with it. Wait until interrupt handler,
 * poller and flush have let go of all commands whose handles were seen to be 0.
 */
static void queue_settle(struct isp_queue *q)
{
	/* Its acquire pairs with the release in rsp_unlock(). */
	while (smp_load_acquire(&q->rsp_busy))
		rsp_wait();
	/* Pairs with the release at the end of isp_queue_flush(). */
	wait_event(q->idle_wq, !smp_load_acquire(&q->flushing));
	q->ops->settle(q);
}

/**
 * isp_queue_handle() - the handle by which the card knows a command
 * @q: queue
 * @tag: the command's tag
 * @rq: the command
 *
 * Return: the handle, or 0 if the command is not with the card.
 */
u32 isp_queue_handle(const struct isp_queue *q, unsigned int tag,
		     const struct isp_request *rq)
{
	const struct isp_slot *slot = &q->slots[tag];
	u32 handle = slot_handle(slot);

	return slot->rq == rq ? handle : 0;
}

static bool slot_matches(const struct isp_slot *slot,
			 const struct isp_nexus *nexus, u64 lun)
{
	return slot_handle(slot) &&
	       (nexus == ISP_ANY_NEXUS || slot->nexus == nexus) &&
	       (lun == ISP_ANY_LUN || slot->lun == lun);
}

static bool queue_idle(struct isp_queue *q, const struct isp_nexus *nexus,
		       u64 lun)
{
	unsigned int tag;

	for (tag = 0; tag < q->nr_slots; tag++)
		if (slot_matches(&q->slots[tag], nexus, lun))
			return false;
	return true;
}

/**
 * isp_queue_wait() - wait until the card has given commands back
 * @q: queue
 * @nexus: those of this port, or ISP_ANY_NEXUS
 * @lun: those of this LUN, or ISP_ANY_LUN
 * @timeout_ms: how long
 *
 * Context: process; sleeps. New commands of the kind must be held off by the
 * caller.
 *
 * Return: whether all have come back, ops->done() included.
 */
bool isp_queue_wait(struct isp_queue *q, const struct isp_nexus *nexus,
		    u64 lun, unsigned int timeout_ms)
{
	if (!wait_event_timeout(q->idle_wq, queue_idle(q, nexus, lun),
				msecs_to_jiffies(timeout_ms)))
		return false;
	queue_settle(q);
	return true;
}

/**
 * isp_queue_wait_handle() - wait until the card has given a command back
 * @q: queue
 * @handle: of the command, from isp_queue_handle(); 0 if it has ended already
 * @timeout_ms: how long
 *
 * Context: process; sleeps.
 *
 * Return: whether it has come back, ops->done() included.
 */
bool isp_queue_wait_handle(struct isp_queue *q, u32 handle,
			   unsigned int timeout_ms)
{
	if (!wait_event_timeout(q->idle_wq, !slot_find(q, handle),
				msecs_to_jiffies(timeout_ms)))
		return false;
	queue_settle(q);
	return true;
}

/**
 * isp_queue_next() - walk through a port's commands that are with the card
 * @q: queue
 * @nexus: the port, or ISP_ANY_NEXUS
 * @tag: where to begin; left behind the command found
 * @lun: the command's LUN
 *
 * Return: the next command's handle, 0 if there is none. It may end at any
 * time; its handle then means nothing to the card any more.
 */
u32 isp_queue_next(const struct isp_queue *q, const struct isp_nexus *nexus,
		   unsigned int *tag, u64 *lun)
{
	const struct isp_slot *slot;
	u32 handle;

	while (*tag < q->nr_slots) {
		slot = &q->slots[(*tag)++];
		handle = slot_handle(slot);
		if (handle && slot_matches(slot, nexus, ISP_ANY_LUN)) {
			*lun = slot->lun;
			return handle;
		}
	}
	return 0;
}
