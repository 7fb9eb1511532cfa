"""``yaml_valid``: whether an answer is YAML with something in it. Only its events are read: nothing is built of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..model.criterion import Option
from ..model.score import Score
from ..model.text import one_line
from .builtin import Asked, count, define, named
from .jsonvalue import DEEPEST
from .syntax import EXTRACT_CODE, code, fence_hint

_TAG = "tag:yaml.org,2002:"
_TAGS = {
    "!",
    *(
        _TAG + name
        for name in ("str", "int", "float", "bool", "null", "seq", "map", "set", "omap", "pairs", "binary", "timestamp")
    ),
}


class _NotYamlError(Exception):
    pass


@dataclass(slots=True)
class _Box:
    """A mapping or list that is being read."""

    is_mapping: bool
    keys: set[str] = field(default_factory=set)
    at_key: bool = True


def yaml_valid(asked: Asked) -> Score:
    # suite/ owns PyYAML, but packages of one floor do not know each other; 30 ms: only when used
    import yaml

    text = code(asked, "yaml", "yml")
    if not text:
        return Score(False, "the answer is empty")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        kinds = _documents(yaml.parse(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        place = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        problem = one_line(error.problem or error.context or "error", 120)
        return Score(False, f"not YAML: {problem}{place}{fence_hint(asked, 'yaml', 'yml')}")
    except _NotYamlError as error:
        return Score(False, f"not YAML: {error}")
    except (yaml.YAMLError, ValueError) as error:  # control characters, lone surrogates
        return Score(False, f"not YAML: {one_line(str(error), 120)}")
    except RecursionError:
        return Score(False, "not YAML: it is nested too deep")
    if "text" in kinds and not asked.options["scalar"]:
        return Score(False, "a plain text, which is YAML only by name; `scalar: true` accepts it")
    told = f"a {kinds[0]}" if len(kinds) == 1 else count(len(kinds), "document")
    return Score(bool(kinds), f"YAML: {told}" if kinds else "no document in it")


def _documents(events: Iterable[Any]) -> list[str]:
    """What each document is: a mapping, a list or a text. Raises for what the grammar lets through."""
    import yaml

    kinds: list[str] = []
    boxes: list[_Box] = []
    anchors: set[str] = set()
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            anchors = set()
        elif isinstance(event, yaml.NodeEvent):
            node: Any = event  # its subclasses differ in what they have, and the stubs know less than that
            line = node.start_mark.line + 1
            if isinstance(event, yaml.AliasEvent):
                if event.anchor not in anchors:
                    raise _NotYamlError(f"the alias *{one_line(event.anchor, 40)} at line {line} names no anchor")
            else:
                _check_tag(node.tag, line)
                if node.anchor is not None:
                    anchors.add(node.anchor)
            if not boxes:
                kinds.append("mapping" if isinstance(event, yaml.MappingStartEvent) else _kind(event, yaml))
            elif boxes[-1].is_mapping:
                _count_key(boxes[-1], event, line, yaml)
            if isinstance(event, yaml.CollectionStartEvent):
                boxes.append(_Box(isinstance(event, yaml.MappingStartEvent)))
                if len(boxes) > DEEPEST:
                    raise _NotYamlError(f"it is nested deeper than {DEEPEST} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            boxes.pop()
    return kinds


def _kind(event: Any, yaml: Any) -> str:
    return "list" if isinstance(event, yaml.SequenceStartEvent) else "text"


def _check_tag(tag: str | None, line: int) -> None:
    if tag is not None and tag not in _TAGS:
        shown = "!!" + tag.removeprefix(_TAG) if tag.startswith(_TAG) else tag
        raise _NotYamlError(f"the tag {one_line(shown, 40)} at line {line}, which only its own program knows")


def _count_key(box: _Box, event: Any, line: int, yaml: Any) -> None:
    """Note a key, which must not be there already; a value that follows one changes nothing."""
    if box.at_key and isinstance(event, yaml.ScalarEvent) and event.value != "<<":
        if event.value in box.keys:
            raise _NotYamlError(f"the key '{one_line(event.value, 40)}' is there twice in one mapping, at line {line}")
        box.keys.add(event.value)
    box.at_key = not box.at_key


SCORERS = named(
    define(
        "yaml_valid",
        yaml_valid,
        EXTRACT_CODE,
        Option("scalar", "boolean", "Whether a text or number alone is enough; any prose is one.", default=False),
        graded=False,
        main="extract",
    ),
)
