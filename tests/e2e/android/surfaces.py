"""`dumpsys SurfaceFlinger` in the format of each release. Its presents follow from the frames of app.py.

A frame is shown at the first refresh at or after its end. Refreshes are counted from the begin of the frame. If an older frame is
shown at the same refresh or later, the frame is dropped. A test uses these members of phone.surfaces:

    phone.surfaces.lacks = {"timestats"}       # or "service", "latency", "list": parts that this device does not support
    phone.surfaces.rename("com.example.app")   # creates the layers again, with other numbers
    phone.surfaces.ring = 20                   # --latency has only the last 20 frames
    phone.surfaces.clear()                     # as another program does with --timestats -clear
    phone.surfaces.presents(process, begin_ns, end_ns)    # the correct presents
"""

from bisect import bisect_left, bisect_right

RING = 127
PENDING = 2**63 - 1
LABELS = [*range(35), *range(36, 51, 2), *range(54, 151, 4), *range(200, 1001, 50)]
JANK = ("totalTimelineFrames jankyFrames sfLongCpuJankyFrames sfLongGpuJankyFrames sfUnattributedJankyFrames "
        "appUnattributedJankyFrames sfSchedulingJankyFrames sfPredictionErrorJankyFrames appBufferStuffingJankyFrames").split()
CONFIG = "Build configuration: [sf PRESENT_TIME_OFFSET=0]\n"


class Track:
    """The presents of a process, and its dropped frames."""

    def __init__(self, process, period_ns):
        self.process = process
        self.period_ns = period_ns
        self.at_ns = []  # presents, in ascending order
        self.rows = []  # (desired, present, ready) of each
        self.dropped = []  # for each: number of dropped frames since the previous present
        self.next = 0
        self.lost = 0

    def update(self, now_ns):
        end, period = self.process.completed(now_ns), self.period_ns
        for index in range(self.next, end):
            begin, length = self.process.frame(index)
            present = begin + -(-length // period) * period
            if self.at_ns and present <= self.at_ns[-1] + period // 2:
                self.lost += 1
                continue
            self.at_ns.append(present)
            self.rows.append((begin + period, present, begin + length))
            self.dropped.append(self.lost)
            self.lost = 0
        self.next = max(self.next, end)
        return self

    def between(self, begin_ns, end_ns):
        """Indexes of the presents in [begin_ns, end_ns)."""
        return range(bisect_left(self.at_ns, begin_ns), bisect_left(self.at_ns, end_ns))


class Surfaces:
    def __init__(self, phone):
        self.phone = phone
        self.lacks = set()
        self.ring = RING  # number of frames that --latency prints
        self.on = False
        self.counted = []  # [begin, end] of each period in which timestats counted; the last end is None while they are on
        self.known = False  # timestats were on at some time since the last clear()
        self.tracks = {}
        self.numbers = {}  # pid → [(since, number)]
        self.next_number = 100

    # ---- methods for tests

    def presents(self, process, begin_ns, end_ns):
        track = self.track(process)
        return [track.at_ns[index] for index in track.between(begin_ns, end_ns)]

    def rename(self, package):
        with self.phone.lock:
            process = self.phone.running(package)
            self.number(process)
            self.numbers[process.pid].append((self.phone.now_ns(), self.new_number()))

    def clear(self):
        """Clears timestats. If they are off, the device behaves as if they had never been on."""
        self.counted = [[self.phone.now_ns(), None]] if self.on else []
        self.known = self.on

    def enable(self, on):
        if on and not self.on:
            self.counted.append([self.phone.now_ns(), None])
            self.known = True
        elif self.on and not on:
            self.counted[-1][1] = self.phone.now_ns()
        self.on = on

    def reboot(self):
        self.__init__(self.phone)

    # ---- layers

    def new_number(self):
        """The number of a new layer. Up to Android 12L it starts at 0, as a counter of equal names. Since Android 13 it is unique."""
        self.next_number += 3
        return self.next_number if self.phone.release.sdk >= 33 else self.next_number - 103

    def number(self, process):
        """(since, number) of the layers that the process has now."""
        history = self.numbers.setdefault(process.pid, [])
        if not history:
            history.append((0, self.new_number()))
        return history[-1]

    def track(self, process):
        period = int(1e9 / self.phone.refresh_hz)
        track = self.tracks.setdefault(process.pid, Track(process, period))
        return track.update(self.phone.now_ns())

    def name(self, process, number, frames=True):
        """The name of the layer that has a process's frames. If `frames` is false, the name of its container."""
        title = f"{process.app.package}/{process.app.activity_class}"
        sdk = self.phone.release.sdk
        if process.app.renderer in ("hwui", "native"):
            return f"{title}#{number}" if frames else f"ab12cd3 {title}#{number + 1}"
        if sdk <= 30:
            return f"SurfaceView - {title}#{number}" if frames else f"Background for -SurfaceView - {title}#{number}"
        prefix = "788924b " if sdk >= 33 else ""
        return (f"{prefix}SurfaceView[{title}](BLAST)#{number}" if frames
                else f"{prefix}SurfaceView[{title}]#{number - (sdk >= 33)}")

    def windows(self):
        """The processes that have a window."""
        return [one for one in self.phone.processes if one.name == one.app.package and not one.closed]

    def layers(self):
        """{name: (track, since) or None} of all layers that exist. Only layers with a track have frames."""
        names = {"Display Root#0": None, "StatusBar#0": None}
        for process in self.windows():
            since, number = self.number(process)
            if process.app.renderer not in ("hwui", "native"):
                names[f"{process.app.package}/{process.app.activity_class}#{number + 2}"] = None
            names[self.name(process, number, frames=False)] = None
            names[self.name(process, number)] = (self.track(process), since)
        return names

    # ---- output

    def list(self):
        sdk = self.phone.release.sdk
        return "".join(f"RequestedLayerState{{{name} parentId={index + 5} z=1}}\n" if sdk >= 35 else f"{name}\n"
                       for index, name in enumerate(self.layers()))

    def latency(self, words):
        period = int(1e9 / self.phone.refresh_hz)
        text = f"{period}\n"
        name = " ".join(words)
        layers = self.layers()
        if not words and self.phone.release.sdk <= 33:
            return text + "0\t0\t0\n" * RING + "\n"
        if name not in layers:
            return text
        rows = []
        if layers[name] is not None:
            track, since = layers[name]
            now = self.phone.now_ns()
            rows = [(desired, present if present <= now else PENDING, ready)
                    for desired, present, ready in track.rows[bisect_right(track.at_ns, since):][-self.ring:]]
        rows = [(0, 0, 0)] * (RING - len(rows)) + rows if len(rows) < RING else rows
        return text + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows) + "\n"

    def counters(self):
        """[(name, uid, number of steps, dropped frames, steps in ns)] of each layer in timestats. Steps are times between presents."""
        now, found = self.phone.now_ns(), []
        for process in self.phone.ran:
            self.number(process)
            track, history = self.track(process), self.numbers[process.pid]
            for (since, number), (until, _) in zip(history, [*history[1:], (now, None)]):
                steps, dropped = [], 0
                for begin, end in self.counted:
                    span = track.between(max(begin, since), min(end or now, until, now))
                    steps += [track.at_ns[one] - track.at_ns[one - 1] for one in span[1:]]
                    dropped += sum(track.dropped[one] for one in span[1:])
                if steps:
                    found.append((self.name(process, number), process.app.uid, len(steps), dropped, steps))
        return sorted(found, key=lambda one: -one[2])

    def timestats(self, words):
        if "-disable" in words:
            self.enable(False)
        text = self.timestats_text() if "-dump" in words else ""
        if "-clear" in words:
            self.clear()
        if "-enable" in words:
            self.enable(True)
        return text

    def timestats_text(self):
        if not self.known:
            return ""
        sdk, layers = self.phone.release.sdk, self.counters()
        total = sum(one[2] for one in layers)
        equals = "= " if sdk == 28 else " = "
        text = "SurfaceFlinger TimeStats:\n" + ("Legacy stats are as follows:\n" if sdk >= 31 else "")
        start, end = int(self.phone.wall_s()) - 10, int(self.phone.wall_s())
        text += f"statsStart = {start}\nstatsEnd = {end}\ntotalFrames{equals}{total}\nmissedFrames{equals}0\n"
        text += f"clientCompositionFrames{equals}0\n"
        if sdk >= 30:
            text += "clientCompositionReusedFrames = 0\nrefreshRateSwitches = 0\ncompositionStrategyChanges = 0\n"
        if sdk >= 33:
            text += ("compositionStrategyPredicted = 0\ncompositionStrategyPredictionSucceeded = 0\n"
                     "compositionStrategyPredictionFailed = 0\n")
        if sdk >= 29:
            rate = f"{self.phone.refresh_hz:.0f}fps"
            text += "displayOnTime = 10000 ms\ndisplayConfigStats is as below:\n"
            text += f"{rate} = 10000ms\n" if sdk >= 31 else f"{rate}=10000ms\n"
            text += "totalP2PTime = 10000 ms\n" + histogram("presentToPresent", [s for one in layers for s in one[4]], sdk)
        if sdk >= 30:
            text += "averageFrameDuration = 4.000 ms\n" + histogram("frameDuration", [], sdk)
            text += "averageRenderEngineTiming = 3.000 ms\n" + histogram("renderEngineTiming", [], sdk)
        if sdk >= 31:
            text += "\nGlobal aggregated jank payload (Timeline stats):" + self.rates() + jank(total)
            text += histogram("sfDeadlineMisses", [], sdk) + histogram("sfPredictionErrors", [], sdk)
        if sdk == 28:
            text += "TimeStats for each layer is as below:\n"
        return text + "".join(self.layer_text(start, end, *one) for one in layers) + "\n"

    def rates(self):
        rate = int(self.phone.refresh_hz / 30 + 0.5) * 30
        return f"\ndisplayRefreshRate = {rate} fps\nrenderRate = {rate} fps\n"

    def layer_text(self, start, end, name, uid, total, dropped, steps):
        sdk = self.phone.release.sdk
        text = (self.rates() + f"uid = {uid}\n") if sdk >= 31 else "\n" if sdk >= 29 else ""
        package = name.partition("/")[0].split(" ")[-1] if sdk <= 29 else ""
        text += f"layerName = {name}\npackageName = {package}\n"
        if sdk == 28:
            text += f"statsStart = {start}\nstatsEnd = {end}\ntotalFrames= {total}\n"
        else:
            if sdk >= 31:
                text += f"gameMode = {'GameMode' if sdk <= 32 else ''}Unsupported\n"
            text += f"totalFrames = {total}\ndroppedFrames = {dropped}\n"
        if sdk >= 30:
            text += "lateAcquireFrames = 0\nbadDesiredPresentFrames = 0\n"
        if sdk >= 31:
            text += "Jank payload for this layer:\n" + jank(total)
            text += (f"Set{'FrameRate' if sdk >= 34 else 'FrateRate'} vote for this layer:\nframeRate = 0.00\n"
                     "frameRateCompatibility = Undefined\nseamlessness = NotRequired\n")
        labels = [label_of(step) for step in steps]
        text += f"averageFPS = {1000 * len(labels) / sum(labels):.3f}\n"
        names = ["present2present", "latch2present", "desired2present", "acquire2present", "post2present", "post2acquire"]
        for kind in names[::-1] if sdk % 2 else names:  # Android's map has no order
            text += histogram(kind, steps if kind == "present2present" else [7_000_000] * total, sdk)
        return text + (histogram("present2presentDelta", [], sdk) if sdk >= 34 else "")


def label_of(step_ns):
    """The smallest bucket that is not below the step in whole ms."""
    ms = step_ns // 1_000_000
    return next((label for label in LABELS if label >= ms), 1000)


def histogram(name, steps_ns, sdk):
    counts = dict.fromkeys(LABELS, 0)
    for step in steps_ns:
        over = step // 1_000_000_000 if sdk in (29, 30) and step >= 1_001_000_000 else 1
        counts[label_of(step)] += over
    return f"{name} histogram is as below:\n" + " ".join(f"{ms}ms={count}" for ms, count in counts.items()) + "\n"


def jank(total):
    return f"{JANK[0]} = {total}\n" + "".join(f"{name} = 0\n" for name in JANK[1:])


def whole(phone):
    return (f"{CONFIG}\nVisible layers (count = 3)\nGLES: {phone.gpu}\n"
            f"  refresh-rate              : {phone.refresh_hz:.6f} fps\n  isPoweredOn={int(phone.screen_on)}\n")


def surface_flinger(phone, call, words):
    """dumpsys SurfaceFlinger. If a release does not know an argument, it prints everything."""
    surfaces = phone.surfaces
    with phone.lock:
        what = words[0].removeprefix("--") if words else ""
        known = what in ("list", "latency", "latency-clear") or (what == "timestats" and phone.release.sdk >= 28)
        if "service" in surfaces.lacks:
            call.err("Can't find service: SurfaceFlinger\n")
        elif what in surfaces.lacks or not known:
            call.out(whole(phone))
        elif what == "list":
            call.out(surfaces.list())
        elif what == "latency":
            call.out(surfaces.latency(words[1:]))
        elif what == "timestats":
            call.out(surfaces.timestats(words[1:]))
