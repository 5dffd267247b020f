"""Marks tests that measure time as `timed`: `make test-all` runs them alone, `make test` skips them."""

import functools
import os
from pathlib import Path

import pytest

from displays import real_time

ATTEMPTS = 4
# One or two frames. Less cannot push one row in ten, or one frame in a hundred, past its bounds.
STOLEN_MS = 20
WAITED_MS = 100  # exceeds the waits that the program under test and its display cause on an idle machine


class Disturbed(Exception):
    """The program under test reports that it could not run as planned."""


def stolen_ms():
    """Time since boot that the hypervisor took from this machine's CPUs (steal time), in ms."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *ticks = line.split()
        if name == "cpu":
            return int(ticks[7]) * 1000 / os.sysconf("SC_CLK_TCK")
    return 0


def waited_ms():
    """Time since boot in which programs waited for a CPU, in ms. 0 if the kernel does not report it."""
    try:
        some = Path("/proc/pressure/cpu").read_text().splitlines()[0]
    except OSError:
        return 0
    return int(some.rpartition("total=")[2]) / 1000


def was_disturbed(stolen_before_ms, waited_before_ms):
    """Other programs disturb a test only if it has no real-time priority: in containers, and for ordinary users."""
    stolen = stolen_ms() - stolen_before_ms >= STOLEN_MS
    return stolen or (not real_time and waited_ms() - waited_before_ms >= WAITED_MS)


def timed(test):
    """Repeats a test that failed while the machine disturbed it. Without a disturbance, it fails at once.
    After ATTEMPTS disturbed attempts, it is skipped."""

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
