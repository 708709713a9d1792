// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 1: the common part of the 16-bit families, ISP2100/2200 and ISP23xx.
 *
 * Sources of the facts: linux drivers/scsi/qla2xxx (qla_init.c, qla_mbx.c,
 * qla_iocb.c, qla_isr.c, qla_sup.c), freebsd sys/dev/isp, openbsd
 * sys/dev/ic/qla.c.
 */
#include <linux/delay.h>

#include "chip_2xxx.h"
#include "isp_compat.h"
#include "isp_ct.h"

/* ---- Registers and reset ---------------------------------------------- */

/**
 * isp_2xxx_poll() - wait until a register has taken a value
 * @hw: card
 * @reg: register, byte offset
 * @mask: bits to look at
 * @want: their value to wait for
 * @timeout_ms: how long
 *
 * Context: process; sleeps in short steps.
 *
 * Return: 0, -ETIMEDOUT, or -ENODEV if the card is gone.
 */
int isp_2xxx_poll(struct isp_hw *hw, unsigned int reg, u16 mask, u16 want,
		  unsigned int timeout_ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(timeout_ms) + 1;
	bool last;
	u16 val;

	for (;;) {
		last = time_after(jiffies, end);
		val = isp_rd(hw, reg);
		if ((val & mask) == want)
			return 0;
		if (val == 0xffff && isp_hw_check_gone(hw))
			return -ENODEV;
		if (last)
			return -ETIMEDOUT;
		usleep_range(20, 60);
	}
}

/**
 * isp_2xxx_debounce() - read a register that may change under the read
 * @hw: card
 * @reg: register, byte offset
 *
 * The pointer registers are not latched on the older chips: a value counts
 * when it has been read twice.
 *
 * Context: any.
 *
 * Return: the value.
 */
u16 isp_2xxx_debounce(struct isp_hw *hw, unsigned int reg)
{
	u16 a, b = isp_rd(hw, reg);
	int tries = 8;

	do {
		a = b;
		b = isp_rd(hw, reg);
	} while (a != b && --tries);
	return b;
}

/* The ROM code shows who it is in mailboxes 1 to 3: "IS", "P " or 0, "  ". */
static int check_product(struct isp_hw *hw)
{
	u16 id[3];
	int n;

	for (n = 0; n < 3; n++)
		id[n] = hw->chip->mbox_read(hw, n + 1);
	hw->rom_version = hw->chip->mbox_read(hw, 7);
	if (id[0] == 0x4953 && (id[1] == 0x5020 || !id[1]) && id[2] == 0x2020)
		return 0;
	isp_hw_fault(hw,
		     "card shows product id %04x %04x %04x after reset instead of 4953 5020 2020",
		     id[0], id[1], id[2]);
	return -EIO;
}

/**
 * isp_2xxx_reset_tail() - second half of a chip reset
 * @hw: card; RISC, FPM and frame buffer have been reset as the chip wants it
 * @mbox0: register of mailbox 0 to watch for the ROM code, or 0 where reading
 *	it at this time does harm (ISP2312 and later: PCI parity errors)
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_2xxx_reset_tail(struct isp_hw *hw, unsigned int mbox0)
{
	int ret;

	isp_wr(hw, ISP_HCCR, ISP_HCCR_CLR_RISC_INT);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_CLR_HOST_INT);

	isp_wr(hw, ISP_CTRL_STATUS, ISP_CSR_SOFT_RESET);
	/* A read while the chip is in reset may be a bus error. */
	usleep_range(100, 200);
	ret = isp_2xxx_poll(hw, ISP_CTRL_STATUS, ISP_CSR_SOFT_RESET, 0, 1000);
	if (ret) {
		isp_hw_fault(hw, "chip does not come out of reset (control/status %04xh)",
			     isp_rd(hw, ISP_CTRL_STATUS));
		return ret;
	}
	isp_wr(hw, ISP_HCCR, ISP_HCCR_RESET_RISC);
	isp_wr(hw, ISP_SEMAPHORE, 0);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_RELEASE_RISC);
	isp_rd(hw, ISP_HCCR);
	usleep_range(100, 200);
	for (ret = 0; mbox0 && isp_rd(hw, mbox0) == ISP_MBS_BUSY; ret++) {
		if (ret == 30000) {
			isp_hw_fault(hw, "ROM code of the card does not start");
			return -ETIMEDOUT;
		}
		usleep_range(20, 100);
	}
	pci_set_master(hw->pdev);
	hw->bus_attr = isp_rd(hw, ISP_CTRL_STATUS);
	return check_product(hw);
}

/**
 * isp_2xxx_reset_rest() - second half of a chip reset, but for the ISP2100
 * @hw: card; FPM and frame buffer have been reset as the chip wants it
 * @mbox0: as for isp_2xxx_reset_tail()
 *
 * Resets the RISC by itself before the soft reset, and has it go on after an
 * FPM parity error: neither is for the ISP2100 (qla2xxx, freebsd).
 *
 * Return: as isp_2xxx_reset_tail().
 */
int isp_2xxx_reset_rest(struct isp_hw *hw, unsigned int mbox0)
{
	int ret;

	isp_wr(hw, ISP_CTRL_STATUS, ISP_CSR_RISC);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_RESET_RISC);
	isp_wr(hw, ISP_HCCR, ISP_HCCR_RELEASE_RISC);
	ret = isp_2xxx_reset_tail(hw, mbox0);
	if (!ret)
		isp_wr(hw, ISP_HCCR, ISP_HCCR_NO_PARITY_PAUSE);
	return ret;
}

/**
 * isp_2xxx_intr_enable() - let the chip interrupt, or not
 * @hw: card
 * @on: whether
 *
 * See struct isp_chip. Context: any.
 */
void isp_2xxx_intr_enable(struct isp_hw *hw, bool on)
{
	isp_wr(hw, ISP_ICTRL, on ? ISP_ICR_ENABLE : 0);
}

/**
 * isp_2xxx_mbox_ring() - tell the RISC that a mailbox command is there
 * @hw: card
 *
 * See struct isp_chip. Context: any.
 */
void isp_2xxx_mbox_ring(struct isp_hw *hw)
{
	isp_wr(hw, ISP_HCCR, ISP_HCCR_SET_HOST_INT);
}

/**
 * isp_2xxx_bus_name() - name the bus that the card sits on
 * @hw: card, reset before
 * @buf: where to put the name
 * @len: room there, bytes
 *
 * See struct isp_chip.
 */
void isp_2xxx_bus_name(struct isp_hw *hw, char *buf, size_t len)
{
	static const char * const mhz[] = { "33", "66", "100", "133" };
	unsigned int x = hw->bus_attr >> 9 & 3;

	scnprintf(buf, len, "PCI%s %s MHz", x ? "-X" : "",
		  mhz[x ?: hw->bus_attr >> 8 & 1]);
}

/**
 * isp_2xxx_registers() - halt a failed RISC, and put registers into text
 * @hw: card
 * @buf: where to
 * @len: room there, bytes
 *
 * See struct isp_chip. While the RISC is halted the mailboxes may be read,
 * whoever they belong to. Source: linux qla_dbg.c (qla2300_fw_dump()).
 * Context: process; sleeps.
 */
void isp_2xxx_registers(struct isp_hw *hw, char *buf, size_t len)
{
	unsigned int n;
	int at;

	isp_wr(hw, ISP_HCCR, ISP_HCCR_PAUSE_RISC);
	/* Not every chip shows it: as in the reset. */
	isp_2xxx_poll(hw, ISP_HCCR, ISP_HCCR_PAUSED, ISP_HCCR_PAUSED, 1);
	at = scnprintf(buf, len, "registers csr %04x ictrl %04x istatus %04x hccr %04x\nmailboxes",
		       isp_rd(hw, ISP_CTRL_STATUS), isp_rd(hw, ISP_ICTRL),
		       isp_rd(hw, ISP_ISTATUS), isp_rd(hw, ISP_HCCR));
	for (n = 0; n < hw->chip->mbox_count; n++)
		at += scnprintf(buf + at, len - at, " %04x",
				hw->chip->mbox_read(hw, n));
	scnprintf(buf + at, len - at, "\n");
}

/* ---- NVRAM: a 93C66 serial EEPROM, 256 words of 16 bits ---------------- */

/*
 * Half a clock period. The slowest 93C66 (2.7 V types) takes 250 kHz, that is
 * 2 us; each half also holds a bus read.
 */
#define NV_HALF_PERIOD_US	4

static u16 nv_clock(struct isp_hw *hw, u16 out)
{
	u16 in;

	isp_wr(hw, ISP_NVRAM, ISP_NVR_SELECT | out);
	isp_rd(hw, ISP_NVRAM);
	udelay(NV_HALF_PERIOD_US);
	isp_wr(hw, ISP_NVRAM, ISP_NVR_SELECT | ISP_NVR_CLOCK | out);
	isp_rd(hw, ISP_NVRAM);
	udelay(NV_HALF_PERIOD_US);
	in = isp_rd(hw, ISP_NVRAM) & ISP_NVR_DATA_IN;
	isp_wr(hw, ISP_NVRAM, ISP_NVR_SELECT | out);
	return in;
}

/* READ: start bit, opcode 10, eight address bits, then sixteen bits out. */
static u16 nv_read_word(struct isp_hw *hw, unsigned int addr)
{
	u16 cmd = 0x600 | addr, val = 0;
	int bit;

	for (bit = 10; bit >= 0; bit--)
		nv_clock(hw, cmd & BIT(bit) ? ISP_NVR_DATA_OUT : 0);
	for (bit = 0; bit < 16; bit++)
		val = val << 1 | (nv_clock(hw, 0) ? 1 : 0);
	isp_wr(hw, ISP_NVRAM, 0);
	isp_rd(hw, ISP_NVRAM);
	udelay(NV_HALF_PERIOD_US);
	return val;
}

/**
 * isp_2xxx_nvram_words() - read the NVRAM bit by bit
 * @hw: card
 * @base: first word
 * @buf: room for ISP_NVRAM_SIZE bytes
 *
 * Takes some 40 ms.
 *
 * Context: process.
 */
void isp_2xxx_nvram_words(struct isp_hw *hw, unsigned int base, u8 *buf)
{
	unsigned int n;
	u16 word;

	for (n = 0; n < ISP_NVRAM_SIZE / 2; n++) {
		word = nv_read_word(hw, base + n);
		buf[2 * n] = word & 0xff;
		buf[2 * n + 1] = word >> 8;
		cond_resched();
	}
}

/* ---- Mailbox commands -------------------------------------------------- */

static void mb_dma(struct isp_mbox_cmd *cmd, dma_addr_t addr)
{
	cmd->mb[2] = upper_16_bits(lower_32_bits(addr));
	cmd->mb[3] = lower_16_bits(addr);
	cmd->mb[6] = upper_16_bits(upper_32_bits(addr));
	cmd->mb[7] = lower_16_bits(upper_32_bits(addr));
	cmd->out |= BIT(2) | BIT(3) | BIT(6) | BIT(7);
}

/*
 * The highest loop ids for ports behind a switch. With 2K logins, Linux goes
 * up to 7ffh, OpenBSD (QLA_2KL_MAX_HANDLE) leaves the last sixteen alone.
 */
#define MAX_LOOP_ID		0xfd
#define MAX_LOOP_ID_2K		0x7ef

/**
 * isp_2xxx_max_loop_id() - highest loop id that a login may be given
 * @hw: card with firmware running
 *
 * See struct isp_chip. Context: any.
 *
 * Return: the loop id.
 */
u16 isp_2xxx_max_loop_id(const struct isp_hw *hw)
{
	return hw->fw_attr & ISP_FWA_2K_LOGINS ? MAX_LOOP_ID_2K : MAX_LOOP_ID;
}

/* Firmware with 2K logins wants the loop id as it is, older in the high byte. */
static void mb_loop_id(const struct isp_hw *hw, struct isp_mbox_cmd *cmd,
		       u16 loop_id)
{
	cmd->out |= BIT(1);
	if (hw->fw_attr & ISP_FWA_2K_LOGINS)
		cmd->mb[1] = loop_id;
	else
		cmd->mb[1] = loop_id << 8;
}

/* ... and options in mailbox 10 that older firmware has in mailbox 1. */
static void mb_options(const struct isp_hw *hw, struct isp_mbox_cmd *cmd,
		       u16 options)
{
	if (hw->fw_attr & ISP_FWA_2K_LOGINS) {
		cmd->mb[10] = options;
		cmd->out |= BIT(10);
	} else {
		cmd->mb[1] |= options;
	}
}

/* A LUN has a mailbox of its own, or eight bits beside the loop id (freebsd). */
static void mb_lun(const struct isp_hw *hw, struct isp_mbox_cmd *cmd,
		   unsigned int n, u64 lun)
{
	if (hw->fw_attr & ISP_FWA_EXT_LUN) {
		cmd->mb[n] = lun;
		cmd->out |= BIT(n);
	} else {
		cmd->mb[1] |= lun & 0xff;
	}
}

/* However slow or unwilling the card: a probe does not go on for ever. */
static int load_in_time(struct isp_hw *hw)
{
	if (time_before(jiffies, hw->load_by))
		return 0;
	isp_hw_fault(hw, "loading the firmware takes more than %u s",
		     ISP_LOAD_MAX_S);
	return -ETIMEDOUT;
}

static int load_words(struct isp_hw *hw, const u8 *data, u32 words, u32 addr)
{
	u32 n;
	int ret;

	for (n = 0; n < words; n++) {
		struct isp_mbox_cmd cmd = {
			.mb[0] = (addr + n) >> 16 ? ISP_MBC_WRITE_RAM_WORD_EXT :
						    ISP_MBC_WRITE_RAM_WORD,
			.mb[1] = addr + n,
			.mb[2] = data[2 * n] << 8 | data[2 * n + 1],
			.mb[8] = (addr + n) >> 16,
			.out = BIT(1) | BIT(2),
		};

		if (cmd.mb[8])
			cmd.out |= BIT(8);
		ret = load_in_time(hw) ?: isp_mbox_exec(hw, &cmd);
		if (ret)
			return ret;
	}
	return 0;
}

static int load_chunk(struct isp_hw *hw, const u8 *data, u32 words, u32 addr)
{
	struct isp_mbox_cmd cmd = {
		.mb[0] = addr >> 16 ? ISP_MBC_LOAD_RAM_EXT : ISP_MBC_LOAD_RAM,
		.mb[1] = addr,
		.mb[4] = words,
		.mb[8] = addr >> 16,
		.out = BIT(1) | BIT(4),
		.may_fail = true,
	};
	__le16 *buf = hw->scratch;
	u32 n;
	int ret;

	for (n = 0; n < words; n++)
		buf[n] = cpu_to_le16(data[2 * n] << 8 | data[2 * n + 1]);
	mb_dma(&cmd, hw->scratch_dma);
	if (addr >> 16)
		cmd.out |= BIT(8);
	ret = load_in_time(hw) ?: isp_mbox_exec(hw, &cmd);
	/* Old ROM code knows no DMA. */
	if (ret == -EIO && cmd.mb[0] == ISP_MBS_INVALID)
		return load_words(hw, data, words, addr);
	if (ret == -EIO)
		dev_err(hw->dev, "loading the firmware failed at %05xh: %04xh; try another slot, then another card\n",
			addr, cmd.mb[0]);
	return ret;
}

/**
 * isp_2xxx_ram_read() - read words of the RISC's memory
 * @hw: card whose ROM code runs
 * @addr: first word
 * @words: how many are wanted
 * @to: where to, little-endian
 *
 * See struct isp_chip. Source: linux qla_dbg.c (qla2xxx_dump_ram()). Context:
 * process.
 *
 * Return: how many have been read, or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_ram_read(struct isp_hw *hw, u32 addr, u32 words, void *to)
{
	/* No further than the buffer, nor beyond the low half of the address. */
	u32 n = min3(words, ISP_SCRATCH_SIZE / 2U, 0x10000 - (addr & 0xffff));
	struct isp_mbox_cmd cmd = {
		.mb = {
			ISP_MBC_DUMP_RAM_EXT, addr, [4] = n, [8] = addr >> 16,
		},
		.out = BIT(1) | BIT(4) | BIT(8),
		.may_fail = true,
	};
	int ret;

	mutex_lock(&hw->scratch_lock);
	mb_dma(&cmd, hw->scratch_dma);
	ret = isp_mbox_exec(hw, &cmd);
	if (!ret)
		memcpy(to, hw->scratch, 2 * n);
	mutex_unlock(&hw->scratch_lock);
	return ret ?: n;
}

/* The ROM of the ISP2200A takes no more than 128 bytes at a time. */
#define ISP_2200A_ROM		4
#define ISP_2200A_WORDS		64

/**
 * isp_2xxx_fw_load() - load a segment of firmware into the RISC's memory
 * @hw: card
 * @data: segment, big-endian words
 * @words: its length
 * @addr: where to, in words
 *
 * See struct isp_chip.
 *
 * By DMA, or word by word where the ROM code knows no DMA. Context: process.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_2xxx_fw_load(struct isp_hw *hw, const u8 *data, u32 words, u32 addr)
{
	u32 step = ISP_SCRATCH_SIZE / 2, n;
	int ret = 0;

	if (hw->rom_version == ISP_2200A_ROM && hw->chip == &isp_chip_2200)
		step = ISP_2200A_WORDS;
	mutex_lock(&hw->scratch_lock);
	while (words && !ret) {
		n = min(words, step);
		ret = load_chunk(hw, data, n, addr);
		data += 2 * n;
		addr += n;
		words -= n;
	}
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/**
 * isp_2xxx_fw_verify() - have the RISC check the sum over the loaded firmware
 * @hw: card
 * @addr: of its first segment
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0, -EIO if the sum is wrong, or another errno as isp_mbox_exec().
 */
int isp_2xxx_fw_verify(struct isp_hw *hw, u32 addr)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_VERIFY_CHECKSUM, addr },
		.out = BIT(1),
		.in = BIT(1),
		.may_fail = true,
	};

	return isp_mbox_exec(hw, &cmd);
}

/**
 * isp_2xxx_fw_start() - start the loaded firmware
 * @hw: card
 * @addr: of its first segment
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_fw_start(struct isp_hw *hw, u32 addr)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_EXECUTE, addr, 0 },
		.out = BIT(1) | BIT(2),
	};

	return isp_mbox_exec(hw, &cmd);
}

/*
 * Free exchanges stand in mailbox 3, free IOCBs in mailbox 7; a command takes
 * one exchange and at least one IOCB. Five in a hundred are left for logins
 * and for the commands of error handling, which would else have to wait for
 * those that they are to end (qla2xxx: QLA_IOCB_PCT_LIMIT).
 */
static void get_resources(struct isp_hw *hw)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_GET_RESOURCES },
		.in = BIT(3) | BIT(7),
		.may_fail = true,
	};

	hw->fw_commands = 0;
	if (!isp_mbox_exec(hw, &cmd))
		hw->fw_commands = min(cmd.mb[3], cmd.mb[7]) * 95 / 100;
}

/**
 * isp_2xxx_fw_about() - ask the firmware for version, attributes, resources
 * @hw: card; the answer goes there
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_fw_about(struct isp_hw *hw)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_ABOUT_FIRMWARE },
		.in = BIT(1) | BIT(2) | BIT(3) | BIT(6),
		.may_fail = true,
	};
	int ret;

	if (hw->chip->ram_first)
		cmd.in |= BIT(4) | BIT(5);
	ret = isp_mbox_exec(hw, &cmd);
	if (ret)
		return ret;
	memcpy(hw->fw_version, &cmd.mb[1], sizeof(hw->fw_version));
	hw->fw_attr = cmd.mb[6];
	hw->ram_last = cmd.mb[5] << 16 | cmd.mb[4];
	/* A 16-bit loop id leaves no place for a LUN beside it (freebsd). */
	if (hw->fw_attr & ISP_FWA_2K_LOGINS)
		hw->fw_attr |= ISP_FWA_EXT_LUN;
	get_resources(hw);
	return 0;
}

/**
 * isp_2xxx_set_options() - tell the firmware how to behave
 * @hw: card with firmware running
 * @fo1: events to report, ISP_FO1_*
 * @fo3: further behaviour, ISP_FO3_*
 * @serdes: transceiver settings for 1 and 2 Gbit/s, or NULL
 *
 * To be called before isp_2xxx_fw_init(). Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_set_options(struct isp_hw *hw, u16 fo1, u16 fo3,
			 const u16 *serdes)
{
	struct isp_mbox_cmd get = {
		.mb = { ISP_MBC_GET_OPTIONS },
		.in = BIT(1) | BIT(2) | BIT(3),
	};
	struct isp_mbox_cmd set = {
		.mb = { ISP_MBC_SET_OPTIONS },
		.out = BIT(1) | BIT(2) | BIT(3),
	};
	int ret;

	ret = isp_mbox_exec(hw, &get);
	if (ret)
		return ret;
	set.mb[1] = (get.mb[1] & ~ISP_FO1_EMPHASIS_SWING) | fo1;
	set.mb[2] = get.mb[2];
	set.mb[3] = get.mb[3] | fo3;
	if (serdes) {
		set.mb[1] |= ISP_FO1_EMPHASIS_SWING;
		set.mb[10] = serdes[0];
		set.mb[11] = serdes[1];
		set.out |= BIT(10) | BIT(11);
	}
	return isp_mbox_exec(hw, &set);
}

static void build_icb(const struct isp_hw *hw, const struct isp_rings *rings,
		      u16 fw_options, struct isp_icb *icb)
{
	const struct isp_config *cfg = &hw->cfg;
	u16 fwo = cfg->fw_options & ~ISP_FWO_EXT_ICB;

	fwo |= ISP_FWO_ADISC | ISP_FWO_PDB_NOTIFY | ISP_FWO_FULL_LOGIN |
	       fw_options;
	/*
	 * No fast posting: a completion through the response ring costs no
	 * register read beyond the one or two that tell what the interrupt is
	 * about, one through the mailboxes costs at least as many.
	 */
	fwo &= ~(ISP_FWO_FAST_POST | ISP_FWO_TARGET | ISP_FWO_NO_INITIATOR |
		 ISP_FWO_STOP_ON_FULL | ISP_FWO_NODE_NAME);
	if (cfg->wwnn)
		fwo |= ISP_FWO_NODE_NAME;

	memset(icb, 0, sizeof(*icb));
	icb->version = ISP_ICB_VERSION;
	icb->fw_options = cpu_to_le16(fwo);
	icb->frame_payload = cpu_to_le16(cfg->frame_payload);
	icb->max_iocb = cpu_to_le16(cfg->max_iocb);
	icb->exec_throttle = cpu_to_le16(0xffff);
	icb->retry_count = cfg->retry_count;
	icb->retry_delay = cfg->retry_delay;
	put_unaligned_be64(cfg->wwpn, icb->port_name);
	put_unaligned_be64(cfg->wwnn, icb->node_name);
	icb->hard_address = cpu_to_le16(cfg->hard_address);
	icb->login_timeout = cfg->login_timeout;
	icb->req_length = cpu_to_le16(rings->req_entries);
	icb->rsp_length = cpu_to_le16(rings->rsp_entries);
	icb->req_addr = cpu_to_le64(rings->req);
	icb->rsp_addr = cpu_to_le64(rings->rsp);
	if (!(fwo & ISP_FWO_EXT_ICB))
		return;
	icb->add_fw_options = cpu_to_le16(cfg->add_fw_options &
					  ~ISP_AFO_OPERATION);
	icb->special_options = cpu_to_le16(cfg->special_options &
					   ~(ISP_SPO_OUT_OF_ORDER |
					     ISP_SPO_NO_AUTO_PLOGI));
}

/**
 * isp_2xxx_fw_init() - give the firmware its parameters and let it go
 * @hw: card with firmware running
 * @rings: where the rings are
 * @fw_options: firmware options to set besides those of NVRAM, ISP_FWO_*
 *
 * The firmware takes part in loop initialization from now on.
 *
 * Return: 0 or a negative errno; what is wrong has been printed.
 */
int isp_2xxx_fw_init(struct isp_hw *hw, const struct isp_rings *rings,
		     u16 fw_options)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_INIT_FIRMWARE },
		.out = BIT(1),
	};
	int ret;

	hw->chip->rings_clear(hw);
	mutex_lock(&hw->scratch_lock);
	build_icb(hw, rings, fw_options, hw->scratch);
	mb_dma(&cmd, hw->scratch_dma);
	ret = isp_mbox_exec(hw, &cmd);
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/**
 * isp_2xxx_get_state() - ask for the firmware's state
 * @hw: card
 * @state: the answer, ISP_FW_READY or another
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_get_state(struct isp_hw *hw, u16 *state)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_GET_STATE },
		.in = BIT(1),
		.may_fail = true,
	};
	int ret = isp_mbox_exec(hw, &cmd);

	*state = cmd.mb[1];
	return ret;
}

/**
 * isp_2xxx_get_local_id() - ask for this port's addresses and topology
 * @hw: card
 * @id: the answer
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0, -EIO while the loop is in transition, or another errno as
 * isp_mbox_exec().
 */
int isp_2xxx_get_local_id(struct isp_hw *hw, struct isp_local_id *id)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_GET_LOOP_ID },
		.in = BIT(1) | BIT(2) | BIT(3) | BIT(6) | BIT(7),
		.may_fail = true,
	};
	int ret = isp_mbox_exec(hw, &cmd);

	if (ret)
		return ret;
	id->loop_id = cmd.mb[1];
	id->port_id = (cmd.mb[3] & 0xff) << 16 | cmd.mb[2];
	id->topology = cmd.mb[6] <= ISP_TOPO_FABRIC ? cmd.mb[6] : ISP_TOPO_NONE;
	return 0;
}

/**
 * isp_2xxx_get_ids() - loop ids of the ports that are logged in
 * @hw: card
 * @entry_size: of a list entry, bytes
 * @ids: where to put them
 * @max: room there
 * @id_of: gives the loop id of a list entry
 *
 * Return: their number or a negative errno.
 */
int isp_2xxx_get_ids(struct isp_hw *hw, unsigned int entry_size, u16 *ids,
		     unsigned int max, u16 (*id_of)(const void *entry))
{
	/* Unlike everywhere else the address starts in mailbox 1. */
	struct isp_mbox_cmd cmd = {
		.mb = {
			ISP_MBC_GET_ID_LIST,
			upper_16_bits(lower_32_bits(hw->scratch_dma)),
			lower_16_bits(hw->scratch_dma),
			upper_16_bits(upper_32_bits(hw->scratch_dma)),
			[6] = lower_16_bits(upper_32_bits(hw->scratch_dma)),
		},
		.out = BIT(1) | BIT(2) | BIT(3) | BIT(6),
		.in = BIT(1),
		.may_fail = true,
	};
	unsigned int n, count;
	int ret;

	mutex_lock(&hw->scratch_lock);
	memset(hw->scratch, 0, ISP_SCRATCH_SIZE);
	ret = isp_mbox_exec(hw, &cmd);
	if (!ret) {
		count = min3((unsigned int)cmd.mb[1], max,
			     ISP_SCRATCH_SIZE / entry_size);
		for (n = 0; n < count; n++)
			ids[n] = id_of(hw->scratch + n * entry_size);
		ret = count;
	}
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/*
 * Two and a half times what one login may take, as the firmware tries again;
 * but nobody waits longer than that for a mailbox.
 */
#define LOGIN_TIMEOUT_MAX_MS	25000

static unsigned int login_timeout_ms(const struct isp_hw *hw)
{
	return min(2500U * hw->cfg.login_timeout, LOGIN_TIMEOUT_MAX_MS + 0U);
}

/* Options of Enhanced Get Port Database (qla2xxx: PDO_*). */
#define GET_PORT_ADISC		0x0002

/**
 * isp_2xxx_get_port() - look a port up in the firmware's port database
 * @hw: card
 * @loop_id: of the port
 * @verify: have the firmware ask the port first
 * @info: the answer
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0, -EIO if the firmware has no such port, or another errno as
 * isp_mbox_exec().
 */
int isp_2xxx_get_port(struct isp_hw *hw, u16 loop_id, bool verify,
		      struct isp_port_info *info)
{
	struct isp_mbox_cmd cmd = {
		.mb = { verify ? ISP_MBC_GET_PORT_LOGIN :
				 ISP_MBC_GET_PORT_DATABASE },
		/* A port that is gone does not answer: the firmware waits. */
		.timeout_ms = verify ? LOGIN_TIMEOUT_MAX_MS :
				       login_timeout_ms(hw),
		.may_fail = true,
	};
	const struct isp_pdb *pdb = hw->scratch;
	int ret;

	mb_loop_id(hw, &cmd, loop_id);
	mb_options(hw, &cmd, verify ? GET_PORT_ADISC : 0);
	mutex_lock(&hw->scratch_lock);
	memset(hw->scratch, 0, sizeof(*pdb));
	mb_dma(&cmd, hw->scratch_dma);
	ret = isp_mbox_exec(hw, &cmd);
	if (!ret) {
		info->wwpn = get_unaligned_be64(pdb->port_name);
		info->wwnn = get_unaligned_be64(pdb->node_name);
		info->port_id = pdb->port_id[0] << 16 | pdb->port_id[3] << 8 |
				pdb->port_id[2];
		info->loop_id = loop_id;
		info->logged_in = pdb->master_state == ISP_PDB_LOGGED_IN ||
				  pdb->slave_state == ISP_PDB_LOGGED_IN;
		info->target = pdb->prli_word3[0] & ISP_PRLI3_TARGET;
		info->initiator = pdb->prli_word3[0] & ISP_PRLI3_INITIATOR;
		info->class2 = pdb->options & ISP_PDB_CLASS2;
	}
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/**
 * isp_2xxx_login() - log in to a port on the local loop
 * @hw: card
 * @loop_id: of the port
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0, -EIO if the port refuses, or another errno as isp_mbox_exec().
 */
int isp_2xxx_login(struct isp_hw *hw, u16 loop_id)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_LOGIN_LOOP_PORT },
		.out = BIT(2),
		.in = BIT(1),
		.timeout_ms = login_timeout_ms(hw),
		.may_fail = true,
	};

	mb_loop_id(hw, &cmd, loop_id);
	return isp_mbox_exec(hw, &cmd);
}

/**
 * isp_2xxx_login_fabric() - log in to a port behind a switch
 * @hw: card
 * @loop_id: under which the firmware shall know the port
 * @port_id: of the port
 * @used: gets the port's loop id when it has another one already
 *
 * See struct isp_chip. A login that stands is made anew: open exchanges end.
 * Context: process.
 *
 * Return: 0, -EEXIST, -EADDRINUSE, -ENOSPC, -EIO, or another errno as
 * isp_mbox_exec().
 */
int isp_2xxx_login_fabric(struct isp_hw *hw, u16 loop_id, u32 port_id,
			  u16 *used)
{
	struct isp_mbox_cmd cmd = {
		.mb = {
			ISP_MBC_LOGIN_FABRIC_PORT, 0, upper_16_bits(port_id),
			lower_16_bits(port_id),
		},
		.out = BIT(2) | BIT(3),
		.in = BIT(1) | BIT(2) | BIT(6) | BIT(7),
		.timeout_ms = login_timeout_ms(hw),
		.may_fail = true,
	};
	int ret;

	mb_loop_id(hw, &cmd, loop_id);
	mb_options(hw, &cmd, 0);
	ret = isp_mbox_exec(hw, &cmd);
	if (ret != -EIO)
		return ret;
	switch (cmd.mb[0]) {
	case ISP_MBS_PORT_ID_USED:
		*used = cmd.mb[1];
		return -EEXIST;
	case ISP_MBS_LOOP_ID_USED:
		return -EADDRINUSE;
	case ISP_MBS_ALL_IDS_USED:
		return -ENOSPC;
	default:
		return -EIO;
	}
}

/**
 * isp_2xxx_logout_fabric() - log out from a port behind a switch
 * @hw: card
 * @loop_id: of the port
 *
 * See struct isp_chip. Its open exchanges end. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_logout_fabric(struct isp_hw *hw, u16 loop_id)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_LOGOUT_FABRIC_PORT },
		.in = BIT(1),
		.timeout_ms = login_timeout_ms(hw),
		.may_fail = true,
	};

	mb_loop_id(hw, &cmd, loop_id);
	mb_options(hw, &cmd, 0);
	return isp_mbox_exec(hw, &cmd);
}

/* FC-LS: State Change Registration, all kinds of changes. */
#define SCR_FULL		3

/**
 * isp_2xxx_register_changes() - ask for state change notifications
 * @hw: card
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_register_changes(struct isp_hw *hw)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_SEND_CHANGE_REQUEST, SCR_FULL },
		.out = BIT(1),
		.in = BIT(1),
		.timeout_ms = login_timeout_ms(hw),
		.may_fail = true,
	};

	return isp_mbox_exec(hw, &cmd);
}

/*
 * Where loop id and LUN go depends on what the firmware can do. With 16-bit
 * loop ids it has a field for the LUN, see isp_2xxx_fw_about().
 */
static void put_address(const struct isp_hw *hw, u16 loop_id, u64 lun,
			__le16 *target, __le16 *lun_field)
{
	if (unlikely(!(hw->fw_attr & ISP_FWA_2K_LOGINS))) {
		loop_id <<= 8;
		if (!(hw->fw_attr & ISP_FWA_EXT_LUN)) {
			loop_id |= lun & 0xff;
			lun = 0;
		}
	}
	*target = cpu_to_le16(loop_id);
	*lun_field = cpu_to_le16(lun);
}

/* ---- Name server -------------------------------------------------------- */

/* The request, the entry that carries it, and the answer share the scratch. */
#define CT_ENTRY_AT		512
#define CT_ANSWER_AT		1024
#define CT_ANSWER_MAX		(ISP_SCRATCH_SIZE - CT_ANSWER_AT)
static_assert(ISP_CT_REQUEST_MAX <= CT_ENTRY_AT);

/* How long the name server may take, s; the mailbox waits a little longer. */
#define CT_TIMEOUT_S		10

static void build_ct(struct isp_hw *hw, struct isp_ct_entry *e,
		     unsigned int req_len, unsigned int rsp_len)
{
	__le16 no_lun;

	memset(e, 0, sizeof(*e));
	e->hdr.type = ISP_ENTRY_CT;
	e->hdr.count = 1;
	put_address(hw, ISP_LOOP_ID_NAME_SERVER, 0, &e->target, &no_lun);
	e->control_flags = cpu_to_le16(ISP_CF_READ | ISP_CF_HEAD_TAG);
	e->timeout = cpu_to_le16(CT_TIMEOUT_S);
	e->req_dsegs = cpu_to_le16(1);
	e->dsegs = cpu_to_le16(2);
	e->req_bytes = cpu_to_le32(req_len);
	e->rsp_bytes = cpu_to_le32(rsp_len);
	e->req.addr = cpu_to_le64(hw->scratch_dma);
	e->req.len = e->req_bytes;
	e->rsp.addr = cpu_to_le64(hw->scratch_dma + CT_ANSWER_AT);
	e->rsp.len = e->rsp_bytes;
}

/* An answer shorter than its buffer is an underrun, and as good. */
static bool ct_answered(const struct isp_ct_entry *e)
{
	u16 comp = le16_to_cpu(e->comp_status);

	return !(e->hdr.status & ISP_ES_MASK) &&
	       (comp == ISP_CS_COMPLETE || comp == ISP_CS_UNDERRUN);
}

/**
 * isp_2xxx_name_server() - send a request to the name server
 * @hw: card
 * @req: request, a whole CT frame (isp_ct.h)
 * @req_len: its length, at most ISP_CT_REQUEST_MAX
 * @rsp: gets the answer; what it does not fill is 0
 * @rsp_len: room there, bytes, a multiple of 4
 *
 * See struct isp_chip. By a pass-through entry, which the firmware is given
 * by mailbox and puts its status into. Source: linux qla_gs.c, qla_mbx.c
 * (qla2x00_issue_iocb()). Context: process.
 *
 * Return: 0, -EIO if no answer came, or another errno as isp_mbox_exec().
 */
int isp_2xxx_name_server(struct isp_hw *hw, const u8 *req,
			 unsigned int req_len, u8 *rsp, unsigned int rsp_len)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_EXECUTE_IOCB_A64 },
		.out = BIT(1),
		.timeout_ms = (CT_TIMEOUT_S + 5) * MSEC_PER_SEC,
		.may_fail = true,
	};
	struct isp_ct_entry *e = hw->scratch + CT_ENTRY_AT;
	int ret;

	rsp_len = min_t(unsigned int, rsp_len, CT_ANSWER_MAX);
	mutex_lock(&hw->scratch_lock);
	memset(hw->scratch + CT_ANSWER_AT, 0, rsp_len);
	memcpy(hw->scratch, req, req_len);
	build_ct(hw, e, req_len, rsp_len);
	mb_dma(&cmd, hw->scratch_dma + CT_ENTRY_AT);
	ret = isp_mbox_exec(hw, &cmd);
	if (!ret && !ct_answered(e))
		ret = -EIO;
	if (!ret)
		memcpy(rsp, hw->scratch + CT_ANSWER_AT, rsp_len);
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/*
 * What a CT frame says in big-endian numbers, Send SNS wants as little-endian
 * ones: port ids and bit maps are words of 32 bits, names of 64. Returns the
 * length of the argument.
 */
static unsigned int sns_argument(const u8 *req, unsigned int req_len, u8 *arg)
{
	unsigned int len = req_len - ISP_CT_HDR, off = 0;

	req += ISP_CT_HDR;
	if (isp_ct_code(req - ISP_CT_HDR) == ISP_NS_RNN_ID) {
		put_unaligned_le64(get_unaligned_be64(req + 4), arg + 4);
		len = 4;
	}
	for (; off < len; off += 4)
		put_unaligned_le32(get_unaligned_be32(req + off), arg + off);
	return req_len - ISP_CT_HDR;
}

/**
 * isp_2xxx_send_sns() - send a request to the name server, older firmware
 * @hw: card
 * @req: request, a whole CT frame (isp_ct.h)
 * @req_len: its length
 * @rsp: gets the answer; what it does not fill is 0
 * @rsp_len: room there, bytes, a multiple of 4
 *
 * See struct isp_chip. The firmware makes the frame. Only requests that public
 * drivers send this way are. Source: linux qla_gs.c (qla2x00_prep_sns_cmd()),
 * freebsd isp.c (isp_gid_ft_sns(), isp_register_fc4_type()). Context: process.
 *
 * Return: 0, -EOPNOTSUPP, -EIO if no answer came, or another errno as
 * isp_mbox_exec().
 */
int isp_2xxx_send_sns(struct isp_hw *hw, const u8 *req, unsigned int req_len,
		      u8 *rsp, unsigned int rsp_len)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_SEND_SNS },
		.out = BIT(1),
		.in = BIT(1),
		.timeout_ms = login_timeout_ms(hw),
		.may_fail = true,
	};
	struct isp_sns *sns = hw->scratch;
	u16 code = isp_ct_code(req);
	unsigned int len;
	int ret;

	if (code != ISP_NS_GID_FT && code != ISP_NS_RFT_ID &&
	    code != ISP_NS_RNN_ID)
		return -EOPNOTSUPP;
	rsp_len = min_t(unsigned int, rsp_len, CT_ANSWER_MAX);
	mutex_lock(&hw->scratch_lock);
	memset(hw->scratch, 0, CT_ANSWER_AT + rsp_len);
	len = offsetof(struct isp_sns, arg) +
	      sns_argument(req, req_len, sns->arg);
	sns->rsp_words = cpu_to_le16(rsp_len / 2);
	sns->rsp_addr = cpu_to_le64(hw->scratch_dma + CT_ANSWER_AT);
	sns->words = cpu_to_le16((len - offsetof(struct isp_sns, command)) / 2);
	sns->command = cpu_to_le16(code);
	sns->size = cpu_to_le16((rsp_len - ISP_CT_HDR) / 4);
	cmd.mb[1] = len / 2;
	mb_dma(&cmd, hw->scratch_dma);
	ret = isp_mbox_exec(hw, &cmd);
	if (!ret)
		memcpy(rsp, hw->scratch + CT_ANSWER_AT, rsp_len);
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/**
 * isp_2xxx_get_link_counts() - read the link's error counters
 * @hw: card
 * @loop_id: this port's
 * @c: the answer
 *
 * See struct isp_chip. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_get_link_counts(struct isp_hw *hw, u16 loop_id,
			     struct isp_link_counts *c)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_GET_LINK_STATUS },
		.may_fail = true,
	};
	const struct isp_link_stat *s = hw->scratch;
	int ret;

	mb_loop_id(hw, &cmd, loop_id);
	mb_options(hw, &cmd, 0);
	mutex_lock(&hw->scratch_lock);
	memset(hw->scratch, 0, sizeof(*s));
	mb_dma(&cmd, hw->scratch_dma);
	ret = isp_mbox_exec(hw, &cmd);
	if (!ret)
		*c = (struct isp_link_counts) {
			.link_failure = le32_to_cpu(s->link_failure),
			.loss_of_sync = le32_to_cpu(s->loss_of_sync),
			.loss_of_signal = le32_to_cpu(s->loss_of_signal),
			.prim_seq_error = le32_to_cpu(s->prim_seq_error),
			.invalid_word = le32_to_cpu(s->invalid_word),
			.invalid_crc = le32_to_cpu(s->invalid_crc),
			.lip = le32_to_cpu(s->lip_count),
		};
	mutex_unlock(&hw->scratch_lock);
	return ret;
}

/*
 * Task management waits for the target; the firmware gives up before this. An
 * abort is answered as soon as the firmware has taken note of it.
 */
#define TMF_TIMEOUT_MS		20000
#define ABORT_TIMEOUT_MS	10000

/**
 * isp_2xxx_abort() - abort a command (FCP: ABTS)
 * @hw: card
 * @loop_id: of the target port
 * @lun: of the command
 * @handle: of the command
 *
 * See struct isp_chip.
 *
 * The command comes back by itself. Context: process.
 *
 * Return: 0, -EIO if the firmware does not have it, or another errno as
 * isp_mbox_exec().
 */
int isp_2xxx_abort(struct isp_hw *hw, u16 loop_id, u64 lun, u32 handle)
{
	struct isp_mbox_cmd cmd = {
		.mb = {
			ISP_MBC_ABORT_COMMAND, 0, lower_16_bits(handle),
			upper_16_bits(handle),
		},
		.out = BIT(2) | BIT(3),
		.timeout_ms = ABORT_TIMEOUT_MS,
		.may_fail = true,
	};

	mb_loop_id(hw, &cmd, loop_id);
	mb_lun(hw, &cmd, 6, lun);
	return isp_mbox_exec(hw, &cmd);
}

/**
 * isp_2xxx_reset_lun() - reset a logical unit
 * @hw: card
 * @loop_id: of the target port
 * @lun: of the unit
 *
 * See struct isp_chip. A marker must follow. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_reset_lun(struct isp_hw *hw, u16 loop_id, u64 lun)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_LUN_RESET },
		.out = BIT(3),
		.timeout_ms = TMF_TIMEOUT_MS,
		.may_fail = true,
	};

	mb_loop_id(hw, &cmd, loop_id);
	mb_lun(hw, &cmd, 2, lun);
	return isp_mbox_exec(hw, &cmd);
}

/**
 * isp_2xxx_reset_target() - reset a target
 * @hw: card
 * @loop_id: of the target port
 *
 * See struct isp_chip. A marker must follow. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_reset_target(struct isp_hw *hw, u16 loop_id)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_ABORT_TARGET, 0, hw->cfg.reset_delay },
		.out = BIT(2),
		.timeout_ms = TMF_TIMEOUT_MS,
		.may_fail = true,
	};

	mb_loop_id(hw, &cmd, loop_id);
	mb_options(hw, &cmd, 0);
	return isp_mbox_exec(hw, &cmd);
}

/**
 * isp_2xxx_reset_loop() - reset all ports on the loop (FC-AL: LIP reset)
 * @hw: card
 *
 * See struct isp_chip.
 *
 * Events follow, and so must a marker. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_reset_loop(struct isp_hw *hw)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_LIP_RESET, 0, hw->cfg.reset_delay, 0 },
		.out = BIT(2) | BIT(3),
		.timeout_ms = TMF_TIMEOUT_MS,
	};

	/* Loop id FFh: all ports. */
	mb_loop_id(hw, &cmd, 0xff);
	mb_options(hw, &cmd, 0);
	return isp_mbox_exec(hw, &cmd);
}

/**
 * isp_2xxx_lip() - have the loop initialized anew, with fresh logins
 * @hw: card
 *
 * See struct isp_chip. Events follow. Context: process.
 *
 * Return: 0 or a negative errno as isp_mbox_exec().
 */
int isp_2xxx_lip(struct isp_hw *hw)
{
	struct isp_mbox_cmd cmd = {
		.mb = { ISP_MBC_LIP_FULL_LOGIN, 0, 0, 0 },
		.out = BIT(1) | BIT(2) | BIT(3),
		.timeout_ms = TMF_TIMEOUT_MS,
	};

	return isp_mbox_exec(hw, &cmd);
}

/* ---- Queue entries ----------------------------------------------------- */

static void put_dsd(struct isp_dsd64 *dsd, const struct scatterlist *sg)
{
	dsd->addr = cpu_to_le64(sg_dma_address(sg));
	dsd->len = cpu_to_le32(sg_dma_len(sg));
}

static struct scatterlist *put_dsds(struct isp_dsd64 *dsd,
				    struct scatterlist *sg, unsigned int n)
{
	for (; n; n--, dsd++, sg = sg_next(sg))
		put_dsd(dsd, sg);
	return sg;
}

static void no_dsd(struct isp_dsd64 *dsd)
{
	dsd->addr = 0;
	dsd->len = 0;
}

/**
 * isp_2xxx_build_command() - build the first of a command's entries
 * @hw: card
 * @entry: where to: in the ring, every byte is written
 * @rq: the command
 * @handle: what the card is to know it by
 * @entries: its entries, this one included
 *
 * See struct isp_chip. Context: any.
 */
void isp_2xxx_build_command(struct isp_hw *hw, void *entry,
			    const struct isp_request *rq, u32 handle,
			    unsigned int entries)
{
	static const u8 flags_of[ISP_DIRS] = {
		[ISP_DIR_NONE]	= ISP_CF_SIMPLE_TAG,
		[ISP_DIR_WRITE]	= ISP_CF_SIMPLE_TAG | ISP_CF_WRITE,
		[ISP_DIR_READ]	= ISP_CF_SIMPLE_TAG | ISP_CF_READ,
	};
	struct isp_cmd3 *cmd = entry;
	unsigned int nseg = rq->nseg;
	u16 flags;

	cmd->hdr = (struct isp_entry_hdr) {
		.type = ISP_ENTRY_COMMAND_A64,
		.count = entries,
		.handle = cpu_to_le32(handle),
	};
	put_address(hw, READ_ONCE(rq->nexus->loop_id), rq->lun, &cmd->target,
		    &cmd->lun);
	flags = flags_of[rq->dir];
	if (unlikely(rq->head))
		flags ^= ISP_CF_SIMPLE_TAG | ISP_CF_HEAD_TAG;
	cmd->control_flags = cpu_to_le16(flags);
	cmd->reserved = 0;
	cmd->timeout = 0;
	cmd->dseg_count = cpu_to_le16(nseg);
	memcpy(cmd->cdb, rq->cdb, sizeof(cmd->cdb));
	cmd->byte_count = cpu_to_le32(rq->bytes);
	if (likely(nseg))
		put_dsd(&cmd->dsd[0], rq->sg);
	else
		no_dsd(&cmd->dsd[0]);
	if (nseg > 1)
		put_dsd(&cmd->dsd[1], sg_next(rq->sg));
	else
		no_dsd(&cmd->dsd[1]);
}

/**
 * isp_2xxx_build_cont() - build a continuation entry
 * @entry: where to
 * @sg: first segment that has no place yet
 * @nseg: segments from there on
 *
 * See struct isp_chip. Context: any.
 *
 * Return: the first segment that still has no place.
 */
struct scatterlist *isp_2xxx_build_cont(void *entry, struct scatterlist *sg,
					unsigned int nseg)
{
	struct isp_cont_a64 *cont = entry;
	unsigned int n = min_t(unsigned int, nseg, ISP_CONT_DSDS);

	cont->type = ISP_ENTRY_CONT_A64;
	cont->count = 1;
	cont->sys_define = 0;
	cont->status = 0;
	sg = put_dsds(cont->dsd, sg, n);
	memset(&cont->dsd[n], 0, (ISP_CONT_DSDS - n) * sizeof(cont->dsd[0]));
	return sg;
}

/**
 * isp_2xxx_build_marker() - build a marker entry
 * @hw: card
 * @entry: where to
 * @kind: reach
 * @loop_id: of the target, unless @kind is ISP_MARK_ALL
 * @lun: if @kind is ISP_MARK_LUN
 *
 * See struct isp_chip. Context: any.
 */
void isp_2xxx_build_marker(struct isp_hw *hw, void *entry,
			   enum isp_marker_kind kind, u16 loop_id, u64 lun)
{
	struct isp_marker *mk = entry;

	memset(mk, 0, sizeof(*mk));
	mk->hdr.type = ISP_ENTRY_MARKER;
	mk->hdr.count = 1;
	switch (kind) {
	case ISP_MARK_LUN:
		mk->modifier = ISP_MK_LUN;
		put_address(hw, loop_id, lun, &mk->target, &mk->lun);
		break;
	case ISP_MARK_TARGET:
		mk->modifier = ISP_MK_TARGET;
		put_address(hw, loop_id, 0, &mk->target, &mk->lun);
		break;
	case ISP_MARK_ALL:
		mk->modifier = ISP_MK_ALL;
		break;
	}
}

static void decode_status(const struct isp_status_entry *e,
			  struct isp_status *st)
{
	u16 scsi = le16_to_cpu(e->scsi_status);

	st->comp = le16_to_cpu(e->comp_status);
	st->scsi = scsi & 0xff;
	st->resid_under = scsi & ISP_SS_RESID_UNDER;
	st->resid_over = scsi & ISP_SS_RESID_OVER;
	st->logged_out = le16_to_cpu(e->status_flags) & 0x2000;
	st->resid = le32_to_cpu(e->residual);
	st->rsp_code = 0;
	if (scsi & ISP_SS_RSP_VALID && le16_to_cpu(e->rsp_info_len) > 3)
		st->rsp_code = e->rsp_info[3];
	st->sense = e->sense;
	st->sense_len = 0;
	if (scsi & ISP_SS_SENSE_VALID)
		st->sense_len = le16_to_cpu(e->sense_len);
	st->sense_here = min_t(u16, st->sense_len, ISP_STATUS_SENSE);
}

/**
 * isp_2xxx_good() - has a command ended, and nothing is to be said of it?
 * @entry: entry of the response ring
 *
 * See struct isp_chip. Context: any.
 *
 * Return: its handle, or 0.
 */
u32 isp_2xxx_good(const void *entry)
{
	const struct isp_status_entry *e = entry;

	if (e->hdr.type != ISP_ENTRY_STATUS || e->hdr.status & ISP_ES_MASK ||
	    e->scsi_status | e->comp_status)
		return 0;
	return le32_to_cpu(e->hdr.handle);
}

/**
 * isp_2xxx_decode() - read an entry of the response ring
 * @entry: the entry
 * @st: what it says
 *
 * See struct isp_chip. Context: any.
 *
 * Return: what it is.
 */
enum isp_rsp_kind isp_2xxx_decode(const void *entry, struct isp_status *st)
{
	const struct isp_entry_hdr *hdr = entry;
	const struct isp_status_cont *cont = entry;

	st->handle = le32_to_cpu(hdr->handle);
	if (hdr->type == ISP_ENTRY_STATUS_CONT) {
		st->sense = cont->sense;
		st->sense_here = ISP_STATUS_CONT_SENSE;
		return ISP_RSP_SENSE;
	}
	if (hdr->type != ISP_ENTRY_STATUS && hdr->type != ISP_ENTRY_COMMAND_A64)
		return ISP_RSP_BAD;
	if (hdr->status & ISP_ES_MASK || hdr->type == ISP_ENTRY_COMMAND_A64) {
		/* The command comes back as it was, never begun. */
		*st = (struct isp_status) {
			.handle = st->handle,
			.comp = (hdr->status & ISP_ES_MASK) == ISP_ES_BUSY ?
				ISP_CS_NO_ROOM : ISP_CS_REJECTED,
		};
		return ISP_RSP_STATUS;
	}
	decode_status(entry, st);
	return ISP_RSP_STATUS;
}
