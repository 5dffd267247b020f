"""The device's log, and logcat."""

import datetime


class Log:
    """Lines: (wall time in s, buffer, level, tag, text, pid)."""

    def __init__(self, phone):
        self.phone = phone
        self.lines = []

    def add(self, level, tag, text, pid=612, buffer="main"):
        for line in text.split("\n"):
            self.lines.append((self.phone.wall_s(), buffer, level, tag, line, pid))

    def crash(self, process, message):
        self.add("E", "AndroidRuntime", f"FATAL EXCEPTION: main\nProcess: {process.name}, PID: {process.pid}\n{message}\n"
                 f"\tat {process.app.activity_class}.onDraw(MainActivity.java:42)\n"
                 "\tat android.os.Handler.dispatchMessage(Handler.java:106)", process.pid, "crash")
        self.add("W", "ActivityManager" if self.phone.release.sdk < 29 else "ActivityTaskManager",
                 f"  Force finishing activity {process.app.component}", buffer="system")
        self.add("I", "am_crash", f"[{process.pid},0,{process.name},550026822,java.lang.IllegalStateException,{message},"
                 "MainActivity.java,42]", buffer="events")
        self.add("I", "ActivityManager", f"Process {process.name} (pid {process.pid}) has died", buffer="system")

    def anr(self, process):
        self.add("E", "ActivityManager", f"ANR in {process.name} ({process.app.component})\nPID: {process.pid}\n"
                 "Reason: Input dispatching timed out (Waiting because the touched window has not finished)", buffer="system")
        self.add("I", "am_anr", f"[0,{process.pid},{process.name},550026822,Input dispatching timed out]", buffer="events")


def stamp(wall_s, forms):
    if "epoch" in forms:
        return f"{wall_s:17.3f}"
    moment = datetime.datetime.fromtimestamp(wall_s, datetime.timezone.utc)
    digits = moment.strftime("%f") if "usec" in forms else moment.strftime("%f")[:3]
    return moment.strftime("%Y-" if "year" in forms else "") + moment.strftime("%m-%d %H:%M:%S.") + digits


def logcat(phone, call):
    words = list(call.words)
    buffers, forms, since, last, dump, filters = [], [], None, None, False, []
    while words:
        word = words.pop(0)
        if word == "-c":
            phone.log.lines = []
            return 0
        if word in ("-g", "-S"):
            call.out("main: ring buffer is 256Kb (20Kb consumed), max entry is 5120b, max payload is 4068b\n")
            return 0
        if word in ("-b", "-v", "-t", "-T", "-G"):
            value = words.pop(0) if words else ""
            if word == "-b":
                buffers += value.split(",")
            elif word == "-v":
                forms += value.split(",")
            elif word in ("-t", "-T"):
                dump = dump or word == "-t"
                if value.isdigit():
                    last = int(value)
                else:
                    since = value
        elif word == "-d":
            dump = True
        elif not word.startswith("-"):
            filters.append(word)
    wanted = set(buffers or ["main", "system", "crash"])
    if "all" in wanted:
        wanted = {"main", "system", "crash", "events"}
    shown = 0
    tags = {one.split(":")[0] for one in filters if one.split(":")[0] != "*"}
    begun = set()
    while True:
        lines = phone.log.lines
        fresh = [line for line in lines[shown:] if line[1] in wanted and (not tags or line[3] in tags)
                 and (since is None or later(phone, line[0], since))]
        if shown == 0 and last is not None:
            fresh = fresh[-last:]
        shown = len(lines)
        for wall_s, buffer, level, tag, text, pid in fresh:
            if buffer not in begun:
                begun.add(buffer)
                call.out(f"--------- beginning of {buffer}\n")
            if "brief" in forms:
                call.out(f"{level}/{tag:<8}({pid:5d}): {text}\n")
            else:
                call.out(f"{stamp(wall_s, forms)} {pid:5d} {pid:5d} {level} {tag:<8}: {text}\n")
        if dump:
            return 0
        call.sleep(0.05)


def later(phone, wall_s, since):
    """Whether a line is at `since` or later. Formats of -T: 'MM-DD HH:MM:SS.mmm', 'YYYY-MM-DD …' or seconds since 1970."""
    try:
        return wall_s >= float(since)
    except ValueError:
        year = datetime.datetime.fromtimestamp(phone.wall_s(), datetime.timezone.utc).year
        text = since if since[:4].isdigit() and since[4:5] == "-" else f"{year}-{since}"
        moment = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f").replace(tzinfo=datetime.timezone.utc)
        return wall_s >= moment.timestamp()


COMMANDS = {"logcat": logcat}
