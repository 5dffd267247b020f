"""The user that runs a program under test. Browsers have a sandbox only as an ordinary user, and some programs refuse root."""

import contextlib
import os
import pwd
import signal
import subprocess
import tempfile
from pathlib import Path

SECONDS = 90


class Account:
    """The user that runs a program, and a temporary home. With kind "user", root becomes nobody."""

    def __init__(self, kind, environment):
        self.prefix = []
        self.home = Path(tempfile.mkdtemp(prefix="dejank-account-"))
        self.segments = self.home / "segments"
        self.segments.mkdir(mode=0o700)
        if kind == "user" and os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            self.prefix = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
            for path in (self.home, self.segments):
                os.chown(path, user.pw_uid, user.pw_gid)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "DEJANK_DIR": str(self.segments), **environment}

    def run(self, *command, timeout=SECONDS):
        """Returns (exit code, output) of a command. The code is None after a timeout. At the end, kills its process group."""
        with subprocess.Popen([*self.prefix, *map(str, command)], env=self.environment, cwd=self.home, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                return None, output
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, output
