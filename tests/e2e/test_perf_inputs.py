"""Call stacks that perf and simpleperf recorded, with the frames of a dump or of another trace.

A scene has frames of 8 ms. Every fourth frame draws 11 ms longer in draw_shadow. The stacks are written as text of perf script and as
simpleperf's protocol buffers. The writers share no code with dejank's readers. One test records a real program with perf."""

import gzip
import json
import os
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from displays import favoured
from sampled_trace import field, is_janky, message
from test_trace_presents import Planted
from test_triage_tie import HEAD

PID, WORKER = 4242, 4243
MS = 1_000_000
START, STEP, FRAMES = 5_000_000_000, 20 * MS, 60
PLANT = "main/frame/draw/draw_shadow/mix"


@pytest.fixture
def dejank(build):
    def run(*words, code=0):
        done = subprocess.run([build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


def frames():
    for number in range(FRAMES):
        start = START + number * STEP
        yield start, start + (19 if is_janky(number) else 8) * MS


def samples():
    """(time, stack) each ms, the outermost function first."""
    for number, (start, end) in enumerate(frames()):
        for at in range(start + 300_000 + number * 13_000 % 600_000, end, MS):
            ms = (at - start) // MS
            yield at, "main/frame/update/mix" if ms < 3 else "main/frame/draw/draw_text/mix" if ms < 6 else PLANT


def write_text(path, tid=PID, pid=None, header="", shift_ns=0, event="cpu-clock:ppp", digits=9, more=""):
    lines = [header] if header else []
    for at, stack in samples():
        ids = f"{pid}/{tid}" if pid else tid
        time = f"{(at + shift_ns) / 1e9:.{digits}f}"
        lines.append(f"scene 2 {ids}  [001]  {time}:    1000000 {event}: ")
        lines += [f"\t{0x1000 + i:16x} {name}+0x{i:x} (/usr/lib/libscene.so.2)" for i, name in enumerate(reversed(stack.split("/")))]
        lines.append("")
    path.write_text("\n".join(lines) + more + "\n")
    return path


def record(number, body):
    body = field(number, body)
    return struct.pack("<I", len(body)) + body


def write_report(path, tid=PID, version=1, switches=False):
    """Writes the format of 'simpleperf report-sample --protobuf': samples first, names at the end."""
    names, out = [], [b"SIMPLEPERF" + struct.pack("<H", version)]
    out.append(record(5, message((1, "cpu-clock"), (2, "com.example.scene"))))
    for at, stack in samples():
        calls = []
        for name in reversed(stack.split("/")):
            if name not in names:
                names.append(name)
            calls.append((3, message((1, 0x1000 + names.index(name)), (2, 0), (3, names.index(name)))))
        out.append(record(1, message((1, at), (2, tid), *calls, (4, MS), (5, 0))))
    for start, end in frames() if switches else ():
        out.append(record(6, message((1, 1), (2, start - 1000), (3, tid))))
        out.append(record(6, message((1, 0), (2, end + 1000), (3, tid))))
    out.append(record(2, message((1, len(list(samples()))), (2, 7))))
    out.append(record(3, message((1, 0), (2, "/data/app/libscene.so"), *((3, name) for name in names))))
    out.append(record(4, message((1, tid), (2, PID), (3, "scene 2"))))
    path.write_bytes(b"".join(out) + struct.pack("<I", 0))
    return path


def write_dump(path, pid=PID, rows=None):
    text = [HEAD.replace("16287", str(pid))]
    for start, end in rows or frames():
        text.append(",".join(map(str, [0, start, start, 2**63 - 1, 0] + [start] * 8 + [end, 0, 0, ""])) + "\n")
    path.write_text("".join(text) + "---PROFILEDATA---\n")
    return path


def write_timeline(path):
    planted = Planted()
    for number, (start, end) in enumerate(frames()):
        name = field(4, PID) + field(5, "TX - scene")
        token = field(2, 1 + number)
        planted.timeline(3, start, start + 16 * MS, token + field(3, 100 + number) + name)
        planted.timeline(4, start, end, token + field(3, 100 + number) + name + field(6, 1) + field(7, 1) + field(9, 1))
    return planted.write(path)


def check_shadow(answer, source="gfxinfo", module="/usr/lib/libscene.so.2"):
    assert answer["frames"]["from"] == source and answer["frames"]["janky"] == FRAMES // 4
    first = answer["causes"][0]["functions"][0]
    assert first["name"] == "draw_shadow" and first["path"] == PLANT.split("/")[:-1] and first["module"] == module
    assert first["extra_ms"] == pytest.approx(11, abs=1) and first["named"] == 1
    return answer


def test_text_of_perf_script_with_a_dump(dejank, tmp_path):
    dump, text = write_dump(tmp_path / "dump.txt"), write_text(tmp_path / "perf.txt")
    answer = check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", dump, text)))
    limits = " ".join(answer["limits"])
    assert "perf's default clock is not CLOCK_MONOTONIC. Record with 'perf record -k CLOCK_MONOTONIC'" in limits and "--clockid monotonic" in limits
    plain = " ".join(dejank("trace", "triage", "--frames", dump, text).replace("\xa0", " ").split())
    assert "`draw_shadow` > `mix` (libscene.so.2) took 11.0 ms more" in plain and "add --clockid monotonic" in plain


@pytest.mark.parametrize("stated", ["header", "option"])
def test_a_clock_that_is_stated_needs_no_note(dejank, tmp_path, stated):
    text = write_text(tmp_path / "perf.txt", header="# clockid: monotonic (1)" if stated == "header" else "")
    option = ["--clockid", "monotonic"] if stated == "option" else []
    answer = check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", write_dump(tmp_path / "dump.txt"), *option, text)))
    assert not any("clock" in limit for limit in answer["limits"])


@pytest.mark.parametrize("more", [{"pid": PID}, {"digits": 6}, {"event": "cycles:u"}, {"event": "cpu_core/cycles/P"}])
def test_variants_of_the_text(dejank, tmp_path, more):
    check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", write_dump(tmp_path / "dump.txt"),
                                   write_text(tmp_path / "perf.txt", **more))))


def test_frames_of_another_trace(dejank, tmp_path):
    text = write_text(tmp_path / "perf.txt", header="# clockid: monotonic (1)")
    timeline = write_timeline(tmp_path / "frames.pftrace")
    answer = check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", timeline, text)), source="FrameTimeline")
    assert answer["frames"]["budget_from"] == "deadlines" and "findings" not in answer or not answer.get("findings")
    packed = tmp_path / "frames.gz"
    packed.write_bytes(gzip.compress(timeline.read_bytes()))
    check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", packed, text)), source="FrameTimeline")


def test_frames_of_a_process_whose_main_thread_does_not_draw(dejank, tmp_path):
    text = write_text(tmp_path / "perf.txt", tid=WORKER, pid=PID)
    check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", write_dump(tmp_path / "dump.txt"), text)))


def test_samples_outside_of_the_frames_are_an_error(dejank, tmp_path):
    text = write_text(tmp_path / "perf.txt", shift_ns=-4_000_000_000)
    message = dejank("trace", "triage", "--frames", write_dump(tmp_path / "dump.txt"), text, code=4)
    assert "none of the 60 frames of the dump is within the trace: they are from 5.000 to 6.1" in message
    assert "the trace is from 1.000 to 2.1" in message and "hint: perf has its own clock; 'perf record -k CLOCK_MONOTONIC'" in message


def test_samples_without_frames_are_an_error(dejank, tmp_path):
    message = dejank("trace", "triage", write_text(tmp_path / "perf.txt"), code=4)
    assert "the trace has call stacks but no frames\nhint: name a file that has the frames: --frames FILE" in message


def test_samples_of_another_process_are_reported(dejank, tmp_path):
    dump = write_dump(tmp_path / "dump.txt", pid=99)
    answer = json.loads(dejank("trace", "triage", "--json", "--frames", dump, write_text(tmp_path / "perf.txt", pid=PID)))
    count = len(list(samples()))
    assert f"none of the {count} sampled call stacks is of a thread and time of these frames" in answer["limits"]


def test_a_file_without_frames_is_an_error(dejank, tmp_path):
    text = write_text(tmp_path / "perf.txt")
    other = tmp_path / "other.txt"
    other.write_text("hello\n")
    assert f"{other}: expected a dump of gfxinfo with framestats" in dejank("trace", "triage", "--frames", other, text, code=4)
    assert "the trace has call stacks but no frames" in dejank("trace", "triage", "--frames", text, text, code=4)


def triage_with_pipe(build, frames, text):
    words = 'exec "$0" trace triage --json --frames <(cat "$1") "$2"'
    return subprocess.run(["bash", "-c", words, build / "dejank", frames, text], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("write, source", [(write_dump, "gfxinfo"), (write_timeline, "FrameTimeline")])
@pytest.mark.parametrize("pack", [False, True])
def test_frames_of_a_pipe(build, tmp_path, write, source, pack):
    text = write_text(tmp_path / "perf.txt", header="# clockid: monotonic (1)")
    frames = write(tmp_path / "frames")
    if pack:
        frames.write_bytes(gzip.compress(frames.read_bytes()))
    done = triage_with_pipe(build, frames, text)
    assert done.returncode == 0, done.stderr
    check_shadow(json.loads(done.stdout), source=source)


def test_a_pipe_without_frames_is_named_in_the_error(build, tmp_path):
    text = write_text(tmp_path / "perf.txt")
    done = triage_with_pipe(build, text, text)
    assert done.returncode == 4 and re.search(r"triage: /dev/fd/\d+: the trace has call stacks but no frames", done.stderr), done.stderr


def test_text_without_times_names_the_option_that_adds_them(dejank, tmp_path):
    text = write_text(tmp_path / "perf.txt")
    text.write_text(re.sub(r"  \d+\.\d{9}:", "", text.read_text()))
    assert "text of perf script without times ('perf script -F +time' prints them)" in dejank("trace", "read", text, code=4)


def test_the_report_of_simpleperf_with_a_dump(dejank, tmp_path):
    dump, report = write_dump(tmp_path / "dump.txt"), write_report(tmp_path / "a.trace")
    answer = check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", dump, report)), module="/data/app/libscene.so")
    limits = " ".join(answer["limits"])
    assert "as simpleperf does by default, add --clockid monotonic" in limits and "7 sampled stacks were lost" in limits
    answer = json.loads(dejank("trace", "triage", "--json", "--frames", dump, "--clockid", "monotonic", report))
    assert "--clockid" not in " ".join(answer["limits"])


def test_the_report_of_simpleperf_with_switches(dejank, tmp_path):
    dump, report = write_dump(tmp_path / "dump.txt"), write_report(tmp_path / "a.trace", switches=True)
    answer = check_shadow(json.loads(dejank("trace", "triage", "--json", "--frames", dump, report)), module="/data/app/libscene.so")
    assert not any("no scheduler events" in limit for limit in answer["limits"])
    states = json.loads(dejank("trace", "read", "--json", report))["states"]
    assert sum(state["state"] == "running" for state in states) == FRAMES


def test_reading_lists_what_the_report_contains(dejank, tmp_path):
    report = write_report(tmp_path / "a.trace")
    answer = json.loads(dejank("trace", "read", "--json", report))
    assert answer["source"] == "simpleperf" and answer["call_stacks"] == len(list(samples())) and answer["missing"]["call_stacks"] == 7
    assert answer["threads"] == [{"tid": PID, "name": "scene 2", "pid": PID}]
    assert answer["processes"] == [{"pid": PID, "name": "com.example.scene"}]
    packed = tmp_path / "a.trace.gz"
    packed.write_bytes(gzip.compress(report.read_bytes()))
    assert json.loads(dejank("trace", "read", "--json", packed)) == answer


@pytest.mark.parametrize("write, name", [(write_text, "perf.txt"), (write_report, "a.trace")])
def test_converted_stacks_are_the_same(dejank, tmp_path, write, name):
    dump, source = write_dump(tmp_path / "dump.txt"), write(tmp_path / name)
    dejank("trace", "read", source, "-o", tmp_path / "b.pftrace")
    before, after = (json.loads(dejank("trace", "triage", "--json", "--frames", dump, one)) for one in (source, tmp_path / "b.pftrace"))
    for answer in (before, after):
        for one in answer["functions"]:
            one["longest"].pop("trace")
    assert before["functions"] == after["functions"]


@pytest.mark.parametrize("write, name", [(write_text, "perf.txt"), (write_report, "a.trace")])
def test_exports_of_stacks(dejank, tmp_path, write, name):
    dump, source = write_dump(tmp_path / "dump.txt"), write(tmp_path / name)
    dejank("trace", "triage", "--frames", dump, "-o", tmp_path / "a.folded", source)
    sides = {}
    for side in ("janky", "smooth"):
        lines = (tmp_path / f"a.{side}.folded").read_text().splitlines()
        sides[side] = {stack: int(us) for stack, us in (line.rsplit(" ", 1) for line in lines)}
    stack = PLANT.replace("/", ";")
    assert sides["janky"][stack] - sides["smooth"].get(stack, 0) == pytest.approx(11000, abs=1000)
    dejank("trace", "triage", "--frames", dump, "-o", tmp_path / "a.speedscope.json", source)
    check_speedscope(json.loads((tmp_path / "a.speedscope.json").read_text()))


def check_speedscope(scope):
    """Checks the requirements of speedscope's file format (file-format-schema.json) for a sampled profile."""
    assert scope["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert scope["shared"]["frames"] and all(isinstance(frame["name"], str) for frame in scope["shared"]["frames"])
    for frame in scope["shared"]["frames"]:
        assert set(frame) <= {"name", "file", "line", "col"}
    assert set(scope) <= {"$schema", "shared", "profiles", "name", "activeProfileIndex", "exporter"}
    for profile in scope["profiles"]:
        assert set(profile) == {"type", "name", "unit", "startValue", "endValue", "samples", "weights"} and profile["type"] == "sampled"
        assert profile["unit"] in ("none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes")
        assert len(profile["samples"]) == len(profile["weights"]) > 0 and all(weight >= 0 for weight in profile["weights"])
        assert all(0 <= one < len(scope["shared"]["frames"]) for stack in profile["samples"] for one in stack)


@pytest.mark.parametrize("write, name", [(write_text, "perf.txt"), (write_report, "a.trace")])
def test_damaged_files_are_read_as_far_as_possible(dejank, build, tmp_path, write, name):
    whole = write(tmp_path / name).read_bytes()
    damaged = tmp_path / "damaged"
    for step in range(30):
        at = len(whole) * (step + 1) // 32
        damaged.write_bytes(whole[:at] if step % 2 else whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
        done = subprocess.run([build / "dejank", "trace", "read", "--json", damaged], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, (step, done.stderr)
        assert json.loads(done.stdout)["call_stacks"] > len(list(samples())) * at // len(whole) // 2 - 20, step


def test_damage_has_a_place(dejank, tmp_path):
    report = write_report(tmp_path / "a.trace")
    whole = report.read_bytes()
    report.write_bytes(whole[:5000])
    text = dejank("trace", "read", report)
    assert "byte " in text and "expected a record of" in text
    report.write_bytes(whole[:10] + b"\x02\x00" + whole[12:])
    assert "byte 10: expected version 1 of simpleperf's report, found 2" in dejank("trace", "read", report, code=2)
    report.write_bytes(whole[:12] + struct.pack("<I", 0))
    assert "the report contains no samples that show CPU time (other samples: 0, lost: 0)" in dejank("trace", "read", report, code=4)
    report.write_bytes(whole[:12] + struct.pack("<I", 99))
    assert "the report contains no readable samples: byte 12: expected a record of 99 bytes" in dejank("trace", "read", report, code=4)
    text = write_text(tmp_path / "perf.txt", more="\nnonsense in between\n")
    assert f"line {text.read_text().splitlines().index('nonsense in between') + 1}" in dejank("trace", "read", text)


def need_perf(tmp_path, *words):
    if not shutil.which("perf"):
        pytest.skip("perf is not installed: tools/deps tests")
    done = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", tmp_path / "try.data", *words, "true"],
                          capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        pytest.skip(f"perf cannot record here: {done.stderr.strip().splitlines()[-1:]}")


def may_sample_the_kernel():
    return os.geteuid() == 0 or int(Path("/proc/sys/kernel/perf_event_paranoid").read_text()) <= 1


@pytest.mark.timed
@pytest.mark.parametrize("seed", [1, 4])
@pytest.mark.parametrize("form", ["text", "perf.data"])
def test_what_perf_recorded_names_the_planted_function(build, dejank, recorder, tmp_path, seed, form):
    """perf records planted_functions. Its sections, which dejank records at the same time, are the frames."""
    need_perf(tmp_path, "-k", "CLOCK_MONOTONIC", "-g")
    program = [build / "tests/programs/planted_functions", str(seed), "60", "8", "45", "50"]
    done = subprocess.run(favoured([build / "dejank", "record", "--", "perf", "record", "-q", "-e", "cpu-clock", "-F", "1000",
                                    "-k", "CLOCK_MONOTONIC", "--call-graph", "dwarf,8192", "-o", tmp_path / "perf.data", "--", *program]),
                          capture_output=True, text=True, timeout=120, check=False, env=recorder.environment)
    assert done.returncode == 0, done.stderr
    plant, extra_ms = next(line for line in done.stdout.splitlines() if len(line.split()) == 2).split()
    sections = next(path for path in (tmp_path / "segments").rglob("*.sections")
                    if any(one["name"] == "frame" for one in json.loads(dejank("trace", "read", "--json", path))["slices"]))
    source = tmp_path / ("perf.txt" if form == "text" else form)
    if form == "text":
        with open(source, "wb") as out:
            subprocess.run(["perf", "script", "--header", "-F", "+pid", "-i", tmp_path / "perf.data"], stdout=out,
                           stderr=subprocess.DEVNULL, timeout=120, check=True)
    answer = json.loads(dejank("trace", "triage", "--json", "--budget", "40ms", "--frames", sections, source))
    assert answer["frames"]["total"] >= 58 and not any("CLOCK_MONOTONIC" in limit for limit in answer["limits"])
    work = next(cause for cause in answer["causes"] if cause["kind"] == "own-work")
    if work["function_frames"]["too_few"]:
        pytest.skip("the machine is so busy that hardly any frame was in time")
    first = work["functions"][0]
    assert first["name"] == plant and first["module"].endswith("/planted_functions")
    assert first["path"][-2:] == ["draw_frame", plant]
    # Under load, frames without the plant are late too, and the mean of all late frames is less than the plant.
    if work["function_frames"]["janky"] == sum(number % 5 == 3 for number in range(60)):
        # A fifth of the samples is in the kernel, below clock_gettime().
        least = 0.85 if may_sample_the_kernel() else 0.5
        assert least <= first["extra_ms"] / float(extra_ms) <= 1.15
