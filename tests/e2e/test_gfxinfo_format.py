"""docs/format/gfxinfo.md and the programs agree on the lines, columns and histogram labels of every release."""
import json
import re
import subprocess
from pathlib import Path

import pytest

import naive_gfxinfo as naive

PAGE = (Path(__file__).resolve().parents[2] / "docs/format/gfxinfo.md").read_text()
RELEASES = "preview 6.0 7.0 7.1 8 9 10 11 12 12L 13 14 15 16".split()
SWAPPED = ("12", "12L", "13", "14", "15")


def table(title):
    """The rows of the table whose header begins with `title`, as lists of cells. The first row is the header."""
    rows = []
    for line in PAGE[PAGE.index(f"| {title} |"):].splitlines():
        if not line.startswith("|"):
            return rows
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not set("".join(cells)) <= set("-:"):
            rows.append(cells)
    return rows


def covers(head, release):
    """Whether a column headed "7.0 … 8" or "9, 10" includes the release."""
    if "…" in head:
        first, last = (RELEASES.index(one.strip()) for one in head.split("…"))
        return first <= RELEASES.index(release) <= last
    return release in [one.strip() for one in head.split(",")]


def cells_of(rows, release):
    """(first cell, cell of the release) of each row."""
    [at] = [i for i, head in enumerate(rows[0]) if i > 0 and covers(head, release)]
    return [(row[0], row[at]) for row in rows[1:]]


def lines_of(release):
    return [re.match(r"`([^:]*:)", line)[1] for line, printed in cells_of(table("line"), release) if printed == "×"]


def columns_of(release):
    numbered = {int(at): name.strip("`") for name, at in cells_of(table("column"), release) if at.isdigit()}
    assert sorted(numbered) == list(range(len(numbered)))
    return [numbered[at] for at in sorted(numbered)]


def replay(build, release, block, count=1):
    frame = {"Flags": 0, "IntendedVsync": 10**9, "Vsync": 10**9, "SyncQueued": 1005 * 10**6, "SyncStart": 1006 * 10**6,
             "FrameCompleted": 1009 * 10**6, "GpuCompleted": 1009 * 10**6, "FrameInterval": 16666667,
             "FrameDeadline": 1016 * 10**6, "SwapBuffersCompleted": 1009 * 10**6}
    columns = columns_of(release)
    stream = {"release": release, "vsync_ns": 16666667, "sf_offset_ns": 0, "app_offset_ns": 0, "columns": columns,
              "frames": [[frame.get(name, 1006 * 10**6) for name in columns]] * count}
    done = subprocess.run([build / "dejank", "parse", "--release", release, "--replay", "-", "--block", block],
                          input=json.dumps(stream) + "\n", capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("release", RELEASES)
def test_lines_of_the_statistics(build, release):
    printed = replay(build, release, "process")
    assert [re.match("[^:]*:", line)[0] for line in printed.split("\n") if line] == lines_of(release)


@pytest.mark.parametrize("release", RELEASES)
def test_columns_that_are_printed(build, release):
    header = columns_of(release)
    assert str(len(header)) == dict(cells_of(table("column"), release))["*columns*"].strip("*")
    if release in SWAPPED:
        header[10:12] = header[11], header[10]
    printed = replay(build, release, "framestats")
    first, *names, row, last = printed.strip("\n").split("\n")
    assert first == last == "---PROFILEDATA---"
    assert names == ([] if release == "preview" else ["".join(name + "," for name in header)])
    assert re.fullmatch(r"(-?\d+,)+", row) and row.count(",") == len(header)


@pytest.mark.parametrize("release", [*RELEASES, "after 16"])
def test_columns_that_are_read(build, tmp_path, release):
    """Without a header, the number of columns identifies the format."""
    columns = columns_of(release) if release != "after 16" else [
        name.strip("`") for name, *rest in table("column")[1:] if rest[-1].isdigit()]
    dump = tmp_path / "rows.txt"
    dump.write_text("---PROFILEDATA---\n" + "".join("%d," % (10**12 + i) for i in range(len(columns)))
                    + "\n---PROFILEDATA---\n")
    done = subprocess.run([build / "dejank", "parse", "--json", dump], capture_output=True, timeout=30)
    framestats = json.loads(done.stdout)["inputs"][0]["processes"][0]["windows"][0]["framestats"]
    assert sorted(framestats["columns"]) == sorted(columns) and framestats["header_inferred"]
    assert naive.COLUMNS[len(columns)] == columns
    if release not in SWAPPED:  # for swapped columns, the values decide
        assert framestats["columns"] == columns


def test_every_column_is_described():
    described = [row[0].strip("`") for row in table("column | meaning")[1:]]
    assert sorted(described) == sorted(row[0].strip("`") for row in table("column")[1:] if row[0].startswith("`"))


@pytest.mark.parametrize("release", ["7.0", "11", "16"])
def test_labels_of_the_histograms(build, release):
    """The labels are those that the page lists as ranges."""
    frames = [*range(5, 33), *range(34, 49, 2), *range(53, 134, 4), *range(150, 4951, 50)]
    assert "5, 6 … 32 · 34, 36 … 48 · 53, 57 … 133 · 150, 200 … 4950" in PAGE and len(frames) == 154
    printed = dict(line.split(":", 1) for line in replay(build, release, "process").split("\n") if line)
    assert [int(label) for label in re.findall(r"(\d+)ms=", printed["HISTOGRAM"])] == frames
    if release != "7.0":
        assert [int(label) for label in re.findall(r"(\d+)ms=", printed["GPU HISTOGRAM"])] == [*range(1, 26), 4950]
