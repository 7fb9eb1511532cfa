"""Scoring in Python, without a suite file: ``score("levenshtein", "hallo", "hello").value``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ScorerError
from ..model.place import did_you_mean
from ..model.score import Score, as_score
from . import names, scorer
from .builtin import texts
from .check import problems


def score(name: str, actual: Any, expected: Any = None, references: Sequence[str] | str = (), **options: Any) -> Score:
    """Score one answer with a built-in scorer.

    ``expected`` is what is looked for: for ``regex``, which has no use for an expected text, it is the pattern.
    Raises ``ScorerError`` for an unknown scorer or option, a wrong value, or when there is nothing to look for.
    """
    known = names()
    if name not in known:
        raise ScorerError(f"there is no built-in scorer {name!r}{did_you_mean(str(name), known)}")
    called = scorer(name)
    spec = called.spec
    given = {option: value for option, value in options.items() if value is not None}
    if expected is not None and spec.main in spec.requires and not spec.needs:
        given.setdefault(spec.main, expected)
    found = problems(spec, given)
    if found:
        raise ScorerError("; ".join(found))
    return as_score(called(actual, expected, texts(references), given), name)
