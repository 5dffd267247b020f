"""monkey and uinput: commands that inject touches and keys while they run."""

import json
import os
import select
import threading

from .calls import Gone
from .screen import key, key_code, touch


def monkey(phone, call):
    words = list(call.words)
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    if "--port" in words:
        return monkey_server(phone, call, int(words[words.index("--port") + 1]))
    call.out("".join(f"  bash arg: {word}\n" for word in words))
    if package not in phone.packages:
        call.out("** No activities found to run, monkey aborted.\n")
        return 252
    phone.start(package)
    call.out("Events injected: 1\n## Network stats: elapsed time=9ms (0ms mobile, 0ms wifi, 9ms not connected)\n")
    return 0


MONKEY_VALUES = {"display.width": lambda phone: phone.size[0], "display.height": lambda phone: phone.size[1],
                 "display.density": lambda phone: phone.density / 160, "build.version.sdk": lambda phone: phone.release.sdk,
                 "build.model": lambda phone: phone.properties["ro.product.model"],
                 "clock.uptime": lambda phone: phone.now_ns() // 1_000_000}


def monkey_answer(phone, words):
    verb = words[0] if words else ""
    if verb == "touch" and len(words) == 4 and words[1] in ("down", "move", "up"):
        touch(phone, words[1], int(words[2]), int(words[3]))
    elif verb == "tap" and len(words) == 3:
        touch(phone, "down", int(words[1]), int(words[2]))
        touch(phone, "up", int(words[1]), int(words[2]))
    elif verb == "key" and len(words) == 3:
        if words[1] == "down":
            key(phone, key_code(words[2]))
    elif verb == "press" and len(words) == 2:
        key(phone, key_code(words[1]))
    elif verb == "type" and len(words) == 2:
        phone.events.append((phone.now_ns(), "text", words[1]))
        phone.ui.text += words[1]
        phone.touched()
    elif verb == "wake":
        phone.set_screen(on=True)
    elif verb == "sleep" and len(words) == 2:
        return "OK"
    elif verb == "listvar":
        return "OK:" + " ".join(MONKEY_VALUES)
    elif verb == "getvar" and len(words) == 2:
        return f"OK:{MONKEY_VALUES[words[1]](phone)}" if words[1] in MONKEY_VALUES else "ERROR:unknown var"
    else:
        return None  # monkey does not answer an unknown word
    return "OK"


class Monkey:
    """`monkey --port`: listens in the device's network, reads one command per line, and answers with one line.

    It answers `sleep` before it sleeps, and other commands after it has executed them. `done` or a lost connection ends the
    connection. `quit` ends monkey, but the end of its caller does not. From the first connection on, no other program can read
    the views. A second connection ends monkey."""

    def __init__(self, phone, listener):
        self.phone = phone
        self.listener = listener
        self.ended = threading.Event()
        phone.next_pid += 7
        self.pid = phone.next_pid

    def run(self):
        try:
            peer = self.next_peer()
            if peer is None:
                return
            self.phone.tree_taken = True
            with peer:
                if self.converse(peer):
                    return
            peer = self.next_peer()
            if peer is not None:
                peer.close()  # "Thread already started"
        except OSError:
            pass
        finally:
            self.listener.close()
            self.phone.tree_taken = False

    def next_peer(self):
        while not self.ended.is_set():
            ready, _, _ = select.select([self.listener], [], [], 0.05)
            if ready:
                return self.listener.accept()[0]
        return None

    def converse(self, peer):
        """Executes commands of one connection. Returns True if monkey must end."""
        heard = b""
        while True:
            while b"\n" not in heard:
                ready, _, _ = select.select([peer], [], [], 0.05)
                if self.ended.is_set():
                    return True
                part = peer.recv(4096) if ready else None
                if part == b"":
                    return False
                heard += part or b""
            line, _, heard = heard.partition(b"\n")
            words = split(line.decode("utf-8", "replace"))
            if words == ["done"]:
                return False
            if words == ["quit"]:
                peer.sendall(b"OK\n")
                return True
            answer = monkey_answer(self.phone, words)
            if answer is not None:
                peer.sendall(answer.encode() + b"\n")
            if words[:1] == ["sleep"] and self.ended.wait(int(words[1]) / 1000):
                return True


def monkey_server(phone, call, port):
    try:
        listener = phone.machine.listen(port)
    except OSError:
        call.out("Error binding to network socket.\n")
        return 251
    one = Monkey(phone, listener)
    phone.monkeys.append(one)
    one.run()
    phone.monkeys.remove(one)
    return 0


def split(line):
    """Splits a line into words. Quoted words can contain spaces. A backslash keeps the next character as it is."""
    words, word, quoted, kept, begun = [], "", False, False, False
    for letter in line.rstrip("\r\n"):
        if kept:
            word, kept = word + letter, False
        elif letter == "\\":
            kept = begun = True
        elif letter == '"':
            quoted, begun = not quoted, True
        elif letter == " " and not quoted:
            if begun or word:
                words.append(word)
            word, begun = "", False
        else:
            word += letter
    return words + [word] if word or begun else words


# ---- uinput

KEY, ABS, SLOT, X, Y, TRACKING = 1, 3, 47, 53, 54, 57


class Touchscreen:
    """A device that was registered with `uinput`. It reads events of the kernel's multi-touch protocol B."""

    def __init__(self, phone):
        self.phone = phone
        self.slot = 0
        self.fingers = {}  # slot → [x, y, change in this report: "down", "move", "up" or ""]

    def inject(self, events):
        for kind, code, value in zip(*[iter(events)] * 3):
            if (kind, code) == (ABS, SLOT):
                self.slot = value
            elif (kind, code) == (ABS, TRACKING):
                finger = self.fingers.setdefault(self.slot, [0, 0, ""])
                finger[2] = "up" if value < 0 else "down"
            elif kind == ABS and code in (X, Y):
                finger = self.fingers.setdefault(self.slot, [0, 0, ""])
                finger[code == Y] = value
                finger[2] = finger[2] or "move"
            elif (kind, code) == (0, 0):
                self.report()

    def report(self):
        for slot, (x, y, what) in list(self.fingers.items()):
            if what and slot == 0:
                touch(self.phone, what, x, y)
            elif what:
                self.phone.events.append((self.phone.now_ns(), what, x, y, slot))
            self.fingers[slot][2] = ""
            if what == "up":
                del self.fingers[slot]


def objects(call):
    """Yields the JSON objects in stdin one by one."""
    decoder, heard = json.JSONDecoder(), ""
    while True:
        ready, _, _ = select.select([call.fds[0], call.connection], [], [])
        if call.fds[0] not in ready:
            raise Gone()
        part = os.read(call.fds[0], 65536)
        if not part:
            return
        heard += part.decode("utf-8", "replace")
        while heard := heard.lstrip():
            try:
                value, end = decoder.raw_decode(heard)
            except ValueError:
                break
            heard = heard[end:]
            yield value


def uinput(phone, call):
    if call.words != ["-"]:
        call.err("usage: uinput FILE\n")
        return 1
    screens, at_ns = {}, phone.now_ns()
    for told in objects(call):
        verb, ident = told.get("command"), told.get("id")
        if verb == "register":
            screens[ident] = Touchscreen(phone)
            at_ns = phone.now_ns()
        elif ident not in screens:
            call.err(f"Unknown device id specified: {ident}\n")
            return 1
        elif verb == "delay":
            at_ns = max(at_ns, phone.now_ns() - 5_000_000) + told["duration"] * 1_000_000
            call.sleep((at_ns - phone.now_ns()) / 1e9)
        elif verb == "inject":
            screens[ident].inject(told["events"])
    return 0


COMMANDS = {"monkey": monkey, "uinput": uinput}
