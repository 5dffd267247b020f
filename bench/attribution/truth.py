"""The right answers. They come from measurements of the program while it ran: clocks of its threads, and the kernel's time of waiting
for a CPU. The trace is not used."""
from dataclasses import dataclass, field

from plans import BUDGET_MS

CAUSES = {"stage": "own-work", "section": "own-work", "lock": "lock", "competitor": "runnable", "fsync": "io", "dbus": "ipc",
          "sleep": "sleep", "late": "late-wake"}


# Levels of permission that show switches of threads, but no wake-ups. A wait is visible, but not its reason or the thread that ended it.
SWITCHES_ONLY = ("perf-alone", "own-threads")


@dataclass
class Cause:
    plant: str  # kind of the plant
    kind: str
    name: str
    thread: str
    holder: str
    ms: float = 0.0  # inside janky frames
    frames: int = 0  # janky frames with this cause
    saved_frames: int = 0
    saved_ms: float = 0.0
    per_frame: dict = field(default_factory=dict)
    unsure_ms: float = 0.0  # not in `ms`: waiting for a CPU that the level cannot distinguish from it


def asleep_ns(use):
    return max(0, use["wall_ns"] - use["ran_ns"] - use["delay_ns"])


def plant_ns(plan, number, frame, level):
    """Returns the time that the frame would not have taken without the plant, as far as the level can distinguish it. At own-threads,
    the time of a competitor includes all waiting for a CPU. Without timers, the time of a late wake-up includes the sleep before it."""
    plant, use = plan["plants"][number], frame["plants"][number]
    if plant["kind"] == "stage":  # includes the usual work of the stage
        return frame["stages"][plant["stage"]]["cpu_ns"] if use["wall_ns"] else 0
    if plant["kind"] == "section":
        return use["cpu_ns"]
    if plant["kind"] == "competitor" and level == "own-threads":
        return use["delay_ns"]
    if plant["kind"] == "late" and level in SWITCHES_ONLY:
        return asleep_ns(use)
    if plant["kind"] in ("competitor", "late"):
        return use["special_ns"]
    return asleep_ns(use)


def unsure_ns(plant, use, level):
    """Returns the waiting for a CPU after a sleep. At own-threads it looks like sleep: only the thread's own switches are visible."""
    return use["delay_ns"] if level == "own-threads" and plant["kind"] in ("lock", "fsync", "dbus", "sleep", "late") else 0


def cause_of(plan, plant):
    stage = plan["stages"][plant["stage"]]
    outer = plan["worker_section"] if stage["on_worker"] else stage["name"]
    return Cause(plant["kind"], CAUSES[plant["kind"]], plant["name"] or outer, plan["worker"] if stage["on_worker"] else plan["main"],
                 plant["holder"])


def janky(truth):
    return [i for i, frame in enumerate(truth["frames"]) if frame["wall_ns"] > BUDGET_MS * 1e6]


def causes(plan, truth, level="tracefs"):
    """Returns the planted causes, sorted by the frames and the time that removing them would save, most first."""
    late = janky(truth)
    found = []
    for number, plant in enumerate(plan["plants"]):
        cause = cause_of(plan, plant)
        for i in late:
            frame = truth["frames"][i]
            ms, over = plant_ns(plan, number, frame, level) / 1e6, frame["wall_ns"] / 1e6 - BUDGET_MS
            if ms > 0:
                cause.per_frame[i] = ms
                cause.ms += ms
                cause.frames += 1
                cause.unsure_ms += unsure_ns(plant, frame["plants"][number], level) / 1e6
                cause.saved_frames += ms >= over
                cause.saved_ms += min(ms, over)
        found.append(cause)
    return sorted(found, key=lambda cause: (-cause.saved_frames, -cause.saved_ms))


def noise(plan, truth):
    """Returns the janky frames without a plant, each with the time that its thread waited for a CPU."""
    planted = {i for plant in plan["plants"] for i in plant["frames"]}
    return [{"frame": i, "over_ms": truth["frames"][i]["wall_ns"] / 1e6 - BUDGET_MS, "delay_ms": truth["frames"][i]["delay_ns"] / 1e6}
            for i in janky(truth) if i not in planted]
