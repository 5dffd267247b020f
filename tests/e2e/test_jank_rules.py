"""Jank rules and figures of presents, compared with a second, plain implementation on generated dumps and on all real dumps of the corpus."""
import json
import math
import os
import random
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

import made_dumps
import naive_gfxinfo as naive

CORPUS = os.environ.get("DEJANK_CORPUS")
REAL = sorted((Path(CORPUS) / "gfxinfo").glob("*.txt")) if CORPUS else []
INTERVAL_NS = 16666667
MS = 10**6
NONE = 2**63 - 1
RULES = ("hwui-legacy hwui-deadline jankstats firebase-slow firebase-frozen vitals-20fps vitals-30fps perfdog-jank perfdog-big-jank "
         "perfdog-stutter hitch-ratio freeze-time frames-delay low1-p1 low1-mean low1-integral chromium-dropped").split()


# ---- the plain implementation ----

def counted_rows(framestats):
    """The rows that hwui counted, in order. `usable` marks the rows that the figures include."""
    rows = [dict(zip(framestats["columns"], row)) for row in framestats["rows"] if None not in row]
    last = {row["IntendedVsync"]: i for i, row in enumerate(rows)}
    kept = [row for i, row in enumerate(rows)
            if row["Flags"] & 8 == 0 and row["FrameCompleted"] > row["IntendedVsync"] and last[row["IntendedVsync"]] == i]
    return [dict(row, usable=naive.is_usable(row)) for row in kept]


def known_interval(row, fallback):
    own = row.get("FrameInterval", 0)
    return own if own > 0 else fallback


def known_present(row):
    at = row.get("DisplayPresentTime", 0)
    return at if row["IntendedVsync"] < at < NONE else None


def known_deadline(row):
    at = row.get("FrameDeadline", 0)
    return at if row["IntendedVsync"] < at < NONE else None


def oracle(framestats, rule, interval_ns, assumed):
    """{slug: value or None}, and the times from one present to the next."""
    rows = counted_rows(framestats)
    fallback = None if assumed else interval_ns
    gaps, refreshes, frames = [], [], []
    steps, shown = [], None
    for i, row in enumerate(rows):
        before = rows[i - 1] if i else None
        follows = (before is not None and row["IntendedVsync"] > before["IntendedVsync"]
                   and row["IntendedVsync"] - before["FrameCompleted"] < 6 * interval_ns)
        present = known_present(row)
        if not follows:
            shown = None
        gap, count = row["FrameCompleted"] - row["IntendedVsync"], None
        if follows:
            pair = [known_interval(one, fallback) for one in (before, row)]
            longest = max((one for one in pair if one), default=None)
            first = known_present(before)
            both = present is not None and first is not None and present >= first
            gap = max(0, present - first if both else row["FrameCompleted"] - before["FrameCompleted"])
            if longest:
                length = present - first if both else row["IntendedVsync"] - before["IntendedVsync"]
                count = math.floor(length / longest + 0.5)
        if present is not None and (shown is None or present >= shown):
            if shown is not None and row["usable"]:
                steps.append(present - shown)
            shown = present
        if row["usable"]:
            frames.append(row)
            gaps.append(gap)
            refreshes.append(count)
    return figures(frames, gaps, [count for count in refreshes if count is not None], rule, fallback, interval_ns), steps


def share(answers):
    return 100 * sum(answers) / len(answers) if answers else None


def late(row, fallback):
    deadline, own = known_deadline(row), known_interval(row, fallback)
    if deadline is None and not own:
        return None
    return max(0, row["FrameCompleted"] - (deadline if deadline is not None else row["IntendedVsync"] + own))


def figures(frames, gaps, refreshes, rule, fallback, interval_ns):
    durations = [row["FrameCompleted"] - row["IntendedVsync"] for row in frames]
    with_interval = [(row, known_interval(row, fallback)) for row in frames if known_interval(row, fallback)]
    over = [max(0, row["FrameCompleted"] - row["IntendedVsync"] - own) for row, own in with_interval]
    lates = [(late(row, fallback), gap) for row, gap in zip(frames, gaps) if late(row, fallback) is not None]
    janks = [(gaps[i], gaps[i] * 3 > 2 * sum(gaps[i - 3:i])) for i in range(3, len(gaps))]
    big = [gap for gap, is_long in janks if is_long and gap > 125 * MS]
    janky = [gap for gap, is_long in janks if is_long and gap > 84 * MS]
    ordered = sorted(gaps, reverse=True)
    worst = ordered[:math.ceil(len(ordered) / 100)]
    ui = []
    for row in frames:
        allowed = known_deadline(row) - row["IntendedVsync"] if known_deadline(row) is not None else known_interval(row, fallback)
        if allowed:
            wait = max(0, row["SyncStart"] - row["SyncQueued"]) if "SyncQueued" in row else 0
            ui.append(max(0, row["IssueDrawCommandsStart"] - row["IntendedVsync"] - wait) > 2 * allowed)
    answer = {
        "jankstats": share(ui),
        "firebase-slow": share([time > 16 * MS for time in durations]),
        "firebase-frozen": share([time > 700 * MS for time in durations]),
        "vitals-20fps": share([gap >= 50 * MS for gap in gaps]),
        "vitals-30fps": share([gap >= 34 * MS for gap in gaps]),
        "perfdog-jank": len(janky) if janks else None,
        "perfdog-big-jank": len(big) if janks else None,
        "perfdog-stutter": 100 * sum(janky) / sum(gaps) if janks and sum(gaps) else None,
        "hitch-ratio": 1000 * sum(one for one, _ in lates) / sum(gap for _, gap in lates) if lates else None,
        "freeze-time": sum(over) / 1e6 if with_interval else None,
        "frames-delay": sum(over) / 1e9 if with_interval else None,
        "low1-p1": 1e9 / naive.type7(gaps, 99) if gaps else None,
        "low1-mean": 1e9 * len(worst) / sum(worst) if worst else None,
        "low1-integral": 1e9 / integral(ordered) if ordered else None,
        "chromium-dropped": None,
    }
    if refreshes:
        dropped = sum(max(0, count - 1) for count in refreshes)
        answer["chromium-dropped"] = 100 * dropped / (dropped + len(refreshes))
    if rule in ("6.0", "7.0", "7.1", "8", "9", "9-10", "10", "11"):
        judged = [row for row, _ in with_interval if naive.total_ns(row, rule) > 0]
        answer["hwui-legacy"] = share([naive.is_janky(row, rule, interval_ns) for row in judged])
        answer["hwui-deadline"] = None
    elif rule != "preview":
        judged = [row for row in frames if known_deadline(row) is not None and naive.total_ns(row, rule) > 0]
        answer["hwui-deadline"] = share([naive.is_janky(row, rule, interval_ns) for row in judged])
    return answer


def integral(ordered):
    total, so_far = sum(ordered), 0
    for gap in ordered:
        so_far += gap
        if 100 * so_far >= total:
            return gap
    return ordered[-1]


# ---- comparison with dejank ----

def parse(build, path):
    done = subprocess.run([build / "dejank", "parse", "--json", "--rows", path], capture_output=True, timeout=120, check=False)
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)["inputs"][0]


def windows_of(answer):
    return [window for process in answer["processes"] for window in process["windows"] if window["framestats"]]


def compare(answer, where):
    """Compares every window that the plain implementation can read: it drops rows with an unknown column, which dejank
    keeps if a note says that the column was not recorded. Returns the number of windows."""
    compared = 0
    for window in windows_of(answer):
        stats = window["framestats"]
        unknown = sum(None in row for row in stats["rows"])
        if unknown != stats["excluded"].get("incomplete", 0) or "implausible" in stats["excluded"]:
            continue
        if not {"Flags", "IntendedVsync", "FrameCompleted"} <= set(stats["columns"]):
            continue
        computed = stats["computed"]
        expected, steps = oracle(stats, computed["rule"], computed["interval_ns"], computed["interval_assumed"])
        for slug, value in expected.items():
            figure = window["jank_rules"][slug]
            got = figure["value"]
            assert (got is None) == (value is None), f"{where}, {window['title']}, {slug}: {got} for {value}"
            assert got is None or got == pytest.approx(value, rel=1e-7, abs=1e-9), f"{where}, {window['title']}, {slug}"
            assert ("reason" in figure) == (value is None), f"{where}, {slug}"
        step = window["present"]["present_to_present_ns"]
        assert step["count"] == len(steps), f"{where}, {window['title']}"
        if steps:
            assert step["max"] == max(steps)
            for percent in 50, 95, 99:
                assert step[f"p{percent}"] == pytest.approx(naive.type7(steps, percent), abs=0.001)
        compared += 1
    return compared


def android_13(rows):
    """gfxinfo text with the columns of Android 13."""
    lines = ["".join("%d," % row.get(name, 0) for name in naive.T) for row in rows]
    return ("Applications Graphics Acceleration Info:\nUptime: 9000000 Realtime: 9000000\n\n** Graphics info for pid 7 [com.example.app] **\n"
            "\nProfile data in ms:\n\n\tcom.example.app/Main/android.view.ViewRootImpl@1d5ddd6 (visibility=0)\n"
            "\n\n---PROFILEDATA---\n" + ",".join(naive.T) + ",\n" + "\n".join(lines) + "\n---PROFILEDATA---\n\n")


def rows_13(count, seed):
    """Frames with deadlines, presents on a grid with jitter, late frames, pauses, and unknown presents."""
    chance = random.Random(seed)
    rows, start, grid = [], 10**12, 10**12
    for i in range(count):
        start += INTERVAL_NS * chance.choice([1, 1, 1, 1, 2, 3])
        if chance.random() < 0.03:
            start += 400 * MS
        length = int(MS * chance.choice([6, 8, 9, 14, 20, 40, 90, 150, 260]) * chance.uniform(0.9, 1.1))
        grid = max(grid + INTERVAL_NS, start + INTERVAL_NS * math.ceil(length / INTERVAL_NS))
        done = start + length
        rows.append({
            "Flags": chance.choice([0, 0, 0, 0, 2, 1]), "FrameTimelineVsyncId": i, "IntendedVsync": start, "Vsync": start,
            "HandleInputStart": start + MS, "AnimationStart": start + MS, "PerformTraversalsStart": start + MS,
            "DrawStart": start + 2 * MS, "FrameDeadline": chance.choice([start + INTERVAL_NS, start + 2 * INTERVAL_NS, NONE]),
            "FrameInterval": start, "FrameStartTime": INTERVAL_NS,  # the header of Android 13 swaps the two names
            "SyncQueued": start + length // 4, "SyncStart": start + length // 4 + chance.choice([0, MS]),
            "IssueDrawCommandsStart": start + length // 2, "SwapBuffers": start + length // 2, "FrameCompleted": done,
            "GpuCompleted": done, "SwapBuffersCompleted": done, "CommandSubmissionCompleted": done,
            "DisplayPresentTime": 0 if chance.random() < 0.1 else grid + chance.randrange(-MS, MS),
        })
    return rows


# ---- tests ----

@pytest.mark.parametrize("seed", range(12))
def test_rules_equal_the_plain_implementation_on_made_dumps(build, tmp_path, seed):
    path = tmp_path / "dump.txt"
    path.write_text(android_13(rows_13(119, seed)))
    assert compare(parse(build, path), f"seed {seed}") == 1
    path.write_text(made_dumps.dump(made_dumps.process("com.example.app", [("Main", made_dumps.frames(100, seed=seed, freeze_at=50))],
                                                       notes=("frame interval: 16666667ns",) if seed % 2 else ())))
    assert compare(parse(build, path), f"seed {seed}, Android 11") == 1


@pytest.mark.skipif(not REAL, reason="DEJANK_CORPUS is not set")
def test_rules_equal_the_plain_implementation_on_real_dumps(build):
    assert sum(compare(parse(build, path), path.name) for path in REAL) >= 9


def log_dump(times_ms):
    """Frames that follow each other without a gap."""
    rows, at = [], 9 * 10**11
    for row, time in zip(made_dumps.frames(len(times_ms)), times_ms):
        end = at + int(time * MS)
        rows.append(dict(row, **{name: at for name in made_dumps.COLUMNS if name.endswith(("Start", "Queued")) or name == "Vsync"},
                         OldestInputEvent=NONE, NewestInputEvent=0, IntendedVsync=at, SwapBuffers=end, FrameCompleted=end, GpuCompleted=end))
        at = end
    return made_dumps.dump(made_dumps.process("com.example.game", [("Main", rows)]))


def test_three_formulas_of_the_one_percent_low(build, tmp_path):
    """999 frames of 8 ms and one of 200 ms."""
    path = tmp_path / "game.txt"
    path.write_text(log_dump([8] * 500 + [200] + [8] * 499))
    [window] = windows_of(parse(build, path))
    rules = window["jank_rules"]
    assert rules["low1-integral"]["value"] == pytest.approx(5.0)
    assert 36.2 <= rules["low1-mean"]["value"] <= 36.8
    assert rules["low1-p1"]["value"] == pytest.approx(125.0)
    assert rules["perfdog-jank"]["value"] == rules["perfdog-big-jank"]["value"] == 1
    assert rules["freeze-time"]["value"] is None and "refresh rate" in rules["freeze-time"]["reason"]


def run(build, *words, folder=None):
    return subprocess.run([build / "dejank", *words], capture_output=True, text=True, timeout=60, cwd=folder, check=False)


@pytest.mark.parametrize("verb", ["parse", "report"])
def test_a_rule_is_printed_with_its_formula_in_one_line(build, tmp_path, verb):
    path = tmp_path / "game.txt"
    path.write_text(log_dump([8] * 500 + [200] + [8] * 499))
    done = run(build, verb, "--jank-rule", "perfdog-jank", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (f"{path}: com.example.game, window Main/android.view.ViewRootImpl@1d5ddd6: perfdog-jank = 1 frames (1 of 997); formula: frames with "
                           "frame-to-frame time > 2 × mean of the 3 before and > 84 ms\n")
    done = run(build, verb, "--jank-rule", "freeze-time", path)
    assert "freeze-time = unknown: the refresh rate is unknown; formula: " in done.stdout
    done = run(build, verb, "--jank-rule", "all", path)
    assert len(done.stdout.splitlines()) == len(RULES)


@pytest.mark.parametrize("verb", ["parse", "report"])
@pytest.mark.parametrize("columns", [None, 20, 40, 80, 200])
def test_the_list_names_every_rule_and_fits_on_the_terminal(build, verb, columns):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run([build / "dejank", verb, "--jank-rule", "list"], capture_output=True, text=True, timeout=60, check=False,
                          env={**environment, "LC_ALL": "C.UTF-8", **({"COLUMNS": str(columns)} if columns else {})})
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines if line.split()[0] in RULES and not line.startswith(" ")] == RULES
    assert max(map(len, lines)) <= (columns or 80)
    words = "".join(done.stdout.split())
    assert words.count("Source:") == len(RULES) and "PerfDogJank(frames):frameswithframe-to-frametime>2×mean" in words


def test_formulas_are_respelled_without_unicode(build):
    done = subprocess.run([build / "dejank", "parse", "--jank-rule", "list"], capture_output=True, timeout=60, check=False,
                          env={**os.environ, "LC_ALL": "C"})
    words = b" ".join(done.stdout.split())
    assert words.isascii() and b"?" not in words and b"dropped refreshes / (dropped refreshes + frames)" in words


def test_an_unknown_rule_is_refused(build):
    done = run(build, "parse", "--jank-rule", "perfdog", "dump.txt")
    assert done.returncode == 2
    assert "perfdog-jank" in done.stderr


def test_other_forms_exclude_a_rule(build, tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(log_dump([8] * 10))
    assert run(build, "parse", "--jank-rule", "all", "--json", path).returncode == 2
    assert run(build, "report", "--jank-rule", "all", "-o", tmp_path / "x.html", path).returncode == 2


# ---- the store ----

def sql(store, query):
    import sqlite3
    with sqlite3.connect(store) as database:
        return database.execute(query).fetchall()


def test_figures_are_metrics_of_the_store(build, tmp_path):
    store = tmp_path / "store.db"
    for name, longest in ("1.0", 200), ("1.1", 90):
        path = tmp_path / name / "scroll.txt"
        path.parent.mkdir()
        path.write_text(log_dump([8] * 500 + [longest] + [8] * 499))
        done = run(build, "import", "--store", store, "--label", "scroll", "--app-version", name, path)
        assert done.returncode == 0, done.stderr
    rows = sql(store, "SELECT low1_integral_fps, low1_p1_fps, perfdog_jank, perfdog_big_jank, freeze_time_ms, presents, present_p50_ns "
                      "FROM metrics ORDER BY window_id")
    assert [row[0] for row in rows] == pytest.approx([5.0, 1000 / 90])
    assert [row[1:] for row in rows] == [(125.0, 1, 1, None, None, None), (125.0, 1, 0, None, None, None)]
    shown = run(build, "show", sql(store, "SELECT uid FROM batches ORDER BY id")[0][0], "--json", "--store", store)
    assert '"low1_integral_fps":5' in shown.stdout
    gate = run(build, "gate", "1.1", "--baseline", "1.0", "--project", "com.example.game", "--objective", "low1_integral_fps >= 10 fps",
               "--objective", "perfdog_big_jank <= 0", "--json", "--store", store)
    assert gate.returncode in (0, 6), gate.stderr
    states = {one["metric"]: one["state"] for one in json.loads(gate.stdout)["cells"][0]["objectives"]}
    assert set(states) == {"low1_integral_fps", "perfdog_big_jank"}
    compared = run(build, "compare", "1.0", "1.1", "--metric", "low1_integral", "--json", "--store", store)
    assert [one["metric"] for one in json.loads(compared.stdout)["metrics"] if one["metric"].startswith("low1")] == ["low1_integral"]
    plain = run(build, "compare", "1.0", "1.1", "--json", "--store", store)
    assert "low1" not in plain.stdout, "further metrics would change the adjusted p of the others"


@pytest.fixture(scope="module")
def stored(build, tmp_path_factory):
    """A folder with a store: build `game` has three runs, and build `log` has one run without a refresh rate."""
    folder = tmp_path_factory.mktemp("rules")
    for i, worst in enumerate((200, 300, 8)):
        (folder / f"game{i}.txt").write_text(log_dump([8] * 500 + [worst] + [8] * (400 + i)))
    (folder / "game_2026-01-02_03-04-05.csv").write_text("fps,frametime\n" + "60,16.67\n30,33.3\n" * 40)
    for label, names in (("game", [f"game{i}.txt" for i in range(3)]), ("log", ["game_2026-01-02_03-04-05.csv"])):
        done = run(build, "import", *names, "--label", label, "--store", "s.db", folder=folder)
        assert done.returncode == 0, done.stderr
    return folder


def report(build, folder, *words, code=0):
    done = run(build, "report", *words, "--store", "s.db", folder=folder)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_batches_have_the_figures_of_their_dumps(build, stored):
    """The figures of each run in the store are those of `dejank parse`. The median is over the runs."""
    dumps = [windows_of(parse(build, stored / f"game{i}.txt"))[0]["jank_rules"] for i in range(3)]
    report(build, stored, "game", "--jank-rule", "all", "-o", "all.json")
    answer = json.loads((stored / "all.json").read_text())
    assert answer["schema"] == "dejank.jank-rules/1"
    assert [rule["rule"] for rule in answer["rules"]] == RULES
    for figure in answer["batches"][0]["figures"]:
        expected = [dump[figure["rule"]]["value"] for dump in dumps]
        assert sorted(run["value"] is None for run in figure["runs"]) == sorted(value is None for value in expected)
        assert (figure["reason"] is not None) == (set(expected) == {None}), figure
        if None not in expected:
            assert sorted(run["value"] for run in figure["runs"]) == pytest.approx(sorted(expected), rel=1e-7)
            assert figure["median"] == pytest.approx(sorted(expected)[1], rel=1e-7)
    known = {figure["rule"]: figure["median"] for figure in answer["batches"][0]["figures"]}
    assert known["perfdog-jank"] == 1 and known["freeze-time"] is None


def test_the_rule_of_a_batch_is_reported_in_every_format(build, stored):
    shown = report(build, stored, "game", "--jank-rule", "perfdog-jank").stdout
    assert shown.startswith("game: perfdog-jank 1.0 frames, median of 3 runs\n")
    assert "perfdog-jank, frames  1.0, 1.0, 0.0\n" in shown and "Source: PerfDog, definition of Jank" in shown
    for suffix in "md", "html", "svg", "csv":
        report(build, stored, "game", "--jank-rule", "perfdog-jank", "-o", f"r.{suffix}")
        text = (stored / f"r.{suffix}").read_text()
        assert "perfdog_jank" in text if suffix == "csv" else len(text) > 500
        assert suffix not in ("md", "html") or ("PerfDog, definition of Jank" in text and "firebase" not in text)
    assert (stored / "r.csv").read_text().splitlines()[0].endswith(",reason,perfdog_jank")


def test_a_rule_that_is_not_stored_says_why(build, stored):
    shown = report(build, stored, "log", "--jank-rule", "freeze-time").stdout
    assert shown.startswith("log: freeze-time is not stored: the refresh rate is unknown\n")
    shown = " ".join(report(build, stored, "game", "log", "--jank-rule", "all").stdout.split())
    assert "jank rules have a figure, over 1 run" in shown and "not stored: no frame has a FrameDeadline" in shown


def test_a_wrong_use_of_a_rule_with_batches_is_refused(build, stored):
    assert "(.xml)" in report(build, stored, "game", "--jank-rule", "all", "-o", "x.xml", code=2).stderr
    assert "names no format" in report(build, stored, "game", "--jank-rule", "all", "-o", "x.zzz", code=2).stderr
    assert "of dumps" in report(build, stored, "game0.txt", "--jank-rule", "all", "-o", "x.md", code=2).stderr
    assert "is a file" in report(build, stored, "game0.txt", "game", "--jank-rule", "all", code=2).stderr
    assert not list(stored.glob("x.*"))


def test_the_rules_of_an_older_store_need_recompute(build, tmp_path):
    import lzma
    data = Path(__file__).resolve().parents[1] / "data/figures/store.db.xz"
    (tmp_path / "s.db").write_bytes(lzma.decompress(data.read_bytes()))
    assert "'dejank store recompute'" in " ".join(report(build, tmp_path, "before", "--jank-rule", "low1-p1").stdout.split())
    assert run(build, "store", "recompute", "--store", "s.db", folder=tmp_path).returncode == 0
    assert " fps, median of 2 runs" in report(build, tmp_path, "before", "--jank-rule", "low1-p1").stdout


def test_an_older_store_reads_as_unknown_and_recompute_fills_it(build, tmp_path):
    import lzma
    store = tmp_path / "store.db"
    data = Path(__file__).resolve().parents[1] / "data/figures/store.db.xz"
    store.write_bytes(lzma.decompress(data.read_bytes()))
    shown = run(build, "show", "before", "--json", "--store", store)
    assert shown.returncode == 0, shown.stderr
    assert sql(store, "PRAGMA user_version")[0][0] == 2, "reading does not change the store"
    listed = run(build, "history", "--metric", "perfdog_jank", "--json", "--store", store)
    assert listed.returncode in (0, 4), listed.stderr
    done = run(build, "store", "recompute", "--store", store)
    assert done.returncode == 0, done.stderr
    assert sql(store, "PRAGMA user_version")[0][0] == 4
    assert sql(store, "SELECT count(*) FROM metrics WHERE low1_p1_fps IS NOT NULL")[0][0] > 0
    assert run(build, "store", "check", "--store", store).returncode == 0
    again = run(build, "store", "recompute", "--store", store)
    assert "0 changed" in again.stdout or again.returncode == 0


# ---- PresentMon ----

def test_presentmon_columns_give_the_figures_of_presents(build, tmp_path):
    """Display changes, animation errors, and frames generated by a driver."""
    rows, header = [], "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsUntilDisplayed,MsAnimationError,FrameType"
    chance = random.Random(3)
    steps, errors, at, since = [], [], 1.0, 0.0
    for i in range(300):
        step, error = round(chance.choice([8.0, 8.2, 16.4, 33.1]), 4), round(chance.uniform(-3, 3), 4)
        at += 0.016
        if i % 3 == 2:
            rows.append(f"game.exe,7,0x1,{at:.6f},4,4,20,NA,AMD_AFMF")
            since += 4
        rows.append(f"game.exe,7,0x1,{at:.6f},16,{step},20,{'NA' if i == 0 else error},Application")
        if i:
            steps.append(since + step)
            errors.append(abs(error))
        since = 0.0
    path = tmp_path / "game.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    store = tmp_path / "store.db"
    done = run(build, "import", "--store", store, "--label", "one", path)
    assert done.returncode == 0, done.stderr
    [row] = sql(store, "SELECT presents, present_p50_ns, present_p95_ns, present_p99_ns, present_max_ns, animation_error_mean_ns, "
                       "animation_error_max_ns, rows_usable, presents_late FROM metrics")
    assert row[0] == 300 and row[7] == 300
    assert row[1:5] == pytest.approx(tuple(naive.type7(steps, percent) * MS for percent in (50, 95, 99, 100)), abs=2)
    assert row[5] == pytest.approx(MS * sum(errors) / len(errors), abs=10)
    assert row[6] == pytest.approx(MS * max(errors), abs=10)
    assert row[8] is None, "the refresh rate is unknown"


FIRST = "game.exe,7,0x1,DXGI,0,0"
FORMS = {  # PresentMon logs with one row per frame: the columns, and a function that formats the cells of a frame
    "1": ("Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,"
          "msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange",
          lambda f: f"{FIRST},{int(f.dropped)},{f.present / 1000:.14f},0.1,{f.time},0,Composed: Flip,1,{f.until or 0},{f.between or 0}"),
    "2.0": ("Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType,"
            "CPUStartTime,FrameTime,CPUBusy,CPUWait,DisplayLatency,DisplayedTime,AnimationError,AnimationTime",
            lambda f: f"{FIRST},0,Other,{f.type},{f.start:.4f},{f.time},1,1,{f.latency or 'NA'},{f.displayed or 'NA'},{f.error or 'NA'},NA"),
    "2.4": ("Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType,"
            "TimeInMs,MsBetweenSimulationStart,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilDisplayed,CPUStartTimeInMs,"
            "MsAnimationError",
            lambda f: f"{FIRST},0,Other,{f.type},{f.present:.4f},NA,{f.time},{f.between or 'NA'},0.1,{f.until or 'NA'},{f.start:.4f},{f.error or 'NA'}"),
}


def presentmon_frames():
    """20 s of frames of 8 ms. Every 20th is not shown, every 50th is 100 ms late, and one takes 200 ms. A driver inserts a frame after every 7th."""
    frames, start, last, content = [], 1000.0, None, None
    for i in range(2500):
        time = 200.0 if i == 1234 else 8.0
        frame = SimpleNamespace(start=start, time=time, present=start + time, dropped=i % 20 == 19, type="Application", error=None)
        frame.shown = None if frame.dropped else start + time + (108.0 if i % 50 == 10 else 8.0)
        # A late frame delays the frames after it.
        frame.shown = frame.shown and max(frame.shown, last + 1.0 if last else 0.0)
        frames.append(frame)
        start += time
        if frame.shown:
            frame.error = None if last is None else (start - content) - (frame.shown - last) or 0.0001
            content, last = start, frame.shown
            if i % 7 == 0:
                frames.append(SimpleNamespace(start=start, time=0.0, present=frame.present, dropped=False, type="AMD AFMF", error=None,
                                              shown=frame.shown + 0.5))
    shown = [frame for frame in frames if frame.shown]
    for before, frame in zip([None, *shown], shown):
        frame.between = before and round(frame.shown - before.shown, 4)
        if before:
            before.displayed = frame.between
    for frame in frames:
        frame.between = getattr(frame, "between", None)
        frame.displayed = getattr(frame, "displayed", None) or (1.0 if frame.shown else None)
        frame.until = frame.shown and round(frame.shown - frame.present, 4)
        frame.latency = frame.shown and round(frame.shown - frame.start, 4)
    return frames


@pytest.mark.parametrize("version", FORMS)
def test_each_version_of_presentmon_gives_the_same_figures(build, tmp_path, version):
    columns, row_of = FORMS[version]
    frames = presentmon_frames() if version != "1" else [one for one in presentmon_frames() if one.type == "Application"]
    if version == "1":  # only the display changes of the program's own frames
        shown = [one for one in frames if one.shown]
        for before, frame in zip(shown, shown[1:]):
            frame.between = round(frame.shown - before.shown, 4)
    path = tmp_path / "game.csv"
    path.write_text("\n".join([columns, *map(row_of, frames)]) + "\n")
    store = tmp_path / "store.db"
    done = run(build, "import", "--store", store, "--label", "one", path)
    assert done.returncode == 0, done.stderr
    drawn = [one for one in frames if one.type == "Application"]
    times = [one.shown for one in drawn if one.shown]
    steps = [after - before for before, after in zip(times, times[1:])]
    errors = [abs(one.error) for one in drawn if one.error is not None]
    [row] = sql(store, "SELECT presents, skipped_frames, present_p50_ns, present_p99_ns, present_max_ns, frame_rate_hz, perfdog_jank, "
                       "animation_error_max_ns, rows_usable FROM metrics JOIN windows ON windows.id = window_id WHERE ordinal = 0")
    assert row[0] == len(times) and row[8] == len(drawn), row
    assert row[1] == sum(one.dropped for one in drawn[:-1]), row
    assert row[2:5] == pytest.approx([naive.type7(steps, percent) * MS for percent in (50, 99, 100)], abs=200), row
    assert row[5] == pytest.approx(1000 * len(drawn) / sum(one.time for one in drawn), rel=0.01), row
    assert row[6] > 0
    if version != "1":
        assert row[7] == pytest.approx(max(errors) * MS, abs=200), row


@pytest.mark.skipif(not CORPUS, reason="DEJANK_CORPUS is not set")
def test_a_real_presentmon_log_has_display_changes(build, tmp_path):
    path = Path(CORPUS) / "stats/PresentMonTestOutputFilename.csv"
    store = tmp_path / "store.db"
    assert run(build, "import", "--store", store, path).returncode == 0
    lines = [line.split(",") for line in path.read_text().splitlines()]
    column = lines[0].index("MsBetweenDisplayChange")
    steps = [float(line[column]) for line in lines[2:] if float(line[column]) > 0]
    [(presents, p50)] = sql(store, "SELECT presents, present_p50_ns FROM metrics")
    assert presents == pytest.approx(len(steps) + 1, abs=1)
    assert p50 == pytest.approx(naive.type7(steps, 50) * MS, abs=1000)
