"""A machine: a root file system and how to run commands in it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import check, execute

HERE = Path(__file__).resolve().parent
UID = 1000  # of the ordinary user
HOMES = {"root": "/root", "user": "/home/user"}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Docker grants these capabilities to root in a container, and hides these paths or makes them read-only (moby: oci/defaults.go).
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP",
                "NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE")
HIDDEN_FILES = ("/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/timer_list", "/proc/sched_debug")
HIDDEN_FOLDERS = ("/proc/acpi", "/proc/asound", "/proc/scsi", "/sys/firmware", "/sys/kernel/debug", "/sys/kernel/tracing")
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
SHARED_MEMORY = str(64 << 20)  # bytes; Docker's default
# A container on the file system of this machine has private, empty folders at these paths.
WRITABLE = ("/tmp", "/var/tmp", "/run", "/root", "/home")

# $0: the root file system; $1…: folders to bind, "--", the working directory, the command.
# The shell stays as process 1 and reaps orphans. From inside, "/" is no mount point.
CHROOT = """
mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" || exit 125
while [ "$1" != -- ]; do mkdir -p "$0$1" && mount --rbind "$1" "$0$1" || exit 125; shift; done
shift
folder=$1
shift
chroot "$0" /usr/bin/env -C "$folder" "$@"
exit $?
"""


class Machine:
    """`folder` contains the root file system. A container may have None: it uses that of this machine, read-only."""

    def __init__(self, kind, user, folder, binds=()):
        self.kind, self.user, self.folder, self.binds = kind, user, folder, list(binds)
        self.env = {"PATH": PATH, "HOME": HOMES[user], "TERM": "dumb", "USER": user}

    def as_user(self):
        return ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"] if self.user == "user" else []

    def in_bounds(self):
        """Prefix that limits the programs in the container to the container's capabilities."""
        known = subprocess.check_output(["setpriv", "--list-caps"], text=True).split()
        others = [f"-{name}" for name in known if name.upper() not in CAPABILITIES]
        return ["setpriv", "--inh-caps=-all", f"--bounding-set={','.join(others)}"]

    def chroot(self, command, network, folder):
        """The command in a chroot. Its pid namespace kills all processes with the first one. Its mount namespace removes the mounts."""
        net, up = ([], "") if network else (["--net"], "ip link set lo up || exit 125")
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", *net, "sh", "-c", up + CHROOT, str(self.folder),
                *self.binds, "--", folder, *self.as_user(), *command]

    def file_system(self):
        if self.folder:
            return ["--bind", str(self.folder), "/"]
        own = [word for path in WRITABLE for word in ("--perms", "1777", "--tmpfs", path)]
        return ["--ro-bind", "/", "/", *own, "--perms", "1777", "--dir", HOMES[self.user]]

    def masks(self):
        for path in HIDDEN_FILES:
            yield ["--dev-bind", "/dev/null", path]
        for path in HIDDEN_FOLDERS:
            yield ["--tmpfs", path, "--remount-ro", path]
        for path in READ_ONLY:
            yield ["--ro-bind", path, path]

    def container(self, command, network, folder):
        words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
                 *([] if network else ["--unshare-net"]), *self.file_system(), "--proc", "/proc", "--dev", "/dev",
                 "--perms", "1777", "--size", SHARED_MEMORY, "--tmpfs", "/dev/shm",
                 "--ro-bind", "/sys", "/sys", "--chdir", folder, "--cap-drop", "ALL", "--seccomp", "0"]
        for name in CAPABILITIES:
            words += ["--cap-add", f"CAP_{name}"]
        for bind in self.binds:
            # The folders that bwrap creates by itself are open to root only.
            words += [word for path in reversed(Path(bind).parents[:-1]) for word in ("--perms", "0755", "--dir", str(path))]
            words += ["--bind", bind, bind]
        for mask in self.masks():
            words += mask if os.path.exists(mask[-1]) else []
        return [*words, "--", *self.in_bounds(), *self.as_user(), "sh", "-c", 'exec "$@" </dev/null', "sh", *command]

    def run(self, command, seconds=None, network=False, folder=None):
        """Runs a command and returns its exit status, 124 after a time-out. Kills all its processes when it ends."""
        words = getattr(self, self.kind)(list(command), network, folder or f"{HOMES[self.user]}/dejank")
        if self.kind != "container":
            return execute(words, seconds, env=self.env)
        with seccomp_filter() as stream:
            return execute(words, seconds, env=self.env, stdin=stream)

    def check(self, command, **options):
        status = self.run(command, **options)
        if status != 0:
            sys.exit(f"machines: {' '.join(command)} failed with exit status {status} (its message is above)")


def seccomp_filter():
    """A file with the seccomp filter of a container, as bwrap reads it."""
    stream = tempfile.TemporaryFile()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "seccomp_filter"
        check(["cc", "-o", program, HERE / "seccomp_filter.c"])
        check([program], stdout=stream)
    stream.seek(0)
    return stream
