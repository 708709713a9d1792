# SPDX-License-Identifier: GPL-2.0-only
"""What the runner must know of ELF files: libraries a program needs, a module's facts.

Layouts: System V ABI (gabi), chapters 4 and 5; note types: xen/include/public/elfnote.h.
"""

import os
import struct

LIBRARY_PATH = ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64",
                "/lib", "/usr/lib", "/usr/local/lib")
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_NOTE = 1, 2, 3, 4
DT_NEEDED, DT_STRTAB, DT_RPATH, DT_RUNPATH = 1, 5, 15, 29
STB_WEAK = 2
SHT_SYMTAB = 2
SHF_EXECINSTR = 4
STT_FUNC = 2
SHT_DYNSYM, SHT_GNU_VERNEED, SHT_GNU_VERSYM = 11, 0x6FFFFFFE, 0x6FFFFFFF
XEN_ELFNOTE_PHYS32_ENTRY = 18


def is_elf64(data):
    """True for a little-endian 64-bit ELF file."""
    return data[:6] == b"\x7fELF\x02\x01"


def program_headers(data):
    """Yield (type, offset, vaddr, filesz) of every program header."""
    phoff, = struct.unpack_from("<Q", data, 32)
    phentsize, phnum = struct.unpack_from("<HH", data, 54)
    for i in range(phnum):
        kind, _, offset, vaddr, _, filesz = struct.unpack_from("<IIQQQQ", data, phoff + i * phentsize)
        yield kind, offset, vaddr, filesz


def cstring(data, offset):
    """The NUL-terminated text at an offset."""
    return data[offset:data.index(b"\0", offset)].decode()


class Dynamic:
    """The dynamic section of a program or library: interpreter, needed libraries, run path."""

    def __init__(self, data):
        self.interpreter = None
        self.needed = []
        self.runpath = []
        dynamic = None
        loads = []
        for kind, offset, vaddr, size in program_headers(data):
            if kind == PT_LOAD:
                loads.append((vaddr, offset, size))
            elif kind == PT_INTERP:
                self.interpreter = cstring(data, offset)
            elif kind == PT_DYNAMIC:
                dynamic = (offset, size)
        if dynamic:
            self._read(data, loads, *dynamic)

    def _read(self, data, loads, offset, size):
        tags = list(struct.iter_unpack("<QQ", data[offset:offset + size - size % 16]))
        table = next((v for t, v in tags if t == DT_STRTAB), None)
        if table is None:
            return
        strings = next(o + table - v for v, o, s in loads if v <= table < v + s)
        for tag, value in tags:
            if tag == DT_NEEDED:
                self.needed.append(cstring(data, strings + value))
            elif tag in (DT_RPATH, DT_RUNPATH):
                self.runpath += cstring(data, strings + value).split(":")
            elif tag == 0:
                break


def library_closure(program, data, without=(), root=""):
    """{path in the guest: path on the host} of a program's interpreter and libraries.

    Params: without, names of libraries to leave out; root, where the guest's files are on the host.  Libraries that are not found are left
    out, too: the guest's loader will name them.
    """
    found, queue = {}, [(program, data)]
    while queue:
        origin, data = queue.pop()
        if not is_elf64(data):
            continue
        dynamic = Dynamic(data)
        if dynamic.interpreter:
            found[dynamic.interpreter] = root + dynamic.interpreter
        places = [p.replace("$ORIGIN", os.path.dirname(os.path.realpath(origin))[len(root):])
                  for p in dynamic.runpath]
        for name in dynamic.needed:
            if name in without:
                continue
            path = next((p for d in (*places, *LIBRARY_PATH)
                         if os.path.exists(root + (p := os.path.join(d, name)))), None)
            if path and path not in found:
                found[path] = root + path
                with open(root + path, "rb") as f:
                    queue.append((root + path, f.read()))
    return found


def has_pvh_entry(vmlinux):
    """True where a vmlinux carries the note with the entry QEMU starts it by."""
    if not is_elf64(vmlinux):
        return False
    for kind, offset, _, size in program_headers(vmlinux):
        end = offset + size
        while kind == PT_NOTE and offset + 12 <= end:
            namesz, descsz, note = struct.unpack_from("<III", vmlinux, offset)
            if note == XEN_ELFNOTE_PHYS32_ENTRY and vmlinux[offset + 12:offset + 16] == b"Xen\0":
                return True
            offset += 12 + (namesz + 3 & ~3) + (descsz + 3 & ~3)
    return False


def sections(data):
    """Yield (name, type, offset, size, link) of every section."""
    shoff, = struct.unpack_from("<Q", data, 40)
    shentsize, shnum, shstrndx = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQI", data, shoff + i * shentsize) for i in range(shnum)]
    for name, kind, _, _, offset, size, link in headers:
        yield cstring(data, headers[shstrndx][4] + name), kind, offset, size, link


def code_of_module(module):
    """What a kernel module's code is made of: {section that stays loaded: size} and
    [(section, offset, size, name)] of its functions."""
    found = list(sections(module))
    code, functions = {}, []
    for index, (name, _, _, size, _) in enumerate(found):
        flags, = struct.unpack_from("<Q", module, _section_header(module, index) + 8)
        if flags & SHF_EXECINSTR and size and not name.startswith(".init"):
            code[name] = size
    for name, kind, offset, size, link in found:
        if kind != SHT_SYMTAB:
            continue
        for at in range(offset, offset + size, 24):
            text, info, _, shndx, value, length = struct.unpack_from("<IBBHQQ", module, at)
            if info & 15 == STT_FUNC and shndx < len(found) and found[shndx][0] in code:
                functions.append((found[shndx][0], value, length, cstring(module, found[link][2] + text)))
    return code, functions


def _section_header(data, index):
    shoff, = struct.unpack_from("<Q", data, 40)
    shentsize, = struct.unpack_from("<H", data, 58)
    return shoff + index * shentsize


def modinfo(module, key):
    """Values of one key in a kernel module's .modinfo section, in file order."""
    for name, _, offset, size, _ in sections(module):
        if name == ".modinfo":
            entries = module[offset:offset + size].split(b"\0")
            prefix = key.encode() + b"="
            return [e[len(prefix):].decode() for e in entries if e.startswith(prefix)]
    return []


def needed_versions(data, offset, strings):
    """{index: (library, version)} of a .gnu.version_r section."""
    versions, more = {}, True
    while more:
        _, count, library, aux, more = struct.unpack_from("<HHIII", data, offset)
        at = offset + aux
        for _ in range(count):
            _, _, index, name, step = struct.unpack_from("<IHHII", data, at)
            versions[index] = (cstring(data, strings + library), cstring(data, strings + name))
            at += step
        offset += more
    return versions


def imports(data):
    """Symbols a program takes from libraries: (symbol, library, version), the latter two None
    where the program does not bind the symbol to a version.  Those it can do without (weak ones)
    are left out."""
    found = {kind: (offset, size, link) for _, kind, offset, size, link in sections(data)}
    table, size, link = found[SHT_DYNSYM]
    strings = list(sections(data))[link][2]
    versions = needed_versions(data, found[SHT_GNU_VERNEED][0], strings)
    symbols = []
    for i in range(1, size // 24):
        name, info, _, shndx, _, _ = struct.unpack_from("<IBBHQQ", data, table + 24 * i)
        index, = struct.unpack_from("<H", data, found[SHT_GNU_VERSYM][0] + 2 * i)
        if shndx == 0 and info >> 4 != STB_WEAK:
            symbols.append((cstring(data, strings + name), *versions.get(index, (None, None))))
    return symbols
