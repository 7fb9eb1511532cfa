"""Waking the plugin up: nothing but the front exists until a suite, a check or a result is met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .session import SessionReports
    from .state import State

STATE: pytest.StashKey[State] = pytest.StashKey()
SESSION: pytest.StashKey[SessionReports] = pytest.StashKey()


def activate(config: pytest.Config) -> State:
    """The plugin's state; made, and its hooks registered, on first use."""
    state = config.stash.get(STATE, None)
    if state is None:
        from .asyncfixtures import AsyncFixtures
        from .beginning import SHARD
        from .comparing import Comparing
        from .reports import ItemReports
        from .selecting import Selecting
        from .state import State

        state = config.stash[STATE] = State(config)
        config.pluginmanager.register(ItemReports(state), "evals-items")
        config.pluginmanager.register(AsyncFixtures(state), "evals-async-fixtures")
        config.pluginmanager.register(Comparing(state), "evals-comparing")
        config.pluginmanager.register(Selecting(), "evals-selecting")
        if (sharding := config.stash.get(SHARD, None)) is not None:  # around it: the last one registered is outermost
            config.pluginmanager.unregister(sharding)
            config.pluginmanager.register(sharding, "evals-sharding")
        if state.earlier is not None:
            config.pluginmanager.register(state.earlier, "evals-earlier")
        if hasattr(config, "workerinput"):
            from .xdist import WorkerSide

            config.pluginmanager.register(WorkerSide(state), "evals-worker")
        else:
            from .session import SessionReports

            session = config.stash[SESSION] = SessionReports(state)
            config.pluginmanager.register(session, "evals-session")
            if config.pluginmanager.hasplugin("vscode_pytest"):
                from .editors import VSCode

                config.pluginmanager.register(VSCode(), "evals-vscode")
            if config.pluginmanager.hasplugin("dsession"):
                from .xdist import ControllerSide

                config.pluginmanager.register(ControllerSide(), "evals-controller")
            session.show_progress()
    return state
