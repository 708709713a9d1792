# SPDX-License-Identifier: GPL-2.0-only
"""The driver under test, and the firmware files that it may ask for."""

import glob
import os

from . import BUILD, MAKE, TOP, VmError
from . import elf
from . import initramfs
from . import kernel


def own_module(kern):
    """Path of qla_isp.ko for that kernel.  Raises VmError."""
    places = [os.path.join(BUILD, "modules", kern.version, "qla_isp.ko"),
              os.path.join(TOP, "drivers/scsi/qla_isp/qla_isp.ko"),
              *glob.glob(os.path.join(glob.escape(kern.modules), "updates/dkms/qla_isp.ko*"))]
    for path in places:
        if os.path.exists(path):
            return path
    raise VmError(f"qla_isp.ko is not built for {kern.version}: "
                  f"run {MAKE} vm-module, or use --driver qla2xxx")


class Driver:
    """Where the driver's file comes from, and what the guest loads before it.

    Attributes: name, the module's, or "none"; file, its path in the guest; needs, modules in the
    order to load them; data, its bytes where it is not one of the kernel's own.
    """

    def __init__(self, name, kern):
        """Params: name, what --driver takes.  Raises VmError."""
        self.name = name
        self.needs = []
        self.data = None
        self.file = ""
        if name == "none":
            return
        paths, needs = kern.module_index()
        if name == "qla_isp" or name.endswith(".ko"):
            self._from_file(own_module(kern) if name == "qla_isp" else name, kern)
            wants = ",".join(elf.modinfo(self.data, "depends")).split(",")
            needs = {**needs, self.name: [kernel.module_name(w) for w in wants if w]}
        elif kernel.module_name(name) in needs:
            self.name = kernel.module_name(name)
            path = paths[self.name].partition(".ko")[0] + ".ko"
            self.file = f"/usr/lib/modules/{kern.version}/{path}"
        else:
            raise VmError(f"--driver {name}: kernel {kern.version} has no such module, and it is no .ko file")
        self.needs = initramfs.load_order(self.name, needs)

    def _from_file(self, path, kern):
        try:
            self.data = kernel.module_bytes(path)
        except OSError as error:
            raise VmError(f"--driver {path}: {error.strerror}") from error
        if not elf.is_elf64(self.data) or not elf.modinfo(self.data, "vermagic"):
            raise VmError(f"--driver {path}: not a kernel module")
        built_for = elf.modinfo(self.data, "vermagic")[0].split()[0]
        if built_for != kern.version:
            raise VmError(f"{path} is built for kernel {built_for}, the VM runs {kern.version}: "
                          f"run {MAKE} vm-module, or use --kernel {built_for}")
        self.name = (elf.modinfo(self.data, "name") or [kernel.module_name(path)])[0]
        self.file = f"/root/{self.name}.ko"

    def place(self, archive):
        """Put the driver's file into the guest where it is not among the guest's modules."""
        if self.data:
            archive.file(self.file, self.data)


def firmware_files(choice):
    """{name in the guest's /lib/firmware: path} of the firmware to offer.  Raises VmError.

    Params: choice, what --firmware takes or None.
    """
    if choice == "none":
        return {}
    place = choice or os.path.join(BUILD, "firmware")
    if choice and not os.path.isdir(choice):
        raise VmError(f"--firmware {choice}: no such directory")
    return {os.path.basename(p): p for p in glob.glob(os.path.join(glob.escape(place), "*.bin"))}
