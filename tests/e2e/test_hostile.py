"""Names and texts that could harm a shell, a terminal or SQL.

The device gets each word unchanged, as the log of the stand-in shows. The store contains them unchanged, and the terminal escaped."""

import sqlite3

import pytest

from android.app import Frames, Test
from test_faults import STOP

NAMES = ["it's \"a\"; touch PWNED", "$(touch PWNED)`touch PWNED`|&<>*?~#!", "Größe 測試 \\n %s $HOME"]
TEXT = "A'; DROP TABLE runs; -- \"$(touch PWNED)\"\n\x1b[31m測"


class Run:
    def __init__(self, host, phone, folder):
        self.host, self.phone, self.store = host, phone, folder / "a store; it's.db"

    def __call__(self, package, *more):
        return self.host.dejank("run", "--device", self.phone.serial, "--package", package, "--for", "300ms", "-n", 1,
                                "--warmup", "0", "--settle", "10ms", "--max-load", 100, "--store", self.store, *more)

    def ask(self, sql):
        with sqlite3.connect(self.store) as store:
            return store.execute(sql).fetchall()

    def check(self, done):
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout + done.stderr
        assert not list(self.host.home.parent.rglob("PWNED"))


@pytest.fixture
def run(host, android, tmp_path):
    return Run(host, android(release="12"), tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_package(run, name):
    run.phone.install(name)
    done = run(name)
    run.check(done)
    for words in (("cmd", "package", "resolve-activity", "--brief", "-a", "android.intent.action.MAIN", "-c",
                   "android.intent.category.LAUNCHER", name),
                  ("dumpsys", "gfxinfo", name, "reset"), ("pidof", name), (*STOP[:-1], name)):
        assert words in run.phone.asked
    assert any({name, f"{name}/.MainActivity"} & set(words) for words in run.phone.asked if words[0] == "monkey" or words[:2] == (
        "am", "start")), "how a component with blanks is started"
    assert run.ask("SELECT name FROM projects") == [(name,)]


def test_a_line_break_in_a_name_makes_no_lines(run):
    done = run("com.example\ntouch PWNED", "--retries", "0")
    assert done.returncode == 4 and "is not installed" in done.stderr
    assert all(line.startswith("dejank run: ") for line in done.stderr.strip().split("\n")), done.stderr
    assert r"com.example\x0atouch PWNED" in done.stderr
    assert not list(run.host.home.parent.rglob("PWNED"))


def test_an_activity_and_texts_for_the_store(run):
    run.phone.install("com.example.app", activity=".It's$(x);A")
    done = run("com.example.app", "--activity", ".It's$(x);A", "--name", TEXT, "--label", TEXT, "--app-version", TEXT, "--commit", TEXT)
    run.check(done)
    assert any("com.example.app/.It's$(x);A" in words for words in run.phone.asked if words[:2] == ("am", "start"))
    assert run.ask("SELECT batches.name, label, version, commit_id FROM batches JOIN builds ON build_id = builds.id") == [(TEXT,) * 4]
    said = run.host.dejank("list", "--store", run.store)
    run.check(said)


def test_a_file_to_install(run, tmp_path):
    for name in NAMES:
        apk = run.phone.apk(tmp_path / f"{name}.apk".replace("/", "_"), "com.example.app")
        done = run("com.example.app", "--apk", apk)
        run.check(done)
    installs = [words for words in run.phone.asked if words[:2] == ("pm", "install")]
    assert len(installs) == len(NAMES)
    assert all("PWNED" not in " ".join(words) for words in installs), "on the device it has a name of ours"


def test_a_test_s_class(run):
    run.phone.install("com.example.app")
    run.phone.install("com.example.test", target="com.example.app", tests=[Test("A$B;'x", "m$(touch PWNED)", 0.2)])
    done = run("com.example.app", "--instrument", "com.example.test", "--class", "A$B;'x#m$(touch PWNED)", "--for", "20s")
    run.check(done)
    asked = next(words for words in run.phone.asked if words[:2] == ("am", "instrument"))
    assert asked[asked.index("class") + 1] == "A$B;'x#m$(touch PWNED)"
    assert ("A$B;'x#m$(touch PWNED)",) in run.ask("SELECT name FROM windows")


def test_what_is_typed(run):
    run.phone.install("com.example.app", frames=Frames(when="always"))
    done = run("com.example.app", "--gesture", "text \"it's; $(touch PWNED) & %s\"", "--for", "1s")
    run.check(done)
    typed, attempts = "it's;$(touchPWNED)&%s", run.phone.ui.text.count("PWNED")
    assert run.phone.ui.text.replace(" ", "") == typed * max(1, attempts), "typed again where an attempt was disturbed"


@pytest.mark.parametrize("serial", [*NAMES, "-x", "host:transport-any", "\x1b[2J"])
def test_a_serial(run, serial):
    done = run.host.dejank("run", "--device", serial, "--package", "p", "--store", run.store)
    assert done.returncode in (2, 3)
    assert "\x1b" not in done.stderr
    assert not list(run.host.home.parent.rglob("PWNED"))
    assert run.phone.asked == []
