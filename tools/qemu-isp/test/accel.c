// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accelerator "qtest" for a stock QEMU: processors that do nothing and a virtual clock that moves only
 * when the test says so.  Distributions leave QEMU's own one out, but not the protocol behind it.
 *
 * Preloaded beside the model by check-firmware.
 */
#include "compat.h"
#include "qemu/accel.h"
#include "sysemu/accel-ops.h"
#include "sysemu/cpus.h"
#include "sysemu/qtest.h"

#pragma weak qtest_allowed

static int no_hardware(MachineState *ms)
{
	return 0;
}

static void accel_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	AccelClass *ac = ACCEL_CLASS(oc);

	ac->name = "QTest";
	ac->init_machine = no_hardware;
	ac->allowed = &qtest_allowed;
}

static void ops_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	AccelOpsClass *ops = ACCEL_OPS_CLASS(oc);

	ops->create_vcpu_thread = dummy_start_vcpu_thread;
	ops->get_virtual_clock = qtest_get_virtual_clock;
}

static const TypeInfo types[] = {
	{
		.name = ACCEL_CLASS_NAME("qtest"),
		.parent = TYPE_ACCEL,
		.class_init = accel_init,
	},
	{
		.name = ACCEL_OPS_NAME("qtest"),
		.parent = TYPE_ACCEL_OPS,
		.class_init = ops_init,
		.abstract = true,
	},
};

static void accel_register(void)
{
	type_register_static_array(types, ARRAY_SIZE(types));
}
isp_type_init(accel_register)
