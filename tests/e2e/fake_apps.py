"""Devices with a segment directory and programs whose frames are known (tests/programs/fake_app.c), and a reader of
dumpsys' output."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("DEJANK_BUILD", Path(__file__).resolve().parents[2] / "build")).resolve()
DUMPSYS = BUILD / "dumpsys"
FAKE_APP = BUILD / "tests/programs/fake_app"
MARKER = "---PROFILEDATA---"
SECONDS = 20


class App:
    """A fake_app process, which may have ended."""

    def __init__(self, environment, name, *options):
        self.name = name
        self.process = subprocess.Popen([FAKE_APP, name, *map(str, options)], text=True, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.pid, self.path = self.ready()
        except BaseException:
            self.close()
            raise

    def ready(self):
        word, pid, path = self.process.stdout.readline().split(maxsplit=2)
        assert word == "ready"
        return int(pid), Path(path.rstrip("\n"))

    def order(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(SECONDS) == 0

    def kill_in_mid_frame(self):
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        assert self.process.wait(SECONDS) == -signal.SIGKILL

    def stop(self):
        os.kill(self.pid, signal.SIGSTOP)
        deadline = time.monotonic() + SECONDS
        while Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
            assert time.monotonic() < deadline

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()


class Device:
    """A segment directory, apps that write to it, and dumpsys."""

    def __init__(self, folder):
        self.folder = folder
        self.state = folder.parent / "state"
        self.state.mkdir(exist_ok=True)
        self.environment = {**os.environ, "DEJANK_DIR": str(folder), "XDG_STATE_HOME": str(self.state)}
        self.apps = []

    def app(self, name, *options):
        self.apps.append(App(self.environment, name, *options))
        return self.apps[-1]

    def run(self, *words, **options):
        return subprocess.run([DUMPSYS, *map(str, words)], env=self.environment, timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def gfxinfo(self, *words):
        """The dump's text. Fails if dumpsys writes to stderr."""
        done = self.run("gfxinfo", *words)
        assert done.returncode == 0
        assert done.stderr == ""
        return done.stdout

    def close(self):
        for app in self.apps:
            app.close()


@pytest.fixture
def device(tmp_path):
    folder = tmp_path / "segments"
    folder.mkdir(mode=0o700)
    made = Device(folder)
    yield made
    made.close()


def sections(text):
    """{process name: its section}, in the order of the dump."""
    parts = re.split(r"^\*\* Graphics info for pid (\d+) \[(.*)\] \*\*$", text, flags=re.M)
    return {parts[i + 1]: parts[i + 2] for i in range(1, len(parts), 3)}


def totals(text):
    return [int(number) for number in re.findall(r"^Total frames rendered: (\d+)$", text, re.M)]


def blocks(text):
    """Rows of each framestats block. A row is {column: number}."""
    found = []
    for block in text.split(MARKER + "\n")[1::2]:
        names, *rows = block.rstrip("\n").split("\n")
        names = names.rstrip(",").split(",")
        found.append([dict(zip(names, map(int, row.rstrip(",").split(",")))) for row in rows])
    return found
