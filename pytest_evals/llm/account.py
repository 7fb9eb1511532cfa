"""Who may call next: the calls of one name, on a page that the processes share.

Nothing is given out beforehand. Of each process one call at a time asks, and gets a slot or the time to ask again. So
a call that is cancelled while it waits, or whose process dies, leaves no hole. When several processes wait, the one
that had fewer turns goes first; one that does not come within ``GRACE_S`` of its time is passed over.
"""

from __future__ import annotations

from math import ceil
from random import Random

from .limits import Limit
from .members import Member
from .pace import Pace, TokenWindow
from .page import Page, Row
from .slowdown import Pause, count_start, is_over, pace_now, refuse

GRACE_S = 0.01
POLL_S = 0.003
"""How often a process looks whether another one gave back a call in flight."""
LONGEST_S = 1.0
"""Who waits longer asks again after this time: a call may have used fewer tokens than thought."""
CHECK_S = 0.25
"""How often processes that hold what another one waits for are asked whether they live."""
FIRST_TOKENS = 1000
"""What a call is thought to use as long as none has told."""


class Account:
    """The calls of one name, as one process sees them."""

    def __init__(self, limit: Limit | None, page: Page, member: Member | None, rng: Random) -> None:
        self.limit = limit
        self._member = member
        self._rng = rng
        self._checked = 0.0
        limit = limit or Limit()
        self._in_flight = limit.in_flight
        windows = (
            (limit.requests_per_second, 1.0),
            (limit.requests_per_minute, 60.0),
            (limit.requests_per_hour, 3600.0),
        )
        self._paces = [(n, Pace.of(amount, window_s)) for n, (amount, window_s) in enumerate(windows) if amount]
        self._usual = min((amount / window_s for amount, window_s in windows if amount), default=0.0)
        self._tokens_per_minute = limit.tokens_per_minute
        self._open(page)

    def _open(self, page: Page) -> None:
        self._page = page
        self._tokens = TokenWindow(self._tokens_per_minute, page.token_cells) if self._tokens_per_minute else None
        with page:
            self._bury()
            self._row = page.new_row()
            self._row.owner = float(self._member.token if self._member else 1)
            self._row.pid = float(self._member.pid if self._member else 0)

    @property
    def epoch(self) -> float:
        return self._page.epoch

    @property
    def is_free(self) -> bool:
        """Whether calls need not ask: there is no limit, and nobody was refused of late."""
        return self.limit is None and not self._page.slowed

    def start(self, now: float) -> None:
        """Count a call that need not ask."""
        count_start(self._row, now)

    def estimate(self, tokens: int | None) -> float:
        """The tokens a call will use: as told, or as calls did of late."""
        if self._tokens is None:
            return 0.0
        return float(tokens) if tokens is not None else self._page.mean_tokens or FIRST_TOKENS

    def ask(self, now: float, tokens: float, others: bool) -> float | None:
        """Take a slot (``None``), or the time to ask again. ``others``: more calls of this process wait behind it."""
        page, row = self._page, self._row
        with page:
            due, interval = self._due(now, tokens)
            if self._in_flight and (held := self._under_way()) >= self._in_flight:
                self._wait()
                if held == row.in_flight:
                    return now + LONGEST_S  # a call of this process ends first, and wakes the next
                if now - self._checked >= CHECK_S:
                    self._checked = now
                    self._bury()
                return now + POLL_S
            since = max(due, page.freed_at) if self._in_flight else due
            ahead = [other for other in page.rows() if other.waiting and self._goes_before(other, interval)]
            if now < due or (ahead and now < since + GRACE_S):
                self._wait()
                return since + (GRACE_S if ahead else 0.0)
            for other in ahead:  # it comes back when it asks again
                other.waiting = 0.0
            self._take(now, tokens, others)
            return None

    def give_back(self, now: float, answered: bool, epoch: float) -> None:
        """A call that had asked for its slot has ended."""
        page = self._page
        with page:
            if self._in_flight and self._under_way() >= self._in_flight:
                page.freed_at = now
            self._row.in_flight = max(0.0, self._row.in_flight - 1)
            if answered and page.slowed and epoch == page.epoch:
                page.in_a_row = 0.0

    def leave_queue(self) -> None:
        """No call of this process waits any more."""
        if self._row.waiting:
            self._row.waiting = 0.0

    def correct(self, started: float, now: float, taken: float, used: float) -> None:
        """A call that took a number of tokens from the limit has told what it really used."""
        if self._tokens is None:
            return
        page = self._page
        with page:
            self._tokens.correct(started, now, used - taken)
            page.due_tokens += (used - taken) * self._tokens.pace.interval_s
            if used:
                page.mean_tokens = page.mean_tokens * 0.9 + used * 0.1 if page.mean_tokens else used

    def refuse(self, now: float, epoch: float, retry_after_s: float | None, status: int) -> Pause:
        """The service refused a call that started in ``epoch``."""
        with self._page as page:
            return refuse(page, now, epoch, retry_after_s, status, self._usual, self._rng)

    def close(self) -> None:
        """Give back all that this process holds. Calls that still end, or even start, are on their own."""
        page = self._page
        with page:
            self._row.clear()
            self._member = None
            self._open(Page())
        page.close()

    def _due(self, now: float, tokens: float) -> tuple[float, float]:
        """When the next call may start, and the interval that calls keep; 0: none."""
        page = self._page
        due = page.paused_until
        interval = 0.0
        for number, pace in self._paces:
            due = max(due, page.due[number])
            interval = max(interval, pace.interval_s)
        if self._tokens is not None:
            due = max(due, page.due_tokens, self._tokens.free_at(now, tokens))
        if page.slowed:
            if is_over(page, now, self._usual) and now >= page.paused_until:
                page.slowed = page.in_a_row = 0.0
            else:
                due = max(due, page.due_slowed)
                interval = max(interval, 1 / pace_now(page, now))
        return due, interval

    def _take(self, now: float, tokens: float, others: bool) -> None:
        page, row = self._page, self._row
        for number, pace in self._paces:
            page.due[number] = pace.following(page.due[number], now)
        if self._tokens is not None:
            page.due_tokens = self._tokens.pace.following(page.due_tokens, now, tokens)
            self._tokens.add(now, tokens)
        if page.slowed:
            interval = 1 / pace_now(page, now)
            page.due_slowed = Pace(interval, min(GRACE_S, interval)).following(page.due_slowed, now)
        self._wait()
        page.turn = max(page.turn, row.turns)
        row.turns += 1
        row.in_flight += 1
        row.waiting = 1.0 if others else 0.0
        count_start(row, now)

    def _under_way(self) -> float:
        return sum(row.in_flight for row in self._page.rows())

    def _wait(self) -> None:
        row = self._row
        if not row.waiting:
            row.waiting = 1.0
            row.turns = max(row.turns, self._page.turn)

    def _goes_before(self, other: Row, interval: float) -> bool:
        row = self._row
        if interval or self._tokens is not None:
            # calls that are closer than a timer is sharp take turns by the dozen
            lead = max(1, ceil(GRACE_S / interval)) if interval else 1
            return other.turns + lead <= row.turns
        return (other.in_flight, other.turns) < (row.in_flight, row.turns)

    def _bury(self) -> None:
        """Take back what dead processes hold."""
        if self._member is None:
            return
        for row in self._page.rows():
            if row.owner and not self._member.lives(int(row.owner), int(row.pid)):
                row.clear()
