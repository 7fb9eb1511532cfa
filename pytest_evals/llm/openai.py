"""OpenAI's Chat Completions API, and the many servers that speak it, through OpenAI's SDK.

The reply is read from its JSON and not from the SDK's types: see ``anthropic``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..errors import ProviderError, RejectedError
from ..model.llm import Reply, Request, StopReason
from ..model.response import ToolCall, Usage
from .messages import for_openai, with_system
from .refused import no_answer, raised_by_sdk
from .replies import count, mapping_of, text_in
from .sdk import http_client
from .thinking import split_thinking

WARM_UP_S = 600.0
"""How long a server may take to load a model."""

_STOPS: Mapping[str, StopReason] = {
    "stop": "end",
    "length": "max_tokens",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refusal",
}


class OpenAIClient:
    """Asks the models of one address. Imports the SDK when it is made: half a second of work.

    ``health`` is the path of a question that a server answers when it is up, ``warm_up`` whether the first question to
    a model makes the server load it. Both are for servers of one's own, and happen before anything is timed.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        who: str,
        key_name: str,
        own: bool = False,
        local: bool = False,
        health: str = "",
        warm_up: bool = False,
    ) -> None:
        import openai

        self.local = local
        self._who, self._key_name, self._secret = who, key_name, api_key
        self._own, self._health, self._warm_up = own, health, warm_up
        self._error = openai.OpenAIError
        self._sdk = openai.AsyncOpenAI(
            api_key=api_key,
            **({"base_url": base_url} if base_url else {}),  # type: ignore[arg-type]
            **http_client(openai, base_url),
            max_retries=0,  # the engine's part, with its limits
            timeout=None,  # the case's own limit of time ends a call
        )

    async def prepare(self, request: Request) -> None:
        """Ask whether the server is up, and let it load the model."""
        try:
            async with asyncio.timeout(WARM_UP_S):
                if self._health:
                    await self._check_health()
                if self._warm_up:
                    said = {"role": "user", "content": "Hello"}
                    await self._ask(replace(Request(request.provider, request.model, (said,)), max_tokens=1))
        except TimeoutError:
            raise ProviderError(f"{self._who}: {request.model} was not loaded within {WARM_UP_S:g} s") from None

    async def _check_health(self) -> None:
        try:
            with suppress(ValueError):  # an answer that is no JSON is one
                await self._sdk.get(self._health, cast_to=object)
        except self._error as error:
            trouble = raised_by_sdk(error, self._who, self._key_name, self._secret)
            if isinstance(trouble, RejectedError):
                return  # it is up, and knows no such question
            raise ProviderError(f"{trouble}; is the server running?", status=0) from None

    async def complete(self, request: Request) -> Reply:
        """See ``LlmClient``."""
        reply, request_id = await self._ask(request)
        return read_reply(reply, self._who, request_id)

    async def _ask(self, request: Request) -> tuple[Mapping[str, Any], str]:
        try:
            raw = await self._sdk.chat.completions.with_raw_response.create(**body_of(request, own=self._own))
        except self._error as error:
            raise raised_by_sdk(error, self._who, self._key_name, self._secret) from None
        return mapping_of(raw.http_response.content, self._who), raw.headers.get("x-request-id", "")

    async def aclose(self) -> None:
        """Close the connections."""
        await self._sdk.close()


def body_of(request: Request, *, own: bool) -> dict[str, Any]:
    """The arguments of the SDK's ``create``. ``own``: the server is OpenAI's."""
    body: dict[str, Any] = {
        "model": request.model,
        "messages": for_openai(with_system(request.system, request.messages)),
    }
    if request.max_tokens is not None:  # OpenAI's newer models refuse the name that all other servers know
        body["max_completion_tokens" if own else "max_tokens"] = request.max_tokens
    body |= {key: value for key in ("temperature", "top_p", "seed") if (value := getattr(request, key)) is not None}
    if request.stop:
        body["stop"] = list(request.stop)
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    **({"description": tool.description} if tool.description else {}),
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    if request.tool_choice:
        words = {"auto": "auto", "any": "required", "none": "none"}
        named = {"type": "function", "function": {"name": request.tool_choice}}
        body["tool_choice"] = words.get(request.tool_choice, named)
    if request.schema is not None:
        form = {"name": "answer", "schema": dict(request.schema), "strict": is_strict(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    if request.extra:
        body["extra_body"] = dict(request.extra)
    return body


def is_strict(schema: Any) -> bool:
    """Whether a schema may be asked for strictly: every object is closed and requires all it has."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            properties = schema.get("properties", {})
            if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(properties):
                return False
        return all(is_strict(part) for part in schema.values())
    return all(is_strict(part) for part in schema) if isinstance(schema, (list, tuple)) else True


def read_reply(reply: Mapping[str, Any], who: str, request_id: str) -> Reply:
    """The reply in the JSON of one. Raises ``ProviderError`` for a shape that is none."""
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise no_answer(who, "the reply has no 'choices' with a 'message'", str(dict(reply)))
    text, thoughts = split_thinking(_text(message.get("content")))
    told = text_in(message, "reasoning_content") or text_in(message, "reasoning")
    refusal = text_in(message, "refusal")
    stopped = _STOPS.get(str(choice.get("finish_reason")), "other")
    if stopped == "refusal" and not refusal:
        refusal = "the service's content filter stopped the answer"
    usage, raw_usage = _usage(reply.get("usage"))
    calls = message.get("tool_calls")
    return Reply(
        text=text or refusal,
        reasoning="\n\n".join(part for part in (told, thoughts) if part),
        tool_calls=tuple(_tool_call(call) for call in calls if isinstance(call, Mapping))
        if isinstance(calls, list)
        else (),
        usage=usage,
        cache_write_tokens=count(raw_usage, "prompt_tokens_details", "cache_write_tokens"),
        reasoning_tokens=count(raw_usage, "completion_tokens_details", "reasoning_tokens"),
        stop_reason="refusal" if refusal else stopped,
        refusal=refusal,
        model=text_in(reply, "model"),
        request_id=request_id,
        raw_usage=raw_usage,
    )


def _text(content: Any) -> str:
    if isinstance(content, list):  # some servers answer in parts
        return "".join(text_in(part, "text") for part in content)
    return content if isinstance(content, str) else ""


def _tool_call(call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function")
    args: Any = function.get("arguments") if isinstance(function, Mapping) else None
    if isinstance(args, str):
        with suppress(ValueError, RecursionError):  # then it stays what the model wrote
            args = json.loads(args) if args.strip() else {}
    return ToolCall(text_in(function, "name"), args)


def _usage(given: Any) -> tuple[Usage | None, Mapping[str, Any]]:
    if not isinstance(given, Mapping):
        return None, {}
    read = count(given, "prompt_tokens_details", "cached_tokens")
    return Usage(count(given, "prompt_tokens"), count(given, "completion_tokens"), read), given
