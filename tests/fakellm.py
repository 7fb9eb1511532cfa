"""A server on 127.0.0.1 that speaks Anthropic's Messages and OpenAI's Chat Completions, as a test says."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from servers import Asked, Reply, Server, serve


@dataclass
class Says:
    """A reply of a model, in the protocol in which it was asked."""

    text: str = "Within 30 days."
    thinking: str = ""
    tools: list[tuple[str, Any]] = field(default_factory=list)
    stop: str = ""
    """In Anthropic's words; OpenAI's are found for it."""
    refusal: str = ""
    input: int = 100
    """Without what was read from or written to a cache."""
    output: int = 20
    read: int = 0
    written: int = 0
    usage: bool = True
    model: str = ""
    delay_s: float = 0.0


@dataclass
class Fails:
    """An error in the body that the services write."""

    status: int
    message: str = "that went wrong"
    headers: dict[str, str] = field(default_factory=dict)


HANGS_UP = ConnectionError()
"""In a script: the connection is closed without a reply."""

Item = str | bytes | Says | Fails | Reply | ConnectionError
Script = Callable[[Asked], Item]

OPENAI_STOPS = {"end_turn": "stop", "max_tokens": "length", "tool_use": "tool_calls", "refusal": "content_filter"}
KINDS = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}


@contextmanager
def fake_llm(*script: Item, default: Item | Script = "Within 30 days.") -> Iterator[Server]:
    """The server while the block runs. What is asked is answered by the script, then by ``default``."""
    waiting = list(script)

    def answer(asked: Asked) -> Reply:
        if asked.method == "GET":
            return Reply({"data": [], "status": "ok"})
        item = waiting.pop(0) if waiting else default(asked) if callable(default) else default
        if isinstance(item, ConnectionError):
            raise item
        if isinstance(item, Reply):
            return item
        if isinstance(item, bytes):
            return Reply(item, headers={"Content-Type": "application/json"})
        if isinstance(item, Fails):
            kind = KINDS.get(item.status, "api_error")
            body = {"type": "error", "error": {"type": kind, "message": item.message}}
            return Reply(body, item.status, {"request-id": "req_1", "x-request-id": "req_1", **item.headers})
        says = item if isinstance(item, Says) else Says(item)
        time.sleep(says.delay_s)
        made = anthropic_reply if asked.path.endswith("/messages") else openai_reply
        return Reply(made(says, asked.json), headers={"request-id": "req_1", "x-request-id": "req_1"})

    with serve(answer) as server:
        yield server


def anthropic_reply(says: Says, asked: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a message."""
    blocks: list[dict[str, Any]] = []
    if says.thinking:
        blocks.append({"type": "thinking", "thinking": says.thinking, "signature": "s"})
    if says.text:
        blocks.append({"type": "text", "text": says.text})
    for number, (name, args) in enumerate(says.tools):
        blocks.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": args})
    stop = says.stop or ("refusal" if says.refusal else "tool_use" if says.tools else "end_turn")
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": says.model or asked["model"],
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
    }
    if says.refusal:
        message["stop_details"] = {"type": "refusal", "category": "cyber", "explanation": says.refusal}
    if says.usage:
        message["usage"] = {
            "input_tokens": says.input,
            "output_tokens": says.output,
            "cache_read_input_tokens": says.read,
            "cache_creation_input_tokens": says.written,
        }
    return message


def openai_reply(says: Says, asked: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a chat completion."""
    text = f"<think>\n{says.thinking}\n</think>\n\n{says.text}" if says.thinking else says.text
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if says.refusal:
        message |= {"content": None, "refusal": says.refusal}
    if says.tools:
        message["tool_calls"] = [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
            for number, (name, args) in enumerate(says.tools)
        ]
    stop = says.stop or ("tool_use" if says.tools else "end_turn")
    reply = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": says.model or asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": OPENAI_STOPS.get(stop, stop)}],
    }
    if says.usage:
        total = says.input + says.read + says.written
        reply["usage"] = {
            "prompt_tokens": total,
            "completion_tokens": says.output,
            "total_tokens": total + says.output,
            "prompt_tokens_details": {"cached_tokens": says.read, "cache_write_tokens": says.written},
        }
    return reply
