"""The Vulkan layer on a fake driver with planted times: it must report these times or none."""

import itertools
import re
from dataclasses import dataclass

import pytest

from timed import timed

INTERVAL_MS = 1000 / 60
FRAMES = 40
names = (f"planted{number}" for number in itertools.count())
LINE = re.compile(r"^frame \d+ work_ns (\d+) acquire_ns (\d+) done_ns (\d+) begun_ns (\d+)$", re.M)


@dataclass
class Truth:
    work_ms: float
    acquire_ms: float
    gpu_done_ns: int
    begun_ns: int


@pytest.fixture
def play(recorder, build):
    """play(OPTION…): (recording of a run on the fake driver, true times of each frame)."""
    program, driver = build / "tests/programs/vulkan_planted", build / "tests/programs/fake_vulkan.json"

    def run(*options):
        name = next(names)
        result = recorder.run(name, program, "--frames", str(FRAMES), *options,
                              environment={"VK_ICD_FILENAMES": str(driver), "VK_DRIVER_FILES": str(driver)})
        assert result.returncode == 0, result.stderr
        assert result.stdout.endswith("done 1\n"), "more devices were made than the app asked for"
        truth = [Truth(int(work) / 1e6, int(acquire) / 1e6, int(done), int(begun))
                 for work, acquire, done, begun in LINE.findall(result.stdout)]
        assert len(truth) == FRAMES
        return recorder.read(name), truth

    return run


def gpu_told(text):
    histogram = re.search(r"^GPU HISTOGRAM: (.*)$", text, re.M)[1]
    return sum(int(pair.split("=")[1]) for pair in histogram.split())


def gpu_stamps(text):
    """GpuCompleted of each row, the last column. It equals FrameCompleted where it is unknown."""
    return [int(line.rstrip(",").split(",")[-1]) for line in text.splitlines() if re.fullmatch(r"(-?\d+,){17}", line)]


def check_durations(recorded, truth, hidden_ms=0):
    """A frame lasts as long as its work, hidden_ms, and the part of its wait for an image that exceeds one interval."""
    least = [frame.work_ms + max(0, frame.acquire_ms - INTERVAL_MS) + hidden_ms for frame in truth]
    pairs = list(zip(recorded.rows, least))[1:]
    assert not [(row.frame_ms, ms) for row, ms in pairs if row.frame_ms < ms - 0.1]
    assert len([1 for row, ms in pairs if row.frame_ms > ms + 1.5]) <= len(pairs) // 10, \
        [(round(row.frame_ms, 1), round(ms, 1)) for row, ms in pairs]


@timed
def test_a_true_clock_is_exact_to_the_microsecond(play):
    recorded, truth = play("--gpu", "5")
    assert gpu_told(recorded.text) == FRAMES
    off = [told - frame.gpu_done_ns for told, frame in zip(gpu_stamps(recorded.text), truth)]
    assert max(map(abs, off)) <= 1000, off


@pytest.mark.parametrize("clock", ["zero", "early", "late"])
def test_a_clock_that_lies_tells_nothing(play, clock):
    recorded, _ = play("--clock", clock)
    assert recorded.total == FRAMES
    assert gpu_told(recorded.text) == 0


@pytest.mark.parametrize("clock", ["none", "refused"])
@timed
def test_without_a_clock_a_fence_tells_where_it_was_seen_to_change(play, clock):
    """The app waits for its own fence, and the layer checks the layer's fence at that moment."""
    recorded, truth = play("--clock", clock, "--wait-gpu", "1")
    pairs = [(told, frame.gpu_done_ns) for told, frame, row in zip(gpu_stamps(recorded.text), truth, recorded.rows)
             if told != row.completed_ns]
    assert gpu_told(recorded.text) == len(pairs) >= FRAMES * 3 // 4
    off = [told - done for told, done in pairs]
    assert min(off) >= -1000, off
    assert len([ns for ns in off if ns > 500_000]) <= len(off) // 10, off
    vague, _ = play("--clock", clock)
    assert gpu_told(vague.text) <= FRAMES // 10, "nobody looked in time: it must not be told"


def test_what_another_queue_drew_is_unknown(play):
    recorded, _ = play("--other-queue", "1")
    assert recorded.total == FRAMES
    assert gpu_told(recorded.text) == 0


@pytest.mark.parametrize("place", [[], ["--after-work", "1"], ["--after-work", "1", "--thread", "1"], ["--thread", "1"]],
                         ids=["first", "after-work", "after-work-other-thread", "first-other-thread"])
@pytest.mark.parametrize("wait", ["0", "12", "60"])
@timed
def test_waiting_for_an_image_takes_at_most_one_interval_out(play, place, wait):
    recorded, truth = play("--work", "6", "--acquire", wait, *place)
    check_durations(recorded, truth)


@pytest.mark.parametrize("wait", [12, 60])
@timed
def test_waiting_within_present_takes_at_most_one_interval_out(play, wait):
    recorded, truth = play("--work", "6", "--present", str(wait))
    check_durations(recorded, truth, max(0, wait - INTERVAL_MS))


@pytest.mark.parametrize("ask", ["0", "1"], ids=["results-not-asked-for", "results-asked-for"])
def test_of_several_swapchains_those_that_were_shown_have_a_frame(play, ask):
    recorded, _ = play("--windows", "3", "--fail-every", "4", "--ask-results", ask)
    failed = FRAMES // 4
    assert recorded.total == 3 * FRAMES - failed
    rows = re.findall(r"^Total frames rendered: (\d+)$", recorded.text, re.M)
    assert sorted(map(int, rows[1:])) == [FRAMES - failed, FRAMES, FRAMES]
    assert gpu_told(recorded.text) == recorded.total


@timed
def test_a_present_that_fails_is_no_frame_and_the_others_start_where_their_loop_woke(play):
    recorded, truth = play("--work", "4", "--fail-every", "4")
    assert recorded.total == len(recorded.rows) == FRAMES - FRAMES // 4
    shown = [frame for index, frame in enumerate(truth) if index % 4 != 3]
    off = [frame.begun_ns - row.start_ns for row, frame in zip(recorded.rows[1:], shown[1:])]
    assert min(off) >= 0, off
    assert len([ns for ns in off if ns > 1_000_000]) <= len(off) // 10, off
