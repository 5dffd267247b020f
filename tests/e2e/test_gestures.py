"""Gestures, selectors and flows on a stand-in Android device: the driver's gestures are compared with the events on the device."""

import json
import re
import signal
import sqlite3
import subprocess
import time

import pytest

from android import screen
from android.app import Frames
from devices import wait_for

PACKAGE = "com.example.app"
OK, DRIVE_FAILED = 0, 9
SLACK_NS = 500_000_000  # accuracy of the known device clock on an overloaded machine; the two clocks differ by days


@pytest.fixture
def phone(android):
    made = android(release="12")
    made.install(PACKAGE, frames=Frames((8.0,)))
    made.start(PACKAGE)
    return made


@pytest.fixture
def drive(host, build):
    """drive(phone, WORDS…) plays the gestures. Returns the output of the driver, or its errors if `code` is not 0."""

    def run(phone, *words, code=0, timeout=60):
        done = host.run(build / "tests/programs/drive_words", phone.serial, *words, timeout=timeout)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stderr if code else done.stdout

    return run


def touches(phone):
    """Complete strokes: lists of (ms since the start of the stroke, x, y)."""
    strokes = []
    for at, what, *place in list(phone.events):
        if what == "down":
            strokes.append([])
        if what in ("down", "move", "up"):
            strokes[-1].append(((at - start) / 1e6 if strokes[-1] else 0, *place))
        if what == "down":
            start = at
    return strokes


def outcome(said):
    return int(re.search(r"^outcome (\d+)", said, re.M)[1])


def asked(phone, *words):
    return [one for one in phone.asked if one[:len(words)] == words]


def test_a_fling_is_felt_point_by_point_through_one_monkey(phone, drive):
    said = drive(phone, "fling up 6000px/s x3 pause 50ms @ scrollable")
    assert outcome(said) == OK
    strokes = touches(phone)
    assert len(strokes) == 3
    for stroke in strokes:
        assert all(x == 540 for _, x, _ in stroke)
        ys = [y for _, _, y in stroke]
        assert ys == sorted(ys, reverse=True) and 240 <= ys[-1] < ys[0] < 2100
        assert len(stroke) > 10
        # The last step is the fastest: 6000 px/s, 48 px in 8 ms.
        assert 44 <= ys[-3] - ys[-2] <= 48
    assert len(asked(phone, "monkey")) == 1 and not asked(phone, "input")
    assert phone.ui.offset > 0
    assert "injected by monkey" in said
    assert re.search(r"(\d+) touch points, early or late by [\d.]+ ms on average", said)
    assert not phone.monkeys, "monkey was told to quit"


def test_pauses_make_up_for_what_the_device_takes_too_long(phone, drive, monkeypatch):
    """A monkey that needs 4 ms more for each touch would stretch a swipe of 100 points by 0.4 s."""
    touch = screen.touch

    def slow(*words):
        time.sleep(0.004)
        touch(*words)

    monkeypatch.setattr(screen, "touch", slow)
    drive(phone, "swipe 540,2000 540,400 800ms")
    (stroke,) = touches(phone)
    assert len(stroke) == 102
    assert stroke[-1][0] < 800 + 0.5 * 400


def test_selectors_are_found_before_and_the_screen_is_read_once(phone, drive):
    said = drive(phone, "tap @ desc=Add; fling up pause 0ms @ id=list; tap @ text^=\"Item 1\" [0]")
    assert outcome(said) == OK
    assert phone.ui.pressed == 1
    assert len(asked(phone, "uiautomator")) == 1
    assert said.index("prepared") < said.index("tap x1")
    first = [event for event in phone.events if event[1] == "down"][0]
    assert first[2:] == (930, 2230)
    assert "was searched for during the run" not in said


def test_what_comes_up_behind_a_tap_is_found_then(phone, drive):
    phone.when(("monkey",), lambda: setattr(phone.ui, "title", "Next"))
    said = drive(phone, "tap @ desc=Add; tap @ text=Next")
    assert outcome(said) == OK, said
    assert "text=Next was searched for during the run, which costs frames" in said
    assert len(asked(phone, "uiautomator")) == 2
    assert len(asked(phone, "monkey")) == 2, "monkey had to let go of the views"


def test_a_selector_that_finds_nothing_says_what_is_there(phone, drive):
    said = drive(phone, "tap @ text=\"Gone; $(reboot) `id`\"", code=1)
    assert 'no view matches text="Gone; $(reboot) `id`" among the ' in said
    assert '"Stand-in"' in said and '"Item 0"' in said
    assert not asked(phone, "monkey")


def test_a_screen_that_never_stands_still_or_is_dark_says_so(phone, drive):
    phone.ui.never_idle = True
    phone.ui.idle_timeout_s = 0.2
    said = drive(phone, "tap @ desc=Add", code=1)
    assert "the screen keeps moving" in said
    assert [one[2] for one in asked(phone, "uiautomator")][1] == "--compressed"
    # Coordinates need no views.
    assert outcome(drive(phone, "tap 930,2230")) == OK
    assert phone.ui.pressed == 1
    phone.ui.never_idle = False
    phone.set_screen(on=False)
    assert "it is off or locked" in drive(phone, "tap @ desc=Add", code=1)


def test_keys_and_text_reach_the_device_as_they_are(phone, drive):
    said = drive(phone, 'text "say \\"$(id)\\"; \'x\' & y"; key back; key 66; key KEYCODE_HOME')
    assert outcome(said) == OK, said
    typed = "".join(event[2] if event[1] == "text" else " " for event in phone.events
                    if event[1] == "text" or event[1:3] == ("key", 0) or event[1:3] == ("key", 62))
    assert typed.replace("  ", " ").strip() == "say \"$(id)\"; 'x' & y"
    keys = [event[2] for event in phone.events if event[1] == "key"]
    assert [key for key in keys if key in (4, 66, 3)] == [4, 66, 3]
    said = drive(phone, 'text "grün"')
    assert outcome(said) == DRIVE_FAILED
    assert "monkey types only printable ASCII; byte 3 of the text is 0xc3" in said


def test_without_monkey_input_does_it_and_what_that_costs_is_said(phone, drive):
    for name in ("monkey", "uinput"):
        (phone.folder / "bin" / name).unlink(missing_ok=True)
    said = drive(phone, "fling up 6000px/s pause 0ms; tap 10,20; text \"a b'$(x)\"; key back")
    assert outcome(said) == OK, said
    assert "injected by input: each gesture starts a process on the device" in said
    assert asked(phone, "input", "tap") == [("input", "tap", "10", "20")]
    swipe = asked(phone, "input", "swipe")[0]
    length, ms = int(swipe[3]) - int(swipe[5]), int(swipe[6])
    assert abs(length / ms - 6) < 0.1, "even, at the speed asked for"
    assert asked(phone, "input", "text") == [("input", "text", "a%sb'$(x)")]
    assert asked(phone, "input", "keyevent") == [("input", "keyevent", "KEYCODE_BACK")]


def test_a_pinch_needs_two_fingers(phone, drive):
    (phone.folder / "bin" / "uinput").unlink(missing_ok=True)
    said = drive(phone, "pinch out", code=1)
    assert "uinput ended (exit code 127)" in said


def test_a_pinch_through_uinput(phone, drive):
    heard = phone.folder / "data" / "uinput.json"
    command = phone.folder / "bin" / "uinput"
    command.unlink(missing_ok=True)  # It is a link. Writing to it would change all commands.
    command.write_text('#!/bin/sh\n[ "$1" = - ] && exec cat > /data/uinput.json\n')
    command.chmod(0o755)
    said = drive(phone, "pinch out 80% 400ms pause 0ms; tap 10,20 pause 0ms")
    assert outcome(said) == OK, said
    assert "injected by uinput: uinput does not report lateness" in said
    released = "1,330,0,0,0,0]}\n"
    wait_for(lambda: heard.read_text().count(released) == 2, "uinput to read the last command")
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert lines[0]["command"] == "register" and len(lines[0]["abs_info"]) == 4
    limits = {axis["code"]: axis["info"]["maximum"] for axis in lines[0]["abs_info"]}
    assert (limits[53], limits[54]) == (1079, 2399)
    injected = [line["events"] for line in lines[1:] if line["command"] == "inject"]
    for events in injected:
        assert len(events) % 3 == 0 and events[-3:] == [0, 0, 0]
    # Fingers: two go down and up, then one goes down and up. BTN_TOUCH is released with the last finger of a gesture.
    tracked = [events[k + 2] for events in injected for k in range(0, len(events), 3) if events[k:k + 2] == [3, 57]]
    assert tracked == [0, 1, -1, -1, 2, -1]
    buttons = [events[k + 2] for events in injected for k in range(0, len(events), 3) if events[k:k + 2] == [1, 330]]
    assert buttons == [1, 0, 1, 0]
    # The delays add up to the duration of the gestures: 400 ms in steps of 8 ms, and a tap of 56 ms.
    delays = [line["duration"] for line in lines if line["command"] == "delay"]
    assert sum(delays) == 400 + 56 and set(delays) == {8, 56}


def test_scroll_to_and_wait_for_look(phone, drive):
    said = drive(phone, 'scroll-to pause 0ms text="Item 25" @ id=list')
    assert outcome(said) == OK, said
    assert phone.ui.offset > 0
    assert "searching for the view costs frames" in said
    said = drive(phone, 'scroll-to x2 pause 0ms text="Item 99" @ id=list')
    assert outcome(said) == DRIVE_FAILED
    assert "text=\"Item 99\" did not appear within 2 scrolls" in said
    phone.later(1.0, lambda: setattr(phone.ui, "title", "Loaded"))
    assert outcome(drive(phone, "wait-for 20s text=Loaded")) == OK
    said = drive(phone, "wait-for 100ms text=Never")
    assert "text=Never did not appear within 0.1 s" in said


def test_turning_the_screen_puts_the_settings_back(phone, drive):
    phone.settings["system"]["accelerometer_rotation"] = "1"
    said = drive(phone, "rotate 90; fling up pause 0ms")
    assert outcome(said) == OK, said
    puts = [one[3:] for one in asked(phone, "settings", "put", "system")]
    assert puts[:2] == [("accelerometer_rotation", "0"), ("user_rotation", "1")]
    assert phone.settings["system"]["accelerometer_rotation"] == "1"


def test_flows_tell_their_window_on_the_device_s_clock(phone, drive):
    before = phone.now_ns()
    said = drive(phone, "scroll-down times=2 pause=100ms", PACKAGE)
    after = phone.now_ns()
    name, start, end = re.search(r"^window (\S+) (\d+) (\d+)$", said, re.M).groups()
    assert name == "scroll-down"
    assert before - SLACK_NS < int(start) < int(end) < after + SLACK_NS
    downs = [event[0] for event in phone.events if event[1] == "down"]
    assert len(downs) == 2 and int(start) - SLACK_NS < downs[0] < downs[1] < int(end) + SLACK_NS


@pytest.mark.parametrize("flow, state", [("launch-cold", "COLD"), ("launch-warm", "WARM"), ("launch-hot", "HOT")])
def test_launches(phone, drive, flow, state):
    said = drive(phone, f"{flow} wait=100ms", PACKAGE)
    assert outcome(said) == OK, said
    assert f"LaunchState: {state}" in said
    assert f"window {flow} " in said
    said = drive(phone, f"{flow} wait=100ms", code=1)
    assert "expected the package of the app to launch" in said


def test_a_monkey_left_behind_is_no_obstacle(phone, drive, host, build):
    """Android's monkey outlives the process that started it and blocks access to the views. A killed dejank leaves one running."""
    killed = host.popen(build / "tests/programs/drive_words", phone.serial, "wait 60s; tap 1,1")
    wait_for(lambda: phone.tree_taken, "monkey to be connected")
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=10)
    assert phone.monkeys
    assert outcome(drive(phone, "tap @ desc=Add")) == OK
    assert phone.ui.pressed == 1 and not phone.monkeys


def test_a_device_that_goes_away_is_no_failed_gesture(phone, host, build):
    running = host.popen(build / "tests/programs/drive_words", phone.serial, "swipe 10,10 10,2000 20s")
    wait_for(lambda: any(event[1] == "move" for event in phone.events), "the finger to move")
    phone.unplug()
    try:
        out, err = running.communicate(timeout=40)
    except subprocess.TimeoutExpired:
        running.kill()
        raise
    assert running.returncode == 1, out
    assert re.match(rb"-(10|9) ", err), err


def test_a_driver_is_played_again_and_leaves_nothing_behind(phone, drive):
    drive(phone, "tap @ desc=Add", "", "2")
    assert phone.ui.pressed == 2
    assert not list((phone.folder / "data").rglob("dejank-views*"))


def test_run_is_driven_by_a_flow(host, phone):
    done = host.dejank("run", "-d", phone.serial, "--package", PACKAGE, "--gesture", "scroll-down times=2 pause=100ms", "-n", "1",
                       "--warmup", "0", "--store", host.home / "s.db")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(touches(phone)) == 2
    listed = host.dejank("run", "--gesture", "list").stdout
    assert "scroll-down: fling a list towards its end\n    stresses layout" in listed


def test_runs_of_every_kind_of_launch_are_clean(host, phone, tmp_path):
    flows = [f"launch-{kind}" for kind in ("cold", "warm", "hot")]
    plan = tmp_path / "plan.yaml"
    plan.write_text(f"plan: 1\npackage: {PACKAGE}\ndevices: ['{phone.serial}']\nruns: 1\nwarmup: 0\nretries: 0\nstore: s.db\nflows:\n"
                    + "".join(f"  - {{name: {flow}, gesture: {flow} wait=300ms}}\n" for flow in flows))
    done = host.dejank("run", plan)
    assert done.returncode == 0, done.stdout + done.stderr
    store = sqlite3.connect(f"file:{tmp_path / 's.db'}?mode=ro", uri=True)
    told = store.execute("SELECT windows.name, outcome, frames FROM windows JOIN runs ON runs.id = run_id JOIN metrics "
                         "ON windows.id = window_id WHERE ordinal = 1 ORDER BY windows.id").fetchall()
    store.close()
    assert [name for name, _, _ in told] == flows
    assert all(outcome == "ok" and frames > 10 for _, outcome, frames in told), told
