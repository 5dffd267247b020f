"""The programs of `make matrix` and how to start them. For programs that dejank does not record: the reason and what helps.
tools/matrix makes the table of docs/hooks.md from them. test_matrix.py compares those in COMPARED with and without the recorder."""

import os
from dataclasses import dataclass, field, replace

# Disables desktop services, so that they do not change the behaviour of programs.
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

CLOCK = {"clock": "while :; do date +%T.%N; sleep 0.03; done\n"}  # output for terminals to show
NESTED = """# A compositor with a client that draws. The client is not recorded.
weston "$@" --socket=inner --config="$HOME/weston.ini" &
compositor=$!
trap 'kill $compositor' TERM
until [ -S "$XDG_RUNTIME_DIR/inner" ]; do sleep 0.1; done
env -u LD_PRELOAD WAYLAND_DISPLAY=inner weston-simple-shm &
client=$!
trap 'kill $client $compositor' TERM
wait $compositor
"""
NEST = {"nested": NESTED, "weston.ini": "[core]\nidle-time=0\n[shell]\npanel-position=none\n"}
GREY_FRAME = "FRAME\n" + "P" * (64 * 48 * 3 // 2)
VIDEO = {"video.y4m": "YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg\n" + GREY_FRAME * 100}
MPV = "mpv --no-config --no-audio --no-terminal av://lavfi:testsrc=size=320x240:rate=30"
# mpv does not choose a CPU device unless it is named.
MPV_VULKAN = MPV + " --vo=gpu --gpu-sw --gpu-api=vulkan --vulkan-device='{vulkan_device}'"
VLC = "vlc --no-qt-privacy-ask --no-video-title-show"
GLMARK = "-s 320x240 -b build:duration=60"
KITTY = "kitty -o update_check_interval=0 sh clock"
CHROMIUM = ("chromium --no-first-run --disable-quic --disable-background-networking --disable-component-update --disable-sync "
            "--password-store=basic --user-data-dir=profile page.html")
CHROMIUM_EGL = f"{CHROMIUM} --use-gl=angle --use-angle=gl-egl --ignore-gpu-blocklist"
CHROMIUM_FILES = {"page.html": PAGE}
FIREFOX = "firefox-esr --no-remote --profile profile page.html"
FIREFOX_FILES = {"page.html": PAGE, "profile/user.js": FIREFOX_SETTINGS}
FIREFOX_GL = {**FIREFOX_FILES, "profile/user.js": FIREFOX_SETTINGS + 'user_pref("gfx.webrender.all", true);\n'}
QUIET_SOUND = {"SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null"}
# Lets SIGTERM end SDL programs that ignore the event to which SDL would convert it.
SDL = {"SDL_NO_SIGNAL_HANDLERS": "1"}
SDL_SOFTWARE = {**SDL, "SDL_FRAMEBUFFER_ACCELERATION": "0"}
SDL_APP = "{programs}/sdl_app --frames 1000000 --draw"
SWING = "{sources}/swing_scene.java"
TK = "/usr/bin/python3 {sources}/tk_scene.py"


@dataclass
class Way:
    """Another way to start a program that is not recorded."""

    text: str  # text in the table, after "With"
    command: str
    display: str = ""  # "" for the same display as the program

    def apply(self, app):
        return replace(app, command=self.command, display=self.display or app.display, reason="")


@dataclass
class App:
    program: str
    command: str
    display: str = "x11"  # or "wayland" (sway), or "weston"
    title: str = ""  # label in the table, or "" for the name of the program
    big: bool = False  # test_matrix.py compares it only in `make matrix`
    remark: str = ""
    reason: str = ""  # why it is not recorded, or ""
    ways: tuple = ()  # other ways to start it, in which it is recorded
    is_hopeless: bool = False  # true if there is no such way
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


# test_matrix.py also compares these with and without the recorder.
COMPARED = [
    App("glxgears", "glxgears"),
    App("es2gears_x11", "es2gears_x11"),
    App("es2gears_wayland", "es2gears_wayland", "wayland"),
    App("weston-simple-egl", "weston-simple-egl", "wayland"),
    App("vkcube", "vkcube"),
    App("vkcube-wayland", "vkcube-wayland", "wayland"),
    App("gtk3-widget-factory", "gtk3-widget-factory", big=True),
    App("gtk4-demo", "gtk4-demo --run=gears"),
    App("gnome-calculator", "gnome-calculator"),
    App("qmlscene", "qmlscene scene.qml", title="qmlscene (Qt 5)", files={"scene.qml": QML}),
    App("qml", "qml window.qml", title="qml (Qt 5)", files={"window.qml": QML_WINDOW}),
    App("love", "love game", files={"game/main.lua": LOVE}, environment=QUIET_SOUND),
    App("glmark2-es2", f"glmark2-es2 {GLMARK}", big=True),
    App("glmark2-es2-wayland", f"glmark2-es2-wayland {GLMARK}", "wayland", big=True),
    App("neverball", "neverball", big=True, files={".neverball/neverballrc": "width 320\nheight 240\n"}, environment=QUIET_SOUND),
    App("supertux2", "supertux2 --window --geometry 640x480 --disable-sound --disable-music", big=True, environment=QUIET_SOUND),
    App("minetest", "minetest", big=True, environment=QUIET_SOUND),
    App("etr", "etr", big=True, environment=QUIET_SOUND),
    App("mpv", f"{MPV} --vo=gpu --gpu-sw", title="mpv, GL", big=True),
    App("mpv", f"{MPV} --vo=gpu --gpu-sw", "wayland", title="mpv, GL", big=True),
    App("kitty", KITTY, "wayland", big=True, files=CLOCK),
]

PROGRAMS = [
    *COMPARED,
    App("mpv", MPV_VULKAN, title="mpv, Vulkan"),
    App("mpv", MPV_VULKAN, "wayland", title="mpv, Vulkan"),
    App("mpv", f"{MPV} --vo=x11", title="mpv, X11"),
    App("mpv", f"{MPV} --vo=wlshm", "wayland", title="mpv, shm"),
    App("glmark2", f"glmark2 {GLMARK}"),
    App("glmark2-wayland", f"glmark2-wayland {GLMARK}", "wayland"),
    App("/usr/lib/qt6/bin/qml", "/usr/lib/qt6/bin/qml window.qml", title="qml (Qt 6)", files={"window.qml": QML_WINDOW}),
    App("kcalc", "kcalc"),
    App("kcalc", "kcalc", "wayland", environment={"QT_QPA_PLATFORM": "wayland"}),
    App("vlc", VLC, title="vlc, windows"),
    App("vlc", f"{VLC} --repeat video.y4m", title="vlc, video", files=VIDEO),
    App("kitty", KITTY, files=CLOCK),
    App("alacritty", "alacritty -e sh clock", files=CLOCK),
    App("alacritty", "alacritty -e sh clock", "wayland", files=CLOCK),
    App("foot", "foot sh clock", "wayland", files=CLOCK),
    App("xterm", "xterm -e sh clock", files=CLOCK, is_hopeless=True,
        reason="It sends text, and the X server draws it. No terminal of this kind is recorded; kitty, alacritty and foot are."),
    App("weston-simple-shm", "weston-simple-shm", "weston",
        remark="sway keeps both of its buffers, so it ends there, also without the recorder"),
    App("weston-simple-egl", "weston-simple-egl", "weston"),
    App("weston", "sh nested --backend=x11-backend.so", title="weston, GL", files=NEST),
    App("weston", "sh nested --backend=x11-backend.so --use-pixman", title="weston, pixman", files=NEST),
    App("weston", "sh nested --backend=wayland-backend.so", "wayland", title="weston, GL", files=NEST),
    App("weston", "sh nested --backend=wayland-backend.so --use-pixman", "wayland", title="weston, pixman", files=NEST),
    App("chromium", CHROMIUM, files=CHROMIUM_FILES,
        reason="Without a GPU, it draws with the CPU and encodes its requests to the X server itself (`xcb_send_request`).",
        ways=(Way("`--use-gl=angle --use-angle=gl-egl --ignore-gpu-blocklist`", CHROMIUM_EGL),)),
    App("chromium", f"{CHROMIUM} --ozone-platform=wayland", "wayland", files=CHROMIUM_FILES,
        reason="It contains its own copy of libwayland, and commits its buffers itself, also with GL.",
        ways=(Way("`--ozone-platform=x11 --use-gl=angle --use-angle=gl-egl --ignore-gpu-blocklist` on an X server or Xwayland",
                  f"{CHROMIUM_EGL} --ozone-platform=x11", "x11"),)),
    App("firefox-esr", FIREFOX, files=FIREFOX_FILES),
    App("firefox-esr", FIREFOX, title="firefox-esr, GL", files=FIREFOX_GL, remark="`gfx.webrender.all` is set"),
    App("firefox-esr", FIREFOX, "wayland", files=FIREFOX_FILES),
    App("firefox-esr", FIREFOX, "wayland", title="firefox-esr, GL", files=FIREFOX_GL, remark="`gfx.webrender.all` is set"),
    App("java", f"java {SWING}", title="Swing",
        reason="Its default pipeline composes the window from pixmaps with XRender, in the X server.",
        ways=(Way("`-Dsun.java2d.xrender=false`", f"java -Dsun.java2d.xrender=false {SWING}"),
              Way("`-Dsun.java2d.opengl=true`", f"java -Dsun.java2d.opengl=true {SWING}"))),
    App("/usr/bin/python3", TK, title="Tk"),

    App("sh", f"{SDL_APP} renderer", title="SDL 2, GL", environment=SDL, remark="SDL shows a window's pixels with GL if it can"),
    App("sh", f"{SDL_APP} renderer", title="SDL 2, software renderer", environment=SDL_SOFTWARE),
    App("sh", f"{SDL_APP} surface", title="SDL 2, window surface", environment=SDL_SOFTWARE),
    App("sh", f"{SDL_APP} renderer", "wayland", title="SDL 2, GL", environment={**SDL, "SDL_VIDEODRIVER": "wayland"},
        remark="SDL 2.26 on Wayland has no other way than GL to show what the CPU draws"),
]
DISPLAYS = {"x11": "X11", "wayland": "sway", "weston": "Weston"}  # names in the table
PROGRAMS.sort(key=lambda app: (app.label.casefold(), list(DISPLAYS).index(app.display)))
