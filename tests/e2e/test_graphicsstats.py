"""`dumpsys graphicsstats`: every frame of three days counts once, even if programs or dumpsys are killed or segments are deleted."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import time

import pytest

from fake_apps import BUILD, DUMPSYS, SECONDS, device  # noqa: F401 (a fixture)

DAY_S = 86400


class Stats:
    """The output of a device, read by `dejank parse`, as {(package, version): frames}."""

    def __init__(self, device):
        self.device = device
        self.file = device.state / "dejank/graphicsstats"

    def run(self, *words, **options):
        return self.device.run("graphicsstats", *words, **options)

    def parse(self, *words):
        done = self.run(*words)
        assert (done.returncode, done.stderr) == (0, "")
        if done.stdout == "":
            return []
        read = subprocess.run([BUILD / "dejank", "parse", "--json", "-"], input=done.stdout, capture_output=True, text=True,
                              timeout=SECONDS)
        assert (read.returncode, read.stderr) == (0, ""), read.stderr
        return [entry for dump in json.loads(read.stdout)["inputs"] for entry in dump["graphicsstats"]]

    def frames(self, *words):
        entries = self.parse(*words)
        sums = {(entry["package"], entry.get("version")): total_of(entry) for entry in entries}
        assert len(sums) == len(entries), "one entry for each package and version"
        return sums


def total_of(entry):
    return entry["stats"]["total_frames"]


@pytest.fixture
def stats(device):  # noqa: F811
    return Stats(device)


def now():
    return time.monotonic_ns()


def app(stats, name, frames, *options):
    return stats.device.app(name, "--frames", frames, "--base", now(), *options)


def ended(stats, name, frames, *options):
    made = app(stats, name, frames, *options)
    made.end()
    return made


def test_nothing_recorded_nothing_printed(stats):
    done = stats.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_living_then_dead_then_merged_then_cleared_away(stats):
    running = app(stats, "com.x", 30)
    assert stats.frames() == {("com.x", 0): 30}
    assert not stats.file.exists(), "what may go on is not kept"
    running.order("frames 5")
    assert stats.frames() == {("com.x", 0): 35}
    running.end()
    for _ in range(3):
        assert stats.frames() == {("com.x", 0): 35}
    assert stats.file.exists()
    running.path.unlink()
    assert stats.frames() == {("com.x", 0): 35}


def test_living_and_dead_of_a_package_are_one_entry(stats):
    ended(stats, "com.x", 30, "--window", "a", "--window", "b")
    ended(stats, "com.x", 7)
    app(stats, "com.x", 4)
    app(stats, "com.x:helper", 2)
    ended(stats, "com.y", 3)
    assert stats.frames() == {("com.x", 0): 73, ("com.y", 0): 3}
    assert [entry["package"] for entry in stats.parse()] == ["com.x", "com.y"], "the living first"


def test_killed_in_mid_frame(stats):
    app(stats, "com.x", 30).kill_in_mid_frame()
    assert stats.frames() == stats.frames() == {("com.x", 0): 30}


def test_versions_and_days(stats):
    ended(stats, "com.x", 10, "--app-version", 1)
    ended(stats, "com.x", 20, "--app-version", 2)
    ended(stats, "com.x", 5, "--app-version", 2)
    assert stats.frames() == {("com.x", 1): 10, ("com.x", 2): 25}
    ended(stats, "com.x", 40, "--app-version", 1, "--age", DAY_S)
    found = [entry for entry in stats.parse() if entry["version"] == 1]
    assert sorted(map(total_of, found)) == [10, 40], "days are entries of their own"
    assert abs(max(entry["start_ms"] for entry in found) - min(entry["start_ms"] for entry in found) - DAY_S * 1000) < 60000


def test_what_is_older_than_three_days_is_dropped(stats):
    ended(stats, "com.new", 10)
    old = ended(stats, "com.old", 20, "--age", 3 * DAY_S - 600)
    ended(stats, "com.older", 30, "--age", 3 * DAY_S + 600)
    assert stats.frames() == {("com.new", 0): 10, ("com.old", 0): 20}
    kept = stats.file.read_text()
    aged = re.sub(r"^times (\d+) (\d+)", lambda match: f"times {int(match[1]) - 3600000} {int(match[2]) - 3600000}", kept,
                  flags=re.M)
    stats.file.write_text(aged)
    old.path.unlink()
    assert stats.frames() == {("com.new", 0): 10}
    assert "com.old" not in stats.file.read_text()


def test_a_program_that_runs_for_days_is_there(stats):
    app(stats, "com.x", 10, "--age", 5 * DAY_S)
    assert stats.frames() == {("com.x", 0): 10}


def test_reset_is_for_gfxinfo(stats):
    running = app(stats, "com.x", 30)
    stats.device.gfxinfo("com.x", "reset")
    assert stats.frames() == {("com.x", 0): 30}
    running.order("frames 5")
    stats.device.gfxinfo("com.x", "reset")
    running.end()
    assert stats.frames() == {("com.x", 0): 35}


@pytest.mark.parametrize("release", ["6.0", "7.0", "7.1", "8", "9-10", "11", "12", "12L", "13", "14", "15", "16"])
def test_every_release_is_read_back(stats, release):
    ended(stats, "com.x", 30, "--janky", 3)
    version = 0 if release[0] not in "67" else None
    assert stats.frames("--release", release) == {("com.x", version): 30}
    text = stats.run(f"--release={release}").stdout
    assert ("\nNote: counted as Android 11 does\n" in text) == (release != "11")


def test_a_release_without_the_service(stats):
    done = stats.run("--release", "5")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Can't find service: graphicsstats\n")
    done = stats.run("--release", "17")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no release '17'" in done.stderr


def test_unknown_words_are_passed_over(stats):
    ended(stats, "com.x", 30)
    assert stats.frames("com.y", "-a", "--whatever") == {("com.x", 0): 30}


@pytest.mark.parametrize("name", ["two words", "it's", "$(touch planted)", "grüße-日本", "*", "Version: 3", "100%d", "back\\slash"])
def test_names(stats, name):
    ended(stats, name, 30)
    package = name.split(":")[0]
    assert stats.frames() == stats.frames() == {(package, 0): 30}


@pytest.mark.parametrize("name, printed", [("a\nb", "a\\x0ab"), ("\033[31m", "\\x1b[31m")])
def test_names_cannot_forge_lines_or_steer_terminals(stats, name, printed):
    ended(stats, name, 30)
    assert stats.frames() == {(printed, 0): 30}
    assert name in stats.file.read_text().replace("\\x0a", "\n").replace("\\x1b", "\033")


def test_two_rules_are_two_entries(stats):
    ended(stats, "com.x", 30)
    ended(stats, "com.x", 20, "--release", "16")
    assert sorted(map(total_of, stats.parse())) == [20, 30]


# ---- dumpsys is killed or runs several times at once ----


def test_killed_while_it_writes(stats):
    """SIGXFSZ kills dumpsys in the middle of the file."""
    ended(stats, "com.x", 30)
    assert stats.frames() == {("com.x", 0): 30}
    ended(stats, "com.y", 20)
    before = stats.file.read_bytes()
    done = stats.run(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    assert done.returncode == -signal.SIGXFSZ
    assert stats.file.with_name("graphicsstats.new").stat().st_size == 100
    assert stats.file.read_bytes() == before
    assert stats.frames() == {("com.x", 0): 30, ("com.y", 0): 20}
    assert not stats.file.with_name("graphicsstats.new").exists()


def test_killed_after_it_wrote(stats):
    """dumpsys blocks on a pipe that is not read."""
    for number in range(30):
        ended(stats, f"com.x{number}", 30)
    reading, writing = os.pipe()
    process = subprocess.Popen([DUMPSYS, "graphicsstats", "--release", "16"], env=stats.device.environment, stdout=writing)
    os.close(writing)
    deadline = time.monotonic() + SECONDS
    while not stats.file.exists():
        assert time.monotonic() < deadline
    process.kill()
    process.wait()
    os.close(reading)
    assert set(stats.frames().values()) == {30}
    assert len(stats.frames()) == 30


def test_killed_at_any_instant(stats):
    chance = random.Random(1)
    expected = 0
    for _ in range(40):
        ended(stats, "com.x", 10)
        expected += 10
        process = subprocess.Popen([DUMPSYS, "graphicsstats"], env=stats.device.environment, stdout=subprocess.DEVNULL)
        time.sleep(chance.random() * 0.006)
        process.kill()
        process.wait()
        if chance.random() < 0.3:
            assert stats.frames() == {("com.x", 0): expected}
    assert stats.frames() == {("com.x", 0): expected}


def test_two_at_once(stats):
    for number in range(20):
        ended(stats, f"com.x{number % 4}", 10)
    many = [subprocess.Popen([DUMPSYS, "graphicsstats"], env=stats.device.environment, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for _ in range(8)]
    outputs = [process.communicate(timeout=SECONDS) for process in many]
    assert {error for _, error in outputs} == {""}
    assert [re.findall(r"^Total frames rendered: (\d+)$", text, re.M) for text, _ in outputs] == [["50"] * 4] * 8
    assert set(stats.frames().values()) == {50}
    assert stats.file.read_text().count("\nmerged ") == 20


# ---- a state file or folder that cannot be used ----


def complains(stats, pattern):
    """Checks that all frames are printed in spite of this error."""
    done = stats.run()
    assert done.returncode == 0
    assert re.findall(r"^Total frames rendered: (\d+)$", done.stdout, re.M) == ["30"]
    assert re.fullmatch(f"dumpsys: cannot store the figures of ended programs: {pattern}\n", done.stderr), done.stderr


@pytest.mark.parametrize("content, said", [
    ("dejank graphicsstats 2\nend\n", "line 1: expected version 1, found version 2"),
    ("dejank graphicsstats 1\nday 1 0 11\n", 'line 2: the file ends here: expected "end"'),
    ("\0\377garbage", "line 1: expected .*"),
])
def test_a_file_that_is_none_is_left_alone(stats, content, said):
    ended(stats, "com.x", 30)
    stats.file.parent.mkdir(mode=0o700)
    stats.file.write_text(content)
    complains(stats, f"{re.escape(str(stats.file))}: {said}")
    assert stats.file.read_text() == content


def test_places_that_are_not_safe(stats):
    ended(stats, "com.x", 30)
    folder = stats.file.parent
    folder.mkdir(mode=0o700)
    folder.chmod(0o777)
    complains(stats, f"{re.escape(str(folder))}: other users may write to this directory; fix it with: chmod go-w '.*'")
    folder.rmdir()
    (folder.parent / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(folder.parent / "elsewhere")
    complains(stats, f"{re.escape(str(folder))}: cannot open this directory: .*")
    folder.unlink()
    folder.write_text("")
    complains(stats, f"{re.escape(str(folder))}: .*")


def test_a_lock_that_another_keeps(stats):
    ended(stats, "com.x", 30)
    stats.file.parent.mkdir(mode=0o700)
    lock = stats.file.with_name("lock")
    lock.touch()
    holder = subprocess.Popen(["flock", str(lock), "sh", "-c", "echo held; exec sleep 60"], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        complains(stats, f"{re.escape(str(lock))}: another process holds this lock")
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def test_home_without_a_state_folder(stats, tmp_path):
    ended(stats, "com.x", 30)
    home = tmp_path / "home"
    home.mkdir()
    del stats.device.environment["XDG_STATE_HOME"]
    stats.device.environment["HOME"] = str(home)
    assert stats.frames() == {("com.x", 0): 30}
    kept = home / ".local/state/dejank/graphicsstats"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700


def test_a_state_folder_that_is_not_there_yet(stats, tmp_path):
    ended(stats, "com.x", 30)
    stats.device.environment["XDG_STATE_HOME"] = str(tmp_path / "not/yet")
    assert stats.frames() == {("com.x", 0): 30}
    assert (tmp_path / "not/yet/dejank/graphicsstats").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "not/yet").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be in another user's home")
def test_another_user_s_folders_are_not_written_to(stats, tmp_path):
    ended(stats, "com.x", 30)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 12345, 12345)
    home = tmp_path / "home"
    home.mkdir()
    stats.device.environment.update(XDG_STATE_HOME=str(theirs), HOME=str(home))
    assert stats.frames() == {("com.x", 0): 30}
    assert list(theirs.iterdir()) == []
    assert (home / ".local/state/dejank/graphicsstats").exists()


def test_record_tells_the_version(stats):
    """`dejank record` checks --app-version and passes it to the program in DEJANK_APP_VERSION."""
    for wrong in ("1.2", "", "-3", "9" * 19):
        done = subprocess.run([BUILD / "dejank", "record", "--app-version", wrong, "--", "true"], capture_output=True, text=True,
                              env=stats.device.environment, timeout=SECONDS)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("dejank record: --app-version: expected a whole number")
    done = subprocess.run([BUILD / "dejank", "record", "--app-version", "12", "--", "sh", "-c", "echo $DEJANK_APP_VERSION"],
                          capture_output=True, text=True, env=stats.device.environment, timeout=SECONDS)
    assert done.stdout == "12\n"
