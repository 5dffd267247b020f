"""Runs stand-in Android devices until it is interrupted. See __init__.py."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from android.app import Frames  # noqa: E402
from android.phone import Phone  # noqa: E402
from devices import Host, Network  # noqa: E402


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", default="build", help="the build directory")
    options.add_argument("--release", default="11")
    options.add_argument("--count", type=int, default=1, help="how many devices")
    options.add_argument("--install", action="append", default=[], metavar="PACKAGE")
    options.add_argument("--frames", default="8", help="ms of each frame in turn, with commas")
    options.add_argument("--when", default="always", help="they are drawn: always, touched, never")
    told = options.parse_args()
    build = Path(told.build).resolve()
    network, phones = Network(build), []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="android") as folder:
        host = Host(network, build, Path(folder))
        try:
            for number in range(told.count):
                phone = Phone(host, Path(folder) / f"phone{number}", build / "tests/programs/device_command", told.release)
                phones.append(phone)
                for package in told.install:
                    phone.install(package, frames=Frames(tuple(map(float, told.frames.split(","))), when=told.when))
            print("In a shell that reaches them:\n  " + " ".join(
                [*network.enter, "env", *(f"{name}={host.env[name]}" for name in ("ANDROID_ADB_SERVER_PORT", "HOME")),
                 "bash"]) + "\ntheir serials:\n  " + "\n  ".join(phone.serial for phone in phones), flush=True)
            signal.pause()
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            for phone in phones:
                phone.close()
            host.close()
            network.close()


if __name__ == "__main__":
    main()
