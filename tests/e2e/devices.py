"""Devices for the end-to-end tests: real adb and real adbd, in a private network namespace.

Debian's adbd listens on every address and accepts every connection, so it and its adb server run in their own network namespace
(unshare -n). If namespaces are refused, they use the network of this machine. Then a preloaded object
(tests/programs/device_view.c) makes adbd listen only on the loopback, and every port is reserved for its test.
"""

import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ADBD = "/usr/lib/android-sdk/platform-tools/adbd"
DEADLINE_S = 20
FIRST_PORT = 5600  # adb searches lower ports for emulators


def wait_for(condition, what, deadline_s=DEADLINE_S):
    """Polls until condition() is true. Returns its value."""
    end = time.monotonic() + deadline_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {deadline_s} s in vain for {what}")
        time.sleep(0.02)


class Network:
    """The network of the tests. `enter` is the command prefix that enters it, `adbd_env` the environment that an adbd in it needs."""

    def __init__(self, build):
        self.holder = None
        self.enter = []
        self.adbd_env = {}
        self.ports = itertools.count(FIRST_PORT)
        self.reserved = []  # sockets that reserve our ports
        tool = ["unshare", "-n"] if os.getuid() == 0 else ["unshare", "-r", "-n"]
        script = "ip link set lo up && echo up && exec sleep 100000"
        try:
            self.holder = subprocess.Popen(
                [*tool, "sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
            private = self.holder.stdout.readline() == b"up\n"
        except FileNotFoundError:
            private = False
        if private:
            user = [] if os.getuid() == 0 else ["-U", "--preserve-credentials"]
            self.enter = [shutil.which("nsenter"), "-t", str(self.holder.pid), *user, "-n", "--"]
        else:
            self.adbd_env = {"LD_PRELOAD": str(build / "tests/programs/libdevice_view.so")}

    def close(self):
        for socket_ in self.reserved:
            socket_.close()
        if self.holder is not None:
            self.holder.kill()
            self.holder.wait()
            self.holder.stdout.close()

    def free_port(self):
        """A free port in this network, above the ports that adb searches for emulators.

        In a private network it is below the ports that connect() chooses for its own end. A connection to a port in that range
        on which no program listens can get the same port as its own, and is then connected to itself."""
        return next(self.ports) if self.enter else self.reserve_port()

    def reserve_port(self):
        """A port that no other program gets until close(). SO_REUSEADDR lets our own programs listen on it."""
        while True:
            holder = socket.socket()
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind(("127.0.0.1", 0))
            self.reserved.append(holder)
            port = holder.getsockname()[1]
            if port >= FIRST_PORT:
                return port


class Host:
    """The environment of dejank and adb, with its own adb server and home."""

    def __init__(self, network, build, folder):
        self.network = network
        self.build = build
        self.port = network.free_port()
        self.home = folder / "home"
        self.home.mkdir()
        self.segments = folder / "segments"
        self.segments.mkdir(mode=0o700)
        self.env = {
            "PATH": f"{build}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(self.home),
            "TMPDIR": str(folder),
            "LANG": "C.UTF-8",
            "ANDROID_ADB_SERVER_PORT": str(self.port),
            "DEJANK_DIR": str(self.segments),
            "XDG_STATE_HOME": str(self.home),  # adbd overwrites HOME
        }

    def popen(self, *argv, env=None, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([*self.network.enter, *map(str, argv)],
                                env={**self.env, **(env or {})}, **options)

    def run(self, *argv, env=None, timeout=60):
        """Runs a command. Returns the finished process with its output as text."""
        process = self.popen(*argv, env=env)
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        return subprocess.CompletedProcess(argv, process.returncode, out.decode("utf-8", "replace"),
                                           err.decode("utf-8", "replace"))

    def dejank(self, *argv, **options):
        return self.run(self.build / "dejank", *argv, **options)

    def adb(self, *argv):
        return self.run("adb", *argv)

    def close(self):
        # Has no effect if no server runs, because the connection is refused.
        if shutil.which("adb"):
            self.adb("kill-server")


class Device:
    """One adbd with its own PATH. Its shells get the environment that adbd was started with, including PATH. Debian's adbd replaces
    only HOME, USER, SHELL, TERM, TMPDIR and LOGNAME."""

    def __init__(self, host, folder):
        self.host = host
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        self.state = folder / "state"
        self.state.mkdir()
        self.port = host.network.free_port()
        self.serial = f"127.0.0.1:{self.port}"
        env = {**host.env, "PATH": f"{self.bin}:{host.env['PATH']}", "ADBD_PORT": str(self.port),
               "STAND_IN_STATE": str(self.state), **host.network.adbd_env}
        self.log = open(folder / "adbd.log", "wb")
        self.process = subprocess.Popen([*host.network.enter, ADBD], env=env,
                                        stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, start_new_session=True)
        wait_for(self.listens, "adbd to listen")

    def listens(self):
        assert self.process.poll() is None, "adbd ended at once"
        check = f"import socket; socket.create_connection(('127.0.0.1', {self.port}), 1).close()"
        return subprocess.call([*self.host.network.enter, sys.executable, "-c", check],
                               stderr=subprocess.DEVNULL) == 0

    def command(self, name, text):
        """Writes a program to the folder that is first in the device's PATH. Returns its path."""
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.log.close()
