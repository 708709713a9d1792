/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One host bus adapter: the floors put together, its state, its bring-up and
 * its recovery.
 */
#ifndef ISP_HBA_H
#define ISP_HBA_H

#include <linux/llist.h>
#include <linux/workqueue.h>

#include "isp_fabric.h"
#include "isp_queue.h"

#define ISP_VERSION		"0.1.0"

/*
 * State of the card. Changed by isp_hba_set_state() alone, under state_lock.
 *
 *  state     meaning                               commands are
 *  --------  ------------------------------------  ---------------------
 *  COLD      not yet brought up                    refused, busy
 *  STARTING  being reset, loaded and initialized   refused, busy
 *  UP        firmware runs, rings live             taken
 *  FAULT     failed; recovery is queued            refused, busy
 *  ASLEEP    reset, while the system sleeps        refused, busy
 *  DEAD      gone, given up, or being removed      ended, DID_NO_CONNECT
 *
 *  from      to        when
 *  --------  --------  -------------------------------------------------
 *  COLD      STARTING  probe
 *  STARTING  UP        the firmware is initialized
 *  STARTING  FAULT     the card failed on the way
 *  UP        FAULT     the card failed, or a host reset was asked for
 *  FAULT     STARTING  recovery makes an attempt
 *  UP        ASLEEP    the system goes to sleep
 *  ASLEEP    FAULT     it wakes up, which is the work of recovery
 *  any       DEAD      too many attempts, card gone, driver removed
 */
enum isp_state {
	ISP_COLD,
	ISP_STARTING,
	ISP_UP,
	ISP_FAULT,
	ISP_ASLEEP,
	ISP_DEAD,
};

/*
 * Given up is a card that so many resets in a row do not bring back; one that
 * fails again so many times without having served some commands, or having
 * run for some time, in between; and one that, whatever it serves, needs so
 * many resets within that time.
 */
#define ISP_ATTEMPTS_MAX	3
#define ISP_RESETS_MAX		5
#define ISP_HEALTHY_ENTRIES	32
#define ISP_BURST_MAX		60
#define ISP_HEALTHY_S		60

/**
 * struct isp_hba_ops - how an adapter speaks to the SCSI floor
 * @block: hold commands back (true) or let them go (false)
 */
struct isp_hba_ops {
	void (*block)(struct Scsi_Host *shost, bool block);
};

/**
 * struct isp_hba - one adapter; lives in its Scsi_Host
 * @hw: floors 0 to 2
 * @q: floor 3
 * @fab: floor 4
 * @shost: floor 5
 * @late: polled commands that ended in interrupt, for floor 5
 * @late_busy: so many are giving some of them back
 * @late_work: gives them back, if no poller comes first
 * @ops: calls upwards
 * @state_lock: guards @state and @recoverable
 * @state: enum isp_state
 * @recoverable: probe is through, so a fault is answered with a reset
 * @asked: 1 if the reset under way was asked for, or follows a sleep: the card
 *	is not to blame
 * @resets: attempts to reset a card at fault since the last time of health
 * @burst: such attempts since @burst_since
 * @burst_since: when @burst was last 0, jiffies
 * @resets_total: attempts to reset the card since the driver has it
 * @up_since: when the card last came up, jiffies
 * @wq: serves @recover
 * @recover: recovery work
 * @debugfs: its folder there
 */
struct isp_hba {
	struct isp_hw hw;
	struct isp_queue q;
	struct isp_fabric fab;
	struct Scsi_Host *shost;
	struct llist_head late;
	atomic_t late_busy;
	struct work_struct late_work;
	const struct isp_hba_ops *ops;
	spinlock_t state_lock;		/* state, recoverable */
	enum isp_state state;
	bool recoverable;
	int asked;
	unsigned int resets;
	unsigned int burst;
	unsigned long burst_since;
	unsigned int resets_total;
	unsigned long up_since;
	struct workqueue_struct *wq;
	struct work_struct recover;
	struct dentry *debugfs;
};

int isp_hba_init(struct isp_hba *hba, const struct isp_queue_ops *qops,
		 const struct isp_hba_ops *ops);
int isp_hba_start(struct isp_hba *hba, bool failed);
int isp_hba_go(struct isp_hba *hba);
void isp_hba_enable_recovery(struct isp_hba *hba);
int isp_hba_wait_recovery(struct isp_hba *hba);
int isp_hba_reset(struct isp_hba *hba, const char *why);
int isp_hba_sleep(struct isp_hba *hba);
int isp_hba_wake(struct isp_hba *hba);
void isp_hba_kill(struct isp_hba *hba);
void isp_hba_exit(struct isp_hba *hba);

/* isp_debugfs.c */
#ifdef CONFIG_DEBUG_FS
void isp_debugfs_init(void);
void isp_debugfs_exit(void);
void isp_debugfs_add(struct isp_hba *hba);
void isp_debugfs_remove(struct isp_hba *hba);
#else
static inline void isp_debugfs_init(void) { }
static inline void isp_debugfs_exit(void) { }
static inline void isp_debugfs_add(struct isp_hba *hba) { }
static inline void isp_debugfs_remove(struct isp_hba *hba) { }
#endif

static inline enum isp_state isp_hba_state(const struct isp_hba *hba)
{
	return READ_ONCE(hba->state);
}

#endif /* ISP_HBA_H */
