"""Generated perf.data files: simpleperf's symbols, variants that the local perf does not write, and damage."""

import json
import subprocess

import made_perf_data as made
import naive_stacks
import pytest
from made_perf_data import MS, PID

AT = 1_000_000_000


@pytest.fixture
def dejank(build):
    def run(*words, code=0):
        done = subprocess.run([build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture
def read(dejank, tmp_path):
    """Returns the JSON and the samples of a file with these bytes."""
    def run(data):
        (tmp_path / "perf.data").write_bytes(data)
        answer = json.loads(dejank("trace", "read", "--json", tmp_path / "perf.data"))
        dejank("trace", "read", tmp_path / "perf.data", "-o", tmp_path / "out.pftrace")
        return answer, naive_stacks.read(tmp_path / "out.pftrace")[0]

    return run


def lines(count=4, functions=("main", "frame", "mix"), **more):
    return [made.sample(PID, PID, AT + i * MS, made.stack(*functions), **more) for i in range(count)]


@pytest.mark.parametrize("newer", [True, False])
def test_simpleperfs_symbols_and_clock(read, newer):
    chain = made.stack("main", "frame", "_ZN5Scene11draw_shadowEv", "mix")
    kernel = made.sample(PID, PID + 1, AT + 9 * MS, [made.KERNEL_CONTEXT, 0xFFFFFFFF80001010, 0xFFFFFFFF80002010, *made.stack("main")],
                         misc=made.KERNEL)
    answer, samples = read(made.simpleperf([made.sample(PID, PID, AT, chain), kernel], newer=newer, clock=None))
    assert answer["clock"]["name"] == "mono" and answer["clock"]["to_mono_ns"] == 0
    assert samples[0].functions == ["mix", "Scene::draw_shadow", "frame", "main"]
    # The callers' addresses are inside the call instruction.
    assert [one[2] for one in samples[0].modules] == [0x2310, 0x220F, 0x210F, 0x200F]
    assert {one[0] for one in samples[0].modules} == {made.LIBRARY}
    assert samples[1].functions == ["do_page_fault", "[kernel]", "main"] and samples[1].tid == PID + 1
    assert {"scene", "RenderThread"} == {one["name"] for one in answer["threads"]}


def test_events_of_new_threads_and_large_records(read):
    """simpleperf describes the events of threads that start later, in records that may be larger than 64 KiB."""
    pairs = [(0, 50 + i) for i in range(5000)]
    ids = made.record(made.EVENT_IDS, made.struct.pack("<Q", len(pairs)) + b"".join(made.struct.pack("<QQ", *one) for one in pairs))
    assert len(ids) > 1 << 16
    answer, samples = read(made.simpleperf([ids, *lines(event_id=60)]))
    assert len(samples) == 4 and answer["missing"]["damaged"] == 0


def test_modules_without_symbols_are_offsets(read):
    build_id = bytes(range(20))
    sections = {made.BUILD_IDS: made.build_id_list((build_id, made.LIBRARY))}
    _, samples = read(made.file([*made.start(), *lines()], sections=sections))
    assert samples[0].functions == ["", "", ""]
    assert samples[0].modules[0] == (made.LIBRARY, build_id.hex(), 0x1310)
    other = [made.name(PID, PID, "scene"), made.mapping(PID, made.BASE, 0x4000, 0, made.LIBRARY, build_id=b"12345678"), *lines()]
    assert read(made.file(other))[1][0].modules[0] == (made.LIBRARY, b"12345678".hex(), 0x1310)


def test_a_local_file_with_another_build_id_gives_no_names(read, build):
    """The address is that of a function in the local file. Its name is used only if the recorded file has the same build ID."""
    program = str(build / "tests/programs/planted_functions")
    nm = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    start = next(int(line.split()[0], 16) for line in nm.splitlines() if line.endswith(" draw_frame"))
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    build_id = bytes.fromhex(notes.split("Build ID: ")[1].split()[0])
    chain = [made.USER_CONTEXT, 0x10000000 + start + 1]
    for recorded, name in ((build_id, "draw_frame"), (bytes(20), "")):
        records = [made.mapping(PID, 0x10000000, 0x10000, 0, program, build_id=recorded), made.sample(PID, PID, AT, chain)]
        assert read(made.file(records))[1][0].functions == [name]
    assert read(made.file([made.mapping(PID, 0x10000000, 0x10000, 0, program), records[1]]))[1][0].functions == [""]


@pytest.mark.parametrize("length", [8, 16])
def test_short_build_ids_that_are_padded_with_zeros(read, length):
    """simpleperf, and perf before Linux 5.12, store 20 bytes."""
    build_id = bytes(range(1, 1 + length))
    sections = {made.BUILD_IDS: made.build_id_list((build_id, made.LIBRARY))}
    _, samples = read(made.file([*made.start(), *lines()], sections=sections))
    assert samples[0].modules[0] == (made.LIBRARY, build_id.hex(), 0x1310)


def test_mappings_of_children_and_of_new_programs(read):
    """A child inherits its parent's mappings. A program that another one replaces loses them."""
    fork = made.fork(PID + 9, PID, PID + 9, PID, AT)
    execs = made.name(PID + 9, PID + 9, "other", AT + 2 * MS, execs=True)
    child = [made.sample(PID + 9, PID + 9, AT + at * MS, made.stack("mix")) for at in (1, 3)]
    _, samples = read(made.simpleperf([fork, child[0], execs, child[1]]))
    assert [one.functions for one in samples] == [["mix"], [""]]


def test_records_are_read_in_order_of_time(read):
    """Each CPU has its own part of the file."""
    late = made.old_mapping(PID, made.BASE, 0x4000, 0, "/lib/other.so", AT + 2 * MS)
    answer, samples = read(made.simpleperf([late, *reversed(lines(4))]))
    assert [one.at_ns for one in samples] == [AT + i * MS for i in range(4)] and answer["missing"]["backwards"] == 0
    assert [one.modules[0][0] for one in samples] == [made.LIBRARY] * 2 + ["/lib/other.so"] * 2


@pytest.mark.parametrize("kind", [made.COMPRESSED, made.COMPRESSED_2])
def test_a_record_may_be_in_two_compressed_parts(read, kind):
    whole = b"".join(lines(6))
    parts = made.zstd_frame(whole[:150], whole[150:])
    pad = (lambda data: data) if kind == made.COMPRESSED else (lambda data: made.struct.pack("<Q", len(data)) + data + bytes(-len(data) % 8))
    answer, samples = read(made.file([*made.start(), *(made.record(kind, pad(part)) for part in parts)]))
    assert len(samples) == 6 and answer["missing"]["damaged"] == 0


def test_losses_and_a_lowered_rate(read):
    throttle = made.record(made.THROTTLE, made.struct.pack("<QQQ", AT, 1, 1) + made.trailer(PID, PID, AT))
    answer, _ = read(made.file([*made.start(), *lines(), made.lose(7, AT + MS), throttle]))
    assert answer["missing"]["call_stacks"] == 7
    assert any("lowered the rate" in note for note in answer["notes"])


def test_the_clock_of_each_event(read):
    names = {1: "mono", 7: "boot", 0: "realtime", 4: "mono_raw", None: "perf"}
    for clock, name in names.items():
        answer, _ = read(made.file([*made.start(), *lines()], clock=clock))
        assert answer["clock"]["name"] == name and (answer["clock"]["to_mono_ns"] == 0) == (name == "mono")


def test_other_byte_order_and_old_format(dejank, tmp_path):
    whole = made.file([*made.start(), *lines()])
    for data, expected in ((b"2ELIFREP" + whole[8:], "big-endian"), (b"PERFFILE" + whole[8:], "expected PERFILE2"),
                           (whole[:40], "byte 40: the file ends in its header"), (whole[:16] + bytes(8) + whole[24:], "byte 16: expected the size"),
                           (made.file([]), "no samples that can be used")):
        (tmp_path / "bad").write_bytes(data)
        assert expected in dejank("trace", "read", tmp_path / "bad", code=4)


def test_damage_keeps_what_was_read_before(read):
    whole = made.simpleperf(lines(8))
    size = len(lines(1)[0])
    records = whole.index(lines(1)[0])
    broken = bytearray(whole)
    broken[records + 4 * size + 6:records + 4 * size + 8] = b"\x04\x00"
    answer, samples = read(bytes(broken))
    assert len(samples) == 4 and answer["missing"]["damaged"] == 1
    answer, samples = read(whole[:records + 3 * size + 5])
    assert len(samples) == 3 and answer["missing"]["damaged"] >= 1
    answer, samples = read(made.file([*made.start(), *lines(2), made.record(made.COMPRESSED, b"no zstd"), *lines(2)]))
    assert len(samples) == 4 and answer["missing"]["damaged"] == 1


def test_the_place_of_damage_is_printed(dejank, tmp_path):
    whole = made.file([*made.start(), *lines(8)])
    last = len(whole) - len(lines(1)[0])
    (tmp_path / "cut").write_bytes(whole[:-3])
    text = " ".join(dejank("trace", "read", tmp_path / "cut").split())
    assert f"byte {len(whole) - 3}: the file ends here; expected" in text
    (tmp_path / "short").write_bytes(whole[:last + 6] + b"\x05\x00" + whole[last + 8:])
    text = " ".join(dejank("trace", "read", tmp_path / "short").split())
    assert f"byte {last}: expected a record of at least 8 bytes, found one of 5 bytes" in text


def test_hostile_sizes(read):
    """A sample with a count far larger than the file is damage, and dejank allocates no memory for it."""
    huge = made.struct.pack("<QQiiQIIQQ", 1, 0, PID, PID, AT, 0, 0, 1, 1 << 61)
    answer, samples = read(made.file([*made.start(), made.record(made.SAMPLE, huge, 2), *lines(1)]))
    assert len(samples) == 1 and answer["missing"]["damaged"] == 1
    forks = [made.fork(PID + i, PID + i - 1, PID + i, PID + i - 1, AT) for i in range(1, 300)]
    maps = [made.mapping(PID, 0x1000 * i, 0x1000, 0, f"/{i}") for i in range(1, 1000)]
    answer, samples = read(made.file([*maps, *forks, *lines(1)]))
    assert len(samples) == 1
