// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 4: the remote ports, and how they are found. Their states are
 * described in isp_fabric.h.
 *
 * On a loop the firmware logs in to every port by itself, under loop ids that
 * the loop gives, and its port database is the truth. Behind a switch the name
 * server says who is there, and this file logs in, under loop ids that it
 * chooses itself. A port is always known by its port name, which is what the
 * firmware's port database says after the login; what a name server says about
 * a port id is a hint.
 *
 * A loop id has one owner at most among the ports, and so has a port id. Before
 * a loop id comes to belong to another port, no command for the former owner
 * may be under way, not even in the hands of a submitter: port_retire().
 */
#include <linux/pci.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "isp_fabric.h"
#include "isp_queue.h"
#include "isp_trace.h"

/* How long commands may take to come back after a logout. */
#define RETIRE_WAIT_MS		5000
/* Ports that are not there must not keep the others waiting. */
#define LOGINS_MAX_S		20
/* The fabric's own ports have a domain of F0h and above (FC-SW). */
#define DOMAIN_RESERVED		0xf0

static bool loop_id_behind_switch(u16 loop_id)
{
	return loop_id >= ISP_LOOP_ID_FABRIC_MIN && loop_id < ISP_LOOP_IDS &&
	       !isp_loop_id_reserved(loop_id);
}

/* ---- Ports -------------------------------------------------------------- */

/* The one place where a port's state changes; tells the transport class. */
static void port_set_state(struct isp_fabric *fab, struct isp_port *port,
			   enum isp_port_state next)
{
	if (port->state == next)
		return;
	if (next == ISP_PORT_LOST)
		isp_rport_del(port, READ_ONCE(fab->dead));
	else if (!isp_rport_add(fab, port))
		return;
	trace_isp_port_state(fab->hw, &port->info, port->state, next);
	port->state = next;
}

/* One line per port, unless the line about the link says it all. */
static void port_tell(const struct isp_fabric *fab,
		      const struct isp_port *port, const char *what)
{
	if (fab->settled && fab->was_up)
		dev_info_ratelimited(fab->hw->dev,
				     "port %016llx (id %06x) %s\n",
				     port->info.wwpn, port->info.port_id, what);
}

static struct isp_port *port_find(struct isp_fabric *fab, u64 wwpn)
{
	struct isp_port *port;

	list_for_each_entry(port, &fab->ports, node)
		if (port->info.wwpn == wwpn)
			return port;
	return NULL;
}

static struct isp_port *port_new(struct isp_fabric *fab,
				 const struct isp_port_info *info)
{
	struct isp_port *port;

	if (fab->nr_ports >= ISP_PORTS_MAX) {
		if (!fab->overflow_told)
			dev_warn(fab->hw->dev, "more than %d remote ports: the others are not attached; unbind and bind the card in /sys/bus/pci/drivers/qla_isp if those known are no longer there\n",
				 ISP_PORTS_MAX);
		fab->overflow_told = true;
		return NULL;
	}
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return NULL;
	port->info = *info;
	port->state = ISP_PORT_NEW;
	/* For readers in debugfs. */
	list_add_tail_rcu(&port->node, &fab->ports);
	fab->nr_ports++;
	return port;
}

/* In the eyes of the transport class; it knows nothing of loop ids. */
static bool port_moved(const struct isp_port *port,
		       const struct isp_port_info *info)
{
	return port->info.port_id != info->port_id ||
	       port->info.wwnn != info->wwnn ||
	       port->info.target != info->target ||
	       port->info.initiator != info->initiator;
}

/* Whose loop id that is; NULL: nobody's. */
static struct isp_port *loop_id_owner(struct isp_fabric *fab, u16 loop_id)
{
	struct isp_port *port;

	list_for_each_entry(port, &fab->ports, node)
		if (port->info.loop_id == loop_id)
			return port;
	return NULL;
}

static void loop_id_release(struct isp_fabric *fab, u16 loop_id)
{
	if (loop_id_behind_switch(loop_id) && !loop_id_owner(fab, loop_id))
		fab->hw->chip->logout_fabric(fab->hw, loop_id);
}

/* The port has no commands, nor takes any: nexus.epoch says so. */
static void port_set_loop_id(struct isp_port *port, u16 loop_id)
{
	WRITE_ONCE(port->info.loop_id, loop_id);
	WRITE_ONCE(port->nexus.loop_id, loop_id);
}

/* From now on trouble is news, so that it is not lost when the port is found. */
static void port_hold(struct isp_port *port)
{
	WRITE_ONCE(port->nexus.epoch, 0);
	port->epoch_then = 0;
}

/*
 * Ends what is under way to a port, which loses its loop id, so that the id can
 * have another owner: holds new commands back, waits for submitters that have
 * seen the port ready, has the firmware give up the login and with it all open
 * exchanges (unless the login is another port's already: @logout), and waits
 * for those. Returns 0, or -ECANCELED if the card keeps some: it is reset then.
 */
static int port_retire(struct isp_fabric *fab, struct isp_port *port,
		       bool logout)
{
	u16 loop_id = port->info.loop_id;

	port_hold(port);
	isp_queue_sync(fab->q);
	port_set_loop_id(port, ISP_NO_LOOP_ID);
	if (logout)
		loop_id_release(fab, loop_id);
	if (isp_queue_wait(fab->q, &port->nexus, ISP_ANY_LUN, RETIRE_WAIT_MS))
		return 0;
	isp_hw_fault(fab->hw, "commands to a lost port do not come back");
	return -ECANCELED;
}

static void port_twice(struct isp_fabric *fab, struct isp_port *port,
		       const struct isp_port_info *info)
{
	if (port->twin != info->port_id)
		dev_warn(fab->hw->dev, "port name %016llx is there twice (port ids %06x and %06x): only the first is used; give one of the two ports another name\n",
			 info->wwpn, port->info.port_id, info->port_id);
	port->twin = info->port_id;
	if (info->loop_id != port->info.loop_id)
		loop_id_release(fab, info->loop_id);
}

/* Takes both addresses of @port from whoever had them before. */
static int port_own(struct isp_fabric *fab, struct isp_port *port,
		    const struct isp_port_info *info)
{
	struct isp_port *other;
	int ret;

	list_for_each_entry(other, &fab->ports, node) {
		if (other == port)
			continue;
		ret = other->info.loop_id == info->loop_id ?
		      port_retire(fab, other, false) : 0;
		if (ret)
			return ret;
		if (other->info.port_id == info->port_id)
			other->info.port_id = 0;
	}
	if (port->info.loop_id != info->loop_id &&
	    port->info.loop_id != ISP_NO_LOOP_ID) {
		ret = port_retire(fab, port, true);
		if (ret)
			return ret;
	}
	port->info.wwnn = info->wwnn;
	port->info.port_id = info->port_id;
	port->info.target = info->target;
	port->info.initiator = info->initiator;
	port->info.class2 = info->class2;
	port_set_loop_id(port, info->loop_id);
	return 0;
}

/*
 * Classify a port that is there: new, same, moved, or back again. Returns 0, or
 * -ECANCELED if the card is being reset.
 */
static int port_found(struct isp_fabric *fab, const struct isp_port_info *info,
		      unsigned int epoch)
{
	struct isp_port *port = port_find(fab, info->wwpn);
	const char *what = "is back";
	int ret;

	if (!port) {
		port = port_new(fab, info);
		what = "is new";
	}
	if (!port) {
		loop_id_release(fab, info->loop_id);
		return 0;
	}
	if (port->seen) {
		port_twice(fab, port, info);
		return 0;
	}
	port->seen = true;
	port->known = true;
	if (port->state == ISP_PORT_ONLINE && port_moved(port, info)) {
		port_set_state(fab, port, ISP_PORT_LOST);
		what = "has moved";
	}
	if (port->state != ISP_PORT_ONLINE ||
	    port->info.loop_id != info->loop_id) {
		ret = port_own(fab, port, info);
		if (ret)
			return ret;
	}
	if (port->state != ISP_PORT_ONLINE)
		port_tell(fab, port, what);
	/* Unless it has got into trouble since this discovery began. */
	cmpxchg(&port->nexus.epoch, port->epoch_then, epoch);
	port_set_state(fab, port, ISP_PORT_ONLINE);
	return 0;
}

/**
 * isp_scan_lost() - take ports away that have not been found
 * @fab: link
 * @all: all ports: the link is down, and the firmware has no login any more
 *
 * Context: process; sleeps.
 */
void isp_scan_lost(struct isp_fabric *fab, bool all)
{
	struct isp_port *port;

	list_for_each_entry(port, &fab->ports, node) {
		if (port->state != ISP_PORT_ONLINE || (!all && port->seen))
			continue;
		port_hold(port);
		port_set_state(fab, port, ISP_PORT_LOST);
		if (all)
			continue;
		port->known = false;
		port_tell(fab, port, "is gone");
		/* So that its commands come back now, not when they time out. */
		if (loop_id_behind_switch(port->info.loop_id))
			fab->hw->chip->logout_fabric(fab->hw,
						     port->info.loop_id);
	}
}

/**
 * isp_scan_targets() - how many targets there are
 * @fab: link
 *
 * Return: number of ports online that are FCP targets.
 */
unsigned int isp_scan_targets(struct isp_fabric *fab)
{
	struct isp_port *port;
	unsigned int n = 0;

	list_for_each_entry(port, &fab->ports, node)
		n += port->state == ISP_PORT_ONLINE && port->info.target;
	return n;
}

/*
 * -ECANCELED if the link has been initialized since this discovery began:
 * whatever it finds is no longer so, and the event that says so has it done
 * again. Or if discovery is to rest, or has been ended for good.
 */
static int scan_over(const struct isp_fabric *fab, unsigned int epoch)
{
	return READ_ONCE(fab->q->epoch) != epoch || !READ_ONCE(fab->enabled) ||
	       READ_ONCE(fab->paused) ? -ECANCELED : 0;
}

/* A port that did not answer is no reason to stop; a card at fault is. */
static int refused(struct isp_fabric *fab, int ret)
{
	if (ret != -EIO && ret != -ENOTCONN)
		return ret;
	fab->scan->refused++;
	return 0;
}

/* ---- The loop ----------------------------------------------------------- */

/*
 * The firmware logs in to what it finds on a local loop by itself. A port
 * that it has an entry for without a login has refused, or has been logged
 * out: try again, once per discovery.
 */
static int loop_port(struct isp_fabric *fab, u16 loop_id,
		     struct isp_port_info *info)
{
	const struct isp_chip *chip = fab->hw->chip;
	int ret;

	ret = chip->get_port(fab->hw, loop_id, false, info);
	if (!ret && !info->logged_in) {
		ret = chip->login(fab->hw, loop_id);
		if (!ret)
			ret = chip->get_port(fab->hw, loop_id, false, info);
	}
	if (ret)
		return ret;
	return info->logged_in && info->wwpn ? 0 : -ENOTCONN;
}

/*
 * The firmware's list has only those that are logged in. A port that has
 * logged out keeps its place on the loop, so those that are known and not
 * listed are asked after where they were.
 */
static int loop_unlisted(struct isp_fabric *fab, unsigned int epoch)
{
	struct isp_port_info info;
	struct isp_port *port;
	int ret;

	list_for_each_entry(port, &fab->ports, node) {
		if (port->seen || port->info.loop_id > ISP_LOOP_ID_LOCAL_MAX)
			continue;
		ret = fab->hw->chip->get_port(fab->hw, port->info.loop_id,
					      false, &info);
		if (ret == -EIO || (!ret && info.wwpn != port->info.wwpn))
			continue;
		if (!ret)
			ret = loop_port(fab, port->info.loop_id, &info);
		if (!ret)
			ret = port_found(fab, &info, epoch);
		ret = refused(fab, ret);
		if (ret)
			return ret;
	}
	return 0;
}

/* Returns 0, or a negative errno if the firmware could not be asked. */
static int scan_loop(struct isp_fabric *fab, unsigned int epoch)
{
	struct isp_scan *scan = fab->scan;
	struct isp_port_info info;
	int n, count, ret;

	count = fab->hw->chip->get_id_list(fab->hw, scan->loop_ids,
					   ISP_IDS_MAX);
	if (count < 0)
		return count;
	for (n = 0; n < count; n++) {
		if (scan->loop_ids[n] > ISP_LOOP_ID_LOCAL_MAX ||
		    scan->loop_ids[n] == fab->id.loop_id)
			continue;
		ret = scan_over(fab, epoch) ?:
		      loop_port(fab, scan->loop_ids[n], &info);
		if (!ret)
			ret = port_found(fab, &info, epoch);
		ret = refused(fab, ret);
		if (ret)
			return ret;
	}
	return loop_unlisted(fab, epoch);
}

/* ---- The fabric --------------------------------------------------------- */

/* Loop ids of ports that are lost stay theirs as long as there are others. */
static void loop_ids_mark(struct isp_fabric *fab)
{
	struct isp_port *port;

	bitmap_zero(fab->scan->used, ISP_LOOP_IDS);
	__set_bit(ISP_LOOP_ID_MANAGEMENT, fab->scan->used);
	__set_bit(ISP_LOOP_ID_BROADCAST, fab->scan->used);
	list_for_each_entry(port, &fab->ports, node)
		if (loop_id_behind_switch(port->info.loop_id))
			__set_bit(port->info.loop_id, fab->scan->used);
}

static u16 loop_id_steal(struct isp_fabric *fab)
{
	struct isp_port *port;
	u16 loop_id;

	list_for_each_entry(port, &fab->ports, node) {
		loop_id = port->info.loop_id;
		if (port->state != ISP_PORT_LOST || port->seen ||
		    !loop_id_behind_switch(loop_id))
			continue;
		if (!port_retire(fab, port, true))
			return loop_id;
	}
	if (!fab->logins_told)
		dev_warn(fab->hw->dev, "more ports in this zone than the firmware has logins for: the others are not attached; narrow the zone\n");
	fab->logins_told = true;
	return ISP_NO_LOOP_ID;
}

static u16 loop_id_take(struct isp_fabric *fab)
{
	unsigned long last = min_t(unsigned long, ISP_LOOP_IDS - 1,
				   fab->hw->chip->max_loop_id(fab->hw));
	unsigned long id = find_next_zero_bit(fab->scan->used, last + 1,
					      ISP_LOOP_ID_FABRIC_MIN);

	if (id > last)
		return loop_id_steal(fab);
	__set_bit(id, fab->scan->used);
	return id;
}

/* Nobody could be logged in to under that loop id: it is free again. */
static void loop_id_put(struct isp_fabric *fab, u16 loop_id)
{
	if (loop_id_behind_switch(loop_id) && !loop_id_owner(fab, loop_id))
		__clear_bit(loop_id, fab->scan->used);
}

/*
 * A login is about to be made under that loop id: whoever has it now gives it
 * up. Returns 0, -EADDRINUSE if that is a port that has just been found, or
 * -ECANCELED.
 */
static int loop_id_claim(struct isp_fabric *fab, u16 loop_id)
{
	struct isp_port *owner = loop_id_owner(fab, loop_id);

	if (!owner)
		return 0;
	return owner->seen ? -EADDRINUSE : port_retire(fab, owner, true);
}

/* Has the firmware log in to @port_id; the loop id comes to be @loop_id. */
static int login_somehow(struct isp_fabric *fab, u32 port_id, u16 *loop_id)
{
	const struct isp_chip *chip = fab->hw->chip;
	int again = 3, ret;
	u16 used;

	for (;;) {
		if (!loop_id_behind_switch(*loop_id))
			*loop_id = loop_id_take(fab);
		if (*loop_id == ISP_NO_LOOP_ID)
			return -EIO;
		ret = loop_id_claim(fab, *loop_id) ?:
		      chip->login_fabric(fab->hw, *loop_id, port_id, &used);
		if (ret == -EADDRINUSE) {
			/* Stays marked, so that this comes to an end. */
			__set_bit(*loop_id, fab->scan->used);
			*loop_id = ISP_NO_LOOP_ID;
		} else if (ret == -EEXIST && again-- &&
			   used <= chip->max_loop_id(fab->hw)) {
			/* An old login: somebody else may be there by now. */
			loop_id_put(fab, *loop_id);
			*loop_id = used;
		} else {
			return ret == -EEXIST || ret == -ENOSPC ? -EIO : ret;
		}
	}
}

/*
 * Logs in to a port id, under the loop id @loop_id or, if that is
 * ISP_NO_LOOP_ID or taken, another one. Whoever answers there becomes known by
 * its name.
 */
static int port_login(struct isp_fabric *fab, u32 port_id, u16 loop_id,
		      unsigned int epoch)
{
	struct isp_port_info info;
	int ret = login_somehow(fab, port_id, &loop_id);

	if (!ret)
		ret = fab->hw->chip->get_port(fab->hw, loop_id, false, &info);
	if (!ret && (!info.logged_in || !info.wwpn)) {
		loop_id_release(fab, loop_id);
		ret = -ENOTCONN;
	}
	if (!ret)
		return port_found(fab, &info, epoch);
	dev_dbg(fab->hw->dev, "port id %06x: login under loop id %04x: %d\n",
		port_id, loop_id, ret);
	loop_id_put(fab, loop_id);
	return ret;
}

/*
 * Asks a known port whether the login stands. If not, or if another one has
 * its place, @again: log in to whoever is there.
 */
static int port_check(struct isp_fabric *fab, struct isp_port *port,
		      unsigned int epoch, bool again)
{
	struct isp_port_info info;
	int ret = scan_over(fab, epoch);

	if (ret)
		return ret;
	if (!port->info.port_id)
		return -ENOTCONN;
	ret = -EIO;
	if (loop_id_behind_switch(port->info.loop_id))
		ret = fab->hw->chip->get_port(fab->hw, port->info.loop_id,
					      true, &info);
	if (!ret && info.logged_in && info.wwpn == port->info.wwpn &&
	    info.port_id == port->info.port_id)
		return port_found(fab, &info, epoch);
	if (ret && ret != -EIO)
		return ret;
	if (!again)
		return -ENOTCONN;
	return port_login(fab, port->info.port_id, port->info.loop_id, epoch);
}

static bool id_changed(const struct isp_fabric *fab, u32 port_id, u16 loop_id)
{
	const struct isp_look *look = &fab->look;
	const struct isp_change *c;

	for (c = look->changes; c < look->changes + look->nr_changes; c++) {
		if (c->mask == ISP_CHANGE_LOOP_ID ? c->port_id == loop_id :
		    !((c->port_id ^ port_id) & c->mask))
			return true;
	}
	return false;
}

/* Whether there is reason to doubt that a port is as it was. */
static bool port_doubtful(const struct isp_fabric *fab,
			  const struct isp_port *port, unsigned int epoch)
{
	return fab->look.all || port->state != ISP_PORT_ONLINE ||
	       READ_ONCE(port->nexus.epoch) != epoch ||
	       id_changed(fab, port->info.port_id, port->info.loop_id);
}

static bool port_behind_switch(const struct isp_port *port)
{
	return port->info.loop_id > ISP_LOOP_ID_LOCAL_MAX;
}

/*
 * Most ports are where they were, and their devices wait: those that are held
 * are asked, or logged in to, before the name server, which may be slow.
 */
static int ports_greet(struct isp_fabric *fab, unsigned int epoch)
{
	struct isp_port *port;
	int ret;

	list_for_each_entry(port, &fab->ports, node) {
		if (port->seen || !port->known || !port_behind_switch(port))
			continue;
		if (!fab->look.all && port->epoch_then == epoch)
			continue;
		port->asked = true;
		ret = port_check(fab, port, epoch, true);
		if (ret && ret != -EIO && ret != -ENOTCONN)
			return ret;
	}
	return 0;
}

static void ports_mark_listed(struct isp_fabric *fab)
{
	const struct isp_scan *scan = fab->scan;
	struct isp_port *port;
	unsigned int n;

	list_for_each_entry(port, &fab->ports, node) {
		port->listed = false;
		for (n = 0; n < scan->nr_ids && !port->listed; n++)
			port->listed = scan->port_ids[n] == port->info.port_id;
	}
}

/*
 * What becomes of a known port: @ns_ok says whether the name server has given
 * a list. Who is on it, or may be, is logged in to if there is doubt; who is
 * not is asked, since name servers err, and is gone if that fails. Lost ports
 * come back by the list alone, and must not keep the others waiting.
 */
static int port_review(struct isp_fabric *fab, struct isp_port *port,
		       unsigned int epoch, bool ns_ok)
{
	bool lost = port->state != ISP_PORT_ONLINE;
	int ret;

	if (lost && !port->listed)
		return 0;
	/* Greeted in vain, or there is no more time. */
	if (port->asked || (lost && time_after(jiffies, fab->scan->deadline)))
		return refused(fab, port->listed || !ns_ok ? -ENOTCONN : 0);
	if (port->listed || !ns_ok) {
		if (port_doubtful(fab, port, epoch))
			return refused(fab, port_check(fab, port, epoch, true));
		port->seen = true;
		return 0;
	}
	ret = port_check(fab, port, epoch, false);
	return ret == -ENOTCONN ? 0 : ret;
}

static int ports_review(struct isp_fabric *fab, unsigned int epoch, bool ns_ok)
{
	struct isp_port *port;
	int ret;

	list_for_each_entry(port, &fab->ports, node) {
		if (port->seen || !port_behind_switch(port))
			continue;
		ret = port_review(fab, port, epoch, ns_ok);
		if (ret)
			return ret;
	}
	return 0;
}

/* Whether a port id on the name server's list is one to log in to. */
static bool id_is_new(struct isp_fabric *fab, u32 port_id)
{
	struct isp_port *port;

	if (!port_id || port_id == fab->id.port_id ||
	    port_id >> 16 >= DOMAIN_RESERVED)
		return false;
	/* It is on our loop, where the firmware has logged in. */
	if (fab->id.topology == ISP_TOPO_FABRIC_LOOP &&
	    !((port_id ^ fab->id.port_id) >> 8))
		return false;
	list_for_each_entry(port, &fab->ports, node) {
		if (port->info.port_id == port_id &&
		    (port->seen || port->state == ISP_PORT_ONLINE))
			return false;
		/* Known as the second of two, and nothing has changed there. */
		if (port->twin == port_id && port->seen && !fab->look.all &&
		    !id_changed(fab, port_id, ISP_NO_LOOP_ID))
			return false;
	}
	return true;
}

static void ghosts_tell(struct isp_fabric *fab, unsigned int ghosts, u32 first)
{
	if (ghosts && !fab->ghosts_told)
		dev_warn(fab->hw->dev, "%u of %u ports that the name server lists are not there or refuse the login, port id %06x among them: check target and zoning\n",
			 ghosts, fab->scan->nr_ids, first);
	fab->ghosts_told = ghosts;
}

/*
 * Logs in to port ids that nobody has. Whoever is not there may take long to
 * say so: what time does not suffice for comes first in the next discovery.
 */
static int ports_discover(struct isp_fabric *fab, unsigned int epoch)
{
	struct isp_scan *scan = fab->scan;
	unsigned int n, ghosts = 0;
	u32 id, first = 0;
	int ret = 0;

	for (n = 0; n < scan->nr_ids && !ret; n++) {
		if (time_after(jiffies, scan->deadline))
			break;
		id = scan->port_ids[(scan->next + n) % scan->nr_ids];
		if (!id_is_new(fab, id))
			continue;
		ret = scan_over(fab, epoch) ?:
		      port_login(fab, id, ISP_NO_LOOP_ID, epoch);
		if (ret == -EIO || ret == -ENOTCONN) {
			first = first ?: id;
			ghosts++;
			ret = 0;
		}
	}
	scan->refused += ghosts;
	if (n < scan->nr_ids) {
		scan->next = (scan->next + n) % scan->nr_ids;
		scan->refused++;
	} else {
		scan->next = 0;
	}
	if (!ret)
		ghosts_tell(fab, ghosts, first);
	return ret;
}

/* Has the firmware say the switch's name, and the name server hear ours. */
static int fabric_greet(struct isp_fabric *fab)
{
	struct isp_port_info info;
	int ret;

	ret = fab->hw->chip->get_port(fab->hw, ISP_LOOP_ID_F_PORT, false, &info);
	if (ret && ret != -EIO)
		return ret;
	fab->fabric_name = ret ? 0 : info.wwnn;
	return isp_ns_register(fab);
}

static int scan_fabric(struct isp_fabric *fab, unsigned int epoch)
{
	struct isp_scan *scan = fab->scan;
	int count, ret;

	loop_ids_mark(fab);
	ret = ports_greet(fab, epoch);
	if (ret)
		return ret;
	if (fab->look.fresh)
		ret = fabric_greet(fab);
	count = ret ?: isp_ns_list(fab);
	if (count < 0 && count != -EIO && count != -EBADMSG)
		return count;
	scan->nr_ids = max(count, 0);
	scan->deadline = jiffies + LOGINS_MAX_S * HZ;
	fab->unregistered = fab->look.fresh && count < 0;
	if (count < 0)
		scan->refused++;
	ports_mark_listed(fab);
	ret = ports_review(fab, epoch, count >= 0);
	return ret ?: ports_discover(fab, epoch);
}

/**
 * isp_scan() - find out which ports there are
 * @fab: link; @fab->look says what has changed
 * @epoch: of the link when that was so
 *
 * Context: process; sleeps.
 *
 * Return: number of ports; -ENOTCONN if some that should be there could not be
 * logged in to, or the name server could not be asked; -EAGAIN or -EIO if the
 * firmware is not ready to answer; -ECANCELED if the link has been initialized
 * meanwhile; another negative errno if the card is at fault.
 */
int isp_scan(struct isp_fabric *fab, unsigned int epoch)
{
	const struct isp_chip *chip = fab->hw->chip;
	struct isp_port *port;
	unsigned int found = 0;
	u16 state;
	int ret;

	ret = chip->get_state(fab->hw, &state);
	if (ret)
		return ret;
	if (state != ISP_FW_READY)
		return -EAGAIN;
	ret = chip->get_local_id(fab->hw, &fab->id);
	if (ret)
		return ret == -EIO ? -EAGAIN : ret;
	/* Whoever has seen a port ready before the link went is done with it. */
	if (fab->look.all) {
		isp_queue_sync(fab->q);
		ret = isp_queue_marker(fab->q, ISP_MARK_ALL, 0, 0);
	}
	if (ret)
		return ret;
	list_for_each_entry(port, &fab->ports, node) {
		port->epoch_then = READ_ONCE(port->nexus.epoch);
		port->seen = false;
		port->asked = false;
	}
	fab->scan->refused = 0;
	if (fab->id.topology != ISP_TOPO_FABRIC)
		ret = scan_loop(fab, epoch);
	if (!ret && isp_behind_switch(fab))
		ret = scan_fabric(fab, epoch);
	if (!isp_behind_switch(fab))
		fab->unregistered = false;
	ret = ret ?: scan_over(fab, epoch);
	if (ret)
		return ret;
	list_for_each_entry(port, &fab->ports, node)
		found += port->seen;
	return fab->scan->refused ? -ENOTCONN : found;
}
