"""Writes the part of docs/attribution.md about functions."""
import statistics

from document import table, verdict_of
from functions import KINDS, TOLERANCE
from programs import EXTRA_MS, JANKY, SMOOTH, USUAL_MS
from rates import Rate

TITLE = "## Functions"

HEAD = f"""{TITLE}

This part reports how often the functions that `dejank trace triage` names from sampled call stacks are the right ones. Each capture is real, too. `bench/attribution/programs.py` makes a C program from a seed: names of functions, callers, durations and plants differ in every capture.
In each frame, the program calls stages, the stages call 8 to 12 tasks, and these share callees. It marks its frames and nothing else. `dejank trace capture --stacks` samples it at 1 kHz. Of {JANKY + SMOOTH} frames, {JANKY} are planted: a function takes {EXTRA_MS[0]:g} to {EXTRA_MS[1]:g} ms longer. All frames usually take {USUAL_MS[0]:g} to {USUAL_MS[1]:g} ms, and each task varies by up to 20 %.
Each shared callee has at least two callers, and each stage has a task without a plant: if all tasks of a stage took longer, the stage would be a right answer, too.
The truth is the CPU time that the program's own thread clock measured.

A function is right if it is the plant, or if it has the same samples because it is only called by the plant (`chain` in the JSON). The program and the capture have real-time priority, so that other jobs of the machine do not make frames late.
The method and its constants were chosen with captures of other seeds, and were fixed before these captures were made. All constants are in `src/host/calls/cut.c` and `src/host/calls/difference.c`. A rule for work that smooth frames hardly have was added later; it changed none of these results.
"""

WHAT = {
    "one": "one function is planted",
    "mixed": "three functions are planted, each in a third of the janky frames",
    "none": "no function is planted; the janky frames sleep instead",
    "stripped": "one function is planted, and the program has no symbols. Right is the start of the function in the file, with the file's build-id",
}


def share(verdicts, is_right):
    return Rate(sum(is_right(verdict) for verdict in verdicts), len(verdicts))


def ms_right(verdicts):
    planted = [one for verdict in verdicts for one in verdict.planted]
    return Rate(sum(one.ms_right() for one in planted), len(planted))


BARS = (
    ("one", "the first function is the plant", lambda of: share(of, lambda v: v.first_right()), 0.95),
    ("one", f"extra time within ±{100 * TOLERANCE:g} %", ms_right, 0.90),
    ("mixed", "the first three functions are the plants", lambda of: share(of, lambda v: v.all_first()), 0.90),
    ("none", "no function is named", lambda of: share(of, lambda v: not v.functions and not v.error), 1),
    ("stripped", "the first function is the plant, by its address", lambda of: share(of, lambda v: v.first_right()), 0.95),
)


def bars_part(by_kind):
    rows = []
    for kind, what, count, least in BARS:
        rate = count(by_kind.get(kind, []))
        rows.append((kind, what, rate, f"≥ {100 * least:g} %" if least < 1 else "all", verdict_of(rate, least)))
    return "### Bars for functions\n\n" + table(("captures", "what", "rate", "bar", ""), rows)


def ratios(planted):
    found = sorted(one.ratio() for one in planted if one.rank)
    if not found:
        return "none"
    at = lambda part: found[min(len(found) - 1, int(part * len(found)))]
    return f"{statistics.median(found):.3f} ({at(0.05):.3f} … {at(0.95):.3f})"


def kinds_part(by_kind):
    rows = []
    for kind, of in by_kind.items():
        planted = [one for verdict in of for one in verdict.planted]
        inside = Rate(sum(one.in_interval for one in planted), len(planted)) if planted else "–"
        rows.append((f"`{kind}`: {WHAT[kind]}", len(of), share(of, lambda v: v.first_right()) if planted else "–", ms_right(of) if planted else "–",
                     ratios(planted) if planted else "–", inside, sum(len(verdict.functions) > len(verdict.planted) for verdict in of),
                     f"{100 * statistics.median(verdict.about['busy'] for verdict in of):.0f} %, {100 * statistics.median(verdict.about['pressure'] for verdict in of):.0f} %"))
    return ("### All results for functions\n\nIn *named more*, triage names more functions than are planted. *Load* is how busy the machine was, and its pressure, as above.\n\n" +
            table(("captures", "number", "first is a plant", f"±{100 * TOLERANCE:g} %", "reported ÷ true, median (5 % … 95 %)", "truth in the 95 % interval", "named more", "load"), rows))


def frames_part(verdicts):
    janky = share(verdicts, lambda v: abs(v.frames.get("janky", -9) - v.janky) <= 1)
    planned = share(verdicts, lambda v: v.frames.get("janky") == JANKY)
    lost = sum(verdict.about["stacks"]["lost"] for verdict in verdicts)
    return (f"The number of janky frames matched the program's own count (± 1) in {janky} of the captures, and was exactly {JANKY} in {planned}. "
            f"{lost or 'No'} call stacks were lost.\n")


def list_functions(functions):
    return "; ".join(f"`{one['name']}` {one['extra_ms']:.2f} ms" for one in functions) or "nothing"


def misses_part(verdicts):
    rows = []
    for verdict in verdicts:
        wrong = not verdict.all_first() or verdict.kind != "mixed" and not all(one.ms_right() for one in verdict.planted)
        if verdict.error or wrong or not verdict.planted and verdict.functions:
            planted = "; ".join(f"`{one.name}` {one.extra_ms:.2f} ms" for one in verdict.planted) or "nothing"
            rows.append((verdict.name, planted, verdict.error or list_functions(verdict.functions[:4])))
    if not rows:
        return "### Functions that were missed\n\nNone.\n"
    return "### Functions that were missed\n\n" + table(("capture", "planted", "named"), rows)


def text(verdicts, errors=()):
    by_kind = {kind: [verdict for verdict in verdicts if verdict.kind == kind] for kind in KINDS}
    by_kind = {kind: of for kind, of in by_kind.items() if of}
    failed = "".join(f"Failed capture: {error}\n\n" for error in errors)
    parts = [bars_part(by_kind), kinds_part(by_kind), frames_part(verdicts), misses_part(verdicts)]
    return HEAD + "\n" + failed + "\n".join(parts)
