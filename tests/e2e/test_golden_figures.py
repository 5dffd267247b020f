"""Figures stay the same: a store and a segment that an earlier dejank wrote (tests/data/figures/store.db.xz, segment.xz) give the
answers in tests/data/figures. DEJANK_BLESS=1 writes the answers again, never the store and the segment."""
import lzma
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

FIGURES = Path(__file__).resolve().parents[1] / "data/figures"
BOOT_ID_AT, BOOT_ID_BYTES, CREATED_WALL_AT = 64, 40, 728  # docs/format/segment.md
DAY_MS = 24 * 3600 * 1000
QUESTIONS = {
    "list.json": ("dejank", "list", "--json"),
    "show-before.json": ("dejank", "show", "before", "--json"),
    "show-play.json": ("dejank", "show", "play", "--json"),
    "compare.json": ("dejank", "compare", "logs-before", "logs-after", "--json"),
    "compare-batches.json": ("dejank", "compare", "before", "after", "--json"),
    "history.json": ("dejank", "history", "--json"),
    "report.csv": ("dejank", "report", "before", "after", "-o", "answer.csv"),
    "report.json": ("dejank", "report", "before", "after", "-o", "answer.json"),
    "gate.json": ("dejank", "gate", "logs-after", "--project", "com.example.game", "--baseline", "logs-before", "--json"),
    "dumpsys.txt": ("dumpsys", "gfxinfo", "com.example.app"),
    "dumpsys-framestats.txt": ("dumpsys", "gfxinfo", "com.example.app", "framestats"),
    "dumpsys-graphicsstats.txt": ("dumpsys", "graphicsstats"),
}


@pytest.fixture
def old_files(tmp_path):
    """A folder with the store and, in `segments`, the segment. Also the number of days added to the start time of the segment.

    The segment looks as if its program had run since this machine started, because graphicsstats drops old days."""
    (tmp_path / "store.db").write_bytes(lzma.decompress((FIGURES / "store.db.xz").read_bytes()))
    segment = bytearray(lzma.decompress((FIGURES / "segment.xz").read_bytes()))
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip().encode()
    segment[BOOT_ID_AT:BOOT_ID_AT + BOOT_ID_BYTES] = boot_id.ljust(BOOT_ID_BYTES, b"\0")
    created_ns = int.from_bytes(segment[CREATED_WALL_AT:CREATED_WALL_AT + 8], "little")
    days = (time.time_ns() - created_ns) // (DAY_MS * 10**6)
    segment[CREATED_WALL_AT:CREATED_WALL_AT + 8] = (created_ns + days * DAY_MS * 10**6).to_bytes(8, "little")
    (tmp_path / "segments").mkdir(mode=0o700)
    path = tmp_path / "segments/4194000.1"  # no process has this pid and started in the first tick
    path.write_bytes(segment)
    path.chmod(0o600)
    return tmp_path, days


def ask(build, old_files, program, *words):
    folder, days = old_files
    store = ("--store", "store.db") if program == "dejank" else ()
    done = subprocess.run([build / program, *words, *store], cwd=folder, capture_output=True, text=True, timeout=60, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "DEJANK_DIR": str(folder / "segments"), "XDG_STATE_HOME": str(folder / "state")})
    assert done.returncode in (0, 1, 6), done.stderr
    written = [path.read_text() for path in sorted(folder.glob("answer.*"))]
    answer = re.sub(r"^Uptime: .*\n", "", "".join(written) or done.stdout, flags=re.M)
    if words[0] == "graphicsstats":
        answer = re.sub(r"^(Stats (?:since|end): )(\d+)", lambda line: f"{line[1]}{int(line[2]) - days * DAY_MS}", answer, flags=re.M)
    answer = re.sub(r'"git":"[^"]*"', '"git":""', answer)  # Removes the reason why git finds no repository here.
    return re.sub(r'"age_ms":\d+', '"age_ms":0', answer)  # Removes the time since the store was written.


@pytest.mark.parametrize("name", QUESTIONS)
def test_figures_are_those_of_the_commit_that_wrote_them(build, old_files, name):
    answer = ask(build, old_files, *QUESTIONS[name])
    if os.environ.get("DEJANK_BLESS") == "1":
        (FIGURES / name).write_text(answer)
    assert answer == (FIGURES / name).read_text(), "where that is meant: DEJANK_BLESS=1"


def test_a_changed_figure_is_found(build, old_files):
    """The comparison can fail: it finds a frame time in the store that changed by one nanosecond."""
    subprocess.run(["python3", "-c", "import sqlite3; d = sqlite3.connect('store.db'); "
                    "d.execute('UPDATE metrics SET frame_time_p95_ns = frame_time_p95_ns + 1 WHERE window_id = 1'); d.commit()"],
                   cwd=old_files[0], check=True)
    assert ask(build, old_files, *QUESTIONS["show-before.json"]) != (FIGURES / "show-before.json").read_text()
