/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk with a spindle, in virtual time and without QEMU: what isp-spindle is made of, and what a unit test can
 * drive on its own.  Documentation/spindle.md.
 *
 * disk_mech.c    geometry, seek, rotation, transfer
 * disk_cache.c   segments that were read ahead, writes that are not on the medium yet
 * disk_order.c   which command is next: task attributes, shortest access first, ageing
 * disk.c         the events: commands come, the arm works, commands are over
 *
 * All addresses are sectors of 512 bytes, all times nanoseconds on one clock, all arithmetic is on integers: the same
 * commands at the same instants end at the same instants.
 */
#ifndef QEMU_ISP_DISK_H
#define QEMU_ISP_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#define DISK_SECTOR 512
#define DISK_MAX_ZONES 64
#define DISK_MAX_SEGMENTS 64
#define DISK_MAX_EXTENTS 1024
#define DISK_NEVER UINT64_MAX

typedef struct DiskParams {
	uint64_t sectors;
	uint64_t cache_size;		/* bytes; half for reads, half for writes */
	uint32_t rpm;
	uint32_t heads;			/* 0: by the capacity */
	uint32_t zones;			/* of as many cylinders each */
	uint32_t outer_spt, inner_spt;	/* sectors of a track in the first and the last zone */
	uint32_t seek_track_us, seek_average_us, seek_full_us;
	uint32_t write_settle_us;	/* a write after a seek waits so much longer */
	uint32_t head_switch_us;
	uint32_t overhead_us;		/* from a command to the arm's start for it */
	uint32_t hit_us;		/* ... to the data or the status of what needs no arm */
	uint32_t bus_kbs;		/* thousands of bytes a second between buffer and host */
	uint32_t segments;		/* of the half for reads; 0: no read-ahead */
	uint32_t age_limit_ms;		/* a command that waited longer is next */
	uint32_t age_weight;		/* so many us of access time make up for one ms of age */
	uint32_t seed;			/* where the platters stand at time 0 */
	bool write_cache;		/* what stands before it has no gaps: two such can be compared */
} DiskParams;

/* ---- disk_mech.c */

typedef struct DiskPlace {
	uint32_t cylinder, head;
	uint32_t sector;		/* in its track */
	uint32_t spt;			/* sectors of that track */
} DiskPlace;

typedef struct DiskZone {
	uint32_t cylinder, spt;		/* first cylinder */
	uint64_t sector;		/* first sector */
} DiskZone;

typedef struct DiskMech {
	uint32_t cylinders, heads, zones;
	DiskZone zone[DISK_MAX_ZONES];
	uint64_t rev_ns, phase_ns;
	uint64_t settle_ns, root_ns, linear_ns;	/* the seek curve */
	uint64_t write_settle_ns, head_switch_ns, cylinder_switch_ns;
} DiskMech;

typedef struct DiskAccess {
	uint64_t move_ns, wait_ns;	/* arm or head switch; rotation */
	bool seek;			/* the arm moves */
} DiskAccess;

/* NULL, or in words why such a disk cannot be. */
const char *disk_mech_init(DiskMech *m, const DiskParams *p);
DiskPlace disk_place(const DiskMech *m, uint64_t sector);
/* Time of a seek over so many cylinders: 0, or settle + root * sqrt(x) + linear * x, x of the whole stroke. */
uint64_t disk_seek_ns(const DiskMech *m, uint32_t cylinders);
/* From @from at time @now to the beginning of @sector. */
DiskAccess disk_access(const DiskMech *m, uint64_t now, const DiskPlace *from, uint64_t sector, bool write);
/* From the beginning of @sector to the end of the last of @n, with all switches of track between. */
uint64_t disk_transfer_ns(const DiskMech *m, uint64_t sector, uint64_t n);
/* How many whole sectors pass under the heads in @ns from the beginning of @sector; at most @max. */
uint64_t disk_passed(const DiskMech *m, uint64_t sector, uint64_t ns, uint64_t max);

/* ---- disk_cache.c */

typedef struct DiskSegment {
	uint64_t start, end;		/* what it holds; equal: nothing */
	uint64_t host;			/* end of what the host asked for */
	uint64_t used;			/* when, to find the one least recently used */
} DiskSegment;

typedef struct DiskExtent {
	uint64_t sector, n;
	uint64_t since;			/* its oldest data is from then */
	uint64_t seq;			/* ... and from that command */
} DiskExtent;

typedef struct DiskCache {
	uint32_t segments;
	uint64_t segment_size;		/* sectors */
	DiskSegment segment[DISK_MAX_SEGMENTS];
	uint64_t clock;			/* counts uses */
	DiskExtent extent[DISK_MAX_EXTENTS];	/* not on the medium yet, by sector, none touches the next */
	uint32_t extents;
	uint64_t dirty, dirty_limit;	/* sectors */
} DiskCache;

void disk_cache_init(DiskCache *c, const DiskParams *p);
/* The segment that holds @sector, or would with its next sector; -1: none. */
int disk_segment_find(const DiskCache *c, uint64_t sector);
/* A segment for what was read from @start to @end: @extend, or the least recently used one. */
int disk_segment_fill(DiskCache *c, int extend, uint64_t start, uint64_t end);
void disk_segment_use(DiskCache *c, int segment, uint64_t end);
/* The data of these sectors is new: no segment has it. */
void disk_segment_drop(DiskCache *c, uint64_t sector, uint64_t n);
/* Whether @n more sectors can be kept unwritten. */
bool disk_dirty_room(const DiskCache *c, uint64_t n);
void disk_dirty_add(DiskCache *c, uint64_t sector, uint64_t n, uint64_t now, uint64_t seq);
/* These sectors need not be written any more. */
void disk_dirty_cut(DiskCache *c, uint64_t sector, uint64_t n);
bool disk_dirty_holds(const DiskCache *c, uint64_t sector, uint64_t n);
/* Whether something that came with command @seq, or before it, is unwritten. */
bool disk_dirty_before(const DiskCache *c, uint64_t seq);

/* ---- disk_order.c */

typedef enum DiskOp {
	DISK_OP_NONE,			/* answered by the electronics */
	DISK_OP_READ,
	DISK_OP_WRITE,
	DISK_OP_VERIFY,			/* reads the medium, keeps nothing */
	DISK_OP_SYNC,			/* waits until all that was written is on the medium */
} DiskOp;

typedef enum DiskAttribute { DISK_SIMPLE, DISK_ORDERED, DISK_HEAD } DiskAttribute;

typedef enum DiskState {
	DISK_OUTSIDE,			/* the disk does not have it */
	DISK_HELD,			/* its task attribute, or room in the cache, or SYNC keeps it waiting */
	DISK_READY,			/* waits for the arm */
	DISK_ON_ARM,
	DISK_DUE,			/* over at a known instant */
} DiskState;

typedef struct DiskTask {
	/* Set by whoever submits it. */
	DiskOp op;
	uint64_t sector, n;
	bool force;			/* FUA: to or from the medium */
	bool verify;			/* a write that is read back */
	bool immediate;			/* SYNC: answer at once */
	DiskAttribute attribute;
	/* The disk's. */
	DiskState state;
	uint64_t seq, arrived, ready, due;
	TAILQ_ENTRY(DiskTask) next;
} DiskTask;

/* What the disk holds, in the order of arrival. */
typedef struct DiskTasks {
	TAILQ_HEAD(, DiskTask) list;
	uint32_t count, ordered, heads;
} DiskTasks;

/* Whether the others' task attributes let @t go. */
bool disk_enabled(const DiskTasks *s, const DiskTask *t);

/* ---- disk.c */

typedef struct DiskCounters {
	uint64_t commands, found;	/* found: the sum of what each found there */
	uint64_t reads, writes, media_reads, media_writes;
	uint64_t seeks, seek_cylinders, move_ns, wait_ns, transfer_ns;
	uint64_t reordered, aged;
	uint64_t read_hits, write_hits, destaged, syncs;
	uint64_t full;			/* TASK SET FULL */
	uint64_t longest_ns;		/* from a command to its end */
} DiskCounters;

typedef struct Disk {
	DiskParams p;
	DiskMech m;
	DiskCache c;
	DiskTasks tasks;
	DiskPlace at;			/* of the arm, once it is idle */
	struct {
		bool busy;
		uint64_t end;
		DiskTask *task;		/* NULL: for the cache, or whose task was withdrawn */
		bool write, keep;	/* keep: what is read goes into a segment */
		int segment;		/* that the read carries on; -1: none */
		uint64_t first, sector, n;	/* first: of what was asked for, before what was there already */
		bool destage;
		uint64_t seq;		/* destage: oldest command among the data */
	} arm;
	struct {
		int segment;		/* that is being read ahead while the arm is idle; -1: none */
		uint64_t sector, since;	/* where it was at the beginning of which sector */
	} ahead;
	uint64_t now;			/* of the last event */
	uint64_t electronics;		/* busy until then */
	uint64_t seq;
	DiskCounters count;
} Disk;

/* NULL, or in words why such a disk cannot be. */
const char *disk_init(Disk *d, const DiskParams *p);
/* @t comes at @now; it is the disk's until disk_run() returns it or disk_withdraw() is called. */
void disk_submit(Disk *d, DiskTask *t, uint64_t now);
/* Forget @t, whatever it waits for; nothing happens to a task that the disk does not have. */
void disk_withdraw(Disk *d, DiskTask *t, uint64_t now);
/* When something happens next; DISK_NEVER: not before another task comes. */
uint64_t disk_next(const Disk *d);
/* One task that is over by @now, in the order in which they end; NULL: no more. */
DiskTask *disk_run(Disk *d, uint64_t now);
/* Switch the write cache; what is in it will be written. */
void disk_set_write_cache(Disk *d, bool on, uint64_t now);

#endif
