"""Single values: text as written, numbers, durations, JSON values.

Each function takes the container and the key or index that a value stands under, so that a mistake is found where it
is. After a mistake it returns a stand-in of the right type.
"""

from __future__ import annotations

import math
import re
from typing import Any

from .core import core
from .reading import Reading
from .tree import LOST, Cut, Map, MaybeCut, Node, Plain, Seq, is_null, quoted, said

_DURATION = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<unit>ms|s|m|h)?")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")

_LARGEST = 1e300  # whatever is counted, and integers beyond it do not fit a float

_YES_NO = frozenset({"yes", "no", "on", "off", "y", "n"})


def text(
    r: Reading, box: Map | Seq, key: str | int, node: Node, what: str | None = None, *, prose: bool = True
) -> str | None:
    """A text as it is written: ``no``, ``0123``, ``12:30`` are themselves. ``None`` when nothing is given.

    ``prose``: a `` # `` after it may as well belong to it as start a comment. In names it hardly does.
    """
    kind = node.__class__
    if kind is str:
        return node  # type: ignore[return-value]
    if not isinstance(node, str):
        r.wrong(box, key, f"{what or key} must be text, not {said(node)}")
        return None
    if node is LOST:
        return "lost"
    if kind is Cut or (kind is MaybeCut and prose):
        r.cut(box, key)
    return None if is_null(node) else str(node)


def words(r: Reading, box: Map, key: str, node: Node) -> str | None:
    """A name: a text that must not be blank."""
    value = text(r, box, key, node, prose=False)
    if value is not None and not value.strip():
        r.wrong(box, key, f"{key} is blank; give a text or leave the key out")
        return None
    return value


def text_or_json(r: Reading, box: Map | Seq, key: str | int, node: Node) -> Any:
    """A scalar as the text that it is, a mapping or list as a JSON value."""
    kind = node.__class__
    if kind is str:
        return node
    return json_value(r, box, key, node) if kind is Map or kind is Seq else text(r, box, key, node)


def json_value(r: Reading, box: Map | Seq, key: str | int, node: Node) -> Any:
    """Any JSON value; unquoted scalars have the types of YAML 1.2."""
    kind = node.__class__
    if kind is str:
        return node
    if kind is Map:
        assert isinstance(node, Map)
        return {name: json_value(r, node, name, part) for name, part in node.items()}
    if kind is Seq:
        assert isinstance(node, Seq)
        return [json_value(r, node, index, part) for index, part in enumerate(node)]
    value = core(node)  # type: ignore[arg-type]
    if (kind is Cut or kind is MaybeCut) and (value is None or value.__class__ is str):
        r.cut(box, key)
    if value.__class__ is float and not math.isfinite(value):
        r.wrong(box, key, f"{said(node)} is not a number that JSON can hold; quote it if it is a text")
    return value


def texts(r: Reading, box: Map, key: str, node: Node, *, prose: bool = True) -> tuple[str, ...]:
    """A list of texts."""
    if is_null(node):
        return ()
    if not isinstance(node, Seq):
        r.wrong(box, key, f"{key} must be a list of texts, not {said(node)}; write [{_sample(node)}]")
        return ()
    found = []
    for index, part in enumerate(node):
        value = text(r, node, index, part, f"each of {key}", prose=prose)
        if value is None and is_null(part):
            r.wrong(node, index, f"an empty place in {key}; write '\"\"' for the empty text, or remove it")
        if value is not None:
            found.append(value)
    return tuple(found)


def _sample(node: Node) -> str:
    return quoted(node, 30).strip("'") if isinstance(node, str) else "…"


def number(
    r: Reading,
    box: Map | Seq,
    key: str | int,
    node: Node,
    what: str | None = None,
    *,
    least: float | None = None,
    most: float | None = None,
    whole: bool = False,
    also: str = "",
    stand_in: float | None = None,
) -> Any:
    """A number within bounds; ``stand_in`` after a mistake."""
    value = core(node) if isinstance(node, Plain) else None
    if value.__class__ is int or value.__class__ is float:
        above = least is None or value >= least
        below = most is None or value <= most
        if abs(value) <= _LARGEST and above and below and (not whole or value == int(value)):
            return int(value) if whole else value
    kind = "a whole number" if whole else "a number"
    bounds = ""
    if least is not None and most is not None:
        bounds = f" from {least:g} to {most:g}"
    elif least is not None:
        bounds = f" of at least {least:g}"
    elif most is not None:
        bounds = f" of at most {most:g}"
    quotes = "; remove the quotes" if node.__class__ is str and isinstance(core(str(node)), (int, float)) else ""
    r.wrong(box, key, f"{what or key} must be {kind}{bounds}{also}, not {said(node)}{quotes}")
    return stand_in


def boolean(r: Reading, box: Map, key: str, node: Node) -> bool | None:
    """``true`` or ``false``; ``None`` after a mistake."""
    value = core(node) if isinstance(node, Plain) else None
    if value is True or value is False:
        return value
    r.wrong(box, key, f"{key} must be true or false, not {said(node)}")
    return None


def names_callable(value: str) -> bool:
    """Whether a text has the form ``package.module:name`` or ``file.py:name``."""
    where, _, name = value.rpartition(":")
    return bool(_DOTTED.fullmatch(name)) and (where.endswith(".py") or bool(_DOTTED.fullmatch(where)))


def is_yes_or_no(node: Node) -> bool:
    """Whether a text is one of those that YAML 1.1 took for true or false."""
    return isinstance(node, str) and node.lower() in _YES_NO


def duration(r: Reading, box: Map, key: str, node: Node) -> float | None:
    """A duration in seconds: ``30s``, ``500ms``, ``2m``, ``1h``; a number without a unit is seconds, 0 is no limit."""
    found = _DURATION.fullmatch(node.strip()) if isinstance(node, str) else None
    seconds = float(found["number"]) * _SECONDS[found["unit"]] if found else math.inf
    if not math.isfinite(seconds):
        r.wrong(box, key, f"{key} must be a duration such as 30s, 500ms or 2m (0 for no limit), not {said(node)}")
        return None
    return seconds
