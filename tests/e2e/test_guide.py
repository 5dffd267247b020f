"""docs/guide.md: each of its commands runs in order on a stand-in phone, with shorter times and fewer runs."""

import re
import time
from pathlib import Path

import pytest

from android.app import Frames, Test

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "com.example.app"
SHORTER = [("--for 10s", "--for 1s"), ("-n 10", "-n 1 --warmup 0 --settle 200ms"), ("--for 4s", "--for 3s"),
           ("runs: 10", "runs: 1\nwarmup: 0\nsettle: 200ms"), ("for: 10s", "for: 1s")]


def blocks():
    """(language, text) of each code block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "docs/guide.md").read_text(encoding="utf-8"), re.M | re.S)


def shortened(text):
    for long, short in SHORTER:
        text = text.replace(long, short)
    return text


@pytest.fixture
def place(host, android, tmp_path):
    """The host, with a phone, its app, and a folder with the files that the guide names."""
    phone = android(release="12")
    phone.install(PACKAGE, frames=Frames((8.0, 8.0, 24.0)))
    phone.install(f"{PACKAGE}.test", target=PACKAGE, tests=[Test("com.example.ListTest", "scrolls", 0.4)])
    phone.start(PACKAGE)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    for number in (1, 2):
        phone.apk(folder / f"app-{number}.apk", PACKAGE, version_code=number, frames=Frames((8.0 * number,)))
    host.adb("connect", phone.serial)
    host.env["DEVICE"] = phone.serial
    host.env["XDG_DATA_HOME"] = str(tmp_path / "data")
    host.folder, host.phone = folder, phone
    return host


def test_the_guide_from_top_to_bottom(place):
    ran = 0
    for language, text in blocks():
        if language == "yaml":
            (place.folder / "plan.yaml").write_text(shortened(text), encoding="utf-8")
            continue
        assert language == "sh"
        for command in shortened(text).splitlines():
            begun = time.monotonic()
            done = place.run("bash", "-euo", "pipefail", "-c", f"cd '{place.folder}'; {command}", timeout=120)
            print(f"{time.monotonic() - begun:5.1f} s  {command}")
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            ran += 1
    assert ran >= 20
    known = (ROOT / "docs/android.md").read_text(encoding="utf-8")
    for name in {words[0] for words in place.phone.asked} - {"rm", "sleep", "mkdir", "ls", "cat", "head"}:
        assert re.search(rf"`{name}\b", known), f"docs/android.md has no word of {name}"
    made = {path.name: path.read_bytes() for path in place.folder.iterdir() if path.is_file()}
    assert made["simple.csv"].startswith(b"source,pid,process,window,Draw,Prepare,Process,Execute\n")
    assert made["frames.csv"].count(b"\n") >= 50
    assert made["frames.html"].lower().startswith(b"<!doctype html")
    assert made["shot.png"].startswith(b"\x89PNG")
    assert b"testsuite" in made["tests.xml"]


def test_every_verb_of_the_guide_s_practice_is_in_it():
    text = " ".join(text for language, text in blocks() if language == "sh")
    for verb in ("parse", "report", "collect", "profile", "run", "script", "list", "show", "store", "doctor", "compare"):
        assert f"dejank {verb} " in text or f"dejank {verb}\n" in text
