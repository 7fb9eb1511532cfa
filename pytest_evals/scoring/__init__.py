"""The built-in scorers, and the only door to them.

``names()`` is cheap; everything else loads the file of a scorer when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .catalogue import FAMILIES, SUMMARIES, WITH_EMBEDDER, WITH_JUDGE

if TYPE_CHECKING:
    from ..model.criterion import ScorerSpec
    from ..model.words import WordErrors as WordErrors
    from .builtin import BuiltInScorer
    from .direct import score as score
    from .transcript import normalise_transcript as normalise_transcript
    from .transcript import word_errors as word_errors

__all__ = [
    "WITH_EMBEDDER",
    "WITH_JUDGE",
    "WordErrors",
    "names",
    "normalise_transcript",
    "score",
    "scorer",
    "specs",
    "word_errors",
]

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
    """What the suite reader must know of each built-in scorer to check a criterion; each is loaded when looked up."""
    return _Specs()


class _Specs(Mapping[str, "ScorerSpec"]):
    """A suite asks for a few scorers, and loading all of them would take as long as reading 1,000 cases."""

    __slots__ = ("_loaded",)

    def __init__(self) -> None:
        self._loaded: dict[str, ScorerSpec] = {}

    def __getitem__(self, name: str) -> ScorerSpec:
        spec = self._loaded.get(name)
        if spec is None:
            spec = self._loaded[name] = scorer(name).spec
        return spec

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in SUMMARIES else default

    def __contains__(self, name: object) -> bool:
        return name in SUMMARIES

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


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
