// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The firmware as a whole: made, started, reset, taken down.
 */
#include "fc.h"

/* Made on first use: properties of the fault room are set before the device is realized. */
IspFirmware *isp_fw_get(IspState *s)
{
	if (!s->fw) {
		s->fw = g_new0(IspFirmware, 1);
		s->fw->isp = s;
	}
	return s->fw;
}

void isp_fw_realize(IspState *s, Error **errp)
{
	IspFirmware *fw = isp_fw_get(s);

	isp_scsi_init(s);
	isp_fc_realize(s, errp);
	if (*errp)
		return;
	QTAILQ_INIT(&fw->commands);
	QTAILQ_INIT(&fw->late_entries);
	fw->live = g_hash_table_new(NULL, NULL);
	fw->unsynced = g_array_new(false, false, sizeof(IspScope));
	fw->stopped = g_array_new(false, false, sizeof(IspScope));
	isp_mbox_init(fw);
	isp_ring_init(fw);
	isp_rsp_init(fw);
}

void isp_fw_unrealize(IspState *s)
{
	IspFirmware *fw = s->fw;

	if (fw && fw->rsp) {
		isp_fw_reset(s);
		isp_rsp_free(fw);
		timer_free(fw->mbox_timer);
		timer_free(fw->ring_timer);
		g_hash_table_destroy(fw->live);
		g_array_free(fw->unsynced, true);
		g_array_free(fw->stopped, true);
	}
	isp_fc_unrealize(s);
	isp_fault_free(s);
	g_free(fw);
	s->fw = NULL;
}

void isp_fw_reset(IspState *s)
{
	IspFirmware *fw = s->fw;

	timer_del(fw->mbox_timer);
	fw->mbox_busy = fw->mbox_done = false;
	isp_ring_stop(fw);
	isp_rsp_stop(fw);
	fw->initialized = false;
	fw->executing = fw->crashed = false;
	fw->extended_ids = false;
	isp_commands_forget(fw);
	isp_ct_forget(fw);
	fw->rings_dead = false;
	isp_fc_reset(s);
	g_array_set_size(fw->unsynced, 0);
	g_array_set_size(fw->stopped, 0);
	memset(fw->options, 0, sizeof(fw->options));
	memset(fw->rnid, 0, sizeof(fw->rnid));
	memset(fw->link_errors, 0, sizeof(fw->link_errors));
	memset(&fw->icb, 0, sizeof(fw->icb));
}

void isp_fw_run(IspState *s, bool running)
{
	IspFirmware *fw = s->fw;

	if (!running)
		return;
	/* What came due while the RISC was held. */
	if (fw->mbox_busy && !timer_pending(fw->mbox_timer))
		timer_mod(fw->mbox_timer, isp_now());
	if (!fw->initialized)
		return;
	isp_fw_request_in(s, isp_get_req_in(s));
	isp_fw_response_out(s, isp_get_rsp_out(s));
	isp_ring_kick(fw);
}
