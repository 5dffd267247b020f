"""Reads what `dejank --help` and `dejank VERB --help` print."""
import re
import subprocess


def text(build, *words):
    return subprocess.run([build / "dejank", *words, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout


def verbs(build):
    """The names of all verbs: "parse", "trace read". After a long name, the summary is on the next line."""
    return re.findall(r"^  (\w+(?: \w+)?)(?:  +|\n   +)\w", text(build).split("\nExit codes:")[0], re.M)


def options(build, verb):
    """(name, text) of every option: ("json", "print JSON")."""
    lines = text(build, *verb.split()).splitlines()
    found = []
    for line in lines:
        option = re.match(r"  (?:-\w, |    )--([\w-]+)(?:\[=[^\]]*\]| \S+(?: \S+)*?)?(?:  +(\S.*))?$", line)
        if option:
            found.append([option[1], option[2] or ""])
        elif found and line.startswith(" " * 28):
            found[-1][1] += " " + line.strip()
        elif line.startswith("Examples:"):
            break
    return [(name, words.strip()) for name, words in found]
