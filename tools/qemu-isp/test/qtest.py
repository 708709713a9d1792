# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine without a guest: QEMU's qtest protocol, PCI set up by hand, memory and clock in our hands.

The virtual clock moves only in Machine.step(), so that every instant of the model can be checked.
"""
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time

MEM_BAR = 0xe0000000
IO_BAR = 0xc000
PCI_SLOT = 4


class Machine:
    """QEMU with one adapter, memory space and bus mastering on."""

    running = []

    def __init__(self, model, chip, devices=(), hba_props="", machine="pc", memory="64"):
        self.dir = tempfile.mkdtemp(prefix="isp-qtest-")
        self.stats_file = os.path.join(self.dir, "stats.json")
        self.trace_file = os.path.join(self.dir, "trace")
        path = os.path.join(self.dir, "qtest")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(30)
        hba = f"{chip},id=hba0,addr={PCI_SLOT},stats-file={self.stats_file},trace-file={self.trace_file}"
        args = ["qemu-system-x86_64", "-nodefaults", "-display", "none", "-machine", machine,
                "-accel", "qtest", "-m", memory, "-qtest", f"unix:{path}", "-qtest-log", "none",
                "-qmp", f"unix:{os.path.join(self.dir, 'qmp')},server=on,wait=off",
                "-device", hba + hba_props]
        for device in devices:
            args += ["-device", device]
        self.log = open(os.path.join(self.dir, "stderr"), "w+", encoding="utf-8")
        self.qemu = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=self.log, env={
            **os.environ, "LD_PRELOAD": f"{model}:{os.path.dirname(model)}/accel-qtest.so"})
        Machine.running.append(self)
        deadline = time.monotonic() + 30
        while True:
            try:
                listener.settimeout(0.2)
                self.sock = listener.accept()[0]
                break
            except socket.timeout:
                if self.qemu.poll() is not None or time.monotonic() > deadline:
                    self.log.seek(0)
                    raise RuntimeError("QEMU does not start: " + self.log.read())
        self.sock.settimeout(20)
        self.stream = self.sock.makefile("rw")
        self.qmp = None
        self._set_up_pci()

    def cmd(self, text):
        self.stream.write(text + "\n")
        self.stream.flush()
        while True:
            answer = self.stream.readline().split()
            if not answer:
                raise RuntimeError("QEMU has gone")
            if answer[0] == "IRQ":
                continue
            if answer[0] != "OK":
                raise RuntimeError(f"qtest: {text}: {answer}")
            return answer[1] if len(answer) > 1 else ""

    def config_write(self, offset, value):
        self.cmd(f"outl 0xcf8 {0x80000000 | PCI_SLOT << 11 | offset:#x}")
        self.cmd(f"outl 0xcfc {value:#x}")

    def _set_up_pci(self):
        self.config_write(0x10, IO_BAR)
        self.config_write(0x14, MEM_BAR)
        self.config_write(0x04, 0x07)

    def step(self, ns):
        self.cmd(f"clock_step {ns}")

    def reg(self, offset, value=None):
        if value is None:
            return int(self.cmd(f"readw {MEM_BAR + offset:#x}"), 16)
        self.cmd(f"writew {MEM_BAR + offset:#x} {value & 0xffff:#x}")
        return None

    def read(self, addr, size):
        return bytes.fromhex(self.cmd(f"read {addr:#x} {size:#x}")[2:])

    def write(self, addr, data):
        self.cmd(f"write {addr:#x} {len(data):#x} 0x{data.hex()}")

    def set(self, name, value):
        """Set a property of the adapter over QMP; returns QEMU's complaint or None."""
        answer = self._qmp("qom-set", path="/machine/peripheral/hba0", property=name, value=value)
        return answer.get("error", {}).get("desc")

    def get(self, name):
        """A property of the adapter."""
        return self._qmp("qom-get", path="/machine/peripheral/hba0", property=name)["return"]

    def counter(self, name):
        """One of the adapter's counters, as it stands."""
        return json.loads(self.get("stats"))[name]

    def _connect(self):
        if self.qmp is None:
            sock = socket.socket(socket.AF_UNIX)
            sock.settimeout(20)
            sock.connect(os.path.join(self.dir, "qmp"))
            self.qmp = sock.makefile("rw")
            self.qmp.readline()
            self._qmp("qmp_capabilities")

    def _qmp(self, command, **arguments):
        self._connect()
        self.qmp.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.qmp.flush()
        while True:
            answer = json.loads(self.qmp.readline())
            if "event" not in answer:
                return answer

    def close(self):
        """End QEMU; returns the counters."""
        self.qemu.terminate()
        self.qemu.wait(20)
        with open(self.stats_file, encoding="utf-8") as f:
            stats = json.load(f)
        self.discard()
        return stats

    def discard(self):
        self.qemu.kill()
        self.qemu.wait()
        self.log.close()
        shutil.rmtree(self.dir)
        Machine.running.remove(self)


def image(attributes):
    """A firmware image that the model accepts: header, text, checksum."""
    words = [0x0470, 0, 0, 0x40, 0, 3, 3, 0x1c, attributes] + [0] * (0x40 - 10)
    words.append(-sum(words) & 0xffff)
    return struct.pack("<64H", *words)
