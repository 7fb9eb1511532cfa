"""Messages in the forms that the two protocols want.

Texts and images are understood in both forms. All other parts (documents, tool calls, tool results) go as they are
written to the provider, whose own form they must have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..model.llm import Message
from ..model.messages import SYSTEM

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


def for_anthropic(message: Message) -> dict[str, Any]:
    """The message with images as the Messages API takes them."""
    return _converted(message, _anthropic_part)


def for_openai(message: Message) -> dict[str, Any]:
    """The message with images as Chat Completions takes them."""
    return _converted(message, _openai_part)


def _converted(message: Message, convert: Any) -> dict[str, Any]:
    content = message.get("content")
    if isinstance(content, list):
        return {**message, "content": [convert(part) for part in content]}
    return dict(message)


def _anthropic_part(part: Mapping[str, Any]) -> Mapping[str, Any]:
    if part["type"] != "image_url":
        return part
    given = part.get("image_url")
    url = given.get("url", "") if isinstance(given, Mapping) else str(given)
    data = _DATA.fullmatch(url)
    source = {"type": "base64", "media_type": data[1], "data": data[2]} if data else {"type": "url", "url": url}
    return {"type": "image", "source": source}


def _openai_part(part: Mapping[str, Any]) -> Mapping[str, Any]:
    source = part.get("source")
    if part["type"] != "image" or not isinstance(source, Mapping):
        return part
    if source.get("type") == "base64":
        url = f"data:{source.get('media_type', '')};base64,{source.get('data', '')}"
    else:
        url = str(source.get("url", ""))
    return {"type": "image_url", "image_url": {"url": url}}


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)
