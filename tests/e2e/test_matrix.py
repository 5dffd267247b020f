"""Real programs, unmodified, with the recorder and without: they end the same, say the same on stderr, show a window of the same
size with something in it, and their frames are recorded. The light ones run always; DEJANK_MATRIX=1 adds the games and players
(`make matrix`)."""

import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

import pytest

from displays import XScreen, is_same_size, wait_until
from matrix_programs import COMPARED, ENVIRONMENT

SECONDS = 60
STAYS_SECONDS = 1  # after its first picture
COLOURS = 2  # more than these is a picture


@dataclass
class Seen:
    size: tuple
    colours: int
    status: int
    said: list


@pytest.fixture
def screen(request, build):
    """screen(DISPLAY): where a program can be looked at."""
    opened = []

    def open_screen(display):
        if display == "wayland":
            return request.getfixturevalue("sway")
        if not (build / "tests/programs/look").exists():
            pytest.skip("look was not built: tools/deps tests")
        opened.append(XScreen(build / "tests/programs/look"))
        return opened[-1]

    yield open_screen
    for one in opened:
        one.close()


# What differs from run to run without any recorder: numbers, and how often a thing is said.
CHANGES = re.compile(r"0x[0-9a-f]+|[0-9]+([.,:][0-9]+)*")


def said(stderr):
    lines = [line.strip() for line in stderr.splitlines() if not line.startswith("dejank record: ")]
    return sorted({CHANGES.sub("N", line) for line in lines if line})


def watch(process, screen):
    """What a program shows a while after its first picture, and how it then ends of SIGTERM."""
    shown = []

    def shows_something():
        assert process.poll() is None, process.communicate()
        shown[:] = screen.largest() or []
        return shown and shown[1] > COLOURS

    try:
        wait_until(shows_something, SECONDS, "picture")
        time.sleep(STAYS_SECONDS)
        shows_something()
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            _, stderr = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            _, stderr = process.communicate()
    return Seen(shown[0], shown[1], process.returncode, said(stderr))


def environment_of(app, recorder, screen, home):
    ours = {key: value for key, value in recorder.environment.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**ours, **ENVIRONMENT, "HOME": str(home), **screen.environment, **app.environment}


@pytest.mark.parametrize("app", COMPARED, ids=lambda app: app.name)
def test_a_program_is_the_same_with_the_recorder(recorder, screen, tmp_path, app):
    if app.big and not os.environ.get("DEJANK_MATRIX"):
        pytest.skip("heavy: make matrix")
    if not shutil.which(app.program, path=ENVIRONMENT["PATH"]):
        pytest.skip(f"{app.program} is not installed")
    place = screen(app.display)
    seen = []
    # The first run is not looked at: programs write settings and caches, and say so.
    for number, prefix in enumerate((["env"], ["env"], recorder.command("app"))):
        home = tmp_path / "home"
        app.write_files(home)
        process = subprocess.Popen([*prefix, *app.command.split()], env=environment_of(app, recorder, place, home), cwd=home,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen.append(watch(process, place))
        wait_until(lambda: not place.largest(), SECONDS, f"empty screen after run {number}")
    _, plain, recorded = seen
    assert (recorded.status, recorded.said) == (plain.status, plain.said)
    assert is_same_size(recorded.size, plain.size), (recorded.size, plain.size)
    assert min(plain.colours, recorded.colours) > COLOURS
    text = recorder.dumpsys("gfxinfo", "app").stdout
    assert sum(map(int, re.findall(r"^Total frames rendered: (\d+)$", text, re.M))) > 0
