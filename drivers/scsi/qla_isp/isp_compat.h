/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions, and nothing else.
 *
 * The driver is written for the newest kernel interface; what an older
 * kernel lacks or names otherwise is made up for here. ISP_KERNEL comes from
 * Kbuild: version * 1000 + patch level.
 */
#ifndef ISP_COMPAT_H
#define ISP_COMPAT_H

/* 6.12: unaligned.h moved from asm to linux. */
#if ISP_KERNEL >= 6012
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif
#include <linux/blk-mq.h>
#include <linux/pm.h>
#include <scsi/scsi.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_host.h>

/* 7.0: queuecommand() returns an enum, whose values were macros before. */
#ifdef SCSI_MLQUEUE_HOST_BUSY
#define ISP_QC_STATUS		int
#else
#define ISP_QC_STATUS		enum scsi_qc_status
#endif

/* 6.2 (and stable releases before): del_timer_sync() became timer_delete_sync(). */
#if ISP_KERNEL < 6002
#define timer_delete_sync	del_timer_sync
#endif

/* 6.4: scsi_host_alloc() takes a const template. */
#if ISP_KERNEL < 6004
#define ISP_CONST_SHT
#else
#define ISP_CONST_SHT		const
#endif

/* 6.16: from_timer() became timer_container_of(). */
#if ISP_KERNEL < 6016
#define timer_container_of	from_timer
#endif

/* 6.14: slave_alloc() became sdev_init(). */
#if ISP_KERNEL < 6014
#define sdev_init		slave_alloc
#endif

/* 6.13: a timer is set up with its function. */
#if ISP_KERNEL < 6013
#define hrtimer_setup(timer, fn, clock, mode)				\
do {									\
	struct hrtimer *__timer = (timer);				\
									\
	hrtimer_init(__timer, clock, mode);				\
	__timer->function = (fn);					\
} while (0)
#endif

/* 6.1: map_queues() returns nothing. */
#if ISP_KERNEL < 6001
#define ISP_MAP_QUEUES_TYPE	int
#define ISP_MAP_QUEUES_OK	0
#else
#define ISP_MAP_QUEUES_TYPE	void
#define ISP_MAP_QUEUES_OK
#endif

/* 6.0: who walks through a host's commands is not told whether they are reserved. */
#if ISP_KERNEL < 6000
struct isp_busy_iter {
	bool (*fn)(struct scsi_cmnd *cmd, void *priv);
	void *priv;
};

static inline bool isp_busy_iter_one(struct scsi_cmnd *cmd, void *data,
				     bool reserved)
{
	struct isp_busy_iter *iter = data;

	return iter->fn(cmd, iter->priv);
}

static inline void isp_busy_iter(struct Scsi_Host *shost,
				 bool (*fn)(struct scsi_cmnd *cmd, void *priv),
				 void *priv)
{
	struct isp_busy_iter iter = { fn, priv };

	scsi_host_busy_iter(shost, isp_busy_iter_one, &iter);
}

#define scsi_host_busy_iter	isp_busy_iter
#endif

/* 5.17 (and stable releases before): callbacks for kernels that sleep. */
#ifndef pm_sleep_ptr
#define pm_sleep_ptr(ptr)	(IS_ENABLED(CONFIG_PM_SLEEP) ? (ptr) : NULL)
#endif

/* 5.16: a host's attributes come in groups, no longer as a plain list. */
#if ISP_KERNEL < 5016
#define shost_groups		shost_attrs
#define ISP_SHOST_GROUP		struct device_attribute
#define ISP_SHOST_ATTR(name)	(&dev_attr_##name)
#define ISP_SHOST_GROUPS(...)						\
	struct device_attribute *isp_shost_groups[] = { __VA_ARGS__, NULL }
#else
#define ISP_SHOST_GROUP		const struct attribute_group
#define ISP_SHOST_ATTR(name)	(&dev_attr_##name.attr)
#define ISP_SHOST_GROUPS(...)						\
	static struct attribute *isp_shost_attrs[] = { __VA_ARGS__, NULL }; \
	static const struct attribute_group isp_shost_group = {		\
		.attrs = isp_shost_attrs,				\
	};								\
	const struct attribute_group *isp_shost_groups[] = {		\
		&isp_shost_group, NULL					\
	}
#endif

/* 5.16: REQ_HIPRI became REQ_POLLED. */
#if ISP_KERNEL < 5016
#define REQ_POLLED		REQ_HIPRI
#endif

/* 5.16: scsi_done() is a function, no longer a pointer in the command. */
#if ISP_KERNEL < 5016
static inline void scsi_done(struct scsi_cmnd *cmd)
{
	cmd->scsi_done(cmd);
}
#endif

/* 5.15 (and stable releases before): the request is found by arithmetic. */
#if ISP_KERNEL < 5015
#define scsi_cmd_to_rq(cmd)	blk_mq_rq_from_pdu(cmd)
#endif

/* 5.14: 16 bits of a number, as 32 bits have long been. */
#if ISP_KERNEL < 5014
#define upper_16_bits(n)	((u16)((n) >> 16))
#define lower_16_bits(n)	((u16)((n) & 0xffff))
#endif

/* 5.13: a host may have queues of several types, and polled ones among them. */
#if ISP_KERNEL < 5013
#define ISP_MQ_POLL(poll)
#define ISP_HAS_POLL_QUEUES	false
static inline unsigned int isp_nr_maps(const struct Scsi_Host *shost)
{
	return 1;
}

static inline void isp_set_nr_maps(struct Scsi_Host *shost, unsigned int nr)
{
}
#else
#define ISP_MQ_POLL(poll)	.mq_poll = (poll),
#define ISP_HAS_POLL_QUEUES	true
static inline unsigned int isp_nr_maps(const struct Scsi_Host *shost)
{
	return shost->nr_maps;
}

static inline void isp_set_nr_maps(struct Scsi_Host *shost, unsigned int nr)
{
	shost->nr_maps = nr;
}
#endif

#endif /* ISP_COMPAT_H */
