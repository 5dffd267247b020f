"""dejank trace symbolize names sampled functions of stripped files, from debug files with the right build-id."""

import gzip
import json
import lzma
import os
import re
import shutil
import subprocess
from pathlib import Path

import naive_stacks
import pytest
from sampled_trace import MS, Trace

PROTO = Path(__file__).resolve().parents[1] / "data"


@pytest.fixture
def dejank(build):
    def run(*words, code=0):
        done = subprocess.run([build / "dejank", *map(str, words)], capture_output=True, text=True, timeout=120, check=False)
        assert code in (None, done.returncode), done.stderr
        return done.stderr if code else done.stdout

    return run


class App:
    """A program with symbols but without DWARF, its stripped copy, and the addresses of its functions as nm prints them."""

    def __init__(self, unstripped, folder):
        self.unstripped, self.stripped = folder / "app with symbols", folder / "libapp.so.1"
        subprocess.run(["strip", "--strip-debug", "-o", self.unstripped, unstripped], check=True)
        subprocess.run(["strip", "-o", self.stripped, unstripped], check=True)
        notes = subprocess.run(["readelf", "-n", unstripped], capture_output=True, text=True, check=True).stdout
        self.build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
        symbols = subprocess.run(["nm", "--defined-only", unstripped], capture_output=True, text=True, check=True).stdout
        self.starts = {name: int(start, 16) for start, _, name in map(str.split, symbols.splitlines())}

    def write_trace(self, path, library=None):
        """Writes samples with run_long at two addresses, run_short at one, and an address that is in no function."""
        trace = Trace(library=str(library or self.stripped), build_id=bytes.fromhex(self.build_id))
        trace.begin(1000 * MS, "frame 1")
        for number, name in enumerate(("run_long", "run_short", "run_long")):
            trace.sample((1001 + number) * MS, f"main/{self.starts[name] + 4 + number:#x}")
        trace.sample(1010 * MS, "main/0x1")
        trace.end(1020 * MS)
        path.write_bytes(trace.bytes())
        return path


@pytest.fixture
def app(build, tmp_path):
    if not all(map(shutil.which, ("strip", "nm", "readelf"))):
        pytest.skip("strip, nm and readelf are not installed: tools/deps build")
    return App(build / "tests/programs/planted_stacks", tmp_path)


@pytest.fixture
def trace(app, tmp_path):
    return app.write_trace(tmp_path / "t.pftrace")


def get_names(dejank, trace):
    """The innermost functions of the samples, from a copy of the trace that dejank rewrites."""
    again = trace.with_name("again.pftrace")
    dejank("trace", "read", trace, "-o", again)
    return [sample.functions[0] for sample in naive_stacks.read(again)[0]]


def by_build_id(folder, app):
    path = folder / ".build-id" / app.build_id[:2] / f"{app.build_id[2:]}.debug"
    path.parent.mkdir(parents=True)
    subprocess.run(["objcopy", "--only-keep-debug", app.unstripped, path], check=True)
    return path


def unstripped_in_a_tree(folder, app):
    path = folder / "out" / "bin" / "any name"
    path.parent.mkdir(parents=True)
    shutil.copy(app.stripped, folder / "out" / "a-stripped-copy")  # the right build-id, but no symbols
    return Path(shutil.copy(app.unstripped, path))


def link_to_a_file(folder, app):
    (folder / "links").mkdir(parents=True)
    (folder / "links" / "circle").symlink_to(folder)
    (folder / "links" / "app").symlink_to(app.unstripped)
    return folder / "links" / "app"


def the_file_itself(folder, app):
    folder.parent.mkdir(exist_ok=True)
    return Path(shutil.copy(app.unstripped, folder))


@pytest.mark.parametrize("layout", [by_build_id, unstripped_in_a_tree, link_to_a_file, the_file_itself])
def test_functions_get_names_and_the_rest_stays(dejank, app, trace, tmp_path, layout):
    before = trace.read_bytes()
    debug = layout(tmp_path / "symbols", app)
    answer = json.loads(dejank("trace", "symbolize", trace, "--symbols", tmp_path / "symbols", "--json"))
    assert answer["schema"] == "dejank.trace-symbolize/1" and answer["file"] == str(trace) and answer["written"]
    assert (answer["functions"], answer["named"], answer["stacks"]) == (4, 3, 4)
    assert answer["modules"] == [{"path": str(app.stripped), "build_id": app.build_id, "functions": 4, "named": 3,
                                  "symbols": str(debug), "refused": None}]
    after = trace.read_bytes()
    assert after.startswith(before) and len(after) > len(before), "all bytes of the trace stay"
    assert get_names(dejank, trace) == ["run_long", "run_short", "run_long", ""]
    again = json.loads(dejank("trace", "symbolize", trace, "--symbols", tmp_path / "symbols", "--json"))
    assert again["functions"] == 1 and not again["written"] and trace.read_bytes() == after


def test_the_text_says_what_is_missing_and_what_to_do(dejank, app, trace, tmp_path):
    """Only a debug file of another build exists."""
    other = tmp_path / "symbols" / "libapp.so.1.debug"
    other.parent.mkdir()
    shutil.copy("/bin/true", other)
    notes = subprocess.run(["readelf", "-n", other], capture_output=True, text=True, check=True).stdout
    other_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
    before = trace.read_bytes()
    text = " ".join(dejank("trace", "symbolize", trace, "--symbols", other.parent).split())
    assert "Named 0 of 4 functions without names" in text and "wrote" not in text
    assert "symbols not found" in text and app.build_id in text
    joined = text.replace(" ", "")
    assert f"{other}wasnotused:itsbuild-idis{other_id},expected{app.build_id}.".replace(" ", "") in joined
    assert "-dbgsym" in text and "--symbols" in text
    assert trace.read_bytes() == before
    answer = json.loads(dejank("trace", "symbolize", trace, "--symbols", other.parent, "--json"))
    assert answer["modules"][0]["refused"] == {"path": str(other), "build_id": other_id}
    assert answer["modules"][0]["symbols"] is None


def test_folders_that_cannot_be_read_are_named(dejank, trace, tmp_path):
    """The path of the innermost folder is longer than the kernel accepts."""
    symbols = tmp_path / "symbols"
    symbols.mkdir()
    folder = os.open(symbols, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=folder)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    answer = json.loads(dejank("trace", "symbolize", trace, "--symbols", symbols, "--json"))
    assert [one["reason"] for one in answer["unreadable"]] == ["File name too long"]
    assert answer["unreadable"][0]["path"].startswith(f"{symbols}/ddd")
    text = "".join(dejank("trace", "symbolize", trace, "--symbols", symbols).split())
    assert f"Cannotread{symbols}/ddd" in text and "dd:Filenametoolong.Debugfilestherewerenotused." in text


def test_a_file_on_this_machine_counts_only_with_its_build_id(dejank, app, tmp_path):
    trace = app.write_trace(tmp_path / "t.pftrace", library=app.unstripped)
    answer = json.loads(dejank("trace", "symbolize", trace, "-o", tmp_path / "o.pftrace", "--json"))
    assert answer["named"] == 3 and answer["file"] == str(tmp_path / "o.pftrace")
    upgraded = app.write_trace(tmp_path / "u.pftrace", library="/bin/true")
    assert json.loads(dejank("trace", "symbolize", upgraded, "--json"))["named"] == 0


def test_compressed_symbols_in_the_file(dejank, app, trace, tmp_path):
    """.gnu_debugdata, as in Fedora's packages. A damaged one is not used."""
    only = tmp_path / "only.debug"
    subprocess.run(["objcopy", "--only-keep-debug", app.unstripped, only], check=True)
    for packed, named in ((lzma.compress(only.read_bytes()), 3), (lzma.compress(only.read_bytes())[:-40], 0), (b"\xfd7zXZ", 0)):
        (tmp_path / "packed").write_bytes(packed)
        symbols = tmp_path / "symbols" / "libapp.so.1"
        symbols.parent.mkdir(exist_ok=True)
        subprocess.run(["objcopy", f"--add-section=.gnu_debugdata={tmp_path / 'packed'}", app.stripped, symbols], check=True)
        answer = json.loads(dejank("trace", "symbolize", trace, "-o", tmp_path / "o.pftrace", "--symbols", symbols.parent, "--json"))
        assert answer["named"] == named and answer["modules"][0]["symbols"] == str(symbols)


INLINED = """
static volatile unsigned long sum;
static inline __attribute__((always_inline)) void blend(int n) { for (int i = 0; i < n; i++) { sum = sum * 3 + 1; } }
static inline __attribute__((always_inline)) void draw_span(int n) {
    blend(n);
    sum++;
}
__attribute__((noinline)) void draw(int n) {
    draw_span(n);
    sum++;
}
int main(int count, char **words) { draw(count); return words == 0; }
"""


def read_symbols(trace):
    """The functions of each address in the ModuleSymbols packets: [(function, file, line), …]."""
    found = {}
    for number, packet in naive_stacks.fields(trace.read_bytes()):
        module = naive_stacks.first(packet, 61) if number == 1 else None
        for key, symbols in naive_stacks.fields(module or b""):
            if key == 3:
                lines = [line for at, line in naive_stacks.fields(symbols) if at == 2]
                found[naive_stacks.first(symbols, 1)] = [(naive_stacks.first(line, 1, b"").decode(), naive_stacks.first(line, 2, b"").decode(),
                                                          naive_stacks.first(line, 3)) for line in lines]
    return found


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_lines_and_inlined_functions_are_those_of_addr2line(build, dejank, tmp_path, compiler):
    if not all(map(shutil.which, (compiler, "strip", "nm", "addr2line", "readelf"))):
        pytest.skip(f"{compiler} and binutils are not installed: tools/deps build")
    libraries = json.loads(dejank("doctor", "--json", code=None))["checks"]
    if "libdw" in next(row["found"] for row in libraries if row["name"] == "libraries"):
        pytest.skip("libdw is not installed: tools/deps build")
    (tmp_path / "draw.c").write_text(INLINED)
    program = tmp_path / "program"
    subprocess.run([compiler, "-g", "-O2", "-o", program, tmp_path / "draw.c"], check=True)
    app = App(program, tmp_path)
    trace = Trace(library=str(app.stripped), build_id=bytes.fromhex(app.build_id))
    addresses = [app.starts["draw"] + offset for offset in (0, 4, 9, 16, 20)]
    for number, address in enumerate(addresses):
        trace.sample((1000 + number) * MS, f"main/{address:#x}")
    path = tmp_path / "t.pftrace"
    path.write_bytes(trace.bytes())
    answer = json.loads(dejank("trace", "symbolize", path, "--symbols", program, "--json"))
    assert answer["lines"] == answer["named"] == len(addresses) and answer["inlined"] > 0
    found = read_symbols(path)
    for address in addresses:
        rows = subprocess.run(["addr2line", "-f", "-i", "-e", program, hex(address)], capture_output=True, text=True, check=True).stdout.splitlines()
        places = [row.split(" ")[0].rsplit(":", 1) for row in rows[1::2]]
        assert found[address] == [(name, file, int(line)) for name, (file, line) in zip(rows[::2], places)]
    names = get_names(dejank, path)
    assert names == [found[address][0][0] for address in addresses], "an inlined function is the innermost one"
    after = path.read_bytes()
    dejank("trace", "symbolize", path, "--symbols", program)
    assert path.read_bytes() == after


def test_another_output_is_a_copy_if_there_is_nothing_to_name(dejank, trace, tmp_path):
    dejank("trace", "symbolize", trace, "-o", tmp_path / "o.pftrace")
    assert (tmp_path / "o.pftrace").read_bytes() == trace.read_bytes()


def test_protoc_reads_the_names(dejank, app, trace):
    if not shutil.which("protoc"):
        pytest.skip("protoc is not installed: tools/deps tests")
    dejank("trace", "symbolize", trace, "--symbols", app.unstripped)
    with open(trace, "rb") as file:
        done = subprocess.run(["protoc", "--decode=Trace", "-I", PROTO, PROTO / "perfetto.proto"], stdin=file, capture_output=True,
                              timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    assert f'path: "{app.stripped}"' in text and text.count('function_name: "run_long"') == 2
    assert f"address: {app.starts['run_short'] + 5}\n" in text


def test_the_owner_and_the_permissions_stay(dejank, app, trace):
    trace.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(trace, 65534, 65534)
    before = trace.stat()
    dejank("trace", "symbolize", trace, "--symbols", app.unstripped)
    after = trace.stat()
    assert after.st_ino != before.st_ino and (after.st_mode, after.st_uid) == (before.st_mode, before.st_uid)


def test_a_truncated_trace_is_named_up_to_its_last_packet(dejank, app, trace):
    whole = trace.read_bytes()
    trace.write_bytes(whole + b"\x0a\x7f1234")
    answer = json.loads(dejank("trace", "symbolize", trace, "--symbols", app.unstripped, "--json"))
    assert answer["named"] == 3 and answer["incomplete_bytes"] == 6
    assert trace.read_bytes().startswith(whole) and get_names(dejank, trace)[0] == "run_long"


def test_bad_inputs_are_refused(dejank, trace, tmp_path):
    assert "no/such: No such file" in dejank("trace", "symbolize", trace, "--symbols", "no/such", code=4)
    assert "No such file" in dejank("trace", "symbolize", tmp_path / "none.pftrace", code=4)
    packed = tmp_path / "t.pftrace.gz"
    packed.write_bytes(gzip.compress(trace.read_bytes()))
    assert "expected a Perfetto trace that is not compressed" in dejank("trace", "symbolize", packed, code=2)
    empty = Trace()
    empty.begin(MS, "a")
    empty.end(2 * MS)
    (tmp_path / "e.pftrace").write_bytes(empty.bytes())
    assert "no sampled call stacks" in dejank("trace", "symbolize", tmp_path / "e.pftrace", code=4)
    blocked = tmp_path / "no" / "o.pftrace"
    assert "cannot write" in dejank("trace", "symbolize", trace, "-o", blocked, code=4)
