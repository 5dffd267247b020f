"""dejank parse: compares its results with figures that the tests compute independently."""

import csv
import gzip
import io
import json
import os
import re
import shlex
import statistics
import subprocess
from pathlib import Path

import pytest

import made_dumps


CUT_TEXTS = sorted((Path(__file__).parents[2] / "demo/samples").glob("*.txt"))
if os.environ.get("DEJANK_CORPUS"):
    CUT_TEXTS += sorted((Path(os.environ["DEJANK_CORPUS"]) / "gfxinfo").glob("*.txt"))


def parse(build, *arguments, text=None):
    return subprocess.run([build / "dejank", "parse", *map(str, arguments)], input=text, capture_output=True,
                          timeout=60)


def parse_json(build, *arguments, text=None):
    done = parse(build, "--json", *arguments, text=text)
    answer = json.loads(done.stdout)
    assert answer["schema"] == "dejank.parse/1"
    return done, answer["inputs"]


@pytest.fixture
def rows():
    return made_dumps.frames(300, janky_every=9)


@pytest.fixture
def dump(tmp_path, rows):
    path = tmp_path / "dump with spaces; and 'quotes'.txt"
    path.write_text(made_dumps.dump(made_dumps.process("com.example.app", [("Main", rows)])))
    return path


def type7(values, p):
    return statistics.quantiles(values, n=100, method="inclusive")[p - 1]


def test_exact_figures_are_those_of_the_rows(build, dump, rows):
    done, [answer] = parse_json(build, dump)
    assert done.returncode == 0, done.stderr
    assert answer["outcome"] == "ok" and answer["release"] == "11" and answer["release_inferred"]
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    computed = framestats["computed"]
    times = [made_dumps.duration_ns(row) for row in rows]
    plain = [row["FrameCompleted"] - row["IntendedVsync"] for row in rows]
    assert framestats["usable_row_count"] == computed["frames"] == len(rows)
    for p in 50, 90, 95, 99:
        assert computed["percentiles_ns"][str(p)] == pytest.approx(type7(times, p))
        assert computed["guide_total"]["percentiles_ns"][str(p)] == pytest.approx(type7(plain, p))
    assert computed["total_ns_sum"] == sum(times)
    assert computed["max_ns"] == max(times)
    assert computed["janky"] == sum(time > computed["interval_ns"] for time in times)
    assert {stage["name"] for stage in computed["stages"]} >= {"Layout", "Draw", "Sync", "Swap"}


YEARS_NS = 288_234_774_265_332_736


@pytest.mark.parametrize("uptime", [True, False])
def test_stamps_after_the_dump_enter_no_figure(build, rows, uptime):
    """hwui of Android 13 has printed such a FrameCompleted, 9 years after the uptime."""
    rows[7] |= {"FrameCompleted": YEARS_NS, "GpuCompleted": YEARS_NS}
    text = made_dumps.dump(made_dumps.process("com.example.app", [("Main", rows)]))
    text = text if uptime else re.sub("^Uptime: .*\n", "", text, flags=re.M)
    [answer] = parse_json(build, "-", text=text.encode())[1]
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    assert framestats["excluded"] == {"implausible": 1}
    assert framestats["usable_row_count"] == len(rows) - 1
    times = [made_dumps.duration_ns(row) for row in rows if row["FrameCompleted"] != YEARS_NS]
    assert framestats["computed"]["mean_ns"] == pytest.approx(statistics.fmean(times))
    assert framestats["computed"]["max_ns"] == max(times)
    assert framestats["findings_measured"]["hang"] == len(times)
    assert "hang" not in [finding["id"] for finding in framestats["findings"]]
    assert b"1 of 300 rows is excluded from the exact figures: 1 implausible" in b" ".join(
        parse(build, "-", text=text.encode()).stdout.split())


def test_a_hang_is_counted_and_named(build, rows):
    first = rows[:1]
    for row in rows[1:]:
        for column in made_dumps.COLUMNS:
            if 10**12 <= row[column] < made_dumps.NO_INPUT:
                row[column] += 12 * 10**9
    first[0] |= {"SwapBuffers": first[0]["SwapBuffers"] + 11 * 10**9,
                 "FrameCompleted": first[0]["FrameCompleted"] + 11 * 10**9}
    text = made_dumps.dump(made_dumps.process("com.example.app", [("Main", rows)]))
    text = text.replace("Uptime: 1000000", "Uptime: 1100000")
    [answer] = parse_json(build, "-", text=text.encode())[1]
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    assert framestats["excluded"] == {}
    [hang] = [finding for finding in framestats["findings"] if finding["id"] == "hang"]
    assert (hang["frames"], hang["measured_frames"], hang["worst"]["row"]) == (1, 300, 0)
    assert hang["worst"]["ns"] == rows[0]["FrameCompleted"] - rows[0]["IntendedVsync"]
    assert b"Hang of 10 s or more" in parse(build, "-", text=text.encode()).stdout


def test_rows_keep_all_their_digits(build, dump, rows):
    _, [answer] = parse_json(build, "--rows", dump)
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    assert framestats["columns"] == made_dumps.COLUMNS
    assert framestats["rows"] == [[row[name] for name in made_dumps.COLUMNS] for row in rows]


def test_csv_has_every_row(build, dump, rows):
    done = parse(build, "--csv", dump, dump)
    assert done.returncode == 0
    table = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert len(table) == 2 * len(rows)
    for line, row in zip(table, rows):
        assert int(line["IntendedVsync"]) == row["IntendedVsync"]
        assert int(line["total_ns"]) == made_dumps.duration_ns(row)
        assert line["FrameDeadline"] == "" and line["usable"] == "1"
        assert line["source"] == str(dump) and line["process"] == "com.example.app"


SUMS_11 = """Stats since: 1000ns
Total frames rendered: 1000
Janky frames: 445 (44.56%)
Janky frames (legacy): 500 (50.03%)
""" + "".join("%dth percentile: 8ms\n" % p for p in (50, 90, 95, 99)) + "".join(
    "%dth gpu percentile: %dms\n" % (p, p % 7 + 1) for p in (50, 90, 95, 99))


def page_lines(build, text):
    return [" ".join(line.split()) for line in parse(build, "--all", "-", text=text.encode()).stdout.decode().splitlines()]


@pytest.mark.parametrize("end", ["", "GPU HISTOGRAM:", "GPU HISTOGRAM: 1ms=0 2m", "GPU HISTOGRAM: 1ms=0 2ms=0\n"])
def test_gpu_percentiles_are_shown_where_their_histogram_is_cut(build, end):
    lines = page_lines(build, SUMS_11 + end)
    for p in 50, 90, 95, 99:
        assert "%dth gpu percentile %d ms" % (p, p % 7 + 1) in lines


def test_gpu_percentiles_of_an_empty_histogram_mean_nothing(build):
    whole = "GPU HISTOGRAM:" + "".join(" %dms=0" % label for label in [*range(1, 26), 4950]) + "\n"
    assert not any("gpu percentile" in line for line in page_lines(build, SUMS_11 + whole))


def test_shares_are_those_that_the_dump_prints(build):
    lines = page_lines(build, SUMS_11)
    assert "Janky frames 445 (44.56%)" in lines and "Janky frames (legacy) 500 (50.03%)" in lines
    assert lines[0] == "JANKY: 445 of 1000 frames janky (44.56 %)"
    [answer] = parse_json(build, "-", text=SUMS_11.encode())[1]
    stats = answer["processes"][0]["stats"]
    assert (stats["janky_percent"], stats["janky_legacy_percent"]) == (44.56, 50.03)


DISGUISES = {
    "colors": lambda text: re.sub("(Janky|Total)", "\x1b[01;31m\x1b[K\\1\x1b[m\x1b[K", text).encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "JSON string": lambda text: json.dumps(text).encode(),
    "JSON object": lambda text: json.dumps({"device": "x", "out": text, "n": 5}, indent=1).encode(),
    "Python": lambda text: repr(text.encode()).encode(),
    "UTF-16LE": lambda text: text.encode("utf-16-le"),
    "UTF-16BE": lambda text: text.encode("utf-16-be"),
    "one line": lambda text: text.replace("\n", " ").encode(),
    "no line ends": lambda text: text.replace("\n", "").encode(),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_dump_that_was_damaged_on_its_way(build, dump, disguise):
    def figures(text):
        done, [answer] = parse_json(build, "--rows", "-", text=text)
        [process] = answer["processes"]
        assert done.returncode == 0 and process["name"] == "com.example.app" and process["uptime_ms"] == 1000000
        return process["stats"], process["windows"]
    text = dump.read_text()
    expected, got = figures(text.encode()), figures(DISGUISES[disguise](text))
    if disguise == "no line ends":  # in "4950ms=0Pipeline", the end of the number is uncertain
        for stats in expected[0], got[0]:
            del stats["gpu_histogram"][-1:], stats["gpu_histogram"][25:]
    assert got == expected


EVENT = "bash-1234 [001] d..3 5678.123456: sched_waking: comm=x pid=7 prio=120 target_cpu=000\n"
TRACES = {
    "tracefs.txt": ("# tracer: nop\n" + EVENT).encode(),
    "no-header": ("          <...>-7     (  100) [000] .... 12.000001: tracing_mark_write: B|7|x\n" + EVENT).encode(),
    "chrome.json": b'{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}',
    "trace.dat": b"\x17\x08\x44tracing6\0",
    "with blank.txt.gz": gzip.compress(EVENT.encode()),
}


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_is_named_with_the_verb_that_reads_it(build, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(TRACES[name])
    done, [answer] = parse_json(build, path)
    assert done.returncode == 4 and answer["outcome"] == "not-gfxinfo"
    assert b"this is a trace, not the output of dumpsys gfxinfo; run: dejank trace read " in done.stderr
    assert shlex.quote(str(path)) in answer["diagnostics"][-1]["message"]
    assert b"run: dejank trace read -" in parse(build, "-", text=TRACES[name]).stderr


def test_a_dump_is_named_with_the_verb_that_reads_it(build, dump):
    done = subprocess.run([build / "dejank", "trace", "read", dump], capture_output=True, timeout=60, text=True)
    assert done.returncode == 4 and "this is the output of dumpsys gfxinfo, not a trace; run: dejank parse " in done.stderr
    command = shlex.split(done.stderr.rpartition("run: ")[2])
    assert subprocess.run([build / command[0], *command[1:]], capture_output=True, timeout=60).returncode == 0
    done = subprocess.run([build / "dejank", "trace", "read", "-"], input=dump.read_text(), capture_output=True, timeout=60,
                          text=True)
    assert done.returncode == 4 and done.stderr.endswith("run: dejank parse -\n")


def test_without_a_file_it_reads_what_is_piped_to_it(build, dump):
    expected = parse(build, "--json", "-", text=dump.read_bytes())
    done = parse(build, "--json", text=dump.read_bytes())
    assert (done.returncode, done.stdout) == (0, expected.stdout)
    with open(dump, "rb") as file:
        done = subprocess.run([build / "dejank", "parse", "--json"], stdin=file, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, expected.stdout)
    done = subprocess.run([build / "dejank", "parse"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert done.returncode == 2 and b"missing operand FILE" in done.stderr
    assert parse(build, text=b"").returncode == 4


FINGERPRINT = "== dumpstate: 2031-03-17 08:12:44\nBuild fingerprint: '%s'\n------ UPTIME (uptime) ------\nDUMP OF SERVICE gfxinfo:\n"


def lines_of_9(name="a"):
    return ("** Graphics info for pid 1 [%s] **\nStats since: 1000ns\nTotal frames rendered: 1000\nJanky frames: 445 (44.50%%)\n"
            % name + "".join("%dth percentile: 8ms\n" % p for p in (50, 90, 95, 99))
            + "".join("Number %s: 0\n" % what for what in
                      ("Missed Vsync", "High input latency", "Slow UI thread", "Slow bitmap uploads",
                       "Slow issue draw commands", "Frame deadline missed")))


@pytest.mark.parametrize("fingerprint, release, source", [
    (None, "9", "inferred"),
    ("google/sailfish/sailfish:10/QP1A.190711.020/5801335:user/release-keys", "10", "fingerprint"),
    ("google/sailfish/sailfish:9/PQ3A.190801.002/5670241:user/release-keys", "9", "fingerprint"),
    ("google/raven/raven:13/TQ3A.230805.001/10316531:user/release-keys", "9", "inferred"),
    ("google/raven/raven:99/X/1:user/release-keys", "9", "inferred"),
    ("nonsense", "9", "inferred"),
])
def test_the_build_fingerprint_states_the_release(build, fingerprint, release, source):
    text = (FINGERPRINT % fingerprint if fingerprint else "") + lines_of_9()
    [answer] = parse_json(build, "-", text=text.encode())[1]
    assert (answer["release"], answer["release_source"]) == (release, source)
    assert answer["release_inferred"] == (source == "inferred")
    assert answer["processes"][0]["release"] == release
    page = " ".join(page_lines(build, text))
    stated = "The build fingerprint states the release, Android %s." % release
    assert (stated in page) == (source == "fingerprint")
    [answer] = parse_json(build, "--release", "11", "-", text=text.encode())[1]
    assert (answer["release"], answer["release_source"]) == ("11", "option")


def test_columns_of_no_release_are_counted_and_kept(build, rows):
    text = made_dumps.dump(made_dumps.process("com.example.app", [("=Main", rows)]))
    for n, row in enumerate(rows):
        text = text.replace("\n0,%d," % row["IntendedVsync"], "\n0,%d,%d," % (n, row["IntendedVsync"]))
    text = text.replace("Flags,", "Flags,AnimationCounter,")
    [answer] = parse_json(build, "--rows", "-", text=text.encode())[1]
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    assert framestats["other_columns"] == [{"name": "AnimationCounter", "row_count": len(rows)}]
    assert [row[1] for row in framestats["rows"]] == list(range(len(rows)))
    assert framestats["usable_row_count"] == len(rows)
    table = list(csv.DictReader(io.StringIO(parse(build, "--csv", "-", text=text.encode()).stdout.decode())))
    assert [int(line["AnimationCounter"]) for line in table] == list(range(len(rows)))
    assert {line["window"] for line in table} == {"'=Main/android.view.ViewRootImpl@1d5ddd6"}


def test_a_davey_line_is_a_row(build):
    line = ("11-20 10:00:00.123  1234  1260 I HWUI    : Davey! duration=812ms; Flags=0, IntendedVsync=1000000000, "
            "AnimationCounter=77, DrawStart=1000400000, SyncQueued=1000500000, FrameCompleted=1812000000, \n")
    [answer] = parse_json(build, "-", text=line.encode())[1]
    [davey] = answer["daveys"]
    assert davey["columns"]["AnimationCounter"] == 77 and davey["columns"]["DrawStart"] == 1000400000
    done = parse(build, "--csv", "-", text=line.encode())
    [row] = csv.DictReader(io.StringIO(done.stdout.decode()))
    assert (row["pid"], row["SyncQueued"], row["guide_total_ns"]) == ("1234", "1000500000", "812000000")
    assert row["AnimationCounter"] == "77" and row["usable"] == "1" and done.stderr == b""


def test_table_has_a_line_per_row(build, dump, rows):
    lines = parse(build, "--frames", dump).stdout.decode().splitlines()
    assert sum(line.endswith("janky") for line in lines) == sum(
        made_dumps.duration_ns(row) > 16666666 for row in rows)


def test_standard_input_and_a_quote(build, dump):
    quoted = b"".join(b"> " + line + b"\r\n" for line in dump.read_bytes().splitlines())
    done, [plain, pasted] = parse_json(build, dump, "-", text=b"is this bad?\n" + quoted)
    assert done.returncode == 0, done.stderr
    assert pasted["source"] == "standard input"
    for process in plain["processes"] + pasted["processes"]:
        for section in process["other_sections"]:
            section.pop("line")  # the pasted text has a line of prose before the dump
    assert pasted["processes"] == plain["processes"]


def test_one_bad_input_does_not_hide_the_others(build, dump, tmp_path):
    missing = tmp_path / "missing"
    done, [bad, good, empty] = parse_json(build, missing, dump, os.devnull)
    assert done.returncode == 4
    assert [bad["outcome"], good["outcome"], empty["outcome"]] == ["not-gfxinfo", "ok", "not-gfxinfo"]
    assert str(missing).encode() in done.stderr and b"No such file" in done.stderr
    assert b"dumpsys gfxinfo" in done.stderr


USELESS_ROWS = b"""** Graphics info for pid 1 [a] **
---PROFILEDATA---
Flags,IntendedVsync,FrameCompleted,
8,1000000000,1008000000,
0,1016666666,0,
---PROFILEDATA---
"""


UNKNOWN_ROWS = 2 * (b"0," + b"".join(b"%d," % (10**9 + n) for n in range(25)) + b"\n")


@pytest.mark.parametrize("text, outcome, words", [
    (b"No process found for: x\n", "no-process", b"No process found for: x"),
    (b"** Graphics info for pid 1 [a] **\n", "no-frames", b"no frame was drawn"),
    (USELESS_ROWS, "no-frames", b"none of the 2 rows has usable times"),
    (b"Permission Denial: can't dump gfxinfo from from pid=1\n", "permission-denied", b"denied"),
    (UNKNOWN_ROWS, "no-frames", b"2 rows): there is no header; expected 13, 14, 16, 17, 22, 23, 24 or 25 "
                                b"columns, found 26"),
    (b"---PROFILEDATA---\n" + UNKNOWN_ROWS + b"---PROFILEDATA---\n", "no-frames", b"no row can be read"),
    (b"hello\n", "not-gfxinfo", b"expected the output of"),
    (b"\0" * 1000, "not-gfxinfo", b"expected the output of"),
])
def test_nothing_usable_is_exit_4_with_its_reason(build, text, outcome, words):
    done, [answer] = parse_json(build, "-", text=text)
    assert (done.returncode, answer["outcome"]) == (4, outcome)
    assert words in done.stderr
    assert parse(build, "-", text=text).returncode == 4


@pytest.mark.parametrize("arguments", [[], ["--json", "--csv", "x"], ["--rows", "x"], ["--nonsense", "x"]])
def test_usage(build, arguments):
    done = parse(build, *arguments)
    assert done.returncode == 2 and done.stderr and not done.stdout


def test_names_cannot_steer_a_terminal(build, rows):
    text = made_dumps.dump(made_dumps.process("\x1b[2Jevil\x07", [("w\x9b2J", rows)]))
    for form in [], ["--frames"]:
        done = parse(build, *form, "-", text=text.encode("latin-1"))
        assert done.returncode == 0
        assert not any(byte < 32 and byte not in b"\n\t" for byte in done.stdout + done.stderr)
        assert b"\\x1b[2jevil" in done.stdout.lower()


SIMPLE = b"""Profile data in ms:

\tw (visibility=0)
\tDraw\tPrepare\tProcess\tExecute
\t1.00\t2.00\t3.00\t4.00
\t1.00
"""
SUMS = b"Total frames rendered: 100\nJanky frames: 1 (1.00%)\n"


@pytest.mark.parametrize("form, text, words", [
    ("--frames", SIMPLE, [b"no framestats row", b"2 rows of the simple dump (--csv=profile shows them)"]),
    ("--csv", SIMPLE, [b"no complete framestats row", b"2 rows of the simple dump (--csv=profile shows them)"]),
    ("--csv=profile", SUMS, [b"no complete row of the simple dump",
                             b"1 statistics block (dejank parse without options shows them)"]),
    ("--csv", SUMS, [b"1 statistics block"]),
])
def test_a_form_of_rows_says_that_there_are_none(build, form, text, words):
    done = parse(build, form, "-", text=text)
    assert done.returncode == 0
    for word in words:
        assert word in done.stderr
    assert done.stdout.count(b"\n") == (0 if form == "--frames" else 1)


def test_a_form_of_rows_is_silent_where_it_has_some(build, dump):
    assert parse(build, "--csv", dump).stderr == parse(build, "--frames", dump).stderr == b""
    done = parse(build, "--csv=profile", "-", text=SIMPLE)
    assert done.stdout.splitlines()[1:] == [b"standard input,,,w,1.00,2.00,3.00,4.00"]
    assert b"no complete row" not in done.stderr


def test_findings_are_those_of_the_guide(build, dump, rows):
    """The test counts the findings in the rows again."""
    _, [answer] = parse_json(build, dump)
    framestats = answer["processes"][0]["windows"][0]["framestats"]
    found = {finding["id"]: finding for finding in framestats["findings"]}
    for name, start, end, limit_ns in [
            ("ui-thread-late", "IntendedVsync", "Vsync", 0),
            ("input-handling", "HandleInputStart", "AnimationStart", 2_000_000),
            ("animation", "AnimationStart", "PerformTraversalsStart", 2_000_000),
            ("render-thread-busy", "SyncQueued", "SyncStart", 100_000),
            ("sync", "SyncStart", "IssueDrawCommandsStart", 400_000)]:
        spans = [row[end] - row[start] for row in rows]
        slow = [span for span in spans if span > limit_ns]
        assert framestats["findings_measured"][name] == len(rows)
        assert (name in found) == bool(slow)
        if slow:
            assert found[name]["frames"] == len(slow) and found[name]["limit_ns"] == limit_ns
            assert found[name]["total_ns_sum"] == sum(slow)
            assert found[name]["worst"]["ns"] == max(slow) == spans[found[name]["worst"]["row"]]
    assert framestats["findings_measured"]["deadline-missed"] == 0
    assert any(finding["frames"] for finding in found.values())


def test_dropped_intervals_and_the_guides_figures(build, dump, rows):
    _, [answer] = parse_json(build, dump)
    computed = answer["processes"][0]["windows"][0]["framestats"]["computed"]
    interval_ns = computed["interval_ns"]
    starts = [row["IntendedVsync"] for row in rows]
    steps = [after - before for before, after in zip(starts, starts[1:])]
    assert computed["dropped_intervals"] == sum(max(0, round(step / interval_ns) - 1) for step in steps)
    plain = [row["FrameCompleted"] - row["IntendedVsync"] for row in rows if row["Flags"] == 0]
    assert computed["guide"]["frames"] == len(plain)
    assert computed["guide"]["janky"] == sum(total > interval_ns for total in plain)


def test_the_page_begins_with_a_verdict_and_ends_with_a_command(build, dump):
    page = parse(build, dump).stdout.decode()
    lines = page.splitlines()
    assert lines[0] == "JANKY: com.example.app: 33 of 300 frames janky (11.00 %)" and len(lines[0]) <= 80
    assert "SMOOTH: at most 2 % of frames janky. UNEVEN: at most 10 %. JANKY: more." in lines[:4]
    report, look = [shlex.split(line) for line in lines if line.startswith("  dejank ")][::-1]
    assert report == ["dejank", "report", str(dump), "-o", "report.html"]
    assert look == ["dejank", "parse", "--frames", str(dump)]
    assert parse(build, *look[2:]).returncode == 0
    assert lines.index("next:") == len(lines) - 5  # each command and what it does
    assert max(len(line) for line in lines if "dejank" not in line and "quotes" not in line) <= 80


def test_the_page_of_a_bug_report_begins_with_its_processes(build):
    """The log before the dumps contains a Davey! line."""
    sample = Path(__file__).parents[2] / "demo/samples/bugreport-15-excerpt.txt"
    page = parse(build, sample).stdout.decode()
    assert page.startswith("2 of 2 processes drew frames; the worst is UNEVEN: com.example.bank")
    headings = ["\nprocess ", "\ncom.example.bank ", "\ncom.example.launcher ", "\nUNEVEN: com.example.bank: ",
                "\ngraphicsstats: ", "\nFrames of 0.7 s", "\nnext:\n"]
    places = [page.index(heading) for heading in headings]
    assert places == sorted(places) and page.count("\nnext:\n") == 1
    assert "PACKAGE" not in page


def test_a_dump_of_many_processes_begins_with_a_table(build):
    """The worst process comes first. Processes without frames share a line."""
    drawn = {3: 9, 12: 5, 20: 0}
    text = made_dumps.dump(*(made_dumps.process(
        "com.app%d" % i, [("Main", made_dumps.frames(60, janky_every=drawn[i]) if i in drawn else [])], pid=1000 + i)
        for i in range(47)))
    lines = parse(build, "-", text=text.encode()).stdout.decode().splitlines()
    assert lines[0] == "3 of 47 processes drew frames; the worst is JANKY: com.app12"
    table = lines[lines.index("") + 1:]
    assert [line.split() for line in table[:4]] == [
        ["process", "pid", "frames", "janky,", "%", "verdict"], ["com.app12", "1012", "60", "20.00", "JANKY"],
        ["com.app3", "1003", "60", "10.00", "UNEVEN"], ["com.app20", "1020", "60", "0.00", "SMOOTH"]]
    assert table[5] == "No frames: com.app0, com.app1, com.app2 and 41 more."
    assert "JANKY: com.app12: 12 of 60 frames janky (20.00 %)" in table
    assert not any(line.startswith("UNEVEN: ") for line in table)
    everything = parse(build, "--all", "-", text=text.encode()).stdout.decode()
    assert "\nUNEVEN: com.app3: 6 of 60 frames janky (10.00 %)\n" in everything and "com.app46" in everything


def test_high_input_latency_is_explained(build):
    """All frames may have a high input latency while the verdict is SMOOTH."""
    sums = ("Total frames rendered: 21870\nJanky frames: 10 (0.05%)\nNumber Missed Vsync: 0\n"
            "Number High input latency: 21870\n")
    page = parse(build, "-", text=sums.encode()).stdout.decode()
    assert page.startswith("SMOOTH: 10 of 21870 frames janky (0.05 %)\n") and "input latency" not in page
    page = parse(build, "--all", "-", text=sums.encode()).stdout.decode()
    assert re.search("Number High input latency +21870\n", page)
    assert "High input latency does not make a frame janky." in page


def test_cut_anywhere(build, dump):
    whole = dump.read_bytes()
    for length in range(0, len(whole), len(whole) // 40):
        done, [answer] = parse_json(build, "-", text=whole[:length])
        assert done.returncode in (0, 4)
        assert answer["outcome"] in ("ok", "no-frames", "not-gfxinfo")


def ends_of(text):
    """Lengths to which a text is truncated: every length of a small text. In a larger text, a selection of the ends, starts and
    middles of lines."""
    if len(text) < 600:
        return range(1, len(text))
    ends = set()
    at = 0
    for line in text.splitlines(keepends=True):
        ends |= {at + 1, at + len(line) // 2, at + len(line) - 1, at + len(line)}
        at += len(line)
    return sorted(end for end in ends if 0 < end < len(text))[::max(1, len(ends) // 250)]


def is_whole(text):
    """Whether the text ends where a complete text can end, so that dejank cannot notice the truncation. Such ends are those of a
    section, of a block of statistics or rows, of a row of the simple dump, and of a line of a log."""
    last = text.rstrip().strip(b">\r\n ").splitlines()[-1].strip(b"> |") if text.strip() else b""
    ends = (rb"Total DisplayList: +[\d.,]+ kB", rb"Total RenderNode .*\(capacity\)", rb"-+", rb"No process found for: .*")
    if any(re.fullmatch(end, last) for end in ends):
        return True
    if b"** Graphics info" in text:
        # Other programs may print text after the section.
        return (b"Total RenderNode" in text or b"Total DisplayList" in text) and text.endswith((b"\n", b"\n ", b"\r", b">"))
    if b"Davey!" in text and b"Applications Graphics" not in text and text.endswith(b"\n"):
        return True  # each line of a log is complete
    return bool(re.fullmatch(rb"Number Slow (issue draw commands|draw): \d+", last) and text.endswith(b"\n")
                or re.fullmatch(rb"---PROFILEDATA---|Something|Session.*|(\d+\.\d\d ){2,3}\d+\.\d\d", last)
                or re.fullmatch(rb"(GPU )?HISTOGRAM:.* 4950ms=\d+", last))


@pytest.mark.parametrize("path", CUT_TEXTS, ids=lambda path: path.stem)
def test_every_end_of_a_text_is_reported(build, tmp_path, path):
    """dejank reports a truncation unless the text can end there. The complete rows before it are neither lost nor changed."""
    text = path.read_bytes()
    ends = list(ends_of(text))
    files = []
    for end in ends:
        files.append(tmp_path / str(end))
        files[-1].write_bytes(text[:end])
    whole = rows_of(parse_json(build, "--rows", path)[1][0])
    clean = all(None not in row for row in whole)
    for start in range(0, len(files), 500):
        _, answers = parse_json(build, "--rows", *files[start:start + 500])
        for end, answer in zip(ends[start:], answers):
            assert answer["diagnostics"] or is_whole(text[:end]), f"{end}: {text[max(0, end - 60):end]}"
            rows = [row for row in rows_of(answer) if None not in row]
            # Without a header, a row that lacks its last columns may be a complete row of another release.
            if clean and (not rows or len(rows[0]) == len(whole[0])):
                assert rows == whole[:len(rows)], end
                assert len(rows) >= complete_rows(text[:end], whole), end


def rows_of(answer):
    return [row for process in answer["processes"] for window in process["windows"] if window.get("framestats")
            for row in window["framestats"]["rows"]]


def complete_rows(text, whole):
    commas = len(whole[0]) - 1 if whole else 0
    row = re.compile(rb"[> \t|*]*-?\d+(,-?\d+){%d},\s*" % commas)
    return sum(1 for line in text.split(b"\n") if row.fullmatch(line)) if whole else 0


def test_real_dumps(build):
    """dejank reads every real dump, and the frame counts that it reports are those in the text."""
    corpus = os.environ.get("DEJANK_CORPUS")
    if not corpus:
        pytest.skip("DEJANK_CORPUS is not set")
    files = sorted((Path(corpus) / "gfxinfo").glob("*.txt"))
    assert files
    _, answers = parse_json(build, *files)
    for path, answer in zip(files, answers):
        text = path.read_text(errors="replace")
        assert answer["outcome"] in ("ok", "no-frames"), path.name
        for process in answer["processes"]:
            for block in [process["stats"]] + [window["stats"] for window in process["windows"]]:
                if block and "total_frames" in block:
                    assert f"Total frames rendered: {block['total_frames']}" in text, path.name
                if block and "janky_frames" in block:
                    assert f"Janky frames: {block['janky_frames']} (" in text, path.name
