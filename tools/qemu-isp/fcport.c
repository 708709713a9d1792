// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * isp-port: the identity of a remote port, as a device without a bus.
 *
 * On a loop its place is a loop id or AL_PA, behind a switch a port id.
 */
#include "fc.h"

#define TYPE_ISP_PORT "isp-port"
OBJECT_DECLARE_SIMPLE_TYPE(IspPortDevice, ISP_PORT)

struct IspPortDevice {
	DeviceState parent_obj;
	IspState *hba;
	uint32_t target;
	uint64_t wwpn, wwnn;
	int32_t al_pa, loop_id;		/* -1: follows from the other, or from scsi-id */
	uint32_t port_id;		/* 0: follows from scsi-id */
	bool on_loop;
	char *fc4, *role;
};

/* False: the place makes no sense, or not on this link. */
static bool check_link(IspPortDevice *d, Error **errp)
{
	const IspFabric *fc = d->hba->fc;
	bool on_loop = fc->topology == ISP_TOPO_LOOP ||
		       (fc->topology == ISP_TOPO_PUBLIC_LOOP && d->on_loop);

	if (!on_loop && (d->loop_id >= 0 || d->al_pa >= 0)) {
		error_setg(errp, "isp-port: loop-id and alpa are places on a loop, and this port is not on one");
		return false;
	}
	if (d->port_id && (on_loop || !isp_has_switch(fc) || d->port_id >= 0xf00000)) {
		error_setg(errp, "isp-port: port-id (000001h to efffffh) is a place behind a switch, and this port is not there");
		return false;
	}
	return true;
}

static bool check_loop_id(IspPortDevice *d, int *id, Error **errp)
{
	*id = d->loop_id >= 0 ? d->loop_id :
	      d->al_pa >= 0 ? isp_fc_loop_id_of(d->al_pa) : (int)d->target;
	if (*id < 0 || *id >= ISP_LOOP_IDS) {
		error_setg(errp, "isp-port: no valid address on a loop (loop-id 0 to %u, or alpa from FC-AL's table)",
			   ISP_LOOP_IDS - 1);
		return false;
	}
	if (d->al_pa >= 0 && isp_fc_alpa(*id) != d->al_pa) {
		error_setg(errp, "isp-port: loop-id %d has AL_PA %02xh, not %02xh", *id,
			   isp_fc_alpa(*id), d->al_pa);
		return false;
	}
	return true;
}

static bool check_words(IspPortDevice *d, IspPort *port, Error **errp)
{
	static const struct {
		const char *word;
		bool target, initiator;
	} roles[] = {
		{ "target", true, false }, { "initiator", false, true },
		{ "both", true, true }, { "none", false, false },
	};
	const char *fc4 = d->fc4 ? d->fc4 : "fcp", *role = d->role ? d->role : "target";

	port->fcp = !strcmp(fc4, "fcp") || !strcmp(fc4, "both");
	port->ip = !strcmp(fc4, "ip") || !strcmp(fc4, "both");
	if (!port->fcp && !port->ip && strcmp(fc4, "none")) {
		error_setg(errp, "isp-port: fc4=%s: choose from fcp, ip, both, none", fc4);
		return false;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(roles); i++) {
		if (strcmp(role, roles[i].word))
			continue;
		port->is_target = port->fcp && roles[i].target;
		port->is_initiator = port->fcp && roles[i].initiator;
		return true;
	}
	error_setg(errp, "isp-port: role=%s: choose from target, initiator, both, none", role);
	return false;
}

static bool place_taken(const IspPort *a, const IspPort *b)
{
	return a->target == b->target || a->hard_id == b->hard_id || a->port_id == b->port_id;
}

static bool check_place(IspFabric *fc, const IspPort *wanted, Error **errp)
{
	for (unsigned int i = 0; i < ISP_LOOP_IDS; i++) {
		if (!fc->ports[i].configured || !place_taken(&fc->ports[i], wanted))
			continue;
		error_setg(errp, "isp-port: scsi-id %u already has that place", i);
		return false;
	}
	return true;
}

static void port_realize(DeviceState *dev, Error **errp)
{
	IspPortDevice *d = ISP_PORT(dev);
	IspPort port;
	int id;

	if (!d->hba || !d->hba->fc || d->target >= ISP_LOOP_IDS) {
		error_setg(errp, "isp-port: needs hba=ID of an adapter given before it, and scsi-id=0 to %u",
			   ISP_LOOP_IDS - 1);
		return;
	}
	port = d->hba->fc->ports[d->target];
	if (!check_link(d, errp) || !check_loop_id(d, &id, errp) || !check_words(d, &port, errp))
		return;
	port.hard_id = id;
	port.al_pa = isp_fc_alpa(id);
	port.on_loop = d->on_loop;
	if (d->port_id)
		port.port_id = d->port_id;
	if (d->wwpn)
		port.wwpn = d->wwpn;
	if (d->wwnn)
		port.wwnn = d->wwnn;
	if (!check_place(d->hba->fc, &port, errp))
		return;
	port.configured = true;
	d->hba->fc->ports[d->target] = port;
	/* Its work is done; the link's reference would keep the adapter from being deleted. */
	object_unref(OBJECT(d->hba));
	d->hba = NULL;
}

static ISP_PROPERTY port_properties[] = {
	DEFINE_PROP_LINK("hba", IspPortDevice, hba, TYPE_ISP, IspState *),
	DEFINE_PROP_UINT32("scsi-id", IspPortDevice, target, ISP_LOOP_IDS),
	DEFINE_PROP_UINT64("wwpn", IspPortDevice, wwpn, 0),
	DEFINE_PROP_UINT64("wwnn", IspPortDevice, wwnn, 0),
	DEFINE_PROP_INT32("alpa", IspPortDevice, al_pa, -1),
	DEFINE_PROP_INT32("loop-id", IspPortDevice, loop_id, -1),
	DEFINE_PROP_UINT32("port-id", IspPortDevice, port_id, 0),
	DEFINE_PROP_BOOL("on-loop", IspPortDevice, on_loop, false),
	DEFINE_PROP_STRING("fc4", IspPortDevice, fc4),
	DEFINE_PROP_STRING("role", IspPortDevice, role),
	ISP_PROPERTIES_END
};

static void port_class_init(ObjectClass *oc, ISP_CLASS_DATA data)
{
	DeviceClass *dc = DEVICE_CLASS(oc);

	dc->desc = "Identity of a Fibre Channel port behind an ISP adapter";
	dc->realize = port_realize;
	dc->user_creatable = true;
	dc->hotpluggable = false;
	set_bit(DEVICE_CATEGORY_STORAGE, dc->categories);
	device_class_set_props(dc, port_properties);
}

static const TypeInfo port_info = {
	.name = TYPE_ISP_PORT,
	.parent = TYPE_DEVICE,
	.instance_size = sizeof(IspPortDevice),
	.class_init = port_class_init,
};

static void port_register(void)
{
	type_register_static(&port_info);
}
isp_type_init(port_register)
