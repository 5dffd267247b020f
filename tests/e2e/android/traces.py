"""atrace and perfetto as each release has them. Their traces contain the frames of app.py.

Attributes of the phone that a test reads or sets:
    trace_lacks      categories that the kernel does not have
    trace_ring_s     time in s that the ring buffer covers, or None if it loses nothing
    trace_fault      None, "permission", "broken" (perfetto cannot connect) or "no-space" (its file stays empty)
    perfetto_configs the configurations of all perfetto calls, as dicts
    trace_file       whether the kernel's file `trace` has content for shells
    atrace           the current Tracing of atrace, or None
    sessions         the running sessions of perfetto"""

import re
import time
import zlib
from dataclasses import dataclass

from .machine import SLEPT_S

SLEPT_NS = SLEPT_S * 1_000_000_000
NEWEST = 99
# name: (first API level, last one). The kernel can lack some of them (trace_lacks).
CATEGORIES = {
    "gfx": (16, NEWEST), "input": (16, NEWEST), "view": (16, NEWEST), "webview": (18, NEWEST), "wm": (16, NEWEST),
    "am": (16, NEWEST), "sm": (22, NEWEST), "audio": (16, NEWEST), "video": (16, NEWEST), "camera": (16, NEWEST),
    "hal": (18, NEWEST), "app": (21, 27), "res": (18, NEWEST), "dalvik": (18, NEWEST), "rs": (18, 30),
    "bionic": (21, NEWEST), "power": (21, NEWEST), "pm": (24, NEWEST), "ss": (24, NEWEST), "database": (24, NEWEST),
    "network": (24, NEWEST), "adb": (26, NEWEST), "vibrator": (28, NEWEST), "aidl": (28, NEWEST), "nnapi": (29, NEWEST),
    "rro": (29, NEWEST), "thermal": (31, NEWEST), "sched": (16, NEWEST), "irq": (21, NEWEST), "freq": (16, NEWEST),
    "idle": (16, NEWEST), "disk": (16, NEWEST), "sync": (16, NEWEST), "workq": (16, NEWEST), "memreclaim": (21, NEWEST),
    "binder_driver": (24, NEWEST), "binder_lock": (24, NEWEST), "pagecache": (24, NEWEST), "memory": (29, NEWEST)}
PERFETTO_FOLDER = "/data/misc/perfetto-traces"


@dataclass
class Tracing:
    since_ns: int
    categories: list
    app: str
    on: bool = True
    until_ns: int = None


def categories(phone):
    return [name for name, (first, last) in CATEGORIES.items()
            if first <= phone.release.sdk <= last and name not in phone.trace_lacks]


def clock_offset(phone):
    """Trace time minus CLOCK_MONOTONIC. Since Android 8.0 the trace clock includes sleep. Before, it is the kernel's own clock."""
    return SLEPT_NS if phone.release.sdk >= 26 else -77_123_456_789


# ---- events: (mono_ns, cpu, comm, pid, text)

def marks(phone, tracing, begin_ns, end_ns):
    for process in phone.processes:
        comm = process.name[-15:]
        for begin, length in process.between(begin_ns, end_ns):
            half = begin + length // 2
            if "view" in tracing.categories:
                yield begin, 0, comm, process.pid, f"B|{process.pid}|Choreographer#doFrame"
                if process.name == tracing.app:
                    yield begin + length // 10, 0, comm, process.pid, f"B|{process.pid}|load"
                    yield begin + length // 5, 0, comm, process.pid, f"E|{process.pid}"
                yield half, 0, comm, process.pid, f"E|{process.pid}"


def switches(phone, tracing, begin_ns, end_ns):
    """(mono_ns, prev_comm, prev_pid, next_comm, next_pid) of CPU 0."""
    if "sched" in tracing.categories:
        for process in phone.processes:
            comm = process.name[-15:]
            for begin, length in process.between(begin_ns, end_ns):
                yield begin - 1000, "swapper/0", 0, comm, process.pid
                yield begin + length // 2 + 1000, comm, process.pid, "swapper/0", 0


def reach(phone, tracing):
    """(begin, end) of the time that the ring buffer covers."""
    end = tracing.until_ns or phone.now_ns()
    begin = tracing.since_ns
    if phone.trace_ring_s is not None:
        begin = max(begin, end - int(phone.trace_ring_s * 1e9))
    return begin, end


# ---- atrace

def line(phone, at_ns, comm, pid, what):
    stamp = (at_ns + clock_offset(phone)) / 1e9
    tgid = f"({pid:5d}) " if phone.release.sdk >= 24 else ""
    return f"{comm:>16}-{pid:<5} {tgid}[000] ...1 {stamp:.6f}: {what}\n"


def sync_line(phone, tracing):
    return line(phone, tracing.since_ns, "atrace", 4100,
                f"tracing_mark_write: trace_event_clock_sync: parent_ts={tracing.since_ns / 1e9:.6f}")


def trace_text(phone, tracing):
    begin, end = reach(phone, tracing)
    lines = [(tracing.since_ns, sync_line(phone, tracing))] if begin == tracing.since_ns else []
    lines += [(at, line(phone, at, comm, pid, f"tracing_mark_write: {text}"))
              for at, _, comm, pid, text in marks(phone, tracing, begin, end) if begin <= at <= end]
    for at, prev, prev_pid, following, next_pid in switches(phone, tracing, begin, end):
        state = "R" if prev_pid == 0 else "S"
        text = (f"sched_switch: prev_comm={prev} prev_pid={prev_pid} prev_prio=120 prev_state={state} ==> "
                f"next_comm={following} next_pid={next_pid} next_prio=120")
        if begin <= at <= end:
            lines.append((at, line(phone, at, "<idle>" if prev_pid == 0 else prev, prev_pid, text)))
    if phone.release.sdk < 23 and "rs" in tracing.categories:
        lines.append((begin, "\x01\x02 damaged by rs \x03\n" * 20))
    lines.sort(key=lambda one: one[0])
    count = len(lines)
    return ("# tracer: nop\n#\n" + f"# entries-in-buffer/entries-written: {count}/{count}   #P:8\n#\n"
            "#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n" + "".join(text for _, text in lines))


def show_state(phone):
    """Writes the state of atrace to the properties and kernel files that other programs read."""
    folder = phone.folder / "sys/kernel/debug/tracing"
    folder.mkdir(parents=True, exist_ok=True)
    on = phone.atrace is not None
    (folder / "trace_clock").write_text("local global [boot]\n" if phone.release.sdk >= 26 else "local [global] boot\n")
    (folder / "tracing_on").write_text("1\n" if on and phone.atrace.on else "0\n")
    (folder / "trace").write_text("# tracer: nop\n" + (sync_line(phone, phone.atrace) if on else "") if phone.trace_file else "")
    phone.properties["debug.atrace.tags.enableflags"] = "0x1086" if on else "0"
    phone.properties["debug.atrace.app_number"] = "1" if on and phone.atrace.app else ""


def halted(phone):
    """Whether tracing_on contains 0."""
    path = phone.folder / "sys/kernel/debug/tracing/tracing_on"
    return path.exists() and path.read_text().strip() == "0"


def read_options(words, short, long):
    """Parses options as getopt_long does. Returns ({option: value}, operands), or None if an option is unknown."""
    told, operands, rest = {}, [], list(words)
    while rest:
        word = rest.pop(0)
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            if name not in long:
                return None
            told[name] = value or (rest.pop(0) if long[name] else True)
        elif word.startswith("-") and word != "-":
            at = 1
            while at < len(word):
                letter = word[at]
                if letter not in short.replace(":", ""):
                    return None
                if short[short.index(letter) + 1:][:1] == ":":
                    told[letter] = word[at + 1:] or rest.pop(0)
                    break
                told[letter] = True
                at += 1
        else:
            operands.append(word)
    return told, operands


ATRACE_LONG = {"async_start": 16, "async_stop": 16, "async_dump": 16, "list_categories": 16, "stream": 25, "only_userspace": 29}


def atrace(phone, call):
    sdk = phone.release.sdk
    known = {name: False for name, first in ATRACE_LONG.items() if sdk >= first}
    read = read_options(call.words, "a:b:cf:k:ns:t:zo:" if sdk >= 25 else "a:b:ck:ns:t:z", known)
    if read is None:
        call.err("usage: atrace [options] [categories...]\n")
        return 1
    told, wanted = read
    if "list_categories" in told:
        call.out("".join(f"{name:>10} - {name.title()}\n" for name in categories(phone)))
        return 0
    for name in wanted:
        if name not in categories(phone):
            call.err(f'error: unknown tracing category "{name}"\n')
            return 1
    starts = not {"async_stop", "async_dump"} & set(told)
    if phone.trace_fault == "permission":
        call.err("error opening /sys/kernel/debug/tracing/options/overwrite: Permission denied (13)\n"
                 + ("unable to start tracing\n" if starts else ""))
        return 0
    return atrace_start(phone, call, told, wanted) if starts else atrace_print(phone, call, told)


def atrace_start(phone, call, told, wanted):
    phone.atrace = Tracing(phone.now_ns(), wanted, told.get("a"))
    show_state(phone)
    call.out("capturing trace...")
    if "async_start" in told:
        call.out("\n")
        return 0
    call.sleep(float(told.get("t", 5)))
    call.out(" done\n")
    return atrace_print(phone, call, {**told, "async_stop": True})


def atrace_print(phone, call, told):
    tracing = phone.atrace or Tracing(phone.now_ns(), [], None)
    if halted(phone) and tracing.until_ns is None:
        path = phone.folder / "sys/kernel/debug/tracing/tracing_on"
        tracing.until_ns = min(phone.now_ns(), phone.now_ns() - int((time.time() - path.stat().st_mtime) * 1e9))
    if "async_stop" in told:
        phone.atrace = None
        show_state(phone)
        if phone.release.sdk < 23 and "t" not in told:  # these releases clear the trace before they print it
            tracing = Tracing(phone.now_ns(), [], None)
    text = trace_text(phone, tracing).encode("utf-8", "surrogateescape")
    data = b"TRACE:\n" + (zlib.compress(text) if "z" in told else text)
    if "o" in told:
        phone.path(told["o"]).write_bytes(data)
    else:
        call.write(data)
    return 0


# ---- perfetto

def varint(value):
    out = b""
    while value > 0x7f:
        out, value = out + bytes([value & 0x7f | 0x80]), value >> 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def string(field, text):
    return message(field, text.encode())


def clock_packet(phone, at_ns):
    clocks = b"".join(message(1, number(1, which) + number(2, value)) for which, value in
                      ((6, at_ns + SLEPT_NS), (3, at_ns), (1, int(phone.wall_s() * 1e9))))
    return message(1, number(8, at_ns + SLEPT_NS) + message(6, clocks))


def bundle(events):
    """One packet with events of CPU 0. Each event is (boot_ns, bytes of its FtraceEvent after the timestamp)."""
    body = b"".join(message(2, number(1, at) + event) for at, event in events)
    return message(1, message(1, number(1, 0) + body))


def frame_packets(begin, length, pid, token, layer):
    """FrameTimeline packets for a frame of an app: begin and end of its expected and its actual timeline."""
    expected = number(1, token) + number(2, token) + number(3, token) + number(4, pid) + string(5, layer)
    late = length > 16_666_666
    actual = (number(1, token + 1) + number(2, token) + number(3, token) + number(4, pid) + string(5, layer)
              + number(6, 2 if late else 1) + number(7, int(not late)) + number(9, 64 if late else 1))
    told = [(begin, message(3, expected)), (begin + 16_666_666, message(5, number(1, token))),
            (begin, message(4, actual)), (begin + length, message(5, number(1, token + 1)))]
    return b"".join(message(1, number(8, at + SLEPT_NS) + message(76, what)) for at, what in told)


def perfetto_trace(phone, tracing, timeline):
    begin, end = reach(phone, tracing)
    events = [(at + SLEPT_NS, number(2, pid) + message(3, string(2, text + "\n")))
              for at, _, _, pid, text in marks(phone, tracing, begin, end) if begin <= at <= end]
    for at, prev, prev_pid, following, next_pid in switches(phone, tracing, begin, end):
        switch = (string(1, prev) + number(2, prev_pid) + number(3, 120) + number(4, 0 if prev_pid == 0 else 1)
                  + string(5, following) + number(6, next_pid) + number(7, 120))
        if begin <= at <= end:
            events.append((at + SLEPT_NS, number(2, prev_pid) + message(4, switch)))
    events.sort(key=lambda one: one[0])
    packets = clock_packet(phone, begin)
    tree = b"".join(message(1, number(1, one.pid) + number(2, 1) + string(3, one.name)) for one in phone.processes)
    packets += message(1, number(8, begin + SLEPT_NS) + message(2, tree))
    while events:
        last = events[0][0] + 250_000_000
        some = [one for one in events if one[0] < last]
        packets += bundle(some)
        events = events[len(some):]
    if timeline:
        for process in phone.processes:
            for index, (at, length) in enumerate(process.between(begin, end)):
                packets += frame_packets(at, length, process.pid, 2 * index + 1000, f"TX - {process.name}#0")
    return packets


def parse_binary(data):
    """[(field, value or bytes)] of a message. Raises ValueError if the data is not a message."""
    fields, at = [], 0

    def read():
        nonlocal at
        value = shift = 0
        while True:
            if at >= len(data):
                raise ValueError("cut")
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = read()
        if tag >> 3 == 0 or tag & 7 not in (0, 2):
            raise ValueError("no field")
        value = read()
        if tag & 7 == 2:
            if value > len(data) - at:
                raise ValueError("cut")
            value, at = data[at:at + value], at + value
        fields.append((tag >> 3, value))
    return fields


def config_of_binary(data):
    config = {"duration_ms": 0, "categories": [], "apps": [], "sources": [], "events": [], "buffers": 0}
    for field, value in parse_binary(data):
        config["buffers"] += field == 1
        if field == 3:
            config["duration_ms"] = value
        if field == 2:
            source = parse_binary(dict(parse_binary(value))[1])
            config["sources"].append(dict(source)[1].decode())
            for kernel in [parse_binary(body) for one, body in source if one == 100]:
                config["events"] += [body.decode() for one, body in kernel if one == 1]
                config["categories"] += [body.decode() for one, body in kernel if one == 2]
                config["apps"] += [body.decode() for one, body in kernel if one == 3]
    return config


# First API level with this field in the text format. Older releases reject a configuration that contains it.
TEXT_SINCE = {"compact_sched": 30, "incremental_state_config": 30, "symbolize_ksyms": 31, "disable_generic_events": 33}


def config_of_text(data, sdk):
    text = data.decode()
    if text.count("{") != text.count("}"):
        raise ValueError("error: Expected '}'")
    for name, since in TEXT_SINCE.items():
        if name in text and sdk < since:
            raise ValueError(f'error: No field named "{name}"')
    duration = re.findall(r"^duration_ms: (\d+)$", text, re.M)
    return {"duration_ms": int(duration[0]) if duration else 0, "buffers": len(re.findall(r"^buffers \{", text, re.M)),
            "categories": re.findall(r'atrace_categories: "(.*)"', text), "apps": re.findall(r'atrace_apps: "(.*)"', text),
            "sources": re.findall(r' name: "(.*)"', text), "events": re.findall(r'ftrace_events: "(.*)"', text)}


def perfetto_long(sdk):
    long = {"config": True, "out": True, "background": False}
    if sdk >= 29:
        long.update({"txt": False, "time": True, "buffer": True, "size": True, "app": True})
    if sdk >= 31:
        long["background-wait"] = False
    return long


def perfetto(phone, call):
    sdk = phone.release.sdk
    read = read_options(call.words, "c:o:bd:n" if sdk == 28 else "c:o:dt:b:s:" + ("D" if sdk >= 31 else ""), perfetto_long(sdk))
    if read is None or read[0].get("c") != "-" or "o" not in read[0]:
        call.err("[863.1] perfetto_cmd.cc:72 Usage: perfetto\n  --background     -d\n  --config         -c\n")
        return 1
    told, _ = read
    data = call.read_all()
    if phone.trace_fault == "broken":
        call.err("[863.2] perfetto_cmd.cc:302 Could not connect to /dev/socket/traced_consumer\n")
        return 1
    try:
        config = config_of_text(data, sdk) if "txt" in told else config_of_binary(data)
    except (ValueError, KeyError, UnicodeDecodeError) as why:
        call.err(f"[863.3] perfetto_cmd.cc:399 The trace config is invalid, bailing out. {why}\n")
        return 1
    phone.perfetto_configs.append(config)
    out = phone.path(told["o"])
    if phone.trace_fault == "permission" or not told["o"].startswith(PERFETTO_FOLDER + "/"):
        call.err(f"[863.4] perfetto_cmd.cc:511 Failed to open {told['o']}: Permission denied\n")
        return 1
    if sdk < 30 and phone.properties.get("persist.traced.enable") != "1":
        call.err("[863.5] perfetto_cmd.cc:340 Disconnected from the Perfetto traced service\n")
        return 1
    out.write_bytes(b"")
    call.catch(*(["INT"] if sdk == 28 else ["INT", "TERM"]))
    if sdk >= 29 and {"background", "background-wait", "d", "D"} & set(told):
        call.go_behind()
    return record(phone, call, config, out)


def record(phone, call, config, out):
    tracing = Tracing(phone.now_ns(), config["categories"], (config["apps"] or [None])[0])
    if any("sched_switch" in name for name in config["events"]):
        tracing.categories.append("sched")
    phone.sessions.append(tracing)
    try:
        call.wait(config["duration_ms"] / 1000 if config["duration_ms"] else 3600)
    finally:
        phone.sessions.remove(tracing)
    tracing.until_ns = phone.now_ns()
    if phone.trace_fault != "no-space" and not phone.storage_full:
        out.write_bytes(perfetto_trace(phone, tracing, "android.surfaceflinger.frametimeline" in config["sources"]))
    return 0


COMMANDS = {"atrace": atrace, "perfetto": perfetto}
