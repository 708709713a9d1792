# SPDX-License-Identifier: GPL-2.0-only
"""Parts of isp-vm, the throw-away VM runner; one subject a module."""


class VmError(Exception):
    """The runner's own failure: one line that names the thing and the remedy."""
