# SPDX-License-Identifier: GPL-2.0-only
"""Finds a distribution kernel and its modules on the host, and readies both for the VM.

The image is unpacked once: QEMU starts the bare vmlinux through its PVH entry, which
saves the guest from decompressing itself, 5 to 6 s under TCG.  A kernel without that
entry, or packed in a way not known here, boots as the bzImage it is.
"""

import fcntl
import glob
import gzip
import io
import lzma
import os
import re
import shutil
import struct
import subprocess
import time

from . import BUILD, VmError
from . import elf

ARM64_MAGIC = b"ARMd"           # at 38h: Documentation/arch/arm64/booting.rst of Linux
SIGNATURE_MARK = b"~Module signature appended~\n"
SIGNATURE_INFO = 12
CACHE_SECONDS = 24 * 3600


def version_key(version):
    """Sort key that puts 6.1.0-57 after 6.1.0-9."""
    return [(0, int(p)) if p.isdigit() else (1, p)
            for p in re.findall(r"\d+|[a-z]+", version)]


class Kernel:
    """A kernel image with its module tree.

    A kernel is either installed (/boot, /lib/modules) or unpacked from its package to
    build/kernels/VERSION, with the package's own layout inside.
    """

    def __init__(self, version, image, modules):
        self.version = version
        self.image = image
        self.modules = modules

    @classmethod
    def find(cls, version=None):
        """The kernel of that version, or the newest installed one, one with its headers
        beside it (a module can be built for it) before one without.  Raises VmError."""
        if version is None:
            found = [os.path.basename(p)[len("vmlinuz-"):] for p in glob.glob("/boot/vmlinuz-*")]
            found = [v for v in found if os.path.isdir("/lib/modules/" + v)]
            if not found:
                raise VmError("no kernel image with its modules in /boot: "
                              "run tools/deps vm, or apt install linux-image-amd64")
            version = max(found, key=lambda v: (os.path.exists(f"/lib/modules/{v}/build/Makefile"),
                                                version_key(v)))
        unpacked = os.path.join(BUILD, "kernels", version)
        for root in ("/", unpacked):
            # Debian's newer packages have it among the modules, and copy it to /boot when installed.
            for place in ("boot/vmlinuz-" + version, f"usr/lib/modules/{version}/vmlinuz"):
                image = os.path.join(root, place)
                if os.path.exists(image):
                    return cls(version, image, cls._module_tree(root, version))
        raise VmError(f"no kernel image /boot/vmlinuz-{version} nor {unpacked}/boot/vmlinuz-{version}: "
                      f"apt install linux-image-{version}")

    @staticmethod
    def _module_tree(root, version):
        for lib in ("lib/modules", "usr/lib/modules"):
            tree = os.path.join(root, lib, version)
            if os.path.isdir(tree):
                return tree
        raise VmError(f"kernel {version} has an image but no modules: apt install linux-image-{version}")

    @property
    def processor(self):
        """What it runs on, in QEMU's words: x86_64 or aarch64."""
        with open(self.image, "rb") as f:
            return "aarch64" if f.read(0x3C)[0x38:] == ARM64_MAGIC else "x86_64"

    def bootable(self, cache):
        """Path of what QEMU is to boot: the unpacked image in the cache, or the image itself."""
        st = os.stat(self.image)
        target = os.path.join(cache, f"vmlinux-{self.version}-{st.st_size:x}-{st.st_mtime_ns:x}")
        if is_cached(target):
            return target
        with open(self.image, "rb") as f:
            vmlinux = unpack_bzimage(f.read())
        if vmlinux is None or not elf.has_pvh_entry(vmlinux):
            return self.image
        write_cached(target, lambda out: out.write(vmlinux))
        return target

    def module_index(self):
        """{module name: path of its file below the tree} and {name: [names it needs]}."""
        dep_file = os.path.join(self.modules, "modules.dep")
        if not os.path.exists(dep_file):
            run_depmod(self.modules.partition("/lib/modules/")[0] or "/", self.version)
        paths, needs = {}, {}
        with open(dep_file, encoding="utf-8") as f:
            for line in f:
                path, _, deps = line.partition(":")
                paths[module_name(path)] = path
                needs[module_name(path)] = [module_name(d) for d in deps.split()]
        return paths, needs


def module_name(path):
    """Name of the module in that file: dashes are underscores, suffixes gone."""
    return os.path.basename(path).partition(".ko")[0].replace("-", "_")


def module_bytes(path):
    """Bytes of a module file, decompressed, without its signature."""
    with open(path, "rb") as f:
        data = f.read()
    if path.endswith(".xz"):
        data = lzma.decompress(data)
    elif path.endswith(".gz"):
        data = gzip.decompress(data)
    elif path.endswith(".zst"):
        data = run_filter(["zstd", "-dcq"], data)
    return without_signature(data)


def without_signature(module):
    """The module without what the distribution's signing appended to it.

    Checking it takes 130 instructions a byte (three quarters of what loading qla2xxx takes), for
    every module of a boot, and would weigh on signed drivers only when load times are compared.
    Layout: struct module_signature and MODULE_SIG_STRING of include/linux/module_signature.h.
    """
    if not module.endswith(SIGNATURE_MARK):
        return module
    info = len(module) - len(SIGNATURE_MARK) - SIGNATURE_INFO
    length, = struct.unpack_from(">I", module, info + SIGNATURE_INFO - 4)
    return module[:info - length]


def run_depmod(root, version):
    """Make the indexes of the module tree below root.  VmError when depmod is missing or fails."""
    depmod = shutil.which("depmod", path="/usr/sbin:/sbin")
    if not depmod:
        raise VmError("depmod is needed and not installed: run tools/deps vm, or apt install kmod")
    if subprocess.run([depmod, "-b", root, version], stderr=subprocess.DEVNULL, check=False).returncode:
        raise VmError(f"depmod failed on the modules of kernel {version} below {root}")


def run_filter(command, data):
    """Output of a filter command; VmError when it is missing or fails."""
    if not shutil.which(command[0]):
        raise VmError(f"{command[0]} is needed and not installed: run tools/deps vm")
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False)
    if not done.stdout:
        raise VmError(f"{' '.join(command)} could not unpack the data given to it")
    return done.stdout


def unpack_bzimage(image):
    """The vmlinux inside a bzImage, or None where its packing is not known.

    Offsets: Documentation/arch/x86/boot.rst of Linux, the setup header (setup_sects at
    1F1h, "HdrS" at 202h, payload_offset at 248h, payload_length at 24Ch).
    """
    if len(image) < 0x250 or image[0x202:0x206] != b"HdrS":
        return None
    setup_sects = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (setup_sects + 1) * 512 + offset
    payload = image[start:start + length]
    try:
        if payload[:6] == b"\xfd7zXZ\0":
            return lzma.LZMADecompressor().decompress(payload)
        if payload[:2] == b"\x1f\x8b":
            return gzip.GzipFile(fileobj=io.BytesIO(payload)).read()
        if payload[:4] == b"\x28\xb5\x2f\xfd":
            return run_filter(["zstd", "-dcq"], payload)
    except (OSError, EOFError, lzma.LZMAError):
        return None
    return None


def is_cached(target):
    """True where a cache file is there; marks it as used."""
    try:
        os.utime(target)
    except FileNotFoundError:
        return False
    return True


def write_cached(target, write):
    """Make a cache file in one step, so that a second runner never sees half of it, and drop
    those of its kind (the name up to the last dash) that nobody used for a day."""
    cache = os.path.dirname(target)
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(cache, ".lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_cached(target):
            return
        partial = target + ".partial"
        with open(partial, "wb") as out:
            write(out)
        os.rename(partial, target)
        for other in glob.glob(glob.escape(target.rpartition("-")[0]) + "-*"):
            if os.stat(other).st_mtime < time.time() - CACHE_SECONDS:
                os.unlink(other)
