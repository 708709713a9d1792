// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The serial NVRAM: a 256-word Microwire EEPROM with a protection register (93CS66), clocked bit by
 * bit through the nvram register, and the image that the factory puts into it.
 *
 * Instructions, bits and the protection register: Linux qla_sup.c (qla2x00_nvram_request(),
 * qla2x00_write_nvram_word(), qla2x00_clear_nvram_protection()), FreeBSD isp.c (isp_rdnvram_word()).
 * Layout: Linux qla_def.h (nvram_t), OpenBSD qlareg.h (struct qla_nvram).  The second function of a
 * 2312 or 2322 has its image at word 80h (Linux qla2x00_nvram_config()).
 */
#include "board.h"

#define NVR_CLOCK	BIT(0)
#define NVR_SELECT	BIT(1)
#define NVR_DATA_OUT	BIT(2)
#define NVR_DATA_IN	BIT(3)
#define NVR_PROTECT	BIT(13)

#define NVRAM_WORDS	256
#define IMAGE_BYTES	256
#define COMMAND_BITS	11	/* start bit, two bits of opcode, eight of address */
#define WRITE_BITS	(COMMAND_BITS + 16)
#define WRITE_NS	2000000

enum { OP_EXTENDED = 0, OP_WRITE = 1, OP_READ = 2, OP_ERASE = 3 };

struct IspNvram {
	uint8_t bytes[2 * NVRAM_WORDS];
	bool write_enabled;
	bool protect_enabled;
	unsigned int protected_from;	/* writes from this word on are refused */
	unsigned int bits;		/* clocked in since select, start bit included */
	uint32_t shift;
	bool protect_pin;
	uint16_t out;			/* word being clocked out */
	int out_bits;			/* its bits that are left, -1: not reading */
	bool data_in;
	int64_t ready;			/* end of the write that is going on */
};

/* Byte offsets in the image. */
enum {
	NV_ID = 0,
	NV_VERSION = 4,
	NV_ICB_VERSION = 6,
	NV_FW_OPTIONS = 8,
	NV_FRAME_SIZE = 10,
	NV_IOCB_ALLOCATION = 12,
	NV_THROTTLE = 14,
	NV_RETRY_COUNT = 16,
	NV_RETRY_DELAY = 17,
	NV_PORT_NAME = 18,
	NV_HARD_ADDRESS = 26,
	NV_LOGIN_TIMEOUT = 29,
	NV_NODE_NAME = 30,
	NV_ADD_FW_OPTIONS = 38,
	NV_SPECIAL_OPTIONS = 42,
	NV_HOST_P = 70,
	NV_RESET_DELAY = 81,
	NV_PORT_DOWN_RETRY = 82,
	NV_MAX_LUNS = 84,
	NV_LINK_DOWN_TIMEOUT = 111,
	NV_ADAPTER_ID = 112,
	NV_MODEL = 200,
	NV_SUBSYSTEM_VENDOR = 250,
	NV_SUBSYSTEM_ID = 252,
	NV_CHECKSUM = 255,
};

/* ---- the part ----------------------------------------------------------------------------- */

static uint16_t get_word(const IspNvram *n, unsigned int word)
{
	return lduw_le_p(&n->bytes[2 * (word % NVRAM_WORDS)]);
}

static void set_word(IspNvram *n, unsigned int word, uint16_t val)
{
	if (word < n->protected_from)
		stw_le_p(&n->bytes[2 * word], val);
}

static bool is_writing(const IspNvram *n)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) < n->ready;
}

/* Does the instruction that has been clocked in take 16 bits of data? */
static bool takes_data(unsigned int op, unsigned int addr, bool protect_pin)
{
	if (protect_pin)
		return false;
	return op == OP_WRITE || (op == OP_EXTENDED && addr >> 6 == 1);
}

static void start_write(IspNvram *n)
{
	n->ready = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + WRITE_NS;
}

static void run_extended(IspNvram *n, unsigned int addr, uint16_t data)
{
	unsigned int i;

	switch (addr >> 6) {
	case 0:
		n->write_enabled = false;
		break;
	case 1:
	case 2:
		if (!n->write_enabled || n->protected_from < NVRAM_WORDS)
			break;
		for (i = 0; i < NVRAM_WORDS; i++)
			set_word(n, i, addr >> 6 == 1 ? data : 0xffff);
		start_write(n);
		break;
	case 3:
		n->write_enabled = true;
		break;
	}
}

static void run_instruction(IspNvram *n, unsigned int op, unsigned int addr, uint16_t data)
{
	if (op == OP_EXTENDED) {
		run_extended(n, addr, data);
	} else if (op != OP_READ && n->write_enabled && addr < n->protected_from) {
		set_word(n, addr, op == OP_WRITE ? data : 0xffff);
		start_write(n);
	}
}

/* The same instructions with the protection pin high act on the protection register. */
static void run_protection(IspNvram *n, unsigned int op, unsigned int addr)
{
	switch (op) {
	case OP_EXTENDED:
		n->protect_enabled = addr >> 6 == 3;
		return;
	case OP_WRITE:
		if (n->protect_enabled && n->write_enabled)
			n->protected_from = addr;
		break;
	case OP_ERASE:
		if (n->protect_enabled && n->write_enabled)
			n->protected_from = NVRAM_WORDS;
		break;
	default:
		return;
	}
	n->protect_enabled = false;
	start_write(n);
}

/* The instruction is executed when the host deselects the part. */
static void deselect(IspState *s)
{
	IspNvram *n = s->board->nvram;
	unsigned int op, addr;
	bool data;

	if (n->bits && n->out_bits < 0) {
		data = n->bits > COMMAND_BITS;
		op = n->shift >> (data ? 24 : 8) & 3;
		addr = n->shift >> (data ? 16 : 0) & 0xff;
		if (n->bits != (takes_data(op, addr, n->protect_pin) ? WRITE_BITS : COMMAND_BITS))
			isp_violation(s, ISP_V_NVRAM, "NVRAM deselected after %u bits of an instruction",
				      n->bits);
		else if (n->protect_pin)
			run_protection(n, op, addr);
		else
			run_instruction(n, op, addr, n->shift);
	}
	n->bits = 0;
	n->shift = 0;
	n->out_bits = -1;
}

/* A rising clock edge while bits are read out. */
static void clock_out(IspNvram *n)
{
	if (n->out_bits == 0) {
		n->shift = (n->shift & ~0xffu) | ((n->shift + 1) & 0xff);
		n->out = get_word(n, n->shift & 0xff);
		n->out_bits = 16;
	}
	n->out_bits--;
	n->data_in = n->out >> n->out_bits & 1;
}

static void clock_in(IspState *s, bool bit, bool protect_pin)
{
	IspNvram *n = s->board->nvram;

	if (n->bits == 0 && !bit)
		return;		/* no start bit yet */
	if (is_writing(n)) {
		isp_violation(s, ISP_V_NVRAM, "NVRAM clocked while it writes");
		return;
	}
	n->shift = n->shift << 1 | bit;
	n->bits++;
	if (n->bits != COMMAND_BITS)
		return;
	n->protect_pin = protect_pin;
	if ((n->shift >> 8 & 3) != OP_READ)
		return;
	n->out = protect_pin ? n->protected_from : get_word(n, n->shift & 0xff);
	n->out_bits = 16;
	n->data_in = false;	/* the part puts a zero before the data */
}

void isp_nvram_write(IspState *s, uint16_t val)
{
	IspBoard *b = s->board;
	IspNvram *n = b->nvram;
	uint16_t old = b->nvram_reg;

	b->nvram_reg = val;
	if (!(val & NVR_SELECT)) {
		if (old & NVR_SELECT)
			deselect(s);
		return;
	}
	if (!(val & NVR_CLOCK) || (old & NVR_CLOCK))
		return;
	if (n->out_bits >= 0)
		clock_out(n);
	else
		clock_in(s, val & NVR_DATA_OUT, val & NVR_PROTECT);
}

uint16_t isp_nvram_read(IspState *s)
{
	IspNvram *n = s->board->nvram;
	uint16_t val = s->board->nvram_reg & ~NVR_DATA_IN;
	bool ready;

	/* Selected and idle, the part shows whether it is ready. */
	ready = n->out_bits >= 0 ? n->data_in : !is_writing(n);
	if ((val & NVR_SELECT) && ready)
		val |= NVR_DATA_IN;
	return val;
}

/* ---- the image ---------------------------------------------------------------------------- */

static void put_text(uint8_t *field, size_t len, const char *text)
{
	memset(field, ' ', len);
	memcpy(field, text, MIN(strlen(text), len));
}

static const char *model_name(IspState *s)
{
	if (s->model)
		return s->model;
	return isp_is_dual(s) && s->chip->dual_model ? s->chip->dual_model : s->chip->model;
}

/*
 * Values as the boards were sold, the same that Linux qla2x00_nvram_config() falls back to where it
 * names one.
 */
static void put_parameters(IspState *s, uint8_t *nv)
{
	bool is_23xx = s->chip->has_host_status;

	memcpy(&nv[NV_ID], "ISP ", 4);
	nv[NV_VERSION] = is_23xx ? 3 : 1;
	nv[NV_ICB_VERSION] = 1;
	if (s->chip->loop_only) {
		stw_le_p(&nv[NV_FW_OPTIONS], 0x600a);	/* node name given, fairness, fast posting */
		stw_le_p(&nv[NV_FRAME_SIZE], 1024);
	} else {
		stw_le_p(&nv[NV_FW_OPTIONS], 0xe006);	/* node name given, fairness, full duplex */
		stw_le_p(&nv[NV_FRAME_SIZE], 2048);
		stw_le_p(&nv[NV_ADD_FW_OPTIONS], 0x3020);	/* loop preferred, FC tape, FCP confirm */
	}
	stw_le_p(&nv[NV_IOCB_ALLOCATION], 256);
	stw_le_p(&nv[NV_THROTTLE], 16);
	nv[NV_RETRY_COUNT] = 8;
	nv[NV_RETRY_DELAY] = 1;
	stq_be_p(&nv[NV_PORT_NAME], s->wwpn);
	nv[NV_LOGIN_TIMEOUT] = 4;
	stq_be_p(&nv[NV_NODE_NAME], s->wwnn);
	stw_le_p(&nv[NV_SPECIAL_OPTIONS], is_23xx ? 0x8000 : 0);	/* data rate: negotiate */
	stw_le_p(&nv[NV_HOST_P], 0x0500);		/* full login after LIP, 64-bit addressing */
	nv[NV_RESET_DELAY] = 5;
	nv[NV_PORT_DOWN_RETRY] = 8;
	stw_le_p(&nv[NV_MAX_LUNS], 256);
	nv[NV_LINK_DOWN_TIMEOUT] = 30;
	put_text(&nv[NV_ADAPTER_ID], 16, s->serial ? s->serial : "");
	if (is_23xx)
		put_text(&nv[NV_MODEL], 16, model_name(s));
	else {
		stw_le_p(&nv[NV_SUBSYSTEM_VENDOR], PCI_VENDOR_ID_QLOGIC);
		stw_le_p(&nv[NV_SUBSYSTEM_ID], s->chip->subsystem_id);
	}
}

/* All 256 bytes add up to 0 (Linux qla2x00_nvram_config()). */
static void put_checksum(uint8_t *nv)
{
	uint8_t sum = 0;
	unsigned int i;

	for (i = 0; i < NV_CHECKSUM; i++)
		sum += nv[i];
	nv[NV_CHECKSUM] = -sum;
}

/* ---- properties over it ------------------------------------------------------------------- */

static const char *const connections[] = { "loop", "p2p", "loop-first", "p2p-first", NULL };
static const char *const rates[] = { "1", "2", "auto", NULL };

/* Place of @word in @list, @none where it is NULL or not there. */
static int choice(const char *const *list, const char *word, int none)
{
	for (int i = 0; word && list[i]; i++)
		if (!strcmp(list[i], word))
			return i;
	return none;
}

/* One OFFSET:HEX into @nv; false: it is none, or reaches behind the image. */
static bool poke(uint8_t *nv, const char *text)
{
	char *end;
	unsigned long at = strtoul(text, &end, 0);
	unsigned int digits;

	if (end == text || *end != ':')
		return false;
	for (digits = 0, end++; g_ascii_isxdigit(end[0]) && g_ascii_isxdigit(end[1]); end += 2, digits += 2) {
		if (at >= NV_CHECKSUM)
			return false;
		nv[at++] = g_ascii_xdigit_value(end[0]) << 4 | g_ascii_xdigit_value(end[1]);
	}
	return digits && !*end;
}

/* Connection option: bits 4 to 6 of the additional options; data rate: bits 14 and 15 of the special ones. */
static bool put_properties(IspState *s, uint8_t *nv)
{
	g_auto(GStrv) items = g_strsplit(s->nvram_set ? s->nvram_set : "", ";", -1);
	int connection = choice(connections, s->nvram_connection, -1), rate = choice(rates, s->nvram_rate, -1);

	if (connection >= 0)
		stw_le_p(&nv[NV_ADD_FW_OPTIONS], (lduw_le_p(&nv[NV_ADD_FW_OPTIONS]) & ~0x70) | connection << 4);
	if (rate >= 0)
		stw_le_p(&nv[NV_SPECIAL_OPTIONS], (lduw_le_p(&nv[NV_SPECIAL_OPTIONS]) & 0x3fff) | rate << 14);
	for (unsigned int i = 0; items[i]; i++)
		if (!poke(nv, items[i]))
			return false;
	return true;
}

bool isp_nvram_check(IspState *s, Error **errp)
{
	uint8_t scratch[IMAGE_BYTES] = { 0 };

	if (s->nvram_connection && choice(connections, s->nvram_connection, -1) < 0)
		error_setg(errp, "nvram-connection=%s: choose from loop, p2p, loop-first, p2p-first",
			   s->nvram_connection);
	else if (s->nvram_rate && choice(rates, s->nvram_rate, -1) < 0)
		error_setg(errp, "nvram-rate=%s: choose from 1, 2, auto", s->nvram_rate);
	else if (!put_properties(s, scratch))
		error_setg(errp, "nvram-set=%s: OFFSET:HEX[;OFFSET:HEX]..., whole bytes, the last at 254",
			   s->nvram_set);
	else
		return true;
	return false;
}

static void put_fault(const char *fault, uint8_t *nv)
{
	if (!strcmp(fault, "checksum")) {
		nv[NV_CHECKSUM] ^= 0x55;
	} else if (!strcmp(fault, "id")) {
		memcpy(&nv[NV_ID], "XSP ", 4);
		put_checksum(nv);
	} else if (!strcmp(fault, "version")) {
		nv[NV_VERSION] = 0;
		put_checksum(nv);
	} else if (!strcmp(fault, "blank")) {
		memset(nv, 0xff, IMAGE_BYTES);
	}
}

bool isp_nvram_fault_valid(const char *kind)
{
	static const char *const kinds[] = { "", "checksum", "id", "version", "blank" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kind, kinds[i]))
			return true;
	return false;
}

/* The half of the part that belongs to this function. */
static uint8_t *own_image(IspState *s)
{
	bool second = s->chip->has_pcix && PCI_FUNC(PCI_DEVICE(s)->devfn) == 1;

	return &s->board->nvram->bytes[second ? IMAGE_BYTES : 0];
}

const uint8_t *isp_nvram_bytes(IspState *s, size_t *len)
{
	*len = IMAGE_BYTES;
	return own_image(s);
}

void isp_nvram_init(IspState *s)
{
	IspNvram *n = g_new0(IspNvram, 1);
	uint8_t *nv;

	s->board->nvram = n;
	n->out_bits = -1;
	memset(n->bytes, 0xff, sizeof(n->bytes));
	nv = own_image(s);
	memset(nv, 0, IMAGE_BYTES);
	put_parameters(s, nv);
	put_properties(s, nv);
	put_checksum(nv);
	if (s->nvram_fault)
		put_fault(s->nvram_fault, nv);
}

void isp_nvram_finish(IspState *s)
{
	g_free(s->board->nvram);
}
