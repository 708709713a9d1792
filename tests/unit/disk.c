// SPDX-License-Identifier: GPL-2.0-only
/*
 * The spindle of the virtual card's disks (tools/qemu-isp/disk*.c): geometry and times against the data sheet that
 * they come from, order of service, caches, and that no command is lost whatever happens.
 */
#include "disk.h"
#include "unit.h"

#define US 1000ULL
#define MS 1000000ULL
#define S 1000000000ULL
#define GB (1000000000ULL / DISK_SECTOR)
#define TASKS 64

static DiskParams params(void)
{
	return (DiskParams){
		.sectors = 36 * GB, .rpm = 10000, .zones = 15, .outer_spt = 858, .inner_spt = 430,
		.seek_track_us = 600, .seek_average_us = 4700, .seek_full_us = 10500, .write_settle_us = 600,
		.head_switch_us = 600, .overhead_us = 400, .hit_us = 30, .bus_kbs = 200000,
		.cache_size = 4 << 20, .segments = 8, .age_limit_ms = 1000, .age_weight = 10,
	};
}

static void make(Disk *d, const DiskParams *p)
{
	const char *bad = disk_init(d, p);

	CHECK(!bad, "%s", bad);
}

static uint64_t seed;

static uint64_t rnd(uint64_t n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % n;
}

static bool near(double is, double want, double part)
{
	return is > want * (1 - part) && is < want * (1 + part);
}

/* ---- mechanics ------------------------------------------------------------------------------------- */

static void sectors_have_one_place_each(void)
{
	DiskParams p = params();
	DiskPlace a, b;
	Disk d;

	p.sectors = 3 * GB;
	p.heads = 3;
	make(&d, &p);
	b = disk_place(&d.m, 0);
	CHECK(!b.cylinder && !b.head && !b.sector && b.spt == 858, "first sector");
	for (uint64_t s = 1; s < p.sectors; s++) {
		a = b;
		b = disk_place(&d.m, s);
		if (b.sector == a.sector + 1 && b.head == a.head && b.cylinder == a.cylinder)
			continue;
		if (a.sector + 1 == a.spt && !b.sector && b.head == (a.head + 1) % 3 &&
		    b.cylinder == a.cylinder + !b.head)
			continue;
		CHECK(false, "sector %llu", (unsigned long long)s);
		return;
	}
	CHECK(b.spt == 430, "last zone has %u", b.spt);
	CHECK(b.cylinder + 15 >= d.m.cylinders, "cylinder %u of %u", b.cylinder, d.m.cylinders);
}

static void seeks_take_what_the_data_sheet_says(void)
{
	DiskParams p = params();
	uint64_t last = 0, sum = 0, full;
	double pairs;
	Disk d;

	make(&d, &p);
	full = d.m.cylinders - 1;
	CHECK(disk_seek_ns(&d.m, 0) == 0, "no seek");
	CHECK(near(disk_seek_ns(&d.m, 1), 600 * US, 0.05), "one cylinder");
	CHECK(near(disk_seek_ns(&d.m, full), 10500 * US, 0.0001), "whole stroke");
	for (uint64_t n = 1; n <= full; n++) {
		uint64_t ns = disk_seek_ns(&d.m, n);

		if (ns < last)
			CHECK(false, "%llu cylinders are quicker", (unsigned long long)n);
		last = ns;
		sum += ns / 1000 * (full + 1 - n);
	}
	pairs = (double)full * (full + 1) / 2;
	CHECK(near(sum / pairs * 1000, 4700 * US, 0.01), "mean %f us", sum / pairs);
	p.seek_average_us = 2000;		/* less than a straight line gives */
	CHECK(disk_init(&d, &p), "an impossible curve");
}

static void platters_turn(void)
{
	DiskParams p = params();
	DiskPlace at;
	uint64_t sum = 0;
	Disk d;

	make(&d, &p);
	for (int i = 0; i < 20000; i++) {
		uint64_t sector = rnd(p.sectors), now = rnd(100 * S);
		DiskAccess a, b;

		at = disk_place(&d.m, sector);
		a = disk_access(&d.m, now, &at, sector, false);
		b = disk_access(&d.m, now + a.wait_ns, &at, sector, false);
		CHECK(!a.move_ns && a.wait_ns < 6 * MS, "%llu", (unsigned long long)a.wait_ns);
		CHECK(!b.wait_ns, "it does not come when it should: %llu", (unsigned long long)b.wait_ns);
		b = disk_access(&d.m, now + a.wait_ns + 1, &at, sector, false);
		CHECK(b.wait_ns == 6 * MS - 1, "just missed: %llu", (unsigned long long)b.wait_ns);
		sum += a.wait_ns;
	}
	CHECK(near(sum / 20000, 3 * MS, 0.02), "mean wait %llu", (unsigned long long)(sum / 20000));
	at = disk_place(&d.m, 0);
	CHECK(disk_access(&d.m, 0, &at, 20 * GB, true).move_ns ==
	      disk_access(&d.m, 0, &at, 20 * GB, false).move_ns + 600 * US, "a write settles longer");
}

/* Data sheet: 16 MiB in 260 ms outside, 510 ms inside, each with command overhead, average seek and half a turn. */
static void outer_tracks_are_faster(void)
{
	DiskParams p = params();
	Disk d;

	make(&d, &p);
	CHECK(near(disk_transfer_ns(&d.m, 1000, 32768) + 8100 * US, 260 * MS, 0.02), "%llu outside",
	      (unsigned long long)disk_transfer_ns(&d.m, 1000, 32768));
	CHECK(near(disk_transfer_ns(&d.m, p.sectors - 40000, 32768) + 8100 * US, 510 * MS, 0.02), "%llu inside",
	      (unsigned long long)disk_transfer_ns(&d.m, p.sectors - 40000, 32768));
	for (int i = 0; i < 3000; i++) {
		uint64_t at = rnd(p.sectors - 5000), n = 1 + rnd(4000), ns = disk_transfer_ns(&d.m, at, n);

		CHECK(disk_passed(&d.m, at, ns, 10000) == n, "%llu of %llu", (unsigned long long)n,
		      (unsigned long long)at);
		CHECK(disk_passed(&d.m, at, ns - 1, 10000) == n - 1, "one ns before");
		CHECK(disk_passed(&d.m, at, ns, n - 1) == n - 1, "no more than wanted");
	}
}

/* ---- runs --------------------------------------------------------------------------------------------- */

/* Keep @depth random reads or writes going; returns how long @n of them took in all. */
static uint64_t random_run(Disk *d, unsigned int depth, unsigned int n, DiskOp op, unsigned int sectors)
{
	static DiskTask t[256];
	uint64_t began = d->now, now = began;
	unsigned int sent = 0, done = 0;

	memset(t, 0, sizeof(t));
	while (done < n) {
		DiskTask *over;

		for (unsigned int i = 0; i < depth && sent < n; i++) {
			if (t[i].state != DISK_OUTSIDE)
				continue;
			t[i] = (DiskTask){ .op = op, .sector = rnd(d->p.sectors - sectors), .n = sectors };
			disk_submit(d, &t[i], now);
			sent++;
		}
		now = disk_next(d);
		CHECK(now != DISK_NEVER, "nothing will ever happen");
		if (now == DISK_NEVER)
			return 0;
		while ((over = disk_run(d, now)))
			done++;
	}
	return d->now - began;
}

static void one_at_a_time_is_as_the_data_sheet_says(void)
{
	DiskParams p = params();
	uint64_t ns;
	Disk d;

	make(&d, &p);
	ns = random_run(&d, 1, 4096, DISK_OP_READ, 1);
	CHECK(near(ns, 34 * S, 0.06), "4096 reads in %llu ms", (unsigned long long)(ns / MS));
	CHECK(d.count.media_reads + d.count.read_hits == 4096, "reads");
	CHECK(!d.count.reordered && !d.count.found, "nothing to reorder");
	make(&d, &p);
	ns = random_run(&d, 1, 4096, DISK_OP_WRITE, 1);
	CHECK(near(ns, 37 * S, 0.06), "4096 writes in %llu ms", (unsigned long long)(ns / MS));
}

static void queue_makes_it_faster(void)
{
	static const unsigned int depth[] = { 1, 4, 16, 32, 64 };
	DiskParams p = params();
	double rate[5];
	Disk d;

	for (int i = 0; i < 5; i++) {
		make(&d, &p);
		seed = 7;
		rate[i] = 4000.0 * S / random_run(&d, depth[i], 4000, DISK_OP_READ, 8);
		printf("queue depth %2u: %3.0f reads a second, the longest took %llu ms\n", depth[i], rate[i],
		       (unsigned long long)(d.count.longest_ns / MS));
		CHECK(!i || rate[i] > rate[i - 1], "depth %u is no faster", depth[i]);
		CHECK(d.count.longest_ns < 1500 * MS, "a command took %llu ms", (unsigned long long)(d.count.longest_ns / MS));
	}
	CHECK(rate[3] > 2 * rate[0], "%.0f and %.0f", rate[3], rate[0]);
	CHECK(d.count.reordered > 2000, "reordered %llu", (unsigned long long)d.count.reordered);
	CHECK(near((double)d.count.found / d.count.commands, 63, 0.02), "mean queue");
}

/* A neighbourhood that is never without commands, and one command far away: how long it takes, at most @limit. */
static uint64_t wait_of_the_distant(const DiskParams *p, uint64_t limit)
{
	DiskTask t[16] = { 0 }, far = { .op = DISK_OP_READ, .sector = p->sectors - 8, .n = 8 };
	uint64_t now = 0;
	Disk d;

	make(&d, p);
	while (now < limit) {
		DiskTask *over;

		for (int i = 0; i < 16; i++) {
			if (t[i].state != DISK_OUTSIDE)
				continue;
			t[i] = (DiskTask){ .op = DISK_OP_READ, .sector = rnd(20000), .n = 8, .force = true };
			disk_submit(&d, &t[i], now);
		}
		if (far.state == DISK_OUTSIDE)
			disk_submit(&d, &far, now);
		now = disk_next(&d);
		while ((over = disk_run(&d, now)))
			if (over == &far)
				return now - far.arrived;
	}
	return limit;
}

static void nobody_starves(void)
{
	DiskParams p = params();
	uint64_t ns;

	ns = wait_of_the_distant(&p, 60 * S);
	CHECK(ns < 1100 * MS, "the distant one took %llu ms", (unsigned long long)(ns / MS));
	p.age_weight = 0;
	ns = wait_of_the_distant(&p, 60 * S);
	CHECK(ns > 900 * MS && ns < 1100 * MS, "by the limit alone: %llu ms", (unsigned long long)(ns / MS));
	p.age_limit_ms = 4000000;
	CHECK(wait_of_the_distant(&p, 60 * S) == 60 * S, "without ageing it would have starved");
	p.age_weight = 10;
	ns = wait_of_the_distant(&p, 60 * S);
	CHECK(ns < 2 * S, "by the weight of its age: %llu ms", (unsigned long long)(ns / MS));
}

/* ---- task attributes -------------------------------------------------------------------------------------- */

/* Runs until all is over; *order gets the index of each in the order of their ends. */
static unsigned int drain(Disk *d, const DiskTask *first, unsigned int *order)
{
	unsigned int n = 0;
	uint64_t next;
	DiskTask *t;

	while ((next = disk_next(d)) != DISK_NEVER)
		while ((t = disk_run(d, next)))
			order[n++] = t - first;
	return n;
}

static unsigned int rank(const unsigned int *order, unsigned int n, unsigned int task)
{
	unsigned int i = 0;

	while (i < n && order[i] != task)
		i++;
	return i;
}

static void task_attributes_are_obeyed(void)
{
	DiskParams p = params();
	unsigned int order[TASKS], n;
	bool reordered = false;

	for (int round = 0; round < 200; round++) {
		unsigned int ordered = 5 + rnd(20), head = ordered + 1 + rnd(20);
		DiskTask t[TASKS] = { 0 };
		Disk d;

		make(&d, &p);
		for (unsigned int i = 0; i < 50; i++) {
			t[i] = (DiskTask){ .op = rnd(4) ? DISK_OP_READ : rnd(2) ? DISK_OP_WRITE : DISK_OP_NONE,
					   .sector = rnd(p.sectors - 8), .n = 8 };
			if (i == ordered)
				t[i].attribute = DISK_ORDERED;
			if (i == head)
				t[i].attribute = DISK_HEAD;
			disk_submit(&d, &t[i], i);
		}
		n = drain(&d, t, order);
		CHECK(n == 50, "%u of 50 ended", n);
		for (unsigned int i = 0; i < 50; i++) {
			bool before = rank(order, n, i) < rank(order, n, ordered);

			if (i != ordered && i != head)
				CHECK(before == (i < ordered), "command %u and the ordered one, %u", i, ordered);
			reordered |= rank(order, n, i) != i;
		}
		/* Beside the HEAD one only what was answered by the electronics already, or stood on the arm. */
		for (unsigned int i = 0; i < rank(order, n, head); i++)
			CHECK(t[order[i]].op == DISK_OP_NONE || i <= 8, "%u went before the head of queue", order[i]);
	}
	CHECK(reordered, "nothing was ever reordered");
}

/* ---- cache -------------------------------------------------------------------------------------------------- */

/* Reads or writes from @sector on in pieces, one at a time, with @pause between; returns bytes a second. */
static double stream(Disk *d, DiskOp op, uint64_t sector, unsigned int piece, unsigned int n, uint64_t pause)
{
	uint64_t began = d->now, now = began;

	for (unsigned int i = 0; i < n; i++) {
		DiskTask t = { .op = op, .sector = sector + (uint64_t)i * piece, .n = piece };

		disk_submit(d, &t, now);
		while (t.state != DISK_OUTSIDE) {
			now = disk_next(d);
			disk_run(d, now);
		}
		now += pause;
	}
	return (double)n * piece * DISK_SECTOR * S / (now - began);
}

static void sequential_reads_stream(void)
{
	DiskParams p = params();
	double rate;
	Disk d;

	make(&d, &p);
	rate = stream(&d, DISK_OP_READ, 0, 128, 2000, 50 * US);
	CHECK(near(rate, 66.6e6, 0.03), "%f MB/s in 64 KiB outside", rate / 1e6);
	CHECK(d.count.seeks < 200 && d.count.wait_ns < 200 * MS, "%llu ms of waiting",
	      (unsigned long long)(d.count.wait_ns / MS));
	make(&d, &p);
	rate = stream(&d, DISK_OP_READ, 0, 8, 2000, 0);
	CHECK(rate > 60e6, "%f MB/s in 4 KiB", rate / 1e6);
	CHECK(d.count.read_hits > 1500, "%llu hits", (unsigned long long)d.count.read_hits);
	make(&d, &p);
	rate = stream(&d, DISK_OP_READ, 0, 128, 200, 20 * MS);
	CHECK(d.count.read_hits >= 199, "a slow reader finds all there: %llu", (unsigned long long)d.count.read_hits);
	p.segments = 0;
	make(&d, &p);
	rate = stream(&d, DISK_OP_READ, 0, 8, 200, 0);
	CHECK(rate < 1e6, "without segments each piece costs a turn: %f MB/s", rate / 1e6);
	CHECK(!d.count.read_hits, "hits");
}

static uint64_t read_time(Disk *d, uint64_t sector, unsigned int n)
{
	uint64_t began = d->now;
	DiskTask t = { .op = DISK_OP_READ, .sector = sector, .n = n };

	disk_submit(d, &t, began);
	while (t.state != DISK_OUTSIDE)
		disk_run(d, disk_next(d));
	return d->now - began;
}

static void segments_hold_what_was_read(void)
{
	DiskParams p = params();
	Disk d;

	make(&d, &p);
	for (unsigned int i = 0; i < 8; i++)
		read_time(&d, i * GB, 64);
	for (unsigned int i = 0; i < 8; i++)
		CHECK(read_time(&d, i * GB, 64) == 30 * US + 64 * 512 * 5, "stream %u is there", i);
	read_time(&d, 20 * GB, 64);
	CHECK(read_time(&d, 0, 64) > 1 * MS, "the oldest had to go");
	CHECK(read_time(&d, 20 * GB, 64) < 1 * MS, "the newest is there");
	stream(&d, DISK_OP_WRITE, 20 * GB + 10, 1, 1, 0);
	CHECK(read_time(&d, 20 * GB, 10) < 1 * MS, "what was not written over");
	CHECK(read_time(&d, 20 * GB, 11) > 1 * MS, "what was written over comes from the medium");
}

static uint64_t ends_after(Disk *d, DiskTask *t, uint64_t now)
{
	disk_submit(d, t, now);
	while (t->state != DISK_OUTSIDE)
		disk_run(d, disk_next(d));
	return d->now - now;
}

static void write_cache_promises_and_keeps(void)
{
	DiskParams p = params();
	DiskTask t;
	uint64_t ns;
	Disk d;

	make(&d, &p);
	t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 9 * GB, .n = 8 };
	CHECK(ends_after(&d, &t, 0) > 1 * MS, "cache off: on the medium");
	p.write_cache = true;
	make(&d, &p);
	for (unsigned int i = 0; i < 100; i++) {
		t = (DiskTask){ .op = DISK_OP_WRITE, .sector = rnd(p.sectors - 8), .n = 8 };
		CHECK(ends_after(&d, &t, d.now) == 30 * US + 8 * 512 * 5, "cache on: at once");
	}
	ns = read_time(&d, t.sector, 8);
	CHECK(ns < 1 * MS, "written data is read from the cache: %llu", (unsigned long long)ns);
	t = (DiskTask){ .op = DISK_OP_SYNC };
	ns = ends_after(&d, &t, d.now);
	CHECK(ns > 100 * MS && ns < 900 * MS, "SYNC takes %llu ms", (unsigned long long)(ns / MS));
	CHECK(!d.c.extents && !d.c.dirty, "all is written");
	CHECK(d.count.destaged == 800, "%llu sectors", (unsigned long long)d.count.destaged);
	t = (DiskTask){ .op = DISK_OP_SYNC };
	CHECK(ends_after(&d, &t, d.now) == 30 * US, "nothing left to do");
	t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 9 * GB, .n = 8, .force = true };
	CHECK(ends_after(&d, &t, d.now) > 1 * MS, "FUA: on the medium");
	disk_set_write_cache(&d, false, d.now);
	t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 19 * GB, .n = 8 };
	CHECK(ends_after(&d, &t, d.now) > 1 * MS, "switched off");
}

static void cached_writes_are_joined_and_written_in_the_background(void)
{
	DiskParams p = params();
	DiskTask t;
	double rate;
	Disk d;

	p.write_cache = true;
	make(&d, &p);
	rate = stream(&d, DISK_OP_WRITE, 0, 8, 8000, 0);
	CHECK(near(rate, 66e6, 0.15), "sequential 4 KiB writes at %f MB/s", rate / 1e6);
	CHECK(d.count.media_writes < 400, "in %llu pieces", (unsigned long long)d.count.media_writes);
	make(&d, &p);
	for (unsigned int i = 0; i < 100; i++) {
		t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 5 * GB, .n = 8 };
		ends_after(&d, &t, d.now);
	}
	CHECK(d.count.destaged <= 16, "overwritten data is written once: %llu", (unsigned long long)d.count.destaged);
	while (disk_next(&d) != DISK_NEVER)
		disk_run(&d, disk_next(&d));
	CHECK(!d.c.dirty, "idle: it gets written");
	make(&d, &p);
	random_run(&d, 16, 3000, DISK_OP_WRITE, 64);
	CHECK(d.c.dirty <= d.c.dirty_limit, "more than it can hold");
	CHECK(d.count.media_writes > 2000, "a full cache is as slow as the arm");
}

/* Like random_run(), for so long, four reads at a time; every @pause also one write of @t. */
static void beside_reads(Disk *d, uint64_t ns, DiskTask *t, uint64_t pause)
{
	DiskTask reads[4] = { 0 };
	uint64_t now = d->now, end = now + ns, again = now;

	while (now < end) {
		for (int i = 0; i < 4; i++) {
			if (reads[i].state != DISK_OUTSIDE)
				continue;
			reads[i] = (DiskTask){ .op = DISK_OP_READ, .sector = rnd(d->p.sectors / 2), .n = 8 };
			disk_submit(d, &reads[i], now);
		}
		if (t && t->state == DISK_OUTSIDE && now >= again) {
			disk_submit(d, t, now);
			again = now + pause;
		}
		now = disk_next(d);
		while (disk_run(d, now))
			;
	}
	for (int i = 0; i < 4; i++)
		disk_withdraw(d, &reads[i], now);
	if (t)
		disk_withdraw(d, t, now);
}

static void reads_do_not_keep_writes_from_the_medium(void)
{
	DiskParams p = params();
	DiskTask t;
	Disk d;

	p.write_cache = true;
	make(&d, &p);
	t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 20 * GB, .n = 8 };
	beside_reads(&d, 5 * S, &t, 100 * MS);
	CHECK(d.count.write_hits > 40 && d.count.destaged >= 8 && d.count.destaged < 80,
	      "%llu writes of one place, %llu sectors written", (unsigned long long)d.count.write_hits,
	      (unsigned long long)d.count.destaged);
	p.age_limit_ms = 0;			/* all reads are too old at once */
	make(&d, &p);
	t.state = DISK_OUTSIDE;
	beside_reads(&d, 5 * S, &t, 2 * S);
	CHECK(d.count.destaged >= 16, "%llu sectors written", (unsigned long long)d.count.destaged);
	p.age_limit_ms = 1000;
	make(&d, &p);
	for (unsigned int i = 0; i < 15; i++)
		disk_dirty_add(&d.c, (i + 1) * GB, 250, 0, 0);
	CHECK(d.c.dirty > d.c.dirty_limit / 4 * 3, "nearly full");
	beside_reads(&d, 500 * MS, NULL, 0);
	CHECK(d.c.dirty <= d.c.dirty_limit / 4 * 3, "there is room again: %llu", (unsigned long long)d.c.dirty);
	make(&d, &p);
	t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 20 * GB, .n = 2000 };
	ends_after(&d, &t, 0);
	while (disk_next(&d) != DISK_NEVER)
		disk_run(&d, disk_next(&d));
	CHECK(d.count.media_writes == 2, "a long write in %llu pieces", (unsigned long long)d.count.media_writes);
}

static void write_cache_keeps_the_order_it_promised(void)
{
	DiskParams p = params();
	DiskTask t[4] = { 0 }, *over;
	uint64_t plain, verified;
	Disk d;

	/* SYNC waits for what was written before it, though part of that is written over behind it. */
	p.write_cache = true;
	make(&d, &p);
	t[0] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 9 * GB, .n = 8 };
	t[1] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 5 * GB, .n = 8 };
	t[2] = (DiskTask){ .op = DISK_OP_SYNC };
	t[3] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 5 * GB + 4, .n = 8 };
	for (int i = 0; i < 4; i++)
		disk_submit(&d, &t[i], i);
	while ((over = disk_run(&d, disk_next(&d))) != &t[2])
		CHECK(disk_next(&d) != DISK_NEVER, "SYNC has no end");
	CHECK(!d.c.dirty, "SYNC ended before what it waited for was written");

	/* FUA on what is unwritten: once is enough. */
	make(&d, &p);
	disk_dirty_add(&d.c, 9 * GB, 24, 0, 0);
	t[0] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 9 * GB + 8, .n = 8, .force = true };
	ends_after(&d, &t[0], 0);
	t[2] = (DiskTask){ .op = DISK_OP_SYNC };
	ends_after(&d, &t[2], d.now);
	CHECK(d.count.destaged == 16, "destaged %llu", (unsigned long long)d.count.destaged);

	/* No room for the first: the second, smaller one does not go past it. */
	make(&d, &p);
	for (unsigned int i = 0; i < 16; i++)
		disk_dirty_add(&d.c, (i + 1) * GB, 255, 0, 0);
	t[0] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 30 * GB, .n = 1000 };
	t[1] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 31 * GB, .n = 8 };
	disk_submit(&d, &t[0], 0);
	disk_submit(&d, &t[1], 0);
	while (!(over = disk_run(&d, disk_next(&d))))
		;
	CHECK(over == &t[0], "the smaller write went first");

	p.write_cache = false;
	make(&d, &p);
	t[0] = (DiskTask){ .op = DISK_OP_WRITE, .sector = 9 * GB, .n = 8 };
	plain = ends_after(&d, &t[0], 0);
	make(&d, &p);
	t[0].verify = true;
	verified = ends_after(&d, &t[0], 0);
	CHECK(verified == plain + 6 * MS, "WRITE AND VERIFY: a turn more");
}

static void what_is_read_ahead_is_not_what_was_written_since(void)
{
	DiskParams p = params();
	DiskTask t;
	Disk d;

	p.write_cache = true;
	make(&d, &p);
	read_time(&d, 0, 64);
	t = (DiskTask){ .op = DISK_OP_WRITE, .sector = 10, .n = 1 };
	ends_after(&d, &t, d.now + 1 * MS);
	while (disk_next(&d) != DISK_NEVER)
		disk_run(&d, disk_next(&d));
	CHECK(read_time(&d, 0, 10) < 1 * MS, "what lies before it is there");
	CHECK(read_time(&d, 8, 8) > 1 * MS, "the rest is not");
}

/* Whoever looks late finds that the arm went on meanwhile. */
static void arm_does_not_wait_for_late_lookers(void)
{
	DiskParams p = params();
	uint64_t due[2];
	Disk d;

	for (int late = 0; late < 2; late++) {
		DiskTask t[3] = { 0 };

		make(&d, &p);
		for (unsigned int i = 0; i < 3; i++)
			t[i] = (DiskTask){ .op = DISK_OP_READ, .sector = (i + 1) * 9 * GB, .n = 8 };
		disk_submit(&d, &t[0], 0);
		disk_submit(&d, &t[1], 0);
		if (late)
			disk_submit(&d, &t[2], 100 * MS);
		while (disk_next(&d) != DISK_NEVER)
			disk_run(&d, disk_next(&d));
		due[late] = t[1].due;
	}
	CHECK(due[0] == due[1], "%llu and %llu", (unsigned long long)due[0], (unsigned long long)due[1]);
}

static void electronics_do_one_thing_at_a_time(void)
{
	DiskParams p = params();
	DiskTask t[4] = { 0 };
	Disk d;

	make(&d, &p);
	for (int i = 0; i < 4; i++)
		disk_submit(&d, &t[i], 0);
	for (unsigned int i = 0; i < 4; i++) {
		CHECK(disk_next(&d) == (i + 1) * 30 * US, "answer %u", i);
		disk_run(&d, disk_next(&d));
	}
}

/* ---- whatever happens ------------------------------------------------------------------------------------------ */

static bool books_are_right(const Disk *d)
{
	uint64_t dirty = d->arm.busy && d->arm.destage ? d->arm.n : 0;

	for (uint32_t i = 0; i < d->c.extents; i++) {
		const DiskExtent *e = &d->c.extent[i];

		dirty += e->n;
		if (!e->n || (i && e[-1].sector + e[-1].n > e->sector))
			return false;
	}
	for (uint32_t i = 0; i < d->c.segments; i++)
		if (d->c.segment[i].start > d->c.segment[i].end || d->c.segment[i].end > d->p.sectors)
			return false;
	return dirty == d->c.dirty;
}

static DiskTask any_task(uint64_t sectors)
{
	DiskTask t = { .op = rnd(5), .n = 1 + rnd(rnd(10) ? 64 : 20000), .force = !rnd(8), .verify = !rnd(8),
		       .immediate = rnd(2), .attribute = rnd(10) ? DISK_SIMPLE : rnd(3) };

	t.sector = rnd(rnd(3) ? 3000 : sectors - t.n);
	return t;
}

/* A number that tells what ended when. */
static uint64_t any_run(uint32_t disk_seed, uint64_t load_seed)
{
	DiskParams p = params();
	DiskTask t[TASKS] = { 0 }, *over;
	uint64_t now = 0, sum = 0;
	unsigned int sent = 0, ended = 0, withdrawn = 0;
	Disk d;

	seed = load_seed;
	p.sectors = 100000;
	p.write_cache = rnd(2);
	p.segments = rnd(20);
	p.cache_size = rnd(3) * 300000;
	p.heads = rnd(4);
	p.seed = disk_seed;
	make(&d, &p);
	while (ended + withdrawn < 3000) {
		unsigned int i = rnd(TASKS);

		if (!rnd(1000))
			disk_set_write_cache(&d, rnd(2), now);
		if (t[i].state == DISK_OUTSIDE && sent < 3000) {
			t[i] = any_task(p.sectors);
			disk_submit(&d, &t[i], now);
			sent++;
		} else if (!rnd(20) && t[i].state != DISK_OUTSIDE) {
			disk_withdraw(&d, &t[i], now);
			withdrawn++;
		} else if (disk_next(&d) != DISK_NEVER) {
			now = rnd(2) ? disk_next(&d) : now + rnd(2 * MS);
			while ((over = disk_run(&d, now))) {
				ended++;
				sum = sum * 31 + (over - t) * 7919 + d.now;
				CHECK(over->due <= now && over->due >= over->arrived, "it ended in time");
			}
		}
		CHECK(books_are_right(&d), "after %u", ended);
		if (failures)
			return 0;
	}
	while (disk_next(&d) != DISK_NEVER)
		CHECK(!disk_run(&d, disk_next(&d)), "more ended than came");
	CHECK(!d.tasks.count && !d.tasks.ordered && !d.tasks.heads && !d.c.dirty, "it is empty");
	return sum;
}

static void nothing_is_lost_and_all_is_repeatable(void)
{
	for (unsigned int i = 1; i <= 60; i++) {
		uint64_t sum = any_run(0, i);

		CHECK(any_run(0, i) == sum, "run %u again", i);
		CHECK(any_run(1, i) != sum, "run %u with another seed of the disk", i);
	}
}

int main(void)
{
	sectors_have_one_place_each();
	seeks_take_what_the_data_sheet_says();
	platters_turn();
	outer_tracks_are_faster();
	one_at_a_time_is_as_the_data_sheet_says();
	queue_makes_it_faster();
	nobody_starves();
	task_attributes_are_obeyed();
	sequential_reads_stream();
	segments_hold_what_was_read();
	write_cache_promises_and_keeps();
	cached_writes_are_joined_and_written_in_the_background();
	reads_do_not_keep_writes_from_the_medium();
	write_cache_keeps_the_order_it_promised();
	what_is_read_ahead_is_not_what_was_written_since();
	arm_does_not_wait_for_late_lookers();
	electronics_do_one_thing_at_a_time();
	nothing_is_lost_and_all_is_repeatable();
	return unit_result();
}
