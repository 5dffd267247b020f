"""A browser for tests, a server for it to open, and packages of npm. browser/control.js controls Chromium with playwright-core."""
import base64
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import time
from pathlib import Path
from urllib.parse import urlsplit

CHROMIUM = shutil.which("chromium")
# Node 18 is the oldest that this version supports. Debian 12 has it.
PLAYWRIGHT = ("playwright-core@1.57.0", "agTcKlMw/mjBWOnD6kFZttAAGHgi/Nw0CZ2o6JqWSbMlI219lAFLZZCyqByTsvVAJq5XA5H8cA6PrvBRpBWEuQ==")
AXE = ("axe-core@4.10.3", "Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg==")
CONTROL = Path(__file__).parent / "browser" / "control.js"


def fetch_package(package, folder):
    """Fetches a package with npm, checks its hash, and opens it. Skips the test if npm cannot fetch it."""
    import pytest  # Not at the top, because tools/pictures imports this file, too.

    name, sha512 = package
    if not shutil.which("npm"):
        pytest.skip("npm is not installed: tools/deps tests")
    done = subprocess.run(["npm", "pack", "--silent", name], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        pytest.skip(f"npm cannot fetch {name}: {done.stderr.strip()[-200:]}")
    path = folder / done.stdout.split()[-1]
    assert base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode() == sha512
    return tarfile.open(path)


def fetch_axe(folder):
    """Returns the text of axe-core."""
    with fetch_package(AXE, folder) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


class BrowserError(Exception):
    """The browser ended or could not execute a command."""


class Browser:
    """Chromium. open() starts with new cookies."""

    def __init__(self, folder):
        modules = folder / "node_modules"
        modules.mkdir()
        with fetch_package(PLAYWRIGHT, folder) as archive:
            archive.extractall(modules)
        (modules / "package").rename(modules / "playwright-core")
        self.process = subprocess.Popen(["node", CONTROL, CHROMIUM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "NODE_PATH": str(modules), "HOME": str(folder)}, start_new_session=True)
        self.server = None

    def tell(self, name, **words):
        self.process.stdin.write(json.dumps({"do": name, **words}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise BrowserError("the browser has ended")
        result = json.loads(line)
        if "error" in result:
            raise BrowserError(result["error"])
        return result["value"]

    def open(self, server, width=1280, height=900, dark=False, bypass=False, log_in=True):
        """Opens a new window of this server. Logs in if `log_in` is true."""
        self.tell("open", width=width, height=height, dark=dark, bypass=bypass)
        self.server = server
        if log_in:
            assert self.tell("goto", url=server.new_address()) == 200
        self.problems()

    def visit(self, path):
        """Loads a page of the server. Returns its status."""
        return self.tell("goto", url=self.server.base + path)

    def run(self, script):
        """Returns the value of an expression of JavaScript."""
        return self.tell("run", script=script)

    def wait_for(self, script, seconds=20):
        """Waits until the expression is true."""
        deadline = time.monotonic() + seconds
        while not self.holds(script):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not true within {seconds} s: {script}; page: {self.text()[:500]}")
            time.sleep(0.05)

    def holds(self, script):
        """Whether the expression is true. It is false while the browser goes from one page to the next."""
        try:
            return self.run(script)
        except BrowserError as error:
            if "navigation" not in str(error):
                raise
            return False

    def text(self):
        return self.run("document.body.innerText")

    def path(self):
        """The path and parameters of the page."""
        parts = urlsplit(self.tell("url"))
        return parts.path + ("?" + parts.query if parts.query else "")

    def press(self, key):
        self.tell("press", key=key)

    def click(self, selector, x=None, y=None):
        self.tell("click", selector=selector, x=x, y=y)

    def problems(self):
        """The errors of the console since the last call."""
        return self.tell("problems")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Server:
    """`dejank serve` as a separate process."""

    def __init__(self, build, store, folder, *options, environment=None):
        self.log = folder / "serve.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([build / "dejank", "serve", "--store", store, *options], stdout=subprocess.PIPE, stderr=log,
                                            text=True, cwd=folder, env={**os.environ, "TZ": "UTC", **(environment or {})})
        self.first = self.process.stdout.readline().strip()
        assert self.first, self.log.read_text()
        parts = urlsplit(self.first)
        self.base = f"{parts.scheme}://{parts.netloc}"

    def new_address(self):
        """An address with a token that works once. The server prints the next one after SIGHUP, which ends all logins."""
        address, self.first = self.first, None
        if address is None:
            self.process.send_signal(1)
            address = self.process.stdout.readline().strip()
        return address

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
