"""How captures of this machine end: the program that they start, the output file, messages, and namespaces."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import time

import pytest

from test_trace_capture import (  # noqa: F401 (fixtures)
    FIRST_NAMESPACE, capture, dejank, has_ended, panel, read, states_of, threads_of, tracefs, wait_for)

# The program and its child, which has a separate session, ignore SIGTERM.
STUBBORN = """trap '' TERM
setsid sh -c 'trap "" TERM; echo $$ > {0}/child.new; mv {0}/child.new {0}/child; sleep 300; sleep 300' &
echo $$ > {0}/program.new; mv {0}/program.new {0}/program; sleep 300; sleep 300"""


@pytest.fixture
def stubborn(tmp_path):
    """(command, runs(): whether both processes started, gone(): whether the started ones have ended)"""
    files = [tmp_path / "program", tmp_path / "child"]

    def pids():
        return [int(file.read_text()) for file in files if file.exists()]

    yield ["sh", "-c", STUBBORN.format(tmp_path)], lambda: len(pids()) == 2, lambda: all(map(has_ended, pids()))
    for pid in pids():
        if not has_ended(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_program_that_does_not_mind_being_asked_ends_with_the_capture(build, recorder, tmp_path, stubborn, number):
    words, runs, gone = stubborn
    running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t", "--level", "own-threads", "--", *words],
                               env=recorder.environment, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: runs() or running.poll() is not None)
        running.send_signal(number)
        running.wait(timeout=60)
        wait_for(gone, 30)
    finally:
        running.kill()
        running.wait()


def test_a_duration_ends_all_that_the_program_started(dejank, tmp_path, stubborn):
    words, runs, gone = stubborn
    done = dejank("trace", "capture", "-o", tmp_path / "t", "--level", "own-threads", "--duration", "1s", "--", *words)
    assert done.returncode == 0 and runs() and gone(), done.stderr


def test_what_a_program_leaves_running_goes_on(dejank, tmp_path):
    """The program ended by itself, so dejank does not kill its background process."""
    done = dejank("trace", "capture", "-o", tmp_path / "t", "--level", "own-threads", "--", "sh", "-c",
                  f"(sleep 1; touch {tmp_path}/later) > /dev/null 2>&1 & exit 7")
    assert done.returncode == 7 and not (tmp_path / "later").exists(), done.stderr
    wait_for((tmp_path / "later").exists)


def test_a_full_file_takes_no_time_from_the_program(dejank, tmp_path):
    """The capture ends at its size limit. The program continues to its own end before --duration is over."""
    with tracefs():
        done = dejank("trace", "capture", "-o", tmp_path / "t", "--size", "1", "--duration", "50s", "--json", "--", "sh", "-c",
                      "i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i + 1)); done; echo finished")
    assert done.returncode == 0 and done.stdout.startswith("finished\n"), done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["cut"] and said["bytes"] <= 1 << 20
    assert "the trace has reached its size limit of 1 MB: the capture has ended, the program continues" in done.stderr
    assert ", the size limit: later events are missing" in done.stderr and "hint: --size MB permits a larger file" in done.stderr


def test_the_help_names_the_limit(dejank):
    assert re.search(r"--size MB [^-]*\(default: 512\)", dejank("trace", "capture", "--help").stdout)


def test_an_app_that_begins_again_and_again(build, recorder, dejank, panel, tmp_path):
    """The trace contains the frames of every run of the app, however short."""
    with tracefs():
        running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t", "-p", "short", "--json"], env=recorder.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert "waiting for the app" in running.stderr.readline()
        for _ in range(4):
            assert dejank("record", "--name", "short", "--", panel, 10).returncode == 0
        running.send_signal(signal.SIGINT)
        said, talk = running.communicate(timeout=60)
    assert running.returncode == 0 and json.loads(said)["frames"] == 40, talk


# ---- the output file ----

def test_a_standard_output_by_name_is_written_to(build, recorder, panel, dejank, tmp_path):
    """An output path that leads to standard output is written in place: no new file replaces the link or the redirected file."""
    own = tmp_path / "stdout"
    own.symlink_to("/proc/self/fd/1")
    with tracefs(), open(tmp_path / "t", "wb") as out:
        done = subprocess.run([build / "dejank", "trace", "capture", "-o", own, "--duration", "200ms"], stdout=out, stderr=subprocess.PIPE,
                              env=recorder.environment, timeout=60)
        assert done.returncode == 0, done.stderr
        assert own.is_symlink() and out.fileno() and (tmp_path / "t").stat().st_ino == os.fstat(out.fileno()).st_ino
    assert read(dejank, tmp_path / "t")["states"]
    assert sorted(one.name for one in tmp_path.iterdir() if "stdout" in one.name) == ["stdout"]


def test_links_stay(dejank, tmp_path):
    (tmp_path / "today").write_text("before")
    (tmp_path / "latest").symlink_to("today")
    with tracefs():
        assert dejank("trace", "capture", "-o", tmp_path / "latest", "--duration", "100ms").returncode == 0
    assert (tmp_path / "latest").is_symlink() and read(dejank, tmp_path / "today")["states"]


@pytest.mark.parametrize("what", ["busy", "gone"])
def test_a_capture_that_cannot_take_its_place_is_kept(dejank, tmp_path, what):
    """The output file is a mount point, or its folder is deleted during the capture."""
    folder = tmp_path / "folder"
    folder.mkdir()
    with tracefs():
        if what == "gone":
            done = dejank("trace", "capture", "-o", folder / "t", "--", "rmdir", folder, environment={"TMPDIR": str(tmp_path)})
        else:
            (folder / "t").touch()
            (tmp_path / "host").touch()
            if subprocess.run(["mount", "--bind", tmp_path / "host", folder / "t"], capture_output=True).returncode != 0:
                pytest.skip("nothing can be mounted here")
            try:
                done = dejank("trace", "capture", "-o", folder / "t", "--duration", "200ms", "--json")
            finally:
                subprocess.run(["umount", folder / "t"], check=True)
    assert done.returncode == 4 and "wrote" not in done.stderr and done.stdout == "", done.stderr
    left, = [*folder.glob("t.*"), *tmp_path.glob("dejank-captured-*")]
    assert f"cannot write {folder}/t: " in done.stderr and f"the captured data is in {left}" in done.stderr
    assert read(dejank, left)["states"]


@pytest.mark.parametrize("words, says", [(["-o", ""], "missing option --output FILE"), (["-o", "t", "--name", "", "--", "true"], "1 to 255 bytes"),
                                         (["-o", "t", "--name", "x" * 256, "--", "true"], "1 to 255 bytes")])
def test_nothing_begins_that_could_not_end_well(dejank, tmp_path, words, says):
    done = dejank("trace", "capture", *words, cwd=tmp_path)
    assert done.returncode == 2 and says in done.stderr and not (tmp_path / "t").exists()


# ---- terminals, pipes and namespaces ----

def test_a_terminal_is_shown_that_it_goes_on(build, recorder, tmp_path):
    ours, theirs = pty.openpty()
    with tracefs():
        running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t"], stderr=theirs, stdout=subprocess.DEVNULL,
                                   env={**recorder.environment, "TERM": "xterm"})
        os.close(theirs)
        seen = b""
        while b"1.0 s captured" not in seen:
            seen += os.read(ours, 4096)
        running.send_signal(signal.SIGINT)
        while b"wrote" not in seen:
            seen += os.read(ours, 4096)
        assert running.wait(timeout=60) == 0 and b"; Ctrl-C ends the capture" in seen and b"\r\x1b[Kdejank trace capture: wrote" in seen
    os.close(ours)


def test_nobody_who_listens_ends_nothing(build, recorder, dejank, tmp_path):
    """The reader of standard error closes it. Later messages are lost, but dejank writes the trace."""
    with tracefs() as folder:
        running = subprocess.Popen([build / "dejank", "trace", "capture", "-o", tmp_path / "t", "-p", "nobody-at-all"], env=recorder.environment,
                                   stderr=subprocess.PIPE)
        assert b"waiting for the app" in running.stderr.readline()
        running.stderr.close()
        assert dejank("record", "--name", "nobody-at-all", "--", "sleep", "0.1").returncode == 0
        time.sleep(0.3)
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=60) == 4
        assert not list((folder / "instances").glob(f"dejank-{running.pid}-*"))
    assert read(dejank, tmp_path / "t")["states"]


@pytest.mark.parametrize("offset", [100000, -100])
@pytest.mark.parametrize("level", ["tracefs", "perf", "own-threads"])
def test_a_time_namespace_stands_off_the_kernels_clock(dejank, panel, tmp_path, level, offset):
    """The app's clock has an offset from the kernel's clock. Thread states must still match the app's slow layouts."""
    inside = ["unshare", "--time", "--monotonic", str(offset), "--fork"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True).returncode != 0:
        pytest.skip("no time namespace can be made here")
    with tracefs():
        capture(dejank, tmp_path / "t", "--level", level, "--around", "janky", "--before", "1ms", "--after", "1ms", "--", panel, 30, prefix=inside)
    trace = read(dejank, tmp_path / "t")
    slow = [one for one in trace["async"] if one["name"] == "Layout" and one["end_ns"] - one["start_ns"] > 19e6]
    tids = threads_of(trace, "example-panel")
    assert len(slow) == 3
    for stage in slow[1:]:
        assert any(state["tid"] in tids and state["state"] in ("running", "runnable") and state["start_ns"] < stage["end_ns"]
                   and (state["end_ns"] or stage["end_ns"]) > stage["start_ns"] for state in trace["states"]), stage


def test_a_root_that_may_not_is_told_to_ask_elsewhere(build, recorder, tmp_path):
    """Root lacks permissions, as in most containers. The hint must not name sudo, which would not help."""
    inside = ["unshare", "--user", "--map-root-user"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True).returncode != 0:
        pytest.skip("no user namespace can be made here")
    done = subprocess.run([*inside, build / "dejank", "doctor", "--json"], capture_output=True, text=True, env=recorder.environment, timeout=60)
    rows = {row["name"]: row for row in json.loads(done.stdout)["checks"]}
    if rows["capture"]["ok"]:
        pytest.skip("tracefs is mounted on this machine, so this root user may use it")
    assert "sudo" not in rows["capture"]["remedy"] and "outside of this container" in rows["capture"]["remedy"]
    done = subprocess.run([*inside, build / "dejank", "trace", "capture", "--level", "tracefs", "-o", tmp_path / "t", "--duration", "100ms"],
                          capture_output=True, text=True, env=recorder.environment, timeout=60)
    assert done.returncode == 3 and "this root user may not mount it" in done.stderr and "sudo" not in done.stderr, done.stderr


def test_an_instance_of_another_pid_namespace(build, recorder, dejank, tmp_path):
    """A live capture in another namespace keeps its instance. After it is killed, the initial namespace can remove the instance."""
    inside = ["unshare", "--pid", "--fork", "--mount-proc"]
    if not shutil.which("unshare") or subprocess.run([*inside, "true"], capture_output=True).returncode != 0:
        pytest.skip("no pid namespace can be made here")
    words = ["trace", "capture", "-o", tmp_path / "t"]
    with tracefs() as folder:
        def ours():
            return {one.name for one in (folder / "instances").glob("dejank-*")}

        def capture_row(prefix):
            rows = json.loads(dejank("doctor", "--json", prefix=prefix).stdout)["checks"]
            return next(row for row in rows if row["name"] == "capture")

        before = ours()
        running = subprocess.Popen([*inside, build / "dejank", *words], env=recorder.environment, stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: ours() - before or running.poll() is not None)
            made, = ours() - before
            assert made.startswith("dejank-1-") and made.count("-") == 4
            for prefix in ((), inside):
                assert made not in capture_row(prefix)["found"]
                assert made not in dejank("doctor", "--restore", prefix=prefix).stderr
        finally:
            with open(f"/proc/{running.pid}/task/{running.pid}/children", encoding="ascii") as children:
                for child in children.read().split():
                    os.kill(int(child), signal.SIGKILL)
            running.wait(timeout=60)
        assert made in ours()
        if os.stat("/proc/self/ns/pid").st_ino == FIRST_NAMESPACE:
            wait_for(lambda: "removed 1 tracing instance" in dejank("doctor", "--restore").stderr)
        else:
            (folder / "instances" / made).rmdir()
        assert made not in ours()


@pytest.mark.skipif(not shutil.which("glxgears") or not shutil.which("Xvfb"), reason="no glxgears or Xvfb")
@pytest.mark.parametrize("end", ["Ctrl-C", "--duration", "its own"])
def test_every_frame_of_a_fast_program_is_in_the_trace_or_counted(build, recorder, x_server, tmp_path, end):
    """A program that draws more frames than its ring holds. The capture reads the ring while the program draws."""
    words = ["glxgears"] if end != "its own" else ["timeout", "6", "glxgears"]
    environment = {**recorder.environment, **x_server.environment, "vblank_mode": "0"}

    def drawn():
        told = recorder.dumpsys("gfxinfo", "app").stdout
        return sum(map(int, re.findall(r"Total frames rendered: (\d+)", told)))

    running = subprocess.Popen(
        [build / "dejank", "trace", "capture", "-o", tmp_path / "t.pftrace", "--json", "--level", "own-threads", "--name", "app",
         *(["--duration", "6s"] if end == "--duration" else []), "--", *words],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        if end == "Ctrl-C":
            # The ring of 4096 frames has been overwritten once.
            wait_for(lambda: running.poll() is not None or drawn() > 5000)
            os.killpg(running.pid, signal.SIGINT)
        output, errors = running.communicate(timeout=120)
    finally:
        running.kill()
        running.wait()
    said = json.loads([line for line in output.splitlines() if line.startswith('{"schema"')][-1])
    total = drawn()
    assert total > 0
    assert said["frames"] + said["frames_lost"] + said["frames_later"] + said["frames_broken"] == total, errors
    assert said["frames_lost"] == 0 or any(limit.startswith(f"{said['frames_lost']} frames") for limit in said["limits"])
    trace = json.loads(subprocess.run([build / "dejank", "trace", "read", "--json", tmp_path / "t.pftrace"], capture_output=True, check=True, timeout=120).stdout)
    assert len(trace["frames"]) == said["frames"]
