# SPDX-License-Identifier: GPL-2.0-only
"""A results file: what must be in it, and who is who among its runs."""

import json

from . import BenchError

VERSION = 1
# Not drivers of a card: what the same request costs without one.
FLOORS = ("null_blk", "isp_floor")

NUMBER = (int, float)
HEAD = {"when": str, "kernel": str, "qemu": str, "hba": str, "suite": str, "args": list, "runs": list}
RUN = {"table": str, "case": str, "driver": str, "io": dict}
IO = {"engine": str, "rw": str, "bs": int, "qd": int, "ops": int, "bytes": int, "ns": int, "errors": int, "lat": dict,
      "hist": list, "over_2s": int, "over_10s": int, "cpu_ns": NUMBER}
LAT = {"mean": NUMBER, "min": NUMBER, "p50": NUMBER, "p99": NUMBER, "p999": NUMBER, "max": NUMBER}
# Of a run, where they are known.
FIGURES = ("driver_insns", "insns", "lock_ns", "locks", "modelled_ns")
NAMES = {str: "text", int: "a whole number", NUMBER: "a number", dict: "an object", list: "a list"}


def load(path):
    """The results in a file.  Raises BenchError, one line that names what is wrong."""
    try:
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
    except OSError as error:
        raise BenchError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise BenchError(f"{path}: not JSON: {error}") from error
    try:
        check(results)
    except BenchError as error:
        raise BenchError(f"{path}: {error}") from error
    return results


def check(results):
    """Raises BenchError where results are not as the renderers need them."""
    if not isinstance(results, dict) or results.get("version") != VERSION:
        raise BenchError(f"not results of isp-bench (version {VERSION})")
    _check_keys(results, HEAD, "")
    facts = results.get("drivers", {})      # not known to those that wrote results before
    _check_value(facts, dict, "drivers")
    for driver, of in facts.items():
        _check_value(of, dict, f"drivers.{driver}")
    for number, run in enumerate(results["runs"]):
        where = f"runs[{number}]"
        if not isinstance(run, dict):
            raise BenchError(f"{where}: {NAMES[dict]} is wanted")
        _check_keys(run, RUN, where + ".")
        for name in FIGURES:
            if run.get(name) is not None:
                _check_value(run[name], NUMBER, f"{where}.{name}")
        if not failed(run):
            _check_io(run["io"], where + ".io")


def _check_value(value, kind, where):
    if isinstance(value, bool) or not isinstance(value, kind):
        raise BenchError(f"{where}: {NAMES[kind]} is wanted, not {json.dumps(value)[:40]}")
    if kind in (int, NUMBER) and value < 0:
        raise BenchError(f"{where}: {value} is below 0")


def _check_keys(values, wanted, where):
    for name, kind in wanted.items():
        if name not in values:
            raise BenchError(f"{where}{name} is missing")
        _check_value(values[name], kind, where + name)


def _check_io(io, where):
    _check_keys(io, IO, where + ".")
    _check_keys(io["lat"], LAT, where + ".lat.")
    if not io["ops"] or not io["ns"]:
        raise BenchError(f"{where}: nothing was measured")
    last = 0
    for number, bucket in enumerate(io["hist"]):
        place = f"{where}.hist[{number}]"
        if not isinstance(bucket, list) or len(bucket) != 3:
            raise BenchError(f"{place}: lower, upper and count are wanted")
        for value in bucket:
            _check_value(value, int, place)
        if not last <= bucket[0] < bucket[1]:
            raise BenchError(f"{place}: it begins or ends before the one below")
        last = bucket[1]
    if sum(b[2] for b in io["hist"]) != io["ops"]:
        raise BenchError(f"{where}.hist: it has not as many operations as were made")


def failed(run):
    """True for a run whose I/O could not be done: its io has but an error."""
    return "error" in run["io"]


def is_floor(driver):
    """True for what is no driver of a card."""
    return driver.partition(" ")[0].rpartition("/")[2].removesuffix(".ko") in FLOORS


def drivers(runs):
    """Names of the drivers and of the floors, each in order of appearance: (drivers, floors)."""
    names = list(dict.fromkeys(r["driver"] for r in runs))
    return [n for n in names if not is_floor(n)], [n for n in names if is_floor(n)]


def by_table(runs):
    """{table: its runs}, in order of appearance."""
    tables = {}
    for run in runs:
        tables.setdefault(run["table"], []).append(run)
    return tables


def by_case(runs):
    """{case: {driver: run}}, in order of appearance."""
    cases = {}
    for run in runs:
        cases.setdefault(run["case"], {})[run["driver"]] = run
    return cases
