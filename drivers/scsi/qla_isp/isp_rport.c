// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 4: the link and its ports as the FC transport class
 * (scsi_transport_fc) shows them to user space and to the SCSI midlayer.
 */
#include <linux/pci.h>
#include <linux/utsname.h>

#include "isp_compat.h"
#include "isp_fabric.h"
#include "isp_hba.h"
#include "isp_queue.h"

static struct isp_fabric *shost_fabric(struct Scsi_Host *shost)
{
	struct isp_hba *hba = shost_priv(shost);

	return &hba->fab;
}

/**
 * isp_rport_port() - the port behind a remote port of the transport class
 * @rport: remote port
 *
 * Return: the port, or NULL if it is just being added.
 */
struct isp_port *isp_rport_port(struct fc_rport *rport)
{
	return READ_ONCE(*(struct isp_port **)rport->dd_data);
}

/*
 * Where targets are bound by node name or address (fc_host's tgtid_bind_type),
 * the class may give the devices of one port to another. It does not say: what
 * dd_data pointed to is gone by now.
 */
static void rport_set_port(struct isp_fabric *fab, struct fc_rport *rport,
			   struct isp_port *port)
{
	struct scsi_device *sdev;
	struct fc_rport *owner;

	WRITE_ONCE(*(struct isp_port **)rport->dd_data, port);
	if (fc_host_tgtid_bind_type(fab->shost) == FC_TGTID_BIND_BY_WWPN)
		return;
	/* Pairs with isp_sdev_init(): it sees this port, or we see its device. */
	smp_mb();
	shost_for_each_device(sdev, fab->shost) {
		owner = starget_to_rport(scsi_target(sdev));
		if (owner == rport)
			WRITE_ONCE(sdev->hostdata, port);
	}
}

/**
 * isp_rport_add() - tell the transport class that a port is there
 * @fab: link
 * @port: port, logged in
 *
 * The role comes last, for it starts the scan for LUNs, which needs the port.
 *
 * Context: process; sleeps.
 *
 * Return: whether there was memory for it.
 */
bool isp_rport_add(struct isp_fabric *fab, struct isp_port *port)
{
	const struct isp_port_info *info = &port->info;
	struct fc_rport_identifiers ids = {
		.node_name = info->wwnn,
		.port_name = info->wwpn,
		.port_id = info->port_id,
		.roles = FC_PORT_ROLE_UNKNOWN,
	};
	u32 roles = FC_PORT_ROLE_UNKNOWN;
	struct fc_rport *rport;

	rport = fc_remote_port_add(fab->shost, 0, &ids);
	if (!rport) {
		dev_err_ratelimited(fab->hw->dev, "no memory for remote port %016llx: write to issue_lip when there is\n",
				    info->wwpn);
		return false;
	}
	rport_set_port(fab, rport, port);
	port->rport = rport;
	rport->maxframe_size = fab->hw->cfg.frame_payload;
	rport->supported_classes = FC_COS_CLASS3 |
				   (info->class2 ? FC_COS_CLASS2 : 0);
	if (info->target)
		roles |= FC_PORT_ROLE_FCP_TARGET;
	if (info->initiator)
		roles |= FC_PORT_ROLE_FCP_INITIATOR;
	fc_remote_port_rolechg(rport, roles);
	return true;
}

/**
 * isp_rport_del() - tell the transport class that a port is gone
 * @port: port
 * @for_good: the card is dead, there is no use in waiting for the port
 *
 * The class blocks its devices and removes them after dev_loss_tmo. Error
 * handling waits for that, too (fc_block_scsi_eh()).
 *
 * Context: process; sleeps.
 */
void isp_rport_del(struct isp_port *port, bool for_good)
{
	struct fc_rport *rport = port->rport;

	port->rport = NULL;
	if (!rport)
		return;
	if (for_good)
		rport->dev_loss_tmo = 1;
	fc_remote_port_delete(rport);
}

static int rport_offline(struct device *dev, void *data)
{
	if (scsi_is_fc_rport(dev))
		scsi_target_unblock(dev, SDEV_TRANSPORT_OFFLINE);
	return 0;
}

/**
 * isp_rport_offline_all() - fail the commands of all ports that are gone
 * @fab: link of a dead card
 *
 * The class would hold them until dev_loss_tmo, in case a port comes back.
 * None will; what dev_loss_tmo still does is to remove the devices.
 *
 * Context: process; sleeps.
 */
void isp_rport_offline_all(struct isp_fabric *fab)
{
	device_for_each_child(&fab->shost->shost_gendev, NULL, rport_offline);
}

/**
 * isp_rport_remove_targets() - remove all SCSI devices while the card works
 * @fab: link, stopped
 *
 * So that their caches can still be flushed; fc_remove_host() makes the ports
 * unusable first.
 *
 * Context: process; sleeps.
 */
void isp_rport_remove_targets(struct isp_fabric *fab)
{
	struct isp_port *port;

	list_for_each_entry(port, &fab->ports, node)
		if (port->rport)
			scsi_remove_target(&port->rport->dev);
}

/**
 * isp_rport_post_events() - tell user space what happened on the link
 * @fab: link
 * @events: bit n: enum isp_event n
 *
 * Context: process.
 */
void isp_rport_post_events(struct isp_fabric *fab, unsigned long events)
{
	static const struct {
		enum isp_event event;
		enum fc_host_event_code code;
	} map[] = {
		{ ISP_EV_LOOP_DOWN,	FCH_EVT_LINKDOWN },
		{ ISP_EV_LIP,		FCH_EVT_LIP },
		{ ISP_EV_LIP_RESET,	FCH_EVT_LIPRESET },
		{ ISP_EV_LOOP_UP,	FCH_EVT_LINKUP },
		{ ISP_EV_STATE_CHANGE,	FCH_EVT_RSCN },
	};
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(map); n++)
		if (events & BIT(map[n].event))
			fc_host_post_event(fab->shost, fc_get_event_number(),
					   map[n].code, 0);
}

static enum fc_port_type host_port_type(enum isp_topology topology)
{
	switch (topology) {
	case ISP_TOPO_LOOP:
		return FC_PORTTYPE_LPORT;
	case ISP_TOPO_FABRIC_LOOP:
		return FC_PORTTYPE_NLPORT;
	case ISP_TOPO_P2P:
		return FC_PORTTYPE_PTP;
	case ISP_TOPO_FABRIC:
		return FC_PORTTYPE_NPORT;
	case ISP_TOPO_NONE:
		break;
	}
	return FC_PORTTYPE_UNKNOWN;
}

/*
 * What name server and administrators see first: who this is, and where it is
 * plugged in.
 */
static void set_symbolic_name(struct Scsi_Host *shost)
{
	const char *host = fc_host_system_hostname(shost);

	scnprintf(fc_host_symbolic_name(shost), FC_SYMBOLIC_NAME_SIZE,
		  "%s FW:%s DVR:%s HN:%s", fc_host_model(shost),
		  fc_host_firmware_version(shost),
		  fc_host_driver_version(shost),
		  *host ? host : init_utsname()->nodename);
}

/**
 * isp_rport_host_update() - refresh what changes with the link
 * @fab: link
 *
 * Context: process.
 */
void isp_rport_host_update(struct isp_fabric *fab)
{
	struct Scsi_Host *shost = fab->shost;
	bool up = READ_ONCE(fab->link) != ISP_LINK_DOWN;

	fc_host_port_id(shost) = up ? fab->id.port_id : 0;
	fc_host_port_type(shost) = up ? host_port_type(fab->id.topology) :
					FC_PORTTYPE_UNKNOWN;
	fc_host_speed(shost) = up ? fab->speed : FC_PORTSPEED_UNKNOWN;
	fc_host_fabric_name(shost) = up && isp_behind_switch(fab) &&
				     fab->fabric_name ? fab->fabric_name :
				     fc_host_node_name(shost);
	set_symbolic_name(shost);
}

/*
 * The serial number on the board, which its port name is made from (qla2xxx:
 * qla2x00_serial_num_show()). A name that was made up for want of an NVRAM
 * (NAA 3, see isp_wwpn_local()) has none in it.
 */
static void set_serial_number(struct Scsi_Host *shost, u64 wwpn)
{
	u32 n = (wwpn >> 16 & 0x1f) << 16 | (wwpn & 0xff) << 8 |
		(wwpn >> 8 & 0xff);

	if (wwpn >> 60 != 3)
		scnprintf(fc_host_serial_number(shost), FC_SERIAL_NUMBER_SIZE,
			  "%c%05u", 'A' + n / 100000, n % 100000);
}

static void set_versions(struct Scsi_Host *shost, const struct isp_hw *hw)
{
	scnprintf(fc_host_hardware_version(shost), FC_VERSION_STRING_SIZE,
		  "revision %u", hw->pdev->revision);
	strscpy(fc_host_driver_version(shost), ISP_VERSION,
		FC_VERSION_STRING_SIZE);
	scnprintf(fc_host_firmware_version(shost), FC_VERSION_STRING_SIZE,
		  "%u.%02u.%02u", hw->fw_version[0], hw->fw_version[1],
		  hw->fw_version[2]);
}

static void set_model(struct Scsi_Host *shost, const struct isp_hw *hw)
{
	const char *name = hw->chip->name;

	strscpy(fc_host_manufacturer(shost), "QLogic Corporation",
		FC_SERIAL_NUMBER_SIZE);
	strscpy(fc_host_model(shost), *hw->cfg.model ? hw->cfg.model : name,
		FC_SYMBOLIC_NAME_SIZE);
	scnprintf(fc_host_model_description(shost), FC_SYMBOLIC_NAME_SIZE,
		  "%s, %u Gbit/s Fibre Channel", name,
		  hw->chip->speeds & FC_PORTSPEED_2GBIT ? 2 : 1);
}

/**
 * isp_rport_host_init() - fill in the host's fixed attributes
 * @fab: link whose SCSI host has been registered
 */
void isp_rport_host_init(struct isp_fabric *fab)
{
	struct Scsi_Host *shost = fab->shost;
	const struct isp_hw *hw = fab->hw;
	const struct isp_config *cfg = &hw->cfg;

	/* Without a node name of its own the firmware uses this one. */
	fc_host_node_name(shost) = cfg->wwnn ?: cfg->wwpn & ~(0xfULL << 56);
	fc_host_port_name(shost) = cfg->wwpn;
	fc_host_permanent_port_name(shost) = cfg->wwpn;
	fc_host_supported_classes(shost) = FC_COS_CLASS3;
	fc_host_supported_fc4s(shost)[2] = 1;		/* type 08h: FCP */
	fc_host_active_fc4s(shost)[2] = 1;
	fc_host_supported_speeds(shost) = hw->chip->speeds;
	fc_host_maxframe_size(shost) = cfg->frame_payload;
	fc_host_max_npiv_vports(shost) = 0;
	set_model(shost, hw);
	set_versions(shost, hw);
	set_serial_number(shost, cfg->wwpn);
	isp_rport_host_update(fab);
}

static void get_starget_names(struct scsi_target *starget)
{
	struct fc_rport *rport = starget_to_rport(starget);

	fc_starget_node_name(starget) = rport ? rport->node_name : 0;
	fc_starget_port_name(starget) = rport ? rport->port_name : 0;
	fc_starget_port_id(starget) = rport ? rport->port_id : -1;
}

static void set_dev_loss_tmo(struct fc_rport *rport, u32 timeout)
{
	rport->dev_loss_tmo = timeout ?: 1;
}

/**
 * isp_rport_abort() - abort a command
 * @fab: link
 * @port: port that it was sent to
 * @lun: its LUN
 * @handle: its handle
 *
 * Context: process; sleeps.
 *
 * Return: 0; -EIO if the firmware does not have it, as when the port has lost
 * its login; another negative errno as isp_mbox_exec().
 */
int isp_rport_abort(struct isp_fabric *fab, const struct isp_port *port,
		    u64 lun, u32 handle)
{
	u16 loop_id = READ_ONCE(port->info.loop_id);

	if (loop_id == ISP_NO_LOOP_ID)
		return -EIO;
	return fab->hw->chip->abort(fab->hw, loop_id, lun, handle);
}

/* How long aborted commands may take to come back. */
#define TERMINATE_WAIT_MS	5000

/*
 * The class has waited long enough for the port: have its commands aborted.
 * When this returns the class lets error handling finish them, so the card
 * must no longer have any: what it does not give back a reset takes from it.
 */
static void terminate_rport_io(struct fc_rport *rport)
{
	struct isp_hba *hba = shost_priv(rport_to_shost(rport));
	struct isp_fabric *fab = &hba->fab;
	struct isp_port *port = isp_rport_port(rport);
	unsigned int tag = 0;
	u32 handle;
	u64 lun;

	if (!port)
		return;
	while ((handle = isp_queue_next(fab->q, &port->nexus, &tag, &lun)))
		isp_rport_abort(fab, port, lun, handle);
	if (!isp_queue_wait(fab->q, &port->nexus, ISP_ANY_LUN, TERMINATE_WAIT_MS))
		isp_hba_reset(hba, "commands to a lost port do not come back");
}

static int issue_lip(struct Scsi_Host *shost)
{
	struct isp_fabric *fab = shost_fabric(shost);

	return fab->hw->chip->lip(fab->hw);
}

/* Asked each time: a card that fails does not wait for its link to change. */
static void get_host_port_state(struct Scsi_Host *shost)
{
	const struct isp_hba *hba = shost_priv(shost);
	enum fc_port_state state = FC_PORTSTATE_ONLINE;

	switch (isp_hba_state(hba)) {
	case ISP_DEAD:
		state = FC_PORTSTATE_ERROR;
		break;
	case ISP_COLD:
	case ISP_STARTING:
	case ISP_FAULT:
	case ISP_ASLEEP:
		state = FC_PORTSTATE_OFFLINE;
		break;
	case ISP_UP:
		if (READ_ONCE(hba->fab.link) == ISP_LINK_DOWN ||
		    (READ_ONCE(hba->fab.settled) &&
		     !READ_ONCE(hba->fab.was_up)))
			state = FC_PORTSTATE_LINKDOWN;
		break;
	}
	fc_host_port_state(shost) = state;
}

static struct fc_host_statistics *get_host_stats(struct Scsi_Host *shost)
{
	return isp_stats_get(shost_fabric(shost));
}

static void reset_host_stats(struct Scsi_Host *shost)
{
	isp_stats_reset(shost_fabric(shost));
}

static struct fc_function_template isp_fc_template = {
	.dd_fcrport_size		= sizeof(struct isp_port *),
	.get_starget_node_name		= get_starget_names,
	.get_starget_port_name		= get_starget_names,
	.get_starget_port_id		= get_starget_names,
	.set_rport_dev_loss_tmo		= set_dev_loss_tmo,
	.terminate_rport_io		= terminate_rport_io,
	.issue_fc_host_lip		= issue_lip,
	.get_host_port_state		= get_host_port_state,
	.set_host_system_hostname	= set_symbolic_name,
	.get_fc_host_stats		= get_host_stats,
	.reset_fc_host_stats		= reset_host_stats,

	.show_rport_maxframe_size	= 1,
	.show_rport_supported_classes	= 1,
	.show_rport_dev_loss_tmo	= 1,
	.show_starget_node_name		= 1,
	.show_starget_port_name		= 1,
	.show_starget_port_id		= 1,
	.show_host_node_name		= 1,
	.show_host_port_name		= 1,
	.show_host_permanent_port_name	= 1,
	.show_host_supported_classes	= 1,
	.show_host_supported_fc4s	= 1,
	.show_host_active_fc4s		= 1,
	.show_host_supported_speeds	= 1,
	.show_host_maxframe_size	= 1,
	.show_host_serial_number	= 1,
	.show_host_manufacturer		= 1,
	.show_host_model		= 1,
	.show_host_model_description	= 1,
	.show_host_hardware_version	= 1,
	.show_host_driver_version	= 1,
	.show_host_firmware_version	= 1,
	.show_host_symbolic_name	= 1,
	.show_host_system_hostname	= 1,
	.show_host_port_id		= 1,
	.show_host_port_type		= 1,
	.show_host_port_state		= 1,
	.show_host_speed		= 1,
	.show_host_fabric_name		= 1,
};

/**
 * isp_rport_attach() - introduce this driver to the transport class
 *
 * Return: template for the SCSI hosts, NULL if there is no memory; to be
 * given back with fc_release_transport().
 */
struct scsi_transport_template *isp_rport_attach(void)
{
	return fc_attach_transport(&isp_fc_template);
}
