"""Disturbances of a recorded program: a stop, a removed or truncated segment, a full or read-only disk, and clocks that step or
differ. Only a truncated segment ends the program."""

import os
import re
import signal
import subprocess
import time

import pytest

from displays import wait_until
from recorded import SUMMARY

SECONDS = 60
DAYS_49 = 49 * 86400 + 62000  # past 2**32 ms
TOTAL = re.compile(r"^Total frames rendered: (\d+)$", re.M)


@pytest.fixture
def start(recorder, build):
    """start(WORD, …): starts swapper with these arguments, recorded as "app". The recorder is killed at the end of the test."""
    processes = []

    def begin(*words, before=(), environment=None):
        process = subprocess.Popen([*before, *recorder.command("app", build / "tests/programs/swapper", *words)],
                                   env={**recorder.environment, **(environment or {})}, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        processes.append(process)
        return process

    yield begin
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


def total(recorder, *words):
    found = TOTAL.search(recorder.dumpsys("gfxinfo", "app", *words).stdout)
    return int(found[1]) if found else 0


def pid_of_app(recorder):
    return int(re.search(r"for pid (\d+)", recorder.dumpsys("gfxinfo", "app").stdout)[1])


def recording(recorder):
    wait_until(lambda: total(recorder) > 20, SECONDS, "frame of the program")


def finish(process):
    """Waits for a program, which must succeed. Returns its stdout, and its stderr without the summary."""
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    return out, SUMMARY.sub("", err)


def test_a_stopped_program_is_read_as_it_stands(recorder, start):
    process = start("paced-threads", 1, 100000)
    recording(recorder)
    pid = pid_of_app(recorder)
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] == "T", SECONDS, "stop")
        first = recorder.dumpsys("gfxinfo", "app", "framestats").stdout
        second = recorder.dumpsys("gfxinfo", "app", "framestats").stdout
        assert first.splitlines()[2:] == second.splitlines()[2:], "all but the uptime"
        before = total(recorder)
        recorder.dumpsys("gfxinfo", "app", "reset")
        assert total(recorder) == 0
    finally:
        os.kill(pid, signal.SIGCONT)
    recording(recorder)
    assert before > 20
    process.terminate()


def test_a_segment_removed_under_the_program(recorder, start):
    process = start("paced-threads", 1, 400)
    folder = recorder.environment["DEJANK_DIR"]
    recording(recorder)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    assert finish(process)[0] == "400 frames\n"
    assert "No process found for: app" in recorder.dumpsys("gfxinfo", "app").stdout


def test_a_segment_truncated_under_the_program(recorder, start):
    """docs/format/segment.md forbids it because SIGBUS then ends the program."""
    process = start("paced-threads", 1, 100000)
    folder = recorder.environment["DEJANK_DIR"]
    recording(recorder)
    for name in os.listdir(folder):
        os.truncate(os.path.join(folder, name), 0)
    assert process.wait(SECONDS) == -signal.SIGBUS


def test_a_folder_removed_under_the_program_before_a_window_opens(recorder, start):
    process = start("paced-windows", 6, 100)
    folder = recorder.environment["DEJANK_DIR"]
    recording(recorder)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
    assert finish(process)[0] == "600 frames\n"


@pytest.fixture
def mounted(tmp_path):
    """mounted(OPTIONS): a folder on a new file system with these mount options."""
    folders = []

    def mount(options):
        folder = tmp_path / f"mounted{len(folders)}"
        folder.mkdir(mode=0o700)
        command = ["mount", "-t", "tmpfs", "-o", f"{options},mode=0700", "dejank-test", str(folder)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("no file system can be mounted here")
        folders.append(folder)
        return folder

    yield mount
    for folder in folders:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_place_that_is_read_only(recorder, start, mounted):
    place = mounted("ro,size=64m")
    out, err = finish(start("swap", 30, environment={"DEJANK_DIR": str(place)}))
    assert out == "30 frames\n"
    assert len(err.splitlines()) == 1 and "Read-only file system" in err, err


def test_a_disk_that_fills_while_windows_open(recorder, start, mounted):
    """The existing window also stores the frames of later windows. No frame is lost, and SIGBUS does not end the program."""
    place = mounted("size=3m")
    recorder.environment["DEJANK_DIR"] = str(place)
    process = start("paced-windows", 6, 100)
    recording(recorder)
    try:
        with open(place / "ballast", "wb", buffering=0) as ballast:
            while ballast.write(bytes(4096)):
                pass
    except OSError:
        pass
    assert finish(process) == ("600 frames\n", "")
    assert total(recorder) == 600


def test_why_recording_stopped_is_shown(recorder, start, mounted):
    place = mounted("size=1280k")
    recorder.environment["DEJANK_DIR"] = str(place)
    process = start("late", 30)
    assert process.stdout.readline() == "ready\n"
    (place / "ballast").write_bytes(bytes(1200 * 1024))
    process.send_signal(signal.SIGUSR1)
    out, err = finish(process)
    assert out == "30 frames\n"
    assert "stopped early: No space left on device" in err
    assert "No space left on device" in recorder.dumpsys("gfxinfo", "app").stdout


# Clocks

def rows(recorder):
    return recorder.read("app").rows


def test_steps_of_the_wall_clock_do_not_matter(recorder, build):
    """A preloaded object makes the wall clock alternately 400 days late and 400 days early. Frames use the monotonic clock."""
    before = time.monotonic_ns()
    result = recorder.run("app", build / "tests/programs/swapper", "paced-threads", 1, 50,
                          environment={"LD_PRELOAD": str(build / "tests/programs/libstepping_clock.so")})
    assert (result.returncode, result.stdout) == (0, "50 frames\n")
    read = rows(recorder)
    assert len(read) == 50
    assert all(before < row.start_ns <= row.completed_ns < time.monotonic_ns() for row in read)
    assert all(one.completed_ns <= two.completed_ns for one, two in zip(read, read[1:]))


def in_time_namespace(seconds):
    command = ["unshare", "--time", "--monotonic", str(seconds), "--boottime", str(seconds), "--fork", "--kill-child"]
    if os.geteuid() != 0 or subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        pytest.skip("no time namespace can be made here")
    return command


@pytest.mark.parametrize("seconds", [DAYS_49, 10 * 365 * 86400])
def test_after_49_days_of_uptime(recorder, start, seconds):
    """Recorder, program and reader are all in the time namespace."""
    namespace = in_time_namespace(seconds)
    assert finish(start("paced-threads", 1, 50, before=namespace))[0] == "50 frames\n"
    text = subprocess.run([*namespace, recorder.build / "dumpsys", "gfxinfo", "app", "framestats"], text=True,
                          env=recorder.environment, capture_output=True, timeout=SECONDS, check=True).stdout
    assert TOTAL.search(text)[1] == "50"
    assert int(re.search(r"^Uptime: (\d+)", text, re.M)[1]) > seconds * 1000
    assert int(re.search(r"^Stats since: (\d+)ns", text, re.M)[1]) > seconds * 10**9
    assert "has ended" in text


@pytest.mark.parametrize("seconds", [DAYS_49, 3 * 86400])
def test_a_program_with_another_clock_than_the_reader(recorder, start, seconds):
    """The reader shows its frames, and that it runs until it is killed."""
    process = start("paced-threads", 1, 100000, before=in_time_namespace(seconds))
    recording(recorder)
    text = recorder.dumpsys("gfxinfo", "app", "framestats").stdout
    assert "has ended" not in text
    assert TOTAL.search(text)
    recorder.dumpsys("gfxinfo", "app", "reset")
    recording(recorder)
    os.kill(pid_of_app(recorder), signal.SIGKILL)
    process.wait(SECONDS)
    wait_until(lambda: "has ended" in recorder.dumpsys("gfxinfo", "app").stdout, SECONDS, "end")


def test_select_with_more_descriptors_than_its_set_has_room_for(recorder, build):
    """Like select(getdtablesize(), …). The kernel reads the set only for descriptors that exist."""
    result = recorder.run("app", build / "tests/programs/wide_select")
    assert (result.returncode, result.stdout) == (0, "1\n")
