"""getprop, setprop, settings, wm and svc: commands for properties and settings."""

NAMESPACES = ("system", "secure", "global")


def defaults():
    return {"system": {"screen_off_timeout": "60000", "accelerometer_rotation": "1", "screen_brightness": "102",
                       "user_rotation": "0"},
            "secure": {"android_id": "0123456789abcdef"},
            "global": {"window_animation_scale": "1.0", "transition_animation_scale": "1.0", "animator_duration_scale": "1.0",
                       "stay_on_while_plugged_in": "0", "adb_enabled": "1", "development_settings_enabled": "1",
                       "low_power": "0", "airplane_mode_on": "0"}}


def properties(release, model, version):
    return {
        "ro.build.version.release": version, "ro.build.version.sdk": str(release.sdk), "ro.product.model": model,
        "ro.product.manufacturer": "dejank", "ro.product.brand": "dejank", "ro.product.name": "stand_in",
        "ro.product.device": "stand_in", "ro.build.id": "TEST.1", "ro.build.type": "user", "ro.build.version.incremental": "1",
        "ro.build.fingerprint": f"dejank/stand_in/stand_in:{version}/TEST.1/1:user/release-keys",
        "ro.build.version.security_patch": "2024-03-05", "ro.product.cpu.abi": "arm64-v8a", "ro.hardware": "stand_in",
        "ro.boot.hardware": "stand_in", "ro.kernel.qemu": "", "ro.serialno": "STANDIN0", "ro.board.platform": "sm8150",
        "ro.soc.model": "SM8150" if release.sdk >= 31 else "", "ro.soc.manufacturer": "QTI" if release.sdk >= 31 else "",
        "ro.sf.lcd_density": "420", "ro.opengles.version": "196610", "sys.boot_completed": "1", "ro.debuggable": "0",
        "persist.sys.timezone": "UTC", "debug.hwui.profile": "",
        "init.svc.traced": "running" if release.sdk >= 30 else "",
    }


def getprop(phone, call):
    if call.words:
        value = phone.properties.get(call.words[0], "")
        call.out((value or (call.words[1] if len(call.words) > 1 else "")) + "\n")
        return 0
    for name, value in sorted(phone.properties.items()):
        if value:
            call.out(f"[{name}]: [{value}]\n")
    return 0


def setprop(phone, call):
    if len(call.words) != 2:
        call.err("usage: setprop NAME VALUE\n")
        return 1
    name, value = call.words
    if name.startswith("ro.") or len(value.encode()) > 91:
        call.err(f"setprop: failed to set property '{name}' to '{value}'\n")
        return 1
    phone.properties[name] = value
    if name == "persist.traced.enable":
        phone.properties["init.svc.traced"] = "running" if value == "1" else "stopped"
    return 0


def settings(phone, call):
    words = [word for word in (call.words if call.name == "settings" else call.words[1:])]
    if words[:1] == ["--user"]:
        del words[:2]
    usage = "Settings provider (settings) commands:\n  get [--user <USER_ID> | current] [--verbose] NAMESPACE KEY\n"
    if len(words) < 2 or words[1] not in NAMESPACES:
        call.err(usage)
        return 255
    verb, namespace, *rest = words
    table = phone.settings[namespace]
    if verb in ("put", "delete") and (namespace, *rest[:1]) in phone.refuses:
        call.err("Security exception: Permission denial: writing to settings requires:"
                 "android.permission.WRITE_SECURE_SETTINGS\n\njava.lang.SecurityException: Permission denial\n")
        return 255
    if verb == "get" and len(rest) == 1:
        call.out(table.get(rest[0], "null") + "\n")
    elif verb == "put" and len(rest) >= 2:
        table[rest[0]] = rest[1]
        changed(phone, namespace, rest[0])
    elif verb == "delete" and len(rest) == 1:
        call.out(f"Deleted {int(table.pop(rest[0], None) is not None)} rows\n")
        changed(phone, namespace, rest[0])
    elif verb == "list":
        call.out("".join(f"{name}={value}\n" for name, value in sorted(table.items())))
    else:
        call.err(usage)
        return 255
    return 0


def changed(phone, namespace, name):
    """Applies settings that take effect at once: refresh rate and rotation."""
    table = phone.settings[namespace]
    if name in ("peak_refresh_rate", "min_refresh_rate") and namespace == "system":
        peak = float(table.get("peak_refresh_rate", max(phone.rates)))
        lowest = float(table.get("min_refresh_rate", 0))
        fitting = [rate for rate in phone.rates if lowest <= rate + 0.01 and rate <= peak + 0.01] or [min(phone.rates)]
        phone.set_screen(refresh_hz=max(fitting))
    if namespace == "system" and name == "user_rotation" and table.get("accelerometer_rotation") == "0":
        phone.rotation = int(table.get(name, "0")) % 4


def wm(phone, call):
    words = call.words
    if words == ["size"]:
        call.out(f"Physical size: {phone.size[0]}x{phone.size[1]}\n")
    elif words == ["density"]:
        call.out(f"Physical density: {phone.density}\n")
    elif words[:1] == ["dismiss-keyguard"]:
        phone.set_screen(locked=False)
    elif words[:1] == ["user-rotation"] and phone.release.sdk >= 30:
        if words[1:2] == ["lock"]:
            phone.settings["system"]["accelerometer_rotation"] = "0"
            phone.rotation = int(words[2]) if len(words) > 2 else phone.rotation
        elif words[1:2] == ["free"]:
            phone.settings["system"]["accelerometer_rotation"] = "1"
            phone.rotation = 0
        else:
            call.out("free\n" if phone.settings["system"]["accelerometer_rotation"] == "1" else f"lock {phone.rotation}\n")
    else:
        call.err("usage: wm [subcommand] [options]\n")
        return 1
    return 0


def svc(phone, call):
    """svc power stayon true|false|usb|ac|wireless"""
    if call.words[:2] == ["power", "stayon"] and len(call.words) == 3:
        value = {"true": "7", "false": "0", "ac": "1", "usb": "2", "wireless": "4"}[call.words[2]]
        phone.settings["global"]["stay_on_while_plugged_in"] = value
        return 0
    return 1


COMMANDS = {"getprop": getprop, "setprop": setprop, "settings": settings, "wm": wm, "svc": svc}
