"""dejank trace triage of a loop with known causes of jank, in several trace formats, and its errors."""

import json
import re
import os
import subprocess

import pytest
from sampled_trace import field, varint

LAYOUT_MS = 22
FRAMES = "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"


@pytest.fixture
def triage(build):
    def run(*words, code=0):
        done = subprocess.run([build / "dejank", "trace", "triage", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture
def corpus():
    place = os.environ.get("DEJANK_CORPUS")
    if not place:
        pytest.skip("DEJANK_CORPUS is not set")
    return place


def kinds(answer):
    return {(cause["kind"], cause["name"], cause["holder"]) for cause in answer["causes"]}


@pytest.mark.parametrize("file,frames", [("frameloop_ftrace.txt", 120), ("frameloop_cpu0.raw", 120), ("frameloop_v7_zstd.dat", 60)])
def test_the_known_causes_are_named(triage, corpus, file, frames):
    answer = json.loads(triage("--json", f"{corpus}/ftrace/{file}"))
    assert answer["schema"] == "dejank.triage/1"
    assert answer["frames"]["total"] == frames and answer["frames"]["incomplete"] == 0
    first, planted = answer["causes"][0], frames // 7
    assert (first["rank"], first["kind"], first["name"], first["thread"]) == (1, "own-work", "layout", "ui-main")
    assert first["frames"] == first["saved_frames"] == planted
    assert first["ms"] == pytest.approx(planted * LAYOUT_MS, rel=0.15)
    assert ("lock", "lock", "bg-lock") in kinds(answer)
    assert ("io", "save", None) in kinds(answer)
    assert any(kind == "runnable" and holder == "clang++" for kind, _, holder in kinds(answer))
    assert answer["unexplained_ms"] < 0.1 * answer["frames"]["late_ms"]


@pytest.mark.parametrize("file", ["frameloop_ftrace.txt", "frameloop_cpu0.raw", "frameloop_v7_zstd.dat"])
@pytest.mark.parametrize("budget", ["60Hz", "120Hz", "1ms"])
def test_the_figures_go_together(triage, corpus, file, budget):
    answer = json.loads(triage("--json", "--budget", budget, f"{corpus}/ftrace/{file}"))
    frames = answer["frames"]
    for cause in answer["causes"] + answer["machine"]:
        assert cause["saved_frames"] <= cause["frames"] <= frames["janky"] <= frames["total"]
        assert 0 < cause["saved_ms"] <= min(frames["late_ms"], cause["ms"] + cause.get("along_ms", 0)) + 0.01
        assert len(cause["evidence"]) == min(3, cause["frames"])
        for seen in cause["evidence"]:
            assert 0 < (seen["end_ns"] - seen["start_ns"]) / 1e6 <= seen["ms"] + 0.001
    ranks = [(-cause["saved_frames"], -cause["saved_ms"]) for cause in answer["causes"]
             if (cause["kind"], cause["name"]) not in (("io", "save"), ("own-work", "save"))]
    assert ranks == sorted(ranks)


def test_a_locks_evidence_leads_to_its_holder(triage, corpus):
    answer = json.loads(triage("--json", f"{corpus}/ftrace/frameloop_ftrace.txt"))
    lock = next(cause for cause in answer["causes"] if cause["kind"] == "lock")
    assert lock["ms"] == pytest.approx(sum(lock["holder_did"].values()), abs=0.1)
    seen = lock["evidence"][0]
    assert seen["waker"] == "bg-lock" and seen["sections"][0] == "lock" and seen["sections"][-1] == seen["frame"]
    assert seen["frame_start_ns"] < seen["start_ns"] < seen["end_ns"]


def test_the_answer_for_people(triage, corpus):
    text = triage(f"{corpus}/ftrace/frameloop_ftrace.txt")
    assert text.startswith("18 of 120 frames janky; main cause: layout ran long (17 frames)\n")
    words = " ".join(text.split())
    assert "1. `layout` ran long on thread ui-main in 17 of 18 janky frames" in words and "against a usual 2.0 ms per frame" in words
    assert "for a lock held by thread bg-lock" in words
    assert "frame 83" in text and "W own work  L lock" in text


def test_against_itself_nothing_is_worse(triage, corpus):
    file = f"{corpus}/ftrace/frameloop_ftrace.txt"
    answer = json.loads(triage("--json", "--against", file, file))
    assert answer["frames"]["janky"] == 18 and answer["causes"] == []


def test_frames_of_a_dump_are_found_in_the_trace(triage, build, corpus, tmp_path):
    file = f"{corpus}/ftrace/frameloop_ftrace.txt"
    read = subprocess.run([build / "dejank", "trace", "read", "--json", file], capture_output=True, timeout=120, check=True)
    loop = [s for s in json.loads(read.stdout)["slices"] if s["name"].startswith("frame ")]
    rows = "".join(",".join(map(str, [0, *[s["start_ns"]] * 2, 0, 0, *[s["start_ns"]] * 7, *[s["end_ns"]] * 2])) + ",\n" for s in loop)
    dump = tmp_path / "rows.txt"
    dump.write_text(f"** Graphics info for pid 16287 [app] **\n\n---PROFILEDATA---\n{FRAMES}\n{rows}---PROFILEDATA---\n")
    answer = json.loads(triage("--json", "--frames", dump, file))
    assert answer["frames"]["from"] == "gfxinfo" and answer["frames"]["total"] == 120
    assert answer["causes"][0]["name"] == "layout" and answer["causes"][0]["frames"] == 17
    assert any("CLOCK_MONOTONIC" in limit for limit in answer["limits"])


def test_what_has_no_frames_says_what_it_has(triage, corpus, tmp_path):
    file = f"{corpus}/ftrace/frameloop_ftrace.txt"
    assert "the trace has slices frame" in triage("--frames", "turn*", file, code=4)
    assert "no such" in triage(tmp_path / "missing", code=4).lower()
    assert "missing operand FILE|BATCH" in triage(code=2)
    assert "--budget" in triage("--budget", "soon", file, code=2)
    assert "16.667ms" in triage("--budget", "8.333", file, code=2)
    assert "60Hz, found '0Hz'" in triage("--budget", "0Hz", file, code=2)
    assert "--frames" in triage("--frames", "", file, code=2)


def made(lines):
    """ftrace text of a thread "ui" (11) on CPU 0: eight frames "turn", one every 40 ms, with lines(number) in each."""
    at, text = 1_000_000, ["# tracer: nop"]
    for number in range(8):
        for delay, event in ((0, "B|11|turn"), (4_000 + 9_000 * (number % 4), "E|11")):
            text += lines(number) if delay else []
            text.append(f"  ui-11 (   11) [000] ..... {(at + delay) // 1_000_000}.{(at + delay) % 1_000_000:06}: tracing_mark_write: {event}")
        at += 40_000
    return "\n".join(text) + "\n"


def test_losses_of_several_traces_are_one_limit(triage, tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(made(lambda number: ["CPU:0 [LOST 3 EVENTS]"] if number == 3 else []))
    answer = json.loads(triage("--json", "--frames", "turn", f"{tmp_path}/a", f"{tmp_path}/b"))
    assert answer["frames"]["incomplete"] == 6
    assert [limit for limit in answer["limits"] if "lost" in limit] == [
        "6 frames have lost or unrecorded events: their causes are unknown"]


def test_frames_with_one_name_are_identified_by_their_start_in_the_trace(triage, tmp_path):
    (tmp_path / "a").write_text(made(lambda number: []))
    text = triage("--frames", "turn", f"{tmp_path}/a")
    assert re.search(r"at 0\.\d+ s, 31\.0 ms +W", text) and len(set(re.findall(r"at (0\.\d+) s, ", text))) > 1


def trace_stats(service=(), buffer=()):
    """A Perfetto packet with TraceStats: counters of the tracing service, and of one buffer."""
    stats = field(1, b"".join(field(*counter) for counter in buffer)) + b"".join(field(*counter) for counter in service)
    return field(1, field(35, stats))


def worked(number):
    """Lines for made(): every second frame has a section "layout" of 3.8 or 21.8 ms, alternating."""
    at = 1_000_000 + 40_000 * number
    return [] if number % 2 else [
        f"  ui-11 (   11) [000] ..... {(at + delay) // 1_000_000}.{(at + delay) % 1_000_000:06}: tracing_mark_write: {event}"
        for delay, event in ((100, "B|11|layout"), (3_900 + 9_000 * (number % 4), "E|11"))]


@pytest.mark.parametrize("name,packet,missing", [
    ("counters of the service", trace_stats(service=[(8, 4), (9, 2)]), {"overwritten": False, "events": 0}),
    ("a ring buffer that wrapped", trace_stats(buffer=[(3, 700), (4, 9)]), {"overwritten": False, "events": 0, "overwritten_chunks": 700, "skipped_packets": 0}),
    ("a buffer that was full", trace_stats(buffer=[(18, 3)]), {"overwritten": True, "events": 3}),
])
def test_causes_are_ranked_whatever_perfettos_buffers_did_outside_the_trace(triage, build, tmp_path, name, packet, missing):
    (tmp_path / "a.txt").write_text(made(worked))
    subprocess.run([build / "dejank", "trace", "read", "-o", tmp_path / "a.pftrace", tmp_path / "a.txt"], check=True, timeout=60)
    (tmp_path / "b.pftrace").write_bytes((tmp_path / "a.pftrace").read_bytes() + packet)
    whole, other = (json.loads(triage("--json", "--frames", "turn", tmp_path / file)) for file in ("a.pftrace", "b.pftrace"))
    figures = [[(cause["kind"], cause["name"], cause["frames"], cause["ms"]) for cause in answer["causes"]] for answer in (whole, other)]
    assert figures[0] and figures[0] == figures[1], name
    assert other["frames"] == whole["frames"] and other["frames"]["incomplete"] == 0
    read = json.loads(subprocess.run([build / "dejank", "trace", "read", "--json", tmp_path / "b.pftrace"], check=True, timeout=60, capture_output=True).stdout)
    assert {key: read["missing"].get(key) for key in missing} == missing


def test_a_loss_of_unknown_place_leaves_no_frame_whole(triage, build, tmp_path):
    (tmp_path / "a.txt").write_text(made(worked))
    subprocess.run([build / "dejank", "trace", "read", "-o", tmp_path / "a.pftrace", tmp_path / "a.txt"], check=True, timeout=60)
    with open(tmp_path / "a.pftrace", "ab") as trace:
        trace.write(trace_stats(buffer=[(19, 1)]))
    answer = json.loads(triage("--json", "--frames", "turn", tmp_path / "a.pftrace"))
    assert answer["frames"]["incomplete"] == answer["frames"]["total"] and not answer["causes"]


def with_vsyncs(tmp_path, *rates):
    """A trace with frames "Choreographer#doFrame" of 13 ms and SurfaceFlinger's counter VSYNC-app, one second at each rate."""
    lines, at, value = ["# tracer: nop"], 1_000_000, 0
    for hz in rates:
        until = at + 1_000_000
        while at < until:
            lines.append(f"  surfaceflinger-5 (    5) [000] ..... {at / 1e6:.6f}: tracing_mark_write: C|5|VSYNC-app|{value}")
            if value:
                lines += [f"  ui-11 (   11) [001] ..... {(at + delay) / 1e6:.6f}: tracing_mark_write: {event}"
                          for delay, event in ((500, "B|11|Choreographer#doFrame"), (13_500, "E|11"))]
            at, value = at + round(1e6 / hz), 1 - value
        at += 500_000
    file = tmp_path / f"{'-'.join(map(str, rates))}.txt"
    file.write_text("\n".join(sorted(lines, key=lambda line: line.partition("..... ")[2])) + "\n")
    return file


def test_the_budget_follows_the_displays_rate(triage, tmp_path):
    file = with_vsyncs(tmp_path, 89.85)
    answer = json.loads(triage("--json", file))
    assert answer["frames"]["budget_ms"] == pytest.approx(11.13, abs=0.01) and answer["frames"]["budget_from"] == "VSYNC-app"
    assert answer["frames"]["janky"] == answer["frames"]["total"] > 40
    assert not any("60th" in limit for limit in answer["limits"])
    assert re.search(r"deadline +11\.13", triage(file)) and "Hz, from VSYNC-app" in triage(file)


def test_an_explicit_budget_wins(triage, tmp_path):
    answer = json.loads(triage("--json", "--budget", "60Hz", with_vsyncs(tmp_path, 90)))
    assert answer["frames"]["budget_ms"] == 16.667 and answer["frames"]["budget_from"] == "option"
    assert answer["frames"]["janky"] == 0 and "refresh" not in answer["frames"]


def test_a_rate_that_changes_is_reported(triage, tmp_path):
    answer = json.loads(triage("--json", with_vsyncs(tmp_path, 60, 120)))
    frames = answer["frames"]
    assert frames["budget_ms"] is None and [round(rate["hz"]) for rate in frames["refresh"]] == [60, 120]
    assert 0 < frames["janky"] < frames["total"]
    assert any("changes from 60.0 to 120.0 Hz" in limit for limit in answer["limits"])


def test_traces_of_several_rates_have_no_common_budget(triage, tmp_path):
    answer = json.loads(triage("--json", with_vsyncs(tmp_path, 60), with_vsyncs(tmp_path, 90)))
    assert answer["frames"]["budget_ms"] is None and len(answer["frames"]["refresh"]) == 2


def test_without_vsyncs_sixty_hertz_are_assumed(triage, tmp_path):
    (tmp_path / "a").write_text(made(lambda number: []))
    answer = json.loads(triage("--json", "--frames", "turn", tmp_path / "a"))
    assert answer["frames"]["budget_from"] == "assumed" and answer["frames"]["budget_ms"] == 16.667
