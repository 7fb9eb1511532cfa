"""Models: how a suite names one, what it is asked, what it replies, and the protocol of all that speak to one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from .place import Place
from .response import ToolCall, Usage

StopReason = Literal["end", "stop", "max_tokens", "tool_calls", "refusal", "other"]
"""Why a reply ends: the model was done, a stop text came, the limit was reached, it calls tools, it refused."""

Message = Mapping[str, Any]
"""``role`` (``user``, ``assistant``, ``tool``) and ``content``: a text, or a list of parts (texts, images, …)."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool the model may call. Nobody runs it: the calls are part of the answer."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    """A JSON schema of its arguments."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked. Two suites that name the same one share a client."""

    provider: str
    """``anthropic``, ``openai``, ``lemonade``, …: the text before the slash of ``model``."""
    base_url: str = ""
    """Empty: the provider's own, or what its environment variable says."""
    api_key: str = field(default="", repr=False)
    """Empty: the environment variable of the provider has it."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model with the settings it is asked with. ``None`` and empty values are not sent."""

    endpoint: Endpoint
    model: str
    """The provider's own name of it: the text after the first slash."""
    system: str = ""
    max_tokens: int | None = None
    """Of the reply."""
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    tool_choice: str = ""
    """``auto``, ``any`` (some tool), ``none``, or the name of the tool that must be called."""
    schema: Mapping[str, Any] | None = None
    """A JSON schema that the answer must have; the output is then the JSON value."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """More fields of the request's body, as the provider names them."""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)
    """Where each key stands in the suite."""

    @property
    def name(self) -> str:
        """``provider/model``, as a suite writes it and results name it."""
        return f"{self.endpoint.provider}/{self.model}"

    def request(self, messages: tuple[Message, ...], trial: int = 1) -> Request:
        """What is asked with these messages."""
        return Request(
            provider=self.endpoint.provider,
            model=self.model,
            messages=messages,
            system=self.system,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            top_p=self.top_p,
            seed=self.seed,
            stop=self.stop,
            tools=self.tools,
            tool_choice=self.tool_choice,
            schema=self.schema,
            extra=self.extra,
            trial=trial,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model. ``None`` and empty values are not sent."""

    provider: str
    model: str
    messages: tuple[Message, ...]
    system: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    tool_choice: str = ""
    schema: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    trial: int = 1
    """Which repeat of the case asks. Not sent; a reply that is kept for one trial does not answer another."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model replied."""

    text: str
    """Without the reasoning; empty when it only calls tools or refuses."""
    reasoning: str = ""
    """What it thought before: ``<think>…</think>``, thinking blocks, ``reasoning_content``."""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    """``None`` when the service did not say."""
    cache_write_tokens: int | None = None
    """The part of the input that was written to the service's prompt cache."""
    reasoning_tokens: int | None = None
    """The part of the output that was reasoning."""
    stop_reason: StopReason = "end"
    refusal: str = ""
    """Why it refused, as the service says it; meant for people."""
    model: str = ""
    """The model that answered, as the service names it; empty when it did not say."""
    request_id: str = ""
    """What the service calls the request, for its support."""
    raw_usage: Mapping[str, Any] = field(default_factory=dict)
    """The service's own account of the tokens."""
    cached: bool = False
    """It was kept from an earlier call: no time, no money."""
    latency_ms: float | None = None
    """Of a reply kept from an earlier call: what that one took."""

    def kept(self, latency_ms: float | None) -> Reply:
        """The same reply, given again instead of a call."""
        return replace(self, cached=True, latency_ms=latency_ms)


class LlmClient(Protocol):
    """Asks the models of one endpoint. Lives as long as the process and runs on the engine's event loop.

    It makes one attempt: repeating is the engine's part. It raises ``ProviderError`` for what may go well later (a
    limit of rate, an overload, a broken connection, a reply that is none), ``RejectedError`` for what will not (a wrong
    key, an unknown model, a bad request). It may also have

    - ``local: bool``: the model runs on the user's own machines and costs nothing; false if there is no such attribute;
    - ``async def prepare(request: Request) -> Reply | None``: awaited before every attempt, outside limits of rate and
      time, and not timed: connect, warm up. A reply that is there already can be returned: then nothing is asked;
    - ``async def aclose() -> None``: awaited when the loop ends.

    One client around another (a cache, a recorder) passes these on.
    """

    async def complete(self, request: Request) -> Reply:
        """The reply to one request."""
        ...
