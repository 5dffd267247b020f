"""tools/differential and tools/same-code, which check a large refactoring, find changes that were made on purpose."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = """
[inputs]
dumps = demo/samples/android-1[13].txt
[made]
dejank import --store made/s.db --label a demo/samples/android-11.txt
[commands]
dejank parse --json {dumps}
dejank parse --csv demo/samples/android-11.txt
dejank report demo/samples/android-11.txt
dejank list --json --store made/s.db
dejank import --store made/s.db demo/samples/android-13.txt
dejank nothing
"""


@pytest.fixture
def differential(build, tmp_path):
    """differential(BODY, OPTIONS…) compares the build with a wrapper.

    The shell code BODY gets the words of a command and may call `real`. Returns the exit status and the output."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    (tmp_path / "table").write_text(TABLE)

    def run(body, *options):
        folder = tmp_path / "wrapped"
        folder.mkdir()
        (folder / "dejank").write_text(f'#!/bin/sh\nreal() {{ "{build}/dejank" "$@"; }}\n{body}\n')
        (folder / "dejank").chmod(0o755)
        (folder / "dumpsys").symlink_to(build / "dumpsys")
        done = subprocess.run([ROOT / "tools/differential", "--table", tmp_path / "table", *options, build, folder], text=True,
                              capture_output=True, timeout=200, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode, done.stdout
    return run


def test_the_same_build_does_not_differ(build, tmp_path):
    (tmp_path / "table").write_text(TABLE)
    done = subprocess.run([ROOT / "tools/differential", "--table", tmp_path / "table", build, build], text=True, capture_output=True,
                          timeout=200, check=False)
    assert (done.returncode, done.stdout) == (0, "7 commands, 0 differ\n")


@pytest.mark.parametrize("body, count, expected", [
    ('case "$1" in report) real "$@" | sed "s/frames/frmaes/";; *) real "$@";; esac', 1, "differs (stdout): dejank report demo/samples/android-11.txt"),
    ('case "$*" in *--json*) real "$@" | sed "s/\\"schema\\":\\"[^\\"]*\\",//";; *) real "$@";; esac', 3, "differs (stdout): dejank parse --json"),
    ('case "$*" in parse*--json*) real "$@" | sed "s/^{/{\\"new\\":1,/";; *) real "$@";; esac', 0, "key added: .new (2 commands"),
    ('case "$*" in parse*--json*) real "$@" | sed "s/\\"schema\\"/ \\"schema\\"/";; *) real "$@";; esac', 2, "only spaces"),
    ('real "$@"; [ "$1" != nothing ] || exit 3', 1, "differs (exit code): dejank nothing"),
    ('real "$@"; code=$?; [ "$1" != nothing ] || echo more >&2; exit $code', 1, "differs (stderr): dejank nothing"),
    ('real "$@"; code=$?; [ "$1" != list ] || echo x > left; exit $code', 1, "differs (file left): dejank list"),
    ('[ "$1" = import ] && set -- "$@" --label b; real "$@"', 1, "differs (file made/s.db, stdout): dejank import"),
], ids=["word", "key removed", "key added", "JSON spelled otherwise", "exit code", "message", "file", "store"])
def test_each_kind_of_difference_is_found(differential, body, count, expected):
    status, text = differential(body)
    assert expected in text
    assert status == (0 if count == 0 else 1)
    if count is not None:
        assert text.endswith(f"7 commands, {count} differ\n"), text


def test_only_data_ignores_what_only_people_read(differential):
    body = 'case "$1" in report) real "$@" | tr a-z A-Z;; nothing) real "$@"; echo x >&2; exit 2;; *) real "$@";; esac'
    assert differential(body, "--only-data") == (0, "7 commands, 0 differ\n")


SOURCE = """
#include <stdio.h>
static const int limits[] = {3, 5, 8};
static __attribute__((noinline)) int FIRST(int n) { return n < 3 ? limits[n] : CONSTANT; }
int SECOND(int n, int k) { return FIRST(n) * k + printf("%d TEXT\\n", FIRST(k)); }
"""


def compile_to(folder, name, **words):
    text = SOURCE
    for word, replacement in {"FIRST": "first", "SECOND": "second", "CONSTANT": "17", "TEXT": "frames", "limits": "limits", **words}.items():
        text = text.replace(word, replacement)
    folder.mkdir()
    (folder / name).write_text(text)
    subprocess.run(["cc", "-O2", "-g", "-fPIC", "-c", name, "-o", name + ".o"], cwd=folder, check=True)
    return folder


@pytest.mark.skipif(not shutil.which("cc") or not shutil.which("objdump") or os.uname().machine != "x86_64", reason="needs cc for x86-64, objdump")
@pytest.mark.parametrize("name, words, same", [
    ("moved.c", {"FIRST": "get_limit", "SECOND": "print_limit", "limits": "bounds"}, True),
    ("a.c", {"CONSTANT": "18"}, False),
    ("a.c", {"TEXT": "frame"}, False),
    ("a.c", {"8}": "9}"}, False),
    ("a.c", {"printf": "fprintf", '("%': '(stdout, "%'}, False),
], ids=["moved and renamed", "constant", "text", "table", "call"])
def test_same_code(tmp_path, name, words, same):
    old, new = compile_to(tmp_path / "old", "a.c"), compile_to(tmp_path / "new", name, **words)
    done = subprocess.run([sys.executable, ROOT / "tools/same-code", old, new], text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == (0 if same else 1), done.stdout + done.stderr
    assert ("only in" in done.stdout) != same
