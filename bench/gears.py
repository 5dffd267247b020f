"""What the recorder costs glxgears, an unmodified program without a limit of its rate, in a window so small that drawing costs little.

Measures the time that the hooks take in the thread that draws, between a layer before the hooks and one behind them (layer_gears.c).
For comparison, what MangoHud costs: CPU time of this thread per frame, counted by glxgears, with and without MangoHud, alternating."""
import os
import re
import select
import shutil
import statistics
import subprocess
import threading
from pathlib import Path

ROUNDS = 4
GEARS = ["glxgears", "-geometry", "16x16"]
WAYS = {"alone": [], "under MangoHud": ["mangohud"]}
LAYERS_END_S = 60


def start_display():
    """Starts an X server. Returns it and the name of its display."""
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-noreset", "-nolisten", "tcp"], pass_fds=[writing],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    number = ""
    while not number.endswith("\n") and select.select([reading], [], [], 20)[0]:
        number += os.read(reading, 16).decode() or "\n"
    os.close(reading)
    return server, ":" + number.strip()


def main_thread(pid):
    """The process called glxgears among this one and its descendants. Its main thread draws."""
    while Path(f"/proc/{pid}/comm").read_text().strip() != "glxgears":
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


def cpu_ns(pid):
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0])


def frame_us(command, environment):
    """CPU time of a frame between glxgears' first count and its second, five seconds later. Then ends glxgears."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    before_ns = None
    try:
        for line in process.stdout:
            counted = re.match(r"(\d+) frames in (\S+) seconds", line)
            if counted and before_ns is not None:
                return (cpu_ns(main_thread(process.pid)) - before_ns) / 1e3 / int(counted[1])
            if counted:
                before_ns = cpu_ns(main_thread(process.pid))
        raise RuntimeError(f"{command[0]} ended without a figure")
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def layered_us(objects, environment):
    """How much longer a frame takes in the layer before the hooks than in the layer behind them."""
    command = ["env", "LD_PRELOAD=" + ":".join(map(str, objects)), *GEARS]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = threading.Timer(LAYERS_END_S, process.terminate)
    end.start()
    try:
        for line in process.stderr:
            if line.startswith("layer_gears\t"):
                return int(line.split("\t")[1]) / 1e3
        raise RuntimeError("glxgears ended without a figure")
    finally:
        end.cancel()
        process.terminate()
        process.wait(10)
        process.stderr.close()


def hooks_us(build, environment):
    outer, inner = (build / f"bench/libbench-gears-{layer}.so" for layer in ("outer", "inner"))
    return layered_us([outer, build / "libdejank-hooks.so", inner], environment) - layered_us([outer, inner], environment)


def bench_rows(build, environment):
    missing = [program for program in ("glxgears", "Xvfb", "mangohud") if not shutil.which(program)]
    if missing:
        print(f"bench: skipped, not installed: {' '.join(missing)}")
        return
    server, display = start_display()
    environment = {**environment, "DISPLAY": display, "vblank_mode": "0"}
    try:
        took = {way: [] for way in WAYS}
        hooks = []
        for _ in range(ROUNDS):
            for way, prefix in WAYS.items():
                took[way].append(frame_us([*prefix, *GEARS], environment))
            hooks.append(hooks_us(build, environment))
    finally:
        server.terminate()
        server.wait(10)
    yield "a frame of glxgears, CPU time of its thread", min(took["alone"]), "µs", None
    yield f"… the hooks' own time in it (median of {ROUNDS})", statistics.median(hooks), "µs", 2
    yield f"… under MangoHud, more (best of {ROUNDS} each)", min(took["under MangoHud"]) - min(took["alone"]), "µs", None
