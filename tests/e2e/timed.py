"""Tests that time something: what a machine taken away in the meantime does to them."""

import functools
import os
from pathlib import Path

import pytest

ATTEMPTS = 4
# A frame or two: less cannot push one row in ten, or one frame in a hundred, past its bounds.
STOLEN_MS = 20


class Disturbed(Exception):
    """The program under test says itself that it was kept from running as planned."""


def stolen_ms():
    """How long this virtual machine's processors stood still for another's sake, since its start."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *ticks = line.split()
        if name == "cpu":
            return int(ticks[7]) * 1000 / os.sysconf("SC_CLK_TCK")
    return 0


def timed(test):
    """Runs the test again where it failed on a machine that was taken away meanwhile. On a machine that was not, it fails at once;
    on one that is taken away each time, nothing can be timed."""

    @functools.wraps(test)
    def attempted(*arguments, **options):
        for _ in range(ATTEMPTS):
            before = stolen_ms()
            try:
                return test(*arguments, **options)
            except Disturbed:
                continue
            except AssertionError:
                if stolen_ms() - before < STOLEN_MS:
                    raise
        pytest.skip("the machine is too busy to time frames on it")

    return attempted
