"""The server that executes a stand-in's commands. tests/programs/device_command.c sends each call to it."""

import os
import select
import socket
import threading


class Gone(Exception):
    """Raised if the caller no longer exists."""


class RunReal(Exception):
    """Raised if the caller must run the machine's own program of that name."""


class Call:
    """One command. It uses the caller's stdin, stdout and stderr."""

    def __init__(self, connection, argv, fds, now_ns):
        self.connection = connection
        self.argv = tuple(argv)
        self.name, *self.words = argv
        self.at_ns = now_ns  # dev_ns
        self.ended_ns = None
        self.fds = fds

    def write(self, data, stream=1):
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self.fds[stream], view):]
            except OSError as error:
                raise Gone() from error

    def out(self, text):
        self.write(text.encode("utf-8", "surrogateescape"))

    def err(self, text):
        self.write(text.encode("utf-8", "surrogateescape"), 2)

    def gone(self, wait_s=0.0):
        """Waits up to `wait_s`. Returns whether the caller ended or sent a signal."""
        readable, _, _ = select.select([self.connection], [], [], wait_s)
        return bool(readable)

    def sleep(self, seconds):
        if self.gone(max(seconds, 0)):
            raise Gone()

    def catch(self, *signals):
        """From now on, these signals end wait() instead of the command."""
        self.connection.sendall(b"s" + bytes([sum({"INT": 1, "TERM": 2}[one] for one in signals)]))

    def go_behind(self):
        """Continues in the background. device_command prints the pid."""
        self.connection.sendall(b"b\0")
        for fd in self.fds:
            os.close(fd)
        self.fds = []

    def wait(self, seconds):
        """Returns True when a signal given to catch() arrives, False if none arrives in time."""
        if not self.gone(max(seconds, 0)):
            return False
        if not self.connection.recv(1):
            raise Gone()
        return True

    def read_all(self):
        """Reads stdin up to its end."""
        data = b""
        while True:
            ready, _, _ = select.select([self.fds[0], self.connection], [], [])
            if self.fds[0] not in ready:
                raise Gone()
            part = os.read(self.fds[0], 65536)
            if not part:
                return data
            data += part

    def read_line(self):
        """Reads the next line of stdin without its line feed. Returns None at the end."""
        line = b""
        while True:
            ready, _, _ = select.select([self.fds[0], self.connection], [], [])
            if self.fds[0] not in ready:
                raise Gone()
            byte = os.read(self.fds[0], 1)
            if byte in (b"", b"\n"):
                return line.decode("utf-8", "surrogateescape") if line or byte else None
            line += byte

    def finish(self, answer):
        for fd in self.fds:
            os.close(fd)
        self.fds = []
        try:
            self.connection.sendall(answer)
        except OSError:
            pass
        self.connection.close()


class Server:
    """Runs `serve(call)`, which returns the exit code, on a separate thread for each call."""

    def __init__(self, path, serve, now_ns):
        self.serve = serve
        self.now_ns = now_ns
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        os.chmod(path, 0o666)
        self.socket.listen(128)
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.handle, args=[connection], daemon=True).start()

    def handle(self, connection):
        fds = []
        try:
            connection.settimeout(10)
            length, fds, _, _ = socket.recv_fds(connection, 4, 3)
            if len(length) < 4:
                raise OSError("cut short")
            size = int.from_bytes(length, "little")
            data = b""
            while len(data) < size:
                part = connection.recv(size - len(data))
                if not part:
                    raise OSError("cut short")
                data += part
            connection.settimeout(None)
        except OSError:
            for fd in fds:
                os.close(fd)
            connection.close()
            return
        argv = [word.decode("utf-8", "surrogateescape") for word in data.split(b"\0")[:-1]]
        call = Call(connection, argv, list(fds), self.now_ns())
        answer = b"r\xff"
        try:
            answer = b"r" + bytes([self.serve(call) or 0])
        except RunReal:
            answer = b"x\0"
        except Gone:
            pass
        finally:
            call.ended_ns = self.now_ns()
            call.finish(answer)

    def close(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()
        self.thread.join(5)
