"""Real programs, unmodified, with the recorder and without: they end the same, say the same on stderr, show a window of the same
size with something in it, and their frames are recorded. The light ones run always; DEJANK_MATRIX=1 adds the games and players
(`make matrix`), and DEJANK_MATRIX_TABLE names a file for the table of what was seen."""

import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field

import pytest

from displays import XServer, is_same_size, wait_until

SECONDS = 60
STAYS_SECONDS = 1  # after its first picture
COLOURS = 2  # more than these is a picture
GAMES = "/usr/games"

QML = """import QtQuick 2.15
Rectangle {
    width: 320; height: 240; color: "steelblue"
    Rectangle {
        width: 60; height: 60; color: "gold"
        NumberAnimation on x { from: 0; to: 260; duration: 900; loops: Animation.Infinite }
    }
    Rectangle { y: 180; width: 320; height: 30; color: "tomato" }
}
"""
QML_WINDOW = QML.replace("Rectangle {", "import QtQuick.Window 2.15\nWindow {\n    visible: true; title: \"a window\"", 1)
LOVE = """
function love.load() love.window.setTitle("a game") end
function love.draw() love.graphics.setColor(1, 0.5, 0.1) love.graphics.circle("fill", 200, 200, 99) love.graphics.print("dejank") end
"""
SUPERTUX = "(supertux-config (fullscreen #f) (window_size 640 480) (sound_enabled #f) (music_enabled #f))\n"


@dataclass
class App:
    program: str
    command: str
    display: str = "x11"
    big: bool = False
    sized: bool = True  # False: the size is its own, and another each time
    files: dict = field(default_factory=dict)
    environment: dict = field(default_factory=dict)

    @property
    def name(self):
        return self.program + ("" if self.display == "x11" or "wayland" in self.program else " on wayland")


SOFT_SDL = {"SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null"}
APPS = [
    App("glxgears", "glxgears"),
    App("es2gears_x11", "es2gears_x11"),
    App("es2gears_wayland", "es2gears_wayland", "wayland"),
    App("weston-simple-egl", "weston-simple-egl", "wayland"),
    App("vkcube", "vkcube"),
    App("vkcube-wayland", "vkcube-wayland", "wayland"),
    App("gtk3-widget-factory", "gtk3-widget-factory", big=True),
    App("gtk4-demo", "gtk4-demo --run=gears"),
    App("gnome-calculator", "gnome-calculator"),
    App("qml", "qml window.qml", files={"window.qml": QML_WINDOW}),
    App("qmlscene", "qmlscene scene.qml", files={"scene.qml": QML}),
    App("love", "love game", files={"game/main.lua": LOVE}, environment=SOFT_SDL),
    App("mpv", "mpv --no-config --vo=gpu --gpu-sw --no-audio --no-terminal av://lavfi:testsrc=size=320x240:rate=30", big=True),
    App("glmark2-es2", "glmark2-es2 -s 320x240 -b build:duration=60", big=True),
    App("glmark2-es2-wayland", "glmark2-es2-wayland -s 320x240 -b build:duration=60", "wayland", big=True),
    App("neverball", "neverball", big=True, files={".neverball/neverballrc": "width 320\nheight 240\n"}, environment=SOFT_SDL),
    App("supertux2", "supertux2 --window --geometry 640x480 --disable-sound --disable-music", big=True, environment=SOFT_SDL),
    App("minetest", "minetest", big=True, environment=SOFT_SDL),
    App("etr", "etr", big=True, environment=SOFT_SDL),
]


@dataclass
class Seen:
    size: tuple
    colours: int
    status: int
    said: list


class XScreen:
    """An X display for one program: no other window is there."""

    def __init__(self, look):
        self.look, self.server = look, XServer("1920x1200")
        self.environment = self.server.environment

    def largest(self):
        words = subprocess.run([self.look], env={**os.environ, **self.environment}, capture_output=True, text=True,
                               timeout=SECONDS, check=True).stdout.split()
        return ((int(words[0]), int(words[1])), int(words[2])) if words else None

    def close(self):
        self.server.close()


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


def prepare(app, home):
    home.mkdir(exist_ok=True)
    for name, text in app.files.items():
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def environment_of(app, recorder, screen, home):
    ours = {key: value for key, value in recorder.environment.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**ours, "PATH": f"{os.environ['PATH']}:{GAMES}", "HOME": str(home), "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
            "NO_AT_BRIDGE": "1", "LC_ALL": "C.UTF-8", **screen.environment, **app.environment}


def sums(text):
    frames = sum(map(int, re.findall(r"^Total frames rendered: (\d+)$", text, re.M)))
    pipelines = sorted(set(re.findall(r"^Pipeline=(.*)$", text, re.M)))
    titles = sorted(set(re.findall(r"^\t[^/]*/(.*)@[0-9a-f]+ \(visibility", text, re.M)))
    return frames, pipelines, titles


def note_in_table(app, plain, frames, pipelines, titles):
    table = os.environ.get("DEJANK_MATRIX_TABLE")
    if table:
        with open(table, "a", encoding="utf-8") as file:
            file.write(f"| {app.name} | {', '.join(pipelines)} | {frames} | {plain.size[0]} × {plain.size[1]} | "
                       f"{', '.join(titles)} |\n")


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_a_program_is_the_same_with_the_recorder(recorder, screen, tmp_path, app):
    if app.big and not os.environ.get("DEJANK_MATRIX"):
        pytest.skip("heavy: make matrix")
    if not shutil.which(app.program, path=f"{os.environ['PATH']}:{GAMES}"):
        pytest.skip(f"{app.program} is not installed")
    place = screen(app.display)
    seen = []
    # The first run is not looked at: programs write settings and caches, and say so.
    for number, prefix in enumerate((["env"], ["env"], recorder.command("app"))):
        home = tmp_path / "home"
        prepare(app, home)
        process = subprocess.Popen([*prefix, *app.command.split()], env=environment_of(app, recorder, place, home), cwd=home,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seen.append(watch(process, place))
        wait_until(lambda: not place.largest(), SECONDS, f"empty screen after run {number}")
    _, plain, recorded = seen
    assert (recorded.status, recorded.said) == (plain.status, plain.said)
    assert is_same_size(recorded.size, plain.size), (recorded.size, plain.size)
    assert min(plain.colours, recorded.colours) > COLOURS
    frames, pipelines, titles = sums(recorder.dumpsys("gfxinfo", "app").stdout)
    assert frames > 0
    note_in_table(app, plain, frames, pipelines, titles)
