"""The target of a suite: its forms, and the environment variables in them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..model.case import TargetKind, TargetSpec
from ..model.text import one_line
from .environment import Environment
from .modeltarget import MODEL_KEYS, read_model
from .reading import Reading
from .remote import read_command, read_http
from .scalars import names_callable, text
from .tree import LOST, Map, Node, is_null, quoted, said

_FORMS = (
    "write 'package.module:callable', 'file.py:callable', 'echo', {fixture: name}, {responses: file}, "
    "{http: {url: …}}, {command: [program, …]} or {model: provider/name}"
)
_KINDS: dict[str, TargetKind] = {
    "fixture": "fixture",
    "responses": "responses",
    "http": "http",
    "command": "command",
}
_SERVER = "for a server write {http: {url: http://…, body: {question: '{{ input }}'}, output: answer}}"


def read_target(r: Reading, root: Map, environment: Mapping[str, str] = os.environ) -> TargetSpec:
    """The target of a file; one that fits nothing after a mistake."""
    base = r.source.path.absolute().parent
    if "target" not in root or is_null(root["target"]):
        if root.get("target") is not LOST:
            r.report(root.spot("target"), f"the suite names no target; {_FORMS}")
        return TargetSpec("echo", "", base)
    node: Node = root["target"]
    place = r.source.place(root.spot("target"))
    if isinstance(node, Map):
        return _keyed(r, node, Environment(r, environment), TargetSpec("echo", "", base, place))
    if isinstance(node, str):
        kind, value = _written(r, root, Environment(r, environment))
    else:
        r.wrong(root, "target", f"a target cannot be {said(node)}; {_FORMS}")
        kind, value = "echo", ""
    return TargetSpec(kind, value, base, place)


def _written(r: Reading, root: Map, env: Environment) -> tuple[TargetKind, str]:
    before = r.count
    as_written = text(r, root, "target", root["target"], prose=False) or ""
    value = env.expand(root, "target", as_written).strip()
    if value == "echo" or r.count > before:
        return "echo", ""
    if names_callable(value):
        return "callable", value
    cure = _SERVER if value.startswith(("http://", "https://")) else _FORMS
    r.wrong(root, "target", f"target {quoted(value)} is none that is known; {cure}")
    return "echo", ""


def _keyed(r: Reading, node: Map, env: Environment, unread: TargetSpec) -> TargetSpec:
    if "model" in node or (len(node) > 1 and set(node) <= set(MODEL_KEYS)):
        model = read_model(r, node, env)
        return replace(unread, kind="model", value=model.name, options=model) if model else unread
    if len(node) != 1:
        r.report(node.at, f"a target has one key, here are {len(node)}; {_FORMS}")
        return unread
    key = next(iter(node))
    kind = _KINDS.get(key)
    if kind is None:
        r.unknown_key(node, key, (*_KINDS, "model"), what="kind of target")
        return unread
    if kind in ("fixture", "responses"):
        # the kind is kept after a mistake: with recorded answers cases need no input
        return replace(unread, kind=kind, value=_named(r, node, kind, unread.base, env))
    read = read_http(r, node, env) if kind == "http" else read_command(r, node, env)
    return replace(unread, kind=kind, value=read[0], options=read[1]) if read else unread


def _named(r: Reading, node: Map, kind: str, base: Path, env: Environment) -> str:
    before = r.count
    value = env.expand(node, kind, text(r, node, kind, node[kind], prose=False) or "")
    if r.count > before or node[kind] is LOST:
        return value
    if not value.strip():
        r.wrong(node, kind, f"{kind} is blank; give the name of a {'fixture' if kind == 'fixture' else 'file'}")
    elif kind == "fixture" and not value.isidentifier():
        r.wrong(node, kind, f"{quoted(value)} cannot be the name of a fixture")
    elif kind == "responses" and not _is_file(base / value):
        tried = one_line(os.path.normpath(base / value), 300)
        r.wrong(node, kind, f"there is no file {tried}; paths in a suite start at its folder")
    return value


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
