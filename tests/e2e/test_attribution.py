"""`dejank trace triage` finds planted causes of known size in real captures of this machine: a small form of `make attribution`
(docs/attribution.md). The tests must also pass on a busy machine, so they require the planted causes but allow others."""
import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "bench" / room) for room in ("attribution", "accuracy")]

import captures  # noqa: E402
import functions  # noqa: E402
import judge  # noqa: E402
import plans  # noqa: E402
import programs  # noqa: E402
import tracefs  # noqa: E402
import truth  # noqa: E402

FRAMES = 50


@pytest.fixture(scope="module")
def program(build):
    path = build / "tests/programs/planted_frames"
    if not path.exists():
        pytest.skip("planted_frames is not built")
    return path


@pytest.fixture(scope="module")
def instance():
    if os.geteuid() != 0:
        pytest.skip("tracefs takes root")
    try:
        place = tracefs.Instance()
    except tracefs.Missing as missing:
        pytest.skip(str(missing))
    yield place
    place.close()


def says(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip()


def needs(kind, program, folder):
    if kind == "dbus" and (not shutil.which("dbus-daemon") or says(program, "can", "dbus")[0] != 0):
        pytest.skip("there is no D-Bus: tools/deps tests")
    if kind == "competitor" and says("chrt", "-f", "1", "true")[0] != 0:
        pytest.skip("no process may be first at a CPU here")
    if kind == "fsync" and says("stat", "-f", "-c", "%T", folder)[1] in ("tmpfs", "ramfs"):
        pytest.skip(f"{folder} is no real file system: nothing waits for a disk")


@pytest.mark.timed
@pytest.mark.parametrize("kinds", [("stage", "lock"), ("section", "dbus"), ("competitor", "fsync"), ("sleep", "late")], ids="-".join)
def test_planted_causes_are_found_with_their_sizes(program, build, instance, tmp_path, kinds):
    for kind in kinds:
        needs(kind, program, tmp_path)
    plan = plans.make(7100 + plans.KINDS.index(kinds[0]), kinds, loaded=False, frames=FRAMES)
    capture = captures.take(plan, program, tmp_path / "capture", captures.by_instance(instance))
    verdict = judge.judge(build / "dejank", capture, "tracefs")
    assert verdict.error == ""
    assert verdict.answer["frames"]["total"] == FRAMES
    assert abs(verdict.answer["frames"]["janky"] - verdict.janky) <= 1
    assert len(set().union(*(plant.frames for plant in plan.plants))) <= verdict.janky
    assert {found.cause.plant for found in verdict.found} == set(kinds)
    for found in verdict.found:  # if other programs use the CPU too, the competitor may be counted as one of them
        told_ms = found.ms if found.rank else found.apart if found.cause.plant == "competitor" else 0
        assert 0.5 * found.cause.ms < told_ms < 2 * found.cause.ms, f"{found.cause} is not in {verdict.answer}"


def test_no_two_plans_are_alike_and_one_seed_makes_one():
    first, again, other = (plans.make(seed, ["lock", "dbus"], True) for seed in (1, 1, 2))
    assert dataclasses.asdict(first) == dataclasses.asdict(again)
    names = [{plan.frame, plan.main, *(s.name for s in plan.stages), *(p.holder for p in plan.plants)} for plan in (first, other)]
    assert not names[0] & names[1]


def made_truth(frames):
    """A plan with a lock in a stage, and the program's made-up measurements. `frames` contains (total ms, ms asleep)."""
    use = lambda asleep: {"wall_ns": asleep * 1e6, "cpu_ns": 0, "ran_ns": 0, "delay_ns": 0, "special_ns": 0}
    plant = {"kind": "lock", "stage": 0, "name": "take", "holder": "keeper", "frames": []}
    plan = {"plants": [plant], "stages": [{"name": "draw", "on_worker": False}], "main": "ui", "worker_section": ""}
    return plan, {"frames": [{"wall_ns": whole * 1e6, "delay_ns": 0, "stages": [], "plants": [use(asleep)]} for whole, asleep in frames]}


def test_truth_counts_what_would_have_been_saved():
    (cause,) = truth.causes(*made_truth([(10, 5), (20, 12), (40, 12), (30, 0)]))
    assert (cause.kind, cause.name, cause.thread, cause.holder) == ("lock", "take", "ui", "keeper")
    assert (cause.frames, cause.saved_frames, round(cause.ms)) == (2, 1, 24)
    assert cause.saved_ms == pytest.approx(20 - 16.667 + 12)


@pytest.mark.parametrize("change, level, same", [
    ({}, "tracefs", True), ({"kind": "sleep"}, "tracefs", False), ({"name": "draw"}, "tracefs", False), ({"thread": "other"}, "tracefs", False),
    ({"holder": "other"}, "tracefs", False), ({"holder": None, "kind": "sleep"}, "own-threads", True), ({"kind": "own-work"}, "own-threads", False)])
def test_an_answer_is_right_where_kind_name_thread_and_holder_are(change, level, same):
    (cause,) = truth.causes(*made_truth([(20, 12)]))
    row = {"kind": "lock", "name": "take", "thread": "ui", "holder": "keeper"} | change
    assert judge.matches(cause, row, level) == same


def test_one_seed_makes_one_program_with_planted_functions():
    first, again, other = (programs.make(seed, 3) for seed in (1, 1, 2))
    assert programs.source(first) == programs.source(again)
    assert not {first.draw, *first.shared, *first.plants} & {other.draw, *other.shared, *other.plants}
    assert sorted(plant for plant, ms in first.frames if plant >= 0) == [0] * 7 + [1] * 7 + [2] * 6


@pytest.mark.parametrize("seed", range(20))
def test_generated_programs_have_shared_functions_and_tasks_without_plants(seed):
    program = programs.make(seed, 3)
    tasks = [task for _, stage in program.stages for task in stage]
    assert all(sum(shared in task.shared for task in tasks) >= 2 for shared in range(len(program.shared)))
    assert all(any(task.plant < 0 for task in stage) for _, stage in program.stages)
    assert sorted(task.plant for task in tasks if task.plant >= 0) == [0, 1, 2]


@pytest.mark.timed
@pytest.mark.parametrize("kind", ["one", "stripped"])
def test_the_planted_function_of_a_generated_program_is_named_first(build, tmp_path, kind):
    if shutil.which("cc") is None or says("chrt", "--fifo", "1", "true")[0] != 0:
        pytest.skip("needs a compiler and real-time priority")
    capture = functions.Capture(tmp_path / "capture", kind, programs.make(4711, 1))
    try:
        capture.take(build)
    except RuntimeError as refused:
        pytest.skip(str(refused))
    verdict = functions.judge(build / "dejank", capture)
    assert verdict.error == "" and verdict.janky >= programs.JANKY
    assert verdict.first_right(), verdict.functions
