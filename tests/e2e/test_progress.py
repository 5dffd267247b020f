"""Progress on a terminal: nothing in the first second, then one line that is removed at the end."""

import os
import pty
import select
import subprocess
import time

import made_dumps as made

CLEAR = b"\r\x1b[K"


class Terminal:
    """A pseudo-terminal for the stderr of a process."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.shown = b""

    def start(self, host, *words, **more):
        process = host.popen(host.build / "dejank", *words, env={"TERM": "xterm"}, stderr=self.slave, **more)
        os.close(self.slave)
        return process

    def read(self, seconds=0.0):
        end = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            try:
                more = os.read(self.master, 4096)
            except OSError:
                break
            if not more:
                break
            self.shown += more
        return self.shown

    def wait_for(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.read(0.1):
            assert time.monotonic() < end, (text, self.shown)


def dump():
    return made.dump(made.process("com.example.app", [("Main", made.frames(200, seed=1))])).encode()


def test_a_slow_import_shows_its_file_and_removes_the_line(host, tmp_path):
    terminal = Terminal()
    process = terminal.start(host, "import", "--store", tmp_path / "s.db", "-", stdin=subprocess.PIPE)
    terminal.wait_for(b" s importing file 1 of 1: -")
    process.stdin.write(dump())
    process.communicate(timeout=30)
    shown = terminal.read(0.5)
    assert process.returncode == 0
    assert shown.endswith(CLEAR) and b"\n" not in shown.replace(b"\r\n", b""), shown


def test_a_quick_import_shows_nothing(host, tmp_path):
    (tmp_path / "dump.txt").write_bytes(dump())
    terminal = Terminal()
    started = time.monotonic()
    process = terminal.start(host, "import", "--store", tmp_path / "s.db", tmp_path / "dump.txt")
    process.communicate(timeout=30)
    if time.monotonic() - started < 1:
        assert terminal.read(0.2) == b""
    assert process.returncode == 0


def test_a_message_does_not_mix_with_the_progress(host, tmp_path):
    terminal = Terminal()
    process = terminal.start(host, "import", "--store", tmp_path / "s.db", "-", stdin=subprocess.PIPE)
    terminal.wait_for(b"importing file 1 of 1")
    process.stdin.write(b"nothing known\n")
    process.communicate(timeout=30)
    assert process.returncode == 4
    before, _ = terminal.read(0.5).split(b"dejank import:", 1)
    assert before.endswith(CLEAR), terminal.shown


def test_no_terminal_no_progress(host, tmp_path):
    process = host.popen(host.build / "dejank", "import", "--store", tmp_path / "s.db", "-", stdin=subprocess.PIPE)
    time.sleep(1.5)
    _, said = process.communicate(dump(), timeout=30)
    assert process.returncode == 0 and b"importing" not in said
