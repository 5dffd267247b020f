"""Runs the completions for bash, zsh and fish in these shells."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

import verb_help

# A command line up to the cursor, words that a shell must offer there, and words that it must not offer.
CASES = [
    ("dejank pars", {"parse"}, {"profile"}),
    ("dejank trace ", {"capture", "read", "triage"}, {"parse"}),
    ("dejank help hist", {"history"}, set()),
    ("dejank parse --bl", {"--block"}, {"--json"}),
    ("dejank parse --block ", {"process", "window", "framestats"}, {"dump.txt"}),
    ("dejank parse du", {"dump.txt"}, set()),
    ("dejank parse --replay fra", {"frames.jsonl"}, set()),
    ("dejank trace triage --agai", {"--against"}, set()),
    ("dejank record --release 1", {"10", "12L", "16"}, {"9"}),
    ("dejank gate --undecided ", {"fail", "pass", "rerun"}, {"dump.txt"}),
    ("dejank import --better ", {"less", "more", "neutral"}, set()),
    ("dejank store ex", {"exclude", "export"}, {"check"}),
    ("dejank collect -d ", {"local:", "adb:"}, {"dump.txt"}),
    ("dejank list ", set(), {"dump.txt"}),
]


@pytest.fixture
def scripts(build):
    folder = build / "docs/completions"
    assert folder.is_dir(), "the build made no completions"
    return folder


@pytest.fixture
def place(tmp_path):
    for name in ("dump.txt", "frames.jsonl"):
        (tmp_path / name).touch()
    return tmp_path


def require(program):
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: tools/deps tests")


def run(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def check(offered, wanted, unwanted):
    assert wanted <= offered and not unwanted & offered, offered


def bash(scripts, place, line):
    """Calls the completion function as bash does after Tab: "=" is a separate word. Returns the completions."""
    script = """source "$1"; compopt() { :; }; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dejank
        printf '%s\\n' "${COMPREPLY[@]}" """
    words = [word for part in re.split(" ", line) for word in re.split("(=)", part)] if "=" in line else line.split(" ")
    return set(run("bash", "--norc", "-c", script, "bash", scripts / "dejank", *words, cwd=place).split())


@pytest.mark.parametrize("line, wanted, unwanted", CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_bash(scripts, place, line, wanted, unwanted):
    check(bash(scripts, place, line), wanted, unwanted)


def test_bash_completes_the_value_of_a_form(scripts, place):
    assert bash(scripts, place, "dejank run --trace=j") == {"janky"}
    assert bash(scripts, place, "dejank parse --block=w") == {"window"}
    assert "dump.txt" in bash(scripts, place, "dejank parse --csv du"), "the value of --csv follows '='"


def test_bash_offers_every_option(scripts, place, build):
    for verb in verb_help.verbs(build):
        names = {f"--{name}" for name, _ in verb_help.options(build, verb)}
        assert bash(scripts, place, f"dejank {verb} --") == names, verb


def test_bash_script_has_no_mistakes(scripts):
    require("shellcheck")
    run("shellcheck", "-s", "bash", scripts / "dejank")


@pytest.mark.parametrize("line, wanted, unwanted", CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_fish(scripts, place, line, wanted, unwanted, monkeypatch):
    require("fish")
    monkeypatch.setenv("HOME", str(place))
    script = f"source {scripts / 'dejank.fish'}; complete -C '{line}'"
    check({row.split("\t")[0] for row in run("fish", "--no-config", "-c", script, cwd=place).splitlines()}, wanted, unwanted)


class Zsh:
    """An interactive zsh, which completes only in its line editor. Ctrl-X prints the line between << and >>."""

    SETUP = ("fpath=({} $fpath); autoload -U compinit; compinit -u -D; LISTMAX=10000; "
             "show() {{ print -r \"<<$BUFFER>>\" }}; zle -N show; bindkey '^X' show; print RE''ADY\n")

    def __init__(self, scripts, place):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(place)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(place), "COLUMNS": "200"})
        os.write(self.terminal, self.SETUP.format(scripts).encode())
        self.read_until("READY\r")

    def read_until(self, end):
        got, deadline = "", time.monotonic() + 60
        while end not in got:
            assert time.monotonic() < deadline, got
            if select.select([self.terminal], [], [], 1)[0]:
                got += os.read(self.terminal, 65536).decode(errors="replace")
        return got

    def complete(self, line):
        """The words that zsh shows after Tab."""
        os.write(self.terminal, line.encode() + b"\t\x18")
        shown = self.read_until(">>")
        os.write(self.terminal, b"\x15")
        return set(re.split(r"[\s=<>]+", re.sub(r"\x1b\[[?\d;]*[a-zA-Z]|\x07|\^X", "", shown)))

    def close(self):
        os.write(self.terminal, b"\x15exit\n")
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


@pytest.fixture
def zsh(scripts, place):
    require("zsh")
    shell = Zsh(scripts, place)
    yield shell
    shell.close()


def test_zsh(zsh):
    for line, wanted, unwanted in CASES:
        offered = zsh.complete(line)
        assert wanted <= offered and not unwanted & offered, (line, offered)


def test_completions_are_installed(build):
    plan = run("meson", "introspect", "--installed", build)
    for place in ("bash-completion/completions/dejank", "zsh/site-functions/_dejank", "fish/vendor_completions.d/dejank.fish"):
        assert place in plan
