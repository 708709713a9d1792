/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions, and nothing else.
 *
 * isp_floor is written for the newest kernel interface; what an older kernel
 * lacks or names otherwise is made up for here. FLOOR_KERNEL comes from
 * Kbuild: version * 1000 + patch level.
 */
#ifndef FLOOR_COMPAT_H
#define FLOOR_COMPAT_H

/* 6.12: unaligned.h moved from asm to linux. */
#if FLOOR_KERNEL >= 6012
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif
#include <linux/blk-mq.h>
#include <linux/bottom_half.h>
#include <scsi/scsi.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_host.h>

/* 7.0: queuecommand() returns an enum, whose values were macros before. */
#ifdef SCSI_MLQUEUE_HOST_BUSY
#define FLOOR_QC_STATUS		int
#else
#define FLOOR_QC_STATUS		enum scsi_qc_status
#endif

/* 6.4: scsi_host_alloc() takes a const template. */
#if FLOOR_KERNEL < 6004
#define FLOOR_CONST_SHT
#else
#define FLOOR_CONST_SHT		const
#endif

/* 6.14: slave_alloc() became sdev_init(). */
#if FLOOR_KERNEL < 6014
#define sdev_init		slave_alloc
#endif

/* 6.1: map_queues() returns nothing. */
#if FLOOR_KERNEL < 6001
static void floor_map_queues(struct Scsi_Host *shost);

static inline int floor_map_queues_int(struct Scsi_Host *shost)
{
	floor_map_queues(shost);
	return 0;
}

#define FLOOR_MAP_QUEUES	floor_map_queues_int
#else
#define FLOOR_MAP_QUEUES	floor_map_queues
#endif

/* 6.0: scsi_done_direct() completes in the caller's context. */
#if FLOOR_KERNEL < 6000
#define FLOOR_HAS_DIRECT	false
#define scsi_done_direct(cmd)	scsi_done(cmd)
#else
#define FLOOR_HAS_DIRECT	true
#endif

/* 5.16: scsi_done() is a function, no longer a pointer in the command. */
#if FLOOR_KERNEL < 5016
static inline void scsi_done(struct scsi_cmnd *cmd)
{
	cmd->scsi_done(cmd);
}
#endif

/* 5.16: REQ_HIPRI became REQ_POLLED. */
#if FLOOR_KERNEL < 5016
#define REQ_POLLED		REQ_HIPRI
#endif

/* 5.15 (and stable releases before): the request is found by arithmetic. */
#if FLOOR_KERNEL < 5015
#define scsi_cmd_to_rq(cmd)	blk_mq_rq_from_pdu(cmd)
#endif

/* 5.14: scsi_build_sense() sets status and sense, no driver byte is left. */
#if FLOOR_KERNEL < 5014
static inline void scsi_build_sense(struct scsi_cmnd *cmd, int desc, u8 key,
				    u8 asc, u8 ascq)
{
	scsi_build_sense_buffer(desc, cmd->sense_buffer, key, asc, ascq);
	cmd->result = (DRIVER_SENSE << 24) | SAM_STAT_CHECK_CONDITION;
}
#endif

/* 5.13: a host may have queues of several types, and polled ones among them. */
#if FLOOR_KERNEL < 5013
#define FLOOR_MQ_POLL(poll)
#define FLOOR_POLL_QUEUES_MAX	0
static inline void floor_set_nr_maps(struct Scsi_Host *shost, unsigned int nr)
{
}
#else
#define FLOOR_MQ_POLL(poll)	.mq_poll = (poll),
#define FLOOR_POLL_QUEUES_MAX	nr_cpu_ids
static inline void floor_set_nr_maps(struct Scsi_Host *shost, unsigned int nr)
{
	shost->nr_maps = nr;
}
#endif

#endif /* FLOOR_COMPAT_H */
