/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 4: the link, the ports on it, and what the transport class knows of
 * them.
 */
#ifndef ISP_FABRIC_H
#define ISP_FABRIC_H

#include <linux/bitmap.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <scsi/scsi_transport_fc.h>

#include "isp_ct.h"
#include "isp_queue.h"

/*
 * State of the link. Changed by link_set_state() alone, under isp_fabric.lock.
 *
 *  state  meaning
 *  -----  --------------------------------------------------------------
 *  DOWN   no loop, or the card is dead: all ports are lost
 *  INIT   loop initialization or discovery under way
 *  READY  the port list is what the firmware's port database says
 *
 *  event          from         to     and discovery runs
 *  -------------  -----------  -----  --------------------------------
 *  LOOP_UP        any          INIT   now
 *  PORTS_CHANGED  any          INIT   now
 *  STATE_CHANGE   INIT, READY  INIT   now, of the ports concerned
 *  LIP, LIP_RESET INIT, READY  INIT   when the next event comes, or in 1 s
 *  LOOP_DOWN      any          DOWN   now, to take the ports away
 *  card reset     INIT, READY  INIT   when the next event comes, or in 1 s
 *  card dead      any          DOWN   now, to take the ports away for good
 *  (the firmware, asked then, says that the loop is up: DOWN to INIT)
 *  discovery done INIT         READY  (if no event came meanwhile)
 */
enum isp_link {
	ISP_LINK_DOWN,
	ISP_LINK_INIT,
	ISP_LINK_READY,
};

/*
 * State of a remote port. Beside it, isp_nexus.epoch holds commands back from
 * the moment that something is known to be wrong until discovery has looked.
 * Changed by port_set_state() alone, in discovery.
 *
 *  state   meaning                          transport class
 *  ------  -------------------------------  ---------------------------
 *  NEW     just found                       does not know it
 *  ONLINE  logged in                        has it, online
 *  LOST    was there, is not                has it blocked, or removed
 *                                           (dev_loss_tmo)
 *
 *  discovery finds the port     from         to
 *  ---------------------------  -----------  -------------------------
 *  for the first time           -            NEW, then ONLINE
 *  where it was ("same")        ONLINE       ONLINE
 *  elsewhere ("moved")          ONLINE       LOST, then ONLINE
 *  again                        LOST         ONLINE
 *  not ("gone")                 ONLINE       LOST
 */
enum isp_port_state {
	ISP_PORT_NEW,
	ISP_PORT_ONLINE,
	ISP_PORT_LOST,
};

/**
 * struct isp_port - a remote port, known by its port name
 * @node: in isp_fabric.ports
 * @info: as discovery last saw it; loop_id is read by others (READ_ONCE)
 * @state: enum isp_port_state
 * @nexus: what commands to it need of it; its epoch is 0 while the port is in
 *	trouble
 * @epoch_then: that epoch when the discovery under way began
 * @seen: found by the discovery under way
 * @asked: that has asked for it where it was, in vain
 * @known: where it was is worth asking for when the link comes back
 * @listed: its port id is in the name server's list
 * @twin: address of another port with the same name, told to the user
 * @rport: the transport class's view of it while ONLINE
 *
 * Never freed before the adapter, so that SCSI devices can point to it.
 */
struct isp_port {
	struct list_head node;
	struct isp_port_info info;
	enum isp_port_state state;
	struct isp_nexus nexus;
	unsigned int epoch_then;
	bool seen;
	bool asked;
	bool known;
	bool listed;
	u32 twin;
	struct fc_rport *rport;
};

/* More ports than this are not taken in: port names can be made up. */
#define ISP_PORTS_MAX		512
/* So many entries of a list are looked at, the firmware's or a switch's. */
#define ISP_IDS_MAX		2048

#define ISP_LOOP_IDS		2048
#define ISP_NO_LOOP_ID		0xffff

/**
 * struct isp_change - part of the fabric in which something has changed
 * @mask: bits of the port id that count
 * @port_id: address, or loop id if @mask is ISP_CHANGE_LOOP_ID
 */
struct isp_change {
	u32 mask;
	u32 port_id;
};

#define ISP_CHANGE_LOOP_ID	0xffffffff

/* More changes than this at a time concern everything. */
#define ISP_CHANGES_MAX		16

/**
 * struct isp_look - what a discovery looks at, beside ports in trouble
 * @all: everything
 * @fresh: and the fabric and its name server have forgotten us
 * @changes: else these
 * @nr_changes: their number
 */
struct isp_look {
	bool all;
	bool fresh;
	struct isp_change changes[ISP_CHANGES_MAX];
	unsigned int nr_changes;
};

/**
 * struct isp_scan - memory of a discovery
 * @loop_ids: as the firmware lists them
 * @port_ids: as the name server lists them
 * @nr_ids: length of either list
 * @next: where the next discovery begins to log in to new ports
 * @deadline: when the one under way ends with that, jiffies
 * @used: loop ids that are taken
 * @refused: ports that could not be logged in to
 * @request: to the name server
 * @answer: its answer
 */
struct isp_scan {
	union {
		u16 loop_ids[ISP_IDS_MAX];
		u32 port_ids[ISP_IDS_MAX];
	};
	unsigned int nr_ids;
	unsigned int next;
	unsigned long deadline;
	DECLARE_BITMAP(used, ISP_LOOP_IDS);
	unsigned int refused;
	u8 request[ISP_CT_REQUEST_MAX];
	u8 answer[ISP_CT_HDR + 4 * ISP_IDS_MAX];
};

/**
 * struct isp_stats - statistics of a link
 * @lock: guards the others
 * @shown: as the transport class reads them
 * @seen: the firmware's counters as last told
 * @asked: when it was asked for them, jiffies
 * @since: when they were reset, jiffies
 */
struct isp_stats {
	struct mutex lock;		/* all of these */
	struct fc_host_statistics shown;
	struct isp_link_counts seen;
	unsigned long asked;
	u64 since;
};

/**
 * struct isp_fabric - the link of one adapter
 * @hw: card
 * @q: queue for markers
 * @shost: SCSI host
 * @wq: serves @work
 * @work: discovery
 * @lock: guards @link, @gen, the queue's epoch, @dead, @events, @speed, @enabled,
 *	@paused, @wanted
 * @link: enum isp_link
 * @init_since: when @link last left READY or DOWN, jiffies
 * @scanned: when the last discovery ended, jiffies
 * @gen: counts events, so that discovery sees that one came while it ran
 * @dead: the card is dead, and no port will ever come back
 * @events: those not yet told to user space, bit n: enum isp_event n
 * @speed: FC_PORTSPEED_*
 * @enabled: the SCSI host is there, discovery may run
 * @paused: ... but not now
 * @wanted: what the next discovery is to look at
 * @ready_wq: woken when @link becomes READY or DOWN
 * @ports: list of struct isp_port; discovery's own
 * @nr_ports: its length
 * @overflow_told: the user knows that there are more ports than are looked at
 * @ghosts_told: the user knows of ports that refuse the login
 * @logins_told: the user knows that the firmware has no login left
 * @list_told: the user knows that the name server gives no list
 * @register_told: ... or does not take our registration
 * @unregistered: the name server does not know us yet
 * @id: local addresses
 * @fabric_name: node name of the switch, 0 without one
 * @look: what the discovery under way looks at
 * @scan: its memory
 * @tries: discovery attempts in a row that found the firmware busy or nobody
 * @tries_gen: @gen then
 * @tries_since: when the first of them was, jiffies
 * @settled: the first discovery is through, or there was nothing to discover
 * @was_up: the last state told to the log
 * @stats: statistics
 */
struct isp_fabric {
	struct isp_hw *hw;
	struct isp_queue *q;
	struct Scsi_Host *shost;
	struct workqueue_struct *wq;
	struct delayed_work work;
	spinlock_t lock;		/* those named above */
	enum isp_link link;
	unsigned long init_since;
	unsigned long scanned;
	unsigned int gen;
	bool dead;
	unsigned long events;
	u32 speed;
	bool enabled;
	bool paused;
	struct isp_look wanted;
	wait_queue_head_t ready_wq;
	struct list_head ports;
	unsigned int nr_ports;
	bool overflow_told;
	bool ghosts_told;
	bool logins_told;
	bool list_told;
	bool register_told;
	bool unregistered;
	struct isp_local_id id;
	u64 fabric_name;
	struct isp_look look;
	struct isp_scan *scan;
	unsigned int tries;
	unsigned int tries_gen;
	unsigned long tries_since;
	bool settled;
	bool was_up;
	struct isp_stats stats;
};

/* Whether commands may be sent; if not, discovery is about to look. */
static inline bool isp_port_ready(const struct isp_fabric *fab,
				  const struct isp_port *port)
{
	return READ_ONCE(port->nexus.epoch) == READ_ONCE(fab->q->epoch);
}

static inline bool isp_behind_switch(const struct isp_fabric *fab)
{
	return fab->id.topology == ISP_TOPO_FABRIC ||
	       fab->id.topology == ISP_TOPO_FABRIC_LOOP;
}

/* isp_fabric.c */
int isp_fabric_init(struct isp_fabric *fab, struct Scsi_Host *shost,
		    struct isp_hw *hw, struct isp_queue *q);
void isp_fabric_exit(struct isp_fabric *fab);
void isp_fabric_start(struct isp_fabric *fab);
void isp_fabric_pause(struct isp_fabric *fab);
void isp_fabric_resume(struct isp_fabric *fab);
void isp_fabric_disable(struct isp_fabric *fab);
void isp_fabric_stop(struct isp_fabric *fab);
void isp_fabric_event(struct isp_fabric *fab, enum isp_event event, u32 arg);
void isp_fabric_port_trouble(struct isp_fabric *fab, struct isp_port *port);
void isp_fabric_hold(struct isp_fabric *fab);
void isp_fabric_dead(struct isp_fabric *fab);
void isp_fabric_settle(struct isp_fabric *fab, unsigned int timeout_ms);
bool isp_fabric_wait_ready(struct isp_fabric *fab, unsigned int timeout_ms);

/* How long commands are held back for discovery, then they fail. */
#define ISP_HOLD_MAX_S		30

/*
 * Whether there is no use in holding commands back any longer: discovery has
 * been ended for good, or something keeps it from coming to its end. The user
 * of a device that is being scanned for or removed may be what it waits for.
 */
static inline bool isp_hold_over(const struct isp_fabric *fab)
{
	return !READ_ONCE(fab->enabled) ||
	       (READ_ONCE(fab->link) == ISP_LINK_INIT &&
		time_after(jiffies, READ_ONCE(fab->init_since) +
				    ISP_HOLD_MAX_S * HZ));
}

/* isp_scan.c */
int isp_scan(struct isp_fabric *fab, unsigned int epoch);
void isp_scan_lost(struct isp_fabric *fab, bool all);
unsigned int isp_scan_targets(struct isp_fabric *fab);

/* isp_ns.c */
int isp_ns_register(struct isp_fabric *fab);
int isp_ns_list(struct isp_fabric *fab);

/* isp_rport.c */
struct scsi_transport_template *isp_rport_attach(void);
void isp_rport_host_init(struct isp_fabric *fab);
void isp_rport_host_update(struct isp_fabric *fab);
void isp_rport_post_events(struct isp_fabric *fab, unsigned long events);
bool isp_rport_add(struct isp_fabric *fab, struct isp_port *port);
void isp_rport_del(struct isp_port *port, bool for_good);
void isp_rport_offline_all(struct isp_fabric *fab);
void isp_rport_remove_targets(struct isp_fabric *fab);
struct isp_port *isp_rport_port(struct fc_rport *rport);
int isp_rport_abort(struct isp_fabric *fab, const struct isp_port *port,
		    u64 lun, u32 handle);

/* isp_stats.c */
void isp_stats_init(struct isp_stats *st);
void isp_stats_card_reset(struct isp_stats *st);
struct fc_host_statistics *isp_stats_get(struct isp_fabric *fab);
void isp_stats_reset(struct isp_fabric *fab);

#endif /* ISP_FABRIC_H */
