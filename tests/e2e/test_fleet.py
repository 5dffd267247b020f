"""dejank fleet on two real shards: every answer equals a naive computation over the same sessions, even after faults."""
import gzip
import json
import os
import random
import subprocess
import threading
import time

import pytest

import clickhouse
import made_dumps as made
from fleet import DAY_S, LABELS, answer, lines, newest, session

pytestmark = pytest.mark.xdist_group("fleet")


def made_up(count, seed=0):
    return [session(number, seed, version=f"1.{number % 3}", start=1774944000 - DAY_S * (number % 40)) for number in range(count)]


def check(fleet, sessions, *keys):
    for by in keys or ("app", "version", "class", "day", "refresh", "release", "device,version", "app,version,day"):
        rows, found = fleet.rows(by)
        assert rows == answer(sessions, by.split(",")), by
        assert found["shards"] == {"answering": 2, "configured": 2}
        assert found["rows"] == [] or sum(row["sessions"] for row in rows.values()) == len(newest(sessions))


def test_init_is_safe_to_repeat(fleet):
    fleet.push(made_up(50))
    again = fleet.json("init")
    assert [shard["created"] for shard in again["shards"]] == [False, False]
    check(fleet, made_up(50), "version")


def test_an_empty_fleet_answers(fleet):
    rows, found = fleet.rows("version")
    assert rows == {} and found["newest"] is None and not found["provisional"]


def test_answers_equal_a_naive_computation(fleet):
    sessions = made_up(3000)
    assert fleet.push(sessions)["sent"] == 3000
    check(fleet, sessions)
    assert min(int(shard.sql("SELECT count() FROM dejank.sessions_local")) for shard in fleet.cluster.shards) > 1000
    assert fleet.json("query")["newest"] == "2026-03-31T08:00:00Z"


def test_filters(fleet):
    sessions = made_up(300) + [session(number, 7, app="o'pen\\); DROP--", version="9") for number in range(20)]
    fleet.push(sessions)
    of_app = [one for one in sessions if one["app"] == "o'pen\\); DROP--"]
    assert fleet.rows("version", "--app", "o'pen\\); DROP--")[0] == answer(of_app, ["version"])
    of_version = [one for one in sessions if one["version"] == "1.1"]
    assert fleet.rows("class", "--version", "1.1")[0] == answer(of_version, ["class"])
    recent = [one for one in sessions if one["start_unix_s"] >= 1774915200 - 5 * DAY_S]
    assert fleet.rows("day", "--since", "2026-03-26")[0] == answer(recent, ["day"])


def test_thresholds_are_parameters_and_are_printed(fleet):
    sessions = made_up(500)
    fleet.push(sessions)
    rows, found = fleet.rows("version", "--slow-session", "60", "--frozen-session", "20 %")
    assert rows == answer(sessions, ["version"], 60, 20)
    assert (found["slow_session_percent"], found["frozen_session_percent"]) == (60, 20)
    text = fleet.run("query", "--slow-session", "60").stdout
    assert "more than 60 % slow frames" in " ".join(text.split())


def test_a_session_that_is_sent_again_counts_once(fleet):
    sessions = made_up(400)
    grown = [{**one, "revision": 5, "frames": one["frames"] + 10} for one in sessions[:100]]
    fleet.push(sessions)
    fleet.push(list(reversed(sessions)))
    fleet.push(grown)
    fleet.push(sessions[50:150])  # out of order: the older revision arrives last
    check(fleet, sessions + grown + sessions[:0])


def test_unknown_counters_are_no_zeros(fleet):
    sessions = [session(number) for number in range(40)]
    for one in sessions[:20]:
        del one["slow"], one["janky"], one["frame_time"]
    bare = [session(number, 3, version="bare") for number in range(5)]
    for one in bare:
        del one["slow"], one["janky"], one["frozen"], one["frame_time"]
    fleet.push(sessions + bare)
    rows, _ = fleet.rows("version")
    assert rows[("bare",)]["janky"] is None and rows[("bare",)]["p50_ms"] is None
    check_rows = answer(sessions, ["version"])
    assert rows[("1.0",)] == check_rows[("1.0",)]


def test_todays_sessions_are_provisional(fleet):
    today = int(time.time())
    fleet.push([session(1, start=today - 60), session(2, start=today - 10 * DAY_S)])
    assert fleet.json("query")["provisional"]
    assert not fleet.json("query", "--before", time.strftime("%Y-%m-%d", time.gmtime(today - DAY_S)))["provisional"]


def test_a_year_late_and_from_the_future(fleet):
    now = int(time.time())
    late = [session(1, start=now - 366 * DAY_S)]
    done = fleet.push(late + [session(2, start=now + 3 * DAY_S)], code=4)
    assert (done["sent"], done["refused"]) == (1, 1)
    check(fleet, late, "day")


def test_a_lying_client_is_refused_and_the_rest_is_kept(fleet):
    good = [session(number) for number in range(4)]
    huge = json.dumps({**good[0], "frame_time": {str(number): 1 for number in range(1000000)}})
    named = json.dumps({**good[0], "device": "x" * (1 << 20)})
    text = (json.dumps(good[0]) + "\n" + huge + "\n" + json.dumps(good[1]) + "\n" + named + "\n"
            + json.dumps({**good[2], "id": "0" * 31 + "1", "janky": good[2]["frames"] + 1}) + "\n" + "{not JSON\n"
            + json.dumps({**good[2], "id": "0" * 31 + "2", "device": "y" * 300}) + "\n"
            + json.dumps(good[2]) + "\n" + json.dumps(good[3]))
    done = fleet.run("push", "-", "--json", given=text, code=4)
    assert json.loads(done.stdout) == {**json.loads(done.stdout), "sent": 4, "refused": 5, "spooled": 0}
    for reason in ("-:2: the line is longer than 65536 bytes", "-:4: the line is longer", "is more than the", "-:6: expected a JSON object",
                   "-:7: device: expected at most 200 bytes, found 300"):
        assert reason in done.stderr, done.stderr
    check(fleet, good, "app")


# ---- sources ----

def histogram(times):
    return " ".join(f"{label}ms={times.get(label, 0)}" for label in LABELS)


def stats(package, version, end, times, janky):
    total = sum(times.values())
    return (f"Package: {package}\nVersion: {version}\nStats since: 1774915200000ns\nStats end: {end}ns\nTotal frames rendered: {total}\n"
            f"Janky frames: {janky} ({100 * janky / total:.2f}%)\n50th percentile: 5ms\n90th percentile: 5ms\n95th percentile: 5ms\n"
            f"99th percentile: 5ms\nNumber Missed Vsync: 1\nNumber High input latency: 2\nNumber Slow UI thread: 3\n"
            f"Number Slow bitmap uploads: 4\nNumber Slow issue draw commands: 5\nNumber Frame deadline missed: 6\n"
            f"HISTOGRAM: {histogram(times)}\n\n")


def test_graphicsstats_grows_and_is_replaced(fleet):
    path = fleet.folder / "stats.txt"
    phone = ("--model", "Pixel 7", "--device-id", "serial-1", "--ram", "8192", "--release", "14")
    path.write_text(stats("com.example.mail", 420, 1774940000000, {5: 90, 17: 10}, 9))
    fleet.run("push", path, *phone)
    path.write_text(stats("com.example.mail", 420, 1774950000000, {5: 170, 17: 20, 750: 10}, 19))
    fleet.run("push", path, *phone)
    fleet.run("push", path, "--model", "Pixel 7", "--device-id", "serial-2")
    rows, _ = fleet.rows("app,version,device,class")
    row = rows[("com.example.mail", "420", "Pixel 7", "high-end")]
    assert (row["sessions"], row["frames"], row["janky"], row["slow"], row["frozen"], row["p50_ms"], row["p99_ms"]) == \
        (1, 200, 19, 30, 10, 5, 750)
    assert rows[("com.example.mail", "420", "Pixel 7", None)]["sessions"] == 1


def test_graphicsstats_needs_the_id_of_the_device(fleet):
    path = fleet.folder / "stats.txt"
    path.write_text(stats("com.example.mail", 420, 1774940000000, {5: 100}, 9))
    assert "needs --device-id" in fleet.run("push", path, code=2).stderr


def test_batches_of_the_store_are_pushed(fleet):
    path = fleet.folder / "dump.txt"
    path.write_text(made.dump(made.process("com.example.app", [("Main", made.frames(120, seed=1, janky_every=6))])))
    env = {**os.environ, "XDG_DATA_HOME": str(fleet.folder / "data")}
    subprocess.run([fleet.build / "dejank", "import", "--name", "scroll", path], check=True, capture_output=True, env=env)
    assert json.loads(fleet.run("push", "scroll", "--json").stdout)["sent"] == 1
    assert json.loads(fleet.run("push", "--since", "2020-01-01", "--json").stdout)["sent"] == 1
    rows, _ = fleet.rows("app")
    assert rows[("com.example.app",)]["sessions"] == 1 and rows[("com.example.app",)]["frames"] == 120
    assert "no such batch" in fleet.run("push", "nothing", code=4).stderr


def test_json_lines_may_be_compressed(fleet):
    sessions = made_up(200)
    path = fleet.folder / "sessions.jsonl.gz"
    path.write_bytes(gzip.compress(lines(sessions).encode()))
    fleet.run("push", path)
    check(fleet, sessions, "version")


# ---- faults ----

def test_a_missing_shard_is_an_error_unless_partial(fleet):
    sessions = made_up(300)
    fleet.push(sessions)
    fleet.cluster.shards[1].kill()
    assert "did not answer" in fleet.run("query", code=3).stderr
    found = fleet.json("query", "--partial")
    assert found["shards"] == {"answering": 1, "configured": 2}
    assert 0 < found["rows"][0]["sessions"] < 300
    first = fleet.run("query", "--partial").stdout.splitlines()[0]
    assert first.startswith("Incomplete: only 1 of 2 shards answered")
    fleet.cluster.shards[0].kill()
    assert "did not answer" in fleet.run("query", "--partial", code=3).stderr
    fleet.cluster.start()
    check(fleet, sessions, "version")


def test_the_shards_must_be_all_and_in_order(fleet):
    one, other = fleet.cluster.options()[:2], fleet.cluster.options()[2:]
    assert "has 2 shards, expected the 1" in fleet.run("query", shards=one, code=2).stderr
    assert "is number 2" in fleet.run("query", shards=other + one, code=2).stderr
    assert "expected --shard" in fleet.run("query", shards=[], code=2).stderr
    assert "has 0 shards" in fleet.run("query", "--cluster", "other", code=2).stderr


@pytest.mark.parametrize("dead", [(0,), (1,), (0, 1)])
def test_a_dead_shard_loses_nothing(fleet, dead):
    sessions = made_up(500)
    for index in dead:
        fleet.cluster.shards[index].kill()
    done = fleet.push(sessions, code=3)
    assert done["spooled"] > 0 and done["sent"] + done["spooled"] == 500
    assert (done["sent"] == 0) == (len(dead) == 2)
    fleet.cluster.start()
    again = fleet.json("push")
    assert again["sent"] == done["spooled"] and again["spooled"] == 0
    assert list(fleet.spool.iterdir()) == []
    check(fleet, sessions, "version", "day")


def test_a_shard_that_dies_during_a_push_loses_nothing(fleet):
    sessions = made_up(60000)
    path = fleet.folder / "sessions.jsonl"
    path.write_text(lines(sessions))
    rng = random.Random(1)

    def kill():
        time.sleep(rng.uniform(0.05, 0.6))
        fleet.cluster.shards[rng.randrange(2)].kill()

    for _ in range(3):
        killer = threading.Thread(target=kill)
        killer.start()
        done = fleet.run("push", path, code=None)
        killer.join()
        assert done.returncode in (0, 3), done.stderr
        fleet.cluster.start()
    fleet.run("push", path)
    check(fleet, sessions, "version")


def test_a_shard_that_dies_during_a_query(fleet):
    sessions = made_up(5000)
    fleet.push(sessions)
    expected = answer(sessions, ["device", "day"])
    for delay in (0.0, 0.005, 0.01, 0.02, 0.04):
        killer = threading.Timer(delay, fleet.cluster.shards[1].kill)
        killer.start()
        done = fleet.run("query", "--by", "device,day", "--json", code=None)
        killer.join()
        if done.returncode == 0:  # the query ended before the shard was killed
            rows = {(row.pop("device"), row.pop("day")): row for row in json.loads(done.stdout)["rows"]}
            assert rows == expected
        else:
            assert done.returncode == 3 and done.stdout == "" and "did not answer" in done.stderr
        fleet.cluster.start()
    check(fleet, sessions, "device,day")


def test_a_push_that_is_killed_can_be_repeated(fleet):
    sessions = made_up(40000)
    path = fleet.folder / "sessions.jsonl"
    path.write_text(lines(sessions))
    for delay in (0.05, 0.15, 0.3):
        pushing = subprocess.Popen([fleet.build / "dejank", "fleet", "push", path, "--spool", fleet.spool, *fleet.cluster.options()],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        pushing.kill()
        pushing.wait()
    fleet.run("push", path)
    check(fleet, sessions, "version")


def test_a_spool_that_cannot_be_written(fleet):
    fleet.cluster.shards[0].kill()
    fleet.spool.mkdir()
    (fleet.folder / "sessions.jsonl").write_text(lines(made_up(100)))
    limit = ["prlimit", "--fsize=1024", fleet.build / "dejank", "fleet", "push", fleet.folder / "sessions.jsonl", "--spool", fleet.spool,
             *fleet.cluster.options()]
    done = subprocess.run(limit, capture_output=True, text=True, check=False, restore_signals=False)  # keeps SIGXFSZ ignored, so that the write fails
    assert done.returncode == 4 and "cannot write" in done.stderr, done.stderr
    assert list(fleet.spool.iterdir()) == []
    fleet.cluster.start()


# ---- configuration of the cluster ----

def test_a_file_names_the_cluster_and_the_password(fleet, monkeypatch):
    fleet.push(made_up(30))
    secret = fleet.folder / "password"
    secret.write_text(clickhouse.PASSWORD + "\n")
    settings = fleet.folder / "fleet.conf"
    urls = [shard.url.replace("http://", "http://fleet@") for shard in fleet.cluster.shards]
    settings.write_text("# two shards\n" + "".join(f"shard {url}\n" for url in urls) + f"cluster dejank\npassword-file {secret}\n")
    monkeypatch.setenv("DEJANK_FLEET", str(settings))
    assert fleet.json("query", shards=[])["rows"][0]["sessions"] == 30
    secret.write_text("wrong\n")
    failed = fleet.run("query", shards=[], code=3)
    assert "Wrong password" in failed.stderr and clickhouse.PASSWORD not in failed.stderr
    settings.write_text("shards http://db1:8123\n")
    assert f"{settings}:1: expected 'shard URL'" in fleet.run("query", shards=[], code=2).stderr


def test_a_newer_schema_is_refused(fleet):
    fleet.cluster.shards[1].sql("INSERT INTO dejank.schema_versions VALUES (99, 2, '2026-01-01')")
    assert "a newer dejank made its tables" in fleet.run("init", code=4).stderr
    assert "version 99" in fleet.run("query", code=4).stderr


def test_forms_of_the_answer(fleet):
    fleet.push(made_up(60))
    for suffix in ("json", "csv", "md", "html", "svg"):
        fleet.run("query", "--by", "version", "-o", f"answer.{suffix}")
        assert "1.2" in (fleet.folder / f"answer.{suffix}").read_text()
    assert "expected a name that ends with" in fleet.run("query", "-o", "answer.txt", code=2).stderr
    assert "--by: expected app" in fleet.run("query", "--by", "apps", code=2).stderr
    assert "occurs twice" in fleet.run("query", "--by", "app,app", code=2).stderr
    assert "unexpected operand" in fleet.run("query", "x", code=2).stderr


# ---- rollup

def test_roll_ups_answer_like_the_sessions(fleet):
    sessions = made_up(1500)
    fleet.push(sessions)
    weeks = len({(one["start_unix_s"] // DAY_S + 3) // 7 for one in sessions})
    assert fleet.json("rollup") == {"schema": "dejank.fleet-rollup/1", "weeks": weeks, "weeks_not_merged": 0, "shards": 2}
    check(fleet, sessions)
    assert sum(int(row["n"]) for row in fleet.raw("SELECT sum(sessions) AS n FROM dejank.daily_local")) == 1500
    assert fleet.json("rollup")["weeks"] == 0
    for shard in fleet.cluster.shards:  # the answer comes from the roll-ups
        shard.sql("INSERT INTO dejank.versions_local SELECT * FROM dejank.versions_local")
    assert sum(row["sessions"] for row in fleet.rows("version")[0].values()) == 3000
    check(fleet, sessions, "device,version")
    for shard in fleet.cluster.shards:  # a missing roll-up is noticed
        shard.sql("TRUNCATE TABLE dejank.versions_local")
    check(fleet, sessions, "version")
    assert fleet.json("rollup")["weeks"] == weeks


def test_other_limits_with_roll_ups(fleet):
    sessions = made_up(900)
    fleet.push(sessions)
    fleet.run("rollup")
    fleet.push([{**one, "revision": 3, "slow": one["frames"]} for one in sessions[:9]])
    changed = [{**one, "revision": 3, "slow": one["frames"]} for one in sessions[:9]]
    for by in ("version", "device,day"):
        assert fleet.rows(by, "--slow-session", "60", "--frozen-session", "20")[0] == answer(sessions + changed, by.split(","), 60, 20)


def test_a_late_session_is_in_the_answer_and_in_the_next_roll_up(fleet):
    sessions = made_up(200)
    fleet.push(sessions)
    fleet.run("rollup")
    late = [session(number, 9, start=1774944000 - 20 * DAY_S) for number in range(20)]
    grown = [{**one, "revision": 2, "frames": one["frames"] + 7} for one in sessions[:10]]
    fleet.push(late + grown)
    check(fleet, sessions + late + grown, "version", "device,version", "day")
    assert 0 < fleet.json("rollup")["weeks"] <= 6
    check(fleet, sessions + late + grown, "version", "device,version", "day")


def test_later_revisions_replace_those_of_a_roll_up(fleet):
    """A revision may change everything but the identity of a session, and may arrive after a newer one."""
    sessions = made_up(1200)
    fleet.push(sessions)
    fleet.run("rollup")
    moved = [{**one, "revision": 4, "version": "renamed", "class": "unheard-of"} for one in sessions[:20]]
    old = [{**one, "revision": 2, "version": "outdated", "frames": one["frames"] + 1} for one in sessions[:20]]
    same = sessions[20:40]  # sent twice
    equal = [{**one, "version": "last"} for one in sessions[40:50]]  # of equal revisions, the last one counts
    everything = sessions + moved + old + same + equal
    for batch in (moved, old, same, equal):
        fleet.push(batch)
    check(fleet, everything)
    newest_ones = newest(everything)
    for name in ("renamed", "last", "1.0"):
        expected = answer([one for one in newest_ones if one["version"] == name], ["class"])
        assert fleet.rows("class", "--version", name, "--app", "com.example.mail")[0] == expected
    assert fleet.rows("class", "--version", "outdated")[0] == {}
    parts = "SELECT count() AS n FROM system.parts WHERE database = 'dejank' AND table = 'sessions_local' AND active"
    assert max(int(row["n"]) for row in fleet.raw(parts)) > 7  # there are later parts
    fleet.run("rollup")
    check(fleet, everything)


def test_hundreds_of_later_parts(fleet):
    sessions = made_up(2400)
    fleet.push(sessions)
    fleet.run("rollup")
    grown = [{**one, "revision": 1, "frames": one["frames"] + 1, "class": "renamed"} for one in sessions[:400]]
    for shard in fleet.cluster.shards:
        shard.sql("SYSTEM STOP MERGES")
    try:
        for at in range(37):  # each push has sessions of all weeks
            fleet.push(grown[at::37])
        parts = fleet.raw("SELECT count() AS n FROM system.parts WHERE database = 'dejank' AND table = 'sessions_local' AND active")
        assert min(int(row["n"]) for row in parts) > 120
        # This user may send statements of at most 6000 bytes.
        shards = [word.replace("http://", "http://brief@") for word in fleet.cluster.options()]
        for by in ("version", "class,device", "app,day"):
            found = fleet.json("query", "--by", by, "--slow-session", "60", shards=shards)
            rows = {tuple(row.pop(name) for name in found["by"]): row for row in found["rows"]}
            assert rows == answer(sessions + grown, by.split(","), 60), by
    finally:
        for shard in fleet.cluster.shards:
            shard.sql("SYSTEM START MERGES")


def test_a_version_that_later_revisions_leave_is_gone(fleet):
    sessions = made_up(300) + [session(number, version="left", start=1774944000) for number in range(1000, 1004)]
    fleet.push(sessions)
    fleet.run("rollup")
    moved = [{**one, "revision": 4, "version": "renamed"} for one in sessions[300:]]
    fleet.push(moved)
    check(fleet, sessions + moved, "version", "app,version,day")
    assert fleet.rows("version", "--version", "left")[0] == {}


def test_answers_are_right_while_parts_are_merged_and_rolled_up(fleet):
    sessions = made_up(600)
    fleet.push(sessions)
    fleet.run("rollup")
    done = threading.Event()

    def change():
        while not done.is_set():
            fleet.push(sessions[:30])
            fleet.run("rollup")

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(6):
            check(fleet, sessions, "version", "device,day")
    finally:
        done.set()
        changing.join()


def test_the_current_week_is_rolled_up_too_and_stays_provisional(fleet):
    today = int(time.time())
    first = [session(number, start=today) for number in range(40)]
    fleet.push(first)
    assert fleet.json("rollup")["weeks"] == 1
    later = [session(100, start=today), {**first[0], "revision": 1, "frames": first[0]["frames"] + 9}]
    fleet.push(later)
    check(fleet, first + later, "version", "device,day")
    assert fleet.json("query")["provisional"]


def test_a_roll_up_that_was_killed_is_repeated(fleet):
    sessions = made_up(800)
    fleet.push(sessions)
    command = [fleet.build / "dejank", "fleet", "rollup", *fleet.cluster.options()]
    for seconds in (0.05, 0.1, 0.2, 0.4):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            time.sleep(seconds)
            running.kill()
        check(fleet, sessions, "version")
    fleet.run("rollup")
    check(fleet, sessions)


def test_roll_ups_at_the_same_time_do_not_count_twice(fleet):
    sessions = [session(number, start=1774944000 - DAY_S * (number % 12)) for number in range(200)]
    command = [fleet.build / "dejank", "fleet", "rollup", *fleet.cluster.options()]
    for seed in (20, 21):
        sessions += [session(number, seed, start=1774944000 - DAY_S * number) for number in range(12)]
        fleet.push(sessions)
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]
        assert {one.wait(100) for one in running} == {0}
        check(fleet, sessions, "version", "device")
    fleet.run("rollup")
    check(fleet, sessions, "version", "device,version", "day")
    assert not fleet.raw("SELECT name FROM system.tables WHERE database = 'dejank' AND name LIKE '%_next_%'")


def test_staging_tables_of_killed_commands_are_dropped_after_a_day(fleet):
    fleet.push(made_up(30))
    for shard in fleet.cluster.shards:
        shard.sql("CREATE TABLE dejank.daily_local_next_1700000000_77 AS dejank.daily_local")
        shard.sql(f"CREATE TABLE dejank.daily_local_next_{int(time.time())}_78 AS dejank.daily_local")
    fleet.run("rollup")
    left = fleet.raw("SELECT name FROM system.tables WHERE database = 'dejank' AND name LIKE '%_next_%'")
    assert len(left) == 2 and all(row["name"].endswith("_78") for row in left)


def test_a_roll_up_without_a_shard_fails(fleet):
    fleet.push(made_up(50))
    fleet.cluster.shards[0].kill()
    assert "did not answer" in fleet.run("rollup", code=3).stderr
    fleet.cluster.start()
    check(fleet, made_up(50), "version")


# ---- check

def test_a_fleet_without_problems(fleet):
    sessions = [one for one in made_up(300) if one["start_unix_s"] != 1774944000 - DAY_S * 7]
    fleet.push(sessions)
    before = fleet.json("check")
    assert not before["has_problems"] and sum(one["sessions"] for one in before["by_shard"]) == len(sessions)
    assert all(one["weeks_to_roll_up"] >= 6 and one["days_without_sessions"] >= 1 for one in before["by_shard"])
    assert "dejank fleet rollup" in fleet.run("check").stdout
    fleet.run("rollup")
    after = fleet.json("check")
    assert not after["has_problems"] and all(one["weeks_to_roll_up"] == 0 and not one["rollups_differ"] for one in after["by_shard"])


def test_a_session_on_the_wrong_shard_is_found(fleet):
    fleet.push(made_up(100))
    fleet.cluster.shards[1].sql("INSERT INTO dejank.sessions_local SELECT * FROM dejank.sessions WHERE sipHash64(id) % 2 = 0 LIMIT 3")
    found = fleet.json("check", code=4)
    assert found["has_problems"] and [one["misplaced"] for one in found["by_shard"]] == [0, 3]
    assert "3 of them belong to another shard" in " ".join(fleet.run("check", code=4).stdout.split())


# Adds a row without sessions to the roll-up of versions. Only its histogram counts a frame.
ONE_MORE_FRAME = ("INSERT INTO dejank.versions_local SELECT app, version_code, version, day, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, [toUInt8(40)], "
                  "[toUInt64(1)], part FROM dejank.versions_local LIMIT 1")


@pytest.mark.parametrize("change", [ONE_MORE_FRAME, "INSERT INTO dejank.daily_local SELECT * FROM dejank.daily_local LIMIT 1"])
def test_a_roll_up_that_differs_is_found_and_no_longer_used(fleet, change):
    sessions = made_up(300)
    fleet.push(sessions)
    fleet.run("rollup")
    fleet.cluster.shards[0].sql(change)
    found = fleet.json("check", code=4)
    assert [one["rollups_differ"] for one in found["by_shard"]] == [True, False]
    check(fleet, sessions, "version", "device")
    fleet.run("rollup")
    assert not fleet.json("check")["has_problems"]


def test_tables_of_version_1_are_upgraded(fleet):
    sessions = made_up(200)
    fleet.push(sessions)
    for shard in fleet.cluster.shards:
        shard.sql("TRUNCATE TABLE dejank.schema_versions")
        shard.sql("INSERT INTO dejank.schema_versions VALUES (1, 1, '2026-01-01')")
        shard.sql("DROP TABLE dejank.versions_local")
        shard.sql("CREATE TABLE dejank.versions_local (app String, day Date) ENGINE = MergeTree PARTITION BY toMonday(day) ORDER BY app")
        shard.sql("CREATE TABLE dejank.rolled (week UInt32) ENGINE = MergeTree PARTITION BY tuple() ORDER BY week")
    assert "Run: dejank fleet init" in fleet.run("query", code=4).stderr
    assert "upgraded its tables" in fleet.run("init").stdout
    check(fleet, sessions, "version", "device")
    fleet.run("rollup")
    check(fleet, sessions, "version", "device")


# ---- prune and forget

def test_prune_deletes_what_is_older_than_a_day(fleet):
    sessions = made_up(400)
    fleet.push(sessions)
    cut = 1774915200 - 10 * DAY_S  # 2026-03-21
    old = [one for one in sessions if one["start_unix_s"] < cut]
    assert old and fleet.json("prune", "--before", "2026-03-21") == {
        "schema": "dejank.fleet-remove/1", "command": "prune", "sessions": len(old), "deleted": False, "shards": 2}
    check(fleet, sessions, "day")
    text = " ".join(fleet.run("prune", "--before", "2026-03-21").stdout.split())
    assert f"Would delete {len(old)} sessions before 2026-03-21 from 2 shards" in text and "use --yes" in text
    assert fleet.json("prune", "--before", "2026-03-21", "--yes")["deleted"]
    check(fleet, [one for one in sessions if one not in old])
    assert fleet.json("prune", "--before", "2026-03-21", "--yes")["sessions"] == 0
    fleet.run("rollup")
    assert all(one["weeks_to_roll_up"] == 0 for one in fleet.json("check")["by_shard"])  # empty weeks need no roll-up


def test_forget_deletes_sessions_by_id(fleet):
    sessions = made_up(100)
    fleet.push(sessions)
    fleet.push([{**sessions[0], "revision": 3}])
    gone = [sessions[0]["id"], sessions[1]["id"].upper()]
    assert fleet.json("forget", *gone, "0" * 32, "--yes")["sessions"] == 2
    check(fleet, sessions[2:])
    assert fleet.raw(f"SELECT count() FROM dejank.sessions_local WHERE id IN (unhex('{gone[0]}'), unhex('{gone[1]}'))") == [{"count()": "0"}] * 2


def test_an_answer_after_a_deletion_does_not_come_from_a_roll_up(fleet):
    sessions = made_up(60)
    fleet.push(sessions)
    fleet.run("rollup")
    fleet.run("forget", sessions[0]["id"], "--yes")
    check(fleet, sessions[1:], "version", "day")


def test_nothing_is_deleted_if_a_shard_does_not_answer(fleet):
    sessions = made_up(100)
    fleet.push(sessions)
    fleet.cluster.shards[1].kill()
    assert fleet.run("prune", "--before", "2030-01-01", "--yes", code=3).stderr
    fleet.cluster.start()
    check(fleet, sessions, "version")


@pytest.mark.parametrize("words, said", [
    (["prune"], "prune: missing option --before DAY"),
    (["prune", "--before", "yesterday"], "expected a day such as 2026-01-31"),
    (["forget"], "forget: missing operand ID"),
    (["forget", "12ab"], "expected the id of a session, which has 32 hexadecimal digits, found '12ab'"),
    (["forget", "0" * 31 + "'"], "32 hexadecimal digits"),
])
def test_wrong_words_of_a_deletion(fleet, words, said):
    assert said in fleet.run(*words, code=2).stderr
