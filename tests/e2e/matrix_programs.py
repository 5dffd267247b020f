"""The programs of `make matrix`: how each one is started, and for those that dejank does not record, why and what helps.
tools/matrix makes the table of docs/hooks.md from them. test_matrix.py compares some of them with and without the recorder."""

import os
from dataclasses import dataclass, field, replace

# No service of a desktop answers a program, so none changes what it does.
ENVIRONMENT = {"PATH": f"{os.environ['PATH']}:/usr/games", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
               "LC_ALL": "C.UTF-8"}

QML = """import QtQuick 2.15
Rectangle {
    width: 320; height: 240; color: "steelblue"
    Rectangle {
        width: 60; height: 60; color: "gold"
        NumberAnimation on x { from: 0; to: 260; duration: 900; loops: Animation.Infinite }
    }
    Rectangle { y: 180; width: 320; height: 30; color: "tomato" }
}
"""
QML_WINDOW = QML.replace("Rectangle {", "import QtQuick.Window 2.15\nWindow {\n    visible: true; title: \"a window\"", 1)
LOVE = """
function love.load() love.window.setTitle("a game") end
function love.draw() love.graphics.setColor(1, 0.5, 0.1) love.graphics.circle("fill", 200, 200, 99) love.graphics.print("dejank") end
"""
PAGE = """<!doctype html><title>animated</title>
<div id="box" style="position:absolute;width:200px;height:200px;background:red">a box</div>
<script>
let frames = 0;
function draw() {
  document.getElementById("box").style.left = 4 * frames++ % 400 + "px";
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
</script>
"""
FIREFOX_SETTINGS = """user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.sessionstore.resume_from_crash", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("app.normandy.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""
WESTON_SETTINGS = "[core]\nidle-time=0\n[shell]\npanel-position=none\n"

CLOCK = "#!/bin/sh\nwhile :; do date +%T.%N; sleep 0.03; done\n"  # what a terminal shows
NESTED = """#!/bin/sh
# A compositor with a client that draws. The client is not recorded.
trap 'kill $client $!' TERM
weston "$@" --socket=inner --config="$HOME/weston.ini" &
compositor=$!
until [ -S "$XDG_RUNTIME_DIR/inner" ]; do sleep 0.1; done
env -u LD_PRELOAD WAYLAND_DISPLAY=inner weston-simple-shm &
client=$!
trap 'kill $client $compositor' TERM
wait $compositor
"""
VIDEO = "av://lavfi:testsrc=size=320x240:rate=30"
MPV = f"mpv --no-config --no-audio --no-terminal {VIDEO}"
# mpv chooses no device that is a CPU by itself.
MPV_VULKAN = MPV + " --vo=gpu --gpu-sw --gpu-api=vulkan --vulkan-device='{vulkan_device}'"
SOFT_SDL = {"SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null"}


@dataclass
class Way:
    """Another way to start a program that is not recorded."""

    text: str  # in the table, after "With"
    command: str = ""  # "" for the program's own
    display: str = ""
    environment: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)

    def apply(self, app):
        return replace(app, command=self.command or app.command, display=self.display or app.display,
                       environment={**app.environment, **self.environment}, files={**app.files, **self.files})


@dataclass
class App:
    program: str
    command: str
    display: str = "x11"
    big: bool = False
    title: str = ""  # in the table: "" for the program
    remark: str = ""
    reason: str = ""  # if it is not recorded: why
    ways: tuple = ()  # and what helps
    hopeless: bool = False  # nothing does
    files: dict = field(default_factory=dict)
    environment: dict = field(default_factory=dict)

    @property
    def name(self):
        return self.program + ("" if self.display == "x11" or "wayland" in self.program else " on wayland")

    @property
    def label(self):
        return self.title or self.program

    def write_files(self, home):
        home.mkdir(exist_ok=True)
        for name, text in self.files.items():
            place = home / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)


SDL_APP = "{programs}/sdl_app --frames 1000000 --draw"
CHROMIUM = ("chromium --no-first-run --disable-quic --disable-background-networking --disable-component-update --disable-sync "
            "--password-store=basic --user-data-dir=profile page.html")
CHROMIUM_FILES = {"page.html": PAGE}
FIREFOX = "firefox-esr --no-remote --profile profile page.html"
FIREFOX_FILES = {"page.html": PAGE, "profile/user.js": FIREFOX_SETTINGS}
SWING = "java {sources}/swing_scene.java"
TK = "/usr/bin/python3 {sources}/tk_scene.py"
NEST = {"nested": NESTED, "weston.ini": WESTON_SETTINGS}
CLOCK_FILE = {"clock": CLOCK}

APPS = [
    App("glxgears", "glxgears"),
    App("es2gears_x11", "es2gears_x11"),
    App("es2gears_wayland", "es2gears_wayland", "wayland"),
    App("weston-simple-egl", "weston-simple-egl", "wayland"),
    App("vkcube", "vkcube"),
    App("vkcube-wayland", "vkcube-wayland", "wayland"),
    App("gtk3-widget-factory", "gtk3-widget-factory", big=True),
    App("gtk4-demo", "gtk4-demo --run=gears"),
    App("gnome-calculator", "gnome-calculator"),
    App("qml", "qml window.qml", files={"window.qml": QML_WINDOW}),
    App("qmlscene", "qmlscene scene.qml", files={"scene.qml": QML}),
    App("love", "love game", files={"game/main.lua": LOVE}, environment=SOFT_SDL),
    App("mpv", f"{MPV} --vo=gpu --gpu-sw", big=True),
    App("glmark2-es2", "glmark2-es2 -s 320x240 -b build:duration=60", big=True),
    App("glmark2-es2-wayland", "glmark2-es2-wayland -s 320x240 -b build:duration=60", "wayland", big=True),
    App("neverball", "neverball", big=True, files={".neverball/neverballrc": "width 320\nheight 240\n"}, environment=SOFT_SDL),
    App("supertux2", "supertux2 --window --geometry 640x480 --disable-sound --disable-music", big=True, environment=SOFT_SDL),
    App("minetest", "minetest", big=True, environment=SOFT_SDL),
    App("etr", "etr", big=True, environment=SOFT_SDL),
]

# Only in the table.
MORE = [
    App("weston-simple-shm", "weston-simple-shm", "weston", remark="Weston; it aborts under sway, also without the recorder"),
    App("glmark2", title="glmark2", command="glmark2 -s 320x240 -b build:duration=60"),
    App("glmark2-wayland", title="glmark2-wayland", command="glmark2-wayland -s 320x240 -b build:duration=60", display="wayland"),
    App("/usr/lib/qt6/bin/qml", title="qml6", command="/usr/lib/qt6/bin/qml window.qml", files={"window.qml": QML_WINDOW}),
    App("kcalc", title="kcalc", command="kcalc"),
    App("kcalc", title="kcalc", command="kcalc", display="wayland", environment={"QT_QPA_PLATFORM": "wayland"}),
    App("vlc", title="vlc", command="vlc --no-qt-privacy-ask --no-video-title-show"),
    App("mpv", title="mpv Vulkan", command=MPV_VULKAN),
    App("mpv", title="mpv x11", command=f"{MPV} --vo=x11"),
    App("mpv", title="mpv GL", command=f"{MPV} --vo=gpu --gpu-sw", display="wayland"),
    App("mpv", title="mpv Vulkan", command=MPV_VULKAN, display="wayland"),
    App("mpv", title="mpv wlshm", command=f"{MPV} --vo=wlshm", display="wayland"),
    App("kitty", title="kitty", command="kitty -o update_check_interval=0 sh clock", files=CLOCK_FILE),
    App("kitty", title="kitty", command="kitty -o update_check_interval=0 sh clock", display="wayland", files=CLOCK_FILE),
    App("alacritty", title="alacritty", command="alacritty -e sh clock", files=CLOCK_FILE),
    App("alacritty", title="alacritty", command="alacritty -e sh clock", display="wayland", files=CLOCK_FILE),
    App("foot", title="foot", command="foot sh clock", display="wayland", files=CLOCK_FILE),
    App("xterm", title="xterm", command="xterm -e sh clock", files=CLOCK_FILE),
    App("weston", title="weston gl", command="sh nested --backend=x11-backend.so", files=NEST),
    App("weston", title="weston pixman", command="sh nested --backend=x11-backend.so --use-pixman", files=NEST),
    App("weston", title="weston gl", command="sh nested --backend=wayland-backend.so", display="wayland", files=NEST),
    App("weston", title="weston pixman", command="sh nested --backend=wayland-backend.so --use-pixman", display="wayland", files=NEST),
    App("chromium", title="chromium", command=CHROMIUM, files=CHROMIUM_FILES),
    App("chromium", title="chromium egl", command=CHROMIUM + " --use-gl=angle --use-angle=gl-egl --ignore-gpu-blocklist", files=CHROMIUM_FILES),
    App("chromium", title="chromium vulkan", command=CHROMIUM + " --use-gl=angle --use-angle=vulkan --enable-features=Vulkan --ignore-gpu-blocklist", files=CHROMIUM_FILES),
    App("chromium", title="chromium", command=CHROMIUM + " --ozone-platform=wayland", display="wayland", files=CHROMIUM_FILES),
    App("chromium", title="chromium egl", command=CHROMIUM + " --ozone-platform=wayland --use-gl=angle --use-angle=gl-egl --ignore-gpu-blocklist", display="wayland", files=CHROMIUM_FILES),
    App("firefox-esr", title="firefox-esr", command=FIREFOX, files=FIREFOX_FILES),
    App("firefox-esr", title="firefox-esr glx", command=FIREFOX, files={**FIREFOX_FILES, "profile/user.js": FIREFOX_SETTINGS + 'user_pref("gfx.webrender.all", true);\nuser_pref("layers.acceleration.force-enabled", true);\n'}),
    App("firefox-esr", title="firefox-esr", command=FIREFOX, display="wayland", files=FIREFOX_FILES, environment={"MOZ_ENABLE_WAYLAND": "1"}),
    App("firefox-esr", title="firefox-esr egl", command=FIREFOX, display="wayland", environment={"MOZ_ENABLE_WAYLAND": "1"}, files={**FIREFOX_FILES, "profile/user.js": FIREFOX_SETTINGS + 'user_pref("gfx.webrender.all", true);\nuser_pref("layers.acceleration.force-enabled", true);\n'}),
    App("java", title="swing", command=SWING),
    App("java", title="swing gl", command="java -Dsun.java2d.opengl=true {sources}/swing_scene.java"),
    App("java", title="swing no xrender", command="java -Dsun.java2d.xrender=false -Dsun.java2d.pmoffscreen=false {sources}/swing_scene.java"),
    App("/usr/bin/python3", title="tk", command=TK),
    App("/usr/bin/python3", title="tk dejank", command=TK + " {build}/libdejank.so"),
    App("sh", title="sdl renderer", command=f"{SDL_APP} renderer"),
    App("sh", title="sdl surface", command=f"{SDL_APP} surface"),
    App("sh", title="sdl surface noaccel", command=f"{SDL_APP} surface", environment={"SDL_FRAMEBUFFER_ACCELERATION": "0"}),
    App("sh", title="sdl renderer", command=f"{SDL_APP} renderer", display="wayland", environment={"SDL_VIDEODRIVER": "wayland"}),
    App("sh", title="sdl surface noaccel", command=f"{SDL_APP} surface", display="wayland", environment={"SDL_VIDEODRIVER": "wayland", "SDL_FRAMEBUFFER_ACCELERATION": "0"}),
]


PROGRAMS = [*APPS, *MORE]
