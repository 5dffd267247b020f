"""dejank import: dumps and logs of other tools, generated here, are imported into a store."""
import gzip
import json
import os
import sqlite3
import statistics
import subprocess
from pathlib import Path

import pytest

import made_dumps as made

CORPUS = os.environ.get("DEJANK_CORPUS")
FACTS = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian 12,AMD Ryzen 7,RTX 3070,24684092,6.1.0,4.5,schedutil\n"
TIMES_MS = [16.6, 16.7, 33.4, 16.6, 8.3, 16.8, 50.1, 16.6]


def mangohud(times_ms=TIMES_MS, unit=1000.0, facts=FACTS, start_ns=0):
    """A MangoHud log. Its frame times are the times in ms, multiplied by `unit`."""
    lines, at = [], start_ns
    for time in times_ms:
        at += round(time * 1e6)
        lines.append(f"{1000 / time:.6g},{time * unit:.6g},100,{at}\n")
    return facts + "fps,frametime,cpu_load,elapsed\n" + "".join(lines)


@pytest.fixture
def run(build, tmp_path):
    """run(VERB, WORDS…) uses the test's own store. Returns the process, with its parsed output in `json`."""
    def call(verb, *arguments, code=0, as_json=True, text=None):
        command = [build / "dejank", verb, *map(str, arguments), "--store", tmp_path / "s.db"]
        result = subprocess.run(command + (["--json"] if as_json else []), input=text, text=True, capture_output=True,
                                timeout=60, cwd=tmp_path, env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert result.returncode == code, result.stderr
        result.json = json.loads(result.stdout) if as_json else None
        return result
    return call


@pytest.fixture
def stored(tmp_path):
    """stored(QUERY) returns the rows of an SQL query on the store."""
    def call(query):
        with sqlite3.connect(tmp_path / "s.db") as store:
            return store.execute(query).fetchall()
    return call


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def quantile(values, p):
    values = sorted(values)
    at = (len(values) - 1) * p
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


METRICS = ("SELECT m.frames, m.guide_total_p50_ns, m.guide_total_p90_ns, m.guide_total_mean_ns, m.frame_time_p50_ns, m.janky_pct, "
           "m.stage_app_p50_ns, m.frame_rate_hz FROM metrics m")


@pytest.mark.parametrize("unit,name", [(1000.0, "us"), (1.0, "ms")])
def test_mangohud_figures_are_those_of_its_rows(run, stored, tmp_path, unit, name):
    path = write(tmp_path, "game_2026-11-22_00-34-26.csv", mangohud(unit=unit))
    [file] = run("import", path, "--label", "before", "--app-version", "1.2", "--commit", "abc").json["files"]
    assert (file["state"], file["format"], file["unit"], file["package"]) == ("imported", "mangohud", name, "game")
    assert file["frames"] == len(TIMES_MS) and file["notes"] == []
    [(frames, p50, p90, mean, duration, janky, app, rate)] = stored(METRICS)
    assert frames == len(TIMES_MS)
    assert p50 == pytest.approx(quantile(TIMES_MS, 0.5) * 1e6, rel=1e-5)
    assert p90 == pytest.approx(quantile(TIMES_MS, 0.9) * 1e6, rel=1e-5)
    assert mean == pytest.approx(statistics.mean(TIMES_MS) * 1e6, rel=1e-5)
    assert rate == pytest.approx(1000 / statistics.mean(TIMES_MS[:-1]), rel=1e-3)
    assert duration is janky is app is None, "unknown is never zero, and no stage is made"


def test_two_columns_and_nothing_else(run, stored, tmp_path):
    path = write(tmp_path, "bare.csv", "fps,frametime\n" + "".join(f"{1000 / t:.5g},{t}\n" for t in TIMES_MS))
    [file] = run("import", path, "--package", "my.game").json["files"]
    assert (file["format"], file["package"]) == ("fps-frametime", "my.game")
    assert stored("SELECT frames FROM metrics") == [(len(TIMES_MS),)]


def test_facts_of_the_log_are_facts_of_the_device(run, stored, tmp_path):
    run("import", write(tmp_path, "a.csv", mangohud()))
    [row] = stored("SELECT * FROM devices")
    assert "AMD Ryzen 7, RTX 3070" in row
    facts = json.dumps(stored("SELECT * FROM device_facts"))
    assert "schedutil" in facts and "24684092" in facts


def test_files_of_one_command_are_runs_of_one_batch(run, stored, tmp_path):
    files = [write(tmp_path, f"run{i}.csv", mangohud([10.0 + i] * 20)) for i in range(3)]
    told = run("import", *files, "--package", "game", "--device-name", "rack 1").json
    assert [batch["runs"] for batch in told["batches"]] == [3]
    assert [file["run"] for file in told["files"]] == [1, 2, 3]
    assert stored("SELECT count(*) FROM runs") == [(3,)]


def test_the_same_file_twice_is_noticed(run, stored, tmp_path):
    path = write(tmp_path, "a.csv", mangohud())
    first = run("import", path).json["files"][0]
    again = run("import", write(tmp_path, "copy.csv", mangohud()))
    assert again.json["files"][0]["state"] == "known" and again.json["files"][0]["batch"] == first["batch"]
    assert "the store has it as run" in again.stderr and first["batch"] in again.stderr
    assert again.stderr.endswith("dejank import: 0 runs imported; 1 file was imported before\n")
    twice = run("import", write(tmp_path, "b.csv", mangohud([9.0] * 9)), tmp_path / "b.csv").json
    assert [file["state"] for file in twice["files"]] == ["imported", "known"]
    run("import", path, "--again")
    assert stored("SELECT count(*) FROM runs") == [(3,)]


def test_known_files_under_another_build_are_summed_up(run, tmp_path):
    files = [write(tmp_path, f"{i}.csv", mangohud([9.0 + i] * 9)) for i in range(3)]
    run("import", *files[:2], "--app-version", "1.7")
    said = run("import", *files[:2], "--app-version", "1.8", as_json=False)
    assert said.stderr.splitlines()[-1] == "dejank import: 0 runs imported; 2 files were imported before (as build 1.7)" and said.stdout == ""
    assert "0 runs imported" not in run("import", *files, "--app-version", "1.8", as_json=False).stderr


def test_a_dump_with_a_label(run, stored, tmp_path):
    text = made.dump(made.process("com.example.app", [("com.example.app/Main", made.frames(60))]))
    path = tmp_path / "dump.txt.gz"
    path.write_bytes(gzip.compress(text.encode()))
    [file] = run("import", path, "--label", "release").json["files"]
    assert (file["format"], file["package"], file["outcome"]) == ("gfxinfo", "com.example.app", "ok")
    assert stored("SELECT label FROM builds") == [("release",)]
    assert file["frames"] == 60


def test_one_of_several_processes(run, stored, tmp_path):
    def process(name, count):
        return made.process(name, [(f"{name}/Main", made.frames(count))])
    path = write(tmp_path, "all.txt", made.dump(process("com.a", 30), process("com.b", 50)))
    result = run("import", path, code=4)
    assert "choose one with --package: com.a, com.b" in result.stderr
    result = run("import", path, "--package", "com.c", code=4)
    assert "expected a process 'com.c', found com.a, com.b" in result.stderr
    [file] = run("import", path, "--package", "com.b").json["files"]
    assert file["frames"] == 50
    assert stored("SELECT rows FROM metrics") == [(50,)]


@pytest.mark.parametrize("text,line,words", [
    ("", None, "the file is empty"),
    ("hello\nworld\n", 1, "expected gfxinfo text, or a log"),
    ("fps,frametime\n", 1, "no frame in this log"),
    ("fps,frametime\n60,nan\n", 2, "expected a frame time in ms above 0, found 'nan'"),
    ("fps,frametime\n60,16.67\n60,16670\n", 3, "in us here and in ms in line 2"),
    ("fps,frametime\n59,94,16,68\n", 2, "decimal comma"),
    ("0.1% Min FPS,Average FPS\n13.0,112.0\n", 1, "a MangoHud summary"),
])
def test_what_is_no_log_is_refused_with_its_place(run, stored, tmp_path, text, line, words):
    result = run("import", write(tmp_path, "x.csv", text), code=4)
    assert words in result.stderr
    assert line is None or f"x.csv:{line}: " in result.stderr
    assert result.json["files"][0]["state"] == "refused"
    assert stored("SELECT count(*) FROM runs") == [(0,)]


def test_bad_rows_are_excluded_and_reported(run, stored, tmp_path):
    text = "\ufeff" + mangohud().replace("\n", "\r\n")
    lines = text.split("\r\n")
    lines[4] = "60,nan,100,1"
    path = write(tmp_path, "x.csv", "\r\n".join(lines[:-2]) + "\r\n60,16")
    result = run("import", path)
    [file] = result.json["files"]
    assert [note["line"] for note in file["notes"]] == [5, len(lines) - 1]
    assert "x.csv:5: " in result.stderr and "is truncated" in result.stderr
    assert file["frames"] == len(TIMES_MS) - 2
    assert ("rows-left-out", 2.0) in stored("SELECT name, value FROM conditions")


def test_a_bad_file_among_good_ones_loses_itself_alone(run, stored, tmp_path):
    result = run("import", write(tmp_path, "a.csv", mangohud()), tmp_path / "absent.csv",
                 write(tmp_path, "b.csv", mangohud([5.0] * 9)), code=4)
    assert [file["state"] for file in result.json["files"]] == ["imported", "refused", "imported"]
    assert "absent.csv" in result.stderr
    assert stored("SELECT count(*) FROM runs") == [(2,)]


def test_a_dump_without_frames_is_a_run_that_does_not_count(run, stored, tmp_path):
    result = run("import", write(tmp_path, "x.txt", made.dump(made.process("com.a", []))), code=4)
    assert result.json["files"][0]["outcome"] == "no-frames"
    assert stored("SELECT count(*) FROM runs WHERE outcome = 'no-frames'") == [(1,)]


def test_names_from_outside_stay_data(run, stored, tmp_path):
    evil = "a'; DROP TABLE runs; -- $(id) \x1b[31m 漢字"
    facts = FACTS.replace("RTX 3070", "gpu\x1b[31m'\"")
    result = run("import", write(tmp_path, "x.csv", mangohud(facts=facts)), "--package", evil, "--label", evil, as_json=False)
    assert "\x1b" not in result.stdout + result.stderr
    assert stored("SELECT count(*) FROM runs") == [(1,)]
    assert stored("SELECT label FROM builds") == [(evil,)]


def test_recompute_gives_the_same_figures(run, stored, tmp_path):
    run("import", write(tmp_path, "a.csv", mangohud()))
    before = stored("SELECT * FROM metrics")
    run("store", "recompute", as_json=False)
    assert stored("SELECT * FROM metrics") == before


@pytest.mark.skipif(CORPUS is None, reason="DEJANK_CORPUS is not set")
def test_a_real_capture_of_presents(run, stored):
    [file] = run("import", Path(CORPUS) / "stats/PresentMonTestOutputFilename.csv").json["files"]
    assert (file["format"], file["package"], file["frames"]) == ("presentmon", "FarCryNewDawn.exe", 1171)
    rows = (Path(CORPUS) / "stats/PresentMonTestOutputFilename.csv").read_text().splitlines()
    times = [float(row.split(",")[10]) for row in rows[1:]]
    [(p50,)] = stored("SELECT guide_total_p50_ns FROM metrics")
    assert p50 == pytest.approx(quantile(times, 0.5) * 1e6, rel=1e-6)


def test_runs_within_a_file_are_runs_of_the_store(run, stored, tmp_path):
    """A CapFrameX file with three captures, and a benchmark file with two tests of two iterations each."""
    runs = [{"CaptureData": {"TimeInSeconds": [0.01 * k for k in range(20)], "MsBetweenPresents": [10.0 + i] * 20}} for i in range(3)]
    path = write(tmp_path, "c.json", json.dumps({"Info": {"ProcessName": "game.exe", "Processor": "AMD", "GPU": "RTX"}, "Runs": runs}))
    told = run("import", path, "--label", "before").json
    assert [(f["state"], f["format"], f["run"], f["frames"]) for f in told["files"]] == [("imported", "capframex", i, 20) for i in (1, 2, 3)]
    assert [(b["package"], b["runs"]) for b in told["batches"]] == [("game.exe", 3)]
    assert stored("SELECT guide_total_p50_ns FROM metrics ORDER BY rowid") == [(10e6,), (11e6,), (12e6,)]
    assert stored("SELECT model FROM devices") == [("AMD, RTX",)]
    assert [f["state"] for f in run("import", path).json["files"]] == ["known"]

    def benchmark(name, runs):
        return {"name": name, "className": "c.Lists", "sampledMetrics": {"frameDurationCpuMs": {"runs": runs},
                                                                         "frameOverrunMs": {"runs": [[1.0] * len(r) for r in runs]}}}
    path = write(tmp_path, "m.json", json.dumps({"context": {}, "benchmarks": [benchmark("up", [[4.0] * 9, [5.0] * 9]),
                                                                               benchmark("down", [[6.0] * 9, [7.0] * 9])]}))
    told = run("import", path).json
    assert [(b["package"], b["runs"]) for b in told["batches"]] == [("c.Lists#up", 2), ("c.Lists#down", 2)]
    assert stored("SELECT count(*) FROM conditions WHERE name = 'frames-late' AND value = 9") == [(4,)]
    assert stored("SELECT DISTINCT text FROM conditions WHERE name = 'frame-times-are'") == [("cpu",)]
    told = run("import", path, "--again", "--package", "c.Lists#down").json
    assert [(b["package"], b["runs"]) for b in told["batches"]] == [("c.Lists#down", 2)]
    refused = run("import", path, "--again", "--package", "c.Other", code=4)
    assert "expected a process 'c.Other', found" in refused.stderr
    before = stored("SELECT * FROM metrics")
    run("store", "recompute", as_json=False)
    assert stored("SELECT * FROM metrics") == before


def test_measures_of_flashlight_are_no_frames_of_a_rate(run, stored, tmp_path):
    measures = [{"fps": fps, "time": 500 * i} for i, fps in enumerate([60, 50, 40, 50])]
    path = write(tmp_path, "f.json", json.dumps({"name": "home", "status": "SUCCESS", "iterations": [{"status": "SUCCESS", "measures": measures}]}))
    [file] = run("import", path).json["files"]
    assert (file["format"], file["package"], file["frames"], file["unit"]) == ("flashlight", "home", 4, "fps")
    assert any("does not record single frames" in note["message"] for note in file["notes"])
    assert stored("SELECT guide_total_p50_ns, frame_rate_hz, janky_pct FROM metrics") == [(20e6, None, None)]
    assert set(stored("SELECT name, value, text FROM conditions")) >= {("sample-interval", 500.0, None), ("frame-times-are", None, "mean")}


# ---- one rule for p95 ----

def test_p95_of_a_log_is_guide_total_everywhere(run, tmp_path):
    """show, report, compare, gate with an objective, and history choose the same metric and name it."""
    for label, scale in (("A", 1.0), ("B", 1.5)):
        paths = [write(tmp_path, f"{label}{i}.csv", mangohud([8 * scale + (i + k % 20) / 100 for k in range(240)]))
                 for i in range(6)]
        run("import", *paths, "--package", "game", "--name", "race", "--label", label, "--device-name", "pc")
    shown = run("show", "race", as_json=False).stdout
    assert "No run recorded frame times. p50 to p99 are percentiles of guide_total" in " ".join(shown.split())
    [row] = [line for line in shown.splitlines() if line.startswith("guide_total, 95th percentile, ms")]
    assert float(row.split()[4]) == pytest.approx(12.2, abs=0.1)
    told = run("show", "race").json
    assert told["percentiles"] == {f"p{p}": f"guide_total_p{p}_ns" for p in (50, 90, 95, 99)}
    for each in told["each_run"]:
        assert f"{each['metrics'][told['percentiles']['p95']] / 1e6:.2f}" in shown
    assert "guide_total, 95th percentile" in run("report", "race", as_json=False).stdout
    for verb, words, code in (("compare", ("A", "B", "--metric", "p95"), 1), ("gate", ("B", "--baseline", "A", "--metric", "p95"), None)):
        found = (run(verb, *words, code=code) if code else gate(run, *words)).json
        metrics = found["metrics"] if verb == "compare" else found["cells"][0]["metrics"]
        assert "guide_total_p95" in [one["metric"] for one in metrics]
    [objective] = gate(run, "B", "--baseline", "none", "--objective", "p95 <= 16.7 ms").json["cells"][0]["objectives"]
    assert objective["state"] == "met" and objective["metric"] == "frame_time_p95_ns"
    assert objective["measured_as"] == "guide_total_p95_ns" and objective["objective"] == "guide total p95 ≤ 16.7 ms"
    assert objective["value"] == pytest.approx(12.2e6, rel=0.01)
    [segment] = run("history", "--metric", "p95").json["segments"]
    assert segment["metric"] == "guide_total_p95"


def gate(run, *words):
    for code in (0, 1, 6):
        try:
            return run("gate", *words, code=code)
        except AssertionError:
            continue
    raise AssertionError(words)


def test_p95_of_a_dump_stays_its_frame_time(run, tmp_path):
    path = write(tmp_path, "dump.txt", made.dump(made.process("shop", [("Main", made.frames(30))])))
    run("import", path, "--name", "scroll")
    shown = run("show", "scroll", as_json=False).stdout
    assert "guide_total" not in shown
    assert run("show", "scroll").json["percentiles"]["p95"] == "frame_time_p95_ns"


# ---- labels and devices ----

def test_a_report_takes_a_label_as_compare_does(run, tmp_path):
    """A label of two batches of one flow gives a report of both. For batches of two flows, options must choose one, as in compare."""
    for base, name, flow in ((8, "one", "race"), (9, "two", "race"), (10, "three", "menu")):
        path = write(tmp_path, f"{name}.csv", mangohud([base + k % 7 for k in range(60)]))
        run("import", path, "--package", "game", "--name", flow, "--label", "fast", "--device-name", "pc")
    for verb in (("compare", "fast", "one.csv"), ("report", "fast")):
        assert "use --project, --flow or --device" in run(*verb, as_json=False, code=2).stderr
    out = tmp_path / "r.json"
    run("report", "fast", "--flow", "race", "-o", out, as_json=False)
    batches = json.loads(out.read_text())["batches"]
    assert [batch["label"] for batch in batches] == ["fast", "fast"] and {batch["name"] for batch in batches} == {"race"}
    run("report", "fast", "--flow", "menu", "-o", out, as_json=False)
    assert [batch["name"] for batch in json.loads(out.read_text())["batches"]] == ["menu"]
    assert "no batch has the id, name or project" in run("report", "batch:slow", as_json=False, code=4).stderr


def test_a_device_is_named_once(run, tmp_path):
    path = write(tmp_path, "a.csv", mangohud([8 + k % 7 for k in range(60)]))
    run("import", path, "--package", "game", "--name", "race")
    assert run("show", "race", as_json=False).stdout.count("AMD Ryzen 7, RTX 3070") == 1
