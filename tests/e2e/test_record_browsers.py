"""Chromium and Firefox under `dejank record`. Their allocators call hooked functions before anything is initialised. Their processes
fork without exec and confine themselves with seccomp. Both draw a page and then end, as they do without the recorder. They run as root
without a sandbox, and as a user with it."""

import os
import re
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from account import Account

pytestmark = pytest.mark.slow

FRAMES = 90

# Draws FRAMES frames, reports their number, and closes its window, which is the last one.
PAGE = f"""<!doctype html><title>animated</title>
<div id="box" style="position:absolute;width:200px;height:200px;background:red"></div>
<script>
let frames = 0;
function draw() {{
  document.getElementById("box").style.left = 4 * frames + "px";
  if (++frames < {FRAMES}) requestAnimationFrame(draw);
  else fetch("/done", {{method: "POST", body: "" + frames}}).then(() => window.close());
}}
requestAnimationFrame(draw);
</script>
"""

CHROMIUM = ["chromium", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync"]
EGL = ["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]  # the blocklist excludes software GPUs
FIREFOX_SETTINGS = """user_pref("dom.allow_scripts_to_close_windows", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.tabs.closeWindowWithLastTab", true);
user_pref("browser.sessionstore.resume_from_crash", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("app.normandy.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


class Server:
    """Serves the page, and receives the number of frames that the page drew."""

    def __init__(self):
        reports = self.reports = []

        class Handler(BaseHTTPRequestHandler):
            def answer(self, status, body=b""):
                self.send_response(status)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.answer(*((200, PAGE.encode()) if self.path == "/" else (404,)))

            def do_POST(self):
                reports.append(int(self.rfile.read(int(self.headers["Content-Length"]))))
                self.answer(200)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def browse(build, x_server):
    """browse(KIND, BROWSER, …): draws the page in the recorded browser and returns the account. Skips the test if the browser cannot
    draw the page without the recorder."""
    accounts, servers = [], []

    def one_run(kind, browser, options, prefix):
        account, server = Account(kind, x_server.environment), Server()
        accounts.append(account)
        servers.append(server)
        profile = account.home / "profile"
        account.run("mkdir", profile)
        if browser == "firefox-esr":
            (profile / "user.js").write_text(FIREFOX_SETTINGS)
            command = [browser, "--no-remote", "--profile", profile, server.address]
        else:
            command = [*CHROMIUM, f"--user-data-dir={profile}", *options, server.address]
        status, output = account.run(*prefix, *command)
        return account, status, output, server.reports

    def run(kind, browser, *options):
        if not shutil.which(browser):
            pytest.skip(f"{browser} is not installed: tools/deps tests")
        if kind == "root" and os.geteuid() != 0:
            pytest.skip("not root")
        _, status, output, reports = one_run(kind, browser, options, [])
        if (status, reports) != (0, [FRAMES]):
            pytest.skip(f"{browser} does not draw the page here without the recorder: status {status}, {output[-200:]!r}")
        account, status, output, reports = one_run(kind, browser, options, [build / "dejank", "record", "--name", "browser", "--"])
        assert (status, reports) == (0, [FRAMES]), output
        return account

    yield run
    for server in servers:
        server.close()
    for account in accounts:
        shutil.rmtree(account.home, ignore_errors=True)


def sandbox_options(kind):
    return ["--no-sandbox"] if kind == "root" else []


@pytest.mark.parametrize("kind", ["root", "user"])
def test_chromium_draws_and_ends_as_without_the_recorder(browse, kind):
    browse(kind, "chromium", *sandbox_options(kind))


@pytest.mark.parametrize("kind", ["root", "user"])
def test_firefox_draws_and_ends_as_without_the_recorder(browse, kind):
    browse(kind, "firefox-esr")


def test_pages_that_firefox_draws_with_the_cpu_are_recorded(browse, build):
    """A separate thread sends them as images, while GTK has frames in the same process."""
    account = browse("user", "firefox-esr")
    _, text = account.run(build / "dumpsys", "gfxinfo")
    assert re.search(r"^Pipeline=.*software", text, re.M), text
    totals = [int(total) for total in re.findall(r"^Total frames rendered: (\d+)$", text, re.M)]
    assert max(totals) >= FRAMES // 2, text


@pytest.mark.parametrize("kind", ["root", "user"])
def test_frames_that_chromiums_gpu_process_presents_are_recorded(browse, build, kind):
    """If the sandbox is on, a seccomp filter confines that process before its first frame."""
    account = browse(kind, "chromium", *sandbox_options(kind), *EGL)
    _, text = account.run(build / "dumpsys", "gfxinfo")
    totals = [int(total) for total in re.findall(r"^Total frames rendered: (\d+)$", text, re.M)]
    assert totals and max(totals) >= FRAMES // 2, text
