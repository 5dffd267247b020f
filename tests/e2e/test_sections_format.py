"""docs/format/sections.md describes the whole format: this second reader uses only its tables."""
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

TEXT = (Path(__file__).resolve().parents[2] / "docs/format/sections.md").read_text()


def table(heading):
    """{field: (offset, bytes)} of the table under a heading."""
    section = re.search(rf"^### {heading}.*?\n(.*?)(?=^###|\Z)", TEXT, re.M | re.S).group(1)
    rows = re.findall(r"^\| (\d+) \| ?(\d*) ?\| `(\w+)` \|", section, re.M)
    return {name: (int(offset), int(size or 0)) for offset, size, name in rows}


HEADER, RING, SLOT = table("Header"), table("Ring"), table("Slot")


def number(fields, data, name):
    offset, size = fields[name]
    return int.from_bytes(data[offset:offset + size], "little", signed=True)


def text(fields, data, name):
    offset, size = fields[name]
    return data[offset:offset + size].split(b"\0", 1)[0].decode()


def events_of(ring, keep):
    """Yields (stamp, tid, kind, value, name) of every event that the ring still has completely."""
    published = number(RING, ring, "published")
    slots = ring[RING["slots"][0]:]
    index = max(0, published - keep)
    while index < published:
        slot = slots[index % keep * 32:][:32]
        count = number(SLOT, slot, "event_slots") if number(SLOT, slot, "at_ns") else 1
        if number(SLOT, slot, "at_ns"):
            name = slot[24:32] + b"".join(slots[(index + i) % keep * 32:][8:32] for i in range(1, count))
            yield (number(SLOT, slot, "at_ns"), number(SLOT, slot, "event_tid"), number(SLOT, slot, "kind"),
                   number(SLOT, slot, "value"), name[:number(SLOT, slot, "length")].decode())
        index += count


@pytest.fixture
def run(recorder, build):
    def run(*words, **environment):
        subprocess.run([build / "tests/programs/sectioner", *map(str, words)], check=True, timeout=60,
                       stdout=subprocess.DEVNULL, env={**recorder.environment, **environment})
        path, = Path(recorder.environment["DEJANK_DIR"]).glob("*.sections")
        return path, path.read_bytes()
    return run


@pytest.mark.parametrize("fields, size", [(HEADER, 624), (SLOT, 32), (RING, 4096)])
def test_tables_have_no_hole_and_no_overlap(fields, size):
    end = 0
    for name, (offset, length) in fields.items():
        assert offset in (end, (end + 7) // 8 * 8) or (name, offset) == ("slots", 4096), name
        end = offset + length
    assert end == size


def test_header(run):
    path, data = run("plain", 3, DEJANK_NAME="org.example.Größe")
    assert data[:8] == b"DJSECT\r\n"
    assert number(HEADER, data, "byte_order") == 0x01020304
    assert [number(HEADER, data, name) for name in ("version", "header_bytes", "rings", "keep")] == [1, 4096, 64, 32768]
    assert number(HEADER, data, "ring_bytes") == 4096 + 32 * 32768
    assert len(data) == 4096 + 64 * number(HEADER, data, "ring_bytes")
    assert path.name == f"{number(HEADER, data, 'pid')}.{number(HEADER, data, 'start_ticks')}.sections"
    assert text(HEADER, data, "boot_id") == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert text(HEADER, data, "name") == "org.example.Größe"
    assert text(HEADER, data, "program") == "sectioner"
    assert number(HEADER, data, "used") == 1
    assert number(HEADER, data, "dropped") == 0
    assert path.stat().st_mode & 0o7777 == 0o600


def test_rings_and_slots(run):
    _, data = run("threads", 4, 300, DEJANK_SECTIONS="1024")
    keep = number(HEADER, data, "keep")
    assert keep == 1024
    size = number(HEADER, data, "ring_bytes")
    seen = Counter()
    for n in range(number(HEADER, data, "used")):
        ring = data[4096 + n * size:4096 + (n + 1) * size]
        assert number(RING, ring, "begun") == number(RING, ring, "published")
        tid = number(RING, ring, "tid")
        assert text(RING, ring, "thread") == "sectioner"
        events = list(events_of(ring, keep))
        assert all(event[1] == tid for event in events)
        assert [event[0] for event in events] == sorted(event[0] for event in events)
        assert events[0][2:] == (6, 0, "sectioner"), "a thread takes the ring"
        seen.update((kind, name) for _, _, kind, _, name in events)
    assert seen == {(6, "sectioner"): 5, (1, "first"): 1, (1, "ready"): 4, (1, "work"): 1200, (2, ""): 1205}


def test_a_ring_that_went_round(run):
    _, data = run("flood", 3000, DEJANK_SECTIONS="1024")
    ring = data[4096:]
    assert number(RING, ring, "published") == 6002, "the thread's name takes two slots"
    events = list(events_of(ring, 1024))
    assert Counter((kind, name) for _, _, kind, _, name in events) == {(1, "flood"): 512, (2, ""): 512}
