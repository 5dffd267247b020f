"""`dejank run`: repeated runs of an app, on this machine and on a stand-in Android device. test_faults.py tests device faults."""

import json
import os
import pty
import re
import signal
import sqlite3

import pytest

from android.app import Test
from devices import wait_for

FAST = ("--max-load", "100", "--settle", "100ms")


class Run:
    """Runs `dejank run` with its own store."""

    def __init__(self, host, folder):
        self.host = host
        self.store = folder / "history.db"
        self.panel = host.build / "examples/example-panel"
        if not self.panel.exists():
            pytest.skip("the examples were not built")

    def command(self, *words):
        return [self.host.build / "dejank", "run", "--store", self.store, *FAST, *words]

    def __call__(self, *words, code=0):
        done = self.host.run(*self.command(*words), timeout=100)
        assert done.returncode == code, done.stderr
        return done

    def batches(self):
        """Newest first."""
        listed = self.host.dejank("list", "--json", "--store", self.store)
        assert listed.returncode == 0, listed.stderr
        return json.loads(listed.stdout)["batches"]

    def ask(self, sql):
        store = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)
        try:
            return store.execute(sql).fetchall()
        finally:
            store.close()

    def runs(self):
        return self.ask("SELECT number, attempt, warmup, outcome FROM runs ORDER BY id")

    def has_run(self):
        try:
            return self.ask("SELECT count(*) FROM runs") > [(0,)]
        except sqlite3.OperationalError:
            return False  # the store does not exist yet


@pytest.fixture
def run(host, tmp_path):
    return Run(host, tmp_path)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def panels(host):
    """Returns the pids of the example programs that record into this host's segments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environment, open(f"/proc/{pid}/cmdline", "rb") as words:
                if str(host.segments).encode() in environment.read() and b"example-panel" in words.read().split(b"\0")[0]:
                    found.append(int(pid))
        except OSError:
            pass
    return found


# ---- this machine

def test_a_program_of_this_machine(run):
    done = run("--for", "1s", "-n", "2", "--", run.panel, "2000")
    assert run.runs() == [(1, 1, 1, "ok"), (1, 1, 0, "ok"), (2, 1, 0, "ok")]
    batch, = run.batches()
    assert (batch["device"], batch["runs"], batch["failed"], batch["planned"]) == ("local:", 2, 0, 2)
    lines = done.stdout.splitlines()
    assert len(lines) <= 12 and lines[0] == "2 of 2 runs are usable"
    assert re.match(batch["id"] + r" +2 +\d+\.\d\d +", lines[3]), done.stdout
    assert f"  dejank report --store {run.store} {batch['id']}" in lines
    assert "run 2: ok" in done.stderr and "fingerprint" in done.stderr
    frames, rows = run.ask("SELECT frames, rows_usable FROM metrics JOIN windows ON windows.id = window_id ORDER BY window_id")[-1]
    assert 30 <= frames <= 62 and rows >= 0.9 * frames, "60 a second for a second, of the program alone"
    assert panels(run.host) == []


def test_ctrl_c_keeps_the_books_and_resume_makes_what_is_missing(run):
    words = ("--warmup", "0", "--for", "1s", "-n", "3", "--", run.panel, "2000")
    process = run.host.popen(*run.command(*words))
    wait_for(run.has_run, "the first run")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 4, said
    assert b"--resume" in said
    assert panels(run.host) == []
    done = [one for one in run.runs() if one[3] == "ok"]
    assert 1 <= len(done) < 3 and all(one[3] in ("ok", "interrupted") for one in run.runs())
    resumed = run("--resume", *words)
    assert "continues batch" in resumed.stderr
    assert len(run.batches()) == 1
    assert sorted(one[0] for one in run.runs() if one[3] == "ok") == [1, 2, 3], "none is made twice"
    before = run.runs()
    run("--resume", *words)
    assert run.runs() == before, "nothing was missing"
    assert "starts batch" in run("--resume", *words[:-1], "1999").stderr, "another command is another batch"


def test_the_program_dies_with_dejank(run):
    process = run.host.popen(*run.command("--for", "60s", "--", run.panel, "20000"))
    wait_for(lambda: panels(run.host), "the program")
    pid, = panels(run.host)
    process.kill()
    process.communicate(timeout=30)
    wait_for(lambda: not alive(pid), "the program to end")


def test_programs_that_do_not_hold_out(run):
    crash = run("--warmup", "0", "--retries", "0", "-n", "1", "--", "sh", "-c", "kill -SEGV $$", code=4)
    assert "app crashed" in crash.stderr and "signal 11" in crash.stderr
    gone = run("--warmup", "0", "--retries", "0", "-n", "1", "--for", "2s", "--", run.panel, "60", code=4)
    assert "app gone" in gone.stderr and "exit code 0" in gone.stderr, gone.stderr
    silent = run("--warmup", "0", "--retries", "0", "-n", "1", "--", "sh", "-c", "echo sorry >&2; exit 3", code=4)
    assert "app gone" in silent.stderr and "sorry" in silent.stderr
    assert "0 of 1 runs are usable; 1 attempt failed" in silent.stdout and "1 attempt failed: app gone" in silent.stdout
    assert "dejank show" in silent.stdout and "dejank report" not in silent.stdout
    assert [one[3] for one in run.runs()] == ["app-crashed", "app-gone", "app-gone"]


def test_what_runs_already_is_left_running(run, tmp_path):
    app = run.host.popen(run.host.build / "dejank", "record", "--name", "panel", "--", run.panel, "2000")
    try:
        wait_for(lambda: panels(run.host), "the program")
        run("--package", "panel", "--warmup", "0", "--for", "500ms", "-n", "2")
        assert app.poll() is None
        twice = run("--warmup", "0", "--retries", "0", "-n", "1", "--package", "panel", "--", run.panel, "2000", code=4)
        assert "is already running" in twice.stderr, "its frames would be taken for the other's"
        assert app.poll() is None
    finally:
        app.terminate()
        app.communicate(timeout=30)


def test_aggregates_alone_have_no_rows(run):
    run("--warmup", "0", "--aggregate-only", "--for", "500ms", "-n", "1", "--", run.panel, "2000")
    (frames, p95), = run.ask("SELECT frames, frame_time_p95_ns FROM metrics")
    assert 15 <= frames <= 40 and p95 is None


def test_events_as_json_lines(run):
    done = run("--json-lines", "--warmup", "0", "--for", "500ms", "-n", "2", "--", run.panel, "2000")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["schema"] for event in events} == {"dejank.run-events/1"}
    kinds = [event["event"] for event in events if event["event"] != "progress"]
    assert kinds == ["device", "batch", "run", "run-end", "run", "run-end", "device-end"]
    ends = [event for event in events if event["event"] == "run-end"]
    assert [(end["run"], end["outcome"]) for end in ends] == [(1, "ok"), (2, "ok")]
    assert all(end["disturbed"] == ("disturbed_by" in end) == ("message" in end) for end in ends)
    assert ends[0]["metrics"]["frames"] > 0 and ends[0]["recovered"] == ends[0]["expected"]
    assert (events[-1]["done"], events[-1]["planned"]) == (2, 2)


def test_a_terminal_has_a_grid(run):
    master, slave = pty.openpty()
    process = run.host.popen(*run.command("--warmup", "0", "--for", "1s", "-n", "2", "--", run.panel, "2000"),
                             env={"TERM": "xterm", "NO_COLOR": "1"}, stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            more = os.read(master, 4096)
        except OSError:
            break
        if not more:
            break
        shown += more
    process.communicate(timeout=30)
    os.close(master)
    assert process.returncode == 0
    assert b"local:" in shown and b"[####" in shown
    assert re.search(rb"1 of 2 runs, \d s left; p95 [\d.]+ ms, [\d.]+ % janky", shown), shown
    assert b"starts batch" not in shown and b"run 1: ok" not in shown, "the display shows it"


@pytest.mark.parametrize("words, says", [
    ((), "--package"),
    (("--",), "missing operand CMD"),
    (("--", "/no/such/program"), "/no/such/program"),
    (("--package", "p", "--apk", "/no/such.apk"), "cannot read /no/such.apk"),
    (("--package", "p", "--no-install"), "option --no-install was removed: leave it out"),
    (("--package", "p", "--trace-before", "1s"), "use 'before' in the 'trace:' of a plan"),
    (("--apk", "a.apk", "--", "true"), "dejank compare --run A B"),
    (("--package", "p", "--ab", "b.apk"), "--apk F"),
    (("--ab-cmd", "x", "--", "true"), "option --ab-cmd was removed: use dejank compare --run 'COMMAND_A' 'COMMAND_B'"),
    (("--package", "p", "--script", "x.lua", "--gesture", "tap 1 1"), "expected only one of --gesture and --script"),
    (("--package", "p", "--gesture", "dance"), "--gesture"),
    (("--package", "p", "--class", "A#b"), "--instrument"),
    (("--device", "replay:/x", "--", "true"), "is a recorded device and cannot start true"),
    (("-n", "0", "--", "true"), "whole number"),
    (("--package", "p", "true"), "--"),
])
def test_bad_options_are_reported_before_anything_is_done(run, words, says):
    done = run(*words, code=2)
    assert says in done.stderr and done.stdout == ""
    assert not run.store.exists()


def test_a_device_that_is_not_there(run):
    done = run("--device", "nobody", "--package", "p", code=3)
    assert "nobody" in done.stderr
    assert run.runs() == []


# ---- Android

def android_run(run, phone, *words, **more):
    return run("--device", phone.serial, "--package", "com.example.app", *words, **more)


def test_an_android_app(run, android):
    phone = android(release="13")
    phone.install("com.example.app")
    phone.settings["global"]["animator_duration_scale"] = "0.5"
    phone.set_screen(on=False, locked=True)
    before = json.dumps(phone.settings)
    done = android_run(run, phone, "--for", "1s", "-n", "1")
    batch, = run.batches()
    assert (batch["runs"], batch["planned"], batch["failed"]) == (1, 1, 0), done.stderr
    assert phone.asked.count(("am", "force-stop", "com.example.app")) >= 2
    assert phone.running("com.example.app") is None
    assert ("settings", "put", "global", "animator_duration_scale", "1") in phone.asked
    assert json.dumps(phone.settings) == before and not phone.screen_on, "all is as it was"
    kinds = {kind for kind, in run.ask("SELECT kind FROM evidence")}
    assert {"gfxinfo", "dump"} <= kinds
    assert "temperature-battery" in {name for name, in run.ask("SELECT name FROM conditions")}


def test_a_busy_device_has_its_runs_and_then_its_batch_repeated(run, android):
    phone = android()
    phone.install("com.example.app")
    phone.busy = 0.95
    phone.when(("am", "start"), lambda: setattr(phone, "busy", 0.1), nth=3)  # the first start in the second batch
    done = android_run(run, phone, "--warmup", "0", "--for", "200ms", "-n", "2", "--retries", "1", "--max-load", "80")
    assert run.runs() == [(1, 1, 0, "ok"), (1, 2, 0, "ok"), (1, 1, 0, "ok"), (2, 1, 0, "ok")], done.stderr
    excluded = run.ask("SELECT batch_id, number, attempt, excluded FROM runs WHERE excluded IS NOT NULL")
    assert [one[1:3] for one in excluded] == [(1, 1)] and "load" in excluded[0][3]
    (first, gone), (second, counts) = run.ask("SELECT uid, excluded FROM batches ORDER BY id")
    assert gone and counts is None
    assert run.ask("SELECT repeats FROM batches ORDER BY id")[1][0]
    assert first != second


def test_a_device_that_stays_busy_takes_two_starts_per_run_and_its_runs_are_called_disturbed(run, android, tmp_path):
    phone = android()
    phone.install("com.example.app")
    phone.busy = 0.95
    apks = [phone.apk(tmp_path / f"{name}.apk", "com.example.app") for name in ("a", "b")]
    words = ("--apk", apks[0], "--ab", apks[1], "--for", "200ms", "-n", "3")
    done = android_run(run, phone, *words, "--max-load", "80", "--name", "noisy")
    starts = run.ask("SELECT v.label, count(*) FROM runs r JOIN batches b ON b.id = r.batch_id JOIN builds v ON v.id = b.build_id"
                     " WHERE r.warmup = 0 GROUP BY 1 ORDER BY 1")
    assert [label for label, _ in starts] == ["A", "B"] and all(3 <= count <= 6 for _, count in starts), starts
    # An attempt may fail on a loaded machine. It is repeated.
    assert re.match(r"6 of 6 runs are usable, 6 of them disturbed(; \d attempts? failed)?\n", done.stdout), done.stdout + done.stderr
    said = " ".join(done.stdout.split())
    assert "6 usable runs were disturbed: load (last: other programs kept the CPUs" in said and "--max-load 100" in said
    assert [(batch["runs"], batch["disturbed"]) for batch in run.batches()][:2] == [(3, 3), (3, 3)]
    for verb, sides in (("compare", ("A", "B")), ("gate", ("B", "--baseline", "A"))):
        told = run.host.dejank(verb, *sides, "--store", run.store, "--json")
        assert "3 of 3 counted runs of A were disturbed (load 3), 3 of 3 counted runs of B" in told.stdout, told.stdout + told.stderr
    done = android_run(run, phone, *words, "--max-load", "80", "--json-lines")
    ends = [json.loads(line) for line in done.stdout.splitlines() if '"run-end"' in line]
    assert {(end["disturbed"], end["disturbed_by"]) for end in ends if not end["warmup"]} == {(True, "load")}
    done = android_run(run, phone, *words, "--max-load", "100", "--name", "accepted")
    assert "disturbed" not in done.stderr + done.stdout and "6 of 6 runs are usable\n" in done.stdout
    assert [batch["disturbed"] for batch in run.batches() if batch["name"] == "accepted"] == [0, 0]


def test_what_gfxinfo_does_not_see_is_not_tried_again(run, android):
    phone = android()
    phone.install("com.example.app", renderer="flutter")
    done = android_run(run, phone, "--source", "gfxinfo", "--warmup", "0", "--for", "300ms", "-n", "2", code=4)
    assert run.runs() == [(1, 1, 0, "not-in-gfxinfo")], done.stderr


def test_builds_are_installed_before_each_of_their_runs(run, android, tmp_path):
    phone = android()
    apks = [phone.apk(tmp_path / f"{name}.apk", "com.example.app") for name in ("a", "b'; touch x; '")]
    android_run(run, phone, "--apk", apks[0], "--ab", apks[1], "--warmup", "0", "--for", "300ms", "-n", "1")
    installed = [call for call in phone.asked if call[:2] == ("pm", "install")]
    assert len(installed) == 2
    assert [batch["runs"] for batch in run.batches()] == [1, 1]
    assert not list((phone.folder / "data/local/tmp").iterdir())


def test_gestures_and_tests_drive_runs(run, android):
    phone = android()
    phone.install("com.example.app")
    phone.install("com.example.tests", target="com.example.app",
                  tests=[Test("com.example.T", f"test{number}", 0.3) for number in range(2)])
    phone.keeps_instrumented = True
    android_run(run, phone, "--gesture", "swipe 500,1500 500,500 300ms", "--warmup", "0", "-n", "1")
    assert phone.events, "it was touched"
    done = android_run(run, phone, "--instrument", "com.example.tests", "--warmup", "0", "-n", "1")
    names = [name for name, in run.ask("SELECT name FROM windows JOIN runs ON runs.id = run_id ORDER BY windows.id")]
    assert [name for name in names if name] [-2:] == ["com.example.T#test0", "com.example.T#test1"], done.stderr


def test_a_driver_outlives_its_device(run, android):
    phone = android()
    phone.install("com.example.app")
    phone.when(("dumpsys", "gfxinfo", "com.example.app", "reset"), lambda: phone.unplug(back_after_s=1), after=True, delay_s=0.3)
    done = android_run(run, phone, "--gesture", "swipe 500,1500 500,500 300ms x5", "--warmup", "0", "-n", "1")
    assert run.runs() == [(1, 1, 0, "device-gone"), (1, 2, 0, "ok")], done.stderr


def test_several_devices_at_once(run, android):
    phones = [android() for _ in range(2)]
    for phone in phones:
        phone.install("com.example.app")
    words = [word for phone in phones for word in ("--device", phone.serial)]
    done = run(*words, "--package", "com.example.app", "--warmup", "0", "--for", "500ms", "-n", "1")
    assert len(done.stdout.splitlines()) <= 12
    assert all(re.search(rf"^[a-z0-9]+ +{re.escape(phone.serial)} +1 +\d+\.\d\d ", done.stdout, re.M) for phone in phones), done.stdout
    assert sorted(batch["device"] for batch in run.batches()) == sorted(phone.serial for phone in phones)
    assert all(batch["runs"] == 1 for batch in run.batches())
