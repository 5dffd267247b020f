"""Writes the text of docs/attribution.md from the verdicts of judge.py."""
import statistics

from plans import FRAMES, KINDS
from rates import Rate

LEVELS = {"tracefs": "root, tracefs", "perf": "perf, tracepoints", "perf-alone": "perf, switches", "own-threads": "no privilege"}
KNOWS = {
    "tracefs": ("root; an instance of tracefs", "everything: kind, name, thread, holder"),
    "perf": ("root, or CAP_PERFMON with a readable tracefs; tracepoints by perf events", "the same"),
    "perf-alone": ("CAP_PERFMON alone; switches of all threads by perf events", "work; waiting for a CPU, with the thread that had it; the length of other waits, not their reason. Such a wait counts as found here if it is unexplained; two in one section count together"),
    "own-threads": ("none; switches of the app's own threads", "work; waiting for a CPU that was taken away, not the thread that had it; the length of other waits, until the thread runs again, so including any wait for a CPU at their end"),
}
PLANTS = {
    "stage": "CPU work in a stage itself → `own-work` of the stage; its time is the stage's CPU time in the frames with the plant, including its usual work",
    "section": "CPU work in a section of its own → `own-work` of the section",
    "lock": "a mutex that another thread holds, working or asleep, after its own timer woke it → `lock`, with the holder",
    "competitor": "another process, real-time or with nice −20, on the CPU to which the frames' thread is bound → `runnable`, with its name",
    "fsync": "fsyncs of 1 MiB on a real file system until the thread has slept long enough → `io`",
    "dbus": "a D-Bus call on a private bus to a peer that answers late → `ipc`",
    "sleep": "the thread sleeps on request → `sleep`",
    "late": "waits of half a millisecond that the kernel may end later (timer slack) and does → `late-wake`; its time is the time after the requested end",
}

HEAD = """# How often the causes are right

This document reports how often `dejank trace triage` names the right causes of janky frames, measured with planted causes. It is for anyone who relies on its answers.
`make attribution` (`bench/attribution/run`) writes it; do not edit it. Every rate has its count and its 95 % interval (Clopper and Pearson). [glossary.md](glossary.md) explains the terms.

Each capture is real. A program on this machine draws {frames} frames at 60 Hz ({seconds:.1f} s). One to three causes of known kind, size and place are planted in some of the frames
(`tests/programs/planted_frames.c`). Then `dejank trace triage --frames 'NAME *' --budget 16.667ms` explains the janky ones. Names of stages, sections and threads, sizes, places and
mixtures are random and differ in every capture. The truth is what the program measured of itself while it ran (clocks of threads, the kernel's schedstat). It is neither the plan nor the trace.
A cause counts as found if its kind, name and thread are those of the plant. For `lock` and `runnable`, the holder must match, too, as far as the level can know it (below).
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def main_first(verdicts):
    planted = [v for v in verdicts if v.found]
    return Rate(sum(v.main_first() for v in planted), len(planted))


def all_in_top(verdicts):
    planted = [v for v in verdicts if v.found]
    return Rate(sum(v.all_in_top() for v in planted), len(planted))


def ms_right(verdicts, kind=None):
    found = [f for v in verdicts for f in v.found if kind in (None, f.cause.plant)]
    return Rate(sum(f.ms_right() for f in found), len(found))


def none_named(verdicts):
    clean = [v for v in verdicts if not v.found]
    return Rate(sum(not v.named for v in clean), len(clean))


def none_named_but_noise(verdicts):
    """Like none_named(), but accepts causes that the noise of the machine explains (real_noise())."""
    clean = [v for v in verdicts if not v.found]
    return Rate(sum(not v.named or real_noise(v) for v in clean), len(clean))


def real_noise(verdict):
    late = sum(n["delay_ms"] >= n["over_ms"] for n in verdict.noise)
    return all(row["kind"] == "runnable" and row["saved_frames"] <= late for row in verdict.named)


BARS = (("main cause first", main_first, 0.95), ("all planted among the first five", all_in_top, 0.90),
        ("milliseconds within ±20 %", ms_right, 0.90), ("nothing planted, no cause named", none_named, 0.95))


def verdict_of(rate, least):
    if rate.total == 0:
        return "none"
    return "met" if rate.value() >= least else "missed"


def bars_part(verdicts):
    rows = []
    for level, title in LEVELS.items():
        of = [v for v in verdicts if v.level == level]
        for what, count, least in BARS:
            rate = count(of)
            if rate.total:
                rows.append((title, what, rate, f"≥ {100 * least:g} %", verdict_of(rate, least)))
    return "## Bars\n\n" + table(("level", "what", "rate", "bar", ""), rows)


def level_part(verdicts):
    rows = []
    for level in LEVELS:
        waits = [f for v in verdicts if v.level == level for f in v.found if f.is_wait()]
        if waits:
            rows.append((LEVELS[level], *KNOWS[level], Rate(sum(f.rank > 0 and not f.unplaced for f in waits), len(waits))))
    return ("## By permission\n\nThe expected answer at each level is what the level can know:\n\n" +
            table(("level", "who may, how", "what can be known", "waits (lock, io, ipc, sleep, late-wake) reported as causes"), rows))


def load_part(verdicts):
    rows = []
    for level, title in LEVELS.items():
        for loaded in (False, True):
            of = [v for v in verdicts if v.level == level and v.loaded() == loaded]
            if of:
                busy = statistics.median(v.about["busy"] for v in of)
                pressure = statistics.median(v.about["pressure"] for v in of)
                rows.append((title, "background load" if loaded else "quiet", len(of), f"{100 * busy:.0f} %", f"{100 * pressure:.0f} %",
                             main_first(of), all_in_top(of), ms_right(of), none_named(of)))
    return ("## By load\n\n*Busy* is the share of the machine's CPU time used during the capture. *Pressure* is the share of time in which some thread of the machine waited for a CPU (PSI). Both are medians. The background "
            "is two processes that each work a third of the time, in pieces of 1 to 3 ms.\n\n" +
            table(("level", "load", "captures", "busy", "pressure", "main first", "all in five", "±20 %", "none named"), rows))


def ratios(verdicts, kind):
    found = sorted(f.ratio() for v in verdicts for f in v.found if f.cause.plant == kind and f.ratio() is not None)
    if not found:
        return "none"
    at = lambda share: found[min(len(found) - 1, int(share * len(found)))]
    return f"{statistics.median(found):.3f} ({at(0.05):.3f} … {at(0.95):.3f})"


def kind_part(verdicts):
    parts = []
    for level, title in LEVELS.items():
        of = [v for v in verdicts if v.level == level]
        rows = []
        for kind in KINDS:
            mains = [v for v in of if v.found and v.found[0].cause.plant == kind]
            all_of = [f for v in of for f in v.found if f.cause.plant == kind]
            if all_of:
                rows.append((f"`{kind}`", Rate(sum(v.main_first() for v in mains), len(mains)),
                             Rate(sum(f.in_top() for f in all_of), len(all_of)), ms_right(of, kind), ratios(of, kind)))
        if rows:
            parts.append(f"### {title}\n\n" + table(("plant", "first if it is the main cause", "among the first five", "±20 %", "reported ÷ true, median (5 % … 95 %)"), rows))
    return "## By kind\n\n" + "\n".join(parts)


def count_part(verdicts):
    rows = []
    for count in (1, 2, 3):
        of = [v for v in verdicts if v.level == "tracefs" and len(v.found) == count]
        rows.append((count, main_first(of), all_in_top(of), ms_right(of)))
    return "## By how many are planted (tracefs)\n\n" + table(("planted", "main first", "all in five", "±20 %"), rows)


def noise_part(verdicts):
    rows = []
    for level, title in LEVELS.items():
        for loaded in (False, True):
            of = [v for v in verdicts if v.level == level and v.loaded() == loaded and not v.found]
            if of:
                late = [n for v in of for n in v.noise]
                rows.append((title, "background load" if loaded else "quiet", len(of), len(late), sum(n["delay_ms"] >= n["over_ms"] for n in late),
                             Rate(sum(not v.named for v in of), len(of)), none_named_but_noise(of)))
    extra = [n for v in verdicts if v.found for n in v.noise]
    frames = sum(v.about["plan"]["frames"] for v in verdicts if v.found)
    return ("## The machine's own noise\n\nThese are captures without a plant. The table shows the frames that were janky all the same, and how many of these only because "
            "their thread waited for a CPU (by the kernel's schedstat). It shows how often no cause was named (`saved_frames` ≥ 2), and the same without counting a cause that is this wait.\n\n" +
            table(("level", "load", "captures", "janky frames", "by waiting for a CPU", "none named", "none except that"), rows) +
            f"\nIn captures with plants, {len(extra)} of {frames} frames were janky without a plant in them, {sum(n['delay_ms'] >= n['over_ms'] for n in extra)} of these because they waited for a CPU.\n")


def words(row):
    holder = f" ← {row['holder']}" if row.get("holder") else ""
    return f"`{row['kind']}` {row['name']} ({row['thread']}{holder}) {row['ms']:.0f} ms, saves {row['saved_frames']}"


def place(found):
    if found.unplaced:
        return f"unexplained, {found.ms:.0f} ms"
    if found.rank:
        return f"rank {found.rank}, reported {found.ms:.0f} ms"
    return f"reported as the machine's noise, {found.apart:.0f} ms" if found.apart else "not reported"


def misses_part(verdicts):
    rows = []
    for v in verdicts:
        wrong = [f for f in v.found if not f.in_top() or not f.ms_right()]
        if v.error or v.named or v.found and (wrong or not v.main_first()):
            planted = "; ".join(f"{words(f.cause.__dict__)}, {place(f)}" for f in v.found) or "nothing"
            rows.append((v.name, planted.replace("|", "\\|"), v.error or "; ".join(words(row) for row in v.answer["causes"][:3]).replace("|", "\\|")))
    if not rows:
        return "## What was missed\n\nNothing.\n"
    return "## What was missed\n\n" + table(("capture", "planted, and where it was found", "the first three of the answer"), rows)


def frames_part(verdicts):
    total = Rate(sum(v.answer["frames"].get("total") == v.about["plan"]["frames"] for v in verdicts), len(verdicts))
    janky = Rate(sum(abs(v.answer["frames"].get("janky", -9) - v.janky) <= 1 for v in verdicts), len(verdicts))
    lossy = [v for v in verdicts if v.lost]
    apart = sum(v.answer["frames"].get("incomplete", 0) for v in lossy)
    lost = f" {len(lossy)} captures lost events; triage says nothing about the {apart} frames in these gaps." if lossy else " No capture lost events."
    return f"## Frames\n\nThe number of all frames was right in {total} of the captures. The number of janky frames matched the program's own count (± 1) in {janky}.{lost}\n"


def text(verdicts, errors=()):
    first = max(v.about["plan"]["frames"] for v in verdicts)
    head = HEAD.format(frames=first, seconds=first / 60)
    plants = "## What is planted\n\n" + "".join(f"* **{kind}**: {what}\n" for kind, what in PLANTS.items())
    counts = f"\n{len(verdicts)} captures, {sum(bool(v.found) for v in verdicts)} of them with plants ({sum(len(v.found) for v in verdicts)} in all).\n\n"
    counts += "".join(f"Failed capture: {error}\n\n" for error in errors)
    parts = (bars_part, level_part, kind_part, load_part, count_part, noise_part, frames_part, misses_part)
    return head + counts + "\n".join([parts[0](verdicts), plants] + [part(verdicts) for part in parts[1:]])
