"""Starting the viewer: which address, who may reach it, and what can keep it from starting, as one line."""

from __future__ import annotations

import errno
import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError
from .app import make_app
from .safety import LOOPBACK, is_loopback

if TYPE_CHECKING:
    from .source import Source

TOKEN_BYTES = 18


@dataclass(frozen=True, slots=True)
class Served:
    """Where the viewer is."""

    url: str
    token: str


def serve(source: Source, *, host: str, port: int, browse: bool, say: Callable[[Served], None]) -> None:
    """Serve until Ctrl-C. ``say`` is called once, when it listens. Raises ``UsageError`` when it cannot."""
    import uvicorn

    listening = _listen(host, port)
    port = listening.getsockname()[1]
    token = "" if is_loopback(host) else secrets.token_urlsafe(TOKEN_BYTES)
    app = make_app(source, hosts=LOOPBACK | {host}, token=token)
    shown = f"[{host}]" if ":" in host else host
    served = Served(f"http://{shown}:{port}/" + (f"{token}/" if token else ""), token)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    say(served)
    if browse:
        webbrowser.open(served.url)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:  # uvicorn has shut down, and raises again what it caught
        return
    finally:
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"--host {host}: {error.strerror}") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"port {port} is in use; choose another one with --port, or 0 for any") from error
        raise UsageError(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    return listening
