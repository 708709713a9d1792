# SPDX-License-Identifier: GPL-2.0-or-later
"""What the check scripts share: the list of tests, cards ready for use, comparison, the report."""
import os
import sys
import traceback

import card as c

TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
MODEL = os.path.join(TOP, "build/qemu-isp/qemu-isp.so")
RAM = "isp-ram,bus=hba0.0,scsi-id=%d,lun=%d,service-ns=20000,size=1M"
TWO = (RAM % (0, 0), RAM % (1, 0))
TESTS = []


def test(*chips):
    """Registers a function as one test for each of these chips."""
    def register(function):
        for chip in chips:
            TESTS.append((f"{function.__name__}/{chip}", chip, function))
        return function
    return register


def equal(got, want, what):
    """Fails the test, with both values, unless they are equal."""
    if got != want:
        raise AssertionError(f"{what}: got {got!r}, want {want!r}")


def new_card(chip, devices=TWO, ready=True, attributes=0x137, hba_props="", machine=None, **options):
    """A Card with these devices, initialized unless told otherwise; machine: arguments of qtest.Machine."""
    if chip in c.OLD_CHIPS:
        attributes &= 0xff
    card = c.Card(MODEL, chip, devices, attributes, hba_props, **(machine or {}))
    if ready:
        card.load()
        card.initialize(**options)
    return card


def finish(card, violations=0):
    """Ends the machine; returns its counters, among them so many violations."""
    stats = card.machine.close()
    equal(stats["violations"], violations, f"violations ({stats['violation_log']})")
    return stats


def no_attention(card, target=0, lun=0, step=10_000_000):
    """Fetch the unit attention that every LUN has after power on."""
    card.run(bytes(6), target=target, lun=lun, step=step)


def main():
    """Runs the tests that the command line names; returns the exit status."""
    global MODEL
    names = sys.argv[1:]
    if names and names[0].endswith(".so"):
        MODEL = os.path.abspath(names.pop(0))
    failed = passed = 0
    for name, chip, function in TESTS:
        if names and not any(n in name for n in names):
            continue
        try:
            function(chip)
            passed += 1
            print(f"ok      {name}", flush=True)
        except Exception as error:      # whatever it is, the other tests still run
            failed += 1
            where = traceback.extract_tb(error.__traceback__)[-2]
            print(f"FAILED  {name}: {error} (line {where.lineno})", flush=True)
        for machine in list(c.qtest.Machine.running):
            machine.discard()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
