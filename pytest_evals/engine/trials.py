"""The trials of a case: which are asked next, when they have decided, and what the case then is.

Trials are asked in waves. A wave holds as many as it takes at least before the case could be decided, and the next one
begins when all of it are scored. So no trial is asked in vain, none is cancelled, and which trials are asked depends
on what they answer alone: not on how many calls are in flight, nor on which of them is the fastest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum

from ..model.case import Case
from ..model.outcome import Outcome
from ..model.result import CaseError, CriterionResult, Trial
from ..model.trials import count_trials, decide_trials, fewest_trials, passes_needed
from .verdict import judge


def next_wave(case: Case, trials: Sequence[Trial], *, all_trials: bool = False) -> int:
    """How many trials to ask at once after these, which have not decided the case."""
    left = case.trials - len(trials)
    if all_trials or left <= 1 or case.threshold == "unset":
        return left
    needed = passes_needed(case.pass_if, case.trials)
    if needed is not None:
        return fewest_trials(needed, count_trials(case.trials, (trial.outcome for trial in trials)))
    if case.warn is not None:
        return 1  # a score in between can decide
    means = _Means.of(case, trials)
    return next((number for number in range(1, left) if means.may_be_decided_by(number)), left)


def decide_case(case: Case, trials: Sequence[Trial], *, all_trials: bool = False) -> Outcome | None:
    """What the case is after these trials; ``None`` while it can still change, or while more were asked for."""
    if case.trials == 1:
        return trials[0].outcome
    if len(trials) < case.trials and (all_trials or case.threshold == "unset"):
        return None
    if case.threshold == "unset":
        return Outcome.ERRORED if any(trial.outcome is Outcome.ERRORED for trial in trials) else Outcome.SCORED
    needed = passes_needed(case.pass_if, case.trials)
    if needed is not None:
        return decide_trials(needed, count_trials(case.trials, (trial.outcome for trial in trials)))
    return _Means.of(case, trials).decided


def case_score(outcome: Outcome, trials: Iterable[Trial]) -> float | None:
    """The mean of the scores of the trials that have one; ``None`` for a case that errored."""
    scores = [trial.score for trial in trials if trial.score is not None]
    if outcome is Outcome.ERRORED or not scores:
        return None
    # the quotient of two roundings can fall a hair outside the scores
    return min(max(fsum(scores) / len(scores), min(scores)), max(scores))


def error_of_case(trials: Iterable[Trial]) -> CaseError | None:
    """The error that stands for the case: the first that lies in the application or a scorer, else the first."""
    errors = [trial.error for trial in trials if trial.error is not None]
    return next((error for error in errors if not error.kind.outside), errors[0] if errors else None)


@dataclass(frozen=True, slots=True)
class _Means:
    """The scores of each criterion over the trials so far. What a trial did not say could be anything from 0 to 1."""

    case: Case
    criteria: tuple[CriterionResult, ...]
    """Whose marks count."""
    sums: tuple[float, ...]
    """Of the scores of each criterion, over the trials that have a score."""
    scored: int = 0
    errored: int = 0

    @classmethod
    def of(cls, case: Case, trials: Sequence[Trial]) -> _Means:
        answers = [trial.criteria for trial in trials if trial.outcome is not Outcome.ERRORED]
        if not answers:
            asked = _unasked(case)
            return cls(case, asked, (0.0,) * len(asked), 0, len(trials))
        columns = list(zip(*answers, strict=True))
        marked = tuple(max(column, key=lambda answer: answer.mark or 0.0) for column in columns)
        sums = tuple(fsum(answer.score or 0.0 for answer in column) for column in columns)
        return cls(case, marked, sums, len(answers), len(trials) - len(answers))

    @property
    def left(self) -> int:
        return self.case.trials - self.scored - self.errored

    @property
    def certain(self) -> Outcome | None:
        """What the case is whatever the unknown scores are."""
        worst, best = self._if_unknown_were(0.0), self._if_unknown_were(1.0)
        return worst if worst is best else None

    @property
    def decided(self) -> Outcome | None:
        """What the case is: errored, too, when nothing the trials that are left say can make it certain."""
        certain = self.certain
        if certain is not None or not self.left:
            return certain or Outcome.ERRORED
        if self.case.warn is not None:
            return None
        open_still = any(self._with(self.left, value).certain is not None for value in (0.0, 1.0))
        return None if open_still else Outcome.ERRORED

    def may_be_decided_by(self, number: int) -> bool:
        """Whether so many more trials could decide: all perfect, all at 0, or all errored."""
        further = (self._with(number, 1.0), self._with(number, 0.0), replace(self, errored=self.errored + number))
        return any(means.decided is not None for means in further)

    def _with(self, more: int, score: float) -> _Means:
        return replace(self, sums=tuple(each + more * score for each in self.sums), scored=self.scored + more)

    def _if_unknown_were(self, score: float) -> Outcome:
        unknown, trials = (self.case.trials - self.scored) * score, self.case.trials
        means = (min(1.0, (each + unknown) / trials) for each in self.sums)
        answers = (replace(c, score=mean, error=None) for c, mean in zip(self.criteria, means, strict=True))
        return judge(self.case, tuple(answers))[0]


def _unasked(case: Case) -> tuple[CriterionResult, ...]:
    """Before a scorer has answered, its usual mark may be unknown: the highest is the first to be missed."""
    return tuple(
        CriterionResult(c.name, c.scorer, 1.0 if c.threshold is None else c.threshold, 0.0, None, c.weight, c.threshold)
        for c in case.criteria
    )
