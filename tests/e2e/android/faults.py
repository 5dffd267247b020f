"""What can go wrong with a stand-in, and when.

At once: phone.crash("com.x"), .hang("com.x"), .reboot(), .unplug(back_after_s=2), .fill_storage(), .free_storage(), .jump_clock(-3600),
.corrupt_dumps(how), .slow_dumps(0.5), .set_screen(on=False), .overheat(), .set_battery(level=4).

Later: phone.when(match, do, nth=1, after=False, delay_s=0) does `do()` at the nth command that matches: `match` is words
the command begins with (("am", "start")), or a function of the Call; before the command answers, or after; and that much later."""

import threading

SEVERITIES = {0: 30.0, 1: 38.0, 2: 41.0, 3: 45.0, 4: 50.0}  # skin temperature of each thermal status


class Rule:
    def __init__(self, match, do, nth, after, delay_s):
        self.match = match
        self.do = do
        self.left = nth
        self.after = after
        self.delay_s = delay_s

    def meets(self, call):
        return self.match(call) if callable(self.match) else call.argv[:len(self.match)] == tuple(self.match)


class Faults:
    def when(self, match, do, nth=1, after=False, delay_s=0.0):
        with self.lock:
            self.rules.append(Rule(match, do, nth, after, delay_s))

    def before(self, call):
        due = []
        with self.lock:
            for rule in self.rules:
                if rule.left > 0 and rule.meets(call):
                    rule.left -= 1
                    if rule.left == 0:
                        due.append(rule)
        call.due = due
        self.do_now([rule for rule in due if not rule.after])

    def after(self, call):
        self.do_now([rule for rule in call.due if rule.after])

    def do_now(self, rules):
        for rule in rules:
            if rule.delay_s > 0:
                self.later(rule.delay_s, rule.do)
            else:
                rule.do()

    def later(self, seconds, do):
        timer = threading.Timer(seconds, lambda: None if self.closed else do())
        timer.daemon = True
        self.timers = [one for one in getattr(self, "timers", []) if one.is_alive()] + [timer]
        timer.start()

    def cancel(self):
        for timer in getattr(self, "timers", []):
            timer.cancel()
            if timer.is_alive() and timer is not threading.current_thread():
                timer.join(20)

    # ---- the app

    def crash(self, package, message="java.lang.IllegalStateException: planted"):
        process = self.running(package)
        if process is None:
            return
        self.log.crash(process, message)
        self.stop(package)

    def kill(self, package):
        """It is gone without a word, as when memory runs short."""
        self.stop(package)

    def hang(self, package, seconds=None):
        """Its main thread answers no more, for that long or for good."""
        process = self.running(package)
        if process is None:
            return
        process.hangs = True
        self.redraw()
        self.log.anr(process)
        if seconds is not None:
            self.later(seconds, lambda: self.wake(process))

    def wake(self, process):
        process.hangs = False
        self.redraw()

    # ---- the device

    def unplug(self, back_after_s=None):
        """adbd is killed, with every command that runs, and back with the same state."""
        self.machine.power_off()
        if back_after_s is not None:
            self.later(back_after_s, self.plug)

    def plug(self):
        with self.lock, self.machine.lock:
            if self.machine.process is None:
                self.machine.power_on()

    def reboot(self, seconds=2.0):
        """Nothing runs afterwards, the clock begins anew, and properties that are not persistent are lost."""
        self.machine.power_off()
        self.end_monkeys()
        with self.lock:
            self.processes, self.front = [], None
            self.properties = {name: value for name, value in self.properties.items()
                               if name.startswith(("ro.", "persist."))}
            self.locked, self.screen_on = True, False
            self.surfaces.reboot()
        self.later(seconds, self.boot)

    def boot(self):
        self.machine.power_on(uptime_s=20)
        self.properties["sys.boot_completed"] = "1"

    def fill_storage(self):
        """Nothing more can be stored: neither pushed nor installed."""
        self.storage_full = True
        self.machine.fill_storage()

    def free_storage(self):
        self.storage_full = False
        self.machine.free_storage()

    def jump_clock(self, seconds):
        """The wall clock, as network time does; CLOCK_MONOTONIC never jumps."""
        self.wall_ahead_s += seconds

    def overheat(self, status=3):
        self.thermal_status, self.skin_c = status, SEVERITIES[status]
        self.battery["temperature_c"] = self.skin_c
        self.write_files()

    def set_battery(self, **values):
        self.battery.update(values)
        self.write_files()

    def abort_instrumentation(self):
        """The system crashes under whatever is instrumented."""
        self.system_crashed = True
        self.later(0.5, lambda: setattr(self, "system_crashed", False))

    # ---- what it answers

    def corrupt_dumps(self, how=lambda text: text[:len(text) // 2] + "\0\x1b[2J\xff" + "9" * 40 + text[len(text) // 2 + 60:]):
        """`how` changes the text of gfxinfo dumps; None mends it."""
        self.dump_text = how

    def slow_dumps(self, seconds):
        self.delays_s["dumpsys"] = seconds
