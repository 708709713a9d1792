# SPDX-License-Identifier: GPL-2.0-only
"""A boot of any kernel image with its driver built in: the guest is that, init.c and isp-io alone."""

import glob
import json
import os
import re
import shutil
import subprocess

from vmlib import BUILD, MAKE, cpio

from . import BenchError
from .machine import ISP_VM, TIMEOUT, Boot
from .suites import DISKS

PROGRAMS = os.path.join(BUILD, "isp-bench")
EXT2_BLOCKS = 8192      # of 1 KiB


class BareBoot(Boot):
    """As Boot, without modules, filesystems and symbols: latencies, the card's counters, all instructions."""

    LAST_LINE = "@@isp-init off"

    def __init__(self, setup, image, root, cases):
        """Params: image, path of the kernel; root, ext2, or cpio, or the path of a cpio archive that comes
        before ours; cases, of suites: those on a filesystem are left out.  Raises BenchError."""
        super().__init__(setup, os.path.basename(image), [c for c in cases if not c.fs])
        self._image, self._root = image, root
        if not os.path.isfile(image):
            raise BenchError(f"--kernel {image}: there is no such file")
        if root not in ("cpio", "ext2"):
            with _opened(root) as file:
                if file.read(6) not in (b"070701", b"070702"):
                    raise BenchError(f"--initrd {root}: not a cpio archive (newc) as it stands, unpacked")
        if root == "ext2" and not shutil.which("mke2fs", path="/usr/sbin:/sbin"):
            raise BenchError("--initrd ext2: mke2fs is not installed: apt install e2fsprogs")

    def _splits(self, case):
        return False

    def _lines(self):
        """isp-init's command lines.  Disks are numbered as they stand behind the card."""
        names = {c.disk for c in self.cases}
        first, at = {}, 0
        for name in (n for n in DISKS if n in names):
            first[name] = at
            at += DISKS[name].count
        for case in self.cases:
            files = " ".join(f"--file @disk{first[case.disk] + i}" for i in range(case.disks))
            yield f"{files} {self._arguments(case)}"
        self._disks = at

    def _prepare(self, folder):
        lines = "".join(line + "\n" for line in self._lines())
        # Old kernels need the programs that ask for less.
        programs = os.path.join(PROGRAMS, "old")
        programs = programs if os.path.exists(os.path.join(programs, "init")) else PROGRAMS
        files = {"/init": os.path.join(programs, "init"), "/isp-io": os.path.join(programs, "isp-io")}
        for path in files.values():
            if not os.path.exists(path):
                raise BenchError(f"{path} is not built: run {MAKE} tools")
        if self._root == "ext2":
            self._write_ext2(folder, files, lines)
            return
        files.update({"/lib/firmware/" + os.path.basename(p): p
                      for p in glob.glob(os.path.join(glob.escape(BUILD), "firmware/*.bin"))})
        with open(os.path.join(folder, "root"), "wb") as out:
            if self._root != "cpio":
                with _opened(self._root) as file:
                    shutil.copyfileobj(file, out)
                out.write(bytes(-out.tell() % 4))
            archive = cpio.Archive(out)
            archive.node("/dev/console", 0o020000, 5, 1)
            for name, path in files.items():
                archive.copy(name, path)
            archive.file("/isp/commands", lines.encode())
            archive.close()

    @staticmethod
    def _write_ext2(folder, files, lines):
        tree = os.path.join(folder, "tree")
        for name in ("dev", "proc", "sys", "tmp", "isp"):
            os.makedirs(os.path.join(tree, name))
        for name, path in files.items():
            shutil.copy(path, tree + name)
        with open(os.path.join(tree, "isp/commands"), "w", encoding="ascii") as file:
            file.write(lines)
        done = subprocess.run(["/usr/sbin/mke2fs", "-q", "-t", "ext2", "-b", "1024", "-I", "128", "-O", "none", "-d", tree,
                               os.path.join(folder, "root"), str(EXT2_BLOCKS)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            raise BenchError(f"mke2fs: {done.stderr.decode().strip().splitlines()[-1]}")

    def _command(self, folder):
        append = f"nokaslr isp.disks={self._disks} isp.wait=120"
        if self._root == "ext2":
            append += f" root=/dev/ram0 init=/init ramdisk_size={EXT2_BLOCKS} rw"
        return [ISP_VM, "--kernel", os.path.abspath(self._image), "--initrd", os.path.join(folder, "root"),
                "--kernel-args", append, "--timeout", str(TIMEOUT), "--mem", "512M", *self.setup.time_arguments(folder),
                "--hba", self.setup.hba, *self._disk_arguments()]

    def _read(self, lines, folder):
        said, complaint = [], ""
        for line in (raw.rstrip("\r") for raw in lines):
            mark = re.match(r"@@isp-init (\S+) ?(.*)", line)
            if not mark:
                said.append(line)
            elif mark[1] == "trouble":
                raise BenchError(f"{self.label}: {mark[2]}")
            elif mark[1] == "begin":
                said, complaint = [], ""
            elif mark[1] == "said":
                complaint = mark[2]
            elif mark[1] == "end":
                self._take(said, complaint)
        if len(self.results) != len(self.cases):
            raise BenchError(f"{self.label}: {len(self.results)} of {len(self.cases)} cases gave a result")
        if not self.setup.wall:
            self._add_counts(os.path.join(folder, "counts"))

    def _take(self, said, complaint):
        # The kernel may have its say on the console as well.
        found = re.search(r"^\{.*?\}$", "\n".join(said), re.MULTILINE | re.DOTALL)
        try:
            io = json.loads(found[0]) if found else {"error": complaint or "isp-io said nothing"}
        except ValueError:
            io = {"error": "what isp-io said is not whole"}
        self.results.append({**self._result(self.cases[len(self.results)], io), "scheduler": "-"})


def _opened(path):
    try:
        return open(path, "rb")
    except OSError as error:
        raise BenchError(f"--initrd {path}: {error.strerror}") from error
