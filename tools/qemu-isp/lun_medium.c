// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What lies behind a LUN: its blocks, its names, its reservation, its task set.  With property share it is
 * one for several isp-ram devices, which are then the paths to one logical unit: each is the nexus of one
 * initiator (adapter) with one target port.
 *
 * SPC-2 (RESERVE, RELEASE), SAM-5 (unit attentions, TASK ABORTED, TASK SET FULL).
 */
#include <sys/mman.h>
#include "lun.h"
#include "scsi/constants.h"

static QTAILQ_HEAD(, IspMedium) media = QTAILQ_HEAD_INITIALIZER(media);

static IspMedium *find(const char *name)
{
	IspMedium *m;

	QTAILQ_FOREACH(m, &media, next)
		if (name && m->name && !strcmp(m->name, name))
			return m;
	return NULL;
}

/* Memory that costs nothing until it is written: a disk of many GB with a small filesystem is a small one. */
static bool make_data(IspMedium *m, uint64_t size, Error **errp)
{
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (data == MAP_FAILED) {
		error_setg(errp, "size=%" PRIu64 ": no memory for that", size);
		return false;
	}
	madvise(data, size, MADV_NOHUGEPAGE);
	m->data = data;
	return true;
}

static IspMedium *make(IspLun *lun, Error **errp)
{
	IspMedium *m = g_new0(IspMedium, 1);

	if (!lun->null && !make_data(m, lun->size, errp)) {
		g_free(m);
		return NULL;
	}
	if (lun->is_spindle && !isp_spindle_make(m, lun, errp)) {
		munmap(m->data, lun->size);
		g_free(m);
		return NULL;
	}
	m->name = g_strdup(lun->share);
	m->size = lun->size;
	m->block_size = lun->block_size;
	QTAILQ_INIT(&m->paths);
	QTAILQ_INSERT_TAIL(&media, m, next);
	return m;
}

bool isp_medium_attach(IspLun *lun, Error **errp)
{
	IspMedium *m = find(lun->share);

	if (lun->share && lun->null) {
		error_setg(errp, "share=%s: isp-null has nothing to share", lun->share);
		return false;
	}
	if (m && (m->size != lun->size || m->block_size != lun->block_size)) {
		error_setg(errp, "share=%s: it has %" PRIu64 " bytes in blocks of %u already", lun->share, m->size,
			   m->block_size);
		return false;
	}
	if (m && !isp_spindle_same(m, lun)) {
		error_setg(errp, "share=%s: it is another kind of disk already", lun->share);
		return false;
	}
	if (!m)
		m = make(lun, errp);
	if (!m)
		return false;
	lun->medium = m;
	lun->port_number = ++m->ports;
	QTAILQ_INSERT_TAIL(&m->paths, lun, next_path);
	return true;
}

/* Blocks of a shared unit stay until QEMU ends: all of its paths may be away for a while. */
void isp_medium_detach(IspLun *lun)
{
	IspMedium *m = lun->medium;

	if (!m)
		return;
	lun->medium = NULL;
	if (m->holder == lun)
		m->holder = NULL;
	QTAILQ_REMOVE(&m->paths, lun, next_path);
	if (m->name)
		return;
	QTAILQ_REMOVE(&media, m, next);
	isp_spindle_free(m);
	if (m->data)
		munmap(m->data, m->size);
	g_free(m);
}

void isp_medium_zero(IspLun *lun, uint64_t lba, uint64_t n)
{
	uintptr_t page = qemu_real_host_page_size();
	uint8_t *from = lun->medium->data + lba * lun->block_size, *end = from + n * lun->block_size;
	uint8_t *first = (uint8_t *)ROUND_UP((uintptr_t)from, page);
	uint8_t *last = (uint8_t *)ROUND_DOWN((uintptr_t)end, page);

	if (first >= last || madvise(first, last - first, MADV_DONTNEED)) {
		memset(from, 0, end - from);
		return;
	}
	memset(from, 0, first - from);
	memset(last, 0, end - last);
}

/* ---- reservations ------------------------------------------------------------------------------------ */

bool isp_medium_conflict(const IspLun *lun, uint8_t opcode)
{
	const IspLun *holder = lun->medium->holder;

	if (!holder || holder == lun)
		return false;
	switch (opcode) {
	case INQUIRY:
	case REPORT_LUNS:
	case REQUEST_SENSE:
	case RELEASE:
	case RELEASE_10:
		return false;
	default:
		return true;
	}
}

void isp_medium_reserve(IspLun *lun, bool reserve)
{
	if (reserve)
		lun->medium->holder = lun;
	else if (lun->medium->holder == lun)
		lun->medium->holder = NULL;
}

/* ---- reset ------------------------------------------------------------------------------------------- */

void isp_medium_was_reset(IspLun *lun)
{
	const SCSISense reset = { .key = UNIT_ATTENTION, .asc = 0x29, .ascq = 0x03 };

	scsi_device_set_ua(&lun->dev, reset);
}

/*
 * A reset of the logical unit through one path ends the commands of all: those of the others with TASK
 * ABORTED (the control mode page has TAS set) and a unit attention behind it.
 */
void isp_medium_reset(IspLun *lun)
{
	IspLun *other;

	if (!lun->medium)
		return;
	lun->medium->holder = NULL;
	QTAILQ_FOREACH(other, &lun->medium->paths, next_path) {
		if (other == lun)
			continue;
		isp_lun_abort_tasks(other);
		isp_medium_was_reset(other);
	}
}

void isp_medium_modes_changed(IspLun *lun)
{
	const SCSISense changed = { .key = UNIT_ATTENTION, .asc = 0x2a, .ascq = 0x01 };
	IspLun *other;

	QTAILQ_FOREACH(other, &lun->medium->paths, next_path)
		if (other != lun)
			scsi_device_set_ua(&other->dev, changed);
}
