// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 5: error handling, from the abort of one command to the reset of the
 * card.
 *
 * A handler reports success only when the card no longer has any of the
 * commands concerned: until then it may still write to their memory. What one
 * handler cannot get back, the next does; the last one resets the card, after
 * which it has none.
 */
#include <linux/pci.h>
#include <scsi/scsi.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_transport_fc.h>

#include "isp_compat.h"
#include "isp_scsi.h"

/* How long commands may take to come back after what was done to them. */
#define ABORT_WAIT_MS		5000
#define ABORT_LOST_MS		200
#define RESET_WAIT_MS		10000
/* ... and the ports, after a loop or card reset. */
#define PORTS_WAIT_MS		10000

static struct isp_hba *cmd_hba(struct scsi_cmnd *cmd)
{
	return shost_priv(cmd->device->host);
}

/* 0, or FAST_IO_FAIL if the port is not to be waited for any longer. */
static int eh_wait_port(struct isp_hba *hba, struct scsi_cmnd *cmd)
{
	return isp_hba_state(hba) == ISP_DEAD ? 0 : fc_block_scsi_eh(cmd);
}

/*
 * 0 if the handler is to go on; while the port is blocked it must wait. When
 * the class gives the port up, error handling is about to finish the commands:
 * it may, if the card has none of them any more.
 */
static int eh_ready(struct isp_hba *hba, struct scsi_cmnd *cmd,
		    const struct isp_nexus *nexus, u64 lun)
{
	int ret = eh_wait_port(hba, cmd);

	if (!ret && isp_hba_state(hba) == ISP_UP)
		return 0;
	/* Recovery is under way, or there is nothing left to recover. */
	if (!ret)
		isp_hba_wait_recovery(hba);
	if (!isp_queue_wait(&hba->q, nexus, lun, 0))
		return FAILED;
	return ret ?: SUCCESS;
}

/**
 * isp_eh_abort() - struct scsi_host_template: eh_abort_handler
 * @cmd: command that timed out
 *
 * Return: SUCCESS, FAILED or FAST_IO_FAIL.
 */
int isp_eh_abort(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = cmd_hba(cmd);
	const struct isp_port *port = cmd->device->hostdata;
	int ret = eh_wait_port(hba, cmd), err = 0;
	bool back;
	u32 handle;

	handle = isp_queue_handle(&hba->q, scsi_cmd_to_rq(cmd)->tag,
				  &isp_scsi_cmd(cmd)->rq);
	if (handle)
		err = isp_rport_abort(&hba->fab, port, cmd->device->lun,
				      handle);
	/* No answer, or one that makes no sense: the card is being reset. */
	if (err && err != -EIO)
		isp_hba_wait_recovery(hba);
	/*
	 * An error answer says that the firmware does not have the command:
	 * it has just ended, or its status was lost and never comes.
	 */
	back = isp_queue_wait_handle(&hba->q, handle,
				     err ? ABORT_LOST_MS : ABORT_WAIT_MS);
	scmd_dbg(cmd, "abort %s\n", back ? "done" : "failed");
	if (!back)
		return FAILED;
	return ret ?: SUCCESS;
}

/*
 * The port's loop id, after eh_ready(): whoever had to wait there finds it
 * changed. -ENOTCONN if nobody knows it: the loop id that the port had may be
 * another one's by now.
 */
static int eh_loop_id(struct isp_hba *hba, const struct isp_port *port)
{
	u16 loop_id;

	isp_fabric_settle(&hba->fab, PORTS_WAIT_MS);
	loop_id = READ_ONCE(port->info.loop_id);
	if (!isp_port_ready(&hba->fab, port) || loop_id == ISP_NO_LOOP_ID)
		return -ENOTCONN;
	return loop_id;
}

static int eh_reset_done(struct isp_hba *hba, struct scsi_cmnd *cmd,
			 const char *what, const struct isp_nexus *nexus,
			 u64 lun, int err)
{
	int ret = FAILED;

	/* A port that could not be spoken to may still have nothing of ours. */
	if ((!err || err == -ENOTCONN) &&
	    isp_queue_wait(&hba->q, nexus, lun, err ? 0 : RESET_WAIT_MS))
		ret = SUCCESS;
	dev_info_ratelimited(&cmd->device->sdev_gendev, "%s reset %s\n", what,
			     ret == SUCCESS ? "done" : "failed");
	return ret;
}

/**
 * isp_eh_device_reset() - struct scsi_host_template: eh_device_reset_handler
 * @cmd: one of the logical unit's commands
 *
 * Return: SUCCESS, FAILED or FAST_IO_FAIL.
 */
int isp_eh_device_reset(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = cmd_hba(cmd);
	const struct isp_port *port = cmd->device->hostdata;
	u64 lun = cmd->device->lun;
	int ret = eh_ready(hba, cmd, &port->nexus, lun), loop_id;

	if (ret)
		return ret;
	loop_id = eh_loop_id(hba, port);
	ret = loop_id < 0 ? loop_id :
	      hba->hw.chip->reset_lun(&hba->hw, loop_id, lun);
	if (!ret)
		ret = isp_queue_marker(&hba->q, ISP_MARK_LUN, loop_id, lun);
	return eh_reset_done(hba, cmd, "LUN", &port->nexus, lun, ret);
}

/**
 * isp_eh_target_reset() - struct scsi_host_template: eh_target_reset_handler
 * @cmd: one of the target's commands
 *
 * Return: SUCCESS, FAILED or FAST_IO_FAIL.
 */
int isp_eh_target_reset(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = cmd_hba(cmd);
	const struct isp_port *port = cmd->device->hostdata;
	int ret = eh_ready(hba, cmd, &port->nexus, ISP_ANY_LUN), loop_id;

	if (ret)
		return ret;
	loop_id = eh_loop_id(hba, port);
	ret = loop_id < 0 ? loop_id :
	      hba->hw.chip->reset_target(&hba->hw, loop_id);
	if (!ret)
		ret = isp_queue_marker(&hba->q, ISP_MARK_TARGET, loop_id, 0);
	return eh_reset_done(hba, cmd, "target", &port->nexus, ISP_ANY_LUN, ret);
}

/**
 * isp_eh_bus_reset() - struct scsi_host_template: eh_bus_reset_handler
 * @cmd: one of the loop's commands
 *
 * Return: SUCCESS, FAILED or FAST_IO_FAIL.
 */
int isp_eh_bus_reset(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = cmd_hba(cmd);
	int ret = eh_ready(hba, cmd, ISP_ANY_NEXUS, ISP_ANY_LUN);

	if (ret)
		return ret;
	/* The ports are unknown from now on, whenever the card tells so. */
	isp_fabric_event(&hba->fab, ISP_EV_LIP, 0);
	ret = hba->hw.chip->reset_loop(&hba->hw);
	if (!ret)
		ret = isp_queue_marker(&hba->q, ISP_MARK_ALL, 0, 0);
	ret = eh_reset_done(hba, cmd, "loop", ISP_ANY_NEXUS, ISP_ANY_LUN, ret);
	if (ret == SUCCESS)
		isp_fabric_wait_ready(&hba->fab, PORTS_WAIT_MS);
	return ret;
}

/**
 * isp_eh_host_reset() - struct scsi_host_template: eh_host_reset_handler
 * @cmd: one of the adapter's commands
 *
 * Return: SUCCESS or FAILED.
 */
int isp_eh_host_reset(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = cmd_hba(cmd);

	if (isp_hba_reset(hba, "error handling asks for a reset"))
		return FAILED;
	isp_fabric_wait_ready(&hba->fab, PORTS_WAIT_MS);
	return SUCCESS;
}

/**
 * isp_eh_asked_reset() - struct scsi_host_template: host_reset
 * @shost: SCSI host
 * @type: SCSI_ADAPTER_RESET or SCSI_FIRMWARE_RESET, which are one and the same
 *	for these cards
 *
 * The user wrote to the host's attribute host_reset. Context: process; sleeps.
 *
 * Return: 0, or -EIO if the card does not run afterwards.
 */
int isp_eh_asked_reset(struct Scsi_Host *shost, int type)
{
	struct isp_hba *hba = shost_priv(shost);

	return isp_hba_reset(hba, "host_reset asks for a reset");
}
