"""A model as the target, as a suite writes it: ``{model: anthropic/claude-haiku-5-5, system: …, max_tokens: 500}``.

What a provider takes of it is checked where the providers are known, after this.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from ..model.case import Suite
from ..model.llm import Endpoint, ModelSpec, Tool
from ..model.messages import messages_of
from .documents import read_document
from .environment import Environment
from .reading import Reading
from .scalars import json_value, number, text, texts, words
from .tree import LOST, Map, Node, Seq, is_null, quoted, said

MODEL_KEYS = (
    *("model", "system", "max_tokens", "temperature", "top_p", "seed", "stop", "tools", "tool_choice", "schema"),
    *("base_url", "api_key", "extra"),
)
"""Keys of a model target."""

TOOL_KEYS = ("name", "description", "parameters")

CHOICES = ("auto", "any", "none")
"""Values of ``tool_choice`` that are no tool's name."""

_PROVIDER = re.compile(r"[a-z][\w.-]*", re.ASCII)
_MODEL = "write provider/name, such as anthropic/claude-haiku-5-5"


def read_model(
    r: Reading, node: Map, env: Environment, keys: tuple[str, ...] = MODEL_KEYS, what: str = "model target"
) -> ModelSpec | None:
    """The model and its settings. ``None`` after a mistake."""
    before = r.count
    for key in node:
        if key not in keys:
            hint = "; it belongs in a case or in 'defaults'" if key == "prompt" and keys is MODEL_KEYS else ""
            r.unknown_key(node, key, keys, hint, what=f"key of a {what}")
    provider, model = _name(r, node, env, what)
    tools = _tools(r, node) if "tools" in node else ()
    spec = ModelSpec(
        endpoint=Endpoint(provider, _base_url(r, node, env), _api_key(r, node, env)),
        model=model,
        system=_given(r, node, "system", text) or "",
        max_tokens=_number(r, node, "max_tokens", least=1, whole=True),
        temperature=_number(r, node, "temperature", least=0, most=2),
        top_p=_number(r, node, "top_p", least=0, most=1),
        seed=_number(r, node, "seed", whole=True),
        stop=_stop(r, node),
        tools=tools,
        tool_choice=_tool_choice(r, node, tools),
        schema=_mapping(r, node, "schema"),
        extra=_extra(r, node),
        places={key: r.source.place(node.spot(key)) for key in node},
    )
    return spec if r.count == before else None


def _given(r: Reading, node: Map, key: str, read: Callable[[Reading, Map, str, Node], Any]) -> Any:
    return read(r, node, key, node[key]) if key in node and not is_null(node[key]) else None


def model_name(name: str) -> tuple[str, str] | None:
    """Provider and model of ``provider/name``; ``None`` when it is not written so."""
    provider, slash, model = name.partition("/")
    return (provider, model) if slash and model.strip() and _PROVIDER.fullmatch(provider) else None


def _name(r: Reading, node: Map, env: Environment, what: str) -> tuple[str, str]:
    if "model" not in node:
        r.report(node.at, f"a {what} needs a 'model'; {_MODEL}")
        return "", ""
    before = r.count
    written = words(r, node, "model", node["model"]) or ""
    name = env.expand(node, "model", written).strip()
    found = model_name(name)
    if r.count == before and found is None:
        r.wrong(node, "model", f"{quoted(name) if name else 'a blank text'} names no model; {_MODEL}")
    return found or ("", "")


def _base_url(r: Reading, node: Map, env: Environment) -> str:
    before = r.count
    written = _given(r, node, "base_url", words) or ""
    url = env.expand(node, "base_url", written).strip().rstrip("/")
    if url and r.count == before:
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            good = False
        if not good:
            r.wrong(node, "base_url", f"{quoted(env.shown(written))} is no url of a server; write http://host:port/v1")
        elif parts.username or parts.password:
            r.wrong(node, "base_url", "a key does not belong into an address; write api_key: ${NAME}")
    return url


def _api_key(r: Reading, node: Map, env: Environment) -> str:
    before, inserted = r.count, len(env.inserted)
    key = env.expand(node, "api_key", _given(r, node, "api_key", words) or "").strip()
    if key and r.count == before and len(env.inserted) == inserted:
        r.wrong(node, "api_key", "a key does not belong into a file; write api_key: ${NAME_OF_A_VARIABLE}")
    return key


def _number(r: Reading, node: Map, key: str, **bounds: Any) -> Any:
    return _given(r, node, key, lambda r, box, key, value: number(r, box, key, value, **bounds))


def _stop(r: Reading, node: Map) -> tuple[str, ...]:
    """One text or a list of them."""
    value: Node = node.get("stop", LOST)
    if isinstance(value, Seq):
        found = texts(r, node, "stop", value)
    else:
        one = _given(r, node, "stop", text)
        found = () if one is None else (one,)
    if "" in found:
        r.wrong(node, "stop", "an empty text ends every reply at once")
    return found


def _mapping(r: Reading, node: Map, key: str) -> Any:
    """A JSON value that is a mapping, or the name of a file with one."""
    value = _given(r, node, key, read_document)
    if value is not None and not isinstance(value, dict):
        r.wrong(node, key, f"{key} must be a mapping, or the name of a file with one, not {said(node[key])}")
        return None
    return value


def _extra(r: Reading, node: Map) -> dict[str, Any]:
    value = _given(r, node, "extra", json_value)
    if value is not None and not isinstance(value, dict):
        r.wrong(node, "extra", f"extra must be a mapping, not {said(node['extra'])}")
    return value if isinstance(value, dict) else {}


def _tools(r: Reading, node: Map) -> tuple[Tool, ...]:
    listed: Node = node["tools"]
    if is_null(listed):
        return ()
    if not isinstance(listed, Seq):
        r.wrong(node, "tools", f"tools must be a list, not {said(listed)}; write [{{name: …, parameters: {{…}}}}]")
        return ()
    found: dict[str, Tool] = {}
    for index, part in enumerate(listed):
        if not isinstance(part, Map):
            r.wrong(listed, index, f"a tool is a mapping with a 'name' and 'parameters', not {said(part)}")
            continue
        for key in part:
            if key not in TOOL_KEYS:
                hint = "; did you mean 'parameters'?" if key == "input_schema" else ""
                r.unknown_key(part, key, TOOL_KEYS, hint)
        name = _given(r, part, "name", words)
        if name is None and part.get("name") is not LOST:
            r.report(part.at, "a tool needs a 'name'")
            continue
        if name in found:
            r.report(part.spot("name"), f"a second tool of the name {quoted(name)}")
        parameters = _mapping(r, part, "parameters")
        described = {} if parameters is None else {"parameters": parameters}
        found[name or ""] = Tool(name or "", _given(r, part, "description", text) or "", **described)
    return tuple(found.values())


def _tool_choice(r: Reading, node: Map, tools: tuple[Tool, ...]) -> str:
    choice: str = _given(r, node, "tool_choice", words) or ""
    names = [tool.name for tool in tools]
    if choice and not names:
        r.report(node.spot("tool_choice"), "there are no tools to choose from; add 'tools'")
    elif choice and choice not in (*CHOICES, *names):
        known = ", ".join((*CHOICES, *names))
        r.wrong(node, "tool_choice", f"tool_choice is {quoted(choice)}; it can be {known}")
    return choice


def check_messages(r: Reading, suite: Suite) -> None:
    """Note the cases whose input looks like messages but could not be sent to a model as such."""
    configurations = suite.variants or (None,)
    asked = [v for v in configurations if (suite.target if v is None else v.target).kind == "model"]
    if not asked:
        return
    for case in suite.cases:
        for variant in asked:
            sent = case if variant is None else variant.of(case)
            try:
                messages_of(sent.input)
            except ValueError as error:
                if case.place is not None:
                    r.add(case.place, str(error))
