"""``json_path``: chosen fields of a JSON answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.fieldpath import FieldPath, read_path
from ..model.score import Score
from .builtin import Asked, count, define, expected_option, named
from .jsoncompare import Difference, How, shown
from .jsonvalue import NotJsonError, json_of, read_json
from .structure import (
    EXTRACT,
    RELATIVE_TOLERANCE,
    SUBSET,
    TOLERANCE,
    UNORDERED,
    answer_of,
    compare,
    how_of,
    not_json,
    told,
)

ALL = "[*]"


@dataclass(frozen=True, slots=True)
class Path:
    """The way to a value, or with ``[*]`` to a value in each item of a list."""

    text: str
    steps: tuple[FieldPath, ...]
    """Between them stands ``[*]``."""

    def find(self, value: Any) -> Any:
        """What is there; a list where the path has ``[*]``. Raises ``LookupError`` that says what is there instead."""
        return self._find(value, 0)

    def _find(self, value: Any, number: int) -> Any:
        found = self.steps[number].find(value)
        if number + 1 == len(self.steps):
            return found
        if not isinstance(found, list):
            raise LookupError(f"{shown(found)} is no list, which [*] asks for")
        values = [self._find(item, number + 1) for item in found]
        # [*] inside [*] gives one list, not a list of lists
        return [part for inner in values for part in inner] if number + 2 < len(self.steps) else values


@lru_cache(maxsize=1000)
def path_of(text: str) -> Path:
    """The path a text writes. Raises ``ValueError`` when it is none."""
    text = text.strip()
    pieces = text.split(ALL)
    if not text:
        raise ValueError("the path is empty; '$' is the whole answer")
    steps = []
    for number, piece in enumerate(pieces):
        start = "$" + piece if number or not piece else piece
        step = read_path(start)
        if "*" in step.parts or any(part.startswith("?") for part in step.parts):
            raise ValueError(f"{text!r} has more than a path: of wildcards there is '[*]', for all items of a list")
        steps.append(step)
    return Path(text, tuple(steps))


def _wanted(asked: Asked) -> dict[str, Any]:
    """The expected value by path."""
    if asked.options["fields"] is not None:
        return {path: _json(value) for path, value in asked.options["fields"].items()}
    return {asked.options["path"]: _json(asked.expected)}


def _json(value: Any) -> Any:
    try:
        return json_of(value)
    except NotJsonError as error:
        raise ScorerError(f"the expectation is not JSON: {error}") from None


def json_path(asked: Asked) -> Score:
    wanted = _wanted(asked)
    try:
        answer = answer_of(asked)
    except NotJsonError as error:
        return Score(0.0, not_json(asked, error).reason)
    how, wrong, values = how_of(asked), [], {}
    written = asked.options["path"] if "expected" not in asked.given else None
    for path, value in wanted.items():
        try:
            values[path] = path_of(path).find(answer.value)
        except LookupError as error:
            wrong.append(f"{path}: {error}")
            continue
        except ValueError as error:
            raise ScorerError(f"json_path: {error}") from None
        found = _field(values[path], value, how, written == path)
        wrong += [difference.told(path) for difference in found[:1]]
    right = len(wanted) - len(wrong)
    detail = {"right": right, "fields": len(wanted), "values": {path: shown(v, 100) for path, v in values.items()}}
    if not wrong:
        return Score(1.0, f"{_as_expected(wanted)}{answer.note}", detail)
    share = f"{right} of {count(len(wanted), 'field')} right: " if len(wanted) > 1 else ""
    return Score(right / len(wanted), share + told(wrong) + answer.note, detail)


def _field(actual: Any, expected: Any, how: How, is_text: bool) -> list[Difference]:
    """The differences of one field. The case's expected output is a text even where it is a number: both are right."""
    found = compare(actual, expected, how)
    if found and is_text and isinstance(expected, str):
        try:
            value = read_json(expected)
        except NotJsonError:
            return found
        return compare(actual, value, how)
    return found


def _as_expected(wanted: Mapping[str, Any]) -> str:
    if len(wanted) > 1:
        return f"{count(len(wanted), 'field')} as expected"
    [(path, value)] = wanted.items()
    return f"{path} is {shown(value)}"


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    fields, path = options.get("fields"), options.get("path")
    if (fields is None) == (path is None):
        return ["give path, or fields: a mapping of paths to what is expected there"]
    if fields is not None and not (isinstance(fields, Mapping) and fields):
        return ["fields must be a mapping of paths to what is expected there: {$.answer: 42}"]
    if "expected" in options and path is None:
        return ["expected is what path should lead to; fields have their own"]
    found = []
    for text in [*([path] if path is not None else []), *(fields or ())]:
        try:
            path_of(str(text))
        except ValueError as error:
            found.append(str(error))
    return found


SCORERS = named(
    define(
        "json_path",
        json_path,
        Option("path", "text", "Where the value is: `answer`, `$.items[0].name`; `[*]` for all items of a list."),
        expected_option("json", "What is expected at the path; default: the case's expected output."),
        Option("fields", "json", "Several paths, each with what is expected there."),
        EXTRACT,
        TOLERANCE,
        RELATIVE_TOLERANCE,
        UNORDERED,
        SUBSET,
        graded=True,
        mark=1,
        main="path",
        needs=("expected_output",),
        instead=("expected", "fields"),
        check=_check,
    ),
)
