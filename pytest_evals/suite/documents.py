"""An option that is a JSON value, or the name of a JSON or YAML file that holds it, relative to the suite."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from ..errors import SuiteError
from .jsontree import read_json
from .reading import Reading
from .scalars import json_value, text
from .source import load
from .tree import Map, Node, Seq, is_null
from .yamlerrors import read_yaml


def read_document(r: Reading, box: Map, key: str, node: Node) -> Any:
    """The value, from its file if it is in one; ``None`` after a mistake, which is noted where it stands."""
    if not isinstance(node, str) or (not is_null(node) and str(node) in ("true", "false")):
        return json_value(r, box, key, node)
    name = text(r, box, key, node, prose=False)
    if name is None or not name.strip():
        r.wrong(box, key, f"{key} is blank; give a mapping, or the name of a file")
        return None
    path = r.source.path.absolute().parent / name
    shown = name if PurePath(name).is_absolute() else (PurePath(r.source.shown).parent / name).as_posix()
    try:
        source = load(path, shown)
    except SuiteError as error:
        r.wrong(box, key, f"{key}: {error.problems[0].message}")
        return None
    inside = Reading(source)
    try:
        root = (read_json if path.suffix.lower() == ".json" else read_yaml)(source, inside.report)
        if root is None or is_null(root):
            inside.report(0, "the file is empty")
            value = None
        else:
            holder = Map(value=root)
            holder.at, holder.spots = 0, [root.at if isinstance(root, (Map, Seq)) else 0]
            value = json_value(inside, holder, "value", root)
        inside.finish()
    except SuiteError as error:
        for problem in inside.give_up(error).problems:
            r.add(problem.place, problem.message)
        return None
    return value
