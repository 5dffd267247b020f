"""dejank gate: builds that pass, fail or were not measured, and the output for CI systems."""
import html
import json
import os
import re
import shutil
import sqlite3
import subprocess
import time
import xml.etree.ElementTree as xml

import pytest

import made_dumps as made

DAY_MS = 86400000
NOISE = [-0.011, 0.004, 0.013, -0.006, 0.0, 0.009, -0.014, 0.006, -0.003, 0.002]
WILD = [-0.32, 0.11, 0.35, -0.21, 0.02, 0.27, -0.38, 0.17, -0.09, 0.06]
EVIL = "'; DROP TABLE runs; --\x1b[31m|::error::%0A<b>"


class Store:
    """A store with overwritten figures, so that the correct verdict is known."""

    def __init__(self, build, folder):
        self.build, self.folder, self.path, self.made = build, folder, folder / "h.db", 0

    def run(self, *words, code=None, where=None, **more):
        done = subprocess.run([self.build / "dejank", *map(str, words), "--store", self.path], text=True,
                              capture_output=True, timeout=120, cwd=where or self.folder, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", **more})
        assert code is None or done.returncode == code, (words, done.stdout[-1500:], done.stderr[-800:])
        return done

    def gate(self, *words, code, **more):
        return json.loads(self.run("gate", *words, "--json", code=code, **more).stdout)

    def sql(self, text, *values):
        with sqlite3.connect(self.path) as database:
            rows = database.execute(text, values).fetchall()
        database.close()
        return rows

    def sql_many(self, text, rows):
        with sqlite3.connect(self.path) as database:
            database.execute("PRAGMA synchronous = OFF")
            database.executemany(text, rows)
        database.close()

    def add(self, label, scale=1.0, noise=NOISE, flow="scroll", device="phone", **build):
        """Adds a batch with one run per noise value. Returns its uid.

        The p95 is 15 ms × scale × (1 + noise), and 40 + 200 × noise of 1000 frames are janky."""
        files = []
        for _ in noise:
            self.made += 1
            path = self.folder / f"{self.made}.txt"
            path.write_text(made.dump(made.process("shop", [("Main", made.frames(5, seed=self.made))])))
            files.append(path)
        words = [word for key, value in build.items() for word in (f"--{key}", value)]
        self.run("import", *files, "--label", label, "--name", flow, "--device-name", device, *words, code=0)
        key, uid = self.sql("SELECT id, uid FROM batches ORDER BY id DESC LIMIT 1")[0]
        runs = self.sql("SELECT w.id FROM windows w JOIN runs r ON r.id = w.run_id WHERE r.batch_id = ? AND"
                        " w.ordinal = 0 ORDER BY r.number", key)
        rows = []
        for (window,), one in zip(runs, noise):
            at, janky = 15e6 * scale * (1 + one), round(40 + 200 * one)
            rows.append((at / 1.5, at, 3 * at, janky, janky / 10, janky, janky / 10, window))
        self.sql_many("UPDATE metrics SET frames = 1000, rows = 1000, rows_usable = 1000, rows_judged = 1000,"
                      " expected_frames = 1000, recovered_frames = 1000, frame_time_p50_ns = ?, frame_time_p95_ns = ?,"
                      " frame_time_max_ns = ?, janky_frames = ?, janky_pct = ?, rows_janky = ?, rows_janky_pct = ?"
                      " WHERE window_id = ?", rows)
        # Sets start times that are a second apart, in the order of the batches.
        self.sql("UPDATE batches SET began_unix_ms = ? WHERE id = ?",
                 int(time.time() * 1000) - 3600000 + 1000 * key, key)
        return uid

    def interleave(self, a, b):
        for arm, uid, first in (("A", a, 0), ("B", b, 1)):
            self.sql("UPDATE batches SET group_uid = ?, arm = ? WHERE uid = ?", "g" + a, arm, uid)
            self.sql("UPDATE runs SET order_index = 2 * (number - 1) + ? WHERE batch_id ="
                     " (SELECT id FROM batches WHERE uid = ?)", first, uid)

    def pair(self, scale, noise=NOISE, **more):
        a = self.add("A", noise=noise, **more)
        b = self.add("B", scale=scale, noise=[one + 0.0003 for one in noise[1:] + noise[:1]], **more)
        self.interleave(a, b)
        return a, b

    def wants(self, uid, *objectives, flows=("scroll",), classes=()):
        self.sql("UPDATE batches SET objectives = ? WHERE uid = ?", json.dumps({
            "schema": "dejank.objectives/1", "flows": [{"name": flow, "priority": "high"} for flow in flows],
            "classes": list(classes), "objectives": list(objectives)}), uid)

    def facts(self, device, **facts):
        [(key,)] = self.sql("SELECT id FROM devices WHERE serial = ?", device)
        for name, (value, unit) in facts.items():
            self.sql("INSERT INTO device_facts VALUES (?, ?, ?, ?)", key, name, value, unit)


@pytest.fixture
def store(build, tmp_path):
    return Store(build, tmp_path)


# ---- answers ----

def test_an_unchanged_build_passes(store):
    store.pair(1.0)
    result = store.gate(code=0)
    assert result["schema"] == "dejank.gate/1" and result["answer"] == "pass"
    assert result["tests"] == 3 and result["alpha"] == 0.05
    [cell] = result["cells"]
    assert cell["answer"] == "pass" and cell["verdict"] == "equivalent"
    assert {metric["metric"] for metric in cell["metrics"]} == {"frame_time_p50", "frame_time_p95", "jank_rate"}
    assert [metric["n_a"] for metric in cell["metrics"]] == [10, 10, 10]
    page = store.run("gate", code=0).stdout
    assert page.startswith("gate passes: no regression in 3 tests (scroll on phone)\n")
    assert re.search(r"^candidate +B$\n^baseline +interleaved build A$", page, re.M)
    assert re.search(r"^p95 frame time, ms +15\.0\d +15\.0\d +\+0\.03 % \(-\d", page, re.M)
    assert "10 vs 10" not in page and "(--all shows\neverything)" in page and "10 vs 10" in store.run("gate", "--all", code=0).stdout


def test_a_slower_build_fails_in_every_form(store, tmp_path):
    store.pair(1.14)
    result = store.gate("--junit", "j.xml", "--markdown", "m.md", "--output", "x.html", "--annotations", "gitlab", "--annotations-file",
                        "q.json", code=1)
    [cell] = result["cells"]
    slower = {metric["metric"]: metric for metric in cell["metrics"]}["frame_time_p95"]
    assert result["answer"] == "fail" and cell["verdict"] == "regression"
    assert slower["verdict"] == "regression" and abs(slower["ratio"] - 1.14) < 0.01
    assert slower["ci"][0] > 1.05 and abs(slower["b"] - 17.1) < 0.1 and slower["unit"] == "ms"
    suites = xml.parse(tmp_path / "j.xml").getroot()
    [suite] = suites
    assert suite.attrib["name"] == "scroll" and suite.attrib["tests"] == "3" and suite.attrib["failures"] == "2"
    failure = [case for case in suite if case.attrib["name"] == "p95 frame time"][0].find("failure")
    assert failure.attrib["type"] == "regression" and failure.attrib["message"].startswith("regression: +14")
    markdown = (tmp_path / "m.md").read_text()
    assert markdown.startswith("**gate fails: p50 frame time +14 % (+12.8 … +15.3 %), scroll on phone; 1 more**\n")
    assert re.search(r"\| p95 frame time, ms \| 15\.02 \| 17\.12 \| \+14 % \(\+12\.8 … \+15\.3 %\) \| regression \|", markdown)
    page = (tmp_path / "x.html").read_text()
    assert '<p class="verdict bad">gate fails: p50 frame time +14 %' in page and "Change against the baseline" in page
    [compare] = re.findall(r"dejank compare (\S+) (\S+) --store", page.split("<body>")[1].split("<script")[0] + page.split("Next</h2>")[1])[:1]
    assert compare == tuple(uid for uid, in store.sql("SELECT uid FROM batches ORDER BY arm"))
    assert store.run("gate", "--output", "x.pdf", code=2).stderr.count("expected a name that ends in .html") == 1
    for name in ("x.svg", "x.png", "x.json"):
        store.run("gate", "-o", name, code=1)
    xml.parse(tmp_path / "x.svg")
    assert json.loads((tmp_path / "x.json").read_text())["answer"] == "fail"
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    [finding] = json.loads((tmp_path / "q.json").read_text())
    assert finding["severity"] == "critical" and finding["location"]["path"] and len(finding["fingerprint"]) == 64
    again = store.run("gate", "--annotations", "github", code=1).stdout.splitlines()
    errors = [line for line in again if line.startswith("::error ")]
    assert len(errors) == 2 and errors[0].startswith("::error title=dejank%3A scroll on phone::p")
    assert "+14" in errors[0] and "%25" in errors[0]


def test_a_faster_build_passes(store):
    store.pair(0.8)
    assert store.gate(code=0)["cells"][0]["verdict"] == "improvement"


def test_what_is_undecided_is_its_own_answer(store, tmp_path):
    store.pair(1.02, noise=WILD)
    result = store.gate("--junit", "j.xml", code=6)
    assert result["answer"] == "undecided" and result["runs_needed"] > 10
    assert xml.parse(tmp_path / "j.xml").getroot()[0].attrib["failures"] != "0"
    store.gate("--undecided", "pass", "--junit", "j.xml", code=0)
    [suite] = xml.parse(tmp_path / "j.xml").getroot()
    assert suite.attrib["failures"] == "0" and suite.attrib["skipped"] != "0"


def test_a_huge_change_of_few_runs_takes_few_more(store):
    """Four runs per side cannot reach the significance level of a test family. Five can, and gate recommends five."""
    few = [-0.2, 0.15, 0.05, -0.1, 0.1]
    store.pair(8.43, noise=few[:4])
    result = store.gate("--metric", "p50,p95", code=6)
    assert result["runs_needed"] == 5
    assert "a verdict needs about 5 runs of each build" in result["words"]
    store.pair(8.43, noise=few)
    assert store.gate("--metric", "p50,p95", code=1)["runs_needed"] is None


# ---- missing measurements ----

def test_what_was_not_measured_never_passes(store):
    store.pair(1.0)
    store.pair(1.0, flow="checkout")
    store.sql("UPDATE runs SET outcome = 'app-crashed' WHERE batch_id = (SELECT max(id) FROM batches)")
    result = store.gate(code=4)
    cells = {cell["flow"]: cell for cell in result["cells"]}
    assert result["answer"] == "not-measured" and cells["scroll"]["answer"] == "pass"
    assert cells["checkout"]["missing"] == "the candidate has no valid run"
    page = store.run("gate", code=4).stdout
    assert page.startswith("gate incomplete: the candidate has no valid run, checkout on phone\n")
    assert "checkout on phone, not measured: the candidate has no valid run" in page
    store.sql("UPDATE batches SET excluded = 'by hand' WHERE id = (SELECT max(id) FROM batches)")
    result = store.gate("B", "--baseline", "A", code=4)
    assert [cell["missing"] for cell in result["cells"]] == ["the candidate was not measured", None]


def test_a_flow_of_the_plan_that_nobody_measured(store):
    store.wants(store.pair(1.0)[1], flows=("scroll", "checkout"))
    result = store.gate(code=4)
    assert [(cell["flow"], cell["answer"]) for cell in result["cells"]] == [("checkout", "not-measured"),
                                                                          ("scroll", "pass")]


def test_a_new_flow_may_be_new(store):
    store.add("1", build="1.8.2")
    store.add("2", build="1.9.0", noise=[one + 0.0003 for one in NOISE[::-1]])
    store.add("2", build="1.9.0", flow="new")
    result = store.gate("--baseline", "1.8.2", code=4)
    assert result["cells"][0]["missing"] == "the baseline was not measured"
    allowed = store.gate("--baseline", "1.8.2", "--allow-new", code=None)
    assert allowed["cells"][0]["new"] and allowed["cells"][0]["answer"] == "pass"


def test_a_metric_that_the_candidate_lost(store):
    _, b = store.pair(1.0)
    store.sql("UPDATE metrics SET frame_time_p95_ns = NULL WHERE window_id IN (SELECT w.id FROM windows w JOIN runs r"
              " ON r.id = w.run_id JOIN batches b ON b.id = r.batch_id WHERE b.uid = ?)", b)
    result = store.gate(code=4)
    assert "p95 frame time (the candidate's runs lack this metric)" in result["cells"][0]["missing"]
    assert store.gate("--metric", "p50", code=0)["tests"] == 1


def test_no_new_data_is_an_alarm(store, tmp_path):
    store.pair(1.0)
    assert store.gate("--stale", "7d", code=0)["stale"] is False
    store.sql("UPDATE batches SET began_unix_ms = began_unix_ms - ?", 8 * DAY_MS)
    result = store.gate("--stale", "7d", "--junit", "j.xml", code=4)
    assert store.run("gate", "--stale", "7d", code=4).stdout.startswith("gate incomplete: no new data for 8.0 days\n")
    assert result["stale"] and "no new data for 8.0 days" in result["words"]
    assert xml.parse(tmp_path / "j.xml").getroot()[1].attrib["errors"] == "1"
    assert store.gate("--stale", "9d", code=0)["answer"] == "pass"


# ---- objectives ----

def test_objectives_in_words(store):
    store.pair(1.0)
    cell = store.gate("--baseline", "none", "--objective", "p95 <= 16.7 ms", "--objective", "smooth_pct >= 95 % mean", code=0)["cells"][0]
    assert [one["state"] for one in cell["objectives"]] == ["met", "met"]
    assert abs(cell["objectives"][0]["value"] - 15e6) < 0.1e6 and cell["objectives"][0]["confidence"] > 0.99
    missed = store.gate("--baseline", "none", "--objective", "max <= 44 ms worst", code=1)["cells"][0]["objectives"][0]
    assert missed["state"] == "missed" and missed["at_most"] == 44e6
    later = store.gate("--baseline", "none", "--objective", "p95 <= 10 ms by 2999-12-31", "--objective", "p50 <= 16 ms", code=0)
    assert [one["gates"] for one in later["cells"][0]["objectives"]] == [False, True]
    over = store.gate("--baseline", "none", "--objective", "p95 <= 10 ms by 2024-01-31", code=1)
    assert over["answer"] == "fail"
    near = store.gate("--baseline", "none", "--objective", "p95 <= 15.02 ms", code=6)
    assert near["cells"][0]["objectives"][0]["state"] == "undecided"


def test_stored_objectives_hold_for_their_devices(store):
    for device, ram in (("small", "2048"), ("large", "8192")):
        _, b = store.pair(1.0, device=device)
        store.facts(device, ram=(ram, "MiB"))
        store.wants(b, {"metric": "frame_time_p95_ns", "at_most": 10e6, "devices": "low-end"},
                    {"metric": "frame_time_p95_ns", "at_most": 16.7e6, "goal": 12e6, "by": "2999-01-31"})
    cells = {cell["device"]: cell for cell in store.gate(code=1)["cells"]}
    assert [one["state"] for one in cells["small"]["objectives"]] == ["missed", "met"]
    assert [one["state"] for one in cells["large"]["objectives"]] == ["met"]
    assert cells["large"]["answer"] == "pass"
    assert abs(cells["large"]["objectives"][0]["goal_gap"] - 3e6) < 0.1e6
    store.sql("UPDATE batches SET objectives = '{\"schema\":\"dejank.objectives/9\"}'")
    assert "dejank.objectives/9" in store.run("gate", code=4).stderr


# ---- several devices ----

def test_the_devices_that_are_worse_and_what_they_share(store):
    for device, ram, scale in (("a", "2048", 1.2), ("b", "2861", 1.2), ("c", "6144", 1.0), ("d", "8192", 1.0)):
        store.pair(scale, device=device)
        store.facts(device, ram=(ram, "MiB"))
    result = store.gate(code=1)
    [flow] = result["flows"]
    assert flow["words"] == "worse on 2 of 4 devices, all with ≤ 3 GB of RAM; 2 equivalent"
    assert flow["separates"] == "ram" and flow["of"] == "at-most" and result["tests"] == 12
    assert flow["words"] in store.run("gate", code=1).stdout
    only = store.gate("--device", "d", code=0)
    assert [cell["device"] for cell in only["cells"]] == ["d"]


def range_page(store):
    """Writes a comparison as HTML and checks that its summary and its verdict for each device equal those of --json."""
    told = store.run("compare", "one", "two", "-o", "range.html", code=1).stdout
    page = (store.folder / "range.html").read_text()
    said = json.loads(store.run("compare", "one", "two", "--json", code=1).stdout)
    assert said["words"] in told and html.escape(said["words"], quote=False) in page
    rows = re.findall(r'<tr><th scope="row" class="[^"]*">(?:<a href="#device-\d+">)?(.*?)(?:</a>)?</th><td class="[^"]*" data-label="verdict">(.*?)</td>', page)
    assert [(device.split(",")[0], verdict) for device, verdict in rows] == [
        (one["device"], one["verdict"] or "not measured") for one in said["devices"]]
    return page


def test_builds_of_several_devices_are_compared_on_each(store):
    turned = [one + 0.0003 for one in NOISE[1:] + NOISE[:1]]
    for device, ram, scale in (("a", "2048", 1.2), ("b", "2861", 1.2), ("c", "6144", 1.0), ("d", "8192", None)):
        before = store.add("one", device=device)
        store.facts(device, ram=(ram, "MiB"))
        if scale is not None:
            store.interleave(before, store.add("two", scale=scale, noise=turned, device=device))
    result = json.loads(store.run("compare", "one", "two", "--json", code=1).stdout)
    assert result["schema"] == "dejank.compare/1" and result["verdict"] == "regression" and result["tests"] == 9
    assert result["words"] == "B against A: worse on 2 of 3 devices, all with ≤ 3 GB of RAM; 1 equivalent, 1 not measured"
    assert result["range"]["separates"] == "ram" and result["range"]["missing"] == 1
    assert [one["device"] for one in result["devices"]] == ["a", "b", "c", "d"]
    assert [one["verdict"] for one in result["devices"]] == ["regression", "regression", "equivalent", None]
    [p50] = [one for one in result["metrics"] if one["metric"] == "frame_time_p50" and one["device"] == "a"]
    assert p50["verdict"] == "regression" and p50["ratio"] == pytest.approx(1.2, rel=0.01)
    told = store.run("compare", "one", "two", "-o", "range.md", code=1).stdout
    assert told == f"regression: {result['words']}\n" and "| regression |" in (store.folder / "range.md").read_text()
    told = store.run("compare", "two", "one", code=0).stdout.splitlines()
    assert told[0].startswith("improvement: B against A: better on 2 of 3 devices") and any("not measured" in line for line in told)
    assert json.loads(store.run("compare", "one", "two", "--device", "c", "--json", code=0).stdout)["verdict"] == "equivalent"
    page = range_page(store)
    assert page.count('<h2 id="device-') == page.count("stages of a typical frame</summary>") == 3 and page.count("<h1") == 1
    assert set(re.findall(r"\w+://[^'\"]*", page)) == {"http://www.w3.org/2000/svg"}, "it works offline"
    assert "Nothing is averaged over devices" in page and "expected a name that ends in .html" in store.run("compare", "one", "two", "-o", "x.pdf", code=2).stderr
    store.add("two", flow="fling", device="a")
    assert "--flow" in store.run("compare", "one", "two", code=2).stderr
    assert store.run("compare", "one", "two", "--flow", "scroll", code=1).stdout.startswith("regression: B against A: worse on 2 of 3")


# ---- baselines ----

def git(folder, *words):
    return subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", *words], text=True,
                          capture_output=True, check=True).stdout.strip()


def test_the_merge_base_by_git(store, tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    tree = tmp_path / "tree"
    tree.mkdir()
    git(tree, "init", "-q", "-b", "main")
    commits = []
    for i in range(3):
        git(tree, "commit", "-q", "--allow-empty", "-m", f"main {i}")
        commits.append(git(tree, "rev-parse", "HEAD"))
    git(tree, "checkout", "-q", "-b", "feature")
    git(tree, "commit", "-q", "--allow-empty", "-m", "feature")
    own = git(tree, "rev-parse", "HEAD")
    old = store.add("main", commit=commits[0])
    store.add("feature", scale=1.14, noise=[one + 0.0003 for one in NOISE[::-1]], commit=own[:10])
    ask = ("--baseline", "merge-base:main")
    lacks = store.run("gate", *ask, code=4, where=tree).stderr
    assert commits[2][:12] in lacks and commits[0][:12] in lacks and "2 commits earlier" in lacks
    result = json.loads(store.run("gate", *ask, "--nearest", "--json", where=tree).stdout)
    assert result["cells"][0]["baseline"] == [old]
    assert result["cells"][0]["verdict"] in ("regression", "likely-regression")
    base = store.add("main", commit=commits[2])
    store.sql("UPDATE batches SET began_unix_ms = began_unix_ms - 60000 WHERE uid = ?", base)
    result = json.loads(store.run("gate", *ask, "--repository", tree, "--json").stdout)
    assert result["baseline"]["commit"] == commits[2] and result["cells"][0]["baseline"] == [base]
    last = json.loads(store.run("gate", "--baseline", "last:5:main", "--json", where=tree).stdout)
    assert last["cells"][0]["baseline"] == [old, base]
    assert "git: " in store.run("gate", "--baseline", "merge-base:nowhere", code=4, where=tree).stderr
    outside = tmp_path / "outside"
    outside.mkdir()
    assert "not a git repository" in store.run("gate", *ask, code=4, where=outside,
                                               GIT_CEILING_DIRECTORIES=str(tmp_path)).stderr
    assert "git is not installed" in store.run("gate", *ask, where=tree, PATH=str(outside)).stderr
    assert store.run("gate", "--baseline", "merge-base:--output=x", where=tree).returncode == 2


def test_builds_by_name_and_the_last_release(store):
    store.add("a", build="1.8.2")
    store.add("b", build="1.9.0-rc1", noise=[one + 0.0003 for one in NOISE[::-1]])
    result = json.loads(store.run("gate", "--json").stdout)
    assert result["baseline"]["version"] == "1.8.2" and result["baseline_words"] == "last release a 1.8.2"
    named = json.loads(store.run("gate", "b", "--baseline", "a", "--json").stdout)
    assert named["cells"][0]["metrics"] and named["candidate"]["label"] == "b"


# ---- more runs ----

PLAN = """plan: 1
project: panel
runs: 2
warmup: 0
settle: 100ms
retries: 0
devices: ["local:"]
builds:
  - {label: one, command: [%(panel)s, "100000"]}
  - {label: two, command: [%(panel)s, "100000"]}
flows:
  - {name: rest, idle: true, for: 800ms}
gate: {metrics: [p50], undecided: rerun, looks: [2, 3]}
"""


def test_what_is_undecided_gets_more_runs_up_to_the_last_look(store, build, tmp_path):
    panel = build / "examples" / "example-panel"
    if not panel.exists():
        pytest.skip("the examples were not built")
    (tmp_path / "p.yaml").write_text(PLAN % {"panel": panel})
    (tmp_path / "other.yaml").write_text(PLAN.replace("800ms", "801ms") % {"panel": panel})
    world = {"DEJANK_DIR": str(tmp_path / "segments"), "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    store.run("run", "p.yaml", code=0, **world)
    batches = store.sql("SELECT uid, arm FROM batches ORDER BY arm")
    refused = store.run("gate", "other.yaml", code=6, **world)  # two runs are too few for a verdict
    assert "no batch of 'rest' on local: with this plan, so no runs can be added" in refused.stderr
    done = store.run("gate", "p.yaml", "--json", code=6, **world)
    result = json.loads(done.stdout)
    assert "adding runs up to 3 of each build" in done.stderr
    assert result["look"] == 2 and [look["runs"] for look in result["looks"]] == [2, 3]
    assert result["alpha"] == result["looks"][1]["level"] < 0.05
    assert store.sql("SELECT uid, arm FROM batches ORDER BY arm") == batches, "the batches grow, there are no new ones"
    assert store.sql("SELECT count(*) FROM runs WHERE outcome = 'ok' GROUP BY batch_id") == [(3,), (3,)]
    again = store.run("gate", "p.yaml", code=6, **world)
    assert "adding runs" not in again.stderr  # the last look is already done


def test_more_runs_need_a_plan(store):
    store.pair(1.02, noise=WILD)
    done = store.run("gate", "--rerun", code=6)
    assert "the store does not contain what more runs need" in done.stderr
    assert re.search(r"^look +1 of 4: after 10, 15, 20, 30 runs; risk of a false alarm: 0\.\d+ %$", done.stdout, re.M)


# ---- bad input ----

@pytest.mark.parametrize("words, code, says", [
    (["--metric", "p96"], 2, "--metric 'p96': expected a metric"),
    (["--metric", "p95=x"], 2, "expected a metric"),
    (["--margin", "-5%"], 2, "--margin '-5%': expected a share above 0"),
    (["--alpha", "0.7"], 2, "--alpha '0.7': expected a chance"),
    (["--alpha", "1"], 2, "--alpha '1': expected a chance"),
    (["--stale", "7"], 2, "--stale '7': expected an age such as 7d"),
    (["--looks", "10,5"], 2, "--looks '10,5': expected rising numbers of runs per build"),
    (["--undecided", "maybe"], 2, "expected fail, pass or rerun"),
    (["--objective", "p95 < 3"], 2, "is not an objective: expected METRIC <= BOUND"),
    (["-o", "p95 <= 3 ms"], 2, "-o is now the short form of --output\nhint: use --objective 'p95 <= 16.7 ms'"),
    (["-o", "report.pdf"], 2, "--output: expected a name that ends in .html"),
    (["--baseline", "last:0"], 2, "expected last:N"),
    (["--baseline", "nobody"], 4, "no batch of the baseline 'nobody'"),
    (["--baseline", EVIL], 4, "no batch of the baseline"),
    (["nobody"], 4, "no such plan or build: 'nobody' is not a .yaml file, and no batch has this id, label, version or commit"),
    (["nobody"], 4, "hint: 'dejank list' shows the batches"),
    (["--flow", "nothing"], 4, "'nothing' has no batch of this flow or device"),
    (["--project", "other"], 4, "no batch of 'other'"),
    (["--annotations", "jenkins"], 2, "--annotations: expected github or gitlab, found 'jenkins'"),
    (["--annotations", "gitlab"], 2, "--annotations-file"),
    (["--annotations", "github", "--json"], 2, "both write to standard output"),
    (["--junit", "/nowhere/j.xml"], 4, "/nowhere"),
    (["a.yaml", "b.yaml"], 2, "one plan and one candidate"),
    (["not-there.yaml"], 4, "not-there.yaml"),
])
def test_bad_options_are_reported_and_change_nothing(build, tmp_path_factory, words, code, says):
    folder = tmp_path_factory.getbasetemp() / "bad-gate"
    store = Store(build, folder)
    if not folder.exists():
        folder.mkdir()
        store.pair(1.0)
    before = store.path.read_bytes()
    done = store.run("gate", *words, code=code)
    assert says in done.stderr and "\x1b" not in done.stderr, done.stderr
    assert done.stdout == "" and store.path.read_bytes() == before


def test_names_from_outside_stay_names(store, tmp_path):
    store.pair(1.14, flow=EVIL)
    done = store.run("gate", "--annotations", "github", "--junit", "j.xml", "--markdown", "m.md", code=1)
    assert "\x1b" not in done.stdout + (tmp_path / "m.md").read_text()
    assert sum(line.startswith("::error") for line in done.stdout.splitlines()) == 2
    xml.parse(tmp_path / "j.xml")
    prose = re.sub(r"^```text$.*?^```$", "", (tmp_path / "m.md").read_text(), flags=re.M | re.S)  # Charts are code blocks.
    assert "<b>" not in prose.replace("\\<b", "") and "\\<b" in prose
    assert store.sql("SELECT count(*) FROM runs") == [(20,)]


def test_no_store_and_no_baseline(store):
    assert "h.db" in store.run("gate", code=4).stderr
    store.add("a")
    assert "name the baseline with --baseline" in store.run("gate", code=4).stderr
    store.add("b", noise=NOISE[:1])
    assert store.gate("b", "--baseline", "a", code=6)["answer"] == "undecided"  # one run is too few for a verdict
