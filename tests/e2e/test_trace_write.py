"""`dejank trace read FILE -o TRACE`: protoc reads the written file, and dejank reads the same trace from it."""

import json
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

PROTO = Path(__file__).resolve().parents[1] / "data"

TEXT = """\
          <idle>-0     [001] d..2.  1.000100: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ui next_pid=11 next_prio=120
              ui-11    [001] .....  1.000200: tracing_mark_write: B|10|layout
              ui-11    [001] .....  1.000300: tracing_mark_write: C|10|fps|59
##### CPU 0 buffer started ####
            sync-12    [000] d..3.  1.000400: sched_waking: comm=ui pid=11 prio=120 target_cpu=001
              ui-11    [001] .....  1.000500: tracing_mark_write: E|10
              ui-11    [001] .....  1.000550: something_new: of no known kind
              ui-11    [001] d..2.  1.000600: sched_switch: prev_comm=ui prev_pid=11 prev_prio=120 prev_state=D ==> next_comm=swapper/1 next_pid=0 next_prio=120
              ui-11    [001] d..2.  1.000700: sched_blocked_reason: pid=11 iowait=1 caller=folio_wait_bit+0x1/0x2
"""


@pytest.fixture
def write(build, tmp_path):
    """write(FILE): the path of the written trace, or the error message if an exit code other than 0 is expected."""

    def run(file, code=0):
        written = tmp_path / "written.pftrace"
        done = subprocess.run([build / "dejank", "trace", "read", file, "-o", written], capture_output=True, text=True,
                              timeout=120, check=False)
        assert done.returncode == code, done.stderr
        return written if code == 0 else done.stderr

    return run


@pytest.fixture
def read(build):
    def run(file):
        done = subprocess.run([build / "dejank", "trace", "read", "--json", file], capture_output=True, timeout=120,
                              check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "trace.txt"
    file.write_text(TEXT, encoding="ascii")
    return file


def decoded(trace):
    """The trace as protoc prints it. Unknown fields fail the test."""
    if not shutil.which("protoc"):
        pytest.skip("protoc is not installed: tools/deps tests")
    with open(trace, "rb") as file:
        done = subprocess.run(["protoc", "--decode=Trace", "-I", PROTO, PROTO / "perfetto.proto"], stdin=file,
                              capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode("ascii")
    assert not re.search(r"^ *[0-9]+(:| \{)", lines, re.M), "a field of no known number"
    return lines


def without(trace, *keys):
    return {key: value for key, value in trace.items() if key not in ("source", *keys)}


def clock_free(trace):
    """A trace without its source and clock. A Perfetto file has a named clock and time stamps without rounding."""
    return without(trace, "clock")


def test_protoc_reads_what_was_written(write, text):
    lines = decoded(write(text))
    assert lines.count("sched_switch {") == 2
    assert 'buf: "B|10|layout\\n"' in lines
    assert 'event_name: "something_new"' in lines
    assert 'release: "4.14' in lines, "states of tasks are numbered as that kernel has them"
    assert re.search(r"prev_state: 2\b", lines)
    assert 'str: "folio_wait_bit+0x1/0x2"' in lines
    assert lines.count("lost_events: true") == 1
    symbol = re.search(r"kernel_symbols \{\s+iid: (\d+)", lines).group(1)
    assert f"caller: {symbol}" in lines
    assert re.search(r'threads \{\s+tid: 11\s+(name: "ui"\s+)?tgid: 10\s+\}', lines)


FENCE = "driver=drv timeline=ring context=3 seqno=7"
OTHERS = f"""\
              ui-11    [001] .....  1.000100: binder_transaction: transaction=5 dest_node=1 dest_proc=20 dest_thread=0 reply=0 flags=0x11 code=0x1
              ui-11    [001] .....  1.000200: binder_transaction_received: transaction=5
              ui-11    [001] d..1.  1.000300: ipi_entry: (Rescheduling interrupts)
              ui-11    [001] d..1.  1.000400: ipi_exit: (Rescheduling interrupts)
              ui-11    [001] .....  1.000500: dma_fence_init: {FENCE}
              ui-11    [001] .....  1.000600: dma_fence_emit: {FENCE}
              ui-11    [001] .....  1.000700: dma_fence_wait_start: {FENCE}
              ui-11    [001] .....  1.000800: dma_fence_signaled: {FENCE}
              ui-11    [001] .....  1.000900: dma_fence_wait_end: {FENCE}
"""


def test_protoc_knows_the_fields_of_transactions_fences_and_interrupts(write, tmp_path):
    file = tmp_path / "others.txt"
    file.write_text(OTHERS, encoding="ascii")
    lines = decoded(write(file))
    for event in re.findall(r": (\w+): ", OTHERS):
        assert lines.count(f"{event} {{") == 1
    assert "flags: 1\n" in lines, "nobody waits for it: it goes one way"
    assert lines.count('timeline: "ring"') == 5
    assert lines.count("seqno: 7") == 5


def test_what_was_written_is_the_same_trace(write, read, text):
    assert clock_free(read(write(text))) == clock_free(read(text))


def test_a_trace_that_was_written_is_written_again_as_it_is(write, text, tmp_path):
    first = write(text).rename(tmp_path / "first.pftrace")
    assert decoded(write(first)).count("event {") == decoded(first).count("event {")


def test_what_is_read_is_not_written_over(build, write, text, tmp_path):
    trace = write(text)
    whole = trace.read_bytes()
    other = tmp_path / "linked.pftrace"
    other.symlink_to(trace)
    for output in (trace, other):
        done = subprocess.run([build / "dejank", "trace", "read", trace, "-o", output], capture_output=True, text=True,
                              timeout=60, check=False)
        assert done.returncode == 2 and f"--output: '{output}' is the input" in done.stderr
        assert trace.read_bytes() == whole and other.is_symlink()


def test_names_of_any_bytes_are_valid(write, tmp_path):
    file = tmp_path / "bytes.txt"
    names = [bytes([byte]) for byte in range(1, 256) if byte not in b"\n\r"] + [b"\xed\xa0\x80", b"\xc3\xa9", b'"\\u0000']
    with open(file, "wb") as out:
        for number, name in enumerate(names):
            out.write(b"  a%b-11 [000] ..... 1.%06d: tracing_mark_write: B|11|x%by\n" % (name, 2 * number, name))
            out.write(b"  a%b-11 [000] ..... 1.%06d: tracing_mark_write: E|11\n" % (name, 2 * number + 1))
    assert decoded(write(file)).count('buf: "B|11|x') >= len(names) - 1


def test_what_cannot_be_written_leaves_what_was_there(build, text, tmp_path):
    def run(*words):
        done = subprocess.run([build / "dejank", "trace", "read", *words], capture_output=True, text=True, timeout=60,
                              check=False)
        return done.returncode, done.stderr

    there = tmp_path / "there.pftrace"
    there.write_text("what was there before")
    code, said = run(tmp_path / "nothing.txt", "-o", there)
    assert code != 0 and "nothing.txt" in said
    empty = tmp_path / "empty.txt"
    empty.write_text("nothing of a trace\n")
    assert run(empty, "-o", there)[0] == 4
    assert there.read_text() == "what was there before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.txt", "there.pftrace", "trace.txt"]
    for name in ("x.perfetto", "x.json", ".pftrace"):
        assert run(text, "-o", name) == (2, f"dejank trace read: {name}: expected a name that ends in .pftrace or "
                                            ".perfetto-trace (Perfetto's format, the only one that dejank writes)\n")
    code, said = run(text, "-o", tmp_path / "no" / "x.pftrace")
    assert code == 4 and "No such file or directory" in said
    code, said = run(text, "-o", there, "--json")
    assert code == 2 and "choose" not in said and "-o" in said


def test_who_is_interrupted_leaves_no_half_file(build, text, tmp_path):
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        pytest.skip("this file system has no files without a name")
    there = tmp_path / "there.pftrace"
    there.write_text("what was there before")
    before = sorted(tmp_path.iterdir())

    def is_open():
        links = (os.readlink(link) for link in Path(f"/proc/{process.pid}/fd").iterdir())
        return any(link.startswith(str(tmp_path)) for link in links)

    with subprocess.Popen([build / "dejank", "trace", "read", "-", "-o", there], stdin=subprocess.PIPE) as process:
        try:
            process.stdin.write(Path(text).read_bytes())
            process.stdin.flush()
            end = time.monotonic() + 30
            while not is_open() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            assert process.poll() is None and is_open()
        finally:
            process.kill()
    assert sorted(tmp_path.iterdir()) == before and there.read_text() == "what was there before"


def test_a_full_disk_is_an_error(build, text, tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    full = tmp_path / "full.pftrace"
    full.symlink_to("/dev/full")
    done = subprocess.run([build / "dejank", "trace", "read", text, "-o", full], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 4
    assert done.stderr == f"dejank trace read: cannot write {full}: No space left on device\n"


def test_frames_and_sections_of_a_recording(recorder, build, read, tmp_path):
    program = build / "examples/example-panel"
    if not program.exists():
        pytest.skip("example-panel was not built")
    subprocess.run([program, "30"], env=recorder.environment, capture_output=True, timeout=60, check=True)
    written = tmp_path / "panel.pftrace"
    done = recorder.dejank("trace", "read", "example-panel", "-o", str(written))
    assert (done.returncode, done.stderr) == (0, "")
    lines = decoded(written)
    assert lines.count("expected_surface_frame_start {") == lines.count("actual_surface_frame_start {") == 30
    assert lines.count("frame_end {") == 60
    assert re.search(r"clocks \{\s+clock_id: 3\s", lines), "the stamps are of CLOCK_MONOTONIC"
    trace = read(written)
    assert trace["clock"]["to_mono_ns"] == 0
    assert len(trace["frames"]) == 30
    assert {frame["layer"] for frame in trace["frames"]} == {"front panel"}
    text = recorder.dumpsys("gfxinfo", "example-panel").stdout
    janky = int(re.search(r"Janky frames: (\d+)", text).group(1))
    assert sum(frame["jank"] != ["none"] for frame in trace["frames"]) == janky
    stages = Counter(one["name"] for one in trace["async"])
    assert stages["Layout"] == stages["Draw"] == stages["Swap"] == 30
    for frame in trace["frames"]:
        inside = [one for one in trace["async"] if one["start_ns"] >= frame["expected_start_ns"] and
                  one["end_ns"] <= frame["end_ns"] and one["name"] == "Swap"]
        assert inside and inside[-1]["end_ns"] == frame["end_ns"]


def corpus_files():
    place = os.environ.get("DEJANK_CORPUS")
    names = ["ftrace/frameloop_ftrace.txt", "ftrace/frameloop_cpu0.raw", "ftrace/frameloop_v7_zstd.dat",
             "ftrace/trace_systrace.html", "systrace/005-catapult-decompressed_atrace_data.txt",
             "systrace/counter_tracks.html", "perfetto/002-ms-androidGpu.pftrace",
             "perfetto/perfetto_linux_compact.pftrace", "perfetto/005-aps-android15-sanitized.perfetto-trace"]
    return [pytest.param(f"{place}/{name}", id=name) for name in names] if place else []


@pytest.mark.parametrize("file", corpus_files())
def test_real_traces_are_the_same_written_and_read(write, read, file):
    if not os.path.exists(file):
        pytest.skip("it is not among the inputs here")
    written = write(file)
    assert clock_free(read(written)) == clock_free(read(file))
    if written.stat().st_size < 1 << 20:
        decoded(written)
