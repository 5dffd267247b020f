"""What an event of a section and a stamp of a stage cost in a program that calls dejank, compared with reading the clock, and with a
tracepoint of LTTng-UST if it is installed."""
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def compiled_tracepoint(scratch):
    program = Path(scratch) / "bench-lttng"
    done = subprocess.run(["cc", "-O2", "-I", ROOT / "bench", ROOT / "bench/bench_lttng.c", "-o", program, "-llttng-ust", "-ldl"],
                          capture_output=True, timeout=60, check=False)
    return program if done.returncode == 0 else None


class Session:
    """A session daemon for this benchmark. It records the tracepoint in memory."""

    def __init__(self, scratch):
        self.pid_file = Path(scratch) / "sessiond.pid"
        self.environment = {**os.environ, "LTTNG_HOME": str(scratch), "HOME": str(scratch)}
        self.run("lttng-sessiond", "--no-kernel", "--daemonize", f"--pidfile={self.pid_file}")
        self.run("lttng", "create", "dejank-bench", "--snapshot")  # a ring in memory, as ours: nothing is written out
        self.run("lttng", "enable-event", "--userspace", "dejank_bench:*")
        self.run("lttng", "start")

    def run(self, *words):
        return subprocess.run(words, env=self.environment, check=True, capture_output=True, text=True, timeout=30).stdout

    def close(self):
        subprocess.run(["lttng", "destroy", "dejank-bench"], env=self.environment, capture_output=True, timeout=30, check=False)
        pid = int(self.pid_file.read_text())
        os.kill(pid, signal.SIGTERM)
        for _ in range(100):
            if not Path(f"/proc/{pid}").exists():
                break
            time.sleep(0.1)


def lttng_ns():
    """Nanoseconds of a recorded tracepoint, or None if it cannot be measured."""
    if not shutil.which("lttng-sessiond") or not shutil.which("cc"):
        return None
    with tempfile.TemporaryDirectory() as scratch:
        program = compiled_tracepoint(scratch)
        if program is None:
            return None
        try:
            session = Session(scratch)
        except (subprocess.SubprocessError, OSError):
            return None
        try:
            return float(session.run(str(program)))
        finally:
            session.close()


def bench_rows(build, environment):
    output = "".join(subprocess.run([build / "bench/bench-sections", *words], env=environment, check=True, capture_output=True,
                                    text=True, timeout=120).stdout for words in ([], ["clock"]))
    for line in output.splitlines():
        what, value, unit, bar = line.split("\t")
        yield what, float(value), unit, float(bar) if bar else None
        if what.startswith("one event"):
            event = float(value)
    tracepoint = lttng_ns()
    if tracepoint is not None:
        yield "a tracepoint of LTTng-UST with a name, recorded", tracepoint, "ns", None
        yield "... of an event of ours", tracepoint / event, "x", None
