// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 2: what a card leaves behind when it has failed, for who looks into
 * its firmware: /sys/class/devcoredump/.
 *
 * In two steps, since the registers are gone with the reset, and the RISC's
 * memory can only be asked for after it, when the ROM code answers (linux
 * qla2xxx: qla2300_fw_dump()). One dump at a time, and so many seconds apart:
 * a card that fails again and again has better things to do.
 *
 * A dump is ISP_DUMP_TEXT bytes of text, padded with zeroes, then the memory
 * in little-endian words. isp-fw shows it.
 */
#include <linux/devcoredump.h>
#include <linux/vmalloc.h>

#include "isp_chip.h"
#include "isp_compat.h"

#define ISP_DUMP_TEXT		1024
#define ISP_DUMP_PAUSE_S	300

static u32 dump_words(const struct isp_hw *hw)
{
	u32 last = min_t(u32, hw->ram_last, ISP_RAM_LAST_MAX);

	if (!hw->chip->ram_first || last < hw->chip->ram_first)
		return 0;
	return last + 1 - hw->chip->ram_first;
}

/**
 * isp_dump_begin() - keep what the reset of a failed card would wipe out
 * @hw: card, about to be reset; interrupts off, mailbox closed
 *
 * Context: process; sleeps.
 */
void isp_dump_begin(struct isp_hw *hw)
{
	char *text;
	int len;

	if (!IS_ENABLED(CONFIG_DEV_COREDUMP) || hw->dump || isp_hw_gone(hw) ||
	    (hw->dump_next && time_before(jiffies, hw->dump_next)))
		return;
	text = vzalloc(ISP_DUMP_TEXT + 2 * dump_words(hw));
	if (!text)
		return;
	hw->dump_next = jiffies + ISP_DUMP_PAUSE_S * HZ ?: 1;
	hw->dump = text;
	len = scnprintf(text, ISP_DUMP_TEXT,
			"qla_isp dump 1\nchip %s\nfirmware %u.%02u.%02u\ntime %lld\nwhy %s\n",
			hw->chip->name, hw->fw_version[0], hw->fw_version[1],
			hw->fw_version[2], ktime_get_real_seconds(), hw->why);
	hw->chip->registers(hw, text + len, ISP_DUMP_TEXT - len);
}

/**
 * isp_dump_end() - read the memory, and hand the dump to user space
 * @hw: card, just reset, whose ROM code answers; nothing has been loaded
 *
 * Does nothing if no dump was begun. Context: process; sleeps.
 */
void isp_dump_end(struct isp_hw *hw)
{
	char *text = hw->dump;
	u32 words, n = 0;
	int len, ret = 1;

	hw->dumped = text;
	if (!text)
		return;
	hw->dump = NULL;
	words = dump_words(hw);
	while (ret > 0 && n < words) {
		ret = hw->chip->ram_read(hw, hw->chip->ram_first + n, words - n,
					 text + ISP_DUMP_TEXT + 2 * n);
		n += max(ret, 0);
	}
	len = strlen(text);
	scnprintf(text + len, ISP_DUMP_TEXT - len, "memory %05x %u words\n",
		  hw->chip->ram_first, n);
	dev_coredumpv(hw->dev, text, ISP_DUMP_TEXT + 2 * n, GFP_KERNEL);
}

/**
 * isp_dump_drop() - forget a dump that was begun
 * @hw: card
 */
void isp_dump_drop(struct isp_hw *hw)
{
	vfree(hw->dump);
	hw->dump = NULL;
}
