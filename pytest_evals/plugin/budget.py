"""What a session may spend, and what it has spent: money, tokens, time.

When a limit is reached, calls in flight finish and are counted, and every case that is left is skipped. The workers of
an xdist session on one machine add to one file, a line for each answer, so that each of them knows what all have spent.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import pytest

from ..model.run import Budget
from ..report.format import count, duration, usd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine.asking import Asking
    from ..engine.call import Call
    from ..model.response import Response
    from ..model.result import CaseRow
    from .options import Settings

SPENT = "spent"
"""The file that workers share, in the session's folder."""

_Name = Literal["cost_usd", "tokens", "time_s"]
_SETTINGS: tuple[tuple[_Name, str], ...] = (
    ("cost_usd", "max_cost"), ("tokens", "max_tokens"), ("time_s", "max_time"),
)  # fmt: skip


class BudgetSpent(pytest.skip.Exception):  # type: ignore[name-defined,misc] # an attribute of a function
    """A case is not begun any more. A skip, to pytest and to the engine."""

    __module__ = "builtins"


class Totals(NamedTuple):
    """Sums over answers."""

    cost_usd: float = 0.0
    tokens: int = 0
    unpriced: int = 0
    """Calls that did not say what they cost."""
    uncounted: int = 0
    """Calls that did not say how many tokens they used."""

    def plus(self, other: Totals) -> Totals:
        return Totals(
            self.cost_usd + other.cost_usd,
            self.tokens + other.tokens,
            self.unpriced + other.unpriced,
            self.uncounted + other.uncounted,
        )


class Ledger:
    """Watches calls: counts what they spend, and refuses to begin one when a limit is reached."""

    def __init__(
        self,
        settings: Settings,
        started: float,
        folder: Path | None = None,
        *,
        worker: bool = False,
        share: float = 1.0,
    ) -> None:
        """``share`` is the part of money and tokens that the processes of this host may spend."""
        self._limits: dict[_Name, float] = {}
        self._said: dict[_Name, str] = {}
        for name, setting in _SETTINGS:
            limit, origin = settings.origin(setting)
            if limit is not None:
                self._limits[name] = limit if name == "time_s" else limit * share
                self._said[name] = f"budget of {_amount(name, limit)} spent ({origin})"
        self._started = started
        shared = folder is not None and bool({"cost_usd", "tokens"} & self._limits.keys())
        self._shared = _SharedTotals(folder / SPENT) if shared and folder is not None else None
        if self._shared is not None and not worker:
            self._shared.start_anew()  # a session of the same --testrunuid may have been killed
        self._totals = Totals()
        self._elsewhere = Totals()
        """What other hosts have spent, as far as their results say."""
        self._reason = ""
        self._begun: set[str] = set()
        self._running: set[str] = set()
        self._answered: set[str] = set()
        self._lock = threading.Lock()

    @property
    def reasons(self) -> frozenset[str]:
        """What skipped cases may say: one sentence for each limit, the same in every process."""
        return frozenset(self._said.values())

    @property
    def in_flight(self) -> int:
        """How many calls run in this process right now."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many calls of this process have an answer and not yet a result: their turn is to come."""
        return len(self._answered)

    @property
    def spent(self) -> str:
        """Which limit is reached, in words; empty while none is. Stays what it said first."""
        if not self._reason and self._limits:
            self._reason = next((self._said[limit.name] for limit in self.budget() if limit.reached), "")
        return self._reason

    def budget(self) -> tuple[Budget, ...]:
        """Every limit of the session, and what was spent of it."""
        return tuple(self._budget())

    def _budget(self) -> Iterator[Budget]:
        totals = self._sum()
        for name, limit in self._limits.items():
            if name == "time_s":
                yield Budget(name, limit, time.monotonic() - self._started)
            elif name == "tokens":
                yield Budget(name, limit, totals.tokens, totals.uncounted)
            else:
                yield Budget(name, limit, totals.cost_usd, totals.unpriced)

    def _sum(self) -> Totals:
        if self._shared is None:
            return self._totals.plus(self._elsewhere)
        with self._lock:
            return self._shared.read().plus(self._elsewhere)

    def began(self, asking: Asking) -> bool:
        """Whether one of the case's calls was asked at least once: it is then finished, retries included."""
        return any(map(self._has_begun, asking.calls))

    def _has_begun(self, call: Call) -> bool:
        return call.session_id in self._begun

    def check(self) -> None:
        """Raise ``BudgetSpent`` when a limit is reached."""
        if self.spent:
            raise BudgetSpent(self.spent)

    def begin(self, call: Call) -> None:
        """An attempt begins."""
        if not self._has_begun(call):
            self.check()
            self._begun.add(call.session_id)
        self._running.add(call.session_id)

    def end(self, call: Call) -> None:
        """An attempt has ended; one that failed may have cost something, nobody knows what."""
        self._running.discard(call.session_id)
        if call.response is not None:
            self._answered.add(call.session_id)
        self.count(call.response)

    def finished(self, asking: Asking) -> None:
        """The case has its result."""
        for call in asking.calls:
            for calls in (self._begun, self._running, self._answered):
                calls.discard(call.session_id)

    def count(self, response: Response | None) -> None:
        """Add what an answer says of its cost and tokens."""
        if not self._limits:
            return
        spent = _totals_of(response)
        with self._lock:
            if self._shared is not None:
                self._shared.add(spent)
            else:
                self._totals = self._totals.plus(spent)

    def count_elsewhere(self, row: CaseRow) -> None:
        """Add what a case took that another host asked: the calls there are counted there."""
        if self._limits:
            cost, tokens = row.cost_usd or 0.0, row.tokens or 0
            judged, read = row.judge_cost_usd or 0.0, row.judge_tokens or 0
            unknown = Totals(cost + judged, tokens + read, int(row.cost_usd is None), int(row.tokens is None))
            self._elsewhere = self._elsewhere.plus(unknown)

    def close(self) -> None:
        if self._shared is not None:
            self._shared.close()


class _SharedTotals:
    """Sums that several processes add to: a line for each answer, appended in one write."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: FileIO | None = None
        self._totals = Totals()
        self._read = 0
        self._rest = b""

    def start_anew(self) -> None:
        with suppress(OSError):
            self._path.unlink()

    def add(self, spent: Totals) -> None:
        try:
            self._open().write((" ".join(map(repr, spent)) + "\n").encode())
        except OSError:  # a full disk: the others do not hear of it
            self._totals = self._totals.plus(spent)

    def read(self) -> Totals:
        """What all processes have added so far."""
        with suppress(OSError):
            file = self._open()
            file.seek(self._read)
            while more := file.read(65536):
                self._read += len(more)
                *lines, self._rest = (self._rest + more).split(b"\n")
                for line in lines:
                    cost, *numbers = line.split()
                    self._totals = self._totals.plus(Totals(float(cost), *map(int, numbers)))
        return self._totals

    def _open(self) -> FileIO:
        if self._file is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = FileIO(self._path, "a+")
        return self._file

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _totals_of(response: Response | None) -> Totals:
    if response is None:
        return Totals(unpriced=1, uncounted=1)
    if response.cached:
        return Totals()
    usage, cost = response.usage, response.cost_usd
    parts = (usage.input_tokens, usage.output_tokens) if usage is not None else (None,)
    return Totals(cost or 0.0, sum(part or 0 for part in parts), int(cost is None), int(None in parts))


def _amount(name: _Name, limit: float) -> str:
    if name == "cost_usd":
        return usd(limit)
    return f"{count(limit)} tokens" if name == "tokens" else duration(limit * 1000)
