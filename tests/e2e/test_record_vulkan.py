"""Vulkan programs, recorded through the layer: counted frames, waiting times and GPU times."""

import itertools
import json
import os
import re
import shutil
import subprocess

import pytest

import vulkan_drivers
from recorded import rows_of, truth_of
from timed import Disturbed, timed

INTERVAL_MS = 1000 / 60
names = (f"vulkan{number}" for number in itertools.count())
GPU = re.compile(r"^GPU HISTOGRAM: (.*)$", re.M)


@pytest.fixture(scope="session")
def mesa(build):
    """mesa("installed" or "newer"): the environment for that driver."""
    found = {"installed": vulkan_drivers.installed(), "newer": vulkan_drivers.newer(build)}

    def choose(which):
        if found[which] is None or not shutil.which("vulkaninfo"):
            pytest.skip(f"no {which} Mesa Vulkan driver, or no vulkaninfo: tools/deps tests")
        return found[which]

    return choose


@pytest.fixture
def scene(build):
    program = build / "tests/programs/vulkan_scene"
    if not program.exists():
        pytest.skip("the Vulkan scene was not built: tools/deps tests")
    return program


@pytest.fixture
def displays(request):
    """displays("x11" or "wayland"): the environment for a display of that kind."""
    fixtures = {"x11": "x_server", "wayland": "weston"}
    return lambda kind: request.getfixturevalue(fixtures[kind]).environment


@pytest.fixture
def play(recorder, scene, mesa, displays):
    """play(KIND, MESA, OPTION…) records a scene to its end. Returns the recording and the scene's output."""

    def run(kind, driver, *options, environment=None):
        name = next(names)
        result = recorder.run(name, scene, "--display", kind, *options,
                              environment={**displays(kind), **mesa(driver), **(environment or {})})
        assert result.returncode == 0, result.stderr
        return recorder.read(name), result.stdout

    return run


def stamps(kind, output):
    return [int(ns) for ns in re.findall(rf"^{kind} \d+ at_ns (\d+)$", output, re.M)]


def columns(text):
    """Every framestats row as {column: number}."""
    rows, header = [], None
    for line in text.splitlines():
        if line.startswith("Flags,"):
            header = line.rstrip(",").split(",")
        elif header and re.fullmatch(r"(-?\d+,)+", line):
            rows.append(dict(zip(header, map(int, line.rstrip(",").split(",")))))
        elif line == "---PROFILEDATA---":
            header = None
    return rows


def gpu_times_told(text):
    """Number of frames in the process's GPU histogram."""
    return sum(int(pair.split("=")[1]) for pair in GPU.search(text)[1].split())


EVERYWHERE = pytest.mark.parametrize("kind", ["wayland", "x11"])
BOTH_MESAS = pytest.mark.parametrize("driver", ["installed", "newer"])


def test_the_two_drivers_are_two(mesa):
    versions = [vulkan_drivers.version_of({**os.environ, **mesa(which)}) for which in ("installed", "newer")]
    assert versions[0] == 22 and versions[1] > versions[0], versions


@BOTH_MESAS
@EVERYWHERE
@pytest.mark.parametrize("acquire", ["first", "middle"])
@timed
def test_late_frames_are_found_and_no_others(play, kind, driver, acquire):
    pace = [] if kind == "wayland" else ["--pace", "16.667"]
    recorded, output = play(kind, driver, "--work", "8", "--late-every", "7", "--late", "22", "--frames", "119",
                            "--acquire", acquire, *pace)
    truth = truth_of(output)
    if sum(frame.work_ms > frame.planned_ms + 1.5 for frame in truth) > len(truth) // 10:
        raise Disturbed
    waits = [float(ms) for ms in re.findall(r"^acquired \d+ took_ms (\S+)$", output, re.M)]
    most = [frame.work_ms + max(0, wait - INTERVAL_MS) + 2 + (3 if kind == "wayland" else frame.swap_ms)
            for frame, wait in zip(truth, waits)]
    assert recorded.total == len(recorded.rows) == len(truth)
    short = [(row.frame_ms, frame.work_ms) for row, frame in zip(recorded.rows, truth) if row.frame_ms < frame.work_ms]
    long = [(row.frame_ms, limit) for row, limit in zip(recorded.rows[1:], most[1:]) if row.frame_ms > limit]
    assert not short
    assert len(long) <= len(truth) // 10, long
    late = {index for index, row in enumerate(recorded.rows) if row.frame_ms > INTERVAL_MS}
    planted = set(range(6, 119, 7))
    assert planted <= late
    could_be = {index for index, limit in enumerate(most) if limit > INTERVAL_MS}
    assert len(late - planted - could_be - {0}) <= 2


@BOTH_MESAS
@EVERYWHERE
@timed
def test_a_delayed_fence_shows_in_the_gpu_time(play, kind, driver):
    """The GPU work of each frame waits for a semaphore that the program signals 12 ms late. No frame may be complete before that."""
    recorded, output = play(kind, driver, "--work", "2", "--pace", "30", "--gpu-late", "12", "--frames", "60")
    signalled = stamps("signalled", output)
    rows = columns(recorded.text)
    assert len(rows) == len(signalled) == 60
    assert gpu_times_told(recorded.text) >= 50
    early = [row for row, ns in zip(rows, signalled) if row["GpuCompleted"] < ns]
    assert not early
    took = [(row["GpuCompleted"] - row["SwapBuffers"]) / 1e6 for row in rows]
    soon = [ms for ms, row, ns in zip(took, rows, signalled) if row["GpuCompleted"] < ns + 2_000_000]
    assert min(took) > 11
    assert len(soon) >= 50, took


@EVERYWHERE
@timed
def test_gpu_times_lie_within_what_the_program_saw(play, kind):
    recorded, output = play(kind, "installed", "--work", "4", "--pace", "20", "--frames", "60")
    presented = stamps("presented", output)
    rows = columns(recorded.text)
    assert gpu_times_told(recorded.text) >= 50
    assert all(row["SwapBuffers"] <= row["GpuCompleted"] for row in rows)
    # Mesa's software path presents an image only after it is drawn.
    assert all(row["GpuCompleted"] <= ns for row, ns in zip(rows, presented))


@pytest.mark.parametrize("kind", ["wayland", "x11"])
def test_two_windows_of_one_present_are_two_windows(play, kind):
    recorded, output = play(kind, "installed", "--frames", "40", "--windows", "2")
    assert output.endswith("done 40 failed 0\n")
    assert recorded.total == 80
    titles = set(re.findall(r"Vulkan surface 0x[0-9a-f]+", recorded.text))
    assert len(titles) == 2
    rows = rows_of(recorded.text)
    assert len(rows) == 80
    assert [row.start_ns for row in rows[:40]] == [row.start_ns for row in rows[40:]]


@EVERYWHERE
def test_swapchains_of_one_surface_are_one_window(play, kind):
    recorded, _ = play(kind, "installed", "--frames", "60", "--recreate-every", "10")
    assert recorded.total == len(recorded.rows) == 60
    assert len(set(re.findall(r"Vulkan surface 0x[0-9a-f]+", recorded.text))) == 1


def test_a_present_that_fails_is_no_frame(play):
    recorded, output = play("x11", "newer", "--frames", "100", "--resize-every", "10")
    shown, failed = map(int, re.search(r"^done (\d+) failed (\d+)$", output, re.M).groups())
    assert failed > 0 and shown + failed == 100, "the driver let every present pass: the test proves nothing"
    assert recorded.total == len(recorded.rows) == shown


@EVERYWHERE
@BOTH_MESAS
def test_validation_finds_no_fault_with_what_the_layer_calls(recorder, scene, mesa, displays, kind, driver):
    """The validation layer sees the calls of dejank's layer and of the app. It finds only the fault that the app plants."""
    environment = {**displays(kind), **mesa(driver), "VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"}
    if not shutil.which("vulkaninfo") or "VK_LAYER_KHRONOS_validation" not in subprocess.run(
            ["vulkaninfo"], env={**os.environ, **environment}, capture_output=True, text=True, check=False).stdout:
        pytest.skip("no validation layer: tools/deps tests")
    for fault, found in [([], 0), (["--wrong"], 1)]:
        name = next(names)
        command = ["--display", kind, "--frames", "20", "--windows", "2", "--recreate-every", "7", "--gpu-late", "3", *fault]
        result = recorder.run(name, scene, *command, environment=environment)
        assert result.returncode == 0, result.stderr
        faults = [line for line in (result.stdout + result.stderr).splitlines() if line.startswith("VUID-")
                  or "Validation Error" in line or line.startswith("UNASSIGNED")]
        assert len({line.split("(")[0] for line in faults}) == found, faults
        assert recorder.read(name).total == 40


@EVERYWHERE
@BOTH_MESAS
def test_vkcube_ends_the_same_with_the_recorder(recorder, mesa, displays, kind, driver):
    program = {"x11": "vkcube", "wayland": "vkcube-wayland"}[kind]
    if not shutil.which(program):
        pytest.skip(f"{program} is not there: tools/deps tests")
    environment = {**displays(kind), **mesa(driver)}
    plain = subprocess.run([program, "--c", "120"], env={**recorder.environment, **environment}, capture_output=True, text=True,
                           timeout=60, check=False)
    name = next(names)
    result = recorder.run(name, program, "--c", "120", environment=environment)
    said = "".join(line for line in result.stderr.splitlines(True) if not line.startswith("dejank record: "))
    assert (result.returncode, result.stdout, said) == (plain.returncode, plain.stdout, plain.stderr)
    assert plain.returncode == 0
    recorded = recorder.read(name)
    assert recorded.total == len(recorded.rows) == 120
    assert "Pipeline=Vulkan\n" in recorded.text
    # The CPU draws the frames, which takes time. The first frame compiles shaders.
    assert gpu_times_told(recorded.text) >= 110


def test_another_layer_that_watches_frames_gets_on_with_ours(recorder, mesa, displays, tmp_path):
    """MangoHud looks up vkCreateDevice without an instance."""
    if not shutil.which("mangohud") or not shutil.which("vkcube"):
        pytest.skip("no mangohud or no vkcube")
    watched = {"MANGOHUD": "1", "MANGOHUD_CONFIG": "no_display", "HOME": str(tmp_path)}
    name = next(names)
    result = recorder.run(name, "vkcube", "--c", "60", environment={**displays("x11"), **mesa("installed"), **watched})
    assert result.returncode == 0, result.stderr
    assert recorder.read(name).total == 60


@pytest.fixture
def implicit(build, tmp_path):
    """Installs the layer in a data folder of the test. Returns the environment that enables it."""
    folder = tmp_path / "data/vulkan/implicit_layer.d"
    folder.mkdir(parents=True)
    shutil.copy(build / "src/guest/hooks/dejank_layer.json", folder)
    return {"XDG_DATA_HOME": str(tmp_path / "data"), "DEJANK_VULKAN": "1"}


def test_a_layer_installed_and_named_counts_once(play, implicit):
    recorded, _ = play("x11", "installed", "--frames", "30", environment=implicit)
    assert recorded.total == len(recorded.rows) == 30


def test_another_copy_of_the_layer_leaves_it_to_the_preloaded_one(play, implicit, build, tmp_path):
    """An installed dejank and one in a build folder: one of them records, and there is one segment."""
    copy = tmp_path / "libdejank-hooks.so"
    shutil.copy(build / "libdejank-hooks.so", copy)
    manifest = tmp_path / "data/vulkan/implicit_layer.d/dejank_layer.json"
    content = json.loads(manifest.read_text())
    content["layer"]["library_path"] = str(copy)
    manifest.write_text(json.dumps(content))
    recorded, _ = play("x11", "installed", "--frames", "30", environment=implicit)
    assert recorded.total == 30
    assert recorded.text.count("** Graphics info for pid") == 1


def test_the_layer_alone_records_too(recorder, scene, mesa, displays, implicit):
    """Without LD_PRELOAD, the layer records the app's frames, but the app's waits are unknown."""
    environment = {**recorder.environment, **displays("x11"), **mesa("installed"), **implicit, "DEJANK_NAME": "alone"}
    result = subprocess.run([scene, "--frames", "30"], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    assert recorder.read("alone").total == 30


def test_an_installed_layer_is_off_until_asked_for(recorder, scene, mesa, displays, implicit):
    del implicit["DEJANK_VULKAN"]
    environment = {**recorder.environment, **displays("x11"), **mesa("installed"), **implicit, "DEJANK_NAME": "off"}
    assert subprocess.run([scene, "--frames", "5"], env=environment, capture_output=True, timeout=60, check=False).returncode == 0
    assert "Graphics info for pid" not in recorder.dumpsys("gfxinfo", "off").stdout


def variables(text):
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def test_layers_of_the_users_own_stay(recorder, build, tmp_path):
    """dejank adds its layer before the layers and paths that the environment already names."""
    folder = build / "src/guest/hooks"
    named = {"VK_INSTANCE_LAYERS": "VK_LAYER_MESA_overlay", "VK_ADD_LAYER_PATH": "/one:/two"}
    shown = variables(recorder.run(next(names), "/usr/bin/env", environment=named).stdout)
    ours, others = shown["VK_ADD_LAYER_PATH"].split(":", 1)
    assert os.path.samefile(ours, folder) and others == "/one:/two"
    assert shown["VK_INSTANCE_LAYERS"] == "VK_LAYER_DEJANK_record:VK_LAYER_MESA_overlay"
    shown = variables(recorder.run(next(names), "/usr/bin/env", environment={"VK_LAYER_PATH": str(tmp_path)}).stdout)
    ours, others = shown["VK_LAYER_PATH"].split(":", 1)
    assert os.path.samefile(ours, folder) and others == str(tmp_path)
    assert "VK_ADD_LAYER_PATH" not in shown
