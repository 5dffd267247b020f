"""dumpsys as users call it: `adb shell dumpsys …` with the real adb and adbd.

$DEJANK_ADBS may name more adb programs, separated by colons. Each of them uses its own server."""

import os
import re
import shlex
import shutil
import time

import pytest

import fake_apps
from fake_apps import blocks, sections, totals

ADBS = ["adb", *filter(None, os.environ.get("DEJANK_ADBS", "").split(":"))]


class Shell:
    """A device with fake apps, and an adb program that is connected to it."""

    def __init__(self, host, device, adb):
        self.host, self.adb = host, adb
        self.apps = fake_apps.Device(host.segments)
        self.serial = device.serial
        host.run(adb, "kill-server")
        assert "connected" in host.run(adb, "connect", device.serial).stdout

    def run(self, *words):
        """Runs dumpsys. Quotes each word, because adb joins its words with spaces."""
        return self.host.run(self.adb, "-s", self.serial, "shell", "dumpsys", *map(shlex.quote, map(str, words)))

    def close(self):
        self.apps.close()
        self.host.run(self.adb, "kill-server")


@pytest.fixture(params=ADBS)
def shell(request, host, adbd):
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    made = Shell(host, adbd(), request.param)
    yield made
    made.close()


def without_clock(text):
    return re.sub(r"^Uptime: .*$", "", text, flags=re.M)


def test_the_guide_s_command(shell):
    windows = [word for number in range(16) for word in ("--window", f"w{number}")]
    shell.apps.app("com.x", "--frames", 200, "--views", 3, *windows)
    done = shell.run("gfxinfo", "com.x", "framestats")
    assert (done.returncode, done.stderr) == (0, "")
    assert [len(rows) for rows in blocks(done.stdout)] == [120] * 16
    assert totals(done.stdout)[0] == 3200
    assert without_clock(done.stdout) == without_clock(shell.apps.gfxinfo("com.x", "framestats"))


ANSWERS = [
    (["-l"], "Currently running services:\n  dejank\n  gfxinfo\n  graphicsstats\n", "", 0),
    (["window"], "", "Can't find service: window\n", 0),
    (["gfxinfo", "com.nobody"], "No process found for: com.nobody\n", "", 0),
    (["graphicsstats"], "", "", 0),
    (["gfxinfo", "--release", "99"], "", "dumpsys: --release: there is no release '99' .*\n", 2),
    (["dejank", "profile", "on", "com.nobody"], "", "dumpsys: No process found for: com.nobody\n", 4),
    (["-x"], "", "usage: dumpsys\n(?s:.*)", 255),
]


@pytest.mark.parametrize("words, out, err, status", ANSWERS)
def test_exit_status_and_streams(shell, words, out, err, status):
    done = shell.run(*words)
    assert (done.stdout, done.returncode) == (out, status)
    assert re.fullmatch(err, done.stderr)


def test_no_words_at_all(shell):
    shell.apps.app("com.x", "--base", time.monotonic_ns())
    done = shell.run()
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^DUMP OF SERVICE (.*):$", done.stdout, re.M) == ["dejank", "gfxinfo", "graphicsstats"]
    assert totals(done.stdout) == [10, 10, 10]


NAMES = ["two words", "it's", 'say "hi"', "semi;colon", "$(touch planted)", "`touch planted`", "a|b", "a>planted", "&", "*",
         "~", "grüße-日本", "100%d", "back\\slash", "$HOME", "!!", "#x", "-", "a\tb"]


def test_names_hostile_to_a_shell(shell):
    for number, name in enumerate(NAMES):
        shell.apps.app(name, "--frames", number + 1)
    for number, name in enumerate(NAMES):
        done = shell.run("gfxinfo", name, "framestats")
        if name == "-":  # not a name but an unknown argument: prints all processes, as on Android
            assert len(sections(done.stdout)) == len(NAMES)
            continue
        assert (done.returncode, done.stderr) == (0, "")
        assert totals(done.stdout) == [number + 1] * 2, name
        assert list(sections(done.stdout)) == [name.replace("\t", "\\x09")]
    assert not list(shell.host.home.parent.rglob("planted*"))
