"""Libraries that are loaded at first use: without them, everything else works, and features that need them report it."""

import json
import os
import subprocess

import pytest

import made_dumps as made

# The name of each library in the output of doctor, and the file that is loaded.
LOADED = {"libatspi": "libatspi.so.0", "cairo": "libcairo.so.2", "libpq": "libpq.so.5", "libdw": "libdw.so.1"}


@pytest.fixture
def dejank(build, tmp_path):
    """Runs dejank so that none of these libraries can be loaded: the loader finds an empty file with the same name first."""
    folder = tmp_path / "empty"
    folder.mkdir()
    for soname in LOADED.values():
        (folder / soname).touch()

    def run(*words):
        return subprocess.run([build / "dejank", *map(str, words)], text=True, capture_output=True, timeout=60, cwd=tmp_path,
                              env={**os.environ, "LD_LIBRARY_PATH": str(folder), "DEJANK_DIR": str(tmp_path / "segments")})
    return run


def dump(path):
    path.write_text(made.dump(made.process("com.example.app", [("Main", made.frames(5))])), encoding="utf-8")
    return path.name


def test_what_needs_none_of_them_works(dejank, tmp_path):
    assert dejank("--version").returncode == 0
    read = dejank("parse", dump(tmp_path / "dump.txt"), "--json")
    assert read.returncode == 0, read.stderr
    assert json.loads(read.stdout)


@pytest.mark.parametrize("name", LOADED)
def test_doctor_tells_which_are_not_installed(dejank, name):
    checks = {check["name"]: check for check in json.loads(dejank("doctor", "--json").stdout)["checks"]}
    libraries = checks["libraries"]
    assert not libraries["ok"] and libraries["remedy"] == "make deps"
    [said] = [one for one in libraries["found"].removeprefix("without ").split("), ") if one.startswith(name)]
    assert said.rstrip(")").endswith("; not installed")


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_picture_says_what_it_needs(dejank, tmp_path, suffix):
    result = dejank("report", dump(tmp_path / "dump.txt"), "-o", f"x.{suffix}")
    assert (result.returncode, result.stdout) == (2, "")
    assert "pictures (.svg, .png) need libcairo.so.2; run: apt-get install libcairo2 (" in result.stderr
    assert result.stderr.count("\n") == 1 and not (tmp_path / f"x.{suffix}").exists()


def test_a_recording_for_a_picture_is_refused_before_the_program_starts(dejank, tmp_path):
    result = dejank("record", "--report", "x.svg", "--", "touch", "started")
    assert result.returncode == 2 and "need libcairo.so.2" in result.stderr
    assert not (tmp_path / "started").exists()


def test_a_store_on_a_server_says_what_it_needs(dejank):
    result = dejank("list", "--store", "postgresql://me:secret@127.0.0.1:1/runs")
    assert (result.returncode, result.stdout) == (2, "")
    assert ("postgresql://me@127.0.0.1:1/runs: stores on a PostgreSQL server need libpq.so.5; run: apt-get install libpq5 ("
            in result.stderr)
    assert result.stderr.count("\n") == 1
