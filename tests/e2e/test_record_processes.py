"""Records processes and threads of every kind. Each frame goes to the right segment and counts once, as recorded or as dropped.
The programs present frames through a libGL that does nothing (tests/programs/fake_gl.c)."""

import re
import shutil

import pytest

SECTION = re.compile(r"^\*\* Graphics info for pid (\d+) \[(.*)\] \*\*$", re.M)
TOTAL = re.compile(r"^Total frames rendered: (\d+)$", re.M)


@pytest.fixture
def swapper(recorder, build):
    """swapper(WHAT, …) records the program as "app". Returns the sorted [(process name, frames)] that dumpsys prints."""

    def run(*words, lines=1):
        result = recorder.run("app", build / "tests/programs/swapper", *words)
        assert (result.returncode, result.stderr) == (0, "")
        assert len(result.stdout.splitlines()) == lines, result.stdout
        return processes(recorder.dumpsys("gfxinfo").stdout)

    return run


def processes(text):
    parts = SECTION.split(text)[1:]
    return sorted((name, int(TOTAL.search(section)[1])) for _, name, section in zip(*[iter(parts)] * 3))


@pytest.mark.parametrize("way", ["fork", "_Fork", "clone"])
def test_a_child_without_exec_has_a_segment_of_its_own(swapper, way):
    assert swapper(way, 5, 7, lines=2) == [("app", 10), ("app:swapper", 7)]


@pytest.mark.parametrize("kernel", ["ignore", "refuse"])
@pytest.mark.parametrize("way", ["fork", "_Fork", "clone", "fork-threads"])
def test_a_child_where_the_kernel_does_not_wipe_on_fork(recorder, build, way, kernel):
    """Some emulators ignore or refuse MADV_WIPEONFORK. A child must not write into its parent's segment there, either."""
    result = recorder.run("app", build / "tests/programs/swapper", way, 5, 7,
                          environment={"LD_PRELOAD": str(build / "tests/programs/libno_wipe.so"), "NO_WIPE": kernel})
    assert (result.returncode, result.stderr) == (0, "")
    text = recorder.dumpsys("gfxinfo").stdout
    found = dict(processes(text))
    assert found["app"] == 10
    assert found["app:swapper"] + dropped(text) == (28 if way == "fork-threads" else 7)


def test_a_child_that_presents_nothing_leaves_no_segment(swapper):
    assert swapper("fork-idle", 5) == [("app", 10)]


def test_a_child_forked_before_the_first_frame(swapper):
    assert swapper("fork", 0, 7, lines=2) == [("app:swapper", 7)]


@pytest.mark.parametrize("attempt", range(10))
def test_threads_that_begin_at_once_in_a_child(swapper, recorder, attempt):
    found = dict(swapper("fork-threads", 5, 200, lines=2))
    assert found["app"] == 10
    assert found["app:swapper"] + dropped(recorder.dumpsys("gfxinfo", "app:swapper").stdout) == 800


@pytest.mark.parametrize("way", ["vfork", "spawn"])
def test_a_child_with_exec_has_a_segment_of_its_own(swapper, way):
    assert swapper(way, 5, 7, lines=2) == [("app", 5), ("app:swapper", 7)]


def test_a_program_that_becomes_another_starts_anew_and_loses_nothing(swapper, recorder):
    assert swapper("exec", 30, 7, lines=2) == [("app", 7), ("app", 30)]
    text = recorder.dumpsys("gfxinfo", "app").stdout
    assert len({pid for pid, _ in SECTION.findall(text)}) == 1
    assert text.count("Note: process has ended") == 2


def test_a_program_that_became_another_is_the_present_one(recorder, build):
    program = build / "tests/programs/swapper"
    app = recorder.start("app", program, "exec-held", 30, 7)
    try:
        assert [app.stdout.readline() for _ in range(2)] == ["30 frames\n", "7 frames\n"]
        text = recorder.dumpsys("gfxinfo", "app").stdout
        assert processes(text) == [("app", 7)]
        assert "has ended" not in text
    finally:
        app.terminate()  # the signal reaches the program
        app.communicate()


def test_children_of_a_shell_are_separate(recorder, build, tmp_path):
    program = build / "tests/programs/swapper"
    other = tmp_path / "other"
    shutil.copy(program, other)
    shutil.copy(build / "tests/programs/libfake_gl.so", tmp_path)
    result = recorder.run("app", "sh", "-c", f"{program} swap 3; {other} swap 4; {program} swap 5; true")
    assert (result.returncode, result.stderr) == (0, "")
    found = processes(recorder.dumpsys("gfxinfo").stdout)
    assert found == [("app:other", 4), ("app:swapper", 3), ("app:swapper", 5)]


def test_children_of_one_name_do_not_hide_each_other(recorder, build):
    program = build / "tests/programs/swapper"
    for script in ("{0} swap 3; {0} swap 4; {0} swap 5; true", "{0} swap 6 & {0} swap 7 & {0} swap 8 & wait"):
        result = recorder.run("app", "sh", "-c", script.format(program))
        assert (result.returncode, result.stderr) == (0, "")
        found = processes(recorder.dumpsys("gfxinfo", "app:swapper").stdout)
        assert found == processes(recorder.dumpsys("gfxinfo", "app").stdout)
        first = re.search(r"swap (\d)", script)[1]
        assert found == [("app:swapper", int(first) + i) for i in range(3)], "of this run all, of the one before none"


def dropped(text):
    """Number of frames that dumpsys reports as not recorded."""
    found = re.search(r"^Note: (\d+) frames were not recorded$", text, re.M)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("kind", ["threads", "one-window"])
def test_threads_that_present_at_once_lose_nothing_uncounted(swapper, recorder, kind):
    [(name, frames)] = swapper(kind, 8, 4000)
    text = recorder.dumpsys("gfxinfo", "app").stdout
    assert frames + dropped(text) == 32000


def test_threads_with_open_windows_of_their_own_lose_nothing(swapper, recorder):
    [(name, frames)] = swapper("warm-threads", 8, 20000, lines=2)
    assert frames == 8 + 8 * 20000
    assert dropped(recorder.dumpsys("gfxinfo", "app").stdout) == 0


def test_threads_with_a_window_each_drop_only_while_the_first_windows_open(swapper, recorder):
    [(name, frames)] = swapper("paced-threads", 8, 200)
    text = recorder.dumpsys("gfxinfo", "app").stdout
    assert frames + dropped(text) == 1600
    assert dropped(text) <= 8 * 100


@pytest.mark.parametrize("windows", [15, 16, 17, 20, 64])
def test_totals_are_right_with_more_windows_than_slots(swapper, windows):
    assert swapper("windows", windows, 30) == [("app", windows * 30)]


def test_errno_is_what_the_program_would_see_without_us(swapper):
    assert swapper("errno") == [("app", 2)]
