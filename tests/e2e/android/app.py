"""An app on a stand-in. The test sets its frames to the nanosecond, and so knows the correct results."""

from dataclasses import dataclass, field

SECOND_NS = 1_000_000_000


@dataclass
class Frames:
    """The frames of an app: `hz` per second. `ms` are their lengths, which repeat.

    An app draws only while it is in front, the screen is on and unlocked, and it does not hang. `when` is "always", "touched"
    (only for `linger_s` after each touch or key) or "never"."""
    ms: tuple = (8.0,)
    hz: float = None  # None: the display's rate
    when: str = "always"
    linger_s: float = 0.5


@dataclass
class Test:
    """One instrumentation test. outcome: ok, failed, error, assumption, ignored, crash (its process), abort (the system crashes)."""
    __test__ = False  # keeps pytest from collecting this class
    cls: str
    method: str
    seconds: float = 0.2
    outcome: str = "ok"
    draws: bool = True
    message: str = "expected:<1> but was:<2>"


@dataclass
class App:
    """An installed package."""
    package: str
    activity: str = ".MainActivity"
    version_code: int = 1
    version_name: str = "1.0"
    min_sdk: int = 21
    frames: Frames = field(default_factory=Frames)
    # "hwui", or a renderer that gfxinfo does not see: "SurfaceView", "flutter" or "native" (a game that draws into its window)
    renderer: str = "hwui"
    launch_ms: int = 300  # duration of a cold start
    target: str = None  # the package that it instruments
    runner: str = "androidx.test.runner.AndroidJUnitRunner"
    tests: list = field(default_factory=list)
    size: int = 4096  # bytes of padding in its APK
    uid: int = 0

    @property
    def component(self):
        """The component as Android prints it: PACKAGE/.Short."""
        return f"{self.package}/{self.activity}"

    @property
    def activity_class(self):
        return self.package + self.activity if self.activity.startswith(".") else self.activity


@dataclass
class Stretch:
    """Frames without a pause between them. Times are ns of the device's CLOCK_MONOTONIC."""
    begin_ns: int
    end_ns: int  # no frame begins at this time or later; None if no end is known
    hz: float
    lengths_ns: tuple
    first: int  # number of frames that the process began before this stretch

    def begun(self, now_ns):
        end = now_ns if self.end_ns is None else min(now_ns, self.end_ns)
        if end < self.begin_ns:
            return 0
        # Finds the first index that does not begin before `end`. The division only estimates it, because begin() rounds down.
        count = max(0, int((end - self.begin_ns) * self.hz / SECOND_NS) - 1)
        while self.begin(count) < end:
            count += 1
        return count

    def begin(self, index):
        return self.begin_ns + int(index * SECOND_NS / self.hz)

    def length(self, index):
        return self.lengths_ns[(self.first + index) % len(self.lengths_ns)]


class Process:
    """A running app."""

    def __init__(self, app, pid, now_ns, name=None):
        self.app = app
        self.pid = pid
        self.name = name or app.package
        self.started_ns = now_ns
        self.stretches = []
        self.counted_from = 0  # frame index at the last reset
        self.since_ns = now_ns
        self.printed_until = 0  # frames before this index were in a simple dump
        self.hangs = False
        self.closed = False  # its activity has ended, but the process runs

    def draw(self, now_ns, hz, until_ns=None):
        """Begins a stretch of frames, or extends the current one."""
        last = self.stretches[-1] if self.stretches else None
        if last is not None and (last.end_ns is None or last.end_ns > now_ns):
            last.end_ns = None if until_ns is None or last.end_ns is None else max(last.end_ns, until_ns)
            return
        lengths = tuple(int(ms * 1_000_000) for ms in self.app.frames.ms)
        self.stretches.append(Stretch(now_ns, until_ns, hz, lengths, self.begun(now_ns)))

    def pause(self, now_ns):
        if self.stretches:
            last = self.stretches[-1]
            last.end_ns = now_ns if last.end_ns is None else min(last.end_ns, now_ns)

    def begun(self, now_ns):
        if not self.stretches:
            return 0
        last = self.stretches[-1]
        return last.first + last.begun(now_ns)

    def frame(self, index):
        """(begin, length) of a frame in ns."""
        stretch = next(one for one in reversed(self.stretches) if one.first <= index)
        return stretch.begin(index - stretch.first), stretch.length(index - stretch.first)

    def completed(self, now_ns):
        count = self.begun(now_ns)
        while count > 0 and sum(self.frame(count - 1)) > now_ns:
            count -= 1
        return count

    def lengths(self, first, end):
        """{length in ns: number of frames} of the frames from `first` to before `end`."""
        counts = {}
        for stretch, following in zip(self.stretches, [*self.stretches[1:], None]):
            low = max(first, stretch.first)
            high = end if following is None else min(end, following.first)
            turns, rest = divmod(max(0, high - low), len(stretch.lengths_ns))
            for offset in range(len(stretch.lengths_ns)):
                count = turns + (offset < rest)
                if count:
                    length = stretch.lengths_ns[(low + offset) % len(stretch.lengths_ns)]
                    counts[length] = counts.get(length, 0) + count
        return counts

    def between(self, begin_ns, end_ns):
        """The correct (begin, length) of all frames that begin in [begin_ns, end_ns)."""
        first = sum(one.begun(begin_ns) for one in self.stretches)
        end = sum(one.begun(end_ns) for one in self.stretches)
        return [self.frame(index) for index in range(first, end)]
