"""dejank fleet compare on two real shards: versions within device classes, compared with a naive computation over the same sessions."""
import csv
import io

import pytest

from fleet import lines
from fleet_effects import APP, QUANTILES, SHARES, combined_effect, versions

pytestmark = pytest.mark.xdist_group("fleet")
VERSIONS = ("--app", APP, "--from", "1.0", "--to", "2.0")
SHIFT = {("1.0", "high-end"): 4, ("1.0", "low-end"): 0.4, ("2.0", "high-end"): 0.4, ("2.0", "low-end"): 4}


def compare(fleet, *words, **more):
    return fleet.json("compare", *VERSIONS, *words, **more)


def by_metric(part):
    return {metric["metric"]: metric for metric in part["metrics"]}


def test_a_regression_in_one_class_is_found_and_named(fleet):
    fleet.push(versions(1, slower={"low-end": 1.3}))
    found = compare(fleet)
    assert found["verdict"] == "regression" and found["leading_class"] == "low-end"
    verdicts = {one["class"]: one["verdict"] for one in found["classes"]}
    assert verdicts["low-end"] == "regression"
    assert not {verdicts["high-end"], verdicts["mid-range"]} & {"regression", "likely-regression"}
    ratio = by_metric(next(one for one in found["classes"] if one["class"] == "low-end"))["frame_time_p50"]
    assert 1.2 < ratio["ratio"] < 1.4 and ratio["ci"][0] > 1.05
    first = fleet.run("compare", *VERSIONS).stdout.splitlines()[0]
    assert first.startswith("regression: 2.0 renders ") and "on low-end: " in first and len(first) <= 80
    assert compare(fleet, "--gate", code=1) == found
    back = fleet.json("compare", "--app", APP, "--from", "2.0", "--to", "1.0", "--gate")
    assert back["verdict"] == "improvement" and back["leading_class"] == "low-end"
    assert by_metric(back)["jank_rate"]["p"] == pytest.approx(by_metric(found)["jank_rate"]["p"])


def test_a_shifted_mix_of_devices_gives_no_verdict(fleet):
    fleet.push(versions(104, mix=SHIFT, tilt=0.8))
    rows, _ = fleet.rows("version", "--app", APP)
    assert rows["2.0",]["p95_ms"] > 1.4 * rows["1.0",]["p95_ms"]  # the newer version only looks slower
    found = compare(fleet)
    assert found["verdict"] in ("inconclusive", "equivalent")
    assert all(0.8 < by_metric(found)[name]["ratio"] < 1.25 for name in QUANTILES)
    compare(fleet, "--gate", code=6 if found["verdict"] == "inconclusive" else 0)


def test_equal_versions_are_equivalent(fleet):
    sessions = [one for one in versions(3) if one["version"] == "1.0"]
    fleet.push(sessions + [{**one, "id": one["id"][::-1], "version": "2.0"} for one in sessions])
    found = compare(fleet, "--gate")
    assert found["verdict"] == "equivalent" and by_metric(found)["frame_time_p95"]["ratio"] == 1
    assert fleet.run("compare", *VERSIONS).stdout.startswith("equivalent: 2.0 renders alike: ")


def test_the_combined_effect_equals_a_naive_computation(fleet):
    sessions = versions(4, slower={"mid-range": 1.1}, mix=SHIFT, tilt=0.5)
    more = [{**one, "id": one["id"][::-1], "version": "0.9"} for one in sessions[:40]]  # counts for the weights only
    fleet.push(sessions + more)
    found = compare(fleet)
    for metric in (*QUANTILES, *SHARES):
        effect = by_metric(found)[metric]
        if effect["refused"] is None:
            ratio, p = combined_effect(sessions + more, metric)
            assert effect["ratio"] == pytest.approx(ratio, rel=1e-9), metric
            assert effect["p"] == pytest.approx(p, rel=1e-4, abs=1e-9), metric
    assert {name for name, one in by_metric(found).items() if one["refused"]} <= {"frozen_frames", "frozen_sessions"}
    assert sum(one["weight"] for one in found["classes"]) == pytest.approx(1)
    fleet.run("rollup")
    assert compare(fleet) == found


def test_what_is_not_compared_is_counted(fleet):
    sessions = versions(5, models=6)
    only = [one for one in sessions if one["class"] != "high-end" or one["version"] == "1.0"]  # 2.0 is not on high-end
    few = [{**one, "id": one["id"][::-1], "class": "tv"} for one in only if one["device"] in ("low-end 1", "low-end 2")]
    lonely = [{**one, "id": one["id"][1:] + "0", "device": "Prototype"} for one in only if one["device"] == "low-end 3" and one["version"] == "2.0"]
    unnamed = [{**one, "id": "0" + one["id"][:-1], "device": ""} for one in only if one["device"] == "mid-range 3"]
    fleet.push(only + few + lonely + unnamed)
    found = compare(fleet)
    classes = {one["class"]: one for one in found["classes"]}
    assert {name: one["compared"] for name, one in classes.items()} == {"low-end": True, "mid-range": True, "high-end": False, "tv": False}
    assert classes["high-end"]["models"] == 0 and classes["high-end"]["models_of"] == {"from": 6, "to": 0}
    assert classes["tv"]["models"] == 2 and classes["tv"]["verdict"] is None and classes["tv"]["metrics"] == []
    everything = only + few + lonely + unnamed
    assert found["sessions"] == {"from": sum(one["version"] == "1.0" for one in everything), "to": sum(one["version"] == "2.0" for one in everything)}
    kept = [one for one in only if one["class"] != "high-end"]
    assert found["compared_sessions"] == {"from": sum(one["version"] == "1.0" for one in kept), "to": sum(one["version"] == "2.0" for one in kept)}
    text = " ".join(fleet.run("compare", *VERSIONS).stdout.split())
    assert "Class high-end is not compared: 0 models" in text and "Class tv is not compared: 2 models" in text
    skipped = [sum(one["version"] == version for one in everything) - sum(one["version"] == version for one in kept) for version in ("1.0", "2.0")]
    assert f"Not compared: {skipped[0]} sessions of the old version and {skipped[1]} of the new one" in text.replace("\xa0", " ")


def test_without_a_class_to_compare(fleet):
    fleet.push(versions(6, models=4))
    found = compare(fleet, "--gate", code=6)
    assert found["verdict"] == "inconclusive" and found["metrics"] == [] and found["leading_metric"] is None
    assert fleet.run("compare", *VERSIONS).stdout.startswith("inconclusive: no class has 5 device models with both versions")


def test_versions_without_sessions(fleet):
    fleet.push(versions(7, models=1))
    assert "app 'com.example.mail': there is no session of version '3.0'" in fleet.run(
        "compare", "--app", APP, "--from", "1.0", "--to", "3.0", code=4).stderr
    assert "no session of version '1.0'" in fleet.run("compare", *VERSIONS, "--before", "2020-01-01", code=4).stderr


def test_metrics_margins_and_limits(fleet):
    fleet.push(versions(8, slower={"low-end": 1.3, "mid-range": 1.3, "high-end": 1.3}))
    found = compare(fleet, "-m", "p99=80%,slow", "--alpha", "0.01")
    assert [name for name, one in by_metric(found).items() if one["gates"]] == ["frame_time_p99", "slow_frames"]
    assert by_metric(found)["frame_time_p99"]["margin"] == 0.8 and found["alpha"] == 0.01
    assert compare(fleet)["verdict"] == "regression" and compare(fleet)["leading_class"] is None
    assert compare(fleet, "--margin", "60%")["verdict"] in ("equivalent", "likely-regression")
    strict = compare(fleet, "--slow-session", "90")
    assert by_metric(strict)["slow_sessions"]["from"] < by_metric(found)["slow_sessions"]["from"]


def test_forms_of_a_comparison(fleet):
    fleet.push(versions(1, slower={"low-end": 1.3}))
    for suffix in ("json", "md", "html", "svg"):
        fleet.run("compare", *VERSIONS, "-o", f"answer.{suffix}")
        assert "low-end" in (fleet.folder / f"answer.{suffix}").read_text()
    fleet.run("compare", *VERSIONS, "-o", "answer.csv")
    rows = list(csv.DictReader(io.StringIO((fleet.folder / "answer.csv").read_text())))
    assert len(rows) == 4 * 9 and rows[0]["scope"] == "all" and {row["class"] for row in rows} == {"", "low-end", "mid-range", "high-end"}
    text = fleet.run("compare", *VERSIONS).stdout
    assert all(len(line) <= 80 for line in text.splitlines()) and "2 of 2 shards answered" in text
    assert "next:" in text and "dejank fleet query --app com.example.mail --version 2.0 --by class,device" in " ".join(text.split())
    assert "p99, ms" in fleet.run("compare", *VERSIONS, "--all").stdout and "p99, ms" not in text


def test_a_comparison_without_a_shard(fleet):
    fleet.push(versions(9))
    fleet.cluster.shards[1].kill()
    assert "did not answer" in fleet.run("compare", *VERSIONS, code=3).stderr
    found = compare(fleet, "--partial")
    assert found["shards"] == {"answering": 1, "configured": 2}
    first = fleet.run("compare", *VERSIONS, "--partial").stdout.splitlines()[0]
    assert first.startswith("Incomplete: only 1 of 2 shards answered")


@pytest.mark.parametrize("words, said", [
    (["--from", "1", "--to", "2"], "compare: missing option --app NAME"),
    (["--app", APP, "--to", "2"], "compare: missing option --from VERSION"),
    (["--app", APP, "--from", "1"], "compare: missing option --to VERSION"),
    (["--app", APP, "--from", "1", "--to", "1"], "--from and --to are both '1'"),
    ([*VERSIONS, "-m", "p42"], "--metric: expected one of frame_time_p50, "),
    ([*VERSIONS, "-m", "p95,p95"], "--metric: frame_time_p95 is given twice"),
    ([*VERSIONS, "-m", "p95=-5"], "--metric frame_time_p95: expected a margin such as 5%, found '-5'"),
    ([*VERSIONS, "--margin", "0"], "--margin: expected a share above 0"),
    ([*VERSIONS, "--alpha", "2"], "--alpha: expected a probability"),
    ([*VERSIONS, "x"], "unexpected operand 'x'"),
])
def test_wrong_words_of_a_comparison(fleet, words, said):
    assert said in fleet.run("compare", *words, code=2).stderr


def test_a_dry_run_counts_and_changes_nothing(fleet):
    good, bad = fleet.folder / "good.jsonl", fleet.folder / "bad.jsonl"
    good.write_text(lines(versions(1, models=1)))
    bad.write_text(lines([{**one, "slow": 10**6} for one in versions(2, models=1)[:3]]) + "no session\n" + lines(versions(3, models=1)[:2]))
    found = fleet.json("push", "--dry-run", good, bad, code=4, shards=[])  # needs no cluster
    assert found == {"schema": "dejank.fleet-push/1", "dry_run": True, "would_send": 62, "refused": 4, "sources": [
        {"source": str(good), "would_send": 60, "refused": 0}, {"source": str(bad), "would_send": 2, "refused": 4}]}
    text = fleet.run("push", "--dry-run", good, bad, code=4)
    assert text.stdout.startswith("Would send 62 sessions, would refuse 4; nothing was sent") and f"{bad}:4" in text.stderr
    fleet.run("push", "--dry-run", good, "-o", "answer.csv")
    assert (fleet.folder / "answer.csv").read_text() == f"source,would_send,refused\n{good},60,0\n"
    assert fleet.rows("app")[0] == {} and list(fleet.spool.iterdir()) == []


def test_a_dry_run_keeps_sessions_that_wait(fleet):
    fleet.cluster.shards[0].kill()
    fleet.cluster.shards[1].kill()
    fleet.push(versions(1, models=1), code=3)
    waiting = {path: path.read_bytes() for path in fleet.spool.iterdir()}
    found = fleet.json("push", "--dry-run")
    assert found["would_send"] == 60 and {path: path.read_bytes() for path in fleet.spool.iterdir()} == waiting


@pytest.mark.parametrize("command, words, users", [
    ("query", ["--model", "Pixel"], "push"), ("push", ["--by", "app"], "query"), ("init", ["--app", "x"], "push, query, compare"),
    ("rollup", ["--yes"], "prune, forget"), ("check", ["--partial"], "query, compare"), ("prune", ["--since", "2026-01-01"], "push, query, compare"),
    ("compare", ["--top", "3"], "query"), ("query", ["--gate"], "compare"), ("forget", ["--all"], "query, compare"),
])
def test_options_of_other_commands_are_refused(fleet, command, words, users):
    failed = fleet.run(command, *words, code=2, shards=[]).stderr
    assert f"{words[0]} is not an option of {command}" in failed and f"{words[0]} is an option of: {users}" in failed
