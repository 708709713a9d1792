// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * QEMU's SCSI bus behind the target ports: every SCSI device with scsi-id T is a LUN of target T.
 *
 * A request of QEMU's bus carries one command; data crosses in the pieces in which the device offers
 * it.  Transfers and residuals are counted against the host's byte count, as an FCP initiator counts
 * them against FCP_DL.
 */
#include "fc.h"
#include "lun.h"
#include "scsi/constants.h"

#define MAX_LUN 16383			/* flat space addressing */
#define NO_SUCH_LUN 0xffff

static IspCommand *command_of(SCSIRequest *req)
{
	return req->hba_private;
}

/* Device and host disagree about the direction: nothing is transferred. */
static bool wrong_direction(const IspCommand *cmd)
{
	if (cmd->req->cmd.mode == SCSI_XFER_TO_DEV)
		return cmd->flags & ISP_CF_READ;
	return cmd->req->cmd.mode == SCSI_XFER_FROM_DEV && (cmd->flags & ISP_CF_WRITE);
}

/* A write that the host cannot fill: the target gets none of it. */
static bool too_little_to_write(const IspCommand *cmd)
{
	return cmd->req->cmd.mode == SCSI_XFER_TO_DEV && cmd->req->cmd.xfer > cmd->byte_count;
}

void isp_scsi_start(IspCommand *cmd, SCSIDevice *dev)
{
	uint32_t lun = cmd->lun < 0 ? NO_SUCH_LUN : cmd->lun;
	SCSIRequest *req;

	/* Any LUN may list all of its target's (SPC); QEMU's bus does it for LUN 0 only. */
	if (cmd->cdb[0] == REPORT_LUNS && dev->lun == lun)
		lun = 0;
	req = scsi_req_new(dev, cmd->handle, lun, cmd->cdb, sizeof(cmd->cdb), cmd);
	cmd->req = req;
	if (wrong_direction(cmd)) {
		isp_command_fail(cmd, ISP_CS_DMA);
		return;
	}
	if (too_little_to_write(cmd)) {
		cmd->excess = req->cmd.xfer - cmd->byte_count;
		req->status = 0;
		isp_command_complete(cmd);
		return;
	}
	/* Anything but zero: the device waits for the first piece of data, so cmd still lives. */
	if (scsi_req_enqueue(req))
		scsi_req_continue(req);
}

static void transfer_data(SCSIRequest *req, uint32_t len)
{
	IspCommand *cmd = command_of(req);
	uint8_t *buf = scsi_req_get_buf(req);

	if (cmd && !cmd->done)
		isp_command_data(cmd, buf, len, req->cmd.mode == SCSI_XFER_FROM_DEV);
	scsi_req_continue(req);
}

static void complete(SCSIRequest *req, size_t residual)
{
	IspCommand *cmd = command_of(req);

	if (!cmd)
		return;
	if (cmd->done)
		isp_command_free(cmd);
	else
		isp_command_complete(cmd);
}

static void cancelled(SCSIRequest *req)
{
	IspCommand *cmd = command_of(req);

	if (cmd)
		isp_command_cancelled(cmd);
}

static const SCSIBusInfo bus_info = {
	.tcq = true,
	.max_channel = 0,
	.max_target = ISP_LOOP_IDS - 1,
	.max_lun = MAX_LUN,
	.transfer_data = transfer_data,
	.complete = complete,
	.cancel = cancelled,
};

void isp_scsi_cancel(IspCommand *cmd)
{
	scsi_req_cancel_async(cmd->req, NULL);
}

/* As the device gave it, of whatever length; fixed format is what both sides speak here. */
uint32_t isp_scsi_sense(IspCommand *cmd, uint8_t *buf, uint32_t len)
{
	return scsi_req_get_sense(cmd->req, buf, len);
}

/* The LUN itself, or any LUN of that target to answer in its place; NULL: target without LUNs. */
SCSIDevice *isp_scsi_find(IspState *s, unsigned int target, int lun)
{
	return scsi_device_find(&s->bus, 0, target, lun < 0 ? NO_SUCH_LUN : lun);
}

bool isp_scsi_target_present(IspState *s, unsigned int target)
{
	return scsi_device_find(&s->bus, 0, target, 0) != NULL;
}

void isp_scsi_attention(IspState *s, unsigned int target, SCSISense sense)
{
	BusChild *kid;

	QTAILQ_FOREACH(kid, &BUS(&s->bus)->children, sibling)
		if (SCSI_DEVICE(kid->child)->id == target)
			scsi_device_set_ua(SCSI_DEVICE(kid->child), sense);
}

void isp_scsi_reset(IspState *s, unsigned int target, int lun)
{
	BusChild *kid, *next;

	QTAILQ_FOREACH_SAFE(kid, &BUS(&s->bus)->children, sibling, next) {
		SCSIDevice *dev = SCSI_DEVICE(kid->child);

		if (dev->id == target && (lun < 0 || dev->lun == lun))
			device_cold_reset(kid->child);
	}
}

static IspState *adapter_of(SCSIDevice *dev)
{
	return (IspState *)object_dynamic_cast(OBJECT(qdev_get_parent_bus(DEVICE(dev))->parent), TYPE_ISP);
}

uint64_t isp_scsi_port_name(SCSIDevice *dev, bool node)
{
	IspState *s = adapter_of(dev);

	if (!s || !s->fc || dev->id >= ISP_LOOP_IDS)
		return 0;
	return node ? s->fc->ports[dev->id].wwnn : s->fc->ports[dev->id].wwpn;
}

/* Port number (as in a dual-port card's names) and the last three bytes of the port name. */
uint32_t isp_scsi_adapter_number(SCSIDevice *dev)
{
	IspState *s = adapter_of(dev);

	return s ? (s->wwpn >> 48 & 0xf) << 24 | (s->wwpn & 0xffffff) : 0;
}

DiskAttribute isp_scsi_attribute(SCSIRequest *req)
{
	const IspCommand *cmd = adapter_of(req->dev) ? command_of(req) : NULL;

	if (!cmd || !(cmd->flags & (ISP_CF_HEAD_TAG | ISP_CF_ORDERED_TAG)))
		return DISK_SIMPLE;
	return cmd->flags & ISP_CF_HEAD_TAG ? DISK_HEAD : DISK_ORDERED;
}

bool isp_scsi_keeps_order(IspState *s, unsigned int target, int lun)
{
	SCSIDevice *dev = isp_scsi_find(s, target, lun);
	IspLun *l = (IspLun *)object_dynamic_cast(OBJECT(dev), TYPE_ISP_LUN);

	return l && dev->lun == lun && isp_lun_disk(l);
}

const DiskCounters *isp_scsi_disk(SCSIDevice *dev, bool reset)
{
	IspLun *lun = (IspLun *)object_dynamic_cast(OBJECT(dev), TYPE_ISP_LUN);
	Disk *disk = lun ? isp_lun_disk(lun) : NULL;

	if (disk && reset)
		memset(&disk->count, 0, sizeof(disk->count));
	return disk ? &disk->count : NULL;
}

void isp_scsi_init(IspState *s)
{
	scsi_bus_init_named(&s->bus, sizeof(s->bus), DEVICE(s), &bus_info, NULL);
}
