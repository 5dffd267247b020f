#!/usr/bin/env python3
"""real.py collect|verdicts SET… [--pairs N] [--build DIR] [--keep DIR] [--precedence]: measures real batches on this machine
and judges them.

A set consists of pairs of batches, A and B. `collect` measures each pair with `dejank compare --run`: ten runs of one second
per batch, interleaved. It starts its own X server. After each pair it appends the results of its runs to runs-SET.csv next to
this file. An interrupted set continues with the next pair. --keep DIR keeps the stores in this folder. `verdicts` judges each
pair of these stores again with `dejank compare`, and writes verdicts-SET.csv.

--precedence (as root) gives the programs real-time priority, so that the load of other programs does not hide a change of a
tenth.
"""
import argparse
import csv
import json
import os
import select
import shlex
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNS = 10
PAIR_SECONDS = 600
GEARS = ["glxgears", "-geometry", "200x200"]
QUADS = 50
METRICS = ("frame_time_p50_ns", "frame_time_p90_ns", "frame_time_p95_ns", "frame_time_p99_ns", "frame_time_mean_ns",
           "rows_judged", "rows_janky")
FIELDS = ("pair", "arm", "run", "order", *METRICS)


def sets(build):
    """Returns the commands of A and B for each set."""
    draws = str(build / "bench/accuracy/draws")
    plain, more = [draws, str(QUADS)], [draws, str(QUADS + QUADS // 10)]
    return {"gears-aa": (GEARS, GEARS), "draws-aa": (plain, plain), "draws-ab": (plain, more)}


def say(message):
    print(f"real: {message}", file=sys.stderr, flush=True)


@contextmanager
def display():
    """Starts an X server. Yields its display name, and stops it at the end."""
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-noreset", "-nolisten", "tcp"], pass_fds=[writing],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        number = ""
        while not number.endswith("\n") and select.select([reading], [], [], 30)[0]:
            number += os.read(reading, 16).decode() or "\n"
        yield ":" + number.strip()
    finally:
        os.close(reading)
        server.terminate()
        server.wait(20)


def csv_of(name):
    return HERE / f"runs-{name}.csv"


def measured(name):
    """Returns the number of measured pairs of a set."""
    if not csv_of(name).exists():
        return 0
    with csv_of(name).open() as file:
        return max((int(row["pair"]) for row in csv.DictReader(file)), default=0)


def measure_pair(dejank, name, pair, commands, store, environment):
    """Measures a pair. Returns the ids of the batches of A and B."""
    a, b = commands
    done = subprocess.run(
        [dejank, "compare", "--run", "--json", "--package", f"accuracy.{name}", "--name", f"{name}-{pair}", "-n", str(RUNS),
         "--warmup", "0", "--for", "1s", "--settle", "100ms", "--retries", "0", "--max-load", "1000", "--seed", str(pair),
         "--store", store, "--", shlex.join(a), shlex.join(b)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, timeout=PAIR_SECONDS)
    if done.returncode not in (0, 1, 6):  # all exit codes with a verdict
        raise RuntimeError(f"pair {pair} of {name} ended with {done.returncode}:\n{done.stderr}")
    found = json.loads(done.stdout)
    return [found[side]["batches"][0] for side in ("a", "b")]


def rows_of(dejank, pair, arm, batch, store):
    shown = subprocess.run([dejank, "show", batch, "--json", "--store", store], stdout=subprocess.PIPE, text=True, check=True)
    for run in json.loads(shown.stdout)["each_run"]:
        if run["counts"]:
            figures = [run["metrics"][metric] for metric in METRICS]
            yield [pair, arm, run["number"], run["order_index"], *(f"{value:.0f}" for value in figures)]


def add(name, rows):
    new = not csv_of(name).exists()
    with csv_of(name).open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(FIELDS)
        writer.writerows(rows)


def collect(build, name, pairs, folder):
    dejank = str(build / "dejank")
    commands = sets(build)[name]
    with display() as number:
        environment = {**os.environ, "DISPLAY": number, "vblank_mode": "0", "LP_NUM_THREADS": "0"}
        for pair in range(measured(name) + 1, pairs + 1):
            store = str(Path(folder) / f"{name}.db")
            batches = measure_pair(dejank, name, pair, commands, store, environment)
            add(name, [row for arm, batch in zip("AB", batches) for row in rows_of(dejank, pair, arm, batch, store)])
            say(f"{name}: pair {pair} of {pairs}")


def batches_of(dejank, store):
    """Returns {(pair, arm): id}."""
    listed = subprocess.run([dejank, "list", "--json", "--store", store], stdout=subprocess.PIPE, text=True, check=True)
    return {(int(batch["name"].rsplit("-", 1)[1]), batch["arm"]): batch["id"] for batch in json.loads(listed.stdout)["batches"]}


def judge(build, name, folder):
    dejank, store = str(build / "dejank"), str(Path(folder) / f"{name}.db")
    batches = batches_of(dejank, store)
    with (HERE / f"verdicts-{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("pair", "exit", "verdict", "interleaved"))
        for pair in sorted({pair for pair, _ in batches}):
            done = subprocess.run([dejank, "compare", batches[pair, "A"], batches[pair, "B"], "--json", "--store", store],
                                  stdout=subprocess.PIPE, text=True, timeout=PAIR_SECONDS)
            told = json.loads(done.stdout)
            apart = any("interleaved" in str(warning) for warning in told["warnings"])
            writer.writerow((pair, done.returncode, told["verdict"], "no" if apart else "yes"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["collect", "verdicts"])
    parser.add_argument("set", nargs="+", choices=sorted(sets(ROOT)))
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--precedence", action="store_true")
    options = parser.parse_args()
    if options.what == "verdicts" and options.keep is None:
        parser.error("verdicts needs the stores that --keep left")
    if options.precedence:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # child processes inherit it
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.set:
            if options.what == "verdicts":
                judge(options.build.resolve(), name, options.keep)
                continue
            collect(options.build.resolve(), name, options.pairs, options.keep or scratch)


if __name__ == "__main__":
    sys.exit(main())
