"""A server on 127.0.0.1 that answers as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """A request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """What is sent back: bytes as they are, text, or a JSON value."""

    body: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Server:
    url: str
    asked: list[Asked] = field(default_factory=list)
    connections: set[tuple[str, int]] = field(default_factory=set)
    """The other ends of all connections so far."""


@contextmanager
def serve(answer: Callable[[Asked], Any]) -> Iterator[Server]:
    """A server while the block runs. ``answer`` returns a ``Reply``, or a body; raised ``ConnectionError`` hangs up."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            asked = Asked(self.command, self.path, dict(self.headers.items()), self.rfile.read(length))
            server.asked.append(asked)
            server.connections.add(self.client_address)
            try:
                said = answer(asked)
            except ConnectionError:
                self.close_connection = True
                return
            reply = said if isinstance(said, Reply) else Reply(said)
            kind, body = encoded(reply.body)
            self.send_response(reply.status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
                self.wfile.flush()
            except ConnectionError:  # the other end was cancelled
                self.close_connection = True

        do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    with Quiet(("127.0.0.1", 0), Handler) as listening:
        server = Server(f"http://127.0.0.1:{listening.server_port}")
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            listening.shutdown()
            thread.join()


def encoded(body: Any) -> tuple[str, bytes]:
    """Content type and bytes of a body."""
    if isinstance(body, bytes):
        return "application/octet-stream", body
    if isinstance(body, str):
        return "text/plain; charset=utf-8", body.encode()
    return "application/json", json.dumps(body).encode()
