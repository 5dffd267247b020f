"""Compares the unwinder with libdwfl of elfutils on sampled stacks of programs: if both find all callers, all addresses are equal."""

import json
import shutil
import subprocess

import pytest

from displays import XServer

NOT_PERMITTED = 77
SECONDS = 3
MIN_SAMPLES = 20  # a program that mostly waits has few
# Toolkits have deep stacks, so the copies have 64 kB. A lower rate avoids lost samples.
SMALL = ["--rate", "500", "--stack", "32768"]
LARGE = ["--rate", "250", "--stack", "65528", "--seconds", "6"]
PYTHON = """
import json
def deep(n):
    return deep(n - 1) if n else json.dumps({str(i): [i] * 10 for i in range(100)})
while True:
    deep(12)
    sorted(range(1000), key=lambda x: -x)
"""


@pytest.fixture
def oracle(build):
    program = build / "tests/programs/stack_oracle"
    if not program.exists():
        pytest.skip("libdw-dev is not installed, or this is no x86-64 machine")

    def run(*words, options=(), environment=None):
        command = [program, "--seconds", str(SECONDS), "--show", "3", *options, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
        if done.returncode == NOT_PERMITTED:
            pytest.skip(f"perf events are not permitted: {done.stderr.strip()}")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), done.stderr

    return run


def check(found, stderr):
    if found["lost"] > 0:
        pytest.skip(f"this machine is too busy: {found['lost']} records were lost")
    assert found["samples"] >= MIN_SAMPLES, stderr
    whole = found["samples"] - found["cut"]
    assert found["complete"] >= 0.99 * whole, stderr
    assert whole >= 0.9 * found["samples"], "few stacks are deeper than 64 kB"
    assert found["sure_equal"] == found["sure"], stderr
    assert found["sure"] >= 0.3 * found["samples"], "the comparison needs stacks that libdwfl completes, too"


@pytest.mark.parametrize("name", ["stack_shapes", "stack_shapes_stripped"])
def test_equals_libdwfl_in_c_and_stripped_cpp(oracle, build, name):
    program = build / "tests/programs" / name
    if not program.exists():
        pytest.skip("there is no C++ compiler")
    found, stderr = oracle(program, options=SMALL)
    check(found, stderr)
    assert found["guessed"] == 0, "these programs have unwind information everywhere"
    assert found["frames"] >= 4 * found["samples"]


def test_a_short_copy_of_the_stack_is_reported_as_incomplete(oracle, build):
    found, stderr = oracle(build / "tests/programs/stack_shapes", options=["--rate", "200", "--stack", "256", "--seconds", "1.5"])
    assert found["samples"] > 0, stderr
    assert found["complete"] < 0.5 * found["samples"]
    assert found["complete"] + found["cut"] >= 0.99 * found["samples"], stderr
    assert found["sure_equal"] == found["sure"], stderr


@pytest.mark.slow
def test_equals_libdwfl_in_python(oracle):
    check(*oracle("/usr/bin/python3", "-c", PYTHON, options=SMALL))


@pytest.mark.slow
@pytest.mark.parametrize("command", [["glxgears"], ["gtk4-widget-factory"], ["qmlscene", "{qml}"], ["/usr/games/neverball"]],
                         ids=["glxgears", "gtk4", "qmlscene", "neverball"])
def test_equals_libdwfl_in_graphical_programs(oracle, tmp_path, command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    qml = tmp_path / "scene.qml"
    qml.write_text("import QtQuick 2.15\nRectangle { width: 400; height: 300\n"
                   "Repeater { model: 60; Rectangle { width: 40; height: 40; x: index * 5; color: 'red'\n"
                   "RotationAnimation on rotation { from: 0; to: 360; duration: 700; loops: Animation.Infinite } } } }\n")
    display = XServer()
    try:
        environment = {"PATH": "/usr/bin:/bin:/usr/games", "HOME": str(tmp_path), "LIBGL_ALWAYS_SOFTWARE": "1",
                       "QT_QPA_PLATFORM": "xcb", "GDK_BACKEND": "x11", **display.environment}
        words = [word.format(qml=qml) for word in command]
        check(*oracle(*words, options=LARGE, environment=environment))
    finally:
        display.close()
