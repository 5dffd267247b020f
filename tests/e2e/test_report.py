"""`dejank report`: terminal output, and the HTML page, opened from a file in a real browser without a network."""
import fcntl
import html
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from PIL import Image

import made_dumps as made

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("DEJANK_BUILD", ROOT / "build")).resolve()
CHROMIUM = shutil.which("chromium")
BROWSER_SECONDS = 90
EVIL = "we<b>ird</b> \"q\" 's'; $(rm) </script><script>document.title='owned'</script> Größe 漢字"
APP_STAGES = ("HandleInputStart", "AnimationStart", "PerformTraversalsStart", "DrawStart")

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


def report(*arguments, text=None, **environment):
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    return subprocess.run([BUILD / "dejank", "report", *map(str, arguments)], input=text, text=True,
                          capture_output=True, timeout=60, env={**clean, "LC_ALL": "C.UTF-8", **environment})


def one_window(rows, notes=("frame interval: 16666667ns",), **profile):
    return made.dump(made.process("com.example.app", [("com.example.app/Main", rows, *profile.values())], notes=notes))


@pytest.fixture
def page(tmp_path):
    """page(TEXT) writes an HTML report of a dump and returns its path."""
    def make(text, name="report.html"):
        source = tmp_path / "dump.txt"
        source.write_text(text, encoding="utf-8")
        target = tmp_path / name
        result = report(source, "-o", target)
        assert result.returncode in (0, 4), result.stderr
        return target
    return make


def browse(path, tmp_path, *flags):
    """Returns Chromium's output. The page must not log to the console. Chromium's own pages (chrome://) may, on a busy machine."""
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync",
               "--hide-scrollbars", "--enable-logging=stderr", "--virtual-time-budget=4000",
               "--user-data-dir=%s" % (tmp_path / "profile"), *flags, path.as_uri()]
    result = subprocess.run(command, capture_output=True, timeout=BROWSER_SECONDS)
    console = [line for line in result.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line and "source: chrome" not in line]
    assert console == []
    return result.stdout.decode(errors="replace")


def poked(path, script):
    """Returns a copy of the page that runs `script` in place of a user. The copy has no policy against foreign scripts."""
    text = path.read_text(encoding="utf-8")
    text, policies = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    assert policies == 1
    script = """setTimeout(() => { const told = {}; const figures = [...document.querySelectorAll('figure')];
        const key = (node, name) => node.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
        %s
        setTimeout(() => { finish(); document.documentElement.dataset.told = JSON.stringify(told); }, 200); }, 300);""" % script
    copy = path.with_name("poked.html")
    copy.write_text(text.replace("</body>", "<script>%s</script></body>" % script), encoding="utf-8")
    return copy


def told(dom):
    return json.loads(html.unescape(re.search(r'data-told="([^"]*)"', dom).group(1)))


def pixels(path):
    """{(red, green, blue): number of pixels} of a picture."""
    with Image.open(path) as picture:
        width, height = picture.size
        return {color: count for count, color in picture.convert("RGB").getcolors(width * height)}


def color(text):
    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))


# ---- the terminal ----

@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_terminal_report_fits(width):
    result = report("-", text=made.dump(made.process(EVIL, [("w", made.frames(300))])), COLUMNS=str(width), LC_ALL="C")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= width
    assert any("16.67 ms" in line for line in lines)
    assert "\033" not in result.stdout


def test_terminal_report_has_the_three_parts():
    rows = made.frames(120, janky_every=9)
    result = report("-", text=one_window(rows), COLUMNS="80")
    janky = sum(made.duration_ns(row) > made.INTERVAL_NS for row in rows)
    assert janky == 13
    assert re.search(r"Janky frames +%d \(10\.83%%\) +%d \(10\.83%%\)" % (janky, janky), result.stdout)
    assert "── deadline 16.67 ms ─" in result.stdout
    assert "Each column shows the longest of 2 frames." in report("--all", "-", text=one_window(rows), COLUMNS="80").stdout


def on_terminal(source, columns, **settings):
    """Output of the report on a terminal of this width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([BUILD / "dejank", "report", source], stdout=slave, env={
            "PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8", **settings}) as process:
        os.close(slave)
        seen = b""
        try:
            while chunk := os.read(master, 65536):
                seen += chunk
        except OSError:  # Linux reports EIO when no process can write to the terminal any more
            pass
        os.close(master)
        assert process.wait(timeout=60) == 0
    return seen.decode()


def test_a_terminal_gets_its_width_and_colours(tmp_path):
    source = tmp_path / "dump.txt"
    source.write_text(one_window(made.frames(30)))
    colored = on_terminal(source, 57)
    assert "\033[38;5;" in colored
    plain = re.sub("\033\\[[0-9;]*m", "", colored)
    assert max(map(len, plain.splitlines())) == 57
    assert [line for line in plain.splitlines() if line.endswith(" ")] == []
    without = on_terminal(source, 57, NO_COLOR="1")
    assert plain == without
    assert "\033" not in on_terminal(source, 57, TERM="dumb")
    assert max(map(len, on_terminal(source, 57, COLUMNS="33", NO_COLOR="1").splitlines())) == 33


@pytest.mark.parametrize("text, expected", [
    ("hello\n", "no gfxinfo text"),
    ("", "no gfxinfo text"),
    ("No process found for: com.example\n", "com.example"),
    (made.dump(made.process("p", [("w", [])])), "no frame was drawn"),
])
def test_no_data_is_no_smoothness(text, expected):
    result = report("-", text=text)
    assert result.returncode == 4
    assert expected in result.stderr
    assert "%" not in result.stdout


def test_wrong_use_is_reported():
    assert report().returncode == 2
    result = report("-", "-o", "x.pdf", text="")
    assert result.returncode == 2 and ".html" in result.stderr
    result = report("/nonexistent/dump.txt")
    assert result.returncode == 4 and "/nonexistent/dump.txt" in result.stderr


def test_an_output_that_cannot_be_written_leaves_nothing_behind(tmp_path, page):
    target = page(one_window(made.frames(10)))
    kept = target.read_bytes()
    result = report("-", "-o", tmp_path / "none" / "x.html", text=one_window(made.frames(10)))
    assert result.returncode == 4 and "cannot write" in result.stderr
    assert target.read_bytes() == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dump.txt", "report.html"]


def test_messages_cannot_move_a_cursor():
    result = report("/none\033[31m/x", text="")
    assert result.returncode == 4
    assert "\033" not in result.stderr and "\\x1b[31m" in result.stderr.lower()


# ---- the page as a file ----

def test_page_asks_the_network_for_nothing(page):
    text = page(one_window(made.frames(120))).read_text(encoding="utf-8")
    markup = re.sub(r"<(script|style)\b[^>]*>.*?</\1>", "", text, flags=re.S)
    assert re.findall(r'\b(?:src|href)\s*=\s*"([^"]*)"', markup) == ["data:,"]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy
    assert '<html lang="en">' in text and "com.example.app — dejank report</title>" in text


# ---- the page in a browser ----

@needs_browser
@pytest.mark.parametrize("count", [120, 5000])
def test_page_draws_its_charts(page, tmp_path, count):
    target = page(one_window(made.frames(count, freeze_at=count // 2), profile=[(2.0, 0.5, 3.0, 1.0)] * 20))
    dom = browse(target, tmp_path, "--dump-dom")
    assert 'data-ready="4"' in dom  # histogram, stages, difference, simple dump
    per = re.search(r"Each bar is the worst of (\d+) frames in a row", dom)
    assert (int(per.group(1)) > 5) if count == 5000 else re.search(r"Each bar is one frame \(rows 1–120; 120 of 120\)", dom)
    for axis in ("Frame time (ms)", "Frames", "Time (ms)", "Time since the first frame (s)", "Difference (ms)"):
        assert axis in dom


@needs_browser
@pytest.mark.parametrize("scheme, expected", [
    (1, ("#0072b2", "#d55e00", "#e69f00", "#56b4e9", "#b00020")),
    (0, ("#2f86c9", "#d9640f", "#e69f00", "#7cc8f2", "#ff6b7d")),
])
def test_page_has_its_colours_in_light_and_dark(page, tmp_path, scheme, expected):
    target = page(one_window(made.frames(120, freeze_at=60)))
    picture = tmp_path / "page.png"
    browse(target, tmp_path, "--screenshot=%s" % picture, "--window-size=1280,1500",
           "--blink-settings=preferredColorScheme=%d" % scheme)
    seen = pixels(picture)
    for one in expected:
        assert seen.get(color(one), 0) > 100, one
    background = max(seen, key=seen.get)
    assert (sum(background) > 600) == (scheme == 1)


@needs_browser
def test_page_fits_a_narrow_window(page, tmp_path):
    windows = [(EVIL, made.frames(120), [(2.0, 0.5, 3.0, 1.0)] * 20), ("second", made.frames(9))]
    target = poked(page(made.dump(made.process(EVIL, windows))), """
        const finish = () => { told.page = document.documentElement.scrollWidth; told.window = innerWidth;
            told.wide = [...document.querySelectorAll('canvas, select, button, h1, h2')]
                .filter((node) => !node.closest('.scroll') && node.getBoundingClientRect().right > innerWidth).length; };""")
    told_now = told(browse(target, tmp_path, "--dump-dom", "--window-size=500,900"))
    assert told_now["page"] <= told_now["window"]
    assert told_now["wide"] == 0


@needs_browser
@pytest.mark.parametrize("width", [400, 500, 600, 700, 800, 1000, 1101, 1200, 1400])
def test_tables_are_whole_at_every_width(page, tmp_path, width):
    notes = ["frame interval: 16666667ns"]
    target = poked(page(made.dump(made.process("com.example.app", [("Main", made.frames(3000, freeze_at=7))], notes=notes))), """
        document.body.style.width = '%dpx'; // which a window may not be: headless ones have at least 500
        const finish = () => { told.cut = [...document.querySelectorAll('.scroll')]
                .filter((node) => node.scrollWidth > node.clientWidth).length;
            told.tables = document.querySelectorAll('table.figures').length; };""" % width)
    told_now = told(browse(target, tmp_path, "--dump-dom", "--window-size=%d,900" % width))
    assert told_now["tables"] == 2
    assert told_now["cut"] == 0


@needs_browser
def test_names_are_text(page, tmp_path):
    target = page(made.dump(made.process(EVIL, [("<img src=x onerror=alert(1)>", made.frames(20))])))
    dom = browse(target, tmp_path, "--dump-dom")
    assert "<title>we&lt;b&gt;ird&lt;/b&gt;" in dom
    assert "<img" not in dom
    assert "&lt;img src=x onerror=alert(1)&gt;</p>" in dom
    assert "Größe 漢字</h1>" in dom


@needs_browser
def test_unknown_stages_are_absent(page, tmp_path):
    target = page(one_window(made.frames(120, unknown=APP_STAGES), notes=(
        "frame interval: 16666667ns (assumed)", "not recorded: " + ", ".join(APP_STAGES), "recovered 118 of 120",
        "process has ended")))
    dom = browse(target, tmp_path, "--dump-dom")
    legend = re.findall(r'class="key" title="[^"]*">.*?</span>([^<]+)</span>', dom)
    assert legend == ["App", "Wait (not counted)", "Sync", "Issue commands", "Swap"]
    assert "Stages that were not recorded are absent, not zero" in dom
    assert "Recovered 118 of 120 frames" in dom
    assert "The process has ended" in dom
    assert "(60 Hz, assumed)" in dom
    assert '<option value="DrawStart"' not in dom


@needs_browser
def test_no_frames_say_so_in_the_page(page, tmp_path):
    dom = browse(page(made.dump(made.process("p", [("w", [])]))), tmp_path, "--dump-dom")
    assert re.search('NO FRAMES</span> no frame was drawn</p><p class="about">So the smoothness of the app is unknown.</p>', dom)
    assert 'data-ready="0"' in dom
    assert 'class="tile"' not in dom


@needs_browser
def test_a_simple_dump_alone_is_drawn(page, tmp_path):
    text = "** Graphics info for pid 9 [old.app] **\n\nProfile data in ms:\n\n\told.app/Main/android.view.ViewRootImpl@1 (visibility=0)" \
        "\n\tDraw\tPrepare\tProcess\tExecute\n" + "\t3.00\t0.50\t6.00\t1.00\n" * 64
    dom = browse(page(text), tmp_path, "--dump-dom")
    assert 'data-ready="1"' in dom and "Each bar is one row (rows 1–64; 64 of 64)" in dom
    assert "NO FRAMES" not in dom


@needs_browser
def test_hovering_shows_the_stages_of_the_worst_frame(page, tmp_path):
    rows = made.frames(5000, janky_every=0, freeze_at=2500)
    target = poked(page(one_window(rows)), """
        const over = figures[1].querySelector('.area');
        const box = over.getBoundingClientRect();
        const at = { clientX: box.left + box.width * 0.5002, clientY: box.top + 90, bubbles: true };
        over.dispatchEvent(new MouseEvent('mouseenter', at));
        over.dispatchEvent(new MouseEvent('mousemove', at));
        const finish = () => { told.tip = figures[1].querySelector('.tip').innerText; };""")
    tip = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))["tip"]
    assert "Row 2501 at" in tip and "janky" in tip
    assert re.search(r"Frame time\s+%.1f ms" % (made.duration_ns(rows[2500]) / 1e6), tip)
    stage = (rows[2500]["SwapBuffers"] - rows[2500]["IssueDrawCommandsStart"]) / 1e6
    assert re.search(r"Issue commands\s+%.3f ms" % stage, tip)
    assert re.search(r"Wait \(not counted\)", tip)
    assert re.search(r"The worst of rows \d+–\d+", tip)


@needs_browser
def test_findings_stand_on_the_page_and_show_their_worst_frame(page, tmp_path):
    rows = made.frames(120, janky_every=0)
    rows[40]["AnimationStart"] = rows[40]["HandleInputStart"] + 2_000_001
    slow = [i for i, row in enumerate(rows) if row["AnimationStart"] - row["HandleInputStart"] > 2_000_000]
    assert slow == [40]
    target = poked(page(one_window(rows)), """
        told.items = [...document.querySelectorAll('ol.findings li')].map((item) => item.innerText);
        const item = [...document.querySelectorAll('ol.findings li')].find((one) => one.innerText.includes('input handling'));
        item.querySelector('button').click();
        const finish = () => { told.tip = figures[1].querySelector('.tip').innerText; };""")
    now = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))
    [item] = [item for item in now["items"] if "input handling" in item]
    assert "Slow input handling: 1 of 120 frames over 2 ms, 0 of them janky, worst 2.00 ms (row 41)." in item
    assert "touch and click listeners" in item
    assert "Row 41 at" in now["tip"]


@needs_browser
def test_zooming_shows_single_frames(page, tmp_path):
    target = poked(page(one_window(made.frames(5000))), """
        const over = figures[1].querySelector('.area');
        const box = over.getBoundingClientRect();
        const mouse = (name, part, where) => where.dispatchEvent(new MouseEvent(name,
            { clientX: box.left + box.width * part, clientY: box.top + 50, movementX: 1, bubbles: true, button: 0 }));
        told.before = figures[1].querySelector('figcaption').textContent;
        mouse('mouseenter', 0.5, over); mouse('mousedown', 0.5, over); mouse('mousemove', 0.51, over);
        mouse('mousemove', 0.52, over); mouse('mouseup', 0.52, document);
        const finish = () => { told.after = figures[1].querySelector('figcaption').textContent;
            key(figures[1].querySelector('.plot'), '0');
            told.again = figures[1].querySelector('figcaption').textContent; };""")
    seen = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))
    assert "Each bar is the worst of" in seen["before"]
    first, last, count = map(int, re.search(r"one frame \(rows (\d+)–(\d+); \d+ of (\d+)\)", seen["after"]).groups())
    assert count == 5000 and 2450 <= first <= 2550 and 2550 <= last <= 2650
    assert seen["again"] == seen["before"]


@needs_browser
def test_keyboard_reaches_bars_and_tells_them(page, tmp_path):
    rows = made.frames(120)
    target = poked(page(one_window(rows)), """
        const plot = figures[1].querySelector('.plot');
        plot.focus(); key(plot, 'Home'); key(plot, 'ArrowRight'); key(plot, 'ArrowRight');
        const finish = () => { told.at = plot.dataset.at; told.live = figures[1].querySelector('.unseen').textContent;
            told.focusable = plot.tabIndex; };""")
    seen = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))
    assert seen["at"] == "3" and seen["focusable"] == 0
    assert seen["live"].startswith("Row 3 at ") and "Layout" in seen["live"]


@needs_browser
def test_any_difference_of_two_columns(page, tmp_path):
    rows = made.frames(120)
    target = poked(page(one_window(rows)), """
        const choose = (n, value) => { const box = figures[2].querySelectorAll('select')[n]; box.value = value;
            box.dispatchEvent(new Event('change', { bubbles: true })); };
        const numbers = () => figures[2].querySelector('.numbers').textContent;
        choose(1, 'SyncQueued'); choose(2, 'IssueDrawCommandsStart'); told.own = numbers();
        told.preset = figures[2].querySelectorAll('select')[0].selectedOptions[0].text;
        choose(0, 'Input latency'); told.latency = numbers();
        const finish = () => { told.caption = figures[2].querySelector('figcaption').textContent; };""")
    seen = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))
    times = [(row["IssueDrawCommandsStart"] - row["SyncQueued"]) / 1e6 for row in rows]
    assert "frames120 of 120" in seen["own"]
    assert "most%.3f ms" % max(times) in seen["own"]
    assert "mean%.3f ms" % (sum(times) / len(times)) in seen["own"]
    assert seen["preset"] == "two columns of my own"
    assert "frames30 of 120" in seen["latency"]  # every fourth frame had input
    assert "90 frames without one of the two have no point: unknown is not zero." in seen["caption"]


@needs_browser
def test_windows_can_be_chosen(page, tmp_path):
    """The page starts with the worst one."""
    target = poked(page(made.dump(
        made.process("first.app", [("main", made.frames(30, janky_every=0)), ("dialog", made.frames(40, seed=2, janky_every=0))]),
        made.process("second.app", [("other", made.frames(50, seed=3, janky_every=5))], pid=7))), """
        const box = document.querySelector('header select');
        told.options = [...box.options].map((option) => option.text);
        told.first = [document.querySelector('h1').textContent, document.querySelector('.verdict').textContent,
            document.querySelector('.label').className];
        box.value = '1'; box.dispatchEvent(new Event('change'));
        const finish = () => { told.title = document.querySelector('h1').textContent; told.hash = location.hash;
            told.frames = document.querySelector('.tile .value').textContent; };""")
    seen = told(browse(target, tmp_path, "--dump-dom"))
    assert seen["options"] == ["first.app — main", "first.app — dialog", "second.app — other"]
    assert seen["first"] == ["second.app", "JANKY 10 of 50 frames janky (20.00 %)", "label bad"]
    assert seen["title"] == "first.app" and seen["frames"] == "40" and seen["hash"] == "#view=1"


@needs_browser
def test_frames_are_filtered(page, tmp_path):
    rows = made.frames(120)
    janky = [i + 1 for i, row in enumerate(rows) if made.duration_ns(row) > made.INTERVAL_NS]
    target = poked(page(one_window(rows)), """
        const caption = () => document.querySelectorAll('figure')[1].querySelector('figcaption').textContent;
        const status = () => (document.querySelector('.filter [role=status]') || { textContent: '' }).textContent;
        const choose = (node, value) => { node.value = value; node.dispatchEvent(new Event('change')); };
        document.querySelector('.filter input[type=checkbox]').click();
        told.janky = [status(), caption(), location.hash];
        choose(document.querySelector('.filter select'), 'Layout');
        told.layout = status();
        choose(document.querySelectorAll('.filter input[type=number]')[1], '1');
        told.early = [status(), location.hash];
        choose(document.querySelector('.filter select'), 'Swap');
        told.none = document.querySelector('#page > .empty').textContent;
        const finish = () => { document.querySelector('.filter button').click(); told.all = [status(), caption(), location.hash]; };""")
    seen = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))
    assert seen["janky"][0] == f"{len(janky)} of 120 frames shown" and seen["janky"][2] == "#janky=1"
    assert f"(rows {janky[0]}–{janky[-1]}; {len(janky)} of {len(janky)})" in seen["janky"][1]
    assert seen["layout"] == seen["janky"][0]
    early = [row for row in janky if (row - 1) * made.INTERVAL_NS <= 1e9]
    assert seen["early"] == [f"{len(early)} of 120 frames shown", "#janky=1&stage=Layout&to=1"]
    assert seen["none"] == "No frame passes the filter."
    assert seen["all"][0] == "" and "(rows 1–120; 120 of 120)" in seen["all"][1] and seen["all"][2] == ""


@needs_browser
def test_the_url_keeps_the_zoom_and_the_selected_frame(page, tmp_path):
    target = poked(page(one_window(made.frames(120))), """
        const plot = figures[1].querySelector('.plot');
        key(plot, '+'); told.zoomed = location.hash;
        key(plot, 'Home'); key(plot, 'ArrowRight'); told.moved = location.hash;
        history.replaceState(null, '', '#zoom=11-20&frame=15');
        dispatchEvent(new HashChangeEvent('hashchange'));
        const finish = () => { const figure = document.querySelectorAll('figure')[1];
            told.caption = figure.querySelector('figcaption').textContent; told.at = figure.querySelector('.plot').dataset.at; };""")
    seen = told(browse(target, tmp_path, "--dump-dom", "--window-size=1280,2000"))
    assert re.fullmatch(r"#zoom=(\d+)-(\d+)", seen["zoomed"])
    assert re.fullmatch(r"#zoom=\d+-\d+&frame=\d+", seen["moved"])
    assert "(rows 11–20; 10 of 120)" in seen["caption"] and seen["at"] == "15"


@needs_browser
def test_the_page_copies_itself_as_markdown(page, tmp_path):
    target = poked(page(one_window(made.frames(120))), """
        const markdown = JSON.parse(document.getElementById('report-data').textContent).markdown;
        let copied = null;
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied = text; } } });
        [...document.querySelectorAll('header button')].find((one) => one.textContent === 'Copy as Markdown').click();
        const finish = () => { told.same = copied === markdown; told.start = copied.slice(0, 40);
            told.notes = document.querySelector('details.notes').open; };""")
    seen = told(browse(target, tmp_path, "--dump-dom"))
    assert seen["same"] and seen["start"].startswith("## com.example.app — ")
    assert seen["notes"] is False
