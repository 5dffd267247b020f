"""What it costs to read traces: text of tracefs, trace.dat and Perfetto's packets of the same kind of run (tests/programs/big_trace.c).
`wc -l`, `trace-cmd report` and `protoc --decode_raw` read them, too, on the same CPU and alternating. Also the maximum memory for a
trace of 2 GB (DEJANK_BENCH_TRACE_MB sets another size)."""
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from read_text import cost

ROUNDS = 9
MEGABYTES = 100
MINUTE_MEGABYTES = 22
LARGE_MEGABYTES = int(os.environ.get("DEJANK_BENCH_TRACE_MB", "2000"))


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def make(program, kind, megabytes, path):
    run(program, kind, megabytes, path)
    return path


def in_turns(commands, size):
    """MB/s of CPU time in each round, by name. A command has words, and a file as its input or None. The commands alternate."""
    speeds = {}
    for _ in range(ROUNDS):
        for name, (words, path) in commands.items():
            if path is None:
                seconds, _memory = cost(words)
            else:
                with open(path, "rb") as stdin:
                    seconds, _memory = cost(words, stdin=stdin)
            speeds.setdefault(name, []).append(size / 1e6 / seconds)
    return speeds


def rows_of(what, speeds, bar):
    median = {name: statistics.median(values) for name, values in speeds.items()}
    yield f"trace read --summary, {what}", median["ours"], "MB/s", bar
    for name in median:
        if name != "ours":
            yield f"… {name}, of the same file", median[name], "MB/s", None
            yield ("… trace read is faster by (median of pairs)",
                   statistics.median(a / b for a, b in zip(speeds["ours"], speeds[name])), "×", None)


def large_rows(program, dejank, kind, path):
    make(program, kind, LARGE_MEGABYTES, path)
    size = path.stat().st_size / 1e6
    for form in ("--summary", "--json"):
        seconds, memory = cost([dejank, "trace", "read", form, path])
        yield f"most memory of trace read {form}, {kind} of {size:.0f} MB", memory / 2**20, "MiB", 256
        yield "… and its speed", size / seconds, "MB/s", None
    path.unlink()


def triage_rows(program, dejank, path):
    make(program, "text", MINUTE_MEGABYTES, path)
    for what, budget in (("none late", "16.667ms"), ("all late", "0.1ms")):
        seconds, memory = cost([dejank, "trace", "triage", "--budget", budget, path])
        yield f"trace triage of a minute with 3600 frames, {what}", seconds, "s", 1
        yield "… its memory", memory / 2**20, "MiB", None
    path.unlink()


def bench_rows(build, scratch):
    program, dejank = build / "tests/programs/big_trace", build / "dejank"
    scratch = Path(scratch)

    def ours(path):
        return [dejank, "trace", "read", "--summary", path], None

    text = make(program, "text", MEGABYTES, scratch / "trace.txt")
    speeds = in_turns({"ours": ours(text), "wc -l": (["wc", "-l", text], None)}, text.stat().st_size)
    yield from rows_of(f"text of {MEGABYTES} MB", speeds, -150)

    packets = scratch / "trace.pftrace"
    run(dejank, "trace", "read", text, "-o", packets)
    commands = {"ours": ours(packets)}
    if shutil.which("protoc"):
        commands["protoc --decode_raw"] = ["protoc", "--decode_raw"], packets
    speeds = in_turns(commands, packets.stat().st_size)
    yield from rows_of(f"Perfetto, {packets.stat().st_size / 1e6:.0f} MB", speeds, -200)

    dat = make(program, "dat", MEGABYTES, scratch / "trace.dat")
    commands = {"ours": ours(dat)}
    if shutil.which("trace-cmd"):
        commands["trace-cmd report"] = ["trace-cmd", "report", dat], None
    yield from rows_of(f"trace.dat of {MEGABYTES} MB", in_turns(commands, dat.stat().st_size), None)
    for file in (text, packets, dat):
        file.unlink()
    yield from triage_rows(program, dejank, scratch / "minute.txt")
    print(f"bench: traces of {LARGE_MEGABYTES} MB", file=sys.stderr, flush=True)
    yield from large_rows(program, dejank, "text", scratch / "large.txt")
    yield from large_rows(program, dejank, "dat", scratch / "large.dat")
