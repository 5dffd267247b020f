"""pm, which manages the installed packages, and cmd, which calls pm, am, settings and the thermal service."""

import io
import os

from .activities import am
from .services import thermal_override
from .settings import settings


def install(phone, call, words):
    options = [word for word in words if word.startswith("-")]
    paths = [word for word in words if not word.startswith("-")]
    streamed = "-S" in options
    if streamed:
        size = int(paths.pop(0))
        data = b""
        while len(data) < size:
            part = os.read(call.fds[0], size - len(data))
            if not part:
                break
            data += part
        app = phone.read_apk(io.BytesIO(data))
    else:
        path = paths[-1] if paths else ""
        here = phone.path(path)
        if not here.exists():
            if phone.release.sdk >= 26:
                call.err(f"Error: Unable to open file: {path}\nConsider using a file under /data/local/tmp/\n"
                         f"Error: Can't open file: {path}\n")
                return 1
            call.out(f"\tpkg: {path}\nFailure [INSTALL_FAILED_INVALID_URI]\n")
            return 0
        if phone.release.sdk <= 24:
            call.out(f"\tpkg: {path}\n")
        app = phone.read_apk(here)
    problem = obstacle(phone, app, options)
    if problem:
        call.out(f"Failure [{problem}]\n")
        return 1 if phone.release.sdk >= 24 else 0
    phone.put(app)
    phone.log.add("I", "PackageManager", f"Package {app.package} codePath changed")
    call.out("Success\n")
    return 0


def obstacle(phone, app, options):
    if phone.storage_full:
        return "INSTALL_FAILED_INSUFFICIENT_STORAGE"
    if app is None:
        return "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1.tmp/base.apk"
    if app.min_sdk > phone.release.sdk:
        return (f"INSTALL_FAILED_OLDER_SDK: Failed parse: Requires newer sdk version #{app.min_sdk} "
                f"(current version is #{phone.release.sdk})")
    old = phone.packages.get(app.package)
    if old and phone.release.sdk < 28 and "-r" not in options:
        return f"INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install {app.package} without first uninstalling."
    if old and old.version_code > app.version_code and "-d" not in options:
        return "INSTALL_FAILED_VERSION_DOWNGRADE"
    return None


def uninstall(phone, call, words):
    package = words[-1] if words else ""
    if package not in phone.packages:
        call.out("Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
        return 1
    phone.stop(package)
    del phone.packages[package]
    call.out("Success\n")
    return 0


def list_(phone, call, words):
    what = words[0] if words else ""
    wanted = [word for word in words[1:] if not word.startswith("-")]
    if what.startswith("package"):
        for name in ["android", "com.android.systemui", *phone.packages]:
            if not wanted or wanted[0] in name:
                call.out(f"package:{'/data/app/' + name + '-1/base.apk=' if '-f' in words else ''}{name}\n")
        return 0
    if what == "instrumentation":
        for app in phone.packages.values():
            if app.target and (not wanted or wanted[0] == app.target):
                call.out(f"instrumentation:{app.package}/{app.runner} (target={app.target})\n")
        return 0
    if what == "features":
        call.out("feature:reqGlEsVersion=0x30002\nfeature:android.hardware.touchscreen\n")
        return 0
    call.err(f"Error: unknown list type '{what}'\n")
    return 1


def path(phone, call, words):
    if words[-1] not in phone.packages or words[-1] in phone.not_of_user_0:
        return 1
    call.out(f"package:/data/app/{words[-1]}-1/base.apk\n")
    return 0


def clear(phone, call, words):
    known = words[-1] in phone.packages
    phone.stop(words[-1])
    call.out("Success\n" if known else "Failed\n")
    return 0 if known else 1


def resolve(phone, call, words):
    """cmd package resolve-activity [--brief] [-a …] [-c …] PACKAGE"""
    app = phone.packages.get(words[-1]) if words else None
    if app is None or app.target:
        call.out("No activity found\n")
        return 0
    if "--brief" in words:
        call.out("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n" + app.component + "\n")
    else:
        call.out(f"priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\nActivityInfo:\n"
                 f"  name={app.activity_class}\n  packageName={app.package}\n")
    return 0


def compile_(phone, call, words):
    known = words[-1] in phone.packages
    call.out("Success\n" if known else f"Error: Package: {words[-1]} could not be compiled\n")
    return 0 if known else 1


PM = {"install": install, "uninstall": uninstall, "list": list_, "path": path, "clear": clear,
      "grant": lambda phone, call, words: 0, "resolve-activity": resolve, "compile": compile_,
      "query-activities": resolve}


def pm(phone, call):
    words = call.words if call.name == "pm" else call.words[1:]
    if not words or words[0] not in PM or (words[0] in ("resolve-activity", "compile") and phone.release.sdk < 24):
        call.err(f"Error: unknown command '{words[0] if words else ''}'\n")
        return 1
    return PM[words[0]](phone, call, words[1:])


def cmd(phone, call):
    table = {"activity": am, "package": pm, "settings": settings, "thermalservice": thermal_override}
    if not call.words or call.words[0] not in table:
        call.err(f"cmd: Can't find service: {call.words[0] if call.words else ''}\n")
        return 20
    return table[call.words[0]](phone, call)


COMMANDS = {"pm": pm, "cmd": cmd}
