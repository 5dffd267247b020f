"""Writes Perfetto traces with frames and sampled call stacks, from Perfetto's field numbers. Shares no code with dejank's writer."""

PID = 4242
TRACK = 77


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(*parts):
    return b"".join(field(number, value) for number, value in parts)


class Trace:
    """A trace with sections in sequence 1 and samples in sequence 2. Times are in ns."""

    def __init__(self, period_ns=1_000_000, library="/usr/lib/libscene.so.2", build_id=bytes.fromhex("c0ffee01")):
        thread = message((1, PID), (2, PID), (5, "scene"))
        self.packets = [message((10, 1), (13, 1), (60, message((1, TRACK), (4, thread))))]
        timebase = message((1, period_ns), (4, 1))
        self.packets.append(message((10, 2), (13, 1), (59, message((12, message((1, timebase)))))))
        self.texts, self.frames, self.stacks = {}, {}, {}
        self.library, self.build_id, self.mapped = library, build_id, False

    def begin(self, at_ns, name):
        self.packets.append(message((8, at_ns), (10, 1), (11, message((9, 1), (11, TRACK), (23, name)))))

    def end(self, at_ns):
        self.packets.append(message((8, at_ns), (10, 1), (11, message((9, 2), (11, TRACK)))))

    def intern(self, table, key, interned, number, entry):
        if key not in table:
            table[key] = len(table) + 1
            interned.append((number, message((1, table[key])) + entry))
        return table[key]

    def sample(self, at_ns, path, tid=PID, error=0, cpu=0):
        """Adds a sample. `path` is like "main/draw". A function like "0x1a2b" has an address in the library instead of a name."""
        interned, ids = [], []
        for name in path.split("/"):
            if name.startswith("0x"):
                entry = message((3, 1), (4, int(name, 16)))
            else:
                entry = message((2, self.intern(self.texts, name, interned, 5, message((2, name)))))
            ids.append(self.intern(self.frames, name, interned, 6, entry))
        stack = self.intern(self.stacks, path, interned, 7, message(*((2, one) for one in ids)))
        if not self.mapped:
            self.mapped = True
            parts = self.library.strip("/").split("/")
            interned += [(16, message((1, 1), (2, self.build_id)))]
            interned += [(17, message((1, i + 1), (2, part))) for i, part in enumerate(parts)]
            interned += [(19, message((1, 1), (2, 1), *((7, i + 1) for i in range(len(parts)))))]
        body = message((1, cpu), (2, PID), (3, tid), (4, stack), (5, 2)) + (message((16, error)) if error else b"")
        self.packets.append(message((8, at_ns), (10, 2), (13, 2), (12, message(*interned)), (66, body)))

    def lose(self, at_ns, count):
        self.packets.append(message((8, at_ns), (10, 2), (13, 2), (66, message((1, 0), (17, count)))))

    def samples(self, from_ns, to_ns, path, period_ns=1_000_000, **more):
        for at_ns in range(from_ns, to_ns, period_ns):
            self.sample(at_ns, path, **more)

    def bytes(self):
        return b"".join(field(1, packet) for packet in self.packets)


MS = 1_000_000
FRAME = 20 * MS


def is_janky(number):
    return number % 4 == 1


def write_scene(path, frames=60, plant="main/frame/draw/draw_shadow/mix", extra_ms=11, lost=0):
    """Writes a trace with frames of 8 ms. Janky frames spend `extra_ms` more in the section "draw", with the call stack `plant`."""
    trace = Trace()
    for number in range(frames):
        start = 1_000_000_000 + number * FRAME
        sampled = start + 300_000 + number * 13_000 % 600_000
        janky = is_janky(number) and extra_ms > 0
        end = start + (8 + (extra_ms if janky else 0)) * MS
        trace.begin(start, f"frame {number}")
        trace.samples(sampled, start + 3 * MS, "main/frame/update/mix")
        trace.begin(start + 3 * MS, "draw")
        trace.samples(sampled + 3 * MS, start + 5 * MS, "main/frame/draw/draw_text/mix")
        trace.samples(sampled + 5 * MS, start + 7 * MS, "main/frame/draw/draw_shadow/mix")
        trace.samples(sampled + 7 * MS, start + 8 * MS, "main/frame/draw/0x1a2b")
        if janky:
            trace.samples(sampled + 8 * MS, end, plant)
        trace.end(end)
        trace.end(end + 1000)
    if lost:
        trace.lose(1_000_000_000, lost)
    path.write_bytes(trace.bytes())
    return path
