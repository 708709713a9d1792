// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 5: attributes of the SCSI host in sysfs, beside those of the FC
 * transport class: /sys/class/scsi_host/hostN/.
 *
 * What qla2xxx has too has its name and its form there, so that scripts serve
 * both; Documentation/sysfs.md has the list.
 */
#include <linux/pci.h>
#include <linux/sysfs.h>

#include "isp_scsi.h"

/* An attribute of one line, from the host (shost) and the adapter (hba). */
#define ISP_ATTR(name, fmt, ...)					\
static ssize_t name##_show(struct device *dev,				\
			   struct device_attribute *attr, char *buf)	\
{									\
	struct Scsi_Host *shost = class_to_shost(dev);			\
	struct isp_hba *hba __maybe_unused = shost_priv(shost);		\
									\
	return sysfs_emit(buf, fmt "\n", __VA_ARGS__);			\
}									\
static DEVICE_ATTR_RO(name)

static const char *adapter_state_name(enum isp_state state)
{
	static const char * const names[] = {
		[ISP_COLD]	= "cold",
		[ISP_STARTING]	= "starting",
		[ISP_UP]	= "up",
		[ISP_FAULT]	= "fault",
		[ISP_ASLEEP]	= "asleep",
		[ISP_DEAD]	= "dead",
	};

	return names[state];
}

static const char *link_up_name(enum isp_topology topology)
{
	switch (topology) {
	case ISP_TOPO_FABRIC_LOOP:
		return "Link Up - FL_Port";
	case ISP_TOPO_P2P:
		return "Link Up - N_Port to N_Port";
	case ISP_TOPO_FABRIC:
		return "Link Up - F_Port";
	case ISP_TOPO_LOOP:
	case ISP_TOPO_NONE:
		break;
	}
	return "Link Up - Loop";
}

static const char *link_state_name(const struct isp_hba *hba)
{
	if (READ_ONCE(hba->fab.link) == ISP_LINK_DOWN)
		return "Link Down";
	if (isp_hba_state(hba) != ISP_UP ||
	    READ_ONCE(hba->fab.link) != ISP_LINK_READY)
		return "Unknown Link State";
	return link_up_name(hba->fab.id.topology);
}

/* What the firmware says; all ones when it says nothing. */
static u16 firmware_state(struct isp_hba *hba)
{
	u16 state;

	return hba->hw.chip->get_state(&hba->hw, &state) ? U16_MAX : state;
}

static ssize_t pci_info_show(struct device *dev, struct device_attribute *attr,
			     char *buf)
{
	struct isp_hba *hba = shost_priv(class_to_shost(dev));
	char bus[24];

	hba->hw.chip->bus_name(&hba->hw, bus, sizeof(bus));
	return sysfs_emit(buf, "%s\n", bus);
}
static DEVICE_ATTR_RO(pci_info);

/* A bound of moderation, which can be set; @us and @depth: which it is. */
#define ISP_MOD_ATTR(name, us, depth)					\
static ssize_t moderation_##name##_show(struct device *dev,		\
					struct device_attribute *attr,	\
					char *buf)			\
{									\
	struct isp_hba *hba = shost_priv(class_to_shost(dev));		\
									\
	return sysfs_emit(buf, "%u\n", READ_ONCE(hba->q.mod.name));	\
}									\
									\
static ssize_t moderation_##name##_store(struct device *dev,		\
					 struct device_attribute *attr,	\
					 const char *buf, size_t count)	\
{									\
	return moderation_set(class_to_shost(dev), buf, us, depth) ?:	\
	       (ssize_t)count;						\
}									\
static DEVICE_ATTR_RW(moderation_##name)

static int moderation_set(struct Scsi_Host *shost, const char *buf, bool us,
			  bool depth)
{
	struct isp_hba *hba = shost_priv(shost);
	unsigned int val;
	int ret = kstrtouint(buf, 0, &val);

	return ret ?: isp_moderate_set(&hba->q, us ? &val : NULL,
				       depth ? &val : NULL);
}

ISP_MOD_ATTR(us, true, false);
ISP_MOD_ATTR(depth, false, true);

ISP_ATTR(driver_version, "%s", fc_host_driver_version(shost));
ISP_ATTR(fw_version, "%s", fc_host_firmware_version(shost));
ISP_ATTR(fw_attr, "0x%04x", hba->hw.fw_attr);
ISP_ATTR(fw_state, "0x%x", firmware_state(hba));
ISP_ATTR(serial_num, "%s", fc_host_serial_number(shost));
ISP_ATTR(isp_name, "%s", hba->hw.chip->name);
ISP_ATTR(model_name, "%s", fc_host_model(shost));
ISP_ATTR(model_desc, "%s", fc_host_model_description(shost));
ISP_ATTR(port_no, "%u", PCI_FUNC(hba->hw.pdev->devfn));
ISP_ATTR(link_state, "%s", link_state_name(hba));
ISP_ATTR(adapter_state, "%s", adapter_state_name(isp_hba_state(hba)));
ISP_ATTR(total_isp_aborts, "%u", READ_ONCE(hba->resets_total));

ISP_SHOST_GROUPS(ISP_SHOST_ATTR(driver_version), ISP_SHOST_ATTR(fw_version),
		 ISP_SHOST_ATTR(fw_attr), ISP_SHOST_ATTR(fw_state),
		 ISP_SHOST_ATTR(serial_num), ISP_SHOST_ATTR(isp_name),
		 ISP_SHOST_ATTR(model_name), ISP_SHOST_ATTR(model_desc),
		 ISP_SHOST_ATTR(pci_info), ISP_SHOST_ATTR(port_no),
		 ISP_SHOST_ATTR(link_state), ISP_SHOST_ATTR(adapter_state),
		 ISP_SHOST_ATTR(total_isp_aborts),
		 ISP_SHOST_ATTR(moderation_us),
		 ISP_SHOST_ATTR(moderation_depth));
