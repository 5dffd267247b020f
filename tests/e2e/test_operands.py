"""Operands that name both a file and a batch of the store, or both a file and a recorded process: how dejank chooses, and which
prefixes select one of them."""

import json
import os
import subprocess
import threading

import pytest

import made_dumps as made


def dump(seed):
    return made.dump(made.process("com.example.shop", [("com.example.shop/Main", made.frames(40, janky_every=8, seed=seed))],
                                  notes=("frame interval: 16666667ns",)))


@pytest.fixture(scope="module")
def place(build, tmp_path_factory):
    """A folder with a store that has the batches `shop` and `other`, a file `shop`, and a folder `other`."""
    folder = tmp_path_factory.mktemp("operands")
    for number, project in enumerate(("shop", "other")):
        (folder / "one.txt").write_text(dump(number))
        done = dejank(build, folder, "import", "one.txt", "--name", project, "--label", project)
        assert done.returncode == 0, done.stderr
    (folder / "shop").write_text(dump(7))
    (folder / "other").mkdir()
    (folder / "other" / "one.txt").write_text(dump(8))
    return folder


def dejank(build, folder, *words):
    more = [] if words[0] == "trace" and words[1] == "read" else ["--store", folder / "h.db"]
    return subprocess.run([build / "dejank", *map(str, words), *more], capture_output=True, text=True, cwd=folder, timeout=60,
                          stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("word, batch, note", [
    ("shop", False, "'shop' is both a file and a batch of the store. Using the file (./shop). For the batch, write batch:shop"),
    ("./shop", False, ""),
    ("batch:shop", True, ""),
    ("other", True, ""),  # dejank report does not accept folders
])
def test_of_report(build, place, word, batch, note):
    done = dejank(build, place, "report", word, "-o", "out.json")
    assert done.returncode == 0, done.stderr
    schema = json.loads((place / "out.json").read_text())["schema"]
    assert schema == ("dejank.report/1" if batch else "dejank.parse/1")
    assert note in done.stderr and (note or "of the store" not in done.stderr)


def test_files_and_batches_in_one_report(build, place):
    done = dejank(build, place, "report", "./shop", "batch:shop")
    assert done.returncode == 2 and "'./shop' is a file and 'batch:shop' is a batch" in done.stderr
    assert dejank(build, place, "report", "batch:none").returncode == 4
    done = dejank(build, place, "report", "./other")
    assert done.returncode == 4 and "directory" in done.stderr, "a folder asked for as one"


def test_of_compare(build, place):
    """A folder is one side of the comparison. The prefix `build:` selects a label of the store."""
    done = dejank(build, place, "compare", "other", "batch:shop", "--json")
    assert "'other' is both a folder and a batch of the store" in done.stderr, done.stderr
    sides = json.loads(done.stdout)
    assert "other/one.txt" in json.dumps(sides["a"]) and "other/one.txt" not in json.dumps(sides["b"])
    done = dejank(build, place, "compare", "build:other", "batch:shop", "--json")
    assert "of the store" not in done.stderr and "other/one.txt" not in done.stdout, done.stderr
    assert json.loads(done.stdout)["schema"].startswith("dejank.compare/")


def test_of_triage_and_of_verbs_that_take_batches_alone(build, place):
    """Neither the file nor the batch has a trace. The error shows which of them dejank read."""
    done = dejank(build, place, "trace", "triage", "shop")
    assert done.returncode == 4 and "write batch:shop" in done.stderr
    done = dejank(build, place, "trace", "triage", "batch:shop")
    assert done.returncode == 4 and "no run of that batch has a trace" in done.stderr, done.stderr
    for words in (["show"], ["store", "exclude", "--reason", "x"], ["store", "include"]):
        done = dejank(build, place, *words, "batch:other")
        assert done.returncode == 0, done.stderr


def test_of_a_recorded_process(build, place, recorder):
    name = "example-panel"
    panel = build / "examples" / name
    subprocess.run([build / "dejank", "record", "--name", name, "--", panel, "10"], env=recorder.environment, check=True, capture_output=True)

    def read(word):
        return subprocess.run([build / "dejank", "trace", "read", word, "-o", place / "p.pftrace"], env=recorder.environment, cwd=place,
                              capture_output=True, text=True, timeout=60)

    assert read(name).returncode == 0
    (place / name).write_bytes(panel.read_bytes()[:4096])
    try:
        done = read(name)
        assert done.returncode == 4 and f"'process:{name}' the process" in done.stderr, done.stderr
        assert read(f"process:{name}").returncode == 0
        assert "process:" not in read(f"./{name}").stderr
    finally:
        (place / name).unlink()


# ---- inputs that dejank waits for ----

PLAN = "plan: 1\npackage: com.example.shop\ndevices: ['local:']\nflows: [{idle: true}]\n"


@pytest.mark.parametrize("words, text, says", [
    (["parse", "pipe"], dump(1), "Janky frames"),
    (["parse", "--release", "11", "--replay", "pipe"], "", ""),
    (["report", "pipe"], dump(1), "Janky"),
    (["import", "pipe"], dump(2), "1 run"),
    (["import", "--history", "pipe"], "", ""),
    (["compare", "one.txt", "pipe"], dump(3), "inconclusive: "),
    (["run", "--dry-run", "pipe"], PLAN, "idle"),
    (["trace", "triage", "--frames", "pipe", "one.txt"], dump(4), ""),
    (["script", "pipe"], "print('from a pipe')", "from a pipe"),
], ids=lambda value: value[0] if isinstance(value, list) else "")
def test_waiting_for_a_named_pipe_is_reported(build, place, words, text, says):
    pipe = place / "pipe"
    os.mkfifo(pipe)
    store = ["--store", place / "pipes.db"] if words[0] in ("import", "compare", "trace") else []
    running = subprocess.Popen([build / "dejank", *words, *store], cwd=place, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        verb = " ".join(words[:2]) if words[0] == "trace" else words[0]
        assert running.stderr.readline() == f"dejank {verb}: pipe is a pipe: waiting for a program that writes to it\n"
        pipe.write_text(text)
        out, err = running.communicate(timeout=60)
        assert says.lower() in (out + err).lower(), (out, err)
    finally:
        running.kill()
        running.wait()
        pipe.unlink()


@pytest.mark.parametrize("words", [["parse", "-"], ["report", "-"], ["import", "-"], ["trace", "read", "-"], ["parse", "/dev/stdin"]])
def test_reading_a_terminal_is_reported(build, place, words):
    """The message appears after a while without input. Text that is pasted after it is read normally."""
    terminal, stdin = os.openpty()
    store = ["--store", place / "pipes.db"] if words[0] == "import" else []
    running = subprocess.Popen([build / "dejank", *words, *store], cwd=place, text=True, stdin=stdin, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    os.close(stdin)
    echo = threading.Thread(target=lambda: [None for _ in iter(lambda: read_some(terminal), b"")], daemon=True)
    echo.start()
    try:
        assert running.stderr.readline().endswith(": reading from the terminal; press Ctrl-D to end the input\n")
        os.write(terminal, (TRACE if words[0] == "trace" else dump(5)).encode() + b"\n\x04")
        out, err = running.communicate(timeout=60)
        assert running.returncode == 0, (out, err)
    finally:
        running.kill()
        running.wait()
        echo.join()  # before another file gets the descriptor's number
        os.close(terminal)


TRACE = """# tracer: nop
          app-10    [000] d..2.     1.000001: sched_switch: prev_comm=app prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
          app-10    [000] d..2.     1.000009: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=10 next_prio=120
"""


def read_some(terminal):
    """Reads the terminal's echo. If no one reads it, no text can be pasted."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
