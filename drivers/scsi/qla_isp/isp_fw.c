// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 2: getting the firmware, loading it into the RISC's memory and
 * starting it; reading the configuration from NVRAM.
 */
#include <linux/delay.h>
#include <linux/dmi.h>
#include <linux/firmware.h>
#include <linux/pci.h>
#include <linux/random.h>

#include "isp_chip.h"

/**
 * isp_fw_get() - fetch the firmware file and check it
 * @hw: card
 *
 * The file stays in memory until isp_fw_put(), for resets to come.
 *
 * Context: process; sleeps.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_fw_get(struct isp_hw *hw)
{
	const char *name = hw->chip->fw_name;
	enum isp_image_fault fault;
	int ret;

	ret = firmware_request_nowarn(&hw->firmware, name, hw->dev);
	if (ret) {
		hw->firmware = NULL;
		dev_err(hw->dev,
			"firmware %s not found (%d): install it in the firmware directory (firmware-qlogic or linux-firmware package) and make the initramfs again\n",
			name, ret);
		return ret;
	}
	fault = isp_image_check(hw->firmware->data, hw->firmware->size,
				&hw->chip->image, &hw->image);
	if (fault) {
		dev_err(hw->dev, "firmware %s (%zu bytes) %s: install it anew\n",
			name, hw->firmware->size, isp_image_fault_str(fault));
		isp_fw_put(hw);
		return -EINVAL;
	}
	return 0;
}

/**
 * isp_fw_put() - give the firmware file back
 * @hw: card; need not have one
 */
void isp_fw_put(struct isp_hw *hw)
{
	release_firmware(hw->firmware);
	hw->firmware = NULL;
}

static int fw_load_all(struct isp_hw *hw)
{
	unsigned int n;
	int ret;

	hw->load_by = jiffies + ISP_LOAD_MAX_S * HZ;
	for (n = 0; n < hw->image.segs; n++) {
		ret = hw->chip->fw_load(hw, hw->image.seg[n].data,
					hw->image.seg[n].words,
					hw->image.seg[n].addr);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * The firmware needs a moment after Execute Firmware has been answered; how
 * long, no document says. Public drivers wait up to 250 ms blindly.
 */
static int fw_about(struct isp_hw *hw)
{
	int tries, ret = -EIO;

	for (tries = 0; tries < 10 && ret == -EIO; tries++) {
		if (tries)
			msleep(25);
		ret = hw->chip->fw_about(hw);
	}
	if (ret == -EIO)
		dev_err(hw->dev, "firmware does not say which version it is: %s may be damaged, install it anew\n",
			hw->chip->fw_name);
	return ret;
}

/**
 * isp_fw_start() - load the firmware into a chip just reset, and start it
 * @hw: card with isp_fw_get() done
 *
 * On success, version, attributes and resources are in @hw.
 *
 * Context: process; sleeps.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_fw_start(struct isp_hw *hw)
{
	u32 start = hw->image.seg[0].addr;
	int ret;

	if (hw->chip->fw_prepare)
		hw->chip->fw_prepare(hw);
	ret = fw_load_all(hw);
	if (ret)
		return ret;
	ret = hw->chip->fw_verify(hw, start);
	if (ret == -EIO)
		dev_err(hw->dev, "the card finds a wrong checksum in the firmware loaded from %s: install it anew; if that does not help, the card's memory is bad\n",
			hw->chip->fw_name);
	if (ret)
		return ret;
	ret = hw->chip->fw_start(hw, start);
	if (ret)
		return ret;
	return fw_about(hw);
}

/*
 * The name must differ between all cards of a SAN and should be the same after
 * a reboot: made from the machine's id and the card's slot, if the firmware
 * of the machine gives it an id.
 */
static u64 fw_fallback_wwpn(struct isp_hw *hw)
{
	const char *uuid = dmi_get_system_info(DMI_PRODUCT_UUID);
	const char *serial = dmi_get_system_info(DMI_PRODUCT_SERIAL);
	char seed[160];
	u64 chance = 0;

	if (!uuid && !serial)
		get_random_bytes(&chance, sizeof(chance));
	scnprintf(seed, sizeof(seed), "%s %s %s %016llx", uuid ?: "",
		  serial ?: "", pci_name(hw->pdev), chance);
	return isp_wwpn_local(seed, strlen(seed));
}

/*
 * One of the two choices about the link: the user's, or else the NVRAM's, if
 * the chip can do it, or else what it can. Where it can do one thing only,
 * its NVRAM has nothing to say about it.
 */
static unsigned int fw_choose(struct isp_hw *hw, const char *what,
			      const char * const *names, unsigned int chosen,
			      unsigned int nvram, unsigned long can,
			      unsigned int instead)
{
	const char *who = "parameter";
	unsigned int want = chosen;

	if (!(can & BIT(instead)))
		instead = __ffs(can);
	if (!strcmp(names[chosen], "nvram")) {
		who = "NVRAM setting";
		want = hweight_long(can) > 1 ? nvram : instead;
	}
	if (can & BIT(want))
		return want;
	dev_warn(hw->dev, "%s %s=%s is not for the %s: using %s\n", who, what,
		 names[want], hw->chip->name, names[instead]);
	return instead;
}

static void fw_choose_link(struct isp_hw *hw)
{
	const struct isp_choice *choice = hw->choice;
	struct isp_config *cfg = &hw->cfg;
	enum isp_rate rate = choice->rate;

	/* With one rate, there is nothing to negotiate. */
	if (rate == ISP_RATE_AUTO && !(hw->chip->rates & BIT(rate)))
		rate = ISP_RATE_NVRAM;
	isp_config_connect(cfg, fw_choose(hw, "connection",
					  isp_connection_names,
					  choice->connection,
					  isp_config_connection(cfg),
					  hw->chip->connections,
					  ISP_CONN_LOOP_FIRST));
	isp_config_set_rate(cfg, fw_choose(hw, "data_rate", isp_rate_names,
					   rate, isp_config_rate(cfg),
					   hw->chip->rates, ISP_RATE_AUTO));
}

/**
 * isp_fw_describe() - name the card and its firmware
 * @hw: card with firmware running
 * @buf: where to
 * @len: room there, bytes
 */
void isp_fw_describe(struct isp_hw *hw, char *buf, size_t len)
{
	char bus[24], limit[32] = "";

	hw->chip->bus_name(hw, bus, sizeof(bus));
	if (hw->fw_limits)
		scnprintf(limit, sizeof(limit), " for %u commands at a time",
			  hw->fw_commands);
	scnprintf(buf, len, "%s on %s, firmware %u.%02u.%02u%s",
		  hw->chip->name, bus, hw->fw_version[0], hw->fw_version[1],
		  hw->fw_version[2], limit);
}

static void fw_read_config(struct isp_hw *hw)
{
	u8 raw[ISP_NVRAM_SIZE];
	enum isp_nvram_fault fault;
	const char *why;
	int ret;

	ret = hw->chip->nvram_read(hw, raw);
	if (!ret) {
		fault = isp_nvram_decode(raw, &hw->cfg);
		if (fault == ISP_NVRAM_OK)
			return;
		why = isp_nvram_fault_str(fault);
	} else {
		why = "cannot be read";
	}
	isp_config_defaults(&hw->cfg, hw->chip->frame_payload);
	hw->cfg.wwpn = fw_fallback_wwpn(hw);
	dev_warn(hw->dev, "NVRAM %s: using defaults and port name %016llx; restore the NVRAM with the vendor's tool\n",
		 why, hw->cfg.wwpn);
}

/**
 * isp_fw_config() - read the NVRAM, or do without it
 * @hw: card, just reset
 *
 * Never fails: a card with a damaged NVRAM gets working defaults, a port name
 * of its own and one warning. What the user chose goes before the NVRAM, and
 * what the chip can do before both, with a warning.
 */
void isp_fw_config(struct isp_hw *hw)
{
	fw_read_config(hw);
	fw_choose_link(hw);
	dev_dbg(hw->dev, "connection %s, data rate %s, frames of %u bytes\n",
		isp_connection_names[isp_config_connection(&hw->cfg)],
		isp_rate_names[isp_config_rate(&hw->cfg)],
		hw->cfg.frame_payload);
}
