"""A temporary ClickHouse cluster on the loopback: shards with their own configuration, data folder and free ports. The tests,
`make demo-fleet` and bench/fleets.py use it."""
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path

NOBODY = 65534
PASSWORD = "s3cr:t/?#@%s"
START_S = 60
MEMORY_LEAST = 4 << 30  # bytes

CONFIG = """<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog><size>10M</size><count>1</count></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><interserver_http_port>{peer}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <max_connections>256</max_connections><max_concurrent_queries>100</max_concurrent_queries>
  <uncompressed_cache_size>0</uncompressed_cache_size><mark_cache_size>67108864</mark_cache_size>
  <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><user_files_path>{folder}/files/</user_files_path>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <timezone>UTC</timezone>
  <remote_servers><dejank>{shards}</dejank></remote_servers>
</yandex>
"""

SHARD = "<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>"

USERS = """<?xml version="1.0"?>
<yandex>
  <profiles><default>
    <max_memory_usage>4000000000</max_memory_usage><load_balancing>in_order</load_balancing>
    <connect_timeout_with_failover_ms>500</connect_timeout_with_failover_ms>
  </default><brief><max_query_size>6000</max_query_size></brief></profiles>
  <users>{users}</users>
  <quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows>
    <read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas>
</yandex>
"""

USER = ("<{name}><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>{profile}</profile>"
        "<quota>default</quota></{name}>")


def reason_to_skip():
    """Why this machine cannot run the cluster, or None."""
    if program() is None:
        return "clickhouse-server is not installed: tools/deps tests"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed"
    return None


def program():
    found = shutil.which("clickhouse-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")
    return Path(found) if found else None


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Shard:
    """One server. The kernel kills it when this process ends for any reason."""

    def __init__(self, folder, ports, who):
        self.folder, self.ports, self.who, self.server = folder, ports, who, None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.ports[0]}"

    def configure(self, tcp_ports):
        for name in ("", "data", "tmp", "files"):
            (self.folder / name).mkdir()
        shards = "".join(SHARD.format(port=port) for port in tcp_ports)
        http_port, tcp, peer = self.ports
        (self.folder / "config.xml").write_text(CONFIG.format(folder=self.folder, http=http_port, tcp=tcp, peer=peer, shards=shards))
        users = "".join(USER.format(name=name, password=password, profile=profile)
                        for name, password, profile in (("default", "", "default"), ("fleet", PASSWORD, "default"), ("brief", "", "brief")))
        (self.folder / "users.xml").write_text(USERS.format(users=users))
        if self.who:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, self.who["user"], self.who["group"])

    def command(self):
        return [program(), f"--config-file={self.folder}/config.xml"]

    def start(self):
        with open(self.folder / "output", "a", encoding="utf-8") as output:
            self.server = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *self.command()], stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=output, cwd=self.folder, **self.who)

    def is_ready(self):
        try:
            return self.sql("SELECT 1").strip() == "1"
        except (OSError, http.client.HTTPException):
            return False

    def wait(self):
        until = time.monotonic() + START_S
        while not self.is_ready():
            if self.server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(self.messages())
            time.sleep(0.05)

    def messages(self):
        return "".join(path.read_text(errors="replace")[-2000:] for path in (self.folder / "output", self.folder / "errors")
                       if path.exists())

    def kill(self):
        if self.server is not None:
            self.server.kill()
            self.server.wait()
            self.server = None

    def request(self, query, body=b"", user="default", password=""):
        """Returns the status and the text of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[0], timeout=300)
        try:
            connection.request("POST", "/?" + urllib.parse.urlencode({"query": query, "user": user, "password": password}), body=body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def sql(self, query, body=b""):
        status, text = self.request(query, body)
        if status != 200:
            raise RuntimeError(f"{query[:200]}: {text[:500]}")
        return text

    def rows(self, query):
        return [json.loads(line) for line in self.sql(query + " FORMAT JSONEachRow").splitlines()]


def server_user():
    """The arguments of Popen for the user of the servers. The user is never root."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def is_reachable(folder):
    """Whether the user of the servers can open the folder."""
    return subprocess.run(["test", "-x", folder], check=False, cwd="/", **server_user()).returncode == 0


def memory_folder():
    """A new folder in memory, or None if little is free. In memory, a roll-up needs a third of the time."""
    place = Path("/dev/shm")
    has_space = os.access(place, os.W_OK) and shutil.disk_usage(place).free >= MEMORY_LEAST
    return Path(tempfile.mkdtemp(prefix="dejank-ch-", dir=place)) if has_space else None


class Cluster:
    """The shards of the ClickHouse cluster `dejank`, in a new folder or in an empty one that exists."""

    def __init__(self, count=2, folder=None):
        self.folder = folder or Path(tempfile.mkdtemp(prefix="dejank-ch-", dir="/tmp"))
        self.who = server_user()
        self.folder.chmod(0o755)
        ports = free_ports(3 * count)
        self.shards = [Shard(self.folder / f"shard{i}", ports[3 * i:3 * i + 3], self.who) for i in range(count)]
        try:
            for shard in self.shards:
                shard.configure([one.ports[1] for one in self.shards])
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self):
        for shard in self.shards:
            if shard.server is None:
                shard.start()
        for shard in self.shards:
            shard.wait()

    def options(self):
        return [word for shard in self.shards for word in ("--shard", shard.url)]

    def close(self, keep=False):
        for shard in self.shards:
            shard.kill()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
