"""Countable costs of a frame through the recorder and through the hooks: system calls, clock reads and instructions (callgrind).
Other programs on the machine do not change the number of instructions."""

import re
import shutil
import subprocess

import pytest

FEW, MANY = 200, 6200  # MANY is more than the 4096 frames of the ring

# Instructions per frame, without those of the clock (valgrind has no vDSO). Measured with gcc 12 at -O2. The tests allow 25 % more.
# Raise a limit only if the change that needs it is worth the cost.
SWAP, STAGES, HOOKED = 1125, 1550, 1200


# Clock reads in the drawing thread for a frame of tests/programs/gears_calls.c: two for the swap, two for each of the two polls inside
# the swap, and one for each of the two signals for which a thread waits. These need none: the other 15 signals, the two polls outside
# the swap, which wait for replies, and the wait for threads inside the swap.
CLOCK_READS = 8


def optimized(build):
    return subprocess.run([build / "tests/programs/costs", "optimized"], check=False).returncode == 0


@pytest.fixture
def instructions(tmp_path, build):
    """instructions(COMMAND…, environment=None): instructions per additional frame. The number of frames is added to COMMAND."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed: tools/deps tests")
    if not optimized(build):
        pytest.skip("built without optimisation")

    def count(command, frames, environment):
        log = tmp_path / "log"
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={tmp_path}/out.%p", "--trace-children=yes",
             f"--log-file={log}.%p", *map(str, command), str(frames)],
            env=environment, capture_output=True, text=True, timeout=200, check=False)
        assert result.returncode == 0, result.stderr
        counts = [int(re.search(r"Collected : (\d+)", file.read_text())[1]) for file in tmp_path.glob("log.*")]
        for file in tmp_path.glob("log.*"):
            file.unlink()
        return sum(counts)

    def per_frame(*command, environment=None):
        return (count(command, MANY, environment) - count(command, FEW, environment)) / (MANY - FEW)

    return per_frame


@pytest.mark.parametrize("kind, bar", [("swaps", SWAP), ("stages", STAGES)])
def test_instructions_of_a_frame(instructions, build, kind, bar):
    found = instructions(build / "tests/programs/costs", kind)
    assert found <= bar * 1.25, f"{found:.0f} instructions a frame"


def test_instructions_of_a_frame_through_the_hooks(instructions, build, recorder):
    """Subtracts the instructions of the same program without hooks."""
    swapper = [build / "tests/programs/swapper", "swap"]
    plain = instructions(*swapper, environment=recorder.environment)
    hooked = instructions(*swapper, environment={**recorder.environment, "LD_PRELOAD": str(build / "libdejank-hooks.so")})
    assert recorder.read("swapper").total == FEW, "the second of the two runs"
    assert hooked - plain <= HOOKED * 1.25, f"{hooked - plain:.0f} instructions a frame"


def test_a_frame_through_the_hooks_makes_no_system_call(build, recorder, tmp_path):
    if not shutil.which("strace"):
        pytest.skip("strace is not installed: tools/deps tests")

    def calls(frames):
        log = tmp_path / "calls"
        result = recorder.run("app", "strace", "-f", "-qq", "-o", log, build / "tests/programs/swapper", "swap", frames)
        assert (result.returncode, result.stdout) == (0, f"{frames} frames\n"), result.stderr
        assert recorder.read("app").total == frames
        return log.read_text().splitlines()

    few, many = calls(FEW), calls(MANY)
    if sum("clock_gettime" in line for line in many) >= MANY:
        pytest.skip("here the clock itself is a system call")
    assert len(few) > 20, "strace saw the program start"
    assert abs(len(many) - len(few)) < 10, "start and end may differ by what stdout is, frames by nothing"


def test_clock_reads_of_a_frame_of_glxgears(recorder, build):
    """Most of its 17 signals and half of its polls do not affect a frame, so the hooks do not read the clock for them."""
    def reads(frames):
        result = recorder.run("app", build / "tests/programs/gears_calls", "threads", frames,
                              environment={"LD_PRELOAD": str(build / "tests/programs/libclock_reads.so")})
        assert result.returncode == 0, result.stderr
        assert recorder.read("app").total == frames
        return int(re.search(r"^clock reads: (\d+)$", result.stderr, re.M)[1])

    found = (reads(MANY) - reads(FEW)) / (MANY - FEW)
    assert found == pytest.approx(CLOCK_READS, abs=0.01), "the start of the program may differ by a few"
