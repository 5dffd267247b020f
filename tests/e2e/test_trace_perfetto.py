"""Perfetto traces from the corpus, compared with a second, simple reader."""

import gzip
import json
import os
import shutil
import subprocess

import pytest


@pytest.fixture
def corpus():
    place = os.environ.get("DEJANK_CORPUS")
    if not place:
        pytest.skip("DEJANK_CORPUS is not set")
    return place


@pytest.fixture
def read(build):
    def run(file, form="--json", code=0, **options):
        done = subprocess.run([build / "dejank", "trace", "read", form, file], capture_output=True, timeout=120, check=False, **options)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if form == "--json" and code == 0 else (done.stdout + done.stderr).decode()

    return run


# ---- the second reader ----


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = 8 if tag & 7 == 1 else 4
            value, at = data[at : at + size], at + size
        yield tag >> 3, value


def unpack(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def told(data):
    """Section markers, context switches of each CPU, and (CPU, thread, time) of each full event, from the ftrace bundles."""
    markers, switches, shown = [], {}, set()
    for number, packet in fields(data):
        assert number == 1
        for kind, bundle in fields(packet):
            if kind != 1:
                continue
            bundle = list(fields(bundle))
            cpu = dict(bundle).get(1, 0)
            for what, body in bundle:
                if what == 2:
                    event = dict(fields(body))
                    shown.add((cpu, event[2], event[1]))
                    if 3 in event:
                        markers.append((event[1], event[2], dict(fields(event[3]))[2].decode()))
                    elif 4 in event:
                        switches.setdefault(cpu, []).append((event[1], dict(fields(event[4]))[6]))
                elif what == 4:
                    compact = dict(fields(body))
                    at = 0
                    for delta, pid in zip(unpack(compact.get(1, b"")), unpack(compact.get(3, b""))):
                        at += delta
                        switches.setdefault(cpu, []).append((at, pid))
    return sorted(markers, key=lambda one: one[0]), switches, shown


def sections_of(markers):
    stacks, sections = {}, []
    for at, tid, text in markers:
        if text.startswith("B|"):
            stacks.setdefault(tid, []).append((text.rstrip("\n").split("|", 2)[2], tid, at))
        elif text.startswith("E") and stacks.get(tid):
            sections.append((*stacks[tid].pop(), at))
    return sorted(sections, key=lambda one: (one[2], one[1], -one[3]))


def test_the_known_loop_is_read_to_the_nanosecond(read, corpus):
    file = f"{corpus}/perfetto/perfetto_linux_compact.pftrace"
    with open(file, "rb") as opened:
        markers, switches, shown = told(opened.read())
    trace = read(file)
    ours = [(one["name"], one["tid"], one["start_ns"], one["end_ns"]) for one in trace["slices"]]
    assert sorted(ours, key=lambda one: (one[2], one[1], -one[3])) == sections_of(markers)
    frames = [one for one in trace["slices"] if one["name"].startswith("frame ")]
    assert [one["name"] for one in frames] == [f"frame {i}" for i in range(100)]
    layouts = [one for one in trace["slices"] if one["name"] == "layout"]
    slow = [i for i, frame in enumerate(frames) for one in layouts if frame["start_ns"] <= one["start_ns"] < frame["end_ns"] and one["end_ns"] - one["start_ns"] > 20e6]
    assert slow == [i for i in range(100) if i % 7 == 6]
    missing = trace["missing"].pop("switches")
    assert trace["missing"] == {"overwritten": False, "whole_from_ns": 0, "dropped": 0, "damaged": 0, "beginnings": 0, "events": 0, "backwards": 0}
    assert trace["clock"]["name"] == "boot" and abs(trace["clock"]["to_mono_ns"]) <= trace["clock"]["error_ns"] < 1000
    # Each switch to a thread (idle is no thread) starts a running state. Any other running state contains an event of its thread.
    running = [state for state in trace["states"] if state["state"] == "running"]
    told_of = {(cpu, at, pid) for cpu, one in switches.items() for at, pid in one if pid != 0}
    ours = {(state["cpu"], state["start_ns"], state["tid"]): state["end_ns"] for state in running}
    assert told_of <= set(ours) and len(ours) == len(running)
    untold = set(ours) - told_of
    assert len(untold) <= missing < 20
    for cpu, start, tid in untold:
        assert any((cpu, tid) == one[:2] and start <= one[2] <= ours[cpu, start, tid] for one in shown)
    assert any(state.get("waker", 0) > 0 for state in trace["states"])


@pytest.mark.skipif(shutil.which("protoc") is None, reason="protobuf-compiler is not installed")
def test_the_second_reader_sees_what_protoc_sees(corpus):
    with open(f"{corpus}/perfetto/perfetto_linux_compact.pftrace", "rb") as file:
        data = file.read()
    said = subprocess.run(["protoc", "--decode_raw"], input=data, capture_output=True, timeout=60, check=True).stdout.decode("latin-1").split("\n")
    kinds = [kind for _, packet in fields(data) for kind, value in fields(packet) if isinstance(value, bytes)]
    assert said.count("1 {") == sum(1 for _ in fields(data))
    assert said.count("  1 {") == kinds.count(1)
    assert sum(line.startswith('        2: "B|') for line in said) == sum(text.startswith("B|") for _, _, text in told(data)[0])


NO_EVENTS = {"synth_parsing_android_package_list.pb", "synth_startup_android_startup_powrails.pb", "tp_cpu_info.pb"}


def test_every_file_of_the_corpus_is_read(build, corpus):
    read = 0
    for folder, _, files in os.walk(f"{corpus}/perfetto"):
        for name in files:
            done = subprocess.run([build / "dejank", "trace", "read", "--summary", f"{folder}/{name}"], capture_output=True, text=True, timeout=60, check=False)
            if name in NO_EVENTS:
                assert done.returncode == 4 and "the trace contains no events" in done.stderr, (name, done)
                continue
            assert done.returncode == 0, (name, done.stderr)
            assert "could not be read" not in done.stdout or name.endswith(".systrace"), (name, done.stdout)
            assert int(done.stdout.split(": ")[1].split()[0]) > 0, (name, done.stdout)
            read += 1
    assert read > 80


def test_frames_are_shown_in_all_forms(read, corpus):
    file = f"{corpus}/perfetto/synthetic/synth_graphics_frame_timeline_events.pb"
    frames = read(file)["frames"]
    assert len(frames) == 15 and sum(frame["display"] for frame in frames) == 9
    late = next(frame for frame in frames if frame["token"] == 5)
    assert late == {"display": False, "layer": "Layer1", "pid": 1000, "token": 5, "display_token": 6, "expected_start_ns": 41, "expected_end_ns": 56, "start_ns": 41, "end_ns": 74,
                    "present": "late", "prediction": "valid", "severity": "full", "finished_on_time": False, "composed_by_gpu": False, "jank": ["app-deadline"]}
    assert 'frame,"Layer1",1000,"",41,74,,5,64\n' in read(file, form="--csv")
    assert ", 15 frames\n" in read(file, form="--summary") and "Layer2" in read(file, form="--summary")


def test_wrapped_piped_and_cut_traces(read, corpus, tmp_path):
    with open(f"{corpus}/perfetto/perfetto_linux_compact.pftrace", "rb") as file:
        whole = file.read()
    plain = read(f"{corpus}/perfetto/perfetto_linux_compact.pftrace", form="--summary").partition("\n\nnext:")[0]
    (tmp_path / "trace.gz").write_bytes(gzip.compress(whole, 1))
    assert read(tmp_path / "trace.gz", form="--summary").partition("\n\nnext:")[0] == plain
    assert read("-", form="--summary", input=whole) == plain + "\n"
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    cut = read(tmp_path / "cut", form="--summary")
    assert "• 1 part could not be read" in cut
    (tmp_path / "cut.gz").write_bytes(gzip.compress(whole, 1)[:200000])
    assert "could not be read" in read(tmp_path / "cut.gz", form="--summary")
    assert not [name for name in os.listdir(tmp_path) if name not in ("trace.gz", "cut", "cut.gz")]


def test_a_bomb_is_refused(read, tmp_path):
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"\x0a\x04\x40\x05\x50\x01\x0a\xff\xff\xff\x7f" + bytes(300 << 20), 1))
    said = read(tmp_path / "bomb.gz", form="--csv", code=4)
    assert "bomb.gz" in said and "unpacks to more than 1" in said  # the limit is 100 times the size of the file


def test_a_line_of_csv_is_one_line_whatever_the_name(read, tmp_path):
    print_ = b"\x12\x0dB|5|a\nb\t\"c,\xff\x1b"
    event = b"\x08\x64\x10\x07\x1a" + bytes([len(print_)]) + print_
    bundle = b"\x08\x00\x12" + bytes([len(event)]) + event
    packet = b"\x0a" + bytes([len(bundle)]) + bundle
    (tmp_path / "x.pftrace").write_bytes(b"\x0a" + bytes([len(packet)]) + packet)
    lines = read(tmp_path / "x.pftrace", form="--csv").split("\n")
    assert lines[1:] == ['slice,"a\\x0ab\\x09""c,\\xff\\x1b",7,"",100,,0,,', ""]
