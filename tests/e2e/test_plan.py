"""dejank run PLAN.yaml: dry runs and runs of generated plans on this machine."""
import json
import os
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PLAN = """plan: 1
runs: 2
warmup: 0
settle: 200ms
retries: 0
devices: ["local:"]
builds:
  - {label: one, version: '1.0', command: [%(panel)s, "100000"]}
flows:
  - {name: rest, idle: true, for: 300ms, priority: high}
objectives:
  - {metric: smooth_pct, at-least: 90 %%, goal: 98, flow: rest}
"""


@pytest.fixture
def run(build, tmp_path):
    """Runs `dejank run` without a display and with new folders. Returns the finished process."""
    def call(*arguments, code=0):
        clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        result = subprocess.run([build / "dejank", "run", *map(str, arguments)], text=True,
                                capture_output=True, timeout=60, cwd=tmp_path,
                                env={**clean, "LC_ALL": "C.UTF-8", "DEJANK_DIR": str(tmp_path / "segments"),
                                     "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)})
        assert result.returncode == code, result.stdout + result.stderr
        return result
    return call


@pytest.fixture
def plan(run, tmp_path):
    """Runs `dejank run` with a plan of this text."""
    def call(text, *arguments, code=0):
        (tmp_path / "plan.yaml").write_text(text, encoding="utf-8")
        return run("plan.yaml", *arguments, code=code)
    return call


@pytest.fixture
def local(build):
    return PLAN % {"panel": build / "examples" / "example-panel"}


# ---- errors ----

@pytest.mark.parametrize("text,place,words", [
    ("plan: 1\nrunz: 3\n", "2:1", "a plan has no 'runz'; did you mean 'runs'?"),
    ("plan: 1\nruns: many\n", "2:7", "'runs': expected a whole number of 1 to 100000, found 'many'"),
    ("plan: 1\nruns: 3\nruns: 4\n", "3:1", "'runs' occurs twice, first in line 2"),
    ("plan: 1\nflows: [a\n", "3:1", ""),
    ("", "1:1", "empty; expected a plan"),
    ("plan: 1\ndevices: [{class: tiny}]\n", "2:19", "class 'tiny' has no condition"),
    ("plan: 1\nflows: [{instrument: a.b, arguments: [x]}]\n", "2:38", "at most 35 arguments as 'name: value'"),
    ("plan: 1\nflows: [{idle: true, arguments: {a: b}}]\n", "2:33", "this flow has no 'instrument'"),
    ("plan: 1\nobjectives: [{metric: jank_pct, at-most: 1}]\n", "2:23", "did you mean 'janky_pct'?"),
])
def test_faults_have_file_line_and_column(plan, text, place, words):
    result = plan(text, code=2)
    assert re.search(rf"plan\.yaml:{place}: .*{re.escape(words)}", result.stderr), result.stderr
    assert result.stdout == ""


def test_all_faults_are_reported_at_once(plan):
    result = plan("plan: 1\nrunz: 1\nwarmup: -1\nprofile: x\n", code=2)
    assert len(result.stderr.splitlines()) == 6  # and devices, flows, package are missing


def test_a_plan_that_is_not_there(build, tmp_path):
    result = subprocess.run([build / "dejank", "run", tmp_path / "no.yaml"], capture_output=True, text=True)
    assert result.returncode == 4 and "no.yaml" in result.stderr


@pytest.mark.parametrize("option", [["--runs", "3"], ["--device", "local:"], ["--warmup", "2"], ["--max-load", "50"],
                                    ["--label", "x"], ["--argument", "a=b"], ["--refresh-rate", "60"]], ids=lambda option: option[0])
def test_a_plan_and_options_exclude_each_other(plan, local, option):
    result = plan(local, *option, code=2)
    assert f"{option[0]} cannot be used with a plan" in result.stderr


def test_flows_that_cannot_be_made_name_their_line(plan, local):
    result = plan(local.replace("idle: true", "gesture: 'tapp up'"), "--dry-run", code=2)
    assert "plan.yaml:10: flow 'rest': " in result.stderr


def test_a_program_that_is_not_there(plan, local):
    result = plan(local.replace("/example-panel", "/absent"), code=4)
    assert "build 'one': " in result.stderr and "absent" in result.stderr


# ---- dry runs ----

def test_dry_run_shows_the_matrix_and_what_lacks(plan, local, tmp_path):
    result = plan(local, "--dry-run")
    assert "1 flow × 1 device × 1 build, 1 objective" in result.stdout
    assert result.stdout.startswith("Would measure example-panel for about 9 s\n")
    assert re.search(r"^1\. rest  idle    high      2 +9 s$", result.stdout, re.M), result.stdout
    page = " ".join(result.stdout.split())
    assert "Range of devices: " in page and "no tablet" in page
    assert "one release only" in result.stdout
    assert not (tmp_path / "dejank").exists(), "nothing is changed"


def test_dry_run_of_options(run, tmp_path):
    command = ["--package", "com.example.app", "-n", "3", "--for", "2s", "--dry-run"]
    result = run(*command, "--", "true")
    assert result.stdout.startswith("Would measure com.example.app for about ")
    assert "1 flow × 1 device × 1 build, 0 objectives\n" in result.stdout
    assert re.search(r"^1\. idle  idle    normal    3 \+ 1 warm-up ", result.stdout, re.M) and "starts true" in result.stdout
    printed = json.loads(run(*command, "--json", "--", "true").stdout)
    assert printed["plan"] is None and printed["package"] == "com.example.app"
    [batch] = printed["batches"]
    assert (batch["flow"], batch["device"], batch["runs"], batch["warmup"]) == ("idle", "local:", 3, 1)
    assert not (tmp_path / "dejank").exists(), "nothing is run or stored"


def test_dry_run_without_a_device_names_the_obstacle(run):
    said = " ".join(run("--package", "com.example.app", "--dry-run").stdout.split())
    assert said.startswith("Would measure com.example.app for about ") and ", but no device is ready" in said
    assert "no recorded process named 'com.example.app' runs on local:, and no command was given to start it" in said
    assert "window 10 s" in said


def test_dry_run_without_a_phone_shows_the_plan(run):
    said = " ".join(run("--package", "com.example.app", "--device", "adb:", "--gesture", "fling up", "--dry-run").stdout.split())
    assert ", but no device is ready" in said and "adb: cannot be reached: " in said
    assert "window until the gesture ends, at most 1 h" in said


def test_dry_run_as_json(plan, local):
    told = json.loads(plan(local, "--dry-run", "--json").stdout)
    assert told["schema"] == "dejank.plan/1" and told["package"] == "example-panel"
    [batch] = told["batches"]
    assert (batch["flow"], batch["device"], batch["builds"], batch["runs"]) == ("rest", "local:", ["one"], 2)
    assert told["estimate_ns"] == batch["estimate_ns"] == 2 * (300 + 200 + 4000) * 10**6
    [device] = told["devices"]
    assert device["reachable"] and device["ram_bytes"] > 10**8 and device["density_dpi"] is None
    assert told["unmatched"] == [] and len(told["lacks"]) >= 2


def test_the_option_wins_over_the_trace_of_the_plan(plan, local):
    traced = local + "trace: {around: janky, before: 100ms}\n"
    result = plan(traced, "--dry-run", "--json", "--trace=all")
    assert json.loads(result.stdout)["trace"] == "all"
    assert "plan.yaml: 'before' and 'after' require 'around: janky'" in result.stderr
    result = plan(traced, "--dry-run")
    assert "around janky frames" in result.stdout and "around: janky" not in result.stderr


def test_the_example_is_a_plan(build, tmp_path):
    """The only error is that a build file does not exist. dejank reports errors in the plan itself before that."""
    result = subprocess.run([build / "dejank", "run", ROOT / "examples/plan.yaml"], capture_output=True, text=True,
                            cwd=tmp_path, timeout=60)
    assert result.returncode == 4 and "shop-1.8.2.apk" in result.stderr
    assert ":1:" not in result.stderr and "expected" not in result.stderr


# ---- runs ----

def test_a_plan_is_played_and_stored(plan, local, tmp_path):
    plan(local, "--store", "s.db")
    with sqlite3.connect(tmp_path / "s.db") as store:
        [(name, objectives)] = store.execute("SELECT name, objectives FROM batches").fetchall()
        outcomes = store.execute("SELECT outcome FROM runs").fetchall()
    assert name == "rest" and outcomes == [("ok",), ("ok",)]
    objectives = json.loads(objectives)
    assert objectives["flows"] == [{"name": "rest", "priority": "high"}]
    assert objectives["objectives"][0]["at_least"] == 90


def test_two_builds_of_a_plan_are_two_arms_of_a_group(plan, local, build, tmp_path):
    panel = build / "examples" / "example-panel"
    two = local.replace("flows:", f"  - {{label: two, command: [{panel}, '100000']}}\nflows:")
    plan(two.replace("runs: 2", "runs: 1"), "--store", "s.db")
    with sqlite3.connect(tmp_path / "s.db") as store:
        rows = store.execute("SELECT DISTINCT arm FROM batches ORDER BY arm").fetchall()
    assert len(rows) == 2
