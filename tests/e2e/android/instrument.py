"""am instrument: runs the tests one by one in real time, and prints its status stream."""

ABORTED = "INSTRUMENTATION_ABORTED: System has crashed.\n"
CODES = {"ok": 0, "failed": -2, "error": -1, "assumption": -4, "ignored": -3}


def options(words):
    raw, extras, component, words = False, {}, None, list(words)
    while words:
        word = words.pop(0)
        if word == "-r":
            raw = True
        elif word == "-e" and len(words) >= 2:
            name = words.pop(0)
            extras[name] = words.pop(0)
        elif word in ("-p", "--user", "--abi"):
            words = words[1:]
        elif not word.startswith("-"):
            component = word
    return raw, extras, component or ""


def unknown(phone, call, component):
    package, _, runner = component.partition("/")
    call.out(f"INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS: Error=Unable to find instrumentation "
             f"info for: ComponentInfo{{{package}/{runner}}}\nINSTRUMENTATION_STATUS_CODE: -1\n")
    call.err(f"android.util.AndroidException: INSTRUMENTATION_FAILED: {component}\n"
             "\tat com.android.commands.am.Am.runInstrument(Am.java:1093)\n")
    return 1 if phone.release.sdk >= 26 else 0


def chosen(app, extras):
    """The tests that `-e class A,B#m` selects. Without this option, all tests."""
    wanted = [one for one in extras.get("class", "").split(",") if one]
    return [test for test in app.tests if not wanted or test.cls in wanted or f"{test.cls}#{test.method}" in wanted]


def stack(test):
    kind = "java.lang.AssertionError" if test.outcome == "failed" else "java.lang.IllegalStateException"
    if test.outcome == "assumption":
        kind = "org.junit.AssumptionViolatedException"
    return (f"{kind}: {test.message}\n\tat org.junit.Assert.fail(Assert.java:89)\n\tat {test.cls}.{test.method}(Tests.java:17)\n"
            "\tat androidx.test.runner.AndroidJUnitRunner.onStart(AndroidJUnitRunner.java:446)\n")


def status(call, app, tests, number, test, stream, code, stack_text=None):
    lines = [f"class={test.cls}", f"current={number}", f"id={app.runner.rpartition('.')[2]}", f"numtests={len(tests)}"]
    if stack_text is not None:
        lines.append(f"stack={stack_text}")
    lines += [f"stream={stream}", f"test={test.method}"]
    call.out("".join(f"INSTRUMENTATION_STATUS: {line}\n" for line in lines) + f"INSTRUMENTATION_STATUS_CODE: {code}\n")


def crashed(phone, call, app, message):
    phone.crash(app.target)
    more = f"INSTRUMENTATION_RESULT: longMsg={message}\n" if message else ""
    call.out(f"INSTRUMENTATION_RESULT: shortMsg=Process crashed.\n{more}INSTRUMENTATION_CODE: 0\n")
    return 0


def run(phone, call, words):
    raw, extras, component = options(words)
    package, _, runner = component.partition("/")
    app = phone.packages.get(package)
    if app is None or app.target not in phone.packages or runner not in ("", app.runner):
        return unknown(phone, call, component)
    if "--no-restart" not in words:
        phone.stop(app.target)
    process, _ = phone.start(app.target)
    call.instrumented = process
    tests, failed, begun = chosen(app, extras), 0, phone.now_ns()
    pause_s = int(extras.get("delay_msec", 0)) / 1000  # AndroidX waits before the first test and after each test
    call.sleep(pause_s)
    for number, test in enumerate(tests, 1):
        head = f"\n{test.cls}:" if number == 1 or tests[number - 2].cls != test.cls else ""
        if raw:
            status(call, app, tests, number, test, head, 1)
        elif head:
            call.out(head)
        until = phone.now_ns() + int(test.seconds * 1e9)
        while phone.now_ns() < until and phone.running(app.target) is process and not phone.system_crashed:
            call.sleep(min(0.02, max(0, until - phone.now_ns()) / 1e9))
        if phone.system_crashed or test.outcome == "abort":
            call.out(ABORTED)
            return 0
        if phone.running(app.target) is not process:  # it crashed or was stopped during the test
            return crashed(phone, call, app, "")
        if test.outcome == "crash":
            return crashed(phone, call, app, test.message)
        failed += test.outcome in ("failed", "error")
        if raw:
            text = stack(test) if test.outcome not in ("ok", "ignored") else None
            stream = "." if test.outcome == "ok" else f"\nError in {test.method}({test.cls}):\n{text}" if text else ""
            status(call, app, tests, number, test, stream, CODES[test.outcome], text)
        else:
            call.out("." if test.outcome == "ok" else f"\nError in {test.method}({test.cls}):\n{stack(test)}")
        call.sleep(pause_s)
    seconds = (phone.now_ns() - begun) / 1e9
    count = sum(test.outcome != "ignored" for test in tests)
    verdict = f"FAILURES!!!\nTests run: {count},  Failures: {failed}" if failed else f"OK ({count} test{'s' * (count != 1)})"
    if raw:
        call.out(f"INSTRUMENTATION_RESULT: stream=\n\nTime: {seconds:.3f}\n\n{verdict}\n\n\nINSTRUMENTATION_CODE: -1\n")
    else:
        call.out(f"\n\nTime: {seconds:.3f}\n\n{verdict}\n\n\n")
    if not phone.keeps_instrumented and "--no-restart" not in words:
        phone.stop(app.target)  # as Android does, with the reason "finished inst"
    return 0
