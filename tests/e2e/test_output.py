"""Results that cannot be written: every verb reports the error and ends with exit code 4. dumpsys ends with exit code 1."""

import json
import os
import subprocess

import pytest

import made_dumps as made

NO_ROOM = "No space left on device"
WORDS = [["parse", "DUMP"], ["parse", "DUMP", "--json"], ["parse", "DUMP", "--csv"], ["parse", "DUMP", "--frames"],
         ["parse", "--release", "11", "--replay", "FRAMES"], ["report", "DUMP"], ["collect", "-p", "app", "--for", "50ms"],
         ["--help"], ["--version"], ["parse", "--help"]]


@pytest.fixture
def run(recorder, build, tmp_path):
    """run(PROGRAM, WORD…): the program's exit code and stderr. Its stdout is a full disk. The app "ended" has ended, "app" runs."""
    swapper = build / "tests/programs/swapper"
    files = {"DUMP": tmp_path / "dump.txt", "FRAMES": tmp_path / "frames.jsonl"}
    files["DUMP"].write_text(made.dump(made.process("com.example.app", [("Main", made.frames(60))])))
    files["FRAMES"].write_text(json.dumps({"vsync_ns": 16666666, "sf_offset_ns": 0, "app_offset_ns": 0,
                                           "columns": ["Flags", "IntendedVsync", "FrameCompleted"],
                                           "frames": [[0, 10**9, 10**9 + 5 * 10**6]]}) + "\n")
    recorder.run("ended", swapper, "swap", "9")
    held = recorder.start("app", swapper, "exec-held", "1", "9")
    assert [held.stdout.readline() for _ in range(2)] == ["1 frames\n", "9 frames\n"]

    def to_full_disk(program, *words):
        words = [str(files.get(word, word)) for word in words]
        with open("/dev/full", "wb") as full:
            done = subprocess.run([build / program, *words], stdout=full, stderr=subprocess.PIPE, text=True,
                                  stdin=subprocess.DEVNULL, env=recorder.environment, timeout=30, check=False)
        return done.returncode, done.stderr

    yield to_full_disk
    held.terminate()
    held.communicate()


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_the_standard_output_is_full(run, words):
    code, err = run("dejank", *words)
    assert code == 4, err
    assert f"cannot write to the standard output: {NO_ROOM}" in err


@pytest.mark.parametrize("words", [["gfxinfo"], ["gfxinfo", "ended"], ["gfxinfo", "ended", "framestats"], ["-l"],
                                   ["--help"], ["dejank", "version"]], ids=" ".join)
def test_dumpsys_to_a_full_disk(run, words):
    code, err = run("dumpsys", *words)
    assert code == 1
    assert NO_ROOM in err


def test_the_standard_output_by_name_is_written_to(recorder, run, build, tmp_path):
    """dejank writes through a link to stdout, also if stdout is a file, and does not replace the link."""
    own = tmp_path / "stdout"
    own.symlink_to("/proc/self/fd/1")
    with open(tmp_path / "got", "wb") as got:
        done = subprocess.run([build / "dejank", "collect", "-p", "app", "--for", "50ms", "-o", own], stdout=got, stderr=subprocess.PIPE, text=True,
                              env=recorder.environment, timeout=30, check=False)
        assert "recovered 0 of 0 frames" in done.stderr and "cannot" not in done.stderr, done.stderr
        assert own.is_symlink() and got.fileno() and (tmp_path / "got").stat().st_ino == os.fstat(got.fileno()).st_ino
    assert "Applications Graphics Acceleration Info" in (tmp_path / "got").read_text()


@pytest.mark.parametrize("verb", ["report", "collect"])
@pytest.mark.parametrize("place", ["/dev/full", "/nonexistent/a.html", "/proc/a.html"])
def test_a_file_that_cannot_be_written(recorder, run, tmp_path, verb, place):
    link = tmp_path / "full.html"
    link.symlink_to("/dev/full")
    target = str(link) if place == "/dev/full" else place
    words = {"report": ["report", tmp_path / "dump.txt"], "collect": ["collect", "-p", "app", "--for", "50ms"]}[verb]
    done = recorder.dejank(*map(str, words), "-o", target)
    assert done.returncode == 4, done.stderr
    assert f"cannot write {target}: " in done.stderr
