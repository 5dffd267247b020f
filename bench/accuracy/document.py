"""The text of docs/accuracy.md, from what the programs counted."""
import csv
import json
from pathlib import Path

from rates import Rate

HERE = Path(__file__).resolve().parent
METRICS = ("p50", "p95", "p99", "jank")
DETECTORS = {"dejank": "dejank", "dejank-hints": "dejank, hints too", "otava-1e-3": "Otava, p 0.001", "otava-1e-4": "Otava, p 0.0001", "perfherder": "Perfherder"}
CASES = {"base": "600 frames a run, all runs alike (5 %)", "heavy": "… runs differ by Student's t with 3 degrees of freedom",
         "unequal": "… B's runs differ three times as much as A's", "frames-120": "120 frames a run", "frames-3000": "3000 frames a run"}
SETS = {"gears-aa": "glxgears against itself, the machine as loaded as it was",
        "draws-aa": "`draws` against itself, before other programs",
        "draws-ab": "`draws` against itself with a tenth more to draw, before other programs"}

HEAD = """# How often the verdicts are right

Written by `make accuracy` (`bench/accuracy/run`); not by hand. Every rate stands with its count and its 95 % interval by Clopper and Pearson. Seeds are in
the programs, bars were set before; the constants of the verdicts were chosen on other seeds. What is made up is judged by the product's own code (`compare/effect.h`, `compare/family.h`, `core/stats`), which the programs link; what is
real was measured by `dejank run` and judged by `dejank compare`. *Otava* and *Perfherder* stand for their rules, written anew from descriptions
(`bench/accuracy/rivals.c`), not for those tools: of two sides they see B's runs after A's.
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def spread_part(programs, scale):
    rows = [(frames, metric, f"{float(sd):.3f}", expected) for frames, metric, sd, expected in programs.rows("spread", scale["sides"])]
    return ("## The made-up runs\n\nA run is slower or faster as a whole than another (5 % of the logarithm; one in twenty is 15 % slower still), its frames remember each "
            "other (AR(1), 0.9), and bursts of long frames come in some runs oftener than in others (`bench/accuracy/runs.c`). What runs then come to spreads as "
            "was found of captures:\n\n" + table(("frames a run", "metric", "sd of ln between runs", "found"), rows))


def same_part(programs, scale):
    text = ("## Nothing changed\n\nTwo sides of the same kind, so many runs each: how often a direction is told (regression or improvement, likely or not). Bar: at most 5.5 %, of jank "
            "6 %. Percentiles are told here of runs so short that the judge would refuse them.\n\n")
    for case in scale["cases"]:
        rows = []
        for runs in scale["runs"]:
            rates = programs.rates("pairs", case, runs, scale["pairs"])
            jank = rates["direction", "jank"] if case != "unequal" else "—"
            rows.append((runs, *(rates["direction", metric] for metric in METRICS[:3]), jank, rates["otava", "p50"], rates["perfherder", "p50"]))
        text += f"{CASES[case]}:\n\n" + table(("runs a side", *METRICS, "Otava, p50", "Perfherder, p50"), rows) + "\n"
    text += "How often the 95 % interval holds the true ratio of 1 (bar: 94.5 %), and how often *regression* is told (bar: 0.1 %):\n\n"
    rows = []
    for case in scale["cases"]:
        for runs in scale["runs"]:
            rates = programs.rates("pairs", case, runs, scale["pairs"])
            regressions = [rates["regression", metric] for metric in METRICS[:3]]
            regressions.append(rates["regression", "jank"] if case != "unequal" else "—")
            rows.append((case, runs, *(f"{100 * rates['covered', metric].value():.2f} %" for metric in METRICS[:3]), *regressions))
    return text + table(("", "runs", *(f"{metric} covered" for metric in METRICS[:3]), *(f"{metric} regression" for metric in METRICS)), rows)


def changed_part(programs, scale):
    rows = []
    for case, runs in sorted(scale["power"]):
        rates = programs.rates("pairs", case, runs, scale["pairs"])
        for metric in ("p50", "p95") if "jank" not in case else ("p99", "jank"):
            hard = rates["improvement" if case.startswith("faster") else "regression", metric]
            others = (rates["otava", metric], rates["perfherder", metric]) if metric != "jank" else ("—", "—")
            rows.append((case, runs, metric, rates["direction", metric], hard, rates["wrong-way", metric], *others))
    text = ("## Something changed\n\n`slower-10`: all frames take a tenth longer; `jank-x2`: twice as many bursts. 600 frames a run. Told is the right direction, likely or not; hard is regression "
            "or improvement by more than the margin.\n\n" + table(("", "runs", "metric", "told", "hard", "the wrong way", "Otava", "Perfherder"), rows))
    rows = []
    for runs in scale["runs"]:
        rates = programs.rates("pairs", "slower-5", runs, scale["pairs"])
        rows.append((runs, *(rates[what, metric] for metric in ("p50", "p95") for what in ("regression", "equivalent"))))
    return text + ("\nSlower by exactly the margin, 5 %: both *regression* (bar: 3 %) and *equivalent* (5 %) would be wrong.\n\n"
                   + table(("runs", "p50 regression", "p50 equivalent", "p95 regression", "p95 equivalent"), rows))


def looks_part(programs, scale):
    rows = []
    for case, words in (("null", "nothing"), ("1.5-sd", "1.5 sd of runs"), ("margin", "the margin, 5 %")):
        rates = programs.rates("looks", case, scale["looks"])
        runs = rates["runs", "p50"]
        direction = Rate(rates["worse", "p50"].count + rates["better", "p50"].count, runs.total)
        rows.append((words, direction, rates["regression", "p50"], rates["equivalent", "p50"], f"{runs.count / runs.total:.1f}", rates["naive", "p50"]))
    return ("## Looking early\n\nLooks after 10, 15, 20 and 30 runs a side by the levels of `core/stats/looks.h` (O'Brien and Fleming); it ends where a direction or *equivalent* is "
            "told at the look's own level. Bars: at most 5.5 % where nothing changed; 99 % and 17.5 runs in the mean at 1.5 sd. Naive: any look with p ≤ 0.05.\n\n"
            + table(("changed by", "direction", "regression", "equivalent", "runs a side, mean", "naive"), rows))


def gates_part(programs, scale):
    rows = []
    for (case, cells), gates in scale["gates"].items():
        rates = programs.rates("gates", case, cells, gates)
        runs = rates["runs", "all"]
        found = (rates["found", "all"], rates["failed", "all"]) if case != "null" else ("—", "—")
        rows.append((f"{case}, {cells}", rates["false-direction", "all"], rates["false-fail", "all"], *found, f"{runs.count / runs.total:.1f}", rates["naive", "all"]))
    return ("## A gate that looks early\n\n`dejank gate --rerun`: p50, p95 and jank rate of so many flows and devices, Holm over all of them at each look's level, after 10, 15, 20 and 30 runs a side, on until a regression is told or "
            "nothing is undecided. What is false is told of a metric that did not change, at any look up to the last. Bar: 5.5 %. In `one-slower` one flow's frames take a tenth longer. Naive: each look at 5 %.\n\n"
            + table(("case, flows and devices", "a false direction", "a false regression", "the slower one told", "failed", "runs a side, mean", "naive"), rows))


def stored_part(programs, scale, stored):
    rows = []
    for tau, runs, past in stored:
        rates = programs.rates("stored", tau, runs, past, scale["stored"])
        rows.append((past, runs, tau, *(rates[what, "times"] for what in ("direction", "regression", "ranks", "changed", "changed-hard"))))
    return ("## A stored baseline\n\nBatches of other days, so many of them known from before; days differ by so many times what runs do (6.3 %, of half the comparisons Student's t with 3 degrees of freedom). Bars where nothing changed: "
            "5.5 % and 0.1 %. By ranks: as if they had been measured in turn. Slower by half is told, and hard.\n\n"
            + table(("earlier batches", "runs", "days differ by", "direction", "regression", "direction by ranks", "slower by half: told", "hard"), rows))


def changes_part(programs, scale):
    rows = []
    for length in scale["lengths"]:
        for noise in scale["noises"]:
            rates = programs.rates("changes", "made", noise, "none", length, scale["histories"])
            rows.append((length, noise, *(rates[detector, "alarmed"] for detector in DETECTORS)))
    text = ("## Since when: made-up histories\n\nHistories with a false change; sd of the noise 5 %. Bars, changes per history: 3 %, of AR 0.3 from 120 points on 2 %. *Hints too*: as if the hints, which dejank tells apart and never counts, were changes; "
            "they are what is left if the noise is taken to have no memory, so that where it has one (AR) there are many.\n\n"
            + table(("points", "noise", *DETECTORS.values()), rows))
    rows = []
    for plant, length in (("step-1.5", 60), ("step-2.5", 60), ("end-3", 60), ("bump-3", 60)):
        for noise in ("normal", "outliers"):
            rates = programs.rates("changes", "made", noise, plant, length, scale["histories"])
            rows.append((plant, noise, *(rates[detector, "found"] for detector in DETECTORS)))
    return text + ("\nPlanted in 60 points, found within 3: a step by so many sd in the middle half, one five points from the end, a bump of eight points (both its edges). Bars, normal: 94 % "
                   "at 2.5 sd, 90 % at the end, 85 % of bumps.\n\n" + table(("planted", "noise", *DETECTORS.values()), rows))


def history_of(path):
    """The numbers of a history, and the changes that stand beside them."""
    data = json.loads(path.read_text())
    if isinstance(data, list):
        return data, None
    return data.get("values") or [run[3] for run in data["test_runs"]], data.get("expected")


def edges_part(edges, scale):
    rows = [(int(index) - 1, p, Rate(shuffled, total), Rate(remembering, total)) for _, index, p, shuffled, remembering, total in
            (row for row in edges if row[0] == "edge")]
    [memory] = [row[1] for row in edges if row[0] == "memory"]
    return (f"\nWhat stands for each expected change of `real1`: the p of its two neighbouring segments by ranks, as if the places had been known before; and in how many histories without any change a window of just these two lengths, moved over all "
            f"places, finds two segments at least as far apart — of the same points, levelled, in another order, and of normal noise whose neighbours are correlated by {memory}, as its residuals are. That flatters the labels: a detector has to search all lengths. "
            "One that told all six as changes would call nearly every such history changed; that is why the others are hints.\n\n"
            + table(("last point before", "p by ranks", "as clear by chance, other order", "noise that remembers"), rows))


def corpus_part(programs, scale, corpus):
    rows, totals, recalls, named = [], {}, [], ""
    names = ("real1", "real_series", "robust_series", "runs1", "runs3", "tigerbeetle")
    for name in names:
        values, expected = history_of(corpus / f"stats/histories/{name}.json")
        text = " ".join(map(str, values))
        told = {detector: [row[1] for row in programs.rows("changes", "of", text=text) if row[0] == detector] for detector in DETECTORS}
        rows.append((f"{name}, {len(values)}", ", ".join(map(str, expected)) if expected else "—",
                     *(", ".join(sorted(told[detector], key=int)) or "none" for detector in DETECTORS)))
        if expected:
            found = {detector: sum(any(abs(int(index) - wanted) <= 5 for index in told[detector]) for wanted in expected) for detector in DETECTORS}
            named = (f"Of the {len(expected)} that stand beside `{name}`, {found['dejank']} are told as changes, within five points, with {len(told['dejank']) - found['dejank']} more; "
                     f"with the hints {found['dejank-hints']}, and {len(told['dejank-hints']) - found['dejank-hints']} more.")
            edges = programs.rows("edges", scale["edges"], *(index + 1 for index in expected), text=text)
        for step in ("0", "0.05"):
            rates = programs.rates("changes", "permuted", scale["permuted"], step, text=text)
            for detector in DETECTORS:
                for what in ("alarmed", "found", "precise"):
                    rate = rates.get((detector, what), Rate(0, 0))
                    before = totals.setdefault((step, detector, what), Rate(0, 0))
                    before.count, before.total = before.count + rate.count, before.total + rate.total
                    if (step, detector, what) == ("0.05", "dejank", "found"):
                        recalls.append(f"{name} {rate.count}/{rate.total}")
    text = ("## Since when: real histories\n\nChanges found in the histories of the corpus, by the index of the first point after each. What stands beside `real1` as expected was put there by hand in the "
            "tests it comes from (perfolizer), each the last point before the change and each with a weight: 193 counts whole, 23 and 47 half, 293, 327 and 348 a hundredth. " + named + "\n\n"
            + table(("history, points", "expected", *DETECTORS.values()), rows) + edges_part(edges, scale))
    rows = [(words, *(totals[step, detector, what] for detector in DETECTORS)) for words, step, what in (
        ("histories with a false change, nothing planted", "0", "alarmed"), ("steps of 5 % found", "0.05", "found"),
        ("changes told that were planted", "0.05", "precise"))]
    return text + (f"\nThe same six histories, levelled, {scale['permuted']} windows of 100 points of each in another order. Six histories are few, and the intervals count windows of one as if they were of "
                   f"many. Bars: at most 3 %, at least 95 % and 93 %. Steps of 5 % that dejank found, by history: {', '.join(recalls)}; where noise is larger than the step nobody finds it.\n\n" + table(("", *DETECTORS.values()), rows))


def sketch_part(programs, scale):
    figures = {}
    for what, name, figure in programs.rows("sketch", scale["values"]):
        figures.setdefault(name, {})[what] = figure
    rows = [(name, f"{100 * float(of['error']):.3f} %", "bit-equal" if of["merge"] == "0" else "differs", "bit-equal" if of["downscale"] == "0" else "differs")
            for name, of in figures.items()]
    return (f"## The sketch\n\nThe exponential histogram at scale 6 against {scale['values']} numbers themselves: the largest error of the quantiles 1, 25, 50, 95, 99 and 99.9 % (bar: 0.55 %); seven "
            "parts merged from the front, from the back and at once; downscaled before and after.\n\n"
            + table(("distribution", "largest error", "merged in any order", "downscaled"), rows))


def real_part(programs):
    rows, others, predictions = [], [], []
    for name, words in SETS.items():
        path = HERE / f"runs-{name}.csv"
        if not path.exists():
            continue
        told = programs.rates("batches", text=path.read_text())
        with (HERE / f"verdicts-{name}.csv").open() as file:
            verdicts = [row["verdict"] for row in csv.DictReader(file)]
        total = len(verdicts)
        counted = {verdict: Rate(verdicts.count(verdict), total) for verdict in (
            "regression", "likely-regression", "equivalent", "likely-improvement", "improvement", "inconclusive")}
        rows.append((words, total, *counted.values()))
        middles = {row[1]: row for row in programs.rows("batches", text=path.read_text()) if row[0] == "middle"}
        for metric in ("frame_time_p50", "frame_time_p95"):
            predicted = told["predicted", metric]
            predictions.append((name, metric, middles[metric][2], f"{100 * float(middles[metric][3]):.3g} %", told["direction", metric],
                                f"{100 * predicted.value():.3g} %", told["otava", metric], told["perfherder", metric]))
            others.append((name, metric, told["split", metric], told["split-hard", metric], told["blocks", metric]))
    return ("## Real batches of this machine\n\nPairs of batches of ten runs of a second, unthrottled, A and B interleaved run by run by `dejank run --ab-cmd` (`bench/accuracy/real.py`; what each run "
            "came to is in the `runs-*.csv` beside it), judged by `dejank compare` with its defaults: p50, p95 and jank rate as one family. Two cores that other programs, builds and tests mostly, wanted at the same time. "
            "`draws` (`bench/accuracy/draws.c`) draws 50 blended quads a frame, or 55; before other programs means `SCHED_FIFO`.\n\n"
            + table(("", "pairs", "regression", "likely-regression", "equivalent", "likely-improvement", "improvement", "inconclusive"), rows)
            + "\nEach metric alone at 5 %: how often a direction was told, and how often it was to be expected of runs that spread as each pair's did and lie as far apart as all pairs "
            "do in the middle (250 made-up comparisons of each pair).\n\n"
            + table(("", "metric", "B/A, middle", "spread of runs", "told", "predicted", "Otava", "Perfherder"), predictions)
            + "\nThe same runs put together otherwise, A's alone: ten against ten others taken at random from all pairs (1000 times; they overlap), and each batch against that of the next pair, as if "
            "nobody had interleaved. The last is what `compare` warns of and caps.\n\n"
            + table(("", "metric", "random: direction", "random: hard", "one after the other: direction"), others))


def bars_part(bars):
    missed = [(name, bar.rate, bar, bar.verdict()) for name, bar in bars if not bar.met()]
    shown = [(name, f"{100 * rate.value():.3g} %" if name.startswith(("sketch", "made-up", "looks: runs")) else rate, bar, verdict)
             for name, rate, bar, verdict in missed]
    return (f"## Bars\n\n{len(bars) - len(missed)} of {len(bars)} are met by the observed rate itself. *Within chance*: so many repetitions do not tell it from a met one; of {len(bars)} rates, of which many lie close to their "
            "bar as exact tests must, some do.\n\n" + (table(("missed", "rate", "bar", ""), shown) if shown else "None is missed.\n"))


def text(programs, scale, bars, corpus, stored):
    parts = (HEAD, bars_part(bars), same_part(programs, scale), changed_part(programs, scale), looks_part(programs, scale), gates_part(programs, scale), stored_part(programs, scale, stored), changes_part(programs, scale),
             corpus_part(programs, scale, corpus), sketch_part(programs, scale), real_part(programs), spread_part(programs, scale))
    return "\n".join(parts)
