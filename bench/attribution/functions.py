"""Captures programs with planted functions and compares what `dejank trace triage` names with the truth."""
import json
import os
import random
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, field

import captures
import programs

TOLERANCE = 0.15
TRIAGE_SECONDS = CAPTURE_SECONDS = 120
# Number of captures of each kind, and how many functions are planted.
KINDS = {"one": (60, 1), "mixed": (40, 3), "none": (40, 0), "stripped": (20, 1)}
# Real-time priority. Otherwise other programs of the machine would make frames janky, and lower the time that a sample represents.
FIRST, BEFORE_IT = ["chrt", "--fifo", "1"], ["chrt", "--fifo", "2"]


def listed(seed):
    """Yields (name, kind, program) for every capture."""
    for kind, (count, plants) in KINDS.items():
        rng = random.Random(f"{seed} {kind}")
        for _ in range(count):
            number = rng.randrange(1 << 30)
            yield f"functions-{kind}-{number}", kind, programs.make(number, plants)


class Capture:
    """A folder with the program, truth.txt, about.json and the trace."""

    def __init__(self, folder, kind, program):
        self.folder, self.kind, self.program = folder, kind, program

    def plan(self):
        return json.loads(json.dumps(asdict(self.program)))

    def about(self):
        return json.loads((self.folder / "about.json").read_text())

    def is_taken(self):
        return (self.folder / "about.json").exists() and self.about()["plan"] == self.plan()

    def run(self, dejank):
        binary = self.folder / ("stripped" if self.kind == "stripped" else "program")
        words = [*FIRST, dejank, "trace", "capture", "--json", "--stacks", "-o", self.folder / "trace.pftrace", "--", *BEFORE_IT, binary,
                 self.folder / "truth.txt"]
        with tempfile.TemporaryDirectory(prefix="dejank-segments-") as segments:
            done = subprocess.run(words, env={**os.environ, "DEJANK_DIR": segments}, capture_output=True, text=True, timeout=CAPTURE_SECONDS)
        said = json.loads(done.stdout) if done.returncode == 0 else {}
        if said.get("stacks", {}).get("source", "none") == "none":
            raise RuntimeError(f"no call stacks: {done.stderr.strip()} {said.get('limits', '')}")
        return said

    def take(self, library):
        programs.build(self.program, self.folder, library)
        (self.folder / "about.json").unlink(missing_ok=True)
        before, pressed, began = captures.busy(), captures.pressure(), time.monotonic()
        said = self.run(library / "dejank")
        seconds, after = time.monotonic() - began, captures.busy()
        about = {"plan": self.plan(), "stacks": said["stacks"], "load_average": os.getloadavg()[0],
                 "pressure": (captures.pressure() - pressed) / 1e6 / seconds, "busy": (after[0] - before[0]) / max(1, after[1] - before[1])}
        (self.folder / "about.json").write_text(json.dumps(about))

    def truth(self):
        """Returns for each frame its time and the extra CPU time of each plant, in ms."""
        return [[float(word) for word in line.split()] for line in (self.folder / "truth.txt").read_text().splitlines()]

    def identities(self):
        """Returns the addresses of the functions of the program and its build-id, as read by binutils."""
        symbols = subprocess.run(["nm", self.folder / "program"], capture_output=True, text=True, check=True).stdout
        notes = subprocess.run(["readelf", "-n", self.folder / "program"], capture_output=True, text=True, check=True).stdout
        return {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines() if len(line.split()) == 3}, notes.split("Build ID:")[1].split()[0]


@dataclass
class Planted:
    name: str
    extra_ms: float  # per janky frame, by the program's own clock
    rank: int = 0  # 0: not named
    reported_ms: float = 0.0
    in_interval: bool = False

    def ratio(self):
        return self.reported_ms / self.extra_ms if self.rank else None

    def ms_right(self):
        return self.rank > 0 and abs(self.ratio() - 1) <= TOLERANCE


@dataclass
class Verdict:
    name: str
    kind: str
    about: dict
    janky: int = 0  # by the truth
    functions: list = field(default_factory=list)  # what triage named
    frames: dict = field(default_factory=dict)
    planted: list = field(default_factory=list)
    error: str = ""

    def first_right(self):
        return any(one.rank == 1 for one in self.planted)

    def all_first(self):
        """Returns whether the plants are the first functions, in any order."""
        return all(0 < one.rank <= len(self.planted) for one in self.planted)


def ask(dejank, capture):
    words = [dejank, "trace", "triage", "--json", "--frames", f"{capture.program.frame} *", "--budget", f"{capture.program.budget_ms:.3f}ms",
             capture.folder / "trace.pftrace"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=TRIAGE_SECONDS)
    if done.returncode not in (0, 1):
        return {}, f"ended with {done.returncode}: {done.stderr.strip()[:200]}"
    return json.loads(done.stdout), ""


def matches(function, name, capture):
    """Returns whether a reported function is right: the plant is in its chain. The functions of a chain call only each other, so they have
    the same samples. Without symbols, the chain contains the address of the plant."""
    if capture.kind != "stripped":
        return name in function["chain"]
    addresses, build_id = capture.identities()
    return f"stripped!0x{addresses[name]:x}" in function["chain"] and function["build_id"] == build_id


def compare(planted, functions, capture):
    for rank, function in enumerate(functions, 1):
        if matches(function, planted.name, capture):
            planted.rank, planted.reported_ms = rank, function["extra_ms"]
            planted.in_interval = function["ci_ms"][0] <= planted.extra_ms <= function["ci_ms"][1]
            return


def judge(dejank, capture):
    answer, error = ask(dejank, capture)
    truth = capture.truth()
    verdict = Verdict(capture.folder.name, capture.kind, capture.about(), sum(frame[0] > capture.program.budget_ms for frame in truth),
                      answer.get("functions", []), answer.get("function_frames", {}), error=error)
    janky = verdict.frames.get("janky") or 1
    for number, name in enumerate(capture.program.plants):
        verdict.planted.append(Planted(name, sum(frame[1 + number] for frame in truth) / janky))
        compare(verdict.planted[-1], verdict.functions, capture)
    return verdict
