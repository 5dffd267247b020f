"""Records programs and reads the recordings, with a separate reader that shares no code with dejank's."""

import os
import re
import subprocess
from dataclasses import dataclass

from displays import favoured


@dataclass
class Row:
    """A framestats row. Durations are in ms."""

    start_ns: int
    completed_ns: int
    frame_ms: float
    total_ms: float
    flags: int


@dataclass
class Recorded:
    """dumpsys' data of a process."""

    total: int
    janky: int
    rows: list
    text: str

    @property
    def janky_pct(self):
        return 100 * self.janky / self.total

    def frame_ms(self, quantile):
        times = sorted(row.frame_ms for row in self.rows)
        return times[min(len(times) - 1, int(len(times) * quantile))]


def rows_of(text):
    rows, header, inside = [], None, False
    for line in text.splitlines():
        if line == "---PROFILEDATA---":
            inside, header = not inside, None
        elif inside and header is None:
            header = line.rstrip(",").split(",")
        elif inside:
            value = dict(zip(header, map(int, line.rstrip(",").split(","))))
            stall = max(0, value["SyncStart"] - value["SyncQueued"])
            total = value["FrameCompleted"] - value["IntendedVsync"]
            rows.append(Row(value["IntendedVsync"], value["FrameCompleted"], (total - stall) / 1e6, total / 1e6,
                            value["Flags"]))
    return rows


SUMMARY = re.compile(r"^dejank record: .+: \d+ frames, \d+ janky \(.*\n", re.M)


def without_summary(result):
    """Moves the summary line of the recording from a finished program's stderr to `summary`, which is "" if there is none."""
    result.summary = "".join(SUMMARY.findall(result.stderr))
    result.stderr = SUMMARY.sub("", result.stderr)
    return result


class Recorder:
    """Runs programs under `dejank record` with the test's own segment folder."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        self.environment = dict(os.environ, DEJANK_DIR=str(folder))
        self.environment.pop("LD_PRELOAD", None)
        folder.mkdir(mode=0o700, exist_ok=True)

    def command(self, name, *program, options=()):
        return favoured([str(self.build / "dejank"), "record", "--name", name, *options, "--", *map(str, program)])

    def run(self, name, *program, options=(), environment=None, timeout=60):
        return without_summary(subprocess.run(self.command(name, *program, options=options),
                                              env={**self.environment, **(environment or {})},
                                              capture_output=True, text=True, timeout=timeout))

    def start(self, name, *program, options=(), environment=None):
        return subprocess.Popen(self.command(name, *program, options=options),
                                env={**self.environment, **(environment or {})},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def dumpsys(self, *words, timeout=20):
        return subprocess.run([str(self.build / "dumpsys"), *words], env=self.environment, capture_output=True,
                              text=True, timeout=timeout)

    def dejank(self, *words, timeout=60):
        return subprocess.run([str(self.build / "dejank"), *words], env=self.environment, capture_output=True,
                              text=True, timeout=timeout)

    def read(self, name):
        text = self.dumpsys("gfxinfo", name, "framestats").stdout
        total = re.search(r"^Total frames rendered: (\d+)$", text, re.M)
        janky = re.search(r"^Janky frames: (\d+) ", text, re.M)
        assert total and janky, f"no statistics for {name}:\n{text}"
        return Recorded(int(total[1]), int(janky[1]), rows_of(text), text)


@dataclass
class Truth:
    """Times of a frame in ms, as the scene program reports them."""

    planned_ms: float  # planned duration of its work
    work_ms: float  # measured duration of its work
    swap_ms: float  # duration of drawing, swapping and waiting for the swap


def truth_of(output):
    works = re.findall(r"^frame \d+ planned_ms (\S+) took_ms (\S+)$", output, re.M)
    swaps = re.findall(r"^swapped \d+ took_ms (\S+)$", output, re.M)
    assert len(works) == len(swaps)
    return [Truth(*map(float, (*work, swap))) for work, swap in zip(works, swaps)]
