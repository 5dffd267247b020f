"""Faults of a stand-in device, and the time at which they occur.

At once: phone.crash("com.x"), .hang("com.x"), .reboot(), .unplug(back_after_s=2), .fill_storage(), .free_storage(), .jump_clock(-3600),
.corrupt_dumps(how), .slow_dumps(0.5), .set_screen(on=False), .overheat(), .set_battery(level=4).

Later: phone.when(match, do, nth=1, after=False, delay_s=0) calls `do()` at the nth command that matches. `match` is the first
words of the command, such as ("am", "start"), or a function of the Call. `do()` runs before the command, or after it if `after`
is true, and `delay_s` later."""

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
        """Ends the app without a log line, as Android does when memory is low."""
        self.stop(package)

    def hang(self, package, seconds=None):
        """The main thread stops responding, for `seconds` or until it is woken."""
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
        """Kills adbd and every command that runs. With `back_after_s`, starts adbd again after this time, with the same state."""
        self.machine.power_off()
        if back_after_s is not None:
            self.later(back_after_s, self.plug)

    def plug(self):
        with self.lock, self.machine.lock:
            if self.machine.process is None:
                self.machine.power_on()

    def reboot(self, seconds=2.0):
        """Ends all apps, restarts the clock, and loses all properties except ro.* and persist.*."""
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
        """Fills the storage, so that pushes and installations fail."""
        self.storage_full = True
        self.machine.fill_storage()

    def free_storage(self):
        self.storage_full = False
        self.machine.free_storage()

    def jump_clock(self, seconds):
        """Moves the wall clock, as network time does. CLOCK_MONOTONIC does not jump."""
        self.wall_ahead_s += seconds

    def overheat(self, status=3):
        self.thermal_status, self.skin_c = status, SEVERITIES[status]
        self.battery["temperature_c"] = self.skin_c
        self.write_files()

    def set_battery(self, **values):
        self.battery.update(values)
        self.write_files()

    def abort_instrumentation(self):
        """The system crashes, which aborts every running instrumentation."""
        self.system_crashed = True
        self.later(0.5, lambda: setattr(self, "system_crashed", False))

    # ---- output of commands

    def corrupt_dumps(self, how=lambda text: text[:len(text) // 2] + "\0\x1b[2J\xff" + "9" * 40 + text[len(text) // 2 + 60:]):
        """`how` changes the text of gfxinfo dumps. None ends the fault."""
        self.dump_text = how

    def slow_dumps(self, seconds):
        self.delays_s["dumpsys"] = seconds
