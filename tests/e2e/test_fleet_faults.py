"""Faults of a fleet's shards: a full disk, and servers that are killed before, during and after an insert and during a query.
After each, every session is in the answers exactly once."""
import contextlib
import json
import os
import shutil
import subprocess
import threading
import time

import pytest

import clickhouse
from displays import wait_until
from fleet import Fleet, answer, lines, session
from test_fleet import check, made_up

EACH = pytest.mark.parametrize("dead", [(0,), (0, 1)], ids=["one", "both"])


def push_in_background(fleet):
    return subprocess.Popen([fleet.build / "dejank", "fleet", "push", "-", "--spool", fleet.spool, *fleet.cluster.options()],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def has_rows(shard):
    return int(shard.sql("SELECT count() FROM dejank.sessions_local")) > 0


@EACH
def test_shards_that_are_killed_after_an_insert_keep_it(fleet, dead):
    sessions = made_up(400)
    assert fleet.push(sessions)["sent"] == 400
    for index in dead:
        fleet.cluster.shards[index].kill()
    fleet.cluster.start()
    check(fleet, sessions, "version", "device,version", "day")


@EACH
def test_shards_that_are_killed_between_the_inserts_of_a_push_lose_nothing(fleet, dead):
    sessions = made_up(6000)
    rest = [lines(sessions[at:at + 32]) for at in range(0, len(sessions), 32)]
    pushing = push_in_background(fleet)
    while not has_rows(fleet.cluster.shards[0]):  # a batch is sent after a second
        pushing.stdin.write(rest.pop(0))
        pushing.stdin.flush()
        time.sleep(0.02)
    for index in dead:
        fleet.cluster.shards[index].kill()
    _, messages = pushing.communicate("".join(rest), timeout=120)
    assert pushing.returncode == 3 and "did not answer" in messages
    fleet.cluster.start()
    fleet.run("push")
    assert list(fleet.spool.glob("*")) == []
    check(fleet, sessions, "version")


def test_both_shards_are_killed_during_a_query(fleet):
    sessions = made_up(5000)
    fleet.push(sessions)
    expected = answer(sessions, ["device", "day"])
    for delay_s in (0.0, 0.01, 0.02, 0.04):
        killers = [threading.Timer(delay_s, shard.kill) for shard in fleet.cluster.shards]
        for killer in killers:
            killer.start()
        done = fleet.run("query", "--by", "device,day", "--json", code=None)
        for killer in killers:
            killer.join()
        assert done.returncode in (0, 3)
        if done.returncode == 3:
            assert done.stdout == "" and "did not answer" in done.stderr
        fleet.cluster.start()
        assert fleet.rows("device,day")[0] == expected


def test_batches_that_arrive_twice_and_in_any_order_count_once(fleet):
    sessions = made_up(600)
    grown = [{**one, "revision": 2, "frames": one["frames"] + 3} for one in sessions[::3]]
    batches = [sessions[:300], grown, sessions[300:], sessions[100:400], grown[:50]]
    for batch in reversed(batches + batches):
        fleet.push(batch)
    check(fleet, sessions + grown, "version", "day", "device,version")
    fleet.run("rollup")
    check(fleet, sessions + grown, "version", "day", "device,version")


# ---- a full disk

@contextlib.contextmanager
def small_disk(shard, mib):
    """Runs a new shard on a file system of this size."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=0755,uid={clickhouse.NOBODY},gid={clickhouse.NOBODY}", "dejank-test"]
    shard.kill()
    if os.geteuid() != 0 or subprocess.run([*command, shard.folder / "data"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        shard.start()
        shard.wait()
        yield shard.folder / "data"
    finally:
        shard.kill()
        subprocess.run(["umount", shard.folder / "data"], check=True)


@contextlib.contextmanager
def fleet_with_small_disks(build, folder, shards):
    """A fleet and the small disks of these shards."""
    reason = clickhouse.reason_to_skip()
    if reason:
        pytest.skip(reason)
    servers = clickhouse.Cluster()
    try:
        with contextlib.ExitStack() as stack:
            disks = [stack.enter_context(small_disk(servers.shards[i], 48)) for i in shards]
            one = Fleet(build, folder, servers)
            one.run("init")
            yield one, disks
    finally:
        servers.close()


@pytest.fixture
def full_fleet(build, tmp_path):
    """A fleet, and the small disk of its second shard."""
    with fleet_with_small_disks(build, tmp_path, [1]) as (one, disks):
        yield one, disks[0]


def leave(disk, size):
    """Leaves this many bytes free. Returns the file to delete when space is needed again."""
    filler = disk / "filler"
    with open(filler, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - size)
    return filler


def fill(disk):
    """Leaves no page free. Returns the file to delete when space is needed again."""
    filler = disk / "filler"
    with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    assert shutil.disk_usage(disk).free == 0
    return filler


def test_a_shard_with_a_full_disk_loses_nothing(full_fleet):
    one, disk = full_fleet
    first, second = made_up(300, seed=1), made_up(2000, seed=2)
    assert one.push(first)["sent"] == 300
    filler = fill(disk)
    done = one.run("push", "-", "--json", given=lines(second), code=3)
    assert '"sent":0' not in done.stdout and "o space left" in done.stdout
    text = one.run("push", code=3)
    assert "o space left" in text.stdout + text.stderr and one.cluster.shards[1].url.split("//")[1] in text.stdout + text.stderr
    check(one, first + [item for item in second if is_on(one, item, 0)], "version")
    filler.unlink()
    assert one.json("push")["spooled"] == 0
    assert list(one.spool.iterdir()) == []
    check(one, first + second)


def test_a_roll_up_says_which_weeks_a_full_disk_did_not_merge(full_fleet):
    one, disk = full_fleet
    first, later = [session(number) for number in range(20000)], [session(number, 1) for number in range(200)]
    one.push(first)
    one.run("rollup")
    one.push(later)
    filler = leave(disk, 512 << 10)  # enough for the sums, but not for the sessions
    text = " ".join(one.run("rollup").stdout.split())
    assert text.startswith("Rolled up 0 of 1 week on 2 shards"), text
    assert f"Shard {one.cluster.shards[1].url} did not merge the later sessions of a week" in text
    check(one, first + later, "version")
    assert one.json("rollup") == {"schema": "dejank.fleet-rollup/1", "weeks": 0, "weeks_not_merged": 1, "shards": 2}
    filler.unlink()
    assert one.json("rollup")["weeks"] == 1
    assert one.json("rollup") == {"schema": "dejank.fleet-rollup/1", "weeks": 0, "weeks_not_merged": 0, "shards": 2}
    check(one, first + later, "version")


@contextlib.contextmanager
def large_part(one, sessions):
    """Pushes these sessions to an empty fleet, removes them, and inserts them again at the end as one part per shard.

    A push that runs longer than a second creates several parts, which a server may merge at any time."""
    one.push(sessions)
    for shard in one.cluster.shards:
        shard.sql("CREATE TABLE default.large AS dejank.sessions_local")
        shard.sql("INSERT INTO default.large SELECT * FROM dejank.sessions_local")
        shard.sql("TRUNCATE TABLE dejank.sessions_local")
    yield
    for shard in one.cluster.shards:
        shard.sql("INSERT INTO dejank.sessions_local SELECT * FROM default.large")
        shard.sql("DROP TABLE default.large")


def test_a_roll_up_names_all_shards_that_did_not_merge(build, tmp_path):
    with fleet_with_small_disks(build, tmp_path, [0, 1]) as (one, disks):
        with large_part(one, [session(number) for number in range(20000)]):
            pass
        fillers = [leave(disk, 512 << 10) for disk in disks]
        both = "hards " + ", ".join(shard.url for shard in one.cluster.shards)
        assert f"s{both} did not merge the sessions of a week. Does the disk have" in one.run("rollup", code=4).stderr
        for filler in fillers:
            filler.unlink()
        one.run("rollup")
        one.push([session(number, 1) for number in range(200)])
        for disk in disks:
            leave(disk, 512 << 10)
        text = " ".join(one.run("rollup").stdout.split())
        assert text.startswith("Rolled up 0 of 1 week on 2 shards"), text
        assert f"S{both} did not merge the later sessions of a week" in text


# A server merges only into the space beyond this.
KEPT_FREE = 30 << 20


def parts(shard):
    """The first and the last block of each active part of the sessions, in the order of the inserts."""
    return [tuple(map(int, row["name"].split("_")[1:3])) for row in shard.rows(
        "SELECT name FROM system.parts WHERE database = 'dejank' AND table = 'sessions_local' AND active ORDER BY min_block_number")]


def test_a_week_that_a_shard_merges_only_in_part_is_not_rolled_up(full_fleet):
    """The disk has space to merge the first parts of a week, but not the last one."""
    one, disk = full_fleet
    shard = one.cluster.shards[1]
    sessions = [session(number) for number in range(20400)]
    with large_part(one, sessions[400:]):
        one.push(sessions[:200])
        one.run("rollup")
        one.push(sessions[200:400])
    before = parts(shard)
    assert len(before) > 2, before
    filler = leave(disk, KEPT_FREE + (256 << 10))
    rollup = subprocess.Popen([one.build / "dejank", "fleet", "rollup", "--json", *one.cluster.options()], stdout=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: "not enough free space" in shard.messages(), 60, "refused merge")  # so rollup has read the parts
        while len(parts(shard)) > 2:
            assert rollup.poll() is None, "the server did not merge in part"
            shard.sql("OPTIMIZE TABLE dejank.sessions_local")
        assert parts(shard) == [(before[0][0], before[-2][1]), before[-1]]
        assert json.loads(rollup.communicate(timeout=120)[0]) == {"schema": "dejank.fleet-rollup/1", "weeks": 0, "weeks_not_merged": 1, "shards": 2}
    finally:
        rollup.kill()
        rollup.communicate()
    check(one, sessions, "version")
    filler.unlink()
    assert one.json("rollup") == {"schema": "dejank.fleet-rollup/1", "weeks": 1, "weeks_not_merged": 0, "shards": 2}
    check(one, sessions, "version")


def is_on(fleet, item, index):
    return fleet.cluster.shards[0].sql(f"SELECT sipHash64(unhex('{item['id']}')) % 2").strip() == str(index)
