# SPDX-License-Identifier: GPL-2.0-only
"""Where an operation's time goes, from the model's trace and isp-io's own times.

The guest's time stamp counter and the model's clock are the same under instruction counting: both are
nanoseconds of virtual time since the machine was switched on.
"""

import bisect

DOORBELLS = ("req_q_in", "mailbox4")    # 23xx; 2100 and 2200: the request ring's in-pointer
PARTS = ("submit_ns", "device_ns", "complete_ns")


class Trace:
    """Instants of a card's trace: doorbells, commands taken from the ring, completions that the card
    posted, interrupts."""

    def __init__(self, path):
        self.doorbells, self.taken, self.posted, self.interrupts = [], [], [], []
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                self._take(line)

    def _take(self, line):
        time, _, event = line.lstrip().partition(" ")
        if event.startswith("mem write") and event.split()[2] in DOORBELLS:
            self.doorbells.append(int(time))
        elif event.startswith("iocb< COMMAND"):
            self.taken.append(int(time))
        elif event.startswith(("iocb> STATUS", "event 8020h")):
            self.posted.append(int(time))
        elif event.startswith("interrupt on"):
            self.interrupts.append(int(time))


def _between(times, start, end):
    return times[bisect.bisect_left(times, start):bisect.bisect_right(times, end)]


def split(trace, times):
    """Mean ns of submit, device, complete over operations that ran one at a time.

    Params: times, [(start, end)] of each, in the trace's time.  Submit is up to the first doorbell of the
    operation, complete from the last interrupt on (without one, from the last completion that the card
    posted).  Operations in which the card was not asked do not count.  None without any.
    """
    sums, count = [0, 0, 0], 0
    for start, end in times:
        bells = _between(trace.doorbells, start, end)
        done = _between(trace.interrupts, start, end) or _between(trace.posted, start, end)
        if bells and done and done[-1] > bells[0]:
            sums = [s + part for s, part in zip(sums, (bells[0] - start, done[-1] - bells[0], end - done[-1]))]
            count += 1
    return dict(zip(PARTS, (s / count for s in sums))) if count else None


def split_queue(trace, times):
    """The same for operations of which several are under way at a time: one command each, so that the
    sums of the instants tell the means.  The device ends when it posts the completion, since one interrupt
    may tell of many.  None where commands and operations are not as many."""
    first, last = min(s for s, _ in times), max(e for _, e in times)
    taken, posted = _between(trace.taken, first, last), _between(trace.posted, first, last)
    if len(taken) != len(times) or len(posted) != len(times):
        return None
    bells = [trace.doorbells[bisect.bisect_right(trace.doorbells, t) - 1] for t in taken]
    instants = (sum(s for s, _ in times), sum(bells), sum(posted), sum(e for _, e in times))
    return {name: (instants[i + 1] - instants[i]) / len(times) for i, name in enumerate(PARTS)}
