// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A disk at work: commands come, the electronics or the arm serve them, they are over.
 *
 * One arm, one thing at a time.  While it has nothing to do it reads on behind the last read, until the segment is
 * full, and writes what the write cache holds.
 */
#include <string.h>
#include "disk.h"

#define US 1000ULL
#define MS 1000000ULL

/* Sectors that one destage moves at most: reads are not to wait for more. */
#define LONGEST_DESTAGE 1024
/* Unwritten data that is older than this is written beside the commands, not only when there are none. */
#define DIRTY_AGE_NS 1000000000ULL

const char *disk_init(Disk *d, const DiskParams *p)
{
	const char *bad;

	memset(d, 0, sizeof(*d));
	d->p = *p;
	if (!p->sectors)
		return "a disk has a size";
	if (p->segments > DISK_MAX_SEGMENTS)
		return "segments: 0 to 64";
	if (!p->bus_kbs)
		return "the rate to the host cannot be 0";
	bad = disk_mech_init(&d->m, p);
	if (bad)
		return bad;
	disk_cache_init(&d->c, p);
	TAILQ_INIT(&d->tasks.list);
	d->at = disk_place(&d->m, 0);
	d->ahead.segment = -1;
	return 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* ---- reading ahead ------------------------------------------------------------------------------------ */

/* Where the segment being read ahead may end: three quarters of it in front of what the host asked for last. */
static uint64_t ahead_limit(const Disk *d)
{
	const DiskSegment *s = &d->c.segment[d->ahead.segment];
	uint64_t limit = s->host + d->c.segment_size * 3 / 4;

	return limit < d->p.sectors ? later(limit, d->ahead.sector) : d->p.sectors;
}

static uint64_t ahead_reach(const Disk *d, uint64_t now)
{
	if (now <= d->ahead.since)
		return d->ahead.sector;
	return d->ahead.sector + disk_passed(&d->m, d->ahead.sector, now - d->ahead.since,
					     ahead_limit(d) - d->ahead.sector);
}

/* Whether the heads are reading on, not waiting at the end of a full segment. */
static bool ahead_runs(const Disk *d, uint64_t now)
{
	return d->ahead.segment >= 0 && ahead_reach(d, now) < ahead_limit(d);
}

static DiskPlace ahead_place(const Disk *d, uint64_t reach)
{
	return disk_place(&d->m, reach > d->ahead.sector ? reach - 1 : reach);
}

/* Enter into the segment what has been read by now. */
static void ahead_note(Disk *d, uint64_t now)
{
	uint64_t reach;

	if (d->ahead.segment < 0)
		return;
	reach = ahead_reach(d, now);
	d->at = ahead_place(d, reach);
	if (reach > d->c.segment[d->ahead.segment].end)
		disk_segment_fill(&d->c, d->ahead.segment, 0, reach);
}

static void ahead_stop(Disk *d, uint64_t now)
{
	ahead_note(d, now);
	d->ahead.segment = -1;
}

/* The arm is idle: read on behind what that segment holds, at once if the heads are just there. */
static void ahead_start(Disk *d, int segment, uint64_t now, bool there)
{
	uint64_t end = d->c.segment[segment].end;
	DiskAccess a;

	if (end >= d->p.sectors)
		return;
	d->ahead.segment = segment;
	d->ahead.sector = end;
	d->ahead.since = now;
	if (there)
		return;
	a = disk_access(&d->m, now, &d->at, end, false);
	d->ahead.since += a.move_ns + a.wait_ns;
}

/* ---- the electronics ------------------------------------------------------------------------------------ */

static void leave_to_electronics(Disk *d, DiskTask *t, uint64_t now, uint64_t sectors)
{
	t->state = DISK_DUE;
	t->due = later(now, d->electronics) + d->p.hit_us * US +
		 sectors * DISK_SECTOR * MS / d->p.bus_kbs;
	d->electronics = t->due;
}

/* Sectors from the beginning of @t that need not be read from the medium; *segment: it holds them, or -1. */
static uint64_t in_buffer(Disk *d, const DiskTask *t, uint64_t now, int *segment)
{
	uint64_t end;

	*segment = -1;
	if (t->force)
		return 0;
	if (disk_dirty_holds(&d->c, t->sector, t->n))
		return t->n;
	if (d->arm.busy && d->arm.destage && t->sector >= d->arm.sector &&
	    t->sector + t->n <= d->arm.sector + d->arm.n)
		return t->n;
	ahead_note(d, now);
	*segment = disk_segment_find(&d->c, t->sector);
	if (*segment < 0)
		return 0;
	end = d->c.segment[*segment].end;
	return end - t->sector < t->n ? end - t->sector : t->n;
}

static void read_hit(Disk *d, DiskTask *t, uint64_t now, int segment)
{
	d->count.read_hits++;
	leave_to_electronics(d, t, now, t->n);
	if (segment < 0)
		return;
	disk_segment_use(&d->c, segment, t->sector + t->n);
	if (!d->arm.busy && !ahead_runs(d, now)) {
		ahead_stop(d, now);
		ahead_start(d, segment, now, false);
	}
}

/* New data makes old copies worthless. */
static void forget_copies(Disk *d, const DiskTask *t, uint64_t now)
{
	if (d->ahead.segment >= 0 && t->sector < ahead_limit(d) &&
	    t->sector + t->n > d->c.segment[d->ahead.segment].start)
		ahead_stop(d, now);
	disk_segment_drop(&d->c, t->sector, t->n);
}

static bool cached_write(const Disk *d, const DiskTask *t)
{
	return t->op == DISK_OP_WRITE && d->p.write_cache && !t->force && !t->verify && t->n <= d->c.dirty_limit;
}

static bool all_written(const Disk *d, uint64_t seq)
{
	return !(d->arm.busy && d->arm.destage && d->arm.seq <= seq) && !disk_dirty_before(&d->c, seq);
}

static void ready_for_arm(const Disk *d, DiskTask *t)
{
	t->state = DISK_READY;
	t->ready = t->arrived + d->p.overhead_us * US;
}

/* Decide about a held task that others' attributes let go; false: it finds no room in the write cache. */
static bool decide(Disk *d, DiskTask *t, uint64_t now)
{
	int segment;

	if (t->op == DISK_OP_SYNC) {
		if (t->immediate || all_written(d, t->seq))
			leave_to_electronics(d, t, now, 0);
	} else if (t->op == DISK_OP_NONE || !t->n) {
		leave_to_electronics(d, t, now, 0);
	} else if (cached_write(d, t)) {
		if (!disk_dirty_room(&d->c, t->n))
			return false;
		forget_copies(d, t, now);
		disk_dirty_add(&d->c, t->sector, t->n, now, t->seq);
		d->count.write_hits++;
		leave_to_electronics(d, t, now, t->n);
	} else if (t->op == DISK_OP_READ && in_buffer(d, t, now, &segment) == t->n) {
		read_hit(d, t, now, segment);
	} else {
		ready_for_arm(d, t);
	}
	return true;
}

static void decide_all(Disk *d, uint64_t now)
{
	bool room = true;
	DiskTask *t;

	TAILQ_FOREACH(t, &d->tasks.list, next) {
		if (t->state != DISK_HELD || !disk_enabled(&d->tasks, t))
			continue;
		if (!room && cached_write(d, t))
			continue;		/* not past one that came before it */
		room &= decide(d, t, now);
	}
}

/* ---- the arm: choice ---------------------------------------------------------------------------------------- */

static bool arm_may_take(const Disk *d, const DiskTask *t)
{
	return t->state == DISK_READY && disk_enabled(&d->tasks, t);
}

/* What has waited too long comes before all others, and among its like by age. */
static bool too_old(const Disk *d, uint64_t now, uint64_t since)
{
	return now - since > d->p.age_limit_ms * MS;
}

static int64_t cost_of_age(uint64_t since)
{
	return INT64_MIN + (int64_t)since;
}

/* What a task costs the arm: time to its first sector, less what its age is worth. */
static int64_t cost(const Disk *d, uint64_t now, uint64_t sector, bool write, uint64_t since)
{
	DiskAccess a = disk_access(&d->m, now, &d->at, sector, write);

	return (int64_t)(a.move_ns + a.wait_ns) - (int64_t)((now - since) / 1000 * d->p.age_weight);
}

static int64_t task_cost(Disk *d, uint64_t now, const DiskTask *t)
{
	uint64_t there;
	int segment;

	if (t->op != DISK_OP_READ)
		return cost(d, now, t->sector, t->op == DISK_OP_WRITE, t->arrived);
	there = in_buffer(d, t, now, &segment);
	if (there == t->n || (segment >= 0 && segment == d->ahead.segment && ahead_runs(d, now)))
		return cost_of_age(t->arrived);		/* costs nothing */
	return cost(d, now, t->sector + there, false, t->arrived);
}

static DiskTask *choose_task(Disk *d, uint64_t now, int64_t *best)
{
	DiskTask *t, *oldest = 0, *chosen = 0;

	TAILQ_FOREACH(t, &d->tasks.list, next) {
		int64_t c;

		if (!arm_may_take(d, t) || t->ready > now)
			continue;
		if (!oldest)
			oldest = t;
		c = task_cost(d, now, t);
		if (!chosen || c < *best) {
			chosen = t;
			*best = c;
		}
	}
	if (oldest && too_old(d, now, oldest->arrived)) {
		d->count.aged += chosen != oldest;
		chosen = oldest;
		*best = cost_of_age(oldest->arrived);
	}
	d->count.reordered += chosen != oldest;
	return chosen;
}

/* Index of the cheapest extent, -1: none. */
static int choose_extent(const Disk *d, uint64_t now, int64_t *best)
{
	int chosen = -1;

	for (uint32_t i = 0; i < d->c.extents; i++) {
		const DiskExtent *e = &d->c.extent[i];
		int64_t c = too_old(d, now, e->since) ? cost_of_age(e->since) :
							cost(d, now, e->sector, true, e->since);

		if (chosen < 0 || c < *best) {
			chosen = i;
			*best = c;
		}
	}
	return chosen;
}

/* Whether unwritten data has to be written even though commands wait for the arm. */
static bool must_destage(const Disk *d, uint64_t now)
{
	const DiskTask *t;

	if (d->c.dirty > d->c.dirty_limit / 4 * 3)
		return true;
	for (uint32_t i = 0; i < d->c.extents; i++)
		if (now - d->c.extent[i].since > DIRTY_AGE_NS)
			return true;
	TAILQ_FOREACH(t, &d->tasks.list, next)
		if (t->state == DISK_HELD && disk_enabled(&d->tasks, t))
			return true;	/* SYNC, or a write that waits for room */
	return false;
}

static bool arm_is_wanted(const Disk *d)
{
	const DiskTask *t;

	TAILQ_FOREACH(t, &d->tasks.list, next)
		if (arm_may_take(d, t))
			return true;
	return false;
}

/* ---- the arm: work ------------------------------------------------------------------------------------------- */

static void move_arm(Disk *d, uint64_t now, uint64_t sector, uint64_t n, bool write)
{
	DiskAccess a = disk_access(&d->m, now, &d->at, sector, write);
	DiskPlace to = disk_place(&d->m, sector);
	uint64_t transfer = disk_transfer_ns(&d->m, sector, n);

	d->count.seeks += a.seek;
	d->count.seek_cylinders += to.cylinder > d->at.cylinder ? to.cylinder - d->at.cylinder :
								  d->at.cylinder - to.cylinder;
	d->count.move_ns += a.move_ns;
	d->count.wait_ns += a.wait_ns;
	d->count.transfer_ns += transfer;
	d->arm.busy = true;
	d->arm.write = write;
	d->arm.first = d->arm.sector = sector;
	d->arm.n = n;
	d->arm.end = now + a.move_ns + a.wait_ns + transfer;
	d->arm.task = 0;
	d->arm.destage = d->arm.keep = false;
	d->arm.segment = -1;
}

/* The sectors just come under the heads that read ahead. */
static void carry_on(Disk *d, uint64_t now, uint64_t sector, uint64_t n)
{
	uint64_t end = d->ahead.since + disk_transfer_ns(&d->m, d->ahead.sector, sector + n - d->ahead.sector);

	move_arm(d, now, sector, n, false);
	d->arm.end = later(end, now);
}

static void start_read(Disk *d, DiskTask *t, uint64_t now)
{
	int segment = -1;
	uint64_t there = t->op == DISK_OP_READ ? in_buffer(d, t, now, &segment) : 0;
	bool goes_on = segment >= 0 && segment == d->ahead.segment && ahead_runs(d, now);
	DiskCounters before;

	if (there == t->n) {
		read_hit(d, t, now, segment);
		return;
	}
	if (goes_on) {
		before = d->count;
		carry_on(d, now, t->sector + there, t->n - there);
		before.transfer_ns = d->count.transfer_ns;
		d->count = before;	/* neither arm nor platters were waited for */
	} else {
		ahead_stop(d, now);
		move_arm(d, now, t->sector + there, t->n - there, false);
	}
	d->ahead.segment = -1;
	d->arm.keep = t->op == DISK_OP_READ && !t->force;
	d->arm.segment = segment;
	d->arm.first = t->sector;
	d->arm.task = t;
	t->state = DISK_ON_ARM;
	d->count.media_reads++;
}

static void start_write(Disk *d, DiskTask *t, uint64_t now)
{
	ahead_stop(d, now);
	forget_copies(d, t, now);
	disk_dirty_cut(&d->c, t->sector, t->n);
	move_arm(d, now, t->sector, t->n, true);
	if (t->verify)			/* a revolution later it is read back */
		d->arm.end += d->m.rev_ns;
	d->arm.task = t;
	t->state = DISK_ON_ARM;
	d->count.media_writes++;
}

static void start_destage(Disk *d, int i, uint64_t now)
{
	DiskExtent e = d->c.extent[i];
	uint64_t n = e.n < LONGEST_DESTAGE ? e.n : LONGEST_DESTAGE;

	ahead_stop(d, now);
	disk_dirty_cut(&d->c, e.sector, n);
	move_arm(d, now, e.sector, n, true);
	d->c.dirty += n;		/* it takes room until it is written */
	d->arm.destage = true;
	d->arm.seq = e.seq;
	d->count.media_writes++;
	d->count.destaged += n;
}

/* Give the idle arm something to do. */
static void start_arm(Disk *d, uint64_t now)
{
	while (!d->arm.busy) {
		int64_t task_best = 0, extent_best = 0;
		DiskTask *t;
		int extent = -1;

		ahead_note(d, now);
		t = choose_task(d, now, &task_best);
		if (d->c.extents && (must_destage(d, now) || !arm_is_wanted(d)))
			extent = choose_extent(d, now, &extent_best);
		if (extent >= 0 && (!t || extent_best < task_best))
			start_destage(d, extent, now);
		else if (!t)
			return;
		else if (t->op == DISK_OP_WRITE)
			start_write(d, t, now);
		else
			start_read(d, t, now);
	}
}

/* What it was doing is done; the heads are behind its last sector. */
static void arm_over(Disk *d)
{
	uint64_t now = d->arm.end, end = d->arm.sector + d->arm.n;
	int segment = -1;

	d->arm.busy = false;
	d->at = disk_place(&d->m, end - 1);
	if (d->arm.keep && d->c.segments) {
		segment = disk_segment_fill(&d->c, d->arm.segment, d->arm.first, end);
		disk_segment_use(&d->c, segment, end);
		ahead_start(d, segment, now, true);
	}
	if (d->arm.destage) {
		d->c.dirty -= d->arm.n;
		d->arm.destage = false;
	}
	if (d->arm.task) {
		d->arm.task->state = DISK_DUE;
		d->arm.task->due = now;
		d->arm.task = 0;
	}
}

/* ---- events --------------------------------------------------------------------------------------------------- */

static void go_on(Disk *d, uint64_t now)
{
	d->now = now = later(d->now, now);
	decide_all(d, now);
	start_arm(d, now);
}

static void take_out(Disk *d, DiskTask *t)
{
	TAILQ_REMOVE(&d->tasks.list, t, next);
	d->tasks.count--;
	d->tasks.ordered -= t->attribute == DISK_ORDERED;
	d->tasks.heads -= t->attribute == DISK_HEAD;
	t->state = DISK_OUTSIDE;
}

/* When the arm is done, or may begin. */
static uint64_t arm_next(const Disk *d)
{
	uint64_t next = DISK_NEVER;
	const DiskTask *t;

	if (d->arm.busy)
		return d->arm.end;
	TAILQ_FOREACH(t, &d->tasks.list, next)
		if (t->ready < next && arm_may_take(d, t))
			next = t->ready;
	return next;
}

/* The arm does not wait for whoever was late to look. */
static void catch_up(Disk *d, uint64_t now)
{
	uint64_t next;

	while ((next = arm_next(d)) <= now) {
		if (d->arm.busy)
			arm_over(d);
		go_on(d, next);
	}
}

void disk_submit(Disk *d, DiskTask *t, uint64_t now)
{
	catch_up(d, now);
	d->now = now = later(d->now, now);
	d->count.commands++;
	d->count.found += d->tasks.count;
	d->count.reads += t->op == DISK_OP_READ;
	d->count.writes += t->op == DISK_OP_WRITE;
	d->count.syncs += t->op == DISK_OP_SYNC;
	t->state = DISK_HELD;
	t->seq = ++d->seq;
	t->arrived = now;
	TAILQ_INSERT_TAIL(&d->tasks.list, t, next);
	d->tasks.count++;
	d->tasks.ordered += t->attribute == DISK_ORDERED;
	d->tasks.heads += t->attribute == DISK_HEAD;
	go_on(d, now);
}

void disk_withdraw(Disk *d, DiskTask *t, uint64_t now)
{
	if (t->state == DISK_OUTSIDE)
		return;
	if (d->arm.task == t)
		d->arm.task = 0;	/* the arm ends what it began */
	take_out(d, t);
	go_on(d, now);
}

uint64_t disk_next(const Disk *d)
{
	uint64_t next = arm_next(d);
	const DiskTask *t;

	TAILQ_FOREACH(t, &d->tasks.list, next)
		if (t->state == DISK_DUE && t->due < next)
			next = t->due;
	return next;
}

static DiskTask *due_task(const Disk *d, uint64_t now)
{
	DiskTask *t;

	TAILQ_FOREACH(t, &d->tasks.list, next)
		if (t->state == DISK_DUE && t->due <= now)
			return t;
	return 0;
}

DiskTask *disk_run(Disk *d, uint64_t now)
{
	uint64_t next;
	DiskTask *t;

	while ((next = disk_next(d)) <= now) {
		catch_up(d, next);
		t = due_task(d, next);
		if (t) {
			if (next - t->arrived > d->count.longest_ns)
				d->count.longest_ns = next - t->arrived;
			take_out(d, t);
		}
		go_on(d, next);
		if (t)
			return t;
	}
	return 0;
}

void disk_set_write_cache(Disk *d, bool on, uint64_t now)
{
	d->p.write_cache = on;
	go_on(d, now);
}
