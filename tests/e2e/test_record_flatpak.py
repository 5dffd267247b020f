"""A real Flatpak app, built with this machine's libraries and a local repository. `dejank record -- flatpak run APP` passes the recorder
into the sandbox. `dejank record --pid` and `--window` see the app's frames from outside."""
import os
import re
import shutil
import subprocess

import pytest
from test_record_outside import Client, Recording, ended, presents_of
from test_record_software import EVERY, FRAMES, check_frames, rows

APP, RUNTIME = "org.dejank.App", "org.dejank.Runtime"
SECONDS = 120


def libraries_of(*files):
    """Paths of the libraries that these programs need, as the dynamic linker prints them."""
    found = set()
    for file in files:
        done = subprocess.run(["ldd", file], capture_output=True, text=True, check=True)
        found.update(re.findall(r"(/\S+) \(0x", done.stdout))
    return sorted(found)


def copy(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, folder)


def write_runtime(folder, files):
    """A runtime has its files in usr. The dynamic linker looks for libraries in the folder of the architecture."""
    for path in libraries_of(*files):
        copy(path, folder / "usr" / ("lib64" if "/ld-linux" in path else "lib/" + os.path.basename(os.path.dirname(path))))
    name = f"{RUNTIME}/x86_64/1"
    (folder / "metadata").write_text(f"[Runtime]\nname={RUNTIME}\nruntime={name}\nsdk={name}\n")
    (folder / "files").mkdir()


@pytest.fixture(scope="module")
def flatpak(tmp_path_factory, build, x_server):
    """(command, environment): the start of a command that runs a program of the app, and its environment."""
    programs = [build / "tests/programs" / name for name in ("presents", "software")]
    if not shutil.which("flatpak"):
        pytest.skip("flatpak is not installed: tools/deps tests")
    if os.uname().machine != "x86_64" or not all(program.exists() for program in programs):
        pytest.skip("the test programs for x86_64 were not built")
    folder = tmp_path_factory.mktemp("flatpak")
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    environment = {**x_server.environment, "FLATPAK_USER_DIR": str(folder / "user"), "XDG_RUNTIME_DIR": str(runtime),
                   "HOME": str(folder)}

    def run(*words):
        subprocess.run(["flatpak", *map(str, words)], env={**os.environ, **environment}, cwd=folder, check=True,
                       capture_output=True, timeout=SECONDS)

    write_runtime(folder / "runtime", [*programs, build / "libdejank-hooks.so"])
    run("build-export", "--disable-sandbox", "--runtime", "repository", "runtime", "1")
    run("--user", "remote-add", "--no-gpg-verify", "local", "repository")
    run("--user", "install", "-y", "--noninteractive", "local", f"{RUNTIME}//1")
    run("build-init", "app", APP, RUNTIME, RUNTIME, "1")
    for program in programs:
        copy(program, folder / "app/files/bin")
    run("build-finish", "app", "--socket=x11", "--share=ipc", "--command=software")
    run("build-export", "--disable-sandbox", "repository", "app", "1")
    run("--user", "install", "-y", "--noninteractive", "local", f"{APP}//1")
    command = ["flatpak", "run", "--user"]
    tried = subprocess.run([*command, APP, "no such way"], env={**os.environ, **environment}, capture_output=True, text=True,
                           timeout=SECONDS, check=False)
    if "bwrap" in tried.stderr or "flatpak" in tried.stderr.lower():
        pytest.skip(f"a sandbox cannot run here: {tried.stderr.strip()}")
    return command, environment


def test_a_flatpak_is_recorded_from_inside(recorder, flatpak):
    command, environment = flatpak
    done = recorder.run("soft", *command, APP, "xlib-shm", str(FRAMES), str(EVERY), "1", environment=environment, timeout=SECONDS)
    assert f"drawn {FRAMES} late {FRAMES // EVERY}" in done.stdout, done
    assert "added to the options of flatpak: --filesystem=" in done.stderr
    text, times = rows(recorder, "soft")
    check_frames(times)
    assert "Pipeline=software (XShm)\n" in text


@pytest.mark.parametrize("place", ["--pid", "--window"])
def test_a_flatpak_is_recorded_from_outside(recorder, flatpak, place):
    command, environment = flatpak
    app = Client([*command, "--command=presents", APP, 1, 60, 0, 10], environment)
    try:
        target = app.process.pid if place == "--pid" else "presents"
        with Recording(recorder, environment, place, target) as recording:
            app.begin()
            shown, _, skipped = app.finish()
            assert f"{shown} frames shown, {skipped} skipped" in ended(recording.process)
    finally:
        app.close()
    _, times, skips = presents_of(recorder, "presents")
    assert (len(times), len(skips)) == (shown, skipped) == (60, 6)
