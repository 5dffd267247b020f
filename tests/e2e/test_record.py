"""`dejank record` starts a program: what it passes to the program, what it returns, and its messages if it cannot record the
program."""

import os
import re
import pty
import shutil
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from displays import wait_until
from recorded import without_summary

SECONDS = 30
NO_FRAME = "dejank recorded no frames. Likely cause: "


@pytest.fixture
def record(recorder, build):
    """record(PROGRAM, ARG…): runs the program to its end under `dejank record` and returns the result."""

    def run(*command, options=(), environment=None, **keywords):
        return without_summary(subprocess.run(
            [str(build / "dejank"), "record", *options, "--", *map(str, command)], capture_output=True, text=True,
            env={**recorder.environment, **(environment or {})}, timeout=SECONDS, **keywords))

    return run


@pytest.fixture
def start(recorder, build):
    """start(PROGRAM, ARG…): starts the program under `dejank record`. The recorder is killed at the end of the test."""
    processes = []

    def begin(*command, **keywords):
        keywords = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **keywords}
        process = subprocess.Popen([str(build / "dejank"), "record", "--", *map(str, command)],
                                   env=recorder.environment, text=True, **keywords)
        processes.append(process)
        return process

    yield begin
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


# Exit status, arguments, streams and signals

@pytest.mark.parametrize("status", [0, 1, 77, 255])
def test_the_exit_status_passes_through(record, status):
    assert record("sh", "-c", f"exit {status}").returncode == status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_death_by_a_signal_passes_through(record, number):
    assert record("sh", "-c", f"kill -{int(number)} $$").returncode == -number


def test_a_program_that_is_not_there(record):
    result = record("no-such-program-here")
    assert result.returncode == 127
    assert result.stderr == "dejank record: there is no program 'no-such-program-here' in PATH\n"
    assert record("./no/such/file").returncode == 127


def test_a_file_that_is_not_executable(record, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("text\n")
    result = record(plain)
    assert result.returncode == 126
    assert len(result.stderr.splitlines()) == 1 and "is not an executable file" in result.stderr
    assert record(tmp_path).returncode == 126, "a directory"


def test_arguments_pass_exactly(record):
    arguments = ["a b", "", "'", '"', ";", "--", "--name", "-x", "$HOME", "*", "\\", "ä€😀", "two\nlines"]
    result = record(sys.executable, "-c", "import sys; print(ascii(sys.argv[1:]))", *arguments)
    assert result.stdout == ascii(arguments) + "\n"


def test_the_program_is_a_direct_child(start):
    process = start("sh", "-c", "echo $PPID")
    assert int(process.stdout.readline()) == process.pid


def test_the_standard_streams_are_the_programs_own(record):
    script = "cat; echo 'to stderr' >&2"
    result = record("sh", "-c", script, input="from stdin\n")
    assert result.stdout == "from stdin\n"
    assert [line for line in result.stderr.splitlines() if NO_FRAME not in line and not line.startswith("hint: ")] == ["to stderr"]


def test_no_descriptor_of_ours_is_left_open_in_it(record):
    listing = [sys.executable, "-c", "import os; print(sorted(os.listdir('/proc/self/fd')))"]
    plain = subprocess.run(listing, capture_output=True, text=True, timeout=SECONDS)
    assert record(*listing).stdout == plain.stdout


def test_signal_mask_and_dispositions_are_inherited(recorder, build):
    look = ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]
    for set_up in ([], ["env", "--ignore-signal=HUP,CHLD,USR1", "--block-signal=USR2"]):
        plain = subprocess.run([*set_up, *look], capture_output=True, text=True, timeout=SECONDS)
        recorded = subprocess.run([*set_up, build / "dejank", "record", "--", *look], env=recorder.environment,
                                  capture_output=True, text=True, timeout=SECONDS)
        assert recorded.stdout == plain.stdout


# Python's own streams are not reentrant: a handler that prints fails if the signal comes while the program prints.
COUNT_SIGNALS = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP):
    signal.signal(number, lambda number, frame: os.write(1, f"{signal.Signals(number).name}\\n".encode()))
signal.signal(signal.SIGUSR2, lambda *_: sys.exit(9))
os.write(1, b"ready\\n")
while True:
    time.sleep(1)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP])
def test_a_signal_to_the_recorder_reaches_the_program_once(start, number):
    process = start(sys.executable, "-c", COUNT_SIGNALS)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.stdout.readline() == f"{number.name}\n"
    process.send_signal(signal.SIGUSR2)  # ends it
    output, _ = process.communicate(timeout=SECONDS)
    assert output == "", "a second time"
    assert process.returncode == 9


def test_control_c_on_a_terminal_reaches_the_program_once(recorder, build):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(build / "dejank", ["dejank", "record", "--", sys.executable, "-c", COUNT_SIGNALS], recorder.environment)
    try:
        read_terminal(terminal, b"ready")
        os.write(terminal, b"\x03")
        read_terminal(terminal, b"SIGINT")
        os.kill(pid, signal.SIGUSR2)
        assert b"SIGINT" not in read_terminal(terminal, None), "a second time"
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    finally:
        os.close(terminal)


def read_terminal(terminal, until):
    """Reads until these bytes arrive, or with None until the other end is closed."""
    output = b""
    while until is None or until not in output:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux: the other end is closed
            part = b""
        if not part:
            assert until is None, output
            break
        output += part
    return output


# Programs that cannot be recorded: one line states the reason, and the program runs

def lines_of(result):
    """The messages, each with its hint on the same line."""
    return result.stderr.replace("\nhint: ", ". hint: ").splitlines()


def only_line(result):
    line, = lines_of(result)
    return line


def test_a_program_without_gl(record):
    result = record("sh", "-c", "exit 3")
    assert result.returncode == 3
    assert f"sh: {NO_FRAME}neither it nor its child processes drew" in only_line(result)


def test_a_tied_program_whose_input_has_ended_is_reported(record):
    """A command has 100 ms to start. A loaded machine may need more, so one success in five attempts is enough."""
    def run():
        return record("sleep", 60, options=["--tied"], stdin=subprocess.DEVNULL)

    results = (run() for _ in range(5))
    result = next((result for result in results if NO_FRAME in result.stdout), None)
    assert result is not None and result.returncode == -signal.SIGTERM


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """compiled(SOURCE, OPTION…): compiles this C source and returns the path of the program."""
    folder = tmp_path_factory.mktemp("compiled")

    def compile_program(source, *options):
        if not shutil.which("gcc"):
            pytest.skip("gcc is not installed")
        program = folder / f"program{len(list(folder.iterdir()))}"
        done = subprocess.run(["gcc", "-x", "c", "-", "-o", program, *options], input=source, text=True,
                              capture_output=True, timeout=60)
        if done.returncode != 0:
            pytest.skip(f"gcc cannot build this: {done.stderr}")
        return program

    return compile_program


SAY_AND_EXIT = '#include <stdio.h>\nint main(void) { puts("ran"); return 5; }\n'


@pytest.mark.parametrize("option", ["-static", "-static-pie"])
def test_a_static_program(record, compiled, option):
    program = compiled(SAY_AND_EXIT, option)
    result = record(program)
    assert (result.returncode, result.stdout) == (5, "ran\n")
    assert only_line(result) == f"dejank record: {program} cannot be recorded: it is statically linked. hint: link it dynamically"


def test_a_program_of_another_c_library(record, compiled, tmp_path):
    """musl's dynamic linker would end the program because the recorder needs glibc. In this test only the linker's name is musl's."""
    linkers = [Path("/lib64/ld-linux-x86-64.so.2"), Path("/lib/ld-linux-aarch64.so.1")]
    linker = tmp_path / "ld-musl-x86_64.so.1"
    linker.symlink_to(next(path for path in linkers if path.exists()))
    program = compiled(SAY_AND_EXIT, f"-Wl,--dynamic-linker={linker}")
    result = record(program)
    assert (result.returncode, result.stdout) == (5, "ran\n")
    assert only_line(result) == f"dejank record: {program} cannot be recorded: its C library is musl, and the recorder needs glibc. hint: build it with glibc"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files of other users")
@pytest.mark.parametrize("mode", [0o4755, 0o2755])
def test_a_setuid_program(record, compiled, tmp_path, mode):
    program = tmp_path / "privileged"
    shutil.copy(compiled(SAY_AND_EXIT), program)
    os.chown(program, 65534, 65534)
    program.chmod(mode)
    result = record(program)
    assert (result.returncode, result.stdout) == (5, "ran\n")
    assert "it is setuid or setgid, and the loader ignores LD_PRELOAD" in only_line(result)


def test_a_32_bit_program(record, tmp_path):
    program = tmp_path / "old"
    ident = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9)
    program.write_bytes(ident + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0, 52, 0, 0, 52, 32, 0, 0, 0, 0))
    program.chmod(0o755)
    result = record(program)
    assert result.returncode == 126
    lines = lines_of(result)
    assert lines[0].endswith("cannot be recorded: it is a 32-bit program, and the recorder is 64-bit. hint: build it for 64 bits")
    assert len(lines) == 2 and lines[1].startswith(f"dejank record: cannot start '{program}': ")


@pytest.mark.parametrize("contents", [b"", b"\x7fELF", b"\x7fELF\x02\x01\x01" + bytes(20)])
def test_a_file_that_is_no_program(record, tmp_path, contents):
    program = tmp_path / "broken"
    program.write_bytes(contents)
    program.chmod(0o755)
    assert record(program).returncode in (0, 126)


def test_a_script_without_an_interpreter_line_is_the_shells(record, recorder, app, tmp_path):
    script = tmp_path / "a script"
    script.write_text(f'echo "$#: $1"\n{app} swap 7\nexit 3\n')
    script.chmod(0o755)
    result = record(script, "a b", options=["--name", "scripted"])
    assert (result.returncode, result.stdout) == (3, "1: a b\n7 frames\n")
    assert named_by(recorder, "scripted:my-viewer") == 7
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert record("a script", environment=path).stdout == "0: \n7 frames\n"


def fake_frames(build, frames):
    return [build / "tests/programs/swapper", "swap", str(frames)]


def test_the_segment_directory_is_a_file(record, build, tmp_path):
    place = tmp_path / "file"
    place.write_text("")
    result = record(*fake_frames(build, 5), environment={"DEJANK_DIR": str(place)})
    assert (result.returncode, result.stdout) == (0, "5 frames\n")
    assert f"cannot be recorded: {place}: expected a directory" in only_line(result)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files of other users")
def test_the_segment_directory_is_somebody_elses(record, build, tmp_path):
    place = tmp_path / "theirs"
    place.mkdir(mode=0o700)
    os.chown(place, 65534, 65534)
    result = record(*fake_frames(build, 5), environment={"DEJANK_DIR": str(place)})
    assert (result.returncode, result.stdout) == (0, "5 frames\n")
    assert f"cannot be recorded: {place}: expected owner 0, found 65534" in only_line(result)


@pytest.fixture
def small_disk(tmp_path):
    """small_disk(KIB): a folder on a file system of that size."""
    mounted = []

    def mount(size_kib):
        folder = tmp_path / f"disk{size_kib}"
        folder.mkdir(mode=0o700)
        command = ["mount", "-t", "tmpfs", "-o", f"size={size_kib}k,mode=0700", "dejank-test", str(folder)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("no file system can be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("size_kib", [4, 64])
def test_a_full_disk_never_hurts_the_program(record, build, small_disk, size_kib):
    place = small_disk(size_kib)
    (place / "ballast").write_bytes(bytes(4096))
    result = record(build / "tests/programs/swapper", "windows", "16", "8", environment={"DEJANK_DIR": str(place)})
    assert (result.returncode, result.stdout) == (0, "128 frames\n")
    assert f"{place}: not enough disk space for a segment of" in only_line(result)


def test_a_disk_that_fills_before_the_first_frame_is_told_at_the_end(record, build, small_disk):
    place = small_disk(1280)
    fill = f"head -c 1200k /dev/zero > {place}/ballast; exec \"$0\" swap 9"
    result = record("sh", "-c", fill, build / "tests/programs/swapper", environment={"DEJANK_DIR": str(place)})
    assert (result.returncode, result.stdout) == (0, "9 frames\n")
    assert only_line(result) == "dejank record: the recording of sh stopped early: No space left on device"


def test_windows_beyond_the_disks_room_share_what_there_is(record, recorder, build, small_disk):
    recorder.environment["DEJANK_DIR"] = str(small_disk(3072))
    result = record(build / "tests/programs/swapper", "windows", "16", "8", options=["--name", "many"])
    assert (result.returncode, result.stdout, result.stderr) == (0, "128 frames\n", "")
    assert recorder.read("many").total == 128


# Names of recorded programs

def named_by(recorder, name):
    """Number of frames of the process with this name, or None if there is no such process."""
    found = recorder.dumpsys("gfxinfo", name)
    totals = [line for line in found.stdout.splitlines() if line.startswith("Total frames rendered: ")]
    return int(totals[0].split()[-1]) if totals else None


def desktop_file(folder, identity, command, before=""):
    place = folder / "applications"
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{identity}.desktop").write_text(f"{before}[Desktop Entry]\nType=Application\nExec={command}\n"
                                               f"[Desktop Action New]\nExec=other\n")


@pytest.fixture
def app(build, tmp_path):
    """A program named my-viewer that presents frames."""
    program = tmp_path / "my-viewer"
    shutil.copy(build / "tests/programs/swapper", program)
    shutil.copy(build / "tests/programs/libfake_gl.so", tmp_path)
    return program


def test_the_name_is_the_desktop_files(record, recorder, app, tmp_path):
    desktop_file(tmp_path / "data", "org.example.Viewer", f"{app} %U")
    folders = {"XDG_DATA_DIRS": f"/nonexistent:{tmp_path}/data"}
    assert record(app, "swap", "7", environment=folders).stderr == ""
    assert named_by(recorder, "org.example.Viewer") == 7
    assert named_by(recorder, "my-viewer") == 7, "the program's own name finds it too"


@pytest.mark.parametrize("command", ["my-viewer --new %U", "other %U", "sh -c my-viewer"])
def test_a_desktop_file_that_starts_something_else_does_not_name_it(record, recorder, app, tmp_path, command):
    desktop_file(tmp_path / "data", "org.example.Viewer", command)
    record(app, "swap", "7", environment={"XDG_DATA_DIRS": f"{tmp_path}/data"})
    assert named_by(recorder, "org.example.Viewer") is None
    assert named_by(recorder, "my-viewer") == 7


def test_an_action_of_a_desktop_file_does_not_name_it(record, recorder, app, tmp_path):
    desktop_file(tmp_path / "data", "org.example.Other", "other", before="# a comment\n")
    path = tmp_path / "data/applications/org.example.Other.desktop"
    path.write_text(path.read_text() + "Exec=my-viewer\n")
    record(app, "swap", "7", environment={"XDG_DATA_DIRS": f"{tmp_path}/data"})
    assert named_by(recorder, "org.example.Other") is None


def test_of_several_desktop_files_the_first_by_name_counts(record, recorder, app, tmp_path):
    for identity in ("org.example.C", "org.example.A", "org.example.B"):
        desktop_file(tmp_path / "data", identity, "my-viewer")
    record(app, "swap", "7", environment={"XDG_DATA_DIRS": f"{tmp_path}/data"})
    assert named_by(recorder, "org.example.A") == 7


@pytest.mark.parametrize("name", ["a b", "it's", "x;y", "größe", "--", "n" * 255])
def test_any_name_is_found_by_itself(record, recorder, app, name):
    assert record(app, "swap", "7", options=["--name", name]).stderr == ""
    assert named_by(recorder, name) == 7


@pytest.mark.parametrize("name", ["", "n" * 256, "ü" * 128])
def test_a_name_that_cannot_be_kept_whole_is_a_usage_error(record, app, name):
    result = record(app, "swap", "7", options=["--name", name])
    assert (result.returncode, result.stdout) == (2, "")
    assert only_line(result) == f"dejank record: --name: expected 1 to 255 bytes, found {len(name.encode())}"


@pytest.mark.parametrize("script", ["{app} swap 7", "{app} swap 7; true"])
def test_a_program_behind_a_shell_is_found_by_the_name_given(record, recorder, app, script):
    result = record("sh", "-c", script.format(app=app), options=["--name", "behind"])
    assert (result.returncode, result.stderr) == (0, "")
    assert named_by(recorder, "behind") == 7


# Programs built with AddressSanitizer require its run-time as their first library

@pytest.mark.parametrize("before", [None, "detect_leaks=0:exitcode=9"])
def test_a_program_built_with_address_sanitizer(record, compiled, before):
    program = compiled(SAY_AND_EXIT, "-fsanitize=address")
    environment = {"ASAN_OPTIONS": before} if before else None
    result = record(program, environment=environment)
    assert (result.returncode, result.stdout) == (5, "ran\n")
    assert f"{program}: {NO_FRAME}" in only_line(result)
    assert record("sh", "-c", f"{program}; exit $?", environment=environment).returncode == 5


def test_frames_of_a_program_built_with_address_sanitizer(record, recorder, compiled, build):
    folder = build / "tests/programs"
    source = ("void glXSwapBuffers(void *display, unsigned long drawable);\n"
              "int main(void) { for (int i = 0; i < 9; i++) glXSwapBuffers(0, 5); return 0; }\n")
    program = compiled(source, "-fsanitize=address", f"-L{folder}", "-lfake_gl", f"-Wl,-rpath,{folder}")
    result = record(program, options=["--name", "checked"])
    assert result.returncode == 0
    assert "AddressSanitizer" not in result.stderr
    assert named_by(recorder, "checked") == 9


def test_address_sanitizer_keeps_its_own_options(record, compiled):
    program = compiled("#include <stdlib.h>\nint main(int n, char **v)\n"
                       "{ (void)v; char *p = malloc(4); free(p); return p[n]; }\n", "-fsanitize=address")
    result = record(program, environment={"ASAN_OPTIONS": "exitcode=9"})
    assert result.returncode == 9
    assert "heap-use-after-free" in result.stderr


# Messages at the end

def test_one_line_sums_a_recording_up(record, build):
    result = record(build / "tests/programs/swapper", "swap", "7", options=["--name", "viewer"])
    assert result.stderr == ""
    assert re.fullmatch(r"dejank record: viewer: 7 frames, \d janky \(\d+\.\d\d %\)"
                        r"; longest stage: \w+, \d+\.\d of \d+\.\d ms per frame\n", result.summary)


LATE_FRAMES = """
import ctypes, sys, time
gl = ctypes.CDLL(sys.argv[1])
for _ in range(9):
    end = time.monotonic() + 0.03
    while time.monotonic() < end:
        pass
    gl.glXSwapBuffers(None, ctypes.c_ulong(1))
"""


def test_a_terminal_gets_the_command_that_explains_janky_frames(recorder, build):
    command = [str(build / "dejank"), "record", "--", sys.executable, "-c", LATE_FRAMES, str(build / "tests/programs/libfake_gl.so")]
    said = []
    for words in (command, [str(build / "dejank"), "record", "--", *command]):  # the second recorder is run by the first
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(words[0], words, recorder.environment)
        try:
            said.append(read_terminal(terminal, None).decode())
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        finally:
            os.close(terminal)
    hint = "\r\nhint: 'dejank trace capture -o trace.pftrace -- …' and 'dejank trace triage trace.pftrace' show why frames are janky\r\n"
    assert "9 janky" in said[0] and hint in said[0], said[0]
    assert "9 janky" in said[1].partition("hint: ")[0] and said[1].count(hint) <= 1, said[1]


def test_several_processes_are_summed_up_together(record, build):
    app = build / "tests/programs/swapper"
    result = record("sh", "-c", f"{app} swap 3; {app} swap 4; true", options=["--name", "both"])
    assert re.match(r"dejank record: both \(2 processes\): 7 frames, ", result.summary)


@pytest.mark.parametrize("threads, frames", [(8, 400), (8, 30000)])
@pytest.mark.parametrize("windows", ["threads", "one-window"])
def test_threads_that_begin_at_once_lose_no_frame(recorder, build, windows, threads, frames):
    frames = frames if windows == "threads" else 400
    recorder.run("app", build / "tests/programs/swapper", windows, str(threads), str(frames))
    recorded = recorder.read("app")
    assert recorded.total == threads * frames
    assert "were not recorded" not in recorded.text


def test_threads_wait_for_a_busy_disk_and_lose_no_frame(recorder, build):
    """Each growth of the recording takes 80 ms, and eight windows open at the same time."""
    prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fallocate", "-e", "inject=fallocate:delay_exit=80000"]
    if not shutil.which("strace") or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("strace is not installed, or may not trace: tools/deps tests")
    recorder.run("app", *prefix, build / "tests/programs/swapper", "threads", 8, 400)
    recorded = recorder.read("app")
    assert recorded.total == 8 * 400
    assert "were not recorded" not in recorded.text


@pytest.mark.parametrize("suffix, start", [("html", b"<!doctype html>"), ("svg", b"<?xml"), ("png", b"\x89PNG"), ("md", b"#")])
def test_a_report_of_what_was_recorded_is_drawn_at_once(record, build, tmp_path, suffix, start):
    report = tmp_path / f"out.{suffix}"
    result = record(build / "tests/programs/swapper", "swap", "7", options=["--report", report])
    assert (result.returncode, result.stderr) == (0, f"dejank record: wrote {report}\n")
    assert report.read_bytes().startswith(start)


@pytest.mark.parametrize("name, message", [("out.json", "names no format; there is: .html"), ("no/such/out.html", "no/such")])
def test_a_report_that_cannot_be_is_refused_before_the_program_runs(record, tmp_path, name, message):
    result = record("touch", tmp_path / "ran", options=["--report", tmp_path / name])
    assert result.returncode in (2, 4) and message in result.stderr
    assert not (tmp_path / "ran").exists()


def test_no_frames_no_report(record, tmp_path):
    result = record("true", options=["--report", tmp_path / "out.html"])
    assert result.returncode == 4
    assert "true: dejank recorded no frames and wrote no report. Likely cause: " in result.stderr
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize("body, message", [
    ('dejank_surface_set_title(7, "a window");', "dejank recorded no frames and wrote no report. Likely cause: "),
    ('dejank_section_begin("load"); dejank_section_end();', "dejank recorded trace sections but no frames and wrote no report\n"),
])
def test_a_title_or_sections_without_frames_make_no_report(record, build, tmp_path, body, message):
    program = tmp_path / "still"
    (tmp_path / "still.c").write_text(f"#include <dejank/frames.h>\n#include <dejank/sections.h>\nint main(void) {{ {body} return 0; }}\n")
    root = Path(__file__).resolve().parents[2]
    subprocess.run(["cc", f"-I{root}/include", tmp_path / "still.c", "-o", program, f"-L{build}", f"-Wl,-rpath,{build}", "-ldejank"],
                   check=True, timeout=60)
    result = record(program, options=["--report", tmp_path / "out.html"])
    assert result.returncode == 4 and message in result.stderr and ": wrote " not in result.stderr, result.stderr
    assert not (tmp_path / "out.html").exists()


# Containers: one line states what the user must pass to the launcher

def container(tmp_path, name):
    """A launcher with this name that starts the command after the word `run`."""
    program = tmp_path / name
    program.write_text('#!/bin/sh\nwhile [ "$1" != run ]; do shift; done\nshift\nexec "$@"\n')
    program.chmod(0o755)
    return program


@pytest.fixture
def flatpak(tmp_path):
    """A script in place of flatpak. It writes its arguments to a file, sets the environment from --env like flatpak, and starts the
    program after the app's name."""
    program = tmp_path / "flatpak"
    program.write_text(f"""#!/bin/sh
printf '%s\\n' "$@" > {tmp_path}/words
unset LD_PRELOAD
while [ "$1" != run ]; do shift; done
shift
while :; do
    case "$1" in
        --env=*) export "${{1#--env=}}" ;;
        -*) ;;
        *) break ;;
    esac
    shift
done
shift
exec "$@"
""")
    program.chmod(0o755)
    return program


def words_of(tmp_path):
    return (tmp_path / "words").read_text().splitlines()


def test_flatpak_gets_its_options_by_itself(record, recorder, build, tmp_path, flatpak):
    swapper = build / "tests/programs/swapper"
    result = record(flatpak, "--user", "run", "--share=ipc", "org.example.App", swapper, "swap", "7", options=["--name", "mine"])
    assert (result.returncode, result.stdout) == (0, "7 frames\n")
    words = words_of(tmp_path)
    hooks = words[2].split("=", 1)[1].removesuffix(":ro")
    folder = recorder.environment["DEJANK_DIR"]
    assert Path(hooks).resolve() == (build / "libdejank-hooks.so").resolve()
    assert words == ["--user", "run", f"--filesystem={hooks}:ro", f"--filesystem={folder}", f"--env=LD_PRELOAD={hooks}",
                     f"--env=DEJANK_DIR={folder}", "--env=DEJANK_ROOT_PID=", "--share=ipc", "org.example.App", str(swapper), "swap", "7"]
    assert f"added to the options of flatpak: --filesystem={hooks}:ro " in result.stderr
    assert named_by(recorder, "mine") == 7


def test_flatpaks_folder_in_the_runtime_folder_has_its_word(build, tmp_path, flatpak):
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    environment.pop("DEJANK_DIR", None)
    subprocess.run([build / "dejank", "record", "--", flatpak, "run", "org.example.App", "true"], env=environment, check=True,
                   capture_output=True, timeout=60)
    words = words_of(tmp_path)
    assert "--filesystem=xdg-run/dejank" in words and f"--env=DEJANK_DIR={runtime}/dejank" in words


@pytest.mark.parametrize("words", [["run", "--env=LD_PRELOAD=/own.so", "org.example.App", "true"], ["list", "run", "x", "true"]])
def test_flatpak_is_left_alone_where_options_cannot_be_added(record, tmp_path, flatpak, words):
    """dejank prints the options to add instead."""
    result = record(flatpak, *words)
    assert words_of(tmp_path) == words
    assert "run it with run --filesystem=" in result.stderr


@pytest.mark.parametrize("name", ["bwrap", "podman", "docker"])
def test_a_containers_launcher_is_told_what_to_pass(record, recorder, build, tmp_path, name):
    launcher = container(tmp_path, name)
    result = record(launcher, "run", "sh", "-c", "exit 3")
    assert result.returncode == 3
    lines = [line for line in result.stderr.splitlines() if "dejank cannot record them there" in line]
    assert len(lines) == 1 and recorder.environment["DEJANK_DIR"] in lines[0]
    hooks = re.search(r"(/\S*?/libdejank-hooks\.so)", lines[0])[1]
    assert Path(hooks).resolve() == (build / "libdejank-hooks.so").resolve()
    assert "dejank cannot record them there" not in record(launcher, f"--see={hooks}", "run", "true").stderr


@pytest.mark.skipif(not shutil.which("bwrap"), reason="no bwrap")
def test_what_bwrap_is_told_to_pass_records(record, recorder, build):
    programs = build / "tests/programs"
    shown = ["--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin",
             "/bin", "--proc", "/proc", "--dev", "/dev", "--ro-bind", programs, programs]
    if subprocess.run(["bwrap", *shown, "true"], capture_output=True).returncode != 0:
        pytest.skip("bwrap cannot make a container here")
    told = record("bwrap", *shown, programs / "swapper", "swap", "7").stderr
    options = next(line for line in told.splitlines() if "dejank cannot record them there" in line).split("run it with ")[1].split(", and")[0]
    result = record("bwrap", *shown, *options.split(), programs / "swapper", "swap", "7", options=["--name", "contained"])
    assert (result.returncode, result.stdout) == (0, "7 frames\n")
    assert named_by(recorder, "contained:swapper") == 7 or named_by(recorder, "contained") == 7
