"""How long a store of many runs takes to open and to answer `dejank history`, and change points of a long history."""
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS, PER_BATCH, PROJECTS, DEVICES, FLOWS = 100_000, 10, 4, 5, 5
DAY_MS, FIRST_MS, ROUNDS = 86_400_000, 1_500_000_000_000, 5


def columns(database):
    return [row[1] for row in database.execute("PRAGMA table_info(metrics)") if row[1] != "window_id"]


def batch_rows(chance, batches):
    """Of each batch its place, and what its runs' frame times are multiplied with: a step in the middle of each history."""
    for batch in range(batches):
        yield batch, 1.1 if batch > batches // 2 else 1.0, 8e6 * (1 + 0.02 * chance.gauss(0, 1))


def fill(path, runs=RUNS):
    """As `dejank run` leaves a store: 20 histories of 4 projects each of 500 versions, every figure of every run there."""
    chance = random.Random(7)
    database = sqlite3.connect(path)
    database.executescript("PRAGMA synchronous = OFF; DELETE FROM points; DELETE FROM series; DELETE FROM projects")
    names = columns(database)
    batches = runs // PER_BATCH
    database.executemany("INSERT INTO projects VALUES (?, ?)", [(i + 1, f"com.example.app{i}") for i in range(PROJECTS)])
    database.executemany("INSERT INTO devices VALUES (?, ?, 'adb', 'Phone', '14', ?)",
                         [(i + 1, f"serial-{i}", f"identity-{i}") for i in range(DEVICES)])
    database.executemany("INSERT INTO device_facts VALUES (?, 'ram', ?, 'MiB')", [(i + 1, str(2000 * (i + 1))) for i in range(DEVICES)])
    histories = PROJECTS * DEVICES * FLOWS
    database.executemany("INSERT INTO builds VALUES (?, ?, ?, ?, NULL)",
                         [(p * batches + v + 1, p + 1, f"1.{v}", f"{v:07x}") for p in range(PROJECTS) for v in range(batches // histories + 1)])
    put = f"INSERT INTO metrics (window_id, {', '.join(names)}) VALUES (?{', ?' * len(names)})"
    at = {name: i for i, name in enumerate(names)}
    for batch, factor, time_ns in batch_rows(chance, batches):
        place, version = batch % histories, batch // histories
        project, device, flow = place % PROJECTS, place // PROJECTS % DEVICES, place // PROJECTS // DEVICES
        database.execute("INSERT INTO batches (id, uid, project_id, build_id, device_id, name, kind, options, dejank, began_unix_ms)"
                         " VALUES (?, ?, ?, ?, ?, ?, 'run', '{\"duration_ns\":10000000000}', '0.1', ?)",
                         (batch + 1, f"{batch:016d}", project + 1, project * batches + version + 1, device + 1, f"flow{flow}",
                          FIRST_MS + version * DAY_MS + place))
        for number in range(PER_BATCH):
            run = batch * PER_BATCH + number + 1
            database.execute("INSERT INTO runs VALUES (?, ?, ?, ?, 1, 0, ?, 'ok', NULL, NULL, ?, 10000000000, '14', 1)",
                             (run, f"r{run:015d}", batch + 1, number + 1, number, FIRST_MS))
            database.execute("INSERT INTO windows VALUES (?, ?, 0, '', NULL, NULL)", (run, run))
            values = [1000.5] * len(names)
            values[at["frames"]], values[at["janky_frames"]] = 600, chance.randrange(20, 40)
            for name, of in (("p50", 1), ("p95", 1.6)):
                values[at[f"frame_time_{name}_ns"]] = time_ns * of * factor * (1 + 0.02 * chance.gauss(0, 1))
            database.execute(put, (run, *values))
            database.execute("INSERT INTO histograms VALUES (?, 'frame-time-ns', '{\"1470\":400,\"1480\":150,\"1540\":50}')", (run,))
    database.commit()
    database.close()


def best(command):
    """Seconds from start to end, the best of some rounds, and the most memory of any, MiB."""
    took = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        took.append(time.perf_counter() - start)
    return min(took), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def store_rows(dejank, folder, runs=RUNS):
    path = Path(folder) / "history.db"
    (Path(folder) / "one.csv").write_text("time,value\n1600000000,1\n")
    subprocess.run([str(dejank), "import", "--history", str(Path(folder) / "one.csv"), "--store", str(path)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    fill(path, runs)
    words = [dejank, "history", "--store", path]
    size = path.stat().st_size / (1 << 20)
    yield f"a store of {runs} runs, MiB", size, "MiB", None
    one, _ = best([*words, "--project", "com.example.app1", "--flow", "flow1", "--device", "serial-1", "-m", "p95"])
    yield "dejank history of one flow on one device, start to end", one, "s", 1
    project, _ = best([*words, "--project", "com.example.app1"])
    yield "… of one project, three figures", project, "s", 1
    everything, most = best([*words, "--json"])
    yield "… of everything in it, three figures", everything, "s", 1
    yield "… its memory", most, "MiB", None


def change_rows(program):
    for line in subprocess.run([str(program)], check=True, text=True, stdout=subprocess.PIPE, timeout=60).stdout.splitlines():
        what, value, unit, bar = line.split("\t")
        yield what, float(value), unit, float(bar) if bar else None


def bench_rows(build):
    with tempfile.TemporaryDirectory() as folder:
        yield from store_rows(build / "dejank", folder)
    yield from change_rows(build / "bench/bench-changes")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for row in store_rows(Path(sys.argv[1]), scratch, int(sys.argv[2]) if len(sys.argv) > 2 else RUNS):
            print(*row, sep="\t")
