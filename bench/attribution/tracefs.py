"""A private instance of tracefs. It records switches, wake-ups, interrupts, block requests and timers of the whole machine as text."""
import os
import subprocess
import tempfile
from pathlib import Path

EVENTS = ("sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup_new", "sched/sched_blocked_reason", "task/task_newtask",
          "task/task_rename", "irq", "block/block_rq_issue", "block/block_rq_complete", "timer/hrtimer_start")
BUFFER_KB = 16384


class Missing(Exception):
    """This machine or this user cannot use tracefs."""


class Instance:
    def __init__(self):
        self.mount = Path(tempfile.mkdtemp(prefix="dejank-tracefs-"))
        done = subprocess.run(["mount", "-t", "tracefs", "nodev", self.mount], capture_output=True, text=True)
        if done.returncode != 0:
            self.mount.rmdir()
            raise Missing(f"tracefs cannot be mounted: {done.stderr.strip()}")
        self.path = self.mount / "instances" / f"dejank-planted-{os.getpid()}"
        try:
            self.path.mkdir()
            self.write("trace_clock", "mono")
            self.write("options/record-tgid", "1")
            self.write("buffer_size_kb", str(BUFFER_KB))
            for event in EVENTS:
                enable = self.path / "events" / event / "enable"
                if enable.exists():
                    enable.write_text("1")
        except OSError as error:
            self.close()
            raise Missing(f"no instance of tracefs: {error}") from error

    def write(self, name, text):
        (self.path / name).write_text(text)

    def marker(self):
        return self.path / "trace_marker"

    def start(self):
        self.write("trace", "")
        self.write("tracing_on", "1")

    def stop(self, to):
        self.write("tracing_on", "0")
        with open(self.path / "trace", "rb") as trace:
            to.write_bytes(trace.read())

    def close(self):
        try:
            if self.path.exists():
                self.path.rmdir()
        finally:
            subprocess.run(["umount", self.mount], check=True)
            self.mount.rmdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
