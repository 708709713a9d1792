/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LUNs that live in virtual time: isp-ram keeps its data in memory, isp-null keeps none, isp-spindle takes the time
 * of a real disk.
 */
#ifndef QEMU_ISP_LUN_H
#define QEMU_ISP_LUN_H

#include "compat.h"
#include "disk.h"

#define TYPE_ISP_LUN "isp-lun"
OBJECT_DECLARE_SIMPLE_TYPE(IspLun, ISP_LUN)

/* What one or several LUNs are the way to (lun_medium.c). */
typedef struct IspMedium {
	char *name;			/* property share; NULL: nobody else's */
	uint64_t size;
	uint32_t block_size;
	uint8_t *data;			/* NULL: isp-null */
	Disk *disk;			/* isp-spindle */
	QEMUTimer *disk_timer;
	uint32_t ports;			/* that were ever attached */
	uint32_t tasks;			/* commands that the unit works on */
	IspLun *holder;			/* of the reservation */
	QTAILQ_HEAD(, IspLun) paths;
	QTAILQ_ENTRY(IspMedium) next;
} IspMedium;

struct IspLun {
	SCSIDevice dev;
	char *share;
	IspMedium *medium;
	uint32_t port_number;		/* relative target port identifier */
	uint32_t queue_limit;		/* TASK SET FULL beyond; 0: none */
	QTAILQ_ENTRY(IspLun) next_path;
	uint64_t size;			/* bytes */
	uint32_t block_size;
	uint32_t service_ns;		/* from command (write: from its data) to status */
	uint32_t sense_bytes;		/* length of sense data; padded with zeroes */
	uint64_t bad_lba;		/* medium error there; UINT64_MAX: none */
	bool read_only;
	char *serial;
	uint64_t wwn;
	bool null;
	bool is_spindle;
	DiskParams spindle;
	uint64_t blocks;
};

/* lun.c: ends what the LUN works on with TASK ABORTED. */
void isp_lun_abort_tasks(IspLun *lun);
/* lun.c: the disk is done with a task that isp_spindle_submit() gave it. */
void isp_lun_task_over(DiskTask *task);

/* The disk behind @lun; NULL: it has no spindle. */
static inline Disk *isp_lun_disk(const IspLun *lun)
{
	return lun->medium ? lun->medium->disk : NULL;
}

/* lun_spindle.c */

/* Makes the disk of a medium; false with @errp set: its properties contradict each other. */
bool isp_spindle_make(IspMedium *m, const IspLun *lun, Error **errp);
void isp_spindle_free(IspMedium *m);
/* Whether another path to @m describes the same disk. */
bool isp_spindle_same(const IspMedium *m, const IspLun *lun);
void isp_spindle_submit(IspMedium *m, DiskTask *task);
/* Nothing happens to a task that the disk does not have. */
void isp_spindle_withdraw(IspMedium *m, DiskTask *task);
void isp_spindle_write_cache(IspMedium *m, bool on);

/* lun_medium.c */

/* Finds or makes what is behind @lun; false with @errp set: no memory, or another size. */
bool isp_medium_attach(IspLun *lun, Error **errp);
void isp_medium_detach(IspLun *lun);
/* True: another path holds a reservation that keeps this command out. */
bool isp_medium_conflict(const IspLun *lun, uint8_t opcode);
void isp_medium_reserve(IspLun *lun, bool reserve);
/* Somebody else reset the unit behind @lun: unit attention. */
void isp_medium_was_reset(IspLun *lun);
/* @lun was reset: what that means to the other paths. */
void isp_medium_reset(IspLun *lun);
/* Mode parameters were changed through @lun: unit attention on the other paths. */
void isp_medium_modes_changed(IspLun *lun);
/* Zeroes; whole pages of memory are given back. */
void isp_medium_zero(IspLun *lun, uint64_t lba, uint64_t n);

/* scsi.c: names of the port (node) behind which @dev stands; 0: not on an adapter of the model. */
uint64_t isp_scsi_port_name(SCSIDevice *dev, bool node);
/* Different for each adapter; 0: not on an adapter of the model. */
uint32_t isp_scsi_adapter_number(SCSIDevice *dev);
/* Counters of the spindle behind @dev, NULL: it has none; @reset: they start at 0 again. */
const DiskCounters *isp_scsi_disk(SCSIDevice *dev, bool reset);
/* The task attribute that a request came with. */
DiskAttribute isp_scsi_attribute(SCSIRequest *req);

/* lun_data.c: parameter data; returns its length, -1: no such page. */
int isp_lun_inquiry(IspLun *lun, uint8_t *buf);
int isp_lun_vpd(IspLun *lun, uint8_t page, uint8_t *buf);
int isp_lun_mode_sense(IspLun *lun, const uint8_t *cdb, uint8_t *buf);
int isp_lun_capacity(IspLun *lun, bool sixteen, uint8_t *buf);
/* False: these mode parameters cannot be had. */
bool isp_lun_mode_select(IspLun *lun, bool ten, const uint8_t *data, unsigned int len);
#define ISP_LUN_DATA_MAX 512
/* Blocks that one WRITE SAME or UNMAP may cover (VPD page b0h). */
#define ISP_LUN_MAX_SAME 65536
#define ISP_LUN_MAX_TRANSFER 32768
#define ISP_LUN_MAX_UNMAP_DESCRIPTORS 64

#endif
