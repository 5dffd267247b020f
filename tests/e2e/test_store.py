"""`dejank list`, `show` and `store`: imported data stays intact despite concurrent writers and damaged files."""
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import statistics
import subprocess
import time
from pathlib import Path

import pytest

import made_dumps as made

CORPUS = os.environ.get("DEJANK_CORPUS")
EVIL = "'; DROP TABLE runs; --\x1b[31m\"$(x)\u202e"
TABLES = ("projects", "builds", "devices", "batches", "runs", "windows", "metrics", "histograms", "conditions",
          "evidence", "blobs", "series", "points", "blessings")


def frames(number):
    return made.frames(90 + 10 * number, seed=number, janky_every=5 + number % 5)


def dump(number):
    return made.dump(made.process("com.example.app", [("Main", frames(number))]))


def quantile(values, p):
    """Quantile of type 7, as in R and NumPy."""
    values = sorted(values)
    at = (len(values) - 1) * p
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


class Store:
    """A store in its own folder. Runs dejank on it, and queries it with sqlite3."""

    def __init__(self, build, folder, name="history.db"):
        self.build, self.folder, self.path = build, folder, folder / name

    def run(self, *words, code=0, **more):
        done = subprocess.run([self.build / "dejank", *map(str, words), "--store", self.path], text=True,
                              capture_output=True, timeout=60, cwd=self.folder, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"}, **more)
        assert done.returncode == code, (words, done.stdout[-500:], done.stderr[-500:])
        return done

    def json(self, *words, code=0):
        return json.loads(self.run(*words, "--json", code=code).stdout)

    def file(self, number):
        path = self.folder / f"dump{number}.txt"
        path.write_text(dump(number))
        return path

    def add(self, *numbers, label="A", more=()):
        self.run("import", *[self.file(number) for number in numbers], "--label", label, *more)
        return self.sql("SELECT uid FROM batches ORDER BY id DESC LIMIT 1")[0][0]

    def sql(self, text, *values):
        with sqlite3.connect(self.path) as database:
            rows = database.execute(text, values).fetchall()
        database.close()
        return rows

    def change(self, text):
        with sqlite3.connect(self.path) as database:
            database.executescript(text)
        database.close()

    def cut_evidence(self):
        self.change("UPDATE blobs SET data = CAST(substr(data, 1, length(data) - 1) || x'00' AS BLOB) WHERE id = 1")

    def counts(self):
        return {table: self.sql(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}

    def check(self):
        assert self.sql("PRAGMA integrity_check") == [("ok",)]
        assert self.sql("PRAGMA foreign_key_check") == []
        found = self.json("store", "check")
        assert found["problems"] == [] and found["runs"] == self.counts()["runs"]
        return found


@pytest.fixture
def store(build, tmp_path):
    return Store(build, tmp_path)


@pytest.fixture
def disk(tmp_path):
    """disk(OPTIONS) mounts a small file system and returns its folder."""
    mounted = []

    def mount(options):
        folder = tmp_path / f"disk{len(mounted)}"
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "dejank-test", str(folder)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip("no file system can be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", str(folder)], check=True)


# ---- list


def test_list_tells_the_newest_first(store):
    first = store.add(1, 2, 3, label="A", more=["--build", "1.0", "--device-name", "Pixel 7"])
    second = store.add(4, label="B", more=["--name", "later"])
    store.change("UPDATE batches SET planned = 10, began_unix_ms = began_unix_ms + id;"
                 "UPDATE runs SET outcome = 'screen-off' WHERE number = 2; UPDATE runs SET excluded = 'hot' WHERE number = 3;"
                 "UPDATE batches SET planned = NULL WHERE name = 'later'")
    listed = store.json("list")
    assert listed["schema"] == "dejank.list/1"
    keys = ("id", "name", "device", "build", "runs", "failed", "excluded", "planned")
    assert [tuple(batch[key] for key in keys) for batch in listed["batches"]] == [
        (second, "later", "unknown", "B", 1, 0, 0, None), (first, "A", "Pixel 7", "A", 1, 1, 1, 10)]
    store.change("UPDATE runs SET warmup = 1 WHERE number = 1 AND batch_id = 1")
    assert store.json("list", "--name", "A")["batches"][0]["runs"] == 0, "warm-up runs count nowhere"
    store.change("UPDATE batches SET excluded = 'half of it was hot' WHERE id = 1")
    batch = store.json("list", "--name", "A")["batches"][0]
    assert (batch["runs"], batch["failed"], batch["excluded"]) == (0, 0, 2)
    assert batch["excluded_reason"] == "half of it was hot"
    assert [batch["id"] for batch in store.json("list", "-n", "1")["batches"]] == [second]
    assert store.json("list", "--project", "com.other")["batches"] == []
    assert "the store contains no such batch" in store.run("list", "--project", "com.other").stderr
    page = store.run("list").stdout
    assert page.startswith("2 batches, newest first\n\nproject  ")
    table = page.split("\n\n")[2].splitlines()
    assert table[0].split() == ["batch", "began", "build", "name", "device", "runs"]
    assert [line.split()[0] for line in table[1:]] == [second, first]
    assert table[2].endswith("0 of 10, 2 excluded")
    assert f"\n  dejank compare {first} {second} --store " in page.partition("next:")[2]


def test_runs_and_batches_are_left_out_by_hand_and_taken_back(store):
    batch = store.add(1, 2, 3)
    store.change("UPDATE runs SET attempt = 2, number = 2 WHERE number = 3")
    before = store.json("list")["batches"]
    told = store.json("store", "exclude", f"{batch}#2", "--reason", "somebody's phone; $(id)")
    assert told == {"schema": "dejank.store/1", "did": "exclude", "reason": "somebody's phone; $(id)",
                    "changed": [{"what": f"{batch}#2", "run": 2}]}
    assert store.sql("SELECT number, excluded FROM runs ORDER BY id") == [
        (1, None), (2, "somebody's phone; $(id)"), (2, "somebody's phone; $(id)")], "all attempts of it"
    [listed] = store.json("list")["batches"]
    assert (listed["runs"], listed["excluded"]) == (1, 2)
    assert "somebody's phone; $(id)" in store.run("show", batch).stdout
    assert store.run("store", "include", "A#2").stdout == "A#2: the run is included again\n"
    assert store.json("list")["batches"] == before
    store.run("store", "exclude", batch, "--reason", "wrong build")
    assert store.json("list")["batches"][0]["excluded_reason"] == "wrong build"
    store.run("store", "include", batch)
    assert store.json("list")["batches"][0]["excluded_reason"] is None
    for words, code, said in ((["exclude", batch], 2, "missing option --reason TEXT"), (["exclude", batch, "--reason", " "], 2, "missing option --reason"),
                              (["include", batch, "--reason", "x"], 2, "--reason does not apply"), (["include"], 2, "missing operand BATCH"),
                              (["exclude", f"{batch}#9", "--reason", "x"], 4, "no run 9"),
                              (["exclude", "other#1", "--reason", "x"], 4, "no batch has the id, name or project 'other'")):
        assert said in store.run("store", *words, code=code).stderr
    store.change("UPDATE runs SET attempt = 1, number = 3 WHERE attempt = 2")
    store.check()


def test_no_store_yet_is_no_batches(build, tmp_path):
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    done = subprocess.run([build / "dejank", "list", "--json"], env=environment, text=True, capture_output=True, check=True)
    assert json.loads(done.stdout) == {"schema": "dejank.list/1", "batches": []}
    done = subprocess.run([build / "dejank", "list"], env=environment, text=True, capture_output=True, check=True)
    assert done.stderr.startswith("dejank list: the store is empty\nhint: ") and done.stdout == ""
    assert not (tmp_path / "data").exists(), "looking makes nothing"
    done = subprocess.run([build / "dejank", "import", Store(build, tmp_path).file(1)], env=environment, text=True,
                          capture_output=True, check=True)
    assert (tmp_path / "data/dejank/history.db").exists()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_a_named_store_must_be_there(store):
    for words in (["list"], ["show", "x"], ["store", "check"], ["store", "recompute"], ["store", "export", "out.db"]):
        assert "there is no such store" in store.run(*words, code=4).stderr
    assert not store.path.exists()


# ---- show


def test_show_tells_the_figures_of_the_rows(store):
    store.add(1, 2, 3)
    shown = store.json("show", "A")
    assert shown["schema"] == "dejank.show/1"
    expected = {"p50": [], "p95": [], "mean": [], "janky": []}
    for number, run in enumerate(shown["each_run"], 1):
        times = [made.duration_ns(row) for row in frames(number)]
        metrics = run["metrics"]
        assert metrics["rows"] == metrics["rows_usable"] == len(times)
        assert metrics["frame_time_p50_ns"] == quantile(times, 0.50)
        assert metrics["frame_time_p95_ns"] == pytest.approx(quantile(times, 0.95), rel=1e-15)
        assert metrics["frame_time_mean_ns"] == pytest.approx(sum(times) / len(times), rel=1e-15)
        assert metrics["frame_time_max_ns"] == max(times)
        janky = sum(time > made.INTERVAL_NS for time in times)
        assert (metrics["hwui_total_frames"], metrics["hwui_janky_frames"]) == (len(times), janky)
        assert metrics["janky_pct"] == pytest.approx(100 * janky / len(times), rel=1e-15)
        assert metrics["stage_app_p50_ns"] is None, "unknown is not 0"
        expected["p50"].append(metrics["frame_time_p50_ns"])
        expected["janky"].append(metrics["janky_pct"])
    over = shown["over_runs"]["frame_time_p50_ns"]
    assert over["runs"] == 3
    assert over["mean"] == pytest.approx(statistics.mean(expected["p50"]), rel=1e-15)
    assert over["median"] == statistics.median(expected["p50"])
    assert over["sd"] == pytest.approx(statistics.stdev(expected["p50"]), rel=1e-12)
    assert shown["over_runs"]["janky_pct"]["max"] == max(expected["janky"])


def test_show_for_people(store):
    batch = store.add(1, 2, 3, more=["--device-name", "Pixel 7"])
    store.change("UPDATE runs SET outcome = 'screen-off', reason = 'the screen went off' WHERE number = 2")
    text = store.run("show", batch[:6]).stdout
    assert re.match(r"A: p95 frame time \d+\.\d\d ms, \d+\.\d\d % janky, median of 2 runs\n", text), text
    assert f", A on Pixel 7; batch {batch}\n" in text
    assert "runs  2 clean runs, 1 that failed. Outcomes: 2 ok, 1 screen off\n" in text
    assert "run 2 does not count: screen off: the screen went off" in text
    assert re.search(r"^  2  screen off +\d+ ", text, re.M)
    row = r"^Frame time, 95th percentile, ms"
    assert re.search(row + r"( +\d+\.\d\d){2}( +\d+\.\d\d … \d+\.\d\d){2}$", text, re.M), text
    everything = store.run("show", batch, "--all").stdout
    assert re.search(row + r" +\d+\.\d\d +2$", everything, re.M), "standard deviation and number of runs"
    assert "conditions of each run" in everything and ", by dejank " in everything
    store.change("UPDATE runs SET outcome = 'screen-off'")
    assert store.run("show", batch).stdout.startswith("A: no run counts, so the smoothness is unknown\n")


def test_show_of_counters_alone(store):
    """As from --aggregate-only: the printed counters are known, and figures that need rows are unknown."""
    text = re.sub(r"---PROFILEDATA---.*?---PROFILEDATA---", "", dump(1), flags=re.S)
    (store.folder / "counters.txt").write_text(text)
    store.run("import", "counters.txt", "--label", "C")
    metrics = store.json("show", "C")["each_run"][0]["metrics"]
    assert metrics["hwui_total_frames"] == metrics["frames"] == 100
    assert metrics["rows"] is None and metrics["frame_time_p95_ns"] is None and metrics["frame_rate_hz"] is None
    kinds = store.sql("SELECT kind FROM histograms")
    assert kinds == [("hwui",)], "GPU counts are all 0, and nobody knows the frame times"
    assert re.search(r"^  1  ok +100 +\d+ +\d+ +\d+ +\d+ +\d", store.run("show", "C").stdout, re.M)


def test_show_takes_ids_beginnings_names_and_projects(store):
    first = store.add(1, more=["--name", "scroll"])
    second = store.add(2, more=["--name", "scroll"])
    project = store.sql("SELECT name FROM projects")[0][0]
    for word, batch in ((first, first), (first[:4], first), ("scroll", second), (project, second)):
        assert store.json("show", word)["id"] == batch
    store.change(f"UPDATE batches SET uid = substr('{first}', 1, 8) || '00000000' WHERE id = 2")
    done = store.run("show", first[:6], code=2)
    assert "2 batches have ids that begin with" in done.stderr and first in done.stderr
    for word in ("none", "%%%%", "", first[:3], first + "x"):
        assert "no batch has the id, name or project" in store.run("show", word, code=4).stderr
    assert "missing operand BATCH" in store.run("show", code=2).stderr


def test_show_of_a_build_names_the_command_for_its_batches(store):
    store.add(1, label="A", more=["--build", "1.7"])
    store.add(2, label="A", more=["--build", "1.7"])
    said = store.run("show", "1.7", code=4).stderr
    assert said.splitlines() == ["dejank show: '1.7' is a build, not a batch", f"hint: 'dejank report 1.7 --store {store.path}' shows all batches of the build"]


def test_texts_from_outside_stay_texts(store):
    store.add(1, label=EVIL, more=["--name", EVIL, "--build", EVIL, "--commit", EVIL, "--device-name", EVIL])
    assert store.json("show", EVIL)["build"] == {"version": EVIL, "commit": EVIL, "label": EVIL}
    assert store.json("list")["batches"][0]["name"] == EVIL
    for words in (["list"], ["show", EVIL], ["store", "prune", "--keep", "1"]):
        printed = store.run(*words).stdout
        assert "\x1b" not in printed and "\u202e" not in printed
    store.check()


# ---- evidence and figures


def test_evidence_is_kept_byte_by_byte_and_once(store):
    store.add(1, 2)
    store.run("import", store.file(1), "--label", "again", "--again")
    hashes = {row[0] for row in store.sql("SELECT sha256 FROM blobs")}
    assert {hashlib.sha256(dump(number).encode()).hexdigest() for number in (1, 2)} <= hashes
    assert store.sql("SELECT count(*) FROM evidence")[0][0] > len(hashes)
    if shutil.which("zstd"):
        for sha256, size, encoding, data in store.sql("SELECT sha256, size, encoding, data FROM blobs"):
            data = data if encoding == "raw" else subprocess.run(["zstd", "-dcq"], input=data, capture_output=True,
                                                                 check=True).stdout
            assert (hashlib.sha256(data).hexdigest(), len(data)) == (sha256, size)


def test_histograms_are_exact_and_add_up(store):
    """Bucket i is (base^i, base^(i+1)] with base 2^(1/64). In whole numbers: 2^i < ns^64 ≤ 2^(i+1)."""
    store.add(1, 2)
    for number in (1, 2):
        counts, hwui = {}, {}
        for row in frames(number):
            time = made.duration_ns(row)
            key = str((time ** 64 - 1).bit_length() - 1)
            counts[key] = counts.get(key, 0) + 1
            hwui[str(made.label(time))] = hwui.get(str(made.label(time)), 0) + 1
        stored = dict(store.sql("SELECT kind, counts FROM histograms h JOIN windows w ON w.id = h.window_id"
                                " JOIN runs r ON r.id = w.run_id WHERE r.number = ?", number))
        assert json.loads(stored["frame-time-ns"]) == counts
        assert json.loads(stored["hwui"]) == hwui
    merged = store.sql("SELECT sum(b.value) FROM histograms h, json_each(h.counts) b WHERE h.kind = 'frame-time-ns'")
    assert merged == [(len(frames(1)) + len(frames(2)),)]


def test_check_finds_what_recompute_mends(store):
    store.add(1, 2, 3)
    before = store.sql("SELECT * FROM metrics ORDER BY window_id"), store.sql("SELECT * FROM histograms ORDER BY 1, 2")
    store.change("UPDATE metrics SET janky_pct = 0 WHERE window_id = 2; DELETE FROM histograms WHERE window_id = 3;"
                 "UPDATE metrics SET frame_rate_hz = frame_rate_hz * (1 + 1e-15) WHERE window_id = 1")
    done = store.run("store", "check", code=4)
    assert " ".join(done.stdout.split()).count("differ from those of its evidence") == 3
    assert done.stdout.startswith("The store is damaged: 3 problems in 1 batch, 3 runs, ")
    assert store.json("store", "recompute") == {"schema": "dejank.store/1", "did": "recompute", "runs": 3, "changed": 3}
    after = store.sql("SELECT * FROM metrics ORDER BY window_id"), store.sql("SELECT * FROM histograms ORDER BY 1, 2")
    assert before == after
    store.check()
    assert store.json("store", "recompute")["changed"] == 0


def test_real_dumps_come_out_the_same_again(store):
    """Uses all gfxinfo dumps of the corpus."""
    if not CORPUS:
        pytest.skip("DEJANK_CORPUS names no folder of real dumps")
    dumps = sorted(Path(CORPUS).glob("gfxinfo/*.txt"))
    subprocess.run([store.build / "dejank", "import", *dumps, "--store", store.path], capture_output=True, check=False)
    found = store.check()
    assert found["runs"] > 20
    assert store.json("store", "recompute")["changed"] == 0
    assert store.sql("SELECT count(*) FROM metrics WHERE janky_frames > frames OR janky_pct NOT BETWEEN 0 AND 100"
                     " OR frame_time_p50_ns > frame_time_p95_ns OR recovered_frames > expected_frames") == [(0,)]
    assert store.sql("SELECT count(*) FROM metrics WHERE frames IS NOT NULL") > [(20,)]


def test_check_finds_damaged_evidence(store):
    store.add(1)
    store.cut_evidence()
    found = store.json("store", "check", code=4)
    assert found["problem_count"] >= 1 and any("is damaged" in problem for problem in found["problems"])
    assert "is damaged" in store.run("store", "recompute", code=4).stderr


# ---- export and load


def test_batches_are_handed_over_as_one_file(store, build, tmp_path):
    first, second = store.add(1, 2), store.add(3, label="B")
    runner = Store(build, tmp_path, "runner.db")
    out = tmp_path / "hand over '%20?.db"
    assert "wrote 1 batch, 1 run" in store.run("store", "export", out, second[:8]).stdout
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("hand")] == [out.name], "one file"
    assert out.read_bytes()[18:20] == b"\x01\x01", "no log beside it"
    assert "the file exists already" in store.run("store", "export", out, second, code=4).stderr
    runner.run("store", "load", out)
    assert runner.json("list")["batches"] == store.json("list", "--name", "B")["batches"]
    assert runner.json("show", "B")["each_run"] == store.json("show", "B")["each_run"]
    again = runner.json("store", "load", out, store.path)["files"]
    assert [(file["batches"], file["runs"], file["known_runs"]) for file in again] == [(0, 0, 1), (1, 2, 1)]
    assert runner.counts() == store.counts()
    assert runner.json("show", first)["over_runs"] == store.json("show", first)["over_runs"]
    runner.check()
    before = out.read_bytes()
    runner.run("store", "load", out)
    assert out.read_bytes() == before
    assert "this is the store itself" in runner.run("store", "load", runner.path, code=2).stderr


def test_nothing_is_loaded_of_a_damaged_file(store, build, tmp_path):
    store.add(1, 2)
    store.run("store", "export", tmp_path / "out.db")
    damaged = Store(build, tmp_path, "out.db")
    damaged.change("UPDATE metrics SET frames = 7")
    into = Store(build, tmp_path, "into.db")
    into.add(3)
    before = into.counts()
    done = into.run("store", "load", "out.db", code=4)
    assert "nothing was loaded, because it has 2 problems" in done.stderr
    assert into.counts() == before


# ---- concurrent, killed and failing writers


def start(store, *words):
    return subprocess.Popen([store.build / "dejank", *map(str, words), "--store", store.path], cwd=store.folder,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def test_processes_write_at_once(store):
    """The processes also create the store at the same time."""
    files = [store.file(number) for number in range(1, 9)]
    writers = [start(store, "import", *files, "--label", f"writer {i}", "--again") for i in range(6)]
    for writer in writers:
        _, err = writer.communicate(timeout=60)
        assert writer.returncode == 0, err
    assert store.counts()["batches"] == 6 and store.counts()["runs"] == 48
    assert store.sql("SELECT count(*) FROM blobs WHERE sha256 = ?", hashlib.sha256(dump(1).encode()).hexdigest()) == [(1,)]
    store.check()


def test_writers_are_killed_at_any_instant(store):
    """Every run is stored completely or not at all, and the next writer works normally."""
    chance = random.Random(7)
    files = [store.file(number) for number in range(1, 13)]
    begun = time.monotonic()
    store.run("import", *files, "--again")
    takes_s = time.monotonic() - begun  # measured on this machine, because kills happen at any time during the import
    runs = store.check()["runs"]
    for _ in range(12):
        writer = start(store, "import", *files, "--again")
        time.sleep(chance.uniform(0.005, takes_s))
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        store.run("import", files[0], "--label", "after", "--again")
        found = store.check()
        assert found["runs"] > runs
        runs = found["runs"]
    whole = store.sql("SELECT count(*) FROM runs r WHERE (SELECT count(*) FROM windows w JOIN metrics m"
                      " ON m.window_id = w.id WHERE w.run_id = r.id) = 0 OR (SELECT count(*) FROM evidence e"
                      " WHERE e.run_id = r.id) = 0")
    assert whole == [(0,)]


def test_a_killed_export_leaves_no_file(store, tmp_path):
    try:
        os.close(os.open(tmp_path, os.O_TMPFILE | os.O_WRONLY))
    except OSError as why:
        pytest.skip(f"this file system has no files without a name: {why}")
    for label in range(20):
        store.add(*range(1, 9), label=label, more=["--again"])
    begun = time.monotonic()
    store.run("store", "export", tmp_path / "whole.db")
    takes_s = time.monotonic() - begun
    before = set(os.listdir(tmp_path))
    chance = random.Random(11)
    for number in range(12):
        out = tmp_path / f"out{number}.db"
        export = start(store, "store", "export", out)
        time.sleep(chance.uniform(0.005, takes_s))
        export.send_signal(signal.SIGKILL)
        export.communicate()
        left = set(os.listdir(tmp_path)) - before
        assert left <= {out.name}, "a whole file, or none"
        if left:
            out.unlink()


def test_one_of_two_exports_to_the_same_file_wins(store, tmp_path):
    store.add(1, 2)
    exports = [start(store, "store", "export", tmp_path / "out.db") for _ in range(4)]
    codes = [(export.communicate(timeout=60)[1], export.returncode) for export in exports]
    assert sorted(code for _, code in codes) == [0, 4, 4, 4], codes
    Store(store.build, tmp_path, "out.db").check()


def test_a_failed_import_leaves_no_batch(store):
    store.add(1)
    size = os.path.getsize(store.path)
    big = store.folder / "big.txt"
    big.write_text(made.dump(made.process("com.example.big", [("Main", made.frames(6000, seed=3))])))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 64 * 1024,) * 2)

    done = store.run("import", big, "--json", code=4, preexec_fn=limit)
    assert json.loads(done.stdout)["batches"] == [] and "disk" in done.stderr
    assert store.sql("SELECT count(*) FROM batches") == [(1,)]
    store.check()


# ---- files that are not stores, and places that cannot be written


def plain_text(path):
    path.write_text("just a text\n" * 1000)
    return "it is not an SQLite file"


def somebody_elses(path):
    database = sqlite3.connect(path)
    database.executescript("CREATE TABLE bookmarks (url TEXT)")
    database.close()
    return "not a dejank store"


def of_a_newer_dejank(path):
    database = sqlite3.connect(path)
    database.executescript("PRAGMA user_version = 99")
    database.close()
    return "a newer dejank wrote it (schema 99"


def half_copied(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:len(whole) // 8 * 4 // 4096 * 4096 or 4096])
    return "it is damaged or truncated"


@pytest.mark.parametrize("spoil", [plain_text, somebody_elses, of_a_newer_dejank, half_copied])
def test_what_is_no_store_is_left_alone(store, build, tmp_path, spoil):
    store.add(1, 2, 3)
    store.change("PRAGMA journal_mode = DELETE")
    if spoil is not half_copied and spoil is not of_a_newer_dejank:
        store.path.unlink()
    told = spoil(store.path)
    before = store.path.read_bytes()
    other = Store(build, tmp_path, "other.db")
    other.add(4)
    for words in (["list"], ["show", "A"], ["store", "check"], ["store", "recompute"], ["import", store.file(5)],
                  ["store", "load", other.path], ["store", "prune", "--keep", "1", "--yes"]):
        done = store.run(*words, code=4)
        assert told in done.stderr and str(store.path) in done.stderr, done.stderr
    done = other.run("store", "load", store.path, code=4)
    assert told in done.stderr
    assert store.path.read_bytes() == before
    other.check()


@pytest.mark.parametrize("place, told", [("/proc/store.db", "/proc"), ("/dev/null", "expected a file"),
                                         ("mysql://host/db", "expected the path of a file or postgresql://"), ("", "expected the path")])
def test_places_where_no_store_can_be(build, tmp_path, place, told):
    file = Store(build, tmp_path).file(1)
    done = subprocess.run([build / "dejank", "import", file, "--store", place], text=True, capture_output=True, check=False)
    assert done.returncode in (2, 4), done
    assert told in done.stderr


def test_a_place_that_cannot_be_written(build, tmp_path, disk):
    folder = disk("size=8m")
    store = Store(build, folder)
    files = [store.file(1), store.file(2)]
    store.run("import", files[0])
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    assert len(store.json("list")["batches"]) == 1
    assert store.json("store", "check")["problems"] == []
    for words in (["import", files[1], "--again"], ["store", "recompute"]):
        done = store.run(*words, code=4)
        assert str(store.path) in done.stderr and "read-only" in done.stderr, done.stderr
    other = Store(build, tmp_path)
    other.run("store", "load", store.path)
    other.check()
    subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
    store.run("import", files[1])
    store.check()


def test_a_disk_that_fills_up(build, tmp_path, disk):
    folder = disk("size=1m")
    store = Store(build, folder)
    inputs = Store(build, tmp_path)
    done = None
    for number in range(1, 60):
        file = inputs.file(number)
        done = subprocess.run([build / "dejank", "import", file, "--store", store.path], text=True, capture_output=True,
                              check=False)
        if done.returncode != 0:
            break
    assert done.returncode == 4 and "the disk is full" in done.stderr, done.stderr
    runs = len(store.sql("SELECT id FROM runs"))
    assert runs >= 1
    assert store.json("store", "check")["runs"] == runs
    assert "full" in store.run("store", "export", folder / "out.db", code=4).stderr
    assert [path.name for path in folder.iterdir() if path.name.startswith("out")] == [], "nothing half-made is left"
    inputs.run("store", "load", store.path)
    inputs.check()


# ---- prune


def test_prune_names_before_it_deletes(store):
    old, middle, new = store.add(1), store.add(2, label="B"), store.add(3, label="C")
    store.change("UPDATE batches SET began_unix_ms = 1000 * id WHERE id < 3")
    before = store.counts()
    done = store.run("store", "prune", "--keep", "1")
    assert [line.split()[0] for line in done.stdout.splitlines()[3:]] == [old, middle]
    assert "Would delete 2 batches, 2 runs" in done.stdout and "nothing was deleted" in done.stderr
    assert store.counts() == before
    found = store.json("store", "prune", "--older-than", "90d", "--keep", "2", "--yes")
    assert (found["ids"], found["deleted"], found["batches"]) == ([old], True, 1)
    assert store.json("store", "prune", "--older-than", "90d", "--yes")["ids"] == [middle]
    assert [batch["id"] for batch in store.json("list")["batches"]] == [new]
    store.check()
    assert store.counts()["blobs"] < before["blobs"] and store.counts()["builds"] == 1
    for words, told in ((["prune"], "missing option --older-than AGE or --keep N"), (["prune", "--older-than", "soon"], "expected an age"),
                        (["tidy"], "expected check, exclude"), ([], "missing operand check|exclude"), (["export"], "missing operand FILE.db"),
                        (["load"], "missing operand FILE.db"), (["check", "x"], "check: unexpected operand 'x'")):
        assert told in store.run("store", *words, code=2).stderr


# ---- documentation


def test_the_format_names_every_column(store):
    store.add(1)
    page = (Path(__file__).parents[2] / "docs/format/store.md").read_text()
    tables = [row[0] for row in store.sql("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    assert sorted(tables) == sorted([*TABLES, "device_facts"])
    assert f"schema version {store.sql('PRAGMA user_version')[0][0]}" in page.splitlines()[0]
    for table in tables:
        assert f"| `{table}` |" in page
        for column in [row[1] for row in store.sql(f"PRAGMA table_info({table})")]:
            assert f"| `{column}` |" in page if table == "metrics" and column != "window_id" else f"`{column}`" in page, column


def test_list_and_show_are_documented(store):
    store.add(1)
    store.run("store", "export", "out.db")
    lists, shows, stores = (Path(__file__).parents[2] / "docs/format/list.md").read_text().split("\n# ")
    shown = store.json("show", "A")
    for page, found in ((lists, [store.json("list"), store.json("list")["batches"][0]]),
                        (lists + shows, [shown, shown["device"], shown["build"], shown["each_run"][0],
                                         shown["each_run"][0]["evidence"][0], shown["over_runs"]["frames"]]),
                        (stores, [store.json("store", "check"), store.json("store", "recompute"),
                                  store.json("store", "prune", "--keep", "1"), store.json("store", "load", "out.db"),
                                  store.json("store", "load", "out.db")["files"][0]])):
        for one in found:
            assert [key for key in one if f"`{key}`" not in page] in ([], ["schema"], ["schema", "did"]), page[:40]


# ---- location of the store ----

def test_without_home_the_password_database_says_where_the_store_is(build, tmp_path):
    """A user without a home must name the store. dejank does not use /.local/share."""
    clean = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_DATA_HOME")}
    dump = tmp_path / "dump.txt"
    dump.write_text(made.dump(made.process("shop", [("Main", made.frames(5))])))
    if os.getuid() != 0:
        pytest.skip("only root becomes a user without a home")
    tmp_path.chmod(0o755)
    nobody = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"]
    if shutil.which("setpriv") is None or subprocess.run([*nobody, build / "dejank", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("setpriv cannot change the user here")
    done = subprocess.run([*nobody, build / "dejank", "import", dump], text=True, capture_output=True, cwd="/", env=clean, check=False)
    assert done.returncode == 2 and "--store" in done.stderr and "user 54321" in done.stderr, done.stderr
    done = subprocess.run([*nobody, build / "dejank", "list"], text=True, capture_output=True, cwd="/", env=clean, check=False)
    assert done.returncode == 2 and "--store" in done.stderr
    done = subprocess.run([*nobody, build / "dejank", "list"], text=True, capture_output=True, cwd="/", check=False,
                          env={**clean, "XDG_DATA_HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
