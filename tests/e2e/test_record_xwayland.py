"""Frames of X clients under Xwayland, recorded from outside: a rootful Xwayland, which has one window for all clients, and the
rootless Xwayland of sway, where each X window is a window of the compositor."""
import signal
import shutil

import pytest
from displays import SwayX, Xwayland
from test_record_outside import LATE_REFRESHES, Client, Recording, ended, late_of, presents_of


@pytest.fixture(scope="module", params=["rootful", "rootless"])
def xwayland(request, tmp_path_factory):
    for needed in ("Xwayland", *(("sway", "setpriv") if request.param == "rootless" else ("weston",))):
        if not shutil.which(needed):
            pytest.skip(f"{needed} is not installed: tools/deps tests")
    server = (Xwayland(request.getfixturevalue("weston")) if request.param == "rootful"
              else SwayX(tmp_path_factory.mktemp("sway")))
    yield server
    server.close()


@pytest.fixture
def client(build, xwayland):
    one = Client([build / "tests/programs/presents", 1, 60, 10, 0], xwayland.environment)
    yield one
    one.close()


@pytest.mark.parametrize("options", [["--pid", None], ["--window", "presents"], ["--all"]], ids=["pid", "window", "all"])
def test_planted_late_frames_under_xwayland(recorder, xwayland, client, options):
    options = [client.process.pid if option is None else option for option in options]
    with Recording(recorder, xwayland.environment, *options) as recording:
        client.begin()
        shown, late, skipped = client.finish()
        if "--all" in options:
            recording.process.send_signal(signal.SIGINT)
        message = ended(recording.process)
    assert f"presents (pid {client.process.pid}): {shown} frames shown, {skipped} skipped" in message
    _, times, skips = presents_of(recorder, "presents")
    assert (len(times), len(skips)) == (shown, skipped)
    assert sum(step >= 1 + LATE_REFRESHES for step in late_of(times)[0]) >= late - 1
    assert ("programs that draw with Wayland, not with X, were not recorded" in message) == ("--all" in options)
