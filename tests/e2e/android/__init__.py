"""A stand-in Android device: Debian's real adbd in its own namespaces, and Android's commands in PATH, which share one state.
A test uses it like this:

    def test_x(host, android):                  # fixtures of conftest.py
        phone = android(release="12")           # 5.1 6.0 7.0 7.1 8 8.1 9 10 11 12 12L 13 14 15 16; .serial is its adb serial
        app = phone.install("com.example.app")  # draws 60 frames of 8 ms per second while it is in front
        done = host.dejank("run", "--device", phone.serial, …)
        assert ("am", "force-stop", "com.example.app") in phone.asked

`phone.asked` contains every command that was called, as a tuple of its words. `phone.calls` contains the same with times.

phone.py      the state that a test reads and sets: packages, settings, properties, screen, battery, temperature, user interface
app.py        the frames and the instrumentation tests of an app
surfaces.py   SurfaceFlinger's reports on these frames
faults.py     faults and the time at which they occur

The device has its own CLOCK_MONOTONIC (2 to 10 days at the start, 20 s after a reboot), /data, /sdcard, /sys and pids.

To start one by hand: `/usr/bin/python3 tests/e2e/android --build build --release 14 --install com.example.app`
prints how to reach the device, and runs until it is interrupted.
"""
