/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 5: the SCSI midlayer's side.
 */
#ifndef ISP_SCSI_H
#define ISP_SCSI_H

#include <linux/llist.h>
#include <scsi/scsi_cmnd.h>

#include "isp_compat.h"
#include "isp_hba.h"

/**
 * struct isp_limits - what the module's parameters ask for, in range
 * @max_lun: highest LUN to attach
 * @queue_depth: commands per LUN
 * @max_commands: commands per adapter
 * @poll_queues: queues for polled I/O
 * @moderation_us: moderation of interrupts: period of its timer; 0: none
 * @moderation_depth: ... and how many commands must be with the card
 * @dev_loss_tmo: how long a lost port is waited for, s; 0: as the transport
 *	class has it
 */
struct isp_limits {
	unsigned int max_lun;
	unsigned int queue_depth;
	unsigned int max_commands;
	unsigned int poll_queues;
	unsigned int moderation_us;
	unsigned int moderation_depth;
	unsigned int dev_loss_tmo;
};

/**
 * struct isp_cmd - this driver's own part of a command, behind it in memory
 * @rq: the command for the floors below
 * @late: in isp_hba.late
 */
struct isp_cmd {
	struct isp_request rq;
	struct llist_node late;
};

static inline struct isp_cmd *isp_scsi_cmd(struct scsi_cmnd *cmd)
{
	return scsi_cmd_priv(cmd);
}

/* isp_scsi.c */
struct isp_hba *isp_scsi_alloc(struct scsi_transport_template *transport);
int isp_scsi_add(struct isp_hba *hba, const struct isp_limits *limits);
void isp_scsi_remove(struct isp_hba *hba);
extern const struct isp_queue_ops isp_scsi_queue_ops;
extern const struct isp_hba_ops isp_scsi_hba_ops;

/* isp_eh.c */
int isp_eh_abort(struct scsi_cmnd *cmd);
int isp_eh_device_reset(struct scsi_cmnd *cmd);
int isp_eh_target_reset(struct scsi_cmnd *cmd);
int isp_eh_bus_reset(struct scsi_cmnd *cmd);
int isp_eh_host_reset(struct scsi_cmnd *cmd);
int isp_eh_asked_reset(struct Scsi_Host *shost, int type);

/* isp_sysfs.c */
extern ISP_SHOST_GROUP *isp_shost_groups[];

#endif /* ISP_SCSI_H */
