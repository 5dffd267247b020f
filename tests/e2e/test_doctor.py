"""dejank doctor: missing parts of this machine, and the frame sources of a program that would be recorded."""

import json
import os
import re
import shutil
import subprocess

import pytest


@pytest.fixture
def doctor(recorder, build):
    def run(*words, environment=None):
        return subprocess.run([str(build / "dejank"), "doctor", *map(str, words)], capture_output=True, text=True, timeout=30,
                              env={**recorder.environment, **(environment or {})})

    return run


def reach_of(doctor, *command):
    result = doctor("--json", "--", *command)
    assert result.returncode == 0, result.stderr
    return {source["name"]: source["reach"] for source in json.loads(result.stdout)["program"]["sources"]}


def test_the_machine(doctor, recorder):
    result = doctor("--json")
    said = json.loads(result.stdout)
    assert said["schema"] == "dejank.doctor/1" and "program" not in said
    checks = {check["name"]: check for check in said["checks"]}
    assert result.returncode == 0
    assert checks["recorder"]["ok"] and checks["recorder"]["found"].endswith("libdejank-hooks.so")
    assert checks["recordings"] == {"name": "recordings", "ok": True, "found": recorder.environment["DEJANK_DIR"], "remedy": None}
    assert checks["adb"]["ok"] == (shutil.which("adb") is not None)
    assert checks["libraries"] == {"name": "libraries", "ok": True, "found": "all", "remedy": None}


def test_a_folder_that_cannot_be_recorded_into(doctor, tmp_path):
    (tmp_path / "file").write_text("")
    result = doctor(environment={"DEJANK_DIR": str(tmp_path / "file")})
    assert result.returncode == 4
    assert result.stdout.startswith("Recording does not work on this machine (failed: ")
    assert "recordings  failed" in result.stdout
    assert any(line.startswith("  DEJANK_DIR=") and line.endswith("fixes 'recordings'") for line in result.stdout.splitlines())


@pytest.mark.parametrize("program, source, reach", [
    ("glxgears", "GLX", "linked"), ("es2gears_x11", "EGL", "linked"), ("gtk4-demo", "GTK 4", "linked"), ("love", "SDL 2", "linked"),
    ("gtk3-widget-factory", "GTK 3", "linked"), ("love", "GLX", "may load"), ("/usr/lib/qt6/bin/qml", "Qt Quick", "may load"), ("sh", "GLX", "not seen")])
def test_a_programs_sources(doctor, program, source, reach):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    assert reach_of(doctor, program)[source] == reach


def test_a_script_is_its_interpreters_affair(doctor, tmp_path):
    script = tmp_path / "start"
    script.write_text("#!/usr/bin/env python3\nimport ctypes; ctypes.CDLL('libEGL.so.1')\n")
    script.chmod(0o755)
    result = doctor("--", script)
    assert result.returncode == 0
    assert "The command is a script" in result.stdout and "  dejank doctor -- python3" in result.stdout
    assert re.search(r"^EGL +may load ", result.stdout, re.M)


def test_a_program_that_cannot_be_recorded(doctor, tmp_path):
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    program = tmp_path / "static"
    done = subprocess.run(["gcc", "-static", "-x", "c", "-o", str(program), "-"], input="int main(void) { return 0; }",
                          text=True, capture_output=True)
    if done.returncode != 0:
        pytest.skip("gcc cannot link statically here")
    result = doctor("--", program)
    assert result.returncode == 4
    assert result.stdout.startswith("static cannot be recorded: it is statically linked")


def test_the_program_is_not_run(doctor, tmp_path, build):
    program = tmp_path / "app"
    shutil.copy(shutil.which("touch"), program)
    assert doctor("--", program, tmp_path / "ran").returncode == 0
    assert sorted(os.listdir(tmp_path)) == ["app", "segments"]


def test_no_such_program(doctor):
    result = doctor("--", "no-such-program-here")
    assert result.returncode == 4 and result.stdout == ""
    assert "there is no program 'no-such-program-here'" in result.stderr
