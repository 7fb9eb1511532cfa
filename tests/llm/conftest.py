"""An event loop whose time stands still while it works and jumps while it waits, and processes that share limits."""

from __future__ import annotations

import asyncio
import selectors
from random import Random

import pytest

from pytest_evals.llm.limiter import SessionLimiter
from pytest_evals.llm.limits import parse_limits


class _Selector(selectors.SelectSelector):
    loop: VirtualLoop

    def select(self, timeout=None):
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise RuntimeError("everything waits, and nothing will ever happen")
        self.loop.now += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        selector = _Selector()
        selector.loop = self
        self.now = 1000.0
        super().__init__(selector)

    def time(self) -> float:
        return self.now


@pytest.fixture
def loop():
    loop = VirtualLoop()
    yield loop
    loop.close()


@pytest.fixture
def processes(loop, tmp_path):
    """Limiters that share their limits as those of several processes do, on the clock of the virtual loop."""
    made = []

    def make(number: int, *lines: str, seed: int = 1) -> list[SessionLimiter]:
        limits = parse_limits(lines)
        made.extend(SessionLimiter(limits, tmp_path, loop.time, Random(seed + n)) for n in range(number))
        return made[-number:]

    yield make
    for limiter in made:
        limiter.close()


def most_in_any_window(times, window_s, amounts=None):
    """The most that any window [t, t + window) holds."""
    times = list(times)
    amounts = amounts or [1] * len(times)
    most = held = first = 0
    for last, at in enumerate(times):
        held += amounts[last]
        while at - times[first] >= window_s:
            held -= amounts[first]
            first += 1
        most = max(most, held)
    return most


@pytest.fixture(scope="session")
def most_in_a_window():
    return most_in_any_window
