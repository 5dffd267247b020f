"""An adb server with answers that a test defines."""

import socket
import threading

SERIAL = "0123ABCD"


def counted(text):
    data = text.encode()
    return b"%04x" % len(data) + data


def packet(kind, data):
    return bytes([kind]) + len(data).to_bytes(4, "little") + data


class Server:
    """Answers requests from a table. It maps a service, or its beginning, to bytes or to a function of the service.
    The server closes the connection after its answer, except after a transport, on which more requests follow."""

    def __init__(self, answers):
        self.answers = {
            "host:version": b"OKAY" + counted("0029"),
            "host:devices-l": b"OKAY" + counted(f"{SERIAL}   device usb:1-1 model:Stub transport_id:1\n"),
            f"host-serial:{SERIAL}:features": b"OKAY" + counted("shell_v2,cmd"),
            f"host:transport:{SERIAL}": b"OKAY",
            **answers,
        }
        self.asked = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(10)

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(10)
                try:
                    while self.answer(connection):
                        pass
                except OSError:
                    pass

    def answer(self, connection):
        """Answers a request. Returns whether another one may follow."""
        with_length = connection.recv(4, socket.MSG_WAITALL)
        if len(with_length) < 4:
            return False
        service = connection.recv(int(with_length, 16), socket.MSG_WAITALL).decode()
        self.asked.append(service)
        for begins, answer in self.answers.items():
            if service.startswith(begins):
                connection.sendall(answer(service) if callable(answer) else answer)
                return service.startswith("host:transport") and answer == b"OKAY"
        connection.sendall(b"FAIL" + counted(f"unknown service {service}"))
        return False
