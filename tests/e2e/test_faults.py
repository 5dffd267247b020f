"""`dejank run` with faults: each one in the window of the second of three runs, and the most likely ones in other phases.

In all cases, the outcome has the right name, and finished runs stay in the store with exactly the frames drawn in their windows.
The batch continues or can be resumed, settings are restored, and the exit code is the documented one.

A run mostly waits, so all cases are played in parallel, each on its own device."""

import concurrent.futures
import contextlib
import copy
import shutil
import signal
import sqlite3
import subprocess
import threading
from pathlib import Path

import pytest

from android.app import Frames, Test
from android.phone import Phone
from devices import ADBD, Host, wait_for

PACKAGE = "com.example.app"
TESTS = "com.example.app.test"
RUNNER = f"{TESTS}/androidx.test.runner.AndroidJUnitRunner"
BEGINS = ("dumpsys", "gfxinfo", PACKAGE, "reset")  # the last command before the window opens
ENDED = ("pidof", PACKAGE)  # the first command after the window
STOP = ("am", "force-stop", PACKAGE)
AT_ONCE = 32
OWN_SERVER = ["the adb server is killed in the window"]


class Rig:
    """A phone with an app, a store, and methods that execute `dejank run` on them."""

    def __init__(self, host, phone, folder):
        self.host, self.phone, self.folder = host, phone, folder
        self.store = folder / "history.db"
        phone.dump_timeout_s = 1.0
        phone.install(PACKAGE, frames=Frames((8.0, 8.0, 24.0)))
        phone.settings["global"]["window_animation_scale"] = "0.5"  # a value that dejank changes and must restore
        phone.properties["debug.hwui.profile"] = "visual_bars"
        self.before = self.settings()

    def settings(self):
        return copy.deepcopy((self.phone.settings, self.phone.properties.get("debug.hwui.profile")))

    def command(self, *more, what=("--for", "1s"), runs=3):
        return [self.host.build / "dejank", "run", "--device", self.phone.serial, "--package", PACKAGE, *what, "-n", runs,
                "--warmup", "0", "--settle", "200ms", "--profile", "--max-load", 100, "--store", self.store,
                "--source", "gfxinfo", *more]

    def run(self, *more, **options):
        return self.host.run(*self.command(*more, **options), timeout=200)

    def start(self, *more, **options):
        return self.host.popen(*self.command(*more, **options))

    def ask(self, sql):
        store = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)
        try:
            return store.execute(sql).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # the store is being created
                return []
            raise
        finally:
            store.close()

    def outcomes(self):
        """(number, attempt, outcome) of all runs, in the order in which they were stored."""
        return self.ask("SELECT number, attempt, outcome FROM runs ORDER BY id")

    def reason(self, outcome):
        return self.ask(f"SELECT reason FROM runs WHERE outcome = '{outcome}'")[0][0]

    def check(self, restored=True):
        """Checks that the store is intact, that its rows match the drawn frames, and that the settings are restored."""
        assert self.ask("PRAGMA integrity_check") == [("ok",)]
        assert self.ask("PRAGMA foreign_key_check") == []
        if restored:
            assert self.settings() == self.before
        told = self.ask("SELECT ordinal, start_dev_ns, end_dev_ns, frames, rows FROM runs JOIN windows ON windows.run_id = runs.id "
                        "JOIN metrics ON metrics.window_id = windows.id WHERE outcome = 'ok' AND start_dev_ns")
        for ordinal, begin, end, frames, rows in told:
            drawn = sum(len(process.between(begin, end)) for process in self.phone.ran)
            # On a busy machine, the begin of a test is read late, so the window of a test (ordinal > 0) may be short.
            assert drawn >= (50 * (end - begin) / 1e9 - 2 if ordinal else 25), (ordinal, begin, end, drawn)
            assert 0 <= drawn - rows <= 2, (ordinal, begin, end, rows, drawn)  # the last frames are still being drawn
            assert rows <= frames or frames is None, "what a late last reading counts beyond the end is in no row"

    def in_window(self, do, run=2):
        """Calls do() in the middle of the window of this run."""
        self.phone.when(BEGINS, do, nth=run, after=True, delay_s=0.5)


# ---- the matrix

OK3 = [(1, 1, "ok"), (2, 1, "ok"), (3, 1, "ok")]


def mended(outcome):
    """Outcomes if the second run failed and was repeated, and the batch continued."""
    return [(1, 1, "ok"), (2, 1, outcome), (2, 2, "ok"), (3, 1, "ok")]


def cool(phone):
    phone.overheat(0)
    phone.set_battery(temperature_c=27.5)


def then(do, undo):
    """Calls do(phone) now, and undo(phone) before the next run."""
    def both(phone):
        phone.when(("am", "start"), lambda: undo(phone))
        do(phone)
    return both


def broken_off(text):
    """Truncates a dump in the fourth row, or in the middle if it has no rows."""
    at = text.find("---PROFILEDATA---")
    return text[:at + 1500] if at >= 0 else text[:len(text) // 2]


# The fault in the window of the second run, and the expected outcome.
IN_WINDOW = {
    "the app crashes": (lambda phone: phone.crash(PACKAGE), "app-crashed"),
    "the app is gone": (lambda phone: phone.kill(PACKAGE), "app-gone"),
    "the app hangs": (lambda phone: phone.hang(PACKAGE), "app-gone"),
    "the device is unplugged": (lambda phone: phone.unplug(back_after_s=2), "device-gone"),
    "the device reboots": (lambda phone: phone.reboot(seconds=2), "device-gone"),
    "its storage is full": (lambda phone: phone.fill_storage(), "ok"),
    "its clock jumps": (lambda phone: phone.jump_clock(-3600), "ok"),
    "dumps are damaged": (then(lambda phone: phone.corrupt_dumps(), lambda phone: phone.corrupt_dumps(None)), "ok"),
    "dumps break off": (then(lambda phone: phone.corrupt_dumps(broken_off), lambda phone: phone.corrupt_dumps(None)), "rows-lost"),
    "dumps are none": (then(lambda phone: phone.corrupt_dumps(lambda text: "Segmentation fault\n"),
                            lambda phone: phone.corrupt_dumps(None)), "app-gone"),
    "dumps are slow": (then(lambda phone: phone.slow_dumps(0.3), lambda phone: phone.slow_dumps(0)), "ok"),
    "the screen goes off": (lambda phone: phone.set_screen(on=False), "screen-off"),
    "it overheats": (lambda phone: (phone.overheat(), phone.later(6, lambda: cool(phone))), "overheated"),
}


CASES = {}  # name → function that plays the case on a rig and checks the result


def case(function):
    CASES[function.__name__.replace("_", " ")] = function
    return function


def in_the_window(do, outcome):
    def play(rig):
        rig.in_window(lambda: do(rig.phone))
        done = rig.run()
        assert done.returncode == 0, done.stderr
        assert rig.outcomes() == (OK3 if outcome == "ok" else mended(outcome)), done.stderr
        if outcome != "ok":
            assert rig.reason(outcome)
        rig.check()
    return play


CASES.update({f"{name} in the window": in_the_window(*what) for name, what in IN_WINDOW.items()})


# ---- other phases, pairs, and the host's own faults

@case
def the_adb_server_is_killed_in_the_window(rig):
    rig.in_window(lambda: rig.host.adb("kill-server"))
    done = rig.run()
    assert done.returncode == 0, done.stderr
    assert rig.outcomes() == mended("device-gone")
    rig.check()


@case
def instrumentation_is_aborted_in_the_window(rig):
    rig.phone.install(TESTS, target=PACKAGE, tests=[Test("com.example.T", f"test{number}", 1.0) for number in range(2)])
    rig.phone.when(("am", "instrument"), rig.phone.abort_instrumentation, nth=2, delay_s=1.25)
    done = rig.run(what=("--instrument", RUNNER))
    assert done.returncode == 0, done.stderr
    assert rig.outcomes() == mended("instrumentation-failed")
    assert "crashed" in rig.reason("instrumentation-failed")
    rig.check()


@case
def sigkill_in_the_window_and_resuming(rig):
    process = rig.start()
    killed = []
    rig.in_window(lambda: killed.append(process.kill()))
    process.communicate(timeout=60)
    assert killed and process.returncode == -signal.SIGKILL
    assert rig.outcomes() == [(1, 1, "ok")], "the finished run is there, the other one is not"
    kept = rig.ask("SELECT * FROM runs JOIN windows ON windows.run_id = runs.id JOIN metrics ON metrics.window_id = windows.id")
    assert rig.settings() != rig.before, "nobody could put them back yet"
    done = rig.run("--resume")
    assert done.returncode == 0, done.stderr
    assert rig.outcomes() == OK3
    assert rig.ask("SELECT count(*) FROM batches") == [(1,)]
    assert rig.ask("SELECT * FROM runs JOIN windows ON windows.run_id = runs.id JOIN metrics ON metrics.window_id = windows.id "
                   "WHERE number = 1") == kept
    rig.check()


@case
def settings_are_put_back_by_doctor_after_a_kill(rig):
    process = rig.start()
    rig.in_window(process.kill, run=1)
    process.communicate(timeout=60)
    assert rig.settings() != rig.before
    told = rig.host.dejank("doctor").stdout
    assert rig.phone.serial in told and "dejank doctor --restore" in told
    done = rig.host.dejank("doctor", "--restore")
    assert done.returncode == 0, done.stderr
    assert rig.settings() == rig.before
    assert "no changed setting to restore" in rig.host.dejank("doctor").stdout


def sigkill_while_stored(delay_s):
    def play(rig):
        process = rig.start(runs=3)  # dejank is killed while it stores the second run; the third run keeps it running until then
        rig.phone.when(STOP, process.kill, nth=4, after=True, delay_s=delay_s)  # each run has one force-stop at its start and one at its end
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        assert rig.outcomes() in ([(1, 1, "ok")], [(1, 1, "ok"), (2, 1, "ok")])
        assert rig.ask("PRAGMA integrity_check") == [("ok",)]
        done = rig.run("--resume", runs=3)
        assert done.returncode == 0, done.stderr
        assert rig.outcomes() == [(1, 1, "ok"), (2, 1, "ok"), (3, 1, "ok")]
        rig.check()
    return play


CASES.update({f"sigkill {delay_s} s into storing": sigkill_while_stored(delay_s) for delay_s in (0.0, 0.01, 0.02, 0.05)})


@contextlib.contextmanager
def tiny_disk(folder):
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tiny", folder], capture_output=True, check=False).returncode:
        pytest.skip("mounting is refused here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@case
def the_host_s_storage_fills_up_while_a_run_is_stored(rig):
    with tiny_disk(rig.folder / "tiny") as folder:
        on_a_tiny_disk(rig, folder)


def on_a_tiny_disk(rig, tiny_disk):
    rig.store = tiny_disk / "history.db"
    rig.phone.when(ENDED, lambda: fill(tiny_disk), nth=2)
    done = rig.run()
    assert done.returncode == 4, done.stderr
    assert str(rig.store) in done.stderr and "full" in done.stderr
    assert rig.outcomes() == [(1, 1, "ok")]
    rig.check()
    (tiny_disk / "rubbish").unlink()
    done = rig.run("--resume")
    assert done.returncode == 0, done.stderr
    assert rig.outcomes() == OK3
    rig.check()


def fill(folder):
    with open(folder / "rubbish", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


@case
def nothing_can_be_installed_as_the_storage_is_full(rig):
    apk = rig.phone.apk(rig.folder / "app.apk", PACKAGE)
    rig.phone.storage_full = True
    done = rig.run("--apk", apk)
    assert done.returncode in (3, 4), done.stderr
    assert "INSTALL_FAILED_INSUFFICIENT_STORAGE" in done.stderr
    assert not list((rig.phone.folder / "data/local/tmp").iterdir()), "what was pushed is taken away again"
    rig.phone.fill_storage()
    done = rig.run("--apk", apk)
    assert done.returncode in (3, 4) and "No space left" in done.stderr
    assert rig.settings() == rig.before


@case
def the_app_crashes_whenever_it_starts(rig):
    rig.phone.when(("am", "start"), lambda: rig.phone.crash(PACKAGE), after=True)
    done = rig.run("--retries", "0", runs=1)
    assert done.returncode == 4, done.stderr
    assert rig.outcomes() == [(1, 1, "app-crashed")]
    assert rig.settings() == rig.before


@case
def the_device_is_unplugged_before_a_run_and_once_more_while_it_is_read(rig):
    rig.phone.when(("am", "start"), lambda: rig.phone.unplug(back_after_s=1), nth=2)
    rig.phone.when(ENDED, lambda: rig.phone.unplug(back_after_s=1), nth=3)
    done = rig.run()
    assert done.returncode == 0, done.stderr
    outcomes = rig.outcomes()
    assert [number for number, _, outcome in outcomes if outcome == "ok"][-3:] == [1, 2, 3] and len(outcomes) <= 6
    assert sum(outcome == "device-gone" for _, _, outcome in outcomes) in (1, 2)
    rig.check()


@case
def the_app_crashes_as_it_is_read_after_the_window(rig):
    rig.phone.when(ENDED, lambda: rig.phone.crash(PACKAGE), nth=2)
    done = rig.run()
    assert done.returncode == 0, done.stderr
    assert rig.outcomes() == mended("app-crashed")
    rig.check()


@case
def the_device_reboots_as_it_is_read_after_the_window(rig):
    rig.phone.when(ENDED, lambda: rig.phone.reboot(seconds=2), nth=2)
    done = rig.run()
    assert done.returncode == 0, done.stderr
    assert rig.outcomes() == mended("device-gone")
    rig.check()


def unplugged_at(command):
    def play(rig):
        rig.phone.when(command, lambda: rig.phone.unplug(back_after_s=1), after=True)
        done = rig.run(runs=1)
        assert done.returncode == 0, done.stderr
        assert "the device is connected again" in done.stderr
        assert rig.outcomes() == [(1, 1, "ok")]
        rig.check()
    return play


PUT = ("settings", "put", "global", "window_animation_scale")
CASES["the device is unplugged while it is set up"] = unplugged_at((*PUT, "1"))
CASES["the device is unplugged while its settings are put back"] = unplugged_at((*PUT, "0.5"))


@case
def a_setting_is_refused(rig):
    rig.phone.settings["global"]["animator_duration_scale"] = "0.5"
    rig.before = rig.settings()
    rig.phone.refuses = {("global", "animator_duration_scale")}
    done = rig.run(runs=1)
    assert done.returncode == 0, done.stderr
    assert "does not accept global animator_duration_scale = 1" in done.stderr
    rig.check()
    assert "no device has settings to restore" in rig.host.dejank("doctor", "--restore").stderr


@case
def the_device_never_comes_back(rig):
    rig.in_window(rig.phone.unplug)
    process = rig.start()
    wait_for(lambda: rig.store.exists() and (2, 1, "device-gone") in rig.outcomes(), "the run to fail", 60)
    process.send_signal(signal.SIGINT)  # stop waiting for the device
    _, said = process.communicate(timeout=60)
    assert process.returncode in (3, 4), said
    assert rig.outcomes()[:2] == [(1, 1, "ok"), (2, 1, "device-gone")]
    rig.phone.plug()
    done = rig.host.dejank("doctor", "--restore")
    assert done.returncode == 0, done.stderr
    assert rig.settings() == rig.before


@case
def a_second_dejank_is_kept_off(rig):
    process = rig.start()
    wait_for(lambda: BEGINS in rig.phone.asked, "the first run to begin", 60)
    done = rig.host.run(*rig.command()[:-2], "--store", rig.folder / "other.db")
    assert done.returncode == 3 and "another dejank" in done.stderr
    assert process.communicate(timeout=60) and process.returncode == 0
    assert rig.outcomes() == OK3
    rig.check()


# ---- all cases in parallel

@pytest.fixture(scope="module")
def played(request, network, build, tmp_path_factory):
    """{name of a selected case: its future}."""
    if not Path(ADBD).exists() or not shutil.which("adb"):
        pytest.skip("adb and adbd are not installed: tools/deps tests")
    names = [item.callspec.params["name"] for item in request.session.items
             if item.module is request.module and "played" in item.fixturenames]
    folder = tmp_path_factory.mktemp("faults")

    shared = Host(network, build, folder)
    shared.adb("start-server")
    one_by_one = threading.Lock()

    def play(number):
        place = folder / str(number)
        place.mkdir()
        host = Host(network, build, place)
        if names[number] not in OWN_SERVER:
            host.env["ANDROID_ADB_SERVER_PORT"] = str(shared.port)
        with one_by_one:
            phone = Phone(host, place / "phone", build / "tests/programs/device_command", release="12")
        with contextlib.closing(phone):
            CASES[names[number]](Rig(host, phone, place))
        if names[number] in OWN_SERVER:
            host.close()

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        yield {name: pool.submit(play, number) for number, name in enumerate(names)}
    shared.close()


@pytest.mark.parametrize("name", CASES)
def test_when(played, name):
    played[name].result()
