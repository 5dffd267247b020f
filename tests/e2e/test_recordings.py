"""Lifetime of recordings: named ones, unnamed ones, and those of `dejank run`."""

import json
import os

from devices import wait_for
from test_run import Run

NEWEST = 64  # number of unnamed recordings that dejank keeps


def frames(build, count=3):
    return [build / "tests/programs/swapper", "swap", str(count)]


def record_unnamed(recorder, build):
    done = recorder.dejank("record", "--", *map(str, frames(build)))
    assert done.returncode == 0, done.stderr


def segments(recorder):
    return {name for name in os.listdir(recorder.environment["DEJANK_DIR"]) if not name.endswith(".sections")}


def prune(recorder, *words, code=0):
    done = recorder.dejank("store", "prune", "--recordings", *words)
    assert done.returncode == code, done.stderr
    return done


def listed(recorder, *words):
    found = json.loads(prune(recorder, "--json", *words).stdout)
    assert (found["schema"], found["did"]) == ("dejank.store/1", "prune-recordings")
    return found


def test_a_named_recording_outlives_any_number_of_others(recorder, build):
    recorder.run("mine", *frames(build, 7))
    for _ in range(NEWEST + 2):
        record_unnamed(recorder, build)
    assert recorder.read("mine").total == 7
    assert len(segments(recorder)) == 1 + NEWEST, "pruned before and after each recording"


def test_prune_lists_before_it_deletes(recorder, build):
    recorder.run("first", *frames(build))
    recorder.run("second", *frames(build))
    record_unnamed(recorder, build)
    before = segments(recorder)
    done = prune(recorder)
    assert [line.split()[-1] for line in done.stdout.splitlines()[3:]] == ["first", "second", "swapper"]
    assert "Would delete 3 recordings" in done.stdout and "use --yes" in done.stderr
    assert segments(recorder) == before
    found = listed(recorder, "--keep", "1")
    assert [(entry["name"], entry["named"], entry["processes"]) for entry in found["recordings"]] == [
        ("first", True, 1), ("second", True, 1)]
    assert found["deleted"] is False and found["bytes"] == sum(entry["bytes"] for entry in found["recordings"]) > 0
    assert listed(recorder, "--older-than", "1h")["recordings"] == []
    assert [entry["name"] for entry in listed(recorder, "--name", "second", "--yes")["recordings"]] == ["second"]
    assert len(segments(recorder)) == 2
    assert "Deleted 2 recordings" in prune(recorder, "--yes").stdout
    assert os.listdir(recorder.environment["DEJANK_DIR"]) == [], "nor any file of sections"


def test_prune_groups_processes_and_leaves_the_living_alone(recorder, build):
    program = f"'{frames(build)[0]}' swap 3; '{frames(build)[0]}' swap 3"
    recorder.run("both", "sh", "-c", program)
    running = recorder.start("running", build / "tests/programs/swapper", "swap", "100000000")
    try:
        wait_for(lambda: "Total frames" in recorder.dumpsys("gfxinfo", "running").stdout, "the program to record")
        found = listed(recorder, "--yes")
        assert [(entry["name"], entry["processes"]) for entry in found["recordings"]] == [("both:swapper", 2)]
        assert len(segments(recorder)) == 1
    finally:
        running.terminate()
        running.communicate()


def test_options_of_recordings_need_recordings(recorder):
    done = recorder.dejank("store", "prune", "--name", "x", "--keep", "1")
    assert done.returncode == 2 and "--name and --temporary require --recordings" in done.stderr


def test_a_run_leaves_no_recording_of_its_own(host, tmp_path):
    run = Run(host, tmp_path)
    done = host.dejank("record", "--name", "example-panel", "--", run.panel, "20")
    assert done.returncode == 0, done.stderr
    before = set(os.listdir(host.segments))
    run("--for", "300ms", "-n", "2", "--warmup", "0", "--", run.panel, "2000")
    assert [outcome for *_, outcome in run.runs()] == ["ok", "ok"]
    assert set(os.listdir(host.segments)) == before, "the named one is still there"


def test_a_run_on_a_linux_device_leaves_none_there(host, adbd, tmp_path):
    run, device = Run(host, tmp_path), adbd()
    assert "connected" in host.adb("connect", device.serial).stdout
    run("--device", device.serial, "--for", "300ms", "-n", "1", "--warmup", "0", "--", run.panel, "2000")
    assert [outcome for *_, outcome in run.runs()] == ["ok"]
    wait_for(lambda: not os.listdir(host.segments), "the recording to be removed")
