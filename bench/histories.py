"""How long it takes to open a store of many runs, in a file and on a server, and to answer `dejank history`, `gate` and `list`, and how
much memory this needs. For comparison, the database's own shell reads the same rows. Also the change points of a long history."""
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import postgres_server

RUNS, PER_BATCH, PROJECTS, DEVICES, FLOWS = 100_000, 10, 4, 5, 5
DAY_MS, FIRST_MS, ROUNDS = 86_400_000, 1_500_000_000_000, 5


def columns(database):
    return [row[1] for row in database.execute("PRAGMA table_info(metrics)") if row[1] != "window_id"]


def batch_rows(chance, batches):
    """For each batch its place, and a factor for the frame times of its runs. Each history has a step in its middle."""
    for batch in range(batches):
        yield batch, 1.1 if batch > batches // 2 else 1.0, 8e6 * (1 + 0.02 * chance.gauss(0, 1))


def fill(path, runs=RUNS):
    """Fills a store as `dejank run` does: 20 histories in 4 projects, with 500 versions each and all figures of every run."""
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


def spent(command):
    """(wall time, CPU time) in s. A verdict of a gate is no failure."""
    start = time.perf_counter()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    took = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 6):
        raise RuntimeError(f"{command} ended with {child.returncode}")
    return took, usage.ru_utime + usage.ru_stime


def memory(command):
    """Maximum memory of a process in MiB. When its first byte arrives, it has all its data, because the rest of the output does not fit
    into the pipe. (The kernel's figure after the end would include this program.)"""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as child:
        child.stdout.read(1)
        status = Path(f"/proc/{child.pid}/status").read_text()
        while child.stdout.read(1 << 20):
            pass
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def best(*commands):
    """The minimum of several rounds for each command. The commands alternate."""
    rounds = [[spent(command) for command in commands] for _ in range(ROUNDS)]
    return [tuple(min(values) for values in zip(*of_one)) for of_one in zip(*rounds)]


def make(dejank, folder, runs):
    """Creates a store at this place. An import makes its tables."""
    path = Path(folder) / f"{runs}.db"
    (Path(folder) / "one.csv").write_text("time,value\n1600000000,1\n")
    subprocess.run([str(dejank), "import", "--history", str(Path(folder) / "one.csv"), "--store", str(path)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    fill(path, runs)
    return path


def statement_of_runs(dejank, store):
    """The statement with which history reads the figures of runs, for all runs at once."""
    named = "IN (SELECT value FROM json_each('[' || ? || ']') AS named)"
    plan = subprocess.run([str(dejank), "history", "--explain", "--store", str(store)], check=True, text=True, stdout=subprocess.PIPE,
                          timeout=60).stdout
    return next(line for line in plan.splitlines() if line.startswith("SELECT r.batch_id")).replace(named, "IN (SELECT id FROM batches)")


def rows_of(dejank, store, shell, where):
    """`shell` reads the same rows and prints none of them."""
    words = [dejank, "history", "--store", store]
    commands = [[*words, "--project", "com.example.app1", "--flow", "flow1", "--device", "serial-1", "-m", "p95"],
                [*words, "--project", "com.example.app1"], words, [*words, "--json"],
                [dejank, "gate", "--store", store, "--project", "com.example.app1", "--baseline", "last:1", "--json"],
                [dejank, "list", "--store", store, "--json"]]
    one, project, everything, as_json, gate, listed, *plain = best(*commands, *([[*shell, statement_of_runs(dejank, store)]] if shell else []))
    yield f"{where}: dejank history of one flow on one device", one[0], "s", 1
    yield "… of one project, three figures", project[0], "s", 1
    yield "… its CPU time", project[1], "s", None
    yield "… of everything in it, three figures", everything[0], "s", 1
    yield "… as JSON", as_json[0], "s", None
    yield "… its CPU time", as_json[1], "s", None
    yield "… its memory", memory([*words, "--json"]), "MiB", None
    for took in plain:
        yield "… the database's own shell, reading the figures", took[0], "s", None
        yield "… history of everything, in times of that", everything[0] / took[0], "×", None
    yield "… dejank gate of 25 flows and devices", gate[0], "s", 3
    yield "… dejank list of all batches, as JSON", listed[0], "s", None


def store_rows(dejank, folder, runs=RUNS):
    path = make(dejank, folder, runs)
    yield f"a store of {runs} runs, MiB", path.stat().st_size / (1 << 20), "MiB", None
    yield from rows_of(dejank, path, ["sqlite3", path] if shutil.which("sqlite3") else None, "in a file")
    for fewer in (runs // 100, runs // 10):
        store = make(dejank, folder, fewer)
        yield f"memory of history of everything, of {fewer} runs", memory([dejank, "history", "--store", store, "--json"]), "MiB", None
    if postgres_server.programs() is None:
        print("bench: no PostgreSQL here: a store on a server is left out", file=sys.stderr)
        return
    server = postgres_server.Server()
    try:
        subprocess.run([str(dejank), "import", "--history", str(Path(folder) / "one.csv"), "--store", server.url()], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        server.take(path)
        yield from rows_of(dejank, server.url(), server.shell(), "on a server")
    finally:
        server.close()


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
