"""dejank devices: real adbds, stand-in phones and this machine, obstacles to measuring, replays, and --watch."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from android.app import Frames
from devices import wait_for
from stub_server import SERIAL, Server, counted

ADBS = ["adb", *filter(None, os.environ.get("DEJANK_ADBS", "").split(":"))]
PACKAGE = "com.example.app"


class Devices:
    """The devices that `dejank devices --json` printed, by name."""

    def __init__(self, host, *words, code=0):
        self.done = host.dejank("devices", "--json", *words)
        assert self.done.returncode == code, self.done
        said = json.loads(self.done.stdout)
        assert said["schema"] == "dejank.devices/1"
        self.all = {one["name"]: one for one in said["devices"]}

    def __getitem__(self, name):
        return self.all[name]

    def obstacles(self, name):
        return {one["name"]: one for one in self.all[name]["obstacles"]}


def connect(host, *devices):
    for device in devices:
        assert "connected" in host.adb("connect", device.serial).stdout


@pytest.mark.parametrize("adb", ADBS)
def test_all_at_once(host, adbd, android, adb):
    if not shutil.which(adb):
        pytest.skip(f"{adb} is not installed")
    linux, old = adbd(), android(release="6.0", model="Old One")
    phone = android(release="12", model="New One", rates=(60.0, 90.0, 120.0), ram_mib=7700, size=(1440, 3120), density=560)
    phone.set_screen(refresh_hz=120.0)
    host.run(adb, "start-server")
    connect(host, linux, old, phone)
    said = Devices(host)
    assert set(said.all) == {linux.serial, old.serial, phone.serial, "local:"}
    assert {one["state"] for one in said.all.values()} == {"device", "local"}

    facts = said[phone.serial]["facts"]
    assert (facts["platform"], facts["model"], facts["release"], facts["api"]) == ("android", "New One", "12", 31)
    assert facts["rates_hz"] == [60, 90, 120] and facts["refresh_hz"] == 120
    assert (facts["width_px"], facts["height_px"], facts["density_dpi"]) == (1440, 3120, 560)
    assert facts["ram_bytes"] == 7700 << 20
    assert facts["gpu"].startswith("Qualcomm, Adreno")
    assert (facts["battery_pct"], facts["charging"], facts["battery_c"]) == (87, True, 27.5)
    assert (facts["thermal_status"], facts["skin_c"]) == (0, 30)
    assert (facts["screen_on"], facts["locked"], facts["low_power"], facts["emulator"]) == (True, False, False, False)
    assert facts["animation_scale"] == {"window": 1, "transition": 1, "animator": 1}
    assert facts["dumpsys"] is None

    facts = said[old.serial]["facts"]
    assert (facts["model"], facts["release"], facts["api"]) == ("Old One", "6.0.1", 23)
    assert facts["refresh_hz"] == 60 and facts["locked"] is False
    assert facts["thermal_status"] is None and facts["skin_c"] is None, "it has no thermal service: unknown, not zero"

    for name in (linux.serial, "local:"):
        facts = said[name]["facts"]
        assert (facts["platform"], facts["cores"]) == ("linux", os.cpu_count())
        assert facts["kernel"] == os.uname().release
        assert facts["api"] is None and facts["animation_scale"]["window"] is None
    assert said[linux.serial]["facts"]["dumpsys"].startswith("dejank ")
    assert said[linux.serial]["ready"] and said[phone.serial]["ready"]

    page = host.run("env", "COLUMNS=200", host.build / "dejank", "devices", "--all").stdout
    assert page.startswith("4 devices are ready\n")
    rows = [line for line in page.splitlines() if line.startswith(phone.serial + " ")]
    for word in ("ready", "New One", "Android 12 (API 31)", "120 of 60/90/120"):
        assert word in rows[0], page
    for word in ("1440x3120 560 dpi", "7.5 GiB", "Adreno", "87 %+", "30 °C"):
        assert word in rows[1], page


def test_each_command_mends_what_it_stands_below(host, android):
    phone = android(release="12")
    connect(host, phone)
    phone.set_screen(on=False, locked=True)
    phone.settings["global"].update({"window_animation_scale": "0.0", "animator_duration_scale": "0.5", "low_power": "1",
                                     "development_settings_enabled": "0"})
    said = Devices(host, phone.serial)
    assert not said[phone.serial]["ready"]
    before = said.obstacles(phone.serial)
    assert {"screen-off", "locked", "animation-scale", "low-power", "developer-options", "screen-timeout"} <= set(before)
    assert [one["blocks"] for one in said[phone.serial]["obstacles"]][:3] == [True, True, False]
    page = host.dejank("devices").stdout
    assert page.startswith("1 device is ready, 1 needs attention: ") and f"{phone.serial} (screen off)" in page
    assert f"\n  adb -s {phone.serial} shell input keyevent 224" in page.partition("next:")[2]
    for one in before.values():
        done = host.run("sh", "-c", one["command"])
        assert done.returncode == 0, (one, done)
        left = Devices(host, phone.serial)
        assert one["name"] not in left.obstacles(phone.serial), (one, left.done.stdout)
    assert Devices(host, phone.serial)[phone.serial]["ready"]


def test_what_only_hands_or_time_can_mend(host, android):
    phone = android(release="14")
    connect(host, phone)
    phone.battery.update(level=9, powered=False)
    phone.thermal_status, phone.skin_c = 4, 52.0
    found = Devices(host, phone.serial).obstacles(phone.serial)
    assert found["battery-low"]["command"] is None and "9 %" in found["battery-low"]["says"]
    assert found["hot"]["blocks"] and "thermal status 4" in found["hot"]["says"]


def test_one_that_does_not_answer_keeps_nobody_waiting(host, adbd, android):
    phone, linux = android(release="12"), adbd()
    connect(host, phone, linux)
    phone.machine.freeze()
    try:
        said = Devices(host, phone.serial, linux.serial, code=3)
        assert "no answer in time" in said[phone.serial]["error"]
        assert said.obstacles(phone.serial)["silent"]["blocks"]
        assert said[phone.serial]["facts"]["model"] is None
        assert said[linux.serial]["error"] is None and said[linux.serial]["ready"]
    finally:
        phone.machine.freeze(False)


def test_a_linux_device_without_our_dumpsys(host, adbd):
    device = adbd()
    device.command("dumpsys", "#!/bin/sh\nexit 127\n")
    connect(host, device)
    found = Devices(host, device.serial).obstacles(device.serial)
    assert found["no-dumpsys"]["blocks"]
    assert found["no-dumpsys"]["command"].startswith(f"adb -s {device.serial} push ")


def test_names_that_nobody_has(host, adbd):
    device = adbd()
    connect(host, device)
    said = Devices(host, "nobody", device.serial, "replay:/no/such/folder", code=3)
    assert said["nobody"]["state"] == "unreachable"
    assert device.serial in said["nobody"]["error"], "the devices there are"
    assert said["replay:/no/such/folder"]["state"] == "unreachable"
    assert said[device.serial]["error"] is None


def test_all_of_adb_s_by_one_name(host, adbd):
    devices = [adbd(), adbd()]
    connect(host, *devices)
    assert set(Devices(host, "adb:").all) == {device.serial for device in devices}


def test_a_machine_without_adb(build, tmp_path):
    done = subprocess.run([build / "dejank", "devices"], capture_output=True, text=True, timeout=60, check=False,
                          env={"PATH": str(tmp_path), "ADB_SERVER_SOCKET": "tcp:127.0.0.1:9", "LANG": "C.UTF-8"})
    assert done.returncode == 0
    assert "apt-get install adb" in done.stderr
    assert done.stdout.startswith("1 device is ready\n\n") and "\nlocal:  ready" in done.stdout


# ---- device states, reported by a stub of the adb server


@pytest.fixture
def listed(build, tmp_path):
    """listed(LINES, WORDS…) runs `dejank devices` with a server that lists these devices."""
    servers = []

    def run(lines, *words):
        servers.append(Server({"host:devices-l": b"OKAY" + counted(lines)}))
        return subprocess.run([build / "dejank", "devices", *words], capture_output=True, text=True, timeout=60, check=False,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8",
                                   "ADB_SERVER_SOCKET": f"tcp:127.0.0.1:{servers[-1].port}"})

    yield run
    for server in servers:
        server.close()


@pytest.mark.parametrize("state, name, command", [
    ("unauthorized usb:1-1", "unauthorized", None),
    ("offline", "offline", "adb reconnect offline"),
    ("no permissions (missing udev rules?); see [http://x]", "no-permissions",
     "sudo apt-get install android-sdk-platform-tools-common"),
    ("bootloader", "bootloader", "fastboot reboot"),
    ("recovery", "recovery", f"adb -s {SERIAL} reboot"),
])
def test_states_in_which_a_device_does_not_answer(listed, state, name, command):
    done = listed(f"{SERIAL}   {state}\n", "--json")
    assert done.returncode == 0
    device = json.loads(done.stdout)["devices"][0]
    assert [(one["name"], one["blocks"], one["command"]) for one in device["obstacles"]] == [(name, True, command)]
    assert device["facts"]["platform"] is None
    assert listed(f"{SERIAL}   {state}\n", SERIAL).returncode == 3


def test_hostile_serials_are_made_safe(listed):
    done = listed("\x1b[2J$(id)';x offline\n")
    assert "\x1b" not in done.stdout
    assert "\\x1b[2J$(id)';x" in done.stdout


def test_the_page_names_every_field_and_every_obstacle(host):
    root = Path(__file__).resolve().parents[2]
    page = (root / "docs/format/devices.md").read_text(encoding="utf-8")
    device = Devices(host, "local:")["local:"]
    source = (root / "src/host/device/obstacles.c").read_text() + (root / "src/host/device/inquiry.c").read_text()
    obstacles = re.findall(r'add_obstacle\(\w+, [^,]+, "([a-z-]+)"', source)
    assert len(obstacles) >= 10
    for name in [*device, *device["facts"], *obstacles, "unauthorized", "silent", "unreachable"]:
        assert f"`{name}`" in page or name in ("facts",), name


# ---- replays


def test_recorded_answers_are_replayed_without_the_device(host, android, tmp_path):
    phone = android(release="12", model="it's $(a) \"phone\"")
    connect(host, phone)
    phone.set_screen(on=False)
    folder = tmp_path / "record"
    first = Devices(host, "--record-replay", folder, phone.serial)
    phone.close()
    name = f"replay:{folder}/{phone.serial}"
    again = Devices(host, name)
    assert again[name]["state"] == "replay"
    facts, told = first[phone.serial]["facts"], again[name]["facts"]
    assert told == facts
    assert set(again.obstacles(name)) == set(first.obstacles(phone.serial)) >= {"screen-off"}
    assert [path.name for path in sorted((folder / phone.serial).iterdir())][:2] == ["001-command.out", "001-command.txt"]


def rows(dump, host):
    done = host.dejank("parse", "--csv", dump)
    return [(row["IntendedVsync"], row["FrameCompleted"]) for row in csv.DictReader(done.stdout.splitlines())]


def test_a_recorded_collection_is_collected_again(host, android, tmp_path):
    phone = android(release="12")
    phone.install(PACKAGE, frames=Frames((8.0,)))
    phone.start(PACKAGE)
    folder, first, again = tmp_path / "record", tmp_path / "first.txt", tmp_path / "again.txt"
    done = host.dejank("collect", "--device", phone.serial, "--package", PACKAGE, "--for", "500ms", "-o", first,
                       "--record-replay", folder)
    assert done.returncode == 0, done.stderr
    phone.close()
    done = host.dejank("collect", "--device", f"replay:{folder}", "--package", PACKAGE, "--for", "500ms", "-o", again)
    assert done.returncode == 0, done.stderr
    assert len(rows(first, host)) > 10
    assert rows(again, host) == rows(first, host)


def test_a_recorded_script_runs_again_without_the_device(host, android, tmp_path):
    phone = android(release="12", model="Scripted")
    connect(host, phone)
    script, folder = tmp_path / "s.lua", tmp_path / "record"
    script.write_text("local d = MonkeyRunner.waitForConnection()\nprint(d:getProperty('build.model'))\n")
    first = host.dejank("script", "--device", phone.serial, "--record-replay", folder, script)
    assert (first.returncode, first.stdout) == (0, "Scripted\n"), first.stderr
    phone.close()
    again = host.dejank("script", "--device", f"replay:{folder}/{phone.serial}", script)
    assert (again.returncode, again.stdout) == (0, "Scripted\n"), again.stderr


def test_a_command_that_was_never_recorded(host, android, tmp_path):
    phone = android(release="12")
    connect(host, phone)
    folder = tmp_path / "record"
    Devices(host, "--record-replay", folder, phone.serial)
    done = host.dejank("collect", "--device", f"replay:{folder}/{phone.serial}", "--package", PACKAGE, "--for", "100ms")
    assert done.returncode == 4
    assert "no answer is recorded for" in done.stderr and f"dumpsys gfxinfo {PACKAGE}" in done.stderr and "the most similar command is" in done.stderr


def test_a_hundred_replays_at_once(host, tmp_path):
    names = []
    for number in range(100):
        folder = tmp_path / f"d{number}"
        folder.mkdir()
        (folder / "001-command.txt").write_text("getprop\n")
        (folder / "001-command.out").write_text(f"[ro.product.model]: [M{number}]\n[ro.build.version.sdk]: [34]\n")
        names.append(f"replay:{folder}")
    said = Devices(host, *names)
    assert [said[name]["facts"]["model"] for name in names] == [f"M{number}" for number in range(100)]


# ---- watching


class Watch:
    def __init__(self, host, *words):
        self.process = host.popen(host.build / "dejank", "devices", "--watch", *words)

    def line(self):
        return self.process.stdout.readline().decode()

    def event(self):
        said = json.loads(self.line())
        return said["event"], said["device"]["name"], said["device"]["state"]

    def until(self, wanted):
        for _ in range(20):
            event = self.event()
            if event == wanted:
                return
        raise AssertionError(f"{wanted} did not come")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err.decode()


@pytest.fixture
def watch(host):
    made = []

    def start(*words):
        made.append(Watch(host, *words))
        return made[-1]

    yield start
    for one in made:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


def test_watching_tells_what_comes_and_goes(host, adbd, android, watch):
    first, phone = adbd(), android(release="12", model="Late One")
    connect(host, first)
    watched = watch("--json")
    watched.until(("added", first.serial, "device"))
    connect(host, phone)
    wait_for(lambda: watched.event()[1:] == (phone.serial, "device"), "the phone")
    host.adb("disconnect", first.serial)
    watched.until(("removed", first.serial, "gone"))
    code, _, err = watched.end()
    assert code == 0, err


def test_watching_outlives_the_server(host, adbd, watch):
    device = adbd()
    connect(host, device)
    watched = watch("--json")
    watched.until(("added", device.serial, "device"))
    host.adb("kill-server")
    watched.until(("removed", device.serial, "gone"))
    wait_for(lambda: "connected" in host.adb("connect", device.serial).stdout, "the server to be back")
    wait_for(lambda: watched.event()[1:] == (device.serial, "device"), "the device to be back")
    code, _, err = watched.end()
    assert code == 0 and "lost the connection to the adb server" in err


def test_watching_for_people(host, android, watch):
    phone = android(release="12", model="One")
    connect(host, phone)
    phone.set_screen(on=False)
    watched = watch()
    lines = [watched.line() for _ in range(3)]
    assert lines[0] == f"added {phone.serial} device dejank One, Android 12 (API 31)\n"
    assert "screen is off" in lines[1] and "keyevent 224" in lines[2]
    assert watched.end()[0] == 0


def test_watching_without_devices_reports_that_it_waits(host, android, watch):
    host.adb("start-server")
    watched = watch("--json")
    assert watched.process.stderr.readline().decode() == "dejank devices: no device is connected to adb; waiting for one (Ctrl-C stops)\n"
    phone = android(release="12", model="Late One")
    connect(host, phone)
    wait_for(lambda: watched.event()[1:] == (phone.serial, "device"), "the phone")
    code, _, err = watched.end()
    assert code == 0 and "waiting" not in err


def test_words_that_make_no_sense(host):
    assert host.dejank("devices", "--watch", "local:").returncode == 2
    assert host.dejank("devices", "--nonsense").returncode == 2
