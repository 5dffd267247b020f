"""Writes the text of docs/accuracy.md from the output of the programs."""
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
        "draws-aa": "`draws` against itself, with priority",
        "draws-ab": "`draws` against itself with a tenth more to draw, with priority"}

HEAD = """# How often the verdicts are right

This document reports how often dejank's verdicts and change points are right, on made-up and on real data. The document is for anyone who relies on `compare`, `gate`, `history` or `fleet compare`.
`make accuracy` (`bench/accuracy/run`) writes this document; do not edit it. Every rate has its count and its 95 % interval (Clopper and Pearson). [glossary.md](glossary.md) explains the terms.

* The programs contain the seeds of their random numbers. Bars (limits for the rates) were set in advance. The constants of the verdicts were chosen with other seeds.
* Made-up data is judged by the product's own code (`compare/effect.h`, `compare/family.h`, `fleet/compare.h`, `core/stats`), which the programs link.
* Real data was measured by `dejank run` and judged by `dejank compare`.
* *Otava* and *Perfherder* are those tools' rules, written again from descriptions (`bench/accuracy/rivals.c`), not the tools themselves. In comparisons, these rules get B's runs after A's.
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def spread_part(programs, scale):
    rows = [(frames, metric, f"{float(sd):.3f}", expected) for frames, metric, sd, expected in programs.rows("spread", scale["sides"])]
    return ("## The made-up runs\n\nEach made-up run is slower or faster as a whole (5 % of the logarithm; one in twenty is another 15 % slower). The frames of a run are correlated (AR(1), 0.9), and bursts of long frames are more frequent in some runs than in others (`bench/accuracy/runs.c`). The resulting spread of runs matches that of captures:\n\n" + table(("frames a run", "metric", "sd of ln between runs", "found"), rows))


def same_part(programs, scale):
    text = ("## Nothing changed\n\nA and B have runs of the same kind, with this many runs each. The table shows how often the verdict has a direction (regression or improvement, likely or not). The bar is 5.5 %, for jank 6 %. Some of these runs are so short that `compare` would refuse their percentiles.\n\n")
    for case in scale["cases"]:
        rows = []
        for runs in scale["runs"]:
            rates = programs.rates("pairs", case, runs, scale["pairs"])
            jank = rates["direction", "jank"] if case != "unequal" else "—"
            rows.append((runs, *(rates["direction", metric] for metric in METRICS[:3]), jank, rates["otava", "p50"], rates["perfherder", "p50"]))
        text += f"{CASES[case]}:\n\n" + table(("runs a side", *METRICS, "Otava, p50", "Perfherder, p50"), rows) + "\n"
    text += "The next table shows how often the 95 % interval contains the true ratio of 1 (bar: 94.5 %), and how often the verdict is *regression* (bar: 0.1 %):\n\n"
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
    text = ("## Something changed\n\nIn `slower-10`, all frames take a tenth longer. In `jank-x2`, bursts of janky frames are twice as frequent. Each run has 600 frames. *Reported* means that the verdict has the right direction, likely or not. *Hard* means regression or improvement by more than the margin.\n\n" + table(("", "runs", "metric", "reported", "hard", "wrong direction", "Otava", "Perfherder"), rows))
    rows = []
    for runs in scale["runs"]:
        rates = programs.rates("pairs", "slower-5", runs, scale["pairs"])
        rows.append((runs, *(rates[what, metric] for metric in ("p50", "p95") for what in ("regression", "equivalent"))))
    return text + ("\nIf B is slower by exactly the margin, 5 %, both *regression* (bar: 3 %) and *equivalent* (5 %) are wrong.\n\n"
                   + table(("runs", "p50 regression", "p50 equivalent", "p95 regression", "p95 equivalent"), rows))


def looks_part(programs, scale):
    rows = []
    for case, words in (("null", "nothing"), ("1.5-sd", "1.5 sd of runs"), ("margin", "the margin, 5 %")):
        rates = programs.rates("looks", case, scale["looks"])
        runs = rates["runs", "p50"]
        direction = Rate(rates["worse", "p50"].count + rates["better", "p50"].count, runs.total)
        rows.append((words, direction, rates["regression", "p50"], rates["equivalent", "p50"], f"{runs.count / runs.total:.1f}", rates["naive", "p50"]))
    return ("## Looking early\n\nThe comparison decides after 10, 15, 20 and 30 runs per side (its *looks*), at the levels of `core/stats/looks.h` (O'Brien and Fleming). The comparison ends when the level of a look gives a direction or *equivalent*. The bars are at most 5.5 % if nothing changed, and 99 % and a mean of 17.5 runs at 1.5 sd. *Naive* is a decision at any look with p ≤ 0.05.\n\n"
            + table(("changed by", "direction", "regression", "equivalent", "runs a side, mean", "naive"), rows))


def gates_part(programs, scale):
    rows = []
    for (case, cells), gates in scale["gates"].items():
        rates = programs.rates("gates", case, cells, gates)
        runs = rates["runs", "all"]
        found = (rates["found", "all"], rates["failed", "all"]) if case != "null" else ("—", "—")
        rows.append((f"{case}, {cells}", rates["false-direction", "all"], rates["false-fail", "all"], *found, f"{runs.count / runs.total:.1f}", rates["naive", "all"]))
    return ("## A gate that looks early\n\n`dejank gate --rerun` decides on p50, p95 and jank rate of this many flows and devices, with Holm's correction over all of them at the level of each look. The gate decides after 10, 15, 20 and 30 runs per side, until there is a regression or nothing is undecided. A false result is a result about a metric that did not change, at any look (bar: 5.5 %). In `one-slower`, one flow's frames take a tenth longer. *Naive* means each look at 5 %.\n\n"
            + table(("case, flows and devices", "a false direction", "a false regression", "the slower one reported", "failed", "runs a side, mean", "naive"), rows))


def stored_part(programs, scale, stored):
    rows = []
    for tau, runs, past in stored:
        rates = programs.rates("stored", tau, runs, past, scale["stored"])
        rows.append((past, runs, tau, *(rates[what, "times"] for what in ("direction", "regression", "ranks", "changed", "changed-hard"))))
    return ("## A stored baseline\n\nThe baseline was measured on another day, and the store has this many earlier batches. Two days differ by this many times the spread of runs (6.3 %; in half of the comparisons Student's t with 3 degrees of freedom). The bars are 5.5 % and 0.1 % if nothing changed. *By ranks* means as if the batches had been interleaved. The last columns show how often a build that is slower by half is reported, and hard.\n\n"
            + table(("earlier batches", "runs", "days differ by", "direction", "regression", "direction by ranks", "slower by half: reported", "hard"), rows))


FLEET_CASES = {"same-mix": "both versions have the same mix of devices", "shifted": "A mostly on fast devices, B mostly on slow ones",
               "rollout": "… and B has 5 % of the sessions", "popular": "… and half of a class's sessions are of one model",
               "sparse": "… and a model has 8 sessions per version instead of 40",
               "two-classes": "… and half of the models have sessions in two classes",
               "slower-10": "B is a tenth slower everywhere", "slower-low": "B is a fifth slower in the slow class"}


def fleets_part(programs, scale):
    null, alone, changed = [], [], []
    for models in scale["models"]:
        for case, words in FLEET_CASES.items():
            rates = programs.rates("fleets", case, models, scale["fleets"])
            if case.startswith("slower"):
                named = rates["named", "all"] if case == "slower-low" else "—"
                changed.append((models, words, rates["worse", "all"], rates["regression", "all"], named))
            else:
                null.append((models, words, rates["direction", "all"], rates["regression", "all"], rates["naive", "all"]))
                alone.append((models, words, *(rates["alone", metric] for metric in ("p50", "p95", "jank", "slow"))))
    return ("## Versions of a fleet\n\nTwo versions of an app with three classes of devices and this many models per class, judged as `dejank fleet compare` does: p50, p95 and jank rate of each class and of all classes as one family (`bench/accuracy/fleets.c`). "
            "Models differ by 20 %, each version on each model by another 3 %, sessions by 25 %. A model has 40 sessions per version on average, far fewer or more for rare and frequent ones. "
            "In *mostly on fast devices*, 70 % of A's sessions are in the fast class and 10 % in the slow class. B has 10 % in the fast class and 70 % in the slow class, and within a class slow models are more frequent in B. "
            "In *two classes*, devices of half of the models of the two faster classes differ in memory: 30 % of its sessions of A and 70 % of those of B are in the next slower class. Both parts have the same speed, and the same difference between the versions.\n\n"
            "In the first table, nothing changed (bars: 5 % for a direction, 0.5 % for a regression). *Without classes* counts how often the p95 of all sessions of B differs from that of A by more than the margin, which is what a query by version shows.\n\n"
            + table(("models", "mix", "a direction", "regression", "without classes"), null)
            + "\nThe next table has only the combination of the classes, at 5 %, without the correction for several tests:\n\n"
            + table(("models", "mix", "p50", "p95", "jank", "slow frames"), alone)
            + "\nIn the last table, B is slower, with the shifted mix. *Named* means that the answer names the slow class.\n\n"
            + table(("models", "changed", "regression or likely", "regression", "named"), changed))


def changes_part(programs, scale):
    rows = []
    for length in scale["lengths"]:
        for noise in scale["noises"]:
            rates = programs.rates("changes", "made", noise, "none", length, scale["histories"])
            rows.append((length, noise, *(rates[detector, "alarmed"] for detector in DETECTORS)))
    text = ("## Since when: made-up histories\n\nThe table shows the share of histories with a false change. The sd of the noise is 5 %. The bars are 3 % changes per history, and 2 % for AR 0.3 from 120 points on. *Hints too* means as if hints were changes. dejank reports hints separately and never counts them. Hints assume independent noise, so there are many if the noise is correlated (AR).\n\n"
            + table(("points", "noise", *DETECTORS.values()), rows))
    rows = []
    for plant, length in (("step-1.5", 60), ("step-2.5", 60), ("end-3", 60), ("bump-3", 60)):
        for noise in ("normal", "outliers"):
            rates = programs.rates("changes", "made", noise, plant, length, scale["histories"])
            rows.append((plant, noise, *(rates[detector, "found"] for detector in DETECTORS)))
    return text + ("\nA change is planted in 60 points: a step by this many sd in the middle half, a step five points from the end, or a bump of eight points (both its edges). The change counts as found if dejank reports it within 3 points. The bars for normal noise are 94 % at 2.5 sd, 90 % at the end, and 85 % of bumps.\n\n" + table(("planted", "noise", *DETECTORS.values()), rows))


def history_of(path):
    """Returns the values of a history of the corpus and its expected changes, or None."""
    data = json.loads(path.read_text())
    if isinstance(data, list):
        return data, None
    return data.get("values") or [run[3] for run in data["test_runs"]], data.get("expected")


def edges_part(edges, scale):
    rows = [(int(index) - 1, p, Rate(shuffled, total), Rate(remembering, total)) for _, index, p, shuffled, remembering, total in
            (row for row in edges if row[0] == "edge")]
    [memory] = [row[1] for row in edges if row[0] == "memory"]
    return (f"\nThe next table shows the evidence for each expected change of `real1`. The second column is the p of its two neighbouring segments by ranks, as if the places had been known in advance. The other columns are the share of histories without any change in which a window of exactly these two lengths finds two segments at least as far apart, anywhere. These histories are the same points, levelled, in another order, or correlated normal noise with a correlation of {memory}, like the residuals of `real1`. The fixed lengths favour the labels, because a detector must search all lengths. A detector that reported all six as changes would report a change in nearly every such history. So dejank reports the other expected changes as hints.\n\n"
            + table(("last point before", "p by ranks", "as clear by chance, other order", "correlated noise"), rows))


def corpus_part(programs, scale, corpus):
    rows, totals, recalls, named = [], {}, [], ""
    names = ("real1", "real_series", "robust_series", "runs1", "runs3", "tigerbeetle")
    for name in names:
        values, expected = history_of(corpus / f"stats/histories/{name}.json")
        text = " ".join(map(str, values))
        reported = {detector: [row[1] for row in programs.rows("changes", "of", text=text) if row[0] == detector] for detector in DETECTORS}
        rows.append((f"{name}, {len(values)}", ", ".join(map(str, expected)) if expected else "—",
                     *(", ".join(sorted(reported[detector], key=int)) or "none" for detector in DETECTORS)))
        if expected:
            found = {detector: sum(any(abs(int(index) - wanted) <= 5 for index in reported[detector]) for wanted in expected) for detector in DETECTORS}
            named = (f"dejank reports {found['dejank']} of the {len(expected)} expected changes of `{name}` within five points, and {len(reported['dejank']) - found['dejank']} others. "
                     f"With hints, dejank reports {found['dejank-hints']} of them, and {len(reported['dejank-hints']) - found['dejank-hints']} others.")
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
    text = ("## Since when: real histories\n\nThe table lists the changes found in the histories of the corpus, by the index of the first point after each change. The expected changes of `real1` were set by hand in its source, the tests of perfolizer. Each expected change is the last point before it and has a weight: 193 has weight 1, 23 and 47 have ½, 293, 327 and 348 have 0.01. " + named + "\n\n"
            + table(("history, points", "expected", *DETECTORS.values()), rows) + edges_part(edges, scale))
    rows = [(words, *(totals[step, detector, what] for detector in DETECTORS)) for words, step, what in (
        ("histories with a false change, nothing planted", "0", "alarmed"), ("steps of 5 % found", "0.05", "found"),
        ("reported changes that were planted", "0.05", "precise"))]
    return text + (f"\nThe next table uses the same six histories, levelled: {scale['permuted']} windows of 100 points of each in another order. Six histories are few, and the intervals treat windows of one history as independent. The bars of the rows are at most 3 %, at least 95 % and at least 93 %. Steps of 5 % that dejank found, by history: {', '.join(recalls)}; if the noise is larger than the step, no detector finds it.\n\n" + table(("", *DETECTORS.values()), rows))


def sketch_part(programs, scale):
    figures = {}
    for what, name, figure in programs.rows("sketch", scale["values"]):
        figures.setdefault(name, {})[what] = figure
    rows = [(name, f"{100 * float(of['error']):.3f} %", "bit-equal" if of["merge"] == "0" else "differs", "bit-equal" if of["downscale"] == "0" else "differs")
            for name, of in figures.items()]
    return (f"## The sketch\n\nThe exponential histogram at scale 6 is compared with {scale['values']} exact numbers. The table has the largest error of the quantiles 1, 25, 50, 95, 99 and 99.9 % (bar: 0.55 %). Seven parts of a sketch are merged from the front, from the back and at once, and downscaled before and after.\n\n"
            + table(("distribution", "largest error", "merged in any order", "downscaled"), rows))


def real_part(programs):
    rows, others, predictions = [], [], []
    for name, words in SETS.items():
        path = HERE / f"runs-{name}.csv"
        if not path.exists():
            continue
        reported = programs.rates("batches", text=path.read_text())
        with (HERE / f"verdicts-{name}.csv").open() as file:
            verdicts = [row["verdict"] for row in csv.DictReader(file)]
        total = len(verdicts)
        counted = {verdict: Rate(verdicts.count(verdict), total) for verdict in (
            "regression", "likely-regression", "equivalent", "likely-improvement", "improvement", "inconclusive")}
        rows.append((words, total, *counted.values()))
        middles = {row[1]: row for row in programs.rows("batches", text=path.read_text()) if row[0] == "middle"}
        for metric in ("frame_time_p50", "frame_time_p95"):
            predicted = reported["predicted", metric]
            predictions.append((name, metric, middles[metric][2], f"{100 * float(middles[metric][3]):.3g} %", reported["direction", metric],
                                f"{100 * predicted.value():.3g} %", reported["otava", metric], reported["perfherder", metric]))
            others.append((name, metric, reported["split", metric], reported["split-hard", metric], reported["blocks", metric]))
    return ("## Real batches of this machine\n\nThe table has pairs of batches of ten runs of a second, without vsync, with the runs of A and B interleaved (`bench/accuracy/real.py`; each run's figures are in its `runs-*.csv`). `dejank compare` judged them with its defaults: p50, p95 and jank rate as one family. The machine has two cores, which other programs used at the same time, mostly builds and tests. "
            "`draws` (`bench/accuracy/draws.c`) draws 50 blended quads per frame, or 55. *With priority* means `SCHED_FIFO`.\n\n"
            + table(("", "pairs", "regression", "likely-regression", "equivalent", "likely-improvement", "improvement", "inconclusive"), rows)
            + "\nThe next table has each metric alone at 5 %: how often the verdict had a direction, and how often a direction was expected. The expectation is from 250 made-up comparisons per pair. The runs of these comparisons have the spread of that pair, and the median difference of all pairs.\n\n"
            + table(("", "metric", "B/A, median", "spread of runs", "reported", "predicted", "Otava", "Perfherder"), predictions)
            + "\nThe last table has the same runs of A in other combinations: ten against ten others at random from all pairs (1000 times; they overlap), and each batch against that of the next pair, as if they had not been interleaved. `compare` warns of the last case and limits its verdict.\n\n"
            + table(("", "metric", "random: direction", "random: hard", "one after the other: direction"), others))


def bars_part(bars):
    missed = [(name, bar.rate, bar, bar.verdict()) for name, bar in bars if not bar.met()]
    shown = [(name, f"{100 * rate.value():.3g} %" if name.startswith(("sketch", "made-up", "looks: runs")) else rate, bar, verdict)
             for name, rate, bar, verdict in missed]
    return (f"## Bars\n\n{len(bars) - len(missed)} of {len(bars)} rates meet their bar. *Within chance*: with this many repetitions, the rate cannot be distinguished from one that meets the bar. Many of the {len(bars)} rates are close to their bar, "
            "as exact tests must be, so some miss it by chance.\n\n" + (table(("missed", "rate", "bar", ""), shown) if shown else "None is missed.\n"))


def text(programs, scale, bars, corpus, stored):
    parts = (HEAD, bars_part(bars), same_part(programs, scale), changed_part(programs, scale), looks_part(programs, scale), gates_part(programs, scale), stored_part(programs, scale, stored), fleets_part(programs, scale), changes_part(programs, scale),
             corpus_part(programs, scale, corpus), sketch_part(programs, scale), real_part(programs), spread_part(programs, scale))
    return "\n".join(parts)
