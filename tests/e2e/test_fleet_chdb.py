"""Schema, rows and statements of dejank fleet in a current ClickHouse engine.

DEJANK_CHDB is the path of its library, libchdb.so of the npm package @chdb/lib-linux-x64-gnu. No script installs it."""
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from fleet import DAY_S, Fleet, answer
from test_fleet import made_up

KEYS = ("app", "version", "class", "day", "refresh", "release", "device,version", "app,version,day")


class Engine:
    """A cluster of one shard."""

    def __init__(self, library, folder):
        self.process = subprocess.Popen([sys.executable, Path(__file__).parent / "chdb_shard.py", library, folder],
                                        stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}"

    def options(self):
        return ["--shard", self.url]

    def sql(self, statement):
        with urllib.request.urlopen(self.url, statement.encode(), timeout=60) as reply:
            return reply.read().decode()

    def close(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def fleet(build, tmp_path):
    library = os.environ.get("DEJANK_CHDB")
    if not library:
        pytest.skip("DEJANK_CHDB names no library of chDB")
    engine = Engine(library, tmp_path)
    try:
        yield Fleet(build, tmp_path, engine)
    finally:
        engine.close()


def check(fleet, sessions):
    for by in KEYS:
        rows, found = fleet.rows(by)
        assert rows == answer(sessions, by.split(",")), by
        assert found["shards"] == {"answering": 1, "configured": 1}


def test_a_fleet_on_the_engine_of_today(fleet):
    assert int(fleet.cluster.sql("SELECT version()").split(".")[0]) >= 24
    assert [shard["created"] for shard in fleet.json("init")["shards"]] == [True]
    assert [shard["created"] for shard in fleet.json("init")["shards"]] == [False]
    sessions = made_up(1200)
    grown = [{**one, "revision": 2, "frames": one["frames"] + 7, "gpu": "Mali-G710", "figures": {"hitch_ratio_ms_per_s": 4.1},
              "present_to_present": {"17": 3}} for one in sessions[:200]]
    assert fleet.push(sessions)["sent"] == 1200
    fleet.push(grown)
    everything = sessions + grown
    check(fleet, everything)
    assert fleet.rows("version", "--slow-session", "60", "--app", "com.example.mail")[0] == answer(everything, ["version"], 60)
    assert fleet.json("rollup")["weeks"] > 0
    check(fleet, everything)
    assert not fleet.json("check")["has_problems"]
    later = [{**one, "revision": 3, "version": "renamed", "class": "unheard-of"} for one in sessions[:20]]
    for batch in (later, made_up(30, seed=5), [{**one, "revision": 1, "version": "outdated"} for one in sessions[:20]]):
        fleet.push(batch)
        everything += batch
    check(fleet, everything)
    assert fleet.rows("version", "--slow-session", "60", "--version", "renamed")[0] == \
        {key: row for key, row in answer(everything, ["version"], 60).items() if key == ("renamed",)}
    cut = 1774915200 - 10 * DAY_S  # 2026-03-21
    fleet.run("prune", "--before", "2026-03-21", "--yes")
    left = [one for one in everything if one["start_unix_s"] >= cut]
    fleet.run("forget", left[0]["id"], "--yes")
    check(fleet, [one for one in left if one["id"] != left[0]["id"]])
