"""How far apart calls are kept, so that no window of a limit ever holds more than the limit, wherever it begins."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor

LATE = 0.02
"""Share of a window by which a call that came late may be made up for, so that late timers do not lower the rate …"""
MAX_LATE_S = 0.1
SPREAD = 0.06
"""… and by which calls may come closer together on their way to the server. Both are paid for in rate: 7.4 %."""
MAX_SPREAD_S = 0.5
"""Networks do not get worse with the length of a window: of a limit per minute, 1 % is paid."""

BUCKETS = 64
_BUCKET_S = 1.0
_MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Even spacing for a limit of so many units in a window.

    The next unit is due one interval after the previous one was due. One that is ``late_s`` late does not delay those
    after it; one that is later does. Of any k units in a row the first and the last are therefore at least
    (k - 1) * interval - late apart, and with interval = (window + late + spread) / amount, amount + 1 of them never fit
    into a window, even when the way to the server shortens their distance by ``spread``.
    """

    interval_s: float
    late_s: float

    @classmethod
    def of(cls, amount: float, window_s: float) -> Pace:
        late = min(LATE * window_s, MAX_LATE_S)
        return cls((window_s + late + min(SPREAD * window_s, MAX_SPREAD_S)) / amount, late)

    def following(self, due: float, now: float, units: float = 1) -> float:
        """When the next unit is due after ``units`` that were due at ``due`` and are taken now."""
        return max(due, now - self.late_s) + units * self.interval_s


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """The tokens of the past minute, second by second.

    Calls of different size can overrun a window although they are well spaced, by nearly the size of one call; this
    keeps account of them. ``cells`` are the number of the newest second, and the tokens of the seconds up to it.
    """

    amount: int
    cells: memoryview[float]
    pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pace", Pace.of(self.amount, _MINUTE_S))

    def free_at(self, now: float, tokens: float) -> float:
        """Since or from when so many more tokens fit: from when nothing else is there if they never do; 0: always."""
        newest = self._advance(now)
        if sum(self.cells[1:]) + tokens <= self.amount:
            return 0.0
        held = tokens
        for second in range(newest, newest - BUCKETS, -1):
            used = self.cells[1 + second % BUCKETS]
            held += used
            if used and held > self.amount:  # this second, and with it all before, must have gone
                return (second + 1) * _BUCKET_S + _MINUTE_S + MAX_SPREAD_S
        return 0.0

    def add(self, now: float, tokens: float) -> None:
        self.cells[1 + self._advance(now) % BUCKETS] += tokens

    def correct(self, started: float, now: float, difference: float) -> None:
        """Account for a call that used more or less than was taken when it started."""
        newest = self._advance(now)
        second = floor(started / _BUCKET_S)
        if difference > 0:  # used at any time since: kept as long as the latest of them
            self.cells[1 + newest % BUCKETS] += difference
        elif second > newest - BUCKETS:
            index = 1 + second % BUCKETS
            self.cells[index] = max(0.0, self.cells[index] + difference)

    def _advance(self, now: float) -> int:
        newest, known = floor(now / _BUCKET_S), int(self.cells[0])
        if newest > known:
            for second in range(max(known + 1, newest - BUCKETS + 1), newest + 1):
                self.cells[1 + second % BUCKETS] = 0.0
            self.cells[0] = newest
            return newest
        return known
