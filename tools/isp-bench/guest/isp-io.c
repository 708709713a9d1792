// SPDX-License-Identifier: GPL-2.0-only
/*
 * isp-io: I/O on disks and files, measured; one JSON object says what came out. It runs in guests with any kernel from
 * 2.4 on, is linked statically, and needs nothing beside itself. Here are its workers and its report.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "idle.h"
#include "io.h"

static const char help[] =
"Usage: isp-io --file PATH [OPTION]...\n"
"\n"
"Does I/O and prints one JSON object on what it took. PATH is a block device or a file; --file may be given\n"
"several times. Sizes take k, m, g, t.\n"
"\n"
"  --file PATH     work is spread over all; %d in it: one file for each thread, 0, 1, ...\n"
"  --rw WHAT       read (default), write, randread, randwrite\n"
"  --engine HOW    sync: pread, pwrite (default); aio: io_submit; uring: io_uring; poll: io_uring that polls\n"
"                  (implies --direct)\n"
"  --bs N          bytes of an operation (4096)\n"
"  --qd N          operations outstanding for each file, not with sync (1)\n"
"  --batch N       operations that one system call hands over at most, with aio (all that can be)\n"
"  --ops N         operations that are measured (default: what the files hold, once)\n"
"  --warmup N      operations before (0). With one thread and a queue it stays full over both ends of the\n"
"                  measured window, which then may take up to a batch more than --ops; else it is empty there\n"
"  --size N        use so much of each file, from its start (default: all of it)\n"
"  --threads N     processes; they share files in equal parts, or each has its own (1)\n"
"  --cpu N[,N]...  run them on these processors, in turn\n"
"  --seed N        of the random places (1)\n"
"  --direct        past the page cache (O_DIRECT)\n"
"  --dsync         writes are on the medium when they end (O_DSYNC)\n"
"  --fdatasync     fdatasync() after each write, in its latency\n"
"  --end-fsync     fsync() at the end of each thread, in the measured time\n"
"  --append        write at the end of files, from empty; with sync\n"
"  --journal       create, write, fsync, rename small files in directories --file; with sync\n"
"  --fill          write the files first\n"
"  --cold          have the page cache forget the files first\n"
"  --times FILE    start and end of each operation: ns ns tsc tsc, CLOCK_MONOTONIC and time-stamp counter\n"
"  --help          this text\n"
"\n"
"Exit: 0 all well; 1 operations failed, the first is named on standard error; 2 wrong usage, or no I/O could\n"
"be done.\n";

/**
 * struct crew - the workers
 * @job: what they do
 * @worker: each of them
 * @ready: pipe from which their parent gets READY from each that waits for its window, or is through with it, and
 *	FAILED for one that gave up or died
 * @go: pipe from which each gets a byte when its window begins
 * @over: pipe that ends when all are through with their windows
 * @times: where --times goes, or NULL
 */
struct crew {
	struct io_job job;
	struct io_worker *worker;
	int ready[2], go[2], over[2];
	FILE *times;
};

#define READY	'r'
#define FAILED	'f'

static int trouble(const char *what, const char *why)
{
	fprintf(stderr, "isp-io: %s%s%s\n", what, why ? ": " : "", why ? why : "");
	return IO_TROUBLE;
}

/* A moment of the whole machine, for what it was busy with. */
struct moment {
	uint64_t ns, ticks;
	unsigned int cpus;
	bool known;
};

static struct moment moment_now(void)
{
	struct moment m = { 0 };

	m.known = idle_ticks("/proc/stat", &m.ticks, &m.cpus);
	m.ns = io_now().ns;
	return m;
}

/*
 * What all processors were busy for, in the same proportion for the window of @window ns as between the two moments.
 * Ticks are coarse, 10 ms as a rule: idle time may seem to be more than there was.
 */
static void print_busy(const struct moment *from, const struct moment *to, uint64_t window)
{
	uint64_t idle = (to->ticks - from->ticks) * (1000000000ull / sysconf(_SC_CLK_TCK));
	uint64_t all = (to->ns - from->ns) * to->cpus;

	if (!from->known || !to->known || to->ns == from->ns)
		printf("null");
	else
		printf("%.0f", all > idle ? (double)(all - idle) / (to->ns - from->ns) * window : 0);
}

/*
 * Bytes of a file as far as the operations of one worker depend on it, so that its arrays can be made. What cannot be
 * opened or sized, the worker will tell.
 */
static uint64_t size_of(const char *path)
{
	int fd = open(path, O_RDONLY);
	off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);

	if (fd >= 0)
		close(fd);
	return end > 0 ? end : 0;
}

/* The most operations that one worker's window can have. */
static uint64_t most_ops(const struct io_job *job)
{
	unsigned int each = (job->nr_paths + job->threads - 1) / job->threads;
	uint64_t most = job->size, slots = job->engine == IO_SYNC ? 1 : job->qd * each;

	if (job->ops)
		return job->ops / job->threads + 1 + slots;
	for (unsigned int i = 0; !job->size && i < job->nr_paths; i++) {
		uint64_t bytes = size_of(job->path[i]);

		if (bytes > most)
			most = bytes;
	}
	/* The smallest number of workers that share a file has the largest parts. */
	if (job->nr_paths < job->threads)
		most /= job->threads / job->nr_paths;
	return most / job->bs * each + slots;
}

/* The workers and their tallies; 0, or IO_TROUBLE. */
static int make_workers(struct crew *crew)
{
	const struct io_job *job = &crew->job;
	uint64_t most = most_ops(job);
	unsigned int files = (job->nr_paths + job->threads - 1) / job->threads;
	bool exact = most * job->threads <= IO_EXACT_OPS + job->threads * (1 + job->qd * files);

	crew->worker = io_memory(job->threads * sizeof(*crew->worker), false);
	if (!crew->worker)
		return trouble("no memory for workers", NULL);
	for (unsigned int i = 0; i < job->threads; i++) {
		struct io_worker *w = &crew->worker[i];

		w->job = job;
		w->index = i;
		w->tally = io_memory(sizeof(*w->tally), true);
		w->file = io_memory(files * sizeof(*w->file), false);
		if (!w->tally || !w->file)
			return trouble("no memory for workers", NULL);
		lat_init(&w->tally->lat);
		w->tally->room = most;
		if (exact)
			w->tally->ns = io_memory(most * sizeof(*w->tally->ns), true);
		if (job->times)
			w->tally->times = io_memory(most * sizeof(*w->tally->times), true);
		if ((exact && !w->tally->ns) || (job->times && !w->tally->times))
			return trouble("no memory for so many --ops", NULL);
	}
	return 0;
}

/* The first worker that gave up speaks for all. */
static int any_trouble(const struct crew *crew)
{
	for (unsigned int i = 0; i < crew->job.threads; i++)
		if (crew->worker[i].tally->trouble[0])
			return trouble(crew->worker[i].tally->trouble, NULL);
	return 0;
}

/* One worker is this process itself: nothing stands between it and the marks. */
static int run_alone(struct crew *crew, struct moment *from, struct moment *to)
{
	struct io_worker *w = &crew->worker[0];

	if (!io_worker_prepare(w))
		return any_trouble(crew);
	/* Reading the moment takes its time, which nobody measures in the middle of the warm-up. */
	io_worker_warm_up(w, w->warmup / 2);
	*from = moment_now();
	io_worker_warm_up(w, w->warmup - w->warmup / 2);
	if (w->tally->trouble[0])
		return any_trouble(crew);
	io_mark_begin();
	io_worker_run(w);
	io_mark_end();
	*to = moment_now();
	io_worker_finish(w);
	return any_trouble(crew);
}

/* What a worker ends with, once its end takes no time from the others' windows. */
static void leave(const struct crew *crew, const struct io_worker *w)
{
	char word = w->tally->trouble[0] ? FAILED : READY;
	bool told = write(crew->ready[1], &word, 1) == 1;

	while (read(crew->over[0], &word, 1) > 0)
		;
	_exit(told && !w->tally->trouble[0] ? 0 : IO_TROUBLE);
}

/* A worker's life as a process. */
static void work(const struct crew *crew, struct io_worker *w)
{
	char word = READY;

	close(crew->go[1]);
	close(crew->over[1]);
	close(crew->ready[0]);
	signal(SIGCHLD, SIG_DFL);
	if (!io_worker_prepare(w))
		leave(crew, w);
	io_worker_warm_up(w, w->warmup);
	if (w->tally->trouble[0])
		leave(crew, w);
	if (write(crew->ready[1], &word, 1) != 1 || read(crew->go[0], &word, 1) != 1)
		_exit(IO_TROUBLE);
	io_worker_run(w);
	io_worker_finish(w);
	leave(crew, w);
}

/* The word from @count workers; false when one is gone. */
static bool hear(const struct crew *crew, unsigned int count)
{
	char word[64];

	while (count) {
		ssize_t n = read(crew->ready[0], word, count < sizeof(word) ? count : sizeof(word));

		if (n <= 0 || memchr(word, FAILED, n))
			return false;
		count -= n;
	}
	return true;
}

static bool send_off(const struct crew *crew, unsigned int count)
{
	static const char word[64];

	while (count) {
		ssize_t n = write(crew->go[1], word, count < sizeof(word) ? count : sizeof(word));

		if (n <= 0)
			return false;
		count -= n;
	}
	return true;
}

/* A worker that is killed says nothing: its parent does, to itself. */
static int obituaries = -1;

static void on_death(int number)
{
	static const char word = FAILED;
	int status, saved = errno;

	(void)number;
	while (waitpid(-1, &status, WNOHANG) > 0)
		if (status && write(obituaries, &word, 1) != 1)
			abort();
	errno = saved;
}

/* Start all workers; how many there are then. */
static unsigned int fork_workers(struct crew *crew)
{
	struct sigaction action = { .sa_handler = on_death, .sa_flags = SA_RESTART | SA_NOCLDSTOP };
	unsigned int count = 0;

	obituaries = crew->ready[1];
	sigaction(SIGCHLD, &action, NULL);
	for (; count < crew->job.threads; count++) {
		pid_t pid = fork();

		if (pid == 0)
			work(crew, &crew->worker[count]);
		if (pid < 0) {
			io_trouble(&crew->worker[count], NULL, "fork", errno);
			break;
		}
	}
	return count;
}

static int run_many(struct crew *crew, struct moment *from, struct moment *to)
{
	unsigned int threads = crew->job.threads, count;
	bool through = false;

	if (pipe(crew->ready) < 0 || pipe(crew->go) < 0 || pipe(crew->over) < 0)
		return trouble("pipe", strerror(errno));
	count = fork_workers(crew);
	if (count == threads && hear(crew, threads)) {
		*from = moment_now();
		io_mark_begin();
		through = send_off(crew, threads) && hear(crew, threads);
		io_mark_end();
		*to = moment_now();
	}
	/* Those that still wait for their window see the pipe's end, too. */
	close(crew->go[1]);
	close(crew->over[1]);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	if (any_trouble(crew))
		return IO_TROUBLE;
	return through ? 0 : trouble("a worker died", NULL);
}

/* What all workers found, in one tally. */
static void merge(const struct crew *crew, struct io_tally *all)
{
	memset(all, 0, sizeof(*all));
	lat_init(&all->lat);
	all->begin = UINT64_MAX;
	for (unsigned int i = 0; i < crew->job.threads; i++) {
		const struct io_tally *t = crew->worker[i].tally;

		lat_merge(&all->lat, &t->lat);
		all->bytes += t->bytes;
		all->errors += t->errors;
		all->cpu_ns += t->cpu_ns;
		if (!all->error[0])
			memcpy(all->error, t->error, sizeof(all->error));
		if (t->begin < all->begin)
			all->begin = t->begin;
		if (t->end > all->end)
			all->end = t->end;
	}
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* All latencies in ascending order; NULL where they were not kept, or there is no memory left to sort them in. */
static uint64_t *sorted_latencies(const struct crew *crew, uint64_t count)
{
	uint64_t *all, n = 0;

	if (count > SIZE_MAX / sizeof(*all))
		return NULL;
	all = malloc(count * sizeof(*all));
	for (unsigned int i = 0; all && i < crew->job.threads; i++) {
		const struct io_tally *t = crew->worker[i].tally;

		if (!t->ns || t->lat.count > t->room) {
			free(all);
			return NULL;
		}
		memcpy(all + n, t->ns, t->lat.count * sizeof(*all));
		n += t->lat.count;
	}
	if (all)
		qsort(all, n, sizeof(*all), ascending);
	return all;
}

static void print_latencies(const struct crew *crew, const struct lat *lat)
{
	static const struct {
		const char *name;
		unsigned int permille;
	} percentile[] = { { "p50", 500 }, { "p99", 990 }, { "p999", 999 } };
	uint64_t *sorted = sorted_latencies(crew, lat->count);
	const char *comma = "";

	printf("\"lat\":{\"mean\":%.1f,\"min\":%llu", lat->count ? (double)lat->sum / lat->count : 0,
	       (unsigned long long)(lat->count ? lat->min : 0));
	for (unsigned int i = 0; i < sizeof(percentile) / sizeof(percentile[0]); i++)
		printf(",\"%s\":%llu", percentile[i].name, (unsigned long long)
		       (sorted ? lat_exact(sorted, lat->count, percentile[i].permille)
			       : lat_estimate(lat, percentile[i].permille)));
	printf(",\"max\":%llu},\n\"hist\":[", (unsigned long long)lat->max);
	for (unsigned int i = 0; i < LAT_BUCKETS; i++) {
		if (!lat->bucket[i])
			continue;
		printf("%s[%llu,%llu,%llu]", comma, (unsigned long long)lat_bucket_lower(i),
		       (unsigned long long)(lat_bucket_upper(i) + 1), (unsigned long long)lat->bucket[i]);
		comma = ",";
	}
	printf("],\n\"over_2s\":%llu,\"over_10s\":%llu", (unsigned long long)lat->over_2s,
	       (unsigned long long)lat->over_10s);
	free(sorted);
}

static void print_report(const struct crew *crew, const struct io_tally *all, const struct moment *from,
			 const struct moment *to)
{
	const struct io_job *job = &crew->job;

	printf("{\"engine\":\"%s\",\"rw\":\"%s\",\"bs\":%llu,\"qd\":%llu,\"threads\":%u,\"files\":%u,\n",
	       io_engine_name(job), io_rw_name(job), (unsigned long long)job->bs, (unsigned long long)job->qd,
	       job->threads, job->nr_paths);
	printf("\"ops\":%llu,\"bytes\":%llu,\"ns\":%llu,\"errors\":%llu,\n", (unsigned long long)all->lat.count,
	       (unsigned long long)all->bytes, (unsigned long long)(all->end - all->begin),
	       (unsigned long long)all->errors);
	print_latencies(crew, &all->lat);
	printf(",\"cpu_ns\":%llu,\"busy_ns\":", (unsigned long long)all->cpu_ns);
	print_busy(from, to, all->end - all->begin);
	printf("}\n");
}

static int write_times(const struct crew *crew)
{
	FILE *out = crew->times;
	bool failed;

	for (unsigned int i = 0; i < crew->job.threads; i++) {
		const struct io_tally *t = crew->worker[i].tally;
		uint64_t count = t->lat.count < t->room ? t->lat.count : t->room;

		for (uint64_t n = 0; n < count; n++)
			fprintf(out, "%llu %llu %llu %llu\n", (unsigned long long)t->times[n].start.ns,
				(unsigned long long)t->times[n].end.ns, (unsigned long long)t->times[n].start.tsc,
				(unsigned long long)t->times[n].end.tsc);
	}
	failed = ferror(out) != 0;
	failed |= fclose(out) != 0;
	return failed ? trouble(crew->job.times, strerror(errno)) : 0;
}

/* The report, and what became of it. */
static int report(const struct crew *crew, const struct moment *from, const struct moment *to)
{
	static struct io_tally all;
	int result = IO_DONE;

	merge(crew, &all);
	print_report(crew, &all, from, to);
	if (fflush(stdout))
		return trouble("standard output", strerror(errno));
	if (crew->times)
		result = write_times(crew);
	if (all.error[0])
		trouble(all.error, NULL);
	return result ? result : all.error[0] ? IO_ERRORS : IO_DONE;
}

int main(int argc, char **argv)
{
	static char name[] = "isp-io";
	struct crew crew = { 0 };
	struct moment from = { 0 }, to = { 0 };
	int result;

	if (argc)
		argv[0] = name;	/* what getopt_long() starts its messages with */
	if (argc == 2 && !strcmp(argv[1], "--help"))
		return printf("%s", help) < 0 || fflush(stdout) ? trouble("standard output", strerror(errno)) : 0;
	if (io_job_parse(&crew.job, argc, argv) < 0)
		return IO_TROUBLE;
	if (crew.job.times) {
		crew.times = fopen(crew.job.times, "w");
		if (!crew.times)
			return trouble(crew.job.times, strerror(errno));
	}
	io_clock_init(crew.times);
	result = make_workers(&crew);
	if (!result)
		result = crew.job.threads == 1 ? run_alone(&crew, &from, &to) : run_many(&crew, &from, &to);
	return result ? result : report(&crew, &from, &to);
}
