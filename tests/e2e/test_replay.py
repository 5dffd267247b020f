"""`dejank parse --replay`: computes statistics of frames as a release does, and compares them with hwui's output."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRACKERS = {"6.0": "6.0", "7.0": "7.0", "7.1": "7.1", "9": "9-10", "9-10": "9-10", "10": "9-10", "11": "11",
            "12": "12L", "12L": "12L", "13": "13", "14": "13", "15": "13", "16": "16"}
WITHOUT_WINDOW = {"6.0", "7.0", "7.1"}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """{release: [object]}, unpacked from tests/data/vectors.xz."""
    path = tmp_path_factory.mktemp("vectors") / "vectors.jsonl"
    subprocess.run([ROOT / "tools/pack-vectors", "unpack", ROOT / "tests/data/vectors.xz", path], check=True)
    found = {}
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        found.setdefault(entry["release"], []).append(entry)
    return found


@pytest.fixture
def replay(build):
    def run(*arguments, text=""):
        return subprocess.run([build / "dejank", "parse", *arguments], input=text, capture_output=True, text=True,
                              timeout=60)

    return run


def lines_of(entries):
    keys = ("release", "vsync_ns", "sf_offset_ns", "app_offset_ns", "columns", "frames")
    return "".join(json.dumps({key: entry[key] for key in keys}) + "\n" for entry in entries)


def some_object(**changes):
    columns = ["Flags", "IntendedVsync", "Vsync", "SyncQueued", "SyncStart", "IssueDrawCommandsStart", "SwapBuffers",
               "FrameCompleted"]
    frames = [[0] + [1000000000 + i * 16666666 + k * 1000000 for k in range(7)] for i in range(3)]
    entry = {"vsync_ns": 16666666, "sf_offset_ns": 0, "app_offset_ns": 0, "columns": columns, "frames": frames}
    return json.dumps({**entry, **changes}) + "\n"


@pytest.mark.parametrize("block", ["process", "window", "framestats"])
@pytest.mark.parametrize("release", TRACKERS)
def test_every_byte_of_every_answer(replay, answers, release, block):
    entries = [entry for entry in answers[TRACKERS[release]] if block in entry]
    if not entries:
        assert block == "framestats" or release in WITHOUT_WINDOW
        return
    assert len(entries) == (3 if block == "framestats" else 15)
    for entry in entries:
        done = replay("--release", release, "--block", block, "--replay", "-", text=lines_of([entry]))
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == entry[block], (entry["scenario"], entry["vsync_ns"])


def test_objects_of_a_file_follow_one_another(replay, answers, tmp_path):
    path = tmp_path / "frames.jsonl"
    path.write_text(lines_of(answers["11"]))
    done = replay("--release", "11", "--replay", path)
    assert done.stdout == "".join(entry["process"] for entry in answers["11"]), "process is the default"


@pytest.mark.parametrize("release", ["preview", "6.0"])
def test_no_window_before_8(replay, release):
    done = replay("--release", release, "--block", "window", "--replay", "-", text=some_object())
    assert done.returncode == 2
    assert "prints no statistics of a window" in done.stderr


@pytest.mark.parametrize("block", ["process", "window", "framestats"])
def test_5_has_nothing_to_replay(replay, block):
    done = replay("--release", "5", "--block", block, "--replay", "-", text=some_object())
    assert (done.returncode, done.stdout) == (2, "")
    assert "Android 5 prints neither statistics nor framestats" in done.stderr


def test_preview_prints_rows_without_names(replay):
    done = replay("--release", "preview", "--block", "framestats", "--replay", "-", text=some_object())
    lines = done.stdout.splitlines()
    assert lines[0] == lines[-1] == "---PROFILEDATA---"
    assert [len(line.split(",")) for line in lines[1:-1]] == [14, 14, 14]


def test_preview_names_slow_draw(replay):
    done = replay("--release", "preview", "--replay", "-", text=some_object())
    assert "Number Slow draw: 0" in done.stdout
    assert "HISTOGRAM" not in done.stdout and "50th" not in done.stdout


@pytest.mark.parametrize("release, share", [("6.0", "nan"), ("7.1", "nan"), ("8", "0.00"), ("16", "0.00")])
def test_no_frames(replay, release, share):
    done = replay("--release", release, "--replay", "-", text=some_object(frames=[]))
    assert f"Janky frames: 0 ({share}%)" in done.stdout


def test_unknown_values_are_null(replay):
    entry = json.loads(some_object())
    entry["frames"][1][7] = None
    done = replay("--release", "11", "--replay", "-", text=json.dumps(entry))
    assert "Total frames rendered: 2" in done.stdout, "a frame without its end is not counted"


def test_a_broken_object_is_named_and_the_others_are_printed(replay, tmp_path):
    path = tmp_path / "frames.jsonl"
    path.write_text(some_object() + "{broken\n" + some_object(columns=["Nonsense"]) + some_object())
    done = replay("--release", "11", "--replay", path)
    assert done.returncode == 4
    assert done.stdout.count("Stats since: 424242ns") == 2
    assert f"{path}:2: invalid JSON" in done.stderr
    assert f"{path}:3: " in done.stderr and "Nonsense" in done.stderr


@pytest.mark.parametrize("change, complaint", [
    ({"vsync_ns": 0}, '"vsync_ns" must be a whole number above 0'),
    ({"vsync_ns": "16"}, '"vsync_ns"'),
    ({"sf_offset_ns": None}, '"sf_offset_ns"'),
    ({"columns": []}, '"columns"'),
    ({"frames": {}}, '"frames" must be a list'),
    ({"frames": [[1, 2]]}, "frame 1 must be a list of 8"),
    ({"frames": [[0] * 7 + ["x"]]}, "frame 1 must be a list of 8"),
])
def test_what_is_wrong_with_an_object(replay, change, complaint):
    done = replay("--release", "11", "--replay", "-", text=some_object(**change))
    assert done.returncode == 4
    assert complaint in done.stderr


@pytest.mark.parametrize("arguments, complaint", [
    (["--replay", "-"], "--replay: expected --release RELEASE as well"),
    (["--replay", "-", "--release", "4.4"], "--release: expected 5, preview, 6.0, 7.0, 7.1, 8, 9, 9-10, 10, 11, 12, 12L, 13, 14, 15 or 16, found '4.4'"),
    (["--replay", "-", "--release", "11", "--block", "gpu"], "--block: expected process, window or framestats"),
    (["--replay", "-", "--release", "11", "--json"], "--replay reads standard input only, and prints text only: expected no FILE"),
    (["--replay", "-", "--release", "11", "dump.txt"], "--replay reads standard input only, and prints text only: expected no FILE"),
    (["--block", "process", "dump.txt"], "--block requires --replay"),
])
def test_usage(replay, arguments, complaint):
    done = replay(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr


def test_no_such_file_and_an_empty_one(replay, tmp_path):
    assert replay("--release", "11", "--replay", tmp_path / "none").returncode == 4
    done = replay("--release", "11", "--replay", "-")
    assert done.returncode == 4 and "no frames" in done.stderr
