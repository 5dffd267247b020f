"""Makes gfxinfo text for tests, with the lines and columns of Android 11 and known stage lengths of each frame."""
import random

INTERVAL_NS = 16666667
COLUMNS = ("Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,AnimationStart,"
           "PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,"
           "FrameCompleted,DequeueBufferDuration,QueueBufferDuration,GpuCompleted").split(",")
NO_INPUT = 2**63 - 1
LABELS = (list(range(5, 33)) + list(range(34, 49, 2)) + list(range(53, 134, 4)) + list(range(150, 4951, 50)))

# Length of each stage in a calm frame, in ms, in pipeline order from IntendedVsync.
CALM = {"HandleInputStart": 0.3, "AnimationStart": 0.2, "PerformTraversalsStart": 0.4, "DrawStart": 0.5,
        "SyncQueued": 2.0, "SyncStart": 0.05, "IssueDrawCommandsStart": 0.4, "SwapBuffers": 3.2,
        "FrameCompleted": 1.1}


def frames(count, janky_every=9, freeze_at=None, seed=1, unknown=()):
    """Rows as dicts. Layout takes 18 ms longer in janky frames. Frame `freeze_at` needs 500 ms more to issue draw commands."""
    chance = random.Random(seed)
    rows = []
    start = 1_000_000_000_000
    for i in range(count):
        start += INTERVAL_NS
        row = {"Flags": 0, "IntendedVsync": start, "Vsync": start, "OldestInputEvent": NO_INPUT,
               "NewestInputEvent": 0, "DequeueBufferDuration": 200000, "QueueBufferDuration": 300000}
        if i % 4 == 0:
            row["OldestInputEvent"] = row["NewestInputEvent"] = start - int(3e6 * chance.random())
        at = start
        for column, calm_ms in CALM.items():
            length_ms = calm_ms * chance.uniform(0.6, 1.6)
            if column == "DrawStart" and janky_every and i % janky_every == janky_every - 1:
                length_ms += 18
            if column == "SwapBuffers" and i == freeze_at:
                length_ms += 500
            if column == "SyncStart" and i % 5 == 0:
                length_ms += 6
            if column not in unknown:
                at += int(length_ms * 1e6)
            row[column] = at
        row["GpuCompleted"] = at
        rows.append(row)
    return rows


def duration_ns(row):
    return row["FrameCompleted"] - row["IntendedVsync"] - max(0, row["SyncStart"] - row["SyncQueued"])


def label(time_ns):
    whole = time_ns // 1000000
    if whole <= 5:
        return 5
    if whole >= 150:
        return min(whole // 50 * 50, 4950)
    return max(one for one in LABELS if one <= whole)


def stats_block(rows):
    """The block that hwui would print. Counters that no test checks are zero."""
    labels = sorted(label(duration_ns(row)) for row in rows)
    janky = sum(duration_ns(row) > INTERVAL_NS for row in rows)
    share = 100 * janky / len(rows) if rows else 0

    def percentile(percent):
        return labels[max(0, len(labels) * percent // 100 - 1)] if labels else 4950
    lines = ["Stats since: 999999000000ns", "Total frames rendered: %d" % len(rows),
             "Janky frames: %d (%.2f%%)" % (janky, share)]
    lines += ["%dth percentile: %dms" % (percent, percentile(percent)) for percent in (50, 90, 95, 99)]
    lines += ["Number %s: 0" % what for what in
              ("Missed Vsync", "High input latency", "Slow UI thread", "Slow bitmap uploads",
               "Slow issue draw commands", "Frame deadline missed")]
    lines.append("HISTOGRAM:" + "".join(" %dms=%d" % (one, labels.count(one)) for one in LABELS))
    lines += ["%dth gpu percentile: 4950ms" % percent for percent in (50, 90, 95, 99)]
    lines.append("GPU HISTOGRAM:" + "".join(" %dms=0" % one for one in [*range(1, 26), 4950]))
    return "".join("\n" + line for line in lines)


def framestats(rows):
    body = "".join("\n" + "".join("%d," % row[column] for column in COLUMNS) for row in rows)
    return "\n\n---PROFILEDATA---\n" + "".join(name + "," for name in COLUMNS) + body + "\n---PROFILEDATA---\n\n"


def window(title, rows, profile=()):
    text = "\n\t%s/android.view.ViewRootImpl@1d5ddd6 (visibility=0)" % title
    if profile:
        text += "\n\tDraw\tPrepare\tProcess\tExecute\n"
        text += "".join("".join("\t%.2f" % value for value in row) + "\n" for row in profile)
    return text + "\nWindow: " + title + stats_block(rows) + "\n" + framestats(rows)


def process(name, windows, pid=4242, notes=()):
    """A process's section. `windows` contains (title, rows) or (title, rows, profile rows)."""
    rows = [row for one in windows for row in one[1]]
    text = "\n** Graphics info for pid %d [%s] **\n" % (pid, name)
    text += stats_block(rows) + "\nPipeline=Skia (OpenGL)\nProfile data in ms:\n"
    text += "".join(window(*one) for one in windows)
    text += "\nView hierarchy:\n\n\nTotal ViewRootImpl   : %d\nTotal attached Views : 12\n" % len(windows)
    text += "Total RenderNode     : 1.50 kB (used) / 2.00 kB (capacity)\n\n"
    return text + "".join("Note: %s\n" % note for note in notes)


def dump(*processes):
    return ("Applications Graphics Acceleration Info:\nUptime: 1000000 Realtime: 1000000\n"
            + "".join(processes))
