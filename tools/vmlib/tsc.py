# SPDX-License-Identifier: GPL-2.0-only
"""How fast the host's time stamp counter runs, which is the guest's under TCG.

A guest measures it against its interval timer, and on a busy host gets it wrong by a factor of up to 20 when its
processor is kept waiting meanwhile: its clock, and with it every timeout, is wrong by as much.
"""

import ctypes
import mmap
import platform
import time

# rdtsc; shl rdx, 32; or rax, rdx; ret
READ_TSC = bytes.fromhex("0f31 48c1e220 4809d0 c3")
APART = 0.02


def khz():
    """Its frequency in kHz, None on a host without one or that runs no code out of memory mapped for it."""
    if platform.machine() != "x86_64":
        return None
    try:
        page = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
                         prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return None
    page.write(READ_TSC)
    read = ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    ticks, nanoseconds = _both(read)
    time.sleep(APART)
    later_ticks, later_nanoseconds = _both(read)
    return round((later_ticks - ticks) * 1e6 / (later_nanoseconds - nanoseconds))


def _both(read):
    """The counter and the clock at the same time: the closest of some tries."""
    tries = []
    for _ in range(20):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        ticks = read()
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        tries.append((after - before, ticks, before))
    return min(tries)[1:]
