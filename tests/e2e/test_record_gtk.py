"""GTK 3 and 4: compares the stages of their frames with the times that a test program prints, and records real programs."""

import itertools
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from displays import XServer, favoured, is_same_size, wait_until
from timed import Disturbed, timed

SECONDS = 60
SETTLED_SECONDS = 0.3
names = (f"gtk{number}" for number in itertools.count())
QUIET = {"GTK_A11Y": "none", "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory"}
# The two stamps of a row at which each stage of the scene begins and ends.
STAGES = {
    "input": ("HandleInputStart", "AnimationStart"),
    "update": ("AnimationStart", "PerformTraversalsStart"),
    "layout": ("PerformTraversalsStart", "DrawStart"),
    "draw": ("DrawStart", "SyncQueued"),
}
ORDER = ["IntendedVsync", "HandleInputStart", "AnimationStart", "PerformTraversalsStart", "DrawStart", "SyncQueued", "SyncStart",
         "FrameCompleted"]
NO_INPUT = 2**63 - 1


@pytest.fixture(params=[3, 4], ids=["gtk3", "gtk4"])
def scene(request, build):
    program = build / f"tests/programs/gtk_scene{request.param}"
    if not program.exists():
        pytest.skip("the GTK programs were not built: tools/deps tests")
    return program


@pytest.fixture(params=["x11", "wayland"])
def display(request):
    return environment_of(request, request.param)


@pytest.fixture
def screen(request):
    """The display of tests that do not depend on its kind."""
    return environment_of(request, "x11")


def environment_of(request, kind):
    needed = "Xvfb" if kind == "x11" else "weston"
    if not shutil.which(needed):
        pytest.skip(f"no {needed}")
    server = request.getfixturevalue("x_server" if kind == "x11" else "weston")
    return {**QUIET, **server.environment, "GDK_BACKEND": kind}


def rows_by_window(text):
    """The framestats rows of each window. A row maps columns to numbers."""
    windows, header, inside = {}, None, False
    for line in text.splitlines():
        if line.startswith("Window: "):
            rows = windows.setdefault(line.removeprefix("Window: ").split("/")[-1], [])
        if line == "---PROFILEDATA---":
            inside, header = not inside, None
        elif inside and header is None:
            header = line.rstrip(",").split(",")
        elif inside:
            rows.append(dict(zip(header, map(int, line.rstrip(",").split(",")))))
    return windows


def length_ms(row, begin, end):
    return (row[end] - row[begin]) / 1e6


def run_scene(recorder, scene, environment, *options):
    """Records a scene. Returns the times in ms that it printed for its frames, the recording, and the rows of each window."""
    name = next(names)
    result = recorder.run(name, scene, *options, environment=environment)
    assert result.returncode == 0, result.stderr
    burnt = [float(ms) for ms in re.findall(r"^frame \d+ took_ms (\S+)$", result.stdout, re.M)]
    recorded = recorder.read(name)
    windows = rows_by_window(recorded.text)
    for row in itertools.chain(*windows.values()):
        assert [row[column] for column in ORDER] == sorted(row[column] for column in ORDER)
    return burnt, recorded, windows


def only(windows):
    (rows,) = windows.values()
    return rows


# Stages with a known time

def check_burnt(burnt, rows, stage, burn_ms):
    """Checks that only the frames that burnt time are long in this stage. Their lengths are those that the scene printed, and their
    other stages are short."""
    planted = sorted(ms for ms in burnt if ms > 0)
    if max(planted) > 2 * burn_ms:
        raise Disturbed
    found = [row for row in rows if length_ms(row, *STAGES[stage]) >= burn_ms]
    assert len(found) == len(planted)
    for least, row in zip(planted, sorted(found, key=lambda row: length_ms(row, *STAGES[stage]))):
        assert least <= length_ms(row, *STAGES[stage]) <= least + burn_ms / 2
    elsewhere = [row for row in found if row["Flags"] == 0 and any(
        length_ms(row, *STAGES[other]) >= burn_ms / 2 for other in STAGES if other != stage)]
    assert len(elsewhere) <= len(found) // 10, elsewhere


@pytest.mark.parametrize("stage", ["update", "layout", "draw"])
@timed
def test_work_shows_in_the_stage_it_was_done_in(recorder, scene, screen, stage):
    burnt, recorded, windows = run_scene(recorder, scene, screen, "--stage", stage, "--burn", "12", "--every", "5",
                                         "--frames", "100")
    assert recorded.total == len(burnt) == 100
    check_burnt(burnt, only(windows), stage, 12)


@timed
def test_layout_that_burns_shows_in_layout_on_wayland(recorder, request, scene):
    burnt, recorded, windows = run_scene(recorder, scene, environment_of(request, "wayland"), "--burn", "12", "--every", "5",
                                         "--frames", "100")
    assert recorded.total == len(burnt) == 100
    check_burnt(burnt, only(windows), "layout", 12)
    assert re.search(r"^Note: frame interval: 1666\d+ns$", recorded.text, re.M), "the compositor's own, not assumed"


@timed
def test_an_input_handler_that_burns_shows_in_input(recorder, scene, screen):
    burnt, recorded, windows = run_scene(recorder, scene, screen, "--stage", "input", "--burn", "30", "--every", "5",
                                         "--frames", "40", "--pace", "100")
    rows = only(windows)
    check_burnt(burnt, rows, "input", 30)
    stamped = [row for row in rows[1:] if row["OldestInputEvent"] != NO_INPUT]
    assert len(stamped) >= len(rows) * 3 // 4
    for row in stamped:
        assert row["OldestInputEvent"] <= row["NewestInputEvent"] <= row["AnimationStart"]
        assert row["AnimationStart"] - row["NewestInputEvent"] < 200e6


@pytest.mark.parametrize("options", [(), ("--nested-from", "10"), ("--gl",)], ids=["plain", "loop in a loop", "gl area"])
@timed
def test_idle_time_belongs_to_no_frame(recorder, scene, screen, options):
    _, recorded, windows = run_scene(recorder, scene, screen, "--pace", "200", "--frames", "25", *options)
    rows = [row for row in only(windows) if row["Flags"] == 0]
    assert len(rows) == recorded.total - 1 >= 24
    long = [row for row in rows if length_ms(row, "IntendedVsync", "FrameCompleted") > 100]
    assert len(long) <= 1, [length_ms(row, "IntendedVsync", "FrameCompleted") for row in rows]
    periods = [(later["IntendedVsync"] - row["IntendedVsync"]) / 1e6 for row, later in itertools.pairwise(rows)]
    assert sorted(periods)[len(periods) // 2] > 190, "it did not idle: the test proves nothing"


# Windows

def test_windows_are_separate_and_have_their_titles(recorder, scene, display):
    _, recorded, windows = run_scene(recorder, scene, display, "--windows", "2", "--frames", "40", "--pace", "20")
    assert sorted(windows) == ["scene 1", "scene 2"]
    assert sum(map(len, windows.values())) == recorded.total
    assert min(map(len, windows.values())) >= 30
    assert re.search(r"^\s*Total attached Views : +[1-9]", recorded.text, re.M), "GTK knows its widgets"
    assert recorded.text.count("(visibility=0)") == 2


def test_a_title_that_changes_and_a_window_that_goes(recorder, scene, screen):
    _, recorded, windows = run_scene(recorder, scene, screen, "--rename", "--hide", "--frames", "40")
    assert list(windows) == ["renamed"]
    assert "renamed@" in recorded.text and "(visibility=8)" in recorded.text


def test_swaps_are_part_of_gtks_frames(recorder, scene, display):
    """GL areas and GTK 4's own renderer swap. These swaps do not count as frames in addition to GTK's."""
    burnt, recorded, windows = run_scene(recorder, scene, display, "--gl", "--frames", "60", "--pace", "20")
    assert re.search(r"^Pipeline=GTK$", recorded.text, re.M)
    assert len(burnt) == 60 and len(only(windows)) == recorded.total
    assert 60 <= recorded.total <= 80  # a change of focus adds a few frames, and swaps as frames would make 120


@pytest.mark.parametrize("renderer", ["cairo", "gl", "ngl"])
def test_every_renderer_of_gtk_4(recorder, build, screen, renderer):
    scene = build / "tests/programs/gtk_scene4"
    if not scene.exists():
        pytest.skip("the GTK programs were not built: tools/deps tests")
    _, recorded, windows = run_scene(recorder, scene, {**screen, "GSK_RENDERER": renderer}, "--frames", "40")
    assert re.search(r"^Pipeline=GTK$", recorded.text, re.M)
    swapped = [row for row in only(windows) if row["SyncQueued"] < row["FrameCompleted"]]
    assert (len(swapped) == 0) == (renderer == "cairo")


def test_gtk_in_another_thread(recorder, scene, screen):
    burnt, recorded, _ = run_scene(recorder, scene, screen, "--thread", "--frames", "40")
    assert len(burnt) == recorded.total == 40


PYTHON = """
import sys, threading
import gi
gi.require_version("Gtk", sys.argv[1])
from gi.repository import GLib, GObject, Gtk
class Early(GObject.Object):
    pass
thread = threading.Thread(target=lambda: GObject.type_register(type("Late", (GObject.Object,), {})))
thread.start()
loop, left = GLib.MainLoop(), [30]
window = Gtk.Window(title="from Python")
label = Gtk.Label(label="0")
window.set_child(label) if sys.argv[1] == "4.0" else window.add(label)
def tick(widget, clock):
    left[0] -= 1
    label.set_label(str(left[0]))
    if left[0] == 0:
        loop.quit()
    return left[0] > 0
label.add_tick_callback(tick)
window.present() if sys.argv[1] == "4.0" else window.show_all()
loop.run()
thread.join()
"""


@pytest.mark.parametrize("version", ["3.0", "4.0"])
def test_gtk_from_python(recorder, screen, tmp_path, version):
    """Python opens every library with RTLD_LOCAL."""
    python = "/usr/bin/python3"
    needs = f"import gi; gi.require_version('Gtk', '{version}'); from gi.repository import Gtk"
    if subprocess.run([python, "-c", needs], capture_output=True, env={**os.environ, **screen}, check=False).returncode != 0:
        pytest.skip(f"no GTK {version} for Python: tools/deps tests")
    program = tmp_path / "window.py"
    program.write_text(PYTHON)
    result = recorder.run("app", python, program, version, environment=screen)
    assert result.returncode == 0 and "Traceback" not in result.stderr, result.stderr
    recorded = recorder.read("app")
    assert recorded.total >= 15
    assert list(rows_by_window(recorded.text)) == ["from Python"]


# Times that the display reports

@pytest.fixture
def compositor(build, recorder, tmp_path):
    """compositor(WORD…): starts a program on an X server that behaves like a compositor and reports when it showed each frame. Returns
    the environment for its clients."""
    program = build / "tests/programs/frame_timings"
    if not program.exists() or not shutil.which("Xvfb"):
        pytest.skip("frame_timings was not built, or no Xvfb: tools/deps tests")
    server, processes = XServer(), []

    def start(*words):
        environment = {**recorder.environment, **QUIET, **server.environment, "GDK_BACKEND": "x11"}
        process = subprocess.Popen(favoured([program, *words]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=environment)
        processes.append(process)
        assert process.stdout.readline() == "ready\n"
        return environment

    yield start
    for process in processes:
        process.communicate(timeout=SECONDS)
    server.close()


def presented(rows):
    """Rows with a known presentation time. In text, an unknown time repeats the preceding stamp."""
    return [row for row in rows if row["DisplayPresentTime"] != row["FrameCompleted"]]


def record_13(recorder, scene, environment):
    """Records a scene with the columns of Android 13. Returns the recording and the rows."""
    result = recorder.run("app", scene, "--frames", "60", options=("--release", "13"), environment=environment)
    assert result.returncode == 0, result.stderr
    recorded = recorder.read("app")
    return recorded, only(rows_by_window(recorded.text))


def test_interval_and_presentation_of_a_compositor_that_tells(recorder, scene, compositor):
    recorded, rows = record_13(recorder, scene, compositor())
    assert re.search(r"^Note: frame interval: 20000000ns$", recorded.text, re.M)
    # The recorder trusts the times only after eight of them, and the last times arrive after the last frame.
    assert 60 - 8 - 8 <= len(presented(rows)) <= 60 - 8
    for row, later in itertools.pairwise(presented(rows)):
        assert row["DrawStart"] < row["DisplayPresentTime"] < later["DisplayPresentTime"]


def test_presentation_before_the_frame_was_drawn_is_no_time(recorder, scene, compositor):
    recorded, rows = record_13(recorder, scene, compositor("early"))
    assert re.search(r"^Note: frame interval: 20000000ns$", recorded.text, re.M)
    assert len(rows) == 60 and not presented(rows)


def test_a_time_of_another_clock_is_no_presentation(recorder, request, scene):
    """Headless Weston uses MONOTONIC_RAW, which GTK treats as MONOTONIC. Recorded times are therefore not GTK's: they come directly from
    the compositor."""
    _, rows = record_13(recorder, scene, environment_of(request, "wayland"))
    assert len(rows) == 60
    for row, later in itertools.pairwise(presented(rows)):
        assert row["DrawStart"] < row["DisplayPresentTime"] <= later["DisplayPresentTime"]


# The recorder changes nothing else

def without_accidents(text):
    """The set of lines of stderr, without times, process ids, addresses and the messages of `dejank record`. The number of repetitions
    of a line depends on the number of frames."""
    lines = {re.sub(r"\d{2}:\d{2}:\d{2}\.\d+|:\d+\)|0x[0-9a-f]+", "#", line) for line in text.splitlines()}
    return {line for line in lines if not line.startswith(("dejank record: ", "hint: "))}


@pytest.mark.parametrize("options", [("--frames", "0"), ("--frames", "30"), ("--frames", "30", "--hide", "--windows", "3"),
                                     ("--frames", "30", "--gl"), ("--frames", "30", "--nested-from", "10")], ids=" ".join)
def test_a_program_prints_and_ends_the_same_with_the_recorder(recorder, scene, display, options):
    plain = subprocess.run(favoured([scene, *options]), env={**recorder.environment, **display}, capture_output=True, text=True,
                           timeout=SECONDS, check=False)
    result = recorder.run("app", scene, *options, environment=display)
    assert result.returncode == plain.returncode == (3 if "0" in options else 0)
    assert re.sub(r"took_ms \S+", "", result.stdout) == re.sub(r"took_ms \S+", "", plain.stdout)
    assert without_accidents(result.stderr) == without_accidents(plain.stderr)


def test_a_program_that_makes_no_frame_leaves_no_segment(recorder, scene, screen):
    result = recorder.run("app", scene, "--frames", "0", environment=screen)
    assert result.returncode == 3
    assert "No process found" in recorder.dumpsys("gfxinfo", "app").stdout


APPS = ["gtk3-widget-factory", "gtk4-demo --run=gears", "gtk4-widget-factory", "gnome-calculator"]


def end(process):
    """Ends the process with SIGTERM. Returns its stdout and stderr."""
    process.send_signal(signal.SIGTERM)
    try:
        return process.communicate(timeout=SECONDS)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def frames_of(recorder):
    found = re.search(r"^Total frames rendered: (\d+)$", recorder.dumpsys("gfxinfo", "app").stdout, re.M)
    return int(found[1]) if found else 0


def largest_window(build, environment):
    """Size of the largest window, or None until the window shows more than two colours. The colours of a window that is larger than the
    screen are unknown. Always None on Wayland, where programs cannot see other windows."""
    look = build / "tests/programs/look"
    if environment["GDK_BACKEND"] != "x11" or not look.exists():
        return None
    words = subprocess.run([look], env={**os.environ, **environment}, capture_output=True, text=True, timeout=SECONDS,
                           check=True).stdout.split()
    return tuple(map(int, words[:2])) if words and words[2] not in ("1", "2") else None


def watch(process, build, environment, enough):
    """Waits until enough() is true and the window keeps its size, then ends the process with SIGTERM. Returns the sizes that the window
    had, the exit status, and the lines of stderr."""
    sizes, since = [None], time.monotonic()

    def done():
        nonlocal since
        assert process.poll() is None, process.communicate()
        size = largest_window(build, environment)
        if size != sizes[-1]:
            sizes.append(size)
            since = time.monotonic()
        settled = time.monotonic() - since > SETTLED_SECONDS
        return enough() and settled and (size or environment["GDK_BACKEND"] != "x11")

    try:
        wait_until(done, SECONDS, "window")
    finally:
        _, said = end(process)
    return [size or () for size in sizes[1:] or sizes], process.returncode, without_accidents(said)


@pytest.mark.parametrize("command", APPS, ids=[app.split()[0] for app in APPS])
def test_real_programs(recorder, build, display, tmp_path, command):
    if not shutil.which(command.split()[0]):
        pytest.skip(f"no {command.split()[0]}: tools/deps tests")
    environment = {**recorder.environment, **display, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    wanted = 30 if "demo" in command else 3
    begin = time.monotonic()
    sizes, status, said = watch(recorder.start("app", *command.split(), environment=environment), build, environment,
                               lambda: frames_of(recorder) >= wanted)
    until = 2 * time.monotonic() - begin
    plain = subprocess.Popen(favoured(command.split()), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    plain_sizes, plain_status, plain_said = watch(plain, build, environment, lambda: time.monotonic() > until)
    assert status == plain_status
    # gtk4-widget-factory grows after it is shown. One of the two processes may have ended before that.
    assert (any(is_same_size(sizes[-1], size) for size in plain_sizes) or
            any(is_same_size(size, plain_sizes[-1]) for size in sizes)), (sizes, plain_sizes)
    assert said <= plain_said, "which ran at least as long"

    recorded = recorder.read("app")
    assert re.search(r"^Pipeline=GTK$", recorded.text, re.M)
    rows = list(itertools.chain(*rows_by_window(recorded.text).values()))
    assert len(rows) >= wanted
    for row in rows:
        assert [row[column] for column in ORDER] == sorted(row[column] for column in ORDER)
    unknown = re.search(r"^Note: not recorded: (.*)$", recorded.text, re.M)[1].split(", ")
    assert not set(unknown) & set(ORDER)
