"""The tool calls of a trajectory by name: what was looked for, how much was found, in which step.

``calls_by_tool`` is what reports and the viewer show of a case; web searches are calls like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..model.result import Trial
from ..model.text import one_line, text_of
from .read import Call, Result, Step, Trajectory
from .values import count_of, is_list, mapping_of

LONGEST_QUERY = 500
"""Characters of a query that are kept."""

_QUERY = ("query", "search_query", "q", "queries", "search", "search_term", "question", "keywords", "term", "text")
_FOUND = ("results", "items", "hits", "matches", "documents", "rows", "data", "organic_results", "organic")
_NUMBER = ("result_count", "total_results", "num_results", "total", "count")
_SEARCH = re.compile(
    r"(?:^|_)(?:web_?search|search_?(?:the_)?(?:web|internet|online)|(?:internet|online)_?search|"
    r"(?:google|bing|brave|ddg|duckduckgo|searxn?g?)(?:_?search|$)|tavily|serp(?:er|api)?)(?:_|$)"
)
_TEXT_ERROR = re.compile(r"\s*(error\b|exception\b|traceback \(most recent call last\)|failed:)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool, with what came of it."""

    name: str
    arguments: Any
    step: int | None
    """``step_id`` within the trajectory of the agent that called; ``None`` where only the call is known."""
    query: str | None = None
    """What was looked for: the argument ``query`` or one of its kind; else the only text among the arguments."""
    result_count: int | None = None
    """How many results came back, where the result tells."""
    error: str = ""
    """What went wrong, in a line; empty when nothing did."""
    answered: bool = False
    """Whether there is a result."""
    agent: str = ""
    """The agent that called."""

    def plain(self) -> dict[str, Any]:
        """The call as reports show it."""
        return {
            "name": self.name,
            "step": self.step,
            "agent": self.agent,
            "query": self.query,
            "result_count": self.result_count,
            "error": self.error,
        }


def uses(trajectory: Trajectory, *, subagents: bool = True) -> list[ToolUse]:
    """Every call in the order of the steps, those of subagents after their caller's; none of copied steps."""
    found: list[ToolUse] = []
    for each in trajectory.everyone() if subagents else (trajectory,):
        for step in each.steps:
            if not step.copied:
                found += [use_of(call, step, each.agent_name) for call in step.calls]
    return found


def use_of(call: Call, step: Step, agent: str = "") -> ToolUse:
    """A call with its results."""
    results = step.results_of(call)
    return ToolUse(
        call.name,
        call.arguments if call.arguments is not None else {},
        step.number,
        query_of(call.arguments),
        result_count(results),
        next((problem for result in results if (problem := error_of(result))), ""),
        bool(results),
        agent,
    )


def by_name(calls: Iterable[Mapping[str, Any]], name: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """Calls as ``ToolUse.plain`` gives them, by the tool's name; all of them or those of one tool."""
    found: dict[str, list[dict[str, Any]]] = {}
    for call in calls:
        if name is None or call["name"] == name:
            found.setdefault(call["name"], []).append(dict(call))
    return found


def calls_by_tool(trial: Trial, name: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """The calls of a trial by the tool's name, all of them or those of one tool, as JSON values.

    Those of its trajectories (as far as their references name them), else those that the answer told of, whose ``step``
    and ``result_count`` are unknown.
    """
    calls = [call for reference in trial.trajectories for call in reference.calls]
    if not calls:
        told = (ToolUse(str(call.name), call.args, None, query_of(call.args)) for call in trial.tool_calls)
        calls = [use.plain() for use in told]
    return by_name(calls, name)


def is_web_search(name: str) -> bool:
    """Whether a tool of this name searches the web, as far as its name tells."""
    folded = re.sub(r"(?<=[a-z])(?=[A-Z])|[\s.:/-]+", "_", name).lower()
    return bool(_SEARCH.search(folded))


def query_of(arguments: Any) -> str | None:
    """What a call looked for."""
    given = mapping_of(arguments)
    for name in _QUERY:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return value[:LONGEST_QUERY]
        if is_list(value) and value:
            return "; ".join(text_of(item) for item in value[:20])[:LONGEST_QUERY]
    texts = [value for value in given.values() if isinstance(value, str) and value.strip()]
    return texts[0][:LONGEST_QUERY] if len(texts) == 1 else None


def result_count(results: Iterable[Result]) -> int | None:
    """How many results the answers to one call hold; ``None`` where they do not tell."""
    counts = [number for result in results if (number := _count(result)) is not None]
    return sum(counts) if counts else None


def _count(result: Result) -> int | None:
    value = _value(result)
    for name in _NUMBER:
        stated = count_of(result.extra.get(name))
        if stated is not None:
            return stated
    if isinstance(value, list):
        return len(value)
    if not isinstance(value, Mapping):
        return None
    lists = (value[name] for name in _FOUND if isinstance(value.get(name), list))
    held = next(lists, None)
    if held is not None:
        return len(held)
    return next((number for name in _NUMBER if (number := count_of(value.get(name))) is not None), None)


def error_of(result: Result) -> str:
    """What a result says went wrong, in a line; empty when it says nothing of the kind.

    It does so by ``is_error`` or ``error`` in its extra or its content, a status that says so, or a text that begins
    with "Error", "Exception", "Failed:" or a traceback.
    """
    value = _value(result)
    for said in (result.extra, mapping_of(value)):
        error = said.get("error")
        if error not in (None, False, "", 0, [], {}):
            return one_line(error if error is not True else result.text) or "error"
        if said.get("is_error") is True or said.get("isError") is True:
            return one_line(result.text) or "error"
        if isinstance(status := said.get("status"), str) and status.lower() in ("error", "failed", "failure"):
            return one_line(result.text) or "error"
    return one_line(result.text) if isinstance(value, str) and _TEXT_ERROR.match(value) else ""


def _value(result: Result) -> Any:
    """The content as JSON, where it is that; else as text."""
    text = result.text
    if text[:1] in ("[", "{") or text[:1].isspace():
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text
