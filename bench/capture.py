#!/usr/bin/env python3
"""capture.py BUILD [PAIRS]: what a capture costs the app that is captured.

Compares each level with `dejank record` alone, in pairs. The order of a pair alternates. Measures the app's CPU time of a
frame, which hardly depends on other programs, and its wall time. Prints a line for each level: the median of the pairs'
ratios, with the interval that contains it in 95 of 100 cases."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

FRAMES = 240
LEVELS = ["tracefs", "perf", "own-threads"]


def cost(build, folder, level):
    app = [build / "bench/bench-capture", str(FRAMES)]
    words = ["trace", "capture", "--level", level, "-o", folder / "t.pftrace", "--"] if level else ["record", "--"]
    done = subprocess.run([build / "dejank", *words, *app], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "DEJANK_DIR": str(folder / "segments")})
    found = re.search(r"cpu_ns (\d+) wall_ns (\d+)", done.stdout)
    if done.returncode == 3:
        return None
    if done.returncode != 0 or not found:
        sys.exit(f"capture.py: {level or 'record'}: {done.stderr}")
    return int(found[1]), int(found[2])


def interval(values):
    """An interval of the median: the smallest pair of ranks that contains the median in at least 95 % of cases."""
    values, count, chance, rank = sorted(values), len(values), 0.5 ** len(values), 0
    below = chance
    while rank + 1 < count // 2 and 2 * (below + chance * (count - rank) / (rank + 1)) <= 0.05:
        chance *= (count - rank) / (rank + 1)
        below += chance
        rank += 1
    return values[rank], values[count - 1 - rank]


def measure(build, folder, level, pairs):
    ratios = []
    for pair in range(pairs):
        order = [level, None] if pair % 2 else [None, level]
        costs = {one: cost(build, folder, one) for one in order}
        ratios.append([costs[level][i] / costs[None][i] for i in range(2)])
    return [list(column) for column in zip(*ratios)]


def rows(build, pairs):
    """The rows of bench/run, for each level that is permitted here."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "segments").mkdir(mode=0o700)
        for level in LEVELS:
            if cost(build, folder, level) is None:
                yield f"a capture by {level}: not permitted here", float("nan"), "%", None
                continue
            for what, column in zip(["CPU time", "wall time"], measure(build, folder, level, pairs)):
                low, high = (100 * (end - 1) for end in interval(column))
                yield (f"a capture by {level}: the app's {what} ({low:+.1f} … {high:+.1f})", 100 * (median(column) - 1), "%",
                       2 if what == "CPU time" else None)


def main():
    for what, value, unit, _ in rows(Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 12):
        print(f"{what:<70} {value:+.2f} {unit}", flush=True)


if __name__ == "__main__":
    main()
