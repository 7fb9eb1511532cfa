"""Messages in the forms that the two protocols want, whichever of them they are written in.

Texts, images, calls of tools and their results are understood in both forms. All other parts (documents, sound) go as
they are written to the provider, whose own form they must have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ..model.llm import Message
from ..model.messages import SYSTEM
from ..model.text import text_of

Part = Mapping[str, Any]

_DATA = re.compile(r"data:([\w.+/-]+);base64,(.*)", re.DOTALL)


def split_system(system: str, messages: Iterable[Message]) -> tuple[str, list[Message]]:
    """The system prompt with what messages of that role add, and the other messages."""
    texts = [system] if system else []
    others = []
    for message in messages:
        if message["role"] in SYSTEM:
            texts.append(_text(message["content"]))
        else:
            others.append(message)
    return "\n\n".join(texts), others


def with_system(system: str, messages: Iterable[Message]) -> list[Message]:
    """The messages with the system prompt as the first of them."""
    return [*([{"role": "system", "content": system}] if system else []), *messages]


def for_anthropic(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages as the Messages API takes them; results of tools that follow each other are one message."""
    made: list[dict[str, Any]] = []
    results: list[Part] | None = None
    for message in messages:
        if message["role"] == "tool":
            if results is None:
                results = []
                made.append({"role": "user", "content": results})
            answered = {"type": "tool_result", "tool_use_id": message.get("tool_call_id", "")}
            results.append({**answered, "content": message.get("content")})
            continue
        results = None
        content = message.get("content")
        if isinstance(content, list):
            content = [_anthropic_part(part) for part in content]
        if calls := message.get("tool_calls"):
            said = [{"type": "text", "text": content}] if isinstance(content, str) and content else content or []
            content = [*said, *(_tool_use(call) for call in calls)]
        made.append({**{key: value for key, value in message.items() if key != "tool_calls"}, "content": content})
    return made


def for_openai(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages as Chat Completions takes them; each result of a tool is a message of its own."""
    return [turned for message in messages for turned in _openai_messages(message)]


def _openai_messages(message: Message) -> Iterator[dict[str, Any]]:
    content = message.get("content")
    if not isinstance(content, list):
        yield dict(message)
        return
    results = [part for part in content if part["type"] == "tool_result"]
    calls = [part for part in content if part["type"] == "tool_use"]
    others = [_openai_part(part) for part in content if part["type"] not in ("tool_result", "tool_use")]
    for result in results:
        yield {"role": "tool", "tool_call_id": result.get("tool_use_id", ""), "content": _text(result.get("content"))}
    if calls:
        yield {**message, "content": others or None, "tool_calls": [_function_call(call) for call in calls]}
    elif others or not results:
        yield {**message, "content": others}


def _tool_use(call: Any) -> Part:
    call = call if isinstance(call, Mapping) else {}
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    args = function.get("arguments") or {}
    if isinstance(args, str):
        with suppress(ValueError, RecursionError):  # then it stays as written, for the service to judge
            args = json.loads(args)
    return {"type": "tool_use", "id": call.get("id", ""), "name": function.get("name", ""), "input": args}


def _function_call(part: Part) -> dict[str, Any]:
    function = {"name": part.get("name", ""), "arguments": json.dumps(part.get("input") or {}, ensure_ascii=False)}
    return {"id": part.get("id", ""), "type": "function", "function": function}


def _anthropic_part(part: Part) -> Part:
    if part["type"] != "image_url":
        return part
    given = part.get("image_url")
    url = given.get("url", "") if isinstance(given, Mapping) else str(given)
    data = _DATA.fullmatch(url)
    source = {"type": "base64", "media_type": data[1], "data": data[2]} if data else {"type": "url", "url": url}
    return {"type": "image", "source": source}


def _openai_part(part: Part) -> Part:
    source = part.get("source")
    if part["type"] != "image" or not isinstance(source, Mapping):
        return part
    if source.get("type") == "base64":
        url = f"data:{source.get('media_type', '')};base64,{source.get('data', '')}"
    else:
        url = str(source.get("url", ""))
    return {"type": "image_url", "image_url": {"url": url}}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return text_of(content)
