"""Every verb when an allocation fails: dejank either works as usual, or ends with one more line on stderr and exit code 5. No stored
data is lost.

libfail_allocation.so makes the k-th allocation of the process fail. `make test` draws one k for each command. `make test-all`
uses the first allocation of each call stack. Only dejank's own functions count in a comparison of call stacks.
"""
import http.client
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

import made_dumps as made
from devices import wait_for
from sampled_trace import MS, Trace
from serve_client import Served
from stub_server import Server, counted
from test_faults import Rig

ROOT = Path(__file__).resolve().parents[2]
VARIES = re.compile(r'\b[0-9a-hjkmnp-tv-z]{16}\b|"(?:(?:age|asked)_ms|load_per_core)":[^,}]*')
# The obstacle that dejank reports while other programs use the CPUs, in JSON and in text.
BUSY = re.compile(r'\{"name":"busy"[^{}]*\}|• local: — other programs use the CPUs[^•]*?worse\n\n?')

# A word that names a file of make_inputs() gets a copy of the file. {panel} is a program with frames. {shard} is the option with the
# address of a server that does not answer. {change} is the id of a change in the history.
COMMANDS = [
    "--help", "--version", "parse --help",
    "parse a.txt", "parse a.txt --json --rows", "parse a.txt --csv", "parse a.txt --csv=profile", "parse a.txt --frames",
    "parse a.txt.gz b.txt", "parse --release 11 --replay frames.jsonl", "parse --release 11 --replay frames.jsonl --block framestats",
    "report a.txt", *(f"report a.txt -o r.{suffix}" for suffix in ("html", "svg", "png", "md", "json", "csv")),
    "report tests.txt -o r.xml",
    "report A --store h.db", *(f"report A B --store h.db -o r.{suffix}" for suffix in ("html", "svg", "md", "json", "csv", "xml")),
    "import c.txt --label C --store h.db", "import c.txt --label C --store new.db", "import a.txt --json --store h.db",
    "import mangohud.csv presentmon.csv --package game --label C --store h.db",
    "import series.csv --history --package com.other --store h.db",
    "list --store h.db", "list --json --store h.db", "show A --store h.db", "show A --json --store h.db",
    "show A --save-traces traces --store h.db",
    "compare A B --store h.db", "compare A B --json --store h.db", "compare a.txt,b.txt c.txt,d.txt",
    *(f"compare A B --store h.db -o c.{suffix}" for suffix in ("html", "md", "json")),
    "gate B --baseline A --store h.db", "gate B --baseline A --json --store h.db",
    "gate B --baseline A --store h.db --objective p95<=16ms --junit j.xml --markdown m.md --annotations gitlab --annotations-file n.json",
    *(f"history --project com.series --store h.db{more}" for more in ("", " --json", " -o h.html", " -o h.svg", " -o h.csv", " -o h.md")),
    "history blessings --store h.db", "history bless {change} --why better --who me --store h.db",
    "store check --store h.db", "store check --json --store h.db", "store export x.db --store h.db", "store load other.db --store h.db",
    "store exclude A#1 --reason hot --store h.db", "store include A --store h.db", "store prune --keep 1 --store h.db",
    "store prune --keep 1 --yes --store h.db", "store recompute --store h.db", "store prune --recordings",
    "doctor", "doctor --json", "doctor --restore", "doctor -- /bin/true", "devices local:", "devices --json local:",
    "profile on com.absent", "profile on running", "collect --package com.absent", "record -- /bin/true",
    "script hello.lua", "run plan.yaml --dry-run", "run plan.yaml --dry-run --json", "run broken.yaml --dry-run",
    *(f"trace read {file} {form}" for file in ("ftrace.txt", "chrome.json", "kernel.dat", "frames.pftrace")
      for form in ("--json", "--csv", "--summary", "-o o.pftrace")),
    "trace read ftrace.txt", "trace read panel --json", "trace read panel -o o.pftrace",
    "trace triage ftrace.txt", "trace triage ftrace.txt --json", "trace triage ftrace.txt --against ftrace.txt",
    "trace triage sampled.pftrace", "trace triage sampled.pftrace --json", "trace read sampled.pftrace -o o.pftrace",
    "trace symbolize sampled.pftrace -o o.pftrace", "trace symbolize sampled.pftrace --symbols . --json",
    "fleet push a.txt --dry-run --app x --app-version 1", "fleet push A --dry-run --store h.db",
    "fleet push a.txt --app x --app-version 1 {shard}", "fleet init {shard}", "fleet query {shard}", "fleet rollup {shard}",
    "fleet compare --app x --from 1 --to 2 {shard} --json", "fleet check {shard}", "fleet prune --before 2026-01-01 {shard}",
]
# Commands that run in real time.
LIVE = [
    "collect --package running --for 100ms", "top --once --for 100ms running", "top --json --for 100ms",
    "record --name panel -- {panel} 5", "trace capture -o o.pftrace --level own-threads -- {panel} 5",
    "run -d local: --for 100ms --settle 50ms -n 1 --warmup 0 --retries 0 --max-load 100 --store h.db -- {panel} 100000",
    "run live.yaml --store h.db",
]
MOST = {"report a.txt -o r.png": 60, **dict.fromkeys(LIVE, 40)}  # number of allocations that are drawn for slow commands
PLAN = """plan: 1
package: com.example.app
devices: [{class: low-end}, 'local:']
flows: [{name: rest, idle: true, priority: high}]
objectives: [{metric: smooth_pct, at-least: 90 %}]
"""
LIVE_PLAN = """plan: 1
runs: 1
warmup: 0
settle: 50ms
retries: 0
devices: ["local:"]
builds: [{label: one, command: [%s, "100000"]}]
flows: [{name: rest, idle: true, for: 100ms}]
"""
SCRIPT = """local device = MonkeyRunner.waitForConnection(5, 'local:')
print(device:shell('echo hello'))
"""


def without_changes(text):
    """The text without the parts that differ from run to run."""
    return VARIES.sub("…", BUSY.sub("", text))


@dataclass
class Result:
    code: int
    stdout: str
    stderr: str
    files: dict
    batches: frozenset

    def __eq__(self, other):
        return (self.code, self.stdout, self.stderr, self.files) == (other.code, other.stdout, other.stderr, other.files)


class Dejank:
    """Runs each command in a new folder with copies of its inputs."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.preload = build / "tests/programs/libfail_allocation.so"
        self.panel = build / "examples/example-panel"
        linked = subprocess.run(["ldd", build / "dejank"], capture_output=True, text=True, check=False).stdout
        if not self.preload.exists() or "libasan" in linked or "libtsan" in linked:
            pytest.skip("needs libfail_allocation.so, and a build without a sanitizer")
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        self.change = ""
        self.adb = Server({"host:devices-l": b"OKAY" + counted("")})  # no device is connected
        make_inputs(self)

    def environment(self, folder, **more):
        clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "LD_PRELOAD")}
        return {**clean, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": str(folder), "TMPDIR": str(folder), "XDG_DATA_HOME": str(folder),
                "XDG_STATE_HOME": str(folder), "XDG_CACHE_HOME": str(self.folder), "DEJANK_DIR": str(self.inputs / "segments"),
                "ADB_SERVER_SOCKET": f"tcp:127.0.0.1:{self.adb.port}", **more}

    def start(self, words, folder, **more):
        return subprocess.run([self.build / "dejank", *map(str, words)], text=True, capture_output=True, timeout=60, cwd=folder,
                              check=False, stdin=subprocess.DEVNULL, errors="replace", env=self.environment(folder, **more))

    def __call__(self, command, **environment):
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            words = command.format(panel=self.panel, change=self.change, shard="--shard http://127.0.0.1:1").split()
            named = {part for word in words for part in word.split(",")}
            for file in named & set(os.listdir(self.inputs)):
                shutil.copyfile(self.inputs / file, folder / file)
            if "record" in words or "capture" in words or "run" in words:
                environment["DEJANK_DIR"] = str(folder / "segments")
            done = self.start(words, folder, LD_PRELOAD=str(self.preload), **environment)
            files = {file.name: without_changes(file.read_text(errors="replace")) for file in folder.iterdir()
                     if file.is_file() and not re.search(r"\.db(-\w+)?$", file.name)}
            return Result(done.returncode, without_changes(done.stdout), without_changes(done.stderr), files, batches(folder / "h.db"))

    def count(self, command, stacks=False):
        """Runs the command without a failure. Returns its result and the numbers of its allocations, or with `stacks` only of the first
        allocation of each call stack."""
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            result = self(command, COUNT_ALLOCATIONS=file.name, **({"FIRST_OF_STACKS": "1"} if stacks else {}))
            numbers = [int(line) for line in Path(file.name).read_text().split()]
        assert numbers, (command, result)
        return result, numbers if stacks else range(1, numbers[0] + 1)


def batches(store):
    """Checks the integrity of the store and returns its batches."""
    if not store.exists():
        return frozenset()
    database = sqlite3.connect(store)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    found = frozenset(uid for (uid,) in database.execute("SELECT uid FROM batches"))
    database.close()
    return found


def write_sampled(path, program):
    """Writes a trace with call stacks of this program. The trace has no names of functions."""
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    trace = Trace(library=str(program), build_id=bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", notes)[1]))
    for number in range(4):
        start = (1000 + 20 * number) * MS
        trace.begin(start, f"frame {number}")
        trace.samples(start, start + (8 + 11 * (number == 3)) * MS, f"0x1400/{0x1500 + 64 * number:#x}")
        trace.end(start + (8 + 11 * (number == 3)) * MS)
    path.write_bytes(trace.bytes())


def make_inputs(dejank):
    folder = dejank.inputs

    def run(*words):
        done = dejank.start(words, folder)
        assert done.returncode in (0, 6), (words, done)
        return done.stdout

    for seed, name in enumerate("abcde"):
        rows = made.frames(5, seed=seed, janky_every=3)
        profile = [[1.0, 2.0, 3.0, 4.0]]
        (folder / f"{name}.txt").write_text(made.dump(made.process("com.example.app", [("Main", rows, profile)])))
    subprocess.run(["gzip", "-k", "a.txt"], cwd=folder, check=True)
    frame = [0] + [1000000000 + k * 1000000 for k in range(7)]
    columns = "Flags IntendedVsync Vsync SyncQueued SyncStart IssueDrawCommandsStart SwapBuffers FrameCompleted".split()
    (folder / "frames.jsonl").write_text(json.dumps({"vsync_ns": 16666666, "sf_offset_ns": 0, "app_offset_ns": 0, "columns": columns,
                                                     "frames": [frame]}) + "\n")
    corpus = ROOT / "fuzz/corpus"
    for name, source in {"kernel.dat": "trace_dat/v7", "frames.pftrace": "trace_perfetto/frames", "chrome.json": "trace_json/whole"}.items():
        shutil.copyfile(corpus / source, folder / name)
    (folder / "tests.txt").write_text("INSTRUMENTATION_STATUS: class=a.B\nINSTRUMENTATION_STATUS: test=c\nINSTRUMENTATION_STATUS: numtests=1\n"
                                      "INSTRUMENTATION_STATUS_CODE: 1\nINSTRUMENTATION_STATUS: class=a.B\nINSTRUMENTATION_STATUS: test=c\n"
                                      "INSTRUMENTATION_STATUS_CODE: 0\nINSTRUMENTATION_CODE: -1\n")
    (folder / "mangohud.csv").write_text("os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,x,y,1,6,z,s\nfps,frametime,elapsed\n"
                                         + "".join(f"60,16.{i},{i * 16000000}\n" for i in range(9)))
    (folder / "presentmon.csv").write_text("Application,ProcessID,TimeInSeconds,MsBetweenPresents\n"
                                           + "".join(f"game,7,{i * 0.016:.3f},16.{i}\n" for i in range(9)))
    (folder / "series.csv").write_text("time,version,commit,metric,unit,value\n" + "".join(
        f"{1600000000 + i * 86400},1.{i},c{i:07d},p95,ms,{(16 + i * 7 % 5 / 50) * (1.2 if i > 12 else 1):.3f}\n" for i in range(20)))
    write_sampled(folder / "sampled.pftrace", dejank.panel)
    (folder / "plan.yaml").write_text(PLAN)
    (folder / "broken.yaml").write_text("plan: 1\nrunz: 3\nwarmup: -1\n")
    (folder / "live.yaml").write_text(LIVE_PLAN % dejank.panel)
    (folder / "hello.lua").write_text(SCRIPT)
    text = ["# tracer: nop\n"]
    for i in range(4):
        at = [f"{1 + i * 0.02 + part:.6f}" for part in (0, 0.001, 0.003, 0.006, 0.006 + 0.012 * (i == 3), 0.007 + 0.012 * (i == 3))]
        text += [f"     app-7 ( 7) [000] ...1 {at[0]}: tracing_mark_write: B|7|frame {i}\n",
                 f"     app-7 ( 7) [000] d..2 {at[1]}: sched_switch: prev_comm=app prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=bg next_pid=8 next_prio=120\n",
                 f"      bg-8 ( 7) [000] d..2 {at[2]}: sched_wakeup: comm=app pid=7 prio=120 target_cpu=000\n",
                 f"      bg-8 ( 7) [000] d..2 {at[3]}: sched_switch: prev_comm=bg prev_pid=8 prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 next_prio=120\n",
                 f"     app-7 ( 7) [000] ...1 {at[4]}: tracing_mark_write: C|7|count|{i}\n",
                 f"     app-7 ( 7) [000] ...1 {at[5]}: tracing_mark_write: E|7\n"]
    (folder / "ftrace.txt").write_text("".join(text))
    run("record", "--name", "panel", "--keep", "120", "--", dejank.panel, "5")
    run("import", "a.txt", "b.txt", "--label", "A", "--store", "h.db")
    run("import", "d.txt", "e.txt", "--label", "B", "--store", "h.db")
    run("import", "series.csv", "--history", "--package", "com.series", "--store", "h.db")
    run("import", "c.txt", "--label", "O", "--store", "other.db")
    [history] = json.loads(run("history", "--project", "com.series", "--json", "--store", "h.db"))["segments"]
    dejank.change = history["changes"][0]["id"]


@pytest.fixture(scope="module")
def dejank(build, tmp_path_factory):
    one = Dejank(build, tmp_path_factory.mktemp("memory"))
    command = [build / "dejank", "record", "--name", "running", "--keep", "120", "--", one.panel, "1000000"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=one.environment(one.inputs)) as running:
        wait_for(lambda: one.start(["profile", "on", "running"], one.inputs).returncode == 0, "the panel to run")
        yield one
        running.terminate()
    one.adb.close()


@pytest.mark.slow
def test_a_devices_settings_are_put_back(host, android, dejank, tmp_path):
    """dejank restores them itself, or ends with code 5 and `dejank doctor --restore` restores them, as after SIGKILL."""
    rig = Rig(host, android(release="12"), tmp_path)
    count = tmp_path / "count"

    def run(**environment):
        return rig.host.run("env", f"LD_PRELOAD={dejank.preload}", *rig.command(what=("--for", "200ms"), runs=1), env=environment)

    assert run(COUNT_ALLOCATIONS=str(count), FIRST_OF_STACKS="1").returncode == 0
    for number in random.Random(7).sample([int(line) for line in count.read_text().split()], 20):
        done = run(FAIL_ALLOCATION=str(number))
        assert done.returncode in (0, 3, 4, 5), (number, done.stderr)
        assert done.returncode != 5 or "out of memory" in done.stderr, (number, done.stderr)
        if rig.settings() != rig.before:
            assert done.returncode == 5, (number, done.stderr)
            assert rig.host.dejank("doctor", "--restore").returncode == 0
        assert rig.settings() == rig.before, (number, done.stderr)


def fault(dejank, command, number, usual):
    """Runs the command while that allocation fails. Returns a description of the fault, or None if there is none."""
    got = dejank(command, FAIL_ALLOCATION=str(number))
    lost = usual.before - got.batches - usual.lost
    *said, last = got.stderr.splitlines() or [""]
    live = command in LIVE  # its output differs from run to run
    ended = got.code == 5 and last.endswith(": out of memory") and (live or said == usual.stderr.splitlines()[:len(said)])
    same = got.code == usual.code if live else got == usual
    return None if (ended or same) and not lost else f"{number}: {got.code} {got.stderr.strip()[-300:]!r} {lost or ''}"


def faults(dejank, command, numbers, usual):
    usual.before = batches(dejank.inputs / "h.db") if "h.db" in command else frozenset()
    usual.lost = usual.before - usual.batches
    with ThreadPoolExecutor(8 if command in LIVE else len(os.sched_getaffinity(0))) as pool:
        return [one for one in pool.map(lambda number: fault(dejank, command, number, usual), numbers) if one]


def test_an_allocation_drawn_for_each_command_fails(dejank):
    def check(command):
        usual, numbers = dejank.count(command)
        return [f"{command}: {one}" for one in faults(dejank, command, [random.Random(command).choice(numbers)], usual)]

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = [one for some in pool.map(check, COMMANDS) for one in some]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS + LIVE)
def test_the_first_allocation_of_each_call_stack_fails(dejank, command):
    usual, numbers = dejank.count(command, stacks=True)
    if len(numbers) > MOST.get(command, len(numbers)):
        numbers = random.Random(7).sample(numbers, MOST[command])
    assert faults(dejank, command, numbers, usual) == []


PAGES = ["/", "/projects/com.example.app", "/live", "/compare/A..B", "/api/v1/batches"]


def serve(dejank, folder, **environment):
    """Requests some pages from the server. Returns its exit code, its messages, and the statuses of its answers."""
    shutil.copyfile(dejank.inputs / "h.db", folder / "h.db")
    served, statuses = None, []
    try:
        served = Served(dejank.build, folder / "h.db", folder, "--quiet", environment=dejank.environment(
            folder, LD_PRELOAD=str(dejank.preload), **environment))
        statuses += [served.get(path).status for path in PAGES]
        code = served.stop()[0]
    except (OSError, http.client.HTTPException):
        code = served.process.wait(30)  # it does not answer because it has ended
    except AssertionError as end:
        return 5 if "out of memory" in str(end) else None, str(end), statuses  # it has printed no address
    finally:
        if served:
            served.close()
    return code, served.log, statuses


@pytest.mark.slow
def test_a_server_ends_with_one_line(dejank, tmp_path):
    """One of its allocations fails. The store stays intact, and no answer differs from the usual one."""
    count = tmp_path / "count"
    code, log, usual = serve(dejank, tmp_path, COUNT_ALLOCATIONS=str(count))
    assert code == 0 and usual[0] == 200, (code, log, usual)
    before, ended = batches(tmp_path / "h.db"), 0
    for number in random.Random(7).sample(range(1, int(count.read_text()) + 1), 40):
        code, log, statuses = serve(dejank, tmp_path, FAIL_ALLOCATION=str(number))
        assert statuses == usual[:len(statuses)], (number, statuses, usual)
        assert (code, len(statuses)) == (0, len(usual)) or (code == 5 and "out of memory" in log), (number, code, log)
        assert batches(tmp_path / "h.db") == before, number
        ended += code == 5
    assert ended > 10, ended
