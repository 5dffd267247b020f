"""An app of a stand-in: what it draws is planted to the nanosecond, and so known to the test."""

from dataclasses import dataclass, field

SECOND_NS = 1_000_000_000


@dataclass
class Frames:
    """How an app draws: `hz` times a second, each frame as long as the next of `ms`, over and over.

    when: "always" while it is in front and the screen is on; "touched": for `linger_s` after each touch or key; "never"."""
    ms: tuple = (8.0,)
    hz: float = None  # None: the display's rate
    when: str = "always"
    linger_s: float = 0.5


@dataclass
class Test:
    """One instrumentation test. outcome: ok, failed, error, assumption, ignored, crash (of its process), abort (of the system)."""
    __test__ = False  # not one of pytest's
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
    # "hwui"; or "SurfaceView", "flutter", "native" (a game that draws into its window): what gfxinfo does not see
    renderer: str = "hwui"
    launch_ms: int = 300  # of a cold start
    target: str = None  # the package that it instruments
    runner: str = "androidx.test.runner.AndroidJUnitRunner"
    tests: list = field(default_factory=list)
    size: int = 4096  # bytes of its apk
    uid: int = 0

    @property
    def component(self):
        """As Android prints it: PACKAGE/.Short."""
        return f"{self.package}/{self.activity}"

    @property
    def activity_class(self):
        return self.package + self.activity if self.activity.startswith(".") else self.activity


@dataclass
class Stretch:
    """Frames one after the other without a pause. Times are dev_ns."""
    begin_ns: int
    end_ns: int  # no frame begins from here on; None: still going on
    hz: float
    lengths_ns: tuple
    first: int  # how many frames the process began before it

    def begun(self, now_ns):
        end = now_ns if self.end_ns is None else min(now_ns, self.end_ns)
        if end < self.begin_ns:
            return 0
        # The smallest index that does not begin before `end`; begin() rounds down.
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
        self.printed_until = 0  # frame index of the simple dump
        self.hangs = False
        self.closed = False  # its activity was ended; the process goes on

    def draw(self, now_ns, hz, until_ns=None):
        """Frames begin now, or go on."""
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
        """(begin, length) of a frame."""
        stretch = next(one for one in reversed(self.stretches) if one.first <= index)
        return stretch.begin(index - stretch.first), stretch.length(index - stretch.first)

    def completed(self, now_ns):
        count = self.begun(now_ns)
        while count > 0 and sum(self.frame(count - 1)) > now_ns:
            count -= 1
        return count

    def lengths(self, first, end):
        """{length in ns: how many} of the frames from `first` on, before `end`."""
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
        """The test's truth: (begin, length) of all frames that begin in [begin_ns, end_ns)."""
        first = sum(one.begun(begin_ns) for one in self.stretches)
        end = sum(one.begun(end_ns) for one in self.stretches)
        return [self.frame(index) for index in range(first, end)]
