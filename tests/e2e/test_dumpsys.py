"""dumpsys on segments of programs whose frames are known (tests/programs/fake_app.c)."""
import os
import re
import resource
import signal
import subprocess
import time

import pytest

from fake_apps import DUMPSYS, MARKER, SECONDS, blocks, device, sections, totals  # noqa: F401 (a fixture)

AS_ROOT = os.geteuid() == 0


def test_no_process(device):
    assert device.gfxinfo("com.x") == "No process found for: com.x\n"
    assert device.gfxinfo("4711", "framestats") == "No process found for: 4711\n"
    text = device.gfxinfo()
    assert re.fullmatch(r"Applications Graphics Acceleration Info:\nUptime: \d+ Realtime: \d+\n", text)


def test_clocks(device):
    before = (time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.clock_gettime_ns(time.CLOCK_BOOTTIME))
    uptime, realtime = map(int, re.search(r"Uptime: (\d+) Realtime: (\d+)", device.gfxinfo()).groups())
    after = (time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.clock_gettime_ns(time.CLOCK_BOOTTIME))
    assert before[0] // 10**6 <= uptime <= after[0] // 10**6
    assert before[1] // 10**6 <= realtime <= after[1] // 10**6


def test_aggregates_of_a_live_app(device):
    app = device.app("com.x", "--frames", 100, "--janky", 20)
    text = device.gfxinfo("com.x")
    assert f"\n** Graphics info for pid {app.pid} [com.x] **\n" in text
    assert totals(text) == [100]
    assert "\nJanky frames: 5 (5.00%)\n" in text
    assert "\n50th percentile: 7ms\n90th percentile: 7ms\n95th percentile: 38ms\n" in text
    assert "\nPipeline=OpenGL (GLX)\n" in text
    assert "\n\tcom.x/main@a0 (visibility=0)\n" in text
    assert MARKER not in text
    assert "process has ended" not in text
    app.order("frames 50")
    assert totals(device.gfxinfo("com.x")) == [150]
    assert totals(device.gfxinfo(app.pid)) == [150]


def test_framestats(device):
    app = device.app("com.x", "--frames", 10, "--window", "one", "--window", "two")
    text = device.gfxinfo("com.x", "framestats")
    assert totals(text) == [20, 10, 10]
    assert re.findall(r"^Window: (.*)$", text, re.M) == ["com.x/one", "com.x/two"]
    for rows in blocks(text):
        assert [row["IntendedVsync"] for row in rows] == [10**12 + i * 50 * 10**6 for i in range(10)]
        assert all(row["FrameCompleted"] - row["IntendedVsync"] == 8 * 10**6 for row in rows)
        assert all(len(row) == 17 for row in rows)
    assert "Note: not recorded: OldestInputEvent, NewestInputEvent, HandleInputStart, " in text
    app.order("frames 200")
    rows = blocks(device.gfxinfo("com.x", "framestats"))[0]
    assert len(rows) == 120
    assert rows[-1]["IntendedVsync"] == 10**12 + 209 * 50 * 10**6


def test_since_prints_every_row_from_then_on(device):
    device.app("com.x", "--frames", 300)
    every = blocks(device.gfxinfo("com.x", "framestats", "since=0"))[0]
    assert len(every) == 300
    stamp = every[150]["FrameCompleted"]
    assert blocks(device.gfxinfo("com.x", "framestats", f"since={stamp}"))[0] == every[150:]
    assert blocks(device.gfxinfo("com.x", "framestats", f"since={stamp + 1}"))[0] == every[151:]
    assert "\nNote: rows kept: 4096\n" in device.gfxinfo("com.x", "since=0")
    text = device.gfxinfo("com.x", "framestats", "since=soon")
    assert len(blocks(text)[0]) == 120
    assert "rows kept" not in text


def test_a_section_beyond_the_maximum_says_so(device):
    windows = [word for number in range(8) for word in ("--window", f"w{number}")]
    device.app("com.x", "--frames", 65536, "--keep", 65536, *windows)
    done = device.run("gfxinfo", "com.x", "framestats", "reset", "since=0")
    assert done.returncode == 1
    assert done.stderr == "dumpsys: the text is longer than the limit of 67108864 bytes and is not printed\n"
    assert "** Graphics info" not in done.stdout
    assert totals(device.gfxinfo("com.x"))[0] == 8 * 65536, "what could not be printed was not cleared"


def test_when_framestats_are_printed(device):
    device.app("com.x")
    assert len(blocks(device.gfxinfo())) == 1
    assert len(blocks(device.gfxinfo("-a"))) == 1
    assert len(blocks(device.gfxinfo("com.x", "-a"))) == 1
    assert len(blocks(device.gfxinfo("com.x", "nonsense", "framestats", "--more"))) == 1
    assert blocks(device.gfxinfo("com.x")) == []
    assert blocks(device.gfxinfo("--nonsense")) == []
    assert device.gfxinfo("framestats") == "No process found for: framestats\n"


@pytest.mark.parametrize("state", ["running", "stopped", "ended"])
def test_reset(device, state):
    app = device.app("com.x", "--frames", 30)
    if state == "stopped":
        app.stop()
    if state == "ended":
        app.end()
    assert totals(device.gfxinfo("com.x", "reset")) == [30], "printed first, then cleared"
    text = device.gfxinfo("com.x", "framestats")
    assert totals(text) == [0, 0]
    assert blocks(text) == [[]]
    since = int(re.search(r"Stats since: (\d+)ns", text).group(1))
    assert time.clock_gettime_ns(time.CLOCK_MONOTONIC) - SECONDS * 10**9 < since
    if state == "stopped":
        os.kill(app.pid, signal.SIGCONT)
    if state != "ended":
        app.order("frames 5")
        assert totals(device.gfxinfo("com.x", "framestats")) == [5, 5]


def test_reset_dropped_by_a_later_bugreport_word(device):
    device.app("com.x", "--frames", 30)
    device.gfxinfo("com.x", "reset", "-a")
    assert totals(device.gfxinfo("com.x")) == [30]
    device.gfxinfo("com.x", "-a", "reset")
    assert totals(device.gfxinfo("com.x")) == [0]


def test_reset_keeps_what_could_not_be_printed(device):
    device.app("com.x", "--frames", 30)
    with open("/dev/full", "w") as full:
        done = subprocess.run([DUMPSYS, "gfxinfo", "com.x", "reset"], stdout=full, timeout=SECONDS,
                              stderr=subprocess.PIPE, text=True, env=device.environment)
    assert done.returncode == 1
    assert done.stderr == "dumpsys: cannot write the dump: No space left on device\n"
    assert totals(device.gfxinfo("com.x")) == [30]


def test_a_stopped_app_is_dumped_at_once(device):
    app = device.app("com.x", "--frames", 30)
    app.stop()
    start = time.monotonic()
    text = device.gfxinfo("com.x", "framestats")
    assert time.monotonic() - start < 5
    assert totals(text) == [30, 30]
    assert "process has ended" not in text


def test_an_ended_app(device):
    device.app("com.x", "--frames", 30).end()
    text = device.gfxinfo("com.x", "framestats")
    assert totals(text) == [30, 30]
    assert text.endswith("Note: process has ended\n")


def test_killed_in_mid_frame(device):
    device.app("com.x", "--frames", 30).kill_in_mid_frame()
    text = device.gfxinfo("com.x", "framestats")
    assert totals(text) == [30, 30]
    assert len(blocks(text)[0]) == 30
    assert text.endswith("Note: process has ended\n")


def test_of_ended_ones_only_the_newest(device):
    for frames in (10, 30, 20):
        device.app("com.x", "--frames", frames, "--base", 10**9).end()
    assert totals(device.gfxinfo("com.x")) == [20]
    assert totals(device.gfxinfo("--")) == [20]
    device.app("com.x", "--frames", 5)
    device.app("com.x", "--frames", 6, "--base", 4 * 10**15)
    assert totals(device.gfxinfo("com.x")) == [6, 5], "all that live, most recently used first"


def test_order_of_processes(device):
    device.app("old", "--base", 10**12)
    device.app("dead", "--base", 9 * 10**15).end()
    device.app("new", "--base", 10**15)
    assert list(sections(device.gfxinfo())) == ["new", "old", "dead"]


def test_program_and_children(device):
    app = device.app("org.app", "--program", "binary", "--children", 2)
    assert [app.ready()[0] > 0 for _ in range(2)] == [True, True]
    assert list(sections(device.gfxinfo("org.app"))) == ["org.app"]
    assert list(sections(device.gfxinfo("org.app:1"))) == ["org.app:1"]
    assert sorted(sections(device.gfxinfo("binary"))) == ["org.app", "org.app:1", "org.app:2"]
    app.path.unlink()
    assert sorted(sections(device.gfxinfo("org.app"))) == ["org.app:1", "org.app:2"]


NAMES = ["two words", "it's", 'say "hi"', "semi;colon", "$(touch planted)", "grüße-日本", "a/b", "*", "100%d"]


@pytest.mark.parametrize("name", NAMES)
def test_names(device, name):
    device.app(name, "--window", name)
    text = device.gfxinfo(name, "framestats")
    assert list(sections(text)) == [name]
    assert f"\n\t{name}/{name}@a0 (visibility=0)\n" in text
    assert f"\nWindow: {name}/{name}\n" in text


@pytest.mark.parametrize("name, printed", [("a\nb", "a\\x0ab"), ("\033[31m", "\\x1b[31m"), ("\u009b1m", "\\xc2\\x9b1m")])
def test_names_cannot_forge_lines_or_steer_terminals(device, name, printed):
    device.app(name, "--window", name, "--disabled", name)
    text = device.gfxinfo(name)
    assert list(sections(text)) == [printed]
    assert f"\nNote: recording stopped: {printed}\n" in text
    assert "\033" not in text


def simple_rows(text):
    table = re.search(r"\tDraw\tPrepare\tProcess\tExecute\n((?:\t[\d.]+\t[\d.]+\t[\d.]+\t[\d.]+\n)*)", text)
    return None if table is None else table.group(1).split("\n")[:-1]


def test_simple_dump(device):
    app = device.app("com.x", "--frames", 3, "--janky", 3)
    assert simple_rows(device.gfxinfo("com.x")) is None
    assert device.run("dejank", "profile", "on", "com.x").returncode == 0
    assert simple_rows(device.gfxinfo("com.x")) == [
        "\t4.00\t1.00\t1.00\t1.00", "\t4.00\t1.00\t1.00\t1.00", "\t36.00\t1.00\t1.00\t1.00"]
    assert simple_rows(device.gfxinfo("com.x")) == [], "rows are consumed"
    app.order("frames 2")
    assert len(simple_rows(device.gfxinfo("com.x", "framestats"))) == 2
    app.order("frames 300")
    assert len(simple_rows(device.gfxinfo("com.x"))) == 120
    assert device.run("dejank", "profile", "off", app.pid).returncode == 0
    assert simple_rows(device.gfxinfo("com.x")) is None


def test_simple_dump_from_the_start(device):
    device.app("com.x", "--frames", 7, "--profile", 1)
    assert len(simple_rows(device.gfxinfo("com.x"))) == 7


def test_simple_dump_keeps_what_could_not_be_printed(device):
    device.app("com.x", "--frames", 7, "--profile", 1)
    with open("/dev/full", "w") as full:
        assert subprocess.run([DUMPSYS, "gfxinfo", "com.x"], stdout=full, stderr=subprocess.DEVNULL,
                              env=device.environment, timeout=SECONDS).returncode == 1
    assert len(simple_rows(device.gfxinfo("com.x"))) == 7


def test_service_dejank_clock(device):
    before = time.monotonic_ns()
    done = subprocess.run([DUMPSYS, "dejank", "clock"], input="\n\nrest", capture_output=True, text=True,
                          env=device.environment, timeout=SECONDS)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, [line[0] for line in lines]) == (0, "", ["clock", "clock"])
    stamps = [before, *(int(line[1]) for line in lines), time.monotonic_ns()]
    assert stamps == sorted(stamps)
    slept = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
    assert all(abs(int(line[2]) - int(line[1]) - slept) < 10**9 for line in lines)


def test_service_dejank(device):
    version = device.run("dejank", "version")
    assert (version.returncode, version.stderr) == (0, "")
    assert re.fullmatch(r"dejank \d+\.\d+\.\d+\n", version.stdout)
    missing = device.run("dejank", "profile", "on", "com.x")
    assert (missing.returncode, missing.stdout) == (4, "")
    assert missing.stderr == "dumpsys: No process found for: com.x\n"
    for words in (["profile"], ["profile", "on"], ["profile", "maybe", "com.x"], ["nonsense"]):
        wrong = device.run("dejank", *words)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert "expected: dumpsys dejank" in wrong.stderr


def edit(path, offset, data):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(data)


def spoil_truncated(path):
    os.truncate(path, 5000)


def spoil_version(path):
    edit(path, 12, (9).to_bytes(4, "little"))


def spoil_garbage(path):
    path.write_bytes(b"\x00\xffgarbage\n" * 1000)


def spoil_fields(path):
    edit(path, 28, (5000).to_bytes(4, "little"))


def spoil_release(path):
    with open(path, "r+b") as file:
        at = file.read(4096).index(b"11\0\0")
    edit(path, at, b"99")


def spoil_link(path):
    moved = path.with_name("moved")
    path.rename(moved)
    path.symlink_to(moved)


def spoil_pipe(path):
    path.unlink()
    os.mkfifo(path)


def spoil_folder(path):
    path.unlink()
    path.mkdir()


def spoil_owner(path):
    os.chown(path, 12345, 12345)


SPOILED = [
    (spoil_truncated, r"byte 5000: the file ends here: expected \d+ bytes"),
    (spoil_version, r"byte 12: segment version 9: expected \d+"),
    (spoil_garbage, r"byte 0: not a segment: expected the bytes DEJANK\\r\\n"),
    (spoil_fields, r"byte \d+: window_bytes is \d+: expected \d+ for 5000 rows"),
    (spoil_release, r"byte \d+: this version of dejank does not know release '99'"),
    (spoil_link, r"expected a regular file, found a link"),
    (spoil_pipe, r"expected a regular file"),
    (spoil_folder, r"expected a regular file|Is a directory"),
    pytest.param(spoil_owner, r"expected owner 0, found 12345",
                 marks=pytest.mark.skipif(not AS_ROOT, reason="needs root")),
]


@pytest.mark.parametrize("spoil, said", SPOILED)
def test_a_bad_segment_is_one_line_and_the_others_print(device, spoil, said):
    good = device.app("good", "--frames", 12)
    bad = device.app("bad")
    spoil(bad.path)
    for words in ([], ["good"]):
        done = device.run("gfxinfo", *words)
        assert done.returncode == 0
        assert totals(done.stdout)[0] == 12
        assert list(sections(done.stdout)) == ["good"]
        if words == [] or spoil is not spoil_release:
            assert re.fullmatch(f"dumpsys: {re.escape(str(bad.path))}: (?:{said})\n", done.stderr)
    assert good.process.poll() is None
    bad.process.kill()  # its mapped segment may be truncated


def test_a_place_others_can_write_to_is_not_read(device):
    device.app("com.x")
    device.folder.chmod(0o777)
    assert device.gfxinfo("com.x") == "No process found for: com.x\n"


def test_reading_does_not_disturb(device):
    """A dump does not change the segment of an app."""
    app = device.app("com.x", "--frames", 100)
    app.stop()
    before = app.path.read_bytes()
    device.gfxinfo("com.x", "framestats")
    device.gfxinfo()
    assert app.path.read_bytes() == before


def test_cost(device):
    """A dump of one process with 16 windows is quick and needs little memory, so that it does not disturb the measurement."""
    windows = [word for i in range(16) for word in ("--window", f"w{i}")]
    device.app("com.x", "--frames", 200, *windows)
    start = time.monotonic()
    text = device.gfxinfo("com.x", "framestats")
    assert time.monotonic() - start < 2
    assert [len(rows) for rows in blocks(text)] == [120] * 16
    limit = 64 << 20
    done = device.run("gfxinfo", "com.x", "framestats",
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert (done.returncode, totals(done.stdout)) == (0, totals(text))
