"""Child processes that never outlive this program."""

import ctypes
import os
import signal
import subprocess
import sys

PR_SET_PDEATHSIG = 1


def say(text):
    print(f"machines: {text}", file=sys.stderr, flush=True)


def die_with_parent():
    """The kernel kills the child when this program ends, however it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def execute(command, seconds=None, **options):
    """Runs a command and returns its exit status, 124 after a time-out. Kills its process group if it still runs."""
    options.setdefault("stdin", subprocess.DEVNULL)
    process = subprocess.Popen(command, start_new_session=True, preexec_fn=die_with_parent, **options)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        say(f"the time limit is over: killed {command[0]}")
        return 124
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def check(command, seconds=1800, **options):
    status = execute(command, seconds, **options)
    if status != 0:
        sys.exit(f"machines: {command[0]} failed with exit status {status} (its message is above)")
