"""`dejank top`: frames of running programs, as a table, as JSON lines and on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

from android.app import Frames
from devices import wait_for
from fake_apps import App, Device
from timed import timed

SECONDS = 20
ENTER, ESCAPE = b"\r", b"\x1b"
LEAVES_SCREEN = b"\x1b[?1049l"


# ---- programs and outputs

class Program:
    """The program paced_frames, recorded by dejank."""

    def __init__(self, recorder, name, hz=60, frames=0, janky_every=0, titles=()):
        program = recorder.build / "tests/programs/paced_frames"
        self.process = recorder.start(name, program, hz, frames, janky_every, *titles)
        assert self.process.stdout.readline() == "ready\n", self.process.stderr.read()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=SECONDS)


@pytest.fixture
def programs(recorder):
    started = []

    def start(name, **options):
        started.append(Program(recorder, name, **options))
        return started[-1]

    yield start
    for program in started:
        program.end()


@pytest.fixture
def segments(tmp_path):
    folder = tmp_path / "fake"
    folder.mkdir(mode=0o700)
    made = Device(folder)
    yield made
    made.close()


def events_of(text):
    events = [json.loads(line) for line in text.splitlines()]
    assert all(event["schema"] == "dejank.live/1" for event in events)
    return events


def of_kind(events, kind):
    return [event for event in events if event["kind"] == kind]


def frames_of(events, **wanted):
    return [frame for event in of_kind(events, "frames") for frame in event["frames"]
            if all(event[key] == value for key, value in wanted.items())]


class Stream:
    """A running `dejank top --json`."""

    def __init__(self, build, environment, *words, enter=()):
        self.process = subprocess.Popen([*enter, str(build / "dejank"), "top", "--json", *words], env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.text = b""

    def events(self):
        self.text += self.process.stdout.read() or b""
        return events_of(self.text[:self.text.rfind(b"\n") + 1].decode())

    def wait_for(self, condition, what):
        return wait_for(lambda: condition(self.events()), what)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        os.set_blocking(self.process.stdout.fileno(), True)
        more, said = self.process.communicate(timeout=SECONDS)
        self.text += more
        assert self.process.returncode == 0, said
        return events_of(self.text.decode())


@pytest.fixture
def stream(build):
    started = []

    def start(environment, *words, enter=()):
        started.append(Stream(build, environment, *words, enter=enter))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


class Terminal:
    """A pseudo-terminal in which `dejank top` runs."""

    def __init__(self, recorder, *words, columns=80, lines=24, prefix=(), **variables):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        environment = {**recorder.environment, **variables, "TERM": variables.get("TERM", "xterm-256color"), "LC_ALL": "C.UTF-8"}
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
        self.process = subprocess.Popen([*prefix, str(recorder.build / "dejank"), "top", *words], env=environment,
                                        stdin=self.slave, stdout=self.slave, stderr=self.slave)
        self.shown = b""

    def read(self, seconds=0.1):
        end = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            self.shown += os.read(self.master, 65536)
        return self.shown

    def wait_for(self, text):
        wait_for(lambda: text in self.read(), f"{text} on the terminal")

    def press(self, keys):
        self.shown = b""
        os.write(self.master, keys)

    def wait_for_end(self):
        wait_for(lambda: self.read() is not None and self.process.poll() is not None, "the end of top")
        self.read()
        return self.process.returncode

    def is_restored(self):
        return self.shown.rstrip().count(LEAVES_SCREEN) > 0 and termios.tcgetattr(self.slave) == self.before

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(recorder):
    opened = []

    def start(*words, **options):
        opened.append(Terminal(recorder, *words, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


# ---- a table

def test_once_prints_a_line_per_app_with_the_most_janky_first(recorder, programs):
    programs("smooth")
    programs("planted", janky_every=5)
    done = recorder.dejank("top", "--once")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.match(r"2 apps drew \d+ frames in 1\.\d s, \d+ janky$", lines[0])
    assert lines[2].split()[:3] == ["app", "pid", "fps"]
    assert [line.split()[0] for line in lines[3:]] == ["planted", "smooth"]
    _, _, _, _, _, _, janky, longest = lines[3].split()
    assert float(janky) >= 15 and float(longest) >= 50


def test_once_measures_only_the_given_time(recorder, programs):
    programs("app", hz=100)
    done = recorder.dejank("top", "--once", "--for", "500ms", "app")
    assert done.returncode == 0, done.stderr
    assert 5 <= int(re.search(r"drew (\d+) frames", done.stdout)[1]) <= 60


def test_once_fits_forty_columns(recorder, programs):
    programs("a-rather-long-name-for-an-app", janky_every=5)
    recorder.environment["COLUMNS"] = "40"
    done = recorder.dejank("top", "--once", "--for", "300ms")
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 40 for line in done.stdout.splitlines()), done.stdout
    assert "p95" in done.stdout


def test_without_an_app_it_says_what_to_do(recorder):
    done = recorder.dejank("top", "--once", "--for", "100ms")
    assert done.returncode == 4 and done.stdout == ""
    assert done.stderr == ("dejank top: no app is recorded\n"
                           "hint: start an app with 'dejank record -- CMD'\n")
    done = recorder.dejank("top", "--once", "--for", "100ms", "nothing")
    assert done.returncode == 4
    assert "no recorded process is named 'nothing'" in done.stderr


@pytest.mark.parametrize("words, said", [
    (["--once", "--json"], "exclude each other"),
    (["--sort", "size"], "expected jank"),
    (["a", "b"], "unexpected operand 'b'"),
    ([], "not a terminal"),
])
def test_wrong_options(recorder, words, said):
    done = recorder.dejank("top", *words)
    assert done.returncode == 2 and said in done.stderr, done.stderr


# ---- all apps of an Android device

BAD, GOOD = "com.example.bad", "com.example.good"


@pytest.fixture
def phone(android):
    """GOOD has drawn first, then BAD. A third app runs in the background and has drawn nothing."""
    phone = android(release="14")
    phone.install(GOOD, frames=Frames((8.0,)))
    phone.install(BAD, frames=Frames((8.0, 8.0, 24.0)))
    phone.install("com.example.still", frames=Frames((8.0,), when="never"))
    for package in ("com.example.still", GOOD, BAD):
        phone.start(package)
        time.sleep(0.7)
    return phone


def test_apps_of_a_device_are_sorted_by_jank(host, phone):
    done = host.dejank("top", "-d", phone.serial, "--once", "--for", "2s")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if "com.example." in line]
    assert [row[0] for row in rows] == [BAD, GOOD]
    assert str(phone.running(BAD).pid) in rows[0] and str(phone.running(GOOD).pid) in rows[1]
    narrow = host.dejank("top", "-d", phone.serial, "--once", "--for", "1s", env={"COLUMNS": "40"})
    assert narrow.returncode == 0 and BAD in narrow.stdout
    assert all(len(line) <= 40 for line in narrow.stdout.splitlines())


def test_frames_of_an_app_that_comes_to_the_front_are_read(host, phone, stream):
    top = stream(host.env, "-d", phone.serial, enter=host.network.enter)
    top.wait_for(lambda events: frames_of(events, app=BAD), "frames of the app in front")
    phone.start(GOOD)
    before = len(frames_of(top.events(), app=GOOD))
    top.wait_for(lambda events: len(frames_of(events, app=GOOD)) > before + 60, "frames of the other app")
    events = top.stop()
    janky = [frame["janky"] for frame in frames_of(events, app=BAD)]
    assert len(janky) > 30 and abs(sum(janky) - len(janky) / 3) <= len(janky) / 20
    assert not any(frame["janky"] for frame in frames_of(events, app=GOOD))
    assert not frames_of(events, app="com.example.still")


def test_an_app_of_a_device_that_ends(host, phone, stream):
    top = stream(host.env, "-d", phone.serial, enter=host.network.enter)
    top.wait_for(lambda events: frames_of(events, app=BAD), "frames of the app in front")
    phone.stop(BAD)
    top.wait_for(lambda events: any(event["app"] == BAD and event["state"] == "ended" for event in of_kind(events, "state")), "its end")
    top.stop()


def test_a_device_that_is_unplugged_while_its_apps_are_shown(host, phone, stream):
    top = stream(host.env, "-d", phone.serial, enter=host.network.enter)
    top.wait_for(lambda events: frames_of(events, app=BAD), "frames of the app in front")
    phone.unplug()
    _, said = top.process.communicate(timeout=SECONDS)
    assert top.process.returncode == 3 and phone.serial.encode() in said, said


def test_a_device_whose_apps_have_not_drawn(host, android):
    phone = android(release="14")
    phone.install(GOOD, frames=Frames((8.0,), when="never"))
    phone.start(GOOD)
    done = host.dejank("top", "-d", phone.serial, "--once", "--for", "500ms")
    assert done.returncode == 4 and done.stdout == ""
    assert done.stderr == f"dejank top: no app of {phone.serial} has drawn a frame\nhint: open the app on the device\n"
    named = host.dejank("top", "-d", phone.serial, "--once", "--for", "500ms", "nothing")
    assert named.returncode == 4 and f"no process of {phone.serial} is named 'nothing'\nhint: open the app" in named.stderr


# ---- JSON lines

def test_json_has_every_frame_once(recorder, programs, stream):
    planted = programs("planted", hz=60, frames=120, janky_every=10)
    top = stream(recorder.environment, "planted")
    planted.process.communicate(timeout=SECONDS)
    top.wait_for(lambda events: events and events[-1].get("state") == "ended", "the end of the program")
    events = top.stop()
    frames = frames_of(events)
    assert [frame["number"] for frame in frames] == list(range(1, 121))
    assert not of_kind(events, "lost")
    for frame in frames:
        if frame["number"] % 10 == 0:
            assert frame["janky"] and frame["frame_time_ns"] >= 50_000_000
            assert frame["stages"]["draw"] >= 49_000_000
            assert "draw" in frame["findings"]
    states = [event["state"] for event in of_kind(events, "state")]
    assert states[-2:] == ["running", "ended"]
    figures = of_kind(events, "second")[0]
    assert figures["last_10_s"]["frames"] > 0 and figures["since_start"]["frames"] > 0
    assert figures["last_10_s"]["p50_ns"] <= figures["last_10_s"]["longest_ns"]


def test_the_figures_agree_with_dumpsys(recorder, programs, stream):
    planted = programs("planted", hz=120, frames=200, janky_every=20)
    top = stream(recorder.environment, "planted")
    planted.process.communicate(timeout=SECONDS)
    top.wait_for(lambda events: events and events[-1].get("state") == "ended", "the end of the program")
    frames = frames_of(top.stop())
    recorded = recorder.read("planted")
    assert len(frames) == recorded.total == 200
    assert sum(frame["janky"] for frame in frames) == recorded.janky
    by_start = {row.start_ns: row for row in recorded.rows}
    compared = [frame for frame in frames if frame["start_ns"] in by_start]
    assert len(compared) == len(by_start)
    for frame in compared:
        assert frame["frame_time_ns"] / 1e6 == pytest.approx(by_start[frame["start_ns"]].frame_ms, abs=1e-3)


def test_windows_have_frames_of_their_own(recorder, programs, stream):
    programs("app", hz=30, titles=("first", "second"))
    top = stream(recorder.environment, "app")
    events = top.wait_for(
        lambda events: events if all(len(frames_of(events, title=title)) >= 5 for title in ("first", "second")) else None,
        "frames of both windows")
    windows = {event["title"]: event["window"] for event in of_kind(events, "frames")}
    assert len(set(windows.values())) == 2
    for title in windows:
        numbers = [frame["number"] for frame in frames_of(events, title=title)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_restarted_program_is_not_joined_with_the_old_one(recorder, programs, stream):
    top = stream(recorder.environment, "app")
    top.wait_for(lambda events: of_kind(events, "state"), "the first event")
    first = programs("app")
    top.wait_for(lambda events: len(frames_of(events)) > 5, "frames of the first process")
    first.end()
    top.wait_for(lambda events: of_kind(events, "state")[-1]["state"] == "ended", "the end of the first process")
    programs("app")
    top.wait_for(lambda events: frames_of(events, window=2), "frames of the second process")
    events = top.stop()
    assert [event["state"] for event in of_kind(events, "state")] == ["waiting", "running", "ended", "running"]
    assert of_kind(events, "state")[-1]["restarts"] == 1
    assert frames_of(events, window=2)[0]["number"] == 1
    pids = {event["window"]: event["pid"] for event in of_kind(events, "frames")}
    assert len(pids) == 2 and pids[1] != pids[2]
    assert not of_kind(events, "lost")


def test_a_lost_range_is_reported(build, segments, stream):
    now_ns = time.monotonic_ns()
    app = App(segments.environment, "app", "--keep", 128, "--frames", 5, "--base", now_ns)
    segments.apps.append(app)
    top = stream(segments.environment, "app")
    top.wait_for(frames_of, "the first frames")
    top.process.send_signal(signal.SIGSTOP)
    app.order("frames 300")
    top.process.send_signal(signal.SIGCONT)
    top.wait_for(lambda events: of_kind(events, "lost"), "the lost range")
    events = top.stop()
    [lost] = of_kind(events, "lost")
    assert lost["after"] == 5 and lost["count"] == 172 and lost["before"] == 178
    numbers = [frame["number"] for frame in frames_of(events)]
    assert numbers == [*range(1, 6), *range(178, 306)]
    assert events.index(lost) < max(i for i, event in enumerate(events) if event["kind"] == "frames")


def test_all_apps_are_watched(recorder, programs, stream):
    programs("first")
    top = stream(recorder.environment)
    top.wait_for(lambda events: frames_of(events, app="first"), "frames of the first app")
    programs("second")
    top.wait_for(lambda events: frames_of(events, app="second"), "frames of the second app")


def test_watching_does_not_change_what_others_read(recorder, programs):
    programs("app", janky_every=7)
    before = recorder.read("app").total
    assert recorder.dejank("top", "--once", "--for", "300ms").returncode == 0
    assert recorder.read("app").total >= before
    assert len(recorder.read("app").rows) >= min(before, 120)


@timed
def test_watching_costs_at_most_one_percent_of_a_cpu(build, recorder, programs):
    programs("app", hz=120, janky_every=50)
    process = subprocess.Popen([str(build / "dejank"), "top", "--json", "--for", "10s", "app"], env=recorder.environment,
                               stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert used.ru_utime + used.ru_stime <= 0.1


@timed
def test_a_frame_is_printed_within_a_tenth_of_a_second(recorder, programs, build):
    programs("app", hz=120)
    process = subprocess.Popen([str(build / "dejank"), "top", "--json", "--for", "5s", "app"], env=recorder.environment,
                               stdout=subprocess.PIPE, text=True)
    delays_ns = []
    for line in process.stdout:
        now_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        delays_ns += [now_ns - frame["start_ns"] - frame["frame_time_ns"] for frame in frames_of([json.loads(line)])]
    assert process.wait(SECONDS) == 0
    delays_ns = sorted(delays_ns[-500:])  # without the frames from before the start
    assert len(delays_ns) == 500 and delays_ns[475] <= 100_000_000


# ---- a device behind adb

def test_an_app_of_a_device(host, phone_app):
    app = phone_app("com.example.app", hz=60)
    wait_for(lambda: app.frames() >= 6, "some frames")
    done = host.dejank("top", "--json", "--for", "3s", "-d", app.device.serial, "com.example.app")
    assert done.returncode == 0, done.stderr
    events = events_of(done.stdout)
    frames = frames_of(events)
    starts = [frame["start_ns"] for frame in frames]
    assert len(starts) == len(set(starts)) and starts == sorted(starts)
    assert len(frames) >= 100
    assert not of_kind(events, "lost")
    assert {event["device"] for event in events} == {app.device.serial}
    assert all("reset" not in words for words in app.arguments()), "top never resets the counters"


def test_a_device_that_does_not_exist(host):
    done = host.dejank("top", "--once", "-d", "replay:/nothing", "app")
    assert done.returncode == 3 and "/nothing" in done.stderr


# ---- a terminal

def test_the_screen_shows_apps_and_opens_one(programs, terminal):
    programs("planted", hz=60, janky_every=10)
    programs("smooth")
    screen = terminal(columns=100, lines=40)
    screen.wait_for(b"planted")
    screen.wait_for(b"smooth")
    screen.wait_for(b"Enter open")
    screen.press(ENTER)
    screen.wait_for(b"Last janky frames")
    screen.wait_for(b"usually")
    screen.wait_for(b"findings: draw")
    screen.press(b"p")
    screen.wait_for(b"PAUSED")
    screen.press(b"p")
    screen.press(ESCAPE)
    screen.wait_for(b"smooth")
    screen.press(b"s")
    screen.wait_for(b"fps")
    screen.press(b"q")
    assert screen.wait_for_end() == 0
    assert screen.is_restored(), screen.shown


def test_the_screen_waits_for_an_app(programs, terminal):
    screen = terminal("later", lines=50)
    screen.wait_for(b"Waiting for later")
    programs("later", janky_every=5)
    screen.wait_for(b"Last janky frames")
    screen.press(b"q")
    assert screen.wait_for_end() == 0


def test_the_screen_works_at_forty_columns(programs, terminal):
    programs("planted", janky_every=5)
    screen = terminal(columns=40, lines=12)
    screen.wait_for(b"planted")
    screen.wait_for(b"longest")
    assert b"p50" not in screen.shown, "a narrow screen shows fewer columns"
    screen.press(b"q")
    assert screen.wait_for_end() == 0


def test_findings_fit_forty_columns(programs, terminal):
    programs("planted", janky_every=5)
    screen = terminal("planted", columns=40, lines=100)
    screen.wait_for(b"Last janky frames")
    screen.wait_for(b"findings: draw")
    screen.press(b"q")
    assert screen.wait_for_end() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal(terminal, number):
    screen = terminal()
    screen.wait_for(b"dejank record -- CMD")
    screen.process.send_signal(number)
    assert screen.wait_for_end() == 0
    assert screen.is_restored(), screen.shown


def test_a_lost_device_restores_the_terminal(host, phone_app, terminal):
    app = phone_app("com.example.app", hz=60)
    wait_for(lambda: app.frames() >= 6, "some frames")
    screen = terminal("-d", app.device.serial, "com.example.app", prefix=host.network.enter, **host.env)
    screen.wait_for(b"com.example.app")
    app.device.kill()
    assert screen.wait_for_end() == 3
    assert screen.is_restored(), screen.shown
    assert b"dejank top: " in screen.shown.split(LEAVES_SCREEN)[-1]


def test_no_color_has_no_colours(programs, terminal):
    programs("planted", janky_every=2)
    screen = terminal(NO_COLOR="1")
    screen.wait_for(b"planted")
    assert not re.search(rb"\x1b\[[0-9;]*[34][0-7]m", screen.shown), screen.shown
    colored = terminal()
    colored.wait_for(b"planted")
    wait_for(lambda: re.search(rb"\x1b\[[0-9;]*3[0-7]m", colored.read()), "a coloured row")


@pytest.mark.parametrize("name", ["dumb", "no-such-terminal"])
def test_an_unknown_terminal_is_refused(terminal, name):
    screen = terminal(TERM=name)
    assert screen.wait_for_end() == 2
    assert b"hint: use --once or --json" in screen.shown
