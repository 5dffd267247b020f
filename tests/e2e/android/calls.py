"""The commands of a stand-in: a server that does what tests/programs/device_command.c was called for."""

import os
import select
import socket
import threading


class Gone(Exception):
    """Whoever called is not there any more."""


class RunReal(Exception):
    """The machine's own program of that name shall do it."""


class Call:
    """One command. Its streams are those it was called with."""

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
        """Waits; whether the caller went away meanwhile."""
        readable, _, _ = select.select([self.connection], [], [], wait_s)
        return bool(readable)

    def sleep(self, seconds):
        if self.gone(max(seconds, 0)):
            raise Gone()

    def catch(self, *signals):
        """From now on these end the command no more, but wait()."""
        self.connection.sendall(b"s" + bytes([sum({"INT": 1, "TERM": 2}[one] for one in signals)]))

    def go_behind(self):
        """It goes on in the background, and its caller has its pid."""
        self.connection.sendall(b"b\0")
        for fd in self.fds:
            os.close(fd)
        self.fds = []

    def wait(self, seconds):
        """True: a signal that catch() named came; False: none in that time."""
        if not self.gone(max(seconds, 0)):
            return False
        if not self.connection.recv(1):
            raise Gone()
        return True

    def read_all(self):
        """Its standard input up to the end."""
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
        """The next line of its standard input without its end, None at the end."""
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
    """Hands every call to `serve(call)`, which returns its exit code, on a thread of its own."""

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
