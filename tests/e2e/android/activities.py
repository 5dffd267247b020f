"""am, pidof, pkill and ps: commands that start, end and list apps."""

from . import instrument
from .calls import RunReal

MONKEY = "com.android.commands.monkey"
USAGE = "Activity manager (activity) commands:\n  help\n  start-activity [-D] [-N] [-W] …\n"
TAKES_VALUE = {"-a", "-d", "-t", "-c", "-n", "-f", "-p", "--user", "--display", "-R", "-P", "--start-profiler", "--windowingMode",
               "--receiver-permission"}
TAKES_TWO = {"-e", "--es", "--ez", "--ei", "--el", "--ef", "--eu", "--ecn", "--eia", "--esa", "--ela"}


def intent_of(words):
    """Parses the words of an Intent: ({option: value}, switches, other words). Drops extras with a type, such as --es."""
    values, switches, rest = {}, set(), []
    words = list(words)
    while words:
        word = words.pop(0)
        if word in TAKES_VALUE:
            values[word] = words.pop(0) if words else ""
        elif word in TAKES_TWO:
            del words[:2]
        elif word.startswith("-"):
            switches.add(word)
        else:
            rest.append(word)
    return values, switches, rest


def shown(values, rest):
    parts = []
    for option, name in (("-a", "act"), ("-c", "cat"), ("-d", "dat"), ("-t", "typ"), ("-f", "flg")):
        if option in values:
            parts.append(f"{name}=[{values[option]}]" if option == "-c" else f"{name}={values[option]}")
    component = values.get("-n") or next((word for word in rest if "/" in word), None)
    if component:
        parts.append(f"cmp={component}")
    elif "-p" in values or rest:
        parts.append(f"pkg={values.get('-p') or rest[0]}")
    return "Intent { " + " ".join(parts) + " }"


def find(phone, values, rest):
    """(app, component) that an intent starts. The app is None if it is unknown. The component is "" if the intent names none."""
    component = values.get("-n") or next((word for word in rest if "/" in word), "")
    package, _, name = component.partition("/")
    if component:
        app = phone.packages.get(package)
        known = app and (package + name if name.startswith(".") else name) == app.activity_class
        return (app if known else None), f"{package}/{package + name if name.startswith('.') else name}"
    app = phone.packages.get(values.get("-p") or (rest[0] if rest else ""))
    return app, ""


def start(phone, call, words):
    values, switches, rest = intent_of(words)
    call.out(f"Starting: {shown(values, rest)}\n")
    app, component = find(phone, values, rest)
    if app is None:
        if component:
            call.err(f"Error type 3\nError: Activity class {{{component}}} does not exist.\n")
        else:
            call.err(f"Error: Activity not started, unable to resolve {shown(values, rest)}\n")
        return 1 if phone.release.sdk >= 26 else 0
    if "-S" in switches:
        phone.stop(app.package)
    process, state = phone.start(app.package)
    if state == "HOT":
        call.err("Warning: Activity not started, its current task has been brought to the front\n")
    took = {"COLD": app.launch_ms, "WARM": app.launch_ms // 2}.get(state, 40)
    if "-W" in switches:
        call.sleep(took / 1000)
        call.out("Status: ok\n" + (f"LaunchState: {state}\n" if phone.release.sdk >= 29 else "")
                 + f"Activity: {app.component}\n" + (f"ThisTime: {took}\n" if phone.release.sdk <= 28 else "")
                 + f"TotalTime: {took}\nWaitTime: {took + 4}\nComplete\n")
    del process
    return 0


def force_stop(phone, call, words):
    _, _, rest = intent_of(words)
    if not rest:
        call.err("Error: No package specified\n")
        return 255
    phone.stop(rest[0])
    return 0


def broadcast(phone, call, words):
    values, _, rest = intent_of(words)
    phone.log.add("I", "ActivityManager", "broadcast")
    call.out(f"Broadcasting: {shown(values, rest)}\nBroadcast completed: result=0\n")
    return 0


def crash(phone, call, words):
    _, _, rest = intent_of(words)
    phone.crash(rest[0] if rest else "")
    return 0


AM = {"start": start, "start-activity": start, "force-stop": force_stop, "broadcast": broadcast, "crash": crash,
      "instrument": instrument.run,
      "kill": lambda phone, call, words: 0 if phone.front and phone.front.name == words[-1] else force_stop(phone, call, words),
      "get-current-user": lambda phone, call, words: call.out("0\n")}


def am(phone, call):
    words = call.words if call.name == "am" else call.words[1:]  # or `cmd activity …`
    if not words or words[0] not in AM:
        call.err((f"Unknown command: {words[0]}\n" if words else "") + USAGE)
        return 255
    return AM[words[0]](phone, call, words[1:])


def pidof(phone, call):
    pids = [str(one.pid) for one in phone.processes if one.name in call.words]
    pids += [str(one.pid) for one in phone.monkeys if MONKEY in call.words]
    if pids:
        call.out(" ".join(pids) + "\n")
    return 0 if pids else 1


def ps(phone, call):
    """Prints processes as toybox does, and as toolbox before Android 8. -o prints "?" for a column that is not implemented."""
    rows = [(1, "root", "init"), (612, "system", "system_server"), (700, "u0_a20", "com.android.systemui"),
            *((one.pid, f"u0_a{one.app.uid - 10000}", one.name) for one in phone.processes),
            *((one.pid, "shell", MONKEY) for one in phone.monkeys)]
    words = [word for word in call.words if word != "-A" and word != "-ef"]
    if phone.release.sdk >= 26 and words[:1] == ["-o"]:
        columns = words[1].upper().split(",")
        call.out(" ".join(columns) + "\n")
        for pid, user, name in rows:
            value = {"PID": pid, "USER": user, "NAME": name, "ARGS": name, "CMD": name, "COMM": name[:15], "PPID": 1}
            call.out(" ".join(str(value.get(column, "?")) for column in columns) + "\n")
        return 0
    if phone.release.sdk >= 26:
        call.out("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME                       \n")
        form = "{1:<12} {0:>5} {2:>5} 1400000  90000 SyS_epoll_wait      0 S {3}\n"
    else:
        call.out("USER      PID   PPID  VSIZE  RSS   WCHAN              PC  NAME\n")
        form = "{1:<9} {0:<5} {2:<5} 1400000 90000 SyS_epoll_ 0000000000 S {3}\n"
    for pid, user, name in rows:
        call.out(form.format(pid, user, 1, name))
    return 0


def pkill(phone, call):
    """pkill [-f] NAME. Monkeys are threads of the test, so they end here. The real pkill ends all other processes."""
    if call.words and call.words[-1] in MONKEY:
        return 0 if phone.end_monkeys() else 1
    raise RunReal()


COMMANDS = {"am": am, "pidof": pidof, "pkill": pkill, "ps": ps}
