"""The /fleet pages of dejank serve, over HTTP and in Chromium: they show the results of a naive computation over the sessions.

If a shard does not answer, they report what is missing."""
import datetime
import json
import os
import time

import pytest

from browsers import CHROMIUM, Browser, fetch_axe
from fleet import DAY_S, answer, session
from fleet_effects import APP as ROLLOUT_APP, versions
from serve_client import Page, Served, check_markup
from test_serve_browser import MODES, find_violations

APP = "com.example.mail"
HOSTILE = "</script><b onclick=x>\"'&"
BUILDS = ("1.9", "1.10", "1.11", "2.0-rc1", "2.0")

pytestmark = pytest.mark.xdist_group("fleet")


def sessions_of_a_rollout():
    """Sessions of two apps. One app has five versions over 40 days, and its 2.0 is slower on one device."""
    start, made = 1774915200, []
    for number in range(1200):
        day = number % 40
        version = BUILDS[min(day // 8 + number % 2, 4)]
        made.append(session(number, 11, version=version, start=start - DAY_S * (39 - day) + number))
    for one in made:
        if one["version"] == "2.0" and one["device"] == "Moto E5":
            one.update(frames=1000, slow=900, janky=900, frozen=0, frame_time={"5": 100, "97": 900})
    return made + [{**session(number, 12, app=HOSTILE, version=HOSTILE), "device": HOSTILE[::-1]} for number in range(30)]


@pytest.fixture
def served(fleet, tmp_path):
    servers = []

    def start(*words):
        servers.append(Served(fleet.build, None, tmp_path, "--fleet", *fleet.cluster.options(), *words,
                              environment={"XDG_DATA_HOME": str(tmp_path)}))
        return servers[-1].log_in()

    yield start
    for server in servers:
        server.close()


def tables(text):
    """The tables of a page, as lists of rows of cell texts."""
    import html.parser

    class Tables(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag == "table":
                self.found.append([])
            elif tag == "tr":
                self.found[-1].append([])
            elif tag in ("td", "th"):
                self.found[-1][-1].append("")
                self.inside = True

        def handle_endtag(self, tag):
            self.inside = self.inside and tag not in ("td", "th")

        def handle_data(self, data):
            if self.inside:
                self.found[-1][-1][-1] += data

    parser = Tables()
    parser.found, parser.inside = [], False
    parser.feed(text)
    return [[[cell.strip().replace("\u00a0", "") for cell in row] for row in table] for table in parser.found]


def number(text):
    return None if text in ("", "–", "—", "-") else float(text)


def check_rows(table, sessions, key):
    """Checks that the rows of a table equal those of the naive answer."""
    expected = answer(sessions, [key])
    for row in table[1:]:
        found = expected[(row[0],)]
        assert int(row[1]) == found["sessions"], row
        assert [number(cell) for cell in row[2:5]] == [found[name] for name in ("p50_ms", "p95_ms", "p99_ms")], row
        for cell, name in zip(row[5:8], ("janky", "slow", "frozen")):
            assert number(cell) == pytest.approx(100 * found[name] / found[name + "_of"], abs=0.006), row


def test_pages_show_what_the_sessions_are(fleet, served):
    sessions = sessions_of_a_rollout()
    fleet.push(sessions)
    place = served()
    assert "/fleet" in Page(place.page("/")).links
    page = place.page("/fleet")
    assert "1 230 sessions, 2 of 2 shards answered, newest session" in Page(page).text
    check_rows(tables(page)[0], sessions, "app")
    assert len(tables(page)[0]) == 3
    assert f"/fleet/{APP}" in Page(page).links
    of_app = [one for one in sessions if one["app"] == APP]
    page = place.page(f"/fleet/{APP}")
    assert "1 200 sessions, 2 of 2 shards answered" in Page(page).text
    of_versions, devices = tables(page)
    assert [row[0] for row in of_versions[1:]] == ["2.0", "2.0-rc1", "1.11", "1.10", "1.9"]
    check_rows(of_versions, of_app, "version")
    check_rows(devices, of_app, "device")
    worst = [float(row[6]) for row in devices[1:]]
    assert worst == sorted(worst, reverse=True) and len(devices) == 4
    assert "4 versions with the most sessions" in Page(page).text
    assert place.page(f"/fleet/{APP}?since=2026-03-30&before=2026-03-31")
    since = [one for one in of_app if one["start_unix_s"] >= 1774828800]
    check_rows(tables(place.page(f"/fleet/{APP}?since=2026-03-30"))[0], since, "version")
    page = place.page(f"/fleet?by=version,device&app={APP}&version=2.0")
    assert {row[0] for row in tables(page)[0][1:]} == {"2.0"}
    assert Page(page).fields("/fleet")["by"] == "version,device"


def test_the_charts_show_each_day_of_a_version(fleet, served):
    sessions = [one for one in sessions_of_a_rollout() if one["app"] == APP]
    fleet.push(sessions)
    charts = [json.loads(data) for data in Page(served().page(f"/fleet/{APP}")).data if '"series"' in data]
    assert [chart["title"] for chart in charts] == ["p95 frame time by day", "Slow frames by day"]
    first = min(one["start_unix_s"] for one in sessions) // DAY_S
    for chart, figure in zip(charts, (lambda row: row["p95_ms"], lambda row: 100 * row["slow"] / row["slow_of"])):
        assert len(chart["series"]) == 4
        for series in chart["series"]:
            rows = answer([one for one in sessions if one["version"] == series["name"]], ["day"])
            expected = {datetime.date.fromisoformat(day).toordinal() - datetime.date(1970, 1, 1).toordinal() - first: figure(row)
                        for (day,), row in rows.items()}
            points = {point[0]: point[2] if len(point) > 3 and point[1] is None else point[1] for point in series["points"]}
            assert points == pytest.approx(expected, abs=0.01), series["name"]


def test_json_equals_that_of_the_command(fleet, served):
    fleet.push(sessions_of_a_rollout())
    place = served()
    for words, path in ((("--by", "version,class", "--app", APP), f"by=version,class&app={APP}"), ((), ""),
                        (("--by", "day", "--since", "2026-03-20", "--slow-session", "50"), "by=day&since=2026-03-20&slow-session=50"),
                        (("--by", "device", "--top", "2"), "by=device&top=2")):
        assert place.json("/api/v1/fleet?" + path) == fleet.json("query", *words)


def test_a_comparison_of_two_versions(fleet, served):
    fleet.push(versions(1, slower={"low-end": 1.3}))
    place = served()
    app = place.page(f"/fleet/{ROLLOUT_APP}")
    form = Page(app).fields(f"/fleet/{ROLLOUT_APP}/compare")
    assert form == {"from": "1.0", "to": "2.0"} or form == {"from": "2.0", "to": "1.0"}
    address = f"/fleet/{ROLLOUT_APP}/compare?from=1.0&to=2.0"
    page = Page(place.page(address))
    words = fleet.run("compare", "--app", ROLLOUT_APP, "--from", "1.0", "--to", "2.0").stdout.splitlines()[0]
    assert words.startswith("regression: 2.0 renders ") and words in page.text.replace("\u00a0", " ")
    assert "2 of 2 shards answered" in page.text and f"/fleet/{ROLLOUT_APP}" in page.links
    assert f"{ROLLOUT_APP}: 2.0 against 1.0" in page.text
    for more, options in (("", ()), ("&metric=p50=20%&alpha=0.01", ("-m", "p50=20%", "--alpha", "0.01")), ("&since=2026-03-30", ("--since", "2026-03-30"))):
        assert place.json(f"/api/v1/fleet/compare?app={ROLLOUT_APP}&from=1.0&to=2.0{more.replace('%', '%25')}") == \
            fleet.json("compare", "--app", ROLLOUT_APP, "--from", "1.0", "--to", "2.0", *options)
    for query, status, reason in (("", 400, "missing option --from"), ("?from=1.0", 400, "missing option --to"), ("?from=1.0&to=1.0", 400, "expected two versions"),
                                  ("?from=1.0&to=9", 404, ROLLOUT_APP), ("?from=1.0&to=2.0&alpha=2", 400, "expected a probability")):
        failed = place.browse(f"/fleet/{ROLLOUT_APP}/compare{query}")
        assert failed.status == status and reason in Page(failed.text).text, (query, failed)
    fleet.cluster.shards[0].kill()
    failed = Page(place.browse(address).text)
    assert "A shard of the fleet does not answer" in failed.text and address + "&partial=1" in failed.links
    assert "Incomplete: only 1 of 2 shards answered" in Page(place.page(address + "&partial=1")).text


def test_a_missing_shard_is_an_error_that_says_what_to_do(fleet, served):
    sessions = sessions_of_a_rollout()
    fleet.push(sessions)
    place = served()
    fleet.cluster.shards[1].kill()
    for path in ("/fleet", f"/fleet/{APP}", f"/fleet?by=version&app={APP}"):
        failed = place.browse(path)
        page = Page(failed.text)
        assert failed.status == 503 and "A shard of the fleet does not answer" in page.text, failed
        assert fleet.cluster.shards[1].url in page.text and "Start the shard" in page.text and not tables(failed.text)
        partial = path + ("&" if "?" in path else "?") + "partial=1"
        assert partial in page.links
        found = Page(place.page(partial)).text
        assert "Incomplete: only 1 of 2 shards answered" in found
        assert found.index("Incomplete: only 1 of 2") < found.index("sessions, 1 of 2 shards answered")
    assert place.get("/api/v1/fleet").status == 503 and "did not answer" in place.get("/api/v1/fleet").json["error"]
    assert place.json("/api/v1/fleet?partial=1")["shards"] == {"answering": 1, "configured": 2}
    fleet.cluster.shards[0].kill()
    failed = place.browse("/fleet?partial=1")
    assert failed.status == 503 and not [link for link in Page(failed.text).links if "partial" in link]
    fleet.cluster.start()
    check_rows(tables(place.page("/fleet"))[0], sessions, "app")


def test_a_fleet_without_tables_or_sessions(fleet, served):
    place = served()
    assert "0 sessions, 2 of 2 shards answered" in Page(place.page("/fleet")).text
    assert "no such sessions" in Page(place.page("/fleet/com.example.none")).text
    fleet.clear()
    failed = place.browse("/fleet")
    assert failed.status == 503 and "dejank fleet init" in Page(failed.text).text


def test_wrong_parameters(fleet, served):
    place = served()
    for query, reason in (("by=nothing", "expected app, version"), ("by=app,app", "occurs twice"), ("since=yesterday", "expected a day"),
                          ("partial=2", "partial"), ("top=0", "top"), ("slow-session=x", "percentage")):
        failed = place.browse("/fleet?" + query)
        assert failed.status == 400 and reason in Page(failed.text).text, (query, failed)
    assert place.browse("/fleet", "POST", "").status in (403, 405)
    assert place.request("GET", "/fleet").status == 401


def test_a_server_without_fleet_has_no_pages(build, tmp_path):
    place = Served(build, None, tmp_path, environment={"XDG_DATA_HOME": str(tmp_path)})
    try:
        assert "/fleet" not in Page(place.page("/")).links
        answered = place.get("/fleet")
        assert answered.status == 404 and "Start it with --fleet" in answered.text
    finally:
        place.close()


def test_todays_sessions_are_provisional(fleet, served):
    fleet.push([session(1, start=int(time.time()) - 60)])
    assert "provisional" in Page(served().page("/fleet")).text


def test_names_from_outside_are_no_markup(fleet, served):
    fleet.push(sessions_of_a_rollout())
    place = served()
    plain = place.page(f"/fleet/{APP}")
    (hostile,) = {link for link in Page(place.page("/fleet")).links if link.startswith("/fleet/") and link != f"/fleet/{APP}"}
    for path in ("/fleet?by=app,version,device", hostile):
        check_markup(place.page(path), plain)
    assert HOSTILE in Page(place.page(hostile)).text


# ---- in a browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: tools/deps tests")
    place = Browser(tmp_path_factory.mktemp("browser"))
    yield place
    place.close()


class Address:
    """The address of a server, in the form that Browser.open() expects. Each window logs in with a new token."""

    def __init__(self, served):
        self.served, self.used = served, False
        self.base = f"http://{served.host}:{served.port}"

    def new_address(self):
        if self.used:
            self.served.rotate()
        self.used = True
        return self.served.url


@pytest.fixture
def window(fleet, browser, tmp_path):
    """A browser, and a server with sessions."""
    fleet.push(sessions_of_a_rollout() + versions(1, slower={"low-end": 1.3}))
    place = Served(fleet.build, None, tmp_path, "--fleet", *fleet.cluster.options(), environment={"XDG_DATA_HOME": str(tmp_path)})
    yield browser, Address(place)
    place.close()


PATHS = ("/fleet", f"/fleet/{APP}", f"/fleet/{ROLLOUT_APP}/compare?from=1.0&to=2.0", f"/fleet?by=version,class&app={APP}", "/fleet?by=nothing")


def load(browser, path):
    browser.visit(path)
    browser.wait_for("document.documentElement.dataset.ready !== undefined")


def test_pages_in_a_browser(window):
    browser, server = window
    for mode in MODES.values():
        browser.open(server, **mode)
        for path in PATHS:
            load(browser, path)
            problems = [one for one in browser.problems() if "400" not in one]
            assert problems == [], (path, problems)
            if os.environ.get("DEJANK_SHOTS"):
                browser.tell("screenshot", path=f"{os.environ['DEJANK_SHOTS']}/{PATHS.index(path)}-{len(mode)}-{'dark' in mode}.png", whole=True)
            assert browser.run("document.documentElement.scrollWidth") <= mode.get("width", 1280), (path, mode)
    browser.open(server)
    load(browser, "/fleet")
    browser.click(f"a[href='/fleet/{APP}']")
    browser.wait_for("document.querySelectorAll('figure.chart svg').length === 2")
    address, text = browser.path(), browser.text()
    assert address == f"/fleet/{APP}" and "2.0-rc1" in text
    browser.tell("reload")
    browser.wait_for("document.querySelectorAll('figure.chart svg').length === 2")
    assert browser.text() == text
    browser.run("document.querySelector('.drawing').focus()")
    browser.press("ArrowRight")
    assert "sessions" in browser.run("document.querySelector('figure.chart .unseen').textContent")


@pytest.mark.slow
def test_pages_have_no_serious_violation(window, tmp_path_factory):
    browser, server = window
    axe = fetch_axe(tmp_path_factory.mktemp("axe"))
    for mode in MODES.values():
        browser.open(server, bypass=True, **mode)
        for path in PATHS:
            load(browser, path)
            assert find_violations(browser, axe) == [], (path, mode)
