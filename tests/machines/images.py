"""Root file systems of Debian 12, from the package sources of this machine. They are cached as tar files in build-machines."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import HOMES, UID, Machine
from processes import check, say

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / "build-machines"
BARE_PACKAGES = ("ca-certificates", "git", "make")
SETS = ("build", "demo", "tests")  # of tools/packages.txt
DEPS = ("tools/deps", "tools/packages.txt")


def debian_sources():
    """The files of this machine's apt configuration that name Debian 12's suites."""
    form = "$(SOURCESENTRY)|$(CODENAME)|$(ORIGIN)"
    lines = subprocess.check_output(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], text=True)
    entries = [line.split("|") for line in lines.splitlines()]
    files = {entry.rsplit(":", 1)[0] for entry, suite, origin in entries
             if origin == "Debian" and suite.split("-")[0] == "bookworm"}
    if not files:
        sys.exit("machines: apt knows no source of Debian's suite 'bookworm'. Run: apt-get update")
    return sorted(files)


def proxy_options():
    """mmdebstrap options with the proxies of this machine's apt configuration."""
    dump = subprocess.check_output(["apt-config", "dump"], text=True)
    lines = [line for line in dump.splitlines() if "::Proxy" in line and not line.endswith('"";')]
    return [word for line in lines for word in ("--aptopt", line.rstrip(";"))]


def cached(name, write):
    """The path of a tar file. If it does not exist, it is created from a folder that write(folder) fills."""
    CACHE.mkdir(exist_ok=True)
    path = CACHE / f"{name}.tar.zst"
    if path.exists():
        return path
    started = time.monotonic()
    say(f"creating {path.relative_to(ROOT)}")
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        folder, fresh = Path(scratch) / "root", Path(scratch) / path.name
        folder.mkdir(mode=0o755)
        write(folder)
        check(["tar", "-C", folder, "--use-compress-program", "zstd -1 -T0", "-cf", fresh, "."])
        fresh.rename(path)
    say(f"created {path.relative_to(ROOT)} in {time.monotonic() - started:.0f} s")
    return path


def unpack(path, folder):
    check(["tar", "-C", folder, "--use-compress-program", "zstd", "-xpf", path])


def write_bare(folder):
    check(["mmdebstrap", "--mode=root", "--variant=minbase", "--quiet", f"--include={','.join(BARE_PACKAGES)}",
           *proxy_options(), "bookworm", folder, *debian_sources()])
    for file, line in (("passwd", f"user:x:{UID}:{UID}::{HOMES['user']}:/bin/bash\n"), ("group", f"user:x:{UID}:\n")):
        with open(folder / "etc" / file, "a", encoding="ascii") as stream:
            stream.write(line)
    home = Path(f"{folder}{HOMES['user']}")
    home.mkdir()
    os.chown(home, UID, UID)


def write_installed(folder):
    unpack(bare(), folder)
    tools = folder / "opt/deps/tools"
    tools.mkdir(parents=True)
    for name in DEPS:
        shutil.copy2(ROOT / name, tools)
    Machine("chroot", "root", folder).check(["/opt/deps/tools/deps", *SETS], network=True, folder="/")
    shutil.rmtree(tools.parent)


def bare():
    """Debian's essential packages, git and make."""
    return cached("bare", write_bare)


def installed():
    """The bare file system after `tools/deps` of this checkout."""
    content = b"".join((ROOT / name).read_bytes() for name in DEPS)
    return cached(f"installed-{hashlib.sha256(content).hexdigest()[:12]}", write_installed)
