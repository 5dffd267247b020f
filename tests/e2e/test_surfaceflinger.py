"""`dejank parse` on output of dumpsys SurfaceFlinger: compared with a second, simple reader (naive_surfaceflinger.py), changed by
copy and paste, truncated, and in a bug report. Also exit codes, page and CSV."""
import json
import os
import subprocess
from pathlib import Path

import pytest

import naive_surfaceflinger as naive
from pasted import PASTES

CORPUS = os.environ.get("DEJANK_CORPUS")
REAL = sorted((Path(CORPUS) / "surfaceflinger").glob("*.txt")) if CORPUS else []
JANK = ("totalTimelineFrames jankyFrames sfLongCpuJankyFrames sfLongGpuJankyFrames sfUnattributedJankyFrames "
        "appUnattributedJankyFrames sfSchedulingJankyFrames sfPredictionErrorJankyFrames "
        "appBufferStuffingJankyFrames").split()
GAME = "SurfaceView[com.example.game/com.unity3d.player.UnityPlayerActivity](BLAST)#132833"


def histogram(name, counts):
    return f"{name} histogram is as below:\n" + " ".join(f"{label}ms={counts.get(label, 0)}" for label in naive.LABELS) + "\n"


def layer(release, name, counts, hz=60, package=""):
    total = sum(counts.values())
    text = "\n" if release > 9 else ""
    if release >= 12:
        text += f"displayRefreshRate = {hz} fps\nrenderRate = {hz} fps\nuid = 10231\n"
    text += f"layerName = {name}\npackageName = {package}\n"
    if release == 9:
        text += f"statsStart = 1\nstatsEnd = 2\ntotalFrames= {total}\n"
    else:
        text += ("gameMode = Standard\n" if release >= 12 else "") + f"totalFrames = {total}\ndroppedFrames = 3\n"
    if release >= 11:
        text += "lateAcquireFrames = 0\nbadDesiredPresentFrames = 0\n"
    if release >= 12:
        text += "Jank payload for this layer:\n" + "".join(f"{key} = {n * 2}\n" for n, key in enumerate(JANK))
        text += (f"Set{'FrameRate' if release >= 14 else 'FrateRate'} vote for this layer:\nframeRate = 60.00\n"
                 "frameRateCompatibility = Default\nseamlessness = NotRequired\n")
    return text + "averageFPS = 50.038\n" + "".join(
        histogram(key, counts if key == "present2present" else {7: total})
        for key in ("latch2present", "present2present", "post2acquire"))


def timestats(release, *layers):
    equals = "= " if release == 9 else " = "
    text = "SurfaceFlinger TimeStats:\n" + ("Legacy stats are as follows:\n" if release >= 12 else "")
    text += f"statsStart = 1566336030\nstatsEnd = 1566338516\ntotalFrames{equals}700\nmissedFrames{equals}9\n"
    if release == 9:
        text += "TimeStats for each layer is as below:\n"
    else:
        text += "totalP2PTime = 12675 ms\n" + histogram("presentToPresent", {16: 700})
    if release >= 12:
        text += "\nGlobal aggregated jank payload (Timeline stats):\ndisplayRefreshRate = 60 fps\nrenderRate = 60 fps\n"
        text += "".join(f"{key} = {n}\n" for n, key in enumerate(JANK)) + histogram("sfDeadlineMisses", {1: 2})
    return text + "".join(layers) + "\n"


def latency(count=60, pending=3, unused=64):
    rows = [(10**12 + i * 16666667, 10**12 + i * 16666667 + 33 * 10**6 + i % 7 * 10**6, 10**12 + i * 16666667 + 9)
            for i in range(count)]
    rows += [(10**12 + i * 16666667, 2**63 - 1, 10**12 + i * 16666667) for i in range(count, count + pending)]
    rows += [(0, 0, 0)] * unused
    return "16666667\n" + "".join("%d\t%d\t%d\n" % row for row in rows) + "\n"


def timeline(count=30):
    """Every 7th frame is dropped, every 5th is one refresh late, and every 4th has an expected time that is shifted by 3.5 ms."""
    text, shown = f"Number of display frames : {count}\n", 0.0
    for i in range(count):
        shown += 16.67 * (2 if i % 5 == 4 else 1)
        state, mark = ("Dropped" if i % 7 == 3 else "Presented"), (" [*] " if i % 5 == 4 else "")
        expected = "N/A" if i == 20 else f"{shown - 33.34 + (3.5 if i % 4 == 1 else 0):.2f}"
        text += (f"Display Frame {i}{mark}\nPrediction State : Valid\nJank Type : None\nVsync Period:  16.666666\n"
                 f"Actual  \t|\t      0.10\t|\t      9.80\t|\t     {shown:.2f}\n{'-' * 88}\n\n"
                 f"    Layer - {GAME}{mark}\n    Token: {1200 + i}\n    Present State : {state}\n    Prediction State : Valid\n"
                 f"    Jank Type : None\n    \t\t    Start time\t\t|    End time\t\t|    Present time\n"
                 f"    Expected\t|\t     {expected}\t|\t     21.67\t|\t     50.00\n"
                 f"    Actual  \t|\t     {shown - 30:.2f}\t|\t     22.67\t|\t     {shown:.2f}\n    {'-' * 88}\n\n")
    return text


LISTS = {
    "list 9": "a3d001c com.example.game/com.example.Main#0\nStatusBar#0\nSurfaceView - com.example.game/com.example.Main#0\n",
    "list 15": "RequestedLayerState{Leaf:1:1#8 parentId=5 z=1}\nRequestedLayerState{com.example.game/.Main#51#116 parentId=4 "
               "!handle}\n",
}
TEXTS = {
    **{f"timestats {release}": timestats(
        release, layer(release, GAME if release >= 12 else "SurfaceView - com.example.game/com.example.Main#0",
                       {16: 850, 33: 100, 66: 50}, package="com.example.game" if release < 11 else ""),
        layer(release, "StatusBar#0", {17: 1})) for release in range(9, 16)},
    "two rates": timestats(14, layer(14, GAME, {16: 90, 54: 10}), layer(14, GAME, {8: 300, 17: 5}, hz=120)),
    "latency": latency(),
    "latency, all unused": latency(0, 0, 127),
}


def inputs_of(build, folder, texts):
    paths = []
    for i, text in enumerate(texts):
        paths.append(folder / f"{i}.txt")
        paths[-1].write_bytes(text.encode())
    done = subprocess.run([build / "dejank", "parse", "--json", *paths], capture_output=True, timeout=120)
    assert done.returncode in (0, 4), done.stderr
    return json.loads(done.stdout)["inputs"]


def close(read, expected):
    return read == expected if read is None or expected is None else read == pytest.approx(expected, abs=0.0006)


def same_figures(read, expected, where):
    for key in ("total_frames", "dropped_frames", "jank"):
        assert read[key] == expected[key], f"{where}: {key}"
    assert close(read["average_fps"], expected["average_fps"]), where
    times = read["present_to_present"]
    printed = dict(times["histogram"]) if times["histogram"] is not None else None
    assert printed == expected["histogram"], where
    for percent, value in zip(naive.PERCENTS, expected["percentiles"]):
        assert close(times[f"p{percent}_ms"], value), f"{where}: p{percent}"
    for percent, value in zip((90, 99), expected["google"]):
        assert close(read[f"google_p{percent}_fps"], value), f"{where}: P{percent} FPS"


def same_presents(read, expected, where):
    """Compares the figures of presents. Intervals of six refreshes or more are pauses and are not counted."""
    steps = expected.get("intervals")
    if not steps:
        assert read["present"] is None or read["present"]["present_to_present_ns"]["count"] == 0, where
        return
    period = (expected["refresh_ns"] or 16666667) / 1e6
    steps = [step for step in steps if step < 6 * period]
    present = read["present"]["present_to_present_ns"]
    assert present["count"] == len(steps), where
    assert present["max"] is None or close(present["max"] / 1e6, max(steps)), where
    errors = expected.get("errors", [])
    assert read["present"]["skipped_frames"] == (expected["dropped_frames"] if expected["kind"] == "frametimeline" else None), where
    assert read["present"]["animation_error_ns"]["count"] == len(errors), where
    if errors:
        assert close(read["present"]["animation_error_ns"]["mean"] / 1e6, sum(errors) / len(errors)), where
        assert close(read["present"]["animation_error_ns"]["max"] / 1e6, max(errors)), where
    if expected["refresh_ns"]:
        assert read["present"]["presents_late"] == sum(int(step / period + 0.5) > 1 for step in steps), where


def same(surfaces, text, where):
    wanted = naive.read(text)
    assert [one["layer"] for one in surfaces] == [one["layer"] for one in wanted], where
    for read, expected in zip(surfaces, wanted):
        for key in ("package", "kind", "refresh_ns", "rows", "complete_rows", "pending_rows"):
            assert read[key] == expected[key], f"{where}, {read['layer']}: {key}"
        same_figures(read, expected, f"{where}, {read['layer']}")
        same_presents(read, expected, f"{where}, {read['layer']}")
        assert (read["by_refresh_rate"] is None) == (expected["by_refresh_rate"] is None)
        for part, other in zip(read["by_refresh_rate"] or [], expected["by_refresh_rate"] or []):
            assert (part["display_hz"], part["render_hz"]) == (other["display_hz"], other["render_hz"])
            same_figures(part, other, f"{where}, {read['layer']}, a rate")


@pytest.mark.parametrize("path", REAL or [None], ids=lambda path: path.stem if path else "none")
def test_a_real_text(build, path):
    if path is None:
        pytest.skip("DEJANK_CORPUS is not set")
    done = subprocess.run([build / "dejank", "parse", "--json", path], capture_output=True, timeout=60)
    [read] = json.loads(done.stdout)["inputs"]
    same(read["surfaces"], path.read_text(), path.name)
    frames = any((one["total_frames"] or one["complete_rows"] or 0) > 0 for one in read["surfaces"])
    assert (done.returncode, read["outcome"] == "ok") == ((0, True) if frames else (4, False))


@pytest.mark.parametrize("name", [*TEXTS, *LISTS, "frame timeline"])
def test_a_made_text(build, tmp_path, name):
    text = {**TEXTS, **LISTS, "frame timeline": timeline()}[name]
    [read] = inputs_of(build, tmp_path, [text])
    same(read["surfaces"], text, name)
    assert len(read["surfaces"]) > 0 and all(one["severity"] == "error" for one in read["diagnostics"])


def figures(read):
    return [{key: value for key, value in one.items() if key != "line"} for one in read["surfaces"]]


@pytest.mark.parametrize("paste", PASTES)
def test_a_paste_keeps_every_figure(build, tmp_path, paste):
    texts = {**TEXTS, **({} if "wrapped" in paste else LISTS)}
    read = inputs_of(build, tmp_path, [*texts.values(), *map(PASTES[paste], texts.values())])
    for name, plain, pasted in zip(texts, read, read[len(texts):]):
        assert figures(pasted) == figures(plain), name


@pytest.mark.parametrize("name", TEXTS)
def test_cut_after_any_line(build, tmp_path, name):
    """A truncated text has the same counts and percentiles as the whole text, or none."""
    lines = TEXTS[name].splitlines(keepends=True)
    cuts = ["".join(lines[:n]) + lines[n][:len(lines[n]) // 2] for n in range(1, len(lines))]
    [whole] = inputs_of(build, tmp_path, [TEXTS[name]])
    if name in ("two rates", "latency", "latency, all unused"):
        assert len(inputs_of(build, tmp_path, cuts)) == len(cuts)
        return
    for n, cut in enumerate(inputs_of(build, tmp_path, cuts), start=1):
        for one, other in zip(cut["surfaces"], whole["surfaces"]):
            for key in ("total_frames", "dropped_frames", "average_fps", "google_p90_fps"):
                assert one[key] in (None, other[key]), f"cut in line {n}: {key}"
            assert one["present_to_present"]["p90_ms"] in (None, other["present_to_present"]["p90_ms"]), n


@pytest.mark.parametrize("name", ["timestats 9", "timestats 14", "latency"])
def test_in_a_bug_report(build, tmp_path, name):
    report = ("== dumpstate: 2031-05-04 09:41:00\nBuild fingerprint: 'x/y/z:14/A/1:user/release-keys'\n------ UPTIME ------\n"
              "16666667\n1 2 3\n" + "-" * 80 + "\nDUMP OF SERVICE SurfaceFlinger:\n" + TEXTS[name] +
              "--------- 0.019s was the duration of dumpsys SurfaceFlinger, ending at: 2031-05-04 09:41:02\n" + "-" * 80 +
              "\nDUMP OF SERVICE gfxinfo:\nApplications Graphics Acceleration Info:\nUptime: 1 Realtime: 1\n"
              "--------- 0.019s was the duration of dumpsys gfxinfo, ending at: 2031-05-04 09:41:03\n")
    plain, inside = inputs_of(build, tmp_path, [TEXTS[name], report])
    assert figures(inside) == figures(plain) and inside["outcome"] == "ok"


def test_next_to_gfxinfo(build, tmp_path):
    gfxinfo = "** Graphics info for pid 7 [com.example.app] **\nTotal frames rendered: 9\nJanky frames: 1 (11.11%)\n\n"
    plain, both = inputs_of(build, tmp_path, [TEXTS["timestats 13"], gfxinfo + TEXTS["timestats 13"] + gfxinfo])
    assert figures(both) == figures(plain)
    assert [one["stats"]["total_frames"] for one in both["processes"]] == [9, 9]


def run(build, text, *options):
    return subprocess.run([build / "dejank", "parse", *options, "-"], input=text.encode(), capture_output=True, timeout=60)


def test_page_of_timestats(build):
    done = run(build, TEXTS["timestats 13"])
    page = done.stdout.decode()
    assert done.returncode == 0 and done.stderr == b""
    assert page.startswith("FRAMES SHOWN: com.example.game: 1000 frames, 50.0 fps on average\n")
    assert "Layers of SurfaceFlinger" in page and "  frames 1000, dropped 3, average 50.0 fps, p50 16.0 ms, p90 33.0" in page
    assert max(map(len, page.splitlines())) <= 80


def test_exit_codes(build):
    assert run(build, TEXTS["latency"]).returncode == 0
    for text in (LISTS["list 15"], TEXTS["latency, all unused"], "16666667\n\n"):
        done = run(build, text)
        assert done.returncode == 4
        assert b"SurfaceFlinger" in done.stderr and b"--timestats" in done.stderr
    assert run(build, "").returncode == 4


def test_a_whole_dump_has_no_frame_times(build):
    done = run(build, "Sync configuration: []\n\nStatic screen stats:\n  < 1 frames: 1902.700 s (44.7%)\n\n"
                      "Visible layers (count = 3)\n+ BufferLayer (StatusBar#0)\n")
    assert done.returncode == 4 and b"has no frame times: dump it with --timestats" in done.stderr


def test_rows_formats_name_what_they_lack(build):
    done = run(build, TEXTS["latency"], "--csv")
    assert b"1 layer of SurfaceFlinger" in done.stderr


def test_hostile_names(build):
    name = "\x07</script><b>=cmd|' /C calc'!A0\u202e/a.b#1"
    text = timestats(13, layer(13, name, {16: 5}))
    page = run(build, text).stdout
    assert b"\x07" not in page and "\u202e".encode() not in page
    [read] = json.loads(run(build, text, "--json").stdout)["inputs"]
    assert read["surfaces"][0]["layer"] == name and read["surfaces"][0]["total_frames"] == 5
