# SPDX-License-Identifier: GPL-2.0-only
"""What the hot path may cost: figures recorded in a file, and results held against them."""

import json

from . import BenchError
from . import results as res

EXACT = ("mmio_reads", "mmio_writes", "interrupts")
INSNS_SHARE = 0.02      # compilers of the same version make the same code; a small change may pass
PASSES_SHARE = 0.001    # how far two passes in virtual time may be apart
CLOCK_SHARE = 0.001     # of a window without idle time: instructions against nanoseconds


def of_run(run):
    """The figures of a run that are recorded."""
    try:
        return {**{n: round(run["card"][n], 4) for n in EXACT}, "driver_insns": round(run["driver_insns"], 1)}
    except KeyError as error:
        raise BenchError(f"{run['driver']}, {run['case']}: the results have no {error.args[0]}: made with --wall?") \
            from error


def record(results):
    """{driver: {case: figures}} of all drivers of a card in results."""
    found = {}
    for run in results["runs"]:
        if not res.is_floor(run["driver"]) and not res.failed(run):
            found.setdefault(run["driver"], {})[run["case"]] = of_run(run)
    return found


def load(path):
    """A file of recorded figures.  Raises BenchError."""
    try:
        with open(path, encoding="ascii") as file:
            figures = json.load(file)
        if not all(isinstance(f, dict) for cases in figures.values() for f in cases.values()):
            raise ValueError("it has no figures")
        return figures
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}") from error
    except (ValueError, AttributeError) as error:
        raise BenchError(f"{path}: not figures that isp-bench record wrote: {error}") from error


def save(results, path):
    """Write a file of recorded figures.  Raises OSError."""
    with open(path, "w", encoding="ascii") as file:
        json.dump(record(results), file, indent=1, sort_keys=True)
        file.write("\n")


def check(results, recorded):
    """[(driver, case, None or what is wrong)] for every recorded case, and for every other case of those drivers."""
    runs = {(r["driver"], r["case"]): r for r in results["runs"] if not res.is_floor(r["driver"])}
    verdicts = []
    for driver, cases in recorded.items():
        for case, figures in cases.items():
            run = runs.pop((driver, case), None)
            verdicts.append((driver, case, _judge(run, figures)))
    # A polled read with a driver that has no polled queue cannot be measured, and is not recorded.
    verdicts += [(d, c, "it is not among the recorded figures") for (d, c), r in runs.items()
                 if d in recorded and not res.failed(r)]
    return verdicts


def _judge(run, figures):
    if run is None or res.failed(run):
        return "it was not measured" if run is None else run["io"]["error"]
    now = of_run(run)
    wrong = [f"{n} {now[n]:g}, recorded {figures[n]:g}" for n in EXACT if now[n] != figures[n]]
    if abs(now["driver_insns"] - figures["driver_insns"]) > INSNS_SHARE * figures["driver_insns"]:
        wrong.append(f"driver_insns {now['driver_insns']:g}, recorded {figures['driver_insns']:g} "
                     f"({100 * INSNS_SHARE:g} % are allowed)")
    apart = run.get("disagreement", {"share": 0})
    if apart["share"] > PASSES_SHARE:
        wrong.append(f"two passes are {100 * apart['share']:.3f} % apart in {apart['figure']}")
    return "; ".join(wrong) or None


def clock(results):
    """[(driver, case, share)]: how far instructions and nanoseconds of a window are apart, where the processor was
    never idle: they are the same by definition, so that one which is not counted shows."""
    return [(r["driver"], r["case"], abs(r["insns"] * r["io"]["ops"] / r["io"]["ns"] - 1))
            for r in results["runs"] if not res.failed(r) and r["case"] == "read 4k" and r.get("insns")]
