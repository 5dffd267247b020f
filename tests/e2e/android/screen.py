"""input, uiautomator and screencap: commands that use or show the screen."""

import struct
import zlib

KEYS = {"HOME": 3, "BACK": 4, "POWER": 26, "MENU": 82, "SLEEP": 223, "WAKEUP": 224, "ENTER": 66, "DEL": 67}


def shape(phone):
    return phone.size if phone.rotation % 2 == 0 else (phone.size[1], phone.size[0])


def key(phone, code):
    phone.events.append((phone.now_ns(), "key", code))
    if code == 26:
        phone.set_screen(on=not phone.screen_on)
    elif code in (223, 224):
        phone.set_screen(on=code == 224)
    elif code == 82 and phone.screen_on:
        phone.set_screen(locked=False)
    elif code in (3, 4) and phone.front is not None:
        with phone.lock:
            phone.front.closed = code == 4  # Back ends the activity, Home does not
            phone.front.pause(phone.now_ns())
            phone.front = None
    phone.touched()


def touch(phone, what, x, y):
    """`what` is down, move or up."""
    phone.events.append((phone.now_ns(), what, x, y))
    if what == "down":
        phone.finger = (x, y, y)
    elif getattr(phone, "finger", None):
        x0, y0, last = phone.finger
        left, top, right, bottom = phone.ui.list_bounds(shape(phone))
        moved = abs(y - y0) > 20 or abs(x - x0) > 20
        if phone.ui.scrollable and left <= x0 < right and top <= y0 < bottom and moved:
            phone.ui.scroll(last - y, shape(phone))
        if what == "up" and not moved:
            phone.ui.tapped(x, y, shape(phone))
        phone.finger = None if what == "up" else (x0, y0, y)
    phone.touched()


def swipe(phone, call, x0, y0, x1, y1, ms):
    steps = max(2, ms // 16)
    touch(phone, "down", x0, y0)
    for step in range(1, steps + 1):
        call.sleep(ms / steps / 1000)
        touch(phone, "move", x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps)
    touch(phone, "up", x1, y1)


def key_code(word):
    name = word.removeprefix("KEYCODE_")
    return int(word) if word.isdigit() else KEYS.get(name, 0)


def input_(phone, call):
    words = list(call.words)
    if words[:1] in (["touchscreen"], ["keyboard"], ["mouse"]):
        del words[:1]
    verb, rest = (words[0], words[1:]) if words else ("", [])
    call.sleep(0.05)  # on a device, each `input` starts a whole runtime
    try:
        if verb == "tap":
            x, y = map(float, rest[:2])
            touch(phone, "down", x, y)
            touch(phone, "up", x, y)
        elif verb in ("swipe", "draganddrop"):
            x0, y0, x1, y1 = map(float, rest[:4])
            swipe(phone, call, x0, y0, x1, y1, int(rest[4]) if len(rest) > 4 else 300)
        elif verb == "text":
            typed = rest[0].replace("%s", " ")
            phone.events.append((phone.now_ns(), "text", typed))
            phone.ui.text += typed
            phone.touched()
        elif verb == "keyevent":
            for word in rest:
                if not word.startswith("--"):
                    key(phone, key_code(word))
        elif verb == "motionevent" and phone.release.sdk >= 29:
            touch(phone, rest[0].lower(), float(rest[1]), float(rest[2]))
        else:
            call.err("Error: Unknown command: " + verb + "\n")
            return 255
    except (ValueError, IndexError):
        call.err("Error: Invalid arguments for command: " + verb + "\n")
        return 255
    return 0


def uiautomator(phone, call):
    words = [word for word in call.words if not word.startswith("--")]
    if words[:1] != ["dump"]:
        call.err("Usage: uiautomator <subcommand> [options]\n")
        return 1
    if phone.ui.never_idle:
        call.sleep(phone.ui.idle_timeout_s)
        call.err("ERROR: could not get idle state.\n")
        return 0
    target = words[1] if len(words) > 1 else "/sdcard/window_dump.xml"
    package = phone.front.app.package if phone.front and not phone.locked else "com.android.systemui"
    if phone.tree_taken:
        call.err("Killed\n")
        return 137
    if not phone.screen_on:
        call.err("ERROR: null root node returned by UiTestAutomationBridge.\n")
        return 0
    xml = phone.ui.xml(package, shape(phone), phone.rotation)
    if target in ("/dev/tty", "/dev/stdout", "/proc/self/fd/1"):
        call.out(xml)
    else:
        here = phone.path(target)
        if phone.storage_full or not here.parent.exists():
            call.err(f"java.io.FileNotFoundException: {target}: open failed: ENOENT (No such file or directory)\n")
            return 1
        here.write_text(xml, encoding="utf-8")
    call.out(f"UI hierchary dumped to: {target}\n")
    return 0


def pixels(phone):
    """RGB rows. The colour shows whether an app is in front. The stripes move with the list. Black while the screen is off."""
    width, height = shape(phone)
    if not phone.screen_on:
        return [bytes(3 * width)] * height
    shade = (60, 120, 200) if phone.front is None else (200, 160, 60)
    bright, dark = bytes(shade) * width, bytes(value // 2 for value in shade) * width
    return [bright if (y + phone.ui.offset) // 90 % 2 else dark for y in range(height)]


def png(rows, width):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 1)) + chunk(b"IEND", b""))


def screencap(phone, call):
    words = [word for word in call.words if not word.startswith("-")]
    width, height = shape(phone)
    rows = pixels(phone)
    if "-p" in call.words or (words and words[0].endswith(".png")):
        data = png(rows, width)
    else:
        head = (width, height, 1) if phone.release.sdk <= 25 else (width, height, 1, 1)
        data = struct.pack(f"<{len(head)}I", *head)
        data += b"".join(b"".join(row[i:i + 3] + b"\xff" for i in range(0, len(row), 3)) for row in rows)
    if words:
        if phone.storage_full:
            call.err(f"Error opening file: {words[0]} (No space left on device)\n")
            return 1
        phone.path(words[0]).write_bytes(data)
    else:
        call.write(data)
    return 0


COMMANDS = {"input": input_, "uiautomator": uiautomator, "screencap": screencap}
