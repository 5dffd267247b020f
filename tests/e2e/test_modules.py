"""tools/check-modules reports files that break the rules for modules. tools/deps reports missing packages."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path):
    """A small checkout that follows the rules, with two modules in core, one in guest and one in host."""
    files = {
        "src/modules.txt": "# name folder layer\nlow src/core/low core\nhigh src/core/high core\n"
                         "inside src/guest/inside guest\ntool src/host/tool host\n",
        "src/core/low/low.h": "int low(void);\n",
        "src/core/low/low.c": '#include "low/low.h"\n',
        "src/core/low/inner/inner.h": '#include "low/low.h"\nint inner(void);\n',
        "src/core/high/high.h": '#include "low/low.h"\nint high(void);\n',
        "src/guest/inside/inside.h": '#include "high/high.h"\nint inside(void);\n',
        "src/host/tool/tool.c": '#include <stdio.h>\n#include "high/high.h"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def check(root):
    done = subprocess.run([ROOT / "tools/check-modules", "--root", root], capture_output=True,
                          text=True, timeout=60)
    return done.returncode, done.stdout


def test_a_checkout_that_follows_the_rules_passes(checkout):
    status, said = check(checkout)
    assert status == 0, said
    assert "not ok" not in said
    assert said.rstrip().endswith("1..10")


@pytest.mark.parametrize("name, text, complaint", [
    ("src/core/low/low.c", '#include "high/high.h"\n', "module 'low' may not use 'high'"),
    ("src/core/low/low.c", "#include <high/high.h>\n", "module 'low' may not use 'high'"),
    ("src/host/tool/tool.c", '#include "inside/inside.h"\n', "module 'tool' may not use 'inside'"),
    ("src/guest/inside/inside.h", '#include "tool/tool.h"\n', "module 'inside' may not use 'tool'"),
    ("src/core/high/high.h", '#include "../low/low.h"\nint high(void);\n', "leaves its folder"),
    ("src/core/high/high.h", '#include "low.h"\nint high(void);\n', "does not start with a module"),
    ("src/core/high/all.h", '#ifndef ALL_H\n#define ALL_H\n/* all */\n#include "low/low.h"\n#endif\n',
     "only includes others"),
    ("src/core/lost.h", "int lost(void);\n", "belongs to no module"),
    ("src/core/high/high.c", '#include "low/inner/inner.h"\n', "is private to module 'low'"),
    ("src/core/low/low.h", '#include "low/inner/inner.h"\n', "circle: low/low → low/inner/inner → low/low"),
    ("src/modules.txt", "low src/core/low core\ngone src/core/gone core\n", "no folder src/core/gone"),
], ids=["upward", "upward in angle brackets", "across to guest", "across to host", "relative", "without module",
        "umbrella", "in no module", "private header", "circle", "no folder"])
def test_a_broken_rule_is_reported(checkout, name, text, complaint):
    (checkout / name).write_text(text)
    status, said = check(checkout)
    assert status == 1
    assert complaint in said
    if name.startswith("src/core/low") or name.startswith("src/host"):
        assert f"{name}:1: " in said  # with its file and line


def test_a_folder_with_more_than_30_files_is_reported(checkout):
    for number in range(30):
        (checkout / f"src/core/low/file_{number}.c").write_text("int nothing;\n")
    status, said = check(checkout)
    assert status == 1
    assert "src/core/low: 32 source files, at most 30 are allowed" in said


def test_the_build_stops_at_a_broken_rule(checkout, tmp_path):
    """With --stamp, check-modules prints only the faults. It writes the file only if there are none."""
    command = [ROOT / "tools/check-modules", "--root", checkout, "--stamp", tmp_path / "stamp"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")
    (tmp_path / "stamp").unlink()
    (checkout / "src/core/lost.h").write_text("int lost(void);\n")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "src/core/lost.h: belongs to no module of src/modules.txt\n")
    assert not (tmp_path / "stamp").exists()


def test_an_upward_include_that_compiles_is_found(checkout):
    """--compile reports a module that can include headers of a higher module because of the build's include path."""
    roots = checkout / "roots"
    for module, folder in (("low", "src/core/low"), ("high", "src/core/high")):
        (roots / module).mkdir(parents=True)
        (roots / module / module).symlink_to(checkout / folder)
    command = "cc {} -o low.o -c src/core/low/low.c"
    commands = '[{{"directory": "{}", "file": "src/core/low/low.c", "command": "{}"}}]'
    for includes, status in (("-Iroots/low", 0), ("-Iroots/low -Iroots/high", 1)):
        (checkout / "compile_commands.json").write_text(
            commands.format(checkout, command.format(includes)))
        done = subprocess.run([ROOT / "tools/check-modules", "--root", checkout, "--compile", checkout],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stdout
        assert ("module 'low' can include high/high.h" in done.stdout) == (status == 1)


SHELL_TOOLS = ("sh", "awk", "sed", "grep", "dirname", "wc", "head", "tr", "cat", "rm", "mktemp", "env", "tee")
NO_APT = "no apt-get"


def deps_with(tmp_path, installed, arguments=("build", "demo", "tests"), apt=NO_APT, root=True, **environment):
    """Runs a copy of tools/deps. Its PATH has only shell tools, a dpkg-query that knows the `installed` packages, and the script
    `apt` in place of apt-get. Each call of apt-get and of sleep adds a line to the file `calls`. `sleep` does not sleep."""
    house = tmp_path / "house/tools"
    house.mkdir(parents=True)
    for name in ("deps", "packages.txt"):
        shutil.copy(ROOT / "tools" / name, house)
    folder = tmp_path / "bin"
    folder.mkdir()
    scripts = {
        "dpkg-query": "".join(f"echo '{package} installed'\n" for package in installed),
        "id": f"echo {0 if root else 1000}",
        "sleep": f'echo "sleep $1" >>{tmp_path}/calls',
    }
    if apt is not NO_APT:
        scripts["apt-get"] = f'echo "apt-get $*" >>{tmp_path}/calls\n{apt}'
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    for tool in SHELL_TOOLS:
        (folder / tool).symlink_to(shutil.which(tool))
    clean = {name: value for name, value in os.environ.items() if name != "NO_INSTALL"}
    return subprocess.run([shutil.which("sh"), house / "deps", *arguments], capture_output=True, text=True, timeout=60,
                          env={**clean, "PATH": str(folder), **environment})


def calls_of(tmp_path):
    """The calls of apt-get, without its options, and of sleep."""
    path = tmp_path / "calls"
    lines = path.read_text().splitlines() if path.exists() else []
    return [re.sub(r" (-q|-y|-o \S+)(?= )", "", line) for line in lines]


def packages(wanted=None):
    rows = [line.split() for line in (ROOT / "tools/packages.txt").read_text().splitlines()]
    return [row[1] for row in rows if row and not row[0].startswith("#") and wanted in (None, row[0])]


def packages_without(*names):
    return [name for name in packages() if name not in names]


# A script that prints the output of apt-get for a simulated installation of make and one more package.
SIMULATED = 'case " $* " in *" -s "*) echo "Inst make (4.3 Debian:12 [amd64])"; echo "Inst libguile (3 Debian:12 [amd64])" ;; esac'


def test_deps_ends_at_once_where_all_is_there(tmp_path):
    done = deps_with(tmp_path, packages(), apt="exit 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert calls_of(tmp_path) == []


def test_deps_names_what_is_missing_where_it_cannot_install(tmp_path):
    done = deps_with(tmp_path, packages_without("meson", "adbd"))
    assert done.returncode == 1
    assert "apt-get is missing. Needed: meson adbd" in done.stderr


def test_deps_asks_for_a_set_only(tmp_path):
    done = deps_with(tmp_path, packages_without("adbd"), arguments=("build",))
    assert (done.returncode, done.stderr) == (0, "")


def test_make_needs_no_node():
    assert not [name for name in packages() if name in ("nodejs", "npm")]


def test_deps_lists_the_packages_before_it_installs(tmp_path):
    # Each call of apt-get prints itself, so that stderr shows the order.
    done = deps_with(tmp_path, packages_without("make", "git"), arguments=("build",), apt=SIMULATED + '\necho "ran $*"')
    assert done.returncode == 0, done.stderr
    listed = done.stderr.index("deps: 2 packages are missing.")
    command = done.stderr.index("apt-get install --no-install-recommends make git\n")
    total = done.stderr.index("deps: installing 2 packages, dependencies included: make libguile")
    installed = re.search(r"^ran .* install --no-install-recommends make git$", done.stderr, re.MULTILINE).start()
    assert listed < command < total < installed
    assert calls_of(tmp_path) == ["apt-get update", "apt-get install -s --no-install-recommends make git",
                                  "apt-get install --no-install-recommends make git"]


def test_no_install_only_prints_the_commands(tmp_path):
    done = deps_with(tmp_path, packages_without("make", "adb", "adbd"), arguments=("build", "demo"), apt="exit 1", NO_INSTALL="1")
    assert done.returncode == 1
    assert done.stderr == ("deps: 3 packages are missing. To install them, run as root:\n"
                           "    apt-get install --no-install-recommends make\n"
                           "    apt-get install --no-install-recommends -t bookworm-backports adb adbd\n")
    assert calls_of(tmp_path) == []


def test_no_install_is_quiet_when_nothing_is_missing(tmp_path):
    done = deps_with(tmp_path, packages(), apt="exit 1", NO_INSTALL="1")
    assert (done.returncode, done.stderr) == (0, "")


def test_deps_without_root_and_sudo_prints_the_commands(tmp_path):
    done = deps_with(tmp_path, packages_without("make"), arguments=("build",), apt="exit 1", root=False)
    assert done.returncode == 1
    assert "Run as root:\n    apt-get install --no-install-recommends make\n" in done.stderr
    assert calls_of(tmp_path) == []


@pytest.mark.parametrize("step", ["update", "install"])
def test_a_failed_step_names_the_command_to_repeat(tmp_path, step):
    apt = SIMULATED + f'\ncase " $* " in *" -s "*) ;; *" {step} "*) echo "E: no network" >&2; exit 100 ;; esac'
    done = deps_with(tmp_path, packages_without("make"), arguments=("build", "demo"), apt=apt)
    assert done.returncode == 1
    assert done.stderr.endswith(f"E: no network\ndeps: error: apt-get {step} failed, see the message above\n"
                                "deps: hint: fix the cause, then run: tools/deps build demo\n")
    assert [call for call in calls_of(tmp_path) if call.startswith("sleep")] == []


LOCK = "/var/lib/dpkg/lock-frontend. It is held by process 7 (unattended-upgr)"


def test_deps_reports_that_it_waits_for_a_lock(tmp_path):
    apt = SIMULATED + f"""
[ -e {tmp_path}/third ] || {{
    [ ! -e {tmp_path}/second ] || : >{tmp_path}/third
    : >{tmp_path}/second
    echo "E: Could not get lock {LOCK}" >&2
    exit 100
}}"""
    done = deps_with(tmp_path, packages_without("make"), arguments=("build",), apt=apt)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("waiting for a lock") == 1
    assert f"deps: waiting for a lock, 300 s at most: {LOCK}\n" in done.stderr
    assert calls_of(tmp_path)[:5] == ["apt-get update", "sleep 5", "apt-get update", "sleep 5", "apt-get update"]


def test_deps_does_not_wait_for_a_lock_for_ever(tmp_path):
    done = deps_with(tmp_path, packages_without("make"), arguments=("build",), apt=f'echo "E: Could not get lock {LOCK}" >&2; exit 100')
    assert done.returncode == 1
    assert done.stderr.count("waiting for a lock") == 5  # once a minute
    assert calls_of(tmp_path).count("sleep 5") == 60
    assert done.stderr.endswith(f"E: Could not get lock {LOCK}\ndeps: error: apt-get update failed, see the message above\n"
                                "deps: hint: fix the cause, then run: tools/deps build\n")


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


ON_REQUEST = ("tests", "fuzz", "bench", "examples")


def test_make_builds_no_test_program(build):
    done = subprocess.run(["ninja", "-C", build, "-t", "inputs", "products"], capture_output=True, text=True, timeout=60)
    inputs = [line.removeprefix("../") for line in done.stdout.splitlines()]
    assert done.returncode == 0 and any(name.endswith("/parse.c") for name in inputs), done.stderr
    assert not [name for name in inputs if name.split("/")[0] in ON_REQUEST]


def test_test_programs_are_built_only_on_request(build):
    done = subprocess.run(["meson", "introspect", "--targets", build], capture_output=True, text=True, timeout=60, check=True)
    wrong = []
    for target in json.loads(done.stdout):
        folder = Path(target["defined_in"]).relative_to(ROOT).parts[0]
        if folder in ON_REQUEST and target["build_by_default"]:
            wrong.append(target["name"])
    assert wrong == []  # add 'build_by_default: false', and the program to a list of the target all-tests
