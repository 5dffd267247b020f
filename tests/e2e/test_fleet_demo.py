"""The demo of a fleet: it finds the planted regression, its answers equal a naive computation, and its servers end with it."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

import clickhouse
from fleet import answer

ROOT = Path(__file__).resolve().parents[2]
APP = "com.example.mail"


@pytest.fixture
def folder():
    """A path for the folder of the demo, in a directory that the user of the servers can open."""
    reason = clickhouse.reason_to_skip()
    if reason:
        pytest.skip(reason)
    place = Path(tempfile.mkdtemp(prefix="dejank-demo-", dir="/tmp"))
    place.chmod(0o755)
    yield place / "demo"
    shutil.rmtree(place)


def start(build, folder, *words):
    return subprocess.Popen([ROOT / "demo/fleet", "--folder", folder, *map(str, words)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "DEJANK_BUILD": str(build)})


def servers_of(folder):
    """The processes that have the folder in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if f"{folder}/".encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:  # the process has ended
            pass
    return found


def is_left(folder):
    return servers_of(folder) or folder.exists()


def run(build, folder, *words):
    process = start(build, folder, *words)
    text, messages = process.communicate(timeout=600)
    assert process.returncode == 0, (text[-2000:], messages[-2000:])
    return text


def check_answers(build, folder, count):
    made = subprocess.run([build / "bench/fleet/made_sessions", str(count), "--models", "30", "--json"], stdout=subprocess.PIPE, check=True, text=True)
    sessions = [one for one in map(json.loads, made.stdout.splitlines()) if one["app"] == APP]
    for by in ("version", "class,version"):
        found = json.loads((folder / f"{by.replace(',', '-')}.json").read_text())
        rows = {tuple(row.pop(name) for name in found["by"]): row for row in found["rows"]}
        assert rows == answer(sessions, by.split(",")), by


def test_the_demo_finds_the_planted_regression(build, folder):
    text = run(build, folder, "--sessions", 20000, "--keep")
    assert "20 000 sessions were sent" in text
    assert "Version 4.2 renders worse on low-end devices" in text and "As a whole, version 4.2 looks faster" in text
    assert "\nregression: 4.2 renders " in text and " on low-end: " in text
    assert f"the data is in {folder}" in text and not servers_of(folder)
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("  ") and str(folder) not in line), text
    check_answers(build, folder, 20000)


def test_the_data_is_deleted(build, folder):
    assert "all data is deleted" in run(build, folder, "--sessions", 5000)
    assert not is_left(folder)


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_demo_ends_its_servers(build, folder, number, code):
    process = start(build, folder, "--sessions", 200000)
    while "2 of 3" not in process.stdout.readline():
        assert process.poll() is None, process.stderr.read()
    assert len(servers_of(folder)) >= 2
    process.send_signal(number)
    _, messages = process.communicate(timeout=60)
    assert process.returncode == code and messages.count("\n") == 1
    assert messages == f"demo-fleet: stopped by {number.name}. The servers have ended, and all data is deleted.\n"
    assert not is_left(folder)


def test_a_demo_that_fails_ends_its_servers(build, folder, tmp_path):
    (tmp_path / "bench").symlink_to(build / "bench")
    (tmp_path / "dejank").write_text(f'#!/bin/sh\n[ "$2" != rollup ] || exit 5\nexec {build}/dejank "$@"\n')
    (tmp_path / "dejank").chmod(0o755)
    process = start(tmp_path, folder, "--sessions", 5000)
    _, messages = process.communicate(timeout=120)
    assert process.returncode == 1 and messages == "demo-fleet: dejank fleet rollup ended with exit code 5\n"
    assert not is_left(folder)


def test_wrong_numbers_of_sessions_are_refused(build, folder):
    for word in ("many", "-5"):
        process = start(build, folder, "--sessions=" + word)
        assert "expected a number of sessions from 5000 on" in process.communicate(timeout=60)[1]
        assert process.returncode == 2


@pytest.mark.slow
def test_the_demo_with_a_million_sessions(build, folder):
    text = run(build, folder, "--sessions", 1000000)
    assert "1 000 000 sessions were sent" in text and "Version 4.2 renders worse on low-end devices" in text
