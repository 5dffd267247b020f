"""Findings from framestats columns, tied to the causes in a trace of the same frames."""
import json
import os
import subprocess
from pathlib import Path

import pytest

HEAD = """Applications Graphics Acceleration Info:

** Graphics info for pid 16287 [frameloop] **

---PROFILEDATA---
Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,PerformTraversalsStart,\
DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,QueueBufferDuration,
""".replace("\\\n", "")


@pytest.fixture
def loop():
    """The trace of a loop of frames. Each frame with index % 7 == 6 spends 22 ms in its section "layout"."""
    corpus = os.environ.get("DEJANK_CORPUS")
    if corpus is None:
        pytest.skip("DEJANK_CORPUS is not set")
    return Path(corpus) / "ftrace/frameloop_ftrace.txt"


def dejank(build, *words):
    return subprocess.run([build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=60, check=False)


def rows_of(trace):
    """The rows that hwui would write for the loop's frames: layout is between PerformTraversalsStart and DrawStart."""
    slices = trace["slices"]
    for frame in (one for one in slices if one["name"].startswith("frame ")):
        inside = {one["name"]: one for one in slices
                  if one["tid"] == frame["tid"] and frame["start_ns"] <= one["start_ns"] and one["end_ns"] <= frame["end_ns"]}
        at = frame["start_ns"]
        layout = inside["layout"]
        stamps = [at, at, 2**63 - 1, 0, at, at, layout["start_ns"], layout["end_ns"]] + [layout["end_ns"] + i for i in range(4)]
        yield ",".join(map(str, [0, *stamps, frame["end_ns"], 0, 0, ""]))


def test_a_finding_of_columns_is_tied_to_the_cause_the_trace_shows(build, loop, tmp_path):
    trace = json.loads(dejank(build, "trace", "read", loop, "--json").stdout)
    dump = tmp_path / "dump.txt"
    dump.write_text(HEAD + "\n".join(rows_of(trace)) + "\n---PROFILEDATA---\n")
    done = dejank(build, "trace", "triage", "--frames", dump, loop, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["frames"]["from"] == "gfxinfo"
    found = {one["finding"]: one for one in told["findings"]}["layout-in-motion"]
    cause = told["causes"][found["causes"][0]["rank"] - 1]
    assert (cause["kind"], cause["name"]) == ("own-work", "layout")
    assert 15 <= found["causes"][0]["frames"] <= found["frames"] <= found["rows"]
    shown = dejank(build, "trace", "triage", "--all", "--frames", dump, loop).stdout
    assert "findings in framestats for the same frames" in shown
