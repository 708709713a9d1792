# SPDX-License-Identifier: GPL-2.0-only
"""What the plugin counted: windows, and whose the instructions are."""

import bisect
import json

from vmlib import elf
from vmlib.kernel import module_bytes

KERNEL_HALF = 1 << 63


class Window:
    """One measured window: instructions, blocks, locks, the model's counters before and after."""

    def __init__(self):
        self.insns = 0
        self.blocks = []
        self.locks = []
        self.unbalanced = 0
        self.card = {"begin": [], "end": []}


def read_windows(path):
    """The windows of the plugin's output, in order; one that has no end is not among them."""
    windows = []
    with open(path, encoding="ascii") as file:
        for line in file:
            word, _, rest = line.partition(" ")
            if word == "window":
                window = Window()
            elif word == "card":
                when, _, text = rest.partition(" ")
                window.card[when] = json.loads(text)
            elif word in ("block", "lock"):
                address, insns, times = rest.split()
                item = (int(address, 16), int(insns), int(times))
                (window.blocks if word == "block" else window.locks).append(item)
            elif word == "end":
                windows.append(window)
            else:
                setattr(window, word, int(rest))
    return windows


def card_difference(window, model):
    """What the first adapter of the model did in a window: absolute counts, None without the model."""
    before = {c["id"]: c for c in window.card["begin"]}
    for after in window.card["end"]:
        if after["model"] == model:
            return subtract(after, before[after["id"]])
    return None


def subtract(after, before):
    """What was counted between two states of the model's counters."""
    result = {}
    for name, value in after.items():
        if isinstance(value, dict):
            result[name] = subtract(value, before.get(name, {}))
        elif isinstance(value, int):
            result[name] = value - before.get(name, 0)
    return result


class Code:
    """Which function an address belongs to.

    Attributes: ranges, {module: [(start, end)]} of the code that stays loaded.
    """

    def __init__(self, kallsyms):
        """Params: kallsyms, lines of the kernel's own /proc/kallsyms."""
        self.ranges = {}
        self._symbols = {}
        for line in kallsyms:
            address, kind, name = line.split()[:3]
            if kind in "tTwW":
                self._symbols.setdefault(int(address, 16), (name, "vmlinux"))
        self._sorted = None

    def add_module(self, name, path, sections):
        """Add a loaded module.  Params: path, its .ko; sections, {name: address} as sysfs tells them."""
        code, functions = elf.code_of_module(module_bytes(path))
        self.ranges[name] = [(sections[s], sections[s] + size) for s, size in code.items() if s in sections]
        for section, offset, _, function in functions:
            if section in sections:
                self._symbols[sections[section] + offset] = (function, name)
        self._sorted = None

    def function(self, address):
        """(function, module) of an address; what runs in user space is all one."""
        if address < KERNEL_HALF:
            return "(user space)", "user"
        if self._sorted is None:
            self._sorted = sorted(self._symbols)
        at = bisect.bisect_right(self._sorted, address) - 1
        return self._symbols[self._sorted[at]] if at >= 0 else ("(unknown)", "vmlinux")

    def address(self, name):
        """Address of a function of the kernel itself, None where it has none of that name."""
        if not hasattr(self, "_names"):
            self._names = {n: a for a, (n, m) in self._symbols.items() if m == "vmlinux"}
        return self._names.get(name)

    def in_module(self, module, address):
        """True for an address in a module's code."""
        return any(start <= address < end for start, end in self.ranges.get(module, ()))


def driver_instructions(window, code, driver):
    """Instructions that a window spent in a module's code."""
    return sum(n for address, n, _ in window.blocks if code.in_module(driver, address))


def lock_instructions(window, code, driver):
    """(instructions, times) that a window held locks which a module's code took."""
    own = [(n, times) for address, n, times in window.locks if code.in_module(driver, address)]
    return sum(n for n, _ in own), sum(t for _, t in own)


def profile(window, code):
    """[(function, module, instructions, entries)], most instructions first.

    Entries are how often the function's first block was come to, its calls unless it loops to its start.
    """
    insns, entries = {}, {}
    for address, n, times in window.blocks:
        function = code.function(address)
        insns[function] = insns.get(function, 0) + n
        if code.function(address - 1) != function:
            entries[function] = entries.get(function, 0) + times
    return sorted(((f, m, n, entries.get((f, m), 0)) for (f, m), n in insns.items()), key=lambda p: -p[2])
