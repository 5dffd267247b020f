"""Frames from SurfaceFlinger: of apps that gfxinfo does not see, and with --source surface. The devices are stand-ins
(android/surfaces.py), whose presents are known to the nanosecond."""
import time

import pytest

import naive_surfaceflinger as naive
from android.app import Frames

PACKAGE = "com.example.game"
RELEASES = ["9", "11", "12", "15"]


@pytest.fixture
def game(android):
    """game(release): a device with an app that draws into a SurfaceView, of two frames in time and one of two refreshes."""

    def start(release, renderer="SurfaceView", ms=(8.0, 8.0, 24.0)):
        phone = android(release=release)
        phone.install(PACKAGE, renderer=renderer, frames=Frames(ms))
        process, _ = phone.start(PACKAGE)
        return phone, process

    return start


@pytest.fixture
def flinger(host):
    """flinger(phone, ARGUMENTS…): what dumpsys SurfaceFlinger prints."""

    def run(phone, *words):
        host.adb("connect", phone.serial)
        return host.adb("-s", phone.serial, "shell", "dumpsys", "SurfaceFlinger", *words).stdout

    return run


# ---- the stand-in itself

@pytest.mark.parametrize("release", RELEASES)
def test_the_stand_in_prints_what_it_has_planted(game, flinger, release):
    phone, process = game(release)
    assert flinger(phone, "--timestats", "-dump") == ""
    begin = phone.now_ns()
    flinger(phone, "--timestats", "-clear", "-enable")
    time.sleep(0.4)
    flinger(phone, "--timestats", "-disable")
    end = phone.now_ns()
    one, = naive.read(flinger(phone, "--timestats", "-dump"))
    assert one["package"] == PACKAGE and one["layer"] in naive_names(flinger(phone, "--list"))
    planted = phone.surfaces.presents(process, begin, end)
    assert 0 <= len(planted) - 1 - one["total_frames"] <= 3
    assert sum(one["histogram"].values()) == one["total_frames"] and set(k for k, n in one["histogram"].items() if n) == {16, 33}
    read = naive.read(flinger(phone, "--latency", f"'{one['layer']}'"))[0]
    assert read["rows"] == 127 and read["complete_rows"] >= one["total_frames"]


def naive_names(text):
    return [one["layer"] for one in naive.read_list(text)]


def test_the_stand_in_has_containers_and_renames_layers(game, flinger):
    phone, _ = game("12")
    names = [name for name in naive_names(flinger(phone, "--list")) if PACKAGE in name]
    with_frames, = [name for name in names if "(BLAST)" in name]
    container, = [name for name in names if "SurfaceView" in name and name != with_frames]
    assert naive.read_latency(flinger(phone, "--latency", f"'{container}'"))[0]["complete_rows"] == 0
    phone.surfaces.rename(PACKAGE)
    assert with_frames not in naive_names(flinger(phone, "--list"))
    assert len(flinger(phone, "--latency", f"'{with_frames}'").split()) == 1
