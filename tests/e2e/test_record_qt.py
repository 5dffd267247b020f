"""Qt Quick 5 and 6: stages of frames, compared with the times that a test scene prints, and Qt's own programs."""

import itertools
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from displays import favoured
from recorded import without_summary
from timed import Disturbed, timed

SECONDS = 60
BURN_MS = 12
names = (f"qt{number}" for number in itertools.count())
# For each place where the scene spends time: the two stamps of a row that enclose it.
STAGES = {
    "input": ("HandleInputStart", "AnimationStart"),
    "animation": ("AnimationStart", "PerformTraversalsStart"),
    "timer": ("AnimationStart", "PerformTraversalsStart"),
    "polish": ("PerformTraversalsStart", "SyncQueued"),
    "sync": ("SyncStart", "IssueDrawCommandsStart"),
    "render": ("IssueDrawCommandsStart", "SwapBuffers"),
}
ORDER = ["IntendedVsync", "HandleInputStart", "AnimationStart", "PerformTraversalsStart", "SyncQueued", "SyncStart",
         "IssueDrawCommandsStart", "SwapBuffers", "FrameCompleted"]
LOOPS = {"threaded": {"QSG_RENDER_LOOP": "threaded"}, "basic": {"QSG_RENDER_LOOP": "basic"},
         "software": {"QT_QUICK_BACKEND": "software"}}
SCENE = """
import QtQuick 2.15
import QtQuick.Window 2.15
Window {
    width: 320; height: 240; visible: true; title: "Sc\u00e8ne \u2603"
    property int frames: 0
    Rectangle {
        width: 50; height: 50; color: "red"
        NumberAnimation on x { from: 0; to: 200; duration: 700; loops: Animation.Infinite }
    }
    onFrameSwapped: if (++frames == 60) Qt.quit()
}
"""


@pytest.fixture(params=["5", "6"], ids=["qt5", "qt6"])
def scene(request, build):
    program = build / f"tests/programs/quick{request.param}"
    if not program.exists():
        pytest.skip("the Qt programs were not built: tools/deps tests")
    return program


@pytest.fixture(params=["x11", "wayland"])
def display(request):
    return display_of(request, request.param)


@pytest.fixture
def screen(request):
    """A display for tests that do not depend on its kind."""
    return display_of(request, "x11")


def display_of(request, kind):
    if not shutil.which("Xvfb" if kind == "x11" else "weston"):
        pytest.skip(f"nothing to show a window on {kind}")
    server = request.getfixturevalue("x_server" if kind == "x11" else "weston")
    return {**server.environment, "QT_QPA_PLATFORM": "xcb" if kind == "x11" else "wayland"}


def windows_of(text):
    """The framestats rows of each window, in order: (title, column to number)."""
    windows, header, inside = [], None, False
    for line in text.splitlines():
        if line.startswith("Window: "):
            windows.append((line.removeprefix("Window: ").split("/", 1)[-1], []))
        if line == "---PROFILEDATA---":
            inside, header = not inside, None
        elif inside and header is None:
            header = line.rstrip(",").split(",")
        elif inside:
            windows[-1][1].append(dict(zip(header, map(int, line.rstrip(",").split(",")))))
    return windows


def length_ms(row, begin, end):
    return (row[end] - row[begin]) / 1e6


def frame_ms(row):
    return length_ms(row, "IntendedVsync", "FrameCompleted") - length_ms(row, "SyncQueued", "SyncStart")


def run_scene(recorder, scene, environment, *options):
    """Records the scene. Returns {frame: ms spent}, the number of frames, the recording and its windows."""
    name = next(names)
    result = recorder.run(name, scene, *options, environment=environment, timeout=SECONDS)
    assert result.returncode == 0, result.stderr
    spent = {int(frame): float(ms) for frame, ms in re.findall(r"^burnt frame (\d+) took_ms (\S+)$", result.stdout, re.M)}
    frames = int(re.search(r"^frames (\d+)$", result.stdout, re.M)[1])
    recorded = recorder.read(name)
    windows = windows_of(recorded.text)
    for row in itertools.chain(*(rows for _, rows in windows)):
        assert [row[column] for column in ORDER] == sorted(row[column] for column in ORDER), row
    return spent, frames, recorded, windows


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("place", STAGES)
@timed
def test_what_takes_time_shows_in_its_stage_and_in_no_other(recorder, scene, screen, loop, place):
    check_place(recorder, scene, {**screen, **LOOPS[loop]}, place)


@pytest.mark.parametrize("loop", ["threaded", "basic"])
@pytest.mark.parametrize("place", ["input", "animation", "sync"])
@timed
def test_the_same_on_wayland(recorder, scene, request, loop, place):
    """On Wayland, the frame callback paces the frames, and another thread reads the connection."""
    check_place(recorder, scene, {**display_of(request, "wayland"), **LOOPS[loop]}, place)


def check_place(recorder, scene, environment, place):
    spent, frames, recorded, windows = run_scene(recorder, scene, environment, "--at", place, "--ms", str(BURN_MS))
    assert recorded.total == frames
    [(title, rows)] = windows
    assert title == "Planted"
    assert len(rows) == frames
    assert len(spent) >= frames // 5 - 2, "the scene spent nothing: the test proves nothing"
    if sum(ms > BURN_MS + 1.5 for ms in spent.values()) > len(spent) // 4:
        raise Disturbed
    stage = STAGES[place]
    burnt = [(length_ms(rows[frame - 1], *stage), ms) for frame, ms in spent.items() if frame <= frames]
    short = [(stage_ms, ms) for stage_ms, ms in burnt if stage_ms < ms - 0.1]
    assert len(short) <= 1, short  # Qt may drop the frame during which the scene noted its number
    # The machine causes the other long stages. Only a few rows may have them.
    others = [length_ms(row, *stage) for number, row in enumerate(rows, 1) if number not in spent and number > 1]
    assert sum(ms > BURN_MS / 2 for ms in others) <= len(others) // 10 + 1, sorted(others)[-10:]
    elsewhere = [sum(length_ms(rows[frame - 1], *other) for other in set(STAGES.values()) - {stage}) for frame in spent
                 if 1 < frame <= frames]
    assert sum(ms > BURN_MS / 2 for ms in elsewhere) <= len(elsewhere) // 4 + 1, sorted(elsewhere)


@pytest.mark.parametrize("loop", LOOPS)
@timed
def test_idle_time_belongs_to_no_frame(recorder, scene, display, loop):
    _, frames, recorded, [(_, rows)] = run_scene(recorder, scene, {**display, **LOOPS[loop]}, "--burst-ms", "300",
                                                 "--idle-ms", "700", "--frames", "50")
    assert recorded.total == frames
    gaps = [(after["IntendedVsync"] - before["FrameCompleted"]) / 1e6 for before, after in zip(rows, rows[1:])]
    assert sum(gap > 300 for gap in gaps) >= 1, "it never idled: the test proves nothing"
    assert max(frame_ms(row) for row in rows[3:]) < 300


@pytest.mark.parametrize("loop", LOOPS)
def test_each_of_several_windows_has_its_frames(recorder, scene, screen, loop):
    _, frames, recorded, windows = run_scene(recorder, scene, {**screen, **LOOPS[loop]}, "--windows", "3", "--frames", "60")
    assert sorted(title for title, _ in windows) == ["Other", "Other", "Planted"]
    assert [len(rows) for title, rows in windows if title == "Planted"] == [frames]
    assert all(len(rows) > 20 for _, rows in windows)
    assert "Qt Quick" in re.search(r"^Pipeline=(.*)$", recorded.text, re.M)[1]
    assert "GLX" not in re.search(r"^Pipeline=(.*)$", recorded.text, re.M)[1], "a swap counted as a frame of its own"


@pytest.mark.parametrize("loop", LOOPS)
def test_windows_that_end_in_mid_frame_disturb_nobody(recorder, scene, screen, loop):
    _, frames, recorded, windows = run_scene(recorder, scene, {**screen, **LOOPS[loop]}, "--windows", "2", "--destroy",
                                             "--frames", "80")
    assert [len(rows) for title, rows in windows if title == "Planted"] == [frames]
    assert recorded.total > frames


# Qt's own programs: qml loads Qt Quick with dlopen()

PROGRAMS = {"qml of Qt 5": "/usr/lib/qt5/bin/qml", "qmlscene of Qt 5": "/usr/lib/qt5/bin/qmlscene",
            "qml of Qt 6": "/usr/lib/qt6/bin/qml"}


def run_plain(recorder, command, environment):
    return subprocess.run(favoured(list(map(str, command))), env={**recorder.environment, **environment}, capture_output=True,
                          text=True, timeout=SECONDS)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_qts_programs_run_as_without_us_and_show_their_stages(recorder, tmp_path, display, program, loop):
    if not Path(PROGRAMS[program]).exists():
        pytest.skip(f"no {PROGRAMS[program]}")
    file = tmp_path / "scene.qml"
    file.write_text(SCENE)
    environment = {**display, **LOOPS[loop]}
    plain = run_plain(recorder, [PROGRAMS[program], file], environment)
    if plain.returncode != 0:
        pytest.skip(f"{program} does not run here by itself: {plain.stderr[-200:]}")
    name = next(names)
    result = without_summary(recorder.run(name, PROGRAMS[program], file, environment=environment, timeout=SECONDS))
    assert (result.returncode, result.stdout, result.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    recorded = recorder.read(name)
    assert 60 <= recorded.total <= 65
    [(title, rows)] = windows_of(recorded.text)
    assert title == "Sc\u00e8ne \u2603"
    assert "\nPipeline=Qt Quick\n" in recorded.text
    later = rows[5:]
    synchronised = [row for row in later if row["SyncQueued"] < row["IssueDrawCommandsStart"] < row["SwapBuffers"]
                    < row["FrameCompleted"]]
    animated = [row for row in later if row["AnimationStart"] < row["PerformTraversalsStart"] < row["SyncQueued"]]
    assert len(synchronised) == len(later)
    assert len(animated) >= len(later) * 0.9


ANIMATOR = """
import QtQuick 2.15
import QtQuick.Window 2.15
Window {
    width: 200; height: 200; visible: true
    Rectangle { width: 50; height: 50; color: "red"
        XAnimator on x { from: 0; to: 100; duration: 300; loops: 3 } }
    Timer { interval: 1500; running: true; onTriggered: Qt.quit() }
}
"""


@pytest.mark.timed
@pytest.mark.parametrize("program", [name for name in PROGRAMS if name.startswith("qml of")])
def test_frames_that_the_render_thread_makes_by_itself_say_so(recorder, tmp_path, screen, program):
    if not Path(PROGRAMS[program]).exists():
        pytest.skip(f"no {PROGRAMS[program]}")
    file = tmp_path / "animator.qml"
    file.write_text(ANIMATOR)
    result = recorder.run("app", PROGRAMS[program], file, environment={**screen, **LOOPS["threaded"]}, timeout=SECONDS)
    assert result.returncode == 0, result.stderr
    [(_, rows)] = windows_of(recorder.read("app").text)
    assert sum(row["Flags"] == 2 for row in rows) > len(rows) // 2
    for row in rows:
        assert [row[column] for column in ORDER] == sorted(row[column] for column in ORDER), row


def test_errors_of_a_scene_are_printed_as_without_the_recorder(recorder, tmp_path, screen):
    program = next((Path(path) for path in PROGRAMS.values() if Path(path).exists()), None)
    if program is None:
        pytest.skip("no qml")
    file = tmp_path / "broken.qml"
    file.write_text("import QtQuick 2.15\nItem { nothing: 1 }\n")
    plain = run_plain(recorder, [program, file], screen)
    result = recorder.run("app", program, file, environment=screen)
    assert plain.returncode != 0
    told = [line for line in result.stderr.splitlines() if not line.startswith(("dejank record: ", "hint: "))]  # without dejank's own messages
    assert (result.returncode, result.stdout, told) == (plain.returncode, plain.stdout, plain.stderr.splitlines())
