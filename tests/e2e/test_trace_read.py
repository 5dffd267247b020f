"""Traces of the kernel: ftrace text, systrace pages, ring buffer pages, and trace.dat."""

import gzip
import json
import os
import re
import shutil
import subprocess
import zipfile
import zlib

import pytest


@pytest.fixture
def read(build):
    def run(file, form="--json", code=0, **options):
        done = subprocess.run([build / "dejank", "trace", "read", form, file], capture_output=True, timeout=120, check=False, **options)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout) if form == "--json" and code == 0 else (done.stdout + done.stderr).decode()

    run.program = build / "dejank"
    return run


@pytest.fixture
def corpus():
    place = os.environ.get("DEJANK_CORPUS")
    if not place:
        pytest.skip("DEJANK_CORPUS is not set")
    return place


def per_thread(trace):
    """The states of each thread, in order."""
    threads = {}
    for state in trace["states"]:
        threads.setdefault(state["tid"], []).append(state)
    return threads


def test_the_known_loop_is_read_to_the_microsecond(read, corpus):
    trace = read(f"{corpus}/ftrace/frameloop_ftrace.txt")
    frames = [one for one in trace["slices"] if one["name"].startswith("frame ")]
    layouts = {one["start_ns"]: one for one in trace["slices"] if one["name"] == "layout"}
    assert [one["name"] for one in frames] == [f"frame {i}" for i in range(120)]
    slow = []
    for index, frame in enumerate(frames):
        inside = [one for start, one in layouts.items() if frame["start_ns"] <= start < frame["end_ns"]]
        assert len(inside) == 1
        if inside[0]["end_ns"] - inside[0]["start_ns"] > 20e6:
            slow.append(index)
    assert slow == [i for i in range(120) if i % 7 == 6]
    assert trace["missing"] == {"overwritten": False, "whole_from_ns": 0, "dropped": 0, "damaged": 0, "beginnings": 0, "events": 0, "switches": trace["missing"]["switches"], "backwards": 0}
    names = {thread["tid"]: thread["name"] for thread in trace["threads"]}
    for tid, states in per_thread(trace).items():
        for before, after in zip(states, states[1:]):
            assert before["end_ns"] == after["start_ns"], (names[tid], before, after)
            assert before["state"] != "preempted" or after["state"] in ("running", "unknown"), (names[tid], before, after)
            assert before["state"] != "running" or after["state"] != "running", (names[tid], before, after)
    # The kernel did not record some switches, as later events show.
    assert 0 < trace["missing"]["switches"] < 0.02 * len(trace["states"])


def test_the_known_loop_of_trace_cmd_has_nanoseconds(read, corpus):
    trace = read(f"{corpus}/ftrace/frameloop_t7z_report.txt.gz")
    frames = [one for one in trace["slices"] if one["name"].startswith("frame ")]
    assert [one["name"] for one in frames] == [f"frame {i}" for i in range(60)]
    assert any(one["start_ns"] % 1000 for one in frames)
    assert any(state.get("waker", 0) > 0 for state in trace["states"])


def facts(trace, unit_ns=1):
    """The data that captures of the same run must agree on, with times rounded as in text."""
    def stamp(ns):
        return None if ns is None else (ns + unit_ns // 2) // unit_ns

    return (
        [(one["name"], one["tid"], stamp(one["start_ns"]), stamp(one["end_ns"]), one["depth"]) for one in trace["slices"]],
        [(one["name"], one["cookie"], stamp(one["start_ns"]), stamp(one["end_ns"])) for one in trace["async"]],
        [(one["name"], stamp(one["at_ns"]), one["value"]) for one in trace["counters"]],
        sorted((one["tid"], stamp(one["start_ns"]), one["state"], stamp(one["end_ns"]) or 0, one["cpu"], one.get("waker"), one.get("interrupt")) for one in trace["states"] if "cpu" in one))


def test_ring_pages_agree_with_the_text_of_the_same_run(read, corpus):
    pages = read(f"{corpus}/ftrace/frameloop_cpu1.raw")
    text = read(f"{corpus}/ftrace/frameloop_ftrace.txt")
    assert pages["source"] == "ring pages" and any(one["start_ns"] % 1000 for one in pages["slices"])
    for ours, theirs in zip(facts(pages, 1000), facts(text, 1000)):
        assert ours == theirs
    assert len(pages["states"]) == len(text["states"]) and pages["missing"] == text["missing"]


def test_trace_dat_agrees_with_its_report_to_the_nanosecond(read, corpus):
    file = read(f"{corpus}/ftrace/frameloop_v7_zstd.dat")
    report = read(f"{corpus}/ftrace/frameloop_t7z_report.txt.gz")
    assert file["source"] == "trace.dat"
    # The report does not contain interrupt flags.
    for ours, theirs in zip(facts(file)[:3], facts(report)[:3]):
        assert ours == theirs
    assert [one[:6] for one in facts(file)[3]] == [one[:6] for one in facts(report)[3]]


@pytest.mark.parametrize("layout", [["-l"], ["--ts-diff"], ["-l", "--ts-diff"]])
def test_layouts_of_trace_cmd_agree_with_its_file(read, corpus, tmp_path, layout):
    if shutil.which("trace-cmd") is None:
        pytest.skip("trace-cmd is not installed")
    file = f"{corpus}/ftrace/frameloop_v7_zstd.dat"
    report = tmp_path / "report.txt"
    with open(report, "wb") as output:
        subprocess.run(["trace-cmd", "report", *layout, file], stdout=output, stderr=subprocess.DEVNULL, timeout=60, check=True)
    told, known = read(report), read(file)
    assert told["missing"] == known["missing"]
    for part in ["slices", "async", "counters", "states", "interrupts", "disk"]:
        for one in told[part] + known[part]:
            if "-l" not in layout:  # only -l prints interrupt flags
                one.pop("interrupt", None)
        assert told[part] == known[part], part


def test_trace_dat_of_version_6(read, corpus):
    said = read(f"{corpus}/ftrace/raw_trace.dat", form="--summary")
    assert said.startswith("trace.dat: 757 events, ")


@pytest.mark.parametrize("name", ["frameloop_v7_zstd.dat", "raw_trace.dat"])
def test_a_trace_dat_that_is_cut_says_so(read, corpus, tmp_path, name):
    with open(f"{corpus}/ftrace/{name}", "rb") as file:
        whole = file.read()
    for part in (0, 5, 11, 30, 500, len(whole) // 2, len(whole) - 5000):
        file = tmp_path / "cut.dat"
        file.write_bytes(whole[:part])
        done = subprocess.run([read.program, "trace", "read", "--summary", file], capture_output=True, timeout=60, check=False)
        assert done.returncode == 4 or b"could not be read" in done.stdout, (part, done)
        assert done.returncode == 0 or b"cut.dat" in done.stderr, (part, done)


def test_ring_pages_without_their_descriptions_are_refused(read, corpus, tmp_path):
    with open(f"{corpus}/ftrace/frameloop_cpu0.raw", "rb") as file:
        (tmp_path / "a_cpu0.raw").write_bytes(file.read(8192))
    assert "expected header_page and the formats of the events in a folder named formats" in read(tmp_path / "a_cpu0.raw", form="--csv", code=4)


def test_a_page_of_another_age_is_read_beside_linked_descriptions(read, corpus, tmp_path):
    """Its time stamps and those of the next page differ by more than 64 bits can hold."""
    with open(f"{corpus}/ftrace/frameloop_cpu0.raw", "rb") as file:
        (tmp_path / "a_cpu0.raw").write_bytes((2**63 + 1).to_bytes(8, "little") + file.read(8192)[8:])
    (tmp_path / "formats").symlink_to(f"{corpus}/ftrace/formats")
    assert read(tmp_path / "a_cpu0.raw", form="--summary").splitlines()[0].endswith(" in 9223372036854.775 ms")
    assert read(tmp_path / "a_cpu0.raw")["first_ns"] < 0


@pytest.mark.parametrize("name, events", [
    ("ftrace/raw_trace.txt", 3), ("ftrace/trace_sched.txt", 11), ("ftrace/trace_systrace.html", 10), ("systrace/001-catapult-atrace_data.txt", 116),
    ("systrace/004-catapult-atrace_missing_tgids.txt", 116), ("systrace/005-catapult-decompressed_atrace_data.txt", 1042), ("systrace/009-catapult-trivial_systrace.html", 4),
    ("systrace/010-flashlight-sample-atrace-output.txt", 1263), ("systrace/counter_tracks.html", 1611), ("systrace/011-gracker-flutter-wanandroid.zip", 141632),
    ("systrace/013-gracker-trace_input_blog_launcher_scroll.zip", 99975)])
def test_every_event_of_the_corpus_is_read(read, corpus, name, events):
    said = read(f"{corpus}/{name}", form="--summary")
    assert said.startswith(f"ftrace: {events} events, "), said[:200]
    assert "could not be read" not in said


def test_what_is_lost_is_said(read, tmp_path):
    file = tmp_path / "trace.txt"
    file.write_text("# tracer: nop\n# entries-in-buffer/entries-written: 2/7   #P:1\n##### CPU 1 buffer started ####\n"
                    "a-7 (5) [000] ...1 1.000001: tracing_mark_write: E|5\nnonsense\na-7 (5) [000] ...1 1.000004: tracing_mark_write: B|5|open\n")
    trace = read(file)
    assert trace["missing"] == {"overwritten": True, "whole_from_ns": 0, "dropped": 0, "damaged": 1, "beginnings": 1, "events": 6, "switches": 0, "backwards": 0}
    assert trace["slices"][0]["end_ns"] is None
    said = read(file, form="--summary")
    assert "• At least 6 events, or parts of a CPU's time, are missing." in said and "• 1 part could not be read, the first in line 5\n" in said


def test_text_that_atrace_compressed(read, tmp_path):
    lines = b"".join(b"a-7 (5) [000] ...1 1.%06d: tracing_mark_write: C|5|queue|%d\n" % (i, i) for i in range(20000))
    packed = zlib.compress(lines)
    file = tmp_path / "trace"
    for before in (b"TRACE:\n", b"capturing trace... done\r\nTRACE:\r\n\n"):
        for behind in (b"", b"junk\n" * 3000):
            file.write_bytes(before + packed + behind)
            assert len(read(file)["counters"]) == 20000
            assert read(file)["missing"]["damaged"] == 0
    file.write_bytes(b"TRACE:\n" + packed[:-2000])
    cut = read(file)
    assert 0 < len(cut["counters"]) < 20000 and cut["missing"]["damaged"] >= 1
    file.write_bytes(b"TRACE:\n" + packed[:2000] + bytes(3000))
    assert read(file)["missing"]["damaged"] >= 1
    file.write_bytes(b"TRACE:\n" + lines)
    assert len(read(file)["counters"]) == 20000


def test_what_is_no_trace_is_refused(read, tmp_path):
    for content in (b"", b"hello\nworld\n", b"<html><body>no trace</body></html>", os.urandom(5000)):
        file = tmp_path / "file"
        file.write_bytes(content)
        assert "expected a trace: ftrace text, systrace HTML" in read(file, form="--csv", code=4)
    assert "but the first 256 MiB contain no event" in read("/dev/zero", form="--csv", code=4)
    file.write_bytes(b"\x0a\x07\x92\x03\x04junk")
    assert "the trace contains no readable events: 1 damaged parts" in read(file, form="--csv", code=4)
    assert "No such file" in read(tmp_path / "absent", form="--csv", code=4)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"a-7 (5) [000] ...1 1.0: tracing_mark_write: E|5\n" * 1000)[:60])
    assert "cut.gz" in read(cut, form="--csv", code=4)


def test_hostile_names_stay_in_their_cell(read, tmp_path):
    file = tmp_path / "trace.txt"
    file.write_bytes(b'a\x1b[31m"-7 (5) [000] ...1 1.0: tracing_mark_write: B|5|x\x1b]0;"\xff\n')
    assert "\x1b" not in read(file, form="--csv") and "\x1b" not in read(file, form="--summary")
    assert read(file)["slices"][0]["name"].startswith("x")


def test_standard_input_is_read(read):
    trace = read("-", input=b"a-7 (5) [000] ...1 1.0: tracing_mark_write: C|5|queue|3\n")
    assert trace["counters"] == [{"name": "queue", "tid": 7, "at_ns": 1000000000, "value": 3}]


BESIDE = """\
          <idle>-0     (-----) [001] d..1 10.000100: cpu_idle: state=2 cpu_id=1
        app.main-11    (   10) [000] ...1 10.000200: cpu_frequency: state=1000000 cpu_id=0
        app.main-11    (   10) [000] ...1 10.000210: cpu_frequency_limits: min=300000 max=1800000 cpu_id=0
        app.main-11    (   10) [000] ...1 10.000220: gpu_frequency: gpu_id=0 state=585000
        app.main-11    (   10) [000] ...1 10.000230: thermal_temperature: thermal_zone=skin id=3 temp_prev=41000 temp=42500
        app.main-11    (   10) [000] ...1 10.000240: cdev_update: type=cpufreq-0 target=1
        app.main-11    (   10) [000] d.h1 10.000300: irq_handler_entry: irq=41 name=eth0-rx
        app.main-11    (   10) [000] d.h1 10.000310: irq_handler_exit: irq=41 ret=handled
        app.main-11    (   10) [000] ..s1 10.000320: softirq_entry: vec=3 [action=NET_RX]
        app.main-11    (   10) [000] ..s1 10.000360: softirq_exit: vec=3 [action=NET_RX]
        app.main-11    (   10) [000] ...1 10.000400: binder_transaction: transaction=900 dest_node=1 dest_proc=20 dest_thread=0 reply=0 flags=0x10 code=0x3
          server-22    (-----) [001] ...1 10.000500: binder_transaction_received: transaction=900
          server-22    (-----) [001] ...1 10.002400: binder_transaction: transaction=901 dest_node=0 dest_proc=10 dest_thread=11 reply=1 flags=0x0 code=0x0
        app.main-11    (   10) [000] ...1 10.002450: binder_transaction_received: transaction=901
        app.main-11    (   10) [000] ...1 10.002500: mm_vmscan_direct_reclaim_begin: order=0 may_writepage=1 gfp_flags=GFP_KERNEL
        app.main-11    (   10) [000] ...1 10.002700: mm_vmscan_direct_reclaim_end: nr_reclaimed=32
        app.main-11    (   10) [000] ...1 10.003000: block_rq_issue: 8,16 R 4096 () 1000 + 8 [app.main]
        app.main-11    (   10) [000] ...1 10.004000: block_rq_complete: 8,16 R () 1000 + 8 [0]
        app.main-11    (   10) [000] ...1 10.004200: cpu_frequency: state=2000000 cpu_id=0
          <idle>-0     (-----) [001] d..1 10.006100: cpu_idle: state=4294967295 cpu_id=1
          <idle>-0     (-----) [001] d..1 10.008200: cpu_idle: state=1 cpu_id=1
"""


@pytest.mark.parametrize("ordered", [True, False])
def test_sums_are_the_same_whether_sections_are_summed_up_as_they_come_or_sorted(read, tmp_path, ordered):
    """A file is summarized in one pass, and in a second one if its sections are out of order. A pipe's sections are all sorted."""
    marks = [(100, "B|9|outer"), (200, "B|9|inner"), (250, "S|9|job|1"), (300, "E|9"), (400, "E|9"), (500, "F|9|job|1"), (600, "B|9|open"), (610, "F|9|job|2")]
    if not ordered:
        marks = marks[4:] + marks[:4]
    text = "".join(f"a-9 ( 9) [000] ...1 5.{at:06}: tracing_mark_write: {words}\n" for at, words in marks)
    file = tmp_path / "trace.txt"
    file.write_text(text, encoding="ascii")
    of_pipe = read("-", "--summary", input=text.encode())
    assert read(file, "--summary").partition("\n\nnext:")[0] + "\n" == of_pipe
    assert re.search(r"^ +1 +0 +0\.300 +0\.200 .* outer$", of_pipe, re.MULTILINE), of_pipe
    assert re.search(r"^ +1 +0 +0\.250 .* job \(async\)$", of_pipe, re.MULTILINE), of_pipe
    assert re.search(r"^ +1 +1 +0\.000 .* open$", of_pipe, re.MULTILINE), of_pipe
    assert "• 1 end of a section has no beginning.\n" in of_pipe


def test_processors_interruptions_and_requests_are_told(read, tmp_path):
    file = tmp_path / "trace.txt"
    file.write_text(BESIDE)
    trace = read(file)

    def at(us):
        return 10_000_000_000 + us * 1000

    assert {key: trace[key] for key in list(trace)[list(trace).index("frequencies"):]} == {
        "frequencies": [{"cpu": 0, "at_ns": at(200), "khz": 1000000}, {"cpu": 0, "at_ns": at(4200), "khz": 2000000}],
        "frequency_limits": [{"cpu": 0, "at_ns": at(210), "min_khz": 300000, "max_khz": 1800000}],
        "gpu_frequencies": [{"gpu": 0, "at_ns": at(220), "khz": 585000}],
        "thermal": [{"zone": "skin", "at_ns": at(230), "millidegrees": 42500}],
        "cooling": [{"device": "cpufreq-0", "at_ns": at(240), "step": 1}],
        "idle": [{"cpu": 1, "state": 2, "start_ns": at(100), "end_ns": at(6100)}, {"cpu": 1, "state": 1, "start_ns": at(8200), "end_ns": None}],
        "interrupts": [{"kind": "irq", "number": 41, "name": "eth0-rx", "cpu": 0, "tid": 11, "start_ns": at(300), "end_ns": at(310)},
                       {"kind": "softirq", "number": 3, "name": "NET_RX", "cpu": 0, "tid": 11, "start_ns": at(320), "end_ns": at(360)}],
        "reclaim": [{"tid": 11, "start_ns": at(2500), "end_ns": at(2700)}],
        "disk": [{"device": "8:16", "sector": 1000, "tid": 11, "issued_ns": at(3000), "completed_ns": at(4000), "issues": 1}],
        "binder": [{"transaction": 900, "from_tid": 11, "to_tid": 22, "to_pid": 20, "sent_ns": at(400), "received_ns": at(500), "reply": False, "one_way": False},
                   {"transaction": 901, "from_tid": 22, "to_tid": 11, "to_pid": 10, "sent_ns": at(2400), "received_ns": at(2450), "reply": True, "one_way": False,
                    "request": 900, "asked_ns": at(400)}],
        "fences": [], "fence_waits": []}
    assert {"tid": 22, "name": "server", "pid": 20} in trace["threads"]
    rows = [line for line in read(file, form="--csv").splitlines() if not line.startswith("state,")]
    assert rows == [
        "kind,name,tid,thread,start_ns,end_ns,depth,cookie,value",
        'frequency,"",,"",10000200000,,,0,1000000', 'frequency,"",,"",10004200000,,,0,2000000',
        'frequency-min,"",,"",10000210000,,,0,300000', 'frequency-max,"",,"",10000210000,,,0,1800000',
        'gpu-frequency,"",,"",10000220000,,,0,585000', 'thermal,"skin",,"",10000230000,,,,42500', 'cooling,"cpufreq-0",,"",10000240000,,,,1',
        'idle,"",,"",10000100000,10006100000,,1,2', 'idle,"",,"",10008200000,,,1,1',
        'irq,"eth0-rx",11,"app.main",10000300000,10000310000,,41,0', 'softirq,"NET_RX",11,"app.main",10000320000,10000360000,,3,0',
        'reclaim,"",11,"app.main",10002500000,10002700000,,,', 'disk,"8:16",11,"app.main",10003000000,10004000000,,1000,',
        'binder,"",11,"app.main",10000400000,10000500000,,900,22', 'binder-reply,"",22,"server",10002400000,10002450000,,901,11']
    said = [" ".join(line.split()) for line in read(file, form="--summary").splitlines()]
    for line in ("0 8.000 1500.0 1000.0: 50.0 %, 2000.0: 50.0 %", "1 8.100 74.1 2: 74.1 %, 1: 0.0 %",
                 "1 300000 300000 300000 CPU 0, lowest frequency allowed, kHz", "1 1800000 1800000 1800000 CPU 0, highest frequency allowed, kHz",
                 "1 585000 585000 585000 GPU 0, kHz", "1 42500 42500 42500 temperature of skin, m°C", "1 1 1 1 cooling by cpufreq-0, step",
                 "1 0 0.010 0.010 0.010 irq 41 eth0-rx", "1 0 0.040 0.040 0.040 softirq 3 NET_RX", "1 0 0.200 0.200 0.200 direct reclaim of memory",
                 "1 0 1.000 1.000 1.000 disk 8:16", "1 0 0.100 0.100 1 2.050 2.050 process-10 -> process-20"):
        assert line in said, (line, said)


def naive_pairs(lines, begins, ends, key):
    """(key, start, end) in µs for each begin and end event with equal keys, from lines in order of time."""
    open_, pairs = {}, []
    for words, at_us in lines:
        if words[0] == begins:
            open_[key(words, at_us)] = at_us
        elif words[0] == ends and key(words, at_us) in open_:
            pairs.append((key(words, at_us), open_.pop(key(words, at_us)), at_us))
    return sorted(pairs)


def test_a_phone_s_trace_agrees_with_a_naive_reader(read, corpus):
    name = f"{corpus}/systrace/013-gracker-trace_input_blog_launcher_scroll.zip"
    trace = read(name)
    with zipfile.ZipFile(name) as archive:
        text = archive.read(archive.namelist()[0]).decode("utf-8", "replace")
    form = re.compile(r"^ *.{1,16}-\d+ +.*?\[(\d+)\] \S+ +(\d+)\.(\d{6}): (\w+): (.*)$")
    lines = []
    for line in text.splitlines():
        found = form.match(line)
        if found:
            fields = dict(re.findall(r"(\w+)=(\S+)", found[5]))
            lines.append(((found[4], int(found[1]), fields), int(found[2]) * 1000000 + int(found[3])))

    def ours(key, what):
        return sorted((what(one), one[key[0]] // 1000, one[key[1]] // 1000) for one in trace[key[2]] if None not in (one[key[0]], one[key[1]]))

    for kind, number in (("irq", "irq"), ("softirq", "vec")):
        words = ("irq_handler_entry", "irq_handler_exit") if kind == "irq" else ("softirq_entry", "softirq_exit")
        theirs = naive_pairs(lines, *words, lambda words, _at, number=number: (words[1], int(words[2][number])))
        assert len(theirs) > 1000
        assert theirs == [one for one in ours(("start_ns", "end_ns", "interrupts"), lambda one, kind=kind: (one["cpu"], one["number"]) if one["kind"] == kind else (-1, 0)) if one[0][0] >= 0]
    theirs = naive_pairs(lines, "binder_transaction", "binder_transaction_received", lambda words, _at: int(words[2]["transaction"]))
    assert len(theirs) == 458 and theirs == ours(("sent_ns", "received_ns", "binder"), lambda one: one["transaction"])
    theirs = sorted((int(words[2]["cpu_id"]), at_us, int(words[2]["state"])) for words, at_us in lines if words[0] == "cpu_frequency")
    assert len(theirs) == 268 and theirs == sorted((one["cpu"], one["at_ns"] // 1000, one["khz"]) for one in trace["frequencies"])
    asleep, theirs = {}, []
    for words, at_us in lines:
        if words[0] == "cpu_idle":
            cpu, state = int(words[2]["cpu_id"]), int(words[2]["state"])
            if cpu in asleep:
                theirs.append((cpu, *asleep.pop(cpu), at_us))
            if state != 4294967295:
                asleep[cpu] = (state, at_us)
    assert len(theirs) > 5000 and sorted(theirs) == sorted((one["cpu"], one["state"], one["start_ns"] // 1000, one["end_ns"] // 1000) for one in trace["idle"] if None not in (one["start_ns"], one["end_ns"]))
    requests = {one["transaction"]: one for one in trace["binder"] if not one["reply"]}
    replies = [one for one in trace["binder"] if one["reply"]]
    answers = [one for one in replies if "request" in one]
    assert len(answers) > 0.95 * len(replies) > 100
    for reply in answers:
        request = requests[reply["request"]]
        assert (request["from_tid"], request["to_tid"]) == (reply["to_tid"], reply["from_tid"])
        assert request["sent_ns"] == reply["asked_ns"] < request["received_ns"] <= reply["sent_ns"] <= reply["received_ns"]


def test_interrupts_are_the_same_from_text_and_ring_pages(read, corpus):
    text, pages = read(f"{corpus}/ftrace/frameloop_ftrace.txt"), read(f"{corpus}/ftrace/frameloop_cpu1.raw")
    for key, start, end in (("interrupts", "start_ns", "end_ns"), ("disk", "issued_ns", "completed_ns")):
        def rounded(trace, unit, key=key, start=start, end=end):
            return [{**one, start: one[start] and (one[start] + unit // 2) // unit, end: one[end] and (one[end] + unit // 2) // unit} for one in trace[key]]

        assert len(text[key]) > 30
        order = ("number", "sector", "cpu", start)
        assert sorted(rounded(text, 1000), key=lambda one: [one.get(by) or 0 for by in order]) == sorted(rounded(pages, 1000), key=lambda one: [one.get(by) or 0 for by in order])


def test_switches_of_tasks_with_full_process_names(read, tmp_path):
    """systrace.py writes a process's full name where the kernel has at most 15 bytes."""
    name, comm = "com.example.app.with.a.long.name:remote (1)", "name:remote (1)"
    (tmp_path / "a.txt").write_text("# tracer: nop\n" + "".join(
        f" {column}-{tid} ({tgid:>5}) [001] d..3 10.0001{at}: sched_switch: prev_comm={before} prev_pid={tid} prev_prio=120 prev_state={state} ==> next_comm={after} next_pid={other} next_prio=120\n"
        for at, column, tid, tgid, before, state, after, other in [
            (10, "<idle>", 0, "-----", "swapper/1", "R", comm, 100), (20, name, 100, 100, comm, "S", "swapper/1", 0), (30, "<idle>", 0, "-----", "swapper/1", "R", comm, 100)]))
    trace = read(tmp_path / "a.txt")
    assert trace["missing"]["damaged"] == 0 and trace["missing"]["switches"] == 0
    assert [state["state"] for state in trace["states"]] == ["running", "sleeping", "running"]
    assert trace["threads"] == [{"tid": 100, "name": comm, "pid": 100}]


NESTED = "".join(f"a-9 ( 9) [000] ...1 5.{100 + at:06}: tracing_mark_write: {words}\n" for at, words in enumerate(
    [f"B|9|a section with a long name in depth {depth}" for depth in range(12)] + ["C|9|frames in the queue|10"] + ["E|9"] * 11))


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("form", ["--summary", None])
def test_tables_fit_the_terminal_and_lose_nothing(read, tmp_path, columns, form):
    file = tmp_path / "t.txt"
    file.write_text(BESIDE + NESTED.replace(" 5.", " 10.1"))
    forms = [form] if form else []

    def say(**variables):
        env = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"LC_ALL": "C.UTF-8"} | variables
        return subprocess.run([read.program, "trace", "read", *forms, "t.txt"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=True).stdout

    fitted = say(COLUMNS=str(columns)).partition("\n\nnext:")[0]
    assert max(map(len, fitted.splitlines())) <= columns
    # The fitted table contains every word of the wide rows. With 20 columns, a word may be split.
    wide = say().partition("\n\nnext:")[0].partition("\n\n")[2]
    rows = [line for line in wide.splitlines() if re.match(r" +\d", line)]
    assert len(rows) > 12
    whole = "".join(fitted.split())
    for word in {word for row in rows for word in row.split()}:
        assert word in whole, (word, fitted)
