"""Records a batch of `dejank run` and replays it without its device. The runs and their figures must be the same."""

import pytest

from android.app import Frames
from test_run import Run

PACKAGE = "com.example.app"


def told(run):
    """Outcome and figures of each run."""
    return run.ask("SELECT number, attempt, outcome, frames, rows, guide_total_p50_ns FROM runs JOIN windows ON windows.run_id = runs.id "
                   "JOIN metrics ON metrics.window_id = windows.id WHERE ordinal = 0 ORDER BY runs.id")


@pytest.mark.parametrize("words", [("--for", "1s"), ("--gesture", "swipe 500,1500 500,500 300ms")], ids=["rows", "gesture"])
def test_runs_come_out_as_they_were_recorded(host, android, tmp_path, words):
    phone = android(release="12")
    phone.install(PACKAGE, frames=Frames(tuple(6.0 + 0.37 * i for i in range(31)), hz=24.0))  # gfxinfo has 120 rows: 5 s
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    more = ("--package", PACKAGE, *words, "-n", "2", "--warmup", "0", "--retries", "0", "--settle", "300ms")
    recorded, replayed = Run(host, tmp_path / "a"), Run(host, tmp_path / "b")
    recorded("--device", phone.serial, "--record-replay", tmp_path / "device", *more)
    phone.unplug()
    replayed("--device", f"replay:{tmp_path / 'device'}", *more)
    was, now = told(recorded), told(replayed)
    assert [row[:3] for row in now] == [row[:3] for row in was] == [(1, 1, "ok"), (2, 1, "ok")]
    assert now == was
