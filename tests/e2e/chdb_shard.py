"""chdb_shard.py LIBRARY FOLDER: runs a shard with a current ClickHouse, as a library (chDB). Prints its port, and answers
statements over HTTP one by one, as a server does."""
import ctypes
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

CONFIG = ("<clickhouse><remote_servers><dejank><shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard></dejank>"
          "</remote_servers><timezone>UTC</timezone></clickhouse>")
FORMAT = b"TabSeparated"


class Engine:
    """The functions of the library, and one connection."""

    def __init__(self, library, folder):
        self.library, self.rows = ctypes.CDLL(library), folder / "rows"
        self.declare("chdb_connect", ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))
        self.declare("chdb_query_n", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
        self.declare("chdb_result_buffer", ctypes.c_void_p, ctypes.c_void_p)
        self.declare("chdb_result_length", ctypes.c_size_t, ctypes.c_void_p)
        self.declare("chdb_result_error", ctypes.c_char_p, ctypes.c_void_p)
        self.declare("chdb_destroy_query_result", None, ctypes.c_void_p)
        (folder / "config.xml").write_text(CONFIG)
        words = [b"clickhouse", f"--path={folder}/data".encode(), f"--config-file={folder}/config.xml".encode()]
        self.connection = self.library.chdb_connect(len(words), (ctypes.c_char_p * len(words))(*words))
        if not self.connection:
            raise RuntimeError("chDB does not start")

    def declare(self, name, result, *arguments):
        function = getattr(self.library, name)
        function.restype, function.argtypes = result, arguments

    def insert(self, statement, rows):
        """Inserts rows from a file. In a statement, the library would end the rows at their first line feed."""
        self.rows.write_bytes(rows)
        return self.run(statement.replace(b" FORMAT ", f" FROM INFILE '{self.rows}' FORMAT ".encode()))

    def run(self, statement):
        """(error or None, bytes of the answer)."""
        result = self.library.chdb_query_n(self.connection[0], statement, len(statement), FORMAT, len(FORMAT))
        error = self.library.chdb_result_error(result)
        length = self.library.chdb_result_length(result)
        answer = ctypes.string_at(self.library.chdb_result_buffer(result), length) if length else b""
        self.library.chdb_destroy_query_result(result)
        return error, answer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("query", [""])[0].encode()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        engine = self.server.engine
        error, answer = engine.insert(query, body) if query else engine.run(body)
        self.send_response(500 if error else 200)
        self.send_header("Content-Length", str(len(error or answer)))
        self.end_headers()
        self.wfile.write(error or answer)

    def log_message(self, *_):
        pass


def main():
    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.engine = Engine(sys.argv[1], Path(sys.argv[2]))
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
