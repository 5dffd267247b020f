"""X11: window titles that programs set, and refresh rates that they read from RandR."""

import re
import shutil
import signal

import pytest

from displays import wait_until


@pytest.mark.parametrize("program, title", [("glxgears", "glxgears"), ("es2gears_x11", "es2gears")])
def test_the_title_that_the_program_gave_its_window(recorder, x_server, program, title):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    process = recorder.start("app", program, environment=x_server.environment)
    try:
        wait_until(lambda: f"/{title}@" in recorder.dumpsys("gfxinfo", "app").stdout, 30, f"title {title}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


@pytest.mark.parametrize("crtcs, interval", [
    ([], "16666666ns (assumed)"),
    (["1"], "10000000ns"),
    (["2", "2"], "20000000ns"),
    (["1", "2"], "16666666ns (assumed)"),  # it is unknown which of the two shows the window
    (["3"], "16666666ns (assumed)"),  # a mode without a clock, as in Xvfb
])
def test_the_rate_that_the_program_read_from_randr(recorder, build, crtcs, interval):
    program = build / "tests/programs/randr_app"
    if not program.exists():
        pytest.skip("randr_app was not built: tools/deps tests")
    assert recorder.run("app", program, "10", *crtcs).returncode == 0
    text = recorder.dumpsys("gfxinfo", "app").stdout
    assert re.search(r"^Note: frame interval: (.*)$", text, re.M)[1] == interval


def test_a_rate_that_the_person_named_counts_more(recorder, build):
    program = build / "tests/programs/randr_app"
    if not program.exists():
        pytest.skip("randr_app was not built: tools/deps tests")
    assert recorder.run("app", program, "10", "1", options=["--refresh", "75"]).returncode == 0
    assert "Note: frame interval: 13333333ns\n" in recorder.dumpsys("gfxinfo", "app").stdout
