"""Which functions dejank trace triage names, from traces whose planted function is known."""

import json
import os
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
    """Each cut and each changed byte gives an answer or an error, never a crash."""
    whole = write_scene(tmp_path / "a.pftrace", frames=12).read_bytes()
    damaged = tmp_path / "b.pftrace"
    for step in range(40):
        at = len(whole) * (step + 1) // 42
        damaged.write_bytes(whole[:at] if step % 2 else whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
        done = subprocess.run([os.environ.get("DEJANK_BUILD", "build") + "/dejank", "trace", "triage", "--json", damaged],
                              capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode in (0, 4), (step, done.stderr)


def test_interned_stacks_of_the_corpus_are_read(dejank):
    corpus = os.environ.get("DEJANK_CORPUS")
    if not corpus:
        pytest.skip("DEJANK_CORPUS is not set")
    answer = json.loads(dejank("trace", "read", "--json", f"{corpus}/perfetto/synthetic/tp_track_event_callstacks.pb"))
    assert answer["missing"]["damaged"] == 0
