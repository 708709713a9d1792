// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a disk keeps in its buffer: segments of what it read, and read ahead, and writes that it has promised to do.
 * Only addresses: the data itself is somewhere else.
 */
#include <string.h>
#include "disk.h"

/* Two writes side by side become one as long as it is no longer than this (sectors). */
#define LONGEST_JOIN 2048

void disk_cache_init(DiskCache *c, const DiskParams *p)
{
	memset(c, 0, sizeof(*c));
	c->dirty_limit = p->cache_size / 2 / DISK_SECTOR;
	if (!p->segments)
		return;
	c->segments = p->segments;
	c->segment_size = p->cache_size / 2 / DISK_SECTOR / p->segments;
	if (!c->segment_size)
		c->segments = 0;
}

/* ---- segments --------------------------------------------------------------------------------------- */

int disk_segment_find(const DiskCache *c, uint64_t sector)
{
	int found = -1;

	for (uint32_t i = 0; i < c->segments; i++) {
		const DiskSegment *s = &c->segment[i];

		if (s->start == s->end || sector < s->start || sector > s->end)
			continue;
		if (found < 0 || s->end > c->segment[found].end)
			found = i;
	}
	return found;
}

void disk_segment_use(DiskCache *c, int segment, uint64_t end)
{
	DiskSegment *s = &c->segment[segment];

	s->used = ++c->clock;
	if (end > s->host)
		s->host = end;
}

int disk_segment_fill(DiskCache *c, int extend, uint64_t start, uint64_t end)
{
	DiskSegment *s = &c->segment[0];

	if (!c->segments)
		return -1;
	if (extend >= 0) {
		s = &c->segment[extend];
	} else {
		for (uint32_t i = 1; i < c->segments; i++)
			if (c->segment[i].used < s->used)
				s = &c->segment[i];
		s->start = start;
		s->host = 0;
	}
	s->end = end;
	if (s->end - s->start > c->segment_size)
		s->start = s->end - c->segment_size;
	return s - c->segment;
}

void disk_segment_drop(DiskCache *c, uint64_t sector, uint64_t n)
{
	for (uint32_t i = 0; i < c->segments; i++) {
		DiskSegment *s = &c->segment[i];

		if (sector >= s->end || sector + n <= s->start)
			continue;
		if (sector > s->start)
			s->end = sector;
		else
			s->start = s->end = 0;
	}
}

/* ---- unwritten data ----------------------------------------------------------------------------------- */

bool disk_dirty_room(const DiskCache *c, uint64_t n)
{
	return c->dirty + n <= c->dirty_limit && c->extents < DISK_MAX_EXTENTS - 1;
}

bool disk_dirty_holds(const DiskCache *c, uint64_t sector, uint64_t n)
{
	for (uint32_t i = 0; i < c->extents; i++)
		if (sector >= c->extent[i].sector && sector + n <= c->extent[i].sector + c->extent[i].n)
			return true;
	return false;
}

bool disk_dirty_before(const DiskCache *c, uint64_t seq)
{
	for (uint32_t i = 0; i < c->extents; i++)
		if (c->extent[i].seq <= seq)
			return true;
	return false;
}

static void take_out(DiskCache *c, uint32_t i)
{
	c->dirty -= c->extent[i].n;
	c->extents--;
	memmove(&c->extent[i], &c->extent[i + 1], (c->extents - i) * sizeof(c->extent[0]));
}

static void put_in(DiskCache *c, const DiskExtent *e)
{
	uint32_t i = 0;

	while (i < c->extents && c->extent[i].sector < e->sector)
		i++;
	memmove(&c->extent[i + 1], &c->extent[i], (c->extents - i) * sizeof(c->extent[0]));
	c->extent[i] = *e;
	c->extents++;
	c->dirty += e->n;
}

static bool joins(const DiskExtent *a, const DiskExtent *b)
{
	if (a->sector + a->n < b->sector || b->sector + b->n < a->sector)
		return false;
	if (a->sector + a->n == b->sector || b->sector + b->n == a->sector)
		return a->n + b->n <= LONGEST_JOIN;
	return true;
}

/* Overwritten data is written once; neighbours are written in one go. */
void disk_dirty_add(DiskCache *c, uint64_t sector, uint64_t n, uint64_t now, uint64_t seq)
{
	DiskExtent e = { sector, n, now, seq };

	for (uint32_t i = 0; i < c->extents;) {
		const DiskExtent *o = &c->extent[i];
		uint64_t end = e.sector + e.n;

		if (!joins(o, &e)) {
			i++;
			continue;
		}
		if (o->sector + o->n > end)
			end = o->sector + o->n;
		if (o->sector < e.sector)
			e.sector = o->sector;
		e.n = end - e.sector;
		if (o->since < e.since)
			e.since = o->since;
		if (o->seq < e.seq)
			e.seq = o->seq;
		take_out(c, i);
		i = 0;			/* what it has become may touch another one */
	}
	put_in(c, &e);
}

void disk_dirty_cut(DiskCache *c, uint64_t sector, uint64_t n)
{
	for (uint32_t i = 0; i < c->extents;) {
		DiskExtent e = c->extent[i], rest = e;
		uint64_t end = sector + n, e_end = e.sector + e.n;

		if (e_end <= sector || e.sector >= end) {
			i++;
			continue;
		}
		if (e.sector < sector && e_end > end && c->extents == DISK_MAX_EXTENTS) {
			i++;		/* no place for two halves: it is written once more */
			continue;
		}
		take_out(c, i);
		if (e_end > end) {
			rest.sector = end;
			rest.n = e_end - end;
			put_in(c, &rest);
		}
		if (e.sector < sector) {
			e.n = sector - e.sector;
			put_in(c, &e);
			i++;
		}
	}
}
