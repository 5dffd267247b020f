"""What a fleet costs: `dejank fleet` on two ClickHouse shards of this machine, with the sessions that bench/fleet/made_sessions makes.
Loading is compared with clickhouse-client, and questions with two PostgreSQL servers. DEJANK_BENCH_FLEET sets the sizes of the fleet
in millions of sessions (default: 1), DEJANK_BENCH_POSTGRES the number of sessions in PostgreSQL (default: 100000)."""
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import postgres_server

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/e2e"))

import clickhouse  # noqa: E402

MILLION = 1_000_000
MODELS = 300
LOADED = 300_000
LOAD_ROUNDS = 3
ROUNDS = 5
APP = "com.example.mail"
POSTGRES_SESSIONS = int(os.environ.get("DEJANK_BENCH_POSTGRES", "100000"))
SHARDS = 2
QUESTIONS = {"one app by version": ("--by", "version", "--app", APP), "one app by class and version": ("--by", "class,version", "--app", APP),
             "one app by device": ("--by", "device", "--app", APP), "one app by day": ("--by", "day", "--app", APP)}
ALL_APPS = ("--by", "app,version")


class Fleet:
    """A cluster with the tables of dejank."""

    def __init__(self, build, folder):
        self.build, self.folder, self.cluster = build, folder, clickhouse.Cluster(SHARDS)
        self.run("init")

    def command(self, *words):
        return [str(word) for word in (self.build / "dejank", "fleet", *words, *self.cluster.options())]

    def run(self, *words):
        return subprocess.run(self.command(*words), check=True, stdout=subprocess.PIPE, text=True, timeout=600).stdout

    def sql(self, query):
        return [shard.sql(query) for shard in self.cluster.shards]

    def empty(self):
        self.sql("TRUNCATE TABLE dejank.sessions_local")

    def count(self):
        return sum(int(text) for text in self.sql("SELECT count() FROM dejank.sessions_local FINAL"))

    def make(self, count, seed):
        """A file of sessions as RowBinary."""
        path = self.folder / f"made-{seed}.rowbinary"
        with open(path, "wb") as output:
            subprocess.run([self.build / "bench/fleet/made_sessions", str(count), f"--seed={seed}", f"--models={MODELS}"], stdout=output,
                           check=True)
        return path


def measure(command, stdin=None):
    """(wall time in s, CPU time in s, MiB at most) of a process."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdin=stdin, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]}: exit code {process.returncode}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure_push(fleet, path):
    fleet.empty()
    with tempfile.TemporaryDirectory() as spool:
        return measure(fleet.command("push", path, "--spool", spool))


def measure_client(fleet, path):
    """clickhouse-client sends all rows to one shard, which forwards those of the other one."""
    fleet.empty()
    command = ["clickhouse-client", "--host", "127.0.0.1", "--port", fleet.cluster.shards[0].ports[1], "--insert_distributed_sync", 1,
               "--query", "INSERT INTO dejank.sessions FORMAT RowBinary"]
    with open(path, "rb") as file:
        return measure(command, stdin=file)


def load_rows(fleet):
    path = fleet.make(LOADED, 1000)
    pushed, client = [], []
    for _ in range(LOAD_ROUNDS):
        pushed.append(measure_push(fleet, path))
        client.append(measure_client(fleet, path))
        if fleet.count() != LOADED:
            raise RuntimeError(f"{fleet.count()} of {LOADED} sessions arrived")
    path.unlink()
    fleet.empty()
    yield "fleet push, sessions per second", LOADED / statistics.median(wall for wall, _, _ in pushed), "1/s", None
    yield "clickhouse-client, the same RowBinary", LOADED / statistics.median(wall for wall, _, _ in client), "1/s", None
    yield "… push against it (median of pairs)", statistics.median(b[0] / a[0] for a, b in zip(pushed, client)), "", -0.8
    yield "… CPU time of push, part of its wall time", statistics.median(100 * cpu / wall for wall, cpu, _ in pushed), "%", 10
    yield "… CPU time of push, per session", statistics.median(1e6 * cpu / LOADED for _, cpu, _ in pushed), "µs", None
    yield "… CPU time of clickhouse-client, per session", statistics.median(1e6 * cpu / LOADED for _, cpu, _ in client), "µs", None
    yield "… memory of push", max(most for _, _, most in pushed), "MiB", 64
    yield "… memory of clickhouse-client", max(most for _, _, most in client), "MiB", None


def question_s(fleet, words):
    return statistics.median(measure(fleet.command("query", *words, "--json"))[0] for _ in range(ROUNDS))


def disk_rows(fleet, size, sessions):
    for name, condition in (("sessions", "table = 'sessions_local'"), ("roll-ups", "table != 'sessions_local'")):
        query = f"SELECT sum(bytes_on_disk) FROM system.parts WHERE database = 'dejank' AND active AND {condition}"
        used = sum(int(text or 0) for text in fleet.sql(query))
        yield f"{size}: {name} on disk, per session", used / sessions, "B", 80 if name == "sessions" else None


def size_rows(fleet, millions, sessions):
    """Loads more sessions until the fleet has this many millions."""
    size = f"{millions} million sessions"
    start = time.monotonic()
    while sessions < millions * MILLION:
        path = fleet.make(MILLION, sessions // MILLION)
        fleet.run("push", path)
        path.unlink()
        sessions += MILLION
    print(f"bench: {size} after {time.monotonic() - start:.0f} s, load {os.getloadavg()[0]:.0f}", file=sys.stderr, flush=True)
    yield f"{size}: one app by version, without roll-ups", question_s(fleet, QUESTIONS["one app by version"]), "s", None
    start = time.monotonic()
    fleet.run("rollup")
    yield f"{size}: rollup of four weeks", time.monotonic() - start, "s", None
    if fleet.count() != sessions:
        raise RuntimeError(f"{fleet.count()} of {sessions} sessions arrived")
    yield from disk_rows(fleet, size, sessions)
    for name, words in QUESTIONS.items():
        yield f"{size}: {name}", question_s(fleet, words), "s", 1
    yield f"{size}: all apps by version", question_s(fleet, ALL_APPS), "s", 1
    yield f"{size}: one app by version, other limits", question_s(fleet, (*QUESTIONS["one app by version"], "--slow-session", "60")), "s", 1
    later = sessions // 200
    for seed in (5000 + millions, 0):  # new sessions, and as many that replace others
        path = fleet.make(later, seed)
        fleet.run("push", path)
        path.unlink()
    for name, words in QUESTIONS.items():
        yield f"{size}, 1 % later: {name}", question_s(fleet, words), "s", 1
    return sessions + later


# ---- PostgreSQL

TABLE = ("(app text, version text, device text, class text, day date, frames int, slow int, frozen int, "
         "bucket smallint[], count int[])")
# The sums of each version, and the merged histogram from which percentiles follow.
POSTGRES_SUMS = f"SELECT version, count(*), sum(frames), sum(slow), sum(frozen) FROM sessions WHERE app = '{APP}' GROUP BY version"
POSTGRES_TIMES = (f"SELECT version, b, sum(c) FROM sessions, unnest(bucket, count) AS pairs (b, c) WHERE app = '{APP}' GROUP BY version, b")


def postgres_lines(build, count, index):
    """The sessions of a server as CSV."""
    made = subprocess.Popen([build / "bench/fleet/made_sessions", str(count), "--json", f"--models={MODELS}"], stdout=subprocess.PIPE, text=True)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for one in map(json.loads, made.stdout):
        if int(one["id"][:8], 16) % SHARDS == index:
            times = one["frame_time"]
            writer.writerow([one["app"], one["version"], one["device"], one["class"], one["day"], one["frames"], one["slow"], one["frozen"],
                             f"{{{','.join(times)}}}", f"{{{','.join(map(str, times.values()))}}}"])
    made.wait()
    return text.getvalue()


def load_postgres(build, servers, count):
    """The second server's table is a partition of the first one's."""
    first, second = servers
    second.psql(f"CREATE TABLE part {TABLE}")
    first.psql(f"""CREATE TABLE part {TABLE}; CREATE EXTENSION postgres_fdw;
        CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{second.folder}', dbname 'postgres', fetch_size '10000');
        CREATE USER MAPPING FOR owner SERVER other OPTIONS (user 'owner');
        CREATE FOREIGN TABLE other_part {TABLE} SERVER other OPTIONS (table_name 'part', async_capable 'true');
        CREATE VIEW sessions AS SELECT * FROM part UNION ALL SELECT * FROM other_part""")
    for index, server in enumerate(servers):
        server.psql("COPY part FROM STDIN WITH (FORMAT csv)", postgres_lines(build, count, index))
        server.psql("CREATE INDEX ON part (app)")
        server.psql("VACUUM ANALYZE part")


def postgres_rows(fleet):
    """The same question of the same sessions."""
    if postgres_server.programs() is None:
        return
    servers = []
    try:
        for _ in range(SHARDS):
            servers.append(postgres_server.Server())
        load_postgres(fleet.build, servers, POSTGRES_SESSIONS)
        fleet.empty()
        path = fleet.make(POSTGRES_SESSIONS, 1)
        fleet.run("push", path)
        path.unlink()
        asked, answered = [], []
        for _ in range(ROUNDS):
            answered.append(measure(fleet.command("query", *QUESTIONS["one app by version"], "--json"))[0])
            asked.append(sum(measure([*servers[0].shell(), query])[0] for query in (POSTGRES_SUMS, POSTGRES_TIMES)))
        size = f"{POSTGRES_SESSIONS // 1000} thousand sessions"
        yield f"{size}: one app by version, without roll-ups", statistics.median(answered), "s", None
        yield "… two PostgreSQL servers with postgres_fdw", statistics.median(asked), "s", None
        yield "… against dejank (median of pairs)", statistics.median(b / a for a, b in zip(answered, asked)), "", None
    finally:
        for server in servers:
            server.close()


def bench_rows(build, scratch):
    reason = clickhouse.reason_to_skip()
    if reason:
        print(f"bench: {reason}", file=sys.stderr)
        return
    fleet = Fleet(build, Path(scratch))
    try:
        yield from load_rows(fleet)
        yield from postgres_rows(fleet)
        fleet.empty()
        sessions = 0
        for millions in map(int, os.environ.get("DEJANK_BENCH_FLEET", "1").split(",")):
            sessions = yield from size_rows(fleet, millions, sessions)
    finally:
        fleet.cluster.close()
