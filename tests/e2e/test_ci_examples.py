"""examples/ci: runs the shell steps of the workflows as their CI does, in a temporary repository."""
import json
import os
import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed: tools/deps tests")

FOLDER = Path(__file__).resolve().parents[2] / "examples/ci"


# The tests are about the workflows, so the measurements may be shorter.
SHORTER = {"for: 5s": "for: 800ms", "plan: 1\n": "plan: 1\nwarmup: 0\nretries: 0\n",
           "{p50: 5 %, p95: 5 %}": "{p50: 5 %}"}


def github():
    whole = yaml.safe_load((FOLDER / "github.yml").read_text())
    steps = whole["jobs"]["gate"]["steps"]
    return whole["env"], [step["run"] for step in steps if "run" in step and step.get("if") != "always()"], [
        step["run"] for step in steps if "run" in step and step.get("if") == "always()"], [
        step["run"] for step in whole["jobs"]["alarm"]["steps"] if "run" in step]


def gitlab():
    whole = yaml.safe_load((FOLDER / "gitlab.yml").read_text())
    job = whole["rendering"]
    return whole["variables"], ["\n".join(job["script"])], ["\n".join(job["after_script"])], whole[
        "rendering-alarm"]["script"]


def git(folder, *words):
    subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", *words],
                   capture_output=True, check=True)


@pytest.fixture
def repository(build, tmp_path):
    """A repository of a program with two commits. The second one is on a branch."""
    panel = build / "examples" / "example-panel"
    if not shutil.which("git") or not panel.exists():
        pytest.skip("git is not installed, or the examples were not built")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "Makefile").write_text(f"app:\n\tcp {panel} app\n")
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", "Makefile")
    git(tree, "commit", "-q", "-m", "trunk")
    git(tree, "checkout", "-q", "-b", "feature")
    git(tree, "commit", "-q", "--allow-empty", "-m", "feature")
    return tree


@pytest.mark.parametrize("system", [github, gitlab])
def test_the_steps_measure_gate_and_hand_the_history_on(system, repository, build, tmp_path):
    variables, steps, always, alarm = system()
    assert steps and always and alarm
    world = {**os.environ, **variables, "PATH": f"{build}:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(build),
             "TRUNK": "main", "RUNS": "2", "UNDECIDED": "fail", "STORE": str(tmp_path / "store" / "h.db"), "DEJANK_DIR": str(tmp_path / "segments"),
             "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "LC_ALL": "C.UTF-8",
             "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}

    def play(scripts):
        code, said = 0, ""
        for script in scripts:
            assert "${{" not in script, "nothing from outside is pasted into a shell"
            for long, short in SHORTER.items():
                script = script.replace(long, short)
            done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=repository, env=world, text=True,
                                  capture_output=True, timeout=120, check=False)
            code, said = done.returncode, said + done.stdout + done.stderr
            if code != 0:
                break
        return code, said

    code, said = play(steps)
    assert code == 6, said  # two runs per side are too few for a verdict
    assert "gate undecided: " in said
    assert xml.parse(repository / "gate.xml").getroot()[0].attrib["name"] == "start screen"
    assert (repository / "gate.md").read_text().startswith("**gate undecided: ")
    if system is github:
        assert "::warning file=rendering.yaml,title=dejank%3A start screen on local%3A::" in said
        assert (tmp_path / "summary.md").read_text() == (repository / "gate.md").read_text()
    else:
        assert json.loads((repository / "gl-code-quality.json").read_text())[0]["severity"] == "minor"
    assert play(always)[0] == 0
    with sqlite3.connect(repository / "dejank-history.db") as history:
        builds = history.execute("SELECT label, length(commit_id) FROM builds ORDER BY label").fetchall()
    assert builds == [("base", 40), ("head", 40)]
    # The next machine has only the history file.
    shutil.rmtree(tmp_path / "store")
    load = [line for script in steps for line in script.splitlines() if "mkdir" in line or "store load" in line]
    assert len(load) == 2 and play(load)[0] == 0
    with sqlite3.connect(world["STORE"]) as store:
        assert store.execute("SELECT count(*) FROM runs WHERE warmup = 0").fetchall() == [(4,)]
    assert play(alarm)[0] == 0
    with sqlite3.connect(repository / "dejank-history.db") as history:
        history.execute("UPDATE batches SET began_unix_ms = began_unix_ms - 8 * 86400000")
    code, said = play(alarm)
    assert code == 4 and "no new data for 8.0 days" in said


def test_the_workflows_are_whole():
    """Checks the parts without a shell: the CI restores and saves the history, and fetches all commits for the merge base."""
    whole = yaml.safe_load((FOLDER / "github.yml").read_text())
    steps = whole["jobs"]["gate"]["steps"]
    uses = [step["uses"].split("@")[0] for step in steps if "uses" in step]
    assert uses == ["actions/checkout", "actions/cache/restore", "actions/cache/save", "actions/upload-artifact"]
    assert steps[0]["with"]["fetch-depth"] == 0
    assert all(step["with"]["path"] == "dejank-history.db" for step in steps if "cache" in step.get("uses", ""))
    gitlab_whole = yaml.safe_load((FOLDER / "gitlab.yml").read_text())
    job = gitlab_whole["rendering"]
    assert gitlab_whole["variables"]["GIT_DEPTH"] == "0" and job["cache"]["paths"] == ["dejank-history.db"]
    assert job["artifacts"]["reports"] == {"junit": "gate.xml", "codequality": "gl-code-quality.json"}
    assert job["allow_failure"] == {"exit_codes": [6]}
