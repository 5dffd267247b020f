"""Fixtures: the build under test, and the devices, displays and servers that it is tested with."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import clickhouse
from android.phone import Phone
from devices import ADBD, Device, Host, Network
from displays import Sway, Weston, XServer
from fleet import Fleet
from recorded import Recorder
from stand_in import StandIn


def pytest_configure(config):
    config.addinivalue_line("markers", "timed: measures time, so it runs alone (make test-all)")
    config.addinivalue_line("markers", "slow: takes long, so only make test-all runs it")
    config.addinivalue_line("markers", "background: mostly waits for minutes, so make test-all runs it while it compiles")
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # nohup; programs under test would inherit SIG_IGN, but not a handler
        signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.fixture(scope="session")
def build():
    """The build directory: $DEJANK_BUILD, else ./build."""
    folder = Path(os.environ.get("DEJANK_BUILD", "build")).resolve()
    if not (folder / "dejank").exists():
        pytest.fail(f"{folder}/dejank is not there; build first")
    return folder


@pytest.fixture
def recorder(build, tmp_path):
    """`dejank record` and dumpsys with a separate segment folder for each test."""
    return Recorder(build, tmp_path / "segments")


@pytest.fixture(scope="module")
def x_server():
    server = XServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def weston(tmp_path_factory):
    server = Weston(tmp_path_factory.mktemp("weston"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def sway(tmp_path_factory):
    for needed in ("sway", "swaymsg", "grim", "setpriv"):
        if not shutil.which(needed):
            pytest.skip(f"{needed} is not installed: tools/deps tests")
    server = Sway(tmp_path_factory.mktemp("sway"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def network(build):
    place = Network(build)
    yield place
    place.close()


@pytest.fixture
def host(network, build, tmp_path):
    """A host without devices. Its adb server does not run yet."""
    place = Host(network, build, tmp_path)
    yield place
    place.close()


@pytest.fixture
def adbd(host, tmp_path):
    """Creates devices. adbd() returns a device with no Android commands except dejank's dumpsys."""
    if not Path(ADBD).exists() or not shutil.which("adb"):
        pytest.skip("adb and adbd are not installed: tools/deps tests")
    devices = []

    def make():
        device = Device(host, tmp_path / f"device{len(devices)}")
        devices.append(device)
        return device

    yield make
    for device in devices:
        device.kill()


@pytest.fixture
def phone_app(adbd):
    """Creates an app on a new device. The test knows its frames to the nanosecond (stand_in.py)."""

    def make(package="com.example.app", **planted):
        return StandIn(adbd(), package, sys.executable, **planted)

    return make


@pytest.fixture
def android(host, build, tmp_path):
    """Creates stand-in Android devices: android(release="12", …). See android/__init__.py."""
    if not Path(ADBD).exists() or not shutil.which("adb"):
        pytest.skip("adb and adbd are not installed: tools/deps tests")
    phones = []

    def make(**more):
        phone = Phone(host, tmp_path / f"phone{len(phones)}", build / "tests/programs/device_command", **more)
        phones.append(phone)
        return phone

    yield make
    for phone in phones:
        phone.close()


@pytest.fixture
def nobody(build):
    """(prefix, environment, folder) to run commands as the user "nobody", who owns the folder."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("needs root and setpriv, to be another user")
    prefix = ["setpriv", f"--reuid={clickhouse.NOBODY}", f"--regid={clickhouse.NOBODY}", "--clear-groups"]
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    os.chown(folder, clickhouse.NOBODY, clickhouse.NOBODY)
    try:
        if subprocess.run([*prefix, "test", "-x", build / "dejank"], check=False).returncode != 0:
            pytest.skip("nobody may not enter a folder above the build")
        yield prefix, {"DEJANK_DIR": str(folder / "segments")}, folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def cluster():
    """Two ClickHouse servers."""
    reason = clickhouse.reason_to_skip()
    if reason:
        pytest.skip(reason)
    servers = clickhouse.Cluster(folder=clickhouse.memory_folder())
    yield servers
    servers.close()


@pytest.fixture
def fleet(build, tmp_path, cluster):
    """dejank fleet on two empty shards."""
    cluster.start()
    one = Fleet(build, tmp_path, cluster)
    one.clear()
    one.run("init")
    return one
