"""Frames that programs draw with the CPU and send to X as images, or to a Wayland compositor in shared memory.
dejank finds all of them and no others, and the planted late frames are late."""
import contextlib
import re
import shutil
import statistics
import socket
import threading
import time
from pathlib import Path

import pytest
from displays import Weston

SENT_BY = {"": "XPutImage", "shm": "XShm", "copy": "XCopyArea"}
WAYS = ("xlib", "xlib-shm", "xlib-copy", "xcb", "xcb-shm", "xcb-copy")
FRAMES, EVERY, LATE_MS = 80, 10, 40


@pytest.fixture
def program(build):
    path = build / "tests/programs/software"
    if not path.exists():
        pytest.skip("software was not built: tools/deps tests")
    return path


def rows(recorder, name):
    """Returns the framestats text and the frame times in ms, oldest first."""
    text = recorder.dumpsys("gfxinfo", name, "framestats").stdout
    lines = re.search(r"---PROFILEDATA---\n(.*?)---PROFILEDATA---", text, re.S)[1].splitlines()
    head = lines[0].split(",")
    start, end = head.index("IntendedVsync"), head.index("FrameCompleted")
    cells = [line.split(",") for line in lines[1:]]
    return text, [(int(row[end]) - int(row[start])) / 1e6 for row in cells]


def check_frames(times):
    assert abs(len(times) - FRAMES) <= 1, "each image or each part of an image is a frame, or frames are missing"
    late = [number for number, time in enumerate(times, 1) if time >= LATE_MS]
    assert set(range(EVERY, FRAMES, EVERY)) <= set(late), (late, times)


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("way", WAYS)
def test_every_frame_is_found_and_the_planted_ones_are_late(recorder, x_server, program, way, parts):
    done = recorder.run("soft", program, way, str(FRAMES), str(EVERY), str(parts), environment=x_server.environment)
    assert f"drawn {FRAMES} late {FRAMES // EVERY}" in done.stdout
    text, times = rows(recorder, "soft")
    check_frames(times)
    assert f"Pipeline=software ({SENT_BY[way.partition('-')[2]]})\n" in text
    assert "/software@" in text, "the window has the title that the program set"


def forward(source, target, pause_s):
    """Copies what one socket receives to another one until either is closed."""
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
            time.sleep(pause_s)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def slow_display(display):
    """Yields the name of a display that forwards requests to another display, with a pause after each 64 KiB."""
    number = next(n for n in range(500, 600) if not Path(f"/tmp/.X11-unix/X{n}").exists())
    path = Path(f"/tmp/.X11-unix/X{number}")
    server, client = socket.socket(socket.AF_UNIX), None
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve():
            nonlocal client
            client = listener.accept()[0]
            server.connect(f"/tmp/.X11-unix/X{display.lstrip(':')}")
            answers = threading.Thread(target=forward, args=(server, client, 0))
            answers.start()
            forward(client, server, 0.0005)
            answers.join()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f":{number}"
        finally:
            path.unlink()
            thread.join()
            server.close()
            client.close()


@pytest.mark.parametrize("way", ["xlib", "xcb"])
def test_waiting_for_a_slow_server_splits_no_frame(recorder, x_server, program, way):
    """The server reads the images slowly, from the first frame on."""
    with slow_display(x_server.environment["DISPLAY"]) as display:
        recorder.run("soft", program, way, str(FRAMES), str(EVERY), "3",
                     environment={**x_server.environment, "DISPLAY": display})
    check_frames(rows(recorder, "soft")[1])


def test_images_of_a_driver_are_no_frames(recorder, x_server):
    """Mesa's software driver sends an image for each swap of a GL program."""
    if not shutil.which("glxgears"):
        pytest.skip("glxgears is not installed")
    recorder.run("gears", "timeout", "3", "glxgears", environment={**x_server.environment, "LIBGL_ALWAYS_SOFTWARE": "1"})
    text = recorder.dumpsys("gfxinfo", "gears").stdout
    assert "Pipeline=OpenGL (GLX)\n" in text
    assert text.count("visibility=") == 1, text


def test_an_idle_program_has_no_long_frame(recorder, x_server, program):
    """A frame starts when the loop wakes. It does not include the time in which the program waits."""
    recorder.run("soft", program, "xcb", "60", environment=x_server.environment)
    _, times = rows(recorder, "soft")
    assert min(times) < 10, "a frame contains 2 ms of work, and no wait for the next one"


@pytest.fixture
def wayland_program(build):
    path = build / "tests/programs/software_wayland"
    if not path.exists():
        pytest.skip("software_wayland was not built: tools/deps tests")
    return path


def check_shared_memory(recorder, done):
    assert f"drawn {FRAMES} late {FRAMES // EVERY}" in done.stdout, done
    text, times = rows(recorder, "shm")
    assert abs(len(times) - FRAMES) <= 1, "each part is a frame, something else is one, or frames are missing"
    late = [number for number, time in enumerate(times, 1) if time >= LATE_MS]
    assert set(range(EVERY, FRAMES, EVERY)) <= set(late), (late, times)
    assert statistics.median(times) < 10, "a frame contains 2 ms of work, and no wait for the next one"
    assert "Pipeline=software (wl_shm)\n" in text
    assert text.count("visibility=") == 1 and "/shared memory@" in text, "the window has the title that the program set"


@pytest.mark.parametrize("parts", [1, 3])
def test_every_commit_of_shared_memory_is_found(recorder, weston, wayland_program, parts):
    """A commit without a new buffer is no frame. Parts of a frame are one frame."""
    check_shared_memory(recorder, recorder.run("shm", wayland_program, str(FRAMES), str(EVERY), str(parts),
                                               environment=weston.environment))


def test_the_picture_of_the_pointer_is_no_frame(recorder, x_server, wayland_program, tmp_path):
    server = Weston(tmp_path, x_server)
    try:
        check_shared_memory(recorder, recorder.run("shm", wayland_program, str(FRAMES), str(EVERY), "1", "cursor",
                                                   environment=server.environment))
    finally:
        server.close()


def test_commits_of_gl_are_no_further_frames(recorder, weston):
    """Mesa's software driver commits wl_shm buffers within the swap."""
    if not shutil.which("weston-simple-egl"):
        pytest.skip("weston-simple-egl is not installed")
    recorder.run("egl", "timeout", "3", "weston-simple-egl", environment=weston.environment)
    text = recorder.dumpsys("gfxinfo", "egl").stdout
    assert "Pipeline=OpenGL (EGL)\n" in text
    assert text.count("visibility=") == 1, text


def test_presents_match_the_events_of_the_client(recorder, weston):
    """weston-presentation-shm prints the time from present to present of each of its frames (p2p, in us)."""
    if not shutil.which("weston-presentation-shm"):
        pytest.skip("weston-presentation-shm is not installed")
    done = recorder.run("shm", "timeout", "3", "stdbuf", "-oL", "weston-presentation-shm", "-f", options=["--release", "13"],
                        environment=weston.environment)
    told = [int(step) for step in re.findall(r"p2p +(\d+) us", done.stdout)]
    text = recorder.dumpsys("gfxinfo", "shm", "framestats", "since=0").stdout
    lines = re.search(r"---PROFILEDATA---\n(.*?)---PROFILEDATA---", text, re.S)[1].splitlines()
    present, completed = (lines[0].split(",").index(name) for name in ("DisplayPresentTime", "FrameCompleted"))
    cells = [[int(cell) for cell in line.strip(",").split(",")] for line in lines[1:]]
    presents = [row[present] for row in cells if row[present] > row[completed]]
    assert len(cells) >= len(told) > 50
    assert len(presents) >= len(told) - 5
    steps = {round((after - before) / 1e3) for before, after in zip(presents, presents[1:])}
    # The conversion of the compositor's clock adds an error of up to 20 us at each end.
    found = sum(any(abs(step - ours) <= 60 for ours in steps) for step in told[5:])
    assert found >= 0.9 * len(told[5:]), (sorted(steps), told)
