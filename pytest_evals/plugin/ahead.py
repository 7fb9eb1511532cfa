"""Looking ahead: while one case is reported, the calls of the cases that follow are already under way.

A call may start before its item's turn only if everything it uses is there already and will still be there: every
fixture that its target needs has at least module scope, and is the very instance that the current item holds. The first
item that holds another instance ends the look-ahead, so that no fixture is torn down while a call uses it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ..engine.asking import Asking
from ..engine.output import Output
from ..scoring import WITH_JUDGE
from .collect import SCORER_SUFFIX, VARIANT
from .items import CaseItem

if TYPE_CHECKING:
    from .state import State

WINDOW = 10
"""Calls begun and not yet reported, times the concurrency: with some calls much slower than others, 2 would leave half
the slots idle, 10 leaves 15 % of them idle (20 slots, heavy-tailed latencies)."""

Key = tuple[Any, ...]


class _Needs(NamedTuple):
    """What the call of an item with these fixtures depends on."""

    why_not: str
    """Why it must wait for its turn; empty if it need not."""
    fixtures: tuple[tuple[str, Any], ...]
    """Name and definition of the fixtures whose instance must be the current one."""


class LookAhead:
    """Starts the calls of the items that come next in this process."""

    def __init__(self, state: State, concurrency: int) -> None:
        self._state = state
        self._engine = state.engine
        config = state.config
        # with -x every call beyond those that run at a time could be in vain
        self._window = concurrency if config.getoption("maxfail", 0) else WINDOW * concurrency
        self._on = concurrency > 1
        self._ignored = {"request", VARIANT, *state.settings.ignore_fixtures}
        self._all_trials: bool = state.settings.all_trials
        self._calls: dict[pytest.Item, Asking] = {}
        self._needs: dict[int, _Needs] = {}
        self._position = 0
        self._looked_at = 0
        self._queue: Any = _Unknown
        self._noticed: set[int] = set()
        self._undecided: deque[int] = deque()
        """Numbers of the items that xdist has sent, from the first that is neither begun nor to wait for its turn."""
        self._open: set[int] = set()
        """The same."""
        self.suspects: frozenset[str] = frozenset()
        """Node ids that run with nothing beside them: one of them may have killed a worker."""

    def call(self, item: CaseItem) -> Asking:
        """The calls of the item whose turn it is; begun now unless they were before. Begins those that follow too."""
        if self._state.in_flight is not None:
            self.suspects = self._state.in_flight.suspects()
        self._engine.alone = item.nodeid in self.suspects
        call = self._calls.pop(item, None)
        if call is None:
            if item.nodeid in self.suspects:
                self._engine.settle(self._calls.values())
            call = self._begin(item, item.target or item.target_of_fixture(), None)
        if self._on and item.nodeid not in self.suspects:
            self._advance(item)
        return call

    def why_in_turn(self, item: CaseItem) -> str:
        """Why the item's call cannot start before its turn; empty if it can."""
        if _at_once(item):
            return "its target answers at once"
        return self._needs_of(item).why_not

    def keep(self, item: CaseItem, wanted: Callable[[Asking], bool]) -> bool:
        """Whether the item's call was begun before its turn and is wanted; one that is not is cancelled."""
        call = self._calls.get(item)
        if call is None:
            return False
        if not wanted(call):
            del self._calls[item]
            self._engine.cancel([call])
            return False
        return True

    def put_back(self, item: CaseItem, call: Asking) -> None:
        """Take back a case whose turn was interrupted: it may have answers."""
        self._calls[item] = call

    def stop(self) -> list[Asking]:
        """Cancel all that was begun and not reported, and wait until it has ended; returns it."""
        calls = list(self._calls.values())
        self._calls.clear()
        if calls:
            self._engine.cancel(calls)
        return calls

    def _begin(self, item: CaseItem, target: Any, scorers: dict[str, Any] | None) -> Asking:
        output = Output(through=not self._on)
        call = Asking(
            item.case,
            target,
            item.identity(),
            scorers,
            output,
            all_trials=self._all_trials,
            recorded=self._state.earlier.recorded(item) if self._state.earlier is not None else (),
        )
        self._engine.start(call)
        return call

    def _advance(self, item: CaseItem) -> None:
        if item.session.shouldstop or item.session.shouldfail or self._state.ledger.spent:
            return
        key = self._key(item)
        if key is None:
            return
        target = None if item.target is not None else item.target_of_fixture()
        for other in self._upcoming(item):
            if len(self._calls) >= self._window:
                break
            if other in self._calls:
                continue
            if not isinstance(other, CaseItem):
                if key:  # an ordinary test may have the fixtures made anew
                    break
                continue
            if not self._may_start(other):
                continue
            theirs = self._key(other)
            if theirs is None:
                continue
            if theirs != key:
                break
            if other.target is None and (target is None or other.spec != item.spec):
                continue  # the current item does not hold its fixture
            if self._comes_yet():
                self._calls[other] = self._begin(other, other.target or target, self._scorers(item, other))

    def _may_start(self, item: CaseItem) -> bool:
        if _at_once(item):
            return False
        if item.nodeid in self.suspects:
            return False
        if self._state.earlier is not None and self._state.earlier.has(item):
            return False
        for mark in item.iter_markers():
            # whether it is skipped is decided in its turn
            if mark.name in ("skip", "skipif") or (mark.name == "xfail" and mark.kwargs.get("run") is False):
                return False
        return True

    def _scorers(self, current: CaseItem, other: CaseItem) -> dict[str, Any] | None:
        """The scorers of another item, if the current one holds all of them, shared ones."""
        if other._fixtureinfo is not current._fixtureinfo or other.parent is not current.parent:
            return None
        definitions = current._fixtureinfo.name2fixturedefs
        names = [name + SCORER_SUFFIX for name in current.scorers]
        if any(definitions[name][-1].scope in ("function", "class") for name in names):
            return None
        return {name: current.funcargs[name + SCORER_SUFFIX] for name in current.scorers}

    def _key(self, item: CaseItem) -> Key | None:
        """What must be alike for another item to use the fixtures this one holds; ``None`` if it must wait."""
        needs = self._needs_of(item)
        if needs.why_not:
            return None
        if not needs.fixtures:
            return ()
        indices = getattr(getattr(item, "callspec", None), "indices", {})
        return tuple(
            (id(definition), indices.get(name), None if definition.scope == "session" else id(item.parent))
            for name, definition in needs.fixtures
        )

    def _needs_of(self, item: CaseItem) -> _Needs:
        info = item._fixtureinfo
        known = self._needs.get(id(info))
        if known is None:
            known = self._needs[id(info)] = self._find_needs(item, info)
        return known

    def _find_needs(self, item: CaseItem, info: Any) -> _Needs:
        scorers = {name + SCORER_SUFFIX for name in item.scorers}
        waiting = [name for name in info.initialnames if name not in scorers]
        found: dict[str, Any] = {}
        while waiting:
            name = waiting.pop()
            if name in found or name in self._ignored:
                continue
            definitions = info.name2fixturedefs.get(name)
            if not definitions:
                continue
            definition = found[name] = definitions[-1]
            if definition.scope in ("function", "class"):
                return _Needs(f"it uses fixture {name!r} of {definition.scope} scope", ())
            waiting += definition.argnames
        return _Needs("", tuple(sorted(found.items())))

    def _upcoming(self, item: CaseItem) -> Iterable[pytest.Item]:
        """The items that come after this one in this process, as far as they are known."""
        session = item.session
        if not hasattr(self._state.config, "workerinput"):
            return self._rest(session.items, item)
        return self._sent(session.items)

    def _rest(self, items: list[pytest.Item], item: pytest.Item) -> Iterator[pytest.Item]:
        at = self._position
        while at < len(items) and items[at] is not item:
            at += 1
        if at == len(items):
            at = items.index(item)
        self._position = at
        # taking the next one means that the one before is decided: begun, or it waits for its turn
        self._looked_at = max(self._looked_at, at + 1)
        while self._looked_at < len(items):
            yield items[self._looked_at]
            self._looked_at += 1

    def _sent(self, items: list[pytest.Item]) -> Iterator[pytest.Item]:
        """What xdist has sent to this worker, each until it is decided. Without that knowledge nothing."""
        if self._queue is _Unknown:
            plugins = self._state.config.pluginmanager.get_plugins()
            self._queue = next((p for p in plugins if hasattr(getattr(p, "torun", None), "lock")), None)
        worker = self._queue
        if worker is None:
            return
        # only what is new: looking at the whole queue for every item took 6 of 7 minutes of 100,000 cases
        new: list[int] = []
        with worker.torun.lock() as queue:
            for number in reversed(queue):
                if number in self._noticed:
                    break
                if isinstance(number, int):
                    new.append(number)
        following = getattr(worker, "nextitem_index", None)
        if isinstance(following, int) and following not in self._noticed:
            new.append(following)
        new.reverse()
        self._noticed.update(new)
        self._open.update(new)
        self._undecided.extend(new)
        while following in self._open and self._undecided[0] != following:
            self._decided()  # its turn was before
        while self._undecided:
            yield items[self._undecided[0]]
            self._decided()

    def _decided(self) -> None:
        self._open.discard(self._undecided.popleft())

    def _comes_yet(self) -> bool:
        """Whether the item that is looked at has its turn here: xdist may have sent it on, or its turn was before."""
        worker = self._queue
        if worker is _Unknown or worker is None:
            return True
        number = self._undecided[0]
        with worker.torun.lock() as queue:
            return number == getattr(worker, "nextitem_index", None) or number in queue


class _Unknown:
    """Not looked for yet."""


def _at_once(item: CaseItem) -> bool:
    """Whether its target answers at once, and no judge is to be waited for."""
    judged = any(name in WITH_JUDGE for name in item.scorers)
    return item.target is not None and item.target.inline and not judged
