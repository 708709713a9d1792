# SPDX-License-Identifier: GPL-2.0-only
"""Runs QEMU and talks to it: the monitor, the console, the guest's channels.

Every channel is one end of a socket pair that QEMU inherits, and what the guest keeps in
memory is a memory file, so that nothing is left on disk however the runner ends.
"""

import collections
import ctypes
import json
import os
import re
import selectors
import shlex
import signal
import socket
import subprocess
import time

from . import VmError

CHUNK = 1 << 16
EVENT_SECONDS = 30
AFTER_SECONDS = 3600
CONSOLE_TAIL = 40
CONSOLE_KEPT = 400
BEFORE_DEATH = 8
DEATH = re.compile(r"BUG: |Oops|Kernel panic|general protection fault|unable to handle|Unable to handle")
PR_SET_PDEATHSIG = 1


def memory_file(name, size=0):
    """(fd, path) of a file in memory that a child process can open by that path."""
    fd = os.memfd_create(name, 0)
    os.set_inheritable(fd, True)
    os.truncate(fd, size)
    return fd, f"/proc/self/fd/{fd}"


def die_with_parent():
    """In the child, before exec: be killed when the runner dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Channel:
    """A byte stream with QEMU: its descriptor goes to the child, data comes by callback."""

    def __init__(self, name, receive):
        self.name = name
        self.receive = receive
        self.socket, self._far = socket.socketpair()
        self._far.set_inheritable(True)
        self.chardev = ["-chardev", f"socket,id={name},fd={self._far.fileno()}"]

    @property
    def fd(self):
        """The descriptor number the child inherits."""
        return self._far.fileno()

    def started(self):
        """QEMU has the far end now."""
        self._far.close()

    def send(self, data):
        """Send bytes; a peer that is gone is found out when reading."""
        try:
            self.socket.sendall(data)
        except OSError:
            pass


class Lines:
    """Turns chunks of bytes into calls of a function with whole lines of text."""

    def __init__(self, handle):
        self._handle = handle
        self._rest = b""

    def __call__(self, data):
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._handle(line.decode(errors="replace").rstrip("\r"))

    def flush(self):
        """Hand over a last line without an end."""
        if self._rest:
            self(b"\n")


class Monitor:
    """QMP: commands with a callback for the answer; events are kept for whoever waits."""

    def __init__(self):
        self.channel = Channel("monitor", Lines(self._line))
        self.arguments = [*self.channel.chardev, "-mon", "chardev=monitor,mode=control"]
        self._pending = collections.deque()
        self._events = []
        self._waiting = []

    def command(self, name, arguments=None, done=lambda answer: None):
        """Send a command.  Params: done gets the answer as a dict with "return" or "error"."""
        self._pending.append(done)
        message = {"execute": name}
        if arguments:
            message["arguments"] = arguments
        self.channel.send(json.dumps(message).encode() + b"\n")

    def wait_event(self, name, data, seconds, done):
        """Call done(event or None) for the next event of that name, or when time is up.

        Params: data, {name: value} that the event's data must have.
        """
        def matches(event):
            have = event.get("data", {})
            return event["event"] == name and all(have.get(k) == v for k, v in data.items())

        for event in self._events:
            if matches(event):
                self._events.remove(event)
                done(event)
                return
        self._waiting.append((time.monotonic() + seconds, matches, done))

    def tick(self):
        """Give up waits whose time is up."""
        now = time.monotonic()
        for wait in [w for w in self._waiting if w[0] <= now]:
            self._waiting.remove(wait)
            wait[2](None)

    def _line(self, line):
        message = json.loads(line)
        if "QMP" in message:
            return
        if "event" in message:
            self._event(message)
        elif self._pending:
            self._pending.popleft()(message)

    def _event(self, event):
        for wait in self._waiting:
            if wait[1](event):
                self._waiting.remove(wait)
                wait[2](event)
                return
        self._events.append(event)


class GuestMonitor:
    """The guest's own channel to the monitor: one shell-quoted line in, one line out."""

    def __init__(self, monitor):
        self._monitor = monitor
        self.channel = Channel("qmp", Lines(self._line))

    def _reply(self, verdict, text):
        text = text.replace("\\", "\\\\").replace("\n", "\\n")
        self.channel.send(f"{verdict} {text}\n".encode())

    def _answer(self, answer):
        if "error" in answer:
            self._reply("error", answer["error"]["desc"])
        else:
            value = answer["return"]
            self._reply("ok", value if isinstance(value, str) else json.dumps(value))

    def _event(self, event):
        if event is None:
            self._reply("error", "no such event in that time")
        else:
            self._reply("ok", json.dumps(event))

    def _line(self, line):
        try:
            words = shlex.split(line)
            if words[0] == "wait-event":
                self._wait(words[1:])
            elif words[0] == "after-event":
                self._after(words[1], words[2], self._arguments(words[3:]))
            elif words[0].startswith("{"):
                message = json.loads(" ".join(words))
                self._monitor.command(message["execute"], message.get("arguments"), self._answer)
            else:
                self._monitor.command(words[0], self._arguments(words[1:]), self._answer)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            self._reply("error", f"not a QMP command: {error}")

    def _wait(self, words):
        seconds = float(words.pop(1)) if len(words) > 1 and "=" not in words[1] else EVENT_SECONDS
        self._monitor.wait_event(words[0], self._arguments(words[1:]), seconds, self._event)

    def _after(self, event, command, arguments):
        self._monitor.wait_event(event, {}, AFTER_SECONDS,
                                 lambda seen: seen and self._monitor.command(command, arguments))
        self._reply("ok", "")

    @staticmethod
    def _arguments(words):
        arguments = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                raise ValueError(f"{word!r} is not name=value")
            try:
                arguments[name] = json.loads(value)
            except ValueError:
                arguments[name] = value
        return arguments


class Console:
    """The serial console: kept as a file where asked for, its last lines always."""

    def __init__(self, path, echo=None):
        """Params: path, of the file or None; echo(bytes), if any, gets all that comes."""
        self._echo = echo
        self.channel = Channel("console", self._receive)
        self.arguments = [*self.channel.chardev, "-serial", "chardev:console"]
        self._kept = collections.deque(maxlen=CONSOLE_KEPT)
        self._lines = Lines(self._kept.append)
        try:
            self._file = open(path, "wb", buffering=0) if path else None
        except OSError as error:
            raise VmError(f"--console {path}: {error.strerror}") from error

    def _receive(self, data):
        if self._echo:
            self._echo(data)
        if self._file:
            self._file.write(data)
        self._lines(data)

    def _first_death(self):
        self._lines.flush()
        return next((i for i, line in enumerate(self._kept) if DEATH.search(line)), None)

    def death(self):
        """What the guest's kernel said as it died, None where it did not."""
        first = self._first_death()
        return None if first is None else re.sub(r"^\[ *[\d.]+\] ", "", self._kept[first])

    def tail(self):
        """The last lines, oldest first: from shortly before the kernel's death if it died."""
        first = self._first_death()
        lines = list(self._kept)
        return lines[-CONSOLE_TAIL:] if first is None else lines[max(first - BEFORE_DEATH, 0):]


class Machine:
    """One QEMU process with its channels, and the loop that serves them."""

    def __init__(self, arguments, channels, environment, pass_fds, complain):
        """Params: complain(line) gets what QEMU itself says on stderr."""
        self._selector = selectors.DefaultSelector()
        self._channels = channels
        self._complaints = Lines(complain)
        inherited = [*pass_fds, *(c.fd for c in channels)]
        try:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=environment, pass_fds=inherited, preexec_fn=die_with_parent,
                start_new_session=True)
        except FileNotFoundError as error:
            raise VmError(f"{arguments[0]} is not installed: run tools/deps vm (for an arm64 kernel: "
                          "arm64), or apt install qemu-system-x86 (qemu-system-arm)") from error
        for channel in channels:
            channel.started()
            self.watch(channel.socket.fileno(), channel.receive)
        self.watch(self.process.stderr.fileno(), self._complaints)

    def watch(self, fd, receive):
        """Serve one more descriptor; receive(bytes) is called until its end."""
        self._selector.register(fd, selectors.EVENT_READ, receive)

    def serve(self, seconds):
        """Hand over what arrives within that time.  Returns False once QEMU has closed all."""
        for key, _ in self._selector.select(max(seconds, 0)):
            try:
                data = os.read(key.fd, CHUNK)
            except OSError:
                data = b""
            if data:
                key.data(data)
            else:
                self._selector.unregister(key.fd)
        return bool(self._selector.get_map()) and self.process.poll() is None

    def drain(self):
        """Hand over all that has arrived by now."""
        while self._selector.get_map() and self._pending():
            self.serve(0)

    def _pending(self):
        return bool(self._selector.select(0))

    def stop(self, monitor, seconds=5):
        """End QEMU: by its monitor, so that it flushes and writes its files, else by force."""
        if self.process.poll() is None:
            monitor.command("quit")
            end = time.monotonic() + seconds
            while time.monotonic() < end and self.serve(min(0.05, seconds)):
                pass
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.drain()
        self._complaints.flush()
