"""`dejank record --release`: records a real program, and prints it as each Android release does."""

import json
import re

import pytest

RELEASES = {"preview": 13, "6.0": 14, "7.0": 14, "7.1": 16, "8": 16, "9": 16, "9-10": 16, "10": 16, "11": 17, "12": 22,
            "12L": 22, "13": 23, "14": 23, "15": 23, "16": 24}
TAKEN_FOR = {"9-10": "9", "10": "9", "12L": "12", "14": "13", "15": "13"}
FRAMES = 40


@pytest.fixture
def record(recorder, build, x_server):
    scene = build / "tests/programs/scene"
    if not scene.exists():
        pytest.skip("the scene program was not built: tools/deps tests")

    def run(release, *options):
        done = recorder.run("app", scene, "--display", "x11", "--frames", str(FRAMES), "--work", "2",
                            options=("--release", release, *options), environment=x_server.environment)
        assert done.returncode == 0, done.stderr
        text = recorder.dumpsys("gfxinfo", "app", "framestats")
        assert text.stderr == ""
        return text.stdout

    return run


@pytest.mark.parametrize("release", RELEASES)
def test_each_release_records_and_prints(record, recorder, tmp_path, release):
    text = record(release)
    path = tmp_path / "dump.txt"
    path.write_text(text)
    process = json.loads(recorder.dejank("parse", "--json", "--rows", str(path)).stdout)["inputs"][0]
    assert process["release"] == TAKEN_FOR.get(release, release)
    window = process["processes"][0]["windows"][0]
    columns = window["framestats"]["columns"]
    assert len(columns) == RELEASES[release]
    assert window["framestats"]["row_count"] == FRAMES
    assert (window["stats"] is not None) == (release not in ("preview", "6.0", "7.0", "7.1"))
    rows = [dict(zip(columns, row)) for row in window["framestats"]["rows"]]
    long = sum(row["FrameCompleted"] - row["IntendedVsync"] >= 136_000_000 for row in rows if row["Flags"] & 5 == 0)  # other rows are exempt
    total = process["processes"][0]["stats"]["total_frames"]
    assert total == FRAMES + (long if release == "6.0" else 0)
    if "FrameInterval" in columns:
        assert all(row["FrameDeadline"] is None and row["GpuCompleted"] is None for row in rows)
        printed = re.search(r"^Flags,.*$", text, re.M)[0].split(",")
        swapped = printed.index("FrameInterval") < printed.index("FrameStartTime")
        assert swapped == (release != "16")


def test_5_has_the_simple_dump_alone(record):
    text = record("5", "--profile")
    assert "Stats since" not in text and "PROFILEDATA" not in text
    rows = re.findall(r"^\t\d+\.\d\d\t\d+\.\d\d\t\d+\.\d\d\t\d+\.\d\d$", text, re.M)
    assert len(rows) == FRAMES


def test_a_release_nobody_knows(recorder):
    done = recorder.run("app", "/bin/true", options=("--release", "4.4"))
    assert done.returncode == 2
    assert "found '4.4'" in done.stderr and "12L" in done.stderr
