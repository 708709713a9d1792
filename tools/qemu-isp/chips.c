// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The chips, and what differs between them.
 *
 * PCI ids and revisions: Linux qla_def.h (PCI_DEVICE_ID_QLOGIC_ISP*), FreeBSD isp_pci.c.  Subsystem
 * ids and model names: Linux qla_devtbl.h.  ROM version in mailbox 7 and the FPM revision: Linux
 * qla_init.c (QLA2200A_RISC_ROM_VER, FPM_2300).  Bus speed bits: qla2x00_pci_info_str().  Flash parts
 * and their ids: the tables of qla2x00_write_optrom_data().  The times are ours: short enough for the
 * fixed delays of drivers that don't poll (10 us on 2312 and 2322 in Linux' qla2x00_reset_chip()).
 */
#include "chips.h"

/* The 2200A is known by its ROM version alone; Linux gives it its firmware in pieces of 64 words. */
#define ISP2200(type)                                                                              \
	.name = type,                                                                              \
	.device_id = 0x2200,                                                                       \
	.revision = 5,                                                                             \
	.subsystem_id = 0x0002,                                                                    \
	.mailboxes = 24,                                                                           \
	.exchanges = 512,                                                                          \
	.bus_mode = 0x0100,                                                                        \
	.reset_ns = 15000,                                                                         \
	.boot_ns = 50000,                                                                          \
	.ram_words = 0x10000,                                                                      \
	.flash_bytes = 0x20000,                                                                    \
	.flash_maker = 0x01,                                                                       \
	.flash_device = 0x6e,                                                                      \
	.model = ""

/* The 6312 and 6322 are the same chips under another id (one firmware: Linux qla2x00_request_firmware()). */
#define ISP23X2(type, rev)                                                                         \
	.name = type,                                                                              \
	.revision = rev,                                                                           \
	.has_host_status = true,                                                                   \
	.has_pcix = true,                                                                          \
	.mailboxes = 32,                                                                           \
	.exchanges = 1024,                                                                         \
	.bus_mode = 0x0600,                                                                        \
	.reset_ns = 5000,                                                                          \
	.boot_ns = 5000,                                                                           \
	.ram_words = 0x20000,                                                                      \
	.flash_maker = 0x01

#define ISP2312(type) ISP23X2(type, 2), .flash_bytes = 0x20000, .flash_device = 0x6e
#define ISP2322(type) ISP23X2(type, 3), .flash_bytes = 0x100000, .flash_device = 0x38

const IspChip isp_chips[] = {
	{
		.name = "isp2100",
		.device_id = 0x2100,
		.revision = 3,
		.subsystem_id = 0x0001,
		.loop_only = true,
		.mailboxes = 8,
		.exchanges = 256,
		.rom_version = 3,
		.bus_mode = 0,
		.reset_ns = 15000,
		.boot_ns = 50000,
		.ram_words = 0x10000,
		.flash_bytes = 0x20000,
		.flash_maker = 0x01,
		.flash_device = 0x6e,
		.model = "",
	},
	{ ISP2200("isp2200"), .rom_version = 3 },
	{ ISP2200("isp2200a"), .rom_version = 4 },
	{
		.name = "isp2300",
		.device_id = 0x2300,
		.revision = 1,
		.subsystem_id = 0x0009,
		.has_host_status = true,
		.mailboxes = 32,
		.exchanges = 1024,
		.fpm_revision = 6,
		.bus_mode = 0x0100,
		.reset_ns = 15000,
		.boot_ns = 50000,
		.ram_words = 0x20000,
		.flash_bytes = 0x20000,
		.flash_maker = 0x01,
		.flash_device = 0x6e,
		.model = "QLA2300",
	},
	{ ISP2312("isp2312"), .device_id = 0x2312, .subsystem_id = 0x0100, .model = "QLA2340",
	  .dual_subsystem_id = 0x0101, .dual_model = "QLA2342" },
	{ ISP2312("isp6312"), .device_id = 0x6312, .subsystem_id = 0x012f, .model = "QLA210" },
	{ ISP2322("isp2322"), .device_id = 0x2322, .subsystem_id = 0x0115, .model = "QLA2360",
	  .dual_subsystem_id = 0x0116, .dual_model = "QLA2362" },
	{ ISP2322("isp6322"), .device_id = 0x6322, .subsystem_id = 0x0119, .model = "QLA200" },
};

const unsigned int isp_chip_count = ARRAY_SIZE(isp_chips);
