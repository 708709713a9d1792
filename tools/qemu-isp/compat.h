/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between QEMU versions, so that no other file has to ask.
 *
 * Built and tested with 7.2.  The conditions for later versions follow QEMU's own history: headers
 * that moved (hw/pci/pci_device.h in 8.0, system/ in 10.0, hw/core/ in 11.0), property lists without an end mark
 * (10.0), the reset callback behind a setter (9.2), the const class data (10.1).
 */
#ifndef QEMU_ISP_COMPAT_H
#define QEMU_ISP_COMPAT_H

#include "qemu/osdep.h"

#define ISP_QEMU_AT_LEAST(major, minor)                                                            \
	(QEMU_VERSION_MAJOR > (major) ||                                                           \
	 (QEMU_VERSION_MAJOR == (major) && QEMU_VERSION_MINOR >= (minor)))

#if ISP_QEMU_AT_LEAST(8, 0)
#include "hw/pci/pci_device.h"
#else
#include "hw/pci/pci.h"
#endif
#include "hw/pci/msi.h"
#include "hw/pci/pci_bus.h"
#if ISP_QEMU_AT_LEAST(11, 0)
#include "hw/core/hotplug.h"
#include "hw/core/qdev-properties.h"
#else
#include "hw/hotplug.h"
#include "hw/qdev-properties.h"
#endif
#include "hw/scsi/scsi.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/module.h"
#include "qemu/timer.h"
#if ISP_QEMU_AT_LEAST(10, 0)
#include "system/block-backend.h"
#include "system/dma.h"
#include "system/system.h"
#else
#include "sysemu/block-backend.h"
#include "sysemu/dma.h"
#include "sysemu/sysemu.h"
#endif

/* QEMU's ldl_le_p() and ldl_be_p() are signed: not for addresses, handles and counts. */
static inline uint32_t isp_le32(const void *p)
{
	return ldl_le_p(p);
}

static inline uint32_t isp_be32(const void *p)
{
	return ldl_be_p(p);
}

#if ISP_QEMU_AT_LEAST(10, 1)
#define ISP_CLASS_DATA const void *
#else
#define ISP_CLASS_DATA void *
#endif

#if ISP_QEMU_AT_LEAST(10, 0)
#define ISP_PROPERTY const Property
#define ISP_PROPERTIES_END
#else
#define ISP_PROPERTY Property
#define ISP_PROPERTIES_END DEFINE_PROP_END_OF_LIST(),
#endif

#if ISP_QEMU_AT_LEAST(9, 2)
#define isp_class_set_reset(dc, fn) device_class_set_legacy_reset(dc, fn)
#else
#define isp_class_set_reset(dc, fn) ((dc)->reset = (fn))
#endif

/*
 * Data that the QEMU executable exports.  Weak, so that the object can also be loaded by a process
 * that isn't QEMU (a shell or timeout wrapped around it): there it does nothing.  Functions are bound
 * when they are called first and need no such care.
 */
#pragma weak qdev_prop_bool
#pragma weak qdev_prop_uint8
#pragma weak qdev_prop_uint16
#pragma weak qdev_prop_uint32
#pragma weak qdev_prop_int32
#pragma weak qdev_prop_uint64
#pragma weak qdev_prop_size
#pragma weak qdev_prop_string
#pragma weak qdev_prop_link
#pragma weak qdev_prop_drive
#pragma weak error_fatal
#pragma weak error_abort
#pragma weak address_space_memory

/* preload.c: true when this process is a QEMU of the version that the object was built for. */
bool isp_in_qemu(void);

/* Use instead of type_init(): registers nothing in a process that isn't QEMU. */
#define isp_type_init(function)                                                                    \
	static void __attribute__((constructor)) isp_type_init_##function(void)                    \
	{                                                                                          \
		if (isp_in_qemu())                                                                 \
			register_module_init(function, MODULE_INIT_QOM);                           \
	}

#endif
