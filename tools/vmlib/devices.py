# SPDX-License-Identifier: GPL-2.0-only
"""From --hba and --disk to QEMU's arguments.

An HBA is CHIP[,prop=val]...; hbaN is the N-th.  With functions=2 it is a card with two of them.
A disk is KIND[=PATH][,prop=val]...; without
target= it stands on every place of the grid of targets and LUNs, with it on that one place.
"""

import json
import os
import re

from . import VmError

# Drivers of QEMU's own SCSI HBAs, which let the runner work without the model.
STOCK_DRIVERS = {
    "virtio-scsi-pci": "virtio_scsi",
    "megasas": "megaraid_sas",
    "megasas-gen2": "megaraid_sas",
    "mptsas1068": "mptsas",
    "lsi53c895a": "sym53c8xx",
    "pvscsi": "vmw_pvscsi",
}
# Chips of which there are cards with two ports.
DUAL_CHIPS = ("isp2312", "isp2322", "isp6312", "isp6322")
MODEL_CHIP = re.compile(r"(?:isp)?(\d{4}a?)$")
KINDS = ("ram", "null", "spindle", "hd", "file", "cd")
FIRST_SLOT = 4
DEFAULT_SIZE = "64M"


def quote(text):
    """A value as QEMU's option parser wants it: commas doubled."""
    return text.replace(",", ",,")


def parse_size(text, what):
    """Bytes of a size such as 512, 64k, 64M, 2G, 1T.  Raises VmError."""
    match = re.fullmatch(r"(\d+)([kKMGT]?)", text)
    if not match or not int(match[1]):
        raise VmError(f"{what}: size {text!r} is not a number with k, M, G or T")
    return int(match[1]) << {"": 0, "k": 10, "K": 10, "M": 20, "G": 30, "T": 40}[match[2]]


def split_properties(spec, what):
    """The head and the {name: value} of HEAD[,name=value]...; a doubled comma is a comma."""
    parts = [p.replace("\0", ",") for p in spec.replace(",,", "\0").split(",")]
    properties = {}
    for part in parts[1:]:
        name, equals, value = part.partition("=")
        if not name or not equals:
            raise VmError(f"{what} {spec!r}: {part!r} is not name=value")
        if name in properties:
            raise VmError(f"{what} {spec!r}: {name} is given twice")
        properties[name] = value
    return parts[0], properties


class Hba:
    """One adapter: device name, QEMU id hbaN, its properties."""

    def __init__(self, spec, slot, index):
        """Params: slot, number of its --hba; index, number of the adapter."""
        name, self.properties = split_properties(spec, "--hba")
        chip = MODEL_CHIP.match(name)
        self.is_model = bool(chip)
        self.device = "isp" + chip[1] if chip else name
        self.id = f"hba{index}"
        if not self.is_model and self.device not in STOCK_DRIVERS:
            raise VmError(f"--hba {name}: neither a chip of the model (isp2312, ...) "
                          f"nor one of {', '.join(STOCK_DRIVERS)}")
        if "id" in self.properties:
            raise VmError(f"--hba {spec}: its id is {self.id}, and cannot be set")
        self.functions = self._take_functions(spec)
        if "bus" not in self.properties:
            self.properties.setdefault("addr", f"{FIRST_SLOT + slot:#x}")

    def _take_functions(self, spec):
        functions = self.properties.pop("functions", "1")
        if functions not in ("1", "2"):
            raise VmError(f"--hba {spec}: functions is 1 or 2")
        if functions == "2" and self.device not in DUAL_CHIPS:
            raise VmError(f"--hba {spec}: functions=2 is for {', '.join(DUAL_CHIPS)}")
        for name in ("wwpn", "wwnn", "bus", "addr", "multifunction"):
            if functions == "2" and name in self.properties:
                raise VmError(f"--hba {spec}: {name} does not go with functions=2")
        return int(functions)

    def be_function(self, number):
        """Become one of the functions of a card that has several."""
        self.properties["addr"] += f".{number}"
        if not number:
            self.properties["multifunction"] = "on"

    @staticmethod
    def make_all(specs):
        """The adapters of all --hba.  Raises VmError."""
        hbas = []
        for slot, spec in enumerate(specs):
            hba = Hba(spec, slot, len(hbas))
            hbas.append(hba)
            if hba.functions == 2:
                hbas.append(Hba(spec, slot, len(hbas)))
                for number in (0, 1):
                    hbas[number - 2].be_function(number)
        return hbas

    @property
    def driver(self):
        """Name of the driver the adapter is run with unless another is asked for."""
        return "qla_isp" if self.is_model else STOCK_DRIVERS[self.device]

    def arguments(self):
        """QEMU's arguments for the adapter itself."""
        properties = "".join(f",{n}={quote(v)}" for n, v in self.properties.items())
        return ["-device", f"{self.device},id={self.id}{properties}"]


def port_arguments(specs, hbas):
    """QEMU's arguments for --port TARGET[,hba=hbaN][,prop=val]...  Raises VmError."""
    models = [h.id for h in hbas if h.is_model]
    result = []
    for spec in specs:
        target, properties = split_properties(spec, "--port")
        hba = properties.pop("hba", None)
        if not target.isdigit():
            raise VmError(f"--port {spec}: it begins with a target's number")
        if not models or hba not in (None, *models):
            raise VmError(f"--port {spec}: there is no adapter {hba or ''} of the model")
        rest = "".join(f",{n}={quote(v)}" for n, v in properties.items())
        for name in [hba] if hba else models:
            result += ["-device", f"isp-port,hba={name},scsi-id={target}{rest}"]
    return result


class Disk:
    """One --disk: its kind, where it stands, what it is made of."""

    def __init__(self, spec):
        head, self.properties = split_properties(spec, "--disk")
        self.kind, equals, path = head.partition("=")
        self.spec = spec
        if self.kind not in KINDS:
            raise VmError(f"--disk {spec}: the kind is one of {', '.join(KINDS[:-2])}, file=PATH, cd=PATH")
        if (self.kind in ("file", "cd")) != bool(equals):
            raise VmError(f"--disk {spec}: " + (f"{self.kind} wants a path: {self.kind}=PATH"
                                                if not equals else f"{self.kind} takes no path"))
        self.path = os.path.abspath(path) if path else None
        if self.path and not os.path.exists(self.path):
            raise VmError(f"--disk {spec}: there is no {path}: make it, e.g. truncate -s 64M {path}")
        self.target = self._number("target")
        self.lun = self._number("lun")
        self.hba = self.properties.pop("hba", None)
        if self.target is None and (self.lun is not None or self.hba is not None):
            raise VmError(f"--disk {spec}: lun= and hba= need target= as well")

    def _number(self, name):
        value = self.properties.pop(name, None)
        if value is not None and not value.isdigit():
            raise VmError(f"--disk {self.spec}: {name} {value!r} is not a number")
        return value if value is None else int(value)

    @property
    def writable_image(self):
        """True where two QEMU devices on the same image would corrupt it."""
        return self.kind == "file" and self.properties.get("readonly") != "on"


class Storage:
    """All disks on all adapters, as arguments for QEMU."""

    def __init__(self, hbas, targets, luns, specs, open_memory):
        """Params: open_memory(size) gives the path of a fresh sparse file of that size in
        memory.  Raises VmError for specs that contradict each other or the adapters."""
        self._open_memory = open_memory
        self._nodes = 0
        self.arguments = []
        self.count = 0
        self.has_cd = False
        places = self._places(hbas, targets, luns, [Disk(s) for s in specs])
        self._check_sharing(places)
        for (hba, target, lun), disk in sorted(places.items(), key=lambda p: (p[0][0].id, *p[0][1:])):
            self._add(hba, target, lun, disk)

    @staticmethod
    def _places(hbas, targets, luns, disks):
        everywhere = [d for d in disks if d.target is None]
        if len(everywhere) > 1:
            raise VmError(f"--disk {everywhere[1].spec}: a second disk for every place: add target= and lun=")
        grid = everywhere[0] if everywhere else Disk("ram")
        places = {(h, t, n): grid for h in hbas for t in range(targets) for n in range(luns)}
        ids = {h.id: h for h in hbas}
        placed = set()
        for disk in (d for d in disks if d.target is not None):
            if disk.hba is not None and disk.hba not in ids:
                raise VmError(f"--disk {disk.spec}: there is no {disk.hba}: it is one of {', '.join(ids)}")
            for hba in [ids[disk.hba]] if disk.hba else hbas:
                place = (hba, disk.target, disk.lun or 0)
                if place in placed:
                    raise VmError(f"--disk {disk.spec}: that place has a disk already")
                placed.add(place)
                places[place] = disk
        return places

    @staticmethod
    def _check_sharing(places):
        used = {}
        for disk in places.values():
            if disk.writable_image and used.setdefault(disk.path, disk):
                if sum(d is disk or d.path == disk.path for d in places.values()) > 1:
                    raise VmError(f"--disk {disk.spec}: one writable image on several places: "
                                  "give each its own, place it with target= and lun=, or add readonly=on")

    def _add(self, hba, target, lun, disk):
        properties = dict(disk.properties)
        where = f"bus={hba.id}.0,scsi-id={target},lun={lun}"
        kind = disk.kind
        if kind in ("ram", "null", "spindle") and hba.is_model:
            device = "isp-" + kind
            if kind != "spindle":
                properties.setdefault("size", DEFAULT_SIZE)
            if "share" in properties and disk.target is None:
                properties["share"] += f"-{target}-{lun}"
        else:
            if kind == "spindle":
                raise VmError(f"--disk {disk.spec}: spindle is for an adapter of the model")
            if "share" in properties:
                raise VmError(f"--disk {disk.spec}: share is for ram and spindle on an adapter of the model")
            device = "scsi-cd" if kind == "cd" else "scsi-hd"
            properties.pop("service-ns", None)
            node = self._block_node(disk, properties)
            where += f",drive={node}" if node else ""
        rest = "".join(f",{n}={quote(v)}" for n, v in properties.items())
        self.arguments += ["-device", f"{device},{where}{rest}"]
        self.count += 1
        self.has_cd |= kind == "cd"

    def _block_node(self, disk, properties):
        """Emit -blockdev for a stock disk; takes its own properties out of the device's."""
        size = properties.pop("size", DEFAULT_SIZE)
        blkdebug = properties.pop("blkdebug", None)
        read_only = disk.kind == "cd" or properties.pop("readonly", "off") == "on"
        layout = properties.pop("format", "raw")
        size = parse_size(size, f"--disk {disk.spec}")
        if disk.kind == "null":
            node = {"driver": "null-co", "size": size, "read-zeroes": True}
        else:
            path = disk.path or self._open_memory(size)
            node = {"driver": "file", "filename": path, "read-only": read_only}
        if blkdebug is not None:
            if not os.path.exists(blkdebug):
                raise VmError(f"--disk {disk.spec}: there is no blkdebug file {blkdebug}")
            node = {"driver": "blkdebug", "config": os.path.abspath(blkdebug), "image": node}
        name = f"disk{self._nodes}"
        self._nodes += 1
        top = {"driver": layout, "node-name": name, "read-only": read_only, "file": node}
        if not disk.path:
            top["cache"] = {"no-flush": True}
        self.arguments += ["-blockdev", json.dumps(top)]
        return name
