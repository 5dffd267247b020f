"""dumpsys gfxinfo --release: segments of one release, printed in the format of every other release and read by dejank."""
import json
import os
import re
import subprocess

import pytest

from fake_apps import BUILD, SECONDS, device  # noqa: F401 (a fixture)

# Number of framestats columns of a release. TAKEN_FOR has the release that the reader infers if several look alike.
RELEASES = {"preview": 13, "6.0": 14, "7.0": 14, "7.1": 16, "8": 16, "9": 16, "9-10": 16, "10": 16, "11": 17, "12": 22,
            "12L": 22, "13": 23, "14": 23, "15": 23, "16": 24}
TAKEN_FOR = {"9-10": "9", "10": "9", "12L": "12", "14": "13", "15": "13"}
WITHOUT_WINDOW_STATS = ("preview", "6.0", "7.0", "7.1")
WITHOUT_HISTOGRAM = ("preview", "6.0")
MISSES = {"9", "9-10", "10", "11", "12", "12L", "13", "14", "15", "16"}  # print "Frame deadline missed"
FRAMES, JANKY_EVERY = 100, 10
NOTE = "Note: recorded as Android %s, counted anew as %s from the %d frames still kept of %d\n"


def read(text):
    done = subprocess.run([BUILD / "dejank", "parse", "--json", "--rows", "-"], input=text, capture_output=True, text=True,
                          timeout=SECONDS, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["inputs"][0]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("recorded", ["11", "6.0", "16"])
def test_every_release_can_be_printed(device, recorded, release):  # noqa: F811
    device.app("com.x", "--frames", FRAMES, "--janky", JANKY_EVERY, "--release", recorded)
    text = device.gfxinfo("com.x", "framestats", "--release", release)
    dump = read(text)
    process = dump["processes"][0]
    window = process["windows"][0]
    frames = window["framestats"]
    assert dump["release"] == TAKEN_FOR.get(release, release)
    assert len(frames["columns"]) == RELEASES[release]
    assert frames["row_count"] == FRAMES
    rows = [dict(zip(frames["columns"], row)) for row in frames["rows"]]
    assert [row["IntendedVsync"] for row in rows] == [10**12 + i * 50 * 10**6 for i in range(FRAMES)]
    times = [row["FrameCompleted"] - row["IntendedVsync"] for row in rows]
    assert times == [(40 if i % JANKY_EVERY == JANKY_EVERY - 1 else 8) * 10**6 for i in range(FRAMES)]
    stats = process["stats"]
    assert stats["total_frames"] == FRAMES
    assert stats["janky_frames"] == FRAMES // JANKY_EVERY
    assert (window["stats"] is not None) == (release not in WITHOUT_WINDOW_STATS)
    assert ("histogram" in stats) == (release not in WITHOUT_HISTOGRAM)
    assert ("frame_deadline_missed" in stats) == (release in MISSES)
    if release == recorded:
        assert "Note: recorded as" not in text
    else:
        assert NOTE % (recorded, release, FRAMES, FRAMES) in text


@pytest.mark.parametrize("release", RELEASES)
def test_it_prints_what_a_recording_of_that_release_prints(device, release):  # noqa: F811
    """Except for the note, the clock values, and the pid and name of the process."""
    device.app("com.own", "--frames", FRAMES, "--janky", JANKY_EVERY, "--release", release)
    device.app("com.not", "--frames", FRAMES, "--janky", JANKY_EVERY)

    def plain(name, *words):
        text = device.gfxinfo(name, "framestats", *words)
        text = re.sub(r"^(Uptime: .*|\*\* Graphics info .*|Note: recorded as .*\n|(  )?Stats since: .*)$", "", text, flags=re.M)
        return re.sub(r"\n*\Z", "\n", re.sub(r"^Note: recorded as .*\n", "", text, flags=re.M)).replace(name, "NAME")
    assert plain("com.not", "--release", release) == plain("com.own")
    assert plain("com.own", f"--release={release}") == plain("com.own")


def test_5_prints_the_simple_dump_alone(device):  # noqa: F811
    device.app("com.x", "--frames", 20, "--profile", 1)
    text = device.gfxinfo("com.x", "framestats", "--release", "5")
    assert "Stats since" not in text and "PROFILEDATA" not in text and "Total frames" not in text
    assert len(re.findall(r"^\t\d+\.\d\d\t\d+\.\d\d\t\d+\.\d\d\t\d+\.\d\d$", text, re.M)) == 20
    dump = read(text)
    assert dump["processes"][0]["windows"][0]["profile"]["row_count"] == 20


def test_counts_are_of_the_frames_still_kept(device):  # noqa: F811
    device.app("com.x", "--frames", 1000, "--janky", 10, "--keep", 256)
    own = device.gfxinfo("com.x", "framestats")
    other = device.gfxinfo("com.x", "framestats", "--release", "9")
    assert re.findall(r"^Total frames rendered: (\d+)$", own, re.M) == ["1000", "1000"]
    kept = int(re.search(r"^Note: recorded as Android 11, counted anew as 9 from the (\d+) frames still kept of 1000$",
                         other, re.M)[1])
    assert 250 <= kept <= 256
    assert re.findall(r"^Total frames rendered: (\d+)$", other, re.M) == [str(kept), str(kept)]
    [process] = read(other)["processes"]
    assert len(process["windows"][0]["framestats"]["rows"]) == 120
    assert process["recounted"] == {"from": "11", "to": "9", "kept_frames": kept, "counted_frames": 1000}


def test_windows_are_counted_each_for_itself(device):  # noqa: F811
    device.app("com.x", "--frames", 30, "--janky", 5, "--window", "one", "--window", "two")
    text = device.gfxinfo("com.x", "framestats", "--release", "16")
    assert re.findall(r"^Total frames rendered: (\d+)$", text, re.M) == ["60", "30", "30"]
    assert re.findall(r"^Janky frames: (\d+) ", text, re.M) == ["12", "6", "6"]


def test_a_reset_in_between_is_kept_to(device):  # noqa: F811
    app = device.app("com.x", "--frames", 50)
    device.gfxinfo("com.x", "reset", "--release", "13")
    app.order("frames 7")
    for words in ((), ("--release", "13")):
        assert re.search(r"^Total frames rendered: 7$", device.gfxinfo("com.x", "framestats", *words), re.M), words


@pytest.mark.parametrize("words, said", [
    (("com.x", "--release", "17"), "there is no release '17'"),
    (("com.x", "framestats", "--release"), "there is no release ''"),
    (("--release=eleven",), "there is no release 'eleven'"),
])
def test_a_release_nobody_knows(device, words, said):  # noqa: F811
    device.app("com.x", "--frames", 3)
    done = device.run("gfxinfo", *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr and "12L" in done.stderr and "preview" in done.stderr
