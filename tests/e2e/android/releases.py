"""The Android releases that a stand-in can imitate, and their columns of framestats."""

from dataclasses import dataclass

_UI = "Flags IntendedVsync Vsync OldestInputEvent NewestInputEvent HandleInputStart AnimationStart PerformTraversalsStart DrawStart"
_UI_12 = ("Flags FrameTimelineVsyncId IntendedVsync Vsync InputEventId HandleInputStart AnimationStart PerformTraversalsStart "
          "DrawStart FrameDeadline")
_DRAW = "SyncQueued SyncStart IssueDrawCommandsStart SwapBuffers FrameCompleted"
_BUFFER = "DequeueBufferDuration QueueBufferDuration"
_14 = f"{_UI} {_DRAW}"
_16 = f"{_14} {_BUFFER}"
_17 = f"{_16} GpuCompleted"
# In the order of the values. The header swaps FrameStartTime and FrameInterval up to Android 15.
_22 = f"{_UI_12} FrameStartTime FrameInterval {_DRAW} {_BUFFER} GpuCompleted SwapBuffersCompleted DisplayPresentTime"
_23 = f"{_22} CommandSubmissionCompleted"
_24 = _23.replace("FrameInterval", "FrameInterval WorkloadTarget")


@dataclass(frozen=True)
class Release:
    name: str
    sdk: int
    columns: tuple  # of framestats, in the order of the values

    @property
    def header(self):
        """The column names in the order of the dump's header."""
        names = list(self.columns)
        if 31 <= self.sdk <= 35:
            at = names.index("FrameStartTime")
            names[at], names[at + 1] = names[at + 1], names[at]
        return names


RELEASES = {name: Release(name, sdk, tuple(columns.split())) for name, sdk, columns in [
    ("5.1", 22, ""), ("6.0", 23, _14), ("7.0", 24, _14), ("7.1", 25, _16), ("8", 26, _16), ("8.1", 27, _16), ("9", 28, _16), ("10", 29, _16),
    ("11", 30, _17), ("12", 31, _22), ("12L", 32, _22), ("13", 33, _23), ("14", 34, _23), ("15", 35, _23), ("16", 36, _24)]}
RELEASES["6"] = RELEASES["6.0"]

VERSIONS = {"5.1": "5.1.1", "6.0": "6.0.1", "7.1": "7.1.2", "8": "8.0.0", "8.1": "8.1.0", "12L": "12"}  # ro.build.version.release
