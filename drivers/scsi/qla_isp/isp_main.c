// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 0: the module, its parameters, and PCI.
 */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "isp_compat.h"
#include "isp_scsi.h"

#define DRV_NAME		"qla_isp"

static int max_lun = 65535;
module_param(max_lun, int, 0444);
MODULE_PARM_DESC(max_lun, "Highest LUN to attach, 0 to 65535 (default 65535)");

static int queue_depth = 64;
module_param(queue_depth, int, 0444);
MODULE_PARM_DESC(queue_depth,
		 "Commands per LUN at a time, 1 to 256 (default 64)");

static int max_commands = 1024;
module_param(max_commands, int, 0444);
MODULE_PARM_DESC(max_commands,
		 "Commands per adapter at a time, 16 to 2048 (default 1024; the firmware may allow fewer)");

static int poll_queues;
module_param(poll_queues, int, 0444);
MODULE_PARM_DESC(poll_queues,
		 "Queues for polled I/O (io_uring's IOPOLL), 0 or 1 (default 0)");

static int moderation_us;
module_param(moderation_us, int, 0444);
MODULE_PARM_DESC(moderation_us,
		 "Moderate interrupts under load, looking every so many us at least, 10 to 1000; 0: do not (default 0)");

static int moderation_depth = ISP_MOD_DEPTH;
module_param(moderation_depth, int, 0444);
MODULE_PARM_DESC(moderation_depth,
		 "... when at least so many commands are with the card, 2 to 1024 (default 8)");

static int dev_loss_tmo;
module_param(dev_loss_tmo, int, 0444);
MODULE_PARM_DESC(dev_loss_tmo,
		 "Seconds to wait for a lost port, 1 to 600; 0: as scsi_transport_fc has it (default 0)");

#define ISP_CONNECTIONS		"loop, p2p, loop-first, p2p-first or nvram"
static char *connection = "nvram";
module_param(connection, charp, 0444);
MODULE_PARM_DESC(connection,
		 "What to connect as: " ISP_CONNECTIONS " (default nvram)");

#define ISP_RATES		"1, 2, auto or nvram"
static char *data_rate = "nvram";
module_param(data_rate, charp, 0444);
MODULE_PARM_DESC(data_rate,
		 "Gbit/s: " ISP_RATES " (default nvram)");

#define ISP_CARDS		"none, addresses (0000:05:00.0,...) or all"
static char *cards = "all";
module_param(cards, charp, 0644);
MODULE_PARM_DESC(cards,
		 "Cards to drive: " ISP_CARDS " (default all)");

static struct isp_limits isp_limits;
static struct isp_choice isp_choice;
static struct scsi_transport_template *isp_transport;

/* A default below the range is 0: off. */
static unsigned int isp_param(const char *name, int val, int lo, int hi,
			      int def)
{
	if (val == def || (val >= lo && val <= hi))
		return val;
	pr_warn(DRV_NAME ": parameter %s=%d is not %sin the range %d to %d, using %d\n",
		name, val, def < lo ? "0, or " : "", lo, hi, def);
	return def;
}

static unsigned int isp_param_word(const char *name, const char *val,
				   const char * const *words, unsigned int def,
				   const char *all)
{
	int n = match_string(words, def + 1, val);

	if (n >= 0)
		return n;
	pr_warn(DRV_NAME ": parameter %s=%s is not %s, using %s\n", name, val,
		all, words[def]);
	return def;
}

/*
 * The next word of the parameter cards, behind the word *@at of *@len bytes;
 * NULL: there is none. Whoever changes it in sysfs may have ended it with a
 * newline.
 */
static const char *isp_cards_next(const char *at, size_t *len)
{
	at += *len;
	at += strspn(at, ",\n");
	*len = strcspn(at, ",\n");
	return *len ? at : NULL;
}

static bool isp_cards_word_is(const char *at, size_t len, const char *word)
{
	return len == strlen(word) && !strncmp(at, word, len);
}

static bool isp_cards_word_sound(const char *at, size_t len)
{
	unsigned int domain, bus, device, function;
	int end = 0;

	if (isp_cards_word_is(at, len, "all") ||
	    isp_cards_word_is(at, len, "none"))
		return true;
	return sscanf(at, "%8x:%2x:%2x.%1x%n", &domain, &bus, &device,
		      &function, &end) == 4 && end == len;
}

static bool isp_cards_sound(void)
{
	const char *at = cards;
	size_t len = 0;
	bool sound = true;

	while (sound && (at = isp_cards_next(at, &len)))
		sound = isp_cards_word_sound(at, len);
	return sound;
}

/* Whether the parameter cards leaves that card to this driver. */
static bool isp_card_is_ours(const char *name)
{
	const char *at;
	size_t len = 0;
	bool ours = false;

	kernel_param_lock(THIS_MODULE);
	for (at = cards; !ours && (at = isp_cards_next(at, &len));)
		ours = isp_cards_word_is(at, len, "all") ||
		       isp_cards_word_is(at, len, name);
	kernel_param_unlock(THIS_MODULE);
	return ours;
}

static void isp_params(void)
{
	if (!isp_cards_sound())
		pr_warn(DRV_NAME ": parameter cards=%s is not %s, using what is\n",
			cards, ISP_CARDS);
	isp_limits.max_lun = isp_param("max_lun", max_lun, 0, 65535, 65535);
	isp_limits.queue_depth = isp_param("queue_depth", queue_depth, 1, 256,
					   64);
	isp_limits.max_commands = isp_param("max_commands", max_commands, 16,
					    2048, 1024);
	isp_limits.poll_queues = isp_param("poll_queues", poll_queues, 0, 1, 0);
	if (isp_limits.poll_queues && !ISP_HAS_POLL_QUEUES) {
		pr_info(DRV_NAME ": poll_queues is not used: this kernel has no polled queues for SCSI\n");
		isp_limits.poll_queues = 0;
	}
	isp_limits.moderation_us = isp_param("moderation_us", moderation_us,
					     ISP_MOD_US_MIN, ISP_MOD_US_MAX, 0);
	if (isp_limits.moderation_us && IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_info(DRV_NAME ": moderation_us is not used: this kernel is PREEMPT_RT\n");
		isp_limits.moderation_us = 0;
	}
	isp_limits.moderation_depth = isp_param("moderation_depth",
						moderation_depth,
						ISP_MOD_DEPTH_MIN,
						ISP_MOD_DEPTH_MAX,
						ISP_MOD_DEPTH);
	/* The class takes no more as long as fast_io_fail_tmo is off. */
	isp_limits.dev_loss_tmo = isp_param("dev_loss_tmo", dev_loss_tmo, 1,
					    600, 0);
	isp_choice.connection = isp_param_word("connection", connection,
					       isp_connection_names,
					       ISP_CONN_NVRAM, ISP_CONNECTIONS);
	isp_choice.rate = isp_param_word("data_rate", data_rate,
					 isp_rate_names, ISP_RATE_NVRAM,
					 ISP_RATES);
}

/* ---- PCI ---------------------------------------------------------------- */

/* Register files of these chips are 256 bytes, behind BAR 0 (I/O) and 1. */
#define ISP_BAR_IO		0
#define ISP_BAR_MEM		1
#define ISP_BAR_SIZE		0x100

static bool isp_bar_usable(struct pci_dev *pdev, int bar, unsigned long type)
{
	return pci_resource_flags(pdev, bar) & type &&
	       pci_resource_start(pdev, bar) &&
	       pci_resource_len(pdev, bar) >= ISP_BAR_SIZE;
}

static int isp_map_bar(struct isp_hw *hw, int bar)
{
	int ret;

	ret = pci_request_selected_regions(hw->pdev, BIT(bar), DRV_NAME);
	if (ret)
		return ret;
	hw->regs = pci_iomap(hw->pdev, bar, ISP_BAR_SIZE);
	if (hw->regs) {
		hw->bar_is_io = bar == ISP_BAR_IO;
		return 0;
	}
	pci_release_selected_regions(hw->pdev, BIT(bar));
	return -ENOMEM;
}

static int isp_map_regs(struct isp_hw *hw)
{
	int ret = -ENODEV;

	if (isp_bar_usable(hw->pdev, ISP_BAR_MEM, IORESOURCE_MEM))
		ret = isp_map_bar(hw, ISP_BAR_MEM);
	if (ret && isp_bar_usable(hw->pdev, ISP_BAR_IO, IORESOURCE_IO))
		ret = isp_map_bar(hw, ISP_BAR_IO);
	if (ret)
		dev_err(hw->dev, "registers cannot be mapped (%d): is another driver bound to the card, or has the BIOS left it without addresses?\n",
			ret);
	return ret;
}

static void isp_unmap_regs(struct isp_hw *hw)
{
	pci_iounmap(hw->pdev, hw->regs);
	pci_release_selected_regions(hw->pdev, BIT(hw->bar_is_io ? ISP_BAR_IO :
						   ISP_BAR_MEM));
}

static int isp_set_dma(struct isp_hw *hw)
{
	int ret = dma_set_mask_and_coherent(hw->dev, DMA_BIT_MASK(64));

	if (ret)
		ret = dma_set_mask_and_coherent(hw->dev, DMA_BIT_MASK(32));
	if (ret)
		dev_err(hw->dev, "no usable DMA (%d): try another slot\n", ret);
	return ret;
}

static int isp_pci_up(struct isp_hw *hw)
{
	struct pci_dev *pdev = hw->pdev;
	int ret;

	ret = pci_enable_device(pdev);
	if (ret) {
		dev_err(hw->dev, "card cannot be enabled (%d): try another slot\n",
			ret);
		return ret;
	}
	ret = isp_set_dma(hw);
	if (!ret)
		ret = isp_map_regs(hw);
	if (ret) {
		pci_disable_device(pdev);
		return ret;
	}
	/* Bus mastering waits for the reset: firmware may still be running. */
	if (hw->chip->use_mwi)
		pci_try_set_mwi(pdev);
	else
		pci_clear_mwi(pdev);
	pci_intx(pdev, true);
	dev_dbg(hw->dev, "registers by %s, DMA mask %016llx, interrupt %u\n",
		hw->bar_is_io ? "I/O port" : "memory", dma_get_mask(hw->dev),
		pdev->irq);
	return 0;
}

static void isp_pci_down(struct isp_hw *hw)
{
	pci_clear_master(hw->pdev);
	isp_unmap_regs(hw);
	pci_disable_device(hw->pdev);
}

static int isp_get_irq(struct isp_hba *hba)
{
	struct isp_hw *hw = &hba->hw;
	int ret;

	isp_hw_interrupts(hw, false);
	ret = request_irq(hw->pdev->irq, isp_intr_handler, IRQF_SHARED,
			  DRV_NAME, &hba->q);
	if (ret)
		dev_err(hw->dev, "interrupt %u not to be had (%d): check the slot's interrupt routing\n",
			hw->pdev->irq, ret);
	return ret;
}

/* From the first touch of the card to a registered host on the loop. */
static int isp_bring_up(struct isp_hba *hba)
{
	int ret;

	ret = isp_hba_start(hba, false);
	if (ret)
		return ret;
	ret = isp_scsi_add(hba, &isp_limits);
	if (ret) {
		dev_err(hba->hw.dev, "SCSI host cannot be registered (%d): out of memory?\n",
			ret);
		return ret;
	}
	isp_rport_host_init(&hba->fab);
	ret = isp_hba_go(hba);
	if (ret) {
		isp_scsi_remove(hba);
		return ret;
	}
	isp_hba_enable_recovery(hba);
	isp_fabric_start(&hba->fab);
	return 0;
}

static int isp_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct isp_hba *hba;
	struct isp_hw *hw;
	int ret;

	if (!isp_card_is_ours(pci_name(pdev))) {
		dev_info(&pdev->dev, "left alone: the parameter cards does not name it (isp-ctl changes that)\n");
		return -ENODEV;
	}
	hba = isp_scsi_alloc(isp_transport);
	if (!hba)
		return -ENOMEM;
	hw = &hba->hw;
	hw->pdev = pdev;
	hw->dev = &pdev->dev;
	hw->host = hba->shost->host_no;
	hw->chip = (const struct isp_chip *)id->driver_data;
	hw->choice = &isp_choice;
	ret = isp_pci_up(hw);
	if (ret)
		goto err_host;
	ret = isp_hba_init(hba, &isp_scsi_queue_ops, &isp_scsi_hba_ops);
	if (ret)
		goto err_pci;
	ret = isp_get_irq(hba);
	if (ret)
		goto err_hba;
	ret = isp_bring_up(hba);
	if (ret)
		goto err_irq;
	pci_set_drvdata(pdev, hba);
	isp_debugfs_add(hba);
	scsi_scan_host(hba->shost);
	return 0;

err_irq:
	isp_hba_kill(hba);
	free_irq(pdev->irq, &hba->q);
err_hba:
	isp_hba_exit(hba);
err_pci:
	isp_pci_down(hw);
err_host:
	scsi_host_put(hba->shost);
	/* Said what there is to say: the driver core need not add a number. */
	return ret == -ENOMEM ? ret : -ENODEV;
}

static void isp_remove(struct pci_dev *pdev)
{
	struct isp_hba *hba = pci_get_drvdata(pdev);

	/* Without a card, commands would wait for it until they time out. */
	if (isp_hw_check_gone(&hba->hw))
		isp_hba_kill(hba);
	isp_scsi_remove(hba);
	isp_hba_kill(hba);
	free_irq(pdev->irq, &hba->q);
	isp_debugfs_remove(hba);
	isp_hba_exit(hba);
	isp_pci_down(&hba->hw);
	scsi_host_put(hba->shost);
}

/* Before a reboot or kexec: the card must not write to memory any more. */
static void isp_shutdown(struct pci_dev *pdev)
{
	struct isp_hba *hba = pci_get_drvdata(pdev);

	isp_fabric_disable(&hba->fab);
	isp_hba_kill(hba);
	isp_fabric_stop(&hba->fab);
}

static int isp_suspend(struct device *dev)
{
	return isp_hba_sleep(dev_get_drvdata(dev));
}

static int isp_resume(struct device *dev)
{
	return isp_hba_wake(dev_get_drvdata(dev));
}

static const struct dev_pm_ops isp_pm_ops = {
	.suspend	= pm_sleep_ptr(isp_suspend),
	.resume		= pm_sleep_ptr(isp_resume),
	.freeze		= pm_sleep_ptr(isp_suspend),
	.thaw		= pm_sleep_ptr(isp_resume),
	.poweroff	= pm_sleep_ptr(isp_suspend),
	.restore	= pm_sleep_ptr(isp_resume),
};

#define ISP_ID(device, chip_) {						\
	PCI_VDEVICE(QLOGIC, device),					\
	.driver_data = (kernel_ulong_t)&(chip_)				\
}

static const struct pci_device_id isp_ids[] = {
	ISP_ID(0x2100, isp_chip_2100),
	ISP_ID(0x2200, isp_chip_2200),
	ISP_ID(0x2300, isp_chip_2300),
	ISP_ID(0x2312, isp_chip_2312),
	ISP_ID(0x2322, isp_chip_2322),
	ISP_ID(0x6312, isp_chip_6312),
	ISP_ID(0x6322, isp_chip_6322),
	{ }
};
MODULE_DEVICE_TABLE(pci, isp_ids);

static struct pci_driver isp_driver = {
	.name		= DRV_NAME,
	.id_table	= isp_ids,
	.probe		= isp_probe,
	.remove		= isp_remove,
	.shutdown	= isp_shutdown,
	.driver.pm	= pm_sleep_ptr(&isp_pm_ops),
};

static void isp_leave(void)
{
	isp_debugfs_exit();
	fc_release_transport(isp_transport);
}

static int __init isp_init(void)
{
	int ret;

	isp_params();
	isp_transport = isp_rport_attach();
	if (!isp_transport)
		return -ENOMEM;
	isp_debugfs_init();
	ret = pci_register_driver(&isp_driver);
	if (ret)
		isp_leave();
	return ret;
}
module_init(isp_init);

static void __exit isp_exit(void)
{
	pci_unregister_driver(&isp_driver);
	isp_leave();
}
module_exit(isp_exit);

MODULE_DESCRIPTION("QLogic ISP Fibre Channel adapters");
MODULE_LICENSE("GPL");
MODULE_VERSION(ISP_VERSION);
MODULE_FIRMWARE("ql2100_fw.bin");
MODULE_FIRMWARE("ql2200_fw.bin");
MODULE_FIRMWARE("ql2300_fw.bin");
MODULE_FIRMWARE("ql2322_fw.bin");
