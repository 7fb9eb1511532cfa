"""Who may ask the viewer, and what a page may do: loopback names or a token, no foreign origin, nothing else."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" a form of our own would be sent with the origin "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_of(header: str) -> str:
    """The name in a ``Host`` header, without the port and the brackets of an IPv6 address; empty if it is none."""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return ""
    if parts.path or parts.query or parts.fragment or "@" in header:
        return ""
    return (parts.hostname or "").lower()


class Guard:
    """Answers only who may ask, and adds the headers that keep a page from loading or sending anything.

    ``token``: when the server can be reached from other machines, every path begins with it; no cookie is needed.
    ``hosts``: the names it may be called by; a name in ``Host`` that is none of them may be a rebound one of a foreign
    page. With a token any name will do.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] = LOOPBACK, token: str = "") -> None:
        self._app = app
        self._hosts = {host.lower() for host in hosts}
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, guarded)
            return
        if self._token:
            prefix = f"/{self._token}"
            scope = dict(scope)
            scope["root_path"] = scope.get("root_path", "") + prefix
        await self._app(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not (host := host_of(hosts[0])):
            return PlainTextResponse("a request needs one Host header\n", 400)
        if not self._token and host not in self._hosts:
            return PlainTextResponse("this viewer is not called by that name\n", 403)
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != hosts[0].lower():
            return PlainTextResponse("other pages may not ask this viewer\n", 403)
        if scope["method"] not in {"GET", "HEAD"}:
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            foreign = headers.get("sec-fetch-site") in {"cross-site", "same-site"}
            if foreign or (origin is None and kind != "application/json"):  # no foreign page can send that unasked
                return PlainTextResponse("other pages may not change anything here\n", 403)
        if self._token:
            first, _, _ = scope["path"].removeprefix("/").partition("/")
            if not hmac.compare_digest(first.encode("utf-8", "replace"), self._token.encode()):
                return PlainTextResponse("the address lacks the token that was printed at the start\n", 403)
        return None
