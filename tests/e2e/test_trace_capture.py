"""dejank trace capture on this machine: its three levels, their failures, and cleanup afterwards."""

import ctypes
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from naive_stacks import fields, first

AS_ROOT = os.geteuid() == 0
NOBODY = 65534
FIRST_NAMESPACE = 0xEFFFFFFC  # inode number of the initial pid namespace

# Two processes that pass a byte back and forth forever: about ten thousand context switches per second.
PING_PONG = """
import os
a, b = os.pipe(), os.pipe()
child = os.fork() == 0
source, target = (a[0], b[1]) if child else (b[0], a[1])
os.write(a[1], b"x")
while True:
    os.write(target, os.read(source, 1))
"""


# The same, limited to 9000 turns per process: more events than a small disk holds.
PING_PONG_ONCE = """
import os
a, b = os.pipe(), os.pipe()
child = os.fork() == 0
source, target = (a[0], b[1]) if child else (b[0], a[1])
os.write(a[1], b"x")
for turn in range(9000): os.write(target, os.read(source, 1))
"""


@contextmanager
def tracefs():
    """Mounts tracefs for the test only and yields its folder."""
    if not AS_ROOT:
        pytest.skip("needs root, for tracefs")
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    try:
        if subprocess.run(["mount", "-t", "tracefs", "nodev", folder], capture_output=True).returncode != 0:
            pytest.skip("tracefs cannot be mounted here")
        try:
            if not (folder / "instances").is_dir():
                pytest.skip("this kernel has no tracing instances")
            yield folder
        finally:
            subprocess.run(["umount", folder], check=False)
    finally:
        folder.rmdir()


@pytest.fixture
def panel(build):
    return build / "examples/example-panel"


@pytest.fixture
def dejank(build, recorder):
    """dejank(WORDS…, prefix=…): the finished process."""

    def run(*words, prefix=(), environment=None, **more):
        return subprocess.run([*prefix, build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=60,
                              env={**recorder.environment, **(environment or {})}, **more)

    return run


def capture(dejank, output, *words, **more):
    """Runs a capture that must succeed and returns its JSON output."""
    done = dejank("trace", "capture", "-o", output, "--json", *words, **more)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["schema"] == "dejank.capture/1" and said["bytes"] == Path(output).stat().st_size
    return said


def read(dejank, file):
    done = dejank("trace", "read", "--json", file)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def threads_of(trace, name):
    return {thread["tid"] for thread in trace["threads"] if thread["name"] == name}


def states_of(trace, name):
    tids = threads_of(trace, name)
    return {state["state"] for state in trace["states"] if state["tid"] in tids}


def test_as_root(dejank, panel, tmp_path):
    with tracefs():
        said = capture(dejank, tmp_path / "t.pftrace", "--", panel, 40)
    assert said["source"] == "tracefs" and said["frames"] == 40 and said["events"] > 100
    trace = read(dejank, tmp_path / "t.pftrace")
    assert {"running", "sleeping"} <= states_of(trace, "example-panel")
    wakers = [state for state in trace["states"] if "waker" in state]
    assert wakers, "who woke a thread is known"
    assert len([one for one in trace["async"] if one["name"] == "Layout"]) == 40, "the frames' stages"
    assert said["start_ns"] <= trace["last_ns"] and trace["first_ns"] <= said["end_ns"]


def count_timers(file):
    """Counts the hrtimer_start events of each thread, by FtraceEventBundle.event.pid and .generic of a Perfetto trace."""
    bundles = (bundle for _, packet in fields(file.read_bytes()) for number, bundle in fields(packet) if number == 1)
    events = [event for bundle in bundles for number, event in fields(bundle) if number == 2]
    return Counter(first(event, 2) for event in events if first(first(event, 327, b""), 1) == b"hrtimer_start")


@pytest.mark.parametrize("level", ["tracefs", "perf"])
def test_only_timers_of_threads_are_recorded(dejank, tmp_path, level):
    """While the program computes, the timer of sampled call stacks expires a thousand times per second on its CPU."""
    sleeps = 20
    program = tmp_path / "timers-program"  # the thread gets this name
    program.symlink_to(sys.executable)
    words = ["-c", f"import time\nfor i in range({sleeps}): time.sleep(0.002)\n"
               "while time.process_time() < 0.6: pass"]
    with tracefs():
        said = capture(dejank, tmp_path / "t.pftrace", "--level", level, "--stacks", "--", program, *words)
    assert said["source"] == level
    timers = count_timers(tmp_path / "t.pftrace")
    tids = threads_of(read(dejank, tmp_path / "t.pftrace"), program.name)
    assert sleeps <= sum(timers[tid] for tid in tids) < 5 * sleeps


def test_sections_of_the_app(dejank, build, tmp_path):
    with tracefs():
        said = capture(dejank, tmp_path / "t.pftrace", "--name", "sections", "--", build / "tests/programs/sectioner",
                       "nested", 20)
    assert said["sections"] == 80
    trace = read(dejank, tmp_path / "t.pftrace")
    assert sum(slice["name"] == "inner" and slice["depth"] == 1 for slice in trace["slices"]) == 20


def test_around_janky_frames(dejank, panel, tmp_path):
    """Every tenth frame is janky. The trace keeps kernel events only near such a frame."""
    with tracefs():
        said = capture(dejank, tmp_path / "t.pftrace", "--around", "janky", "--before", "1ms", "--after", "1ms", "--", panel, 60)
    assert said["janky"] >= 6
    trace = read(dejank, tmp_path / "t.pftrace")
    assert said["frames"] == 60, "which frames there were is known of all"
    slow = [one for one in trace["async"] if one["name"] == "Layout" and one["end_ns"] - one["start_ns"] > 19e6]
    tids = threads_of(trace, "example-panel")
    assert len(slow) == 6
    for stage in slow[1:]:
        # The kernel may omit context switches, so the thread may appear runnable throughout, but it does not sleep.
        assert any(state["tid"] in tids and state["state"] in ("running", "runnable") and state["start_ns"] < stage["end_ns"]
                   and (state["end_ns"] or stage["end_ns"]) > stage["start_ns"] for state in trace["states"]), stage


def test_around_janky_frames_where_none_is(dejank, tmp_path):
    """No frame is seen, with or without a named app: the capture fails and reports the reason."""
    with tracefs():
        done = dejank("trace", "capture", "--around", "janky", "-o", tmp_path / "t.pftrace", "--duration", "200ms", "-p", "no-such-app")
        assert done.returncode == 4 and "nothing was captured" in done.stderr and not (tmp_path / "t.pftrace").exists()
        done = dejank("trace", "capture", "--around", "janky", "-o", tmp_path / "t.pftrace", "--duration", "200ms")
    assert done.returncode == 4 and "no frame was seen, janky or not" in done.stderr, done.stderr


def test_chromes_json_is_not_written(dejank, tmp_path):
    done = dejank("trace", "capture", "-o", tmp_path / "t.json", "--duration", "200ms")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "expected a name that ends in .pftrace" in done.stderr and not any(tmp_path.glob("t.*"))


def need_perf():
    """Skips where the kernel refuses perf events of a program's own threads, as in containers."""
    attribute = struct.pack("=IIQ", 1, 128, 9) + bytes(24) + struct.pack("=Q", 0x61) + bytes(80)  # PERF_COUNT_SW_DUMMY, user space
    libc = ctypes.CDLL(None, use_errno=True)
    number = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
    fd = libc.syscall(number, attribute, 0, -1, -1, ctypes.c_ulong(8))
    if fd < 0:
        pytest.skip(f"perf events are refused here: {os.strerror(ctypes.get_errno())}")
    os.close(fd)


def test_own_threads_without_any_permission(dejank, panel, nobody):
    need_perf()
    prefix, environment, folder = nobody
    said = capture(dejank, folder / "t.pftrace", "--level", "own-threads", "--", panel, 40, prefix=prefix, environment=environment)
    assert said["source"] == "own-threads" and said["frames"] == 40 and said["events"] >= 80
    assert any("disk" in limit for limit in said["limits"]) and any("woke" in limit for limit in said["limits"])
    trace = read(dejank, folder / "t.pftrace")
    assert {"running", "sleeping"} <= states_of(trace, "example-panel")
    assert {"pressure cpu us", "wait for a CPU ns"} & {count["name"] for count in trace["counters"]}


@pytest.fixture
def without_perf():
    """A command prefix under which perf events fail with EPERM, as in containers."""
    prefix = ["strace", "-f", "-o", "/dev/null", "-e", "trace=perf_event_open", "-e", "inject=perf_event_open:error=EPERM"]
    if not shutil.which("strace") or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("strace is not installed, or may not look: tools/deps tests")
    return prefix


def test_perf_events_refused_and_no_frame_drawn(dejank, tmp_path, without_perf):
    """Counters of the program's threads are enough for a capture, and dejank returns the program's exit status."""
    done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--level", "own-threads", "--", "sh", "-c", "sleep 0.3; exit 7",
                  prefix=without_perf)
    assert done.returncode == 7 and "nothing was captured" not in done.stderr, done.stderr
    assert any(count["name"] == "wait for a CPU ns" for count in read(dejank, tmp_path / "t.pftrace")["counters"])


def test_where_even_own_threads_may_not_be_watched(dejank, panel, tmp_path, without_perf):
    """Without perf events, as in containers, the trace still has frames and counters."""
    said = capture(dejank, tmp_path / "t.pftrace", "--level", "own-threads", "--", panel, 20, prefix=without_perf)
    assert said["events"] == 0 and said["frames"] == 20
    assert any("what threads did" in limit and "not permitted" in limit for limit in said["limits"])
    assert any(count["name"] == "pressure cpu us" for count in read(dejank, tmp_path / "t.pftrace")["counters"])


def test_perf_events_with_that_permission_alone(dejank, panel, nobody):
    need_perf()
    prefix, environment, folder = nobody
    prefix = [*prefix, "--inh-caps", "+perfmon", "--ambient-caps", "+perfmon"]
    if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("CAP_PERFMON cannot be given here")
    done = dejank("trace", "capture", "-o", folder / "t.pftrace", "--json", "--", panel, 30, prefix=prefix, environment=environment)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["source"] == "perf" and said["frames"] == 30
    assert any("tracefs" in limit for limit in said["limits"])
    trace = read(dejank, folder / "t.pftrace")
    assert len({state["tid"] for state in trace["states"]}) > 3, "all threads are seen, not the app's alone"
    assert "running" in states_of(trace, "example-panel")


def test_a_program_in_a_folder_of_another_user(dejank, nobody, tmp_path):
    prefix, environment, _ = nobody
    tmp_path.chmod(0o700)
    program = shutil.copy("/bin/true", tmp_path)
    done = dejank("record", program, prefix=prefix, environment=environment)
    assert (done.returncode, done.stderr) == (126, f"dejank record: '{program}': Permission denied\n")


def test_a_level_that_is_not_permitted(dejank, panel, nobody):
    prefix, environment, folder = nobody
    done = dejank("trace", "capture", "-o", folder / "t", "--level", "tracefs", "--", panel, 5, prefix=prefix, environment=environment)
    assert done.returncode == 3 and "tracefs" in done.stderr and "sudo -E dejank trace capture" in done.stderr
    assert done.stdout == "" and not (folder / "t").exists(), "the program was not started"


def test_an_instance_that_a_killed_capture_left(build, dejank, recorder, tmp_path):
    with tracefs() as folder:
        running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t"], env=recorder.environment,
                                   stderr=subprocess.DEVNULL)
        wait_for(lambda: list((folder / "instances").glob(f"dejank-{running.pid}-*")))
        running.kill()
        running.wait()
        assert list((folder / "instances").glob(f"dejank-{running.pid}-*"))
        rows = {row["name"]: row for row in json.loads(dejank("doctor", "--json").stdout)["checks"]}
        assert not rows["capture"]["ok"] and rows["capture"]["remedy"] == "dejank doctor --restore"
        capture(dejank, tmp_path / "t", "--duration", "200ms")
        assert not list((folder / "instances").glob(f"dejank-{running.pid}-*"))
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith("t")] == ["t"], "nothing of the killed one is left"


def has_ended(pid):
    """Whether a process has ended. A zombie counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_a_killed_capture_takes_its_program_along(build, recorder, tmp_path):
    told = tmp_path / "pid"
    running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t", "--level", "own-threads", "--", "sh", "-c", f"echo $$ > {told}.new; mv {told}.new {told}; exec sleep 300"],
                               env=recorder.environment, stderr=subprocess.DEVNULL)
    program = 0
    try:
        wait_for(lambda: told.exists() or running.poll() is not None)
        program = int(told.read_text())
        running.kill()
        running.wait()
        wait_for(lambda: has_ended(program))
    finally:
        running.kill()
        running.wait()
        if program > 0:
            with suppress(ProcessLookupError):
                os.kill(program, signal.SIGKILL)


def test_an_instance_that_somebody_still_reads(dejank, tmp_path):
    """The instance stays until its reader has closed it, and other captures work meanwhile."""
    with tracefs() as folder:
        namespace = os.stat("/proc/self/ns/pid").st_ino
        busy = folder / "instances" / f"dejank-999999999-{time.monotonic_ns()}-0{'' if namespace == FIRST_NAMESPACE else f'-{namespace}'}"
        busy.mkdir()
        try:
            with open(busy / "per_cpu/cpu0/trace_pipe_raw", "rb"):
                capture(dejank, tmp_path / "t", "--duration", "100ms")
                said = dejank("doctor", "--restore").stderr
                assert f"cannot remove the tracing instance {busy.name}: a process may still read it" in said
                assert busy.is_dir()
            assert "removed 1 tracing instance" in dejank("doctor", "--restore").stderr
            assert not busy.exists()
        finally:
            if busy.exists():
                busy.rmdir()


def wait_for(holds, seconds=60):
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_keeps_what_there_is(build, recorder, dejank, tmp_path, number):
    with tracefs() as folder:
        running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t.pftrace", "--json"],
                                   env=recorder.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: list((folder / "instances").glob(f"dejank-{running.pid}-*")))
        time.sleep(0.3)
        running.send_signal(number)
        said, talk = running.communicate(timeout=60)
        assert running.returncode == 0, talk
        assert not list((folder / "instances").glob(f"dejank-{running.pid}-*"))
    assert json.loads(said)["events"] > 0
    assert read(dejank, tmp_path / "t.pftrace")["states"]


def test_an_app_that_does_not_exist(dejank, nobody, tmp_path):
    """dejank reports the missing app and captures the rest of the machine."""
    with tracefs():
        done = dejank("trace", "capture", "-p", "no-such-app", "-o", tmp_path / "t.pftrace", "--duration", "200ms", "--json")
    assert done.returncode == 4, done.stderr
    assert "no process has the name no-such-app" in done.stderr
    said = json.loads(done.stdout)
    assert said["app"] == "absent" and "no process with this name ran" in said["limits"][0] and said["bytes"] > 0
    assert read(dejank, tmp_path / "t.pftrace")["states"]
    # At the level own-threads nothing can be captured, and the existing file stays.
    prefix, environment, folder = nobody
    (folder / "t").write_text("before")
    os.chown(folder / "t", NOBODY, NOBODY)
    done = dejank("trace", "capture", "--level", "own-threads", "-p", "no-such-app", "-o", folder / "t", "--duration", "200ms",
                  prefix=prefix, environment=environment)
    assert done.returncode == 4 and "nothing was captured (frames and sections of no-such-app" in done.stderr, done.stderr
    assert "wrote" not in done.stderr and (folder / "t").read_text() == "before"


def test_an_app_that_nobody_records(dejank, tmp_path):
    unrecorded = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        with tracefs():
            done = dejank("trace", "capture", "-p", unrecorded.pid, "-o", tmp_path / "t.pftrace", "--duration", "200ms", "--json")
    finally:
        unrecorded.kill()
        unrecorded.wait()
    assert done.returncode == 4, done.stderr
    assert "runs without dejank's recorder" in done.stderr
    assert json.loads(done.stdout)["app"] == "not-recorded" and (tmp_path / "t.pftrace").stat().st_size > 0


def test_an_app_that_begins_later_and_ends_before(build, recorder, dejank, panel, nobody):
    """The level own-threads captures the app's threads from the moment dejank finds the app."""
    need_perf()
    prefix, environment, folder = nobody
    environment = {**recorder.environment, **environment}
    running = subprocess.Popen([*prefix, build / "dejank", "trace", "capture", "--level", "own-threads", "-p", "late-panel", "-o",
                                folder / "t.pftrace", "--json"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = [running.stderr.readline()]
    shown = dejank("record", "--name", "late-panel", "--", panel, 90, prefix=prefix, environment=environment)
    assert shown.returncode == 0, shown.stderr
    said += [running.stderr.readline(), running.stderr.readline()]
    running.send_signal(signal.SIGINT)
    out, talk = running.communicate(timeout=60)
    assert running.returncode == 0, talk
    assert [word in line for word, line in zip(("no process has the name late-panel", "has started", "has ended"), said)] == [True] * 3, said
    came = json.loads(out)
    assert came["app"] == "recorded" and came["frames"] == 90 and came["events"] > 0
    assert "running" in states_of(read(dejank, folder / "t.pftrace"), "example-panel")


def test_a_terminal_that_goes_away_ends_nothing_under_nohup(build, recorder, dejank, tmp_path):
    with tracefs() as folder:
        running = subprocess.Popen(["nohup", build / "dejank", "trace", "capture", "-o", tmp_path / "t.pftrace", "--json"], env=recorder.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: list((folder / "instances").glob(f"dejank-{running.pid}-*")))
        running.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        said, talk = running.communicate(timeout=60)
    assert running.returncode == 0 and json.loads(said)["events"] > 0, talk


def test_the_app_dies(dejank, panel, tmp_path):
    """dejank exits with the app's status, and the trace contains the events up to then."""
    with tracefs():
        done = dejank("trace", "capture", "-o", tmp_path / "t.pftrace", "--", "sh", "-c", f"{panel} 10; kill -9 $$")
        assert done.returncode == 128 + signal.SIGKILL, done.stderr
    assert states_of(read(dejank, tmp_path / "t.pftrace"), "example-panel")


def test_more_events_than_there_is_room_for(build, recorder, tmp_path):
    """dejank is stopped until a ring buffer overflows. It then reports the lost events."""
    with tracefs() as folder:
        running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t.pftrace", "--json", "--buffer", "1"],
                                   env=recorder.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        noise = subprocess.Popen([sys.executable, "-c", PING_PONG], start_new_session=True)
        try:
            wait_for(lambda: list((folder / "instances").glob(f"dejank-{running.pid}-*")))
            instance = next((folder / "instances").glob(f"dejank-{running.pid}-*"))
            on = [instance / "tracing_on", instance / "events/sched/sched_switch/enable"]
            wait_for(lambda: all(file.exists() and file.read_text() == "1\n" for file in on))  # the kernel creates the files one by one
            running.send_signal(signal.SIGSTOP)
            wait_for(lambda: any(int(line.split()[1]) > 0 for file in instance.glob("per_cpu/cpu*/stats")
                                 for line in file.read_text().splitlines() if line.startswith("overrun:")))
        finally:
            os.killpg(noise.pid, signal.SIGKILL)
            noise.wait()
            running.send_signal(signal.SIGCONT)
            running.send_signal(signal.SIGINT)
            said, talk = running.communicate(timeout=60)
    assert running.returncode == 0, talk
    assert json.loads(said)["lost"] > 0 and "they came faster than dejank could read them" in talk


def test_a_disk_that_is_full(dejank, panel, tmp_path):
    """The disk fills during the capture. The program still runs to its end, and the partial trace is readable."""
    full = tmp_path / "full"
    full.mkdir()
    with tracefs():
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "nodev", full], capture_output=True).returncode != 0:
            pytest.skip("no file system can be mounted here")
        try:
            (full / "t.pftrace").write_text("before")
            done = dejank("trace", "capture", "-o", full / "t.pftrace", "--", "sh", "-c", f"{panel} 90; {sys.executable} -c '{PING_PONG_ONCE}'")
            assert list(full.iterdir()) == [full / "t.pftrace"]
            trace = read(dejank, full / "t.pftrace")
        finally:
            subprocess.run(["umount", full], check=True)
    assert done.returncode == 4 and "No space left on device" in done.stderr, done.stderr
    assert "showed 90 frames" in done.stdout
    assert len(trace["states"]) > 50, "more than names of threads"


@pytest.mark.parametrize("output, says", [("", "Is a directory"), ("none/t", "No such file or directory")])
def test_an_output_that_cannot_be_written(dejank, panel, tmp_path, output, says):
    with tracefs():
        done = dejank("trace", "capture", "-o", f"{tmp_path}/{output}", "--", panel, 5)
    assert done.returncode == 4 and says in done.stderr, done.stderr
    assert done.stdout == "", "the program was not started"


@pytest.mark.parametrize("words, says", [
    (["--duration", "1s"], "missing option --output FILE"),
    (["-o", "t", "--around", "all"], "expected janky"),
    (["-o", "t.atrace", "--around", "janky"], "--around janky cannot write text"),
    (["-o", "t", "--before", "1s"], "--around janky"),
    (["-o", "t", "--level", "all"], "own-threads"),
    (["-o", "t", "--category", "gfx"], "categories of this machine: sched"),
    (["-o", "t", "--name", "x"], "--name requires CMD"),
    (["-o", "-"], "/dev/stdout is permitted"),
    (["-o", "t", "-p", ""], "expected an app's name or pid"),
    (["-o", "t", "--size", "99999999999999"], "--size: expected at most 1048576 MB"),
    (["-o", "t", "--buffer", "1025"], "--buffer: expected at most 1024 MB"),
    (["-o", "t", "--buffer", "0"], "--buffer"),
])
def test_what_makes_no_sense(dejank, words, says, tmp_path):
    done = dejank("trace", "capture", *words, cwd=tmp_path)
    assert done.returncode == 2 and says in done.stderr, done.stderr
    assert not (tmp_path / "t").exists()


def test_a_trace_of_each_run(dejank, panel, tmp_path):
    with tracefs():
        done = dejank("run", "--trace", "--package", "panel", "--for", "400ms", "--settle", "100ms", "-n", 1, "--warmup", "0",
                      "--retries", "0", "--max-load", 101, "--store", tmp_path / "h.db", "--", panel, 600)
    assert done.returncode == 0, done.stderr
    saved = dejank("show", "panel", "--store", tmp_path / "h.db", "--save-traces", tmp_path / "traces")
    assert saved.stdout == f"{tmp_path}/traces/run-1.pftrace\n", saved.stderr
    trace = read(dejank, tmp_path / "traces/run-1.pftrace")
    assert states_of(trace, "example-panel") and any(one["name"] == "Draw" for one in trace["async"])
    # Triage of the batch equals triage of its saved trace, and the batch's report contains the same result.
    told = [json.loads(dejank("trace", "triage", what, "--json", "--store", tmp_path / "h.db").stdout)
            for what in ("panel", tmp_path / "traces/run-1.pftrace")]
    assert told[0]["frames"] == told[1]["frames"] and told[0]["frames"]["total"] > 10
    done = dejank("report", "panel", "--store", tmp_path / "h.db", "-o", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    batch, = json.loads((tmp_path / "r.json").read_text())["batches"]
    assert [batch["triage"]["frames"], batch["triage"]["causes"]] == [told[0]["frames"], told[0]["causes"]]
    assert "Causes of jank in the traces" in dejank("report", "panel", "--store", tmp_path / "h.db").stdout


def test_a_plan_asks_for_traces(dejank, panel, tmp_path):
    """A plan requests traces as --trace does, with options for the capture."""
    plan = {"plan": 1, "package": "planned", "devices": ["local:"], "builds": [{"command": [str(panel), "600"]}],
            "flows": [{"name": "still", "idle": True, "for": "500ms"}], "runs": 1, "warmup": 0, "retries": 0, "settle": "100ms",
            "trace": {"around": "janky", "before": "2ms", "after": "2ms", "level": "tracefs", "categories": ["sched"], "size": 16}}
    (tmp_path / "plan.yaml").write_text(json.dumps(plan))  # JSON is YAML
    with tracefs():
        dry = dejank("run", tmp_path / "plan.yaml", "--dry-run")
        assert "of each run, around janky frames, level tracefs" in dry.stdout, dry.stderr
        done = dejank("run", tmp_path / "plan.yaml", "--store", tmp_path / "h.db")
    assert "trace" not in done.stderr, done.stderr
    saved = dejank("show", "still", "--store", tmp_path / "h.db", "--save-traces", tmp_path / "traces")
    trace = read(dejank, saved.stdout.strip())
    assert not trace["interrupts"] and states_of(trace, "example-panel")
    shown = json.loads(dejank("show", "still", "--store", tmp_path / "h.db", "--json").stdout)
    assert '"trace": "janky"' in json.dumps(shown) and '"trace_categories": ["sched"]' in json.dumps(shown)
    assert "Causes of jank in the traces" in dejank("report", "still", "--store", tmp_path / "h.db").stdout
    plan["trace"]["level"] = "all"
    (tmp_path / "plan.yaml").write_text(json.dumps(plan, indent=1))
    line = 1 + next(i for i, text in enumerate((tmp_path / "plan.yaml").read_text().splitlines()) if '"level"' in text)
    done = dejank("run", tmp_path / "plan.yaml", "--store", tmp_path / "h.db")
    assert done.returncode == 2 and f"plan.yaml:{line}:" in done.stderr and "no level 'all'" in done.stderr, done.stderr


def test_a_run_counts_without_its_trace(dejank, panel, tmp_path):
    words = ["run", "--package", "panel", "--for", "300ms", "--settle", "100ms", "-n", 1, "--warmup", "0", "--retries", "0", "--max-load", 101,
             "--store", tmp_path / "h.db", "--", panel, 600]
    done = dejank(words[0], "--trace", *words[1:], environment={"TMPDIR": str(tmp_path / "none")})
    assert done.returncode == 0, done.stderr
    assert "the trace of this run is missing: cannot write" in done.stderr
    none = dejank("show", "panel", "--store", tmp_path / "h.db", "--save-traces", tmp_path / "traces")
    assert none.returncode == 4 and "dejank run --trace" in none.stderr
