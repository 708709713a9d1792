// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * isp-ram, isp-null and isp-spindle: SCSI disks whose status comes at an exact instant of the virtual clock.
 *
 * A command's data moves as soon as both sides are there.  With isp-ram and isp-null its status follows service-ns
 * later, one timer per command, so that commands overlap as on a disk array; with isp-spindle when the disk of disk.h
 * is done with it.  Nothing waits for real time.
 */
#include "lun.h"
#include "qemu/units.h"
#include "scsi/constants.h"

#define TYPE_ISP_RAM "isp-ram"
#define TYPE_ISP_NULL "isp-null"
#define TYPE_ISP_SPINDLE "isp-spindle"

enum { WRITE_AND_VERIFY_10 = 0x2e, WRITE_AND_VERIFY_12 = 0xae, WRITE_AND_VERIFY_16 = 0x8e };

typedef struct LunReq LunReq;
typedef int32_t CommandFn(LunReq *r);

struct LunReq {
	SCSIRequest req;
	QEMUTimer *timer;
	DiskTask task;			/* what it means to a spindle */
	uint8_t *buf;			/* data buffer; NULL: straight in the medium */
	uint8_t *at;			/* where data is read from or written to */
	uint32_t len;
	int status;
	bool data_done, waited;
	bool counted;			/* is one of the medium's tasks */
	void (*after_data)(LunReq *r);	/* a write's data has arrived */
};

#define LUN_OF(r) ISP_LUN((r)->req.dev)

/* ---- outcome ------------------------------------------------------------------------------------ */

static int32_t good(LunReq *r)
{
	r->status = GOOD;
	return 0;
}

/* Fixed format, with the LBA in the information field where @valid. */
static int32_t check(LunReq *r, uint8_t key, uint16_t code, bool valid, uint64_t lba)
{
	IspLun *lun = LUN_OF(r);
	uint8_t *s = r->req.sense;

	memset(s, 0, sizeof(r->req.sense));
	s[0] = valid && lba <= UINT32_MAX ? 0xf0 : 0x70;
	s[2] = key;
	if (s[0] & 0x80)
		stl_be_p(s + 3, lba);
	s[7] = lun->sense_bytes - 8;
	s[12] = code >> 8;
	s[13] = code;
	r->req.sense_len = lun->sense_bytes;
	r->status = CHECK_CONDITION;
	return 0;
}

static int32_t bad_field(LunReq *r)
{
	return check(r, ILLEGAL_REQUEST, 0x2400, false, 0);
}

static int32_t bad_parameter(LunReq *r)
{
	return check(r, ILLEGAL_REQUEST, 0x2600, false, 0);
}

/* ---- ranges -------------------------------------------------------------------------------------- */

static bool in_range(LunReq *r, uint64_t lba, uint64_t n)
{
	IspLun *lun = LUN_OF(r);

	if (lba <= lun->blocks && n <= lun->blocks - lba)
		return true;
	check(r, ILLEGAL_REQUEST, 0x2100, false, 0);
	return false;
}

static bool hits_bad_lba(LunReq *r, uint64_t lba, uint64_t n)
{
	uint64_t bad = LUN_OF(r)->bad_lba;

	return bad != UINT64_MAX && lba <= bad && bad - lba < n;
}

static bool writable(LunReq *r)
{
	if (!LUN_OF(r)->read_only)
		return true;
	check(r, DATA_PROTECT, 0x2700, false, 0);
	return false;
}

static uint64_t block_count(const LunReq *r)
{
	const uint8_t *cdb = r->req.cmd.buf;

	switch (cdb[0] >> 5) {
	case 0:
		return cdb[4] ? cdb[4] : 256;
	case 1:
	case 2:
		return lduw_be_p(cdb + 7);
	case 4:
		return isp_be32(cdb + 10);
	default:
		return isp_be32(cdb + 6);
	}
}

/* The command wants @n blocks of the medium. */
static void on_medium(LunReq *r, DiskOp op, uint64_t lba, uint64_t n)
{
	const uint8_t *cdb = r->req.cmd.buf;
	uint32_t sectors = LUN_OF(r)->block_size / DISK_SECTOR;

	r->task.op = op;
	r->task.sector = lba * sectors;
	r->task.n = n * sectors;
	r->task.force = cdb[0] >= 0x20 && (cdb[1] & 0x08);	/* FUA */
	r->task.verify = cdb[0] == WRITE_AND_VERIFY_10 || cdb[0] == WRITE_AND_VERIFY_12 ||
			 cdb[0] == WRITE_AND_VERIFY_16;
}

static uint8_t *own_buffer(LunReq *r, uint32_t len)
{
	r->buf = g_malloc0(len + 1);
	r->at = r->buf;
	r->len = len;
	return r->buf;
}

/* ---- media access ---------------------------------------------------------------------------------- */

static int32_t do_read(LunReq *r)
{
	IspLun *lun = LUN_OF(r);
	uint64_t lba = r->req.cmd.lba, n = block_count(r);

	if (!in_range(r, lba, n))
		return 0;
	if (n > ISP_LUN_MAX_TRANSFER)
		return bad_field(r);
	if (hits_bad_lba(r, lba, n)) {
		check(r, MEDIUM_ERROR, 0x1100, true, lun->bad_lba);
		n = lun->bad_lba - lba;		/* what lies before it still arrives */
	}
	if (!n)
		return 0;
	on_medium(r, DISK_OP_READ, lba, n);
	if (lun->null)
		own_buffer(r, n * lun->block_size);
	else
		r->at = lun->medium->data + lba * lun->block_size;
	r->len = n * lun->block_size;
	return r->len;
}

static int32_t do_write(LunReq *r)
{
	IspLun *lun = LUN_OF(r);
	uint64_t lba = r->req.cmd.lba, n = block_count(r);

	if (!writable(r) || !in_range(r, lba, n))
		return 0;
	if (n > ISP_LUN_MAX_TRANSFER)
		return bad_field(r);
	if (hits_bad_lba(r, lba, n))
		return check(r, MEDIUM_ERROR, 0x0c00, true, lun->bad_lba);
	if (!n)
		return good(r);
	on_medium(r, DISK_OP_WRITE, lba, n);
	if (lun->null)
		own_buffer(r, n * lun->block_size);
	else
		r->at = lun->medium->data + lba * lun->block_size;
	r->len = n * lun->block_size;
	return -(int32_t)r->len;
}

static void compare(LunReq *r)
{
	IspLun *lun = LUN_OF(r);
	uint64_t lba = r->req.cmd.lba;

	if (!lun->null && memcmp(r->buf, lun->medium->data + lba * lun->block_size, r->len))
		check(r, MISCOMPARE, 0x1d00, true, lba);
}

static int32_t do_verify(LunReq *r)
{
	IspLun *lun = LUN_OF(r);
	uint64_t lba = r->req.cmd.lba, n = block_count(r);
	unsigned int bytchk = r->req.cmd.buf[1] >> 1 & 3;

	if (!in_range(r, lba, n))
		return 0;
	if (hits_bad_lba(r, lba, n))
		return check(r, MEDIUM_ERROR, 0x1100, true, lun->bad_lba);
	on_medium(r, DISK_OP_VERIFY, lba, n);
	r->task.force = false;			/* there it is BYTCHK's place */
	if (!bytchk || !n)
		return good(r);
	if (bytchk != 1 || n > ISP_LUN_MAX_TRANSFER)
		return bad_field(r);
	own_buffer(r, n * lun->block_size);
	r->after_data = compare;
	return -(int32_t)r->len;
}

static void fill(IspLun *lun, uint64_t lba, uint64_t n, const uint8_t *block)
{
	if (lun->null)
		return;
	if (!block) {
		isp_medium_zero(lun, lba, n);
		return;
	}
	for (uint64_t i = 0; i < n; i++)
		memcpy(lun->medium->data + (lba + i) * lun->block_size, block, lun->block_size);
}

static uint64_t same_count(LunReq *r)
{
	uint64_t n = block_count(r);

	return n ? n : LUN_OF(r)->blocks - r->req.cmd.lba;
}

/* UNMAP with anything but zeroes writes instead: blocks that were unmapped read as zeroes. */
static void write_same(LunReq *r)
{
	fill(LUN_OF(r), r->req.cmd.lba, same_count(r), r->buf);
}

static int32_t do_write_same(LunReq *r)
{
	IspLun *lun = LUN_OF(r);
	const uint8_t *cdb = r->req.cmd.buf;
	uint64_t lba = r->req.cmd.lba;
	bool no_data = cdb[0] == WRITE_SAME_16 && (cdb[1] & 1);

	if (cdb[1] & 0xe6)			/* protection, LBDATA, PBDATA */
		return bad_field(r);
	if (isp_lun_disk(lun) && (cdb[1] & 8))	/* UNMAP: nothing is thin there */
		return bad_field(r);
	if (!writable(r) || !in_range(r, lba, block_count(r)))
		return 0;
	if (same_count(r) > ISP_LUN_MAX_SAME)
		return bad_field(r);
	on_medium(r, DISK_OP_WRITE, lba, same_count(r));
	r->task.force = false;
	if (no_data) {
		fill(lun, lba, same_count(r), NULL);
		return good(r);
	}
	own_buffer(r, lun->block_size);
	r->after_data = write_same;
	return -(int32_t)r->len;
}

static void unmap(LunReq *r)
{
	IspLun *lun = LUN_OF(r);
	unsigned int len, n;

	if (r->len < 8) {
		check(r, ILLEGAL_REQUEST, 0x1a00, false, 0);
		return;
	}
	len = lduw_be_p(r->buf + 2);
	n = len / 16;
	if (8 + len > r->len || n > ISP_LUN_MAX_UNMAP_DESCRIPTORS) {
		bad_parameter(r);
		return;
	}
	for (unsigned int i = 0; i < n; i++) {
		const uint8_t *d = r->buf + 8 + 16 * i;

		if (!in_range(r, ldq_be_p(d), isp_be32(d + 8)))
			return;
	}
	for (unsigned int i = 0; i < n; i++)
		fill(lun, ldq_be_p(r->buf + 8 + 16 * i), isp_be32(r->buf + 16 + 16 * i), NULL);
}

static int32_t do_unmap(LunReq *r)
{
	if (isp_lun_disk(LUN_OF(r)))
		return check(r, ILLEGAL_REQUEST, 0x2000, false, 0);
	if (!writable(r))
		return 0;
	if (r->req.cmd.buf[1] & 1)		/* ANCHOR */
		return bad_field(r);
	if (!r->req.cmd.xfer)
		return good(r);
	own_buffer(r, r->req.cmd.xfer);
	r->after_data = unmap;
	return -(int32_t)r->len;
}

static int32_t do_reserve(LunReq *r)
{
	isp_medium_reserve(LUN_OF(r), true);
	return good(r);
}

static int32_t do_release(LunReq *r)
{
	isp_medium_reserve(LUN_OF(r), false);
	return good(r);
}

static int32_t do_sync(LunReq *r)
{
	if (!in_range(r, r->req.cmd.lba, block_count(r)))
		return 0;
	r->task.op = DISK_OP_SYNC;		/* all of it, whatever the range */
	r->task.immediate = r->req.cmd.buf[1] & 2;
	return good(r);
}

/* ---- parameter data ---------------------------------------------------------------------------------- */

static int32_t answer(LunReq *r, const uint8_t *data, int len)
{
	if (len < 0)
		return bad_field(r);
	len = MIN(len, r->req.cmd.xfer);
	if (!len)
		return good(r);
	memcpy(own_buffer(r, len), data, len);
	return len;
}

static int32_t do_inquiry(LunReq *r)
{
	const uint8_t *cdb = r->req.cmd.buf;
	uint8_t data[ISP_LUN_DATA_MAX];

	if (cdb[1] & 1)
		return answer(r, data, isp_lun_vpd(LUN_OF(r), cdb[2], data));
	if ((cdb[1] & 2) || cdb[2])
		return bad_field(r);
	return answer(r, data, isp_lun_inquiry(LUN_OF(r), data));
}

static int32_t do_mode_sense(LunReq *r)
{
	uint8_t data[ISP_LUN_DATA_MAX];

	if (r->req.cmd.buf[2] >> 6 == 3)	/* saved values */
		return check(r, ILLEGAL_REQUEST, 0x3900, false, 0);
	return answer(r, data, isp_lun_mode_sense(LUN_OF(r), r->req.cmd.buf, data));
}

static void mode_select(LunReq *r)
{
	IspLun *lun = LUN_OF(r);

	if (!isp_lun_mode_select(lun, r->req.cmd.buf[0] == MODE_SELECT_10, r->buf, r->len))
		bad_parameter(r);
	else
		isp_medium_modes_changed(lun);
}

/* Only a disk with a spindle has something to set; nothing can be saved. */
static int32_t do_mode_select(LunReq *r)
{
	if (!isp_lun_disk(LUN_OF(r)))
		return check(r, ILLEGAL_REQUEST, 0x2000, false, 0);
	if (r->req.cmd.buf[1] & 1)
		return bad_field(r);
	if (!r->req.cmd.xfer)
		return good(r);
	own_buffer(r, r->req.cmd.xfer);
	r->after_data = mode_select;
	return -(int32_t)r->len;
}

static int32_t do_capacity_10(LunReq *r)
{
	uint8_t data[ISP_LUN_DATA_MAX];

	return answer(r, data, isp_lun_capacity(LUN_OF(r), false, data));
}

static int32_t do_service_action_in(LunReq *r)
{
	uint8_t data[ISP_LUN_DATA_MAX];

	if ((r->req.cmd.buf[1] & 0x1f) != 0x10)
		return bad_field(r);
	return answer(r, data, isp_lun_capacity(LUN_OF(r), true, data));
}

/* QEMU's bus answers while sense data is pending; here there is none. */
static int32_t do_request_sense(LunReq *r)
{
	uint8_t data[18] = { 0x70, [7] = 10 };

	return answer(r, data, sizeof(data));
}

static int32_t do_start_stop(LunReq *r)
{
	return r->req.cmd.buf[4] & 2 ? bad_field(r) : good(r);	/* LOEJ: not removable */
}

static int32_t do_diagnostic(LunReq *r)
{
	return r->req.cmd.buf[1] & 4 ? good(r) : bad_field(r);	/* the default self-test */
}

static const struct {
	uint8_t opcode;
	CommandFn *fn;
} commands[] = {
	{ TEST_UNIT_READY, good },
	{ REQUEST_SENSE, do_request_sense },
	{ READ_6, do_read },
	{ WRITE_6, do_write },
	{ INQUIRY, do_inquiry },
	{ RESERVE, do_reserve },
	{ RELEASE, do_release },
	{ MODE_SELECT, do_mode_select },
	{ MODE_SENSE, do_mode_sense },
	{ START_STOP, do_start_stop },
	{ SEND_DIAGNOSTIC, do_diagnostic },
	{ ALLOW_MEDIUM_REMOVAL, good },
	{ READ_CAPACITY_10, do_capacity_10 },
	{ READ_10, do_read },
	{ WRITE_10, do_write },
	{ WRITE_AND_VERIFY_10, do_write },
	{ VERIFY_10, do_verify },
	{ SYNCHRONIZE_CACHE, do_sync },
	{ WRITE_SAME_10, do_write_same },
	{ UNMAP, do_unmap },
	{ RESERVE_10, do_reserve },
	{ RELEASE_10, do_release },
	{ MODE_SELECT_10, do_mode_select },
	{ MODE_SENSE_10, do_mode_sense },
	{ READ_16, do_read },
	{ WRITE_16, do_write },
	{ WRITE_AND_VERIFY_16, do_write },
	{ VERIFY_16, do_verify },
	{ SYNCHRONIZE_CACHE_16, do_sync },
	{ WRITE_SAME_16, do_write_same },
	{ SERVICE_ACTION_IN_16, do_service_action_in },
	{ READ_12, do_read },
	{ WRITE_12, do_write },
	{ WRITE_AND_VERIFY_12, do_write },
	{ VERIFY_12, do_verify },
};

/* ---- requests on QEMU's bus ------------------------------------------------------------------------------ */

static void wait_then(LunReq *r)
{
	IspMedium *m = LUN_OF(r)->medium;

	if (m->disk) {
		r->task.attribute = isp_scsi_attribute(&r->req);
		isp_spindle_submit(m, &r->task);
		return;
	}
	timer_mod(r->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + LUN_OF(r)->service_ns);
}

static void leave_task_set(LunReq *r)
{
	IspMedium *m = LUN_OF(r)->medium;

	if (r->counted && m) {
		isp_spindle_withdraw(m, &r->task);
		m->tasks--;
	}
	r->counted = false;
}

/* QEMU's bus takes any status for the report of a unit attention that waits: that of a reset comes last. */
static void finish(LunReq *r)
{
	bool aborted = r->status == TASK_ABORTED;
	IspLun *lun = LUN_OF(r);

	leave_task_set(r);
	scsi_req_complete(&r->req, r->status);
	if (aborted)
		isp_medium_was_reset(lun);
}

/* Reads: data now, status with it.  Everything else: status. */
static void service_over(void *opaque)
{
	LunReq *r = opaque;

	if (r->req.io_canceled)
		return;
	r->waited = true;
	if (r->len && r->req.cmd.mode == SCSI_XFER_FROM_DEV && !r->data_done) {
		r->data_done = true;
		scsi_req_data(&r->req, r->len);
	} else {
		finish(r);
	}
}

void isp_lun_task_over(DiskTask *task)
{
	service_over(container_of(task, LunReq, task));
}

static CommandFn *command_fn(uint8_t opcode)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].opcode == opcode)
			return commands[i].fn;
	return NULL;
}

/* Nonzero: status of a command that does not enter the task set. */
static uint8_t refusal(LunReq *r, uint8_t opcode)
{
	IspLun *lun = LUN_OF(r);

	if (isp_medium_conflict(lun, opcode))
		return RESERVATION_CONFLICT;
	if (!lun->queue_limit || lun->medium->tasks < lun->queue_limit)
		return 0;
	if (isp_lun_disk(lun))
		isp_lun_disk(lun)->count.full++;
	return TASK_SET_FULL;
}

static int32_t send_command(SCSIRequest *req, uint8_t *cdb)
{
	LunReq *r = DO_UPCAST(LunReq, req, req);
	CommandFn *fn = command_fn(cdb[0]);
	int32_t len = 0;

	r->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, service_over, r);
	r->status = refusal(r, cdb[0]);
	if (r->status) {
		timer_mod(r->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
		return 0;
	}
	r->counted = true;
	LUN_OF(r)->medium->tasks++;
	if (fn)
		len = fn(r);
	else
		check(r, ILLEGAL_REQUEST, 0x2000, false, 0);
	if (!len)
		wait_then(r);
	return len;
}

static void read_data(SCSIRequest *req)
{
	LunReq *r = DO_UPCAST(LunReq, req, req);

	if (r->data_done)
		finish(r);
	else
		wait_then(r);
}

static void write_data(SCSIRequest *req)
{
	LunReq *r = DO_UPCAST(LunReq, req, req);

	if (!r->data_done) {
		r->data_done = true;
		scsi_req_data(req, r->len);
		return;
	}
	if (r->after_data)
		r->after_data(r);
	wait_then(r);
}

static uint8_t *get_buf(SCSIRequest *req)
{
	return DO_UPCAST(LunReq, req, req)->at;
}

static void free_req(SCSIRequest *req)
{
	LunReq *r = DO_UPCAST(LunReq, req, req);

	leave_task_set(r);		/* it was cancelled */
	if (r->timer)
		timer_free(r->timer);
	g_free(r->buf);
}

static const SCSIReqOps req_ops = {
	.size = sizeof(LunReq),
	.send_command = send_command,
	.read_data = read_data,
	.write_data = write_data,
	.get_buf = get_buf,
	.free_req = free_req,
};

static SCSIRequest *alloc_req(SCSIDevice *dev, uint32_t tag, uint32_t lun, uint8_t *buf,
			      void *hba_private)
{
	return scsi_req_alloc(&req_ops, dev, tag, lun, hba_private);
}

/* The timer is there: the status comes by it, whatever the command waited for. */
void isp_lun_abort_tasks(IspLun *lun)
{
	SCSIRequest *req;

	QTAILQ_FOREACH(req, &lun->dev.requests, next) {
		LunReq *r = DO_UPCAST(LunReq, req, req);

		if (req->ops != &req_ops || req->io_canceled || !r->timer)
			continue;
		isp_spindle_withdraw(lun->medium, &r->task);
		r->status = TASK_ABORTED;
		r->data_done = true;
		r->after_data = NULL;
		timer_mod(r->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
	}
}

/* ---- device ------------------------------------------------------------------------------------------------ */

static bool sizes_ok(IspLun *lun, Error **errp)
{
	if (lun->block_size != 512 && lun->block_size != 4096) {
		error_setg(errp, "block-size=%u: 512 or 4096", lun->block_size);
		return false;
	}
	if (!lun->size || lun->size % lun->block_size) {
		error_setg(errp, "size=%" PRIu64 ": a multiple of the block size, not zero", lun->size);
		return false;
	}
	if (lun->sense_bytes < 18 || lun->sense_bytes > SCSI_SENSE_BUF_SIZE) {
		error_setg(errp, "sense-bytes=%u: 18 to %u", lun->sense_bytes, SCSI_SENSE_BUF_SIZE);
		return false;
	}
	return true;
}

/* Those of a shared unit come from its name, the others' from where they stand. */
static void default_names(IspLun *lun)
{
	SCSIDevice *dev = &lun->dev;
	uint32_t adapter = isp_scsi_adapter_number(dev);

	if (!lun->serial && lun->share)
		lun->serial = g_strdup_printf("ISP-%s", lun->share);
	if (!lun->serial)
		lun->serial = g_strdup_printf("ISP%07XT%uL%u", adapter, dev->id, dev->lun);
	if (!lun->wwn && lun->share)
		lun->wwn = 0x3700000000000000ULL | g_str_hash(lun->share);
	if (!lun->wwn)
		lun->wwn = 0x3600000000000000ULL | (uint64_t)adapter << 24 | dev->id << 16 | dev->lun;
}

static void lun_realize(SCSIDevice *dev, Error **errp)
{
	IspLun *lun = ISP_LUN(dev);

	if (!sizes_ok(lun, errp))
		return;
	lun->null = object_dynamic_cast(OBJECT(dev), TYPE_ISP_NULL) != NULL;
	lun->is_spindle = object_dynamic_cast(OBJECT(dev), TYPE_ISP_SPINDLE) != NULL;
	lun->blocks = lun->size / lun->block_size;
	if (!isp_medium_attach(lun, errp))
		return;
	default_names(lun);
	dev->type = TYPE_DISK;
	dev->blocksize = lun->block_size;
	dev->max_lba = lun->blocks - 1;
	/* QEMU's bus asks every device for the context of its block backend. */
	dev->conf.blk = blk_new(qemu_get_aio_context(), 0, BLK_PERM_ALL);
}

static void lun_unrealize(SCSIDevice *dev)
{
	isp_medium_detach(ISP_LUN(dev));
}

static void lun_finalize(Object *obj)
{
	SCSIDevice *dev = SCSI_DEVICE(obj);

	if (dev->conf.blk)
		blk_unref(dev->conf.blk);
}

static void lun_reset(DeviceState *dev)
{
	const SCSISense power_on = { .key = UNIT_ATTENTION, .asc = 0x29, .ascq = 0x00 };

	scsi_device_purge_requests(SCSI_DEVICE(dev), power_on);
	isp_medium_reset(ISP_LUN(dev));
}

static ISP_PROPERTY lun_properties[] = {
	DEFINE_PROP_SIZE("size", IspLun, size, 64 * MiB),
	DEFINE_PROP_UINT32("block-size", IspLun, block_size, 512),
	DEFINE_PROP_UINT32("sense-bytes", IspLun, sense_bytes, 18),
	DEFINE_PROP_UINT64("bad-lba", IspLun, bad_lba, UINT64_MAX),
	DEFINE_PROP_BOOL("read-only", IspLun, read_only, false),
	DEFINE_PROP_STRING("share", IspLun, share),
	DEFINE_PROP_UINT32("queue-limit", IspLun, queue_limit, 0),
	DEFINE_PROP_STRING("serial", IspLun, serial),
	DEFINE_PROP_UINT64("wwn", IspLun, wwn, 0),
	ISP_PROPERTIES_END
};

static ISP_PROPERTY service_properties[] = {
	DEFINE_PROP_UINT32("service-ns", IspLun, service_ns, 20000),
	ISP_PROPERTIES_END
};

/* A 10,000 rpm disk of 2002: Documentation/spindle.md. */
static ISP_PROPERTY spindle_properties[] = {
	DEFINE_PROP_UINT32("rpm", IspLun, spindle.rpm, 10000),
	DEFINE_PROP_UINT32("heads", IspLun, spindle.heads, 0),
	DEFINE_PROP_UINT32("zones", IspLun, spindle.zones, 15),
	DEFINE_PROP_UINT32("outer-spt", IspLun, spindle.outer_spt, 858),
	DEFINE_PROP_UINT32("inner-spt", IspLun, spindle.inner_spt, 430),
	DEFINE_PROP_UINT32("seek-track-us", IspLun, spindle.seek_track_us, 600),
	DEFINE_PROP_UINT32("seek-average-us", IspLun, spindle.seek_average_us, 4700),
	DEFINE_PROP_UINT32("seek-full-us", IspLun, spindle.seek_full_us, 10500),
	DEFINE_PROP_UINT32("write-settle-us", IspLun, spindle.write_settle_us, 600),
	DEFINE_PROP_UINT32("head-switch-us", IspLun, spindle.head_switch_us, 600),
	DEFINE_PROP_UINT32("overhead-us", IspLun, spindle.overhead_us, 400),
	DEFINE_PROP_UINT32("hit-us", IspLun, spindle.hit_us, 30),
	DEFINE_PROP_UINT32("bus-kbs", IspLun, spindle.bus_kbs, 200000),
	DEFINE_PROP_SIZE("cache-size", IspLun, spindle.cache_size, 4 * MiB),
	DEFINE_PROP_UINT32("segments", IspLun, spindle.segments, 8),
	DEFINE_PROP_BOOL("write-cache", IspLun, spindle.write_cache, false),
	DEFINE_PROP_UINT32("age-limit-ms", IspLun, spindle.age_limit_ms, 1000),
	DEFINE_PROP_UINT32("age-weight", IspLun, spindle.age_weight, 10),
	DEFINE_PROP_UINT32("seed", IspLun, spindle.seed, 0),
	ISP_PROPERTIES_END
};

/* Defaults that differ from those of the class. */
static void spindle_init(Object *obj)
{
	IspLun *lun = ISP_LUN(obj);

	lun->size = 4 * GiB;
	lun->queue_limit = 64;
}

static void service_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	device_class_set_props(DEVICE_CLASS(oc), service_properties);
}

static void spindle_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	device_class_set_props(DEVICE_CLASS(oc), spindle_properties);
}

static void lun_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	SCSIDeviceClass *sc = SCSI_DEVICE_CLASS(oc);
	DeviceClass *dc = DEVICE_CLASS(oc);

	sc->realize = lun_realize;
	sc->unrealize = lun_unrealize;
	sc->alloc_req = alloc_req;
	isp_class_set_reset(dc, lun_reset);
	device_class_set_props(dc, lun_properties);
	set_bit(DEVICE_CATEGORY_STORAGE, dc->categories);
}

static const TypeInfo lun_types[] = {
	{
		.name = TYPE_ISP_LUN,
		.parent = TYPE_SCSI_DEVICE,
		.abstract = true,
		.instance_size = sizeof(IspLun),
		.instance_finalize = lun_finalize,
		.class_init = lun_class_init,
	},
	{ .name = TYPE_ISP_RAM, .parent = TYPE_ISP_LUN, .class_init = service_class_init },
	{ .name = TYPE_ISP_NULL, .parent = TYPE_ISP_LUN, .class_init = service_class_init },
	{
		.name = TYPE_ISP_SPINDLE,
		.parent = TYPE_ISP_LUN,
		.instance_init = spindle_init,
		.class_init = spindle_class_init,
	},
};

static void lun_register(void)
{
	type_register_static_array(lun_types, ARRAY_SIZE(lun_types));
}
isp_type_init(lun_register)
