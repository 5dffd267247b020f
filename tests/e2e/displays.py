"""Private displays for tests: X servers and Wayland compositors. Tests end them by process id."""

import json
import os
import pwd
import select
import shutil
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path


def wait_until(condition, seconds, what):
    """Polls until the condition holds. `what` names it in the error after a time-out."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {what} within {seconds} s")
        time.sleep(0.01)


def real_time_prefix():
    prefix = ["chrt", "--rr", "1"]
    allowed = shutil.which("chrt") and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    return prefix if allowed else []


real_time = real_time_prefix()


def favoured(command):
    """The command with real-time priority if that is allowed, so that other programs do not affect measured times.
    (A nice value has an effect only within the session's group of processes.)"""
    return [*real_time, *command]


class Process:
    """A server that ends with the test."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(favoured(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def signal(self, number):
        self.process.send_signal(number)

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class XServer(Process):
    """Xvfb, which chooses its display number. It must not reset after its last client, because a client that connects at that
    moment would hang. The windows of all tests fit on the screen, because GTK gives larger windows varying sizes."""

    def __init__(self, size="1600x1200", command=("Xvfb", "-screen", "0", "{size}x24"), environment=None):
        reading, writing = os.pipe()
        words = [word.format(size=size) for word in command]
        super().__init__([*words, "-displayfd", str(writing), "-noreset", "-nolisten", "tcp"],
                         env={**os.environ, **(environment or {})}, pass_fds=[writing])
        os.close(writing)
        number = ""
        # Read up to the newline: the server writes it separately, and would die if the pipe were closed before.
        while not number.endswith("\n") and select.select([reading], [], [], 20)[0]:
            number += os.read(reading, 16).decode() or "\n"
        os.close(reading)
        number = number.strip()
        if not number:
            self.close()
            raise TimeoutError(f"{command[0]} did not start")
        self.environment = {**(environment or {}), "DISPLAY": f":{number}"}


class Xwayland(XServer):
    """An X server in a window of a Wayland compositor."""

    def __init__(self, compositor):
        super().__init__(command=["Xwayland"], environment=compositor.environment)


class Weston(Process):
    """A headless Wayland compositor with GL. It repaints about every 18 ms and limits its clients to this rate. With an X server,
    it draws with pixman in a window there and has a pointer."""

    def __init__(self, folder, x_server=None):
        runtime = Path(folder) / "wayland"
        runtime.mkdir(mode=0o700)
        settings = runtime / "weston.ini"
        settings.write_text("[core]\nrepaint-window=16\n")
        environment = dict(os.environ, XDG_RUNTIME_DIR=str(runtime), **(x_server.environment if x_server else {}))
        backend = ["--backend=x11-backend.so", "--use-pixman"] if x_server else ["--backend=headless-backend.so", "--use-gl"]
        super().__init__(
            ["weston", *backend, "--idle-time=0", "--socket=wayland-test",
             f"--config={settings}", "--width=640", "--height=480"],
            env=environment,
        )
        self.environment = {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "wayland-test"}
        try:
            wait_until((runtime / "wayland-test").exists, 20, "Weston socket")
        except TimeoutError:
            self.close()
            raise


class Sway(Process):
    """sway on wlroots' headless output. As root, it runs as the user "nobody". Windows float, so they have the size they request."""

    def __init__(self, folder, settings=""):
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=0o700)
        prefix = []
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            for place in runtime.parents:  # "nobody" must be able to enter each folder above
                if place.stat().st_mode & 0o011 != 0o011:
                    place.chmod(place.stat().st_mode | 0o011)
            os.chown(runtime, nobody.pw_uid, nobody.pw_gid)
            prefix = ["setpriv", "--reuid=nobody", f"--regid={nobody.pw_gid}", "--clear-groups"]
        config = Path(folder) / "config"
        config.write_text('output HEADLESS-1 resolution 1280x720@75Hz\nfor_window [app_id=".*"] floating enable\n'
                          "default_floating_border none\nxwayland disable\n" + settings)
        config.chmod(0o644)
        environment = {"PATH": os.environ["PATH"], "HOME": str(runtime), "XDG_RUNTIME_DIR": str(runtime), "WLR_BACKENDS": "headless",
                       "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
        super().__init__([*prefix, "sway", "-c", str(config)], env=environment)
        self.environment = {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "wayland-1"}
        try:
            wait_until(lambda: (runtime / "wayland-1").exists() and list(runtime.glob("sway-ipc.*.sock")), 60, "sway socket")
        except TimeoutError:
            self.close()
            raise
        self.control = next(runtime.glob("sway-ipc.*.sock"))

    def ask(self, *command):
        environment = {**os.environ, **self.environment, "SWAYSOCK": str(self.control)}
        return subprocess.run(command, env=environment, capture_output=True, timeout=20, check=False).stdout

    def redraw(self):
        """Makes idle programs draw: widens their windows and then restores the width."""
        for word in ("grow", "shrink"):
            self.ask("swaymsg", '[app_id=".*"]', "resize", word, "width", "10px")
            time.sleep(0.2)  # so that the program also draws the intermediate width

    def largest(self):
        """((width, height), number of colours) of the largest window, or None if there is no window."""
        windows = [node for node in nodes_of(json.loads(self.ask("swaymsg", "-t", "get_tree") or "{}")) if node.get("pid")]
        if not windows:
            return None
        place = max((window["rect"] for window in windows), key=lambda rect: rect["width"] * rect["height"])
        picture = self.ask("grim", "-t", "ppm", "-g", f"{place['x']},{place['y']} {place['width']}x{place['height']}", "-")
        return (place["width"], place["height"]), colours_of(picture)


class XScreen:
    """An X display for one program, without other windows."""

    def __init__(self, look):
        self.look, self.server = look, XServer("1920x1200")
        self.environment = self.server.environment

    def largest(self):
        words = subprocess.run([self.look], env={**os.environ, **self.server.environment}, capture_output=True,
                               text=True, timeout=60, check=True).stdout.split()
        return ((int(words[0]), int(words[1])), int(words[2])) if words else None

    def close(self):
        self.server.close()


class SwayX(Sway):
    """sway with a rootless X server: each X window is a window of sway."""

    def __init__(self, folder):
        super().__init__(folder, "xwayland force\nexec printenv DISPLAY > $XDG_RUNTIME_DIR/display\n")
        told = Path(self.environment["XDG_RUNTIME_DIR"]) / "display"
        try:
            wait_until(lambda: told.exists() and told.read_text().strip(), 30, "X server of sway")
            self.environment["DISPLAY"] = told.read_text().strip()
            wait_until(lambda: permit_root(self.environment["DISPLAY"]), 30, "permission to use the X server of sway")
        except TimeoutError:
            self.close()
            raise


def permit_root(display):
    """Asks the X server of the user "nobody" to accept clients of root, like `xhost +si:localuser:root`. Returns whether it did."""
    if os.geteuid() != 0:
        return True
    address = b"localuser\0root"
    padded = address.ljust((len(address) + 3) // 4 * 4, b"\0")
    with socket.socket(socket.AF_UNIX) as server:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
        try:
            server.connect(f"/tmp/.X11-unix/X{display.removeprefix(':')}")
        except OSError:
            return False
        finally:
            os.seteuid(0)
        server.settimeout(20)
        server.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        answer = receive(server, 8)
        receive(server, 4 * struct.unpack("<H", answer[6:])[0])
        server.sendall(struct.pack("<BBHBxH", 109, 0, 2 + len(padded) // 4, 5, len(address)) + padded)  # ChangeHosts: insert
        server.sendall(struct.pack("<BxH", 43, 1))  # GetInputFocus: its answer shows that the server handled ChangeHosts
        return answer[0] == 1 and receive(server, 32)[0] == 1


def receive(server, count):
    data = b""
    while len(data) < count:
        data += server.recv(count - len(data)) or bytes(count)
    return data


def is_same_size(first, second):
    """Allows 3 pixels of difference, because gnome-calculator's height varies: 496 to 499 pixels without the recorder."""
    return len(first) == len(second) and all(abs(one - other) <= 3 for one, other in zip(first, second))


def nodes_of(node):
    yield node
    for child in node.get("nodes", []) + node.get("floating_nodes", []):
        yield from nodes_of(child)


def colours_of(picture):
    """Number of colours in a P6 image, at most 16."""
    pixels = picture.split(b"\n", 3)[-1]
    seen = set()
    for at in range(0, len(pixels) - 2, 3):
        seen.add(pixels[at:at + 3])
        if len(seen) == 16:
            break
    return len(seen)
