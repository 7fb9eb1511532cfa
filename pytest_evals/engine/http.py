"""An HTTP server as the target: one request a case, over connections that stay open.

The server is the application under test, so that what goes wrong there is the application's: no connection, 4xx and 5xx
are errors of the kind ``target``. Only what asks to be called again later is of the kind ``provider``: 429, 529, and
503 with a ``Retry-After``.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit
from weakref import WeakKeyDictionary

from ..errors import ProviderError, TargetError
from ..llm.retry_after import retry_after
from ..model.case import Case
from ..model.remote import HttpSpec
from ..model.response import Response
from ..model.template import fill, fill_text
from ..model.text import one_line, text_of
from .refusal import LATER
from .reply import answer_in, decoded
from .target import Target, given

if TYPE_CHECKING:
    import ssl

    from httpx2 import AsyncClient

EXTRA = "pip install 'pytest-evals-suite[http]'"
MAX_BYTES = 10_000_000
"""Of a reply. More is no answer to be scored, and thousands of them would fill the memory."""

_HERE = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_HIDDEN = "***"
_EXCERPT = 2000


def http_target(spec: HttpSpec, label: str) -> Target:
    """The target that asks a server. Raises ``TargetError`` when the package that speaks HTTP is missing."""
    try:
        _tls()  # imports the package too, which would otherwise count as latency of the first case
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "httpx2":
            raise
        raise TargetError(f"an http target needs the httpx2 package: {EXTRA}") from None
    return Target(label, _Server(spec).ask, passes_input=None, extras=("case", "session_id", "variant"), is_async=True)


class _Server:
    def __init__(self, spec: HttpSpec) -> None:
        self._spec = spec

    async def ask(self, *, case: Case, session_id: str, variant: Mapping[str, Any]) -> Response:
        """Send the request of a case, and find the answer in the reply."""
        spec, values = self._spec, given(case, session_id, variant)
        body = None if spec.body is None else json.dumps(fill(spec.body, values)).encode()
        headers = {name: fill_text(value, values).strip() for name, value in spec.headers.items()}
        if body is not None and "content-type" not in {name.lower() for name in headers}:
            headers["Content-Type"] = "application/json"
        url = fill_text(spec.url, values, lambda value: quote(text_of(value), safe="", errors="replace"))
        status, reply_headers, content = await self._send(url, headers, body)
        text = self._clean(decoded(content, reply_headers.get("content-type", "")))
        self._check(status, reply_headers, text)
        is_json = _is_json(reply_headers.get("content-type", ""))
        return Response(self._clean(answer_in(text, spec.output, is_json=is_json)), metadata={"http_status": status})

    async def _send(self, url: str, headers: Mapping[str, str], body: bytes | None) -> tuple[int, Any, bytes]:
        import httpx2

        sent = [(name.encode(), value.encode("utf-8", "replace")) for name, value in headers.items()]
        _ASKING.set(True)  # for this call's own task
        try:
            async with _client().stream(self._spec.method, url, headers=sent, content=body) as reply:
                content = bytearray()
                async for chunk in reply.aiter_bytes():
                    content += chunk
                    if len(content) > MAX_BYTES:
                        raise TargetError(f"the reply is longer than {MAX_BYTES // 1_000_000} MB")
                return reply.status_code, reply.headers, bytes(content)
        # said anew and without the cause: theirs may hold headers
        except httpx2.ConnectError as error:
            raise TargetError(f"cannot connect to {_host(url)}: {self._clean(one_line(str(error)))}") from None
        except httpx2.LocalProtocolError:
            raise TargetError("a header holds a character that HTTP does not allow there") from None
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            raise TargetError(f"the url is none: {self._clean(one_line(url, 100))!r}") from None
        except httpx2.HTTPError as error:
            said = self._clean(one_line(str(error))) or "the connection broke"
            raise TargetError(f"no reply from {_host(url)}: {said} ({type(error).__name__})") from None

    def _check(self, status: int, headers: Mapping[str, str], text: str) -> None:
        """Raise an error unless the status is one that answers have."""
        if status in self._spec.statuses if self._spec.statuses else 200 <= status < 300:
            return
        message = f"HTTP {status}{_phrase(status)}"
        if 300 <= status < 400 and "location" in headers:
            to = self._clean(headers["location"].partition("?")[0])
            raise TargetError(f"{message}: moved to {one_line(to, 200)}; name that address in the suite")
        if excerpt := one_line(text, 200):
            message += f": {excerpt}"
        detail = text[:_EXCERPT] if len(text) > 200 or "\n" in text.strip() else ""
        later = retry_after(headers, cap_s=math.inf)
        if status in LATER or (status == 503 and later is not None):
            raise ProviderError(message, detail, later, status)
        raise TargetError(message, detail)

    def _clean(self, value: Any) -> Any:
        """The value without secrets that the server sent back."""
        if not self._spec.secrets:
            return value
        if isinstance(value, str):
            for secret in self._spec.secrets:
                value = value.replace(secret, _HIDDEN)
        elif isinstance(value, list):
            value = [self._clean(part) for part in value]
        elif isinstance(value, dict):
            value = {self._clean(key): self._clean(part) for key, part in value.items()}
        return value


_ASKING: ContextVar[bool] = ContextVar("pytest_evals_asking", default=False)


def _not_ours(record: logging.LogRecord) -> bool:  # noqa: ARG001
    """Whether a request is logged: not ours, whose address may hold a key."""
    return not _ASKING.get()


_CLIENTS: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncClient] = WeakKeyDictionary()
_KEEPERS: set[asyncio.Task[None]] = set()


def _client() -> AsyncClient:
    """The client of the running loop, which all servers share. It is closed when the loop's tasks are cancelled."""
    import httpx2

    loop = asyncio.get_running_loop()
    client = _CLIENTS.get(loop)
    if client is None or client.is_closed:
        # the case's own limit of time ends a call; the engine bounds how many there are
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        client = httpx2.AsyncClient(
            verify=_tls(),
            timeout=None,
            limits=limits,
            headers={"User-Agent": "pytest-evals"},
            mounts=dict.fromkeys(_HERE),  # no proxy leads there
            # one case must not go on in the session of another
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
        _CLIENTS[loop] = client
        keeper = loop.create_task(_close_at_the_end(client))
        _KEEPERS.add(keeper)  # a loop holds its tasks weakly
        keeper.add_done_callback(_KEEPERS.discard)
    return client


async def _close_at_the_end(client: AsyncClient) -> None:
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        await client.aclose()


@cache
def _tls() -> ssl.SSLContext:
    # reading the certificates takes 50 ms: once a process, before anything is timed
    import httpx2

    logging.getLogger("httpx2").addFilter(_not_ours)
    return httpx2.create_ssl_context()


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""
