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
    ZeroDivisionError where there is none); digits behind the point; more_is_better; row, its short name
    where all figures of a case stand in one table.
    """

    name: str
    unit: str
    get: Callable
    digits: int = 1
    more_is_better: bool = False
    row: str = ""

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


def _part(name):
    return lambda run: run["split"][name] / 1000


def _card(name):
    return lambda run: run["card"][name]


def _rate(run):
    return run["io"]["bytes"] / MB / (run["io"]["ns"] / 1e9)


def _cpu_share(run):
    return run["io"]["cpu_ns"] / run["io"]["ns"]


def _above_floor_modelled(run):
    return (run["above_floor_ns"] + run["modelled_ns"] - run["io"]["lat"]["mean"]) / 1000


MEAN = Figure("mean latency", "us", _lat("mean"), 3, row="mean us")
P99 = Figure("p99 latency", "us", _lat("p99"), 3, row="p99")
MAXIMUM = Figure("maximum latency", "us", _lat("max"), 3, row="max")
IOPS = Figure("operations per second", "", lambda r: r["io"]["ops"] * 1e9 / r["io"]["ns"], 0, True, "IOPS")
RATE = Figure("rate", "MB/s", _rate, 2, True)
ALL = (
    MEAN,
    Figure("median latency", "us", _lat("p50"), 3, row="p50"),
    P99,
    Figure("p99.9 latency", "us", _lat("p999"), 3, row="p99.9"),
    MAXIMUM,
    IOPS,
    Figure("mean latency above isp_floor", "us", lambda r: r["above_floor_ns"] / 1000, 3, row="above floor"),
    Figure("modelled latency", "us", lambda r: r["modelled_ns"] / 1000, 3, row="modelled us"),
    Figure("modelled latency above isp_floor", "us", _above_floor_modelled, 3, row="... above floor"),
    Figure("submit", "us", _part("submit_ns"), 3, row="submit"),
    Figure("device", "us", _part("device_ns"), 3, row="device"),
    Figure("complete", "us", _part("complete_ns"), 3, row="complete"),
    Figure("driver's instructions per operation", "", lambda r: r["driver_insns"], 1, row="driver insns"),
    Figure("instructions per operation", "", lambda r: r["insns"], 1, row="insns"),
    Figure("locks held per operation", "ns", lambda r: r["lock_ns"], 1, row="lock ns"),
    Figure("locks taken per operation", "", lambda r: r["locks"], 2, row="locks"),
    Figure("MMIO reads per operation", "", _card("mmio_reads"), 3, row="reads"),
    Figure("MMIO writes per operation", "", _card("mmio_writes"), 3, row="writes"),
    Figure("interrupts per operation", "", _card("interrupts"), 3, row="irqs"),
    Figure("ring bytes per operation", "", _card("ring_bytes"), 0, row="ring bytes"),
)

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
