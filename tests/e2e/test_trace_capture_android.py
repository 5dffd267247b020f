"""Captures of Android devices: dejank uses the tools of each release and restores the device's state."""

import json
import signal
import time

import pytest

from android.app import Frames
from devices import wait_for

PACKAGE = "com.example.app"


@pytest.fixture
def capture(host, tmp_path):
    """capture(phone, WORDS…): (finished process, path of the trace)."""

    def run(phone, *words, output="out.pftrace"):
        out = tmp_path / output
        return host.dejank("trace", "capture", "--device", phone.serial, *words, "-o", out, timeout=120), out

    return run


def make(android, release, **frames):
    phone = android(release=release)
    phone.install(PACKAGE, frames=Frames(**frames))
    phone.start(PACKAGE)
    return phone


def state_of(phone):
    """The state of the device that a capture may change and must restore."""
    folder = phone.path("/data/misc/perfetto-traces")
    return {"enable": phone.properties.get("persist.traced.enable", ""),
            "tags": phone.properties.get("debug.atrace.tags.enableflags", "0"),
            "app": phone.properties.get("debug.atrace.app_number", ""),
            "atrace": phone.atrace, "sessions": list(phone.sessions),
            "files": sorted(folder.iterdir()) if folder.exists() else []}


# The commands on each release: words that must occur together in one command, and words that no command may contain.
ASKED = {
    "5.1": ([("atrace", "--async_start", "-a", PACKAGE), ("atrace", "--async_dump", "-z"), ("atrace", "-t", "0")],
            ["perfetto", "rs", "--async_stop"]),
    "7.1": ([("atrace", "--async_start", "-a", PACKAGE), ("atrace", "--async_stop", "-z")], ["perfetto", "--async_dump"]),
    "9": ([("perfetto", "-c", "-"), ("setprop", "persist.traced.enable", "1")], ["--txt", "--background"]),
    "10": ([("perfetto", "--background", "--txt"), ("setprop", "persist.traced.enable", "1")], ["--background-wait"]),
    "13": ([("perfetto", "--background-wait", "--txt")], ["persist.traced.enable", "--async_start"]),
}


@pytest.mark.parametrize("release", ASKED)
def test_each_release(host, android, capture, release):
    phone = make(android, release)
    before = state_of(phone)
    done, out = capture(phone, "--package", PACKAGE, "--duration", "400ms")
    assert done.returncode == 0, done.stderr
    assert state_of(phone) == before
    for words in ASKED[release][0]:
        assert any(argv[0] == words[0] and set(words) <= set(argv) for argv in phone.asked), (words, phone.asked)
    told = {word for argv in phone.asked if argv[0] in ("atrace", "perfetto", "setprop") for word in argv}
    assert not told & set(ASKED[release][1])
    for config in phone.perfetto_configs:
        assert config["apps"] == [PACKAGE] and config["buffers"] == 2 and "view" in config["categories"], config
    planted = [begin for begin, _ in phone.running(PACKAGE).between(0, phone.now_ns())]
    told = json.loads(host.dejank("trace", "read", "--json", out).stdout)
    ahead = told["clock"]["to_mono_ns"]
    seen = [one["start_ns"] + ahead for one in told["slices"] if one["name"].startswith("Choreographer#doFrame")]
    assert len(seen) > 10
    assert all(min(abs(at - begin) for begin in planted) < 2000 for at in seen)
    assert any(one["name"] == "load" for one in told["slices"]), "the app's own sections"
    assert any(one["state"] == "running" for one in told["states"])


@pytest.mark.parametrize("release", ["9", "10", "13"])
def test_a_short_one_by_perfetto_lasts_from_its_start_to_its_end(host, android, capture, release):
    """The duration counts from the start of the trace. Perfetto may need as long as the capture to start."""
    phone = make(android, release, ms=(4.0,), hz=120)
    done, out = capture(phone, "--package", PACKAGE, "--duration", "300ms", "--json")
    assert done.returncode == 0 and "atrace is used" not in done.stderr, done.stderr
    said = json.loads(done.stdout)
    assert said["source"] == "perfetto"
    trace = json.loads(host.dejank("trace", "read", "--json", out).stdout)
    seen = [one["start_ns"] + trace["clock"]["to_mono_ns"] for one in trace["slices"]]
    assert min(seen) <= said["start_ns"] and said["end_ns"] - max(seen) < 100_000_000


@pytest.mark.parametrize("release", ["7.1", "13"])
def test_around_janky_frames_only(host, android, capture, release):
    """One frame in forty takes 45 ms. The trace keeps other frames only near such a frame."""
    phone = make(android, release, ms=(8.0,) * 39 + (45.0,), hz=60)
    before = state_of(phone)
    phone.trace_ring_s = 1.6  # older events are lost, including atrace's clock synchronization line
    time.sleep(0.2)
    done, out = capture(phone, "--package", PACKAGE, "--duration", "2600ms", "--around", "janky", "--before", "50ms",
                        "--after", "30ms", "--json")
    assert done.returncode == 0, done.stderr
    assert state_of(phone) == before
    said = json.loads(done.stdout)
    assert said["janky"] >= 2
    assert any("the buffer no longer had their events" in one for one in said["limits"]), done.stdout + done.stderr
    process = phone.running(PACKAGE)
    planted = process.between(said["start_ns"] - 10**9, said["end_ns"] + 10**9)
    janky = [(begin, begin + length) for begin, length in planted if length > 40_000_000]
    trace = json.loads(host.dejank("trace", "read", "--json", out).stdout)
    ahead = trace["clock"]["to_mono_ns"] if "clock" in trace else None
    assert ahead is not None, trace.keys()
    kept = [one["start_ns"] + ahead for one in trace["slices"] if one["name"].startswith("Choreographer#doFrame")]
    assert 4 <= len(kept) < len(planted) / 2
    slack = 400_000_000 if release == "13" else 2_000_000  # a packet covers a quarter of a second
    for at in kept:
        assert any(begin - 50_000_000 - slack <= at <= end + 30_000_000 + slack for begin, end in janky), at
    inside = [begin for begin, end in janky if min(kept) <= begin <= max(kept)]
    assert inside and all(any(abs(at - begin) < 2000 for at in kept) for begin in inside)


def test_an_impossible_capture_is_reported_and_nothing_remains(android, capture):
    phone = make(android, "13")
    before = state_of(phone)
    short = ("--package", PACKAGE, "--duration", "200ms")
    phone.trace_lacks = {"dalvik"}
    phone.trace_fault = "broken"
    done, out = capture(phone, *short)
    assert done.returncode == 0 and out.exists(), done.stderr
    assert "Could not connect" in done.stderr and "atrace is used" in done.stderr
    assert "cannot trace: dalvik" in done.stderr
    out.write_text("of before")
    for fault, says in (("permission", "unable to start|Permission denied"), ("no-space", "its file is empty")):
        phone.trace_fault = fault
        done, out = capture(phone, *short)
        assert done.returncode in (3, 4), done.stderr
        assert any(one in done.stderr for one in says.split("|")), done.stderr
        assert out.read_text() == "of before" and list(out.parent.glob("out.pftrace.*")) == []
        assert state_of(phone) == before
    phone.trace_fault = None
    phone.lose_command("perfetto")
    done, out = capture(phone, *short)
    assert done.returncode == 0, done.stderr
    assert "no perfetto" in done.stderr
    assert state_of(phone) == before
    phone.lose_command("atrace")
    done, _ = capture(phone, *short)
    assert done.returncode != 0 and "neither atrace nor perfetto" in done.stderr


def test_an_app_that_does_not_run(host, android, capture):
    phone = make(android, "13")
    done, out = capture(phone, "--package", "com.example.none", "--duration", "400ms", "--json")
    assert done.returncode == 4, done.stderr
    assert "no process of com.example.none runs; waiting for one" in done.stderr
    said = json.loads(done.stdout)
    assert said["app"] == "absent" and said["limits"] == ["sections of com.example.none: no process with this name ran"]
    assert out.stat().st_size == said["bytes"] > 0, "the rest is there"


def begin(host, phone, out):
    process = host.popen(host.build / "dejank", "trace", "capture", "--device", phone.serial, "--package", PACKAGE, "-o", out)
    wait_for(lambda: phone.atrace or phone.sessions or process.poll() is not None, "the capture to begin")
    time.sleep(0.7)
    assert process.poll() is None, process.stderr.read()
    return process


@pytest.mark.parametrize("release", ["9", "7.1"])
def test_a_killed_one_is_put_back_by_the_next(host, android, capture, tmp_path, release):
    phone = make(android, release)
    before = state_of(phone)
    process = begin(host, phone, tmp_path / "killed.pftrace")
    process.kill()
    process.communicate()
    changed = state_of(phone)
    assert changed != before
    done = host.dejank("doctor", "--restore")
    assert done.returncode == 0, done.stderr
    wait_for(lambda: not phone.sessions, "perfetto to end")
    assert state_of(phone) == before


def test_a_connection_that_is_lost_and_comes_back(host, android, tmp_path):
    phone = make(android, "10")
    before = state_of(phone)
    process = begin(host, phone, tmp_path / "out.pftrace")
    phone.unplug(back_after_s=1.0)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (3, 4), said
    assert b"ended early" in said and b"the connection to the device was lost meanwhile" in said, said
    assert state_of(phone) == before, said


def test_the_runs_of_a_batch(host, android, tmp_path):
    phone = android(release="11")
    phone.install(PACKAGE, frames=Frames(ms=(8.0,) * 59 + (45.0,)))
    before = state_of(phone)
    store = tmp_path / "runs.db"
    done = host.dejank("run", "--device", phone.serial, "--package", PACKAGE, "--for", "1200ms", "--settle", "100ms", "-n", 1,
                       "--warmup", "0", "--store", store, "--trace=janky")
    assert done.returncode == 0 and "trace" not in done.stderr.lower(), done.stderr
    assert state_of(phone) == before
    saved = host.dejank("show", PACKAGE, "--store", store, "--save-traces", tmp_path / "traces")
    assert saved.returncode == 0, saved.stderr
    trace = json.loads(host.dejank("trace", "read", "--json", saved.stdout.strip()).stdout)
    planted = [at for one in phone.ran for at in one.between(0, phone.now_ns()) if at[1] > 40_000_000]
    kept = [one["start_ns"] + trace["clock"]["to_mono_ns"] for one in trace["slices"] if "doFrame" in one["name"]]
    assert any(abs(at - begin) < 2000 for at in kept for begin, _ in planted)
