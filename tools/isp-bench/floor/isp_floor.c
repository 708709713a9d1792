// SPDX-License-Identifier: GPL-2.0-only
/*
 * isp_floor: a SCSI host without hardware that completes each command at
 * once, from queuecommand, and moves no data unless it is told to keep what is
 * written. What an I/O costs here it costs with every SCSI host: the floor that
 * a driver's own cost stands on.
 *
 * Its logical units say of themselves what those of the virtual card do:
 * 512-byte blocks, no write cache, DPO and FUA, a medium that does not rotate.
 *
 * Layouts: SPC-4 and SBC-3.
 */
#define pr_fmt(fmt)	KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/xarray.h>
#include <scsi/scsi.h>
#include <scsi/scsi_device.h>

#include "floor_compat.h"

#define FLOOR_BLOCK		512
#define FLOOR_DATA_MAX		256	/* answer to anything but REPORT LUNS */
#define FLOOR_QUIET_BLOCKS	64	/* where partition tables are looked for */

static unsigned int targets = 1;
module_param(targets, uint, 0444);
MODULE_PARM_DESC(targets, "Targets, 1 to 256 (default 1)");

static unsigned int luns = 1;
module_param(luns, uint, 0444);
MODULE_PARM_DESC(luns, "Logical units of each, 1 to 256 (default 1)");

static unsigned int size_mb = 64;
module_param(size_mb, uint, 0444);
MODULE_PARM_DESC(size_mb, "MiB of each logical unit (default 64)");

static unsigned int can_queue = 1024;
module_param(can_queue, uint, 0444);
MODULE_PARM_DESC(can_queue, "Commands at a time, 1 to 4096 (default 1024, as qla_isp)");

static unsigned int cmd_per_lun = 64;
module_param(cmd_per_lun, uint, 0444);
MODULE_PARM_DESC(cmd_per_lun, "Commands per LUN at a time (default 64, as qla_isp)");

static unsigned int sg_tablesize = 256;
module_param(sg_tablesize, uint, 0444);
MODULE_PARM_DESC(sg_tablesize, "Segments of a command (default 256, as qla_isp)");

static unsigned int max_sectors = 8192;
module_param(max_sectors, uint, 0444);
MODULE_PARM_DESC(max_sectors, "Sectors of a command (default 8192, as qla_isp)");

static unsigned int poll_queues;
module_param(poll_queues, uint, 0444);
MODULE_PARM_DESC(poll_queues, "Polled queues beside the other one (default 0)");

static bool direct = true;
module_param(direct, bool, 0444);
MODULE_PARM_DESC(direct,
		 "Complete in the submitter's context (default, from Linux 6.0 on); N: in the block layer's softirq, as drivers with one queue and an interrupt do");

static bool memory;
module_param(memory, bool, 0444);
MODULE_PARM_DESC(memory,
		 "Keep what is written, in pages of memory, for filesystems (default N: no data is moved)");

static struct Scsi_Host *floor_host;

/* With memory: of each logical unit the pages that were written, by number. */
static struct xarray *floor_media;

static u64 floor_blocks(void)
{
	return (u64)size_mb << (20 - 9);
}

static void floor_text(u8 *to, const char *text, unsigned int len)
{
	unsigned int n = min_t(unsigned int, strlen(text), len);

	memcpy(to, text, n);
	memset(to + n, ' ', len - n);
}

/* Place and serial number are one: "0-3" is LUN 3 of target 0. */
static unsigned int floor_serial(const struct scsi_device *sdev, u8 *to,
				 unsigned int room)
{
	return scnprintf(to, room, "floor-%u-%llu", sdev->id, sdev->lun);
}

static unsigned int floor_standard_inquiry(u8 *buf)
{
	buf[2] = 6;		/* SPC-4 */
	buf[3] = 0x12;		/* HiSup, response data format 2 */
	buf[4] = 36 - 5;
	buf[7] = 0x02;		/* CmdQue */
	floor_text(buf + 8, "QLA_ISP", 8);
	floor_text(buf + 16, "FLOOR", 16);
	floor_text(buf + 32, "1.0", 4);
	return 36;
}

static unsigned int floor_identification(const struct scsi_device *sdev,
					 u8 *buf)
{
	unsigned int n;

	buf[4] = 0x02;		/* ASCII */
	buf[5] = 0x01;		/* of the logical unit, T10 vendor id */
	floor_text(buf + 8, "QLA_ISP", 8);
	n = floor_serial(sdev, buf + 16, 64);
	buf[7] = 8 + n;
	return 16 + n;
}

/* Returns the length, or 0 for a page that is not there. */
static unsigned int floor_vpd(const struct scsi_device *sdev, u8 page, u8 *buf)
{
	static const u8 pages[] = { 0x00, 0x80, 0x83, 0xb1 };
	unsigned int len;

	buf[1] = page;
	switch (page) {
	case 0x00:
		memcpy(buf + 4, pages, sizeof(pages));
		len = 4 + sizeof(pages);
		break;
	case 0x80:
		len = 4 + floor_serial(sdev, buf + 4, 64);
		break;
	case 0x83:
		len = floor_identification(sdev, buf);
		break;
	case 0xb1:
		put_unaligned_be16(1, buf + 4);		/* does not rotate */
		len = 64;
		break;
	default:
		return 0;
	}
	put_unaligned_be16(len - 4, buf + 2);
	return len;
}

static unsigned int floor_inquiry(const struct scsi_cmnd *cmd, u8 *buf)
{
	if (cmd->cmnd[1] & 1)
		return floor_vpd(cmd->device, cmd->cmnd[2], buf);
	return cmd->cmnd[2] ? 0 : floor_standard_inquiry(buf);
}

static unsigned int floor_capacity(u8 *buf)
{
	u64 last = floor_blocks() - 1;

	put_unaligned_be32(min_t(u64, last, U32_MAX), buf);
	put_unaligned_be32(FLOOR_BLOCK, buf + 4);
	return 8;
}

static unsigned int floor_capacity_16(u8 *buf)
{
	put_unaligned_be64(floor_blocks() - 1, buf);
	put_unaligned_be32(FLOOR_BLOCK, buf + 8);
	return 32;
}

/* The caching page: no cache; no other page is there. */
static unsigned int floor_mode_sense(const struct scsi_cmnd *cmd, u8 *buf)
{
	bool ten = cmd->cmnd[0] == MODE_SENSE_10;
	unsigned int head = ten ? 8 : 4, len = head;
	u8 page = cmd->cmnd[2] & 0x3f;

	if (page != 0x08 && page != 0x3f)
		return 0;
	buf[len] = 0x08;
	buf[len + 1] = 18;
	len += 20;
	buf[ten ? 3 : 2] = 0x10;	/* DPOFUA */
	if (ten)
		put_unaligned_be16(len - 2, buf);
	else
		buf[0] = len - 1;
	return len;
}

static void floor_invalid_command(struct scsi_cmnd *cmd)
{
	scsi_build_sense(cmd, 0, ILLEGAL_REQUEST, 0x20, 0);
}

static void floor_invalid_field(struct scsi_cmnd *cmd)
{
	scsi_build_sense(cmd, 0, ILLEGAL_REQUEST, 0x24, 0);
}

/* Hand @len bytes of an answer over, or as many as there is room for. */
static void floor_give(struct scsi_cmnd *cmd, void *buf, unsigned int len)
{
	if (!len) {
		floor_invalid_field(cmd);
		return;
	}
	len = sg_copy_from_buffer(scsi_sglist(cmd), scsi_sg_count(cmd), buf,
				  min(len, scsi_bufflen(cmd)));
	scsi_set_resid(cmd, scsi_bufflen(cmd) - len);
}

static void floor_report_luns(struct scsi_cmnd *cmd)
{
	unsigned int len = 8 + luns * sizeof(struct scsi_lun);
	u8 *buf = kzalloc(len, GFP_ATOMIC);
	unsigned int i;

	if (!buf) {
		cmd->result = DID_IMM_RETRY << 16;
		return;
	}
	put_unaligned_be32(len - 8, buf);
	for (i = 0; i < luns; i++)
		int_to_scsilun(i, (struct scsi_lun *)(buf + 8) + i);
	floor_give(cmd, buf, len);
	kfree(buf);
}

/* What is no I/O. */
static void floor_control(struct scsi_cmnd *cmd)
{
	u8 buf[FLOOR_DATA_MAX] = { 0 };

	switch (cmd->cmnd[0]) {
	case INQUIRY:
		floor_give(cmd, buf, floor_inquiry(cmd, buf));
		break;
	case READ_CAPACITY:
		floor_give(cmd, buf, floor_capacity(buf));
		break;
	case SERVICE_ACTION_IN_16:
		if ((cmd->cmnd[1] & 0x1f) == SAI_READ_CAPACITY_16)
			floor_give(cmd, buf, floor_capacity_16(buf));
		else
			floor_invalid_field(cmd);
		break;
	case MODE_SENSE:
	case MODE_SENSE_10:
		floor_give(cmd, buf, floor_mode_sense(cmd, buf));
		break;
	case REPORT_LUNS:
		floor_report_luns(cmd);
		break;
	case TEST_UNIT_READY:
	case START_STOP:
	case SYNCHRONIZE_CACHE:
	case SYNCHRONIZE_CACHE_16:
		break;
	default:
		floor_invalid_command(cmd);
		break;
	}
}

static struct xarray *floor_medium(const struct scsi_device *sdev)
{
	return &floor_media[sdev->id * luns + sdev->lun];
}

/* The page @number of a medium, a new one if there is none. NULL: no memory. */
static struct page *floor_page_to_write(struct xarray *medium, unsigned long number)
{
	struct page *page = xa_load(medium, number), *other;

	if (page)
		return page;
	page = alloc_page(GFP_ATOMIC | __GFP_ZERO | __GFP_NOWARN);
	if (!page)
		return NULL;
	/* Another processor may have been quicker. */
	other = xa_cmpxchg(medium, number, NULL, page, GFP_ATOMIC | __GFP_NOWARN);
	if (likely(!other))
		return page;
	__free_page(page);
	return xa_is_err(other) ? NULL : other;
}

/* Returns false where memory is short. */
static bool floor_copy(struct xarray *medium, u64 at, void *buf, size_t len,
		       bool write)
{
	while (len) {
		size_t offset = offset_in_page(at);
		size_t n = min_t(size_t, len, PAGE_SIZE - offset);
		struct page *page;

		if (write) {
			page = floor_page_to_write(medium, at >> PAGE_SHIFT);
			if (!page)
				return false;
			memcpy(page_address(page) + offset, buf, n);
		} else {
			page = xa_load(medium, at >> PAGE_SHIFT);
			if (page)
				memcpy(buf, page_address(page) + offset, n);
			else
				memset(buf, 0, n);
		}
		at += n;
		buf += n;
		len -= n;
	}
	return true;
}

static void floor_move(struct scsi_cmnd *cmd, u64 lba, bool write)
{
	struct xarray *medium = floor_medium(cmd->device);
	u64 at = lba * FLOOR_BLOCK;
	struct sg_mapping_iter miter;

	sg_miter_start(&miter, scsi_sglist(cmd), scsi_sg_count(cmd),
		       SG_MITER_ATOMIC |
		       (write ? SG_MITER_FROM_SG : SG_MITER_TO_SG));
	while (sg_miter_next(&miter)) {
		if (!floor_copy(medium, at, miter.addr, miter.length, write)) {
			cmd->result = DID_IMM_RETRY << 16;
			break;
		}
		at += miter.length;
	}
	sg_miter_stop(&miter);
}

static int floor_media_make(void)
{
	unsigned int i, nr = targets * luns;

	if (!memory)
		return 0;
	floor_media = kvcalloc(nr, sizeof(*floor_media), GFP_KERNEL);
	if (!floor_media)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		xa_init(&floor_media[i]);
	return 0;
}

static void floor_media_free(void)
{
	unsigned int i, nr = floor_media ? targets * luns : 0;

	for (i = 0; i < nr; i++) {
		unsigned long number;
		struct page *page;

		xa_for_each(&floor_media[i], number, page)
			__free_page(page);
		xa_destroy(&floor_media[i]);
	}
	kvfree(floor_media);
}

/*
 * What is read is whatever was in memory, but for the first blocks: leftovers
 * there could look like a partition table.
 */
static void floor_read(struct scsi_cmnd *cmd, u64 lba)
{
	struct scatterlist *sg;
	unsigned int i;

	if (memory) {
		floor_move(cmd, lba, false);
		return;
	}
	if (likely(lba >= FLOOR_QUIET_BLOCKS))
		return;
	scsi_for_each_sg(cmd, sg, scsi_sg_count(cmd), i)
		sg_zero_buffer(sg, 1, sg->length, 0);
}

static void floor_write(struct scsi_cmnd *cmd, u64 lba)
{
	if (memory)
		floor_move(cmd, lba, true);
}

static void floor_carry_out(struct scsi_cmnd *cmd)
{
	switch (cmd->cmnd[0]) {
	case READ_10:
		floor_read(cmd, get_unaligned_be32(cmd->cmnd + 2));
		break;
	case READ_16:
		floor_read(cmd, get_unaligned_be64(cmd->cmnd + 2));
		break;
	case WRITE_10:
		floor_write(cmd, get_unaligned_be32(cmd->cmnd + 2));
		break;
	case WRITE_16:
		floor_write(cmd, get_unaligned_be64(cmd->cmnd + 2));
		break;
	default:
		floor_control(cmd);
		break;
	}
}

/*
 * The block layer's softirq runs when bottom halves are enabled again, as it
 * does behind a real interrupt, and not in a thread that has to be woken.
 */
static void floor_done_in_softirq(struct scsi_cmnd *cmd)
{
	local_bh_disable();
	scsi_done(cmd);
	local_bh_enable();
}

/*
 * Polled requests end in the submitter's context, and so they do here: the
 * block layer warns where bottom halves are disabled.
 */
static FLOOR_QC_STATUS floor_queuecommand(struct Scsi_Host *shost, struct scsi_cmnd *cmd)
{
	floor_carry_out(cmd);
	if ((FLOOR_HAS_DIRECT && direct) ||
	    scsi_cmd_to_rq(cmd)->cmd_flags & REQ_POLLED)
		scsi_done_direct(cmd);
	else
		floor_done_in_softirq(cmd);
	return 0;
}

/* Nothing waits for a doorbell. */
static void floor_commit_rqs(struct Scsi_Host *shost, u16 hwq)
{
}

/* Nothing is ever left to find. */
static int __maybe_unused floor_mq_poll(struct Scsi_Host *shost, unsigned int queue)
{
	return 0;
}

static void floor_map_queues(struct Scsi_Host *shost)
{
	struct blk_mq_tag_set *set = &shost->tag_set;
	struct blk_mq_queue_map *map = &set->map[HCTX_TYPE_DEFAULT];

	map->nr_queues = 1;
	map->queue_offset = 0;
	blk_mq_map_queues(map);
	if (set->nr_maps > HCTX_TYPE_POLL) {
		set->map[HCTX_TYPE_READ].nr_queues = 0;
		map = &set->map[HCTX_TYPE_POLL];
		map->nr_queues = poll_queues;
		map->queue_offset = 1;
		blk_mq_map_queues(map);
	}
}

static int floor_sdev_init(struct scsi_device *sdev)
{
	return sdev->id < targets && sdev->lun < luns ? 0 : -ENXIO;
}

static FLOOR_CONST_SHT struct scsi_host_template floor_template = {
	.module			= THIS_MODULE,
	.name			= "isp_floor",
	.proc_name		= "isp_floor",
	.queuecommand		= floor_queuecommand,
	.commit_rqs		= floor_commit_rqs,
	FLOOR_MQ_POLL(floor_mq_poll)
	.map_queues		= FLOOR_MAP_QUEUES,
	.sdev_init		= floor_sdev_init,
	.change_queue_depth	= scsi_change_queue_depth,
	.skip_settle_delay	= 1,
	.this_id		= -1,
	.supported_mode		= MODE_INITIATOR,
};

static int floor_check(const char *name, unsigned int val, unsigned int lo,
		       unsigned int hi)
{
	if (val >= lo && val <= hi)
		return 0;
	pr_err("%s=%u: it must be %u to %u\n", name, val, lo, hi);
	return -EINVAL;
}

static int floor_check_all(void)
{
	return floor_check("targets", targets, 1, 256) ?:
	       floor_check("luns", luns, 1, 256) ?:
	       floor_check("size_mb", size_mb, 1, 1U << 30) ?:
	       floor_check("can_queue", can_queue, 1, 4096) ?:
	       floor_check("cmd_per_lun", cmd_per_lun, 1, can_queue) ?:
	       floor_check("sg_tablesize", sg_tablesize, 1, SG_MAX_SEGMENTS) ?:
	       floor_check("max_sectors", max_sectors, 8, 65535) ?:
	       floor_check("poll_queues", poll_queues, 0,
			   FLOOR_POLL_QUEUES_MAX);
}

static int __init floor_init(void)
{
	struct Scsi_Host *shost;
	int ret = floor_check_all();

	if (ret)
		return ret;
	ret = floor_media_make();
	if (ret)
		return ret;
	ret = -ENOMEM;
	shost = scsi_host_alloc(&floor_template, 0);
	if (!shost)
		goto err_media;
	shost->can_queue = can_queue;
	shost->cmd_per_lun = cmd_per_lun;
	shost->sg_tablesize = sg_tablesize;
	shost->max_sectors = max_sectors;
	shost->max_id = targets;
	shost->max_lun = luns;
	shost->max_cmd_len = 16;
	shost->nr_hw_queues = 1 + poll_queues;
	floor_set_nr_maps(shost, poll_queues ? HCTX_MAX_TYPES : 1);
	shost->host_tagset = 1;
	ret = scsi_add_host(shost, NULL);
	if (ret)
		goto err_host;
	floor_host = shost;
	scsi_scan_host(shost);
	return 0;

err_host:
	scsi_host_put(shost);
err_media:
	floor_media_free();
	return ret;
}

static void __exit floor_exit(void)
{
	scsi_remove_host(floor_host);
	scsi_host_put(floor_host);
	floor_media_free();
}

module_init(floor_init);
module_exit(floor_exit);

MODULE_DESCRIPTION("SCSI host without hardware that completes at once, for isp-bench");
MODULE_LICENSE("GPL");
