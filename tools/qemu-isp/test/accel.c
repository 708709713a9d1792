// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accelerator "qtest" for a stock QEMU: processors that do nothing and a virtual clock that moves only
 * when the test says so.  Distributions leave QEMU's own one out, but not the protocol behind it.
 *
 * Preloaded beside the model by check-firmware.
 */
#include "compat.h"
#include "qemu/accel.h"
#if ISP_QEMU_AT_LEAST(10, 0)
#include "system/accel-ops.h"
#include "system/cpus.h"
#include "system/qtest.h"
#else
#include "sysemu/accel-ops.h"
#include "sysemu/cpus.h"
#include "sysemu/qtest.h"
#endif

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

/* 9.1: the clock is the accelerator's own. */
#if ISP_QEMU_AT_LEAST(9, 1)
static int64_t now_ns;

static int64_t accel_clock(void)
{
	return qatomic_read_i64(&now_ns);
}

static void accel_set_clock(int64_t ns)
{
	qatomic_set_i64(&now_ns, ns);
}
#endif

static void ops_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	AccelOpsClass *ops = ACCEL_OPS_CLASS(oc);

	ops->create_vcpu_thread = dummy_start_vcpu_thread;
#if ISP_QEMU_AT_LEAST(9, 1)
	ops->get_virtual_clock = accel_clock;
	ops->set_virtual_clock = accel_set_clock;
#else
	ops->get_virtual_clock = qtest_get_virtual_clock;
#endif
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
