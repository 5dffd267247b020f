"""dejank history and dejank import --history: changes and their size, accepted changes, and the commits between two points."""
import json
import lzma
import os
import re
import shutil
import sqlite3
import subprocess
import xml.dom.minidom
from pathlib import Path

import pytest

CORPUS = os.environ.get("DEJANK_CORPUS")
HERE = Path(__file__).parent
EVIL = "'; DROP TABLE points; --<script>&\x1b[31m|"
DAY_MS = 86_400_000
FIRST_MS = 1_600_000_000_000
NOISE = [3, -7, 1, 9, -4, -1, 6, -9, 4, -2, 8, -6]


class Store:
    def __init__(self, build, folder):
        self.build, self.folder, self.path = build, folder, folder / "history.db"

    def run(self, *words, code=0, verb="history", **more):
        done = subprocess.run([self.build / "dejank", verb, *map(str, words), "--store", self.path], text=True,
                              capture_output=True, timeout=60, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "120", "USER": "ann"},
                              **{"cwd": self.folder, **more})
        assert done.returncode == code, (words, done.returncode, done.stdout[-800:], done.stderr[-800:])
        return done

    def json(self, *words, code=0):
        return json.loads(self.run(*words, "--json", code=code).stdout)

    def load(self, text, *words, code=0, name="x.csv"):
        (self.folder / name).write_text(text)
        return self.run(self.folder / name, "--history", *words, code=code, verb="import")

    def counts(self):
        if not self.path.exists():
            return None
        database = sqlite3.connect(self.path)
        found = [database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("projects", "series", "points")]
        database.close()
        return found


@pytest.fixture
def store(build, tmp_path):
    return Store(build, tmp_path)


def noise(i):
    return 1 + 0.001 * NOISE[i % 12] + 0.0005 * ((i * 7) % 5 - 2)


def table(points=40, step=25, factor=1.12, **more):
    rows = ["time,version,commit,metric,unit,value"]
    for i in range(points):
        rows.append(f"{FIRST_MS // 1000 + i * 86400},1.{i},{more.get('commits', {}).get(i, f'c{i:07d}')},p95,ms,"
                    f"{16 * noise(i) * (factor if i >= step else 1):.6f}")
    return "\n".join(rows) + "\n"


def fill(path, devices, points=24, runs=4, step=16, factor=1.2, objectives=None):
    """Adds batches like those of `dejank run`. `devices` is {serial: RAM in MiB}."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    (project,) = database.execute("INSERT INTO projects (name) VALUES ('com.example') RETURNING id").fetchone()
    for serial, ram in devices.items():
        (device,) = database.execute("INSERT INTO devices (serial, kind, model, release, identity) VALUES (?, 'adb', ?, '14', ?)"
                                     " RETURNING id", (serial, f"Model {serial}", f"identity-{serial}")).fetchone()
        if ram:
            database.execute("INSERT INTO device_facts VALUES (?, 'ram', ?, 'MiB')", (device, str(ram)))
        for i in range(points):
            (build,) = database.execute("INSERT INTO builds (project_id, version, commit_id, label) VALUES (?, ?, ?, ?)"
                                        " RETURNING id", (project, f"2.{i}", f"{i:02d}abcdef", f"{serial}-{i}")).fetchone()
            (batch,) = database.execute(
                "INSERT INTO batches (uid, project_id, build_id, device_id, name, kind, options, objectives, dejank, began_unix_ms)"
                " VALUES (?, ?, ?, ?, 'scroll', 'run', ?, ?, '0.1', ?) RETURNING id",
                (f"{serial}{i:03d}".rjust(16, "0"), project, build, device,
                 '{"duration_ns":10000000000,"apk":"%d.apk"}' % i, objectives, FIRST_MS + i * DAY_MS)).fetchone()
            for k in range(runs):
                slow = factor if i >= step else 1
                (run,) = database.execute(
                    "INSERT INTO runs (uid, batch_id, number, attempt, warmup, order_index, outcome, figures_version)"
                    " VALUES (?, ?, ?, 1, 0, ?, 'ok', 1) RETURNING id", (f"{serial}-{i}-{k}", batch, k + 1, k)).fetchone()
                (window,) = database.execute("INSERT INTO windows (run_id, ordinal, name) VALUES (?, 0, '') RETURNING id",
                                             (run,)).fetchone()
                time = 14e6 * noise(i) * (1 + 0.004 * (k - 1.5)) * slow
                database.execute(
                    "INSERT INTO metrics (window_id, frames, janky_frames, rows_usable, frame_time_p50_ns, frame_time_p95_ns)"
                    " VALUES (?, 600, ?, 600, ?, ?)", (window, (60 if i < step else 12) + k, 8e6, time))
                database.execute("INSERT INTO histograms VALUES (?, 'frame-time-ns', ?)",
                                 (window, json.dumps({"1500": 500, "1540": 100 if i < step else 10})))
    database.commit()
    database.close()


def flat(text):
    """The text without its line breaks."""
    return re.sub(r"\s+", " ", text)


def charts(store, *words):
    """The data of the charts of an HTML page, as its script reads it."""
    store.run(*words)
    page = (store.folder / words[-1]).read_text()
    return [json.loads(one) for one in re.findall(r'<figure class="chart"><script type="application/json">(.*?)</script>', page)]


def make_store(store):
    store.load("time,value\n1600000000,1\n", "--package", "other")


# ---- histories of other tools


@pytest.mark.skipif(not CORPUS or not Path(CORPUS, "stats/histories").is_dir(), reason="DEJANK_CORPUS is not set")
def test_histories_that_other_tools_have_work_at_once(store):
    folder = Path(CORPUS, "stats/histories")
    files = sorted(folder / name for name in ("real1.json", "real_series.json", "robust_series.json", "runs1.json",
                                              "runs3.json", "tigerbeetle.json"))
    before = [path.read_bytes() for path in files]
    store.run(*files, "--history", verb="import")
    store.run(*files, "--history", verb="import")
    assert [path.read_bytes() for path in files] == before
    found = {one["project"]: one for one in store.json()["segments"]}
    assert {name: len(one["points"]) for name, one in found.items()} == {
        "real1": 381, "real_series": 132, "robust_series": 173, "runs1": 128, "runs3": 150, "tigerbeetle": 365}
    changes = {name: [change["index"] for change in one["changes"]] for name, one in found.items()}
    expected = json.loads((folder / "real1.json").read_text())["expected"]
    # The small bumps of real1 are hints, not changes: 24 and 21 points of 6 %, in correlated noise of 8 %.
    hints = {name: [hint["index"] for hint in one["hints"]] for name, one in found.items()}
    assert [other for other in expected if any(abs(at - other) <= 5 for at in changes["real1"])] == [193, 293]
    assert all(any(abs(at - other) <= 5 for at in changes["real1"] + hints["real1"]) for other in expected)
    assert len(changes["real1"] + hints["real1"]) <= len(expected) + 1 and found["real1"]["correlation"] > 0.2
    assert "possible smaller changes: -8.1 % since #21, " in store.run("--project", "real1").stdout
    strongest = json.loads((folder / "expected_result_robust_series.json").read_text())
    peak = strongest.index(max(strongest))
    assert any(abs(at - peak) <= 3 for at in changes["robust_series"]), (peak, changes)
    assert changes["real_series"] == [] and changes["runs1"] != []
    assert all(change["means"] == "neutral" for one in found.values() for change in one["changes"])


def test_a_table_becomes_a_trend(store):
    told = store.load(table(), "--package", "com.example")
    assert told.stdout == "com.example: 40 new points in 1 series\n" and told.stderr == ""
    assert store.load(table(), "--package", "com.example").stdout == "com.example: 0 new points in 1 series, 40 points already in the store\n"
    (one,) = store.json()["segments"]
    assert (one["metric"], one["unit"], one["better"], one["imported"], one["no_changes_looked_for"]) == ("p95", "ms", "less", True, None)
    (change,) = one["changes"]
    assert (change["index"], change["direction"], change["means"], change["stands"]) == (25, "up", "worse", True)
    assert change["ci"][0] < 1.12 < change["ci"][1] and abs(change["ratio"] - 1.12) < 0.01
    assert (change["first_after"]["version"], change["last_before"]["commit"]) == ("1.25", "c0000024")
    text = store.run().stdout
    assert text.startswith("worse: p95 of com.example +12.0 % since 1.25 (2020-10-08)\n")
    assert change["id"] in text and "since 1.25 (2020-10-08): worse" in text and "○" in text
    assert f"dejank history bless {change['id']} --why TEXT --store {store.path}\n" in text and "dejank compare" not in text
    assert "Not shown: the values of each version (--all shows everything).\n" in text and "2020-10-22" not in text
    assert re.search(r"^1\.39 +2020-10-22 +1 ", store.run("--all").stdout, re.M)
    store.run("--fail", code=1)
    store.load("time,value\n1600000000,1\n", "--package", "a")
    short = store.run("--project", "a").stdout
    assert short.startswith("unknown: too few points to find a change (1, but 15 are needed)\n")
    assert "1 point is too few to search for changes (15 needed)" in short
    assert "no figures that match the options" in store.run("--project", "nobody", code=4).stderr
    assert "no figures that match the options" in store.run("--metric", "fps", code=4).stderr
    (later,) = store.json("--since", "2020-09-20")["segments"]
    assert later["project"] == "com.example", "a series that ended before is none without points"
    assert "no figures that match the options" in store.run("--since", "2030-01-01", code=4).stderr


@pytest.mark.parametrize("text, told", [
    ("time,value,unit\n1600000000,1,ms\n1600000001,2,s\n", "line 3: 'value' is in s here, but in ms before (2): expected one unit"),
    ("time,value\n1600000000,1\n1600000001,NaN\n", "line 3: expected a finite number or an empty field, found 'NaN'"),
    ("time,value\n1600000000,1\nnever,2\n", "line 3: expected a time such as"),
    ("time,value\n1600000000,1\n160000", "line 3: 1 fields, expected 2"),
    ("[1, 2, \"x\"]", "point 3: the value: expected a number"),
    ("{\"values\": [1, NaN]}", "line 1: invalid JSON"),
    ("hello\n", "line 1: expected a header"),
    ("", "the file contains no values"),
])
def test_what_is_no_history_leaves_nothing(store, text, told):
    make_store(store)
    before = store.counts()
    done = store.load(text, code=4)
    assert told in done.stderr and "nothing was imported" in done.stderr and done.stdout == ""
    assert store.counts() == before
    assert told in json.loads(store.load(text, "--json", code=4).stdout)["files"][0]["error"]


def test_options_apply_if_the_file_has_no_value(store):
    store.load("time,value,unit,version\n1600000000,1,ms,\n1600000100,2,ms,1.8.0\n", "--package", "p", "--build", "1.9.0", "--commit", "abcdef1")
    [one] = store.json()["segments"]
    assert [(point["version"], point["commit"]) for point in one["points"]] == [("1.9.0", "abcdef1"), ("1.8.0", None)]
    before = store.counts()
    for option in ("--label", "--name"):
        assert "do not apply to --history" in store.load("time,value\n1600000000,1\n", option, "x", code=2).stderr
    missing = store.run("nowhere.csv", "--history", verb="import", code=4).stderr
    assert "No such file" in missing and store.counts() == before


def test_the_largest_numbers_are_drawn(store):
    rows = "".join(f"{1600000000 + i},{value},ms\n" for i, value in enumerate(["1e308", "1.2e308", "1.7e308", "1.4e308"] * 5))
    store.load("time,value,unit\n" + rows, "--package", "large")
    store.run("-o", "large.svg")
    drawn = (store.folder / "large.svg").read_text()
    assert not re.search(r"[ \"](inf|-?nan)[ \"]", drawn)
    xml.dom.minidom.parseString(drawn)
    page = charts(store, "-o", "large.html")[0]
    assert [len(one["points"]) for one in page["series"]] == [20] and page["y"]["last"] <= 1.7e308


def test_rows_are_put_in_order_and_names_are_only_names(store):
    rows = table().splitlines()
    turned = "\n".join([rows[0], *rows[:0:-1]]) + "\n"
    assert "the newest row is first; the order was reversed" in store.load(turned, "--package", "p").stderr
    mixed = "\n".join([rows[0], rows[2], rows[1], *rows[3:], rows[3]]) + "\n"
    told = store.load(mixed, "--package", "q").stderr
    assert "the time goes back in 2 rows; all rows were sorted by time" in told and "1 duplicate row skipped" in told
    one, two = store.json()["segments"]
    assert [point["version"] for point in one["points"]] == [point["version"] for point in two["points"]] == [f"1.{i}" for i in range(40)]
    quoted = EVIL.replace('"', '""')
    store.load("time,version,metric,value\n" + "".join(f"{1600000000 + i},{i},\"{quoted}\",{1 + (i > 20)}\n" for i in range(40)),
               "--package", EVIL, "--better", "less")
    found = store.json("--project", EVIL)["segments"][0]
    assert found["project"].startswith("'; DROP TABLE points; --<script>&") and len(found["points"]) == 40
    for name in ("t.html", "t.svg", "t.md", "t.csv"):
        store.run("--project", EVIL, "-o", name)
        text = (store.folder / name).read_text()
        assert "\x1b" not in text
        assert name in ("t.md", "t.csv") or "<script>&" not in text
    assert "\x1b[31m" not in store.run("--project", EVIL).stdout
    assert store.counts()[2] == 120


# ---- batches of the store


def test_devices_stay_apart_and_forms_agree(store):
    make_store(store)
    objective = json.dumps({"schema": "dejank.objectives/1", "flows": [], "objectives": [
        {"metric": "smooth_pct", "at_most": None, "at_least": 98, "goal": None, "statistic": "median", "flow": None,
         "devices": None, "priority": None, "note": None}]})
    fill(store.path, {"slow": 2000, "fast": 12000, "odd": None}, objectives=objective)
    found = store.json("--project", "com.example")["segments"]
    assert len({one["segment"] for one in found}) == 3 and len(found) == 9
    assert {one["config"] for one in found} == {"for 10 s"}
    for one in found:
        assert len(one["points"]) == 24 and all(point["runs"] == 4 for point in one["points"])
        assert [change["index"] for change in one["changes"]] == ([] if one["metric"] == "frame_time_p50" else [16])
    p95 = next(one for one in found if one["metric"] == "frame_time_p95")
    assert abs(p95["changes"][0]["ratio"] - 1.2) < 0.02 and p95["points"][0]["ci"][0] < p95["points"][0]["value"]
    jank = next(one for one in found if one["metric"] == "jank_rate")
    assert jank["changes"][0]["means"] == "better" and jank["objective"]["at_most"] == 2
    done = store.run("--device-class", "low-end", "--json")
    assert {one["device"] for one in json.loads(done.stdout)["segments"]} == {"slow"}
    assert "devices were excluded, because their class is unknown" in done.stderr
    assert {one["device"] for one in store.json("--device-class", "ram > 8 GB")["segments"]} == {"fast"}
    assert "expected low-end" in store.run("--device-class", "cheap", code=2).stderr
    text = flat(store.run("-m", "jank", "--device", "slow").stdout)
    assert "frames on time: 89.8 % (2.0) → 97.8 % (2.23), objective 98 %" in text
    drawn = charts(store, "--device", "slow", "-o", "t.html")
    assert [one["title"] for one in drawn] == [*(f"{metric} of scroll on Model slow by version" for metric in (
        "p50 frame time", "p95 frame time", "jank rate")), "Frame times by version"]
    level, points = drawn[1]["series"]
    assert level["name"] == "level" and level["points"][0][1] == pytest.approx(14, rel=0.01)
    assert len(points["points"]) == 24 and points["mark"] == "interval" and points["points"][3][3] < points["points"][3][1]
    assert re.fullmatch(r"2\.3 \(2020-09-16\): 14\.\d\d ms \(95 % CI 14\.\d\d … 14\.\d\d\), 4 runs", points["points"][3][5])
    [change] = drawn[1]["thresholds"]
    assert (change["at"], change["vertical"], change["role"]) == (15.5, True, "bad")
    assert change["label"] == "+19.9 % since 2.16: worse"
    assert [one["label"] for one in drawn[2]["thresholds"]] == ["-77.9 % since 2.16: better", "objective ≤ 2.0 %"]
    assert [tick["label"] for tick in drawn[1]["ticks"]] == [f"2.{i}" for i in range(24)]
    assert len(drawn[3]["series"][0]["points"]) == 12 and "16.7 % longer than 16.67 ms" in drawn[3]["series"][0]["points"][0][5]
    page = (store.folder / "t.html").read_text()
    assert p95["changes"][0]["id"] in page or "slow" in page
    assert set(re.findall(r"(?:src|href)=\"([^\"]*)", page)) <= {"data:,", *(f"#trend-{i}" for i in range(3))}
    store.run("--device", "slow", "-o", "t.svg")
    xml.dom.minidom.parse(str(store.folder / "t.svg"))
    store.run("--device", "slow", "-o", "t.png")
    assert (store.folder / "t.png").read_bytes().startswith(b"\x89PNG")
    store.run("--device", "slow", "-o", "t.md")
    markdown = (store.folder / "t.md").read_text()
    assert markdown.startswith("**worse: p95 frame time of scroll on Model slow +19.9 % since 2.16 (2020-09-29)**\n")
    assert "| 2.23 | 2020-10-06 | 4 |" in markdown
    store.run("--device", "slow", "-o", "t.csv")
    assert len((store.folder / "t.csv").read_text().splitlines()) == 1 + 3 * 24
    assert "expected a name that ends in .html" in store.run("-o", "t.pdf", code=2).stderr


def test_an_accepted_change_fails_nothing(store):
    make_store(store)
    fill(store.path, {"slow": 2000, "fast": 12000})
    store.run("--fail", code=1)
    changes = {one["device"]: one["changes"][0]["id"] for one in store.json("-m", "p95")["segments"] if one["device"]}
    assert "missing option --why TEXT" in store.run("bless", changes["slow"], code=2).stderr
    assert "missing option --who NAME" in store.run("bless", changes["slow"], "--why", "x", "--who", " ", code=2).stderr
    assert "there is no change '00000000'" in store.run("bless", "00000000", "--why", "x", code=4).stderr
    assert "Accepted by blessing " in store.run("bless", changes["slow"], "--why", "more shadows").stdout
    assert "accepted already, by ann" in store.run("bless", changes["slow"], "--why", "again", code=2).stderr
    store.run("--fail", code=1)
    store.run("bless", changes["fast"], "--why", "the same there", "--who", EVIL)
    store.run("--fail")
    text = store.run("--device", "slow").stdout
    assert re.search(r"accepted by ann on \d{4}-\d\d-\d\d: more shadows", flat(text))
    listed = store.json("blessings")["blessings"]
    assert [one["who"] for one in listed][0] == "ann" and listed[0]["direction"] == "up" and listed[0]["withdrawn"] is None
    store.run("unbless", listed[0]["id"][:8], "--why", "a mistake")
    store.run("--fail", code=1)
    page = " ".join(store.run("blessings").stdout.split())
    assert page.startswith("1 accepted change, 1 withdrawn ") and "(withdrawn: a mistake)" in page
    assert "expected bless, unbless, blessings or no operand, found 'curse'" in store.run("curse", code=2).stderr
    exported = Store(store.build, store.folder)
    exported.path = store.folder / "out.db"
    store.run("export", exported.path, verb="store")
    assert exported.json("blessings") == store.json("blessings")
    assert len(exported.json()["segments"]) == len(store.json()["segments"])


def test_git_tells_which_commits_to_look_at(store):
    folder = store.folder / "repository"
    folder.mkdir()

    def git(*words):
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *words], cwd=folder, check=True,
                              capture_output=True, text=True, timeout=30).stdout.strip()

    try:
        git("init", "-q")
    except FileNotFoundError:
        pytest.skip("git is not installed")
    commits = []
    for i in range(8):
        git("commit", "-q", "--allow-empty", "-m", f"step {i}")
        commits.append(git("rev-parse", "HEAD"))
    store.load(table(commits={24: commits[2][:10], 25: commits[6]}), "--package", "com.example")
    (change,) = store.json("--repository", folder)["segments"][0]["changes"]
    assert change["commits_from"] == "git" and change["commits"] == [commits[6], commits[5], commits[4], commits[3]]
    assert "4 commits between them (git): " + commits[6][:12] in flat(store.run(cwd=folder).stdout)
    (change,) = store.json("--repository", "/")["segments"][0]["changes"]
    assert change["commits_from"] == "store" and change["commits"] == [commits[6]]
    # The answer of git about two commits is reused for another history with a change between the same commits.
    store.load(table(commits={24: commits[2][:10], 25: commits[6]}), "--package", "com.second")
    wrapper = store.folder / "bin/git"
    wrapper.parent.mkdir()
    wrapper.write_text(f"#!/bin/sh\necho x >> '{store.folder}/starts'\nexec {shutil.which('git')} \"$@\"\n")
    wrapper.chmod(0o755)
    starts = []
    for words in (("--project", "com.second"), ()):
        done = subprocess.run([store.build / "dejank", "history", *words, "--repository", folder, "--json", "--store", store.path],
                              env={**os.environ, "PATH": f"{wrapper.parent}:{os.environ['PATH']}"}, check=True, capture_output=True,
                              text=True, timeout=60)
        for segment in json.loads(done.stdout)["segments"]:
            (change,) = segment["changes"]
            assert change["commits_from"] == "git" and change["commits"] == [commits[6], commits[5], commits[4], commits[3]]
        starts.append((store.folder / "starts").read_text().count("x"))
    assert starts[0] > 1 and starts[1] == 2 * starts[0]
    # A branch that started before the last good commit and was merged after it.
    git("checkout", "-q", "-b", "side", commits[0])
    git("commit", "-q", "--allow-empty", "-m", "of the branch")
    side = git("rev-parse", "HEAD")
    git("checkout", "-q", "-b", "main-line", commits[7])
    after = {**os.environ, "GIT_COMMITTER_DATE": "2035-01-01T00:00:00Z", "GIT_AUTHOR_DATE": "2035-01-01T00:00:00Z"}
    for words in (["commit", "--allow-empty", "-m", "good"], ["merge", "--no-ff", "-m", "merge", "side"]):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *words], cwd=folder, check=True,
                       capture_output=True, timeout=30, env=after)
    good, merge = git("rev-parse", "HEAD^1"), git("rev-parse", "HEAD")
    store.load(table(commits={24: good, 25: merge}), "--package", "merged")
    (change,) = store.json("--repository", folder, "--project", "merged")["segments"][0]["changes"]
    assert change["commits_from"] == "git" and change["commits"] == [merge, side]
    store.load(table(commits={24: merge, 25: good}), "--package", "turned")
    turned = store.json("--repository", folder, "--project", "turned")
    assert "is not an ancestor of" in turned["git"] and turned["segments"][0]["changes"][0]["commits"] == [good]
    store.load(table(commits={24: merge, 25: merge}), "--package", "same")
    for place in (folder, "/"):
        (change,) = store.json("--repository", place, "--project", "same")["segments"][0]["changes"]
        assert change["commits"] == [] and "so the code is not the cause" in flat(store.run("--repository", place, "--project", "same").stdout)


# ---- stores of other versions


def test_a_store_of_version_1_is_read_and_brought_up_to_date(store):
    store.path.write_bytes(lzma.decompress((HERE.parent / "data/store-version-1.db.xz").read_bytes()))
    segments = store.json()["segments"]
    assert {one["metric"] for one in segments} == {"frame_time_p50", "frame_time_p95", "jank_rate"}
    assert all(len(one["points"]) == 1 and one["points"][0]["runs"] == 3 for one in segments)
    assert store.json("blessings")["blessings"] == []
    database = sqlite3.connect(store.path)
    assert database.execute("PRAGMA user_version").fetchone() == (1,)
    database.close()
    store.load(table(), "--package", "com.example.app")
    assert len(store.json("--project", "com.example.app")["segments"]) == 4
    store.run("check", verb="store")
    database = sqlite3.connect(store.path)
    assert database.execute("PRAGMA user_version").fetchone() == (4,)
    database.execute("PRAGMA user_version = 99")
    database.commit()
    database.close()
    for words in ((), ("blessings",), ("unbless", "abcdef", "--why", "x")):
        assert "a newer dejank wrote it (schema 99" in store.run(*words, code=4).stderr


def test_explain_tells_what_the_database_does(store):
    """--explain prints no figures, but each SQL statement once, with its steps below it."""
    store.load(table(), "--package", "com.example")
    for words in ((), ("--project", "com.example")):
        told = store.run("--explain", *words).stdout
        statements = [line for line in told.splitlines() if line.startswith("SELECT ")]
        assert len(statements) == len(set(statements)) > 3 and "com.example" not in told
        assert "    SEARCH m USING INTEGER PRIMARY KEY (rowid=?)\n" in told, "no more of the figures is read than is asked for"
        which = next(block for block in told.split("\n\n") if block.startswith("SELECT b.id"))
        assert ("SEARCH b USING INDEX batches_project" in which) == bool(words)
    for words in (["--json"], ["-o", "x.html"]):
        assert "--explain prints text" in store.run("--explain", *words, code=2).stderr


def test_the_format_is_documented(store):
    store.load(table(), "--package", "com.example")
    change = store.json()["segments"][0]["changes"][0]["id"]
    store.run("bless", change, "--why", "x")
    page = (HERE.parents[1] / "docs/format/history.md").read_text()
    found = store.json()
    segment = found["segments"][0]
    imported = json.loads(store.load(table(), "--package", "com.example", "--json").stdout)
    for one in (found, segment, segment["points"][0], segment["changes"][0], segment["changes"][0]["blessing"],
                segment["changes"][0]["first_after"], store.json("blessings"), store.json("blessings")["blessings"][0], imported,
                imported["files"][0]):
        assert [key for key in one if f"`{key}`" not in page] == [], one
