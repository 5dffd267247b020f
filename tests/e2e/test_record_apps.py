"""Real programs look and end the same with the recorder as without it."""

import os
import re
import shutil
import signal
import subprocess

import pytest

from displays import XServer, wait_until

SECONDS = 60
FRAMES = re.compile(r"^Total frames rendered: (\d+)$", re.M)

APPS = [
    ("glxgears", "glxgears"),
    ("es2gears_x11", "es2gears_x11"),
    ("/usr/games/etr", "/usr/games/etr"),
    ("gtk4-demo", "gtk4-demo --run=gears"),
]


@pytest.fixture
def display():
    """A display for one program: no other window is there."""
    server = XServer()
    yield server
    server.close()


class Screen:
    """What can be seen on the display."""

    def __init__(self, look, environment):
        self.look, self.environment = look, environment

    def largest(self):
        """(size, colours) of the largest window, None where there is none."""
        words = subprocess.run([self.look], env={**os.environ, **self.environment}, capture_output=True, text=True,
                               timeout=SECONDS, check=True).stdout.split()
        return ((int(words[0]), int(words[1])), int(words[2])) if words else None


def look_at(process, screen):
    """Size of the program's window once it shows more than two colours; how the program then ends of SIGTERM."""
    seen = [None]

    def shows_something():
        assert process.poll() is None, process.communicate()
        seen[0] = screen.largest()
        return seen[0] and seen[0][1] > 2

    try:
        wait_until(shows_something, SECONDS, "picture")
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    return seen[0][0], process.returncode


@pytest.mark.parametrize("program, command", APPS, ids=[app[0].split("/")[-1] for app in APPS])
def test_a_program_looks_and_ends_the_same_with_the_recorder(recorder, build, display, tmp_path, program, command):
    look = build / "tests/programs/look"
    for needed in (program, look):
        if not shutil.which(needed):
            pytest.skip(f"{needed} is not there")
    environment = {**display.environment, "HOME": str(tmp_path), "SDL_AUDIODRIVER": "dummy", "GTK_A11Y": "none",
                   "GSETTINGS_BACKEND": "memory"}
    plain = subprocess.Popen(command.split(), env={**recorder.environment, **environment}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    screen = Screen(look, environment)
    expected = look_at(plain, screen)
    wait_until(lambda: not screen.largest(), SECONDS, "empty screen")
    assert look_at(recorder.start("app", *command.split(), environment=environment), screen) == expected
    assert int(FRAMES.search(recorder.dumpsys("gfxinfo", "app").stdout)[1]) > 0
