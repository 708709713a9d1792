# SPDX-License-Identifier: GPL-2.0-only
"""Puts boots together into results, and results into text."""

from . import BenchError
from . import results as res
from . import tables

FEW = 4     # cases of a table that are shown one by one, all figures of each
AGREE = ("insns", "driver_insns", "lock_ns", "modelled_ns")


def _figures(result):
    """The numbers of a result that two boots must agree on, by name."""
    found = {name: result[name] for name in AGREE if result.get(name) is not None}
    if "error" not in result["io"]:
        found.update({"ns": result["io"]["ns"], "mean": result["io"]["lat"]["mean"],
                      "p99": result["io"]["lat"]["p99"]})
    for group in ("card", "split"):
        found.update({k: v for k, v in result.get(group, {}).items() if isinstance(v, (int, float))})
    return found


def disagreement(first, second):
    """(share, name): how far apart two results are in the figure that they differ most in."""
    one, two = _figures(first), _figures(second)
    worst = (0.0, "")
    for name in one.keys() | two.keys():
        a, b = one.get(name, 0), two.get(name, 0)
        if a != b:
            worst = max(worst, (abs(a - b) / max(abs(a), abs(b)), name))
    return worst


def merge(boots, passes):
    """The runs of a results file: the first boot's figures, and how far the second's differ."""
    count = len(boots) // passes
    runs = []
    for number, boot in enumerate(boots[:count]):
        for index, result in enumerate(boot.results):
            if passes > 1:
                share, name = disagreement(result, boots[number + count].results[index])
                result["disagreement"] = {"share": share, "figure": name}
            runs.append(result)
    return with_floors(runs)


def merge_wall(boots, passes):
    """The runs of a results file made in the host's time: of each driver and case the pass whose rate is the middle one,
    with the rates of all passes."""
    count = len(boots) // passes
    runs = []
    for number, boot in enumerate(boots[:count]):
        for index, result in enumerate(boot.results):
            every = [boots[number + count * n].results[index] for n in range(passes)]
            if not any(res.failed(r) for r in every):
                rates = [r["io"]["ops"] * 1e9 / r["io"]["ns"] for r in every]
                result = every[rates.index(sorted(rates)[(passes - 1) // 2])]
                result["wall"] = {"iops": rates}
            runs.append(result)
    return runs


def wall_ratios(runs):
    """Lines: in the host's time, the first driver's rate as part of each other's, pair by pair: middle and extremes.
    Empty for virtual time."""
    rows = [["operations per second, pairs", "middle", "lowest", "highest"]]
    for case, group in res.by_case(r for r in runs if "wall" in r).items():
        first, *others = group.values()
        for other in others:
            ratios = sorted(a / b for a, b in zip(first["wall"]["iops"], other["wall"]["iops"]))
            rows.append([f"{case}: {first['driver']} / {other['driver']}", f"{ratios[(len(ratios) - 1) // 2]:.3f}",
                         f"{ratios[0]:.3f}", f"{ratios[-1]:.3f}"])
    return ["", *tables.columns(rows)] if len(rows) > 1 else []


def with_floors(runs):
    """Runs with only those floors that have an I/O scheduler of one of the drivers in the same case, and with
    what each driver's operations take longer than the midlayer's floor."""
    kept = []
    for case in res.by_case(runs):
        group = [r for r in runs if r["case"] == case]
        used = {r["scheduler"] for r in group if not res.is_floor(r["driver"])} or {group[0]["scheduler"]}
        floors = {r["scheduler"]: r for r in group if r["driver"] == "isp_floor" and not res.failed(r)}
        for run in group:
            floor = floors.get(run["scheduler"])
            if not res.is_floor(run["driver"]) and floor and not res.failed(run):
                run["above_floor_ns"] = run["io"]["lat"]["mean"] - floor["io"]["lat"]["mean"]
        for run in group:
            if run["scheduler"] not in used:
                continue
            if len(used) > 1 and res.is_floor(run["driver"]):
                run["driver"] += " " + run["scheduler"]
            kept.append(run)
    return kept


COLUMNS = (
    # heading, how to get it, format
    ("mean us", lambda r: r["io"]["lat"]["mean"] / 1000, "{:.3f}"),
    ("p50", lambda r: r["io"]["lat"]["p50"] / 1000, "{:.3f}"),
    ("p99", lambda r: r["io"]["lat"]["p99"] / 1000, "{:.3f}"),
    ("max", lambda r: r["io"]["lat"]["max"] / 1000, "{:.3f}"),
    ("IOPS", lambda r: r["io"]["ops"] * 1e9 / r["io"]["ns"], "{:.0f}"),
    ("above floor", lambda r: r["above_floor_ns"] / 1000, "{:.3f}"),
    ("modelled us", lambda r: r["modelled_ns"] / 1000, "{:.3f}"),
    ("submit", lambda r: r["split"]["submit_ns"] / 1000, "{:.3f}"),
    ("device", lambda r: r["split"]["device_ns"] / 1000, "{:.3f}"),
    ("complete", lambda r: r["split"]["complete_ns"] / 1000, "{:.3f}"),
    ("driver insns", lambda r: r["driver_insns"], "{:.1f}"),
    ("insns", lambda r: r["insns"], "{:.1f}"),
    ("lock ns", lambda r: r["lock_ns"], "{:.1f}"),
    ("locks", lambda r: r["locks"], "{:.2f}"),
    ("reads", lambda r: r["card"]["mmio_reads"], "{:.3f}"),
    ("writes", lambda r: r["card"]["mmio_writes"], "{:.3f}"),
    ("irqs", lambda r: r["card"]["interrupts"], "{:.3f}"),
    ("ring bytes", lambda r: r["card"]["ring_bytes"], "{:.0f}"),
)


def _cell(getter, form, result):
    try:
        return form.format(getter(result))
    except (KeyError, TypeError, ZeroDivisionError):
        return "-"


def text(results):
    """The whole report as text."""
    out = [f"isp-bench {results['suite']}, {results['hba']}, kernel {results['kernel']}, QEMU {results['qemu']}, "
           f"{results['when']}"]
    for table, runs in res.by_table(results["runs"]).items():
        cases = res.by_case(runs)
        if table == tables.TIOBENCH or len(cases) > FEW:
            out += tables.of_table(table, runs)
        else:
            for case, group in cases.items():
                out += ["", case, *tables.columns(_table(list(group.values())))]
        out += [f"{r['driver']}, {r['case']}: {r['io']['error']}" for r in runs if res.failed(r)]
    out += wall_ratios(results["runs"])
    out += ["", *agreement(results["runs"])]
    return "\n".join(out)


def _table(group):
    """Drivers across, figures down: ratios of the first driver to each other card's driver."""
    shown = [r for r in group if not res.failed(r)]
    rows = [["", *(r["driver"] for r in shown)]]
    schedulers = [r.get("scheduler", "-") for r in shown]
    first = next((r for r in shown if "card" in r), None)
    others = [r for r in shown if "card" in r and r is not first]
    rows[0] += [f"{first['driver']} / {o['driver']}" for o in others]
    for heading, getter, form in COLUMNS:
        row = [heading, *(_cell(getter, form, r) for r in shown)]
        row += [_cell(lambda r, o=o: getter(r) / getter(o), "{:.3f}", first) for o in others]
        if any(c != "-" for c in row[1:]):
            rows.append(row)
    rows.append(["scheduler", *schedulers, *("" for _ in others)])
    return rows


def agreement(runs):
    """Lines on how far repeated runs agree."""
    told = [(r["disagreement"]["share"], r) for r in runs if "disagreement" in r]
    passes = max((len(r["wall"]["iops"]) for r in runs if "wall" in r), default=0)
    if passes:
        return [f"each was run {passes} times in the host's time, in turn; figures are of the pass with the middle rate"]
    if not told:
        return ["each was run once"]
    share, worst = max(told, key=lambda t: t[0])
    if not share:
        return ["each was run twice: all figures of both agree to the digit"]
    return [f"each was run twice: the figures agree to {100 * share:.4f} % "
            f"(worst: {worst['disagreement']['figure']} of {worst['driver']}, {worst['case']})"]


def profile(results, driver, case, everything):
    """Instructions by function, as text.  Raises BenchError where nothing fits."""
    out = []
    for run in results["runs"]:
        if (driver and run["driver"] != driver) or case not in run["case"] or "profile" not in run:
            continue
        own = run["driver"].partition(" ")[0].rpartition("/")[2].removesuffix(".ko")
        rows = [["function", "module", "insns/op", "entries/op"]]
        rows += [[f, m, f"{n:.1f}", f"{e:.2f}"] for f, m, n, e in run["profile"] if everything or m == own]
        modules = {}
        for _, module, insns, _ in run["profile"]:
            modules[module] = modules.get(module, 0) + insns
        parts = ", ".join(f"{m} {n:.0f}" for m, n in sorted(modules.items(), key=lambda p: -p[1]) if n >= 0.5)
        out += [f"{run['driver']}, {run['case']}: {run.get('insns', 0):.0f} instructions per operation: {parts}",
                *tables.columns(rows), ""]
    if not out:
        raise BenchError("no profile of such a case and driver in these results")
    return "\n".join(out).rstrip()
