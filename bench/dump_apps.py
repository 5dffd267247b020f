"""What `dumpsys` costs whoever waits for it: programs with known frames (tests/programs/fake_app.c) run while it reads."""

import os
import re
import statistics
import subprocess
import time
from pathlib import Path

PAIRS = 75
ROWS = 120
APPS = 50


def wall_ms(command, environment):
    """Start to end of a process as a person waits for it."""
    start = time.perf_counter()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, timeout=60, env=environment)
    return (time.perf_counter() - start) * 1e3


class Apps:
    """Programs that run, each with a window of 120 frames."""

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


def measure(build, folder, count, words):
    """Median times of the command and, in turns with it, of a program that does nothing; rows and bytes it printed."""
    apps = Apps(build, folder, count)
    try:
        command = [build / "dumpsys", *words]
        rows, length = rows_in(command, apps.environment)
        pairs = [(wall_ms(command, apps.environment), wall_ms(["/bin/true"], apps.environment)) for _ in range(PAIRS)]
    finally:
        apps.close()
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), rows, length


def take_precedence():
    """Other work on the machine is not what is measured; only root may."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    except PermissionError:
        pass


def bench_rows(build, scratch):
    scratch = Path(scratch)
    take_precedence()
    one_ms, nothing_ms, rows, _ = measure(build, scratch / "one", 1, ["gfxinfo", "dejank.bench", "framestats"])
    assert rows == ROWS
    yield "starting and ending any program (/bin/true)", nothing_ms, "ms", None
    yield f"dumpsys gfxinfo, whole process, {rows} frames", one_ms, "ms", 5
    many_ms, _, rows, length = measure(build, scratch / "many", APPS, ["gfxinfo"])
    assert rows == APPS * ROWS
    yield f"dumpsys gfxinfo, {APPS} apps, {rows} frames, {length // 1000} kB", many_ms, "ms", 50
    stats_ms, _, _, _ = measure(build, scratch / "stats", APPS, ["graphicsstats"])
    yield f"dumpsys graphicsstats, {APPS} apps", stats_ms, "ms", 50
