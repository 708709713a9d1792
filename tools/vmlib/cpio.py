# SPDX-License-Identifier: GPL-2.0-only
"""Writes cpio archives of the "newc" kind, the only one Linux unpacks as an initramfs.

Archives are deterministic (no times, no owners, inode numbers counted from 1), so that
the same content gives the same bytes.  Linux accepts several archives one after the
other, each padded to four bytes: that is how per-run files follow the cached base.
"""

import os
import stat

TRAILER = "TRAILER!!!"


class Archive:
    """One cpio archive being written to a binary file object."""

    def __init__(self, out):
        self._out = out
        self._seen = {}

    def _entry(self, name, mode, data=b"", rdev=(0, 0), nlink=1):
        raw = name.encode() + b"\0"
        fields = (len(self._seen) + 1, mode, 0, 0, nlink, 0, len(data),
                  0, 0, rdev[0], rdev[1], len(raw), 0)
        header = b"070701" + b"".join(b"%08X" % f for f in fields) + raw
        self._out.write(header + bytes(-len(header) % 4))
        self._out.write(data)
        self._out.write(bytes(-len(data) % 4))
        self._seen[name] = mode

    def _parents(self, name):
        parent = os.path.dirname(name)
        if parent and parent not in self._seen:
            self.directory(parent)

    def __contains__(self, path):
        return path.lstrip("/") in self._seen

    def directory(self, path, mode=0o755):
        """Add a directory and, first, whatever parents it lacks."""
        name = path.strip("/")
        if name and name not in self._seen:
            self._parents(name)
            self._entry(name, stat.S_IFDIR | mode, nlink=2)

    def file(self, path, data, mode=0o644):
        """Add a regular file with the given bytes; a path added before is kept."""
        name = path.lstrip("/")
        if name not in self._seen:
            self._parents(name)
            self._entry(name, stat.S_IFREG | mode, data)

    def symlink(self, path, target):
        """Add a symbolic link; a path added before is kept."""
        name = path.lstrip("/")
        if name not in self._seen:
            self._parents(name)
            self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def node(self, path, kind, major, minor, mode=0o600):
        """Add a device node; kind is stat.S_IFCHR or stat.S_IFBLK."""
        name = path.lstrip("/")
        self._parents(name)
        self._entry(name, kind | mode, rdev=(major, minor))

    def copy(self, path, source):
        """Add a file with the bytes and the permission bits of a file of the host."""
        with open(source, "rb") as f:
            data = f.read()
            self.file(path, data, os.fstat(f.fileno()).st_mode & 0o7777)

    def close(self):
        """Write the end mark.  The file object stays open."""
        self._entry(TRAILER, 0)
