"""How often a case is asked: ``trials``, and ``pass_if`` where it names a number of trials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.trials import named_trials
from .reading import Reading
from .tree import Map


def with_named_trials(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, and the number of trials that its ``pass_if`` names, unless it gives one itself."""
    named = named_trials(given.get("pass_if", ""))
    return {**given, "trials": named} if named is not None and "trials" not in given else dict(given)


def trials_of(r: Reading, node: Map, values: Mapping[str, Any], only: int | None = None) -> int:
    """How often a case with these values is asked; ``only`` has the last word where ``pass_if`` names no number."""
    trials, pass_if = values["trials"], values["pass_if"]
    named = named_trials(pass_if)
    if named is None:
        return trials if only is None else only
    if named != trials:
        key = "trials" if "trials" in node else "pass_if"
        r.report(node.spot(key), f"trials is {trials}, but pass_if is '{pass_if}'; leave trials out, or let them agree")
    return named
