// SPDX-License-Identifier: GPL-2.0-only
/* One operation at a time: pread, pwrite, appends, small files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "io.h"

/* Bytes, or -errno. */
static int64_t one_operation(struct io_worker *w, struct io_file *file)
{
	const struct io_job *job = w->job;
	ssize_t n;

	if (!job->write)
		n = pread(file->fd, w->buffer, job->bs, io_next_offset(w, file));
	else if (job->append)
		n = write(file->fd, w->buffer, job->bs);
	else
		n = pwrite(file->fd, w->buffer, job->bs, io_next_offset(w, file));
	if (n >= 0 && job->fdatasync && fdatasync(file->fd) < 0)
		n = -1;
	return n < 0 ? -errno : n;
}

/*
 * What a mail server or a package manager does to have a small file on the medium whole or not at all. 64 names are
 * used in turn, so that a directory stays small.
 */
static int64_t one_small_file(struct io_worker *w, struct io_file *file)
{
	char name[4096 + 64], fresh[4096 + 64];
	int fd, error = 0;
	ssize_t n;

	snprintf(fresh, sizeof(fresh), "%.4096s/isp-io.%u.new", file->path, w->index);
	snprintf(name, sizeof(name), "%.4096s/isp-io.%u.%u", file->path, w->index, (unsigned int)(file->next++ % 64));
	fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		return -errno;
	n = write(fd, w->buffer, w->job->bs);
	if (n < 0 || fsync(fd) < 0)
		error = errno;
	if (close(fd) < 0 && !error)
		error = errno;
	if (!error && rename(fresh, name) < 0)
		error = errno;
	return error ? -error : n;
}

void io_sync_run(struct io_worker *w, uint64_t ops)
{
	for (uint64_t i = 0; i < ops; i++) {
		struct io_file *file = &w->file[w->turn];
		struct io_instant start;
		int64_t result;

		w->turn = w->turn + 1 < w->nr_files ? w->turn + 1 : 0;
		start = io_now();
		result = w->job->journal ? one_small_file(w, file) : one_operation(w, file);
		io_count(w, file, start, io_now(), result);
	}
}
