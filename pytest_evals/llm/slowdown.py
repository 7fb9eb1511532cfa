"""What a refusal does: everyone pauses, goes on more slowly, and speeds up again.

Calls under way when a service begins to refuse are refused together. That is one event: calls carry the epoch in which
they started, and refusals of an earlier epoch than the page's can make the pause longer but not the pace slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from random import Random

from .page import Page, Row
from .retry_after import MAX_RETRY_AFTER_S

OVERLOADED = frozenset({429, 529})
"""Statuses that say: too much. Others, such as 503, may ask for a pause but do not make calls slower."""

SHRINK = 0.5
RECOVER_S = 10.0
"""How long it takes to be as fast again as before the refusal."""
MIN_RATE = 0.2
"""Calls per second: one every 5 s finds out whether the service answers again."""
BACKOFF_S = 1.0
MAX_BACKOFF_S = 30.0
"""The pause when the service does not say how long: twice as long each time, from the first to the second."""
_JITTER = 0.1
"""Shards on other machines were told the same second to come back; the pause is longer by up to this share."""


@dataclass(frozen=True, slots=True)
class Pause:
    """What a refusal came to."""

    wait_s: float
    """Until calls of this name start again; 0: at once."""
    note: str = ""
    """What a person should know of it: that the service asked for a longer wait than is granted."""


def refuse(
    page: Page, now: float, epoch: float, retry_after_s: float | None, status: int, usual: float, rng: Random
) -> Pause:
    """Take note of a refusal on a page that is held. ``usual``: calls per second that the limit allows; 0: no limit."""
    asked = retry_after_s or 0.0  # a date in the past is no answer to: when?
    wait = min(asked, MAX_RETRY_AFTER_S)
    note = "" if asked <= wait else f"the service asked to wait {asked:.0f} s; waiting {wait:.0f} s"
    if status in OVERLOADED and epoch >= page.epoch:
        _slow_down(page, now, wait, usual, rng)
    elif wait:
        _pause(page, now, wait, rng)
        if not page.slowed:
            # not slower, but in order: without a pace all would wake at once
            before = _usual(page, now, usual)
            _go_on(page, before, before)
    if status in OVERLOADED:
        _count(page)
    return Pause(max(0.0, page.paused_until - now), note)


def pace_now(page: Page, now: float) -> float:
    """Calls per second at most at this moment; 0: the name is not slowed."""
    if not page.slowed:
        return 0.0
    elapsed = max(0.0, now - page.paused_until)
    slope = page.ceiling * (1 - SHRINK) / RECOVER_S
    rate = page.rate + slope * elapsed
    known = 2 * page.ceiling
    if rate <= known:
        return rate
    # twice as fast as what was refused, and calls still wait: that limit is history
    return known * 2 ** min((elapsed - (known - page.rate) / slope) / RECOVER_S, 50)


def is_over(page: Page, now: float, usual: float) -> bool:
    """Whether a slowed name can go free: it is as fast as its limit, or twice as fast as before and nobody waits."""
    rate = pace_now(page, now)
    if 0 < usual <= rate:
        return True
    return rate >= 2 * page.ceiling and now >= page.due_slowed and not any(row.waiting for row in page.rows())


def _slow_down(page: Page, now: float, wait: float, usual: float, rng: Random) -> None:
    page.epoch += 1
    page.in_a_row += 1
    before = pace_now(page, now) or _usual(page, now, usual)
    # what was fast enough to be refused at first is still what to come back to, however often it is refused
    ceiling = page.ceiling if page.slowed and page.in_a_row > 1 else before
    page.seen = 0.0 if page.slowed or usual else max(1.0, started_per_second(page.rows(), now))
    page.refused = 0.0
    _pause(page, now, wait or min(BACKOFF_S * 2 ** min(page.in_a_row - 1, 16), MAX_BACKOFF_S), rng)
    _go_on(page, ceiling, before * SHRINK)


def _pause(page: Page, now: float, wait: float, rng: Random) -> None:
    # speeding up goes on from here
    page.rate = pace_now(page, now)
    page.ceiling = max(page.ceiling, page.rate / 2)
    page.paused_until = max(page.paused_until, now + wait * (1 + _JITTER * rng.random()))


def _go_on(page: Page, ceiling: float, rate: float) -> None:
    page.ceiling = max(MIN_RATE, ceiling)
    page.rate = max(MIN_RATE, rate)
    page.due_slowed = page.paused_until
    page.slowed = 1.0


def _count(page: Page) -> None:
    """When a name without a limit starts many calls at once, those that were not refused tell how many are allowed."""
    if page.seen:
        page.refused += 1
        answered = max(1.0, page.seen - page.refused)
        page.ceiling = min(page.ceiling, answered)
        page.rate = min(page.rate, answered)


def _usual(page: Page, now: float, usual: float) -> float:
    measured = max(1.0, started_per_second(page.rows(), now))
    return min(usual, measured) if usual else measured


def count_start(row: Row, now: float) -> None:
    """Count a call in the process's own row. Needs no lock: nobody else writes there."""
    second = floor(now)
    if second != row.second:
        row.started_before = row.started if second == row.second + 1 else 0.0
        row.started = 0.0
        row.second = second
    row.started += 1


def started_per_second(rows: list[Row], now: float) -> float:
    """Calls started in the past second by all processes."""
    second = floor(now)
    rest = 1.0 - (now - second)
    calls = 0.0
    for row in rows:
        if row.second == second:
            calls += row.started + row.started_before * rest
        elif row.second == second - 1:
            calls += row.started * rest
    return calls
