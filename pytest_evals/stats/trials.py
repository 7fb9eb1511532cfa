"""What trials come to: how often they agree, pass@k and pass^k.

pass@k is the chance that at least one of k trials passes: 1 − C(n−c, k) / C(n, k) with c of n trials passed (Chen et
al. 2021, «Evaluating Large Language Models Trained on Code», equation 1). pass^k is the chance that all k pass:
C(c, k) / C(n, k) (Yao et al. 2024, «τ-bench», section 3). Both are unbiased when all n trials ran. A trial that was
not asked, or errored, could have passed or not: the estimate then lies between two bounds, which are both given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from ..model.summary import PassAt, TrialSummary
from ..model.trials import TrialCounts

KS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def any_of_k(trials: int, passed: int, k: int) -> Fraction:
    """pass@k of a case: the chance that at least one of k of its trials passed."""
    return 1 - Fraction(comb(trials - passed, k), comb(trials, k))


def all_of_k(trials: int, passed: int, k: int) -> Fraction:
    """pass^k of a case: the chance that all of k of its trials passed."""
    return Fraction(comb(passed, k), comb(trials, k))


def summarize_trials(found: Iterable[tuple[TrialCounts, bool]]) -> TrialSummary | None:
    """Of the cases with several trials: counts, and whether the case is in the pass rate. ``None`` of none."""
    kinds: dict[tuple[TrialCounts, bool], int] = {}
    for kind in found:
        kinds[kind] = kinds.get(kind, 0) + 1
    return of_kinds(kinds) if kinds else None


def of_kinds(kinds: Mapping[tuple[TrialCounts, bool], int]) -> TrialSummary:
    """The summary of so many cases of each kind."""
    each = [(counts, number) for (counts, _), number in kinds.items()]
    return TrialSummary(
        cases=sum(kinds.values()),
        planned=sum(counts.planned * number for counts, number in each),
        ran=sum(counts.ran * number for counts, number in each),
        errored=sum(counts.errored * number for counts, number in each),
        flaky=sum(number for counts, number in each if counts.flaky),
        maybe_flaky=sum(number for counts, number in each if counts.maybe_flaky),
        pass_at=tuple(_pass_at(kinds)),
        kinds=dict(sorted(kinds.items(), key=lambda item: repr(item[0]))),
    )


def merge_trials(parts: Iterable[TrialSummary | None]) -> TrialSummary | None:
    """The summary of the whole from those of its parts."""
    kinds: dict[tuple[TrialCounts, bool], int] = {}
    for part in parts:
        for kind, number in part.kinds.items() if part is not None else ():
            kinds[kind] = kinds.get(kind, 0) + number
    return of_kinds(kinds) if kinds else None


def _pass_at(kinds: Mapping[tuple[TrialCounts, bool], int]) -> Iterable[PassAt]:
    rated = [(counts, number) for (counts, is_rated), number in kinds.items() if is_rated]
    most = max((counts.planned for counts, _ in rated), default=0)
    for k in sorted({k for k in KS if k <= most} | ({most} if most else set())):
        cases = sum(number for counts, number in rated if counts.planned >= k)
        sums = [Fraction(0)] * 4
        for counts, number in rated:
            n, low = counts.planned, counts.passed
            if n >= k:
                high = low + counts.unknown
                bounds = (any_of_k(n, low, k), any_of_k(n, high, k), all_of_k(n, low, k), all_of_k(n, high, k))
                sums = [total + number * bound for total, bound in zip(sums, bounds, strict=True)]
        yield PassAt(k, cases, *(float(total / cases) for total in sums))
