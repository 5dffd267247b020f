"""dumpsys: reports of the device's services."""

from . import gfxinfo
from .surfaces import surface_flinger


def gfxinfo_(phone, call, words):
    if any(one.hangs for one in phone.processes if not words or words[0] in (one.name, str(one.pid))):
        call.sleep(phone.dump_timeout_s)
    text = gfxinfo.dump(phone, words)
    call.out(phone.dump_text(text) if phone.dump_text else text)


def battery(phone, call, words):
    if words[:1] in (["set"], ["unplug"], ["reset"]):
        if words[0] == "set" and len(words) == 3:
            name, value = words[1], int(words[2])
            phone.battery.update({"level": {"level": value}, "temp": {"temperature_c": value / 10}}.get(name, {}))
        elif words[0] == "unplug":
            phone.battery["powered"] = False
        else:
            phone.battery["powered"] = True
        return
    powered = phone.battery["powered"]
    call.out("Current Battery Service state:\n"
             f"  AC powered: false\n  USB powered: {str(powered).lower()}\n  Wireless powered: false\n")
    if phone.release.sdk >= 26:
        call.out("  Max charging current: 500000\n  Max charging voltage: 5000000\n  Charge counter: 2860000\n")
    call.out(f"  status: {phone.battery['status'] if powered else 3}\n  health: 2\n  present: true\n"
             f"  level: {phone.battery['level']}\n  scale: 100\n  voltage: 4187\n"
             f"  temperature: {round(phone.battery['temperature_c'] * 10)}\n  technology: Li-ion\n")


def thermal(phone, call, words):
    if phone.release.sdk < 29:
        return missing(phone, call, "thermalservice")
    skin = f"\tTemperature{{mValue={phone.skin_c}, mType=3, mName=skin, mStatus={phone.thermal_status}}}\n"
    rest = (f"\tTemperature{{mValue={phone.battery['temperature_c']}, mType=2, mName=battery, mStatus=0}}\n"
            f"\tTemperature{{mValue={phone.skin_c + 8:.1f}, mType=0, mName=CPU0, mStatus=0}}\n")
    call.out(f"IsStatusOverride: false\nThermalEventListeners:\n\tcallbacks: 1\n\tkilled: false\n\tbroadcasts count: -1\n"
             f"ThermalStatusListeners:\n\tcallbacks: 1\n\tkilled: false\n\tbroadcasts count: -1\n"
             f"Thermal Status: {phone.thermal_status}\nCached temperatures:\n{skin}HAL Ready: true\nHAL connection:\n"
             f"\tThermalHAL 2.0 connected: yes\nCurrent temperatures from HAL:\n{skin}{rest}"
             "Current cooling devices from HAL:\n\tCoolingDevice{mValue=0, mType=2, mName=thermal-cpufreq-0}\n")
    return 0


def thermal_override(phone, call):
    """cmd thermalservice override-status N | reset"""
    words = call.words[1:]
    if words[:1] == ["override-status"] and len(words) == 2:
        phone.thermal_status = int(words[1])
        return 0
    return 0 if words[:1] == ["reset"] else 255


def power(phone, call, words):
    now = phone.now_ns() // 1_000_000
    awake = "Awake" if phone.screen_on else "Asleep"
    call.out("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mDirty=0x0\n"
             f"  mWakefulness={awake}\n  mWakefulnessChanging=false\n  mIsPowered={str(phone.battery['powered']).lower()}\n"
             f"  mPlugType=2\n  mBatteryLevel={phone.battery['level']}\n  mStayOn=false\n"
             f"  mLastWakeTime={now - 61_042} (61042 ms ago)\n  mLastSleepTime={now - 99_500} (99500 ms ago)\n"
             f"  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={str(phone.screen_on).lower()}\n\n"
             f"Settings and Configuration:\n  mStayOnWhilePluggedInSetting="
             f"{phone.settings['global']['stay_on_while_plugged_in']}\n"
             f"  mScreenOffTimeoutSetting={phone.settings['system']['screen_off_timeout']}\n"
             f"  mLowPowerModeEnabled={'true' if phone.settings['global'].get('low_power') == '1' else 'false'}\n\n"
             f"Display Power: state={'ON' if phone.screen_on else 'OFF'}\n\nWake Locks: size=0\n")


def display(phone, call, words):
    width, height = phone.size
    state = "ON" if phone.screen_on else "OFF"
    modes = ", ".join(f"{{id={index + 1}, width={width}, height={height}, fps={rate:.6g}"
                      + (", alternativeRefreshRates=[]" if phone.release.sdk >= 31 else "") + "}"
                      for index, rate in enumerate(phone.rates))
    mode = phone.rates.index(phone.refresh_hz) + 1 if phone.refresh_hz in phone.rates else 1
    name = '"Built-in Screen"' if phone.release.sdk <= 30 else '"Built-in Screen", displayId 0'
    rate = f"{phone.refresh_hz:.1f} fps"
    if phone.release.sdk <= 22:
        middle = rate
    elif phone.release.sdk <= 30:
        middle = f"mode {mode}, defaultMode 1, modes [{modes}]"
    else:
        middle = f"mode {mode}, renderFrameRate {phone.refresh_hz:.6g}, defaultMode 1, modes [{modes}]"
    if phone.rotation % 2:
        width, height = height, width
    info = (f"DisplayInfo{{{name}, uniqueId \"local:0\", app {width} x {height}, real {width} x {height}, "
            f"largest app {max(width, height)} x {max(width, height)}, smallest app {min(width, height)} x {min(width, height)}, "
            f"{middle}, colorMode 0, supportedColorModes [0], rotation {phone.rotation}, density {phone.density} "
            f"(420.0 x 420.0) dpi, layerStack 0, appVsyncOff 2000000, presDeadline 11666666, type BUILT_IN, state {state}}}")
    call.out("DISPLAY MANAGER (dumpsys display)\n  mOnlyCode=false\n  mSafeMode=false\n\nDisplay Devices: size=1\n"
             f"  DisplayDeviceInfo{{\"Built-in Screen\": uniqueId=\"local:0\", {width} x {height}, modeId {mode}, defaultModeId 1, "
             f"supportedModes [{modes}], density {phone.density}, 420.0 x 420.0 dpi, appVsyncOff 2000000, presDeadline 11666666, "
             f"touch INTERNAL, rotation {phone.rotation}, type BUILT_IN, state {state}, FLAG_DEFAULT_DISPLAY}}\n"
             f"    mActiveModeId={mode}\n\nLogical Displays: size=1\n  Display 0:\n    mDisplayId=0\n"
             f"    mBaseDisplayInfo={info}\n    mOverrideDisplayInfo={info}\n\nDisplay Power Controller:\n"
             f"  mScreenState={state}\n")


def window(phone, call, words):
    front = phone.front
    shown = f"Window{{6c1d5e1 u0 {front.app.package}/{front.app.activity_class}}}" if front else "null"
    if phone.locked:
        shown = "Window{1b2f3c4 u0 NotificationShade}" if phone.release.sdk >= 30 else "Window{1b2f3c4 u0 StatusBar}"
    app = f"AppWindowToken{{8a5d token=Token{{5c4 ActivityRecord{{f00d u0 {front.app.component} t12}}}}}}" if front else "null"
    locked = str(phone.locked).lower()
    call.out("WINDOW MANAGER POLICY STATE (dumpsys window policy)\n")
    if phone.release.sdk <= 27:
        call.out(f"    mShowingLockscreen={locked} mShowingDream=false mDreamingLockscreen=false\n")
    if phone.release.sdk >= 26:
        call.out(f"    KeyguardServiceDelegate\n      showing={locked}\n      showingAndNotOccluded={locked}\n      inputRestricted="
                 f"{locked}\n      occluded=false\n      secure=false\n      dreaming=false\n    screenState="
                 f"{'SCREEN_STATE_ON' if phone.screen_on else 'SCREEN_STATE_OFF'}\n    mDreamingLockscreen={locked}\n")
    call.out(f"    mAwake={str(phone.screen_on).lower()}\n"
             f"    mScreenOnEarly={str(phone.screen_on).lower()} mScreenOnFully={str(phone.screen_on).lower()}\n")
    if "policy" in words:
        return
    call.out("\nWINDOW MANAGER WINDOWS (dumpsys window windows)\n"
             f"  mCurrentFocus={shown}\n  mFocusedApp={app}\n  mRotation={phone.rotation} mCurrentRotation={phone.rotation}\n")


def activity(phone, call, words):
    front = phone.front
    record = f"ActivityRecord{{f00d5 u0 {front.app.component} t12}}" if front else "null"
    name = "mResumedActivity" if phone.release.sdk <= 32 else "topResumedActivity"
    mark = ": " if phone.release.sdk <= 32 else "="
    if words[:1] in ([], ["activities"], ["a"]):
        call.out("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n"
                 f"  {name}{mark}{record}\n  mFocusedActivity: {record}\n")
    if words[:1] in ([], ["processes"], ["p"]):
        call.out("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n"
                 + "".join(f"  *APP* UID {one.app.uid} {phone.record(one)}\n" for one in phone.processes))
    if words[:1] == ["top"] and front:
        call.out(f"TASK {front.app.package} id=12\n  ACTIVITY {front.app.component} f00d5 pid={front.pid}\n")


def package(phone, call, words):
    app = phone.packages.get(words[0]) if words else None
    if app is None:
        call.out(f"Unable to find package: {words[0] if words else ''}\n")
        return
    call.out(f"Packages:\n  Package [{app.package}] (6f4e2d1):\n    userId={app.uid}\n    codePath=/data/app/{app.package}-1\n"
             f"    versionCode={app.version_code} minSdk={app.min_sdk} targetSdk=30\n    versionName={app.version_name}\n"
             "    flags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    firstInstallTime=2024-01-01 00:00:00\n"
             "    lastUpdateTime=2024-01-01 00:00:00\n")


def input_(phone, call, words):
    call.out("INPUT MANAGER (dumpsys input)\n\nEvent Hub State:\n  Devices:\n    2: touchscreen\n      Classes: 0x00000015\n"
             f"      Path: /dev/input/event2\n  SurfaceOrientation: {phone.rotation}\n")


def meminfo(phone, call, words):
    call.out(f"Total RAM: {phone.ram_mib * 1024:,}K (status normal)\n")


def missing(phone, call, name):
    call.err(f"Can't find service: {name}\n")
    return 0


SERVICES = {"gfxinfo": gfxinfo_, "battery": battery, "thermalservice": thermal, "power": power, "display": display,
            "window": window, "SurfaceFlinger": surface_flinger, "activity": activity, "package": package, "input": input_,
            "meminfo": meminfo}


def dumpsys(phone, call):
    words = list(call.words)
    if words[:1] == ["-t"]:
        del words[:2]
    if words[:1] == ["-l"]:
        names = [name for name in SERVICES if name != "thermalservice" or phone.release.sdk >= 29]
        call.out("Currently running services:\n" + "".join(f"  {name}\n" for name in sorted(names)))
        return 0
    if not words or words[0] not in SERVICES:
        return missing(phone, call, words[0] if words else "")
    return SERVICES[words[0]](phone, call, words[1:]) or 0


COMMANDS = {"dumpsys": dumpsys}
