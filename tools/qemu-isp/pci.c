// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The card as a PCI device: type, properties, configuration space, DMA.
 *
 * Ids: chips.c.  BARs: 256 bytes of I/O, 4 KiB of memory (Linux qla2x00_iospace_config(), FreeBSD
 * isp_pci.c).  Expansion ROM: none.  Capabilities of the PCI-X chips: power management, PCI-X, MSI;
 * Linux asks the 23xx for none of them and uses INTx.
 */
#include "chips.h"
#include "board.h"
#include "inject.h"

enum {
	CAP_PM = 0x44,
	CAP_PCIX = 0x4c,
	CAP_MSI = 0x54,
};

#define PCIX_SIZEOF 8	/* version 0 of the capability */

/* ---- DMA ---------------------------------------------------------------------------------- */

/*
 * With bus mastering off a card may not touch the bus, whatever it has in flight.  That is how a
 * driver silences one that it is about to reset (Linux qla2x00_reset_chip() begins with it), so it
 * is counted, but is no violation.
 */
static void dma_failed(IspState *s, const char *dir, uint64_t addr, size_t len)
{
	if (!(pci_get_word(PCI_DEVICE(s)->config + PCI_COMMAND) & PCI_COMMAND_MASTER)) {
		isp_count(s, "dma.bus-master-off", 1);
		return;
	}
	isp_violation(s, ISP_V_DMA, "%zu-byte DMA %s at %" PRIx64 " failed: no memory there, or not mapped", len,
		      dir, addr);
}

bool isp_dma_read(IspState *s, uint64_t addr, void *buf, size_t len)
{
	isp_count_dma(s, len, 0);
	if (pci_dma_read(PCI_DEVICE(s), addr, buf, len) == MEMTX_OK)
		return true;
	memset(buf, 0xff, len);
	dma_failed(s, "read", addr, len);
	return false;
}

bool isp_dma_write(IspState *s, uint64_t addr, const void *buf, size_t len)
{
	isp_count_dma(s, 0, len);
	if (pci_dma_write(PCI_DEVICE(s), addr, buf, len) == MEMTX_OK)
		return true;
	dma_failed(s, "write", addr, len);
	return false;
}

/*
 * An entry that the host may be watching for: front to back and each byte once, as it comes over a bus. memcpy() may
 * write a byte twice, and this thread be stopped in between: what the host wrote there meanwhile, to know that it is done
 * with the entry, would be undone, and the entry be taken for a new one a turn of the ring later.
 */
bool isp_dma_write_entry(IspState *s, uint64_t addr, const uint8_t *entry, size_t len)
{
	AddressSpace *as = pci_get_address_space(PCI_DEVICE(s));
	MemTxResult result = MEMTX_OK;

	isp_count_dma(s, 0, len);
	smp_mb();	/* what the entry is about comes before it */
	for (size_t i = 0; i < len && result == MEMTX_OK; i += 8)
		address_space_stq_le(as, addr + i, ldq_le_p(entry + i), MEMTXATTRS_UNSPECIFIED, &result);
	if (result == MEMTX_OK)
		return true;
	dma_failed(s, "write", addr, len);
	return false;
}

/* ---- configuration space ------------------------------------------------------------------ */

static bool add_power_management(PCIDevice *pdev, Error **errp)
{
	int pos = pci_add_capability(pdev, PCI_CAP_ID_PM, CAP_PM, PCI_PM_SIZEOF, errp);

	if (pos < 0)
		return false;
	pci_set_word(pdev->config + pos + PCI_PM_PMC, 2);	/* version 2, D0 and D3hot */
	pci_set_word(pdev->wmask + pos + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
	return true;
}

static bool add_pcix(PCIDevice *pdev, Error **errp)
{
	int pos = pci_add_capability(pdev, PCI_CAP_ID_PCIX, CAP_PCIX, PCIX_SIZEOF, errp);
	uint32_t status;

	if (pos < 0)
		return false;
	/* Relaxed ordering on, reads of 512 bytes, 4 outstanding. */
	pci_set_word(pdev->config + pos + PCI_X_CMD, PCI_X_CMD_ERO | PCI_X_CMD_READ_512 | 0x30);
	pci_set_word(pdev->wmask + pos + PCI_X_CMD,
		     PCI_X_CMD_DPERR_E | PCI_X_CMD_ERO | PCI_X_CMD_MAX_READ | PCI_X_CMD_MAX_SPLIT);
	status = pdev->devfn | PCI_X_STATUS_64BIT | PCI_X_STATUS_133MHZ | 2 << 21 | 3 << 23;
	pci_set_long(pdev->config + pos + PCI_X_STATUS, status);
	return true;
}

static bool add_capabilities(IspState *s, Error **errp)
{
	PCIDevice *pdev = PCI_DEVICE(s);

	if (!s->chip->has_pcix)
		return true;
	if (!add_power_management(pdev, errp) || !add_pcix(pdev, errp))
		return false;
	/* Fails only where the machine has no MSI at all; the card works without. */
	msi_init(pdev, CAP_MSI, 8, true, false, NULL);
	return true;
}

bool isp_is_dual(IspState *s)
{
	PCIDevice *pdev = PCI_DEVICE(s);

	return s->chip->has_pcix &&
	       (pdev->cap_present & QEMU_PCI_CAP_MULTIFUNCTION || PCI_FUNC(pdev->devfn));
}

static void set_config(IspState *s)
{
	PCIDevice *pdev = PCI_DEVICE(s);
	uint8_t *conf = pdev->config;
	bool dual = isp_is_dual(s) && s->chip->dual_subsystem_id;

	pci_set_word(conf + PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_ID_QLOGIC);
	pci_set_word(conf + PCI_SUBSYSTEM_ID,
		     dual ? s->chip->dual_subsystem_id : s->chip->subsystem_id);
	pci_set_word(conf + PCI_STATUS, PCI_STATUS_66MHZ | PCI_STATUS_FAST_BACK |
		     PCI_STATUS_DEVSEL_MEDIUM | (s->chip->has_pcix ? PCI_STATUS_CAP_LIST : 0));
	conf[PCI_INTERRUPT_PIN] = 1;
	conf[PCI_MIN_GNT] = 0x40;
	pdev->wmask[PCI_LATENCY_TIMER] = 0xf8;
	pdev->wmask[PCI_CACHE_LINE_SIZE] = 0xff;
}

/* ---- names -------------------------------------------------------------------------------- */

/*
 * Default names: QLogic's 2100 00e0 8bxx xxxx, the port number in the second byte as on dual-port
 * cards, the last three bytes from where the card sits.
 */
static void default_names(IspState *s)
{
	PCIDevice *pdev = PCI_DEVICE(s);
	uint32_t bus = g_str_hash(pci_get_bus(pdev)->qbus.name) & 0xff;
	uint64_t serial = 0x100000 | bus << 8 | PCI_SLOT(pdev->devfn);
	uint64_t base = 0x000000e08b000000ull | serial;

	if (!s->wwpn)
		s->wwpn = 0x2100ull << 48 | (uint64_t)PCI_FUNC(pdev->devfn) << 48 | base;
	if (!s->wwnn)
		s->wwnn = 0x2000ull << 48 | (uint64_t)PCI_FUNC(pdev->devfn) << 48 | base;
	if (!s->serial)
		s->serial = g_strdup_printf("V%06" PRIX64, serial);
}

/* ---- life --------------------------------------------------------------------------------- */

static bool check_properties(IspState *s, Error **errp)
{
	if (s->nvram_fault && !isp_nvram_fault_valid(s->nvram_fault)) {
		error_setg(errp, "no nvram-fault '%s': choose from checksum, id, version, blank",
			   s->nvram_fault);
		return false;
	}
	if (s->exchanges > UINT16_MAX || s->iocbs > UINT16_MAX) {
		error_setg(errp, "exchanges=%u, iocbs=%u: at most %u", s->exchanges, s->iocbs, UINT16_MAX);
		return false;
	}
	return isp_nvram_check(s, errp);
}

static void board_init(IspState *s)
{
	s->board = g_new0(IspBoard, 1);
	isp_ram_init(s);
	isp_nvram_init(s);
	isp_flash_init(s);
	isp_hostif_init(s);
	isp_regs_init(s);
}

static void board_finish(IspState *s)
{
	isp_hostif_finish(s);
	isp_flash_finish(s);
	isp_nvram_finish(s);
	isp_ram_finish(s);
}

/*
 * The memory regions of the BARs are in there, and QEMU's memory map looks at them once more after the
 * device has gone.
 */
static void isp_finalize(Object *obj)
{
	g_free(ISP(obj)->board);
}

static void isp_realize(PCIDevice *pdev, Error **errp)
{
	IspState *s = ISP(pdev);
	Error *err = NULL;

	s->chip = ISP_GET_CLASS(s)->chip;
	if (!check_properties(s, errp))
		return;
	set_config(s);
	if (!add_capabilities(s, errp))
		return;
	default_names(s);
	isp_trace_init(s, &err);
	if (err) {
		error_propagate(errp, err);
		goto out_msi;
	}
	board_init(s);
	isp_stats_init(s);
	isp_fw_realize(s, &err);
	if (err) {
		error_propagate(errp, err);
		goto out_board;
	}
	qbus_set_hotplug_handler(BUS(&s->bus), OBJECT(s));
	isp_hostif_power_on(s);
	return;

out_board:
	isp_stats_finish(s);
	board_finish(s);
	isp_trace_finish(s);
out_msi:
	if (s->chip->has_pcix)
		msi_uninit(pdev);
}

static void isp_exit(PCIDevice *pdev)
{
	IspState *s = ISP(pdev);

	isp_inject_finish(s);
	isp_fw_unrealize(s);
	isp_stats_finish(s);
	isp_trace_finish(s);
	board_finish(s);
	if (s->chip->has_pcix)
		msi_uninit(pdev);
}

static void lun_plug(HotplugHandler *handler, DeviceState *dev, Error **errp)
{
	isp_fc_luns_changed(ISP(handler));
}

static void lun_unplug(HotplugHandler *handler, DeviceState *dev, Error **errp)
{
	qdev_simple_device_unplug_cb(handler, dev, errp);
	isp_fc_luns_changed(ISP(handler));
}

/* PCI or system reset: like a soft reset; NVRAM, flash and RAM keep what they hold. */
static void isp_reset(DeviceState *dev)
{
	IspState *s = ISP(dev);

	if (s->chip->has_pcix)
		msi_reset(PCI_DEVICE(dev));
	s->board->gpiod = s->board->gpioe = 0;
	isp_soft_reset(s);
}

static ISP_PROPERTY isp_properties[] = {
	DEFINE_PROP_UINT64("wwpn", IspState, wwpn, 0),
	DEFINE_PROP_UINT64("wwnn", IspState, wwnn, 0),
	DEFINE_PROP_STRING("serial", IspState, serial),
	DEFINE_PROP_STRING("model", IspState, model),
	DEFINE_PROP_STRING("nvram-fault", IspState, nvram_fault),
	DEFINE_PROP_STRING("nvram-connection", IspState, nvram_connection),
	DEFINE_PROP_STRING("nvram-rate", IspState, nvram_rate),
	DEFINE_PROP_STRING("nvram-set", IspState, nvram_set),
	DEFINE_PROP_STRING("link-rate", IspState, link_rate),
	DEFINE_PROP_UINT32("exchanges", IspState, exchanges, 0),
	DEFINE_PROP_UINT32("iocbs", IspState, iocbs, 0),
	DEFINE_PROP_STRING("stats-file", IspState, stats_file),
	DEFINE_PROP_STRING("trace-file", IspState, trace_file),
	DEFINE_PROP_STRING("topology", IspState, topology),
	DEFINE_PROP_UINT32("port-id", IspState, port_id, 0x010000),
	DEFINE_PROP_UINT32("targets", IspState, min_targets, 0),
	DEFINE_PROP_UINT32("fw-delay-ns", IspState, fw_delay_ns, 2000),
	DEFINE_PROP_UINT32("mbox-delay-ns", IspState, mbox_delay_ns, 5000),
	DEFINE_PROP_UINT32("lip-ms", IspState, lip_ms, 300),
	ISP_PROPERTIES_END
};

static const struct {
	const char *name, *text;
} descriptions[] = {
	{ "wwpn", "port name, 64 bits (0: made from the PCI address)" },
	{ "wwnn", "node name, 64 bits (0: made from the PCI address)" },
	{ "serial", "serial number in the NVRAM" },
	{ "model", "model name in the NVRAM (23xx)" },
	{ "nvram-fault", "how the NVRAM image is broken: checksum, id, version, blank" },
	{ "nvram-connection", "connection option in the NVRAM: loop, p2p, loop-first, p2p-first" },
	{ "nvram-rate", "data rate in the NVRAM: 1, 2, auto" },
	{ "nvram-set", "bytes in the NVRAM: OFFSET:HEX[;OFFSET:HEX]..." },
	{ "link-rate", "Gb/s that the other end of the cable can: 1, 2 (default both)" },
	{ "exchanges", "exchanges that the firmware can have open (default the chip's)" },
	{ "iocbs", "IOCBs that the firmware has (default 1024)" },
	{ "stats-file", "file that gets the counters as JSON when the card or QEMU ends" },
	{ "trace-file", "file that gets the conversation, one line per event" },
	{ "topology", "what the cable goes to: loop, public-loop, fabric, p2p" },
	{ "port-id", "our address behind a switch (on a public loop without the AL_PA)" },
	{ "targets", "targets that are there even without LUNs" },
	{ "fw-delay-ns", "RISC time to fetch and start one request entry" },
	{ "mbox-delay-ns", "RISC time per mailbox command" },
	{ "lip-ms", "loop initialisation time" },
};

static const VMStateDescription isp_vmstate = {
	.name = TYPE_ISP,
	.unmigratable = 1,
};

static void isp_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	DeviceClass *dc = DEVICE_CLASS(oc);
	PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);
	HotplugHandlerClass *hc = HOTPLUG_HANDLER_CLASS(oc);
	unsigned int i;

	hc->plug = lun_plug;
	hc->unplug = lun_unplug;
	pc->realize = isp_realize;
	pc->exit = isp_exit;
	pc->vendor_id = PCI_VENDOR_ID_QLOGIC;
	pc->class_id = PCI_CLASS_SERIAL_FIBER;
	isp_class_set_reset(dc, isp_reset);
	device_class_set_props(dc, isp_properties);
	for (i = 0; i < ARRAY_SIZE(descriptions); i++)
		object_class_property_set_description(oc, descriptions[i].name,
						      descriptions[i].text);
	isp_stats_class_init(oc);
	isp_card_fault_class_init(oc);
	isp_inject_class_init(oc);
	isp_fw_class_init(oc);
	dc->vmsd = &isp_vmstate;
	dc->hotpluggable = true;
	set_bit(DEVICE_CATEGORY_STORAGE, dc->categories);
}

static void isp_chip_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	const IspChip *chip = data;
	PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);

	ISP_CLASS(oc)->chip = chip;
	pc->device_id = chip->device_id;
	pc->revision = chip->revision;
	DEVICE_CLASS(oc)->desc = "QLogic ISP Fibre Channel HBA";
}

static void isp_register_types(void)
{
	static const InterfaceInfo interfaces[] = {
		{ INTERFACE_CONVENTIONAL_PCI_DEVICE },
		{ TYPE_HOTPLUG_HANDLER },
		{ }
	};
	static const TypeInfo base = {
		.name = TYPE_ISP,
		.parent = TYPE_PCI_DEVICE,
		.abstract = true,
		.instance_size = sizeof(IspState),
		.instance_finalize = isp_finalize,
		.class_size = sizeof(IspClass),
		.class_init = isp_class_init,
		.interfaces = (InterfaceInfo *)interfaces,
	};
	unsigned int i;

	type_register_static(&base);
	for (i = 0; i < isp_chip_count; i++) {
		TypeInfo chip = {
			.name = isp_chips[i].name,
			.parent = TYPE_ISP,
			.class_init = isp_chip_class_init,
			.class_data = (void *)&isp_chips[i],
		};

		type_register_static(&chip);
	}
}

isp_type_init(isp_register_types)
