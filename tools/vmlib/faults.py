# SPDX-License-Identifier: GPL-2.0-only
"""--fault: which faults the model knows, and from the option to QEMU's arguments.

[hbaN:]ITEM[,ITEM]...[@+SECONDS]; an item is NAME[=NUMBER][@ARGUMENT] as in the model's properties fault,
link and card-fault.  The guest's first process writes to PORT as the command begins.
"""

import re
import textwrap

from . import VmError

PORT = 0x560
SPEC = re.compile(r"(?:(hba\d+):)?(.*?)(?:@\+(\d+(?:\.\d+)?))?", re.DOTALL)

# (the model's property, item, what happens); a host test compares this with the model's own list.
KNOWN = (
    ("fault", "swallow[=N][@LOOPID]", "a command is taken and never answered"),
    ("fault", "status[=N]@STATUS",
     "a command is answered with that SCSI status and not run (0x08 BUSY, 0x28 TASK SET FULL)"),
    ("fault", "completion[=N]@CODE", "a status entry has that completion status"),
    ("fault", "underrun[=N]@BYTES", "a status entry claims that residual, data underrun"),
    ("fault", "overrun[=N]@BYTES", "a status entry claims that residual, data overrun"),
    ("fault", "entry-status[=N]@BITS", "a status entry has error bits in its header"),
    ("fault", "bad-handle[=N][@HANDLE]", "a status entry has a handle that nobody used"),
    ("fault", "garbage[=N]", "an entry of the response ring is noise, the same in every run"),
    ("fault", "unknown-entry[=N]@TYPE", "an entry of the response ring has that type"),
    ("fault", "mbox-silent[=N][@CMD]", "a mailbox command (of that number) is never answered"),
    ("fault", "mbox-garbage[=N][@CMD]", "a mailbox command is answered with noise in all mailboxes"),
    ("fault", "mbox-error[=N][@CMD]",
     "a mailbox command fails: 4005h, 4; with another code: CODE x 10000h + CMD, 0x400b0069 for one"),
    ("fault", "login-refuse[=N][@PORTID]", "a port refuses a login: 4005h, 4"),
    ("fault", "ns-silent[=N][@CODE]",
     "a request to a server of the switch (with that CT code) is not answered"),
    ("fault", "ns-reject[=N][@CODE]", "such a request is rejected with reason 09h"),
    ("fault", "ns-garbage[=N][@CODE]", "such a request is answered with noise behind a good header"),
    ("fault", "ns-truncate[=N]@BYTES",
     "such a request is answered with no more than so many bytes, header included"),
    ("fault", "ns-ghosts[=N]@PORTS",
     "such a request finds up to 65536 FCP targets that are not there, from 200000h on"),
    ("fault", "sense[=N]@KAAQQ",
     "a command is answered with CHECK CONDITION and that sense (0x62900: 6h, 29h/00h) and not run"),
    ("fault", "duplicate[=N]", "a completion is given twice"),
    ("fault", "drop-status[=N]", "a command is carried out, its completion is never given"),
    ("fault", "late[=N]@MS", "a completion is given so many ms late, the command cannot be aborted meanwhile"),
    ("fault", "quiet[=N]", "new entries of the response ring are not announced"),
    ("fault", "lost-interrupt[=N]",
     "the interrupt pin does not move for an event, the status registers show it"),
    ("fault", "spurious[=N]", "the response ring is announced though there is nothing new, every ms"),
    ("fault", "dma-read-error[=N]", "data of a write cannot be fetched: completion 02h"),
    ("fault", "dma-write-error[=N]", "data of a read cannot be stored: completion 02h"),
    ("fault", "mbox-late[=N]@MS", "a mailbox command is answered so many ms late"),
    ("fault", "system-error[=N]",
     "event 8002h, then the firmware is dead until it is reset; N: again each time the link is up"),
    ("fault", "request-error[=N]",
     "event 8003h, then the request ring is left alone until INITIALIZE FIRMWARE; N: as above"),
    ("fault", "response-error[=N]", "event 8004h, and the same"),
    ("fault", "hang[=N]", "the firmware falls silent without a word until it is reset; N: as above"),
    ("fault", "pause[=N]", "the RISC pauses by itself and interrupts; N: as above"),
    ("fault", "parity[=N]", "the same with a parity error in HCCR"),
    ("link", "down[=MS]", "the cable is pulled, and plugged in again after so many ms"),
    ("link", "up", "the cable is plugged in"),
    ("link", "bounce=N[@MS]", "the cable is pulled and plugged in N times, each for so many ms (100)"),
    ("link", "lip", "another port of the loop initializes it"),
    ("link", "lip-reset", "another port of the loop initializes it and resets the targets"),
    ("link", "gone=T", "target T leaves: LIP on a loop, RSCN behind a switch"),
    ("link", "vanish=T", "target T behind a switch leaves, and there is no RSCN"),
    ("link", "back=T[@PLACE]", "target T returns, or moves to that loop id or port id"),
    ("link", "swap=A@B", "targets A and B exchange their places"),
    ("link", "wwpn=T@WWPN", "target T leaves, another port with that name and the same LUNs takes its place"),
    ("link", "logout=T", "target T logs out: its commands end with 29h, event 8014h"),
    ("link", "busy=T[@MS]", "target T answers BUSY for so many ms (until well)"),
    ("link", "queue-full=T[@MS]", "target T answers TASK SET FULL for so many ms (until well)"),
    ("link", "mute=T[@MS]", "target T swallows commands and task management for so many ms (until well)"),
    ("link", "refuse=T[@MS]", "target T refuses logins for so many ms (until well)"),
    ("link", "well=T", "ends busy, queue-full, mute and refuse of target T"),
    ("link", "attention=T[@CODE]",
     "all LUNs of target T have a unit attention (0x2900: power on; 0x3f0e: LUNs changed)"),
    ("link", "rscn=PORTID[@FORMAT]", "the switch tells of a change: 0 port, 1 area, 2 domain, 3 fabric"),
    ("link", "rscn-storm=N[@PORTID]",
     "the switch tells N times of changes, one every ms, of all ports in turn"),
    ("card-fault", "none", "a sound card"),
    ("card-fault", "dead", "every register reads as ones, writes are lost; configuration space answers"),
    ("card-fault", "reset-stuck", "the soft reset bit never clears"),
    ("card-fault", "no-interrupt", "the interrupt pin never moves; the status registers tell the truth"),
    ("card-fault", "selftest", "the mailbox register test answers other values than it was given"),
    ("card-fault", "checksum", "VERIFY CHECKSUM fails whatever the RAM holds"),
)


def help_text(indent=4, width=100):
    """All items with what they do, for --help."""
    lines = []
    for _, item, text in KNOWN:
        lead = " " * indent + f"{item:<26} "
        lines += textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=" " * len(lead))
    return "\n".join(lines)


def _check_item(item, spec):
    name = re.split("[=@]", item)[0]
    if not any(name == re.split(r"[\[=@]", known)[0] for _, known, _ in KNOWN):
        raise VmError(f"--fault {spec}: the model knows no fault {name!r}: see --help")


def arguments(specs, hbas):
    """QEMU's arguments for these faults.  Raises VmError for what cannot be one."""
    result = ["-device", f"isp-trigger,id=start,iobase={PORT:#x}"] if specs else []
    models = [h.id for h in hbas if h.is_model]
    for spec in specs:
        hba, text, seconds = SPEC.fullmatch(spec).groups()
        items = [i for i in re.split("[,;]", text) if i]
        if not items:
            raise VmError(f"--fault {spec}: it names no fault")
        for item in items:
            _check_item(item, spec)
        if not models or hba not in (None, *models):
            raise VmError(f"--fault {spec}: there is no adapter {hba or ''} of the model")
        after = round(float(seconds or 0) * 1e6)
        for name in [hba] if hba else models:
            result += ["-device", f"isp-event,hba={name},trigger=start,after-us={after},do={';'.join(items)}"]
    return result
