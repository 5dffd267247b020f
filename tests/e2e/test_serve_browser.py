"""The pages of `dejank serve` in Chromium. Every page loads and is accessible. The live view shows frames of running programs.
An address restores the state of its page. A page requires the token."""
import hashlib
import json
import os
import sqlite3
import subprocess
import time

import pytest

import made_dumps as made
from browsers import CHROMIUM, Browser, Server, fetch_axe
from recorded import truth_of
from test_accessibility import trace
from test_history import fill, table

VIEW = "document.getElementById('page').liveView"
MODES = {"light": {}, "dark": {"dark": True}, "phone": {"width": 390, "height": 844}}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: tools/deps tests")


# ---- a store with data for every page


def run_dejank(build, folder, *words, codes=(0,), environment=None):
    done = subprocess.run([build / "dejank", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, **(environment or {})})
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def write_dump(path, every, seed):
    rows = made.frames(220, janky_every=every, seed=seed)
    path.write_text(made.dump(made.process("com.example.shop", [("com.example.shop/Main", rows)], notes=("frame interval: 16666667ns",))))


def add_trace(path, text):
    """Adds a trace to the oldest run, as `dejank run --trace` does. Returns the id of the run."""
    data = text.encode()
    database = sqlite3.connect(path)
    (run,) = database.execute("SELECT min(run_id) FROM evidence").fetchone()
    (blob,) = database.execute("INSERT INTO blobs (sha256, size, encoding, data) VALUES (?, ?, 'raw', ?) RETURNING id",
                               (hashlib.sha256(data).hexdigest(), len(data), data)).fetchone()
    database.execute("INSERT INTO evidence VALUES (?, 9, 'trace', 'trace', ?)", (run, blob))
    database.commit()
    database.close()
    return run


def fill_store(build, folder):
    """Fills a store: dumps of two builds, a history that got worse a few days ago, and old batches of two devices.
    Adds a trace to the oldest run, and returns the id of this run."""
    for label, every in (("before", 9), ("after", 4)):
        for i in range(10):
            write_dump(folder / f"{label}{i}.txt", every, i * 11 + every)
        run_dejank(build, folder, "import", *(f"{label}{i}.txt" for i in range(10)), "--label", label, "--store", "s.db", "--name", "scroll")
    newest_s = int(time.time()) - 12 * 3600
    lines = table(points=40, step=36, factor=1.2).splitlines()
    moved = [lines[0]] + [f"{newest_s - (39 - i) * 86400},{line.split(',', 1)[1]}" for i, line in enumerate(lines[1:])]
    (folder / "history.csv").write_text("\n".join(moved) + "\n")
    run_dejank(build, folder, "import", "history.csv", "--history", "--package", "org.example.player", "--store", "s.db")
    fill(folder / "s.db", {"serial-a": 2048, "serial-b": 8192})
    return add_trace(folder / "s.db", trace())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="module")
def traced_run(build, folder):
    return fill_store(build, folder)


@pytest.fixture(scope="module")
def server(build, folder, traced_run):
    place = Server(build, "s.db", folder, environment={"DEJANK_DIR": str(folder / "segments")})
    yield place
    place.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    place = Browser(tmp_path_factory.mktemp("browser"))
    yield place
    place.close()


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    return fetch_axe(tmp_path_factory.mktemp("axe"))


@pytest.fixture(scope="module")
def batches(build, folder, traced_run):
    """The batches of each project, newest first."""
    found = {}
    for batch in json.loads(run_dejank(build, folder, "list", "--store", "s.db", "--json"))["batches"]:
        found.setdefault(batch["project"], []).append(batch)
    return found


@pytest.fixture(scope="module")
def pages(batches, traced_run):
    """{name: path} of each page."""
    after, before = (batch["id"] for batch in batches["com.example.shop"])
    new, middle, old = (batches["com.example"][at]["id"] for at in (0, 2, -1))
    return {"projects": "/", "project": "/projects/com.example", "history": "/projects/org.example.player", "batches": "/batches",
            "batch": f"/batches/{after}", "run": f"/runs/{traced_run}", "choose": "/compare", "choose B": f"/compare?b={after}",
            "compare": f"/compare/{before}..{after}", "compare several": f"/compare/{old}..{middle},{new}", "gate": "/gate",
            "gate of a build": "/gate?project=com.example.shop&candidate=after&baseline=before", "trace": f"/traces/{traced_run}",
            "devices": "/devices", "live": "/live", "live view": "/live/local:/nothing", "error": "/runs/999999"}


PAGES = ("projects", "project", "history", "batches", "batch", "run", "choose", "choose B", "compare", "compare several", "gate",
         "gate of a build", "trace", "devices", "live", "live view", "error")


# ---- every page


def test_every_page_loads_without_an_error(browser, server, pages):
    browser.open(server)
    for name in PAGES:
        assert browser.visit(pages[name]) == (404 if name == "error" else 200), pages[name]
        browser.wait_for("document.documentElement.dataset.ready !== undefined")
        problems = [one for one in browser.problems() if "404" not in one]
        assert problems == [], (name, problems)
        assert browser.run("document.querySelector('h1').textContent") != ""
        assert browser.run("document.querySelectorAll('main').length") == 1


def find_violations(browser, axe):
    """The serious violations that axe-core finds on the page."""
    browser.run(axe + ";0")
    seen = browser.run("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map("
                       "(one) => ({id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 3).map((node) => node.html)})))")
    return [one for one in seen if one["impact"] in ("serious", "critical")]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_serious_violation(browser, server, pages, axe, name, mode):
    browser.open(server, bypass=True, **MODES[mode])
    browser.visit(pages[name])
    browser.wait_for("document.documentElement.dataset.ready !== undefined")
    assert find_violations(browser, axe) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_is_wider_than_a_phone(browser, server, pages, dark):
    browser.open(server, width=390, height=844, dark=dark)
    for name in PAGES:
        browser.visit(pages[name])
        browser.wait_for("document.documentElement.dataset.ready !== undefined")
        widest = browser.run("document.documentElement.scrollWidth")
        assert widest <= 390, (name, widest)
        background = browser.run("getComputedStyle(document.body).backgroundColor")
        light = sum(int(one) for one in background[4:-1].split(","))
        assert light < 200 if dark else light > 600, (name, background)


def test_the_keyboard_reaches_every_link_and_shows_where_it_is(browser, server, pages):
    browser.open(server)
    browser.visit(pages["projects"])
    names = []
    for _ in range(12):
        browser.press("Tab")
        names.append(browser.run("document.activeElement.textContent.trim()"))
        assert browser.run("document.activeElement.matches(':focus-visible')")
        assert browser.run("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert names[:5] == ["Projects", "Batches", "Compare", "Gate", "Live"]
    assert "com.example" in names
    browser.visit(pages["projects"])
    for _ in range(2):
        browser.press("Tab")
    browser.press("Enter")
    browser.wait_for("document.title.startsWith('Batches')")


# ---- access


def test_only_the_printed_address_logs_in_and_only_once(browser, build, folder, traced_run):
    place = Server(build, "s.db", folder)
    try:
        browser.open(place, log_in=False)
        assert browser.visit("/") == 401 and "not logged in" in browser.text() and "com.example" not in browser.text()
        assert browser.visit("/?token=" + "0" * 64) == 401 and "token in this address is wrong" in browser.text()
        address = place.new_address()
        assert browser.tell("goto", url=address) == 200 and "com.example" in browser.text()
        assert browser.path() == "/"  # The token is no longer in the address.
        assert browser.run("document.cookie") == ""  # No script reads the cookie.
        assert browser.visit("/batches") == 200
        browser.open(place, log_in=False)
        assert browser.tell("goto", url=address) == 401 and "already used" in browser.text()
    finally:
        place.close()


# ---- addresses


def test_a_filter_is_in_the_address_and_the_address_restores_it(browser, server, pages):
    browser.open(server)
    browser.visit(pages["project"])
    browser.tell("choose", selector="select[name=device]", value="serial-b")
    browser.click("form.controls button")
    browser.wait_for("location.search.includes('device=serial-b') && document.readyState === 'complete'")
    assert "serial-a" not in browser.run("document.querySelector('h2').textContent")
    address, text = browser.path(), browser.text()
    browser.tell("reload")
    assert browser.text() == text and browser.run("document.querySelector('select[name=device]').value") == "serial-b"
    browser.tell("back")
    assert browser.path() == pages["project"] and browser.run("document.querySelector('select[name=device]').value") == ""
    browser.open(server)
    browser.visit(address)
    assert browser.text() == text


def test_a_change_links_to_its_comparison_and_back(browser, server, pages):
    browser.open(server)
    browser.visit(pages["project"])
    browser.click("a[href^='/compare/']")
    browser.wait_for("location.pathname.startsWith('/compare/')")
    assert "serial-a-16 against serial-a-15" in browser.run("document.querySelector('h1').textContent")
    browser.click("a[href^='/projects/']")
    browser.wait_for("location.pathname.startsWith('/projects/')")
    browser.tell("back")
    browser.tell("back")
    assert browser.path() == pages["project"]


def test_a_and_several_b_are_chosen_from_lists(browser, server, batches):
    after, before = (batch["id"] for batch in batches["com.example.shop"])
    other = batches[next(name for name in batches if name != "com.example.shop")][0]["id"]
    browser.open(server)
    browser.visit("/compare?project=com.example.shop")
    names = browser.run("[...document.querySelectorAll('select[name=a] option')].map((one) => one.textContent)")
    assert any("before" in name and "scroll" in name for name in names), names
    browser.tell("choose", selector="select[name=a]", value=before)
    browser.click(f"input[name=b][value='{after}']")
    browser.click("form:has(select[name=a]) button")
    browser.wait_for("location.pathname.startsWith('/compare/')")
    assert browser.path() == f"/compare/{before}..{after}"
    assert "regression" in browser.run("document.querySelector('.verdict').textContent")
    # The page of the comparison has the same lists, with the compared batches selected. The third batch is of another project.
    chosen = "[...document.querySelectorAll('input[name=b]:checked')].map((one) => one.value)"
    assert browser.run("document.querySelector('select[name=a]').value") == before and browser.run(chosen) == [after]
    browser.visit(f"/compare?a={before}")
    for one in (after, other):
        browser.click(f"input[name=b][value='{one}']")
    browser.click("form:has(select[name=a]) button")
    browser.wait_for("location.pathname.startsWith('/compare/')")
    assert set(browser.path().split("..")[1].split(",")) == set(browser.run(chosen)) == {after, other}
    assert browser.run("document.querySelectorAll('.verdict').length") == 2


def test_the_arrow_keys_read_the_points_of_a_chart(browser, server, pages):
    browser.open(server)
    browser.visit(pages["project"])
    browser.wait_for("document.querySelector('figure.chart svg') !== null")
    browser.run("document.querySelector('.drawing').focus()")
    browser.press("ArrowRight")
    assert "2.0" in browser.run("document.querySelector('figure.chart .unseen').textContent")


SHOWN = "(({ first, last }) => [first, last])(document.querySelectorAll('figure.chart')[0].svgChart.zoom.range)"


def test_a_zoomed_chart_is_in_the_address_and_the_address_restores_it(browser, server, pages):
    browser.open(server)
    browser.visit(pages["history"])
    browser.wait_for("document.querySelector('figure.chart svg') !== null")
    whole, axis = browser.run(SHOWN), browser.run("document.querySelector('figure.chart svg').textContent")
    assert whole == [0, 39] and browser.run("document.querySelector('.zoom button:last-child').disabled")
    browser.click("figure.chart .zoom button:has-text('+')")
    assert browser.run(SHOWN) == [9.75, 29.25] and browser.path() == pages["history"] + "?zoom=1_9.75_29.25"
    drawn = browser.run("document.querySelector('figure.chart svg').textContent")
    assert drawn != axis
    browser.tell("reload")
    browser.wait_for("document.querySelector('figure.chart svg') !== null")
    assert browser.run(SHOWN) == [9.75, 29.25] and browser.run("document.querySelector('figure.chart svg').textContent") == drawn
    # Drags over the middle third, and zooms out with a key. Going back undoes the key.
    browser.tell("drag", selector="figure.chart .drawing", start=[400, 100], end=[800, 100])
    first, last = browser.run(SHOWN)
    assert 9.75 < first < last < 29.25 and 4 < last - first < 9
    dragged = browser.path()
    browser.press("-")
    assert browser.run(SHOWN)[1] - browser.run(SHOWN)[0] == pytest.approx(2 * (last - first), rel=1e-3)
    browser.tell("go_back")
    browser.wait_for(f"JSON.stringify({SHOWN}.map(Math.round)) === '[{round(first)},{round(last)}]'")
    assert browser.path() == dragged
    browser.press("0")
    assert browser.run(SHOWN) == whole and browser.path() == pages["history"]
    for text in ("1_x_3", "1_5", "99_1_2", "1_30_10", "1_-1e9_1e9", "*", "1_1e999_2"):
        browser.visit(pages["history"] + "?zoom=" + text)
        browser.wait_for("document.querySelector('figure.chart svg') !== null")
        first, last = browser.run(SHOWN)
        assert 0 <= first < last <= 39, text
    assert browser.problems() == []


def test_the_keys_read_only_the_visible_points_of_a_chart(browser, server, pages):
    browser.open(server, width=390, height=844)
    browser.visit(pages["history"] + "?zoom=1_9.75_29.25")
    browser.wait_for("document.querySelector('figure.chart svg') !== null")
    browser.run("document.querySelector('.drawing').focus()")
    seen = []
    for _ in range(3):
        browser.press("ArrowRight")
        seen.append(browser.run("(({ at, points }) => points[at].x)(document.querySelector('figure.chart').svgChart)"))
    assert all(9.75 <= x <= 29.25 for x in seen), seen
    assert browser.run("document.documentElement.scrollWidth") <= 390


# ---- new results


def test_a_stored_run_appears_without_a_reload(browser, server, build, folder):
    browser.open(server)
    browser.visit("/")
    browser.run("window.kept = true")
    assert "com.example.new" not in browser.text()
    text = made.dump(made.process("com.example.new", [("com.example.new/Main", made.frames(100))], notes=("frame interval: 16666667ns",)))
    (folder / "new.txt").write_text(text)
    run_dejank(build, folder, "import", "new.txt", "--label", "1", "--store", "s.db", "--name", "start")
    browser.wait_for("document.body.innerText.includes('com.example.new')")
    assert browser.run("window.kept"), "the page was loaded again"
    assert browser.problems() == []


# ---- the live view


@pytest.fixture
def live_folder(folder):
    (folder / "segments").mkdir(mode=0o700, exist_ok=True)
    return {"DEJANK_DIR": str(folder / "segments")}


def record(build, display, environment, name, *program):
    return subprocess.Popen([build / "dejank", "record", "--name", name, "--", *map(str, program)],
                            env={**os.environ, **display.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def end(program):
    program.terminate()
    program.communicate(timeout=20)


def count(browser, name):
    return int(browser.run(f"document.documentElement.dataset.{name}"))


def test_the_live_view_shows_the_planted_frames(browser, server, build, x_server, live_folder):
    scene = build / "tests/programs/scene"
    if not scene.exists():
        pytest.skip("the scene program was not built: tools/deps tests")
    browser.open(server)
    browser.visit("/live/local:/planted")
    browser.wait_for("document.querySelector('[role=status]').textContent.includes('does not run yet')")
    program = record(build, x_server, live_folder, "planted", scene, "--display", "x11", "--work", "4", "--late-every", "7", "--late", "50",
                     "--frames", "119", "--pace", "25")
    output, _ = program.communicate(timeout=60)
    assert len(truth_of(output)) == 119
    browser.wait_for("Number(document.documentElement.dataset.received) >= 117")
    browser.wait_for("document.querySelector('[role=status]').textContent.startsWith('Ended: ')")
    assert count(browser, "lost") == 0
    frames = browser.run(f"{VIEW}.frames.map((frame) => [frame.number, frame.time, frame.janky])")
    planted = {number for number in range(7, 120, 7) if number >= frames[0][0]}
    janky = {number for number, _, is_janky in frames if is_janky}
    assert len(planted) >= 15 and planted <= janky
    assert all(time >= 49e6 for number, time, _ in frames if number in planted)
    assert count(browser, "janky") >= 17
    assert browser.problems() == []


@pytest.fixture
def gears(build, x_server, live_folder):
    program = record(build, x_server, live_folder, "gears", "glxgears", "-geometry", "300x300")
    yield program
    end(program)


def test_pause_click_and_arrow_keys_select_a_frame_of_glxgears(browser, server, gears):
    browser.open(server)
    browser.visit("/live/local:/gears")
    browser.wait_for("Number(document.documentElement.dataset.received) > 60")
    assert "running" in browser.run("document.querySelector('[role=status]').textContent").lower()
    browser.click("button:has-text('Pause')")
    received = count(browser, "received")
    shown = browser.run(f"{VIEW}.times.shown.map((bar) => bar.frame.number)")
    browser.wait_for(f"Number(document.documentElement.dataset.received) > {received + 20}")  # Frames are still counted.
    assert browser.run(f"{VIEW}.times.shown.map((bar) => bar.frame.number)") == shown
    browser.click("canvas[tabindex]", x=1190, y=100)
    clicked = browser.run(f"{VIEW}.selected.number")
    assert f"Frame {clicked}" in browser.run("document.querySelector('.detail').innerText")
    assert browser.run("document.querySelectorAll('.detail dt').length") >= 2
    browser.run("document.querySelector('canvas[tabindex]').focus()")
    browser.press("ArrowLeft")
    left = browser.run(f"{VIEW}.selected.number")
    browser.press("ArrowRight")
    assert left < clicked == browser.run(f"{VIEW}.selected.number")
    browser.click("button:has-text('Continue')")
    browser.wait_for(f"{VIEW}.selected === null && document.querySelector('.detail').innerText === ''")
    assert browser.problems() == []


def test_the_live_view_comes_back_after_a_reload_and_from_the_list(browser, server, gears):
    browser.open(server)
    browser.visit("/live")
    browser.wait_for("document.querySelector('a[href$=\"/gears\"]') !== null")
    browser.click("a[href$='/gears']")
    browser.wait_for("Number(document.documentElement.dataset.received) > 10")
    browser.tell("reload")
    browser.wait_for("Number(document.documentElement.dataset.received) > 10")
    browser.tell("back")
    assert browser.path() == "/live"


def test_the_live_view_follows_a_restart(browser, server, build, x_server, live_folder):
    browser.open(server)
    browser.visit("/live/local:/again")
    for words in ("running", "ended", "running"):
        if words == "running":
            program = record(build, x_server, live_folder, "again", "glxgears")
        else:
            end(program)
        browser.wait_for(f"document.querySelector('[role=status]').textContent.toLowerCase().includes('{words}')")
    end(program)


def send_events(browser, events):
    """Replaces the server's events in the next live view with these events."""
    browser.tell("prepare", script="window.EventSource = class { addEventListener(name, take) { this.on = { ...this.on, [name]: take };"
                 "if (name === 'error') { setTimeout(() => { for (const [kind, data] of " + json.dumps(events) +
                 ") { this.on[kind]({ data: JSON.stringify(data) }); } }); } } };")


def made_frames(first, count, janky=()):
    return [{"number": n, "start_ns": n * 16_666_667, "frame_time_ns": 40_000_000 if n in janky else 6_000_000, "janky": n in janky,
             "stages": {"app": 5_000_000, "swap": 1_000_000}, "findings": ["deadline-missed"] if n in janky else []} for n in range(first, first + count)]


def test_windows_and_lost_ranges_of_the_live_view(browser, server):
    browser.open(server, width=390, height=844)
    one, two = ({"window": n, "title": title, "process": "app", "interval_ns": 16_666_667} for n, title in ((1, "First window"), (2, "Second, " * 20)))
    send_events(browser, [("frames", {**one, "frames": made_frames(1, 100)}), ("lost", {"window": 1, "count": 25}),
                          ("frames", {**two, "frames": made_frames(1, 50, janky=(7,))}), ("frames", {**one, "frames": made_frames(126, 10)})])
    browser.visit("/live/local:/app")
    browser.wait_for("document.documentElement.dataset.received === '160'")
    assert [count(browser, name) for name in ("janky", "lost")] == [1, 25]
    assert "25 frames lost" in browser.text()
    assert browser.run(f"{VIEW}.frames.filter((frame) => frame.lost !== 0).map((frame) => [frame.window, frame.number])") == [[1, 126]]
    legends = browser.run("[...document.querySelectorAll('.live .legend')].map((one) => one.innerText)")
    assert "lost" in legends[0] and "App" in legends[1] and "Layout" not in legends[1]
    assert browser.run("document.documentElement.scrollWidth") <= 390
    browser.tell("choose", selector="select", value="2")
    browser.wait_for(f"{VIEW}.times.shown.length === 50")
    browser.run("document.querySelector('canvas[tabindex]').focus()")
    browser.press("ArrowLeft")
    browser.press("Shift+ArrowLeft")
    assert browser.run(f"{VIEW}.selected.number") == 7 and "deadline-missed" in browser.run("document.querySelector('.detail').innerText")


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_the_live_view_with_frames_has_no_serious_violation(browser, server, axe, mode):
    browser.open(server, bypass=True, **MODES[mode])
    windows = [{"window": n, "title": f"Window {n}", "process": "app", "interval_ns": 16_666_667} for n in (1, 2)]
    figures = {"frames": 160, "judged": 160, "janky": 9, "janky_percent": 5.6, "lost": 25, "fps": 60.0, "p50_ns": 6e6, "p90_ns": 6e6,
               "p95_ns": 4e7, "p99_ns": 4e7, "longest_ns": 4e7}
    send_events(browser, [("frames", {**windows[0], "frames": made_frames(1, 100, janky=(9,))}), ("lost", {"window": 1, "count": 25}),
                          ("frames", {**windows[1], "frames": made_frames(1, 50)}), ("frames", {**windows[0], "frames": made_frames(126, 10)}),
                          ("second", {"state": "running", "last_10_s": figures, "since_start": figures})])
    browser.visit("/live/local:/app")
    browser.wait_for("document.documentElement.dataset.received === '160' && document.querySelector('table') !== null")
    browser.run("document.querySelector('canvas[tabindex]').focus()")
    browser.press("ArrowLeft")
    browser.wait_for("document.querySelector('.detail h2') !== null")
    assert find_violations(browser, axe) == []


def test_the_live_view_says_why_it_shows_nothing(browser, server):
    browser.open(server)
    send_events(browser, [("problem", {"message": "device 'x' is not connected"})])
    browser.visit("/live/x/app")
    browser.wait_for("document.querySelector('[role=status]').textContent.startsWith(\"device 'x' is not connected; trying again\")")
    assert browser.run("document.querySelectorAll('canvas').length > 0 && document.querySelector('canvas').offsetParent === null")


@pytest.mark.slow
def test_the_live_view_says_that_the_server_has_ended(browser, build, folder, traced_run):
    place = Server(build, "s.db", folder)
    browser.open(place)
    browser.visit("/live/local:/nothing")
    browser.wait_for("document.querySelector('[role=status]').textContent.includes('does not run yet')")
    place.close()
    browser.wait_for("document.querySelector('[role=status]').textContent.includes('connection to the server is lost')", 30)
