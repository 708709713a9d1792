# SPDX-License-Identifier: GPL-2.0-only
"""Builds the guest's root: a cached archive of tools, one of modules, one for this run.

The first two are named by a hash of everything they are made from and kept in build/vm;
the third holds the configuration, the driver, the firmware and --add files.
"""

import glob
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile

from . import VmError
from . import elf
from . import stublib
from .cpio import Archive
from .kernel import is_cached, module_bytes, run_depmod, write_cached

HERE = os.path.dirname(os.path.abspath(__file__))
GUEST = os.path.join(HERE, "guest")

# Commands of the host that the guest gets, by the Debian package that has them.
TOOLS = {
    "bash": "bash",
    "kmod": "kmod",
    "lsscsi": "lsscsi",
    "fio": "fio",
    "coreutils": "cat cp date dd head ls mkdir mv od rm seq sha256sum shuf sleep sort stat sync "
                 "tail timeout tr truncate wc",
    "e2fsprogs": "badblocks chattr debugfs dumpe2fs e2fsck mke2fs resize2fs tune2fs",
    "util-linux": "blkdiscard blkid blkzone blockdev dmesg fallocate findmnt flock fsfreeze fstrim "
                  "getopt lsblk partx setsid taskset wipefs",
    "mount": "mount umount",
    "diffutils": "cmp diff",
    "findutils": "find",
}
# Of these programs only the libraries named here come along; see stublib.py for the others.
KEEP_LIBRARIES = {
    "fio": ("libnuma.so.1", "libz.so.1", "libm.so.6", "libaio.so.1", "libc.so.6"),
}
OPTIONAL_TOOLS = "dmsetup jq mdadm mkfs.xfs multipath multipathd sfdisk strace systool trace-cmd udevadm"
# What programs load by themselves, as patterns; libgcc_s is pthread_cancel()'s.
PLUGINS = {
    "multipath": ("/lib/multipath/*.so",),
    "multipathd": ("/lib/multipath/*.so", "/lib/*/libgcc_s.so.1"),
}
SG3_PATTERNS = ("/usr/bin/sg_*", "/usr/bin/sg[pm]_dd", "/usr/bin/scsi_*", "/usr/bin/rescan-scsi-bus.sh")
LINKS = {
    "/usr/sbin/mkfs.ext2": "mke2fs", "/usr/sbin/mkfs.ext3": "mke2fs", "/usr/sbin/mkfs.ext4": "mke2fs",
    "/usr/sbin/fsck.ext2": "e2fsck", "/usr/sbin/fsck.ext3": "e2fsck", "/usr/sbin/fsck.ext4": "e2fsck",
    "/usr/sbin/modprobe": "/usr/bin/kmod", "/usr/sbin/insmod": "/usr/bin/kmod",
    "/usr/sbin/rmmod": "/usr/bin/kmod", "/usr/sbin/modinfo": "/usr/bin/kmod",
    "/usr/sbin/depmod": "/usr/bin/kmod", "/usr/sbin/lsmod": "/usr/bin/kmod",
    "/bin": "usr/bin", "/sbin": "usr/sbin", "/lib": "usr/lib", "/lib64": "usr/lib64",
    "/etc/mtab": "/proc/self/mounts",
}

# Modules that the guest can load; what they need comes along.
MODULES = """virtio_pci virtio_console 9p 9pnet_virtio
sd_mod sr_mod sg scsi_transport_fc qla2xxx scsi_debug
virtio_scsi megaraid_sas mptsas sym53c8xx vmw_pvscsi
ext4 xfs crc32c_generic crc32c_intel crct10dif_generic loop null_blk
md_mod raid0 raid1 raid10 raid456 dm_mod dm_multipath dm_round_robin dm_service_time scsi_dh_alua
kasan_test_module test_ubsan test_lockup kmemleak_test lkdtm"""


def guest_path(path):
    """Where a file of the host lives in the guest, whose /bin, /sbin, /lib are links to /usr."""
    for top in ("bin", "sbin", "lib", "lib64"):
        if path.startswith(f"/{top}/"):
            return "/usr" + path
    return path


def which(name, root, folders="/usr/bin /usr/sbin /bin /sbin"):
    """Path of a command below root, or None."""
    return shutil.which(name, path=":".join(root + folder for folder in folders.split()))


def tool_files(root):
    """Paths of the commands for the guest, below root.  VmError names the packages that are missing."""
    found, missing = [], set()
    for package, names in TOOLS.items():
        for name in names.split():
            path = which(name, root)
            if path:
                found.append(path)
            else:
                missing.add(package)
    sg3 = [p for pattern in SG3_PATTERNS for p in sorted(glob.glob(root + pattern))]
    if not sg3:
        missing.add("sg3-utils")
    if not which("busybox", root):
        missing.add("busybox-static")
    if missing:
        names = " ".join(sorted(missing))
        if root:
            raise VmError(f"programs for the guest are missing below {root}: tests/check-kernels makes it; {names}")
        raise VmError(f"programs for the guest are missing: run tools/deps vm, or apt install {names}")
    optional = [which(n, root) for n in OPTIONAL_TOOLS.split()]
    return found + sg3 + [p for p in optional if p]


def plugin_files(tools, root):
    """What programs among the tools load by themselves."""
    patterns = {p for path in tools for p in PLUGINS.get(os.path.basename(path), ())}
    return [path for pattern in sorted(patterns) for path in sorted(glob.glob(root + pattern))]


def busybox(root=""):
    """Path of a statically linked busybox.  VmError where there is none."""
    path = which("busybox", root, "/usr/bin /bin")
    with open(path, "rb") as f:
        if elf.Dynamic(f.read()).interpreter:
            raise VmError("busybox is not statically linked: apt install busybox-static")
    return path


def add_program(archive, path, source, root=""):
    """Add a file at a guest path and, where it is a dynamic program, its libraries, which are below root."""
    archive.copy(path, source)
    with open(source, "rb") as f:
        data = f.read()
    if not elf.is_elf64(data):
        return
    keep = KEEP_LIBRARIES.get(os.path.basename(source))
    # The stubs are x86-64 code.
    stubs = stublib.stubs_for(data, keep) if keep and source.startswith("/usr/bin/") else {}
    for name, stub in stubs.items():
        archive.file(f"/usr/lib/{name}", stub, 0o755)       # the loader's last resort
    for where, library in elf.library_closure(source, data, stubs, root).items():
        archive.copy(guest_path(where), library)


def fingerprint(paths, *texts):
    """Hash over the identity of files (name, size, time) and over texts."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        st = os.stat(path)
        digest.update(f"{path} {st.st_size} {st.st_mtime_ns}\n".encode())
    for text in texts:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]


def own_sources():
    """The runner's files that decide how an archive is made."""
    return [os.path.join(HERE, f"{m}.py") for m in ("cpio", "elf", "initramfs", "kernel", "stublib")]


def write_tools(out, tools, shell, root):
    """Write the archive of tools: the same for every kernel and every run."""
    archive = Archive(out)
    for path in ("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64"):
        archive.directory(path)
    for name, target in LINKS.items():
        archive.symlink(name, target)
    archive.node("/dev/console", stat.S_IFCHR, 5, 1)
    archive.node("/dev/null", stat.S_IFCHR, 1, 3, 0o666)
    for path in ("/proc", "/sys", "/tmp", "/run", "/mnt", "/root", "/etc"):
        archive.directory(path)
    archive.file("/etc/passwd", b"root:x:0:0:root:/root:/bin/bash\n")
    archive.file("/etc/group", b"root:x:0:\n")
    archive.copy("/usr/bin/busybox", shell)
    for source in sorted(glob.glob(os.path.join(GUEST, "*"))):
        name = os.path.basename(source)
        archive.file("/init" if name == "init" else "/usr/bin/" + name, open(source, "rb").read(), 0o755)
    for source in tools:
        add_program(archive, guest_path(source[len(root):]), source, root)
    # The host's own can be run whatever the guest's is for.
    applets = subprocess.run([busybox(), "--list"], stdout=subprocess.PIPE, check=True).stdout.decode()
    for name in applets.split():
        if "/usr/sbin/" + name not in archive:
            archive.symlink("/usr/bin/" + name, "busybox")
    archive.close()


def tools_archive(cache, root=""):
    """Path of the cached archive of tools, made if need be.

    Params: root, the folder below which the guest's programs are, for a guest unlike the host.
    """
    tools, shell = tool_files(root), busybox(root)
    tools += plugin_files(tools, root)
    key = fingerprint([*tools, shell, *own_sources(), *glob.glob(os.path.join(GUEST, "*"))])
    target = os.path.join(cache, f"tools{'-' + os.path.basename(root) if root else ''}-{key}.cpio")
    if not is_cached(target):
        write_cached(target, lambda out: write_tools(out, tools, shell, root))
    return target


def module_closure(wanted, needs):
    """The wanted modules that exist, and every module they need."""
    closure, queue = set(), [m for m in wanted if m in needs]
    while queue:
        name = queue.pop()
        if name not in closure:
            closure.add(name)
            queue += needs[name]
    return closure


def write_modules(out, kernel, paths, names):
    """Write the archive of modules, decompressed, with depmod's indexes for just these."""
    with tempfile.TemporaryDirectory(prefix="isp-vm-") as root:
        tree = os.path.join(root, "lib/modules", kernel.version)
        for name in names:
            target = os.path.join(tree, paths[name].partition(".ko")[0] + ".ko")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as f:
                f.write(module_bytes(os.path.join(kernel.modules, paths[name])))
        for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
            source = os.path.join(kernel.modules, name)
            if os.path.exists(source):
                shutil.copy(source, tree)
        run_depmod(root, kernel.version)
        archive = Archive(out)
        archive.directory("/usr/lib/firmware")
        add_tree(archive, tree, "/lib/modules/" + kernel.version)
        archive.close()


def modules_archive(cache, kernel, extra=()):
    """Path of the cached archive of modules of a kernel, made if need be.

    Params: extra, further module names; one the kernel lacks raises VmError.
    """
    paths, needs = kernel.module_index()
    for name in extra:
        if name not in paths:
            raise VmError(f"kernel {kernel.version} has no module {name}: see ls {kernel.modules}/kernel")
    wanted = sorted({*MODULES.split(), *extra})
    key = fingerprint([os.path.join(kernel.modules, "modules.dep"), *own_sources()], *wanted)
    target = os.path.join(cache, f"modules-{kernel.version}-{key}.cpio")
    if not is_cached(target):
        names = module_closure(wanted, needs)
        write_cached(target, lambda out: write_modules(out, kernel, paths, names))
    return target


def load_order(name, needs):
    """Names of the modules to load before a module, each after what it needs itself."""
    order = []

    def visit(module):
        for need in needs.get(module, ()):
            if need not in order:
                visit(need)
                order.append(need)

    visit(name)
    return order


def add_tree(archive, source, dest):
    """Add a file or a whole directory of the host at a path in the guest."""
    if not os.path.isdir(source):
        add_program(archive, guest_path(dest), source)
        return
    archive.directory(guest_path(dest))
    for entry in sorted(os.listdir(source)):
        add_tree(archive, os.path.join(source, entry), os.path.join(dest, entry))


def compose(out, cached, write_run):
    """Write the whole initramfs: the cached archives, then this run's own."""
    for path in cached:
        with open(path, "rb") as f:
            shutil.copyfileobj(f, out, 1 << 20)
    archive = Archive(out)
    write_run(archive)
    archive.close()

