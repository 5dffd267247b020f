"""Compares every figure of dejank parse with a second, naive reader (naive_gfxinfo.py). The inputs are the real dumps of the
corpus, generated dumps and the demo's samples. Generated dumps and samples are also read as pastes change or truncate them."""
import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest

import made_dumps
import naive_gfxinfo as naive
from pasted import PASTES

ROOT = Path(__file__).resolve().parents[2]
CORPUS = os.environ.get("DEJANK_CORPUS")
REAL = sorted(path for folder in ("gfxinfo", "graphicsstats") if CORPUS
              for path in (Path(CORPUS) / folder).glob("*.txt"))
SAMPLES = sorted((ROOT / "demo/samples").glob("*.txt"))
NOT_RECORDED = ("OldestInputEvent", "NewestInputEvent", "HandleInputStart")


def stem(path):
    return path.stem if isinstance(path, Path) else "none"


def made():
    """Yields the name and the text of each generated dump."""
    rows = made_dumps.frames(40, janky_every=7, freeze_at=11)
    profile = [[row[0] / 7, 0.5, 50.0, 3.25] for row in ([i] for i in range(12))]
    yield "two processes", made_dumps.dump(
        made_dumps.process("com.example.app", [("com.example.app/com.example.app.Main", rows, profile),
                                               ("PopupWindow:5f2", made_dumps.frames(5, seed=3))]),
        made_dumps.process("com.example.app:remote", [("Toast", [])], pid=4343))
    flags = [dict(row, Flags=flag) for row, flag in zip(made_dumps.frames(9, seed=5), (0, 1, 2, 3, 4, 8, 9, 10, 0))]
    stale = [dict(row, GpuCompleted=row["GpuCompleted"] - 2 * 10**9) for row in made_dumps.frames(3, seed=7)]
    late = [dict(row, FrameCompleted=row["IntendedVsync"] - 5) for row in made_dumps.frames(1, seed=8)]
    yield "rows that do not count", made_dumps.dump(
        made_dumps.process("com.example.flags", [("F", flags + flags[:2] + stale + late)]))


MADE = dict(made())
TEXTS = {**MADE, **{path.name: path.read_text() for path in SAMPLES}}


def ask(build, paths, form="--json", rows=True):
    more = ["--rows"] if form == "--json" and rows else []
    done = subprocess.run([build / "dejank", "parse", form, *more, *map(str, paths)], capture_output=True, timeout=120)
    assert done.returncode in (0, 4), done.stderr
    return done.stdout.decode()


def answers(build, paths):
    return json.loads(ask(build, paths))["inputs"]


def answers_of_texts(build, folder, texts):
    paths = []
    for i, text in enumerate(texts):
        paths.append(folder / f"{i}.txt")
        paths[-1].write_bytes(text.encode())
    return answers(build, paths)


# ---- comparison of figures ----

def same_stats(read, expected, where, cut):
    assert (read is None) == (expected is None), f"{where}: {read} for {expected}"
    if expected is None:
        return
    for key, value in expected.items():
        if key.endswith("histogram") and cut and read.get(key) == value[:-1]:
            continue  # the last count may be truncated too
        assert read.get(key) == value, f"{where}, {key}"
    assert set(read) == set(expected), where


def same_profile(read, expected, where):
    assert (read is None) == (expected is None), f"{where}: profile"
    if expected is not None:
        assert read["columns"] == expected["columns"], where
        assert read["row_count"] == len(expected["rows"]), f"{where}: rows of the simple dump"
        assert read["rows"] == [pytest.approx(row, abs=0.005) for row in expected["rows"]], where


def whole_rows(read, process):
    """Complete rows. Only columns that a note names as not recorded may be null."""
    free = set(process.get("not_recorded") or [])
    required = [i for i, name in enumerate(read["columns"]) if name not in free]
    return [row for row in read["rows"] if all(row[i] is not None for i in required)]


def same_framestats(read, expected, process, naive_process, where):
    assert (read is None) == (expected is None), f"{where}: framestats"
    if expected is None:
        return
    assert read["columns"] == expected["columns"], where
    assert read["header_inferred"] == expected["header_inferred"], where
    assert read["row_count"] == expected["row_count"], f"{where}: rows begun"
    rows = whole_rows(read, process)
    assert len(rows) == len(expected["rows"]), f"{where}: complete rows"
    for i, (row, wanted) in enumerate(zip(rows, expected["rows"])):
        assert all(cell in (None, want) for cell, want in zip(row, wanted)), f"{where}, row {i}"
    same_computed(read, expected, naive_process, where)


def same_spread(read, times, where):
    assert read["frames"] == len(times), f"{where}: frames"
    if times:
        assert read["total_ns_sum"] == sum(times), f"{where}: sum"
        for percent in 50, 90, 95, 99:
            assert read["percentiles_ns"][str(percent)] == pytest.approx(
                naive.type7(times, percent), rel=1e-9), f"{where}: p{percent}"


def same_computed(read, expected, naive_process, where):
    computed = read["computed"]
    rows = naive.usable(expected)
    assert read["usable_row_count"] == len(rows), f"{where}: usable rows"
    assert computed["interval_ns"] == naive.interval_of(naive_process, expected), where
    rule = computed["rule"]
    same_spread(computed, [naive.total_ns(row, rule) for row in rows], f"{where}: frame time")
    same_spread(computed["guide_total"], [row["FrameCompleted"] - row["IntendedVsync"] for row in rows],
                f"{where}: guide_total")
    assert computed["janky"] == sum(naive.is_janky(row, rule, computed["interval_ns"]) for row in rows), where


def release_fits(answer, expected):
    """Checks that the release has these columns. With 14 columns, the 50th percentile distinguishes 7.0 from 6.0."""
    counts = {len(window["framestats"]["columns"]) for process in expected["processes"]
              for window in process["windows"] if window["framestats"]}
    known = [naive.RELEASES[count] for count in counts if count in naive.RELEASES]
    if known:
        assert any(answer["release"] in releases for releases in known), (answer["release"], counts)
        assert answer["release_inferred"]
    blocks = [process["stats"] for process in expected["processes"] if process["stats"]]
    if counts == {14} and blocks and {"percentiles_ms", "since_ns"} <= set(blocks[0]):
        assert (answer["release"] == "7.0") == ("50" in blocks[0]["percentiles_ms"])


def same(answer, text):
    """Compares all figures of one input with those of the naive reader."""
    expected = naive.read(text)
    cut = not text.endswith("\n")
    assert [(process["pid"], process["name"]) for process in answer["processes"]] == [
        (process["pid"], process["name"]) for process in expected["processes"]]
    release_fits(answer, expected)
    for process, wanted in zip(answer["processes"], expected["processes"]):
        where = f"process {process['name']}"
        assert (process["uptime_ms"], process["realtime_ms"]) == (wanted["uptime_ms"], wanted["realtime_ms"]), where
        same_stats(process["stats"], wanted["stats"], where, cut)
        assert [(one["title"], one["visibility"]) for one in process["windows"]] == [
            (one["title"], one["visibility"]) for one in wanted["windows"]], where
        for window, wanted_window in zip(process["windows"], wanted["windows"]):
            inside = f"{where}, window {window['title']}"
            same_stats(window["stats"], wanted_window["stats"], inside, cut)
            same_profile(window["profile"], wanted_window["profile"], inside)
            same_framestats(window["framestats"], wanted_window["framestats"], process, wanted, inside)
    same_graphicsstats(answer.get("graphicsstats", []), expected["graphicsstats"], cut)


def same_graphicsstats(read, expected, cut):
    assert len(read) == len(expected)
    for entry, wanted in zip(read, expected):
        for key in "package", "version", "uid", "start_ms", "end_ms":
            assert entry[key] == wanted[key], key
        same_stats(entry["stats"], wanted["stats"], f"graphicsstats of {wanted['package']}", cut)


# ---- unchanged texts ----

def decoded(path):
    return path.read_bytes().decode("utf-8", errors="replace")


@pytest.mark.parametrize("path", REAL or [None], ids=stem)
def test_every_figure_of_a_real_dump(build, path):
    if path is None:
        pytest.skip("DEJANK_CORPUS is not set")
    [answer] = answers(build, [path])
    same(answer, decoded(path))


@pytest.mark.parametrize("path", REAL or [None], ids=stem)
def test_no_text_of_a_real_dump_is_lost(build, path):
    """Every line that is neither a figure nor a row is kept in the process's `other_sections`."""
    if path is None:
        pytest.skip("DEJANK_CORPUS is not set")
    [answer] = answers(build, [path])
    for process, wanted in zip(answer["processes"], naive.read(decoded(path))["processes"]):
        kept = json.dumps(process["other_sections"], ensure_ascii=False)
        for line in wanted["other"]:
            assert json.dumps(line, ensure_ascii=False)[1:-1] in kept


@pytest.mark.parametrize("name", TEXTS)
def test_every_figure_of_our_own_texts(build, tmp_path, name):
    [answer] = answers_of_texts(build, tmp_path, [TEXTS[name]])
    same(answer, TEXTS[name])


def test_columns_that_were_not_recorded_are_null(build, tmp_path):
    rows = made_dumps.frames(6, unknown=NOT_RECORDED)
    for row in rows:
        row.update(OldestInputEvent=2**63 - 1, NewestInputEvent=0)
    text = made_dumps.dump(made_dumps.process("linux", [("W", rows)], notes=[
        "frame interval: 16666667ns", "not recorded: " + ", ".join(NOT_RECORDED)]))
    [answer] = answers_of_texts(build, tmp_path, [text])
    same(answer, text)
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    at = framestats["columns"].index("HandleInputStart")
    assert [row[at] for row in framestats["rows"]] == [None] * 6


# ---- CSV ----

def csv_lines(build, path, form="--csv"):
    return list(csv.DictReader(io.StringIO(ask(build, [path], form))))


def same_csv(lines, text, rule_of):
    expected = naive.read(text)
    wanted = [(process, window) for process in expected["processes"] for window in process["windows"]
              if window["framestats"]]
    assert len(lines) == sum(len(window["framestats"]["rows"]) for _, window in wanted)
    lines = iter(lines)
    for process, window in wanted:
        framestats = window["framestats"]
        counted = naive.usable(framestats)
        for cells in framestats["rows"]:
            row, line = dict(zip(framestats["columns"], cells)), next(lines)
            assert line["pid"] == ("" if process["pid"] is None else str(process["pid"]))
            assert line["process"] == (process["name"] or "") and line["window"] == (window["title"] or "")
            for name in naive.AFTER_16:
                assert line[name] == str(row.get(name, "")), name
            assert line["guide_total_ns"] == str(row["FrameCompleted"] - row["IntendedVsync"])
            assert line["usable"] == str(int(any(row == one for one in counted)))
            if line["usable"] == "1":
                assert line["total_ns"] == str(naive.total_ns(row, rule_of))


@pytest.mark.parametrize("path", REAL or [None], ids=stem)
def test_csv_lines_of_a_real_dump(build, path):
    if path is None:
        pytest.skip("DEJANK_CORPUS is not set")
    [answer] = answers(build, [path])
    same_csv(csv_lines(build, path), decoded(path), answer["release"])


@pytest.mark.parametrize("path", SAMPLES, ids=stem)
def test_csv_lines_of_a_sample(build, path):
    [answer] = answers(build, [path])
    lines = csv_lines(build, path)
    rows = [line for line in lines if "Davey!" not in line["window"]]
    assert len(lines) - len(rows) == len(answer["daveys"])
    same_csv(rows, path.read_text(), answer["release"])


@pytest.mark.parametrize("path", REAL + SAMPLES, ids=stem)
def test_csv_lines_of_the_simple_dump(build, path):
    expected = [(window, row) for process in naive.read(decoded(path))["processes"]
                for window in process["windows"] if window["profile"] for row in window["profile"]["rows"]]
    lines = csv_lines(build, path, "--csv=profile")
    assert len(lines) == len(expected)
    for line, (window, row) in zip(lines, expected):
        assert line["window"] == (window["title"] or "")
        for name, value in zip(window["profile"]["columns"], row):
            assert float(line[name]) == pytest.approx(value, abs=0.005)


# ---- pasted and truncated texts ----

def figures(answer, titles=True):
    """The parts of an answer that a paste must not change. They do not include `other_sections` or, without `titles`, the titles of
    windows."""
    processes = []
    for process in answer["processes"]:
        kept = {key: value for key, value in process.items() if key != "other_sections"}
        kept["windows"] = [{key: value for key, value in window.items() if titles or key != "title"}
                           for window in process["windows"]]
        processes.append(kept)
    return {"outcome": answer["outcome"], "release": answer["release"], "processes": processes,
            "graphicsstats": answer.get("graphicsstats")}


@pytest.mark.parametrize("paste", PASTES)
@pytest.mark.parametrize("name", TEXTS)
def test_a_paste_keeps_every_figure(build, tmp_path, name, paste):
    plain, pasted = answers_of_texts(build, tmp_path, [TEXTS[name], PASTES[paste](TEXTS[name])])
    titles = "wrapped" not in paste  # wrapping may split a title
    assert figures(pasted, titles) == figures(plain, titles)


@pytest.mark.parametrize("name", TEXTS)
def test_several_in_one_file(build, tmp_path, name):
    """With another dump before and after it, the figures of all three are unchanged."""
    other = next(iter(MADE.values()))
    alone, beside, together = answers_of_texts(
        build, tmp_path, [TEXTS[name], other, other + "\n" + TEXTS[name] + "\n" + other])
    middle, side = figures(alone), figures(beside)
    assert figures(together)["processes"] == side["processes"] + middle["processes"] + side["processes"]
    assert figures(together)["graphicsstats"] == middle["graphicsstats"]
    assert together["outcome"] == "ok"



@pytest.mark.parametrize("name", TEXTS)
def test_cut_after_any_line(build, tmp_path, name):
    """dejank reports the complete rows and the figures before the cut, and no others."""
    lines = TEXTS[name].splitlines(keepends=True)
    cuts = ["".join(lines[:n]) for n in range(1, len(lines))]
    for n, answer in enumerate(answers_of_texts(build, tmp_path, cuts), start=1):
        try:
            same(answer, cuts[n - 1])
        except AssertionError as wrong:
            raise AssertionError(f"cut after line {n}: {wrong}") from wrong


@pytest.mark.parametrize("name", TEXTS)
def test_cut_inside_a_row(build, tmp_path, name):
    """A truncated row is included in the row count, but not in the complete rows."""
    lines = TEXTS[name].splitlines(keepends=True)
    rows = [n for n, line in enumerate(lines) if line.count(",") > 11 and line[0].isdigit()]
    if not rows:
        pytest.skip("no framestats in it")
    cuts = ["".join(lines[:n]) + lines[n][:at] for n in (rows[0], rows[-1]) for at in range(1, len(lines[n]) - 1)]
    for text, answer in zip(cuts, answers_of_texts(build, tmp_path, cuts)):
        expected = naive.read(text)
        read = [window["framestats"] for process in answer["processes"] for window in process["windows"]]
        wanted = [window["framestats"] for process in expected["processes"] for window in process["windows"]]
        assert [one and (one["row_count"], len(whole_rows(one, {}))) for one in read] == [
            one and (one["row_count"], len(one["rows"])) for one in wanted], text[-60:]
