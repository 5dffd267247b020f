"""`dejank report -o`: all formats by suffix, with one input and with several, and errors."""

import csv
import json
import os
import re
import stat
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import made_dumps as made

EVIL = "we<b>ird</b> \"q\" `c` |p| 's'; $(rm) </script>\u202e Größe 漢字"
NOTES = ("frame interval: 16666667ns",)
DRAWN = ("html", "svg", "png", "md")
DATA = ("json", "csv")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def report(build, tmp_path):
    def run(*arguments, text=None):
        return subprocess.run([build / "dejank", "report", *map(str, arguments)], input=text, text=True,
                              capture_output=True, timeout=120, cwd=tmp_path, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return run


@pytest.fixture
def parse(build, tmp_path):
    def run(*arguments):
        return subprocess.run([build / "dejank", "parse", *map(str, arguments)], text=True, capture_output=True,
                              timeout=120, cwd=tmp_path).stdout
    return run


def write_dump(path, rows, name="com.example.app", window="Main"):
    path.write_text(made.dump(made.process(name, [(window, rows)], notes=NOTES)), encoding="utf-8")
    return path.name


def written(result, path):
    """Checks that the report was written, and returns its bytes."""
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    assert f"wrote {path.name}" in result.stderr
    return path.read_bytes()


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and data[-8:-4] == b"IEND"
    return struct.unpack(">II", data[16:24])


def svg_title(data):
    root = ElementTree.fromstring(data)
    assert root.tag == SVG + "svg"
    return root, root.find(SVG + "title").text


# ---- one input ----

def test_svg_is_well_formed_and_says_its_verdict(report, tmp_path):
    source = write_dump(tmp_path / "dump.txt", made.frames(120), name=EVIL, window=EVIL)
    root, title = svg_title(written(report(source, "-o", "out.svg"), tmp_path / "out.svg"))
    assert title.endswith(": JANKY: 13 of 120 frames janky (10.83 %)")
    assert EVIL.split("\u202e")[0] in title and "\u202e" not in title
    assert root.get("width") == "1200px"
    assert len(root.findall(f".//{SVG}path")) > 100
    assert not root.findall(f".//{SVG}script") and not root.findall(f".//{SVG}image")


def test_png_has_the_picture_s_colours(report, tmp_path):
    from test_report import color, pixels
    source = write_dump(tmp_path / "dump.txt", made.frames(120, freeze_at=60))
    data = written(report(source, "-o", "out.png"), tmp_path / "out.png")
    width, height = png_size(data)
    assert width == 2400 and 1500 < height < 5000
    seen = pixels(tmp_path / "out.png")
    for one in ("#0072b2", "#d55e00", "#e69f00", "#56b4e9", "#b00020", "#16181d"):  # the colours of the page
        assert seen.get(color(one), 0) > 100, one
    assert max(seen, key=seen.get) in (color("#ffffff"), color("#f5f6f8"))


@pytest.mark.parametrize("suffix", DRAWN + DATA)
def test_the_same_input_gives_the_same_bytes(report, tmp_path, suffix):
    source = write_dump(tmp_path / "dump.txt", made.frames(30, seed=4))
    first = written(report(source, "-o", f"a.{suffix}"), tmp_path / f"a.{suffix}")
    assert first and first == written(report(source, "-o", f"b.{suffix}"), tmp_path / f"b.{suffix}")


@pytest.mark.parametrize("count", [1, 2, 121, 20000])
@pytest.mark.parametrize("suffix", ["svg", "png", "md"])
def test_any_number_of_frames_is_drawn(report, tmp_path, suffix, count):
    source = write_dump(tmp_path / "dump.txt", made.frames(count))
    assert len(written(report(source, "-o", f"out.{suffix}"), tmp_path / f"out.{suffix}")) < 2_000_000


def test_markdown_has_its_parts(report, tmp_path):
    rows = made.frames(120, freeze_at=60)
    source = write_dump(tmp_path / "dump.txt", rows, name=EVIL)
    text = written(report(source, "-o", "out.md"), tmp_path / "out.md").decode()
    janky = sum(made.duration_ns(row) > made.INTERVAL_NS for row in rows)
    head, verdict = text.splitlines()[0], text.splitlines()[2]
    assert head.startswith(r"## we\<b\>ird") and head.endswith(" — Main") and r"\|p\|" in head
    assert verdict == f"**JANKY: {janky} of 120 frames janky (11.67 %)**"
    assert f"| Janky frames | {janky} (11.67%) | {janky} (11.67%) |" in text
    fence = re.search(r"```text\n(.*?)```", text, re.S)[1]
    assert "deadline 16.67 ms" in fence and max(map(len, fence.splitlines())) <= 80
    assert sum(int(count) for count in re.findall(r"^ *[\d.]+-[\d.]* +(\d+)", fence, re.M)) == 120
    assert re.search(r"^\| 61 \| .* \| Issue commands 50\d\.\d\d\xa0ms \| janky \|$", text, re.M)
    assert re.search(r"^\* .*: \d+ of \d+ frames over ", text, re.M)
    assert "* Android 11 is inferred" in text


def test_data_is_what_parse_prints(report, parse, tmp_path):
    source = write_dump(tmp_path / "dump.txt", made.frames(20))
    assert written(report(source, "-o", "out.json"), tmp_path / "out.json").decode() == parse("--json", "--rows", source)
    assert written(report(source, "-o", "out.csv"), tmp_path / "out.csv").decode() == parse("--csv", source)


# ---- several inputs ----

def test_several_inputs_stand_in_one_report(report, parse, tmp_path):
    sources = [write_dump(tmp_path / "a.txt", made.frames(20), name="first.app"),
               write_dump(tmp_path / "b.txt", made.frames(30, seed=2), name="second.app")]
    _, title = svg_title(written(report(*sources, "-o", "out.svg"), tmp_path / "out.svg"))
    assert [line.split(" ")[0] for line in title.splitlines()] == ["first.app", "second.app"]
    one = png_size(written(report(sources[0], "-o", "one.png"), tmp_path / "one.png"))[1]
    both = png_size(written(report(*sources, "-o", "both.png"), tmp_path / "both.png"))[1]
    assert both > 1.7 * one
    text = written(report(*sources, "-o", "out.md"), tmp_path / "out.md").decode()
    assert re.findall(r"^## (\S+) — ", text, re.M) == ["first.app", "second.app"]
    assert " · a.txt\n" in text and " · b.txt\n" in text
    page = written(report(*sources, "-o", "out.html"), tmp_path / "out.html").decode()
    data = json.loads(re.search(r'<script[^>]*id="report-data"[^>]*>(.*?)</script>', page, re.S)[1])
    assert [(view["source"], view["process"]) for view in data["views"]] == [
        ("a.txt", "first.app"), ("b.txt", "second.app")]
    everything = json.loads(written(report(*sources, "-o", "out.json"), tmp_path / "out.json"))
    assert [one["source"] for one in everything["inputs"]] == sources
    rows = list(csv.DictReader(written(report(*sources, "-o", "out.csv"), tmp_path / "out.csv").decode().splitlines()))
    assert len(rows) == 50 and {row["source"] for row in rows} == set(sources)


@pytest.mark.parametrize("suffix", ["html", "svg", "png", "md"])
def test_where_there_is_nothing_to_draw_no_file_is_written(report, tmp_path, suffix):
    (tmp_path / "none.txt").write_text("Applications Graphics Acceleration Info:\nNo process found for: com.example\n")
    result = report("none.txt", "-o", f"none.{suffix}")
    assert result.returncode == 4
    assert "none.txt:2: " in result.stderr and "(byte 41)" in result.stderr
    assert f"nothing to draw: none.{suffix} was not written" in result.stderr
    assert not (tmp_path / f"none.{suffix}").exists()


def test_a_broken_input_does_not_cost_the_others(report, tmp_path):
    source = write_dump(tmp_path / "good.txt", made.frames(20))
    (tmp_path / "bad.txt").write_text("hello\n")
    result = report("bad.txt", source, "missing.txt", "-o", "out.md")
    assert result.returncode == 4
    assert "bad.txt: " in result.stderr and "missing.txt" in result.stderr and "wrote out.md" in result.stderr
    assert "## com.example.app — Main" in (tmp_path / "out.md").read_text()


# ---- other contents of dumps ----

GRAPHICSSTATS = ("Package: com.example.shop\nVersion: 35\nStats since: 1743864382378ns\nStats end: 1743877537475ns\n"
                 "Total frames rendered: 200\nJanky frames: 50 (25.00%)\n50th percentile: 20ms\n90th percentile: 20ms\n"
                 "95th percentile: 20ms\n99th percentile: 20ms\nNumber Missed Vsync: 1\nNumber High input latency: 2\n"
                 "Number Slow UI thread: 3\nNumber Slow bitmap uploads: 4\nNumber Slow issue draw commands: 5\n"
                 "Number Frame deadline missed: 6\nHISTOGRAM:"
                 + "".join(" %dms=%d" % (label, 200 if label == 20 else 0) for label in made.LABELS) + "\n\n")


@pytest.mark.parametrize("suffix", DRAWN)
def test_graphicsstats_are_drawn(report, tmp_path, suffix):
    (tmp_path / "stats.txt").write_text(GRAPHICSSTATS)
    data = written(report("stats.txt", "-o", f"out.{suffix}"), tmp_path / f"out.{suffix}")
    if suffix == "png":
        assert png_size(data)[0] == 2400
    else:
        text = svg_title(data)[1] if suffix == "svg" else data.decode()
        assert "com.example.shop" in text
        assert "graphicsstats of version 35, from 2025-04-05 14:46 UTC to 2025-04-05 18:25 UTC" in text
    if suffix == "md":
        assert "**JANKY: 50 of 200 frames janky (25.00 %)**" in text
        assert "Stats since" not in text


# ---- no frames ----

@pytest.mark.parametrize("suffix", DRAWN)
def test_a_process_without_frames_is_drawn_as_that(report, tmp_path, suffix):
    target = tmp_path / f"out.{suffix}"
    result = report("-", "-o", target.name, text=made.dump(made.process("p", [("w", [])])))
    assert result.returncode == 4
    assert "no frame was drawn" in result.stderr and "wrote" in result.stderr
    if suffix == "svg":
        assert "NO FRAMES: no frame was drawn" in svg_title(target.read_bytes())[1]
    elif suffix != "png":
        assert "NO FRAMES: no frame was drawn" in target.read_text()
        assert "So the smoothness of the app is unknown." in target.read_text()
        assert suffix != "md" or "%" not in target.read_text()


@pytest.mark.parametrize("suffix", DRAWN)
def test_where_there_is_nothing_to_draw_nothing_is_written(report, tmp_path, suffix):
    result = report("-", "-o", f"out.{suffix}", text="No process found for: com.example\n")
    assert result.returncode == 4
    assert "com.example" in result.stderr and "wrote" not in result.stderr
    assert not (tmp_path / f"out.{suffix}").exists()


@pytest.mark.parametrize("suffix", DATA)
def test_data_of_nothing_is_written_too(report, tmp_path, suffix):
    result = report("-", "-o", f"out.{suffix}", text="No process found for: com.example\n")
    assert result.returncode == 4
    text = (tmp_path / f"out.{suffix}").read_text()
    if suffix == "json":
        assert [one["outcome"] for one in json.loads(text)["inputs"]] == ["no-process"]
    else:
        assert text.startswith("source,pid,process,window,") and text.count("\n") == 1


# ---- errors ----

def test_an_unknown_suffix_lists_what_there_is(report, tmp_path):
    source = write_dump(tmp_path / "dump.txt", made.frames(3))
    for name in ("out.pdf", "out", ".png", "png"):
        result = report(source, "-o", name)
        assert result.returncode == 2, name
        assert all(suffix in result.stderr for suffix in (".html", ".svg", ".png", ".md", ".json", ".csv"))
        assert not (tmp_path / name).exists()


def test_suffixes_are_known_in_capitals(report, tmp_path):
    source = write_dump(tmp_path / "dump.txt", made.frames(3))
    assert written(report(source, "-o", "OUT.MD"), tmp_path / "OUT.MD").startswith(b"## ")


def test_no_input_is_bad_usage(report):
    result = report("-o", "out.svg")
    assert result.returncode == 2 and "dejank report --help" in result.stderr


@pytest.mark.parametrize("suffix", DRAWN + DATA)
def test_what_cannot_be_written_is_said_and_nothing_is_left(report, tmp_path, suffix):
    source = write_dump(tmp_path / "dump.txt", made.frames(3))
    result = report(source, "-o", f"missing/out.{suffix}")
    assert result.returncode == 4
    assert f"cannot write missing/out.{suffix}: No such file or directory" in result.stderr
    (tmp_path / f"folder.{suffix}").mkdir()
    assert report(source, "-o", f"folder.{suffix}").returncode == 4
    full = Path("/dev/full")
    if full.exists() and stat.S_ISCHR(full.stat().st_mode):
        (tmp_path / f"full.{suffix}").symlink_to(full)
        result = report(source, "-o", f"full.{suffix}")
        assert result.returncode in (2, 4)  # 2: this build cannot draw the format
        assert "No space left on device" in result.stderr or "make deps" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("out")) == []


# ---- real dumps ----

@pytest.mark.parametrize("suffix", DRAWN + DATA)
def test_every_real_dump_is_drawn(report, tmp_path, suffix):
    corpus = os.environ.get("DEJANK_CORPUS")
    if not corpus:
        pytest.skip("DEJANK_CORPUS is not set")
    sources = sorted((Path(corpus) / "gfxinfo").glob("*.txt"))
    assert sources
    result = report(*sources, "-o", f"out.{suffix}")
    assert result.returncode in (0, 4) and "wrote" in result.stderr
    data = (tmp_path / f"out.{suffix}").read_bytes()
    if suffix == "svg":
        assert len(svg_title(data)[1].splitlines()) >= len(sources) - 3
    elif suffix == "png":
        assert png_size(data)[1] <= 16000
