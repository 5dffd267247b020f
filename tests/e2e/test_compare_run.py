"""`dejank compare --run`: interleaved runs of two commands, and the verdict on their frames."""

import json
import re
import signal

import pytest

from devices import wait_for
from test_run import FAST, Run, panels

QUICK = (*FAST, "--warmup", "0", "--retries", "0")


class Compare(Run):
    """`dejank compare --run` with its own store."""

    def command(self, *words):
        return [self.host.build / "dejank", "compare", "--run", "--store", self.store, *QUICK, *words]


@pytest.fixture
def compare(host, tmp_path):
    return Compare(host, tmp_path)


def test_runs_are_interleaved_by_the_seed_and_stored_as_two_batches(compare):
    a, b = f"{compare.panel} 2000", f"'{compare.panel}' '3000'"
    done = compare("--for", "100ms", "-n", "4", "--package", "panel", "--seed", "5", "--name", "first", "--json", a, b, code=6)
    order = "".join(arm for arm, in compare.ask("SELECT arm FROM runs JOIN batches ON batches.id = batch_id "
                                                 "WHERE attempt = 1 ORDER BY order_index"))
    assert re.fullmatch("(ABBA|BAAB){2}", order), order
    assert len(set(compare.ask("SELECT \"group\" FROM batches"))) == 1
    commands = dict(compare.ask("SELECT arm, options FROM batches"))
    assert "3000" in commands["B"] and "3000" not in commands["A"]
    rule, = set(compare.ask("SELECT run_order FROM batches"))
    assert json.loads(rule[0]) == {"rule": "ABBA", "seed": 5}
    found = json.loads(done.stdout)
    assert found["schema"] == "dejank.compare/1" and found["order"] == "interleaved"
    assert [found[side]["name"] for side in "ab"] == [a, b]
    stored = {batch["label"]: batch["id"] for batch in compare.batches()}
    assert [found[side]["batches"] for side in "ab"] == [[stored["A"]], [stored["B"]]]
    assert {batch["name"] for batch in compare.batches()} == {"first"}
    assert panels(compare.host) == []


def test_more_slow_frames_are_a_regression(compare, tmp_path):
    page = tmp_path / "verdict.html"
    done = compare("--for", "1s", "-n", "5", "--metric", "jank_rate", f"{compare.panel} 9000 10", f"{compare.panel} 9000 2", code=1)
    first, *lines = done.stdout.splitlines()
    assert first.startswith("regression: B renders more janky frames: jank rate +"), done.stdout
    assert any(line.startswith("B ") and " 9000 2;" in line for line in lines), done.stdout
    a, b = (batch["id"] for batch in sorted(compare.batches(), key=lambda batch: batch["label"]))
    assert f"dejank compare --store {compare.store} {a} {b} --all" in done.stdout
    again = compare.host.dejank("compare", "--store", compare.store, a, b, "--metric", "jank_rate", "-o", page)
    assert again.returncode == 1 and page.exists()


def test_a_command_without_frames_has_no_verdict(compare):
    done = compare("--for", "200ms", "-n", "1", f"{compare.panel} 2000", "sh -c 'exit 3'", code=4)
    assert done.stdout == "" and "app gone" in done.stderr
    assert {batch["label"]: batch["runs"] for batch in compare.batches()} == {"A": 1, "B": 0}


def test_ctrl_c_ends_without_a_verdict(compare):
    process = compare.host.popen(*compare.command("--for", "500ms", "-n", "20", f"{compare.panel} 2000", f"{compare.panel} 3000"))
    wait_for(compare.has_run, "the first run")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (4, b"")
    assert panels(compare.host) == []


@pytest.mark.parametrize("words, says", [
    (("--run",), "--run: expected two commands, found 0"),
    (("--run", "true"), "expected two commands, found 1"),
    (("--run", "a", "b", "c"), "expected two commands, found 3"),
    (("--run", "a", "--", "b"), "expected two commands"),
    (("--run", "'a", "true"), "COMMAND_A: the ' at character 1 has no closing quote"),
    (("--run", "true", ""), "COMMAND_B"),
    (("--run", "/no/such/program", "true"), "/no/such/program"),
    (("--run", "--flow", "x", "true", "true"), "--flow cannot be used with --run"),
    (("-n", "3", "a", "b"), "--runs needs --run"),
    (("--settle", "0", "a", "b"), "--settle needs --run"),
    (("--run", "-o", "verdict.txt", "true", "true"), "--output: expected a name"),
])
def test_wrong_use_is_refused_before_anything_is_run(compare, words, says):
    done = compare.host.dejank("compare", "--store", compare.store, *words)
    assert done.returncode == 2 and says in done.stderr and done.stdout == "", done.stderr
    assert not compare.store.exists()
