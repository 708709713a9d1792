// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * TCG plugin: counts the instructions of measured windows, block by block, and how long locks are held.
 *
 * isp-io executes a seven-byte NOP whose displacement says that a window begins or ends.  From a begin
 * on all code is translated anew with counters in it, from the end on without: the rest of the run costs
 * next to nothing.  Nothing here changes the guest or its virtual time.
 *
 * Each instruction counts itself just before it runs.  Counting a block's instructions at its start would
 * count too many: QEMU leaves a block at an instruction that turns out to be I/O and comes back to the rest.
 *
 * Locks: a lock is held from the return of a direct call to a lock function, made by code in a module, to
 * the call of an unlock function by such code; what is in between, interrupts included, counts.  Locks are
 * released in the reverse order of their taking, which one processor under instruction counting ensures
 * but for hand-over-hand locking.
 *
 * Arguments: out=FILE, lock=ADDRESS and unlock=ADDRESS (hexadecimal; each may be repeated); blocks=off: no counting,
 * only the model's counters at the ends of windows.
 *
 * Output, one item a line:
 *	window N
 *	card begin JSON		the model's counters, where the model is there
 *	card end JSON
 *	insns N			all instructions of the window
 *	block ADDRESS N M	N instructions executed in the block there, M times entered
 *	lock ADDRESS N M	a lock taken by the call that returns to ADDRESS: M times, for N instructions
 *	unbalanced N		unlocks without a lock and locks that were not released
 *	end N
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <qemu/qemu-plugin.h>

#define MAX_BLOCKS	(1u << 19)
#define MAX_SITES	(1u << 12)
#define MAX_FUNCTIONS	64
#define MAX_HELD	64
#define MODULES_START	0xffffffffa0000000ull	/* where Linux/x86-64 puts modules: Documentation/x86/x86_64/mm.rst */
#define MODULES_END	0xffffffffff000000ull
#define MARK_BEGIN	0x15b00001u
#define MARK_END	0x15b00002u

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* A block of code, by its address.  The counters stand in arrays of their own: they are summed often. */
static uint64_t *address, *insns, *entered;
static unsigned int blocks;

struct site {
	uint64_t address;	/* where the call of the lock function returns to */
	uint64_t insns, times;
};

static struct site sites[MAX_SITES];
static uint64_t lock_functions[MAX_FUNCTIONS], unlock_functions[MAX_FUNCTIONS];
static unsigned int lock_count, unlock_count;
static struct {
	struct site *site;
	uint64_t since;
} held[MAX_HELD];
static unsigned int holding;
static uint64_t unbalanced;

static FILE *out;
static bool counting, no_blocks;
static unsigned int window;
static qemu_plugin_id_t self;
static char *(*card_counters)(void);	/* of the model, which is preloaded into this process */

static void die(const char *what)
{
	fprintf(stderr, "isp-bench plugin: %s\n", what);
	exit(1);
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void *array(unsigned int n)
{
	void *p = mmap(NULL, n * sizeof(uint64_t), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		die("no memory for the counters");
	return p;
}

static unsigned int block_index(uint64_t vaddr)
{
	static unsigned int table[2 * MAX_BLOCKS];	/* index + 1; 0: free */
	unsigned int slot = (vaddr * 0x9e3779b97f4a7c15ull) >> 44;

	for (;; slot++) {
		slot &= 2 * MAX_BLOCKS - 1;
		if (!table[slot])
			break;
		if (address[table[slot] - 1] == vaddr)
			return table[slot] - 1;
	}
	if (blocks == MAX_BLOCKS)
		die("more code than there are counters for");
	address[blocks] = vaddr;
	table[slot] = blocks + 1;
	return blocks++;
}

static uint64_t instructions(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < blocks; i++)
		sum += insns[i];
	return sum;
}

/* ---- locks -------------------------------------------------------------------------------- */

static struct site *site_of(uint64_t vaddr)
{
	unsigned int slot = (vaddr * 0x9e3779b97f4a7c15ull) >> 52;
	unsigned int i;

	for (i = 0; i < MAX_SITES; i++, slot++) {
		slot &= MAX_SITES - 1;
		if (sites[slot].address == vaddr)
			return &sites[slot];
		if (!sites[slot].address) {
			sites[slot].address = vaddr;
			return &sites[slot];
		}
	}
	die("more places that take locks than there is room for");
	return NULL;
}

static bool is_one_of(uint64_t vaddr, const uint64_t *functions, unsigned int count)
{
	while (count--)
		if (functions[count] == vaddr)
			return true;
	return false;
}

static void taken(unsigned int cpu __attribute__((unused)), void *site)
{
	if (holding == MAX_HELD) {
		unbalanced++;
		return;
	}
	held[holding].site = site;
	held[holding++].since = instructions();
}

static void released(unsigned int cpu __attribute__((unused)), void *unused __attribute__((unused)))
{
	struct site *site;

	if (!holding) {
		unbalanced++;
		return;
	}
	site = held[--holding].site;
	site->insns += instructions() - held[holding].since;
	site->times++;
}

/* Where a direct call or jump goes to; 0 for any other instruction. */
static uint64_t goes_to(struct qemu_plugin_insn *insn)
{
	const uint8_t *data = qemu_plugin_insn_data(insn);
	int32_t distance;

	if (qemu_plugin_insn_size(insn) != 5 || (data[0] != 0xe8 && data[0] != 0xe9))
		return 0;
	memcpy(&distance, data + 1, sizeof(distance));
	return qemu_plugin_insn_vaddr(insn) + 5 + distance;
}

static bool is_call(struct qemu_plugin_insn *insn)
{
	return *(const uint8_t *)qemu_plugin_insn_data(insn) == 0xe8;
}

/*
 * The block that a lock function returns to is translated after the one that calls it: by then the place is known.
 */
static bool returns_here[1 << 20];

static unsigned int return_slot(uint64_t vaddr)
{
	return (vaddr * 0x9e3779b97f4a7c15ull) >> 44;
}

static void watch_locks(struct qemu_plugin_tb *tb, struct qemu_plugin_insn *first, struct qemu_plugin_insn *last)
{
	uint64_t start = qemu_plugin_tb_vaddr(tb), after, target;
	unsigned int i;

	if (start < MODULES_START || start >= MODULES_END)
		return;
	if (returns_here[return_slot(start)])
		for (i = 0; i < MAX_SITES; i++)
			if (sites[i].address == start)
				qemu_plugin_register_vcpu_insn_exec_cb(first, taken, QEMU_PLUGIN_CB_NO_REGS, &sites[i]);
	target = goes_to(last);
	if (!target)
		return;
	after = qemu_plugin_insn_vaddr(last) + 5;
	if (is_call(last) && is_one_of(target, lock_functions, lock_count)) {
		site_of(after);
		returns_here[return_slot(after)] = true;
	} else if (is_one_of(target, unlock_functions, unlock_count)) {
		qemu_plugin_register_vcpu_insn_exec_cb(last, released, QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

/* ---- windows ------------------------------------------------------------------------------ */

static void write_card(const char *when)
{
	char *json = card_counters ? card_counters() : NULL;

	if (json)
		fprintf(out, "card %s %s\n", when, json);
	free(json);
}

static void write_counts(void)
{
	unsigned int i;

	fprintf(out, "insns %" PRIu64 "\n", instructions());
	for (i = 0; i < blocks; i++)
		if (insns[i])
			fprintf(out, "block %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", address[i], insns[i], entered[i]);
	for (i = 0; i < MAX_SITES; i++)
		if (sites[i].times)
			fprintf(out, "lock %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", sites[i].address, sites[i].insns,
				sites[i].times);
	fprintf(out, "unbalanced %" PRIu64 "\nend %u\n", unbalanced + holding, window);
	if (fflush(out))
		die("the output file cannot be written");
}

static void clear_counts(void)
{
	unsigned int i;

	memset(insns, 0, blocks * sizeof(*insns));
	memset(entered, 0, blocks * sizeof(*entered));
	for (i = 0; i < MAX_SITES; i++)
		sites[i].insns = sites[i].times = 0;
	holding = 0;
	unbalanced = 0;
}

static void translated(qemu_plugin_id_t id __attribute__((unused)), struct qemu_plugin_tb *tb);

static void flushed(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
}

static void begin(unsigned int cpu __attribute__((unused)), void *unused __attribute__((unused)))
{
	if (counting)
		return;
	clear_counts();
	fprintf(out, "window %u\n", ++window);
	write_card("begin");
	fflush(out);
	counting = true;
	if (!no_blocks)
		qemu_plugin_reset(self, flushed);
}

static void end(unsigned int cpu __attribute__((unused)), void *unused __attribute__((unused)))
{
	if (!counting)
		return;
	write_card("end");
	write_counts();
	counting = false;
	if (!no_blocks)
		qemu_plugin_reset(self, flushed);
}

/* ---- translation -------------------------------------------------------------------------- */

static void watch_marks(struct qemu_plugin_insn *insn)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x80 };
	const uint8_t *data = qemu_plugin_insn_data(insn);
	uint32_t mark;

	if (qemu_plugin_insn_size(insn) != 7 || memcmp(data, nop, sizeof(nop)))
		return;
	memcpy(&mark, data + 3, sizeof(mark));
	if (mark == MARK_BEGIN)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, begin, QEMU_PLUGIN_CB_NO_REGS, NULL);
	else if (mark == MARK_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, end, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void translated(qemu_plugin_id_t id __attribute__((unused)), struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	struct qemu_plugin_insn *insn;
	unsigned int block = 0;

	if (counting && !no_blocks) {
		block = block_index(qemu_plugin_tb_vaddr(tb));
		qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &entered[block], 1);
		watch_locks(tb, qemu_plugin_tb_get_insn(tb, 0), qemu_plugin_tb_get_insn(tb, n - 1));
	}
	for (i = 0; i < n; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		watch_marks(insn);
		if (counting && !no_blocks)
			qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &insns[block], 1);
	}
}

/* ---- start -------------------------------------------------------------------------------- */

static int take_function(const char *value, uint64_t *functions, unsigned int *count)
{
	if (*count == MAX_FUNCTIONS)
		return -1;
	functions[(*count)++] = strtoull(value, NULL, 16);
	return 0;
}

static int take_argument(const char *argument)
{
	if (!strncmp(argument, "lock=", 5))
		return take_function(argument + 5, lock_functions, &lock_count);
	if (!strncmp(argument, "unlock=", 7))
		return take_function(argument + 7, unlock_functions, &unlock_count);
	if (!strcmp(argument, "blocks=off")) {
		no_blocks = true;
		return 0;
	}
	if (strncmp(argument, "out=", 4) || out)
		return -1;
	out = fopen(argument + 4, "w");
	if (!out)
		fprintf(stderr, "isp-bench plugin: %s: %s\n", argument + 4, strerror(errno));
	return out ? 0 : -1;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	int i;

	if (strcmp(info->target_name, "x86_64") || info->system.smp_vcpus != 1) {
		fprintf(stderr, "isp-bench plugin: for one x86-64 processor only\n");
		return -1;
	}
	for (i = 0; i < argc; i++)
		if (take_argument(argv[i])) {
			fprintf(stderr, "isp-bench plugin: bad argument %s\n", argv[i]);
			return -1;
		}
	if (!out) {
		fprintf(stderr, "isp-bench plugin: out=FILE is missing\n");
		return -1;
	}
	address = array(MAX_BLOCKS);
	insns = array(MAX_BLOCKS);
	entered = array(MAX_BLOCKS);
	*(void **)&card_counters = dlsym(RTLD_DEFAULT, "qemu_isp_counters");
	self = id;
	flushed(id);
	return 0;
}
