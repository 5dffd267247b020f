"""Makes programs whose frames take longer in known functions. The C source is made from a seed: names of functions, callers, durations,
and which functions are planted.

A frame calls stages, a stage calls tasks, and a task spends a part of its time in shared functions. So by total time, the outermost
functions would always be the cause. By own time, it would be a shared function. The program marks its frames and nothing else. While it
runs, it measures the extra time of each plant with the clock of its thread."""
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from plans import Words, spread

ROOT = Path(__file__).resolve().parent.parent.parent
PERIOD_MS = 1000 / 60
JANKY, SMOOTH = 20, 100
EXTRA_MS = (3.0, 6.0)
USUAL_MS = (5.0, 8.0)
SLEEP_MS = 8.0  # makes frames janky where nothing is planted

SOURCE = """#include <dejank/sections.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "planted_code.h"

/* Works in the function that contains it. A number of loops would take longer while other jobs slow the CPU down. */
#define WORK(ms) for (double until = get_ms(CLOCK_MONOTONIC) + (ms); get_ms(CLOCK_MONOTONIC) < until;) {{ for (int n = 0; n < 500; n++) {{ sum = sum * 3 + 1; }} }}
#define PLANT(i, call) if (extra_ms[i] > 0) {{ double begun = get_ms(CLOCK_THREAD_CPUTIME_ID); call; took_ms[i] += get_ms(CLOCK_THREAD_CPUTIME_ID) - begun; }}

static volatile unsigned long sum;
static double extra_ms[{plants}], took_ms[{plants}];
static unsigned seed = {seed};

/* Differs by up to a fifth from frame to frame. */
static double vary(double ms)
{{
    return ms * (0.8 + 0.4 * rand_r(&seed) / RAND_MAX);
}}

{functions}

static void sleep_until(double ms)
{{
    struct timespec at = {{(time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000L}};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {{
    }}
}}

static const struct {{ int plant; double ms; }} frames[] = {{{frames}}};

/* Prints a line for each frame: its time, and the extra CPU time of each plant. */
int main(int count, char **words)
{{
    FILE *out = count == 2 ? fopen(words[1], "w") : NULL;
    if (out == NULL) {{
        return 1;
    }}
    double at = get_ms(CLOCK_MONOTONIC) + 20;
    for (int i = 0; i < (int)(sizeof(frames) / sizeof(*frames)); i++) {{
        char name[80];
        for (int k = 0; k < {plants}; k++) {{
            took_ms[k] = 0;
            extra_ms[k] = frames[i].plant == k ? frames[i].ms : 0;
        }}
        sleep_until(at);
        double begun = get_ms(CLOCK_MONOTONIC);
        snprintf(name, sizeof(name), "{frame} %d", i);
        dejank_section_begin(name);
        {draw}();
        if (frames[i].plant < 0 && frames[i].ms > 0) {{
            sleep_until(get_ms(CLOCK_MONOTONIC) + frames[i].ms);
        }}
        dejank_section_end();
        double ended = get_ms(CLOCK_MONOTONIC);
        fprintf(out, "%.6f", ended - begun);
        for (int k = 0; k < {plants}; k++) {{
            fprintf(out, " %.6f", took_ms[k]);
        }}
        fprintf(out, "\\n");
        do {{
            at += {period};
        }} while (at < ended + 2);
    }}
    return fclose(out) == 0 ? 0 : 1;
}}
"""


@dataclass
class Task:
    name: str
    ms: float  # usual time
    own: float  # part of its time that is not in shared functions
    shared: list  # indexes of shared functions
    helper: str = ""  # a function that only this task calls, and that does all of its work
    plant: int = -1


@dataclass
class Program:
    seed: int
    frame: str
    draw: str
    stages: list  # (name, tasks)
    shared: list  # names
    plants: list = field(default_factory=list)  # names of tasks
    frames: list = field(default_factory=list)  # for each frame: plant or −1, and ms
    usual_ms: float = 0
    budget_ms: float = 0


class Names(Words):
    def function(self):
        return self.fresh(lambda: "_".join(self.word(1, 2) for _ in range(self.rng.randint(1, 3))))


def make_tasks(rng, names, shared):
    """Each shared function has at least two callers."""
    tasks = [Task(names.function(), rng.uniform(0.3, 2), rng.uniform(0.1, 0.7), [i % len(shared)]) for i in range(rng.randint(8, 12))]
    rng.shuffle(tasks)
    for task in tasks:
        task.shared = sorted({*task.shared, rng.randrange(len(shared))})
        if rng.random() < 0.25:
            task.helper = names.function()
    return tasks


def plant(rng, program, number):
    """Plants a task whose stage has another task without a plant. If all tasks of a stage took longer, the stage would be right, too."""
    free = [[task for task in tasks if task.plant < 0] for _, tasks in program.stages]
    task = rng.choice([task for tasks in free if len(tasks) > 1 for task in tasks])
    task.plant = number
    program.plants.append(task.name)


def plan_frames(rng, program, plants, janky, smooth):
    """Each janky frame has one of the plants, and the plants have equal numbers of frames. Without plants, janky frames sleep."""
    late = spread(rng, janky, janky + smooth, set())
    order = [i % plants if plants else -1 for i in range(len(late))]
    rng.shuffle(order)
    sizes = [rng.uniform(*EXTRA_MS) for _ in range(plants)]
    program.frames = [(-1, 0.0)] * (janky + smooth)
    for at, plant in zip(late, order):
        program.frames[at] = (plant, sizes[plant] * rng.uniform(0.9, 1.1) if plants else SLEEP_MS)
    program.budget_ms = program.usual_ms + (min(sizes) * 0.9 if plants else SLEEP_MS) / 2


def make(seed, plants, janky=JANKY, smooth=SMOOTH):
    rng = random.Random(seed)
    names = Names(rng)
    shared = [names.function() for _ in range(rng.randint(2, 4))]
    tasks = make_tasks(rng, names, shared)
    program = Program(seed, names.word(), names.function(), [], shared, usual_ms=rng.uniform(*USUAL_MS))
    scale = program.usual_ms / sum(task.ms for task in tasks)
    for task in tasks:
        task.ms *= scale
    while tasks:
        count = len(tasks) if len(tasks) < 4 else rng.randint(2, min(3, len(tasks) - 2))
        program.stages.append((names.function(), tasks[:count]))
        tasks = tasks[count:]
    for number in range(plants):
        plant(rng, program, number)
    plan_frames(rng, program, plants, janky, smooth)
    return program


def define(name, parameter, lines):
    body = "".join(f"    {line}\n" for line in [*lines, "STAY();"])
    return f"PLANTED void {name}({parameter})\n{{\n{body}}}\n"


def write_task(program, task):
    work = [f"WORK(ms * {task.own:.3f});"]
    work += [f"{program.shared[i]}(ms * {(1 - task.own) / len(task.shared):.3f});" for i in task.shared]
    if not task.helper:
        return define(task.name, "double ms", work)
    return define(task.helper, "double ms", work) + define(task.name, "double ms", [f"{task.helper}(ms);"])


def write_stage(name, tasks):
    lines = ["WORK(0.05);"]
    for task in tasks:
        lines.append(f"{task.name}(vary({task.ms:.3f}));")
        if task.plant >= 0:
            lines.append(f"PLANT({task.plant}, {task.name}(extra_ms[{task.plant}]))")
    return define(name, "void", lines)


def source(program):
    functions = [define(name, "double ms", ["WORK(ms);"]) for name in program.shared]
    for name, tasks in program.stages:
        functions += [write_task(program, task) for task in tasks] + [write_stage(name, tasks)]
    functions.append(define(program.draw, "void", ["WORK(0.1);"] + [f"{name}();" for name, _ in program.stages]))
    frames = ", ".join(f"{{{plant}, {ms:.3f}}}" for plant, ms in program.frames)
    return SOURCE.format(plants=max(1, len(program.plants)), seed=program.seed, functions="\n".join(functions), frames=frames, frame=program.frame,
                         draw=program.draw, period=PERIOD_MS)


def build(program, folder, library):
    """Compiles the program, and a copy without symbols."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.c").write_text(source(program))
    subprocess.run(["cc", "-O2", "-Wl,--build-id", "-D_GNU_SOURCE", "-I", ROOT / "include", "-I", ROOT / "tests/programs", "-o", folder / "program",
                    folder / "program.c", "-L", library, "-ldejank", f"-Wl,-rpath,{library}"], check=True)
    subprocess.run(["strip", "-o", folder / "stripped", folder / "program"], check=True)
