"""Real, unmodified programs with and without the recorder.

Exit status, stderr and window size are the same, the windows show a picture, and the frames are recorded. The light programs
always run. DEJANK_MATRIX=1 adds the games and players (`make matrix`)."""

import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from displays import XScreen, is_same_size, wait_until
from matrix_programs import COMPARED, ENVIRONMENT, PROGRAMS

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60
STAYS_SECONDS = 1  # seconds to run after the first picture
COLOURS = 2  # a window with more colours than this shows a picture


@dataclass
class Seen:
    size: tuple
    colours: int
    status: int
    said: list


@pytest.fixture
def screen(request, build):
    """screen(DISPLAY) returns a screen that the test can inspect."""
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


# Numbers in messages differ from run to run, also without a recorder.
CHANGES = re.compile(r"0x[0-9a-f]+|[0-9]+([.,:][0-9]+)*")


def said(stderr):
    lines = [line.strip() for line in stderr.splitlines() if not line.startswith("dejank record: ")]
    return sorted({CHANGES.sub("N", line) for line in lines if line})


def watch(process, screen):
    """The picture that a program shows a second after its first one, and its status and stderr after SIGTERM."""
    shown = []

    def shows_something():
        assert process.poll() is None, process.communicate()
        shown[:] = screen.largest() or []
        return shown and shown[1] > COLOURS

    try:
        wait_until(shows_something, SECONDS, "picture")
        time.sleep(STAYS_SECONDS)
        # Waits for a picture again: the rotating triangle of weston-simple-egl is invisible from its edge.
        wait_until(shows_something, SECONDS, "picture after a while")
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            _, stderr = process.communicate(timeout=SECONDS)
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
    # The first run is not compared: programs write settings and caches, and print messages about them.
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


def rows_of(text):
    """The cells of the table that tools/matrix printed."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def run_tool(build, *words):
    return subprocess.run([ROOT / "tools/matrix", build, *words], capture_output=True, text=True, timeout=300, check=False)


def test_the_document_has_a_row_for_each_program():
    text = (ROOT / "docs/hooks.md").read_text(encoding="utf-8")
    table = re.search(r"<!-- The table of `make matrix` -->\n(.*)<!-- End of the table -->\n", text, re.S)[1]
    rows = rows_of(table)
    assert [row[0] for row in rows] == [app.label for app in PROGRAMS]
    assert [row[0] for row in rows if row[2] in ("failed", "not installed")] == []
    assert [row[0] for row in rows if row[2] == "none" and not row[6]] == [], "a program is not recorded without a reason"


def test_the_tool_prints_what_was_recorded(build):
    if not shutil.which("glxgears") or not (build / "tests/programs/look").exists():
        pytest.skip("glxgears is not installed, or look was not built: tools/deps tests")
    before = (ROOT / "docs/hooks.md").read_bytes()
    done = run_tool(build, "glxgears")
    assert done.returncode == 0, done.stderr
    assert [row[:3] for row in rows_of(done.stdout)] == [["glxgears", "X11", "OpenGL (GLX)"]]
    assert (ROOT / "docs/hooks.md").read_bytes() == before, "only a run of all programs changes the document"


def test_the_tool_knows_its_programs(build):
    if not (build / "tests/programs/look").exists():
        pytest.skip("look was not built: tools/deps tests")
    done = run_tool(build, "glxgear")
    assert done.returncode == 1
    assert "no program 'glxgear'; expected one of:" in done.stderr
