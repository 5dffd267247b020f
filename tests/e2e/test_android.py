"""Checks that the stand-in Android device (android/) behaves as the other tests expect."""

import csv
import re
import subprocess
import sys
import time

import pytest

from android import machine
from android.app import Frames, Test
from devices import wait_for

PACKAGE = "com.example.app"
NAIVE = ["it's", 'a "b"', "a;touch PWNED", "$(touch PWNED)", "ü 測\n試", "", "a  b", "\\n"]


@pytest.fixture
def phone(android):
    return android(release="12")


@pytest.fixture
def shell(host):
    """shell(phone, WORDS…) runs `adb shell` with unchanged words."""

    def run(phone, *words):
        host.adb("connect", phone.serial)
        return host.adb("-s", phone.serial, "shell", *words)

    return run


@pytest.mark.parametrize("release", ["6.0", "7.1", "8", "10", "11", "12", "14", "16"])
def test_every_release_s_dump_tells_the_planted_frames(host, android, tmp_path, release):
    phone = android(release=release)
    phone.install(PACKAGE, frames=Frames((8.0, 8.0, 24.0)))
    process, _ = phone.start(PACKAGE)
    out = tmp_path / "dump.txt"
    done = host.dejank("collect", "--device", phone.serial, "--package", PACKAGE, "--for", "700ms", "-o", out)
    assert done.returncode == 0, done.stderr
    said = list(csv.DictReader(host.dejank("parse", "--csv", out).stdout.splitlines()))
    rows = [(int(row["IntendedVsync"]), int(row["FrameCompleted"])) for row in said]
    assert len(rows) >= 40
    planted = process.between(rows[0][0], rows[-1][0] + 1)
    assert rows == [(begin, begin + length) for begin, length in planted]


def test_the_clock_is_the_device_s_own(phone, shell):
    said = float(shell(phone, "cat /proc/uptime").stdout.split()[0])
    assert abs(said - 4321 - phone.now_ns() / 1e9) < 5
    assert abs(phone.now_ns() / 1e9 - time.monotonic()) > 100_000


def test_a_device_without_namespaces(android, host, shell, monkeypatch, tmp_path):
    """Namespaces may be refused, as in a container. The device still has its own files and clock, listens only on the loopback, and
    ends its processes when it is unplugged."""
    monkeypatch.setattr(machine, "namespaces_are_refused", lambda: True)
    phone = android(release="12")
    assert {address[-8:] for address in phone.machine.addresses()} == {"0100007F"}
    uptime, free = shell(phone, "cat /proc/uptime; cat /proc/meminfo").stdout.splitlines()[:2]
    assert abs(float(uptime.split()[0]) - 4321 - phone.now_ns() / 1e9) < 5 and free == f"MemTotal:       {phone.ram_mib * 1024} kB"
    assert shell(phone, "cd /sdcard && echo one > a && cat /storage/emulated/0/a; /system/bin/sh -c 'echo two'").stdout == "one\ntwo\n"
    assert (phone.path("/sdcard/a")).read_text() == "one\n"
    (tmp_path / "pushed").write_text("three")
    phone.fill_storage()
    assert "No space left" in (said := host.adb("-s", phone.serial, "push", tmp_path / "pushed", "/data/local/tmp/b")).stderr + said.stdout
    phone.free_storage()
    assert host.adb("-s", phone.serial, "push", tmp_path / "pushed", "/data/local/tmp/b").returncode == 0
    shell(phone, "setsid sleep 1000 > /dev/null 2>&1 < /dev/null &")
    wait_for(lambda: len(list(phone.machine.pids())) >= 2, "the program")
    phone.unplug()
    assert not list(phone.machine.pids())


@pytest.mark.parametrize("word", NAIVE)
def test_words_are_logged_as_they_came(phone, host, word):
    host.adb("connect", phone.serial)
    quoted = "'" + word.replace("'", "'\\''") + "'"
    host.adb("-s", phone.serial, "shell", f"getprop {quoted} x; cat {quoted} < /dev/null")
    assert ("getprop", word, "x") in phone.asked
    assert ("cat", word) in phone.asked


def test_install_start_stop(phone, host, shell, tmp_path):
    apk = phone.apk(tmp_path / "app.apk", PACKAGE, version_code=7)
    host.adb("connect", phone.serial)
    assert host.adb("-s", phone.serial, "push", apk, "/data/local/tmp/a.apk").returncode == 0
    assert shell(phone, "pm install -r /data/local/tmp/a.apk").stdout == "Success\n"
    assert "versionCode=7 " in shell(phone, f"dumpsys package {PACKAGE}").stdout
    assert "Status: ok" in shell(phone, f"am start -W -n {PACKAGE}/.MainActivity").stdout
    assert shell(phone, f"pidof {PACKAGE}").stdout == f"{phone.running(PACKAGE).pid}\n"
    shell(phone, f"am force-stop {PACKAGE}")
    assert shell(phone, f"pidof {PACKAGE}").returncode == 1


def test_a_full_storage(phone, host, shell, tmp_path):
    apk = phone.apk(tmp_path / "app.apk", PACKAGE)
    host.adb("connect", phone.serial)
    phone.fill_storage()
    assert "No space left" in str(host.adb("-s", phone.serial, "push", apk, "/data/local/tmp/a.apk"))
    phone.free_storage()
    assert host.adb("-s", phone.serial, "push", apk, "/data/local/tmp/a.apk").returncode == 0
    phone.storage_full = True
    done = shell(phone, "pm install /data/local/tmp/a.apk")
    assert done.stdout == "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n"


def test_reboot_and_unplugging(phone, host, shell):
    phone.install(PACKAGE)
    phone.start(PACKAGE)
    phone.properties["debug.hwui.profile"] = "true"
    before = phone.now_ns()
    shell(phone, "touch /data/local/tmp/kept")
    phone.unplug(back_after_s=0.2)
    wait_for(lambda: phone.machine.process is not None, "the device to come back")
    host.adb("reconnect", "offline")
    wait_for(lambda: shell(phone, "pidof", PACKAGE).returncode == 0, "the app to be found as it was")
    assert phone.now_ns() > before
    phone.reboot(seconds=0.2)
    wait_for(lambda: phone.machine.process is not None, "the device to boot")
    wait_for(lambda: "kept" in shell(phone, "ls /data/local/tmp").stdout, "an answer after the boot")
    assert shell(phone, "pidof", PACKAGE).returncode == 1
    assert float(shell(phone, "cat /proc/uptime").stdout.split()[0]) - 4321 < 100
    assert shell(phone, "getprop debug.hwui.profile").stdout == "\n"


TESTS = [Test("com.example.A", "one", 0.05), Test("com.example.A", "two", 0.05, "failed"),
         Test("com.example.B", "three", 0.05, "assumption"), Test("com.example.B", "four", 0.0, "ignored")]


def test_instrumentation(phone, shell):
    phone.install(PACKAGE)
    phone.install("com.example.test", target=PACKAGE, tests=TESTS)
    said = shell(phone, "am instrument -w -r com.example.test/androidx.test.runner.AndroidJUnitRunner").stdout
    assert re.findall(r"STATUS_CODE: (\S+)", said) == ["1", "0", "1", "-2", "1", "-4", "1", "-3"]
    assert said.endswith("INSTRUMENTATION_CODE: -1\n")
    assert phone.running(PACKAGE) is None, "Android ends what was instrumented"
    only = shell(phone, "am instrument -w -r -e class com.example.A#two com.example.test/androidx.test.runner.AndroidJUnitRunner")
    assert "numtests=1" in only.stdout and "test=one" not in only.stdout
    assert "Unable to find instrumentation" in shell(phone, "am instrument -w -r com.none/.Runner").stdout


def test_a_fault_waits_for_its_command(phone, shell):
    phone.install(PACKAGE)
    phone.start(PACKAGE)
    phone.when(("dumpsys", "gfxinfo"), lambda: phone.crash(PACKAGE), nth=2)
    assert "Graphics info" in shell(phone, f"dumpsys gfxinfo {PACKAGE}").stdout
    assert "No process found" in shell(phone, f"dumpsys gfxinfo {PACKAGE}").stdout
    assert "FATAL EXCEPTION" in shell(phone, "logcat -d -b crash").stdout


def test_touches_move_what_is_on_the_screen(phone, shell):
    phone.install(PACKAGE, frames=Frames(when="touched", linger_s=0.1))
    process, _ = phone.start(PACKAGE)
    assert process.completed(phone.now_ns()) == 0
    assert 'text="Item 0"' in shell(phone, "uiautomator dump /dev/tty").stdout
    shell(phone, "input swipe 500 1800 500 300 100")
    wait_for(lambda: process.completed(phone.now_ns()) >= 6, "frames")
    assert 'text="Item 0"' not in shell(phone, "uiautomator dump /dev/tty").stdout
    assert [word for _, word, *_ in phone.events][::len(phone.events) - 1] == ["down", "up"]


def test_several_at_once_end_with_the_test(android):
    phones = [android() for _ in range(3)]
    assert len({phone.serial for phone in phones}) == 3
    pids = [phone.machine.process.pid for phone in phones]
    for phone in phones:
        phone.close()
    for pid in pids:
        assert subprocess.run(["ps", "-p", str(pid)], capture_output=True, check=False).returncode == 1


def test_monkey_takes_lines(phone, host):
    phone.install(PACKAGE)
    phone.start(PACKAGE)
    host.adb("connect", phone.serial)
    port = str(host.network.free_port())
    monkey = host.popen("adb", "-s", phone.serial, "shell", "monkey", "--port", port)
    talk = ("import socket, sys, time\n"
            "for _ in range(100):\n"
            "    try: line = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); break\n"
            "    except OSError: time.sleep(0.05)\n"
            "line.sendall(b'touch down 500 1500\\nsleep 50\\ntouch move 500 1400\\ntouch up 500 1300\\nnonsense\\ngetvar no.such\\nquit\\n')\n"
            "print(line.makefile().read())")
    said = host.run(sys.executable, "-c", talk, port).stdout.split()
    assert monkey.communicate(timeout=20) and monkey.returncode == 0
    assert said == ["OK", "OK", "OK", "OK", "ERROR:unknown", "var", "OK"]
    moves = [(word, x, y) for _, word, x, y in phone.events]
    assert moves == [("down", 500, 1500), ("move", 500, 1400), ("up", 500, 1300)]
    assert phone.events[1][0] - phone.events[0][0] >= 50_000_000


def test_uinput_takes_events(phone, host):
    host.adb("connect", phone.serial)
    down = '{"id":1,"command":"inject","events":[3,47,0,3,57,7,3,53,500,3,54,1500,1,330,1,0,0,0]}'
    second = '{"id":1,"command":"inject","events":[3,47,1,3,57,8,3,53,600,3,54,900,0,0,0]}'
    gone = '{"id":1,"command":"inject","events":[3,47,0,3,57,-1,3,47,1,3,57,-1,1,330,0,0,0,0]}'
    wait = '{"id":1,"command":"delay","duration":40}'
    text = '{"id":1,"command":"register","name":"x"}' + down + wait + second + wait + gone
    done = host.adb("-s", phone.serial, "shell", f"echo '{text}' | uinput -")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [event[1:] for event in phone.events] == [
        ("down", 500, 1500), ("down", 600, 900, 1), ("up", 500, 1500), ("up", 600, 900, 1)]
    assert phone.events[1][0] - phone.events[0][0] >= 20_000_000  # delays count from the registration, and the first event may be late
