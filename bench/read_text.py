"""CPU time and memory of `dejank parse --json` for made framestats text. `wc -l` and a regex reader in Python (regex_reader.py) read the
same text, on the same CPU and alternating.

The text has two shapes: dumps of 120 rows, as a loop of `adb shell dumpsys` leaves them, and one block of all rows."""
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 5
DUMPS_BYTES = 224 * 10**6
REGEX_BYTES = 16 * 10**6  # of the same text: the regex reader needs half a minute for all of it
ROWS = 120
STAGES = ("HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,"
          "IssueDrawCommandsStart,SwapBuffers,FrameCompleted").split(",")
HEADER = ("Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent," + ",".join(STAGES)
          + ",DequeueBufferDuration,QueueBufferDuration,GpuCompleted,\n")
ROW = "%d," * (HEADER.count(",")) + "\n"
MARKER = "---PROFILEDATA---\n"


def rows(count, start_ns, chance):
    """Frames at 60 Hz. Each has other times of its stages."""
    lines = []
    for _ in range(count):
        start_ns += 16666667
        stamps = [start_ns]
        for _ in STAGES:
            stamps.append(stamps[-1] + int(chance() * 2e6) + 1000)
        lines.append(ROW % (0, start_ns, start_ns, 2**63 - 1, 0, *stamps[1:], int(chance() * 4e5), 310000,
                            stamps[-1] - 90000))
    return "".join(lines)


def dump(pid, count, chance):
    name = f"com.example.bench{pid % 7}"
    return (f"Applications Graphics Acceleration Info:\nUptime: {pid * 1000} Realtime: {pid * 1000}\n\n"
            f"** Graphics info for pid {pid} [{name}] **\n\nProfile data in ms:\n\n"
            f"\t{name}/{name}.Main/android.view.ViewRootImpl@1d5ddd6 (visibility=0)\n\n{MARKER}{HEADER}"
            f"{rows(count, 123456789012345 + pid * 10**10, chance)}{MARKER}\n\nView hierarchy:\n\n")


def make_text(path, size, rows_per_dump):
    """Dumps with `size` bytes in all, or one block of this size if rows_per_dump is None."""
    chance = random.Random(4).random
    with open(path, "w", encoding="ascii") as file:
        if rows_per_dump is None:
            row = len(rows(1, 123456789012345, chance))
            file.write(dump(1, 1, chance).split(HEADER)[0] + HEADER)
            for i in range(size // row // 4096 + 1):
                file.write(rows(4096, 123456789012345 + i * 4096 * 16666667, chance))
            file.write(MARKER)
        pid = 1000
        while file.tell() < size:
            file.write(dump(pid, rows_per_dump, chance))
            pid += 1


def most_bytes(pid, known):
    """VmHWM of a process, or the earlier value if the process has ended. (ru_maxrss would include this program.)"""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return max([known, *(int(line.split()[1]) * 1024 for line in status.splitlines()
                             if line.startswith("VmHWM"))])
    except OSError:
        return known


def cost(command, stdin=None):
    """(CPU time in s, maximum memory) of one run on one CPU."""
    core = min(os.sched_getaffinity(0))
    process = subprocess.Popen([str(word) for word in command], stdin=stdin, stdout=subprocess.DEVNULL,
                               preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    memory = 0
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        memory = most_bytes(process.pid, memory)
        time.sleep(0.002)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: {command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, memory


def cost_through_pipe(command, path):
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
        return cost(command, stdin=cat.stdout)


def in_turns(dejank, path, part):
    """For each reader the MB/s of CPU time in each round, and its maximum memory. The readers alternate."""
    speeds, memory = {}, {}

    def measure(name, size, spent):
        seconds, most = spent
        speeds.setdefault(name, []).append(size / 1e6 / seconds)
        memory[name] = max(memory.get(name, 0), most)

    size = path.stat().st_size
    for _ in range(ROUNDS):
        measure("wc", size, cost(["wc", "-l", path]))
        measure("file", size, cost([dejank, "parse", "--json", path]))
        measure("pipe", size, cost_through_pipe([dejank, "parse", "--json", "-"], path))
        if part:
            reader = Path(__file__).parent / "regex_reader.py"
            measure("regex", part.stat().st_size, cost([sys.executable, reader, part]))
    return speeds, memory


def shape_rows(shape, speeds, memory):
    def ratio(one, other):
        return statistics.median(a / b for a, b in zip(speeds[one], speeds[other]))

    median = {name: statistics.median(values) for name, values in speeds.items()}
    yield f"wc -l, {shape}", median["wc"], "MB/s", None
    yield f"parse --json, {shape}", median["file"], "MB/s", -500
    yield "… the same through a pipe", median["pipe"], "MB/s", -500
    yield "… as a share of wc -l (file, median of pairs)", ratio("file", "wc"), "×", None
    if "regex" in speeds:
        yield "a regex reader in Python", median["regex"], "MB/s", None
        yield "… parse --json is faster by (median of pairs)", ratio("file", "regex"), "×", None
    yield "… most memory of parse, file", memory["file"] / 2**20, "MiB", None
    yield "… most memory of parse, pipe", memory["pipe"] / 2**20, "MiB", None


def bench_rows(dejank, scratch):
    path, part = Path(scratch) / "dumps.txt", Path(scratch) / "part.txt"
    make_text(part, REGEX_BYTES, ROWS)
    make_text(path, DUMPS_BYTES, ROWS)
    yield from shape_rows(f"dumps of {ROWS} rows", *in_turns(dejank, path, part))
    make_text(path, DUMPS_BYTES, None)
    yield from shape_rows("one block", *in_turns(dejank, path, None))
    path.unlink()
