"""The target of a suite: its forms, and the environment variables in them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..model.case import TargetKind, TargetSpec
from ..model.text import one_line
from .reading import Reading
from .scalars import text
from .tree import LOST, Map, Node, is_null, quoted, said

_FORMS = "write 'package.module:callable', 'file.py:callable', 'echo', {fixture: name} or {responses: file}"
_MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_VARIABLE = re.compile(r"\$\{(?:(?P<name>[A-Za-z_]\w*)(?P<given>:-(?P<default>[^}]*))?\})?", re.ASCII)


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
        kind, value = _keyed(r, node, base, environment)
    elif isinstance(node, str):
        kind, value = _written(r, root, environment)
    else:
        r.wrong(root, "target", f"a target cannot be {said(node)}; {_FORMS}")
        kind, value = "echo", ""
    return TargetSpec(kind, value, base, place)


def _written(r: Reading, root: Map, environment: Mapping[str, str]) -> tuple[TargetKind, str]:
    before = r.count
    as_written = text(r, root, "target", root["target"], prose=False) or ""
    value = _expanded(r, root, "target", as_written, environment).strip()
    if value == "echo" or r.count > before:
        return "echo", ""
    where, _, name = value.rpartition(":")
    if _MODULE.fullmatch(name) and (where.endswith(".py") or _MODULE.fullmatch(where)):
        return "callable", value
    r.wrong(root, "target", f"target {quoted(value)} is none that is known; {_FORMS}")
    return "echo", ""


def _keyed(r: Reading, node: Map, base: Path, environment: Mapping[str, str]) -> tuple[TargetKind, str]:
    if len(node) != 1:
        r.report(node.at, f"a target has one key, here are {len(node)}; {_FORMS}")
        return "echo", ""
    kind = next(iter(node))
    if kind not in ("fixture", "responses"):
        r.unknown_key(node, kind, ("fixture", "responses"), what="kind of target")
        return "echo", ""
    before = r.count
    value = _expanded(r, node, kind, text(r, node, kind, node[kind], prose=False) or "", environment)
    # the kind is kept after a mistake: with recorded answers cases need no input
    known: TargetKind = "fixture" if kind == "fixture" else "responses"
    if r.count > before or node[kind] is LOST:
        return known, value
    if not value.strip():
        r.wrong(node, kind, f"{kind} is blank; give the name of a {'fixture' if kind == 'fixture' else 'file'}")
    elif known == "fixture" and not value.isidentifier():
        r.wrong(node, kind, f"{quoted(value)} cannot be the name of a fixture")
    elif known == "responses" and not _is_file(base / value):
        tried = one_line(str(base / value), 300)
        r.wrong(node, kind, f"there is no file {tried}; paths in a suite start at its folder")
    return known, value


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _expanded(r: Reading, box: Map, key: str, value: str, environment: Mapping[str, str]) -> str:
    """The text with ``${NAME}`` and ``${NAME:-default}`` replaced, once: what is inserted is not looked at again."""

    def replaced(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            r.wrong(box, key, "a '${' that is not understood; write ${NAME} or ${NAME:-default}")
            return ""
        found = environment.get(name)
        if match["given"] is not None:
            return found or match["default"]
        if found is None:
            r.wrong(box, key, f"the environment variable {name} is not set; set it, or write ${{{name}:-default}}")
            return ""
        return found

    return _VARIABLE.sub(replaced, value)
