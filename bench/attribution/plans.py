"""Makes plans from a seed. Names, sizes, places and mixtures of the planted causes differ in every capture.

A plan is the input of tests/programs/planted_frames. A plant of 16 to 24 ms nearly fills the budget of a frame, so its frame misses
the deadline. A frame without a plant uses less than two thirds of its budget. In most plans, the main cause has at least 1.5 times
as many frames as the next one."""
import os
import random
from dataclasses import dataclass, field

KINDS = ("stage", "section", "lock", "competitor", "fsync", "dbus", "sleep", "late")
BUDGET_MS = 16.667
FRAMES = 120
FIRST_FRAME = 4  # the program has started up by then
SYLLABLES = ("ka", "lo", "mi", "ren", "tu", "ver", "os", "pra", "del", "fi", "gon", "hau", "jin", "sto", "quo", "wex", "bri", "zan")


@dataclass
class Stage:
    name: str
    work_us: int
    on_worker: bool = False


@dataclass
class Plant:
    kind: str
    stage: int
    name: str  # of its section; empty: the plant is directly in its stage
    size_us: int
    frames: list
    holder: str = ""
    held_in: str = ""  # the holder's section, or the peer's name on the bus
    busy: bool = False


@dataclass
class Plan:
    seed: int
    frame: str
    main: str
    worker: str
    worker_section: str
    stages: list
    plants: list
    load: list  # names of the background processes
    frames: int = FRAMES
    cpu: int = -1
    user: int = -1
    addressed: dict = field(default_factory=dict)  # markers, file, bus, truth

    def text(self):
        lines = [("frames", self.frames, round(BUDGET_MS * 1000), self.frame), ("main", self.main, self.cpu, self.user)]
        lines += [("stage", s.name, s.work_us, "worker" if s.on_worker else "") for s in self.stages]
        if self.worker:
            lines.append(("worker", self.worker, self.worker_section))
        lines += [("plant", p.kind, p.stage, p.name, p.size_us, ",".join(map(str, p.frames)), p.holder, p.held_in,
                   "busy" if p.busy else "idle") for p in self.plants]
        lines += [(key, value) for key, value in self.addressed.items() if value]
        return "".join("\t".join(map(str, line)) + "\n" for line in lines)


class Words:
    """Makes names of many shapes, each only once in a plan."""

    def __init__(self, rng):
        self.rng, self.used = rng, set()

    def word(self, least=2, most=3):
        return "".join(self.rng.choice(SYLLABLES) for _ in range(self.rng.randint(least, most)))

    def fresh(self, make):
        while True:
            name = make()
            if name not in self.used:
                self.used.add(name)
                return name

    def section(self):
        shapes = (self.word, lambda: f"{self.word().capitalize()}::{self.word()}", lambda: f"{self.word()} {self.word()}",
                  lambda: f"{self.word()}#{self.word()}", lambda: f"{self.word()}-{self.rng.randint(2, 99)}",
                  lambda: f"{self.word()}/{self.word()}.cc")
        return self.fresh(lambda: self.rng.choice(shapes)())

    def thread(self):
        shapes = (self.word, lambda: f"{self.word(1, 2)}-{self.word(1, 2)}", lambda: f"{self.word(1, 2)}:{self.rng.randint(0, 9)}",
                  lambda: self.word().capitalize())
        return self.fresh(lambda: self.rng.choice(shapes)()[:15])


def spread(rng, count, frames, taken):
    """Chooses up to `count` frames that are not taken and not next to each other."""
    free = [i for i in range(FIRST_FRAME, frames - 2) if i not in taken]
    rng.shuffle(free)
    chosen = set()
    for i in free:
        if len(chosen) < count and not chosen & {i - 1, i + 1}:
            chosen.add(i)
    return sorted(chosen)


def make_plant(kind, rng, words, stages, counts, taken, frames):
    places = [i for i, s in enumerate(stages) if not s.on_worker or kind in ("stage", "section")]
    plant = Plant(kind, rng.choice(places), "", rng.randint(16000, 24000), spread(rng, counts, frames, taken))
    if kind != "stage" and (kind in ("section", "lock") or rng.random() < 0.7):
        plant.name = words.section()
    if kind in ("lock", "competitor", "dbus"):
        plant.holder = words.thread()
        plant.busy = rng.random() < 0.5
    if kind == "lock":
        plant.held_in = words.section()
    if kind == "dbus":
        plant.held_in = f"org.{words.word()}.{words.word().capitalize()}"
    return plant


def make(seed, kinds, loaded, frames=FRAMES):
    """Makes a plan with these kinds of plants, the main one first. No kinds: a plan without plants."""
    rng = random.Random(seed)
    words = Words(rng)
    stages = [Stage(words.section(), rng.randint(400, 1300)) for _ in range(rng.randint(3, 5))]
    worker = rng.random() < 0.35
    if worker:
        stages[rng.randrange(1, len(stages))].on_worker = True
    plan = Plan(seed, words.section(), words.thread(), words.thread() if worker else "", words.section() if worker else "",
                stages, [], [words.thread() for _ in range(2)] if loaded else [], frames)
    taken = set()
    share = frames / FRAMES
    for count, kind in zip((rng.randint(14, 18), rng.randint(7, 9), rng.randint(4, 5)), kinds):
        plant = make_plant(kind, rng, words, stages, max(3, round(count * share)), taken, frames)
        while kind == "stage" and any(p.stage == plant.stage and p.kind == "stage" for p in plan.plants):
            plant.stage = (plant.stage + 1) % len(stages)
        taken |= set(plant.frames)
        plan.plants.append(plant)
    if len(plan.plants) > 1 and rng.random() < 0.4:  # some frames have two causes
        first, second = rng.sample(plan.plants[:2], 2)
        first.frames = sorted(set(first.frames) | set(rng.sample(second.frames, 2)))
    if "competitor" in kinds:
        plan.cpu = max(os.sched_getaffinity(0))
    return plan
