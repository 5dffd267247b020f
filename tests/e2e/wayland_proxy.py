"""A Wayland proxy: forwards messages between clients and a real compositor, and changes or drops the events that a test chooses."""

import array
import os
import socket
import struct
import threading

DISPLAY = 1
GET_REGISTRY = 1
BIND = 0
GLOBAL = 0
CLOCK_ID = 0


class WaylandProxy:
    """Listens next to the real compositor's socket. `hidden`: interfaces that it does not announce. `clock`: clock id that it
    sends for wp_presentation, or None for the real one. `bound`: interfaces that clients have bound."""

    def __init__(self, environment, hidden=(), clock=None):
        folder = environment["XDG_RUNTIME_DIR"]
        self.real = os.path.join(folder, environment["WAYLAND_DISPLAY"])
        self.path = os.path.join(folder, f"twin-{id(self)}")
        self.hidden, self.clock = hidden, clock
        self.bound = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.environment = {**environment, "WAYLAND_DISPLAY": os.path.basename(self.path)}
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.real)
            objects = {}
            for source, sink, look in ((client, server, self.request), (server, client, self.event)):
                threading.Thread(target=carry, args=(source, sink, look, objects), daemon=True).start()

    def request(self, objects, identity, opcode, body):
        if identity == DISPLAY and opcode == GET_REGISTRY:
            objects[struct.unpack("=I", body)[0]] = "wl_registry"
        elif objects.get(identity) == "wl_registry" and opcode == BIND:
            interface, rest = text_at(body, 4)
            objects[struct.unpack("=I", body[rest + 4:rest + 8])[0]] = interface
            self.bound.append(interface)
        return body

    def event(self, objects, identity, opcode, body):
        """The body of the event to forward, or None to drop the event."""
        interface = objects.get(identity)
        if interface == "wl_registry" and opcode == GLOBAL and text_at(body, 4)[0] in self.hidden:
            return None
        if interface == "wp_presentation" and opcode == CLOCK_ID and self.clock is not None:
            return struct.pack("=I", self.clock)
        return body

    def close(self):
        self.listener.close()
        os.unlink(self.path)


def text_at(body, offset):
    """A string argument, and the offset of the next argument."""
    length = struct.unpack("=I", body[offset:offset + 4])[0]
    return body[offset + 4:offset + 3 + length].decode(), offset + 4 + (length + 3) // 4 * 4


def carry(source, sink, look, objects):
    pending = b""
    while True:
        try:
            data, ancillary, _, _ = source.recvmsg(65536, socket.CMSG_SPACE(28 * 4))
        except OSError:
            data, ancillary = b"", []
        if not data:
            sink.close()
            return
        descriptors = array.array("i")
        for level, kind, value in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(value)
        pending += data
        out = b""
        while len(pending) >= 8:
            identity, word = struct.unpack("=II", pending[:8])
            size = word >> 16
            if len(pending) < size:
                break
            body = look(objects, identity, word & 0xFFFF, pending[8:size])
            if body is not None:
                out += struct.pack("=II", identity, (8 + len(body)) << 16 | word & 0xFFFF) + body
            pending = pending[size:]
        passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)] if descriptors else []
        try:
            sent = sink.sendmsg([out or b""], passed) if out or passed else 0
            sink.sendall(out[sent:])
        except OSError:
            return
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
