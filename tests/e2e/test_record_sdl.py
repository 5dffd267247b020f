"""SDL 2: times of input handling, and frames of the software renderer (tests/programs/sdl_app.c)."""

import re
import shutil
import sys

import pytest

from recorded import rows_of
from timed import Disturbed, timed

NONE = 2**63 - 1  # hwui's OldestInputEvent of a frame without input
UNACCELERATED = {"SDL_FRAMEBUFFER_ACCELERATION": "0"}
HANDLER_MS = 30
# draw, environment, name of the pipeline in the dump
DRAWS = [("gl", {}, "OpenGL (GLX)"), ("renderer", UNACCELERATED, "SDL"), ("surface", UNACCELERATED, "SDL"),
         ("surface", {"SDL_FRAMEBUFFER_ACCELERATION": "software"}, "SDL"),
         ("surface", {"SDL_FRAMEBUFFER_ACCELERATION": "opengl"}, "OpenGL (GLX)")]


@pytest.fixture
def sdl_app(build):
    program = build / "tests/programs/sdl_app"
    if not program.exists():
        pytest.skip("sdl_app was not built: tools/deps tests")
    return program


def values_of(text):
    """Each framestats row as {column: ns}."""
    blocks = re.findall(r"---PROFILEDATA---\n(.*?)---PROFILEDATA---", text, re.S)
    lines = [line.rstrip(",").split(",") for block in blocks for line in block.splitlines()]
    return [dict(zip(lines[0], map(int, line))) for line in lines[1:]]


def run(recorder, display, program, *options, environment=None):
    result = recorder.run("app", program, *options, environment={**display.environment, **(environment or {})})
    assert (result.returncode, result.stderr) == (0, "")
    return [float(ms) for ms in re.findall(r"handled_ms (\S+)", result.stdout)]


@pytest.mark.parametrize("draw, environment, pipeline", DRAWS)
def test_every_frame_counts_once_whatever_draws_it(recorder, x_server, sdl_app, draw, environment, pipeline):
    run(recorder, x_server, sdl_app, "--draw", draw, "--frames", "50", "--pace", "2", environment=environment)
    recorded = recorder.read("app")
    assert (recorded.total, len(recorded.rows)) == (50, 50)
    assert re.findall(r"^Pipeline=(.*)$", recorded.text, re.M) == [pipeline]


@pytest.mark.parametrize("waits", [[], ["--wait"]], ids=["polled", "awaited"])
@pytest.mark.parametrize("draw", ["gl", "renderer", "surface"])
@timed
def test_a_slow_input_handler_shows_in_input(recorder, x_server, sdl_app, draw, waits):
    handled = run(recorder, x_server, sdl_app, "--draw", draw, "--frames", "70", "--every", "7", "--handler",
                  str(HANDLER_MS), *waits, environment=UNACCELERATED)
    rows = values_of(recorder.dumpsys("gfxinfo", "app", "framestats").stdout)
    assert len(rows) == len(handled) == 70
    stages = [(row["AnimationStart"] - row["HandleInputStart"]) / 1e6 for row in rows]
    for index, (row, stage, ms) in enumerate(zip(rows, stages, handled)):
        assert stage >= ms, f"row {index} is shorter than the handler took"
        assert row["IntendedVsync"] <= row["HandleInputStart"] <= row["AnimationStart"] <= row["SyncQueued"]
    planted = set(range(6, 70, 7))
    assert {index for index, stage in enumerate(stages) if stage >= HANDLER_MS} == planted
    if sum(stage > ms + 2 for stage, ms in zip(stages, handled)) > 7:
        raise Disturbed


def test_the_age_of_input(recorder, x_server, sdl_app):
    run(recorder, x_server, sdl_app, "--frames", "70", "--every", "7", "--handler", "1", environment=UNACCELERATED)
    rows = values_of(recorder.dumpsys("gfxinfo", "app", "framestats").stdout)
    dated = [index for index, row in enumerate(rows) if row["OldestInputEvent"] != NONE]
    # A window that opens under the pointer gets a motion event with its first frames.
    assert [index for index in dated if index > 5] == list(range(6, 70, 7))
    for row in (rows[index] for index in dated):
        # SDL reports whole milliseconds. The key is pressed after the loop wakes and before its handler ends.
        assert row["OldestInputEvent"] <= row["NewestInputEvent"]
        assert row["IntendedVsync"] - 1_000_000 <= row["NewestInputEvent"] <= row["AnimationStart"]
    assert all(row["NewestInputEvent"] == 0 for index, row in enumerate(rows) if index not in dated)


@pytest.mark.parametrize("draw, environment, pipeline", DRAWS[:3])
def test_the_window_has_the_title_that_the_program_gave_it(recorder, x_server, sdl_app, draw, environment, pipeline):
    run(recorder, x_server, sdl_app, "--draw", draw, "--frames", "20", "--pace", "2", environment=environment)
    assert "\n\tapp/after ä@" in recorder.dumpsys("gfxinfo", "app", "framestats").stdout


# A program that looks up SDL functions by library handle, as bindings for other languages do.
BY_HANDLE = """
import ctypes
sdl = ctypes.CDLL("libSDL2-2.0.so.0")
sdl.SDL_CreateWindow.restype = ctypes.c_void_p
sdl.SDL_GetWindowSurface.restype = ctypes.c_void_p
assert sdl.SDL_Init(0x20) == 0
window = ctypes.c_void_p(sdl.SDL_CreateWindow(b"by handle", 0, 0, 64, 64, 0))
event = ctypes.create_string_buffer(56)
for _ in range(20):
    while sdl.SDL_PollEvent(event):
        pass
    assert sdl.SDL_GetWindowSurface(window)
    assert sdl.SDL_UpdateWindowSurface(window) == 0
"""


def test_a_program_that_finds_sdl_by_handle(recorder, x_server, sdl_app):
    result = recorder.run("app", sys.executable, "-c", BY_HANDLE, environment={**x_server.environment, **UNACCELERATED})
    assert (result.returncode, result.stderr) == (0, "")
    text = recorder.dumpsys("gfxinfo", "app", "framestats").stdout
    assert len(rows_of(text)) == 20
    assert "\n\tapp/by handle@" in text
    assert all(row["HandleInputStart"] < row["AnimationStart"] for row in values_of(text))


def test_a_program_without_sdl_finds_none(recorder, tmp_path):
    look = "import ctypes; print([hasattr(ctypes.CDLL(None), name) for name in ('SDL_PollEvent', 'SDL_RenderPresent', 'poll')])"
    assert recorder.run("app", sys.executable, "-c", look).stdout == "[False, False, True]\n"


LOVE = """
local frames = 0
function love.load() love.window.setTitle("planted love") end
function love.update() frames = frames + 1; if frames > 60 then love.event.quit() end end
function love.draw() love.graphics.circle("fill", 100 + frames, 100, 50) end
"""


@pytest.mark.skipif(not shutil.which("love"), reason="no love")
def test_love(recorder, x_server, tmp_path):
    game = tmp_path / "game"
    game.mkdir()
    (game / "main.lua").write_text(LOVE)
    quiet = {"HOME": str(tmp_path), "ALSOFT_DRIVERS": "null", "SDL_AUDIODRIVER": "dummy"}
    result = recorder.run("app", "love", game, environment={**x_server.environment, **quiet})
    assert result.returncode == 0, result.stderr
    recorded = recorder.read("app")
    assert recorded.total >= 60
    assert "Pipeline=OpenGL (GLX)" in recorded.text
    assert "\n\tapp/planted love@" in recorded.text
    rows = values_of(recorded.text)
    assert all(row["IntendedVsync"] <= row["HandleInputStart"] < row["AnimationStart"] <= row["SyncQueued"] for row in rows[1:])


@pytest.mark.parametrize("words, told", [([], "123456789 1 0 1 1 0"), (["2"], "2")], ids=["3", "2 in front of 3"])
def test_sdl_3_gets_and_answers_what_it_does_unrecorded(recorder, build, words, told):
    """The functions in tests/programs/fronts.c have SDL 2's names, but other arguments and results."""
    result = recorder.run("app", build / "tests/programs/fronts", *words)
    assert (result.returncode, result.stdout) == (0, told + "\n")
