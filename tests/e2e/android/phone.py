"""One stand-in device: its state, which the test reads and sets, and the methods that change it.

The other modules in this folder implement the commands. Each command runs on its own thread of the test's process. Methods
here that change shared state hold the lock."""

import json
import random
import threading
import time
import zipfile
from dataclasses import asdict
from pathlib import Path

from . import activities, faults, injectors, logs, packages, screen, services, settings, system, traces
from .app import App, Frames, Process, Test
from .calls import RunReal, Server
from .machine import create_machine
from .releases import RELEASES, VERSIONS
from .surfaces import Surfaces
from .ui import Ui

COMMANDS = {**activities.COMMANDS, **injectors.COMMANDS, **logs.COMMANDS, **packages.COMMANDS, **screen.COMMANDS,
            **services.COMMANDS, **settings.COMMANDS, **system.COMMANDS, **traces.COMMANDS}
SINCE = {"cmd": 24, "perfetto": 28, "uinput": 30}  # first API level that has the command
# The machine's own programs run these commands. `asked` contains them, too.
PASSED = ["rm", "mkdir", "ls", "mv", "cp", "chmod", "df", "stat", "sleep"]


class Phone(faults.Faults):
    def __init__(self, host, folder, command, release="11", model="Stand-in", ram_mib=3720, size=(1080, 2400), density=420,
                 rates=(60.0,)):
        self.release = RELEASES[release]
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.lock = threading.RLock()
        self.calls = []
        self.rules = []
        self.closed = False
        self.packages = {}
        self.processes = []
        self.ran = []  # all processes, including those that have ended
        self.front = None  # the process that has the window in front
        self.next_pid = 4200
        self.screen_on, self.locked, self.rotation = True, False, 0
        self.size, self.density, self.rates, self.refresh_hz = size, density, rates, rates[0]
        self.battery = {"level": 87, "powered": True, "temperature_c": 27.5, "status": 2}
        self.busy = 0.1  # share of the time of all CPUs that programs use
        self.thermal_status, self.skin_c = 0, 30.0
        self.wall_ahead_s = 0.0  # the device's wall clock minus the host's
        self.gpu = "Qualcomm, Adreno (TM) 640, OpenGL ES 3.2 V@0502.0"
        self.ram_mib = ram_mib
        self.ui = Ui()
        self.surfaces = Surfaces(self)
        self.monkeys = []  # running ones
        self.tree_taken = False  # monkey holds the views, so uiautomator cannot read them
        self.log = logs.Log(self)
        self.delays_s = {}  # command name → delay of its answer
        self.dump_text = None  # function that changes the output of `dumpsys gfxinfo`
        self.dump_timeout_s = 5.0  # time that `dumpsys gfxinfo` waits for a process that hangs
        self.storage_full = False
        self.not_of_user_0 = set()  # packages that are installed only for another user
        self.trace_lacks, self.trace_ring_s, self.trace_fault = set(), None, None  # see traces.py
        self.trace_file, self.atrace, self.sessions, self.perfetto_configs = True, None, [], []
        self.system_crashed = False  # aborts every running instrumentation
        self.events = []  # touches, keys and text: (dev_ns, kind, …)
        self.keeps_instrumented = False  # False as on Android, which kills the instrumented app after its tests
        self.settings = settings.defaults()
        self.refuses = set()  # (namespace, name) of settings that a shell must not write on this device
        self.properties = settings.properties(self.release, model, VERSIONS.get(self.release.name, self.release.name))
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        for name in [*COMMANDS, *PASSED]:
            if self.release.sdk >= SINCE.get(name, 0):
                (bin_folder / name).symlink_to(command)
        socket = self.folder / "s"
        self.machine = create_machine(host.network, self.folder, {
            **host.env, "PATH": f"{bin_folder}:{host.env['PATH']}", "STAND_IN_SOCKET": str(socket),
            "ANDROID_ROOT": "/system", "ANDROID_DATA": "/data", "EXTERNAL_STORAGE": "/sdcard"}, host.build)
        self.serial = f"127.0.0.1:{self.machine.port}"
        self.write_files()
        if self.release.sdk >= 28:
            self.path("/data/misc/perfetto-traces").mkdir(parents=True)
        self.server = Server(socket, self.serve, self.now_ns)
        self.machine.power_on()

    # ---- state that a test reads

    @property
    def asked(self):
        return [call.argv for call in list(self.calls)]

    def now_ns(self):
        """The device's CLOCK_MONOTONIC."""
        return self.machine.now_ns()

    def wall_s(self):
        return time.time() + self.wall_ahead_s

    def running(self, package):
        """The main process of a package, or None if it does not run."""
        return next((one for one in self.processes if one.name == package), None)

    def in_front(self, process):
        return process is self.front and self.screen_on

    def record(self, process):
        return f"ProcessRecord{{{0xa000000 + process.pid:x} {process.pid}:{process.name}/u0a{process.app.uid - 10000}}}"

    # ---- apps

    def install(self, package, **more):
        """Adds a package without any command, as if the device came with it. `more`: the fields of App."""
        app = App(package, **more)
        self.put(app)
        return app

    def put(self, app):
        with self.lock:
            self.stop(app.package)
            app.uid = app.uid or 10100 + len(self.packages)
            self.packages[app.package] = app

    def apk(self, path, package, **more):
        """Writes a file that `pm install` accepts as this package. Returns its path."""
        app = App(package, **more)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("stand-in.json", json.dumps(asdict(app)))
            archive.writestr("padding", random.Random(1).randbytes(app.size))
        return path

    @staticmethod
    def read_apk(file):
        """The App in a file that apk() wrote, or None for any other file."""
        try:
            with zipfile.ZipFile(file) as archive:
                told = json.loads(archive.read("stand-in.json"))
        except (OSError, KeyError, zipfile.BadZipFile):
            return None
        told.update(frames=Frames(**told["frames"]), tests=[Test(**one) for one in told["tests"]])
        return App(**told)

    def start(self, package, name=None):
        """Brings the app to the front. With `name`, starts a background process instead. Returns (process, "COLD", "WARM" or "HOT")."""
        with self.lock:
            process = self.running(name or package)
            state = "COLD" if process is None else "WARM" if process.closed else "HOT"
            if process is None:
                self.next_pid += random.randrange(1, 40)
                process = Process(self.packages[package], self.next_pid, self.now_ns(), name)
                self.processes.append(process)
                self.ran.append(process)
                self.log.add("I", "ActivityManager", f"Start proc {process.pid}:{process.name}/u0a1 for activity")
            if name is None:
                process.closed = False
                self.to_front(process)
            return process, state

    def to_front(self, process):
        with self.lock:
            if self.front is not None and self.front is not process:
                self.front.pause(self.now_ns())
            self.front = process
            self.redraw()

    def redraw(self):
        """Starts or pauses the frames of each process, according to the state of the device."""
        now = self.now_ns()
        for process in self.processes:
            frames = process.app.frames
            draws = self.in_front(process) and not self.locked and not process.hangs
            if not draws:
                process.pause(now)
            elif frames.when == "always":
                process.draw(now, frames.hz or self.refresh_hz)

    def touched(self):
        """Called after each touch or key. An app in front that reacts to touches draws for `linger_s`."""
        with self.lock:
            process, now = self.front, self.now_ns()
            if process is not None and self.in_front(process) and not self.locked and not process.hangs:
                frames = process.app.frames
                if frames.when == "touched":
                    process.draw(now, frames.hz or self.refresh_hz, now + int(frames.linger_s * 1e9))

    def stop(self, package):
        """Ends all processes of a package, as force-stop does. Returns whether there were any."""
        with self.lock:
            ended = [one for one in self.processes if one.app.package == package]
            self.processes = [one for one in self.processes if one not in ended]
            for one in ended:
                one.pause(self.now_ns())
                if self.front is one:
                    self.front = None
            return bool(ended)

    def set_screen(self, on=None, locked=None, refresh_hz=None):
        with self.lock:
            self.screen_on = self.screen_on if on is None else on
            self.locked = self.locked if locked is None else locked
            if refresh_hz not in (None, self.refresh_hz):
                for process in self.processes:
                    process.pause(self.now_ns())
                self.refresh_hz = refresh_hz
            self.redraw()

    def end_monkeys(self, pid=None):
        """Ends all monkeys, or the one with this pid. Returns whether there were any."""
        ended = [one for one in list(self.monkeys) if pid in (None, one.pid)]
        for one in ended:
            one.ended.set()
        return bool(ended)

    def lose_command(self, name):
        """Removes a command, as on a device that never had it."""
        (self.folder / "bin" / name).unlink()

    # ---- files

    def path(self, remote):
        """The path on this machine of a file on the device."""
        for prefix, here in (("/storage/emulated/0", "sdcard"), ("/sdcard", "sdcard"), ("/data", "data")):
            if remote == prefix or remote.startswith(prefix + "/"):
                return self.folder / here / remote[len(prefix):].lstrip("/")
        return Path(remote)

    def write_files(self):
        """Writes the device's own files in /proc and /sys."""
        system.write_files(self)

    # ---- commands and end

    def serve(self, call):
        with self.lock:
            self.calls.append(call)
        self.before(call)
        if call.name in self.delays_s:
            call.sleep(self.delays_s[call.name])
        if call.name not in COMMANDS:
            raise RunReal()
        try:
            code = COMMANDS[call.name](self, call)
        finally:
            self.after(call)
        return code

    def close(self):
        self.closed = True
        self.cancel()
        self.end_monkeys()
        self.machine.close()
        self.server.close()
