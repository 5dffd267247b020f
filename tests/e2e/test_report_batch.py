"""`dejank report BATCH…`: batches of a store, imported from generated dumps."""
import csv
import io
import json
import os
import re
import shutil
import statistics
import subprocess

import pytest

import made_dumps as made

CHROMIUM = shutil.which("chromium")
RUNS = 5
EVIL = "we<b>ird</b> \"q\" </script><script>document.title='owned'</script> \x1b[31m 漢字"


def dump(seed, janky_every):
    rows = made.frames(80, janky_every=janky_every, seed=seed)
    return rows, made.dump(made.process("com.example.shop", [("com.example.shop/Main", rows)],
                                        notes=("frame interval: 16666667ns",)))


@pytest.fixture(scope="module")
def place(build, tmp_path_factory):
    """A store with the batches `before` and `after` (each with one run without frames), `log`, and `evil` with hostile texts.
    Returns its folder, and the frame times of each run in ns."""
    folder = tmp_path_factory.mktemp("store")
    truth = {}
    for label, every in (("before", 9), ("after", 4)):
        files, truth[label] = [], []
        for i in range(RUNS):
            rows, text = dump(i * 10 + every, every)
            files.append(folder / f"{label}{i}.txt")
            files[-1].write_text(text)
            truth[label].append([made.duration_ns(row) for row in rows])
        files.append(folder / f"{label}-nothing.txt")
        files[-1].write_text(made.dump(made.process("com.example.shop", [])).replace("4242", str(every)))
        run(build, folder, "import", *files, "--label", label, "--device-name", "rack 1", code=4)
    log = folder / "game_2026-01-02_03-04-05.csv"
    log.write_text("fps,frametime\n" + "60,16.67\n30,33.3\n" * 40)
    run(build, folder, "import", log, "--label", "log")
    evil = folder / "evil.csv"
    evil.write_text("fps,frametime\n" + "60,16.67\n" * 40)
    run(build, folder, "import", evil, "--label", EVIL, "--name", "evil", "--package", EVIL)
    return folder, truth


def run(build, folder, *arguments, code=0):
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    result = subprocess.run([build / "dejank", *map(str, arguments), "--store", folder / "s.db"], text=True,
                            capture_output=True, timeout=60, cwd=folder, env={**clean, "LC_ALL": "C.UTF-8"})
    assert result.returncode == code, result.stdout + result.stderr
    return result


@pytest.fixture
def report(build, place):
    def call(*arguments, code=0):
        return run(build, place[0], "report", *arguments, code=code)
    return call


def quantile(values, p):
    values = sorted(values)
    at = (len(values) - 1) * p
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def read_json(report, place, *names):
    report(*names, "-o", "r.json")
    return json.loads((place[0] / "r.json").read_text())["batches"]


# ---- figures ----

def test_figures_are_over_the_runs(report, place):
    batches = read_json(report, place, "before", "after")
    for batch, label in zip(batches, ("before", "after")):
        figures = {figure["metric"]: figure for figure in batch["figures"]}
        for p, metric in ((0.5, "frame_time_p50_ns"), (0.9, "frame_time_p90_ns"), (0.99, "frame_time_p99_ns")):
            values = [quantile(times, p) for times in place[1][label]]
            assert figures[metric]["runs"] == RUNS
            assert figures[metric]["mean"] == pytest.approx(statistics.mean(values), rel=1e-9)
            assert figures[metric]["median"] == pytest.approx(statistics.median(values), rel=1e-9)
            assert figures[metric]["q1"] == pytest.approx(quantile(values, 0.25), rel=1e-9)
            assert figures[metric]["q3"] == pytest.approx(quantile(values, 0.75), rel=1e-9)
            assert (figures[metric]["least"], figures[metric]["most"]) == pytest.approx((min(values), max(values)), rel=1e-9)
        assert figures["frame_rate_hz"]["median"] == pytest.approx(60, rel=1e-3)
        assert [run["metrics"]["frame_time_p50_ns"] for run in batch["runs"] if run["counts"]] == \
            pytest.approx([quantile(times, 0.5) for times in place[1][label]], rel=1e-9)


def test_histogram_contains_all_frames_of_clean_runs(report, place):
    for batch, label in zip(read_json(report, place, "before", "after"), ("before", "after")):
        times = [time for run in place[1][label] for time in run]
        histogram = batch["histogram"]
        assert histogram["of"] == "frame_time" and histogram["frames"] == len(times)
        assert sum(bin[2] for bin in histogram["bins_ms"]) == len(times)
        assert histogram["late"] == sum(time > made.INTERVAL_NS for time in times)
        assert any(bin[0] == pytest.approx(made.INTERVAL_NS / 1e6) for bin in histogram["bins_ms"]), "the deadline is an edge"


def test_only_clean_runs_count_and_others_are_named(report, place):
    [batch] = read_json(report, place, "before")
    assert batch["runs_counted"] == {"clean": RUNS, "disturbed": 0, "failed": 1, "excluded": 0, "planned": None, "warmup": 0}
    [lost] = [run for run in batch["runs"] if not run["counts"]]
    assert lost["outcome"] == "no-frames" and "no frame was drawn" in lost["reason"]
    text = " ".join(report("before").stdout.split())
    assert "5 ok, 1 no frames" in text and "run 6 does not count: no frames: no frame was drawn" in text


def test_another_tools_log_has_no_stage_and_no_jank(report, place):
    [batch] = read_json(report, place, "log")
    assert batch["histogram"]["of"] == "guide_total" and batch["histogram"]["frames"] == 80
    assert batch["stages"] == [] and batch["interval_assumed"]
    metrics = {figure["metric"] for figure in batch["figures"]}
    assert "janky_pct" not in metrics and "guide_total_p50_ns" in metrics


def test_a_batch_is_found_by_id_beginning_or_name(report, place):
    [batch] = read_json(report, place, "after")
    for word in (batch["id"], batch["id"][:6]):
        assert read_json(report, place, word)[0]["id"] == batch["id"]


def test_what_is_a_file_is_a_dump(report, place):
    (place[0] / "before").write_text((place[0] / "before0.txt").read_text())
    try:
        assert "Total frames rendered" in report("before").stdout
    finally:
        (place[0] / "before").unlink()


def test_what_is_neither(report):
    assert report("no-such", code=4).stderr == "dejank report: 'no-such' is neither a file nor a batch in the store\n"
    assert "no-such" in report("before", "no-such", code=4).stderr
    done = report("no-such", "-o", "x.html", code=4)
    assert done.stderr.splitlines() == ["dejank report: 'no-such' is neither a file nor a batch in the store",
                                        "dejank report: nothing to draw: x.html was not written"]


# ---- output formats ----

@pytest.mark.parametrize("columns", [20, 80, 200])
def test_terminal_keeps_its_width(build, place, columns):
    result = subprocess.run([build / "dejank", "report", "before", "after", "log", "--store", "s.db"], text=True, capture_output=True,
                            cwd=place[0], env={**os.environ, "COLUMNS": str(columns), "LC_ALL": "C.UTF-8"}, timeout=60)
    assert result.returncode == 0, result.stderr
    lines, _, commands = result.stdout.partition("next:")
    assert max(len(line) for line in lines.splitlines()) <= columns and "-o report.html --store s.db" in commands, "commands stay whole for copying"
    assert "median" in result.stdout and "mean" in result.stdout


def test_terminal_in_ascii(build, place):
    result = subprocess.run([build / "dejank", "report", "before", "--store", "s.db"], capture_output=True, cwd=place[0],
                            env={**os.environ, "COLUMNS": "80", "LC_ALL": "C"}, timeout=60)
    assert result.stdout.decode("ascii")


def test_csv_has_a_line_for_each_run(report, place):
    report("before", "after", "-o", "r.csv")
    rows = list(csv.DictReader(io.StringIO((place[0] / "r.csv").read_text())))
    assert len(rows) == 2 * (RUNS + 1)
    assert [row["label"] for row in rows] == ["before"] * (RUNS + 1) + ["after"] * (RUNS + 1)
    assert float(rows[0]["frame_time_p50_ns"]) == pytest.approx(quantile(place[1]["before"][0], 0.5), rel=1e-9)
    assert rows[RUNS]["counts"] == "0" and rows[RUNS]["frame_time_p50_ns"] == ""


def test_markdown_has_a_table_of_figures(report, place):
    report("before", "after", "-o", "r.md")
    lines = (place[0] / "r.md").read_text().splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert table[0] == "| figure | batch | median | mean | quartiles |" and len(table) > 8


def test_picture(report, place):
    for _ in range(2):
        report("before", "after", "-o", "r.svg")
        report("before", "after", "-o", "r.png")
    svg = (place[0] / "r.svg").read_text()
    assert "<title>before (" in svg and svg.count("<svg") == 1
    assert (place[0] / "r.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def browse(path, tmp_path, *flags):
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
               "--hide-scrollbars", "--enable-logging=stderr", "--virtual-time-budget=4000",
               f"--user-data-dir={tmp_path / 'profile'}", *flags, path.as_uri()]
    result = subprocess.run(command, capture_output=True, timeout=90)
    assert [line for line in result.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line and "source: chrome" not in line] == []
    return result.stdout.decode(errors="replace")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_page_in_a_browser(report, place, tmp_path):
    report("before", "after", "-o", "r.html")
    dom = browse(place[0] / "r.html", tmp_path, "--dump-dom")
    for heading in ("Janky frames of each run", "Frame times of before", "Frame times of after", "other figures", "stages of a typical frame", "conditions"):
        assert heading in dom, heading
    assert int(re.search(r'data-ready="(\d+)"', dom).group(1)) >= 6
    dots = re.findall(r'<circle class="dot role-(first|second)"', dom)
    assert dots.count("first") == dots.count("second") and dots.count("first") % RUNS == 0 and dots


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_names_cannot_leave_their_place(report, place, tmp_path):
    report("evil", "-o", "r.html")
    dom = browse(place[0] / "r.html", tmp_path, "--dump-dom")
    assert re.search(r"<title>(.*?)</title>", dom, re.S).group(1) != "owned"
    assert "<script>document.title" not in dom
    assert "\x1b" not in report("evil").stdout
    report("evil", "-o", "r.svg")
    assert "<script" not in (place[0] / "r.svg").read_text()
