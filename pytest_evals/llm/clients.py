"""The clients of a process: one for each endpoint, whoever asks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping

from ..errors import RejectedError, TargetError
from ..model.llm import Endpoint, LlmClient, ModelSpec
from .connection import Connection
from .providers import PROVIDERS, connect, known, missing_package, not_taken

Connect = Callable[[Endpoint], LlmClient | None]
"""Another way to a client; ``None``: the built-in one."""

Wrap = Callable[[LlmClient, Endpoint], LlmClient]
"""What stands between a caller and a client: a cache, a recorder."""


class Clients:
    """Gives everyone who names an endpoint its client. Nothing is imported or connected before the first call.

    Args:
        others: Asked first; also for a built-in provider, which can so be replaced.
        wrap: Put around every client.
        offline: No service is asked, so that no package is needed.

    """

    def __init__(self, others: Connect | None = None, wrap: Wrap | None = None, *, offline: bool = False) -> None:
        self._offline = offline
        self._others = others
        self._wrap = wrap
        self._found: dict[Endpoint, tuple[LlmClient, bool]] = {}
        self._lock = threading.Lock()

    @classmethod
    def given(cls, clients: Mapping[str, LlmClient], wrap: Wrap | None = None) -> Clients:
        """Those given by the provider's name go before the built-in ones."""
        return cls(lambda endpoint: clients.get(endpoint.provider), wrap)

    def client(self, endpoint: Endpoint) -> LlmClient:
        """The client of an endpoint. Raises ``TargetError`` for an unknown provider, or a missing package."""
        return self._client(endpoint)[0]

    def mistakes(self, spec: ModelSpec) -> Iterable[tuple[str, str]]:
        """The settings of a model that its provider does not take: key and what is wrong with it."""
        try:
            _, built_in = self._client(spec.endpoint)
        except TargetError as error:
            return [("model", str(error))]
        return list(not_taken(spec)) if built_in else []

    def missing(self, endpoint: Endpoint) -> str:
        """What a built-in provider lacks to be asked, a key or an address; empty when it lacks nothing."""
        _, built_in = self._client(endpoint)
        if not built_in or self._offline:
            return ""
        try:
            PROVIDERS[endpoint.provider].key(endpoint)
            PROVIDERS[endpoint.provider].base_url(endpoint)
        except RejectedError as error:
            return str(error)
        return ""

    def _client(self, endpoint: Endpoint) -> tuple[LlmClient, bool]:
        with self._lock:
            found = self._found.get(endpoint)
            if found is None:
                found = self._found[endpoint] = self._make(endpoint)
            return found

    def _make(self, endpoint: Endpoint) -> tuple[LlmClient, bool]:
        client = self._others(endpoint) if self._others is not None else None
        built_in = client is None
        if client is None:
            provider = known(endpoint.provider)
            if not self._offline and (missing := missing_package(provider)):
                raise TargetError(missing)
            client = Connection(endpoint, connect, local=provider.local)
        if self._wrap is not None:
            client = self._wrap(client, endpoint)
        return client, built_in
