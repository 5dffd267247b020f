"""`--store postgresql://…`: tests of test_store.py with a real PostgreSQL server, and tests of the errors that only a server has. It
can refuse a request, go away, and lose the answer to a commit."""
import json
import lzma
import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from postgres import IN_A_URL, PASSWORD, Cluster, PostgresStore, Proxy, literal
from test_gate import Store as GateStore
from test_store import (  # noqa: F401: the same tests, with this file's fixture `store`
    Store, test_batches_are_handed_over_as_one_file, test_check_finds_damaged_evidence,
    test_check_finds_what_recompute_mends, test_evidence_is_kept_byte_by_byte_and_once, test_list_tells_the_newest_first,
    test_processes_write_at_once, test_prune_names_before_it_deletes, test_show_takes_ids_beginnings_names_and_projects,
    test_texts_from_outside_stay_texts)

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def cluster(build):
    off = subprocess.run([build / "dejank", "doctor"], capture_output=True, text=True, check=False).stdout
    if "libpq (" in off:
        pytest.skip("this build is without libpq")
    server = Cluster()
    yield server
    server.close()


@pytest.fixture
def store(build, tmp_path, cluster):
    return PostgresStore(build, tmp_path, cluster)


@pytest.fixture
def proxy(cluster):
    made = []

    def make(cuts, **more):
        made.append(Proxy(cluster.port, cuts, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


def refused(store, *words, url=None, code=4, environment=()):
    """Runs a command that must fail and print nothing. Returns its stderr: one line with the error, and at most one with a hint."""
    done = subprocess.run([store.build / "dejank", *map(str, words), "--store", url or store.path], text=True,
                          capture_output=True, timeout=60, cwd=store.folder, check=False, env={**os.environ, **dict(environment)})
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    error, *hints = done.stderr.splitlines()
    assert done.stdout == "" and error.startswith("dejank ") and all(line.startswith("hint: ") for line in hints) and len(hints) <= 1, done
    return done.stderr


# ---- lost connections


@pytest.mark.parametrize("how", ["before", "during", "after"])
def test_a_commit_whose_connection_is_lost_is_made_once(store, proxy, how):
    """The first commit stores the batch with its first run, the others one run each. Each is lost once, and its second try succeeds."""
    store.add(9)
    between = proxy({1: how, 3: how, 5: how})
    done = subprocess.run([store.build / "dejank", "import", *[store.file(n) for n in (1, 2, 3)], "--json", "--store",
                           store.tcp(port=between.mine)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (between.lost, between.commits) == (3, 6)
    told = json.loads(done.stdout)
    assert [file["run"] for file in told["files"]] == [1, 2, 3]
    assert store.sql("SELECT r.number, r.attempt, (SELECT count(*) FROM evidence e WHERE e.run_id = r.id) AS n FROM runs r JOIN"
                     " batches b ON b.id = r.batch_id WHERE b.uid = ? ORDER BY r.number", told["batches"][0]["id"]) == [
                         (1, 1, 1), (2, 1, 1), (3, 1, 1)]
    assert store.counts()["batches"] == 2 and store.counts()["runs"] == 4
    store.check()


def test_a_history_whose_answer_is_lost_tells_the_same(store, proxy):
    """This includes the answer to the commit that creates the tables."""
    table = store.folder / "five.csv"
    table.write_text("time,version,p95_ms\n" + "".join(f"{1600000000 + i * 86400},{i},{16 + i % 3 + 4 * (i > 19)}\n" for i in range(40)))

    def told(*words, at=(1,)):
        between = proxy(dict.fromkeys(at, "after"))
        done = subprocess.run([store.build / "dejank", *map(str, words), "--store", store.tcp(port=between.mine)], check=False,
                              capture_output=True, text=True, timeout=60)
        assert (done.returncode, between.lost) == (0, len(at)), done
        return done.stdout

    assert told("import", "--history", table, "--package", "p", at=(1, 3)) == "p: 40 new points in 1 series\n"
    (change,) = store.json("history", "--project", "p")["segments"][0]["changes"]
    assert told("history", "bless", change["id"], "--why", "wanted").startswith("Accepted by blessing ")
    (blessing,) = store.json("history", "blessings")["blessings"]
    assert told("history", "unbless", blessing["id"], "--why", "it was not") == "The blessing is withdrawn: the change is no longer accepted.\n"
    assert [one["withdrawn"] for one in store.json("history", "blessings")["blessings"]] == ["it was not"]
    assert store.sql("SELECT count(*) AS n FROM points") == [(40,)]


def test_a_server_that_is_away_for_a_moment(store, proxy):
    store.add(9)
    between = proxy({2: "before", 4: "after"}, away_s=1.0)
    subprocess.run([store.build / "dejank", "import", *[store.file(n) for n in (1, 2, 3)], "--store", store.tcp(port=between.mine)],
                   capture_output=True, check=True, timeout=60)
    assert between.lost == 2 and store.counts()["runs"] == 4
    store.check()


def test_a_connection_that_is_lost_twice_ends_it(store, proxy):
    """Runs that were stored before remain. The other runs are not stored, and can be imported again."""
    store.add(9)
    between = proxy({2: "before", 3: "before"})
    files = [store.file(n) for n in (1, 2, 3)]
    done = subprocess.run([store.build / "dejank", "import", *files, "--store", store.tcp(port=between.mine)],
                          capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 3 and "the connection to the server was lost" in done.stderr, done
    assert store.counts()["runs"] == 2
    again = store.run("import", *files)
    assert "the store has it as run" in again.stderr
    assert store.counts()["runs"] == 4
    store.check()


# ---- servers that refuse


def test_a_server_that_is_not_there(store):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = store.tcp(port=free.getsockname()[1])
        for words in (["list"], ["import", store.file(1)], ["show", "x"], ["store", "check"]):
            told = refused(store, *words, url=url, code=3)
            assert "cannot reach its server" in told and "s3cr" not in told


def test_places_that_are_no_store(store, cluster):
    assert "there is no store in this database yet" in refused(store, "list")
    assert "database \"nowhere\" does not exist" in refused(store, "list", url=cluster.url(database="nowhere"))
    other = PostgresStore(store.build, store.folder, cluster)
    other.change("CREATE TABLE runs (of_somebody_else text)")
    before = other.tables()
    for words in (["list"], ["import", store.file(1)], ["store", "recompute"]):
        assert "tables of other programs" in refused(other, *words)
    assert other.tables() == before
    assert "no schema in the user's search path exists" in refused(store, "list", url=cluster.url("none"))
    cluster.sql("CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
    assert "expected UTF8" in refused(store, "import", store.file(1), url=cluster.url(database="latin"))
    assert cluster.sql("SELECT relname FROM pg_class WHERE relname = 'runs'", database="latin") == []


def test_a_store_of_another_version(store):
    store.add(1)
    store.change("UPDATE dejank_store SET version = 99")
    before = store.counts()
    for words in (["list"], ["import", store.file(2)], ["store", "prune", "--keep", "1", "--yes"]):
        assert "a newer dejank wrote it (schema 99" in refused(store, *words)
    assert store.counts() == before
    newer = store.sql("SELECT column_name FROM information_schema.columns WHERE table_name = 'metrics' AND table_schema = current_schema()"
                      " ORDER BY ordinal_position")
    newer = [name for (name,) in newer][[name for (name,) in newer].index("findings") + 1:]
    store.change("UPDATE dejank_store SET version = 1; UPDATE runs SET figures_version = 2; DROP TABLE points; DROP TABLE series;"
                 " DROP TABLE blessings; ALTER TABLE metrics " + ", ".join(f"DROP COLUMN {name}" for name in newer))
    assert len(store.json("list")["batches"]) == 1, "an older one is read as it is"
    assert store.sql("SELECT version FROM dejank_store") == [(1,)]
    store.add(2)
    assert store.sql("SELECT version FROM dejank_store") > [(1,)]
    store.check()
    store.change("ALTER TABLE runs DROP COLUMN reason")
    assert "(runs.reason)" in refused(store, "list")
    store.change("ALTER TABLE runs ADD COLUMN reason text; CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL;"
                 " END'; CREATE TRIGGER t BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION f()")
    assert "(a trigger)" in refused(store, "import", store.file(3))


def test_users_without_rights(store, cluster):
    cluster.sql("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN")
    theirs = cluster.url(store.schema, user="reader")
    assert "no schema in the user's search path exists" in refused(store, "import", store.file(1), url=theirs)
    store.change(f"GRANT USAGE ON SCHEMA {store.schema} TO reader")
    assert "permission denied" in refused(store, "import", store.file(1), url=theirs)
    assert store.tables() == []
    store.add(1)
    assert "permission denied" in refused(store, "list", url=theirs)
    store.change(f"GRANT SELECT ON ALL TABLES IN SCHEMA {store.schema} TO reader")
    listed = subprocess.run([store.build / "dejank", "list", "--json", "--store", theirs], capture_output=True, check=True)
    assert json.loads(listed.stdout) == store.json("list")
    before = store.counts()
    assert "permission denied" in refused(store, "import", store.file(2), url=theirs)
    assert store.counts() == before
    store.change(f"GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {store.schema} TO reader")
    subprocess.run([store.build / "dejank", "import", store.file(2), "--store", theirs], capture_output=True, check=True)
    assert store.counts()["runs"] == 2


# ---- passwords


def test_passwords_are_shown_nowhere(store, cluster, tmp_path):
    url = store.tcp()
    done = [subprocess.run([store.build / "dejank", *words, "--store", url], capture_output=True, text=True, check=True, cwd=tmp_path)
            for words in (["import", store.file(1), "--json"], ["store", "check", "--json"], ["store", "export", "out.db"])]
    assert json.loads(done[0].stdout)["store"] == url.replace(f":{IN_A_URL}", "")
    assert all("s3cr" not in one.stdout + one.stderr for one in done)
    for wrong in (store.tcp(password="s3cret"), store.tcp(user="somebody", password="s3cr"),
                  store.tcp(password="x").replace("sslmode=disable", "password=s3cr")):
        told = refused(store, "list", url=wrong)
        assert "password authentication failed" in told and "s3cr" not in told
    for typo in (f"postgresql://owner:{PASSWORD}@127.0.0.1/x", "postgresql://owner:s3cr", "postgresql://owner:s3cr%zz@127.0.0.1/x",
                 "postgresql://owner@127.0.0.1/x?password=s3cr&sslmod=x"):
        assert "s3cr" not in refused(store, "list", url=typo, code=2)
    (tmp_path / "passes").write_text("*:*:*:*:" + PASSWORD.replace(":", "\\:"))
    (tmp_path / "passes").chmod(0o600)
    plain = url.replace(f":{IN_A_URL}", "")
    (tmp_path / "services").write_text(f"[team]\nhost=127.0.0.1\nport={cluster.port}\ndbname=postgres\nuser=owner\n"
                                       f"password={PASSWORD}\noptions=-csearch_path={store.schema}\n")
    for place, environment in ((plain, {"PGPASSWORD": PASSWORD}), (plain, {"PGPASSFILE": str(tmp_path / "passes")}),
                               ("postgresql://?service=team", {"PGSERVICEFILE": str(tmp_path / "services")})):
        subprocess.run([store.build / "dejank", "list", "--store", place], check=True, capture_output=True,
                       env={**os.environ, **environment})


def test_the_list_of_processes_has_no_password(store, cluster):
    """dejank waits for another writer. Meanwhile its command line can be read."""
    store.add(1)
    cluster.sql("SELECT pg_advisory_lock(1684696683, hashtext(current_schema()))", store.schema)
    try:
        writer = subprocess.Popen([store.build / "dejank", "import", store.file(2), f"--store={store.tcp()}"],
                                  stdout=subprocess.DEVNULL)
        wait_for(lambda: store.sql("SELECT 1 AS x FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
        words = Path(f"/proc/{writer.pid}/cmdline").read_text()
        assert "--store=postgresql://owner@127.0.0.1" in words and "s3cr" not in words
        assert writer.poll() is None and store.counts()["runs"] == 1, "writers wait for each other"
    finally:
        cluster.sql("SELECT pg_advisory_unlock_all()", store.schema)
    assert writer.wait(60) == 0
    assert store.counts()["runs"] == 2


def wait_for(answer):
    until = time.monotonic() + 30
    while not answer():
        assert time.monotonic() < until
        time.sleep(0.05)


# ---- copies between files and servers


def test_all_of_a_file_comes_and_goes(store, build, tmp_path, cluster):
    """The server loads two files, one of schema version 1. The exported store has the same contents as the server."""
    old = tmp_path / "old.db"
    old.write_bytes(lzma.decompress((DATA / "store-version-1.db.xz").read_bytes()))
    file = Store(build, tmp_path, "file.db")
    file.add(1, 2, 3, more=["--device-name", "Pixel"])
    file.change("UPDATE runs SET excluded = 'hot' WHERE number = 2")
    moved = store.json("store", "load", old, file.path)["files"]
    assert moved[1]["runs"] == 3 and moved[0]["runs"] > 0
    assert store.json("show", "A")["each_run"] == file.json("show", "A")["each_run"]
    back = Store(build, tmp_path, "back.db")
    store.run("store", "export", back.path)
    assert back.counts() == store.counts()
    assert back.json("list")["batches"] == store.json("list")["batches"]
    back.check()
    store.check()
    other = PostgresStore(build, tmp_path, cluster)
    other.run("store", "load", store.path)
    assert other.counts() == store.counts(), "one server from another"
    assert "expected the path of a file" in refused(store, "store", "export", other.path, code=2)


def test_what_is_put_in_is_counted(store, build, tmp_path):
    """The server plans statements with its row counts. dejank updates them right after it stores many rows at once."""
    counted = ("SELECT relname, reltuples::int FROM pg_class WHERE relname IN ('points', 'runs') AND relkind = 'r'"
               " AND relnamespace = current_schema()::regnamespace ORDER BY 1")
    table = tmp_path / "figures.csv"
    for first, points, known in ((0, 400, -1), (0, 600, -1), (600, 500, 1100)):  # 400, 200 and 500 new points
        table.write_text("time,value\n" + "".join(f"{1600000000 + 86400 * (first + i)},{16 + i % 3}\n" for i in range(points)))
        store.run("import", "--history", table, "--package", "com.example", "--better", "less")
        assert dict(store.sql(counted))["points"] == known
    file = Store(build, tmp_path, "many.db")
    file.add(1)
    run, window = file.sql("SELECT r.id, w.id FROM runs r JOIN windows w ON w.run_id = r.id")[0]
    changed = {"runs": {"id": "n.i", "uid": "printf('r%015d', n.i)", "number": "n.i"}, "windows": {"id": "n.i", "run_id": "n.i"},
               "metrics": {"window_id": "n.i"}, "histograms": {"window_id": "n.i"}, "evidence": {"run_id": "n.i"}}
    for name, values in changed.items():
        columns = ", ".join(values.get(row[1], f"t.{row[1]}") for row in file.sql(f"PRAGMA table_info({name})"))
        mine = f"t.run_id = {run}" if "run_id" in values else f"t.window_id = {window}" if "window_id" in values else f"t.id = {run}"
        file.change("WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 609)"
                    f" INSERT INTO {name} SELECT {columns} FROM {name} t, n WHERE {mine}")
    store.run("store", "load", file.path)
    assert dict(store.sql(counted))["runs"] == 601


def test_texts_that_are_no_utf8(store):
    """A server accepts only UTF-8. dejank replaces invalid bytes with U+FFFD."""
    subprocess.run([bytes(store.build / "dejank"), b"import", bytes(store.file(1)), b"--label", b"caf\xe9", b"--store",
                    store.path.encode()], check=True, capture_output=True)
    assert store.sql("SELECT label FROM builds") == [("caf\ufffd",)]


def test_dump_is_read_by_postgres_itself(store):
    """The mean and the median that the server computes from the stored values agree with dejank's."""
    store.add(1, 2, 3)
    shown = store.json("show", "A")["over_runs"]["frame_time_p50_ns"]
    [(mean, median)] = store.sql("SELECT avg(frame_time_p50_ns) AS mean, percentile_cont(0.5) WITHIN GROUP (ORDER BY"
                                 " frame_time_p50_ns) AS median FROM metrics")
    assert mean == pytest.approx(shown["mean"], rel=1e-12) and median == shown["median"]
    assert store.sql("SELECT count(*) AS n FROM metrics WHERE stage_app_p50_ns IS NULL") == [(3,)], "unknown is NULL"


# ---- gates


class GatedStore(GateStore):
    """The store of test_gate.py, on the server."""

    def __init__(self, build, folder, cluster):
        super().__init__(build, folder)
        self.cluster, self.schema = cluster, cluster.schema()
        self.path = cluster.url(self.schema)

    def sql(self, text, *values):
        for value in values:
            text = text.replace("?", literal(value), 1)
        return [tuple(row) for row in self.cluster.sql(text, self.schema) or []]

    def sql_many(self, text, rows):
        for row in rows:
            self.sql(text, *row)


def test_a_gate_answers_the_same_on_a_server(build, tmp_path, cluster):
    told = []
    for store in (GateStore(build, tmp_path), GatedStore(build, tmp_path, cluster)):
        for device, ram, scale in (("a", "2048", 1.2), ("b", "6144", 1.0)):
            store.pair(scale, device=device)
            store.facts(device, ram=(ram, "MiB"))
        said = store.gate(code=1)
        assert said["flows"][0]["words"] == "worse on 1 of 2 devices, with ≤ 2.15 GB of RAM; 1 equivalent"
        assert store.gate("--device", "b", code=0)["answer"] == "pass"
        store.add("A", device="c")
        assert store.gate("B", "--baseline", "A", code=1)["cells"][2]["answer"] == "not-measured"
        told.append([(cell["device"], cell["verdict"], [(one["metric"], one["p"], one["p_adjusted"], one["ci"], one["verdict"])
                                                        for one in cell["metrics"]]) for cell in said["cells"]])
        history = json.loads(store.run("history", "--json", code=0).stdout)
        told.append(sorted((one["device"], one["metric"], len(one["points"])) for one in history["segments"]))
    assert told[:2] == told[2:]
    plans = store.run("history", "--explain", "--flow", "it's", code=0).stdout
    assert "\nSELECT r.batch_id, m." in plans and "(name = 'it''s'::text)" in plans, "the server's own words"
