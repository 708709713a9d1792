// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailbox commands that abort, reset, or hold queues.
 *
 * Mailboxes: qla2x00_abort_command(), qla2x00_abort_target(), qla2x00_lun_reset() in Linux qla_mbx.c;
 * isp_control() in FreeBSD isp.c.  Aborted commands come back through the response ring before the
 * next command of that LUN runs; after the resets a marker is wanted (Documentation/hardware/iocb.md).
 */
#include "fc.h"

/* A port that is logged in, or why not. */
static IspPort *logged_in_port(IspFirmware *fw, IspMbox *m, uint16_t *bad)
{
	IspPort *port = isp_fc_port(fw->isp, isp_mbox_loop_id(fw, m));

	*bad = 0;
	if (!isp_fc_ready(fw->isp))
		*bad = isp_fc_busy(fw->isp) ? ISP_MB_ERROR : ISP_MB_LINK_DOWN;
	else if (!port)
		*bad = ISP_MB_PARAMETER;
	else if (!port->logged_in)
		*bad = ISP_MB_NOT_LOGGED_IN;
	return *bad ? NULL : port;
}

/* Handle in mailboxes 2 and 3. */
uint16_t isp_mbc_abort_iocb(IspFirmware *fw, IspMbox *m)
{
	uint32_t handle = (uint32_t)m->in[3] << 16 | m->in[2];

	isp_trace(fw->isp, "abort handle=%08x", handle);
	return isp_command_abort_handle(fw, handle, ISP_CS_ABORTED) ? ISP_MB_COMPLETE : ISP_MB_ERROR;
}

/* A target that answers nothing, or has gone: after a while the firmware gives up. */
static uint16_t unanswered(IspFirmware *fw, IspMbox *m, const IspPort *port)
{
	if (port->present && !isp_port_trouble(fw->isp, port, ISP_TROUBLE_MUTE))
		return 0;
	m->late_ns = isp_patience_ns(fw);
	isp_mbox_set(m, 1, ISP_WHY_TRANSMIT);
	return ISP_MB_ERROR;
}

static uint16_t abort_lun(IspFirmware *fw, IspMbox *m, bool reset)
{
	uint16_t lun = m->in[2], bad;
	IspPort *port = logged_in_port(fw, m, &bad);

	if (!port)
		return bad;
	bad = unanswered(fw, m, port);
	if (bad)
		return bad;
	isp_commands_abort(fw, port->loop_id, lun, ISP_CS_ABORTED);
	if (reset)
		isp_scsi_reset(fw->isp, port->target, lun & 0x3fff);
	isp_scope_add(fw->unsynced, port->loop_id, lun);
	return ISP_MB_COMPLETE;
}

static uint16_t abort_target(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = logged_in_port(fw, m, &bad);

	if (!port)
		return bad;
	bad = unanswered(fw, m, port);
	if (bad)
		return bad;
	isp_commands_abort(fw, port->loop_id, -1, ISP_CS_ABORTED);
	isp_scsi_reset(fw->isp, port->target, -1);
	isp_scope_add(fw->unsynced, port->loop_id, -1);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_abort_device(IspFirmware *fw, IspMbox *m)
{
	return abort_lun(fw, m, false);
}

uint16_t isp_mbc_abort_target(IspFirmware *fw, IspMbox *m)
{
	return abort_target(fw, m);
}

uint16_t isp_mbc_target_reset(IspFirmware *fw, IspMbox *m)
{
	return abort_target(fw, m);
}

uint16_t isp_mbc_lun_reset(IspFirmware *fw, IspMbox *m)
{
	return abort_lun(fw, m, true);
}

uint16_t isp_mbc_clear_task_set(IspFirmware *fw, IspMbox *m)
{
	return abort_lun(fw, m, false);
}

uint16_t isp_mbc_abort_task_set(IspFirmware *fw, IspMbox *m)
{
	return abort_lun(fw, m, false);
}

/* No LUN here ever establishes an ACA condition. */
uint16_t isp_mbc_clear_aca(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;

	return logged_in_port(fw, m, &bad) ? ISP_MB_COMPLETE : bad;
}

/* What a bus reset was on parallel SCSI is a LIP with reset on a loop. */
uint16_t isp_mbc_bus_reset(IspFirmware *fw, IspMbox *m)
{
	isp_fc_lip(fw->isp, ISP_LIP_RESET);
	return ISP_MB_COMPLETE;
}

/* ---- queues -------------------------------------------------------------------------------------- */

uint16_t isp_mbc_stop_queue(IspFirmware *fw, IspMbox *m)
{
	isp_scope_add(fw->stopped, isp_mbox_loop_id(fw, m), m->in[2]);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_start_queue(IspFirmware *fw, IspMbox *m)
{
	isp_scope_remove(fw->stopped, isp_mbox_loop_id(fw, m), m->in[2]);
	isp_ring_kick(fw);
	return ISP_MB_COMPLETE;
}

uint16_t isp_mbc_abort_queue(IspFirmware *fw, IspMbox *m)
{
	uint16_t bad;
	IspPort *port = logged_in_port(fw, m, &bad);

	if (!port)
		return bad;
	isp_commands_abort(fw, port->loop_id, m->in[2], ISP_CS_ABORTED);
	return ISP_MB_COMPLETE;
}

/* Mailbox 1: state of the queue (bit 0: stopped); 2: executing; 3: waiting. */
uint16_t isp_mbc_queue_status(IspFirmware *fw, IspMbox *m)
{
	uint16_t loop_id = isp_mbox_loop_id(fw, m), lun = m->in[2];
	unsigned int started = 0, waiting = 0;
	const IspCommand *cmd;

	QTAILQ_FOREACH(cmd, &fw->commands, next) {
		if (cmd->loop_id != loop_id || cmd->lun_field != lun)
			continue;
		started += cmd->started;
		waiting += !cmd->started;
	}
	isp_mbox_set(m, 1, isp_scope_covers(fw->stopped, loop_id, lun));
	isp_mbox_set(m, 2, started);
	isp_mbox_set(m, 3, waiting);
	return ISP_MB_COMPLETE;
}
