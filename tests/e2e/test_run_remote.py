"""`dejank run --device SERIAL -- CMD`: a program on a Linux device behind the real adb and adbd. The device's dejank records it."""

import os
import signal

import pytest

from devices import wait_for
from test_run import Run, panels

QUICK = ("-n", "1", "--warmup", "0", "--retries", "0")


@pytest.fixture
def device(host, adbd):
    made = adbd()
    assert "connected" in host.adb("connect", made.serial).stdout
    return made


@pytest.fixture
def run(host, tmp_path, device):
    made = Run(host, tmp_path)
    plain = made.command
    made.command = lambda *words: plain("--device", device.serial, *words)
    return made


def test_a_program_there_is_recorded_there(run):
    done = run("--for", "1s", "-n", "2", "--warmup", "0", "--", "sh", "-c", 'exec "$0" "$@"', run.panel, "2000")
    assert run.runs() == [(1, 1, 0, "ok"), (2, 1, 0, "ok")], done.stderr
    frames, rows = run.ask("SELECT frames, rows_usable FROM metrics JOIN windows ON windows.id = window_id ORDER BY window_id")[-1]
    assert 20 <= frames <= 64 and rows >= 0.8 * frames
    assert [batch["name"] for batch in run.batches()] == ["idle"]
    assert panels(run.host) == []


def test_it_dies_with_dejank_also_where_it_would_not(run):
    stubborn = ("sh", "-c", 'trap "" HUP TERM INT; exec "$0" "$@"', run.panel, "100000")
    process = run.host.popen(*run.command("--for", "60s", *QUICK, "--package", "stubborn", "--", *stubborn))
    try:
        wait_for(lambda: panels(run.host), "the program to run")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        wait_for(lambda: not panels(run.host), "the program to end")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def test_how_it_ended_is_told(run):
    script = 'exec 2>&1; "$0" 40 >/dev/null; echo "no more $(id -u) to do"; exit 7'
    run("--for", "1s", *QUICK, "--", "sh", "-c", script, run.panel, code=4)
    (outcome, reason), = run.ask("SELECT outcome, reason FROM runs")
    assert outcome == "app-gone"
    assert f"it ended with exit code 7; its last output was: no more {os.getuid()} to do" in reason


def test_a_device_without_dejank_says_what_to_do(run, device):
    device.command("dejank", "#!/bin/sh\nexit 127\n")
    done = run("--for", "1s", *QUICK, "--", run.panel, code=4)
    assert "the device's adbd finds no dejank in its PATH" in done.stderr and "make install" in done.stderr
    device.command("dejank", "#!/bin/sh\necho usage\n")
    done = run("--for", "1s", *QUICK, "--", run.panel, code=4)
    assert "too old" in done.stderr


def test_android_and_recordings_start_no_commands(run, tmp_path):
    run.command = Run(run.host, tmp_path).command
    done = run("--device", f"replay:{tmp_path}", "--", "true", code=2)
    assert "is a recorded device and cannot start true" in done.stderr
