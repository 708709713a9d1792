// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entry of the preloaded object: is this process the QEMU that the object was built for?
 *
 * The structures that a device shares with QEMU differ between versions, so a QEMU of another version
 * ends here with one line instead of crashing later.  A process that isn't QEMU (a shell or timeout
 * that LD_PRELOAD reached as well) is left alone: no type is registered in it.
 */
#include "compat.h"
#include "qapi/qapi-commands-control.h"
#include <dlfcn.h>

#define STR2(x) #x
#define STR(x) STR2(x)
#define BUILT_FOR STR(QEMU_VERSION_MAJOR) "." STR(QEMU_VERSION_MINOR) "." STR(QEMU_VERSION_MICRO)

typedef VersionInfo *QueryVersion(Error **errp);

static void refuse(const char *what)
{
	fprintf(stderr, "qemu-isp.so: built for QEMU " BUILT_FOR ", but %s: run `make model` again\n",
		what);
	_exit(1);
}

bool isp_in_qemu(void)
{
	static int state = -1;
	QueryVersion *query;
	VersionInfo *v;
	char this_is[64];

	if (state >= 0)
		return state;
	query = (QueryVersion *)dlsym(RTLD_DEFAULT, "qmp_query_version");
	state = query && dlsym(RTLD_DEFAULT, "register_module_init");
	if (!state)
		return false;
	v = query(NULL);
	if (v->qemu->major != QEMU_VERSION_MAJOR || v->qemu->minor != QEMU_VERSION_MINOR ||
	    v->qemu->micro != QEMU_VERSION_MICRO) {
		snprintf(this_is, sizeof(this_is), "this is QEMU %d.%d.%d", (int)v->qemu->major,
			 (int)v->qemu->minor, (int)v->qemu->micro);
		refuse(this_is);
	}
	if (!dlsym(RTLD_DEFAULT, "scsi_bus_init_named") || !dlsym(RTLD_DEFAULT, "pci_set_irq"))
		refuse("this QEMU program has no PCI or SCSI devices");
	return true;
}
