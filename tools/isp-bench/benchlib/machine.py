# SPDX-License-Identifier: GPL-2.0-only
"""One boot of isp-vm that runs the cases of a suite with one driver."""

import json
import os
import subprocess
import tempfile

from vmlib import BUILD, MAKE, TOP, VmError
from vmlib import kernel as vmkernel
from vmlib.driver import Driver, own_module

from . import BenchError
from . import counts
from . import split
from .results import is_floor
from .suites import DISKS, G

ISP_VM = os.path.join(TOP, "tools/isp-vm")
ISP_IO = os.path.join(BUILD, "isp-bench/isp-io")
PLUGIN = os.path.join(BUILD, "isp-bench/count.so")
LOCKS = "_raw_spin_lock _raw_spin_lock_irq _raw_spin_lock_irqsave _raw_spin_lock_bh"
UNLOCKS = "_raw_spin_unlock _raw_spin_unlock_irq _raw_spin_unlock_irqrestore _raw_spin_unlock_bh"
TIMEOUT = 7200
# Nothing is left for later, when it would be measured.
EXT = "-q -N 8192 -E lazy_itable_init=0,lazy_journal_init=0"
MKFS = {"ext2": EXT, "ext3": EXT, "ext4": EXT, "xfs": "-q -f -K"}
# What Linux gives disks of a host with one queue, and of one with several.
SCHEDULERS = ("mq-deadline", "none")

GUEST_HEAD = """\
#!/bin/bash
# files BYTES N: the first N block devices of that size, as isp-io wants them.
files()
{
	local d n=0

	for d in /sys/block/sd* /sys/block/nullb*; do
		[ -e "$d/size" ] && (($(< "$d/size") * 512 == $1)) && ((n++ < $2)) && echo "--file /dev/${d##*/}"
	done
	((n >= $2)) || fail "$n of $2 disks of $1 bytes"
}
fail()
{
	echo "isp-bench: $*" >&2
	exit 3
}
# become: wait until the last disk of a module that was just loaded is there, without asking the host for time.
become()
{
	local i

	for ((i = 0; i < 100; i++)); do
		(($(files "$@" 2> /dev/null | wc -l) == $2)) && return
		sleep 0.1
	done
	fail "no $2 disks of $1 bytes"
}
# unload MODULE: it may be in use for a moment longer, by what io_uring leaves to be tidied up.
unload()
{
	local i

	for ((i = 0; i < 100; i++)); do
		[ -e "/sys/module/$1" ] || return
		rmmod "$1" 2> /dev/null || sleep 0.1
	done
	fail "$1 stays in use"
}
io()
{
	/root/isp-io "$@" 2> /tmp/complaint
	[ $? -ne 2 ] || echo "{\\"error\\": \\"$(tr '"\\\\\\n' "' " < /tmp/complaint)\\"}"
}
# scheduler [NAME]: set the I/O scheduler of all disks of the case, say which it is.
scheduler()
{
	local file words d

	for d in ${disks//--file/}; do
		file=/sys/block/${d#/dev/}/queue/scheduler
		[ -z "$1" ] || echo "$1" > "$file" || fail "I/O scheduler $1"
	done
	words=$(< "$file")
	words=${words#*[}
	echo "SCHEDULER ${words%%]*}"
}
# facts MODULE: versions of a driver and of its card's firmware.
facts()
{
	local name file

	for name in version srcversion; do
		[ ! -e "/sys/module/$1/$name" ] || echo "FACT $name $(< "/sys/module/$1/$name")"
	done
	for file in /sys/class/fc_host/host*/symbolic_name; do
		[ ! -e "$file" ] || echo "FACT card $(< "$file")"
	done
}
echo 0 > /proc/sys/kernel/printk
"""
GUEST_TAIL = """\
echo "SECTIONS"
for section in /sys/module/*/sections/.*text* /sys/module/*/sections/.noinstr*; do
	module=${section#/sys/module/}
	[ -e "$section" ] && echo "${module%%/*} ${section##*/} $(< "$section")"
done
echo "END"
"""
# Nothing is said to the host until all is done: it would answer in its own time.
QUIET = "exec 3>&1 > /tmp/output"
SPEAK = "cat /tmp/output >&3"


class Boot:
    """What one boot is to do, and what came of it.

    Attributes: results, one dict for each case, in order; facts, versions of driver and firmware by what
    they are of.
    """

    LAST_LINE = "END"

    def __init__(self, setup, driver, cases):
        """Params: setup, a Setup; driver, what --driver says, or a floor's name; cases, of suites."""
        self.setup = setup
        self.driver, _, self.driver_args = driver.partition(" ")
        self.label = driver
        self.cases = list(cases)
        self._schedulers = [setup.scheduler] * len(self.cases)
        if self.is_floor and not setup.scheduler:
            # Which one the drivers' disks have is not known yet: merge() takes the fitting ones.
            self._schedulers = [s for s in SCHEDULERS for _ in self.cases]
            self.cases = self.cases * len(SCHEDULERS)
        self.results = []
        self.facts = {}

    @property
    def is_floor(self):
        """True for a block device or a SCSI host without a card."""
        return is_floor(self.driver)

    def _script(self):
        lines = [GUEST_HEAD]
        if not self.setup.wall:
            lines.append(QUIET)
        for number, case in enumerate(self.cases):
            lines += [f"echo CASE {number}", *self._case_lines(case, self._schedulers[number])]
        lines += [f"facts {self.module}" if not self.is_floor else "", GUEST_TAIL]
        if not self.setup.wall:
            lines.append(SPEAK)
        return "\n".join(lines) + "\n"

    def _floor_lines(self, case):
        """Load a floor anew, so that it has the disks of the case."""
        disk = DISKS[case.disk]
        polled = f"poll_queues={int(case.polled)}"
        if self.driver == "null_blk":
            load = (f"modprobe null_blk nr_devices={case.disks} gb={disk.size // G} irqmode=0 completion_nsec=0 "
                    f"queue_mode=2 submit_queues=1 hw_queue_depth=256 memory_backed={int(disk.keeps)} {polled}")
        else:
            load = (f"modprobe sd_mod && insmod /root/isp_floor.ko size_mb={disk.size >> 20} "
                    f"targets={case.disks} memory={int(disk.keeps)} {polled}")
        return ["umount /mnt 2> /dev/null", f"unload {self.driver}", f"{load} || fail {self.driver}",
                f"become {disk.size} {case.disks}"]

    def _case_lines(self, case, scheduler):
        disk = DISKS[case.disk]
        lines = self._floor_lines(case) if self.is_floor and not case.again else []
        lines += [f"disks=$(files {disk.size} {case.disks}) || exit", f"scheduler {scheduler}"]
        where = "$disks"
        if case.fs:
            if not case.again:
                lines += ["umount /mnt 2> /dev/null", f"mkfs.{case.fs} {MKFS[case.fs]} ${{disks#--file }} > /dev/null && "
                          f"mount -t {case.fs} ${{disks#--file }} /mnt && sync || fail no {case.fs}"]
            where = "--file /mnt/" + case.path
        if self.setup.wall and not self.is_floor:
            lines.append('echo "STATS $(isp-stats)"')
        lines.append(f"io {where} {self._arguments(case)}" + (" --times /tmp/times" if self._splits(case) else ""))
        if self.setup.wall and not self.is_floor:
            lines.append('echo "STATS $(isp-stats)"')
        if self._splits(case):
            lines += ["echo TIMES", "[ ! -e /tmp/times ] || cat /tmp/times", "echo TIMES-END", "rm -f /tmp/times"]
        return lines

    def _arguments(self, case):
        return case.wall_arguments(self.setup.cpus) if self.setup.wall else case.arguments()

    def _splits(self, case):
        return case.split and not self.is_floor and not self.setup.wall

    def _disk_arguments(self):
        names = {c.disk for c in self.cases}
        arguments, target = ["--targets", "0"], 0
        for disk in (DISKS[n] for n in DISKS if n in names):
            spec = f"{disk.kind},size={disk.size}" + (f",{disk.properties}" if disk.properties else "")
            for place in range(disk.count):
                arguments += ["--disk", f"{spec},target={target + place // disk.luns},lun={place % disk.luns}"]
            target += disk.targets
        return arguments

    def _command(self, folder):
        setup = self.setup
        command = [ISP_VM, "--kernel", setup.kernel.version, "--kernel-args", "nokaslr", "--timeout", str(TIMEOUT),
                   "--mem", "2G", "--settle", "120", "--add", setup.isp_io, "--add", os.path.join(folder, "cases")]
        command += setup.time_arguments(folder)
        if any(self._splits(c) for c in self.cases):
            command += ["--trace", os.path.join(folder, "trace")]
        if self.is_floor:
            # A card that nobody drives: adapters of QEMU's own are not the same in every run.
            command += ["--hba", setup.hba, "--targets", "0", "--driver", "none"]
            if self.driver == "isp_floor":
                command += ["--add", setup.floor_module()]
        else:
            command += ["--hba", setup.hba, *self._disk_arguments(), "--driver", self.driver,
                        "--driver-args", self.driver_args]
        return [*command, "cases"]

    def _prepare(self, folder):
        with open(os.path.join(folder, "cases"), "w", encoding="ascii") as file:
            file.write(self._script())
        os.chmod(file.name, 0o755)

    def run(self, progress):
        """Run the boot.  Params: progress(n) is called when case n begins.  Raises BenchError."""
        with tempfile.TemporaryDirectory(prefix="isp-bench-") as folder:
            self._prepare(folder)
            output = self._follow(self._command(folder), lambda: self._tell(folder, progress))
            self._read(output, folder)

    @staticmethod
    def _tell(folder, progress):
        try:
            with open(os.path.join(folder, "counts"), encoding="ascii") as file:
                begun = sum(line.startswith("window ") for line in file)
        except FileNotFoundError:
            return
        if begun:
            progress(begun - 1)

    def _follow(self, command, tick):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
            with subprocess.Popen(command, stdout=output, stderr=complaints, stdin=subprocess.DEVNULL) as process:
                self.setup.processes.add(process)
                while process.poll() is None:
                    try:
                        process.wait(1)
                    except subprocess.TimeoutExpired:
                        tick()
            self.setup.processes.discard(process)
            output.seek(0)
            complaints.seek(0)
            lines = output.read().decode(errors="replace").splitlines()
            said = complaints.read().decode(errors="replace").strip().splitlines()
        if process.returncode or self.LAST_LINE not in lines:
            raise BenchError(f"{self.label}: {said[-1] if said else f'isp-vm ended with {process.returncode}'}")
        return lines

    def _read(self, lines, folder):
        sections, where, said = {}, None, ""
        times, stats, schedulers = {}, [], []
        for line in lines:
            if line.startswith("CASE "):
                where, said = "case", ""
            elif line == "TIMES":
                where = times.setdefault(len(self.results) - 1, [])
            elif line == "TIMES-END":
                where = None
            elif line.startswith("SCHEDULER "):
                schedulers.append(line.split()[1])
            elif line.startswith("STATS "):
                stats.append(json.loads(line[6:]))
            elif line.startswith("FACT "):
                _, name, value = line.split(maxsplit=2)
                self.facts[name] = value
            elif line in ("SECTIONS", "END"):
                where = line
            elif where == "SECTIONS":
                module, name, address = line.split()
                sections.setdefault(module, {})[name] = int(address, 16)
            elif isinstance(where, list):
                where.append(tuple(int(n) for n in line.split()[2:4]))
            elif where == "case":
                said += line
                if line.endswith("}"):
                    self.results.append(self._result(self.cases[len(self.results)], json.loads(said)))
        if len(self.results) != len(self.cases):
            raise BenchError(f"{self.label}: {len(self.results)} of {len(self.cases)} cases gave a result")
        for result, name in zip(self.results, schedulers):
            result["scheduler"] = name
        if self.setup.wall:
            for result, before, after in zip(self.results, stats[::2], stats[1::2]):
                if "error" not in result["io"]:
                    result["card"] = card_per_operation(counts.subtract(after, before), result["io"]["ops"])
        else:
            self._add_counts(os.path.join(folder, "counts"))
            if self.setup.counted:
                self._add_code(os.path.join(folder, "counts"), sections)
            self._add_splits(os.path.join(folder, "trace"), times)

    def _result(self, case, io):
        return {"table": case.table, "case": case.name, "driver": self.label, "io": io}

    def _measured(self):
        return [r for r in self.results if "error" not in r["io"]]

    def _with_windows(self, path):
        """Pairs of a result and the plugin's window, for every case that could be measured.  Raises BenchError."""
        windows, measured = counts.read_windows(path), self._measured()
        if len(windows) != len(measured):
            raise BenchError(f"{self.label}: {len(windows)} windows were counted, {len(measured)} were measured")
        return list(zip(measured, windows))

    def _add_counts(self, path):
        for result, window in self._with_windows(path):
            ops = result["io"]["ops"]
            if self.setup.counted:
                result["insns"] = window.insns / ops
            card = counts.card_difference(window, self.setup.model)
            if card and not self.is_floor:
                result["card"] = card_per_operation(card, ops)
                result["modelled_ns"] = result["io"]["lat"]["mean"] + 1000 * result["card"]["mmio_reads"]

    def _add_code(self, path, sections):
        code = self.setup.code_with(sections, self._module_files())
        module = self.module
        for result, window in self._with_windows(path):
            ops = result["io"]["ops"]
            held, times = counts.lock_instructions(window, code, module)
            result["driver_insns"] = counts.driver_instructions(window, code, module) / ops
            result["lock_ns"], result["locks"] = held / ops, times / ops
            result["unbalanced_locks"] = window.unbalanced
            result["profile"] = [[f, m, round(n / ops, 3), round(e / ops, 4)]
                                 for f, m, n, e in counts.profile(window, code) if n / ops >= 0.05]

    @property
    def module(self):
        """Name of the module whose code counts as the driver's."""
        return self.driver if self.is_floor else self.setup.driver(self.driver).name

    def _module_files(self):
        files = {}
        if self.driver == "isp_floor":
            files["isp_floor"] = self.setup.floor_module()
        elif not self.is_floor:
            path = self.setup.driver_file(self.driver)
            if path:
                files[self.module] = path
        return files

    def _add_splits(self, path, times):
        if not os.path.exists(path):
            return
        trace = split.Trace(path)
        for number, pairs in times.items():
            one = self.results[number]["io"].get("qd", 1) == 1
            parts = (split.split if one else split.split_queue)(trace, pairs) if pairs else None
            if parts:
                self.results[number]["split"] = parts


def card_per_operation(card, ops):
    """The contract's figures of the card for one operation, and the registers one by one."""
    data = card["bytes_read"] + card["bytes_written"]
    return {
        "mmio_reads": (card["mmio"]["reads"] + card["pio"]["reads"]) / ops,
        "mmio_writes": (card["mmio"]["writes"] + card["pio"]["writes"]) / ops,
        "interrupts": card["interrupts"] / ops,
        "commands": card["commands"] / ops,
        "dma_bytes": (card["dma_bytes_read"] + card["dma_bytes_written"]) / ops,
        "ring_bytes": (card["dma_bytes_read"] + card["dma_bytes_written"] - data) / ops,
        "read": {k: v / ops for k, v in card["mmio"].get("read", {}).items()},
        "write": {k: v / ops for k, v in card["mmio"].get("write", {}).items()},
        "violations": card["violations"],
    }


class Setup:
    """What all boots of a run have in common."""

    def __init__(self, hba, wall=False, cpus=2, scheduler="", kernel=None, isp_io=None):
        """Params: hba, as isp-vm's --hba; wall, in the host's time instead of virtual time; cpus, then;
        scheduler, the disks' instead of what the kernel gives them; kernel, its version; isp_io, another
        isp-io.  Raises BenchError."""
        self.hba = hba
        self.scheduler = scheduler
        self.model = "isp" + hba.partition(",")[0].removeprefix("isp")
        self.wall, self.cpus = wall, cpus
        self.isp_io = isp_io or os.environ.get("ISP_IO") or ISP_IO
        self.plugin = PLUGIN
        self.counted = True
        self.processes = set()
        for path in (self.isp_io, self.plugin):
            if not os.path.exists(path):
                raise BenchError(f"{path} is not built: run {MAKE} model tools")
        try:
            self.kernel = vmkernel.Kernel.find(kernel)
            self._modules = self.kernel.module_index()[0]
        except VmError as error:
            raise BenchError(str(error)) from error
        self._drivers = {}
        self._kallsyms = None

    def driver(self, name):
        """vmlib's Driver of that name.  Raises BenchError."""
        if name not in self._drivers:
            try:
                self._drivers[name] = Driver(name, self.kernel)
            except VmError as error:
                raise BenchError(str(error)) from error
        return self._drivers[name]

    def driver_file(self, name):
        """Path of the .ko of a driver that is not the kernel's own, else None."""
        if name == "qla_isp":
            return own_module(self.kernel)
        return name if name.endswith(".ko") else None

    def stop(self):
        """End every machine that runs."""
        for process in list(self.processes):
            process.terminate()

    def has_floor_module(self):
        """True where isp_floor.ko is there."""
        return os.path.exists(os.path.join(BUILD, "modules", self.kernel.version, "isp_floor.ko"))

    def floor_module(self):
        """Path of isp_floor.ko for the kernel that boots.  Raises BenchError."""
        path = os.path.join(BUILD, "modules", self.kernel.version, "isp_floor.ko")
        if not os.path.exists(path):
            raise BenchError(f"{path} is not built: run {MAKE} vm-module")
        return path

    def kallsyms(self):
        """The kernel's own symbols, from a boot of it, kept in build/vm."""
        if self._kallsyms is None:
            st = os.stat(self.kernel.image)
            path = os.path.join(BUILD, "vm", f"kallsyms-{self.kernel.version}-{st.st_size:x}-{st.st_mtime_ns:x}")
            if not vmkernel.is_cached(path):
                done = subprocess.run(
                    [ISP_VM, "--kernel", self.kernel.version, "--kernel-args", "nokaslr", "--hba", self.hba,
                     "--targets", "0", "--driver", "none", "grep -v '\\[' /proc/kallsyms"],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                if done.returncode:
                    raise BenchError("the kernel's symbols: " + (done.stderr.strip().splitlines() or ["?"])[-1])
                vmkernel.write_cached(path, lambda out: out.write(done.stdout.encode()))
            with open(path, encoding="ascii") as file:
                self._kallsyms = file.read().splitlines()
        return self._kallsyms

    def time_arguments(self, folder):
        """isp-vm's arguments for virtual time with the plugin, whose output goes to counts in a folder, or for
        the host's time."""
        if self.wall:
            return ["--smp", str(self.cpus)]
        plugin = f"file={self.plugin},out={folder}/counts"
        plugin += self.lock_arguments() if self.counted else ",blocks=off"
        return ["--icount", "--qemu-arg=-plugin", "--qemu-arg=" + plugin]

    def lock_arguments(self):
        """The plugin's arguments that name the lock functions."""
        code = counts.Code(self.kallsyms())
        found = [(kind, code.address(name)) for kind, names in (("lock", LOCKS), ("unlock", UNLOCKS))
                 for name in names.split()]
        return "".join(f",{kind}={address:x}" for kind, address in found if address)

    def code_with(self, sections, files):
        """A Code of the kernel and of the modules that were loaded.

        Params: sections, {module: {section: address}}; files, {module: path} of those not the kernel's own.
        """
        code = counts.Code(self.kallsyms())
        for module, addresses in sections.items():
            path = files.get(module) or os.path.join(self.kernel.modules, self._modules.get(module, ""))
            if os.path.isfile(path):
                code.add_module(module, path, addresses)
        return code
