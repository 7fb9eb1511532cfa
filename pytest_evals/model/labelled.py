"""An answer with what a person says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .place import Place

VERDICTS = {"pass": True, "passed": True, "yes": True, "true": True} | {
    "fail": False, "failed": False, "no": False, "false": False,
}  # fmt: skip
"""The words for a verdict."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An answer that a person has judged, so that a judge can be held against that."""

    output: Any
    """``None``: it is that of a case in a stored run."""
    label: bool | float | str
    """A verdict; or a score on the scale of the judge, a number or a word."""
    id: str = ""
    """That of a case, or of the answer alone."""
    run: str = ""
    """The run that has the answer, as a person names it."""
    suite: str = ""
    """The suite of the case there, where several have one of this id."""
    variant: str = ""
    """The variant of the case there, where it has several."""
    trial: int = 1
    """Which of the case's trials gave the answer there."""
    criterion: str = ""
    """The name of the criterion that was judged by; empty: there is only one."""
    given: dict[str, Any] = field(default_factory=dict)
    """``input``, ``expected_output``, ``reference_outputs``, ``context``, ``category``, as far as they are stated."""
    rubric: str = ""
    """What is asked of this answer, where it is not the same for all."""
    place: Place | None = field(default=None, compare=False)
