"""Documents: links are valid, sentences are short, the glossary explains names of the JSON, and the README is short."""
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
LONGEST = 35
# Source files with names that the JSON contains, and the pattern of such a name in each file.
NAMES = {
    "src/core/facts/run_outcome.c": r'= "([a-z-]+)",',
    "src/core/frame/findings.c": r'RULE\(\w+,\s*"([a-z-]+)"',
    "src/host/compare/effect.c": r'\{"([a-z-]+)",',
    "src/host/compare/warnings.c": r'= "([a-z-]+)",',
    "src/host/triage/cause.c": r'= "([a-z-]+)",',
}


def anchors_of(path):
    """The anchors that a code forge generates from the headings of a document."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def sentences_of(path):
    text = re.sub(r"```.*?```", "\n\n", path.read_text(encoding="utf-8"), flags=re.S)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[*+-]|\d+\.)\s)", text):
        lines = [line for line in paragraph.split("\n")
                 if line.strip() and not line.lstrip().startswith(("|", "#", ">", "<")) and not line.startswith("    ")]
        yield from re.split(r"(?<=[.!?:;])\s+", re.sub(r"`[^`]*`", "X", " ".join(lines)))


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_a_file_and_a_heading(path):
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if link.startswith("http"):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), link
        if anchor:
            assert anchor in anchors_of(target), link


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_is_longer_than_the_limit(path):
    assert [one for one in sentences_of(path) if len(one.split()) > LONGEST] == []


@pytest.mark.parametrize("source", NAMES)
def test_the_glossary_explains_every_name(source):
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    names = re.findall(NAMES[source], (ROOT / source).read_text(encoding="utf-8"))
    assert len(names) >= 5
    assert [name for name in names if f"`{name}`" not in glossary] == []


def test_the_readme_is_short_and_shows_commands_that_exist(build):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count("\n") <= 120
    for verb in {match for match in re.findall(r"^    dejank ((?:trace )?[a-z]+)", readme, re.M)}:
        done = subprocess.run([build / "dejank", *verb.split(), "--help"], capture_output=True, text=True, timeout=20)
        assert done.returncode == 0, verb
