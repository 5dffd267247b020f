"""A second, simple reader of SurfaceFlinger's dumps, which tests compare with `dejank parse`. It is based only on
docs/format/surfaceflinger.md. It does not handle quote marks or other text around a dump.

read(text) returns the list `surfaces` with the keys of docs/format/parse.md.
"""
import re

PENDING = 2**63 - 1
LABELS = [*range(35), *range(36, 51, 2), *range(54, 151, 4), *range(200, 1001, 50)]
PERCENTS = (50, 90, 95, 99)
COMPONENT = re.compile(r"([A-Za-z][\w.]*\.\w+)/[A-Za-z._]")


def package_of(layer):
    found = COMPONENT.search(layer)
    if found:
        return found[1]
    name = re.sub(r"#\d+$", "", layer).removeprefix("Splash Screen ")
    if not re.fullmatch(r"[A-Za-z]\w*(\.\w+)+", name):
        return None
    name = re.split(r"\.(?=[A-Z])", name)[0]
    return name if "." in name else None


def entry(kind, layer, **more):
    return {"kind": kind, "layer": layer or None, "package": package_of(layer or ""), "refresh_ns": None,
            "total_frames": None, "dropped_frames": None, "average_fps": None, "histogram": None,
            "percentiles": [None] * 4, "google": [None] * 2, "rows": None, "complete_rows": None,
            "pending_rows": None, "jank": None, "by_refresh_rate": None, **more}


# ---- timestats ----

def label_at(counts, percent, total):
    cumulative = 0
    for label, count in sorted(counts.items()):
        cumulative += count
        if total > 0 and cumulative * 100 >= total * percent:
            return label
    return None


def number(block, key, convert=int):
    found = re.search(rf"^{key} *= *([\d.]+)$", block, re.M)
    return convert(found[1]) if found else None


def figures_of(total, counts, whole):
    percentiles, google = [None] * 4, [None] * 2
    if counts is not None and whole:
        percentiles = [label_at(counts, percent, sum(counts.values())) for percent in PERCENTS]
        labels = [label_at(counts, percent, total or 0) for percent in (90, 99)]
        google = [1000 / label if label else None for label in labels]
    return percentiles, google


def part_of(block):
    total = number(block, "totalFrames")
    line = re.search(r"^(?:present2present|presentToPresent) histogram is as below:\n(.*)$", block, re.M)
    counts = {int(label): int(count) for label, count in re.findall(r"(\d+)ms=(\d+)", line[1])} if line else None
    whole = line is not None and (total is not None and sum(counts.values()) >= total
                                  or set(LABELS) == set(counts) and "(" not in line[1])
    jank = dict(re.findall(r"^(\w+Frames) = (\d+)$", block.partition("Jank payload for this layer:\n")[2], re.M))
    percentiles, google = figures_of(total, counts, whole)
    return {"display_hz": rate(block, "displayRefreshRate"), "render_hz": rate(block, "renderRate"),
            "total_frames": total, "dropped_frames": number(block, "droppedFrames"),
            "average_fps": number(block, "averageFPS", float), "histogram": counts, "whole": whole,
            "percentiles": percentiles, "google": google,
            "jank": {name: int(count) for name, count in jank.items()} or None}


def rate(block, key):
    found = re.search(rf"^{key} = (\d+) fps$", block, re.M)
    return int(found[1]) if found else None


def add(values):
    return None if None in values else sum(values)


def merge(parts):
    if len(parts) == 1:
        return parts[0]
    counts = {label: sum((part["histogram"] or {}).get(label, 0) for part in parts) for label in LABELS}
    whole = all(part["whole"] for part in parts)
    total = add([part["total_frames"] for part in parts])
    percentiles, google = figures_of(total, counts, whole)
    jank = {}
    for part in parts:
        for name, count in (part["jank"] or {}).items():
            jank[name] = jank.get(name, 0) + count
    duration = sum(label * count for label, count in counts.items())
    return {"total_frames": total, "dropped_frames": add([part["dropped_frames"] for part in parts]),
            "average_fps": 1000 * sum(counts.values()) / duration if whole and duration else None,
            "histogram": counts, "percentiles": percentiles, "google": google, "jank": jank or None}


def read_timestats(text):
    """Surfaces of a timestats dump. A layer's block begins with layerName, or with the rates and the uid directly before it."""
    layers = {}
    rates = r"(?:displayRefreshRate = .*\nrenderRate = .*\nuid = .*\n)?"
    starts = list(re.finditer(rf"^{rates}layerName = ?(.*)$", text, re.M))
    for start, end in zip(starts, [*(match.start() for match in starts[1:]), len(text)]):
        block = text[start.start():end]
        uid = re.search(r"^uid = (\d+)$", block, re.M)
        printed = re.search(r"^packageName = ?(\S*)$", block, re.M)
        key = start[1].strip(), uid and uid[1]
        layers.setdefault(key, ([], printed and printed[1]))[0].append(part_of(block))
    found = []
    for (layer, _), (parts, package) in layers.items():
        sums = merge(parts)
        found.append(entry("timestats", layer, by_refresh_rate=parts if len(parts) > 1 else None,
                           **{key: sums[key] for key in ("total_frames", "dropped_frames", "average_fps", "histogram",
                                                         "percentiles", "google", "jank")}))
        found[-1]["package"] = package or found[-1]["package"]
    return found


# ---- times ----

def quantile(values, share):
    values = sorted(values)
    at = (len(values) - 1) * share
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def percentiles_of(intervals):
    return [quantile(intervals, percent / 100) if intervals else None for percent in PERCENTS]


def read_latency(text):
    found = []
    for line in text.splitlines():
        numbers = [int(word) for word in line.split()] if re.fullmatch(r"[\d\s]+", line) else []
        if len(numbers) == 1:
            found.append((numbers[0], []))
        elif len(numbers) == 3:
            found[-1][1].append(numbers)
    layers = []
    for period, rows in found:
        pending = [PENDING in row for row in rows]
        times = [row[1] if row[1] > 0 and not wait else None for row, wait in zip(rows, pending)]
        intervals = [(end - start) / 1e6 for start, end in zip(times, times[1:])
                     if start is not None and end is not None and end > start]
        layers.append(entry("latency", None, refresh_ns=period, rows=len(rows), pending_rows=sum(pending),
                            complete_rows=sum(time is not None for time in times), intervals=intervals,
                            percentiles=percentiles_of(intervals)))
    return layers


def read_list(text):
    names = []
    for line in text.splitlines():
        found = re.match(r"RequestedLayerState\{(.*#\d+)(?=[ }])", line) or re.match(r"(.*#\d+)$", line)
        names += [found[1]] if found else []
    return [entry("list", name) for name in names]


def read_timeline(text):
    frames, each, period = {}, False, None
    for display in re.split(r"^Display Frame ", text, flags=re.M)[1:]:
        head, *layers = re.split(r"^    Layer - ", display, flags=re.M)
        each = each or "[*]" not in head.splitlines()[0]
        period = round(float(re.search(r"^Vsync Period: *([\d.]+)", head, re.M)[1]) * 1e6)
        for layer in layers:
            name = layer.splitlines()[0].strip().removesuffix("[*]").strip()
            state = re.search(r"Present State : (.*)", layer)[1].strip()
            present = re.search(r"^ *Actual.*\| *\t* *(\S+)$", layer, re.M)[1]
            expected = re.search(r"^ *Expected[ \t]*\|[ \t]*(\S+)", layer, re.M)
            frames.setdefault(name, (period, []))[1].append(
                (state, re.search(r"Jank Type : (.*)", layer)[1].strip().split(", "), present,
                 None if expected is None or expected[1] == "N/A" else float(expected[1])))
    found = []
    for name, (period, rows) in frames.items():
        shown = [(None if present == "N/A" else float(present), content) for state, _, present, content in rows if state == "Presented"]
        times = [time for time, _ in shown]
        errors = [abs((b[1] - a[1]) - (b[0] - a[0])) for a, b in zip(shown, shown[1:])
                  if None not in (*a, *b) and 0 < b[0] - a[0] < 6 * period / 1e6]
        intervals = [end - start for start, end in zip(times, times[1:]) if None not in (start, end) and end > start]
        types = [kind for _, kinds, *_ in rows for kind in kinds]
        found.append(entry("frametimeline", name, refresh_ns=period, total_frames=len(rows),
                           dropped_frames=sum(state == "Dropped" for state, *_ in rows),
                           percentiles=percentiles_of(intervals if each else []), intervals=intervals if each else [],
                           errors=errors if each else [],
                           jank={kind: types.count(kind) for kind in types}))
    return found


def read(text):
    if re.search(r"^layerName =", text, re.M):
        return read_timestats(text)
    if text.startswith("Number of display frames"):
        return read_timeline(text)
    if re.search(r"^\d+\s+\d+\s+\d+$", text, re.M):
        return read_latency(text)
    return read_list(text) if re.search(r"#\d+(\}| .*\})?$", text, re.M) else []
