"""What recording windows without GL and Vulkan costs: the hooks of images, and the CPU time of a recording from outside."""
import contextlib
import os
import select
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

SECONDS = 10
PAIRS = 15
CLIENTS = 2  # each presents 60 times a second
TICKS = os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def x_server():
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-noreset", "-nolisten", "tcp", "-ac", "-screen", "0", "640x480x24"],
                              pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        number = b""
        while not number.endswith(b"\n") and select.select([reading], [], [], 20)[0]:
            number += os.read(reading, 16) or b"\n"
        yield f":{number.decode().strip()}"
    finally:
        os.close(reading)
        server.terminate()
        server.wait(timeout=10)


def cpu_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.contextmanager
def compositor(scratch):
    """The environment of clients of a headless Wayland compositor."""
    runtime = Path(scratch) / "wayland"
    runtime.mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "bench"}
    server = subprocess.Popen(["weston", "--backend=headless-backend.so", "--idle-time=0", "--socket=bench", "--no-config"],
                              env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if (runtime / "bench").exists():
                break
            time.sleep(0.1)
        yield environment
    finally:
        server.terminate()
        server.wait(timeout=10)


def measure_hooks(build, name, environment):
    """(median frame of this program without the recorder in ns, median of the pairs' differences)"""
    program = build / "bench" / name
    recorder = [build / "dejank", "record", "--name", "dejank.bench", "--", program]
    plain, hooked = [], []
    for _ in range(PAIRS):
        for command, found in (([program], plain), (recorder, hooked)):
            found.append(int(subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60).stdout))
    return statistics.median(plain), statistics.median(h - p for h, p in zip(hooked, plain))


def measure_outside(build, environment):
    """CPU time of a recording of all clients, in percent of a CPU."""
    clients = [subprocess.Popen([build / "tests/programs/presents", "1", "100000"], env=environment, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True) for _ in range(CLIENTS)]
    for client in clients:
        client.stdout.readline()
    recording = subprocess.Popen([build / "dejank", "record", "--all"], env=environment, stderr=subprocess.DEVNULL)
    try:
        for client in clients:
            client.stdin.write("go\n")
            client.stdin.flush()
        time.sleep(2)
        start, used = time.monotonic(), cpu_s(recording.pid)
        time.sleep(SECONDS)
        return 100 * (cpu_s(recording.pid) - used) / (time.monotonic() - start)
    finally:
        recording.terminate()
        recording.wait(timeout=10)
        for client in clients:
            client.kill()
            client.communicate()


def rows(build):
    with tempfile.TemporaryDirectory() as scratch, compositor(scratch) as environment:
        plain_ns, extra_ns = measure_hooks(build, "bench-shm", {**environment, "DEJANK_DIR": scratch})
        yield "a frame of a poll and a commit to Wayland, without the recorder", plain_ns / 1e3, "µs", None
        yield "… hooks, per present (median of pairs)", extra_ns / 1e3, "µs", 2
    with tempfile.TemporaryDirectory() as scratch, x_server() as display:
        environment = {**os.environ, "DISPLAY": display, "DEJANK_DIR": scratch}
        plain_ns, extra_ns = measure_hooks(build, "bench-images", environment)
        yield "a frame of a poll and an image to X, without the recorder", plain_ns / 1e3, "µs", None
        yield "… hooks, per present (median of pairs)", extra_ns / 1e3, "µs", 2
        yield "record --all, 120 presents per second: CPU time", measure_outside(build, environment), "%", 1
