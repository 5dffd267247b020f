"""dejank trace triage: the functions that it names in traces with a known planted function."""

import json
import os
import re
import subprocess

import pytest
from sampled_trace import Trace, is_janky, write_scene

JANKY = 15


@pytest.fixture
def dejank(build):
    def run(*words, code=0):
        done = subprocess.run([build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture
def triage(dejank):
    return lambda *words, **more: dejank("trace", "triage", *words, **more)


def find_work(answer):
    return next(cause for cause in answer["causes"] if cause["kind"] == "own-work" and cause["name"] == "draw")


def test_the_planted_function_is_named_below_its_section(triage, tmp_path):
    answer = json.loads(triage("--json", write_scene(tmp_path / "a.pftrace")))
    assert answer["frames"]["janky"] == sum(is_janky(number) for number in range(60)) == JANKY
    functions = find_work(answer)["functions"]
    assert [one["name"] for one in functions] == ["draw_shadow"]
    shadow = functions[0]
    assert shadow["extra_ms"] == pytest.approx(11, abs=1) and shadow["ci_ms"][0] <= shadow["extra_ms"] <= shadow["ci_ms"][1]
    assert shadow["path"] == ["main", "frame", "draw", "draw_shadow"]
    assert shadow["chain"] == ["draw_shadow", "mix"]
    assert shadow["frames"] == JANKY and shadow["named"] == 1 and shadow["guessed"] == 0
    assert shadow["samples"] == pytest.approx(13 * JANKY, abs=JANKY)
    assert shadow["module"] is None and shadow["offset"] is None and shadow["longest"]["ms"] == pytest.approx(13, abs=1)
    assert answer["functions"][0]["name"] == "draw_shadow"
    assert find_work(answer)["function_frames"]["smooth"] == 60 - JANKY


def test_a_function_without_a_symbol_is_its_address(triage, tmp_path):
    answer = json.loads(triage("--json", write_scene(tmp_path / "a.pftrace", plant="main/frame/draw/0x1a2b/mix")))
    first = find_work(answer)["functions"][0]
    assert first["name"] == "libscene.so.2!0x1a2b" and first["offset"] == 0x1A2B
    assert first["module"] == "/usr/lib/libscene.so.2" and first["build_id"] == "c0ffee01"


def test_the_text_names_the_function(triage, tmp_path):
    text = triage(write_scene(tmp_path / "a.pftrace"))
    plain = " ".join(text.replace("\xa0", " ").split())
    assert "Per janky frame, `draw_shadow` > `mix` took 1" in plain and "than in smooth frames." in plain
    assert "Functions that took the extra time" in text and "95 % CI" in text


def test_all_details_show_the_call_tree_and_the_stacks_of_frames(triage, tmp_path):
    text = triage("--all", write_scene(tmp_path / "a.pftrace")).replace("\xa0", " ")
    tree = text[text.index("Functions in janky frames"):]
    lines = tree.splitlines()
    assert lines[1:6] == ["X 19.0 ms main (+11.0 ms)", "X  19.0 ms frame (+11.0 ms)", "X   16.0 ms draw (+11.0 ms)",
                          "X    13.0 ms draw_shadow (+11.0 ms)", "X     13.0 ms mix (+11.0 ms)"]
    assert "o   3.0 ms update" in lines and "o    2.0 ms draw_text" in lines
    frame = tree[tree.index("call stacks of the worst frames"):]
    assert frame.count("X functions with extra time") == 5
    assert re.search(r"o   3\.0 ms update\n.*\no   15\.\d ms draw\n.*\n.*\nX    2\.0 ms draw_shadow\n", frame)


@pytest.mark.parametrize("suffix", ["html", "md", "svg", "png"])
def test_documents_draw_the_functions(triage, tmp_path, suffix):
    triage(write_scene(tmp_path / "a.pftrace"), "-o", tmp_path / f"b.{suffix}")
    written = (tmp_path / f"b.{suffix}").read_bytes()
    assert suffix in ("svg", "png") or b"draw_shadow" in written  # A picture contains the shapes of its letters.
    if suffix == "html":
        assert b'"rows":5' in written.replace(b" ", b"") and "draw_shadow (+11.0\xa0ms)".encode() in written


def test_other_tools_get_the_stacks(triage, tmp_path):
    trace = write_scene(tmp_path / "a.pftrace")
    triage("-o", tmp_path / "a.folded", trace)
    sides = {}
    for side in ("janky", "smooth"):
        lines = (tmp_path / f"a.{side}.folded").read_text().splitlines()
        sides[side] = {stack: int(us) for stack, us in (line.rsplit(" ", 1) for line in lines)}
    stack = "main;frame;draw;draw_shadow;mix"
    extra_us = sides["janky"][stack] - sides["smooth"].get(stack, 0)
    assert extra_us == pytest.approx(11000, abs=1500)
    triage("-o", tmp_path / "a.speedscope.json", trace)
    scope = json.loads((tmp_path / "a.speedscope.json").read_text())
    for profile in scope["profiles"]:
        names = [";".join(scope["shared"]["frames"][one]["name"] for one in stack) for stack in profile["samples"]]
        us = dict(zip(names, (weight / 1000 for weight in profile["weights"])))
        assert us == pytest.approx(sides[profile["name"].split()[1]], abs=1)
        assert sum(profile["weights"]) == profile["endValue"]


def test_names_of_functions_are_escaped(triage, tmp_path):
    name = "evil<script>\x1b[31m"
    path = write_scene(tmp_path / "a.pftrace", plant=f"main/frame/draw/{name}/mix")
    triage(path, "-o", tmp_path / "b.html")
    assert "<script>\x1b" not in (tmp_path / "b.html").read_text() and "evil<script>" not in (tmp_path / "b.html").read_text()
    assert "\x1b" not in triage("--all", path)
    assert find_work(json.loads(triage("--json", path)))["functions"][0]["name"] == name


def test_too_few_frames_name_nothing(triage, tmp_path):
    answer = json.loads(triage("--json", write_scene(tmp_path / "a.pftrace", frames=16)))
    work = find_work(answer)
    assert work["functions"] == [] and work["function_frames"]["too_few"] and work["function_frames"]["janky"] == 4
    assert "4 janky and 12 smooth frames are too few" in work["sentence"].replace("\xa0", " ")


def test_a_trace_without_stacks_has_no_functions(triage, tmp_path):
    trace = Trace()
    for number in range(20):
        trace.begin(10**9 + number * 20_000_000, f"frame {number}")
        trace.end(10**9 + number * 20_000_000 + (18_000_000 if number % 4 == 1 else 5_000_000))
    (tmp_path / "a.pftrace").write_bytes(trace.bytes())
    answer = json.loads(triage("--json", tmp_path / "a.pftrace"))
    assert answer["frames"]["janky"] == 5 and "functions" not in answer and "functions" not in answer["causes"][0]


def test_lost_stacks_are_mentioned(triage, tmp_path):
    answer = json.loads(triage("--json", write_scene(tmp_path / "a.pftrace", lost=7)))
    assert any("7 sampled stacks were lost" in limit for limit in answer["limits"])


def test_smooth_frames_of_another_trace(triage, tmp_path):
    base = write_scene(tmp_path / "base.pftrace", extra_ms=0)
    answer = json.loads(triage("--json", write_scene(tmp_path / "a.pftrace"), "--against", base))
    work = find_work(answer)
    assert work["functions"][0]["name"] == "draw_shadow" and work["function_frames"]["smooth"] == 60


def test_a_converted_trace_keeps_its_stacks(dejank, triage, tmp_path):
    dejank("trace", "read", write_scene(tmp_path / "a.pftrace"), "-o", tmp_path / "b.pftrace")
    before, after = (json.loads(triage("--json", tmp_path / name)) for name in ("a.pftrace", "b.pftrace"))
    for cause in (find_work(before), find_work(after)):
        for one in cause["functions"]:
            one["longest"].pop("trace")
    assert find_work(after)["functions"] == find_work(before)["functions"]


def test_damaged_stacks_are_read_as_far_as_possible(triage, tmp_path):
    """Every truncation and every changed byte leads to an answer or an error, never to a crash."""
    whole = write_scene(tmp_path / "a.pftrace", frames=12).read_bytes()
    damaged = tmp_path / "b.pftrace"
    for step in range(40):
        at = len(whole) * (step + 1) // 42
        damaged.write_bytes(whole[:at] if step % 2 else whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
        done = subprocess.run([os.environ.get("DEJANK_BUILD", "build") + "/dejank", "trace", "triage", "--json", damaged],
                              capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode in (0, 4), (step, done.stderr)


@pytest.mark.timed
@pytest.mark.parametrize("seed", [1, 4])
def test_a_captured_program_names_its_planted_function(build, recorder, triage, tmp_path, seed):
    """The program marks only its frames and measures the extra time by the CPU clock of its thread. Load lowers the sampled part of it."""
    program = [build / "tests/programs/planted_functions", str(seed), "60", "8", "45", "50"]
    done = subprocess.run([build / "dejank", "trace", "capture", "-o", tmp_path / "a.pftrace", "--json", "--stacks", "--",
                           "sh", "-c", 'exec "$@" > ' + str(tmp_path / "truth.txt"), "sh", *program],
                          capture_output=True, text=True, timeout=120, check=False, env=recorder.environment)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    if said["stacks"]["source"] == "none":
        pytest.skip(f"no call stacks here: {said['limits']}")
    plant, extra_ms = (tmp_path / "truth.txt").read_text().split()
    answer = json.loads(triage("--json", "--budget", "40ms", tmp_path / "a.pftrace"))
    work = next(cause for cause in answer["causes"] if cause["kind"] == "own-work" and cause["name"] == "frame")
    if work["function_frames"]["too_few"]:
        pytest.skip("the machine is so busy that hardly any frame was in time")
    first = work["functions"][0]
    assert first["name"] == plant and first["module"].endswith("/planted_functions") and first["build_id"]
    assert first["extra_ms"] == pytest.approx(float(extra_ms), rel=0.3)  # most captures are within 0.15, but not all
    assert first["path"][-2:] == ["draw_frame", plant]


def test_interned_stacks_of_the_corpus_are_read(dejank):
    corpus = os.environ.get("DEJANK_CORPUS")
    if not corpus:
        pytest.skip("DEJANK_CORPUS is not set")
    answer = json.loads(dejank("trace", "read", "--json", f"{corpus}/perfetto/synthetic/tp_track_event_callstacks.pb"))
    assert answer["missing"]["damaged"] == 0
