"""`dejank script`: MonkeyRunner's API in Lua, with stand-in devices behind the real adb."""

import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import time
import zlib
from pathlib import Path

import pytest

from android.phone import Phone
from devices import ADBD, Host, wait_for

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/scripts"
HOSTILE = ["it's", 'a "b"', "x;touch /tmp/owned", "$(touch /tmp/owned)", "`id`", "two\nlines", "a\\b", "*", "~", "-n", "ünï ✓",
           "&& false", "", " "]


@pytest.fixture(scope="module")
def host(network, build, tmp_path_factory):
    place = Host(network, build, tmp_path_factory.mktemp("host"))
    yield place
    place.close()


@pytest.fixture(scope="module")
def phones(host, build, tmp_path_factory):
    if not Path(ADBD).exists() or not shutil.which("adb"):
        pytest.skip("adb and adbd are not installed: tools/deps tests")
    made = []

    def make(**more):
        folder = tmp_path_factory.mktemp("phones") / f"phone{len(made)}"
        made.append(Phone(host, folder, build / "tests/programs/device_command", **more))
        return made[-1]

    yield make
    for phone in made:
        phone.close()


@pytest.fixture(scope="module")
def the_phone(phones):
    return phones(release="12", size=(360, 640))


@pytest.fixture(scope="module")
def second_phone(phones):
    return phones(release="9", model="Other", size=(360, 640))


@pytest.fixture
def phone(the_phone):
    """The module's device, without earlier calls, events and packages."""
    the_phone.calls.clear()
    the_phone.events.clear()
    the_phone.packages.clear()
    return the_phone


@pytest.fixture
def script(host, tmp_path):
    """script(TEXT, WORDS…) runs a Lua script and returns the finished process."""

    def run(text, *words, device=None, **options):
        file = tmp_path / "s.lua"
        file.write_text(text, encoding="utf-8")
        return host.dejank("script", *(["--device", device] if device else []), file, *words, **options)

    return run


@pytest.fixture
def on_phone(script, phone):
    """on_phone(TEXT, WORDS…) runs a script with the variable `device` and returns its output."""

    def run(text, *words):
        done = script("local device = MonkeyRunner.waitForConnection()\n" + text, *words, device=phone.serial)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        return done.stdout

    return run


def fails(done, code, *parts):
    assert done.returncode == code, done.stderr
    for part in parts:
        assert part in done.stderr
    return done


def png(width, height, pixel):
    """PNG data. pixel(x, y) returns (r, g, b, a)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def unpng(data):
    """Decodes a PNG with any row filters to (width, height, {(x, y): (r, g, b, a)})."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, width, height, kind = 8, b"", 0, 0, 0
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert depth == 8
        elif name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    size = {2: 3, 6: 4}[kind]
    raw, pixels, before = zlib.decompress(packed), {}, bytes(width * size)
    for y in range(height):
        line = raw[y * (width * size + 1):(y + 1) * (width * size + 1)]
        row = bytearray(line[1:])
        for i in range(len(row)):
            left = row[i - size] if i >= size else 0
            up, corner = before[i], before[i - size] if i >= size else 0
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth)[line[0]]) & 255
        for x in range(width):
            pixel = tuple(row[x * size:(x + 1) * size])
            pixels[x, y] = pixel if size == 4 else pixel + (255,)
        before = bytes(row)
    return width, height, pixels


def quoted(text):
    """The text as a Lua string literal."""
    return '"' + "".join(f"\\{byte:03d}" for byte in text.encode()) + '"'


# ---- the command

def test_it_needs_a_file(host, tmp_path):
    fails(host.dejank("script"), 2, "missing operand FILE.lua")
    fails(host.dejank("script", "/nowhere/x.lua"), 4, "dejank script: cannot open /nowhere/x.lua: No such file or directory")
    fails(host.dejank("script", tmp_path), 4, "cannot read")


def test_arguments(script):
    done = script("print(arg[0]:match('[^/]+$'), #arg, ...)", "one", "two words", "--", "-3", "--flag")
    assert (done.returncode, done.stdout) == (0, "s.lua\t4\tone\ttwo words\t-3\t--flag\n")
    fails(script("", "--flag"), 2, "--flag")


def test_an_error_has_file_and_line_and_traceback(script):
    done = fails(script("local function f()\n  error('on purpose')\nend\nf()\n"), 4, "s.lua:2: on purpose", "stack traceback:",
                 "s.lua:4: in main chunk")
    assert done.stderr.startswith("dejank script: ")
    fails(script("print(1"), 4, "s.lua:1: ')' expected near <eof>")


def test_what_a_script_throws_is_escaped(script):
    done = fails(script(r"error('\27[2J\a')"), 4)
    assert "\x1b" not in done.stderr and "\\x1b[2J\\x07" in done.stderr


def test_exit_codes(script):
    assert script("os.exit(17)").returncode == 17
    assert script("pcall(os.exit, 3) print('not here')").returncode == 3
    assert script("os.exit(true)").returncode == 0
    assert script("os.exit(false)").returncode == 1


def test_require_finds_what_lies_beside_it(script, tmp_path):
    (tmp_path / "beside.lua").write_text("return {word = 'found'}")
    assert script("print(require('beside').word)").stdout == "found\n"


@pytest.mark.parametrize("text", ["while true do end", "MonkeyRunner.sleep(1000)", "while true do pcall(MonkeyRunner.sleep, 1000) end",
                                  "coroutine.wrap(function() while true do end end)()",
                                  "MonkeyRunner.input('what?')"])
def test_ctrl_c_ends_it(host, tmp_path, text):
    file = tmp_path / "s.lua"
    file.write_text("print('here')\n" + text)
    process = host.popen(host.build / "dejank", "script", file, stdin=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"here\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 4
    assert b"interrupted" in err


def test_ctrl_c_leaves_time_to_tidy_up(host, tmp_path, phone):
    file = tmp_path / "s.lua"
    file.write_text("local device = MonkeyRunner.waitForConnection()\nprint('here')\n"
                    "local ok, e = pcall(device.shell, 'sleep 100')\n"
                    "print(ok, e.code)\nprint((device:shell('echo tidied')))")
    process = host.popen(host.build / "dejank", "script", "--device", phone.serial, file)
    try:
        assert process.stdout.readline() == b"here\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert out.startswith(b"false\tinterrupted\n"), err


# ---- MonkeyRunner

def test_wait_for_connection(script, phone):
    text = "print(MonkeyRunner.waitForConnection{})"
    by_name = [f"(5, '{phone.serial}')", f"{{deviceId = '{phone.serial}'}}"]  # dejank connects to a named device that adb does not know yet
    by_pattern = ["(5)", "(5, '.*')", f"(5, [[{re.escape(phone.serial)}]])",
                  "{timeout = 5, deviceIdRegex = [[127\\.0\\.0\\.1:\\d+]]}"]
    for words in by_name + by_pattern:
        done = script(text.replace("{}", words))
        assert done.stdout == f"MonkeyDevice: {phone.serial}\n", (words, done.stderr)


def test_the_device_that_was_named_is_among_those_that_match(script):
    text = "print(MonkeyRunner.waitForConnection(0.1, [[{}]]))"
    for words in (".*", "local.", "local:"):
        assert script(text.replace("{}", words), device="local:").stdout == "MonkeyDevice: local:\n", words
    assert script(text.replace("{}", "loca"), device="local:").stdout == "nil\n"


def test_a_device_is_one_dejank_s(host, script, phone, tmp_path):
    holder = tmp_path / "holder.lua"
    holder.write_text("local d = MonkeyRunner.waitForConnection() print('mine') io.stdout:flush()\n"
                      "assert(MonkeyRunner.waitForConnection()) MonkeyRunner.sleep(60)")
    process = host.popen(host.build / "dejank", "script", "--device", phone.serial, holder)
    try:
        assert process.stdout.readline() == b"mine\n"
        fails(script("MonkeyRunner.waitForConnection()", device=phone.serial), 3, "waitForConnection: another dejank")
        fails(script(f"dejank.each({{'{phone.serial}'}}, print)"), 3, "another dejank")
        fails(host.dejank("run", "--device", phone.serial, "--package", "p", "--store", tmp_path / "s.db"), 3, "another dejank")
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert script("print(MonkeyRunner.waitForConnection())", device=phone.serial).returncode == 0


def test_nobody_comes(script):
    done = script("local t = os.time() print(MonkeyRunner.waitForConnection(0.5, 'no-such-.*')) assert(os.time() - t < 5)")
    assert (done.returncode, done.stdout) == (0, "nil\n")
    assert "waiting for a device: no device whose serial matches 'no-such-.*'" in done.stderr


@pytest.mark.parametrize("device", [None, "local:"])
def test_a_pattern_that_is_no_regular_expression_fails_at_once(script, device):
    """The pattern is checked even if adb has no device to compare it with."""
    for pattern in ("(", "a)(b", "["):
        done = script(f"local ok, why = pcall(MonkeyRunner.waitForConnection, 1, '{pattern}') print(ok, why.code, why)", device=device)
        answer, code, why = done.stdout.rstrip("\n").split("\t")
        assert (answer, code) == ("false", "usage"), done
        assert f"'{pattern}' is not a regular expression" in why
        assert "waiting for a device" not in done.stderr


def test_talking_by_lines(host, tmp_path):
    file = tmp_path / "s.lua"
    file.write_text("MonkeyRunner.alert('Hello', 'Title', 'Fine')\n"
                    "print(MonkeyRunner.input('Name?', 'nobody'))\nprint(MonkeyRunner.input('Name?', 'nobody'))\n"
                    "print(MonkeyRunner.choice('Which?', {'a', 'b'}, 'Choose'))\nprint(io.read())\n"
                    "print(MonkeyRunner.input('More?'))\nprint(MonkeyRunner.choice('Which?', {'a'}))")
    process = host.popen(host.build / "dejank", "script", file, stdin=subprocess.PIPE)
    out, err = process.communicate("\nJürgen\n\n7\nx\n1\nthe rest\n".encode(), timeout=20)
    assert out.decode() == "Jürgen\nnobody\n1\nthe rest\nnil\n-1\n"
    for part in ("Title: Hello", "[Fine]", "Input: Name? [nobody]", "Choose: Which?\n  0  a\n  1  b\n"):
        assert part in err.decode()


def test_help_names_all_of_the_original(script):
    done = script("print(MonkeyRunner.help('text'))")
    methods = """MonkeyRunner: alert choice help input sleep waitForConnection
        MonkeyDevice: broadcastIntent drag getProperty getSystemProperty installPackage instrument press reboot removePackage shell
            startActivity takeSnapshot touch type wake getPropertyList getViewById getHierarchyViewer
        MonkeyImage: convertToBytes getRawPixel getRawPixelInt getSubImage sameAs writeToFile"""
    for line in re.findall(r"(\w+): ([^:]*?)(?=\s+\w+:|$)", methods, re.S):
        for method in line[1].split():
            assert f"{line[0]}.{method}(" in done.stdout
    manual = (ROOT / "docs/script.md").read_text()
    for class_name, name in re.findall(r"^(\w+)\.(\w+)\(", done.stdout, re.M):
        assert f"`{name}(" in manual or f"`{class_name}.{name}" in manual, name


# ---- MonkeyDevice: requests to the device

def test_packages(on_phone, phone, tmp_path):
    apk = phone.apk(tmp_path / "it's $(an) app.apk", "com.example.app")
    (tmp_path / "bad.apk").write_bytes(b"no zip")
    out = on_phone("print(device:installPackage(arg[1]))\nprint(device.installPackage(arg[2]))\n"
                   "print(device:removePackage('com.example.app'))\nprint(device:removePackage('com.example.app'))",
                   apk, tmp_path / "bad.apk").splitlines()
    assert out[0] == "true" and out[2] == "true"
    assert out[1].startswith("false\tFailure [INSTALL_PARSE_FAILED_NOT_APK")
    assert out[3] == "false\tFailure [DELETE_FAILED_INTERNAL_ERROR]"
    installs = [words for words in phone.asked if words[:2] == ("pm", "install")]
    assert len(installs) == 2 and all(re.fullmatch(r"/data/local/tmp/dejank-[\d-]+\.apk", words[-1]) for words in installs)
    assert list((phone.folder / "data/local/tmp").iterdir()) == [], "nothing is left behind"


def test_a_package_that_is_not_there(script, phone):
    fails(script("MonkeyRunner.waitForConnection():installPackage('/nowhere/x.apk')", device=phone.serial), 3,
          "s.lua:1: installPackage:", "/nowhere/x.apk")


def test_intents(on_phone, phone):
    phone.install("com.example.app")
    on_phone("device:startActivity{component = 'com.example.app/.MainActivity'}\n"
             "device:startActivity('http://a/?b=c&d', 'act.ION', 'da:ta', 'text/plain', {'cat.A', 'cat.B'},\n"
             "  {s = 'str', i = 7, b = true, n = false, f = 1.5, l = 5000000000}, 'com.example.app/.MainActivity', 0x10000000)\n"
             "device.broadcastIntent(nil, 'com.example.GO')")
    sent = [words for words in phone.asked if words[0] == "am"]
    assert sent == [
        ("am", "start", "-n", "com.example.app/.MainActivity"),
        ("am", "start", "-a", "act.ION", "-d", "da:ta", "-t", "text/plain", "-c", "cat.A", "-c", "cat.B", "--ez", "b", "true",
         "--ef", "f", "1.5", "--ei", "i", "7", "--el", "l", "5000000000", "--ez", "n", "false", "--es", "s", "str",
         "-n", "com.example.app/.MainActivity", "-f", "268435456", "http://a/?b=c&d"),
        ("am", "broadcast", "-a", "com.example.GO")]


@pytest.mark.parametrize("release", ["12", "7.0"])
def test_an_activity_that_is_not_there(script, phone, phones, release):
    device = phone if release == "12" else phones(release=release)
    fails(script("MonkeyRunner.waitForConnection():startActivity{component='com.none/.Main'}", device=device.serial), 4,
          "s.lua:1: startActivity:", "am: Error type 3")


def test_hostile_words_reach_no_shell(on_phone, phone):
    """Each word arrives as exactly one argument, in every position."""
    Path("/tmp/owned").unlink(missing_ok=True)
    words = [word for word in HOSTILE if word]
    text = "local words = {" + ", ".join(map(quoted, words)) + "}\nfor _, w in ipairs(words) do\n"
    text += ("pcall(device.startActivity, {component = w, action = w, data = w, mimetype = w, categories = {w}, extras = {[w] = w}, uri = w})\n"
             "device:instrument(w, {[w] = w})\ndevice:removePackage(w)\ndevice:getSystemProperty(w)\nend")
    on_phone(text)
    for word in words:
        assert ("am", "start", "-a", word, "-d", word, "-t", word, "-c", word, "--es", word, word, "-n", word, word) in phone.asked
        assert ("am", "instrument", "-w", "-r", "-e", word, word, word) in phone.asked
        assert ("pm", "uninstall", word) in phone.asked
        assert ("getprop", word) in phone.asked
    assert not Path("/tmp/owned").exists()


def test_zero_bytes_are_refused_before_anything_is_sent(script, phone):
    for call in ("device:shell('a\\0b')", "device:removePackage('a\\0')", "device:startActivity{extras = {a = 'b\\0c'}}"):
        fails(script("local device = MonkeyRunner.waitForConnection() " + call, device=phone.serial), 4, "zero byte")
    assert not [words for words in phone.asked if words[0] in ("am", "pm", "sh")]


def test_shell(on_phone, phone):
    out = on_phone(r"""
local out, code = device:shell("echo one; echo two >&2; printf 'three \\000 \\377'; exit 5")
print(#out, code, out:sub(1, 8):gsub('\n', '|'))
print(out:byte(-3), out:byte(-1))
print(device.shell('echo "$((1 + 2))" | tr 3 4'))
print((device:shell('if')):match('yntax') or 'no error')
""")
    assert out == "17\t5\tone|two|\t2\n0\t255\n4\n\t0\nyntax\n"


def test_shell_has_a_timeout_in_milliseconds(script, phone):
    start = time.monotonic()
    fails(script("MonkeyRunner.waitForConnection():shell('sleep 100', 300)", device=phone.serial), 3, "s.lua:1: shell:", "no answer in time")
    assert time.monotonic() - start < 30


def test_properties(on_phone, phone):
    phone.properties["debug.x"] = "it's"
    phone.install("com.example.app")
    phone.start("com.example.app")
    keys = ["build.model", "display.width", "display.height", "display.density", "build.version.release", "am.current.package",
            "am.current.comp.class", "debug.x"]
    out = on_phone("for _, key in ipairs(arg) do print(device:getProperty(key)) end\n"
                   "print(device:getSystemProperty('ro.product.model'), device:getSystemProperty('ro.none'))\n"
                   "print(tonumber(device:getProperty('clock.uptime')), tonumber(device:getProperty('clock.realtime')))\n"
                   "for _, key in ipairs(device:getPropertyList()) do device:getProperty(key) print('has ' .. key) end", *keys)
    lines = out.splitlines()
    assert lines[:8] == ["Stand-in", "360", "640", "2.625", "12", "com.example.app", "com.example.app.MainActivity", "it's"]
    assert lines[8] == "Stand-in\tnil"
    uptime_ms, realtime_ms = map(int, lines[9].split("\t"))
    assert abs(uptime_ms - phone.now_ns() / 1e6) < 20_000
    assert realtime_ms >= uptime_ms + 4_000_000, "with the device's sleep"
    assert set(keys[:7]) <= {line[4:] for line in lines[10:]}


def test_instrument(on_phone, phone):
    from android.app import Test
    phone.install("com.example.app")
    phone.install("com.example.test", target="com.example.app", tests=[Test("com.example.A", "ok", 0.01)])
    out = on_phone("local r = device:instrument('com.example.test/androidx.test.runner.AndroidJUnitRunner', {class = 'com.example.A'})\n"
                   "print(r.stream)")
    assert "OK (1 test)" in out and "INSTRUMENTATION" not in out
    assert ("am", "instrument", "-w", "-r", "-e", "class", "com.example.A",
            "com.example.test/androidx.test.runner.AndroidJUnitRunner") in phone.asked


def test_reboot(script, phones, tmp_path):
    phone = phones(release="11")
    done = script("local d = MonkeyRunner.waitForConnection() d:reboot() print('told')\n"
                  "d:reboot('boot;loader')", device=phone.serial)
    assert done.stdout.startswith("told")
    wait_for(lambda: phone.machine.process is not None and not phone.screen_on, "the reboot")
    assert ("reboot",) in phone.asked
    fails(script("MonkeyRunner.waitForConnection():reboot()", device="local:"), 2, "a script cannot reboot this machine")


def test_input(on_phone, phone):
    phone.ui.text = ""
    on_phone("device:wake()\ndevice:press('KEYCODE_MENU', MonkeyDevice.DOWN_AND_UP)\ndevice.press('back')\ndevice:press(66)\n"
             "device:touch(100, 601.5, MonkeyDevice.DOWN_AND_UP)\ndevice:type('hello world')\n"
             "device:touch(5, 6, MonkeyDevice.DOWN) device:touch(7, 8, MonkeyDevice.MOVE) device:touch(9, 10, MonkeyDevice.UP)\n"
             "device:drag({100, 500}, {100, 300}, 0.2, 4)")
    events = [event[1:] for event in phone.events]
    assert [event[1] for event in events if event[0] == "key"][:4] == [224, 82, 4, 66]
    touches = [event for event in events if event[0] in ("down", "move", "up")]
    assert touches[0] == ("down", 100, 601) and touches[1] == ("up", 100, 601)
    assert touches[2:5] == [("down", 5, 6), ("move", 7, 8), ("up", 9, 10)]
    drag = touches[5:]
    assert drag[0] == ("down", 100, 500) and drag[-1] == ("up", 100, 300)
    assert [y for _, _, y in drag[1:-1]] == [450, 400, 350, 300]
    # Some injectors send a space as a key event.
    typed = "".join(event[1] if event[0] == "text" else " " for event in events[6:] if event[0] in ("text", "key"))
    assert typed == "hello world"
    times = [event[0] for event in phone.events if event[1] in ("down", "move", "up")][5:]
    assert 0.15 <= (times[-1] - times[0]) / 1e9 < 5, "as long as it was to be"
    assert not [words for words in phone.asked if words[:2] == ("input", "tap")], "one injector, not a process each"


def test_a_key_in_two_parts(on_phone, phone):
    on_phone("device:press('KEYCODE_BACK', MonkeyDevice.DOWN) print(device:shell('true')) device:press('KEYCODE_BACK', MonkeyDevice.UP)")
    assert [event[2] for event in phone.events if event[1] == "key"] == [4], "one press, begun once"


def test_a_device_with_nothing_but_input(script, phones):
    phone = phones(release="9")
    (phone.folder / "bin/monkey").unlink()
    (phone.folder / "bin/monkey").write_text("#!/bin/sh\necho no monkey >&2; exit 1\n")
    (phone.folder / "bin/monkey").chmod(0o755)
    device = "local device = MonkeyRunner.waitForConnection() device:"
    assert script(device + "touch(50, 60) device:press('back')", device=phone.serial).returncode == 0
    assert [event[1:] for event in phone.events] == [("down", 50, 60), ("up", 50, 60), ("key", 4)]
    fails(script(device + "touch(5, 6, MonkeyDevice.DOWN)", device=phone.serial), 2, "touch: this device only supports whole touches")
    fails(script(device + "press('back', MonkeyDevice.UP)", device=phone.serial), 2, "can press and release a key only in one step, not separately")


def test_what_no_device_can_be_told(script, phone):
    for call, said in (("touch(1, 2, 'sideways')", "touch: type must be MonkeyDevice.DOWN, UP, DOWN_AND_UP or MOVE, not 'sideways'"),
                       ("touch(-1, 2)", "is not on a screen"),
                       ("drag({1}, {2, 3})", "start and end must be points"),
                       ("drag({1, 2}, {2, 3}, -1)", "duration must be 0 to 600 seconds"),
                       ("drag({1, 2}, {2, 3}, 1, 0)", "steps 1 to"),
                       ("press('back', MonkeyDevice.MOVE)", "a key cannot move"),
                       ("getViewByAccessibilityIds(1, 2)", "has no accessibility ids"),
                       ("nothing()", "MonkeyDevice has no method 'nothing'")):
        fails(script(f"local device = MonkeyRunner.waitForConnection() device:{call}", device=phone.serial),
              2 if "accessibility" in said else 4, "s.lua:1: ", said)


# ---- MonkeyImage

def test_snapshot(on_phone, phone, tmp_path):
    phone.set_screen(on=True)
    out = on_phone(f"""
local shot = device:takeSnapshot()
print(shot, shot:getWidth(), shot:getHeight())
print(table.concat(shot:getRawPixel(0, 0), ' '), shot:getRawPixelInt(0, 0), shot:getRawPixelInt(0, 0) & 0xffffffff)
shot:writeToFile([[{tmp_path}/a.png]])
shot.writeToFile([[{tmp_path}/b]], 'png')
io.open([[{tmp_path}/c.png]], 'wb'):write(shot:convertToBytes('png'))
shot:getSubImage{{10, 20, 30, 40}}:writeToFile{{path = [[{tmp_path}/d.PNG]]}}
print(shot:sameAs(device:takeSnapshot()), shot:sameAs(shot:getSubImage{{0, 0, 10, 10}}))
""").splitlines()
    width, height, pixels = unpng((tmp_path / "a.png").read_bytes())
    r, g, b, a = pixels[0, 0]
    assert out[0] == "MonkeyImage: 360 × 640\t360\t640" and (width, height) == (360, 640)
    unsigned = a << 24 | r << 16 | g << 8 | b
    assert out[1] == f"{a} {r} {g} {b}\t{unsigned - 2**32}\t{unsigned}"
    assert out[2] == "true\tfalse"
    assert len({(tmp_path / name).read_bytes() for name in ("a.png", "b", "c.png")}) == 1
    part = unpng((tmp_path / "d.PNG").read_bytes())
    assert part[:2] == (30, 40) and all(part[2][x, y] == pixels[x + 10, y + 20] for x in range(30) for y in range(40))


def test_same_as_is_a_share_of_identical_pixels(script, tmp_path):
    (tmp_path / "a.png").write_bytes(png(10, 10, lambda x, y: (x, y, 0, 255)))
    (tmp_path / "b.png").write_bytes(png(10, 10, lambda x, y: (x, y, (x, y) in ((0, 0), (5, 5), (9, 9)), 255)))
    (tmp_path / "c.png").write_bytes(png(10, 10, lambda x, y: (x, y, 0, 254 if y == 0 else 255)))
    done = script(f"""
local function load(name) return MonkeyRunner.loadImageFromFile([[{tmp_path}/]] .. name .. '.png') end
local a, b, c = load('a'), load('b'), load('c')
print(a:sameAs(b), a:sameAs(b, 1.0), a:sameAs(b, 0.97), a:sameAs(b, 0.98), a:sameAs{{other = b, percent = 0.5}}, a:sameAs(b, 0))
print(a:sameAs(c, 0.9), a:sameAs(c, 0.91), a:sameAs(a), a.sameAs(a), a.sameAs(b, 0.9), a:sameAs(load('a')))
print(pcall(a.sameAs, b, 97))
""")
    lines = done.stdout.splitlines()
    assert lines[0] == "false\tfalse\ttrue\tfalse\ttrue\ttrue", done.stderr
    assert lines[1] == "true\tfalse\ttrue\ttrue\ttrue\ttrue"
    assert "from 0.0 to 1.0" in lines[2]


def test_images_that_are_none(script, phone, tmp_path):
    (tmp_path / "cut.png").write_bytes(png(10, 10, lambda x, y: (x, y, 0, 255))[:60])
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "good.png").write_bytes(png(2, 2, lambda x, y: (9, 9, 9, 255)))
    load = f"MonkeyRunner.loadImageFromFile([[{tmp_path}/%s.png]])"
    fails(script(load % "cut"), 4, "s.lua:1: loadImageFromFile: ", "cut.png: damaged PNG")
    fails(script(load % "text"), 4, "text.png: not a PNG")
    fails(script(load % "none"), 4, "cannot open", "none.png")
    good = load % "good"
    fails(script(good + ":writeToFile('x.jpg')"), 2, "images can only be written as 'png', not as 'jpg'")
    fails(script(good + ":writeToFile('x.png', 'gif')"), 2, "not as 'gif'")
    fails(script(good + ":writeToFile('/nowhere/x.png')"), 4, "/nowhere/x.png: No such file or directory")
    fails(script(good + ":getRawPixel(2, 0)"), 2, "(2, 0) is not inside an image of 2 × 2")
    fails(script(good + ":getSubImage{1, 1, 2, 1}"), 2, "are not inside an image of 2 × 2")
    fails(script(good + ":getSubImage{1, 1}"), 2, "expected {x, y, width, height}")


def test_a_screen_that_gives_no_picture(script, phones):
    phone = phones(release="11")
    (phone.folder / "bin/screencap").unlink()
    (phone.folder / "bin/screencap").write_text("#!/bin/sh\necho 'Error: no display' >&2; exit 1\n")
    (phone.folder / "bin/screencap").chmod(0o755)
    text = "MonkeyRunner.waitForConnection():takeSnapshot()"
    fails(script(text, device=phone.serial), 4, "s.lua:1: takeSnapshot: ", "screencap ended with exit code 1: Error: no display")
    (phone.folder / "bin/screencap").write_text("#!/bin/sh\necho no picture\n")
    fails(script(text, device=phone.serial), 4, "screencap: not a PNG")


# ---- views

def test_views_by_their_ids(on_phone, phone):
    phone.install("com.example.app")
    phone.start("com.example.app")
    phone.ui.text, phone.ui.offset = "", 0
    before = phone.ui.pressed
    out = on_phone("""
local easy = EasyMonkeyDevice(device)
print(easy:exists(By.id('id/add')), easy:exists(By.id('id/none')), easy:visible(By.id('add')))
easy:touch(By.id('id/add'), MonkeyDevice.DOWN_AND_UP)
easy.touch(By.selector('desc=Add'))
easy:type(By.id('com.example.app:id/field'), 'milk')
print(easy:getText(By.id('id/field')), table.concat(easy:locate(By.id('id/title')), ' '), easy:locate(By.id('id/title')).y)
print(easy:getFocusedWindowId(), easy:getProperty('build.model'))
local view = device:getViewById('id/title')
local place = view:getLocation()
print(view:getText(), view:getViewClass(), place.left, place.top, place:getWidth(), place:getHeight())
print(#device:getRootView():getChildren(), view:getParent():getViewClass(), view:getEnabled(), view:getChecked())
print(#device:getViewsByText('Item 0'), device:getViewById('id/none'), device:getViewIdList()[1])
local viewer = device:getHierarchyViewer()
local node = viewer:findViewById('id/title')
print(viewer:getText(node), viewer:visible(node), table.concat(viewer:getAbsoluteCenterOfView(node), ' '), viewer:getFocusedWindowName())
""").splitlines()
    assert phone.ui.pressed == before + 2
    assert out == ["true\tfalse\ttrue", "milk\t180 150\t150", "com.example.app/.MainActivity\tStand-in",
                   "Stand-in\tandroid.widget.TextView\t40\t80\t280\t140", "4\tandroid.widget.FrameLayout\ttrue\tfalse",
                   "1\tnil\tcom.example.app:id/title", "Stand-in\ttrue\t180 150\tcom.example.app/.MainActivity"]


def test_views_that_cannot_be(script, phone):
    easy = "local easy = EasyMonkeyDevice(MonkeyRunner.waitForConnection()) easy:"
    fails(script(easy + "touch(By.id('id/none'))", device=phone.serial), 3, "s.lua:1: touch: no view has the id 'id/none'")
    fails(script(easy + "touch('id/none')", device=phone.serial), 4, "By expected")
    fails(script("By.selector('text=')", device=phone.serial), 2, "By.selector: ")
    phone.ui.never_idle, phone.ui.idle_timeout_s = True, 0.1
    try:
        fails(script(easy + "exists(By.id('id/add'))", device=phone.serial), 3, "exists: ", "the screen keeps moving")
    finally:
        phone.ui.never_idle = False


# ---- dejank

def test_a_window_tells_its_frames(on_phone, phone):
    phone.install("com.example.app")
    phone.start("com.example.app")
    before = phone.now_ns()
    out = on_phone("""
local window, a, b = dejank.window{name = 'wait', device = device, package = 'com.example.app', function(d)
    assert(d == device)
    MonkeyRunner.sleep(1)
    return 'a', 'b'
end}
print(window.name, a, b, window.frames, window.janky, window.p90_ms, window.rows)
print(window.start_ns, window.end_ns, window.uncertainty_ns)
io.open(arg[1], 'w'):write(window.gfxinfo)
local plain = dejank.window{device = device, f = function() end}
print(plain.name, plain.frames)
""", phone.folder / "dump.txt").splitlines()
    name, a, b, frames, janky, p90, rows = out[0].split("\t")
    start, end, uncertainty = map(int, out[1].split("\t"))
    assert (name, a, b, janky) == ("wait", "a", "b", "0")
    assert before < start < end < phone.now_ns() and end - start >= 1e9
    # The counters cover slightly more than the measured time. The rows cover exactly this time.
    seconds = (end - start) / 1e9
    assert abs(int(rows) - seconds * 60) <= 3 + uncertainty / 8e6 and int(frames) >= int(rows)
    assert int(p90) in (8, 9)
    assert out[2] == "window\tnil"
    assert "Total frames rendered" in (phone.folder / "dump.txt").read_text()


def test_windows_that_cannot_be(script, phone):
    device = "local d = MonkeyRunner.waitForConnection() dejank.window"
    for call, code, said in (("{name = 'x', device = d}", 4, "expected a function"),
                             ("{function() end}", 4, "expected device"),
                             ("{device = d, what = 1, function() end}", 4, "unknown option 'what'"),
                             ("{device = d, name = {}, function() end}", 4, "name must be a string"),
                             ("{device = d, package = 'com.none', function() end}", 4, "No process found for: com.none"),
                             ("{device = d, function() error('inside') end}", 4, "s.lua:1: inside")):
        fails(script(device + call, device=phone.serial), code, said)


def test_each_device_at_once(script, phones, second_phone, phone):
    serials = [phone.serial, second_phone.serial, phones(release="14").serial]
    start = time.monotonic()
    done = script("""
local seen = {}
local results = dejank.each({...}, function(device, number)
    seen[number] = true
    device:shell('sleep 1')
    return device:getProperty('build.version.release') .. ' ' .. number
end)
print(table.concat(results, ', '), #seen)
""", *serials)
    took = time.monotonic() - start
    assert (done.returncode, done.stdout, done.stderr) == (0, "12 1, 9 2, 14 3\t3\n", "")
    one = time.monotonic()
    assert script("MonkeyRunner.waitForConnection():shell('sleep 1')", device=serials[0]).returncode == 0
    assert took < 2.5 * (time.monotonic() - one), "not one after the other"


def test_each_where_some_fail(script, second_phone, phone):
    text = """
local results = dejank.each({{...}}, function(device, number)
    if number == 2 then error('on purpose') end
    return tostring(device)
end{})
for i, result in ipairs(results) do print(i, result) end
"""
    done = script(text.format(""), phone.serial, second_phone.serial)
    fails(done, 4, f"s.lua:2: dejank.each: 1 of 2 devices failed: {second_phone.serial}: ", "s.lua:3: on purpose")
    assert done.stdout == ""
    done = script(text.format(", function(name, message) return name .. '!' .. message:match('on purpose') end"), phone.serial, second_phone.serial)
    assert done.stdout == f"1\tMonkeyDevice: {phone.serial}\n2\t{second_phone.serial}!on purpose\n"
    fails(script("dejank.each({...}, print)", phone.serial, phone.serial), 4, "is listed twice")
    fails(script("dejank.each({...}, print)", "127.0.0.1:9"), 3, "1 of 1 devices failed: 127.0.0.1:9: ")


def test_one_device_in_two_hands_is_refused(script, second_phone, phone):
    done = script("""
local first = MonkeyRunner.waitForConnection(5, arg[1])
local _, e = pcall(dejank.each, {arg[1], arg[2]}, function(device, number)
    first:shell('sleep 0.5')
end)
print(tostring(e):match('is in use by another thread of this script'))
""", phone.serial, second_phone.serial)
    assert done.stdout == "is in use by another thread of this script\n", done.stderr


def test_exit_ends_each(script, second_phone, phone):
    start = time.monotonic()
    done = script("dejank.each({...}, function(d, number) if number == 1 then os.exit(9) end d:shell('sleep 100') end)",
                  phone.serial, second_phone.serial)
    assert (done.returncode, done.stderr) == (9, "")
    assert time.monotonic() - start < 30


def test_ctrl_c_ends_each(host, tmp_path, second_phone, phone):
    file = tmp_path / "s.lua"
    file.write_text("dejank.each({...}, function(d) print('here') while true do pcall(d.shell, 'sleep 100') end end)")
    process = host.popen(host.build / "dejank", "script", file, phone.serial, second_phone.serial)
    try:
        assert process.stdout.readline() + process.stdout.readline() == b"here\nhere\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 4 and b"interrupted" in err


def test_a_device_that_goes_away(script, phones):
    phone = phones(release="11")
    phone.when(("sleep",), phone.unplug)
    done = script("local d = MonkeyRunner.waitForConnection()\nlocal ok, e = pcall(d.shell, 'sleep 5')\nprint(ok, e.code)\nd:shell('true')",
                  device=phone.serial)
    assert done.stdout == "false\tgone\n"
    fails(done, 3, "s.lua:4: shell: ")


def test_this_machine(script):
    done = script("local d = MonkeyRunner.waitForConnection() print(d, d:shell('echo $((6 * 7))'))\nprint(pcall(d.takeSnapshot))",
                  device="local:")
    assert done.stdout.startswith("MonkeyDevice: local:\t42\n\t0\nfalse\t")
    assert "screencap" in done.stdout


# ---- the examples

def run_example(host, name, *words):
    done = host.dejank("script", EXAMPLES / f"{name}.lua", *words)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_examples_are_all_here():
    here = Path(__file__).read_text()
    for file in EXAMPLES.glob("*.lua"):
        assert re.search(f'"{file.stem}["./]', here), f"{file.name} is not run"


def test_example_install_and_snapshot(host, phone, tmp_path):
    apk = phone.apk(tmp_path / "app.apk", "com.example.app")
    out = run_example(host, "install_and_snapshot", "--device", phone.serial, apk, "com.example.app", ".MainActivity", tmp_path / "shot.png")
    assert out == "MonkeyImage: 360 × 640\n"
    assert unpng((tmp_path / "shot.png").read_bytes())[:2] == (360, 640)
    assert ("am", "start", "-n", "com.example.app/.MainActivity") in phone.asked
    assert 82 in [event[2] for event in phone.events if event[1] == "key"]


def test_example_compare_snapshots(host, phone, tmp_path):
    words = ["compare_snapshots", "--device", phone.serial, tmp_path / "kept.png"]
    assert run_example(host, *words).startswith("kept as ")
    assert run_example(host, *words) == "the same\n"
    phone.ui.offset += 45
    done = host.dejank("script", EXAMPLES / "compare_snapshots.lua", *words[1:])
    assert (done.returncode, done.stdout) == (1, "another picture\n")
    assert run_example(host, *words, "0.4") == "the same\n"


def test_example_measure_scrolling(host, phone):
    from android.app import Frames
    phone.install("com.example.app", frames=Frames(ms=(8.0, 8.0, 40.0), when="touched"))
    phone.start("com.example.app")
    out = run_example(host, "measure_scrolling", "--device", phone.serial, "com.example.app", "2")
    lines = re.findall(r"^(scroll \w+) +(\d+) frames, (\d+) janky, 90th percentile (\d+) ms$", out, re.M)
    assert [line[0] for line in lines] == ["scroll down", "scroll up"]
    for _, frames, janky, p90 in lines:
        assert int(frames) > 20 and 0.2 < int(janky) / int(frames) < 0.5 and int(p90) >= 36


def test_example_many_devices(host, phone, second_phone):
    for one in (phone, second_phone):
        one.install("com.example.app")
        host.adb("connect", one.serial)
    out = run_example(host, "many_devices", "com.example.app/.MainActivity")
    assert f"{phone.serial}\tStand-in\n" in out and "\tOther\n" in out


def test_example_press_add(host, phone):
    phone.install("com.example.app")
    phone.start("com.example.app")
    phone.ui.text, before = "", phone.ui.pressed
    assert run_example(host, "press_add", "--device", phone.serial) == "milk\n"
    assert phone.ui.pressed == before + 1


def test_example_remote(host, phone):
    phone.ui.text = ""
    process = host.popen(host.build / "dejank", "script", EXAMPLES / "remote.lua", "--device", phone.serial, stdin=subprocess.PIPE)
    process.communicate(b"2\n3\n\n4\n", timeout=60)
    assert process.returncode == 0
    assert [event[2] for event in phone.events if event[1] == "key"][:1] == [82]
    assert phone.ui.text == "hello"


# ---- in dejank run

def test_a_run_takes_the_windows_of_its_script(host, phone, tmp_path):
    """Each run executes the script from its first line. The windows of the script are the windows of the run."""
    phone.install("com.example.app")
    phone.start("com.example.app")
    file = tmp_path / "s.lua"
    file.write_text("local device = MonkeyRunner.waitForConnection(1, '.*')\nassert(MonkeyRunner.waitForConnection() == device)\n"
                    "print('evidence of ' .. tostring(device))\n"
                    "dejank.window{name = 'first', function() MonkeyRunner.sleep(0.4) end}\n"
                    "dejank.window{name = 'second', package = 'com.example.app', function() MonkeyRunner.sleep(0.2) end}")
    store = tmp_path / "history.db"
    done = host.dejank("run", "--device", phone.serial, "--package", "com.example.app", "--script", file, "-n", "2",
                       "--warmup", "0", "--settle", "100ms", "--store", store)
    assert done.returncode == 0, done.stderr
    assert "evidence of" not in done.stdout
    base = sqlite3.connect(store)
    rows = base.execute("SELECT run_id, name, start_dev_ns, end_dev_ns FROM windows ORDER BY run_id, ordinal").fetchall()
    base.close()
    for run in sorted({row[0] for row in rows}):
        told = {name: (start, end) for run_id, name, start, end in rows if run_id == run}
        assert 0.4 <= (told["first"][1] - told["first"][0]) / 1e9 < 5
        assert told["first"][1] <= told["second"][0] < told["second"][1]
    assert len({row[0] for row in rows}) == 2


def test_a_run_whose_script_fails(host, phone, tmp_path):
    phone.install("com.example.app")
    file = tmp_path / "s.lua"
    words = ["run", "--device", phone.serial, "--package", "com.example.app", "--script", file, "-n", "1",
             "--warmup", "0", "--settle", "100ms", "--retries", "0", "--store", tmp_path / "history.db"]
    file.write_text("local = 1")
    fails(host.dejank(*words), 4, "s.lua:1:")
    assert not [call for call in phone.asked if call[0] == "am"], "refused before anything began"
    file.write_text("\nerror('on purpose')")
    done = host.dejank(*words)
    assert done.returncode == 4 and "drive failed" in done.stdout + done.stderr
    assert "s.lua:2: on purpose" in done.stdout + done.stderr
