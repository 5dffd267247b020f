"""Gestures on this machine: through X, checked by the events of a window, and through AT-SPI, checked by the actions of an application."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from displays import wait_until

OK, DRIVE_FAILED = 0, 9


@pytest.fixture
def drive(build, x_server):
    program = build / "tests/programs/drive_words"

    def run(words, code=0, environment=None, times=1):
        done = subprocess.run([program, "local:", words, "", str(times)], capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, **x_server.environment, **(environment or {})})
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr if code else done.stdout

    return run


class Window:
    """A window of 400×300 pixels at 100,50, and the events that it received."""

    def __init__(self, program, server, log):
        self.log = log
        with open(log, "wb") as out:
            self.process = subprocess.Popen([program], env={**os.environ, **server.environment}, stdout=out)
        wait_until(lambda: "mapped" in self.lines(), 20, "window")

    def lines(self):
        return self.log.read_text().splitlines()

    def given(self, *kinds):
        """The received events of these kinds, as (kind, numbers…)."""
        rows = [line.split() for line in self.lines()]
        return [(row[0], *(int(word, 0) for word in row[1:])) for row in rows if row[0] in kinds]

    def close(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def window(build, x_server, tmp_path):
    program = build / "tests/programs/x_events"
    if not program.exists():
        pytest.skip("x_events was not built: tools/deps tests")
    made = Window(program, x_server, tmp_path / "events")
    yield made
    made.close()


def test_a_tap_hits_its_place_in_the_largest_window(drive, window):
    said = drive("tap 10,20 pause 0ms; tap 50%,50% pause 0ms")
    assert "outcome 0" in said and "injected by xtest" in said
    wait_until(lambda: len(window.given("release")) == 2, 10, "second release")
    assert [event[:4] for event in window.given("press", "release")] == [
        ("press", 1, 110, 70), ("release", 1, 110, 70), ("press", 1, 300, 200), ("release", 1, 300, 200)]


def test_a_drag_moves_evenly_through_all_its_points(drive, window):
    drive("swipe 10,10 390,10 400ms pause 0ms")
    wait_until(lambda: window.given("release"), 10, "release")
    moves = window.given("move")
    xs = [event[1] for event in moves]
    assert xs == sorted(xs) and xs[-1] == 490
    assert len(moves) >= 45, "125 points a second"
    assert window.given("release")[0][4] >= 380


def test_scrolls_turn_the_wheel(drive, window):
    drive("fling up pause 0ms; fling down pause 0ms; swipe left pause 0ms")
    wait_until(lambda: any(event[1] in (6, 7) for event in window.given("press")), 10, "wheel turned sideways")
    buttons = [event[1] for event in window.given("press")]
    # A scroll covers 60 % of 300 or 400 pixels. A step of the wheel covers 50 pixels.
    assert buttons == [5] * 3 + [4] * 3 + [7] * 4


def test_keys_and_text(drive, window):
    assert "outcome 0" in drive('text "aB 1!"; key page_down; key KEYCODE_BACK pause 0ms')
    wait_until(lambda: (("key", 0xff1b)) in window.given("key"), 10, "Escape")
    keys = [event[1] for event in window.given("key") if event[1] < 0xffe1]
    assert keys == [ord("a"), ord("B"), ord(" "), ord("1"), ord("!"), 0xff56, 0xff1b]
    said = drive("key hyper")
    assert f"outcome {DRIVE_FAILED} " in said and "unknown key 'hyper'" in said


def test_jitter_is_reported(drive, window):
    said = drive("swipe 10,10 390,10 160ms pause 0ms")
    assert re.search(r"22 touch points, early or late by [\d.]+ ms on average, [\d.]+ ms at most", said), said


def test_gestures_that_do_not_fit_are_reported(drive, window):
    said = drive("tap 400,10")
    assert f"outcome {DRIVE_FAILED} gesture 1, tap: the point 400,10 is outside of the area of 400×300" in said
    assert "xtest supports one finger, and this gesture needs 2" in drive("pinch in")
    assert "cannot rotate the screen of a desktop" in drive("rotate 90")


def test_without_a_display_or_a_window_it_says_so(drive):
    assert "there is no window on the X display" in drive("tap 1,1", code=1)
    assert "no X server answers at DISPLAY=':93219'" in drive("tap 1,1", code=1, environment={"DISPLAY": ":93219"})


LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")


class Session:
    """A private D-Bus session with AT-SPI."""

    def __init__(self, environment):
        self.groups = []
        self.environment = {name: value for name, value in {**os.environ, **environment}.items() if name != "AT_SPI_BUS_ADDRESS"}
        try:
            bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE)
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
            bus.stdout.close()
            self.start([LAUNCHER, "--launch-immediately"], stdout=subprocess.DEVNULL)
        except BaseException:
            self.close()
            raise

    def start(self, command, **options):
        process = subprocess.Popen(list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True, **options)
        self.groups.append(process)
        return process

    def close(self):
        for process in reversed(self.groups):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


@pytest.fixture
def listed(build, tmp_path):
    """listed(ENVIRONMENT) starts a GTK program with a list in a new session. Returns the session, and a function that returns its output lines."""
    program = build / "tests/programs/gtk_list"
    if not program.exists() or not LAUNCHER.exists() or not shutil.which("dbus-daemon"):
        pytest.skip("GTK 3, at-spi2-core or dbus-daemon is not there: tools/deps tests")
    sessions = []

    def start(environment):
        session = Session(environment)
        sessions.append(session)
        log = tmp_path / "said"
        with open(log, "wb") as out:
            session.start([program], stdout=out)
        wait_until(lambda: "shown" in log.read_text(), 20, "window")
        return session, lambda: log.read_text().splitlines()

    yield start
    for session in sessions:
        session.close()


@pytest.fixture
def play(build):
    def run(session, words, code=0):
        done = subprocess.run([build / "tests/programs/drive_words", "local:", words], capture_output=True, text=True, timeout=60,
                              check=False, env=session.environment)
        if "made without" in done.stderr + done.stdout:
            pytest.skip(done.stderr + done.stdout)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr if code else done.stdout

    return run


def known(play, session):
    """Waits until AT-SPI lists the program. GTK registers it a moment after its window appears."""
    def try_it():
        try:
            play(session, "wait-for 1s text=\"Go on\"")
            return True
        except AssertionError:
            return False
    wait_until(try_it, 20, "program in AT-SPI's tree")


def test_views_are_found_by_at_spi_and_touched_through_x(listed, play, x_server):
    session, said = listed({**x_server.environment, "GDK_BACKEND": "x11"})
    known(play, session)
    told = play(session, 'tap @ text="Go on"; fling up x2 pause 50ms @ scrollable; tap @ class=text; text "abc" ; wait 200ms')
    assert "outcome 0" in told, told
    wait_until(lambda: "text abc" in said(), 10, "text")
    assert said().count("clicked") == 1
    scrolled = [float(line.split()[1]) for line in said() if line.startswith("scrolled")]
    assert scrolled and scrolled[-1] > 100
    flow = play(session, "scroll-up times=1 pause=50ms")
    assert "outcome 0" in flow and re.search(r"^window scroll-up \d+ \d+$", flow, re.M), flow
    assert "this flow needs Android; on this machine, give the program after --" in play(session, "launch-cold", code=1)
    why = play(session, 'tap @ class="push button" text=Gone', code=1)
    assert "no view matches" in why and '"gtk_list"' in why


def test_without_a_pointer_views_act_by_themselves(listed, play, weston):
    environment = {**weston.environment, "GDK_BACKEND": "wayland", "DISPLAY": ""}
    session, said = listed(environment)
    known(play, session)
    told = play(session, 'tap x2 pause 10ms @ text="Go on"')
    assert "outcome 0" in told and "injected by at-spi: only taps on views given by selectors" in told, told
    wait_until(lambda: said().count("clicked") == 2, 10, "clicks")
    assert f"outcome {DRIVE_FAILED} gesture 1, fling: fling: only taps on views" in play(session, "fling up @ scrollable")
    why = play(session, "tap 1,1", code=1)
    assert "without X, only views given by selectors can be tapped" in why


def test_without_a_session_it_says_so(play, x_server):
    class Bare:
        environment = {name: value for name, value in {**os.environ, **x_server.environment}.items()
                       if name not in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS")}

    assert "there is no D-Bus session" in play(Bare, "tap @ text=x", code=1)
