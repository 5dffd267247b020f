"""dumpsys as a whole: its services and options, visibility and views, 10 000 windows, and access by other users."""

import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from fake_apps import DUMPSYS, FAKE_APP, SECONDS, blocks, device, sections, totals  # noqa: F401 (a fixture)

AS_ROOT = os.geteuid() == 0

SERVICES = "Currently running services:\n  dejank\n  gfxinfo\n  graphicsstats\n"
RULE = "-" * 79 + "\n"


@pytest.mark.parametrize("words, out, err, status", [
    (["-l"], SERVICES, "", 0),
    (["-t", "5", "-l"], SERVICES, "", 0),
    (["window"], "", "Can't find service: window\n", 0),
    (["window", "displays"], "", "Can't find service: window\n", 0),
    ([""], "", "Can't find service: \n", 0),
    (["\033[31m"], "", "Can't find service: \\x1b[31m\n", 0),
    (["--", "gfxinfo", "x"], "No process found for: x\n", "", 0),
    (["-t", "5", "gfxinfo", "x"], "No process found for: x\n", "", 0),
    (["-t", "soon", "gfxinfo"], "", "usage", 255),
    (["-x"], "", "usage", 255),
    (["--skip"], "", "usage", 255),
    (["-l", "gfxinfo"], "", "usage", 255),
    (["-l", "--skip", "gfxinfo"], "", "usage", 255),
    (["--help"], "usage", "", 0),
])
def test_services(device, words, out, err, status):
    """Messages, output streams and exit codes are those of Android."""
    usage = device.run("--help").stdout
    assert usage.startswith("usage: dumpsys\n")
    done = device.run(*words)
    assert (done.stdout, done.stderr, done.returncode) == (
        usage if out == "usage" else out, usage if err == "usage" else err, status)


def footer(name):
    return rf"--------- \d+\.\d{{3}}s was the duration of dumpsys {name}, ending at: \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\n"


def test_all_services(device):
    device.app("com.x", "--frames", 30)
    everything = device.run()
    assert (everything.returncode, everything.stderr) == (0, "")
    text = everything.stdout
    assert text.startswith(SERVICES + RULE + "DUMP OF SERVICE dejank:\ndejank ")
    for name in ("dejank", "gfxinfo", "graphicsstats"):
        assert re.search(rf"^{RULE}DUMP OF SERVICE {name}:\n(?s:.*?)^{footer(name)}", text, re.M)
    assert len(blocks(text)) == 1, "-a is what services are given"
    assert totals(text) == [30, 30, 30]
    fewer = device.run("--skip", "gfxinfo,dejank").stdout
    assert fewer.startswith(SERVICES.replace("gfxinfo", "gfxinfo (skipped)").replace("dejank", "dejank (skipped)"))
    assert totals(fewer) == [30]


VISIBILITIES = {"visible": 0, "invisible": 4, "gone": 8}


@pytest.mark.parametrize("number", VISIBILITIES.values(), ids=VISIBILITIES)
def test_visibility(device, number):
    device.app("com.x", "--visibility", number)
    assert f"\n\tcom.x/main@a0 (visibility={number})\n" in device.gfxinfo("com.x")


def test_view_hierarchy_where_a_toolkit_tells(device):
    device.app("com.x", "--views", 7, "--window", "one", "--window", "two")
    device.app("com.y")
    told, untold = sections(device.gfxinfo())["com.x"], sections(device.gfxinfo())["com.y"]
    assert ("\nView hierarchy:\n\n  com.x/one@a0\n  7 views, 0.00 kB of render nodes\n\n"
            "  com.x/two@a1\n  14 views, 0.00 kB of render nodes\n\n\n"
            "Total ViewRootImpl   : 2\nTotal attached Views : 21\n") in told
    assert "\nNote: memory of views: not recorded\n" in told
    assert "View hierarchy" not in untold
    assert "memory" not in untold
    assert "\nTotal Views:        21\nTotal DisplayList:  0.00 kB\n" in device.gfxinfo("com.x", "--release", "10")


def windows_of(count):
    return [word for number in range(count) for word in ("--window", f"w{number}")]


@pytest.mark.skipif(shutil.disk_usage(tempfile.gettempdir()).free < 2 << 30, reason="needs 1 GiB of disk")
def test_ten_thousand_windows(device):
    """625 processes with the most windows that each can have: all are printed within 64 MiB of address space."""
    app = device.app("com.x", "--frames", 3, "--keep", 120, "--children", 624, *windows_of(16))
    for _ in range(624):
        app.ready()
    limit = 64 << 20

    def dump(*words):
        return device.run(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = dump("gfxinfo")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(sections(done.stdout)) == 625
    assert len(blocks(done.stdout)) == 10000
    assert spent.ru_utime + spent.ru_stime - start.ru_utime - start.ru_stime < SECONDS
    stats = dump("graphicsstats")
    assert (stats.returncode, stats.stderr, totals(stats.stdout)) == (0, "", [30000])


def test_nobody_but_owner_and_root_reads(device):
    """Other users can read neither the dump nor the files, even if they can open the folders above."""
    if not AS_ROOT or not shutil.which("setpriv"):
        pytest.skip("needs root and setpriv, to be another user")
    app = device.app("com.x", "--frames", 30, "--base", time.monotonic_ns())
    device.run("graphicsstats")
    device.folder.chmod(0o755)
    for folder in [device.folder, *device.folder.parents][:-1]:
        if folder.stat().st_uid == 0 and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o055)

    def other(*words, **environment):
        return subprocess.run(["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", *map(str, words)],
                              capture_output=True, text=True, timeout=SECONDS, env={**device.environment, **environment})

    for words in (["gfxinfo", "com.x"], ["gfxinfo", app.pid]):
        done = other(DUMPSYS, *words)
        assert (done.returncode, done.stdout) == (0, f"No process found for: {words[1]}\n")
    assert totals(other(DUMPSYS, "gfxinfo").stdout) == []
    assert totals(other(DUMPSYS, "graphicsstats").stdout) == []
    assert other("cat", app.path).returncode != 0
    assert other("cat", device.state / "dejank/graphicsstats").returncode != 0
    assert totals(device.gfxinfo("com.x")) == [30], "to root it is what it was"


def test_root_reads_everybody_s(device, tmp_path):
    if not AS_ROOT or not shutil.which("setpriv"):
        pytest.skip("needs root and setpriv, to be another user")
    home = Path("/tmp/dejank-12345")
    if home.exists():
        pytest.skip("user 12345 has recordings here")
    environment = {name: value for name, value in device.environment.items() if name not in ("DEJANK_DIR", "XDG_RUNTIME_DIR")}
    app = subprocess.Popen(["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", FAKE_APP, "org.theirs"],
                           env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert app.stdout.readline().startswith("ready")
        done = subprocess.run([DUMPSYS, "gfxinfo", "org.theirs"], env=environment, capture_output=True, text=True,
                              timeout=SECONDS)
        assert (done.returncode, done.stderr, totals(done.stdout)) == (0, "", [10])
    finally:
        app.kill()
        app.wait()
        app.stdin.close()
        app.stdout.close()
        shutil.rmtree(home)
