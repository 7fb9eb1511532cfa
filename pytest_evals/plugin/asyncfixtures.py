"""Asynchronous fixtures of a case live on the loop on which its target is called.

A client made on another loop (that of pytest-asyncio or anyio) cannot be used by a call on the engine's: clients bind
to the loop they are made on. So while a case is set up, its asynchronous fixtures are handed to pytest as plain ones
that run on the engine's loop; the plugins for asynchronous tests then leave them alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from .items import CaseItem

if TYPE_CHECKING:
    from collections.abc import Generator

    from .state import State


class AsyncFixtures:
    """Runs asynchronous fixtures of cases on the engine's loop."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._item: pytest.Item | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        self._item = item
        try:
            return (yield)
        finally:
            self._item = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        function = fixturedef.func
        plain: Callable[..., Any] | None = None
        if isinstance(self._item, CaseItem):
            if inspect.isasyncgenfunction(function):
                plain = self._generator(function)
            elif inspect.iscoroutinefunction(function):
                plain = self._value(function)
        if plain is None:
            return (yield)
        fixturedef.func = plain
        try:
            return (yield)
        finally:
            fixturedef.func = function

    def _value(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def fixture(**arguments: Any) -> Any:
            return self._state.engine.wait_for(function(**arguments))

        return fixture

    def _generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def fixture(**arguments: Any) -> Iterator[Any]:
            generator = function(**arguments)
            yield self._state.engine.wait_for(generator.__anext__())
            try:
                self._state.engine.wait_for(generator.__anext__())
            except StopAsyncIteration:
                return
            raise RuntimeError(f"fixture {function.__name__!r} has more than one 'yield'")

        return fixture
