"""Records programs with Linux perf and reads the recordings with perf script. Shares no code with dejank."""

import os
import re
import shutil
import subprocess
from collections import namedtuple

import pytest

Sample = namedtuple("Sample", "at_ns pid tid calls")
Call = namedtuple("Call", "address function module")


def record(output, *command, words=("--call-graph", "dwarf,16384"), clock=("-k", "CLOCK_MONOTONIC"), environment=None):
    """Records samples of a timer. Skips the test if perf is not installed or not permitted to record."""
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed")
    event = () if "-e" in words else ("-e", "cpu-clock:u" if os.geteuid() else "cpu-clock")
    done = subprocess.run(["perf", "record", "-q", "-N", "-F", "1000", *event, *clock, *words, "-o", output, "--", *command],
                          capture_output=True, text=True, timeout=120, check=False, env=environment)
    if done.returncode != 0 and re.search("perf_event_paranoid|not permitted|Permission|not supported|No permission|failed to open",
                                          done.stderr):
        pytest.skip(f"perf cannot record here: {done.stderr.splitlines()[0]}")
    assert done.returncode == 0, done.stderr
    return output


def read(file):
    """The samples that perf script prints. Addresses are those in the module's file."""
    done = subprocess.run(["perf", "script", "-i", file, "-F", "pid,tid,time,ip,sym,dso", "--ns", "--no-inline"],
                          capture_output=True, text=True, timeout=120, check=True)
    samples = []
    for block in filter(None, done.stdout.split("\n\n")):
        head, *calls = block.strip("\n").splitlines()
        pid, tid, seconds, ns = map(int, re.match(r"\s*(\d+)/(\d+)\s+(\d+)\.(\d{9}):", head).groups())
        parts = (re.match(r"\s*([0-9a-f]+) (.*) \((.*)\)$", line).groups() for line in calls)
        samples.append(Sample(seconds * 10**9 + ns, pid, tid, [Call(int(ip, 16), name, module) for ip, name, module in parts]))
    return samples


def record_to_pipe(*command):
    """A recording in perf's format for pipes. Skips the test if perf cannot record."""
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed")
    event = "cpu-clock:u" if os.geteuid() else "cpu-clock"
    done = subprocess.run(["perf", "record", "-q", "-N", "-F", "1000", "-e", event, "--call-graph", "fp", "-o", "-", "--", *command],
                          capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        pytest.skip(f"perf cannot record here: {done.stderr.decode(errors='replace')[:200]}")
    return done.stdout
