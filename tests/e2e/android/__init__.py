"""A stand-in Android device: Debian's real adbd in namespaces of its own, and a PATH of Android's commands that keep one
state. For a test:

    def test_x(host, android):                  # fixtures of conftest.py
        phone = android(release="12")           # 5.1 6.0 7.0 7.1 8 9 10 11 12 13 14 15 16; .serial is its adb serial
        app = phone.install("com.example.app")  # draws 60 frames of 8 ms a second while it is in front
        done = host.dejank("run", "--device", phone.serial, …)
        assert ("am", "force-stop", "com.example.app") in phone.asked

`phone.asked` is every command as it was called, word by word (tuples), `phone.calls` the same with times.
phone.py has what a test reads and sets (packages, settings, properties, screen, battery, temperature, user interface),
app.py what an app draws and which instrumentation tests it has, surfaces.py what SurfaceFlinger shows of it, faults.py what can
go wrong and when.
The device's CLOCK_MONOTONIC is its own (days ahead of the host's, anew after a reboot), as are /data, /sdcard, /sys and the pids.

By hand, in a shell of its own: `/usr/bin/python3 tests/e2e/android --build build --release 14 --install com.example.app`
prints how to reach it, and goes on until it is ended.
"""
