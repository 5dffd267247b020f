"""How many devices one process can measure: `dejank run` on 1 to 20 stand-in devices (tests/e2e/android) at the same time, and on up to
100 replays of one of them. Memory is the process's high-water mark. The time of a run is the time in the store."""

import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/e2e"))

from android.phone import Phone  # noqa: E402
from devices import Host, Network  # noqa: E402

PACKAGE = "com.example.app"
STAND_INS = (1, 2, 5, 10, 20)
REPLAYS = (1, 10, 50, 100)
RUNS = 2


def measure(host, folder, selectors, runs):
    """(seconds of a run, MiB of the process, its CPU time per run in ms) of a batch of runs on all devices."""
    store = folder / f"{len(selectors)}-{time.monotonic_ns()}.db"
    words = [host.build / "dejank", "run", "--package", PACKAGE, "--for", "2s", "-n", runs, "--warmup", "0",
             "--max-load", 100, "--store", store]
    for selector in selectors:
        words += ["--device", selector]
    process = host.popen(*words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{len(selectors)} devices: exit code {process.returncode}: {said[-2000:]}")
    with sqlite3.connect(store) as opened:
        took = [row[0] / 1e9 for row in opened.execute("SELECT duration_ns FROM runs WHERE outcome = 'ok'")]
    if len(took) != runs * len(selectors):
        raise RuntimeError(f"{len(selectors)} devices: {len(took)} of {runs * len(selectors)} runs are ok")
    return statistics.median(took), usage.ru_maxrss / 1024, (usage.ru_utime + usage.ru_stime) * 1e3 / len(took)


def curve(host, folder, selectors, counts, runs):
    what = "replay" if "replay" in selectors[0] else "device"
    points = {}
    for count in counts:
        points[count] = measure(host, folder, selectors[:count], runs)
        yield f"a run's time, {count} {what}{'s' * (count > 1)} at once", points[count][0], "s", None
    for count in counts:
        yield f"memory, {count} {what}{'s' * (count > 1)} at once", points[count][1], "MiB", None
    for count in counts:
        yield f"dejank's CPU time of a run, {count} {what}{'s' * (count > 1)} at once", points[count][2], "ms", None
    first, last = points[counts[0]], points[counts[-1]]
    yield f"memory of each further {what}", (last[1] - first[1]) / (counts[-1] - counts[0]), "MiB", 1
    yield f"a run's time with {counts[-1]}, as a share of that with one", last[0] / first[0], "", 1.1


def record_replay(host, phone, folder):
    folder.mkdir()
    done = host.dejank("run", "--device", phone.serial, "--package", PACKAGE, "--for", "2s", "-n", 1, "--warmup", "0",
                       "--max-load", 100, "--store", folder.parent / "recorded.db", "--record-replay", folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])


def bench_rows(build):
    with tempfile.TemporaryDirectory(prefix="dejank-devices") as name:
        folder = Path(name)
        network, phones = Network(build), []
        host = Host(network, build, folder)
        try:
            for number in range(max(STAND_INS)):
                phone = Phone(host, folder / f"phone{number}", build / "tests/programs/device_command", release="12")
                phone.install(PACKAGE)
                phones.append(phone)
            yield from curve(host, folder, [phone.serial for phone in phones], STAND_INS, RUNS)
            record_replay(host, phones[0], folder / "replay")
        finally:
            for phone in phones:
                phone.close()
        try:
            copies = []
            for number in range(max(REPLAYS)):
                os.symlink(folder / "replay", folder / f"replay{number}")
                copies.append(f"replay:{folder}/replay{number}")
            yield from curve(host, folder, copies, REPLAYS, 1)
        finally:
            host.close()
            network.close()
