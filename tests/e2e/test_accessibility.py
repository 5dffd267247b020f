"""The pages in a browser, in light and dark colours and with the width of a phone: axe-core finds no serious violation, and no page is
wider than the window."""
import html
import json
import re
import subprocess

import pytest

import made_dumps as made
from browsers import CHROMIUM, fetch_axe

KINDS = ("dump", "batches", "compare", "gate", "history", "triage")
CHECK = """
window.onload = () => setTimeout(() => axe.run(document, {resultTypes: ['violations']}).then((result) => {
    const seen = result.violations.map((one) => ({id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 3).map((node) => node.html)}));
    document.documentElement.setAttribute('data-axe', JSON.stringify({seen, wide: document.documentElement.scrollWidth > window.innerWidth}));
}), 500);
"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: tools/deps tests")


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    return fetch_axe(tmp_path_factory.mktemp("axe"))


@pytest.fixture(scope="module")
def pages(build, tmp_path_factory):
    """{kind of page: its file}."""
    folder = tmp_path_factory.mktemp("pages")

    def run(*words, codes=(0,)):
        done = subprocess.run([build / "dejank", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode in codes, done.stdout + done.stderr

    for label, every in (("before", 9), ("after", 4)):
        for i in range(6):
            rows = made.frames(220, janky_every=every, seed=i * 10 + every)
            (folder / f"{label}{i}.txt").write_text(made.dump(made.process("com.example.shop", [("com.example.shop/Main", rows)],
                                                                           notes=("frame interval: 16666667ns",))))
        run("import", *(f"{label}{i}.txt" for i in range(6)), "--label", label, "--store", "s.db", "--name", "scroll")
    (folder / "trace.txt").write_text(trace())
    run("report", "before0.txt", "-o", "dump.html")
    run("report", "before", "after", "--store", "s.db", "-o", "batches.html")
    run("compare", "before", "after", "--store", "s.db", "-o", "compare.html", codes=(0, 1, 6))
    run("gate", "after", "--baseline", "before", "--store", "s.db", "--output", "gate.html", codes=(1,))
    run("history", "--store", "s.db", "-o", "history.html")
    run("trace", "triage", "trace.txt", "--frames", "frame *", "-o", "triage.html")
    return {name: folder / f"{name}.html" for name in KINDS}


def trace():
    """ftrace text with frames of a thread. Every third frame takes longer than 16.7 ms."""
    lines, at = ["# tracer: nop"], 1.0
    for number in range(30):
        length = 0.024 if number % 3 == 2 else 0.008
        lines += [f"  app-7 (    7) [000] ..... {at:.6f}: tracing_mark_write: B|7|frame {number}",
                  f"  app-7 (    7) [000] ..... {at + 0.001:.6f}: tracing_mark_write: B|7|layout",
                  f"  app-7 (    7) [000] ..... {at + length:.6f}: tracing_mark_write: E|7",
                  f"  app-7 (    7) [000] ..... {at + length + 0.001:.6f}: tracing_mark_write: E|7"]
        at += 0.04
    return "\n".join(lines) + "\n"


def check(page, axe, folder, width, dark):
    """The violations that axe-core finds in the page, and whether the page is wider than the window. Removes the page's content
    security policy, which allows no other scripts."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text())
    (folder / "page.html").write_text(text.replace("</body>", f"<script>{axe}</script><script>{CHECK}</script></body>"))
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
               "--virtual-time-budget=8000", f"--window-size={width},1400", f"--user-data-dir={folder / 'profile'}",
               *(["--blink-settings=preferredColorScheme=0"] if dark else []), "--dump-dom", (folder / "page.html").as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=True).stdout
    found = re.search(r'data-axe="([^"]*)"', dom)
    assert found, "axe-core did not run"
    return json.loads(html.unescape(found.group(1)))


@pytest.mark.slow
@pytest.mark.parametrize("width, dark", [(1280, False), (1280, True), (500, False)], ids=["light", "dark", "phone"])
@pytest.mark.parametrize("name", KINDS)
def test_a_page_has_no_serious_violation(pages, axe, tmp_path, name, width, dark):
    result = check(pages[name], axe, tmp_path, width, dark)
    assert [one for one in result["seen"] if one["impact"] in ("serious", "critical")] == []
    assert not result["wide"], "the page is wider than the window"
