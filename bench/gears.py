"""What the recorder costs glxgears, an unmodified program, beside what MangoHud costs it: CPU time of the thread that draws, per frame
as glxgears itself counts them, unthrottled, in a window so small that drawing costs little; the three ways in turns."""
import os
import re
import select
import shutil
import subprocess
from pathlib import Path

ROUNDS = 4
GEARS = ["glxgears", "-geometry", "16x16"]
WAYS = {"alone": [], "recorded": None, "under MangoHud": ["mangohud"]}


def start_display():
    """An X server of our own and the name of its display."""
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
    """The process called glxgears among this one and its descendants: its main thread is the one that draws."""
    while Path(f"/proc/{pid}/comm").read_text().strip() != "glxgears":
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


def cpu_ns(pid):
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0])


def frame_us(command, environment):
    """From its first count to its second, five seconds later; then it is ended by its process id."""
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


def bench_rows(dejank, environment):
    missing = [program for program in ("glxgears", "Xvfb", "mangohud") if not shutil.which(program)]
    if missing:
        print(f"bench: skipped, not installed: {' '.join(missing)}")
        return
    ways = {**WAYS, "recorded": [str(dejank), "record", "--name", "dejank.gears", "--"]}
    server, display = start_display()
    environment = {**environment, "DISPLAY": display, "vblank_mode": "0"}
    try:
        took = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, prefix in ways.items():
                took[way].append(frame_us([*prefix, *GEARS], environment))
    finally:
        server.terminate()
        server.wait(10)
    yield "a frame of glxgears, CPU time of its thread", min(took["alone"]), "µs", None
    for way, bar in (("recorded", 2), ("under MangoHud", None)):
        yield f"… {way}, more (best of {ROUNDS} each)", min(took[way]) - min(took["alone"]), "µs", bar
