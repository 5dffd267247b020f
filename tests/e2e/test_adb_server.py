"""dejank with faulty adb servers. A stub of the server gives the answers that each test defines."""

import subprocess

import pytest

from stub_server import SERIAL, Server, counted, packet

PACKAGE = "com.example.app"
DUMP = f"""Applications Graphics Acceleration Info:
Uptime: 1000 Realtime: 1000

** Graphics info for pid 77 [{PACKAGE}] **

Stats since: 5000000ns
Total frames rendered: 0
Janky frames: 0 (0.00%)
Number Missed Vsync: 0

Profile data in ms:

"""


@pytest.fixture
def stub(build, tmp_path):
    """stub(answers, words…) runs `dejank collect` with a stub server. Returns the finished process and the server."""
    servers = []

    def run(answers, *words, selector=SERIAL):
        server = Server(answers)
        servers.append(server)
        done = subprocess.run(
            [build / "dejank", "collect", "--device", selector, "--package", PACKAGE,
             "--for", "100ms", *words],
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8",
                 "ADB_SERVER_SOCKET": f"tcp:127.0.0.1:{server.port}"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        return done, server

    yield run
    for server in servers:
        server.close()


def shell(data, code=0):
    return b"OKAY" + packet(1, data) + packet(3, bytes([code]))


def test_a_stub_that_behaves(stub):
    done, server = stub({"shell,v2,raw:": shell(DUMP.encode())})
    assert "rendered no frames" in done.stderr
    assert done.returncode == 4
    assert f"shell,v2,raw:dumpsys gfxinfo {PACKAGE} framestats" in server.asked


def test_a_device_without_shell_v2(stub):
    """Devices up to Android 6 send one stream with CR LF line ends, and no exit code."""
    text = DUMP.replace("\n", "\r\n") + "dejank-exit-code=0\r\n"
    done, server = stub({f"host-serial:{SERIAL}:features": b"OKAY" + counted("cmd"),
                         "shell:": b"OKAY" + text.encode()})
    assert "rendered no frames" in done.stderr
    assert "exit-code" not in done.stdout
    assert (f"shell:dumpsys gfxinfo {PACKAGE} framestats; echo dejank-exit-code=$?"
            in server.asked)


def test_without_shell_v2_a_cut_answer_is_noticed(stub):
    done, _ = stub({f"host-serial:{SERIAL}:features": b"OKAY" + counted(""),
                    "shell:": b"OKAY" + DUMP.encode()[:100]})
    assert done.returncode == 3
    assert "the device was disconnected" in done.stderr


def test_an_unauthorized_device(stub):
    done, _ = stub({"host:devices-l": b"OKAY" + counted(f"{SERIAL}  unauthorized usb:1-1\n")})
    assert done.returncode == 3
    assert "unauthorized" in done.stderr and "on its screen" in done.stderr


def test_an_offline_device(stub):
    done, _ = stub({"host:devices-l": b"OKAY" + counted(f"{SERIAL}  offline usb:1-1\n")})
    assert done.returncode == 3
    assert "offline" in done.stderr


def test_no_permissions_for_usb(stub):
    line = f"{SERIAL}  no permissions (missing udev rules? user is in the plugdev group); see [x]\n"
    done, _ = stub({"host:devices-l": b"OKAY" + counted(line)})
    assert done.returncode == 3
    assert "no permissions" in done.stderr and "apt-get install" in done.stderr


def test_several_devices_and_no_name(stub):
    lines = "one device\ntwo unauthorized\n"
    done, _ = stub({"host:devices-l": b"OKAY" + counted(lines)}, selector="adb:")
    assert done.returncode == 2
    assert "one (device), two (unauthorized)" in done.stderr


def test_a_serial_that_steers_the_terminal_is_escaped(stub):
    done, _ = stub({"host:devices-l": b"OKAY" + counted("\x1b[2Jevil device\n")})
    assert done.returncode == 3
    assert "\x1b" not in done.stderr and "\\x1b" in done.stderr


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 400 Bad Request\r\n\r\n", b"OKAYzzzz", b"OKAY-001x", b"\0\0\0\0\0\0\0\0",
])
def test_something_else_listens_there(stub, answer):
    done, _ = stub({"host:version": answer})
    assert done.returncode == 3
    assert "a program other than adb" in done.stderr


@pytest.mark.parametrize("answer", [b"", b"OK", b"OKAY", b"OKAYffff", b"OKAY0029", b"FAIL"])
def test_a_server_that_hangs_up_in_mid_answer(stub, answer):
    done, _ = stub({"host:devices-l": answer})
    assert done.returncode == 3
    assert "closed the connection" in done.stderr


@pytest.mark.parametrize("stream", [
    b"\x01\xff\xff\xff\xff",           # announces four gigabytes
    b"\x09\x01\x00\x00\x00x",          # unknown kind of packet
    b"\x03\x04\x00\x00\x00\0\0\0\0",   # an exit code with four bytes
])
def test_packets_that_cannot_be(stub, stream):
    done, _ = stub({"shell,v2,raw:": b"OKAY" + stream})
    assert done.returncode == 3
    assert "invalid shell packet" in done.stderr


def test_a_device_that_is_gone_between_two_requests(stub):
    done, _ = stub({f"host:transport:{SERIAL}":
                    b"FAIL" + counted(f"device '{SERIAL}' not found")})
    assert done.returncode == 3
    assert "not found" in done.stderr


def test_the_device_goes_away_in_mid_answer(stub):
    """The second reading breaks off. The dump keeps the data of the first one and has a note."""
    answers = [shell(DUMP.encode()), b"OKAY" + packet(1, DUMP.encode()[:200])]
    done, _ = stub({"shell,v2,raw:": lambda service: answers.pop(0) if answers else b""}, "--source", "gfxinfo")
    assert done.returncode == 3
    assert "was disconnected before the command ended" in done.stderr
    assert f"** Graphics info for pid 77 [{PACKAGE}] **" in done.stdout
    assert "Note: collection stopped:" in done.stdout


def test_connecting_fails(stub):
    done, server = stub({"host:devices-l": b"OKAY" + counted(""),
                         "host:connect:": b"OKAY" + counted("failed to connect to '10.0.0.9:5555': "
                                                            "No route to host")},
                        selector="10.0.0.9:5555")
    assert done.returncode == 3
    assert "No route to host" in done.stderr
    assert "host:connect:10.0.0.9:5555" in server.asked


def test_a_server_address_that_cannot_be_read(build):
    done = subprocess.run([build / "dejank", "collect", "--device", SERIAL, "--package", PACKAGE],
                          env={"ADB_SERVER_SOCKET": "vsock:1:5037"}, capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 2
    assert "ADB_SERVER_SOCKET" in done.stderr
