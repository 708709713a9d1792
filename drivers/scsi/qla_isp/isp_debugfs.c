// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adapter: what its floors look like inside, for people:
 * /sys/kernel/debug/qla_isp/hostN/. Looks only, and asks the card nothing, so
 * that it can be read whatever state the card is in.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "isp_hba.h"

static struct dentry *isp_debugfs_root;

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

/* Whose port that is; 0 if the command has just come back. */
static u64 nexus_wwpn(struct isp_fabric *fab, const struct isp_nexus *nexus)
{
	struct isp_port *port;

	list_for_each_entry_rcu(port, &fab->ports, node, true)
		if (&port->nexus == nexus)
			return port->info.wwpn;
	return 0;
}

/* Which commands are with the card. */
static void show_commands(struct seq_file *s, struct isp_hba *hba)
{
	const struct isp_queue *q = &hba->q;
	const struct isp_slot *slot;
	unsigned int n = 0;
	u32 handle;

	for (slot = q->slots; slot < q->slots + q->nr_slots; slot++) {
		/* Pairs with the release in isp_queue_submit(). */
		handle = smp_load_acquire(&slot->handle);
		if (!handle)
			continue;
		seq_printf(s, "handle %08x  port %016llx  lun %u\n", handle,
			   nexus_wwpn(&hba->fab, slot->nexus), slot->lun);
		n++;
	}
	seq_printf(s, "commands: %u of %u are with the card\n", n, q->nr_slots);
}

static int ring_show(struct seq_file *s, void *unused)
{
	struct isp_hba *hba = dev_get_drvdata(s->private);
	struct isp_queue *q = &hba->q;

	spin_lock(&q->lock);
	seq_printf(s, "takes commands: %s\n", yes_no(q->live));
	seq_printf(s, "request ring: %u entries, %u put, %u announced, %u or more fetched\n",
		   q->req_mask + 1, q->prod, q->rung, READ_ONCE(q->seen));
	spin_unlock(&q->lock);
	seq_printf(s, "response ring: %u entries, next %u\n",
		   q->rsp_mask + 1, READ_ONCE(q->rsp_out) & q->rsp_mask);
	show_commands(s, hba);
	return 0;
}

static void show_port(struct seq_file *s, const struct isp_fabric *fab,
		      const struct isp_port *port)
{
	static const char * const states[] = {
		[ISP_PORT_NEW]		= "new",
		[ISP_PORT_ONLINE]	= "online",
		[ISP_PORT_LOST]		= "lost",
	};

	seq_printf(s, "port %016llx  id %06x  loop id %04x  %s, %s%s%s\n",
		   port->info.wwpn, port->info.port_id,
		   READ_ONCE(port->info.loop_id), states[READ_ONCE(port->state)],
		   isp_port_ready(fab, port) ? "ready" : "held",
		   port->info.target ? ", target" : "",
		   port->info.initiator ? ", initiator" : "");
}

static int ports_show(struct seq_file *s, void *unused)
{
	static const char * const links[] = {
		[ISP_LINK_DOWN]		= "down",
		[ISP_LINK_INIT]		= "being looked at",
		[ISP_LINK_READY]	= "ready",
	};
	struct isp_hba *hba = dev_get_drvdata(s->private);
	struct isp_fabric *fab = &hba->fab;
	struct isp_port *port;

	seq_printf(s, "link: %s, %u events, initialized %u times\n",
		   links[READ_ONCE(fab->link)], READ_ONCE(fab->gen),
		   READ_ONCE(fab->q->epoch));
	seq_printf(s, "discovery: %u tries in a row have missed somebody\n",
		   READ_ONCE(fab->tries));
	seq_printf(s, "own %016llx  id %06x  loop id %04x\n",
		   hba->hw.cfg.wwpn, fab->id.port_id, fab->id.loop_id);
	list_for_each_entry_rcu(port, &fab->ports, node, true)
		show_port(s, fab, port);
	return 0;
}

static void show_moderation(struct seq_file *s, struct isp_queue *q)
{
	static const char * const why[] = {
		[ISP_MOD_SHALLOW]	= "too few commands",
		[ISP_MOD_IDLE]		= "an idle processor",
		[ISP_MOD_TIMER]		= "nobody but the timer",
		[ISP_MOD_ASKED]		= "a mailbox command, a reset, or a change of bounds",
	};
	struct isp_moderation *mod = &q->mod;
	unsigned int n;

	seq_printf(s, "masked for moderation: %s%s\n",
		   yes_no(isp_moderated(q->hw)),
		   isp_quiet(q->hw) == ISP_QUIET_AIR ? ", but for a moment" : "");
	spin_lock(&q->lock);
	seq_printf(s, "moderation: every %u us, from %u commands on; %u are with the card\n",
		   mod->us, mod->depth, isp_queue_out(q));
	seq_printf(s, "moderation begins after %u good looks, there were %u\n",
		   READ_ONCE(mod->need), mod->streak);
	seq_printf(s, "moderation has begun: %u\n", mod->begun);
	spin_unlock(&q->lock);
	for (n = 0; n < ARRAY_SIZE(why); n++)
		seq_printf(s, "moderation has ended for %s: %u\n", why[n],
			   READ_ONCE(mod->ended[n]));
	seq_printf(s, "response ring: %u entries in %u goes\n",
		   READ_ONCE(q->rsp_out), READ_ONCE(q->drains));
}

static int interrupts_show(struct seq_file *s, void *unused)
{
	struct isp_hba *hba = dev_get_drvdata(s->private);
	struct isp_hw *hw = &hba->hw;

	seq_printf(s, "enabled: %s\n", yes_no(test_bit(ISP_HW_INTR, &hw->flags)));
	seq_printf(s, "masked for pollers: %s\n",
		   yes_no(isp_quiet(hw) == ISP_QUIET_POLLERS));
	seq_printf(s, "mailbox commands under way: %u\n",
		   READ_ONCE(hw->quiet.loud));
	seq_printf(s, "without a reason, in a row: %u\n",
		   READ_ONCE(hba->q.useless));
	show_moderation(s, &hba->q);
	return 0;
}

/**
 * isp_debugfs_add() - show an adapter's insides
 * @hba: adapter with a registered host, and its device's data
 */
void isp_debugfs_add(struct isp_hba *hba)
{
	char name[16];

	scnprintf(name, sizeof(name), "host%u", hba->hw.host);
	hba->debugfs = debugfs_create_dir(name, isp_debugfs_root);
	debugfs_create_devm_seqfile(hba->hw.dev, "ring", hba->debugfs,
				    ring_show);
	debugfs_create_devm_seqfile(hba->hw.dev, "ports", hba->debugfs,
				    ports_show);
	debugfs_create_devm_seqfile(hba->hw.dev, "interrupts", hba->debugfs,
				    interrupts_show);
}

/**
 * isp_debugfs_remove() - no longer
 * @hba: adapter; nobody is at its files when this returns
 */
void isp_debugfs_remove(struct isp_hba *hba)
{
	debugfs_remove_recursive(hba->debugfs);
}

/**
 * isp_debugfs_init() - make the folder for the adapters
 */
void isp_debugfs_init(void)
{
	isp_debugfs_root = debugfs_create_dir("qla_isp", NULL);
}

/**
 * isp_debugfs_exit() - remove it
 */
void isp_debugfs_exit(void)
{
	debugfs_remove_recursive(isp_debugfs_root);
}
