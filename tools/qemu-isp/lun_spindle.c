// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * isp-spindle: the disk of disk.h on QEMU's virtual clock.  One disk for all paths to a medium, one timer for its
 * next event.
 */
#include "lun.h"

static uint64_t now(void)
{
	return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void set_timer(IspMedium *m)
{
	uint64_t next = disk_next(m->disk);

	if (next == DISK_NEVER)
		timer_del(m->disk_timer);
	else
		timer_mod(m->disk_timer, next);
}

static void event(void *opaque)
{
	IspMedium *m = opaque;
	DiskTask *task;

	while ((task = disk_run(m->disk, now())))
		isp_lun_task_over(task);
	set_timer(m);
}

static DiskParams params(const IspLun *lun)
{
	DiskParams p = lun->spindle;

	p.sectors = lun->size / DISK_SECTOR;
	return p;
}

bool isp_spindle_make(IspMedium *m, const IspLun *lun, Error **errp)
{
	DiskParams p = params(lun);
	const char *bad;

	m->disk = g_new0(Disk, 1);
	bad = disk_init(m->disk, &p);
	if (bad) {
		error_setg(errp, "isp-spindle: %s", bad);
		g_free(m->disk);
		m->disk = NULL;
		return false;
	}
	m->disk_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, event, m);
	return true;
}

void isp_spindle_free(IspMedium *m)
{
	if (!m->disk)
		return;
	timer_free(m->disk_timer);
	g_free(m->disk);
}

bool isp_spindle_same(const IspMedium *m, const IspLun *lun)
{
	DiskParams p = params(lun);

	if (!m->disk || !lun->is_spindle)
		return !m->disk && !lun->is_spindle;
	/* The host may have changed the write cache. */
	return !memcmp(&p, &m->disk->p, offsetof(DiskParams, write_cache));
}

void isp_spindle_submit(IspMedium *m, DiskTask *task)
{
	disk_submit(m->disk, task, now());
	set_timer(m);
}

void isp_spindle_withdraw(IspMedium *m, DiskTask *task)
{
	if (!m->disk || task->state == DISK_OUTSIDE)
		return;
	disk_withdraw(m->disk, task, now());
	set_timer(m);
}

void isp_spindle_write_cache(IspMedium *m, bool on)
{
	disk_set_write_cache(m->disk, on, now());
	set_timer(m);
}
