"""docs/format/segment.md describes the whole format: this second reader uses only its tables."""
import os
import re
import struct
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("DEJANK_BUILD", ROOT / "build"))
FAKE_APP = BUILD / "tests/programs/fake_app"
TEXT = (ROOT / "docs/format/segment.md").read_text()


def table(heading):
    """{field: (offset, bytes)} of the table under a heading. `bytes` is None if the size is not fixed."""
    section = re.search(rf"^### {heading}.*?\n(.*?)(?=^##|\Z)", TEXT, re.M | re.S).group(1)
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| `(\w+)` \|", section, re.M)
    return {name: (int(offset), int(size) if size.isdigit() else None) for offset, size, name in rows}


HEADER = table("Header")
WINDOW = table("Window")
SUMS_COPY = table("Copy of the sums")
RESET_COPY = table("Copy of a reset")
SUMS = table("Sums")
ROW = table("Row")
COLUMNS = re.search(r"contains these values, from 0: (.*?)\. Stamps", TEXT, re.S).group(1).replace("\n", " ").split(", ")


class Part:
    """Bytes with fields that a table describes."""

    def __init__(self, fields, data):
        self.fields = fields
        self.data = data

    def bytes(self, name):
        offset, size = self.fields[name]
        return self.data[offset:offset + size] if size else self.data[offset:]

    def number(self, name):
        return int.from_bytes(self.bytes(name), "little", signed=True)

    def text(self, name):
        return self.bytes(name).split(b"\0", 1)[0].decode()

    def numbers(self, name, size):
        data = self.bytes(name)
        return [int.from_bytes(data[i:i + size], "little", signed=True) for i in range(0, len(data), size)]


def halves(data):
    return data[:len(data) // 2], data[len(data) // 2:]


def window_of(data, slot):
    header = Part(HEADER, data)
    start = header.number("header_bytes") + slot * header.number("window_bytes")
    return Part(WINDOW, data[start:start + header.number("window_bytes")])


def rows_of(header, window):
    size = sum(size for _, size in ROW.values())
    rows = window.bytes("rows")
    for index in range(max(0, window.number("published") - header.number("keep")), window.number("published")):
        at = index % header.number("keep") * size
        row = Part(ROW, rows[at:at + size])
        known = row.number("known")
        yield {COLUMNS[n]: value for n, value in enumerate(row.numbers("value", 8)) if known >> n & 1}


@pytest.fixture
def segment(tmp_path):
    """segment(OPTION…) creates the segment of an app that has ended, and returns its path."""
    def make(*options):
        folder = tmp_path / "segments"
        folder.mkdir(mode=0o700, exist_ok=True)
        done = subprocess.run([FAKE_APP, *map(str, options)], stdin=subprocess.DEVNULL, check=True, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, "DEJANK_DIR": str(folder)}, timeout=20)
        return Path(done.stdout.split(maxsplit=2)[2].rstrip("\n"))
    return make


@pytest.mark.parametrize("fields, size", [
    (SUMS_COPY, 1544), (RESET_COPY, 792), (SUMS, 768), (ROW, 224), (WINDOW, 5264), (HEADER, 892)])
def test_tables_have_no_hole_and_no_overlap(fields, size):
    end = 0
    for name, (offset, length) in fields.items():
        assert offset == (end + 7) // 8 * 8 or offset == end, name
        end = offset + (length or 0)
    assert end == size


def wall_minus_monotonic():
    return time.clock_gettime_ns(time.CLOCK_REALTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def test_header(segment):
    path = segment("org.example.Größe", "--program", "example", "--keep", 200, "--profile", 1, "--disabled", "why",
                   "--app-version", "1.0-β")
    data = path.read_bytes()
    header = Part(HEADER, data)
    assert header.bytes("magic") == b"DEJANK\r\n"
    assert header.number("byte_order") == 0x01020304
    assert header.number("version") == 3
    assert header.number("header_bytes") == 4096
    assert header.number("window_bytes") == -(-(5264 + 224 * 200) // 4096) * 4096
    assert header.number("window_slots") == 16
    assert header.number("keep") == 200
    assert header.number("column_count") == len(COLUMNS) == 27
    assert header.number("counter_count") * 4 == SUMS["counter"][1]
    assert header.number("frame_buckets") * 4 == SUMS["frame_histogram"][1]
    assert header.number("gpu_buckets") * 4 == SUMS["gpu_histogram"][1]
    assert path.name == f"{header.number('pid')}.{header.number('start_ticks')}"
    assert header.text("boot_id") == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert header.number("interval_ns") == 16666667
    assert header.number("interval_assumed") == 0
    assert header.text("release") == "11"
    assert header.text("name") == "org.example.Größe"
    assert header.text("program") == "example"
    assert header.text("app_version") == "1.0-β"
    assert abs(header.number("created_wall_ns") - header.number("created_ns") - wall_minus_monotonic()) < 10**9
    assert header.number("pipelines") == 1
    assert header.number("windows") == 1
    assert header.number("dropped") == 0
    assert header.number("disabled") == 1
    assert header.text("disabled_reason") == "why"
    assert header.number("profile") == 1
    assert len(data) == 4096 + 16 * header.number("window_bytes")
    assert path.stat().st_mode & 0o7777 == 0o600
    assert -(-(5264 + 224 * 4096) // 4096) * 4096 == 925696, "the size the page names"


@pytest.mark.parametrize("frames, keep", [(0, 120), (30, 120), (300, 120), (300, 4096)])
def test_windows_rows_and_sums(segment, frames, keep):
    data = segment("com.x", "--frames", frames, "--keep", keep, "--janky", 10, "--window", "one", "--window",
                   "two").read_bytes()
    header = Part(HEADER, data)
    windows = 2 if frames else 0
    assert header.number("windows") == windows
    for slot in range(windows):
        window = window_of(data, slot)
        assert window.number("state") == 2
        assert window.number("busy") == 0
        assert window.number("key") == 0xa0 + slot
        titles = [half.split(b"\0", 1)[0].decode() for half in halves(window.bytes("title"))]
        assert window.number("renamed") == 1
        assert titles == ["", ["one", "two"][slot]]
        assert (window.number("visibility"), window.number("views"), window.number("interval_assumed")) == (0, 0, 0)
        assert window.number("interval_ns") == 16666667
        assert window.number("first_index") == 0
        assert window.number("begun") == window.number("published") == frames
        rows = list(rows_of(header, window))
        assert len(rows) == min(frames, keep)
        first = frames - len(rows)
        for index, row in enumerate(rows, first):
            start = 10**12 + index * 50 * 10**6
            length = (40 if index % 10 == 9 else 8) * 10**6
            assert row["IntendedVsync"] == row["Vsync"] == start
            assert row["FrameCompleted"] == start + length
            assert set(row) == {"Flags", "IntendedVsync", "Vsync", "SyncQueued", "SyncStart",
                                "IssueDrawCommandsStart", "SwapBuffers", "FrameCompleted"}
        assert window.number("last_ns") == rows[-1]["FrameCompleted"]
        for half in halves(window.bytes("stats")):
            copy = Part(SUMS_COPY, half)
            total = Part(SUMS, copy.bytes("total"))
            assert copy.number("sequence") % 2 == 0
            assert total.numbers("counter", 4)[:2] == [frames, frames // 10]
            assert sum(total.numbers("frame_histogram", 4)) == frames
            assert total.number("since_ns") == header.number("created_ns")
            assert set(Part(SUMS, copy.bytes("opened")).numbers("counter", 4)) == {0}
        assert not any(window.bytes("reset"))
    if windows < 16:
        assert not any(data[4096 + windows * header.number("window_bytes"):]), "holes"


def test_reset_and_profile_words(segment):
    path = segment("com.x", "--frames", 25, "--profile", 1)
    before = path.read_bytes()
    environment = {**os.environ, "DEJANK_DIR": str(path.parent)}
    for _ in range(2):
        subprocess.run([BUILD / "dumpsys", "gfxinfo", "com.x", "reset"], env=environment, check=True, timeout=20,
                       stdout=subprocess.DEVNULL)
    data = path.read_bytes()
    header = Part(HEADER, data)
    window = window_of(data, 0)
    stamps = set()
    for half in halves(window.bytes("reset")):
        copy = Part(RESET_COPY, half)
        assert copy.number("sequence") == 4, "two resets, each odd, then even"
        assert copy.number("published") == 25
        assert Part(SUMS, copy.bytes("total")).numbers("counter", 4)[0] == 25
        stamps.add(copy.number("at_ns"))
    for slot in range(1, 16):
        for half in halves(window_of(data, slot).bytes("reset")):
            copy = Part(RESET_COPY, half)
            stamps.add(copy.number("at_ns"))
            assert copy.number("published") == 0
    assert len(stamps) == 1
    assert stamps.pop() > header.number("created_ns")
    assert window.number("profiled") == 25
    changed = [i for i, (old, new) in enumerate(zip(before, data)) if old != new]
    starts = [header.number("header_bytes") + slot * header.number("window_bytes") for slot in range(16)]
    readers = [(start + WINDOW[name][0], start + WINDOW[name][0] + WINDOW[name][1])
               for start in starts for name in ("reset", "profiled")]
    assert changed and all(any(low <= i < high for low, high in readers) for i in changed)


def test_byte_order_of_this_machine():
    assert struct.pack("=I", 0x01020304) == struct.pack("<I", 0x01020304), "the tables are read little-endian here"
