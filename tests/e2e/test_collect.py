"""dejank collect and dejank profile, with the real adb server and adbd."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from devices import wait_for

PACKAGE = "com.example.app"


# ---- a simple reader of the dumps that collect writes

class Dump:
    def __init__(self, text):
        self.text = text
        self.sections = re.split(r"^\*\* Graphics info for pid ", text, flags=re.M)[1:]

    @staticmethod
    def number(pattern, text):
        found = re.search(pattern, text, flags=re.M)
        return int(found.group(1)) if found else None

    def total(self, section=0):
        return self.number(r"^Total frames rendered: (\d+)", self.sections[section])

    def since(self, section=0):
        return self.number(r"^Stats since: (\d+)ns", self.sections[section])

    def histogram_sum(self, section=0):
        line = re.search(r"^HISTOGRAM:(.*)$", self.sections[section], flags=re.M).group(1)
        return sum(int(pair.split("=")[1]) for pair in line.split())

    def starts(self, section=0):
        """IntendedVsync of every row."""
        rows = []
        for block in re.findall(r"---PROFILEDATA---\n(.*?)\n---PROFILEDATA---",
                                self.sections[section], flags=re.S):
            names, *lines = block.split("\n")
            column = names.split(",").index("IntendedVsync")
            rows += [int(line.split(",")[column]) for line in lines]
        return rows

    def recovered(self, section=0):
        found = re.search(r"^Note: recovered (\d+) of (\d+) frames", self.sections[section], re.M)
        return int(found.group(1)), int(found.group(2))


def account(stderr):
    """(recovered, expected) frames in the last line."""
    found = re.search(r"recovered (\d+) of (\d+) frames$", stderr.strip().splitlines()[-1])
    assert found, stderr
    return int(found.group(1)), int(found.group(2))


def collect(host, device, package=PACKAGE, *more, **options):
    return host.dejank("collect", "--device", device.serial, "--package", package, *more, **options)


# ---- collecting frames

def test_sixty_a_second_for_three_seconds(host, phone_app, tmp_path):
    app = phone_app(PACKAGE, hz=60)
    wait_for(lambda: app.frames() >= 6, "some frames of before")
    out = tmp_path / "dump.txt"
    done = collect(host, app.device, PACKAGE, "--for", "3s", "-o", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    recovered, expected = account(done.stderr)
    assert recovered == expected
    assert 178 <= recovered <= 181
    dump = Dump(out.read_text())
    starts = dump.starts()
    assert len(starts) == recovered == len(set(starts))
    assert starts == sorted(starts)
    assert dump.since() <= starts[0] and starts[-1] < dump.since() + 3_000_000_000
    assert dump.recovered() == (recovered, expected)
    assert recovered <= dump.total() <= app.frames()
    assert dump.histogram_sum() == dump.total()
    steps = {b - a for a, b in zip(starts, starts[1:])}
    assert steps <= {16666666, 16666667}, "no frame is missing in between"


def test_rows_are_read_as_seldom_as_the_ring_allows(host, phone_app):
    app = phone_app(PACKAGE, hz=60)
    done = collect(host, app.device, PACKAGE, "--for", "4s")
    assert done.returncode == 0, done.stderr
    assert len(app.arguments()) <= 5
    first, *others = app.arguments()
    assert first == ["gfxinfo", PACKAGE, "framestats"], "no whole rings before the window begins"
    for words in others:
        assert words[:3] == first
        assert len(words) == 4 and words[3].startswith("since=")  # which Android ignores


def test_stdout_is_the_dump_and_stderr_the_talk(host, phone_app):
    app = phone_app(PACKAGE)
    done = collect(host, app.device, PACKAGE, "--for", "300ms")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Applications Graphics Acceleration Info:\n")
    assert "PROFILEDATA" not in done.stderr
    assert "dejank read the frames" in done.stderr, "the cost of reading is told"


@pytest.mark.timed  # an overloaded machine reads too late
def test_a_faster_display_loses_nothing(host, phone_app):
    app = phone_app(PACKAGE, hz=120, frame_ms=2)
    wait_for(lambda: app.frames() >= 24, "some frames of before")
    done = collect(host, app.device, PACKAGE, "--for", "3s")
    recovered, expected = account(done.stderr)
    assert recovered == expected
    assert 358 <= recovered <= 362


def test_what_the_ring_lost_is_counted(host, phone_app):
    app = phone_app(PACKAGE, hz=4000, frame_ms=0.1)
    done = collect(host, app.device, PACKAGE, "--for", "1s")
    assert done.returncode == 0, done.stderr
    recovered, expected = account(done.stderr)
    assert 3900 <= expected <= 6000, "a late last reading counts some more"
    assert 120 <= recovered < expected
    assert len(Dump(done.stdout).starts()) == recovered


def test_the_guides_cadence(host, phone_app):
    app = phone_app(PACKAGE, hz=60)
    done = collect(host, app.device, PACKAGE, "--for", "2s", "--every", "500ms")
    assert done.returncode == 0, done.stderr
    recovered, expected = account(done.stderr)
    assert recovered == expected
    assert 80 <= recovered <= 121
    assert "3 resets" in done.stderr and "are not counted" in done.stderr
    assert sum("reset" in words for words in app.arguments()) == 3


def test_the_guides_cadence_counts_what_the_ring_lost(host, phone_app):
    app = phone_app(PACKAGE, hz=500, frame_ms=1)
    done = collect(host, app.device, PACKAGE, "--for", "2s", "--every", "1s")
    recovered, expected = account(done.stderr)
    assert expected >= 800
    assert 120 <= recovered <= 240


@pytest.mark.parametrize("name", [
    "My App", "it's", 'say "hi"', "a;touch PWNED", "$(touch PWNED)", "`touch PWNED`", "Größe 測試",
    "a&b|c>PWNED", "*", "back\\slash",
])
def test_names_reach_the_device_as_they_are(host, phone_app, name):
    app = phone_app(name)
    done = collect(host, app.device, name, "--for", "200ms")
    assert done.returncode == 0, done.stderr
    assert all(words[1] == name for words in app.arguments())
    assert f"[{name}]" in done.stdout
    assert not list(app.device.folder.rglob("PWNED"))


# ---- faults

def test_no_such_serial_lists_those_there_are(host, phone_app):
    app = phone_app()
    collect(host, app.device, PACKAGE, "--for", "100ms")  # connects adb to the device
    done = host.dejank("collect", "--device", "0123456789", "--package", PACKAGE)
    assert done.returncode == 3
    assert "no device '0123456789'" in done.stderr
    assert f"{app.device.serial} (device)" in done.stderr
    assert done.stdout == ""


def test_nobody_listens_at_the_address(host, adbd):
    adbd()
    port = host.network.free_port()
    done = host.dejank("collect", "--device", f"127.0.0.1:{port}", "--package", PACKAGE)
    assert done.returncode == 3
    assert f"no device at 127.0.0.1:{port}" in done.stderr
    assert "refused" in done.stderr


def test_no_devices_at_all(host, adbd):
    adbd()  # it runs, but adb is not connected to it
    for selector in ("adb:", "emulator-5554"):
        done = host.dejank("collect", "--device", selector, "--package", PACKAGE)
        assert done.returncode == 3
        assert "adb lists no devices" in done.stderr
        assert "local:" not in done.stderr or "; the name of this machine is 'local:'" in done.stderr


def test_the_only_device_needs_no_name(host, phone_app):
    app = phone_app()
    collect(host, app.device, PACKAGE, "--for", "100ms")
    done = host.dejank("collect", "--device", "adb:", "--package", PACKAGE, "--for", "200ms")
    assert done.returncode == 0, done.stderr


def test_adb_is_not_installed(host, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    done = host.dejank("collect", "--device", "0123", "--package", PACKAGE,
                       env={"PATH": str(bare)})
    assert done.returncode == 3
    assert "sudo apt-get install adb" in done.stderr


def test_a_server_that_already_runs_is_used_without_adb(host, phone_app, tmp_path):
    app = phone_app()
    assert host.adb("start-server").returncode == 0
    bare = tmp_path / "bare"
    bare.mkdir()
    done = collect(host, app.device, PACKAGE, "--for", "200ms", env={"PATH": str(bare)})
    assert done.returncode == 0, done.stderr


def test_a_device_without_dumpsys(host, adbd):
    device = adbd()
    device.command("dumpsys", "#!/bin/sh\necho 'sh: dumpsys: not found' >&2; exit 127\n")
    done = collect(host, device)
    assert done.returncode == 3
    assert "no `dumpsys`" in done.stderr


def test_an_answer_that_is_no_gfxinfo(host, phone_app):
    app = phone_app()
    app.says("Segmentation \x1b[31mfault")
    done = collect(host, app.device)
    assert done.returncode == 4
    assert "did not answer with gfxinfo" in done.stderr
    assert "\x1b" not in done.stderr, "what a device says does not steer the terminal"


def test_the_package_does_not_run(host, phone_app):
    app = phone_app()
    done = collect(host, app.device, "com.example.other")
    assert done.returncode == 4
    assert "No process found for: com.example.other" in done.stderr
    assert "hint: start the app on the device: on Linux with 'dejank record --name com.example.other" in done.stderr
    assert done.stdout == ""
    assert [words[:1] for words in app.arguments()].count(["gfxinfo"]) == 1, "it does not wait for the window's end"


def test_no_frames_is_not_smooth(host, phone_app, tmp_path):
    app = phone_app(PACKAGE, hz=0)
    done = collect(host, app.device, PACKAGE, "--for", "300ms")
    assert done.returncode == 4
    assert "rendered no frames" in done.stderr
    assert account(done.stderr) == (0, 0)
    assert Dump(done.stdout).total() == 0


def running(host, device, *more):
    """Starts collect in the background."""
    process = host.popen(host.build / "dejank", "collect", "--device", device.serial, "--package",
                         PACKAGE, *more)
    return process


def finish(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, out.decode(), err.decode()


def wait_for_readings(app, count):
    wait_for(lambda: app.calls.exists() and len(app.arguments()) >= count, f"{count} readings")


def is_asking(process):
    """Whether collect is reading: each reading has its own connection to the adb server."""
    folder = f"/proc/{process.pid}/fd"
    for name in os.listdir(folder):
        try:
            if os.readlink(f"{folder}/{name}").startswith("socket:"):
                return True
        except FileNotFoundError:
            pass  # closed in the meantime
    return False


def wait_for_answers(process, app, count):
    wait_for_readings(app, count)
    wait_for(lambda: not is_asking(process), f"the answer of reading {count}")


def test_the_app_dies_in_the_window(host, phone_app):
    app = phone_app(PACKAGE, hz=60)
    process = running(host, app.device, "--for", "4s")
    wait_for_readings(app, 2)
    app.die()
    code, out, err = finish(process)
    assert code == 4
    assert "ended during the collection" in err and "keeps" in err
    dump = Dump(out)
    assert "Note: process has ended" in out
    assert account(err)[0] == len(dump.starts()) >= 25


@pytest.mark.timed  # an overloaded machine reads too late
def test_the_app_is_started_again_in_the_window(host, phone_app):
    app = phone_app(PACKAGE, hz=60)
    process = running(host, app.device, "--for", "4s")
    wait_for_readings(app, 2)
    app.die()
    app.start(4343, hz=60)
    code, out, err = finish(process)
    assert code == 4
    assert "was started again" in err
    dump = Dump(out)
    assert len(dump.sections) == 2
    assert dump.sections[0].startswith("4242 ") and dump.sections[1].startswith("4343 ")
    assert dump.recovered(1)[0] == dump.recovered(1)[1] >= 60


def test_the_device_goes_away_in_the_window(host, phone_app):
    app = phone_app(PACKAGE, hz=60)
    process = running(host, app.device, "--for", "30s")
    wait_for_answers(process, app, 3)
    app.device.kill()
    code, out, err = finish(process)
    assert code == 3
    assert "was disconnected" in err and "keeps the frames" in err
    assert len(Dump(out).starts()) >= 25
    assert "Note: collection stopped:" in out
    assert account(err)[0] == len(Dump(out).starts())


def test_an_interrupt_keeps_what_was_collected(host, phone_app, tmp_path):
    app = phone_app(PACKAGE, hz=60)
    out = tmp_path / "dump.txt"
    process = running(host, app.device, "--for", "60s", "-o", out)
    wait_for_readings(app, 2)
    os.kill(process.pid, signal.SIGINT)
    code, _, err = finish(process)
    assert code == 0, err
    assert "interrupted" in err
    recovered, expected = account(err)
    assert recovered == expected == len(Dump(out.read_text()).starts()) >= 25


@pytest.fixture
def freezing(host, phone_app):
    """freezing(OPTION…) starts collect, waits for three readings, and then stops the device. Returns the process of collect."""
    started = []

    def begin(*more):
        app = phone_app(PACKAGE, hz=60)
        process = running(host, app.device, *more)
        started.append((app, process))
        wait_for_answers(process, app, 3)
        os.killpg(app.device.process.pid, signal.SIGSTOP)
        return process

    yield begin
    for app, process in started:
        os.killpg(app.device.process.pid, signal.SIGCONT)
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_a_window_whose_device_freezes(freezing, number):
    process = freezing("--for", "60s")
    wait_for(lambda: is_asking(process), "the next reading to hang")
    begin = time.monotonic()
    os.kill(process.pid, number)
    code, out, err = finish(process)
    assert time.monotonic() - begin < 3
    assert code == 3, err
    assert "ended early: interrupted" in err
    assert "stopped answering" in err and "interrupted before the answer arrived" in err
    assert account(err)[0] == len(Dump(out).starts()) >= 25


def test_a_second_interrupt_gives_the_last_reading_up(freezing):
    process = freezing("--for", "60s")
    begin = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    os.kill(process.pid, signal.SIGTERM)
    code, out, err = finish(process)
    assert time.monotonic() - begin < 0.9, "a last reading would have a second"
    assert code == 3, err
    assert len(Dump(out).starts()) >= 25


# ---- output files

def saved_aside(tmp_path, stderr):
    """The dump in the file that the error names."""
    path = re.search(r"the collected data is in (\S+)", stderr).group(1)
    assert os.path.dirname(path) == str(tmp_path)
    with open(path, encoding="utf-8") as file:
        return Dump(file.read())


def test_a_full_disk_loses_nothing(host, phone_app, tmp_path):
    app = phone_app(PACKAGE, hz=60)
    done = collect(host, app.device, PACKAGE, "--for", "500ms", "-o", "/dev/full")
    assert done.returncode == 4
    assert "cannot write /dev/full: No space left on device" in done.stderr
    assert len(saved_aside(tmp_path, done.stderr).starts()) >= 25


@pytest.fixture
def tiny_disk(tmp_path):
    folder = tmp_path / "tiny"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tiny", folder],
                          capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("mounting is refused here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_fills_up_keeps_the_file_before(host, phone_app, tmp_path, tiny_disk):
    app = phone_app(PACKAGE, hz=60)
    target = tiny_disk / "dump.txt"
    target.write_text("yesterday's")
    done = collect(host, app.device, PACKAGE, "--for", "500ms", "-o", target)
    assert done.returncode == 4
    assert f"cannot write {target}: No space left on device" in done.stderr
    assert target.read_text() == "yesterday's"
    assert [path.name for path in tiny_disk.iterdir()] == ["dump.txt"], "no half-written file"
    assert len(saved_aside(tmp_path, done.stderr).starts()) >= 25


def test_with_no_room_anywhere_it_goes_to_stdout(host, phone_app):
    app = phone_app(PACKAGE, hz=60)
    assert host.adb("start-server").returncode == 0  # the server needs a valid TMPDIR
    done = collect(host, app.device, PACKAGE, "--for", "500ms", "-o", "/dev/full",
                   env={"TMPDIR": "/dev/null"})
    assert done.returncode == 4
    assert "the collected data was written to standard output" in done.stderr
    assert len(Dump(done.stdout).starts()) >= 25


def test_a_missing_folder_is_reported_before_collecting(host, phone_app, tmp_path):
    app = phone_app()
    done = collect(host, app.device, PACKAGE, "-o", tmp_path / "no" / "such" / "dump.txt")
    assert done.returncode == 4
    assert "No such file or directory" in done.stderr
    assert not app.calls.exists()


# ---- arguments

@pytest.mark.parametrize("words, says", [
    ([], "--package"),
    (["--package", "-x"], "expected a package"),
    (["--package", PACKAGE, "--for", "soon"], "expected a duration"),
    (["--package", PACKAGE, "--every", "0"], "expected a duration"),
    (["--package", PACKAGE, "extra"], "unexpected operand 'extra'"),
    (["--package", PACKAGE, "--device", ""], "expected a device"),
])
def test_usage(host, words, says):
    done = host.dejank("collect", *words)
    assert done.returncode == 2
    assert says in done.stderr


def test_help_is_on_stdout(host):
    for verb in ("collect", "profile"):
        done = host.dejank(verb, "--help")
        assert done.returncode == 0
        assert f"usage: dejank {verb}" in done.stdout


# ---- dejank profile

def test_profile_on_android_tells_the_value_before(host, adbd):
    device = adbd()
    (device.state / "debug.hwui.profile").write_text("visual_bars\n")
    (device.state / "ro.build.version.release").write_text("14\n")
    device.command("getprop", '#!/bin/sh\ncat "$STAND_IN_STATE/$1" 2>/dev/null; exit 0\n')
    device.command("setprop", '#!/bin/sh\necho "$2" > "$STAND_IN_STATE/$1"\n')
    done = host.dejank("profile", "on", PACKAGE, "--device", device.serial)
    assert done.returncode == 0, done.stderr
    assert (device.state / "debug.hwui.profile").read_text() == "true\n"
    assert "the previous value was 'visual_bars'" in done.stderr
    done = host.dejank("profile", "off", PACKAGE, "--device", device.serial)
    assert (device.state / "debug.hwui.profile").read_text() == "false\n"


def test_profile_on_a_linux_device_asks_dumpsys(host, adbd):
    device = adbd()
    device.command("dumpsys", '#!/bin/sh\necho "$*" >> "$STAND_IN_STATE/calls"\n'
                              '[ "$2" = version ] && echo "dejank 0"; exit 0\n')
    done = host.dejank("profile", "on", "My App", "--device", device.serial)
    assert done.returncode == 0, done.stderr
    assert (device.state / "calls").read_text().splitlines() == [
        "dejank version", "dejank profile on My App"]


def test_profile_elsewhere_says_what_is_missing(host, adbd):
    device = adbd()
    device.command("dumpsys", "#!/bin/sh\nexit 127\n")
    done = host.dejank("profile", "on", PACKAGE, "--device", device.serial)
    assert done.returncode == 2
    assert "neither Android nor a Linux device" in done.stderr


def test_profile_of_nobody_on_this_machine(host):
    done = host.dejank("profile", "on", PACKAGE)
    assert done.returncode == 4
    assert f"No process found for: {PACKAGE}" in done.stderr
    assert host.dejank("profile", "sideways", PACKAGE).returncode == 2


# ---- end to end: a real app, the recorder, and dejank's dumpsys

@pytest.fixture
def recorded(host, tmp_path):
    """Runs glxgears under the recorder on its own X server. Yields its name and process. In a small window, it would draw thousands
    of frames per second, and frames would be lost when the rate doubles between two readings."""
    if not shutil.which("glxgears") or not shutil.which("Xvfb"):
        pytest.skip("glxgears or Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "640x480x24",
                               "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    app = None
    try:
        with os.fdopen(read) as pipe:
            display = pipe.readline().strip()
        name = "gears; it's ü"
        # Runs outside the private network, in which the abstract X socket cannot be reached.
        app = subprocess.Popen([host.build / "dejank", "record", "--name", name, "--", "glxgears", "-geometry", "640x480"],
                               env={**host.env, "DISPLAY": f":{display}"},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        dumpsys = [host.build / "dumpsys", "gfxinfo", name, "framestats"]
        wait_for(lambda: subprocess.run(dumpsys, env=host.env, capture_output=True, text=True,
                                        check=False).stdout.count("\n0,") >= 100, "frames")
        yield name, app
    finally:
        if app is not None and app.poll() is None:
            app.terminate()
            app.wait()
        server.terminate()
        server.wait()


def test_a_real_app_on_this_machine(host, recorded):
    name, _ = recorded
    done = host.dejank("collect", "--package", name, "--for", "2s")
    assert done.returncode == 0, done.stderr
    recovered, expected = account(done.stderr)
    assert recovered == expected > 120
    dump = Dump(done.stdout)
    assert len(dump.starts()) == recovered
    assert f"[{name}]" in done.stdout


def test_a_real_app_through_adbd(host, recorded, adbd):
    name, app = recorded
    device = adbd()
    done = collect(host, device, name, "--for", "4s")
    assert done.returncode == 0, done.stderr
    recovered, expected = account(done.stderr)
    assert recovered == expected > 180, "also on a busy machine: our dumpsys gives more than the newest 120"
    assert len(Dump(done.stdout).starts()) == recovered
    assert int(re.search(r"dejank read the frames (\d+) times", done.stderr).group(1)) <= 6, "the second tells how large the ring is"
    app.terminate()
    app.wait()
    done = collect(host, device, name, "--for", "1s")
    assert done.returncode == 4
    assert "has ended" in done.stderr


def test_profile_of_a_real_app(host, recorded, adbd):
    name, _ = recorded
    device = adbd()
    for selector in ("local:", device.serial):
        for word in ("on", "off"):
            done = host.dejank("profile", word, name, "--device", selector)
            assert done.returncode == 0, done.stderr
            assert f"is {word}" in done.stderr
            assert ("prints its rows" in done.stderr) == (word == "on")
            text = host.run(host.build / "dumpsys", "gfxinfo", name).stdout
            assert ("\tDraw\tPrepare\tProcess\tExecute" in text) == (word == "on")


def test_a_segment_that_cannot_be_read_is_named(host):
    (host.segments / "1.1").write_bytes(b"rubbish" * 1000)
    (host.segments / "1.1").chmod(0o600)
    done = host.dejank("collect", "--package", PACKAGE, "--for", "100ms")
    assert done.returncode == 4
    assert "No process found" in done.stderr
    assert "1.1" in done.stderr, "whose frames may be missing"
