"""What `dejank serve` costs: CPU time per viewer, time from a frame to a viewer, time to the first byte, memory."""
import contextlib
import http.client
import json
import os
import re
import selectors
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import histories
import live_page

SECONDS = 10
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A server with its token, and what it used."""

    def __init__(self, build, store, folder):
        self.process = subprocess.Popen([build / "dejank", "serve", "--quiet", "--store", store], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL, env={**os.environ, "DEJANK_DIR": str(folder)})
        self.port, self.token = re.search(r":(\d+)/\?token=(\w+)", self.process.stdout.readline()).groups()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    def new_address(self):
        return f"{self.base}/?token={self.token}"

    def cpu_s(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_kib(self):
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def open(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
        return connection

    def first_byte_s(self, path):
        start = time.perf_counter()
        connection = self.open(path)
        connection.getresponse()
        spent = time.perf_counter() - start
        connection.close()
        return spent

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=10)


def latencies(line):
    """Time from the end of each frame of an event to now, in ms."""
    now_ns = time.monotonic_ns()
    if line.startswith(b"data: ") and b'"kind":"frames"' in line:
        for frame in json.loads(line[6:])["frames"]:
            yield (now_ns - frame["start_ns"] - (frame["frame_time_ns"] or 0)) / 1e6


def watch(server, viewers, seconds):
    """Reads the live view with several viewers. CPU time of the server per second, the latencies of one viewer, KiB of memory."""
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        rests = {}
        for _ in range(viewers):
            connection = server.open("/api/v1/live/local%3A/bench/events")
            stack.callback(connection.close)
            connection.sock.setblocking(False)
            selector.register(connection.sock, selectors.EVENT_READ)
            rests[connection.sock] = b""
        first = next(iter(rests), None)
        found = []
        time.sleep(2)  # the frames before the first viewer
        for key, _ in selector.select(0):
            key.fileobj.recv(1 << 22)
        start, cpu = time.monotonic(), server.cpu_s()
        while time.monotonic() - start < seconds:
            for key, _ in selector.select(0.1):
                data = rests[key.fileobj] + key.fileobj.recv(1 << 20)
                lines = data.split(b"\n")
                rests[key.fileobj] = lines[-1]
                if key.fileobj is first:
                    for line in lines[:-1]:
                        found += latencies(line.rstrip(b"\r"))
        return (server.cpu_s() - cpu) / (time.monotonic() - start), found, server.resident_kib()


def live_rows(build, store, folder):
    for rate in (60, 120):
        server = Server(build, store, folder)
        program = subprocess.Popen([build / "dejank", "record", "--name", "bench", "--", build / "bench/bench-paced", str(rate), "100"],
                                   env={**os.environ, "DEJANK_DIR": str(folder)}, stderr=subprocess.DEVNULL)
        try:
            time.sleep(2)
            idle_kib = server.resident_kib()
            one, found, _ = watch(server, 1, SECONDS)
            ten, _, _ = watch(server, 10, SECONDS)
            yield f"`serve`, an app at {rate} Hz, one viewer: % of a CPU", one * 100, "%", 1.0
            yield "… ten viewers, of one", ten / one if one > 0 else float("nan"), "", 3.0
            yield "… frame to viewer, 95th percentile", statistics.quantiles(found, n=20)[18], "ms", 100.0
            drawn = live_page.delays_ms(server, "/live/local%3A/bench", SECONDS)
            if drawn:
                yield "… frame drawn in Chromium, 95th percentile", statistics.quantiles(drawn, n=20)[18], "ms", 100.0
            if rate == 120:
                _, _, kib = watch(server, 100, SECONDS)
                yield "… 100 viewers, more memory for each", (kib - idle_kib) / 100, "KiB", None
        finally:
            program.terminate()
            program.wait(timeout=10)
            server.close()


def store_rows(build, scratch, folder):
    store = histories.make(build / "dejank", scratch, histories.RUNS)
    server = Server(build, store, folder)
    try:
        yield "`serve`, 100 000 runs, first byte of `/` at once", server.first_byte_s("/"), "s", 0.5
        time.sleep(3)
        for path in ("/", "/projects/com.example.app0"):
            yield f"… of `{path}`, median of 15", statistics.median(server.first_byte_s(path) for _ in range(15)), "s", 0.5
    finally:
        server.close()


def rows(build):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "segments"
        folder.mkdir(mode=0o700)
        (Path(scratch) / "one.csv").write_text("time,value\n1600000000,1\n")
        store = Path(scratch) / "small.db"
        subprocess.run([build / "dejank", "import", "--history", Path(scratch) / "one.csv", "--store", store], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield from live_rows(build, store, folder)
        yield from store_rows(build, Path(scratch), folder)
