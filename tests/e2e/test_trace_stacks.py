"""dejank trace capture --stacks: the sampled call stacks name the functions that ran, with and without permissions.

The shares are compared with the CPU time that the program measured itself, so they do not depend on the load of the machine.
"""

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import naive_stacks
import pytest
from devices import wait_for

AS_ROOT = os.geteuid() == 0
PROTO = Path(__file__).resolve().parents[1] / "data"
MS = 60  # CPU time of run_short
# With about 60 samples, a few more or fewer are chance.
TOLERANCE = 0.12
WAIT_SEQUENCE = 3


def need_stacks(dejank, **more):
    """Skips where perf events are refused, as in containers."""
    row = next(row for row in json.loads(dejank("doctor", "--json", **more).stdout)["checks"] if row["name"] == "stacks")
    if not row["ok"]:
        pytest.skip(row["found"])


@pytest.fixture
def dejank(build, recorder):
    def run(*words, prefix=(), environment=None):
        return subprocess.run([*prefix, build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=60,
                              env={**recorder.environment, **(environment or {})})

    return run


class Captured:
    """A capture of planted_stacks: dejank's output, the CPU times that the program measured, and the samples in the trace."""

    def __init__(self, dejank, trace, program, *words, prefix=(), environment=None):
        log = trace.with_suffix(".txt")
        command = ["sh", "-c", f'exec "$0" {MS} > "$1"', program, log]
        done = dejank("trace", "capture", "-o", trace, "--json", *words, "--", *command, prefix=prefix, environment=environment)
        assert done.returncode == 0, done.stderr
        self.messages = done.stderr
        self.said = json.loads(done.stdout.splitlines()[-1])
        self.cpu_ms = {name: float(ms) for name, ms in map(str.split, log.read_text().splitlines())}
        self.samples, self.losses = naive_stacks.read(trace)
        self.running = [sample for sample in self.samples if sample.sequence != WAIT_SEQUENCE]

    def count(self, function):
        return sum(function in sample.functions for sample in self.running)

    def check_shares(self):
        functions = ("run_long", "run_short", "run_in_thread", "run_in_child", "run_after_exec")
        counts = {name: self.count(name) for name in functions}
        all_samples, all_ms = sum(counts.values()), sum(self.cpu_ms[name] for name in functions)
        for name in functions:
            share = counts[name] / max(1, all_samples)
            assert abs(share - self.cpu_ms[name] / all_ms) < TOLERANCE, (name, counts, self.cpu_ms)
        assert all_samples > 100, "a sample per millisecond: even a slow machine has this many"


@contextmanager
def stripped(program, folder):
    copy = shutil.copy(program, folder / "stripped")
    subprocess.run(["strip", copy], check=True)
    yield Path(copy)


@pytest.fixture
def program(build):
    return build / "tests/programs/planted_stacks"


def check_stack_of(captured, function):
    """Most stacks of a function start in it or in the leaf that it calls, and contain main."""
    stacks = Counter(tuple(sample.functions) for sample in captured.running if function in sample.functions)
    stack, count = stacks.most_common(1)[0]
    assert stack[:2] == ("spin_leaf", function) or stack[0] == function, stacks
    assert "main" in stack and count > 0.5 * sum(stacks.values()), stacks


def test_functions_of_threads_children_and_programs(dejank, program, tmp_path):
    need_stacks(dejank)
    captured = Captured(dejank, tmp_path / "t.pftrace", program, "--stacks")
    captured.check_shares()
    check_stack_of(captured, "run_long")
    check_stack_of(captured, "run_after_exec")
    said = captured.said["stacks"]
    assert said["samples"] == len([sample for sample in captured.samples if sample.functions])
    assert said["lost"] == sum(loss.records for loss in captured.losses)
    assert said["rate_hz"] == 1000 and said["waits"] == 0
    assert f"{said['samples']} call stacks" in captured.messages
    children = {sample.pid for sample in captured.running if "run_in_child" in sample.functions}
    assert len(children) == 1 and not children & {sample.pid for sample in captured.running if "run_long" in sample.functions}
    assert len({sample.tid for sample in captured.running if "run_in_thread" in sample.functions}) == 1
    assert 45e6 < captured.said["end_ns"] and all(sample.at_ns > 0 for sample in captured.samples)


def check_protoc(trace, captured):
    """protoc knows each field and finds as many samples as dejank reports."""
    with open(trace, "rb") as file:
        done = subprocess.run(["protoc", "--decode=Trace", "-I", PROTO, PROTO / "perfetto.proto"], stdin=file, capture_output=True,
                              timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    assert not re.search(r"^ *[0-9]+(:| \{)", text, re.M), "a field of no known number"
    assert len(re.findall(r"callstack_iid:", text)) == captured.said["stacks"]["samples"]
    assert 'str: "run_long"' in text and "counter: 1" in text and "period: 1000000" in text


def check_times(dejank, trace, captured):
    """Nearly all samples are at times when their thread is running or runnable according to other events."""
    done = dejank("trace", "read", "--json", trace)
    assert done.returncode == 0, done.stderr
    states = json.loads(done.stdout)["states"]
    samples = [sample for sample in captured.running if "run_long" in sample.functions]
    runs = [(state["start_ns"], state["end_ns"]) for state in states
            if state["tid"] == samples[0].tid and state["state"] in ("running", "runnable")]
    inside = sum(any(start <= sample.at_ns <= (end or sample.at_ns) for start, end in runs) for sample in samples)
    assert inside >= 0.95 * len(samples), (inside, len(samples))


def check_rewritten(dejank, trace, captured):
    """A rewritten trace keeps its stacks and losses."""
    again = trace.with_name("again.pftrace")
    done = dejank("trace", "read", trace, "-o", again)
    assert done.returncode == 0, done.stderr
    samples, losses = naive_stacks.read(again)
    assert len(samples) > 100 and sorted(samples) == sorted(captured.samples)
    assert [(loss.cpu, loss.records) for loss in losses] == [(loss.cpu, loss.records) for loss in captured.losses]


def test_other_programs_read_the_stacks(dejank, program, tmp_path):
    need_stacks(dejank)
    trace = tmp_path / "t.pftrace"
    captured = Captured(dejank, trace, program, "--stacks=cpu,waits" if AS_ROOT else "--stacks")
    check_times(dejank, trace, captured)
    check_rewritten(dejank, trace, captured)
    if not shutil.which("protoc"):
        pytest.skip("protoc is not installed: tools/deps tests")
    check_protoc(trace, captured)


def test_a_stripped_program_has_the_same_functions(dejank, program, tmp_path):
    """Without symbols, a function is identified by its start in the file, and the file by its build-id."""
    need_stacks(dejank)
    if not shutil.which("strip") or not shutil.which("nm"):
        pytest.skip("strip and nm are not installed: tools/deps build")
    with stripped(program, tmp_path) as copy:
        captured = Captured(dejank, tmp_path / "t.pftrace", copy, "--stacks")
    symbols = {name: int(start, 16) for start, kind, name in
               (line.split() for line in subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True,
                                                        check=True).stdout.splitlines())}
    long, short = (captured.count(f"stripped!{symbols[name]:#x}") for name in ("run_long", "run_short"))
    assert long > 0 and abs(long / (long + short) - 0.75) < TOLERANCE, Counter(
        name for sample in captured.running for name in sample.functions)
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    build_ids = {module[1] for sample in captured.running for module in sample.modules if module[0].endswith("/stripped")}
    assert len(build_ids) == 1 and all(f"Build ID: {one}\n" in notes for one in build_ids)


def test_a_user_without_permissions(dejank, program, nobody):
    """The app's own code is sampled, and the output names the limits."""
    prefix, environment, folder = nobody
    need_stacks(dejank, prefix=prefix, environment=environment)
    captured = Captured(dejank, folder / "t.pftrace", program, "--stacks", prefix=prefix, environment=environment)
    captured.check_shares()
    source = captured.said["stacks"]["source"]
    assert source in ("threads", "user-threads")
    assert (source == "user-threads") == any("sample only the app's own code" in limit for limit in captured.said["limits"])


@pytest.fixture
def without_perf():
    """A command prefix under which perf events fail with EPERM, as in containers."""
    prefix = ["strace", "-f", "-o", "/dev/null", "-e", "trace=perf_event_open", "-e", "inject=perf_event_open:error=EPERM"]
    if not shutil.which("strace") or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("strace is not installed, or may not look: tools/deps tests")
    return prefix


def test_perf_events_are_refused(dejank, program, tmp_path, without_perf):
    """The capture continues, and one line reports that it has no call stacks."""
    done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--stacks", "--json", "--", program, 1, prefix=without_perf)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["stacks"]["source"] == "none" and said["stacks"]["samples"] == 0
    lines = [line for line in done.stderr.splitlines() if "call stacks" in line]
    assert len(lines) == 1 and "which functions ran: the capture has no call stacks (perf events: not permitted)" in lines[0]
    assert naive_stacks.read(tmp_path / "t.pftrace") == ([], [])


def test_little_memory_may_be_locked(dejank, program, nobody):
    """Smaller rings are used."""
    prefix, environment, folder = nobody
    need_stacks(dejank, prefix=prefix, environment=environment)
    captured = Captured(dejank, folder / "t.pftrace", program, "--stacks", prefix=["prlimit", "--memlock=65536", *prefix],
                        environment=environment)
    if captured.said["stacks"]["source"] == "none":
        assert any("no call stacks" in limit for limit in captured.said["limits"])
        pytest.skip("this kernel does not permit perf events to users, or another process holds the memory")
    assert captured.count("run_long") > 50


def test_stacks_of_waits(dejank, program, tmp_path):
    if not AS_ROOT:
        pytest.skip("needs root, for the tracepoint")
    need_stacks(dejank)
    captured = Captured(dejank, tmp_path / "t.pftrace", program, "--stacks=cpu,waits")
    if any("stacks of waits" in limit for limit in captured.said["limits"]):
        pytest.skip("tracefs cannot be read here")
    waits = [sample for sample in captured.samples if sample.sequence == WAIT_SEQUENCE]
    assert captured.said["stacks"]["waits"] == len([sample for sample in waits if sample.functions])
    named = sum("wait_here" in sample.functions for sample in waits)
    assert 18 <= named <= 22, Counter(tuple(sample.functions) for sample in waits)
    captured.check_shares()


@pytest.mark.slow
def test_only_waits(dejank, program, tmp_path):
    if not AS_ROOT:
        pytest.skip("needs root, for the tracepoint")
    need_stacks(dejank)
    captured = Captured(dejank, tmp_path / "t.pftrace", program, "--stacks=waits")
    if any("stacks of waits" in limit for limit in captured.said["limits"]):
        pytest.skip("tracefs cannot be read here")
    assert captured.running == [] and captured.samples


@pytest.mark.parametrize("as_nobody", [False, True])
def test_attach_to_a_running_program(dejank, program, nobody, as_nobody):
    """Files that were mapped before the capture are known, too."""
    prefix, environment, folder = nobody
    prefix, environment = (prefix, environment) if as_nobody else ((), None)
    need_stacks(dejank, prefix=prefix, environment=environment)
    with subprocess.Popen([*prefix, program, "20000"], stdout=subprocess.DEVNULL) as running:
        try:
            wait_for(lambda: os.readlink(f"/proc/{running.pid}/exe") == os.path.realpath(program), "the program to run")
            done = dejank("trace", "capture", "-o", folder / "t.pftrace", "--json", "--stacks", "-p", running.pid, "--duration",
                          "700ms", prefix=prefix, environment=environment)
        finally:
            running.kill()
    assert done.returncode == 4, "the app is not recorded, only sampled"
    samples, _ = naive_stacks.read(folder / "t.pftrace")
    named = sum("run_long" in sample.functions and "main" in sample.functions for sample in samples)
    assert samples and named > 0.9 * len(samples), Counter(tuple(sample.functions) for sample in samples)
    assert {sample.pid for sample in samples} == {running.pid}


def test_a_library_that_is_loaded_later(dejank, tmp_path):
    need_stacks(dejank)
    code = "import os, bz2; bz2.compress(os.urandom(1 << 21))"
    if subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, check=False).returncode != 0:
        pytest.skip("python3 has no bz2 here")
    done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--stacks", "--", "/usr/bin/python3", "-c", code)
    assert done.returncode == 0, done.stderr
    samples, _ = naive_stacks.read(tmp_path / "t.pftrace")
    inside = [sample for sample in samples if sample.modules and "libbz2" in sample.modules[0][0]]
    assert len(inside) > 30, Counter(sample.modules[0][0] for sample in samples if sample.modules)
    assert sum("main" in sample.functions or "_start" in sample.functions for sample in inside) > 0.9 * len(inside), inside[0]


@pytest.mark.slow
def test_only_stacks_around_janky_frames(dejank, build, tmp_path):
    need_stacks(dejank)
    done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--stacks", "--around", "janky", "--before", "1ms", "--after", "1ms",
                  "--json", "--", build / "examples/example-panel", 60)
    assert done.returncode == 0, done.stderr
    kept = len(naive_stacks.read(tmp_path / "t.pftrace")[0])
    assert 0 < kept < json.loads(done.stdout.splitlines()[-1])["stacks"]["samples"], "the start of the program is left out"


def test_a_plan_asks_for_stacks(dejank, build, tmp_path, without_perf):
    """The trace of each run has call stacks. A run reports if they are refused."""
    need_stacks(dejank)
    plan = {"plan": 1, "package": "planned", "devices": ["local:"],
            "builds": [{"command": [str(build / "examples/example-panel"), "600"]}],
            "flows": [{"name": "still", "idle": True, "for": "400ms"}], "runs": 1, "warmup": 0, "retries": 0, "settle": "100ms",
            "trace": {"stacks": "cpu", "stack-rate": 500}}
    (tmp_path / "plan.yaml").write_text(json.dumps(plan))  # JSON is YAML
    dry = dejank("run", tmp_path / "plan.yaml", "--dry-run")
    assert "of each run, with call stacks" in dry.stdout, dry.stderr
    done = dejank("run", tmp_path / "plan.yaml", "--store", tmp_path / "h.db")
    assert done.returncode == 0, done.stderr
    saved = dejank("show", "still", "--store", tmp_path / "h.db", "--save-traces", tmp_path / "traces")
    samples, _ = naive_stacks.read(Path(saved.stdout.strip()))
    assert any("main" in sample.functions for sample in samples), samples[:3]
    shown = json.loads(dejank("show", "still", "--store", tmp_path / "h.db", "--json").stdout)
    assert '"trace_stacks": ["cpu"]' in json.dumps(shown) and '"trace_stack_rate_hz": 500' in json.dumps(shown)
    refused = dejank("run", tmp_path / "plan.yaml", "--store", tmp_path / "r.db", prefix=without_perf)
    assert refused.returncode == 0 and "the trace has no call stacks" in refused.stderr, refused.stderr


def test_doctor_says_what_is_permitted(dejank, nobody, without_perf):
    prefix, environment, _ = nobody

    def ask(prefix=(), environment=None):
        done = dejank("doctor", "--json", prefix=prefix, environment=environment)
        return {row["name"]: row for row in json.loads(done.stdout)["checks"]}["stacks"]

    refused = ask(without_perf)
    assert not refused["ok"] and "no call stacks: perf events: not permitted" in refused["found"] and refused["remedy"]
    root, user = ask(), ask(prefix, environment)
    if not root["ok"] or not user["ok"]:
        pytest.skip("perf events are refused here")
    assert "call stacks on each CPU" in root["found"] and root["remedy"] is None
    assert "of the app's threads" in user["found"] and "sudo -E dejank trace capture --stacks" in user["remedy"]


@pytest.mark.parametrize(("words", "message"), [
    (["--stack-rate", "100"], "--stack-rate and --stack-size require --stacks"),
    (["--stacks", "--stack-rate", "20000"], "--stack-rate: expected at most 10000"),
    (["--stacks", "--stack-size", "100"], "--stack-size: expected 1024 to 65000"),
    (["--stacks=gpu"], "--stacks: expected cpu, waits or cpu,waits, found 'gpu'"),
    (["--stacks", "--device", "adb:"], "--stacks applies only to this machine: remove --device"),
])
def test_wrong_options(dejank, tmp_path, words, message):
    done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", *words)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert not (tmp_path / "t.pftrace").exists()
