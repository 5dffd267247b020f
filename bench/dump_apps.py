"""How long `dumpsys` takes while programs with known frames run (tests/programs/fake_app.c)."""

import contextlib
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

PAIRS = 75
ROWS = 120
APPS = 50


def processor_s():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def times_ms(command, environment):
    """(wall time, CPU time) of a process in ms."""
    start = time.perf_counter(), processor_s()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, timeout=60, env=environment)
    return (time.perf_counter() - start[0]) * 1e3, (processor_s() - start[1]) * 1e3


class Apps:
    """Programs that run. Each has a window of 120 frames."""

    def __init__(self, build, folder, count):
        self.environment = {**os.environ, "DEJANK_DIR": str(folder / "segments"), "XDG_STATE_HOME": str(folder)}
        (folder / "segments").mkdir(mode=0o700, parents=True)
        self.process = subprocess.Popen(
            [build / "tests/programs/fake_app", "dejank.bench", "--frames", str(ROWS), "--children", str(count - 1)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment)
        for _ in range(count):
            assert self.process.stdout.readline().startswith(b"ready ")

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


def rows_in(command, environment):
    text = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    return len(re.findall(r"^\d+,", text, re.M)), len(text)


class Measured:
    """Medians of the times of a command and of a program that does nothing, which alternate, and the command's output."""

    def __init__(self, build, folder, count, words):
        apps = Apps(build, folder, count)
        try:
            command = [build / "dumpsys", *words]
            self.rows, self.bytes = rows_in(command, apps.environment)
            with precedence():
                pairs = [(times_ms(command, apps.environment), times_ms(["/bin/true"], apps.environment))
                         for _ in range(PAIRS)]
        finally:
            apps.close()
        self.wall_ms = statistics.median(wall for (wall, _), _ in pairs)
        self.processor_ms = statistics.median(processor for (_, processor), _ in pairs)
        self.nothing_ms = statistics.median(wall for _, (wall, _) in pairs)


@contextlib.contextmanager
def precedence():
    """Gives programs that start here a higher priority than other programs. Only root may do this."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        print("bench: not root: waits for other programs are measured, too", file=sys.stderr)
    try:
        yield
    finally:
        if os.sched_getscheduler(0) == os.SCHED_FIFO:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def bench_rows(build, scratch):
    scratch = Path(scratch)
    one = Measured(build, scratch / "one", 1, ["gfxinfo", "dejank.bench", "framestats"])
    assert one.rows == ROWS
    yield "starting and ending any program (/bin/true)", one.nothing_ms, "ms", None
    yield f"dumpsys gfxinfo, whole process, {one.rows} frames", one.wall_ms, "ms", 5
    yield "… CPU time of it", one.processor_ms, "ms", None
    many = Measured(build, scratch / "many", APPS, ["gfxinfo"])
    assert many.rows == APPS * ROWS
    yield f"dumpsys gfxinfo, {APPS} apps, {many.rows} frames, {many.bytes // 1000} kB", many.wall_ms, "ms", 50
    yield "… CPU time of it", many.processor_ms, "ms", None
    stats = Measured(build, scratch / "stats", APPS, ["graphicsstats"])
    yield f"dumpsys graphicsstats, {APPS} apps", stats.wall_ms, "ms", 50
    yield "… CPU time of it", stats.processor_ms, "ms", None
