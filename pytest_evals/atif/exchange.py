"""One question to a model and its reply, as a trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from ..model.llm import Reply, Request
from ..model.messages import SYSTEM
from ..model.text import text_of
from ..model.wire import plain
from .values import mapping_of, mappings_of
from .versions import CURRENT


def exchange(request: Request, reply: Reply, cost_usd: float | None) -> dict[str, Any]:
    """The document: what the model was told, and its reply as the agent's step.

    Earlier turns of the assistant among the messages are marked as taken over: they were asked and paid for before.
    """
    steps: list[dict[str, Any]] = []
    if request.system:
        _add(steps, "system", request.system)
    for message in request.messages:
        _message(steps, message)
    step = _add(steps, "agent", reply.text)
    step["timestamp"] = datetime.now(UTC).isoformat(timespec="milliseconds")
    if reply.reasoning:
        step["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        given = ((f"call-{n}", call.name, call.args) for n, call in enumerate(reply.tool_calls, 1))
        step["tool_calls"] = _calls(given)
    usage = reply.usage
    metrics = {
        "prompt_tokens": usage.input_tokens if usage else None,
        "completion_tokens": usage.output_tokens if usage else None,
        "cached_tokens": usage.cached_tokens if usage else None,
        "cost_usd": cost_usd,
    }
    known = {name: value for name, value in metrics.items() if value is not None}
    if known:
        step["metrics"] = known
    agent: dict[str, Any] = {
        "name": f"{request.provider}/{request.model}",
        "version": reply.model or request.model,
        "model_name": reply.model or request.model,
    }
    if request.tools:
        agent["tool_definitions"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": plain(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    return {
        "schema_version": CURRENT,
        "trajectory_id": uuid4().hex,
        "agent": agent,
        "steps": steps,
        "final_metrics": {**{f"total_{name}": value for name, value in known.items()}, "total_steps": len(steps)},
    }


def _add(steps: list[dict[str, Any]], source: str, message: Any) -> dict[str, Any]:
    step = {"step_id": len(steps) + 1, "source": source, "message": _content(message)}
    steps.append(step)
    return step


def _message(steps: list[dict[str, Any]], message: Mapping[str, Any]) -> None:
    role = message["role"]
    if role == "tool":
        _result(steps, message)
    elif role == "assistant":
        step = _add(steps, "agent", message.get("content"))
        step["is_copied_context"] = True
        calls = mappings_of(message.get("tool_calls"))
        if calls:
            step["tool_calls"] = _calls(_known(call, n) for n, call in enumerate(calls, 1))
    else:
        _add(steps, "system" if role in SYSTEM else "user", message.get("content"))


def _known(call: Mapping[str, Any], number: int) -> tuple[str, str, Any]:
    """Id, name and arguments of a call as OpenAI writes it, or plainly."""
    function = mapping_of(call.get("function")) or call
    arguments = function.get("arguments", function.get("args", function.get("input")))
    return str(call.get("id") or f"earlier-{number}"), str(function.get("name") or "unknown"), arguments


def _calls(given: Iterable[tuple[str, str, Any]]) -> list[dict[str, Any]]:
    made = []
    for number, name, arguments in given:
        values = plain(arguments)
        if not isinstance(values, dict):
            values = {} if values in (None, "") else {"value": values}
        made.append({"tool_call_id": number, "function_name": name, "arguments": values})
    return made


def _result(steps: list[dict[str, Any]], message: Mapping[str, Any]) -> None:
    """What a tool gave belongs to the step that called it; where none did, it stands alone."""
    number = message.get("tool_call_id")
    caller = next((s for s in reversed(steps) if number in [c["tool_call_id"] for c in s.get("tool_calls", ())]), None)
    result = {"content": _content(message.get("content"))}
    if caller is None:
        caller = _add(steps, "system", "")
    else:
        result["source_call_id"] = str(number)
    caller.setdefault("observation", {"results": []})["results"].append(result)


def _content(value: Any) -> str:
    """A message's content as text; of its other parts only what they are."""
    if not isinstance(value, (list, tuple)):
        return text_of(value)
    return "\n".join(
        text_of(part.get("text", "")) if part.get("type") == "text" else f"[{part.get('type', 'part')}]"
        for part in value
        if isinstance(part, Mapping)
    )
