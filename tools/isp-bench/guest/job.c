// SPDX-License-Identifier: GPL-2.0-only
/* What isp-io's command line says. */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

#define MAX_THREADS	4096
#define MAX_PATHS	8192

static const char * const engine_name[] = { "sync", "aio", "uring", "poll" };
static const char * const rw_name[] = { "read", "write", "randread", "randwrite" };

const char *io_engine_name(const struct io_job *job)
{
	return engine_name[job->engine];
}

const char *io_rw_name(const struct io_job *job)
{
	if (job->journal)
		return "journal";
	if (job->append)
		return "append";
	return rw_name[job->write + 2 * job->random];
}

static int wrong(const char *what, const char *arg)
{
	fprintf(stderr, "isp-io: %s%s%s: see isp-io --help\n", what, arg ? " " : "", arg ? arg : "");
	return -1;
}

/* A number with k, m, g or t behind it, of 1024. */
static int number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	static const char unit[] = "kmgt";
	const char *at;
	char *end;

	*value = strtoull(text, &end, 0);
	at = *end ? strchr(unit, tolower((unsigned char)*end)) : NULL;
	if (at) {
		unsigned int shift = 10 * (at - unit + 1);

		if (*value > UINT64_MAX >> shift)
			return wrong(name, text);
		*value <<= shift;
		end++;
	}
	if (!isdigit((unsigned char)*text) || *end || *value < least || *value > most)
		return wrong(name, text);
	return 0;
}

static int one_of(const char *name, const char *text, const char * const *names, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(text, names[i]))
			return i;
	return wrong(name, text);
}

static int read_cpus(struct io_job *job, const char *text)
{
	while (*text) {
		char *end;
		unsigned long cpu = strtoul(text, &end, 10);

		if (end == text || (*end && (*end != ',' || !end[1])) || cpu >= 1024 ||
		    job->nr_cpus == IO_MAX_CPUS)
			return wrong("--cpu: not a list of processors:", text);
		job->cpu[job->nr_cpus++] = cpu;
		text = *end ? end + 1 : end;
	}
	return job->nr_cpus ? 0 : wrong("--cpu: which?", NULL);
}

static int add_path(struct io_job *job, const char *path)
{
	const char **more;

	if (job->nr_paths == MAX_PATHS)
		return wrong("--file: too many files", NULL);
	more = realloc(job->path, (job->nr_paths + 1) * sizeof(*more));
	if (!more)
		return wrong("no memory for", path);
	more[job->nr_paths++] = path;
	job->path = more;
	return 0;
}

/* A name with %d in it is one for each worker. */
static int spread_path(struct io_job *job, const char *path)
{
	const char *place = strstr(path, "%d");

	if (!place)
		return add_path(job, path);
	for (unsigned int i = 0; i < job->threads; i++) {
		size_t room = strlen(path) + 12;
		char *name = malloc(room);

		if (!name)
			return wrong("no memory for", path);
		snprintf(name, room, "%.*s%u%s", (int)(place - path), path, i, place + 2);
		if (add_path(job, name) < 0)
			return -1;
	}
	return 0;
}

static int spread_paths(struct io_job *job)
{
	const char **given = job->path;
	unsigned int count = job->nr_paths;

	job->path = NULL;
	job->nr_paths = 0;
	for (unsigned int i = 0; i < count; i++)
		if (spread_path(job, given[i]) < 0)
			return -1;
	free(given);
	return 0;
}

/* Words that contradict each other, or miss one. */
static int check(struct io_job *job)
{
	bool flush = job->dsync || job->fdatasync || job->end_fsync;

	if (!job->nr_paths)
		return wrong("--file: which?", NULL);
	if (job->append || job->journal)
		job->write = true;
	if (job->append && job->journal)
		return wrong("--append and --journal exclude each other", NULL);
	if ((job->append || job->journal) && (job->random || job->fill || job->cold || job->size))
		return wrong("--append and --journal go with none of a random --rw, --fill, --cold, --size", NULL);
	if ((job->append || job->journal) && !job->ops)
		return wrong("--append and --journal: how many --ops?", NULL);
	if (job->journal && (job->direct || job->dsync || job->end_fsync))
		return wrong("--journal goes with none of --direct, --dsync, --end-fsync", NULL);
	if (flush && !job->write)
		return wrong("--dsync, --fdatasync and --end-fsync are for writes", NULL);
	if (job->engine != IO_SYNC && (job->append || job->journal || job->fdatasync))
		return wrong("--append, --journal and --fdatasync are for --engine sync", NULL);
	if (job->engine == IO_SYNC && job->qd != 1)
		return wrong("--qd is for --engine aio, uring and poll", NULL);
	if (job->engine != IO_AIO && job->batch)
		return wrong("--batch is for --engine aio", NULL);
	if (job->engine == IO_POLL)
		job->direct = true;
	if (job->direct && job->bs % 512)
		return wrong("--direct: --bs must be a multiple of 512", NULL);
	if (job->append && job->nr_paths < job->threads)
		return wrong("--append: each thread needs its own --file", NULL);
	return 0;
}

enum { FILE_ = 256, ENGINE, RW, BS, QD, BATCH, OPS, WARMUP, SIZE, SEED, DIRECT, DSYNC, FDATASYNC, END_FSYNC, APPEND, JOURNAL,
       FILL, COLD, THREADS, CPU, TIMES };

static const struct option options[] = {
	{ "file", required_argument, NULL, FILE_ },
	{ "engine", required_argument, NULL, ENGINE },
	{ "rw", required_argument, NULL, RW },
	{ "bs", required_argument, NULL, BS },
	{ "qd", required_argument, NULL, QD },
	{ "batch", required_argument, NULL, BATCH },
	{ "ops", required_argument, NULL, OPS },
	{ "warmup", required_argument, NULL, WARMUP },
	{ "size", required_argument, NULL, SIZE },
	{ "seed", required_argument, NULL, SEED },
	{ "direct", no_argument, NULL, DIRECT },
	{ "dsync", no_argument, NULL, DSYNC },
	{ "fdatasync", no_argument, NULL, FDATASYNC },
	{ "end-fsync", no_argument, NULL, END_FSYNC },
	{ "append", no_argument, NULL, APPEND },
	{ "journal", no_argument, NULL, JOURNAL },
	{ "fill", no_argument, NULL, FILL },
	{ "cold", no_argument, NULL, COLD },
	{ "threads", required_argument, NULL, THREADS },
	{ "cpu", required_argument, NULL, CPU },
	{ "times", required_argument, NULL, TIMES },
	{ NULL, 0, NULL, 0 },
};

static int take_flag(struct io_job *job, int option)
{
	bool *flag;

	switch (option) {
	case DIRECT: flag = &job->direct; break;
	case DSYNC: flag = &job->dsync; break;
	case FDATASYNC: flag = &job->fdatasync; break;
	case END_FSYNC: flag = &job->end_fsync; break;
	case APPEND: flag = &job->append; break;
	case JOURNAL: flag = &job->journal; break;
	case FILL: flag = &job->fill; break;
	case COLD: flag = &job->cold; break;
	default: return -1; /* getopt_long() said what is wrong */
	}
	*flag = true;
	return 0;
}

static int take_rw(struct io_job *job, const char *text)
{
	int which = one_of("--rw: no such:", text, rw_name, 4);

	if (which < 0)
		return -1;
	job->write = which & 1;
	job->random = which & 2;
	return 0;
}

static int take(struct io_job *job, int option, const char *arg)
{
	uint64_t value;
	int which;

	switch (option) {
	case FILE_:
		return add_path(job, arg);
	case ENGINE:
		which = one_of("--engine: no such:", arg, engine_name, 4);
		job->engine = which < 0 ? IO_SYNC : (enum io_engine)which;
		return which < 0 ? -1 : 0;
	case RW:
		return take_rw(job, arg);
	case BS:
		return number("--bs: from 1 to 64m, not", arg, 1, 64 << 20, &job->bs);
	case QD:
		return number("--qd: from 1 to 32768, not", arg, 1, 32768, &job->qd);
	case BATCH:
		return number("--batch: from 1 to 32768, not", arg, 1, 32768, &job->batch);
	case OPS:
		return number("--ops: not a number above 0:", arg, 1, UINT64_MAX >> 16, &job->ops);
	case WARMUP:
		return number("--warmup: not a number:", arg, 0, UINT64_MAX >> 16, &job->warmup);
	case SIZE:
		return number("--size: not a number above 0:", arg, 1, INT64_MAX, &job->size);
	case SEED:
		return number("--seed: not a number:", arg, 0, UINT64_MAX, &job->seed);
	case THREADS:
		which = number("--threads: from 1 to 4096, not", arg, 1, MAX_THREADS, &value);
		job->threads = value;
		return which;
	case CPU:
		return read_cpus(job, arg);
	case TIMES:
		job->times = arg;
		return 0;
	default:
		return take_flag(job, option);
	}
}

int io_job_parse(struct io_job *job, int argc, char **argv)
{
	int option;

	*job = (struct io_job){ .bs = 4096, .qd = 1, .seed = 1, .threads = 1 };
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (take(job, option, optarg) < 0)
			return -1;
	if (optind < argc)
		return wrong("what is", argv[optind]);
	return spread_paths(job) < 0 ? -1 : check(job);
}
