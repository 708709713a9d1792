# SPDX-License-Identifier: GPL-2.0-only
"""The host side of isp-bench."""


class BenchError(Exception):
    """What keeps isp-bench from doing its work, as one line for the user."""
