"""An app on a stand-in Android device, whose frames are known to the nanosecond.

As a module, it defines the app for a test. As a program, it is the device's `dumpsys`, which computes from the clock what
hwui would print at this moment.
"""

import json
import os
import sys
import time
from pathlib import Path

RING = 120
COLUMNS = ("Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,"
           "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,"
           "FrameCompleted,DequeueBufferDuration,QueueBufferDuration,GpuCompleted")
LABELS = [*range(5, 33), *range(34, 49, 2), *range(53, 134, 4), *range(150, 4951, 50)]


class StandIn:
    """Installs an app that draws `hz` frames per second from now on. Each frame takes `frame_ms`."""

    def __init__(self, device, package, python, hz=60, frame_ms=8.0):
        self.device = device
        self.package = package
        self.file = device.state / "app.json"
        self.calls = device.state / "calls"
        self.state = {"package": package, "processes": []}
        self.start(4242, hz, frame_ms)
        device.command("dumpsys", f"#!/bin/sh\nexec {python} {Path(__file__).resolve()} \"$@\"\n")

    def save(self):
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(self.state))
        fresh.replace(self.file)

    def start(self, pid, hz=60, frame_ms=8.0):
        self.state["processes"].append({"pid": pid, "from": time.monotonic_ns(), "hz": hz,
                                        "frame_ns": int(frame_ms * 1e6), "ended": 0})
        self.save()

    def die(self, pid=4242):
        """Removes the process and its frames. Android keeps no data of a dead process."""
        self.state["processes"] = [p for p in self.state["processes"] if p["pid"] != pid]
        self.save()

    def frames(self):
        """Number of frames that the app has completed by now."""
        return sum(completed_by(p, time.monotonic_ns()) for p in self.state["processes"])

    def says(self, text, code=0):
        """Makes dumpsys print this text and exit with this code."""
        self.state["says"] = [text, code]
        self.save()

    def arguments(self):
        """Arguments of each call of dumpsys."""
        return [json.loads(line) for line in self.calls.read_text().splitlines()]


def frame(process, index):
    start = process["from"] + index * 1_000_000_000 // process["hz"]
    length = process["frame_ns"]
    cut = [start + length * k // 10 for k in range(11)]
    return [0, start, start, 2**63 - 1, 0, cut[1], cut[2], cut[3], cut[4], cut[5], cut[5], cut[6],
            cut[8], cut[10], 0, 0, cut[10]]


def completed_by(process, now):
    if process["hz"] <= 0 or now < process["from"] + process["frame_ns"]:
        return 0
    return (now - process["frame_ns"] - process["from"]) * process["hz"] // 1_000_000_000 + 1


def histogram(count, frame_ns):
    ms = frame_ns // 1_000_000
    bucket = max(label for label in LABELS if label <= max(ms, 5))
    return " ".join(f"{label}ms={count if label == bucket else 0}" for label in LABELS)


def block(process, count, since):
    label = max(label for label in LABELS if label <= max(process["frame_ns"] // 1_000_000, 5))
    label = label if count else 4950
    lines = [f"Stats since: {since}ns", f"Total frames rendered: {count}", "Janky frames: 0 (0.00%)"]
    lines += [f"{p}th percentile: {label}ms" for p in (50, 90, 95, 99)]
    lines += [f"Number {what}: 0" for what in ("Missed Vsync", "High input latency", "Slow UI thread",
                                               "Slow bitmap uploads", "Slow issue draw commands",
                                               "Frame deadline missed")]
    lines += [f"HISTOGRAM: {histogram(count, process['frame_ns'])}"]
    return "".join("\n" + line for line in lines)


def section(package, process, resets, framestats, now):
    reset = resets.get(str(process["pid"]), 0)
    since = max(reset, process["from"])
    before = completed_by(process, reset) if reset else 0
    end = completed_by(process, now)
    text = f"\n** Graphics info for pid {process['pid']} [{package}] **\n"
    text += block(process, end - before, since)
    text += "\nPipeline=Skia (OpenGL)\n\nProfile data in ms:\n"
    text += f"\n\t{package}/{package}.Main/android.view.ViewRootImpl@1d5ddd6 (visibility=0)"
    if framestats:
        text += f"\nWindow: {package}/{package}.Main" + block(process, end - before, since) + "\n"
        text += f"\n\n---PROFILEDATA---\n{COLUMNS},"
        for index in range(max(before, end - RING), end):
            text += "\n" + "".join(f"{value}," for value in frame(process, index))
        text += "\n---PROFILEDATA---\n\n"
    return text + "\nView hierarchy:\n\n\nTotal ViewRootImpl   : 1\n\n"


def dumpsys(words):
    folder = Path(os.environ["STAND_IN_STATE"])
    with open(folder / "calls", "a", encoding="utf-8") as calls:
        calls.write(json.dumps(words) + "\n")
    state = json.loads((folder / "app.json").read_text())
    if "says" in state:
        print(state["says"][0])
        return state["says"][1]
    if words[:1] != ["gfxinfo"]:
        print(f"Can't find service: {words[0] if words else ''}", file=sys.stderr)
        return 0
    if words[1] != state["package"] or not state["processes"]:
        print(f"No process found for: {words[1]}")
        return 0
    resets_file = folder / "resets.json"
    resets = json.loads(resets_file.read_text()) if resets_file.exists() else {}
    now = time.monotonic_ns()
    text = "Applications Graphics Acceleration Info:\n"
    text += f"Uptime: {now // 1_000_000} Realtime: {now // 1_000_000}\n"
    for process in state["processes"]:
        text += section(state["package"], process, resets, "framestats" in words, now)
    sys.stdout.write(text)
    if "reset" in words:
        now = time.monotonic_ns()
        resets_file.write_text(json.dumps({str(p["pid"]): now for p in state["processes"]}))
    return 0


if __name__ == "__main__":
    sys.exit(dumpsys(sys.argv[1:]))
