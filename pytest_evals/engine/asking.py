"""One case on its way: the calls of its trials, and what became of those that are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model.case import Case
from ..model.outcome import Outcome
from ..model.result import Trial
from .call import Call, Identity, Scorers, now_utc
from .output import Output
from .target import Target
from .trials import decide_case, next_wave


@dataclass(slots=True, eq=False)
class Asking:
    """The asking of one case, from the moment its question may be asked until its result is taken."""

    case: Case
    target: Target
    identity: Identity = field(default_factory=Identity)
    scorers: Scorers | None = None
    """Scorers known when it began: the asynchronous ones answer as soon as the target has, and of several trials the
    next ones begin before the case's turn."""
    output: Output | None = None
    """Where what its calls print and log goes; ``None`` leaves it to whoever captures."""
    all_trials: bool = False
    """Ask every trial, also when the decision cannot change any more."""
    recorded: Sequence[Trial] = ()
    """The trials of an earlier run, whose answers are scored: all of them, and first."""
    started_at: str = field(default_factory=now_utc)
    calls: list[Call] = field(default_factory=list)
    """Of the trials that began, in their order."""
    trials: list[Trial] = field(default_factory=list)
    """Of the calls that are scored: the first ones."""
    decided: Outcome | None = None
    """What the case is; ``None`` as long as more trials can still decide it."""

    @property
    def wave(self) -> list[Call]:
        """The calls that are not scored yet."""
        return self.calls[len(self.trials) :]

    @property
    def answered(self) -> bool:
        """Whether nothing of the present wave is awaited any more."""
        return all(call.future is None or call.future.done() for call in self.wave)

    def next_wave(self) -> list[Call]:
        """The calls of the trials that are to be asked now."""
        first = len(self.calls) + 1
        size = 1 if self.case.trials == 1 else next_wave(self.case, self.trials, all_trials=self.all_trials)
        fresh = [self._call(number) for number in range(first, first + max(size, len(self.recorded) + 1 - first))]
        self.calls += fresh
        return fresh

    def _call(self, number: int) -> Call:
        known: dict[str, Any] = {
            "case": self.case,
            "target": self.target,
            "identity": self.identity,
            "scorers": self.scorers,
            "output": self.output,
            "trial": number,
        }
        return Call.from_record(self.recorded[number - 1], **known) if number <= len(self.recorded) else Call(**known)

    def take(self, trials: list[Trial]) -> None:
        """Take the trials of the present wave, and decide the case if they do."""
        self.trials += trials
        self.decided = decide_case(self.case, self.trials, all_trials=self.all_trials)
