# SPDX-License-Identifier: GPL-2.0-only
"""Makes empty stand-ins for shared libraries that a program names and the guest never uses.

Debian's fio is linked with Ceph, Gluster, RDMA and other storage clients: 80 MB of libraries
that a guest's boot would unpack and each start of fio would relocate, for I/O engines that
need a network.  A stand-in has the library's name and the symbols the program wants from
it, which is all the loader asks for; calling one of them is a segmentation fault.

Layouts: System V ABI (gabi), chapters 4 and 5; symbol versions: LSB Core, chapter 10.7.
"""

import struct

from . import elf

ELF_HEADER, PROGRAM_HEADER, SYMBOL, DYNAMIC = 64, 56, 24, 16
PT_GNU_STACK = 0x6474E551
PF_R, PF_W = 4, 2
ET_DYN, EM_X86_64 = 3, 62
GLOBAL_FUNCTION = 0x12
VER_NDX_GLOBAL, VER_FLG_BASE = 1, 1
DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_SONAME = 4, 5, 6, 10, 11, 14
DT_VERSYM, DT_VERDEF, DT_VERDEFNUM = 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFD


def elf_hash(name):
    """The ABI's hash of a symbol's or a version's name."""
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
    return value


class Strings:
    """A string table being filled."""

    def __init__(self):
        self.data = b"\0"

    def add(self, text):
        """Offset of a text in the table."""
        offset = len(self.data)
        self.data += text.encode() + b"\0"
        return offset


def hash_table(names):
    """DT_HASH over the symbols 1 .. len(names)."""
    count = len(names) + 1
    buckets, chains = [0] * count, [0] * count
    for index, name in enumerate(names, 1):
        slot = elf_hash(name) % count
        chains[index], buckets[slot] = buckets[slot], index
    return struct.pack(f"<II{2 * count}I", count, count, *buckets, *chains)


def version_definitions(soname, versions, strings):
    """DT_VERDEF: the base definition and one for each version."""
    out = b""
    names = [soname, *versions]
    for index, name in enumerate(names, 1):
        last = index == len(names)
        out += struct.pack("<HHHHIII", 1, VER_FLG_BASE if index == 1 else 0, index, 1,
                           elf_hash(name), 20, 0 if last else 28)
        out += struct.pack("<II", strings.add(name), 0)
    return out


def align(data):
    """Data padded to eight bytes."""
    return data + bytes(-len(data) % 8)


def stub_library(soname, symbols):
    """Bytes of a shared library with these symbols.  Params: symbols, [(name, version or None)]."""
    strings = Strings()
    soname_at = strings.add(soname)
    versions = sorted({v for _, v in symbols if v})
    index = {v: i for i, v in enumerate(versions, 2)}
    start = ELF_HEADER + 3 * PROGRAM_HEADER
    table = bytes(SYMBOL) + b"".join(
        struct.pack("<IBBHQQ", strings.add(n), GLOBAL_FUNCTION, 0, 1, start, 0) for n, _ in symbols)
    versym = struct.pack(f"<{len(symbols) + 1}H", 0, *(index.get(v, VER_NDX_GLOBAL) for _, v in symbols))
    parts = {DT_SYMTAB: table, DT_HASH: hash_table([n for n, _ in symbols]), DT_VERSYM: versym,
             DT_VERDEF: version_definitions(soname, versions, strings), DT_STRTAB: strings.data}
    tags, body = [], b""
    for tag, data in parts.items():
        tags.append((tag, start + len(body)))
        body += align(data)
    tags += [(DT_SONAME, soname_at), (DT_STRSZ, len(strings.data)), (DT_SYMENT, SYMBOL),
             (DT_VERDEFNUM, len(versions) + 1), (0, 0)]
    dynamic = b"".join(struct.pack("<QQ", *t) for t in tags)
    return headers(start + len(body), len(dynamic)) + body + dynamic


def headers(dynamic_at, dynamic_size):
    """ELF header and program headers: all in one readable and writable segment."""
    total = dynamic_at + dynamic_size
    out = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    out += struct.pack("<HHIQQQIHHHHHH", ET_DYN, EM_X86_64, 1, 0, ELF_HEADER, 0, 0,
                       ELF_HEADER, PROGRAM_HEADER, 3, 0, 0, 0)
    for kind, offset, size, alignment in ((elf.PT_LOAD, 0, total, 4096),
                                          (elf.PT_DYNAMIC, dynamic_at, dynamic_size, 8),
                                          (PT_GNU_STACK, 0, 0, 16)):
        out += struct.pack("<IIQQQQQQ", kind, PF_R | PF_W, offset, offset, offset, size, size, alignment)
    return out


def stubs_for(program, keep):
    """{library name: bytes} of stand-ins for every library of a program but those to keep.

    Symbols bound to no version go into each stand-in: the program does not say whose they are.
    """
    wanted = elf.imports(program)
    names = [n for n in elf.Dynamic(program).needed if n not in keep]
    return {name: stub_library(name, [(s, v) for s, library, v in wanted if library in (name, None)])
            for name in names}
