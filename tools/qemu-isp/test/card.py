# SPDX-License-Identifier: GPL-2.0-or-later
"""A card on a Machine, as a driver of few words would use it: mailboxes, rings, events."""
import struct

import qtest

IMAGE, ICB, REQUEST, RESPONSE, BUFFER = 0x100000, 0x110000, 0x120000, 0x130000, 0x200000
ENTRY = 64
# Mailboxes at 10h, queue indices in mailboxes 4 and 5, no host status word.
OLD_CHIPS = ("isp2100", "isp2200")


class Card:
    def __init__(self, model, chip, devices, attributes=0x137, hba_props="", **machine):
        self.machine = qtest.Machine(model, chip, devices, hba_props, **machine)
        self.chip = chip
        self.new = chip not in OLD_CHIPS
        self.attributes = attributes
        self.wide_ids = self.new and bool(attributes & 0x100)
        self.origin = 0x800 if self.new else 0x1000
        self.handle = 0x100
        self.req_in = self.rsp_out = 0
        self.machine.reg(0xc0, 0x1000)
        self.machine.reg(0xc0, 0x3000)
        self.machine.step(1_000_000_000)
        self.machine.reg(0x08, 0x8008)

    def mailbox_offset(self, n):
        if self.new:
            return 0x40 + 2 * n
        return 0x10 + 2 * n if n < 8 else 0xe0 + 2 * (n - 8)

    def event(self):
        """What the RISC shows: (kind, mailboxes), taken off its hands; None: nothing."""
        reg = self.machine.reg
        if not reg(0x0a) & 0x8:
            return None
        if self.new:
            kind, high = reg(0x18) & 0xff, reg(0x1a)
        else:
            kind, high = (0 if reg(0x0c) & 1 else 0x13), 0
        mailboxes = {}
        if kind != 0x13:
            mailboxes = {n: reg(self.mailbox_offset(n)) for n in (0, 1, 2, 3, 6, 7)}
            if kind in (0x15, 0x16):
                mailboxes[1] = high
            if not self.new:
                code = mailboxes[0]
                kind = 0x10 if code == 0x4000 else 0x11 if code < 0x8000 else 0x12
        reg(0xc0, 0x7000)
        if kind != 0x13:        # that semaphore would belong to the next event already
            reg(0x0c, 0)
        return kind, mailboxes

    def events(self):
        found = []
        while (event := self.event()):
            found.append(event)
        return found

    def mbox(self, command, step=1_000_000, **params):
        """Mailbox command; returns the mailboxes of the answer. Parameters: m1=, m2=, ..."""
        reg = self.machine.reg
        for n in range(1, 24):
            if f"m{n}" in params:
                reg(self.mailbox_offset(n), params[f"m{n}"])
            elif (n not in (4, 5) or self.new) and (n < 8 or self.chip != "isp2100"):
                reg(self.mailbox_offset(n), 0)
        reg(self.mailbox_offset(0), command)
        reg(0xc0, 0x5000)
        self.machine.step(step)
        for kind, mailboxes in self.events():
            if kind in (0x01, 0x02, 0x10, 0x11):
                return mailboxes
        return None

    def port(self, loop_id):
        return {"m1": loop_id} if self.wide_ids else {"m1": loop_id << 8}

    @staticmethod
    def at(addr):
        return {"m2": addr >> 16, "m3": addr & 0xffff}

    def load(self):
        self.machine.write(IMAGE, qtest.image(self.attributes))
        assert self.mbox(0x09, m1=self.origin, m4=64, **self.at(IMAGE))[0] == 0x4000
        assert self.mbox(0x07, m1=self.origin)[0] == 0x4000
        assert self.mbox(0x02, m1=self.origin)[0] == 0x4000

    def control_block(self, options=0x2106, add=0, accumulate=0, delay=0, special=0x4000,
                      req_len=64, rsp_len=64, throttle=256, hard=0):
        icb = bytearray(96)
        extended = 0 if self.chip == "isp2100" else 0x8000
        struct.pack_into("<BxHHHHBB", icb, 0, 1, options | extended, 2048, 256, throttle, 8, 1)
        icb[12:20] = bytes.fromhex("210000e08b000001")
        struct.pack_into("<HBB", icb, 20, hard, 0, 4)
        struct.pack_into("<HHHHQQ", icb, 32, 0, 0, req_len, rsp_len, REQUEST, RESPONSE)
        struct.pack_into("<HBBH", icb, 64, add, accumulate, delay, special)
        self.req_len, self.rsp_len = req_len, rsp_len
        return icb

    def initialize(self, **options):
        """Up to "ready"; returns the events on the way, each with its instant in ms after the start."""
        icb = self.control_block(**options)
        self.machine.write(ICB, bytes(icb))
        assert self.mbox(0x60, **self.at(ICB))[0] == 0x4000
        seen = []
        for ms in range(1, 400):
            self.machine.step(1_000_000)
            seen += [(ms, mailboxes[0], mailboxes[1]) for _, mailboxes in self.events()]
        return seen

    def ring_in(self, index):
        self.machine.reg(0x10 if self.new else 0x18, index)

    def put(self, *entries):
        """Entries into the request ring; rings once."""
        for entry in entries:
            self.machine.write(REQUEST + self.req_in * ENTRY, bytes(entry).ljust(ENTRY, b"\0"))
            self.req_in = (self.req_in + 1) % self.req_len
        self.ring_in(self.req_in)

    def rsp_in(self):
        return self.machine.reg(0x14 if self.new else 0x1a)

    def take(self, release=True):
        """Entries of the response ring that were not read yet."""
        entries = []
        at = self.rsp_out
        while at != self.rsp_in():
            entries.append(self.machine.read(RESPONSE + at * ENTRY, ENTRY))
            at = (at + 1) % self.rsp_len
        if release and entries:
            self.rsp_out = at
            self.machine.reg(0x16 if self.new else 0x1a, at)
        return entries

    def command(self, cdb, target=0, lun=0, length=0, write=False, kind=0x19, segments=None,
                timeout=0, flags=0x08, handle=None, count=None):
        """Request entries of one command, data at BUFFER unless segments say otherwise."""
        if handle is None:
            self.handle += 1
            handle = self.handle
        if segments is None:
            segments = [(BUFFER, length)] if length else []
        if segments:
            flags |= 0x40 if write else 0x20
        width, first, more = ("<II", 3, 7) if kind == 0x11 else ("<QI", 2, 5)
        rest = [segments[i:i + more] for i in range(first, len(segments), more)]
        if kind == 0x15:
            rest = []
        head = bytearray(ENTRY)
        struct.pack_into("<BBBBI", head, 0, kind, count or 1 + len(rest), 0, 0, handle)
        if self.wide_ids:
            struct.pack_into("<H", head, 8, target)
        else:
            head[9] = target
        struct.pack_into("<HHHHH", head, 10, lun, flags, 0, timeout, len(segments))
        head[20:20 + len(cdb)] = cdb
        struct.pack_into("<I", head, 36, sum(n for _, n in segments) if length == 0 else length)
        if kind == 0x15:
            struct.pack_into("<HIQ", head, 40, 1, 0, BUFFER + 0x100000)
            self.machine.write(BUFFER + 0x100000,
                               b"".join(struct.pack("<QI", *s) for s in segments))
        else:
            for i, segment in enumerate(segments[:first]):
                struct.pack_into(width, head, 40 + i * struct.calcsize(width), *segment)
        entries = [head]
        for group in rest:
            entry = bytearray(ENTRY)
            entry[0] = 0x02 if kind == 0x11 else 0x0a
            for i, segment in enumerate(group):
                struct.pack_into(width, entry, (8 if kind == 0x11 else 4) +
                                 i * struct.calcsize(width), *segment)
            entries.append(entry)
        return entries

    def run(self, cdb, step=10_000_000, **options):
        """One command from start to status; returns the Status."""
        self.put(*self.command(cdb, **options))
        self.machine.step(step)
        self.events()
        answers = self.take()
        assert answers, "no answer"
        return Status(answers)


class Status:
    """A status entry with its continuations."""

    def __init__(self, entries):
        e = entries[0]
        self.kind, self.count, self.entry_status = e[0], e[1], e[3]
        (self.handle, self.scsi, self.completion, self.state, self.flags, _, self.sense_len,
         self.residual) = struct.unpack_from("<IHHHHHHI", e, 4)
        sense = e[32:64] + b"".join(c[4:64] for c in entries[1:] if c[0] == 0x10)
        self.sense = sense[:self.sense_len]

    def key(self):
        return self.sense[2], self.sense[12], self.sense[13]


def read10(lba, blocks):
    return struct.pack(">BBIBHB", 0x28, 0, lba, 0, blocks, 0)


def write10(lba, blocks):
    return struct.pack(">BBIBHB", 0x2a, 0, lba, 0, blocks, 0)
