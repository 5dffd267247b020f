"""Made-up versions of an app on many device models, and a naive computation of the answers of `dejank fleet compare`."""
import bisect
import hashlib
import math
import random
from collections import defaultdict

from fleet import LABELS

APP = "com.example.mail"
CLASSES = {"high-end": 9.0, "mid-range": 14.0, "low-end": 22.0}
STARTS = [{5: 0, 150: 136}.get(label, label - 1 if 53 <= label <= 133 else label) for label in LABELS]
EDGES = [*STARTS, 5000]
QUANTILES = {"frame_time_p50": 0.5, "frame_time_p90": 0.9, "frame_time_p95": 0.95, "frame_time_p99": 0.99}
SHARES = {"jank_rate": ("janky", "frames"), "slow_frames": ("slow", "frames"), "frozen_frames": ("frozen", "frames")}
MODELS_LEAST = 5


def model_session(name, rng, version, model, kind, ms):
    times = defaultdict(int)
    janky = 0
    user = ms * math.exp(rng.gauss(0, 0.2))
    for _ in range(40):
        is_janky = rng.random() < 0.06
        frame = min(4999, user * math.exp(rng.gauss(0, 0.25)) * (2.5 if is_janky else 1))
        times[LABELS[bisect.bisect_right(STARTS, frame) - 1]] += 5
        janky += 5 * is_janky
    return {"id": hashlib.sha256(name.encode()).hexdigest()[:32], "revision": 0, "app": APP, "version": version, "device": model,
            "class": kind, "release": "14", "start_unix_s": 1774944000 - 86400 * rng.randrange(20), "frames": 200, "janky": janky,
            "slow": sum(count for label, count in times.items() if label >= 16),
            "frozen": sum(count for label, count in times.items() if label >= 700),
            "frame_time": {str(label): count for label, count in times.items()}}


def versions(seed, slower=None, mix=None, models=8, sessions=10, tilt=0.0):
    """Sessions of the versions 1.0 and 2.0. `slower` maps a class to the factor of 2.0's frame times. `mix` maps (version, class) to
    a factor of the number of sessions. With `tilt`, 2.0 has more of its sessions on the slow models of each class."""
    rng = random.Random(seed)
    made = []
    for kind, base in CLASSES.items():
        for number in range(models):
            speed = rng.gauss(0, 1)
            model = f"{kind} {number}"
            for version in ("1.0", "2.0"):
                factor = (mix or {}).get((version, kind), 1) * math.exp((tilt if version == "2.0" else -tilt) * speed / 2)
                ms = base * math.exp(0.15 * speed) * ((slower or {}).get(kind, 1) if version == "2.0" else 1)
                for index in range(max(1, round(sessions * factor))):
                    made.append(model_session(f"{seed} {version} {model} {index}", rng, version, model, kind, ms))
    return made


# ---- a naive computation ----

def below(times, total):
    """Share of frames that are faster than each edge."""
    slower = [sum(times.get(label, 0) for label in LABELS[edge:]) for edge in range(len(LABELS) + 1)]
    return [0.0] + [1 - count / total for count in slower[1:]]


def at(cdf, ms):
    bucket = min(bisect.bisect_right(EDGES, ms) - 1, len(LABELS) - 1)
    within = min(1, (ms - EDGES[bucket]) / (EDGES[bucket + 1] - EDGES[bucket]))
    return cdf[bucket] + within * (cdf[bucket + 1] - cdf[bucket])


def inverse(cdf, share):
    bucket = next(i for i in range(len(LABELS)) if cdf[i + 1] >= share or i + 1 == len(LABELS))
    return EDGES[bucket] + (share - cdf[bucket]) / (cdf[bucket + 1] - cdf[bucket]) * (EDGES[bucket + 1] - EDGES[bucket])


def mean_error(values, weights, least):
    """Standard error of a weighted mean and its degrees of freedom, from the complete matrix of its quadratic form."""
    h = [weight / sum(weights) for weight in weights]
    mean = sum(a * b for a, b in zip(h, values))
    a = [x * x / (1 - x) for x in h]
    n = range(len(h))
    form = [[sum(((i == k) - h[i]) * a[k] * ((k == j) - h[j]) for k in n) for j in n] for i in n]
    trace = sum(form[i][i] for i in n)
    df = trace ** 2 / sum(form[i][j] * form[j][i] for i in n for j in n)
    return max(math.sqrt(sum(a[i] * (values[i] - mean) ** 2 for i in n)), math.sqrt(least)), df


def of_models(sessions):
    """{model: [sums of 1.0, sums of 2.0]} of the models that have both versions."""
    found = defaultdict(lambda: [None, None])
    for one in sessions:
        side = ("1.0", "2.0").index(one["version"])
        sums = found[one["device"]][side] = found[one["device"]][side] or {"sessions": 0, "frames": 0, "times": defaultdict(int),
                                                                         "janky": 0, "slow": 0, "frozen": 0}
        sums["sessions"] += 1
        for name in ("frames", "janky", "slow", "frozen"):
            sums[name] += one[name]
        for label, count in one["frame_time"].items():
            sums["times"][int(label)] += count
    return {model: sides for model, sides in found.items() if None not in sides}


def class_effect(models, metric):
    """Logarithm of the ratio, its standard error and its degrees of freedom."""
    pairs = list(models.values())
    weights = [a["sessions"] * b["sessions"] / (a["sessions"] + b["sessions"]) for a, b in pairs]
    h = [weight / sum(weights) for weight in weights]
    if metric in SHARES:
        name, of = SHARES[metric]
        rates, least = [], 0.0
        for side in (0, 1):
            total = sum(pair[side][of] for pair in pairs)
            rate = sum(x * pair[side][name] / pair[side][of] for x, pair in zip(h, pairs)) + 0.5 / total
            rates.append(rate)
            events = [(x / pair[side][of]) ** 2 * pair[side][name] * (1 - pair[side][name] / pair[side][of]) for x, pair in zip(h, pairs)]
            least += (sum(events) + 0.5 / total ** 2) / rate ** 2
        values = [b[name] / b[of] / rates[1] - a[name] / a[of] / rates[0] for a, b in pairs]
        return math.log(rates[1] / rates[0]), *mean_error(values, weights, least)
    p = QUANTILES[metric]
    cdfs = [[below(pair[side]["times"], pair[side]["frames"]) for pair in pairs] for side in (0, 1)]
    means = [[sum(x * cdf[edge] for x, cdf in zip(h, side)) for edge in range(len(EDGES))] for side in cdfs]
    a, b = inverse(means[0], p), inverse(means[1], p)
    least = p * (1 - p) * sum(x * x / sums["frames"] for x, pair in zip(h, pairs) for sums in pair)
    share, df = mean_error([at(one, a) - at(other, b) for one, other in zip(*cdfs)], weights, least)
    low, high = p - share / 2, p + share / 2
    if low <= 0 or high >= 1:
        return math.log(b / a), math.inf, df
    most, fewest = inverse(means[1], high) / inverse(means[0], low), inverse(means[1], low) / inverse(means[0], high)
    return math.log(b / a), math.log(most / fewest) / 2, df


def combined_effect(sessions, metric):
    """Ratio and p of the weighted mean of the classes. The weight of a class is its share of the sessions."""
    parts = []
    for kind in sorted({one["class"] for one in sessions}):
        inside = [one for one in sessions if one["class"] == kind]
        models = of_models([one for one in inside if one["version"] in ("1.0", "2.0")])
        if len(models) >= MODELS_LEAST:
            parts.append((len(inside), *class_effect(models, metric)))
    total = sum(part[0] for part in parts)
    value = sum(weight / total * effect for weight, effect, _, _ in parts)
    pieces = [((weight / total * error) ** 2, df) for weight, _, error, df in parts]
    error = math.sqrt(sum(piece for piece, _ in pieces))
    df = error ** 4 / sum(piece ** 2 / df for piece, df in pieces)
    return math.exp(value), two_sided(value / error, df)


def two_sided(t, df):
    """P(|T| ≥ |t|) by Simpson's rule on T = tan(x)."""
    def density(x):
        value = math.tan(x)
        scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
        return scale * (1 + value * value / df) ** (-(df + 1) / 2) * (1 + value * value)
    low, high, steps = math.atan(abs(t)), math.pi / 2 - 1e-9, 20000
    width = (high - low) / steps
    inner = sum((4 if i % 2 else 2) * density(low + i * width) for i in range(1, steps))
    return 2 * width / 3 * (density(low) + inner + density(high))
