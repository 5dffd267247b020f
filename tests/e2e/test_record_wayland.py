"""Wayland: presentation times, intervals and titles that dejank reads from the app's own connection to the compositor."""

import re
import shutil
import signal
import time

import pytest

from displays import wait_until
from wayland_proxy import WaylandProxy

RELEASE = "13"  # the first release with DisplayPresentTime in its rows
CLOCK_PROCESS_CPUTIME_ID = 2


@pytest.fixture
def scene(build):
    program = build / "tests/programs/scene"
    if not program.exists():
        pytest.skip("the scene program was not built: tools/deps tests")
    return program


def dump(recorder):
    return recorder.dumpsys("gfxinfo", "app", "framestats", "--release", RELEASE).stdout


def rows_of(text):
    blocks = re.findall(r"---PROFILEDATA---\n(.*?)---PROFILEDATA---", text, re.S)
    lines = [line.rstrip(",").split(",") for block in blocks for line in block.splitlines()]
    return [dict(zip(lines[0], map(int, line))) for line in lines if line[0] != "Flags"]


def seen(rows):
    """Rows with a known presentation time. In the other rows, DisplayPresentTime repeats the stamp before it."""
    return [row for row in rows if row["DisplayPresentTime"] != row["FrameCompleted"]]


def interval(text):
    return re.search(r"^Note: frame interval: (.*)$", text, re.M)[1]


def check_seen(rows):
    """Checks presentation times: after SyncQueued, in order, and rarely more than 200 ms after FrameCompleted.
    Up to six rows may have none. The first frame comes before the compositor announces wp_presentation, and the test does not
    wait for the last presentation."""
    told = seen(rows)
    assert len(told) >= len(rows) - 6
    assert all(row["DisplayPresentTime"] > row["SyncQueued"] for row in told)
    times = [row["DisplayPresentTime"] for row in told]
    assert times == sorted(times)
    late = [row for row in told if row["DisplayPresentTime"] - row["FrameCompleted"] > 200_000_000]
    assert len(late) <= len(told) // 10


def run_scene(recorder, scene, environment, *options):
    result = recorder.run("app", scene, "--display", "wayland", "--work", "2", "--frames", "60", *options, environment=environment)
    assert (result.returncode, result.stderr) == (0, "")


def test_presentation_interval_and_title_of_a_program_that_requested_neither(recorder, scene, weston):
    run_scene(recorder, scene, weston.environment)
    text = dump(recorder)
    rows = rows_of(text)
    assert len(rows) == 60
    check_seen(rows)
    assert interval(text) == "16666666ns"
    assert "\n\tapp:scene/a scene@" in text or "\n\tapp/a scene@" in text


def test_a_connection_that_the_app_closes_and_opens_again(recorder, scene, weston):
    run_scene(recorder, scene, weston.environment, "--frames", "30", "--again", "12")
    text = recorder.dumpsys("gfxinfo", "app", "framestats", "--release", RELEASE).stdout
    assert int(re.search(r"Total frames rendered: (\d+)", text)[1]) == 13 * 30
    assert len(seen(rows_of(text))) > 0


@pytest.fixture
def twin(weston):
    """twin(OPTION=…) starts a proxy in front of Weston. It differs from Weston only in the given options."""
    proxies = []

    def make(**options):
        proxies.append(WaylandProxy(weston.environment, **options))
        return proxies[-1]

    yield make
    for proxy in proxies:
        proxy.close()


def test_the_twin_compositor_is_as_good_as_the_real_one(recorder, scene, twin):
    proxy = twin()
    run_scene(recorder, scene, proxy.environment)
    check_seen(rows_of(dump(recorder)))
    assert proxy.bound.count("wp_presentation") == 1


def test_a_compositor_without_presentation_tells_the_outputs_mode(recorder, scene, twin):
    proxy = twin(hidden=["wp_presentation"])
    run_scene(recorder, scene, proxy.environment)
    text = dump(recorder)
    assert len(rows_of(text)) == 60
    assert not seen(rows_of(text))
    assert interval(text) == "16666666ns"
    assert proxy.bound.count("wl_output") == 1


def test_a_compositor_that_tells_nothing(recorder, scene, twin):
    run_scene(recorder, scene, twin(hidden=["wp_presentation", "wl_output"]).environment)
    text = dump(recorder)
    assert len(rows_of(text)) == 60
    assert not seen(rows_of(text))
    assert interval(text) == "16666666ns (assumed)"


@pytest.mark.parametrize("clock", [CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_REALTIME, 0x7FFFFFFF, 0xFFFFFFFF])
def test_times_of_a_clock_that_they_cannot_be_of_are_unknown(recorder, scene, twin, clock):
    run_scene(recorder, scene, twin(clock=clock).environment)
    text = dump(recorder)
    assert len(rows_of(text)) == 60
    assert not seen(rows_of(text))
    assert interval(text) == "16666666ns", "the refresh rate is on no clock"


APPS = [("weston-simple-egl", "simple-egl"), ("es2gears_wayland", "es2gears")]


def run_app(recorder, program, environment, least=60):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    process = recorder.start("app", program, environment=environment)
    try:
        wait_until(lambda: process.poll() is not None or len(rows_of(dump(recorder))) >= least, 60, "frames")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return dump(recorder)


@pytest.mark.parametrize("program, title", APPS)
def test_real_programs_on_weston(recorder, weston, program, title):
    text = run_app(recorder, program, weston.environment)
    check_seen(rows_of(text))
    assert interval(text) == "16666666ns"
    assert f"/{title}@" in text


@pytest.mark.parametrize("program, title", APPS)
def test_real_programs_on_sway(recorder, sway, program, title):
    """wlroots 0.15 sends no presentation feedback for a headless output, and these programs bind no output."""
    text = run_app(recorder, program, sway.environment, least=30)
    assert interval(text) == "16666666ns (assumed)"
    assert f"/{title}@" in text


def test_the_outputs_of_a_program_tell_the_rate_and_stay_its_own(recorder, scene, sway):
    """wlroots names each output object of a client in wl_surface.enter. The scene fails if one of them is not its own."""
    run_scene(recorder, scene, sway.environment)
    assert interval(dump(recorder)) == "13333333ns"
