"""The rules of the house: tools/check-rooms sees what breaks them, tools/deps says what is missing."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path):
    """A small checkout with a room in core, one in guest and one in host, all in order."""
    files = {
        "src/rooms.txt": "# name folder wing\nlow src/core/low core\nhigh src/core/high core\n"
                         "inside src/guest/inside guest\ntool src/host/tool host\n",
        "src/core/low/low.h": "int low(void);\n",
        "src/core/low/low.c": '#include "low/low.h"\n',
        "src/core/high/high.h": '#include "low/low.h"\nint high(void);\n',
        "src/guest/inside/inside.h": '#include "high/high.h"\nint inside(void);\n',
        "src/host/tool/tool.c": '#include <stdio.h>\n#include "high/high.h"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def check(root):
    done = subprocess.run([ROOT / "tools/check-rooms", "--root", root], capture_output=True,
                          text=True, timeout=60)
    return done.returncode, done.stdout


def test_a_house_in_order_passes(checkout):
    status, said = check(checkout)
    assert status == 0, said
    assert "not ok" not in said
    assert said.rstrip().endswith("1..5")


@pytest.mark.parametrize("name, text, complaint", [
    ("src/core/low/low.c", '#include "high/high.h"\n', "room 'low' may not use 'high'"),
    ("src/core/low/low.c", "#include <high/high.h>\n", "room 'low' may not use 'high'"),
    ("src/host/tool/tool.c", '#include "inside/inside.h"\n', "room 'tool' may not use 'inside'"),
    ("src/guest/inside/inside.h", '#include "tool/tool.h"\n', "room 'inside' may not use 'tool'"),
    ("src/core/high/high.h", '#include "../low/low.h"\nint high(void);\n', "leaves its folder"),
    ("src/core/high/high.h", '#include "low.h"\nint high(void);\n', "names no room"),
    ("src/core/high/all.h", '#ifndef ALL_H\n#define ALL_H\n/* all */\n#include "low/low.h"\n#endif\n',
     "only includes others"),
    ("src/core/lost.h", "int lost(void);\n", "is in no room"),
    ("src/rooms.txt", "low src/core/low core\ngone src/core/gone core\n", "no folder src/core/gone"),
], ids=["upward", "upward in angle brackets", "across to guest", "across to host", "relative", "without room",
        "umbrella", "in no room", "no folder"])
def test_what_breaks_a_rule_is_named(checkout, name, text, complaint):
    (checkout / name).write_text(text)
    status, said = check(checkout)
    assert status == 1
    assert complaint in said
    if name.startswith("src/core/low") or name.startswith("src/host"):
        assert f"{name}:1: " in said  # with its file and line


def test_an_upward_include_that_compiles_is_found(checkout):
    """Were the build to give a room too much to see, --compile would tell."""
    roots = checkout / "roots"
    for room, folder in (("low", "src/core/low"), ("high", "src/core/high")):
        (roots / room).mkdir(parents=True)
        (roots / room / room).symlink_to(checkout / folder)
    command = "cc {} -o low.o -c src/core/low/low.c"
    commands = '[{{"directory": "{}", "file": "src/core/low/low.c", "command": "{}"}}]'
    for includes, status in (("-Iroots/low", 0), ("-Iroots/low -Iroots/high", 1)):
        (checkout / "compile_commands.json").write_text(
            commands.format(checkout, command.format(includes)))
        done = subprocess.run([ROOT / "tools/check-rooms", "--root", checkout, "--compile", checkout],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stdout
        assert ("room 'low' can include high/high.h" in done.stdout) == (status == 1)


def deps_with(tmp_path, installed, tools=("node", "npm"), arguments=("build", "demo", "tests"), more=()):
    """Runs a copy of tools/deps where dpkg-query knows the `installed` packages, and nothing can install."""
    house = tmp_path / "house/tools"
    house.mkdir(parents=True, exist_ok=True)
    for name in ("deps", "packages.txt"):
        shutil.copy(ROOT / "tools" / name, house)
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "dpkg-query").write_text(
        "#!/bin/sh\n" + "".join(f"echo '{package} installed'\n" for package in installed))
    for tool in tools:
        (folder / tool).write_text("#!/bin/sh\nexit 0\n")
    for tool in ("sh", "awk", "sed", "grep", "dirname", "wc", "find", "touch", "env", "id", "mkdir"):
        (folder / tool).symlink_to(shutil.which(tool))
    for tool in more:
        (folder / tool.name).symlink_to(tool)
    for tool in folder.iterdir():
        if not tool.is_symlink():
            tool.chmod(0o755)
    return subprocess.run([shutil.which("sh"), house / "deps", *arguments], capture_output=True,
                          text=True, timeout=60, env={**os.environ, "PATH": str(folder)})


def packages():
    lines = (ROOT / "tools/packages.txt").read_text().splitlines()
    return [line.split()[1] for line in lines if line and not line.startswith("#")]


def test_deps_ends_at_once_where_all_is_there(tmp_path):
    done = deps_with(tmp_path, packages())
    assert (done.returncode, done.stderr) == (0, "")


def test_deps_names_what_is_missing_where_it_cannot_install(tmp_path):
    done = deps_with(tmp_path, [name for name in packages() if name not in ("meson", "adbd")])
    assert done.returncode == 1
    assert "meson adbd" in done.stderr
    assert "apt-get is missing" in done.stderr


def test_deps_asks_for_a_set_only(tmp_path):
    done = deps_with(tmp_path, [name for name in packages() if name != "adbd"], arguments=("build",))
    assert (done.returncode, done.stderr) == (0, "")


def test_deps_takes_node_from_debian_only_where_there_is_none(tmp_path):
    installed = [name for name in packages() if name not in ("nodejs", "npm")]
    done = deps_with(tmp_path, installed, tools=("npm",))
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("Needed: nodejs")


@pytest.mark.parametrize("npm_works", [True, False])
def test_deps_fetches_the_chart_library_once(tmp_path, npm_works):
    web = tmp_path / "house/src/host/report/web"
    web.mkdir(parents=True)
    (web / "package-lock.json").write_text("{}")
    npm = tmp_path / "npm"
    npm.write_text(f"""#!/bin/sh
echo "$PWD: npm $*" >>{tmp_path}/calls
{"mkdir -p node_modules && : >node_modules/.package-lock.json" if npm_works else "exit 1"}
""")
    npm.chmod(0o755)
    done = deps_with(tmp_path, packages(), tools=("node",), more=(npm,))
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 1
    assert calls[0].startswith(f"{web}: npm ci ")
    assert done.returncode == (0 if npm_works else 1)
    assert ("npm ci failed" in done.stderr) != npm_works
    if npm_works:
        os.utime(web / "package-lock.json", (0, 0))
        shutil.rmtree(tmp_path / "bin")
        assert deps_with(tmp_path, packages(), tools=("node",), more=(npm,)).returncode == 0
        assert len((tmp_path / "calls").read_text().splitlines()) == 1


def test_deps_knows_its_sets():
    done = subprocess.run([ROOT / "tools/deps", "everything"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "no set 'everything'" in done.stderr


def test_deps_has_every_set_that_the_makefile_asks_for(tmp_path):
    wanted = re.findall(r"tools/deps ([a-z ]+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "bench" in wanted
    for sets in wanted:
        done = deps_with(tmp_path / sets.replace(" ", "-"), packages(), arguments=sets.split())
        assert (done.returncode, done.stderr) == (0, "")
