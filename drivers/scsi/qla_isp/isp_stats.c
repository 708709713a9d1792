// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 4: statistics, as the FC transport class shows them.
 *
 * Two sources: the queue counts commands and bytes, the firmware counts what
 * goes wrong on the link. The firmware begins anew with each reset of the card,
 * and cannot be told to forget: what is shown is therefore summed up here.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>

#include "isp_fabric.h"
#include "isp_queue.h"

/*
 * The class fetches one number at a time, and a tool all of them: the firmware
 * is asked once for so many.
 */
#define STATS_FRESH_MS		100

/* What the class takes for "not counted". */
#define STATS_UNKNOWN		(~0ULL)

/**
 * isp_stats_init() - begin statistics
 * @st: statistics, zeroed
 */
void isp_stats_init(struct isp_stats *st)
{
	mutex_init(&st->lock);
	memset(&st->shown, 0xff, sizeof(st->shown));
	st->since = get_jiffies_64();
	st->asked = jiffies - msecs_to_jiffies(STATS_FRESH_MS) - 1;
}

/*
 * One of the firmware's counters. All ones is not a number that one reaches in
 * practice, but what a card without it says, or a broken one; less than before
 * is one that has begun anew.
 */
static void add_count(u64 *total, u32 *seen, u32 now)
{
	if (now == U32_MAX)
		return;
	if (*total == STATS_UNKNOWN)
		*total = now;
	else
		*total += now >= *seen ? now - *seen : now;
	*seen = now;
}

/**
 * isp_stats_card_reset() - the firmware's counters are about to begin anew
 * @st: statistics
 *
 * Context: process; sleeps. The mailbox is closed, so that nobody is about to
 * hear of numbers from before the reset.
 */
void isp_stats_card_reset(struct isp_stats *st)
{
	mutex_lock(&st->lock);
	memset(&st->seen, 0, sizeof(st->seen));
	mutex_unlock(&st->lock);
}

/* st->lock held. What the firmware does not tell stays as it is. */
static void ask_firmware(struct isp_fabric *fab)
{
	struct isp_stats *st = &fab->stats;
	struct fc_host_statistics *s = &st->shown;
	struct isp_link_counts *seen = &st->seen, now;
	int ret;

	if (time_before(jiffies, st->asked + msecs_to_jiffies(STATS_FRESH_MS)))
		return;
	ret = fab->hw->chip->get_link_counts(fab->hw, fab->id.loop_id, &now);
	st->asked = jiffies;
	if (ret)
		return;
	add_count(&s->link_failure_count, &seen->link_failure,
		  now.link_failure);
	add_count(&s->loss_of_sync_count, &seen->loss_of_sync,
		  now.loss_of_sync);
	add_count(&s->loss_of_signal_count, &seen->loss_of_signal,
		  now.loss_of_signal);
	add_count(&s->prim_seq_protocol_err_count, &seen->prim_seq_error,
		  now.prim_seq_error);
	add_count(&s->invalid_tx_word_count, &seen->invalid_word,
		  now.invalid_word);
	add_count(&s->invalid_crc_count, &seen->invalid_crc, now.invalid_crc);
	add_count(&s->lip_count, &seen->lip, now.lip);
}

/**
 * isp_stats_get() - statistics since the driver came up, or since their reset
 * @fab: link
 *
 * A number that nobody counts, or that the firmware has not told yet, is all
 * ones. Commands are counted when they are given to the card, with the bytes
 * that they ask for.
 *
 * Context: process; sleeps.
 *
 * Return: them; they change with the next call.
 */
struct fc_host_statistics *isp_stats_get(struct isp_fabric *fab)
{
	struct isp_stats *st = &fab->stats;
	struct fc_host_statistics *s = &st->shown;
	struct isp_queue_counts c;

	isp_queue_get_counts(fab->q, &c);
	mutex_lock(&st->lock);
	ask_firmware(fab);
	s->fcp_input_requests = c.requests[ISP_DIR_READ];
	s->fcp_output_requests = c.requests[ISP_DIR_WRITE];
	s->fcp_control_requests = c.requests[ISP_DIR_NONE];
	s->fcp_input_megabytes = c.bytes[ISP_DIR_READ] >> 20;
	s->fcp_output_megabytes = c.bytes[ISP_DIR_WRITE] >> 20;
	s->seconds_since_last_reset = div_u64(get_jiffies_64() - st->since, HZ);
	mutex_unlock(&st->lock);
	return s;
}

/**
 * isp_stats_reset() - count from 0 again
 * @fab: link
 *
 * Context: process; sleeps.
 */
void isp_stats_reset(struct isp_fabric *fab)
{
	struct isp_stats *st = &fab->stats;
	u64 *n = (u64 *)&st->shown;
	unsigned int i;

	isp_queue_reset_counts(fab->q);
	mutex_lock(&st->lock);
	ask_firmware(fab);
	for (i = 0; i < sizeof(st->shown) / sizeof(*n); i++)
		if (n[i] != STATS_UNKNOWN)
			n[i] = 0;
	st->since = get_jiffies_64();
	mutex_unlock(&st->lock);
}
