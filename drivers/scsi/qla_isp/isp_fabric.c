// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 4: the link. Its states are described in isp_fabric.h.
 *
 * Events only leave a mark and wake the work below, which asks the firmware
 * what is so (isp_scan.c). It is therefore harmless when events come twice,
 * late, in another order, or not at all: the next one puts everything right.
 */
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "isp_fabric.h"
#include "isp_queue.h"
#include "isp_trace.h"

/* How long after going on the loop "no link" is the answer. */
#define NO_LINK_MS		5000
/* Between two discoveries that the firmware or the fabric ask for. */
#define PAUSE_MS		100
/* After a LIP, when no event says that it is over. */
#define LIP_BACKSTOP_MS		1000
/* When the firmware is still busy: again soon, after some seconds less often. */
#define RETRY_MS		100
#define RETRIES_BUSY		30
#define RETRY_SLOW_MS		1000
/*
 * When somebody refuses to be logged in to, or nobody is there: soon, for so
 * long; then, while those who are there work, less often.
 */
#define RETRIES_PORTS		4
#define RETRIES_PORTS_MS	2000
#define RETRIES_PORTS_SLOW	30
/* After commands came back saying that a port is in trouble. */
#define TROUBLE_MS		100
/* How long a discovery under way may delay the system's sleep. */
#define PAUSE_WAIT_MS		10000

/* fab->lock held. Not inlined: it has many callers. */
static noinline void link_set_state(struct isp_fabric *fab, enum isp_link next)
{
	if (next != fab->link)
		trace_isp_link_state(fab->hw, NULL, fab->link, next);
	if (next == ISP_LINK_INIT && fab->link != ISP_LINK_INIT)
		WRITE_ONCE(fab->init_since, jiffies);
	WRITE_ONCE(fab->link, next);
	if (next != ISP_LINK_INIT)
		wake_up_all(&fab->ready_wq);
}

static void fab_kick(struct isp_fabric *fab, unsigned int delay_ms)
{
	if (!fab->enabled || fab->paused)
		return;
	if (delay_ms)
		/* Does not push away what is to run earlier. */
		queue_delayed_work(fab->wq, &fab->work,
				   msecs_to_jiffies(delay_ms));
	else
		mod_delayed_work(fab->wq, &fab->work, 0);
}

/* So often at most the fabric is looked at because of what it says. */
static unsigned int fab_pause_ms(const struct isp_fabric *fab)
{
	unsigned long again = fab->scanned + msecs_to_jiffies(PAUSE_MS);

	return time_before(jiffies, again) ? PAUSE_MS : 0;
}

/*
 * fab->lock held. Ports take no commands until they have been found again:
 * whoever answers to a loop id after an initialization may be another port.
 */
static void ports_hold(struct isp_fabric *fab)
{
	struct isp_queue *q = fab->q;

	WRITE_ONCE(q->epoch, q->epoch + 1 ?: 1);
}

/* The link is being initialized: everything has to be looked at. */
static void look_afresh(struct isp_look *look)
{
	look->all = true;
	look->fresh = true;
}

static void look_at(struct isp_look *look, u32 mask, u32 port_id)
{
	if (look->nr_changes == ISP_CHANGES_MAX) {
		look->all = true;
		return;
	}
	look->changes[look->nr_changes++] = (struct isp_change) {
		.mask = mask,
		.port_id = port_id,
	};
}

/* @add came while @look was under way, or waited for. */
static void look_merge(struct isp_look *look, const struct isp_look *add)
{
	unsigned int n;

	look->all |= add->all;
	look->fresh |= add->fresh;
	for (n = 0; n < add->nr_changes; n++)
		look_at(look, add->changes[n].mask, add->changes[n].port_id);
}

/* A port database change concerns one login, or all (qla2xxx: ffffh). */
static bool loop_id_is_one(u32 arg)
{
	return arg > 0 && arg < ISP_LOOP_IDS;
}

/* What part of a port id a state change is about (FC-LS: RSCN). */
static u32 rscn_mask(u32 arg)
{
	switch (arg >> 24) {
	case ISP_RSCN_PORT:
		return 0xffffff;
	case ISP_RSCN_AREA:
		return 0xffff00;
	case ISP_RSCN_DOMAIN:
		return 0xff0000;
	default:
		return 0;
	}
}

/**
 * isp_fabric_event() - something happened on the link
 * @fab: link
 * @event: what
 * @arg: more about it, see enum isp_event
 *
 * Context: any.
 */
void isp_fabric_event(struct isp_fabric *fab, enum isp_event event, u32 arg)
{
	unsigned long flags;

	spin_lock_irqsave(&fab->lock, flags);
	fab->gen++;
	fab->events |= BIT(event);
	switch (event) {
	case ISP_EV_LOOP_UP:
		fab->speed = fab->hw->chip->link_speed(fab->hw, arg);
		ports_hold(fab);
		look_afresh(&fab->wanted);
		link_set_state(fab, ISP_LINK_INIT);
		fab_kick(fab, 0);
		break;
	case ISP_EV_PORTS_CHANGED:
		if (loop_id_is_one(arg))
			look_at(&fab->wanted, ISP_CHANGE_LOOP_ID, arg);
		else
			fab->wanted.all = true;
		link_set_state(fab, ISP_LINK_INIT);
		fab_kick(fab, fab_pause_ms(fab));
		break;
	case ISP_EV_STATE_CHANGE:
		look_at(&fab->wanted, rscn_mask(arg), arg & 0xffffff);
		/* A link that is down says nothing: the work finds out. */
		if (fab->link != ISP_LINK_DOWN)
			link_set_state(fab, ISP_LINK_INIT);
		fab_kick(fab, fab_pause_ms(fab));
		break;
	case ISP_EV_LIP:
	case ISP_EV_LIP_RESET:
		if (fab->link == ISP_LINK_DOWN)
			break;
		ports_hold(fab);
		look_afresh(&fab->wanted);
		link_set_state(fab, ISP_LINK_INIT);
		fab_kick(fab, LIP_BACKSTOP_MS);
		break;
	case ISP_EV_LOOP_DOWN:
		if (fab->link == ISP_LINK_DOWN)
			break;
		link_set_state(fab, ISP_LINK_DOWN);
		ports_hold(fab);
		fab_kick(fab, 0);
		break;
	}
	spin_unlock_irqrestore(&fab->lock, flags);
}

/**
 * isp_fabric_hold() - the card is about to be reset
 * @fab: link
 *
 * The ports stay, for they are most likely the same afterwards, but take no
 * commands until discovery has found them again. If it finds none in some
 * seconds, they are lost.
 *
 * Context: any.
 */
void isp_fabric_hold(struct isp_fabric *fab)
{
	unsigned long flags;

	spin_lock_irqsave(&fab->lock, flags);
	fab->gen++;
	ports_hold(fab);
	look_afresh(&fab->wanted);
	if (fab->link != ISP_LINK_DOWN) {
		link_set_state(fab, ISP_LINK_INIT);
		fab_kick(fab, LIP_BACKSTOP_MS);
	}
	spin_unlock_irqrestore(&fab->lock, flags);
}

/**
 * isp_fabric_dead() - the card is dead: take all ports away for good
 * @fab: link
 *
 * Context: any.
 */
void isp_fabric_dead(struct isp_fabric *fab)
{
	unsigned long flags;

	spin_lock_irqsave(&fab->lock, flags);
	WRITE_ONCE(fab->dead, true);
	fab->gen++;
	ports_hold(fab);
	link_set_state(fab, ISP_LINK_DOWN);
	fab_kick(fab, 0);
	spin_unlock_irqrestore(&fab->lock, flags);
}

/**
 * isp_fabric_port_trouble() - commands to a port fail: look at the ports
 * @fab: link
 * @port: that port; takes no further commands until discovery has looked
 *
 * Context: any.
 */
void isp_fabric_port_trouble(struct isp_fabric *fab, struct isp_port *port)
{
	unsigned long flags;

	spin_lock_irqsave(&fab->lock, flags);
	WRITE_ONCE(port->nexus.epoch, 0);
	if (fab->link != ISP_LINK_DOWN) {
		fab->gen++;
		link_set_state(fab, ISP_LINK_INIT);
		fab_kick(fab, TROUBLE_MS);
	}
	spin_unlock_irqrestore(&fab->lock, flags);
}

static const char *speed_name(u32 speed)
{
	switch (speed) {
	case FC_PORTSPEED_1GBIT:
		return "1 Gbit/s";
	case FC_PORTSPEED_2GBIT:
		return "2 Gbit/s";
	default:
		return "unknown speed";
	}
}

static const char *topology_name(enum isp_topology topology)
{
	switch (topology) {
	case ISP_TOPO_LOOP:
		return "private loop";
	case ISP_TOPO_FABRIC_LOOP:
		return "public loop";
	case ISP_TOPO_P2P:
		return "point-to-point";
	case ISP_TOPO_FABRIC:
		return "fabric";
	case ISP_TOPO_NONE:
		break;
	}
	return "no topology";
}

/* Under which address we are on the link. */
static void address_name(const struct isp_fabric *fab, char *buf, size_t len)
{
	switch (fab->id.topology) {
	case ISP_TOPO_FABRIC:
	case ISP_TOPO_P2P:
		scnprintf(buf, len, "port id %06x", fab->id.port_id);
		break;
	case ISP_TOPO_FABRIC_LOOP:
		scnprintf(buf, len, "loop id %u, port id %06x",
			  fab->id.loop_id, fab->id.port_id);
		break;
	default:
		scnprintf(buf, len, "loop id %u", fab->id.loop_id);
		break;
	}
}

/* The one line about a new card, or one about a change of its link. */
static void tell(struct isp_fabric *fab, bool up)
{
	const struct isp_hw *hw = fab->hw;
	char link[96] = "no link (check the cable)";
	char address[40], card[96];

	if (up) {
		address_name(fab, address, sizeof(address));
		scnprintf(link, sizeof(link), "%s up at %s, %s, %u targets",
			  topology_name(fab->id.topology),
			  speed_name(fab->speed), address,
			  isp_scan_targets(fab));
	}
	if (!fab->settled) {
		isp_fw_describe(fab->hw, card, sizeof(card));
		dev_info(hw->dev, "%s, port %016llx, %s\n", card,
			 hw->cfg.wwpn, link);
	} else if (up != fab->was_up) {
		dev_info_ratelimited(hw->dev, "%s\n", up ? link : "link down");
	}
	WRITE_ONCE(fab->was_up, up);
	WRITE_ONCE(fab->settled, true);
}

/*
 * No loop, as far as events tell. The firmware is asked all the same: should
 * the event that says otherwise have been lost, nothing else would ever come.
 */
static bool link_is_up_after_all(struct isp_fabric *fab, unsigned int gen)
{
	u16 state;
	bool up = false;

	if (fab->hw->chip->get_state(fab->hw, &state) || state != ISP_FW_READY)
		return false;
	spin_lock_irq(&fab->lock);
	if (fab->gen == gen) {
		link_set_state(fab, ISP_LINK_INIT);
		look_afresh(&fab->look);
		up = true;
	}
	spin_unlock_irq(&fab->lock);
	return up;
}

static void link_is_down(struct isp_fabric *fab)
{
	fab->look = (struct isp_look) { };
	isp_scan_lost(fab, true);
	if (READ_ONCE(fab->dead))
		isp_rport_offline_all(fab);
	isp_rport_host_update(fab);
	tell(fab, false);
}

static void link_is_known(struct isp_fabric *fab, unsigned int gen)
{
	/* Something has happened meanwhile: what was found may be wrong. */
	if (READ_ONCE(fab->gen) != gen)
		return;
	isp_scan_lost(fab, false);
	fab->look = (struct isp_look) { .fresh = fab->unregistered };
	isp_rport_host_update(fab);
	tell(fab, true);
	spin_lock_irq(&fab->lock);
	if (fab->gen == gen)
		link_set_state(fab, ISP_LINK_READY);
	spin_unlock_irq(&fab->lock);
}

static void look_again(struct isp_fabric *fab, unsigned int gen,
		       unsigned int delay_ms)
{
	spin_lock_irq(&fab->lock);
	if (fab->gen == gen)
		fab_kick(fab, delay_ms);
	spin_unlock_irq(&fab->lock);
}

/* The firmware has not finished with the loop. */
static void link_is_busy(struct isp_fabric *fab, unsigned int gen)
{
	if (fab->tries++ < RETRIES_BUSY) {
		look_again(fab, gen, RETRY_MS);
		return;
	}
	/* Something has happened meanwhile, and has this looked at again. */
	if (READ_ONCE(fab->gen) != gen)
		return;
	/*
	 * It may have no link, and have said so before it was reset. Whatever
	 * comes is listened to as before: nobody has said that it is down.
	 */
	isp_scan_lost(fab, true);
	isp_rport_host_update(fab);
	tell(fab, false);
	look_again(fab, gen, RETRY_SLOW_MS);
}

/* Somebody is still missing. Those who are there have been told. */
static void link_is_incomplete(struct isp_fabric *fab, unsigned int gen)
{
	unsigned long soon = fab->tries_since +
			     msecs_to_jiffies(RETRIES_PORTS_MS);

	if (fab->tries++ < RETRIES_PORTS && time_before(jiffies, soon)) {
		look_again(fab, gen, RETRY_MS);
		return;
	}
	link_is_known(fab, gen);
	if (fab->tries < RETRIES_PORTS + RETRIES_PORTS_SLOW)
		look_again(fab, gen, RETRY_SLOW_MS);
}

static void fab_discover(struct isp_fabric *fab)
{
	unsigned long events;
	unsigned int gen, epoch;
	enum isp_link link;
	int ret;

	spin_lock_irq(&fab->lock);
	link = fab->link;
	gen = fab->gen;
	epoch = fab->q->epoch;
	events = fab->events;
	fab->events = 0;
	look_merge(&fab->look, &fab->wanted);
	fab->wanted = (struct isp_look) { };
	spin_unlock_irq(&fab->lock);

	if (gen != fab->tries_gen) {
		fab->tries = 0;
		fab->tries_gen = gen;
		fab->tries_since = jiffies;
	}
	isp_rport_post_events(fab, events);
	if (link == ISP_LINK_DOWN && !link_is_up_after_all(fab, gen)) {
		link_is_down(fab);
		return;
	}
	ret = isp_scan(fab, epoch);
	dev_dbg(fab->hw->dev, "discovery %u, epoch %u, of %s: %d, try %u\n",
		gen, epoch, fab->look.all ? "all" : "changes", ret, fab->tries);
	if (ret == -EAGAIN || ret == -EIO)
		link_is_busy(fab, gen);
	else if (ret == -ENOTCONN || (!ret && !fab->settled))
		link_is_incomplete(fab, gen);
	else if (ret >= 0)
		link_is_known(fab, gen);
	else
		/*
		 * The link was initialized meanwhile, or the card is dead, and
		 * there is another generation. Or the card is being reset: it
		 * need not say anything afterwards if the link is gone by then.
		 */
		look_again(fab, gen, LIP_BACKSTOP_MS);
	if (ret >= 0 || ret == -ENOTCONN)
		fab->scanned = jiffies;
}

/*
 * What waits for memory may wait for a disk that waits for this: nothing here
 * may start I/O.
 */
static void fab_work(struct work_struct *work)
{
	unsigned int noio = memalloc_noio_save();

	fab_discover(container_of(to_delayed_work(work), struct isp_fabric,
				  work));
	memalloc_noio_restore(noio);
}

/**
 * isp_fabric_wait_ready() - wait until the ports are known
 * @fab: link
 * @timeout_ms: how long
 *
 * Context: process; sleeps.
 *
 * Return: whether they are.
 */
bool isp_fabric_wait_ready(struct isp_fabric *fab, unsigned int timeout_ms)
{
	return wait_event_timeout(fab->ready_wq,
				  READ_ONCE(fab->link) == ISP_LINK_READY,
				  msecs_to_jiffies(timeout_ms));
}

/**
 * isp_fabric_settle() - let a discovery that is under way come to its end
 * @fab: link
 * @timeout_ms: how long to wait for it
 *
 * Context: process; sleeps.
 */
void isp_fabric_settle(struct isp_fabric *fab, unsigned int timeout_ms)
{
	wait_event_timeout(fab->ready_wq,
			   READ_ONCE(fab->link) != ISP_LINK_INIT,
			   msecs_to_jiffies(timeout_ms));
}

/**
 * isp_fabric_init() - set a link up in memory
 * @fab: link, zeroed
 * @shost: SCSI host, allocated
 * @hw: card
 * @q: queue for markers
 *
 * Return: 0 or -ENOMEM.
 */
int isp_fabric_init(struct isp_fabric *fab, struct Scsi_Host *shost,
		    struct isp_hw *hw, struct isp_queue *q)
{
	fab->hw = hw;
	fab->q = q;
	fab->shost = shost;
	spin_lock_init(&fab->lock);
	init_waitqueue_head(&fab->ready_wq);
	INIT_LIST_HEAD(&fab->ports);
	isp_stats_init(&fab->stats);
	INIT_DELAYED_WORK(&fab->work, fab_work);
	fab->id.topology = ISP_TOPO_NONE;
	q->epoch = 1;
	look_afresh(&fab->wanted);
	fab->scan = kvzalloc(sizeof(*fab->scan), GFP_KERNEL);
	if (!fab->scan)
		return -ENOMEM;
	/*
	 * The transport class, too, has work to be flushed, in queues that are
	 * not for reclaim; hence __WQ_LEGACY, as for the SCSI host's own queue.
	 */
	fab->wq = alloc_ordered_workqueue("isp_fc_%s",
					  WQ_MEM_RECLAIM | __WQ_LEGACY,
					  pci_name(hw->pdev));
	if (fab->wq)
		return 0;
	kvfree(fab->scan);
	return -ENOMEM;
}

/**
 * isp_fabric_start() - begin discovery
 * @fab: link whose SCSI host has been registered
 */
void isp_fabric_start(struct isp_fabric *fab)
{
	spin_lock_irq(&fab->lock);
	WRITE_ONCE(fab->enabled, true);
	fab_kick(fab, fab->link == ISP_LINK_DOWN ? NO_LINK_MS : 0);
	spin_unlock_irq(&fab->lock);
}

/**
 * isp_fabric_pause() - discovery is to rest for a while
 * @fab: link, of a card that runs
 *
 * Lets the one under way come to its end. What happens meanwhile leaves its
 * marks; commands to ports that are held back stay so. Context: process;
 * sleeps.
 */
void isp_fabric_pause(struct isp_fabric *fab)
{
	isp_fabric_settle(fab, PAUSE_WAIT_MS);
	spin_lock_irq(&fab->lock);
	WRITE_ONCE(fab->paused, true);
	spin_unlock_irq(&fab->lock);
	cancel_delayed_work_sync(&fab->work);
}

/**
 * isp_fabric_resume() - discovery goes on after isp_fabric_pause()
 * @fab: link
 */
void isp_fabric_resume(struct isp_fabric *fab)
{
	spin_lock_irq(&fab->lock);
	WRITE_ONCE(fab->paused, false);
	fab_kick(fab, LIP_BACKSTOP_MS);
	spin_unlock_irq(&fab->lock);
}

/**
 * isp_fabric_disable() - have discovery end as soon as it can
 * @fab: link
 *
 * Commands to ports that are held back fail from now on. Context: process.
 */
void isp_fabric_disable(struct isp_fabric *fab)
{
	spin_lock_irq(&fab->lock);
	WRITE_ONCE(fab->enabled, false);
	spin_unlock_irq(&fab->lock);
}

/**
 * isp_fabric_stop() - end discovery
 * @fab: link
 *
 * Ports stay as they are. Waits for the request to firmware or fabric that is
 * under way. Context: process; sleeps.
 */
void isp_fabric_stop(struct isp_fabric *fab)
{
	isp_fabric_disable(fab);
	cancel_delayed_work_sync(&fab->work);
}

/**
 * isp_fabric_exit() - give a link's memory back
 * @fab: link, stopped; no SCSI device is left
 */
void isp_fabric_exit(struct isp_fabric *fab)
{
	struct isp_port *port, *next;

	destroy_workqueue(fab->wq);
	list_for_each_entry_safe(port, next, &fab->ports, node)
		kfree(port);
	INIT_LIST_HEAD(&fab->ports);
	kvfree(fab->scan);
}
