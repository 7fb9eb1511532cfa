"""Scoring in Python, without a suite file: ``score("levenshtein", "hallo", "hello").value``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import ScorerError
from ..model.embedding import Embedder
from ..model.place import did_you_mean
from ..model.response import Response
from ..model.score import Score, as_score
from ..model.text import one_line
from . import names, scorer
from .builtin import texts
from .check import problems
from .jsonvalue import NotJsonError, json_of, read_json

_CALLS = ("expected_tool_calls",)


def score(
    name: str,
    actual: Any,
    expected: Any = None,
    references: Sequence[str] | str = (),
    *,
    embedder: Embedder | None = None,
    **options: Any,
) -> Score:
    """Score one answer with a built-in scorer.

    ``expected`` is what is looked for: for ``regex``, which has no use for an expected text, it is the pattern; for
    ``tool_calls`` the calls. In the place of the answer may stand a ``Response``, which ``tool_calls``, ``latency``,
    ``cost`` and ``tokens`` ask for. ``embedder`` makes vectors for ``embedding_similarity``; default: a local model.
    Raises ``ScorerError`` for an unknown scorer or option, a wrong value, or when there is nothing to look for.
    """
    known = names()
    if name not in known:
        raise ScorerError(f"there is no built-in scorer {name!r}{did_you_mean(str(name), known)}")
    called = scorer(name)
    spec = called.spec
    given = {option: value for option, value in options.items() if value is not None}
    if expected is not None and spec.main and ((spec.main in spec.requires and not spec.needs) or spec.needs == _CALLS):
        given.setdefault(spec.main, expected)
    for option in spec.options:
        if option.kind == "document" and isinstance(given.get(option.name), str):
            given[option.name] = read_document(given[option.name])
    found = problems(spec, given)
    if found:
        raise ScorerError("; ".join(found))
    if embedder is not None:
        with_embedder = getattr(called, "with_embedder", None)
        if with_embedder is None:
            raise ScorerError(f"{name} asks no embedder")
        called = with_embedder(embedder)
    response = actual if isinstance(actual, Response) else None
    if response is not None:
        actual = response.output
    return as_score(called.answer(actual, expected, texts(references), given, response=response), name)


def read_document(name: str) -> Any:
    """The value in a JSON or YAML file. Raises ``ScorerError``."""
    path = Path(name)
    try:
        text = path.read_text("utf-8-sig")
        if path.suffix.lower() == ".json":
            return read_json(text)
        from yaml import YAMLError, safe_load  # 30 ms: only when used

        try:
            return json_of(safe_load(text))
        except YAMLError as error:
            raise NotJsonError(one_line(error, 200)) from None
    except (OSError, ValueError) as error:
        raise ScorerError(f"{name} cannot be read: {error}") from None
