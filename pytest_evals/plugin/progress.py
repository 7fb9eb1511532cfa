"""The live progress line: how far the cases of a session are, on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import pytest

from ..model.outcome import Outcome
from ..report.format import count, usd
from ..report.text import cells

if TYPE_CHECKING:
    from ..model.result import CaseRow
    from .options import Settings
    from .statusline import StatusLine

SETTLED_S = 2.0
"""How long cases must have run before the time left is a guess worth showing."""


class _Part(NamedTuple):
    text: str
    style: str
    worth: int
    """The least goes first when the terminal is narrow."""


class Progress:
    """What has become of the cases so far.

    ``in_flight`` and ``waiting`` (for their turn) tell how many calls run, and how many are answered and not yet
    reported; ``None`` where the calls run in other processes.
    """

    def __init__(
        self,
        cases: Callable[[], int],
        in_flight: Callable[[], int] | None = None,
        waiting: Callable[[], int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cases = cases
        self._in_flight = in_flight
        self._waiting = waiting
        self._clock = clock
        self._started = clock()
        self._shown_as: Counter[str] = Counter()
        self._cost_usd: float | None = None

    def take(self, before: CaseRow | None, row: CaseRow) -> None:
        """A case has a result; ``before`` is the one it had, when it ran again."""
        if before is not None:
            self._shown_as[_word(before)] -= 1
        self._shown_as[_word(row)] += 1
        for one, sign in ((before, -1), (row, 1)):
            if one is not None and one.cost_usd is not None:
                self._cost_usd = (self._cost_usd or 0.0) + sign * one.cost_usd

    @property
    def done(self) -> int:
        return self._shown_as.total()

    def line(self, columns: int, markup: Callable[[str, str], str] | None = None) -> str:
        """All of it in one line of at most so many columns; empty without cases, and when not even the numbers fit."""
        parts = list(self._parts()) if self._cases() else []
        while parts and cells(_joined(parts)) > columns:
            parts.remove(min(parts, key=lambda part: part.worth))
        if markup is None:
            return _joined(parts)
        return ", ".join(markup(part.text, part.style) for part in parts)

    def _parts(self) -> Iterator[_Part]:
        cases = self._cases()
        yield _Part(f"{count(self.done)}/{count(cases)} cases", "bold", 9)
        # results come in the order of the cases, so that a slow one holds up what is known of those after it
        waiting = self._waiting() if self._waiting is not None else 0
        if waiting:
            yield _Part(f"{count(waiting)} more answered", "", 0)
        if self._in_flight is not None:
            yield _Part(f"{count(self._in_flight())} in flight", "cyan", 3)
        named = (("passed", "green", 5), ("warned", "yellow", 2), ("missed", "yellow", 6), ("failed", "red", 8))
        for word, style, worth in (*named, ("errored", "red", 7)):
            if number := self._shown_as[word]:
                yield _Part(f"{count(number)} {word}", style, worth)
        if self._cost_usd is not None:
            yield _Part(usd(self._cost_usd), "", 1)
        left = self._seconds_left(self.done + waiting, cases)
        if left is not None:
            yield _Part(f"{_coarse(left)} left", "", 4)

    def _seconds_left(self, done: int, cases: int) -> float | None:
        elapsed = self._clock() - self._started
        if not done or elapsed < SETTLED_S:
            return None
        return elapsed / done * max(0, cases - done)


def _joined(parts: list[_Part]) -> str:
    return ", ".join(part.text for part in parts)


def _word(row: CaseRow) -> str:
    if row.outcome is Outcome.FAILED and (row.gated or row.xfail):
        return "missed" if row.gated and not row.xfail else "xfailed"
    return row.outcome.value


def _coarse(seconds: float) -> str:
    """As a person says it: ``45 s``, ``3 min``, ``1 h 20 min``."""
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


class ProgressLine:
    """Shows the progress while items run."""

    def __init__(self, config: pytest.Config, progress: Progress) -> None:
        self._config = config
        self.progress = progress
        self._line: StatusLine | None = None
        self._over = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._start()

    def pytest_enter_pdb(self) -> None:
        self._pause()

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self) -> None:
        self.stop()

    def pytest_unconfigure(self) -> None:
        self.stop()

    def stop(self) -> None:
        """No item runs any more."""
        self._over = True
        self._pause()

    def _start(self) -> None:
        if self._over or self._line is not None:
            return
        from .statusline import StatusLine

        streams = _terminals(self._config)
        if not streams:
            self._over = True
            return
        writer = self._config.get_terminal_writer()

        def markup(text: str, style: str) -> str:
            return writer.markup(text, **{style: True}) if style else text

        self._line = StatusLine(
            streams, lambda columns: self.progress.line(columns, markup), writer.width_of_current_line
        )

    def _pause(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.stop()


def wants_progress(config: pytest.Config, settings: Settings) -> bool:
    """Whether the session shows the line: on a terminal that nobody else draws on."""
    wanted: str = settings.progress
    if wanted == "off" or sys.platform == "win32" or not _terminals(config):
        return False
    if wanted == "on":
        return True
    option = config.option
    in_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    # without capturing, what tests print goes to the terminal past everybody
    captured = getattr(option, "capture", "no") in ("fd", "sys")
    return option.verbose == 0 and captured and not in_ci and os.environ.get("TERM") != "dumb"


def _terminals(config: pytest.Config) -> list[TextIO]:
    """The streams that lead to the terminal that pytest's own reporter writes to."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    # a reporter of another plugin draws what it likes
    if reporter is None or type(reporter).__module__ != "_pytest.terminal" or not _is_terminal(sys.stdout):
        return []
    return [sys.stdout, *([sys.stderr] if _is_terminal(sys.stderr) else [])]


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty()) and os.isatty(stream.fileno())
    except (AttributeError, OSError, ValueError):
        return False
