"""Records unmodified programs with known frames, and compares the recording with these frames."""

import itertools
import os
import signal
import time

import pytest

from displays import wait_until
from recorded import truth_of
from timed import Disturbed, timed

INTERVAL_MS = 1000 / 60
# A frame may exceed the time that the scene measures by this much: the time from the tick, or from the last swap, to its work.
SLACK_MS = 2
# If the display throttles the scene, most of a swap is waiting. The rest of the swap takes far less than this.
THROTTLED_SWAP_MS = 3
names = (f"planted{number}" for number in itertools.count())


@pytest.fixture
def scene(build):
    program = build / "tests/programs/scene"
    if not program.exists():
        pytest.skip("the scene program was not built: tools/deps tests")
    return program


def run_scene(recorder, scene, display, *options, kind="x11", extra_ms=0):
    """Records a scene. Returns the recording, and the minimum and maximum time of each frame in ms."""
    name = next(names)
    result = recorder.run(name, scene, "--display", kind, *options, environment=display.environment)
    assert result.returncode == 0, result.stderr
    truth = truth_of(result.stdout)
    stretched = [frame for frame in truth if frame.work_ms > frame.planned_ms + extra_ms + 1.5]
    if len(stretched) > len(truth) // 10:
        raise Disturbed
    recorded = recorder.read(name)
    assert recorded.total == len(truth)
    return recorded, [(frame.work_ms, most_ms(frame, kind)) for frame in truth]


def most_ms(frame, kind):
    return frame.work_ms + (THROTTLED_SWAP_MS if kind == "wayland" else frame.swap_ms + SLACK_MS)


def check_against_truth(recorded, truth):
    """Checks that each row takes as long as the work of its frame, and little longer. The rows are those of the last frames. The
    scene may be preempted while it does not measure, which stretches a few rows. No row may be shorter, except the first row of the
    recording: the render thread may not have existed yet when the main thread began to work for it."""
    pairs = list(zip(recorded.rows, truth[len(truth) - len(recorded.rows):]))
    short = [(row.frame_ms, least) for row, (least, _) in pairs if row.frame_ms < least and row.flags == 0]
    long = [(row.frame_ms, most) for row, (_, most) in pairs if row.frame_ms > most]
    assert not short
    assert len(long) <= len(pairs) // 10, long


def could_be_late(truth):
    return late_frames([most for _, most in truth])


def child_of(process):
    """The process id of the program that this `dejank record` runs."""
    children = f"/proc/{process.pid}/task/{process.pid}/children"
    wait_until(lambda: open(children).read().strip(), 10, "child process")
    return int(open(children).read())


def next_frame(process):
    """Waits until the scene has done the work of its next frame."""
    while not process.stdout.readline().startswith("frame "):
        assert process.poll() is None


def late_frames(times):
    return {index for index, ms in enumerate(times) if ms > INTERVAL_MS}


@timed
def test_early_frames_wait_for_the_display_and_are_not_janky(recorder, scene, weston):
    recorded, truth = run_scene(recorder, scene, weston, "--work", "8", "--frames", "360", kind="wayland")
    check_against_truth(recorded, truth)
    # Allows one frame in a hundred, the first frame with its start-up, and a swap that a busy machine stretches.
    assert recorded.janky <= len(truth) // 100 + 2 + len(could_be_late(truth))
    assert 8 <= recorded.frame_ms(0.5) <= 11
    waited = sorted(row.total_ms for row in recorded.rows)
    assert waited[len(waited) // 2] > 15, "the display did not throttle: the test proves nothing"


@pytest.mark.parametrize("kind", ["wayland", "x11"])
@timed
def test_late_frames_are_found_and_no_others(recorder, scene, weston, x_server, kind):
    display = weston if kind == "wayland" else x_server
    pace = [] if kind == "wayland" else ["--pace", "16.667"]
    recorded, truth = run_scene(recorder, scene, display, "--work", "8", "--late-every", "7", "--late", "22",
                                "--frames", "119", *pace, kind=kind)
    check_against_truth(recorded, truth)
    found = late_frames([row.frame_ms for row in recorded.rows])
    planted = set(range(6, 119, 7))
    assert planted <= found
    extra = found - planted - could_be_late(truth) - {0}  # the first frame includes the start-up
    assert len(extra) <= 2, "more than a busy machine's share"


@timed
def test_a_display_that_stalls_is_not_hidden_as_waiting(recorder, scene, weston):
    name = next(names)
    process = recorder.start(name, scene, "--display", "wayland", "--work", "8", "--frames", "119",
                             environment=weston.environment)
    for _ in range(3):
        for _ in range(20):
            next_frame(process)
        weston.signal(signal.SIGSTOP)
        time.sleep(0.1)
        weston.signal(signal.SIGCONT)
    process.communicate(timeout=30)
    recorded = recorder.read(name)
    frozen = [row.frame_ms for row in recorded.rows[1:] if row.frame_ms >= 80]
    assert len(frozen) == 3, [round(row.frame_ms, 1) for row in recorded.rows]


@pytest.mark.parametrize("request_kind", ["x", "socket"])
@timed
def test_a_reply_awaited_in_mid_frame_is_part_of_the_frame(recorder, scene, x_server, request_kind):
    recorded, truth = run_scene(recorder, scene, x_server, "--work", "8", "--pace", "25", "--request", request_kind,
                                "--request-ms", "3", "--frames", "100", extra_ms=5)
    check_against_truth(recorded, truth)
    assert 11 <= recorded.frame_ms(0.5) <= 14


@pytest.mark.parametrize("kind", ["wayland", "x11"])
@timed
def test_a_reply_is_part_of_the_frame_also_where_nothing_but_swap_waits(recorder, scene, weston, x_server, kind):
    """The compositor throttles the scene, or nothing does. The reply is the only wait outside swap, but it does not start a frame."""
    display = weston if kind == "wayland" else x_server
    recorded, truth = run_scene(recorder, scene, display, "--work", "8", "--request", "socket", "--request-ms", "3",
                                "--frames", "100", kind=kind, extra_ms=5)
    check_against_truth(recorded, truth)
    assert 11 <= recorded.frame_ms(0.5) <= 14


@timed
def test_work_after_a_reply_counts_too(recorder, scene, x_server):
    recorded, truth = run_scene(recorder, scene, x_server, "--work", "4", "--after", "4", "--pace", "25",
                                "--request", "socket", "--request-ms", "3", "--frames", "100", extra_ms=8)
    check_against_truth(recorded, truth)


@pytest.mark.parametrize("pace", [["--pace", "16.667"], []], ids=["paced", "saturated"])
@pytest.mark.parametrize("wake", ["cond", "barrier", "pipe", "eventfd"])
@timed
def test_a_frame_drawn_by_another_thread_starts_where_its_waker_woke(recorder, scene, x_server, wake, pace):
    recorded, truth = run_scene(recorder, scene, x_server, "--work", "8", "--thread", wake, "--frames", "100", *pace)
    check_against_truth(recorded, truth)


@timed
def test_idle_time_belongs_to_no_frame(recorder, scene, x_server):
    recorded, truth = run_scene(recorder, scene, x_server, "--work", "8", "--pace", "16.667", "--burst", "30",
                                "--idle", "5000", "--frames", "119")
    check_against_truth(recorded, truth)
    assert max(row.frame_ms for row in recorded.rows) < 1000
    assert recorded.janky <= 1 + len(could_be_late(truth))


@timed
def test_thousands_of_frames_a_second_are_all_counted_and_read(recorder, scene, x_server):
    name = next(names)
    process = recorder.start(name, scene, "--frames", "20000", "--no-end", environment=x_server.environment)
    try:
        wait_until(lambda: recorder.dumpsys("gfxinfo", name).stdout.count("Total frames") > 0, 20, "first frame")
        collected = recorder.dejank("collect", "--device", "local:", "--package", name, "--for", "1s")
        assert collected.returncode == 0, collected.stderr
        assert collected.stdout.count("\n0,") > 120
        while process.stdout.readline() != "done\n":
            pass
        recorded = recorder.read(name)
        assert recorded.total == 20000
        assert "were not recorded" not in recorded.text
        assert recorded.janky_pct <= 0.1 + 100 * 10 / 20000
    finally:
        process.terminate()
        process.communicate(timeout=10)


def test_a_killed_program_leaves_all_its_frames(recorder, scene, x_server):
    process = recorder.start("planted", scene, "--work", "8", "--pace", "16.667", "--frames", "1000",
                             environment=x_server.environment)
    seen = 60
    for _ in range(seen):
        next_frame(process)
    os.kill(child_of(process), signal.SIGKILL)
    output, _ = process.communicate(timeout=10)
    assert process.returncode == -signal.SIGKILL
    worked = seen + output.count("frame ")
    recorded = recorder.read("planted")
    assert worked - 1 <= recorded.total <= worked  # the last frame may have done its work but not its swap
    assert len(recorded.rows) == recorded.total
    assert recorded.text.rstrip().endswith("Note: process has ended")


def test_a_stopped_program_is_dumped_and_reset_without_running(recorder, scene, x_server):
    process = recorder.start("planted", scene, "--work", "2", "--pace", "16.667", "--frames", "1000",
                             environment=x_server.environment)
    child = child_of(process)
    try:
        for _ in range(40):
            next_frame(process)
        os.kill(child, signal.SIGSTOP)
        begin = time.monotonic()
        before = recorder.dumpsys("gfxinfo", "planted", "reset").stdout
        after = recorder.dumpsys("gfxinfo", "planted").stdout
        assert time.monotonic() - begin < 5
        state = open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()[0]
        assert state == "T", "the app ran in between: the test proves nothing"
        assert "Total frames rendered: 0\n" in after
        assert "Total frames rendered: 0\n" not in before and "Total frames rendered: " in before
        os.kill(child, signal.SIGCONT)
        wait_until(lambda: "Total frames rendered: 0\n" not in recorder.dumpsys("gfxinfo", "planted").stdout, 10,
                   "frame after the reset")
    finally:
        os.kill(child, signal.SIGKILL)
        process.communicate(timeout=10)
