"""A running `dejank serve` and its clients: requests, event streams, raw bytes, and a check of its pages."""
import html.parser
import http.client
import json
import os
import queue
import re
import signal
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

from displays import wait_until

SECONDS = 30


class Answer:
    """The answer to a request."""

    def __init__(self, response):
        self.status, self.headers, self.data = response.status, response.headers, response.read()

    @property
    def text(self):
        return self.data.decode()

    @property
    def json(self):
        return json.loads(self.data)

    def __repr__(self):
        return f"{self.status} {dict(self.headers)} {self.data[:600]!r}"


class Served:
    """A server on a free port. It ends with the test."""

    def __init__(self, build, store, folder, *words, environment=None, enter=()):
        self.tls = "--tls-cert" in words
        named = ["--store", str(store)] if store else []
        self.log_path = Path(folder) / f"serve-{time.monotonic_ns()}.log"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen([*enter, str(build / "dejank"), "serve", *named, *map(str, words)],
                                            stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, cwd=folder,
                                            env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC", **(environment or {})})
        self.lines = queue.Queue()
        threading.Thread(target=self.read_lines, daemon=True).start()
        try:
            self.use(self.line())
        except BaseException:
            self.close()
            raise

    def read_lines(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.process.stdout.close()
        self.lines.put(None)

    def line(self):
        """The next line of standard output."""
        try:
            line = self.lines.get(timeout=SECONDS)
        except queue.Empty:
            line = None
        assert line is not None, f"no line was printed: {self.log}"
        return line

    def use(self, url):
        """Uses the address and the token in this URL for the next requests."""
        self.url = url
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.cookie = parts.hostname, parts.port, None
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def rotate(self):
        self.process.send_signal(signal.SIGHUP)
        self.use(self.line())

    def stop(self, number=signal.SIGTERM):
        """Ends the server. Returns its exit code and how many seconds it took to end."""
        start = time.monotonic()
        self.process.send_signal(number)
        return self.process.wait(SECONDS), time.monotonic() - start

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def connect(self, source=None):
        """A connection. `source` is the client's address. It has no effect with TLS."""
        if self.tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return http.client.HTTPSConnection(self.host, self.port, timeout=SECONDS, context=context)
        return http.client.HTTPConnection(self.host, self.port, timeout=SECONDS, source_address=source and (source, 0))

    def request(self, method, path, body=None, source=None, **headers):
        """Sends a request without login. Header names contain '_' instead of '-'."""
        connection = self.connect(source)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, token=None, **headers):
        """Sends a request with the token, as a program does."""
        return self.request("GET", path, Authorization=f"Bearer {token or self.token}", **headers)

    def json(self, path):
        answer = self.get(path)
        assert answer.status == 200 and answer.headers["Content-Type"] == "application/json", (path, answer)
        return answer.json

    def log_in(self):
        answer = self.request("GET", f"/?token={self.token}")
        assert answer.status == 303 and answer.headers["Location"] == "/", answer
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        return self

    def browse(self, path, method="GET", body=None, **headers):
        """Sends a request with the login cookie, as a browser does."""
        return self.request(method, path, body, Cookie=self.cookie, **headers)

    def page(self, path):
        answer = self.browse(path) if self.cookie else self.get(path)
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8", (path, answer)
        return answer.text

    def events(self, path="/api/v1/events", **more):
        return Events(self, path, **more)

    def raw(self, data, seconds=SECONDS):
        """Sends these bytes and returns everything that the server answers."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as connection:
            try:
                connection.sendall(data)
                answer = b""
                while more := connection.recv(65536):
                    answer += more
            except ConnectionError:
                pass
        return answer

    def raw_get(self, target, *headers, version="HTTP/1.1"):
        """Sends a request for this target, which may be malformed. Returns the status code, or None without a valid answer."""
        lines = [f"Host: {self.host}:{self.port}", f"Authorization: Bearer {self.token}", "Connection: close", *headers]
        target = target.encode() if isinstance(target, str) else target
        answer = self.raw(b"GET " + target + f" {version}\r\n".encode() + "\r\n".join(lines).encode() + b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.[01] (\d+) ", answer)
        return int(status[1]) if status else None

    def memory_kb(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+)", status, re.M)[1])


class Event:
    def __init__(self, fields):
        self.id = int(fields["id"]) if "id" in fields else None
        self.kind = fields.get("event")
        self.data = json.loads(fields["data"])

    def __repr__(self):
        return f"{self.id} {self.kind} {str(self.data)[:200]}"


class Events:
    """A stream of Server-Sent Events, read by a thread."""

    def __init__(self, served, path, last_id=None):
        self.got, self.ended = [], None
        self.connection = served.connect()
        headers = {"Authorization": f"Bearer {served.token}", "Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        self.connection.request("GET", path, headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, Answer(self.response)
        assert self.response.headers["Content-Type"] == "text/event-stream"
        self.connection.sock.settimeout(None)
        self.socket = self.connection.sock
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        fields = {}
        try:
            while line := self.response.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                else:
                    if "data" in fields:
                        self.got.append(Event(fields))
                    fields = {}
            # readline() also returns nothing if the connection was closed within a chunk.
            self.ended = "cleanly" if self.response.chunk_left in (None, 0) and not fields else "cut"
        except (OSError, ValueError, http.client.HTTPException, AttributeError) as error:
            self.ended = f"{type(error).__name__}: {error}"

    def of(self, *kinds):
        return [event for event in list(self.got) if event.kind in kinds]

    def wait(self, condition, what, seconds=SECONDS):
        """Waits until the condition holds for the list of events."""
        try:
            wait_until(lambda: condition(list(self.got)), seconds, what)
        except TimeoutError as late:
            raise AssertionError(f"no {what} within {seconds} s: {self.got[-5:]}") from late

    def wait_for(self, kind, after=0, condition=lambda data: True):
        """Waits for an event of this kind at index `after` or later that meets the condition. Returns the first one."""
        def found():
            return [event for event in list(self.got)[after:] if event.kind == kind and condition(event.data)]
        self.wait(lambda _: found(), f"event {kind}")
        return found()[0]

    def frames(self):
        return [frame for event in self.of("frames") for frame in event.data["frames"]]

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join(SECONDS)
        self.connection.close()


class Page(html.parser.HTMLParser):
    """The elements of a page, its text without scripts, its data and its scripts."""

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.words, self.data, self.scripts, self.open = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        if tag not in self.VOID:
            self.open.append((tag, dict(attrs)))

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, attributes = self.open[-1] if self.open else ("", {})
        if tag == "script":
            (self.data if attributes.get("type") == "application/json" else self.scripts).append(data)
        elif tag != "style":
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))

    @property
    def links(self):
        return [attributes["href"] for tag, attributes in self.tags if tag == "a" and "href" in attributes]

    def fields(self, action):
        """{name: value} of the first form that sends to this address."""
        inside, chosen, found = False, None, {}
        for tag, attributes in self.tags:
            if tag == "form":
                if inside:
                    break
                inside = attributes.get("action") == action
            elif inside and tag == "input" and "name" in attributes:
                found[attributes["name"]] = attributes.get("value") or ""
            elif inside and tag == "select":
                chosen = attributes["name"]
                found[chosen] = ""
            elif inside and tag == "option" and "selected" in attributes:
                found[chosen] = attributes.get("value") or ""
        return found


def check_markup(text, own):
    """Fails if injected text could have made an element, attribute or script of the page. `own` is a page without such text."""
    page, plain = Page(text), Page(own)
    assert page.scripts == plain.scripts, "another script"
    for data in page.data:
        json.loads(data)
    for tag, attributes in page.tags:
        assert tag not in ("img", "iframe", "object", "embed", "base", "svg", "evil"), (tag, attributes)
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, attributes)
            assert re.fullmatch(r"[a-z][a-z-]*[0-9]?", name), (tag, attributes)
            if name in ("href", "src", "action", "formaction"):
                assert (value.startswith(("/", "#", "data:image/")) or value == "data:,") and not value.startswith("//"), (tag, attributes)
    return page
