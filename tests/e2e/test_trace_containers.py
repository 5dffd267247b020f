"""Traces inside other formats: ftrace text in a JSON string, Chrome's JSON events, pages of catapult's trace2html, archives."""

import base64
import gzip
import io
import json
import lzma
import os
import random
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

TEXT = """\
# tracer: nop
#
          <idle>-0     [001] d..2.  1.000100: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ui next_pid=11 next_prio=120
              ui-11    [001] .....  1.000200: tracing_mark_write: B|10|lay"out\\ \u00e9
              ui-11    [001] .....  1.000300: tracing_mark_write: C|10|fps|59
              ui-11    [001] .....  1.000350: tracing_mark_write: S|10|load|7
              ui-11    [001] .....  1.000500: tracing_mark_write: E|10
              ui-11    [001] .....  1.000550: tracing_mark_write: F|10|load|7
              ui-11    [001] d..2.  1.000600: sched_switch: prev_comm=ui prev_pid=11 prev_prio=120 prev_state=D ==> next_comm=swapper/1 next_pid=0 next_prio=120
"""
PROCESSES = "USER PID PPID VSZ RSS WCHAN ADDR S NAME\nu0_a1 10 1 0 0 0 0 S com.example.application\n"


@pytest.fixture
def read(build, tmp_path):
    """read(TRACE, FORM): the output of `dejank trace read` for a file, or for bytes that are written to one."""

    def run(trace, form="--json", code=0, **options):
        if isinstance(trace, bytes):
            file = tmp_path / "trace"
            file.write_bytes(trace)
            trace = file
        done = subprocess.run([build / "dejank", "trace", "read", form, trace], capture_output=True, timeout=120, check=False,
                              **options)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if form == "--json" and code == 0 else (done.stdout + done.stderr).decode()

    return run


def page(*parts):
    """A page as trace2html creates it from files."""
    scripts = "".join(f'<script id="viewer-data" type="text/plain">\n{base64.b64encode(gzip.compress(part, mtime=0)).decode()}\n</script>\n'
                      for part in parts)
    return f"<!DOCTYPE html>\n<html>\n<head></head>\n<body>\n</body>\n{scripts}</html>\n".encode()


def systrace(**more):
    """JSON as `systrace --json` and Perfetto's traceconv write it."""
    return json.dumps({"traceEvents": [], "systemTraceEvents": TEXT, "controllerTraceDataKey": "systraceController", **more}).encode()


def sourceless(trace):
    """A trace without its source and without the additions of a process list: process names and unnamed threads."""
    threads = [one for one in trace["threads"] if one["name"]]
    return {**{key: value for key, value in trace.items() if key not in ("source", "processes")}, "threads": threads}


@pytest.mark.parametrize("wrapped", [systrace(), gzip.compress(systrace()), page(TEXT.encode()), page(systrace()),
                                     page(PROCESSES.encode(), TEXT.encode(), b"{}"), gzip.compress(page(systrace())),
                                     systrace(androidProcessDump=PROCESSES)],
                         ids=["json", "json.gz", "page", "page of json", "page of parts", "page.gz", "json with processes"])
def test_the_kernels_text_is_the_same_from_whatever_it_is_within(read, wrapped):
    plain = read(TEXT.encode())
    assert len(plain["slices"]) == 1 and plain["slices"][0]["name"] == 'lay"out\\ \u00e9'
    within = read(wrapped)
    assert sourceless(within) == sourceless(plain)
    assert sourceless(read("-", input=wrapped)) == sourceless(plain)
    assert within["processes"] in ([], [{"pid": 10, "name": "com.example.application"}])


def test_chromes_events_are_read(read):
    events = [{"ph": "M", "pid": 10, "tid": 11, "name": "thread_name", "args": {"name": "CrRendererMain"}},
              {"ph": "M", "pid": 10, "tid": 0, "name": "process_name", "args": {"name": "Renderer"}},
              {"ph": "X", "pid": 10, "tid": 11, "ts": 100.5, "dur": 50, "name": "inner"},
              {"ph": "X", "pid": 10, "tid": 11, "ts": 100.5, "dur": 99.75, "name": "outer", "args": {"deep": {"value": [1, 2]}}},
              {"ph": "E", "pid": 20, "tid": 11, "ts": 20},
              {"ph": "B", "pid": 20, "tid": 11, "ts": 10.001, "name": "of another process"},
              {"ph": "C", "pid": 10, "tid": 11, "ts": 160, "name": "queue", "args": {"value": 3, "bytes": -7.9}},
              {"ph": "s", "pid": 10, "tid": 11, "ts": 160, "name": "flow", "id": 1}]
    trace = read(json.dumps({"traceEvents": events, "metadata": {"clock-domain": "LINUX_CLOCK_MONOTONIC"}}).encode())
    assert trace["source"] == "json"
    assert trace["clock"] == {"name": "mono", "ticks": False, "to_mono_ns": 0, "error_ns": 0}
    of = {one["name"]: (one["start_ns"], one["end_ns"], one["depth"], one["self_ns"]) for one in trace["slices"]}
    assert of == {"inner": (100500, 150500, 1, 50000), "outer": (100500, 200250, 0, 49750), "of another process": (10001, 20000, 0, 9999)}
    assert [(one["name"], one["value"]) for one in trace["counters"]] == [("queue", 3), ("queue bytes", -7)]
    assert {"tid": 11, "name": "CrRendererMain", "pid": 10} in trace["threads"]
    assert trace["processes"] == [{"pid": 10, "name": "Renderer"}]
    assert not any(trace["missing"].values())
    assert sourceless(read(json.dumps(events).encode()[:-1])) == {**sourceless(trace), "clock": read(json.dumps(events).encode())["clock"]}


def told(trace):
    """The sections and counters of a trace."""
    return ([(one["name"], one["tid"], one["start_ns"], one["end_ns"], one["depth"], one["self_ns"]) for one in trace["slices"]],
            sorted((one["name"], one["start_ns"], one["end_ns"] or 0, one["cookie"]) for one in trace["async"]),
            sorted((one["name"], one["tid"], one["at_ns"], one["value"]) for one in trace["counters"]))


def without_cookies(sections):
    """Sections and counters without the cookies of async sections, which differ in a Perfetto trace."""
    return sections[0], sorted(one[:3] for one in sections[1]), sections[2]


def drawn(seed):
    """Random events of sections with many depths, threads and lengths: (time in µs, thread, kind, name, value)."""
    choose = random.Random(seed)
    now, open_ones = 5_000_000, {tid: 0 for tid in range(11, 16)}
    for number in range(4000):
        tid = choose.choice(list(open_ones))
        now += choose.choice([0, 0, 1, 7, 2000])
        kind = choose.choice("BBEECSF") if open_ones[tid] else choose.choice("BCSF")
        open_ones[tid] += {"B": 1, "E": -1}.get(kind, 0)
        name, value = {"B": (f"s{number % 37} \"{choose.choice('<&|é')}\"", None), "E": (None, None), "C": (f"c{number % 3}", choose.randrange(-9, 99)),
                       "S": ("job", number), "F": ("job", choose.randrange(number + 1))}[kind]
        yield now, tid, kind, name, value


def as_text(events):
    lines = []
    for now, tid, kind, name, value in events:
        words = "|".join(str(word) for word in (kind, 10, name, value) if word is not None)
        lines.append(f"t{tid}-{tid} ( 10) [000] ..... {now // 1000000}.{now % 1000000:06}: tracing_mark_write: {words}\n")
    return "".join(lines).encode()


# The first event in the JSON of older versions of dejank.
OURS = {"ph": "M", "ts": 0, "pid": 2147483647, "tid": 0, "name": "process_name", "args": {"name": "processors"}}


def as_json(events, first=()):
    rows, named = list(first), set()
    for now, tid, kind, name, value in events:
        thread = {"ts": now, "pid": 10, "tid": tid}
        if tid not in named:
            named.add(tid)
            rows.append({"ph": "M", **thread, "name": "thread_name", "args": {"name": f"t{tid}"}})
        rows.append({"B": {"ph": "B", **thread, "name": name},
                     "E": {"ph": "E", **thread},
                     "C": {"ph": "C", **thread, "name": name, "args": {"value": value}},
                     "S": {"ph": "b", **thread, "cat": name, "name": name, "id2": {"local": f"0x{value or 0:x}"}},
                     "F": {"ph": "e", **thread, "cat": name, "name": name, "id2": {"local": f"0x{value or 0:x}"}}}[kind])
    return json.dumps({"traceEvents": rows}).encode()


@pytest.mark.parametrize("first", [(), (OURS,)], ids=["any", "ours"])
@pytest.mark.parametrize("seed", range(3))
def test_json_is_the_same_trace_as_text(read, build, tmp_path, seed, first):
    events = list(drawn(seed))
    trace, back = read(as_text(events)), read(as_json(events, first))
    assert len(trace["slices"]) > 1000 and told(back) == told(trace)
    assert {one["tid"]: one["name"] for one in back["threads"]} == {one["tid"]: one["name"] for one in trace["threads"]}
    assert back["missing"] == trace["missing"]
    again = tmp_path / "again.pftrace"
    subprocess.run([build / "dejank", "trace", "read", tmp_path / "trace", "-o", again], capture_output=True, timeout=120, check=True)
    assert without_cookies(told(read(again))) == without_cookies(told(trace))


def test_triage_answers_the_same_from_within(build, tmp_path):
    """Every third frame has a long section. Triage reports it as the cause, whichever container holds the text."""
    lines, now = [], 5_000_000
    for number in range(60):
        work = 25_000 if number % 3 == 0 else 2_000
        for at, words in ((0, f"B|11|frame {number}"), (1_000, "B|11|layout"), (1_000 + work, "E|11"), (2_000 + work, "E|11")):
            stamp = now + at
            lines.append(f"ui-11 ( 11) [000] ..... {stamp // 1000000}.{stamp % 1000000:06}: tracing_mark_write: {words}\n")
        now += 33_334
    text = "".join(lines)
    answers = set()
    for name, content in (("t.txt", text.encode()), ("t.json", json.dumps({"systemTraceEvents": text}).encode()), ("t.html", page(text.encode()))):
        (tmp_path / name).write_bytes(content)
        done = subprocess.run([build / "dejank", "trace", "triage", "--json", "--frames", "frame *", tmp_path / name], capture_output=True, timeout=60,
                              check=True)
        answers.add(done.stdout.replace(name.encode(), b"t"))
    assert len(answers) == 1
    found = json.loads(answers.pop())
    assert found["frames"]["janky"] == 20 and found["causes"][0]["name"] == "layout"


def test_what_an_older_dejank_lost_stays_lost(read):
    lost = {"ph": "i", "ts": 1000, "pid": 2147483647, "tid": 1, "s": "g", "name": "events lost", "args": {"events": 12}}
    assert read(as_json([(900, 11, "C", "fps", 59)], (OURS, lost)))["missing"]["events"] == 12


@pytest.mark.parametrize("content, said", [
    (b'{"traceEvents": []}', "byte 0: this is JSON without Chrome's trace events"),
    (b'{"traceEvents": [{"ph":"B" "ts"', "byte 27: expected ',' or a closing bracket in JSON, found '\"'"),
    (b'[{"args":' + 600 * b"[", "JSON is nested deeper than 512"),
    (page(b"x").replace(b"H4s", b"H*s"), "character 1 of the page's base64 data: expected a base64 character"),
    (b'{"systemTraceEvents": "# tracer: nop\\nnonsense\\n"}', "line 2 of systemTraceEvents"),
], ids=["no events", "a comma less", "deep", "no base64", "no text"])
def test_a_bad_container_is_reported_with_its_place(read, content, said):
    assert said in read(content, "--summary", code=4)


def test_what_is_damaged_is_read_as_far_as_it_goes(read):
    whole = systrace()
    cuts = range(whole.index(b"1.000200"), len(whole) - 1, 7)
    for cut in cuts:
        trace = read(whole[:cut])
        assert trace["missing"]["damaged"] >= 1, cut
    packed = page(systrace(), TEXT.encode())
    for cut in (len(packed) // 2, len(packed) - 60):
        assert "of the page's base64 data" in " ".join(read(packed[:cut], "--summary").split())
    strange = read(whole.replace(b"C|10|fps", b"C|10|\\ud800f\\ps\xff"), "--summary")
    assert "• 2 parts could not be read, the first: byte " in strange and "surrogate pair" in strange
    assert "fps\\xff" in strange


def test_bits_that_flip_end_nothing(build, tmp_path):
    choose = random.Random(4)
    originals = [systrace(androidProcessDump=PROCESSES), page(systrace(), TEXT.encode())]
    for number in range(60):
        content = bytearray(originals[number % 2])
        for _ in range(1 + number % 5):
            content[choose.randrange(len(content))] ^= 1 << choose.randrange(8)
        file = tmp_path / "flipped"
        file.write_bytes(content)
        done = subprocess.run([build / "dejank", "trace", "read", "--summary", file], capture_output=True, timeout=60, check=False)
        assert done.returncode in (0, 4), (content, done)
        assert done.returncode == 0 or b"flipped" in done.stderr


def test_memory_does_not_grow_with_the_file(build, tmp_path):
    file = tmp_path / "large.json"
    with open(file, "w", encoding="ascii") as out:
        out.write('{"traceEvents":[')
        for at in range(600_000):
            out.write('{"ph":"X","ts":%d,"dur":2,"pid":1,"tid":%d,"name":"n%d"},\n' % (3 * (at ^ 0x3ff), at % 50 + 1, at % 100))
        out.write("{}]}")
    done = subprocess.run(["/bin/sh", "-c", 'ulimit -v 200000; exec "$@"', "sh", build / "dejank", "trace", "read", "--summary", file],
                          capture_output=True, timeout=120, check=False, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 0 and done.stdout.startswith(b"json: 1200000 events, 50 threads"), done
    assert b"could not be read" not in done.stdout


# ---- trace.dat, and archives with several traces ----

DATS = sorted((Path(__file__).resolve().parents[2] / "fuzz/corpus/trace_dat").glob("v[67]*"))


def archived(kind, *files):
    """An archive of files, each as (name, bytes)."""
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files:
                archive.writestr(name, content)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, content in files:
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


@pytest.fixture
def dat(build):
    """The undamaged trace.dat files of versions 6 and 7 in the fuzzing corpus."""

    def whole(file):
        done = subprocess.run([build / "dejank", "trace", "read", "--json", file], capture_output=True, timeout=60, check=False)
        return done.returncode == 0 and json.loads(done.stdout)["missing"]["damaged"] == 0

    files = [file for file in DATS if whole(file)]
    assert files, "fuzz/corpus/trace_dat has whole files"
    return files


@pytest.mark.parametrize("pack", ["gzip", "xz", "zstd", "zip", "tar.gz"])
def test_trace_dat_within_something_else(read, dat, pack):
    if pack == "zstd" and not shutil.which("zstd"):
        pytest.skip("zstd is not installed")
    packers = {"gzip": gzip.compress, "xz": lzma.compress, "zip": lambda content: archived("zip", ("readme", b"text"), ("a.dat", content)),
               "tar.gz": lambda content: archived("tar", ("readme", b"text"), ("a.dat", content)),
               "zstd": lambda content: subprocess.run(["zstd", "-c"], input=content, capture_output=True, check=True).stdout}
    for file in dat:
        packed = packers[pack](file.read_bytes())
        plain = read(file)
        assert read(packed) == plain and plain["source"] == "trace.dat"
        assert read("-", input=packed) == plain


def test_a_truncated_trace_dat_is_read_as_far_as_it_goes(read, dat):
    packed = gzip.compress(dat[0].read_bytes())
    assert "archive or compression: truncated" in " ".join(read(packed[:-4], form="--summary").split())  # its events are there, its checksum is not
    assert "byte 225" in read(packed[:-100], form="--summary", code=4)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_other_traces_of_an_archive_are_named(build, read, dat, tmp_path, kind):
    files = [("notes.txt", b"nothing of a trace\n"), ("a/one.txt", TEXT.encode()), ("two.dat", dat[0].read_bytes()),
             ("picture.png", b"\x89PNG\0\0"), ("three.json", systrace())]
    trace = read(archived(kind, *files))
    assert trace["member"] == "a/one.txt" and trace["other_members"] == ["two.dat", "three.json"]
    said = read(archived(kind, *files), form="--summary")
    assert "• The archive contains 3 traces. This is a/one.txt. Not read: two.dat, three.json." in " ".join(said.split()) and "tar -xOf ARCHIVE NAME" in said
    alone = read(archived(kind, *files[:2], files[3]))
    assert "member" not in alone and alone["slices"] == trace["slices"]
    (tmp_path / "archive").write_bytes(archived(kind, ("a.txt", TEXT.replace("lay", "frame 1").encode()), ("b.txt", TEXT.encode())))
    done = subprocess.run([build / "dejank", "trace", "triage", "--frames", "frame*", tmp_path / "archive"], capture_output=True, text=True, timeout=60, check=True)
    assert "the archive has 2 traces" in " ".join(done.stdout.split())
