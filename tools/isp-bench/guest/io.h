/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of isp-io share: the job (what was asked for), the worker (one process doing its part
 * of it) and the tally (what a worker found out, in memory shared with its parent).
 *
 *	isp-io.c	command line, workers, the report
 *	job.c		the command line's words
 *	lat.c		latencies
 *	idle.c		/proc/stat
 *	worker.c	files, buffers and the measured window of one worker
 *	sync.c		pread/pwrite, one at a time; appends; small files
 *	queued.c	many outstanding: aio and io_uring
 *
 * From the begin of a window to its end nothing may be allocated, printed, or touched for the first time.
 */
#ifndef IO_H
#define IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lat.h"

/* Up to so many latencies are kept one by one; of more there is the histogram. */
#define IO_EXACT_OPS	1000000ull
/* Buffers of one worker take no more than that; outstanding commands share them then. */
#define IO_BUFFER_BYTES	(64ull << 20)
#define IO_MAX_CPUS	64

enum io_engine { IO_SYNC, IO_AIO, IO_URING, IO_POLL };

enum io_status {
	IO_DONE = 0,
	IO_ERRORS = 1,		/* an operation failed; there is a report */
	IO_TROUBLE = 2,		/* wrong usage, or no I/O could be done; there is none */
};

/**
 * struct io_job - what the command line asked for
 * @engine: how to do I/O
 * @write: write instead of read
 * @random: at random places instead of one after the other
 * @append: each write at the end of a file
 * @journal: create, write, fsync and rename small files in directories
 * @direct: past the page cache (O_DIRECT)
 * @dsync: each write is on the medium before it ends (O_DSYNC)
 * @fdatasync: fdatasync() after each write, part of its latency
 * @end_fsync: fsync() when a worker is through, part of the window
 * @fill: write the files before the window
 * @cold: have the page cache forget the files before the window
 * @bs: bytes of an operation
 * @qd: operations outstanding for each file
 * @batch: operations that a system call hands over at most; 0: all at once
 * @ops: operations in the window, of all workers; 0: all that the files hold, once
 * @warmup: operations before the window, of all workers
 * @size: bytes to use of each file; 0: all
 * @seed: of the random places
 * @threads: workers
 * @cpu: processors to run the workers on in turn
 * @nr_cpus: how many; 0: wherever the kernel likes
 * @times: file for the start and end of each operation, or NULL
 * @path: files and devices (with @journal: directories)
 * @nr_paths: how many
 */
struct io_job {
	enum io_engine engine;
	bool write, random, append, journal;
	bool direct, dsync, fdatasync, end_fsync, fill, cold;
	uint64_t bs, qd, batch, ops, warmup, size, seed;
	unsigned int threads;
	unsigned int cpu[IO_MAX_CPUS];
	unsigned int nr_cpus;
	const char *times;
	const char **path;
	unsigned int nr_paths;
};

/* An instant: CLOCK_MONOTONIC, and the processor's time-stamp counter (0 where that is not asked for). */
struct io_instant {
	uint64_t ns;
	uint64_t tsc;
};

/* One operation of the window, as --times lists it. */
struct io_times {
	struct io_instant start, end;
};

/**
 * struct io_tally - what a worker found out, in memory shared with its parent
 * @lat: latencies of the window
 * @bytes: read or written in the window
 * @errors: operations of the window that failed
 * @error: the first failure of all, a line; empty: none
 * @trouble: why the worker gave up; empty: it did not
 * @begin: start of its window, ns
 * @end: end of its window, ns
 * @cpu_ns: user and system time that the window took
 * @room: entries in the two arrays, where they are there
 * @ns: each latency, or NULL
 * @times: start and end of each operation, or NULL
 */
struct io_tally {
	struct lat lat;
	uint64_t bytes;
	uint64_t errors;
	char error[200];
	char trouble[200];
	uint64_t begin;
	uint64_t end;
	uint64_t cpu_ns;
	uint64_t room;
	uint64_t *ns;
	struct io_times *times;
};

/**
 * struct io_file - a file, or a worker's part of it
 * @path: its name
 * @fd: its descriptor
 * @base: first byte of the part
 * @blocks: operations that fit in
 * @next: number of the next one, unless places are random
 */
struct io_file {
	const char *path;
	int fd;
	uint64_t base;
	uint64_t blocks;
	uint64_t next;
};

/**
 * struct io_worker - one process's part of the job
 * @job: the whole job
 * @tally: where to count
 * @index: number of the worker
 * @file: its files
 * @nr_files: how many
 * @turn: file of the next operation of the synchronous engine
 * @random: state of the generator
 * @ops: operations of its window
 * @warmup: operations before
 * @counting: the window is open
 * @steady: the window opens and closes while operations are outstanding
 * @buffer: memory of all operations
 * @nr_buffers: how many operations have one of their own
 * @queue: what queued.c keeps, or NULL
 */
struct io_worker {
	const struct io_job *job;
	struct io_tally *tally;
	unsigned int index;
	struct io_file *file;
	unsigned int nr_files;
	unsigned int turn;
	uint64_t random;
	uint64_t ops, warmup;
	bool counting, steady;
	char *buffer;
	uint64_t nr_buffers;
	struct io_queue *queue;
};

/* job.c: 0, or -1 after a line on standard error */
int io_job_parse(struct io_job *job, int argc, char **argv);
const char *io_engine_name(const struct io_job *job);
const char *io_rw_name(const struct io_job *job);

/* worker.c */
void io_clock_init(bool with_tsc);
struct io_instant io_now(void);
void io_mark_begin(void);
void io_mark_end(void);
void *io_memory(uint64_t bytes, bool shared);
void io_touch(void *memory, uint64_t bytes);
void io_trouble(struct io_worker *w, const char *path, const char *what, int error);
bool io_worker_prepare(struct io_worker *w);
void io_worker_warm_up(struct io_worker *w, uint64_t ops);
void io_worker_run(struct io_worker *w);
void io_worker_finish(struct io_worker *w);
uint64_t io_worker_slots(const struct io_worker *w);

/* For the engines: the place of the next operation, and what became of one (@result: bytes, or -errno). */
uint64_t io_next_offset(struct io_worker *w, struct io_file *file);
void io_count(struct io_worker *w, const struct io_file *file, struct io_instant start, struct io_instant end,
	      int64_t result);

/* sync.c */
void io_sync_run(struct io_worker *w, uint64_t ops);

/* queued.c: @drain: start as many as asked for and wait for all; else keep the queue full and return when so many
 * have ended, with the others outstanding.
 */
bool io_queue_prepare(struct io_worker *w);
void io_queue_run(struct io_worker *w, uint64_t ops, bool drain);
void io_queue_drain(struct io_worker *w);

#endif
