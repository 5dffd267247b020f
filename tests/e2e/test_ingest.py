"""POST /ingest/v1/sessions of dejank serve: accepted data, permitted senders, and no lost session if a component fails."""
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time

import pytest

from displays import wait_until
from fleet import DAY_S, answer, lines, newest, session
from serve_client import Served
from test_serve import refusal, token_file

PATH = "/ingest/v1/sessions"
TOKEN = "a-token-of-apps-0123456789"
PATIENCE_S = 120  # The forwarder tries again after 30 s at most.

pytestmark = pytest.mark.xdist_group("fleet")


class Ingest(Served):
    """A server that accepts sessions."""

    def __init__(self, fleet, *words, enter=()):
        self.fleet = fleet
        path = fleet.folder / "ingest-token"
        if not path.exists():
            path.write_text(TOKEN + "\n")
            path.chmod(0o600)
        super().__init__(fleet.build, None, fleet.folder, "--fleet", *fleet.cluster.options(), "--ingest-token-file", path,
                         "--spool", fleet.spool, *words, enter=enter, environment={"XDG_DATA_HOME": str(fleet.folder)})

    def post(self, body, token=TOKEN, **more):
        body = body if isinstance(body, (str, bytes)) else lines(body)
        return self.request("POST", PATH, body, Authorization=f"Bearer {token}", **more)

    def accept(self, sessions):
        answer = self.post(sessions)
        assert answer.status == 200, answer
        assert answer.json == {"schema": "dejank.fleet-ingest/1", "accepted": len(sessions), "refused": 0, "refusals": []}


@pytest.fixture
def ingest(fleet):
    servers = []

    def start(*words, **more):
        servers.append(Ingest(fleet, *words, **more))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def recent(count, seed=0, **more):
    today = int(time.time()) // DAY_S * DAY_S
    return [session(number, seed, version=f"1.{number % 3}", start=today - DAY_S * (number % 40), **more) for number in range(count)]


def waiting(fleet):
    return sorted(path.name for path in fleet.spool.iterdir() if path.name.endswith(".rowbinary"))


def wait_until_sent(fleet, sessions):
    """Waits until the spool is empty, and checks that the answers count exactly these sessions."""
    wait_until(lambda: not waiting(fleet), PATIENCE_S, "empty spool")
    for by in ("version", "device,day"):
        assert fleet.rows(by)[0] == answer(sessions, by.split(",")), by


# ---- accepted data


def test_sessions_arrive(ingest, fleet):
    served = ingest()
    sessions = recent(300)
    for at in range(0, 300, 50):
        served.accept(sessions[at:at + 50])
    wait_until_sent(fleet, sessions)


def test_a_session_that_is_sent_again_counts_once(ingest, fleet):
    served = ingest()
    sessions = recent(40)
    grown = [{**one, "revision": 3, "frames": one["frames"] + 9} for one in sessions[:10]]
    for some in (sessions, sessions + sessions, grown, list(reversed(sessions))):
        served.accept(some)
    wait_until_sent(fleet, sessions + grown)


def test_bodies_may_be_compressed(ingest, fleet):
    served = ingest()
    sessions = recent(500)
    packed = gzip.compress(lines(sessions[:400]).encode()) + gzip.compress(lines(sessions[400:]).encode())
    assert served.post(packed, Content_Encoding="gzip").json["accepted"] == 500
    wait_until_sent(fleet, sessions)


def test_a_last_line_without_line_feed_and_empty_lines(ingest, fleet):
    served = ingest()
    sessions = recent(3)
    text = "\n\r\n" + lines(sessions[:2]) + " \n" + lines(sessions[2:]).rstrip()
    assert served.post(text).json["accepted"] == 3
    wait_until_sent(fleet, sessions)


def test_a_lying_client_is_refused_and_the_rest_is_kept(ingest, fleet):
    served = ingest()
    good = recent(4)
    now = int(time.time())

    def lie(number, **more):
        return json.dumps({**good[0], "id": f"{number:032x}", **more})

    lies = [
        (lie(1, janky=good[0]["frames"] + 1), "janky:"),
        (lie(2, frame_time={"5": good[0]["frames"] + 1}), "frame_time: its counts add up to"),
        (lie(3, frozen=good[0]["slow"] + 1, frames=10 ** 6, frame_time=None), "frozen:"),
        (lie(4, frame_time={str(number): 1 for number in range(10 ** 6)}), "the line is longer than 65536 bytes"),
        (lie(5, device="x" * (1 << 20)), "the line is longer than 65536 bytes"),
        (lie(6, device="x" * 300), "device: expected at most 200 bytes, found 300"),
        (lie(7, frame_time={str(number): 1 for number in range(4000)}), "expected a bucket of hwui"),
        (lie(8, start_unix_s=now + 2 * DAY_S), "is more than a day in the future"),
        (lie(9, start_unix_s=now - 370 * DAY_S), "is more than 366 days ago"),
        (lie(0), "id: expected 32 hexadecimal digits, not all 0"),
        (lie(10, frames=-1), "frames: expected"),
        (lie(11, frames=10 ** 30), "too big integer"),
        (lie(12, app="a\x00b"), "is not allowed"),
        ('{"id":', "expected a JSON object"),
        ("[]", "expected a JSON object"),
        (b"\xff\xfe".decode("latin-1"), "expected a JSON object"),
    ]
    text = "".join(json.dumps(good[number % 4]) + "\n" + one + "\n" for number, (one, _) in enumerate(lies))
    answered = served.post(gzip.compress(text.encode()), Content_Encoding="gzip")
    assert answered.status == 207 and answered.headers["Content-Type"] == "application/json"
    assert (answered.json["accepted"], answered.json["refused"]) == (len(lies), len(lies))
    for number, (refused, (_, reason)) in enumerate(zip(answered.json["refusals"], lies)):
        assert refused["line"] == 2 * number + 2 and reason in refused["reason"], (number, refused)
    wait_until_sent(fleet, good)


def test_only_the_first_reasons_are_in_the_answer(ingest, fleet):
    answered = ingest().post("{}\n" * 1000)
    assert answered.status == 400 and (answered.json["accepted"], answered.json["refused"]) == (0, 1000)
    assert [one["line"] for one in answered.json["refusals"]] == list(range(1, 21))
    assert waiting(fleet) == []


# ---- limits


BLANK = b" " * 65535 + b"\n"


def test_bodies_that_are_no_sessions(ingest, fleet):
    served = ingest()
    good = lines(recent(1))
    packed = gzip.compress(good.encode() * 2000)
    for body, headers, status, reason in (
            ("", {}, 400, "one session per line"),
            ("\n \n", {}, 400, "one session per line"),
            (good, {"Content_Encoding": "br"}, 415, "expected gzip or none"),
            (good, {"Content_Encoding": "gzip"}, 400, "no valid gzip data"),
            (packed[:-9], {"Content_Encoding": "gzip"}, 400, "no valid gzip data"),
            (packed[:100] + b"xyz" + packed[103:], {"Content_Encoding": "gzip"}, 400, "no valid gzip data"),
            (packed + b"tail", {"Content_Encoding": "gzip"}, 400, "no valid gzip data"),
            (gzip.compress(BLANK * (33 << 4)), {"Content_Encoding": "gzip"}, 413, "longer than 32 MiB after decompression"),
            (gzip.compress(b"x\n" * (16 << 20)), {"Content_Encoding": "gzip"}, 413, "more than 100000 lines"),
            (BLANK * (9 << 4), {}, 413, "longer than 8 MiB")):
        answered = served.post(body, **headers)
        assert answered.status == status and reason in answered.json["error"], (body[:20], headers, answered)
    assert served.post((BLANK * (8 << 4))[len(good):] + good.encode()).status == 200
    wait_until_sent(fleet, [json.loads(good)])


def test_a_client_that_stops_in_the_middle(ingest, fleet):
    served = ingest()
    body = lines(recent(20)).encode()
    head = (f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    connection = served.connect()
    connection.connect()
    connection.sock.sendall(head + body[:len(body) // 2])
    connection.close()
    served.accept(recent(3, 5))
    wait_until_sent(fleet, recent(3, 5))


def test_too_many_bodies_at_once_are_refused(ingest, fleet):
    served = ingest()
    size = (8 << 20) - 1000
    head = (f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Length: {size + 1}\r\n\r\n").encode()
    half_sent = []

    def send_half():
        half_sent.append(served.connect())
        half_sent[-1].connect()
        half_sent[-1].sock.sendall(head + b" " * size)

    def is_refused():
        send_half()  # The body of an earlier attempt may have caused the server to drop another one.
        answered = served.post(" " * (1 << 20))
        return answered.status == 503 and int(answered.headers["Retry-After"]) > 0

    try:
        for _ in range(16):
            send_half()
        wait_until(is_refused, 60, "refusal")
    finally:
        for one in half_sent:
            one.close()
    wait_until(lambda: served.post(recent(2)).status == 200, 60, "memory")
    wait_until_sent(fleet, recent(2))


def test_quiet_still_reports_sessions_that_wait(ingest, fleet):
    for shard in fleet.cluster.shards:
        shard.kill()
    served = ingest("--quiet")
    served.accept(recent(3))
    wait_until(lambda: "sessions wait in" in served.log, 60, "line of the log")
    assert "POST" not in served.log
    fleet.cluster.start()
    wait_until_sent(fleet, recent(3))


def test_a_long_body_without_token_needs_no_memory(ingest):
    served = ingest()
    served.accept(recent(1))
    before = served.memory_kb()
    for _ in range(3):
        assert served.post(b" " * (40 << 20), token="wrong" * 5).status == 401
    assert served.memory_kb() - before < 20_000


# ---- requests per client


def send_until_refused(send, most):
    """Sends requests until one is refused. Returns how many were accepted, and the last answer."""
    for accepted in range(most):
        answered = send()
        if answered.status != 200:
            return accepted, answered
    raise AssertionError(f"none of {most} requests was refused")


def test_a_client_that_sends_too_often_must_wait(ingest, fleet):
    served = ingest("--ingest-rate", 20)
    start = time.monotonic()
    accepted, refused = send_until_refused(lambda: served.post(recent(1)), 200)
    seconds = time.monotonic() - start
    assert 20 <= accepted <= 21 + seconds / 3
    assert refused.status == 429 and "more than 20 requests per minute from this address" in refused.json["error"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 3
    assert served.post(recent(1), source="127.0.0.2").status == 200, "another client"
    assert served.get("/healthz").status == 200, "other requests"
    assert f"POST {PATH} 429" in served.log
    wait_until(lambda: served.post(recent(1)).status == 200, 60, "an accepted request")
    wait_until_sent(fleet, recent(1))


def test_behind_a_proxy_its_header_names_the_client(ingest):
    served = ingest("--ingest-rate", 2, "--behind-proxy")

    def send(address, **more):
        return send_until_refused(lambda: served.post(recent(1), X_Forwarded_For=address, **more), 60)

    accepted, refused = send("198.51.100.1, 192.0.2.1")
    assert accepted >= 2 and refused.status == 429
    # Entries that the client wrote into the header change nothing, and neither does the connection.
    assert served.post(recent(1), X_Forwarded_For="198.51.100.2, 192.0.2.1", source="127.0.0.2").status == 429
    assert served.post(recent(1), X_Forwarded_For="192.0.2.2").status == 200
    _, shared = send_until_refused(lambda: served.post(recent(1)), 60)
    assert shared.status == 429 and "the proxy sends no X-Forwarded-For" in shared.json["error"]


def test_the_last_of_several_headers_is_that_of_the_proxy(ingest):
    served = ingest("--ingest-rate", 1, "--behind-proxy")
    body = lines(recent(1))

    def status(*addresses):
        head = [f"POST {PATH} HTTP/1.1", f"Host: 127.0.0.1:{served.port}", f"Authorization: Bearer {TOKEN}", "Connection: close",
                f"Content-Length: {len(body)}", *(f"X-Forwarded-For: {address}" for address in addresses)]
        return int(served.raw("\r\n".join(head).encode() + b"\r\n\r\n" + body.encode()).split()[1])

    assert status("198.51.100.1", "192.0.2.1") == 200
    assert status("198.51.100.2", "192.0.2.1") == 429
    assert status("192.0.2.1", "198.51.100.1") == 200


def test_refused_bodies_and_many_clients_need_no_memory(ingest):
    served = ingest("--ingest-rate", 1, "--behind-proxy", "--quiet")
    connection = served.connect()

    def send(client, body):
        connection.request("POST", PATH, body, {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": client})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    send("192.0.2.1", "x")
    before = served.memory_kb()
    for number in range(500):
        assert send(f"10.0.{number // 250}.{number % 250}", "x") == 400
    for _ in range(3):
        assert send("10.0.1.249", b" " * (8 << 20)) == 429
    assert served.memory_kb() - before < 4000
    connection.close()


# ---- permitted senders


def test_only_the_token_of_apps_may_send(ingest, fleet):
    served = ingest()
    sessions = recent(2)
    program = served.token
    assert served.post(sessions, token=program).status == 401
    assert served.post(sessions, token=TOKEN[:-1]).status == 401
    assert served.post(sessions, token=TOKEN + "0").status == 401
    assert served.request("POST", PATH, lines(sessions)).status == 401
    served.log_in()
    assert served.browse(PATH, "POST", lines(sessions)).status == 401
    assert served.browse(f"{PATH}?token={TOKEN}", "POST", lines(sessions)).status == 401
    assert served.request("OPTIONS", PATH, Origin="http://evil.example", Access_Control_Request_Method="POST",
                          Access_Control_Request_Headers="authorization").status == 405
    assert served.post(sessions, Host="evil.example").status == 421
    for method in ("GET", "PUT", "DELETE"):
        assert served.request(method, PATH, Authorization=f"Bearer {TOKEN}").status == 405
    assert waiting(fleet) == []
    # The token of apps permits nothing else.
    for path in ("/", "/api/v1/batches", "/batches"):
        assert served.get(path, TOKEN).status == 401
    assert TOKEN not in served.log and served.log.count(f"POST {PATH} 401") == 6


def test_a_server_without_ingest_token_accepts_nothing(fleet, build, tmp_path):
    served = Served(build, None, tmp_path, "--fleet", *fleet.cluster.options(), environment={"XDG_DATA_HOME": str(tmp_path)})
    try:
        answered = served.request("POST", PATH, lines(recent(1)), Authorization=f"Bearer {served.token}")
        assert answered.status == 404 and "--ingest-token-file" in answered.json["error"]
    finally:
        served.close()


def test_sighup_reads_the_token_of_apps_again(ingest, fleet):
    served = ingest()
    (fleet.folder / "ingest-token").write_text("another-token-of-apps\n")
    served.rotate()
    assert served.post(recent(1)).status == 401
    assert served.post(recent(1), token="another-token-of-apps").status == 200


def test_wrong_options(build, tmp_path):
    token = token_file(tmp_path)
    shard = ("--shard", "http://127.0.0.1:1")
    ingest = ("--fleet", *shard, "--ingest-token-file", token)
    assert "need --fleet" in refusal(build, tmp_path, "--ingest-token-file", token)
    assert "need --fleet" in refusal(build, tmp_path, *shard)
    assert "expected --shard URL" in refusal(build, tmp_path, "--fleet")
    assert "expected a shard such as" in refusal(build, tmp_path, "--fleet", "--shard", "db1:8123")
    assert "cannot read the token file" in refusal(build, tmp_path, "--fleet", *shard, "--ingest-token-file", "missing", code=3)
    assert "have the same token" in refusal(build, tmp_path, *ingest, "--token-file", token, code=4)
    assert "cannot create" in refusal(build, tmp_path, *ingest, "--spool", "missing/spool", code=4)
    (tmp_path / "file").write_text("")
    assert "cannot" in refusal(build, tmp_path, *ingest, "--spool", "file", code=4)
    assert "--token-file is required" in refusal(build, tmp_path, *ingest, "--listen", "0.0.0.0:0")


# ---- faults


@pytest.mark.parametrize("dead", [(0,), (0, 1)])
def test_a_dead_shard_loses_nothing(ingest, fleet, dead):
    served = ingest()
    sessions = recent(200)
    served.accept(sessions[:50])
    for index in dead:
        fleet.cluster.shards[index].kill()
    for at in range(50, 200, 30):
        served.accept(sessions[at:at + 30])
    wait_until(lambda: "sessions wait in" in served.log, 60, "line of the log about the shard")
    assert waiting(fleet)
    # The server is killed, and the next one sends the waiting sessions.
    served.process.kill()
    served.process.wait()
    served = ingest()
    served.accept(recent(20, 7))
    fleet.cluster.start()
    wait_until_sent(fleet, sessions + recent(20, 7))
    assert served.stop()[0] == 0


def test_sessions_of_a_living_shard_do_not_wait_for_a_dead_one(ingest, fleet):
    served = ingest()
    sessions = recent(100)
    fleet.cluster.shards[1].kill()
    served.accept(sessions)
    wait_until(lambda: [name for name in waiting(fleet) if ".1-of-2." in name] == waiting(fleet) != [], 60, "spool of one shard")
    held = waiting(fleet)
    (count,) = (int(name.split(".")[1]) for name in held)
    found = fleet.json("query", "--partial")
    assert found["rows"][0]["sessions"] == 100 - count
    # The file of the dead shard is not written again and again.
    served.accept(recent(1, 9))
    wait_until(lambda: len(waiting(fleet)) == 1 or fleet.json("query", "--partial")["rows"][0]["sessions"] > 100 - count or
               len(waiting(fleet)) > 1 and all(".1-of-2." in name for name in waiting(fleet)), 60, "second session")
    assert held[0] in waiting(fleet)
    fleet.cluster.start()
    wait_until_sent(fleet, sessions + recent(1, 9))
    wait_until(lambda: "all waiting sessions were sent" in served.log, 60, "line of the log")


def test_shards_and_servers_that_die_while_sessions_arrive(ingest, fleet):
    """Every session that was accepted arrives, although shards and the server are killed."""
    state = {"served": ingest()}
    accepted, lock, rng = [], threading.Lock(), random.Random(3)

    def send(worker):
        for number in range(25):
            some = recent(8, f"{worker}-{number}")
            try:
                if state["served"].post(some).status == 200:
                    with lock:
                        accepted.extend(some)
            except OSError:
                time.sleep(0.05)
            except Exception:  # a truncated answer
                time.sleep(0.05)

    workers = [threading.Thread(target=send, args=(worker,)) for worker in range(4)]
    for worker in workers:
        worker.start()
    for _ in range(2):
        fleet.cluster.shards[rng.randrange(2)].kill()
        state["served"].process.kill()
        state["served"].process.wait()
        state["served"] = ingest()
        fleet.cluster.start()
    for worker in workers:
        worker.join()
    wait_until(lambda: not waiting(fleet), PATIENCE_S, "empty spool")
    found = {row["id"] for row in fleet.raw("SELECT lower(hex(id)) AS id FROM dejank.sessions_local FINAL")}
    assert len(accepted) > 100 and {one["id"] for one in newest(accepted)} <= found


def test_tables_that_are_missing_are_reported(ingest, fleet):
    fleet.clear()
    served = ingest()
    served.accept(recent(10))
    wait_until(lambda: "sessions wait in" in served.log, 60, "line of the log")
    assert "dejank fleet init" in served.log
    fleet.run("init")
    wait_until_sent(fleet, recent(10))


def test_a_push_and_a_server_share_a_spool(ingest, fleet):
    sessions = recent(60)
    fleet.cluster.shards[0].kill()
    served = ingest()
    served.accept(sessions)
    done = fleet.push(recent(30, 4), code=3)
    assert done["spooled"] > 0
    fleet.cluster.start()
    fleet.run("push", code=None)
    wait_until_sent(fleet, sessions + recent(30, 4))


def test_a_damaged_file_of_the_spool_is_set_aside(ingest, fleet):
    fleet.spool.mkdir()
    (fleet.spool / "00000000001-0-1-0.5.rowbinary").write_bytes(b"\xff" * 1000)
    served = ingest()
    served.accept(recent(5))
    wait_until_sent(fleet, recent(5))
    assert [path.name for path in fleet.spool.iterdir()] == ["00000000001-0-1-0.5.rowbinary.refused"]
    assert "is damaged" in served.log


def check_full(served, fleet, large):
    """The server refuses what does not fit, loses nothing, and accepts again."""
    accepted, status = [], 200
    for number in range(1000):
        some = recent(large, f"full-{number}")
        status = served.post(some).status
        if status != 200:
            break
        accepted += some
    answered = served.post(recent(large, "more"))
    assert status == answered.status == 507 and "send them again later" in answered.json["error"]
    assert int(answered.headers["Retry-After"]) > 0
    assert "cannot write" in served.log and str(fleet.spool) not in answered.text
    return accepted


def test_a_file_that_cannot_be_written(ingest, fleet):
    served = ingest(enter=["sh", "-c", "trap '' XFSZ; exec prlimit --fsize=100000 \"$@\"", "sh"])
    served.accept(recent(10))
    assert check_full(served, fleet, 2000) == []
    served.accept(recent(10, 1))
    wait_until_sent(fleet, recent(10) + recent(10, 1))


def test_a_full_disk(ingest, fleet):
    fleet.spool.mkdir()
    mount = f"mount -t tmpfs -o size=512k none {fleet.spool}"
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "sh", "-c", mount], capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted")
    for shard in fleet.cluster.shards:
        shard.kill()
    served = ingest(enter=["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh"])
    accepted = check_full(served, fleet, 300)
    assert accepted
    fleet.cluster.start()
    expected = answer(accepted, ["version"])
    wait_until(lambda: fleet.rows("version")[0] == expected, PATIENCE_S, "sessions of the full disk")
    wait_until(lambda: served.post(recent(50, "after")).status == 200, PATIENCE_S, "room on the disk")
    expected = answer(accepted + recent(50, "after"), ["version"])
    wait_until(lambda: fleet.rows("version")[0] == expected, PATIENCE_S, "further sessions")


def test_the_end_of_the_server_does_not_wait_for_a_shard_that_hangs(ingest, fleet):
    served = ingest()
    hanging = fleet.cluster.shards[0].server
    os.kill(hanging.pid, signal.SIGSTOP)
    try:
        served.accept(recent(50))
        code, seconds = served.stop()
        assert code == 0 and seconds < 20
    finally:
        os.kill(hanging.pid, signal.SIGCONT)
    ingest()
    wait_until_sent(fleet, recent(50))
