"""A second reader of gfxinfo text, which tests compare with `dejank parse`. It is based only on docs/format/gfxinfo.md, and is
simple and slow: it reads lines with regular expressions, and its only state is its position in the dump.

read(text) returns {"processes": [...], "graphicsstats": [...]} with the keys of docs/format/parse.md.
"""
import re

PREVIEW = ("Flags IntendedVsync Vsync OldestInputEvent NewestInputEvent HandleInputStart AnimationStart "
           "PerformTraversalsStart DrawStart SyncStart IssueDrawCommandsStart SwapBuffers FrameCompleted").split()
M = PREVIEW[:9] + ["SyncQueued"] + PREVIEW[9:]
N1 = M + ["DequeueBufferDuration", "QueueBufferDuration"]
R = N1 + ["GpuCompleted"]
S = ("Flags FrameTimelineVsyncId IntendedVsync Vsync InputEventId HandleInputStart AnimationStart "
     "PerformTraversalsStart DrawStart FrameDeadline FrameStartTime FrameInterval SyncQueued SyncStart "
     "IssueDrawCommandsStart SwapBuffers FrameCompleted DequeueBufferDuration QueueBufferDuration GpuCompleted "
     "SwapBuffersCompleted DisplayPresentTime").split()
T = S + ["CommandSubmissionCompleted"]
BAKLAVA = T[:12] + ["WorkloadTarget"] + T[12:]
AFTER_16 = BAKLAVA[:13] + ["AnimationTime"] + BAKLAVA[13:]
COLUMNS = {len(names): names for names in (PREVIEW, M, N1, R, S, T, BAKLAVA, AFTER_16)}
# Releases by their number of columns. The lines of the statistics determine the release.
RELEASES = {13: {"preview"}, 14: {"6.0", "7.0"}, 16: {"7.1", "8", "9", "9-10", "10"}, 17: {"11"}, 22: {"12", "12L"},
            23: {"13", "14", "15"}, 24: {"16"}, 25: {"16"}}

COUNTERS = {
    "Total frames rendered": "total_frames",
    "Number Missed Vsync": "missed_vsync",
    "Number High input latency": "high_input_latency",
    "Number Slow UI thread": "slow_ui_thread",
    "Number Slow bitmap uploads": "slow_bitmap_uploads",
    "Number Slow draw": "slow_draw",
    "Number Slow issue draw commands": "slow_issue_draw_commands",
    "Number Frame deadline missed": "frame_deadline_missed",
    "Number Frame deadline missed (legacy)": "frame_deadline_missed_legacy",
}
PROFILES = {4: ["Draw", "Prepare", "Process", "Execute"], 3: ["Draw", "Process", "Execute"]}
COMPLETIONS = ("GpuCompleted", "SwapBuffersCompleted", "CommandSubmissionCompleted")
MARKER = "---PROFILEDATA---"
PAIRS = re.compile(r"(?:\d+ms=\d+(?:\s+|$))*")


def clean(raw):
    """Removes marks that pasting added around a line."""
    return re.sub(r"^(?:[\s>|]|\*(?=\s))+", "", raw.rstrip("\r")).rstrip()


def lines_of(text):
    return [clean(line) for line in text.removeprefix("\ufeff").split("\n")]


# ---- statistics ----

def stats_line(line):
    """{key: value} of a line of statistics, or None for another line."""
    match = re.match(r"Stats since: (\d+)ns", line)
    if match:
        return {"since_ns": int(match[1])}
    match = re.match(r"Janky frames( \(legacy\))?: (\d+)(?: \((-?nan|[\d.,]+)%\))?", line)
    if match:
        share = match[3]
        percent = None if share is None or "nan" in share else float(share.replace(",", "."))
        names = ("janky_legacy", "janky_legacy_percent") if match[1] else ("janky_frames", "janky_percent")
        return dict(zip(names, (int(match[2]), percent)))
    match = re.match(r"(\d+)th (gpu )?percentile: (\d+)ms", line)
    if match:
        return {"gpu_percentiles_ms" if match[2] else "percentiles_ms": {match[1]: int(match[3])}}
    match = re.match(r"(GPU )?HISTOGRAM:(.*)", line)
    if match:
        return {"gpu_histogram" if match[1] else "histogram": match[2].strip()}
    name, colon, value = line.partition(": ")
    if colon and name in COUNTERS and re.match(r"\d+", value):
        return {COUNTERS[name]: int(re.match(r"\d+", value)[0])}
    return None


def add_stats(block, found):
    for key, value in found.items():
        if isinstance(value, dict):
            block.setdefault(key, {}).update(value)
        else:
            block[key] = value


def join_histogram(begun, more):
    """Joins a histogram with its next line, with or without a space. Returns None if neither gives a valid histogram."""
    for joined in begun + more, begun + " " + more:
        if PAIRS.fullmatch(joined) or re.fullmatch(PAIRS.pattern + r"\d+(?:m|ms|ms=)?", joined):
            return joined
    return None


def pairs_of(histogram):
    return [[int(label), int(count)] for label, count in re.findall(r"(\d+)ms=(\d+)", histogram)]


# ---- rows ----

def swap_labels(columns, rows):
    """Swaps FrameInterval and FrameStartTime if most rows need it: Android 12 and 13 name them in the wrong order."""
    if "FrameInterval" not in columns or "FrameStartTime" not in columns:
        return columns
    interval, start = columns.index("FrameInterval"), columns.index("FrameStartTime")
    if sum(row[interval] > 10**9 or row[start] in range(1, 10**9) for row in rows) * 2 > len(rows):
        columns = list(columns)
        columns[interval], columns[start] = "FrameStartTime", "FrameInterval"
    return columns


def rows_of(lines, count):
    """Joins wrapped lines into rows of `count` numbers. Each number is followed by a comma."""
    rows, begun = [], ""
    for line in lines:
        if begun and (line.count(",") >= count or begun.count(",") + line.count(",") > count):
            rows.append(begun)
            begun = ""
        begun += line
        if begun.count(",") >= count:
            rows.append(begun)
            begun = ""
    return rows + ([begun] if begun else [])


def numbers(row):
    return [int(cell) for cell in row.split(",")[:-1] if re.fullmatch(r"-?\d+", cell.strip())]


class Framestats:
    def __init__(self, marked):
        self.marked, self.names, self.lines = marked, "", []

    def take(self, line):
        """Adds a line to the block. Returns False if the line ends the block."""
        if re.match(r"-?\d+(,|$)", line) or (self.lines and re.fullmatch(r"[-\d,]+", line)):
            self.lines.append(line)
        elif not self.lines and re.fullmatch(r"[\w,]+", line):
            self.names += line
        else:
            return not line
        return True

    def result(self):
        columns = [name for name in self.names.split(",") if name]
        inferred = not columns and bool(self.lines)
        if inferred:
            columns = COLUMNS.get(max((line.count(",") for line in self.lines), default=0), [])
        begun = rows_of(self.lines, len(columns))
        whole = [numbers(row) for row in begun if row.count(",") == len(columns)]
        whole = [row for row in whole if len(row) == len(columns)]
        return {"columns": swap_labels(columns, whole), "header_inferred": inferred, "row_count": len(begun),
                "rows": whole}


# ---- dump ----

class Reader:
    def __init__(self):
        self.processes, self.graphicsstats = [], []
        self.process = self.window = self.entry = self.histogram = self.framestats = self.profile = None
        self.times = (None, None)
        self.uid = None
        self.in_profiles = False

    def new_process(self, pid=None, name=None):
        self.process = {"pid": pid, "name": name, "uptime_ms": self.times[0], "realtime_ms": self.times[1],
                        "stats": None, "windows": [], "other": [], "notes": []}
        self.processes.append(self.process)
        self.window = self.entry = None

    def new_window(self, title=None, visibility=None):
        if self.process is None:
            self.new_process()
        self.window = {"title": title, "visibility": visibility, "named": None, "stats": None, "profile": None,
                       "framestats": None}
        self.process["windows"].append(self.window)

    def keep_entry(self):
        """Adds the package to graphicsstats when the first figure of the package is read."""
        if not any(entry is self.entry for entry in self.graphicsstats):
            self.graphicsstats.append(self.entry)

    def block(self, opens):
        """Statistics to which the current line belongs. Creates them if necessary."""
        if self.entry is not None:
            self.keep_entry()
            return self.entry["stats"]
        if self.process is None or (opens and self.window is None and self.process["stats"] is not None):
            self.new_process()
        owner = self.window if self.window is not None else self.process
        if owner["stats"] is None:
            owner["stats"] = {}
        return owner["stats"]

    def close(self):
        if self.framestats:
            found = self.framestats.result()
            if found["columns"] or self.framestats.marked:
                if self.window is None or self.window["framestats"] is not None:
                    self.new_window()
                self.window["framestats"] = found
            self.framestats = None

    def line(self, line):
        if self.histogram and re.match(r"[\dm=s]", line):
            block, key = self.histogram
            joined = join_histogram(block[key], line)
            if joined is not None:
                block[key] = joined
                return
        if line:
            self.histogram = None
        if self.framestats and line != MARKER and self.framestats.take(line):
            return
        if self.framestats and line == MARKER:
            self.close()
            return
        if not line:
            return
        self.close()
        if self.profile_line(line) or self.figures(line) or self.heading(line) or self.graphics_line(line):
            return
        if line == MARKER:
            self.framestats = Framestats(True)
        elif re.match(r"Flags,(\w+,)+", line) or re.match(r"-?\d+,(-?\d+,){11,}", line):
            self.framestats = Framestats(False)
            self.framestats.take(line)
        elif self.process is not None:
            self.process["other"].append(line)

    def profile_line(self, line):
        heads = {" ".join(names): names for names in PROFILES.values()}
        if " ".join(line.split()) in heads:
            if self.window is None or self.window["profile"] is not None:
                self.new_window()
            self.profile = self.window["profile"] = {"columns": heads[" ".join(line.split())], "rows": []}
            return True
        values = re.findall(r"-?\d+[.,]\d+(?=\s|$)", line)
        if self.profile and re.match(r"-?\d+[.,]\d+\s", line) and len(values) >= len(self.profile["columns"]):
            row = [float(value.replace(",", ".")) for value in values[:len(self.profile["columns"])]]
            self.profile["rows"].append(row)
            return True
        self.profile = None
        return False

    def figures(self, line):
        found = stats_line(line)
        if found is None:
            return False
        first = next(iter(found))
        block = self.block(first == "since_ns")
        if first == "since_ns" and self.entry is not None:
            self.entry["start_ms"] = found[first]
            return True
        add_stats(block, found)
        if first.endswith("histogram"):
            self.histogram = block, first
        return True

    def heading(self, line):
        match = re.search(r"Uptime: (\d+) Realtime: (\d+)", line)
        if match:
            self.times = int(match[1]), int(match[2])
            self.process = self.window = self.entry = None
            return True
        match = re.match(r"\*\* Graphics info for pid (\S+) \[(.*)\] \*\*", line)
        if match:
            self.new_process(int(match[1]) if match[1].isdigit() else None, match[2])
            return True
        match = re.fullmatch(r"(.*?) ?\(visibility=(-?\d+)\)", line)
        if match:
            self.new_window(match[1], int(match[2]))
            return True
        if self.in_profiles and re.fullmatch(r".*/android\.view\.ViewRootImpl@[0-9a-f]+", line):
            self.new_window(line)  # 4.x
            return True
        match = re.match(r"Window: (.*)", line)
        if match:
            if self.window is None or self.window["named"] is not None or self.window["stats"] is not None:
                self.new_window(match[1])
            self.window["named"] = match[1]
            return True
        match = re.match(r"Note: (.*)", line)
        if match and self.process is not None:
            self.process["notes"].append(match[1])
            return True
        if line in ("Applications Graphics Acceleration Info:", "View hierarchy:", "Profile data in ms:"):
            self.in_profiles = line.startswith("Profile")
            self.window = None
            return True
        if line.startswith("Pipeline=") and self.process is not None:
            self.process["pipeline"] = line.partition("=")[2]
            return True
        return False

    def graphics_line(self, line):
        match = re.match(r"UID: (-?\d+)", line)
        if match:
            self.uid = int(match[1])
            return True
        match = re.match(r"Package: (.*)", line)
        if match:
            self.entry = {"package": match[1], "version": None, "uid": self.uid, "start_ms": None, "end_ms": None,
                          "stats": {}}
            self.uid = None
            return True
        match = re.match(r"(Version|Stats end): (\d+)", line)
        if match and self.entry is not None:
            self.entry["version" if match[1] == "Version" else "end_ms"] = int(match[2])
            return True
        return False


def finish_stats(block):
    if block is not None:
        for key in ("histogram", "gpu_histogram"):
            if key in block:
                block[key] = pairs_of(block[key])
    return block


def read(text):
    reader = Reader()
    for line in lines_of(text):
        reader.line(line)
    reader.close()
    for process in reader.processes:
        finish_stats(process["stats"])
        for window in process["windows"]:
            finish_stats(window["stats"])
    for entry in reader.graphicsstats:
        finish_stats(entry["stats"])
    return {"processes": reader.processes, "graphicsstats": reader.graphicsstats}


# ---- figures ----

def usable(framestats):
    """Complete and valid rows, as dicts. Of rows with the same IntendedVsync, only the last one can be in the result."""
    rows = [dict(zip(framestats["columns"], row)) for row in framestats["rows"]]
    last = {row["IntendedVsync"]: i for i, row in enumerate(rows)}
    return [row for i, row in enumerate(rows) if is_usable(row) and last[row["IntendedVsync"]] == i]


def is_usable(row):
    return (row["Flags"] & 9 == 0 and row["FrameCompleted"] > row["IntendedVsync"]
            and not any(0 < row.get(name, 0) < row["IntendedVsync"] for name in COMPLETIONS))


def total_ns(row, rule):
    """hwui's frame time. Since Android 7.0, it excludes the wait for the render thread."""
    plain = row["FrameCompleted"] - row["IntendedVsync"]
    if rule in ("preview", "6.0"):
        return plain
    if row["IntendedVsync"] <= 0:
        return 0
    if row["IntendedVsync"] < row["SyncQueued"] < row["FrameCompleted"]:
        plain -= max(0, row["SyncStart"] - row["SyncQueued"])
    return max(0, plain)


def is_janky(row, rule, interval_ns):
    if row["Flags"] & (5 if rule in ("preview", "6.0") else 4):
        return False
    if rule in ("preview", "6.0", "7.0", "7.1", "8"):
        return total_ns(row, rule) >= interval_ns
    if rule in ("9", "9-10", "10", "11"):
        return total_ns(row, rule) > interval_ns
    return row["GpuCompleted"] >= row["FrameDeadline"]


def interval_of(process, framestats):
    """Frame interval in ns: from the notes, else the lower median of the rows, else 60 Hz."""
    for note in process["notes"]:
        match = re.match(r"frame interval: (\d+)ns", note)
        if match:
            return int(match[1])
    rows = (dict(zip(framestats["columns"], row)) for row in framestats["rows"])
    told = sorted(row["FrameInterval"] for row in rows if row.get("FrameInterval", 0) > 0)
    return told[(len(told) - 1) // 2] if told else 16666666


def type7(values, percent):
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
