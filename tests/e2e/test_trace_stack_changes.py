"""Call stacks of programs during changes of their files, libraries, threads and namespaces."""

import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import naive_stacks
import pytest
from test_trace_stacks import need_stacks

ROOT = Path(__file__).resolve().parents[2]
MS = 150


@pytest.fixture
def dejank(build, recorder):
    def run(*words, prefix=(), environment=None, **more):
        return subprocess.run([*prefix, build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=60,
                              env={**recorder.environment, **(environment or {})}, **more)

    return run


@pytest.fixture
def capture(dejank, tmp_path):
    """Captures a program and returns its samples."""

    def run(*command, folder=tmp_path, **more):
        need_stacks(dejank, **more)
        done = dejank("trace", "capture", "-o", folder / "t.pftrace", "--stacks", "--", *command, **more)
        assert done.returncode == 0, done.stderr
        return naive_stacks.read(folder / "t.pftrace")[0]

    return run


@pytest.fixture
def program(build):
    return build / "tests/programs/stack_changes"


def check_stacks(samples, function, callers=("main",), least=MS * 0.4):
    """Enough samples are in the function, and nearly all of them have its callers."""
    inside = [sample for sample in samples if function in sample.functions]
    stacks = Counter(tuple(sample.functions) for sample in samples)
    assert len(inside) >= least, stacks
    whole = [sample for sample in inside if all(caller in sample.functions[sample.functions.index(function):] for caller in callers)]
    assert len(whole) >= 0.95 * len(inside), stacks
    return inside


def test_a_library_is_unloaded_and_loaded_again(capture, build, program):
    library = build / "tests/programs/libstack_library.so"
    samples = capture(program, MS, "library", library)
    check_stacks(samples, "spin_in_library", ("use_library", "main"), least=MS)
    check_stacks(samples, "spin_after")


def test_a_program_deletes_its_own_file(capture, program, tmp_path):
    """The file is still there for the kernel, and root can open it."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to open deleted files")
    copy = shutil.copy(program, tmp_path / "copy")
    check_stacks(capture(copy, MS, "deleted"), "spin_deleted")
    assert not Path(copy).exists()


def test_a_program_replaces_its_own_file(capture, program, tmp_path):
    """The functions are those of the file that runs, not of the new one."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to open replaced files")
    copy, other = shutil.copy(program, tmp_path / "copy"), shutil.copy("/bin/sleep", tmp_path / "other")
    check_stacks(capture(copy, MS, "replaced", other), "spin_replaced")
    assert Path(copy).read_bytes() == Path("/bin/sleep").read_bytes()


def test_a_user_gets_no_wrong_names_from_a_replaced_file(capture, program, nobody):
    prefix, environment, folder = nobody
    copy, other = shutil.copy(program, folder / "copy"), shutil.copy(program.parent / "planted_stacks", folder / "other")
    shutil.chown(copy, "nobody")
    shutil.chown(other, "nobody")
    samples = capture(copy, MS, "replaced", other, folder=folder, prefix=prefix, environment=environment)
    names = {name for sample in samples for name in sample.functions}
    assert not names & {"run_long", "run_short", "wait_here", "spin_leaf"}, names


def test_a_signal_handler_has_the_stack_of_what_it_interrupted(capture, program):
    check_stacks(capture(program, MS, "signal"), "spin_in_handler", ("handle", "spin_interrupted", "main"))


def test_code_of_the_kernel_in_the_process_is_unwound(capture, program):
    samples = capture(program, 4 * MS, "vdso")
    inside = [sample for sample in samples if sample.modules and sample.modules[0][0] == "[vdso]"]
    if not inside:
        pytest.skip("this machine's clock needs a system call")
    whole = sum("read_clock" in sample.functions and "main" in sample.functions for sample in inside)
    assert whole >= 0.9 * len(inside), Counter(tuple(sample.functions) for sample in inside)


def test_threads_that_end_keep_their_samples(capture, program):
    inside = check_stacks(capture(program, MS, "threads"), "spin_in_thread", ("run_thread",), least=MS * 2)
    assert len({sample.tid for sample in inside}) == 20 and len({sample.pid for sample in inside}) == 1


@pytest.mark.parametrize("who", ["app", "both"])
def test_a_pid_namespace(capture, program, who):
    """The app alone, or the app and dejank, run in the namespace."""
    unshare = ["unshare", "--pid", "--fork", "--mount-proc"]
    if not shutil.which("unshare") or subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this kernel refuses pid namespaces")
    if who == "app":
        samples = capture(*unshare, program, MS, "signal")
    else:
        samples = capture(program, MS, "signal", prefix=unshare)
    check_stacks(samples, "spin_in_handler", ("main",))


@pytest.fixture
def container_filter(tmp_path):
    """The seccomp filter of containers, and the prefix that applies it with the descriptor 0."""
    prefix = ["bwrap", "--dev-bind", "/", "/", "--seccomp", "0"]
    if not shutil.which("bwrap") or not shutil.which("cc"):
        pytest.skip("bwrap and cc are not installed: tools/deps tests")
    subprocess.run(["cc", "-o", tmp_path / "filter", ROOT / "tests/machines/seccomp_filter.c"], check=True)
    stream = tmp_path / "filter.bpf"
    stream.write_bytes(subprocess.run([tmp_path / "filter"], capture_output=True, check=True).stdout)
    with open(stream, "rb") as opened:
        if subprocess.run([*prefix, "true"], stdin=opened, capture_output=True, check=False).returncode != 0:
            pytest.skip("this machine refuses bwrap")
    return stream, prefix


def test_the_filter_of_a_container_refuses_perf_events(dejank, program, tmp_path, container_filter):
    """The kernel refuses perf events. The capture continues without call stacks and reports it."""
    stream, prefix = container_filter
    with open(stream, "rb") as opened:
        done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--stacks", "--json", "--", program, 50, "signal",
                      prefix=prefix, stdin=opened)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["stacks"]["source"] == "none" and answer["stacks"]["samples"] == 0
    lines = [line for line in done.stderr.splitlines() if "no call stacks" in line]
    assert len(lines) == 1 and "not permitted" in lines[0], done.stderr
    with open(stream, "rb") as opened:
        checks = json.loads(dejank("doctor", "--json", prefix=prefix, stdin=opened).stdout)["checks"]
    stacks = next(check for check in checks if check["name"] == "stacks")
    assert not stacks["ok"] and "not permitted" in stacks["found"]


@pytest.mark.slow
def test_the_unwinder_without_memory_does_not_end_the_capture(dejank, build, program, tmp_path):
    """dejank ends with status 0 or 5, whichever allocation fails. If one in the unwinder fails, it continues without further stacks."""
    need_stacks(dejank)
    library, counts = build / "tests/programs/libfail_allocation.so", tmp_path / "counts"

    def capture(**environment):
        return dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--stacks", "--", program, 20, "signal",
                      environment={"LD_PRELOAD": str(library), **environment})

    capture(COUNT_ALLOCATIONS=str(counts), FIRST_OF_STACKS="1")
    numbers = counts.read_text().split()
    if not numbers:
        pytest.skip("a build with sanitizers has its own allocator")
    done = [capture(FAIL_ALLOCATION=number) for number in numbers[::3]]
    assert {one.returncode for one in done} <= {0, 5}, Counter(one.returncode for one in done)
    limited = [one for one in done if "out of memory for call stacks" in one.stderr]
    assert limited and all(one.returncode == 0 for one in limited), [one.stderr for one in limited]
