# SPDX-License-Identifier: GPL-2.0-only
"""What is read off a run: each figure with its name, unit, digits, and whether more of it is better."""

import dataclasses
import re
from typing import Callable

from .results import failed

MB = 1 << 20
FILESYSTEMS = ("ext2", "ext3", "ext4", "xfs")


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes: name and unit for people; get, from a run to its value (KeyError, TypeError or
    ZeroDivisionError where there is none); digits behind the point; more_is_better.
    """

    name: str
    unit: str
    get: Callable
    digits: int = 1
    more_is_better: bool = False

    def of(self, run):
        """Value in a run, None where there is none."""
        if run is None or failed(run):
            return None
        try:
            return self.get(run)
        except (KeyError, TypeError, ZeroDivisionError):
            return None

    def text(self, value):
        """A value with its digits; "-" for None."""
        return "-" if value is None else f"{value:.{self.digits}f}"

    @property
    def title(self):
        """Name and unit."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


def _lat(name):
    return lambda run: run["io"]["lat"][name] / 1000


def _rate(run):
    return run["io"]["bytes"] / MB / (run["io"]["ns"] / 1e9)


def _cpu_share(run):
    return run["io"]["cpu_ns"] / run["io"]["ns"]


MEAN = Figure("mean latency", "us", _lat("mean"), 3)
P99 = Figure("p99 latency", "us", _lat("p99"), 3)
P999 = Figure("p99.9 latency", "us", _lat("p999"), 3)
IOPS = Figure("operations per second", "", lambda r: r["io"]["ops"] * 1e9 / r["io"]["ns"], 0, True)
RATE = Figure("rate", "MB/s", _rate, 2, True)
MODELLED = Figure("modelled latency", "us", lambda r: r["modelled_ns"] / 1000, 3)
DRIVER_INSNS = Figure("driver's instructions per operation", "", lambda r: r["driver_insns"], 1)
READS = Figure("MMIO reads per operation", "", lambda r: r["card"]["mmio_reads"], 3)
WRITES = Figure("MMIO writes per operation", "", lambda r: r["card"]["mmio_writes"], 3)
INTERRUPTS = Figure("interrupts per operation", "", lambda r: r["card"]["interrupts"], 3)
LOCK = Figure("locks held per operation", "ns", lambda r: r["lock_ns"], 1)
COMMON = (MEAN, P99, IOPS, MODELLED, DRIVER_INSNS, READS, WRITES, INTERRUPTS, LOCK)

# tiobench's columns, under its names.
CPU_SHARE = Figure("CPU", "%", lambda r: 100 * _cpu_share(r), 2)
AVERAGE_MS = Figure("average latency", "ms", lambda r: r["io"]["lat"]["mean"] / 1e6, 3)
MAXIMUM_MS = Figure("maximum latency", "ms", lambda r: r["io"]["lat"]["max"] / 1e6, 2)
OVER_2S = Figure("above 2 s", "%", lambda r: 100 * r["io"]["over_2s"] / r["io"]["ops"], 5)
OVER_10S = Figure("above 10 s", "%", lambda r: 100 * r["io"]["over_10s"] / r["io"]["ops"], 5)
CPU_EFFICIENCY = Figure("CPU efficiency", "MB/s per CPU", lambda r: _rate(r) / _cpu_share(r), 0, True)


def ratio(figure, run, other):
    """First / second of a figure, None where either has none."""
    one, two = figure.of(run), figure.of(other)
    return one / two if one is not None and two else None


KINDS = {"read": "sequential reads", "randread": "random reads", "write": "sequential writes",
         "randwrite": "random writes"}


def tiobench_kind(run):
    """(filesystem, kind of I/O) of a run of the tiobench table, "" for a filesystem that is not known."""
    words = re.split(r"[\s,/]+", run["case"])
    return next((w for w in words if w in FILESYSTEMS), ""), KINDS.get(run["io"].get("rw"), "?")


def depth_series(run):
    """What a run has in common with others that differ in queue depth only: text, or None when the case does not
    say its depth."""
    name, count = re.subn(r"\s*\bqd\s*\d+\b", "", run["case"])
    return name.strip() if count and not failed(run) else None
