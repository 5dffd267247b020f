"""Frames from SurfaceFlinger: of apps that gfxinfo does not see, and with --source surface. The devices are stand-ins
(android/surfaces.py). Their present times are known to the nanosecond."""
import json
import re
import signal
import time

import pytest

import naive_surfaceflinger as naive
from android.app import Frames
from devices import wait_for
from test_run import Run

PACKAGE = "com.example.game"
RELEASES = ["9", "11", "12", "15"]
CLEARED_S = 4.2  # late in a window of 5 s, so that most frames are missing even if readings are slow


@pytest.fixture
def game(android):
    """game(release) starts a device and an app that draws into a SurfaceView. Two of three frames are on time, the third takes two refreshes."""

    def start(release, renderer="SurfaceView", ms=(8.0, 8.0, 24.0), **more):
        phone = android(release=release, **more)
        phone.install(PACKAGE, renderer=renderer, frames=Frames(ms))
        process, _ = phone.start(PACKAGE)
        return phone, process

    return start


@pytest.fixture
def flinger(host):
    """flinger(phone, ARGUMENTS…) returns the output of dumpsys SurfaceFlinger."""

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
    assert 5 < one["total_frames"] < len(planted)  # the two commands take a while
    assert sum(one["histogram"].values()) == one["total_frames"] and set(k for k, n in one["histogram"].items() if n) == {16, 33}
    read = naive.read(flinger(phone, "--latency", f"'{one['layer']}'"))[0]
    assert read["rows"] == 127 and read["complete_rows"] >= min(one["total_frames"], 120)  # two commands may take 3 s


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


# ---- dejank collect

def collect(host, phone, *words, code=0, seconds="1s"):
    done = host.dejank("collect", "--device", phone.serial, "--package", PACKAGE, "--for", seconds, *words)
    assert done.returncode == code, done.stderr
    return done


def parse(host, tmp_path, text):
    path = tmp_path / "collected.txt"
    path.write_text(text)
    done = host.dejank("parse", "--json", path)
    return json.loads(done.stdout)["inputs"][0]


def rows_of(text):
    """{layer: present times in ns}, read from gfxinfo text with simple patterns."""
    found = {}
    for title, header, rows in re.findall(r"^\t(\S.*?) \(visibility=0\)\n(?:.*\n)*?---PROFILEDATA---\n(.*)\n((?:[-\d,]+\n)*)", text, re.M):
        at = header.split(",").index("DisplayPresentTime")
        found[title] = [int(row.split(",")[at]) for row in rows.splitlines()]
    return found


@pytest.mark.parametrize("release", RELEASES)
def test_a_game_is_collected_from_surfaceflinger(host, game, tmp_path, release):
    phone, process = game(release)
    done = collect(host, phone)
    assert "gfxinfo does not have the app, so dejank reads its frames from SurfaceFlinger" in done.stderr
    assert not phone.surfaces.on and not phone.surfaces.known
    (layer, presents), = rows_of(done.stdout).items()
    assert layer in phone.surfaces.layers()
    planted = phone.surfaces.presents(process, presents[0], presents[-1] + 1)
    assert presents == planted and len(presents) > 10
    read = parse(host, tmp_path, done.stdout)
    surface, = read["surfaces"]
    assert surface["layer"] == layer and surface["package"] == PACKAGE
    wanted = naive.read_timestats(done.stdout.partition("SurfaceFlinger TimeStats:")[2])[0]
    assert surface["total_frames"] == wanted["total_frames"] == sum(wanted["histogram"].values())
    assert surface["total_frames"] > 10
    process, = read["processes"]
    window, = process["windows"]
    steps = [b - a for a, b in zip(presents, presents[1:])]
    assert process["pipeline"] == "SurfaceFlinger" and window["present"]["presents"] == len(presents)
    assert window["present"]["presents_late"] == sum(step > 20_000_000 for step in steps)
    assert window["present"]["present_to_present_ns"]["max"] == max(steps)
    assert re.search(rf"recovered {len(presents)} of {len(presents)} frames", done.stderr)


def test_the_rows_of_many_readings_are_stitched(host, game):
    """In four seconds at 60 Hz, the ring is filled about twice. If the machine is too slow, there are gaps."""
    phone, process = game("13", ms=(5.0,))
    parts = rows_of(collect(host, phone, "--source", "surface", seconds="4s").stdout)
    for presents in parts.values():
        assert presents == phone.surfaces.presents(process, presents[0], presents[-1] + 1)
    assert max(map(len, parts.values())) > 150


def test_a_gap_between_two_readings_is_not_joined(host, game, tmp_path):
    phone, process = game("12", ms=(8.0,))
    phone.surfaces.ring = 20
    done = collect(host, phone, "--source", "surface", seconds="4s")  # on a slow machine, this ring loses too many frames for auto to choose it
    parts = {title: presents for title, presents in rows_of(done.stdout).items() if presents}
    assert len(parts) > 1 and all(re.search(r"#\d+( \(\d+\))?$", title) for title in parts)
    assert [presents for presents in parts.values()] == [
        phone.surfaces.presents(process, presents[0], presents[-1] + 1) for presents in parts.values()]
    windows = [one for one in parse(host, tmp_path, done.stdout)["processes"][0]["windows"] if one["present"]["presents"]]
    assert {one["present"]["present_to_present_ns"]["max"] <= 16_666_668 for one in windows} == {True}
    recovered, expected = map(int, re.search(r"recovered (\d+) of (\d+) frames", done.stderr).groups())
    assert recovered == sum(map(len, parts.values())) < expected
    assert re.search(r"\d gaps: SurfaceFlinger overwrote frames", done.stderr)


def test_a_layer_made_anew_is_followed(host, game):
    phone, process = game("11")
    phone.when(("dumpsys", "SurfaceFlinger", "--timestats", "-clear", "-enable"),
               lambda: phone.later(0.8, lambda: phone.surfaces.rename(PACKAGE)), after=True)
    parts = rows_of(collect(host, phone, "--source", "surface", seconds="2s").stdout)
    assert [title.partition("#")[0] for title in parts] == [f"SurfaceView - {PACKAGE}/{PACKAGE}.MainActivity"] * 2
    for presents in filter(None, parts.values()):  # a slow machine may rename the layer before the window or at its end
        assert presents == phone.surfaces.presents(process, presents[0], presents[-1] + 1)


def test_an_app_of_gfxinfo_is_read_from_surfaceflinger_only_on_request(host, game):
    phone, _ = game("12", renderer="hwui")
    assert "SurfaceFlinger" not in collect(host, phone).stdout
    assert not [call for call in phone.asked if call[1:2] == ("SurfaceFlinger",)]
    done = collect(host, phone, "--source", "surface")
    assert "Pipeline=SurfaceFlinger" in done.stdout and len(rows_of(done.stdout)) == 1


def test_a_game_that_draws_into_its_window_is_found(host, game):
    phone, _ = game("9", renderer="native")
    assert list(rows_of(collect(host, phone).stdout)) == [f"{PACKAGE}/{PACKAGE}.MainActivity#0"]


def test_gfxinfo_alone(host, game):
    phone, _ = game("12")
    done = collect(host, phone, "--source", "gfxinfo", code=4)
    assert "rendered no frames: " in done.stderr and "(try --source surface)" in done.stderr
    assert not [call for call in phone.asked if call[1:2] == ("SurfaceFlinger",)]


def test_surfaceflinger_without_frames(host, android):
    phone = android(release="12")
    phone.install(PACKAGE, renderer="SurfaceView", frames=Frames(when="never"))
    phone.start(PACKAGE)
    done = collect(host, phone, "--source", "surface", code=4)
    assert f"{PACKAGE} rendered no frames: the app was idle or the screen was off\n" in done.stderr and "try" not in done.stderr


# ---- --source auto for an app that gfxinfo sees

def surface_calls(phone):
    return [call for call in phone.asked if call[1:2] == ("SurfaceFlinger",)]


@pytest.mark.parametrize("source", ["auto", "gfxinfo"])
@pytest.mark.parametrize("when", ["always", "never"])
def test_an_app_of_gfxinfo_that_hangs_ends_alike_with_both_sources(host, android, source, when):
    phone = android(release="12")
    phone.install(PACKAGE, frames=Frames((8.0, 24.0), when=when))
    phone.start(PACKAGE)
    phone.dump_timeout_s = 0.5
    phone.when(("dumpsys", "gfxinfo"), lambda: phone.hang(PACKAGE), after=True)
    done = collect(host, phone, "--source", source, code=3)
    assert "the app did not answer the dump in time" in done.stderr and "Pipeline=SurfaceFlinger" not in done.stdout


def test_an_app_of_gfxinfo_that_is_silent_is_not_read_from_surfaceflinger(host, android):
    """The layer of the app exists, and the app draws again during the window."""
    phone = android(release="12")
    phone.install(PACKAGE, frames=Frames(when="touched", linger_s=0.5))
    process, _ = phone.start(PACKAGE)
    phone.touched()
    wait_for(lambda: process.stretches and process.stretches[-1].end_ns + 1_100_000_000 < phone.now_ns(), "a second without a frame")
    phone.when(("dumpsys", "gfxinfo"), lambda: phone.later(0.1, phone.touched), after=True)
    done = collect(host, phone, seconds="2s")
    assert not surface_calls(phone) and re.search(r"recovered (\d+) of \1 frames", done.stderr)


def test_an_app_of_gfxinfo_that_draws_first_while_it_is_decided(host, android):
    """At first, gfxinfo has no frame, as after a reset, and the layer gets new frames. Then gfxinfo counts frames."""
    phone = android(release="12")
    phone.install(PACKAGE)
    process, _ = phone.start(PACKAGE)
    wait_for(lambda: phone.surfaces.presents(process, 0, phone.now_ns()), "frames")
    phone.when(("dumpsys", "gfxinfo"), lambda: setattr(process, "counted_from", 1_000_000))
    phone.when(("dumpsys", "gfxinfo"), lambda: setattr(process, "counted_from", process.completed(phone.now_ns())), after=True)
    done = collect(host, phone)
    assert surface_calls(phone) and "Pipeline=SurfaceFlinger" not in done.stdout
    assert re.search(r"recovered [1-9]", done.stderr)


def test_a_game_that_hangs_while_it_is_decided_does_not_answer(host, game):
    phone, _ = game("12")
    phone.dump_timeout_s = 0.5
    phone.when(("dumpsys", "SurfaceFlinger", "--list"), lambda: phone.hang(PACKAGE), nth=2)
    done = collect(host, phone, code=3)
    assert "the app did not answer the dump in time" in done.stderr and "Pipeline=SurfaceFlinger" not in done.stdout


@pytest.mark.parametrize("source, code", [("auto", 3), ("surface", 0)])
def test_a_game_that_hangs_in_its_window(host, game, source, code):
    """gfxinfo shows the hang, SurfaceFlinger does not. dejank keeps the presents before the hang."""
    phone, process = game("12")
    phone.dump_timeout_s = 0.5
    phone.when(("dumpsys", "SurfaceFlinger", "--timestats", "-clear", "-enable"),
               lambda: phone.later(0.8, lambda: phone.hang(PACKAGE)), after=True)
    done = collect(host, phone, "--source", source, code=code, seconds="2s")
    assert ("the app did not answer the dump in time" in done.stderr) == (source == "auto")
    (_, presents), = rows_of(done.stdout).items()
    assert presents == phone.surfaces.presents(process, presents[0], presents[-1] + 1)


@pytest.mark.parametrize("lacks, code", [({"service"}, 4), ({"list"}, 4), ({"timestats"}, 0)])
def test_a_device_without_a_command(host, game, lacks, code):
    phone, _ = game("12")
    phone.surfaces.lacks = lacks
    done = collect(host, phone, "--source", "surface", code=code)
    if code:
        assert f"SurfaceFlinger shows no layer of {PACKAGE}" in done.stderr
    else:
        assert "TimeStats" not in done.stdout and len(rows_of(done.stdout)) == 1
    assert not phone.surfaces.on


@pytest.mark.parametrize("on", [False, True])
def test_counters_that_another_program_clears_are_not_used(host, game, on):
    phone, process = game("14")
    if on:  # enough frames that even a slow last reading has fewer
        phone.surfaces.enable(True)
        wait_for(lambda: len(phone.surfaces.presents(process, 0, phone.now_ns())) > 150, "frames")
    # The window begins after this dump.
    phone.when(("dumpsys", "SurfaceFlinger", "--timestats", "-dump"), lambda: phone.later(CLEARED_S, phone.surfaces.clear), after=True)
    done = collect(host, phone, "--source", "surface", seconds="5s")
    assert "another program cleared the counters" in done.stderr
    assert "TimeStats" not in done.stdout and len(rows_of(done.stdout)) == 1
    assert phone.surfaces.on == on


def test_timestats_that_were_on_stay_on(host, game, tmp_path):
    phone, process = game("15")
    phone.surfaces.enable(True)
    wait_for(lambda: len(phone.surfaces.presents(process, 0, phone.now_ns())) > 40, "frames")
    done = collect(host, phone, "--source", "surface")
    asked = [call for call in phone.asked if call[1:3] == ("SurfaceFlinger", "--timestats")]
    assert [call[3:] for call in asked] == [("-dump",)] * 2 and phone.surfaces.on
    surface, = parse(host, tmp_path, done.stdout)["surfaces"]
    assert 10 < surface["total_frames"] < 2 * sum(map(len, rows_of(done.stdout).values()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_timestats_do_not_stay_on(host, game, number):
    phone, _ = game("12")
    process = host.popen(host.build / "dejank", "collect", "--device", phone.serial, "--package", PACKAGE, "--for", "60s")
    try:
        wait_for(lambda: phone.surfaces.on, "timestats")
        process.send_signal(number)
        process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    if number == signal.SIGKILL:
        assert phone.surfaces.on and host.dejank("doctor", "--restore").returncode == 0
    assert not phone.surfaces.on and not phone.surfaces.known


def test_timestats_that_a_killed_process_left_on_are_off_after_the_next_collect(host, game):
    phone, _ = game("12")
    process = host.popen(host.build / "dejank", "collect", "--device", phone.serial, "--package", PACKAGE, "--for", "60s")
    wait_for(lambda: phone.surfaces.on, "timestats")
    process.kill()
    process.communicate(timeout=20)
    done = collect(host, phone)
    assert "TimeStats" in done.stdout
    assert not phone.surfaces.on and not phone.surfaces.known
    assert "no device has settings to restore" in host.dejank("doctor", "--restore").stderr


# ---- dejank run

QUICK = ("--for", "700ms", "-n", "1", "--warmup", "0")


@pytest.fixture
def run(host, tmp_path):
    made = Run(host, tmp_path)
    plain = made.command
    made.command = lambda *words: plain("--package", PACKAGE, *words)
    return made


@pytest.mark.parametrize("release", ["9", "12"])
def test_a_run_keeps_the_presents_of_a_game(run, game, release):
    phone, _ = game(release)
    done = run("--device", phone.serial, *QUICK)
    assert run.runs() == [(1, 1, 0, "ok")]
    assert "dejank reads the frames from SurfaceFlinger, because the app is not in gfxinfo" in done.stderr
    (frames, presents, p50, longest, late, frame_time), = run.ask(
        "SELECT frames, presents, present_p50_ns, present_max_ns, presents_late, frame_time_p95_ns FROM metrics")
    assert frames == presents > 20 and 16_000_000 < p50 < 34_000_000 and 33_000_000 < longest < 34_000_000 and late > 5
    assert frame_time is None
    assert not phone.surfaces.on


def test_a_run_whose_counters_another_program_clears_is_repeated(run, game):
    phone, _ = game("12")
    phone.when(("dumpsys", "SurfaceFlinger", "--timestats", "-clear"), lambda: phone.later(CLEARED_S, phone.surfaces.clear), after=True)
    done = run("--device", phone.serial, "--source", "surface", "--for", "5s", *QUICK[2:], "--retries", "1")
    assert "cleared-by-another" in done.stderr
    assert [one[:2] for one in run.runs()] == [(1, 1), (1, 2)]
    (reason,), _ = run.ask("SELECT reason FROM runs ORDER BY id")
    assert reason.startswith("cleared-by-another: ")


def test_a_game_that_draws_only_later_is_found_in_the_next_attempt(run, android):
    """When the window begins, it is still unknown that gfxinfo does not see the app."""
    phone = android(release="12")
    phone.install(PACKAGE, renderer="flutter", frames=Frames(when="touched", linger_s=0.3))
    done = run("--device", phone.serial, "--gesture", "wait 1500ms; tap 500,500 x3 pause 300ms", "-n", "1", "--warmup", "0")
    assert run.runs() == [(1, 1, 0, "not-in-gfxinfo"), (1, 2, 0, "ok")], done.stderr
    (presents,), = run.ask("SELECT presents FROM metrics JOIN windows ON windows.id = window_id AND ordinal = 0 WHERE presents > 0")
    assert presents > 10


@pytest.mark.parametrize("source", ["auto", "gfxinfo"])
@pytest.mark.parametrize("renderer", ["hwui", "SurfaceView"])
def test_a_hang_before_the_first_reading_is_a_hang(run, game, source, renderer):
    phone, _ = game("12", renderer=renderer)
    phone.dump_timeout_s = 0.5
    phone.when(("dumpsys", "gfxinfo", PACKAGE, "reset"), lambda: phone.hang(PACKAGE), after=True)
    run("--device", phone.serial, "--source", source, *QUICK, "--retries", "0", code=4)
    assert run.runs() == [(1, 1, 0, "app-gone")]
    assert run.ask("SELECT reason FROM runs") == [("the app does not answer: the app did not answer the dump in time",)]


def test_a_plan_chooses_the_source(run, host, game, tmp_path):
    phone, _ = game("12", renderer="hwui")
    plan = tmp_path / "plan.yaml"
    text = f"plan: 1\npackage: {PACKAGE}\ndevices: [\"{phone.serial}\"]\nflows: [{{idle: yes}}]\nruns: 1\nwarmup: 0\nfor: 500ms\nsettle: 100ms\n"
    plan.write_text(text + "source: surfaces\n")
    done = host.dejank("run", plan, "--store", run.store)
    assert done.returncode == 2 and "expected gfxinfo, surface or auto, found 'surfaces'" in done.stderr
    plan.write_text(text + "source: surface\n")
    done = host.dejank("run", plan, "--store", run.store)
    assert done.returncode == 0, done.stderr
    (options, presents), = run.ask("SELECT options, presents FROM batches, metrics JOIN windows ON windows.id = window_id AND ordinal = 0")
    assert json.loads(options)["source"] == "surface" and presents > 10


def test_google_s_figures_are_metrics(run, host, game):
    phone, _ = game("12", ms=(8.0, 8.0, 8.0, 8.0, 8.0, 60.0))
    for label in ("a", "b"):
        run("--device", phone.serial, "--label", label, "--for", "700ms", "-n", "1", "--warmup", "0")
    rows = run.ask("SELECT surface_frames, p90_fps, p99_fps, average_fps, below_20fps_pct, below_30fps_pct FROM metrics")
    assert len(rows) == 2 and all(frames > 5 and p99 <= p90 < average and 0 < slow <= slower < 100
                                  for frames, p90, p99, average, slow, slower in rows), rows
    compared = host.dejank("compare", "a", "b", "--json", "--store", run.store)
    metrics = {one["metric"] for one in json.loads(compared.stdout)["metrics"]}
    assert {"present_p50", "present_p95", "p90_fps"} <= metrics, compared.stderr
    gate = host.dejank("gate", "b", "--baseline", "a", "--objective", "below_20fps_pct <= 25 %", "--objective", "p90_fps >= 5 fps",
                       "--json", "--store", run.store)
    states = {one["metric"]: one["state"] for one in json.loads(gate.stdout)["cells"][0]["objectives"]}
    assert set(states) == {"below_20fps_pct", "p90_fps"}, gate.stderr
    history = host.dejank("history", "--metric", "p90_fps", "--json", "--store", run.store)
    assert json.loads(history.stdout)["segments"], history.stderr
    assert host.dejank("store", "check", "--store", run.store).returncode == 0
