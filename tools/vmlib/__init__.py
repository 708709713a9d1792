# SPDX-License-Identifier: GPL-2.0-only
"""Parts of isp-vm, the throw-away VM runner; one subject a module."""

import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# A package puts the project where nobody builds.
INSTALLED = TOP.startswith("/usr/")
# Where everything generated lies.
BUILD = os.environ.get("BUILD") or (
    os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "qla-isp") if INSTALLED
    else os.path.join(TOP, "build"))
MAKE = f"make -C {TOP}" if INSTALLED else "make"


class VmError(Exception):
    """The runner's own failure: one line that names the thing and the remedy."""
