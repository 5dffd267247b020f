"""Makes one real capture of a plan: starts the background load, the bus with its peers and the program, and records a trace."""
import hashlib
import json
import os
import subprocess
import tempfile
import threading
import time
from dataclasses import asdict
from pathlib import Path

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow send_type="method_call"/><allow send_type="method_return"/>
<allow send_type="signal"/><allow send_type="error"/><allow receive_type="method_call"/><allow receive_type="method_return"/>
<allow receive_type="signal"/><allow receive_type="error"/><allow own="*"/></policy></busconfig>
"""
PROGRAM_SECONDS = 60


def pressure():
    """Returns the time in µs since boot in which some task of the machine waited for a CPU."""
    text = Path("/proc/pressure/cpu").read_text() if Path("/proc/pressure/cpu").exists() else "some total=0"
    return int(text.splitlines()[0].rsplit("=", 1)[1])


def busy():
    """Returns the time since boot in which CPUs were busy, and the total time: (busy, all), in ticks."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


class Processes:
    """The processes that run with the program. Kills them at the end."""

    def __init__(self):
        self.all = []

    def start(self, words, ready=None):
        process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE if ready else subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, text=True)
        self.all.append(process)
        if ready and not process.stdout.readline().startswith(ready):
            raise RuntimeError(f"{words[0]} did not start")
        return process

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.all):
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()


def start_bus(processes, folder, program, plants):
    """Starts a private bus and its peers. The folder needs a plain name, because bus addresses escape unusual characters."""
    folder.chmod(0o755)
    address = folder / "bus"
    (folder / "bus.conf").write_text(BUS.format(address))
    processes.start(["dbus-daemon", f"--config-file={folder / 'bus.conf'}", "--nofork", "--nopidfile", "--print-address=1"], "unix:")
    for plant in plants:
        processes.start([program, "peer", f"unix:path={address}", plant.held_in, plant.holder, "busy" if plant.busy else "idle"], "ready")
    return f"unix:path={address}"


class Capture:
    """A folder with the plan, truth.json, about.json and the trace."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def done(self):
        return (self.folder / "about.json").exists()

    def about(self):
        return json.loads((self.folder / "about.json").read_text())

    def truth(self):
        return json.loads((self.folder / "truth.json").read_text())

    def lost(self):
        """Returns how many events the capture reports as lost."""
        told = self.folder / "capture.json"
        return json.loads(told.read_text())["lost"] if told.exists() else 0

    def trace(self):
        return self.folder / self.about()["trace"]


def run_to_end(command):
    """Runs a command with a time limit. subprocess.run() with a timeout would wake up again and again to poll."""
    process = subprocess.Popen(command)
    bound = threading.Timer(PROGRAM_SECONDS, process.kill)
    bound.start()
    code = process.wait()
    bound.cancel()
    if code != 0:
        raise RuntimeError(f"{command[0]} ended with {code}")


def print_of(program):
    return hashlib.sha256(Path(program).read_bytes()).hexdigest()[:16]


def take(plan, program, folder, recorder):
    """Makes a capture. recorder(folder, command, plan) runs the command, writes a trace and returns its file name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "about.json").unlink(missing_ok=True)
    folder.chmod(0o777)
    with tempfile.TemporaryDirectory(prefix="dejank-bus-") as bus, Processes() as processes:
        for i, name in enumerate(plan.load):
            processes.start([program, "load", name, plan.seed * 2 + i, PROGRAM_SECONDS])
        callers = [plant for plant in plan.plants if plant.kind == "dbus"]
        plan.addressed = {"file": folder / "written", "truth": folder / "truth.json",
                          "bus": start_bus(processes, Path(bus), program, callers) if callers else ""}
        before, pressed, began = busy(), pressure(), time.monotonic()
        trace = recorder(folder, [str(program), str(folder / "plan")], plan)
        after = busy()
        seconds = time.monotonic() - began
    (folder / "written").unlink(missing_ok=True)
    about = {"plan": asdict(plan) | {"addressed": {}}, "trace": trace, "program": print_of(program), "load_average": os.getloadavg()[0],
             "pressure": (pressure() - pressed) / 1e6 / seconds, "busy": (after[0] - before[0]) / max(1, after[1] - before[1])}
    (folder / "about.json").write_text(json.dumps(about))
    return Capture(folder)


# The user and the capabilities for captures of each level. A competitor needs SYS_NICE for its priority. SYS_NICE does not let dejank see more.
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


def with_capabilities(*names):
    return [*NOBODY, "--inh-caps", ",".join(f"+{name}" for name in names), "--ambient-caps", ",".join(f"+{name}" for name in names)]


AS = {"tracefs": [], "perf": [], "perf-alone": with_capabilities("perfmon", "sys_nice"), "own-threads": with_capabilities("sys_nice")}


def by_dejank(dejank, level):
    """Returns a recorder: `dejank trace capture` with the permissions of the level. Sections come from libdejank."""

    def record(folder, command, plan):
        (folder / "plan").write_text(plan.text())
        words = [*AS[level], dejank, "trace", "capture", "-o", folder / "trace.pftrace", "--level", level.split("-alone")[0], "--json", "--", *command]
        with tempfile.TemporaryDirectory(prefix="dejank-segments-") as segments:
            os.chmod(segments, 0o777)
            done = subprocess.run(words, env={**os.environ, "DEJANK_DIR": f"{segments}/d"}, capture_output=True, text=True, timeout=PROGRAM_SECONDS)
        if done.returncode != 0:
            raise RuntimeError(f"{level}: ended with {done.returncode}: {done.stderr}")
        (folder / "capture.json").write_text(done.stdout)
        return "trace.pftrace"

    return record


def by_instance(instance):
    """Returns a recorder: an instance of tracefs. Sections come from its trace_marker."""

    def record(folder, command, plan):
        plan.addressed["markers"] = instance.marker()
        (folder / "plan").write_text(plan.text())
        instance.start()
        try:
            run_to_end(command)
        finally:
            instance.stop(folder / "trace.txt")
        return "trace.txt"

    return record
