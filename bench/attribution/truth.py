"""What the answer must be, from what the program measured of itself as it ran: clocks of threads, the kernel's count of waiting
for a CPU. The trace is not asked."""
from dataclasses import dataclass, field

from plans import BUDGET_MS

CAUSES = {"stage": "own-work", "section": "own-work", "lock": "lock", "competitor": "runnable", "fsync": "io", "dbus": "ipc",
          "sleep": "sleep", "late": "late-wake"}


# Levels of permission at which only switches of threads are seen, no wake-ups: that there was a wait is known, not for what, nor who ended it.
SWITCHES_ONLY = ("perf-alone", "own-threads")


@dataclass
class Cause:
    plant: str  # its kind
    kind: str
    name: str
    thread: str
    holder: str
    ms: float = 0.0  # inside janky frames
    frames: int = 0  # janky ones it is part of
    saved_frames: int = 0
    saved_ms: float = 0.0
    per_frame: dict = field(default_factory=dict)
    unsure_ms: float = 0.0  # beside `ms`: waiting for a CPU that the level cannot tell from it


def asleep_ns(use):
    return max(0, use["wall_ns"] - use["ran_ns"] - use["delay_ns"])


def plant_ns(plan, number, frame, level):
    """Time of a frame that would not have been without the plant, as far as the level can tell it from other time: where nobody but
    the app is seen, a competitor is one with whoever else had its CPU then; where no timers are, a late one with the sleep before it."""
    plant, use = plan["plants"][number], frame["plants"][number]
    if plant["kind"] == "stage":  # with what the stage does always
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
    """Where only the thread's own switches are seen, a sleep lasts until it runs again, whatever had the CPU when it was woken."""
    return use["delay_ns"] if level == "own-threads" and plant["kind"] in ("lock", "fsync", "dbus", "sleep", "late") else 0


def cause_of(plan, plant):
    stage = plan["stages"][plant["stage"]]
    outer = plan["worker_section"] if stage["on_worker"] else stage["name"]
    return Cause(plant["kind"], CAUSES[plant["kind"]], plant["name"] or outer, plan["worker"] if stage["on_worker"] else plan["main"],
                 plant["holder"])


def janky(truth):
    return [i for i, frame in enumerate(truth["frames"]) if frame["wall_ns"] > BUDGET_MS * 1e6]


def causes(plan, truth, level="tracefs"):
    """The planted causes by what would have been saved without them, most first."""
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
    """Janky frames without a plant in them, and how much of each the kernel kept its thread off the CPU."""
    planted = {i for plant in plan["plants"] for i in plant["frames"]}
    return [{"frame": i, "over_ms": truth["frames"][i]["wall_ns"] / 1e6 - BUDGET_MS, "delay_ms": truth["frames"][i]["delay_ns"] / 1e6}
            for i in janky(truth) if i not in planted]
