"""How long `dejank compare` takes for two batches of 50 runs of 600 frames, from a store and from two folders of logs: wall time
and CPU time. For comparison: the time in which the same program opens the store and lists it, and the time in which any program
starts and ends. The commands alternate. As root, they have a higher priority than other programs."""
import random
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from dump_apps import precedence

RUNS, FRAMES, ROUNDS = 50, 600, 15


def write_logs(folder, slower, chance):
    """Short logs of MangoHud: frames per second and the frame time in ms."""
    folder.mkdir()
    for run in range(RUNS):
        middle = slower * (1 + 0.05 * chance.gauss(0, 1))
        times = (9 * middle * (1 + 0.2 * chance.random()) for _ in range(FRAMES))
        lines = "".join(f"{1000 / ms:.1f},{ms:.4f}\n" for ms in times)
        (folder / f"run{run:02}.csv").write_text("fps,frametime\n" + lines)


def spent(command):
    """(wall time, CPU time) in ms. The exit code may be any verdict."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1, 6):
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr.decode()}")
    return wall * 1e3, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def bench_rows(build):
    dejank = build / "dejank"
    with tempfile.TemporaryDirectory() as scratch:
        store = Path(scratch) / "store.db"
        chance = random.Random(11)
        for name, slower in (("before", 1), ("after", 1.1)):
            folder = Path(scratch) / name
            write_logs(folder, slower, chance)
            subprocess.run([dejank, "import", "--label", name, "--package", "bench.compare", "--store", store,
                            *sorted(folder.iterdir())], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ways = {
            "true": ["/bin/true"],
            "list": [dejank, "list", "--store", store],
            "store": [dejank, "compare", "before", "after", "--json", "--store", store],
            "folders": [dejank, "compare", Path(scratch) / "before", Path(scratch) / "after", "--json"],
        }
        figures = {name: [] for name in ways}
        with precedence():
            for _ in range(ROUNDS):
                for name, command in ways.items():
                    figures[name].append(spent(command))
    wall = {name: statistics.median(figure[0] for figure in of) for name, of in figures.items()}
    processor = {name: statistics.median(figure[1] for figure in of) for name, of in figures.items()}
    yield "starting and ending any program", wall["true"], "ms", None
    yield "list of the same store, start to end", wall["list"], "ms", None
    yield "compare of 2 × 50 runs from a store, start to end", wall["store"], "ms", 100
    yield "… of which processor", processor["store"], "ms", None
    yield "compare of 2 × 50 logs of 600 frames in folders", wall["folders"], "ms", None
    yield "… of which processor", processor["folders"], "ms", None
