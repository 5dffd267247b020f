"""Time from the end of a frame to its drawing in the live view of Chromium, for serve.py."""
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/e2e"))
from browsers import CHROMIUM, Browser  # noqa: E402  pylint: disable=wrong-import-position

# Notes the delay of each new frame when the page has drawn it. Times of frames are those of the monotonic clock; the page knows only wall time.
NOTE_DELAYS = """(() => {
    const view = document.getElementById('page').liveView;
    const draw = view.draw;
    const newest = () => Math.max(0, ...view.frames.map((frame) => frame.at));
    let seen = newest();
    window.delays = [];
    view.draw = function drawAndNote() {
        draw.call(this);
        const now = performance.timeOrigin + performance.now() - OFFSET;
        this.frames.filter((frame) => frame.at > seen).forEach((frame) => window.delays.push(now - (frame.at + (frame.time || 0)) / 1e6));
        seen = newest();
    };
})()"""


def delays_ms(server, path, seconds):
    """The delays of the frames that a page draws in this time, or None without Chromium."""
    if CHROMIUM is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(Path(folder))
        try:
            browser.open(server)
            browser.visit(path)
            browser.wait_for("Number(document.documentElement.dataset.received) > 60")
            offset_ms = (time.time_ns() - time.monotonic_ns()) / 1e6
            browser.run(NOTE_DELAYS.replace("OFFSET", str(offset_ms)))
            time.sleep(seconds)
            return browser.run("window.delays")
        finally:
            browser.close()
