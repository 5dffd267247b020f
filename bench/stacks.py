#!/usr/bin/env python3
"""stacks.py BUILD: what sampled call stacks at 1 kHz cost a program that runs, and dejank itself.

A program runs all the time. Captures of it with and without call stacks alternate, so both find the same memory and the same
caches. The program's CPU time, wall time and frames are read during each capture. The figure is the median of the
pairs' ratios, with the interval that contains it in 95 of 100 cases. CPU time hardly depends on other programs; wall time does."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path
from statistics import median

import capture
import windows

LONG_S = 60
READ_EVERY_S = 0.05
NOBODY = 65534
Reading = namedtuple("Reading", "at_ns cpu_ns frames")
Program = namedtuple("Program", "name words environment window_s pairs bar")

ONE_THREAD = Program("a one-threaded program", ["bench/bench-stacks"], {}, 1, 30, 2)
TWO_THREADS = ONE_THREAD._replace(words=["bench/bench-stacks", "2", "32"])  # 30 to 70 frames per second
GEARS = Program("glxgears", ["glxgears"], {"vblank_mode": "0"}, 1, 20, 5)
QT = Program("a Qt Quick program", ["tests/programs/quick5", "--every", "1000000000", "--frames", "1000000000"],
             {"vblank_mode": "0", "QSG_RENDER_LOOP": "threaded"}, 1.5, 20, 5)


def number(data, at, size):
    return int.from_bytes(data[at:at + size], sys.byteorder)


class Running:
    """A recorded program. Its frames are counted in its segment (docs/format/segment.md)."""

    def __init__(self, build, folder, program, prefix, environment):
        self.build, self.folder, self.prefix = build, folder, prefix
        segments = folder / "segments"
        shutil.rmtree(segments, ignore_errors=True)
        self.environment = {**environment, **program.environment, "DEJANK_DIR": str(segments)}
        words = [build / program.words[0] if "/" in program.words[0] else program.words[0], *program.words[1:]]
        self.process = subprocess.Popen([*prefix, build / "dejank", "record", "--", *words], env=self.environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not self.find_segment(segments):
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.close()
                raise RuntimeError(f"{program.name} records no frames")
            time.sleep(0.1)

    def find_segment(self, segments):
        for path in segments.glob("*.*"):
            self.segment, self.pid = path, int(path.name.split(".")[0])
            if self.count_frames() > 100:
                return True
        return False

    def count_frames(self):
        with open(self.segment, "rb") as file:
            header = os.pread(file.fileno(), 4096, 0)
            size = number(header, 20, 4)
            return sum(number(os.pread(file.fileno(), 8, 4096 + slot * size + 576), 0, 8) for slot in range(number(header, 740, 4)))

    def read(self):
        return Reading(time.monotonic_ns(), round(1e9 * time.clock_gettime((~self.pid) << 3 | 2)), self.count_frames())

    def start_capture(self, seconds, stacks):
        words = ["trace", "capture", "-p", self.pid, "--duration", f"{round(1000 * seconds)}ms", "-o", self.folder / "t.pftrace",
                 "--json", *(["--stacks"] if stacks else [])]
        return subprocess.Popen([*self.prefix, self.build / "dejank", *map(str, words)], env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def measure(self, window_s, stacks):
        """(CPU time, wall time) of a frame in ns, between the first and the last reading in the capture."""
        process, readings = self.start_capture(window_s, stacks), []
        while process.poll() is None:
            readings.append(self.read())
            time.sleep(READ_EVERY_S)
        said = read_answer(process, *process.communicate(timeout=60))
        if stacks and said["stacks"]["samples"] == 0:
            raise RuntimeError(f"no call stacks: {said['limits']}")
        inside = [one for one in readings if said["start_ns"] <= one.at_ns <= said["end_ns"]]
        begun, ended = inside[0], inside[-1]
        frames = ended.frames - begun.frames
        return (ended.cpu_ns - begun.cpu_ns) / frames, (ended.at_ns - begun.at_ns) / frames

    def close(self):
        self.process.terminate()
        self.process.wait(10)


def read_answer(process, out, err):
    if process.returncode != 0 or not out:
        raise RuntimeError(f"the capture ended with {process.returncode}: {err}")
    return json.loads(out.splitlines()[-1])


@contextlib.contextmanager
def running(build, folder, program, prefix=(), environment=None):
    one = Running(build, folder, program, prefix, environment or os.environ)
    try:
        yield one
    finally:
        one.close()


def measure_ratios(one, program, pairs):
    """The ratios of CPU time and of wall time, with call stacks to without, one of each for each pair."""
    ratios = []
    for pair in range(pairs):
        costs = {stacks: one.measure(program.window_s, stacks) for stacks in ((True, False) if pair % 2 else (False, True))}
        ratios.append([costs[True][i] / costs[False][i] for i in range(2)])
    return [list(column) for column in zip(*ratios)]


def ratio_rows(one, program, who):
    pairs = program.pairs if program.bar and not who else program.pairs // 2
    for what, column in zip(["CPU time", "wall time"], measure_ratios(one, program, pairs)):
        low, high = (100 * (end - 1) for end in capture.interval(column))
        bar = program.bar if what == "CPU time" and not who else None
        yield (f"call stacks{who}: {program.name}, {what} of a frame ({low:+.1f} … {high:+.1f})", 100 * (median(column) - 1), "%", bar)


def measure_long(one, seconds, stacks):
    """dejank's CPU time in percent of a CPU, its answer, and the size of the trace."""
    process = one.start_capture(seconds, stacks)
    out, err = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    said = read_answer(process, out, err)
    return 100 * (used.ru_utime + used.ru_stime) / seconds, said, (one.folder / "t.pftrace").stat().st_size


def long_rows(one):
    plain, _, plain_bytes = measure_long(one, LONG_S // 3, False)
    own, said, size = measure_long(one, LONG_S, True)
    yield f"a capture of {LONG_S} s of 2 busy threads with call stacks: dejank's CPU time", own, "%", 1
    yield "… without call stacks", plain, "%", None
    yield "… samples", said["stacks"]["samples"], "", None
    yield "… samples that were lost", said["stacks"]["lost"], "", 0
    yield "… size of the trace", size / 1e6, "MB", 8
    yield f"… without call stacks, for {LONG_S} s", 3 * plain_bytes / 1e6, "MB", None


def nobody(build):
    """The command line before commands of the user nobody, or None if this user cannot run dejank."""
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    permitted = os.geteuid() == 0 and shutil.which("setpriv") and subprocess.run(
        [*prefix, build / "dejank", "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    return prefix if permitted else None


def desktop_programs(build):
    return [program for program in (GEARS, QT)
            if (build / program.words[0]).exists() or shutil.which(program.words[0])]


def rows(build):
    if os.geteuid() != 0:
        yield "call stacks: the bench needs root", float("nan"), "", None
        return
    with tempfile.TemporaryDirectory() as name, windows.x_server() as display:
        folder, environment = Path(name), {**os.environ, "DISPLAY": display}
        os.chmod(folder, 0o777)
        with running(build, folder, ONE_THREAD) as one:
            yield from ratio_rows(one, ONE_THREAD, "")
        for program in desktop_programs(build):
            with running(build, folder, program, (), environment) as one:
                yield from ratio_rows(one, program, "")
        prefix = nobody(build)
        (folder / "t.pftrace").unlink(missing_ok=True)
        for program in [ONE_THREAD, *desktop_programs(build)] if prefix else []:
            with running(build, folder, program, prefix, environment) as one:
                yield from ratio_rows(one, program, " without privilege")
        (folder / "t.pftrace").unlink(missing_ok=True)
        with running(build, folder, TWO_THREADS) as one:
            yield from long_rows(one)


def main():
    for what, value, unit, _ in rows(Path(sys.argv[1]).resolve()):
        print(f"{what:<90} {value:+.2f} {unit}", flush=True)


if __name__ == "__main__":
    main()
