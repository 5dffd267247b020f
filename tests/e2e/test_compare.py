"""dejank compare: made-up sides with no change or a change of known size, from folders, lists and stores."""
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess

import pytest

import made_dumps as made

EVIL = "'; DROP TABLE runs; --\x1b[31m<b>&\u202e"
ROWS = 220  # a 95th percentile needs 200 frames


def rows(seed, factor=1.0, noise=0.02, janky_every=9, count=ROWS):
    """Frames of a run. Multiplies all times by `factor` and by a random factor of the run."""
    stretch = factor * (1 + random.Random(seed).gauss(0, noise))
    frames = made.frames(count, seed=seed, janky_every=janky_every)
    for row in frames:
        for column in [*made.CALM, "GpuCompleted"]:
            row[column] = row["IntendedVsync"] + int((row[column] - row["IntendedVsync"]) * stretch)
    return frames


def folder(path, seeds, **how):
    """A folder with a dump for each run."""
    path.mkdir()
    for seed in seeds:
        (path / f"run{seed}.txt").write_text(made.dump(made.process("com.example.app", [("Main", rows(seed, **how))])))
    return path


@pytest.fixture(scope="module")
def made_runs(tmp_path_factory):
    """Folders of runs. "slow" is 15 % slower than "base". "same" is not."""
    place = tmp_path_factory.mktemp("runs")
    return {"base": folder(place / "base", range(10)), "slow": folder(place / "slow", range(100, 110), factor=1.15),
            "same": folder(place / "same", range(200, 210)), "few": folder(place / "few", range(3)),
            "slow few": folder(place / "slow few", range(100, 103), factor=1.15),
            "one": folder(place / "one", [0])}


@pytest.fixture
def compare(build, tmp_path):
    def call(*words, code, as_json=True, verb="compare"):
        command = [build / "dejank", verb, *map(str, words), *(["--json"] if as_json else [])]
        done = subprocess.run(command, text=True, capture_output=True, timeout=60, cwd=tmp_path, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(tmp_path / "none"), "COLUMNS": "80"})
        assert code is None or done.returncode == code, (done.stdout[:600], done.stderr[-600:])
        done.json = json.loads(done.stdout) if as_json and done.stdout else None
        return done
    return call


def metric(told, name):
    return next(one for one in told["metrics"] if one["metric"] == name)


def warned(told, name):
    return [one for one in told["warnings"] if one.startswith(name + ": ")]


class Store:
    """A store with batches of the made-up runs. Tests change it with SQL instead of measuring on a device."""

    def __init__(self, path, compare):
        self.path, self.compare = path, compare

    def add(self, where, label, *more):
        told = self.compare(*sorted(where.iterdir()), "--label", label, "--store", self.path, "--again", *more, code=0,
                            verb="import").json
        return told["batches"][0]["id"]

    def sql(self, text):
        with sqlite3.connect(self.path) as database:
            database.executescript(text)
        database.close()

    def digest(self):
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


@pytest.fixture
def store(tmp_path, compare):
    return Store(tmp_path / "s.db", compare)


# ---- verdicts


def test_a_planted_change_is_found_and_swapped_reversed(compare, made_runs):
    told = compare(made_runs["base"], made_runs["slow"], code=1).json
    assert (told["schema"], told["verdict"], told["runs_needed"]) == ("dejank.compare/1", "regression", None)
    p95 = metric(told, "frame_time_p95")
    assert set(p95) >= {"metric", "unit", "a", "b", "ratio", "ci", "level", "margin", "p", "n_a", "n_b", "verdict"}
    assert (p95["unit"], p95["n_a"], p95["n_b"], p95["verdict"], p95["gates"]) == ("ms", 10, 10, "regression", True)
    assert p95["ci"][0] < 1.15 < p95["ci"][1] and p95["ci"][0] > 1.05
    assert p95["a"] * 1.1 < p95["b"] and p95["p"] < 0.001
    assert metric(told, "frame_time_p99")["refused"] == "few-frames"
    back = compare(made_runs["slow"], made_runs["base"], code=0).json
    assert back["verdict"] == "improvement"
    for one in told["metrics"]:
        other = metric(back, one["metric"])
        assert one["p"] == other["p"] and one["level"] == other["level"]
        assert one["ratio"] is None or one["ratio"] * other["ratio"] == pytest.approx(1)
        assert None in one["ci"] or one["ci"][0] * other["ci"][1] == pytest.approx(1)
        assert one["a"] == other["b"] and one["n_a"] == other["n_b"]


def test_no_change_is_no_alarm(compare, made_runs):
    told = compare(made_runs["base"], made_runs["same"], code=0).json
    assert told["verdict"] == "equivalent"
    assert all(one["verdict"] in ("equivalent", "inconclusive") for one in told["metrics"])
    assert told["warnings"] == []


def test_the_first_line_is_the_verdict_in_words(compare, made_runs):
    lines = compare(made_runs["base"], made_runs["slow"], "--all", code=1, as_json=False).stdout.splitlines()
    assert lines[0].startswith("regression: B renders slower: p") and " % CI +" in lines[0]
    text = "\n".join(lines)
    for heading in ("other metrics", "change at each quantile", "stages of a typical frame", "each run", "Cumulative distribution"):
        assert heading in text
    assert max(map(len, lines)) <= 80
    short = compare(made_runs["base"], made_runs["slow"], code=1, as_json=False).stdout
    assert len(short.splitlines()) < 20 and "Not shown: other metrics" in short
    assert "alike" in compare(made_runs["base"], made_runs["same"], code=0, as_json=False).stdout.splitlines()[0]


def test_too_few_runs_say_how_many_would_do(compare, made_runs):
    told = compare(made_runs["few"], made_runs["slow few"], code=6).json
    assert told["verdict"] == "inconclusive" and told["runs_needed"] >= 5 and warned(told, "few-runs")
    assert "a verdict needs about" in told["words"]
    assert "so few runs cannot prove a difference of times (p is at least 0.1" in warned(told, "few-runs")[0]
    assert warned(compare(made_runs["few"], made_runs["slow"], code=1).json, "unequal-runs")
    told = compare(made_runs["one"], made_runs["slow"], code=6).json
    assert told["verdict"] == "inconclusive" and metric(told, "frame_time_p50")["ratio"] > 1


def test_options_set_what_the_verdict_is_of(compare, made_runs):
    sides = (made_runs["base"], made_runs["slow"])
    assert compare(*sides, "--margin", "50%", code=0).json["verdict"] == "equivalent"
    told = compare(*sides, "--metric", "p50=40%,jank", "--alpha", "0.01", code=0).json
    assert [one["metric"] for one in told["metrics"] if one["gates"]] == ["frame_time_p50", "jank_rate"]
    assert metric(told, "frame_time_p50")["margin"] == 0.4 and told["alpha"] == 0.01
    assert metric(told, "frame_time_p50")["level"] == pytest.approx(0.995)
    assert compare(*sides, "-m", "p50=0.05,jank=20%", "--margin", "0.1", code=1).stderr == ""
    assert compare(*sides, "-m", "p50=30%,p95=0.5", code=0).stderr == "dejank compare: the margin 0.5 means 50 %: write 50% or 0.5\n"
    assert compare(*sides, "--margin", "5", code=1).stderr == "dejank compare: the margin 5 means 5 %: write 5% or 0.05\n"
    for wrong in (["--metric", "speed"], ["--metric", "p50,p50"], ["--metric", "p50=0"], ["--margin", "-1%"], ["--margin", "nan"],
                  ["--alpha", "0.5"], ["--alpha", "1"], ["--alpha", "often"], ["-o", "x.pdf"]):
        done = compare(*sides, *wrong, code=2)
        assert done.stderr.startswith("dejank compare: ") and done.stdout == ""


def test_every_form_tells_the_same(compare, made_runs, tmp_path):
    for form in ("html", "md", "json"):
        done = compare(made_runs["base"], made_runs["slow"], "-o", f"out.{form}", code=1, as_json=False)
        assert done.stdout.startswith("regression: B renders slower")
        text = (tmp_path / f"out.{form}").read_text()
        assert "regression" in text and "p95 frame time" in text
    page = (tmp_path / "out.html").read_text()
    addresses = set(re.findall(r"\w+://[^'\"]*", page))
    assert addresses == {"http://www.w3.org/2000/svg"} and "src=" not in page, "it works offline"


# ---- sides


def test_files_can_be_listed_in_three_ways(compare, made_runs, tmp_path):
    base, slow = (sorted(made_runs[name].iterdir()) for name in ("base", "slow"))
    wanted = compare(made_runs["base"], made_runs["slow"], code=1).json["metrics"]
    told = compare(",".join(map(str, base)), ",".join(map(str, slow)), code=1).json
    assert told["metrics"] == wanted
    (tmp_path / "a.list").write_text("".join(f"{path}\n" for path in base))
    assert compare("@a.list", made_runs["slow"], code=1).json["metrics"] == wanted
    command_line = [*base, "--", *slow]
    assert compare("--json", *command_line, code=1, as_json=False).stdout.count('"metric":') == len(wanted)


def test_builds_and_batches_of_a_store(compare, made_runs, store):
    first = store.add(made_runs["base"], EVIL, "--build", "1.7", "--commit", "0123456789abcdef", "--name", "scroll")
    store.add(made_runs["slow"], "after", "--build", "1.8", "--name", "scroll")
    before = store.digest()
    wanted = compare(made_runs["base"], made_runs["slow"], code=1).json["metrics"]
    for word in (first, first[:6], EVIL, "1.7", "0123456"):
        told = compare(word, "after", "--store", store.path, code=1).json
        assert told["metrics"] == wanted and told["a"]["batches"] == [first], word
    assert compare(f"{store.path}#1.7", f"{store.path}#after", code=1).json["metrics"] == wanted
    page = compare(EVIL, "1.8", "--store", store.path, code=1, as_json=False)
    assert "\x1b" not in page.stdout and "\u202e" not in page.stdout
    assert compare("1.9", "1.8", "--store", store.path, code=4).stderr.count("1.9") == 1
    assert compare("'; DELETE FROM runs; --", "1.8", "--store", store.path, code=4).stderr != ""
    assert store.digest() == before, "comparing changes nothing"


def test_labels_may_have_the_mark_of_a_store(compare, made_runs, store):
    store.add(made_runs["base"], "PR #12, first")
    store.add(made_runs["slow"], "'; DROP TABLE runs; #--")
    for a in (f"{store.path}#PR #12, first", "PR #12, first"):
        told = compare(a, f"{store.path}#'; DROP TABLE runs; #--", "--store", store.path, code=1).json
        assert (told["a"]["runs"], told["b"]["runs"]) == (10, 10)


def test_a_build_of_several_flows_has_to_be_narrowed(compare, made_runs, store):
    store.add(made_runs["base"], "1.7", "--name", "scroll")
    store.add(made_runs["few"], "1.7", "--name", "open")
    store.add(made_runs["slow"], "1.8", "--name", "scroll")
    done = compare("1.7", "1.8", "--store", store.path, code=2)
    assert "--flow" in done.stderr and "scroll" in done.stderr and "open" in done.stderr
    told = compare("1.7", "1.8", "--store", store.path, "--flow", "scroll", code=1).json
    assert told["a"]["runs"] == 10
    store.add(made_runs["few"], "1.7", "--name", "scroll")
    assert len(compare("1.7", "1.8", "--store", store.path, "--flow", "scroll", code=1).json["a"]["batches"]) == 2


def test_only_runs_that_count_are_compared(compare, made_runs, store):
    store.add(made_runs["base"], "a")
    store.add(made_runs["slow"], "b")
    store.sql("UPDATE runs SET outcome = 'screen-off', reason = 'it was dark' WHERE number = 2 AND batch_id = 1;"
              "UPDATE runs SET excluded = 'too hot' WHERE number = 3 AND batch_id = 1;"
              "UPDATE runs SET warmup = 1 WHERE number = 4 AND batch_id = 1;")
    told = compare("a", "b", "--store", store.path, code=1).json
    assert (told["a"]["runs"], told["b"]["runs"]) == (7, 10)
    assert [one["why"] for one in told["a"]["left_out"]] == ["screen-off: it was dark", "left out: too hot"]
    [warning] = warned(told, "runs-left-out")
    assert "too hot" in warning and metric(told, "frame_time_p50")["n_a"] == 7
    store.sql("UPDATE batches SET excluded = 'all wrong' WHERE id = 2")
    assert "all wrong" in compare("a", "b", "--store", store.path, code=4).stderr


# ---- order and conditions of runs


def pretend(store, batches, group="NULL"):
    """Changes batches as if `dejank run` had measured them, one batch after the other."""
    for place, key in enumerate(batches):
        store.sql(f"UPDATE batches SET kind = 'run', group_uid = {group}, began_unix_ms = {1000000 * (place + 1)} WHERE id = {key};"
                  f"UPDATE runs SET started_unix_ms = {1000000 * (place + 1)} + 1000 * number WHERE batch_id = {key};")


def test_what_was_not_measured_in_turn_is_only_likely(compare, made_runs, store):
    store.add(made_runs["base"], "a", "--name", "flow")
    store.add(made_runs["slow"], "b", "--name", "flow")
    assert compare("a", "b", "--store", store.path, code=1).json["order"] is None, "files without an order cap nothing"
    pretend(store, [1, 2])
    told = compare("a", "b", "--store", store.path, code=6).json
    assert (told["verdict"], told["order"]) == ("likely-regression", "apart") and warned(told, "not-interleaved")
    assert metric(told, "frame_time_p95")["capped"]
    assert compare("b", "a", "--store", store.path, code=0).json["verdict"] == "likely-improvement"
    assert warned(compare("b", "a", "--store", store.path, code=0).json, "clock-order"), "B is the older one"
    pretend(store, [1, 2], "'one'")
    told = compare("a", "b", "--store", store.path, code=1).json
    assert (told["verdict"], told["order"]) == ("regression", "interleaved") and not warned(told, "not-interleaved")


def test_earlier_batches_bear_out_a_baseline(compare, made_runs, store, tmp_path):
    for i in range(7):
        store.add(folder(tmp_path / f"past{i}", range(1000 + 10 * i, 1003 + 10 * i)), f"past{i}", "--name", "flow")
    store.add(made_runs["base"], "a", "--name", "flow")
    store.add(made_runs["slow"], "b", "--name", "flow")
    pretend(store, range(1, 10))
    told = compare("a", "b", "--store", store.path, code=1).json
    assert (told["verdict"], told["order"], told["past_batches"]) == ("regression", "apart", 8)
    back = compare("b", "a", "--store", store.path, code=0).json
    assert back["verdict"] == "improvement" and back["past_batches"] == 8
    assert metric(told, "frame_time_p95")["p"] == metric(back, "frame_time_p95")["p"]
    store.sql("UPDATE batches SET excluded = 'x' WHERE id = 3")
    assert compare("a", "b", "--store", store.path, code=6).json["past_batches"] == 7


def test_device_clocks_of_dumps_tell_their_order(compare, tmp_path):
    def place(path, seeds, starts, **how):
        path.mkdir()
        for seed, start in zip(seeds, starts):
            frames = rows(seed, **how)
            for row in frames:
                for column in ("IntendedVsync", "Vsync", "GpuCompleted", *made.CALM):
                    row[column] += start * 10**10
            (path / f"{seed}.txt").write_text(made.dump(made.process("com.example.app", [("Main", frames)])))
        return path
    a = place(tmp_path / "a", range(6), range(0, 12, 2))
    turn = place(tmp_path / "turn", range(50, 56), range(1, 12, 2), factor=1.2)
    apart = place(tmp_path / "apart", range(50, 56), range(20, 26), factor=1.2)
    assert compare(a, turn, code=1).json["order"] == "interleaved"
    told = compare(a, apart, code=6).json
    assert (told["order"], told["verdict"]) == ("apart", "likely-regression")


def test_drift_devices_releases_and_rates_are_warned_of(compare, made_runs, store):
    store.add(made_runs["base"], "a", "--device-name", "Pixel 7")
    store.add(made_runs["same"], "b", "--device-name", "Pixel 4")
    pretend(store, [1, 2], "'one'")
    store.sql("UPDATE metrics SET frame_time_p50_ns = 8e6 + 1e5 * (SELECT number FROM runs r JOIN windows w ON w.run_id = r.id"
              " WHERE w.id = window_id) WHERE window_id IN (SELECT w.id FROM windows w JOIN runs r ON r.id = w.run_id"
              " WHERE r.batch_id = 1);"
              "UPDATE metrics SET interval_ns = 11111111 WHERE window_id IN (SELECT w.id FROM windows w JOIN runs r"
              " ON r.id = w.run_id WHERE r.batch_id = 2);"
              "UPDATE devices SET release = '14' WHERE serial = 'Pixel 7'; UPDATE devices SET release = '15' WHERE serial = 'Pixel 4'")
    told = compare("a", "b", "--store", store.path, code=None).json
    for name in ("thermal-drift", "device-mix", "different-release", "different-refresh-rate"):
        assert warned(told, name), (name, told["warnings"])
    assert "rises" in warned(told, "thermal-drift")[0] and "A" in warned(told, "thermal-drift")[0]


# ---- findings, logs


def test_a_finding_that_appears_is_named(compare, tmp_path):
    calm = folder(tmp_path / "calm", range(5), janky_every=0, noise=0.01)
    slow = folder(tmp_path / "slow", range(50, 55), janky_every=3, noise=0.01)
    told = compare(calm, slow, code=1).json
    appeared = [one["finding"] for one in told["findings"] if one["change"] == "appeared"]
    assert appeared and all(one["runs_a"] == 0 for one in told["findings"] if one["change"] == "appeared")
    went = [one["finding"] for one in compare(slow, calm, code=0).json["findings"] if one["change"] == "went"]
    assert went == appeared
    assert "appeared, in 5 of 5 runs of B" in " ".join(compare(calm, slow, code=1, as_json=False).stdout.split())


def logs(path, seeds, factor=1.0):
    path.mkdir()
    for seed in seeds:
        chance = random.Random(seed)
        times = [factor * chance.uniform(12, 21) for _ in range(400)]
        (path / f"game{seed}.csv").write_text("fps,frametime\n" + "".join(f"{1000 / t:.6g},{t:.6g}\n" for t in times))
    return path


def test_logs_of_other_tools_have_guide_total_and_no_jank(compare, tmp_path):
    a, b = logs(tmp_path / "a", range(10)), logs(tmp_path / "b", range(20, 30), 1.2)
    told = compare(a, b, code=1).json
    gating = {one["metric"]: one for one in told["metrics"] if one["gates"]}
    assert gating["guide_total_p50"]["verdict"] == "regression"
    assert gating["guide_total_p95"]["instead_of"] == "frame_time_p95"
    assert gating["jank_rate"]["refused"] == "unknown" and any("jank rate" in one for one in warned(told, "metric-left-out"))
    assert told["order"] is None and warned(told, "different-metrics")
    assert [point["q"] for point in told["shift"]["points"]] == [0.5, 0.9, 0.95, 0.99]
    assert metric(told, "frame_rate")["verdict"] == "regression" and metric(told, "frame_rate")["ratio"] < 1


# ---- bad input


def test_sides_without_runs_are_no_comparison(compare, made_runs, store, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "empty" in compare("empty", made_runs["base"], code=4).stderr
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "notes.txt").write_text("nothing of gfxinfo")
    done = compare(made_runs["base"], "text", code=4)
    assert "B" in done.stderr and "none of its 1 runs is valid" in done.stderr
    assert compare(made_runs["base"], "nowhere", code=4).stderr.count("nowhere") == 1
    listed = compare(f"{made_runs['base']}/run0.txt,{made_runs['base']}/none.txt", made_runs["same"], code=4)
    assert "none.txt: No such file" in listed.stderr
    store.add(made_runs["base"], "a")
    store.sql("UPDATE runs SET outcome = 'overheated'")
    assert "overheated" in compare("a", made_runs["same"], "--store", store.path, code=4).stderr
    assert compare(made_runs["base"], code=2).stdout == ""


def test_a_batch_is_not_compared_with_itself(compare, made_runs, store):
    batch = store.add(made_runs["base"], "a", "--build", "1.7")
    for pair in ((batch, batch), ("a", "1.7"), (batch, "a"), (f"{store.path}#a", "a")):
        assert "same" in compare(*pair, "--store", store.path, code=2).stderr
    for other in (made_runs["base"], f"{made_runs['base']}/../base/"):
        assert "same" in compare(made_runs["base"], other, code=2).stderr


def test_runs_that_are_all_the_same_are_equivalent_and_suspect(compare, made_runs, tmp_path):
    for side in "ab":
        (tmp_path / side).mkdir()
        for i in range(6):
            shutil.copy(made_runs["base"] / "run0.txt", tmp_path / side / f"{i}.txt")
    told = compare("a", "b", code=0).json
    assert told["verdict"] == "equivalent" and warned(told, "duplicate")
    assert metric(told, "frame_time_p50")["ci"] == [1, 1] and metric(told, "frame_time_p50")["p"] == 1


def test_times_that_never_differ_are_called_quantised(compare, tmp_path):
    def at_the_display(path, seeds, late_every):
        path.mkdir()
        for seed in seeds:
            times = [50 / 3 * (2 if (i + seed) % late_every == 0 else 1) for i in range(600)]
            (path / f"{seed}.csv").write_text("fps,frametime\n" + "".join(f"{1000 / t:.6g},{t:.9g}\n" for t in times))
        return path
    a, b = at_the_display(tmp_path / "a", range(6), 10), at_the_display(tmp_path / "b", range(10, 16), 10)
    told = compare(a, b, code=0).json
    assert told["verdict"] == "equivalent"
    assert [one.split(": ")[1][:15] for one in warned(told, "quantised")] == ["p50 guide_total", "p95 guide_total"]


def test_metrics_of_opposite_sign_are_no_verdict(compare, tmp_path):
    def spread(path, seeds, body, tail):
        path.mkdir()
        for seed in seeds:
            chance = random.Random(seed)
            times = [(tail if i % 10 == 0 else body) * chance.uniform(0.98, 1.02) for i in range(400)]
            (path / f"{seed}.csv").write_text("fps,frametime\n" + "".join(f"{1000 / t:.6g},{t:.6g}\n" for t in times))
        return path
    a, b = spread(tmp_path / "a", range(8), 10, 30), spread(tmp_path / "b", range(20, 28), 12, 20)
    for sides in ((a, b), (b, a)):
        told = compare(*sides, code=6).json
        assert {metric(told, f"guide_total_{q}")["verdict"] for q in ("p50", "p95")} == {"regression", "improvement"}
        assert told["verdict"] == "inconclusive" and warned(told, "opposite-verdicts")
        assert told["words"].startswith("B is worse in some metrics and better in others: ")


def test_sides_with_nothing_in_common(compare, tmp_path):
    a = logs(tmp_path / "a", range(5))
    (tmp_path / "b").mkdir()
    for i in range(5):
        text = made.dump(made.process("com.example.app", [("Main", rows(i))]))
        text = re.sub("---PROFILEDATA---.*?---PROFILEDATA---\n", "", text, flags=re.S)
        (tmp_path / "b" / f"{i}.txt").write_text(text)
    done = compare(a, "b", code=4)
    assert "no metric in common" in done.stderr and "guide_total" in done.stderr and "jank_rate" in done.stderr


def test_bad_lines_and_mixed_units_are_reported_and_excluded(compare, made_runs, tmp_path):
    a, b = logs(tmp_path / "a", range(6)), logs(tmp_path / "b", range(10, 16))
    with open(a / "game0.csv", "a", encoding="utf-8") as log:
        log.write("nan,nan\n60,inf\n")
    mixed = "fps,frametime\n" + "60,16.667\n60,16667\n" * 100
    (b / "mixed.csv").write_text(mixed)
    done = compare(a, b, code=0)
    assert "game0.csv:402" in done.stderr and "mixed.csv" in done.stderr
    assert done.json["b"]["runs"] == 6 and [one["what"] for one in done.json["b"]["left_out"]] == [str(b / "mixed.csv")]
    for path in b.iterdir():
        lines = path.read_text().splitlines()
        if path.name != "mixed.csv":
            path.write_text("\n".join([lines[0]] + [f"{float(line.split(',')[0]) / 1000},{float(line.split(',')[1]) * 1000}"
                                                    for line in lines[1:]]) + "\n")
    assert warned(compare(a, b, code=1).json, "mixed-units"), "whole logs in another unit are not passed over"


def test_stores_that_cannot_be_read(compare, made_runs, store, tmp_path):
    store.add(made_runs["few"], "a")
    store.sql("PRAGMA user_version = 99")
    before = store.digest()
    done = compare("a", made_runs["base"], "--store", store.path, code=4)
    assert "newer" in done.stderr and store.digest() == before
    (tmp_path / "torn.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 500)
    assert compare("torn.db#a", made_runs["base"], code=4).stderr.startswith("dejank compare: ")
    assert "BATCH" in compare(store.path, made_runs["base"], code=2).stderr
    assert compare("a", made_runs["base"], "--store", tmp_path / "none.db", code=4).stdout == ""


def test_a_clock_that_ran_backwards_is_reported(compare, made_runs, store):
    store.add(made_runs["base"], "a")
    store.add(made_runs["same"], "b")
    pretend(store, [1, 2], "'one'")
    store.sql("UPDATE runs SET started_unix_ms = 5 WHERE number = 6 AND batch_id = 2")
    told = compare("a", "b", "--store", store.path, code=0).json
    assert any("backwards" in one for one in warned(told, "clock-order"))
