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
    if not res.failed(result):
        found.update({name: result["io"][name] for name in ("ns", "cpu_ns", "over_2s", "over_10s")})
        found.update(result["io"]["lat"])
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


def made_of(results):
    """Lines on the versions of each driver and of its card's firmware, where they are known."""
    return [f"{driver}: {', '.join(f'{k} {v}' for k, v in facts.items())}"
            for driver, facts in results.get("drivers", {}).items()]


def text(results):
    """The whole report as text."""
    out = [f"isp-bench {results['suite']}, {results['hba']}, kernel {results['kernel']}, QEMU {results['qemu']}, "
           f"{results['when']}", *made_of(results)]
    for table, runs in res.by_table(results["runs"]).items():
        cases = res.by_case(runs)
        if table == tables.TIOBENCH or len(cases) > FEW:
            out += tables.of_table(table, runs)
        else:
            for case, group in cases.items():
                out += ["", case, *tables.columns(tables.of_case(list(group.values())))]
        out += [f"{r['driver']}, {r['case']}: {r['io']['error']}" for r in runs if res.failed(r)]
    pairs = tables.of_pairs(results["runs"])
    if pairs:
        out += ["", *tables.columns([tables.WALL_HEAD, *pairs])]
    out += ["", *agreement(results["runs"])]
    return "\n".join(out)


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
