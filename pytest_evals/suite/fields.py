"""The keys of a case and of ``defaults``: what each may hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

from ..model.place import did_you_mean
from ..model.response import ToolCall
from ..model.trials import DEFAULT_PASS_IF, MOST_TRIALS, PASS_IF_IS, WORDS, read_pass_if
from .core import core
from .criteria import read_criteria
from .filling import TEMPLATED, put_off, varies
from .prompts import read_prompt
from .reading import Reading
from .scalars import boolean, duration, is_yes_or_no, json_value, number, text, text_or_json, texts, words
from .tags import read_tags
from .tree import LOST, Cut, Map, Node, Plain, Seq, is_null, said
from .user import read_user

SKIP_REASON = "skipped in the suite file"
XFAIL_REASON = "expected to fail"

STATUSES = ("draft", "accepted")
"""Of a case: a draft runs, but no gate counts it and it fails no session."""

Field = Callable[[Reading, Map, str, Node], Any]


def read_fields(
    r: Reading,
    node: Map,
    known: Mapping[str, Field],
    hint: Callable[[str], str],
    skip: Collection[str] = (),
    *,
    later: bool = False,
) -> dict[str, Any]:
    """The values under the known keys of a mapping; other keys are mistakes, except those to skip.

    ``later``: they hold for many cases, so that templates among them are read for each.
    """
    given: dict[str, Any] = {}
    for key, value in node.items():
        field = known.get(key)
        if key in skip:
            continue
        if field is None:
            r.unknown_key(node, key, known, hint(key))
        elif later and key in TEMPLATED and varies(r, value):
            given[key] = put_off(r, node, key, field)
        else:
            given[key] = field(r, node, key, value)
    return given


def _id(r: Reading, box: Map, key: str, node: Node) -> str | None:
    value = text(r, box, key, node, prose=False) if node is not LOST else None
    if (value is None and is_null(node)) or (value is not None and not value.strip()):
        r.wrong(box, key, "id is blank; give one, or leave the key out to have it made from the name")
        return None
    return value


def _text(r: Reading, box: Map, key: str, node: Node) -> str:
    return text(r, box, key, node) or ""


def _threshold(r: Reading, box: Map, key: str, node: Node) -> float | Literal["unset"] | None:
    if is_null(node):
        return None
    if isinstance(node, str) and node == "unset":
        return "unset"
    # after a mistake `warn` is not compared with it: infinity is above every `warn`
    return float(number(r, box, key, node, least=0, most=1, also=" or the word unset", stand_in=math.inf))


def _warn(r: Reading, box: Map, key: str, node: Node) -> float | None:
    value = None if is_null(node) else number(r, box, key, node, least=0, most=1)
    return None if value is None else float(value)


def _retries(r: Reading, box: Map, key: str, node: Node) -> int:
    return int(number(r, box, key, node, least=0, whole=True, stand_in=0))


def _trials(r: Reading, box: Map, key: str, node: Node) -> int:
    return int(number(r, box, key, node, least=1, most=MOST_TRIALS, whole=True, stand_in=1))


def _pass_if(r: Reading, box: Map, key: str, node: Node) -> str:
    said_ = words(r, box, key, node)
    if not said_:
        if is_null(node):
            r.wrong(box, key, f"pass_if is blank; it {PASS_IF_IS}")
        return DEFAULT_PASS_IF
    try:
        return read_pass_if(said_)
    except ValueError as error:
        r.wrong(box, key, f"pass_if {error}{did_you_mean(said_, WORDS)}")
        return DEFAULT_PASS_IF


def _mapping(r: Reading, box: Map, key: str, node: Node) -> dict[str, Any]:
    if isinstance(node, Map):
        return json_value(r, box, key, node)  # type: ignore[no-any-return]
    if not is_null(node):
        r.wrong(box, key, f"{key} must be a mapping, not {said(node)}")
    return {}


def _tool_calls(r: Reading, box: Map, key: str, node: Node) -> tuple[ToolCall, ...] | None:
    if is_null(node):
        return None
    if not isinstance(node, Seq):
        r.wrong(box, key, f"{key} must be a list, not {said(node)}; write [{{name: a_tool, args: {{…}}}}]")
        return ()
    calls = []
    for index, part in enumerate(node):
        if not isinstance(part, Map):
            r.wrong(node, index, f"a tool call is a mapping with 'name' and, if they matter, 'args', not {said(part)}")
            continue
        for name in part:
            if name not in ("name", "args"):
                r.unknown_key(part, name, ("name", "args"))
        tool = words(r, part, "name", part["name"]) if "name" in part else None
        if tool is None and ("name" not in part or is_null(part["name"])):
            r.report(part.at, "a tool call needs the 'name' of the tool")
        calls.append(ToolCall(tool or "", json_value(r, part, "args", part["args"]) if "args" in part else None))
    return tuple(calls)


def _status(r: Reading, box: Map, key: str, node: Node) -> str:
    said_ = words(r, box, key, node)
    if said_ not in (None, *STATUSES):
        r.wrong(box, key, f"status is {said(node)}; it can be {' or '.join(STATUSES)}{did_you_mean(said_, STATUSES)}")
    return said_ or STATUSES[-1]


def _reason(usual: str) -> Field:
    def reason(r: Reading, box: Map, key: str, node: Node) -> str | None:
        value = core(node) if isinstance(node, Plain) else node
        if value is None or value is False:
            return None
        if value is True:
            return usual
        if not isinstance(value, str) or is_yes_or_no(value):
            r.wrong(box, key, f"{key} must be a reason, true or false, not {said(node)}")
            return None
        if isinstance(node, Cut):
            r.cut(box, key)
        return value if value.strip() else usual

    return reason


DEFAULT_FIELDS: dict[str, Field] = {
    "category": words,
    "tags": read_tags,
    "context": text_or_json,
    "expected_output": text_or_json,
    "reference_outputs": texts,
    "expected_tool_calls": _tool_calls,
    "criteria": read_criteria,
    "inherit_criteria": boolean,
    "threshold": _threshold,
    "warn": _warn,
    "timeout": duration,
    "retries": _retries,
    "trials": _trials,
    "pass_if": _pass_if,
    "metadata": _mapping,
    "vars": _mapping,
    "prompt": read_prompt,
    "user": read_user,
    "skip": _reason(SKIP_REASON),
    "xfail": _reason(XFAIL_REASON),
    "status": _status,
}
"""The keys of ``defaults``."""

CASE_FIELDS: dict[str, Field] = {"id": _id, "name": _text, "input": text_or_json, **DEFAULT_FIELDS}
"""The keys of a case."""
