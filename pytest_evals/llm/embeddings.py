"""Embeddings of OpenAI, and of the many servers that speak its ``/v1/embeddings``, through OpenAI's SDK."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import RejectedError, ScorerError, TargetError
from ..model.llm import Endpoint
from .connection import close_with_loop
from .once import Once
from .providers import Provider, known, missing_package
from .refused import no_answer, raised_by_sdk
from .replies import mapping_of
from .sdk import http_client

TIMEOUT_S = 60.0
RETRIES = 2
"""More attempts after a refusal for now or a lost connection; the SDK waits in between, as long as it is told to."""

_ABOUT_A_TEXT = frozenset({400, 413, 422})
"""Statuses that one of several texts may have caused: each is asked about alone then."""


class OpenAIEmbedder:
    """Asks one model of one address. The SDK is imported with the first question."""

    def __init__(
        self, provider: Provider, endpoint: Endpoint, model: str, environment: Mapping[str, str] = os.environ
    ) -> None:
        url = provider.base_url(endpoint, environment)
        key, key_name = provider.key(endpoint, environment)
        self._model, self._url, self._secret, self._key_name = model, url, key, key_name
        self._who = f"{provider.name} at {url}" if url else provider.name
        self._once = Once()

    def __repr__(self) -> str:
        return f"{self._model} of {self._who}"

    async def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors, in the order of the texts. Raises ``ProviderError`` when it may go well later."""
        sdk = await self._once.do("client", self._connect)
        import openai

        try:
            raw = await sdk.embeddings.with_raw_response.create(
                model=self._model, input=list(texts), encoding_format="float"
            )
        except openai.OpenAIError as error:
            trouble = raised_by_sdk(error, self._who, self._key_name, self._secret)
            if isinstance(trouble, RejectedError) and getattr(error, "status_code", None) not in _ABOUT_A_TEXT:
                raise ScorerError(str(trouble)) from None
            raise trouble from None
        content = raw.http_response.content
        return _vectors(mapping_of(content, self._who), self._who)

    async def _connect(self) -> Any:
        # in a thread: importing the SDK takes half a second, in which the calls that are under way must go on
        client = await asyncio.to_thread(self._make)
        close_with_loop(client.close)
        return client

    def _make(self) -> Any:
        import openai

        address: dict[str, Any] = {"base_url": self._url} if self._url else {}
        return openai.AsyncOpenAI(
            api_key=self._secret,
            max_retries=RETRIES,
            timeout=TIMEOUT_S,
            **address,
            **http_client(openai, self._url),
        )


def _vectors(reply: Mapping[str, Any], who: str) -> list[list[float]]:
    """The vectors in the JSON of a reply, sorted by the place of their text."""
    rows = reply.get("data")
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise no_answer(who, "the reply has no 'data' with embeddings", str(dict(reply)))
    listed = [row.get("embedding") for row in rows]
    places = [row.get("index") for row in rows]
    if not all(isinstance(vector, list) and all(map(_is_number, vector)) for vector in listed):
        raise no_answer(who, "the reply has an 'embedding' that is no list of numbers")
    if sorted(place for place in places if isinstance(place, int)) == list(range(len(rows))):
        return [vector for _, vector in sorted(zip(places, listed, strict=True))]
    return listed


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def connect_embedder(model: str, base_url: str = "", environment: Mapping[str, str] = os.environ) -> OpenAIEmbedder:
    """The embedder of ``provider/name``. Raises ``ScorerError`` without provider, address, key or package."""
    name, _, own = model.partition("/")
    try:
        provider = known(name)
        if provider.sdk != "openai":
            raise ScorerError(f"{name} has no embeddings; name a model of another provider")
        if missing := missing_package(provider):
            raise ScorerError(missing)
        return OpenAIEmbedder(provider, Endpoint(name, base_url.rstrip("/")), own, environment)
    except TargetError as error:
        raise ScorerError(str(error)) from None
