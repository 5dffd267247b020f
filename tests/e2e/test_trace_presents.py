"""When the display showed frames, from the FrameTimeline of Perfetto traces: a trace with planted presents, and the public samples.
The naive reader below computes the expected values independently."""
import json
import os
from pathlib import Path

import pytest
from android.traces import message, number, string

START, PERIOD = 1_000_000_000_000, 16_666_667
ON_TIME, LATE, DROPPED = 1, 2, 4


def packet(at, event):
    return message(1, number(8, at) + message(76, event))


class Planted:
    """A trace of an app's layer and of the display, as the compositor records them."""

    def __init__(self):
        self.packets = []
        self.cookie = 0

    def timeline(self, field, start, end, body):
        self.cookie += 1
        self.packets.append((start, message(field, number(1, self.cookie) + body)))
        self.packets.append((end, message(5, number(1, self.cookie))))

    def display(self, token, expected, shown):
        self.timeline(1, expected, expected + PERIOD, number(2, token) + number(3, 9))
        self.timeline(2, expected, shown, number(2, token) + number(3, 9) + number(4, ON_TIME) + number(5, 1) + number(7, 1))

    def frame(self, layer, token, display, expected, start, end, present=ON_TIME):
        name = number(4, 50) + string(5, layer)
        self.timeline(3, expected, expected + PERIOD, number(2, token) + number(3, display) + name)
        self.timeline(4, start, end, number(2, token) + number(3, display) + name + number(6, present) + number(7, 1) + number(9, 1))

    def write(self, path):
        path.write_bytes(b"".join(packet(at, event) for at, event in sorted(self.packets, key=lambda one: one[0])))
        return path


def plant(planted, layer, first_token):
    """60 shown frames: every tenth late by one refresh, one by three, one after a pause, some expected 4 ms later. One more is dropped."""
    refresh = 10
    for index in range(60):
        refresh += 30 if index == 40 else 4 if index == 25 else 2 if index % 10 == 9 else 1
        expected = START + (refresh - 2) * PERIOD + (4_000_000 if index % 7 == 3 else 0)
        token = first_token + 10 * index
        planted.frame(layer, token, token + 1, expected, expected + 1_000_000, expected + 9_000_000)
        planted.display(token + 1, START + (refresh - 1) * PERIOD, START + refresh * PERIOD + index % 3 * 100_000)
        if index == 30:
            planted.frame(layer, token + 2, token + 3, expected + 2_000_000, expected + 3_000_000, expected + 10_000_000, DROPPED)


@pytest.fixture
def corpus():
    place = os.environ.get("DEJANK_CORPUS")
    if not place:
        pytest.skip("DEJANK_CORPUS is not set")
    return place


@pytest.fixture
def triage(host):
    def run(path, *words):
        done = host.dejank("trace", "triage", *words, path)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


def presents(triage, path):
    return {one["layer"]: one["present"] for one in json.loads(triage(path, "--json"))["presents"]}


# ---- the naive reader

def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def naive(frames, period):
    """{layer: number of presents and of skipped frames, steps and animation errors}, from the frames of `trace read --json`."""
    shown_at = {one["token"]: one["end_ns"] for one in frames if one["display"] and one["end_ns"] is not None}
    layers = {}
    for one in frames:
        if not one["display"]:
            dropped = one["present"] == "dropped"
            at = None if dropped else shown_at.get(one["display_token"])
            start = one["start_ns"] if one["start_ns"] is not None else one["expected_start_ns"]
            layers.setdefault((one["pid"], one["layer"]), []).append((start, at, dropped, one))
    found = {}
    for (_, layer), rows in layers.items():
        figures = {"presents": 0, "steps": [], "skipped": 0, "animation": []}
        last = before = None
        unshown = 0
        for start, at, dropped, one in sorted(rows, key=lambda row: row[0]):
            if not dropped and (at is None or (last is not None and at < last[0])):
                last = before = None
                unshown = 0
            if at is None and not dropped:
                continue
            if before is not None and not (start > before[0] and (start - before[1]) // 6 < period):
                last, unshown = None, 0
            before = (start, max(start, one["end_ns"] or start))
            if at is None:
                unshown += last is not None
                continue
            figures["presents"] += 1
            figures["skipped"] += unshown
            unshown = 0
            if last is not None:
                figures["steps"].append(at - last[0])
                figures["skipped"] += at == last[0]  # of two frames in one refresh, only the newer one was seen
                contents = [(row["expected_start_ns"] or 0) for row in (last[2], one)]
                moved = contents[1] - contents[0] if min(contents) > 0 else start - last[1]
                figures["animation"].append(abs(moved - (at - last[0])))
            last = (at, start, one)
        if figures["presents"]:
            found[layer] = figures
    return found


def agrees(told, wanted):
    assert told["presents"] == wanted["presents"]
    steps = told["present_to_present_ns"]
    assert steps["count"] == len(wanted["steps"]) and told["animation_error_ns"]["count"] == len(wanted["animation"])
    assert told["skipped_frames"] == wanted["skipped"]
    if wanted["steps"]:
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
            assert steps[name] == pytest.approx(quantile(wanted["steps"], share), abs=1)
        assert steps["max"] == max(wanted["steps"])
        assert told["animation_error_ns"]["mean"] == pytest.approx(sum(wanted["animation"]) / len(wanted["animation"]), abs=1)
        assert told["animation_error_ns"]["p95"] == pytest.approx(quantile(wanted["animation"], 0.95), abs=1)
        assert told["animation_error_ns"]["max"] == max(wanted["animation"])


def frames_of(host, path):
    return json.loads(host.dejank("trace", "read", "--json", path).stdout)["frames"]


# ---- the tests

def test_planted_presents(host, triage, tmp_path):
    planted = Planted()
    plant(planted, "TX - com.example.game/Main#12", 1000)
    plant(planted, "TX - StatusBar#4", 1004)
    path = planted.write(tmp_path / "planted.pftrace")
    told = presents(triage, path)
    assert list(told) == ["TX - StatusBar#4", "TX - com.example.game/Main#12"]
    one = told["TX - com.example.game/Main#12"]
    assert one["presents"] == 60 and one["skipped_frames"] == 1
    assert one["present_to_present_ns"]["count"] == 58, "the pause belongs to no step"
    assert one["late_by_refreshes"] == [6, 0, 1, 0] and one["presents_late"] == 7 and one["repeated_refreshes"] == 6 + 3
    wanted = naive(frames_of(host, path), PERIOD)
    agrees(one, wanted["TX - com.example.game/Main#12"])
    agrees(told["TX - StatusBar#4"], wanted["TX - StatusBar#4"])
    pacing = [abs(step - round(step / PERIOD) * PERIOD) for step in wanted["TX - com.example.game/Main#12"]["steps"]]
    assert one["pacing_error_ns"]["count"] == 58 and max(pacing) == 200_000
    assert one["pacing_error_ns"]["max"] == pytest.approx(200_000, abs=10)
    assert one["pacing_error_ns"]["mean"] == pytest.approx(sum(pacing) / 58, abs=10)
    table = triage(path, "--all")
    assert "when the display showed frames" in table and "com.example.game" in table


def test_a_frame_of_an_unknown_present_separates_its_neighbours(triage, tmp_path):
    planted = Planted()
    for index in range(20):
        at = START + index * PERIOD
        planted.frame("layer", 100 + 2 * index, 101 + 2 * index, at, at, at + 8_000_000)
        if index != 7:  # the trace lacks this frame of the display
            planted.display(101 + 2 * index, at + PERIOD, at + 2 * PERIOD)
    one = presents(triage, planted.write(tmp_path / "gap.pftrace"))["layer"]
    assert one["presents"] == 19 and one["skipped_frames"] == 0
    assert one["present_to_present_ns"]["count"] == 17 and one["present_to_present_ns"]["max"] == PERIOD


def test_a_trace_without_frames_of_the_display(triage, tmp_path):
    planted = Planted()
    for index in range(5):
        planted.frame("layer", 100 + index, 0, START + index * PERIOD, START + index * PERIOD, START + index * PERIOD + 8_000_000)
    assert presents(triage, planted.write(tmp_path / "none.pftrace")) == {}


def test_public_samples(host, triage, corpus):
    compared = 0
    for path in sorted(Path(corpus, "perfetto/synthetic").glob("*frame_timeline*")) + sorted(
            Path(corpus, "perfetto/synthetic").glob("*jank_cuj*")):
        frames = frames_of(host, path)
        if not any(one["display"] for one in frames):
            continue
        wanted = naive(frames, 1e9 / 60)
        told = presents(triage, path)
        assert set(told) == set(wanted), path
        for layer, figures in wanted.items():
            agrees(told[layer], figures)
            compared += 1
    assert compared >= 2
