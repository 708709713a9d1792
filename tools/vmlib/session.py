# SPDX-License-Identifier: GPL-2.0-only
"""One run of the VM: composes QEMU's command line, follows the guest, gives its status."""

import os
import sys
import termios
import time
import tty

from . import VmError, tsc
from .qemu import Channel, Console, GuestMonitor, Lines, Machine, Monitor, memory_file

TIMED_OUT = 124
FAILED = 125
LEAVE_SHELL = b"\x1d"
# When the command has ended but its output stays open: so many seconds without a byte of it, and so many in all.
OUTPUT_GRACE = 20
OUTPUT_LIMIT = 60
PC = "vmport=off,usb=off,hpet=off,smm=off,i8042=off"
# The crc32 instruction of every server since 2008, on both: without it, a journal commit is mostly checksums.
CPU = {"x86_64": "qemu64,-svm,+rdrand,+ssse3,+sse4.1,+sse4.2", "aarch64": "neoverse-n1"}
CONSOLE = {"x86_64": "ttyS0", "aarch64": "ttyAMA0"}
# What a throw-away guest need not do: each of these was measured to save time.  norandmaps most of all: QEMU translates a
# program once for each address that it is put at, so at ever new ones a cat takes four times as long.
KERNEL_ARGS = ("panic=-1 oops=panic audit=0 apparmor=0 cryptomgr.notests no_timer_check "
               "tsc=reliable mitigations=off random.trust_cpu=on 8250.nr_uarts=1 ipv6.disable=1 "
               "net.ifnames=0 norandmaps")


class Session:
    """The state of one run."""

    def __init__(self, options, model, processor="x86_64"):
        for name in ("iommu", "fault"):
            if processor != "x86_64" and getattr(options, name):
                raise VmError(f"--{name}: not on {processor}")
        self._options = options
        self._processor = processor
        self._model = model
        self._memory = []
        self._status = None
        self._failure = None
        self._finished = False
        self._received = 0  # bytes of output
        self._owed = None   # how many there were, once the guest has said so
        self._start = self._last_output = time.monotonic()
        self._monitor = Monitor()
        self._bare = bool(options.initrd)
        self._console = Console(options.console, self._echo if self._bare else None)
        self._control = Channel("ctl", Lines(self._control_line))
        self._guest_monitor = GuestMonitor(self._monitor)
        self._outputs = self._output_channels()
        self._machine = None
        self._terminal = None

    def _output_channels(self):
        if self._options.shell and not self._bare:
            return [Channel("shell", lambda data: self._write(sys.stdout, data))]
        return [Channel("out", lambda data: self._write(sys.stdout, data)),
                Channel("err", lambda data: self._write(sys.stderr, data))]

    def _write(self, stream, data):
        self._last_output = time.monotonic()
        self._received += len(data)
        try:
            stream.buffer.write(data)
            stream.buffer.flush()
        except BrokenPipeError:
            self._status = 141
            self._finished = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

    def _echo(self, data):
        self._write(sys.stdout, data if self._terminal else data.replace(b"\r\n", b"\n"))

    def _say(self, text):
        print("isp-vm: " + text, file=sys.stderr, flush=True)

    def _note(self, text):
        if self._options.verbose:
            self._say(f"{time.monotonic() - self._start:6.2f} s: {text}")

    def open_memory(self, size):
        """Path of a fresh memory file for QEMU."""
        fd, path = memory_file("disk", size)
        self._memory.append(fd)
        return path

    def _control_line(self, line):
        word, _, rest = line.partition(" ")
        self._note("guest: " + line)
        if word == "exit":
            self._status = int(rest)
            self._exit_time = time.monotonic()
        elif word == "done":
            self._owed = sum(int(number) for number in rest.split())
        elif word == "failed":
            self._failure = rest.strip()
            self._finished = True
        elif word == "shell":
            self._open_terminal()

    def _channels(self):
        return [self._monitor.channel, self._console.channel, self._control,
                self._guest_monitor.channel, *self._outputs]

    def _serial_arguments(self):
        arguments = ["-device", "virtio-serial-pci,id=serial,addr=0x1e,ioeventfd=off,max_ports=8"]
        for channel in (self._control, self._guest_monitor.channel, *self._outputs):
            device = "virtconsole" if channel.name == "shell" else "virtserialport"
            arguments += [*channel.chardev,
                          "-device", f"{device},bus=serial.0,chardev={channel.name},name={channel.name}"]
        return arguments

    def _machine_arguments(self):
        if self._processor != "x86_64":
            return ["-machine", "virt"]
        if not self._options.iommu:
            return ["-machine", "pc," + PC]
        return ["-machine", "q35," + PC, "-device", "intel-iommu"]

    def _kernel_arguments(self):
        options = self._options
        arguments = ["console=" + CONSOLE[self._processor], KERNEL_ARGS, "loglevel=4" if options.icount else "loglevel=7"]
        if options.iommu:
            # Strict: what a driver has unmapped is out of reach at once, not some time later.
            arguments.append("intel_iommu=on iommu.strict=1")
        frequency = None if options.icount or self._processor != "x86_64" else tsc.khz()
        if frequency:
            arguments.append(f"tsc_early_khz={frequency}")
        return " ".join([*arguments, options.kernel_args]).strip()

    def _time_arguments(self):
        options = self._options
        if options.icount:
            if (options.smp or 1) > 1:
                self._say("--icount runs one processor: --smp is ignored")
            return ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off,align=off", "-smp", "1",
                    "-rtc", "base=2026-01-01,clock=vm", "-seed", "1"]
        return ["-accel", "tcg,thread=multi", "-smp", str(options.smp or 2)]

    def _arguments(self, kernel, initramfs, devices):
        options = self._options
        arguments = ["qemu-system-" + self._processor, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
                     *self._machine_arguments(), "-cpu", CPU[self._processor], *self._time_arguments(), "-m", options.mem,
                     "-kernel", kernel, "-initrd", initramfs,
                     "-append", self._kernel_arguments(),
                     *self._monitor.arguments, *self._console.arguments, *self._serial_arguments()]
        if options.qmp:
            arguments += ["-qmp", f"unix:{os.path.abspath(options.qmp).replace(',', ',,')},server=on,wait=off"]
        if options.share:
            if not os.path.isdir(options.share):
                raise VmError(f"--share {options.share}: no such directory")
            path = os.path.abspath(options.share).replace(",", ",,")
            arguments += ["-fsdev", f"local,id=share,path={path},security_model=none",
                          "-device", "virtio-9p-pci,fsdev=share,mount_tag=share,addr=0x1d"]
        return arguments + devices + options.qemu_arg

    def _environment(self):
        environment = dict(os.environ)
        if self._model:
            environment["LD_PRELOAD"] = self._model
        return environment

    def run(self, kernel, write_initramfs, devices):
        """Run the VM to its end.  Returns the exit status; raises VmError.

        Params: kernel, path for -kernel; write_initramfs(file) writes the initramfs; devices,
        QEMU's arguments for adapters and disks.
        """
        fd, path = memory_file("initramfs")
        with os.fdopen(fd, "wb", closefd=False) as out:
            write_initramfs(out)
        self._memory.append(fd)
        arguments = self._arguments(kernel, path, devices)
        self._note("run " + " ".join(arguments))
        self._machine = Machine(arguments, self._channels(), self._environment(), self._memory,
                                lambda line: self._say("qemu: " + line))
        try:
            self._monitor.command("qmp_capabilities")
            if self._bare and self._options.shell:
                self._open_terminal()
            timed_out = self._follow()
        finally:
            self._machine.stop(self._monitor)
            self._close_terminal()
        self._note("end")
        return self._verdict(timed_out)

    def _follow(self):
        """Serve the machine until the command ends.  Returns True when time ran out."""
        limit = 0 if self._options.shell and sys.stdin.isatty() else self._options.timeout
        end = self._start + limit if limit else float("inf")
        while self._machine.serve(min(0.2, end - time.monotonic())):
            self._monitor.tick()
            if self._finished or self._all_there() or self._output_held():
                return False
            if time.monotonic() >= end:
                return self._status is None
        self._machine.drain()
        return False

    def _all_there(self):
        """True when the guest is through, and all that it said is here: its channels do not keep step."""
        return self._owed is not None and self._received >= self._owed

    def _output_held(self):
        """True when the command is gone but something it left behind keeps its output open."""
        if self._status is None:
            return False
        now = time.monotonic()
        return now > max(self._exit_time, self._last_output) + OUTPUT_GRACE or now > self._exit_time + OUTPUT_LIMIT

    def _verdict(self, timed_out):
        if timed_out:
            if not self._bare:
                self._show_console()
            self._say(f"timeout after {self._options.timeout:g} s")
            return TIMED_OUT
        if self._status is not None:
            return self._status
        if not self._bare:
            self._show_console()
        code = self._machine.process.returncode
        death = self._console.death()
        if self._bare and not code and not death:
            return 0
        if self._failure:
            self._say(self._failure)
        elif death:
            self._say("the guest's kernel died: " + death)
        elif code:
            self._say(f"qemu ended with status {code} before the command did")
        else:
            self._say("the guest ended before the command did: see its console above")
        return FAILED

    def _show_console(self):
        tail = self._console.tail()
        if tail:
            self._say("the guest's console, last lines:")
            for line in tail:
                print("  " + line, file=sys.stderr)

    def _open_terminal(self):
        self._machine.watch(sys.stdin.fileno(), self._typed)
        if sys.stdin.isatty():
            self._terminal = termios.tcgetattr(sys.stdin)
            tty.setraw(sys.stdin)

    def _typed(self, data):
        if self._terminal and LEAVE_SHELL in data:
            self._status = self._status or 0
            self._finished = True
        else:
            (self._console.channel if self._bare else self._outputs[0]).send(data)

    def _close_terminal(self):
        if self._terminal:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._terminal)
            self._terminal = None
