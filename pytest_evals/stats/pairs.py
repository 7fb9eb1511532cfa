"""Variants against each other, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from math import fsum

from ..model.bracket import rest_of
from ..model.outcome import Outcome
from ..model.pair import VariantPair
from ..model.result import CaseRow
from ..model.score import TOLERANCE
from .paired import holm, mcnemar

_Cases = Mapping[tuple[str, str], CaseRow]
"""By case id, and what the bracket says besides the variant."""

_ANSWERED = frozenset({Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.SCORED})


def pair_variants(rows: Iterable[CaseRow]) -> tuple[VariantPair, ...]:
    """Every pair of variants of each suite, in the order in which they first appear."""
    suites: dict[str, dict[str, dict[tuple[str, str], CaseRow]]] = {}
    for row in rows:
        if row.variant_id:
            key = (row.case_id, rest_of(row.variant, row.variant_id) or "")
            suites.setdefault(row.suite, {}).setdefault(row.variant_id, {})[key] = row
    pairs: list[VariantPair] = []
    for suite, variants in suites.items():
        found = [_pair(suite, a, variants[a], b, variants[b]) for a, b in combinations(variants, 2)]
        asked = [pair for pair in found if pair.p is not None]
        adjusted = iter(holm([pair.p for pair in asked if pair.p is not None]))
        pairs += [replace(pair, p_adjusted=next(adjusted)) if pair.p is not None else pair for pair in found]
    return tuple(pairs)


def _pair(suite: str, first: str, one: _Cases, second: str, other: _Cases) -> VariantPair:
    keys = [key for key in {**one, **other} if not any(row.xfail for row in (one.get(key), other.get(key)) if row)]
    both = [(one[key], other[key]) for key in keys if key in one and key in other]
    both = [(a, b) for a, b in both if a.outcome in _ANSWERED and b.outcome in _ANSWERED]
    judged = [(a, b) for a, b in both if Outcome.SCORED not in (a.outcome, b.outcome)]
    passed = [(a.outcome is Outcome.PASSED, b.outcome is Outcome.PASSED) for a, b in judged]
    scores = [(a.score, b.score) for a, b in both if a.score is not None and b.score is not None]
    scored = [b - a for a, b in scores]
    if passed:
        better, worse, cases = passed.count((False, True)), passed.count((True, False)), len(passed)
    else:
        better = sum(difference > TOLERANCE for difference in scored)
        worse, cases = sum(difference < -TOLERANCE for difference in scored), len(scored)
    return VariantPair(
        suite,
        first,
        second,
        cases,
        better,
        worse,
        left_out=len(keys) - cases,
        pass_rate_difference=(better - worse) / cases if passed else None,
        score_difference=fsum(scored) / len(scored) if scored else None,
        p=mcnemar(worse, better) if cases else None,
    )
