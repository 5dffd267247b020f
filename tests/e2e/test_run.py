"""`dejank run`: an app in repeated runs, on this machine and on a stand-in Android device."""

import json

import pytest


def batches(host, store):
    listed = host.dejank("list", "--json", "--store", store)
    assert listed.returncode == 0, listed.stderr
    return json.loads(listed.stdout)["batches"]


@pytest.fixture
def store(tmp_path):
    return tmp_path / "history.db"


def run(host, store, *words, **options):
    return host.dejank("run", "--store", store, "--max-load", "100", "--settle", "100ms", *words, **options)


def test_an_android_app_in_runs(host, android, store):
    phone = android(release="13")
    phone.install("com.example.app")
    done = run(host, store, "--device", phone.serial, "--package", "com.example.app", "--idle", "--for", "1s", "-n", "2")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    batch, = batches(host, store)
    assert (batch["runs"], batch["planned"], batch["failed"]) == (2, 2, 0)
    assert phone.asked.count(("am", "force-stop", "com.example.app")) >= 3
    assert phone.running("com.example.app") in (False, [], None)
