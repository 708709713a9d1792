// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 4: conversation with the fabric's name server: who we are, and who
 * else is there.
 *
 * A name server that refuses, is silent, or talks nonsense costs one line in
 * the log; the ports that are known go on.
 */
#include <linux/pci.h>
#include <scsi/scsi_transport_fc.h>

#include "isp_ct.h"
#include "isp_fabric.h"

/*
 * Says what is wrong with the name server, unless that is known. A card that
 * failed meanwhile has been told of.
 */
static void ns_complain(struct isp_fabric *fab, int err, const char *what,
			const struct isp_ct_reply *reply, bool *told)
{
	struct device *dev = fab->hw->dev;

	if ((err != -EIO && err != -EBADMSG) || *told)
		return;
	if (err == -EBADMSG)
		dev_warn(dev, "name server answers %s with nonsense: check the switch; ports known so far go on\n",
			 what);
	else if (reply->reason)
		dev_warn(dev, "name server rejects %s (reason %02xh, %02xh): check zoning and switch; ports known so far go on\n",
			 what, reply->reason, reply->explanation);
	else
		dev_warn(dev, "name server does not answer %s: check the switch; ports known so far go on\n",
			 what);
	*told = true;
}

/* Returns 0 also for what this chip cannot send. */
static int ns_register(struct isp_fabric *fab, const u8 *req,
		       unsigned int len, const char *what)
{
	struct isp_ct_reply reply = { };
	u8 answer[ISP_CT_HDR];
	int ret;

	ret = fab->hw->chip->name_server(fab->hw, req, len, answer,
					 sizeof(answer));
	if (ret == -EOPNOTSUPP)
		return 0;
	if (!ret)
		ret = isp_ct_check(answer, &reply);
	if (ret)
		ns_complain(fab, ret, what, &reply, &fab->register_told);
	/* A name server may not know one request and still the others. */
	return reply.reason ? 0 : ret;
}

/**
 * isp_ns_register() - tell the name server who we are
 * @fab: link to a switch
 *
 * Our port id, that we are an FCP initiator, and our names. Then ask the
 * fabric for state change notifications.
 *
 * Context: process; sleeps, with a silent name server for some seconds.
 *
 * Return: 0, also if the name server rejects some of it; else a negative
 * errno.
 */
int isp_ns_register(struct isp_fabric *fab)
{
	u64 wwnn = fc_host_node_name(fab->shost);
	u32 id = fab->id.port_id;
	u8 *req = fab->scan->request;
	int ret;

	ret = ns_register(fab, req, isp_ct_rft_id(req, id), "RFT_ID");
	if (!ret)
		ret = ns_register(fab, req, isp_ct_rff_id(req, id), "RFF_ID");
	if (!ret)
		ret = ns_register(fab, req, isp_ct_rnn_id(req, id, wwnn),
				  "RNN_ID");
	if (!ret)
		ret = ns_register(fab, req,
				  isp_ct_rsnn_nn(req, wwnn,
						 fc_host_symbolic_name(fab->shost)),
				  "RSNN_NN");
	/* Most firmware has done so by itself. */
	if (!ret && fab->hw->chip->register_changes(fab->hw))
		dev_dbg(fab->hw->dev, "state change registration refused\n");
	return ret;
}

/**
 * isp_ns_list() - ask the name server for the FCP ports of the fabric
 * @fab: link to a switch; the ids go to its struct isp_scan
 *
 * Context: process; sleeps, with a silent name server for some seconds.
 *
 * Return: number of port ids, or a negative errno: -EIO and -EBADMSG if the
 * name server is at fault.
 */
int isp_ns_list(struct isp_fabric *fab)
{
	struct isp_scan *scan = fab->scan;
	struct isp_ct_reply reply = { };
	unsigned int len;
	int ret;

	len = isp_ct_gid_ft(scan->request, sizeof(scan->answer));
	ret = fab->hw->chip->name_server(fab->hw, scan->request, len,
					 scan->answer, sizeof(scan->answer));
	if (!ret)
		ret = isp_ct_port_ids(scan->answer, sizeof(scan->answer),
				      scan->port_ids, ISP_IDS_MAX, &reply);
	if (ret < 0) {
		ns_complain(fab, ret, "GID_FT", &reply, &fab->list_told);
		return ret;
	}
	fab->list_told = false;
	dev_dbg(fab->hw->dev, "name server lists %d FCP ports\n", ret);
	if (reply.more && !fab->overflow_told) {
		dev_warn(fab->hw->dev, "name server lists more than %u FCP ports: the others are not looked at; narrow this port's zone\n",
			 ret);
		fab->overflow_told = true;
	}
	return ret;
}
