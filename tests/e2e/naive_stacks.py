"""A naive reader of the sampled call stacks in a Perfetto trace. It shares no code with dejank."""

from collections import namedtuple

Sample = namedtuple("Sample", "at_ns sequence pid tid cpu functions modules error")
Loss = namedtuple("Loss", "at_ns cpu records")

# Fields of Perfetto's messages.
PACKET, TIMESTAMP, SEQUENCE, INTERNED, FLAGS, DEFAULTS, PERF_SAMPLE = 1, 8, 10, 12, 13, 59, 66
FUNCTIONS, FRAMES, CALLSTACKS, BUILD_IDS, PATHS, MAPPINGS = 5, 6, 7, 16, 17, 19
CLEARED = 1


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """All fields of a message: (number, value)."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                assert kind == 2, f"wire type {kind}"
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field ends after its message"
        yield tag >> 3, value


def first(message, number, default=None):
    return next((value for key, value in fields(message) if key == number), default)


class Sequence:
    """Interned data of a packet sequence."""

    def __init__(self):
        self.tables = {number: {} for number in (FUNCTIONS, FRAMES, CALLSTACKS, BUILD_IDS, PATHS, MAPPINGS)}

    def add(self, interned):
        for number, entry in fields(interned):
            if number in self.tables:
                iid = first(entry, 1)
                assert iid not in self.tables[number], "an id is defined twice"
                self.tables[number][iid] = entry

    def text(self, table, iid):
        return first(self.tables[table][iid], 2).decode() if iid else ""

    def frame(self, iid):
        """(function, path of its module, build-id, address)."""
        entry = self.tables[FRAMES][iid]
        mapping = first(entry, 3, 0)
        module = self.tables[MAPPINGS][mapping] if mapping else b""
        build_id = first(module, 2, 0)
        return (self.text(FUNCTIONS, first(entry, 2, 0)), self.text(PATHS, first(module, 7, 0)),
                first(self.tables[BUILD_IDS][build_id], 2).hex() if build_id else "", first(entry, 4))

    def stack(self, iid):
        """The frames of a call stack, from the innermost to the outermost."""
        return [self.frame(frame) for number, frame in fields(self.tables[CALLSTACKS][iid]) if number == 2][::-1]


def read(file):
    """The samples and the losses of a trace."""
    sequences, samples, losses = {}, [], []
    for number, packet in fields(file.read_bytes()):
        assert number == PACKET
        got = dict(fields(packet))
        key = got.get(SEQUENCE, 0)
        if got.get(FLAGS, 0) & CLEARED or key not in sequences:
            sequences[key] = Sequence()
        if PERF_SAMPLE not in got and DEFAULTS not in got:
            continue
        sequences[key].add(got.get(INTERNED, b""))
        sample = dict(fields(got.get(PERF_SAMPLE, b"")))
        if 17 in sample:
            losses.append(Loss(got[TIMESTAMP], sample.get(1), sample[17]))
        elif PERF_SAMPLE in got:
            frames = sequences[key].stack(sample[4]) if 4 in sample else []
            samples.append(Sample(got[TIMESTAMP], key, sample[2], sample[3], sample.get(1), [frame[0] for frame in frames],
                                  [frame[1:] for frame in frames], sample.get(16, 1)))
    return samples, losses
