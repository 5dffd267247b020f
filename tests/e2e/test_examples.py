"""Examples of libdejank: their recordings are read back, and they compile and run against an installed copy."""
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from recorded import rows_of
from timed import timed

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {"panel": "c", "embedded": "c", "sections": "c", "sections-cpp": "cpp"}


@pytest.fixture
def example(recorder, build):
    """example(NAME, WORDS…) runs an example without `dejank record`. Returns its output."""

    def run(name, *words, program=None):
        program = program or build / f"examples/example-{name}"
        if not program.exists():
            pytest.skip(f"{program.name} was not built")
        done = subprocess.run([program, *map(str, words)], env=recorder.environment, capture_output=True, text=True,
                              timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def trace_of(recorder, name):
    done = recorder.dejank("trace", "read", name, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def columns_of(text):
    lines = text.splitlines()
    at = lines.index("---PROFILEDATA---") + 1
    header = lines[at].split(",")
    for line in lines[at + 1:]:
        if not line[:1].isdigit():
            return
        yield dict(zip(header, map(int, filter(None, line.split(",")))))


@timed
def test_the_panels_layout_is_what_janks(example, recorder):
    assert example("panel", 60) == "showed 60 frames\n"
    text = recorder.dumpsys("gfxinfo", "example-panel", "framestats").stdout
    assert "Total frames rendered: 60\n" in text
    assert "Pipeline=declared by the app" in text
    assert "\texample-panel/front panel@" in text
    assert not re.search("assumed", text), "the panel told its interval"
    assert re.search(r"^\s*Note: not recorded: OldestInputEvent, NewestInputEvent, HandleInputStart, AnimationStart,",
                     text, re.M)
    rows = list(columns_of(text))
    assert len(rows) == 60
    order = ["IntendedVsync", "Vsync", "PerformTraversalsStart", "DrawStart", "SyncQueued", "SyncStart",
             "IssueDrawCommandsStart", "SwapBuffers", "FrameCompleted"]
    for row in rows:
        stamps = [row[name] for name in order]
        assert stamps == sorted(stamps)
    layout_ms = [(row["DrawStart"] - row["PerformTraversalsStart"]) / 1e6 for row in rows]
    assert all(layout_ms[i] >= 20 for i in range(9, 60, 10))
    assert sum(ms < 10 for ms in layout_ms) >= 50
    # The vsyncs are those of the frames, so idle time does not change the steps between them.
    steps = {round((b["IntendedVsync"] - a["IntendedVsync"]) / 16666667, 3) for a, b in zip(rows, rows[1:])}
    assert steps <= {1.0, 2.0}
    assert len(rows_of(text)) == 60


def test_the_embedded_loop_draws_only_what_is_new(example, recorder):
    example("embedded", 31)
    text = recorder.dumpsys("gfxinfo", "example-embedded", "framestats").stdout
    assert "Total frames rendered: 11\n" in text
    trace = trace_of(recorder, "example-embedded")
    assert Counter(s["name"] for s in trace["slices"]) == {"sensor": 31}
    assert [c["value"] for c in trace["counters"]] == [i // 3 for i in range(31)]
    # Without the recorder, the waits of the loop are unknown: a frame starts at its begin call, after the sensor's 2 ms.
    sensor_ends = [s["end_ns"] for s in trace["slices"]]
    for row in columns_of(text):
        assert row["IntendedVsync"] > max(end for end in sensor_ends if end < row["FrameCompleted"])


def test_under_the_recorder_a_frame_starts_where_its_loop_woke(recorder, build):
    done = recorder.run("loop", build / "examples/example-embedded", 31)
    assert done.returncode == 0
    text = recorder.dumpsys("gfxinfo", "loop", "framestats").stdout
    assert "Total frames rendered: 11\n" in text
    naps = trace_of(recorder, "loop")["slices"]
    for row in list(columns_of(text))[1:]:
        # The loop woke inside the section in which it slept.
        assert any(nap["start_ns"] < row["IntendedVsync"] <= nap["end_ns"] for nap in naps)


def test_the_sections_of_two_threads(example, recorder):
    assert example("sections", 40) == "40 jobs\n"
    trace = trace_of(recorder, "example-sections")
    jobs = trace["async"]
    assert sorted(job["cookie"] for job in jobs) == list(range(40))
    assert {job["tid"] for job in jobs} != {job["end_tid"] for job in jobs}
    assert all(job["start_ns"] < job["end_ns"] for job in jobs)
    found = Counter(s["name"] for s in trace["slices"])
    assert found["all"] == 1 and found["decode"] == 40
    assert all(found[f"store job {i}"] == 1 for i in range(40))
    assert len(trace["counters"]) == 80 and trace["counters"][-1]["value"] == 0
    assert len({s["tid"] for s in trace["slices"]}) == 2


def test_the_blocks_of_cpp_end_their_sections_also_by_an_exception(example, recorder):
    assert example("sections-cpp") == "6 values\n"
    trace = trace_of(recorder, "example-sections-cpp")
    assert [(s["name"], s["depth"]) for s in trace["slices"]] == [("load", 0)] + [("parse", 1)] * 9
    assert all(s["end_ns"] is not None for s in trace["slices"])
    assert [c["value"] for c in trace["counters"]] == [2, 5, 8]
    assert "Total frames rendered: 1\n" in recorder.dumpsys("gfxinfo", "example-sections-cpp").stdout


@pytest.fixture(scope="module")
def installed(build, tmp_path_factory):
    """(folder, prefix) of the build, installed into a new folder. The prefix is inside the folder."""
    if not shutil.which("meson"):
        pytest.skip("meson is missing: tools/deps build")
    place = tmp_path_factory.mktemp("installed")
    subprocess.run(["meson", "install", "--quiet", "--no-rebuild", "-C", build, "--destdir", place], check=True,
                   timeout=120)
    prefix, = (path.parent.parent for path in place.rglob("bin/dejank"))
    return place, prefix


def test_what_is_installed(installed):
    _, prefix = installed
    found = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    library = next(path for path in found if path.endswith("/libdejank.so"))[:-len("/libdejank.so")]
    wanted = {"bin/dejank", "bin/dumpsys", "include/dejank/frames.h", "include/dejank/sections.h",
              f"{library}/dejank/libdejank-hooks.so", f"{library}/pkgconfig/dejank.pc", f"{library}/libdejank.so.0",
              "share/man/man1/dejank.1", "share/man/man1/dumpsys.1", "share/man/man3/dejank.3"}
    assert wanted <= found
    assert not [path for path in found if re.search(r"example|test|fuzz|bench|\.a$", path)]


def pkg_config(place, prefix, *words):
    folder = next(prefix.rglob("pkgconfig"))
    inner = "/" + str(prefix.relative_to(place))
    answer = subprocess.run(["pkg-config", *words, "dejank"], check=True, capture_output=True, text=True, timeout=20,
                            env={**os.environ, "PKG_CONFIG_LIBDIR": str(folder)}).stdout.split()
    # The paths in the installed .pc file do not contain $DESTDIR.
    return [word.replace(inner, str(prefix), 1) for word in answer]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_compiles_against_what_is_installed_and_runs(installed, example, recorder, tmp_path, name):
    place, prefix = installed
    compiler = "c++" if EXAMPLES[name] == "cpp" else "cc"
    if not shutil.which(compiler) or not shutil.which("pkg-config"):
        pytest.skip(f"{compiler} or pkg-config is missing")
    source = ROOT / "examples" / (f"{name}.c" if compiler == "cc" else "sections.cpp")
    standard = ["-std=c11"] if compiler == "cc" else ["-std=c++11"]
    program = tmp_path / name
    libraries = next(prefix.rglob("libdejank.so")).parent
    subprocess.run([compiler, *standard, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror",
                    *pkg_config(place, prefix, "--cflags"), source, "-o", program,
                    *pkg_config(place, prefix, "--libs"), f"-Wl,-rpath,{libraries}", "-pthread"], check=True, timeout=60)
    example(name, *([4] if compiler == "cc" else []), program=program)
    if name.startswith("sections"):
        assert trace_of(recorder, name)["slices"]
    else:
        assert f"[{name}]" in recorder.dumpsys("gfxinfo", name).stdout


def test_the_installed_tool_finds_its_hooks_wherever_it_stands(installed, recorder, tmp_path, build):
    _, prefix = installed
    done = subprocess.run([prefix / "bin/dejank", "record", "--name", "moved", "--", build / "examples/example-embedded", "4"],
                          env=recorder.environment, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0
    assert "cannot be recorded" not in done.stderr
    loaded = subprocess.run([prefix / "bin/dejank", "record", "--", "sh", "-c", "echo $LD_PRELOAD"],
                            env=recorder.environment, capture_output=True, text=True, timeout=30).stdout
    assert loaded.startswith(str(prefix))


def test_it_can_be_taken_away_again(build, tmp_path):
    if not shutil.which("meson") or not shutil.which("ninja"):
        pytest.skip("meson or ninja is missing: tools/deps build")
    subprocess.run(["meson", "install", "--quiet", "--no-rebuild", "-C", build, "--destdir", tmp_path], check=True, timeout=120)
    assert list(tmp_path.rglob("libdejank.so*"))
    subprocess.run(["ninja", "--quiet", "-C", build, "uninstall"], check=True, capture_output=True, timeout=120)
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []


def make_install(*variables):
    return subprocess.run(["make", "--no-print-directory", "install", *variables], cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed: tools/deps build")
class TestMakeInstall:
    def test_installs_what_is_built_without_compiling(self, build, tmp_path):
        (tmp_path / "bin").mkdir()
        for tool in ("ninja", "cc", "gcc"):
            (tmp_path / "bin" / tool).write_text("#!/bin/sh\nexit 1\n")
            (tmp_path / "bin" / tool).chmod(0o755)
        done = make_install(f"BUILD={build}", f"DESTDIR={tmp_path / 'root'}", f"PATH={tmp_path / 'bin'}:{os.environ['PATH']}")
        assert done.returncode == 0, done.stderr
        assert list((tmp_path / "root").rglob("bin/dejank"))

    def test_says_that_nothing_is_built(self, tmp_path):
        done = make_install(f"BUILD={tmp_path / 'none'}", f"DESTDIR={tmp_path / 'root'}")
        assert done.returncode != 0
        assert f"error: nothing is built in the folder '{tmp_path / 'none'}'\nhint: run 'make' first" in done.stderr
        assert list(tmp_path.iterdir()) == []

    def test_names_the_prefix_of_the_build(self, build, tmp_path):
        done = make_install(f"BUILD={build}", "PREFIX=/elsewhere", f"DESTDIR={tmp_path / 'root'}")
        assert done.returncode != 0
        assert "not /elsewhere\nhint: run 'make PREFIX=/elsewhere' first" in done.stderr
        assert list(tmp_path.iterdir()) == []
