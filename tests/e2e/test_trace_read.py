"""Traces of the kernel as text and in pages of systrace, as people have them."""

import gzip
import json
import os
import subprocess
import zlib

import pytest


@pytest.fixture
def read(build):
    def run(file, form="--json", code=0, **options):
        done = subprocess.run([build / "dejank", "trace", "read", form, file], capture_output=True, timeout=120, check=False, **options)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if form == "--json" and code == 0 else (done.stdout + done.stderr).decode()

    run.program = build / "dejank"
    return run


@pytest.fixture
def corpus():
    place = os.environ.get("DEJANK_CORPUS")
    if not place:
        pytest.skip("DEJANK_CORPUS is not set")
    return place


def per_thread(trace):
    """The states of each thread, in order."""
    threads = {}
    for state in trace["states"]:
        threads.setdefault(state["tid"], []).append(state)
    return threads


def test_the_known_loop_is_read_to_the_microsecond(read, corpus):
    trace = read(f"{corpus}/ftrace/frameloop_ftrace.txt")
    frames = [one for one in trace["slices"] if one["name"].startswith("frame ")]
    layouts = {one["start_ns"]: one for one in trace["slices"] if one["name"] == "layout"}
    assert [one["name"] for one in frames] == [f"frame {i}" for i in range(120)]
    slow = []
    for index, frame in enumerate(frames):
        inside = [one for start, one in layouts.items() if frame["start_ns"] <= start < frame["end_ns"]]
        assert len(inside) == 1
        if inside[0]["end_ns"] - inside[0]["start_ns"] > 20e6:
            slow.append(index)
    assert slow == [i for i in range(120) if i % 7 == 6]
    assert trace["missing"] == {"overwritten": False, "whole_from_ns": 0, "dropped": 0, "damaged": 0, "beginnings": 0, "events": 0, "switches": trace["missing"]["switches"]}
    names = {thread["tid"]: thread["name"] for thread in trace["threads"]}
    for tid, states in per_thread(trace).items():
        for before, after in zip(states, states[1:]):
            assert before["end_ns"] == after["start_ns"], (names[tid], before, after)
            assert before["state"] != "preempted" or after["state"] in ("running", "unknown"), (names[tid], before, after)
            assert before["state"] != "running" or after["state"] != "running", (names[tid], before, after)
    # The kernel itself did not tell some: what came after shows it.
    assert 0 < trace["missing"]["switches"] < 0.02 * len(trace["states"])


def test_the_known_loop_of_trace_cmd_has_nanoseconds(read, corpus):
    trace = read(f"{corpus}/ftrace/frameloop_t7z_report.txt.gz")
    frames = [one for one in trace["slices"] if one["name"].startswith("frame ")]
    assert [one["name"] for one in frames] == [f"frame {i}" for i in range(60)]
    assert any(one["start_ns"] % 1000 for one in frames)
    assert any(state.get("waker", 0) > 0 for state in trace["states"])


def facts(trace, unit_ns=1):
    """What captures of the same run must agree on: stamps rounded as text rounds them."""
    def stamp(ns):
        return None if ns is None else (ns + unit_ns // 2) // unit_ns

    return (
        [(one["name"], one["tid"], stamp(one["start_ns"]), stamp(one["end_ns"]), one["depth"]) for one in trace["slices"]],
        [(one["name"], one["cookie"], stamp(one["start_ns"]), stamp(one["end_ns"])) for one in trace["async"]],
        [(one["name"], stamp(one["at_ns"]), one["value"]) for one in trace["counters"]],
        sorted((one["tid"], stamp(one["start_ns"]), one["state"], stamp(one["end_ns"]) or 0, one["cpu"], one.get("waker"), one.get("interrupt")) for one in trace["states"] if "cpu" in one))


def test_ring_pages_agree_with_the_text_of_the_same_run(read, corpus):
    pages = read(f"{corpus}/ftrace/frameloop_cpu1.raw")
    text = read(f"{corpus}/ftrace/frameloop_ftrace.txt")
    assert pages["source"] == "ring pages" and any(one["start_ns"] % 1000 for one in pages["slices"])
    for ours, theirs in zip(facts(pages, 1000), facts(text, 1000)):
        assert ours == theirs
    assert len(pages["states"]) == len(text["states"]) and pages["missing"] == text["missing"]


def test_trace_dat_agrees_with_its_report_to_the_nanosecond(read, corpus):
    file = read(f"{corpus}/ftrace/frameloop_v7_zstd.dat")
    report = read(f"{corpus}/ftrace/frameloop_t7z_report.txt.gz")
    assert file["source"] == "trace.dat"
    # The report does not tell interrupts.
    for ours, theirs in zip(facts(file)[:3], facts(report)[:3]):
        assert ours == theirs
    assert [one[:6] for one in facts(file)[3]] == [one[:6] for one in facts(report)[3]]


def test_trace_dat_of_version_6(read, corpus):
    said = read(f"{corpus}/ftrace/raw_trace.dat", form="--summary")
    assert said.startswith("trace.dat: 757 events, ")


@pytest.mark.parametrize("name", ["frameloop_v7_zstd.dat", "raw_trace.dat"])
def test_a_trace_dat_that_is_cut_says_so(read, corpus, tmp_path, name):
    with open(f"{corpus}/ftrace/{name}", "rb") as file:
        whole = file.read()
    for part in (0, 5, 11, 30, 500, len(whole) // 2, len(whole) - 5000):
        file = tmp_path / "cut.dat"
        file.write_bytes(whole[:part])
        done = subprocess.run([read.program, "trace", "read", "--summary", file], capture_output=True, timeout=60, check=False)
        assert done.returncode == 4 or b"could not be read" in done.stdout, (part, done)
        assert done.returncode == 0 or b"cut.dat" in done.stderr, (part, done)


def test_ring_pages_without_their_descriptions_are_refused(read, corpus, tmp_path):
    with open(f"{corpus}/ftrace/frameloop_cpu0.raw", "rb") as file:
        (tmp_path / "a_cpu0.raw").write_bytes(file.read(8192))
    assert "expected header_page and the events' formats in the folder formats" in read(tmp_path / "a_cpu0.raw", form="--csv", code=4)


@pytest.mark.parametrize("name, events", [
    ("ftrace/raw_trace.txt", 3), ("ftrace/trace_sched.txt", 11), ("ftrace/trace_systrace.html", 10), ("systrace/001-catapult-atrace_data.txt", 116),
    ("systrace/004-catapult-atrace_missing_tgids.txt", 116), ("systrace/005-catapult-decompressed_atrace_data.txt", 1042), ("systrace/009-catapult-trivial_systrace.html", 4),
    ("systrace/010-flashlight-sample-atrace-output.txt", 1263), ("systrace/counter_tracks.html", 1611), ("systrace/011-gracker-flutter-wanandroid.zip", 141632),
    ("systrace/013-gracker-trace_input_blog_launcher_scroll.zip", 99975)])
def test_every_event_of_the_corpus_is_read(read, corpus, name, events):
    said = read(f"{corpus}/{name}", form="--summary")
    assert said.startswith(f"ftrace: {events} events, "), said[:200]
    assert "could not be read" not in said


def test_what_is_lost_is_said(read, tmp_path):
    file = tmp_path / "trace.txt"
    file.write_text("# tracer: nop\n# entries-in-buffer/entries-written: 2/7   #P:1\n##### CPU 1 buffer started ####\n"
                    "a-7 (5) [000] ...1 1.000001: tracing_mark_write: E|5\nnonsense\na-7 (5) [000] ...1 1.000004: tracing_mark_write: B|5|open\n")
    trace = read(file)
    assert trace["missing"] == {"overwritten": True, "whole_from_ns": 0, "dropped": 0, "damaged": 1, "beginnings": 1, "events": 6, "switches": 0}
    assert trace["slices"][0]["end_ns"] is None
    said = read(file, form="--summary")
    assert "Note: events are missing, 6 or more" in said and "could not be read: 1, the first is line 5" in said


def test_text_that_atrace_compressed(read, tmp_path):
    lines = b"".join(b"a-7 (5) [000] ...1 1.%06d: tracing_mark_write: C|5|queue|%d\n" % (i, i) for i in range(20000))
    packed = zlib.compress(lines)
    file = tmp_path / "trace"
    for before in (b"TRACE:\n", b"capturing trace... done\r\nTRACE:\r\n\n"):
        for behind in (b"", b"junk\n" * 3000):
            file.write_bytes(before + packed + behind)
            assert len(read(file)["counters"]) == 20000
            assert read(file)["missing"]["damaged"] == 0
    file.write_bytes(b"TRACE:\n" + packed[:-2000])
    cut = read(file)
    assert 0 < len(cut["counters"]) < 20000 and cut["missing"]["damaged"] >= 1
    file.write_bytes(b"TRACE:\n" + packed[:2000] + bytes(3000))
    assert read(file)["missing"]["damaged"] >= 1
    file.write_bytes(b"TRACE:\n" + lines)
    assert len(read(file)["counters"]) == 20000


def test_what_is_no_trace_is_refused(read, tmp_path):
    for content in (b"", b"hello\nworld\n", b"<html><body>no trace</body></html>", os.urandom(5000)):
        file = tmp_path / "file"
        file.write_bytes(content)
        assert "expected a trace: ftrace text, systrace HTML" in read(file, form="--csv", code=4)
    assert "there is none in its first 256 MiB" in read("/dev/zero", form="--csv", code=4)
    file.write_bytes(b"\x0a\x07\x92\x03\x04junk")
    assert "no events in it that can be read: 1 parts" in read(file, form="--csv", code=4)
    assert "No such file" in read(tmp_path / "absent", form="--csv", code=3)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"a-7 (5) [000] ...1 1.0: tracing_mark_write: E|5\n" * 1000)[:60])
    assert "cut.gz" in read(cut, form="--csv", code=4)


def test_hostile_names_stay_in_their_cell(read, tmp_path):
    file = tmp_path / "trace.txt"
    file.write_bytes(b'a\x1b[31m"-7 (5) [000] ...1 1.0: tracing_mark_write: B|5|x\x1b]0;"\xff\n')
    assert "\x1b" not in read(file, form="--csv") and "\x1b" not in read(file, form="--summary")
    assert read(file)["slices"][0]["name"].startswith("x")


def test_standard_input_is_read(read):
    trace = read("-", input=b"a-7 (5) [000] ...1 1.0: tracing_mark_write: C|5|queue|3\n")
    assert trace["counters"] == [{"name": "queue", "tid": 7, "at_ns": 1000000000, "value": 3}]
