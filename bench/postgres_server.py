"""A temporary PostgreSQL server with Debian's defaults, and a function that copies a store's file into it."""
import csv
import io
import os
import pwd
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

TABLES = ("projects", "builds", "devices", "device_facts", "batches", "runs", "windows", "metrics", "histograms")


def programs():
    """The folder of initdb and postgres, or None if they are not installed."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return places[-1].parent if places else None


def somebody():
    """Another user, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {user.pw_name: user for user in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Server:
    """A server with its own socket and PostgreSQL's default settings."""

    def __init__(self):
        self.bin, self.who = programs(), somebody()
        self.folder = Path(tempfile.mkdtemp(prefix="dejank-bench-", dir="/tmp"))
        self.server = None
        try:
            if self.who:
                os.chown(self.folder, self.who["user"], self.who["group"])
            subprocess.run([self.bin / "initdb", "-D", self.folder / "data", "-U", "owner", "-E", "UTF8", "--locale=C.UTF-8",
                            "--no-sync", "--auth-local=trust"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           cwd=self.folder, **self.who)
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self):
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            # The signal comes when this process ends, whatever ends it: an immediate shutdown.
            self.server = subprocess.Popen(["setpriv", "--pdeathsig", "QUIT", self.bin / "postgres", "-D", self.folder / "data", "-c",
                                            "listen_addresses=", "-c", f"unix_socket_directories={self.folder}"],
                                           stdout=log, stderr=log, cwd=self.folder, **self.who)
        until = time.monotonic() + 60
        while subprocess.run([self.bin / "pg_isready", "-q", "-h", self.folder], check=False).returncode != 0:
            if time.monotonic() > until or self.server.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text()[-1000:])
            time.sleep(0.05)

    def close(self):
        if self.server is not None:
            self.server.send_signal(3)
            self.server.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self):
        return f"postgresql://owner@/postgres?host={self.folder}"

    def shell(self):
        return ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-U", "owner", "-d", "postgres", "-c"]

    def psql(self, command, given=None):
        subprocess.run([*self.shell(), command], check=True, input=given, text=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=300)

    def take(self, path):
        """Copies all rows of a store's file. Then counts the rows, as the server does by itself after some time."""
        database = sqlite3.connect(path)
        self.psql(f"TRUNCATE {', '.join(TABLES)}, points, series CASCADE")
        for table in TABLES:
            rows = database.execute(f"SELECT * FROM {table}")
            names = ", ".join(column[0] for column in rows.description)
            while many := rows.fetchmany(20_000):
                text = io.StringIO()
                csv.writer(text, lineterminator="\n").writerows([r"\N" if value is None else value for value in row] for row in many)
                self.psql(f"COPY {table} ({names}) FROM STDIN WITH (FORMAT csv, NULL '\\N')", text.getvalue())
        database.close()
        self.psql("VACUUM ANALYZE")
