// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Misbehaviour on request: the property "fault" of an adapter, on the command line or by qom-set.
 *
 * Text: items separated by ';' (inject.h); their number is how many times it happens (default 1, "all":
 * until it is changed).  Writing the property replaces what was there, unless the text begins with '+';
 * "" ends all faults.  Reading it tells what is left.
 */
#include "fc.h"
#include "inject.h"

typedef enum Kind {
	F_SWALLOW, F_STATUS, F_COMPLETION, F_UNDERRUN, F_OVERRUN, F_ENTRY_STATUS, F_BAD_HANDLE,
	F_GARBAGE, F_UNKNOWN_ENTRY, F_MBOX_SILENT, F_MBOX_GARBAGE, F_MBOX_ERROR, F_LOGIN_REFUSE,
	F_NS_SILENT, F_NS_REJECT, F_NS_GARBAGE, F_NS_TRUNCATE, F_NS_GHOSTS, F_SENSE, F_DUPLICATE, F_DROP_STATUS,
	F_LATE, F_QUIET, F_LOST_INTERRUPT, F_SPURIOUS, F_DMA_READ_ERROR, F_DMA_WRITE_ERROR, F_MBOX_LATE,
	F_SYSTEM_ERROR, F_REQUEST_ERROR, F_RESPONSE_ERROR, F_HANG, F_PAUSE, F_PARITY, F__COUNT
} Kind;

/* Names, numbers and texts; what they do is in the functions below. */
static const IspItem items[F__COUNT] = {
	[F_SWALLOW] = { "swallow", "[N]", "[LOOPID]", "a command is taken and never answered" },
	[F_STATUS] = { "status", "[N]", "STATUS",
		"a command is answered with that SCSI status and not run (0x08 BUSY, 0x28 TASK SET FULL)" },
	[F_COMPLETION] = { "completion", "[N]", "CODE", "a status entry has that completion status" },
	[F_UNDERRUN] = { "underrun", "[N]", "BYTES", "a status entry claims that residual, data underrun" },
	[F_OVERRUN] = { "overrun", "[N]", "BYTES", "a status entry claims that residual, data overrun" },
	[F_ENTRY_STATUS] = { "entry-status", "[N]", "BITS", "a status entry has error bits in its header" },
	[F_BAD_HANDLE] = { "bad-handle", "[N]", "[HANDLE]", "a status entry has a handle that nobody used" },
	[F_GARBAGE] = { "garbage", "[N]", NULL, "an entry of the response ring is noise, the same in every run" },
	[F_UNKNOWN_ENTRY] = { "unknown-entry", "[N]", "TYPE", "an entry of the response ring has that type" },
	[F_MBOX_SILENT] = { "mbox-silent", "[N]", "[CMD]", "a mailbox command (of that number) is never answered" },
	[F_MBOX_GARBAGE] = { "mbox-garbage", "[N]", "[CMD]",
		"a mailbox command is answered with noise in all mailboxes" },
	[F_MBOX_ERROR] = { "mbox-error", "[N]", "[CMD]",
		"a mailbox command fails: 4005h, 4; with another code: CODE x 10000h + CMD, 0x400b0069 for one" },
	[F_LOGIN_REFUSE] = { "login-refuse", "[N]", "[PORTID]", "a port refuses a login: 4005h, 4" },
	[F_NS_SILENT] = { "ns-silent", "[N]", "[CODE]",
		"a request to a server of the switch (with that CT code) is not answered" },
	[F_NS_REJECT] = { "ns-reject", "[N]", "[CODE]", "such a request is rejected with reason 09h" },
	[F_NS_GARBAGE] = { "ns-garbage", "[N]", "[CODE]", "such a request is answered with noise behind a good header" },
	[F_NS_TRUNCATE] = { "ns-truncate", "[N]", "BYTES",
		"such a request is answered with no more than so many bytes, header included" },
	[F_NS_GHOSTS] = { "ns-ghosts", "[N]", "PORTS",
		"such a request finds up to 65536 FCP targets that are not there, from 200000h on" },
	[F_SENSE] = { "sense", "[N]", "KAAQQ",
		"a command is answered with CHECK CONDITION and that sense (0x62900: 6h, 29h/00h) and not run" },
	[F_DUPLICATE] = { "duplicate", "[N]", NULL, "a completion is given twice" },
	[F_DROP_STATUS] = { "drop-status", "[N]", NULL, "a command is carried out, its completion is never given" },
	[F_LATE] = { "late", "[N]", "MS", "a completion is given so many ms late, the command cannot be aborted meanwhile" },
	[F_QUIET] = { "quiet", "[N]", NULL, "new entries of the response ring are not announced" },
	[F_LOST_INTERRUPT] = { "lost-interrupt", "[N]", NULL,
		"the interrupt pin does not move for an event, the status registers show it" },
	[F_SPURIOUS] = { "spurious", "[N]", NULL, "the response ring is announced though there is nothing new, every ms" },
	[F_DMA_READ_ERROR] = { "dma-read-error", "[N]", NULL, "data of a write cannot be fetched: completion 02h" },
	[F_DMA_WRITE_ERROR] = { "dma-write-error", "[N]", NULL, "data of a read cannot be stored: completion 02h" },
	[F_MBOX_LATE] = { "mbox-late", "[N]", "MS", "a mailbox command is answered so many ms late" },
	[F_SYSTEM_ERROR] = { "system-error", "[N]", NULL,
		"event 8002h, then the firmware is dead until it is reset; N: again each time the link is up" },
	[F_REQUEST_ERROR] = { "request-error", "[N]", NULL,
		"event 8003h, then the request ring is left alone until INITIALIZE FIRMWARE; N: as above" },
	[F_RESPONSE_ERROR] = { "response-error", "[N]", NULL, "event 8004h, and the same" },
	[F_HANG] = { "hang", "[N]", NULL, "the firmware falls silent without a word until it is reset; N: as above" },
	[F_PAUSE] = { "pause", "[N]", NULL, "the RISC pauses by itself and interrupts; N: as above" },
	[F_PARITY] = { "parity", "[N]", NULL, "the same with a parity error in HCCR" },
};

const IspItem *isp_fault_item(unsigned int i)
{
	return i < F__COUNT ? &items[i] : NULL;
}

typedef struct Item {
	uint64_t left;
	uint64_t arg;
} Item;

struct IspFault {
	Item item[F__COUNT];
	uint32_t noise;			/* state of the noise generator: the same in every run */
	QEMUTimer *timer;
};

static bool armed(const IspFirmware *fw, Kind kind)
{
	return fw->fault && fw->fault->item[kind].left;
}

static uint64_t fire(IspFirmware *fw, Kind kind)
{
	Item *item = &fw->fault->item[kind];
	char counter[40];

	if (item->left != ISP_ALL)
		item->left--;
	snprintf(counter, sizeof(counter), "fault.%s", items[kind].name);
	isp_count(fw->isp, counter, 1);
	isp_trace(fw->isp, "fault %s", items[kind].name);
	return item->arg;
}

static uint32_t noise(IspFirmware *fw)
{
	uint32_t x = fw->fault->noise;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return fw->fault->noise = x;
}

static bool matches(const IspFirmware *fw, Kind kind, uint64_t value)
{
	uint64_t arg = fw->fault->item[kind].arg;

	return arg == ISP_NOT_GIVEN || arg == value;
}

bool isp_fault_swallow(IspFirmware *fw, const IspCommand *cmd)
{
	if (!armed(fw, F_SWALLOW) || !matches(fw, F_SWALLOW, cmd->loop_id))
		return false;
	fire(fw, F_SWALLOW);
	return true;
}

uint8_t isp_fault_scsi_status(IspFirmware *fw, const IspCommand *cmd)
{
	return armed(fw, F_STATUS) ? fire(fw, F_STATUS) : 0;
}

bool isp_fault_sense(IspFirmware *fw, SCSISense *sense)
{
	uint64_t code;

	if (!armed(fw, F_SENSE))
		return false;
	code = fire(fw, F_SENSE);
	sense->key = code >> 16 & 0xf;
	sense->asc = code >> 8;
	sense->ascq = code;
	return true;
}

unsigned int isp_fault_completions(IspFirmware *fw)
{
	if (armed(fw, F_DROP_STATUS)) {
		fire(fw, F_DROP_STATUS);
		return 0;
	}
	if (!armed(fw, F_DUPLICATE))
		return 1;
	fire(fw, F_DUPLICATE);
	return 2;
}

static uint64_t delay_ns(IspFirmware *fw, Kind kind)
{
	return armed(fw, kind) ? MIN(fire(fw, kind), 3600000) * SCALE_MS : 0;
}

uint64_t isp_fault_late_ns(IspFirmware *fw)
{
	return delay_ns(fw, F_LATE);
}

uint64_t isp_fault_mbox_late_ns(IspFirmware *fw)
{
	return delay_ns(fw, F_MBOX_LATE);
}

static bool residual(IspFirmware *fw, Kind kind, uint8_t *e, uint16_t completion, uint16_t bit)
{
	uint64_t bytes;

	if (!armed(fw, kind))
		return false;
	bytes = fire(fw, kind);
	stw_le_p(e + 8, lduw_le_p(e + 8) | bit);
	stw_le_p(e + 10, completion);
	stl_le_p(e + 20, bytes);
	return true;
}

bool isp_fault_status(IspFirmware *fw, uint8_t *e)
{
	bool changed = residual(fw, F_UNDERRUN, e, ISP_CS_UNDERRUN, 0x800) ||
		       residual(fw, F_OVERRUN, e, ISP_CS_OVERRUN, 0x400);

	if (armed(fw, F_COMPLETION)) {
		stw_le_p(e + 10, fire(fw, F_COMPLETION));
		changed = true;
	}
	if (armed(fw, F_ENTRY_STATUS)) {
		e[3] = fire(fw, F_ENTRY_STATUS);
		changed = true;
	}
	if (armed(fw, F_BAD_HANDLE)) {
		uint64_t handle = fire(fw, F_BAD_HANDLE);

		stl_le_p(e + 4, handle == ISP_NOT_GIVEN ? 0xdeadbeef : handle);
		changed = true;
	}
	return changed;
}

void isp_fault_entry(IspFirmware *fw, uint8_t *e)
{
	if (armed(fw, F_GARBAGE)) {
		fire(fw, F_GARBAGE);
		for (unsigned int i = 0; i < ISP_ENTRY; i += 4)
			stl_le_p(e + i, noise(fw));
	}
	if (armed(fw, F_UNKNOWN_ENTRY))
		e[0] = fire(fw, F_UNKNOWN_ENTRY);
}

bool isp_fault_mbox_silent(IspFirmware *fw, uint16_t command)
{
	if (!armed(fw, F_MBOX_SILENT) || !matches(fw, F_MBOX_SILENT, command))
		return false;
	fire(fw, F_MBOX_SILENT);
	return true;
}

bool isp_fault_mbox_noise(IspFirmware *fw, IspMbox *m)
{
	if (!armed(fw, F_MBOX_GARBAGE) || !matches(fw, F_MBOX_GARBAGE, m->in[0]))
		return false;
	fire(fw, F_MBOX_GARBAGE);
	for (unsigned int i = 0; i < ISP_MBOXES; i++)
		m->out[i] = noise(fw);
	return true;
}

uint16_t isp_fault_mbox_error(IspFirmware *fw, uint16_t command)
{
	uint64_t arg;

	if (!armed(fw, F_MBOX_ERROR))
		return 0;
	arg = fw->fault->item[F_MBOX_ERROR].arg;
	if (arg != ISP_NOT_GIVEN && (arg & 0xffff) != command)
		return 0;
	fire(fw, F_MBOX_ERROR);
	return arg != ISP_NOT_GIVEN && arg >> 16 ? arg >> 16 : ISP_MB_ERROR;
}

static bool strikes(IspFirmware *fw, Kind kind, uint64_t value)
{
	if (!armed(fw, kind) || !matches(fw, kind, value))
		return false;
	fire(fw, kind);
	return true;
}

bool isp_fault_quiet(IspFirmware *fw)
{
	return strikes(fw, F_QUIET, 0);
}

bool isp_fw_loses_interrupt(IspState *s)
{
	return s->fw && strikes(s->fw, F_LOST_INTERRUPT, 0);
}

bool isp_fault_dma(IspFirmware *fw, bool to_host)
{
	return strikes(fw, to_host ? F_DMA_WRITE_ERROR : F_DMA_READ_ERROR, 0);
}

bool isp_fault_login(IspFirmware *fw, uint32_t port_id)
{
	return strikes(fw, F_LOGIN_REFUSE, port_id);
}

bool isp_fault_ns_silent(IspFirmware *fw, uint16_t code)
{
	return strikes(fw, F_NS_SILENT, code);
}

bool isp_fault_ns_reject(IspFirmware *fw, uint16_t code)
{
	return strikes(fw, F_NS_REJECT, code);
}

#define MAX_GHOSTS 0x10000

unsigned int isp_fault_ns_ghosts(IspFirmware *fw)
{
	return armed(fw, F_NS_GHOSTS) ? MIN(fire(fw, F_NS_GHOSTS), MAX_GHOSTS) : 0;
}

#define CT_HEADER 16

void isp_fault_ns_answer(IspFirmware *fw, uint16_t code, GByteArray *rsp)
{
	if (strikes(fw, F_NS_GARBAGE, code))
		for (guint i = CT_HEADER; i < rsp->len; i++)
			rsp->data[i] = noise(fw);
	if (armed(fw, F_NS_TRUNCATE))
		g_byte_array_set_size(rsp, MIN(rsp->len, fire(fw, F_NS_TRUNCATE)));
}

static void transfer_error(IspFirmware *fw, Kind kind, uint16_t event)
{
	if (!armed(fw, kind) || !fw->initialized)
		return;
	fire(fw, kind);
	fw->rings_dead = true;
	isp_async(fw, event, 0, 0, 0);
}

/* What the firmware does on its own account, as soon as it runs. */
static const Kind spontaneous[] = {
	F_REQUEST_ERROR, F_RESPONSE_ERROR, F_SYSTEM_ERROR, F_HANG, F_PAUSE, F_PARITY, F_SPURIOUS,
};

static bool may_break(const IspFirmware *fw, Kind kind)
{
	return armed(fw, kind) && fw->executing && !fw->crashed && !isp_risc_held(fw->isp);
}

static void break_down(void *opaque)
{
	const IspEvent nothing_new = { .status = ISP_HS_RESPONSE };
	IspFirmware *fw = opaque;

	transfer_error(fw, F_REQUEST_ERROR, 0x8003);
	transfer_error(fw, F_RESPONSE_ERROR, 0x8004);
	if (may_break(fw, F_SPURIOUS)) {
		fire(fw, F_SPURIOUS);
		isp_host_event(fw->isp, &nothing_new);
		timer_mod(fw->fault->timer, isp_now() + SCALE_MS);
	}
	if (may_break(fw, F_SYSTEM_ERROR)) {
		fire(fw, F_SYSTEM_ERROR);
		fw->crashed = true;
		isp_async(fw, 0x8002, 1, 0, 0);
	} else if (may_break(fw, F_HANG)) {
		fire(fw, F_HANG);
		fw->crashed = true;
	} else if (may_break(fw, F_PAUSE)) {
		fire(fw, F_PAUSE);
		isp_risc_stop(fw->isp, false);
	} else if (may_break(fw, F_PARITY)) {
		fire(fw, F_PARITY);
		isp_risc_stop(fw->isp, true);
	}
}

void isp_fault_link_up(IspFirmware *fw)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(spontaneous); i++)
		if (armed(fw, spontaneous[i]))
			timer_mod(fw->fault->timer, isp_now());
}

/* ---- the property ------------------------------------------------------------------------------ */

static bool parse_item(const char *text, IspFault *f, Error **errp)
{
	IspAsked asked;

	if (!isp_item_parse("fault", isp_fault_item, text, &asked, errp))
		return false;
	f->item[asked.index].left = asked.number == ISP_NOT_GIVEN ? 1 : asked.number;
	f->item[asked.index].arg = asked.arg;
	return true;
}

static void fault_set(Object *obj, const char *value, Error **errp)
{
	IspFirmware *fw = isp_fw_get(ISP(obj));
	bool add = *value == '+';
	g_auto(GStrv) list = g_strsplit(value + add, ";", -1);
	IspFault parsed = { .noise = 0x2545f491 };

	if (add && fw->fault)
		parsed = *fw->fault;
	for (unsigned int i = 0; list[i]; i++)
		if (*list[i] && !parse_item(list[i], &parsed, errp))
			return;
	if (!fw->fault) {
		fw->fault = g_new0(IspFault, 1);
		parsed.timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, break_down, fw);
	} else {
		parsed.timer = fw->fault->timer;
	}
	*fw->fault = parsed;
	isp_fault_link_up(fw);
}

static char *fault_get(Object *obj, Error **errp)
{
	IspFirmware *fw = isp_fw_get(ISP(obj));
	GString *text = g_string_new("");

	for (Kind kind = 0; kind < F__COUNT; kind++) {
		const Item *item = fw->fault ? &fw->fault->item[kind] : NULL;

		if (!item || !item->left)
			continue;
		g_string_append_printf(text, "%s%s=", text->len ? ";" : "", items[kind].name);
		if (item->left == ISP_ALL)
			g_string_append(text, "all");
		else
			g_string_append_printf(text, "%" PRIu64, item->left);
		if (item->arg != ISP_NOT_GIVEN)
			g_string_append_printf(text, "@0x%" PRIx64, item->arg);
	}
	return g_string_free(text, false);
}

void isp_fw_class_init(ObjectClass *oc)
{
	isp_link_class_init(oc);
	object_class_property_add_str(oc, "fault", fault_get, fault_set);
	object_class_property_set_description(oc, "fault", "faults of firmware and fabric, see Documentation/testing.md");
}

void isp_fault_free(IspState *s)
{
	if (!s->fw || !s->fw->fault)
		return;
	timer_free(s->fw->fault->timer);
	g_free(s->fw->fault);
	s->fw->fault = NULL;
}
