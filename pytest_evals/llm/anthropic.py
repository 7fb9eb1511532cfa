"""Anthropic's Messages API, through its SDK.

The reply is read from its JSON and not from the SDK's types: they take a reply of any shape, they differ between
versions, and building them is most of what a call costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.llm import Reply, Request, StopReason
from ..model.response import ToolCall, Usage
from .messages import for_anthropic, split_system
from .refused import no_answer, raised_by_sdk
from .replies import count, mapping_of, text_in, total
from .sdk import http_client

MAX_TOKENS = 4096
"""Of a reply when the suite does not say; the API wants a number."""

_STOPS: Mapping[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "stop",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "tool_use": "tool_calls",
    "refusal": "refusal",
}


class AnthropicClient:
    """Asks the models of one address. Imports the SDK when it is made: more than a second of work."""

    local = False

    def __init__(self, *, base_url: str, api_key: str, auth_token: str, who: str, key_name: str) -> None:
        import anthropic

        self._who, self._key_name, self._secret = who, key_name, api_key or auth_token
        self._error = anthropic.AnthropicError
        self._sdk = anthropic.AsyncAnthropic(
            # given even when empty: otherwise the SDK looks in files for profiles
            **({"api_key": api_key} if api_key else {"auth_token": auth_token}),  # type: ignore[arg-type]
            **({"base_url": base_url} if base_url else {}),  # type: ignore[arg-type]
            **http_client(anthropic, base_url),
            max_retries=0,  # the engine's part, with its limits
            timeout=None,  # the case's own limit of time ends a call
        )

    async def complete(self, request: Request) -> Reply:
        """See ``LlmClient``."""
        try:
            raw = await self._sdk.messages.with_raw_response.create(**body_of(request))
        except self._error as error:
            raise raised_by_sdk(error, self._who, self._key_name, self._secret) from None
        reply = mapping_of(raw.http_response.content, self._who)
        return read_reply(reply, self._who, raw.headers.get("request-id", ""))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._sdk.close()


def body_of(request: Request) -> dict[str, Any]:
    """The arguments of the SDK's ``create``."""
    system, messages = split_system(request.system, request.messages)
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens or MAX_TOKENS,
        "messages": for_anthropic(messages),
    }
    if system:
        body["system"] = system
    # None where the installed version does not take it: that is said when the suite is read
    body |= {key: value for key in ("temperature", "top_p") if (value := getattr(request, key)) is not None}
    if request.stop:
        body["stop_sequences"] = list(request.stop)
    if request.tools:
        body["tools"] = [
            {
                "name": tool.name,
                **({"description": tool.description} if tool.description else {}),
                "input_schema": dict(tool.parameters),
            }
            for tool in request.tools
        ]
    if request.tool_choice:
        fixed = request.tool_choice in ("auto", "any", "none")
        body["tool_choice"] = {"type": request.tool_choice} if fixed else {"type": "tool", "name": request.tool_choice}
    more = dict(request.extra)
    if request.schema is not None:  # older versions know no argument of this name, the API does
        form = {"type": "json_schema", "schema": closed(request.schema)}
        more["output_config"] = {**more.get("output_config", {}), "format": form}
    if more:
        body["extra_body"] = more
    return body


def closed(schema: Any) -> Any:
    """The schema with ``additionalProperties: false`` where an object says nothing of it: the API wants that said."""
    if isinstance(schema, Mapping):
        made = {key: closed(part) for key, part in schema.items()}
        if made.get("type") == "object" and "additionalProperties" not in made:
            made["additionalProperties"] = False
        return made
    return [closed(part) for part in schema] if isinstance(schema, (list, tuple)) else schema


def read_reply(reply: Mapping[str, Any], who: str, request_id: str) -> Reply:
    """The reply in the JSON of one. Raises ``ProviderError`` for a shape that is none."""
    blocks = reply.get("content")
    if not isinstance(blocks, list) or not all(isinstance(block, Mapping) for block in blocks):
        raise no_answer(who, "the reply has no list 'content'", str(dict(reply)))
    stopped = reply.get("stop_reason")
    refusal = ""
    if stopped == "refusal":
        details = reply.get("stop_details")
        refusal = (text_in(details, "explanation") or text_in(details, "category")) or "the model refused"
    usage, raw_usage = _usage(reply.get("usage"))
    return Reply(
        text="".join(text_in(block, "text") for block in blocks if block.get("type") == "text"),
        reasoning="\n\n".join(text_in(block, "thinking") for block in blocks if block.get("type") == "thinking"),
        tool_calls=tuple(
            ToolCall(text_in(block, "name"), block.get("input")) for block in blocks if block.get("type") == "tool_use"
        ),
        usage=usage,
        cache_write_tokens=count(raw_usage, "cache_creation_input_tokens"),
        reasoning_tokens=count(raw_usage, "output_tokens_details", "thinking_tokens"),
        stop_reason=_STOPS.get(str(stopped), "other"),
        refusal=refusal,
        model=text_in(reply, "model"),
        request_id=request_id,
        raw_usage=raw_usage,
    )


def _usage(given: Any) -> tuple[Usage | None, Mapping[str, Any]]:
    if not isinstance(given, Mapping):
        return None, {}
    read = count(given, "cache_read_input_tokens")
    # what was read from and written to the cache is not in input_tokens
    full = total(count(given, "input_tokens"), read, count(given, "cache_creation_input_tokens"))
    return Usage(full, count(given, "output_tokens"), read), given
