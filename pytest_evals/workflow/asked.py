"""What a case was asked and by whom, as hashes: an answer is taken over only where all of it is the same by content."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import inspect
import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..model.wire import plain

if TYPE_CHECKING:
    from ..model.case import Case, TargetSpec, Variant

_DIGITS = 12
"""Of each hash: enough to tell a few configurations from each other, short enough to stand in every result."""

_NOT_CONTENT = frozenset({"api_key", "secrets"})
"""A key that was changed asks nothing else."""


def question_hash(case: Case) -> str:
    """Of what the target is given: input and context."""
    played = [] if case.user is None else [case.user.definition]
    return _hash([case.input, case.context, *played])


def judge_hash(case: Case) -> str:
    """Of the models that judge its answers."""
    return _hash(_content(case.judges))


def target_hash(spec: TargetSpec, variant: Variant | None, function: Any = None) -> str:
    """Of the application as far as a suite says what it is: its settings, the variant, the files that are named.

    ``function`` is the application's own function, fixture or class, when there is one: the file it is written in
    counts with its content. What that file imports does not.
    """
    known = [spec.kind, spec.value, _content(spec.options), None if variant is None else variant.given()]
    return _hash([*known, *(_file(path) for path in _files(spec, function))])


class AskedHashes:
    """What cases were asked, by whom and who judges, each part computed once."""

    def __init__(self) -> None:
        self._targets: dict[Hashable, str] = {}
        self._judges: dict[int, str] = {}

    def of(self, case: Case, key: Hashable, target: Callable[[], str]) -> str:
        """Hashes of the question, the target and the judge. ``target`` computes the one of the target of that key."""
        if key not in self._targets:
            self._targets[key] = target()
        judge = self._judges.get(id(case.judges))
        if judge is None:  # cases share the judges of their suite, which live as long as they do
            judge = self._judges[id(case.judges)] = judge_hash(case)
        return f"{question_hash(case)}.{self._targets[key]}.{judge}"


def _files(spec: TargetSpec, function: Any) -> Iterator[Path]:
    """The files that make the target."""
    if function is not None:
        while isinstance(function, functools.partial):
            function = function.func
        source = None
        for place in (function, type(function)):
            try:
                source = inspect.getsourcefile(inspect.unwrap(place))
            except TypeError:  # an object, or something built in
                continue
            break
        if source:
            yield Path(source)
    elif spec.kind == "responses":
        yield spec.base / spec.value
    for word in getattr(spec.options, "argv", ()):
        yield spec.base / word


def _file(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):  # a word of a command that is no file
        return ""


def _content(value: Any) -> Any:
    """The value without what says nothing of it: places in files, keys."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f for f in dataclasses.fields(value) if f.compare and f.name not in _NOT_CONTENT]
        # of headers the names: their values are mostly keys
        return {f.name: sorted(getattr(value, f.name)) if f.name == "headers" else _content(getattr(value, f.name))
                for f in fields}  # fmt: skip
    if isinstance(value, Mapping):
        return {key: _content(item) for key, item in value.items()}
    return [_content(item) for item in value] if isinstance(value, (list, tuple)) else value


def _hash(value: Any) -> str:
    text = json.dumps(plain(value), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
