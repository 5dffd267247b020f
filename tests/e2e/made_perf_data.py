"""Makes perf.data files like those of perf and simpleperf, from the format's documentation. Shares no code with dejank's reader."""

import struct

IP, TID, TIME, ID, CPU, PERIOD, CALLCHAIN, RAW = 1, 2, 4, 64, 128, 256, 32, 1024
REGS_USER, STACK_USER, IDENTIFIER = 1 << 12, 1 << 13, 1 << 16
MMAP, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, MMAP2, LOST_SAMPLES, SWITCH = 1, 2, 3, 4, 5, 7, 9, 10, 13, 14
COMPRESSED, COMPRESSED_2, EVENT_IDS = 81, 83, 32774
KERNEL, USER = 1, 2
CPU_CLOCK, TASK_CLOCK, PAGE_FAULTS, CYCLES = (1, 0), (1, 1), (1, 2), (0, 0)
USER_CONTEXT, KERNEL_CONTEXT = (1 << 64) - 512, (1 << 64) - 128
FREQUENCY, SAMPLE_ID_ALL, CLOCK = 1 << 10, 1 << 18, 1 << 25
BUILD_IDS, ARCH, FILES, META, FILES_2 = 2, 6, 128, 129, 132
USUAL = IP | TID | TIME | CPU | PERIOD | CALLCHAIN | IDENTIFIER


def attributes(event=CPU_CLOCK, sample_type=USUAL, rate=1000, clock=1, registers=0, stack=0):
    flags = FREQUENCY | SAMPLE_ID_ALL | (CLOCK if clock is not None else 0)
    return struct.pack("<IIQQQQQIIQQQQIiQII", event[0], 128, event[1], rate, sample_type, 0, flags, 0, 0, 0, 0, 0, registers, stack,
                       clock or 0, 0, 0, 0) + bytes(16)


def record(kind, body, misc=0):
    if kind >= 32768:  # A record of simpleperf may be larger than 64 KiB.
        size = 8 + len(body)
        return struct.pack("<IHH", kind, size >> 16, size & 0xFFFF) + body
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(value):
    value = value.encode() + b"\0"
    return value + bytes(-len(value) % 8)


def trailer(pid, tid, at_ns, cpu=0, event_id=1):
    """Fields that the kernel appends to each record except samples."""
    return struct.pack("<iiQIIQ", pid, tid, at_ns, cpu, 0, event_id)


def mapping(pid, start, size, offset, path, at_ns=0, build_id=None, protection=5):
    head = struct.pack("<iiQQQ", pid, pid, start, size, offset)
    if build_id is None:
        middle = struct.pack("<IIQQ", 0, 0, 0, 0)
    else:
        middle = struct.pack("<BBH20s", len(build_id), 0, 0, build_id)
    return record(MMAP2, head + middle + struct.pack("<II", protection, 2) + text(path) + trailer(pid, pid, at_ns),
                  1 << 14 if build_id is not None else 0)


def old_mapping(pid, start, size, offset, path, at_ns=0):
    return record(MMAP, struct.pack("<iiQQQ", pid, pid, start, size, offset) + text(path) + trailer(pid, pid, at_ns), USER)


def name(pid, tid, comm, at_ns=0, execs=False):
    return record(COMM, struct.pack("<ii", pid, tid) + text(comm) + trailer(pid, tid, at_ns), 1 << 13 if execs else 0)


def fork(pid, parent, tid, parent_tid, at_ns):
    return record(FORK, struct.pack("<iiiiQ", pid, parent, tid, parent_tid, at_ns) + trailer(parent, parent_tid, at_ns))


def sample(pid, tid, at_ns, chain, cpu=0, event_id=1, misc=USER, period=1_000_000):
    """A sample with a call chain. The innermost address is first."""
    body = struct.pack("<QQiiQIIQQ", event_id, chain[0], pid, tid, at_ns, cpu, 0, period, len(chain))
    return record(SAMPLE, body + struct.pack(f"<{len(chain)}Q", *chain), misc)


def lose(count, at_ns):
    return record(LOST, struct.pack("<QQ", 1, count) + trailer(0, 0, at_ns))


def header_string(value):
    value = text(value)
    return struct.pack("<I", len(value)) + value


def build_id_list(*entries):
    """Entries are (build-id, path)."""
    return b"".join(record(0, struct.pack("<i24s", -1, one) + text(path), USER) for one, path in entries)


def meta(**values):
    return b"".join(f"{key}\0{value}\0".encode() for key, value in values.items())


def symbol_file(path, symbols, kind=2, address=0, offset=0):
    """A file's entry in simpleperf's older section. Symbols are (start, size, name)."""
    body = path.encode() + b"\0" + struct.pack("<IQI", kind, address, len(symbols))
    for start, size, word in symbols:
        body += struct.pack("<QI", start, size) + word.encode() + b"\0"
    body += struct.pack("<Q", offset) if kind == 2 else b""
    return struct.pack("<I", len(body)) + body


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def message(*fields):
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts.append(varint(number << 3) + varint(value))
        else:
            parts.append(varint(number << 3 | 2) + varint(len(value)) + value)
    return b"".join(parts)


def symbol_message(path, symbols, kind=2, address=0, offset=0):
    """A file's entry in simpleperf's newer section."""
    fields = [(1, path.encode()), (2, kind), (3, address)]
    fields += [(4, message((1, start), (2, size), (3, word.encode()))) for start, size, word in symbols]
    fields += [(6, message((1, offset)))] if kind == 2 else []
    body = message(*fields)
    return struct.pack("<I", len(body)) + body


def file(records, events=((CPU_CLOCK, (1,)),), sections=None, **more):
    """A complete file. Events are (event, ids)."""
    sections = sections or {}
    records = b"".join(records)
    rows, ids, at = b"", b"", 104
    ids_size = sum(8 * len(one) for _, one in events)
    for event, own in events:
        rows += attributes(event, **more) + struct.pack("<QQ", at + len(ids), 8 * len(own))
        ids += struct.pack(f"<{len(own)}Q", *own)
    data_at = at + ids_size + len(rows)
    bits = sum(1 << number for number in sections)
    head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, at + ids_size, len(rows), data_at, len(records), 0, 0)
    places, contents = b"", b""
    contents_at = data_at + len(records) + 16 * len(sections)
    for number in sorted(sections):
        places += struct.pack("<QQ", contents_at + len(contents), len(sections[number]))
        contents += sections[number]
    return head + bits.to_bytes(32, "little") + ids + rows + records + places + contents


def pipe(records, event=CPU_CLOCK, sections=None, **more):
    """The form that perf writes to a pipe."""
    parts = [b"PERFILE2", struct.pack("<Q", 16), record(64, attributes(event, **more) + struct.pack("<Q", 1))]
    parts += [record(80, struct.pack("<Q", number) + content) for number, content in (sections or {}).items()]
    return b"".join([*parts, *records])


MS = 1_000_000
PID = 4242
LIBRARY = "/data/app/lib/libscene.so"
BASE = 0x70000000
# Functions of the library and their addresses in its file. The code begins at address 0x2000, at byte 0x1000 of the file.
FUNCTIONS = {"main": 0x2000, "frame": 0x2100, "_ZN5Scene11draw_shadowEv": 0x2200, "mix": 0x2300}


def address(function, inside=0x10):
    return BASE + FUNCTIONS[function] - 0x1000 + inside


def stack(*functions):
    """Call chain of these functions, which are given from the outermost to the innermost."""
    return [USER_CONTEXT, *(address(one) for one in reversed(functions))]


def start(at_ns=1_000_000_000):
    return [mapping(-1, 0xFFFFFFFF80000000, 0x10000000, 0, "[kernel.kallsyms]", 0),
            name(PID, PID, "scene"), mapping(PID, BASE, 0x4000, 0, LIBRARY),
            fork(PID, PID, PID + 1, PID, at_ns), name(PID, PID + 1, "RenderThread", at_ns)]


def symbols(make=symbol_message):
    code = [(where, 0x100, word) for word, where in FUNCTIONS.items()]
    kernel = [(0xFFFFFFFF80001000, 0x100, "do_page_fault")]
    return make(LIBRARY, code, address=0x2000, offset=0x1000) + make("[kernel.kallsyms]", kernel, kind=0)


def simpleperf(records, newer=True, **more):
    """A file of simpleperf, with symbols and with metadata of the recording."""
    words = meta(simpleperf_version="1.build.1", clockid="monotonic", event_type_info="cpu-clock,1,0\nsched:sched_switch,2,45")
    section = FILES_2 if newer else FILES
    sections = {ARCH: header_string("aarch64"), META: words, section: symbols(symbol_message if newer else symbol_file)}
    return file([*start(), *records], sections=sections, **more)


def zstd_frame(*blocks):
    """Pieces of a zstd stream that stores blocks uncompressed. Like perf's streams, it has no end."""
    pieces = [struct.pack("<I", len(block) << 3)[:3] + block for block in blocks]
    return [b"\x28\xb5\x2f\xfd\x00\x58" + pieces[0], *pieces[1:]]
