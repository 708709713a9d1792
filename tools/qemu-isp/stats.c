// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters: what the host and the card did to each other.  Plain increments in arrays on the hot
 * path; names come in when the JSON text is made.  The text is QOM property stats, and is written to
 * stats-file when the card or QEMU ends.
 */
#include "board.h"
#include "lun.h"

#define LOG_LINES 32	/* violations that are kept word by word, per card */
#define LOG_STDERR 8	/* of these, how many also go to QEMU's standard error */

struct Named {
	const char *name;
	uint64_t count;
};

struct IspStats {
	uint64_t reads[2][REG_END], writes[2][REG_END];	/* per BAR and byte offset */
	uint64_t interrupts;
	uint64_t commands, bytes_read, bytes_written;
	uint64_t dma_bytes_read, dma_bytes_written, dma_reads, dma_writes;
	struct Named mbox[256], iocb[256];
	uint64_t mbox_other;
	uint64_t violations[ISP_V__COUNT];
	GPtrArray *log;
	GHashTable *other;
	Notifier exit;
	IspState *s;
	QLIST_ENTRY(IspStats) next;
};

static QLIST_HEAD(, IspStats) all_cards = QLIST_HEAD_INITIALIZER(all_cards);

static const char *const violation_names[ISP_V__COUNT] = {
	[ISP_V_DOORBELL_RANGE] = "doorbell-range",
	[ISP_V_DOORBELL_EARLY] = "doorbell-early",
	[ISP_V_HANDLE_REUSED] = "handle-reused",
	[ISP_V_RESERVED_BITS] = "reserved-bits",
	[ISP_V_MBOX_BUSY] = "mailbox-busy",
	[ISP_V_MBOX_UNOWNED] = "mailbox-unowned",
	[ISP_V_REGISTER] = "register",
	[ISP_V_IOCB] = "iocb",
	[ISP_V_DMA] = "dma",
	[ISP_V_RISC_STATE] = "risc-state",
	[ISP_V_NVRAM] = "nvram",
};

/* ---- counting ----------------------------------------------------------------------------- */

void isp_count_reg(IspState *s, unsigned int bar, unsigned int offset, bool write)
{
	if (write)
		s->stats->writes[bar][offset]++;
	else
		s->stats->reads[bar][offset]++;
}

void isp_count_irq(IspState *s)
{
	s->stats->interrupts++;
}

void isp_count_mbox(IspState *s, uint16_t command, const char *name)
{
	if (command >= ARRAY_SIZE(s->stats->mbox)) {
		s->stats->mbox_other++;
		return;
	}
	s->stats->mbox[command].name = name;
	s->stats->mbox[command].count++;
}

void isp_count_iocb(IspState *s, uint8_t type, const char *name)
{
	s->stats->iocb[type].name = name;
	s->stats->iocb[type].count++;
}

void isp_count_command(IspState *s, uint64_t bytes_in, uint64_t bytes_out)
{
	s->stats->commands++;
	s->stats->bytes_read += bytes_in;
	s->stats->bytes_written += bytes_out;
}

void isp_count_dma(IspState *s, uint64_t bytes_read, uint64_t bytes_written)
{
	s->stats->dma_reads += bytes_read != 0;
	s->stats->dma_writes += bytes_written != 0;
	s->stats->dma_bytes_read += bytes_read;
	s->stats->dma_bytes_written += bytes_written;
}

void isp_count(IspState *s, const char *name, uint64_t n)
{
	uint64_t *count = g_hash_table_lookup(s->stats->other, name);

	if (!count) {
		count = g_new0(uint64_t, 1);
		g_hash_table_insert(s->stats->other, g_strdup(name), count);
	}
	*count += n;
}

void isp_violation(IspState *s, IspViolation kind, const char *fmt, ...)
{
	IspStats *st = s->stats;
	g_autofree char *text = NULL;
	va_list ap;

	st->violations[kind]++;
	if (st->log->len >= LOG_LINES && !isp_trace_on(s))
		return;
	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	isp_trace(s, "VIOLATION %s: %s", violation_names[kind], text);
	if (st->log->len >= LOG_LINES)
		return;
	if (st->log->len < LOG_STDERR)
		warn_report("%s %s: protocol violation (%s): %s", s->chip->name,
			    DEVICE(s)->id ? DEVICE(s)->id : "", violation_names[kind], text);
	g_ptr_array_add(st->log, g_strdup_printf("%s: %s", violation_names[kind], text));
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void put_string(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			g_string_append_c(out, '\\');
		if ((unsigned char)*text >= ' ')
			g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

/* Opens a member; the first of an object has no comma before it. */
static void put_key(GString *out, const char *key)
{
	char last = out->str[out->len - 1];

	if (last != '{' && last != '[')
		g_string_append(out, ", ");
	put_string(out, key);
	g_string_append(out, ": ");
}

static void put_number(GString *out, const char *key, uint64_t val)
{
	put_key(out, key);
	g_string_append_printf(out, "%" PRIu64, val);
}

static void put_registers(GString *out, IspState *s, const char *key, const uint64_t *count)
{
	const char *name;
	unsigned int i;

	put_key(out, key);
	g_string_append_c(out, '{');
	for (i = 0; i < REG_END; i += 2) {
		g_autofree char *unnamed = g_strdup_printf("register_%02xh", i);

		name = s->board->regs->names[i / 2];
		if (count[i] + count[i + 1])
			put_number(out, name ? name : unnamed, count[i] + count[i + 1]);
	}
	g_string_append_c(out, '}');
}

static uint64_t sum(const uint64_t *count, unsigned int n)
{
	uint64_t total = 0;

	while (n--)
		total += count[n];
	return total;
}

static void put_bar(GString *out, IspState *s, const char *key, unsigned int bar)
{
	const IspStats *st = s->stats;

	put_key(out, key);
	g_string_append_c(out, '{');
	put_number(out, "reads", sum(st->reads[bar], REG_END));
	put_number(out, "writes", sum(st->writes[bar], REG_END));
	put_registers(out, s, "read", st->reads[bar]);
	put_registers(out, s, "write", st->writes[bar]);
	g_string_append_c(out, '}');
}

static void put_named(GString *out, const char *key, const struct Named *named)
{
	unsigned int i;

	put_key(out, key);
	g_string_append_c(out, '{');
	for (i = 0; i < 256; i++) {
		g_autofree char *label = NULL;

		if (!named[i].count)
			continue;
		label = g_strdup_printf("%02xh %s", i, named[i].name ? named[i].name : "unknown");
		put_number(out, label, named[i].count);
	}
	g_string_append_c(out, '}');
}

static void put_violations(GString *out, const IspStats *st)
{
	unsigned int i;

	put_number(out, "violations", sum(st->violations, ISP_V__COUNT));
	put_key(out, "violations_by_kind");
	g_string_append_c(out, '{');
	for (i = 0; i < ISP_V__COUNT; i++)
		put_number(out, violation_names[i], st->violations[i]);
	g_string_append_c(out, '}');
	put_key(out, "violation_log");
	g_string_append_c(out, '[');
	for (i = 0; i < st->log->len; i++) {
		if (i)
			g_string_append(out, ", ");
		put_string(out, g_ptr_array_index(st->log, i));
	}
	g_string_append_c(out, ']');
}

static void put_other(GString *out, GHashTable *other)
{
	GList *keys = g_list_sort(g_hash_table_get_keys(other), (GCompareFunc)strcmp), *l;

	put_key(out, "other");
	g_string_append_c(out, '{');
	for (l = keys; l; l = l->next)
		put_number(out, l->data, *(uint64_t *)g_hash_table_lookup(other, l->data));
	g_string_append_c(out, '}');
	g_list_free(keys);
}

/* Counters of one spindle, named by target and LUN; times in nanoseconds. */
static void put_spindle(GString *out, SCSIDevice *dev, const DiskCounters *c)
{
	const struct {
		const char *name;
		uint64_t n;
	} numbers[] = {
		{ "commands", c->commands }, { "queue_found_sum", c->found }, { "reads", c->reads }, { "writes", c->writes },
		{ "media_reads", c->media_reads }, { "media_writes", c->media_writes },
		{ "read_hits", c->read_hits }, { "write_hits", c->write_hits },
		{ "destaged_sectors", c->destaged }, { "syncs", c->syncs },
		{ "seeks", c->seeks }, { "seek_cylinders", c->seek_cylinders }, { "move_ns", c->move_ns },
		{ "rotation_ns", c->wait_ns }, { "transfer_ns", c->transfer_ns },
		{ "reordered", c->reordered }, { "aged", c->aged }, { "queue_full", c->full },
		{ "longest_ns", c->longest_ns },
	};

	g_autofree char *place = g_strdup_printf("%u:%u", dev->id, dev->lun);

	put_key(out, place);
	g_string_append_c(out, '{');
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++)
		put_number(out, numbers[i].name, numbers[i].n);
	put_key(out, "mean_queue_found");
	g_string_append_printf(out, "%.2f}", c->commands ? (double)c->found / c->commands : 0.0);
}

static void put_spindles(GString *out, IspState *s)
{
	BusChild *kid;

	put_key(out, "spindles");
	g_string_append_c(out, '{');
	QTAILQ_FOREACH_REVERSE(kid, &BUS(&s->bus)->children, sibling) {	/* oldest first */
		const DiskCounters *c = isp_scsi_disk(SCSI_DEVICE(kid->child), false);

		if (c)
			put_spindle(out, SCSI_DEVICE(kid->child), c);
	}
	g_string_append_c(out, '}');
}

static void put_identity(GString *out, IspState *s)
{
	put_key(out, "model");
	put_string(out, s->chip->name);
	put_key(out, "id");
	put_string(out, DEVICE(s)->id ? DEVICE(s)->id : "");
}

static void put_counters(GString *out, IspState *s)
{
	const IspStats *st = s->stats;

	put_bar(out, s, "mmio", 1);
	put_bar(out, s, "pio", 0);
	put_number(out, "interrupts", st->interrupts);
	put_number(out, "commands", st->commands);
	put_number(out, "bytes_read", st->bytes_read);
	put_number(out, "bytes_written", st->bytes_written);
	put_number(out, "dma_reads", st->dma_reads);
	put_number(out, "dma_writes", st->dma_writes);
	put_number(out, "dma_bytes_read", st->dma_bytes_read);
	put_number(out, "dma_bytes_written", st->dma_bytes_written);
	put_named(out, "iocbs", st->iocb);
	put_named(out, "mailbox_commands", st->mbox);
	put_number(out, "mailbox_commands_unknown", st->mbox_other);
	put_spindles(out, s);
	put_violations(out, st);
	put_other(out, st->other);
}

char *isp_stats_json(IspState *s)
{
	GString *out = g_string_new("{");

	put_identity(out, s);
	put_number(out, "virtual_ns", qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
	put_counters(out, s);
	g_string_append_c(out, '}');
	return g_string_free(out, FALSE);
}

char *qemu_isp_counters(void)
{
	GString *out = g_string_new("[");
	IspStats *st;

	QLIST_FOREACH(st, &all_cards, next) {
		if (out->len > 1)
			g_string_append(out, ", ");
		g_string_append_c(out, '{');
		put_identity(out, st->s);
		put_counters(out, st->s);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	return g_string_free(out, FALSE);
}

/* ---- life --------------------------------------------------------------------------------- */

static void write_file(IspState *s)
{
	g_autofree char *json = NULL;
	FILE *file;
	bool ok;

	if (!s->stats_file || !*s->stats_file)
		return;
	json = isp_stats_json(s);
	file = fopen(s->stats_file, "w");
	ok = file && fprintf(file, "%s\n", json) > 0;
	if (file && fclose(file))
		ok = false;
	if (!ok)
		warn_report("%s: writing the counters to %s failed: %s", s->chip->name, s->stats_file,
			    strerror(errno));
}

/* QEMU ends: guest power-off, quit, SIGTERM; devices are not unrealized then. */
static void qemu_exits(Notifier *n, void *data)
{
	IspStats *st = container_of(n, IspStats, exit);

	write_file(st->s);
	isp_trace_finish(st->s);
}

void isp_stats_init(IspState *s)
{
	IspStats *st = g_new0(IspStats, 1);

	st->log = g_ptr_array_new_with_free_func(g_free);
	st->other = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	st->s = s;
	st->exit.notify = qemu_exits;
	qemu_add_exit_notifier(&st->exit);
	QLIST_INSERT_HEAD(&all_cards, st, next);
	s->stats = st;
}

void isp_stats_finish(IspState *s)
{
	IspStats *st = s->stats;

	write_file(s);
	qemu_remove_exit_notifier(&st->exit);
	QLIST_REMOVE(st, next);
	g_ptr_array_free(st->log, TRUE);
	g_hash_table_destroy(st->other);
	g_free(st);
	s->stats = NULL;
}

static void reset_counters(IspState *s)
{
	IspStats *st = s->stats;
	BusChild *kid;

	memset(st->reads, 0, offsetof(IspStats, log) - offsetof(IspStats, reads));
	g_ptr_array_set_size(st->log, 0);
	g_hash_table_remove_all(st->other);
	QTAILQ_FOREACH(kid, &BUS(&s->bus)->children, sibling)
		isp_scsi_disk(SCSI_DEVICE(kid->child), true);
}

static char *get_stats(Object *obj, Error **errp)
{
	IspState *s = ISP(obj);

	return s->stats ? isp_stats_json(s) : g_strdup("{}");
}

static bool get_reset(Object *obj, Error **errp)
{
	return false;
}

static void set_reset(Object *obj, bool value, Error **errp)
{
	if (value && ISP(obj)->stats)
		reset_counters(ISP(obj));
}

void isp_stats_class_init(ObjectClass *oc)
{
	object_class_property_add_str(oc, "stats", get_stats, NULL);
	object_class_property_set_description(oc, "stats", "the counters as a JSON text");
	object_class_property_add_bool(oc, "stats-reset", get_reset, set_reset);
	object_class_property_set_description(oc, "stats-reset", "set to true: all counters start at 0 again");
}
