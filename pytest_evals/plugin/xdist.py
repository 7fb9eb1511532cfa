"""The worker's side of xdist."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .state import State


class WorkerSide:
    """Tells the controller what only a worker knows."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._unreadable = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            from . import is_suite

            self._unreadable |= is_suite(self._state.config, report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        # alone pytest runs nothing after a collection error; xdist would run the rest
        if self._unreadable and not config.option.continue_on_collection_errors:
            items[:] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        output: dict[str, Any] = self._state.config.workeroutput  # type: ignore[attr-defined]
        root = self._state.config.rootpath
        counts = {
            path.relative_to(root).as_posix(): number
            for path, number in self._state.counts.items()
            if path.is_relative_to(root)
        }
        output["evals_suites"] = json.dumps(counts)
