// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The switch as a port sees it: well-known ports, fabric login, state change notifications.
 *
 * Well-known addresses: FC-FS; loop ids under which this firmware knows them: Linux qla_def.h
 * (SNS_FL_PORT and following), OpenBSD qlareg.h (QLA_F_PORT_HANDLE and following).  State change event:
 * qla2x00_async_event() and qla2x00_handle_rscn() in Linux.  See Documentation/hardware/fabric.md.
 */
#include "fc.h"

/* Names of the switch: NAA 1 and 2 with a locally administered number. */
#define SWITCH_NODE_NAME 0x1000020000000001ULL
#define SWITCH_PORT_NAME 0x2000020000000001ULL

static const struct {
	uint32_t port_id;
	uint16_t loop_id;
} well_known[ISP_SERVERS] = {
	[ISP_SERVER_F_PORT] = { ISP_ID_F_PORT, ISP_LOOP_ID_FL_PORT },
	[ISP_SERVER_CONTROLLER] = { ISP_ID_FABRIC_CONTROLLER, ISP_LOOP_ID_FABRIC_CONTROLLER },
	[ISP_SERVER_NAMES] = { ISP_ID_NAME_SERVER, ISP_LOOP_ID_NAME_SERVER },
	[ISP_SERVER_MANAGEMENT] = { ISP_ID_MANAGEMENT_SERVER, ISP_NO_LOOP_ID },
};

/* NAA 2 has room for a port number of 12 bits: here the area. */
uint64_t isp_fabric_port_name(uint32_t port_id)
{
	return SWITCH_PORT_NAME | (uint64_t)(port_id >> 8 & 0xff) << 48;
}

/* The servers come with the link and know nobody yet. */
static void reset_servers(IspFabric *fc, bool present)
{
	for (unsigned int i = 0; i < ISP_SERVERS; i++) {
		IspPort *server = &fc->servers[i];

		server->present = present;
		server->logged_in = server->prli = false;
		server->loop_id = well_known[i].loop_id;
		server->wwnn = SWITCH_NODE_NAME;
		server->wwpn = SWITCH_NODE_NAME + i;
	}
	fc->servers[ISP_SERVER_F_PORT].wwpn = isp_fabric_port_name(fc->port_id);
	fc->state_changes = false;
	memset(&fc->registration, 0, sizeof(fc->registration));
}

void isp_fabric_init(IspFabric *fc)
{
	for (unsigned int i = 0; i < ISP_SERVERS; i++) {
		fc->servers[i].target = ISP_NO_TARGET;
		fc->servers[i].port_id = well_known[i].port_id;
	}
	reset_servers(fc, false);
}

/*
 * Linux asks the F_Port's name and reads the name server without a login of its own at either, and gets
 * state changes without having asked for them.  All three are the firmware's work, then.
 */
void isp_fabric_login(IspState *s)
{
	IspFabric *fc = s->fc;

	/* Firmware without fabric support stays a port of the loop. */
	if (fc->servers[ISP_SERVER_F_PORT].logged_in || !(s->fw->image.attributes & 0x0004))
		return;
	isp_trace(s, "fc flogi port-id=%06x", fc->port_id);
	reset_servers(fc, true);
	isp_fc_login(s, &fc->servers[ISP_SERVER_F_PORT], false);
	isp_fc_login(s, &fc->servers[ISP_SERVER_CONTROLLER], false);
	isp_fc_login(s, &fc->servers[ISP_SERVER_NAMES], false);
	fc->state_changes = true;
}

void isp_fabric_lost(IspState *s)
{
	reset_servers(s->fc, false);
}

void isp_fabric_rscn(IspState *s, unsigned int format, uint32_t port_id)
{
	if (!s->fc->state_changes || !isp_fc_ready(s))
		return;
	isp_async(s->fw, 0x8015, format << 8 | port_id >> 16, port_id & 0xffff, 0);
}

/* A switch tells nobody about himself. */
void isp_fabric_state_change(IspState *s, const IspPort *port)
{
	if (port->port_id != s->fc->port_id)
		isp_fabric_rscn(s, 0, port->port_id);
}
