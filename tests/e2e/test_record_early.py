"""A program's own allocator calls hooked functions before the recorder is initialised. The hook neither allocates nor calls the
dynamic linker, and the call has the same result as without the recorder."""

import os
import subprocess

import pytest

SECONDS = 30
CALLS = """poll ppoll select pselect epoll_wait nanosleep clock_nanosleep usleep read write send eventfd_write sem_post sem_wait
pthread_cond_signal pthread_cond_broadcast pthread_cond_timedwait syscall dlsym""".split()


@pytest.mark.parametrize("way", ["linked", "preloaded"])
@pytest.mark.parametrize("call", CALLS)
def test_a_call_from_inside_an_allocator_that_initialises_itself(recorder, build, call, way):
    """A constructor of the library uses the allocator first. A preloaded library comes before those that the program needs."""
    environment = {"EARLY_CALL": call}
    if way == "preloaded":
        environment["LD_PRELOAD"] = str(build / "tests/programs/libearly_library.so")
    program = build / "tests/programs/early_calls"
    plain = subprocess.run([program], env={**os.environ, **environment}, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert plain.returncode == 3, plain.stderr
    recorded = recorder.run("app", program, environment=environment, timeout=SECONDS)
    assert (recorded.returncode, recorded.stdout) == (plain.returncode, plain.stdout), recorded.stderr


def test_an_early_call_reaches_another_preload_object(recorder, build):
    """counting.c finds the real function by dlsym at each call, which does not allocate if it succeeds."""
    recorded = recorder.run("app", build / "tests/programs/early_calls", timeout=SECONDS,
                            environment={"EARLY_CALL": "poll", "LD_PRELOAD": str(build / "tests/programs/libcounting_a.so")})
    assert (recorded.returncode, recorded.stdout) == (3, "result 0, errno 0\n"), recorded.stderr
    assert "a: poll 1 swap 0" in recorded.stderr


def test_a_library_at_a_negative_base(recorder, build):
    """The library is linked for an address above user space. Its tables are below the difference between load and link address."""
    environment = {"LD_PRELOAD": str(build / "tests/programs/libhigh_address.so")}
    recorded = recorder.run("app", build / "tests/programs/confined", "none", "0", "3", environment=environment, timeout=SECONDS)
    assert (recorded.returncode, recorded.stdout, recorded.stderr) == (0, "done\n", "")
    assert recorder.read("app").total == 3
