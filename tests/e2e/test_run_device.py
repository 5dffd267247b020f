"""`dejank run` on a stand-in device: settings that it changes, apps that gfxinfo does not see, and apps that do not run."""

import json
import signal

import pytest

from android.app import Frames
from devices import wait_for
from test_run import Run

PACKAGE = "com.example.app"
QUICK = ("-n", "1", "--warmup", "0", "--retries", "0")


@pytest.fixture
def run(host, tmp_path):
    made = Run(host, tmp_path)
    plain = made.command
    made.command = lambda *words: plain("--package", PACKAGE, *words)
    return made


def test_the_refresh_rate_is_held_and_given_back(run, android):
    phone = android(release="13", rates=(60.0, 120.0))
    phone.install(PACKAGE)
    phone.settings["system"]["peak_refresh_rate"] = "60.0"
    before = json.dumps(phone.settings)
    held = []
    phone.when(("am", "start"), lambda: held.append((phone.settings["system"].get("peak_refresh_rate"),
                                                     phone.settings["system"].get("min_refresh_rate"))))
    run("--device", phone.serial, "--refresh-rate", "120", "--for", "300ms", *QUICK)
    assert held == [("120", "120")]
    assert json.dumps(phone.settings) == before
    assert ("settings", "delete", "system", "min_refresh_rate") in phone.asked, "it was not there before"


def test_a_screen_turned_by_a_dejank_that_was_killed_is_turned_back(run, android):
    phone = android(release="12")
    phone.install(PACKAGE)
    phone.settings["system"].update(accelerometer_rotation="1", user_rotation="0")
    process = run.host.popen(*run.command("--device", phone.serial, "--gesture", "rotate 90; wait 60s", *QUICK))
    try:
        wait_for(lambda: phone.settings["system"]["user_rotation"] == "1", "the screen to be turned")
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    assert phone.settings["system"]["accelerometer_rotation"] == "0"
    done = run.host.dejank("doctor", "--restore")
    assert done.returncode == 0, done.stderr
    assert (phone.settings["system"]["accelerometer_rotation"], phone.settings["system"]["user_rotation"]) == ("1", "0")


def run_on_gfxinfo(run, phone):
    """(outcome, reason) of a run that reads only gfxinfo."""
    done = run("--device", phone.serial, "--source", "gfxinfo", "--for", "600ms", *QUICK, code=4)
    (found,) = run.ask("SELECT outcome, reason FROM runs")
    assert found[1] in done.stderr
    return found


@pytest.mark.parametrize("renderer, release", [("SurfaceView", "13"), ("flutter", "10"), ("native", "9"), ("native", "15")])
def test_what_gfxinfo_does_not_see_is_named_by_its_layer(run, android, renderer, release):
    phone = android(release=release)
    phone.install(PACKAGE, renderer=renderer)
    outcome, reason = run_on_gfxinfo(run, phone)
    assert outcome == "not-in-gfxinfo", reason
    assert ("SurfaceView" in reason) == (renderer != "native") and f"{PACKAGE}/" in reason


@pytest.mark.parametrize("renderer", ["SurfaceView", "hwui"])
def test_a_layer_without_a_frame_in_the_window_is_no_reason(run, android, renderer):
    """A paused player also has a SurfaceView."""
    phone = android(release="12")
    phone.install(PACKAGE, renderer=renderer, frames=Frames(when="never"))
    assert run_on_gfxinfo(run, phone)[0] == "no-frames"


def test_a_surface_view_is_the_reason_if_surfaceflinger_reports_no_times(run, android):
    phone = android(release="12")
    phone.install(PACKAGE, renderer="SurfaceView")
    phone.surfaces.lacks = {"latency"}
    assert run_on_gfxinfo(run, phone)[0] == "not-in-gfxinfo"


def test_a_device_that_was_away_for_ten_seconds_continues(run, android):
    phone = android(release="12")
    phone.install(PACKAGE)
    phone.when(("dumpsys", "gfxinfo", PACKAGE, "reset"), lambda: phone.unplug(back_after_s=10), after=True, delay_s=0.2)
    done = run("--device", phone.serial, "--for", "500ms", "-n", "1", "--warmup", "0")
    assert [one[3] for one in run.runs()] == ["device-gone", "ok"], done.stderr
    assert "the device has disconnected" in done.stderr and "the device is connected again" in done.stderr


def test_what_is_left_of_others_keeps_no_start_waiting(run, android):
    """Leftover journals of disconnected devices are reported in one line. `doctor --restore` renames a damaged journal."""
    phone = android(release="12")
    phone.install(PACKAGE)
    journals = run.host.home / "dejank/settings"
    journals.mkdir(parents=True)
    for number in (1, 2):
        (journals / f"gone{number}").write_text(f"dejank-journal 1\ndevice\t127.0.0.1:{number}\nglobal\tstay_on_while_plugged_in\t=0\n")
    (journals / "torn").write_text("not a journal\n")
    said = run("--device", phone.serial, "--for", "300ms", *QUICK).stderr
    told, = [line for line in said.splitlines() if "not restored yet" in line]
    assert "127.0.0.1:1" in told and "127.0.0.1:2" in told
    assert "`dejank doctor --restore` renames this file" in said and (journals / "torn").exists()
    for journal in journals.glob("gone*"):
        journal.unlink()
    done = run.host.dejank("doctor", "--restore")
    assert done.returncode == 3 and "the file is now named" in done.stderr
    assert not (journals / "torn").exists() and (journals / ".damaged-torn").exists()
    assert run.host.dejank("doctor", "--restore").returncode == 0


# ---- apps that are not installed or do not run


def test_an_app_that_is_not_installed_fails_at_once(run, android):
    phone = android(release="12")
    done = run("--device", phone.serial, "--for", "300ms", "-n", "10", code=4)
    assert f"{PACKAGE} is not installed on {phone.serial}; install it with --apk FILE" in done.stderr
    assert not any(words[:2] == ("am", "start") for words in phone.asked)
    assert run.ask("SELECT count(*) FROM batches") == [(0,)]


def test_an_app_of_another_user_is_started(run, android):
    phone = android(release="12")
    phone.install(PACKAGE)
    phone.not_of_user_0.add(PACKAGE)
    run("--device", phone.serial, "--for", "300ms", *QUICK)
    assert [outcome for *_, outcome in run.runs()] == ["ok"]


def test_an_app_to_attach_to_must_run(run, android):
    phone = android(release="12")
    phone.install(PACKAGE)
    done = run("--device", phone.serial, "--attach", "--for", "300ms", "-n", "10", code=4)
    assert f"no process named '{PACKAGE}' runs on {phone.serial}; start the app first" in done.stderr
    assert run.ask("SELECT count(*) FROM batches") == [(0,)]


def test_a_program_of_this_machine_that_nothing_starts_must_run(run):
    done = run("--for", "300ms", "-n", "10", code=4)
    assert f"no recorded process named '{PACKAGE}' runs on local:, and no command was given" in done.stderr
    assert f"'dejank record --name {PACKAGE} -- CMD'" in done.stderr
    assert run.ask("SELECT count(*) FROM batches") == [(0,)]


def test_a_program_that_runs_is_measured(run):
    process = run.host.popen(run.host.build / "dejank", "record", "--name", PACKAGE, "--", run.panel, "100000")
    try:
        wait_for(lambda: run.host.run("dumpsys", "gfxinfo", PACKAGE).stdout.count("Total frames"), "the program to draw")
        run("--for", "300ms", *QUICK)
        assert [outcome for *_, outcome in run.runs()] == ["ok"]
    finally:
        process.terminate()
        process.communicate()


def test_a_command_may_take_long_to_appear(run):
    run("--for", "300ms", *QUICK, "--", "sh", "-c", 'sleep 3; exec "$0" 100000', run.panel)
    assert [outcome for *_, outcome in run.runs()] == ["ok"]
