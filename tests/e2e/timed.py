"""Tests that measure time. They get the mark `timed`: `make test-all` runs them alone, `make test` leaves them out."""

import functools
import os
from pathlib import Path

import pytest

from displays import real_time

ATTEMPTS = 4
# A frame or two: less cannot push one row in ten, or one frame in a hundred, past its bounds.
STOLEN_MS = 20
WAITED_MS = 100  # more than the program under test and its display make each other wait on an idle machine


class Disturbed(Exception):
    """The program under test says itself that it was kept from running as planned."""


def stolen_ms():
    """How long this virtual machine's processors stood still for another's sake, since its start."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *ticks = line.split()
        if name == "cpu":
            return int(ticks[7]) * 1000 / os.sysconf("SC_CLK_TCK")
    return 0


def waited_ms():
    """How long programs of this machine waited for a CPU, since its start."""
    try:
        some = Path("/proc/pressure/cpu").read_text().splitlines()[0]
    except OSError:
        return 0
    return int(some.rpartition("total=")[2]) / 1000


def was_disturbed(stolen_before_ms, waited_before_ms):
    """Other programs disturb what is timed only where it cannot have real-time priority: in containers, and for ordinary users."""
    stolen = stolen_ms() - stolen_before_ms >= STOLEN_MS
    return stolen or (not real_time and waited_ms() - waited_before_ms >= WAITED_MS)


def timed(test):
    """Runs the test again where it failed on a machine that was taken away meanwhile. On a machine that was not, it fails at once;
    on one that is taken away each time, nothing can be timed."""

    @functools.wraps(test)
    def attempted(*arguments, **options):
        for _ in range(ATTEMPTS):
            before = stolen_ms(), waited_ms()
            try:
                return test(*arguments, **options)
            except Disturbed:
                continue
            except AssertionError:
                if not was_disturbed(*before):
                    raise
        pytest.skip("the machine is too busy to time frames on it")

    return pytest.mark.timed(attempted)
