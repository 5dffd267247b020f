"""Frames are recorded however a program finds its swap function, and dlsym() stays unchanged for all other uses."""

import itertools
import os
import re
import shutil
import signal
import subprocess

import pytest

from displays import wait_until

SECONDS = 60
WAYS = ["glx-handle", "glx-default", "glx-address", "glx-address-arb", "glx-plugin",
        "egl-handle", "egl-address", "egl-damage", "egl-wrapped", "egl-failing"]


@pytest.fixture
def programs(build):
    folder = build / "tests/programs"
    if not (folder / "loaded_gl").exists():
        pytest.skip("the GL programs were not built: tools/deps tests")
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_every_frame_is_counted_once_by_whatever_way_it_is_presented(recorder, programs, x_server, way):
    result = recorder.run("app", programs / "loaded_gl", way, "50", environment=x_server.environment)
    assert (result.returncode, result.stdout, result.stderr) == (0, "50 frames\n", "")
    recorded = recorder.read("app")
    assert (recorded.total, len(recorded.rows)) == (50, 50)
    assert f"Pipeline=OpenGL ({way[:3].upper()})" in recorded.text


def test_frames_of_a_directly_linked_program(recorder, programs, x_server):
    result = recorder.run("app", programs / "scene", "--display", "x11", "--frames", "50", "--work", "0",
                          environment=x_server.environment)
    assert (result.returncode, result.stderr) == (0, "")
    assert recorder.read("app").total == 50


def test_what_dlsym_and_dlerror_say_stays_as_it_is(recorder, build):
    result = recorder.run("app", build / "tests/programs/lookups")
    assert (result.returncode, result.stdout) == (0, "done\n")


# Other preload objects

@pytest.mark.parametrize("order", list(itertools.permutations(["a", "ours", "b"])), ids="-".join)
def test_other_preload_objects_see_every_call_in_any_order(recorder, build, order):
    files = {"a": build / "tests/programs/libcounting_a.so", "b": build / "tests/programs/libcounting_b.so",
             "ours": build / "libdejank-hooks.so"}
    preload = ":".join(str(files[name]) for name in order)
    command = ["env", f"LD_PRELOAD={preload}", build / "tests/programs/swapper", "paced-threads", "1", "9"]
    result = recorder.run("app", *command)
    assert (result.returncode, result.stdout) == (0, "9 frames\n")
    first = files[order[0]].name
    assert sorted(result.stderr.splitlines()) == [f"{name}: poll 9 swap 9 first {first}" for name in "ab"]
    assert recorder.read("app").total == 9


def test_preload_objects_of_the_environment_stay_behind_us(recorder, build):
    other = build / "tests/programs/libcounting_a.so"
    result = recorder.run("app", build / "tests/programs/swapper", "paced-threads", "1", "9",
                          environment={"LD_PRELOAD": str(other)})
    assert "a: poll 9 swap 9 first libdejank-hooks.so" in result.stderr.splitlines()
    assert recorder.read("app").total == 9


def run_for_a_while(recorder, command, environment, frames=60):
    """Runs a program that does not end by itself until it has presented this number of frames. Returns its output."""
    process = recorder.start("app", *command, environment=environment)
    try:
        wait_until(lambda: process.poll() is not None or total_of(recorder) >= frames, SECONDS, f"{frames} frames")
        process.send_signal(signal.SIGTERM)
        return process.communicate(timeout=SECONDS)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def total_of(recorder):
    found = re.search(r"^Total frames rendered: (\d+)$", recorder.dumpsys("gfxinfo", "app").stdout, re.M)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("way", ["glx-handle", "glx-address-arb", "egl-handle", "egl-address"])
@pytest.mark.parametrize("other", ["libcounting_a.so", "libGL.so.1"])
def test_a_preload_object_that_a_look_up_passes_by_is_passed_by_with_us_too(recorder, programs, build, x_server, way, other):
    """The libraries are RTLD_LOCAL and found by handle. The hook of the other object finds no real function to call."""
    preload = build / "tests/programs" / other if other.startswith("libcounting") else other
    result = recorder.run("app", programs / "loaded_gl", way, "50",
                          environment={**x_server.environment, "LD_PRELOAD": str(preload)})
    assert (result.returncode, result.stdout) == (0, "50 frames\n"), result.stderr
    assert recorder.read("app").total == 50


@pytest.mark.skipif(not shutil.which("mangohud"), reason="no mangohud")
@pytest.mark.parametrize("way", ["glx-handle", "glx-address-arb"])
@pytest.mark.parametrize("outside", [True, False], ids=["around record", "inside record"])
def test_programs_that_look_swaps_up_under_mangohud(recorder, programs, x_server, way, outside):
    command = [programs / "loaded_gl", way, "50"]
    environment = {**recorder.environment, **x_server.environment, "MANGOHUD_CONFIG": "no_display"}
    record = recorder.command("app", *(command if outside else ["mangohud", "--dlsym", *command]))
    result = subprocess.run((["mangohud", "--dlsym"] if outside else []) + record, env=environment,
                            capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout) == (0, "50 frames\n"), result.stderr
    assert recorder.read("app").total == 50


@pytest.mark.skipif(not shutil.which("mangohud") or not shutil.which("glxgears"), reason="no mangohud or glxgears")
@pytest.mark.parametrize("option", ["--dlsym", None])
def test_mangohud_and_we_both_see_the_frames(recorder, x_server, tmp_path, option):
    logs = tmp_path / "logs"
    logs.mkdir()
    settings = f"output_folder={logs},autostart_log=1,log_duration=2,log_interval=0,fps_limit=60"
    process = recorder.start("app", "mangohud", *([option] if option else []), "glxgears",
                             environment={**x_server.environment, "MANGOHUD_CONFIG": settings})
    try:
        wait_until(lambda: any(log.stat().st_size > 0 for log in logs.iterdir()), SECONDS, "log of MangoHud")
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)
    assert total_of(recorder) >= 60


# Real programs, with the display and the pipeline that each one uses

APPS = [
    ("glxgears", "glxgears", "x11", "GLX"),
    ("es2gears_x11", "es2gears_x11", "x11", "EGL"),
    ("weston-simple-egl", "weston-simple-egl", "wayland", "EGL"),
    ("gtk4-demo", "gtk4-demo --run=gears", "x11", None),
]


@pytest.mark.parametrize("program, command, display, pipeline", APPS, ids=[app[0] for app in APPS])
def test_frames_of_real_programs(request, recorder, program, command, display, pipeline):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    server = request.getfixturevalue("x_server" if display == "x11" else "weston")
    environment = {**server.environment, "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory"}
    run_for_a_while(recorder, command.split(), environment)
    recorded = recorder.read("app")
    assert recorded.total >= 60
    assert pipeline is None or f"Pipeline=OpenGL ({pipeline})" in recorded.text


@pytest.mark.skipif(not shutil.which("glxgears"), reason="no glxgears")
def test_as_many_frames_as_the_program_counts(recorder, x_server):
    """glxgears prints its number of frames about every 5 s. It may present more frames before and after this period."""
    process = recorder.start("app", "stdbuf", "-oL", "glxgears", environment=x_server.environment)
    try:
        line = process.stdout.readline()
        while "frames in" not in line:
            line = process.stdout.readline()
        soon = total_of(recorder)
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)
    frames, seconds = re.match(r"(\d+) frames in ([\d.]+) seconds", line).groups()
    rate = int(frames) / float(seconds)
    assert int(frames) <= soon <= int(frames) + max(60, rate)
