// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many operations outstanding: io_submit() and io_uring, by their system calls. Each turn hands everything that is to
 * be done over, at once unless --batch says otherwise, and then takes what has ended, at least one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi.h"
#include "io.h"

/* A place for one operation. */
struct slot {
	struct io_file *file;
	char *buffer;
	struct io_instant start;
};

struct ended {
	uint64_t slot;
	int64_t result;
};

struct aio {
	unsigned long context;
	struct abi_iocb *iocb;		/* one for each slot */
	struct abi_iocb **submit;
	struct abi_io_event *event;
};

struct uring {
	int fd;
	unsigned int enter_flags;
	unsigned int unsubmitted;	/* entries of the ring that the kernel has not taken yet */
	uint8_t sqe_flags;
	uint32_t *sq_tail, sq_mask, *cq_head, *cq_tail, cq_mask;
	struct abi_sqe *sqe;
	struct abi_cqe *cqe;
};

/**
 * struct io_queue - the outstanding operations of a worker
 * @nr_slots: how many there may be
 * @slot: each of them
 * @free: numbers of the slots that are not outstanding
 * @nr_free: how many
 * @ended: what the last exchange() took
 * @exchange: start the operations of @n slots (the last of @free) and wait until at least one of all has ended; returns
 *	how many are in @ended, or -errno. Those it could not start are in @free again.
 */
struct io_queue {
	unsigned int nr_slots;
	struct slot *slot;
	unsigned int *free;
	unsigned int nr_free;
	struct ended *ended;
	int (*exchange)(struct io_worker *w, unsigned int n);
	struct aio aio;
	struct uring uring;
};

static uint64_t slot_offset(struct io_worker *w, unsigned int number)
{
	return io_next_offset(w, w->queue->slot[number].file);
}

/* Now, for the slots about to be started. */
static void stamp(struct io_queue *q, const unsigned int *number, unsigned int n)
{
	struct io_instant now = io_now();

	for (unsigned int i = 0; i < n; i++)
		q->slot[number[i]].start = now;
}

/* io_submit: returns how many were taken, or -errno. */
static int aio_submit_once(struct io_worker *w, const unsigned int *number, unsigned int n)
{
	struct io_queue *q = w->queue;
	long taken;

	for (unsigned int i = 0; i < n; i++) {
		struct abi_iocb *iocb = &q->aio.iocb[number[i]];

		iocb->offset = slot_offset(w, number[i]);
		q->aio.submit[i] = iocb;
	}
	stamp(q, number, n);
	taken = n ? syscall(SYS_io_submit, q->aio.context, (long)n, q->aio.submit) : 0;
	if (taken >= 0)
		return taken;
	/* Too many at once is no failure as long as some are on their way. */
	return errno == EAGAIN && q->nr_slots > q->nr_free ? 0 : -errno;
}

/* The same, so many at a time as --batch says. */
static int aio_submit(struct io_worker *w, const unsigned int *number, unsigned int n)
{
	unsigned int most = w->job->batch ? w->job->batch : n, done = 0;

	while (done < n) {
		unsigned int now = n - done < most ? n - done : most;
		int taken = aio_submit_once(w, number + done, now);

		if (taken < 0)
			return done ? (int)done : taken;
		done += taken;
		if (taken < (int)now)
			break;
	}
	return done;
}

static int aio_exchange(struct io_worker *w, unsigned int n)
{
	struct io_queue *q = w->queue;
	struct abi_io_event *event = q->aio.event;
	int taken = aio_submit(w, q->free + q->nr_free - n, n);
	long got;

	if (taken < 0)
		return taken;
	/* What was taken is the first part of those n: the rest moves down. */
	memmove(q->free + q->nr_free - n, q->free + q->nr_free - n + taken, (n - taken) * sizeof(*q->free));
	q->nr_free -= taken;
	do {
		got = syscall(SYS_io_getevents, q->aio.context, 1L, (long)(q->nr_slots - q->nr_free), event, NULL);
	} while (got < 0 && errno == EINTR);
	for (long i = 0; i < got; i++) {
		q->ended[i].slot = event[i].data;
		q->ended[i].result = event[i].result;
	}
	return got < 0 ? -errno : got;
}

static bool aio_prepare(struct io_worker *w)
{
	struct io_queue *q = w->queue;
	struct aio *aio = &q->aio;

	if (syscall(SYS_io_setup, (long)q->nr_slots, &aio->context) < 0) {
		io_trouble(w, NULL, errno == ENOSYS ? "this kernel has no asynchronous I/O" : "io_setup", errno);
		return false;
	}
	aio->iocb = io_memory(q->nr_slots * sizeof(*aio->iocb), false);
	aio->submit = io_memory(q->nr_slots * sizeof(*aio->submit), false);
	aio->event = io_memory(q->nr_slots * sizeof(*aio->event), false);
	if (!aio->iocb || !aio->submit || !aio->event) {
		io_trouble(w, NULL, "no memory for the queue", 0);
		return false;
	}
	for (unsigned int i = 0; i < q->nr_slots; i++) {
		struct abi_iocb *iocb = &aio->iocb[i];

		iocb->data = i;
		iocb->opcode = w->job->write ? AIO_PWRITE : AIO_PREAD;
		iocb->fd = q->slot[i].file->fd;
		iocb->buffer = (uintptr_t)q->slot[i].buffer;
		iocb->bytes = w->job->bs;
	}
	io_touch(aio->submit, q->nr_slots * sizeof(*aio->submit));
	io_touch(aio->event, q->nr_slots * sizeof(*aio->event));
	q->exchange = aio_exchange;
	return true;
}

/* Entries of the ring for the last @n free slots. Each slot has its entry, so that one is filled but once. */
static void uring_queue(struct io_worker *w, unsigned int n)
{
	struct io_queue *q = w->queue;
	struct uring *r = &q->uring;
	uint32_t tail = *r->sq_tail;

	q->nr_free -= n;
	for (unsigned int i = 0; i < n; i++) {
		unsigned int number = q->free[q->nr_free + i];
		const struct slot *slot = &q->slot[number];
		struct abi_sqe *sqe = &r->sqe[tail++ & r->sq_mask];

		sqe->opcode = w->job->write ? URING_WRITE : URING_READ;
		sqe->flags = r->sqe_flags;
		sqe->fd = r->sqe_flags ? (int)(slot->file - w->file) : slot->file->fd;
		sqe->offset = slot_offset(w, number);
		sqe->buffer = (uintptr_t)slot->buffer;
		sqe->bytes = w->job->bs;
		sqe->data = number;
	}
	stamp(q, q->free + q->nr_free, n);
	__atomic_store_n(r->sq_tail, tail, __ATOMIC_RELEASE);
	r->unsubmitted += n;
}

static int uring_exchange(struct io_worker *w, unsigned int n)
{
	struct io_queue *q = w->queue;
	struct uring *r = &q->uring;
	uint32_t head = *r->cq_head, tail;
	int got = 0, taken;

	uring_queue(w, n);
	taken = syscall(SYS_io_uring_enter, r->fd, r->unsubmitted, 1, URING_ENTER_GETEVENTS | r->enter_flags, NULL,
			0);
	if (taken < 0 && errno != EAGAIN && errno != EBUSY && errno != EINTR)
		return -errno;
	if (taken > 0)
		r->unsubmitted -= taken;
	tail = __atomic_load_n(r->cq_tail, __ATOMIC_ACQUIRE);
	for (; head != tail; head++, got++) {
		const struct abi_cqe *cqe = &r->cqe[head & r->cq_mask];

		q->ended[got].slot = cqe->data;
		q->ended[got].result = cqe->result;
	}
	__atomic_store_n(r->cq_head, head, __ATOMIC_RELEASE);
	return got;
}

/* The rings are memory of the kernel's. */
static bool uring_map(struct uring *r, const struct abi_uring_params *p)
{
	int prot = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;
	size_t sq_bytes = p->sq.array + p->sq_entries * sizeof(uint32_t);
	size_t cq_bytes = p->cq.cqes + p->cq_entries * sizeof(struct abi_cqe);
	size_t sqe_bytes = p->sq_entries * sizeof(struct abi_sqe);
	char *sq = mmap(NULL, sq_bytes, prot, flags, r->fd, URING_MAP_SQ);
	char *cq = mmap(NULL, cq_bytes, prot, flags, r->fd, URING_MAP_CQ);
	uint32_t *array;

	r->sqe = mmap(NULL, sqe_bytes, prot, flags, r->fd, URING_MAP_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || r->sqe == MAP_FAILED)
		return false;
	r->sq_tail = (uint32_t *)(sq + p->sq.tail);
	r->sq_mask = *(uint32_t *)(sq + p->sq.ring_mask);
	r->cq_head = (uint32_t *)(cq + p->cq.head);
	r->cq_tail = (uint32_t *)(cq + p->cq.tail);
	r->cq_mask = *(uint32_t *)(cq + p->cq.ring_mask);
	r->cqe = (struct abi_cqe *)(cq + p->cq.cqes);
	array = (uint32_t *)(sq + p->sq.array);
	for (uint32_t i = 0; i < p->sq_entries; i++)
		array[i] = i;
	memset(r->sqe, 0, sqe_bytes);
	return true;
}

/* Files and ring under numbers of their own, which spares the kernel looking them up at each call; it may refuse. */
static void uring_register(struct io_worker *w)
{
	struct uring *r = &w->queue->uring;
	struct abi_rsrc_update ring = { .offset = UINT32_MAX, .data = r->fd };
	int32_t *fds = io_memory(w->nr_files * sizeof(*fds), false);

	if (!fds)
		return;
	for (unsigned int i = 0; i < w->nr_files; i++)
		fds[i] = w->file[i].fd;
	if (syscall(SYS_io_uring_register, r->fd, URING_REGISTER_FILES, fds, w->nr_files) == 0)
		r->sqe_flags = URING_FIXED_FILE;
	if (syscall(SYS_io_uring_register, r->fd, URING_REGISTER_RING, &ring, 1) == 1) {
		r->fd = ring.offset;
		r->enter_flags = URING_ENTER_REGISTERED;
	}
}

static bool uring_prepare(struct io_worker *w)
{
	bool poll = w->job->engine == IO_POLL;
	struct abi_uring_params p = { .flags = poll ? URING_SETUP_IOPOLL : 0 };
	struct io_queue *q = w->queue;

	if (q->nr_slots > URING_MAX_ENTRIES) {
		io_trouble(w, NULL, "io_uring has at most 32768 outstanding: --qd is too large for so many files", 0);
		return false;
	}
	q->uring.fd = syscall(SYS_io_uring_setup, (long)q->nr_slots, &p);
	if (q->uring.fd < 0) {
		io_trouble(w, NULL, errno == ENOSYS ? "this kernel has no io_uring" : "io_uring_setup", errno);
		return false;
	}
	if (!uring_map(&q->uring, &p)) {
		io_trouble(w, NULL, "io_uring's rings", errno);
		return false;
	}
	if (poll)
		uring_register(w);
	q->exchange = uring_exchange;
	return true;
}

bool io_queue_prepare(struct io_worker *w)
{
	uint64_t slots = io_worker_slots(w);
	struct io_queue *q = io_memory(sizeof(*q), false);

	if (!q || slots > UINT32_MAX / 2) {
		io_trouble(w, NULL, "no memory for the queue", 0);
		return false;
	}
	w->queue = q;
	q->nr_slots = slots;
	q->nr_free = slots;
	q->slot = io_memory(slots * sizeof(*q->slot), false);
	q->free = io_memory(slots * sizeof(*q->free), false);
	/* A completion ring may hold twice as many as a submission ring. */
	q->ended = io_memory(2 * slots * sizeof(*q->ended), false);
	if (!q->slot || !q->free || !q->ended) {
		io_trouble(w, NULL, "no memory for the queue", 0);
		return false;
	}
	for (unsigned int i = 0; i < slots; i++) {
		q->slot[i].file = &w->file[i % w->nr_files];
		q->slot[i].buffer = w->buffer + i % w->nr_buffers * w->job->bs;
		q->free[i] = i;
	}
	io_touch(q->ended, 2 * slots * sizeof(*q->ended));
	return w->job->engine == IO_AIO ? aio_prepare(w) : uring_prepare(w);
}

/* Start operations in @n free slots, take what has ended; how many, or -1 when nothing goes on. */
static int turn(struct io_worker *w, unsigned int n)
{
	struct io_queue *q = w->queue;
	int got = q->exchange(w, n);
	struct io_instant end = io_now();

	if (got < 0) {
		io_trouble(w, w->file[0].path, io_engine_name(w->job), -got);
		return -1;
	}
	for (int i = 0; i < got; i++) {
		const struct slot *slot = &q->slot[q->ended[i].slot];

		io_count(w, slot->file, slot->start, end, q->ended[i].result);
		q->free[q->nr_free++] = q->ended[i].slot;
	}
	return got;
}

void io_queue_run(struct io_worker *w, uint64_t ops, bool drain)
{
	struct io_queue *q = w->queue;
	uint64_t ended = 0;

	while (ended < ops) {
		unsigned int n = q->nr_free, outstanding = q->nr_slots - n;
		int got;

		if (drain && n + outstanding > ops - ended)
			n = ops - ended > outstanding ? ops - ended - outstanding : 0;
		got = turn(w, n);
		if (got < 0)
			return;
		ended += got;
	}
}

void io_queue_drain(struct io_worker *w)
{
	struct io_queue *q = w->queue;

	while (q->nr_free < q->nr_slots)
		if (turn(w, 0) < 0)
			return;
}
