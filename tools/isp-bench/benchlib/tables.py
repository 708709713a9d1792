# SPDX-License-Identifier: GPL-2.0-only
"""Text tables: one of each figure for each table of a suite, and those of tiobench as it printed them."""

import math

from . import figures
from . import results as res

TIOBENCH = "tiobench"


def columns(rows):
    """Rows of text as lines, the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(c.ljust(w) if not i else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def of_figure(figure, runs):
    """Rows of a table: cases down; drivers, ratios of the first to each other, floors across.  None where no driver
    has the figure."""
    drivers, floors = res.drivers(runs)
    rows = [["case", *drivers, *(f"/ {d}" for d in drivers[1:]), *floors]]
    for case, group in res.by_case(runs).items():
        values = [figure.of(group.get(d)) for d in drivers]
        ratios = [figures.ratio(figure, group.get(drivers[0]), group.get(d)) for d in drivers[1:]]
        below = [figure.of(group.get(f)) for f in floors]
        if any(v is not None for v in values + below):
            rows.append([case, *map(figure.text, values), *("-" if r is None else f"{r:.3f}" for r in ratios),
                         *map(figure.text, below)])
    return rows if any(c != "-" for row in rows[1:] for c in row[1:len(drivers) + 1]) else None


def of_case(group):
    """Rows of a table of one case: drivers across, figures down, ratios of the first driver to each other card's."""
    shown = [r for r in group if not res.failed(r)]
    first = next((r for r in shown if not res.is_floor(r["driver"])), None)
    others = [r for r in shown if not res.is_floor(r["driver"]) and r is not first]
    rows = [["", *(r["driver"] for r in shown), *(f"{first['driver']} / {o['driver']}" for o in others)]]
    for figure in figures.ALL:
        values = [figure.of(r) for r in shown]
        if any(v is not None for v in values):
            ratios = [figures.ratio(figure, first, o) for o in others]
            rows.append([figure.row, *map(figure.text, values), *("-" if r is None else f"{r:.3f}" for r in ratios)])
    return [*rows, ["scheduler", *(r.get("scheduler", "-") for r in shown), *("" for _ in others)]]


WALL_HEAD = ("operations per second, pairs", "middle", "lowest", "highest")


def of_pairs(runs):
    """Rows: in the host's time, the first driver's rate as part of each other's, pair by pair: middle and extremes.
    None of them for virtual time."""
    rows = []
    for case, group in res.by_case(r for r in runs if "wall" in r).items():
        first, *others = group.values()
        for other in others:
            ratios = sorted(a / b for a, b in zip(first["wall"]["iops"], other["wall"]["iops"]))
            rows.append([f"{case}: {first['driver']} / {other['driver']}", f"{ratios[(len(ratios) - 1) // 2]:.3f}",
                         f"{ratios[0]:.3f}", f"{ratios[-1]:.3f}"])
    return rows


TIO_FIGURES = (figures.RATE, figures.CPU_SHARE, figures.AVERAGE_MS, figures.MAXIMUM_MS, figures.OVER_2S,
               figures.OVER_10S, figures.CPU_EFFICIENCY)
TIO_HEADS = ("Rate", "(CPU %)", "Avg Lat", "Max Lat", "Lat%>2s", "Lat%>10s", "CPU Eff")


def tiobench_groups(runs):
    """{(filesystem, kind): runs}, failed ones left out."""
    groups = {}
    for run in runs:
        if not res.failed(run):
            groups.setdefault(figures.tiobench_kind(run), []).append(run)
    return groups


def tiobench_cells(runs):
    """{(filesystem, kind, threads): {driver: run}}."""
    cells = {}
    for (filesystem, kind), group in tiobench_groups(runs).items():
        for run in group:
            cells.setdefault((filesystem, kind, run["io"].get("threads", 1)), {})[run["driver"]] = run
    return cells


def geometric_mean(values):
    """Of numbers above 0; None of none."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def tiobench_ratios(runs):
    """Lines: the first driver's rate and maximum latency in each cell, as parts of each other driver's."""
    drivers, _ = res.drivers(runs)
    out = []
    for other in drivers[1:]:
        rows, rates = [["cell", "Rate", "Max Lat"]], []
        for (filesystem, kind, threads), group in tiobench_cells(runs).items():
            pair = group.get(drivers[0]), group.get(other)
            rate, latency = (figures.ratio(f, *pair) for f in (figures.RATE, figures.MAXIMUM_MS))
            if rate is None or latency is None:
                continue
            rates.append(rate)
            name = f"{filesystem} {kind}, {threads} thread{'s' * (threads != 1)}".strip()
            rows.append([name, f"{rate:.3f}", f"{latency:.3f}"])
        if rates:
            rows.append(["geometric mean", f"{geometric_mean(rates):.3f}", ""])
            out += ["", f"{drivers[0]} / {other}", *columns(rows)]
    return out


def tiobench(runs):
    """Lines of tiobench's tables, one for each filesystem and kind of I/O."""
    out = []
    for (filesystem, kind), group in tiobench_groups(runs).items():
        rows = [["Driver", "Blk Size", "Num Thr", *TIO_HEADS]]
        for run in sorted(group, key=lambda r: r["io"].get("threads", 1)):
            io = run["io"]
            cells = [f.text(f.of(run)) for f in TIO_FIGURES]
            cells[1] = f"({cells[1]})"
            rows.append([run["driver"], str(io["bs"]), str(io.get("threads", 1)), *cells])
        lines = columns(rows)
        out += ["", f"{filesystem} {kind}".strip(), lines[0], "-" * max(map(len, lines)), *lines[1:]]
    out += tiobench_ratios(runs)
    return out + ["", "Rate: MB/s (2^20 bytes). Latencies: ms. CPU: user and system time of the threads. CPU Eff: rate "
                  "per CPU wholly used."]


def of_table(table, runs):
    """A table of a suite, as lines: cases down, one part for each figure."""
    if table == TIOBENCH:
        return tiobench(runs)
    out = []
    for figure in figures.ALL:
        rows = of_figure(figure, runs)
        if rows:
            out += ["", f"{table}: {figure.title}", *columns(rows)]
    return out
