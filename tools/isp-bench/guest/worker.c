// SPDX-License-Identifier: GPL-2.0-only
/* One worker of isp-io: clock and marks, its files and buffers, and the measured window. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "io.h"

#define PAGE		4096
#define NS_PER_S	1000000000ull

/* linux/fs.h, which not every libc can include */
#define BLOCK_SIZE_64	_IOR(0x12, 114, size_t)
#define BLOCK_SECTORS	_IO(0x12, 96)
#define BLOCK_FLUSH	_IO(0x12, 97)

#ifndef MADV_NOHUGEPAGE
#define MADV_NOHUGEPAGE	15
#endif

static bool clock_has_tsc, clock_is_coarse;

/* Kernels before 2.6 have no clock_gettime(): microseconds then, and hope that nobody sets the clock. */
void io_clock_init(bool with_tsc)
{
	struct timespec t;

	clock_has_tsc = with_tsc;
	clock_is_coarse = clock_gettime(CLOCK_MONOTONIC, &t) != 0;
}

struct io_instant io_now(void)
{
	struct io_instant now = { 0 };
	struct timespec t;
	struct timeval coarse;

	if (!clock_is_coarse) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		now.ns = t.tv_sec * NS_PER_S + t.tv_nsec;
	} else {
		gettimeofday(&coarse, NULL);
		now.ns = coarse.tv_sec * NS_PER_S + coarse.tv_usec * 1000ull;
	}
#if defined(__i386__) || defined(__x86_64__)
	if (clock_has_tsc)
		now.tsc = __builtin_ia32_rdtsc();
#endif
	return now;
}

/*
 * Marks for whoever watches the instructions: a NOP of seven bytes whose displacement is a number. Nothing
 * else has that; on a real processor it does nothing.
 */
#if defined(__i386__) || defined(__x86_64__)
#define MARK(number)	__asm__ volatile (".byte 0x0f, 0x1f, 0x80\n\t.long " #number ::: "memory")
#else
#define MARK(number)	__asm__ volatile ("" ::: "memory")
#endif

void io_mark_begin(void)
{
	MARK(0x15b00001);
}

void io_mark_end(void)
{
	MARK(0x15b00002);
}

/* Memory for good; NULL when there is not so much. */
void *io_memory(uint64_t bytes, bool shared)
{
	void *memory;

	if (bytes > SIZE_MAX - PAGE)
		return NULL;
	memory = mmap(NULL, (bytes + PAGE - 1) / PAGE * PAGE, PROT_READ | PROT_WRITE,
		      MAP_ANONYMOUS | (shared ? MAP_SHARED : MAP_PRIVATE), -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* Whether there are huge pages to be had is luck, and changes what an operation costs. */
	madvise(memory, (bytes + PAGE - 1) / PAGE * PAGE, MADV_NOHUGEPAGE);
	return memory;
}

/* Have this process own each page, so that the window takes no fault. */
void io_touch(void *memory, uint64_t bytes)
{
	volatile char *at = memory;

	for (uint64_t i = 0; i < bytes; i += PAGE)
		at[i] = at[i];
}

/* Why this worker cannot go on: the first reason counts. */
void io_trouble(struct io_worker *w, const char *path, const char *what, int error)
{
	char *line = w->tally->trouble;

	if (*line)
		return;
	snprintf(line, sizeof(w->tally->trouble), "%s%s%s%s%s", path ? path : "", path ? ": " : "", what,
		 error ? ": " : "", error ? strerror(error) : "");
}

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016 */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

uint64_t io_next_offset(struct io_worker *w, struct io_file *file)
{
	uint64_t block;

	if (w->job->random) {
		/* Even enough: files have far fewer than 2^32 blocks in a run that ends. */
		block = (next_random(&w->random) >> 16) % file->blocks;
	} else {
		block = file->next;
		file->next = block + 1 < file->blocks ? block + 1 : 0;
	}
	return file->base + block * w->job->bs;
}

static void note_error(struct io_worker *w, const struct io_file *file, int64_t result)
{
	struct io_tally *tally = w->tally;

	if (w->counting)
		tally->errors++;
	if (tally->error[0])
		return;
	snprintf(tally->error, sizeof(tally->error), "%s: %s: %s", file->path, io_rw_name(w->job),
		 result < 0 ? strerror(-result) : "less was done than asked for");
}

void io_count(struct io_worker *w, const struct io_file *file, struct io_instant start, struct io_instant end,
	      int64_t result)
{
	struct io_tally *tally = w->tally;
	uint64_t ns = end.ns - start.ns, index = tally->lat.count;

	if (result != (int64_t)w->job->bs)
		note_error(w, file, result);
	if (!w->counting)
		return;
	if (result > 0)
		tally->bytes += result;
	lat_add(&tally->lat, ns);
	if (index >= tally->room)
		return;
	if (tally->ns)
		tally->ns[index] = ns;
	if (tally->times) {
		tally->times[index].start = start;
		tally->times[index].end = end;
	}
}

/* Bytes of a file or device; 0 after telling the trouble. */
static uint64_t file_size(struct io_worker *w, const struct io_file *file, const struct stat *st)
{
	unsigned long sectors;
	uint64_t bytes = 0;

	if (S_ISREG(st->st_mode))
		return st->st_size;
	if (!S_ISBLK(st->st_mode)) {
		io_trouble(w, file->path, "neither a file nor a block device", 0);
		return 0;
	}
	if (ioctl(file->fd, BLOCK_SIZE_64, &bytes) == 0)
		return bytes;
	if (ioctl(file->fd, BLOCK_SECTORS, &sectors) == 0)
		return (uint64_t)sectors * 512;
	io_trouble(w, file->path, "size", errno);
	return 0;
}

/*
 * Where the kernel polls no queue of the device, io_uring's polling spins until the interrupt has come: that would be
 * measured as polling, and is none. Kernels without the attribute have no polled queues either, or are asked in vain.
 */
static bool check_polled(struct io_worker *w, const struct io_file *file, const struct stat *st)
{
	dev_t dev = S_ISBLK(st->st_mode) ? st->st_rdev : st->st_dev;
	static const char * const place[] = { "queue/io_poll", "../queue/io_poll" };
	char path[96], polled = 0;

	for (unsigned int i = 0; i < 2 && !polled; i++) {
		int fd;

		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/%s", major(dev), minor(dev), place[i]);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		if (read(fd, &polled, 1) != 1)
			polled = 0;
		close(fd);
	}
	if (polled == '1')
		return true;
	io_trouble(w, file->path, "poll: the device has no polled queue", 0);
	return false;
}

static int open_flags(const struct io_job *job)
{
	int flags = job->write || job->fill ? O_RDWR : O_RDONLY;

	if (job->write || job->fill)
		flags |= O_CREAT;
	if (job->append)
		flags |= O_APPEND | O_TRUNC;
	if (job->direct)
		flags |= O_DIRECT;
	if (job->dsync)
		flags |= O_DSYNC;
	return flags;
}

static bool fill_file(struct io_worker *w, struct io_file *file)
{
	for (uint64_t i = 0; i < file->blocks; i++) {
		ssize_t n = pwrite(file->fd, w->buffer, w->job->bs, file->base + i * w->job->bs);

		if (n != (ssize_t)w->job->bs) {
			io_trouble(w, file->path, "fill", n < 0 ? errno : ENOSPC);
			return false;
		}
	}
	if (fsync(file->fd) == 0)
		return true;
	io_trouble(w, file->path, "fill", errno);
	return false;
}

/* Have the page cache forget the file. What has to be written first, is. */
static void forget(const struct io_file *file)
{
	fsync(file->fd);
	ioctl(file->fd, BLOCK_FLUSH, 0);
#ifdef POSIX_FADV_DONTNEED
	posix_fadvise(file->fd, 0, 0, POSIX_FADV_DONTNEED);
#endif
}

/* Open a file and find this worker's part of it: number @part of @parts. */
static bool open_file(struct io_worker *w, struct io_file *file, unsigned int part, unsigned int parts)
{
	const struct io_job *job = w->job;
	uint64_t bytes, want = job->size;
	struct stat st;

	if (job->journal) {
		file->fd = -1;
		if (stat(file->path, &st) < 0)
			io_trouble(w, file->path, "--journal", errno);
		else if (!S_ISDIR(st.st_mode))
			io_trouble(w, file->path, "--journal", ENOTDIR);
		return !w->tally->trouble[0];
	}
	file->fd = open(file->path, open_flags(job), 0666);
	if (file->fd < 0 || fstat(file->fd, &st) < 0) {
		io_trouble(w, file->path, job->direct && errno == EINVAL ? "direct I/O" : "open", errno);
		return false;
	}
	if (job->engine == IO_POLL && !check_polled(w, file, &st))
		return false;
	if (job->append)
		return true;
	bytes = file_size(w, file, &st);
	if (w->tally->trouble[0])
		return false;
	if (!want)
		want = bytes;
	if (want > bytes && (S_ISBLK(st.st_mode) || !(job->write || job->fill))) {
		io_trouble(w, file->path, "is smaller than --size", 0);
		return false;
	}
	file->blocks = want / job->bs / parts;
	file->base = file->blocks * job->bs * part;
	if (file->blocks)
		return true;
	io_trouble(w, file->path, want ? "has no room for one block per worker" : "is empty, and --size is not given", 0);
	return false;
}

/*
 * With as many files as workers or more, each worker has its own, every so-manieth; else several workers share
 * a file, each in its part.
 */
static bool open_files(struct io_worker *w)
{
	const struct io_job *job = w->job;
	unsigned int files = job->nr_paths, workers = job->threads, i = w->index;

	if (files < workers) {
		unsigned int sharers = workers / files + (i % files < workers % files);

		w->file[0].path = job->path[i % files];
		w->nr_files = 1;
		return open_file(w, &w->file[0], i / files, sharers);
	}
	for (unsigned int n = i; n < files; n += workers) {
		struct io_file *file = &w->file[w->nr_files++];

		file->path = job->path[n];
		if (!open_file(w, file, 0, 1))
			return false;
	}
	return true;
}

uint64_t io_worker_slots(const struct io_worker *w)
{
	return w->job->engine == IO_SYNC ? 1 : w->job->qd * w->nr_files;
}

/* Memory that the operations read into and write from, full of what does not compress. */
static bool make_buffers(struct io_worker *w)
{
	uint64_t bs = w->job->bs, state = w->job->seed + 1, words;
	uint64_t *at;

	w->nr_buffers = IO_BUFFER_BYTES / bs;
	if (w->nr_buffers > io_worker_slots(w))
		w->nr_buffers = io_worker_slots(w);
	if (!w->nr_buffers)
		w->nr_buffers = 1;
	w->buffer = io_memory(w->nr_buffers * bs, false);
	if (!w->buffer) {
		io_trouble(w, NULL, "no memory for buffers", 0);
		return false;
	}
	at = (uint64_t *)w->buffer;
	words = w->nr_buffers * bs / sizeof(*at);
	for (uint64_t i = 0; i < words; i++)
		at[i] = next_random(&state);
	return true;
}

static bool pin(struct io_worker *w)
{
	cpu_set_t set;

	if (!w->job->nr_cpus)
		return true;
	CPU_ZERO(&set);
	CPU_SET(w->job->cpu[w->index % w->job->nr_cpus], &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0)
		return true;
	io_trouble(w, NULL, "--cpu", errno);
	return false;
}

/* Operations of one worker's window: its part of those asked for, or all that its files hold, once. */
static void share_out(struct io_worker *w)
{
	const struct io_job *job = w->job;
	unsigned int workers = job->threads;

	w->ops = job->ops / workers + (w->index < job->ops % workers);
	w->warmup = job->warmup / workers + (w->index < job->warmup % workers);
	if (job->ops)
		return;
	for (unsigned int i = 0; i < w->nr_files; i++)
		w->ops += w->file[i].blocks;
}

/* The tally is filled in while the window is open. */
static void touch_tally(struct io_tally *tally)
{
	io_touch(tally, sizeof(*tally));
	if (tally->ns)
		io_touch(tally->ns, tally->room * sizeof(*tally->ns));
	if (tally->times)
		io_touch(tally->times, tally->room * sizeof(*tally->times));
}

/* Everything that has to be there before the first operation. */
bool io_worker_prepare(struct io_worker *w)
{
	const struct io_job *job = w->job;

	/* Any state but 0 will do, and neighbours shall have nothing in common. */
	w->random = (job->seed + 1) * 0x9e3779b97f4a7c15ull + (w->index + 1) * 0xbf58476d1ce4e5b9ull;
	if (!w->random)
		w->random = 1;
	w->steady = job->engine != IO_SYNC && job->threads == 1 && job->warmup;
	if (!pin(w) || !open_files(w) || !make_buffers(w))
		return false;
	share_out(w);
	for (unsigned int i = 0; i < w->nr_files; i++) {
		if (job->fill && !fill_file(w, &w->file[i]))
			return false;
		if (job->cold)
			forget(&w->file[i]);
	}
	touch_tally(w->tally);
	return job->engine == IO_SYNC || io_queue_prepare(w);
}

static uint64_t cpu_time(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NS_PER_S +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ull;
}

/* Operations that are not measured. */
void io_worker_warm_up(struct io_worker *w, uint64_t ops)
{
	if (w->job->engine == IO_SYNC)
		io_sync_run(w, ops);
	else
		io_queue_run(w, ops, !w->steady);
}

/* The measured window. */
void io_worker_run(struct io_worker *w)
{
	struct io_tally *tally = w->tally;

	tally->cpu_ns = cpu_time();
	w->counting = true;
	tally->begin = io_now().ns;
	if (w->job->engine == IO_SYNC)
		io_sync_run(w, w->ops);
	else
		io_queue_run(w, w->ops, !w->steady);
	for (unsigned int i = 0; w->job->end_fsync && i < w->nr_files; i++)
		if (fsync(w->file[i].fd) < 0)
			note_error(w, &w->file[i], -errno);
	tally->end = io_now().ns;
	w->counting = false;
	tally->cpu_ns = cpu_time() - tally->cpu_ns;
}

/* What is still outstanding would otherwise end in memory that is gone. */
void io_worker_finish(struct io_worker *w)
{
	if (w->steady)
		io_queue_drain(w);
}
