"""Trials of a case: when enough of them passed, and what they come to. Pure arithmetic.

An errored trial is neither a pass nor a miss: it could have been either. So a case passes, is warned or fails only when
that holds whatever its errored trials would have been; otherwise it is errored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from .outcome import Outcome

DEFAULT_PASS_IF = "all"
WORDS = ("all", "any", "majority", "mean")
PASS_IF_IS = f"is {', '.join(WORDS)} or a number of trials such as '3 of 5'"
MOST_TRIALS = 1000

_COUNT = re.compile(r"(\d{1,4})\s+of\s+(\d{1,4})")


def read_pass_if(text: str) -> str:
    """The rule in its canonical form. Raises ``ValueError`` with what is wrong with it."""
    said = " ".join(text.split()).lower()
    if said in WORDS:
        return said
    count = _COUNT.fullmatch(said)
    if count is None:
        raise ValueError(f"{PASS_IF_IS}, not {text!r}")
    passes, trials = int(count[1]), int(count[2])
    if not 1 <= passes <= trials <= MOST_TRIALS:
        raise ValueError(f"asks for at least 1 trial and at most all of them, {MOST_TRIALS} at most, not {text!r}")
    return f"{passes} of {trials}"


def named_trials(pass_if: str) -> int | None:
    """The number of trials that a rule such as ``3 of 5`` names."""
    count = _COUNT.fullmatch(pass_if)
    return int(count[2]) if count else None


def passes_needed(pass_if: str, trials: int) -> int | None:
    """How many trials must pass; ``None`` when their mean decides. A majority is more than half."""
    match pass_if:
        case "all":
            return trials
        case "any":
            return 1
        case "majority":
            return trials // 2 + 1
        case "mean":
            return None
    return int(pass_if.partition(" ")[0])


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """How many trials of a case had which outcome."""

    planned: int
    """How many there are when none is saved."""
    passed: int = 0
    warned: int = 0
    failed: int = 0
    errored: int = 0
    scored: int = 0

    @property
    def ran(self) -> int:
        return self.passed + self.warned + self.failed + self.errored + self.scored

    @property
    def left(self) -> int:
        """Those that were not asked, because the decision could not change any more."""
        return self.planned - self.ran

    @property
    def unknown(self) -> int:
        """Those of which nobody knows whether they would pass: not asked, or errored."""
        return self.left + self.errored

    @property
    def flaky(self) -> bool:
        """Whether the trials disagree. An error is no answer, and disagrees with none."""
        return sum(number > 0 for number in (self.passed, self.warned, self.failed)) > 1

    @property
    def maybe_flaky(self) -> bool:
        """Whether they agree so far, and those of which nothing is known might not."""
        return not self.flaky and self.unknown > 0 and self.scored == 0 and self.planned > 1

    def plus(self, outcome: CountedOutcome, number: int = 1) -> TrialCounts:
        """With so many more of one outcome."""
        return replace(self, **{outcome: getattr(self, outcome) + number})


CountedOutcome = Literal["passed", "warned", "failed", "errored", "scored"]
_VERDICTS: tuple[CountedOutcome, ...] = ("passed", "warned", "failed", "errored")
OUTCOMES: tuple[CountedOutcome, ...] = (*_VERDICTS, "scored")


def count_trials(planned: int, outcomes: Iterable[Outcome]) -> TrialCounts:
    """Count them."""
    numbers = Counter(outcome.value for outcome in outcomes if outcome is not Outcome.SKIPPED)
    return TrialCounts(max(planned, numbers.total()), **numbers)


def decide_trials(needed: int, counts: TrialCounts) -> Outcome | None:
    """What the case is once so many passes are needed; ``None`` while trials that were not asked can still decide."""
    misses = counts.planned - needed + 1
    """So many trials that do not pass, and the case does not."""
    passed, failed, left = counts.passed, counts.failed, counts.left
    good, bad = passed + counts.warned, failed + counts.warned
    if passed >= needed:
        return Outcome.PASSED
    if failed >= misses:
        return Outcome.FAILED
    if good >= needed and bad >= misses:
        return Outcome.WARNED
    may_pass, may_fail = passed + left >= needed, failed + left >= misses
    may_be_warned = good + left >= needed and bad + left >= misses
    return None if left and (may_pass or may_fail or may_be_warned) else Outcome.ERRORED


def fewest_trials(needed: int, counts: TrialCounts) -> int:
    """How many more trials it takes before the case could be decided: with one less nothing they say is enough."""
    for number in range(1, counts.left):
        if any(decide_trials(needed, counts.plus(outcome, number)) is not None for outcome in _VERDICTS):
            return number
    return counts.left
