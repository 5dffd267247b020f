"""Trace verbs with inputs that are no trace, missing, or delayed: messages and exit codes."""

import os
import subprocess
import threading
from pathlib import Path

import pytest

TEXT = """# tracer: nop
a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|x
a-7 (5) [000] ...1 1.000004: tracing_mark_write: E|5
"""


@pytest.fixture
def trace(build, tmp_path):
    def run(*words, code):
        done = subprocess.run([build / "dejank", "trace", *words], capture_output=True, timeout=60, check=False, cwd=tmp_path)
        assert done.returncode == code, done
        return (done.stdout + done.stderr).decode()

    return run


@pytest.mark.parametrize("words", [("read", "--summary"), ("read", "-o", "x.pftrace"), ("triage",)])
def test_a_file_that_is_no_trace_is_refused(trace, tmp_path, words):
    (tmp_path / "c.json").write_text(' {"traceEvents": []}')
    (tmp_path / "empty").touch()
    assert "No such file" in trace(*words, "./missing", code=4)
    said = trace(*words, "c.json", code=4)
    assert "c.json: byte 0: this is JSON" in said and "trace.dat" in said and "a Perfetto trace" in said
    assert "byte 0: the file is empty; expected a trace" in trace(*words, "empty", code=4)
    (tmp_path / "raw").write_text("# tracer: nop\n#\n11578 0 75923832039073 type: 221\n")
    assert "no line contains an event with thread, CPU and time (the kernel's options raw," in trace(*words, "raw", code=4)
    assert "is a directory" in trace(*words, ".", code=4).lower()
    (tmp_path / "my app").write_bytes(Path("/bin/true").read_bytes())
    assert "my app: byte 0: this is a program, not a trace\nhint: 'dejank trace capture -o trace.pftrace -- ./'my app''" in trace(*words, "my app", code=4)


@pytest.mark.parametrize("words,says", [(("read", "--summary"), "x"), (("triage", "--frames", "x"), "of 1 frames janky")])
def test_a_pipe_by_name_is_waited_for(trace, tmp_path, words, says):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        with open(pipe, "w", encoding="ascii") as out:
            out.write(TEXT)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    said = trace(*words, "pipe", code=0)
    assert "pipe is a pipe: waiting" in said and says in said
    writer.join(20)
    assert not writer.is_alive()


def test_ticks_are_not_called_time(trace, tmp_path):
    (tmp_path / "t.txt").write_text(TEXT.replace("1.00000", "10839513609555"))
    assert "its unit is a tick of unknown length, shown as 1 ns" in " ".join(trace("read", "--summary", "t.txt", code=0).split())
    assert "each tick was written as one nanosecond" in trace("read", "t.txt", "-o", "t.pftrace", code=0)
    assert "frames cannot be compared with a budget" in trace("triage", "t.txt", code=4)


@pytest.mark.parametrize("name", ["t.txt", "t.csv", "t.html", "t.systrace"])
def test_a_capture_is_not_called_something_else(trace, tmp_path, name):
    said = trace("capture", "-o", name, "--duration", "1s", code=2)
    assert f"--output: expected a name that ends in .pftrace or .perfetto-trace, found '{name}'" in said
    assert not os.listdir(tmp_path)
