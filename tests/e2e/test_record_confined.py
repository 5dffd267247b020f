"""Programs that confine themselves with seccomp (tests/programs/confined.c). The hooks make only system calls that the program's own
calls make too. Frames are still recorded, or the segment states why not."""

import json
import re
import subprocess

import pytest

SECONDS = 30
NOT_RECORDED = re.compile(r"^Note: (\d+) frames were not recorded$", re.M)
FILTERS = ["prctl", "seccomp", "errno"]


@pytest.fixture
def confined(recorder, build):
    """confined(HOW, BEFORE, AFTER, …): the program's result under the recorder. With `plain`, it must first succeed without it."""

    def run(*words, program="confined", plain=True):
        command = [build / "tests/programs" / program, *map(str, words)]
        if plain:
            alone = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
            if alone.returncode == 3:
                pytest.skip("this environment refuses seccomp")
            assert (alone.returncode, alone.stdout) == (0, "done\n")
        return recorder.run("app", *command, timeout=SECONDS)

    return run


def not_recorded(text):
    return sum(map(int, NOT_RECORDED.findall(text)))


@pytest.mark.parametrize("before", [0, 5])
@pytest.mark.parametrize("how", FILTERS)
def test_frames_after_a_filter_are_recorded(confined, recorder, how, before):
    result = confined(how, before, 10)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")
    found = recorder.read("app")
    assert found.total == len(found.rows) == before + 10
    assert not NOT_RECORDED.search(found.text)


@pytest.mark.parametrize("how", ["seccomp", "errno"])
def test_threads_that_present_in_one_window_after_a_filter(confined, recorder, how):
    result = confined(how, 5, 2000, "threads")
    assert (result.returncode, result.stdout) == (0, "done\n")
    found = recorder.read("app")
    assert found.total + not_recorded(found.text) == 5 + 2 * 2000


@pytest.mark.parametrize("before", [0, 5])
@pytest.mark.parametrize("how", FILTERS)
def test_a_child_forked_after_a_filter_runs_on(confined, recorder, how, before):
    """The child cannot create its own segment, and does not write into its parent's."""
    result = confined(how, before, 10, "fork")
    assert (result.returncode, result.stdout) == (0, "done\n")
    assert recorder.read("app").total == before + 10
    assert len(re.findall("Graphics info for pid", recorder.dumpsys("gfxinfo").stdout)) == 1


@pytest.mark.parametrize("before", [0, 5])
def test_strict_mode_takes_the_clock_away_and_the_segment_states_it(confined, recorder, before):
    result = confined("strict", before, 10)
    assert (result.returncode, result.stdout) == (0, "done\n")
    found = recorder.read("app")
    assert found.total == before
    assert not_recorded(found.text) == 10
    assert "seccomp" in found.text and "seccomp" in result.stderr


def test_frames_after_a_filter_that_was_set_when_no_file_could_be_opened(confined, recorder):
    """The recorder finds out how to read the clock before the filter is set."""
    result = confined("no-files", 5, 10)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")
    assert recorder.read("app").total == 15


@pytest.mark.parametrize("before", [0, 5])
def test_a_program_without_the_processors_counter(confined, recorder, before):
    result = confined("tsc", before, 10)
    assert (result.returncode, result.stdout) == (0, "done\n")
    found = recorder.read("app")
    assert (found.total, not_recorded(found.text)) == (before, 10)
    assert "PR_SET_TSC" in found.text and "PR_SET_TSC" in result.stderr


@pytest.mark.parametrize("way", ["fork", "_Fork", "clone"])
def test_a_child_confines_itself_while_its_parent_had_the_dynamic_linker_locked(confined, recorder, way):
    """tests/programs/confined_child.c: no thread of the child releases the lock."""
    result = confined(way, program="confined_child")
    assert (result.returncode, result.stdout) == (0, "done\n")
    assert "(2 processes): 15 frames" in result.summary


@pytest.mark.parametrize("before", [0, 5])
@pytest.mark.parametrize("how", [*FILTERS, "strict"])
def test_sections_after_a_filter(confined, recorder, how, before):
    """libdejank does not learn of a filter without the recorder, so the program runs only under the recorder."""
    result = confined(how, before, 10, "sections", program="confined_sections", plain=False)
    if result.returncode == 3:
        pytest.skip("this environment refuses seccomp")
    assert (result.returncode, result.stdout) == (0, "done\n")
    trace = json.loads(recorder.dejank("trace", "read", "app", "--json").stdout)
    expected = before + (0 if how == "strict" else 10)
    assert sum(1 for one in trace["slices"] if one["name"] == "frame") == expected


def test_a_program_that_confines_itself_and_presents_nothing_leaves_nothing(confined, recorder):
    result = confined("prctl", 0, 0)
    assert (result.returncode, result.stdout) == (0, "done\n")
    assert "recorded no frames" in result.stderr
    assert "Graphics info for pid" not in recorder.dumpsys("gfxinfo").stdout
    assert list(recorder.folder.iterdir()) == []


@pytest.mark.parametrize("before", [0, 5])
@pytest.mark.parametrize("how", ["prctl", "strict", "tsc"])
def test_a_child_that_borrows_the_memory_does_not_confine_its_parent(confined, recorder, how, before):
    result = confined(f"vfork-{how}", before, 20)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")
    assert recorder.read("app").total == before + 20
    assert len(list(recorder.folder.iterdir())) == 1
