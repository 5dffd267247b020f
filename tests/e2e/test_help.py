"""`dejank --help`, `dejank help`, the help of every verb, and the errors about wrong command lines."""
import re
import shlex
import subprocess

import pytest

import verb_help


@pytest.fixture
def dejank(build):
    def run(*words, code=0):
        done = subprocess.run([build / "dejank", *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr
    return run


def test_the_overview_fits_on_a_page(dejank):
    lines = dejank("--help").splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) <= 45
    assert lines[-7:] == [line for line in lines if re.match(r"  [0-6]  ", line)]


@pytest.mark.parametrize("title", ["Measure", "Understand", "Compare and track", "Devices and data"])
def test_the_overview_has_an_example_for_each_group(dejank, build, title):
    example = re.search(rf"^{title} +\$ dejank (.*)$", dejank("--help"), re.M)[1]
    assert shlex.split(example)[0] in verb_help.verbs(build)


def test_help_is_the_same_with_a_verb_and_with_options(dejank, build):
    assert dejank("help") == dejank("--help") == dejank("-h")
    assert dejank("help", "trace") == dejank("trace", "--help") == dejank("trace", "-h")
    for verb in verb_help.verbs(build):
        words = verb.split()
        assert dejank("help", *words) == dejank(*words, "--help") == dejank(*words, "-h"), verb


def test_the_help_of_trace_lists_its_verbs(dejank, build):
    verbs = [verb for verb in verb_help.verbs(build) if verb.startswith("trace ")]
    listed = [line.strip()[:15].strip() for line in dejank("trace", "--help").splitlines()]
    assert len(verbs) >= 3 and all(verb in listed for verb in verbs)


def test_the_parts_of_a_help_have_an_order(dejank, build):
    for verb in verb_help.verbs(build):
        text = dejank(*verb.split(), "--help")
        places = [text.index(part) for part in (f"usage: dejank {verb}", "  -h, --help", "\nExamples:\n")]
        places += [text.index("\nExit codes:\n")] if "\nExit codes:\n" in text else []
        assert places == sorted(places), verb


def test_a_default_is_in_brackets(dejank, build):
    """A default looks like (default: 10s), as in the option tables."""
    for verb in verb_help.verbs(build):
        for name, text in verb_help.options(build, verb):
            assert "default" not in text or re.search(r"\(default( for github| FILE)?: ", text), (verb, name, text)


# ---- wrong command lines ----

@pytest.mark.parametrize("words, error", [
    ([], "usage: dejank VERB [OPTION]… [OPERAND]…\nhint: 'dejank --help' lists all verbs\n"),
    (["prase"], "dejank: unknown verb 'prase'\nhint: did you mean 'parse'?\nhint: 'dejank --help' lists all verbs\n"),
    (["frobnicate", "x"], "dejank: unknown verb 'frobnicate'\nhint: 'dejank --help' lists all verbs\n"),
    (["--jsn"], "dejank: unknown option '--jsn'\nhint: 'dejank --help' lists all verbs\n"),
    (["help", "prase"], "dejank: unknown verb 'prase'\nhint: did you mean 'parse'?\nhint: 'dejank --help' lists all verbs\n"),
    (["trce", "read"], "dejank: unknown verb 'trce'\nhint: did you mean 'trace'?\nhint: 'dejank --help' lists all verbs\n"),
    (["triage"], "dejank: unknown verb 'triage'\nhint: did you mean 'trace triage'?\nhint: 'dejank --help' lists all verbs\n"),
    (["trace", "raed"],
     "dejank trace: unknown verb 'raed'\nhint: did you mean 'trace read'?\nhint: 'dejank trace --help' lists all verbs of trace\n"),
    (["parse", "--jsn"], "dejank parse: unknown option '--jsn'\nhint: did you mean '--json'?\n"),
    (["parse", "--colour"], "dejank parse: unknown option '--colour'\nhint: 'dejank parse --help' lists the options\n"),
    (["collect", "--for", "abc"], "dejank collect: --for: expected a duration such as 10s or 200ms, found 'abc'\n"),
    (["gate", "--undecided", "maybe"], "dejank gate: --undecided: expected fail, pass or rerun, found 'maybe'\n"),
    (["import"], "dejank import: missing operand FILE\nhint: 'dejank import --help' shows the usage and examples\n"),
    (["compare", "a"], "dejank compare: missing operand B\nhint: 'dejank compare --help' shows the usage and examples\n"),
    (["profile", "on"], "dejank profile: missing operand PACKAGE\nhint: 'dejank profile --help' shows the usage and examples\n"),
    (["list", "x"], "dejank list: unexpected operand 'x'\nhint: 'dejank list --help' shows the usage and examples\n"),
    (["store", "chek"], "dejank store: expected check, exclude, export, include, load, prune or recompute, found 'chek'\n"
                        "hint: did you mean 'check'?\n"),
], ids=" ".join)
def test_a_wrong_command_line_gets_an_error_and_a_hint(dejank, words, error):
    assert dejank(*words, code=2) == error


def test_trace_alone_lists_its_verbs(dejank):
    assert dejank("trace", code=2) == dejank("trace", "--help")


def test_a_name_cannot_control_the_terminal(dejank):
    assert "\033" not in dejank("\033[31mparse", code=2)
