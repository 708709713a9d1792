// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 5: SCSI commands.
 *
 * A command's life on one page: isp_queuecommand() maps its data and hands it
 * to the queue, which gives it a handle, keeps it in the table at its blk-mq
 * tag and has the chip build its entries. isp_done() is called by the queue
 * exactly once per command, whether the card returned it or was reset under
 * it; it translates the status and gives the command back.
 * Nothing is allocated per command, and no register is read here.
 */
#include <linux/blkdev.h>
#include <linux/blk-mq.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <scsi/scsi.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_eh.h>
#include <scsi/scsi_host.h>
#include <scsi/scsi_transport_fc.h>

#include "isp_compat.h"
#include "isp_scsi.h"

#define ISP_SG_MAX		256
#define ISP_SECTORS_MAX		8192		/* 4 MiB */
/* So much of a LUN list is looked at, bytes. */
#define ISP_REPORT_LUNS_MAX	8192
/* How long a discovery under way may delay the removal of the driver. */
#define REMOVE_WAIT_MS		10000
/* How long the boot may wait for the first discovery. */
#define ISP_SCAN_MAX_S		15

static struct scsi_cmnd *isp_cmd_scsi(struct isp_cmd *priv)
{
	return (struct scsi_cmnd *)priv - 1;
}

/* For what is rare, so that the common case need not keep it at hand. */
static struct isp_hba *isp_cmd_hba(const struct scsi_cmnd *cmd)
{
	return shost_priv(cmd->device->host);
}

/*
 * Most commands have one segment. To map it by itself takes half the
 * instructions that a list takes.
 */
static int isp_map(struct device *dev, struct scsi_cmnd *cmd)
{
	struct scatterlist *sg = scsi_sglist(cmd);
	dma_addr_t addr;

	if (unlikely(scsi_sg_count(cmd) != 1))
		return scsi_dma_map(cmd);
	sg_dma_len(sg) = sg->length;
	addr = dma_map_page(dev, sg_page(sg), sg->offset, sg->length,
			    cmd->sc_data_direction);
	if (unlikely(dma_mapping_error(dev, addr)))
		return -ENOMEM;
	sg_dma_address(sg) = addr;
	return 1;
}

static void isp_unmap(struct device *dev, struct scsi_cmnd *cmd)
{
	struct scatterlist *sg = scsi_sglist(cmd);

	if (unlikely(scsi_sg_count(cmd) != 1))
		scsi_dma_unmap(cmd);
	else
		dma_unmap_page(dev, sg_dma_address(sg), sg->length,
			       cmd->sc_data_direction);
}

/*
 * Everything in struct isp_cmd is written before it is read. That there is
 * this function keeps the midlayer from clearing it for each command.
 */
static int isp_init_cmd(struct Scsi_Host *shost, struct scsi_cmnd *cmd)
{
	return 0;
}

/* A command leaves without the card having seen it. */
static int isp_finish(struct isp_hba *hba, struct scsi_cmnd *cmd, int result)
{
	/* It may be the last of a batch whose others wait for the doorbell. */
	if (cmd->flags & SCMD_LAST)
		isp_queue_commit(&hba->q);
	cmd->result = result;
	scsi_done(cmd);
	return 0;
}

/* A command cannot be taken now: @why is SCSI_MLQUEUE_*_BUSY. */
static int isp_busy(struct isp_hba *hba, struct scsi_cmnd *cmd, int why)
{
	if (cmd->flags & SCMD_LAST)
		isp_queue_commit(&hba->q);
	return why;
}

/*
 * Discovery is about to look at the port. The command is rather held back here
 * than sent to fail, which uses up its retries, but not for ever.
 */
static int isp_hold(struct isp_hba *hba, struct scsi_cmnd *cmd)
{
	if (likely(!isp_hold_over(&hba->fab)))
		return isp_busy(hba, cmd, SCSI_MLQUEUE_TARGET_BUSY);
	return isp_finish(hba, cmd, READ_ONCE(hba->fab.enabled) ?
			  DID_TRANSPORT_DISRUPTED << 16 : DID_NO_CONNECT << 16);
}

/*
 * The queue did not take the command: find out whether it is to fail or to be
 * tried again, and how soon. Not inlined, as it hardly ever happens.
 */
static noinline int isp_not_sent(struct scsi_cmnd *cmd, int why)
{
	struct isp_hba *hba = isp_cmd_hba(cmd);
	struct fc_rport *rport = starget_to_rport(scsi_target(cmd->device));
	int ret = fc_remote_port_chkready(rport);

	isp_unmap(hba->hw.dev, cmd);
	if (ret)
		return isp_finish(hba, cmd, ret);
	if (isp_hba_state(hba) == ISP_DEAD)
		return isp_finish(hba, cmd, DID_NO_CONNECT << 16);
	if (why == -ENOTCONN)
		return isp_hold(hba, cmd);
	return isp_busy(hba, cmd, SCSI_MLQUEUE_HOST_BUSY);
}

/* Does a command that is with the card count on an interrupt? */
static bool isp_is_loud(struct scsi_cmnd *cmd, void *priv)
{
	bool *loud = priv;

	*loud = !(scsi_cmd_to_rq(cmd)->cmd_flags & REQ_POLLED);
	return !*loud;
}

/* Somebody polls. Not inlined, as it hardly ever changes anything. */
static noinline void isp_want_quiet(struct Scsi_Host *shost)
{
	struct isp_hba *hba = shost_priv(shost);
	bool loud = false;

	if (!isp_quiet_begin(&hba->hw))
		return;
	scsi_host_busy_iter(shost, isp_is_loud, &loud);
	if (loud)
		isp_quiet_end(&hba->hw);
}

/*
 * A command is about to be sent; will somebody poll for it? Looked at without
 * a lock: at worst a command that nobody polls for is sent as a quiet time
 * begins, and comes back when that ends.
 */
static void isp_want(struct Scsi_Host *shost, bool polled)
{
	struct isp_hba *hba = shost_priv(shost);
	enum isp_quiet_for quiet = isp_quiet(&hba->hw);

	if (polled && quiet == ISP_QUIET_NOBODY)
		isp_want_quiet(shost);
	else if (!polled && quiet == ISP_QUIET_POLLERS)
		isp_quiet_end(&hba->hw);
}

/*
 * Whether the card interrupts is not what the command wants, or interrupts are
 * moderated. Not inlined, as this is rare, or saves more than it costs.
 */
static noinline int isp_submit_quiet(struct Scsi_Host *shost,
				     struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = shost_priv(shost);
	struct request *req = scsi_cmd_to_rq(cmd);
	int last = cmd->flags & SCMD_LAST;
	int ret;

	isp_want(shost, req->cmd_flags & REQ_POLLED);
	ret = isp_queue_submit(&hba->q, req->tag, &isp_scsi_cmd(cmd)->rq, last);
	/* From here on the command may have ended. */
	if (!ret && last)
		isp_moderate_sent(&hba->q);
	return ret;
}

static ISP_QC_STATUS isp_queuecommand(struct Scsi_Host *shost, struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = shost_priv(shost);
	struct isp_cmd *priv = isp_scsi_cmd(cmd);
	struct request *req = scsi_cmd_to_rq(cmd);
	const struct isp_port *port = READ_ONCE(cmd->device->hostdata);
	int nseg, ret;

	priv->rq.nexus = &port->nexus;
	priv->rq.lun = cmd->device->lun;
	priv->rq.cdb = cmd->cmnd;
	priv->rq.sg = scsi_sglist(cmd);
	/* Sense must not wait behind the commands that caused it. */
	priv->rq.head = cmd->cmnd[0] == REQUEST_SENSE;
	nseg = isp_map(hba->hw.dev, cmd);
	if (unlikely(nseg < 0))
		return isp_busy(hba, cmd, SCSI_MLQUEUE_HOST_BUSY);
	priv->rq.nseg = nseg;
	priv->rq.bytes = nseg ? scsi_bufflen(cmd) : 0;
	/* The midlayer calls no data DMA_NONE or DMA_BIDIRECTIONAL. */
	priv->rq.dir = nseg ? cmd->sc_data_direction : ISP_DIR_NONE;
	/* Interrupts are as the command wants them: most of the time. */
	if (unlikely(isp_quiet(&hba->hw) != !!(req->cmd_flags & REQ_POLLED)))
		ret = isp_submit_quiet(shost, cmd);
	else
		ret = isp_queue_submit(&hba->q, req->tag, &priv->rq,
				       cmd->flags & SCMD_LAST);
	return likely(!ret) ? 0 : isp_not_sent(cmd, ret);
}

static void isp_commit_rqs(struct Scsi_Host *shost, u16 hwq)
{
	struct isp_hba *hba = shost_priv(shost);

	isp_queue_commit(&hba->q);
	isp_moderate_sent(&hba->q);
}

/*
 * The block layer frees a polled bio where its poller does, so it must not end
 * in interrupt (bio_put()). The interrupt handler finds polled commands when
 * the ring is mixed, or a quiet time has just ended.
 */
static noinline void isp_end_late(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = isp_cmd_hba(cmd);
	struct isp_cmd *priv = isp_scsi_cmd(cmd);

	llist_add(&priv->late, &hba->late);
	kblockd_schedule_work(&hba->late_work);
}

/* Give back what the interrupt handler found; returns how many. */
static noinline unsigned int isp_give_late(struct isp_hba *hba)
{
	struct isp_cmd *priv, *next;
	unsigned int n = 0;

	/* llist_del_all() is the barrier that isp_settle() relies on. */
	atomic_inc(&hba->late_busy);
	llist_for_each_entry_safe(priv, next, llist_del_all(&hba->late), late) {
		scsi_done(isp_cmd_scsi(priv));
		n++;
	}
	atomic_dec_return_release(&hba->late_busy);
	return n;
}

static void isp_late_work(struct work_struct *work)
{
	isp_give_late(container_of(work, struct isp_hba, late_work));
}

/* struct isp_queue_ops: settle. */
static void isp_settle(struct isp_queue *q)
{
	struct isp_hba *hba = container_of(q, struct isp_hba, q);

	flush_work(&hba->late_work);
	/* What the work did not find any more, a poller is giving back. */
	while (atomic_read_acquire(&hba->late_busy))
		usleep_range(10, 50);
}

static int __maybe_unused isp_mq_poll(struct Scsi_Host *shost, unsigned int hwq)
{
	struct isp_hba *hba = shost_priv(shost);
	unsigned int n = 0;

	/* Again, if a quiet time has ended since the command was sent. */
	isp_want(shost, true);
	/* The work item may have to wait until the poller leaves the CPU. */
	if (unlikely(!llist_empty(&hba->late)))
		n = isp_give_late(hba);
	return n + isp_queue_poll(&hba->q);
}

/*
 * The card has one ring, which all hardware contexts share; they differ in
 * who looks for the completions.
 */
static ISP_MAP_QUEUES_TYPE isp_map_queues(struct Scsi_Host *shost)
{
	static const unsigned int hwqs[HCTX_MAX_TYPES] = {
		[HCTX_TYPE_DEFAULT]	= 1,
		[HCTX_TYPE_POLL]	= 1,
	};
	struct blk_mq_queue_map *map;
	unsigned int type, at = 0;

	for (type = 0; type < isp_nr_maps(shost); type++) {
		map = &shost->tag_set.map[type];
		map->nr_queues = hwqs[type];
		map->queue_offset = at;
		at += map->nr_queues;
		if (map->nr_queues)
			blk_mq_map_queues(map);
	}
	return ISP_MAP_QUEUES_OK;
}

/* ---- Completion -------------------------------------------------------- */

/*
 * The LUNs above the limit stay away silently for all but the midlayer; say
 * which port has them and what to do.
 */
static noinline void isp_check_report_luns(struct scsi_cmnd *cmd)
{
	struct isp_hba *hba = isp_cmd_hba(cmd);
	const struct isp_port *port = cmd->device->hostdata;
	unsigned int have = scsi_bufflen(cmd) - scsi_get_resid(cmd);
	unsigned int off, over = 0;
	struct scsi_lun lun;

	/* The midlayer asks for 4 KiB; whoever asks for more knows what for. */
	have = min_t(unsigned int, have, ISP_REPORT_LUNS_MAX);
	for (off = 8; off + sizeof(lun) <= have; off += sizeof(lun)) {
		sg_pcopy_to_buffer(scsi_sglist(cmd), scsi_sg_count(cmd), &lun,
				   sizeof(lun), off);
		over += scsilun_to_int(&lun) > hba->shost->max_lun;
	}
	if (over)
		dev_warn_ratelimited(hba->hw.dev, "port %016llx has %u LUNs above %llu, which are not attached: see parameter max_lun, or renumber them\n",
				     port->info.wwpn, over,
				     hba->shost->max_lun);
}

/* The byte count that came back cannot be true, or data got lost. */
static int isp_bad_count(struct isp_hba *hba, struct scsi_cmnd *cmd,
			 const struct isp_status *st, const char *what)
{
	dev_err_ratelimited(hba->hw.dev, "command %02xh for %u bytes ended with %s, residual %u: check cabling and target if this goes on\n",
			    cmd->cmnd[0], scsi_bufflen(cmd), what, st->resid);
	return DID_ERROR << 16 | st->scsi;
}

/* Fewer bytes than asked for, and the target says so too. */
static int isp_underrun(struct isp_hba *hba, struct scsi_cmnd *cmd,
			const struct isp_status *st)
{
	unsigned int len = scsi_bufflen(cmd);

	if (st->resid > len)
		return isp_bad_count(hba, cmd, st, "an impossible underrun");
	scsi_set_resid(cmd, st->resid);
	if (!st->scsi && len - st->resid < cmd->underflow)
		return DID_ERROR << 16;
	return st->scsi;
}

static int isp_result_ended(struct isp_hba *hba, struct scsi_cmnd *cmd,
			    const struct isp_status *st)
{
	if (st->rsp_code)
		return DID_BUS_BUSY << 16;
	switch (st->comp) {
	case ISP_CS_QUEUE_FULL:
		return SAM_STAT_TASK_SET_FULL;
	case ISP_CS_UNDERRUN:
		if (st->resid_under)
			return isp_underrun(hba, cmd, st);
		/* A busy target moves nothing and counts nothing. */
		if (st->scsi == SAM_STAT_BUSY ||
		    st->scsi == SAM_STAT_TASK_SET_FULL)
			return st->scsi;
		/* The target believes to have sent it all. */
		return isp_bad_count(hba, cmd, st, "frames lost");
	default:
		if (st->resid_under)
			return isp_underrun(hba, cmd, st);
		if (!st->resid_over && st->comp != ISP_CS_OVERRUN)
			return st->scsi;
		/* With a status of its own, that is what counts. */
		return st->scsi ?: isp_bad_count(hba, cmd, st, "an overrun");
	}
}

/* Translates a completion status; what concerns the port is passed on. */
static int isp_result(struct isp_hba *hba, struct scsi_cmnd *cmd,
		      const struct isp_status *st)
{
	switch (st->comp) {
	case ISP_CS_COMPLETE:
	case ISP_CS_QUEUE_FULL:
	case ISP_CS_UNDERRUN:
	case ISP_CS_OVERRUN:
		return isp_result_ended(hba, cmd, st);
	case ISP_CS_ABORTED:
	case ISP_CS_HOST_RESET:
		return DID_RESET << 16;
	case ISP_CS_HOST_DEAD:
		return DID_NO_CONNECT << 16;
	case ISP_CS_NO_ROOM:
		return SAM_STAT_BUSY;
	case ISP_CS_TIMEOUT:
		if (!st->logged_out)
			return DID_TRANSPORT_DISRUPTED << 16;
		fallthrough;
	case ISP_CS_PORT_UNAVAILABLE:
	case ISP_CS_PORT_LOGGED_OUT:
	case ISP_CS_PORT_CHANGED:
	case ISP_CS_PORT_BUSY:
	case ISP_CS_INCOMPLETE:
	case ISP_CS_RESET:
		isp_fabric_port_trouble(&hba->fab, cmd->device->hostdata);
		return DID_TRANSPORT_DISRUPTED << 16;
	default:
		dev_err_ratelimited(hba->hw.dev, "command %02xh failed with completion status %02xh: check cabling and target if this goes on\n",
				    cmd->cmnd[0], st->comp);
		return DID_ERROR << 16;
	}
}

/* Not inlined, so that the frame of the common case stays small. */
static noinline int isp_ended_badly(struct scsi_cmnd *cmd,
				    const struct isp_status *st)
{
	if (st->scsi == SAM_STAT_CHECK_CONDITION && st->sense_len)
		memcpy(cmd->sense_buffer, st->sense,
		       min_t(u16, st->sense_len, SCSI_SENSE_BUFFERSIZE));
	return isp_result(isp_cmd_hba(cmd), cmd, st);
}

/* struct isp_queue_ops: done. */
static void isp_done(struct isp_queue *q, struct isp_request *rq,
		     const struct isp_status *st)
{
	struct isp_cmd *priv = container_of(rq, struct isp_cmd, rq);
	struct scsi_cmnd *cmd = isp_cmd_scsi(priv);

	isp_unmap(q->hw->dev, cmd);
	cmd->result = likely(!st) ? 0 : isp_ended_badly(cmd, st);
	if (unlikely(cmd->cmnd[0] == REPORT_LUNS && !cmd->result))
		isp_check_report_luns(cmd);
	if (unlikely(scsi_cmd_to_rq(cmd)->cmd_flags & REQ_POLLED) &&
	    in_interrupt())
		isp_end_late(cmd);
	else
		scsi_done(cmd);
}

const struct isp_queue_ops isp_scsi_queue_ops = {
	.done	= isp_done,
	.settle	= isp_settle,
};

static void isp_block(struct Scsi_Host *shost, bool block)
{
	if (block)
		scsi_block_requests(shost);
	else
		scsi_unblock_requests(shost);
}

const struct isp_hba_ops isp_scsi_hba_ops = {
	.block	= isp_block,
};

/* ---- Devices and host -------------------------------------------------- */

static int isp_sdev_init(struct scsi_device *sdev)
{
	struct fc_rport *rport = starget_to_rport(scsi_target(sdev));
	struct isp_port *port;

	if (!rport || fc_remote_port_chkready(rport))
		return -ENXIO;
	do {
		port = isp_rport_port(rport);
		WRITE_ONCE(sdev->hostdata, port);
		/* Pairs with rport_set_port(), which may give it to another. */
		smp_mb();
	} while (port != isp_rport_port(rport));
	return port ? 0 : -ENXIO;
}

/* The scan is over when the ports are known; their LUNs come by themselves. */
static int isp_scan_finished(struct Scsi_Host *shost, unsigned long time)
{
	struct isp_hba *hba = shost_priv(shost);

	return READ_ONCE(hba->fab.settled) || time > ISP_SCAN_MAX_S * HZ ||
	       isp_hba_state(hba) == ISP_DEAD;
}

static const char *isp_info(struct Scsi_Host *shost)
{
	struct isp_hba *hba = shost_priv(shost);

	return hba->hw.chip->name;
}

static ISP_CONST_SHT struct scsi_host_template isp_template = {
	.module				= THIS_MODULE,
	.name				= "qla_isp",
	.proc_name			= "qla_isp",
	.info				= isp_info,
	.queuecommand			= isp_queuecommand,
	.commit_rqs			= isp_commit_rqs,
	.map_queues			= isp_map_queues,
	ISP_MQ_POLL(isp_mq_poll)
	.eh_timed_out			= fc_eh_timed_out,
	.eh_abort_handler		= isp_eh_abort,
	.eh_device_reset_handler	= isp_eh_device_reset,
	.eh_target_reset_handler	= isp_eh_target_reset,
	.eh_bus_reset_handler		= isp_eh_bus_reset,
	.eh_host_reset_handler		= isp_eh_host_reset,
	.host_reset			= isp_eh_asked_reset,
	.cmd_size			= sizeof(struct isp_cmd),
	.init_cmd_priv			= isp_init_cmd,
	.sdev_init			= isp_sdev_init,
	.scan_finished			= isp_scan_finished,
	.change_queue_depth		= scsi_change_queue_depth,
	.track_queue_depth		= 1,
	.skip_settle_delay		= 1,
	.this_id			= -1,
	.sg_tablesize			= ISP_SG_MAX,
	.max_sectors			= ISP_SECTORS_MAX,
	.supported_mode			= MODE_INITIATOR,
	.shost_groups			= isp_shost_groups,
};

/**
 * isp_scsi_alloc() - allocate an adapter with its SCSI host
 * @transport: from isp_rport_attach()
 *
 * Return: the adapter, zeroed but for its shost, or NULL.
 */
struct isp_hba *isp_scsi_alloc(struct scsi_transport_template *transport)
{
	struct Scsi_Host *shost;
	struct isp_hba *hba;

	shost = scsi_host_alloc(&isp_template, sizeof(*hba));
	if (!shost)
		return NULL;
	shost->transportt = transport;
	hba = shost_priv(shost);
	hba->shost = shost;
	init_llist_head(&hba->late);
	INIT_WORK(&hba->late_work, isp_late_work);
	return hba;
}

/**
 * isp_scsi_add() - register an adapter's SCSI host
 * @hba: adapter whose firmware runs, so that its limits are known
 * @limits: the user's
 *
 * Return: 0 or a negative errno.
 */
int isp_scsi_add(struct isp_hba *hba, const struct isp_limits *limits)
{
	struct Scsi_Host *shost = hba->shost;
	unsigned int commands = limits->max_commands;
	int ret;

	hba->hw.fw_limits = hba->hw.fw_commands &&
			    hba->hw.fw_commands < commands;
	if (hba->hw.fw_limits)
		commands = hba->hw.fw_commands;
	shost->can_queue = commands;
	shost->cmd_per_lun = min(limits->queue_depth, commands);
	shost->max_id = ISP_PORTS_MAX;
	shost->max_lun = limits->max_lun;
	if (!(hba->hw.fw_attr & ISP_FWA_EXT_LUN))
		shost->max_lun = min_t(u64, shost->max_lun, 255);
	shost->max_cmd_len = 16;
	shost->unique_id = shost->host_no;
	if (limits->poll_queues) {
		shost->nr_hw_queues = 1 + limits->poll_queues;
		isp_set_nr_maps(shost, HCTX_MAX_TYPES);
		/* One tag, one slot, whichever context it comes from. */
		shost->host_tagset = 1;
	}
	ret = isp_queue_set_slots(&hba->q, commands);
	if (ret)
		return ret;
	isp_moderate_set(&hba->q, &limits->moderation_us,
			 &limits->moderation_depth);
	ret = scsi_add_host(shost, hba->hw.dev);
	if (ret)
		return ret;
	/* Short of memory, the class leaves its part undone and says nothing. */
	if (!fc_host_work_q(shost)) {
		scsi_remove_host(shost);
		return -ENOMEM;
	}
	if (limits->dev_loss_tmo)
		fc_host_dev_loss_tmo(shost) = limits->dev_loss_tmo;
	return 0;
}

/**
 * isp_scsi_remove() - take an adapter's SCSI host down
 * @hba: adapter after isp_scsi_add(), still working unless it is gone
 *
 * Context: process; sleeps.
 */
void isp_scsi_remove(struct isp_hba *hba)
{
	/* So that no port is held back and its devices can flush their caches. */
	isp_fabric_settle(&hba->fab, REMOVE_WAIT_MS);
	isp_fabric_stop(&hba->fab);
	isp_rport_remove_targets(&hba->fab);
	fc_remove_host(hba->shost);
	scsi_remove_host(hba->shost);
	flush_work(&hba->late_work);
}
