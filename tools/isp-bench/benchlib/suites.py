# SPDX-License-Identifier: GPL-2.0-only
"""The suites: which I/O is measured, on what."""

import dataclasses
import typing

K = 1 << 10
G = 1 << 30
WALL_TIMES = 5  # so many times the operations in the host's time


@dataclasses.dataclass(frozen=True)
class Disk:
    """A kind of disk behind the card.  Cases find it by its size, which every kernel shows alike.

    Attributes: kind, properties, as isp-vm's --disk knows them; size in bytes, a whole number of GiB;
    targets and luns, how many there are; keeps, whether what is written can be read back.
    """

    kind: str
    size: int
    properties: str = ""
    targets: int = 1
    luns: int = 1
    keeps: bool = False

    @property
    def count(self):
        """How many there are."""
        return self.targets * self.luns


DISKS = {
    # Answers at once: what is left is the way there and back.  So large that random places hardly ever meet.
    "null": Disk("null", 64 * G, "service-ns=0"),
    # 20 us for each command, all at the same time.
    "20us": Disk("null", 32 * G, "service-ns=20000"),
    # What a command takes through a switch, at an array that has it in its cache.
    "array": Disk("null", 16 * G, "service-ns=400000"),
    # 20 us, and it keeps its data: for filesystems.
    "ram": Disk("ram", 1 * G, "service-ns=20000", keeps=True),
    # Many that answer at once.
    "many": Disk("null", 2 * G, "service-ns=0", targets=64, luns=4),
    # An arm, platters, and a queue that it orders.
    "spindle": Disk("spindle", 4 * G, keeps=True),
}
FILESYSTEMS = ("ext2", "ext3", "ext4", "xfs")


@dataclasses.dataclass(frozen=True)
class Case:
    """One measured window.

    Attributes: table and name head its row; disk, what it runs on (a key of DISKS); io, isp-io's
    arguments but files and operations; ops, operations in the window; fs, a filesystem to make and mount
    first, or, with again, the one that the case before has left; path, what isp-io is given below its mount
    point; disks, how many of them it uses; split,
    whether the times of each operation are kept, for submit, device and complete; cost, thousands of
    instructions that an operation is expected to take, for the estimate of what is left.
    """

    table: str
    name: str
    disk: str
    io: str
    ops: int
    warmup: int = 0
    fs: str = ""
    again: bool = False
    path: str = "file"
    disks: int = 1
    split: bool = False
    cost: float = 15

    @property
    def polled(self):
        """True where the block device must have a queue that is polled."""
        return "--engine poll" in self.io

    @property
    def weight(self):
        """Millions of instructions of a boot that take as long as this case."""
        return 4 * self.ops * self.cost / 1000

    def arguments(self):
        """isp-io's arguments but the files."""
        return f"{self.io} --ops {self.ops}" + (f" --warmup {self.warmup}" if self.warmup else "")

    def wall_arguments(self, cpus):
        """The same for the host's time: longer, and with a process on each processor where operations are queued."""
        words = f"{self.io} --ops {WALL_TIMES * self.ops}".split()
        if "--qd" in words:
            at = words.index("--qd") + 1
            processes = min(cpus, int(words[at]), WALL_TIMES * self.ops)
            words[at] = str(int(words[at]) // processes)
            words += ["--threads", str(processes), "--cpu", ",".join(map(str, range(processes)))]
        return " ".join(words)


def random_read(table, name, depth, size=4 * K, ops=8000, disk="null", **more):
    """Asynchronous reads at random places."""
    return Case(table, name, disk, f"--engine aio --qd {depth} --rw randread --bs {size} --direct", ops, **more)


QD1_READ = Case("sync", "read 4k", "null", "--rw randread --bs 4096 --direct", 2000, 200, split=True)
POLLED_READ = Case("sync", "read 4k, polled", "null", "--engine poll --rw randread --bs 4096 --direct", 2000,
                   split=True)
APPEND = Case("sync", "append 4k O_DSYNC, ext4", "ram", "--rw write --append --dsync --bs 4096", 500, 50,
              fs="ext4", split=True, cost=150)


def quick():
    """Queue depth 1 and 32, one synchronous append, and polled."""
    return [QD1_READ, random_read("queue", "randread 4k qd32", 32, split=True), APPEND, POLLED_READ]


def sync():
    """One request at a time, and somebody waits for it."""
    direct = "--bs 4096 --direct"
    return [
        QD1_READ,
        Case("sync", "write 4k", "null", f"--rw randwrite {direct}", 2000, 200, split=True),
        Case("sync", "read 4k, 20 us disk", "20us", f"--rw randread {direct}", 2000, 200, split=True),
        Case("sync", "write 4k, 20 us disk", "20us", f"--rw randwrite {direct}", 2000, 200, split=True),
        APPEND,
        Case("sync", "append 4k and fdatasync, ext4", "ram", "--rw write --append --fdatasync --bs 4096", 500, 50,
             fs="ext4", split=True, cost=150),
        Case("sync", "overwrite 4k and fdatasync, ext4", "ram", "--rw randwrite --fdatasync --fill --size 16m --bs 4096",
             500, 50, fs="ext4", split=True, cost=60),
        Case("sync", "create, write, fsync, rename, ext4", "ram", "--journal --bs 4096", 300, 30, fs="ext4", path="",
             split=True, cost=300),
        POLLED_READ,
        Case("sync", "read 4k, polled, 20 us disk", "20us", f"--engine poll --rw randread {direct}", 2000, split=True,
             cost=30),
    ]


def queue():
    """Queue depths 1 to 256, sizes 4 KiB to 1 MiB."""
    cases = [random_read("queue", f"randread 4k qd{n}", n, split=True) for n in (1, 2, 4, 8, 16, 32, 64, 128, 256)]
    cases += [random_read("queue, 20 us disk", f"randread 4k qd{n}, 20 us disk", n, disk="20us", split=True)
              for n in (1, 2, 4, 8, 16, 32, 64, 128, 256)]
    cases += [random_read("size", f"randread {size}k qd{n}", n, size * K, 2000, split=True, cost=25)
              for size in (16, 64, 256, 1024) for n in (1, 8, 32)]
    cases += [Case("queue", f"randwrite 4k qd{n}", "null", f"--engine aio --qd {n} --rw randwrite --bs 4096 --direct",
                   8000, split=True) for n in (1, 32)]
    return cases


def moderation():
    """What interrupt moderation does to latencies: disks with and without a queue, who submits at once and who does not."""
    cases = []
    for disk, suffix in (("null", ""), ("20us", ", 20 us disk"), ("array", ", 400 us disk")):
        for how, engine in (("one by one", "--batch 1 "), ("at once", "")):
            cases += [Case(f"{how}{suffix}", f"{how}, qd{n}{suffix}", disk,
                           f"--engine aio {engine}--qd {n} --rw randread --bs 4096 --direct", 4000, max(200, 4 * n))
                      for n in (1, 2, 4, 8, 16, 32, 64, 128, 256)]
        cases += [Case(f"threads{suffix}", f"{n} threads{suffix}", disk,
                       f"--threads {n} --rw randread --bs 4096 --direct", 40000, 10 * n, cost=20)
                  for n in (2, 4, 8, 32, 64)]
    return cases


def scale():
    """Many LUNs at a time."""
    cases = [random_read("scale", f"randread 16k, {n} LUNs, qd32", 32, 16 * K, max(8000, 64 * n), "many", disks=n,
                         split=True) for n in (1, 4, 16, 64, 256)]
    return [*cases, random_read("scale", "randread 16k, 42 LUNs, qd256", 256, 16 * K, 43008, "many", disks=42,
                               split=True)]


def tiobench():
    """Files on a disk with an arm, read and written by many processes at a time."""
    total, block, places = 128 << 20, 4 * K, 4000
    cases = []
    for fs in FILESYSTEMS:
        for threads in (1, 32, 64, 128, 256):
            base = f"--threads {threads} --bs {block} --size {total // threads}"
            for rw, ops, more in (("write", total // block, "--end-fsync"), ("randwrite", places, "--end-fsync"),
                                  ("read", total // block, "--cold"), ("randread", places, "--cold")):
                cases.append(Case("tiobench", f"{fs} {rw}, {threads} threads", "spindle", f"{base} --rw {rw} {more}", ops,
                                  fs=fs, again=rw != "write", path="f%d", cost=10 if ops > places else 80))
    return cases


@dataclasses.dataclass(frozen=True)
class Suite:
    """A suite: its cases, whether floors are measured too, and whether instructions are counted without being asked."""

    cases: typing.Callable
    floors: bool = True
    counted: bool = True

    def chosen(self, text):
        """Cases with a text in their name, and those before them that make the filesystem they run on."""
        cases, wanted = self.cases(), []
        needed = False
        for case in reversed(cases):
            if text in case.name or needed:
                wanted.insert(0, case)
                needed = case.again
        return wanted


SUITES = {
    "quick": Suite(quick),
    "sync": Suite(sync),
    "queue": Suite(queue),
    "scale": Suite(scale),
    "moderation": Suite(moderation, floors=False, counted=False),
    # The disk is what takes time here; counting would make it three times as long to wait for.
    "tiobench": Suite(tiobench, floors=False, counted=False),
}
