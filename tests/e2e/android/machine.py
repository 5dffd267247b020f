"""The machine of a stand-in: adbd in its own namespaces (mounts, pids, clock), in the network of the tests.

adbd is the first process of its pid namespace, so its end kills everything else there. Nothing outlives a stand-in, and a device
that reboots itself reboots nothing else. Its /data, /sdcard, /sys and parts of /proc are folders of the test.

If the kernel refuses namespaces, adbd and its commands preload tests/programs/device_view.c, which maps their paths to these
folders. Their environment then marks the processes that must end with adbd.
"""

import ctypes
import functools
import os
import random
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from devices import ADBD, wait_for

SLEPT_S = 4321  # CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC by this time, as if the device had slept

# $1: the folder of the device. $2: the program to run. Changes are visible only in its own mount namespace.
BOOT = r"""
set -e
device_path=$PATH
PATH=${PATH#*:}
folder=$1
root=$folder/root
mount -t tmpfs -o mode=755 root "$root"
for path in /*; do
    name=${path#/}
    case $name in data|sdcard|storage|system|proc|sys) continue ;; esac
    if [ -L "$path" ]; then cp -P "$path" "$root/$name"
    elif [ -d "$path" ]; then mkdir "$root/$name"; mount --rbind "$path" "$root/$name"
    fi
done
cd "$root"
mkdir data sdcard storage storage/emulated storage/emulated/0 system system/bin proc sys
ln -s /bin/sh system/bin/sh
mount -t proc proc proc
for name in data sdcard sys; do mount --bind "$folder/$name" $name; done
mount --bind sdcard storage/emulated/0
for file in "$folder"/proc/*; do mount --bind "$file" "proc/${file##*/}"; done
exec env "PATH=$device_path" chroot . "$2"
"""


@functools.cache
def namespaces_are_refused():
    """Whether namespaces fail, as in containers, for ordinary users, and in a chroot, because its "/" is no mount point."""
    probe = ["unshare", "-m", "-p", "-f", "--kill-child", "-T", "--monotonic", "1", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(probe, stdin=subprocess.DEVNULL, capture_output=True).returncode != 0


def create_machine(network, folder, env, build):
    """Returns a Machine, or a SharedMachine if the kernel refuses namespaces."""
    return SharedMachine(network, folder, env, build) if namespaces_are_refused() else Machine(network, folder, env)


class Machine:
    """One adbd. `env` is its environment, and so that of every shell of the device."""

    def __init__(self, network, folder, env, port=None):
        self.network = network
        self.folder = folder
        self.port = port or network.free_port()
        self.env = {**env, "ADBD_PORT": str(self.port)}
        self.ahead_ns = 0  # the device's CLOCK_MONOTONIC minus the host's
        self.process = None
        self.lock = threading.RLock()  # keeps power_off() from killing an adbd that starts at the same time
        for name in ("root", "data/local/tmp", "sdcard", "sys", "proc"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.log = open(folder / "adbd.log", "ab")

    def now_ns(self):
        """The device's CLOCK_MONOTONIC."""
        return time.monotonic_ns() + self.ahead_ns

    def power_on(self, uptime_s=None):
        """Starts adbd. With `uptime_s`, the device booted that long ago. Without it, the first uptime is random, and later the clock continues."""
        with self.lock:
            if uptime_s is not None or self.ahead_ns == 0:
                since = random.randrange(200_000, 900_000) if uptime_s is None else uptime_s
                self.ahead_ns = int(since - time.monotonic()) * 1_000_000_000
            self.start_adbd(self.ahead_ns // 1_000_000_000)
            wait_for(self.listens, "the stand-in's adbd to listen")

    def start_adbd(self, ahead_s):
        own = ["unshare", "-m", "-p", "-f", "--kill-child", "-T", "--monotonic", str(ahead_s), "--boottime",
               str(ahead_s + SLEPT_S)]
        self.spawn([*own, "sh", "-c", BOOT, "boot", str(self.folder), ADBD], self.env)

    def spawn(self, command, env):
        self.process = subprocess.Popen([*self.network.enter, *command], env=env, stdin=subprocess.DEVNULL,
                                        stdout=self.log, stderr=self.log, start_new_session=True)

    def listens(self):
        if self.process.poll() is not None:
            said = (self.folder / "adbd.log").read_text(errors="replace").strip().splitlines()
            if "Address already in use" in "".join(said[-1:]):  # the kernel has not freed the socket of the last adbd
                self.start_adbd(self.ahead_ns // 1_000_000_000)
                return False
            raise AssertionError(f"adbd ended at once: {said[-3:]}")
        return bool(self.addresses())

    def addresses(self):
        """The addresses at which adbd listens, as the kernel prints them."""
        sockets = []
        for table in ("tcp", "tcp6"):
            with suppress(OSError):
                sockets += Path(f"/proc/{self.process.pid}/net/{table}").read_text().splitlines()[1:]
        rows = [line.split() for line in sockets]
        return [row[1].rpartition(":")[0] for row in rows if row[1].endswith(f":{self.port:04X}") and row[3] == "0A"]

    def power_off(self):
        """Kills everything that runs on the device."""
        with self.lock:
            if self.process is not None:
                if self.process.poll() is None:
                    os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
                self.process = None
                self.kill_rest()

    def kill_rest(self):
        """Kills processes that outlive adbd. In a pid namespace there are none."""

    def listen(self, port):
        """A socket that listens in the device's network."""
        entered = []

        def make():
            if self.network.holder is not None and self.network.enter:
                here = os.open(f"/proc/{self.network.holder.pid}/ns/net", os.O_RDONLY)
                ctypes.CDLL(None, use_errno=True).setns(here, 0x40000000)  # affects only this thread
                os.close(here)
            entered.append(socket.create_server(("127.0.0.1", port)))

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        if not entered:
            raise OSError(f"cannot listen at {port}")
        return entered[0]

    def freeze(self, frozen=True):
        os.killpg(self.process.pid, signal.SIGSTOP if frozen else signal.SIGCONT)

    def fill_storage(self):
        """Prevents new files in /data/local/tmp."""
        self.run_inside("mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=1", "full", "/data/local/tmp")

    def free_storage(self):
        self.run_inside("umount", "/data/local/tmp")

    def run_inside(self, *argv):
        """Runs a command of this machine in its mount namespace."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        subprocess.run(["nsenter", "-t", children[0], "-m", "--root", "--", *argv], check=True, capture_output=True, timeout=20)

    def close(self):
        self.power_off()
        self.log.close()


class SharedMachine(Machine):
    """A machine without namespaces. Its processes have its folder in their environment."""

    def __init__(self, network, folder, env, build):
        super().__init__(network, folder, {**env, "DEVICE_FOLDER": str(folder),
                                           "LD_PRELOAD": str(build / "tests/programs/libdevice_view.so")})

    def start_adbd(self, ahead_s):
        self.spawn([ADBD], {**self.env, "DEVICE_AHEAD_S": str(ahead_s + SLEPT_S)})

    def kill_rest(self):
        empty_scans = 0
        while empty_scans < 3:  # during exec, a process briefly has no environment
            pids = list(self.pids())
            empty_scans = 0 if pids else empty_scans + 1
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)

    def pids(self):
        mark = f"DEVICE_FOLDER={self.folder}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    yield int(process.name)

    def fill_storage(self):
        (self.folder / "full").touch()

    def free_storage(self):
        (self.folder / "full").unlink()
