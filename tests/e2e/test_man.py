"""The manual pages: well formed, and the same as --help."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import verb_help

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pages(build):
    """{name: path} of all manual pages."""
    made = sorted((build / "docs/man").glob("dejank*.1"))
    assert made, "the build made no manual pages"
    return {**{page.name.removesuffix(".1"): page for page in made}, "dumpsys": ROOT / "docs/man/dumpsys.1"}


def output(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, timeout=60,
                          **options).stdout


def shown(page):
    """The rendered page, with long lines."""
    if shutil.which("mandoc"):
        return output("mandoc", "-Tutf8", "-O", "width=400", page, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if shutil.which("man"):
        return output("man", "-l", page, env={**os.environ, "MANWIDTH": "400", "LC_ALL": "C.UTF-8"})
    pytest.skip("neither mandoc nor man is installed: tools/deps tests")


def plain(page):
    return " ".join(re.sub(".\b", "", shown(page)).split())


def page_name(verb):
    return "dejank-" + verb.replace(" ", "-")


def test_pages_are_well_formed(pages):
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed: tools/deps tests")
    for page in pages.values():
        done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", page], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout
        assert not re.search("WARNING|ERROR|UNSUPP", done.stdout), done.stdout


def test_groff_warns_of_nothing(pages):
    if shutil.which("groff") is None or not Path("/usr/share/groff").exists():
        pytest.skip("groff is not installed: tools/deps tests")
    for page in pages.values():
        done = subprocess.run(["groff", "-mandoc", "-ww", "-z", page], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), page


def test_every_verb_has_a_page_and_a_line_in_the_overview(build, pages):
    overview = plain(pages["dejank"])
    for verb in verb_help.verbs(build):
        assert page_name(verb) in pages and f"{page_name(verb)}(1)" in overview, verb
    assert len(pages) == 2 + len(verb_help.verbs(build))


def test_a_page_has_every_word_of_the_help(build, pages):
    """The page contains all texts of the help, word for word. Only the layout differs."""
    for verb in verb_help.verbs(build):
        text = plain(pages[page_name(verb)])
        for name, words in verb_help.options(build, verb):
            assert f"--{name}" in text and (name == "help" or words in text), (verb, name, words)
        after = verb_help.text(build, *verb.split()).split("--help ", 1)[1].split("\n", 1)[1]
        for paragraph in re.split(r"\n\n|\n(?=  \S)|\n(?=    \S)", after):
            words = " ".join(paragraph.split())
            if not words.startswith(("Examples:", "Exit codes:")):
                assert re.sub(r"\s", "", words) in re.sub(r"\s", "", text), (verb, words)


def test_page_names_every_exit_code(build, pages):
    said = re.search(r"Exit codes:(.*)", verb_help.text(build), re.S)[1]
    codes = re.findall(r"^  (\d) ", said, re.M)
    status = re.search(r"EXIT STATUS (.*) EXAMPLES", plain(pages["dejank"]))[1]
    assert codes == [str(code) for code in range(7)]
    assert all(re.search(rf"(^| ){code} [A-Z]", status) for code in codes)


def test_page_of_dumpsys_has_every_word_of_its_help(build, pages):
    text = plain(pages["dumpsys"])
    words = re.findall(r"(?:--)?[a-z][a-z-]+(?:=[A-Z]+)?", re.search(r"gfxinfo \[.*", output(build / "dumpsys", "--help"))[0])
    for word in ["--help", "-l", "dejank", "version", "profile", "on | off", *words]:
        assert (word.lower() if "=" in word else word) in text, word


def test_page_of_dumpsys_names_every_release(build, pages):
    refused = subprocess.run([build / "dumpsys", "gfxinfo", "--release", "none"], capture_output=True, text=True, timeout=60)
    known = re.search(r"\(known: (.*)\)", refused.stderr)[1].split()
    assert len(known) == 16
    said = re.search(r"one of ([\w. -]+) and (\d+)\.", plain(pages["dumpsys"]))
    assert said[1].split() + [said[2]] == known


def test_pages_are_installed(build):
    plan = output("meson", "introspect", "--installed", build)
    assert "man1/dejank.1" in plan and "man1/dejank-trace-triage.1" in plan and "man1/dumpsys.1" in plan
