"""Instrumentation tests of a stand-in Android device, through the real adb server and adbd: windows, outcomes, JUnit.

tests/programs/instrument_probe.c runs only the driver, so that its output can be compared with the actions of the device."""

import os
import signal
import sqlite3
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

import pytest

from android.app import Test
from devices import wait_for

APP, TESTS, RUNNER = "com.example.app", "com.example.app.test", "androidx.test.runner.AndroidJUnitRunner"
CLASS = "com.example.ListTest"
OK, CRASHED, FAILED, GONE, NOT_FOUND, USAGE = 0, 3, 8, -10, -5, -14


class Probe:
    def __init__(self, host, folder, phone):
        self.host = host
        self.phone = phone
        self.junit = folder / "junit.xml"
        self.stream = folder / "stream.txt"

    def start(self, tests=TESTS, pick="-"):
        return self.host.popen(self.host.build / "tests/programs/instrument_probe", self.phone.serial, tests, pick, self.junit,
                               self.stream)

    def finish(self, process):
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err.decode()
        said = SimpleNamespace(windows=[], outcome=None, reason=None, uncertainty=None, error=None, message=None)
        for line in out.decode().splitlines():
            word, _, rest = line.partition(" ")
            if word == "window":
                start, end, name = rest.split(" ", 2)
                said.windows.append((name, int(start), int(end)))
            elif word == "uncertainty":
                said.uncertainty = int(rest)
            elif word == "outcome":
                number, _, said.reason = rest.partition(" ")
                said.outcome = int(number)
            elif word == "error":
                number, _, said.message = rest.partition(" ")
                said.error = int(number)
        return said

    def __call__(self, *words):
        return self.finish(self.start(*words))

    def cases(self):
        """(method, result) of each case in the JUnit file. The result is "", "failure", "error" or "skipped"."""
        suites = xml.parse(self.junit).getroot()
        assert suites.tag == "testsuites"
        found = [(case.get("name"), "".join(child.tag for child in case)) for case in suites.iter("testcase")]
        for suite in suites.iter("testsuite"):
            tags = [tag for _, tag in found]
            assert [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")] == [
                len(tags), tags.count("failure"), tags.count("error"), tags.count("skipped")]
        return found


@pytest.fixture
def phone(android):
    device = android(release="12")
    device.install(APP)
    return device


@pytest.fixture
def planted(phone):
    """planted(TEST…) installs these tests of the app on the device."""

    def plant(*tests):
        phone.install(TESTS, target=APP, runner=RUNNER, tests=list(tests))

    return plant


@pytest.fixture
def probe(host, tmp_path, phone):
    return Probe(host, tmp_path, phone)


def kill_command(phone, name):
    """Waits until the device runs a command of this name, and kills it."""
    mark = f"STAND_IN_SOCKET={phone.folder}/s".encode()

    def running():
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                argv = (folder / "cmdline").read_bytes().split(b"\0")
                if os.path.basename(argv[0]) == name.encode() and mark in (folder / "environ").read_bytes().split(b"\0"):
                    return int(folder.name)
            except OSError:
                pass
        return None

    os.kill(wait_for(running, f"{name} to run"), signal.SIGKILL)


class Stamps:
    """The times at which the device wrote each status, by the device's clock."""

    def __init__(self, phone):
        self.written = []
        self.phone = phone

    def follow(self, monkeypatch):
        from android import instrument

        real = instrument.status

        def status(call, app, tests, number, test, stream, code, *more):
            at_ns = self.phone.now_ns()
            real(call, app, tests, number, test, stream, code, *more)
            self.written.append((test.method, code, at_ns))

        monkeypatch.setattr(instrument, "status", status)

    def of(self, method):
        """(begin, end) of a test."""
        return [at for name, _, at in self.written if name == method]


def test_every_test_is_a_window_of_the_device_s_clock(phone, planted, probe, monkeypatch):
    stamps = Stamps(phone)
    stamps.follow(monkeypatch)
    planted(Test(CLASS, "flings"), Test(CLASS, "drags", seconds=0.4), Test("com.example.Other", "launches[0]"))
    said = probe()
    assert (said.outcome, said.reason, said.error) == (OK, "", None)
    assert [name for name, _, _ in said.windows] == [f"{CLASS}#flings", f"{CLASS}#drags", "com.example.Other#launches[0]"]
    assert said.uncertainty > 0
    for (name, *window), method in zip(said.windows, ("flings", "drags", "launches[0]")):
        for told, written in zip(window, stamps.of(method)):
            # A line never arrives before it is written. On a busy machine, it may arrive late.
            assert -said.uncertainty <= told - written < 2_000_000_000, (name, told - written)
    times = [at for _, *window in said.windows for at in window]
    assert times == sorted(times)
    assert ("am", "instrument", "-w", "-r", "-e", "delay_msec", "0", f"{TESTS}/{RUNNER}") in phone.asked
    assert probe.cases() == [("flings", ""), ("drags", ""), ("launches[0]", "")]
    assert probe.stream.read_text().endswith("INSTRUMENTATION_CODE: -1\n")


def test_only_what_was_asked_for(phone, planted, probe):
    planted(Test(CLASS, "flings"), Test(CLASS, "drags"))
    said = probe(f"{TESTS}/{RUNNER}", f"{CLASS}#drags")
    assert [name for name, _, _ in said.windows] == [f"{CLASS}#drags"]
    assert any(words[:7] == ("am", "instrument", "-w", "-r", "-e", "class", f"{CLASS}#drags") for words in phone.asked)


def test_each_way_to_end(planted, probe):
    planted(Test(CLASS, "flings"), Test(CLASS, "fails", outcome="failed", message="1 < 2 & ]]> \x01 \"ü\""),
            Test(CLASS, "errs", outcome="error"), Test(CLASS, "assumes", outcome="assumption"),
            Test(CLASS, "ignored", outcome="ignored"))
    said = probe()
    assert said.outcome == FAILED
    assert said.reason.startswith(f"{CLASS}#fails failed (and 1 more): java.lang.AssertionError: 1 < 2 & ]]> \\x01 \"ü\"")
    assert [name.partition("#")[2] for name, _, _ in said.windows] == ["flings", "fails", "errs"]
    assert probe.cases() == [("flings", ""), ("fails", "failure"), ("errs", "error"), ("assumes", "skipped"),
                             ("ignored", "skipped")]
    failure = next(xml.parse(probe.junit).getroot().iter("failure"))
    assert failure.get("type") == "java.lang.AssertionError"
    assert failure.get("message") == 'java.lang.AssertionError: 1 < 2 & ]]> \\x01 "ü"'
    assert "\n\tat org.junit.Assert.fail" in failure.text


def test_a_crash_is_named_with_the_test_it_came_in(planted, probe):
    planted(Test(CLASS, "flings"), Test(CLASS, "crashes", outcome="crash", message="no such view"), Test(CLASS, "never"))
    said = probe()
    assert said.outcome == CRASHED
    assert said.reason == f"the app crashed in {CLASS}#crashes: Process crashed.: no such view"
    assert [name.partition("#")[2] for name, _, _ in said.windows] == ["flings", "crashes"]
    assert probe.cases() == [("flings", ""), ("crashes", "error")]


def test_the_system_goes_down(planted, probe):
    planted(Test(CLASS, "flings"), Test(CLASS, "aborts", outcome="abort"))
    said = probe()
    assert (said.outcome, said.reason) == (FAILED, f"the run was aborted in {CLASS}#aborts: System has crashed.")
    assert probe.cases() == [("flings", ""), ("aborts", "error")]


def test_am_is_killed_in_mid_stream(phone, planted, probe, monkeypatch):
    stamps = Stamps(phone)
    stamps.follow(monkeypatch)
    planted(Test(CLASS, "flings"), Test(CLASS, "hangs", seconds=60))
    process = probe.start()
    try:
        wait_for(lambda: stamps.of("hangs"), "the second test to begin")
        kill_command(phone, "am")
        said = probe.finish(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert said.outcome == FAILED
    assert said.reason.startswith(f"{CLASS}#hangs began but did not finish: the output of the tests is incomplete")
    assert said.reason.endswith("(exit code of am: 137)")


def test_the_device_goes_away_in_mid_stream(phone, planted, probe, monkeypatch):
    stamps = Stamps(phone)
    stamps.follow(monkeypatch)
    planted(Test(CLASS, "flings"), Test(CLASS, "hangs", seconds=60))
    process = probe.start()
    try:
        wait_for(lambda: stamps.of("hangs"), "the second test to begin")
        phone.machine.power_off()
        said = probe.finish(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert said.error == GONE
    assert all(start < end for _, start, end in said.windows)


def test_what_cannot_be_found_is_said_with_what_there_is(phone, planted, probe):
    planted(Test(CLASS, "flings"))
    said = probe("com.example.none")
    assert (said.error, said.outcome) == (NOT_FOUND, None)
    assert said.message.endswith(f"no instrumentation com.example.none is installed; there is {TESTS}/{RUNNER}")
    phone.install("com.example.more.test", target=APP, runner=RUNNER)
    said = probe(APP)
    assert said.error == USAGE
    assert f"use one of {TESTS}/{RUNNER}, com.example.more.test/{RUNNER}" in said.message
    assert probe(TESTS).outcome == OK


def test_no_test_of_that_name(planted, probe):
    planted(Test(CLASS, "flings"))
    said = probe(TESTS, f"{CLASS}#nothing")
    assert said.outcome == FAILED
    assert said.reason.startswith("no test ran")


def test_names_never_reach_a_shell_unquoted(phone, planted, probe):
    planted(Test(CLASS, "flings"))
    picks = ["it's", "a; touch PWNED #x", "$(touch PWNED)", "a\nb", "ü"]
    for pick in picks:
        probe(TESTS, pick)
    assert [words[5:7] for words in phone.asked if words[0] == "am"] == [("class", pick) for pick in picks]


# ---- JUnit from files

STREAMS = Path(__file__).parents[2] / "fuzz/corpus/instrument"


def suites_of(file):
    return [{name: suite.get(name) for name in ("name", "tests", "failures", "errors", "skipped")}
            for suite in xml.parse(file).getroot().iter("testsuite")]


def test_what_am_said_becomes_junit_also_from_a_file(host, tmp_path):
    out = tmp_path / "tests.xml"
    every, crash = STREAMS / "every-end", STREAMS / "crash"
    done = host.dejank("report", every, crash, "-o", out)
    assert (done.returncode, done.stdout) == (0, "")
    assert suites_of(out) == [
        {"name": str(every), "tests": "5", "failures": "1", "errors": "1", "skipped": "2"},
        {"name": str(crash), "tests": "1", "failures": "0", "errors": "1", "skipped": "0"}]
    assert all(case.get("time") is None for case in xml.parse(out).getroot().iter("testcase")), "a file tells no times"


def test_junit_is_xml_whatever_the_bytes(host, tmp_path):
    wild = tmp_path / "wild"
    names = bytes(range(256)).replace(b"\n", b"").replace(b"\r", b"")
    wild.write_bytes(b"INSTRUMENTATION_STATUS: class=" + names[1:] + b"\nINSTRUMENTATION_STATUS: test=]]>" + "\ufffe\ud7ff𐀀".encode()
                     + b"\xed\xa0\x80\nINSTRUMENTATION_STATUS: stack=" + bytes(range(1, 256)) + b"\nINSTRUMENTATION_STATUS_CODE: -2\n")
    for file in [wild, *sorted(STREAMS.iterdir())]:
        out = tmp_path / "tests.xml"
        if host.dejank("report", file, "-o", out).returncode == 0:
            assert len(suites_of(out)) == 1, file
            out.unlink()
        else:
            assert not out.exists()
    host.dejank("report", wild, "-o", out)
    case = next(xml.parse(out).getroot().iter("testcase"))
    assert case.get("name") == "]]>\\xef\\xbf\\xbe\ud7ff𐀀\\xed\\xa0\\x80"


def test_a_file_that_is_no_such_output(host, tmp_path):
    text, out = tmp_path / "dump.txt", tmp_path / "tests.xml"
    text.write_text("Applications Graphics Acceleration Info:\n")
    done = host.dejank("report", text, STREAMS / "passes", "-o", out)
    assert done.returncode == 4
    assert f"{text}: no output of am instrument" in done.stderr
    assert [suite["tests"] for suite in suites_of(out)] == ["1"]


# ---- dejank run --instrument


@pytest.fixture
def run(host, tmp_path, phone):
    """run(WORDS…) executes `dejank run --instrument`. Its store and JUnit file are in the folder of the test."""

    def play(*words, junit=tmp_path / "junit.xml"):
        return host.dejank("run", "--device", phone.serial, "--package", APP, "--instrument", TESTS, "-n", "1", "--warmup", "0",
                           "--retries", "0", "--max-load", "100", "--store", tmp_path / "h.db", "--junit", junit, *words)

    return play


def rows(folder, statement):
    with sqlite3.connect(folder / "h.db") as store:
        return store.execute(statement).fetchall()


def test_nothing_is_lost_though_android_stops_the_app_after_its_tests(phone, planted, run, tmp_path):
    processes = []
    real = phone.start
    phone.start = lambda *words: processes.append(real(*words)[0]) or (processes[-1], "COLD")
    planted(Test(CLASS, "flings", seconds=0.7), Test(CLASS, "drags", seconds=0.4), Test(CLASS, "flings", seconds=0.3))
    done = run()
    assert done.returncode == 0, done.stderr
    assert phone.running(APP) is None
    kept = rows(tmp_path, "SELECT name, start_dev_ns, end_dev_ns, frames FROM windows JOIN metrics ON window_id = id "
                          "WHERE ordinal > 0 ORDER BY ordinal")
    assert [name for name, *_ in kept] == [f"{CLASS}#flings", f"{CLASS}#drags", f"{CLASS}#flings (2)"]
    for name, start, end, frames in kept:
        assert frames == len(processes[-1].between(start, end)) > 0, name
    assert [tag for _, tag in Probe(None, tmp_path, phone).cases()] == ["", "", ""]
    assert rows(tmp_path, "SELECT count(*) FROM evidence WHERE kind = 'stream'") == [(1,)]


def test_counters_alone_are_read_in_time_too(phone, planted, run, tmp_path):
    planted(Test(CLASS, "flings", seconds=0.5))
    done = run("--aggregate-only")
    assert done.returncode == 0, done.stderr
    (frames,), = rows(tmp_path, "SELECT frames FROM windows JOIN metrics ON window_id = id WHERE ordinal = 0")
    assert frames > 20


@pytest.mark.parametrize("outcome, said, why", [
    ("failed", "instrumentation-failed", f"{CLASS}#drags failed: java.lang.AssertionError: 1 < 2"),
    ("crash", "app-crashed", f"the app crashed in {CLASS}#drags: Process crashed.: 1 < 2")])
def test_a_run_whose_tests_fail_is_no_clean_run(host, planted, run, tmp_path, phone, outcome, said, why):
    planted(Test(CLASS, "flings"), Test(CLASS, "drags", outcome=outcome, message="1 < 2"))
    done = run("-e", "data=it's; $(id)", "-e", "size=large=1")
    assert done.returncode == 4
    assert rows(tmp_path, "SELECT outcome, reason FROM runs") == [(said, why)]
    blamed = "failure" if outcome == "failed" else "error"
    assert [tag for _, tag in Probe(None, tmp_path, phone).cases()] == ["", blamed]
    [asked] = [words for words in phone.asked if words[:2] == ("am", "instrument")]
    assert ("-e", "data", "it's; $(id)", "-e", "size", "large=1") == asked[asked.index("data") - 1:][:6]
    host.dejank("report", APP, "--store", tmp_path / "h.db", "-o", tmp_path / "stored.xml")
    runs, tests = xml.parse(tmp_path / "stored.xml").getroot()
    assert [(case.get("name"), [(child.tag, child.get("type")) for child in case]) for case in runs] == [("run 1", [("failure", said)])]
    assert (runs.get("failures"), runs.get("tests")) == ("1", "1")
    assert [(case.get("name"), [child.tag for child in case]) for case in tests] == [("flings", []), ("drags", [blamed])]


PLAN = """
plan: 1
devices: [{serial}]
package: {app}
runs: 1
warmup: 0
retries: 0
store: {store}
flows:
  - name: lists
    instrument: {tests}
    arguments: {{size: "large; $(id)"}}
"""


def test_a_plan_hands_arguments_over_and_writes_its_tests(host, phone, planted, tmp_path):
    planted(Test(CLASS, "flings", seconds=0.3))
    file = tmp_path / "plan.yaml"
    file.write_text(PLAN.format(serial=phone.serial, app=APP, store=tmp_path / "h.db", tests=TESTS))
    done = host.dejank("run", file, "--junit", tmp_path / "junit.xml")
    assert done.returncode == 0, done.stderr
    [asked] = [words for words in phone.asked if words[:2] == ("am", "instrument")]
    assert asked[asked.index("size") - 1:][:3] == ("-e", "size", "large; $(id)")
    assert Probe(None, tmp_path, phone).cases() == [("flings", "")]
    file.write_text(PLAN.split("flows:")[0].format(serial=phone.serial, app=APP, store=tmp_path / "h.db") + "flows: [{idle: true}]\n")
    done = host.dejank("run", file, "--junit", tmp_path / "junit.xml")
    assert done.returncode == 2 and "no flow runs any" in done.stderr


def test_ctrl_c_stops_the_tests_on_the_device(host, phone, tmp_path, monkeypatch):
    stamps = Stamps(phone)
    stamps.follow(monkeypatch)
    own = "com.example.driver"  # These tests target their own package, so stopping the app would not end them.
    phone.install(own, target=own, runner=RUNNER, tests=[Test(CLASS, "hangs", seconds=60)])
    process = host.popen(host.build / "dejank", "run", "--device", phone.serial, "--package", APP, "--instrument", own, "-n", "1",
                         "--warmup", "0", "--store", tmp_path / "h.db")
    try:
        wait_for(lambda: stamps.of("hangs"), "the test to begin")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=40)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert rows(tmp_path, "SELECT outcome FROM runs") == [("interrupted",)]
    assert ("am", "force-stop", own) in phone.asked
    assert phone.running(own) is None


def test_what_cannot_be_is_said_before_a_device_is_touched(host, phone, planted, run, tmp_path):
    planted(Test(CLASS, "flings"))
    done = run(junit=tmp_path / "no/such/folder.xml")
    assert done.returncode == 4
    assert "no/such" in done.stderr
    done = host.dejank("run", "--device", phone.serial, "--package", APP, "--junit", tmp_path / "x.xml")
    assert done.returncode == 2
    assert "--junit requires instrumentation tests" in done.stderr
    done = run("-e", "=x")
    assert done.returncode == 2
    assert "--argument: expected NAME=VALUE, got '=x'" in done.stderr
    assert phone.asked == []
