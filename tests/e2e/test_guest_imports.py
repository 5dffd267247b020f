"""Imports of the objects that run inside apps: they load with glibc 2.31 (Debian 11, Ubuntu 20.04, RHEL 8)."""

import re
import shutil
import subprocess

import pytest

OBJECTS = ["libdejank-hooks.so", "libdejank.so"]
NEWEST = (2, 31)


def objdump(option, file):
    if not shutil.which("objdump"):
        pytest.skip("objdump is not installed: tools/deps build")
    return subprocess.run(["objdump", option, file], capture_output=True, text=True, check=True).stdout


def imports(file):
    """[(symbol, version as numbers)] of the symbols imported from glibc."""
    rows = re.findall(r"\*UND\*\s.*\(GLIBC_([0-9.]+)\)\s+(\S+)$", objdump("-T", file), re.M)
    return [(symbol, tuple(map(int, version.split(".")))) for version, symbol in rows]


@pytest.mark.parametrize("name", OBJECTS)
def test_no_symbol_is_newer_than_glibc_2_31(build, name):
    found = imports(build / name)
    assert len(found) > 30, "objdump lists the imports"
    assert [symbol for symbol, version in found if version > NEWEST] == []


@pytest.mark.parametrize("name", OBJECTS)
def test_no_version_that_is_needed_is_newer(build, name):
    """The dynamic linker checks this list, even for versions that no symbol uses."""
    found = re.findall(r"0x\w+ 0x\w+ \d+ GLIBC_([0-9.]+)$", objdump("-p", build / name), re.M)
    assert found
    assert max(tuple(map(int, version.split("."))) for version in found) <= NEWEST


def test_the_hooks_bring_the_library_that_had_dlopen(build):
    assert re.search(r"NEEDED\s+libdl\.so\.2$", objdump("-p", build / "libdejank-hooks.so"), re.M)
