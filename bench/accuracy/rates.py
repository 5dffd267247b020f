"""Rates with their count and the exact interval of Clopper and Pearson, found by bisection of the incomplete beta function.

The function is written again here, so that the check does not depend on the code that it checks."""
import math


def incomplete_beta(a, b, x):
    """Returns I_x(a, b), by the continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 0.0
    fraction = 1.0
    for i in range(2000):
        m = i // 2
        if i == 0:
            part = 1.0
        elif i % 2 == 0:
            part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + part * d or 1e-300)
        c = 1 + part / c or 1e-300
        fraction *= c * d
        if abs(1 - c * d) < 1e-14:
            break
    return front * (fraction - 1)


def root(function, target):
    """Returns where an increasing function on 0 … 1 reaches the target."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < target else (low, middle)
    return (low + high) / 2


def bounds(count, total, tail):
    """Returns the interval that excludes the probability `tail` on each side."""
    low = 0.0 if count == 0 else root(lambda x: incomplete_beta(count, total - count + 1, x), tail)
    high = 1.0 if count == total else root(lambda x: incomplete_beta(count + 1, total - count, x), 1 - tail)
    return low, high


class Rate:
    """A rate: `count` of `total`."""

    def __init__(self, count, total):
        self.count, self.total = int(count), int(total)

    def value(self):
        return self.count / self.total if self.total else math.nan

    def __str__(self):
        if self.total == 0:
            return "none"
        low, high = bounds(self.count, self.total, 0.025)
        return f"{100 * self.value():.3g} % [{100 * low:.3g}, {100 * high:.3g}] {self.count}/{self.total}"


class Bar:
    """The limits of a rate: at most `most`, at least `least`."""

    def __init__(self, rate, most=None, least=None):
        self.rate, self.most, self.least = rate, most, least

    def met(self):
        value = self.rate.value()
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)

    def refuted(self, tail=0.005):
        """Returns whether the interval of the rate lies outside of the limits, so that chance alone does not explain the miss."""
        low, high = bounds(self.rate.count, self.rate.total, tail)
        return (self.most is not None and low > self.most) or (self.least is not None and high < self.least)

    def __str__(self):
        return " and ".join(f"{sign} {100 * bar:g} %" for sign, bar in (("≤", self.most), ("≥", self.least)) if bar is not None)

    def verdict(self):
        return "met" if self.met() else "missed" if self.refuted(0.025) else "missed, within chance"
