"""Sections that a program records with dejank/sections.h: from threads, children and signal handlers, with and without
`dejank record`. The tests read them with `dejank trace read`."""
import csv
import io
import json
import os
import re
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from timed import timed


@pytest.fixture
def sectioner(recorder, build):
    """sectioner(WORDS…) runs the program, under `dejank record` if recorded=True. Returns its stdout."""

    def run(*words, recorded=False, options=(), environment=None):
        program = [str(build / "tests/programs/sectioner"), *map(str, words)]
        if recorded:
            done = recorder.run("sectioner", *program, options=options, environment=environment)
        else:
            done = subprocess.run(program, env={**recorder.environment, **(environment or {})}, capture_output=True,
                                  text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def read(recorder):
    """read(FILE or name) returns the recording as parsed JSON."""

    def run(what="sectioner"):
        done = recorder.dejank("trace", "read", str(what), "--json")
        assert (done.returncode, done.stderr) == (0, "")
        trace = json.loads(done.stdout)
        assert trace["schema"] == "dejank.trace/1"
        return trace

    return run


def names(trace):
    return Counter(slice["name"] for slice in trace["slices"])


def files(recorder, suffix=".sections"):
    return sorted(path for path in Path(recorder.environment["DEJANK_DIR"]).iterdir() if path.name.endswith(suffix))


@pytest.mark.parametrize("recorded", [False, True])
@timed
def test_sections_are_as_long_as_they_were(sectioner, read, recorded):
    sectioner("nested", 20, recorded=recorded)
    trace = read()
    assert names(trace) == {"outer": 20, "inner": 20}
    for outer, inner in zip(trace["slices"][::2], trace["slices"][1::2]):
        assert (outer["depth"], inner["depth"]) == (0, 1)
        assert outer["start_ns"] <= inner["start_ns"] < inner["end_ns"] <= outer["end_ns"]
        assert inner["end_ns"] - inner["start_ns"] >= 990_000
        assert outer["self_ns"] == outer["end_ns"] - outer["start_ns"] - (inner["end_ns"] - inner["start_ns"])
    inner = sorted(s["end_ns"] - s["start_ns"] for s in trace["slices"][1::2])
    assert inner[10] < 1_500_000, "the program burns 1 ms"
    assert trace["missing"] == {"overwritten": False, "whole_from_ns": 0, "dropped": 0, "damaged": 0, "beginnings": 0}


@pytest.mark.parametrize("recorded", [False, True])
def test_threads_lose_nothing(sectioner, read, recorded):
    sectioner("threads", 8, 2000, recorded=recorded)
    trace = read()
    dropped = trace["missing"]["dropped"]
    assert dropped == 0
    assert names(trace) == {"first": 1, "ready": 8, "work": 16000}
    per_thread = Counter(s["tid"] for s in trace["slices"] if s["name"] == "work")
    assert sorted(per_thread.values()) == [2000] * 8
    assert {thread["tid"] for thread in trace["threads"]} >= set(per_thread)
    assert all(s["end_ns"] is not None and s["depth"] == 0 for s in trace["slices"])


def test_a_thread_per_task_takes_no_memory_per_task(sectioner, read, recorder):
    sectioner("churn", 300)
    assert names(read()) == {"task": 300}
    assert files(recorder)[0].stat().st_blocks * 512 < 16 << 20


def test_a_forked_childs_sections_are_its_own(sectioner, read, recorder):
    parent, child = sectioner("fork", 10, 7).split()
    found = {path.name.split(".")[0]: path for path in files(recorder)}
    assert set(found) == {parent, child}
    assert names(read(found[parent])) == {"parent": 20}
    assert names(read(found[child])) == {"child": 7}


def test_a_program_that_becomes_another_begins_a_new_file(sectioner, read, recorder):
    sectioner("exec", 10, 7)
    first, second = sorted(files(recorder), key=lambda path: len(path.name))
    assert re.fullmatch(rf"{re.escape(first.name[:-9])}\.1\.sections", second.name)
    assert names(read(first)) == {"first": 10}
    assert names(read(second)) == {"plain": 7}


def test_a_hung_program_tells_where_it_is_and_a_killed_one_where_it_was(recorder, build, read):
    program = subprocess.Popen([build / "tests/programs/sectioner", "hang"], env=recorder.environment,
                               stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout.readline() == "hangs\n"
        for ended in (False, True):
            if ended:
                program.send_signal(signal.SIGKILL)
                program.wait()
            trace = read()
            assert trace["process"]["ended"] is ended
            assert [s["name"] for s in trace["slices"] if s["end_ns"] is None] == ["outer", "stuck in here"]
            assert names(trace)["done"] == 3
            listed = recorder.dejank("trace", "read", "sectioner").stdout
            assert re.search(r"open +sectioner-\d+ +stuck in here$", listed, re.M)
    finally:
        program.kill()
        program.wait()
        program.stdout.close()


def test_overwritten_sections_are_reported(sectioner, read, recorder):
    sectioner("flood", 50000, environment={"DEJANK_SECTIONS": "1024"})
    trace = read()
    assert names(trace) == {"flood": 512}
    assert trace["missing"]["overwritten"] is True
    assert trace["missing"]["whole_from_ns"] == trace["first_ns"]
    assert "Newer events overwrote older ones." in recorder.dejank("trace", "read", "sectioner").stdout


def test_a_handlers_sections_break_no_others(sectioner, read):
    handled = int(sectioner("signals", 20000, environment={"DEJANK_SECTIONS": "262144"}))
    trace = read()
    found = names(trace)
    assert handled > 0
    assert trace["missing"]["damaged"] == 0
    assert found["main"] == 20000
    # If the handler interrupts the write of an event, the handler's own event is dropped and counted.
    assert found["handler"] <= handled
    assert 2 * found["handler"] + trace["missing"]["dropped"] + trace["missing"]["beginnings"] >= 2 * handled - 1


def test_switched_off_they_are_not_recorded(sectioner, read, recorder):
    assert sectioner("toggle") == "0\n"
    assert names(read()) == {"on": 1, "on again": 1}
    sectioner("plain", 5, environment={"DEJANK_SECTIONS": "off"})
    assert len(files(recorder)) == 1
    done = recorder.run("quiet", recorder.build / "tests/programs/sectioner", "plain", "5", options=["--sections", "off"])
    assert done.returncode == 0
    assert len(files(recorder)) == 1


def test_one_recorder_is_in_a_recorded_process(sectioner, recorder, read):
    """Frames and sections from the program's own calls go to the same recorder as frames from the hooks."""
    sectioner("plain", 5, recorded=True)
    assert names(read()) == {"plain": 5}
    assert len(files(recorder)) == 1
    assert len(files(recorder, "")) == 2, "one segment, one sections file"
    text = recorder.dumpsys("gfxinfo", "sectioner").stdout
    assert "Total frames rendered: 1\n" in text
    assert text.count("** Graphics info") == 1


@pytest.mark.parametrize("recorded", [False, True])
def test_a_plugin_that_brings_the_library(recorder, build, read, recorded):
    program = [build / "tests/programs/plugin_host", build / "tests/programs/libsection_plugin.so"]
    if recorded:
        done = recorder.run("host", *program)
    else:
        done = subprocess.run(program, env=recorder.environment, capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout) == (0, "")
    trace = read("host" if recorded else "plugin_host")
    assert names(trace) == {"plugin": 1}
    assert len(files(recorder, "")) == 2


def test_the_kernels_trace_gets_them_too(recorder, build, tmp_path):
    marker = tmp_path / "trace_marker"
    marker.touch()
    done = recorder.run("app", build / "tests/programs/sectioner", "nested", 2, options=[f"--trace-marker={marker}"])
    assert done.returncode == 0
    lines = marker.read_text().splitlines()
    pid = lines[0].split("|")[1]
    assert lines == [f"B|{pid}|outer", f"B|{pid}|inner", f"E|{pid}", f"E|{pid}"] * 2


def test_a_descriptor_that_became_the_apps_is_never_written_to(recorder, build, tmp_path):
    marker, other = tmp_path / "trace_marker", tmp_path / "the app's own"
    marker.touch()
    done = recorder.run("app", build / "tests/programs/sectioner", "closed-fds", 50, other,
                        options=[f"--trace-marker={marker}"])
    assert done.returncode == 0
    assert other.read_bytes() == b""
    assert [line.split("|")[0] for line in marker.read_text().splitlines()] == ["B", "E"]
    assert json.loads(recorder.dejank("trace", "read", "app", "--json").stdout)["slices"][-1]["name"] == "after"


def test_a_marker_that_cannot_be_written_is_reported_and_stops_nothing(recorder, build, tmp_path):
    done = recorder.run("app", build / "tests/programs/sectioner", "nested", 1, options=[f"--trace-marker={tmp_path}/none"])
    assert done.returncode == 0
    assert f"cannot write to {tmp_path}/none" in done.stderr
    assert names(json.loads(recorder.dejank("trace", "read", "app", "--json").stdout)) == {"outer": 1, "inner": 1}


def test_forms_of_the_reading_agree(sectioner, read, recorder):
    sectioner("nested", 3)
    trace = read()
    rows = list(csv.DictReader(io.StringIO(recorder.dejank("trace", "read", "sectioner", "--csv").stdout)))
    assert [(r["kind"], r["name"], int(r["start_ns"]), int(r["end_ns"]), int(r["depth"])) for r in rows] == [
        ("slice", s["name"], s["start_ns"], s["end_ns"], s["depth"]) for s in trace["slices"]]
    summary = recorder.dejank("trace", "read", "sectioner", "--summary").stdout
    total = sum(s["end_ns"] - s["start_ns"] for s in trace["slices"] if s["name"] == "inner")
    assert re.search(rf"^ +3 +0 +{total / 1e6:.3f} .* inner$", summary, re.M)


def test_the_segment_its_sections_and_the_pid_mean_the_same(sectioner, read, recorder):
    sectioner("nested", 1)
    path, = files(recorder)
    wanted = read()
    assert read(path) == read(str(path)[:-len(".sections")]) == read(path.name.split(".")[0]) == wanted


@pytest.mark.parametrize("words, status, says", [
    (["read", "no-such-app"], 4, "no such file or recorded process"),
    (["read", "/no/such/file"], 4, "No such file"),
    (["read", "/etc/passwd"], 4, "ring-buffer pages of a CPU, or a recording of dejank"),
    (["read", "/tmp"], 4, "directory"),
    (["read"], 2, "missing operand FILE"),
    (["wring", "x"], 2, "dejank trace: unknown verb 'wring'"),
    ([], 2, "usage: dejank trace VERB"),
    (["read", "x", "--json", "--csv"], 2, "exclude each other"),
])
def test_unreadable_files_are_reported(recorder, words, status, says):
    done = recorder.dejank("trace", *words)
    assert (done.returncode, done.stdout) == (status, "")
    assert says in done.stderr


def test_a_process_without_sections_differs_from_no_process(recorder, build):
    done = recorder.run("quiet", build / "tests/programs/swapper", "swap", 3)
    assert done.returncode == 0
    done = recorder.dejank("trace", "read", "quiet")
    assert (done.returncode, done.stdout) == (4, "")
    assert "quiet recorded no sections" in done.stderr


def test_a_recording_without_frames_says_that_it_has_sections(recorder, build):
    done = recorder.run("sectioner", build / "tests/programs/sectioner", "nested", 20)
    assert done.returncode == 0
    assert "sectioner: dejank recorded trace sections but no frames\nhint: 'dejank trace read sectioner' lists the sections\n" in done.stderr


def test_names_cannot_move_a_terminals_cursor(recorder, build, tmp_path):
    source = tmp_path / "hostile.c"
    source.write_text('#include <dejank/sections.h>\nint main(void) { dejank_section_begin("a\\033[2Jb\\nc\\t,\\"d");'
                      ' dejank_section_end(); return 0; }\n')
    program = tmp_path / "hostile"
    root = Path(__file__).resolve().parents[2]
    subprocess.run(["cc", f"-I{root}/include", source, "-o", program, f"-L{build}", f"-Wl,-rpath,{build}", "-ldejank"],
                   check=True, timeout=60)
    subprocess.run([program], env=recorder.environment, check=True, timeout=20)
    for form in ([], ["--summary"], ["--csv"], ["--json"]):
        assert "\033" not in recorder.dejank("trace", "read", "hostile", *form).stdout
    assert len(recorder.dejank("trace", "read", "hostile").stdout.partition("\n\nnext:")[0].partition("thread, section\n")[2].splitlines()) == 1
    assert json.loads(recorder.dejank("trace", "read", "hostile", "--json").stdout)["slices"][0]["name"] == 'a\033[2Jb\nc\t,"d'


def test_sections_go_with_the_segment_they_are_of(sectioner, recorder):
    """When `dejank record` removes an old segment, it also removes its sections."""
    sectioner("nested", 1)
    old, = files(recorder)
    boot = bytes("00000000-0000-0000-0000-000000000000", "ascii")
    segment = Path(str(old)[:-len(".sections")])
    data = bytearray(segment.read_bytes())
    data[64:64 + 36] = boot
    segment.write_bytes(data)
    sectioner("plain", 1, recorded=True)
    assert not segment.exists() and not old.exists()
    assert len(files(recorder)) == 1


def test_only_the_owner_can_read_them(sectioner, recorder):
    sectioner("nested", 1)
    assert files(recorder)[0].stat().st_mode & 0o777 == 0o600
    assert os.stat(files(recorder)[0]).st_uid == os.geteuid()
