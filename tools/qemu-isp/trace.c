// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conversation trace: one line per event, virtual time in nanoseconds first.  A register that is read
 * again and again with the same result makes one line and a count.
 */
#include "board.h"

#define BUFFER_BYTES 0x100000

struct IspTrace {
	FILE *file;
	char *buffer;
	/* The last line, when it was a register read. */
	bool last_is_read;
	unsigned int last_bar, last_offset, last_size;
	uint32_t last_val;
	uint64_t repeats;
};

void isp_trace_init(IspState *s, Error **errp)
{
	FILE *file;

	if (!s->trace_file || !*s->trace_file)
		return;
	file = fopen(s->trace_file, "w");
	if (!file) {
		error_setg_file_open(errp, errno, s->trace_file);
		return;
	}
	s->trace = g_new0(IspTrace, 1);
	s->trace->file = file;
	s->trace->buffer = g_malloc(BUFFER_BYTES);
	setvbuf(file, s->trace->buffer, _IOFBF, BUFFER_BYTES);
}

static void end_repeats(IspTrace *t)
{
	if (t->repeats)
		fprintf(t->file, "               ... %" PRIu64 " times more\n", t->repeats);
	t->repeats = 0;
	t->last_is_read = false;
}

static void print_time(IspTrace *t)
{
	fprintf(t->file, "%14" PRId64 " ", qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
}

bool isp_trace_on(IspState *s)
{
	return s->trace;
}

void isp_trace(IspState *s, const char *fmt, ...)
{
	IspTrace *t = s->trace;
	va_list ap;

	if (!t)
		return;
	end_repeats(t);
	print_time(t);
	va_start(ap, fmt);
	vfprintf(t->file, fmt, ap);
	va_end(ap);
	fputc('\n', t->file);
}

void isp_trace_reg(IspState *s, bool write, unsigned int bar, unsigned int offset, uint32_t val,
		   unsigned int size)
{
	IspTrace *t = s->trace;

	if (!write && t->last_is_read && t->last_bar == bar && t->last_offset == offset &&
	    t->last_size == size && t->last_val == val) {
		t->repeats++;
		return;
	}
	end_repeats(t);
	print_time(t);
	fprintf(t->file, "%s %s %-16s %0*x\n", bar ? "mem" : "io ", write ? "write" : "read ",
		isp_reg_name(s, offset & ~1), 2 * (int)size, val);
	t->last_is_read = !write;
	t->last_bar = bar;
	t->last_offset = offset;
	t->last_size = size;
	t->last_val = val;
}

void isp_trace_finish(IspState *s)
{
	IspTrace *t = s->trace;

	if (!t)
		return;
	end_repeats(t);
	if (fclose(t->file))
		warn_report("%s: writing the trace to %s failed: %s", s->chip->name, s->trace_file,
			    strerror(errno));
	g_free(t->buffer);
	g_free(t);
	s->trace = NULL;
}
