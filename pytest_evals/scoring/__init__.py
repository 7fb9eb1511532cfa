"""The built-in scorers, and the only door to them.

``names()`` is cheap; everything else loads the file of a scorer when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .catalogue import FAMILIES, SUMMARIES, WITH_EMBEDDER

if TYPE_CHECKING:
    from ..model.criterion import ScorerSpec
    from ..model.words import WordErrors as WordErrors
    from .builtin import BuiltInScorer
    from .direct import score as score
    from .transcript import normalise_transcript as normalise_transcript
    from .transcript import word_errors as word_errors

__all__ = ["WITH_EMBEDDER", "WordErrors", "names", "normalise_transcript", "score", "scorer", "specs", "word_errors"]

_HOMES = {
    "score": "direct",
    "WordErrors": "transcript",
    "normalise_transcript": "transcript",
    "word_errors": "transcript",
}


def names() -> Mapping[str, str]:
    """The built-in scorers: name -> one sentence that says what it scores."""
    return MappingProxyType(SUMMARIES)


def specs() -> Mapping[str, ScorerSpec]:
    """What the suite reader must know of each built-in scorer to check a criterion."""
    return {name: scorer(name).spec for name in SUMMARIES}


def scorer(name: str) -> BuiltInScorer:
    """The built-in scorer of this name; ``KeyError`` when there is none."""
    # not cached here: a test that runs pytest inside pytest gets its modules anew, and the scorer must be one of theirs
    from importlib import import_module

    module = next((module for module, members in FAMILIES.items() if name in members), None)
    if module is None:
        raise KeyError(name)
    scorers: Mapping[str, BuiltInScorer] = import_module(f"{__name__}.{module}").SCORERS
    return scorers[name]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
