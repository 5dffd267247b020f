"""The manual pages: well formed, and of one mind with --help."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pages(build):
    made = build / "docs/man/dejank.1"
    assert made.exists(), "the build made no dejank.1"
    return {"dejank": made, "dumpsys": ROOT / "docs/man/dumpsys.1"}


def output(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True, timeout=60,
                          **options).stdout


def shown(page):
    """The page as somebody reads it, on lines as long as they are."""
    if shutil.which("mandoc"):
        return output("mandoc", "-Tutf8", "-O", "width=400", page, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if shutil.which("man"):
        return output("man", "-l", page, env={**os.environ, "MANWIDTH": "400", "LC_ALL": "C.UTF-8"})
    pytest.skip("neither mandoc nor man is installed: tools/deps tests")


def plain(page):
    return " ".join(re.sub(".\b", "", shown(page)).split())


@pytest.mark.parametrize("name", ["dejank", "dumpsys"])
def test_page_is_well_formed(pages, name):
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed: tools/deps tests")
    done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", pages[name]], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert not re.search("WARNING|ERROR|UNSUPP", done.stdout), done.stdout


def test_page_has_every_option_of_every_verb(build, pages):
    text = plain(pages["dejank"])
    verbs = re.search(r"\nverbs:\n(.*?)\n\n", output(build / "dejank", "--help"), re.S)[1]
    names = [line.strip().split("  ")[0] for line in verbs.splitlines()]
    assert {"parse", "report"} <= set(names)
    for name in names:
        for line in output(build / "dejank", *name.split(), "--help").splitlines():
            option = re.match(r"  (-\w, |    )(--[\w-]+)(?:(\[=[^\]]*\])|(?: (\S+)))?(?:  +| )(\S.*)", line)
            if option:
                letter, long, optional, value, said = option.groups()
                wanted = (letter.strip() + " " if letter.strip() else "") + long
                wanted += optional or (f" {value}" if value else "")
                assert f"{wanted} {said}" in text, (name, line)
            elif line.strip() and not line.startswith("options:"):
                assert " ".join(re.sub("^usage:", "", line).split()).lower() in text.lower(), (name, line)


def test_page_names_every_exit_code(build, pages):
    said = re.search(r"Exit codes:(.*)", output(build / "dejank", "--help"), re.S)[1]
    codes = re.findall(r"(\d) ", said)
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
    assert "man1/dejank.1" in plan and "man1/dumpsys.1" in plan
