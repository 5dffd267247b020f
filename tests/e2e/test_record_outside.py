"""Frames of running X clients, recorded from outside with X Present (tests/programs/presents.c). dejank finds all planted late frames
and no others. Skipped presents are counted, but not as shown frames. Idle time belongs to no frame. dejank reports what it cannot see."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess

import pytest
from displays import XServer, wait_until

REFRESH_NS = 1e9 / 60
LATE_REFRESHES, IDLE_NS = 3, 600e6
PAUSE_REFRESHES = 6
SECONDS = 30


@pytest.fixture
def program(build):
    return build / "tests/programs/presents"


class Client:
    """The planted program. It presents after begin()."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(list(map(str, command)), env={**os.environ, **environment}, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.ready = self.process.stdout.readline()
        if self.ready != "ready\n":
            pytest.skip(f"{command[0]} cannot run here: {self.process.stderr.read()}")

    def begin(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def finish(self):
        """Returns (shown, late, skipped) as the program prints them. Sets `overdue`, the number of frames that the server reported as
        late. On a busy machine it may be larger than `late`, the number that the program requested."""
        found = re.fullmatch(r"shown (\d+) late (\d+) skipped (\d+) overdue (\d+)\n", self.process.stdout.read())
        self.process.wait(SECONDS)
        *account, self.overdue = map(int, found.groups())
        return tuple(account)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Recording:
    """A running `dejank record OPTION…` that already waits for events of the X server."""

    def __init__(self, recorder, environment, *options):
        self.process = subprocess.Popen([str(recorder.build / "dejank"), "record", *map(str, options)], text=True,
                                        env={**recorder.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # It waits for events once all windows are known.
        wait_until(lambda: self.process.poll() is not None or waits_for_events(self.process.pid), SECONDS, "recording")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def client(program, x_server):
    started = []

    def start(*words, before=(), path=program):
        started.append(Client([*before, path, *words], x_server.environment))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def outside(recorder, x_server):
    """outside(OPTION…): the process of a Recording."""
    with contextlib.ExitStack() as recordings:
        yield lambda *options, environment=x_server.environment: recordings.enter_context(
            Recording(recorder, environment, *options)).process


def waits_for_events(pid):
    """Whether the process waits for events: then it polls with a time limit. It polls without one for an answer of the server."""
    try:
        with open(f"/proc/{pid}/syscall", encoding="ascii") as file:
            words = file.read().split()
    except PermissionError:
        pytest.skip("/proc/PID/syscall cannot be read here")
    # poll(fds, 1, ms), or ppoll(fds, 1, time limit or NULL) on machines without poll. The file has no numbers while the process runs.
    return len(words) > 3 and int(words[2], 16) == 1 and 0 < int(words[3], 16) & 0xffffffff < 0xffffffff


def ended(process, code=0):
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == code, (out, err)
    return err


def presents_of(recorder, name):
    """The dump, and the times in ns of its shown and of its skipped frames. This reader is independent of dejank's."""
    text = recorder.dumpsys("gfxinfo", name, "framestats", "since=0").stdout
    rows = [line.split(",") for block in re.findall(r"---PROFILEDATA---\n(.*?)---PROFILEDATA---", text, re.S)
            for line in block.splitlines()]
    head = rows[0]
    flags, present = head.index("Flags"), head.index("DisplayPresentTime")
    times = [(int(row[flags]), int(row[present])) for row in rows if row[0] != "Flags"]
    return text, [at for flag, at in times if flag == 0], [at for flag, at in times if flag == 8]


def late_of(shown):
    """The steps between presents in refreshes: those of late presents, and those of pauses."""
    steps = [round((after - before) / REFRESH_NS) for before, after in zip(shown, shown[1:])]
    return [step for step in steps if 1 < step < PAUSE_REFRESHES], [step for step in steps if step >= PAUSE_REFRESHES]


def figures_of(recorder, text):
    done = subprocess.run([recorder.build / "dejank", "parse", "-", "--json"], input=text, capture_output=True, text=True,
                          timeout=SECONDS, check=True)
    process = json.loads(done.stdout)["inputs"][0]["processes"][0]
    return process, process["windows"][0]


@pytest.mark.timed
def test_planted_late_frames_skips_and_pauses(recorder, client, outside):
    app = client(2, 60, 10, 0)
    recording = outside("--pid", app.process.pid)
    app.begin()
    shown, late, skipped = app.finish()
    assert (shown, late, skipped) == (120, 12, 0)
    message = ended(recording)
    assert f"presents (pid {app.process.pid}): 120 frames shown, 0 skipped" in message
    text, times, skips = presents_of(recorder, "presents")
    assert (len(times), skips) == (120, [])
    steps, pauses = late_of(times)
    # A loaded machine may delay a present by a refresh. A planted one is late by three.
    assert abs(sum(step >= 1 + LATE_REFRESHES for step in steps) - late) <= 1, steps
    assert len(pauses) == 1, "the idle time between the bursts is a pause, and no frame contains it"
    process, window = figures_of(recorder, text)
    present = window["present"]
    assert present["presents"] == 120
    assert abs(present["late_by_refreshes"][LATE_REFRESHES - 1] - late) <= 1
    assert present["present_to_present_ns"]["max"] < IDLE_NS
    assert present["present_to_present_ns"]["count"] == 118
    assert process["pipeline"] == "X Present"
    assert 16.5e6 < process["frame_interval_ns"] < 16.8e6 and not process["frame_interval_assumed"]


def test_every_tenth_present_is_skipped(recorder, client, outside):
    app = client(1, 100, 0, 10)
    recording = outside("--pid", app.process.pid)
    app.begin()
    shown, _, skipped = app.finish()
    assert shown == 100 and skipped == 10
    assert "100 frames shown, 10 skipped" in ended(recording)
    text, times, skips = presents_of(recorder, "presents")
    assert (len(times), len(skips)) == (100, 10)
    assert "Total frames rendered: 100\n" in text, "a skipped present is no frame that was shown"
    _, window = figures_of(recorder, text)
    assert window["present"]["skipped_frames"] == 10
    assert window["framestats"]["excluded"] == {"skipped": 10, "frame time unknown": 100}


def test_nothing_but_the_present_is_known(recorder, client, outside):
    app = client(1, 40, 0, 0)
    recording = outside("--pid", app.process.pid, "--name", "mine")
    app.begin()
    app.finish()
    ended(recording)
    text, times, _ = presents_of(recorder, "mine")
    assert len(times) == 40
    assert "Janky frames" not in text and "percentile" not in text and "HISTOGRAM" not in text
    process, window = figures_of(recorder, text)
    known = set(window["framestats"]["columns"]) - set(process["not_recorded"])
    assert known - {"FrameInterval"} == {"Flags", "DisplayPresentTime"}, "the interval is known after 30 refreshes"
    assert window["framestats"]["computed"]["frames"] == 0
    assert all(rule["value"] is None for rule in window["jank_rules"].values())
    report = subprocess.run([recorder.build / "dejank", "parse", "-"], input=text, capture_output=True, text=True, check=True).stdout
    assert "NOT JUDGED" in report and "SMOOTH" not in report
    assert "frame times are unknown" in " ".join(report.split())


def test_a_confined_client(recorder, client, outside):
    """The sandbox has its own process ids, IPC and devices, as in a Flatpak."""
    if not shutil.which("bwrap"):
        pytest.skip("bwrap is not installed: tools/deps tests")
    app = client(1, 60, 10, 0, before=["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--unshare-ipc", "--new-session"])
    recording = outside("--pid", app.process.pid)
    app.begin()
    shown, late, _ = app.finish()
    assert f"{shown} frames shown" in ended(recording)
    _, times, _ = presents_of(recorder, "presents")
    assert len(times) == shown
    assert abs(sum(step >= 1 + LATE_REFRESHES for step in late_of(times)[0]) - app.overdue) <= 1 and app.overdue >= late - 1


def test_a_setuid_client(recorder, client, outside, program, tmp_path):
    """The dynamic linker does not preload libraries into a setuid program."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a file of another user")
    copy = tmp_path / "setuid_presents"
    shutil.copy(program, copy)
    os.chown(copy, 65534, 65534)
    copy.chmod(0o4755)
    tmp_path.chmod(0o755)
    app = client(1, 60, 10, 0, path=copy)
    recording = outside("--window", "presents")
    app.begin()
    shown, late, _ = app.finish()
    assert f"{shown} frames shown" in ended(recording)
    _, times, _ = presents_of(recorder, "setuid_presents")
    assert abs(sum(step >= 1 + LATE_REFRESHES for step in late_of(times)[0]) - app.overdue) <= 1 and app.overdue >= late - 1


@pytest.mark.parametrize("suffix", ["html", "md", "svg", "png"])
def test_a_report_is_drawn_at_the_end(client, outside, tmp_path, suffix):
    app = client(1, 40, 0, 10)
    report = tmp_path / f"frames.{suffix}"
    recording = outside("--pid", app.process.pid, "--report", report)
    app.begin()
    shown, _, skipped = app.finish()
    message = ended(recording)
    assert f"presents (pid {app.process.pid}): {shown} frames shown" in message and f"wrote {report}" in message
    if suffix in ("html", "md"):
        text = report.read_text()
        assert f"The display showed {shown} frames of these rows and skipped {skipped}." in text and "NOT JUDGED" in text
    else:
        assert report.stat().st_size > 5000


def test_a_report_of_all_clients_has_each(client, outside, tmp_path):
    clients = [client(1, 30, 0, 0), client(1, 40, 0, 0)]
    recording = outside("--all", "--report", tmp_path / "frames.md")
    for one in clients:
        one.begin()
    for one in clients:
        one.finish()
    recording.send_signal(signal.SIGINT)
    ended(recording)
    text = (tmp_path / "frames.md").read_text()
    assert sorted(re.findall(r"The display showed (\d+) frames of these rows", text)) == ["30", "40"]


def test_no_report_without_a_frame(client, outside, tmp_path):
    app = client(1, 30, 0, 0)  # it never begins
    message = ended(outside("--pid", app.process.pid, "--for", "1s", "--report", tmp_path / "frames.html"), 4)
    assert "no frame was seen" in message and not list(tmp_path.glob("frames*"))


def test_a_report_that_cannot_be_written(client, outside, tmp_path):
    """dejank reports it before it records anything if it is known by then. Otherwise it keeps the recording."""
    app = client(1, 40, 0, 0)
    assert "no such/frames.html" in ended(outside("--pid", app.process.pid, "--report", tmp_path / "no such/frames.html"), 4)
    folder = tmp_path / "folder"
    folder.mkdir()
    recording = outside("--pid", app.process.pid, "--report", folder / "frames.html")
    folder.rename(tmp_path / "elsewhere")
    app.begin()
    app.finish()
    message = ended(recording, 4)
    assert "40 frames shown" in message and "frames.html" in message


def test_all_clients_also_those_that_start_later(recorder, client, outside):
    first = client(1, 40, 0, 0)
    recording = outside("--all")
    second = client(1, 50, 0, 0)
    wait_until(lambda: waits_for_events(recording.pid), SECONDS, "second window")
    first.begin()
    second.begin()
    assert first.finish()[0] == 40 and second.finish()[0] == 50
    recording.send_signal(signal.SIGINT)
    message = ended(recording)
    assert f"presents (pid {first.process.pid}): 40 frames" in message
    assert f"presents (pid {second.process.pid}): 50 frames" in message
    assert "Total frames rendered: 40\n" in recorder.dumpsys("gfxinfo", str(first.process.pid)).stdout
    assert "Total frames rendered: 50\n" in recorder.dumpsys("gfxinfo", str(second.process.pid)).stdout


def test_several_windows_with_one_title(recorder, client, outside):
    clients = [client(1, 30, 0, 0), client(1, 30, 0, 0)]
    recording = outside("--window", "PRESENTS", "--for", "20s")
    for one in clients:
        one.begin()
    for one in clients:
        one.finish()
    message = ended(recording)
    assert "2 windows have 'PRESENTS' in their title: all of them are recorded" in message
    assert message.count("30 frames shown") == 2


def test_a_running_recording_is_read_as_any_other(recorder, client, outside):
    """dumpsys, top and collect read it while it runs. After its end, the dump states that it has ended."""
    app = client(6, 60, 0, 0)
    recording = outside("--pid", app.process.pid)
    app.begin()
    wait_until(lambda: "Total frames rendered" in recorder.dumpsys("gfxinfo", "presents").stdout, SECONDS, "frames")
    live = recorder.dejank("top", "--json", "--for", "1500ms", "presents").stdout
    frames = [frame for line in live.splitlines() for frame in json.loads(line).get("frames", []) if isinstance(frame, dict)]
    assert len(frames) >= 30 and all(frame["frame_time_ns"] is None and frame["janky"] is None for frame in frames), live[:500]
    collected = recorder.dejank("collect", "--package", "presents", "--for", "2s")
    process, window = figures_of(recorder, collected.stdout)
    assert window["present"]["presents"] >= 30, collected
    assert process["recovered_frames"] == process["expected_frames"] == window["present"]["presents"]
    recording.send_signal(signal.SIGTERM)
    ended(recording)
    assert app.process.poll() is None, "the program runs on"
    assert "recording from outside has ended" in recorder.dumpsys("gfxinfo", "presents", "framestats").stdout


def test_a_program_with_a_recorder_inside_keeps_its_own_recording(recorder, client, outside, program, x_server):
    app = client(1, 30, 0, 0, before=[recorder.build / "dejank", "record", "--name", "own", "--"])
    recording = outside("--all")
    app.begin()
    app.finish()
    recording.send_signal(signal.SIGINT)
    _, err = recording.communicate(timeout=SECONDS)
    assert "frames shown" in err or "is recorded already" in err


def test_a_client_that_does_not_use_present_is_reported(recorder, outside, x_server):
    if not shutil.which("glxgears"):
        pytest.skip("glxgears is not installed")
    gears = subprocess.Popen(["glxgears"], env={**os.environ, **x_server.environment, "LIBGL_ALWAYS_SOFTWARE": "1"},
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        look = [recorder.build / "tests/programs/look"]
        wait_until(lambda: subprocess.run(look, env={**os.environ, **x_server.environment}, capture_output=True, check=True).stdout,
                   SECONDS, "window")
        recording = outside("--pid", gears.pid, "--for", "4s")
        message = ended(recording, code=4)
        assert "has not presented anything by X Present so far" in message and "software OpenGL" in message
        assert "no frame was seen" in message
    finally:
        gears.kill()
        gears.wait()


@pytest.mark.parametrize("options, code, message", [
    (["--window", "no such title"], 3, "no window of the X server has 'no such title' in its title"),
    (["--pid", "4194304"], 3, "there is no process 4194304"),
    (["--all", "--name", "x"], 2, "--all and --name exclude each other"),
    (["--all", "--pid", "1"], 2, "exclude each other"),
    (["--window", ""], 2, "expected a part of a title"),
    (["--all", "--profile"], 2, "apply to a recording from outside"),
    (["--all", "--report", "x.txt"], 2, "x.txt"),
    (["--all", "--", "true"], 2, "expected no CMD"),
    (["--for", "1s", "--", "true"], 2, "expected --pid, --window or --all"),
])
def test_wrong_requests(outside, options, code, message):
    assert message in ended(outside(*options), code)


def test_no_x_server(outside):
    assert "no X server answers at DISPLAY=':4321'" in ended(outside("--all", environment={"DISPLAY": ":4321"}), 3)


def test_a_program_without_windows(outside):
    sleeper = subprocess.Popen(["sleep", "30"])
    try:
        message = ended(outside("--pid", sleeper.pid, "--for", "1s"), 4)
        assert "has no X window yet" in message and "Wayland" in message
    finally:
        sleeper.kill()
        sleeper.wait()


def test_the_x_server_ends(recorder, program, outside):
    server = XServer("400x300")
    app = Client([program, 1, 300, 0, 0], server.environment)
    try:
        recording = outside("--pid", app.process.pid, environment=server.environment)
        app.begin()
        wait_until(lambda: "Total frames rendered" in recorder.dumpsys("gfxinfo", "presents").stdout, SECONDS, "frames")
        server.close()
        assert "the X server has ended" in ended(recording, 3)
        assert presents_of(recorder, "presents")[1], "what was recorded before is kept"
    finally:
        server.close()
        app.process.communicate()
