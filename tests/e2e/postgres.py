"""A temporary PostgreSQL server for tests, a store in it, and a proxy that drops connections at chosen commits."""
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from test_store import TABLES, Store

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

from postgres_server import somebody  # noqa: E402

PASSWORD = "s3cr:t/?#@%s"  # in a URL:
IN_A_URL = "s3cr%3At%2F%3F%23%40%25s"


def programs():
    """The folder of initdb and postgres. Debian has a folder for each version, which is not in PATH."""
    found = shutil.which("initdb")
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or ([Path(found)] if found else [])
    if not places:
        pytest.skip("postgresql-15 is not installed: tools/deps tests")
    return places[-1].resolve().parent


class Cluster:
    """A server on a private socket, without a password, and on a free loopback port, with a password. It ends with the test
    process, even if that is killed."""

    def __init__(self):
        self.bin, self.who = programs(), somebody()
        self.folder = Path(tempfile.mkdtemp(prefix="dejank-pg-", dir="/tmp"))
        self.server, self.schemas, self.port, self.shells = None, 0, 0, {}
        try:
            if self.who:
                os.chown(self.folder, self.who["user"], self.who["group"])
            (self.folder / "password").write_text(PASSWORD)
            (self.folder / "password").chmod(0o644)
            self.tool("initdb", "-D", self.folder / "data", "-U", "owner", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
                      "--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={self.folder}/password")
            for _ in range(5):  # another program may use the free port first
                if self.start():
                    break
            else:
                pytest.fail((self.folder / "log").read_text()[-1000:])
        except BaseException:
            self.close()
            raise

    def tool(self, name, *words):
        done = subprocess.run([self.bin / name, *map(str, words)], capture_output=True, text=True, check=False, timeout=120,
                              cwd=self.folder, **self.who)
        assert done.returncode == 0, (done.stdout, done.stderr)

    def start(self):
        if self.port == 0:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
        options = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder), "fsync": "off",
                   "shared_buffers": "16MB", "max_connections": "40", "autovacuum": "off", "jit": "off"}
        words = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            # The server receives SIGQUIT when this process ends for any reason, and shuts down immediately.
            self.server = subprocess.Popen(["setpriv", "--pdeathsig", "QUIT", self.bin / "postgres", "-D", self.folder / "data",
                                            "-p", str(self.port), *words], stdout=log, stderr=log, cwd=self.folder, **self.who)
        until = time.monotonic() + 60
        while time.monotonic() < until and self.server.poll() is None:
            if subprocess.run([self.bin / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)],
                              check=False).returncode == 0:
                return True
            time.sleep(0.05)
        self.stop()
        self.port = 0
        return False

    def stop(self):
        if self.server is not None:
            self.server.send_signal(3)
            try:
                self.server.wait(30)
            except subprocess.TimeoutExpired:
                self.server.kill()
                self.server.wait()
            self.server = None

    def close(self):
        for psql in self.shells.values():
            psql.stdin.close()
            psql.wait(30)
            psql.stdout.close()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, text, schema="public", database="postgres"):
        """Runs statements, and returns the rows of a SELECT as lists. All calls for a database share a psql process."""
        select = text.lstrip().upper().startswith("SELECT")
        if select:
            text = f"SELECT coalesce(json_agg(to_json(its_row)), '[]') FROM ({text}) its_row"
        psql = self.shells.get(database)
        if psql is None:
            psql = self.shells[database] = subprocess.Popen(
                ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port), "-U", "owner", "-d", database],
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        psql.stdin.write(f"SET search_path = {schema};\n{text};\n\\echo\n\\echo that was all\n")
        psql.stdin.flush()
        lines = []
        while not lines or lines[-1] != "that was all":
            line = psql.stdout.readline()
            assert line, (text, lines)
            lines.append(line.rstrip("\n"))
        said = "\n".join(lines[:-1]).strip()
        return json.loads(said, object_pairs_hook=lambda pairs: [value for _, value in pairs]) if select else None

    def schema(self):
        self.schemas += 1
        self.sql(f"CREATE SCHEMA store{self.schemas}")
        return f"store{self.schemas}"

    def url(self, schema="public", user="owner", database="postgres"):
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}&options=-csearch_path%3D{schema}"

    def tcp(self, schema="public", user="owner", password=IN_A_URL, port=None):
        return (f"postgresql://{user}:{password}@127.0.0.1:{port or self.port}/postgres?sslmode=disable&gssencmode=disable"
                f"&options=-csearch_path%3D{schema}")


def literal(value):
    return str(value) if isinstance(value, (int, float)) else "'" + value.replace("'", "''") + "'"


class PostgresStore(Store):
    """The same as Store, in its own schema of a server."""

    def __init__(self, build, folder, cluster):
        super().__init__(build, folder)
        self.cluster, self.schema = cluster, cluster.schema()
        self.path = cluster.url(self.schema)

    def tcp(self, **more):
        return self.cluster.tcp(self.schema, **more)

    def sql(self, text, *values):
        for value in values:
            text = text.replace("?", literal(value), 1)
        return [tuple(bytes.fromhex(value[2:]) if isinstance(value, str) and re.fullmatch(r"\\x[0-9a-f]+", value) else value
                      for value in row) for row in self.cluster.sql(text, self.schema)]

    def tables(self):
        return self.sql("SELECT relname, relkind FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1")

    def counts(self):
        columns = ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in TABLES)
        return dict(zip(TABLES, self.sql(f"SELECT {columns}")[0]))

    def change(self, text):
        self.cluster.sql(text, self.schema)

    def cut_evidence(self):
        self.change("UPDATE blobs SET data = substr(data, 1, length(data) - 1) || '\\x00' WHERE id = 1")

    def check(self):
        found = self.json("store", "check")
        assert found["problems"] == [] and found["runs"] == self.counts()["runs"]
        return found


class Proxy:
    """A proxy between dejank and a server that closes the connection at chosen commits.

    `cuts` maps the number of a commit, counted over all connections, to a moment: "before" the server receives the commit,
    "during" it (the proxy sends the commit but does not wait), or "after" the answer. The client never receives this answer.
    Commits of read-only transactions do not count. For `away_s` after a cut, the proxy closes new connections at once."""

    def __init__(self, port, cuts=None, away_s=0.0):
        self.port, self.cuts, self.away_s = port, dict(cuts or {}), away_s
        self.commits, self.lost, self.back = 0, 0, 0.0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.mine = self.listener.getsockname()[1]
        self.threads = [threading.Thread(target=self.accept, daemon=True)]
        self.threads[0].start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self.threads:
            thread.join(20)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if time.monotonic() < self.back:
                client.close()
                continue
            thread = threading.Thread(target=self.serve, args=(client,), daemon=True)
            self.threads.append(thread)
            thread.start()

    def serve(self, client):
        server = socket.create_connection(("127.0.0.1", self.port))
        muted = threading.Event()
        answered = threading.Event()

        def answers():
            try:
                while data := server.recv(65536):
                    if muted.is_set():
                        answered.set()
                        break
                    client.sendall(data)
            except OSError:
                pass
            answered.set()
            hang_up(client)

        back = threading.Thread(target=answers, daemon=True)
        back.start()
        try:
            self.requests(client, server, muted, answered)
        except (OSError, struct.error):
            pass
        hang_up(server)
        back.join(20)
        client.close()
        server.close()

    def requests(self, client, server, muted, answered):
        writing, begun = False, False
        while True:
            head = exactly(client, 5 if begun else 4)
            size, = struct.unpack("!I", head[-4:])
            body = exactly(client, size - 4)
            if begun and head[:1] == b"Q" and body.startswith(b"BEGIN"):
                writing = b"READ WRITE" in body
            if begun and head[:1] == b"Q" and body == b"COMMIT\0" and writing:
                how = self.next_cut()
                if how is not None:
                    if how != "before":
                        muted.set()  # also for "during": a quick answer must not reach the client
                        server.sendall(head + body)
                    if how == "after":
                        answered.wait(20)
                    hang_up(client)
                    return
            begun = True
            server.sendall(head + body)

    def next_cut(self):
        with self.lock:
            self.commits += 1
            how = self.cuts.get(self.commits)
            if how is not None:
                self.lost += 1
                self.back = time.monotonic() + self.away_s
            return how


def exactly(connection, size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise OSError("ended")
        data += more
    return data


def hang_up(connection):
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
