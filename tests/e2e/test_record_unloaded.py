"""Programs that close the library with their swap function, and contexts and windows that are destroyed while in use."""

import re
import shutil
import subprocess

import pytest


@pytest.mark.parametrize("order", ["a a a a a a a a", "a b a b", "a b a c c b a", "a a b c d a b c d"])
def test_a_swap_library_that_is_closed_and_opened_again(recorder, build, tmp_path, order):
    libraries = []
    for name in order.split():
        library = tmp_path / f"libGL-{name}.so"
        if not library.exists():
            shutil.copy(build / "tests/programs/libfake_gl.so", library)
        libraries.append(library)
    result = recorder.run("app", build / "tests/programs/reloaded", *libraries)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{10 * len(libraries)} frames\n"
    assert recorder.read("app").total == 10 * len(libraries)


def test_a_library_of_which_a_hooked_function_was_looked_up_stays_loaded(recorder, build):
    """docs/hooks.md states this: after the program closed the library, its functions can still be found and called."""
    unloaded = [build / "tests/programs/unloaded", "look", build / "tests/programs/libfake_gl.so"]
    plain = subprocess.run(unloaded, capture_output=True, text=True, timeout=60, check=False)
    assert (plain.returncode, plain.stdout) == (0, "not found\n"), plain.stderr
    result = recorder.run("app", *unloaded)
    assert (result.returncode, result.stdout) == (0, "found\n"), result.stderr
    assert recorder.read("app").total == 5


def test_any_other_library_is_unloaded_as_without_the_recorder(recorder, build):
    result = recorder.run("app", build / "tests/programs/unloaded", "open", build / "tests/programs/libfake_gl.so")
    assert (result.returncode, result.stdout) == (0, "not found\n"), result.stderr


@pytest.mark.parametrize("what, frames", [("threads", 4 * 60), ("destroyed", 60), ("window", 60)])
def test_contexts_that_come_and_go(recorder, build, x_server, what, frames):
    program = build / "tests/programs/contexts"
    if not program.exists():
        pytest.skip("the GL programs were not built: tools/deps tests")
    result = recorder.run("app", program, what, "60", environment=x_server.environment)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")
    text = recorder.dumpsys("gfxinfo", "app").stdout
    dropped = sum(map(int, re.findall(r"^Note: (\d+) frames were not recorded$", text, re.M)))
    assert recorder.read("app").total + dropped == frames
    assert dropped <= frames // 2, "only while the first windows open"
