"""Large traces need little memory. For a damaged trace, dejank prints the readable part and reports the damage, or it ends with an error."""

import gzip
import io
import json
import lzma
import os
import random
import subprocess
import zipfile

import pytest

FORMS = ("--summary", "--json", "--csv")


def zipped(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("screen.png", b"\x89PNG\0" * 100)
        archive.writestr("trace", data)
    return out.getvalue()


def read(build, form, file):
    """Runs `dejank trace read`. Returns its exit code, stdout, stderr and highest memory figures in MiB: VmHWM, and RssAnon,
    which excludes pages of files. The memory is sampled while dejank writes."""
    command = [build / "dejank", "trace", "read", form, file]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        most = {"VmHWM": 0, "RssAnon": 0}
        said = []
        while piece := process.stdout.read(1 << 16):
            said.append(piece)
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                now = dict(line.split(":", 1) for line in status)
            most = {what: max(memory, int(now.get(what, "0").split()[0]) >> 10) for what, memory in most.items()}
        return process.wait(timeout=60), b"".join(said), process.stderr.read(), most


@pytest.fixture(scope="module")
def made(build, tmp_path_factory):
    """{kind: path} of two large traces: text and trace.dat."""
    folder = tmp_path_factory.mktemp("traces")
    files = {}
    for kind, megabytes in (("text", "60"), ("dat", "30")):
        files[kind] = folder / f"large.{kind}"
        subprocess.run([build / "tests/programs/big_trace", kind, megabytes, files[kind]], check=True, stdout=subprocess.DEVNULL, timeout=120)
    return files


@pytest.mark.parametrize("kind", ["text", "dat"])
def test_memory_does_not_grow_with_the_trace(build, made, kind):
    code, said, _talk, most = read(build, "--csv", made[kind])
    assert code == 0
    # All rows at once would need 60 MiB or more.
    assert said.count(b"\n") > 200000
    assert most["RssAnon"] < 50
    order = {}
    for line in said.splitlines()[1:]:
        what, rest = line.split(b",", 1)
        start = int(rest.rsplit(b'",', 1)[1].split(b",")[0])
        assert order.get(what, 0) <= start, line
        order[what] = start


def test_interrupts_and_calls_do_not_stay_in_memory(build, tmp_path):
    file = tmp_path / "interrupts.txt"
    count = 200000
    with open(file, "w", encoding="ascii") as out:
        for i in range(count):
            at = f"{i // 250000}.{4 * i % 1000000:06d}"
            out.write(f"x-7 [00{i % 4}] {at}: irq_handler_entry: irq={i % 100} name=a\nx-7 [00{i % 4}] {at}: irq_handler_exit: irq={i % 100} ret=handled\n"
                      f"x-7 [000] {at}: binder_transaction: transaction={i} dest_proc=9 dest_thread=0 reply=0\nx-9 [001] {at}: binder_transaction_received: transaction={i}\n")
    code, said, _talk, most = read(build, "--csv", file)
    assert code == 0
    # All events at once would need 30 MiB or more.
    assert most["RssAnon"] < 28
    rows = [line.split(b",") for line in said.splitlines()[1:]]
    for kind in (b"irq", b"binder"):
        starts = [int(row[4]) for row in rows if row[0] == kind]
        assert len(starts) == count and starts == sorted(starts)
    assert all(row[4] and row[5] for row in rows)


def test_text_and_trace_dat_of_one_run_agree(build, tmp_path):
    facts = []
    for kind in ("text", "dat"):
        file = tmp_path / kind
        subprocess.run([build / "tests/programs/big_trace", kind, "1" if kind == "text" else "0.6", file], check=True, stdout=subprocess.DEVNULL, timeout=60)
        trace = json.loads(read(build, "--json", file)[1])
        assert trace["missing"]["switches"] == 0 and trace["missing"]["damaged"] == 0
        facts.append([(one["name"], one["tid"], one["start_ns"] // 1000, one["depth"]) for one in trace["slices"]])
    count = min(len(one) for one in facts)
    assert count > 500 and facts[0][:count] == facts[1][:count]


@pytest.mark.parametrize("kind", ["text", "dat"])
def test_a_damaged_trace_ends_with_an_answer(build, made, tmp_path, kind):
    with open(made[kind], "rb") as file:
        whole = file.read(120000)
    chance = random.Random(7)
    file = tmp_path / "damaged"
    for turn in range(24):
        bytes_ = bytearray(whole[:chance.randrange(len(whole))] if turn % 2 else whole)
        for _ in range(chance.choice((0, 1, 40, 4000))):
            if bytes_:
                bytes_[chance.randrange(len(bytes_))] ^= 1 << chance.randrange(8)
        file.write_bytes(bytes_)
        code, said, talk, _most = read(build, FORMS[turn % 3], file)
        assert code in (0, 2, 4), (turn, code, talk)  # 2: the damaged file looks like another kind or version
        assert code == 0 or talk.strip(), turn
        if code == 0 and FORMS[turn % 3] == "--json":
            json.loads(said)


@pytest.mark.parametrize("wrap", [gzip.compress, lzma.compress, zipped], ids=["gzip", "xz", "zip"])
@pytest.mark.parametrize("kind", ["text", "packets"])
def test_what_was_unwrapped_before_the_end_of_a_cut_file_is_read(build, tmp_path, kind, wrap):
    """A download that ended early: dejank reads the part that it has, and reports the damage and its position."""
    file = tmp_path / "trace.txt"
    file.write_text("# tracer: nop\n" + "".join(f"   app-7 ( 7) [000] ...1 {i}.000{i * 7919 % 900:03d}: tracing_mark_write: B|7|work {i * 104729 % 9973}\n"
                                               f"   app-7 ( 7) [000] ...1 {i}.000950: tracing_mark_write: E|7\n" for i in range(1000, 9000)))
    if kind == "packets":
        subprocess.run([build / "dejank", "trace", "read", file, "-o", tmp_path / "t.pftrace"], check=True, timeout=60)
        file = tmp_path / "t.pftrace"
    whole = wrap(file.read_bytes())
    for share in (0.5, 0.95, 1):
        (tmp_path / "cut").write_bytes(whole[:int(share * len(whole))])
        code, said, talk, _most = read(build, "--json", tmp_path / "cut")
        assert code == 0, talk
        trace = json.loads(said)
        assert 0.6 * share * 8000 < len(trace["slices"]) <= 8000 and (share < 1 or len(trace["slices"]) == 8000)
        assert (trace["missing"]["damaged"] > 0) == (share < 1)
        code, said, _talk, _most = read(build, "--summary", tmp_path / "cut")
        said = b" ".join(said.split())
        assert (b"archive or compression: " in said and b"truncated at byte" in said) == (share < 1)
    (tmp_path / "cut").write_bytes(wrap(b"no trace at all\n" * 10000)[:-60])
    code, said, talk, _most = read(build, "--json", tmp_path / "cut")
    assert code == 4 and said == b"" and talk.count(b"\n") == 1, talk


def test_names_of_any_bytes_keep_the_json_valid(build, tmp_path):
    file = tmp_path / "names.txt"
    every = bytes(byte for byte in range(1, 256) if byte != 10)
    file.write_bytes(b"a" + every[:9] + b"-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|" + every + b"\n"
                     b"\xff\xfe-8 (5) [000] ...1 1.000002: tracing_mark_write: C|5|\xc3\x28|3\n")
    trace = json.loads(read(build, "--json", file)[1].decode("utf-8"))
    assert len(trace["slices"]) == 1 and len(trace["counters"]) == 1 and len(trace["threads"]) == 2
    assert b"\x1b" not in read(build, "--csv", file)[1]


def test_time_that_goes_backwards(build, tmp_path):
    file = tmp_path / "back.txt"
    file.write_text("".join(f"a-{7 + i % 2} (5) [00{i % 2}] ...1 {100 - i}.000001: tracing_mark_write: {'EB'[i % 4 < 2]}|5|x\n" for i in range(90)))
    trace = json.loads(read(build, "--json", file)[1])
    starts = [one["start_ns"] for one in trace["slices"]]
    assert starts == sorted(starts) and trace["first_ns"] <= trace["last_ns"]
    assert all(one["end_ns"] is None or one["end_ns"] >= one["start_ns"] for one in trace["slices"])


def test_a_hundred_thousand_threads(build, tmp_path):
    file = tmp_path / "threads.txt"
    with open(file, "w", encoding="ascii") as out:
        for i in range(100000):
            out.write(f"t{i}-{i + 10} (5) [000] d..2 1.{i:06d}: sched_switch: prev_comm=t{i} prev_pid={i + 10} prev_prio=120 prev_state=S ==> next_comm=t{i + 1} next_pid={i + 11} next_prio=120\n")
    code, said, _talk, most = read(build, "--json", file)
    trace = json.loads(said)
    assert code == 0 and len(trace["threads"]) == 100001 and most["VmHWM"] < 128
    assert trace["threads"][500]["name"] == "t500" and len(trace["states"]) == 200000


def test_compressed_text_that_unfolds_to_much(build, tmp_path):
    packed = tmp_path / "bomb.gz"
    line = "x" * 1000
    subprocess.run(f"yes {line} | head -c 300000000 | gzip -1 > {packed}", shell=True, check=True, timeout=120)
    assert os.path.getsize(packed) < 3e6
    code, _said, talk, most = read(build, "--summary", packed)
    assert code == 4 and talk.strip() and most["VmHWM"] < 100
