"""Commands, files and the clock of devices (tests/programs/device_probe.c), with the real adb server and adbd. A stub of the server
replaces devices without shell v2."""

import os
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

from devices import wait_for
from stub_server import SERIAL, Server, counted, packet


class Probe:
    """Runs device_probe on a device."""

    def __init__(self, host, device):
        self.host = host
        self.program = host.build / "tests/programs/device_probe"
        self.selector = device.serial

    def __call__(self, *words, feed=b"", env=None):
        process = self.host.popen(self.program, self.selector, *words, stdin=subprocess.PIPE, env=env)
        out, err = process.communicate(feed, timeout=60)
        return subprocess.CompletedProcess(words, process.returncode, out, err.decode())

    def start(self, *words):
        return self.host.popen(self.program, self.selector, *words, stdin=subprocess.PIPE)


@pytest.fixture
def device(adbd):
    return adbd()


@pytest.fixture
def probe(host, device):
    return Probe(host, device)


def test_streams_input_and_exit_code(probe):
    done = probe("run", "sh", "-c", "echo talk >&2; read word; echo \"got $word\"; cat; exit 7", feed=b"one\ntwo\0\xff\n")
    assert done.returncode == 7
    assert done.stdout == b"got one\ntwo\0\xff\n"
    assert done.stderr == "talk\n"


def test_a_command_answers_while_it_runs(probe):
    process = probe.start("run", "cat")
    try:
        for word in (b"first\n", b"second\n"):
            process.stdin.write(word)
            process.stdin.flush()
            assert process.stdout.readline() == word
    finally:
        process.stdin.close()
        assert process.wait(20) == 0


def test_words_reach_no_shell_unquoted(probe):
    words = ["a b", "$(id)", "`id`", "it's", ";reboot", "new\nline", "ünï", '"', "\\", "*", ""]
    done = probe("run", "printf", "%s|", *words)
    assert done.stdout.decode() == "".join(word + "|" for word in words)


def test_many_bytes_both_ways(probe):
    bytes_ = os.urandom(1 << 20)
    done = probe("run", "sh", "-c", "cat >\"$0\"; cat \"$0\"", probe.host.home / "copy", feed=bytes_)
    assert done.returncode == 0
    assert done.stdout == bytes_


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_command_ends_with_who_started_it(probe, device):
    process = probe.start("run", "sh", "-c", "echo $$; exec sleep 1000")
    pid = int(process.stdout.readline())
    assert runs(pid)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_for(lambda: not runs(pid), "the command to end")


def test_a_device_that_goes_away_meanwhile(probe, device):
    process = probe.start("run", "sh", "-c", "echo $$; exec sleep 1000")
    pid = int(process.stdout.readline())
    device.kill()
    out, err = process.communicate(timeout=30)
    os.kill(pid, signal.SIGKILL)  # adbd was killed, so it cannot end the command
    assert process.returncode == 99
    assert b"was disconnected" in err or b"connection to the adb server failed" in err, err


@pytest.mark.parametrize("size", [0, 1, 65536, 65537, 3_000_000])
def test_files_arrive_whole(probe, tmp_path, size):
    source, target = tmp_path / "it's $(a) file", tmp_path / "there, with a comma"
    source.write_bytes(os.urandom(size))
    source.chmod(0o600)
    done = probe("push", source, target, "755")
    assert (done.returncode, done.stderr) == (0, "")
    assert target.read_bytes() == source.read_bytes()
    assert target.stat().st_mode & 0o700 == 0o700
    assert probe("pull", target).stdout == source.read_bytes()


def test_refusals_of_the_device_are_reported(probe, tmp_path):
    source = tmp_path / "file"
    source.write_bytes(b"x" * 500_000)
    done = probe("push", source, "/proc/no/such", "644")
    assert done.returncode == 99
    assert "cannot push" in done.stderr and "/proc/no/such" in done.stderr and "refused" in done.stderr
    full = probe("push", source, "/dev/full", "644")
    assert full.returncode == 99
    missing = probe("pull", "/no/such/file")
    assert missing.returncode == 99 and "No such file" in missing.stderr
    absent = probe("push", tmp_path / "absent", "/tmp/x", "644")
    assert absent.returncode == 99 and "absent" in absent.stderr


def clock_lines(done):
    assert done.returncode == 0, done.stderr
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines() if b" " in line]


def test_the_clock_of_a_device_with_our_dumpsys(probe):
    """The device is this machine, so its clock must be the clock of this machine."""
    for host_ns, dev_ns, uncertainty_ns in clock_lines(probe("clock", 5)):
        assert abs(host_ns - dev_ns) <= uncertainty_ns + 2_000_000
        assert 0 < uncertainty_ns < 1_000_000_000


UPTIME_STEP_NS = 10_000_000  # resolution of /proc/uptime, from which the stand-in reads its time; Android's is 1 ms
SLEPT_MS = 5_000_000  # time for which the stand-in has slept; it booted at the same time as this machine


def android(device, gfxinfo=True, power=True):
    """Gives the device a dumpsys like Android's, without dejank's service. The device has slept."""
    text = "#!/bin/sh\nmono=$(awk '{printf \"%d\", $1 * 1000}' /proc/uptime)\nmono=$((mono - " + str(SLEPT_MS) + "))\n"
    text += "case $1 in\n"
    if gfxinfo:
        text += ("gfxinfo) echo 'Applications Graphics Acceleration Info:'; "
                 f"echo \"Uptime: $mono Realtime: $((mono + {SLEPT_MS}))\"; "
                 "printf '\\n** Graphics info for pid 1 [x] **\\n\\nTotal frames rendered: 0\\n';;\n")
    if power:
        text += "power) echo \"  mLastWakeTime=1000 ($((mono - 1000)) ms ago)\";;\n"
    device.command("dumpsys", text + "*) echo \"Can't find service: $1\" >&2;;\nesac\n")


def boot_ns():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)


@pytest.mark.parametrize("words", [["gfxinfo", "x", "clock", "3"], ["clock", "3"]])
def test_the_clock_of_a_phone_that_has_slept(probe, device, words):
    if boot_ns() + time.monotonic_ns() < SLEPT_MS * 1_000_000:
        pytest.skip("this machine runs for too short a time")
    android(device)
    lines = clock_lines(probe(*words))
    assert len(lines) == 3
    for host_ns, dev_ns, uncertainty_ns in lines:
        true_ns = host_ns + boot_ns() - SLEPT_MS * 1_000_000
        assert abs(true_ns - dev_ns) <= uncertainty_ns + UPTIME_STEP_NS + 2_000_000
        assert uncertainty_ns < 2_000_000_000


def test_a_phone_that_does_not_tell_how_long_it_slept(probe, device):
    android(device, gfxinfo=False, power=False)
    done = probe("clock", 1)
    assert done.returncode == 99
    assert "slept" in done.stderr


# ---- a stub in place of adbd before Android 7


class OldServer(Server):
    """A server without shell v2. It runs `shell:` commands on this machine, and with `has_exec` also `exec:` commands, which can read
    input. Standard output and error are one stream."""

    def __init__(self, has_exec):
        self.has_exec = has_exec
        super().__init__({f"host-serial:{SERIAL}:features": b"OKAY" + counted("cmd")})

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=[connection], daemon=True).start()

    def talk(self, connection):
        with connection:
            connection.settimeout(10)
            try:
                while self.answer(connection):
                    pass
            except OSError:
                pass

    def answer(self, connection):
        head = connection.recv(4, socket.MSG_PEEK)
        if len(head) == 4:
            service = connection.recv(4 + int(head, 16), socket.MSG_PEEK | socket.MSG_WAITALL)[4:].decode()
            kind, _, command = service.partition(":")
            if kind in ("exec", "shell") and (self.has_exec or kind == "shell"):
                connection.recv(4 + len(service.encode()), socket.MSG_WAITALL)
                self.asked.append(service)
                connection.sendall(b"OKAY")
                connection.settimeout(None)
                process = subprocess.Popen(["sh", "-c", command], stdin=connection.fileno() if kind == "exec" else subprocess.DEVNULL,
                                           stdout=connection.fileno(), stderr=connection.fileno())
                process.wait(20)
                return False
            if kind == "exec":
                connection.sendall(b"FAIL" + counted("closed"))
                return False
        return super().answer(connection)


@pytest.fixture
def old(build, tmp_path):
    servers = []

    def run(has_exec, *words, feed=b""):
        server = OldServer(has_exec)
        servers.append(server)
        done = subprocess.run([build / "tests/programs/device_probe", SERIAL, *words], input=feed,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8",
                                   "ADB_SERVER_SOCKET": f"tcp:127.0.0.1:{server.port}"},
                              capture_output=True, timeout=60, check=False)
        return done, server

    yield run
    for server in servers:
        server.close()


def test_without_shell_v2_streams_are_one(old):
    done, server = old(True, "run", "sh", "-c", "echo out; echo err >&2; read word; echo $word; exit 3", feed=b"word\n")
    assert done.returncode == 3 or b"cannot close the input" in done.stderr, done
    assert done.stdout.replace(b"\r", b"") == b"out\nerr\nword\n"
    assert b"dejank-exit-code" not in done.stdout
    assert server.asked[-1].startswith("exec:sh -c")


def test_before_android_5_commands_get_no_input(old):
    done, server = old(False, "run", "sh", "-c", "echo out; exit 4")
    assert done.returncode == 4
    assert done.stdout == b"out\n"
    assert [word.partition(":")[0] for word in server.asked[-2:]] == ["host", "shell"]


def test_a_command_that_writes_our_mark(old):
    done, _ = old(True, "run", "printf", "%s", "dejank-exit-code=9\ndejank-exit-co")
    assert done.returncode == 0
    assert done.stdout == b"dejank-exit-code=9\ndejank-exit-co"


# ---- packets of a device that does not keep to the protocol


@pytest.mark.parametrize("bytes_, says", [
    (packet(1, b"half"), "was disconnected|connection to the adb server failed"),
    (b"\x09\x01\x00\x00\x00x", "invalid shell packet"),
])
def test_streams_that_break_off(build, tmp_path, bytes_, says):
    server = Server({"shell,v2,raw:exec ": b"OKAY" + bytes_})
    try:
        done = subprocess.run([build / "tests/programs/device_probe", SERIAL, "run", "x"],
                              env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path),
                                   "ADB_SERVER_SOCKET": f"tcp:127.0.0.1:{server.port}"},
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    finally:
        server.close()
    assert done.returncode == 99
    assert re.search(says, done.stderr.decode())
