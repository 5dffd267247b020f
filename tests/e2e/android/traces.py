"""atrace and perfetto: the frames of what is in front, as a trace."""

CATEGORIES = ["gfx - Graphics", "input - Input", "view - View System", "sched - CPU Scheduling", "freq - CPU Frequency",
              "am - Activity Manager", "wm - Window Manager"]


def events(phone, begin_ns, end_ns):
    """ftrace's text of doFrame and DrawFrame slices."""
    lines = []
    for process in phone.processes:
        for begin, length in process.between(begin_ns, end_ns):
            for at, text in ((begin, f"B|{process.pid}|Choreographer#doFrame"), (begin + length // 2, f"E|{process.pid}")):
                lines.append((at, f"{process.name[-15:]:>16}-{process.pid:<5} ({process.pid:5d}) [000] .... "
                                  f"{at / 1e9:.6f}: tracing_mark_write: {text}\n"))
    return "".join(line for _, line in sorted(lines))


def trace_text(phone, begin_ns, end_ns):
    return ("TRACE:\n# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:8\n#\n"
            "#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n#              | |        |      |   ||||       |         |\n"
            + events(phone, begin_ns, end_ns))


def atrace(phone, call):
    words = call.words
    if "--list_categories" in words:
        call.out("".join(f"{'':>9}{name}\n" for name in CATEGORIES))
        return 0
    if "--async_start" in words:
        phone.traced_since = phone.now_ns()
        call.out("capturing trace...\n")
        return 0
    if "--async_dump" in words or "--async_stop" in words:
        begin = getattr(phone, "traced_since", phone.now_ns())
    else:
        seconds = float(words[words.index("-t") + 1]) if "-t" in words else 5.0
        begin = phone.now_ns()
        call.out("capturing trace...")
        call.sleep(seconds)
        call.out(" done\n")
    text = trace_text(phone, begin, phone.now_ns())
    if "-o" in words:
        phone.path(words[words.index("-o") + 1]).write_text(text)
    else:
        call.out(text)
    return 0


def varint(value):
    out = b""
    while value > 0x7f:
        out, value = out + bytes([value & 0x7f | 0x80]), value >> 7
    return out + bytes([value])


def message(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def perfetto_trace(phone, begin_ns, end_ns):
    """TracePackets with an ftrace bundle each: print events of the frames."""
    packets = b""
    for process in phone.processes:
        for begin, length in process.between(begin_ns, end_ns):
            for at, text in ((begin, f"B|{process.pid}|Choreographer#doFrame\n"), (begin + length // 2, f"E|{process.pid}\n")):
                event = varint(1 << 3) + varint(at) + varint(2 << 3) + varint(process.pid) + message(3, message(2, text.encode()))
                bundle = varint(1 << 3) + varint(0) + message(2, event)
                packets += message(1, message(1, bundle))
    return packets


def perfetto(phone, call):
    words = call.words
    seconds = 5.0
    if "-t" in words:
        seconds = float(words[words.index("-t") + 1].rstrip("s"))
    if "-c" in words and words[words.index("-c") + 1] == "-":
        text = ""
        while (line := call.read_line()) is not None:
            text += line + "\n"
        if "duration_ms:" in text:
            seconds = int(text.split("duration_ms:")[1].split()[0]) / 1000
    begin = phone.now_ns()
    call.sleep(seconds)
    data = perfetto_trace(phone, begin, phone.now_ns())
    target = words[words.index("-o") + 1] if "-o" in words else ""
    if target in ("", "-"):
        call.write(data)
    else:
        phone.path(target).write_bytes(data)
    return 0


COMMANDS = {"atrace": atrace, "perfetto": perfetto}
