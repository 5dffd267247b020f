"""Triage names the functions that waited, in captures of a program with known waits."""

import json
import os
import subprocess
from collections import namedtuple

import pytest

FRAMES, WAIT_MS, BUDGET_MS = 60, 12, 9
KINDS = {"lock": "lock", "thread": "lock", "child": "ipc", "disk": "io", "time": "sleep"}

Plant = namedtuple("Plant", "kind function call count long_count ms")


class Captured:
    def __init__(self, build, folder, seed, stacks, prefix=(), environment=None):
        self.trace, truth = folder / "t.pftrace", folder / "truth.txt"
        program = [build / "tests/programs/planted_waits", str(seed), str(FRAMES), str(WAIT_MS), folder / "file"]
        done = self.run([*prefix, build / "dejank", "trace", "capture", "--json", "-o", self.trace, stacks, "--", "sh", "-c",
                         'log=$1; shift; exec "$@" > "$log"', "sh", truth, *program], environment)
        self.said = json.loads(done.stdout.splitlines()[-1])
        self.plants = {}
        for line in truth.read_text().splitlines():
            kind, function, call, *numbers = line.split()
            self.plants[function] = Plant(kind, function, call, *map(float, numbers))
        triage = [build / "dejank", "trace", "triage", "--budget", f"{BUDGET_MS}ms", self.trace]
        self.text = " ".join(self.run(triage, environment).stdout.replace("\xa0", " ").split())
        self.causes = json.loads(self.run([*triage, "--json"], environment).stdout)["causes"]

    def run(self, words, environment):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        return done

    def waits(self):
        """(cause, function that waited) for the causes with the name "frame"."""
        return [(cause, one) for cause in self.causes if cause["name"] == "frame" for one in cause.get("waits", [])]


def need_waits(said):
    refusals = [limit for limit in said["limits"] if "stacks" in limit]
    if said["stacks"]["source"] == "none" or said["stacks"]["waits"] == 0:
        pytest.skip(f"no stacks of waits here: {refusals}")


def check_wait(plant, cause, wait):
    """Compares a wait with its plant. A wait that ends at once, because another program had the CPU, need not be found."""
    assert cause["kind"] == KINDS[plant.kind] and wait["call"] == plant.call, (plant, cause["kind"], wait)
    assert wait["path"][-3:] == ["draw_frame", plant.function, plant.call] and wait["guessed"] == 0
    assert wait["module"].endswith("/planted_waits") and wait["build_id"] and wait["offset"] is None
    assert f"`{plant.function}` > `{plant.call}` (planted_waits) waited" in cause["sentence"]
    if plant.kind != "disk":
        assert plant.long_count <= wait["waits"] == wait["frames"] <= plant.count, (plant, wait)
        assert wait["ms"] == pytest.approx(plant.ms, rel=0.05, abs=0.5 * plant.count), (plant, wait)


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_each_planted_wait_is_named(build, recorder, tmp_path, seed):
    if os.geteuid() != 0:
        pytest.skip("needs root, for the tracepoint")
    captured = Captured(build, tmp_path, seed, "--stacks=cpu,waits", environment=recorder.environment)
    need_waits(captured.said)
    if captured.said["stacks"]["lost"] > 0:
        pytest.skip("the machine is so busy that stacks were lost")
    named = set()
    for cause, wait in captured.waits():
        check_wait(captured.plants[wait["name"]], cause, wait)
        named.add(wait["name"])
        stacks = cause["wait_stacks"]
        assert stacks["known"] == stacks["waits"] and stacks["known_ms"] == stacks["ms"], stacks
    for plant in captured.plants.values():
        assert plant.long_count == 0 or plant.function in named, captured.causes
    assert "Functions that waited" in captured.text


def test_without_stacks_of_waits_no_function_is_named(build, recorder, tmp_path):
    captured = Captured(build, tmp_path, 1, "--stacks", environment=recorder.environment)
    assert not any("waits" in cause or "wait_stacks" in cause for cause in captured.causes)
    assert "Functions that waited" not in captured.text


def test_a_user_may_not_sample_waits(build, nobody):
    """The capture reports the reason, and triage works without stacks of waits."""
    prefix, environment, folder = nobody
    captured = Captured(build, folder, 1, "--stacks=cpu,waits", prefix, {**os.environ, **environment})
    if captured.said["stacks"]["source"] == "none":
        pytest.skip(f"no call stacks here: {captured.said['limits']}")
    assert any("only root may sample waits" in limit for limit in captured.said["limits"])
    assert not any("waits" in cause for cause in captured.causes)
