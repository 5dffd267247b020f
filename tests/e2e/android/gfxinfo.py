"""`dumpsys gfxinfo` in the format of each release. The frames come from app.py."""

from .machine import SLEPT_S

RING = 120
LABELS = [*range(5, 33), *range(34, 49, 2), *range(53, 134, 4), *range(150, 4951, 50)]
GPU_LABELS = [*range(1, 26), 4950]
NO_INPUT = 2**63 - 1
CUTS = {"HandleInputStart": 1, "AnimationStart": 2, "PerformTraversalsStart": 3, "DrawStart": 4, "SyncQueued": 5,
        "SyncStart": 5, "IssueDrawCommandsStart": 6, "SwapBuffers": 8}  # tenths of a frame


def row(release, begin_ns, length_ns, interval_ns, number):
    """One row of framestats. Stages begin at whole tenths of the frame (CUTS). No stage waits: SyncStart equals SyncQueued."""
    completed = begin_ns + length_ns
    known = {"Flags": 0, "FrameTimelineVsyncId": 1000 + number, "OldestInputEvent": NO_INPUT, "NewestInputEvent": 0,
             "InputEventId": 0, "FrameDeadline": begin_ns + interval_ns, "FrameInterval": interval_ns,
             "WorkloadTarget": interval_ns, "DequeueBufferDuration": 0, "QueueBufferDuration": 0, "DisplayPresentTime": 0}
    for name in ("IntendedVsync", "Vsync", "FrameStartTime"):
        known[name] = begin_ns
    for name in ("FrameCompleted", "GpuCompleted", "SwapBuffersCompleted"):
        known[name] = completed
    for name, tenths in CUTS.items():
        known[name] = begin_ns + length_ns * tenths // 10
    known["CommandSubmissionCompleted"] = known["SwapBuffers"]
    return [known[name] for name in release.columns]


def label_of(length_ns):
    ms = length_ns // 1_000_000
    return max((one for one in LABELS if one <= ms), default=LABELS[0])


def gpu_label_of(time_ns):
    ms = time_ns // 1_000_000
    return ms + 1 if ms < 25 else 4950


def percentiles(counts):
    """(percent, label) pairs. Counts from the slowest bucket down, as hwui does."""
    total = sum(counts.values())
    for percent in (50, 90, 95, 99):
        left = total - percent * total // 100
        if total == 0:
            yield percent, 4950
            continue
        for label in sorted(counts, reverse=True):
            left -= counts[label]
            if left <= 0:
                yield percent, label
                break
        else:
            yield percent, 0


def statistics(release, lengths, interval_ns, since_ns):
    """The block of counters for frames with these lengths: {length in ns: number of frames}."""
    counts, gpu = dict.fromkeys(LABELS, 0), dict.fromkeys(GPU_LABELS, 0)
    total = janky = slow_ui = slow_upload = slow_draw = 0
    for length, count in lengths.items():
        counts[label_of(length)] += count
        gpu[gpu_label_of(length * 2 // 10)] += count
        total += count
        if length > interval_ns:
            janky += count
            slow_ui += count * (length * 5 // 10 >= interval_ns // 2)
            slow_upload += count * (length // 10 >= interval_ns // 5)
            slow_draw += count * (length * 4 // 10 >= interval_ns * 3 // 4)
    share = 100 * janky / total if total else 0
    shown = f"{janky} ({share:.2f}%)" if total or release.sdk >= 26 else f"{janky} (nan%)"
    lines = [f"Stats since: {since_ns}ns", f"Total frames rendered: {total}", f"Janky frames: {shown}"]
    if release.sdk >= 31:
        lines.append(f"Janky frames (legacy): {shown}")
    lines += [f"{percent}th percentile: {label}ms" for percent, label in percentiles(counts)
              if percent != 50 or release.sdk >= 24]
    lines += ["Number Missed Vsync: 0", "Number High input latency: 0", f"Number Slow UI thread: {slow_ui}",
              f"Number Slow bitmap uploads: {slow_upload}",
              f"Number Slow {'issue draw commands' if release.sdk >= 24 else 'draw'}: {slow_draw}"]
    if release.sdk >= 28:
        lines.append(f"Number Frame deadline missed: {janky}")
    if release.sdk >= 31:
        lines.append(f"Number Frame deadline missed (legacy): {janky}")
    if release.sdk >= 24:
        lines.append("HISTOGRAM:" + "".join(f" {label}ms={count}" for label, count in counts.items()))
    if release.sdk >= 30:
        lines += [f"{percent}th gpu percentile: {label}ms" for percent, label in percentiles(gpu)]
        lines.append("GPU HISTOGRAM:" + "".join(f" {label}ms={count}" for label, count in gpu.items()))
    return "".join("\n" + line for line in lines)


def caches(release):
    pipeline = "Pipeline=Skia (OpenGL)"
    if release.sdk <= 23:
        return "\nCaches:\nCurrent memory usage / total memory usage (bytes):\n  TextureCache         0 / 25165824\n"
    if release.sdk <= 25:
        return "\nCaches:\nCurrent memory usage / total memory usage (bytes):\n\nPipeline=OpenGLRenderer\n"
    if release.sdk <= 30:
        return ("\nFont Cache (CPU):\n  Size: 0.00 kB \n  Glyph Count: 0 \nCPU Caches:\nGPU Caches:\nTotal GPU memory usage:\n"
                f"  0 bytes, 0.00 MB (0.00 MB is purgeable)\n\n{pipeline}\n")
    return (f"\n{pipeline}\nCPU Caches:\n  Glyph Count: 0 \nTotal CPU memory usage:\n  0 bytes, 0.00 MB (0.00 MB is purgeable)\n"
            "GPU Caches:\nTotal GPU memory usage:\n  0 bytes, 0.00 MB (0.00 MB is purgeable)\n\n")


def simple_rows(process, end, interval_ns):
    text = "\n\tDraw\tPrepare\tProcess\tExecute\n"
    for index in range(max(process.printed_until, end - RING), end):
        _, length = process.frame(index)
        text += "".join(f"\t{min(length * tenths / 10 / 1e6, 50):.2f}" for tenths in (5, 1, 2, 2)) + "\n"
    process.printed_until = end
    return text


def section(phone, process, framestats):
    """The dump of one process. Only the process with the name of the package has a window, also while it is in the background."""
    release, interval_ns = phone.release, int(1_000_000_000 / phone.refresh_hz)
    end = process.completed(phone.now_ns()) if process.app.renderer == "hwui" else 0
    block, framestats = "", framestats and release.sdk >= 23
    if release.sdk >= 23:  # older releases have neither statistics nor framestats
        block = statistics(release, process.lengths(process.counted_from, end), interval_ns, process.since_ns)
    text = f"\n** Graphics info for pid {process.pid} [{process.name}] **\n"
    text += block + ("\n" if release.sdk <= 25 or release.sdk >= 33 else "") + caches(release)
    text += "\nProfile data in ms:\n"
    title = f"{process.app.package}/{process.app.activity_class}"
    windows = int(process.name == process.app.package)
    if windows:
        text += f"\n\t{title}/android.view.ViewRootImpl@1d5ddd6 (visibility={0 if phone.in_front(process) else 8})"
        if phone.properties.get("debug.hwui.profile") in ("true", "visual_bars"):
            text += simple_rows(process, end, interval_ns)
        if framestats:
            if release.sdk >= 26:
                text += f"\nWindow: {title}" + block + "\n"
            text += "\n\n---PROFILEDATA---\n" + "".join(f"{name}," for name in release.header)
            for index in range(max(process.counted_from, end - RING), end):
                text += "\n" + "".join(f"{value}," for value in row(release, *process.frame(index), interval_ns, index))
            text += "\n---PROFILEDATA---\n\n"
    text += "\nView hierarchy:\n\n"
    if windows:
        kind = "render nodes" if release.sdk >= 30 else "display lists"
        text += f"  {title}/android.view.ViewRootImpl@1d5ddd6\n  12 views, 10.50 kB of {kind}\n\n"
    if release.sdk >= 30:
        return text + (f"\nTotal ViewRootImpl   : {windows}\nTotal attached Views : {12 * windows}\n"
                       f"Total RenderNode     : {10.5 * windows:.2f} kB (used) / {20.5 * windows:.2f} kB (capacity)\n\n")
    return text + (f"\nTotal ViewRootImpl: {windows}\nTotal Views:        {12 * windows}\n"
                   f"Total DisplayList:  {10.5 * windows:.2f} kB\n\n")


def dump(phone, words):
    names = [word for word in words if not word.startswith("-")][:1]
    chosen = [one for one in phone.processes if not names or names[0] in (one.name, str(one.pid))]
    if not chosen:
        return f"No process found for: {names[0] if names else ''}\n"
    framestats = "framestats" in words or (phone.release.sdk >= 28 and (not words or "-a" in words))
    uptime = phone.now_ns() // 1_000_000
    text = f"Applications Graphics Acceleration Info:\nUptime: {uptime} Realtime: {uptime + SLEPT_S * 1000}\n"
    for process in chosen:
        if process.hangs:
            text += (f"\n** Graphics info for pid {process.pid} [{process.name}] **\n"
                     f"Failure while dumping the app: {phone.record(process)}\n")
            continue
        text += section(phone, process, framestats)
        if "reset" in words and (phone.release.sdk >= 33 or process.name == process.app.package):
            now = phone.now_ns()
            process.counted_from, process.since_ns = process.completed(now), now
    return text
