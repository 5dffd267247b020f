"""Sessions of a made-up fleet, and a naive computation of the answers of `dejank fleet`."""
import hashlib
import json
import os
import random
import subprocess
from collections import defaultdict

LABELS = [5, *range(6, 33), *range(34, 49, 2), *range(53, 134, 4), 150, *range(200, 4951, 50)]
assert len(LABELS) == 154
DAY_S = 86400
COUNTERS = ("janky", "slow", "frozen")
DEVICES = {"Pixel 7": ("high-end", 8192, 90), "Moto E5": ("low-end", 2048, 60), "Galaxy A5": ("mid-range", 4096, 60)}


def session(number, seed=0, app="com.example.mail", version="1.0", device=None, start=1774944000, **more):
    """A session that depends only on its arguments."""
    rng = random.Random(f"{seed}:{number}")
    device = device or rng.choice(sorted(DEVICES))
    kind, ram, rate = DEVICES[device]
    times = defaultdict(int)
    for _ in range(rng.randrange(3, 12)):
        times[rng.choice(LABELS[:rng.choice((20, 60, 154))])] += rng.randrange(1, 200)
    frames = sum(times.values())
    slow = sum(count for label, count in times.items() if label >= 16)
    made = {"id": hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()[:32], "revision": 0, "app": app, "version": version,
            "device": device, "class": kind, "ram_mb": ram, "refresh_hz": rate, "release": "14", "start_unix_s": start,
            "frames": frames, "janky": rng.randrange(slow + 1), "slow": slow,
            "frozen": sum(count for label, count in times.items() if label >= 700),
            "frame_time": {str(label): count for label, count in times.items()}}
    made.update(more)
    return {key: value for key, value in made.items() if value is not None}


def lines(sessions):
    return "".join(json.dumps(one) + "\n" for one in sessions)


def percentile(times, total, percent):
    """Percentile by hwui's rule: counts frames from the slowest bucket down until (100 - percent) % of them are reached."""
    left = total - percent * total // 100
    for label in reversed(LABELS):
        left -= times.get(label, 0)
        if left <= 0:
            return label
    return 0


def newest(sessions):
    """The session with the highest revision for each id. If several have it, the last of them."""
    kept = {}
    for one in sessions:
        if one["id"] not in kept or one["revision"] >= kept[one["id"]]["revision"]:
            kept[one["id"]] = one
    return list(kept.values())


def key_of(one, name):
    if name == "day":
        import datetime
        return datetime.datetime.fromtimestamp(one["start_unix_s"], datetime.timezone.utc).strftime("%Y-%m-%d")
    return one.get({"refresh": "refresh_hz"}.get(name, name))


def answer(sessions, by, slow_pct=25.0, frozen_pct=0.1):
    """The rows of `dejank fleet query --by BY --json`, as {key: figures}."""
    groups = defaultdict(list)
    for one in newest(sessions):
        groups[tuple(key_of(one, name) for name in by)].append(one)
    rows = {}
    for key, members in groups.items():
        row = {"sessions": len(members), "frames": sum(one["frames"] for one in members)}
        for name in COUNTERS:
            known = [one for one in members if name in one]
            row[name] = sum(one[name] for one in known) if known else None
            row[name + "_of"] = sum(one["frames"] for one in known)
        row["slow_sessions"] = sum(100 * one["slow"] > slow_pct * one["frames"] for one in members if "slow" in one)
        row["frozen_sessions"] = sum(100 * one["frozen"] > frozen_pct * one["frames"] for one in members if "frozen" in one)
        times, total = defaultdict(int), 0
        for one in members:
            for label, count in one.get("frame_time", {}).items():
                times[int(label)] += count
            total += one["frames"] if one.get("frame_time") else 0
        for percent in (50, 90, 95, 99):
            row[f"p{percent}_ms"] = percentile(times, total, percent) if total else None
        rows[key] = row
    return rows


class Fleet:
    """`dejank fleet` on a cluster, with its own spool."""

    def __init__(self, build, folder, cluster):
        self.build, self.folder, self.cluster = build, folder, cluster
        self.spool = folder / "spool"

    def run(self, command, *words, code=0, shards=None, given=None):
        if shards is None:
            shards = self.cluster.options()
        more = ["--spool", self.spool] if command == "push" else []
        done = subprocess.run([self.build / "dejank", "fleet", command, *map(str, words), *shards, *more], text=True, input=given,
                              capture_output=True, timeout=120, check=False, cwd=self.folder,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_STATE_HOME": str(self.folder / "state"),
                                   "XDG_DATA_HOME": str(self.folder / "data")})
        assert code is None or done.returncode == code, (command, words, done.returncode, done.stdout[-800:], done.stderr[-800:])
        return done

    def json(self, command, *words, **more):
        return json.loads(self.run(command, *words, "--json", **more).stdout)

    def push(self, sessions, code=0, **more):
        return json.loads(self.run("push", "-", "--json", given=lines(sessions), code=code, **more).stdout)

    def rows(self, by, *words, **more):
        """The rows of a query in the form of answer(), and the complete result."""
        found = self.json("query", "--by", by, *words, **more)
        names = found["by"]
        return {tuple(row.pop(name) for name in names): row for row in found["rows"]}, found

    def raw(self, query):
        return [row for shard in self.cluster.shards for row in shard.rows(query)]

    def clear(self):
        """Removes all sessions and tables: drops the database on each shard."""
        for shard in self.cluster.shards:
            shard.sql("DROP DATABASE IF EXISTS dejank")
