"""What every importer must settle: cases without a criterion, and suites without a target."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..errors import UsageError
from .imported import Wishes
from .notes import Notes

SKIP = "none of its criteria could be imported; see x-not-imported"
_PASSES_ALL: dict[str, Any] = {"length": {"min": 0}}


def unjudged(criteria: Sequence[Any], *, asked: bool) -> dict[str, Any]:
    """The keys ``criteria`` and what goes with it.

    A case of which nothing was asked is run without a verdict; one whose criteria were all dropped is skipped, for a
    pass would claim what nobody looked at.
    """
    if criteria:
        return {"criteria": list(criteria)}
    return {"criteria": [_PASSES_ALL], **({"skip": SKIP} if asked else {"threshold": "unset"})}


def target_of(wishes: Wishes, notes: Notes, answers: str = "") -> Any:
    """The target: the one wished for, the recorded answers, else ``echo`` until a person names the application."""
    if wishes.target:
        return read_target(wishes.target)
    if answers:
        return {"responses": answers}
    notes.chosen("target", "the file does not name the application; echo stands in for it: give --target, or edit it")
    return "echo"


def read_target(given: str) -> Any:
    """A target from a command line: ``my_app:answer``, or a mapping as JSON (``{"fixture": "bot"}``)."""
    if not given.lstrip().startswith("{"):
        return given
    try:
        return json.loads(given)
    except ValueError:
        raise UsageError(f"the target {given!r} is neither a text nor JSON") from None
