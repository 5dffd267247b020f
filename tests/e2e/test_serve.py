"""`dejank serve` over HTTP: access, responses of each path, equality with the output of commands, hostile input and faults."""
import http.client
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

import pytest

import made_dumps as made
import test_history as histories
from displays import wait_until
from postgres import IN_A_URL, PASSWORD, Cluster, PostgresStore
from serve_client import Answer, Page, Served, check_markup
from test_gate import Store
from timed import timed

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

TOKEN = "a-token-of-the-file-0123456789"
HOUR_S = 3600


class History(histories.Store):
    def __init__(self, store):
        super().__init__(store.build, store.folder)
        self.path = store.path


def fill(store):
    """Adds two builds with five runs each, and an imported history with a change. Returns the ids of the two batches."""
    a = store.add("A", noise=[-0.01, 0.004, 0.012, -0.006, 0])
    b = store.add("B", scale=1.3, noise=[0.01, -0.004, -0.012, 0.006, 0.001])
    store.sql("UPDATE builds SET version = '1.' || (id + 6)")
    History(store).load(histories.table(), "--package", "hist")
    return a, b


@pytest.fixture
def serve(build, tmp_path):
    """serve(store, *options) starts a server. Without a store, it serves the user's store, which does not exist."""
    servers = []

    def start(store, *words, **more):
        (tmp_path / "segments").mkdir(mode=0o700, exist_ok=True)
        if isinstance(store, Store) and not store.path.exists():
            History(store).load("time,value\n1600000000,1\n", "--package", "one")
        environment = {"XDG_DATA_HOME": str(tmp_path), "DEJANK_DIR": str(tmp_path / "segments"), "ANDROID_ADB_SERVER_PORT": "1", **more}
        servers.append(Served(build, getattr(store, "path", store), tmp_path, *words, environment=environment))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def store(build, tmp_path):
    return Store(build, tmp_path)


def wait_for_states(served):
    """Waits until the first page shows the states of the projects."""
    wait_until(lambda: "Searching for changes" not in Page(served.page("/")).text, 120, "states of the projects")


class Site:
    """A store that no test changes, and a server for it."""

    def __init__(self, build, folder):
        self.store = Store(build, folder)
        self.a, self.b = fill(self.store)
        (folder / "segments").mkdir(mode=0o700)
        self.served = Served(build, self.store.path, folder,
                             environment={"DEJANK_DIR": str(folder / "segments"), "ANDROID_ADB_SERVER_PORT": "1"})
        self.served.log_in()
        wait_for_states(self.served)

    def command(self, *words, store=True):
        done = subprocess.run([self.store.build / "dejank", *words, "--json", *(["--store", self.store.path] if store else [])],
                              capture_output=True, text=True, check=False, cwd=self.store.folder, timeout=60,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", "ANDROID_ADB_SERVER_PORT": "1",
                                   "DEJANK_DIR": str(self.store.folder / "segments")})
        assert done.stdout, done
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def site(build, tmp_path_factory):
    place = Site(build, tmp_path_factory.mktemp("site"))
    yield place
    place.served.close()


def token_file(folder, token=TOKEN, mode=0o600):
    path = folder / "token"
    path.write_text(token + "\n")
    path.chmod(mode)
    return path


def refusal(build, folder, *words, code=2):
    """Returns the errors of a server that does not start."""
    done = subprocess.run([build / "dejank", "serve", *map(str, words)], capture_output=True, text=True, check=False, timeout=30,
                          cwd=folder, env={**os.environ, "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(folder)})
    assert (done.returncode, done.stdout) == (code, ""), done
    return done.stderr


# ---- access


def test_the_token_of_the_address_logs_in_one_browser(serve, store):
    served = serve(store)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{64}", served.url)
    assert served.request("GET", "/").status == 401
    assert served.request("GET", f"/?token={served.token[:-1]}").status == 401
    assert served.request("GET", "/?token=").status == 401
    answer = served.request("GET", f"/batches?token={served.token}&project=a%26b")
    assert answer.status == 303 and answer.headers["Location"] == "/batches?project=a%26b"
    name, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert re.fullmatch(rf"dejank-{served.port}=[0-9a-f]{{64}}", name) and served.token not in name
    assert set(attributes) == {"HttpOnly", "SameSite=Strict", "Path=/", f"Max-Age={12 * HOUR_S}"}
    assert served.request("GET", "/", Cookie=name).status == 200
    assert served.request("GET", "/", Cookie=f"a=b; {name}; c=d").status == 200
    assert served.request("GET", "/", Cookie=f"x{name}").status == 401
    assert served.request("GET", "/", Cookie=name[:-1]).status == 401
    assert served.request("GET", "/", Cookie=name + "0").status == 401
    again = served.request("GET", f"/?token={served.token}")
    assert again.status == 401 and "already used" in again.text and again.headers["Set-Cookie"] is None
    # A logged-in browser opens the address again. The server redirects it to the page and sets no second cookie.
    again = served.request("GET", f"/?token={served.token}", Cookie=name)
    assert (again.status, again.headers["Location"], again.headers["Set-Cookie"]) == (303, "/", None)


def test_programs_send_the_token_of_the_address_if_there_is_no_file(serve, store):
    served = serve(store).log_in()
    assert served.get("/api/v1/batches").status == 200  # also after a browser used it
    for header in ("", "Bearer", "Bearer ", f"Bearer {served.token}0", f"Bearer {served.token[:-1]}", f"Basic {served.token}",
                   f"Bearer  {served.token}", "Bearer " + "0" * 64):
        answer = served.request("GET", "/api/v1/batches", Authorization=header)
        assert answer.status == 401 and answer.json == {"error": "send the header Authorization: Bearer TOKEN"}, header


def test_programs_send_the_token_of_the_file(serve, store, tmp_path):
    served = serve(store, "--token-file", token_file(tmp_path))
    assert TOKEN not in served.url
    assert served.get("/api/v1/batches", TOKEN).status == 200
    assert served.get("/api/v1/batches").status == 401  # the token of the address
    assert served.get("/", TOKEN).status == 200
    assert served.log_in().browse("/").status == 200


def test_sighup_makes_tokens_and_logins_invalid(serve, store, tmp_path):
    served = serve(store).log_in()
    cookie, token = served.cookie, served.token
    streams = [served.events(), served.events("/api/v1/live/local%3A/nothing/events")]
    served.rotate()
    wait_until(lambda: [stream.ended for stream in streams] == ["cleanly"] * 2, 10, "end of the streams")
    for stream in streams:
        stream.close()
    assert served.token != token
    assert served.request("GET", "/", Cookie=cookie).status == 401
    assert served.get("/", token).status == 401 and served.request("GET", f"/?token={token}").status == 401
    assert served.get("/").status == 200 and served.log_in().browse("/").status == 200

    path = token_file(tmp_path)
    served = serve(store, "--token-file", path)
    token_file(tmp_path, "another-token-in-the-file")
    served.rotate()
    assert served.get("/", TOKEN).status == 401 and served.get("/", "another-token-in-the-file").status == 200
    path.write_text("short\n")
    served.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "dejank keeps the previous token" in served.log, 10, "message")
    assert served.get("/", "another-token-in-the-file").status == 200


def test_a_token_file_that_others_can_read_is_refused(build, tmp_path):
    assert "other users can access the token: run chmod 600" in refusal(build, tmp_path, "--token-file", token_file(tmp_path, mode=0o644),
                                                                          code=3)
    token_file(tmp_path, "0123456789abcde", 0o600)
    assert "expected a token of at least 16 characters" in refusal(build, tmp_path, "--token-file", tmp_path / "token", code=4)
    token_file(tmp_path, "a token with spaces and so on", 0o600)
    assert "without spaces" in refusal(build, tmp_path, "--token-file", tmp_path / "token", code=4)
    assert "cannot read the token file" in refusal(build, tmp_path, "--token-file", tmp_path / "missing", code=3)


def test_addresses_of_other_machines_need_protection(serve, store, build, tmp_path):
    path = token_file(tmp_path)
    for address in ("0.0.0.0:0", "[::]:0", ":0"):
        assert "so --token-file is required" in refusal(build, tmp_path, "--listen", address)
        assert "--behind-proxy, are required" in refusal(build, tmp_path, "--listen", address, "--token-file", path)
    for address in ("127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:x", "8080"):
        assert "expected ADDRESS:PORT" in refusal(build, tmp_path, "--listen", address)
    assert "unknown address" in refusal(build, tmp_path, "--listen", "no-such-host.invalid:0")
    assert "need each other" in refusal(build, tmp_path, "--tls-cert", path)
    served = serve(store, "--listen", "0.0.0.0:0", "--token-file", path, "--behind-proxy")
    assert served.get("/", TOKEN).status == 200
    assert served.get("/", TOKEN, Host="dejank.example.org").status == 200  # the proxy checks the host
    assert "Secure" in served.request("GET", f"/?token={served.token}").headers["Set-Cookie"].split("; ")


def test_an_address_that_is_in_use(serve, store, build, tmp_path):
    served = serve(store)
    assert "Address already in use" in refusal(build, tmp_path, "--listen", f"127.0.0.1:{served.port}", code=3)


def test_two_servers_of_a_host_do_not_end_each_others_logins(serve, store):
    """A browser sends the cookies of a host to all its ports."""
    one, other = serve(store), serve(store)
    cookies = "; ".join(served.request("GET", f"/?token={served.token}").headers["Set-Cookie"].split(";")[0] for served in (one, other))
    assert [served.request("GET", "/", Cookie=cookies).status for served in (one, other)] == [200, 200]


def test_the_host_must_be_the_server(site):
    served, port = site.served, site.served.port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
        assert served.request("GET", "/healthz", Host=host).status == 200, host
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}",
                 f"127.0.0.1:{port}.evil", f"[::1]:{port}x", "", f"127.0.0.2:{port}", f"localhost:{port}:1", f"x@127.0.0.1:{port}",
                 "[", "]", ":", f":{port}", "a" * 3000, f"127.0.0.1:{port + (1 << 32)}"):
        answer = served.get("/", Host=host)
        assert answer.status == 421, (host, answer)
    assert served.raw_get("/", version="HTTP/1.0") == 200
    no_host = served.raw(f"GET / HTTP/1.0\r\nAuthorization: Bearer {served.token}\r\n\r\n".encode())
    assert no_host.startswith(b"HTTP/1.0 421 ") or no_host.startswith(b"HTTP/1.1 421 ")


def test_tls(serve, store, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    served = serve(store, "--tls-cert", certificate, "--tls-key", key, "--listen", "0.0.0.0:0", "--token-file", token_file(tmp_path),
                   "--host", "perf.example", "--host", "other.example")
    assert served.url.startswith("https://")
    answer = served.get("/", TOKEN)
    assert answer.status == 200 and "max-age=" in answer.headers["Strict-Transport-Security"]
    assert "Secure" in served.request("GET", f"/?token={served.token}").headers["Set-Cookie"].split("; ")
    assert served.get("/", TOKEN, Host=f"evil.example:{served.port}").status == 421
    assert served.get("/", TOKEN, Host=f"perf.example:{served.port + 1}").status == 421
    for host in (f"perf.example:{served.port}", f"PERF.example:{served.port}", f"other.example:{served.port}"):
        assert served.get("/", TOKEN, Host=host).status == 200, host
    served.raw(b"GET / HTTP/1.1\r\n\r\n", seconds=5)  # no TLS
    served.token = TOKEN
    with_events = served.events()
    assert served.get("/healthz").status == 200
    assert served.stop()[0] == 0
    with_events.close()


def test_a_wrong_certificate_is_refused(build, tmp_path):
    for name in ("key", "cert"):
        (tmp_path / name).write_text("-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n")
    files = "--tls-cert", tmp_path / "cert", "--tls-key", tmp_path / "key"
    assert "check the files of --tls-cert and --tls-key" in refusal(build, tmp_path, *files, code=3)
    (tmp_path / "cert").write_text("no\n")
    assert "PEM" in refusal(build, tmp_path, *files, code=4)


# ---- responses of each path


def test_every_path_answers(site):
    served, a, b = site.served, site.a, site.b
    expected = {
        "/": ["Projects", "1 of 2 projects got worse", "shop", "hist", "no data for"],
        "/projects/shop": ["shop", "Newest batches", a, "scroll"],
        "/projects/hist": ["p95 of hist +12.0 %", "1.25"],
        "/batches": [a, b, "Newest first"],
        f"/batches/{a}": [a, "Runs", "Compare with another batch"],
        f"/batches/{a[:6]}": [a],
        "/runs/1": ["Run 1 of batch", "Evidence", "Download gfxinfo"],
        "/compare": ["Compare", a, b],
        f"/compare/{a}..{b}": ["+30", a, b],
        "/compare/A..B": ["+30"],
        "/compare/1.7..1.8": ["+30"],
        f"/compare/{a}..{b},B": ["several builds", "against"],
        "/gate": ["Gate", "May this build be released?"],
        "/gate?project=shop&baseline=A": ["fails"],
        "/devices": ["local:"],
        "/live": ["No recorded app runs on this machine"],
        "/live/local%3A/my%20app": ["my app on this machine"],
    }
    for path, words in expected.items():
        page = Page(served.page(path))
        for word in words:
            assert word in page.text, (path, word, page.text[:800])
    answer = served.browse("/runs/1/evidence/0")
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="run-1-gfxinfo.txt"'
    assert answer.text == (site.store.folder / "1.txt").read_text()
    assert served.request("GET", "/healthz").json == {"status": "ok", "store": True}
    assert served.json("/api/v1/live") == {"schema": "dejank.live-apps/1", "apps": []}


def test_a_project_is_filtered_by_version(site):
    """Version, label and commit name a build. The page offers those that are in the store."""
    every, one, none = (site.served.page(f"/projects/hist{query}") for query in ("", "?version=1.25", "?version=0.0"))
    assert '<option value="1.25">' in every
    assert 'name="version" list="choices-version" value="1.25"' in one
    shown = [set(re.findall(r"\b1\.\d+\b", Page(re.sub("<datalist.*?</datalist>", "", page, flags=re.S)).text)) for page in (every, one, none)]
    assert len(shown[0]) > 1 and shown[1:] == [{"1.25"}, set()], shown


def test_links_of_the_pages_work(site):
    """Follows all links from the first page, except those to /devices. Each link works."""
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        if path in seen or path.startswith("/devices"):
            continue
        seen.add(path)
        answer = site.served.browse(path)
        assert answer.status in (200, 303), (path, answer)
        if answer.headers["Content-Type"].startswith("text/html"):
            waiting += [link.partition("#")[0] for link in Page(answer.text).links if not link.startswith("#")]
    assert {"/batches", "/compare", "/live", f"/batches/{site.a}", "/runs/1", "/projects/hist"} <= seen


def without_times(value):
    return {key: one for key, one in value.items() if key not in ("uptime_ms", "battery")}


def test_json_equals_that_of_the_commands(site):
    served, a, b = site.served, site.a, site.b
    same = {
        "/api/v1/batches": ["list"], f"/api/v1/batches/{a}": ["show", a], f"/api/v1/compare?a={a}&b={b}": ["compare", a, b],
        "/api/v1/compare?a=A&b=B": ["compare", "A", "B"], "/api/v1/batches?project=shop": ["list", "--project", "shop"],
        "/api/v1/gate?project=shop&baseline=A": ["gate", "--project", "shop", "--baseline", "A"],
        "/api/v1/gate?project=shop&baseline=last:1&metric=p95%3D50%25": ["gate", "--project", "shop", "--baseline", "last:1", "--metric",
                                                                         "p95=50%"],
    }
    for path, words in same.items():
        found, expected = served.json(path), site.command(*words)
        for one in (found, expected):
            one.pop("age_ms", None)  # the age of the candidate
        assert found == expected, path
    for path, words in {"/api/v1/history?project=hist": ["--project", "hist"], "/api/v1/history": [],
                        "/api/v1/history?project=shop&metric=p95&metric=p50": ["--project", "shop", "-m", "p95", "-m", "p50"],
                        "/api/v1/history?project=hist&since=2020-10-01": ["--project", "hist", "--since", "2020-10-01"]}.items():
        found = served.json(path)
        assert found.pop("git") is None  # the server has no repository
        assert {"git": None, **found} == {**site.command("history", *words), "git": None}, path
    (site.store.folder / "evidence.txt").write_bytes(served.get("/runs/1/evidence/0").data)
    parsed = site.command("parse", str(site.store.folder / "evidence.txt"), store=False)
    found = served.json("/api/v1/runs/1")
    for one in (parsed, found):
        one["inputs"][0].pop("source")
    for window in found["inputs"][0]["processes"][0]["windows"]:
        assert len(window["framestats"].pop("rows")) == 5  # the command prints them with --rows
    assert found == parsed
    (device,), (expected,) = served.json("/api/v1/devices")["devices"], site.command("devices", store=False)["devices"]
    assert device.keys() == expected.keys() and device["name"] == expected["name"] == "local:"


def test_parameters_filter_and_divide_lists(serve, store):
    for i in range(3):
        store.add(f"label{i}", noise=[0.0], flow=f"flow{i}", device=f"device{i}")
    store.sql_many("INSERT INTO batches (uid, project_id, build_id, device_id, name, kind, options, dejank, began_unix_ms)"
                   " SELECT ?, 1, 1, 1, 'many', 'run', '{}', '0.1', ?", [(f"many{i:012}", 1_500_000_000_000 + i) for i in range(120)])
    served = serve(store)
    listed = served.json("/api/v1/batches?limit=200")["batches"]
    assert len(listed) == 123
    ids = [batch["id"] for batch in listed]
    assert [batch["id"] for page in (1, 2, 3) for batch in served.json(f"/api/v1/batches?limit=50&page={page}")["batches"]] == ids
    assert served.json("/api/v1/batches?page=9")["batches"] == []
    assert [batch["id"] for batch in served.json("/api/v1/batches?name=flow1")["batches"]] == [ids[1]]
    assert [batch["id"] for batch in served.json("/api/v1/batches?device=device2")["batches"]] == [ids[0]]
    assert served.json("/api/v1/batches?project=none")["batches"] == []
    on_pages, path = [], "/batches?name=many"
    while path:
        page = Page(served.page(path))
        on_pages += [link.rpartition("/")[2] for link in page.links if link.startswith("/batches/")]
        assert page.fields("/batches")["name"] == "many"
        path = next((attributes["href"] for tag, attributes in page.tags if tag == "a" and "page=" in attributes.get("href", "")
                     and int(attributes["href"].rpartition("page=")[2]) * 50 > len(on_pages)
                     and int(attributes["href"].rpartition("page=")[2]) > (len(on_pages) - 1) // 50), None)
    assert on_pages == ids[3:]


FAILING = [
    ("/none", 404), ("/batches/none", 404), ("/batches/a/b", 404), ("/runs/999999", 404), ("/runs/x", 400), ("/runs/-1", 400),
    ("/runs/99999999999999999999", 400), ("/runs/1/evidence/99", 404), ("/runs/1/evidence/x", 400), ("/traces/1", 404),
    ("/traces/x", 400), ("/projects/none", 404), ("/projects/hist?page=0", 400), ("/projects/hist?page=x", 400),
    ("/projects/hist?since=yesterday", 400), ("/projects/hist?class=%3C", 400), 
    ("/batches?page=1000001", 400), ("/batches?page=99999999999999999999", 400), ("/compare/a", 400), ("/compare/..", 400),
    ("/compare/A..", 400), ("/compare/A..none", 404), ("/compare/A..A", 400), ("/gate?project=none", 404),
    ("/gate?project=shop&alpha=2", 400), ("/gate?project=shop&metric=none", 400), ("/gate?project=shop&baseline=merge-base:main", 400),
    ("/api/v1/none", 404), ("/api/v1/batches/none", 404), ("/api/v1/batches?limit=0", 400), ("/api/v1/batches?limit=1000000", 400),
    ("/api/v1/compare?a=A", 400), ("/api/v1/compare?a=A&b=none", 404), ("/api/v1/gate?project=none", 404), ("/api/v1/runs/x", 400),
    ("/api/v1/live/x/events", 404), ("/api/v2/batches", 404), ("/batches//", 400), ("/%", 400), ("/%zz", 400), ("/a%00b", 400),
    ("/%ff", 400), ("/a%0ab", 400), ("/?a=%1b", 400), ("/1/2/3/4/5/6/7/8/9", 400), ("/?" + "a=b&" * 33, 400)]


@pytest.mark.parametrize("path, status", FAILING, ids=[path[:40] for path, _ in FAILING])
def test_requests_that_fail(site, path, status):
    answer = site.served.get(path)
    assert answer.status == status, answer
    if path.startswith("/api"):
        assert list(answer.json) == ["error"] and answer.headers["Content-Type"] == "application/json"
    else:
        check_markup(answer.text, site.served.page("/gate"))
    assert answer.headers["ETag"] is None


def test_other_methods(site):
    served = site.served
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "GETX", "get"):
        answer = served.request(method, "/batches", Authorization=f"Bearer {served.token}")
        assert answer.status == 405, (method, answer)
    assert served.get("/projects/hist/bless").status == 405
    for path in ("/", "/api/v1/batches", "/healthz", "/api/v1/events", "/none"):
        answer = served.request("HEAD", path, Authorization=f"Bearer {served.token}")
        assert answer.status == (404 if path == "/none" else 200) and answer.data == b"", (path, answer)
    length = served.request("HEAD", "/batches", Authorization=f"Bearer {served.token}").headers["Content-Length"]
    assert int(length) == len(served.get("/batches").data)


def test_an_answer_that_the_browser_knows_is_not_sent_again(site):
    served = site.served
    for path in ("/batches", f"/batches/{site.a}", "/api/v1/batches", "/runs/1/evidence/0", f"/compare/{site.a}..{site.b}"):
        tag = served.get(path).headers["ETag"]
        assert re.fullmatch(r'"[0-9a-f]{32}"', tag)
        known = served.get(path, If_None_Match=f'"0", {tag}')
        assert (known.status, known.data, known.headers["ETag"]) == (304, b"", tag)
        assert served.get(path, If_None_Match='"0"').status == 200
    assert len({served.get(path).headers["ETag"] for path in ("/batches", "/gate", "/compare")}) == 3


def test_headers_that_protect(site):
    for answer in (site.served.get("/"), site.served.request("GET", "/"), site.served.get("/none"), site.served.get("/api/v1/batches")):
        policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'" and "unsafe" not in str(policy) and policy["form-action"] == "'self'"
        assert answer.headers["X-Frame-Options"] == "DENY" and answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer" and "no-cache" in answer.headers["Cache-Control"]
        assert answer.headers["Access-Control-Allow-Origin"] is None


# ---- new results


def check_new_results(served, add, project="shop"):
    """Checks that a stored run appears on the first page, and that an event reports it."""
    before = len(served.json("/api/v1/batches")["batches"])
    events = served.events()
    add()
    events.wait_for("store")
    wait_until(lambda: f"/projects/{project}" in Page(served.page("/")).links, 20, "project on the first page")
    count = len(events.of("store"))
    assert [event.id for event in events.of("store")] == sorted({event.id for event in events.of("store")})
    add()
    events.wait(lambda _: len(events.of("store")) > count, "second event")
    last = events.got[-1].id
    events.close()
    add()
    wait_until(lambda: len(served.json("/api/v1/batches")["batches"]) == before + 3, 20, "third batch")
    resumed = served.events(last_id=last)
    assert resumed.wait_for("store").id > last
    resumed.close()


def test_a_change_between_page_and_stream_is_not_missed(serve, store):
    """A page contains the id of its latest change. Its event stream begins with the next change."""
    store.add("A", noise=[0.0])
    served = serve(store)
    wait_until(lambda: "shop" in Page(served.page("/")).text, 20, "first project")
    known = json.loads(re.search(r'id="served"[^>]*>(.*?)</script>', served.page("/"), re.S)[1])["event_id"]
    other = served.events()
    place = len(other.got)
    store.add("B", noise=[0.0])
    change = other.wait_for("store", after=place)
    late = served.events(f"/api/v1/events?after={known}")
    late.wait(lambda got: any(event.id == change.id for event in got), "the change before the stream")
    for events in (other, late):
        events.close()


def test_a_stored_run_appears_at_once(serve, build, tmp_path):
    served = serve(None)
    store = Store(build, tmp_path)
    store.path = tmp_path / "dejank/history.db"
    assert "The store has no projects yet" in Page(served.page("/")).text
    assert "No batch matches" in Page(served.page("/batches")).text and served.get("/runs/1").status == 404
    assert served.request("GET", "/healthz").json == {"status": "ok", "store": False}
    check_new_results(served, lambda: store.add("A", noise=[0.0]))


def test_a_store_that_is_replaced_or_removed(serve, store, build, tmp_path):
    store.add("A", noise=[0.0])
    served = serve(store)
    events = served.events()
    wait_until(lambda: "shop" in Page(served.page("/")).text, 20, "first project")
    other = Store(build, tmp_path / "other")
    other.folder.mkdir()
    History(other).load(histories.table(), "--package", "other-project")
    for suffix in ("", "-wal", "-shm"):
        Path(f"{store.path}{suffix}").unlink(missing_ok=True)
    wait_until(lambda: served.get("/batches").status == 503, 20, "answer without a store")
    assert served.request("GET", "/healthz").status == 503
    place = len(events.got)
    other.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    other.path.rename(store.path)
    events.wait_for("store", after=place)
    wait_until(lambda: "other-project" in Page(served.page("/")).text, 20, "project of the new store")
    assert "shop" not in Page(served.page("/")).text
    events.close()


def test_a_damaged_store_is_no_answer(serve, store):
    store.add("A", noise=[0.0])
    served = serve(store)
    assert served.get("/batches").status == 200
    for suffix in ("-wal", "-shm"):
        Path(f"{store.path}{suffix}").unlink(missing_ok=True)
    store.path.write_bytes(b"this is no database" * 500)
    answers = [served.request("GET", "/healthz"), served.get("/batches"), served.get("/api/v1/batches")]
    for answer in answers:
        assert answer.status == 503 and "The store cannot be read" in answer.text and str(store.folder) not in answer.text
    assert f"{store.path}" in served.log
    assert served.process.poll() is None


def test_a_store_that_is_pruned_while_it_is_read(serve, store):
    fill(store)
    served = serve(store)
    ids = [batch["id"] for batch in served.json("/api/v1/batches")["batches"]]
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            for path in ("/", "/batches", f"/batches/{ids[0]}", "/runs/1", f"/compare/{ids[1]}..{ids[0]}", "/projects/shop", "/api/v1/runs/1"):
                status = served.get(path).status
                if status not in (200, 404):
                    wrong.append((path, status))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(3):
            store.add("C", noise=[0.0])
            store.run("store", "prune", "--keep", "1", "--yes", code=0)
    finally:
        stop.set()
        for reader in readers:
            reader.join(60)
    assert not wrong and served.process.poll() is None


# ---- a store on a database server


@pytest.fixture
def cluster(build):
    doctor = subprocess.run([build / "dejank", "doctor"], capture_output=True, text=True, check=False, timeout=60).stdout
    if "libpq (" in doctor:
        pytest.skip("this build is without libpq")
    server = Cluster()
    yield server
    server.close()


def test_a_store_on_postgresql(serve, build, tmp_path, cluster):
    """New runs appear at once. While the database server is stopped, pages report this. No response contains the password."""
    store = PostgresStore(build, tmp_path, cluster)
    store.add(9, label="0")
    served = serve(store.tcp())
    numbers = itertools.count(1)
    check_new_results(served, lambda: store.add(next(numbers), label=str(numbers)), "com.example.app")
    batch = served.json("/api/v1/batches")["batches"][0]["id"]
    paths = ["/", "/batches", f"/batches/{batch}", f"/runs/{store.sql('SELECT max(id) AS id FROM runs')[0][0]}", "/compare", "/projects/com.example.app"]
    for path in paths:
        served.page(path)
    assert served.json("/api/v1/batches") == store.json("list") and served.json(f"/api/v1/batches/{batch}") == store.json("show", batch)
    events = served.events()
    cluster.stop()
    answers = [served.get(path) for path in (*paths[1:], "/api/v1/batches")]
    health = served.request("GET", "/healthz")
    assert {answer.status for answer in answers} == {503} and health.status == 503
    assert health.json == {"error": "The store cannot be read. The log of the server says why."}
    for text in [answer.text for answer in answers]:
        assert PASSWORD not in text and IN_A_URL not in text and "s3cr" not in text
    assert served.get("/").status in (200, 503)  # the states of the projects are known
    assert cluster.start()
    wait_until(lambda: served.request("GET", "/healthz").status == 200, 30, "store")
    assert [served.get(path).status for path in paths] == [200] * len(paths)
    place = len(events.got)
    store.run("import", store.file(next(numbers)), "--label", "B")
    events.wait_for("store", after=place)
    events.close()
    cluster.stop()
    assert served.stop()[0] == 0
    check_log(served)
    assert "s3cr" not in served.log


# ---- writes


def test_accepting_a_change(serve, store):
    fill(store)
    served = serve(store, "--allow-write", "bless").log_in()
    page = Page(served.page("/projects/hist"))
    fields = page.fields("/projects/hist/bless")
    assert set(fields) == {"csrf", "change", "why", "who"} and re.fullmatch("[0-9a-f]{64}", fields["csrf"])

    def post(path="/projects/hist/bless", login="cookie", **more):
        form = urllib.parse.urlencode({**fields, "why": "wanted <b>", "who": "Änne & Co", **more})
        headers = {"Content_Type": "application/x-www-form-urlencoded"}
        if login == "cookie":
            return served.browse(path, "POST", form, **headers)
        return served.request("POST", path, form, **headers, **({"Authorization": f"Bearer {served.token}"} if login else {}))

    assert post(login=None).status == 401
    assert post(login=None, token=served.token).status == 401
    for wrong in ("", "0" * 64, fields["csrf"][:-1], served.token, served.cookie.partition("=")[2]):
        answer = post(csrf=wrong)
        assert answer.status == 403 and "Load the page again" in answer.text, wrong
    assert post(why="").status == 400 and post(why="  ").status == 400 and post(why="x" * 2001).status == 400
    assert post(who="").status == 400 and post(change="").status == 400 and post(change="0000").status == 404
    assert History(store).json("blessings")["blessings"] == []
    events = served.events()
    answer = post()
    assert answer.status == 303 and answer.headers["Location"] == "/projects/hist"
    events.wait_for("store")
    events.close()
    page = Page(served.page("/projects/hist"))
    assert "accepted" in page.text and "wanted <b>" in page.text and "Änne & Co" in page.text
    (blessing,) = History(store).json("blessings")["blessings"]
    assert blessing["why"] == "wanted <b>" and blessing["who"] == "Änne & Co"
    fields = page.fields("/projects/hist/unbless")
    assert post("/projects/hist/unbless", change="none").status == 404
    answer = post("/projects/hist/unbless", why="not wanted")
    assert answer.status == 303
    (blessing,) = History(store).json("blessings")["blessings"]
    assert blessing["withdrawn"] == "not wanted"
    fields = Page(served.page("/projects/hist")).fields("/projects/hist/bless")
    header = urllib.parse.urlencode({"change": fields["change"], "why": "by script", "who": "x"})
    assert served.browse("/projects/hist/bless", "POST", header, X_CSRF_Token="0").status == 403
    assert served.browse("/projects/hist/bless", "POST", header, X_CSRF_Token=fields["csrf"]).status == 303
    fields = Page(served.page("/projects/hist")).fields("/projects/hist/unbless")
    assert post("/projects/hist/unbless", login="bearer", csrf="").status == 303


def test_writes_are_refused_unless_they_are_allowed(serve, store):
    fill(store)
    served = serve(store).log_in()
    assert not Page(served.page("/projects/hist")).fields("/projects/hist/bless")
    change = History(store).json("--project", "hist")["segments"][0]["changes"][0]["id"]
    form = urllib.parse.urlencode({"change": change, "why": "x", "who": "y"})
    answer = served.request("POST", "/projects/hist/bless", form, Authorization=f"Bearer {served.token}")
    assert answer.status == 403 and "--allow-write=bless" in answer.text
    assert served.request("POST", "/projects/hist/unbless", form, Authorization=f"Bearer {served.token}").status == 403
    assert History(store).json("blessings")["blessings"] == []


def test_the_parts_of_allow_write(build, tmp_path):
    assert "--allow-write: expected" in refusal(build, tmp_path, "--allow-write", "everything")


# ---- hostile requests


ODD_TARGETS = [
    "/../etc/passwd", "/..", "/./", "//", "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2fetc%2fpasswd", "/batches/..%2f..%2fetc%2fpasswd",
    "/runs/1/evidence/..%2f0", "/%00", "/batches/%00", "/a\x00b", "etc/passwd", "http://evil.example/", "*", "?", "", "/\\..\\..\\x", "/" + "a" * 10000,
    "/" + "a/" * 4000, "/?" + "a" * 10000, "/" + "%41" * 3000, "/?token", "/?token=&token=", "/?=&&=&", "/é", b"/\xff\xfe", "/batches?page=%",
    "/compare/history.db%23x..y", "/compare/h.db..h.db", "/compare/%2fetc%2fpasswd..%2fetc%2fpasswd", "/compare/-..-", "/compare/%40x..y",
    "/api/v1/compare?a=/etc/passwd&b=/etc/passwd", "/gate?project=/etc/passwd", "/gate?candidate=/etc/passwd&project=shop",
    "/gate?baseline=plan.yaml&project=shop", "/gate?candidate=plan.yaml&project=shop", "/live/..%2f/x", "/\u202e", "/%e2%80%ae"]


@pytest.mark.parametrize("target", ODD_TARGETS, ids=range(len(ODD_TARGETS)))
def test_odd_targets(site, target):
    (site.store.folder / "plan.yaml").write_text("root:x:0:0\n")
    shown = target if isinstance(target, str) else "bytes"
    status = site.served.raw_get(target)
    assert status in (None, 200, 400, 404, 414, 431, 503), shown
    if status == 200:
        assert site.served.get(urllib.parse.quote(target, safe="/?%=&")).text.find("root:x:0:0") < 0
    assert site.served.request("GET", "/healthz").status == 200


def test_operands_are_no_files(site):
    """The name of a build is never opened as a file."""
    served, store = site.served, site.store
    for operand in (str(store.folder / "1.txt"), "1.txt", f"{store.path}#{site.a}", "h.db", "/etc/passwd", "@1.txt", "-"):
        quoted = urllib.parse.quote(operand, safe="")
        for path in (f"/compare/{quoted}..A", f"/compare/A..{quoted}", f"/api/v1/compare?a={quoted}&b=A",
                     f"/api/v1/gate?project=shop&baseline={quoted}", f"/gate?project=shop&candidate={quoted}&baseline=A"):
            assert served.get(path).status == 404, path


def test_odd_requests(site):
    served = site.served
    bearer = f"Host: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n"
    for data in (b"", b"\r\n\r\n", b"\x00" * 100, b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00" * 50,
                 f"GET / HTTP/1.1\r\n{bearer}X: {'a' * 65536}\r\n\r\n".encode(),
                 f"GET / HTTP/1.1\r\n{bearer}".encode() + b"A: b\r\n" * 10000 + b"\r\n",
                 f"GET / HTTP/1.1\r\n{bearer}Content-Length: -1\r\n\r\n".encode(),
                 f"GET / HTTP/1.1\r\n{bearer}Content-Length: 99999999999999999999\r\n\r\n".encode(),
                 f"POST / HTTP/1.1\r\n{bearer}Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
                 f"GET / HTTP/1.1\r\n{bearer}Cookie: {'dejank-1=' * 2000}\r\nConnection: close\r\n\r\n".encode(),
                 f"GET / HTTP/1.1\r\n{bearer}If-None-Match: {'x' * 8000}\r\nConnection: close\r\n\r\n".encode(),
                 b"\x1b[31m\x07 / HTTP/1.1\r\n" + bearer.encode() + b"Connection: close\r\n\r\n", b"A" * 100000 + b" / HTTP/1.1\r\n\r\n"):
        with socket.create_connection((served.host, served.port), timeout=1) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:
                pass  # the server may wait for more, or close the connection before it has read everything
        assert served.request("GET", "/healthz").status == 200, data[:80]


def test_bodies_have_a_maximum(serve, store):
    fill(store)
    served = serve(store, "--allow-write", "bless")
    for size, status in ((60_000, 400), (100_000, 413), (1_000_000, 413)):
        answer = served.request("POST", "/projects/hist/bless", "why=" + "x" * size, Authorization=f"Bearer {served.token}")
        assert answer.status == status, (size, answer)
    form = "&".join(f"a{i}=b" for i in range(40))
    assert served.request("POST", "/projects/hist/bless", form, Authorization=f"Bearer {served.token}").status == 400
    before = served.memory_kb()
    with served_connection(served) as connection:
        connection.sendall(f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nContent-Length: 300000000\r\n\r\n".encode())
        for _ in range(300):
            connection.sendall(b"x" * 100_000)
        assert served.request("GET", "/healthz").status == 200
        assert served.memory_kb() - before < 20_000


def served_connection(served):
    return socket.create_connection((served.host, served.port), timeout=20)


def test_requests_one_after_the_other_on_a_connection(site):
    served = site.served
    connection = served.connect()
    try:
        for path, status in (("/healthz", 200), ("/none", 404), ("/api/v1/batches", 200), ("/", 200), ("/runs/x", 400)) * 3:
            connection.request("GET", path, headers={"Authorization": f"Bearer {served.token}"})
            answer = Answer(connection.getresponse())
            assert answer.status == status
    finally:
        connection.close()
    head = f"Host: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n"
    piped = served.raw("".join(f"GET {path} HTTP/1.1\r\n{head}{end}\r\n" for path, end in (
        ("/healthz", ""), ("/api/v1/runs/1", ""), ("/healthz", "Connection: close\r\n"))).encode())
    assert piped.count(b"HTTP/1.1 200 ") == 3


def test_half_requests_keep_nobody_waiting(serve, store):
    store.add("A", noise=[0.0])
    served = serve(store)
    starts = [b"G", b"GET / HT", b"GET / HTTP/1.1\r\n", f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nX".encode(),
              f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nContent-Length: 1000\r\n\r\nab".encode()]
    slow = []
    try:
        for i in range(100):
            slow.append(served_connection(served))
            slow[-1].sendall(starts[i % len(starts)])
        for _ in range(5):
            assert served.get("/batches").status == 200
            for one in slow:
                one.sendall(b"x")
        code, seconds = served.stop()
        assert code == 0 and seconds < 5
    finally:
        for one in slow:
            one.close()


def test_clients_that_do_not_read(serve, store):
    fill(store)
    served = serve(store)
    request = f"GET /projects/hist HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n\r\n".encode()
    silent = []
    try:
        for _ in range(20):
            silent.append(socket.socket())
            silent[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent[-1].connect((served.host, served.port))
            silent[-1].sendall(request * 5)
        for _ in range(3):
            assert served.get("/batches").status == 200
        for one in silent[:10]:
            one.close()
        assert served.get("/batches").status == 200
        code, seconds = served.stop()
        assert code == 0 and seconds < 5
    finally:
        for one in silent:
            one.close()


# ---- hostile names


SCRIPT = "</script><script>evil()</script><img src=x onerror=evil()>"
QUOTES = "\"' onmouseover='evil()\" autofocus onfocus=evil() x=\"`${evil}`"
RIGHT_TO_LEFT = "a\u202eb\u2066c<evil>&lt;evil&gt;&amp;"
ODD = "{{evil}} %s %n ]]> <!-- --> \\u003cscript\\u003e <svg onload=evil()> javascript:evil()"
LONG = ("<evil>" + "ü" * 20) * 90


def plant(store, text):
    """Fills the store and sets every text from outside to `text`. Returns the ids of two batches and the names of the projects."""
    a, b = fill(store)
    for statement in ("UPDATE batches SET name = ?",
                      "UPDATE devices SET serial = ?1 || id, model = ?1, release = ?1", "UPDATE builds SET version = ?1 || id, label = ?1 || id,"
                      " commit_id = ?1 || id", "UPDATE runs SET outcome = 'no-frames', reason = ?1, excluded = NULL WHERE number = 2",
                      "UPDATE runs SET excluded = ?1 WHERE number = 3", "UPDATE series SET metric = ?1, unit = ?1",
                      "UPDATE points SET version = ?1 || id, commit_id = ?1 || id", "UPDATE projects SET name = ?1 || id",
                      "UPDATE windows SET name = ?1"):
        store.sql(statement, text)
    projects = [name for (name,) in store.sql("SELECT name FROM projects ORDER BY id")]
    return a, b, projects


@pytest.mark.parametrize("text", [SCRIPT, QUOTES, RIGHT_TO_LEFT, ODD, LONG], ids=["script", "quotes", "right-to-left", "odd", "long"])
def test_names_from_outside_are_no_markup(serve, store, text):
    a, b, projects = plant(store, text)
    served = serve(store, "--allow-write", "bless").log_in()
    wait_for_states(served)
    own = served.page("/gate")
    name = urllib.parse.quote(text, safe="")
    project = [urllib.parse.quote(one, safe="") for one in projects]
    paths = ["/", "/batches", f"/batches/{a}", "/runs/1", "/runs/2", "/runs/3", "/compare", f"/compare?a={a}", f"/compare/{a}..{b}",
             f"/compare/{a}..{b},{b}", "/gate", "/live"]
    if len(name) < 3000:
        paths += [*(f"/projects/{one}" for one in project), f"/batches?project={name}&name={name}&device={name}", f"/batches/{name}",
                  f"/gate?project={project[0]}&baseline={a}", f"/gate?project={name}&candidate={name}&baseline={name}", f"/compare/{name}..{name}",
                  f"/runs/{name}", f"/live/{name}/{name}", f"/live?device={name}", f"/projects/{name}?flow={name}", f"/{name}",
                  f"/projects/{project[0]}?flow={name}&device={name}&metric={name}", f"/batches?page={name}",
                  f"/projects/{project[1]}?since={name}", f"/projects/{project[1]}?class={name}"]
    shown = ""
    for path in paths:
        answer = served.browse(path)
        assert answer.status in (200, 400, 404), (path, answer)
        page = check_markup(answer.text, own)
        shown += page.text
        assert "\u202e" not in page.text and "\u2066" not in page.text, path
    if text is not LONG:
        assert "evil" in shown  # the text itself is shown
    for path in ("/api/v1/batches", f"/api/v1/batches/{a}", "/api/v1/history", f"/api/v1/compare?a={a}&b={b}", "/api/v1/runs/1"):
        assert isinstance(served.json(path), dict)
    check_log(served)


# ---- running apps


def test_sigterm_does_not_wait_for_an_adb_server_that_hangs(serve, store):
    """The adb server accepts connections and never responds. The devices page and a live view wait for it."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        served = serve(store, ANDROID_ADB_SERVER_PORT=str(silent.getsockname()[1]))
        waiting = [threading.Thread(target=lambda: served.get("/devices")), threading.Thread(target=lambda: served.get("/api/v1/devices"))]
        for thread in waiting:
            thread.start()
        events = served.events("/api/v1/live/some-phone/com.example/events")
        connections = [silent.accept() for _ in range(2)]  # one from the devices pages, one from the live view
        begun = time.monotonic()
        assert served.stop()[0] == 0
        assert time.monotonic() - begun < 4, "adb's own time limits are 5 s and more"
        events.close()
        for thread in waiting:
            thread.join(10)
        for connection, _ in connections:
            connection.close()


def test_a_problem_is_an_event(serve, store):
    served = serve(store)
    events = served.events("/api/v1/live/no-such-device/app/events")
    assert events.wait_for("problem").data["message"]
    assert not events.ended, "the server tries to reach the device as long as someone watches"
    events.close()
    events = served.events("/api/v1/live/local%3A/nothing/events")
    assert events.wait_for("state").data["state"] == "waiting"
    events.close()


@pytest.fixture
def watch(serve, store, recorder, build):
    """A server that shows the recordings of `recorder`. Skips the test if the scene program is missing."""
    if not (build / "tests/programs/scene").exists():
        pytest.skip("the scene program was not built: tools/deps tests")
    return serve(store, DEJANK_DIR=str(recorder.folder))


def start_scene(recorder, x_server, frames=600, late_ms=60, name="planted"):
    return recorder.start(name, recorder.build / "tests/programs/scene", "--display", "x11", "--work", "4", "--pace", "16.667",
                          "--late-every", "7", "--late", str(late_ms), "--frames", str(frames), environment=x_server.environment)


def end(process):
    if process.poll() is None:
        process.terminate()
    process.communicate(timeout=20)


def sequences(events):
    """{(pid, window): frame numbers in the order of the events}."""
    found = {}
    for event in events.of("frames"):
        assert event.data["schema"] == "dejank.live/1" and event.data["kind"] == "frames"
        found.setdefault((event.data["pid"], event.data["window"]), []).extend(frame["number"] for frame in event.data["frames"])
    return found


def check_whole(events):
    """Checks that no frames were lost, and that frame numbers and event ids are consecutive."""
    assert not events.of("lost"), events.of("lost")
    for key, numbers in sequences(events).items():
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), key
    ids = [event.id for event in events.got]
    assert ids == list(range(ids[0], ids[0] + len(ids)))


PATH = "/api/v1/live/local%3A/planted/events"


def test_planted_janky_frames_arrive(watch, recorder, x_server):
    early = watch.events(PATH)
    assert early.wait_for("state").data["state"] == "waiting"
    process = start_scene(recorder, x_server, frames=250)
    later = None
    try:
        early.wait_for("state", condition=lambda data: data["state"] == "running")
        (app,) = watch.json("/api/v1/live")["apps"]
        assert (app["device"], app["app"]) == ("local:", "planted")
        page = Page(watch.page("/live"))
        assert "1 recorded app runs on this machine" in page.text and "/live/local%3A/planted" in page.links
        watch.page("/live/local%3A/planted")
        early.wait(lambda _: len(early.frames()) > 60, "60 frames")
        later = watch.events(PATH)  # a second viewer
        process.communicate(timeout=60)
        for viewer in (early, later):
            viewer.wait_for("state", condition=lambda data: data["state"] == "ended")
            viewer.wait_for("second")
    finally:
        end(process)
        for viewer in filter(None, (early, later)):
            viewer.close()
    check_whole(early)
    check_whole(later)
    numbers = [number for one in sequences(early).values() for number in one]
    assert len(numbers) == 250
    janky = {frame["number"] - numbers[0] for frame in early.frames() if frame["janky"]}
    assert set(range(6, 250, 7)) <= janky
    last = early.of("second")[-1].data
    assert last["pid"] == app["pid"]
    shared = {event.id: event.data for event in early.got}
    for event in later.got:  # each event is encoded once, for all viewers
        assert shared.get(event.id, event.data) == event.data


def test_a_viewer_resumes_where_it_was(watch, recorder, x_server):
    process = start_scene(recorder, x_server, frames=100000)
    whole = watch.events(PATH)
    viewers = [watch.events(PATH)]
    try:
        for _ in range(3):
            viewer = viewers[-1]
            viewer.wait(lambda _, viewer=viewer: len(viewer.frames()) > 30, "frames")
            viewer.close()
            last = viewer.got[-1].id
            count = len(whole.frames())
            whole.wait(lambda _, count=count: len(whole.frames()) > count + 20, "frames that the viewer misses")
            viewers.append(watch.events(PATH, last_id=last))
        viewers[-1].wait(lambda _: len(viewers[-1].frames()) > 10, "frames")
    finally:
        end(process)
        for viewer in (whole, *viewers):
            viewer.close()
    joined = [event for viewer in viewers for event in viewer.got]
    ids = [event.id for event in joined]
    assert ids == list(range(ids[0], ids[0] + len(ids)))
    check_whole(whole)
    by_id = {event.id: event.data for event in whole.got}
    assert all(by_id.get(event.id, event.data) == event.data for event in joined)


def test_an_event_id_that_is_too_old_is_a_lost_range(watch, recorder, x_server):
    process = start_scene(recorder, x_server, frames=100000)
    try:
        events = watch.events(PATH)
        events.wait(lambda _: len(events.frames()) > 5, "frames")
        first = events.got[0].id
        for last_id, kind in ((first - 100000, "lost"), (first + 10**12, None), ("x", None), ("-5", None)):
            other = watch.events(PATH, last_id=last_id)
            other.wait(lambda got: got, "event")
            assert (other.got[0].kind == "lost") == (kind == "lost"), last_id
            other.wait(lambda _, other=other: len(other.frames()) > 5, "frames")
            other.close()
        events.close()
    finally:
        end(process)


def test_an_app_that_starts_again(watch, recorder, x_server):
    events = watch.events(PATH)
    pids = []
    try:
        for _ in range(2):
            place = len(events.got)
            process = start_scene(recorder, x_server, frames=30)
            try:
                pids.append(events.wait_for("frames", after=place).data["pid"])
                process.communicate(timeout=60)
            finally:
                end(process)
            events.wait_for("state", after=place, condition=lambda data: data["state"] == "ended")
        assert len(set(pids)) == 2
        assert events.of("state")[-1].data["restarts"] == 1
        check_whole(events)
    finally:
        events.close()


def test_an_app_that_is_killed(watch, recorder, x_server):
    process = start_scene(recorder, x_server, frames=100000)
    events = watch.events(PATH)
    try:
        pid = events.wait_for("frames").data["pid"]
        os.kill(pid, signal.SIGKILL)
        events.wait_for("state", condition=lambda data: data["state"] == "ended")
        check_whole(events)
    finally:
        end(process)
        events.close()
    assert watch.request("GET", "/healthz").status == 200


def test_an_app_with_a_hostile_name(watch, recorder, x_server, build):
    name = "<script>evil()</script>\"'&\u00fc/%2f?#"
    process = recorder.start(name, build / "tests/programs/swapper", "paced-threads", "1", "100000")
    try:
        wait_until(lambda: watch.json("/api/v1/live")["apps"], 20, "app")
        page = check_markup(watch.page("/live"), watch.page("/gate"))
        (link,) = [link for link in page.links if link.startswith("/live/local%3A/")]
        assert urllib.parse.unquote(link.rpartition("/")[2]) == watch.json("/api/v1/live")["apps"][0]["app"]
        check_markup(watch.page(link), watch.page("/live/local%3A/x"))
        events = watch.events(f"/api/v1{link}/events")
        events.wait_for("frames")
        events.close()
    finally:
        end(process)


def test_the_last_viewer_ends_the_view(watch, recorder, x_server):
    threads = lambda: len(os.listdir(f"/proc/{watch.process.pid}/task"))  # noqa: E731
    watch.get("/")
    before = threads()
    for i in range(32):
        watch.events(f"/api/v1/live/local%3A/app{i}/events").close()
    full = watch.get("/api/v1/live/local%3A/one-more/events")
    assert full.status == 503 and full.headers["Retry-After"]
    wait_until(lambda: threads() <= before + 32, 5, "threads of views")
    wait_until(lambda: (watch.get("/"), threads())[1] <= before or open_and_close(watch) and threads() <= before + 1, 60, "end of the views")


def open_and_close(watch):
    try:
        watch.events("/api/v1/live/local%3A/other/events").close()
        return True
    except AssertionError:
        return False


class Relayed:
    """Lines that curl receives from a server in the network of devices."""

    def __init__(self, host, served, path):
        self.lines = []
        self.process = host.popen("curl", "-sN", "-H", f"Authorization: Bearer {served.token}", f"http://127.0.0.1:{served.port}{path}")
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.decode().rstrip("\n"))

    def wait(self, kind, condition=lambda data: True):
        def found():
            lines = list(self.lines)
            return [json.loads(lines[i + 1].removeprefix("data: ")) for i, line in enumerate(lines[:-1]) if line == f"event: {kind}"]
        wait_until(lambda: any(condition(one) for one in found()), 60, f"event {kind}")
        return [one for one in found() if condition(one)]

    def close(self):
        self.process.kill()
        self.process.communicate()


def test_a_device_that_is_unplugged(host, phone_app, store, build, tmp_path):
    app = phone_app()
    assert "connected" in host.adb("connect", app.device.serial).stdout
    store.add("A", noise=[0.0])
    served = Served(build, store.path, tmp_path, environment=host.env, enter=host.network.enter)
    relayed = None
    try:
        relayed = Relayed(host, served, f"/api/v1/live/{urllib.parse.quote(app.device.serial, safe='')}/com.example.app/events")
        relayed.wait("frames")
        frames = lambda: [frame for event in relayed.wait("frames") for frame in event["frames"]]  # noqa: E731
        wait_until(lambda: len(frames()) > 120, 60, "120 frames")
        numbers = [frame["number"] for frame in frames()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) or relayed.wait("lost")
        app.device.kill()
        assert relayed.wait("problem")[0]["message"]
        assert served.process.poll() is None and served.stop()[0] == 0
    finally:
        if relayed is not None:
            relayed.close()
        served.close()


# ---- limits and faults


def test_devices_that_do_not_answer_keep_nobody_waiting(serve, store):
    store.add("A", noise=[0.0])
    with socket.create_server(("127.0.0.1", 0)) as adb:  # an adb server that never responds
        served = serve(store, ANDROID_ADB_SERVER_PORT=str(adb.getsockname()[1]))
        waiting = [served_connection(served) for _ in range(4)]
        try:
            for one in waiting:
                one.sendall(f"GET /devices HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n\r\n".encode())
            time.sleep(0.2)
            start = time.monotonic()
            assert served.get("/batches").status == 200 and served.get("/").status == 200
            assert time.monotonic() - start < 5
            assert waiting[0].recv(100).startswith(b"HTTP/1.1 200 ")
        finally:
            for one in waiting:
                one.close()


@pytest.mark.parametrize("number", ["1048577", "4294967295", "4294967297", "9223372036854775807"])
def test_a_number_of_connections_that_no_process_has(build, tmp_path, number):
    assert f"--connections: expected at most 1048576, found {number}" in refusal(build, tmp_path, "--connections", number)


@pytest.mark.parametrize("option, number", [("--connections", "1048576"), ("--ingest-rate", "9223372036854775807")])
def test_the_largest_numbers_do_not_wrap(serve, store, option, number):
    served = serve(store, option, number)
    assert served.get("/healthz").status == 200


def test_one_connection_too_many(serve, store):
    store.add("A", noise=[0.0])
    served = serve(store, "--connections", "5")
    streams = [served.events() for _ in range(4)]
    fifth = served.connect()
    try:
        def ask(connection):
            connection.request("GET", "/healthz")
            return Answer(connection.getresponse())
        assert ask(fifth).status == 200
        sixth = served.connect()
        refused = ask(sixth)
        assert refused.status == 503 and int(refused.headers["Retry-After"]) > 0 and refused.headers["Connection"] == "close"
        sixth.close()
        held = served_connection(served)  # one connection too many, without a request
        assert ask(fifth).status == 200  # the others are not affected
        held.close()
        streams.pop().close()
        wait_until(lambda: ask_once(served) == 200, 60, "free connection")
    finally:
        fifth.close()
        for stream in streams:
            stream.close()


def ask_once(served):
    return served.request("GET", "/healthz").status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_end_of_the_server(serve, store, recorder, number):
    fill(store)
    served = serve(store, DEJANK_DIR=str(recorder.folder))
    streams = [served.events() for _ in range(5)] + [served.events(f"/api/v1/live/local%3A/app{i}/events") for i in range(5)]
    for stream in streams[5:]:
        stream.wait(lambda got: got, "event")
    code, seconds = served.stop(number)
    assert code == 0, served.log[-2000:]
    assert seconds < 2
    for stream in streams:
        stream.thread.join(10)
        assert stream.ended == "cleanly"
        stream.close()


def test_the_end_of_the_server_while_it_answers(serve, store):
    """Clients send requests and open streams while the server ends."""
    fill(store)
    for _ in range(3):
        served = serve(store)
        stop = threading.Event()

        def ask(served=served, stop=stop):
            connection = served.connect()
            paths = ["/api/v1/live/local%3A/x/events", "/projects/hist", "/api/v1/events", "/compare/A..B", "/live"]
            while not stop.is_set():
                for path in paths:
                    try:
                        if path.endswith("events"):
                            one = served.events(path)
                            one.close()
                        else:
                            connection.request("GET", path, headers={"Authorization": f"Bearer {served.token}"})
                            Answer(connection.getresponse())
                    except (OSError, http.client.HTTPException, AssertionError):
                        connection.close()
                        if served.process.poll() is not None:
                            return

        clients = [threading.Thread(target=ask) for _ in range(6)]
        for client in clients:
            client.start()
        try:
            time.sleep(0.5)
            code, _ = served.stop()
        finally:
            stop.set()
            for client in clients:
                client.join(30)
        assert code == 0, served.log[-2000:]


def check_log(served):
    """No line of the log has a token or a control character."""
    text = served.log
    assert served.token not in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", text)
    for line in text.splitlines():
        assert line.startswith(("dejank serve: ", "hint: ")), line


def test_the_log(serve, store):
    served = serve(store)
    served.log_in()
    served.get("/batches?token=abc")
    served.raw_get("/a%0a%1b[31m?x=%0a")
    served.raw_get(b"/\x1b[31m\xc2\x9b31m\xe2\x80\xae")
    served.raw(b"G\x1b[31m /\xc2\x9b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    for _ in range(3):
        served.request("GET", f"/{'y' * 5000}?token={served.token}")
    served.request("GET", "/none", Referer=served.url, Cookie=f"dejank-{served.port}=0")
    assert served.stop()[0] == 0
    check_log(served)
    lines = [line for line in served.log.splitlines() if re.search(r"^dejank serve: 127\.0\.0\.1 [A-Z]+ \S+ \d{3} \d+ bytes [\d.]+ ms$", line)]
    assert len(lines) == 8 and max(map(len, lines)) < 500, served.log
    assert served.cookie.partition("=")[2] not in served.log


def test_every_request_has_a_line(serve, store):
    served = serve(store)
    connection = served.connect()
    for _ in range(300):
        connection.request("GET", "/none")
        Answer(connection.getresponse())
    connection.close()
    assert served.stop()[0] == 0
    assert served.log.count(" GET /none ") == 300


def test_quiet(serve, store):
    served = serve(store, "--quiet")
    served.get("/batches")
    served.request("GET", "/none")
    assert served.stop()[0] == 0
    assert " GET " not in served.log


# ---- many clients, many runs


IDLE_SECONDS = 600


@pytest.mark.background
@pytest.mark.timeout(IDLE_SECONDS + 240)
def test_a_thousand_clients_that_wait(serve, store):
    fill(store)
    served = serve(store)
    request = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {served.token}\r\n\r\n".encode()
    clients = []
    try:
        for _ in range(1000):
            clients.append(served_connection(served))
            clients[-1].sendall(request)
            assert clients[-1].recv(100).startswith(b"HTTP/1.1 200 ")
        assert served.get("/projects/hist").status == 200
        time.sleep(20)  # until each client has received a comment
        memory = [served.memory_kb()]
        until = time.monotonic() + IDLE_SECONDS
        while time.monotonic() < until:
            assert served.get("/projects/hist").status == 200 and served.get("/").status == 200
            store.sql("UPDATE batches SET began_unix_ms = began_unix_ms + 1 WHERE id = 1")
            time.sleep(2)
            memory.append(served.memory_kb())
            for client in clients:
                client.recv(65536, socket.MSG_DONTWAIT) if readable(client) else None
        assert max(memory[len(memory) // 2:]) - max(memory[:len(memory) // 2]) < 2000, memory
        assert max(memory) < 200_000
        code, seconds = served.stop()
        assert code == 0 and seconds < 5
    finally:
        for client in clients:
            client.close()


def readable(client):
    try:
        return bool(client.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK))
    except BlockingIOError:
        return False


def first_byte_s(served, path):
    connection = served.connect()
    try:
        start = time.monotonic()
        connection.request("GET", path, headers={"Authorization": f"Bearer {served.token}"})
        response = connection.getresponse()
        response.read(1)
        took = time.monotonic() - start
        assert response.status == 200
        response.read()
        return took
    finally:
        connection.close()


@timed
def test_the_first_byte_of_a_large_store(serve, build, tmp_path_factory):
    from histories import RUNS, make  # pylint: disable=import-outside-toplevel
    folder = tmp_path_factory.getbasetemp() / "large-store"
    path = folder / f"{RUNS}.db"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        make(build / "dejank", folder, RUNS)
    served = serve(path)
    assert first_byte_s(served, "/") < 0.5  # while the states are computed
    wait_for_states(served)
    for page in ("/", "/projects/com.example.app0", "/batches", "/projects/com.example.app3?page=2"):
        assert min(first_byte_s(served, page) for _ in range(3)) < 0.5, page
