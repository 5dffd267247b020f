"""perf.data files: dejank reads the same samples from recordings of perf as perf script."""

import json
import subprocess
from collections import Counter
from itertools import takewhile

import naive_stacks
import perf_recorder
import pytest


@pytest.fixture
def dejank(build):
    def run(*words, code=0, stdin=None):
        done = subprocess.run([build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=120, check=False, stdin=stdin)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture
def convert(dejank):
    """Converts a file to a trace with dejank, and returns the samples of the trace."""
    def run(file):
        dejank("trace", "read", file, "-o", file.with_suffix(".pftrace"))
        return naive_stacks.read(file.with_suffix(".pftrace"))[0]

    return run


@pytest.fixture
def program(build):
    """A command that starts a thread, a child process and another program."""
    return ["sh", "-c", 'exec "$0" 60 > /dev/null', build / "tests/programs/planted_stacks"]


def get_user_calls(calls, module):
    calls = [call for call in calls if not module(call).startswith("[kernel") and not module(call).endswith(".ko")]
    # perf prints addresses without a name after the end of some stacks.
    return list(takewhile(lambda call: module(call).startswith(("/", "[vdso")) and "[unknown]" not in call, calls))


def is_whole(sample):
    return sample.error == 1


def is_same_address(perfs, own):
    """A caller's address may be that of the next instruction, or one byte before it. perf prints offsets in the file. These
    differ for python3 because it is loaded at a fixed address."""
    return abs(own - perfs) <= 1 or abs(own - 0x400000 - perfs) <= 1


def is_same_call(perfs, own):
    """Compares names only in the test's program, because functions of libraries have several."""
    function, (module, _, address) = own
    is_same_name = perfs.function == function or "planted" not in module or "@plt" in perfs.function
    return perfs.module == module and is_same_address(perfs.address, address) and is_same_name


def compare(mine, theirs):
    """Checks that dejank has each sample of perf, with the same addresses as far as perf unwinds. perf often stops before the first
    function. Returns the number of samples with compared addresses."""
    assert Counter((one.at_ns, one.pid, one.tid) for one in mine) == Counter((one.at_ns, one.pid, one.tid) for one in theirs)
    found = {(one.at_ns, one.tid): one for one in mine}
    compared, other = 0, []
    for sample in theirs:
        own = found[sample.at_ns, sample.tid]
        calls = get_user_calls(sample.calls, lambda call: call.module)
        own_calls = get_user_calls([call for call in zip(own.functions, own.modules) if call[0] != "[kernel]"], lambda call: call[1][0])
        if is_whole(own) and len(calls) <= len(own_calls):
            compared += 1
            other += [(sample, own)] if not all(map(is_same_call, calls, own_calls)) else []
    # perf sometimes omits a function of the dynamic linker that starts a program.
    assert len(other) <= 1 + compared // 100, other[:3]
    return compared


RECORDINGS = {
    "dwarf": ("--call-graph", "dwarf,16384"),
    "fp": ("--call-graph", "fp"),
    "zstd": ("-z", "--call-graph", "dwarf,16384"),
    "build-ids": ("--buildid-mmap", "--call-graph", "dwarf,16384"),
    "switches": ("--switch-events", "--call-graph", "fp"),
    "all fields": ("-d", "--phys-data", "--sample-cpu", "-P", "-T", "--call-graph", "dwarf,4096"),
}


@pytest.mark.parametrize("words", RECORDINGS.values(), ids=RECORDINGS)
def test_samples_are_those_of_perf(dejank, convert, program, tmp_path, words):
    file = perf_recorder.record(tmp_path / "perf.data", *program, words=words)
    theirs, mine = perf_recorder.read(file), convert(file)
    assert compare(mine, theirs) > 0.8 * len(theirs) > 50
    answer = json.loads(dejank("trace", "read", "--json", file))
    assert answer["source"] == "perf.data" and answer["call_stacks"] == len(theirs) and answer["missing"]["damaged"] == 0
    assert answer["clock"] == {"name": "mono", "ticks": False, "to_mono_ns": 0, "error_ns": 0}
    assert any("samples of cpu-clock" in note and "every 1.000 ms" in note for note in answer["notes"])


def test_functions_have_names_and_processes(convert, program, tmp_path):
    file = perf_recorder.record(tmp_path / "perf.data", *program)
    samples = convert(file)
    for function in ("run_long", "run_in_thread", "run_in_child", "run_after_exec"):
        stacks = [one for one in samples if function in one.functions]
        assert len(stacks) > 20 and sum(map(is_whole, stacks)) > 0.8 * len(stacks), function
        assert len({one.tid for one in stacks}) == 1, function
    pids = {name: {one.pid for one in samples if name in one.functions} for name in ("run_long", "run_in_thread", "run_in_child")}
    assert pids["run_long"] == pids["run_in_thread"] != pids["run_in_child"]


def test_libraries_that_are_loaded_later(convert, tmp_path):
    """python3 loads libz with dlopen() and calls it."""
    code = "import time; time.sleep(0.1); import zlib; data = bytes(range(256)) * 40000\nfor _ in range(2): zlib.compress(data, 9)"
    file = perf_recorder.record(tmp_path / "perf.data", "/usr/bin/python3", "-c", code)
    theirs, mine = perf_recorder.read(file), convert(file)
    assert compare(mine, theirs) > 0
    in_libz = [one for one in mine if one.modules and "libz.so" in one.modules[0][0]]
    assert len(in_libz) > 20 and sum(map(is_whole, in_libz)) > 0.8 * len(in_libz)


def test_a_pipe_and_a_packed_file(dejank, program, tmp_path):
    file = tmp_path / "perf.data"
    file.write_bytes(perf_recorder.record_to_pipe(*program))
    count = len(perf_recorder.read(file))
    assert count > 50 and json.loads(dejank("trace", "read", "--json", file))["call_stacks"] == count
    with open(file, "rb") as stdin:
        assert json.loads(dejank("trace", "read", "--json", "-", stdin=stdin))["call_stacks"] == count
    subprocess.run(["gzip", file], check=True)
    assert json.loads(dejank("trace", "read", "--json", f"{file}.gz"))["call_stacks"] == count


def test_perfs_own_clock_has_no_offset(dejank, program, tmp_path):
    file = perf_recorder.record(tmp_path / "perf.data", *program, clock=())
    answer = json.loads(dejank("trace", "read", "--json", file))
    assert answer["clock"]["name"] == "perf" and answer["clock"]["to_mono_ns"] is None


def test_one_of_several_events_is_used(dejank, program, tmp_path):
    words = ("-e", "cpu-clock,page-faults,task-clock", "--call-graph", "fp")
    file = perf_recorder.record(tmp_path / "perf.data", *program, words=words)
    answer = json.loads(dejank("trace", "read", "--json", file))
    text = subprocess.run(["perf", "script", "-i", file, "-F", "event"], capture_output=True, text=True, check=True).stdout
    assert answer["call_stacks"] == text.count("cpu-clock:") and "task-clock:" in text
    assert any("samples of page-faults, task-clock are not used" in note for note in answer["notes"])


def test_an_event_that_measures_no_time(dejank, program, tmp_path):
    file = perf_recorder.record(tmp_path / "perf.data", *program, words=("-e", "page-faults"))
    answer = json.loads(dejank("trace", "read", "--json", file))
    assert "call_stacks" not in answer
    assert any("page-faults are not used: expected an event that measures time" in note for note in answer["notes"])


def test_switches_and_tracepoints(dejank, program, tmp_path):
    file = perf_recorder.record(tmp_path / "perf.data", *program, words=("--switch-events", "--call-graph", "fp"))
    states = json.loads(dejank("trace", "read", "--json", file))["states"]
    assert {"running", "sleeping"} <= {one["state"] for one in states}
    words = ("-e", "cpu-clock,sched:sched_switch,sched:sched_wakeup", "-a", "--call-graph", "fp")
    file = perf_recorder.record(tmp_path / "wide.data", *program, words=words)
    answer = json.loads(dejank("trace", "read", "--json", file))
    assert len(answer["states"]) > 20 and any("waker" in one for one in answer["states"])
    assert answer["missing"]["damaged"] == 0
