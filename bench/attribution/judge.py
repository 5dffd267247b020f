"""Compares the answer of `dejank trace triage` with the truth."""
import json
import subprocess
from dataclasses import dataclass, field

import truth
from plans import BUDGET_MS

TOP = 5
TOLERANCE = 0.20
NAMED_FRAMES = 2  # number of saved frames from which a cause counts as named
TRIAGE_SECONDS = 120
SWITCHES_ONLY = truth.SWITCHES_ONLY
WAITS = {"lock", "io", "ipc", "sleep", "late-wake"}


@dataclass
class Found:
    cause: truth.Cause
    rank: int = 0  # 0: not in the answer
    ms: float = 0.0
    apart: float = 0.0  # ms that triage reports as noise of the machine instead
    unplaced: bool = False  # reported as unexplained time, together with all waits of unknown reason
    shared: float = 0.0  # true ms of other plants that `ms` includes

    def in_top(self):
        return 0 < self.rank <= TOP

    def ms_right(self):
        true, unsure = self.true_ms(), self.cause.unsure_ms
        return self.rank > 0 and (1 - TOLERANCE) * true <= self.ms <= (1 + TOLERANCE) * (true + unsure)

    def true_ms(self):
        return self.cause.ms + self.shared

    def is_wait(self):
        return self.cause.kind in WAITS

    def ratio(self):
        return self.ms / self.true_ms() if self.rank and self.cause.ms else None


@dataclass
class Verdict:
    name: str
    level: str
    about: dict
    found: list  # of the planted causes, the main one first
    answer: dict  # of triage
    janky: int  # number of frames, by the truth
    noise: list
    lost: int
    error: str = ""
    named: list = field(default_factory=list)  # causes that would save frames although nothing is planted

    def loaded(self):
        return bool(self.about["plan"]["load"])

    def main_first(self):
        return self.found[0].rank == 1

    def all_in_top(self):
        return all(found.in_top() for found in self.found)


def matches(cause, row, level):
    same = row["kind"] == cause.kind or level in SWITCHES_ONLY and cause.kind in WAITS and row["kind"] in WAITS
    if not same or row["name"] != cause.name or row["thread"] != cause.thread:
        return False
    if cause.kind == "runnable" and level != "own-threads" or cause.kind == "lock" and level not in SWITCHES_ONLY:
        return row["holder"] == cause.holder
    return True


def find(cause, rows, level):
    return next((row for row in rows if matches(cause, row, level)), {})


def ask(dejank, capture, frame):
    command = [str(dejank), "trace", "triage", "--json", "--frames", f"{frame} *", "--budget", f"{BUDGET_MS}ms", str(capture.trace())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TRIAGE_SECONDS)
    if done.returncode not in (0, 1):
        return {"causes": [], "frames": {}}, f"ended with {done.returncode}: {done.stderr.strip()[:200]}"
    return json.loads(done.stdout), ""


def place_in_unexplained(found, answer):
    """Finds waits that triage does not report as a cause. Switches alone do not show the reason of a wait, so the right answer is unexplained
    time. All such waits together are compared with the unexplained time."""
    waits = [f for f in found if f.is_wait() and not f.rank]
    told, true = answer.get("unexplained_ms", 0), sum(f.cause.ms for f in waits)
    for f in waits:
        if told > 0 and true > 0:
            f.rank = 1 + sum(row["ms"] > told for row in answer["causes"])
            f.ms, f.unplaced = f.cause.ms * told / true, True


def share_rows(found):
    """Two waits in one section look like one if only switches are visible. Both together are compared with the reported time."""
    for f in found:
        same = [g.cause.ms for g in found if f.rank and g.rank == f.rank and g.is_wait() and not g.unplaced]
        if f.is_wait() and not f.unplaced and len(same) > 1:
            f.shared = sum(same) - f.cause.ms


def judge(dejank, capture, level):
    about, measured = capture.about(), capture.truth()
    plan = about["plan"]
    answer, error = ask(dejank, capture, plan["frame"])
    found = []
    for cause in truth.causes(plan, measured, level):
        row, apart = (find(cause, answer.get(rows, []), level) for rows in ("causes", "machine"))
        found.append(Found(cause, row.get("rank", 0), row.get("ms", 0), apart.get("ms", 0)))
    if level in SWITCHES_ONLY:
        share_rows(found)
        place_in_unexplained(found, answer)
    named = [row for row in answer["causes"] if row["saved_frames"] >= NAMED_FRAMES] if not found else []
    return Verdict(capture.folder.name, level, about, found, answer, len(truth.janky(measured)), truth.noise(plan, measured), capture.lost(), error, named)
